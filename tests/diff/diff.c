// diff: runs random kernels on the simulator under several schedules and, where there is one, on a GPU, from the same
// PTX, and compares every word.
//
//   diff [--first SEED] [--count N] [--step N] [--gpu] [--report FILE]     exit status 1 when something differs
//   diff --exchange …                                  the same with kernels of carries and exchange between lanes
//   diff [--exchange] --emit SEED                               prints the PTX
//   diff --launch-only [--first SEED] [--count N]               GPU only, one launch each: for a profiler
//   diff --counts [--first SEED] [--count N]                    our counters of each, as CSV
//   diff --ncu FILE [--first SEED] [--count N]                  ours against Nsight Compute's CSV of --launch-only
//   diff --metrics                                              those that the CSV must have
//
// Counters can be compared for even seeds (generate.h); tests/gpu/random-counters does all of it.
//
// The driver's compiler may make an endless kernel of one that ends. Only the end of a process frees the GPU of it, so
// all that touches the GPU runs in a child, and the next child goes on behind the kernel that hung.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "device/cuda.h"
#include "device/device.h"
#include "device/ncu.h"
#include "../support/random_run.h"

static const double wall_limit = 5; // seconds; a kernel needs some microseconds

struct options {
    uint64_t first, count, step;
    bool gpu, emit, launch_only, counts, metrics;
    enum generate_focus focus;
    const char *report, *ncu;
};

// Shared by the processes that take turns on the GPU.
struct tally {
    uint64_t kernels, different, failed, statements;
    uint64_t optimiser; // differ from the GPU only while the driver's compiler optimises
    uint64_t exact;     // no counter differs, not even by noise
    uint64_t done;      // seeds, in order
    bool is_stuck;      // the GPU did not finish the kernel that is next
    bool is_lost;       // this process can use the GPU no more
    FILE *report;
    char device[64];
};

static enum status run_gpu(struct device *device, const struct ptx_module *module, const struct generated *kernel,
                           uint64_t seed, struct tally *tally, struct random_run *outcome)
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
                             .shape.grid = {kernel->grid, 1, 1},
                             .shape.block = {kernel->block[0], kernel->block[1], 1},
                             .args = args,
                             .arg_count = 3,
                             .wall_limit = wall_limit};
    struct record record = {0};
    outcome->status = device->ops->run(device, &job, &record, &outcome->diagnostic);
    tally->is_lost |= outcome->status == STATUS_TIMEOUT;
    return outcome->status;
}

static void note(struct tally *tally, uint64_t seed, const char *what, const char *text)
{
    printf("seed %llu: %s: %s\n", (unsigned long long)seed, what, text);
    if (tally->report)
        fprintf(tally->report, "seed %llu: %s: %s\n", (unsigned long long)seed, what, text);
}

static void print_counts(uint64_t seed, const struct counters *c)
{
    uint64_t value = 0;
    printf("%llu", (unsigned long long)seed);
    for (size_t i = 0; i < counter_fields.count; i++) {
        counters_get(c, counter_fields.items[i].key, &value);
        printf(",%llu", (unsigned long long)value);
    }
    puts("");
}

static void compare_count(uint64_t seed, const char *name, uint64_t ours, uint64_t hardware, uint64_t slack,
                          struct tally *tally, bool *is_same)
{
    char text[160];
    if (hardware >= ours && hardware - ours <= slack)
        return;
    snprintf(text, sizeof text, "%s %llu, hardware %llu", name, (unsigned long long)ours, (unsigned long long)hardware);
    note(tally, seed, "counters", text);
    *is_same = false;
}

