// Blocks of a launch that is too large to be run: what they write, compared.
#include "grade/large.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "model/decisions.h"
#include "sim/shape.h"

enum {
    DRAWN = 256,       // blocks
    STRATA = 16,       // residues of a block's place in the grid, each of which is drawn as often as any other
    DRAWN_SPREAD = 48, // so many must reach every quarter of the rows and columns, but for one case in a million
    SPECIAL = 3,       // the corners
    MOST_BLOCKS = DRAWN + SPECIAL + 12, // and the odd ones
    COMPARED = 1 << 14,                 // elements of a block; of more, so many at random
    AT_LEAST = 1 << 12,                 // elements that a thread is started for,
    AT_MOST = 1 << 17,                  // and that wait for it,
    BATCH_BLOCKS = MOST_BLOCKS,         // or so many blocks
    COMPARED_LATE = 64,                 // elements of a block, by a reference that has to be run for them
    // Warp instructions. The longest block of any lesson's solutions takes under three million.
    WHOLE_BUDGET = 10000000, // of one block before it is too slow
    SHORT_BUDGET = 20000,    // of one that need not come to its end
    WRITTEN_ALL = 1 << 19,   // elements that all blocks may write before no more are drawn
    BANDS = 4,               // that rows and columns are parted into
    SHORT_ALL = 1000000,     // of all of these
    WHOLE_ALL = 2000000,     // of all that must, unless the first takes more
    OUTLINES = 3 * STRATA,   // of long blocks that are followed
    OUTLINE_ALL = 400000,    // of all of these
    ODD = 3,                 // blocks that do otherwise than most, run as a whole
    SEEDS = 24,              // of data that are looked at
    RARE = 8,                // of those that decide otherwise, by their place
    ODD_ALL = 2000000,       // of those, unless the first takes more
    BRIEF = 24,              // blocks of a brief look
    BRIEFEST = 10,
    BRIEFEST_ALL = 100000,
    NEIGHBOURS = 3,      // of the last block
    ALIASES = BRIEF / 2, // of these, besides
    COMPARED_BRIEF = 1 << 10,
    BRIEF_ALL = 200000, // of all of these, but for the last of the grid
    CHANGED = 64        // elements of inputs that a block stores to, and that are looked at
};

// One block that has been run for the first time.
struct seen {
    uint64_t block, steps, work; // warp instructions, and with the weight of each (sim_result)
    size_t fresh, wrote;         // elements of the judged output; fresh: that nobody had written before
    bool whole;
};

// What blocks wrote, in the order of the blocks.
struct batch {
    struct {
        uint64_t block;
        size_t count;
    } blocks[BATCH_BLOCKS];
    size_t *elements, count, capacity, block_count;
    double *got; // as many
    size_t got_capacity;
};

struct large {
    const struct dataset *data;
    struct launch_shape shape;
    bool judges, is_brief;
    bool is_late;  // what blocks wrote is compared when all have run, as the reference takes the same simulator
    bool is_over;  // all have run: what comes now is for the time, over memory that they have left their marks in
    size_t output; // argument
    struct on_demand *made;
    // the block that runs
    uint32_t run, threads_left;
    uint64_t block;
    uintptr_t page; // of writers: the latest
    size_t *written, written_count, written_capacity, fresh, wrote, written_all;
    size_t bands[2][BANDS]; // blocks that wrote to each quarter of the rows, of the columns
    // all that ran
    struct seen seen[MOST_BLOCKS];
    size_t seen_count, special, stratum;
    unsigned char strata[3][STRATA]; // of the grid's dimensions: their residues, in the order of this round
    uint64_t random, short_steps, whole_steps, longest;
    uint64_t most_steps; // of a block that ran as a whole: warp instructions; the others are work (sim_result)
    size_t cut;          // blocks that did not come to their end
    struct device_outline outlined[OUTLINES];
    size_t outlined_count, odd_count, odd_next;
    uint64_t odd[ODD], outline_steps, odd_steps;
    uint64_t aliases[ALIASES + NEIGHBOURS];     // of the last block, of a brief look
    size_t alias_count, alias_next, most_brief; // most: blocks
    uint64_t all_brief;                         // their work, but for the last of the grid
    uint64_t rare[RARE];                        // blocks; they are odd as well, and come first
    size_t rare_count, rare_next;
    uint32_t warp;                  // that is followed
    bool is_odd, is_short, odd_ran; // the block that runs; one that was outlined has run
    struct large_finding finding;
    char entangled[64]; // what blocks met in
    // inputs that the block stored to; what the first block that changed one made of it: "" = none did
    struct {
        size_t arg, element;
    } stored[CHANGED];
    size_t stored_count;
    char changed[256];
    struct grade_mismatch change;
    // A thread compares one batch while the next one fills: it alone uses at_work and finding as long as it runs.
    struct batch *filling, *at_work;
    pthread_t comparer;
    bool is_comparing;
    atomic_bool is_compared;
};

// ---- who wrote what

// Rows lie on many pages, and a page that is read first costs two faults, the second of which stops the other threads.
static void write_first(struct large *large, uint32_t *writer)
{
    enum { PAGE = 4096 };
    uintptr_t page = (uintptr_t)writer / PAGE;
    if (page != large->page)
        __atomic_fetch_or(writer, 0, __ATOMIC_RELAXED);
    large->page = page;
}

