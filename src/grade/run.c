// Runs of a lesson's kernel on the simulator, with what each is wanted for.
#include "grade/run.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/process.h"
#include "base/random.h"
#include "device/args.h"
#include "device/simulator.h"
#include "grade/large.h"
#include "grade/oracle.h"
#include "grade/provenance.h"
#include "lesson/arrays.h"
#include "model/liveness.h"
#include "toolchain/cache.h"
#include "toolchain/ptxas.h"

enum {
    // Looking for hazards costs time for each access of a warp. Beyond this many, phases of blocks are drawn.
    HAZARD_ACCESSES = 300000,
    ALL_PHASES = 65536, // of which a job names the share
    // It takes a run of its own. Beyond this many warp instructions, that would take too long even if nobody looked.
    HAZARD_INSTRUCTIONS = 40000000,
    // … of which that are looked at instead.
    HAZARD_SAMPLE = 10000000,
};

// ---- references

// A custom reference is a kernel of the lesson, run over the same inputs.
static enum status expect_by_kernel(struct runner *runner, struct dataset *data, struct diagnostic *diagnostic)
{
    const struct lesson_part *part = data->part;
    const struct unit *unit;
    const struct ptx_function *entry;
    struct launch_shape shape;
    struct record record;
    enum status status = runner_unit(runner, part->reference_file, &unit, diagnostic);
    if (!status)
        status = unit_find_kernel(unit, part, part->reference_kernel, &entry, NULL, diagnostic);
    if (!status)
        status = unit_shape(unit, entry, &part->reference_launch, data->size, data->gpu, &shape, NULL, diagnostic);
    if (status)
        return status;
    struct device_job job = runner_job(runner, unit, entry, data, &shape);
    job.print = NULL;
    status = device_run(&runner->simulator, &job, &record, diagnostic);
    record_free(&record);
    if (!status)
        dataset_expect_outputs(data);
    return status;
}

// Each size has its own inputs, and a job's seed gives them again.
static uint64_t dataset_seed(const struct runner *runner, const struct lesson_part *part,
                             const struct lesson_size *size)
{
    return runner->seed * 1000 + (uint64_t)(part - runner->lesson->parts) * 100 + (uint64_t)(size - part->sizes);
}

static enum status expect_outputs(struct runner *runner, struct dataset *data, struct diagnostic *diagnostic)
{
    enum status status =
        data->part->reference_file ? expect_by_kernel(runner, data, diagnostic) : dataset_expect(data, diagnostic);
    if (status && diagnostic) {
        struct diagnostic why = *diagnostic;
        diagnostic_at(diagnostic, status, why.file, why.line, why.column, "The lesson's reference failed: %.700s",
                      why.message);
    }
    return status ? STATUS_INTERNAL : STATUS_OK;
}

static enum status prepare_inputs(struct runner *runner, const struct lesson_part *part, const struct lesson_size *size,
                                  uint64_t seed, struct dataset *data, struct diagnostic *diagnostic)
{
    dataset_make(data, part, size, false, seed);
    return expect_outputs(runner, data, diagnostic);
}

enum status run_prepare(struct runner *runner, const struct lesson_part *part, const struct lesson_size *size,
                        struct dataset *data, struct diagnostic *diagnostic)
{
    return prepare_inputs(runner, part, size, dataset_seed(runner, part, size), data, diagnostic);
}

// Whether zeros are inputs like any others: only floats are read.
static bool may_be_zero(const struct lesson_part *part)
{
    bool good = true;
    for (size_t i = 0; i < part->arg_count; i++)
        good = good && part->args[i].role != LESSON_INOUT &&
               (part->args[i].role != LESSON_IN || device_is_float(part->args[i].type));
    return good;
}

// Whether everything that is expected is a number: a kernel of a lesson's own may divide by what was made 0.
static bool expects_numbers(const struct dataset *data)
{
    bool good = true;
    for (size_t i = 0; i < data->count; i++)
        for (size_t j = 0; data->expected[i] && j < data->args[i].count && good; j++)
            good = isfinite(data->expected[i][j]);
    return good;
}

// Random inputs are never 0 a whole tile long, nor all large or small: who stops at a tile of zeros, or adds in fixed
// point, is wrong at every other size.
enum status run_prepare_other(struct runner *runner, const struct lesson_part *part, const struct lesson_size *size,
                              size_t number, struct other_inputs *inputs, struct diagnostic *diagnostic)
{
    uint64_t seed = dataset_seed(runner, part, part->sizes) + part->size_count + number;
    uint64_t drawn = runner->seed;
    *inputs = (struct other_inputs){.part = *part};
    dataset_make(&inputs->data, &inputs->part, size, false, seed);
    if (number % 2 && may_be_zero(part))
        inputs->is_patched = dataset_clear_patches(&inputs->data);
    bool is_larger = (random_next(&drawn) + number) % 2 != 0;
    if (number > 0 && may_be_zero(part))
        inputs->part.absolute *= dataset_scale(&inputs->data, (number - 1) / 2 % 2, is_larger, &inputs->scaled);
    enum status status = expect_outputs(runner, &inputs->data, diagnostic);
    if (part->reference_file && inputs->is_patched && (status || !expects_numbers(&inputs->data))) {
        dataset_free(&inputs->data);
        inputs->is_patched = false;
        status = prepare_inputs(runner, &inputs->part, size, seed, &inputs->data, diagnostic);
    }
    return status;
}

void run_free_other(struct other_inputs *inputs)
{
    dataset_free(&inputs->data);
    text_free(&inputs->scaled);
}

// ---- hazards

// A lesson's data are random, and of several sizes: several writers that agreed in all of them meant to.
void run_merge_hazards(struct hazard_list *into, const struct hazard_list *from)
{
    for (size_t i = 0; i < from->count; i++) {
        struct hazard told = from->items[i];
        told.benign |= told.same_value;
        hazard_list_add(into, &told);
    }
}

