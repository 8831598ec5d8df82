// The quick part of the corpus: sources that the lab judges as it must, and the language of their first lines.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/corpus.h"
#include "../support/program.h"
#include "../support/skip.h"
#include "grade/worker.h"
#include "toolchain/toolchain.h"

Suite *suite_hand_ins(void);

static struct corpus corpus;
static const struct corpus_case **quick_cases; // of the corpus
static struct lesson_set lessons;
static bool has_compiler[2];
static const char *const compiler_names[2] = {"clang", "nvcc"};
static char *old_cache;

// In the runner itself: the cache is put back as it was.
static void open_corpus(void)
{
    struct toolchain toolchain;
    struct diagnostic diagnostic = {0};
    has_compiler[0] = toolchain_find(TOOLCHAIN_CLANG, NULL, &toolchain, &diagnostic) == STATUS_OK;
    has_compiler[1] = toolchain_find(TOOLCHAIN_NVCC, NULL, &toolchain, &diagnostic) == STATUS_OK;
    ck_assert_msg(lesson_set_open(&lessons, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    old_cache = getenv("XDG_CACHE_HOME");
    setenv("XDG_CACHE_HOME", TEST_BUILD "/corpus-cache", 1);
    grade_worker_set_program(program_path());
}

static void close_corpus(void)
{
    grade_worker_set_program(NULL);
    if (old_cache)
        setenv("XDG_CACHE_HOME", old_cache, 1);
    else
        unsetenv("XDG_CACHE_HOME");
    lesson_set_close(&lessons);
}

// The first compiler that is here and that the case is for.
static const char *compiler_for(const struct corpus_case *entry)
{
    for (int i = 0; i < 2; i++)
        if (has_compiler[i] && corpus_uses(entry, compiler_names[i], "sim"))
            return compiler_names[i];
    return NULL;
}

START_TEST(a_quick_case_gets_the_verdict_it_must)
{
    const struct corpus_case *entry = quick_cases[_i];
    const char *compiler = compiler_for(entry);
    if (!compiler) {
        skip_check("no compiler");
        return;
    }
    char number[16], got[400];
    snprintf(number, sizeof number, "%d", entry->lesson);
    struct grade_options options = {.source = entry->path, .device = "sim", .compiler = compiler};
    struct grade_report *report;
    struct diagnostic diagnostic = {0};
    ck_assert_msg(grade_wait(lesson_set_find(&lessons, number), &options, 0, NULL, NULL, &report, &diagnostic) ==
                      STATUS_OK,
                  "%s: %s", entry->name, diagnostic.message);
    const struct corpus_want *want = corpus_want_for(entry, compiler, "sim");
    ck_assert_msg(corpus_judge(want, report, got, sizeof got), "%s, %s: %s; want %s", entry->name, compiler, got,
                  want->text);
    grade_report_free(report);
}
END_TEST

// Sizes are drawn near 8192 x 8192, where an H200 takes 146 us: blocks at the edge must not make a launch that waits
// for DRAM faster.
START_TEST(a_size_that_is_drawn_takes_about_as_long_as_the_one_measured)
{
    if (!has_compiler[0] && !has_compiler[1]) {
        skip_check("no compiler");
        return;
    }
    struct grade_options options = {.source = "solutions/05-swizzling.cu", .device = "sim", .seed = (uint64_t)_i};
    struct grade_report *report;
    struct diagnostic diagnostic = {0};
    ck_assert_msg(grade_wait(lesson_set_find(&lessons, "5"), &options, 0, NULL, NULL, &report, &diagnostic) ==
                      STATUS_OK,
                  "%s", diagnostic.message);
    double us = report->record.model.us;
    ck_assert_msg(us > 130 && us < 170, "seed %d: %g us", _i, us);
    grade_report_free(report);
}
END_TEST

static const struct {
    const char *line;
    bool good;
} headers[] = {
    {"// lesson 4; device sim,gpu; nvcc,clang; want: fail, gate conflicts; tries: an atomic; and a store", true},
    {"// lesson 4; device sim; clang; quick; want: fail|timeout; want clang: full, at least 100; tries: x\r", true},
    {"// lesson 4; device sim; clang; want: wrong; tries: no such verdict", false},
    {"// lesson 4; device sim; clang; want: fail, gates conflicts; tries: no such clause", false},
    {"// lesson 4; device sim; want: fail; tries: no compiler", false},
    {"// lesson 4; device sim; clang; want: fail", false},
    {"LAUNCH(32, 8, 32, 32)", false},
};

START_TEST(a_header_says_what_is_wanted)
{
    struct corpus_case entry = {0};
    struct diagnostic diagnostic = {0};
    enum status status = corpus_header(headers[_i].line, &entry, &diagnostic);
    ck_assert_msg((status == STATUS_OK) == headers[_i].good, "%s: %s", headers[_i].line, diagnostic.message);
    if (_i == 0) {
        ck_assert_int_eq(entry.lesson, 4);
        ck_assert_str_eq(entry.tries, "an atomic; and a store");
        ck_assert_str_eq(entry.wants[0].gates[0], "conflicts");
        ck_assert(corpus_uses(&entry, "nvcc", "gpu") && !entry.quick);
    }
    if (_i == 1) {
        ck_assert(corpus_want_for(&entry, "clang", "sim")->full && !corpus_want_for(&entry, "nvcc", "sim")->full);
        ck_assert(!corpus_uses(&entry, "nvcc", "sim") && entry.quick);
    }
}
END_TEST

START_TEST(a_report_is_held_against_what_is_wanted)
{
    struct corpus_case entry = {0};
    struct grade_gate gates[] = {{.id = "correct", .passed = true}, {.id = "speed", .skipped = true}, {.id = "tile"}};
    struct grade_report report = {.verdict = VERDICT_FAIL, .score = 90, .gates = gates, .gate_count = 3, .next = "Do."};
    char got[200];
    static const struct {
        const char *want;
        bool right;
    } wants[] = {
        {"fail", true},
        {"fail, gate tile", true},
        {"fail, gate correct|tile", true},
        {"full", false},
        {"pass|fail", true},
        {"fail, gate speed", false},
        {"fail, at most 89", false},
        {"timeout", false},
        {"not-started", false},
        {"fail, at least 90", true},
        {"fail, diagnosis race", false},
        {"refused", false},
        {"not-started|fail", true},
    };
    for (size_t i = 0; i < sizeof wants / sizeof *wants; i++) {
        char line[200];
        snprintf(line, sizeof line, "// lesson 4; device sim; clang; want: %s; tries: x", wants[i].want);
        entry = (struct corpus_case){0};
        ck_assert_int_eq(corpus_header(line, &entry, NULL), STATUS_OK);
        ck_assert_msg(corpus_judge(entry.wants, &report, got, sizeof got) == wants[i].right, "%s: %s", line, got);
    }
    ck_assert_str_eq(got, "fail 90; gates: correct half, speed skipped, tile");
    snprintf(report.next, sizeof report.next, "\033[2J");
    ck_assert(!corpus_judge(entry.wants, &report, got, sizeof got));
}
END_TEST

START_TEST(every_source_has_a_header)
{
    struct corpus again;
    struct diagnostic diagnostic = {0};
    ck_assert_msg(corpus_read(&again, &diagnostic) == STATUS_OK, "%s: %s", diagnostic.file, diagnostic.message);
    corpus_free(&again);
}
END_TEST

// What it finds lives as long as the process: loop tests want their number before they run.
static int find_quick_cases(void)
{
    int count = 0;
    if (corpus_read(&corpus, NULL) != STATUS_OK)
        return 0; // told by a test
    quick_cases = calloc(corpus.count + 1, sizeof(*quick_cases));
    for (size_t i = 0; i < corpus.count; i++)
        if (corpus.cases[i].quick && corpus.cases[i].sim)
            quick_cases[count++] = &corpus.cases[i];
    return count;
}

Suite *suite_hand_ins(void)
{
    Suite *suite = suite_create("hand_ins");
    TCase *tests = tcase_create("hand_ins");
    tcase_set_timeout(tests, 60);
    tcase_add_unchecked_fixture(tests, open_corpus, close_corpus);
    tcase_add_loop_test(tests, a_quick_case_gets_the_verdict_it_must, 0, find_quick_cases());
    tcase_add_loop_test(tests, a_size_that_is_drawn_takes_about_as_long_as_the_one_measured, 3, 6);
    tcase_add_test(tests, every_source_has_a_header);
    tcase_add_loop_test(tests, a_header_says_what_is_wanted, 0, sizeof headers / sizeof *headers);
    tcase_add_test(tests, a_report_is_held_against_what_is_wanted);
    suite_add_tcase(suite, tests);
    return suite;
}
