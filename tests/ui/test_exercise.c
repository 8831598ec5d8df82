// Saves as editors make them, and where editors are sent.
#include <check.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ui/exercise.h"

Suite *suite_exercise(void);

static char folder[64], file[128], other[128];
static struct file_watch watch;

static void put(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    fclose(out);
}

static void open_folder(void)
{
    strcpy(folder, "/tmp/bankshot-watch.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/a.cu", folder);
    snprintf(other, sizeof other, "%s/a.cu.tmp", folder);
    put(file, "one");
    watch_open(&watch);
    watch_file(&watch, file);
}

static void close_folder(void)
{
    watch_close(&watch);
    unlink(file);
    unlink(other);
    rmdir(folder);
}

static bool changed(void)
{
    struct pollfd wanted = {watch.descriptor, POLLIN, 0};
    poll(&wanted, 1, 0);
    return watch_changed(&watch);
}

START_TEST(a_plain_write_is_seen)
{
    ck_assert(!changed());
    put(file, "two");
    ck_assert(changed());
    ck_assert(!changed());
}
END_TEST

START_TEST(an_atomic_rename_is_seen_again_and_again)
{
    for (int i = 0; i < 3; i++) {
        put(other, "new");
        ck_assert(!changed());
        ck_assert_int_eq(rename(other, file), 0);
        ck_assert(changed());
    }
}
END_TEST

START_TEST(a_removed_and_rewritten_file_is_seen)
{
    unlink(file);
    changed();
    put(file, "again");
    ck_assert(changed());
}
END_TEST

// A change of branches, a stash, an `rm -r` and a new `bankshot init`.
START_TEST(a_folder_that_is_made_again_is_watched_again)
{
    char moved[96];
    snprintf(moved, sizeof moved, "%s.moved", folder);
    for (int i = 0; i < 3; i++) {
        bool moves = i == 1; // moved away, or removed
        unlink(file);
        ck_assert_int_eq(moves ? rename(folder, moved) : rmdir(folder), 0);
        ck_assert(changed());
        ck_assert_int_eq(mkdir(folder, 0755), 0);
        changed();
        put(file, "again");
        ck_assert(changed());
        put(file, "and again");
        ck_assert(changed());
        ck_assert(!changed());
        if (moves)
            rmdir(moved);
    }
}
END_TEST

START_TEST(editors_are_opened_at_the_line)
{
    static const struct {
        const char *editor, *first, *second;
    } cases[] = {{"vim", "+12", "x.cu"},  {"/usr/bin/nvim -p", "+12", "x.cu"},
                 {"nano", "+12", "x.cu"}, {"code --wait", "--goto", "x.cu:12"},
                 {"hx", "x.cu:12", NULL}, {"sed -i s/a/b/", "x.cu", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char place[128];
        const char *words[3];
        editor_arguments(cases[i].editor, "x.cu", 12, place, sizeof place, words);
        ck_assert_str_eq(words[0], cases[i].first);
        if (cases[i].second)
            ck_assert_str_eq(words[1], cases[i].second);
        else
            ck_assert_ptr_null(words[1]);
    }
}
END_TEST

START_TEST(a_source_is_read_whole_or_not_at_all)
{
    struct diagnostic diagnostic = {0};
    FILE *out = fopen(file, "w");
    ck_assert_ptr_nonnull(out);
    fwrite("a\0b", 1, 3, out);
    fclose(out);
    char *text = exercise_read(file, &diagnostic);
    ck_assert_str_eq(text, "a\1b");
    free(text);
    ck_assert_int_eq(truncate(file, (1 << 20) + 1), 0);
    ck_assert_ptr_null(exercise_read(file, &diagnostic));
    ck_assert_ptr_nonnull(strstr(diagnostic.message, "1048577 bytes"));
    ck_assert_ptr_null(exercise_read(folder, &diagnostic));
    ck_assert_ptr_nonnull(strstr(diagnostic.message, "not a regular file"));
}
END_TEST

Suite *suite_exercise(void)
{
    Suite *suite = suite_create("exercise");
    TCase *saves = tcase_create("saves");
    tcase_add_checked_fixture(saves, open_folder, close_folder);
    tcase_add_test(saves, a_source_is_read_whole_or_not_at_all);
    tcase_add_test(saves, a_plain_write_is_seen);
    tcase_add_test(saves, an_atomic_rename_is_seen_again_and_again);
    tcase_add_test(saves, a_removed_and_rewritten_file_is_seen);
    tcase_add_test(saves, a_folder_that_is_made_again_is_watched_again);
    suite_add_tcase(suite, saves);
    TCase *editors = tcase_create("editors");
    tcase_add_test(editors, editors_are_opened_at_the_line);
    suite_add_tcase(suite, editors);
    return suite;
}
