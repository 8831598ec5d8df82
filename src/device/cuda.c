// A GPU through the driver: what there is, and one run as a device.
#include "device/cuda.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "device/cuda_internal.h"

// ---- devices

static enum status describe_gpu(const struct cuda_api *api, int index, struct cuda_info *info,
                                struct diagnostic *diagnostic)
{
    cuda_device device;
    int major = 0, minor = 0;
    *info = (struct cuda_info){.index = index};
    bool known = api->device_get(&device, index) == CUDA_OK &&
                 api->device_name(info->name, (int)sizeof info->name, device) == CUDA_OK &&
                 api->device_bus_id(info->bus_id, (int)sizeof info->bus_id, device) == CUDA_OK &&
                 api->device_attribute(&major, CUDA_ATTRIBUTE_CC_MAJOR, device) == CUDA_OK &&
                 api->device_attribute(&minor, CUDA_ATTRIBUTE_CC_MINOR, device) == CUDA_OK &&
                 api->device_attribute(&info->multiprocessors, CUDA_ATTRIBUTE_SM_COUNT, device) == CUDA_OK &&
                 api->device_attribute(&info->shared_optin, CUDA_ATTRIBUTE_SHARED_OPTIN, device) == CUDA_OK &&
                 api->device_attribute(&info->l2_bytes, CUDA_ATTRIBUTE_L2_BYTES, device) == CUDA_OK &&
                 api->device_attribute(&info->clock_khz, CUDA_ATTRIBUTE_CLOCK_KHZ, device) == CUDA_OK &&
                 api->driver_version(&info->driver) == CUDA_OK;
    info->sm = major * 10 + minor;
    if (!known)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "GPU %d does not answer; see nvidia-smi", index);
    return STATUS_OK;
}

// The first of the GPUs with the least work on them, as NVML reports it of the last second. Where others of its kind
// are about as idle the process's number chooses: those that begin together would all take the first.
static int idlest(const struct cuda_api *api, int count)
{
    enum { GPUS_MOST = 64, ABOUT = 10, UNKNOWN = 1000 };
    struct cuda_info infos[GPUS_MOST];
    int busy[GPUS_MOST], best = 0, alike = 0;
    count = count < GPUS_MOST ? count : GPUS_MOST;
    for (int i = 0; i < count; i++) {
        struct gpu_state state;
        bool known = describe_gpu(api, i, &infos[i], NULL) == STATUS_OK && gpu_state_read(infos[i].bus_id, &state);
        busy[i] = known && state.busy_percent >= 0 ? state.busy_percent : UNKNOWN;
        best = busy[i] < busy[best] ? i : best;
    }
    for (int i = best; i < count; i++)
        alike += busy[i] <= busy[best] + ABOUT && strcmp(infos[i].name, infos[best].name) == 0;
    int turn = alike ? (int)(getpid() % alike) : 0;
    for (int i = best; i < count && busy[best] < UNKNOWN; i++)
        if (busy[i] <= busy[best] + ABOUT && strcmp(infos[i].name, infos[best].name) == 0 && turn-- == 0)
            return i;
    return best;
}

enum status cuda_describe(int index, struct cuda_info *info, int *count, struct diagnostic *diagnostic)
{
    const struct cuda_api *api;
    enum status status = cuda_api_get(&api, diagnostic);
    if (status == STATUS_OK && api->device_count(count) != CUDA_OK)
        *count = 0;
    return status == STATUS_OK ? describe_gpu(api, index >= 0 ? index : idlest(api, *count), info, diagnostic) : status;
}

static enum status gpu_open(struct device *device, struct diagnostic *diagnostic)
{
    const struct cuda_api *api;
    int count = 0;
    enum status status = cuda_api_get(&api, diagnostic);
    if (status != STATUS_OK)
        return status;
    if (api->device_count(&count) != CUDA_OK || device->gpu >= count)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "there is no GPU %d; this machine has %d, counted from 0",
                              device->gpu, count);
    struct gpu *gpu = mem_alloc(sizeof *gpu);
    gpu->api = api;
    gpu->optimisation = 4;
    cuda_device handle;
    status = describe_gpu(api, device->gpu >= 0 ? device->gpu : idlest(api, count), &gpu->info, diagnostic);
    if (status != STATUS_OK)
        goto out;
    cuda_result result = api->device_get(&handle, gpu->info.index);
    if (result == CUDA_OK)
        result = api->context_retain(&gpu->context, handle);
    if (result == CUDA_OK)
        result = api->context_set(gpu->context);
    if (result == CUDA_OK)
        result = api->stream_create(&gpu->stream, CUDA_STREAM_NON_BLOCKING);
    if (result == CUDA_OK)
        result = api->event_create(&gpu->start, CUDA_EVENT_DEFAULT);
    if (result == CUDA_OK)
        result = api->event_create(&gpu->stop, CUDA_EVENT_DEFAULT);
    if (result != CUDA_OK) {
        char text[256];
        status = diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "GPU %d (%s) cannot be opened: %s", gpu->info.index,
                                gpu->info.name, cuda_error_text(api, result, text, sizeof text));
        goto out;
    }
    device->state = gpu;
    snprintf(device->label, sizeof device->label, "%.63s", gpu->info.name);
