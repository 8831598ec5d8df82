// Which block of the lesson's reference an element belongs to, and what it writes there.
#include "grade/oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "device/device.h"
#include "grade/large.h"
#include "sim/shape.h"

enum {
    BLOCK_BUDGET = 1000000, // work (sim_result) of one block of the reference, at most,
    ALL_BUDGET = 3000000,   // and of all that one question runs
    AXES = 3
};

// A block to run, and the first of the elements wanted of it, by their order.
struct wanted {
    uint64_t block;
    size_t element, at;
};

struct oracle {
    struct runner *runner;
    const struct dataset *data;
    const struct unit *unit;
    const struct ptx_function *entry;
    struct launch_shape shape;
    size_t output; // argument
    struct on_demand *made;
    // what the first block writes, and how much further that lies for the next one along each axis
    size_t *first, first_count;
    int64_t strides[AXES];
    uint64_t block_work;
    // the run: block after block of wanted
    const struct wanted *wanted;
    size_t wanted_count, next;
    double *expected; // NULL: the first block is looked at
    uint32_t run;
    size_t *written, written_count, written_capacity;
    size_t lowest; // that a block wrote; SIZE_MAX: nothing
    bool failed;
};

// ---- a run

static void begin_reference(void *context, struct sim_allocation *const *buffers, const struct sim_memory *memory)
{
    struct oracle *oracle = context;
    on_demand_begin(oracle->made, buffers, memory);
}

static void begin_reference_block(void *context, const struct sim_block *block)
{
    struct oracle *oracle = context;
    (void)block;
    oracle->run++;
    oracle->written_count = 0;
}

static void note_reference(struct oracle *oracle, struct on_demand_place *place, size_t first, size_t last)
{
    uint32_t *writers = on_demand_writers(place);
    for (size_t i = first; i <= last; i++) {
        if (writers[i] != oracle->run)
            *mem_append(oracle->written, oracle->written_capacity, oracle->written_count) = i;
        writers[i] = oracle->run;
    }
}

static void touch_reference(struct oracle *oracle, uint32_t mask, const uint64_t *addresses, uint32_t bytes,
                            bool writes)
{
    FOR_LANES (lane, mask) {
        size_t first, last;
        struct on_demand_place *place = on_demand_touch(oracle->made, addresses[lane], bytes, &first, &last);
        if (place && writes && place->arg == oracle->output)
            note_reference(oracle, place, first, last);
    }
}

static void see_reference(void *context, const struct sim_access *access)
{
    struct oracle *oracle = context;
    struct sim_access source;
    struct sim_spread spread;
    bool loads = access->kind == SIM_LOAD || access->kind == SIM_MATRIX_LOAD;
    if (sim_access_source(access, &source) && source.space == PTX_GLOBAL)
        touch_reference(oracle, source.mask, source.addresses, source.bytes, false);
    if (access->space != PTX_GLOBAL)
        return;
    if (loads && on_demand_touch_all(oracle->made, access->shape, access->first))
        return;
    access = sim_access_spread(access, &spread);
    touch_reference(oracle, access->mask, access->addresses, access->bytes, !loads);
}

static bool next_reference(void *context, uint64_t *block, uint64_t *budget)
{
    struct oracle *oracle = context;
    if (oracle->next == oracle->wanted_count)
        return false;
    *block = oracle->wanted[oracle->next].block;
    *budget = BLOCK_BUDGET;
    return true;
}

static double reference_share(void *context)
{
    (void)context;
    return 0; // nobody asks
}

static int by_size(const void *a, const void *b)
{
    size_t one = *(const size_t *)a, other = *(const size_t *)b;
    return one < other ? -1 : one > other;
}

static bool writes_it(const struct oracle *oracle, size_t element)
{
    return bsearch(&element, oracle->written, oracle->written_count, sizeof element, by_size);
}

