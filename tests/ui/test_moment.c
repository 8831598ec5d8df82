#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ui/moment.h"

Suite *suite_moment(void);

static struct grade_report *report;

static void open_report(void)
{
    report = grade_report_new();
    report->source =
        arena_strdup(report->arena, "__shared__ float a[2][4]; __shared__ double b[3]; __shared__ char c[200];");
}

static void close_report(void)
{
    grade_report_free(report);
}

// An access of consecutive words, from `word` on; values count up from `value`.
static struct recorded_access *add(enum sim_access_kind kind, uint32_t warp, uint32_t mask, uint64_t word,
                                   uint32_t lands, uint32_t value)
{
    struct recording *recording = &report->record.recording;
    mem_reserve(&recording->items, &recording->capacity, recording->count);
    struct recorded_access *access = &recording->items[recording->count++];
    *access = (struct recorded_access){
        .kind = kind, .warp = warp, .mask = mask, .bytes = 4, .space = PTX_SHARED, .lands = lands};
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        access->addresses[lane] = 4 * (word + lane);
    if (!recorded_writes(access))
        return access;
    access->has_values = true;
    access->values = (uint32_t)recording->value_count;
    mem_reserve(&recording->values, &recording->value_capacity, recording->value_count + 128);
    for (uint32_t rest = mask; rest; rest &= rest - 1, value++) {
        memcpy(recording->values + recording->value_count, &value, 4);
        recording->value_count += 4;
    }
    return access;
}

static struct word_state word_at(size_t moment, size_t word)
{
    struct timeline time;
    size_t count;
    ck_assert(timeline_make(&time, report, moment));
    struct word_state *words = timeline_words(&time, &count), state = words[word];
    ck_assert_uint_gt(count, word);
    free(words);
    timeline_free(&time);
    return state;
}

static void expect(size_t moment, size_t word, int writer, uint32_t value, int coming)
{
    struct word_state state = word_at(moment, word);
    const struct recorded_access *items = report->record.recording.items;
    uint32_t held;
    memcpy(&held, state.bytes, 4);
    ck_assert_int_eq(state.writer ? (int)(state.writer - items) : -1, writer);
    ck_assert_int_eq(state.coming ? (int)(state.coming - items) : -1, coming);
    if (writer >= 0)
        ck_assert_uint_eq(held, value);
}

START_TEST(words_hold_what_was_written_last)
{
    add(SIM_STORE, 0, 3, 0, 0, 100);
    add(SIM_LOAD, 1, 3, 0, 1, 0);
    add(SIM_STORE, 2, 1, 1, 2, 200);
    expect(0, 0, 0, 100, -1);
    expect(0, 1, 0, 101, -1);
    expect(0, 2, -1, 0, -1);
    expect(1, 1, 0, 101, -1);
    expect(2, 1, 2, 200, -1);
    ck_assert_int_eq(word_at(0, 1).lane, 1);
    ck_assert_int_eq(word_at(2, 1).lane, 0);
}
END_TEST

START_TEST(copies_are_on_their_way_until_they_land)
{
    add(SIM_ASYNC_COPY, 0, 1, 0, 3, 7);
    add(SIM_STORE, 1, 1, 0, 1, 5);
    add(SIM_LOAD, 1, 1, 0, 2, 0);
    add(SIM_LOAD, 1, 1, 0, 3, 0);
    add(SIM_ASYNC_COPY, 0, 1, 0, UINT32_MAX, 9); // never landed
    expect(0, 0, -1, 0, 0);
    expect(1, 0, 1, 5, 0);
    expect(2, 0, 1, 5, 0);
    expect(3, 0, 0, 7, -1);
    expect(4, 0, 0, 7, 4);
}
END_TEST

START_TEST(writes_without_values_are_told_apart)
{
    add(SIM_STORE, 0, 1, 0, 0, 1);
    add(SIM_STORE, 0, 1, 0, 0, 1)->has_values = false;
    ck_assert(word_at(0, 0).known);
    ck_assert(!word_at(1, 0).known);
    ck_assert_ptr_eq(word_at(1, 0).writer, &report->record.recording.items[1]);
}
END_TEST

START_TEST(small_stores_change_their_bytes_only)
{
    add(SIM_STORE, 0, 1, 0, 0, 0x01020304);
    struct recorded_access *byte = add(SIM_STORE, 0, 1, 0, 1, 0xff);
    byte->bytes = 1;
    byte->addresses[0] = 2;
    expect(1, 0, 1, 0x01ff0304, -1);
}
END_TEST

START_TEST(arrays_keep_their_rows)
{
    struct timeline time;
    size_t words, count;
    static const struct {
        char array;
        uint32_t index;
        size_t first, words;
    } wanted[] = {{'a', 0, 0, 4}, {'a', 1, 4, 4}, {'b', 0, 8, 6}, {0, 0, 14, 2}, {'c', 0, 16, 32}, {'c', 1, 48, 18}};
    add(SIM_STORE, 0, 1, 0, 0, 1);
    ck_assert(timeline_make(&time, report, 9));
    free(timeline_words(&time, &words));
    struct word_row *rows = timeline_rows(&time, words, &count);
    ck_assert_uint_eq(count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(rows[i].array ? rows[i].array->name[0] : 0, wanted[i].array);
        ck_assert_uint_eq(rows[i].index, wanted[i].index);
        ck_assert_uint_eq(rows[i].first, wanted[i].first);
        ck_assert_uint_eq(rows[i].words, wanted[i].words);
    }
    free(rows);
    timeline_free(&time);
}
END_TEST

Suite *suite_moment(void)
{
    Suite *suite = suite_create("moment");
    TCase *tests = tcase_create("moment");
    tcase_add_checked_fixture(tests, open_report, close_report);
    tcase_add_test(tests, words_hold_what_was_written_last);
    tcase_add_test(tests, copies_are_on_their_way_until_they_land);
    tcase_add_test(tests, writes_without_values_are_told_apart);
    tcase_add_test(tests, small_stores_change_their_bytes_only);
    tcase_add_test(tests, arrays_keep_their_rows);
    suite_add_tcase(suite, tests);
    return suite;
}
