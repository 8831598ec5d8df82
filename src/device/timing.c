// Timing on the GPU: rounds of launches between events, their medians, and what makes a time unfit to grade.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "device/cuda.h"
#include "device/cuda_internal.h"

enum {
    MAX_RUNS = MEDIAN_MAX,
    MIN_RUNS = 11,
    LOOK_EVERY = 10,
    MAX_ENTRIES = 16,
    COMPARE_BLOCKS = 2048,
    COMPARE_THREADS = 256,
    POISON = 0xff
};

static const double IMPOSSIBLE_COPY = 1.15; // faster than this times the device copy's bandwidth is not a real run
static const double IMPOSSIBLE_FLOP = 1.02; // the same for the arithmetic peak
static const double INTERVAL_GOAL = 0.01, RATIO_GOAL = 0.005, INTERVAL_NOISY = 0.05;
// Not to be fooled by a quiet moment, and for the clocks to rise first.
static const double LEAST_SECONDS = 0.3, WARM_UP_SECONDS = 0.05;

// Our own kernels: nothing, and two comparisons that add the number of differing elements to *wrong.
// A float differs unless |got - want| <= absolute + relative * |want|; NaN always differs.
// test: leaves in %p2 whether element %d5 of %d1 and %d2 is good.
#define COMPARE(name, load, test)                                                                                      \
    ".visible .entry " name "(.param .u64 got, .param .u64 want, .param .u64 count, .param .f32 absolute,\n"           \
    "                         .param .f32 relative, .param .u64 wrong)\n"                                              \
    "{\n"                                                                                                              \
    "  .reg .pred %p<3>; .reg .b32 %r<8>; .reg .f32 %f<8>; .reg .b16 %h<4>; .reg .b64 %d<12>;\n"                       \
    "  ld.param.u64 %d1, [got]; ld.param.u64 %d2, [want]; ld.param.u64 %d3, [count]; ld.param.u64 %d4, [wrong];\n"     \
    "  " load "\n"                                                                                                     \
    "  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mov.u32 %r4, %nctaid.x;\n"                    \
    "  mad.wide.u32 %d5, %r1, %r2, 0; cvt.u64.u32 %d6, %r3; add.u64 %d5, %d5, %d6;\n"                                  \
    "  mul.wide.u32 %d7, %r4, %r2; mov.u64 %d8, 0;\n"                                                                  \
    "again:\n"                                                                                                         \
    "  setp.ge.u64 %p1, %d5, %d3; @%p1 bra done;\n"                                                                    \
    "  " test "\n"                                                                                                     \
    "  @!%p2 add.u64 %d8, %d8, 1; add.u64 %d5, %d5, %d7; bra again;\n"                                                 \
    "done:\n"                                                                                                          \
    "  setp.eq.u64 %p1, %d8, 0; @!%p1 red.global.add.u64 [%d4], %d8;\n"                                                \
    "  ret;\n"                                                                                                         \
    "}\n"
static const char helpers[] =
    ".version 6.4\n.target sm_70\n.address_size 64\n"
    ".visible .entry empty() { ret; }\n" COMPARE(
        "compare_f32", "ld.param.f32 %f1, [absolute]; ld.param.f32 %f2, [relative];",
        "shl.b64 %d9, %d5, 2; add.u64 %d10, %d1, %d9; add.u64 %d11, %d2, %d9;"
        "ld.global.f32 %f3, [%d10]; ld.global.f32 %f4, [%d11];"
        "sub.f32 %f5, %f3, %f4; abs.f32 %f5, %f5; abs.f32 %f6, %f4; fma.rn.f32 %f6, %f6, %f2, %f1;"
        "setp.le.f32 %p2, %f5, %f6;")
COMPARE("compare_bytes", "",
        "add.u64 %d10, %d1, %d5; add.u64 %d11, %d2, %d5;"
        "ld.global.u8 %h1, [%d10]; ld.global.u8 %h2, [%d11]; setp.eq.u16 %p2, %h1, %h2;");

