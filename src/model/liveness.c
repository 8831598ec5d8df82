// An estimate of the registers that a thread needs: the most 32-bit values alive at once, plus what ptxas keeps for
// itself. Classic backward dataflow over the basic blocks, after what ptxas does with values that cost nothing: those
// that are the same for all threads of a block lie in uniform registers or constant memory, a copy is the value that
// it is of, and a constant that is added to an address becomes part of the access.
#include "model/liveness.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/gpus.h"

enum {
    UNIFORM = -1,
    OVERHEAD = 6,  // what ptxas keeps for itself, and for addresses and numbers on their way into an instruction
    MORE = 10,     // percent, for pairs and quadruples that must lie side by side
    FOR_FREE = 32, // so many cost an SM no warp: ptxas takes them to have more loads under way at once
    LEAST = 8,
    DOUBT = 25 // percent of an estimate
};

// ---- which registers hold a value of their own

struct values {
    const struct ptx_function *function;
    int32_t *root;                         // of each register: whose value it holds, itself, or UNIFORM
    uint32_t *writes, *reads, *as_address; // of each register, in the text
};

static void count_register(void *context, uint32_t reg, bool written)
{
    struct values *v = context;
    (written ? v->writes : v->reads)[reg]++;
}

static const struct ptx_operand *operand_of(const struct values *v, const struct ptx_inst *inst, uint32_t number)
{
    return number < inst->operand_count ? &v->function->operands[inst->operands + number] : NULL;
}

// The one register that the instruction writes, if nothing else writes it; -1: it is otherwise.
static int32_t only_result(const struct values *v, const struct ptx_inst *inst)
{
    const struct ptx_operand *to = operand_of(v, inst, 0);
    bool good = to && to->kind == PTX_OPERAND_REGISTER && to->pair_reg < 0 && inst->guard < 0;
    return good && v->writes[to->value.reg] == 1 ? (int32_t)to->value.reg : -1;
}

static bool is_number(const struct ptx_operand *operand)
{
    return operand && operand->kind == PTX_OPERAND_INTEGER;
}

// add d, base, number: the base's register; -1: it is something else.
static int32_t added_to(const struct values *v, const struct ptx_inst *inst)
{
    const struct ptx_operand *base = operand_of(v, inst, 1);
    bool adds = (inst->op == PTX_OP_ADD || inst->op == PTX_OP_SUB) && only_result(v, inst) >= 0;
    return adds && base->kind == PTX_OPERAND_REGISTER && is_number(operand_of(v, inst, 2)) ? (int32_t)base->value.reg
                                                                                           : -1;
}

static int32_t copied_from(const struct values *v, const struct ptx_inst *inst)
{
    const struct ptx_operand *from = operand_of(v, inst, 1);
    bool copies = (inst->op == PTX_OP_MOV || inst->op == PTX_OP_CVTA) && only_result(v, inst) >= 0;
    return copies && from && from->kind == PTX_OPERAND_REGISTER && !from->negated ? (int32_t)from->value.reg : -1;
}

static bool is_uniform_operand(const struct values *v, const struct ptx_operand *operand)
{
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        return v->root[operand->value.reg] == UNIFORM;
    case PTX_OPERAND_SPECIAL:
        return operand->value.special == PTX_SPECIAL_CTAID || operand->value.special == PTX_SPECIAL_NTID ||
               operand->value.special == PTX_SPECIAL_NCTAID;
    case PTX_OPERAND_INTEGER:
    case PTX_OPERAND_FLOAT:
    case PTX_OPERAND_VARIABLE:
        return true;
    default:
        return false;
    }
}

// A word of constant memory at one place for all: an operand of whoever needs it.
static bool reads_constant(const struct values *v, const struct ptx_inst *inst)
{
    const struct ptx_operand *from = operand_of(v, inst, 1);
    bool at_one = from && from->kind == PTX_OPERAND_ADDRESS &&
                  (from->base_kind != PTX_OPERAND_REGISTER || v->root[from->value.reg] == UNIFORM);
    return inst->space == PTX_CONST && at_one;
}

static bool is_uniform(const struct values *v, const struct ptx_inst *inst)
{
    enum ptx_group group = ptx_opcode_group(inst->op);
    if (inst->op == PTX_OP_LD)
        return inst->vector <= 1 && (inst->space == PTX_PARAM || reads_constant(v, inst));
    if (group != PTX_GROUP_INT && group != PTX_GROUP_LOGIC && group != PTX_GROUP_MOVE && group != PTX_GROUP_COMPARE)
        return false;
    for (uint32_t i = 1; i < inst->operand_count; i++)
        if (!is_uniform_operand(v, operand_of(v, inst, i)))
            return false;
    return inst->operand_count > 1;
}

