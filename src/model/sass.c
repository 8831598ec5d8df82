// What one PTX instruction costs as SASS: rows of sass_costs.def, and what ptxas makes of several at once.
#include "model/sass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"

static const struct sass_row {
    const char *words;
    unsigned arch;
    struct sass_cost cost;
} rows[] = {
#define S(words, arch, instructions, fp32, heavy, alu, special, fp64, tensor, memory, latency)                         \
    {words, arch, {instructions, {fp32, heavy, alu, special, fp64, tensor, memory}, latency}},
#include "model/sass_costs.def"
#undef S
};

static size_t word_span(const char *word)
{
    size_t length = 0;
    while (word[length] && word[length] != '.')
        length++;
    return length;
}

// How many of the row's words the instruction has, in their order; 0: it lacks one. Both start with the opcode.
static unsigned words_met(const char *row, const char *inst)
{
    unsigned met = 0;
    while (*row) {
        size_t length = word_span(row);
        bool found = false;
        while (*inst && !found) {
            size_t word = word_span(inst);
            found = word == length && !memcmp(row, inst, length);
            inst += word + (inst[word] == '.');
            if (!found && !met)
                return 0; // another opcode
        }
        if (!found)
            return 0;
        met++;
        row += length + (row[length] == '.');
    }
    return met;
}

static void spell(const struct ptx_inst *inst, char *text, size_t size)
{
    int at = snprintf(text, size, "%s", ptx_opcode_name(inst->op));
    for (uint32_t i = 0; i < inst->modifier_count && (size_t)at < size; i++)
        at += snprintf(text + at, size - (size_t)at, ".%s", ptx_modifier_name((enum ptx_modifier)inst->modifiers[i]));
    for (uint32_t i = 0; i < inst->type_count && (size_t)at < size; i++)
        at += snprintf(text + at, size - (size_t)at, ".%s", ptx_type_name(inst->types[i]));
}

// Pairs of halves have a second pipe (HFMA2.MMA beside HFMA2) where the CUDA C++ Programming Guide gives twice the
// rate: 1.27 cycles each in a row of them on an H200, not two (fma_f16x2 in tests/golden/h200_micro.csv).
static double half_turns(const struct ptx_inst *inst, unsigned arch)
{
    bool is_pair = inst->type_count && (inst->types[0] == PTX_F16X2 || inst->types[0] == PTX_BF16X2);
    return is_pair && (arch == 80 || arch == 90 || arch == 100) ? 0.63 : 1;
}

bool sass_is_floating(enum ptx_type type)
{
    return type == PTX_F32 || type == PTX_F16 || type == PTX_F16X2 || type == PTX_BF16 || type == PTX_BF16X2 ||
           type == PTX_F64;
}

bool sass_cost_find(const struct ptx_inst *inst, unsigned arch, struct sass_cost *cost)
{
    char text[160];
    unsigned best = 0, best_arch = 0;
    spell(inst, text, sizeof text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool may_meet = rows[i].words[0] == text[0] && (rows[i].arch <= arch || !best);
        unsigned met = may_meet ? words_met(rows[i].words, text) : 0;
        if (met < best || !met || (met == best && (rows[i].arch < best_arch || rows[i].arch > arch)))
            continue;
        best = met;
        best_arch = rows[i].arch;
        *cost = rows[i].cost;
    }
    if (best)
        cost->turns[PIPE_HEAVY] *= half_turns(inst, arch);
    return best > 0;
}

// ---- several in one: IADD3, LEA, IMAD, LOP3, VIADDMNMX

// What an instruction can be a part of.
enum part { PART_NONE, PART_SUM, PART_SHIFT, PART_PRODUCT, PART_WIDE, PART_LOGIC, PART_SIGN, PART_ZERO, PART_EXTREME };

// LOP3 tells whether anything is left.
static bool asks_for_zero(const struct ptx_inst *inst, const struct ptx_operand *last)
{
    const char *relation = inst->modifier_count ? ptx_modifier_name((enum ptx_modifier)inst->modifiers[0]) : "";
    return inst->operand_count == 3 && ptx_type_size(inst->types[0]) == 4 && last->kind == PTX_OPERAND_INTEGER &&
           !last->value.bits && (!strcmp(relation, "eq") || !strcmp(relation, "ne"));
}

