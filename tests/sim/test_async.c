// Copies that land late, mbarriers, bulk copies.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/kernel.h"

Suite *suite_async(void);

static const char shared[] = ".shared .align 128 .b8 tile[2048]; .shared .align 8 .b8 bar[16];";

static uint32_t input[256];

static void run(struct kernel *kernel, const char *body, uint32_t *out, enum status status)
{
    for (uint32_t i = 0; i < 256; i++)
        input[i] = 1000 + i;
    kernel->before = shared;
    kernel->body = body;
    kernel->in = input;
    kernel->in_size = sizeof input;
    kernel->out = out;
    kernel->out_size = 256 * sizeof *out;
    enum status got = kernel_run(kernel);
    ck_assert_msg(got == status, "%s: %s", status_name(got), kernel->diagnostic.message);
}

#define PLACE "mov.u32 %r9, tile; shl.b32 %r8, %r1, 2; add.u32 %r7, %r9, %r8;\n"
#define COPY "cp.async.ca.shared.global [%r7], [%rd2], 4;\n"
#define STORE "ld.shared.u32 %r10, [%r7]; st.global.u32 [%rd3], %r10;\n"

#define BARRIER                                                                                                        \
    PLACE "mov.u32 %r6, bar; setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [%r6], 32; bar.sync 0;\n"

// what lane 5 finds in its word, which the lane itself set to 7 before
static const struct {
    const char *body;
    uint32_t want;
} copies[] = {
    {PLACE "mov.u32 %r6, 7; st.shared.u32 [%r7], %r6;\n" COPY STORE, 7},
    {PLACE "mov.u32 %r6, 7; st.shared.u32 [%r7], %r6;\n" COPY "cp.async.commit_group;\n" STORE, 7},
    {PLACE "mov.u32 %r6, 7; st.shared.u32 [%r7], %r6;\n" COPY "cp.async.wait_group 0;\n" STORE, 7},
    {PLACE COPY "cp.async.commit_group; cp.async.wait_group 0;\n" STORE, 1005},
    {PLACE COPY "cp.async.wait_all;\n" STORE, 1005},
    {PLACE "mov.u32 %r6, 7; st.shared.u32 [%r7], %r6;\n" COPY
           "cp.async.commit_group; cp.async.ca.shared.global [%r7+512], [%rd2], 4; cp.async.commit_group;\n"
           "cp.async.wait_group 2;\n" STORE,
     7},
    {PLACE COPY "cp.async.commit_group; cp.async.ca.shared.global [%r7+512], [%rd2], 4; cp.async.commit_group;\n"
                "cp.async.wait_group 1;\n" STORE,
     1005},
    // zero-fill: nothing read, or two of four bytes
    {PLACE "cp.async.ca.shared.global [%r7], [%rd2], 4, 0; cp.async.wait_all;\n" STORE, 0},
    {PLACE "mov.u32 %r6, 1; cp.async.ca.shared.global [%r7], [%rd2], 4, %r6; cp.async.wait_all;\n" STORE, 1005 & 0xff},
    {PLACE "setp.eq.u32 %p1, %r1, 5; cp.async.ca.shared.global [%r7], [%rd2], 4, %p1; cp.async.wait_all;\n" STORE, 0},
    {PLACE
     "shl.b32 %r6, %r1, 4; add.u32 %r6, %r9, %r6; and.b32 %r5, %r1, 7; mul.wide.u32 %rd5, %r5, 16;\n"
     "add.s64 %rd5, %rd0, %rd5; cp.async.cg.shared.global [%r6], [%rd5], 16; cp.async.wait_all; bar.sync 0;\n" STORE,
     1005},
    // arrival at an mbarrier in place of a wait
    {PLACE "mov.u32 %r6, bar; setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [%r6], 32; bar.sync 0;\n" COPY
           "cp.async.mbarrier.arrive.noinc.shared.b64 [%r6];\n"
           "W: mbarrier.test_wait.parity.shared.b64 %p2, [%r6], 0; @!%p2 bra W;\n" STORE,
     1005},
    // which they do when somebody looks at it, with what began before; without .noinc the arrival counts itself
    {BARRIER "mov.u32 %r5, 7; st.shared.u32 [%r7], %r5;\n" COPY
             "cp.async.mbarrier.arrive.noinc.shared.b64 [%r6];\n" STORE,
     7},
    {BARRIER COPY "cp.async.mbarrier.arrive.shared.b64 [%r6]; mbarrier.arrive.shared.b64 %rd9, [%r6];\n"
                  "W: mbarrier.test_wait.shared.b64 %p2, [%r6], %rd9; @!%p2 bra W;\n" STORE,
     1005},
    {BARRIER COPY "cp.async.mbarrier.arrive.noinc.shared.b64 [%r6]; cp.async.ca.shared.global [%r7], [%rd2+4], 4;\n"
                  "W: mbarrier.test_wait.parity.shared.b64 %p2, [%r6], 0; @!%p2 bra W;\n" STORE,
     1005},
    // two phases that nobody looked at in between
    {BARRIER COPY "cp.async.mbarrier.arrive.noinc.shared.b64 [%r6]; cp.async.ca.shared.global [%r7], [%rd2+4], 4;\n"
                  "cp.async.mbarrier.arrive.noinc.shared.b64 [%r6];\n"
                  "W: mbarrier.test_wait.parity.shared.b64 %p2, [%r6], 1; @!%p2 bra W;\n" STORE,
     1006},
};

