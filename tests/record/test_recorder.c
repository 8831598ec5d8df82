#include <check.h>
#include <string.h>

#include "record/recorder.h"

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
    struct recorder *recorder = recorder_new(NULL, 5, 100);
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
    observer.join(observer.context, states[1], true);
    observer.join(observer.context, states[0], true);
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
    struct recorder *recorder = recorder_new(NULL, 0, 3);
    struct sim_observer observer = recorder_observer(recorder);
    void *state = observer.fork(observer.context);
    observer.block_begin(state, &block);
    for (int i = 0; i < 5; i++)
        observer.access(state, &access);
    observer.join(observer.context, state, true);
    struct recording recording;
    recorder_take(recorder, &recording);
    recorder_free(recorder);
    ck_assert_uint_eq(recording.count, 3);
    ck_assert_uint_eq(recording.total, 5);
    ck_assert(recording.truncated);
    recording_free(&recording);
}
END_TEST

// A block's shared memory, written as the machine would do it: told first, changed afterwards.
struct scene {
    uint32_t words[64];
    struct sim_block block;
    struct recorder *recorder;
    struct sim_observer observer;
    void *state;
};

static void scene_open(struct scene *scene)
{
    *scene = (struct scene){.words = {0}};
    scene->block = (struct sim_block){
        .shape = shape, .shared = (unsigned char *)scene->words, .shared_size = sizeof scene->words};
    scene->recorder = recorder_new(NULL, 0, 100);
    scene->observer = recorder_observer(scene->recorder);
    scene->state = scene->observer.fork(scene->observer.context);
    scene->observer.block_begin(scene->state, &scene->block);
}

static void scene_access(struct scene *scene, enum sim_access_kind kind, uint32_t warp, uint32_t mask)
{
    uint64_t addresses[SIM_LANES];
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        addresses[lane] = 4 * lane;
    struct sim_access access = access_of(&scene->block, addresses, mask);
    access.kind = kind;
    access.warp = warp;
    scene->observer.access(scene->state, &access);
}

static void scene_sync(struct scene *scene, enum sim_sync_kind kind, uint32_t warp, uint32_t count)
{
    struct sim_sync sync = {.block = &scene->block, .kind = kind, .warp = warp, .mask = UINT32_MAX, .count = count};
    scene->observer.sync(scene->state, &sync);
}

static void scene_close(struct scene *scene, struct recording *recording)
{
    scene->observer.block_end(scene->state, &scene->block);
    scene->observer.join(scene->observer.context, scene->state, true);
    recorder_take(scene->recorder, recording);
    recorder_free(scene->recorder);
}

static uint32_t value_of(const struct recording *recording, size_t index, int lane)
{
    uint32_t value = 0;
    const unsigned char *at = recorded_value(recording, &recording->items[index], lane);
    ck_assert_ptr_nonnull(at);
    memcpy(&value, at, 4);
    return value;
}

START_TEST(keeps_what_memory_held_after_each_store)
{
    struct scene scene;
    struct recording recording;
    scene_open(&scene);
    scene_access(&scene, SIM_STORE, 0, 0x80000001);
    scene.words[0] = 7, scene.words[31] = 9;
    scene_access(&scene, SIM_LOAD, 1, 1);
    scene_access(&scene, SIM_ATOMIC, 1, 1);
    scene.words[0] = 8;
    scene_close(&scene, &recording);
    ck_assert_uint_eq(value_of(&recording, 0, 0), 7);
    ck_assert_uint_eq(value_of(&recording, 0, 31), 9);
    ck_assert_ptr_null(recorded_value(&recording, &recording.items[0], 1));
    ck_assert_ptr_null(recorded_value(&recording, &recording.items[1], 0));
    ck_assert_uint_eq(value_of(&recording, 2, 0), 8);
    ck_assert_uint_eq(recording.items[2].lands, 2);
    recording_free(&recording);
}
END_TEST