static bool took_reference(void *context, uint64_t block, enum status status, const struct sim_result *run)
{
    struct oracle *oracle = context;
    struct device_arg out = oracle->data->args[oracle->output];
    if (status != STATUS_OK) {
        oracle->failed = true;
        return false;
    }
    oracle->block_work = run->work > oracle->block_work ? run->work : oracle->block_work;
    if (oracle->written_count)
        qsort(oracle->written, oracle->written_count, sizeof *oracle->written, by_size);
    oracle->lowest = oracle->written_count ? oracle->written[0] : SIZE_MAX;
    out.data = on_demand_bytes(oracle->made, oracle->output);
    for (; oracle->next < oracle->wanted_count && oracle->wanted[oracle->next].block == block; oracle->next++) {
        const struct wanted *wanted = &oracle->wanted[oracle->next];
        if (oracle->expected && writes_it(oracle, wanted->element))
            oracle->expected[wanted->at] = dataset_element(&out, wanted->element);
    }
    return true;
}

// The blocks that are wanted, sorted. False: one did not come to its end.
static bool run_wanted(struct oracle *oracle, const struct wanted *wanted, size_t count)
{
    struct dataset data = *oracle->data;
    struct record record = {0};
    struct diagnostic ignored;
    struct device_job job = runner_job(oracle->runner, oracle->unit, oracle->entry, &data, &oracle->shape);
    struct device_probe probe = {.context = oracle,
                                 .observer = {.wants = SIM_WANT_ACCESS_GLOBAL | SIM_TAKES_SHAPES,
                                              .context = oracle,
                                              .block_begin = begin_reference_block,
                                              .access = see_reference},
                                 .begin = begin_reference,
                                 .next = next_reference,
                                 .ran = took_reference,
                                 .share = reference_share};
    oracle->wanted = wanted;
    oracle->wanted_count = count;
    oracle->next = 0;
    oracle->failed = false;
    on_demand_free(oracle->made);
    oracle->made = large_data(oracle->data);
    job.model_only = true;
    job.probe = &probe;
    job.print = NULL;
    enum status status = device_run(&oracle->runner->simulator, &job, &record, &ignored);
    record_free(&record);
    return status == STATUS_OK && !oracle->failed;
}

// ---- which block

static uint64_t reference_block_at(const struct oracle *oracle, const uint64_t at[AXES])
{
    const uint32_t *grid = oracle->shape.grid;
    return (at[2] * grid[1] + at[1]) * grid[0] + at[0];
}

static bool find_reference_strides(struct oracle *oracle)
{
    struct wanted first = {0};
    if (!run_wanted(oracle, &first, 1) || oracle->lowest == SIZE_MAX)
        return false;
    free(oracle->first);
    oracle->first = mem_alloc(oracle->written_count * sizeof *oracle->first);
    oracle->first_count = oracle->written_count;
    memcpy(oracle->first, oracle->written, oracle->written_count * sizeof *oracle->first);
    for (int axis = 0; axis < AXES; axis++) {
        uint64_t at[AXES] = {0};
        at[axis] = 1;
        oracle->strides[axis] = 0;
        if (oracle->shape.grid[axis] == 1)
            continue;
        struct wanted next = {.block = reference_block_at(oracle, at)};
        if (!run_wanted(oracle, &next, 1) || oracle->lowest == SIZE_MAX)
            return false;
        oracle->strides[axis] = (int64_t)oracle->lowest - (int64_t)oracle->first[0];
        if (oracle->strides[axis] == 0)
            return false;
    }
    return true;
}

// So far behind an element of the first block lies the same one of this block. False: of none.
static bool steps_of_reference(const struct oracle *oracle, int64_t distance, uint64_t *block)
{
    uint64_t at[AXES] = {0};
    bool done[AXES] = {false};
    for (int i = 0; i < AXES; i++) {
        int widest = -1; // of the axes that are left
        for (int axis = 0; axis < AXES; axis++)
            if (!done[axis] && (widest < 0 || llabs(oracle->strides[axis]) > llabs(oracle->strides[widest])))
                widest = axis;
        int64_t stride = oracle->strides[widest], steps = stride ? distance / stride : 0;
        done[widest] = true;
        if (steps <= 0)
            continue;
        if (steps >= (int64_t)oracle->shape.grid[widest])
            steps = (int64_t)oracle->shape.grid[widest] - 1;
        at[widest] = (uint64_t)steps;
        distance -= steps * stride;
    }
    *block = reference_block_at(oracle, at);
    return distance == 0;
}

