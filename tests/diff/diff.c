// diff: runs random kernels on the simulator under several schedules and, where there is one, on a GPU, from the same
// PTX, and compares every word.
//
//   diff [--first SEED] [--count N] [--gpu] [--report FILE]     exit status 1 when something differs
//   diff --emit SEED                                            prints the PTX
//   diff --launch-only [--first SEED] [--count N]               GPU only, one launch each: for a profiler
//   diff --counts [--first SEED] [--count N]                    our counters of each, as CSV
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "device/cuda.h"
#include "device/device.h"
#include "../support/generate.h"
#include "sim/sim.h"

enum { SUMS = 64 };

struct outcome {
    enum status status;
    struct diagnostic diagnostic;
    uint32_t *out; // GENERATE_WORDS * threads
    uint32_t sums[SUMS];
};

struct options {
    uint64_t first, count;
    bool gpu, emit, launch_only, counts;
    const char *report;
};

static void inputs(uint64_t seed, uint32_t *in)
{
    uint64_t state = seed + 12345;
    for (int i = 0; i < GENERATE_INPUTS; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint32_t value = (uint32_t)(state >> 32);
        in[i] = i % 4 == 0 ? value % 100 : i % 16 == 1 ? 0u - value % 7 : value;
    }
}

static enum status run_sim(const struct ptx_module *module, const struct generated *kernel, uint64_t seed,
                           enum sim_schedule schedule, unsigned threads, struct counter_table *table,
                           struct outcome *outcome)
{
    const struct ptx_function *entry = module->functions[0];
    struct sim_memory *memory = sim_memory_new();
    size_t words = (size_t)GENERATE_WORDS * kernel->threads;
    struct sim_allocation *out = sim_memory_add(memory, "out", words * 4, false);
    struct sim_allocation *in = sim_memory_add(memory, "in", GENERATE_INPUTS * 4, false);
    struct sim_allocation *sums = sim_memory_add(memory, "sums", SUMS * 4, false);
    uint64_t params[] = {out->address, in->address, sums->address};
    struct sim_program *program = NULL;
    struct counter_observer *counter = NULL;
    struct sim_count *counts = NULL;
    struct sim_observer observer;
    inputs(seed, (uint32_t *)(void *)in->data);
    outcome->status = sim_program_new(module, entry, memory, &program, &outcome->diagnostic);
    if (outcome->status != STATUS_OK)
        goto out;
    struct sim_launch launch = {.program = program,
                                .memory = memory,
                                .grid = {kernel->grid, 1, 1},
                                .block = {kernel->block[0], kernel->block[1], 1},
                                .params = params,
                                .schedule = schedule,
                                .seed = seed,
                                .host_threads = threads};
    if (table) {
        counter = counter_observer_new(program, NULL);
        observer = counter_observer_get(counter);
        counts = mem_alloc(sim_program_size(program) * sizeof *counts);
        launch.observers = &observer;
        launch.observer_count = 1;
        launch.counts = counts;
    }
    struct sim_result result;
    outcome->status = sim_run(&launch, &result, &outcome->diagnostic);
    outcome->out = mem_alloc(words * 4);
    memcpy(outcome->out, out->data, words * 4);
    memcpy(outcome->sums, sums->data, sizeof outcome->sums);
    if (table)
        counter_observer_take(counter, counts, table);
out:
    if (counter)
        counter_observer_free(counter);
    free(counts);
    sim_program_free(program);
    sim_memory_free(memory);
    return outcome->status;
}

static enum status run_gpu(struct device *device, const struct ptx_module *module, const struct generated *kernel,
                           uint64_t seed, struct outcome *outcome)
{
    static uint32_t in[GENERATE_INPUTS];
    size_t words = (size_t)GENERATE_WORDS * kernel->threads;
    inputs(seed, in);
    outcome->out = mem_alloc(words * 4);
    struct device_arg args[] = {
        {.name = "out", .type = PTX_U32, .is_buffer = true, .data = outcome->out, .count = words},
        {.name = "in", .type = PTX_U32, .is_buffer = true, .data = in, .count = GENERATE_INPUTS, .read_only = true},
        {.name = "sums", .type = PTX_U32, .is_buffer = true, .data = outcome->sums, .count = SUMS},
    };
    struct device_job job = {.module = module,
                             .ptx = text_get(&kernel->ptx),
                             .ptx_length = kernel->ptx.length,
                             .entry = module->functions[0],
                             .grid = {kernel->grid, 1, 1},
                             .block = {kernel->block[0], kernel->block[1], 1},
                             .args = args,
                             .arg_count = 3};
    struct record record = {0};
    return outcome->status = device->ops->run(device, &job, &record, &outcome->diagnostic);
}

