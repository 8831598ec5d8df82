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
    unsigned char *before; // what it held before the first write
};

struct overlap {
    pthread_mutex_t lock;
    struct sim_memory *memory;
    size_t count;
    struct touched_place *places;
    struct trail *threads[SIM_MAX_THREADS];
    unsigned thread_count;
    atomic_bool abandoned, again;
};

static struct sim_allocation *allocation_at(const struct overlap *overlap, size_t number)
{
    return sim_memory_region(overlap->memory, REGION_FIRST + number);
}

static size_t bits_size(const struct sim_allocation *allocation) // of one bit a byte, in whole words
{
    return (allocation->size / 64 + 1) * 8;
}

struct overlap *sim_overlap_new(struct sim_memory *memory)
{
    struct overlap *overlap = mem_alloc(sizeof *overlap);
    pthread_mutex_init(&overlap->lock, NULL);
    overlap->memory = memory;
    overlap->count = sim_memory_count(memory);
    overlap->places = mem_alloc((overlap->count + 1) * sizeof *overlap->places);
    return overlap;
}

void sim_overlap_free(struct overlap *overlap)
{
    if (!overlap)
        return;
    pthread_mutex_destroy(&overlap->lock);
    free(overlap->places);
    free(overlap);
}

struct trail *sim_overlap_join(struct overlap *overlap)
{
    struct trail *trails = mem_alloc((overlap->count + 1) * sizeof *trails);
    return overlap->threads[overlap->thread_count++] = trails;
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

void sim_touch_first(struct exec *x, struct trail *trail, enum touch kind, uint32_t reduction)
{
    struct overlap *overlap = x->overlap;
    size_t number = (size_t)(trail - x->trails);
    struct touched_place *place = &overlap->places[number];
    const struct sim_allocation *allocation = allocation_at(overlap, number);
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
        place->before = memcpy(mem_resize(NULL, allocation->size), allocation->data, allocation->size);
    pthread_mutex_unlock(&overlap->lock);
    trail->touched |= kind;
    if (kind != TOUCH_READ && !trail->written)
        trail->written = mem_alloc(bits_size(allocation));
    if (kind != TOUCH_WRITE && place->exact && !trail->read)
        trail->read = mem_alloc(bits_size(allocation));
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

static void place_settle(struct overlap *overlap, size_t number, bool keep)
{
    struct touched_place *place = &overlap->places[number];
    const struct sim_allocation *allocation = allocation_at(overlap, number);
    if (keep && place->before)
        bits_add(allocation->valid, overlap->threads[0][number].written, bits_size(allocation));
    else if (place->before)
        memcpy(allocation->data, place->before, allocation->size);
    free(place->before);
    *place = (struct touched_place){.exact = place->exact};
    for (unsigned i = 0; i < overlap->thread_count; i++) {
        free(overlap->threads[i][number].read);
        free(overlap->threads[i][number].written);
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
    while (overlap->thread_count)
        free(overlap->threads[--overlap->thread_count]);
    overlap->abandoned = overlap->again = false;
    return keep ? OVERLAP_UNSEEN : refused;
}
