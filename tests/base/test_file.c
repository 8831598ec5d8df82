#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/nearest.h"

Suite *suite_file(void);

static char root[64];

static const char *path(const char *name)
{
    static char text[256];
    snprintf(text, sizeof text, "%s/%s", root, name);
    return text;
}

static void make_root(void)
{
    snprintf(root, sizeof root, "/tmp/bankshot-file-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
}

static void remove_root(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(writes_and_reads_any_bytes)
{
    static const char bytes[] = "a\0b\xff\n";
    char *data;
    size_t length;
    ck_assert_int_eq(file_write(path("x"), bytes, sizeof bytes, NULL), STATUS_OK);
    ck_assert_int_eq(file_read(path("x"), 100, &data, &length, NULL), STATUS_OK);
    ck_assert_uint_eq(length, sizeof bytes);
    ck_assert_mem_eq(data, bytes, sizeof bytes);
    free(data);
}
END_TEST

START_TEST(keeps_permissions)
{
    struct stat info;
    ck_assert_int_eq(file_write(path("x"), "1", 1, NULL), STATUS_OK);
    ck_assert_int_eq(chmod(path("x"), 0640), 0);
    ck_assert_int_eq(file_write(path("x"), "2", 1, NULL), STATUS_OK);
    ck_assert_int_eq(stat(path("x"), &info), 0);
    ck_assert_int_eq(info.st_mode & 0777, 0640);
}
END_TEST

START_TEST(refuses_what_is_no_small_regular_file)
{
    char *data;
    size_t length;
    struct diagnostic diagnostic = {0};
    ck_assert_int_eq(file_write(path("large"), "12345", 5, NULL), STATUS_OK);
    ck_assert_int_eq(file_read(path("large"), 4, &data, &length, &diagnostic), STATUS_IO);
    ck_assert_ptr_nonnull(strstr(diagnostic.message, "5 bytes"));
    ck_assert_int_eq(file_read(path("missing"), 4, &data, &length, &diagnostic), STATUS_IO);
    ck_assert_int_eq(file_read(root, 4, &data, &length, &diagnostic), STATUS_IO);
    ck_assert_int_eq(mkfifo(path("fifo"), 0600), 0);
    ck_assert_int_eq(file_read(path("fifo"), 4, &data, &length, &diagnostic), STATUS_IO);
    ck_assert_int_eq(file_write(path("no/such/folder"), "", 0, &diagnostic), STATUS_IO);
}
END_TEST

START_TEST(a_failed_write_leaves_nothing_behind)
{
    ck_assert_int_eq(mkdir(path("folder"), 0700), 0);
    ck_assert_int_eq(file_write(path("folder"), "x", 1, NULL), STATUS_IO);
    ck_assert_int_eq(rmdir(path("folder")), 0);
    ck_assert_msg(rmdir(root) == 0, "%s", strerror(errno)); // nothing else is in it
    ck_assert_int_eq(mkdir(root, 0700), 0);
}
END_TEST

// Only what mkstemp named so, and only when nobody can be writing it any more.
START_TEST(links_and_pipes_stay_what_they_are)
{
    char *data;
    size_t length;
    struct stat info;
    char pipe[256], got[8] = "";
    snprintf(pipe, sizeof pipe, "%s", path("pipe"));
    ck_assert_int_eq(file_write(path("real"), "old", 3, NULL), STATUS_OK);
    ck_assert_int_eq(symlink("real", path("link")), 0);
    ck_assert_int_eq(file_write(path("link"), "new", 3, NULL), STATUS_OK);
    ck_assert(lstat(path("link"), &info) == 0 && S_ISLNK(info.st_mode));
    ck_assert_int_eq(file_read(path("real"), 100, &data, &length, NULL), STATUS_OK);
    ck_assert_str_eq(data, "new");
    free(data);
    ck_assert_int_eq(mkfifo(pipe, 0600), 0);
    int reader = open(pipe, O_RDONLY | O_NONBLOCK);
    ck_assert_int_eq(file_write(pipe, "abc", 3, NULL), STATUS_OK);
    ck_assert_int_eq(read(reader, got, sizeof got), 3);
    close(reader);
    ck_assert(lstat(pipe, &info) == 0 && S_ISFIFO(info.st_mode));
}
END_TEST

START_TEST(what_was_left_by_the_killed_goes)
{
    static const struct {
        const char *name;
        bool old, stays;
    } files[] = {{"p.json.AbC123", true, false},      {"p.json.AbC124", false, true}, {"p.json", true, true},
                 {"p.json.corrupt-2025", true, true}, {"p.json.AbC12", true, true},   {"q.json.AbC123", true, true}};
    const struct timespec old[] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *name = path(files[i].name);
        ck_assert_int_eq(file_write(name, "x", 1, NULL), STATUS_OK);
        if (files[i].old)
            ck_assert_int_eq(utimensat(AT_FDCWD, name, old, 0), 0);
    }
    file_remove_abandoned(path("p.json."));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        ck_assert_msg(file_exists(path(files[i].name)) == files[i].stays, "%s", files[i].name);
}
END_TEST

// As one that was killed: its folder stays, its lock does not.
static void leave_folder(char path[PATH_MAX])
{
    int pipe_ends[2];
    ck_assert_int_eq(pipe(pipe_ends), 0);
    pid_t child = fork();
    if (child == 0) {
        bool made = file_make_own(path) && write(pipe_ends[1], path, PATH_MAX) == PATH_MAX;
        _exit(!made);
    }
    int status = 1;
    ck_assert_int_eq(read(pipe_ends[0], path, PATH_MAX), PATH_MAX);
    ck_assert(waitpid(child, &status, 0) == child && status == 0);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}

// In use: a lock that a process holds, or one that was made just now.
START_TEST(folders_whose_owner_is_gone_are_removed)
{
    char held[PATH_MAX], left[PATH_MAX], fresh[PATH_MAX];
    const struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    snprintf(held, sizeof held, "%s", path("run-XXXXXX"));
    snprintf(left, sizeof left, "%s", path("run-XXXXXX"));
    snprintf(fresh, sizeof fresh, "%s", path("run-XXXXXX"));
    ck_assert(file_make_own(held));
    leave_folder(left);
    leave_folder(fresh);
    ck_assert_int_eq(utimensat(AT_FDCWD, held, old, 0) | utimensat(AT_FDCWD, left, old, 0), 0);
    file_remove_unlocked(path("run-"));
    ck_assert(file_exists(held) && !file_exists(left) && file_exists(fresh));
    file_remove_own(held);
    ck_assert(!file_exists(held));
}
END_TEST

enum { DEEP = 60 };

// A chain of folders whose path is longer than PATH_MAX, each with a file and a link that leads out.
static bool fill_folder(const char *top, const char *outside)
{
    char name[120];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    bool good = chdir(top) == 0;
    for (int i = 0; i < DEEP && good; i++)
        good = symlink(outside, "link") == 0 && file_put("file", "x", 1, NULL) == STATUS_OK && mkdir(name, 0700) == 0 &&
               mkdir("empty", 0700) == 0 && chdir(name) == 0;
    return good && chdir("/") == 0;
}

START_TEST(a_folder_of_ones_own_goes_when_there_is_no_descriptor_left)
{
    char outside[256], inside[300], own[PATH_MAX];
    snprintf(outside, sizeof outside, "%s", path("outside"));
    snprintf(inside, sizeof inside, "%s/file", outside);
    snprintf(own, sizeof own, "%s", path("place/own-XXXXXX"));
    ck_assert_int_eq(mkdir(path("place"), 0700), 0);
    ck_assert_int_eq(file_make_folders(outside, true, NULL), STATUS_OK);
    ck_assert_int_eq(file_put(inside, "x", 1, NULL), STATUS_OK);
    pid_t child = fork();
    if (child == 0) {
        const struct rlimit few = {40, 40};
        bool good = file_make_own(own) && fill_folder(own, outside) && setrlimit(RLIMIT_NOFILE, &few) == 0;
        while (good && dup(0) >= 0)
            ;
        exit(good && errno == EMFILE ? 0 : 1);
    }
    int status = 1;
    ck_assert(waitpid(child, &status, 0) == child && status == 0);
    ck_assert_int_eq(rmdir(path("place")), 0); // nothing is in it
    ck_assert(file_exists(inside));
}
END_TEST

START_TEST(a_file_and_a_deep_tree_are_removed_by_their_path)
{
    char tree[PATH_MAX];
    snprintf(tree, sizeof tree, "%s", path("tree"));
    ck_assert_int_eq(mkdir(tree, 0700), 0);
    ck_assert(fill_folder(tree, path("")));
    file_remove_tree(tree);
    ck_assert(!file_exists(tree) && file_exists(path("")));
    ck_assert_int_eq(file_put(path("single"), "x", 1, NULL), STATUS_OK);
    file_remove_tree(path("single"));
    ck_assert(!file_exists(path("single")));
}
END_TEST

START_TEST(makes_folders_and_backups)
{
    char *backup;
    ck_assert_int_eq(file_make_folders(path("a/b/c"), true, NULL), STATUS_OK);
    ck_assert_int_eq(file_make_folders(path("a/b/c"), true, NULL), STATUS_OK);
    ck_assert(file_is_folder(path("a/b/c")));
    ck_assert_int_eq(file_write(path("x"), "1", 1, NULL), STATUS_OK);
    ck_assert_int_eq(file_make_folders(path("x/y"), true, NULL), STATUS_IO);
    for (int i = 1; i <= 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "x.%d", i);
        ck_assert_int_eq(file_backup(path("x"), &backup, NULL), STATUS_OK);
        ck_assert_str_eq(backup, path(name));
        free(backup);
    }
}
END_TEST