START_TEST(lands_copies_when_their_group_is_waited_for)
{
    struct scene scene;
    struct recording recording;
    scene_open(&scene);
    scene_access(&scene, SIM_ASYNC_COPY, 0, 1); // group 0
    scene_sync(&scene, SIM_SYNC_ASYNC_COMMIT, 0, 0);
    scene_access(&scene, SIM_ASYNC_COPY, 0, 2); // group 1
    scene_sync(&scene, SIM_SYNC_ASYNC_COMMIT, 0, 0);
    scene_access(&scene, SIM_LOAD, 1, 1);
    scene_sync(&scene, SIM_SYNC_ASYNC_WAIT, 1, 0); // another warp's wait
    scene.words[0] = 5;
    scene_sync(&scene, SIM_SYNC_ASYNC_WAIT, 0, 1); // all but one group
    scene_access(&scene, SIM_LOAD, 1, 1);
    scene_access(&scene, SIM_LOAD, 1, 1);
    scene_sync(&scene, SIM_SYNC_ASYNC_WAIT, 0, 0); // lands zeros over zeros
    scene_access(&scene, SIM_ASYNC_COPY, 0, 4);    // nobody waits for it
    scene_access(&scene, SIM_LOAD, 1, 1);
    scene_close(&scene, &recording);
    ck_assert_uint_eq(recording.items[0].lands, 3);
    ck_assert_uint_eq(value_of(&recording, 0, 0), 5);
    ck_assert_uint_eq(recording.items[1].lands, 5);
    ck_assert_uint_eq(recording.items[5].lands, 7);
    ck_assert_uint_eq(recording.total, 7);
    recording_free(&recording);
}
END_TEST

START_TEST(a_copy_is_kept_with_both_its_sides)
{
    struct scene scene;
    struct recording recording;
    uint64_t targets[SIM_LANES] = {16, 32}, sources[SIM_LANES] = {1000, 2000};
    scene_open(&scene);
    struct sim_access access = access_of(&scene.block, targets, 3);
    access.kind = SIM_ASYNC_COPY;
    access.bytes = 16;
    access.sources = sources;
    access.source_space = PTX_GLOBAL;
    access.source_bytes = 8;
    for (uint32_t mask = 0; mask <= 2; mask += 2) { // nothing is read for zeros alone
        access.source_mask = mask;
        scene.observer.access(scene.state, &access);
    }
    scene_close(&scene, &recording);
    ck_assert_uint_eq(recording.count, 3);
    ck_assert_uint_eq(recording.total, 3);
    ck_assert_int_eq(recording.items[0].space, PTX_SHARED);
    ck_assert_int_eq(recording.items[1].space, PTX_GLOBAL);
    ck_assert_uint_eq(recording.items[1].addresses[1], 2000);
    ck_assert_uint_eq(recording.items[1].mask, 2);
    ck_assert_uint_eq(recording.items[1].bytes, 8);
    ck_assert(!recording.items[1].has_values);
    ck_assert_int_eq(recording.items[2].space, PTX_SHARED);
    ck_assert_uint_eq(recording.items[2].addresses[1], 32);
    ck_assert_uint_eq(recording.items[2].bytes, 16);
    recording_free(&recording);
}
END_TEST

START_TEST(keeps_no_values_outside_the_blocks_memory)
{
    struct scene scene;
    struct recording recording;
    scene_open(&scene);
    scene.block.shared_size = 8;
    scene_access(&scene, SIM_STORE, 0, 7);
    scene_close(&scene, &recording);
    ck_assert(!recording.items[0].has_values);
    recording_free(&recording);
}
END_TEST

Suite *suite_recorder(void)
{
    Suite *suite = suite_create("recorder");
    TCase *tests = tcase_create("recorder");
    tcase_add_test(tests, keeps_the_chosen_block_in_order_with_its_phases);
    tcase_add_test(tests, stops_at_its_bound_and_says_so);
    tcase_add_test(tests, keeps_what_memory_held_after_each_store);
    tcase_add_test(tests, lands_copies_when_their_group_is_waited_for);
    tcase_add_test(tests, a_copy_is_kept_with_both_its_sides);
    tcase_add_test(tests, keeps_no_values_outside_the_blocks_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
