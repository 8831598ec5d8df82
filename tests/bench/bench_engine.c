// The machine's speed: warp instructions a second with observers off and on, and, where Oclgrind is installed, the same
// tiled matrix product there and here, each as a whole process. Ends with the bounds that are asked for, and with
// status 1 if one is not kept.
//
// CPU time is what counts, for a machine that others use too stretches wall time. Where nobody else works, wall time
// of the processes is judged as well.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../support/ladder.h"
#include "../support/program.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "bound.h"
#include "hazard/hazard.h"
#include "record/recorder.h"

enum { ROUNDS = 7, RECORDED = 200000, OBSERVERS = 3 };
static const double QUIET_LOAD = 1.0;

enum mode { OFF, COUNTERS_ON, EVERYTHING_ON, MODES };

struct workload {
    const char *label, *kernel;
    uint32_t n, grid, block[2];
    uint32_t buffers; // the product: a, b, c; a transpose: out, in
    const char *ptx;  // NULL: of the ladder
};

// %s3: the thread's number in the grid, as each stores to a place of its own. Blocks that touch the same one are run
// twice, together and then one after another.
#define NUMBER                                                                                                         \
    "mov.u32 %s0, %ctaid.y; mov.u32 %s1, %nctaid.x; mov.u32 %s2, %ctaid.x; mad.lo.u32 %s3, %s0, %s1, %s2;\n"           \
    "mov.u32 %s0, %ntid.x; mov.u32 %s1, %tid.x; mad.lo.u32 %s3, %s3, %s0, %s1;\n"