START_TEST(a_lock_keeps_others_out_and_goes_with_its_holder)
{
    struct file_lock lock;
    int pipes[2];
    char byte;
    ck_assert_int_eq(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) {
        struct file_lock held;
        bool ok = file_lock(path("lock"), 1, &held, NULL) == STATUS_OK && write(pipes[1], "x", 1) == 1;
        pause();
        _exit(ok ? 0 : 1);
    }
    ck_assert_int_eq(read(pipes[0], &byte, 1), 1);
    ck_assert_int_eq(file_lock(path("lock"), 0.02, &lock, NULL), STATUS_IO);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    ck_assert_int_eq(file_lock(path("lock"), 1, &lock, NULL), STATUS_OK);
    file_unlock(&lock);
    close(pipes[0]);
    close(pipes[1]);
}
END_TEST

static const struct {
    const char *word, *nearest;
} typos[] = {
    {"titel", "title"}, {"kernal", "kernel"}, {"args", "args"}, {"xyzzy", NULL},
    {"", NULL},         {"gate", "gates"},    {"t", NULL},
};

START_TEST(the_nearest_name_is_what_was_meant)
{
    static const char *const names[] = {"title", "kernel", "args", "gates", "reference"};
    const char *nearest = nearest_name(typos[_i].word, names, sizeof names / sizeof *names);
    if (typos[_i].nearest)
        ck_assert_str_eq(nearest, typos[_i].nearest);
    else
        ck_assert_ptr_null(nearest);
}
END_TEST

