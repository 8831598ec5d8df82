// The store of what blocks did to global memory. Records lie in lists by line, sorted by block; a page holds the lists
// of 64 lines. Nothing here decides what a hazard is: cross.c does.
#include "hazard/pages.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "sim/shape.h"

enum { PAGE_LINES = 64, PAGE_BYTES = PAGE_LINES * COVER_BYTES, LINE_PLACES = COVER_BYTES, PLACES_MAX = 1 << 22 };

// What one block did first to some places of a line, all by one instruction, by threads that follow a
// rule: thread + i * step has places i << span and up, as many as a lane has. Of CROSS_WRITE the values follow, by
// place.
struct cross_record {
    struct cross_record *next; // of a higher block, or of the same
    uint64_t bytes;            // that it touched
    uint32_t block, pc;
    uint32_t how; // strong << 3 | span
    uint16_t thread;
    int16_t step;
};

struct cross_page {
    uint64_t key;                               // address / PAGE_BYTES
    struct cross_record **lines[CROSS_CLASSES]; // lists by line; NULL: all are empty
};

// Where the words of the last access went. The next warp often goes on in the same lines.
struct cross_route {
    uint32_t serial, block;
    uint64_t word;
    const struct shape_cover *cover;
    struct cross_record **lines[SHAPE_LANES];
};

struct cross_pages {
    uint32_t shift;
    struct map by_key;         // of struct cross_page *; NULL: dropped
    struct cross_page **items; // those that are watched
    size_t count, capacity;
    uint64_t limit;                       // no page is watched from this key on
    uint64_t least_written, most_written; // keys of pages that somebody wrote to
    struct cross_page *last;
    struct cross_route routes[CROSS_CLASSES];
    struct cross_record *unused[CROSS_CLASSES];
    bool crowded[CROSS_CLASSES]; // a line has several records
    struct arena **arenas;       // of pages and records; the first one is being filled
    size_t arena_count, arena_capacity;
};

struct cross_pages *cross_pages_new(uint32_t shift)
{
    struct cross_pages *pages = mem_alloc(sizeof *pages);
    *pages = (struct cross_pages){
        .shift = shift, .by_key = map_of(struct cross_page *), .limit = UINT64_MAX, .least_written = UINT64_MAX};
    mem_reserve(&pages->arenas, &pages->arena_capacity, 0);
    pages->arenas[pages->arena_count++] = arena_new();
    return pages;
}

void cross_pages_free(struct cross_pages *pages)
{
    if (!pages)
        return;
    for (size_t i = 0; i < pages->arena_count; i++)
        arena_free(pages->arenas[i]);
    map_free(&pages->by_key);
    free(pages->items);
    free(pages->arenas);
    free(pages);
}

// ---- records

static uint32_t line_places(const struct cross_pages *pages)
{
    return (uint32_t)LINE_PLACES >> pages->shift;
}

static uint32_t *record_values(struct cross_record *record)
{
    return (uint32_t *)(record + 1);
}

static uint64_t place_bytes(const struct cross_pages *pages, uint32_t place)
{
    return UINT64_MAX >> (64 - (1u << pages->shift)) << (place << pages->shift);
}

static uint32_t record_lane(const struct cross_record *record, uint32_t place)
{
    return place >> (record->how & 7);
}

static uint16_t record_thread(const struct cross_record *record, uint32_t place)
{
    return (uint16_t)(record->thread + (int)record_lane(record, place) * record->step);
}

static struct cross_record *record_new(struct cross_pages *pages, enum cross_class class)
{
    struct cross_record *record = pages->unused[class];
    size_t values = class == CROSS_WRITE ? line_places(pages) * sizeof(uint32_t) : 0;
    if (!record)
        return arena_alloc(pages->arenas[0], sizeof *record + values);
    pages->unused[class] = record->next;
    return record;
}

// Takes the first record out of the list.
static void record_drop(struct cross_pages *pages, enum cross_class class, struct cross_record **at)
{
    struct cross_record *record = *at;
    *at = record->next;
    record->next = pages->unused[class];
    pages->unused[class] = record;
}

// Whether these bytes are places of one lane of the record's rule.
static bool is_one_lane(const struct cross_pages *pages, const struct cross_record *record, uint64_t bytes,
                        uint32_t place)
{
    uint32_t size = 1u << (pages->shift + (record->how & 7));
    return !(bytes & ~(UINT64_MAX >> (64 - size) << record_lane(record, place) * size));
}

