// Finds the loops that ptxas unrolls, and copies their instructions for each turn.
#include "model/unroll.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/describe.h"

// ptxas' limits, in SASS instructions of a turn, where a 64-bit sum is one and a global access two
// (tests/model/test_unroll.c).
enum { MOST = 22, MOST_WITH_SHARED = 29, MOST_WITH_GLOBAL = 50 };

struct body {
    const struct ptx_function *function;
    const struct replay_inst *insts; // the function's
    uint32_t first, last;
    uint32_t *writes, *writer; // by register: in the loop
    bool *is_step;             // by register: a constant is added to it, and nothing but addresses and the end want it
    uint32_t end_test;         // the comparison
};

static const struct ptx_operand *operand_at(const struct body *b, uint32_t index, uint32_t number)
{
    const struct ptx_inst *inst = &b->function->insts[index];
    return number < inst->operand_count ? &b->function->operands[inst->operands + number] : NULL;
}

static bool may_be_jumped(const struct body *b, uint32_t index)
{
    const struct ptx_inst *insts = b->function->insts;
    bool jumped = insts[index].guard >= 0;
    for (uint32_t i = b->first; i < index && !jumped; i++)
        jumped = insts[i].op == PTX_OP_BRA && operand_at(b, i, 0)->value.target > index;
    return jumped;
}

// ---- which loops

// Nothing but the end leaves it, nothing enters it but from above, it holds no other.
static bool is_closed(const struct ptx_function *function, uint32_t first, uint32_t last)
{
    for (uint32_t i = 0; i < function->inst_count; i++) {
        const struct ptx_inst *inst = &function->insts[i];
        bool inside = i >= first && i <= last;
        if (inside && (inst->op == PTX_OP_RET || inst->op == PTX_OP_EXIT || inst->op == PTX_OP_BRX_IDX ||
                       inst->op == PTX_OP_CALL || inst->op == PTX_OP_TRAP))
            return false;
        if (inst->op != PTX_OP_BRA || i == last)
            continue;
        uint32_t target = function->operands[inst->operands].value.target;
        bool within = target >= first && target <= last;
        if (inside ? !within || target <= i : within && (target > first || i > last))
            return false;
    }
    return true;
}

static bool is_short(const struct body *b)
{
    double size = 0;
    int most = MOST;
    for (uint32_t i = b->first; i <= b->last; i++) {
        const struct replay_inst *inst = &b->insts[i];
        bool global =
            inst->kind == REPLAY_GLOBAL_LOAD || inst->kind == REPLAY_GLOBAL_STORE || inst->kind == REPLAY_GLOBAL_ATOMIC;
        if (describe_calls(&b->function->insts[i]))
            return false;
        if (inst->kind == REPLAY_GLOBAL_LOAD)
            most = MOST_WITH_GLOBAL;
        else if (inst->kind == REPLAY_SHARED_LOAD && most < MOST_WITH_SHARED)
            most = MOST_WITH_SHARED;
        enum ptx_opcode op = b->function->insts[i].op;
        if (inst->kind == REPLAY_CONTROL || (op == PTX_OP_MOV && may_be_jumped(b, i)))
            size++;
        else if (inst->kind == REPLAY_INT && (op == PTX_OP_ADD || op == PTX_OP_SUB))
            size++;
        else if (inst->kind != REPLAY_FREE && !inst->rides)
            size += inst->cost.instructions + global;
    }
    return size <= most;
}

// A constant is added to it once in each turn; what it was before may have been moved to another register.
static bool steps_on(const struct body *b, uint32_t reg)
{
    enum { HOPS = 4 };
    uint32_t at = reg;
    bool adds = false;
    for (int hop = 0; hop < HOPS; hop++) {
        if (b->writes[at] != 1)
            return false;
        uint32_t index = b->writer[at];
        const struct ptx_inst *inst = &b->function->insts[index];
        const struct ptx_operand *from = operand_at(b, index, 1), *by = operand_at(b, index, 2);
        bool sum = (inst->op == PTX_OP_ADD || inst->op == PTX_OP_SUB) && by->kind == PTX_OPERAND_INTEGER;
        if (inst->guard >= 0 || !from || from->kind != PTX_OPERAND_REGISTER || (!sum && inst->op != PTX_OP_MOV))
            return false;
        adds |= sum;
        at = from->value.reg;
        if (at == reg)
            return adds;
    }
    return false;
}

static bool stays(const struct body *b, const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPERAND_INTEGER ||
           (operand->kind == PTX_OPERAND_REGISTER && !b->writes[operand->value.reg]);
}

