// What the replay saw: kept within its bounds, told by a worker, and true of kernels that are known to overlap or not.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grade/inquiry.h"
#include "record/replay_json.h"

Suite *suite_timeline(void);

static uint32_t same_line(const void *context, uint32_t pc)
{
    (void)context;
    return pc;
}

START_TEST(neighbours_that_say_the_same_become_one)
{
    struct replay_log log;
    replay_log_begin(&log);
    uint32_t row = replay_log_row(&log, 0, 0);
    replay_log_span(&log, row, 0, 4, STATE_MATH, 7);
    replay_log_span(&log, row, 5, 9, STATE_MATH, 8);
    replay_log_span(&log, row, 9, 10, STATE_OTHER, 9); // a little of another kind of work
    replay_log_span(&log, row, 10, 30, STATE_MATH, 8);
    replay_log_span(&log, row, 30, 90, STATE_WAIT_DRAM, 8);
    replay_log_span(&log, row, 90, 90, STATE_WAIT_SHARED, 8); // no time at all
    replay_log_span(&log, row, 90, 91, STATE_SHARED, 11);
    replay_log_end(&log, same_line, NULL);
    ck_assert_uint_eq(log.span_count, 3);
    ck_assert_uint_eq(log.spans[0].end, 30);
    ck_assert_uint_eq(log.spans[0].line, 7);
    ck_assert_int_eq(log.spans[1].state, STATE_WAIT_DRAM);
    ck_assert_uint_eq(log.spans[2].start, 90);
    ck_assert(log.complete);
    ck_assert_uint_eq(log.cycles, 91);
    replay_log_free(&log);
}
END_TEST

START_TEST(stages_are_told_apart_by_place_and_by_barrier)
{
    struct replay_log log;
    replay_log_begin(&log);
    uint32_t row = replay_log_row(&log, 0, 0);
    replay_log_place(&log, row, 10, 500, USE_COPY, 0, 512, 1);
    replay_log_place(&log, row, 11, 520, USE_COPY, 512, 512, 1);   // next to it, at once
    replay_log_place(&log, row, 12, 530, USE_COPY, 16384, 512, 1); // another array
    replay_log_place(&log, row, 14, 20, USE_READ, 512, 128, 1);    // another use
    replay_log_pause(&log, row);
    replay_log_place(&log, row, 30, 600, USE_COPY, 1024, 512, 1); // next to the first, behind a barrier
    replay_log_end(&log, same_line, NULL);
    ck_assert_uint_eq(log.place_count, 4);
    ck_assert_uint_eq(log.places[0].last, 1024);
    ck_assert_uint_eq(log.places[0].end, 520);
    ck_assert_uint_eq(log.places[3].first, 1024);
    replay_log_free(&log);
}
END_TEST

// What a warp stores to a ring of four stages: one instruction each, unrolled; or one that goes round a loop.
START_TEST(stages_that_are_filled_one_after_another_stay_apart)
{
    struct replay_log log;
    replay_log_begin(&log);
    uint32_t row = replay_log_row(&log, 0, 0);
    for (uint32_t stage = 0; stage < 4; stage++)
        replay_log_place(&log, row, 100 + 2 * stage, 101 + 2 * stage, USE_WRITE, 128 * stage, 128, 10 + stage);
    ck_assert_uint_eq(log.place_count, 4);
    for (uint32_t stage = 0; stage < 4; stage++)
        replay_log_place(&log, row, 1000 + 200 * stage, 1001 + 200 * stage, USE_WRITE, 128 * stage, 128, 20);
    ck_assert_uint_eq(log.place_count, 6);
    ck_assert_uint_eq(log.places[4].last, 256);
    ck_assert_uint_eq(log.places[5].first, 256);
    for (uint32_t step = 0; step < 100; step++) // all eight warps' parts of a stage, of which this is one warp's
        replay_log_place(&log, row, 3000 + 20 * step, 3010 + 20 * step, USE_READ, 1024 * (step / 25), 128, 30);
    ck_assert_uint_eq(log.place_count, 10);
    for (uint32_t stage = 0; stage < 4; stage++) {
        ck_assert_uint_eq(log.places[6 + stage].last - log.places[6 + stage].first, 128);
        ck_assert_uint_eq(log.places[6 + stage].end, 3010 + 20 * (25 * stage + 24));
    }
    replay_log_end(&log, same_line, NULL);
    replay_log_free(&log);
}
END_TEST

