// Accesses of different blocks to one place in global memory.
//
// Blocks run on several host threads in an order that nobody may depend on, so nothing is decided while they run:
// each place keeps the two lowest blocks of each class (readers, writers, strong writers), which is the same
// whatever the order, and pairs are looked for when all blocks have ended.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sim/hazards_internal.h"

// Memory bound of one table: PAGES_MAX * PAGE_CELLS * 20 bytes for each class that a page needs, 80 MB at most per
// class for words; places beyond are not watched.
enum { PAGE_CELLS = 1024, PAGE_LINES = PAGE_CELLS / SIM_LANES, PAGES_MAX = 4096, SYNC_PLACES = 16 };

struct cross_mark {
    uint32_t block; // + 1; 0 = none
    uint32_t pc, tick, value;
    uint16_t thread;
    uint8_t strong, unused;
};

// Warps mostly touch a line, SIM_LANES places in a row, lane by lane. One mark stands for all of it (its thread is the
// first place's) until another block comes or a line is touched otherwise: then it is loose and each place has its own.
struct cross_page {
    uint64_t key;
    struct cross_mark *lines[CROSS_CLASSES];
    uint32_t *values; // what lines of writers wrote, by place
    uint32_t loose[CROSS_CLASSES];
    struct cross_mark *first[CROSS_CLASSES], *second[CROSS_CLASSES];
};

// A place through which a block released or acquired: what it did before `released` (a tick) others may see, what it
// did from `acquired` on comes after.
struct cross_place {
    uint64_t address;
    uint32_t released, acquired; // 0 = never
};
struct cross_block {
    uint32_t block; // + 1
    uint32_t count;
    struct cross_place places[SYNC_PLACES];
};

struct cross_table {
    struct cross_page *pages; // hash table
    size_t page_count, page_capacity;
    struct cross_page *last[CROSS_CLASSES];
    struct cross_block *blocks; // those that released or acquired, sorted for the report
    size_t block_count, block_capacity;
    struct cross_block now;
    uint64_t pending[SYNC_PLACES]; // strong reads that no fence or barrier followed yet
    uint32_t pending_count;
};

struct cross_table *cross_new(void)
{
    return mem_alloc(sizeof(struct cross_table));
}

static void page_free(struct cross_page *page)
{
    for (int class = 0; class < CROSS_CLASSES; class ++) {
        free(page->lines[class]);
        free(page->first[class]);
        free(page->second[class]);
    }
    free(page->values);
}

void cross_free(struct cross_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->page_capacity; i++)
        page_free(&table->pages[i]);
    free(table->pages);
    free(table->blocks);
    free(table);
}

// ---- pages

static bool page_used(const struct cross_page *page)
{
    return page->key != 0; // no allocation lies in page 0
}

static struct cross_page *page_slot(struct cross_table *table, uint64_t key)
{
    size_t mask = table->page_capacity - 1, slot = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) & mask;
    while (page_used(&table->pages[slot]) && table->pages[slot].key != key)
        slot = (slot + 1) & mask;
    return &table->pages[slot];
}

static void pages_grow(struct cross_table *table)
{
    struct cross_page *old = table->pages;
    size_t capacity = table->page_capacity;
    table->page_capacity = capacity ? 2 * capacity : 64;
    table->pages = mem_alloc(table->page_capacity * sizeof *table->pages);
    for (size_t i = 0; i < capacity; i++) {
        if (page_used(&old[i]))
            *page_slot(table, old[i].key) = old[i];
    }
    free(old);
    memset(table->last, 0, sizeof table->last);
}

// NULL: the bound is reached.
static struct cross_page *page_get(struct cross_table *table, uint64_t key)
{
    if (!key)
        return NULL;
    if (2 * (table->page_count + 1) > table->page_capacity)
        pages_grow(table);
    struct cross_page *page = page_slot(table, key);
    if (!page_used(page)) {
        if (table->page_count == PAGES_MAX)
            return NULL;
        page->key = key;
        table->page_count++;
    }
    return page;
}

static struct cross_mark *marks_get(struct cross_mark **marks)
{
    if (!*marks)
        *marks = mem_alloc(PAGE_CELLS * sizeof **marks);
    return *marks;
}

// Keeps the two lowest blocks, and of a block what came first.
static void page_put(struct cross_page *page, enum cross_class class, uint32_t cell, const struct cross_mark *mark)
{
    struct cross_mark *first = &marks_get(&page->first[class])[cell];
    if (first->block == mark->block)
        return;
    if (!first->block) {
        *first = *mark;
        return;
    }
    struct cross_mark *second = &marks_get(&page->second[class])[cell];
    if (mark->block < first->block) {
        *second = *first;
        *first = *mark;
    } else if (!second->block || mark->block < second->block) {
        *second = *mark;
    }
}

