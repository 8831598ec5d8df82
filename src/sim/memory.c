// The device's global address space: allocations by region number.
#include "sim/machine.h"

#include <stdlib.h>

// What free gave back, malloc does not give again until there are so many regions: an observer may take two accesses to
// one address for two to one object.
enum { REGIONS_FRESH = 1 << 18 };

// Of an allocation in its region.
#define REGION_START ((1ull << (REGION_SHIFT - 1)) - REGION_LEAD)

struct sim_memory {
    struct sim_allocation **regions; // by region - REGION_FIRST; NULL: freed
    size_t count, capacity;
    struct sim_allocation **dropped; // freed by the kernel, kept all the same
    size_t dropped_count, dropped_capacity;
    struct overlap *overlap; // NULL since allocations changed
    struct texture *textures;
    size_t texture_count, texture_capacity;
};

struct sim_memory *sim_memory_new(void)
{
    return mem_alloc(sizeof(struct sim_memory));
}

static void allocation_free(struct sim_allocation *allocation)
{
    if (!allocation)
        return;
    if (allocation->is_sparse) {
        mem_sparse_free(allocation->data, allocation->size + MEMORY_PAD);
        mem_sparse_free(allocation->valid, allocation->size / 8 + 9);
    } else {
        free(allocation->data);
        free(allocation->valid);
    }
    free((char *)allocation->name);
    free(allocation);
}

void sim_memory_free(struct sim_memory *memory)
{
    if (!memory)
        return;
    for (size_t i = 0; i < memory->count; i++)
        allocation_free(memory->regions[i]);
    for (size_t i = 0; i < memory->dropped_count; i++)
        allocation_free(memory->dropped[i]);
    sim_overlap_free(memory->overlap);
    free(memory->dropped);
    free(memory->textures);
    free(memory->regions);
    free(memory);
}

static void memory_changes(struct sim_memory *memory)
{
    sim_overlap_free(memory->overlap);
    memory->overlap = NULL;
}

struct overlap *sim_memory_overlap(struct sim_memory *memory)
{
    if (!memory->overlap)
        memory->overlap = sim_overlap_new(memory->regions, memory->count);
    sim_overlap_begin(memory->overlap);
    return memory->overlap;
}

static struct sim_allocation *add_allocation(struct sim_memory *memory, const char *name, size_t size, bool track,
                                             void *(*allocate)(size_t))
{
    size_t place = memory->count;
    memory_changes(memory);
    mem_reserve(&memory->regions, &memory->capacity, memory->count++);
    struct sim_allocation *allocation = mem_alloc(sizeof *allocation);
    allocation->name = mem_strdup(name);
    // Mid-region: an index that is negative, or far too large, still lands in the region of its buffer.
    allocation->address = ((uint64_t)(REGION_FIRST + place) << REGION_SHIFT) + REGION_START;
    allocation->size = size;
    allocation->data = allocate(size + MEMORY_PAD);
    if (track)
        allocation->valid = allocate(size / 8 + 9);
    memory->regions[place] = allocation;
    return allocation;
}

struct sim_allocation *sim_memory_add(struct sim_memory *memory, const char *name, size_t size, bool track)
{
    return add_allocation(memory, name, size, track, mem_alloc);
}

struct sim_allocation *sim_memory_add_sparse(struct sim_memory *memory, const char *name, size_t size, bool track)
{
    struct sim_allocation *allocation = add_allocation(memory, name, size, track, mem_sparse);
    allocation->is_sparse = true;
    return allocation;
}

bool sim_address_place(uint64_t address, uint64_t *place, int64_t *offset)
{
    uint64_t region = address >> REGION_SHIFT;
    if (region < REGION_FIRST)
        return false;
    *place = region - REGION_FIRST;
    *offset = (int64_t)(address & ((1ull << REGION_SHIFT) - 1)) - (int64_t)REGION_START;
    return true;
}

struct sim_allocation *sim_memory_region(const struct sim_memory *memory, uint64_t region)
{
    return region - REGION_FIRST < memory->count ? memory->regions[region - REGION_FIRST] : NULL;
}

size_t sim_memory_count(const struct sim_memory *memory)
{
    return memory->count;
}

uint64_t sim_memory_bytes(const struct sim_memory *memory)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < memory->count; i++)
        bytes += memory->regions[i] ? memory->regions[i]->size : 0;
    return bytes;
}

struct sim_allocation *sim_memory_find(const struct sim_memory *memory, uint64_t address)
{
    return sim_memory_region(memory, address >> REGION_SHIFT);
}

struct sim_allocation *sim_memory_at(const struct sim_memory *memory, uint64_t place)
{
    return sim_memory_region(memory, REGION_FIRST + place);
}

// Handles lie in a region of their own, where no address leads: a texture is no pointer.
uint64_t sim_texture_add(struct sim_memory *memory, const struct texture *texture)
{
    *mem_append(memory->textures, memory->texture_capacity, memory->texture_count) = *texture;
    return ((uint64_t)REGION_TEXTURES << REGION_SHIFT) + memory->texture_count;
}

const struct texture *sim_texture_find(const struct sim_memory *memory, uint64_t handle)
{
    uint64_t number = handle - ((uint64_t)REGION_TEXTURES << REGION_SHIFT);
    return number && number <= memory->texture_count ? &memory->textures[number - 1] : NULL;
}

void sim_memory_drop(struct sim_memory *memory, struct sim_allocation *allocation, bool keep)
{
    size_t place = (allocation->address >> REGION_SHIFT) - REGION_FIRST;
    memory_changes(memory);
    memory->regions[place] = NULL;
    while (memory->count > REGIONS_FRESH && !memory->regions[memory->count - 1])
        memory->count--;
    if (!keep) {
        allocation_free(allocation);
        return;
    }
    *mem_append(memory->dropped, memory->dropped_capacity, memory->dropped_count) = allocation;
}

// ---- a bit for each byte

bool sim_valid_get(const struct place *place, uint64_t at, uint64_t bytes)
{
    const unsigned char *valid = place->valid, *mark = place->mark ? place->mark : valid;
    for (uint64_t i = at, step; valid && i < at + bytes; i += step) {
        step = 8 - i % 8 < at + bytes - i ? 8 - i % 8 : at + bytes - i;
        unsigned wanted = ((1u << step) - 1) << i % 8;
        if (wanted & ~(unsigned)(valid[i / 8] | mark[i / 8]))
            return false;
    }
    return true;
}

void sim_bits_set(unsigned char *bits, uint64_t at, uint64_t bytes)
{
    for (uint64_t i = at; bits && i < at + bytes;) {
        unsigned step = (unsigned)(8 - i % 8 < at + bytes - i ? 8 - i % 8 : at + bytes - i);
        bits[i / 8] |= (unsigned char)(((1u << step) - 1) << i % 8);
        i += step;
    }
}
