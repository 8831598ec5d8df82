#include <check.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "course/gradebook.h"

Suite *suite_gradebook(void);

static char root[64], file[80];
static struct arena *arena;

static void set_up(void)
{
    snprintf(root, sizeof root, "/tmp/bankshot-gradebook-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    snprintf(file, sizeof file, "%s/book", root);
    arena = arena_new();
}

static void tear_down(void)
{
    arena_free(arena);
    file_remove_tree(root);
}

#define DONE(call)                                                                                                     \
    do {                                                                                                               \
        struct diagnostic diagnostic = {0};                                                                            \
        ck_assert_msg((call) == STATUS_OK, "%s", diagnostic.message);                                                  \
    } while (0)

static struct gradebook *open_book(void)
{
    struct gradebook *book;
    DONE(gradebook_open(file, GRADEBOOK_KEEP, &book, &diagnostic));
    return book;
}

static struct gradebook_run add_run(struct gradebook *book)
{
    struct gradebook_run run = {.seed = 7, .compiler = "clang 14.0", .device = "sim"};
    DONE(gradebook_add_run(book, &run, &diagnostic));
    return run;
}

static int64_t hand_in(struct gradebook *book, const struct gradebook_run *run, const char *student, const char *bytes,
                       int64_t when)
{
    struct gradebook_hand_in entry = {.student = student,
                                      .lesson = "04-padding",
                                      .state = GRADEBOOK_FILE,
                                      .path = "class/x/padding.cu",
                                      .bytes = bytes,
                                      .length = bytes ? strlen(bytes) : 0,
                                      .time = when,
                                      .lesson_print = 1};
    int64_t grading;
    DONE(gradebook_enter(book, run, &entry, &grading, &diagnostic));
    return grading;
}

static void grade(struct gradebook *book, int64_t grading, enum verdict verdict, double score)
{
    static struct grade_gate gates[] = {{.id = "correct", .message = "", .passed = true, .points = 60, .earned = 60},
                                        {.id = "banks", .message = "pad it", .points = 40, .asked = "x == 0"}};
    struct grade_report *report = grade_report_new();
    report->lesson_id = "04-padding";
    report->verdict = verdict;
    report->score = score;
    report->gates = gates;
    report->gate_count = 2;
    snprintf(report->diagnosis, sizeof report->diagnosis, "%s", verdict == VERDICT_PASS ? "" : "no-padding");
    DONE(gradebook_grade(book, grading, report, &diagnostic));
    grade_report_free(report);
}

static struct gradebook_attempt *attempts(struct gradebook *book, size_t count)
{
    struct gradebook_attempt *found;
    size_t found_count;
    DONE(gradebook_attempts(book, arena, &found, &found_count, &diagnostic));
    ck_assert_uint_eq(found_count, count);
    return found;
}

START_TEST(names_that_are_no_text_come_back_as_they_were)
{
    static const char name[] = "M\xfcller\x1b[31m'; DROP TABLE student; --";
    struct gradebook *book = open_book();
    struct gradebook_run run = add_run(book);
    struct gradebook_hand_in entry = {.student = name, .lesson = "04-padding", .state = GRADEBOOK_LINK};
    int64_t grading;
    hand_in(book, &run, "\xff", "int x;", 5);
    DONE(gradebook_enter(book, &run, &entry, &grading, &diagnostic));
    ck_assert_int_eq(grading, 0);
    gradebook_close(book);
    book = open_book();
    struct gradebook_attempt *found = attempts(book, 2);
    ck_assert_str_eq(found[0].student, name);
    ck_assert_int_eq(found[0].state, GRADEBOOK_LINK);
    ck_assert_int_eq(found[0].number, 0);
    ck_assert_str_eq(found[0].path, "");
    ck_assert_str_eq(found[1].student, "\xff");
    ck_assert_str_eq(found[1].path, "class/x/padding.cu");
    ck_assert(!found[1].result.is_graded);
    gradebook_close(book);
}
END_TEST

START_TEST(equal_sources_have_one_grading)
{
    struct gradebook *book = open_book();
    struct gradebook_run run = add_run(book);
    int64_t ada = hand_in(book, &run, "ada", "int x;", 5), bob = hand_in(book, &run, "bob", "int x;", 6);
    ck_assert_int_eq(ada, bob);
    ck_assert_int_ne(ada, hand_in(book, &run, "cai", "int y;", 6));
    // what cannot be read is like nothing else
    ck_assert_int_ne(hand_in(book, &run, "dan", NULL, 6), hand_in(book, &run, "eve", NULL, 6));
    ck_assert_int_eq(hand_in(book, &run, "fay", "", 6), hand_in(book, &run, "gus", "", 6));
    gradebook_close(book);
}
END_TEST

START_TEST(another_content_is_another_attempt_and_the_first_time_of_one_counts)
{
    struct gradebook *book = open_book();
    struct gradebook_run run = add_run(book);
    int64_t first = hand_in(book, &run, "ada", "int x;", 50);
    ck_assert_int_eq(first, hand_in(book, &run, "ada", "int x;", 70));
    ck_assert_int_eq(first, hand_in(book, &run, "ada", "int x;", 40));
    int64_t second = hand_in(book, &run, "ada", "int y;", 80);
    grade(book, first, VERDICT_FAIL, 60);
    grade(book, second, VERDICT_PASS, 100);
    struct gradebook_attempt *found = attempts(book, 2);
    ck_assert_int_eq(found[0].number, 1);
    ck_assert_int_eq(found[0].count, 2);
    ck_assert_int_eq(found[0].time, 40);
    ck_assert_str_eq(found[0].result.diagnosis, "no-padding");
    ck_assert_int_eq(found[1].time, 80);
    ck_assert_int_eq(found[1].result.verdict, VERDICT_PASS);
    ck_assert_double_eq(found[1].result.score, 100);
    // back to the first text: a third attempt, graded already
    ck_assert_int_eq(hand_in(book, &run, "ada", "int x;", 90), first);
    found = attempts(book, 3);
    ck_assert_int_eq(found[2].grading, first);
    gradebook_close(book);
}
END_TEST

START_TEST(another_run_or_another_lesson_text_is_graded_anew)
{
    struct gradebook *book = open_book();
    struct gradebook_run run = add_run(book), last;
    int64_t first = hand_in(book, &run, "ada", "int x;", 5), changed;
    struct gradebook_hand_in entry = {.student = "ada",
                                      .lesson = "04-padding",
                                      .state = GRADEBOOK_FILE,
                                      .path = "p",
                                      .bytes = "int x;",
                                      .length = 6,
                                      .lesson_print = 2};
    grade(book, first, VERDICT_PASS, 100);
    DONE(gradebook_enter(book, &run, &entry, &changed, &diagnostic));
    ck_assert_int_ne(changed, first);
    ck_assert(!attempts(book, 1)->result.is_graded);
    run = add_run(book);
    ck_assert_int_ne(hand_in(book, &run, "ada", "int x;", 5), first);
    DONE(gradebook_last_run(book, &last, &diagnostic));
    ck_assert_int_eq(last.id, run.id);
    ck_assert_uint_eq(last.seed, 7);
    ck_assert_str_eq(last.compiler, "clang 14.0");
    gradebook_close(book);
}
END_TEST

// A run that was killed, refused by Slurm or stopped by the machine takes no mark away.
START_TEST(a_run_without_a_mark_leaves_that_of_the_run_before)
{
    struct gradebook *book = open_book();
    struct gradebook_run run = add_run(book);
    grade(book, hand_in(book, &run, "ada", "int x;", 5), VERDICT_PASS, 100);
    grade(book, hand_in(book, &run, "bob", "int y;", 5), VERDICT_FAIL, 20);
    run = add_run(book);
    int64_t best = hand_in(book, &run, "ada", "int x;", 5), fault;
    grade(book, best, VERDICT_FAIL, 60);
    run = add_run(book);
    hand_in(book, &run, "ada", "int x;", 5);
    hand_in(book, &run, "bob", "int z;", 6);
    run = add_run(book);
    fault = hand_in(book, &run, "ada", "int x;", 5);
    grade(book, fault, VERDICT_INFRASTRUCTURE, 0);
    struct gradebook_attempt *found = attempts(book, 3);
    ck_assert_double_eq(found[0].result.score, 60); // of the newest that graded it
    ck_assert_int_eq(found[0].grading, best);
    ck_assert(found[0].is_other_run);
    ck_assert_double_eq(found[1].result.score, 20);
    ck_assert(!found[1].is_other_run);
    ck_assert(!found[2].result.is_graded); // another text
    ck_assert(!found[2].is_other_run && found[2].grading);
    grade(book, fault, VERDICT_PASS, 100);
    found = attempts(book, 3);
    ck_assert_double_eq(found[0].result.score, 100);
    ck_assert(!found[0].is_other_run && found[0].grading == fault);
    gradebook_close(book);
}
END_TEST

static int64_t number(const char *sql)
{
    sqlite3 *database;
    sqlite3_stmt *statement;
    ck_assert_int_eq(sqlite3_open(file, &database), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
    int64_t value = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return value;
}

START_TEST(a_report_comes_back_with_its_gates_and_source)
{
    struct gradebook *book = open_book();
    struct gradebook_run run = add_run(book);
    int64_t grading = hand_in(book, &run, "ada", "int x;", 5);
    struct grade_report *report;
    char *bytes;
    size_t length;
    DONE(gradebook_report(book, grading, &report, &diagnostic));
    ck_assert_ptr_null(report);
    grade(book, grading, VERDICT_INFRASTRUCTURE, 0);
    grade(book, grading, VERDICT_FAIL, 60);
    DONE(gradebook_report(book, grading, &report, &diagnostic));
    ck_assert_int_eq(report->verdict, VERDICT_FAIL);
    ck_assert_uint_eq(report->gate_count, 2);
    ck_assert_str_eq(report->gates[1].message, "pad it");
    ck_assert_ptr_null(report->source);
    grade_report_free(report);
    DONE(gradebook_source(book, grading, &bytes, &length, &diagnostic));
    ck_assert_str_eq(bytes, "int x;");
    ck_assert_uint_eq(length, 6);
    free(bytes);
    gradebook_close(book);
    ck_assert_int_eq(number("SELECT count(*) FROM gate"), 2);
    ck_assert_int_eq(number("SELECT tries FROM grading"), 2);
}
END_TEST

START_TEST(marks_are_for_their_owner_and_leave_one_file)
{
    struct stat info;
    char wal[96];
    struct gradebook *book = open_book();
    add_run(book);
    gradebook_close(book);
    ck_assert_int_eq(stat(file, &info), 0);
    ck_assert_int_eq((int)(info.st_mode & 0777), 0600);
    snprintf(wal, sizeof wal, "%s-wal", file);
    ck_assert(!file_exists(wal));
    ck_assert_int_eq(number("PRAGMA user_version"), GRADEBOOK_VERSION);
}
END_TEST

START_TEST(a_newer_one_or_another_file_is_refused_and_left_alone)
{
    static const struct {
        const char *content, *sql, *says;
    } cases[] = {{"not a database, but long enough for SQLite to look at it as if it were one, with a header of 100 "
                  "bytes",
                  NULL, "is not a gradebook"},
                 {NULL, "CREATE TABLE photo (x)", "is a database, but not a gradebook"},
                 {NULL, "PRAGMA application_id = 1112753986; PRAGMA user_version = 99; CREATE TABLE run (x)",
                  "was made by a newer Bankshot (gradebook version 99"}};
    const char *content = cases[_i].content;
    struct diagnostic why = {0};
    struct gradebook *book;
    char *before, *after;
    size_t before_length, after_length;
    if (content)
        DONE(file_write(file, content, strlen(content), &diagnostic));
    else
        number("SELECT 1");
    if (cases[_i].sql) {
        sqlite3 *database;
        ck_assert_int_eq(sqlite3_open(file, &database), SQLITE_OK);
        ck_assert_int_eq(sqlite3_exec(database, cases[_i].sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(database);
    }
    DONE(file_read(file, 1 << 20, &before, &before_length, &diagnostic));
    ck_assert_int_ne(gradebook_open(file, GRADEBOOK_KEEP, &book, &why), STATUS_OK);
    ck_assert_ptr_null(book);
    ck_assert_msg(strstr(why.message, cases[_i].says) && strstr(why.message, file), "%s", why.message);
    DONE(file_read(file, 1 << 20, &after, &after_length, &diagnostic));
    ck_assert(before_length == after_length && memcmp(before, after, after_length) == 0);
    free(before);
    free(after);
}
END_TEST

// As Bankshot kept it in version 1, with two attempts of one student; it is opened to be read.
START_TEST(an_older_one_is_brought_up_to_date_and_keeps_all)
{
    static const char *const steps[] = {
#define GRADEBOOK_STEP(sql) sql,
#include "course/gradebook.def"
#undef GRADEBOOK_STEP
    };
    static const char content[] =
        "PRAGMA application_id = 1112753986; PRAGMA user_version = 1;"
        "INSERT INTO run VALUES (1, 7, 'clang 14.0', 'sim', '', '0.1');"
        "INSERT INTO student VALUES (1, x'4dff'); INSERT INTO submission VALUES (1, 1, '04-padding', 'file');"
        "INSERT INTO source VALUES (1, 5, x'696e7420783b'), (2, 6, NULL);"
        "INSERT INTO grading VALUES (1, 1, '04-padding', 1, 1, 1, 'fail', 60.0, 0, 'no-padding', 'pad', 1.0, NULL),"
        " (2, 1, '04-padding', 1, 2, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL);"
        "INSERT INTO gate VALUES (1, 1, 'correct', 1, 0, 1, 60.0, 60.0, '', '', '');"
        "INSERT INTO attempt VALUES (1, 1, 1, 1, 1, 'p', 40), (2, 1, 2, 2, 2, 'p', 50)";
    sqlite3 *database;
    struct gradebook *book;
    ck_assert_int_eq(sqlite3_open(file, &database), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(database, steps[0], NULL, NULL, NULL), SQLITE_OK);
    int code = sqlite3_exec(database, content, NULL, NULL, NULL);
    ck_assert_msg(code == SQLITE_OK, "%s", sqlite3_errmsg(database));
    sqlite3_close(database);
    DONE(gradebook_open(file, GRADEBOOK_READ, &book, &diagnostic));
    struct gradebook_attempt *found = attempts(book, 2);
    ck_assert_str_eq(found[0].student, "M\xff");
    ck_assert_double_eq(found[0].result.score, 60);
    ck_assert_str_eq(found[0].result.next, "pad");
    ck_assert(!found[1].result.is_graded);
    grade(book, found[1].grading, VERDICT_PASS, 100);
    gradebook_close(book);
    ck_assert_int_eq(number("PRAGMA user_version"), GRADEBOOK_VERSION);
    ck_assert_int_eq(number("SELECT count(*) FROM gate"), 3);
    ck_assert_int_eq(number("SELECT count(*) FROM grading WHERE graded IS NULL"), 1);
    ck_assert_int_eq(number("SELECT count(*) FROM pragma_foreign_key_check"), 0);
}
END_TEST

// Who is killed while it is brought up to date leaves the version that there was.
START_TEST(an_update_that_fails_changes_nothing)
{
    sqlite3 *database;
    struct gradebook *book;
    struct diagnostic why = {0};
    ck_assert_int_eq(sqlite3_open(file, &database), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(database,
                                  "CREATE TABLE attempt (id); PRAGMA application_id = 1112753986; PRAGMA user_version "
                                  "= 1; CREATE TABLE grading (id)",
                                  NULL, NULL, NULL),
                     SQLITE_OK); // no column to make the index of
    sqlite3_close(database);
    ck_assert_int_ne(gradebook_open(file, GRADEBOOK_KEEP, &book, &why), STATUS_OK);
    ck_assert_int_eq(number("PRAGMA user_version"), 1);
    ck_assert_int_eq(number("SELECT count(*) FROM pragma_table_info('grading')"), 1);
}
END_TEST

START_TEST(one_that_is_not_there_is_not_made_for_reading)
{
    struct gradebook *book;
    struct diagnostic diagnostic = {0};
    ck_assert_int_eq(gradebook_open(file, GRADEBOOK_READ, &book, &diagnostic), STATUS_IO);
    ck_assert(!file_exists(file));
}
END_TEST

// A kill between two changes or in one of them leaves all that was committed, and nothing half.
START_TEST(kill_loses_nothing_that_was_kept)
{
    for (int i = 0; i < 5; i++) {
        pid_t child = fork();
        if (child == 0) {
            struct gradebook *book = open_book();
            struct gradebook_run run = add_run(book);
            for (int64_t j = 0;; j++) {
                char bytes[32];
                snprintf(bytes, sizeof bytes, "int x%d;", (int)j);
                grade(book, hand_in(book, &run, "ada", bytes, j), VERDICT_FAIL, 60);
            }
        }
        usleep(30000u + 17000u * (unsigned)i);
        kill(child, SIGKILL);
        ck_assert_int_eq(waitpid(child, NULL, 0), child);
        gradebook_close(open_book());
        ck_assert_int_eq(number("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"), 0);
        ck_assert_int_eq(number("SELECT count(*) FROM grading WHERE (verdict IS NULL) <> ((SELECT count(*) FROM gate "
                                "WHERE grading = grading.id) = 0)"),
                         0);
    }
}
END_TEST

Suite *suite_gradebook(void)
{
    Suite *suite = suite_create("gradebook");
    TCase *tests = tcase_create("gradebook");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, names_that_are_no_text_come_back_as_they_were);
    tcase_add_test(tests, equal_sources_have_one_grading);
    tcase_add_test(tests, another_content_is_another_attempt_and_the_first_time_of_one_counts);
    tcase_add_test(tests, another_run_or_another_lesson_text_is_graded_anew);
    tcase_add_test(tests, a_run_without_a_mark_leaves_that_of_the_run_before);
    tcase_add_test(tests, a_report_comes_back_with_its_gates_and_source);
    tcase_add_test(tests, marks_are_for_their_owner_and_leave_one_file);
    tcase_add_loop_test(tests, a_newer_one_or_another_file_is_refused_and_left_alone, 0, 3);
    tcase_add_test(tests, an_older_one_is_brought_up_to_date_and_keeps_all);
    tcase_add_test(tests, an_update_that_fails_changes_nothing);
    tcase_add_test(tests, one_that_is_not_there_is_not_made_for_reading);
    tcase_add_test(tests, kill_loses_nothing_that_was_kept);
    suite_add_tcase(suite, tests);
    return suite;
}
