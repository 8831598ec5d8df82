// Known low bits of integer registers: a dataflow over all definitions, without regard to order.
#include "model/known_bits.h"

#include <stdlib.h>

#include "base/memory.h"

// A register starts as UNSEEN, the neutral element of the meet, and only ever loses bits from there: the loop ends.
// Compilers' code settles in a few passes; text made to be slow is given up on, which only means less fusion.
enum { UNSEEN = 0xff, MAX_PASSES = 100 };

struct bits_pass {
    const struct ptx_function *function;
    const struct ptx_shared_layout *layout;
    const struct ptx_inst *inst; // being looked at
    struct known_bits *registers;
    bool changed;
};

static struct known_bits low_bits(unsigned count, uint64_t value)
{
    count = count > KNOWN_BITS_MAX ? KNOWN_BITS_MAX : count;
    return (struct known_bits){(uint8_t)count, (uint16_t)(value & ((UINT32_C(1) << count) - 1))};
}

static const struct known_bits nothing = {0, 0};

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static struct known_bits meet(struct known_bits a, struct known_bits b)
{
    if (a.count == UNSEEN || b.count == UNSEEN)
        return a.count == UNSEEN ? b : a;
    unsigned count = least(a.count, b.count), differ = (unsigned)(a.value ^ b.value);
    if (differ)
        count = least(count, (unsigned)__builtin_ctz(differ));
    return low_bits(count, a.value);
}

static unsigned trailing_zeros(struct known_bits bits)
{
    return bits.value ? (unsigned)__builtin_ctz(bits.value) : bits.count;
}

// What ptxas keeps of a number that it goes on to work with: by which power of two it can be divided (SASS of 13.0).
static struct known_bits zeros(struct known_bits bits)
{
    return low_bits(trailing_zeros(bits), 0);
}

// Of the address of a variable in shared memory; nothing is known of others.
static struct known_bits variable_bits(const struct ptx_shared_layout *layout, const struct ptx_variable *variable)
{
    for (uint32_t i = 0; i < layout->count; i++) {
        if (layout->slots[i].variable == variable)
            return low_bits(KNOWN_BITS_MAX, layout->slots[i].offset);
    }
    return nothing;
}

static struct known_bits operand_bits(const struct bits_pass *pass, const struct ptx_operand *operand)
{
    switch (operand->kind) {
    case PTX_OPERAND_INTEGER:
        return low_bits(KNOWN_BITS_MAX, operand->value.bits);
    case PTX_OPERAND_REGISTER:
        return operand->element ? nothing : pass->registers[operand->value.reg];
    case PTX_OPERAND_VARIABLE: {
        struct known_bits bits = variable_bits(pass->layout, operand->value.variable);
        return low_bits(zeros(bits).count, (uint64_t)operand->offset);
    }
    default:
        return nothing;
    }
}

static struct known_bits product(struct known_bits a, struct known_bits b)
{
    return low_bits(trailing_zeros(a) + trailing_zeros(b), 0);
}

// A number that is added to a register counts where the sum is an address (alias_resolve in fusion.c), and is forgotten
// where it is worked with; one that was added to an array's address first is kept. `or` is no sum.
static struct known_bits sum(struct known_bits a, bool a_is_immediate, struct known_bits b, bool b_is_immediate)
{
    struct known_bits x = a_is_immediate && b.count < KNOWN_BITS_MAX ? zeros(a) : a;
    struct known_bits y = b_is_immediate && a.count < KNOWN_BITS_MAX ? zeros(b) : b;
    return low_bits(least(x.count, y.count), (uint64_t)x.value + y.value);
}

// Bits of x are 0 while known to be, or masked out by c.
static struct known_bits masked(struct known_bits x, uint16_t c)
{
    unsigned count = 0;
    while (count < KNOWN_BITS_MAX && (count < trailing_zeros(x) || !(c >> count & 1)))
        count++;
    return low_bits(count, 0);
}

static struct known_bits conjunction(struct known_bits a, struct known_bits b)
{
    if (b.count == KNOWN_BITS_MAX)
        return masked(a, b.value);
    if (a.count == KNOWN_BITS_MAX)
        return masked(b, a.value);
    return low_bits(least(trailing_zeros(a), trailing_zeros(b)), 0);
}

static struct known_bits shifted(struct known_bits a, struct known_bits by)
{
    if (by.count < KNOWN_BITS_MAX)
        return nothing;
    if (by.value >= KNOWN_BITS_MAX)
        return low_bits(KNOWN_BITS_MAX, 0);
    return low_bits(trailing_zeros(a) + (unsigned)by.value, 0);
}

