// Copies that are waited for at once, told from those that work goes on beside.
#include <check.h>

#include "../support/kernel.h"
#include "record/waits.h"

Suite *suite_waits(void);

enum { ROUNDS = 10, BYTES = 32 * 4 * ROUNDS }; // of one warp's copies

// Ten rounds, each with a copy to one place, and with six reads of shared memory.
static const struct {
    const char *name, *round;
    uint64_t at_once, arrivals, barriers;
} loops[] = {
    {"waited for, then read", "COPY cp.async.commit_group; cp.async.wait_group 0; READ READ READ READ READ READ",
     BYTES - 128, 10, 0},
    {"read, then waited for", "COPY cp.async.commit_group; READ READ READ READ READ READ cp.async.wait_group 0;", 0, 10,
     0},
    {"waited for behind a sixth of the reads",
     "COPY cp.async.commit_group; READ cp.async.wait_group 0; READ READ READ READ READ", 0, 10, 0},
    {"the wait leaves the last group alone",
     "COPY cp.async.commit_group; cp.async.wait_group 1; READ READ READ READ READ READ", 0, 9, 0},
    {"all are waited for, without a group", "COPY cp.async.wait_all; READ READ READ READ READ READ", BYTES - 128, 10,
     0},
    {"two barriers a step", "COPY bar.sync 0; READ READ READ READ READ READ cp.async.wait_all; bar.sync 0;", 0, 10, 20},
    {"an mbarrier counts them, which is waited at at once",
     "COPY cp.async.mbarrier.arrive.noinc.shared.b64 [%r9]; WAIT READ READ READ READ READ READ", BYTES - 128, 10, 0},
    {"nobody waits", "COPY READ READ READ READ READ READ", 0, 0, 0},
    {"nobody reads", "COPY cp.async.wait_all;", 0, 10, 0},
    {"zeros from nowhere",
     "cp.async.ca.shared.global [%r6], [%rd2], 4, 0; cp.async.wait_all; READ READ READ READ READ READ", 0, 0, 0},
};

// COPY, READ and WAIT stand for instructions.
static void write_round(struct text *body, const char *round)
{
    for (const char *at = round; *at; at++) {
        bool copies = text_starts(at, "COPY"), reads = text_starts(at, "READ"), waits = text_starts(at, "WAIT");
        if (copies)
            text_puts(body, "cp.async.ca.shared.global [%r6], [%rd2], 4;");
        else if (waits)
            text_puts(body, "mbarrier.test_wait.parity.shared.b64 %p2, [%r9], %r10; xor.b32 %r10, %r10, 1;");
        else if (reads)
            text_puts(body, "ld.volatile.shared.u32 %r7, [%r6];");
        else
            text_append(body, at, 1);
        at += copies || reads || waits ? 3 : 0;
    }
}

START_TEST(copies_are_told_apart)
{
    uint32_t in[32] = {0};
    struct text body = {0};
    struct waits *waits = waits_new();
    struct sim_observer observer = waits_observer(waits);
    text_puts(&body,
              "shl.b32 %r6, %r1, 2; mov.u32 %r8, place; add.u32 %r6, %r6, %r8; mov.u32 %r5, 10; mov.u32 %r9, done;"
              "mov.u32 %r10, 0; setp.eq.u32 %p3, %r1, 0; @%p3 mbarrier.init.shared.b64 [%r9], 32;\nL:\n");
    write_round(&body, loops[_i].round);
    text_puts(&body, "\nsub.u32 %r5, %r5, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra L;");
    struct kernel kernel = {.before = ".shared .align 4 .b8 place[128]; .shared .align 8 .b64 done;",
                            .body = text_get(&body),
                            .in = in,
                            .in_size = sizeof in,
                            .host_threads = 1,
                            .observers = &observer,
                            .observer_count = 1};
    ck_assert_msg(kernel_run(&kernel) == STATUS_OK, "%s", kernel.diagnostic.message);
    struct copy_waits seen = waits_take(waits);
    ck_assert_msg(seen.at_once == loops[_i].at_once && seen.arrivals == loops[_i].arrivals &&
                      seen.barriers == loops[_i].barriers,
                  "%s: %llu bytes, %llu arrivals, %llu barriers", loops[_i].name, (unsigned long long)seen.at_once,
                  (unsigned long long)seen.arrivals, (unsigned long long)seen.barriers);
    ck_assert_uint_eq(waits_take(waits).at_once, 0);
    waits_free(waits);
    text_free(&body);
}
END_TEST

Suite *suite_waits(void)
{
    Suite *suite = suite_create("waits");
    TCase *tests = tcase_create("waits");
    tcase_add_loop_test(tests, copies_are_told_apart, 0, sizeof loops / sizeof *loops);
    suite_add_tcase(suite, tests);
    return suite;
}