// Users stand behind what they use, but for loops: so from the end to the front.
static void count_addresses(struct values *v)
{
    for (uint32_t i = v->function->inst_count; i-- > 0;) {
        const struct ptx_inst *inst = &v->function->insts[i];
        for (uint32_t k = 0; k < inst->operand_count; k++) {
            const struct ptx_operand *operand = operand_of(v, inst, k);
            if (operand->kind == PTX_OPERAND_ADDRESS && operand->base_kind == PTX_OPERAND_REGISTER)
                v->as_address[operand->value.reg]++;
        }
        int32_t base = added_to(v, inst), result = only_result(v, inst);
        if (base >= 0 && v->as_address[result] == v->reads[result])
            v->as_address[base]++;
    }
}

static void find_roots(struct values *v)
{
    for (uint32_t reg = 0; reg < v->function->register_count; reg++)
        v->root[reg] = (int32_t)reg;
    for (uint32_t i = 0; i < v->function->inst_count; i++)
        ptx_visit_registers(v->function, &v->function->insts[i], count_register, v);
    count_addresses(v);
    for (uint32_t i = 0; i < v->function->inst_count; i++) {
        const struct ptx_inst *inst = &v->function->insts[i];
        int32_t result = only_result(v, inst), base = added_to(v, inst), from = copied_from(v, inst);
        if (result < 0)
            continue;
        if (is_uniform(v, inst))
            v->root[result] = UNIFORM;
        else if (base >= 0 && v->writes[base] == 1 && v->as_address[result] == v->reads[result])
            v->root[result] = v->root[base];
        else if (from >= 0 && v->writes[from] == 1)
            v->root[result] = v->root[from];
    }
}

// ---- which of them are alive

struct liveness {
    const struct ptx_function *function;
    const int32_t *root;
    size_t words;      // of one set
    uint64_t *live_in; // by block
};

static void set_bit(uint64_t *set, uint32_t reg, bool on)
{
    if (on)
        set[reg / 64] |= 1ull << reg % 64;
    else
        set[reg / 64] &= ~(1ull << reg % 64);
}

struct liveness_step {
    const int32_t *root;
    uint64_t *set;
    bool keeps; // a guarded write may leave the old value: it stays alive
};

static void step_register(void *context, uint32_t reg, bool written)
{
    const struct liveness_step *step = context;
    bool is_own = step->root[reg] == (int32_t)reg;
    if (written ? is_own && !step->keeps : step->root[reg] != UNIFORM)
        set_bit(step->set, (uint32_t)step->root[reg], !written);
}

static void step_back(const struct liveness *l, const struct ptx_inst *inst, uint64_t *set)
{
    struct liveness_step step = {l->root, set, inst->guard >= 0};
    ptx_visit_registers(l->function, inst, step_register, &step);
}

static void live_out(const struct liveness *l, uint32_t block, uint64_t *set)
{
    const struct ptx_block *b = &l->function->blocks[block];
    memset(set, 0, l->words * sizeof *set);
    for (uint32_t s = 0; s < b->successor_count && b->successor_count <= 2; s++)
        for (size_t w = 0; w < l->words; w++)
            set[w] |= l->live_in[b->successors[s] * l->words + w];
}

static uint32_t pressure(const struct ptx_function *function, const uint64_t *set, size_t words)
{
    uint32_t sum = 0;
    for (size_t w = 0; w < words; w++)
        for (uint64_t bits = set[w]; bits; bits &= bits - 1) {
            const struct ptx_register *reg = &function->registers[w * 64 + (size_t)__builtin_ctzll(bits)];
            sum += reg->type == PTX_PRED ? 0 : (ptx_type_size(reg->type) + 3) / 4;
        }
    return sum;
}

// free() live_in.
static struct liveness find_alive(const struct ptx_function *function, const int32_t *root)
{
    struct liveness l = {.function = function, .root = root, .words = function->register_count / 64 + 1};
    l.live_in = mem_alloc(function->block_count * l.words * sizeof *l.live_in);
    uint64_t *set = mem_alloc(l.words * sizeof *set);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t block = function->block_count; block-- > 0;) {
            live_out(&l, block, set);
            for (uint32_t i = function->blocks[block].last + 1; i-- > function->blocks[block].first;)
                step_back(&l, &function->insts[i], set);
            if (memcmp(set, l.live_in + block * l.words, l.words * sizeof *set) != 0) {
                memcpy(l.live_in + block * l.words, set, l.words * sizeof *set);
                changed = true;
            }
        }
    }
    free(set);
    return l;
}

static uint32_t most_alive(const struct ptx_function *function, const int32_t *root)
{
    struct liveness l = find_alive(function, root);
    uint64_t *set = mem_alloc(l.words * sizeof *set);
    uint32_t most = 0;
    for (uint32_t block = 0; block < function->block_count; block++) {
        live_out(&l, block, set);
        for (uint32_t i = function->blocks[block].last + 1; i-- > function->blocks[block].first;) {
            step_back(&l, &function->insts[i], set);
            uint32_t now = pressure(function, set, l.words);
            most = now > most ? now : most;
        }
    }
    free(set);
    free(l.live_in);
    return most;
}