// ---- checking

// Keeps the first wrong output's mismatch.
static bool compare_outputs(const struct dataset *data, const struct launch_shape *shape,
                            struct grade_mismatch *mismatch)
{
    for (size_t i = 0; i < data->count; i++)
        if (data->expected[i] && !dataset_compare(data, i, shape->tile[0], shape->tile[1], mismatch))
            return false;
    return true;
}

static size_t serious_hazards(const struct grade_size *result)
{
    size_t serious = 0;
    for (size_t i = 0; i < result->hazards.count; i++)
        serious += !result->hazards.items[i].benign;
    return serious;
}

// Whether other schedules have something to add. When nothing is wrong so far, they may find it. When something is,
// what it is called must not depend on how far the warps happened to get: but data read before its copy was waited
// for may come from a thread that waits a moment later, and then it is the barrier that is missing.
static bool wants_other_schedules(const struct grade_size *result)
{
    size_t serious = serious_hazards(result), not_waited = 0;
    for (size_t i = 0; i < result->hazards.count; i++)
        not_waited += result->hazards.items[i].kind == HAZARD_ASYNC_NOT_WAITED;
    if (result->status != STATUS_OK)
        return false;
    return serious ? serious == not_waited : result->correct;
}

static void note_fault(struct grade_size *result, const struct sim_result *run)
{
    result->fault = run->fault;
    result->at_shared = run->space == PTX_SHARED;
    result->at_store = run->writes;
}

// One more run over the same inputs, as the job says. False: it ended otherwise than well.
static bool run_once_more(struct runner *runner, struct dataset *data, struct device_job *job,
                          struct grade_size *result)
{
    struct record record;
    dataset_restore(data);
    job->print = NULL;
    result->status = device_run(&runner->simulator, job, &record, &result->diagnostic);
    note_fault(result, &record.run);
    run_merge_hazards(&result->hazards, &record.hazards);
    if (job->want_hazards)
        result->hazards_unwatched = 1 - record.hazards_watched;
    record_free(&record);
    return result->status == STATUS_OK;
}

// The ordinary run was right: the lesson's diagnoses, which are about its sizes, have nothing to say here.
static void fail_beside(struct grade_size *result, const char *what, const struct grade_mismatch *mismatch,
                        const char *why)
{
    result->is_beside = true;
    result->mismatch = *mismatch;
    result->status = diagnostic_set(&result->diagnostic, STATUS_FAULT,
                                    "At size %.40s (%.40s) %s, %llu of %llu elements of %s are wrong: %s", result->name,
                                    result->shape, what, (unsigned long long)mismatch->wrong,
                                    (unsigned long long)mismatch->total, mismatch->argument, why);
}

// For hazards. What is wrong in it only was right by luck.
static void run_again(struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                      struct dataset *data, enum sim_schedule schedule, uint64_t seed, uint32_t share,
                      struct grade_size *result)
{
    struct grade_mismatch mismatch = {0};
    struct device_job job = runner_job(runner, unit, entry, data, &result->launch);
    job.schedule = schedule;
    job.seed += seed;
    job.want_hazards = true;
    job.hazard_share = share;
    job.backward = true; // the run before began with the first block
    if (!run_once_more(runner, data, &job, result) || !result->correct ||
        compare_outputs(data, &result->launch, &mismatch))
        return;
    result->correct = false;
    result->mismatch = mismatch;
    if (serious_hazards(result) == 0) // else these say why
        fail_beside(result, "the result is right, but with warps and blocks in another order", &mismatch,
                    "what a thread takes from another one must be ordered, by a barrier, or by a flag with a fence "
                    "(__threadfence_block(), between blocks __threadfence()) before it is set and behind where it is "
                    "seen");
}

// Of 65536 phases, those that there is time to look at, in this part of the blocks; 0: all.
static uint32_t share_in_time(const struct counters *counters, double part)
{
    uint64_t accesses = 0;
    for (int kind = 0; kind < COUNTER_KINDS; kind++)
        accesses += counters->shared[kind].instructions;
    for (int kind = 0; kind < COUNT_COPY; kind++)
        accesses += counters->global[kind].requests;
    accesses = (uint64_t)((double)accesses * part);
    return accesses <= HAZARD_ACCESSES ? 0 : (uint32_t)((uint64_t)ALL_PHASES * HAZARD_ACCESSES / accesses + 1);
}

// Where some blocks run alone, what the others would have written is unset.
static void leave_out_unset(struct hazard_list *hazards)
{
    size_t kept = 0;
    for (size_t i = 0; i < hazards->count; i++)
        if (hazards->items[i].kind != HAZARD_UNINITIALISED_GLOBAL)
            hazards->items[kept++] = hazards->items[i];
    hazards->count = kept;
}

// Hazards of a run too long to be made again: of some blocks in a row, drawn by the seed. They lack what the others do:
// memory that those would have written is unset, and who waits for them waits in vain. Neither counts.
static void watch_blocks(struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                         struct dataset *data, const struct record *whole, struct grade_size *result)
{
    const uint32_t *grid = result->launch.grid;
    uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2], state = runner->seed;
    uint64_t count = blocks * HAZARD_SAMPLE / whole->run.warp_instructions;
    struct device_job job = runner_job(runner, unit, entry, data, &result->launch);
    struct record record = {0};
    struct diagnostic diagnostic;
    if (!count || result->launch.cooperative)
        return;
    job.first_block = random_next(&state) % (blocks - count + 1);
    job.block_count = count;
    job.want_hazards = true;
    job.hazard_share = share_in_time(&whole->counters.compiled, (double)count / (double)blocks);
    job.print = NULL;
    dataset_restore(data);
    if (device_run(&runner->simulator, &job, &record, &diagnostic) == STATUS_OK) {
        leave_out_unset(&record.hazards);
        run_merge_hazards(&result->hazards, &record.hazards);
        result->hazards_unwatched = 1 - record.hazards_watched * (double)count / (double)blocks;
    }
    record_free(&record);
}