// ---- medians

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// Sorts the values. Ranks of the interval: binomial, normal approximation.
static struct median median_sorted(float *values, size_t count)
{
    if (!count)
        return (struct median){0};
    qsort(values, count, sizeof *values, compare_floats);
    double last = (double)count - 1, middle = 0.5 * (double)count, spread = 0.98 * sqrt((double)count);
    double low = fmax(floor(middle - spread), 0), high = fmin(ceil(middle + spread) - 1, last);
    return (struct median){.value = 0.5 * ((double)values[(count - 1) / 2] + (double)values[count / 2]),
                           .low = (double)values[(size_t)low],
                           .high = (double)values[(size_t)high],
                           .least = (double)values[0],
                           .most = (double)values[count - 1]};
}

struct median median_of(const float *values, size_t count)
{
    float sorted[MEDIAN_MAX];
    count = count < MEDIAN_MAX ? count : MEDIAN_MAX;
    memcpy(sorted, values, count * sizeof *sorted);
    return median_sorted(sorted, count);
}

struct median median_of_ratios(const float *over, const float *under, size_t count)
{
    float ratios[MEDIAN_MAX];
    size_t used = 0;
    for (size_t i = 0; i < count && used < MEDIAN_MAX; i++)
        if (under[i] > 0)
            ratios[used++] = over[i] / under[i];
    return median_sorted(ratios, used);
}

double median_width(const struct median *median)
{
    return median->value > 0 ? (median->high - median->low) / median->value : 1;
}

// ---- a session

enum helper { HELPER_EMPTY, HELPER_FLOATS, HELPER_BYTES, HELPER_COUNT };

struct contestant {
    struct cuda_kernel kernel;
    float times[MAX_RUNS];
};

struct timing_session {
    struct gpu *gpu;
    struct timing_job *job;
    struct timing_conditions *conditions;
    struct cuda_kernel helpers[HELPER_COUNT];
    struct cuda_block inputs[DEVICE_MAX_ARGS];   // as the host gave them
    struct cuda_block buffers[DEVICE_MAX_ARGS];  // what kernels get
    struct cuda_block expected[DEVICE_MAX_ARGS]; // the trusted entry's outputs of this round
    struct cuda_block copy[2], flush, wrong;
    struct cublas *cublas;
    struct contestant *contestants;
    size_t trusted;
    unsigned char flush_value;
};

static bool is_output(const struct device_arg *arg)
{
    return arg->is_buffer && !arg->read_only;
}

// ---- setting up

static enum status allocate_blocks(struct timing_session *session, struct diagnostic *diagnostic)
{
    struct gpu *gpu = session->gpu;
    const struct timing_job *job = session->job;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < job->arg_count && status == STATUS_OK; i++) {
        const struct device_arg *arg = &job->args[i];
        size_t bytes = cuda_arg_bytes(arg);
        if (!arg->is_buffer)
            continue;
        status = cuda_block_new(gpu, bytes, &session->buffers[i], diagnostic);
        if (status == STATUS_OK && !arg->uninitialised)
            status = cuda_block_new(gpu, bytes, &session->inputs[i], diagnostic);
        if (status == STATUS_OK && is_output(arg))
            status = cuda_block_new(gpu, bytes, &session->expected[i], diagnostic);
        if (status == STATUS_OK)
            status = cuda_wait(gpu, 60, job->cancel, diagnostic);
        if (status == STATUS_OK && !arg->uninitialised && bytes) {
            cuda_result result = gpu->api->to_device(session->inputs[i].data, arg->data, bytes);
            status = cuda_status(gpu, result, "copying inputs", diagnostic);
        }
    }
    size_t flush = 2 * (size_t)(gpu->info.l2_bytes > 0 ? gpu->info.l2_bytes : 32 << 20);
    if (status == STATUS_OK)
        status = cuda_block_new(gpu, flush, &session->flush, diagnostic);
    if (status == STATUS_OK)
        status = cuda_block_new(gpu, sizeof(uint64_t), &session->wrong, diagnostic);
    for (int i = 0; i < 2 && status == STATUS_OK && job->copy_bytes; i++)
        status = cuda_block_new(gpu, job->copy_bytes, &session->copy[i], diagnostic);
    return status;
}

