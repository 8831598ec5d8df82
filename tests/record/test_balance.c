// How the warps of a block share its work: by what an observer sees, and by a recording of the same block.
#include <check.h>
#include <math.h>

#include "../support/kernel.h"
#include "record/balance.h"

Suite *suite_balance(void);

// Four warps. %r1: the thread, %r4: its warp, %r6: its word in `place`, %rd2: in.
static const struct {
    const char *name, *body;
    double share, global, fetched, awaited;
} blocks[] = {
    {"all load", "ld.global.u32 %r7, [%rd2];", 1, 1, 1, 1},
    {"one loads", "setp.eq.u32 %p1, %r4, 2; @%p1 ld.global.u32 %r7, [%rd2];", 0.25, 0.25, 0.25, 0.25},
    {"one loads, the others only come to the barrier",
     "setp.eq.u32 %p1, %r4, 0; @%p1 ld.global.u32 %r7, [%rd2]; bar.sync 0;", 0.25, 0.25, 0.25, 0.25},
    {"one fetches, the others use shared memory",
     "setp.eq.u32 %p1, %r4, 0; @%p1 ld.global.u32 %r7, [%rd2]; @!%p1 st.shared.u32 [%r6], %r1;", 1, 0.25, 0.25, 1},
    {"one copies, which moves its bytes twice; another reads as many",
     "setp.eq.u32 %p1, %r4, 0; @%p1 cp.async.ca.shared.global [%r6], [%rd2], 4; cp.async.wait_all;"
     "setp.eq.u32 %p2, %r4, 1; @%p2 ld.global.u32 %r7, [%rd2]; @%p2 st.shared.u32 [%r6], %r7;",
     0.5, 0.5, 0.5, 0.5},
    {"one copies for all, who store",
     "setp.eq.u32 %p1, %r4, 0; @%p1 cp.async.ca.shared.global [%r6], [%rd2], 4; cp.async.wait_all;"
     "st.global.u32 [%rd2], %r7; st.global.u32 [%rd2], %r7;",
     0.625, 0.75, 0.25, 1},
    {"one brings, the others wait and use it then",
     "setp.eq.u32 %p1, %r4, 0; @%p1 ld.global.u32 %r7, [%rd2]; bar.sync 0;"
     "@!%p1 st.shared.u32 [%r6], %r1; @!%p1 st.shared.u32 [%r6], %r1;",
     0.875, 0.25, 0.25, 0.25},
    {"one brings while the others use what is there",
     "setp.eq.u32 %p1, %r4, 0; @%p1 ld.global.u32 %r7, [%rd2]; @!%p1 st.shared.u32 [%r6], %r1; bar.sync 0;"
     "st.shared.u32 [%r6], %r1;",
     1, 0.25, 0.25, 1},
    {"one lane of each", "and.b32 %r7, %r1, 31; setp.eq.u32 %p1, %r7, 0; @%p1 ld.global.u32 %r7, [%rd2];", 1, 1, 1, 1},
};

START_TEST(shares_are_what_warps_move)
{
    uint32_t in[128] = {0};
    char body[1024];
    struct balance *balance = balance_new();
    struct recorder *recorder = recorder_new(NULL, 0, 1000);
    struct sim_observer observers[] = {balance_observer(balance), recorder_observer(recorder)};
    struct recording recording;
    snprintf(body, sizeof body,
             "shr.u32 %%r4, %%r1, 5; shl.b32 %%r6, %%r1, 2; mov.u32 %%r8, place; add.u32 %%r6, %%r6, %%r8;\n%s",
             blocks[_i].body);
    struct kernel kernel = {.before = ".shared .align 4 .b8 place[512];",
                            .body = body,
                            .in = in,
                            .in_size = sizeof in,
                            .block = 128,
                            .host_threads = 1,
                            .observers = observers,
                            .observer_count = 2};
    ck_assert_msg(kernel_run(&kernel) == STATUS_OK, "%s", kernel.diagnostic.message);
    struct warp_balance seen = balance_take(balance);
    recorder_take(recorder, &recording);
    const double wanted[BALANCE_KINDS] = {blocks[_i].share, blocks[_i].global, blocks[_i].fetched, blocks[_i].awaited};
    for (int kind = 0; kind < BALANCE_KINDS; kind++) {
        double share = balance_share(&seen, (enum balance_kind)kind);
        double recorded = balance_recorded(&recording, 128, (enum balance_kind)kind);
        ck_assert_msg(fabs(share - wanted[kind]) < 1e-9, "%s, %d: %g", blocks[_i].name, kind, share);
        ck_assert_msg(fabs(recorded - wanted[kind]) < 1e-9, "%s, %d, recorded: %g", blocks[_i].name, kind, recorded);
    }
    recording.truncated = true;
    ck_assert(isnan(balance_recorded(&recording, 128, BALANCE_MOVED)));
    recording_free(&recording);
    recorder_free(recorder);
    seen = balance_take(balance);
    ck_assert(isnan(balance_share(&seen, BALANCE_MOVED)));
    balance_free(balance);
}
END_TEST

Suite *suite_balance(void)
{
    Suite *suite = suite_create("balance");
    TCase *tests = tcase_create("balance");
    tcase_add_loop_test(tests, shares_are_what_warps_move, 0, sizeof blocks / sizeof *blocks);
    suite_add_tcase(suite, tests);
    return suite;
}
