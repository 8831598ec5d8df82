// What an autograder hands back to a course system.
#include "course/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "course/course.h"
#include "grade/report.h"

enum { METADATA_MAX_BYTES = 64 << 20 };

// Ours in extra_data, which Gradescope keeps with a submission and gives back with the next one.
static const char own_key[] = "bankshot", counts_key[] = "attempt";

// ---- what Gradescope tells

// ISO 8601 with seconds, a fraction or none, and Z or an offset: "2018-07-01T14:22:32.365935-07:00".
static bool read_time(const char *text, double *seconds)
{
    struct tm date = {0};
    int used = 0, hours, minutes;
    char sign, *rest;
    if (!text || sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &date.tm_year, &date.tm_mon, &date.tm_mday, &date.tm_hour,
                        &date.tm_min, &date.tm_sec, &used) != 6)
        return false;
    date.tm_year -= 1900;
    date.tm_mon--;
    *seconds = (double)timegm(&date) + (text[used] == '.' ? strtod(text + used, &rest) : 0);
    text = text[used] == '.' ? rest : text + used;
    if (strcmp(text, "Z") == 0)
        return true;
    if (sscanf(text, "%c%2d:%2d%n", &sign, &hours, &minutes, &used) != 3 || text[used] || !strchr("+-", sign))
        return false;
    *seconds -= (sign == '-' ? -60.0 : 60.0) * (hours * 60 + minutes);
    return true;
}

static bool read_time_of(const json_t *object, const char *key, double *seconds)
{
    return read_time(json_string_value(json_object_get(object, key)), seconds);
}

// due_date of an assignment; false: it is there and no date.
static bool read_due_date(const json_t *assignment, double *due)
{
    const json_t *date = json_object_get(assignment, "due_date");
    *due = NAN;
    return !date || json_is_null(date) || read_time(json_string_value(date), due);
}

static bool read_latest_due(const json_t *metadata, double *due)
{
    const json_t *users = json_object_get(metadata, "users");
    bool has_own = false;
    double latest = -INFINITY, own;
    for (size_t i = 0; i < json_array_size(users); i++) {
        const json_t *assignment = json_object_get(json_array_get(users, i), "assignment");
        if (!assignment)
            continue;
        if (!read_due_date(assignment, &own))
            return false;
        has_own = true;
        latest = isnan(own) || isnan(latest) ? NAN : fmax(latest, own);
    }
    if (!has_own)
        return read_due_date(json_object_get(metadata, "assignment"), due);
    *due = latest;
    return true;
}

// Whoever met a fault of the machine, or was told that no attempt is left, has used none.
static bool was_attempt(const json_t *results)
{
    const json_t *own = json_object_get(json_object_get(results, "extra_data"), own_key);
    return json_is_true(json_object_get(own, counts_key));
}

// The "score" of a submission: a number, also as text ("50.0"). NaN: it is none.
static double score_told(const json_t *score)
{
    const char *text = json_string_value(score);
    char *end = NULL;
    double value = text ? strtod(text, &end) : json_is_number(score) ? json_number_value(score) : NAN;
    return isfinite(value) && (!text || (end != text && !*end)) ? value : NAN;
}

// What Gradescope takes points from.
static bool has_points(const json_t *results)
{
    return json_is_number(json_object_get(results, "score")) || json_array_size(json_object_get(results, "tests"));
}

static void count_attempts(struct results_submission *submission)
{
    const json_t *before = json_object_get(submission->metadata, "previous_submissions");
    double latest = -INFINITY;
    for (size_t i = 0; i < json_array_size(before); i++) {
        const json_t *one = json_array_get(before, i), *results = json_object_get(one, "results");
        double when = latest, score = score_told(json_object_get(one, "score"));
        if (!was_attempt(results) || (!has_points(results) && isnan(score))) // points that nobody knows cannot stay
            continue;
        submission->attempts++;
        if (!read_time_of(one, "submission_time", &when) || when >= latest) {
            submission->last = results;
            submission->last_score = score;
            latest = when;
        }
    }
}

