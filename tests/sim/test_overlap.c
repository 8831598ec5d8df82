// Blocks that get in one another's way: whatever the number of host threads, all is as if they had run in order.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/kernel.h"

Suite *suite_overlap(void);

enum { WORDS = 4096, BLOCKS = 48, COUNTS = 512, REPEATS = 3 };

struct racy {
    const char *name, *body, *before;
    enum status status;
    bool track;
};

#define AT(index, rd) "mul.wide.u32 " rd ", " index ", 4; add.s64 " rd ", %rd1, " rd ";\n"

static const struct racy racy[] = {
    {.name = "two blocks, one place",
     .body = "shr.u32 %r5, %r3, 1; mad.lo.u32 %r5, %r5, %r4, %r1;\n" AT("%r5", "%rd5") "st.global.u32 [%rd5], %r3;"},
    {.name = "halo stores",
     .body = "sub.u32 %r5, %r4, 5; mad.lo.u32 %r5, %r3, %r5, %r1;\n" AT("%r5", "%rd5") "st.global.u32 [%rd5], %r2;"},
    {.name = "bytes of one word",
     .body =
         "mad.lo.u32 %r5, %r3, 29, %r1; cvt.u64.u32 %rd5, %r5; add.s64 %rd5, %rd1, %rd5; st.global.u8 [%rd5], %r3;"},
    {.name = "bytes of one word, apart",
     .body = "setp.lt.u32 %p1, %r1, 3; mad.lo.u32 %r5, %r3, 3, %r1; cvt.u64.u32 %rd5, %r5; add.s64 %rd5, %rd1, %rd5;\n"
             "@%p1 st.global.u8 [%rd5], %r3;"},
    {.name = "16 bytes over 8 bytes",
     .body = "mad.lo.u32 %r5, %r3, 9, %r1; mul.wide.u32 %rd5, %r5, 16; add.s64 %rd5, %rd1, %rd5;\n"
             "and.b32 %r6, %r3, 1; setp.eq.u32 %p1, %r6, 0;\n"
             "@%p1 st.global.v4.u32 [%rd5], {%r3, %r1, %r2, %r3}; @!%p1 st.global.v2.u32 [%rd5+8], {%r2, %r3};"},
    {.name = "reads what the block before wrote",
     .body = "add.u32 %r5, %r2, %r4;\n" AT("%r5", "%rd5") "ld.global.u32 %r6, [%rd3]; add.u32 %r6, %r6, 1; "
                                                          "st.global.u32 [%rd5], %r6;"},
    {.name = "reads what the block after writes",
     .body = "ld.global.u32 %r6, [%rd3+128]; add.u32 %r6, %r6, %r3; st.global.u32 [%rd3], %r6;"},
    {.name = "stencil in place",
     .body = "ld.global.u32 %r5, [%rd3]; ld.global.u32 %r6, [%rd3+4]; mad.lo.u32 %r5, %r5, 3, %r6;\n"
             "add.u32 %r5, %r5, %r2; st.global.u32 [%rd3+4], %r5;"},
    {.name = "in place, apart", .body = "ld.global.u32 %r5, [%rd3]; add.u32 %r5, %r5, %r2; st.global.u32 [%rd3], %r5;"},
    {.name = "where loaded values lead",
     .body = "ld.global.u32 %r5, [%rd3]; and.b32 %r5, %r5, 255; add.u32 %r6, %r5, %r3; and.b32 %r6, %r6, 255;\n" AT(
         "%r6", "%rd5") "st.global.u32 [%rd5], %r2; and.b32 %r7, %r2, 255;\n" AT("%r7", "%rd6") "st.global.u32 [%rd6], "
                                                                                                "%r5;"},
    {.name = "through loaded pointers",
     .body = "mul.wide.u32 %rd5, %r1, 8; add.s64 %rd5, %rd0, %rd5; add.s64 %rd6, %rd3, 64; st.global.u64 [%rd5], "
             "%rd6;\n"
             "bar.sync 0; ld.global.u64 %rd7, [%rd5]; st.global.u32 [%rd7], %r3; st.global.u32 [%rd7+4], %r2;"},
    {.name = "a branch on a racing value writes elsewhere",
     .body = "ld.global.u32 %r5, [%rd1]; and.b32 %r6, %r5, 1; setp.eq.u32 %p1, %r6, %r3; add.u32 %r7, %r3, 1;\n"
             "@%p1 st.global.u32 [%rd2], %r7; @!%p1 st.global.u32 [%rd2+64], %r7; st.global.u32 [%rd1], %r7;"},
    {.name = "a variable of the device",
     .before = ".global .align 4 .u32 v[4] = {7, 8, 9, 10};",
     .body = "ld.global.u32 %r5, [v+4]; st.global.u32 [v+4], %r3; st.global.u32 [%rd3], %r5;"},
    {.name = "a constant and a race",
     .before = ".const .align 4 .u32 c[4] = {7, 8, 9, 10};",
     .body = "ld.const.u32 %r5, [c+8]; add.u32 %r5, %r5, %r3; st.global.u32 [%rd1], %r5; ld.global.u32 %r6, [%rd1+4];\n"
             "st.global.u32 [%rd3+256], %r6;"},
    {.name = "a store to a constant",
     .before = ".const .align 4 .u32 c[4] = {7, 8, 9, 10};",
     .body = "st.global.u32 [%rd3], %r3; setp.gt.u32 %p1, %r3, 20; mov.u64 %rd9, c; cvta.const.u64 %rd9, %rd9;\n"
             "@%p1 st.u32 [%rd9], %r3;",
     .status = STATUS_FAULT},
    {.name = "copies in bulk over one another",
     .before = ".shared .align 16 .b8 tile[128];",
     .body = "mov.u32 %r9, tile; mad.lo.u32 %r5, %r1, 4, %r9; st.shared.u32 [%r5], %r2; bar.sync 0;\n"
             "setp.eq.u32 %p1, %r1, 0; mul.wide.u32 %rd5, %r3, 48; add.s64 %rd5, %rd1, %rd5;\n"
             "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd5], [%r9], 128;\n"
             "@%p1 cp.async.bulk.commit_group; @%p1 cp.async.bulk.wait_group 0;"},
    {.name = "copies of what others write",
     .before = ".shared .align 16 .b8 tile[512];",
     .body = "mov.u32 %r9, tile; mad.lo.u32 %r5, %r1, 16, %r9; mul.wide.u32 %rd5, %r1, 16; add.s64 %rd5, %rd1, %rd5;\n"
             "cp.async.cg.shared.global [%r5], [%rd5], 16; cp.async.wait_all; ld.shared.u32 %r6, [%r5];\n"
             "add.u32 %r6, %r6, %r3; st.global.u32 [%rd3], %r6;"},
    {.name = "exchanges",
     .body = "mul.wide.u32 %rd5, %r1, 4; add.s64 %rd5, %rd1, %rd5; atom.global.exch.b32 %r5, [%rd5], %r3;\n"
             "st.global.u32 [%rd3+256], %r5;"},
    {.name = "compare and swap", .body = "atom.global.cas.b32 %r5, [%rd1], %r3, %r2; st.global.u32 [%rd3+256], %r5;"},
    {.name = "increments without result",
     .body = "red.global.inc.u32 [%rd1], 7; red.global.dec.u32 [%rd1+4], 9; red.global.add.u32 [%rd1+8], %r2;"},
    {.name = "sums of integers", .body = "and.b32 %r5, %r2, 63;\n" AT("%r5", "%rd5") "red.global.add.u32 [%rd5], %r2;"},
    {.name = "sums and maxima in one place",
     .body = "and.b32 %r5, %r2, 63;\n" AT("%r5", "%rd5") "red.global.add.u32 [%rd5], %r2; red.global.max.u32 [%rd5], "
                                                         "%r3;"},
    {.name = "sums where nobody wrote", .body = "red.global.add.u32 [%rd1], %r2;", .track = true},
    {.name = "sums of floats",
     .body = "cvt.rn.f32.u32 %f1, %r2; mul.f32 %f1, %f1, 0f3f8ccccd; "
             "red.global.add.f32 [%rd1], %f1;"},
    {.name = "a sum, a store and a load",
     .body = "red.global.add.u32 [%rd1], %r1; setp.eq.u32 %p1, %r3, 7; @%p1 st.global.u32 [%rd1], %r3;\n"
             "ld.global.u32 %r5, [%rd1]; st.global.u32 [%rd3+256], %r5;"},
    {.name = "the last block adds up",
     .before = ".global .align 4 .u32 ticket;",
     .body = "st.global.u32 [%rd3+256], %r2; membar.gl; mov.u32 %r5, 0; setp.eq.u32 %p1, %r1, 0;\n"
             "@%p1 atom.global.add.u32 %r5, [ticket], 1; setp.eq.u32 %p2, %r5, 47; membar.gl;\n"
             "@%p2 ld.global.u32 %r6, [%rd1+260]; @%p2 st.global.u32 [%rd1], %r6;"},
    {.name = "waits for the block before",
     .body = "mul.wide.u32 %rd5, %r3, 4; add.s64 %rd5, %rd1, %rd5; setp.eq.u32 %p2, %r3, 0; @%p2 bra GO;\n"
             "WAIT: ld.volatile.global.u32 %r5, [%rd5+-4]; setp.eq.u32 %p1, %r5, 0; @%p1 bra WAIT;\n"
             "GO: membar.gl; st.volatile.global.u32 [%rd5], 1; st.global.u32 [%rd3+512], %r5;"},
    {.name = "waits for the block after",
     .body = "mul.wide.u32 %rd5, %r3, 4; add.s64 %rd5, %rd1, %rd5; setp.eq.u32 %p2, %r3, 47; @%p2 bra GO;\n"
             "WAIT: ld.acquire.gpu.global.u32 %r5, [%rd5+4]; setp.eq.u32 %p1, %r5, 0; @%p1 bra WAIT;\n"
             "GO: st.release.gpu.global.u32 [%rd5], 1;"},
    {.name = "waits without a strong load",
     .body = "setp.eq.u32 %p2, %r3, 20; @%p2 st.global.u32 [%rd1], 1; setp.ne.u32 %p2, %r3, 3; @%p2 bra GO;\n"
             "WAIT: ld.global.u32 %r5, [%rd1]; setp.eq.u32 %p1, %r5, 0; @%p1 bra WAIT;\n"
             "GO: st.global.u32 [%rd3+256], %r3;",
     .status = STATUS_TIMEOUT},
    {.name = "memory from the heap",
     .before = ".extern .func (.param .b64 p) malloc(.param .b64 size);",
     .body = "{ .param .b64 size; .param .b64 p; st.param.b64 [size], 64; call.uni (p), malloc, (size); "
             "ld.param.b64 %rd5, [p]; }\n"
             "shr.u64 %rd6, %rd5, 36; st.u32 [%rd5], %r2; st.global.u32 [%rd3], %rd6;"},
    {.name = "printf",
     .before = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
               ".global .align 1 .b8 words[8] = {98, 32, 37, 117, 10, 0, 0, 0};",
     .body = ".local .align 8 .b8 stack[8]; mov.u64 %rd5, stack; st.local.u32 [%rd5], %r3; cvta.local.u64 %rd5, %rd5;\n"
             "mov.u64 %rd6, words; cvta.global.u64 %rd6, %rd6; setp.eq.u32 %p1, %r1, 0;\n"
             "{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd6; st.param.b64 [a], %rd5;\n"
             "@%p1 call.uni (r), vprintf, (f, a); }"},
    {.name = "traps in two blocks",
     .body = "st.global.u32 [%rd3], %r2; setp.eq.u32 %p1, %r3, 9; @%p1 trap; setp.eq.u32 %p1, %r3, 8; @%p1 trap;\n"
             "st.global.u32 [%rd3+512], %r2;",
     .status = STATUS_FAULT},
    {.name = "far outside, where a racing value leads",
     .body = "ld.global.u32 %r5, [%rd1]; setp.eq.u32 %p1, %r5, 30; @%p1 mov.u32 %r5, 100000000;\n" AT(
         "%r5", "%rd5") "st.global.u32 [%rd5+8], %r3; st.global.u32 [%rd1], %r3;",
     .status = STATUS_FAULT},
    {.name = "some wait for ever",
     .body = "st.global.u32 [%rd3], %r3; setp.eq.u32 %p1, %r3, 11; and.b32 %r5, %r1, 1; setp.eq.and.u32 %p1, %r5, 0, "
             "%p1;\n@%p1 barrier.sync 1, 64; st.global.u32 [%rd3+4], %r3;",
     .status = STATUS_FAULT},
    {.name = "a store through a function",
     .before = ".func put(.param .b64 p, .param .b32 v)\n{ .reg .b64 %a; .reg .b32 %b; ld.param.u64 %a, [p]; "
               "ld.param.u32 %b, [v]; st.global.u32 [%a], %b; ret; }",
     .body = "{ .param .b64 p; .param .b32 v; st.param.b64 [p], %rd1; st.param.b32 [v], %r3; call.uni put, (p, v); }"},
};

