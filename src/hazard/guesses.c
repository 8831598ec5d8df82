// Plain loads that only guess: their value goes into a compare-and-swap of the same place, and is used elsewhere only
// once that has found it right. So the CUDA C++ Programming Guide makes atomics of other types ("Atomic Functions"),
// and whatever the load gives, the result is right. Or the value only tells whether an atomic is worth trying that
// would have changed nothing: a swap that would have failed, a minimum that is no lower, a bit that is set.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hazard/internal.h"

enum {
    GUESS_VALUE = 1,  // the register holds what was loaded,
    GUESS_MADE = 2,   // something made of it,
    GUESS_ANSWER = 4, // what the atomic found,
    GUESS_TOLD = 8    // or something made of that
};
enum { GUESS_COPIES = 8 }; // of an address, one of the other

struct place {
    enum ptx_operand_kind base; // NONE: none that is followed
    enum ptx_space space;       // that the register's address is one of
    uint32_t reg;
    const struct ptx_variable *variable;
    int64_t offset;
};

struct guess {
    const struct ptx_function *function;
    const struct ptx_inst *load;
    const struct ptx_inst **makers; // by register: the one instruction that writes it, or NULL
    struct place place;
    unsigned char *registers;
    unsigned char now; // of what the instruction at hand reads
    bool changed;
};

// ---- registers

static void see_flags(void *context, uint32_t reg, bool written)
{
    struct guess *guess = context;
    guess->now |= written ? 0 : guess->registers[reg];
}

static void give_flags(void *context, uint32_t reg, bool written)
{
    struct guess *guess = context;
    if (!written || !(guess->now & ~guess->registers[reg]))
        return;
    guess->registers[reg] |= guess->now;
    guess->changed = true;
}

static unsigned char flags_of(const struct guess *guess, const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPERAND_REGISTER ? guess->registers[operand->value.reg] : 0;
}

static unsigned char flags_read(struct guess *guess, const struct ptx_inst *inst)
{
    guess->now = 0;
    ptx_visit_registers(guess->function, inst, see_flags, guess);
    return guess->now;
}

static bool only_computes(const struct ptx_inst *inst)
{
    return makes_only_a_value(inst) || ptx_opcode_group(inst->op) == PTX_GROUP_COMPARE;
}

// ---- places

// Whether a register is another one's address, as it is or from a space to generic addresses and back.
static bool copies_address(const struct guess *guess, const struct ptx_inst *maker, const struct ptx_operand *from,
                           enum ptx_space *space)
{
    if (from->kind != PTX_OPERAND_REGISTER || !guess->makers[from->value.reg] ||
        (maker->op != PTX_OP_MOV && maker->op != PTX_OP_CVTA))
        return false;
    if (maker->op == PTX_OP_CVTA)
        *space = ptx_has(maker, PTX_MOD_TO) ? PTX_GENERIC : maker->space;
    return true;
}

// Whether it is another one's address and a number.
static bool moves_address(const struct guess *guess, const struct ptx_inst *maker, const struct ptx_operand *from)
{
    const struct ptx_operand *operands = &guess->function->operands[maker->operands];
    return maker->op == PTX_OP_ADD && maker->operand_count == 3 && from->kind == PTX_OPERAND_REGISTER &&
           guess->makers[from->value.reg] && operands[2].kind == PTX_OPERAND_INTEGER && maker->guard < 0;
}

