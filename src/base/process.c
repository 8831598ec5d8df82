// The supervisor below the fork, and the streams above it.
#include "base/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"

enum { OUTPUT_DEFAULT = 16 << 20, CANCEL_INTERVAL_MS = 50, LOOK_INTERVAL_MS = 20 };

enum report_kind { REPORT_NONE, REPORT_ENDED, REPORT_TIMED_OUT, REPORT_KILLED, REPORT_START_FAILED };

// What the supervisor (or the child, when it cannot start its program) writes into the report pipe.
struct report {
    enum report_kind kind;
    int wait_status; // as from waitpid; START_FAILED: errno
    double cpu_seconds;
};

enum { STREAM_OUT, STREAM_ERR, STREAM_REPORT, STREAM_COUNT };

struct process {
    pid_t supervisor;
    int lifeline; // the supervisor kills everything when this closes
    int epoll;
    int streams[STREAM_COUNT]; // -1 once at its end
    struct text out, err;
    size_t out_taken; // bytes of out already given as lines
    size_t output_limit;
    bool over_limit;
    int read_error; // what was said is not all there then
    struct report report;
    double started, wall_seconds;
    const atomic_bool *cancel;
    char program[256];
};

// ---- below the fork: only async-signal-safe calls, the caller may have threads

// By number, as musl has no functions for these two.
static int close_all_from(unsigned first, unsigned last, unsigned flags)
{
    return (int)syscall(SYS_close_range, first, last, flags);
}

#ifdef __GLIBC__
typedef __rlimit_resource_t limited_resource;
#else
typedef int limited_resource; // musl
#endif

static void set_limit(limited_resource resource, uint64_t soft, uint64_t hard)
{
    struct rlimit now_in_force;
    if (getrlimit(resource, &now_in_force) == 0 && now_in_force.rlim_max < hard)
        hard = now_in_force.rlim_max;
    struct rlimit wanted = {.rlim_cur = soft < hard ? soft : hard, .rlim_max = hard};
    setrlimit(resource, &wanted);
}

static void set_limits(const struct process_limits *limits)
{
    set_limit(RLIMIT_CORE, 0, 0);
    if (limits->cpu_seconds)
        set_limit(RLIMIT_CPU, limits->cpu_seconds, limits->cpu_seconds + 1);
    if (limits->memory_bytes)
        set_limit(RLIMIT_AS, limits->memory_bytes, limits->memory_bytes);
    if (limits->file_bytes)
        set_limit(RLIMIT_FSIZE, limits->file_bytes, limits->file_bytes);
    if (limits->open_files)
        set_limit(RLIMIT_NOFILE, limits->open_files, limits->open_files);
}

