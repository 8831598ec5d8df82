// The race on the GPU: who takes part, and what its medians say.
#include "grade/speed.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "device/cuda.h"

enum { ENTRIES = sizeof(struct kernel_times) / sizeof(double) };

// Long enough for medians within a percent on a quiet card, short enough to wait for.
static const double timing_seconds = 2.0, launch_seconds = 5.0;

bool speed_is_graded(const struct lesson *lesson, bool measured)
{
    for (size_t i = 0; i < lesson->gate_count; i++)
        if (lesson->gates[i].kind == LESSON_GATE_SPEED && (lesson->gates[i].gpu || !measured))
            return true;
    return false;
}

bool speed_is_modelled(const struct lesson *lesson)
{
    const struct lesson_part *part = lesson->parts;
    return speed_is_graded(lesson, false) ||
           (lesson->part_count == 1 && part->sizes[part->speed_size].gpu_variable_count > 0);
}

struct race {
    struct runner *runner;
    const struct lesson_part *part;
    const struct lesson_size *size;
    struct dataset data;
    struct toolchain toolchain; // the runner's, for the GPU's architecture
    char arch[16];              // that this is compiled for
    struct unit yours, solution, naive;
    struct timing_entry entries[ENTRIES];
    size_t count, member[ENTRIES]; // member: of struct kernel_times, where the entry's figures go
    struct timing_job job;
};

#define TIME_OF(name) offsetof(struct kernel_times, name)

// The learner's kernel is the first.
static void add_entry(struct race *race, size_t member, struct timing_entry entry)
{
    race->member[race->count] = member;
    race->entries[race->count++] = entry;
}

static enum status add_kernel(struct race *race, size_t member, const char *name, const struct unit *unit,
                              struct diagnostic *diagnostic)
{
    struct timing_entry entry = {
        .name = name, .kind = TIMING_KERNEL, .ptx = unit->compiled.ptx, .trusted = member == TIME_OF(solution)};
    enum status status = unit_ready(unit, race->part, true, &entry.entry, &entry.shape, diagnostic);
    if (!status)
        add_entry(race, member, entry);
    return status;
}

static double metric(const struct race *race, const char *expression)
{
    double value = expression ? lesson_value(race->size, true, expression) : 0;
    return isfinite(value) && value > 0 ? value : 0;
}

// cuBLAS for out = a * b, when the lesson's reference is the product of two float matrices.
static bool set_sgemm(struct race *race)
{
    size_t inputs[2], count = 0, output = race->data.count;
    if (!race->part->reference || strcmp(race->part->reference, "matmul") != 0)
        return false;
    for (size_t i = 0; i < race->data.count; i++) {
        enum lesson_role role = race->part->args[i].role;
        if (lesson_is_buffer(&race->part->args[i]) && race->data.args[i].type != PTX_F32)
            return false;
        if (role == LESSON_IN && count < 2)
            inputs[count++] = i;
        else if (role == LESSON_OUT && output == race->data.count)
            output = i;
    }
    if (count < 2 || output == race->data.count)
        return false;
    race->job.a = inputs[0];
    race->job.b = inputs[1];
    race->job.c = output;
    race->job.m = (int)race->data.shape[output][0];
    race->job.n = (int)race->data.shape[output][1];
    race->job.k = (int)race->data.shape[inputs[0]][1];
    return true;
}

// PTX for a later architecture than the GPU's does not load, and the best code needs PTX for its own.
static enum status choose_arch(struct race *race, const struct device *gpu, struct speed *speed,
                               struct diagnostic *diagnostic)
{
    race->toolchain = race->runner->toolchain;
    const struct lesson *lesson = race->runner->lesson;
    runner_aim(lesson, cuda_device_info(gpu)->sm, race->toolchain.arch);
    if (lesson->arch && strcmp(lesson->arch, race->toolchain.arch) != 0)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT, "the lesson's kernels are for %.16s, and %s is %s",
                              lesson->arch, gpu->label, race->toolchain.arch);
    enum status status = toolchain_choose_arch(&race->toolchain, race->toolchain.arch, race->arch, diagnostic);
    if (status == STATUS_OK && strcmp(race->arch, race->toolchain.arch) != 0)
        snprintf(speed->note, sizeof speed->note, "%s does not know %s (%s): timed with code for %s",
                 race->toolchain.label, race->toolchain.arch, gpu->label, race->arch);
    return status;
}