static bool is_counted(struct body *b)
{
    int32_t guard = b->function->insts[b->last].guard;
    if (guard < 0 || b->writes[guard] != 1)
        return false;
    b->end_test = b->writer[guard];
    const struct ptx_operand *x = operand_at(b, b->end_test, 1), *y = operand_at(b, b->end_test, 2);
    if (b->function->insts[b->end_test].op != PTX_OP_SETP || !x || !y || b->function->insts[b->end_test].guard >= 0)
        return false;
    const struct ptx_operand *moving = stays(b, y) ? x : stays(b, x) ? y : NULL;
    return moving && moving->kind == PTX_OPERAND_REGISTER && steps_on(b, moving->value.reg);
}

struct seen {
    struct body *body;
    uint32_t index;
};

static void note_body_register(void *context, uint32_t reg, bool written)
{
    const struct seen *seen = context;
    if (!written)
        return;
    seen->body->writes[reg]++;
    seen->body->writer[reg] = seen->index;
}

// Whoever reads it for anything but an address, the end or the next turn.
static void note_step_use(void *context, uint32_t reg, bool written)
{
    const struct seen *seen = context;
    const struct body *b = seen->body;
    const struct ptx_inst *inst = &b->function->insts[seen->index];
    const struct ptx_operand *result = operand_at(b, seen->index, 0);
    bool moves = (inst->op == PTX_OP_ADD || inst->op == PTX_OP_SUB || inst->op == PTX_OP_MOV) &&
                 result->kind == PTX_OPERAND_REGISTER && b->is_step[result->value.reg];
    bool is_address = false;
    for (uint32_t i = 0; i < inst->operand_count; i++) {
        const struct ptx_operand *operand = operand_at(b, seen->index, i);
        is_address |= operand->kind == PTX_OPERAND_ADDRESS && operand->base_kind == PTX_OPERAND_REGISTER &&
                      operand->value.reg == reg;
    }
    if (!written && !is_address && !moves && seen->index != b->end_test)
        b->is_step[reg] = false;
}

static void find_strides(struct body *b)
{
    for (uint32_t reg = 0; reg < b->function->register_count; reg++)
        b->is_step[reg] = steps_on(b, reg);
    for (uint32_t i = b->first; i <= b->last; i++)
        ptx_visit_registers(b->function, &b->function->insts[i], note_step_use, &(struct seen){b, i});
}

// ---- copies

// Numbers of the registers that a loop writes, as each turn has them: by register, its number less UNROLL_TURNS - 1 …
struct renaming {
    uint32_t *base;  // by register of the replay: 0: the loop does not write it; else that of its first other number
    uint8_t *moment; // by register: 0: not touched yet in this turn, 1: read, 2: written
    uint32_t from, to;
};

static uint16_t renamed(const struct renaming *names, uint16_t reg, uint32_t version)
{
    return version && names->base[reg] ? (uint16_t)(names->base[reg] + version - 1) : reg;
}

// What is read is of the turn before until this turn has written it. Who may not write keeps what was there.
static void rename_registers(struct renaming *names, struct replay_inst *inst, bool may_not)
{
    uint16_t sources[REPLAY_SOURCES];
    uint8_t count = 0;
    for (uint32_t k = 0; k < inst->source_count; k++) {
        uint16_t reg = inst->sources[k];
        sources[count++] = renamed(names, reg, names->moment[reg] == 2 ? names->to : names->from);
        if (!names->moment[reg])
            names->moment[reg] = 1;
    }
    for (uint32_t k = 0; k < inst->result_count; k++) {
        uint16_t reg = inst->results[k];
        if (may_not && names->moment[reg] && count < REPLAY_SOURCES)
            sources[count++] = renamed(names, reg, names->moment[reg] == 2 ? names->to : names->from);
        inst->results[k] = renamed(names, reg, names->to);
        names->moment[reg] = 2;
    }
    memcpy(inst->sources, sources, sizeof sources);
    inst->source_count = count;
}

// What one instruction does for four turns, this turn leaves to the last.
static void leave_to_last(const struct body *b, struct replay_inst *inst, uint32_t index)
{
    const struct ptx_operand *result = operand_at(b, index, 0);
    bool ends = index == b->last || index == b->end_test;
    bool moves = result && result->kind == PTX_OPERAND_REGISTER && b->writes[result->value.reg] == 1 &&
                 b->writer[result->value.reg] == index && b->is_step[result->value.reg];
    if (!ends && !moves)
        return;
    inst->kind = REPLAY_FREE;
    inst->cost = (struct sass_cost){0};
    inst->wall = false;
    if (ends)
        inst->source_count = inst->result_count = 0;
}

static uint32_t copy_turn(struct unrolling *u, const struct body *b, uint32_t start, struct renaming *names,
                          uint32_t from, uint32_t to)
{
    uint32_t at = (uint32_t)u->inst_count;
    memset(names->moment, 0, REPLAY_MAX_REGISTERS);
    names->from = from;
    names->to = to;
    for (uint32_t i = b->first; i <= b->last; i++) {
        struct replay_inst inst = u->insts[start + i];
        rename_registers(names, &inst, may_be_jumped(b, i));
        if (to != 0)
            leave_to_last(b, &inst, i);
        *mem_append(u->insts, u->inst_capacity, u->inst_count) = inst;
    }
    return at;
}