// An element's writer is the run that wrote it last.
static void note_written(struct large *large, struct on_demand_place *place, size_t first, size_t last)
{
    bool is_judged = large->judges && place->arg == large->output;
    bool is_input = place->arg < large->data->count && large->data->part->args[place->arg].role == LESSON_IN;
    for (size_t i = first; is_input && i <= last && large->stored_count < CHANGED; i++) {
        large->stored[large->stored_count].arg = place->arg;
        large->stored[large->stored_count++].element = i;
    }
    uint32_t *writers = on_demand_writers(place);
    write_first(large, &writers[first]);
    for (size_t i = first; i <= last; i++) {
        if (writers[i] == large->run)
            continue;
        large->fresh += is_judged && writers[i] == 0;
        writers[i] = large->run;
        if (is_judged)
            *mem_append(large->written, large->written_capacity, large->written_count) = i;
    }
}

static void note_read(struct large *large, const struct on_demand_place *place, size_t first, size_t last)
{
    const uint32_t *writers = place->writers;
    for (size_t i = first; writers && i <= last; i++)
        if (writers[i] && writers[i] != large->run)
            snprintf(large->entangled, sizeof large->entangled, "%s", place->allocation->name);
}

static void note_lanes(struct large *large, uint32_t mask, const uint64_t *addresses, uint32_t bytes, bool reads,
                       bool writes)
{
    FOR_LANES (lane, mask) {
        size_t first, last;
        struct on_demand_place *place = on_demand_touch(large->made, addresses[lane], bytes, &first, &last);
        if (place && reads)
            note_read(large, place, first, last);
        if (place && writes)
            note_written(large, place, first, last);
    }
}

// Most loads read neighbours of what nobody writes: all lanes at once. False: that is not so here.
static bool note_load(struct large *large, const struct lane_shape *shape, uint64_t address)
{
    const struct on_demand_place *place = on_demand_touch_all(large->made, shape, address);
    return place && !place->writers;
}

static void on_access(void *context, const struct sim_access *access)
{
    struct large *large = context;
    struct sim_access source;
    struct sim_spread spread;
    bool loads = access->kind == SIM_LOAD || access->kind == SIM_MATRIX_LOAD;
    if (large->is_over) {
        struct device_probe data = on_demand_probe(large->made);
        data.observer.access(data.context, access);
        return;
    }
    if (sim_access_source(access, &source) && source.space == PTX_GLOBAL &&
        !note_load(large, source.shape, source.first))
        note_lanes(large, source.mask, source.addresses, source.bytes, true, false);
    if (access->space != PTX_GLOBAL || (loads && note_load(large, access->shape, access->first)))
        return;
    access = sim_access_spread(access, &spread);
    note_lanes(large, access->mask, access->addresses, access->bytes, loads || access->kind == SIM_ATOMIC, !loads);
}

// ---- a block's results

static void note_mismatch(struct large *large, uint64_t block, size_t element, double expected, double got)
{
    struct grade_mismatch *mismatch = &large->finding.mismatch;
    const struct dataset *data = large->data;
    if (mismatch->wrong++ > 0)
        return;
    size_t dimensions = data->part->args[large->output].shape_count;
    mismatch->columns = dimensions ? data->shape[large->output][dimensions - 1] : 1;
    mismatch->rows = data->args[large->output].count / mismatch->columns;
    mismatch->argument = data->args[large->output].name;
    mismatch->index = element;
    mismatch->row = element / mismatch->columns;
    mismatch->column = element % mismatch->columns;
    mismatch->expected = expected;
    mismatch->got = got;
    large->finding.kind = LARGE_WRONG;
    char place[64];
    if (mismatch->rows > 1)
        snprintf(place, sizeof place, "[%zu][%zu]", (size_t)mismatch->row, (size_t)mismatch->column);
    else
        snprintf(place, sizeof place, "[%zu]", element);
    uint64_t width = large->shape.grid[0], height = large->shape.grid[1];
    snprintf(large->finding.message, sizeof large->finding.message,
             "block (%llu, %llu, %llu) writes %.9g to %s%s, where %.9g should be", (unsigned long long)(block % width),
             (unsigned long long)(block / width % height), (unsigned long long)(block / width / height), got,
             mismatch->argument, place, expected);
}

static void *compare_batch(void *context)
{
    struct large *large = context;
    const struct batch *batch = large->at_work;
    double *expected = mem_alloc((batch->count + 1) * sizeof *expected);
    bool suits = dataset_expect_some(large->data, batch->elements, batch->count, expected);
    for (size_t i = 0, block = 0, end = 0; i < batch->count && suits; i++) {
        for (; i >= end + batch->blocks[block].count; block++)
            end += batch->blocks[block].count;
        if (large->is_late && isnan(expected[i]))
            continue;
        large->finding.mismatch.total++;
        if (!dataset_is_right(batch->got[i], expected[i], large->data->part))
            note_mismatch(large, batch->blocks[block].block, batch->elements[i], expected[i], batch->got[i]);
    }
    free(expected);
    atomic_store(&large->is_compared, true);
    return NULL;
}