// What an instruction's address leads to: a register that is written once, the one that it is a copy of, or the
// variable that it is made the address of, and how far behind it.
static struct place guessed_place(const struct guess *guess, const struct ptx_inst *inst)
{
    const struct ptx_operand *address = &guess->function->operands[inst->operands + (inst->op == PTX_OP_RED ? 0 : 1)];
    struct place place = {address->base_kind, inst->has_space ? inst->space : PTX_GENERIC, 0, NULL, address->offset};
    if (address->base_kind == PTX_OPERAND_VARIABLE)
        place.variable = address->value.variable;
    if (address->kind != PTX_OPERAND_ADDRESS || address->base_kind != PTX_OPERAND_REGISTER)
        return place;
    const struct ptx_inst *maker = guess->makers[place.reg = address->value.reg];
    const struct ptx_operand *from = maker ? &guess->function->operands[maker->operands + 1] : NULL;
    for (int i = 0; i < GUESS_COPIES && maker; i++) {
        if (moves_address(guess, maker, from))
            place.offset += (int64_t)from[1].value.bits;
        else if (!copies_address(guess, maker, from, &place.space))
            break;
        maker = guess->makers[place.reg = from->value.reg];
        from = &guess->function->operands[maker->operands + 1];
    }
    if (!maker)
        place.base = PTX_OPERAND_NONE;
    else if (maker->op == PTX_OP_MOV && from->kind == PTX_OPERAND_VARIABLE)
        place = (struct place){PTX_OPERAND_VARIABLE, place.space, 0, from->value.variable, from->offset + place.offset};
    return place;
}

static bool is_any_swap(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_ATOM && ptx_has(inst, PTX_MOD_CAS);
}

// An atomic that changes nothing where what it wants is there already.
static bool is_any_try(const struct ptx_inst *inst)
{
    return is_any_swap(inst) || ((inst->op == PTX_OP_ATOM || inst->op == PTX_OP_RED) &&
                                 (ptx_has(inst, PTX_MOD_MIN) || ptx_has(inst, PTX_MOD_MAX) ||
                                  ptx_has(inst, PTX_MOD_AND) || ptx_has(inst, PTX_MOD_OR)));
}

static bool is_try(const struct guess *guess, const struct ptx_inst *inst)
{
    if (!is_any_try(inst))
        return false;
    struct place place = guessed_place(guess, inst);
    return place.base == guess->place.base && place.space == guess->place.space && place.reg == guess->place.reg &&
           place.variable == guess->place.variable && place.offset == guess->place.offset;
}

// ---- what becomes of the value

static void guess_follow(struct guess *guess, const struct ptx_inst *inst)
{
    const struct ptx_operand *operands = &guess->function->operands[inst->operands];
    flags_read(guess, inst);
    bool copies = inst->op == PTX_OP_MOV && operands[1].kind == PTX_OPERAND_REGISTER && inst->guard < 0;
    if (is_try(guess, inst))
        guess->now = GUESS_ANSWER;
    else if (!only_computes(inst))
        return;
    else if (!copies)
        guess->now = (guess->now & (GUESS_VALUE | GUESS_MADE) ? GUESS_MADE : 0) |
                     (guess->now & (GUESS_ANSWER | GUESS_TOLD) ? GUESS_TOLD : 0);
    ptx_visit_registers(guess->function, inst, give_flags, guess);
}

static bool compares_floats(enum ptx_type type) // zeros of two signs are alike
{
    return type >= PTX_F16 && type <= PTX_F64;
}

// Whether the branch at the end of a block asks for the swap's answer: it compares it, bit by bit, with what was
// guessed.
static const struct ptx_inst *asked_by(const struct guess *guess, const struct ptx_inst *branch)
{
    const struct ptx_inst *compare =
        branch->op == PTX_OP_BRA && branch->guard >= 0 ? guess->makers[branch->guard] : NULL;
    if (!compare || compare->op != PTX_OP_SETP || compare->operand_count != 3 || compare->choice > 1 || // eq, ne
        compares_floats(compare->types[0]))
        return NULL;
    const struct ptx_operand *operands = &guess->function->operands[compare->operands];
    unsigned char a = flags_of(guess, &operands[1]), b = flags_of(guess, &operands[2]);
    bool answered = (a & GUESS_VALUE && b & GUESS_ANSWER) || (b & GUESS_VALUE && a & GUESS_ANSWER);
    return answered && !((a | b) & (GUESS_MADE | GUESS_TOLD)) ? compare : NULL;
}

