// Tables and rules from PTX opcodes to the kinds of instruction that the replay knows.
#include "model/describe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/sass.h"

bool describe_calls(const struct ptx_inst *inst)
{
    bool divides =
        inst->op == PTX_OP_DIV || inst->op == PTX_OP_REM || inst->op == PTX_OP_RCP || inst->op == PTX_OP_SQRT;
    bool floating = inst->types[0] == PTX_F32 || inst->types[0] == PTX_F64;
    bool exact = floating || ptx_type_size(inst->types[0]) == 8;
    for (uint32_t i = 0; i < inst->modifier_count; i++) {
        const char *word = ptx_modifier_name((enum ptx_modifier)inst->modifiers[i]);
        exact &= strcmp(word, "approx") != 0 && strcmp(word, "full") != 0;
    }
    return divides && exact;
}

static enum replay_kind memory_kind(const struct ptx_inst *inst, const struct ptx_operand *address)
{
    bool shared = inst->space == PTX_SHARED || inst->space == PTX_SHARED_CLUSTER;
    if (inst->op == PTX_OP_WMMA_LOAD || inst->op == PTX_OP_LD || inst->op == PTX_OP_LDU) {
        if (inst->space == PTX_PARAM || inst->space == PTX_CONST)
            return address->base_kind == PTX_OPERAND_REGISTER ? REPLAY_CONSTANT : REPLAY_FREE;
        return shared ? REPLAY_SHARED_LOAD : REPLAY_GLOBAL_LOAD;
    }
    if (inst->op == PTX_OP_ST || inst->op == PTX_OP_WMMA_STORE)
        return inst->space == PTX_PARAM ? REPLAY_FREE : shared ? REPLAY_SHARED_STORE : REPLAY_GLOBAL_STORE;
    return shared ? REPLAY_SHARED_ATOMIC : REPLAY_GLOBAL_ATOMIC;
}

static enum replay_kind arithmetic_kind(const struct ptx_inst *inst)
{
    enum ptx_type type = inst->type_count ? inst->types[0] : PTX_TYPE_NONE;
    if (type == PTX_F64)
        return REPLAY_FP64;
    return sass_is_floating(type) ? REPLAY_FP32 : REPLAY_INT;
}