struct reader {
    const uint64_t *set;
    bool reads; // one of the set
};

static void look_at_register(void *context, uint32_t reg, bool written)
{
    struct reader *reader = context;
    reader->reads |= !written && (reader->set[reg / 64] >> reg % 64 & 1);
}

const struct ptx_inst *liveness_unset(const struct ptx_function *function)
{
    int32_t *root = mem_alloc((function->register_count + 1) * sizeof *root);
    const struct ptx_inst *first = NULL;
    for (uint32_t reg = 0; reg < function->register_count; reg++)
        root[reg] = (int32_t)reg;
    struct liveness l = find_alive(function, root);
    struct reader reader = {.set = l.live_in};
    for (uint32_t i = 0; i < function->inst_count && function->block_count && !first; i++) {
        ptx_visit_registers(function, &function->insts[i], look_at_register, &reader);
        first = reader.reads ? &function->insts[i] : NULL;
    }
    free(l.live_in);
    free(root);
    return first;
}

// Registers that the loads of one basic block fill, all but the first.
static uint32_t most_loaded(const struct ptx_function *function)
{
    uint32_t most = 0;
    for (uint32_t block = 0; block < function->block_count; block++) {
        uint32_t sum = 0, first = 0;
        for (uint32_t i = function->blocks[block].first; i <= function->blocks[block].last; i++) {
            const struct ptx_inst *inst = &function->insts[i];
            bool loads = inst->op == PTX_OP_LD && inst->space != PTX_PARAM && inst->space != PTX_CONST;
            uint32_t words = loads ? (ptx_type_size(inst->types[0]) * (inst->vector ? inst->vector : 1) + 3) / 4 : 0;
            first = first ? first : words;
            sum += words;
        }
        most = sum - first > most ? sum - first : most;
    }
    return most;
}

// Threads of the largest block that the kernel says it is for; 0: it says nothing.
static uint32_t threads_asked(const struct ptx_function *function)
{
    const uint32_t *most = function->reqntid[0] ? function->reqntid : function->maxntid;
    uint32_t threads = most[0];
    for (int i = 1; i < 3; i++)
        threads *= most[i] ? most[i] : 1;
    return threads;
}

uint32_t liveness_registers_least(uint32_t estimate)
{
    uint32_t least = estimate - estimate * DOUBT / 100;
    return estimate <= FOR_FREE ? estimate : least > FOR_FREE ? least : FOR_FREE;
}

static struct values values_new(const struct ptx_function *function)
{
    size_t count = function->register_count + 1;
    struct values v = {.function = function,
                       .root = mem_alloc(count * sizeof *v.root),
                       .writes = mem_alloc(count * sizeof *v.writes),
                       .reads = mem_alloc(count * sizeof *v.reads),
                       .as_address = mem_alloc(count * sizeof *v.as_address)};
    find_roots(&v);
    return v;
}

static void values_free(struct values *v)
{
    free(v->root);
    free(v->writes);
    free(v->reads);
    free(v->as_address);
}

void liveness_register_words(const struct ptx_function *function, uint8_t *words)
{
    struct values v = values_new(function);
    for (uint32_t reg = 0; reg < function->register_count; reg++)
        words[reg] = v.root[reg] == UNIFORM ? 0 : (uint8_t)((ptx_type_size(function->registers[reg].type) + 3) / 4);
    values_free(&v);
}

bool *liveness_uniform(const struct ptx_function *function)
{
    struct values v = values_new(function);
    bool *uniform = mem_alloc((function->register_count + 1) * sizeof *uniform);
    for (uint32_t reg = 0; reg < function->register_count; reg++)
        uniform[reg] = v.root[reg] == UNIFORM;
    values_free(&v);
    return uniform;
}

uint32_t liveness_registers(const struct ptx_function *function)
{
    struct values v = values_new(function);
    uint32_t most = most_alive(function, v.root) * (100 + MORE) / 100 + OVERHEAD, loaded = most_loaded(function);
    if (most < FOR_FREE)
        most = most + loaded < FOR_FREE ? most + loaded : FOR_FREE;
    values_free(&v);
    if (function->maxnreg && most > function->maxnreg)
        most = function->maxnreg;
    uint32_t threads = threads_asked(function), blocks = function->minnctapersm ? function->minnctapersm : 1;
    if (threads && most > GPU_REGISTERS / threads / blocks) // what __launch_bounds__ leaves room for
        most = GPU_REGISTERS / threads / blocks;
    return most < LEAST ? LEAST : most > GPU_THREAD_REGISTERS ? GPU_THREAD_REGISTERS : most;
}