// ---- lines

static bool is_loose(const struct cross_page *page, enum cross_class class, uint32_t line)
{
    return page->loose[class] >> line & 1;
}

static struct cross_mark *line_at(const struct cross_page *page, enum cross_class class, uint32_t line)
{
    struct cross_mark *mark = page->lines[class] ? &page->lines[class][line] : NULL;
    return mark && mark->block ? mark : NULL;
}

static struct cross_mark mark_in_line(const struct cross_page *page, enum cross_class class, uint32_t line,
                                      uint32_t place)
{
    struct cross_mark mark = *line_at(page, class, line);
    mark.thread = (uint16_t)(mark.thread + place);
    mark.value = class == CROSS_WRITE ? page->values[line * SIM_LANES + place] : 0;
    return mark;
}

static void line_loosen(struct cross_page *page, enum cross_class class, uint32_t line)
{
    struct cross_mark *whole = line_at(page, class, line);
    page->loose[class] |= 1u << line;
    if (!whole)
        return;
    for (uint32_t place = 0; place < SIM_LANES; place++)
        marks_get(&page->first[class])[line * SIM_LANES + place] = mark_in_line(page, class, line, place);
    whole->block = 0;
}

// False: the line must be loosened. values: of writers, SIM_LANES of them.
static bool line_put(struct cross_page *page, enum cross_class class, uint32_t line, const struct cross_mark *mark,
                     const uint32_t *values)
{
    if (is_loose(page, class, line))
        return false;
    if (!page->lines[class])
        page->lines[class] = mem_alloc(PAGE_LINES * sizeof *page->lines[class]);
    struct cross_mark *whole = &page->lines[class][line];
    if (whole->block)
        return whole->block == mark->block;
    *whole = *mark;
    if (class != CROSS_WRITE)
        return true;
    if (!page->values)
        page->values = mem_alloc(PAGE_CELLS * sizeof *page->values);
    memcpy(page->values + line * SIM_LANES, values, SIM_LANES * sizeof *values);
    return true;
}

// ---- while blocks run

static void touch(struct cross_table *table, enum cross_class class, uint64_t granule, const struct cross_mark *mark)
{
    uint64_t key = granule / PAGE_CELLS;
    uint32_t cell = (uint32_t)(granule % PAGE_CELLS);
    struct cross_page *page = table->last[class];
    if (!page || page->key != key) {
        page = page_get(table, key);
        table->last[class] = page;
        if (!page)
            return;
    }
    if (!is_loose(page, class, cell / SIM_LANES)) {
        const struct cross_mark *whole = line_at(page, class, cell / SIM_LANES);
        if (whole && whole->block == mark->block)
            return;
        line_loosen(page, class, cell / SIM_LANES);
    }
    struct cross_mark *first = &marks_get(&page->first[class])[cell];
    if (!first->block)
        *first = *mark;
    else if (first->block != mark->block)
        page_put(page, class, cell, mark);
}

static uint32_t value_of(const struct sim_access *access, uint32_t lane, uint64_t offset, uint32_t size)
{
    uint32_t value = 0;
    if (access->kind == SIM_STORE && access->values && offset + size <= access->bytes)
        memcpy(&value, access->values + (size_t)lane * access->value_stride + offset, size);
    return value;
}

// A whole warp touches one line, lane by lane, and the line takes it as one.
static bool touch_line(struct hazard_state *state, const struct sim_access *access, enum cross_class class,
                       const uint64_t *addresses, uint32_t bytes, struct cross_mark *mark)
{
    uint32_t shift = state->checker->global_shift, size = 1u << shift;
    uint64_t granule = addresses[0] >> shift, different = 0;
    if (access->mask != UINT32_MAX || bytes != size || addresses[0] % (SIM_LANES * size))
        return false;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        different |= addresses[lane] ^ (addresses[0] + lane * size);
    struct cross_page *page = different ? NULL : page_get(state->cross, granule / PAGE_CELLS);
    if (!page)
        return false;
    uint32_t values[SIM_LANES] = {0};
    for (uint32_t lane = 0; lane < SIM_LANES && class == CROSS_WRITE; lane++)
        values[lane] = value_of(access, lane, 0, size);
    mark->thread = (uint16_t)(access->warp * SIM_LANES);
    return line_put(page, class, (uint32_t)(granule % PAGE_CELLS) / SIM_LANES, mark, values);
}