START_TEST(a_full_log_says_up_to_where)
{
    struct replay_log log;
    replay_log_begin(&log);
    uint32_t row = replay_log_row(&log, 0, 0);
    for (uint32_t i = 0; i <= REPLAY_LOG_SPANS; i++)
        replay_log_span(&log, row, 20.0 * i, 20.0 * i + 10, i % 2 ? STATE_MATH : STATE_WAIT_DRAM, 1);
    ck_assert(!log.complete);
    ck_assert_uint_eq(log.span_count, REPLAY_LOG_SPANS);
    ck_assert_uint_eq(log.cycles, 20u * REPLAY_LOG_SPANS);
    ck_assert_uint_eq(replay_log_row(&log, 1, 0), UINT32_MAX);
    replay_log_span(&log, row, 1e8, 2e8, STATE_MATH, 1);
    ck_assert_uint_eq(log.span_count, REPLAY_LOG_SPANS);
    replay_log_end(&log, same_line, NULL);
    replay_log_free(&log);
}
END_TEST

START_TEST(pipes_keep_their_sum_when_columns_grow_wider)
{
    struct replay_log log;
    double busy[REPLAY_LOADS] = {0}, sum = 0;
    replay_log_begin(&log);
    for (int i = 0; i < 5000; i++) {
        busy[LOAD_SHARED] += 0.5;
        replay_log_load(&log, i, busy);
    }
    ck_assert_uint_eq(log.bin_cycles, 8);
    for (int bin = 0; bin < REPLAY_LOG_BINS; bin++)
        sum += (double)log.loads[bin][LOAD_SHARED];
    ck_assert_double_eq_tol(sum, 2500, 0.01);
    ck_assert_double_eq_tol((double)log.loads[3][LOAD_SHARED], 4, 0.01);
    replay_log_free(&log);
}
END_TEST

START_TEST(a_log_comes_back_from_json_and_garbage_does_not)
{
    struct replay_log log, back;
    replay_log_begin(&log);
    uint32_t row = replay_log_row(&log, 3, 2);
    replay_log_span(&log, row, 100, 140, STATE_WAIT_COPIES, 12);
    replay_log_place(&log, row, 90, 140, USE_COPY, 64, 16, 1);
    replay_log_load(&log, 90, (double[REPLAY_LOADS]){[LOAD_DRAM] = 0.25});
    replay_log_end(&log, same_line, NULL);
    log.us = 12.5;
    json_t *json = replay_log_json(&log);
    replay_log_own.read(NULL, json, &back);
    ck_assert_uint_eq(back.row_count, 1);
    ck_assert_uint_eq(back.rows[0].block, 3);
    ck_assert_uint_eq(back.rows[0].warp, 2);
    ck_assert_uint_eq(back.spans[0].line, 12);
    ck_assert_int_eq(back.spans[0].state, STATE_WAIT_COPIES);
    ck_assert_uint_eq(back.places[0].last, 80);
    ck_assert_double_eq(back.us, 12.5);
    ck_assert_double_eq_tol((double)back.loads[90][LOAD_DRAM], 0.25, 0.01);
    replay_log_free(&back);
    json_array_append_new(json_object_get(json, "spans"), json_string("x"));
    json_object_set_new(json, "rows", json_string("none"));
    json_object_set_new(json, "cycles", json_real(1e300));
    json_object_set_new(json, "bin_cycles", json_integer(-4));
    replay_log_own.read(NULL, json, &back);
    ck_assert_uint_eq(back.row_count, 0);
    ck_assert_uint_eq(back.span_count, 0); // of no row
    ck_assert_uint_eq(back.place_count, 0);
    ck_assert_uint_ge(back.bin_cycles, 1);
    replay_log_free(&back);
    replay_log_free(&log);
    json_decref(json);
}
END_TEST

// ---- true of kernels

static void no_progress(void *context, enum grade_phase phase, const char *detail, double seconds)
{
    (void)context;
    (void)phase;
    (void)detail;
    (void)seconds;
}

static void draw(const char *source, struct replay_log *log)
{
    struct lesson *lesson;
    struct diagnostic diagnostic = {0};
    struct grade_options options = {.source = source, .device = "sim", .compiler = "auto", .gpu = -1, .seed = 1};
    struct record_request request = {.part = 0};
    ck_assert_msg(lesson_load("lessons/09-double-buffering", NULL, &lesson, &diagnostic) == STATUS_OK, "%s",
                  diagnostic.message);
    ck_assert_msg(grade_timeline(lesson, &options, &request, no_progress, NULL, log, &diagnostic) == STATUS_OK, "%s",
                  diagnostic.message);
    lesson_free(lesson);
}

