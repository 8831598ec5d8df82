// Accesses of different blocks to one place in global memory.
//
// Blocks run on several host threads in an order that nobody may depend on, so nothing is decided while they run:
// each place keeps the two lowest blocks of each class (readers, writers, strong writers), which is the same
// whatever the order, and pairs are looked for when all blocks have ended.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hazard/internal.h"
#include "hazard/pages.h"

enum {
    PLACES_OF_BLOCK = 1 << 12, // that are kept,
    PLACES_OF_GRID = 1 << 22,  // of all blocks of a grid; of each at least
    PLACES_AT_LEAST = 16,
    WAYS = 1 << 26 // places that are looked at to find out who learned of what from whom
};

// What a block released and acquired.
struct kept_block {
    struct cross_place *places; // by address
    uint32_t count;
    bool releases, acquires;         // some of them do
    bool lost_release, lost_acquire; // there were more
};

struct cross_table {
    struct cross_pages *pages;
    struct map blocks;  // of struct kept_block, by number + 1: those that released or acquired
    size_t place_count; // of all
    bool is_lost;       // some block had more
};

struct cross_table *cross_new(uint32_t shift)
{
    struct cross_table *table = mem_alloc(sizeof *table);
    table->pages = cross_pages_new(shift);
    table->blocks = map_of(struct kept_block);
    return table;
}

static void forget_blocks(struct cross_table *table)
{
    for (size_t i = 0; i < table->blocks.count; i++)
        free(((struct kept_block *)map_value(&table->blocks, i))->places);
    map_clear(&table->blocks);
    table->place_count = 0;
    table->is_lost = false;
}

void cross_free(struct cross_table *table)
{
    if (!table)
        return;
    forget_blocks(table);
    cross_pages_free(table->pages);
    map_free(&table->blocks);
    free(table);
}

void cross_block_free(struct cross_block *block)
{
    map_free(&block->places);
    map_free(&block->pending);
}

// ---- while blocks run

// What the block itself wrote is read as if nobody had written it.
static void check_path(struct hazard_state *state, const struct sim_access *access)
{
    struct cross_mark write;
    uint32_t lane;
    if (!cross_pages_wrote(state->cross->pages, access, &lane, &write))
        return;
    struct sim_spread spread;
    struct finding finding = {.kind = HAZARD_READ_ONLY,
                              .pc = access->pc,
                              .other_pc = write.pc,
                              .space = PTX_GLOBAL,
                              .block = state->block->linear,
                              .other_block = state->block->linear,
                              .thread = access->warp * SIM_LANES + lane,
                              .other_thread = write.thread,
                              .address = sim_access_spread(access, &spread)->addresses[lane],
                              .count = 1};
    finding_add(state->findings, &finding);
}

// An atomic whose scope is a block or a cluster is none for other blocks.
static bool is_strong_between_blocks(const struct sim_access *access)
{
    bool is_atomic = access->kind == SIM_ATOMIC || access->kind == SIM_REDUCE, is_bulk = sim_is_copy(access->kind);
    return (is_atomic || access->order != SIM_WEAK) && (is_bulk || access->scope >= SIM_SCOPE_GPU);
}

void cross_access(struct hazard_state *state, const struct sim_access *access)
{
    if (access->space != PTX_GLOBAL)
        return;
    enum cross_class class = CROSS_WRITE;
    bool is_strong = is_strong_between_blocks(access);
    if (access->kind == SIM_LOAD && hazard_reads_only(state->checker, access->pc))
        check_path(state, access);
    if (access->kind == SIM_LOAD)
        class = CROSS_READ;
    else if (is_strong)
        class = CROSS_STRONG;
    cross_pages_touch(state->cross->pages, class, access, state->order.tick, is_strong);
}

// The same however many host threads run the grid.
static size_t most_places(const struct hazard_state *state)
{
    const uint32_t *grid = state->block->grid;
    uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2], most = PLACES_OF_GRID / (blocks ? blocks : 1);
    return most > PLACES_OF_BLOCK ? PLACES_OF_BLOCK : most < PLACES_AT_LEAST ? PLACES_AT_LEAST : (size_t)most;
}

// NULL: the block has too many, and more is lost.
static struct cross_place *place_get(struct hazard_state *state, uint64_t address, bool *lost)
{
    struct cross_block *now = &state->synced;
    struct cross_place *place = map_find(&now->places, address);
    if (place)
        return place;
    if (now->places.count >= most_places(state)) {
        *lost = true;
        return NULL;
    }
    place = map_add(&now->places, address, NULL);
    place->address = address;
    return place;
}

