// The lab as processes: how much memory each lesson takes, with its starter, its solution, every view and the
// comparison of both; the same for all lessons in one sitting; redraw and memory of kernels of no lesson; and what the
// lab costs while nothing happens.
#include <glob.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../support/program.h"
#include "bound.h"

enum { MOST_MB = 200, SAMPLE_US = 2000, IDLE_SECONDS = 3, LONGEST_SECONDS = 300, OWN_MB = 100, REDRAW_MS = 20 };

// Starter, all views, the solution saved over it, before and after and the solution itself: all that the lab holds.
#define WALK "<wait>2]].mw345G1Sye<wait>2B<wait>B<wait>B<wait>345G6<Enter><wait><Esc>1"

struct peaks {
    long lab, worker, compiler; // KiB; of one process each
};

static char program[4096], root[4096], folder[] = "/tmp/bankshot-bench.XXXXXX";

static void pause_us(long us)
{
    struct timespec time = {us / 1000000, us % 1000000 * 1000};
    nanosleep(&time, NULL);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// A number after `key` in a file of /proc; 0 when the process is gone.
static long proc_number(pid_t process, const char *file, const char *key)
{
    char path[64], line[256];
    long number = 0;
    snprintf(path, sizeof path, "/proc/%d/%s", (int)process, file);
    FILE *status = fopen(path, "r");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, key, strlen(key)) == 0)
            number = strtol(line + strlen(key), NULL, 10);
    if (status)
        fclose(status);
    return number;
}

static void take_peaks(pid_t process, int depth, struct peaks *peaks)
{
    char path[64], name[64] = "";
    int child;
    long peak = proc_number(process, "status", "VmHWM:");
    snprintf(path, sizeof path, "/proc/%d/comm", (int)process);
    FILE *comm = fopen(path, "r");
    if (comm && !fgets(name, sizeof name, comm))
        *name = '\0';
    if (comm)
        fclose(comm);
    long *most = depth == 0 ? &peaks->lab : strncmp(name, "bankshot", 8) == 0 ? &peaks->worker : &peaks->compiler;
    *most = peak > *most ? peak : *most;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)process, (int)process);
    FILE *children = fopen(path, "r");
    while (children && fscanf(children, "%d", &child) == 1)
        take_peaks(child, depth + 1, peaks);
    if (children)
        fclose(children);
}