// Variables outlive a launch on a GPU.
static bool has_variables(const struct ptx_module *module)
{
    bool has = false;
    for (uint32_t i = 0; i < module->variable_count; i++)
        has |= module->variables[i]->space == PTX_GLOBAL;
    for (uint32_t i = 0; i < module->function_count; i++)
        for (uint32_t j = 0; j < module->functions[i]->variable_count; j++)
            has |= module->functions[i]->variables[j]->space == PTX_GLOBAL;
    return has;
}

// The next launch, and whoever called, would find other inputs than they made.
static void fail_changed(const struct record *record, struct grade_size *result)
{
    const struct device_arg *in = record->changed;
    size_t size = ptx_type_size(in->type), element = record->changed_element;
    result->is_beside = true;
    result->mismatch = (struct grade_mismatch){.argument = in->name, .wrong = 1, .total = in->count};
    result->status =
        diagnostic_set(&result->diagnostic, STATUS_FAULT,
                       "At size %.40s (%.40s) the kernel writes to %s, which it is only to read: %s[%zu] was %.9g, and "
                       "is %.9g afterwards. Keep what you change in registers, in shared memory or in an output.",
                       result->name, result->shape, in->name, in->name, element,
                       args_element(in->type, (const unsigned char *)in->data + element * size), record->changed_to);
}

// A second launch, with other inputs at other addresses, finds what the first left in the module's variables: at every
// other size with the same shapes, else with those of another one.
static void run_twice(struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                      struct dataset *data, struct grade_size *result)
{
    struct dataset other;
    struct grade_mismatch mismatch = {0};
    const struct lesson_part *part = data->part;
    const struct lesson_size *size = data->size;
    if ((size - part->sizes) % 2 != 0)
        size = part->sizes;
    struct device_job job = runner_job(runner, unit, entry, data, &result->launch);
    job.again = other.args;
    if (prepare_inputs(runner, part, size, ~data->seed, &other, NULL) == STATUS_OK &&
        unit_shape(unit, entry, &part->launch, size, false, &job.again_shape, NULL, NULL) == STATUS_OK &&
        run_once_more(runner, data, &job, result) && !compare_outputs(&other, &job.again_shape, &mismatch))
        fail_beside(result,
                    size == data->size ? "the first launch is right, but in a second with other inputs"
                                       : "the first launch is right, but in a second of another size",
                    &mismatch, "the kernel keeps something in a __device__ variable from one launch to the next");
    dataset_free(&other);
}

// Random inputs are never all 0. A kernel that looks for data that nobody made, and does nothing there, is wrong here.
// So is one that takes what is still around a place for what stays so: most sizes, as drawn, have a few others.
static void run_on_zeros(struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                         const struct dataset *data, struct grade_size *result)
{
    struct dataset zeros;
    struct grade_mismatch mismatch = {0};
    uint64_t drawn = data->seed ^ (uint64_t)result->launch.grid[0] << 32 ^ (uint64_t)result->launch.grid[1] << 16;
    dataset_make(&zeros, data->part, data->size, false, data->seed);
    const uint32_t *tile = random_next(&drawn) % 4 ? result->launch.tile : NULL;
    bool has_spikes = dataset_fill_spikes(&zeros, tile);
    struct device_job job = runner_job(runner, unit, entry, &zeros, &result->launch);
    if (expect_outputs(runner, &zeros, NULL) == STATUS_OK && expects_numbers(&zeros) &&
        run_once_more(runner, &zeros, &job, result) && !compare_outputs(&zeros, &result->launch, &mismatch))
        fail_beside(result,
                    has_spikes ? "the result is right on random inputs, but where nearly all inputs are 0"
                               : "the result is right on random inputs, but where all inputs are 0",
                    &mismatch, "what the kernel does must not depend on the data");
    dataset_free(&zeros);
}

// Nor are they infinite, NaN, -0, or too small to be normal. Who takes what is to be moved through arithmetic changes
// those.
static void run_on_rare(struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                        const struct dataset *data, struct grade_size *result)
{
    struct dataset rare;
    struct grade_mismatch mismatch = {0};
    dataset_make(&rare, data->part, data->size, false, data->seed);
    dataset_fill_rare(&rare);
    struct device_job job = runner_job(runner, unit, entry, &rare, &result->launch);
    if (expect_outputs(runner, &rare, NULL) == STATUS_OK && run_once_more(runner, &rare, &job, result) &&
        !compare_outputs(&rare, &result->launch, &mismatch))
        fail_beside(result,
                    "the result is right on random inputs, but where they are infinite, NaN, -0 or as small as can be",
                    &mismatch, "what is only moved must arrive bit for bit, without arithmetic on the way");
    dataset_free(&rare);
}

// What a sum takes from beyond its row and multiplies by 0 is nothing as long as it is a number.
static void run_on_infinities(struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                              const struct dataset *data, struct grade_size *result)
{
    struct dataset infinite;
    struct grade_mismatch mismatch = {0};
    dataset_make(&infinite, data->part, data->size, false, data->seed);
    struct device_job job = runner_job(runner, unit, entry, &infinite, &result->launch);
    if (dataset_put_infinities(&infinite) && expect_outputs(runner, &infinite, NULL) == STATUS_OK &&
        run_once_more(runner, &infinite, &job, result) && !compare_outputs(&infinite, &result->launch, &mismatch))
        fail_beside(result, "the result is right on random inputs, but where some rows hold an infinity", &mismatch,
                    "what belongs to one row must not reach another one, not even times 0");
    dataset_free(&infinite);
}

