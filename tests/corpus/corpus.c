// Grades the corpus (tests/support/corpus.h) with each compiler that is here and tells every verdict that is not the
// one wanted. tests/hostile/OPEN lists those that are known to be wrong, a line each: "NAME COMPILERS: what happens"
// (a compiler is "clang", or "clang-14" for that version alone), which begins with "sometimes" where it depends on the
// seed. A case that is wrong and not in the list is new; one that is in the list and right can be taken out of it.
//
//   corpus [--device sim|gpu] [--compiler nvcc|clang] [--only TEXT] [--jobs 2] [--seed N]
//          [--part K/N] [--markdown FILE] [--list-open]
//
// --only: names that contain TEXT. --part: every N-th case, from the K-th on. --seed: the same inputs, sizes and blocks
// each time; without it each grading draws its own, and a wrong verdict names its seed. --list-open: prints the list as
// it should be now. Exit status 0: nothing new, and nothing in the list that is right.
#include <getopt.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/corpus.h"
#include "../support/program.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "grade/worker.h"
#include "toolchain/toolchain.h"

enum { JOBS_MAX = 16, FAMILIES_MAX = 64, WALL_SECONDS = 120 };

enum outcome { RIGHT, KNOWN, NEW, MENDED, OUTCOMES };
static const char *const outcome_names[OUTCOMES] = {"right", "open", "NEW", "MENDED"};

struct grading {
    const struct corpus_case *entry;
    const char *compiler;
    struct grade_handle *handle;
    bool is_again;
};

struct family {
    const char *name;
    bool honest;
    size_t counts[OUTCOMES];
};

static struct {
    const char *device, *compiler, *only, *markdown;
    int jobs;
    size_t part, parts;
    uint64_t seed; // 0: each grading draws its own
    bool list_open;
} options = {.device = "sim", .jobs = 2, .part = 1, .parts = 1};

static struct lesson_set lessons;
static struct family families[FAMILIES_MAX];
static struct grading *gradings; // in their order; behind them those that the machine was too busy for, once more
static size_t family_count, done, total, planned;
static char *known; // the text of OPEN

static bool read_corpus_options(int argc, char **argv)
{
    static const struct option longs[] = {
        {"device", required_argument, NULL, 'd'},
        {"compiler", required_argument, NULL, 'c'},
        {"only", required_argument, NULL, 'o'},
        {"jobs", required_argument, NULL, 'j'},
        {"seed", required_argument, NULL, 's'},
        {"markdown", required_argument, NULL, 'm'},
        {"list-open", no_argument, NULL, 'l'},
        {"part", required_argument, NULL, 'p'},
        {NULL, 0, NULL, 0},
    };
    for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;)
        switch (c) {
        case 'd':
            options.device = optarg;
            break;
        case 'c':
            options.compiler = optarg;
            break;
        case 'o':
            options.only = optarg;
            break;
        case 'j':
            options.jobs = atoi(optarg);
            break;
        case 's':
            options.seed = strtoull(optarg, NULL, 10);
            break;
        case 'm':
            options.markdown = optarg;
            break;
        case 'l':
            options.list_open = true;
            break;
        case 'p':
            if (sscanf(optarg, "%zu/%zu", &options.part, &options.parts) != 2)
                return false;
            break;
        default:
            return false;
        }
    return options.jobs >= 1 && options.jobs <= JOBS_MAX && options.part >= 1 && options.part <= options.parts &&
           optind == argc;
}

// "clang" or "clang-14" for clang 14, which reports call "clang 14.0".
static bool means_compiler(const char *word, size_t length, const char *compiler, const char *reported)
{
    size_t name = strlen(compiler), version = length - name - 1;
    return strncmp(word, compiler, name) == 0 &&
           (length == name || (word[name] == '-' && strncmp(reported, compiler, name) == 0 &&
                               strncmp(reported + name + 1, word + name + 1, version) == 0 &&
                               strchr(". ", reported[name + 1 + version])));
}

// What OPEN says happens to the case with this compiler, which the report calls so; NULL: it is not there.
static const char *known_of(const struct corpus_case *entry, const char *compiler, const char *reported)
{
    size_t length = strlen(entry->name);
    for (const char *line = known; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        if (strncmp(line, entry->name, length) != 0 || line[length] != ' ')
            continue;
        for (const char *word = line + length + 1; *word != '\n' && *word; word++) {
            size_t size = strcspn(word, ", :\n");
            if (size >= strlen(compiler) && means_compiler(word, size, compiler, reported))
                return strstr(word, ": ") ? strstr(word, ": ") + 2 : NULL;
            word += size;
            if (*word == ':' || !*word || *word == '\n')
                break;
        }
    }
    return NULL;
}