static void note_print(void *context, const char *words, size_t length)
{
    text_append(context, words, length);
}

struct outcome {
    uint32_t out[WORDS];
    struct sim_count counts[COUNTS];
    struct sim_result result;
    enum status status;
    struct text printed, seen;
    char message[1024];
};

static struct outcome *run_racy(const struct racy *kernel, unsigned host_threads, enum sim_schedule schedule)
{
    struct outcome *outcome = calloc(1, sizeof *outcome);
    uint32_t in[2048];
    for (uint32_t i = 0; i < 2048; i++)
        in[i] = i * 2654435761u;
    for (uint32_t i = 0; i < WORDS && !kernel->track; i++)
        outcome->out[i] = i % 97;
    if (strstr(kernel->name, "wait"))
        memset(outcome->out, 0, sizeof outcome->out);
    struct kernel launch = {.before = kernel->before,
                            .body = kernel->body,
                            .grid = BLOCKS,
                            .block = 32,
                            .in = in,
                            .in_size = sizeof in,
                            .out = outcome->out,
                            .out_size = sizeof outcome->out,
                            .track = kernel->track,
                            .budget = 20000,
                            .seed = 5,
                            .schedule = schedule,
                            .host_threads = host_threads,
                            .print = note_print,
                            .print_context = &outcome->printed,
                            .counts = outcome->counts,
                            .seen = &outcome->seen};
    outcome->status = kernel_run(&launch);
    outcome->result = launch.result;
    snprintf(outcome->message, sizeof outcome->message, "%s", launch.diagnostic.message);
    return outcome;
}

