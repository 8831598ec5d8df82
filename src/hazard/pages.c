#include "hazard/pages.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { PAGE_LINES = 64, PAGE_BYTES = PAGE_LINES * COVER_BYTES, RECORDS = 2, PLACES_MAX = 1 << 22 };

// What one block did to a line: everything at one pc and tick. In the pool; of CROSS_WRITE, the values follow, by
// place.
struct record {
    uint64_t bytes; // that it touched; 0: free
    uint32_t block, pc;
    uint32_t tick : 30, strong : 1;
    uint32_t listed : 1; // threads are in the list, by place; else place i's is thread + i * step
    union {
        struct {
            uint16_t thread;
            int16_t step;
        };
        uint16_t *list;
    };
};

struct page {
    uint64_t key;                                    // address / PAGE_BYTES; 0: free, no allocation lies there
    struct record **records[CROSS_CLASSES][RECORDS]; // by line; NULL = none
    uint64_t loose[CROSS_CLASSES];                   // by line
    struct cross_mark *marks[CROSS_CLASSES][RECORDS];
};

// Where the words of the last access went. The next warp often goes on in the same lines.
struct route {
    uint32_t serial, block;
    uint64_t word;
    const struct shape_cover *cover;
    struct record *records[SHAPE_LANES];
};

struct chunk { // of the pool: records, values and lists
    struct chunk *next;
    size_t used;
    _Alignas(8) unsigned char bytes[1 << 18];
};

struct cross_pages {
    uint32_t shift, places; // places of a page
    struct page *items;     // hash table
    size_t count, capacity;
    struct page *last;
    struct route routes[CROSS_CLASSES];
    struct chunk *chunks; // the first one is being filled
};

struct cross_pages *cross_pages_new(uint32_t shift)
{
    struct cross_pages *pages = mem_alloc(sizeof *pages);
    pages->shift = shift;
    pages->places = PAGE_BYTES >> shift;
    return pages;
}

static void page_free(struct page *page)
{
    for (int class = 0; class < CROSS_CLASSES; class ++) {
        for (int i = 0; i < RECORDS; i++) {
            free(page->records[class][i]);
            free(page->marks[class][i]);
        }
    }
}

static void pages_clear(struct cross_pages *pages)
{
    for (size_t i = 0; i < pages->capacity; i++)
        page_free(&pages->items[i]);
    free(pages->items);
    while (pages->chunks) {
        struct chunk *next = pages->chunks->next;
        free(pages->chunks);
        pages->chunks = next;
    }
    *pages = (struct cross_pages){.shift = pages->shift, .places = pages->places};
}

void cross_pages_free(struct cross_pages *pages)
{
    if (!pages)
        return;
    pages_clear(pages);
    free(pages);
}

// ---- pages

static struct page *page_slot(const struct cross_pages *pages, uint64_t key)
{
    size_t mask = pages->capacity - 1, slot = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) & mask;
    while (pages->items[slot].key && pages->items[slot].key != key)
        slot = (slot + 1) & mask;
    return &pages->items[slot];
}

static void pages_grow(struct cross_pages *pages)
{
    struct page *old = pages->items;
    size_t capacity = pages->capacity;
    pages->capacity = capacity ? 2 * capacity : 64;
    pages->items = mem_alloc(pages->capacity * sizeof *pages->items);
    for (size_t i = 0; i < capacity; i++) {
        if (old[i].key)
            *page_slot(pages, old[i].key) = old[i];
    }
    free(old);
    pages->last = NULL;
}

// NULL: the bound is reached.
static struct page *page_get(struct cross_pages *pages, uint64_t key)
{
    if (pages->last && pages->last->key == key)
        return pages->last;
    if (!key)
        return NULL;
    if (2 * (pages->count + 1) > pages->capacity)
        pages_grow(pages);
    struct page *page = page_slot(pages, key);
    if (!page->key) {
        if (pages->count == PLACES_MAX / pages->places)
            return NULL;
        page->key = key;
        pages->count++;
    }
    return pages->last = page;
}

static bool is_touched(const struct page *page, enum cross_class class)
{
    return page->records[class][0] || page->marks[class][0];
}

// ---- marks