static void copy_loop(struct unrolling *u, const struct body *b, uint32_t start)
{
    struct renaming names = {.base = mem_alloc(REPLAY_MAX_REGISTERS * sizeof *names.base),
                             .moment = mem_alloc(REPLAY_MAX_REGISTERS)};
    uint32_t next = u->register_count;
    for (uint32_t i = b->first; i <= b->last; i++)
        for (uint32_t k = 0; k < b->insts[i].result_count; k++) {
            uint16_t reg = b->insts[i].results[k];
            if (!names.base[reg]) {
                names.base[reg] = next;
                next += UNROLL_TURNS - 1;
            }
        }
    if (next <= REPLAY_MAX_REGISTERS) {
        struct unrolled_loop loop = {.first = start + b->first, .last = start + b->last};
        for (uint32_t turn = 0; turn < UNROLL_TURNS; turn++)
            loop.copies[turn] = copy_turn(u, b, start, &names, turn ? UNROLL_TURNS - turn : 0, UNROLL_TURNS - 1 - turn);
        loop.copies[UNROLL_TURNS] = copy_turn(u, b, start, &names, 0, 1);
        u->register_count = next;
        *mem_append(u->loops, u->capacity, u->count) = loop;
    }
    free(names.base);
    free(names.moment);
}

void unroll_function(struct unrolling *u, const struct ptx_function *function, uint32_t start)
{
    const size_t registers = function->register_count + 1;
    struct body b = {.function = function,
                     .writes = mem_alloc(registers * sizeof *b.writes),
                     .writer = mem_alloc(registers * sizeof *b.writer),
                     .is_step = mem_alloc(registers)};
    for (uint32_t i = 0; i < function->inst_count; i++) {
        const struct ptx_inst *inst = &function->insts[i];
        uint32_t target = inst->op == PTX_OP_BRA ? function->operands[inst->operands].value.target : UINT32_MAX;
        if (target > i || function->insts[target].nounroll || !is_closed(function, target, i))
            continue;
        b.insts = u->insts + start;
        b.first = target;
        b.last = i;
        memset(b.writes, 0, registers * sizeof *b.writes);
        for (uint32_t k = b.first; k <= b.last; k++)
            ptx_visit_registers(function, &function->insts[k], note_body_register, &(struct seen){&b, k});
        if (!is_counted(&b) || !is_short(&b))
            continue;
        find_strides(&b);
        copy_loop(u, &b, start);
    }
    free(b.writes);
    free(b.writer);
    free(b.is_step);
}

// ---- steps

static const struct unrolled_loop *loop_at(const struct unrolling *u, uint32_t inst)
{
    size_t low = 0, high = u->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (u->loops[middle].first < inst)
            low = middle + 1;
        else
            high = middle;
    }
    return low < u->count && u->loops[low].first == inst ? &u->loops[low] : NULL;
}

// Steps of the turn that begins with the first; 0: it has no end.
static size_t turn_length(const struct unrolled_loop *loop, const struct replay_step *steps, size_t count)
{
    for (size_t i = 0; i < count && steps[i].inst >= loop->first && steps[i].inst <= loop->last; i++) {
        if (i > 0 && steps[i].inst == loop->first)
            return 0;
        if (steps[i].inst == loop->last)
            return i + 1;
    }
    return 0;
}

// Takes the turns from here on together, four or two of them. Returns how many steps they are, or the one turn's.
static size_t take_turns(const struct unrolled_loop *loop, struct replay_step *steps, size_t count)
{
    size_t ends[UNROLL_TURNS + 1] = {0}, turns = 0;
    while (turns < UNROLL_TURNS) {
        size_t at = ends[turns], length = 0;
        if (at < count && steps[at].inst == loop->first)
            length = turn_length(loop, steps + at, count - at);
        if (!length)
            break;
        ends[++turns] = at + length;
    }
    size_t together = turns == UNROLL_TURNS ? turns : turns >= 2 ? 2 : 0;
    for (size_t turn = 0; turn < together; turn++) {
        size_t copy = together == UNROLL_TURNS ? turn : turn ? UNROLL_TURNS - 1 : UNROLL_TURNS;
        for (size_t i = ends[turn]; i < ends[turn + 1]; i++)
            steps[i].inst += loop->copies[copy] - loop->first;
    }
    return together ? ends[together] : turns ? ends[1] : 1;
}

void unroll_steps(const struct unrolling *u, struct replay_step *steps, size_t count)
{
    for (size_t i = 0; i < count && u->count;) {
        const struct unrolled_loop *loop = loop_at(u, steps[i].inst);
        i += loop ? take_turns(loop, steps + i, count - i) : 1;
    }
}