// Whether the record can stand for these bytes, too, which follow more's rule. A second lane chooses the step.
static inline bool record_takes(const struct cross_pages *pages, struct cross_record *record,
                                const struct cross_record *more, uint64_t bytes)
{
    if (record->pc != more->pc || record->how != more->how)
        return false;
    uint32_t place = (uint32_t)__builtin_ctzll(bytes) >> pages->shift;
    bool one_lane = is_one_lane(pages, more, bytes, place),
         same = record_thread(record, place) == record_thread(more, place);
    if (same && (one_lane || record->step == more->step))
        return true;
    uint32_t own = (uint32_t)__builtin_ctzll(record->bytes) >> pages->shift;
    int lane = (int)record_lane(record, own), far = (int)record_lane(record, place) - lane;
    int apart = (int16_t)(record_thread(more, place) - record_thread(record, own));
    if (!one_lane || !is_one_lane(pages, record, record->bytes, own) || !far || apart % far)
        return false;
    record->thread = (uint16_t)(record_thread(record, own) - lane * (apart / far));
    record->step = (int16_t)(apart / far);
    return true;
}

// Where a block's records stand in a line's list.
struct record_spot {
    struct cross_record **own; // the first one, or where it would go
    uint64_t lower;            // bytes that lower blocks touched
};

// Those of these bytes of a line that at most one lower block touched, and this one not yet.
static inline uint64_t line_open(struct cross_record **at, uint32_t block, uint64_t bytes, struct record_spot *spot)
{
    uint64_t lower = 0, gone = 0;
    for (; *at && (*at)->block < block; at = &(*at)->next) {
        gone |= lower & (*at)->bytes;
        lower |= (*at)->bytes;
    }
    *spot = (struct record_spot){at, lower};
    for (; *at && (*at)->block == block; at = &(*at)->next)
        gone |= (*at)->bytes;
    return bytes & ~gone;
}

// Takes from higher blocks what they were second to touch and are third now.
static void line_trim(struct cross_pages *pages, enum cross_class class, struct cross_record **at, uint64_t lower,
                      uint64_t bytes)
{
    uint32_t block = (*at)->block;
    while (*at && (*at)->block == block)
        at = &(*at)->next;
    for (uint64_t third = lower & bytes; *at;) {
        (*at)->bytes &= ~third;
        third |= bytes & (*at)->bytes;
        if ((*at)->bytes)
            at = &(*at)->next;
        else
            record_drop(pages, class, at);
    }
}

// Notes open bytes, in a record like `like`.
static struct cross_record *line_put(struct cross_pages *pages, enum cross_class class, const struct record_spot *spot,
                                     const struct cross_record *like, uint64_t bytes)
{
    struct cross_record *taker = *spot->own;
    while (taker && (taker->block != like->block || !record_takes(pages, taker, like, bytes)))
        taker = taker->block == like->block ? taker->next : NULL;
    if (!taker) {
        taker = record_new(pages, class);
        pages->crowded[class] |= spot->lower || *spot->own;
        *taker = *like;
        taker->next = *spot->own;
        taker->bytes = 0;
        *spot->own = taker;
    }
    taker->bytes |= bytes;
    if (taker->next)
        line_trim(pages, class, spot->own, spot->lower, bytes);
    return taker;
}

// ---- pages

static void page_empty(struct cross_pages *pages, struct cross_page *page)
{
    for (int class = 0; class < CROSS_CLASSES; class ++)
        for (uint32_t line = 0; page->lines[class] && line < PAGE_LINES; line++)
            while (page->lines[class][line])
                record_drop(pages, (enum cross_class) class, &page->lines[class][line]);
}

// A page for one more key. Of too many the highest goes, whatever order they came in; NULL: that is the new one.
static struct cross_page *page_new(struct cross_pages *pages, uint64_t key)
{
    if (pages->count < (size_t)(PLACES_MAX / PAGE_BYTES) << pages->shift) {
        mem_reserve(&pages->items, &pages->capacity, pages->count);
        return pages->items[pages->count++] = arena_alloc(pages->arenas[0], sizeof(struct cross_page));
    }
    struct cross_page *highest = pages->items[0];
    for (size_t i = 1; i < pages->count; i++)
        highest = pages->items[i]->key > highest->key ? pages->items[i] : highest;
    if (highest->key < key) {
        pages->limit = key;
        return NULL;
    }
    pages->limit = highest->key;
    *(struct cross_page **)map_find(&pages->by_key, highest->key) = NULL;
    page_empty(pages, highest);
    memset(pages->routes, 0, sizeof pages->routes);
    return highest;
}