static struct cross_mark *marks_get(const struct cross_pages *pages, struct cross_mark **marks)
{
    if (!*marks)
        *marks = mem_alloc(pages->places * sizeof **marks);
    return *marks;
}

static void mark_put(const struct cross_pages *pages, struct page *page, enum cross_class class, uint32_t place,
                     const struct cross_mark *mark)
{
    struct cross_mark *first = &marks_get(pages, &page->marks[class][0])[place];
    if (first->block == mark->block)
        return;
    if (!first->block) {
        *first = *mark;
        return;
    }
    struct cross_mark *second = &marks_get(pages, &page->marks[class][1])[place];
    if (mark->block < first->block) {
        *second = *first;
        *first = *mark;
    } else if (!second->block || mark->block < second->block) {
        *second = *mark;
    }
}

// ---- lines

static uint32_t line_places(const struct cross_pages *pages)
{
    return COVER_BYTES >> pages->shift;
}

static bool is_loose(const struct page *page, enum cross_class class, uint32_t line)
{
    return page->loose[class] >> line & 1;
}

static void *pool_take(struct cross_pages *pages, size_t bytes)
{
    struct chunk *chunk = pages->chunks;
    bytes = (bytes + 7) / 8 * 8;
    if (!chunk || chunk->used + bytes > sizeof chunk->bytes) {
        chunk = mem_alloc(sizeof *chunk);
        chunk->next = pages->chunks;
        pages->chunks = chunk;
    }
    chunk->used += bytes;
    return chunk->bytes + chunk->used - bytes;
}

// NULL: none, or free.
static struct record *record_at(const struct page *page, enum cross_class class, int number, uint32_t line)
{
    struct record *record = page->records[class][number] ? page->records[class][number][line] : NULL;
    return record && record->bytes ? record : NULL;
}

static uint32_t *record_values(struct record *record)
{
    return (uint32_t *)(record + 1);
}

static uint16_t record_thread(const struct record *record, uint32_t place)
{
    return record->listed ? record->list[place] : (uint16_t)(record->thread + (int)place * record->step);
}

static struct cross_mark record_mark(enum cross_class class, struct record *record, uint32_t place)
{
    return (struct cross_mark){.block = record->block,
                               .pc = record->pc,
                               .tick = record->tick,
                               .value = class == CROSS_WRITE ? record_values(record)[place] : 0,
                               .thread = record_thread(record, place),
                               .strong = record->strong};
}

static uint64_t place_bytes(const struct cross_pages *pages, uint32_t place)
{
    return UINT64_MAX >> (64 - (1u << pages->shift)) << (place << pages->shift);
}

static void record_list(struct cross_pages *pages, struct record *record)
{
    uint16_t *list = pool_take(pages, line_places(pages) * sizeof *list);
    for (uint32_t i = 0; i < line_places(pages); i++)
        list[i] = record_thread(record, i);
    record->listed = true;
    record->list = list;
}

// A thread that the record's rule does not tell: a new rule, or a list.
static void record_bend(struct cross_pages *pages, struct record *record, uint32_t place, uint16_t thread)
{
    uint32_t one = (uint32_t)__builtin_ctzll(record->bytes) >> pages->shift;
    uint16_t before = record_thread(record, one);
    int more = thread - before, far = (int)place - (int)one;
    if (record->bytes == place_bytes(pages, one) && more % far == 0) {
        record->step = (int16_t)(more / far);
        record->thread = (uint16_t)(before - (int)one * record->step);
    } else {
        record_list(pages, record);
    }
}

// A place that is new to the record.
static inline void record_add(struct cross_pages *pages, struct record *record, uint32_t place, uint16_t thread)
{
    if (!record->bytes) {
        record->thread = thread;
        record->step = 0;
    } else if (!record->listed && record_thread(record, place) != thread) {
        record_bend(pages, record, place, thread);
    }
    if (record->listed)
        record->list[place] = thread;
    record->bytes |= place_bytes(pages, place);
}