enum status results_read_submission(const char *path, struct results_submission *submission,
                                    struct diagnostic *diagnostic)
{
    char *text;
    size_t length;
    json_error_t error;
    *submission = (struct results_submission){.due = NAN, .last_score = NAN};
    enum status status = file_read(path, METADATA_MAX_BYTES, &text, &length, diagnostic);
    if (status != STATUS_OK)
        return status;
    submission->metadata = json_loadb(text, length, 0, &error);
    free(text);
    if (!submission->metadata)
        return diagnostic_at(diagnostic, STATUS_PARSE, path, error.line, error.column, "not JSON: %s", error.text);
    const char *off = !read_time_of(submission->metadata, "created_at", &submission->handed_in) ? "created_at"
                      : !read_latest_due(submission->metadata, &submission->due)                ? "due_date"
                                                                                                : NULL;
    if (off) {
        results_free_submission(submission);
        return diagnostic_at(diagnostic, STATUS_PARSE, path, 0, 0,
                             "\"%s\" is not a time like 2018-07-01T14:22:32.365935-07:00.", off);
    }
    count_attempts(submission);
    return STATUS_OK;
}

void results_free_submission(struct results_submission *submission)
{
    json_decref(submission->metadata);
    *submission = (struct results_submission){0};
}

int results_days_late(const struct results_submission *submission)
{
    return course_days_late(submission ? submission->handed_in - submission->due : 0);
}

bool results_attempts_used(const struct results_submission *submission, const struct results_policy *policy)
{
    return submission && submission->last && policy->attempts && submission->attempts >= policy->attempts;
}

// ---- Gradescope

static double to_points(double value)
{
    return round(value * 1e4) / 1e4;
}

static double value_of_key(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static void say_lateness(struct text *out, int days, double share)
{
    if (days && share < 1)
        text_printf(out, "Handed in late, on day %d after the due date: %.4g %% of the points count.\n", days,
                    100 * share);
    else if (days)
        text_printf(out, "Handed in late, on day %d after the due date.\n", days);
}

static void say_attempts(struct text *out, const struct results_policy *policy, int used)
{
    if (policy->attempts)
        text_printf(out, "Attempt %d of %d.\n", used, policy->attempts);
}

static void say_verdicts(struct text *out, struct grade_report *const *reports, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char verdict[160];
        text_printf(out, "%s: %s.%s%s\n", reports[i]->lesson_id, report_verdict(reports[i], verdict, sizeof verdict),
                    reports[i]->next[0] ? " " : "", reports[i]->next);
    }
}

static void add_place(json_t *board, size_t count, const char *lesson, const char *what, double value,
                      const char *order)
{
    char name[160];
    snprintf(name, sizeof name, "%s%s%.80s", count > 1 ? lesson : "", count > 1 ? ": " : "", what);
    if (isfinite(value) && value > 0)
        json_array_append_new(board, json_pack("{s:s, s:f, s:s}", "name", name, "value", value, "order", order));
}

// Only what passed: whoever skips the work is quick.
static json_t *leaderboard(struct grade_report *const *reports, size_t count)
{
    json_t *board = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct grade_report *report = reports[i];
        bool measured = report->measured.kernel > 0;
        char clock[160];
        if (report->verdict != VERDICT_PASS)
            continue;
        snprintf(clock, sizeof clock, measured ? "measured microseconds (%.96s)" : "modelled microseconds",
                 report->gpu);
        add_place(board, count, report->lesson_id, "score", report->score, "desc");
        add_place(board, count, report->lesson_id, clock, measured ? report->measured.kernel : report->modelled.kernel,
                  "asc");
        add_place(board, count, report->lesson_id, "shared wavefronts",
                  (double)counters_shared(&report->record.counters.compiled).wavefronts, "asc");
    }
    return board;
}

static json_t *extra_data(struct grade_report *const *reports, size_t count, double score, int days)
{
    json_t *lessons = json_object();
    for (size_t i = 0; i < count; i++)
        json_object_set_new(lessons, reports[i]->lesson_id,
                            json_pack("{s:s, s:f, s:s, s:I, s:o}", "verdict", verdict_name(reports[i]->verdict),
                                      "score", reports[i]->score, "diagnosis", reports[i]->diagnosis, "seed",
                                      (json_int_t)reports[i]->seed, "compiler", fields_string(reports[i]->compiler)));
    return json_pack("{s:{s:b, s:f, s:i, s:o}}", own_key, counts_key, 1, "score_before_lateness", score, "days_late",
                     days, "lessons", lessons);
}