// User and system time of the process itself, without its children's, in clock ticks; of one that has ended, too.
static long cpu_ticks(pid_t process)
{
    char path[64];
    unsigned long user = 0, system_time = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *stat = fopen(path, "r");
    if (stat) {
        int count = fscanf(stat, "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system_time);
        if (count != 2)
            user = system_time = 0;
        fclose(stat);
    }
    return (long)(user + system_time);
}

// Watches the process to its end; *ticks is its time.
static bool watch(pid_t process, struct peaks *peaks, long *ticks)
{
    int status = 0;
    double limit = now() + LONGEST_SECONDS;
    siginfo_t ended = {0};
    while (waitid(P_PID, (id_t)process, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0) {
        take_peaks(process, 0, peaks);
        if (now() > limit)
            kill(process, SIGKILL);
        pause_us(SAMPLE_US);
    }
    *ticks = cpu_ticks(process);
    waitpid(process, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Plays the script in the workspace, at this lesson or (NULL) at the list, and watches it.
static bool play(const char *lesson, const char *script, struct peaks *peaks)
{
    pid_t process = fork();
    if (process == 0) {
        char work[4200];
        snprintf(work, sizeof work, "%s/work", folder);
        if (chdir(work) == 0)
            execl(program, program, "lab", "--device", "sim", "--script", script, lesson, (char *)NULL);
        _exit(127);
    }
    long ticks;
    return watch(process, peaks, &ticks);
}

static bool write_editor(void)
{
    char path[64];
    snprintf(path, sizeof path, "%s/editor", folder);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "#!/bin/sh\nfor last; do :; done\ncp '%s/solutions/'\"${last##*/}\" \"$last\"\n", root);
    fclose(file);
    setenv("EDITOR", path, 1);
    unsetenv("VISUAL");
    return chmod(path, 0755) == 0;
}

static bool run_shell(const char *format, const char *a, const char *b)
{
    char command[9000];
    snprintf(command, sizeof command, format, a, b);
    return system(command) == 0;
}

static bool prepare(void)
{
    char state[64], cache[64];
    if (!getcwd(root, sizeof root) || !mkdtemp(folder) || !write_editor())
        return false;
    snprintf(state, sizeof state, "%s/state", folder);
    snprintf(cache, sizeof cache, "%s/cache", folder);
    setenv("XDG_STATE_HOME", state, 1);
    setenv("XDG_CACHE_HOME", cache, 1);
    return run_shell("'%s' init '%s/work' >/dev/null", program, folder);
}

static bool report(const char *name, bool good, const struct peaks *peaks)
{
    double lab = (double)peaks->lab / 1024, worker = (double)peaks->worker / 1024;
    bool fits = lab + worker < MOST_MB;
    printf("  %-24s %8.1f MB %8.1f MB %8.1f MB %12.1f MB%s%s\n", name, lab, worker, lab + worker,
           (double)peaks->compiler / 1024, good ? "" : "  FAILED: the lab did not end well",
           fits ? "" : "  FAILED: too much");
    fflush(stdout);
    return good && fits;
}

static size_t count_passed(void)
{
    char command[9000];
    size_t count = 0;
    snprintf(command, sizeof command, "cd '%s/work' && '%s' lessons | grep -cE ' passed |full marks'", folder, program);
    FILE *pipe = popen(command, "r");
    if (pipe && fscanf(pipe, "%zu", &count) != 1)
        count = 0;
    if (pipe)
        pclose(pipe);
    return count;
}

static bool measure_memory(void)
{
    glob_t found;
    bool good = true;
    char sitting[8192] = "";
    struct peaks all = {0};
    if (glob("solutions/*.cu", 0, NULL, &found) != 0)
        return false;
    printf(
        "memory, peaks                    lab       worker     together (asked: < %d MB)   largest compiler process\n",
        MOST_MB);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char name[128];
        struct peaks peaks = {0};
        snprintf(name, sizeof name, "%s", strrchr(found.gl_pathv[i], '/') + 1);
        *strrchr(name, '.') = '\0';
        bool played = play(name, WALK "qq", &peaks);
        good &= report(name, played, &peaks);
        size_t length = strlen(sitting);
        snprintf(sitting + length, sizeof sitting - length, "g%.*s<Enter>%sq", (int)i, "jjjjjjjjjjjjjjjjjjjj", WALK);
    }
    // what was measured was what was meant: each lesson's solution ran and passed
    bool passed = count_passed() == found.gl_pathc;
    if (!passed)
        printf("  FAILED: not every solution was run and passed\n");
    globfree(&found);
    good &= run_shell("rm -rf '%s/work'%s", folder, "") &&
            run_shell("'%s' init '%s/work' >/dev/null", program, folder) && play(NULL, sitting, &all);
    return report("all in one sitting", good, &all) && good && passed;
}

// ---- kernels of no lesson

static const struct {
    const char *name, *block, *arguments[3];
} own_kernels[] = {
    {"reduction", "256", {"out:f32[64]=zero", "in:f32[16384]=iota", "n:s32=16384"}},
    {"histogram", "256", {"bins:u32[256]=zero", "data:u8[16384]=random", "n:s32=16384"}},
    {"stencil", "256", {"out:f32[16384]=zero", "in:f32[16384]=random", "n:s32=16384"}},
};

static bool play_own(size_t kernel, const char *script, struct peaks *peaks, long *ticks)
{
    pid_t process = fork();
    if (process == 0) {
        char file[4200];
        const char *const *arguments = own_kernels[kernel].arguments;
        snprintf(file, sizeof file, "%s/tests/kernels/own_%s.cu", root, own_kernels[kernel].name);
        execl(program, program, "lab", file, "--device", "sim", "--script", script, "--", "--grid", "64", "--block",
              own_kernels[kernel].block, "--arg", arguments[0], "--arg", arguments[1], "--arg", arguments[2],
              (char *)NULL);
        _exit(127);
    }
    return watch(process, peaks, ticks);
}

// What one key of a view and the redraw before it take, in ms; -1000: the lab did not end well.
static double own_key_ms(size_t kernel, const char *view, const char *keys, struct peaks *peaks)
{
    enum { KEYS = 200 };
    char script[64 + KEYS];
    long ticks[2]; // with no key, with all
    for (int with = 0; with < 2; with++) {
        int length = snprintf(script, sizeof script, "<size 200x60><wait>7<wait>%s", view);
        for (int i = 0; i < KEYS * with; i++)
            script[length++] = keys[(size_t)i % strlen(keys)];
        script[length] = '\0';
        if (!play_own(kernel, script, peaks, &ticks[with]))
            return -1e3;
    }
    return (double)(ticks[1] - ticks[0]) * 1e3 / (double)sysconf(_SC_CLK_TCK) / KEYS;
}

static bool measure_own(void)
{
    static const struct {
        const char *view, *keys;
    } views[] = {{"1", "jk"},  {"1<Tab>", "jk"}, {"2", "jl"}, {"2m", "].["}, {"3", "jl"},       {"4", ".l"},
                 {"4m", ".,"}, {"5", "jk"},      {"7", "jl"}, {"7", "+-"},   {"7B<wait>", "jl"}};
    struct bounds bounds = {0};
    for (size_t i = 0; i < sizeof own_kernels / sizeof *own_kernels; i++) {
        struct peaks peaks = {0};
        double worst = 0;
        bool good = true;
        for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
            double ms = own_key_ms(i, views[v].view, views[v].keys, &peaks);
            good &= ms > -1e2;
            worst = ms > worst ? ms : worst;
        }
        char what[96];
        snprintf(what, sizeof what, "%s of one's own: a key and redraw, slowest view", own_kernels[i].name);
        bound_at_most(&bounds, what, good ? worst : LONGEST_SECONDS * 1e3, " ms", REDRAW_MS);
        snprintf(what, sizeof what, "%s of one's own: the lab's memory", own_kernels[i].name);
        bound_at_most(&bounds, what, (double)peaks.lab / 1024, " MB", OWN_MB);
    }
    return bound_end(&bounds) == 0;
}

static bool has_children(pid_t process)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)process, (int)process);
    FILE *children = fopen(path, "r");
    int first = children ? fgetc(children) : EOF;
    if (children)
        fclose(children);
    return first != EOF;
}

