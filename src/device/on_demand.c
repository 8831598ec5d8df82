// Buffers whose elements are made when a block first touches their surroundings.
#include "device/on_demand.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "device/args.h"
#include "sim/shape.h"

enum { GRANULE = 64, NEAR = 4 * GRANULE, WORD = 4 }; // GRANULE: elements that are made at once

struct on_demand {
    const struct device_arg *args;
    size_t arg_count;
    on_demand_make *make;
    const void *context;
    struct on_demand_place *places; // by the allocation's number
    size_t count, capacity;
    struct map blocks; // that ran
};

// ---- the data

static void make_elements(struct on_demand *made, const struct on_demand_place *place, size_t first, size_t last)
{
    for (size_t granule = first / GRANULE; granule <= last / GRANULE; granule++) {
        if (place->made[granule / 8] >> granule % 8 & 1)
            continue;
        size_t from = granule * GRANULE, count = place->count - from < GRANULE ? place->count - from : GRANULE;
        unsigned char *out = place->allocation->data + from * place->element;
        place->made[granule / 8] |= (unsigned char)(1u << granule % 8);
        if (made->make)
            made->make(made->context, place->arg, from, count, out);
        else
            args_make(&made->args[place->arg], from, count, out);
    }
}

struct on_demand_place *on_demand_touch(struct on_demand *made, uint64_t address, uint64_t bytes, size_t *first,
                                        size_t *last)
{
    uint64_t number;
    int64_t offset;
    if (!bytes || !sim_address_place(address, &number, &offset) || number >= made->count)
        return NULL;
    struct on_demand_place *place = &made->places[number];
    offset = (int64_t)(address - place->allocation->address);
    if (offset < 0)
        return NULL;
    *first = (size_t)offset >> place->shift;
    *last = ((size_t)offset + bytes - 1) >> place->shift;
    if (*first >= place->count)
        return NULL;
    if (*last >= place->count) // lanes of an asynchronous copy read less than others
        *last = place->count - 1;
    if (place->made)
        make_elements(made, place, *first, *last);
    return place;
}

struct on_demand_place *on_demand_touch_all(struct on_demand *made, const struct lane_shape *shape, uint64_t address)
{
    size_t first, last;
    if (!shape || !shape->mask)
        return NULL;
    uint64_t low = address + (uint64_t)(int64_t)shape->low;
    uint64_t bytes = (uint64_t)((int64_t)shape->high - shape->low) + shape->bytes;
    return bytes <= NEAR * (uint64_t)WORD ? on_demand_touch(made, low, bytes, &first, &last) : NULL;
}

static void touch_access(struct on_demand *made, const struct sim_access *access)
{
    struct sim_spread spread;
    size_t first, last;
    if (on_demand_touch_all(made, access->shape, access->first))
        return;
    access = sim_access_spread(access, &spread);
    FOR_LANES (lane, access->mask)
        on_demand_touch(made, access->addresses[lane], access->bytes, &first, &last);
}

uint32_t *on_demand_writers(struct on_demand_place *place)
{
    if (!place->writers)
        place->writers = mem_sparse((place->count + 1) * sizeof *place->writers);
    return place->writers;
}

unsigned char *on_demand_bytes(const struct on_demand *made, size_t arg)
{
    size_t number = 0;
    while (made->places[number].arg != arg)
        number++;
    return made->places[number].allocation->data;
}

static void forget_places(struct on_demand *made)
{
    for (size_t i = 0; i < made->count; i++) {
        struct on_demand_place *place = &made->places[i];
        free(place->made);
        mem_sparse_free(place->writers, (place->count + 1) * sizeof *place->writers);
    }
    made->count = 0;
}

void on_demand_begin(void *context, struct sim_allocation *const *buffers, const struct sim_memory *memory)
{
    struct on_demand *made = context;
    const struct sim_allocation *allocation;
    forget_places(made);
    for (size_t n = 0; (allocation = sim_memory_at(memory, n)) != NULL; n++) {
        struct on_demand_place *place = mem_append(made->places, made->capacity, made->count);
        *place = (struct on_demand_place){.allocation = allocation, .arg = SIZE_MAX, .element = WORD, .shift = 2};
        place->count = (allocation->size + WORD - 1) / WORD;
        for (size_t i = 0; i < made->arg_count; i++) {
            if (buffers[i] != allocation)
                continue;
            place->arg = i;
            place->element = ptx_type_size(made->args[i].type);
            place->shift = (unsigned)__builtin_ctz((unsigned)place->element);
            place->count = made->args[i].count;
            if (made->make || made->args[i].fill != DEVICE_FILL_DATA)
                place->made = mem_alloc(place->count / GRANULE / 8 + 1);
        }
    }
}

// ---- the probe

static void make_for(void *context, const struct sim_access *access)
{
    struct on_demand *made = context;
    struct sim_access source;
    if (sim_access_source(access, &source) && source.space == PTX_GLOBAL)
        touch_access(made, &source);
    if (access->space == PTX_GLOBAL)
        touch_access(made, access);
}

static void count_block(void *context, const struct sim_block *block)
{
    struct on_demand *made = context;
    map_add(&made->blocks, block->linear, NULL);
}

struct device_probe on_demand_probe(struct on_demand *made)
{
    return (struct device_probe){
        .context = made,
        .observer = {.wants = SIM_WANT_ACCESS_GLOBAL | SIM_TAKES_SHAPES,
                     .context = made,
                     .block_begin = count_block,
                     .access = make_for},
        .begin = on_demand_begin,
    };
}

uint64_t on_demand_blocks(const struct on_demand *made)
{
    return made->blocks.count;
}

struct on_demand *on_demand_new(const struct device_arg *args, size_t count, on_demand_make *make, const void *context)
{
    struct on_demand *made = mem_alloc(sizeof *made);
    *made =
        (struct on_demand){.args = args, .arg_count = count, .make = make, .context = context, .blocks = map_of(char)};
    return made;
}

void on_demand_free(struct on_demand *made)
{
    if (!made)
        return;
    forget_places(made);
    free(made->places);
    map_free(&made->blocks);
    free(made);
}