static void join_comparer(struct large *large)
{
    if (large->is_comparing)
        pthread_join(large->comparer, NULL);
    large->is_comparing = false;
}

// Of what has been filled, once what was filled before is done.
static void compare_beside(struct large *large)
{
    struct batch *next = large->filling;
    join_comparer(large);
    large->filling = large->at_work;
    large->at_work = next;
    large->filling->count = large->filling->block_count = 0;
    atomic_store(&large->is_compared, false);
    large->is_comparing = pthread_create(&large->comparer, NULL, compare_batch, large) == 0;
    if (!large->is_comparing) // no thread to be had: it takes longer then
        compare_batch(large);
}

static void compare_all(struct large *large)
{
    if (large->filling->block_count)
        compare_beside(large);
    join_comparer(large);
}

// Of many elements, some: each as likely as any other.
static void keep_results(struct large *large)
{
    struct device_arg out = large->data->args[large->output];
    struct batch *batch = large->filling;
    size_t count = large->written_count, most = large->is_late    ? COMPARED_LATE
                                                : large->is_brief ? COMPARED_BRIEF
                                                                  : COMPARED;
    for (; count > most; count--) {
        size_t *gone = &large->written[random_next(&large->random) % count];
        *gone = large->written[count - 1];
    }
    out.data = on_demand_bytes(large->made, large->output);
    for (size_t i = 0, kept = batch->count; i < count; i++) {
        *mem_append(batch->elements, batch->capacity, batch->count) = large->written[i];
        *mem_append(batch->got, batch->got_capacity, kept) = dataset_element(&out, large->written[i]);
    }
    batch->blocks[batch->block_count].block = large->block;
    batch->blocks[batch->block_count++].count = count;
    if (large->is_late)
        return;
    bool is_free = !large->is_comparing || atomic_load(&large->is_compared);
    if ((is_free && batch->count >= AT_LEAST) || batch->count >= AT_MOST || batch->block_count == BATCH_BLOCKS)
        compare_beside(large);
}

static void on_block_begin(void *context, const struct sim_block *block)
{
    struct large *large = context;
    if (large->is_over)
        return;
    large->run++;
    large->threads_left = block->threads;
    large->block = block->linear;
    large->written_count = large->fresh = large->wrote = large->stored_count = 0;
}

static bool was_seen(const struct large *large, uint64_t block)
{
    for (size_t i = 0; i < large->seen_count; i++)
        if (large->seen[i].block == block)
            return true;
    return false;
}

static void note_bands(struct large *large)
{
    const struct dataset *data = large->data;
    size_t dimensions = data->part->args[large->output].shape_count, count = data->args[large->output].count;
    size_t columns = dimensions ? data->shape[large->output][dimensions - 1] : 1, rows = count / columns;
    bool hit[2][BANDS] = {0};
    // Elements come in rows: one is looked at where it leaves the row, or the quarter of it, that the one before is in.
    size_t row = 0, row_end = 0, quarter = 0, quarter_end = 0;
    for (size_t i = 0; i < large->written_count; i++) {
        size_t element = large->written[i];
        if (element < row || element >= row_end) {
            hit[0][element / columns * BANDS / rows] = true;
            row = element / columns * columns;
            row_end = row + columns;
            quarter_end = 0;
        }
        if (element < quarter || element >= quarter_end) {
            size_t band = (element - row) * BANDS / columns;
            hit[1][band] = true;
            quarter = row + (band * columns + BANDS - 1) / BANDS;
            quarter_end = row + ((band + 1) * columns + BANDS - 1) / BANDS;
        }
    }
    for (size_t i = 0; i < BANDS; i++) {
        large->bands[0][i] += hit[0][i] || rows < BANDS;
        large->bands[1][i] += hit[1][i] || columns < BANDS;
    }
}

// The next launch, and whoever called, would find other inputs than they made.
static void note_changes(struct large *large)
{
    for (size_t i = 0; i < large->stored_count && !large->changed[0]; i++) {
        size_t arg = large->stored[i].arg, element = large->stored[i].element;
        struct device_arg now = large->data->args[arg], was = now;
        unsigned char made[8];
        dataset_fill(large->data, arg, element, 1, made);
        now.data = on_demand_bytes(large->made, arg);
        was.data = made;
        if (memcmp(made, (unsigned char *)now.data + element * ptx_type_size(now.type), ptx_type_size(now.type)) == 0)
            continue;
        double old = dataset_element(&was, 0), new = dataset_element(&now, element);
        snprintf(large->changed, sizeof large->changed,
                 "block %llu writes to %s, which it is only to read: %s[%zu] was %.9g, and is %.9g afterwards",
                 (unsigned long long)large->block, now.name, now.name, element, old, new);
        large->change = (struct grade_mismatch){.argument = now.name, .wrong = 1, .total = now.count};
    }
}

static void on_block_end(void *context, const struct sim_block *block)
{
    struct large *large = context;
    (void)block;
    if (large->is_over)
        return;
    note_changes(large);
    large->written_all += large->written_count;
    large->wrote = large->written_count;
    if (large->judges)
        note_bands(large);
    if (large->threads_left == 0 && large->judges && large->filling->block_count < BATCH_BLOCKS)
        keep_results(large);
}

