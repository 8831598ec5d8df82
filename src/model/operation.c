// Maps instructions to bank kinds, and ptxas' fusion to the accesses that run.
#include "model/operation.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/describe.h"
#include "model/fusion.h"
#include "model/liveness.h"
#include "model/sass.h"

static bool result_is_read(const struct ptx_function *function, const struct ptx_inst *atomic)
{
    const struct ptx_operand *result = &function->operands[atomic->operands];
    if (atomic->op != PTX_OP_ATOM || result->kind != PTX_OPERAND_REGISTER)
        return false;
    for (uint32_t i = 0; i < function->operand_count; i++) {
        const struct ptx_operand *operand = &function->operands[i];
        bool reads = operand->kind == PTX_OPERAND_REGISTER ||
                     (operand->kind == PTX_OPERAND_ADDRESS && operand->base_kind == PTX_OPERAND_REGISTER);
        if (reads && operand != result && operand->value.reg == result->value.reg)
            return true;
    }
    return false;
}

// Float and 64-bit atomics are loops of compare-and-swap: how often they go round depends on luck.
static bool atomic_is_loop(const struct ptx_inst *inst)
{
    enum ptx_type type = inst->type_count ? inst->types[0] : PTX_TYPE_NONE;
    return type != PTX_U32 && type != PTX_S32 && type != PTX_B32 && !ptx_has(inst, PTX_MOD_CAS) &&
           !ptx_has(inst, PTX_MOD_EXCH);
}

// Adding the constant 1 without using the result becomes ATOMS.POPC.INC, which adds up the lanes of one address first,
// so that they share it as in a store. Only 1, and from sm_80 on (SASS); counts as in both rows of hist_shared of
// tests/golden/h200_kernels.csv.
static bool atomic_combines(const struct ptx_function *function, const struct ptx_inst *inst)
{
    bool word = inst->type_count && (inst->types[0] == PTX_U32 || inst->types[0] == PTX_S32);
    if (!word || !ptx_has(inst, PTX_MOD_ADD) || inst->operand_count < 2 || function->module->sm < 80)
        return false;
    const struct ptx_operand *added = &function->operands[inst->operands + inst->operand_count - 1];
    return added->kind == PTX_OPERAND_INTEGER && added->value.bits == 1 && !result_is_read(function, inst);
}

// An atomic at a place that is the same for all threads of the block: REDUX or POPC, and then one lane. So it is done
// to 32-bit integers from sm_80 on, in shared and global memory; if the result is wanted, only for sums (SASS of
// ptxas 13.0).
static bool atomic_adds_up(const struct ptx_function *function, const struct ptx_inst *inst, const bool *uniform)
{
    static const enum ptx_modifier without_result[] = {PTX_MOD_MIN, PTX_MOD_MAX, PTX_MOD_AND, PTX_MOD_OR, PTX_MOD_XOR};
    enum ptx_type type = inst->type_count ? inst->types[0] : PTX_TYPE_NONE;
    bool is_word = type == PTX_U32 || type == PTX_S32 || type == PTX_B32;
    bool does = ptx_has(inst, PTX_MOD_ADD);
    if (!is_word || inst->operand_count < 2 || function->module->sm < 80)
        return false;
    for (size_t i = 0; i < sizeof without_result / sizeof *without_result; i++)
        does |= ptx_has(inst, without_result[i]) && !result_is_read(function, inst);
    const struct ptx_operand *address = &function->operands[inst->operands + (inst->op == PTX_OP_ATOM)];
    bool is_one = address->base_kind == PTX_OPERAND_VARIABLE ||
                  (address->base_kind == PTX_OPERAND_REGISTER && uniform[address->value.reg]);
    return does && address->kind == PTX_OPERAND_ADDRESS && is_one;
}