static bool is_nan(char kind, const uint32_t *out, size_t threads, size_t thread, uint32_t word)
{
    uint32_t value = out[word * threads + thread];
    if (kind == 'f')
        return (value & 0x7fffffff) > 0x7f800000;
    if (kind == 'h')
        return (value & 0x7fff) > 0x7c00 || (value >> 16 & 0x7fff) > 0x7c00;
    uint32_t first = GENERATE_R + 2 * GENERATE_D + GENERATE_F, low = first + (word - first) / 2 * 2;
    uint64_t whole = out[(low + 1) * threads + thread];
    whole = whole << 32 | out[low * threads + thread];
    return kind == 'g' && (whole & 0x7fffffffffffffffu) > 0x7ff0000000000000u;
}

// Two NaNs are the same number. Returns the words that differ; the first goes into *text.
static uint64_t compare(const struct generated *kernel, const struct outcome *a, const struct outcome *b, char *text,
                        size_t size)
{
    uint64_t wrong = 0;
    text[0] = '\0';
    for (uint32_t word = 0; word < GENERATE_WORDS; word++)
        for (size_t thread = 0; thread < kernel->threads; thread++) {
            size_t at = (size_t)word * kernel->threads + thread;
            char kind = generate_word_kind(word);
            if (a->out[at] == b->out[at] || (is_nan(kind, a->out, kernel->threads, thread, word) &&
                                             is_nan(kind, b->out, kernel->threads, thread, word)))
                continue;
            if (!wrong++)
                snprintf(text, size, "word %u (%c) of thread %zu: %08x, %08x", word, kind, thread, a->out[at],
                         b->out[at]);
        }
    for (int i = 0; i < SUMS; i++)
        if (a->sums[i] != b->sums[i] && !wrong++)
            snprintf(text, size, "sums[%d]: %08x, %08x", i, a->sums[i], b->sums[i]);
    return wrong;
}

struct tally {
    uint64_t kernels, different, failed;
    FILE *report;
};

static void note(struct tally *tally, uint64_t seed, const char *what, const char *text)
{
    printf("seed %llu: %s: %s\n", (unsigned long long)seed, what, text);
    if (tally->report)
        fprintf(tally->report, "seed %llu: %s: %s\n", (unsigned long long)seed, what, text);
}

static void print_counts(uint64_t seed, const struct counters *c)
{
#define FIELD(name) ",%llu"
    printf("%llu" COUNTERS(FIELD) "\n", (unsigned long long)seed
#undef FIELD
#define VALUE(name) , (unsigned long long)c->name
                                            COUNTERS(VALUE));
#undef VALUE
}

// Where simulator and GPU part: the first statement after which they differ.
static void reduce(struct device *gpu, uint64_t seed, uint32_t most, struct tally *tally)
{
    for (uint32_t limit = 1; limit <= most; limit++) {
        struct generated kernel;
        struct ptx_module *module = NULL;
        struct outcome here = {0}, there = {0};
        char text[1024];
        generate_kernel(seed, limit, &kernel);
        bool differs = ptx_parse("random.ptx", text_get(&kernel.ptx), kernel.ptx.length, &module, NULL) != STATUS_OK ||
                       run_sim(module, &kernel, seed, SIM_ROUND_ROBIN, 1, NULL, &here) != STATUS_OK ||
                       run_gpu(gpu, module, &kernel, seed, &there) != STATUS_OK ||
                       compare(&kernel, &here, &there, text, sizeof text) != 0;
        if (differs) {
            char place[400];
            snprintf(place, sizeof place, "%.300s", text_get(&kernel.ptx) + kernel.last);
            note(tally, seed, "parts with", text);
            note(tally, seed, "at", place);
        }
        free(here.out);
        free(there.out);
        ptx_module_free(module);
        text_free(&kernel.ptx);
        if (differs)
            return;
    }
}

