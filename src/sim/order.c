// May blocks run at the same time without anybody seeing a difference?
//
// They may if no block reads what another writes, and no two write to one place. This is a guess from the text, on the
// safe side: where an address comes from is followed through the entry's registers back to parameters, variables, the
// block index and loaded values. A kernel that reads and writes one buffer, whose stores do not depend on the block
// index, or whose stores go where loaded values lead, runs its blocks in order on one host thread.
#include <stdlib.h>

#include "sim/machine.h"

enum { ROOT_PARAMS = 40, ROOT_VARIABLES = 16, ROOT_BLOCK = 61, ROOT_DATA = 62, ROOT_UNKNOWN = 63, MAX_PASSES = 16 };

#define ROOT(bit) ((uint64_t)1 << (bit))

struct tracer {
    const struct sim_program *program;
    const struct ptx_function *source;
    uint64_t *roots; // of each register
    struct block_order *order;
};

static uint64_t variable_root(struct tracer *t, const struct ptx_variable *variable)
{
    const struct sim_program *program = t->program;
    if (variable->space == PTX_PARAM) {
        uint32_t word = variable->offset / 8;
        return word < ROOT_PARAMS ? ROOT(word) : ROOT(ROOT_UNKNOWN);
    }
    if (variable->space != PTX_GLOBAL)
        return 0;
    struct sim_allocation *allocation =
        variable->in_function ? program->function_globals[variable->order] : program->globals[variable->index];
    struct block_order *order = t->order;
    for (uint32_t i = 0; i < order->variable_count; i++)
        if (order->variables[i] == allocation)
            return ROOT(ROOT_PARAMS + i);
    if (order->variable_count == ROOT_VARIABLES)
        return ROOT(ROOT_UNKNOWN);
    order->variables[order->variable_count] = allocation;
    return ROOT(ROOT_PARAMS + order->variable_count++);
}

static uint64_t operand_roots(struct tracer *t, const struct ptx_operand *operand)
{
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        return operand->value.reg < t->source->register_count ? t->roots[operand->value.reg] : 0;
    case PTX_OPERAND_SPECIAL:
        return operand->value.special == PTX_SPECIAL_CTAID ? ROOT(ROOT_BLOCK) : 0;
    case PTX_OPERAND_VARIABLE:
        return variable_root(t, operand->value.variable);
    case PTX_OPERAND_ADDRESS:
        if (operand->base_kind == PTX_OPERAND_REGISTER)
            return operand->value.reg < t->source->register_count ? t->roots[operand->value.reg] : 0;
        return operand->base_kind == PTX_OPERAND_VARIABLE ? variable_root(t, operand->value.variable) : 0;
    case PTX_OPERAND_VECTOR: {
        uint64_t roots = 0;
        for (uint32_t i = 0; i < operand->value.vector.count; i++)
            roots |= operand_roots(t, &t->source->operands[operand->value.vector.first + i]);
        return roots;
    }
    default:
        return 0;
    }
}

static const struct ptx_operand *operand_of(const struct tracer *t, const struct ptx_inst *inst, uint32_t number)
{
    return &t->source->operands[inst->operands + number];
}

// What an instruction's result may come from.
static uint64_t result_roots(struct tracer *t, const struct ptx_inst *inst)
{
    uint64_t roots = 0;
    bool is_wide = inst->type_count && ptx_type_size(inst->types[0]) >= 8;
    switch (inst->op) {
    case PTX_OP_LD:
    case PTX_OP_LDU:
        if (inst->space == PTX_PARAM && inst->has_space) {
            const struct ptx_operand *from = operand_of(t, inst, 1);
            if (from->base_kind != PTX_OPERAND_VARIABLE || from->offset < 0)
                return ROOT(ROOT_UNKNOWN);
            uint64_t word = (from->value.variable->offset + (uint64_t)from->offset) / 8;
            return word + 1 < ROOT_PARAMS ? ROOT(word) | (inst->vector > 1 ? ROOT(word + 1) : 0) : ROOT(ROOT_UNKNOWN);
        }
        return is_wide ? ROOT(ROOT_UNKNOWN) : ROOT(ROOT_DATA);
    case PTX_OP_ATOM:
        return ROOT(ROOT_DATA);
    case PTX_OP_CALL:
        return ROOT(ROOT_UNKNOWN);
    default:
        for (uint32_t i = 1; i < inst->operand_count; i++)
            roots |= operand_roots(t, operand_of(t, inst, i));
        return roots;
    }
}