// What nobody wrote is NaN, or -1: numbers that come from there tell nothing but that. Whoever forgot to begin a sum
// with 0 is told so by a run in which everything begins with 0. (Lanes that left, and are asked for a value, have
// nothing in their registers either: so the text has to read what it did not write.)
static void run_zeroed(struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                       const struct dataset *data, struct grade_size *result)
{
    const struct ptx_inst *first = liveness_unset(entry);
    struct dataset again;
    struct grade_mismatch mismatch = {0};
    struct record record;
    struct diagnostic why;
    const char *file;
    if (!first)
        return;
    dataset_make(&again, data->part, data->size, false, data->seed);
    struct device_job job = runner_job(runner, unit, entry, &again, &result->launch);
    job.zeroed = true;
    job.print = NULL;
    ptx_source(entry->module, first, job.main_file, &file, &result->unset_line);
    result->is_unset = expect_outputs(runner, &again, NULL) == STATUS_OK &&
                       device_run(&runner->simulator, &job, &record, &why) == STATUS_OK &&
                       compare_outputs(&again, &result->launch, &mismatch);
    record_free(&record);
    dataset_free(&again);
}

enum { ENDS = 4 }; // elements at either end of an array's values

// Each element becomes one of the greatest, or of the least, that its array has.
static void keep_end(struct device_arg *arg, bool greatest, uint64_t *random)
{
    size_t bytes = ptx_type_size(arg->type), count = 0;
    unsigned char *data = arg->data, kept[ENDS][8];
    double values[ENDS];
    for (size_t i = 0; i < arg->count; i++) {
        double value = dataset_element(arg, i) * (greatest ? 1 : -1);
        size_t at = count < ENDS ? count : ENDS;
        while (at > 0 && value > values[at - 1])
            at--;
        if (at == ENDS)
            continue;
        count += count < ENDS;
        memmove(&values[at + 1], &values[at], (count - at - 1) * sizeof *values);
        memmove(kept[at + 1], kept[at], (count - at - 1) * sizeof *kept);
        values[at] = value;
        memcpy(kept[at], data + i * bytes, bytes);
    }
    for (size_t i = 0; i < arg->count; i++)
        memcpy(data + i * bytes, kept[random_next(random) % count], bytes);
}

static bool is_drawn(const struct lesson_arg *arg)
{
    static const char *const fills[] = {"uniform", "any", "bytes", "fine"};
    bool drawn = !arg->fill;
    for (size_t i = 0; i < sizeof fills / sizeof *fills && !drawn; i++)
        drawn = strcmp(arg->fill, fills[i]) == 0;
    return arg->role == LESSON_IN && drawn;
}

// Integers are never all the same, nor all bits set: on these, what one number or a comparison of two decides comes out
// one way everywhere.
static void run_on_same(struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                        const struct dataset *data, struct grade_size *result)
{
    enum same { ONE_OF_THEM, ZEROS, ONES, WAYS };
    uint64_t random = data->seed;
    for (int way = 0; way < WAYS && !result->status && result->correct; way++) {
        struct dataset same;
        struct grade_mismatch mismatch = {0};
        bool is_new = false;
        dataset_make(&same, data->part, data->size, false, data->seed);
        for (size_t i = 0; i < same.count; i++) {
            const struct lesson_arg *arg = &data->part->args[i];
            struct device_arg *in = &same.args[i];
            size_t bytes = ptx_type_size(in->type);
            bool has_all_bits = arg->fill && (strcmp(arg->fill, "any") == 0 || strcmp(arg->fill, "bytes") == 0);
            if (!is_drawn(arg) || device_is_float(in->type) || !in->count || (way == ONES && !has_all_bits))
                continue;
            unsigned char one[8];
            memcpy(one, (unsigned char *)in->data + random_next(&random) % in->count * bytes, bytes);
            if (way != ONE_OF_THEM)
                memset(one, way == ONES ? 0xff : 0, sizeof one);
            for (size_t j = 0; j < in->count; j++)
                memcpy((unsigned char *)in->data + j * bytes, one, bytes);
            is_new = true;
        }
        struct device_job job = runner_job(runner, unit, entry, &same, &result->launch);
        if (is_new && expect_outputs(runner, &same, NULL) == STATUS_OK && expects_numbers(&same) &&
            run_once_more(runner, &same, &job, result) && !compare_outputs(&same, &result->launch, &mismatch))
            fail_beside(result, "the result is right on random inputs, but where all numbers of an input are the same",
                        &mismatch, "what the kernel does must not depend on the data");
        dataset_free(&same);
    }
}

static bool has_plain_inputs(const struct lesson_part *part)
{
    bool good = may_be_zero(part);
    for (size_t i = 0; i < part->arg_count; i++)
        if (part->args[i].role == LESSON_IN)
            good = good && (!part->args[i].fill || strcmp(part->args[i].fill, "uniform") == 0);
    return good;
}

// A kernel that looks at one input before it waits, or computes, does so on nearly all random inputs. On these, what
// one number decides comes out one way, and then the other.
static void run_on_ends(struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                        const struct dataset *data, struct grade_size *result)
{
    uint64_t random = data->seed;
    for (int greatest = 1; greatest >= 0 && !result->status && result->correct; greatest--) {
        struct dataset ends;
        struct grade_mismatch mismatch = {0};
        dataset_make(&ends, data->part, data->size, false, data->seed);
        for (size_t i = 0; i < ends.count; i++)
            if (data->part->args[i].role == LESSON_IN && ends.args[i].count > 0)
                keep_end(&ends.args[i], greatest != 0, &random);
        struct device_job job = runner_job(runner, unit, entry, &ends, &result->launch);
        job.want_hazards = true;
        if (expect_outputs(runner, &ends, NULL) == STATUS_OK && expects_numbers(&ends) &&
            run_once_more(runner, &ends, &job, result) && !compare_outputs(&ends, &result->launch, &mismatch))
            fail_beside(result,
                        greatest ? "the result is right on random inputs, but where all are as great as the greatest"
                                 : "the result is right on random inputs, but where all are as small as the least",
                        &mismatch, "what the kernel does must not depend on the data");
        dataset_free(&ends);
    }
}