// Takes what the lab writes until nothing has come for `seconds`.
static void drain(int terminal, double seconds)
{
    char bytes[4096];
    struct pollfd wanted = {terminal, POLLIN, 0};
    while (poll(&wanted, 1, (int)(seconds * 1000)) > 0 && read(terminal, bytes, sizeof bytes) > 0)
        continue;
}

static bool measure_idle(void)
{
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    int terminal;
    pid_t process = forkpty(&terminal, NULL, NULL, &size);
    if (process == 0) {
        setenv("TERM", "xterm", 1);
        if (chdir(folder) == 0 && chdir("work") == 0)
            execl(program, program, "lab", "--device", "sim", "padding", (char *)NULL);
        _exit(127);
    }
    double limit = now() + LONGEST_SECONDS;
    do
        drain(terminal, 1);
    while (has_children(process) && now() < limit);
    long ticks = cpu_ticks(process), turns = proc_number(process, "status", "voluntary_ctxt_switches:");
    drain(terminal, IDLE_SECONDS);
    ticks = cpu_ticks(process) - ticks;
    turns = proc_number(process, "status", "voluntary_ctxt_switches:") - turns;
    kill(process, SIGTERM);
    drain(terminal, 1);
    waitpid(process, NULL, 0);
    close(terminal);
    printf("idle for %d s              %ld ms of CPU, woken %ld times (asked: 0)%s\n", IDLE_SECONDS,
           ticks * 1000 / sysconf(_SC_CLK_TCK), turns, ticks || turns ? "  FAILED" : "");
    return ticks == 0 && turns == 0;
}

int main(void)
{
    if (!realpath(program_path(), program) || !prepare()) {
        fprintf(stderr, "bench_lab: no bankshot, or no workspace\n");
        return 1;
    }
    bool good = measure_own();
    good &= measure_memory();
    good &= measure_idle();
    run_shell("rm -rf '%s%s'", folder, "");
    return good ? 0 : 1;
}