static struct family *family_of(const struct corpus_case *entry)
{
    for (size_t i = 0; i < family_count; i++)
        if (families[i].honest == entry->honest && strcmp(families[i].name, entry->family) == 0)
            return &families[i];
    if (family_count == FAMILIES_MAX)
        abort();
    families[family_count] = (struct family){.name = entry->family, .honest = entry->honest};
    return &families[family_count++];
}

static void show_corpus_progress(const char *name, const char *compiler)
{
    fprintf(stderr, "\r\033[K%zu of %zu  %s %s", done, total, name, compiler);
    fflush(stderr);
}

// Whether the machine had no time for a grading that went wrong, or others on the GPU made its times unsteady, and it
// is planned once more.
static bool put_off(const struct grading *grading, const struct grade_report *report, const char *got)
{
    bool is_busy = false;
    for (size_t i = 0; report && i < report->messages.count; i++)
        is_busy = is_busy || strstr(report->messages.items[i].message, "busy");
    bool is_noisy = report && report->verdict == VERDICT_TOO_NOISY;
    if (grading->is_again || !(is_noisy || (is_busy && report->verdict == VERDICT_INFRASTRUCTURE)))
        return false;
    printf("%sbusy    %s, %s: %s; once more at the end\n", isatty(2) ? "\r\033[K" : "", grading->entry->name,
           grading->compiler, got);
    gradings[planned++] = (struct grading){.entry = grading->entry, .compiler = grading->compiler, .is_again = true};
    return true;
}

static void settle_grading(const struct grading *grading, const struct grade_report *report, const char *failure)
{
    const struct corpus_case *entry = grading->entry;
    const struct corpus_want *want = corpus_want_for(entry, grading->compiler, options.device);
    const char *open = known_of(entry, grading->compiler, report ? report->compiler : "");
    char got[400];
    bool right = report && corpus_judge(want, report, got, sizeof got),
         settled = !open || !text_starts(open, "sometimes");
    if (!report)
        snprintf(got, sizeof got, "no report: %s", failure);
    if (!right && put_off(grading, report, got))
        return;
    enum outcome outcome = right ? (open && settled ? MENDED : RIGHT) : open ? KNOWN : NEW;
    family_of(entry)->counts[outcome]++;
    done++;
    if (options.list_open) {
        if (!right)
            printf("%s %s: %s\n", entry->name, grading->compiler, got);
    } else if (outcome != RIGHT)
        printf("%s%-6s  %s, %s, seed %" PRIu64 ": %s; want %s\n", isatty(2) ? "\r\033[K" : "", outcome_names[outcome],
               entry->name, grading->compiler, report ? report->seed : 0, got, want->text);
    fflush(stdout);
    if (isatty(2))
        show_corpus_progress(entry->name, grading->compiler);
    else if (done % 25 == 0)
        fprintf(stderr, "%zu of %zu\n", done, total);
}

static void start_grading(struct grading *grading)
{
    char number[16];
    snprintf(number, sizeof number, "%d", grading->entry->lesson);
    const struct lesson *lesson = lesson_set_find(&lessons, number);
    struct grade_options grade = {
        .source = grading->entry->path, .device = options.device, .compiler = grading->compiler, .seed = options.seed};
    struct diagnostic diagnostic = {.message = "there is no such lesson"};
    if (!lesson || grade_start(lesson, &grade, WALL_SECONDS, &grading->handle, &diagnostic) != STATUS_OK) {
        settle_grading(grading, NULL, diagnostic.message);
        grading->entry = NULL;
    }
}

// Takes what the worker has to say; true when the slot is free again.
static bool follow_grading(struct grading *grading)
{
    struct grade_event event;
    while (grading->entry && grade_poll(grading->handle, &event)) {
        if (event.kind != GRADE_EVENT_REPORT && event.kind != GRADE_EVENT_FAILED)
            continue;
        bool failed = event.kind == GRADE_EVENT_FAILED;
        settle_grading(grading, failed ? NULL : event.report, event.diagnostic.message);
        if (!failed)
            grade_report_free(event.report);
        grade_cancel(grading->handle);
        grading->entry = NULL;
    }
    return !grading->entry;
}

// Those planned from *next up to *end, which may move, so many at once.
static void grade_planned(size_t *next, const size_t *end, int jobs)
{
    struct grading slots[JOBS_MAX] = {0};
    for (bool busy = true; busy;) {
        struct pollfd wait[JOBS_MAX];
        nfds_t waiting = 0;
        for (int i = 0; i < jobs; i++) {
            while (follow_grading(&slots[i]) && *next < *end) {
                slots[i] = gradings[(*next)++];
                start_grading(&slots[i]);
            }
            if (slots[i].entry)
                wait[waiting++] = (struct pollfd){.fd = grade_descriptor(slots[i].handle), .events = POLLIN};
        }
        busy = waiting > 0;
        if (busy)
            poll(wait, waiting, 500);
    }
}

