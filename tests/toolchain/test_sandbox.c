// A worker's confinement and a compiler's jail, tried from inside: each row does what somebody who had taken the
// process over would.
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "../support/program.h"
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

// A process in new name spaces, by the call that fork is made of.
static int enter_name_space(long call, const void *arguments, size_t size)
{
    long child = syscall(call, arguments, size, NULL, NULL, 0);
    if (child == 0)
        _exit(0);
    return child < 0 ? errno : waitpid((pid_t)child, NULL, 0) == child ? 0 : errno;
}

static int make_name_space(void)
{
    return enter_name_space(SYS_clone, (const void *)(uintptr_t)(CLONE_NEWUSER | SIGCHLD), 0);
}

static int make_name_space_by_clone3(void)
{
    uint64_t arguments[11] = {CLONE_NEWUSER, [4] = SIGCHLD};
    return enter_name_space(SYS_clone3, arguments, sizeof arguments);
}

static int change_mode(void)
{
    return chmod(outside, 0755) ? errno : 0;
}

static int change_mode_of_what_is_read(void)
{
    struct stat info;
    int fd = open("/usr", O_RDONLY);
    return fstat(fd, &info) || fchmod(fd, info.st_mode & 07777) ? errno : 0;
}

static int change_owner(void)
{
    return chown(outside, geteuid(), getegid()) ? errno : 0;
}

static int set_attribute(void)
{
    return setxattr(outside, "user.bankshot", "1", 1, 0) ? errno : 0;
}

static int set_back_the_time(void)
{
    const struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    return utimensat(AT_FDCWD, outside, times, 0) ? errno : 0;
}

static int limit_parent(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_CPU, &limit);
    return prlimit(getppid(), RLIMIT_CPU, &limit, NULL) ? errno : 0;
}

static int slow_down_parent(void)
{
    return setpriority(PRIO_PROCESS, (id_t)getppid(), getpriority(PRIO_PROCESS, 0)) ? errno : 0;
}

static int move_parent(void)
{
    cpu_set_t processors;
    sched_getaffinity(0, sizeof processors, &processors);
    return sched_setaffinity(getppid(), sizeof processors, &processors) ? errno : 0;
}

static int leave_shared_memory(void)
{
    int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    int error = errno;
    return id < 0 ? error : shmctl(id, IPC_RMID, NULL) & 0;
}

static int leave_queue(void)
{
    int id = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
    int error = errno;
    return id < 0 ? error : msgctl(id, IPC_RMID, NULL) & 0;
}

static int limit_itself(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_CPU, &limit);
    return setrlimit(RLIMIT_CPU, &limit) ? errno : 0;
}

static int slow_down_itself(void)
{
    return setpriority(PRIO_PROCESS, 0, 19) ? errno : 0;
}

static int hurry(void)
{
    return setpriority(PRIO_PROCESS, 0, -1) ? errno : 0;
}

static int slow_down_the_user(void)
{
    return setpriority(PRIO_USER, 0, 19) ? errno : 0;
}

static void *do_nothing(void *context)
{
    return context;
}

static int start_thread(void)
{
    pthread_t thread;
    void *result;
    int error = pthread_create(&thread, NULL, do_nothing, NULL);
    return error ? error : pthread_join(thread, &result);
}

enum { NEEDS_LANDLOCK = 1, NEEDS_SECCOMP = -1, NEEDS_SCOPES = 6, NEEDS_REFER = 2, NEEDS_NOTHING = 0 };

static const struct {
    const char *name;
    int (*attempt)(void);
    int needs, refused; // an ABI of Landlock; an errno, 0 = it works
    bool only_compiler; // a worker may
} attempts[] = {
    {"write inside", write_inside, NEEDS_NOTHING, 0, false},
    {"read", read_outside, NEEDS_LANDLOCK, EACCES, true},
    {"signal its child", signal_child, NEEDS_NOTHING, 0, false},
    {"limit itself", limit_itself, NEEDS_NOTHING, 0, false},
    {"slow down itself", slow_down_itself, NEEDS_NOTHING, 0, false},
    {"start a thread", start_thread, NEEDS_NOTHING, 0, false},
    {"write outside", write_outside, NEEDS_LANDLOCK, EACCES, false},
    {"link outside", make_link_out, NEEDS_LANDLOCK, EACCES, false},
    {"remove outside", remove_outside, NEEDS_LANDLOCK, EACCES, false},
    {"move out", move_out, NEEDS_REFER, EACCES, false},
    {"signal the caller", signal_parent, NEEDS_SCOPES, EPERM, false},
    {"open a socket", open_socket, NEEDS_SECCOMP, EPERM, false},
    {"trace the caller", trace_parent, NEEDS_SECCOMP, EPERM, false},
    {"make a name space", make_name_space, NEEDS_SECCOMP, EPERM, false},
    {"make a name space by clone3", make_name_space_by_clone3, NEEDS_SECCOMP, ENOSYS, false},
    {"change a mode", change_mode, NEEDS_SECCOMP, EPERM, false},
    {"change the mode of what it reads", change_mode_of_what_is_read, NEEDS_SECCOMP, EPERM, false},
    {"change an owner", change_owner, NEEDS_SECCOMP, EPERM, false},
    {"set an attribute", set_attribute, NEEDS_SECCOMP, EPERM, false},
    {"set back the time of a file", set_back_the_time, NEEDS_SECCOMP, EPERM, false},
    {"limit the caller", limit_parent, NEEDS_SECCOMP, EPERM, false},
    {"slow down the caller", slow_down_parent, NEEDS_SECCOMP, EPERM, false},
    {"go before others", hurry, NEEDS_SECCOMP, EPERM, false},
    {"slow down the user", slow_down_the_user, NEEDS_SECCOMP, EPERM, false},
    {"move the caller", move_parent, NEEDS_SECCOMP, EPERM, false},
    {"leave shared memory", leave_shared_memory, NEEDS_SECCOMP, EPERM, false},
    {"leave a queue", leave_queue, NEEDS_SECCOMP, EPERM, false},
};