static void on_sync(void *context, const struct sim_sync *sync)
{
    struct large *large = context;
    if (sync->kind == SIM_SYNC_EXIT)
        large->threads_left -= (uint32_t)__builtin_popcount(sync->mask);
}

// ---- which blocks

static void on_begin(void *context, struct sim_allocation *const *buffers, const struct sim_memory *memory)
{
    struct large *large = context;
    on_demand_begin(large->made, buffers, memory);
}

// How many different sums, and differences, the residues of column and row have.
static int count_diagonals(const unsigned char columns[STRATA], const unsigned char rows[STRATA])
{
    uint32_t sums = 0, differences = 0;
    for (size_t n = 0; n < STRATA; n++) {
        sums |= 1u << (columns[n] + rows[n]) % STRATA;
        differences |= 1u << (STRATA + columns[n] - rows[n]) % STRATA;
    }
    return __builtin_popcount(sums) + __builtin_popcount(differences);
}

static void shuffle(struct large *large, unsigned char order[STRATA])
{
    for (size_t n = 0; n < STRATA; n++) {
        size_t at = random_next(&large->random) % (n + 1);
        order[n] = order[at];
        order[at] = (unsigned char)n;
    }
}

// Every so many blocks come from all residues of their column, and of their row: what is done otherwise in one column
// or row of so many is met for sure. Of some orders the one that meets the most diagonals.
static void shuffle_strata(struct large *large)
{
    enum { TRIES = 64 };
    unsigned char rows[STRATA];
    int most = 0;
    shuffle(large, large->strata[0]);
    shuffle(large, large->strata[2]);
    for (int i = 0; i < TRIES; i++) {
        shuffle(large, rows);
        int count = count_diagonals(large->strata[0], rows);
        if (count <= most)
            continue;
        most = count;
        memcpy(large->strata[1], rows, sizeof rows);
    }
}

static uint64_t draw_index(struct large *large, size_t dimension)
{
    uint64_t extent = large->shape.grid[dimension], stratum = large->strata[dimension][large->stratum];
    if (extent <= stratum)
        return random_next(&large->random) % extent;
    return stratum + STRATA * (random_next(&large->random) % ((extent - stratum + STRATA - 1) / STRATA));
}

static uint64_t draw_stratified(struct large *large)
{
    if (large->stratum == 0)
        shuffle_strata(large);
    uint64_t x = draw_index(large, 0), y = draw_index(large, 1), z = draw_index(large, 2);
    large->stratum = (large->stratum + 1) % STRATA;
    return (z * large->shape.grid[1] + y) * large->shape.grid[0] + x;
}

static bool blocks_are_long(const struct large *large)
{
    return large->seen_count > 0 && large->seen[0].work > SHORT_BUDGET;
}

// The last block of the grid is special in more ways than others: where blocks are long, it is kept for the first that
// runs as a whole.
static bool last_is_kept(const struct large *large)
{
    return blocks_are_long(large) && large->special + 1 == SPECIAL;
}

static bool draw_block(struct large *large, bool is_whole, uint64_t *block)
{
    uint64_t width = large->shape.grid[0], blocks = launch_blocks(&large->shape);
    const uint64_t corners[SPECIAL] = {width - 1, blocks - width, blocks - 1};
    while (large->seen_count > 0 && large->special < SPECIAL && (is_whole || !last_is_kept(large))) {
        *block = corners[large->special++];
        bool comes_again = *block == blocks - 1 && large->special < SPECIAL; // the grid is one block wide or high
        if (!comes_again && !was_seen(large, *block))
            return true;
    }
    for (int tries = 0; tries < 64; tries++) {
        *block = draw_stratified(large);
        if (!was_seen(large, *block) && !(last_is_kept(large) && *block == blocks - 1))
            return true;
    }
    return false;
}

// ---- long blocks: of too few is seen what they compute, but of many what they execute

static bool on_outline(void *context, uint64_t *block, uint32_t *warp)
{
    struct large *large = context;
    bool is_long = large->seen_count == 1 && blocks_are_long(large);
    bool is_round = large->outlined_count % STRATA == 0;
    bool is_known = large->outlined_count == 0 || large->outlined[0].is_whole;
    if (large->is_brief || !large->judges || !is_long || !is_known ||
        (is_round && large->outline_steps >= OUTLINE_ALL) || large->outlined_count == OUTLINES)
        return false;
    if (is_round) {
        uint64_t warps = (launch_threads(&large->shape) + SIM_LANES - 1) / SIM_LANES;
        large->warp = (uint32_t)(random_next(&large->random) % warps);
        large->stratum = 0;
    }
    *block = draw_stratified(large);
    *warp = large->warp;
    return true;
}

// Of a round: they are followed by the same warp.
static size_t count_alike(const struct device_outline round[STRATA], size_t which, bool by_path)
{
    size_t alike = 0;
    for (size_t i = 0; i < STRATA; i++)
        alike += round[i].is_whole && round[i].executed == round[which].executed &&
                 (!by_path || round[i].path == round[which].path);
    return round[which].is_whole ? alike : 0;
}

