// Buffers whose elements are made when a block first touches their surroundings.
#include "device/on_demand.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "device/args.h"

enum { GRANULE = 64 }; // elements that are made at once

struct made_buffer { // of an allocation; made: a bit for each granule, NULL: it holds what it has to
    const struct device_arg *arg;
    struct sim_allocation *allocation;
    size_t element;
    unsigned char *made;
};

struct on_demand {
    const struct device_arg *args;
    size_t arg_count;
    struct made_buffer *buffers; // by the allocation's number
    size_t count, capacity;
    struct map blocks; // that ran
};

static void make_bytes(struct on_demand *made, uint64_t address, uint64_t bytes)
{
    uint64_t number;
    int64_t offset;
    if (!bytes || !sim_address_place(address, &number, &offset) || number >= made->count || offset < 0)
        return;
    struct made_buffer *buffer = &made->buffers[number];
    if (!buffer->made || (uint64_t)offset + bytes > buffer->allocation->size)
        return;
    size_t first = (size_t)offset / buffer->element / GRANULE,
           last = ((size_t)offset + bytes - 1) / buffer->element / GRANULE;
    for (size_t granule = first; granule <= last; granule++) {
        size_t from = granule * GRANULE, count = buffer->arg->count - from;
        if (buffer->made[granule / 8] >> granule % 8 & 1)
            continue;
        buffer->made[granule / 8] |= (unsigned char)(1u << granule % 8);
        args_make(buffer->arg, from, count < GRANULE ? count : GRANULE,
                  buffer->allocation->data + from * buffer->element);
    }
}

static void make_for(void *context, const struct sim_access *access)
{
    struct on_demand *made = context;
    struct sim_access source;
    if (sim_access_source(access, &source))
        FOR_LANES (lane, source.mask)
            make_bytes(made, source.addresses[lane], source.bytes);
    if (access->space == PTX_GLOBAL)
        FOR_LANES (lane, access->mask)
            make_bytes(made, access->addresses[lane], access->bytes);
}

static void count_block(void *context, const struct sim_block *block)
{
    struct on_demand *made = context;
    map_add(&made->blocks, block->linear, NULL);
}

static void begin(void *context, struct sim_allocation *const *buffers, const struct sim_memory *memory)
{
    struct on_demand *made = context;
    const struct sim_allocation *allocation;
    for (size_t n = 0; (allocation = sim_memory_at(memory, n)) != NULL; n++) {
        struct made_buffer *buffer = mem_append(made->buffers, made->capacity, made->count);
        *buffer = (struct made_buffer){0};
        for (size_t i = 0; i < made->arg_count; i++) {
            if (buffers[i] != allocation || made->args[i].fill == DEVICE_FILL_DATA)
                continue;
            size_t element = ptx_type_size(made->args[i].type);
            *buffer = (struct made_buffer){.arg = &made->args[i],
                                           .allocation = buffers[i],
                                           .element = element,
                                           .made = mem_alloc(made->args[i].count / GRANULE / 8 + 1)};
        }
    }
}

static bool next_block(void *context, uint64_t *block, uint64_t *budget)
{
    (void)context;
    (void)block;
    (void)budget;
    return false;
}

static void know_nothing(void *context, struct predict_work *work)
{
    (void)context;
    *work = (struct predict_work){0};
}

struct on_demand *on_demand_new(const struct device_arg *args, size_t count)
{
    struct on_demand *made = mem_alloc(sizeof *made);
    *made = (struct on_demand){.args = args, .arg_count = count, .blocks = map_of(char)};
    return made;
}

void on_demand_free(struct on_demand *made)
{
    for (size_t i = 0; i < made->count; i++)
        free(made->buffers[i].made);
    free(made->buffers);
    map_free(&made->blocks);
    free(made);
}

struct device_probe on_demand_probe(struct on_demand *made)
{
    return (struct device_probe){
        .context = made,
        .observer = {.wants = SIM_WANT_ACCESS_GLOBAL, .context = made, .block_begin = count_block, .access = make_for},
        .begin = begin,
        .next = next_block,
        .work = know_nothing,
    };
}

uint64_t on_demand_blocks(const struct on_demand *made)
{
    return made->blocks.count;
}
