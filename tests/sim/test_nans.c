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

// What is no arithmetic leaves the bits alone, those of signalling NaNs as well.
START_TEST(what_is_only_moved_keeps_its_bits)
{
    static const char *const moves[] = {
        "mov.f32 %f1, %f0; mov.b32 %r20, %f1;",
        "ld.global.f32 %f1, [%rd4]; mov.b32 %r20, %f1;",
        "ld.global.nc.f32 %f1, [%rd4]; mov.b32 %r20, %f1;",
        "st.shared.f32 [%rd6], %f0; ld.shared.f32 %f1, [%rd6]; mov.b32 %r20, %f1;",
        "st.shared.v2.f32 [%rd6], {%f0, %f0}; ld.shared.v2.f32 {%f2, %f1}, [%rd6]; mov.b32 %r20, %f1;",
        "st.global.f32 [%rd5], %f0; ld.volatile.global.f32 %f1, [%rd5]; mov.b32 %r20, %f1;",
        ".local .align 4 .b8 own[4]; st.local.f32 [own], %f0; ld.local.f32 %f1, [own]; mov.b32 %r20, %f1;",
        "setp.ge.u32 %p1, %r1, 0; selp.f32 %f1, %f0, 0f3F800000, %p1; mov.b32 %r20, %f1;",
        "shfl.sync.idx.b32 %r20, %r10, %r1, 31, 0x3ffff;",
        "cp.async.ca.shared.global [%rd6], [%rd4], 8; cp.async.wait_all; ld.shared.f32 %f1, [%rd6]; mov.b32 %r20, %f1;",
        "atom.global.exch.b32 %r11, [%rd5], %r10; ld.global.f32 %f1, [%rd5]; mov.b32 %r20, %f1;",
        "cvt.u64.u32 %rd21, %r10; mov.b64 %d1, %rd21; mov.f64 %d2, %d1; mov.b64 {%r20, %r21}, %d2;",
    };
    static const uint32_t some[] = {0x7fc12345, 0xffc00001, 0x7f800001, 0xffbfffff, 0x7fffffff, 0xff800000};
    uint64_t in[SOURCES][VALUES] = {{0}}, out[VALUES] = {0};
    struct text body = {0};
    for (int k = 0; k < VALUES; k++)
        in[0][k] = some[k % 6];
    text_printf(&body, "mov.b32 %%f0, %%r10; %s", moves[_i]);
    run_on_values(text_get(&body), in, out);
    for (int k = 0; k < VALUES; k++)
        ck_assert_msg(out[k] == in[0][k], "%s of %llx: %llx", moves[_i], (unsigned long long)in[0][k],
                      (unsigned long long)out[k]);
    text_free(&body);
}
END_TEST

Suite *suite_nans(void)
{
    Suite *suite = suite_create("nans");
    TCase *tests = tcase_create("nans");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, an_operation_gives_the_bits_that_hardware_gives);
    tcase_add_loop_test(tests, what_is_only_moved_keeps_its_bits, 0, 12);
    suite_add_tcase(suite, tests);
    return suite;
}
