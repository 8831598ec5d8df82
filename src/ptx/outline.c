// The outline of a function: what is left of it without the instructions that decide neither what is executed nor where
// global memory is touched. Of a matrix product, the loops, barriers, copies, and loads and stores with their
// addresses.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ptx/parser.h"

struct outline {
    const struct ptx_function *function;
    bool *kept;   // instructions
    bool *needed; // registers
    bool values;  // what is stored is needed: something that is needed is loaded
    bool inside;  // where memory is touched that stays inside counts as well
    bool changed;
};

static bool is_load(enum ptx_opcode op)
{
    return op == PTX_OP_LD || op == PTX_OP_LDU || op == PTX_OP_LDMATRIX || op == PTX_OP_WMMA_LOAD;
}

static bool is_store(enum ptx_opcode op)
{
    return op == PTX_OP_ST || op == PTX_OP_STMATRIX || op == PTX_OP_WMMA_STORE;
}

// Memory of which no traffic leaves the SM.
static bool stays_inside(const struct outline *outline, enum ptx_space space)
{
    if (outline->inside)
        return false;
    return space == PTX_SHARED || space == PTX_LOCAL || space == PTX_PARAM || space == PTX_CONST;
}

static void see_result(void *context, uint32_t reg, bool written)
{
    struct outline *outline = context;
    outline->changed |= written && outline->needed[reg];
}

static bool writes_needed(struct outline *outline, const struct ptx_inst *inst)
{
    struct outline seen = {.needed = outline->needed};
    ptx_visit_registers(outline->function, inst, see_result, &seen);
    return seen.changed;
}

static void see_any(void *context, uint32_t reg, bool written)
{
    (void)reg;
    *(bool *)context |= written;
}

// Whether it counts for itself, whatever becomes of its results.
static bool is_root(const struct outline *outline, const struct ptx_inst *inst)
{
    enum ptx_group group = ptx_opcode_group(inst->op);
    bool has_result = false;
    if (is_load(inst->op))
        return !stays_inside(outline, inst->space);
    if (is_store(inst->op))
        return outline->values || !stays_inside(outline, inst->space) || inst->space == PTX_PARAM;
    if (outline->inside && inst->op == PTX_OP_WGMMA_MMA) // reads by its descriptors
        return true;
    ptx_visit_registers(outline->function, inst, see_any, &has_result);
    return !has_result || ptx_has(inst, PTX_MOD_CC) || group == PTX_GROUP_CONTROL || group == PTX_GROUP_SYNC ||
           group == PTX_GROUP_ASYNC || group == PTX_GROUP_ATOMIC || group == PTX_GROUP_TEXTURE;
}

static void need(void *context, uint32_t reg, bool written)
{
    struct outline *outline = context;
    outline->changed |= !written && !outline->needed[reg];
    outline->needed[reg] |= !written;
}

// What a store has besides its value, which is the second operand: a wmma.store has a stride, too. What a wgmma has
// besides fragments.
static void need_places(struct outline *outline, const struct ptx_inst *inst)
{
    const struct ptx_operand *operand = &outline->function->operands[inst->operands];
    if (inst->guard >= 0)
        need(outline, (uint32_t)inst->guard, false);
    for (uint32_t i = 0; i < inst->operand_count; i++, operand++) {
        bool is_address = operand->kind == PTX_OPERAND_ADDRESS && operand->base_kind == PTX_OPERAND_REGISTER;
        bool is_value = is_store(inst->op) && i == 1;
        if (is_address || (operand->kind == PTX_OPERAND_REGISTER && !is_value))
            need(outline, operand->value.reg, false);
    }
}

static void need_operands(struct outline *outline, const struct ptx_inst *inst)
{
    bool is_product = outline->inside && inst->op == PTX_OP_WGMMA_MMA && !writes_needed(outline, inst);
    bool is_apart = is_store(inst->op) && !outline->values && inst->space != PTX_PARAM;
    if (is_product || is_apart)
        need_places(outline, inst);
    else
        ptx_visit_registers(outline->function, inst, need, outline);
}

