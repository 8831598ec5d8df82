// Exports for course systems: each is written, put where its system puts it, and run as that would run it.
//
// The bundle in them is this build's program with its lessons, which runs here; that a bundle runs elsewhere is tried
// by .ci/run and tests/course/bare.
#include <check.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/program.h"
#include "../support/skip.h"
#include "base/file.h"
#include "base/memory.h"
#include "course/results.h"

Suite *suite_export(void);

static char folder[64], tree[4096], program[4096];

// In the folder; what it says goes to "log", which is shown when another status than the wanted one comes back.
static int shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int shell(const char *format, ...)
{
    char command[4096], line[12000];
    TEXT_FORMAT(command, format);
    snprintf(line, sizeof line, "cd %s && { %s\n} >log 2>&1 </dev/null", folder, command);
    return WEXITSTATUS(system(line));
}

// Of a file in the folder, for as long as the test runs.
static const char *contents(const char *name)
{
    static struct arena *kept;
    char path[200], *text;
    size_t length;
    struct diagnostic diagnostic = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    ck_assert_msg(file_read(path, 1 << 22, &text, &length, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    kept = kept ? kept : arena_new();
    const char *copy = arena_strdup(kept, text);
    free(text);
    return copy;
}

#define OK(...) ck_assert_msg(shell(__VA_ARGS__) == 0, "%s\n%s", #__VA_ARGS__, contents("log"))

static bool has(const char *command)
{
    char path[4096];
    bool found = file_find_program(command, path, sizeof path);
    if (!found)
        skip_check("no %s", command);
    return found;
}

// Before all: a folder with a bundle of this build.
static void open_folder(void)
{
    ck_assert_ptr_nonnull(getcwd(tree, sizeof tree));
    ck_assert_ptr_nonnull(realpath(program_path(), program));
    snprintf(folder, sizeof folder, "/tmp/bankshot-export-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    char cache[64]; // by user, as ../support/program.h has it
    snprintf(cache, sizeof cache, "/tmp/bankshot-tests-%u/cache", (unsigned)getuid());
    setenv("XDG_CACHE_HOME", cache, 1);
    unsetenv("LSAN_OPTIONS"); // names a file from the source tree's root
    setenv("XDG_STATE_HOME", folder, 1);
    ck_assert_int_eq(
        shell("cd '%s' && .ci/install '%s' '' %s/bundle && mkdir %s/bundle/lib", tree, program, folder, folder), 0);
    setenv("EXPORT", folder, 1); // for the commands below
    setenv("TREE", tree, 1);
}

static void close_folder(void)
{
    char line[200];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    ck_assert_int_eq(system(line), 0);
}

// Of all files that the pattern names: 0, 1, or 77 after a word that python3-jsonschema or xmllint is missing.
static int valid(const char *files, const char *schema)
{
    const char *tool = text_ends(schema, ".xsd") ? "command -v xmllint || exit 77; xmllint --noout --schema"
                                                 : "python3 $TREE/tests/course/valid.py";
    int status = shell("%s $TREE/tests/course/schemas/%s %s", tool, schema, files);
    if (status == 127)
        status = 77;
    if (status == 77)
        skip_check(text_ends(schema, ".xsd") ? "no xmllint" : "no python3-jsonschema");
    return status;
}

#define VALID(file, schema)                                                                                            \
    do {                                                                                                               \
        int status_ = valid(file, schema);                                                                             \
        ck_assert_msg(status_ == 0 || status_ == 77, "%s", contents("log"));                                           \
    } while (0)

// ---- hand-ins

// Shell commands that fill $1, and what lesson 4 must give for it.
static const struct hand_in {
    const char *name, *fill;
    double score;
    const char *said; // in what the student reads
} hand_ins[] = {
    {"right", "cp \"$TREE/solutions/04-padding.cu\" $1/padding.cu", 100, "04-padding: pass"},
    {"right, in exercises/", "mkdir $1/exercises; cp \"$TREE/solutions/04-padding.cu\" $1/exercises", 100, "pass"},
    {"wrong",
     "sed 's/return;/return; else return;/; s/__syncthreads()//' \"$TREE/exercises/04-padding.cu\" "
     ">$1/04-padding.cu",
     -1, "fail"},
    {"the starter", "cp \"$TREE/exercises/04-padding.cu\" $1", 0, "not started"},
    {"no source", "echo 'this is no CUDA' >$1/padding.cu", 0, "compile error"},
    {"missing", ":", 0, "nothing was handed in as 04-padding.cu or padding.cu."},
    {"named otherwise", "cp \"$TREE/solutions/04-padding.cu\" \"$1/my padding.cu\"", 0, "there is my padding.cu"},
    {"a name that is not UTF-8", "cp \"$TREE/solutions/04-padding.cu\" \"$1/$(printf 'p\\344dding').cu\"", 0,
     "there is p\\xe4dding.cu"},
    {"a name with a line feed", "cp \"$TREE/solutions/04-padding.cu\" \"$1/$(printf 'a\\n{\"score\":100}').cu\"", 0,
     "there is a\\x0a{\"score\":100}.cu"},
    {"a link to the solution", "ln -s \"$TREE/solutions/04-padding.cu\" $1/padding.cu", 0, "links are not followed"},
    {"a link to what a run wrote", "ln -s ../results/results.json $1/padding.cu", 0, "links are not followed"},
    {"exercises is a link", "ln -s \"$TREE/solutions\" $1/exercises", 0, "links are not followed"},
    {"a folder", "mkdir $1/padding.cu", 0, "it is a folder"},
    {"a pipe", "mkfifo $1/padding.cu", 0, "it is a device or a pipe"},
    {"huge", "truncate -s 5G $1/padding.cu", 0, "a source may have 1 MB at most"},
    {"bytes of zero", "printf 'a\\0b' >$1/padding.cu", 0, "0x00"},
    {"reads the autograder", "echo '#include \"../results/results.json\"' >$1/padding.cu", 0, "compile error"},
    {"shells in names", "touch \"$1/;touch owned;.cu\" \"$1/--out.cu\" \"$1/\\$(touch owned).cu\"", 0,
     "nothing was handed in"},
    {"a workspace, a library and a profile of its own",
     "touch $1/.bankshot; mkdir -p $1/lib $1/share/bankshot/lessons; echo 'touch $EXPORT/owned' >$1/sitecustomize.py; "
     "echo 'import os; os.system(\"touch $EXPORT/owned\")' >$1/json.py",
     0, "nothing was handed in"},
};

static void fill(const struct hand_in *hand_in, const char *where)
{
    OK("set -- %s/%s; rm -rf $1; mkdir -p $1; %s", folder, where, hand_in->fill);
}

// Nothing of a hand-in was run, and the grader is what it was.
static void check_untouched(const char *parts)
{
    OK("[ -z \"$(find . -name owned)\" ] && cmp bundle/bin/bankshot %s/bankshot/bin/bankshot", parts);
}

// ---- Gradescope

static const char metadata[] =
    "{\"id\": 1, \"created_at\": \"2026-11-22T12:00:00.5-08:00\", \"assignment\": {\"due_date\": "
    "\"2026-11-23T00:00:00.000000-08:00\", \"late_due_date\": null, \"total_points\": \"20.0\"}, \"users\": "
    "[{\"id\": 1234}], \"previous_submissions\": []}";

// As Gradescope does: the zip to source/, run_autograder copied up, setup.sh run once.
static bool open_autograder(const char *options)
{
    if (!has("zip") || !has("unzip"))
        return false;
    if (!program_has_compiler()) {
        skip_check("no compiler");
        return false;
    }
    OK("rm -rf ag z.zip && bundle/bin/bankshot export gradescope --lesson padding %s --out z.zip", options);
    OK("mkdir -p ag/source ag/submission ag/results && unzip -q z.zip -d ag/source && "
       "cp ag/source/run_autograder ag && sh ag/source/setup.sh && cat >ag/submission_metadata.json <<'E'\n%s\nE",
       metadata);
    return true;
}

static int run_autograder(void)
{
    return shell("cd ag && BANKSHOT_AUTOGRADER=$PWD ./run_autograder");
}

START_TEST(the_zip_grades_hand_ins_as_gradescope_would)
{
    if (!open_autograder("--leaderboard"))
        return;
    for (size_t i = 0; i < sizeof hand_ins / sizeof *hand_ins; i++) {
        const struct hand_in *hand_in = &hand_ins[i];
        fill(hand_in, "ag/submission");
        ck_assert_msg(run_autograder() == 0, "%s: %s", hand_in->name, contents("log"));
        OK("mkdir -p all && cp ag/results/results.json all/%zu.json", i);
        json_t *results = json_loads(contents("ag/results/results.json"), 0, NULL);
        double score = json_number_value(json_object_get(results, "score"));
        const char *said = json_string_value(json_object_get(results, "output"));
        ck_assert_msg(hand_in->score < 0 ? score < 100 : fabs(score - hand_in->score) < 1e-3, "%s: %g, %s",
                      hand_in->name, score, said);
        ck_assert_msg(strstr(said, hand_in->said), "%s: %s", hand_in->name, said);
        bool leads = json_array_size(json_object_get(results, "leaderboard")) > 0;
        ck_assert_msg(leads == (hand_in->score == 100), "%s", hand_in->name);
        check_untouched("ag/source");
        json_decref(results);
    }
    VALID("all/*.json", "gradescope-results.json");
}
END_TEST

// What the machine did wrong is not a mark: no results.json, not an older one either, and a word to the teacher.
static const struct {
    const char *doing, *undoing, *said;
} faults[] = {
    {"mv submission_metadata.json m", "mv m submission_metadata.json", "submission_metadata.json"},
    {"echo '{\"created_at\": 3}' >submission_metadata.json", ":", "\"created_at\" is not a time"},
    {"mv source/bankshot/share/bankshot/lessons l", "mv l source/bankshot/share/bankshot/lessons", "lessons"},
    {"mv submission s", "mv s submission", "submission"},
    {"mv source/bankshot/bin b", "mv b source/bankshot/bin", "bankshot"},
};

START_TEST(a_fault_of_the_machine_leaves_no_mark)
{
    if (!open_autograder(""))
        return;
    fill(&hand_ins[0], "ag/submission");
    ck_assert_int_eq(run_autograder(), 0);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        OK("cp ag/submission_metadata.json kept && cp z.zip ag/results/results.json && cd ag && %s", faults[i].doing);
        ck_assert_msg(run_autograder() > 1, "%s: %s", faults[i].doing, contents("log"));
        ck_assert_msg(strstr(contents("log"), faults[i].said), "%s: %s", faults[i].doing, contents("log"));
        OK("[ ! -e ag/results/results.json ] && cd ag && %s && cp ../kept submission_metadata.json", faults[i].undoing);
    }
    ck_assert_int_eq(run_autograder(), 0);
}
END_TEST

// ---- Gradescope's dates and attempts, without a compiler

static const struct {
    const char *created, *due; // JSON
    struct results_policy policy;
    int days;
    double score; // of 80
} late[] = {
    {"\"2026-11-22T12:00:00.5-08:00\"", "\"2026-11-22T12:00:01-08:00\"", {.late_days = -1}, 0, 80},
    {"\"2026-11-22T12:00:01.5-08:00\"", "\"2026-11-22T20:00:01Z\"", {.late_days = -1}, 1, 80},
    {"\"2026-11-22T12:00:01.5-08:00\"", "\"2026-11-22T20:00:01Z\"", {.late_days = 0}, 1, 0},
    {"\"2026-11-24T12:00:00Z\"", "\"2026-11-22T12:00:00+00:00\"", {.late_days = 2, .late_penalty = 10}, 2, 64},
    {"\"2026-11-24T12:00:00.000001Z\"", "\"2026-11-22T12:00:00Z\"", {.late_days = 2, .late_penalty = 10}, 3, 0},
    {"\"2026-11-24T12:00:00Z\"", "\"2026-10-22T12:00:00Z\"", {.late_days = -1, .late_penalty = 10}, 33, 0},
    {"\"2026-11-24T12:00:00Z\"", "null", {.late_days = 0, .late_penalty = 10}, 0, 80},
    {"\"2026-11-24T12:00:00Z\"",
     "\"2026-11-22T12:00:00Z\"",
     {.late_days = -1, .late_penalty = 10, .points = 10},
     2,
     6.4},
};

static struct results_submission read_submission(const char *text)
{
    char path[200];
    struct results_submission submission;
    struct diagnostic diagnostic = {0};
    snprintf(path, sizeof path, "%s/metadata.json", folder);
    ck_assert_int_eq(file_put(path, text, strlen(text), &diagnostic), STATUS_OK);
    ck_assert_msg(results_read_submission(path, &submission, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    return submission;
}

// A report with 80 of 100 points.
static struct grade_report *some_report(void)
{
    struct grade_report *report = grade_report_new();
    report->lesson_id = "04-padding";
    report->verdict = VERDICT_FAIL;
    report->score = 80;
    report->gate_count = 2;
    report->gates = arena_alloc(report->arena, 2 * sizeof *report->gates);
    report->gates[0] = (struct grade_gate){.id = "correct", .passed = true, .full = true, .points = 80, .earned = 80};
    report->gates[1] = (struct grade_gate){.id = "conflicts", .points = 20};
    return report;
}

START_TEST(late_days_count_from_the_time_of_handing_in)
{
    char text[600];
    snprintf(text, sizeof text, "{\"created_at\": %s, \"assignment\": {\"due_date\": %s}}", late[_i].created,
             late[_i].due);
    struct results_submission submission = read_submission(text);
    struct grade_report *report = some_report();
    json_t *results = results_gradescope(&report, 1, &late[_i].policy, &submission);
    ck_assert_int_eq(results_days_late(&submission), late[_i].days);
    ck_assert_double_eq_tol(json_number_value(json_object_get(results, "score")), late[_i].score, 1e-9);
    const char *said = json_string_value(json_object_get(results, "output"));
    ck_assert_msg(!strstr(said, "Handed in late") == (late[_i].days == 0), "%s", said);
    json_decref(results);
    grade_report_free(report);
    results_free_submission(&submission);
}
END_TEST

START_TEST(a_students_own_due_date_counts_and_a_groups_latest)
{
    struct results_submission submission =
        read_submission("{\"created_at\": \"2026-11-24T12:00:00Z\", \"assignment\": {\"due_date\": "
                        "\"2026-11-22T12:00:00Z\"}, \"users\": [{\"assignment\": {\"due_date\": "
                        "\"2026-11-23T12:00:00Z\"}}, {\"assignment\": {\"due_date\": \"2026-11-22T12:00:00Z\"}}]}");
    ck_assert_int_eq(results_days_late(&submission), 1);
    results_free_submission(&submission);
}
END_TEST

// Two attempts counted, one that met a fault of the machine, one that another autograder graded.
static const char attempts[] =
    "{\"created_at\": \"2026-11-24T12:00:00Z\", \"assignment\": {}, \"previous_submissions\": ["
    "{\"submission_time\": \"2026-11-20T12:00:00Z\", \"score\": \"90.0\", \"results\": {\"score\": 90, \"tests\": [], "
    "\"extra_data\": {\"bankshot\": {\"attempt\": true}}}},"
    "{\"submission_time\": \"2026-11-18T12:00:00Z\", \"score\": 10, \"results\": {\"score\": 10, \"tests\": [], "
    "\"extra_data\": {\"bankshot\": {\"attempt\": true}}}},"
    "{\"submission_time\": \"2026-11-21T12:00:00Z\", \"score\": null, \"results\": null},"
    "{\"submission_time\": \"2026-11-21T13:00:00Z\", \"score\": 1, \"results\": {\"score\": 1}}]}";

START_TEST(after_the_last_attempt_the_points_stay)
{
    struct results_submission submission = read_submission(attempts);
    struct results_policy three = {.attempts = 3}, two = {.attempts = 2}, all = {0};
    ck_assert_int_eq(submission.attempts, 2);
    ck_assert(!results_attempts_used(&submission, &three) && !results_attempts_used(&submission, &all));
    ck_assert(results_attempts_used(&submission, &two));
    json_t *results = results_gradescope_again(&two, &submission);
    ck_assert_double_eq(json_number_value(json_object_get(results, "score")), 90);
    ck_assert(strstr(json_string_value(json_object_get(results, "output")), "all 2 attempts are used"));
    json_t *own = json_object_get(json_object_get(results, "extra_data"), "bankshot");
    ck_assert(json_is_false(json_object_get(own, "attempt"))); // it used none
    json_decref(results);
    results_free_submission(&submission);
}
END_TEST

// Results without points of their own: Gradescope would take an answer without any for an autograder that failed.
START_TEST(after_the_last_attempt_there_is_a_score_whatever_was_kept)
{
    static const struct {
        const char *rest;
        int attempts;
        double score;
    } cases[] = {{"\"score\": \"50.0\", \"results\": {", 1, 50},
                 {"\"score\": 12.5, \"results\": {\"score\": null, \"tests\": [], ", 1, 12.5},
                 {"\"score\": \"50.0\", \"results\": {\"score\": 40, ", 1, 40},
                 {"\"score\": \"fifty\", \"results\": {", 0, 0},
                 {"\"score\": null, \"results\": {", 0, 0}};
    struct results_policy one = {.attempts = 1};
    char text[512];
    snprintf(
        text, sizeof text,
        "{\"created_at\": \"2026-11-24T12:00:00Z\", \"assignment\": {}, \"previous_submissions\": "
        "[{\"submission_time\": \"2026-11-20T12:00:00Z\", %s\"extra_data\": {\"bankshot\": {\"attempt\": true}}}}]}",
        cases[_i].rest);
    struct results_submission submission = read_submission(text);
    ck_assert_int_eq(submission.attempts, cases[_i].attempts);
    ck_assert_int_eq(results_attempts_used(&submission, &one), cases[_i].attempts == 1);
    if (cases[_i].attempts) {
        json_t *results = results_gradescope_again(&one, &submission);
        ck_assert(json_is_number(json_object_get(results, "score")));
        ck_assert_double_eq(json_number_value(json_object_get(results, "score")), cases[_i].score);
        json_decref(results);
    }
    results_free_submission(&submission);
}
END_TEST

START_TEST(what_students_may_not_see_yet_is_not_told_in_words)
{
    struct results_policy hidden = {.late_days = -1, .visibility = "after_due_date", .attempts = 3};
    struct grade_report *report = some_report();
    json_t *results = results_gradescope(&report, 1, &hidden, NULL);
    ck_assert_str_eq(json_string_value(json_object_get(results, "output")), "Attempt 1 of 3.\n");
    ck_assert_str_eq(json_string_value(json_object_get(results, "visibility")), "after_due_date");
    ck_assert_str_eq(json_string_value(json_object_get(results, "stdout_visibility")), "hidden");
    json_decref(results);
    grade_report_free(report);
}
END_TEST

// ---- Classroom 50

// What the runner sets (its page Advanced Autograding, "Contract").
static const char runner[] =
    "CLASSROOM=gpu ASSIGNMENT=padding SUBMISSION_TAG=submit/2026-11-22T12-00-00Z-a1b2c3d USERNAME=alice OWNER=alice "
    "ASSIGNMENT_TYPE=individual COMMIT_URL=https://example.org/c RELEASE_URL=https://example.org/r";

static void check_classroom50(const struct hand_in *hand_in)
{
    json_t *result = json_loads(contents("checkout/result.json"), 0, NULL), *tests = json_object_get(result, "tests");
    json_int_t score = 0, most = 0;
    for (size_t i = 0; i < json_array_size(tests); i++) {
        json_int_t own = json_integer_value(json_object_get(json_array_get(tests, i), "score"));
        json_int_t own_most = json_integer_value(json_object_get(json_array_get(tests, i), "max-score"));
        ck_assert(own <= own_most);
        score += own, most += own_most;
    }
    ck_assert_int_eq(score, json_integer_value(json_object_get(result, "score")));
    ck_assert_int_eq(most, 100);
    ck_assert_int_eq(most, json_integer_value(json_object_get(result, "max-score")));
    ck_assert_msg(hand_in->score < 0 ? score < 100 : (double)score == hand_in->score, "%s: %d", hand_in->name,
                  (int)score);
    json_decref(result);
}

START_TEST(classroom_50_s_autograder_grades_a_checkout)
{
    if (!has("python3"))
        return;
    if (!program_has_compiler()) {
        skip_check("no compiler");
        return;
    }
    OK("rm -rf c50 && bundle/bin/bankshot export classroom50 --lesson padding --out c50 && echo kept >outside");
    for (size_t i = 0; i < sizeof hand_ins / sizeof *hand_ins; i += 5) { // each sets up anew
        fill(&hand_ins[i], "checkout");
        OK("%s", i % 2 ? "ln -s ../outside checkout/result.json" : "mkdir -p checkout/result.json/deep");
        OK("cd checkout && env %s python3 ../c50/autograder.py", runner);
        check_classroom50(&hand_ins[i]);
        check_untouched("c50");
        OK("grep -qx kept outside && mkdir -p all50 && cp checkout/result.json all50/%zu.json", i);
    }
    VALID("all50/*.json", "classroom50-result.json");
    // a fault of the machine: no result, and not the one that the student left there
    OK("rm c50/bankshot.tar.gz && ln -sf ../outside checkout/result.json");
    ck_assert_int_ne(shell("cd checkout && env %s python3 ../c50/autograder.py", runner), 0);
    OK("[ ! -e checkout/result.json ] && [ ! -L checkout/result.json ]");
}
END_TEST

// ---- CI: what each pipeline says is run, line by line, in a checkout

static const struct {
    const char *system, *file, *schema;
    const char *lines; // sed's: the commands of the file
} pipelines[] = {
    {"github", ".github/workflows/bankshot.yml", "github-workflow.json", "s/^ *run: //p"},
    {"gitlab", ".gitlab-ci.yml", "gitlab-ci.json", "s/^    - //p"},
    {"jenkins", "Jenkinsfile", NULL, "s/.*steps { sh '\\([^']*\\)' }/\\1/p"},
};

START_TEST(a_pipeline_grades_a_checkout_and_reports_as_junit)
{
    if (!program_has_compiler()) {
        skip_check("no compiler");
        return;
    }
    const char *file = pipelines[_i].file;
    OK("rm -rf ci && bundle/bin/bankshot export %s --lesson 4 --out ci && echo kept >outside", pipelines[_i].system);
    OK("[ $(sed -n \"%s\" ci/%s | tee commands | wc -l) = 3 ]", pipelines[_i].lines, file);
    for (size_t i = (size_t)_i; i < sizeof hand_ins / sizeof *hand_ins; i += 9) {
        fill(&hand_ins[i], "checkout");
        OK("cp -R ci/. checkout && ln -s $EXPORT/outside checkout/bankshot.xml && cd checkout/.bankshot-ci && "
           "mkdir -p bankshot/bin && echo 'touch $EXPORT/owned' >bankshot/bin/bankshot && chmod +x "
           "bankshot/bin/bankshot");
        ck_assert_msg(shell("cd checkout && sh -e ../commands") == (hand_ins[i].score == 100 ? 0 : 1), "%s: %s",
                      hand_ins[i].name, contents("log"));
        VALID("checkout/bankshot.xml", "junit.xsd");
        check_untouched("checkout/.bankshot-ci");
        OK("grep -qx kept outside");
    }
    if (pipelines[_i].schema) {
        OK("cp ci/%s pipeline.yml", file);
        VALID("pipeline.yml", pipelines[_i].schema);
    }
    // what is not as it was exported is not run
    OK("echo 'touch $EXPORT/owned' >>checkout/.bankshot-ci/setup.sh");
    ck_assert_int_ne(shell("cd checkout && sh -e ../commands"), 0);
    check_untouched("checkout/.bankshot-ci");
}
END_TEST

// ---- the command itself

static const struct {
    const char *line, *said;
    int exit;
} refusals[] = {
    {"bundle/bin/bankshot export moodle", "no system 'moodle'", 2},
    {"bundle/bin/bankshot export", "say for which system", 2},
    {"bundle/bin/bankshot export github --lesson nothing", "no lesson 'nothing'", 2},
    {"bundle/bin/bankshot export github --bundle /usr", "not a folder that 'make bundle' wrote", 2},
    {"bundle/bin/bankshot export github --late-penalty 101", "--late-penalty wants", 2},
    {"bundle/bin/bankshot export gradescope --visibility never", "--visibility is visible", 2},
    {"ln -s $PWD/bundle/share s && mkdir -p b && cp bundle/bin/bankshot b && BANKSHOT_LESSONS=bundle/share/bankshot "
     "b/bankshot export github",
     "run 'make bundle'", 2},
    {"mkdir -p tree/build tree/src/lesson tree/dist && cp bundle/bin/bankshot tree/build && cp -R "
     "bundle/share/bankshot/. tree && "
     "cp -R bundle tree/dist/bankshot-0.1-$(uname -m) && touch -d yesterday tree/dist/*/bin/bankshot && "
     "tree/build/bankshot export github",
     "older than this program: run 'make bundle' again", 2},
    {"mkdir -p mine && echo mine >mine/.gitlab-ci.yml && bundle/bin/bankshot export gitlab --out mine; "
     "[ $? = 2 ] && grep -qx mine mine/.gitlab-ci.yml && [ ! -e mine/.bankshot-ci ] && exit 3",
     "no export wrote it", 3},
    {"mkdir -p few && for c in cp rm tar sha256sum gzip; do ln -sf $(command -v $c) few; done; "
     "PATH=$PWD/few bundle/bin/bankshot export gradescope",
     "no zip command here: install it (on Debian: apt install zip)", 2},
    {"bundle/bin/bankshot autograde --as moodle", "--as is gradescope", 2},
    {"bundle/bin/bankshot autograde padding --hand-in not-there", "not a folder that can be read", 2},
};

START_TEST(what_cannot_be_exported_is_told_with_a_remedy)
{
    ck_assert_msg(shell("%s", refusals[_i].line) == refusals[_i].exit, "%s: %s", refusals[_i].line, contents("log"));
    ck_assert_msg(strstr(contents("log"), refusals[_i].said), "%s: %s", refusals[_i].line, contents("log"));
}
END_TEST

START_TEST(an_attempt_too_many_is_not_graded)
{
    OK("cat >metadata.json <<'E'\n%s\nE\nmkdir -p none; bundle/bin/bankshot autograde padding --as gradescope "
       "--attempts 2 "
       "--metadata metadata.json --hand-in none --out again.json",
       attempts);
    ck_assert(strstr(contents("again.json"), "\"score\": 90"));
    VALID("again.json", "gradescope-results.json");
    OK("bundle/bin/bankshot autograde padding --as gradescope --attempts 3 --metadata metadata.json --hand-in none "
       "--out again.json");
    ck_assert(strstr(contents("again.json"), "\"score\": 0.0"));
    ck_assert(strstr(contents("again.json"), "Attempt 3 of 3."));
}
END_TEST

START_TEST(an_export_carries_the_teachers_own_lessons)
{
    if (!program_has_compiler()) {
        skip_check("no compiler");
        return;
    }
    OK("BANKSHOT_LESSONS='%s/docs/example-lesson' bundle/bin/bankshot export jenkins --out own", tree);
    OK("mkdir -p own/t && tar -xzf own/.bankshot-ci/bankshot.tar.gz -C own/t && own/t/bin/bankshot lessons >listed && "
       "ls '%s/docs/example-lesson/lessons' own/t/share/bankshot/lessons && sh own/.bankshot-ci/setup.sh && "
       "[ \"$(ls '%s/docs/example-lesson/lessons')\" = \"$(ls own/t/share/bankshot/lessons)\" ]",
       tree, tree);
}
END_TEST

// Schemas that take anything would prove nothing: of each one, all of these are refused.
static const struct {
    const char *schema, *texts[7];
} invalid[] = {
    {"gradescope-results.json",
     {"{}", "{\"tests\": [{\"name\": \"a\"}]}", "{\"score\": 1, \"visiblity\": \"visible\"}",
      "{\"score\": 1, \"visibility\": \"soon\"}", "{\"score\": NaN}",
      "{\"score\": 1, \"leaderboard\": [{\"name\": \"a\"}]}"}},
    {"classroom50-result.json",
     {"{\"schema\": \"classroom50/result/v1\", \"score\": 1, \"max-score\": 1, \"tests\": []}"}},
    {"github-workflow.json", {"{\"jobs\": {}}"}},
    {"gitlab-ci.json", {"{\"job\": {\"image\": \"x\"}}"}},
    {"junit.xsd",
     {"<testsuites><testsuite name='a' tests='1' failures='x' errors='0'/></testsuites>",
      "<testsuites><testsuite name='a' tests='2' failures='0' errors='0'><testcase classname='a' name='b'/><testcase "
      "classname='a' name='b'/></testsuite></testsuites>"}},
};

START_TEST(schemas_refuse_what_is_not_as_published)
{
    size_t count = 0;
    OK("rm -f invalid-*");
    for (; invalid[_i].texts[count]; count++)
        OK("cat >invalid-%zu.json <<'E'\n%s\nE", count, invalid[_i].texts[count]);
    int status = valid("invalid-*", invalid[_i].schema);
    if (status == 77)
        return;
    const char *said = contents("log");
    for (size_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "invalid-%zu.json:", i);
        ck_assert_msg(strstr(said, name), "%s takes %s", invalid[_i].schema, invalid[_i].texts[i]);
    }
}
END_TEST

Suite *suite_export(void)
{
    Suite *suite = suite_create("export");
    TCase *dates = tcase_create("results"), *systems = tcase_create("systems"), *command = tcase_create("command");
    tcase_add_unchecked_fixture(dates, open_folder, close_folder);
    tcase_add_loop_test(dates, late_days_count_from_the_time_of_handing_in, 0, sizeof late / sizeof *late);
    tcase_add_test(dates, a_students_own_due_date_counts_and_a_groups_latest);
    tcase_add_test(dates, after_the_last_attempt_the_points_stay);
    tcase_add_loop_test(dates, after_the_last_attempt_there_is_a_score_whatever_was_kept, 0, 5);
    tcase_add_test(dates, what_students_may_not_see_yet_is_not_told_in_words);
    suite_add_tcase(suite, dates);
    tcase_add_unchecked_fixture(systems, open_folder, close_folder);
    tcase_set_timeout(systems, 600);
    tcase_add_test(systems, the_zip_grades_hand_ins_as_gradescope_would);
    tcase_add_test(systems, a_fault_of_the_machine_leaves_no_mark);
    tcase_add_test(systems, classroom_50_s_autograder_grades_a_checkout);
    tcase_add_loop_test(systems, a_pipeline_grades_a_checkout_and_reports_as_junit, 0,
                        sizeof pipelines / sizeof *pipelines);
    suite_add_tcase(suite, systems);
    tcase_add_unchecked_fixture(command, open_folder, close_folder);
    tcase_set_timeout(command, 300);
    tcase_add_loop_test(command, what_cannot_be_exported_is_told_with_a_remedy, 0, sizeof refusals / sizeof *refusals);
    tcase_add_test(command, an_attempt_too_many_is_not_graded);
    tcase_add_test(command, an_export_carries_the_teachers_own_lessons);
    tcase_add_loop_test(command, schemas_refuse_what_is_not_as_published, 0, sizeof invalid / sizeof *invalid);
    suite_add_tcase(suite, command);
    return suite;
}