static enum part part_of_inst(const struct ptx_function *function, const struct ptx_inst *inst)
{
    const struct ptx_operand *last = &function->operands[inst->operands + inst->operand_count - 1];
    bool integer =
        inst->type_count && (inst->types[0] == PTX_S32 || inst->types[0] == PTX_U32 || inst->types[0] == PTX_B32 ||
                             inst->types[0] == PTX_S64 || inst->types[0] == PTX_U64 || inst->types[0] == PTX_B64);
    bool predicate = inst->type_count && inst->types[0] == PTX_PRED;
    if (inst->guard >= 0 || !(integer || predicate))
        return PART_NONE;
    switch (inst->op) {
    case PTX_OP_ADD:
    case PTX_OP_SUB:
        return ptx_has(inst, PTX_MOD_CC) ? PART_NONE : PART_SUM;
    case PTX_OP_SHL:
    case PTX_OP_SHR:
        return last->kind == PTX_OPERAND_INTEGER ? PART_SHIFT : PART_NONE;
    case PTX_OP_MUL:
        return ptx_has(inst, PTX_MOD_HI) ? PART_NONE : ptx_has(inst, PTX_MOD_WIDE) ? PART_WIDE : PART_PRODUCT;
    case PTX_OP_AND:
    case PTX_OP_OR:
    case PTX_OP_XOR:
    case PTX_OP_NOT:
        return PART_LOGIC;
    case PTX_OP_NEG:
        return PART_SIGN;
    case PTX_OP_MIN:
    case PTX_OP_MAX:
        return inst->operand_count == 3 && ptx_type_size(inst->types[0]) == 4 ? PART_EXTREME : PART_NONE;
    case PTX_OP_SETP:
        return asks_for_zero(inst, last) ? PART_ZERO : PART_NONE;
    default:
        return PART_NONE;
    }
}

static bool goes_into(enum part part, enum part whole)
{
    switch (part) {
    case PART_SUM:
        return whole == PART_SUM || whole == PART_EXTREME;
    case PART_SHIFT:
    case PART_PRODUCT:
    case PART_WIDE:
        return whole == PART_SUM;
    case PART_LOGIC:
        return whole == PART_LOGIC || whole == PART_ZERO;
    case PART_SIGN:
        return whole == PART_SUM || whole == PART_PRODUCT;
    default:
        return false;
    }
}

struct uses {
    uint32_t *count, *user;    // by register: how often it is read, who reads it last
    uint32_t *writes, *writer; // the same of writing
    uint32_t inst;
    unsigned arch;
};

static void note_use(void *context, uint32_t reg, bool written)
{
    struct uses *uses = context;
    if (written) {
        uses->writes[reg]++;
        uses->writer[reg] = uses->inst;
        return;
    }
    uses->count[reg]++;
    uses->user[reg] = uses->inst;
}

// The instruction that writes the register, if it is the only one; else NULL.
static const struct ptx_inst *writer_of(const struct ptx_function *function, const struct uses *uses,
                                        const struct ptx_operand *operand)
{
    if (operand->kind != PTX_OPERAND_REGISTER || uses->writes[operand->value.reg] != 1)
        return NULL;
    return &function->insts[uses->writer[operand->value.reg]];
}

// One of two constants, for the one sum that it is a part of. ptxas adds the one and chooses between the two sums.
static bool is_choice_in_sum(const struct ptx_function *function, const struct uses *uses, const struct ptx_inst *inst)
{
    const struct ptx_operand *operands = &function->operands[inst->operands];
    if (inst->op != PTX_OP_SELP || inst->guard >= 0 || ptx_type_size(inst->types[0]) != 4 ||
        operands[0].kind != PTX_OPERAND_REGISTER || operands[1].kind != PTX_OPERAND_INTEGER ||
        operands[2].kind != PTX_OPERAND_INTEGER)
        return false;
    uint32_t reg = operands[0].value.reg, user = uses->user[reg], index = (uint32_t)(inst - function->insts);
    return uses->count[reg] == 1 && uses->writes[reg] == 1 && user > index &&
           function->block_of[user] == function->block_of[index] && function->insts[user].op == PTX_OP_ADD &&
           part_of_inst(function, &function->insts[user]) == PART_SUM;
}