static void check_attempt(size_t i, bool is_compiler, int status)
{
    int needs = attempts[i].needs, refused = attempts[i].only_compiler && !is_compiler ? 0 : attempts[i].refused;
    bool holds = needs == NEEDS_SECCOMP ? sandbox_has_seccomp() : sandbox_landlock_abi() >= needs;
    ck_assert_msg(WIFEXITED(status) && (!holds || WEXITSTATUS(status) == refused), "%s: %s", attempts[i].name,
                  strerror(WEXITSTATUS(status)));
}

START_TEST(a_confined_worker_does_only_what_it_may)
{
    const char *const write[] = {inside, NULL};
    struct diagnostic diagnostic = {0};
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(sandbox_confine(write, &diagnostic) ? 255 : attempts[_i].attempt());
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    check_attempt((size_t)_i, false, status);
}
END_TEST

START_TEST(a_jailed_compiler_does_only_what_it_may)
{
    const char *const read[] = {"/usr", "/lib", "/lib64", NULL};
    struct sandbox sandbox;
    struct diagnostic diagnostic = {0};
    int status;
    ck_assert_int_eq(sandbox_prepare(&sandbox, read, inside, &diagnostic), STATUS_OK);
    pid_t child = fork();
    if (child == 0)
        _exit(sandbox_enter(&sandbox) ? 255 : attempts[_i].attempt());
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    sandbox_release(&sandbox);
    check_attempt((size_t)_i, true, status);
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
    char bankshot[4096], folder[128], book[128];
    ck_assert_ptr_nonnull(realpath(program_path(), bankshot));
    snprintf(folder, sizeof folder, "%s/anna", outside);
    snprintf(book, sizeof book, "--gradebook=%s/book", inside);
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    const char *const argv[] = {bankshot, "class", outside, book, classes[_i].option, NULL};
    struct process_options options = {
        .argv = argv, .limits.wall_seconds = program_seconds(60), .before_exec = take_both_away};
    struct process_result result;
    ck_assert_int_eq(process_run(&options, &result, NULL), STATUS_OK);
    ck_assert_int_eq(result.exit_code, classes[_i].exit);
    ck_assert_msg(strstr(text_get(&result.err), classes[_i].says) || strstr(text_get(&result.out), classes[_i].says),
                  "%s%s", text_get(&result.out), text_get(&result.err));
    process_result_free(&result);
}
END_TEST

START_TEST(the_doctor_says_what_is_not_in_force)
{
    char bankshot[4096];
    ck_assert_ptr_nonnull(realpath(program_path(), bankshot));
    const char *const argv[] = {bankshot, "doctor", NULL};
    static const char *const says[] = {"no Landlock", "no seccomp", "'bankshot class' refuses"};
    for (int missing = 0; missing < 2; missing++) {
        struct process_options options = {
            .argv = argv, .limits.wall_seconds = program_seconds(60), .before_exec = missing ? take_both_away : NULL};
        struct process_result result;
        ck_assert_int_eq(process_run(&options, &result, NULL), STATUS_OK);
        for (size_t i = 0; i < 3 && (missing || (sandbox_has_seccomp() && sandbox_landlock_abi())); i++)
            ck_assert_msg((strstr(text_get(&result.out), says[i]) != NULL) == missing, "%s: %s", says[i],
                          text_get(&result.out));
        process_result_free(&result);
    }
}
END_TEST

Suite *suite_sandbox(void)
{
    Suite *suite = suite_create("sandbox");
    TCase *tests = tcase_create("sandbox");
    tcase_add_checked_fixture(tests, make_folders, remove_folders);
    tcase_add_loop_test(tests, a_confined_worker_does_only_what_it_may, 0, (int)(sizeof attempts / sizeof *attempts));
    tcase_add_loop_test(tests, a_jailed_compiler_does_only_what_it_may, 0, (int)(sizeof attempts / sizeof *attempts));
    tcase_add_loop_test(tests, a_class_is_not_graded_where_nothing_confines_it_unless_told_so, 0,
                        (int)(sizeof classes / sizeof *classes));
    tcase_add_test(tests, the_doctor_says_what_is_not_in_force);
    suite_add_tcase(suite, tests);
    return suite;
}