static enum status load_kernels(struct timing_session *session, struct diagnostic *diagnostic)
{
    struct gpu *gpu = session->gpu;
    struct timing_job *job = session->job;
    static const char *const names[HELPER_COUNT] = {"empty", "compare_f32", "compare_bytes"};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < HELPER_COUNT && status == STATUS_OK; i++)
        status = cuda_kernel_load(gpu, helpers, names[i], 0, &session->helpers[i], diagnostic);
    for (size_t i = 0; i < job->entry_count && status == STATUS_OK; i++) {
        struct timing_entry *entry = &job->entries[i];
        entry->status = STATUS_OK;
        if (entry->kind == TIMING_SGEMM)
            entry->skipped = (session->cublas = cublas_open(gpu->stream)) == NULL;
        if (entry->kind == TIMING_COPY)
            entry->skipped = job->copy_bytes == 0;
        if (entry->kind != TIMING_KERNEL)
            continue;
        entry->status = cuda_kernel_load(gpu, entry->ptx, entry->entry->name, entry->shape.dynamic_shared,
                                         &session->contestants[i].kernel, &entry->diagnostic);
        if (entry->trusted) {
            session->trusted = i;
            status = entry->status;
            if (status != STATUS_OK && diagnostic)
                *diagnostic = entry->diagnostic;
        }
    }
    return status;
}

static void end_timing(struct timing_session *session)
{
    struct gpu *gpu = session->gpu;
    cublas_close(gpu->lost ? NULL : session->cublas);
    for (size_t i = 0; i < session->job->arg_count; i++) {
        cuda_block_free(gpu, &session->inputs[i]);
        cuda_block_free(gpu, &session->buffers[i]);
        cuda_block_free(gpu, &session->expected[i]);
    }
    cuda_block_free(gpu, &session->copy[0]);
    cuda_block_free(gpu, &session->copy[1]);
    cuda_block_free(gpu, &session->flush);
    cuda_block_free(gpu, &session->wrong);
    for (size_t i = 0; i < session->job->entry_count; i++)
        cuda_kernel_unload(gpu, &session->contestants[i].kernel);
    for (size_t i = 0; i < HELPER_COUNT; i++)
        cuda_kernel_unload(gpu, &session->helpers[i]);
    free(session->contestants);
}

// ---- one timed run

// Each round has other inputs: the same, turned by so many elements. Rows of up to 256 stay whole: what stands in one
// of their columns may not be like the others.
static size_t turned_by(const struct device_arg *arg, unsigned round)
{
    enum { ROWS = 256, PRIME = 7919 };
    size_t whole = arg->count % ROWS == 0 ? ROWS : 1;
    return (size_t)round * PRIME % (arg->count / whole) * whole;
}

// Inputs of a round are the host's, rotated by a number of elements that differs from round to round: a kernel that
// kept an earlier result is wrong.
static cuda_result restore(struct timing_session *session, unsigned round)
{
    const struct timing_job *job = session->job;
    const struct cuda_api *api = session->gpu->api;
    cuda_stream stream = session->gpu->stream;
    cuda_result result = CUDA_OK;
    for (size_t i = 0; i < job->arg_count && result == CUDA_OK; i++) {
        const struct device_arg *arg = &job->args[i];
        size_t bytes = cuda_arg_bytes(arg);
        if (!bytes)
            continue;
        cuda_pointer to = session->buffers[i].data, from = session->inputs[i].data;
        if (arg->uninitialised) {
            result = api->fill8(to, POISON, bytes, stream);
            continue;
        }
        size_t shift = turned_by(arg, round) * ptx_type_size(arg->type);
        result = api->copy(to, from + shift, bytes - shift, stream);
        if (result == CUDA_OK && shift)
            result = api->copy(to + (bytes - shift), from, shift, stream);
    }
    if (result == CUDA_OK)
        result = api->fill8(session->flush.data, ++session->flush_value, session->flush.size, stream);
    return result;
}

static enum status launch_entry(struct timing_session *session, size_t index, struct diagnostic *diagnostic)
{
    struct timing_job *job = session->job;
    struct timing_entry *entry = &job->entries[index];
    struct gpu *gpu = session->gpu;
    cuda_pointer buffers[DEVICE_MAX_ARGS];
    struct cuda_params params;
    cuda_result result;
    if (entry->kind == TIMING_COPY) {
        result = gpu->api->copy(session->copy[1].data, session->copy[0].data, job->copy_bytes, gpu->stream);
        return cuda_status(gpu, result, "copying", diagnostic);
    }
    for (size_t i = 0; i < job->arg_count; i++)
        buffers[i] = session->buffers[i].data;
    if (entry->kind == TIMING_SGEMM) {
        int error =
            cublas_sgemm(session->cublas, job->m, job->n, job->k, buffers[job->a], buffers[job->b], buffers[job->c]);
        return error == 0 ? STATUS_OK
                          : diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "cublasSgemm failed with status %d", error);
    }
    enum status status = cuda_params_set(gpu, entry->entry, job->args, job->arg_count, buffers, &params, diagnostic);
    if (status != STATUS_OK)
        return status;
    result = gpu->api->launch(session->contestants[index].kernel.function, entry->shape.grid[0], entry->shape.grid[1],
                              entry->shape.grid[2], entry->shape.block[0], entry->shape.block[1], entry->shape.block[2],
                              entry->shape.dynamic_shared, gpu->stream, params.pointers, NULL);
    return cuda_status(gpu, result, "launching", diagnostic);
}