// n products of 16 x 8 x 16 halves in a warp, and of 16 x 16 x 16.
#define MMA(inputs)                                                                                                    \
    ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry mma(.param .u64 out, .param .u32 n)\n{\n"          \
    ".reg .pred %p; .reg .b32 %r<8>, %s<4>; .reg .f32 %f<4>; .reg .b32 %i0; .reg .b64 %d<3>;\n" NUMBER                 \
    "ld.param.u64 %d1, [out]; ld.param.u32 %i0, [n];\n" inputs                                                         \
    "mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;\n"                                 \
    "L: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, "    \
    "{%f0, %f1, %f2, %f3};\n" LOOP_END
#define WMMA(inputs)                                                                                                   \
    ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry wmma(.param .u64 out, .param .u32 n)\n{\n"         \
    ".reg .pred %p; .reg .b32 %r<8>, %s<4>; .reg .f32 %f<8>; .reg .b32 %i0; .reg .b64 %d<3>;\n" NUMBER                 \
    "ld.param.u64 %d1, [out]; ld.param.u32 %i0, [n];\n" inputs                                                         \
    "mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;\n"                                 \
    "mov.f32 %f4, %f0; mov.f32 %f5, %f0; mov.f32 %f6, %f0; mov.f32 %f7, %f0;\n"                                        \
    "L: wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, {%r0, %r1, %r2, "    \
    "%r3, %r4, %r5, %r6, %r7}, {%r7, %r6, %r5, %r4, %r3, %r2, %r1, %r0}, {%f0, %f1, %f2, %f3, %f4, %f5, %f6, "         \
    "%f7};\n" LOOP_END
#define LOOP_END                                                                                                       \
    "sub.u32 %i0, %i0, 1; setp.ne.u32 %p, %i0, 0; @%p bra L;\n"                                                        \
    "mul.wide.u32 %d2, %s3, 4; add.s64 %d1, %d1, %d2; st.global.f32 [%d1], %f0; ret;\n}\n"

// Few bits, whose sums come out exact.
#define FEW_BITS                                                                                                       \
    "mov.b32 %r0, 0x3c003c00; mov.b32 %r1, 0x38003c00; mov.b32 %r2, %r0; mov.b32 %r3, %r1;\n"                          \
    "mov.b32 %r4, %r0; mov.b32 %r5, 0xbc003c00; mov.b32 %r6, %r1; mov.b32 %r7, %r5;\n"

// All bits, between 1/8 and 2, other ones in each thread: the sums are cut off.
#define DRAW(reg)                                                                                                      \
    "mad.lo.u32 %s0, %s0, 1664525, 1013904223; xor.b32 %s1, %s0, %s3; mul.lo.u32 %s1, %s1, 0x85ebca6b;\n"              \
    "shr.u32 %s2, %s1, 15; xor.b32 %s1, %s1, %s2; and.b32 %s1, %s1, 0x8fff8fff; or.b32 " reg ", %s1, 0x30003000;\n"
#define ALL_BITS DRAW("%r0") DRAW("%r1") DRAW("%r2") DRAW("%r3") DRAW("%r4") DRAW("%r5") DRAW("%r6") DRAW("%r7")

static const struct workload workloads[] = {
    {"128^3 product, 16x16 tiles", "mm_tile<16, 0>", 128, 8, {16, 16}, 3, NULL},
    {"1024^2 transpose, naive", "tr_naive", 1024, 32, {32, 32}, 2, NULL},
    {"1024^2 transpose, tiled", "tr_tile<0, 32>", 1024, 32, {32, 32}, 2, NULL},
    {"1024^2 transpose, padded", "tr_tile<1, 32>", 1024, 32, {32, 32}, 2, NULL},
    {"1024^2 transpose, 32x8 threads", "tr_tile<1, 8>", 1024, 32, {32, 8}, 2, NULL},
    {"mma, 500 a warp, 128 threads", "mma", 500, 8, {128, 1}, 1, MMA(FEW_BITS)},
    {"wmma, 500 a warp, 128 threads", "wmma", 500, 8, {128, 1}, 1, WMMA(FEW_BITS)},
    {"mma, halves of all bits", "mma", 500, 8, {128, 1}, 1, MMA(ALL_BITS)},
    {"wmma, halves of all bits", "wmma", 500, 8, {128, 1}, 1, WMMA(ALL_BITS)},
};

// CPU time tells the price of an observer on a machine that others use too, wall time what a learner waits.
struct duration {
    double wall, cpu;
};

static double seconds_by(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static struct duration now(void)
{
    return (struct duration){seconds_by(CLOCK_MONOTONIC), seconds_by(CLOCK_PROCESS_CPUTIME_ID)};
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Of each clock by itself.
static struct duration median(const struct duration *durations, size_t count)
{
    double wall[ROUNDS], cpu[ROUNDS];
    for (size_t i = 0; i < count; i++) {
        wall[i] = durations[i].wall;
        cpu[i] = durations[i].cpu;
    }
    qsort(wall, count, sizeof *wall, by_size);
    qsort(cpu, count, sizeof *cpu, by_size);
    return (struct duration){wall[count / 2], cpu[count / 2]};
}

static double load_average(void)
{
    double load = 0;
    return getloadavg(&load, 1) == 1 ? load : 0;
}

static void print_machine(double load)
{
    char line[256], name[200] = "unknown";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %199[^\n]", name) == 1)
            break;
    if (file)
        fclose(file);
    printf("%s, %ld cores, load %.1f; medians of %d runs\n\n", name, sysconf(_SC_NPROCESSORS_ONLN), load, ROUNDS);
}

// ---- in the process: the launch alone

struct ready {
    const struct workload *workload;
    const struct ptx_function *entry;
    struct sim_memory *memory;
    struct sim_program *program;
    unsigned char params[64];
};

static enum status prepare(const struct ptx_module *module, const struct workload *workload, struct ready *ready,
                           struct diagnostic *diagnostic)
{
    *ready = (struct ready){.workload = workload, .memory = sim_memory_new()};
    enum status status = ptx_find_entry(module, workload->kernel, &ready->entry, diagnostic);
    if (status == STATUS_OK)
        status = sim_program_new(module, ready->entry, ready->memory, &ready->program, diagnostic);
    if (status != STATUS_OK)
        return status;
    for (uint32_t i = 0; i < workload->buffers; i++) {
        size_t size = (size_t)workload->n * workload->n * sizeof(float);
        const struct sim_allocation *buffer =
            sim_memory_add(ready->memory, (const char *[]){"a", "b", "c"}[i], size, false);
        memcpy(ready->params + ready->entry->params[i].offset, &buffer->address, sizeof buffer->address);
    }
    memcpy(ready->params + ready->entry->params[workload->buffers].offset, &workload->n, sizeof workload->n);
    return STATUS_OK;
}

static void discard(struct ready *ready)
{
    sim_program_free(ready->program);
    sim_memory_free(ready->memory);
}

struct watchers {
    struct counter_observer *counters;
    struct hazard_checker *hazards;
    struct recorder *recorder;
    struct sim_count *counts;
    struct sim_observer observers[OBSERVERS];
    size_t count;
};

static void watch(const struct ready *ready, enum mode mode, struct watchers *watchers)
{
    *watchers = (struct watchers){0};
    if (mode == OFF)
        return;
    watchers->counters = counter_observer_new(ready->program, NULL);
    watchers->counts = mem_alloc(sim_program_size(ready->program) * sizeof *watchers->counts);
    watchers->observers[watchers->count++] = counter_observer_get(watchers->counters);
    if (mode == COUNTERS_ON)
        return;
    watchers->hazards = hazard_checker_new(ready->program, ready->memory, NULL);
    watchers->recorder = recorder_new(ready->program, 0, RECORDED);
    watchers->observers[watchers->count++] = hazard_checker_observer(watchers->hazards);
    watchers->observers[watchers->count++] = recorder_observer(watchers->recorder);
}

// What was seen is taken out as a caller would: that is part of the price.
static void unwatch(struct watchers *watchers)
{
    struct counter_table table = {0};
    struct hazard_list hazards = {0};
    struct recording recording = {0};
    if (watchers->counters)
        counter_observer_take(watchers->counters, watchers->counts, &table);
    if (watchers->hazards)
        hazard_checker_take(watchers->hazards, &hazards);
    if (watchers->recorder)
        recorder_take(watchers->recorder, &recording);
    counter_table_free(&table);
    hazard_list_free(&hazards);
    recording_free(&recording);
    counter_observer_free(watchers->counters);
    hazard_checker_free(watchers->hazards);
    recorder_free(watchers->recorder);
    free(watchers->counts);
}

static enum status measure(const struct ready *ready, enum mode mode, struct duration *taken, uint64_t *instructions,
                           struct diagnostic *diagnostic)
{
    struct watchers watchers;
    struct sim_result result;
    const struct workload *workload = ready->workload;
    struct duration start = now();
    watch(ready, mode, &watchers);
    struct sim_launch launch = {.program = ready->program,
                                .memory = ready->memory,
                                .shape.grid = {workload->grid, workload->grid, 1},
                                .shape.block = {workload->block[0], workload->block[1], 1},
                                .params = ready->params,
                                .observers = watchers.observers,
                                .observer_count = watchers.count,
                                .counts = watchers.counts};
    enum status status = sim_run(&launch, &result, diagnostic);
    unwatch(&watchers);
    struct duration end = now();
    *taken = (struct duration){end.wall - start.wall, end.cpu - start.cpu};
    *instructions = result.warp_instructions;
    return status;
}

static void print_row(const struct workload *workload, const struct duration taken[MODES], uint64_t instructions)
{
    printf("%-30s %5.2f", workload->label, (double)instructions / 1e6);
    for (int mode = 0; mode < MODES; mode++)
        printf(" | %6.1f %6.1f %5.1f", taken[mode].wall * 1e3, taken[mode].cpu * 1e3,
               (double)instructions / taken[mode].wall / 1e6);
    printf(" | %5.2f %5.2f\n", taken[COUNTERS_ON].cpu / taken[OFF].cpu, taken[EVERYTHING_ON].cpu / taken[OFF].cpu);
}

// The modes take turns, so that a machine that slows down does so for all of them.
static enum status bench(const struct ptx_module *module, const struct workload *workload,
                         struct duration middle[MODES], struct diagnostic *diagnostic)
{
    struct ready ready;
    struct duration taken[MODES][ROUNDS];
    uint64_t instructions = 0;
    enum status status = prepare(module, workload, &ready, diagnostic);
    for (int round = 0; round < ROUNDS; round++)
        for (int mode = 0; mode < MODES && status == STATUS_OK; mode++)
            status = measure(&ready, (enum mode)mode, &taken[mode][round], &instructions, diagnostic);
    if (status == STATUS_OK) {
        for (int mode = 0; mode < MODES; mode++)
            middle[mode] = median(taken[mode], ROUNDS);
        print_row(workload, middle, instructions);
    }
    discard(&ready);
    return status;
}

static void judge_launches(const struct duration (*taken)[MODES], struct bounds *bounds)
{
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
        char what[100];
        snprintf(what, sizeof what, "counters on: %s", workloads[i].label);
        bound_at_most(bounds, what, taken[i][COUNTERS_ON].cpu / taken[i][OFF].cpu, " of off", 1.5);
        snprintf(what, sizeof what, "everything on: %s", workloads[i].label);
        bound_at_most(bounds, what, taken[i][EVERYTHING_ON].cpu / taken[i][OFF].cpu, " of off", 4);
        if (workloads[i].ptx) { // of the loop's four, one of them a product
            double threads = 4.0 * workloads[i].n * workloads[i].grid * workloads[i].grid * workloads[i].block[0];
            snprintf(what, sizeof what, "of one core: %s", workloads[i].label);
            bound_at_least(bounds, what, threads / taken[i][OFF].cpu / 1e6, " M thread instructions/s", 200);
        }
        if (workloads[i].n == 1024)
            bound_at_most(bounds, what, taken[i][EVERYTHING_ON].wall * 1e3, " ms wall", 300);
    }
    printf("\n");
}

static enum status bench_launches(struct bounds *bounds, struct diagnostic *diagnostic)
{
    struct ptx_module *module = NULL;
    struct duration taken[sizeof workloads / sizeof *workloads][MODES];
    enum status status = ladder_load(LADDER_FIRST, &module, diagnostic);
    if (status != STATUS_OK)
        return status;
    printf("%-30s %5s | %-20s | %-20s | %-20s | %s\n", "launch alone, all cores", "warp", "off", "counters",
           "everything", "CPU, to off");
    printf("%-30s %5s", "", "Minst");
    for (int mode = 0; mode < MODES; mode++)
        printf(" | %6s %6s %6s", "wall", "CPU ms", "Mi/s");
    printf(" | %5s %5s\n", "count", "all");
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads && status == STATUS_OK; i++) {
        struct ptx_module *own = NULL;
        if (workloads[i].ptx)
            status = ptx_parse("bench.ptx", workloads[i].ptx, strlen(workloads[i].ptx), &own, diagnostic);
        if (status == STATUS_OK)
            status = bench(own ? own : module, &workloads[i], taken[i], diagnostic);
        ptx_module_free(own);
    }
    printf("\n");
    if (status == STATUS_OK)
        judge_launches(taken, bounds);
    ptx_module_free(module);
    return status;
}

// ---- whole processes

struct command {
    const char *label, *directory;
    const char *const *argv;
    struct duration taken; // the answer
};

static bool time_command(struct command *command, int rounds)
{
    struct duration taken[ROUNDS];
    for (int i = 0; i < rounds; i++) {
        struct process_options options = {
            .argv = command->argv, .directory = command->directory, .limits = {.wall_seconds = 300}};
        struct process_result result;
        struct diagnostic diagnostic;
        if (process_run(&options, &result, &diagnostic) != STATUS_OK) {
            fprintf(stderr, "bench: %s\n", diagnostic.message);
            return false;
        }
        bool good = process_succeeded(&result);
        if (!good)
            fprintf(stderr, "bench: %s failed: %s\n", command->label, text_get(&result.err));
        taken[i] = (struct duration){result.wall_seconds, result.cpu_seconds};
        process_result_free(&result);
        if (!good)
            return false;
    }
    command->taken = median(taken, (size_t)rounds);
    return true;
}

static const char *find_program(const char *name)
{
    static char path[512];
    static const char *const folders[] = {"/usr/bin", "/usr/local/bin"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s", folders[i], name);
        if (access(path, X_OK) == 0)
            return path;
    }
    return NULL;
}

#define TRACE_GEMM                                                                                                     \
    "trace", "tests/bench/gemm.sm_90.ptx", "--kernel", "mm_tile<16, 0>", "--grid", "8,8", "--block", "16,16", "--arg", \
        "a:f32[128*128]=random", "--arg", "b:f32[128*128]=random", "--arg", "c:f32[128*128]=zero", "--arg",            \
        "n:s32=128", "--device", "sim", "--json"

static void print_command(const struct command *command, const struct command *oclgrind)
{
    printf("%-42s %10.1f %10.1f", command->label, command->taken.wall * 1e3, command->taken.cpu * 1e3);
    if (oclgrind)
        printf(" %9.0f %9.0f", oclgrind->taken.wall / command->taken.wall, oclgrind->taken.cpu / command->taken.cpu);
    printf("\n");
}

static void judge_process(const struct command *command, const struct command *rival, double asked, double load,
                          struct bounds *bounds)
{
    char what[100];
    snprintf(what, sizeof what, "%s, to Oclgrind, CPU", command->label);
    bound_at_least(bounds, what, rival->taken.cpu / command->taken.cpu, " times", asked);
    snprintf(what, sizeof what, "%s, to Oclgrind, wall", command->label);
    if (load < QUIET_LOAD)
        bound_at_least(bounds, what, rival->taken.wall / command->taken.wall, " times", asked);
    else
        printf("----  %-58s %8.2f times, not judged: others work here, too\n", what,
               rival->taken.wall / command->taken.wall);
}

static bool bench_processes(double load, struct bounds *bounds)
{
    const char *bankshot = program_path(), *oclgrind = find_program("oclgrind-kernel");
    const char *const counting[] = {bankshot, TRACE_GEMM, "--no-hazards", NULL};
    const char *const checking[] = {bankshot, TRACE_GEMM, NULL};
    const char *const other[] = {oclgrind, "gemm.sim", NULL};
    struct command commands[] = {{.label = "bankshot trace --no-hazards (counters)", .argv = counting},
                                 {.label = "bankshot trace (counters, hazards)", .argv = checking}};
    struct command rival = {.label = "oclgrind-kernel, plain", .directory = "tests/bench/opencl", .argv = other};
    printf("128^3 product, 16x16 tiles, whole process    wall ms     CPU ms   times faster by\n"
           "                                                                       wall       CPU\n");
    if (!oclgrind)
        printf("skipped: Oclgrind is not installed\n");
    else if (time_command(&rival, 3))
        print_command(&rival, NULL);
    else
        return false;
    for (int i = 0; i < 2; i++) {
        if (!time_command(&commands[i], ROUNDS))
            return false;
        print_command(&commands[i], oclgrind ? &rival : NULL);
    }
    printf("\n");
    for (int i = 0; i < 2 && oclgrind; i++)
        judge_process(&commands[i], &rival, i ? 40 : 100, load, bounds);
    return true;
}

int main(void)
{
    struct diagnostic diagnostic;
    struct bounds bounds = {0};
    double load = load_average(); // of others, before we work
    print_machine(load);
    if (bench_launches(&bounds, &diagnostic) != STATUS_OK) {
        fprintf(stderr, "bench: %s\n", diagnostic.message);
        return 1;
    }
    if (!bench_processes(load, &bounds))
        return 1;
    return bound_end(&bounds);
}