static bool sums_choice(const struct ptx_function *function, const struct uses *uses, const struct ptx_inst *inst)
{
    bool found = false;
    for (uint32_t i = 1; i < inst->operand_count; i++) {
        const struct ptx_inst *writer = writer_of(function, uses, &function->operands[inst->operands + i]);
        found |= writer && is_choice_in_sum(function, uses, writer);
    }
    return found;
}

// The smaller or larger of a sum and something, of 32 bits, is one instruction from sm_90 on.
static bool takes_part(const struct ptx_function *function, const struct uses *uses, uint32_t index, uint32_t user)
{
    const struct ptx_inst *inst = &function->insts[index];
    enum part part = part_of_inst(function, inst), whole = part_of_inst(function, &function->insts[user]);
    if (!goes_into(part, whole))
        return false;
    if (whole == PART_EXTREME)
        return uses->arch >= 90 && ptx_type_size(inst->types[0]) == 4 && !sums_choice(function, uses, inst);
    return whole != PART_ZERO || ptx_type_size(inst->types[0]) == 4;
}

// Joins a part with the one instruction that reads it, in the same block. The product's pipes are those of the whole.
static void join_part(const struct ptx_function *function, const struct uses *uses, struct replay_inst *insts,
                      bool *full, uint32_t index)
{
    const struct ptx_inst *inst = &function->insts[index];
    const struct ptx_operand *result = &function->operands[inst->operands];
    enum part part = part_of_inst(function, inst);
    if (part == PART_NONE || insts[index].kind == REPLAY_FREE || result->kind != PTX_OPERAND_REGISTER)
        return;
    uint32_t reg = result->value.reg, user = uses->user[reg];
    if (uses->count[reg] != 1 || uses->writes[reg] != 1 || user <= index || full[user] ||
        function->block_of[user] != function->block_of[index] || !takes_part(function, uses, index, user))
        return;
    bool asks = part_of_inst(function, &function->insts[user]) == PART_ZERO;
    if (full[index] && !asks) // it takes part of another already: three inputs are the most
        return;
    if (part == PART_PRODUCT || part == PART_WIDE)
        insts[user].cost = insts[index].cost;
    insts[index].kind = REPLAY_FREE;
    full[user] = !asks;
}

// A choice in a sum is a sum itself.
static void join_sum_choice(const struct ptx_function *function, const struct uses *uses, struct replay_inst *insts,
                            uint32_t index)
{
    const struct ptx_inst *inst = &function->insts[index];
    if (is_choice_in_sum(function, uses, inst))
        insts[index].cost = insts[uses->user[function->operands[inst->operands].value.reg]].cost;
}

// ---- 64 bits of which ptxas knows 32

// By register that is written once: what its one instruction says of it.
enum half { HALF_NONE, HALF_LOW, HALF_HIGH }; // the word that is zero

static bool is_wide_shift(const struct ptx_function *function, const struct ptx_inst *inst)
{
    const struct ptx_operand *last = &function->operands[inst->operands + inst->operand_count - 1];
    bool shift = inst->op == PTX_OP_SHL || (inst->op == PTX_OP_SHR && inst->types[0] != PTX_S64);
    return shift && inst->type_count && ptx_type_size(inst->types[0]) == 8 && last->kind == PTX_OPERAND_INTEGER &&
           last->value.bits >= 32 && last->value.bits < 64;
}

static enum half zero_half(const struct ptx_function *function, const struct uses *uses,
                           const struct ptx_operand *operand)
{
    if (operand->kind == PTX_OPERAND_INTEGER)
        return !(operand->value.bits >> 32) ? HALF_HIGH : !(uint32_t)operand->value.bits ? HALF_LOW : HALF_NONE;
    const struct ptx_inst *inst = writer_of(function, uses, operand);
    if (!inst || inst->guard >= 0)
        return HALF_NONE;
    if (is_wide_shift(function, inst))
        return inst->op == PTX_OP_SHL ? HALF_LOW : HALF_HIGH;
    bool widens = inst->op == PTX_OP_CVT && inst->type_count > 1 && inst->types[1] == PTX_U32;
    return widens ? HALF_HIGH : HALF_NONE;
}

