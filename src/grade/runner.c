// What all runs of a job share: the simulator, the compiler, the lesson's own files, what is left of the time.
#include "grade/runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "device/device.h"
#include "lesson/arrays.h"
#include "toolchain/cache.h"

enum {
    MAX_OUTPUT = 16 << 10,
    // Warp instructions of one block before it counts as endless. The longest block of any lesson's kernels, one
    // thread that copies 262144 floats, needs three million; one that works out an answer by brute force as many.
    BLOCK_BUDGET = 10000000,
};

// A run gets at least this long even when the job's time is nearly up, so that a slow machine still gives a verdict.
static const double least_seconds = 0.25;

struct kept_unit {
    const char *file;
    struct unit unit;
    struct kept_unit *next;
};

void runner_aim(const struct lesson *lesson, int sm, char arch[16])
{
    int own = 0;
    char suffix;
    if (lesson->arch && arch_parse(lesson->arch, &own, &suffix) && (!sm || own == sm))
        snprintf(arch, 16, "%s", lesson->arch);
    else if (sm)
        snprintf(arch, 16, "sm_%d", sm);
}

enum status runner_open(struct runner *runner, const struct lesson *lesson, const struct grade_options *options,
                        struct diagnostic *diagnostic)
{
    enum toolchain_kind kind;
    char own[64];
    const char *model = options->gpu_model;
    *runner = (struct runner){.lesson = lesson, .seed = options->seed};
    enum status status = toolchain_kind_parse(options->compiler, &kind, diagnostic);
    if (!status)
        status = toolchain_find(kind, NULL, &runner->toolchain, diagnostic);
    if (!status)
        runner_aim(lesson, 0, runner->toolchain.arch);
    if (!model && options->own_gpu && strcmp(options->device, "sim") != 0 && device_own_model(options->gpu, own))
        model = own;
    if (!status)
        status = device_open(&runner->simulator, "sim", model, -1, diagnostic);
    return status;
}

void runner_drop_units(struct runner *runner)
{
    while (runner->units) {
        struct kept_unit *kept = runner->units;
        runner->units = kept->next;
        unit_free(&kept->unit);
        free(kept);
    }
}

void runner_close(struct runner *runner)
{
    runner_drop_units(runner);
    device_close(&runner->simulator);
}

enum status runner_unit(struct runner *runner, const char *file, const struct unit **unit,
                        struct diagnostic *diagnostic)
{
    struct kept_unit *kept = runner->units;
    while (kept && strcmp(kept->file, file) != 0)
        kept = kept->next;
    if (!kept) {
        kept = mem_alloc(sizeof *kept);
        enum status status = unit_make(&kept->unit, file, &runner->toolchain, NULL, diagnostic);
        if (status) {
            unit_free(&kept->unit);
            free(kept);
            return status;
        }
        kept->file = file;
        kept->next = runner->units;
        runner->units = kept;
    }
    *unit = &kept->unit;
    return STATUS_OK;
}

// ---- one launch

static void take_output(void *context, const char *text, size_t length)
{
    struct text *output = context;
    if (output->length < MAX_OUTPUT)
        text_escape(output, text, length < MAX_OUTPUT ? length : MAX_OUTPUT, true);
}

struct device_job runner_job(const struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                             struct dataset *data, const struct launch_shape *shape)
{
    double left = clock_limit_left(&runner->limit);
    return (struct device_job){
        .module = unit->module,
        .ptx = unit->compiled.ptx,
        .ptx_length = unit->compiled.ptx_length,
        .entry = entry,
        .shape = *shape,
        .args = data->args,
        .arg_count = data->count,
        .main_file = unit->display,
        .names = {shared_element, unit->compiled.source},
        .seed = data->seed,
        .budget = BLOCK_BUDGET,
        .wall_limit = runner->limit.seconds != 0 ? fmax(left, least_seconds) : 0,
        .least_share = runner->limit.least_share,
        .cancel = runner->cancel,
        .print = runner->output ? take_output : NULL,
        .print_context = runner->output,
    };
}