void cross_release(struct hazard_state *state, uint64_t address, uint32_t bytes, uint32_t tick)
{
    struct cross_place *place = place_get(state, address, &state->synced.lost_release);
    if (place && place->released < tick)
        place->released = tick;
    if (place)
        place->bytes = bytes;
}

void cross_strong_read(struct hazard_state *state, uint64_t address)
{
    struct cross_block *now = &state->synced;
    if (!state->checker->hands_over)
        return;
    if (now->pending.count < PLACES_OF_BLOCK)
        map_add(&now->pending, address, NULL);
    else
        now->lost_acquire = true;
    state->order.outside = true;
}

void cross_acquire(struct hazard_state *state)
{
    struct cross_block *now = &state->synced;
    uint32_t tick = ++state->order.tick;
    for (size_t i = 0; i < now->pending.count; i++) {
        struct cross_place *place = place_get(state, map_key(&now->pending, i), &now->lost_acquire);
        if (place && !place->acquired)
            place->acquired = tick;
    }
    map_clear(&now->pending);
    state->order.outside = false;
}

static int compare_places(const void *a, const void *b)
{
    const struct cross_place *one = a, *other = b;
    return one->address < other->address ? -1 : one->address > other->address;
}

void cross_end_block(struct hazard_state *state)
{
    struct cross_table *table = state->cross;
    struct cross_block *now = &state->synced;
    size_t count = now->places.count;
    if (count) {
        struct kept_block *kept = map_add(&table->blocks, state->block->linear + 1, NULL);
        *kept = (struct kept_block){.places = mem_alloc(count * sizeof *kept->places),
                                    .count = (uint32_t)count,
                                    .lost_release = now->lost_release,
                                    .lost_acquire = now->lost_acquire};
        for (size_t i = 0; i < count; i++) {
            kept->places[i] = *(const struct cross_place *)map_value(&now->places, i);
            kept->releases |= kept->places[i].released != 0;
            kept->acquires |= kept->places[i].acquired != 0;
        }
        qsort(kept->places, count, sizeof *kept->places, compare_places);
        table->place_count += count;
        table->is_lost |= now->lost_release || now->lost_acquire;
    }
    map_clear(&now->places);
    map_clear(&now->pending);
    now->lost_release = now->lost_acquire = false;
}

// ---- when all have ended

void cross_merge(struct cross_table *into, struct cross_table *from)
{
    cross_pages_merge(into->pages, from->pages);
    for (size_t i = 0; i < from->blocks.count; i++)
        *(struct kept_block *)map_add(&into->blocks, map_key(&from->blocks, i), NULL) =
            *(struct kept_block *)map_value(&from->blocks, i);
    into->place_count += from->place_count;
    into->is_lost |= from->is_lost;
    from->place_count = 0;
    map_clear(&from->blocks);
}

// One block's acquire; those through one place are neighbours.
struct acquirer {
    uint64_t address, block;
    uint32_t tick;
};

struct cross_reporter {
    const struct hazard_checker *checker;
    const struct cross_table *table;
    struct finding_set *findings;
    struct acquirer *acquirers; // of all blocks, once somebody asks
    size_t acquirer_count, looked_at;
    // By block, the tick from which on it knows what `start` had done: all that do, or (is_part) those who were found
    // before the one that was asked for.
    struct map knows;
    struct cross_mark start;
    uint64_t address; // of start's access, where it is strong
    bool is_part;
};

static int compare_acquirers(const void *a, const void *b)
{
    const struct acquirer *one = a, *other = b;
    if (one->address != other->address)
        return one->address < other->address ? -1 : 1;
    return one->block < other->block ? -1 : one->block > other->block;
}

static void list_acquirers(struct cross_reporter *reporter)
{
    const struct map *blocks = &reporter->table->blocks;
    reporter->acquirers = mem_alloc((reporter->table->place_count + 1) * sizeof *reporter->acquirers);
    for (size_t i = 0; i < blocks->count; i++) {
        const struct kept_block *kept = map_value(blocks, i);
        for (uint32_t j = 0; j < kept->count; j++)
            if (kept->places[j].acquired)
                reporter->acquirers[reporter->acquirer_count++] = (struct acquirer){
                    .address = kept->places[j].address, .block = map_key(blocks, i), .tick = kept->places[j].acquired};
    }
    if (reporter->acquirer_count)
        qsort(reporter->acquirers, reporter->acquirer_count, sizeof *reporter->acquirers, compare_acquirers);
}