// The most frequent kind of block but for the one that at least half of them are. Their paths differ with the block's
// place in some kernels; what they execute tells less, then. False: there is no other, or all kinds are rare.
static bool find_odd(const struct device_outline round[STRATA], bool by_path, size_t *odd)
{
    size_t most = 0;
    bool is_clear = false;
    for (size_t i = 0; i < STRATA; i++) {
        size_t alike = count_alike(round, i, by_path);
        bool is_usual = 2 * alike >= STRATA;
        is_clear |= is_usual;
        if (!is_usual && alike > most) {
            most = alike;
            *odd = i;
        }
    }
    return is_clear && most > 0;
}

static void on_outlined(void *context, const struct device_outline *outline)
{
    struct large *large = context;
    size_t odd;
    large->outlined[large->outlined_count++] = *outline;
    large->outline_steps += outline->steps;
    if (large->outlined_count % STRATA != 0)
        return;
    const struct device_outline *round = &large->outlined[large->outlined_count - STRATA];
    if (find_odd(round, true, &odd) || find_odd(round, false, &odd))
        large->odd[large->odd_count++] = round[odd].block;
}

static bool is_at_edge(const struct large *large, uint64_t block)
{
    const uint32_t *grid = large->shape.grid;
    return block % grid[0] == grid[0] - 1 || block / grid[0] % grid[1] == grid[1] - 1;
}

// Of either kind one is run in any case, and as many as there is time for. Those at the end of a row or column do
// otherwise with good reason: only where that takes little time.
static bool next_odd(struct large *large, uint64_t *block)
{
    while (large->seen_count > 0 && large->rare_next < large->rare_count) {
        bool is_first = large->rare_next == 0;
        *block = large->rare[large->rare_next++];
        if ((is_first || large->odd_steps + large->longest <= ODD_ALL) && !was_seen(large, *block))
            return true;
    }
    while (large->odd_next < large->odd_count) {
        *block = large->odd[large->odd_next++];
        bool is_free = !large->odd_ran && !is_at_edge(large, *block);
        if ((is_free || large->odd_steps + large->longest <= ODD_ALL) && !was_seen(large, *block))
            return large->odd_ran = true;
    }
    return false;
}

// Where blocks are short, one that does not come to its end is not like the others: it gets as long as it takes.
static uint64_t short_budget(const struct large *large)
{
    return blocks_are_long(large) ? SHORT_BUDGET : WHOLE_BUDGET;
}

static void add_alias(struct large *large, uint64_t block)
{
    large->aliases[large->alias_count++] = block;
}

// The blocks that the last one is taken for where its column or its row is kept in too few bits: with the upper ones
// gone, one after another. Before them its neighbours, who look beyond the edge where it is narrow.
static void find_aliases(struct large *large, bool with_neighbours)
{
    const uint64_t width = large->shape.grid[0], last = launch_blocks(&large->shape) - 1;
    uint64_t left[2] = {width - 1, large->shape.grid[1] - 1};
    const uint64_t steps[2] = {1, width}, whole[2] = {left[0], left[1]};
    if (with_neighbours && left[0] && left[1])
        add_alias(large, last - steps[0] - steps[1]);
    for (int i = 0; i < 2; i++)
        if (with_neighbours && left[i])
            add_alias(large, last - steps[i]);
    size_t most = large->alias_count + large->most_brief / 2;
    for (int i = 0; (left[0] || left[1]) && large->alias_count < most; i++) {
        uint64_t *bits = &left[i % 2];
        if (*bits == 0)
            continue;
        *bits &= ~(UINT64_C(1) << (63 - __builtin_clzll(*bits)));
        add_alias(large, last - (whole[i % 2] - *bits) * steps[i % 2]);
    }
}

static bool next_alias(struct large *large, uint64_t *block)
{
    while (large->alias_next < large->alias_count) {
        *block = large->aliases[large->alias_next++];
        if (!was_seen(large, *block))
            return true;
    }
    return false;
}

// The grid's last block, at which all that is bounded has come to its bounds, and its aliases; the other corners and
// some more where they are short.
static bool next_brief(struct large *large, uint64_t *block, uint64_t *budget)
{
    bool is_first = large->seen_count == 0, is_whole = is_first || blocks_are_long(large);
    uint64_t next = large->short_steps + large->whole_steps + (is_whole ? large->longest : SHORT_BUDGET);
    if (large->seen_count == large->most_brief || (!is_first && next > large->all_brief))
        return false;
    *block = launch_blocks(&large->shape) - 1;
    large->is_short = !is_whole;
    *budget = is_whole ? WHOLE_BUDGET : short_budget(large);
    return is_first || next_alias(large, block) || draw_block(large, is_whole, block);
}

// First one block as a whole, then those that do otherwise; then many, each for a while; then as many as a whole as
// there is time for.
static bool choose_block(struct large *large, uint64_t *block, uint64_t *budget)
{
    if (large->is_brief)
        return next_brief(large, block, budget);
    if (large->seen_count + 1 >= MOST_BLOCKS)
        return false;
    // What outlines tell, that many need not be looked at for.
    uint64_t short_all = large->outlined[0].is_whole ? SHORT_ALL / 2 : SHORT_ALL;
    uint64_t whole_all = last_is_kept(large) ? 2 * WHOLE_ALL : WHOLE_ALL;
    bool is_short = large->seen_count < DRAWN && large->short_steps < short_all && large->written_all < WRITTEN_ALL;
    bool is_whole = large->cut > 0 && large->whole_steps + large->longest <= whole_all;
    large->is_odd = next_odd(large, block);
    large->is_short = is_short && !large->is_odd && large->seen_count > 0;
    if (!large->is_short && !large->is_odd && large->seen_count > 0 && !is_whole)
        return false;
    *budget = large->is_short ? short_budget(large) : WHOLE_BUDGET;
    return large->is_odd || draw_block(large, !large->is_short, block);
}