static bool add_roots(struct tracer *t, const struct ptx_operand *to, uint64_t roots)
{
    bool changed = false;
    if (to->kind == PTX_OPERAND_REGISTER && to->value.reg < t->source->register_count) {
        changed = (t->roots[to->value.reg] | roots) != t->roots[to->value.reg];
        t->roots[to->value.reg] |= roots;
    } else if (to->kind == PTX_OPERAND_VECTOR) {
        for (uint32_t i = 0; i < to->value.vector.count; i++)
            changed |= add_roots(t, &t->source->operands[to->value.vector.first + i], roots);
    }
    return changed;
}

static bool trace_pass(struct tracer *t)
{
    bool changed = false;
    for (uint32_t i = 0; i < t->source->inst_count; i++) {
        const struct ptx_inst *inst = &t->source->insts[i];
        if (inst->operand_count)
            changed |= add_roots(t, operand_of(t, inst, 0), result_roots(t, inst));
    }
    return changed;
}

static bool outside_block(const struct ptx_inst *inst)
{
    return !inst->has_space || inst->space == PTX_GENERIC || inst->space == PTX_GLOBAL;
}

static void note_accesses(struct tracer *t)
{
    struct block_order *order = t->order;
    for (uint32_t i = 0; i < t->source->inst_count; i++) {
        const struct ptx_inst *inst = &t->source->insts[i];
        switch (inst->op) {
        case PTX_OP_LD:
        case PTX_OP_LDU:
            if (outside_block(inst))
                order->loads |= operand_roots(t, operand_of(t, inst, 1));
            break;
        case PTX_OP_CP_ASYNC:
        case PTX_OP_CP_ASYNC_BULK:
            order->loads |= operand_roots(t, operand_of(t, inst, 1));
            if (inst->op == PTX_OP_CP_ASYNC_BULK && inst->space == PTX_GLOBAL)
                order->always = true;
            break;
        case PTX_OP_ST:
            if (outside_block(inst)) {
                uint64_t roots = operand_roots(t, operand_of(t, inst, 0));
                order->stores |= roots;
                order->always |= !(roots & ROOT(ROOT_BLOCK)) || roots & (ROOT(ROOT_DATA) | ROOT(ROOT_UNKNOWN));
            }
            break;
        case PTX_OP_RED: // exact sums of integers: see sim_decode_atomic for the others
            if (outside_block(inst))
                order->stores |= operand_roots(t, operand_of(t, inst, 0));
            break;
        case PTX_OP_ATOM:
            if (outside_block(inst))
                order->stores |= operand_roots(t, operand_of(t, inst, 1));
            break;
        case PTX_OP_WMMA_LOAD:
            order->loads |= operand_roots(t, operand_of(t, inst, 1));
            break;
        case PTX_OP_WMMA_STORE:
            order->stores |= operand_roots(t, operand_of(t, inst, 0));
            break;
        case PTX_OP_CALL: // what a function does with its pointers is not followed
            order->always = true;
            break;
        default:
            break;
        }
    }
}

void sim_order_find(struct sim_program *program)
{
    struct tracer t = {.program = program, .source = program->entry, .order = &program->order};
    t.roots = mem_alloc((t.source->register_count + 1) * sizeof *t.roots);
    uint32_t passes = 0;
    while (trace_pass(&t) && passes < MAX_PASSES)
        passes++;
    program->order.always = passes == MAX_PASSES;
    note_accesses(&t);
    free(t.roots);
}

// The allocation that root bit `bit` stands for in this launch, or NULL.
static const struct sim_allocation *root_allocation(const struct sim_launch *launch, uint32_t bit)
{
    const struct block_order *order = &launch->program->order;
    if (bit >= ROOT_PARAMS)
        return bit - ROOT_PARAMS < order->variable_count ? order->variables[bit - ROOT_PARAMS] : NULL;
    uint64_t address;
    if (8 * (bit + 1) > launch->program->entry->param_size)
        return NULL;
    memcpy(&address, (const unsigned char *)launch->params + 8 * bit, 8);
    return sim_memory_find(launch->memory, address);
}

bool sim_order_matters(const struct sim_launch *launch)
{
    const struct block_order *order = &launch->program->order;
    if (launch->program->ordered || order->always)
        return true;
    if (!order->stores)
        return false;
    if ((order->loads | order->stores) & ROOT(ROOT_UNKNOWN))
        return true;
    for (uint32_t s = 0; s < ROOT_PARAMS + ROOT_VARIABLES; s++) {
        const struct sim_allocation *stored = order->stores >> s & 1 ? root_allocation(launch, s) : NULL;
        for (uint32_t l = 0; stored && l < ROOT_PARAMS + ROOT_VARIABLES; l++)
            if (order->loads >> l & 1 && root_allocation(launch, l) == stored)
                return true;
    }
    return false;
}
