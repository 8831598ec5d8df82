#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "course/course.h"

Suite *suite_course(void);

static struct arena *arena;
static struct diagnostic diagnostic;

static void set_up(void)
{
    arena = arena_new();
    diagnostic = (struct diagnostic){0};
}

static void tear_down(void)
{
    arena_free(arena);
}

static struct course read_course(const char *text)
{
    struct course course;
    ck_assert_msg(course_read("course.cfg", text, arena, &course, &diagnostic) == STATUS_OK, "%s (line %d)",
                  diagnostic.message, diagnostic.line);
    return course;
}

// Seconds since 1970 of the only lesson's due date.
static int64_t due(const char *zone, const char *when)
{
    char text[256];
    snprintf(text, sizeof text, "%s lessons = ( { name = \"padding\"; due = \"%s\"; } );", zone, when);
    return read_course(text).lessons[0].time / 1000000000;
}

START_TEST(due_dates_are_in_their_time_zone)
{
    setenv("TZ", "Asia/Tokyo", 1); // where the machine is does not matter
    ck_assert_int_eq(due("", "2026-11-30 23:59"), 1796083140);
    ck_assert_int_eq(due("", "2026-11-30 23:59 +01:00"), 1796083140 - 3600);
    ck_assert_int_eq(due("time_zone = \"-0730\";", "2026-11-30 23:59"), 1796083140 + 27000);
    ck_assert_str_eq(getenv("TZ"), "Asia/Tokyo");
    ck_assert_int_eq(due("", "9999-12-31 23:59"), INT64_MAX / 1000000000); // never
    struct course course;
    if (course_read("c", "time_zone = \"Europe/Berlin\"; lessons = ( { name = \"a\"; due = \"2026-07-01 12:00\"; } );",
                    arena, &course, &diagnostic) == STATUS_OK) {           // where tzdata is
        ck_assert_int_eq(course.lessons[0].time / 1000000000, 1782900000); // summer time
        ck_assert_int_eq(due("time_zone = \"Europe/Berlin\";", "2026-11-30 23:59"), 1796083140 - 3600);
        ck_assert_int_eq(due("time_zone = \"Europe/Berlin\";", "2026-11-30 23:59 UTC"), 1796083140);
    } else {
        ck_assert_ptr_nonnull(strstr(diagnostic.message, "install tzdata"));
    }
}
END_TEST

static const struct {
    const char *text, *says;
    int line;
} mistakes[] = {
    {"late_days = 2;\nlate_penaltie = 5;", "did you mean \"late_penalty\"", 2},
    {"\nattempt = \"first\";", "unknown attempt \"first\"", 2},
    {"late_penalty = 120;", "a percentage from 0 to 100", 1},
    {"late_days = -1;", "a whole number from 0", 1},
    {"lessons = (\n { weight = 2; } );", "lacks \"name\"", 2},
    {"lessons = (\n { name = \"a\"; weight = -2; } );", "a number from 0", 2},
    {"lessons = (\n { name = \"a\"; weight = 1e308; } );", "to 1000000", 2},
    {"\ntime_zone = \"Nowhere/X\";", "does not know the time zone", 2},
    {"lessons = (\n { name = \"a\"; },\n { name = \"a\"; } );", "is there twice", 1},
    {"lessons = (\n { name = \"a\";\n due = \"2026-02-30 10:00\"; } );", "is a time that there is not", 3},
    {"lessons = (\n { name = \"a\";\n due = \"1026-11-30 23:59\"; } );", "lies before 1970", 3},
    {"lessons = (\n { name = \"a\";\n due = \"tomorrow\"; } );", "is no time such as", 3},
    {"lessons = (\n { name = \"a\";\n due = \"2026-02-20 10:00 Europe/../passwd\"; } );", "names a time zone", 3},
    {"lessons = (\n { name = \"a\";\n due = \"2026-02-20 10:00 Mars/Olympus\"; } );", "names a time zone", 3},
    {"lessons = (\n { name = ", "syntax error", 3},
};

START_TEST(a_mistake_is_told_with_its_line)
{
    struct course course;
    ck_assert_int_eq(course_read("course.cfg", mistakes[_i].text, arena, &course, &diagnostic), STATUS_PARSE);
    ck_assert_msg(strstr(diagnostic.message, mistakes[_i].says) != NULL, "%s", diagnostic.message);
    ck_assert_str_eq(diagnostic.file, "course.cfg");
    ck_assert_msg(diagnostic.line == mistakes[_i].line || strcmp(mistakes[_i].says, "syntax error") == 0, "line %d",
                  diagnostic.line);
}
END_TEST