static bool find_reference_block(const struct oracle *oracle, size_t element, uint64_t *block)
{
    bool found = false;
    for (size_t i = 0; i < oracle->first_count && !found; i++)
        found = steps_of_reference(oracle, (int64_t)element - (int64_t)oracle->first[i], block);
    return found;
}

// ---- what is asked

static int by_block(const void *a, const void *b)
{
    const struct wanted *one = a, *other = b;
    return one->block != other->block ? (one->block < other->block ? -1 : 1) : by_size(&one->at, &other->at);
}

// Keeps as many blocks as there is time for, drawn at random. wanted: sorted.
static size_t keep_some(struct oracle *oracle, struct wanted *wanted, size_t count)
{
    uint64_t random = oracle->data->seed, blocks = 0, most = ALL_BUDGET / (oracle->block_work + 1) + 1;
    for (size_t i = 0; i < count; i++)
        blocks += i == 0 || wanted[i].block != wanted[i - 1].block;
    size_t kept = 0;
    bool takes = true;
    uint64_t before = 0;
    for (size_t i = 0; i < count; i++) {
        struct wanted now = wanted[i];
        if (i == 0 || now.block != before) {
            takes = random_next(&random) % blocks < most;
            most -= takes;
            blocks--;
        }
        before = now.block;
        if (takes)
            wanted[kept++] = now;
    }
    return kept;
}

static bool expect_of_own(void *context, const size_t *elements, size_t count, double *expected)
{
    struct oracle *oracle = context;
    struct wanted *wanted = mem_alloc((count + 1) * sizeof *wanted);
    size_t wanted_count = 0;
    for (size_t i = 0; i < count; i++) {
        expected[i] = NAN;
        wanted[wanted_count] = (struct wanted){.element = elements[i], .at = i};
        wanted_count += find_reference_block(oracle, elements[i], &wanted[wanted_count].block);
    }
    qsort(wanted, wanted_count, sizeof *wanted, by_block);
    wanted_count = keep_some(oracle, wanted, wanted_count);
    oracle->expected = expected;
    if (wanted_count)
        run_wanted(oracle, wanted, wanted_count);
    oracle->expected = NULL;
    free(wanted);
    return true;
}

// ---- to have one

// Which output is asked for first is drawn: several are not looked at at once.
static bool begin_oracle(struct oracle *oracle, size_t turn)
{
    const struct dataset *data = oracle->data;
    uint64_t random = oracle->runner->seed;
    size_t outputs[DEVICE_MAX_ARGS], count = 0;
    for (size_t i = 0; i < data->count; i++)
        if (data->part->args[i].role == LESSON_OUT || data->part->args[i].role == LESSON_INOUT)
            outputs[count++] = i;
    size_t first = count ? (size_t)(random_next(&random) % count) + turn : 0;
    for (size_t i = 0; i < count; i++) {
        oracle->output = outputs[(first + i) % count];
        if (find_reference_strides(oracle))
            return true;
    }
    return false;
}

struct oracle *oracle_new(struct runner *runner, const struct dataset *data, size_t turn)
{
    const struct lesson_part *part = data->part;
    struct diagnostic ignored;
    if (!part->reference_file)
        return NULL;
    struct oracle *oracle = mem_alloc(sizeof *oracle);
    *oracle = (struct oracle){.runner = runner, .data = data};
    if (runner_unit(runner, part->reference_file, &oracle->unit, &ignored) == STATUS_OK &&
        unit_find_kernel(oracle->unit, part, part->reference_kernel, &oracle->entry, NULL, &ignored) == STATUS_OK &&
        unit_shape(oracle->unit, oracle->entry, &part->reference_launch, data->size, data->gpu, &oracle->shape, NULL,
                   &ignored) == STATUS_OK &&
        begin_oracle(oracle, turn))
        return oracle;
    oracle_free(oracle);
    return NULL;
}

void oracle_free(struct oracle *oracle)
{
    if (!oracle)
        return;
    on_demand_free(oracle->made);
    free(oracle->first);
    free(oracle->written);
    free(oracle);
}

void oracle_serve(struct oracle *oracle, struct dataset *data)
{
    if (!oracle)
        return;
    uint64_t all = oracle->first_count * launch_blocks(&oracle->shape);
    data->own = (struct dataset_own){oracle, expect_of_own, oracle->output, all < data->args[oracle->output].count};
}