void run_size(struct runner *runner, const struct unit *unit, const struct ptx_function *entry, struct dataset *data,
              unsigned wants, struct grade_size *result, struct record *record, struct judge_run *run)
{
    struct launch_shape shape;
    *record = (struct record){0};
    *run = (struct judge_run){.part = data->part, .size = data->size, .result = result, .record = record, .data = data};
    result->ran = true;
    provenance_unknown(result);
    dataset_describe(data, result->shape, sizeof result->shape);
    result->status =
        unit_shape(unit, entry, &data->part->launch, data->size, data->gpu, &shape, NULL, &result->diagnostic);
    result->launch = shape;
    if (result->status)
        return;
    bool is_long = (wants & (RUN_SCHEDULES | RUN_AT_ONCE)) == 0;
    struct device_job job = runner_job(runner, unit, entry, data, &shape);
    job.want_counters = true;
    job.want_hazards = (wants & RUN_HAZARDS) != 0 && !is_long;
    job.want_recording = (wants & RUN_RECORDING) != 0;
    job.backward = (wants & RUN_BACKWARD) != 0;
    result->status = device_run(&runner->simulator, &job, record, &result->diagnostic);
    note_fault(result, &record->run);
    run_merge_hazards(&result->hazards, &record->hazards);
    result->hazards_unwatched = job.want_hazards ? 0 : 1;
    if (result->status)
        return;
    result->correct = compare_outputs(data, &shape, &result->mismatch);
    if (result->correct && record->changed) {
        fail_changed(record, result);
        return;
    }
    if ((wants & RUN_HAZARDS) != 0 && is_long && record->run.warp_instructions <= HAZARD_INSTRUCTIONS)
        run_again(runner, unit, entry, data, SIM_ROUND_ROBIN, 0, share_in_time(&record->counters.compiled, 1), result);
    else if ((wants & RUN_HAZARDS) != 0 && is_long)
        watch_blocks(runner, unit, entry, data, record, result);
    // Blocks that wait for one another may meet in many ways.
    static const enum sim_schedule others[] = {SIM_RANDOM, SIM_ONE_AHEAD, SIM_RANDOM, SIM_RANDOM, SIM_RANDOM};
    size_t other_count = record->hands_over ? sizeof others / sizeof *others : 2;
    for (size_t i = 0; i < other_count && (wants & RUN_SCHEDULES) != 0 && wants_other_schedules(result); i++)
        run_again(runner, unit, entry, data, others[i], i, 0, result);
    if ((wants & RUN_SCHEDULES) != 0 && !result->status && result->correct && has_variables(unit->module))
        run_twice(runner, unit, entry, data, result);
    if ((wants & RUN_SCHEDULES) != 0 && !result->status && result->correct && may_be_zero(data->part))
        run_on_zeros(runner, unit, entry, data, result);
    if ((wants & RUN_SCHEDULES) != 0 && !result->status && result->correct && may_be_zero(data->part) &&
        dataset_moves(data->part))
        run_on_rare(runner, unit, entry, data, result);
    if ((wants & RUN_SCHEDULES) != 0 && !result->status && result->correct && dataset_adds_rows(data->part))
        run_on_infinities(runner, unit, entry, data, result);
    if ((wants & RUN_SCHEDULES) != 0 && !result->status && result->correct && has_plain_inputs(data->part) &&
        large_decides_by_data(data, &shape, entry))
        run_on_ends(runner, unit, entry, data, result);
    if ((wants & RUN_SCHEDULES) != 0 && !result->status && result->correct)
        run_on_same(runner, unit, entry, data, result);
    if ((wants & RUN_SCHEDULES) != 0 && !result->status && !result->correct)
        run_zeroed(runner, unit, entry, data, result);
    if ((wants & RUN_PROVENANCE) != 0 && !result->status && result->correct)
        provenance_find(runner, unit, entry, data, record->run.warp_instructions, (wants & RUN_RECORDING) != 0, result);
}

void run_as_written(struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                    struct dataset *data, struct arena *arena, struct grade_size *result)
{
    struct device_job job = runner_job(runner, unit, entry, data, &result->launch);
    struct record record = {0};
    struct diagnostic diagnostic;
    job.want_hazards = true;
    job.print = NULL;
    dataset_restore(data);
    enum status status = device_run(&runner->simulator, &job, &record, &diagnostic);
    size_t kept = 0;
    for (size_t i = 0; i < record.hazards.count; i++)
        if (!record.hazards.items[i].benign)
            record.hazards.items[kept++] = record.hazards.items[i];
    record.hazards.count = status == STATUS_OK ? kept : 0;
    for (size_t i = 0; i < record.hazards.count; i++) {
        struct hazard *hazard = &record.hazards.items[i];
        hazard->as_written = hazard->benign = true;
        hazard->file = arena_strdup(arena, hazard->file);
    }
    run_merge_hazards(&result->hazards, &record.hazards);
    record_free(&record);
}

// ---- the size whose time is modelled

static double metric_at(const struct lesson *lesson, const struct lesson_size *size)
{
    const char *metric = lesson->metric_flop ? lesson->metric_flop : lesson->metric_bytes;
    return metric ? lesson_value(size, true, metric) : 1;
}

