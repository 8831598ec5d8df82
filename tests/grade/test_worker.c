#include <check.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "grade/worker.h"

Suite *suite_worker(void);

static char root[64], program[96];
static const struct lesson lesson = {.id = "04-padding", .directory = "/nonexistent", .exercise = "/nonexistent/x.cu"};

static void make_root(void)
{
    snprintf(root, sizeof root, "/tmp/bankshot-worker-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    snprintf(program, sizeof program, "%.63s/worker", root);
    grade_worker_set_program(program);
}

static void remove_root(void)
{
    char command[128];
    grade_worker_set_program(NULL);
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    ck_assert_int_eq(system(command), 0);
}

// A worker that is a shell script.
static void fake(const char *script)
{
    char text[2048];
    int length = snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script);
    ck_assert_int_eq(file_write(program, text, (size_t)length, NULL), STATUS_OK);
    ck_assert_int_eq(chmod(program, 0700), 0);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

#define REPORT(verdict) "{\"event\":\"report\",\"report\":{\"format\":1,\"verdict\":\"" verdict "\",\"score\":50}}"

static const struct {
    const char *script;
    double wall_limit;
    enum verdict verdict;
    const char *says;
} workers[] = {
    {"exit 0", 10, VERDICT_CRASH, "exit status 0"},
    {"exit 7", 10, VERDICT_CRASH, "exit status 7"},
    {"kill -SEGV $$", 10, VERDICT_CRASH, "signal 11"},
    {"echo oops >&2; exit 1", 10, VERDICT_CRASH, "It said: oops"},
    {"printf '\\033[31mred' >&2; exit 1", 10, VERDICT_CRASH, "\\x1b[31mred"},
    // three, so that they get their share of a busy machine
    {"while :; do :; done & while :; do :; done & while :; do :; done", 1, VERDICT_TIMEOUT, "does not end"},
    {"sleep 100 & for i in 1 2 3; do while :; do :; done & done; while :; do :; done", 1, VERDICT_TIMEOUT,
     "does not end"},
    // what no kernel can do is the machine's
    {"sleep 100", 0.3, VERDICT_INFRASTRUCTURE, "too busy"},
    {"kill -KILL $$", 10, VERDICT_INFRASTRUCTURE, "ran out of memory"},
    {"kill -TERM $$", 10, VERDICT_INFRASTRUCTURE, "killed from outside"},
    {"kill -KILL $PPID", 10, VERDICT_INFRASTRUCTURE, "killed from outside"},
    {"echo 'bankshot: out of memory (5 bytes wanted)' >&2; exit 2", 10, VERDICT_INFRASTRUCTURE, "no memory left"},
    {"exit 3", 10, VERDICT_LAUNCH_ERROR, "use smaller or fewer arrays"},
    {"kill -BUS $$", 10, VERDICT_CRASH, "signal 7"},
    {"yes garbage", 10, VERDICT_CRASH, "before it gave a result"},
    {"echo '{\"event\":\"report\"}'; echo '{\"event\":\"report\",\"report\":5}'; echo '[]'; echo 1", 10, VERDICT_CRASH,
     "before it gave a result"},
    {"echo '{\"event\":\"report\",\"report\":{\"format\":1,\"verdict\":\"splendid\"}}'", 10, VERDICT_CRASH,
     "before it gave a result"},
    {"printf '{\"event\":\"rep'", 10, VERDICT_CRASH, "before it gave a result"},
    {"echo '{\"event\":\"failed\",\"status\":11,\"message\":\"no compiler\"}'", 10, VERDICT_INFRASTRUCTURE,
     "no compiler"},
    {"cat >/dev/null; echo junk; echo '" REPORT("pass") "'; echo '" REPORT("fail") "'", 10, VERDICT_PASS, ""},
    {"echo '" REPORT("fail") "'; kill -SEGV $$", 10, VERDICT_FAIL, ""},
};

START_TEST(whatever_a_worker_does_there_is_a_verdict)
{
    struct grade_options options = {.device = "sim"};
    struct grade_report *report;
    struct diagnostic diagnostic = {0};
    fake(workers[_i].script);
    double start = now();
    enum status status = grade_wait(&lesson, &options, workers[_i].wall_limit, NULL, NULL, &report, &diagnostic);
    // a machine that is too busy for a timeout says so, and is asked again
    for (int tries = 0; tries < 10 && status == STATUS_OK && workers[_i].verdict == VERDICT_TIMEOUT &&
                        report->verdict == VERDICT_INFRASTRUCTURE && strstr(report->next, "too busy");
         tries++) {
        grade_report_free(report);
        start = now();
        status = grade_wait(&lesson, &options, workers[_i].wall_limit, NULL, NULL, &report, &diagnostic);
    }
    ck_assert_msg(status == STATUS_OK, "%s", diagnostic.message);
    ck_assert_msg(report->verdict == workers[_i].verdict, "%s: %s (%s)", workers[_i].script,
                  verdict_name(report->verdict), report->next);
    ck_assert_msg(strstr(report->next, workers[_i].says) != NULL, "%s: %s", workers[_i].script, report->next);
    ck_assert_double_lt(now() - start, 8);
    grade_report_free(report);
}
END_TEST

START_TEST(the_job_reaches_the_worker)
{
    struct grade_options options = {.source = "/x/y.cu", .device = "sim", .compiler = "clang", .seed = 77};
    struct grade_report *report;
    char script[256], *data;
    size_t length;
    snprintf(script, sizeof script, "cat > %.63s/job; echo '" REPORT("pass") "'", root);
    fake(script);
    ck_assert_int_eq(grade_wait(&lesson, &options, 10, NULL, NULL, &report, NULL), STATUS_OK);
    grade_report_free(report);
    snprintf(script, sizeof script, "%.63s/job", root);
    ck_assert_int_eq(file_read(script, 10000, &data, &length, NULL), STATUS_OK);
    static const char *const parts[] = {"\"/x/y.cu\"", "\"sim\"", "\"clang\"", "77", "\"/nonexistent\"", "\"grade\""};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        ck_assert_msg(strstr(data, parts[i]) != NULL, "%s in %s", parts[i], data);
    free(data);
}
END_TEST

// Any bytes may be a name: none is lost, or the lesson's own file would be graded in its place.
START_TEST(a_source_of_any_name_and_text_reaches_the_worker)
{
    static const char name[] = "/x/M\xfcller\\x41 \xe2\x80\xae\n.cu";
    struct grade_options options = {.source = name, .device = "sim"};
    struct grade_report *report;
    char script[256], *data;
    size_t length;
    snprintf(script, sizeof script, "cat > %.63s/job; echo '" REPORT("pass") "'", root);
    fake(script);
    ck_assert_int_eq(grade_wait(&lesson, &options, 10, NULL, NULL, &report, NULL), STATUS_OK);
    grade_report_free(report);
    snprintf(script, sizeof script, "%.63s/job", root);
    ck_assert_int_eq(file_read(script, 10000, &data, &length, NULL), STATUS_OK);
    json_t *job = json_loads(data, 0, NULL);
    const char *kept = json_string_value(json_object_get(json_object_get(job, "options"), "source"));
    struct text back = {0};
    text_unescape_name(&back, kept ? kept : "");
    ck_assert_str_eq(text_get(&back), name);
    text_free(&back);
    json_decref(job);
    free(data);
}
END_TEST

START_TEST(phases_come_as_events_and_nothing_after_the_last)
{
    struct grade_options options = {.device = "sim"};
    struct grade_handle *handle;
    struct grade_event event;
    int phases = 0, reports = 0, messages = 0;
    fake("echo '{\"event\":\"diagnostic\",\"severity\":1,\"line\":3,\"message\":\"odd\"}'; echo "
         "'{\"event\":\"phase\",\"phase\":1,\"detail\":\"odd\",\"seconds\":0.5}'; echo '" REPORT(
             "pass") "'; echo "
                     "'{\"event\":\"phase\",\"phase\":4}'");
    ck_assert_int_eq(grade_start(&lesson, &options, 10, &handle, NULL), STATUS_OK);
    while (!grade_is_done(handle)) {
        struct pollfd wait = {.fd = grade_descriptor(handle), .events = POLLIN};
        poll(&wait, 1, 1000);
        while (grade_poll(handle, &event)) {
            if (event.kind == GRADE_EVENT_PHASE) {
                ck_assert_int_eq(event.phase, GRADE_RUNNING);
                ck_assert_str_eq(event.detail, "odd");
                phases++;
            } else if (event.kind == GRADE_EVENT_DIAGNOSTIC) {
                ck_assert_int_eq(event.diagnostic.line, 3);
                ck_assert_int_eq(event.diagnostic.severity, SEVERITY_WARNING);
                messages++;
            } else {
                ck_assert_int_eq(event.kind, GRADE_EVENT_REPORT);
                grade_report_free(event.report);
                reports++;
            }
        }
    }
    ck_assert_int_eq(phases, 1);
    ck_assert_int_eq(messages, 1);
    ck_assert_int_eq(reports, 1);
    ck_assert(!grade_poll(handle, &event));
    grade_cancel(handle);
}
END_TEST

START_TEST(a_cancelled_worker_is_gone_with_all_it_started)
{
    struct grade_options options = {.device = "sim"};
    struct grade_handle *handle;
    char script[300], path[96], folder[96], *data;
    size_t length = 0;
    snprintf(folder, sizeof folder, "%.63s/temporary", root);
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    setenv("TMPDIR", folder, 1);
    snprintf(script, sizeof script,
             "mkdir -p $TMPDIR/a/b/c; sleep 100 & echo $! > %.63s/pid.new; mv %.63s/pid.new %.63s/pid; wait", root,
             root, root);
    fake(script);
    snprintf(path, sizeof path, "%.63s/pid", root);
    ck_assert_int_eq(grade_start(&lesson, &options, 100, &handle, NULL), STATUS_OK);
    struct timespec moment = {.tv_nsec = 10000000};
    for (int i = 0; i < 500 && !file_exists(path); i++)
        nanosleep(&moment, NULL);
    ck_assert_int_eq(file_read(path, 100, &data, &length, NULL), STATUS_OK);
    grade_cancel(handle);
    ck_assert_int_eq(rmdir(folder), 0); // nothing is in it
    unsetenv("TMPDIR");
    pid_t child = (pid_t)atoi(data);
    for (int i = 0; i < 200 && kill(child, 0) == 0; i++)
        nanosleep(&moment, NULL);
    ck_assert_int_ne(kill(child, 0), 0);
    free(data);
}
END_TEST

START_TEST(a_quiz_worker_answers_or_fails)
{
    struct grade_options options = {.device = "sim"};
    struct grade_handle *handle;
    struct grade_event event = {0};
    fake(_i == 0 ? "echo '{\"event\":\"answer\",\"value\":32}'" : _i == 1 ? "exit 3" : "echo '" REPORT("pass") "'");
    ck_assert_int_eq(grade_start_quiz(&lesson, 0, &options, 10, &handle, NULL), STATUS_OK);
    while (!grade_poll(handle, &event)) {
        struct pollfd wait = {.fd = grade_descriptor(handle), .events = POLLIN};
        poll(&wait, 1, 1000);
    }
    ck_assert_int_eq(event.kind, _i == 0 ? GRADE_EVENT_ANSWER : GRADE_EVENT_FAILED);
    if (_i == 0)
        ck_assert_double_eq(event.value, 32);
    grade_cancel(handle);
}
END_TEST

static const struct {
    const char *script;
    enum grade_event_kind kind;
} recorders[] = {
    {"cat > \"$0.job\"; echo "
     "'{\"event\":\"recording\",\"recording\":{\"block\":[2,1,0],\"total\":9,\"count\":7,\"accesses\":"
     "\"J>200:8240000006H000004H000002!\",\"values\":\"0102030405060708010203040506070x\"}}'",
     GRADE_EVENT_RECORDING},
    {"exit 3", GRADE_EVENT_FAILED},
    {"echo '" REPORT("pass") "'", GRADE_EVENT_FAILED},
    {"echo '{\"event\":\"failed\",\"message\":\"there is no block 9\"}'", GRADE_EVENT_FAILED},
};

START_TEST(a_record_worker_gives_a_block_or_fails)
{
    struct grade_options options = {.device = "sim", .seed = 12};
    struct record_request request = {.text = "__global__ void k();", .part = 1, .block = 34};
    struct grade_handle *handle;
    struct grade_event event = {0};
    fake(recorders[_i].script);
    ck_assert_int_eq(grade_start_record(&lesson, &request, &options, 10, &handle, NULL), STATUS_OK);
    while (!grade_poll(handle, &event)) {
        struct pollfd wait = {.fd = grade_descriptor(handle), .events = POLLIN};
        poll(&wait, 1, 1000);
    }
    grade_cancel(handle);
    ck_assert_int_eq(event.kind, recorders[_i].kind);
    if (event.kind != GRADE_EVENT_RECORDING)
        return;
    const struct recording *recording = &event.recording;
    ck_assert_uint_eq(recording->block[0], 2);
    ck_assert_uint_eq(recording->count, 4);
    ck_assert_uint_eq(recording->total, 9);
    ck_assert_uint_eq(recording->items[0].lands, 3);
    ck_assert_uint_eq(recorded_value(recording, &recording->items[0], 2)[0], 5);
    ck_assert_ptr_null(recorded_value(recording, &recording->items[0], 1));
    ck_assert_uint_eq(recording->items[2].pc, 7);
    ck_assert_uint_eq(recording->items[2].lands, 3);
    for (size_t i = 1; i < 4; i++) // no digits, nor behind them, no access at all
        ck_assert(!recording->items[i].has_values);
    char path[128], *data;
    size_t length;
    snprintf(path, sizeof path, "%.90s.job", program);
    ck_assert_int_eq(file_read(path, 10000, &data, &length, NULL), STATUS_OK);
    static const char *const parts[] = {"\"record\"", "\"block\":34", "\"part\":1", "__global__ void k();",
                                        "\"seed\":12"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        ck_assert_msg(strstr(data, parts[i]) != NULL, "%s in %s", parts[i], data);
    free(data);
    recording_free(&event.recording);
}
END_TEST

START_TEST(a_worker_that_cannot_start_is_told)
{
    struct grade_options options = {.device = "sim"};
    struct grade_report *report = NULL;
    struct diagnostic diagnostic = {0};
    grade_worker_set_program("/nonexistent/worker");
    enum status status = grade_wait(&lesson, &options, 5, NULL, NULL, &report, &diagnostic);
    ck_assert(status == STATUS_ENVIRONMENT || (report && report->verdict == VERDICT_INFRASTRUCTURE));
    grade_report_free(report);
}
END_TEST

// Of a tool that took itself for the worker there would be ever more.
START_TEST(a_program_that_named_none_starts_no_worker)
{
    struct grade_options options = {.device = "sim"};
    struct grade_report *report;
    struct diagnostic diagnostic = {0};
    grade_worker_set_program(NULL);
    ck_assert_int_eq(grade_wait(&lesson, &options, 5, NULL, NULL, &report, &diagnostic), STATUS_ENVIRONMENT);
    ck_assert_ptr_null(report);
    ck_assert_msg(strstr(diagnostic.message, "BANKSHOT=") != NULL, "%s", diagnostic.message);
}
END_TEST

// … and of one that was given to itself: a worker knows what it is, with a folder of its own, too.
START_TEST(a_worker_starts_no_other_worker)
{
    struct grade_options options = {.device = "sim", .apart = _i ? root : NULL};
    struct grade_report *report;
    struct diagnostic diagnostic = {0};
    fake("cat > /dev/null; test \"$BANKSHOT_WORKER\" && echo '" REPORT("pass") "'");
    ck_assert_int_eq(grade_wait(&lesson, &options, 5, NULL, NULL, &report, &diagnostic), STATUS_OK);
    ck_assert_int_eq(report->verdict, VERDICT_PASS);
    grade_report_free(report);
    setenv("BANKSHOT_WORKER", "1", 1);
    ck_assert_int_eq(grade_wait(&lesson, &options, 5, NULL, NULL, &report, &diagnostic), STATUS_ENVIRONMENT);
    unsetenv("BANKSHOT_WORKER");
    ck_assert_ptr_null(report);
    ck_assert_msg(strstr(diagnostic.message, "no other worker") != NULL, "%s", diagnostic.message);
}
END_TEST

Suite *suite_worker(void)
{
    Suite *suite = suite_create("worker");
    TCase *tests = tcase_create("worker");
    tcase_add_checked_fixture(tests, make_root, remove_root);
    tcase_set_timeout(tests, 30);
    tcase_add_loop_test(tests, whatever_a_worker_does_there_is_a_verdict, 0, sizeof workers / sizeof *workers);
    tcase_add_test(tests, the_job_reaches_the_worker);
    tcase_add_test(tests, a_source_of_any_name_and_text_reaches_the_worker);
    tcase_add_test(tests, phases_come_as_events_and_nothing_after_the_last);
    tcase_add_test(tests, a_cancelled_worker_is_gone_with_all_it_started);
    tcase_add_loop_test(tests, a_quiz_worker_answers_or_fails, 0, 3);
    tcase_add_loop_test(tests, a_record_worker_gives_a_block_or_fails, 0, sizeof recorders / sizeof *recorders);
    tcase_add_test(tests, a_worker_that_cannot_start_is_told);
    tcase_add_test(tests, a_program_that_named_none_starts_no_worker);
    tcase_add_loop_test(tests, a_worker_starts_no_other_worker, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