// A shift by 32 and more moves one word, by 32 none; a logical operation with a word of zeros has one word to do.
static void narrow(const struct ptx_function *function, const struct uses *uses, struct replay_inst *insts,
                   uint32_t index)
{
    const struct ptx_inst *inst = &function->insts[index];
    bool logic = inst->op == PTX_OP_AND || inst->op == PTX_OP_OR || inst->op == PTX_OP_XOR, half = false;
    if (!inst->type_count || ptx_type_size(inst->types[0]) != 8)
        return;
    if (is_wide_shift(function, inst)) {
        half = true;
        if (function->operands[inst->operands + inst->operand_count - 1].value.bits == 32)
            insts[index].kind = REPLAY_FREE;
    }
    for (uint32_t i = 1; logic && i < inst->operand_count; i++)
        half |= zero_half(function, uses, &function->operands[inst->operands + i]) != HALF_NONE;
    insts[index].cost.instructions *= half ? 0.5 : 1;
    for (int pipe = 0; half && pipe < PIPES; pipe++)
        insts[index].cost.turns[pipe] *= 0.5;
}

// ---- both words of a product

static bool is_constant(const struct ptx_function *function, const struct uses *uses, const struct ptx_operand *operand,
                        uint32_t *value)
{
    const struct ptx_inst *inst = writer_of(function, uses, operand);
    if (inst && inst->op == PTX_OP_MOV)
        operand = &function->operands[inst->operands + 1];
    *value = (uint32_t)operand->value.bits;
    return operand->kind == PTX_OPERAND_INTEGER;
}

static bool is_same_factor(const struct ptx_function *function, const struct uses *uses, const struct ptx_operand *a,
                           const struct ptx_operand *b)
{
    uint32_t one, other;
    if (is_constant(function, uses, a, &one) && is_constant(function, uses, b, &other))
        return one == other;
    return a->kind == PTX_OPERAND_REGISTER && b->kind == PTX_OPERAND_REGISTER && a->value.reg == b->value.reg &&
           uses->writes[a->value.reg] <= 1;
}

static bool is_product(const struct ptx_inst *inst, bool high)
{
    return inst->op == PTX_OP_MUL && inst->guard < 0 && inst->type_count && ptx_type_size(inst->types[0]) == 4 &&
           !sass_is_floating(inst->types[0]) && !ptx_has(inst, PTX_MOD_WIDE) && ptx_has(inst, PTX_MOD_HI) == high;
}

// The low word of a product whose high word is wanted in the same block comes with it.
static void join_product(const struct ptx_function *function, const struct uses *uses, struct replay_inst *insts,
                         uint32_t index)
{
    const struct ptx_inst *high = &function->insts[index];
    const struct ptx_block *block = &function->blocks[function->block_of[index]];
    if (!is_product(high, true))
        return;
    const struct ptx_operand *a = &function->operands[high->operands];
    for (uint32_t i = block->first; i <= block->last; i++) {
        const struct ptx_inst *low = &function->insts[i];
        if (!is_product(low, false) || insts[i].kind == REPLAY_FREE)
            continue;
        const struct ptx_operand *b = &function->operands[low->operands];
        for (int turned = 0; turned < 2; turned++)
            if (is_same_factor(function, uses, &a[1], &b[1 + turned]) &&
                is_same_factor(function, uses, &a[2], &b[2 - turned])) {
                insts[i].kind = REPLAY_FREE;
                return;
            }
    }
}

static void leave_out(struct replay_inst *inst)
{
    inst->kind = REPLAY_FREE;
    inst->cost = (struct sass_cost){0};
}

// ---- signs