static enum status start_comparison(struct timing_session *session, size_t argument, struct diagnostic *diagnostic)
{
    struct gpu *gpu = session->gpu;
    const struct device_arg *arg = &session->job->args[argument];
    bool is_float = arg->type == PTX_F32;
    uint64_t count = is_float ? arg->count : cuda_arg_bytes(arg);
    // What the trusted kernel found is rounded as well: the two may lie on either side of what is right.
    float absolute = 2 * (float)session->job->absolute, relative = 2 * (float)session->job->relative;
    cuda_pointer got = session->buffers[argument].data, want = session->expected[argument].data;
    void *params[] = {&got, &want, &count, &absolute, &relative, &session->wrong.data};
    cuda_result result = gpu->api->launch(session->helpers[is_float ? HELPER_FLOATS : HELPER_BYTES].function,
                                          COMPARE_BLOCKS, 1, 1, COMPARE_THREADS, 1, 1, 0, gpu->stream, params, NULL);
    return cuda_status(gpu, result, "comparing", diagnostic);
}

// After the trusted entry: keep its outputs. After another: count what differs from them.
static enum status judge_outputs(struct timing_session *session, size_t index, struct diagnostic *diagnostic)
{
    struct timing_job *job = session->job;
    struct timing_entry *entry = &job->entries[index];
    struct gpu *gpu = session->gpu;
    cuda_result result = gpu->api->fill8(session->wrong.data, 0, sizeof(uint64_t), gpu->stream);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < job->arg_count && result == CUDA_OK && status == STATUS_OK; i++) {
        if (!is_output(&job->args[i]) || entry->kind == TIMING_COPY)
            continue;
        if (index == session->trusted)
            result = gpu->api->copy(session->expected[i].data, session->buffers[i].data, cuda_arg_bytes(&job->args[i]),
                                    gpu->stream);
        else
            status = start_comparison(session, i, diagnostic);
    }
    if (status == STATUS_OK && result == CUDA_OK)
        status = cuda_wait(gpu, 60, job->cancel, diagnostic);
    uint64_t wrong = 0;
    if (status == STATUS_OK && result == CUDA_OK)
        result = gpu->api->to_host(&wrong, session->wrong.data, sizeof wrong);
    entry->wrong += wrong;
    return result == CUDA_OK ? status : cuda_status(gpu, result, "checking outputs", diagnostic);
}

// STATUS_OK with entry->status set means that this entry is out and the others go on.
static enum status run_entry(struct timing_session *session, size_t index, unsigned round, bool is_timed,
                             struct diagnostic *diagnostic)
{
    struct timing_job *job = session->job;
    struct timing_entry *entry = &job->entries[index];
    struct gpu *gpu = session->gpu;
    float milliseconds = 0;
    cuda_result result = restore(session, round);
    if (result == CUDA_OK)
        result = gpu->api->event_record(gpu->start, gpu->stream);
    if (result != CUDA_OK)
        return cuda_status(gpu, result, "restoring inputs", diagnostic);
    entry->status = launch_entry(session, index, &entry->diagnostic);
    if (entry->status == STATUS_OK && gpu->api->event_record(gpu->stop, gpu->stream) == CUDA_OK)
        entry->status = cuda_wait(gpu, job->wall_limit > 0 ? job->wall_limit : 10, job->cancel, &entry->diagnostic);
    if (entry->status != STATUS_OK && (gpu->lost || index == session->trusted)) {
        if (diagnostic)
            *diagnostic = entry->diagnostic;
        return entry->status;
    }
    if (entry->status != STATUS_OK)
        return STATUS_OK;
    if (gpu->api->event_elapsed(&milliseconds, gpu->start, gpu->stop) != CUDA_OK)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "the GPU's events give no time");
    if (is_timed && entry->runs < MAX_RUNS)
        session->contestants[index].times[entry->runs++] = 1e3f * milliseconds;
    return judge_outputs(session, index, diagnostic);
}

