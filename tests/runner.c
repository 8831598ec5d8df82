// Runs every suite, several at a time, and ends with Check's line. CK_RUN_SUITE=name runs one; CK_FORK=no helps a
// debugger; JOBS=n sets how many run at a time (default: two for each core, as
// many wait more than they work).
#include <check.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/skip.h"

#define SUITE(name) Suite *suite_##name(void);
#include "suites.def"
#undef SUITE

static const struct {
    const char *name;
    Suite *(*make)(void);
} suites[] = {
#define SUITE(name) {#name, suite_##name},
#include "suites.def"
#undef SUITE
};

enum { SUITES = sizeof suites / sizeof *suites, MAX_JOBS = 64 };

// Shared by all processes.
struct tally {
    atomic_int checks, failures, errors;
};
static FILE *failed_checks; // a line each, told again at the end: a log's last lines say what failed

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void count_failed(SRunner *runner, const char *suite, struct tally *tally)
{
    TestResult **failed = srunner_failures(runner);
    for (int i = 0; i < srunner_ntests_failed(runner); i++) {
        atomic_fetch_add(tr_rtype(failed[i]) == CK_FAILURE ? &tally->failures : &tally->errors, 1);
        fprintf(failed_checks, "failed: %s, %s:%d: %.300s\n", suite, tr_lfile(failed[i]), tr_lno(failed[i]),
                tr_msg(failed[i]) ? tr_msg(failed[i]) : "");
    }
    fflush(failed_checks);
    free(failed);
}

static void print_failed(void)
{
    char piece[1024];
    rewind(failed_checks);
    for (size_t length; (length = fread(piece, 1, sizeof piece, failed_checks)) > 0;)
        fwrite(piece, 1, length, stdout);
}

static void run_suite(size_t index, struct tally *tally)
{
    double start = now();
    SRunner *runner = srunner_create(suites[index].make());
    srunner_run_all(runner, CK_SILENT);
    atomic_fetch_add(&tally->checks, srunner_ntests_run(runner));
    count_failed(runner, suites[index].name, tally);
    printf("%6d checks  %-16s %5.1f s%s\n", srunner_ntests_run(runner), suites[index].name, now() - start,
           srunner_ntests_failed(runner) ? "  FAILED" : "");
    if (srunner_ntests_failed(runner))
        srunner_print(runner, CK_NORMAL);
    fflush(stdout); // in one piece, unless it is very long
    srunner_free(runner);
}

// One process for each suite: Check forks for every test, and a fork (and its search for leaks) takes longer the more
// the suites before have left behind.
static int run_all(struct tally *tally, long jobs)
{
    const char *only = getenv("CK_RUN_SUITE");
    int lost = 0, status;
    long running = 0;
    for (size_t index = 0; index < SUITES || running > 0;) {
        bool starts = index < SUITES && running < jobs;
        if (starts && (!only || !*only || strcmp(only, suites[index].name) == 0)) {
            fflush(stdout);
            pid_t child = fork();
            if (child == 0) {
                run_suite(index, tally);
                exit(EXIT_SUCCESS);
            }
            running += child > 0;
            lost += child < 0;
        }
        index += starts;
        if (!starts && wait(&status) > 0) {
            lost += status != 0;
            running--;
        }
    }
    return lost;
}

int main(void)
{
    struct tally *tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tally == MAP_FAILED || !skip_open() || !(failed_checks = fdopen(memfd_create("failed", MFD_CLOEXEC), "w+")))
        return EXIT_FAILURE;
    setenv("CK_DEFAULT_TIMEOUT", "60", 0); // Check's own 4 s are too few on a loaded machine
    static char buffer[1 << 16];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    const char *named = getenv("JOBS");
    long jobs = named ? atol(named) : 2 * sysconf(_SC_NPROCESSORS_ONLN);
    int lost = run_all(tally, jobs < 1 ? 1 : jobs > MAX_JOBS ? MAX_JOBS : jobs);
    if (lost)
        printf("%d of the processes that run a suite each died\n", lost);
    skip_print();
    print_failed();
    int failed = tally->failures + tally->errors, made = tally->checks - skip_count();
    int rate = made > 0 ? (made - failed) * 100 / made : 0;
    printf("%d%%: Checks: %d, Failures: %d, Errors: %d\n", rate, made, tally->failures, tally->errors);
    return failed || lost || made <= 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
