// What a person reads when a kernel does what hardware would stop.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/machine.h"

enum status sim_block_fault(struct exec *x, enum status status, const struct op *op, const struct warp *warp,
                            uint32_t lane, const char *format, ...)
{
    if (x->status != STATUS_OK)
        return x->status;
    char what[512], place[64] = "";
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    const char *file = "";
    uint32_t line = 0, thread[3], number = warp->first_thread + lane;
    const struct ptx_inst *inst = sim_program_inst(x->program, op_pc(x, op), NULL);
    if (inst)
        ptx_source(x->program->module, inst, x->launch->main_file, &file, &line);
    for (int axis = 0; axis < 3; axis++)
        thread[axis] = sim_thread_coordinate(x, number, (uint32_t)axis);
    if (line)
        snprintf(place, sizeof place, ", line %u", line);
    else if (inst)
        snprintf(place, sizeof place, ", PTX line %u", inst->text_line);
    const uint32_t *block = x->block->index;
    struct sim_result *result = x->result;
    result->pc = op_pc(x, op);
    result->ptx_line = inst ? inst->text_line : 0;
    memcpy(result->block, block, sizeof result->block);
    memcpy(result->thread, thread, sizeof thread);
    x->status = diagnostic_at(x->diagnostic, status, file, (int)line, 0, "block (%u,%u,%u) thread (%u,%u,%u) %s%s",
                              block[0], block[1], block[2], thread[0], thread[1], thread[2], what, place);
    return x->status;
}

const struct op *sim_fault_as(struct exec *x, enum sim_fault_kind kind, const struct op *op, uint32_t lane,
                              const char *format, ...)
{
    char what[512];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (x->status == STATUS_OK)
        x->result->fault = kind;
    sim_block_fault(x, STATUS_FAULT, op, x->warp, lane, "%s", what);
    x->fragment->op = op;
    return NULL;
}

// The shared variable whose bytes hold offset, or that ends nearest before it; NULL without any.
static const struct ptx_shared_slot *shared_variable(const struct exec *x, uint64_t offset)
{
    const struct ptx_shared_layout *layout = &x->program->shared;
    const struct ptx_shared_slot *best = NULL;
    for (uint32_t i = 0; i < layout->count; i++)
        if (layout->slots[i].offset <= offset && (!best || layout->slots[i].offset >= best->offset))
            best = &layout->slots[i];
    return best;
}

static void describe_shared(const struct exec *x, uint64_t address, char *text, size_t size)
{
    const struct ptx_shared_slot *slot = shared_variable(x, address);
    char label[160];
    uint32_t bytes = x->block->view.shared_size;
    if (!slot) {
        snprintf(text, size, "shared memory (%u bytes)", bytes);
        return;
    }
    ptx_short_name(slot->variable->name, label, sizeof label);
    if (x->program->shared.count == 1)
        snprintf(text, size, "shared memory (%u bytes, `%s`)", bytes, label);
    else
        snprintf(text, size, "shared memory (%u bytes, `%s` is last)", bytes, label);
}

const struct op *sim_fault_address(struct exec *x, const struct op *op, uint32_t lane, enum ptx_space space,
                                   uint64_t address, uint32_t bytes, bool writes)
{
    const char *verb = writes ? "writes" : "reads";
    struct place place;
    char name[256];
    x->result->address = address;
    x->result->writes = writes;
    if (!sim_place_find(x, space, address, &place)) {
        if (space != PTX_SHARED && address < 1u << 16)
            return sim_fault_as(x, SIM_FAULT_BOUNDS, op, lane, "%s %u bytes through a null pointer (address 0x%llx)%s",
                                verb, bytes, (unsigned long long)address,
                                x->heap_ran_out ? "; malloc gave 0, for the heap has 8 MB for all blocks together"
                                                : "");
        return sim_fault_as(x, SIM_FAULT_BOUNDS, op, lane, "%s %u bytes at address 0x%llx, where there is nothing",
                            verb, bytes, (unsigned long long)address);
    }
    uint64_t rank = ((address - place.start) >> CLUSTER_SHIFT) - 1;
    uint32_t blocks = x->block->cluster->size;
    if (place.space == PTX_SHARED && x->program->maps_ranks && rank >= blocks && rank <= RANK_MOST)
        return sim_fault(x, op, lane, "%s %u bytes of the shared memory of block %llu%s of a cluster of %u", verb,
                         bytes, (unsigned long long)rank, rank == RANK_MOST ? " or above" : "", blocks);
    if (place.space == PTX_SHARED && blocks > 1 && rank < blocks)
        return sim_fault(x, op, lane,
                         "%s %u bytes of the shared memory of block %llu of its cluster, which has ended: a "
                         "cluster.sync() at its end keeps it",
                         verb, bytes, (unsigned long long)rank);
    x->result->space = place.space;
    int64_t offset = (int64_t)(address - place.start);
    if (place.space == PTX_SHARED && space == PTX_SHARED)
        offset = (int32_t)address; // 32-bit addresses: a negative index wraps
    if (place.space == PTX_SHARED || place.space == PTX_SHARED_CLUSTER)
        describe_shared(x, offset < 0 ? 0 : place.size ? place.size - 1 : 0, name, sizeof name);
    else if (place.space == PTX_LOCAL)
        snprintf(name, sizeof name, "the thread's local memory (%llu bytes)", (unsigned long long)place.size);
    else if (place.space == PTX_PARAM)
        snprintf(name, sizeof name, "the kernel's parameters (%llu bytes)", (unsigned long long)place.size);
    else {
        char label[200];
        const struct sim_allocation *allocation = sim_memory_find(x->memory, address);
        ptx_short_name(allocation->name, label, sizeof label);
        snprintf(name, sizeof name, "`%s`", label);
    }
    if (place.space == PTX_SHARED && offset < 0)
        snprintf(name, sizeof name, "shared memory");
    uint64_t end = place.size;
    if (offset < 0)
        return sim_fault_as(x, SIM_FAULT_BOUNDS, op, lane, "%s %u bytes, %llu bytes before the start of %s", verb,
                            bytes, (unsigned long long)-offset, name);
    if ((uint64_t)offset == end)
        return sim_fault_as(x, SIM_FAULT_BOUNDS, op, lane, "%s %u bytes just past the end of %s", verb, bytes, name);
    if ((uint64_t)offset >= end)
        return sim_fault_as(x, SIM_FAULT_BOUNDS, op, lane, "%s %u bytes, %llu bytes past the end of %s", verb, bytes,
                            (unsigned long long)((uint64_t)offset - end), name);
    if (end - (uint64_t)offset < bytes)
        return sim_fault_as(x, SIM_FAULT_BOUNDS, op, lane, "%s %u bytes, the last %llu of them past the end of %s",
                            verb, bytes, (unsigned long long)(bytes - (end - (uint64_t)offset)), name);
    if (writes && place.read_only)
        return sim_fault(x, op, lane, "writes %u bytes to constant memory, %s", bytes, name);
    return sim_fault_as(x, SIM_FAULT_MISALIGNED, op, lane,
                        "%s %u bytes at a misaligned address, byte %llu of %s is not a multiple of %u", verb, bytes,
                        (unsigned long long)offset, name, bytes);
}