START_TEST(a_home_that_is_not_there_is_none)
{
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", path("nobody"), 1); // /nonexistent, often: root could make it
    ck_assert_ptr_null(file_user_folder("XDG_CACHE_HOME", ".cache", "x"));
    setenv("HOME", root, 1);
    char *folder = file_user_folder("XDG_CACHE_HOME", ".cache", "x");
    ck_assert_str_eq(folder, path(".cache/x"));
    free(folder);
}
END_TEST

Suite *suite_file(void)
{
    Suite *suite = suite_create("file");
    TCase *tests = tcase_create("file");
    tcase_add_checked_fixture(tests, make_root, remove_root);
    tcase_add_test(tests, folders_whose_owner_is_gone_are_removed);
    tcase_add_test(tests, writes_and_reads_any_bytes);
    tcase_add_test(tests, keeps_permissions);
    tcase_add_test(tests, refuses_what_is_no_small_regular_file);
    tcase_add_test(tests, a_failed_write_leaves_nothing_behind);
    tcase_add_test(tests, links_and_pipes_stay_what_they_are);
    tcase_add_test(tests, a_folder_of_ones_own_goes_when_there_is_no_descriptor_left);
    tcase_add_test(tests, a_file_and_a_deep_tree_are_removed_by_their_path);
    tcase_add_test(tests, what_was_left_by_the_killed_goes);
    tcase_add_test(tests, makes_folders_and_backups);
    tcase_add_test(tests, a_home_that_is_not_there_is_none);
    tcase_add_test(tests, a_lock_keeps_others_out_and_goes_with_its_holder);
    tcase_add_loop_test(tests, the_nearest_name_is_what_was_meant, 0, sizeof typos / sizeof *typos);
    suite_add_tcase(suite, tests);
    return suite;
}