static void line_loosen(const struct cross_pages *pages, struct page *page, enum cross_class class, uint32_t line)
{
    page->loose[class] |= UINT64_C(1) << line;
    for (int i = 0; i < RECORDS; i++) {
        struct record *record = record_at(page, class, i, line);
        for (uint32_t place = 0; record && place < line_places(pages); place++) {
            if (!(record->bytes & place_bytes(pages, place)))
                continue;
            struct cross_mark mark = record_mark(class, record, place);
            mark_put(pages, page, class, line * line_places(pages) + place, &mark);
        }
        if (record)
            record->bytes = 0;
    }
}

static struct record **lines_get(struct page *page, enum cross_class class, int number)
{
    if (!page->records[class][number])
        page->records[class][number] = mem_alloc(PAGE_LINES * sizeof *page->records[class][number]);
    return page->records[class][number];
}

// An empty record of mark's block. Its bytes have to be added before anything else is asked of the line.
static struct record *record_new(struct cross_pages *pages, struct page *page, enum cross_class class, int number,
                                 uint32_t line, const struct cross_mark *mark)
{
    struct record **at = &lines_get(page, class, number)[line];
    size_t values = class == CROSS_WRITE ? line_places(pages) * sizeof(uint32_t) : 0;
    if (!*at)
        *at = pool_take(pages, sizeof **at + values);
    **at = (struct record){
        .block = mark->block, .pc = mark->pc, .tick = mark->tick & (UINT32_MAX >> 2), .strong = mark->strong != 0};
    return *at;
}

static bool record_goes_on(const struct record *record, const struct cross_mark *mark)
{
    return record->block == mark->block && record->pc == mark->pc && record->tick == mark->tick &&
           record->strong == mark->strong;
}

enum fit { FIT_RECORD, FIT_NOTHING_NEW, FIT_LOOSE };

// Finds the record (*at) that takes what mark's block did to these bytes of the line. Or: two lower blocks, or this
// one, are noted there already; or the line has to become loose.
static enum fit line_fit(struct cross_pages *pages, struct page *page, enum cross_class class, uint32_t line,
                         uint64_t bytes, const struct cross_mark *mark, struct record **at)
{
    struct record *records[RECORDS];
    if (is_loose(page, class, line))
        return FIT_LOOSE;
    for (int i = 0; i < RECORDS; i++) {
        struct record *record = records[i] = record_at(page, class, i, line);
        if (!record) {
            *at = record_new(pages, page, class, i, line, mark);
            return FIT_RECORD;
        }
        if (record->block != mark->block)
            continue;
        *at = record;
        if (!(bytes & ~record->bytes))
            return FIT_NOTHING_NEW;
        return record_goes_on(record, mark) ? FIT_RECORD : FIT_LOOSE;
    }
    int high = records[1]->block > records[0]->block;
    const struct record *low = records[!high];
    if (mark->block > records[high]->block)
        return bytes & ~(records[0]->bytes & records[1]->bytes) ? FIT_LOOSE : FIT_NOTHING_NEW;
    if (records[high]->bytes & ~(bytes & low->bytes))
        return FIT_LOOSE;
    *at = record_new(pages, page, class, high, line, mark);
    return FIT_RECORD;
}

// ---- while blocks run

void cross_touch_place(struct cross_pages *pages, enum cross_class class, uint64_t address,
                       const struct cross_mark *mark)
{
    struct page *page = page_get(pages, address / PAGE_BYTES);
    uint32_t line = (uint32_t)(address % PAGE_BYTES / COVER_BYTES);
    if (!page)
        return;
    if (!is_loose(page, class, line))
        line_loosen(pages, page, class, line);
    mark_put(pages, page, class, (uint32_t)(address % PAGE_BYTES) >> pages->shift, mark);
}

static uint32_t value_of(const struct cross_pages *pages, const struct cross_touch *touch, uint32_t lane,
                         uint32_t offset)
{
    uint32_t value = 0;
    if (touch->class != CROSS_WRITE || !touch->values)
        return 0;
    const unsigned char *from = touch->values + (size_t)lane * touch->value_stride + offset;
    if (pages->shift == 2)
        memcpy(&value, from, 4); // by far the most, and no call then
    else
        memcpy(&value, from, (size_t)1 << pages->shift);
    return value;
}

static uint64_t lane_address(const struct cross_touch *touch, uint32_t lane)
{
    return touch->first + (uint64_t)(int64_t)touch->shape->distances[lane];
}

