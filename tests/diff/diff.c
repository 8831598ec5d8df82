// diff: runs random kernels on the simulator under several schedules and, where there is one, on a GPU, from the same
// PTX, and compares every word.
//
//   diff [--first SEED] [--count N] [--step N] [--gpu] [--report FILE]     exit status 1 when something differs
//   diff --emit SEED                                            prints the PTX
//   diff --launch-only [--first SEED] [--count N]               GPU only, one launch each: for a profiler
//   diff --counts [--first SEED] [--count N]                    our counters of each, as CSV
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "device/cuda.h"
#include "device/device.h"
#include "../support/random_run.h"

struct options {
    uint64_t first, count, step;
    bool gpu, emit, launch_only, counts;
    const char *report;
};

static enum status run_gpu(struct device *device, const struct ptx_module *module, const struct generated *kernel,
                           uint64_t seed, struct random_run *outcome)
{
    static uint32_t in[GENERATE_INPUTS];
    size_t words = (size_t)GENERATE_WORDS * kernel->threads;
    random_run_inputs(seed, in);
    outcome->out = mem_alloc(words * 4);
    struct device_arg args[] = {
        {.name = "out", .type = PTX_U32, .is_buffer = true, .data = outcome->out, .count = words},
        {.name = "in", .type = PTX_U32, .is_buffer = true, .data = in, .count = GENERATE_INPUTS, .read_only = true},
        {.name = "sums", .type = PTX_U32, .is_buffer = true, .data = outcome->sums, .count = GENERATE_SUMS},
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

struct tally {
    uint64_t kernels, different, failed;
    uint64_t optimiser; // differ from the GPU only while the driver's compiler optimises
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
        struct random_run here = {0}, there = {0};
        char text[1024];
        generate_kernel(seed, limit, &kernel);
        bool differs = ptx_parse("random.ptx", text_get(&kernel.ptx), kernel.ptx.length, &module, NULL) != STATUS_OK ||
                       random_run_sim(module, &kernel, seed, SIM_ROUND_ROBIN, 1, NULL, &here) != STATUS_OK ||
                       run_gpu(gpu, module, &kernel, seed, &there) != STATUS_OK ||
                       random_run_compare(&kernel, &here, &there, text, sizeof text) != 0;
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

static bool optimiser_made_it(struct device *gpu, const struct ptx_module *module, const struct generated *kernel,
                              uint64_t seed, const struct random_run *base)
{
    struct random_run plain = {0};
    char text[256];
    cuda_device_optimise(gpu, 0);
    bool is_same = run_gpu(gpu, module, kernel, seed, &plain) == STATUS_OK &&
                   random_run_compare(kernel, base, &plain, text, sizeof text) == 0;
    cuda_device_optimise(gpu, 4);
    free(plain.out);
    return is_same;
}

static void one(const struct options *options, struct device *gpu, uint64_t seed, struct tally *tally)
{
    const uint32_t limit = 0;
    struct generated kernel;
    struct ptx_module *module = NULL;
    struct diagnostic diagnostic;
    struct random_run base = {0}, other[3] = {{0}};
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
    if (random_run_sim(module, &kernel, seed, SIM_ROUND_ROBIN, 0, options->counts ? &table : NULL, &base) !=
        STATUS_OK) {
        tally->failed++;
        note(tally, seed, "simulator", diagnostic_format(&base.diagnostic, text, sizeof text));
        goto out;
    }
    if (options->counts) {
        print_counts(seed, &table.compiled);
        counter_table_free(&table);
        goto out;
    }
    random_run_sim(module, &kernel, seed, SIM_RANDOM, 2, NULL, &other[0]);
    random_run_sim(module, &kernel, seed, SIM_ONE_AHEAD, 1, NULL, &other[1]);
    if (gpu)
        run_gpu(gpu, module, &kernel, seed, &other[2]);
    bool is_same = true;
    for (int i = 0; i < (gpu ? 3 : 2); i++) {
        if (other[i].status == STATUS_OK && random_run_compare(&kernel, &base, &other[i], text, sizeof text) == 0)
            continue;
        is_same = false;
        note(tally, seed, names[i], other[i].status == STATUS_OK ? text : other[i].diagnostic.message);
    }
    if (gpu && !is_same && other[0].status == STATUS_OK && optimiser_made_it(gpu, module, &kernel, seed, &base)) {
        note(tally, seed, "GPU", "as the simulator when the driver compiles without optimisation");
        tally->optimiser++;
        is_same = true;
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
        {"step", required_argument, NULL, 's'},
                                          {"gpu", no_argument, NULL, 'g'},         {"report", required_argument, NULL, 'r'},
        {"emit", required_argument, NULL, 'e'},  {"launch-only", no_argument, NULL, 'l'},
        {"counts", no_argument, NULL, 'c'},      {0}};
    *options = (struct options){.first = 1, .count = 100, .step = 1};
    for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
        switch (c) {
        case 'f':
            options->first = strtoull(optarg, NULL, 0);
            break;
        case 'n':
            options->count = strtoull(optarg, NULL, 0);
            break;
        case 's':
            options->step = strtoull(optarg, NULL, 0);
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
        one(&options, options.gpu ? &device : NULL, options.first + i * options.step, &tally);
    char summary[320];
    snprintf(summary, sizeof summary,
             "%llu random kernels (seeds %llu to %llu), simulator under three schedules%s%s: %llu differ, %llu failed, "
             "%llu differ only from what the "
             "driver's optimiser makes",
             (unsigned long long)tally.kernels, (unsigned long long)options.first,
             (unsigned long long)(options.first + (options.count - 1) * options.step), options.gpu ? " and " : "",
             options.gpu ? device.label : "", (unsigned long long)tally.different, (unsigned long long)tally.failed,
             (unsigned long long)tally.optimiser);
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