out:
    if (status != STATUS_OK)
        free(gpu);
    return status;
}

static void gpu_close(struct device *device)
{
    struct gpu *gpu = device->state;
    if (!gpu)
        return;
    cuda_device handle;
    // A context with a hanging kernel cannot be released: the end of the process does that.
    if (!gpu->lost) {
        gpu->api->event_destroy(gpu->start);
        gpu->api->event_destroy(gpu->stop);
        gpu->api->stream_destroy(gpu->stream);
        if (gpu->api->device_get(&handle, gpu->info.index) == CUDA_OK)
            gpu->api->context_release(handle);
    }
    free(gpu);
    device->state = NULL;
}

void cuda_device_optimise(struct device *device, unsigned level)
{
    ((struct gpu *)device->state)->optimisation = level;
}

const struct cuda_info *cuda_device_info(const struct device *device)
{
    return &((const struct gpu *)device->state)->info;
}

// ---- one run

enum status cuda_params_set(struct gpu *gpu, const struct ptx_function *entry, const struct device_arg *args,
                            size_t count, const cuda_pointer *buffers, struct cuda_params *params,
                            struct diagnostic *diagnostic)
{
    size_t all = count, used = 0;
    while (count > 0 && args[count - 1].is_extra)
        count--;
    if (entry->param_count != count || count > DEVICE_MAX_ARGS)
        return diagnostic_set(diagnostic, STATUS_LAUNCH, "the kernel takes %u arguments, %zu are given",
                              entry->param_count, count);
    for (size_t i = 0; i < count; i++) {
        size_t size = args[i].is_buffer ? 8 : device_arg_size(&args[i]);
        if (entry->params[i].size != size)
            return diagnostic_set(diagnostic, STATUS_LAUNCH,
                                  "argument %zu (%s) has %zu bytes, the kernel's parameter has %" PRIu64, i + 1,
                                  args[i].name, size, entry->params[i].size);
        params->values[i] = args[i].is_buffer || args[i].texture ? buffers[i] : 0;
        params->pointers[i] = &params->values[i];
        if (args[i].bytes) {
            used = args[i].is_tensor_map ? (used + 63) / 64 * 64 : used;
            if (used + size > sizeof params->structs)
                return diagnostic_set(diagnostic, STATUS_LAUNCH, "the arguments take more than %zu bytes",
                                      sizeof params->structs);
            params->pointers[i] = params->structs + used;
            used += (size + 15) / 16 * 16;
        }
        if (!args[i].is_buffer && !args[i].texture)
            device_arg_value(args, all, i, buffers, params->pointers[i]);
        enum status status = args[i].is_tensor_map && !args[i].is_buffer
                                 ? cuda_tensor_map(gpu, args[i].name, params->pointers[i], diagnostic)
                                 : STATUS_OK;
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

struct gpu_launch {
    struct gpu *gpu;
    struct cuda_block blocks[DEVICE_MAX_ARGS];
    cuda_pointer buffers[DEVICE_MAX_ARGS]; // of textures: their handles
    struct cuda_texture textures[DEVICE_MAX_ARGS];
    struct cuda_kernel kernel;
};

// Those with data of their own first: others show it.
static enum status make_textures(struct gpu_launch *run, const struct device_job *job, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < job->arg_count && status == STATUS_OK; i++) {
            const struct device_arg *arg = &job->args[i];
            if (!arg->texture || (arg->texture->of != NULL) != pass)
                continue;
            size_t from = device_texture_source(job->args, job->arg_count, i);
            run->textures[i].array = run->textures[from].array;
            run->textures[i].data = run->blocks[from].data;
            status = cuda_texture_new(run->gpu, arg, &run->textures[i], diagnostic);
            run->buffers[i] = run->textures[i].handle;
        }
    return status;
}

// A tensor map in global memory. The host's stays as it is, for the next launch.
static enum status copy_map(struct gpu_launch *run, const struct device_arg *arg, cuda_pointer to,
                            struct diagnostic *diagnostic)
{
    unsigned char map[TENSOR_MAP_BYTES];
    memcpy(map, arg->data, sizeof map);
    enum status status = cuda_tensor_map(run->gpu, arg->name, map, diagnostic);
    return status == STATUS_OK
               ? cuda_status(run->gpu, run->gpu->api->to_device(to, map, sizeof map), "copying inputs", diagnostic)
               : status;
}

static enum status copy_inputs(struct gpu_launch *run, struct device_job *job, struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < job->arg_count; i++) {
        const struct device_arg *arg = &job->args[i];
        if (!arg->is_buffer || (arg->texture && !arg->texture->shape.is_linear_memory))
            continue;
        enum status status = cuda_block_new(run->gpu, cuda_arg_bytes(arg), &run->blocks[i], diagnostic);
        if (status != STATUS_OK)
            return status;
        run->buffers[i] = run->blocks[i].data;
    }
    enum status status = cuda_wait(run->gpu, 60, job->cancel, diagnostic);
    for (size_t i = 0; i < job->arg_count && status == STATUS_OK; i++) {
        size_t bytes = run->blocks[i].base ? cuda_arg_bytes(&job->args[i]) : 0;
        cuda_result result = bytes ? run->gpu->api->to_device(run->buffers[i], job->args[i].data, bytes) : CUDA_OK;
        for (size_t k = 0; k < job->args[i].pointer_count && job->args[i].is_buffer && result == CUDA_OK; k++) {
            const struct device_pointer *pointer = &job->args[i].pointers[k];
            device_arg_value(job->args, job->arg_count, i, run->buffers, job->args[i].data);
            result = run->gpu->api->to_device(run->buffers[i] + pointer->offset,
                                              (unsigned char *)job->args[i].data + pointer->offset, 8);
        }
        status = cuda_status(run->gpu, result, "copying inputs", diagnostic);
        if (status == STATUS_OK && job->args[i].is_tensor_map && job->args[i].is_buffer)
            status = copy_map(run, &job->args[i], run->buffers[i], diagnostic);
    }
    return status == STATUS_OK ? make_textures(run, job, diagnostic) : status;
}