static size_t find_acquirers(const struct cross_reporter *reporter, uint64_t address)
{
    size_t low = 0, high = reporter->acquirer_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (reporter->acquirers[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The strong access that releases comes before what the acquirer does to the same place: so a ticket is set back.
static bool was_released(const struct cross_place *out, uint64_t address, const struct cross_mark *a)
{
    return out->released > a->tick || (out->released && a->strong && address - out->address < out->bytes);
}

// Who acquired through a place that a block released through after `mark` knows what that block knew then.
static void pass_on(struct cross_reporter *reporter, uint64_t address, const struct cross_mark *mark, struct map *done)
{
    const struct kept_block *kept = map_find(&reporter->table->blocks, mark->block);
    for (uint32_t i = 0; kept && i < kept->count; i++) {
        bool is_new = was_released(&kept->places[i], address, mark);
        reporter->looked_at++;
        if (is_new)
            map_add(done, kept->places[i].address, &is_new);
        for (size_t j = is_new ? find_acquirers(reporter, kept->places[i].address) : SIZE_MAX;
             j < reporter->acquirer_count && reporter->acquirers[j].address == kept->places[i].address; j++) {
            bool fresh;
            uint32_t *knows = map_add(&reporter->knows, reporter->acquirers[j].block, &fresh);
            *knows = fresh || reporter->acquirers[j].tick < *knows ? reporter->acquirers[j].tick : *knows;
            reporter->looked_at++;
        }
    }
}

static bool has_learned(const struct cross_reporter *reporter, const struct cross_mark *b)
{
    const uint32_t *knows = map_find(&reporter->knows, b->block);
    return knows && *knows <= b->tick;
}

// From one block to the next, until b is found to know of a, or nobody learns more. All that acquire through a place
// learn it at once, so each place is followed once; but a block may learn it earlier through another place, and then
// has more to pass on.
static void follow_on(struct cross_reporter *reporter, uint64_t address, const struct cross_mark *a,
                      const struct cross_mark *b)
{
    struct map done = map_of(char), passed = map_of(uint32_t);
    if (!reporter->acquirers)
        list_acquirers(reporter);
    map_clear(&reporter->knows);
    reporter->start = *a;
    reporter->address = address;
    reporter->is_part = false;
    pass_on(reporter, address, a, &done);
    for (bool goes_on = true; goes_on && !reporter->is_part;) {
        goes_on = false;
        for (size_t i = 0; i < reporter->knows.count && !reporter->is_part; i++) {
            struct cross_mark mark = {.block = (uint32_t)map_key(&reporter->knows, i),
                                      .tick = *(const uint32_t *)map_value(&reporter->knows, i)};
            bool fresh;
            uint32_t *last = map_add(&passed, mark.block, &fresh);
            if (!fresh && *last <= mark.tick)
                continue;
            *last = mark.tick;
            pass_on(reporter, 0, &mark, &done);
            goes_on = true;
            reporter->is_part = has_learned(reporter, b) || reporter->looked_at > WAYS;
        }
    }
    map_free(&done);
    map_free(&passed);
}

static const struct cross_place *place_of(const struct kept_block *kept, uint64_t address)
{
    const struct cross_place wanted = {.address = address};
    return kept->count ? bsearch(&wanted, kept->places, kept->count, sizeof wanted, compare_places) : NULL;
}

static bool handed_directly(const struct kept_block *from, const struct kept_block *to, uint64_t address,
                            const struct cross_mark *a, const struct cross_mark *b)
{
    for (uint32_t i = 0; i < from->count; i++) {
        const struct cross_place *in =
            was_released(&from->places[i], address, a) ? place_of(to, from->places[i].address) : NULL;
        if (in && in->acquired && in->acquired <= b->tick)
            return true;
    }
    return false;
}

// a, an access to `address`, was released by its block through a place that b's block acquired before b; or others
// stand between the two. What was lost, or takes too long to find out, is taken for an order.
static bool handed_over(struct cross_reporter *reporter, uint64_t address, const struct cross_mark *a,
                        const struct cross_mark *b)
{
    const struct map *blocks = &reporter->table->blocks;
    const struct kept_block *from = map_find(blocks, a->block), *to = map_find(blocks, b->block);
    if (!from || !to)
        return false;
    if (handed_directly(from, to, address, a, b))
        return true;
    bool may_know = (from->releases || from->lost_release) && (to->acquires || to->lost_acquire);
    if (!may_know || reporter->table->is_lost || reporter->looked_at > WAYS)
        return may_know;
    bool is_start = reporter->start.block == a->block && reporter->start.tick == a->tick &&
                    reporter->start.strong == a->strong && (!a->strong || reporter->address == address);
    if (!is_start || (reporter->is_part && !has_learned(reporter, b)))
        follow_on(reporter, address, a, b);
    return has_learned(reporter, b) || reporter->looked_at > WAYS;
}

static void report_pair(struct cross_reporter *reporter, uint64_t address, const struct cross_mark *a,
                        const struct cross_mark *b, bool both_write)
{
    if (!a || !b || a->block == b->block || (a->strong && b->strong) || handed_over(reporter, address, a, b) ||
        handed_over(reporter, address, b, a))
        return;
    struct finding finding = {.kind = HAZARD_BLOCK_RACE,
                              .pc = a->pc,
                              .other_pc = b->pc,
                              .several_blocks = true,
                              .space = PTX_GLOBAL,
                              .block = a->block - 1,
                              .other_block = b->block - 1,
                              .thread = a->thread,
                              .other_thread = b->thread,
                              .address = address,
                              .count = 1};
    if (both_write && a->value == b->value)
        finding_same_value(reporter->checker, &finding);
    finding_add(reporter->findings, &finding);
}

// What one block wrote and handed over, and another reads as if nobody had written it.
static void report_path(struct cross_reporter *reporter, uint64_t address, const struct cross_mark *write,
                        const struct cross_mark *read)
{
    if (!write || !read || !hazard_reads_only(reporter->checker, read->pc) ||
        !handed_over(reporter, address, write, read))
        return;
    struct finding finding = {.kind = HAZARD_READ_ONLY,
                              .pc = read->pc,
                              .other_pc = write->pc,
                              .several_blocks = true,
                              .space = PTX_GLOBAL,
                              .block = read->block - 1,
                              .other_block = write->block - 1,
                              .thread = read->thread,
                              .other_thread = write->thread,
                              .address = address,
                              .count = 1};
    finding_add(reporter->findings, &finding);
}

static const struct cross_mark *other_block(const struct cross_cell *cell, enum cross_class class,
                                            const struct cross_mark *than)
{
    const struct cross_mark *first = cell->marks[class][0];
    return first && than && first->block == than->block ? cell->marks[class][1] : first;
}

// The reader's thread has written the same value before: it reads that, whoever comes first.
static bool reader_wrote_it(const struct cross_cell *cell, const struct cross_mark *write,
                            const struct cross_mark *read)
{
    bool own = false;
    for (int i = 0; i < 2 && write && read; i++) {
        const struct cross_mark *other = cell->marks[CROSS_WRITE][i];
        own |= other && other->block == read->block && other->thread == read->thread && other->value == write->value;
    }
    return own;
}

static void report_cell(void *context, const struct cross_cell *cell)
{
    struct cross_reporter *reporter = context;
    const struct cross_mark *write = cell->marks[CROSS_WRITE][0], *strong = cell->marks[CROSS_STRONG][0];
    if (write) {
        report_pair(reporter, cell->address, write, cell->marks[CROSS_WRITE][1], true);
        const struct cross_mark *read = other_block(cell, CROSS_READ, write);
        if (!reader_wrote_it(cell, write, read))
            report_pair(reporter, cell->address, write, read, false);
        report_path(reporter, cell->address, write, read);
        report_pair(reporter, cell->address, write, other_block(cell, CROSS_STRONG, write), false);
    }
    if (strong) {
        const struct cross_mark *read = other_block(cell, CROSS_READ, strong);
        report_pair(reporter, cell->address, strong, read, false);
        report_path(reporter, cell->address, strong, read);
    }
}

void cross_report(const struct hazard_checker *checker, const struct cross_table *table, struct finding_set *findings)
{
    struct cross_reporter reporter = {
        .checker = checker, .table = table, .findings = findings, .knows = map_of(uint32_t)};
    cross_pages_visit(table->pages, report_cell, &reporter);
    free(reporter.acquirers);
    map_free(&reporter.knows);
}

void cross_forget(struct cross_table *table, uint32_t shift)
{
    cross_pages_free(table->pages);
    table->pages = cross_pages_new(shift);
    forget_blocks(table);
}