// Where the block goes on if the swap found what was guessed; UINT32_MAX: it does not ask.
static uint32_t block_when_right(const struct guess *guess, uint32_t block)
{
    const struct ptx_function *function = guess->function;
    const struct ptx_inst *branch = &function->insts[function->blocks[block].last];
    const struct ptx_inst *compare = asked_by(guess, branch);
    if (!compare)
        return UINT32_MAX;
    bool equal = compare->choice == 0;
    uint32_t target = function->operands[branch->operands].value.target;
    return equal != branch->guard_negated ? function->block_of[target] : block + 1;
}

// ---- whether it is worth trying

// From where lanes part to where all meet again.
struct trial {
    struct guess *guess;
    uint32_t meet; // UINT32_MAX: the end
    bool tries;
};

static bool trial_walk(struct trial *trial, uint32_t first, bool asks);

// Whether one of the sides behind a branch on the atomic's answer does nothing: it is the one of those who came too
// late, as are all who did not try.
static bool trial_answered(struct trial *trial, const struct ptx_block *block)
{
    struct trial side = *trial;
    bool one = false;
    for (uint32_t i = 0; i < block->successor_count && !one; i++)
        one = block->successors[i] == trial->meet || trial_walk(&side, block->successors[i], false);
    return one;
}

// Whether nothing happens before all meet but what registers see, and atomics at the place. asks: or, behind their
// answer, on one side of two.
static bool trial_walk(struct trial *trial, uint32_t first, bool asks)
{
    struct guess *guess = trial->guess;
    const struct ptx_function *function = guess->function;
    unsigned char *seen = mem_alloc(function->block_count);
    uint32_t *open = mem_alloc((function->block_count + 1) * sizeof *open), count = 1;
    bool pure = true;
    seen[open[0] = first] = 1;
    while (count && pure) {
        const struct ptx_block *block = &function->blocks[open[--count]];
        const struct ptx_inst *last = &function->insts[block->last];
        for (uint32_t i = block->first; i <= block->last && pure; i++) {
            bool tries = is_try(guess, &function->insts[i]);
            trial->tries |= tries;
            pure = tries || only_computes(&function->insts[i]) || function->insts[i].op == PTX_OP_BRA ||
                   (function->insts[i].op == PTX_OP_RET && trial->meet == UINT32_MAX);
        }
        if (asks && pure && last->op == PTX_OP_BRA && !(flags_read(guess, last) & ~(GUESS_ANSWER | GUESS_TOLD)) &&
            guess->now && trial_answered(trial, block))
            continue;
        for (uint32_t i = 0; i < block->successor_count && pure; i++) {
            uint32_t next = block->successors[i];
            if (next != trial->meet && !seen[next])
                open[count++] = next;
            seen[next] = 1;
        }
    }
    free(seen);
    free(open);
    return pure;
}

// Whether the branch at the end of a block only decides whether to try.
static bool asks_to_try(struct guess *guess, const struct ptx_inst *branch)
{
    const struct ptx_function *function = guess->function;
    if (branch->op != PTX_OP_BRA)
        return false;
    const struct ptx_block *block = &function->blocks[function->block_of[branch - function->insts]];
    struct trial trial = {guess, block->post_dominator, false};
    bool only = true;
    for (uint32_t i = 0; i < block->successor_count && only; i++)
        only = block->successors[i] == trial.meet || trial_walk(&trial, block->successors[i], true);
    return only && trial.tries;
}

// Whether what atomics found is used: who guesses what to swap for, and does not ask, loses what he wanted to write.
static bool answer_is_used(struct guess *guess)
{
    bool used = false;
    for (uint32_t i = 0; i < guess->function->inst_count && !used; i++)
        used =
            guess->function->insts[i].op != PTX_OP_MOV && flags_read(guess, &guess->function->insts[i]) & GUESS_ANSWER;
    return used;
}