// Those that are always of one kind.
enum { KIND_OPS = 14 };
static const struct {
    enum replay_kind kind;
    enum ptx_opcode ops[KIND_OPS];
} kinds[] = {
    {REPLAY_SHARED_LOAD, {PTX_OP_LDMATRIX}},
    {REPLAY_SHARED_STORE, {PTX_OP_STMATRIX}},
    {REPLAY_COPY, {PTX_OP_CP_ASYNC}},
    {REPLAY_COMMIT, {PTX_OP_CP_ASYNC_COMMIT_GROUP}},
    {REPLAY_WAIT, {PTX_OP_CP_ASYNC_WAIT_GROUP, PTX_OP_CP_ASYNC_WAIT_ALL}},
    {REPLAY_BARRIER,
     {PTX_OP_BAR_SYNC, PTX_OP_BAR_RED, PTX_OP_BARRIER_SYNC, PTX_OP_BARRIER_RED, PTX_OP_BAR_CTA_SYNC,
      PTX_OP_BARRIER_CTA_SYNC}},
    {REPLAY_SPECIAL,
     {PTX_OP_RCP, PTX_OP_SQRT, PTX_OP_RSQRT, PTX_OP_SIN, PTX_OP_COS, PTX_OP_LG2, PTX_OP_EX2, PTX_OP_TANH, PTX_OP_DIV,
      PTX_OP_REM, PTX_OP_POPC, PTX_OP_BREV, PTX_OP_BFIND, PTX_OP_CLZ}},
    {REPLAY_SHUFFLE, {PTX_OP_SHFL_SYNC, PTX_OP_VOTE_SYNC, PTX_OP_MATCH_SYNC, PTX_OP_REDUX_SYNC}},
    {REPLAY_TENSOR, {PTX_OP_MMA, PTX_OP_WMMA_MMA}},
    {REPLAY_PRODUCT, {PTX_OP_WGMMA_MMA}},
    {REPLAY_PRODUCT_COMMIT, {PTX_OP_WGMMA_COMMIT}},
    {REPLAY_PRODUCT_WAIT, {PTX_OP_WGMMA_WAIT}},
    {REPLAY_BULK,
     {PTX_OP_CP_ASYNC_BULK, PTX_OP_CP_ASYNC_BULK_TENSOR, PTX_OP_CP_REDUCE_ASYNC_BULK,
      PTX_OP_CP_REDUCE_ASYNC_BULK_TENSOR, PTX_OP_CP_ASYNC_BULK_PREFETCH, PTX_OP_CP_ASYNC_BULK_PREFETCH_TENSOR}},
    {REPLAY_BULK_COMMIT, {PTX_OP_CP_ASYNC_BULK_COMMIT_GROUP}},
    {REPLAY_BULK_WAIT, {PTX_OP_CP_ASYNC_BULK_WAIT_GROUP}},
    {REPLAY_ARRIVE,
     {PTX_OP_MBARRIER_ARRIVE, PTX_OP_MBARRIER_ARRIVE_DROP, PTX_OP_CP_ASYNC_MBARRIER_ARRIVE, PTX_OP_BAR_ARRIVE,
      PTX_OP_BAR_CTA_ARRIVE, PTX_OP_BARRIER_ARRIVE, PTX_OP_BARRIER_CTA_ARRIVE}},
    {REPLAY_AWAIT, {PTX_OP_MBARRIER_TEST_WAIT, PTX_OP_MBARRIER_TRY_WAIT}},
    {REPLAY_CONTROL,
     {PTX_OP_BRA, PTX_OP_BRX_IDX, PTX_OP_RET, PTX_OP_EXIT, PTX_OP_BAR_WARP_SYNC, PTX_OP_MEMBAR, PTX_OP_FENCE}}};