static void outcome_free(struct outcome *outcome)
{
    text_free(&outcome->printed);
    text_free(&outcome->seen);
    free(outcome);
}

START_TEST(racing_blocks_do_as_if_they_ran_in_order)
{
    const struct racy *kernel = &racy[_i];
    for (int schedule = SIM_ROUND_ROBIN; schedule <= SIM_ONE_AHEAD; schedule++) {
        struct outcome *first = run_racy(kernel, 1, (enum sim_schedule)schedule);
        // At random another block may store what one waits for, weak as its load is.
        bool any = kernel->status == STATUS_TIMEOUT && schedule == SIM_RANDOM;
        ck_assert_msg(any || first->status == kernel->status, "%s: %s", kernel->name, first->message);
        for (int repeat = 0; repeat < 2 * REPEATS; repeat++) {
            unsigned threads = repeat % 2 ? 8 : 2;
            struct outcome *other = run_racy(kernel, threads, (enum sim_schedule)schedule);
            ck_assert_msg(!memcmp(first->out, other->out, sizeof first->out), "%s: outputs, %u threads", kernel->name,
                          threads);
            ck_assert_msg(!memcmp(first->counts, other->counts, sizeof first->counts), "%s: counts", kernel->name);
            ck_assert_msg(!memcmp(&first->result, &other->result, sizeof first->result), "%s: result", kernel->name);
            ck_assert_int_eq(first->status, other->status);
            ck_assert_str_eq(first->message, other->message);
            ck_assert_str_eq(text_get(&first->printed), text_get(&other->printed));
            ck_assert_str_eq(text_get(&first->seen), text_get(&other->seen));
            outcome_free(other);
        }
        outcome_free(first);
    }
}
END_TEST

Suite *suite_overlap(void)
{
    Suite *suite = suite_create("overlap");
    TCase *tests = tcase_create("overlap");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, racing_blocks_do_as_if_they_ran_in_order, 0, sizeof racy / sizeof *racy);
    suite_add_tcase(suite, tests);
    return suite;
}
