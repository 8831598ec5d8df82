// Runs blocks of a kernel on the inputs of a run, and once more on others with what they read from shared memory
// before.
#include "grade/provenance.h"

#include <math.h>
#include <string.h>

#include "base/map.h"
#include "base/random.h"
#include "device/device.h"

// Blocks are watched at once, more where they are short: so many warp instructions, twice for each kind of passage.
enum { LEAST_BLOCKS = 4, PATIENCE = 400000, MOST_TRIES = 64, BUDGET = 2000000 };

// One kernel at one size, its two sets of inputs, and the blocks that are run.
struct inquiry_pair {
    struct runner *runner;
    const struct unit *unit;
    const struct ptx_function *entry;
    const struct launch_shape *shape;
    struct dataset first, second;
    uint64_t block, count;
    // What the first run of these blocks left: of one block it serves every kind.
    struct passage *passage;
    struct recording recording;
    uint64_t kept_block;
    bool records, ran, is_idle;
    struct dataset mixed; // the first, with some inputs of the second
    bool has_mixed;       // where sums are to be told apart
};

static const char *const fact_of[PASSAGE_KINDS] = {
    [PASSAGE_SHARED] = "through_shared", [PASSAGE_COPIES] = "through_copies", [PASSAGE_AHEAD] = "through_copies_ahead",
    [PASSAGE_OTHERS] = "through_others", [PASSAGE_TILES] = "through_tiles",
};

void provenance_unknown(struct grade_size *result)
{
    for (int kind = 0; kind < PASSAGE_KINDS; kind++)
        result->through[kind] = NAN;
}

// ---- what is asked for

static bool names_fact(const char *condition, const char *fact)
{
    size_t length = strlen(fact);
    for (const char *at = condition ? strstr(condition, fact) : NULL; at; at = strstr(at + 1, fact))
        if (at[length] != '_')
            return true;
    return false;
}

static bool asks_about(const struct lesson_part *part, const char *name)
{
    return !name || !part->name || strcmp(part->name, name) == 0;
}

bool provenance_is_asked(const struct lesson *lesson, const struct lesson_part *part, const char *fact)
{
    for (size_t i = 0; i < lesson->gate_count; i++) {
        const struct lesson_gate *gate = &lesson->gates[i];
        const char *const conditions[] = {gate->when, gate->gpu, gate->sim, gate->full, gate->sim_full};
        for (size_t j = 0; asks_about(part, gate->part) && j < sizeof conditions / sizeof *conditions; j++)
            if (names_fact(conditions[j], fact))
                return true;
    }
    for (size_t i = 0; i < lesson->diagnosis_count; i++)
        if (asks_about(part, lesson->diagnoses[i].part) && names_fact(lesson->diagnoses[i].when, fact))
            return true;
    return false;
}

unsigned provenance_kinds(const struct lesson *lesson, const struct lesson_part *part)
{
    unsigned kinds = 0;
    for (int kind = 0; kind < PASSAGE_KINDS; kind++)
        if (kind != PASSAGE_AHEAD && provenance_is_asked(lesson, part, fact_of[kind]))
            kinds |= 1u << (kind == PASSAGE_TILES ? PASSAGE_SHARED : kind);
    return kinds;
}

// ---- the runs

static bool run_blocks(struct inquiry_pair *pair, struct dataset *data, struct sim_observer observer,
                       struct recording *recording)
{
    struct record record = {0};
    struct device_job job = runner_job(pair->runner, pair->unit, pair->entry, data, pair->shape);
    dataset_restore(data);
    job.budget = BUDGET;
    job.print = NULL;
    job.first_block = job.recorded_block = pair->block;
    job.block_count = pair->count;
    job.observer = &observer;
    job.want_recording = recording != NULL;
    job.seed = pair->first.seed;
    bool ran = device_run(&pair->runner->simulator, &job, &record, NULL) == STATUS_OK;
    if (ran && recording) {
        *recording = record.recording;
        record.recording = (struct recording){0};
    }
    record_free(&record);
    return ran;
}

struct tally_of_elements {
    size_t written, same; // in the first run; of those, in the second
};

static struct tally_of_elements compare_runs(const struct inquiry_pair *pair)
{
    struct tally_of_elements tally = {0};
    for (size_t i = 0; i < pair->first.count; i++) {
        const struct device_arg *one = &pair->first.args[i], *other = &pair->second.args[i];
        size_t size = ptx_type_size(one->type);
        for (size_t at = 0; pair->first.before[i] && at < one->count * size; at += size) {
            const char *got = (const char *)one->data + at;
            if (memcmp(got, (const char *)pair->first.before[i] + at, size) == 0)
                continue;
            tally.written++;
            tally.same += memcmp(got, (const char *)other->data + at, size) == 0;
        }
    }
    return tally;
}

static void forget_first_run(struct inquiry_pair *pair)
{
    recording_free(&pair->recording);
    passage_free(pair->passage);
    pair->recording = (struct recording){0};
    pair->passage = NULL;
}

static void run_first(struct inquiry_pair *pair, enum passage_kind kind)
{
    bool is_one = pair->count == 1;
    if (pair->passage && is_one && pair->kept_block == pair->block)
        return;
    forget_first_run(pair);
    pair->passage = passage_new(pair->block, pair->count);
    pair->ran = run_blocks(pair, &pair->first, passage_keeper(pair->passage),
                           kind == PASSAGE_AHEAD || (pair->records && is_one) ? &pair->recording : NULL);
    pair->is_idle = pair->ran && compare_runs(pair).written == 0;
    pair->kept_block = is_one ? pair->block : UINT64_MAX;
}

