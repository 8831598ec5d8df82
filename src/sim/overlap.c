// Blocks that run at the same time: is what they left behind what they would have left one after another?
//
// Each host thread runs its blocks in ascending order and keeps which bytes of global memory they touched. When all
// have ended, a byte that one thread wrote and another touched shows that the order of the blocks matters: the memory
// is put back, what was observed is dropped, and the launch runs once more on one thread. Reads are kept only of
// buffers that are written, too. Which those are shows early in a first attempt, which then begins anew.
#include <pthread.h>
#include <stdlib.h>

#include "sim/machine.h"

struct touched_place { // an allocation, by its region
    unsigned touched;  // enum touch, by any thread
    uint32_t reduction;
    bool exact;            // reads are kept
    bool apart;            // the allocation's data are others than those it had
    unsigned char *before; // what it held before the first write
    unsigned char *spare;  // room for it, from launch to launch
};

struct overlap {
    pthread_mutex_t lock;
    struct sim_allocation *const *regions; // by number; NULL: freed
    size_t count;
    struct touched_place *places;
    struct trail *threads[SIM_MAX_THREADS];
    unsigned thread_count;
    atomic_bool abandoned, again;
};

static struct sim_allocation *allocation_at(const struct overlap *overlap, size_t number)
{
    return number < overlap->count ? overlap->regions[number] : NULL;
}

static size_t bits_size(const struct sim_allocation *allocation) // of one bit a byte, in whole words
{
    return (allocation->size / 64 + 1) * 8;
}

struct overlap *sim_overlap_new(struct sim_allocation *const *regions, size_t count)
{
    struct overlap *overlap = mem_alloc(sizeof *overlap);
    pthread_mutex_init(&overlap->lock, NULL);
    overlap->regions = regions;
    overlap->count = count;
    overlap->places = mem_alloc((overlap->count + 1) * sizeof *overlap->places);
    return overlap;
}

void sim_overlap_free(struct overlap *overlap)
{
    for (size_t i = 0; overlap && i < overlap->count; i++) {
        free(overlap->places[i].spare);
        for (unsigned k = 0; k < SIM_MAX_THREADS && overlap->threads[k]; k++) {
            free(overlap->threads[k][i].read_bits);
            free(overlap->threads[k][i].written_bits);
        }
    }
    for (unsigned k = 0; overlap && k < SIM_MAX_THREADS; k++)
        free(overlap->threads[k]);
    if (overlap) {
        pthread_mutex_destroy(&overlap->lock);
        free(overlap->places);
    }
    free(overlap);
}

void sim_overlap_begin(struct overlap *overlap)
{
    for (size_t i = 0; i < overlap->count; i++)
        overlap->places[i].exact = false;
}

struct trail *sim_overlap_join(struct overlap *overlap)
{
    struct trail **trails = &overlap->threads[overlap->thread_count++];
    if (!*trails)
        *trails = mem_alloc((overlap->count + 1) * sizeof **trails);
    return *trails;
}

void sim_overlap_abandon(struct exec *x)
{
    atomic_store(&x->overlap->abandoned, true);
    x->step_end = 0;
}

bool sim_overlap_abandoned(const struct overlap *overlap)
{
    return atomic_load_explicit(&overlap->abandoned, memory_order_relaxed);
}

// What is only written goes to other bytes than those it overwrites: no copy is needed to put them back.
static void place_keep(struct touched_place *place, struct sim_allocation *allocation, bool apart)
{
    unsigned char *room = place->spare ? place->spare : mem_resize(NULL, allocation->size + MEMORY_PAD);
    place->spare = NULL;
    place->apart = apart;
    place->before = room;
    if (apart) {
        place->before = allocation->data;
        allocation->data = room;
    } else {
        memcpy(room, allocation->data, allocation->size);
    }
}

static unsigned char *bits_clear(unsigned char **bits, const struct sim_allocation *allocation)
{
    if (*bits)
        return memset(*bits, 0, bits_size(allocation));
    return *bits = mem_alloc(bits_size(allocation));
}

void sim_touch_first(struct exec *x, struct trail *trail, enum touch kind, uint32_t reduction)
{
    struct overlap *overlap = x->overlap;
    size_t number = (size_t)(trail - x->trails);
    struct touched_place *place = &overlap->places[number];
    struct sim_allocation *allocation = allocation_at(overlap, number);
    pthread_mutex_lock(&overlap->lock);
    bool mixed = kind == TOUCH_REDUCE && place->touched & TOUCH_REDUCE && place->reduction != reduction;
    place->touched |= kind;
    if (kind == TOUCH_REDUCE)
        place->reduction = trail->reduction = reduction;
    mixed |= (place->touched & (place->touched - 1)) != 0;
    if (mixed && !place->exact) {
        place->exact = true;
        overlap->again = true;
        sim_overlap_abandon(x);
    }
    if (kind != TOUCH_READ && !place->before)
        place_keep(place, allocation, kind == TOUCH_WRITE && !place->exact);
    trail->data = allocation->data;
    pthread_mutex_unlock(&overlap->lock);
    trail->touched |= kind;
    if (kind != TOUCH_READ && !trail->written)
        trail->written = bits_clear(&trail->written_bits, allocation);
    if (kind != TOUCH_WRITE && place->exact && !trail->read)
        trail->read = bits_clear(&trail->read_bits, allocation);
}