// NULL: it is not watched.
static struct cross_page *page_get(struct cross_pages *pages, uint64_t key)
{
    if (pages->last && pages->last->key == key)
        return pages->last;
    if (!key || key >= pages->limit) // no allocation lies at 0
        return NULL;
    struct cross_page **known = map_find(&pages->by_key, key), *page = known ? *known : page_new(pages, key);
    if (!page)
        return NULL;
    page->key = key;
    if (!known)
        *(struct cross_page **)map_add(&pages->by_key, key, NULL) = page;
    return pages->last = page;
}

static struct cross_record **line_get(struct cross_pages *pages, enum cross_class class, uint64_t number)
{
    struct cross_page *page = page_get(pages, number / PAGE_LINES);
    if (!page)
        return NULL;
    if (!page->lines[class])
        page->lines[class] = arena_alloc(pages->arenas[0], PAGE_LINES * sizeof *page->lines[class]);
    if (class == CROSS_WRITE) {
        pages->least_written = page->key < pages->least_written ? page->key : pages->least_written;
        pages->most_written = page->key > pages->most_written ? page->key : pages->most_written;
    }
    return &page->lines[class][number % PAGE_LINES];
}

// ---- while blocks run

struct cross_touch {
    struct cross_pages *pages;
    enum cross_class class;
    const struct sim_access *access;
    const unsigned char *values; // NULL: 0, or none
    uint16_t thread;             // of lane 0
    struct cross_record like;    // the next record to be made
};

static uint64_t touch_address(const struct cross_touch *touch, uint32_t lane)
{
    const struct sim_access *access = touch->access;
    return access->addresses ? access->addresses[lane]
                             : access->first + (uint64_t)(int64_t)access->shape->distances[lane];
}

static uint32_t touch_value(const struct cross_touch *touch, uint32_t lane, uint64_t offset)
{
    uint32_t value = 0, shift = touch->pages->shift;
    if (!touch->values) // what several add is no value that they agree in
        return touch->access->kind == SIM_LOAD || touch->access->kind == SIM_STORE ? 0 : touch->like.block;
    const unsigned char *from = touch->values + (size_t)lane * touch->access->value_stride + offset;
    if (shift == 2)
        memcpy(&value, from, 4); // by far the most, and no call then
    else
        memcpy(&value, from, (size_t)1 << shift);
    return value;
}

static void values_put(const struct cross_touch *touch, struct cross_record *record, uint64_t number, uint32_t lane,
                       uint64_t bytes)
{
    uint64_t address = touch_address(touch, lane);
    for (uint64_t rest = bytes; rest;) {
        uint32_t place = (uint32_t)__builtin_ctzll(rest) >> touch->pages->shift;
        uint64_t at = number * COVER_BYTES + (place << touch->pages->shift);
        record_values(record)[place] = touch_value(touch, lane, at - address);
        rest &= ~place_bytes(touch->pages, place);
    }
}

// The lane's open bytes of line `number`.
static void touch_lane(struct cross_touch *touch, const struct record_spot *spot, uint64_t number, uint32_t lane,
                       uint64_t bytes)
{
    touch->like.thread = (uint16_t)(touch->thread + lane);
    touch->like.step = 0;
    struct cross_record *record = line_put(touch->pages, touch->class, spot, &touch->like, bytes);
    if (touch->class == CROSS_WRITE)
        values_put(touch, record, number, lane, bytes);
}

static uint64_t lane_bytes(const struct cross_touch *touch, uint32_t lane)
{
    return UINT64_MAX >> (64 - touch->access->bytes) << touch_address(touch, lane) % COVER_BYTES;
}

// Open bytes of lanes in a row.
static void touch_row(struct cross_touch *touch, const struct record_spot *spot, uint64_t number,
                      const struct shape_word *word, uint64_t bytes)
{
    const struct sim_access *access = touch->access;
    uint32_t lane = (uint32_t)__builtin_ctz(word->lanes), count = (uint32_t)__builtin_popcount(word->lanes);
    uint32_t place = (uint32_t)__builtin_ctzll(word->bits) >> touch->pages->shift;
    bool words = touch->values && access->value_stride == 4 && access->bytes == 4 && touch->pages->shift == 2;
    touch->like.thread = (uint16_t)(touch->thread + lane - record_lane(&touch->like, place));
    touch->like.step = 1;
    struct cross_record *record = line_put(touch->pages, touch->class, spot, &touch->like, bytes);
    if (touch->class != CROSS_WRITE)
        return;
    if (words && bytes == word->bits)
        memcpy(record_values(record) + place, touch->values + 4 * (size_t)lane, 4 * (size_t)count);
    else
        for (uint32_t i = lane; i < lane + count; i++)
            values_put(touch, record, number, i, lane_bytes(touch, i) & bytes);
}