// A 32nd of a power of two, and of somewhat more: tiles of a power of two divide it.
static int64_t part_of_32(int64_t value)
{
    int64_t part = 1;
    while (64 * part <= value)
        part *= 2;
    return part;
}

static bool may_vary(const struct runner *runner, const struct lesson_size *size)
{
    return size->gpu_variable_count > 0 && size->gpu_variable_count <= LESSON_VARIABLES && !size->exact && runner->seed;
}

static bool is_paired(const struct lesson_size *size, size_t variable)
{
    return (variable | 1) < size->gpu_variable_count;
}

// Of two variables one is a little smaller and one larger, so that the grid has as many waves of blocks as before;
// those that are left are larger. In 32nds.
enum { CHOICES = 4 };

static void vary(const struct runner *runner, const struct lesson_part *part, uint64_t choice,
                 struct modelled_size *modelled)
{
    static const int steps[CHOICES][2] = {{-1, 1}, {1, -1}, {-2, 2}, {2, -2}};
    const struct lesson_size *size = &part->sizes[part->speed_size];
    *modelled = (struct modelled_size){.size = *size, .scale = 1};
    for (size_t i = 0; i < size->gpu_variable_count; i++) {
        struct lesson_variable *variable = &modelled->variables[i];
        int64_t step = is_paired(size, i) ? steps[choice][i % 2] : (int64_t)choice + 1;
        *variable = size->gpu_variables[i];
        if (variable->value >= RUN_LEAST_VARIED)
            variable->value += part_of_32(variable->value) * step;
    }
    modelled->size.gpu_variables = modelled->variables;
    modelled->scale = metric_at(runner->lesson, size) / metric_at(runner->lesson, &modelled->size);
}

// Of one block on each SM; 0: not known.
static uint64_t waves_at(const struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                         const struct lesson_part *part, const struct lesson_size *size)
{
    uint64_t sms = device_modelled_gpu(&runner->simulator, unit->module->sm)->sms;
    struct launch_shape shape;
    bool is_known = unit_shape(unit, entry, &part->launch, size, true, &shape, NULL, NULL) == STATUS_OK;
    return is_known ? (launch_blocks(&shape) + sms - 1) / sms : 0;
}

void run_modelled_size(const struct runner *runner, const struct lesson_part *part, const struct unit *unit,
                       struct modelled_size *modelled)
{
    const struct lesson_size *size = &part->sizes[part->speed_size];
    const struct ptx_function *entry;
    uint64_t state = runner->seed, first = random_next(&state) % CHOICES;
    *modelled = (struct modelled_size){.size = *size, .scale = 1};
    if (!may_vary(runner, size))
        return;
    vary(runner, part, first, modelled);
    if (!unit || unit_find_kernel(unit, part, part->kernel, &entry, NULL, NULL) != STATUS_OK)
        return;
    uint64_t asked = waves_at(runner, unit, entry, part, size);
    for (uint64_t i = 0; asked && i < CHOICES; i++) {
        vary(runner, part, (first + i) % CHOICES, modelled);
        if (32 * waves_at(runner, unit, entry, part, &modelled->size) <= 33 * asked)
            return;
    }
    vary(runner, part, first, modelled);
}

static enum sim_fault_kind fault_of(enum status status, const struct record *record)
{
    if (status != STATUS_FAULT)
        return SIM_FAULT_NONE;
    return record->run.fault ? record->run.fault : SIM_FAULT_OTHER;
}

static void draw_larger_size(const struct runner *runner, const struct lesson_part *part,
                             struct lesson_other_size *larger)
{
    enum { MOST = 8 };
    const struct lesson_size *size = &part->sizes[part->speed_size];
    uint64_t state = ~runner->seed;
    lesson_other_size(part, larger);
    for (size_t i = 0; i < size->gpu_variable_count; i++) {
        int64_t value = size->gpu_variables[i].value;
        if (value >= RUN_LEAST_VARIED)
            value += part_of_32(value) * (1 + (int64_t)(random_next(&state) % MOST));
        lesson_other_set(larger, size->gpu_variables[i].name, value);
    }
}

// An unpaired variable that makes blocks longer and not more of them has been larger at the modelled size already.
// Here it is small, and the blocks soon come to their end.
static void shorten_blocks(const struct unit *unit, const struct ptx_function *entry, const struct lesson_part *part,
                           struct lesson_other_size *larger)
{
    const struct lesson_size *size = &part->sizes[part->speed_size];
    for (size_t i = 0; i < size->gpu_variable_count; i++) {
        const char *name = size->gpu_variables[i].name;
        int64_t value = lesson_other_get(larger, name);
        struct launch_shape shape = {.static_shared = unit_static_shared(entry)}, shorter = shape;
        if (is_paired(size, i) || value < RUN_LEAST_VARIED ||
            !unit_reshape(unit, entry, &part->launch, &larger->size, &shape))
            continue;
        lesson_other_set(larger, name, 3 * part_of_32(value)); // beyond the stages of a ring
        if (!unit_reshape(unit, entry, &part->launch, &larger->size, &shorter) ||
            launch_blocks(&shorter) != launch_blocks(&shape))
            lesson_other_set(larger, name, value);
    }
}

