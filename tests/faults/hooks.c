// Stands between the lab's processes and the C library (LD_PRELOAD): counts allocations and system calls, and makes
// those that the plan names fail as the system would. Calls are declared under names of their own and bound by
// assembler names, so that no header's prototype is in the way; the last arguments of variadic ones are passed as
// longs, as the x86-64 and aarch64 conventions do. Compilers and editors are started with an environment without it, or
// are no `bankshot`.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "plan.h"

enum { SHORT = -1, STACK_DEPTH = 10, OWN_FRAMES = 3 }; // SHORT: no error, but half of what was asked for

static struct fault_run *run;
static bool looks_for_leaks;
static enum fault_role role;

// ---- the decision

static bool may_go_on(int error)
{
    return error == EINTR || error == EAGAIN || error == SHORT;
}

// Errors of a call, up to three. One that a program rightly tries again after must not come for ever.
static int choose_error(const int errors[3])
{
    uint32_t count = 0;
    int fit[3];
    for (int i = 0; i < 3 && errors[i]; i++)
        if (run->mode != MODE_FOREVER || !may_go_on(errors[i]))
            fit[count++] = errors[i];
    return count ? fit[run->choice % count] : 0;
}

// libconfig, and libseccomp where it writes a filter, do not look whether they got their memory; their callers see to
// it that there is some. These calls do not count.
static int in_library; // only the main thread reads lessons

static __thread bool in_backtrace; // which may allocate, too