START_TEST(a_copy_lands_when_its_thread_waits_and_not_before)
{
    uint32_t out[256] = {0};
    struct kernel kernel = {0};
    run(&kernel, copies[_i].body, out, STATUS_OK);
    ck_assert_uint_eq(out[5], copies[_i].want);
}
END_TEST

static const struct {
    const char *body, *message;
} faults[] = {
    {PLACE "cp.async.ca.shared.global [%r7], [%rd2+1024], 4;",
     "block (0,0,0) thread (0,0,0) reads 4 bytes just past the end of `in`"},
    {PLACE "cp.async.cg.shared.global [%r7], [%rd0], 16;",
     "block (0,0,0) thread (1,0,0) writes 16 bytes at a misaligned address, byte 4 of shared memory (2048 bytes, "
     "`tile`) "
     "is not a multiple of 16"},
    {"mov.u32 %r6, bar; mov.u32 %r5, 0; st.shared.v2.u32 [%r6], {%r5, %r5}; mbarrier.arrive.shared.b64 %rd10, [%r6];",
     "block (0,0,0) thread (0,0,0) arrives at an mbarrier that was not initialised"},
};

START_TEST(bad_copies_are_faults)
{
    uint32_t out[256] = {0};
    struct kernel kernel = {0};
    run(&kernel, faults[_i].body, out, STATUS_FAULT);
    ck_assert_str_eq(kernel.diagnostic.message, faults[_i].message);
}
END_TEST

// 253 words: three words of the last 16 bytes are not there. What is not read need not be, but all must be aligned.
static const struct {
    const char *from, *bytes, *message; // NULL: none
} ends[] = {
    {"1008", "4", NULL},
    {"1008", "8", "block (0,0,0) thread (0,0,0) reads 8 bytes, the last 4 of them past the end of `in`"},
    {"980", "4",
     "block (0,0,0) thread (0,0,0) reads 16 bytes at a misaligned address, byte 980 of `in` is not a multiple of 16"},
};

START_TEST(a_copy_may_read_less_than_it_writes)
{
    uint32_t out[32] = {0};
    char body[600];
    snprintf(body, sizeof body,
             "%smov.u32 %%r6, %s; setp.eq.u32 %%p1, %%r1, 0;\n"
             "@%%p1 cp.async.cg.shared.global [%%r9], [%%rd0+%s], 16, %%r6;\n"
             "cp.async.wait_all; bar.sync 0;\n%s",
             PLACE, ends[_i].bytes, ends[_i].from, STORE);
    for (uint32_t i = 0; i < 256; i++)
        input[i] = 1000 + i;
    struct kernel kernel = {.before = shared,
                            .body = body,
                            .in = input,
                            .in_size = 253 * sizeof *input,
                            .out = out,
                            .out_size = sizeof out};
    enum status status = kernel_run(&kernel);
    ck_assert_int_eq(status, ends[_i].message ? STATUS_FAULT : STATUS_OK);
    if (ends[_i].message)
        ck_assert_str_eq(kernel.diagnostic.message, ends[_i].message);
    else
        ck_assert(out[0] == 1252 && out[1] == 0 && out[3] == 0);
}
END_TEST