static struct known_bits converted(const struct ptx_inst *inst, struct known_bits source)
{
    enum ptx_type from = inst->type_count > 1 ? inst->types[1] : inst->types[0];
    bool integer = from >= PTX_B8 && from <= PTX_S64 && inst->types[0] >= PTX_B8 && inst->types[0] <= PTX_S64;
    if (!integer || ptx_has(inst, PTX_MOD_SAT))
        return nothing;
    return low_bits(least(source.count, 8 * least(ptx_type_size(from), 2)), source.value);
}

static bool is_immediate(const struct bits_pass *pass, const struct ptx_inst *inst, uint32_t number)
{
    return pass->function->operands[inst->operands + number].kind == PTX_OPERAND_INTEGER;
}

static bool is_integer_inst(const struct ptx_inst *inst)
{
    return inst->type_count && inst->types[0] >= PTX_B8 && inst->types[0] <= PTX_S64 && inst->types[0] != PTX_B128;
}

// The known bits of what inst writes, from those of what it reads.
static struct known_bits bits_written(const struct bits_pass *pass, const struct ptx_inst *inst)
{
    struct known_bits in[4] = {{0}};
    for (unsigned i = 1; i < inst->operand_count && i < 4; i++) {
        in[i] = operand_bits(pass, &pass->function->operands[inst->operands + i]);
        if (in[i].count == UNSEEN)
            return in[i];
    }
    if (inst->op == PTX_OP_MOV || inst->op == PTX_OP_CVTA)
        return in[1];
    if (inst->op == PTX_OP_CVT)
        return converted(inst, in[1]);
    if (!is_integer_inst(inst) || ptx_has(inst, PTX_MOD_HI) || ptx_has(inst, PTX_MOD_SAT))
        return nothing;
    switch (inst->op) {
    case PTX_OP_ADD:
        return sum(in[1], is_immediate(pass, inst, 1), in[2], is_immediate(pass, inst, 2));
    case PTX_OP_NEG:
        return zeros(in[1]);
    case PTX_OP_MUL:
        return product(in[1], in[2]);
    case PTX_OP_MAD:
        return sum(product(in[1], in[2]), false, in[3], is_immediate(pass, inst, 3));
    case PTX_OP_AND:
        return conjunction(in[1], in[2]);
    case PTX_OP_OR:
        return low_bits(least(in[1].count, in[2].count), in[1].value | in[2].value);
    case PTX_OP_SUB:
    case PTX_OP_XOR:
        return low_bits(least(trailing_zeros(in[1]), trailing_zeros(in[2])), 0);
    case PTX_OP_SHL:
        return shifted(in[1], in[2]);
    case PTX_OP_SELP:
        return meet(zeros(in[1]), zeros(in[2]));
    default:
        return nothing;
    }
}

// A write by the instruction at hand: of a whole register that is its first operand what evaluate says, else unknown.
static void define_register(void *context, uint32_t reg, bool written)
{
    struct bits_pass *pass = context;
    const struct ptx_operand *target = &pass->function->operands[pass->inst->operands];
    bool is_target = target->kind == PTX_OPERAND_REGISTER && target->value.reg == reg && !target->element;
    if (!written)
        return;
    struct known_bits *old = &pass->registers[reg];
    struct known_bits joined = meet(*old, is_target ? bits_written(pass, pass->inst) : nothing);
    pass->changed |= joined.count != old->count || joined.value != old->value;
    *old = joined;
}

struct known_bits *known_bits_find(const struct ptx_function *function, const struct ptx_shared_layout *layout)
{
    struct bits_pass pass = {.function = function,
                             .layout = layout,
                             .registers = mem_alloc(function->register_count * sizeof(struct known_bits)),
                             .changed = true};
    for (uint32_t i = 0; i < function->register_count; i++)
        pass.registers[i].count = UNSEEN;
    for (int round = 0; pass.changed && round < MAX_PASSES; round++) {
        pass.changed = false;
        for (pass.inst = function->insts; pass.inst < function->insts + function->inst_count; pass.inst++)
            ptx_visit_registers(function, pass.inst, define_register, &pass);
    }
    for (uint32_t i = 0; i < function->register_count; i++) {
        if (pass.changed || pass.registers[i].count == UNSEEN)
            pass.registers[i] = nothing;
    }
    return pass.registers;
}