// The other sign of a number, or its amount, is an operand of the one instruction that reads it, in the same block.
static void join_sign(const struct ptx_function *function, const struct uses *uses, struct replay_inst *insts,
                      uint32_t index)
{
    const struct ptx_inst *inst = &function->insts[index];
    const struct ptx_operand *result = &function->operands[inst->operands];
    if ((inst->op != PTX_OP_NEG && inst->op != PTX_OP_ABS) || inst->guard >= 0 || !inst->type_count ||
        !sass_is_floating(inst->types[0]) || result->kind != PTX_OPERAND_REGISTER)
        return;
    uint32_t reg = result->value.reg, user = uses->user[reg];
    const struct ptx_inst *reader = &function->insts[user];
    bool takes = reader->op == PTX_OP_ADD || reader->op == PTX_OP_SUB || reader->op == PTX_OP_MUL ||
                 reader->op == PTX_OP_FMA || reader->op == PTX_OP_MIN || reader->op == PTX_OP_MAX ||
                 reader->op == PTX_OP_SETP;
    if (takes && uses->count[reg] == 1 && uses->writes[reg] == 1 && reader->types[0] == inst->types[0] &&
        function->block_of[user] == function->block_of[index])
        leave_out(&insts[index]);
}

// ---- constant memory

// Whether ptxas knows the value: a symbol's address, and sums with one.
static bool is_known(const struct ptx_function *function, const struct uses *uses, const struct ptx_operand *operand,
                     int depth)
{
    const struct ptx_inst *inst = writer_of(function, uses, operand);
    bool sums = inst && (inst->op == PTX_OP_MOV || inst->op == PTX_OP_ADD || inst->op == PTX_OP_CVTA);
    if (operand->kind != PTX_OPERAND_REGISTER)
        return operand->kind == PTX_OPERAND_INTEGER || operand->kind == PTX_OPERAND_VARIABLE;
    for (uint32_t i = 1; sums && i < inst->operand_count; i++)
        sums = depth > 0 && is_known(function, uses, &function->operands[inst->operands + i], depth - 1);
    return sums && inst->guard < 0;
}

// What lies in constant memory at a place known when compiling is an operand of the instructions that want it.
static void join_constant(const struct ptx_function *function, const struct uses *uses, struct replay_inst *insts,
                          uint32_t index)
{
    enum { DEPTH = 8 };
    if (insts[index].kind != REPLAY_CONSTANT)
        return;
    struct ptx_operand base = function->operands[function->insts[index].operands + 1];
    base.kind = PTX_OPERAND_REGISTER;
    if (is_known(function, uses, &base, DEPTH))
        leave_out(&insts[index]);
}

// ---- conditions and choices

// A comparison takes one more condition into account (ISETP.AND): each logical operation goes into one that only it
// reads.
static void join_condition(const struct ptx_function *function, const struct uses *uses, struct replay_inst *insts,
                           bool *full, uint32_t index)
{
    const struct ptx_inst *inst = &function->insts[index];
    bool logic = inst->op == PTX_OP_AND || inst->op == PTX_OP_OR || inst->op == PTX_OP_XOR;
    if (!logic || inst->guard >= 0 || !inst->type_count || inst->types[0] != PTX_PRED)
        return;
    for (uint32_t i = 1; i < inst->operand_count; i++) {
        const struct ptx_operand *operand = &function->operands[inst->operands + i];
        const struct ptx_inst *writer = writer_of(function, uses, operand);
        uint32_t at = writer ? (uint32_t)(writer - function->insts) : 0;
        if (!writer || writer->op != PTX_OP_SETP || writer->guard >= 0 || full[at] ||
            uses->count[operand->value.reg] != 1 || function->block_of[at] != function->block_of[index])
            continue;
        leave_out(&insts[index]);
        full[at] = full[index] = true;
        return;
    }
}

static bool is_same_register(const struct ptx_operand *a, const struct ptx_operand *b)
{
    return a->kind == PTX_OPERAND_REGISTER && b->kind == PTX_OPERAND_REGISTER && a->value.reg == b->value.reg;
}

// The smaller of two, and the larger of the same two.
static bool are_both_ends(const struct ptx_function *function, const struct ptx_inst *a, const struct ptx_inst *b)
{
    bool ends = (a->op == PTX_OP_MIN && b->op == PTX_OP_MAX) || (a->op == PTX_OP_MAX && b->op == PTX_OP_MIN);
    if (!ends || a->guard >= 0 || b->guard >= 0 || a->types[0] != b->types[0] || a->operand_count != 3 ||
        b->operand_count != 3)
        return false;
    const struct ptx_operand *x = &function->operands[a->operands], *y = &function->operands[b->operands];
    return (is_same_register(&x[1], &y[1]) && is_same_register(&x[2], &y[2])) ||
           (is_same_register(&x[1], &y[2]) && is_same_register(&x[2], &y[1]));
}

