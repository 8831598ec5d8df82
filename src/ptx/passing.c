// Parameters and results of calls that were written out (inline.c): what the caller stores and the callee loads, or the
// other way round, passes from register to register, as it does in optimised code.
#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "ptx/forms.h"
#include "ptx/parser.h"

enum { PASSED = 32 }; // values that are followed at a time

struct passed { // stored, and not overwritten since
    const struct ptx_variable *variable;
    int64_t offset;
    uint32_t reg;
};

struct passing {
    struct ptx_function *function;
    struct passed items[PASSED];
    uint32_t count;
    struct map used; // by variable: whether anything but a store names it
};

static unsigned register_size(const struct ptx_function *function, const struct ptx_operand *operand)
{
    const struct ptx_register *reg = &function->registers[operand->value.reg];
    return reg->type == PTX_PRED || reg->vector > 1 ? 0 : ptx_type_size(reg->type);
}

// A whole register, loaded from or stored to a variable of the body. Gives the operand that is the register.
static const struct ptx_operand *moves_register(const struct ptx_function *function, const struct ptx_inst *inst,
                                                const struct ptx_operand **place)
{
    const struct ptx_operand *operands = &function->operands[inst->operands];
    bool is_load = inst->op == PTX_OP_LD;
    if ((!is_load && inst->op != PTX_OP_ST) || !inst->has_space || inst->space != PTX_PARAM || inst->vector != 1)
        return NULL;
    const struct ptx_operand *value = &operands[!is_load];
    *place = &operands[is_load];
    bool is_whole = (*place)->base_kind == PTX_OPERAND_VARIABLE && (*place)->value.variable->in_function &&
                    value->kind == PTX_OPERAND_REGISTER && value->pair_reg < 0 && !value->element &&
                    register_size(function, value) == ptx_type_size(inst->types[0]) &&
                    ptx_type_size(inst->types[0]) >= 4;
    return is_whole ? value : NULL;
}

static void forget_register(void *context, uint32_t reg, bool written)
{
    struct passing *passing = context;
    for (uint32_t i = passing->count; written && i-- > 0;)
        if (passing->items[i].reg == reg)
            passing->items[i] = passing->items[--passing->count];
}

static void forget_variable(struct passing *passing, const struct ptx_variable *variable)
{
    for (uint32_t i = passing->count; i-- > 0;)
        if (passing->items[i].variable == variable)
            passing->items[i] = passing->items[--passing->count];
}

static const struct passed *find_passed(const struct passing *passing, const struct ptx_operand *place, unsigned size)
{
    for (uint32_t i = 0; i < passing->count; i++) {
        const struct passed *passed = &passing->items[i];
        const struct ptx_register *reg = &passing->function->registers[passed->reg];
        if (passed->variable == place->value.variable && passed->offset == place->offset &&
            ptx_type_size(reg->type) == size)
            return passed;
    }
    return NULL;
}

static void make_move(struct ptx_function *function, struct ptx_inst *load, uint32_t reg)
{
    static const struct ptx_words_written none = {0};
    load->op = PTX_OP_MOV;
    load->types[0] = ptx_type_size(load->types[0]) == 8 ? PTX_B64 : PTX_B32;
    load->has_space = false;
    load->modifier_count = 0;
    function->operands[load->operands + 1] =
        (struct ptx_operand){.kind = PTX_OPERAND_REGISTER, .value.reg = reg, .pair_reg = -1};
    ptx_form_find(load, &none, 2);
}

static void pass_one(struct passing *passing, struct ptx_inst *inst)
{
    struct ptx_function *function = passing->function;
    const struct ptx_operand *place, *operands = &function->operands[inst->operands];
    const struct ptx_operand *value = moves_register(function, inst, &place);
    const struct passed *passed = NULL;
    if (value && inst->op == PTX_OP_LD && (passed = find_passed(passing, place, ptx_type_size(inst->types[0]))))
        make_move(function, inst, passed->reg);
    ptx_visit_registers(function, inst, forget_register, passing);
    for (uint32_t i = 0;
         inst->op == PTX_OP_CALL && operands[0].kind == PTX_OPERAND_VECTOR && i < operands[0].value.vector.count; i++) {
        const struct ptx_operand *result = &function->operands[operands[0].value.vector.first + i];
        if (result->kind == PTX_OPERAND_VARIABLE)
            forget_variable(passing, result->value.variable);
    }
    bool stores = inst->op == PTX_OP_ST && operands[0].kind == PTX_OPERAND_ADDRESS &&
                  operands[0].base_kind == PTX_OPERAND_VARIABLE;
    for (uint32_t i = passing->count; stores && i-- > 0;) { // what it may overlap
        const struct passed *old = &passing->items[i];
        int64_t apart = old->offset - operands[0].offset;
        if (old->variable == operands[0].value.variable && (inst->vector > 1 || (apart > -8 && apart < 8)))
            passing->items[i] = passing->items[--passing->count];
    }
    if (value && inst->op == PTX_OP_ST && inst->guard < 0 && passing->count < PASSED)
        passing->items[passing->count++] = (struct passed){place->value.variable, place->offset, value->value.reg};
}

// Notes the variables that an operand names, but for those that are stored to.
static void note_used(struct passing *passing, const struct ptx_operand *operand)
{
    bool names = operand->kind == PTX_OPERAND_VARIABLE ||
                 (operand->kind == PTX_OPERAND_ADDRESS && operand->base_kind == PTX_OPERAND_VARIABLE);
    if (names)
        *(bool *)map_add(&passing->used, (uint64_t)(uintptr_t)operand->value.variable, NULL) = true;
    for (uint32_t i = 0; operand->kind == PTX_OPERAND_VECTOR && i < operand->value.vector.count; i++)
        note_used(passing, &passing->function->operands[operand->value.vector.first + i]);
}

static bool is_idle(const struct passing *passing, const struct ptx_inst *inst)
{
    const struct ptx_operand *place;
    if (inst->op != PTX_OP_ST || !moves_register(passing->function, inst, &place))
        return false;
    const struct ptx_variable *variable = place->value.variable;
    bool is_result = false;
    for (uint32_t i = 0; i < passing->function->result_count; i++)
        is_result |= variable == &passing->function->results[i];
    return !is_result && !map_find(&passing->used, (uint64_t)(uintptr_t)variable);
}

void ptx_pass_in_registers(struct ptx_function *function, struct arena *arena)
{
    struct passing passing = {.function = function, .used = map_of(bool)};
    uint32_t *places = mem_alloc((function->inst_count + 1) * sizeof *places), left = 0;
    for (uint32_t i = 0; i < function->inst_count; i++) {
        if (i == function->blocks[function->block_of[i]].first)
            passing.count = 0;
        pass_one(&passing, &function->insts[i]);
    }
    for (uint32_t i = 0; i < function->inst_count; i++) {
        const struct ptx_inst *inst = &function->insts[i];
        for (uint32_t k = inst->op == PTX_OP_ST; k < inst->operand_count; k++)
            note_used(&passing, &function->operands[inst->operands + k]);
    }
    for (uint32_t i = 0; i < function->inst_count; i++) {
        places[i] = left;
        if (!is_idle(&passing, &function->insts[i]))
            function->insts[left++] = function->insts[i];
    }
    function->inst_count = left;
    function->block_count = 0;
    ptx_move_targets(function->operands, function->operand_count, places, arena);
    ptx_cfg_build(function, arena);
    map_free(&passing.used);
    free(places);
}
