// Choosing a device, and what is checked before any run.
#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "device/cuda.h"
#include "device/simulator.h"
#include "model/profiles.h"

static enum status open_as(struct device *device, const struct device_ops *ops, struct diagnostic *diagnostic)
{
    device->ops = ops;
    enum status status = ops->open(device, diagnostic);
    if (status != STATUS_OK)
        device->ops = NULL;
    return status;
}

enum status device_open(struct device *device, const char *kind, const char *gpu_model, int gpu,
                        struct diagnostic *diagnostic)
{
    *device = (struct device){.gpu = gpu};
    if (gpu_model)
        snprintf(device->gpu_model, sizeof device->gpu_model, "%s", gpu_model);
    if (strcmp(kind, "gpu") == 0)
        return open_as(device, &device_gpu_ops, diagnostic);
    if (strcmp(kind, "sim") == 0)
        return open_as(device, &device_simulator_ops, diagnostic);
    if (strcmp(kind, "auto") != 0)
        return diagnostic_set(diagnostic, STATUS_USAGE, "there is no device '%.40s'; there are auto, sim and gpu",
                              kind);
    // A GPU that was asked for by number is wanted; one that just does not work is not a reason to stop.
    struct diagnostic why_not;
    if (gpu >= 0)
        return open_as(device, &device_gpu_ops, diagnostic);
    if (open_as(device, &device_gpu_ops, &why_not) == STATUS_OK)
        return STATUS_OK;
    return open_as(device, &device_simulator_ops, diagnostic);
}

bool device_own_model(int gpu, char name[64])
{
    struct cuda_info info;
    int count = 0;
    name[0] = '\0';
    if (cuda_describe(gpu, &info, &count, NULL) != STATUS_OK)
        return false;
    char *path = profile_check_name(info.name, NULL) ? NULL : profile_path(info.name);
    const struct gpu_profile *of_name = gpu_profile_of_device(info.name);
    const struct gpu_profile *nearest = gpu_profile_nearest((unsigned)info.sm, (uint32_t)info.multiprocessors);
    snprintf(name, 64, "%.63s", path && file_exists(path) ? info.name : of_name ? of_name->name : nearest->name);
    free(path);
    return true;
}

void device_close(struct device *device)
{
    if (device->ops && device->ops->close)
        device->ops->close(device);
    device->ops = NULL;
}

// One that shows a buffer, as linear memory: elements of the buffer's type, unless the argument says which.
static enum status show_buffer(struct texture *shape, const struct device_arg *arg, const struct device_arg *from,
                               struct diagnostic *diagnostic)
{
    if (!shape->channels) {
        shape->element = from->type;
        shape->channels = 1;
        shape->extent[0] = (uint32_t)from->count;
    }
    size_t room = from->count * ptx_type_size(from->type);
    shape->is_linear_memory = true;
    if (shape->is_surface || (shape->kind != TEXTURE_1D && shape->kind != TEXTURE_2D))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "'%s' shows the buffer '%s', and plain memory is for 1D and 2D textures", arg->name,
                              from->name);
    if (shape->kind == TEXTURE_1D && (shape->filters || shape->normalized))
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s': tex1Dfetch counts elements and does not filter",
                              arg->name);
    if (texture_bytes(shape) > room)
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s' has %llu bytes, and the buffer '%s' %zu", arg->name,
                              (unsigned long long)texture_bytes(shape), from->name, room);
    return STATUS_OK;
}

static enum status complete_textures(struct device_arg *args, size_t count, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct device_texture *texture = args[i].texture;
        size_t from = texture ? device_texture_source(args, count, i) : i;
        if (from == count)
            return diagnostic_set(diagnostic, STATUS_USAGE,
                                  "'%s' shows '%s', and no argument of that name has elements", args[i].name,
                                  texture->of);
        if (from != i && args[from].texture) {
            const struct texture *shape = &args[from].texture->shape;
            texture->shape.kind = shape->kind;
            texture->shape.element = shape->element;
            texture->shape.channels = shape->channels;
            texture->shape.is_linear_memory = shape->is_linear_memory;
            memcpy(texture->shape.extent, shape->extent, sizeof shape->extent);
        } else if (from != i) {
            status = show_buffer(&texture->shape, &args[i], &args[from], diagnostic);
        }
        size_t row = texture ? (size_t)texture->shape.extent[0] * texture_element_bytes(&texture->shape) : 0;
        if (texture && texture->shape.is_linear_memory && texture->shape.kind == TEXTURE_2D && row % 32)
            status = diagnostic_set(diagnostic, STATUS_USAGE,
                                    "'%s': rows of plain memory have a multiple of 32 bytes in a texture, not %zu",
                                    args[i].name, row);
    }
    return status;
}

// A kernel that takes a pointer to a tensor map gets one in global memory.
static void place_maps(const struct ptx_function *entry, struct device_arg *args, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool is_pointed_to = args[i].is_extra || (i < entry->param_count && entry->params[i].size == 8);
        if (!args[i].is_tensor_map || args[i].is_buffer || !is_pointed_to)
            continue;
        args[i].is_buffer = args[i].read_only = true;
        args[i].data = args[i].bytes;
        args[i].bytes = NULL;
    }
}

// LAUNCH when the arguments are not what the kernel takes.
static enum status check_arguments(const struct ptx_function *entry, const struct device_arg *args, size_t count,
                                   struct diagnostic *diagnostic)
{
    char name[256];
    size_t all = count;
    ptx_demangle(entry->name, name, sizeof name);
    while (count > 0 && args[count - 1].is_extra)
        count--;
    for (size_t i = 0; i < all; i++)
        for (size_t k = 0; k < args[i].pointer_count; k++)
            if (device_pointer_target(args, all, &args[i].pointers[k]) == all)
                return diagnostic_set(diagnostic, STATUS_USAGE,
                                      "'%s' points to '%s', and no argument of that name is a buffer: give it as "
                                      "--arg, or as --buffer if the kernel does not take it itself",
                                      args[i].name, args[i].pointers[k].target);
    if (count != entry->param_count)
        return diagnostic_set(diagnostic, STATUS_LAUNCH,
                              "the kernel %.200s takes %u argument%s, %zu %s given: 'bankshot trace --list' prints a "
                              "line with all of them",
                              name, entry->param_count, entry->param_count == 1 ? "" : "s", count,
                              count == 1 ? "is" : "are");
    for (size_t i = 0; i < count; i++) {
        const struct ptx_variable *param = &entry->params[i];
        const char *why = device_mismatch(param, &args[i]);
        if (why)
            return diagnostic_set(
                diagnostic, STATUS_LAUNCH, "argument %zu of %.200s is %s (%llu bytes), '%s' is given as %s%s: %s",
                i + 1, name, ptx_type_name(param->type), (unsigned long long)param->size, args[i].name,
                args[i].bytes ? "a struct" : ptx_type_name(args[i].type), args[i].is_buffer ? "[]" : "", why);
    }
    return STATUS_OK;
}

enum status device_run(struct device *device, struct device_job *job, struct record *record,
                       struct diagnostic *diagnostic)
{
    *record = (struct record){0};
    place_maps(job->entry, job->args, job->arg_count);
    enum status status = complete_textures(job->args, job->arg_count, diagnostic);
    if (status == STATUS_OK)
        status = check_arguments(job->entry, job->args, job->arg_count, diagnostic);
    if (status != STATUS_OK)
        return status;
    return device->ops->run(device, job, record, diagnostic);
}
