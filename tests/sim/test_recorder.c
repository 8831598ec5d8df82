#include <check.h>

#include "sim/recorder.h"

Suite *suite_recorder(void);

static const uint32_t shape[3] = {64, 1, 1};

static struct sim_access access_of(const struct sim_block *block, const uint64_t addresses[SIM_LANES], uint32_t mask)
{
    return (struct sim_access){.block = block,
                               .warp = 1,
                               .pc = 7,
                               .step = 9,
                               .mask = mask,
                               .kind = SIM_STORE,
                               .space = PTX_SHARED,
                               .bytes = 4,
                               .addresses = addresses};
}

START_TEST(keeps_the_chosen_block_in_order_with_its_phases)
{
    struct sim_block blocks[2] = {{.linear = 4, .index = {4}, .shape = shape},
                                  {.linear = 5, .index = {2, 1}, .shape = shape}};
    uint64_t addresses[SIM_LANES] = {100, 200, 300};
    struct recorder *recorder = recorder_new(5, 100);
    struct sim_observer observer = recorder_observer(recorder);
    void *states[2] = {observer.fork(observer.context), observer.fork(observer.context)};
    for (int i = 0; i < 2; i++) {
        struct sim_access access = access_of(&blocks[i], addresses, 5);
        struct sim_sync sync = {.block = &blocks[i], .kind = SIM_SYNC_COMPLETE};
        observer.block_begin(states[i], &blocks[i]);
        observer.access(states[i], &access);
        observer.sync(states[i], &sync);
        access.mask = 2;
        observer.access(states[i], &access);
    }
    observer.join(observer.context, states[1]);
    observer.join(observer.context, states[0]);
    struct recording recording;
    recorder_take(recorder, &recording);
    recorder_free(recorder);
    ck_assert_uint_eq(recording.block[0], 2);
    ck_assert_uint_eq(recording.block[1], 1);
    ck_assert_uint_eq(recording.count, 2);
    ck_assert(!recording.truncated);
    ck_assert_uint_eq(recording.items[0].phase, 0);
    ck_assert_uint_eq(recording.items[1].phase, 1);
    ck_assert_uint_eq(recording.items[0].addresses[0], 100);
    ck_assert_uint_eq(recording.items[0].addresses[1], 0);
    ck_assert_uint_eq(recording.items[0].addresses[2], 300);
    ck_assert_uint_eq(recording.items[1].addresses[1], 200);
    ck_assert_uint_eq(recording.items[1].step, 9);
    recording_free(&recording);
}
END_TEST

START_TEST(stops_at_its_bound_and_says_so)
{
    struct sim_block block = {.linear = 0, .shape = shape};
    uint64_t addresses[SIM_LANES] = {0};
    struct sim_access access = access_of(&block, addresses, 1);
    struct recorder *recorder = recorder_new(0, 3);
    struct sim_observer observer = recorder_observer(recorder);
    void *state = observer.fork(observer.context);
    observer.block_begin(state, &block);
    for (int i = 0; i < 5; i++)
        observer.access(state, &access);
    observer.join(observer.context, state);
    struct recording recording;
    recorder_take(recorder, &recording);
    recorder_free(recorder);
    ck_assert_uint_eq(recording.count, 3);
    ck_assert(recording.truncated);
    recording_free(&recording);
}
END_TEST

Suite *suite_recorder(void)
{
    Suite *suite = suite_create("recorder");
    TCase *tests = tcase_create("recorder");
    tcase_add_test(tests, keeps_the_chosen_block_in_order_with_its_phases);
    tcase_add_test(tests, stops_at_its_bound_and_says_so);
    suite_add_tcase(suite, tests);
    return suite;
}