static void touch_lanes(struct hazard_state *state, const struct sim_access *access, enum cross_class class,
                        const uint64_t *addresses, uint32_t bytes)
{
    uint32_t shift = state->checker->global_shift, size = 1u << shift;
    uint64_t last = UINT64_MAX;
    struct cross_mark mark = {.block = (uint32_t)state->block->linear + 1,
                              .pc = access->pc,
                              .tick = state->order.tick,
                              .strong = access->order != SIM_WEAK};
    if (touch_line(state, access, class, addresses, bytes, &mark))
        return;
    for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        if (addresses[lane] == last && class != CROSS_WRITE)
            continue; // lanes that share a place count as its first one
        last = addresses[lane];
        mark.thread = (uint16_t)(access->warp * SIM_LANES + lane);
        for (uint64_t offset = 0; offset < (bytes ? bytes : 1); offset += size) {
            if (class == CROSS_WRITE)
                mark.value = value_of(access, lane, offset, size);
            touch(state->cross, class, (addresses[lane] + offset) >> shift, &mark);
        }
    }
}

void cross_access(struct hazard_state *state, const struct sim_access *access)
{
    bool copies = access->kind == SIM_ASYNC_COPY || access->kind == SIM_BULK_COPY;
    if (copies && access->source_space == PTX_GLOBAL && access->source_mask) {
        struct sim_access source = *access;
        source.mask = access->source_mask;
        touch_lanes(state, &source, CROSS_READ, access->sources, access->source_bytes);
    }
    if (access->space != PTX_GLOBAL)
        return;
    enum cross_class class = CROSS_WRITE;
    if (access->kind == SIM_LOAD)
        class = CROSS_READ;
    else if (access->kind == SIM_ATOMIC || access->kind == SIM_REDUCE || access->order != SIM_WEAK)
        class = CROSS_STRONG;
    touch_lanes(state, access, class, access->addresses, access->bytes);
}

static struct cross_place *place_get(struct cross_table *table, uint64_t address)
{
    struct cross_block *now = &table->now;
    for (uint32_t i = 0; i < now->count; i++) {
        if (now->places[i].address == address)
            return &now->places[i];
    }
    if (now->count == SYNC_PLACES)
        return NULL;
    now->places[now->count] = (struct cross_place){.address = address};
    return &now->places[now->count++];
}

void cross_release(struct hazard_state *state, uint64_t address, uint32_t tick)
{
    struct cross_place *place = place_get(state->cross, address);
    if (place && place->released < tick)
        place->released = tick;
}

void cross_strong_read(struct hazard_state *state, uint64_t address)
{
    struct cross_table *table = state->cross;
    for (uint32_t i = 0; i < table->pending_count; i++) {
        if (table->pending[i] == address)
            return;
    }
    if (table->pending_count < SYNC_PLACES)
        table->pending[table->pending_count++] = address;
    state->order.outside = true;
}

void cross_acquire(struct hazard_state *state)
{
    struct cross_table *table = state->cross;
    uint32_t tick = ++state->order.tick;
    for (uint32_t i = 0; i < table->pending_count; i++) {
        struct cross_place *place = place_get(table, table->pending[i]);
        if (place && !place->acquired)
            place->acquired = tick;
    }
    table->pending_count = 0;
    state->order.outside = false;
}

void cross_end_block(struct hazard_state *state)
{
    struct cross_table *table = state->cross;
    if (table->now.count) {
        mem_reserve((void **)&table->blocks, &table->block_capacity, table->block_count, sizeof *table->blocks);
        table->now.block = (uint32_t)state->block->linear + 1;
        table->blocks[table->block_count++] = table->now;
    }
    table->now = (struct cross_block){0};
    table->pending_count = 0;
}

// ---- when all have ended

static bool is_touched(const struct cross_page *page, enum cross_class class)
{
    return page->lines[class] || page->first[class];
}

static void line_merge(struct cross_page *into, struct cross_page *from, enum cross_class class, uint32_t line)
{
    const struct cross_mark *whole = line_at(from, class, line);
    const uint32_t *values = from->values ? from->values + line * SIM_LANES : NULL;
    if (!is_loose(from, class, line) && (!whole || line_put(into, class, line, whole, values)))
        return;
    line_loosen(from, class, line);
    if (!is_loose(into, class, line))
        line_loosen(into, class, line);
    for (uint32_t cell = line * SIM_LANES; cell < (line + 1) * SIM_LANES; cell++) {
        if (from->first[class] && from->first[class][cell].block)
            page_put(into, class, cell, &from->first[class][cell]);
        if (from->second[class] && from->second[class][cell].block)
            page_put(into, class, cell, &from->second[class][cell]);
    }
}

static void page_merge(struct cross_table *into, struct cross_page *from)
{
    struct cross_page *page = page_get(into, from->key);
    if (page && !is_touched(page, CROSS_READ) && !is_touched(page, CROSS_WRITE) && !is_touched(page, CROSS_STRONG)) {
        *page = *from;
        return;
    }
    for (int class = 0; page && class < CROSS_CLASSES; class ++)
        for (uint32_t line = 0; line < PAGE_LINES && is_touched(from, (enum cross_class) class); line++)
            line_merge(page, from, (enum cross_class) class, line);
    page_free(from);
}

