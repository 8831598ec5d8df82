// What becomes of NaNs, infinities and subnormals: every operation on floats against what an H200 gave (driver
// 580.159.04). Left out is what the PTX ISA allows an error: tanh, sin, cos, lg2 and rsqrt.
//
// tests/golden/h200_nans.csv: first, 18 values of each type, as `type,values,`. Then `types of the sources,results,
// instruction`: result i is that of value i of the first type, value 5i + 7 of the second, value 11i + 3 of the third.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/kernel.h"

Suite *suite_nans(void);

enum { VALUES = 18, SETS = 8, SOURCES = 3 };

struct value_set {
    char type[8];
    uint64_t values[VALUES];
};

static void read_values(const char *text, uint64_t values[VALUES])
{
    for (int i = 0; i < VALUES; i++) {
        char *end;
        values[i] = strtoull(text, &end, 16);
        ck_assert(end != text);
        text = end;
    }
}

static const struct value_set *set_of(const struct value_set sets[SETS], const char *type)
{
    for (int i = 0; i < SETS; i++)
        if (!strcmp(sets[i].type, type))
            return &sets[i];
    ck_abort_msg("no values of type %s", type);
    return NULL;
}

// Sources in %h10, %r10 and %rd10 and so on; the result in the one numbered 20; %rd5 leads to 8 bytes of global memory
// of the thread's own, %rd6 to 8 bytes of shared memory.
static void run_on_values(const char *instruction, uint64_t in[SOURCES][VALUES], uint64_t out[VALUES])
{
    struct text body = {0};
    text_puts(&body, "mul.wide.u32 %rd30, %r1, 8; add.s64 %rd4, %rd0, %rd30; add.s64 %rd5, %rd1, %rd30;\n"
                     "mov.u64 %rd31, words; add.s64 %rd6, %rd31, %rd30;\n");
    for (int i = 0; i < SOURCES; i++)
        text_printf(&body,
                    "ld.global.u64 %%rd1%d, [%%rd4+%d]; cvt.u32.u64 %%r1%d, %%rd1%d; cvt.u16.u64 %%h1%d, %%rd1%d;\n", i,
                    8 * VALUES * i, i, i, i, i);
    text_printf(&body, "%s\n%s st.global.u64 [%%rd5], %%rd20;\n", instruction,
                strstr(instruction, "%h20")   ? "cvt.u64.u16 %rd20, %h20;"
                : strstr(instruction, "%r20") ? "cvt.u64.u32 %rd20, %r20;"
                                              : "");
    struct kernel kernel = {.before = ".shared .align 8 .b64 words[32];",
                            .body = text_get(&body),
                            .block = VALUES,
                            .in = in,
                            .in_size = SOURCES * VALUES * sizeof **in,
                            .out = out,
                            .out_size = VALUES * sizeof *out};
    enum status status = kernel_run(&kernel);
    ck_assert_msg(status == STATUS_OK, "%s: %s", instruction, kernel.diagnostic.message);
    text_free(&body);
}

START_TEST(an_operation_gives_the_bits_that_hardware_gives)
{
    static const int step[SOURCES] = {1, 5, 11}, start[SOURCES] = {0, 7, 3};
    struct value_set sets[SETS] = {{{0}, {0}}};
    struct text wrong = {0};
    char line[1024];
    int set_count = 0, operations = 0;
    FILE *file = fopen("tests/golden/h200_nans.csv", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        char *types = strtok(line, ","), *values = strtok(NULL, ","), *instruction = strtok(NULL, "\n");
        uint64_t in[SOURCES][VALUES] = {{0}}, out[VALUES] = {0}, want[VALUES];
        read_values(values, want);
        if (!instruction) {
            ck_assert_int_lt(set_count, SETS);
            snprintf(sets[set_count].type, sizeof sets->type, "%s", types);
            memcpy(sets[set_count++].values, want, sizeof want);
            continue;
        }
        char *type = strtok(types, " ");
        for (int i = 0; type; i++, type = strtok(NULL, " "))
            for (int k = 0; k < VALUES; k++)
                in[i][k] = set_of(sets, type)->values[(step[i] * k + start[i]) % VALUES];
        run_on_values(instruction, in, out);
        for (int k = 0; k < VALUES; k++)
            if (out[k] != want[k])
                text_printf(&wrong, "%s of %llx, %llx, %llx: %llx, not %llx\n", instruction,
                            (unsigned long long)in[0][k], (unsigned long long)in[1][k], (unsigned long long)in[2][k],
                            (unsigned long long)out[k], (unsigned long long)want[k]);
        operations++;
    }
    fclose(file);
    ck_assert_msg(!wrong.length, "%.2000s", text_get(&wrong));
    ck_assert_int_gt(operations, 250);
    text_free(&wrong);
}
END_TEST

Suite *suite_nans(void)
{
    Suite *suite = suite_create("nans");
    TCase *tests = tcase_create("nans");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, an_operation_gives_the_bits_that_hardware_gives);
    suite_add_tcase(suite, tests);
    return suite;
}