static bool on_next(void *context, uint64_t *block, uint64_t *budget)
{
    struct large *large = context;
    large->is_over = !choose_block(large, block, budget);
    return !large->is_over;
}

static bool on_ran(void *context, uint64_t block, enum status status, const struct sim_result *run)
{
    struct large *large = context;
    bool whole = status == STATUS_OK;
    large->seen[large->seen_count++] = (struct seen){.block = block,
                                                     .steps = run->warp_instructions,
                                                     .work = run->work,
                                                     .fresh = large->fresh,
                                                     .wrote = large->wrote,
                                                     .whole = whole};
    large->cut += !whole;
    if (large->is_short) {
        large->short_steps += run->work;
        if (whole || blocks_are_long(large))
            return true;
    }
    *(large->is_odd ? &large->odd_steps : &large->whole_steps) += run->work;
    large->longest = run->work > large->longest ? run->work : large->longest;
    large->most_steps = run->warp_instructions > large->most_steps ? run->warp_instructions : large->most_steps;
    if (whole)
        return true;
    if (!large->is_late)
        compare_all(large);
    bool is_stuck = run->work < WHOLE_BUDGET;
    large->finding.kind = LARGE_TOO_SLOW;
    large->finding.is_stuck = is_stuck;
    snprintf(large->finding.message, sizeof large->finding.message,
             is_stuck ? "block %llu never ends: after %llu warp instructions its threads wait for what nobody does"
                      : "too slow to be modelled: block %llu takes more than %llu warp instructions",
             (unsigned long long)block, (unsigned long long)(is_stuck ? run->warp_instructions : WHOLE_BUDGET));
    return false;
}

static double on_share(void *context)
{
    const struct large *large = context;
    return large->judges ? (double)large->fresh / (double)large->data->args[large->output].count : 0;
}

// Some blocks may have no work: what one takes that has some, what one takes on average, and the first that has some.
static void on_work(void *context, struct predict_work *work)
{
    const struct large *large = context;
    uint64_t busy = 0, count = 0, all = 0;
    for (size_t i = large->seen_count; i-- > 0;) {
        const struct seen *seen = &large->seen[i];
        all += seen->whole ? seen->steps : large->most_steps;
        if (2 * seen->steps < large->most_steps && seen->whole)
            continue;
        work->first = seen->block;
        if (seen->whole) {
            busy += seen->steps;
            count++;
        }
    }
    work->busy_steps = count ? busy / count : 0;
    work->mean_steps = large->seen_count ? all / large->seen_count : 0;
}

static void fill_elements(const void *data, size_t arg, size_t first, size_t count, void *out)
{
    dataset_fill(data, arg, first, count, out);
}

struct on_demand *large_data(const struct dataset *data)
{
    return on_demand_new(data->args, data->count, fill_elements, data);
}

// Inputs, at the addresses that param_values gives them.
static uint64_t read_input(void *context, uint64_t address, unsigned bytes)
{
    const struct dataset *data = context;
    uint64_t arg = (address >> 36) - 1, offset = address & ((UINT64_C(1) << 36) - 1), value = 0;
    if (arg >= data->count || data->part->args[arg].role != LESSON_IN)
        return 0;
    unsigned size = ptx_type_size(data->args[arg].type);
    unsigned char elements[8] = {0};
    if (bytes > sizeof elements || bytes % size || offset % size || (offset + bytes) / size > data->args[arg].count)
        return 0;
    dataset_fill(data, arg, offset / size, bytes / size, elements);
    memcpy(&value, elements, bytes);
    return value;
}

// Of the entry's parameters; free() them.
static uint64_t *param_values(const struct dataset *data, const struct ptx_function *entry)
{
    uint64_t *values = mem_alloc((entry->param_count + 1) * sizeof *values);
    for (size_t i = 0; i < entry->param_count && i < data->count; i++) {
        const struct device_arg *arg = &data->args[i];
        values[i] = arg->is_buffer || arg->texture ? (i + 1) << 36 : arg->scalar;
    }
    return values;
}

static void find_rare(struct large *large, const struct ptx_function *entry)
{
    const struct deduction_data data = {read_input, (void *)large->data};
    uint64_t *values = param_values(large->data, entry);
    large->rare_count = decisions_rare(entry, &large->shape, values, &data, large->data->seed, large->rare, RARE);
    free(values);
}

bool large_decides_by_data(const struct dataset *data, const struct launch_shape *shape,
                           const struct ptx_function *entry)
{
    const struct deduction_data read = {read_input, (void *)data};
    uint64_t *values = param_values(data, entry);
    size_t shown;
    bool decides = decisions_of_data(entry, shape, values, &read, data->seed, &shown) > 0;
    free(values);
    return decides;
}

