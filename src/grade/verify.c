#include "grade/verify.h"

#include <stdio.h>
#include <string.h>

#include "device/cuda.h"
#include "grade/run.h"

static const double launch_seconds = 60; // under a profiler a launch is replayed several times

static enum status launch_unit(struct runner *runner, const struct unit *unit, size_t part_index, struct device *device,
                               struct verify_launch *launch, struct diagnostic *diagnostic)
{
    const struct lesson_part *part = &runner->lesson->parts[part_index];
    const struct lesson_size *size = &part->sizes[part->speed_size];
    const struct ptx_function *entry;
    struct dataset data;
    struct record record = {0};
    enum status status = unit_ready(unit, part, false, &entry, &launch->shape, diagnostic);
    if (status != STATUS_OK)
        return status;
    dataset_make(&data, part, size, false, runner->seed);
    struct device_job job = {.module = unit->module,
                             .ptx = unit->compiled.ptx,
                             .ptx_length = unit->compiled.ptx_length,
                             .entry = entry,
                             .shape = launch->shape,
                             .args = data.args,
                             .arg_count = data.count,
                             .main_file = unit->display,
                             .want_counters = true,
                             .seed = runner->seed,
                             .wall_limit = launch_seconds};
    status = device_run(device, &job, &record, diagnostic);
    snprintf(launch->kernel, sizeof launch->kernel, "%s", entry->name);
    snprintf(launch->device, sizeof launch->device, "%s", device->label);
    launch->counters = record.counters.compiled;
    record_free(&record);
    dataset_free(&data);
    return status;
}

enum status verify_launch(const struct lesson *lesson, size_t part, const struct grade_options *options,
                          struct verify_launch *launch, struct diagnostic *diagnostic)
{
    struct runner runner;
    struct device device = {0};
    struct unit unit = {0};
    *launch = (struct verify_launch){0};
    enum status status = runner_open(&runner, lesson, options, diagnostic);
    struct cuda_info gpu;
    int count;
    // The simulator counts the PTX that the GPU runs.
    if (status == STATUS_OK && cuda_describe(options->gpu, &gpu, &count, NULL) == STATUS_OK)
        snprintf(runner.toolchain.arch, sizeof runner.toolchain.arch, "sm_%d", gpu.sm);
    if (status == STATUS_OK)
        status =
            unit_make(&unit, options->source ? options->source : lesson->exercise, &runner.toolchain, NULL, diagnostic);
    if (status == STATUS_OK)
        status = device_open(&device, options->device, options->gpu_model, options->gpu, diagnostic);
    if (status == STATUS_OK)
        status = launch_unit(&runner, &unit, part, &device, launch, diagnostic);
    device_close(&device);
    unit_free(&unit);
    runner_close(&runner);
    return status;
}