// Where the last block of a row or a column is narrow, its neighbour's halo reaches beyond the edge, too: by 1 to 6,
// half of the time by 1, or as much more as the variable's steps ask for.
static void narrow_last_block(const struct lesson_part *part, const char *extent, int64_t tile, uint64_t drawn,
                              struct lesson_other_size *larger)
{
    enum { NARROW = 6, BLOCKS = 8 };
    const struct lesson_range *range = NULL;
    for (size_t i = 0; i < part->range_count && extent; i++)
        if (strcmp(part->ranges[i].name, extent) == 0)
            range = &part->ranges[i];
    int64_t value = range ? lesson_other_get(larger, extent) : 0;
    if (value < RUN_LEAST_VARIED || value < range->least || tile <= NARROW || tile > value / BLOCKS)
        return;
    value += (tile - value % tile) % tile + 1 + (drawn % 2 ? (int64_t)(drawn >> 8) % NARROW : 0);
    value += (range->step - (value - range->least) % range->step) % range->step;
    lesson_other_set(larger, extent, value % tile ? value : value + range->step);
}

// One of both, or both.
static void narrow_last_blocks(const struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                               const struct lesson_part *part, struct lesson_other_size *larger)
{
    struct launch_shape shape = {.static_shared = unit_static_shared(entry)};
    uint64_t random = ~runner->seed ^ UINT64_C(0x6e6172726f77), which = random_next(&random) % 3;
    if (!unit_reshape(unit, entry, &part->launch, &larger->size, &shape))
        return;
    if (which != 0)
        narrow_last_block(part, part->launch.cols, shape.tile[0], random_next(&random), larger);
    if (which != 1)
        narrow_last_block(part, part->launch.rows, shape.tile[1], random_next(&random), larger);
}

bool run_larger_size(const struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                     const struct lesson_part *part, struct lesson_other_size *larger)
{
    if (!may_vary(runner, &part->sizes[part->speed_size]))
        return false;
    draw_larger_size(runner, part, larger);
    shorten_blocks(unit, entry, part, larger);
    narrow_last_blocks(runner, unit, entry, part, larger);
    return true;
}

// Of blocks that run alone: where they were seen.
static void say_where(struct hazard_list *hazards, const char *size, const char *which)
{
    leave_out_unset(hazards);
    for (size_t i = 0; i < hazards->count; i++) {
        char *message = hazards->items[i].message;
        size_t length = strlen(message);
        snprintf(message + length, sizeof hazards->items[i].message - length, " Seen at %s%s.", size, which);
    }
}

enum status run_brief(struct runner *runner, const struct unit *unit, const struct brief_look *look,
                      struct large_finding *finding, struct hazard_list *hazards, char text[64],
                      struct diagnostic *diagnostic)
{
    const struct lesson_part *part = runner->lesson->parts;
    const struct lesson_size *size = look->size;
    const struct ptx_function *entry;
    struct launch_shape shape;
    struct dataset data = {0};
    struct record record = {0};
    *finding = (struct large_finding){.kind = LARGE_RIGHT};
    text[0] = 0;
    enum status status = unit_find_kernel(unit, part, part->kernel, &entry, NULL, diagnostic);
    if (!status)
        status = unit_shape(unit, entry, &part->launch, size, false, &shape, NULL, diagnostic);
    if (status)
        return status;
    dataset_make_bare(&data, part, size, false, runner->seed);
    dataset_describe(&data, text, 64);
    struct oracle *oracle = oracle_new(runner, &data, look->turn);
    oracle_serve(oracle, &data);
    struct large *large = large_brief(&data, &shape, look->is_briefest);
    if (large) {
        struct device_probe probe = large_probe(large);
        struct device_job job = runner_job(runner, unit, entry, &data, &shape);
        job.model_only = true;
        job.probe = &probe;
        job.print = NULL;
        job.want_hazards = hazards != NULL;
        job.hazard_share = ALL_PHASES;
        status = device_run(&runner->simulator, &job, &record, diagnostic);
        if (hazards) {
            say_where(&record.hazards, text, "");
            run_merge_hazards(hazards, &record.hazards);
        }
        large_judge(large, finding);
        finding->fault = fault_of(status, &record);
    }
    large_free(large);
    oracle_free(oracle);
    record_free(&record);
    dataset_free(&data);
    return status;
}

// Where the registers of a lesson's last kernel are kept: those of the next one, most often the same file with a line
// changed, are likely to be the same. A guess, which makes nothing but time.
static struct text likely_key(const struct runner *runner, unsigned sm)
{
    struct text key = {0};
    text_printf(&key, "registers of the kernel before\n%s\n%s\n%u\n", runner->lesson->id, runner->toolchain.label, sm);
    return key;
}

static uint32_t likely_registers(const struct text *key)
{
    struct cache_entry entry = {0};
    uint32_t registers = cache_load(key, &entry) ? (uint32_t)strtoul(text_get(&entry.ptx), NULL, 10) : 0;
    cache_entry_free(&entry);
    return registers <= GPU_THREAD_REGISTERS ? registers : 0;
}

static void keep_registers(const struct text *key, uint32_t registers)
{
    struct cache_entry entry = {0};
    text_printf(&entry.ptx, "%u", registers);
    cache_store(key, &entry);
    cache_entry_free(&entry);
}

// What a modelled run leaves: hundreds of thousands of pages, which take milliseconds to give back.
struct remains {
    struct large *large;
    struct oracle *oracle;
    struct on_demand *made, *other;
    struct dataset data, other_data;
};

static void *clear_remains(void *context)
{
    struct remains *remains = context;
    large_free(remains->large);
    oracle_free(remains->oracle);
    on_demand_free(remains->made);
    on_demand_free(remains->other);
    dataset_free(&remains->data);
    dataset_free(&remains->other_data);
    free(remains);
    return NULL;
}

// The verdict does not wait for it.
static void clear_beside(struct remains *remains)
{
    pthread_attr_t detached;
    pthread_t thread;
    bool runs = false;
    if (pthread_attr_init(&detached) == 0) {
        pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
        runs = pthread_create(&thread, &detached, clear_remains, remains) == 0;
        pthread_attr_destroy(&detached);
    }
    if (!runs)
        clear_remains(remains);
}