// A condition chooses between the smaller and the larger of two: one instruction (FMNMX, IMNMX with a predicate).
static void join_choice(const struct ptx_function *function, const struct uses *uses, struct replay_inst *insts,
                        uint32_t index)
{
    const struct ptx_inst *inst = &function->insts[index];
    const struct ptx_operand *operands = &function->operands[inst->operands];
    if (inst->op == PTX_OP_SELP) {
        const struct ptx_inst *a = writer_of(function, uses, &operands[1]),
                              *b = writer_of(function, uses, &operands[2]);
        if (!a || !b || !are_both_ends(function, a, b) || uses->count[operands[1].value.reg] != 1 ||
            uses->count[operands[2].value.reg] != 1)
            return;
        leave_out(&insts[a - function->insts]);
        leave_out(&insts[b - function->insts]);
        return;
    }
    // The two sides of a branch write the same register.
    if ((inst->op != PTX_OP_MIN && inst->op != PTX_OP_MAX) || operands->kind != PTX_OPERAND_REGISTER ||
        uses->writes[operands->value.reg] != 2)
        return;
    uint32_t last = uses->writer[operands->value.reg];
    if (last > index && last - index <= SASS_PREDICATED && are_both_ends(function, inst, &function->insts[last]))
        leave_out(&insts[last]);
}

// ---- what was computed before

// What an instruction computes from what: the key under which it is found again.
struct computed {
    uint16_t op, type_count, modifier_count, operand_count;
    uint32_t types[4];
    uint16_t modifiers[12];
    uint64_t operands[4][2]; // kind, and the register that holds the same first, or the bits
};

enum { NEVER = UINT32_MAX };

static bool is_repeatable(const struct ptx_inst *inst)
{
    static const enum ptx_opcode ops[] = {PTX_OP_ADD, PTX_OP_SUB, PTX_OP_MUL,  PTX_OP_MAD,  PTX_OP_FMA, PTX_OP_SHL,
                                          PTX_OP_SHR, PTX_OP_AND, PTX_OP_OR,   PTX_OP_XOR,  PTX_OP_NOT, PTX_OP_NEG,
                                          PTX_OP_MIN, PTX_OP_MAX, PTX_OP_SETP, PTX_OP_SELP, PTX_OP_CVT, PTX_OP_MOV,
                                          PTX_OP_ABS, PTX_OP_BFE, PTX_OP_SHF,  PTX_OP_PRMT, PTX_OP_LOP3};
    if (inst->guard >= 0 || ptx_has(inst, PTX_MOD_CC) || inst->operand_count < 2 || inst->operand_count > 5)
        return false;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (inst->op == ops[i])
            return true;
    return false;
}

// False: it cannot be told that the same would come out.
static bool describe_computed(const struct ptx_function *function, const struct uses *uses, const uint32_t *same,
                              const struct ptx_inst *inst, struct computed *key)
{
    const struct ptx_operand *operands = &function->operands[inst->operands];
    *key = (struct computed){
        (uint16_t)inst->op, inst->type_count, inst->modifier_count, inst->operand_count, {0}, {0}, {{0}}};
    if (!is_repeatable(inst) || operands->kind != PTX_OPERAND_REGISTER || operands->pair_reg >= 0 ||
        uses->writes[operands->value.reg] != 1)
        return false;
    for (uint32_t i = 0; i < inst->type_count; i++)
        key->types[i] = (uint32_t)inst->types[i];
    memcpy(key->modifiers, inst->modifiers, inst->modifier_count * sizeof *key->modifiers);
    for (uint32_t i = 1; i < inst->operand_count; i++) {
        const struct ptx_operand *operand = &operands[i];
        bool is_register = operand->kind == PTX_OPERAND_REGISTER;
        bool is_number = operand->kind == PTX_OPERAND_INTEGER || operand->kind == PTX_OPERAND_FLOAT;
        if (!(is_register || is_number) || operand->element || operand->selector ||
            (is_register && uses->writes[operand->value.reg] > 1))
            return false;
        key->operands[i - 1][0] = (uint64_t)operand->kind << 8 | (uint64_t)operand->negated << 1 | operand->is_single;
        key->operands[i - 1][1] = is_register ? same[operand->value.reg] : operand->value.bits;
    }
    return true;
}

