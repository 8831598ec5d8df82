// Tables and rules from PTX opcodes to the kinds of instruction that the replay knows.
#include "model/describe.h"

static bool is_floating(enum ptx_type type)
{
    return type == PTX_F32 || type == PTX_F16 || type == PTX_F16X2 || type == PTX_BF16 || type == PTX_BF16X2 ||
           type == PTX_F64;
}

static enum replay_kind memory_kind(const struct ptx_inst *inst)
{
    bool shared = inst->space == PTX_SHARED || inst->space == PTX_SHARED_CLUSTER;
    if (inst->op == PTX_OP_LD || inst->op == PTX_OP_LDU) {
        if (inst->space == PTX_PARAM || inst->space == PTX_CONST)
            return REPLAY_FREE;
        return shared ? REPLAY_SHARED_LOAD : REPLAY_GLOBAL_LOAD;
    }
    if (inst->op == PTX_OP_ST)
        return inst->space == PTX_PARAM ? REPLAY_FREE : shared ? REPLAY_SHARED_STORE : REPLAY_GLOBAL_STORE;
    return shared ? REPLAY_SHARED_ATOMIC : REPLAY_GLOBAL_ATOMIC;
}

static enum replay_kind arithmetic_kind(const struct ptx_inst *inst)
{
    enum ptx_type type = inst->type_count ? inst->types[0] : PTX_TYPE_NONE;
    if (type == PTX_F64)
        return REPLAY_FP64;
    return is_floating(type) ? REPLAY_FP32 : REPLAY_INT;
}

static enum replay_kind kind_of(const struct ptx_inst *inst, const struct ptx_function *function)
{
    switch (inst->op) {
    case PTX_OP_LD:
    case PTX_OP_LDU:
    case PTX_OP_ST:
    case PTX_OP_ATOM:
    case PTX_OP_RED:
        return memory_kind(inst);
    case PTX_OP_LDMATRIX:
        return REPLAY_SHARED_LOAD;
    case PTX_OP_STMATRIX:
        return REPLAY_SHARED_STORE;
    case PTX_OP_CP_ASYNC:
    case PTX_OP_CP_ASYNC_BULK:
        return REPLAY_COPY;
    case PTX_OP_CP_ASYNC_COMMIT_GROUP:
        return REPLAY_COMMIT;
    case PTX_OP_CP_ASYNC_WAIT_GROUP:
    case PTX_OP_CP_ASYNC_WAIT_ALL:
        return REPLAY_WAIT;
    case PTX_OP_BAR_SYNC:
    case PTX_OP_BAR_RED:
    case PTX_OP_BARRIER_SYNC:
    case PTX_OP_BARRIER_RED:
    case PTX_OP_BAR_CTA_SYNC:
    case PTX_OP_BARRIER_CTA_SYNC:
        return REPLAY_BARRIER;
    case PTX_OP_MOV:
        return function->operands[inst->operands + 1].kind == PTX_OPERAND_SPECIAL ? REPLAY_SPECIAL : REPLAY_FREE;
    case PTX_OP_CVTA:
    case PTX_OP_CALL:
        return REPLAY_FREE;
    case PTX_OP_CVT:
        return inst->type_count > 1 && is_floating(inst->types[0]) != is_floating(inst->types[1]) ? REPLAY_SPECIAL
               : is_floating(inst->types[0])                                                      ? REPLAY_SPECIAL
                                                                                                  : REPLAY_FREE;
    case PTX_OP_RCP:
    case PTX_OP_SQRT:
    case PTX_OP_RSQRT:
    case PTX_OP_SIN:
    case PTX_OP_COS:
    case PTX_OP_LG2:
    case PTX_OP_EX2:
    case PTX_OP_TANH:
    case PTX_OP_DIV:
    case PTX_OP_REM:
    case PTX_OP_POPC:
    case PTX_OP_BREV:
    case PTX_OP_BFIND:
    case PTX_OP_CLZ:
        return REPLAY_SPECIAL;
    case PTX_OP_SHFL_SYNC:
    case PTX_OP_VOTE_SYNC:
    case PTX_OP_MATCH_SYNC:
    case PTX_OP_REDUX_SYNC:
        return REPLAY_SHUFFLE;
    case PTX_OP_MMA:
    case PTX_OP_WMMA_MMA:
        return REPLAY_TENSOR;
    case PTX_OP_BRA:
    case PTX_OP_BRX_IDX:
    case PTX_OP_RET:
    case PTX_OP_EXIT:
    case PTX_OP_BAR_WARP_SYNC:
    case PTX_OP_MEMBAR:
    case PTX_OP_FENCE:
        return REPLAY_CONTROL;
    default:
        return arithmetic_kind(inst);
    }
}

struct described_registers {
    struct replay_inst *inst;
    uint32_t base;
};

static void describe_register(void *context, uint32_t reg, bool written)
{
    const struct described_registers *into = context;
    struct replay_inst *inst = into->inst;
    uint16_t number = (uint16_t)((into->base + reg) % REPLAY_MAX_REGISTERS);
    if (written && inst->result_count < REPLAY_RESULTS)
        inst->results[inst->result_count++] = number;
    else if (!written && inst->source_count < REPLAY_SOURCES)
        inst->sources[inst->source_count++] = number;
}

// ptxas turns a branch over a few instructions into predicates; any other it moves nothing across.
static bool is_wall(const struct ptx_function *function, const struct ptx_inst *inst, uint32_t index)
{
    enum { PREDICATED = 16 };
    if (inst->op != PTX_OP_BRA)
        return inst->op == PTX_OP_BRX_IDX;
    const struct ptx_operand *target = &function->operands[inst->operands];
    return target->kind == PTX_OPERAND_LABEL &&
           (target->value.target <= index || target->value.target > index + PREDICATED);
}

struct replay_inst describe_inst(const struct ptx_function *function, uint32_t index, uint32_t base)
{
    const struct ptx_inst *inst = &function->insts[index];
    struct replay_inst out = {
        .kind = kind_of(inst, function), .sharing = 1, .dram = 1, .wall = is_wall(function, inst, index)};
    ptx_visit_registers(function, inst, describe_register, &(struct described_registers){&out, base});
    if (out.kind == REPLAY_WAIT && inst->op == PTX_OP_CP_ASYNC_WAIT_GROUP)
        out.count = (uint16_t)function->operands[inst->operands].value.bits;
    return out;
}
