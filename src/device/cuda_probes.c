// Measuring a GPU: the kernels of model/probes.h, run for their times.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/cuda.h"
#include "device/cuda_internal.h"

enum { WARPS = 32, FLUSH_BYTES = 256 << 20 };
static const double WAIT_SECONDS = 20;

struct cuda_probing {
    struct gpu *gpu;
    struct cuda_block big, out, clocks, flush;
};

enum status cuda_profile(const struct device *device, struct gpu_profile *profile, struct diagnostic *diagnostic)
{
    const struct gpu *gpu = device->state;
    const struct cuda_info *info = &gpu->info;
    const struct gpu_profile *known = gpu_profile_of_device(info->name);
    int threads = 0, blocks = 0, shared = 0, reserved = 0;
    cuda_device handle;
    bool answers = gpu->api->device_get(&handle, info->index) == CUDA_OK &&
                   gpu->api->device_attribute(&threads, CUDA_ATTRIBUTE_SM_THREADS, handle) == CUDA_OK &&
                   gpu->api->device_attribute(&shared, CUDA_ATTRIBUTE_SM_SHARED, handle) == CUDA_OK &&
                   gpu->api->device_attribute(&blocks, CUDA_ATTRIBUTE_SM_BLOCKS, handle) == CUDA_OK &&
                   gpu->api->device_attribute(&reserved, CUDA_ATTRIBUTE_SHARED_RESERVED, handle) == CUDA_OK;
    if (!answers || threads < WARPS || info->multiprocessors < 1 || info->clock_khz < 1000)
        return diagnostic_set(
            diagnostic, STATUS_ENVIRONMENT,
            "the driver does not say what GPU %d (%s) is made of: its driver is too old to measure it", info->index,
            info->name);
    *profile = known ? *known : *gpu_profile_nearest((unsigned)info->sm, (uint32_t)info->multiprocessors);
    profile->name = info->name;
    profile->sm = (unsigned)info->sm;
    profile->sms = (uint32_t)info->multiprocessors;
    profile->mhz = (uint32_t)info->clock_khz / 1000;
    profile->warps = (uint32_t)threads / 32;
    profile->blocks = (uint32_t)blocks;
    profile->shared_sm = (uint32_t)shared;
    profile->shared_block = (uint32_t)info->shared_optin;
    profile->shared_reserved = (uint32_t)reserved;
    profile->l2_bytes = (uint64_t)info->l2_bytes;
    return STATUS_OK;
}

void cuda_probing_end(struct cuda_probing *probing)
{
    if (!probing)
        return;
    cuda_block_free(probing->gpu, &probing->big);
    cuda_block_free(probing->gpu, &probing->out);
    cuda_block_free(probing->gpu, &probing->clocks);
    cuda_block_free(probing->gpu, &probing->flush);
    free(probing);
}

enum status cuda_probing_begin(struct device *device, struct cuda_probing **probing, struct diagnostic *diagnostic)
{
    struct cuda_probing *made = mem_alloc(sizeof *made);
    made->gpu = device->state;
    made->gpu->api->context_set(made->gpu->context);
    enum status status = cuda_block_new(made->gpu, PROBE_BIG_BYTES, &made->big, diagnostic);
    if (!status)
        status = cuda_block_new(made->gpu, PROBE_OUT_BYTES, &made->out, diagnostic);
    if (!status)
        status = cuda_block_new(made->gpu, WARPS * 16, &made->clocks, diagnostic);
    if (!status)
        status = cuda_block_new(made->gpu, FLUSH_BYTES, &made->flush, diagnostic);
    if (!status) // zeros are numbers for all kernels
        status = cuda_status(made->gpu, made->gpu->api->fill8(made->big.data, 0, made->big.size, made->gpu->stream),
                             "clearing memory", diagnostic);
    if (status) {
        cuda_probing_end(made);
        made = NULL;
    }
    *probing = made;
    return status;
}