void large_choose_seed(struct dataset *data, const struct launch_shape *shape, const struct ptx_function *entry)
{
    const struct deduction_data read = {read_input, data};
    uint64_t *values = param_values(data, entry), best = data->seed, random = data->seed;
    size_t most = 0, shown, predicates;
    for (size_t i = 0; i < SEEDS; i++) {
        predicates = decisions_of_data(entry, shape, values, &read, data->seed, &shown);
        if (shown > most)
            best = data->seed;
        most = shown > most ? shown : most;
        if (most == 2 * predicates)
            break;
        dataset_draw(data, random_next(&random));
    }
    dataset_draw(data, best);
    free(values);
}

static struct large *open_large(const struct dataset *data, const struct launch_shape *shape)
{
    struct large *large = mem_alloc(sizeof *large);
    *large = (struct large){.data = data, .shape = *shape, .made = large_data(data), .random = ~data->seed};
    large->judges = dataset_judges(data, &large->output);
    large->is_late = data->own.expect;
    large->filling = mem_alloc(sizeof *large->filling);
    large->at_work = mem_alloc(sizeof *large->at_work);
    return large;
}

struct large *large_new(const struct dataset *data, const struct launch_shape *shape, const struct ptx_function *entry)
{
    struct large *large = open_large(data, shape);
    find_rare(large, entry);
    return large;
}

struct large *large_brief(const struct dataset *data, const struct launch_shape *shape, bool is_briefest)
{
    struct large *large = open_large(data, shape);
    large->is_brief = true;
    large->most_brief = is_briefest ? BRIEFEST : BRIEF;
    large->all_brief = is_briefest ? BRIEFEST_ALL : BRIEF_ALL;
    find_aliases(large, !is_briefest);
    if (large->judges)
        return large;
    large_free(large);
    return NULL;
}

static void batch_free(struct batch *batch)
{
    free(batch->elements);
    free(batch->got);
    free(batch);
}

void large_free(struct large *large)
{
    if (!large)
        return;
    join_comparer(large);
    batch_free(large->filling);
    batch_free(large->at_work);
    on_demand_free(large->made);
    free(large->written);
    free(large);
}

struct device_probe large_probe(struct large *large)
{
    return (struct device_probe){
        .context = large,
        .observer = {.wants = SIM_WANT_ACCESS_GLOBAL | SIM_WANT_SYNC | SIM_TAKES_SHAPES,
                     .context = large,
                     .block_begin = on_block_begin,
                     .block_end = on_block_end,
                     .access = on_access,
                     .sync = on_sync},
        .begin = on_begin,
        .next = on_next,
        .ran = on_ran,
        .outline = on_outline,
        .outlined = on_outlined,
        .share = on_share,
        .work = on_work,
    };
}

// ---- the verdict

// The elements that are the block's by its place, less where the edge cuts its tile; 0: nobody says which these are.
static double own_elements(const struct large *large, uint64_t block)
{
    const struct lesson_launch *launch = &large->data->part->launch;
    double left[2], all, own = 1;
    if (!launch->cols || !launch->rows || large->shape.tile[0] == 0)
        return 0;
    left[0] = lesson_value(large->data->size, large->data->gpu, launch->cols);
    left[1] = lesson_value(large->data->size, large->data->gpu, launch->rows);
    all = left[0] * left[1];
    for (int i = 0; i < 2; i++) {
        uint64_t place = i == 0 ? block % large->shape.grid[0] : block / large->shape.grid[0] % large->shape.grid[1];
        own *= fmax(0, fmin(large->shape.tile[i], left[i] - (double)place * large->shape.tile[i]));
    }
    return own * (double)large->data->args[large->output].count / all;
}

// Where each writes its own, nothing is left out, however many of those that were drawn lie at an edge. lacking: else
// the first that does not.
static bool each_writes_its_own(const struct large *large, const struct seen **lacking)
{
    for (size_t i = 0; i < large->seen_count; i++) {
        double own = own_elements(large, large->seen[i].block);
        *lacking = &large->seen[i];
        if (large->seen[i].whole && !(own > 0 && (double)large->seen[i].fresh >= own))
            return false;
    }
    return true;
}

// Where tiles do not divide the output, honest blocks may part it otherwise than by their places, and leave a rest to
// the first of them: one of those that are looked at may write nothing. But no two do, and none writes only what others
// write as well.
static bool enough_write(const struct large *large, const struct seen **lacking)
{
    double tile = (double)large->shape.tile[0] * large->shape.tile[1];
    size_t idle = 0;
    for (size_t i = 0; i < large->seen_count; i++) {
        const struct seen *seen = &large->seen[i];
        bool owes = seen->whole && own_elements(large, seen->block) > tile / 8;
        if ((double)seen->wrote > tile)
            return true;
        if (!owes || seen->fresh > 0)
            continue;
        *lacking = seen;
        idle += seen->wrote > 0 ? 2 : 1;
    }
    return idle < 2 && idle < large->seen_count;
}

// No tile sticks out.
static bool tiles_divide(const struct large *large)
{
    const struct lesson_launch *launch = &large->data->part->launch;
    const char *extents[2] = {launch->cols, launch->rows};
    bool divide = large->shape.tile[0] > 0 && large->shape.tile[1] > 0;
    for (int i = 0; i < 2 && divide; i++)
        divide = extents[i] &&
                 fmod(lesson_value(large->data->size, large->data->gpu, extents[i]), (double)large->shape.tile[i]) == 0;
    return divide;
}