static void touch_loose(const struct cross_pages *pages, struct page *page, const struct cross_touch *touch,
                        const struct shape_word *word)
{
    struct cross_mark mark = touch->mark;
    for (uint32_t rest = word->lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), size = 1u << pages->shift;
        uint32_t place = (uint32_t)(lane_address(touch, lane) % PAGE_BYTES) >> pages->shift;
        mark.thread = (uint16_t)(touch->mark.thread + lane);
        for (uint32_t offset = 0; offset < touch->shape->bytes; offset += size) {
            mark.value = value_of(pages, touch, lane, offset);
            mark_put(pages, page, touch->class, place++, &mark);
        }
    }
}

// Adds the word to a record that takes it.
static void record_fill(struct cross_pages *pages, struct record *record, const struct cross_touch *touch,
                        const struct shape_word *word)
{
    uint32_t size = 1u << pages->shift, first = (uint32_t)__builtin_ctz(word->lanes);
    uint32_t from = (uint32_t)(lane_address(touch, first) % COVER_BYTES) >> pages->shift;
    bool plain = touch->class != CROSS_WRITE || (touch->values && touch->value_stride == 4 && size == 4);
    if (!record->bytes && word->row && touch->shape->bytes == size && plain) {
        record->bytes = word->bits;
        record->step = 1;
        record->thread = (uint16_t)(touch->mark.thread + first - from);
        if (touch->class == CROSS_WRITE)
            memcpy(record_values(record) + from, touch->values + 4 * (size_t)first,
                   4 * (size_t)__builtin_popcount(word->lanes));
        return;
    }
    for (uint32_t rest = word->lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint32_t place = (uint32_t)(lane_address(touch, lane) % COVER_BYTES) >> pages->shift;
        for (uint32_t offset = 0; offset < touch->shape->bytes; offset += size, place++) {
            if (record->bytes & place_bytes(pages, place))
                continue;
            if (touch->class == CROSS_WRITE)
                record_values(record)[place] = value_of(pages, touch, lane, offset);
            record_add(pages, record, place, (uint16_t)(touch->mark.thread + lane));
        }
    }
}

static void touch_word(struct cross_pages *pages, const struct cross_touch *touch, const struct shape_word *word,
                       uint64_t number, struct record **at)
{
    struct page *page = page_get(pages, number / PAGE_LINES);
    uint32_t line = (uint32_t)(number % PAGE_LINES);
    if (!page)
        return;
    switch (line_fit(pages, page, touch->class, line, word->bits, &touch->mark, at)) {
    case FIT_RECORD:
        record_fill(pages, *at, touch, word);
        break;
    case FIT_LOOSE:
        if (!is_loose(page, touch->class, line))
            line_loosen(pages, page, touch->class, line);
        touch_loose(pages, page, touch, word);
        break;
    case FIT_NOTHING_NEW:
        break;
    }
}

// The lines are those of the route, in the same order.
static bool route_holds(const struct route *route, const struct cross_touch *touch)
{
    bool same_words = route->cover == touch->cover || !(touch->shape->odd % COVER_BYTES);
    return route->serial == touch->shape->serial && route->word == touch->first / COVER_BYTES && same_words &&
           route->block == touch->mark.block;
}

void cross_touch_cover(struct cross_pages *pages, const struct cross_touch *touch)
{
    struct route *route = &pages->routes[touch->class];
    uint64_t first = touch->first / COVER_BYTES;
    if (!route_holds(route, touch)) {
        *route = (struct route){
            .serial = touch->shape->serial, .block = touch->mark.block, .word = first, .cover = touch->cover};
    }
    for (uint32_t i = 0; i < touch->cover->count; i++) {
        const struct shape_word *word = &touch->cover->words[i];
        struct record *record = route->records[i];
        if (!record || !record->bytes || !record_goes_on(record, &touch->mark))
            touch_word(pages, touch, word, first + (uint64_t)(int64_t)word->at, &route->records[i]);
        else if (word->bits & ~record->bytes)
            record_fill(pages, record, touch, word);
    }
}

// ---- when all have ended