// Warp 0 fills the tile phase by phase, warp 1 sums it up.
START_TEST(producer_and_consumer_meet_at_mbarriers)
{
    uint32_t out[256] = {0};
    struct kernel kernel = {.block = 64, .schedule = (enum sim_schedule)_i, .seed = 9};
    run(&kernel,
        "mov.u32 %r9, tile; and.b32 %r8, %r1, 31; shl.b32 %r8, %r8, 2; add.u32 %r7, %r9, %r8; mov.u32 %r6, bar;\n"
        "setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared::cta.b64 [%r6], 32;\n"
        "@%p1 mbarrier.init.shared::cta.b64 [%r6+8], 32; bar.sync 0;\n"
        "mov.u32 %r10, 0; mov.u32 %r11, 0; setp.ge.u32 %p2, %r1, 32; @%p2 bra CONSUMER;\n"
        "FILL: xor.b32 %r12, %r11, 1; and.b32 %r12, %r12, 1;\n"
        "E: mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r6+8], %r12; @!%p3 bra E;\n"
        "mad.lo.u32 %r13, %r11, 100, %r1; st.shared.u32 [%r7], %r13; mbarrier.arrive.shared::cta.b64 _, [%r6];\n"
        "add.u32 %r11, %r11, 1; setp.lt.u32 %p4, %r11, 5; @%p4 bra FILL; bra END;\n"
        "CONSUMER: and.b32 %r12, %r11, 1;\n"
        "F: mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r6], %r12; @!%p3 bra F;\n"
        "ld.shared.u32 %r13, [%r7]; add.u32 %r10, %r10, %r13; mbarrier.arrive.shared::cta.b64 %rd10, [%r6+8];\n"
        "add.u32 %r11, %r11, 1; setp.lt.u32 %p4, %r11, 5; @%p4 bra CONSUMER;\n"
        "END: st.global.u32 [%rd3], %r10;",
        out, STATUS_OK);
    for (uint32_t i = 0; i < 32; i++)
        ck_assert_uint_eq(out[32 + i], 5 * i + 1000);
}
END_TEST

START_TEST(states_and_pending_counts_are_kept)
{
    uint32_t out[256] = {0};
    struct kernel kernel = {.block = 1};
    run(&kernel,
        "mov.u32 %r6, bar; mbarrier.init.shared.b64 [%r6], 3; mbarrier.arrive.shared.b64 %rd10, [%r6];\n"
        "mbarrier.pending_count.b64 %r10, %rd10; st.global.u32 [%rd1], %r10;\n"
        "mbarrier.arrive.shared.b64 %rd11, [%r6], 1; mbarrier.pending_count.b64 %r10, %rd11; st.global.u32 [%rd1+4], "
        "%r10;\n"
        "mbarrier.test_wait.shared.b64 %p1, [%r6], %rd10; selp.u32 %r10, 1, 0, %p1; st.global.u32 [%rd1+8], %r10;\n"
        "mbarrier.arrive_drop.shared.b64 %rd12, [%r6];\n"
        "mbarrier.test_wait.shared.b64 %p1, [%r6], %rd10; selp.u32 %r10, 1, 0, %p1; st.global.u32 [%rd1+12], %r10;\n"
        "mbarrier.arrive.shared.b64 %rd13, [%r6]; mbarrier.pending_count.b64 %r10, %rd13; st.global.u32 [%rd1+16], "
        "%r10;\n"
        "mbarrier.inval.shared.b64 [%r6];",
        out, STATUS_OK);
    static const uint32_t want[] = {3, 2, 0, 1, 2};
    ck_assert_mem_eq(out, want, sizeof want);
}
END_TEST

// PTX ISA, mbarrier.test_wait: a state is what an arrival at the same mbarrier returned, in this phase or the one
// before.
#define TWO_BARRIERS                                                                                                   \
    "mov.u32 %r6, bar; mbarrier.init.shared.b64 [%r6], 1; mbarrier.init.shared.b64 [%r6+8], 1;\n"                      \
    "mbarrier.arrive.shared.b64 %rd10, [%r6];\n"