// ---- statistics

// The runs of an entry are those of the first rounds: one that is out stays out.
static void summarise_entry(const struct timing_session *session, size_t index)
{
    struct timing_job *job = session->job;
    struct timing_entry *entry = &job->entries[index];
    const float *times = session->contestants[index].times;
    uint32_t both = entry->runs < job->entries[0].runs ? entry->runs : job->entries[0].runs;
    entry->us = median_of(times, entry->runs);
    entry->ratio = median_of_ratios(times, session->contestants[0].times, both);
}

static bool is_live(const struct timing_entry *entry)
{
    return !entry->skipped && entry->status == STATUS_OK;
}

static bool is_settled(const struct timing_session *session)
{
    for (size_t i = 0; i < session->job->entry_count; i++) {
        struct timing_entry *entry = &session->job->entries[i];
        if (!is_live(entry))
            continue;
        summarise_entry(session, i);
        if (median_width(&entry->us) > INTERVAL_GOAL || (i > 0 && median_width(&entry->ratio) > RATIO_GOAL))
            return false;
    }
    return true;
}

// ---- conditions

static void sample_conditions(struct timing_session *session)
{
    struct timing_conditions *seen = session->conditions;
    struct gpu_state state;
    if (!gpu_state_read(session->gpu->info.bus_id, &state))
        return;
    snprintf(seen->driver, sizeof seen->driver, "%s", state.driver);
    if (state.sm_mhz >= 0 && (seen->sm_mhz_min == 0 || state.sm_mhz < seen->sm_mhz_min))
        seen->sm_mhz_min = state.sm_mhz;
    if (state.sm_mhz > seen->sm_mhz_max)
        seen->sm_mhz_max = state.sm_mhz;
    if (state.celsius > seen->celsius_max)
        seen->celsius_max = state.celsius;
    if (state.watts > seen->watts_max)
        seen->watts_max = state.watts;
    seen->memory_mhz = state.memory_mhz;
    seen->throttle_reasons |= state.throttle_reasons;
}

static enum status time_empty(struct timing_session *session, struct diagnostic *diagnostic)
{
    struct gpu *gpu = session->gpu;
    float times[MIN_RUNS] = {0};
    for (int i = 0; i < MIN_RUNS; i++) {
        cuda_result result = gpu->api->fill8(session->flush.data, 0, session->flush.size, gpu->stream);
        if (result == CUDA_OK)
            result = gpu->api->event_record(gpu->start, gpu->stream);
        if (result == CUDA_OK)
            result = gpu->api->launch(session->helpers[HELPER_EMPTY].function, 1, 1, 1, 32, 1, 1, 0, gpu->stream, NULL,
                                      NULL);
        if (result == CUDA_OK)
            result = gpu->api->event_record(gpu->stop, gpu->stream);
        if (result != CUDA_OK)
            return cuda_status(gpu, result, "timing an empty kernel", diagnostic);
        enum status status = cuda_wait(gpu, 10, NULL, diagnostic);
        if (status != STATUS_OK)
            return status;
        gpu->api->event_elapsed(&times[i], gpu->start, gpu->stop);
    }
    session->conditions->empty_launch_us = 1e3 * median_of(times, MIN_RUNS).value;
    return STATUS_OK;
}

// FLOP of one SM in one cycle, at most: by FP32 lanes, by pairs of halves, by tensor cores (dense products of halves)
// for each compute capability (CUDA C++ Programming Guide, "Arithmetic Instructions", and the whitepapers).
static int flop_by_lanes(int sm)
{
    return sm <= 80 ? 128 : 256;
}

enum { FLOP_BY_PAIRS = 512 };

static int flop_by_tensor_cores(int sm)
{
    return sm < 80 ? 1024 : sm < 90 ? 2048 : sm < 100 ? 4096 : 8192;
}

enum { NARROWER = 8 }; // times as much for 4 bits, of sparse matrices