static enum bank_kind kind_of_inst(const struct ptx_function *function, const struct ptx_inst *inst)
{
    switch (inst->op) {
    case PTX_OP_ST:
    case PTX_OP_ST_ASYNC:
    case PTX_OP_WMMA_STORE:
        return BANK_STORE;
    case PTX_OP_RED_ASYNC:
        return BANK_ATOMIC;
    case PTX_OP_ATOM:
    case PTX_OP_RED:
        return atomic_combines(function, inst) ? BANK_STORE : BANK_ATOMIC;
    case PTX_OP_CP_ASYNC:
        return ptx_has(inst, PTX_MOD_CG) ? BANK_COPY_BYPASS : BANK_COPY;
    case PTX_OP_CP_ASYNC_BULK:
    case PTX_OP_CP_REDUCE_ASYNC_BULK:
    case PTX_OP_CP_ASYNC_BULK_TENSOR:
    case PTX_OP_CP_REDUCE_ASYNC_BULK_TENSOR:
        return BANK_BULK;
    case PTX_OP_LDMATRIX:
    case PTX_OP_STMATRIX:
        return BANK_MATRIX;
    default:
        return BANK_LOAD;
    }
}

static struct operation *work_out_operations(const struct sim_program *program)
{
    uint32_t size = sim_program_size(program);
    struct operation *operations = mem_alloc(size * sizeof *operations);
    const struct ptx_function *planned = NULL;
    struct fusion_entry *plan = NULL;
    bool *uniform = NULL;
    for (uint32_t pc = 0; pc < size; pc++) {
        const struct ptx_function *function;
        const struct ptx_inst *inst = sim_program_inst(program, pc, &function);
        if (function != planned) {
            free(plan);
            free(uniform);
            uniform = liveness_uniform(function);
            plan = fusion_plan(function, sim_program_shared(program));
            planned = function;
        }
        const struct fusion_entry *entry = &plan[inst - function->insts];
        bool is_atomic = inst->op == PTX_OP_ATOM || inst->op == PTX_OP_RED;
        struct operation *operation = &operations[pc];
        operation->kind = kind_of_inst(function, inst);
        operation->adds_up = is_atomic && atomic_adds_up(function, inst, uniform);
        if (operation->adds_up)
            operation->kind = BANK_STORE; // lanes that meet share
        operation->loops = is_atomic && atomic_is_loop(inst);
        operation->swaps = operation->loops || (is_atomic && ptx_has(inst, PTX_MOD_CAS));
        operation->estimate = operation->kind == BANK_BULK || operation->loops;
        operation->floating = is_atomic && sass_is_floating(inst->types[0]);
        operation->fused_away = entry->action == FUSION_AWAY;
        operation->hoisted = entry->hoisted;
        operation->preheader = sim_program_pc(program, function, entry->preheader);
        if (entry->action == FUSION_WIDE) {
            operation->wide = entry->bytes;
            operation->delta = entry->delta;
            operation->twice = entry->twice;
        }
    }
    free(plan);
    free(uniform);
    return operations;
}

static void free_operations(void *operations)
{
    free(operations);
}

// Kept beside the module, since every run asks again.
struct operation *operations_new(const struct sim_program *program)
{
    size_t bytes = sim_program_size(program) * sizeof(struct operation);
    if (!bytes)
        return mem_alloc(sizeof(struct operation));
    const struct ptx_function *entry;
    sim_program_inst(program, 0, &entry);
    const struct operation *kept = ptx_kept(entry->module, entry, free_operations);
    struct operation *own = kept ? mem_alloc(bytes) : work_out_operations(program), *also = NULL;
    if (kept)
        return memcpy(own, kept, bytes);
    also = memcpy(mem_alloc(bytes), own, bytes);
    if (!ptx_keep(entry->module, entry, free_operations, also))
        free(also);
    return own;
}

struct bank_access operation_access(const struct operation *operation, bool as_compiled, uint32_t bytes, uint32_t mask,
                                    uint32_t zeros, const uint64_t addresses[WARP_LANES])
{
    bool is_wide = as_compiled && operation->wide != 0;
    return (struct bank_access){.kind = operation->kind,
                                .bytes = is_wide ? operation->wide : bytes,
                                .mask = as_compiled && operation->fused_away ? 0 : mask,
                                .zeros = zeros,
                                .delta = is_wide ? operation->delta : 0,
                                .addresses = addresses};
}