// ---- at the end

static bool bits_meet(const unsigned char *a, const unsigned char *b, size_t size)
{
    const uint64_t *x = (const uint64_t *)(const void *)a, *y = (const uint64_t *)(const void *)b;
    uint64_t both = 0;
    for (size_t i = 0; x && y && i < size / 8; i++)
        both |= x[i] & y[i];
    return both != 0;
}

static void bits_add(unsigned char *to, const unsigned char *from, size_t size)
{
    uint64_t *x = (uint64_t *)(void *)to;
    const uint64_t *y = (const uint64_t *)(const void *)from;
    for (size_t i = 0; x && y && i < size / 8; i++)
        x[i] |= y[i];
}

// Gathers what all threads touched in the first one's trail; true: two of them met in a byte that is written.
static bool place_collides(const struct overlap *overlap, size_t number)
{
    struct trail *all = &overlap->threads[0][number];
    const struct touched_place *place = &overlap->places[number];
    bool collides = false, commutes = place->touched == TOUCH_REDUCE && !place->exact;
    size_t size = place->touched & ~(unsigned)TOUCH_READ ? bits_size(allocation_at(overlap, number)) : 0;
    for (unsigned i = 1; i < overlap->thread_count && size; i++) {
        struct trail *other = &overlap->threads[i][number];
        collides |=
            !commutes && (bits_meet(other->written, all->written, size) || bits_meet(other->written, all->read, size) ||
                          bits_meet(other->read, all->written, size));
        if (!all->written) {
            all->written = other->written;
            other->written = NULL;
        }
        if (!all->read) {
            all->read = other->read;
            other->read = NULL;
        }
        bits_add(all->written, other->written, size);
        bits_add(all->read, other->read, size);
    }
    return collides;
}

// Copies the bytes whose bit, turned over by flip, is set.
static void bytes_copy(unsigned char *to, const unsigned char *from, const unsigned char *bits, uint64_t flip,
                       size_t size)
{
    const uint64_t *words = (const uint64_t *)(const void *)bits;
    for (size_t at = 0; at < size; at += 64) {
        uint64_t word = words[at / 64] ^ flip;
        if (word == UINT64_MAX && size - at >= 64)
            memcpy(to + at, from + at, 64);
        for (; word && (word != UINT64_MAX || size - at < 64); word &= word - 1) {
            size_t byte = at + (unsigned)__builtin_ctzll(word);
            if (byte < size)
                to[byte] = from[byte];
        }
    }
}

// What stands apart becomes the allocation's own bytes, or the few of them that were written go where the others are.
static void place_unite(struct touched_place *place, struct sim_allocation *allocation, const unsigned char *written)
{
    const uint64_t *words = (const uint64_t *)(const void *)written;
    size_t count = 0;
    for (size_t i = 0; i < bits_size(allocation) / 8; i++)
        count += words[i] != 0;
    if (2 * count >= allocation->size / 64) {
        bytes_copy(allocation->data, place->before, written, UINT64_MAX, allocation->size);
        place->spare = place->before;
        return;
    }
    bytes_copy(place->before, allocation->data, written, 0, allocation->size);
    place->spare = allocation->data;
    allocation->data = place->before;
}

static void place_settle(struct overlap *overlap, size_t number, bool keep)
{
    struct touched_place *place = &overlap->places[number];
    struct sim_allocation *allocation = allocation_at(overlap, number);
    const unsigned char *written = overlap->threads[0][number].written;
    bool apart = place->apart;
    if (keep && place->before)
        bits_add(allocation->valid, written, bits_size(allocation));
    if (keep && apart) {
        place_unite(place, allocation, written);
    } else if (place->before) {
        unsigned char *room = apart ? allocation->data : place->before;
        if (apart)
            allocation->data = place->before;
        else if (!keep)
            memcpy(allocation->data, place->before, allocation->size);
        place->spare = room;
    }
    *place = (struct touched_place){.exact = place->exact, .spare = place->spare};
    for (unsigned i = 0; i < overlap->thread_count; i++) {
        struct trail *trail = &overlap->threads[i][number];
        *trail = (struct trail){.read_bits = trail->read_bits, .written_bits = trail->written_bits};
    }
}

enum overlap_outcome sim_overlap_settle(struct overlap *overlap, bool cut)
{
    bool keep = cut || !overlap->abandoned;
    enum overlap_outcome refused = overlap->again ? OVERLAP_AGAIN : OVERLAP_MATTERS;
    for (size_t i = 0; i < overlap->count && keep; i++)
        keep = !place_collides(overlap, i) || cut;
    for (size_t i = 0; i < overlap->count; i++)
        place_settle(overlap, i, keep);
    overlap->thread_count = 0;
    overlap->abandoned = overlap->again = false;
    return keep ? OVERLAP_UNSEEN : refused;
}