static enum status launch_kernel(struct gpu_launch *run, struct device_job *job, struct record *record,
                                 struct diagnostic *diagnostic)
{
    struct gpu *gpu = run->gpu;
    struct cuda_params params;
    enum status status =
        cuda_params_set(run->gpu, job->entry, job->args, job->arg_count, run->buffers, &params, diagnostic);
    if (status != STATUS_OK)
        return status;
    cuda_result result = gpu->api->event_record(gpu->start, gpu->stream);
    const struct launch_shape *s = &job->shape;
    if (result == CUDA_OK && s->cooperative)
        result =
            gpu->api->launch_cooperative(run->kernel.function, s->grid[0], s->grid[1], s->grid[2], s->block[0],
                                         s->block[1], s->block[2], s->dynamic_shared, gpu->stream, params.pointers);
    else if (result == CUDA_OK)
        result = gpu->api->launch(run->kernel.function, s->grid[0], s->grid[1], s->grid[2], s->block[0], s->block[1],
                                  s->block[2], s->dynamic_shared, gpu->stream, params.pointers, NULL);
    if (result == CUDA_OK)
        result = gpu->api->event_record(gpu->stop, gpu->stream);
    status = cuda_status(gpu, result, "launching", diagnostic);
    if (status == STATUS_OK)
        status = cuda_wait(gpu, job->wall_limit > 0 ? job->wall_limit : 10, job->cancel, diagnostic);
    float milliseconds = 0;
    if (status == STATUS_OK && gpu->api->event_elapsed(&milliseconds, gpu->start, gpu->stop) == CUDA_OK)
        record->measured_us = 1e3 * (double)milliseconds;
    return status;
}

static enum status copy_outputs(struct gpu_launch *run, struct device_job *job, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < job->arg_count && status == STATUS_OK; i++) {
        const struct device_arg *arg = &job->args[i];
        size_t bytes = arg->read_only || !run->blocks[i].base ? 0 : cuda_arg_bytes(arg);
        if (run->textures[i].owns_array)
            status = cuda_texture_take(run->gpu, arg, &run->textures[i], diagnostic);
        if (status != STATUS_OK)
            break;
        cuda_result result = bytes ? run->gpu->api->to_host(arg->data, run->blocks[i].data, bytes) : CUDA_OK;
        status = cuda_status(run->gpu, result, "copying results", diagnostic);
        if (status == STATUS_OK)
            status = cuda_block_check(run->gpu, &run->blocks[i], arg->name, diagnostic);
    }
    return status;
}

static enum status gpu_run(struct device *device, struct device_job *job, struct record *record,
                           struct diagnostic *diagnostic)
{
    struct gpu_launch run = {.gpu = device->state};
    struct gpu *gpu = run.gpu;
    if (gpu->lost)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                              "an earlier fault took the GPU's context; a new process is needed");
    snprintf(record->device, sizeof record->device, "%s", device->label);
    if (job->setting_count)
        return diagnostic_set(diagnostic, STATUS_UNSUPPORTED, "--set works on the simulator only: add --device sim");
    gpu->api->context_set(gpu->context);
    enum status status =
        cuda_kernel_load(gpu, job->ptx, job->entry->name, job->shape.dynamic_shared, &run.kernel, diagnostic);
    if (status == STATUS_OK)
        status = copy_inputs(&run, job, diagnostic);
    if (status == STATUS_OK)
        status = launch_kernel(&run, job, record, diagnostic);
    if (status == STATUS_OK)
        status = copy_outputs(&run, job, diagnostic);
    record->run.fault = status == STATUS_FAULT ? gpu->fault : SIM_FAULT_NONE;
    for (size_t i = job->arg_count; i-- > 0;)
        cuda_texture_free(gpu, &run.textures[i]);
    for (size_t i = 0; i < job->arg_count; i++)
        cuda_block_free(gpu, &run.blocks[i]);
    cuda_kernel_unload(gpu, &run.kernel);
    return status;
}

const struct device_ops device_gpu_ops = {.name = "gpu", .open = gpu_open, .run = gpu_run, .close = gpu_close};