static const int64_t day = INT64_C(86400) * 1000000000;

static struct gradebook_attempt attempt(const char *student, const char *lesson, int number, int64_t time, double score)
{
    return (struct gradebook_attempt){.student = student,
                                      .lesson = lesson,
                                      .path = number ? "x" : "",
                                      .state = number ? GRADEBOOK_FILE : GRADEBOOK_MISSING,
                                      .number = number,
                                      .time = time,
                                      .result = {.is_graded = number, .verdict = VERDICT_FAIL, .score = score}};
}

START_TEST(lateness_and_attempts_count_as_the_course_says)
{
    const int64_t end = INT64_C(1796083140) * 1000000000;
    const struct gradebook_attempt attempts[] = {
        attempt("ada", "04-padding", 1, end, 60),
        attempt("ada", "04-padding", 2, end + 1, 100), // a day begun
        attempt("bob", "04-padding", 1, end - day, 90),
        attempt("bob", "04-padding", 2, end + day, 80),
        attempt("bob", "09-other", 1, end, 100), // counts nothing
        attempt("cai", "04-padding", 1, end + 2 * day + 1, 100),
        attempt("dan", "04-padding", 0, 0, 0),
    };
    static const char lessons[] = "late_days = 2; late_penalty = 25; attempt = \"%s\"; lessons = ( { name = \"4\"; due "
                                  "= \"2026-11-30 23:59\"; }, { name = \"swizzling\"; weight = 3; } );";
    static const struct {
        const char *attempt;
        double marks[4];
    } cases[] = {{"last", {75, 60, 0, 0}}, {"best", {75, 90, 0, 0}}};
    for (int i = 0; i < 2; i++) {
        char text[512];
        size_t count;
        snprintf(text, sizeof text, lessons, cases[i].attempt);
        struct course course = read_course(text);
        struct course_mark *marks = course_marks(&course, attempts, 7, arena, &count);
        ck_assert_uint_eq(count, 4);
        for (size_t j = 0; j < 4; j++) {
            ck_assert_msg(marks[j].mark == cases[i].marks[j], "%s %s: %g", cases[i].attempt, marks[j].student,
                          marks[j].mark);
            ck_assert(marks[j].is_known);
        }
        ck_assert_int_eq(marks[2].late_days, 3);
    }
}
END_TEST

// Where an attempt that may count is not graded, there is no mark: neither 0 nor that of another attempt.
START_TEST(what_the_machine_could_not_grade_is_no_mark)
{
    struct gradebook_attempt attempts[] = {attempt("ada", "04-padding", 1, 0, 60),
                                           attempt("ada", "04-padding", 2, 1, 0)};
    static const char *const texts[] = {NULL, "attempt = \"best\";"};
    bool is_known;
    attempts[1].result.verdict = VERDICT_INFRASTRUCTURE;
    for (int i = 0; i < 2; i++) {
        size_t count;
        struct course course = read_course(texts[i]);
        struct course_mark *marks = course_marks(&course, attempts, 2, arena, &count);
        ck_assert_uint_eq(count, 1);
        ck_assert(!marks[0].is_known);
        course_total(marks, 1, &count, &is_known);
        ck_assert(!is_known);
    }
}
END_TEST

START_TEST(a_total_is_the_mean_by_weight)
{
    const struct gradebook_attempt attempts[] = {attempt("ada", "04-padding", 1, 0, 60),
                                                 attempt("ada", "05-swizzling", 1, 0, 100),
                                                 attempt("bob", "04-padding", 1, 0, 10)};
    size_t count, mark_count;
    bool is_known;
    struct course course = read_course("lessons = ( { name = \"padding\"; }, { name = \"5\"; weight = 3; } );");
    struct course_mark *marks = course_marks(&course, attempts, 3, arena, &mark_count);
    ck_assert_double_eq(course_total(marks, mark_count, &count, &is_known), 90);
    ck_assert_uint_eq(count, 2);
    ck_assert(is_known);
}
END_TEST

Suite *suite_course(void)
{
    Suite *suite = suite_create("course");
    TCase *tests = tcase_create("course");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, due_dates_are_in_their_time_zone);
    tcase_add_loop_test(tests, a_mistake_is_told_with_its_line, 0, (int)(sizeof mistakes / sizeof *mistakes));
    tcase_add_test(tests, lateness_and_attempts_count_as_the_course_says);
    tcase_add_test(tests, what_the_machine_could_not_grade_is_no_mark);
    tcase_add_test(tests, a_total_is_the_mean_by_weight);
    suite_add_tcase(suite, tests);
    return suite;
}