// Hardware counts some conflicts more, where warps got in one another's way (docs/hardware.md 7: 3 % and 500); all
// else is the same.
static void compare_counts(uint64_t seed, const char *csv, const struct counters *ours, struct tally *tally)
{
    struct counters theirs;
    char name[32];
    uint64_t here = 0, there = 0;
    bool is_same = true, is_exact = true;
    snprintf(name, sizeof name, "k%llu", (unsigned long long)seed);
    if (!ncu_read_csv(csv, name, &theirs)) {
        note(tally, seed, "counters", "not in the file");
        tally->failed++;
        return;
    }
#define N(field, metric)                                                                                               \
    counters_get(ours, #field, &here);                                                                                 \
    counters_get(&theirs, #field, &there);                                                                             \
    is_exact &= here == there;                                                                                         \
    if (strstr(#field, "conflicts"))                                                                                   \
        compare_count(seed, #field, here, there, there * 3 / 100 + 500, tally, &is_same);                              \
    else if (!strstr(#field, "wavefronts"))                                                                            \
        compare_count(seed, #field, here, there, 0, tally, &is_same);
    NCU_METRICS(N)
#undef N
    compare_count(seed, "shared load wavefronts less conflicts",
                  ours->shared[COUNT_LOAD].wavefronts - ours->shared[COUNT_LOAD].conflicts,
                  theirs.shared[COUNT_LOAD].wavefronts - theirs.shared[COUNT_LOAD].conflicts, 0, tally, &is_same);
    compare_count(seed, "shared store wavefronts less conflicts",
                  ours->shared[COUNT_STORE].wavefronts - ours->shared[COUNT_STORE].conflicts,
                  theirs.shared[COUNT_STORE].wavefronts - theirs.shared[COUNT_STORE].conflicts, 0, tally, &is_same);
    tally->different += !is_same;
    tally->exact += is_exact;
}

// Where simulator and GPU part: the first statement after which they differ.
static void reduce(struct device *gpu, enum generate_focus focus, uint64_t seed, uint32_t most, struct tally *tally)
{
    for (uint32_t limit = 1; limit <= most; limit++) {
        struct generated kernel;
        struct ptx_module *module = NULL;
        struct random_run here = {0}, there = {0};
        char text[1024];
        generate_kernel(focus, seed, limit, &kernel);
        bool differs = ptx_parse("random.ptx", text_get(&kernel.ptx), kernel.ptx.length, &module, NULL) != STATUS_OK ||
                       random_run_sim(module, &kernel, seed, SIM_ROUND_ROBIN, 1, NULL, &here) != STATUS_OK ||
                       run_gpu(gpu, module, &kernel, seed, tally, &there) != STATUS_OK ||
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
                              uint64_t seed, const struct random_run *base, struct tally *tally)
{
    struct random_run plain = {0};
    char text[256];
    cuda_device_optimise(gpu, 0);
    bool is_same = run_gpu(gpu, module, kernel, seed, tally, &plain) == STATUS_OK &&
                   random_run_compare(kernel, base, &plain, text, sizeof text) == 0;
    cuda_device_optimise(gpu, 4);
    free(plain.out);
    return is_same;
}

static void run_everywhere(struct device *gpu, const struct ptx_module *module, enum generate_focus focus,
                           const struct generated *kernel, uint64_t seed, const struct random_run *base,
                           struct tally *tally)
{
    static const char *const names[] = {"random schedule", "one warp ahead, 1 thread", "GPU"};
    struct random_run other[3] = {{0}};
    char text[1024];
    bool was_stuck = tally->is_stuck, is_same = !was_stuck;
    int runs = gpu && !was_stuck ? 3 : 2;
    random_run_sim(module, kernel, seed, SIM_RANDOM, 2, NULL, &other[0]);
    random_run_sim(module, kernel, seed, SIM_ONE_AHEAD, 1, NULL, &other[1]);
    if (runs == 3)
        run_gpu(gpu, module, kernel, seed, tally, &other[2]);
    for (int i = 0; i < runs; i++) {
        if (other[i].status == STATUS_OK && random_run_compare(kernel, base, &other[i], text, sizeof text) == 0)
            continue;
        is_same = false;
        note(tally, seed, names[i], other[i].status == STATUS_OK ? text : other[i].diagnostic.message);
    }
    tally->is_stuck = tally->is_lost;
    if (gpu && !is_same && !tally->is_lost && other[0].status == STATUS_OK &&
        optimiser_made_it(gpu, module, kernel, seed, base, tally)) {
        note(tally, seed, "GPU", "as the simulator when the driver compiles without optimisation");
        tally->optimiser++;
        is_same = true;
    }
    tally->different += !is_same && !tally->is_stuck;
    if (gpu && !is_same && !tally->is_lost && !was_stuck)
        reduce(gpu, focus, seed, kernel->statements, tally);
    for (int i = 0; i < 3; i++)
        free(other[i].out);
}

static void one(const struct options *options, struct device *gpu, const char *csv, uint64_t seed, struct tally *tally)
{
    struct generated kernel;
    struct ptx_module *module = NULL;
    struct diagnostic diagnostic;
    struct random_run base = {0};
    struct counter_table table = {0};
    char text[1024];
    bool counts = options->counts || csv;
    generate_kernel(options->focus, seed, 0, &kernel);
    tally->statements += tally->is_stuck ? 0 : kernel.statements;
    enum status status = ptx_parse("random.ptx", text_get(&kernel.ptx), kernel.ptx.length, &module, &diagnostic);
    if (status == STATUS_OK && options->launch_only)
        status = run_gpu(gpu, module, &kernel, seed, tally, &base);
    else if (status == STATUS_OK)
        status = random_run_sim(module, &kernel, seed, SIM_ROUND_ROBIN, 0, counts ? &table : NULL, &base);
    if (status != STATUS_OK) {
        tally->failed++;
        note(tally, seed, module ? "run" : "parse",
             diagnostic_format(module ? &base.diagnostic : &diagnostic, text, sizeof text));
    } else if (options->counts) {
        print_counts(seed, &table.compiled);
    } else if (csv) {
        compare_counts(seed, csv, &table.compiled, tally);
    } else if (!options->launch_only) {
        run_everywhere(gpu, module, options->focus, &kernel, seed, &base, tally);
    }
    counter_table_free(&table);
    free(base.out);
    ptx_module_free(module);
    text_free(&kernel.ptx);
}

// From the first seed that is not done, until the GPU hangs. false: there is no GPU.
static bool run_seeds(const struct options *options, const char *csv, struct tally *tally)
{
    struct device device = {.ops = &device_gpu_ops, .gpu = -1};
    struct diagnostic diagnostic;
    if (options->gpu && device.ops->open(&device, &diagnostic) != STATUS_OK) {
        fprintf(stderr, "diff: %s\n", diagnostic.message);
        return false;
    }
    if (options->gpu)
        snprintf(tally->device, sizeof tally->device, "%s", device.label);
    for (tally->is_lost = false; !tally->is_lost && tally->done < options->count; tally->done += !tally->is_stuck)
        one(options, options->gpu ? &device : NULL, csv, options->first + tally->done * options->step, tally);
    tally->kernels = tally->done;
    if (options->gpu)
        device.ops->close(&device);
    return true;
}

static bool run_in_children(const struct options *options, struct tally *tally)
{
    while (tally->done < options->count) {
        int how;
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            bool has_gpu = run_seeds(options, NULL, tally);
            fflush(NULL);
            _exit(has_gpu ? 0 : 2);
        }
        if (child < 0 || waitpid(child, &how, 0) != child || (WIFEXITED(how) && WEXITSTATUS(how)))
            return false;
        if (WIFSIGNALED(how)) {
            note(tally, options->first + tally->done++ * options->step, "GPU", strsignal(WTERMSIG(how)));
            tally->failed++;
        }
    }
    return true;
}

static bool read_options(int argc, char **argv, struct options *options)
{
    static const struct option longs[] = {
        {"first", required_argument, NULL, 'f'}, {"count", required_argument, NULL, 'n'},
        {"step", required_argument, NULL, 's'},  {"gpu", no_argument, NULL, 'g'},
        {"emit", required_argument, NULL, 'e'},  {"report", required_argument, NULL, 'r'},
        {"exchange", no_argument, NULL, 'x'},    {"ncu", required_argument, NULL, 'u'},
        {"launch-only", no_argument, NULL, 'l'}, {"counts", no_argument, NULL, 'c'},
        {"metrics", no_argument, NULL, 'm'},     {0}};
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
        case 'x':
            options->focus = GENERATE_EXCHANGE;
            break;
        case 'e':
            options->emit = true;
            options->first = strtoull(optarg, NULL, 0);
            break;
        case 'l':
            options->launch_only = options->gpu = true;
            break;
        case 'u':
            options->ncu = optarg;
            break;
        case 'm':
            options->metrics = true;
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

static void summarise(const struct options *options, const struct tally *tally)
{
    char text[400];
    size_t used = (size_t)snprintf(text, sizeof text, "%llu random kernels of %llu statements (seeds %llu to %llu), ",
                                   (unsigned long long)tally->kernels, (unsigned long long)tally->statements,
                                   (unsigned long long)options->first,
                                   (unsigned long long)(options->first + (options->count - 1) * options->step));
    if (options->ncu)
        snprintf(text + used, sizeof text - used,
                 "counters here and on the hardware: %llu the same, %llu except for noise in conflicts, %llu differ, "
                 "%llu not compared",
                 (unsigned long long)tally->exact,
                 (unsigned long long)(tally->kernels - tally->exact - tally->different - tally->failed),
                 (unsigned long long)tally->different, (unsigned long long)tally->failed);
    else
        snprintf(text + used, sizeof text - used,
                 "simulator under three schedules%s%s: %llu differ, %llu failed, %llu differ only from what the "
                 "driver's optimiser makes",
                 options->gpu ? " and " : "", tally->device, (unsigned long long)tally->different,
                 (unsigned long long)tally->failed, (unsigned long long)tally->optimiser);
    puts(text);
    if (tally->report)
        fprintf(tally->report, "%s\n", text);
}

int main(int argc, char **argv)
{
    struct options options;
    struct diagnostic diagnostic;
    char *csv = NULL;
    size_t length;
    if (!read_options(argc, argv, &options))
        return 2;
    if (options.metrics) {
#define N(field, metric) metric ","
        static const char metrics[] = NCU_METRICS(N);
#undef N
        printf("%.*s\n", (int)sizeof metrics - 2, metrics);
        return 0;
    }
    if (options.emit) {
        struct generated kernel;
        generate_kernel(options.focus, options.first, 0, &kernel);
        fputs(text_get(&kernel.ptx), stdout);
        text_free(&kernel.ptx);
        return 0;
    }
    struct tally *tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tally == MAP_FAILED || (options.report && !(tally->report = fopen(options.report, "w")))) {
        perror("diff");
        return 2;
    }
    if (options.ncu && file_read(options.ncu, 64 << 20, &csv, &length, &diagnostic) != STATUS_OK) {
        fprintf(stderr, "diff: %s\n", diagnostic.message);
        return 2;
    }
    if (options.counts) {
        fputs("seed", stdout);
        for (size_t i = 0; i < counter_fields.count; i++)
            printf(",%s", counter_fields.items[i].key);
        puts("");
    }
    bool ok = options.gpu && !options.launch_only ? run_in_children(&options, tally) : run_seeds(&options, csv, tally);
    if (!ok)
        return 2;
    if (!options.counts && !options.launch_only)
        summarise(&options, tally);
    if (tally->report)
        fclose(tally->report);
    free(csv);
    return tally->different || tally->failed ? 1 : 0;
}