static int flop_by(const struct ptx_inst *inst, int sm)
{
    bool is_narrow = false, is_pair = false;
    for (int i = 0; i < inst->type_count; i++) {
        is_pair |= inst->types[i] == PTX_F16X2 || inst->types[i] == PTX_BF16X2;
        is_narrow |= ptx_type_size(inst->types[i]) < 2;
    }
    switch (inst->op) {
    case PTX_OP_MMA:
    case PTX_OP_WMMA_MMA:
    case PTX_OP_WGMMA_MMA:
        return flop_by_tensor_cores(sm) * (is_narrow ? NARROWER : 1);
    case PTX_OP_MMA_SP:
    case PTX_OP_MMA_SP_ORDERED:
    case PTX_OP_WGMMA_SP:
        return flop_by_tensor_cores(sm) * NARROWER;
    default:
        return is_pair ? FLOP_BY_PAIRS : 0;
    }
}

// By the fastest means that its file has.
static int flop_per_cycle(const struct timing_entry *entry, int sm)
{
    const struct ptx_module *module = entry->entry->module;
    int most = flop_by_lanes(sm);
    for (uint32_t i = 0; module && i < module->function_count; i++) {
        const struct ptx_function *function = module->functions[i];
        for (uint32_t k = 0; k < function->inst_count; k++) {
            int by = flop_by(&function->insts[k], sm);
            most = by > most ? by : most;
        }
    }
    return most;
}

static void check_floor(const struct timing_session *session, struct timing_entry *entry)
{
    const struct timing_job *job = session->job;
    const struct cuda_info *info = &session->gpu->info;
    if (entry->kind != TIMING_KERNEL)
        return;
    double peak = 1e3 * (double)info->multiprocessors * flop_per_cycle(entry, info->sm) * (double)info->clock_khz;
    double copy = session->conditions->copy_gbps * 1e9;
    double by_bytes = copy > 0 ? 1e6 * job->bytes / (IMPOSSIBLE_COPY * copy) : 0;
    double by_flop = peak > 0 ? 1e6 * job->flop / (IMPOSSIBLE_FLOP * peak) : 0;
    double floor_us = by_bytes > by_flop ? by_bytes : by_flop;
    if (entry->us.value < floor_us)
        entry->status = diagnostic_set(&entry->diagnostic, STATUS_FAULT,
                                       "%.1f us is impossibly fast: moving the data or doing the arithmetic takes at "
                                       "least %.1f us on %s; the kernel cannot have done the work",
                                       entry->us.value, floor_us, info->name);
}

static void conclude_timing(struct timing_session *session)
{
    struct timing_job *job = session->job;
    struct timing_conditions *seen = session->conditions;
    for (size_t i = 0; i < job->entry_count; i++) {
        struct timing_entry *entry = &job->entries[i];
        summarise_entry(session, i);
        if (is_live(entry) && entry->kind == TIMING_COPY && entry->us.value > 0)
            seen->copy_gbps = 2e-3 * (double)job->copy_bytes / entry->us.value;
    }
    for (size_t i = 0; i < job->entry_count; i++) {
        struct timing_entry *entry = &job->entries[i];
        if (!is_live(entry))
            continue;
        if (entry->wrong)
            entry->status = diagnostic_set(&entry->diagnostic, STATUS_FAULT,
                                           "%llu elements were wrong in the timed runs: each run gets new inputs, and "
                                           "its outputs are checked",
                                           (unsigned long long)entry->wrong);
        else
            check_floor(session, entry);
        if (median_width(&entry->us) > INTERVAL_NOISY && !seen->noisy) {
            seen->noisy = true;
            snprintf(seen->evidence, sizeof seen->evidence,
                     "%s: median %.1f us, 95 %% interval %.1f to %.1f us after %u runs", entry->name, entry->us.value,
                     entry->us.low, entry->us.high, entry->runs);
        }
    }
    char reasons[128];
    if (!seen->noisy && *gpu_throttle_text(seen->throttle_reasons, reasons, sizeof reasons)) {
        seen->noisy = true;
        snprintf(seen->evidence, sizeof seen->evidence, "the GPU slowed itself down while timing: %s (up to %d °C)",
                 reasons, seen->celsius_max);
    }
}

