// What a function does, as a number: whether two sources compile to the same program.
//
// A register stands for how its value is made, so names, numbering and the order of what only computes do not matter.
// Accesses, barriers and branches count in their order; blocks by their place.
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "ptx/ptx.h"

enum { MOST_CALLS = 8 }; // deep; beyond them a function is its name

struct signer {
    const struct ptx_function *function;
    uint64_t *values; // of each register
    uint64_t made;    // of the instruction at hand
    uint32_t written; // registers of it so far
    unsigned depth;
};

static uint64_t function_signature(const struct ptx_function *function, unsigned depth);

static uint64_t with(uint64_t hash, uint64_t value)
{
    return map_hash(hash, &value, sizeof value);
}

static uint64_t with_variable(uint64_t hash, const struct ptx_variable *variable)
{
    hash = with(with(with(hash, variable->space), variable->align), variable->size);
    if (variable->space == PTX_PARAM)
        return with(with(hash, variable->in_function), variable->offset);
    return variable->data ? map_hash(hash, variable->data, variable->size) : hash;
}

static uint64_t with_table(const struct signer *signer, uint64_t hash, const struct ptx_table *table)
{
    for (uint32_t i = 0; i < table->count && table->targets; i++)
        hash = with(hash, signer->function->block_of[table->targets[i]]);
    return with(hash, table->count);
}

static uint64_t with_operand(const struct signer *signer, uint64_t hash, const struct ptx_operand *operand)
{
    const struct ptx_function *function = signer->function;
    bool is_address = operand->kind == PTX_OPERAND_ADDRESS;
    hash = with(with(with(hash, operand->kind), operand->negated), operand->element);
    hash = with(with(hash, (uint64_t)operand->offset), operand->selector);
    if (operand->pair_reg >= 0)
        hash = with(hash, signer->values[operand->pair_reg]);
    switch (is_address ? operand->base_kind : operand->kind) {
    case PTX_OPERAND_REGISTER:
        return with(hash, signer->values[operand->value.reg]);
    case PTX_OPERAND_SPECIAL:
        return with(hash, operand->value.special);
    case PTX_OPERAND_INTEGER:
    case PTX_OPERAND_FLOAT:
        return with(hash, operand->value.bits);
    case PTX_OPERAND_VARIABLE:
        return with_variable(hash, operand->value.variable);
    case PTX_OPERAND_FUNCTION:
        return with(hash, function_signature(operand->value.function, signer->depth + 1));
    case PTX_OPERAND_LABEL:
        return with(hash, function->block_of[operand->value.target]);
    case PTX_OPERAND_TABLE:
        return with_table(signer, hash, operand->value.table);
    case PTX_OPERAND_TEXT:
        return map_hash(hash, operand->value.text, strlen(operand->value.text));
    case PTX_OPERAND_VECTOR:
        for (uint32_t i = 0; i < operand->value.vector.count; i++)
            hash = with_operand(signer, hash, &function->operands[operand->value.vector.first + i]);
        return hash;
    default:
        return hash;
    }
}

static uint64_t instruction_hash(const struct signer *signer, const struct ptx_inst *inst)
{
    uint64_t hash = with(with(with(MAP_HASH_START, inst->op), inst->vector), inst->choice);
    hash = with(with(with(hash, inst->space), inst->space2), inst->has_space);
    for (uint8_t i = 0; i < inst->type_count; i++)
        hash = with(hash, inst->types[i]);
    hash = map_hash(hash, inst->modifiers, inst->modifier_count);
    if (inst->guard >= 0)
        hash = with(with(hash, signer->values[inst->guard]), inst->guard_negated);
    for (uint8_t i = 0; i < inst->operand_count; i++)
        hash = with_operand(signer, hash, &signer->function->operands[inst->operands + i]);
    return hash;
}

static void sign_written(void *context, uint32_t reg, bool written)
{
    struct signer *signer = context;
    if (written)
        signer->values[reg] = with(signer->made, signer->written++);
}

// Whether it matters when it happens.
static bool has_a_place(const struct ptx_inst *inst)
{
    bool is_argument = ptx_opcode_group(inst->op) == PTX_GROUP_MEMORY && inst->space == PTX_PARAM;
    return !ptx_only_computes(inst->op) && !is_argument;
}

static uint64_t function_signature(const struct ptx_function *function, unsigned depth)
{
    struct signer signer = {.function = function, .depth = depth};
    uint64_t hash = with(with(MAP_HASH_START, function->param_size), function->result_size);
    if (!function->is_defined || depth > MOST_CALLS)
        return map_hash(hash, function->name, strlen(function->name));
    signer.values = mem_alloc((function->register_count + 1) * sizeof *signer.values);
    for (int axis = 0; axis < 3; axis++)
        hash = with(with(hash, function->maxntid[axis]), function->reqntid[axis]);
    hash = with(with(hash, function->minnctapersm), function->maxnreg);
    for (uint32_t block = 0; block < function->block_count; block++) {
        uint64_t sum = 0;
        for (uint32_t i = function->blocks[block].first; i <= function->blocks[block].last; i++) {
            signer.made = instruction_hash(&signer, &function->insts[i]);
            signer.written = 0;
            ptx_visit_registers(function, &function->insts[i], sign_written, &signer);
            if (has_a_place(&function->insts[i]))
                hash = with(hash, signer.made);
            else
                sum += signer.made;
        }
        hash = with(hash, sum);
    }
    free(signer.values);
    return hash;
}

uint64_t ptx_signature(const struct ptx_function *function)
{
    return function_signature(function, 0);
}