static enum status launch_probe(struct cuda_probing *probing, const struct probe *probe,
                                const struct cuda_kernel *kernel, float *milliseconds, struct diagnostic *diagnostic)
{
    struct gpu *gpu = probing->gpu;
    uint64_t values[] = {probing->big.data, probing->out.data, probing->clocks.data, probe->x, probe->y};
    void *params[] = {&values[0], &values[1], &values[2], &values[3], &values[4]};
    cuda_result result = CUDA_OK;
    if (probe->flushes)
        result = gpu->api->fill8(probing->flush.data, 0, probing->flush.size, gpu->stream);
    if (result == CUDA_OK)
        result = gpu->api->event_record(gpu->start, gpu->stream);
    if (result == CUDA_OK)
        result = gpu->api->launch(kernel->function, probe->grid[0], probe->grid[1], 1, probe->block[0], probe->block[1],
                                  1, 0, gpu->stream, params, NULL);
    if (result == CUDA_OK)
        result = gpu->api->event_record(gpu->stop, gpu->stream);
    enum status status = cuda_status(gpu, result, "launching a kernel that measures it", diagnostic);
    if (!status)
        status = cuda_wait(gpu, WAIT_SECONDS, NULL, diagnostic);
    if (!status)
        status = cuda_status(gpu, gpu->api->event_elapsed(milliseconds, gpu->start, gpu->stop), "timing", diagnostic);
    return status;
}

// Cycles from the first warp's begin to the last one's end.
static enum status read_span(struct cuda_probing *probing, uint32_t warps, double *cycles,
                             struct diagnostic *diagnostic)
{
    int64_t times[2 * WARPS];
    enum status status =
        cuda_status(probing->gpu, probing->gpu->api->to_host(times, probing->clocks.data, sizeof times),
                    "copying results", diagnostic);
    for (uint32_t warp = 1; !status && warp < warps; warp++) {
        times[0] = times[2 * warp] < times[0] ? times[2 * warp] : times[0];
        times[1] = times[2 * warp + 1] > times[1] ? times[2 * warp + 1] : times[1];
    }
    *cycles = status ? 0 : (double)(times[1] - times[0]);
    return status;
}

static enum status run_probe(struct cuda_probing *probing, const struct probe *probe, const struct cuda_kernel *kernel,
                             double *value, struct diagnostic *diagnostic)
{
    float milliseconds = 0;
    double cycles = 0;
    uint32_t threads = probe->block[0] * probe->block[1];
    enum status status = launch_probe(probing, probe, kernel, &milliseconds, diagnostic);
    if (!status && (probe->unit == PROBE_CYCLES || probe->unit == PROBE_CLOCK))
        status = read_span(probing, (threads + 31) / 32, &cycles, diagnostic);
    double us = fmax(1e3 * (double)milliseconds, 1e-3);
    *value = probe->unit == PROBE_CYCLES  ? cycles / probe->work
             : probe->unit == PROBE_CLOCK ? cycles / us
             : probe->unit == PROBE_RATE  ? probe->work / us
                                          : us;
    return status;
}

enum status cuda_probe(struct cuda_probing *probing, const struct probe *probe, double *value, double *spread,
                       struct diagnostic *diagnostic)
{
    float values[PROBE_RUNS] = {0};
    struct cuda_kernel kernel;
    double one = 0;
    enum status status = cuda_kernel_load(probing->gpu, probes_ptx(), probe->kernel, 0, &kernel, diagnostic);
    if (status)
        return status;
    status = run_probe(probing, probe, &kernel, &one, diagnostic); // its code is there now
    for (int i = 0; !status && probe->unit != PROBE_NOTHING && i < PROBE_RUNS; i++) {
        status = run_probe(probing, probe, &kernel, &one, diagnostic);
        values[i] = (float)one;
    }
    cuda_kernel_unload(probing->gpu, &kernel);
    struct median median = median_of(values, PROBE_RUNS);
    *value = median.value;
    *spread = median_width(&median);
    return status;
}