enum status run_model(struct runner *runner, const struct unit *unit, size_t part_index, struct record *record,
                      struct large_finding *finding, char text[64], struct diagnostic *diagnostic)
{
    const struct lesson_part *part = &runner->lesson->parts[part_index];
    const struct ptx_function *entry;
    struct modelled_size modelled;
    struct launch_shape shape;
    *record = (struct record){0};
    run_modelled_size(runner, part, finding || runner->log ? unit : NULL, &modelled);
    enum status status = unit_find_kernel(unit, part, part->kernel, &entry, NULL, diagnostic);
    if (status == STATUS_OK)
        status = unit_shape(unit, entry, &part->launch, &modelled.size, true, &shape, NULL, diagnostic);
    if (status != STATUS_OK)
        return status;
    const struct gpu_profile *gpu = device_modelled_gpu(&runner->simulator, unit->module->sm);
    struct ptxas *ptxas = ptxas_start(unit->compiled.ptx, unit->compiled.ptx_length, entry->name, gpu->sm);
    if (finding && ptxas_runs(ptxas)) // there is work to do before its answer is waited for
        process_let_others_first();
    struct remains *remains = mem_alloc(sizeof *remains);
    struct dataset *data = &remains->data;
    dataset_make_bare(data, part, &modelled.size, true, runner->seed);
    dataset_make_bare(&remains->other_data, part, &modelled.size, true, ~runner->seed);
    if (text)
        dataset_describe(data, text, 64);
    if (finding)
        large_choose_seed(data, &shape, entry);
    remains->oracle = finding ? oracle_new(runner, data, 0) : NULL;
    oracle_serve(remains->oracle, data);
    struct large *large = remains->large = finding ? large_new(data, &shape, entry) : NULL;
    remains->made = large_data(data);
    remains->other = large_data(&remains->other_data);
    struct device_probe own = on_demand_probe(remains->made), other_probe = on_demand_probe(remains->other),
                        probe = large ? large_probe(large) : own;
    probe.even = !large; // the lesson's own kernels are taken to be right, and their blocks to be alike
    struct device_job job = runner_job(runner, unit, entry, data, &shape);
    job.want_model = job.model_only = true;
    job.log = runner->log;
    // The learner's: an honest kernel must not lose points by a wrong estimate, and its timeline is of that time.
    job.is_lenient = finding || runner->log;
    job.probe = &probe;
    struct text likely = likely_key(runner, gpu->sm);
    job.ahead = large ? &own : NULL;
    job.likely_registers = large ? likely_registers(&likely) : 0;
    job.want_hazards = large != NULL;
    job.want_through = large ? provenance_kinds(runner->lesson, part) : 0;
    job.other = &other_probe;
    job.want_waits = provenance_is_asked(runner->lesson, part, "copies_at_once");
    job.want_balance = provenance_is_asked(runner->lesson, part, "warp_balance") ||
                       provenance_is_asked(runner->lesson, part, "global_balance") ||
                       provenance_is_asked(runner->lesson, part, "fetch_balance") ||
                       provenance_is_asked(runner->lesson, part, "awaited_balance");
    job.resources = ptxas_answer;
    job.resources_context = ptxas;
    job.print = NULL;
    status = device_run(&runner->simulator, &job, record, diagnostic);
    if (large && record->resources.registers && record->resources.registers != job.likely_registers)
        keep_registers(&likely, record->resources.registers);
    text_free(&likely);
    if (text)
        say_where(&record->hazards, text, ", the size whose time is modelled");
    record->modelled_us *= modelled.scale;
    record->model.us *= modelled.scale;
    if (finding) {
        large_judge(large, finding);
        finding->fault = fault_of(status, record);
    }
    if (status == STATUS_OK && ptxas_fault(ptxas)) {
        record_free(record);
        *diagnostic = *ptxas_fault(ptxas);
        status = diagnostic->code;
    }
    ptxas_free(ptxas);
    clear_beside(remains);
    return status;
}

enum status runner_block(struct runner *runner, const struct unit *unit, const struct record_request *request,
                         uint64_t *count, struct recording *recording, struct diagnostic *diagnostic)
{
    const struct lesson_part *part = &runner->lesson->parts[request->part];
    bool is_known = request->size > 0 && request->size <= part->size_count;
    const struct lesson_size *size = &part->sizes[is_known ? request->size - 1 : part->speed_size];
    uint64_t block = request->block;
    const struct ptx_function *entry;
    struct dataset data = {0};
    struct launch_shape shape;
    struct record record;
    *recording = (struct recording){0};
    enum status status = unit_find_kernel(unit, part, part->kernel, &entry, NULL, diagnostic);
    if (!status)
        status = unit_shape(unit, entry, &part->launch, size, false, &shape, NULL, diagnostic);
    if (status)
        return status;
    *count = launch_blocks(&shape);
    if (block >= *count)
        return diagnostic_set(diagnostic, STATUS_USAGE, "there is no block %llu: the grid has %llu, counted from 0",
                              (unsigned long long)block, (unsigned long long)*count);
    dataset_make(&data, part, size, false, dataset_seed(runner, part, size));
    data.numbered = request->numbered;
    for (size_t i = 0; i < data.count && data.numbered; i++)
        if (part->args[i].role == LESSON_IN || part->args[i].role == LESSON_INOUT)
            dataset_fill(&data, i, 0, data.args[i].count, data.args[i].data);
    struct device_job job = runner_job(runner, unit, entry, &data, &shape);
    job.want_recording = true;
    job.recorded_block = job.first_block = block;
    job.block_count = 1;
    status = device_run(&runner->simulator, &job, &record, diagnostic);
    *recording = record.recording;
    record.recording = (struct recording){0};
    record_free(&record);
    dataset_free(&data);
    return status;
}