// Every block reads all of a few coefficients, each by an instruction of its own: one of them that is another makes
// all that such an instruction gets another, as if it were a sum.
static bool are_few(const struct device_arg *arg)
{
    enum { FEW = 1024 };
    return arg->count < FEW;
}

static bool has_many(const struct dataset *data)
{
    bool has = false;
    for (size_t i = 0; i < data->count; i++)
        has |= data->part->args[i].role == LESSON_IN && !are_few(&data->args[i]);
    return has;
}

static void mix_inputs(struct inquiry_pair *pair)
{
    const struct dataset *first = &pair->first, *second = &pair->second;
    uint64_t random = first->seed;
    dataset_make(&pair->mixed, first->part, first->size, first->gpu, first->seed);
    pair->has_mixed = true;
    for (size_t i = 0; i < first->count; i++) {
        const struct device_arg *arg = &pair->mixed.args[i];
        size_t size = ptx_type_size(arg->type);
        bool is_mixed = first->part->args[i].role == LESSON_IN && (!are_few(arg) || !has_many(first));
        for (size_t j = 0; is_mixed && j < arg->count; j++)
            if (random_next(&random) % PASSAGE_MIXED == 0)
                memcpy((char *)arg->data + j * size, (const char *)second->args[i].data + j * size, size);
    }
}

static uint32_t smallest_input(const struct dataset *data)
{
    uint32_t smallest = 8;
    for (size_t i = 0; i < data->count; i++)
        if (data->part->args[i].role == LESSON_IN && ptx_type_size(data->args[i].type) < smallest)
            smallest = ptx_type_size(data->args[i].type);
    return smallest;
}

// What only asynchronous copies put there are no sums.
static void find_sums(struct inquiry_pair *pair)
{
    if (!pair->has_mixed || !pair->ran || !passage_has_stores(pair->passage))
        return;
    struct passage *mixed = passage_new(pair->block, pair->count);
    if (run_blocks(pair, &pair->mixed, passage_keeper(mixed), NULL) && passage_complete(mixed))
        passage_find_sums(pair->passage, mixed, smallest_input(&pair->mixed));
    passage_free(mixed);
}

// Adds the blocks at hand. False: of what they write nothing can be said.
static bool look_at_blocks(struct inquiry_pair *pair, enum passage_kind kind, struct tally_of_elements *sum)
{
    const struct recording *recording = kind == PASSAGE_AHEAD ? &pair->recording : NULL;
    run_first(pair, kind);
    if (kind == PASSAGE_TILES)
        find_sums(pair);
    bool is_known = pair->ran && passage_complete(pair->passage) && !(recording && recording->truncated);
    if (is_known && !pair->is_idle) {
        is_known = run_blocks(pair, &pair->second, passage_giver(pair->passage, kind, recording), NULL);
        struct tally_of_elements tally = compare_runs(pair);
        sum->written += tally.written;
        sum->same += tally.same;
    }
    return is_known || pair->is_idle;
}

// From the drawn blocks on, until as many were watched as there is patience for, and some of them wrote something: a
// kernel may leave its work to few of its blocks. One at a time for what goes ahead, as each is recorded.
static double find_kind(struct inquiry_pair *pair, enum passage_kind kind, uint64_t blocks, uint64_t steps)
{
    uint64_t wanted = PATIENCE / (steps / blocks + 1), most = kind == PASSAGE_AHEAD ? 1 : UINT64_MAX, watched = 0;
    struct tally_of_elements tally = {0};
    wanted = wanted < LEAST_BLOCKS && kind != PASSAGE_AHEAD ? LEAST_BLOCKS : wanted < 1 ? 1 : wanted;
    wanted = wanted < blocks ? wanted : blocks;
    pair->block = map_hash(MAP_HASH_START, &pair->first.seed, sizeof pair->first.seed) % (blocks - wanted + 1);
    for (int i = 0; i < MOST_TRIES && watched < blocks && (watched < wanted || tally.written == 0); i++) {
        pair->count = wanted < most ? wanted : most;
        pair->count = pair->count < blocks - pair->block ? pair->count : blocks - pair->block;
        if (!look_at_blocks(pair, kind, &tally))
            return NAN;
        watched += pair->count;
        pair->block = pair->block + pair->count < blocks ? pair->block + pair->count : 0;
        wanted += tally.written == 0 && watched >= wanted ? wanted : 0;
    }
    return tally.written ? (double)tally.same / (double)tally.written : (double)NAN;
}

void provenance_find(struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                     const struct dataset *data, uint64_t steps, bool tells_sums, struct grade_size *result)
{
    struct inquiry_pair pair = {.runner = runner, .unit = unit, .entry = entry, .shape = &result->launch};
    uint64_t blocks = launch_blocks(&result->launch);
    bool is_made = false;
    pair.records = provenance_is_asked(runner->lesson, data->part, fact_of[PASSAGE_AHEAD]);
    for (int kind = 0; kind < PASSAGE_KINDS; kind++) {
        if (!provenance_is_asked(runner->lesson, data->part, fact_of[kind]))
            continue;
        if (!is_made) {
            dataset_make(&pair.first, data->part, data->size, data->gpu, data->seed);
            dataset_make(&pair.second, data->part, data->size, data->gpu, ~data->seed);
        }
        is_made = true;
        if (kind == PASSAGE_TILES && tells_sums)
            mix_inputs(&pair);
        result->through[kind] = find_kind(&pair, (enum passage_kind)kind, blocks, steps);
    }
    forget_first_run(&pair);
    if (is_made) {
        dataset_free(&pair.first);
        dataset_free(&pair.second);
    }
    if (pair.has_mixed)
        dataset_free(&pair.mixed);
}