// The share of its copies' time in which a warp computes or reads, all warps together.
static double overlap_of(const struct replay_log *log)
{
    double under_way = 0, working = 0;
    unsigned char *copying = calloc(log->cycles + 1, 1);
    for (uint32_t row = 0; row < log->row_count; row++) {
        memset(copying, 0, log->cycles + 1);
        for (size_t i = 0; i < log->place_count; i++) {
            const struct replay_place *place = &log->places[i];
            if (place->row == row && place->use == USE_COPY)
                for (uint32_t cycle = place->start; cycle < place->end && cycle < log->cycles; cycle++)
                    copying[cycle] = 1;
        }
        for (uint32_t cycle = 0; cycle < log->cycles; cycle++)
            under_way += copying[cycle];
        for (size_t i = 0; i < log->span_count; i++) {
            const struct replay_span *span = &log->spans[i];
            if (span->row == row && (span->state == STATE_MATH || span->state == STATE_SHARED))
                for (uint32_t cycle = span->start; cycle < span->end && cycle < log->cycles; cycle++)
                    working += copying[cycle];
        }
    }
    free(copying);
    return working / under_way;
}

static uint32_t longest(const struct replay_log *log, enum replay_state state)
{
    uint32_t most = 0;
    for (size_t i = 0; i < log->span_count; i++)
        if (log->spans[i].state == state && log->spans[i].end - log->spans[i].start > most)
            most = log->spans[i].end - log->spans[i].start;
    return most;
}

// Hundreds of cycles that end in one without a free slot are still a wait for what came.
START_TEST(a_long_wait_is_told_as_what_it_is_for)
{
    struct replay_log log;
    draw("lessons/09-double-buffering/starter.cu", &log);
    ck_assert_uint_gt(longest(&log, STATE_WAIT_COPIES), 500);
    // Addresses take up to 402 cycles (clang 14, registers estimated), the wait 1165.
    ck_assert_uint_lt(2 * longest(&log, STATE_OTHER), longest(&log, STATE_WAIT_COPIES));
    replay_log_free(&log);
}
END_TEST

// One place for a tile: its copies must be there before anybody computes. Three places: they fly while the product goes
// on.
START_TEST(the_second_buffer_is_seen_to_overlap)
{
    struct replay_log one, several;
    draw("lessons/09-double-buffering/starter.cu", &one);
    draw("solutions/09-double-buffering.cu", &several);
    ck_assert_uint_gt(one.span_count, 1000);
    ck_assert_str_ne(one.gpu, "");
    ck_assert_double_gt(one.us, several.us);
    double single = overlap_of(&one), staged = overlap_of(&several);
    ck_assert_msg(single < 0.1, "one place: %.2f of the copies' time is used", single);
    ck_assert_msg(staged > 0.3, "several places: %.2f of the copies' time is used", staged);
    replay_log_free(&one);
    replay_log_free(&several);
}
END_TEST

START_TEST(the_same_run_gives_the_same_timeline)
{
    struct replay_log first, second;
    draw("solutions/09-double-buffering.cu", &first);
    draw("solutions/09-double-buffering.cu", &second);
    json_t *a = replay_log_json(&first), *b = replay_log_json(&second);
    ck_assert(json_equal(a, b));
    json_decref(a);
    json_decref(b);
    replay_log_free(&first);
    replay_log_free(&second);
}
END_TEST

Suite *suite_timeline(void)
{
    Suite *suite = suite_create("timeline");
    TCase *tcase = tcase_create("log");
    tcase_add_test(tcase, neighbours_that_say_the_same_become_one);
    tcase_add_test(tcase, stages_are_told_apart_by_place_and_by_barrier);
    tcase_add_test(tcase, stages_that_are_filled_one_after_another_stay_apart);
    tcase_add_test(tcase, a_full_log_says_up_to_where);
    tcase_add_test(tcase, pipes_keep_their_sum_when_columns_grow_wider);
    tcase_add_test(tcase, a_log_comes_back_from_json_and_garbage_does_not);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("kernels");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, the_second_buffer_is_seen_to_overlap);
    tcase_add_test(tcase, a_long_wait_is_told_as_what_it_is_for);
    tcase_add_test(tcase, the_same_run_gives_the_same_timeline);
    suite_add_tcase(suite, tcase);
    return suite;
}