static bool is_complete_brief(const struct large *large, const struct seen **lacking)
{
    return tiles_divide(large) ? each_writes_its_own(large, lacking) : enough_write(large, lacking);
}

// Whether what the drawn blocks wrote can be part of a complete output. The grid's blocks cover `tile` elements each, a
// little more than there are: `spare` of them. Honest blocks that write no more than their tile lack that part on
// average, and reach every part of the output; where some write more than theirs, others may write less, and chance is
// given four times its spread.
// *least: the block that wrote least; NULL: none of them reached some part of the output.
static bool is_complete(const struct large *large, const struct seen **least)
{
    double share = (double)large->data->args[large->output].count / (double)launch_blocks(&large->shape);
    double tile = (double)large->shape.tile[0] * large->shape.tile[1], most = 0, lack = 0, square = 0, whole = 0;
    if (tile < share)
        tile = ceil(share);
    for (size_t i = 0; i < large->seen_count; i++)
        if (large->seen[i].whole)
            most = fmax(most, (double)large->seen[i].fresh);
    *least = large->seen;
    for (size_t i = 0; i < large->seen_count; i++) {
        const struct seen *seen = &large->seen[i];
        double wrote = seen->whole ? (double)seen->fresh : fmax(most, tile), missing = 1 - wrote / tile;
        if (seen->whole && (!(*least)->whole || seen->fresh < (*least)->fresh))
            *least = seen;
        lack += missing;
        whole += seen->whole;
        square += missing * missing;
    }
    double count = (double)large->seen_count, spare = count * (1 - share / tile);
    double allowed = most > tile ? 4 * sqrt(square) : spare + 4 * sqrt(spare);
    bool is_spread = true;
    for (size_t i = 0; i < 2 * BANDS && whole >= (double)DRAWN_SPREAD && most <= tile; i++)
        is_spread &= large->bands[i / BANDS][i % BANDS] > 0;
    // where tiles fill the output and none writes more than its own, one element that is left out is one too many
    double slack = share == tile && most <= tile ? 0.5 / tile : fmin(0.01 * whole, 0.5);
    const struct seen *lacking;
    if (lack > allowed + slack && !each_writes_its_own(large, &lacking))
        return false;
    *least = NULL;
    return is_spread;
}

void large_judge(struct large *large, struct large_finding *finding)
{
    const struct seen *least;
    if (large->finding.kind == LARGE_RIGHT || !large->is_late)
        compare_all(large);
    *finding = large->finding;
    finding->compared = large->finding.mismatch.total;
    for (size_t i = 0; i < large->seen_count; i++)
        if (large->seen[i].steps > finding->longest) {
            finding->longest = large->seen[i].steps;
            finding->longest_block = large->seen[i].block;
            finding->longest_work = large->seen[i].work;
        }
    if (large->changed[0]) {
        finding->kind = LARGE_CHANGED;
        finding->mismatch = large->change;
        snprintf(finding->message, sizeof finding->message, "%s", large->changed);
    }
    if (finding->kind != LARGE_RIGHT)
        return;
    finding->each_its_own = large->judges && large->seen_count > 0 && each_writes_its_own(large, &least);
    if (large->entangled[0]) {
        finding->kind = LARGE_ENTANGLED;
        snprintf(finding->message, sizeof finding->message,
                 "blocks read what other blocks left in %s, so a few of them do not tell what all would do: the "
                 "time cannot be modelled",
                 large->entangled);
        return;
    }
    if (!large->judges || large->seen_count == 0 || large->data->own.leaves_some ||
        (large->is_brief ? is_complete_brief(large, &least) : is_complete(large, &least)))
        return;
    uint64_t width = large->shape.grid[0], height = large->shape.grid[1];
    const char *name = large->data->args[large->output].name;
    finding->kind = LARGE_MISSING;
    finding->mismatch.argument = name;
    if (!least) {
        snprintf(finding->message, sizeof finding->message,
                 "elements of %s are never written. The %zu blocks that were looked at, drawn over the whole grid, all "
                 "leave the same part of it out",
                 name, large->seen_count);
        return;
    }
    bool repeats = large->is_brief && least->wrote > 0 && least->fresh == 0;
    snprintf(finding->message, sizeof finding->message,
             repeats ? "elements of %s are never written. Of %zu blocks that were looked at, block (%llu, %llu, %llu) "
                       "writes what another one writes as well, and %zu others; each of the %llu blocks has to write "
                       "%.0f, or others more"
                     : "elements of %s are never written, or a block covers more than LAUNCH says. Of %zu blocks that "
                       "were looked at, block (%llu, %llu, %llu) writes %zu of them; each of the %llu blocks has to "
                       "write %.0f, or others more",
             name, large->seen_count, (unsigned long long)(least->block % width),
             (unsigned long long)(least->block / width % height), (unsigned long long)(least->block / width / height),
             least->fresh, (unsigned long long)launch_blocks(&large->shape),
             (double)large->data->args[large->output].count / (double)launch_blocks(&large->shape));
}