static enum status verify_trusted(struct timing_session *session, struct diagnostic *diagnostic)
{
    struct timing_job *job = session->job;
    for (size_t i = 0; i < job->arg_count && job->verify; i++) {
        size_t bytes = cuda_arg_bytes(&job->args[i]);
        if (!is_output(&job->args[i]) || !bytes)
            continue;
        void *data = mem_alloc(bytes);
        cuda_result result = session->gpu->api->to_host(data, session->expected[i].data, bytes);
        bool agrees = result == CUDA_OK && job->verify(job->verify_context, i, data, job->args[i].count);
        free(data);
        if (result != CUDA_OK)
            return cuda_status(session->gpu, result, "copying the trusted results", diagnostic);
        if (!agrees)
            return diagnostic_set(diagnostic, STATUS_INTERNAL,
                                  "the reference kernel's `%s` disagrees with the reference in C; nothing is graded",
                                  job->args[i].name);
    }
    return STATUS_OK;
}

static enum status check_guards(struct timing_session *session, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < session->job->arg_count && status == STATUS_OK; i++)
        status = cuda_block_check(session->gpu, &session->buffers[i], session->job->args[i].name, diagnostic);
    return status;
}

// The trusted entry goes first; the others follow in an order that turns by one each round.
static size_t in_turn(const struct timing_session *session, unsigned round, size_t turn)
{
    if (turn == 0)
        return session->trusted;
    size_t index = (turn - 1 + round) % (session->job->entry_count - 1);
    return index < session->trusted ? index : index + 1;
}

static enum status run_rounds(struct timing_session *session, struct diagnostic *diagnostic)
{
    struct timing_job *job = session->job;
    double limit = job->seconds > 0 ? job->seconds : 2, began = clock_seconds(), start = 0;
    const unsigned warm_up = 2; // and as many more as it takes
    unsigned timed = 0;
    for (unsigned round = 0; timed < MAX_RUNS; round++) {
        bool is_timed = round >= warm_up && clock_seconds() - began >= WARM_UP_SECONDS;
        if (is_timed && timed++ == 0)
            start = clock_seconds();
        for (size_t turn = 0; turn < job->entry_count; turn++) {
            size_t index = in_turn(session, round, turn);
            if (!is_live(&job->entries[index]))
                continue;
            enum status status = run_entry(session, index, round, is_timed, diagnostic);
            if (status != STATUS_OK)
                return status;
        }
        enum status status = round == 0 ? verify_trusted(session, diagnostic) : STATUS_OK;
        if (status == STATUS_OK && round == 0)
            status = check_guards(session, diagnostic);
        if (status != STATUS_OK)
            return status;
        sample_conditions(session);
        if (is_timed && job->entries[0].wrong) // no time of it will count
            break;
        double spent = clock_seconds() - start;
        bool may_stop = timed >= MIN_RUNS && spent >= fmin(LEAST_SECONDS, limit);
        if (is_timed && (spent > limit || (may_stop && timed % LOOK_EVERY == 0 && is_settled(session))))
            break;
    }
    return check_guards(session, diagnostic);
}

enum status timing_run(struct device *device, struct timing_job *job, struct timing_conditions *conditions,
                       struct diagnostic *diagnostic)
{
    struct gpu *gpu = device->state;
    time_t date = time(NULL);
    struct tm utc;
    double start = clock_seconds();
    *conditions = (struct timing_conditions){0};
    snprintf(conditions->gpu, sizeof conditions->gpu, "%s", gpu->info.name);
    strftime(conditions->date, sizeof conditions->date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&date, &utc));
    if (gpu->lost)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                              "an earlier fault took the GPU's context; a new process is needed");
    if (job->entry_count > MAX_ENTRIES || job->arg_count > DEVICE_MAX_ARGS)
        return diagnostic_set(diagnostic, STATUS_INTERNAL, "too many kernels or arguments to time");
    struct timing_session session = {.gpu = gpu, .job = job, .conditions = conditions};
    gpu->fault = SIM_FAULT_NONE;
    session.contestants = mem_alloc(job->entry_count * sizeof *session.contestants);
    gpu->api->context_set(gpu->context);
    enum status status = load_kernels(&session, diagnostic);
    if (status == STATUS_OK)
        status = allocate_blocks(&session, diagnostic);
    if (status == STATUS_OK)
        status = time_empty(&session, diagnostic);
    if (status == STATUS_OK)
        status = run_rounds(&session, diagnostic);
    if (status == STATUS_OK)
        conclude_timing(&session);
    conditions->seconds = clock_seconds() - start;
    conditions->fault = gpu->fault;
    end_timing(&session);
    return status;
}