void cross_merge(struct cross_table *into, struct cross_table *from)
{
    for (size_t i = 0; i < from->page_capacity; i++) {
        if (page_used(&from->pages[i]))
            page_merge(into, &from->pages[i]);
    }
    for (size_t i = 0; i < from->block_count; i++) {
        mem_reserve((void **)&into->blocks, &into->block_capacity, into->block_count, sizeof *into->blocks);
        into->blocks[into->block_count++] = from->blocks[i];
    }
    free(from->pages);
    free(from->blocks);
    *from = (struct cross_table){0};
}

static int block_compare(const void *a, const void *b)
{
    const struct cross_block *x = a, *y = b;
    return x->block < y->block ? -1 : x->block > y->block;
}

static const struct cross_block *block_find(const struct cross_table *table, uint32_t block)
{
    struct cross_block key = {.block = block};
    return table->block_count ? bsearch(&key, table->blocks, table->block_count, sizeof key, block_compare) : NULL;
}

// a was released by its block through a place that b's block acquired before b.
static bool handed_over(const struct cross_table *table, const struct cross_mark *a, const struct cross_mark *b)
{
    const struct cross_block *from = block_find(table, a->block), *to = block_find(table, b->block);
    if (!from || !to)
        return false;
    for (uint32_t i = 0; i < from->count; i++) {
        for (uint32_t j = 0; j < to->count; j++) {
            if (from->places[i].address == to->places[j].address && from->places[i].released > a->tick &&
                to->places[j].acquired && to->places[j].acquired <= b->tick)
                return true;
        }
    }
    return false;
}

static const struct cross_mark *mark_at(struct cross_mark *const *marks, uint32_t cell)
{
    return marks && *marks && (*marks)[cell].block ? &(*marks)[cell] : NULL;
}

static void report_pair(struct hazard_checker *checker, uint64_t address, const struct cross_mark *a,
                        const struct cross_mark *b, bool both_write)
{
    if (!a || !b || a->block == b->block || (a->strong && b->strong) || handed_over(checker->cross, a, b) ||
        handed_over(checker->cross, b, a))
        return;
    struct finding finding = {.kind = HAZARD_BLOCK_RACE,
                              .pc = a->pc,
                              .other_pc = b->pc,
                              .benign = both_write && a->value == b->value,
                              .several_blocks = true,
                              .space = PTX_GLOBAL,
                              .block = a->block - 1,
                              .other_block = b->block - 1,
                              .thread = a->thread,
                              .other_thread = b->thread,
                              .address = address,
                              .count = 1};
    finding_add(&checker->findings, &finding);
}

static const struct cross_mark *other_block(const struct cross_page *page, enum cross_class class, uint32_t cell,
                                            const struct cross_mark *than)
{
    const struct cross_mark *first = mark_at(&page->first[class], cell);
    if (first && than && first->block == than->block)
        return mark_at(&page->second[class], cell);
    return first;
}

static void report_cell(struct hazard_checker *checker, const struct cross_page *page, uint32_t cell)
{
    uint64_t address = (page->key * PAGE_CELLS + cell) << checker->global_shift;
    const struct cross_mark *write = mark_at(&page->first[CROSS_WRITE], cell);
    const struct cross_mark *strong = mark_at(&page->first[CROSS_STRONG], cell);
    if (write) {
        report_pair(checker, address, write, mark_at(&page->second[CROSS_WRITE], cell), true);
        report_pair(checker, address, write, other_block(page, CROSS_READ, cell, write), false);
        report_pair(checker, address, write, other_block(page, CROSS_STRONG, cell, write), false);
    }
    if (strong)
        report_pair(checker, address, strong, other_block(page, CROSS_READ, cell, strong), false);
}

void cross_report(struct hazard_checker *checker)
{
    struct cross_table *table = checker->cross;
    if (table->block_count)
        qsort(table->blocks, table->block_count, sizeof *table->blocks, block_compare);
    for (size_t i = 0; i < table->page_capacity; i++) {
        struct cross_page *page = &table->pages[i];
        bool alone = !page->second[CROSS_WRITE] && !is_touched(page, CROSS_READ) && !is_touched(page, CROSS_STRONG);
        if (!page_used(page) || alone || (!is_touched(page, CROSS_WRITE) && !is_touched(page, CROSS_STRONG)))
            continue;
        for (uint32_t line = 0; line < PAGE_CELLS / SIM_LANES; line++)
            for (int class = 0; class < CROSS_CLASSES; class ++)
                if (!is_loose(page, (enum cross_class) class, line))
                    line_loosen(page, (enum cross_class) class, line);
        for (uint32_t cell = 0; cell < PAGE_CELLS; cell++)
            report_cell(checker, page, cell);
    }
}