static bool record_merge(struct cross_pages *pages, struct page *into, struct record *record, enum cross_class class,
                         uint32_t line)
{
    struct cross_mark mark = record_mark(class, record, 0);
    struct record *copy = NULL;
    enum fit fit = line_fit(pages, into, class, line, record->bytes, &mark, &copy);
    if (fit != FIT_RECORD)
        return fit == FIT_NOTHING_NEW;
    *copy = *record;
    if (class == CROSS_WRITE)
        memcpy(record_values(copy), record_values(record), line_places(pages) * sizeof(uint32_t));
    return true;
}

static void line_merge(struct cross_pages *pages, struct page *into, struct page *from, enum cross_class class,
                       uint32_t line)
{
    bool whole = !is_loose(from, class, line);
    for (int i = 0; i < RECORDS && whole; i++) {
        struct record *record = record_at(from, class, i, line);
        whole = !record || record_merge(pages, into, record, class, line);
    }
    if (whole)
        return;
    line_loosen(pages, from, class, line);
    line_loosen(pages, into, class, line);
    for (uint32_t i = line * line_places(pages); i < (line + 1) * line_places(pages); i++)
        for (int k = 0; k < RECORDS; k++)
            if (from->marks[class][k] && from->marks[class][k][i].block)
                mark_put(pages, into, class, i, &from->marks[class][k][i]);
}

// Most lines are one table's alone: their records, which live on in the pool, only change hands.
static void class_merge(struct cross_pages *pages, struct page *into, struct page *from, enum cross_class class)
{
    if (!is_touched(from, class))
        return;
    struct record **first = lines_get(into, class, 0), *none[PAGE_LINES] = {NULL};
    struct record **theirs = from->records[class][0] ? from->records[class][0] : none;
    struct record **second = from->records[class][1] ? from->records[class][1] : none;
    for (uint32_t line = 0; line < PAGE_LINES; line++) {
        bool whole = !is_loose(from, class, line) && !is_loose(into, class, line);
        if (whole && !first[line] && !second[line])
            first[line] = theirs[line];
        else if (!whole || theirs[line])
            line_merge(pages, into, from, class, line);
    }
}

static void pool_append(struct cross_pages *into, struct cross_pages *from)
{
    struct chunk **end = &into->chunks;
    while (*end)
        end = &(*end)->next;
    *end = from->chunks;
    from->chunks = NULL;
}

void cross_pages_merge(struct cross_pages *into, struct cross_pages *from)
{
    if (!into->count) {
        struct cross_pages empty = *into;
        *into = *from;
        *from = empty;
        return;
    }
    for (size_t i = 0; i < from->capacity; i++) {
        struct page *page = &from->items[i], *mine = page->key ? page_get(into, page->key) : NULL;
        for (int class = 0; mine && class < CROSS_CLASSES; class ++)
            class_merge(into, mine, page, (enum cross_class) class);
    }
    pool_append(into, from);
    pages_clear(from);
}

// Blocks can have met there: somebody wrote, and somebody else was there.
static bool may_meet(const struct page *page)
{
    bool alone = !page->records[CROSS_WRITE][1] && !page->marks[CROSS_WRITE][1] && !is_touched(page, CROSS_READ) &&
                 !is_touched(page, CROSS_STRONG);
    return !alone && (is_touched(page, CROSS_WRITE) || is_touched(page, CROSS_STRONG));
}

void cross_pages_visit(struct cross_pages *pages, void (*visit)(void *context, const struct cross_cell *cell),
                       void *context)
{
    for (size_t i = 0; i < pages->capacity; i++) {
        struct page *page = &pages->items[i];
        if (!page->key || !may_meet(page))
            continue;
        for (uint32_t line = 0; line < PAGE_LINES; line++)
            for (int class = 0; class < CROSS_CLASSES; class ++)
                line_loosen(pages, page, (enum cross_class) class, line);
        for (uint32_t place = 0; place < pages->places; place++) {
            struct cross_cell cell = {.address = page->key * PAGE_BYTES + ((uint64_t)place << pages->shift)};
            for (int class = 0; class < CROSS_CLASSES; class ++)
                for (int k = 0; k < RECORDS; k++) {
                    const struct cross_mark *marks = page->marks[class][k];
                    cell.marks[class][k] = marks && marks[place].block ? &marks[place] : NULL;
                }
            visit(context, &cell);
        }
    }
}