// A hash of the stack above us.
static __attribute__((noinline)) uint64_t hash_stack(enum fault_class kind)
{
    void *frames[STACK_DEPTH];
    uint64_t hash = (uint64_t)role * FAULT_CLASSES + kind + 1;
    in_backtrace = true;
    int count = backtrace(frames, STACK_DEPTH);
    in_backtrace = false;
    for (int i = OWN_FRAMES; i < count; i++) {
        hash = (hash ^ (uintptr_t)frames[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return (hash << 4 | (uint64_t)role << 1 | kind) + 16;
}

static void note_place(uint64_t stack, uint32_t number)
{
    for (uint64_t i = stack * 0x9e3779b97f4a7c15u >> 49, tries = 0; tries < FAULT_PLACES; i++, tries++) {
        struct fault_place *place = &run->places[i % FAULT_PLACES];
        unsigned long long free_mark = 0;
        if (atomic_compare_exchange_strong(&place->stack, &free_mark, stack))
            place->first = number;
        if (free_mark && free_mark != stack)
            continue;
        atomic_store(&place->last, number);
        return;
    }
}

static void print_stack(void)
{
    void *frames[24];
    backtrace_symbols_fd(frames, backtrace(frames, 24), 2);
}

// 0: let it through; else the error to fail with.
static __attribute__((noinline)) int decide(int call, const char *name, enum fault_class kind, const int errors[3])
{
    if (!run || in_library || in_backtrace)
        return 0;
    uint32_t number = atomic_fetch_add(&run->counts[role][kind], 1) + 1;
    if (run->mode == MODE_COUNT)
        note_place(hash_stack(kind), number);
    if (run->mode == MODE_COUNT || role != run->role || kind != run->kind || number < run->at)
        return 0;
    if (number == run->at) {
        strncpy(run->name, name, sizeof run->name - 1);
        run->error = choose_error(errors);
        run->hit = hash_stack(kind);
        atomic_store(&run->fired, call + 1);
        if (run->trace)
            print_stack();
        if (run->mode == MODE_KILL)
            kill(getpid(), SIGKILL);
        return run->error;
    }
    return run->mode == MODE_FOREVER && atomic_load(&run->fired) == call + 1 ? choose_error(errors) : 0;
}

// The C library's own, not ours below.
static long (*real_syscall)(long, ...);

static void *next_function(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function)
        _exit(99);
    return function;
}

// ---- system calls

// C(result, name, parameters, arguments, what it returns when it fails, up to three errors)
#define CALLS(C)                                                                                                       \
    C(int, access, (const char *a, int b), (a, b), -1, ENOENT, EACCES, 0)                                              \
    C(int, chdir, (const char *a), (a), -1, EACCES, 0, 0)                                                              \
    C(void *, dlopen, (const char *a, int b), (a, b), NULL, ENOENT, 0, 0)                                              \
    C(int, dup2, (int a, int b), (a, b), -1, EMFILE, EBUSY, 0)                                                         \
    C(int, epoll_create1, (int a), (a), -1, EMFILE, ENOMEM, 0)                                                         \
    C(int, epoll_ctl, (int a, int b, int c, void *d), (a, b, c, d), -1, ENOSPC, ENOMEM, 0)                             \
    C(int, epoll_wait, (int a, void *b, int c, int d), (a, b, c, d), -1, EINTR, EBADF, 0)                              \
    C(int, execve, (const char *a, void *b, void *c), (a, b, c), -1, ENOMEM, EACCES, EAGAIN)                           \
    C(int, fchmod, (int a, unsigned b), (a, b), -1, EPERM, EIO, 0)                                                     \
    C(int, fcntl, (int a, int b, long c), (a, b, c), -1, EMFILE, 0, 0)                                                 \
    C(int, flock, (int a, int b), (a, b), -1, ENOLCK, EINTR, EWOULDBLOCK)                                              \
    C(void *, fopen, (const char *a, const char *b), (a, b), NULL, ENOENT, EMFILE, 0)                                  \
    C(int, fstat, (int a, void *b), (a, b), -1, EIO, EOVERFLOW, 0)                                                     \
    C(int, fstatat, (int a, const char *b, void *c, int d), (a, b, c, d), -1, EIO, ENOENT, 0)                          \
    C(int, fsync, (int a), (a), -1, EIO, ENOSPC, 0)                                                                    \
    C(char *, getcwd, (char *a, size_t b), (a, b), NULL, ENOENT, 0, 0)                                                 \
    C(ssize_t, getrandom, (void *a, size_t b, unsigned c), (a, b, c), -1, EINTR, ENOSYS, 0)                            \
    C(int, getrlimit, (int a, void *b), (a, b), -1, EPERM, 0, 0)                                                       \
    C(int, inotify_add_watch, (int a, const char *b, uint32_t c), (a, b, c), -1, ENOSPC, 0, 0)                         \
    C(int, inotify_init1, (int a), (a), -1, EMFILE, 0, 0)                                                              \
    C(int, ioctl, (int a, unsigned long b, void *c), (a, b, c), -1, EIO, 0, 0)                                         \
    C(off_t, lseek, (int a, off_t b, int c), (a, b, c), -1, ESPIPE, 0, 0)                                              \
    C(int, lstat, (const char *a, void *b), (a, b), -1, EIO, EACCES, 0)                                                \
    C(int, memfd_create, (const char *a, unsigned b), (a, b), -1, EMFILE, ENOMEM, 0)                                   \
    C(int, mkdir, (const char *a, unsigned b), (a, b), -1, ENOSPC, EROFS, EACCES)                                      \
    C(char *, mkdtemp, (char *a), (a), NULL, ENOSPC, EROFS, EACCES)                                                    \
    C(int, mkostemp, (char *a, int b), (a, b), -1, ENOSPC, EROFS, EMFILE)                                              \
    C(int, nanosleep, (const void *a, void *b), (a, b), -1, EINTR, 0, 0)                                               \
    C(int, nftw, (const char *a, void *b, int c, int d), (a, b, c, d), -1, EMFILE, 0, 0)                               \
    C(int, open, (const char *a, int b, unsigned c), (a, b, c), -1, EMFILE, EACCES, EINTR)                             \
    C(int, openat, (int a, const char *b, int c, unsigned d), (a, b, c, d), -1, EMFILE, EACCES, 0)                     \
    C(void *, opendir, (const char *a), (a), NULL, EMFILE, EACCES, 0)                                                  \
    C(int, pipe2, (int *a, int b), (a, b), -1, EMFILE, ENFILE, 0)                                                      \
    C(int, poll, (void *a, unsigned long b, int c), (a, b, c), -1, EINTR, ENOMEM, 0)                                   \
    C(ssize_t, pread, (int a, void *b, size_t c, off_t d), (a, b, c, d), -1, EIO, EINTR, 0)                            \
    C(void *, readdir, (void *a), (a), NULL, EIO, 0, 0)                                                                \
    C(ssize_t, readlink, (const char *a, char *b, size_t c), (a, b, c), -1, EIO, 0, 0)                                 \
    C(char *, realpath, (const char *a, char *b), (a, b), NULL, EACCES, ENOENT, 0)                                     \
    C(int, remove, (const char *a), (a), -1, EBUSY, 0, 0)                                                              \
    C(int, rename, (const char *a, const char *b), (a, b), -1, ENOSPC, EROFS, EIO)                                     \
    C(int, renameat, (int a, const char *b, int c, const char *d), (a, b, c, d), -1, ENOSPC, EROFS, EIO)               \
    C(int, rmdir, (const char *a), (a), -1, EBUSY, EROFS, 0)                                                           \
    C(void *, seccomp_init, (uint32_t a), (a), NULL, ENOMEM, 0, 0)                                                     \
    C(int, setenv, (const char *a, const char *b, int c), (a, b, c), -1, ENOMEM, 0, 0)                                 \
    C(int, setpgid, (int a, int b), (a, b), -1, EPERM, 0, 0)                                                           \
    C(int, setsid, (void), (), -1, EPERM, 0, 0)                                                                        \
    C(int, signalfd, (int a, const void *b, int c), (a, b, c), -1, EMFILE, ENOMEM, 0)                                  \
    C(int, stat, (const char *a, void *b), (a, b), -1, EIO, EACCES, ENOENT)                                            \
    C(int, tcgetattr, (int a, void *b), (a, b), -1, EIO, 0, 0)                                                         \
    C(int, tcsetattr, (int a, int b, const void *c), (a, b, c), -1, EIO, 0, 0)                                         \
    C(int, unlink, (const char *a), (a), -1, EBUSY, EROFS, 0)                                                          \
    C(int, unlinkat, (int a, const char *b, int c), (a, b, c), -1, EBUSY, 0, 0)                                        \
    C(int, utimensat, (int a, const char *b, const void *c, int d), (a, b, c, d), -1, EROFS, 0, 0)                     \
    C(pid_t, waitpid, (pid_t a, int *b, int c), (a, b, c), -1, EINTR, 0, 0)

// Those of a stream, which remembers (ferror): C(result, name, parameters, arguments, stream, as above)
#define STREAM_CALLS(C)                                                                                                \
    C(int, fflush, (void *a), (a), a, -1, ENOSPC, EIO, 0)                                                              \
    C(int, fputs, (const char *a, void *b), (a, b), b, -1, ENOSPC, EIO, 0)                                             \
    C(size_t, fread, (void *a, size_t b, size_t c, void *d), (a, b, c, d), d, 0, EIO, 0, 0)                            \
    C(size_t, fwrite, (const void *a, size_t b, size_t c, void *d), (a, b, c, d), d, 0, ENOSPC, EIO, 0)

// Those with a body of their own.
#define OWN_CALLS(C)                                                                                                   \
    C(close)                                                                                                           \
    C(clock_gettime)                                                                                                   \
    C(syscall) C(fork) C(seccomp_export_bpf) C(prctl) C(setrlimit) C(sysconf) C(pthread_create) C(read) C(write)

enum {
#define C(result, name, ...) CALL_##name,
    CALLS(C) STREAM_CALLS(C)
#undef C
#define C(name) CALL_##name,
        OWN_CALLS(C)
#undef C
            CALL_MEMORY
};

#define HOOK(result, name, parameters)                                                                                 \
    result hook_##name parameters __asm__(#name);                                                                      \
    result hook_##name parameters

#define C(result, name, parameters, arguments, failed, e1, e2, e3)                                                     \
    HOOK(result, name, parameters)                                                                                     \
    {                                                                                                                  \
        static result(*real) parameters;                                                                               \
        if (!real)                                                                                                     \
            *(void **)&real = next_function(#name);                                                                    \
        int error = decide(CALL_##name, #name, CLASS_SYSTEM, (const int[3]){e1, e2, e3});                              \
        if (!error)                                                                                                    \
            return real arguments;                                                                                     \
        errno = error;                                                                                                 \
        return failed;                                                                                                 \
    }
CALLS(C)
#undef C

static void mark_error(void *stream)
{
#ifdef __GLIBC__
    if (stream)
        ((FILE *)stream)->_flags |= 0x20; // _IO_ERR_SEEN
#else
    (void)stream;
#endif
}

#define C(result, name, parameters, arguments, stream, failed, e1, e2, e3)                                             \
    HOOK(result, name, parameters)                                                                                     \
    {                                                                                                                  \
        static result(*real) parameters;                                                                               \
        if (!real)                                                                                                     \
            *(void **)&real = next_function(#name);                                                                    \
        int error = decide(CALL_##name, #name, CLASS_SYSTEM, (const int[3]){e1, e2, e3});                              \
        if (!error)                                                                                                    \
            return real arguments;                                                                                     \
        mark_error(stream);                                                                                            \
        errno = error;                                                                                                 \
        return failed;                                                                                                 \
    }
STREAM_CALLS(C)
#undef C

// Others' constructors may come before ours.
#define CALL_RAW(...)                                                                                                  \
    (real_syscall ? real_syscall : (*(void **)&real_syscall = next_function("syscall"), real_syscall))(__VA_ARGS__)

HOOK(long, syscall, (long number, long a, long b, long c, long d, long e, long f))
{
    const char *name = number == SYS_getdents64 ? "getdents64" : "syscall";
    int error = decide(CALL_syscall, name, CLASS_SYSTEM, (const int[3]){ENOSYS, ENOMEM, 0});
    if (!error && looks_for_leaks && number == SYS_landlock_restrict_self)
        return 0; // its findings lie outside of what a worker may write
    if (!error)
        return CALL_RAW(number, a, b, c, d, e, f);
    errno = error;
    return -1;
}

// A descriptor is closed all the same when close fails.
HOOK(int, close, (int fd))
{
    int error = decide(CALL_close, "close", CLASS_SYSTEM, (const int[3]){EIO, ENOSPC, 0});
    long result = CALL_RAW(SYS_close, fd);
    errno = error ? error : errno;
    return error ? -1 : (int)result;
}

HOOK(ssize_t, read, (int fd, void *bytes, size_t size))
{
    int error = decide(CALL_read, "read", CLASS_SYSTEM, (const int[3]){EIO, EINTR, SHORT});
    if (error && error != SHORT) {
        errno = error;
        return -1;
    }
    return CALL_RAW(SYS_read, fd, bytes, error && size > 1 ? size / 2 : size);
}

HOOK(ssize_t, write, (int fd, const void *bytes, size_t size))
{
    int error = decide(CALL_write, "write", CLASS_SYSTEM, (const int[3]){ENOSPC, EINTR, SHORT});
    if (error && error != SHORT) {
        errno = error;
        return -1;
    }
    return CALL_RAW(SYS_write, fd, bytes, error && size > 1 ? size / 2 : size);
}

// Where leaks are looked for, the worker must be open to that.
HOOK(int, prctl, (int option, long b, long c, long d, long e))
{
    static int (*real)(int, long, long, long, long);
    if (!real)
        *(void **)&real = next_function("prctl");
    int error = decide(CALL_prctl, "prctl", CLASS_SYSTEM, (const int[3]){EPERM, 0, 0});
    if (error) {
        errno = error;
        return -1;
    }
    bool hides = option == PR_SET_DUMPABLE || (option == PR_SET_SECCOMP && c);
    return looks_for_leaks && hides ? 0 : real(option, b, c, d, e);
}

// LeakSanitizer reserves more addresses than a run may have.
HOOK(int, setrlimit, (int resource, const void *limit))
{
    static int (*real)(int, const void *);
    if (!real)
        *(void **)&real = next_function("setrlimit");
    if (decide(CALL_setrlimit, "setrlimit", CLASS_SYSTEM, (const int[3]){EPERM, 0, 0})) {
        errno = EPERM;
        return -1;
    }
    return looks_for_leaks && (resource == RLIMIT_AS || resource == RLIMIT_DATA) ? 0 : real(resource, limit);
}

// Who has its answer lets the worker go at once. That one may first come to its end, to show what it has left then.
HOOK(int, kill, (pid_t pid, int number))
{
    siginfo_t info;
    int most = looks_for_leaks ? 10000 : 200;
    for (int i = 0; run && number == SIGKILL && pid < -1 && i < most; i++) {
        info.si_pid = 0;
        if (CALL_RAW(SYS_waitid, P_PID, -pid, &info, WEXITED | WNOWAIT | WNOHANG, NULL) != 0 || info.si_pid)
            break;
        CALL_RAW(SYS_nanosleep, &(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return (int)CALL_RAW(SYS_kill, pid, number);
}

// Two threads are enough for trouble, and the plan is the same on any machine.
HOOK(long, sysconf, (int name))
{
    static long (*real)(int);
    if (!real)
        *(void **)&real = next_function("sysconf");
    int error = decide(CALL_sysconf, "sysconf", CLASS_SYSTEM, (const int[3]){EINVAL, 0, 0});
    long result = error ? -1 : real(name);
    errno = error ? error : errno;
    return run && name == _SC_NPROCESSORS_ONLN && result > 2 ? 2 : result;
}

HOOK(pid_t, fork, (void))
{
    static pid_t (*real)(void);
    if (!real)
        *(void **)&real = next_function("fork");
    if (decide(CALL_fork, "fork", CLASS_SYSTEM, (const int[3]){ENOMEM, EAGAIN, 0})) {
        errno = run->error;
        return -1;
    }
    pid_t pid = real();
    if (pid == 0 && role % 3 < ROLE_CHILD)
        role++;
    return pid;
}

HOOK(int, seccomp_export_bpf, (void *context, int fd))
{
    static int (*real)(void *, int);
    if (!real)
        *(void **)&real = next_function("seccomp_export_bpf");
    if (decide(CALL_seccomp_export_bpf, "seccomp_export_bpf", CLASS_SYSTEM, (const int[3]){ENOMEM, 0, 0}))
        return -ENOMEM;
    in_library++;
    int result = real(context, fd);
    in_library--;
    return result;
}

HOOK(void, config_init, (void *config))
{
    static void (*real)(void *);
    if (!real)
        *(void **)&real = next_function("config_init");
    in_library++;
    real(config);
    in_library--;
}

HOOK(int, config_read_string, (void *config, const char *text))
{
    static int (*real)(void *, const char *);
    if (!real)
        *(void **)&real = next_function("config_read_string");
    in_library++;
    int result = real(config, text);
    in_library--;
    return result;
}

HOOK(int, pthread_create, (void *a, const void *b, void *c, void *d))
{
    static int (*real)(void *, const void *, void *, void *);
    if (!real)
        *(void **)&real = next_function("pthread_create");
    return decide(CALL_pthread_create, "pthread_create", CLASS_SYSTEM, (const int[3]){ENOMEM, 0, 0}) ? EAGAIN
                                                                                                     : real(a, b, c, d);
}

// Going back by a second with each reading, or standing still: only the wall clock does that.
HOOK(int, clock_gettime, (int clock, struct timespec *now))
{
    long result = CALL_RAW(SYS_clock_gettime, clock, now);
    if (!run || run->clock == CLOCK_TRUE || clock != CLOCK_REALTIME)
        return (int)result;
    long long tick = atomic_fetch_add(&run->ticks, 1);
    *now = (struct timespec){.tv_sec = 1700000000 - (run->clock == CLOCK_BACKWARDS ? tick : 0)};
    return 0;
}

// ---- memory

static char early[65536]; // what dlsym itself allocates
static size_t early_used;

static void *early_block(size_t size)
{
    size_t at = (early_used + 31) & ~(size_t)31;
    if (at + size > sizeof early)
        return NULL;
    early_used = at + size;
    return early + at;
}

static struct {
    void *(*malloc)(size_t), *(*calloc)(size_t, size_t), *(*realloc)(void *, size_t), *(*aligned_alloc)(size_t, size_t);
    void (*free)(void *);
    bool ready, busy;
} memory;

static bool find_memory(void)
{
    if (memory.ready || memory.busy)
        return memory.ready;
    memory.busy = true;
    *(void **)&memory.malloc = next_function("malloc");
    *(void **)&memory.calloc = next_function("calloc");
    *(void **)&memory.realloc = next_function("realloc");
    *(void **)&memory.aligned_alloc = next_function("aligned_alloc");
    *(void **)&memory.free = next_function("free");
    memory.ready = true;
    return true;
}

static bool fails(const char *name)
{
    bool failed = decide(CALL_MEMORY, name, CLASS_MEMORY, (const int[3]){ENOMEM, 0, 0}) != 0;
    if (failed)
        errno = ENOMEM;
    return failed;
}

static atomic_int blocks; // that were given and not taken back

static void *count_block(void *block)
{
    atomic_fetch_add(&blocks, block != NULL);
    return block;
}

HOOK(void *, malloc, (size_t size))
{
    return !find_memory() ? early_block(size) : fails("malloc") ? NULL : count_block(memory.malloc(size));
}

HOOK(void *, calloc, (size_t count, size_t size))
{
    return !find_memory()    ? early_block(count * size)
           : fails("calloc") ? NULL
                             : count_block(memory.calloc(count, size));
}

HOOK(void *, realloc, (void *block, size_t size))
{
    if ((char *)block >= early && (char *)block < early + sizeof early) {
        void *moved = hook_malloc(size);
        size_t most = (size_t)(early + early_used - (char *)block);
        return moved ? memcpy(moved, block, size < most ? size : most) : NULL;
    }
    if (!find_memory())
        return early_block(size);
    if (fails("realloc"))
        return NULL;
    void *moved = memory.realloc(block, size);
    atomic_fetch_add(&blocks, (moved && !block) - (!moved && block && !size));
    return moved;
}

HOOK(void *, aligned_alloc, (size_t alignment, size_t size))
{
    return find_memory() && !fails("aligned_alloc") ? count_block(memory.aligned_alloc(alignment, size)) : NULL;
}

HOOK(int, posix_memalign, (void **block, size_t alignment, size_t size))
{
    *block = hook_aligned_alloc(alignment, size);
    return *block ? 0 : ENOMEM;
}

HOOK(void, free, (void *block))
{
    if ((char *)block >= early && (char *)block < early + sizeof early)
        return;
    atomic_fetch_sub(&blocks, block != NULL);
    if (find_memory())
        memory.free(block);
}

// ---- the start and the end of a process

static bool left_early; // by exit() in mid-work, as for want of memory

HOOK(void, exit, (int status))
{
    void (*real)(int) __attribute__((noreturn));
    *(void **)&real = next_function("exit");
    left_early = true;
    real(status);
}

static void note_most(atomic_int *most, int number)
{
    int before = atomic_load(most);
    while (number > before && !atomic_compare_exchange_weak(most, &before, number))
        ;
}

__attribute__((destructor)) static void end(void)
{
    int descriptors = 0;
    if (!run || left_early || role % 3)
        return;
    for (int fd = 0; fd < 1024; fd++)
        descriptors += CALL_RAW(SYS_fcntl, fd, F_GETFD) >= 0;
    note_most(&run->blocks[role], atomic_load(&blocks));
    note_most(&run->descriptors[role], descriptors);
    atomic_fetch_add(&run->ended[role], 1);
}

static void note_crash(int number)
{
    atomic_store(&run->crashed_role, (int)role);
    atomic_store(&run->crashed, number);
    print_stack();
    signal(number, SIG_DFL);
    raise(number);
}

// Our own program: argv[0] ends in "bankshot", and argv[1] says whether it is a worker.
static bool is_ours(void)
{
    char line[4096] = "";
    long fd = CALL_RAW(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    long length = fd < 0 ? 0 : CALL_RAW(SYS_read, fd, line, sizeof line - 2);
    if (fd >= 0)
        CALL_RAW(SYS_close, fd);
    size_t own = strlen(line);
    role = length > 0 && strcmp(line + own + 1, "worker") == 0 ? ROLE_WORKER : ROLE_CLIENT;
    return own >= 8 && strcmp(line + own - 8, "bankshot") == 0;
}

__attribute__((constructor)) static void begin(void)
{
    static const int deaths[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    const char *path = getenv(FAULT_VARIABLE);
    *(void **)&real_syscall = next_function("syscall");
    void (*start_leaks)(void) = NULL;
    *(void **)&start_leaks = dlsym(RTLD_DEFAULT, "__lsan_init");
    if (start_leaks) // LeakSanitizer, loaded after us
        start_leaks();
    looks_for_leaks = start_leaks != NULL;
    find_memory();
    if (!path || !is_ours())
        return;
    long fd = CALL_RAW(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    void *mapped = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *run, PROT_READ | PROT_WRITE, MAP_SHARED, (int)fd, 0);
    if (mapped == MAP_FAILED)
        _exit(98);
    CALL_RAW(SYS_close, fd);
    for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++)
        signal(deaths[i], note_crash);
    void *frame;
    backtrace(&frame, 1); // loads what it needs
    run = mapped;
    for (int i = 0; i < 8 && run->leak; i++) // some more than a command keeps in one run and not in another
        *(void *volatile *)&frame = hook_malloc(4321);
    frame = NULL;
}