static const struct {
    const char *body, *says; // NULL: right
} tokens[] = {
    {TWO_BARRIERS "mbarrier.test_wait.shared.b64 %p1, [%r6], %rd10;", NULL},
    {TWO_BARRIERS "mbarrier.arrive.shared.b64 %rd11, [%r6]; mbarrier.test_wait.shared.b64 %p1, [%r6], %rd11;", NULL},
    {TWO_BARRIERS "st.shared.u64 [tile], %rd10; ld.shared.u64 %rd11, [tile];\n"
                  "mbarrier.try_wait.shared.b64 %p1, [%r6], %rd11, 100;",
     NULL},
    {TWO_BARRIERS "mbarrier.arrive.shared.b64 %rd11, [%r6+8]; mbarrier.test_wait.shared.b64 %p1, [%r6], %rd11;",
     "waits at an mbarrier with a token that an arrival at another one returned"},
    {TWO_BARRIERS "mbarrier.test_wait.shared.b64 %p1, [%r6], 0;",
     "waits at an mbarrier with a token that no arrival of this block returned"},
    {TWO_BARRIERS "mbarrier.try_wait.shared.b64 %p1, [%r6], 1;", "that no arrival of this block returned"},
    {TWO_BARRIERS "mbarrier.try_wait.shared.b64 %p1, [%r6], 0x8000000000000000;",
     "that no arrival of this block returned"},
    {TWO_BARRIERS "mbarrier.try_wait.shared.b64 %p1, [%r6], %rd19;", "that no arrival of this block returned"},
    {TWO_BARRIERS "mbarrier.arrive.shared.b64 %rd11, [%r6]; mbarrier.test_wait.shared.b64 %p1, [%r6], %rd10;",
     "waits at an mbarrier with a token of two phases ago or more"},
    {TWO_BARRIERS "mbarrier.arrive.shared.b64 %rd11, [%r6]; mbarrier.arrive.shared.b64 %rd11, [%r6];\n"
                  "mbarrier.test_wait.shared.b64 %p1, [%r6], %rd10;",
     "waits at an mbarrier with a token of two phases ago or more"},
    {TWO_BARRIERS "mbarrier.arrive.shared.b64 %rd10, [%r6]; mbarrier.arrive.shared.b64 %rd10, [%r6];\n"
                  "mbarrier.test_wait.shared.b64 %p1, [%r6], %rd10; mbarrier.arrive.shared.b64 %rd10, [%r6];\n"
                  "mbarrier.test_wait.shared.b64 %p1, [%r6], %rd10;",
     NULL},
};

START_TEST(who_waits_with_a_state_has_it_of_this_mbarrier_and_a_late_phase)
{
    uint32_t out[256] = {0};
    struct kernel kernel = {.block = 1};
    run(&kernel, tokens[_i].body, out, tokens[_i].says ? STATUS_FAULT : STATUS_OK);
    if (tokens[_i].says)
        ck_assert_msg(strstr(kernel.diagnostic.message, tokens[_i].says) != NULL, "%s", kernel.diagnostic.message);
}
END_TEST

START_TEST(bulk_copies_complete_on_their_mbarrier_and_back)
{
    uint32_t out[256] = {0};
    struct kernel kernel = {.block = 64};
    run(&kernel,
        "mov.u32 %r9, tile; mov.u32 %r6, bar; setp.ne.u32 %p1, %r1, 0; @%p1 bra WAIT;\n"
        "mbarrier.init.shared::cta.b64 [%r6], 1; fence.mbarrier_init.release.cluster;\n"
        "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %rd10, [%r6], 256;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r9], [%rd0], 256, [%r6];\n"
        "WAIT: bar.sync 0;\n"
        "L: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r6], 0; @!%p2 bra L;\n"
        "shl.b32 %r8, %r1, 2; add.u32 %r7, %r9, %r8; ld.shared.u32 %r10, [%r7]; add.u32 %r10, %r10, 1;\n"
        "st.shared.u32 [%r7], %r10; fence.proxy.async.shared::cta; bar.sync 0; @%p1 bra END;\n"
        "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r9], 256; cp.async.bulk.commit_group;\n"
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1+256], [%r9], 128; "
        "cp.async.bulk.commit_group;\n"
        "cp.async.bulk.wait_group 0;\nEND:",
        out, STATUS_OK);
    for (uint32_t i = 0; i < 64; i++)
        ck_assert_uint_eq(out[i], 1001 + i);
    for (uint32_t i = 0; i < 32; i++)
        ck_assert_uint_eq(out[64 + i], 1001 + i);
}
END_TEST

Suite *suite_async(void)
{
    Suite *suite = suite_create("async");
    TCase *tests = tcase_create("async");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, a_copy_lands_when_its_thread_waits_and_not_before, 0, sizeof copies / sizeof *copies);
    tcase_add_loop_test(tests, bad_copies_are_faults, 0, sizeof faults / sizeof *faults);
    tcase_add_loop_test(tests, a_copy_may_read_less_than_it_writes, 0, sizeof ends / sizeof *ends);
    tcase_add_loop_test(tests, producer_and_consumer_meet_at_mbarriers, 0, 3);
    tcase_add_test(tests, states_and_pending_counts_are_kept);
    tcase_add_loop_test(tests, who_waits_with_a_state_has_it_of_this_mbarrier_and_a_late_phase, 0,
                        sizeof tokens / sizeof *tokens);
    tcase_add_test(tests, bulk_copies_complete_on_their_mbarrier_and_back);
    suite_add_tcase(suite, tests);
    return suite;
}