static enum status line_up(struct race *race, const struct unit *unit, struct diagnostic *diagnostic)
{
    const struct lesson *lesson = race->runner->lesson;
    bool fits = strcmp(unit->compiled.arch, race->arch) == 0;
    enum status status = fits ? STATUS_OK
                              : unit_make_text(&race->yours, unit->display, unit->compiled.source, &race->toolchain,
                                               race->runner->cancel, NULL, diagnostic);
    if (!status)
        status = unit_make(&race->solution, lesson->solution, &race->toolchain, NULL, diagnostic);
    if (!status)
        status = add_kernel(race, TIME_OF(kernel), "yours", fits ? unit : &race->yours, diagnostic);
    if (!status)
        status = add_kernel(race, TIME_OF(solution), "solution", &race->solution, diagnostic);
    if (!status && lesson->naive) {
        status = unit_make(&race->naive, lesson->naive, &race->toolchain, NULL, diagnostic);
        if (!status)
            status = add_kernel(race, TIME_OF(naive), "naive", &race->naive, diagnostic);
    }
    if (status)
        return status;
    race->job = (struct timing_job){.args = race->data.args,
                                    .arg_count = race->data.count,
                                    .entries = race->entries,
                                    .absolute = race->part->absolute,
                                    .relative = race->part->relative,
                                    .seconds = timing_seconds,
                                    .wall_limit = launch_seconds,
                                    .bytes = metric(race, lesson->metric_bytes),
                                    .flop = metric(race, lesson->metric_flop),
                                    .cancel = race->runner->cancel};
    race->job.copy_bytes = (uint64_t)(race->job.bytes / 2);
    if (race->job.copy_bytes)
        add_entry(race, TIME_OF(copy), (struct timing_entry){.name = "device copy", .kind = TIMING_COPY});
    if (set_sgemm(race))
        add_entry(race, TIME_OF(cublas), (struct timing_entry){.name = "cuBLAS", .kind = TIMING_SGEMM});
    race->job.entry_count = race->count;
    return STATUS_OK;
}

static void take_medians(const struct race *race, struct speed *speed)
{
    for (size_t i = 0; i < race->count; i++) {
        const struct timing_entry *entry = &race->entries[i];
        if (entry->skipped || entry->status != STATUS_OK || !(entry->us.value > 0))
            continue;
        *(double *)((char *)&speed->times + race->member[i]) = entry->us.value;
        *(double *)((char *)&speed->ratios + race->member[i]) = entry->ratio.value;
    }
    speed->copy_bytes = 2 * (double)race->job.copy_bytes;
}

enum status speed_measure(struct runner *runner, struct device *gpu, const struct unit *unit, size_t part_index,
                          struct speed *speed, struct diagnostic *failure, struct diagnostic *diagnostic)
{
    const struct lesson_part *part = &runner->lesson->parts[part_index];
    struct race race = {.runner = runner, .part = part, .size = &part->sizes[part->speed_size]};
    *speed = (struct speed){0};
    *failure = (struct diagnostic){0};
    dataset_make(&race.data, part, race.size, true, runner->seed);
    enum status status = choose_arch(&race, gpu, speed, diagnostic);
    if (!status)
        status = line_up(&race, unit, diagnostic);
    if (!status) {
        status = timing_run(gpu, &race.job, &speed->seen, diagnostic);
        const struct timing_entry *yours = &race.entries[0];
        // The others are the lesson's own: a fault that no entry is named for, such as a write next to the output, is
        // the learner's too.
        bool is_theirs = yours->status != STATUS_OK;
        if (is_theirs || status == STATUS_FAULT || status == STATUS_TIMEOUT) {
            *failure = is_theirs ? yours->diagnostic : *diagnostic;
            failure->code = is_theirs ? yours->status : status;
            status = STATUS_OK; // a fault ends the whole race, but it is the learner's
        }
        if (!status)
            take_medians(&race, speed);
    }
    dataset_free(&race.data);
    unit_free(&race.yours);
    unit_free(&race.solution);
    unit_free(&race.naive);
    return status;
}