static void keep_deciding(struct outline *outline)
{
    do {
        outline->changed = false;
        for (uint32_t i = outline->function->inst_count; i-- > 0;) {
            const struct ptx_inst *inst = &outline->function->insts[i];
            bool is_needed = writes_needed(outline, inst);
            bool reads = is_needed && is_load(inst->op) && inst->space != PTX_PARAM && inst->space != PTX_CONST;
            outline->changed |= reads && !outline->values;
            outline->values |= reads;
            outline->kept[i] = is_needed || is_root(outline, inst);
            if (outline->kept[i])
                need_operands(outline, inst);
        }
    } while (outline->changed);
}

// ---- the function that is left

static const struct ptx_table *move_table(const struct ptx_table *table, const uint32_t *places, struct arena *arena)
{
    struct ptx_table *moved = arena_alloc(arena, sizeof *moved);
    *moved = *table;
    moved->targets = arena_alloc(arena, (table->count + 1) * sizeof *moved->targets);
    for (uint32_t i = 0; i < table->count; i++)
        moved->targets[i] = places[table->targets[i]];
    return moved;
}

void ptx_move_targets(struct ptx_operand *operands, uint32_t count, const uint32_t *places, struct arena *arena)
{
    for (uint32_t i = 0; i < count; i++) {
        if (operands[i].kind == PTX_OPERAND_LABEL)
            operands[i].value.target = places[operands[i].value.target];
        else if (operands[i].kind == PTX_OPERAND_TABLE && operands[i].value.table->targets)
            operands[i].value.table = move_table(operands[i].value.table, places, arena);
    }
}

const struct ptx_function *ptx_outline(const struct ptx_function *function, struct arena *arena)
{
    struct outline outline = {.function = function,
                              .kept = mem_alloc(function->inst_count * sizeof *outline.kept),
                              .needed = mem_alloc((function->register_count + 1) * sizeof *outline.needed)};
    uint32_t *places = mem_alloc(function->inst_count * sizeof *places);
    struct ptx_function *left = arena_alloc(arena, sizeof *left);
    keep_deciding(&outline);
    *left = *function;
    left->insts = arena_alloc(arena, function->inst_count * sizeof *left->insts);
    left->inst_count = left->block_count = 0;
    for (uint32_t i = 0; i < function->inst_count; i++) {
        places[i] = left->inst_count;
        if (outline.kept[i])
            left->insts[left->inst_count++] = function->insts[i];
    }
    left->operands = arena_alloc(arena, (function->operand_count + 1) * sizeof *left->operands);
    if (function->operand_count)
        memcpy(left->operands, function->operands, function->operand_count * sizeof *left->operands);
    ptx_move_targets(left->operands, left->operand_count, places, arena);
    ptx_cfg_build(left, arena);
    free(outline.kept);
    free(outline.needed);
    free(places);
    return left;
}

bool *ptx_decides(const struct ptx_function *function)
{
    struct outline outline = {.function = function,
                              .inside = true,
                              .kept = mem_alloc((function->inst_count + 1) * sizeof *outline.kept),
                              .needed = mem_alloc((function->register_count + 1) * sizeof *outline.needed)};
    keep_deciding(&outline);
    for (uint32_t i = 0; i < function->inst_count; i++)
        outline.kept[i] = writes_needed(&outline, &function->insts[i]);
    free(outline.needed);
    return outline.kept;
}

bool ptx_heeds_memory(const struct ptx_function *function)
{
    bool heeds = false, *decides = ptx_decides(function);
    for (uint32_t i = 0; i < function->inst_count; i++) {
        const struct ptx_inst *inst = &function->insts[i];
        enum ptx_group group = ptx_opcode_group(inst->op);
        bool reads = is_load(inst->op) && inst->space != PTX_PARAM && inst->space != PTX_CONST;
        bool is_known = !reads && group != PTX_GROUP_ATOMIC && group != PTX_GROUP_TEXTURE;
        heeds |= inst->op == PTX_OP_CALL || (decides[i] && !is_known);
    }
    free(decides);
    return heeds;
}