static void one(const struct options *options, struct device *gpu, uint64_t seed, struct tally *tally)
{
    const uint32_t limit = 0;
    struct generated kernel;
    struct ptx_module *module = NULL;
    struct diagnostic diagnostic;
    struct outcome base = {0}, other[3] = {{0}};
    static const char *const names[] = {"random schedule", "one warp ahead, 1 thread", "GPU"};
    char text[1024];
    tally->kernels++;
    generate_kernel(seed, limit, &kernel);
    enum status status = ptx_parse("random.ptx", text_get(&kernel.ptx), kernel.ptx.length, &module, &diagnostic);
    if (status != STATUS_OK) {
        tally->failed++;
        note(tally, seed, "parse", diagnostic_format(&diagnostic, text, sizeof text));
        goto out;
    }
    if (options->launch_only) {
        if (run_gpu(gpu, module, &kernel, seed, &other[2]) != STATUS_OK)
            note(tally, seed, "GPU", other[2].diagnostic.message);
        goto out;
    }
    struct counter_table table = {0};
    if (run_sim(module, &kernel, seed, SIM_ROUND_ROBIN, 0, options->counts ? &table : NULL, &base) != STATUS_OK) {
        tally->failed++;
        note(tally, seed, "simulator", diagnostic_format(&base.diagnostic, text, sizeof text));
        goto out;
    }
    if (options->counts) {
        print_counts(seed, &table.compiled);
        counter_table_free(&table);
        goto out;
    }
    run_sim(module, &kernel, seed, SIM_RANDOM, 2, NULL, &other[0]);
    run_sim(module, &kernel, seed, SIM_ONE_AHEAD, 1, NULL, &other[1]);
    if (gpu)
        run_gpu(gpu, module, &kernel, seed, &other[2]);
    bool is_same = true;
    for (int i = 0; i < (gpu ? 3 : 2); i++) {
        if (other[i].status == STATUS_OK && compare(&kernel, &base, &other[i], text, sizeof text) == 0)
            continue;
        is_same = false;
        note(tally, seed, names[i], other[i].status == STATUS_OK ? text : other[i].diagnostic.message);
    }
    tally->different += !is_same;
    if (gpu && !is_same)
        reduce(gpu, seed, kernel.statements, tally);
out:
    free(base.out);
    for (int i = 0; i < 3; i++)
        free(other[i].out);
    ptx_module_free(module);
    text_free(&kernel.ptx);
}

static bool read_options(int argc, char **argv, struct options *options)
{
    static const struct option longs[] = {
        {"first", required_argument, NULL, 'f'}, {"count", required_argument, NULL, 'n'},
        {"gpu", no_argument, NULL, 'g'},         {"report", required_argument, NULL, 'r'},
        {"emit", required_argument, NULL, 'e'},  {"launch-only", no_argument, NULL, 'l'},
        {"counts", no_argument, NULL, 'c'},      {0}};
    *options = (struct options){.first = 1, .count = 100};
    for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
        switch (c) {
        case 'f':
            options->first = strtoull(optarg, NULL, 0);
            break;
        case 'n':
            options->count = strtoull(optarg, NULL, 0);
            break;
        case 'g':
            options->gpu = true;
            break;
        case 'r':
            options->report = optarg;
            break;
        case 'e':
            options->emit = true;
            options->first = strtoull(optarg, NULL, 0);
            break;
        case 'l':
            options->launch_only = options->gpu = true;
            break;
        case 'c':
            options->counts = true;
            break;
        default:
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    struct options options;
    struct device device = {.ops = &device_gpu_ops, .gpu = -1};
    struct diagnostic diagnostic;
    struct tally tally = {0};
    if (!read_options(argc, argv, &options))
        return 2;
    if (options.emit) {
        struct generated kernel;
        generate_kernel(options.first, 0, &kernel);
        fputs(text_get(&kernel.ptx), stdout);
        text_free(&kernel.ptx);
        return 0;
    }
    if (options.gpu && device.ops->open(&device, &diagnostic) != STATUS_OK) {
        fprintf(stderr, "diff: %s\n", diagnostic.message);
        return 2;
    }
    if (options.report && !(tally.report = fopen(options.report, "w"))) {
        perror(options.report);
        return 2;
    }
    if (options.counts) {
#define NAME(name) "," #name
        puts("seed" COUNTERS(NAME));
#undef NAME
    }
    for (uint64_t i = 0; i < options.count; i++)
        one(&options, options.gpu ? &device : NULL, options.first + i, &tally);
    char summary[256];
    snprintf(summary, sizeof summary,
             "%llu random kernels (seeds %llu to %llu), simulator under three schedules%s%s: %llu differ, %llu failed",
             (unsigned long long)tally.kernels, (unsigned long long)options.first,
             (unsigned long long)(options.first + options.count - 1), options.gpu ? " and " : "",
             options.gpu ? device.label : "", (unsigned long long)tally.different, (unsigned long long)tally.failed);
    if (!options.counts && !options.launch_only)
        puts(summary);
    if (tally.report) {
        fprintf(tally.report, "%s\n", summary);
        fclose(tally.report);
    }
    if (options.gpu)
        device_gpu_ops.close(&device);
    return tally.different || tally.failed ? 1 : 0;
}