// Whether the instruction makes no other use of what is not known to be right than to swap with it, or not to try.
static bool only_guesses(struct guess *guess, const struct ptx_inst *inst, bool *swaps)
{
    const struct ptx_operand *operands = &guess->function->operands[inst->operands];
    if (!(flags_read(guess, inst) & (GUESS_VALUE | GUESS_MADE)) || only_computes(inst))
        return true;
    if (inst->op == PTX_OP_BRA && asked_by(guess, inst))
        return true;
    if (!is_try(guess, inst))
        return *swaps |= asks_to_try(guess, inst);
    *swaps = true;
    if (!is_any_swap(inst))
        return !flags_of(guess, &operands[inst->operand_count - 1]);
    unsigned char wanted = flags_of(guess, &operands[2]) & (GUESS_VALUE | GUESS_MADE);
    if (!wanted)
        return !(flags_of(guess, &operands[3]) & (GUESS_VALUE | GUESS_MADE));
    return wanted == GUESS_VALUE && answer_is_used(guess);
}

// Walks from the load, but not on where the swap found the guess right.
static bool guess_walk(struct guess *guess, uint32_t at)
{
    const struct ptx_function *function = guess->function;
    unsigned char *seen = mem_alloc(function->block_count);
    uint32_t *open = mem_alloc((function->block_count + 1) * sizeof *open), count = 1;
    bool only = true, swaps = false;
    open[0] = function->block_of[at];
    for (uint32_t from = at + 1; count && only; from = 0) {
        uint32_t number = open[--count], right = block_when_right(guess, number);
        const struct ptx_block *block = &function->blocks[number];
        for (uint32_t i = from ? from : block->first; i <= block->last && only; i++)
            only = only_guesses(guess, &function->insts[i], &swaps);
        only &= function->insts[block->last].op != PTX_OP_BRX_IDX; // not followed
        for (uint32_t i = 0; i < block->successor_count && only; i++) {
            uint32_t next = block->successors[i];
            if (!seen[next] && next != right)
                open[count++] = next;
            seen[next] |= next != right;
        }
    }
    free(seen);
    free(open);
    return only && swaps;
}

static bool is_guess(struct guess *guess, uint32_t at)
{
    const struct ptx_function *function = guess->function;
    const struct ptx_operand *result = &function->operands[function->insts[at].operands];
    bool swapped = false;
    guess->load = &function->insts[at];
    if (result->kind != PTX_OPERAND_REGISTER)
        return false;
    guess->place = guessed_place(guess, guess->load);
    for (uint32_t i = 0; i < function->inst_count && guess->place.base != PTX_OPERAND_NONE && !swapped; i++)
        swapped = is_try(guess, &function->insts[i]);
    if (!swapped)
        return false;
    memset(guess->registers, 0, function->register_count);
    guess->registers[result->value.reg] = GUESS_VALUE;
    for (guess->changed = true; guess->changed;) {
        guess->changed = false;
        for (uint32_t i = 0; i < function->inst_count; i++)
            guess_follow(guess, &function->insts[i]);
    }
    return guess_walk(guess, at);
}

struct makers {
    const struct ptx_inst *inst, **of;
    unsigned char *written;
};

static void note_maker(void *context, uint32_t reg, bool written)
{
    struct makers *makers = context;
    if (!written)
        return;
    makers->of[reg] = makers->written[reg] ? NULL : makers->inst;
    makers->written[reg] = 1;
}

void values_find_guesses(uint16_t *traits, const struct ptx_function *function)
{
    bool swaps = false;
    for (uint32_t i = 0; i < function->inst_count && !swaps; i++)
        swaps = is_any_try(&function->insts[i]);
    if (!swaps)
        return;
    struct makers makers = {.of = mem_alloc((function->register_count + 1) * sizeof *makers.of),
                            .written = mem_alloc(function->register_count + 1)};
    for (uint32_t i = 0; i < function->inst_count; i++) {
        makers.inst = &function->insts[i];
        ptx_visit_registers(function, makers.inst, note_maker, &makers);
    }
    struct guess guess = {.function = function, .makers = makers.of, .registers = makers.written};
    for (uint32_t i = 0; i < function->inst_count; i++)
        if (is_plain_load(&function->insts[i]) && is_guess(&guess, i))
            traits[i] |= VALUE_GUESS;
    free(makers.of);
    free(makers.written);
}