static void touch_word(struct cross_touch *touch, struct cross_record **line, const struct shape_word *word,
                       uint64_t number)
{
    struct record_spot spot;
    uint64_t open = line_open(line, touch->like.block, word->bits, &spot);
    bool several = word->lanes & (word->lanes - 1);
    if (open && word->row && several) {
        touch_row(touch, &spot, number, word, open);
        return;
    }
    for (uint32_t rest = word->lanes; rest && open; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t bytes = several ? lane_bytes(touch, lane) & open : open;
        if (bytes)
            touch_lane(touch, &spot, number, lane, bytes);
        open &= ~bytes;
    }
}

// As one where the access has a cover.
static void touch_cover(struct cross_touch *touch, const struct shape_cover *cover)
{
    const struct sim_access *access = touch->access;
    struct cross_route *route = &touch->pages->routes[touch->class];
    uint64_t first = access->first / COVER_BYTES;
    bool same_words = route->cover == cover || !(access->shape->odd % COVER_BYTES);
    uint32_t places = access->bytes >> touch->pages->shift;
    touch->like.how |= places ? (uint32_t)__builtin_ctz(places) : 0;
    if (route->serial != access->shape->serial || route->word != first || route->block != touch->like.block ||
        !same_words)
        *route = (struct cross_route){access->shape->serial, touch->like.block, first, cover, {NULL}};
    for (uint32_t i = 0; i < cover->count; i++) {
        uint64_t number = first + (uint64_t)(int64_t)cover->words[i].at;
        if (!route->lines[i])
            route->lines[i] = line_get(touch->pages, touch->class, number);
        if (route->lines[i])
            touch_word(touch, route->lines[i], &cover->words[i], number);
    }
}

static void touch_lanes(struct cross_touch *touch)
{
    uint64_t size = UINT64_C(1) << touch->pages->shift;
    struct record_spot spot;
    touch->like.how |= (uint32_t)__builtin_ctz(line_places(touch->pages));
    FOR_LANES (lane, touch->access->mask) {
        uint64_t end = touch_address(touch, lane) + touch->access->bytes, next;
        for (uint64_t at = touch_address(touch, lane) & ~(size - 1); at < end; at = next) {
            uint64_t bytes = 0, number = at / COVER_BYTES;
            struct cross_record **line = line_get(touch->pages, touch->class, number);
            for (next = at; next < end && next / COVER_BYTES == number; next += size)
                bytes |= place_bytes(touch->pages, (uint32_t)(next % COVER_BYTES) >> touch->pages->shift);
            bytes = line ? line_open(line, touch->like.block, bytes, &spot) : 0;
            if (bytes)
                touch_lane(touch, &spot, number, lane, bytes);
        }
    }
}

void cross_pages_touch(struct cross_pages *pages, enum cross_class class, const struct sim_access *access,
                       bool is_strong)
{
    const struct shape_cover *cover = access->shape ? shape_cover(access->shape, access->first) : NULL;
    struct cross_touch touch = {
        .pages = pages,
        .class = class,
        .access = access,
        .values = access->kind == SIM_STORE || access->kind == SIM_BULK_COPY ? access->values : NULL,
        .thread = (uint16_t)(access->warp * SIM_LANES),
        .like = {.block = (uint32_t)access->block->linear + 1, .pc = access->pc, .how = is_strong ? 8u : 0u}};
    if (cover)
        touch_cover(&touch, cover);
    else
        touch_lanes(&touch);
}

// ---- when all have ended

static struct cross_mark record_mark(enum cross_class class, struct cross_record *record, uint32_t place)
{
    return (struct cross_mark){.block = record->block,
                               .pc = record->pc,
                               .value = class == CROSS_WRITE ? record_values(record)[place] : 0,
                               .thread = record_thread(record, place),
                               .strong = record->how & 8};
}

// What the block's records of a line say of these bytes.
static bool line_wrote(const struct cross_pages *pages, struct cross_record *record, uint32_t block, uint64_t bytes,
                       struct cross_mark *write)
{
    while (record && !(record->block == block && record->bytes & bytes))
        record = record->next;
    if (record)
        *write = record_mark(CROSS_WRITE, record, (uint32_t)__builtin_ctzll(record->bytes & bytes) >> pages->shift);
    return record != NULL;
}