static enum replay_kind kind_of(const struct ptx_inst *inst, const struct ptx_function *function)
{
    switch (inst->op) {
    case PTX_OP_LD:
    case PTX_OP_LDU:
    case PTX_OP_ST:
    case PTX_OP_ATOM:
    case PTX_OP_RED:
    case PTX_OP_WMMA_LOAD:
    case PTX_OP_WMMA_STORE:
        return memory_kind(inst, &function->operands[inst->operands + 1]);
    case PTX_OP_MOV:
        return function->operands[inst->operands + 1].kind == PTX_OPERAND_SPECIAL ? REPLAY_SPECIAL : REPLAY_FREE;
    case PTX_OP_CVTA:
    case PTX_OP_CALL:
        return REPLAY_FREE;
    case PTX_OP_CVT:
        return sass_is_floating(inst->types[0]) || (inst->type_count > 1 && sass_is_floating(inst->types[1]))
                   ? REPLAY_SPECIAL
                   : REPLAY_FREE;
    default:
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            for (size_t j = 0; j < KIND_OPS; j++)
                if (kinds[i].ops[j] == inst->op)
                    return kinds[i].kind;
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

static bool has_calls(const struct ptx_function *function, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end && i < function->inst_count; i++)
        if (describe_calls(&function->insts[i]))
            return true;
    return false;
}

// ptxas turns a branch over a few instructions into predicates, but for those that may call; any other branch it moves
// nothing across.
static bool is_wall(const struct ptx_function *function, const struct ptx_inst *inst, uint32_t index)
{
    if (inst->op != PTX_OP_BRA)
        return inst->op == PTX_OP_BRX_IDX;
    const struct ptx_operand *target = &function->operands[inst->operands];
    return target->kind == PTX_OPERAND_LABEL &&
           (target->value.target <= index || target->value.target > index + SASS_PREDICATED ||
            has_calls(function, index + 1, target->value.target));
}

static bool leaves(const struct ptx_function *function, const struct ptx_inst *inst)
{
    const struct ptx_operand *target = &function->operands[inst->operands];
    enum ptx_opcode op = target->kind == PTX_OPERAND_LABEL && target->value.target < function->inst_count
                             ? function->insts[target->value.target].op
                             : PTX_OP_RET;
    return op == PTX_OP_RET || op == PTX_OP_EXIT;
}

// The branch leaves nothing: what it jumps over has predicates of its own. One out of the kernel stays, as EXIT.
static bool is_predicated(const struct ptx_function *function, const struct ptx_inst *inst, uint32_t index)
{
    return !is_wall(function, inst, index) && !leaves(function, inst);
}

// Lanes that part and meet again: BSSY, BRA, BSYNC.
static bool parts(const struct ptx_function *function, const struct ptx_inst *inst, uint32_t index)
{
    return inst->guard >= 0 && is_wall(function, inst, index) && !leaves(function, inst) &&
           function->operands[inst->operands].value.target > index;
}

// By scope. Fences without one order proxies, or what was initialised: nothing that takes time.
static enum replay_fence fence_of(const struct ptx_inst *inst)
{
    if (ptx_has(inst, PTX_MOD_CTA))
        return REPLAY_FENCE_BLOCK;
    if (ptx_has(inst, PTX_MOD_SYS))
        return REPLAY_FENCE_SYSTEM;
    return inst->op == PTX_OP_MEMBAR || ptx_has(inst, PTX_MOD_GPU) ? REPLAY_FENCE_GPU : REPLAY_NO_FENCE;
}

// Where sass_costs.def has no row.
static struct sass_cost usual_cost(enum replay_kind kind)
{
    static const struct sass_cost costs[] = {
        [REPLAY_INT] = {1, {[PIPE_INT] = 1}, 4.2},         [REPLAY_FP32] = {1, {[PIPE_FP32] = 1}, 4.2},
        [REPLAY_FP64] = {1, {[PIPE_FP64] = 1}, 8.2},       [REPLAY_SPECIAL] = {1, {[PIPE_SPECIAL] = 1}, 17},
        [REPLAY_TENSOR] = {2, {[PIPE_TENSOR] = 2}, 24},    [REPLAY_SHUFFLE] = {1, {[PIPE_SHUFFLE] = 1}, 24},
        [REPLAY_CONSTANT] = {1, {[PIPE_CONSTANT] = 1}, 30}};
    const struct sass_cost none = {1, {0}, 0};
    return kind < sizeof costs / sizeof *costs && costs[kind].instructions > 0 ? costs[kind] : none;
}

// A product of a warp group, of which each warp keeps its scheduler's tensor core busy: two columns a cycle, but never
// faster than its operands come, 128 bytes a cycle for the four warps (measured on an H100:
// tests/golden/h100_wgmma.csv).
static struct sass_cost product_cost(const struct ptx_function *function, const struct ptx_inst *inst)
{
    enum { ROWS_OF_A = 16, COLUMNS = 4 }; // wavefronts of A; columns of B in one
    const double start = 13.1, between = 0.5, latency = 52;
    unsigned n = 0;
    for (unsigned i = 0; i < inst->modifier_count && !n; i++)
        if (sscanf(ptx_modifier_name((enum ptx_modifier)inst->modifiers[i]), "m64n%u", &n) != 1)
            n = 0;
    bool in_registers = function->operands[inst->operands + 1].kind == PTX_OPERAND_VECTOR;
    double wavefronts = (in_registers ? 0 : (int)ROWS_OF_A) + (double)n / (int)COLUMNS;
    double cycles = fmax(fmax((double)n / 2, wavefronts), start) + between;
    return (struct sass_cost){1, {[PIPE_TENSOR] = cycles / (int)REPLAY_TENSOR_TURN}, latency + (double)n / 2 - cycles};
}

// That a load brings each lane.
static double words_loaded(const struct ptx_function *function, const struct ptx_inst *inst)
{
    const struct ptx_operand *result = &function->operands[inst->operands];
    uint32_t count = result->kind == PTX_OPERAND_VECTOR ? result->value.vector.count : 1;
    return fmax(count * (double)ptx_type_size(inst->types[0]) / 4, 1);
}

static bool is_arithmetic(enum replay_kind kind)
{
    return kind >= REPLAY_INT && kind <= REPLAY_SHUFFLE && kind != REPLAY_CONTROL;
}

static bool is_memory_access(enum ptx_opcode op)
{
    return op == PTX_OP_LD || op == PTX_OP_ST || op == PTX_OP_ATOM || op == PTX_OP_RED;
}

struct replay_inst describe_inst(const struct ptx_function *function, uint32_t index, uint32_t base, unsigned arch)
{
    const struct ptx_inst *inst = &function->insts[index];
    struct replay_inst out = {
        .kind = kind_of(inst, function), .sharing = 1, .dram = 1, .burden = 1, .wall = is_wall(function, inst, index)};
    ptx_visit_registers(function, inst, describe_register, &(struct described_registers){&out, base});
    out.cost = usual_cost(out.kind);
    if (is_arithmetic(out.kind) && inst->op != PTX_OP_MOV)
        sass_cost_find(inst, arch, &out.cost);
    if (out.kind == REPLAY_PRODUCT) { // its registers are waited for by group
        out.cost = product_cost(function, inst);
        out.source_count = out.result_count = 0;
    }
    if (out.kind == REPLAY_CONSTANT)
        out.cost.turns[PIPE_CONSTANT] = words_loaded(function, inst);
    out.bypasses = ptx_has(inst, PTX_MOD_CG) || ptx_has(inst, PTX_MOD_VOLATILE) || ptx_has(inst, PTX_MOD_RELAXED);
    out.readonly = out.kind == REPLAY_GLOBAL_LOAD && ptx_has(inst, PTX_MOD_NC);
    bool releases = is_memory_access(inst->op) && (ptx_has(inst, PTX_MOD_RELEASE) || ptx_has(inst, PTX_MOD_ACQ_REL));
    if (inst->op == PTX_OP_MEMBAR || inst->op == PTX_OP_FENCE || releases) // ptxas puts a MEMBAR in front of those
        out.fence = (uint8_t)fence_of(inst);
    if (inst->op == PTX_OP_BRA && is_predicated(function, inst, index))
        out.cost.instructions = 0;
    if (inst->op == PTX_OP_BRA && parts(function, inst, index))
        out.cost.instructions = 3;
    out.compares = inst->op == PTX_OP_SETP;
    out.guarded = out.source_count && (inst->guard >= 0 || inst->op == PTX_OP_VOTE_SYNC);
    out.jumps = inst->op == PTX_OP_BRX_IDX || (inst->op == PTX_OP_BRA && out.wall && !leaves(function, inst));
    out.sleeps = inst->op == PTX_OP_NANOSLEEP;
    out.parted = inst->op == PTX_OP_WMMA_LOAD || inst->op == PTX_OP_WMMA_STORE;
    // A division's slow path is a call behind a branch: what comes after stays there (tri_thomas of the ninth ladder).
    out.wall |= out.fence || out.sleeps || describe_calls(inst);
    out.stores = out.kind == REPLAY_BULK && !ptx_has(inst, PTX_MOD_MBARRIER__COMPLETE_TX__BYTES);
    out.adds = inst->op == PTX_OP_CP_REDUCE_ASYNC_BULK || inst->op == PTX_OP_CP_REDUCE_ASYNC_BULK_TENSOR;
    out.reads = out.kind == REPLAY_BULK_WAIT && ptx_has(inst, PTX_MOD_READ);
    out.copies = inst->op == PTX_OP_CP_ASYNC_MBARRIER_ARRIVE;
    if (inst->op == PTX_OP_WGMMA_WAIT || inst->op == PTX_OP_CP_ASYNC_WAIT_GROUP ||
        inst->op == PTX_OP_CP_ASYNC_BULK_WAIT_GROUP)
        out.count = (uint16_t)function->operands[inst->operands].value.bits;
    return out;
}
