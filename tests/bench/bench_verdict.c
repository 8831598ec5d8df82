// From saving an exercise to its verdict, as a learner waits for it: the whole worker, from a source that was not
// compiled before. What the lab adds to the compiler's own time must stay under 0.3 s on two idle cores: for each
// lesson's solution, and for what is handed in by those who go further. With arguments: only of lessons whose id begins
// with one of them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../support/program.h"
#include "bound.h"

#include "base/file.h"
#include "base/memory.h"
#include "grade/worker.h"
#include "lesson/lesson.h"
#include "toolchain/toolchain.h"

// One seed: the size whose time is modelled is drawn by it, and the naive kernel and the solution are modelled once for
// each size.
enum { ROUNDS = 3, SEED = 7 };

static const double asked_over = 0.3;

struct wait {
    double compiler, verdict;
};

struct hand_in {
    const struct lesson *lesson;
    const char *compiler, *kernel; // the kernel: a path
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// A right kernel with one behind it that no round before had: for a comment ptxas would not be asked again.
static bool save(const char *kernel, const char *path, int round)
{
    char *text = NULL;
    size_t length;
    struct text source = {0};
    bool good = file_read(kernel, TOOLCHAIN_SOURCE_MAX, &text, &length, NULL) == STATUS_OK;
    text_append(&source, text ? text : "", good ? length : 0);
    text_printf(&source, "\n__global__ void save_%d_%d_%lld() {}\n", (int)getpid(), round, (long long)(now() * 1e6));
    good = good && file_write(path, text_get(&source), source.length, NULL) == STATUS_OK;
    text_free(&source);
    free(text);
    return good;
}

// false: no report, or a kernel that does not pass.
static bool measure(const struct hand_in *hand_in, const char *path, int round, struct wait *wait)
{
    struct grade_options options = {.source = path, .device = "sim", .compiler = hand_in->compiler, .seed = SEED};
    struct grade_report *report = NULL;
    if (!save(hand_in->kernel, path, round))
        return false;
    double start = now();
    struct diagnostic diagnostic;
    bool good = grade_wait(hand_in->lesson, &options, 0, NULL, NULL, &report, &diagnostic) == STATUS_OK;
    if (!good)
        fprintf(stderr, "bench_verdict: %s\n", diagnostic.message);
    wait->verdict = now() - start;
    good = good && report->verdict == VERDICT_PASS && !report->from_cache;
    wait->compiler = good ? report->compile_seconds : 0;
    grade_report_free(report);
    return good;
}

// The round with the least beside the compiler: the others had to share the machine. The round before them fills the
// cache with what does not change.
static bool measure_best(const struct hand_in *hand_in, const char *path, struct wait *best)
{
    struct wait wait;
    bool good = measure(hand_in, path, 0, &wait);
    for (int round = 1; round <= ROUNDS && good; round++) {
        good = measure(hand_in, path, round, &wait);
        if (round == 1 || wait.verdict - wait.compiler < best->verdict - best->compiler)
            *best = wait;
    }
    return good;
}

// The longest wait beyond the compiler of all, in *most. Of the variants those count that would pass as a hand-in.
static void measure_lesson(const struct lesson *lesson, const char *compiler, const char *path, struct bounds *bounds,
                           double *most)
{
    for (size_t i = 0; i <= lesson->variant_count; i++) {
        struct hand_in hand_in = {lesson, compiler, i ? lesson->variants[i - 1] : lesson->solution};
        const char *name = strrchr(hand_in.kernel, '/') + 1;
        struct wait wait;
        bool passes = measure_best(&hand_in, path, &wait);
        if (passes)
            printf("  %-5s %-20s %-18s %8.2f %10.2f %10.2f\n", compiler, lesson->id, i ? name : "", wait.compiler,
                   wait.verdict, wait.verdict - wait.compiler);
        if (passes && wait.verdict - wait.compiler > *most)
            *most = wait.verdict - wait.compiler;
        if (!passes && i == 0)
            bound_judge(bounds, false, lesson->id, 0, " solutions that pass", "at least", 1);
    }
}

static bool is_asked_for(const struct lesson *lesson, int argc, char **argv)
{
    bool is_asked = argc < 2;
    for (int i = 1; i < argc; i++)
        is_asked |= strncmp(lesson->id, argv[i], strlen(argv[i])) == 0;
    return is_asked;
}

int main(int argc, char **argv)
{
    static const char *const compilers[] = {"nvcc", "clang"};
    struct lesson_set set;
    struct diagnostic diagnostic;
    struct bounds bounds = {0};
    char path[] = "/tmp/bankshot-verdict-XXXXXX.cu";
    if (!program_is_there("bench_verdict"))
        return 1;
    grade_worker_set_program(program_path());
    int file = mkstemps(path, 3);
    if (file < 0 || lesson_set_open(&set, &diagnostic) != STATUS_OK) {
        fprintf(stderr, "bench_verdict: no lessons or no temporary file\n");
        return 1;
    }
    close(file);
    double load[1] = {0};
    getloadavg(load, 1);
    printf("save to verdict, seconds                       compiler    verdict       over (load now %.1f, two idle "
           "cores are asked for)\n",
           load[0]);
    for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
        enum toolchain_kind kind = i == 0 ? TOOLCHAIN_NVCC : TOOLCHAIN_CLANG;
        struct toolchain toolchain;
        if (toolchain_find(kind, NULL, &toolchain, &diagnostic) != STATUS_OK) {
            printf("  %s: skipped, not found\n", compilers[i]);
            continue;
        }
        double most = 0;
        size_t asked_for = 0;
        char bound[64];
        for (size_t j = 0; j < set.count; j++)
            if (is_asked_for(set.items[j], argc, argv)) {
                measure_lesson(set.items[j], compilers[i], path, &bounds, &most);
                asked_for++;
            }
        if (!asked_for)
            bound_at_least(&bounds, "lessons whose id begins like an argument", 0, "", 1);
        snprintf(bound, sizeof bound, "save to verdict beyond %s, the longest of all", compilers[i]);
        bound_at_most(&bounds, bound, most, " s", asked_over);
    }
    unlink(path);
    lesson_set_close(&set);
    return bound_end(&bounds);
}