bool cross_pages_wrote(struct cross_pages *pages, const struct sim_access *access, uint32_t *lane,
                       struct cross_mark *write)
{
    struct sim_spread spread;
    const uint64_t *addresses = sim_access_spread(access, &spread)->addresses;
    FOR_LANES (i, access->mask) {
        uint64_t address = addresses[i], key = address / PAGE_BYTES, at = address % COVER_BYTES;
        if (key < pages->least_written || key > pages->most_written)
            continue;
        struct cross_page *page = pages->last && pages->last->key == key ? pages->last : NULL,
                          **known = page ? NULL : map_find(&pages->by_key, key);
        page = known ? *known : page;
        uint64_t bytes = UINT64_MAX >> (64 - access->bytes) << at; // a load's vector does not cross a line
        if (!page || !page->lines[CROSS_WRITE] ||
            !line_wrote(pages, page->lines[CROSS_WRITE][address / COVER_BYTES % PAGE_LINES],
                        (uint32_t)access->block->linear + 1, bytes, write))
            continue;
        *lane = i;
        return true;
    }
    return false;
}

static void record_merge(struct cross_pages *into, enum cross_class class, struct cross_record **line,
                         struct cross_record *from)
{
    struct record_spot spot;
    uint64_t bytes = line_open(line, from->block, from->bytes, &spot);
    struct cross_record *record = bytes ? line_put(into, class, &spot, from, bytes) : NULL;
    for (uint32_t place = 0; record && class == CROSS_WRITE && place < line_places(into); place++)
        if (bytes & place_bytes(into, place))
            record_values(record)[place] = record_values(from)[place];
}

// Most pages and lines are one store's alone: their lists, whose arenas live on, only change hands.
static void page_merge(struct cross_pages *into, enum cross_class class, struct cross_page *mine,
                       struct cross_page *theirs)
{
    if (!mine->lines[class]) {
        mine->lines[class] = theirs->lines[class];
        return;
    }
    for (uint32_t line = 0; theirs->lines[class] && line < PAGE_LINES; line++) {
        struct cross_record *record = theirs->lines[class][line], **at = &mine->lines[class][line];
        if (!*at)
            *at = record;
        else
            for (; record; record = record->next)
                record_merge(into, class, at, record);
    }
}

void cross_pages_merge(struct cross_pages *into, struct cross_pages *from)
{
    for (size_t i = 0; i < from->arena_count; i++) {
        *mem_append(into->arenas, into->arena_capacity, into->arena_count) = from->arenas[i];
    }
    into->limit = from->limit < into->limit ? from->limit : into->limit;
    for (size_t i = 0; i < from->count; i++) {
        struct cross_page *mine = page_get(into, from->items[i]->key);
        for (int class = 0; mine && class < CROSS_CLASSES; class ++)
            page_merge(into, (enum cross_class) class, mine, from->items[i]);
    }
    for (int class = 0; class < CROSS_CLASSES; class ++)
        into->crowded[class] |= from->crowded[class];
    from->arena_count = from->count = 0;
}

static void line_visit(struct cross_page *page, uint32_t line, const struct cross_pages *pages, cross_visit visit,
                       void *context)
{
    struct cross_mark marks[CROSS_CLASSES][2];
    for (uint32_t place = 0; place < line_places(pages); place++) {
        struct cross_cell cell = {.address = page->key * PAGE_BYTES + line * COVER_BYTES + (place << pages->shift)};
        for (int class = 0; class < CROSS_CLASSES; class ++) {
            struct cross_record *record = page->lines[class] ? page->lines[class][line] : NULL;
            for (int number = 0; record && number < 2; record = record->next) {
                if (!(record->bytes & place_bytes(pages, place)))
                    continue;
                marks[class][number] = record_mark((enum cross_class) class, record, place);
                cell.marks[class][number] = &marks[class][number];
                number++;
            }
        }
        visit(context, &cell);
    }
}

void cross_pages_visit(const struct cross_pages *pages, cross_visit visit, void *context)
{
    for (size_t i = 0; i < pages->count; i++) {
        struct cross_page *page = pages->items[i];
        bool write = page->lines[CROSS_WRITE], read = page->lines[CROSS_READ], strong = page->lines[CROSS_STRONG];
        bool meet = write ? pages->crowded[CROSS_WRITE] || read || strong : read && strong;
        for (uint32_t line = 0; meet && page->key < pages->limit && line < PAGE_LINES; line++)
            line_visit(page, line, pages, visit, context);
    }
}
