// Choosing a device, and what is checked before any run.
#include "device/device.h"

#include <stdio.h>
#include <string.h>

#include "device/cuda.h"
#include "device/simulator.h"

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

void device_close(struct device *device)
{
    if (device->ops && device->ops->close)
        device->ops->close(device);
    device->ops = NULL;
}

enum status device_run(struct device *device, struct device_job *job, struct record *record,
                       struct diagnostic *diagnostic)
{
    *record = (struct record){0};
    enum status status = device_check_arguments(job->entry, job->args, job->arg_count, diagnostic);
    if (status != STATUS_OK)
        return status;
    return device->ops->run(device, job, record, diagnostic);
}

static bool is_integer_type(enum ptx_type type)
{
    return type >= PTX_U8 && type <= PTX_S64;
}

const char *device_mismatch(const struct ptx_variable *param, const struct device_arg *arg)
{
    if (arg->is_buffer)
        return param->size == 8 && !device_is_float(param->type) ? NULL : "it is not a pointer";
    if (param->size != ptx_type_size(arg->type))
        return "the sizes differ";
    if ((device_is_float(param->type) && is_integer_type(arg->type)) ||
        (is_integer_type(param->type) && device_is_float(arg->type)))
        return "one is a whole number, the other is not";
    return NULL;
}

enum status device_check_arguments(const struct ptx_function *entry, const struct device_arg *args, size_t count,
                                   struct diagnostic *diagnostic)
{
    char name[256];
    ptx_demangle(entry->name, name, sizeof name);
    if (count != entry->param_count)
        return diagnostic_set(diagnostic, STATUS_LAUNCH, "the kernel %.200s takes %u argument%s, %zu %s given", name,
                              entry->param_count, entry->param_count == 1 ? "" : "s", count, count == 1 ? "is" : "are");
    for (size_t i = 0; i < count; i++) {
        const struct ptx_variable *param = &entry->params[i];
        const char *why = device_mismatch(param, &args[i]);
        if (why)
            return diagnostic_set(diagnostic, STATUS_LAUNCH,
                                  "argument %zu of %.200s is %s (%llu bytes), '%s' is given as %s%s: %s", i + 1, name,
                                  ptx_type_name(param->type), (unsigned long long)param->size, args[i].name,
                                  ptx_type_name(args[i].type), args[i].is_buffer ? "[]" : "", why);
    }
    return STATUS_OK;
}

void record_free(struct record *record)
{
    counter_table_free(&record->counters);
    hazard_list_free(&record->hazards);
    recording_free(&record->recording);
    *record = (struct record){0};
}