static void plan_gradings(const struct corpus *corpus)
{
    static const char *const compilers[] = {"nvcc", "clang"};
    gradings = calloc(corpus->count * 4 + 1, sizeof *gradings); // each compiler, once more each
    for (size_t i = 0; i < 2; i++) {
        struct toolchain toolchain;
        struct diagnostic diagnostic;
        if (options.compiler && strcmp(options.compiler, compilers[i]) != 0)
            continue;
        if (toolchain_find(i ? TOOLCHAIN_CLANG : TOOLCHAIN_NVCC, NULL, &toolchain, &diagnostic) != STATUS_OK) {
            fprintf(stderr, "corpus: no %s here\n", compilers[i]);
            continue;
        }
        for (size_t j = 0; j < corpus->count; j++) {
            const struct corpus_case *entry = &corpus->cases[j];
            if (j % options.parts == options.part - 1 && corpus_uses(entry, compilers[i], options.device) &&
                (!options.only || strstr(entry->path, options.only)))
                gradings[planned++] = (struct grading){.entry = entry, .compiler = compilers[i]};
        }
    }
    total = planned;
}

static void add_family_row(struct text *table, const char *name, const size_t counts[OUTCOMES])
{
    size_t right = counts[RIGHT] + counts[MENDED], wrong = counts[KNOWN] + counts[NEW];
    text_printf(table, "| %-28s | %8zu | %5zu | %5zu |\n", name, right + wrong, right, wrong);
}

static void make_corpus_table(struct text *table)
{
    for (int honest = 0; honest < 2; honest++) {
        size_t sums[OUTCOMES] = {0};
        text_printf(table, "%s| %-28s | %8s | %5s | %5s |\n| --- | ---: | ---: | ---: |\n", honest ? "\n" : "",
                    honest ? "honest family" : "hostile family", "verdicts", "right", "wrong");
        for (size_t i = 0; i < family_count; i++) {
            if (families[i].honest != honest)
                continue;
            add_family_row(table, families[i].name, families[i].counts);
            for (int j = 0; j < OUTCOMES; j++)
                sums[j] += families[i].counts[j];
        }
        add_family_row(table, "all", sums);
    }
}

static int print_summary(double seconds)
{
    size_t sums[OUTCOMES] = {0};
    struct text table = {0};
    for (size_t i = 0; i < family_count; i++)
        for (int j = 0; j < OUTCOMES; j++)
            sums[j] += families[i].counts[j];
    make_corpus_table(&table);
    printf("\n%s\n%zu verdicts on %s in %.0f s: %zu right, %zu wrong as known (tests/hostile/OPEN), %zu wrong and new, "
           "%zu right though in OPEN\n",
           text_get(&table), done, options.device, seconds, sums[RIGHT] + sums[MENDED], sums[KNOWN], sums[NEW],
           sums[MENDED]);
    if (options.markdown && file_put(options.markdown, table.data, table.length, NULL) != STATUS_OK)
        fprintf(stderr, "corpus: cannot write %s\n", options.markdown);
    text_free(&table);
    return sums[NEW] + sums[MENDED] > 0;
}

int main(int argc, char **argv)
{
    struct corpus corpus;
    struct diagnostic diagnostic = {0};
    if (!read_corpus_options(argc, argv)) {
        fprintf(stderr, "usage: corpus [--device sim|gpu] [--compiler nvcc|clang] [--only TEXT] [--jobs 2] [--seed N] "
                        "[--part K/N] [--markdown FILE] [--list-open]\n");
        return 2;
    }
    if (!program_is_there("corpus"))
        return 2;
    grade_worker_set_program(program_path());
    if (corpus_read(&corpus, &diagnostic) != STATUS_OK || lesson_set_open(&lessons, &diagnostic) != STATUS_OK) {
        fprintf(stderr, "corpus: %s: %s\n", diagnostic.file, diagnostic.message);
        return 2;
    }
    if (file_read("tests/hostile/OPEN", 1 << 20, &known, &(size_t){0}, NULL) != STATUS_OK)
        known = NULL;
    double begin = clock_seconds();
    plan_gradings(&corpus);
    size_t next = 0;
    grade_planned(&next, &total, options.jobs);
    grade_planned(&next, &planned, 1); // what was put off has the machine for itself
    int status = options.list_open ? 0 : print_summary(clock_seconds() - begin);
    free(gradings);
    free(known);
    lesson_set_close(&lessons);
    corpus_free(&corpus);
    return status;
}