static void default_signals(void)
{
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

struct child_plan {
    const struct process_options *options;
    char *const *environment;
    int input, out, err, report, lifeline;
};

static _Noreturn void fail_start(const struct child_plan *child, int error)
{
    struct report report = {.kind = REPORT_START_FAILED, .wait_status = error};
    ssize_t written = write(child->report, &report, sizeof report);
    _exit(written == (ssize_t)sizeof report ? 127 : 126);
}

static _Noreturn void run_child(const struct child_plan *child)
{
    const struct process_options *options = child->options;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    default_signals();
    if (dup2(child->input, STDIN_FILENO) < 0 || dup2(child->out, STDOUT_FILENO) < 0 ||
        dup2(child->err, STDERR_FILENO) < 0)
        fail_start(child, errno);
    if (close_all_from(3, ~0u, CLOSE_RANGE_CLOEXEC) != 0)
        for (int fd = 3; fd < 1024; fd++)
            fcntl(fd, F_SETFD, FD_CLOEXEC);
    if (options->directory && chdir(options->directory) != 0)
        fail_start(child, errno);
    set_limits(&options->limits);
    int error = options->before_exec ? options->before_exec(options->context) : 0;
    if (error)
        fail_start(child, error);
    execve(options->argv[0], (char *const *)options->argv, child->environment);
    fail_start(child, errno);
}

static void close_all_but(int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    if (low > 0)
        close_all_from(0, (unsigned)low - 1, 0);
    if (high > low + 1)
        close_all_from((unsigned)low + 1, (unsigned)high - 1, 0);
    close_all_from((unsigned)high + 1, ~0u, 0);
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static uintptr_t read_hexadecimal(const char **at)
{
    uintptr_t number = 0;
    for (;; (*at)++) {
        char c = **at;
        if (c >= '0' && c <= '9')
            number = number * 16 + (uintptr_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            number = number * 16 + (uintptr_t)(c - 'a' + 10);
        else
            return number;
    }
}

// "7f2116000000-7f2116021000 rw-p 00000000 00:00 0", of /proc/self/maps: private, writable, and of no file.
static bool is_own_memory(const char *line, uintptr_t *first, uintptr_t *end)
{
    static const char usual[] = " rw-p 00000000 00:00 0 ";
    *first = read_hexadecimal(&line);
    line += *line == '-';
    *end = read_hexadecimal(&line);
    return *first < *end && strncmp(line, usual, sizeof usual - 1) == 0;
}

// The parent process id in /proc/PID/stat, 0 if it cannot be read. The name in it may hold anything, ')' included.
static pid_t parent_of(const char *pid_digits)
{
    char path[64] = "/proc/", text[512];
    size_t digits = strnlen(pid_digits, 20);
    memcpy(path + 6, pid_digits, digits);
    memcpy(path + 6 + digits, "/stat", 6);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length <= 0)
        return 0;
    text[length] = '\0';
    const char *end = strrchr(text, ')');
    pid_t parent = 0;
    if (end && end[1] && end[2]) // ") S PPID …"
        for (const char *digit = end + 4; *digit >= '0' && *digit <= '9'; digit++)
            parent = parent * 10 + (*digit - '0');
    return parent;
}

// Kills every process whose parent we are. /proc is read with getdents64 since opendir allocates.
static void kill_children(void)
{
    static char buffer[32768] __attribute__((aligned(8)));
    int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    pid_t self = getpid();
    ssize_t length;
    while ((length = syscall(SYS_getdents64, fd, buffer, sizeof buffer)) > 0) {
        for (ssize_t at = 0; at < length;) {
            const struct dirent64 *entry = (const struct dirent64 *)(buffer + at);
            at += entry->d_reclen;
            if (entry->d_name[0] < '1' || entry->d_name[0] > '9' || parent_of(entry->d_name) != self)
                continue;
            pid_t pid = 0;
            for (const char *digit = entry->d_name; *digit; digit++)
                pid = pid * 10 + (*digit - '0');
            kill(pid, SIGKILL);
        }
    }
    close(fd);
}

static pid_t reap(int *status)
{
    pid_t pid;
    while ((pid = waitpid(-1, status, WNOHANG)) < 0 && errno == EINTR)
        ;
    return pid;
}

// Whose parents have ended become ours: who has no child has no descendant either.
static bool reap_all(pid_t child, int *child_status)
{
    int status;
    pid_t pid;
    while ((pid = reap(&status)) > 0)
        if (pid == child)
            *child_status = status;
    return pid < 0 && errno == ECHILD;
}

// Children of the killed ones become ours, so kill and reap until none is left. A process in uninterruptible sleep
// may take its time; after five seconds we leave it to init. Mostly there is none, and looking for some takes
// milliseconds.
static void kill_everything(pid_t child, int *child_status)
{
    if (reap_all(child, child_status))
        return;
    kill(-child, SIGKILL);
    for (int round = 0; round < 2500; round++) {
        kill_children();
        if (reap_all(child, child_status))
            return;
        struct timespec pause = {.tv_nsec = 2000000};
        nanosleep(&pause, NULL);
    }
}

// Waits until the child has ended, the caller is gone or wants an end, or the time is up.
static enum report_kind watch_child(pid_t child, int lifeline, int signals, double deadline, int *child_status)
{
    for (;;) {
        pid_t pid;
        int status;
        while ((pid = reap(&status)) > 0)
            if (pid == child) {
                *child_status = status;
                return REPORT_ENDED;
            }
        double left = deadline - clock_seconds();
        if (left <= 0)
            return REPORT_TIMED_OUT;
        struct pollfd fds[] = {{.fd = lifeline, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
        int most = signals < 0 ? LOOK_INTERVAL_MS : 3600000; // deaf: look now and then
        int ready = poll(fds, 2, left * 1000 >= most ? most : (int)(left * 1000) + 1);
        if (ready > 0 && fds[0].revents)
            return REPORT_KILLED;
        struct signalfd_siginfo info;
        if (ready > 0 && fds[1].revents && read(signals, &info, sizeof info) < 0 && errno != EAGAIN && errno != EINTR)
            return REPORT_KILLED;
    }
}

// What watches every access keeps its own memory where ours is.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define IS_WATCHED 1
#endif
#endif
#ifndef IS_WATCHED
#define IS_WATCHED 0
#endif

// Our memory is a copy of the caller's, each page of it shared until one of us writes there: then the caller has to
// wait for a copy that nobody wants. So what the caller has from malloc is given back, and only the stack, what belongs
// to the thread and the programs' own data are kept.
static void drop_memory(const struct child_plan *plan)
{
    enum { LEAST = 1 << 20 };
    char text[4096], line[128];
    const uintptr_t kept[] = {(uintptr_t)text, (uintptr_t)__builtin_frame_address(0), (uintptr_t)plan,
                              (uintptr_t)&errno};
    size_t used = 0;
    // What a library that was loaded before ours keeps in its memory, such as another malloc, nobody here knows.
    bool is_alone = !IS_WATCHED && !getenv("LD_PRELOAD");
    int fd = is_alone ? open("/proc/self/maps", O_RDONLY | O_CLOEXEC) : -1;
    for (ssize_t length; fd >= 0 && (length = read(fd, text, sizeof text)) > 0;)
        for (ssize_t i = 0; i < length; i++) {
            if (text[i] != '\n') {
                used += used < sizeof line - 1;
                line[used - 1] = text[i];
                continue;
            }
            line[used] = '\0';
            used = 0;
            uintptr_t first, end;
            if (!is_own_memory(line, &first, &end) || end - first < LEAST)
                continue;
            bool is_kept = false;
            for (size_t j = 0; j < sizeof kept / sizeof *kept; j++)
                is_kept |= kept[j] >= first && kept[j] < end;
            if (!is_kept)
                madvise((void *)first, end - first, MADV_DONTNEED);
        }
    close_fd(&fd);
}

static _Noreturn void run_supervisor(const struct child_plan *plan)
{
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    default_signals();
    sigset_t mask;
    sigfillset(&mask);
    sigprocmask(SIG_SETMASK, &mask, NULL); // a stray ^C or SIGTERM must not leave the child alone
    double wall = plan->options->limits.wall_seconds;
    double deadline = wall > 0 ? clock_seconds() + wall : 1e18;
    pid_t child = fork();
    if (child == 0)
        run_child(plan);
    if (child < 0)
        fail_start(plan, errno);
    char scratch[PATH_MAX] = "";
    if (plan->options->scratch)
        memcpy(scratch, plan->options->scratch, strnlen(plan->options->scratch, sizeof scratch - 1));
    drop_memory(plan);
    close_all_but(plan->report, plan->lifeline);
    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD);
    int signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
    struct report report = {0};
    report.kind = watch_child(child, plan->lifeline, signals, deadline, &report.wait_status);
    kill_everything(child, &report.wait_status);
    if (scratch[0])
        file_remove_tree(scratch);
    struct rusage usage;
    if (getrusage(RUSAGE_CHILDREN, &usage) == 0) {
        report.cpu_seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                             (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
    }
    ssize_t written = write(plan->report, &report, sizeof report);
    _exit(written == (ssize_t)sizeof report ? 0 : 1);
}

// ---- the caller's side

static bool make_pipe(int *read_end, int *write_end)
{
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0)
        return false;
    *read_end = fds[0];
    *write_end = fds[1];
    return true;
}

// What a child prints goes through a socket: a pipe can be opened once more, by /proc/self/fd/1, and who reads his own
// waits for ever.
static bool make_stream(int *read_end, int *write_end)
{
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
        return false;
    *read_end = fds[0];
    *write_end = fds[1];
    return true;
}

static int open_input(const struct process_options *options)
{
    if (!options->input)
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    int fd = memfd_create("input", MFD_CLOEXEC);
    if (fd >= 0 && !file_write_all(fd, options->input, options->input_length)) {
        close(fd);
        return -1;
    }
    if (fd >= 0)
        lseek(fd, 0, SEEK_SET);
    return fd;
}

static bool watch_streams(struct process *process)
{
    process->epoll = epoll_create1(EPOLL_CLOEXEC);
    for (uint32_t i = 0; i < STREAM_COUNT; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
        fcntl(process->streams[i], F_SETFL, O_NONBLOCK);
        if (epoll_ctl(process->epoll, EPOLL_CTL_ADD, process->streams[i], &event) != 0)
            return false;
    }
    return true;
}

enum status process_start(const struct process_options *options, struct process **result, struct diagnostic *diagnostic)
{
    static const char *const clean[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C.UTF-8",
                                        NULL};
    struct process *process = mem_alloc(sizeof *process);
    *process = (struct process){.lifeline = -1, .epoll = -1, .streams = {-1, -1, -1}, .cancel = options->cancel};
    process->output_limit = options->limits.output_bytes ? options->limits.output_bytes : OUTPUT_DEFAULT;
    snprintf(process->program, sizeof process->program, "%s", options->argv[0]);
    struct child_plan plan = {.options = options, .input = -1, .out = -1, .err = -1, .report = -1, .lifeline = -1};
    plan.environment = (char *const *)(options->environment ? options->environment : clean);
    enum status status = STATUS_OK;
    plan.input = open_input(options);
    if (plan.input < 0 || !make_stream(&process->streams[STREAM_OUT], &plan.out) ||
        !make_stream(&process->streams[STREAM_ERR], &plan.err) ||
        !make_pipe(&process->streams[STREAM_REPORT], &plan.report) || !make_pipe(&plan.lifeline, &process->lifeline) ||
        !watch_streams(process)) {
        status = diagnostic_set(diagnostic, STATUS_IO, "cannot make pipes for %s: %s%s", process->program,
                                strerror(errno), errno == EMFILE ? ": raise the limit (ulimit -n 1024)" : "");
        goto out;
    }
    process->started = clock_seconds();
    process->supervisor = fork();
    if (process->supervisor == 0)
        run_supervisor(&plan);
    if (process->supervisor < 0)
        status = diagnostic_set(diagnostic, STATUS_IO, "cannot start a process for %s: %s", process->program,
                                strerror(errno));
out:
    close_fd(&plan.input);
    close_fd(&plan.out);
    close_fd(&plan.err);
    close_fd(&plan.report);
    close_fd(&plan.lifeline);
    *result = process;
    if (status != STATUS_OK) {
        process->supervisor = 0;
        process_free(process);
        *result = NULL;
    }
    return status;
}

int process_fd(const struct process *process)
{
    return process->epoll;
}

static void end_stream(struct process *process, int stream)
{
    epoll_ctl(process->epoll, EPOLL_CTL_DEL, process->streams[stream], NULL);
    close_fd(&process->streams[stream]);
    if (process_ended(process))
        process->wall_seconds = clock_seconds() - process->started;
}

static void take_text(struct process *process, struct text *text, const char *bytes, size_t length)
{
    size_t room = process->output_limit > text->length ? process->output_limit - text->length : 0;
    if (length > room) {
        process->over_limit = true;
        process_kill(process);
        length = room;
    }
    text_append(text, bytes, length);
}

static void take_stream(struct process *process, int stream)
{
    char buffer[16384];
    if (process->streams[stream] < 0)
        return;
    ssize_t length = read(process->streams[stream], buffer, sizeof buffer);
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (length < 0) {
        process->read_error = errno;
        process_kill(process);
    }
    if (length <= 0) {
        end_stream(process, stream);
        return;
    }
    if (stream != STREAM_REPORT)
        take_text(process, stream == STREAM_OUT ? &process->out : &process->err, buffer, (size_t)length);
    else if ((size_t)length >= sizeof process->report && process->report.kind == REPORT_NONE)
        memcpy(&process->report, buffer, sizeof process->report); // the first one counts: START_FAILED comes first
}

bool process_ended(const struct process *process)
{
    for (int i = 0; i < STREAM_COUNT; i++)
        if (process->streams[i] >= 0)
            return false;
    return true;
}

// We cannot hear the child any more: it is of no use.
static void give_up_streams(struct process *process)
{
    process_kill(process);
    for (int i = 0; i < STREAM_COUNT; i++)
        if (process->streams[i] >= 0)
            end_stream(process, i);
}

bool process_poll(struct process *process, int timeout_ms)
{
    double deadline = timeout_ms < 0 ? 1e18 : clock_seconds() + timeout_ms * 1e-3;
    while (!process_ended(process)) {
        if (process->cancel && atomic_load(process->cancel))
            process_kill(process);
        double left = deadline - clock_seconds();
        int wait = left <= 0 ? 0 : left > 1 ? 1000 : (int)(left * 1000) + 1;
        if (process->cancel && wait > CANCEL_INTERVAL_MS)
            wait = CANCEL_INTERVAL_MS;
        struct epoll_event events[STREAM_COUNT];
        int ready = epoll_wait(process->epoll, events, STREAM_COUNT, wait);
        if (ready < 0 && errno != EINTR)
            give_up_streams(process);
        for (int i = 0; i < ready; i++)
            take_stream(process, (int)events[i].data.u32);
        if (ready > 0)
            return true;
        if (left <= 0)
            return false;
    }
    return true;
}

enum process_line process_read_line(struct process *process, struct text *line)
{
    text_clear(line);
    const char *start = text_get(&process->out) + process->out_taken;
    size_t left = process->out.length - process->out_taken;
    const char *end = left ? memchr(start, '\n', left) : NULL;
    if (!end && process->streams[STREAM_OUT] >= 0)
        return PROCESS_LINE_NONE;
    if (!end && left == 0)
        return PROCESS_LINE_END;
    size_t length = end ? (size_t)(end - start) : left;
    text_append(line, start, length);
    process->out_taken += length + (end ? 1 : 0);
    return PROCESS_LINE;
}

void process_kill(struct process *process)
{
    close_fd(&process->lifeline);
}

static void fill_result(const struct process *process, struct process_result *result)
{
    const struct report *report = &process->report;
    result->cpu_seconds = report->cpu_seconds;
    result->wall_seconds = process->wall_seconds;
    bool signalled = WIFSIGNALED(report->wait_status);
    result->signal = signalled ? WTERMSIG(report->wait_status) : 0;
    result->exit_code = WIFEXITED(report->wait_status) ? WEXITSTATUS(report->wait_status) : 0;
    if (process->over_limit)
        result->end = PROCESS_OUTPUT_LIMIT;
    else if (report->kind == REPORT_TIMED_OUT || (signalled && result->signal == SIGXCPU))
        result->end = PROCESS_TIMED_OUT;
    else if (report->kind == REPORT_KILLED || report->kind == REPORT_NONE)
        result->end = PROCESS_KILLED;
    else
        result->end = signalled ? PROCESS_SIGNALLED : PROCESS_EXITED;
}

enum status process_wait(struct process *process, struct process_result *result, struct diagnostic *diagnostic)
{
    *result = (struct process_result){0};
    while (!process_ended(process))
        process_poll(process, -1);
    if (process->supervisor > 0) {
        while (waitpid(process->supervisor, NULL, 0) < 0 && errno == EINTR)
            ;
        process->supervisor = 0;
    }
    if (process->report.kind == REPORT_START_FAILED)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "cannot start %s: %s", process->program,
                              strerror(process->report.wait_status));
    if (process->read_error)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "cannot read what %s says: %s", process->program,
                              strerror(process->read_error));
    fill_result(process, result);
    text_append(&result->out, text_get(&process->out) + process->out_taken, process->out.length - process->out_taken);
    text_append(&result->err, text_get(&process->err), process->err.length);
    return STATUS_OK;
}

void process_free(struct process *process)
{
    if (!process)
        return;
    if (process->supervisor > 0) {
        struct process_result result;
        process_kill(process);
        process_wait(process, &result, NULL);
        process_result_free(&result);
    }
    close_fd(&process->lifeline);
    close_fd(&process->epoll);
    for (int i = 0; i < STREAM_COUNT; i++)
        close_fd(&process->streams[i]);
    text_free(&process->out);
    text_free(&process->err);
    free(process);
}

enum status process_run(const struct process_options *options, struct process_result *result,
                        struct diagnostic *diagnostic)
{
    struct process *process;
    *result = (struct process_result){0};
    enum status status = process_start(options, &process, diagnostic);
    if (status == STATUS_OK)
        status = process_wait(process, result, diagnostic);
    if (process)
        process_free(process);
    return status;
}

void process_result_free(struct process_result *result)
{
    text_free(&result->out);
    text_free(&result->err);
}

bool process_succeeded(const struct process_result *result)
{
    return result->end == PROCESS_EXITED && result->exit_code == 0;
}

char *process_describe(const struct process_result *result, char *text, size_t size)
{
    switch (result->end) {
    case PROCESS_EXITED:
        snprintf(text, size, "ended with exit status %d", result->exit_code);
        break;
    case PROCESS_SIGNALLED:
        snprintf(text, size, "was killed by signal %d (%s)", result->signal, strsignal(result->signal));
        break;
    case PROCESS_TIMED_OUT:
        snprintf(text, size, "was stopped after %.1f s", result->wall_seconds);
        break;
    case PROCESS_OUTPUT_LIMIT:
        snprintf(text, size, "was stopped because it printed too much");
        break;
    case PROCESS_KILLED:
        snprintf(text, size, "was stopped");
        break;
    }
    return text;
}

void process_let_others_first(void)
{
    enum { LESS = 3, LEAST = 19 };
    static _Thread_local bool has_done;
    if (has_done)
        return;
    has_done = true;
    int own = getpriority(PRIO_PROCESS, 0); // the kernel's processes are threads
    setpriority(PRIO_PROCESS, 0, own + LESS < LEAST ? own + LESS : LEAST);
}

char *process_own_path(void)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    return length > 0 ? mem_strndup(path, (size_t)length) : NULL;
}
