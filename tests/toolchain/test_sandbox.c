// A worker's confinement, tried from inside: each row does in a confined process what somebody who had taken it over
// would.
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "toolchain/sandbox.h"

Suite *suite_sandbox(void);

static char root[64], inside[96], outside[96];

static void make_folders(void)
{
    snprintf(root, sizeof root, "/tmp/bankshot-sandbox-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    snprintf(inside, sizeof inside, "%s/inside", root);
    snprintf(outside, sizeof outside, "%s/outside", root);
    ck_assert_int_eq(mkdir(inside, 0700) | mkdir(outside, 0700), 0);
}

static void remove_folders(void)
{
    file_remove_tree(root);
}

static int put(const char *folder)
{
    char path[200];
    snprintf(path, sizeof path, "%s/file", folder);
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    return fd < 0 ? errno : 0;
}

static int write_inside(void)
{
    return put(inside);
}

static int write_outside(void)
{
    return put(outside);
}

static int read_outside(void)
{
    return open("/etc/passwd", O_RDONLY) < 0 ? errno : 0;
}

static int make_link_out(void)
{
    char path[200];
    snprintf(path, sizeof path, "%s/link", outside);
    return symlink("/etc/passwd", path) ? errno : 0;
}

static int remove_outside(void)
{
    return rmdir(outside) ? errno : 0;
}

static int move_out(void)
{
    char from[200], to[200];
    put(inside);
    snprintf(from, sizeof from, "%s/file", inside);
    snprintf(to, sizeof to, "%s/file", outside);
    return rename(from, to) ? errno : 0;
}

static int open_socket(void)
{
    return socket(AF_INET, SOCK_STREAM, 0) < 0 ? errno : 0;
}

static int trace_parent(void)
{
    return ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) < 0 ? errno : 0;
}

static int signal_parent(void)
{
    return kill(getppid(), 0) ? errno : 0;
}

static int signal_child(void)
{
    pid_t child = fork();
    if (child == 0)
        pause();
    int error = kill(child, SIGKILL) ? errno : 0;
    return waitpid(child, NULL, 0) == child ? error : errno;
}

enum { NEEDS_LANDLOCK = 1, NEEDS_SECCOMP = -1, NEEDS_SCOPES = 6, NEEDS_REFER = 2, NEEDS_NOTHING = 0 };

static const struct {
    const char *name;
    int (*attempt)(void);
    int needs, refused; // an ABI of Landlock; an errno, 0 = it works
} attempts[] = {
    {"write inside", write_inside, NEEDS_NOTHING, 0},
    {"read", read_outside, NEEDS_NOTHING, 0},
    {"signal its child", signal_child, NEEDS_NOTHING, 0},
    {"write outside", write_outside, NEEDS_LANDLOCK, EACCES},
    {"link outside", make_link_out, NEEDS_LANDLOCK, EACCES},
    {"remove outside", remove_outside, NEEDS_LANDLOCK, EACCES},
    {"move out", move_out, NEEDS_REFER, EACCES},
    {"signal the caller", signal_parent, NEEDS_SCOPES, EPERM},
    {"open a socket", open_socket, NEEDS_SECCOMP, EPERM},
    {"trace the caller", trace_parent, NEEDS_SECCOMP, EPERM},
};

START_TEST(a_confined_process_writes_only_where_it_may)
{
    const char *const write[] = {inside, NULL};
    struct diagnostic diagnostic = {0};
    int needs = attempts[_i].needs, status;
    bool holds = needs == NEEDS_SECCOMP ? sandbox_has_seccomp() : sandbox_landlock_abi() >= needs;
    pid_t child = fork();
    if (child == 0)
        _exit(sandbox_confine(write, &diagnostic) ? 255 : attempts[_i].attempt());
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && (!holds || WEXITSTATUS(status) == attempts[_i].refused), "%s: %s",
                  attempts[_i].name, strerror(WEXITSTATUS(status)));
}
END_TEST

// Stands for a kernel that has neither.
static int take_both_away(void *context)
{
    (void)context;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    bool good = filter && seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(landlock_create_ruleset), 0) == 0 &&
                seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1,
                                 SCMP_A0(SCMP_CMP_EQ, 22 /* PR_SET_SECCOMP */, 0)) == 0 &&
                seccomp_load(filter) == 0;
    seccomp_release(filter);
    return good ? 0 : EINVAL;
}

static const struct {
    const char *option, *says;
    int exit;
} classes[] = {{"--csv", "neither Landlock nor seccomp", 2}, {"--unconfined", "anna", 0}};

START_TEST(a_class_is_not_graded_where_nothing_confines_it_unless_told_so)
{
    char bankshot[4096], folder[128];
    ck_assert_ptr_nonnull(realpath(getenv("BANKSHOT") ? getenv("BANKSHOT") : "build/bankshot", bankshot));
    snprintf(folder, sizeof folder, "%s/anna", outside);
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    const char *const argv[] = {bankshot, "class", outside, classes[_i].option, NULL};
    struct process_options options = {.argv = argv, .limits.wall_seconds = 60, .before_exec = take_both_away};
    struct process_result result;
    ck_assert_int_eq(process_run(&options, &result, NULL), STATUS_OK);
    ck_assert_int_eq(result.exit_code, classes[_i].exit);
    ck_assert_msg(strstr(text_get(&result.err), classes[_i].says) || strstr(text_get(&result.out), classes[_i].says),
                  "%s%s", text_get(&result.out), text_get(&result.err));
    process_result_free(&result);
}
END_TEST

Suite *suite_sandbox(void)
{
    Suite *suite = suite_create("sandbox");
    TCase *tests = tcase_create("sandbox");
    tcase_add_checked_fixture(tests, make_folders, remove_folders);
    tcase_add_loop_test(tests, a_confined_process_writes_only_where_it_may, 0,
                        (int)(sizeof attempts / sizeof *attempts));
    tcase_add_loop_test(tests, a_class_is_not_graded_where_nothing_confines_it_unless_told_so, 0,
                        (int)(sizeof classes / sizeof *classes));
    suite_add_tcase(suite, tests);
    return suite;
}
