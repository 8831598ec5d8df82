// wgmma in the replay, against what an H100 took (tests/golden/h100_wgmma.csv).
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/describe.h"

Suite *suite_products(void);

enum { GROUP_WARPS = 4, TIMES = 256, OPS = 4, REGISTERS = 16 };

struct row {
    char mode[8];
    uint32_t n, groups;
    double cycles;
};

// The fence, product, commit and wait that the row is about, as the model sees them.
static void describe(const struct row *row, struct replay_inst insts[OPS])
{
    struct text text = {0};
    struct ptx_module *module;
    struct diagnostic diagnostic;
    const struct ptx_function *entry;
    text_printf(&text,
                ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %%r<4>; .reg .b64 "
                "%%rd; .reg .pred %%p; .reg .f32 %%f<%u>;\nwgmma.fence.sync.aligned; "
                "wgmma.mma_async.sync.aligned.m64n%uk16.f32.bf16.bf16 {",
                row->n / 2, row->n);
    for (uint32_t i = 0; i < row->n / 2; i++)
        text_printf(&text, "%s%%f%u", i ? ", " : "", i);
    text_puts(&text,
              strcmp(row->mode, "rs") ? "}, %rd, %rd, %p, 1, 1, 0, 0;" : "}, {%r0, %r1, %r2, %r3}, %rd, %p, 1, 1, 0;");
    text_puts(&text, " wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n}\n");
    ck_assert_msg(!ptx_parse("k", text_get(&text), text.length, &module, &diagnostic), "%s", diagnostic.message);
    ck_assert_int_eq(ptx_find_entry(module, NULL, &entry, &diagnostic), STATUS_OK);
    for (uint32_t i = 0; i < OPS; i++)
        insts[i] = describe_inst(entry, i, 0, 90);
    ptx_module_free(module);
    text_free(&text);
}

// What so many products of each warp group take: in groups of four, or each waited for.
static double replay(const struct row *row, const struct replay_inst insts[OPS], uint32_t times)
{
    enum { FENCE, PRODUCT, COMMIT, WAIT, MOST_WARPS = 16 };
    struct replay_step *steps = calloc(4 * times + 3, sizeof *steps);
    bool waits = !strcmp(row->mode, "wait");
    size_t count = 0;
    steps[count++].inst = FENCE;
    for (uint32_t i = 0; i < times; i++) {
        steps[count++].inst = PRODUCT;
        if (waits || i % 4 == 3)
            steps[count++].inst = COMMIT;
        if (waits) {
            steps[count++].inst = WAIT;
            steps[count++].inst = FENCE;
        }
    }
    steps[count++].inst = WAIT;
    struct replay_warp warps[MOST_WARPS];
    for (uint32_t i = 0; i < row->groups * GROUP_WARPS; i++)
        warps[i] = (struct replay_warp){.steps = steps, .count = count};
    struct replay_block block = {.warps = warps, .warp_count = row->groups * GROUP_WARPS};
    struct replay_job job = {.gpu = gpu_profile_find("H100"),
                             .insts = insts,
                             .inst_count = OPS,
                             .register_count = REGISTERS,
                             .blocks = &block,
                             .block_count = 1,
                             .resident = 1,
                             .active_sms = 1};
    struct replay_result result = {0};
    replay_run(&job, &replay_defaults, &result);
    free(result.block_end);
    free(steps);
    return result.cycles;
}

START_TEST(wgmma_takes_as_long_as_on_an_h100)
{
    FILE *file = fopen("tests/golden/h100_wgmma.csv", "r");
    char line[256];
    struct row row;
    int rows = 0, close = 0;
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file)) {
        struct replay_inst insts[OPS];
        if (sscanf(line, "%7[a-z],%u,%u,%lf", row.mode, &row.n, &row.groups, &row.cycles) != 4)
            continue;
        describe(&row, insts);
        double each = (replay(&row, insts, 2 * TIMES) - replay(&row, insts, TIMES)) / (int)TIMES / row.groups;
        double off = fabs(each / row.cycles - 1);
        ck_assert_msg(off < 0.19, "%s m64n%uk16 by %u groups: %.1f cycles, measured %.1f", row.mode, row.n, row.groups,
                      each, row.cycles);
        rows++;
        close += off < 0.04;
    }
    fclose(file);
    ck_assert_int_ge(rows, 50);
    ck_assert_msg(close * 10 >= rows * 7, "%d of %d within 4 %%", close, rows);
}
END_TEST

Suite *suite_products(void)
{
    Suite *suite = suite_create("products");
    TCase *tests = tcase_create("products");
    tcase_add_test(tests, wgmma_takes_as_long_as_on_an_h100);
    suite_add_tcase(suite, tests);
    return suite;
}