// Scales the tests to the points that are given for all; returns what they got.
static double scale_tests(json_t *tests, double scale)
{
    double sum = 0;
    for (size_t i = 0; i < json_array_size(tests); i++) {
        json_t *test = json_array_get(tests, i);
        double score = scale * value_of_key(test, "score");
        json_object_set_new(test, "score", json_real(to_points(score)));
        json_object_set_new(test, "max_score", json_real(to_points(scale * value_of_key(test, "max_score"))));
        sum += score;
    }
    return sum;
}

static bool is_open(const struct results_policy *policy)
{
    return !policy->visibility || strcmp(policy->visibility, "visible") == 0;
}

json_t *results_gradescope(struct grade_report *const *reports, size_t count, const struct results_policy *policy,
                           const struct results_submission *submission)
{
    json_t *results = report_gradescope(reports, count);
    double scale = policy->points && count ? policy->points / (100.0 * (double)count) : 1;
    double score = scale_tests(json_object_get(results, "tests"), scale);
    int days = results_days_late(submission);
    double share = course_late_share(days, policy->late_days, policy->late_penalty);
    struct text said = {0};
    if (is_open(policy)) // "output" is shown whatever the tests' visibility is
        say_verdicts(&said, reports, count);
    say_lateness(&said, days, share);
    say_attempts(&said, policy, submission ? submission->attempts + 1 : 1);
    json_object_set_new(results, "score", json_real(to_points(score * share)));
    json_object_set_new(results, "output", fields_string(text_get(&said)));
    json_object_set_new(results, "visibility", json_string(policy->visibility ? policy->visibility : "visible"));
    json_object_set_new(results, "stdout_visibility",
                        json_string(policy->stdout_visibility ? policy->stdout_visibility : "hidden"));
    json_object_set_new(results, "extra_data", extra_data(reports, count, to_points(score), days));
    if (policy->leaderboard)
        json_object_set_new(results, "leaderboard", leaderboard(reports, count));
    text_free(&said);
    return results;
}

json_t *results_gradescope_again(const struct results_policy *policy, const struct results_submission *submission)
{
    json_t *results = json_deep_copy(submission->last);
    json_t *own = json_object_get(json_object_get(results, "extra_data"), own_key);
    struct text said = {0};
    text_printf(&said,
                "This was not graded: all %d attempts are used. The points are those of your last graded attempt.\n",
                policy->attempts);
    if (!has_points(results))
        json_object_set_new(results, "score", json_real(submission->last_score));
    json_object_set_new(results, "output", json_string(text_get(&said)));
    json_object_set_new(own, counts_key, json_false());
    text_free(&said);
    return results;
}

// ---- Classroom 50

json_t *results_classroom50(struct grade_report *const *reports, size_t count)
{
    json_t *graded = report_gradescope(reports, count), *tests = json_array();
    long score = 0, most = 0;
    double share = 0;
    for (size_t i = 0; i < json_array_size(json_object_get(graded, "tests")); i++) {
        const json_t *test = json_array_get(json_object_get(graded, "tests"), i);
        double of = value_of_key(test, "max_score");
        share += of;
        long own_most = lround(share) - most;
        long own = of > 0 ? lround((double)own_most * value_of_key(test, "score") / of) : 0;
        json_array_append_new(tests,
                              json_pack("{s:O, s:b, s:I, s:I, s:O}", "test-name", json_object_get(test, "name"),
                                        "passed", !strcmp(json_string_value(json_object_get(test, "status")), "passed"),
                                        "score", (json_int_t)own, "max-score", (json_int_t)own_most, "output",
                                        json_object_get(test, "output")));
        score += own;
        most += own_most;
    }
    json_decref(graded);
    return json_pack("{s:I, s:I, s:o}", "score", (json_int_t)score, "max-score", (json_int_t)most, "tests", tests);
}