// By instruction: the first one that some way around the instruction leads to; NEVER: none does. Registers being
// written once, what is computed is known until there.
static uint32_t *find_ways_around(const struct ptx_function *function)
{
    uint32_t *around = mem_alloc((function->inst_count + 1) * sizeof *around);
    memset(around, 0xff, (function->inst_count + 1) * sizeof *around);
    for (uint32_t b = 0; b < function->block_count; b++) {
        const struct ptx_block *block = &function->blocks[b];
        for (uint32_t k = 0; k < block->successor_count && block->successor_count != UINT32_MAX; k++) {
            uint32_t target = function->blocks[block->successors[k]].first;
            for (uint32_t i = block->last + 1; i < target; i++)
                around[i] = around[i] < target ? around[i] : target;
        }
        for (uint32_t i = block->last + 1; i < function->inst_count && block->successor_count == UINT32_MAX; i++)
            around[i] = 0;
    }
    return around;
}

// ptxas computes once what PTX computes again, as it does to keep registers free.
static void leave_out_again(const struct ptx_function *function, const struct uses *uses, struct replay_inst *insts)
{
    uint32_t *same = mem_alloc((function->register_count + 1) * sizeof *same), *around = find_ways_around(function);
    struct map seen = map_of(uint32_t);
    for (uint32_t reg = 0; reg < function->register_count; reg++)
        same[reg] = reg;
    for (uint32_t i = 0; i < function->inst_count; i++) {
        const struct ptx_inst *inst = &function->insts[i];
        const struct ptx_operand *operands = &function->operands[inst->operands];
        struct computed key;
        bool fresh;
        if (!describe_computed(function, uses, same, inst, &key))
            continue;
        if (inst->op == PTX_OP_MOV && operands[1].kind == PTX_OPERAND_REGISTER) {
            same[operands->value.reg] = same[operands[1].value.reg];
            continue;
        }
        uint32_t *first = map_add_bytes(&seen, &key, sizeof key, &fresh);
        if (fresh || around[*first] <= i) {
            *first = i;
            continue;
        }
        same[operands->value.reg] = same[function->operands[function->insts[*first].operands].value.reg];
        leave_out(&insts[i]);
    }
    map_free(&seen);
    free(same);
    free(around);
}

void sass_join(const struct ptx_function *function, unsigned arch, struct replay_inst *insts)
{
    struct uses uses = {.arch = arch,
                        .count = mem_alloc((function->register_count + 1) * sizeof(uint32_t)),
                        .user = mem_alloc((function->register_count + 1) * sizeof(uint32_t)),
                        .writes = mem_alloc((function->register_count + 1) * sizeof(uint32_t)),
                        .writer = mem_alloc((function->register_count + 1) * sizeof(uint32_t))};
    bool *full = mem_alloc(function->inst_count + 1);
    for (uses.inst = 0; uses.inst < function->inst_count; uses.inst++)
        ptx_visit_registers(function, &function->insts[uses.inst], note_use, &uses);
    for (uint32_t i = 0; i < function->inst_count; i++)
        join_sum_choice(function, &uses, insts, i);
    for (uint32_t i = 0; i < function->inst_count; i++)
        join_product(function, &uses, insts, i);
    for (uint32_t i = 0; i < function->inst_count; i++)
        narrow(function, &uses, insts, i);
    for (uint32_t i = 0; i < function->inst_count; i++)
        join_part(function, &uses, insts, full, i);
    for (uint32_t i = 0; i < function->inst_count; i++)
        join_condition(function, &uses, insts, full, i);
    for (uint32_t i = 0; i < function->inst_count; i++)
        join_sign(function, &uses, insts, i);
    for (uint32_t i = 0; i < function->inst_count; i++)
        join_constant(function, &uses, insts, i);
    for (uint32_t i = 0; i < function->inst_count; i++)
        join_choice(function, &uses, insts, i);
    leave_out_again(function, &uses, insts);
    free(uses.count);
    free(uses.user);
    free(uses.writes);
    free(uses.writer);
    free(full);
}
