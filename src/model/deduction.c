// Works out what follows from what is known. Steps are instructions whose operands are known, in an order in which they
// can be worked out; they are found once (find_steps), those that no choice needs are dropped (keep_needed), and the
// rest runs anew for each block or size (deduction_work_out). What an instruction makes of its operands:
// ptx/arithmetic.h.
//
// A value has a place: a register's own; behind the registers those of %ctaid, %nctaid and the parameters; then one for
// each instruction (find_alternatives), for each basic block (is it reached?) and for what calls give back.
#include "model/deduction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ptx/arithmetic.h"

enum {
    CTAID = 0, // places behind the registers
    NCTAID = 3,
    PARAMS = 6,
    MOST_TABLES = 64,
    MOST_CALLS = 16,    // of a function
    MOST_SEEN = 128,    // places for what is worked out in functions that are called
    MOST_CALLED = 2000, // instructions of a function that is called
    MOST_DEPTH = 2,     // functions that functions call
    MOST_STEPS = 4000,  // … in all functions that are called
    TABLE_SHIFT = 40    // the bytes of a table lie there, far from what parameters point to
};
#define TABLES (UINT64_C(1) << 60)
#define NOWHERE UINT32_MAX // no place

struct source {
    uint32_t reg;    // its place; NOWHERE: a constant
    unsigned bytes;  // that it is cut to
    uint64_t number; // the constant, or what the value is taken with by exclusive or: 1 for !p
};

// An instruction that is worked out.
struct step {
    const struct ptx_inst *inst;
    uint32_t to, count;  // its place; operands, the result's included
    struct source in[5]; // from 1 on, as its operands
    unsigned bytes;      // of the register that it writes; 0: a predicate
    bool is_data;        // … in memory, at the sum of the first two
    struct call *call;   // NULL: none
};

// A call with arguments that are known.
struct call {
    struct deduction *inner;
    uint32_t seen[MOST_SEEN], count; // places of the function: what it gives back, or NOWHERE, then its predicates
    uint32_t first;                  // the caller's place that the first of them is copied to; the others follow
    uint32_t inst;
};

// Variables with values of their own. Their addresses, as worked out here, go by their place among these.
struct tables {
    const struct ptx_variable *variables[MOST_TABLES];
    uint32_t count;
};

struct deduction {
    const struct ptx_function *function;
    uint32_t size[3], thread[3]; // %ntid, %tid
    uint64_t *values;            // by place, as all of these
    uint32_t *writes;            // of each register, in the text
    uint32_t *first;             // … the instruction in the first block that writes it first; else UINT32_MAX
    uint32_t *until;             // … the instruction from which on it need not hold what it was first given
    bool *known, *varies, *needed, *from_data;
    bool *ties;                        // of predicates: what was compared was equal
    uint32_t straight;                 // the first instruction that may run again
    uint32_t at;                       // the one that is looked at
    const struct deduction_data *data; // NULL: nobody has any
    struct call *calls[MOST_CALLS];
    uint32_t call_count, seen_count, depth;
    uint32_t inner_steps;       // of all that is called; more than MOST_STEPS: no further call is looked at
    struct tables *tables, own; // own: the entry's, which all that it calls share
    uint32_t *stack;            // basic blocks that are reached and not gone on from
    bool has_blocks;            // whether they are reached is asked
    struct step *steps;         // in order; in the end those that a choice needs
    uint32_t step_count;
    struct deduction_choice choices[DEDUCTION_CHOICES];
    size_t choice_count;
};

static uint32_t behind_registers(const struct deduction *d, uint32_t which)
{
    return d->function->register_count + which;
}

static uint32_t alternative_place(const struct deduction *d, uint32_t inst)
{
    return behind_registers(d, PARAMS + d->function->param_count + inst);
}

static uint32_t reached_place(const struct deduction *d, uint32_t block)
{
    return alternative_place(d, d->function->inst_count) + block;
}

static uint32_t seen_place(const struct deduction *d, uint32_t seen)
{
    return reached_place(d, d->function->block_count) + seen;
}

// ---- one instruction

static bool takes_integers(enum ptx_type type)
{
    return type_is_bits(type) || type_is_integer(type);
}

static uint64_t value_product(const struct ptx_inst *inst, uint64_t a, uint64_t b)
{
    if (ptx_has(inst, PTX_MOD_HI))
        return integer_product_high(inst->types[0], a, b);
    return ptx_has(inst, PTX_MOD_WIDE) ? integer_product_wide(inst->types[0], a, b) : a * b;
}

// .relu: of what is below zero, zero.
static uint64_t value_least(const struct ptx_inst *inst, uint64_t a, uint64_t b, bool most)
{
    uint64_t value = integer_is_less(inst->types[0], a, b) != most ? a : b;
    return ptx_has(inst, PTX_MOD_RELU) && integer_number(inst->types[0], value) < 0 ? 0 : value;
}

static float whole_float(const struct ptx_inst *inst, float a)
{
    return inst->choice ? (float)float_whole(ptx_rounding(inst), (double)a) : a;
}

static uint64_t value_converted(const struct ptx_inst *inst, uint64_t a)
{
    enum ptx_type to = inst->types[0], from = inst->types[1];
    if (to == PTX_F32 && from == PTX_F32)
        return f32_bits(whole_float(inst, bits_f32(a)));
    if (to == PTX_F32 && from == PTX_F16)
        return f32_bits(f16_to_f32((uint16_t)a));
    if (to == PTX_F32)
        return f32_bits(type_is_signed(from) ? (float)integer_number(from, a) : (float)a);
    if (from == PTX_F32 || from == PTX_F16)
        return integer_of_float(to, from, float_whole(ptx_rounding(inst), number_float(from, false, a)));
    return integer_converted(to, from, a);
}

static uint64_t value_compared(const struct ptx_inst *inst, const uint64_t in[5])
{
    enum ptx_type type = inst->types[0];
    enum relation relation = ptx_relation(inst, type);
    bool holds = type == PTX_F32 ? float_relates(relation, (double)bits_f32(in[1]), (double)bits_f32(in[2]))
                                 : integer_relates(relation, type, in[1], in[2]);
    return inst->operand_count < 4      ? holds
           : ptx_has(inst, PTX_MOD_AND) ? holds & in[3]
           : ptx_has(inst, PTX_MOD_OR)  ? holds | in[3]
                                        : holds ^ in[3];
}

// A NaN gives the other one.
static float float_least(float a, float b, bool most)
{
    return a != a ? b : b != b ? a : (a < b) != most ? a : b;
}

// f32, rounded to nearest and with its subnormals, whatever the instruction says; an approximate one as if it were
// exact. A comparison that hangs on a last bit may come out otherwise than on the machine.
static bool work_out_float(const struct ptx_inst *inst, const uint64_t in[5], uint64_t *out)
{
    float a = bits_f32(in[1]), b = bits_f32(in[2]);
    switch (inst->op) {
    case PTX_OP_NEG:
        return *out = in[1] ^ 0x80000000u, true;
    case PTX_OP_ABS:
        return *out = in[1] & 0x7fffffffu, true;
    case PTX_OP_ADD:
        return *out = f32_bits(a + b), true;
    case PTX_OP_SUB:
        return *out = f32_bits(a - b), true;
    case PTX_OP_MUL:
        return *out = f32_bits(a * b), true;
    case PTX_OP_DIV:
        return *out = f32_bits(a / b), true;
    case PTX_OP_RCP:
        return *out = f32_bits(1 / a), true;
    case PTX_OP_SQRT:
        return *out = f32_bits(sqrtf(a)), true;
    case PTX_OP_MIN:
        return *out = f32_bits(float_least(a, b, false)), inst->operand_count == 3 && !ptx_has(inst, PTX_MOD_ABS);
    case PTX_OP_MAX:
        return *out = f32_bits(float_least(a, b, true)), inst->operand_count == 3 && !ptx_has(inst, PTX_MOD_ABS);
    case PTX_OP_FMA:
        return *out = f32_bits(fmaf(a, b, bits_f32(in[3]))), true;
    default:
        return false;
    }
}

static bool work_out_integer(const struct ptx_inst *inst, const uint64_t in[5], uint64_t *out)
{
    enum ptx_type type = inst->types[0];
    switch (inst->op) {
    case PTX_OP_ADD:
        return *out = in[1] + in[2], true;
    case PTX_OP_SUB:
        return *out = in[1] - in[2], true;
    case PTX_OP_MUL:
        return *out = value_product(inst, in[1], in[2]), true;
    case PTX_OP_MAD:
        return *out = value_product(inst, in[1], in[2]) + in[3], true;
    case PTX_OP_DIV:
        return *out = integer_quotient(type, in[1], in[2]), true;
    case PTX_OP_REM:
        return *out = integer_remainder(type, in[1], in[2]), true;
    case PTX_OP_NEG:
        return *out = -in[1], true;
    case PTX_OP_NOT:
        return *out = ~in[1], true;
    case PTX_OP_ABS:
        return *out = integer_absolute(type, in[1]), true;
    case PTX_OP_MIN:
        return *out = value_least(inst, in[1], in[2], false), true;
    case PTX_OP_MAX:
        return *out = value_least(inst, in[1], in[2], true), true;
    case PTX_OP_AND:
        return *out = in[1] & in[2], true;
    case PTX_OP_OR:
        return *out = in[1] | in[2], true;
    case PTX_OP_XOR:
        return *out = in[1] ^ in[2], true;
    case PTX_OP_SHL:
        return *out = integer_left(type, in[1], (uint32_t)in[2]), true;
    case PTX_OP_SHR:
        return *out = integer_right(type, in[1], (uint32_t)in[2]), true;
    case PTX_OP_SHF:
        return *out = integer_funnel(in[1], in[2], (uint32_t)in[3], inst->choice, ptx_has(inst, PTX_MOD_WRAP)), true;
    case PTX_OP_BFE:
        return *out = integer_field(type, in[1], (uint32_t)in[2], (uint32_t)in[3]), true;
    case PTX_OP_POPC:
        return *out = (uint64_t)__builtin_popcountll(in[1]), true;
    case PTX_OP_CLZ:
        return *out = integer_leading_zeros(type, in[1]), true;
    case PTX_OP_LOP3:
        return *out = bits_by_table(in[1], in[2], in[3], in[4]), inst->operand_count == 5;
    default:
        return false;
    }
}

// in: cut to the type that is compared or computed with. out: as its register holds it, with anything above. False: not
// one of those that are known here.
static bool work_out(const struct ptx_inst *inst, const uint64_t in[5], uint64_t *out)
{
    switch (inst->op) {
    case PTX_OP_LD: // a parameter, or data
        return *out = integer_extended(inst->types[0], in[1]), true;
    case PTX_OP_CVTA:
    case PTX_OP_MOV:
        return *out = in[1], inst->vector <= 1;
    case PTX_OP_CVT:
        return *out = value_converted(inst, in[1]), inst->type_count > 1;
    case PTX_OP_SELP:
        return *out = in[3] ? in[1] : in[2], true;
    case PTX_OP_SETP:
        return *out = value_compared(inst, in), true;
    default:
        return inst->types[0] == PTX_F32 ? work_out_float(inst, in, out) : work_out_integer(inst, in, out);
    }
}

// ---- its operands

static const struct ptx_operand *operand_of(const struct deduction *d, const struct ptx_inst *inst, uint32_t number)
{
    return &d->function->operands[inst->operands + number];
}

static bool take_special(const struct deduction *d, const struct ptx_operand *operand, struct source *source)
{
    unsigned element = operand->element ? operand->element - 1u : 0;
    if (element > 2)
        return false;
    switch (operand->value.special) {
    case PTX_SPECIAL_CTAID:
        return source->reg = behind_registers(d, CTAID + element), true;
    case PTX_SPECIAL_NCTAID:
        return source->reg = behind_registers(d, NCTAID + element), true;
    case PTX_SPECIAL_NTID:
        return source->number = d->size[element], true;
    case PTX_SPECIAL_TID:
        return source->number = d->thread[element], true;
    default:
        return false;
    }
}

// Whether a register holds, where this instruction reads it, what is worked out for it.
static bool holds_known(const struct deduction *d, uint32_t reg, uint32_t inst)
{
    return d->known[reg] && (d->writes[reg] == 1 || inst < d->until[reg]);
}

// ---- tables

static bool is_table(const struct ptx_variable *variable)
{
    return (variable->space == PTX_CONST || variable->space == PTX_GLOBAL) && variable->data;
}

static uint64_t table_address(struct tables *tables, const struct ptx_variable *variable)
{
    uint32_t i = 0;
    while (i < tables->count && tables->variables[i] != variable)
        i++;
    if (i == tables->count && i < MOST_TABLES)
        tables->variables[tables->count++] = variable;
    return TABLES + ((uint64_t)i << TABLE_SHIFT);
}

static bool is_in_table(const struct tables *tables, uint64_t address)
{
    return address >= TABLES && (address - TABLES) >> TABLE_SHIFT < tables->count;
}

static uint64_t read_table(const struct tables *tables, uint64_t address, unsigned bytes)
{
    const struct ptx_variable *variable = tables->variables[(address - TABLES) >> TABLE_SHIFT];
    uint64_t offset = (address - TABLES) & bits_below(TABLE_SHIFT), value = 0;
    if (bytes <= sizeof value && offset <= variable->size && bytes <= variable->size - offset)
        memcpy(&value, variable->data + offset, bytes);
    return value;
}

// ---- sources

static bool take_operand(struct deduction *d, const struct ptx_operand *operand, enum ptx_type type,
                         struct source *source)
{
    *source = (struct source){.reg = NOWHERE};
    switch (operand->kind) {
    case PTX_OPERAND_VARIABLE:
        return is_table(operand->value.variable) &&
               (source->number = table_address(d->tables, operand->value.variable) + (uint64_t)operand->offset, true);
    case PTX_OPERAND_INTEGER:
        return source->number = operand->value.bits, true;
    case PTX_OPERAND_FLOAT:
        return source->number = ptx_float_bits(operand, type), true;
    case PTX_OPERAND_SPECIAL:
        return take_special(d, operand, source);
    case PTX_OPERAND_REGISTER:
        source->reg = operand->value.reg;
        source->number = operand->negated;
        return !operand->element && operand->pair_reg < 0 && holds_known(d, operand->value.reg, d->at);
    default:
        return false;
    }
}

static const struct ptx_operand *call_operand(const struct deduction *d, const struct call *call, uint32_t number)
{
    return operand_of(d, &d->function->insts[call->inst], number);
}

// What a call has left in one of the variables that take its results.
static bool take_returned(const struct deduction *d, const struct ptx_variable *variable, struct source *source)
{
    for (uint32_t i = 0; i < d->call_count; i++) {
        const struct ptx_operand *results = call_operand(d, d->calls[i], 0);
        bool is_it = results->kind == PTX_OPERAND_VECTOR && results->value.vector.count == 1 &&
                     d->function->operands[results->value.vector.first].kind == PTX_OPERAND_VARIABLE &&
                     d->function->operands[results->value.vector.first].value.variable == variable;
        if (is_it && d->calls[i]->seen[0] != NOWHERE)
            return source->reg = d->calls[i]->first, true;
    }
    return false;
}

static bool take_parameter(const struct deduction *d, const struct ptx_inst *inst, struct source *source)
{
    const struct ptx_operand *from = operand_of(d, inst, 1);
    const struct ptx_variable *params = d->function->params;
    if (inst->space != PTX_PARAM || inst->vector > 1 || from->kind != PTX_OPERAND_ADDRESS ||
        from->base_kind != PTX_OPERAND_VARIABLE || from->offset)
        return false;
    *source = (struct source){.reg = NOWHERE};
    for (uint32_t i = 0; i < d->function->param_count; i++)
        if (from->value.variable == &params[i] && params[i].size == ptx_type_size(inst->types[0]))
            return source->reg = behind_registers(d, PARAMS + i), true;
    return ptx_type_size(inst->types[0]) == from->value.variable->size &&
           take_returned(d, from->value.variable, source);
}

// Data at a place that is known, or an element of a table: what is read, and how far behind. number: of the elements
// of a vector.
static bool take_input(struct deduction *d, const struct ptx_inst *inst, uint32_t number, struct source in[5])
{
    const struct ptx_operand *from = operand_of(d, inst, 1);
    bool here = inst->space == PTX_GLOBAL || inst->space == PTX_GENERIC || inst->space == PTX_CONST;
    if (!here || inst->operand_count != 2 || from->kind != PTX_OPERAND_ADDRESS)
        return false;
    uint64_t offset = (uint64_t)from->offset + number * ptx_type_size(inst->types[0]);
    in[1] = (struct source){.reg = NOWHERE, .bytes = 8};
    in[2] = (struct source){.reg = NOWHERE, .bytes = 8, .number = offset};
    if (from->base_kind == PTX_OPERAND_VARIABLE && is_table(from->value.variable))
        return in[1].number = table_address(d->tables, from->value.variable), true;
    if (from->base_kind != PTX_OPERAND_REGISTER || !holds_known(d, from->value.reg, d->at))
        return false;
    in[1].reg = from->value.reg;
    return d->data || is_in_table(d->tables, d->values[from->value.reg]);
}

// A source of an instruction that is none of predicates alone.
static enum ptx_type source_type(const struct ptx_inst *inst, uint32_t number)
{
    bool is_amount = (inst->op == PTX_OP_SHL || inst->op == PTX_OP_SHR) && number == 2;
    return is_amount ? PTX_U32 : inst->op == PTX_OP_CVT ? inst->types[1] : inst->types[0];
}

// What a source is cut to.
static unsigned source_bytes(const struct ptx_inst *inst, uint32_t number)
{
    bool is_sum = inst->op == PTX_OP_MAD && number == 3 && ptx_has(inst, PTX_MOD_WIDE);
    bool is_predicate = (inst->op == PTX_OP_SETP || inst->op == PTX_OP_SELP) && number == 3;
    return is_predicate || is_sum || inst->types[0] == PTX_PRED ? 8 : ptx_type_size(source_type(inst, number));
}

// The size of the register that it writes, or that element `number` of a load of several goes to; 0: a predicate.
static unsigned result_bytes(const struct deduction *d, const struct ptx_inst *inst, uint32_t number)
{
    const struct ptx_operand *to = operand_of(d, inst, 0);
    if (to->kind == PTX_OPERAND_VECTOR)
        to = &d->function->operands[to->value.vector.first + number];
    return ptx_type_size(d->function->registers[to->value.reg].type);
}

static uint64_t read_memory(const struct deduction *d, uint64_t address, unsigned bytes)
{
    if (is_in_table(d->tables, address))
        return read_table(d->tables, address, bytes);
    return d->data ? d->data->read(d->data->context, address, bytes) : 0;
}

static bool run_step(struct deduction *d, const struct step *step);

// A function that is called from here begins with these arguments.
static void enter_call(const struct deduction *d, struct deduction *inner, const uint64_t in[5])
{
    uint64_t *place = &inner->values[behind_registers(inner, 0)];
    memcpy(place, &d->values[behind_registers(d, 0)], PARAMS * sizeof *place);
    memcpy(place + PARAMS, in + 1, inner->function->param_count * sizeof *place);
}

static void run_call(struct deduction *d, const struct call *call, const uint64_t in[5])
{
    struct deduction *inner = call->inner;
    enter_call(d, inner, in);
    for (uint32_t i = 0; i < inner->step_count; i++)
        run_step(inner, &inner->steps[i]);
    for (uint32_t i = 0; i < call->count; i++)
        d->values[call->first + i] = call->seen[i] == NOWHERE ? 0 : inner->values[call->seen[i]];
}

static void read_sources(const struct deduction *d, const struct step *step, uint64_t in[5])
{
    for (uint32_t i = 1; i < step->count; i++) {
        const struct source *source = &step->in[i];
        uint64_t from = source->reg == NOWHERE ? 0 : d->values[source->reg];
        in[i] = (from ^ source->number) & bits_below(8 * source->bytes);
    }
}

// Compares whole numbers by order, and alone.
static bool is_by_order(const struct ptx_inst *inst)
{
    enum relation relation = ptx_relation(inst, inst->types[0]);
    return inst->operand_count == 3 && inst->types[0] != PTX_F32 && relation != RELATION_EQ && relation != RELATION_NE;
}

static bool run_step(struct deduction *d, const struct step *step)
{
    uint64_t in[5] = {0}, value;
    read_sources(d, step, in);
    if (step->call)
        return run_call(d, step->call, in), true;
    if (step->is_data)
        in[1] = read_memory(d, in[1] + in[2], ptx_type_size(step->inst->types[0]));
    if (!work_out(step->inst, in, &value))
        return false;
    d->values[step->to] = value & (step->bytes ? bits_below(8 * step->bytes) : 1);
    if (step->inst->op == PTX_OP_SETP)
        d->ties[step->to] = in[1] == in[2] && is_by_order(step->inst);
    return true;
}

// A load of what memory held before, into one register.
static bool make_load(struct deduction *d, const struct ptx_inst *inst, uint32_t number, uint32_t to, struct step *step)
{
    d->at = (uint32_t)(inst - d->function->insts);
    *step = (struct step){.inst = inst, .to = to, .count = 3, .is_data = true};
    step->bytes = result_bytes(d, inst, number);
    if (!take_input(d, inst, number, step->in))
        return false;
    uint32_t base = step->in[1].reg;
    d->from_data[to] |= base != NOWHERE && (d->from_data[base] || !is_in_table(d->tables, d->values[base]));
    d->varies[to] |= base != NOWHERE && (d->varies[base] || d->from_data[to]); // with the data, if not with the block
    return run_step(d, step);
}

// The instruction with operands that are known. False: some are not, or it is none of those that are worked out.
static bool make_step(struct deduction *d, const struct ptx_inst *inst, uint32_t to, struct step *step)
{
    if (inst->op == PTX_OP_LD && inst->vector <= 1 && make_load(d, inst, 0, to, step))
        return true;
    d->at = (uint32_t)(inst - d->function->insts);
    *step = (struct step){.inst = inst, .to = to, .count = inst->operand_count};
    step->bytes = result_bytes(d, inst, 0);
    for (uint32_t i = 1; i < inst->operand_count; i++) {
        struct source *source = &step->in[i];
        if (inst->op == PTX_OP_LD ? i > 1 || !take_parameter(d, inst, source)
                                  : !take_operand(d, operand_of(d, inst, i), source_type(inst, i), source))
            return false;
        source->bytes = source_bytes(inst, i);
        d->varies[to] |= source->reg != NOWHERE && d->varies[source->reg];
        d->from_data[to] |= source->reg != NOWHERE && d->from_data[source->reg];
    }
    return run_step(d, step);
}

// The one register that it writes; -1: it is not that simple.
static int32_t target_of(const struct deduction *d, const struct ptx_inst *inst)
{
    bool is_pure = inst->operand_count >= 2 && inst->operand_count <= 5 && inst->type_count > 0 &&
                   !ptx_has(inst, PTX_MOD_SAT) && !ptx_has(inst, PTX_MOD_CC);
    for (uint32_t i = 0; i < inst->type_count && is_pure; i++)
        is_pure = takes_integers(inst->types[i]) || inst->types[i] == PTX_PRED || inst->types[i] == PTX_F32 ||
                  (inst->types[i] == PTX_F16 && i == 1);
    if (!is_pure)
        return -1;
    const struct ptx_operand *to = operand_of(d, inst, 0);
    bool is_whole = to->kind == PTX_OPERAND_REGISTER && !to->element && to->pair_reg < 0;
    return is_whole ? (int32_t)to->value.reg : -1;
}

// … and that holds what this instruction gives wherever it is read.
static bool is_lasting(const struct deduction *d, const struct ptx_inst *inst, uint32_t reg)
{
    return inst->guard < 0 && (d->writes[reg] == 1 || (uint32_t)(inst - d->function->insts) == d->first[reg]);
}

static int32_t result_of(const struct deduction *d, const struct ptx_inst *inst)
{
    int32_t reg = target_of(d, inst);
    return reg >= 0 && is_lasting(d, inst, (uint32_t)reg) ? reg : -1;
}

// ---- the instructions that count

// The blocks that control may go to from one: its successors, or those that the table of a branch names.
static const struct ptx_table *branch_table(const struct ptx_function *function, const struct ptx_block *block)
{
    const struct ptx_inst *last = &function->insts[block->last];
    return last->op == PTX_OP_BRX_IDX ? function->operands[last->operands + 1].value.table : NULL;
}

static uint32_t way_count(const struct ptx_function *function, const struct ptx_block *block)
{
    const struct ptx_table *table = branch_table(function, block);
    return table ? table->count : block->successor_count;
}

static uint32_t way_to(const struct ptx_function *function, const struct ptx_block *block, uint32_t way)
{
    const struct ptx_table *table = branch_table(function, block);
    return table ? function->block_of[table->targets[way]] : block->successors[way];
}

static uint32_t first_repeated(const struct ptx_function *function)
{
    uint32_t first = function->inst_count;
    for (uint32_t i = 0; i < function->block_count; i++) {
        const struct ptx_block *block = &function->blocks[i];
        for (uint32_t j = 0; j < way_count(function, block); j++) {
            uint32_t next = function->blocks[way_to(function, block, j)].first;
            first = next <= block->last && next < first ? next : first;
        }
    }
    return first;
}

static void count_write(void *context, uint32_t reg, bool written)
{
    struct deduction *d = context;
    if (!written)
        return;
    if (d->writes[reg]++ == 0)
        d->first[reg] = d->at <= d->function->blocks[0].last ? d->at : UINT32_MAX;
    else if (d->writes[reg] == 2)
        d->until[reg] = d->at < d->straight ? d->at : d->straight;
}

static bool add_step(struct deduction *d, uint32_t reg)
{
    d->known[reg] = true;
    d->step_count += d->varies[reg];
    return true;
}

// The elements of a load of several.
static bool find_elements(struct deduction *d, const struct ptx_inst *inst)
{
    const struct ptx_operand *to = operand_of(d, inst, 0);
    enum ptx_type type = inst->types[0];
    bool found = false;
    for (uint32_t i = 0; to->kind == PTX_OPERAND_VECTOR && i < to->value.vector.count; i++) {
        const struct ptx_operand *element = &d->function->operands[to->value.vector.first + i];
        bool is_whole = element->kind == PTX_OPERAND_REGISTER && !element->element && element->pair_reg < 0;
        if (is_whole && (takes_integers(type) || type == PTX_F32) && !d->known[element->value.reg] &&
            is_lasting(d, inst, element->value.reg) &&
            make_load(d, inst, i, element->value.reg, &d->steps[d->step_count]))
            found = add_step(d, element->value.reg);
    }
    return found;
}

// ---- calls

// What is stored to the variable that a call takes an argument from; NULL: that is not one register or number.
static const struct ptx_operand *argument_of(struct deduction *d, uint32_t call, const struct ptx_operand *argument)
{
    for (uint32_t i = call; i-- > 0 && i + 64 > call && argument->kind == PTX_OPERAND_VARIABLE;) {
        const struct ptx_inst *inst = &d->function->insts[i];
        const struct ptx_operand *to = operand_of(d, inst, 0);
        if (inst->op != PTX_OP_ST || inst->space != PTX_PARAM || to->kind != PTX_OPERAND_ADDRESS ||
            to->base_kind != PTX_OPERAND_VARIABLE || to->value.variable != argument->value.variable)
            continue;
        d->at = i;
        return to->offset == 0 && inst->guard < 0 && inst->vector <= 1 &&
                       ptx_type_size(inst->types[0]) == argument->value.variable->size
                   ? operand_of(d, inst, 1)
                   : NULL;
    }
    return NULL;
}

// The register whose value a function gives back; NOWHERE: it is none that is known.
static uint32_t returned_register(const struct deduction *d)
{
    uint32_t found = NOWHERE, stores = 0;
    for (uint32_t i = 0; i < d->function->inst_count; i++) {
        const struct ptx_inst *inst = &d->function->insts[i];
        const struct ptx_operand *to = inst->op == PTX_OP_ST ? operand_of(d, inst, 0) : NULL;
        if (!to || inst->space != PTX_PARAM || to->base_kind != PTX_OPERAND_VARIABLE ||
            to->value.variable != d->function->results)
            continue;
        const struct ptx_operand *from = operand_of(d, inst, 1);
        bool is_known = from->kind == PTX_OPERAND_REGISTER && !from->element && holds_known(d, from->value.reg, i);
        found = is_known && to->offset == 0 ? from->value.reg : NOWHERE;
        stores++;
    }
    return stores == 1 ? found : NOWHERE;
}

static struct deduction *deduction_open(const struct ptx_function *function, const uint32_t size[3],
                                        const uint32_t thread[3], const struct deduction_data *data);
static void find_steps(struct deduction *d);
static void keep_needed(struct deduction *d);

// What it gives back first, then its predicates.
static struct call *call_new(struct deduction *d, const struct ptx_function *function, const uint64_t in[5])
{
    struct call *call = mem_alloc(sizeof *call);
    struct deduction *inner = call->inner = deduction_open(function, d->size, d->thread, d->data);
    inner->depth = d->depth + 1;
    inner->tables = d->tables;
    for (uint32_t i = 0; i < PARAMS + function->param_count; i++)
        inner->varies[behind_registers(inner, i)] = true;
    enter_call(d, inner, in);
    find_steps(inner);
    call->seen[call->count++] = function->result_count == 1 ? returned_register(inner) : NOWHERE;
    for (uint32_t i = 0; i < inner->step_count && call->count < MOST_SEEN; i++)
        if (!inner->steps[i].bytes && !inner->steps[i].call)
            call->seen[call->count++] = inner->steps[i].to;
    for (uint32_t i = 0; i < call->count; i++)
        if (call->seen[i] != NOWHERE)
            inner->needed[call->seen[i]] = true;
    keep_needed(inner);
    return call;
}

static bool is_made(const struct deduction *d, uint32_t inst)
{
    for (uint32_t i = 0; i < d->call_count; i++)
        if (d->calls[i]->inst == inst)
            return true;
    return false;
}

static bool is_followed(const struct deduction *d, const struct ptx_operand *callee)
{
    return callee->kind == PTX_OPERAND_FUNCTION && callee->value.function->is_defined &&
           callee->value.function->inst_count <= MOST_CALLED && d->depth < MOST_DEPTH && d->call_count < MOST_CALLS &&
           d->seen_count < MOST_SEEN && d->inner_steps <= MOST_STEPS;
}

// False: not all that the function takes is known.
static bool take_arguments(struct deduction *d, uint32_t call, const struct ptx_function *callee, struct step *step)
{
    const struct ptx_operand *arguments = operand_of(d, step->inst, 2);
    uint32_t count = arguments->kind == PTX_OPERAND_VECTOR ? arguments->value.vector.count : 0;
    if (count > 4 || count != callee->param_count)
        return false;
    for (uint32_t i = 1; i <= count; i++) {
        const struct ptx_operand *argument = &d->function->operands[arguments->value.vector.first + i - 1];
        const struct ptx_operand *from = argument_of(d, call, argument);
        if (!from || !take_operand(d, from, argument->value.variable->type, &step->in[i]))
            return false;
        step->in[i].bytes = (unsigned)argument->value.variable->size;
    }
    step->count = count + 1;
    return true;
}

// Places for what is seen of a call.
static void add_call(struct deduction *d, struct call *call, const struct step *step)
{
    bool from_data = false;
    for (uint32_t i = 1; i < step->count; i++)
        from_data |= step->in[i].reg != NOWHERE && d->from_data[step->in[i].reg];
    if (call->count > MOST_SEEN - d->seen_count)
        call->count = MOST_SEEN - d->seen_count;
    call->first = seen_place(d, d->seen_count);
    d->seen_count += call->count;
    d->calls[d->call_count++] = call;
    for (uint32_t i = 0; i < call->count; i++) {
        uint32_t place = call->first + i, inner = call->seen[i];
        d->varies[place] = d->known[place] = true;
        d->from_data[place] = from_data || (inner != NOWHERE && call->inner->from_data[inner]);
    }
}

// True: it is known now what a function makes of these arguments.
static bool find_call(struct deduction *d, const struct ptx_inst *inst)
{
    const struct ptx_operand *callee = operand_of(d, inst, 1);
    uint32_t at = (uint32_t)(inst - d->function->insts);
    struct step step = {.inst = inst};
    uint64_t in[5] = {0};
    if (!is_followed(d, callee) || is_made(d, at) || !take_arguments(d, at, callee->value.function, &step))
        return false;
    read_sources(d, &step, in);
    struct call *call = step.call = call_new(d, callee->value.function, in);
    d->inner_steps += call->inner->step_count + call->inner->inner_steps;
    if (d->inner_steps > MOST_STEPS) {
        deduction_free(call->inner);
        return free(call), false;
    }
    call->inst = at;
    add_call(d, call, &step);
    step.to = call->first;
    d->steps[d->step_count++] = step;
    return run_step(d, &step);
}

static void find_steps(struct deduction *d)
{
    const struct ptx_function *function = d->function;
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < function->inst_count; i++) {
            const struct ptx_inst *inst = &function->insts[i];
            if (inst->op == PTX_OP_LD && inst->vector > 1) {
                changed |= find_elements(d, inst);
                continue;
            }
            if (inst->op == PTX_OP_CALL) {
                changed |= find_call(d, inst);
                continue;
            }
            int32_t reg = result_of(d, inst);
            if (reg >= 0 && !d->known[reg] && make_step(d, inst, (uint32_t)reg, &d->steps[d->step_count]))
                changed = add_step(d, (uint32_t)reg);
        }
    }
}

static void add_choice(struct deduction *d, uint32_t reg, bool is_predicate)
{
    if (d->varies[reg] && !d->needed[reg] && (is_predicate || !d->from_data[reg]) &&
        d->choice_count < DEDUCTION_CHOICES) {
        d->needed[reg] = true;
        d->choices[d->choice_count++] = (struct deduction_choice){reg, is_predicate, d->from_data[reg]};
    }
}

static void see_reader(void *context, uint32_t reg, bool written)
{
    struct deduction *d = context;
    const struct ptx_register *seen = &d->function->registers[reg];
    if (!written && (seen->type == PTX_PRED || ptx_type_size(seen->type) <= 4)) // longer ones are addresses
        add_choice(d, reg, seen->type == PTX_PRED);
}

// What is written in one of several places goes no further here, but has been decided: it gets a place of its own.
static void find_alternatives(struct deduction *d)
{
    const struct ptx_function *function = d->function;
    for (uint32_t i = 0; i < function->inst_count; i++) {
        const struct ptx_inst *inst = &function->insts[i];
        int32_t reg = target_of(d, inst);
        uint32_t to = alternative_place(d, i);
        bool is_long = reg >= 0 && ptx_type_size(function->registers[reg].type) > 4;
        if (reg < 0 || is_long || result_of(d, inst) >= 0 || !make_step(d, inst, to, &d->steps[d->step_count]) ||
            !d->varies[to])
            continue;
        add_choice(d, to, !d->steps[d->step_count++].bytes);
    }
}

// Every predicate, every element of a table, and every number that somebody goes on with who is not known here.
static void find_choices(struct deduction *d)
{
    const struct ptx_function *function = d->function;
    for (uint32_t i = 0; i < d->step_count; i++) {
        const struct step *step = &d->steps[i];
        for (uint32_t j = 1; step->call && j < step->call->count; j++)
            add_choice(d, step->call->first + j, true);
        if (!step->call && (!step->bytes || step->is_data))
            add_choice(d, step->to, !step->bytes);
    }
    for (uint32_t i = 0; i < function->inst_count; i++) {
        const struct ptx_inst *inst = &function->insts[i];
        int32_t reg = result_of(d, inst);
        if (reg < 0 || !d->known[reg])
            ptx_visit_registers(function, inst, see_reader, d);
    }
}

static void keep_needed(struct deduction *d)
{
    uint32_t kept = d->step_count, count = d->step_count;
    for (uint32_t i = count; i-- > 0;) {
        const struct step *step = &d->steps[i];
        bool is_needed = d->needed[step->to];
        for (uint32_t j = 1; step->call && j < step->call->count; j++)
            is_needed |= d->needed[step->call->first + j];
        if (!is_needed)
            continue;
        for (uint32_t j = 1; j < step->count; j++) // a call's arguments, and what it gave back, are no registers of it
            if (step->in[j].reg != NOWHERE)
                d->needed[step->in[j].reg] = true;
        d->steps[--kept] = d->steps[i];
    }
    d->step_count = count - kept;
    memmove(d->steps, d->steps + kept, d->step_count * sizeof *d->steps);
}

// ---- what is reached

// A block of the text as a choice: several comparisons lead there.
static void add_reached_blocks(struct deduction *d)
{
    for (uint32_t i = 1; i < d->function->block_count && d->choice_count < DEDUCTION_CHOICES; i++)
        d->choices[d->choice_count++] = (struct deduction_choice){reached_place(d, i), true, false};
    d->has_blocks = d->choice_count > 0;
}

// Whether control goes this way from the block, as far as is known.
static bool goes_on(const struct deduction *d, const struct ptx_block *block, uint32_t way)
{
    const struct ptx_inst *last = &d->function->insts[block->last];
    const struct ptx_operand *index = last->op == PTX_OP_BRX_IDX ? operand_of(d, last, 0) : NULL;
    if (index && index->kind == PTX_OPERAND_REGISTER && holds_known(d, index->value.reg, block->last))
        return (uint32_t)d->values[index->value.reg] == way;
    if (last->guard < 0 || !holds_known(d, (uint32_t)last->guard, block->last))
        return true;
    bool taken = (d->values[last->guard] & 1) != last->guard_negated;
    if (last->op == PTX_OP_BRA && block->successor_count == 2)
        return taken ? way == 0 : way == 1;
    return !taken || (last->op != PTX_OP_RET && last->op != PTX_OP_EXIT);
}

static void find_reached(struct deduction *d)
{
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < d->function->block_count; i++)
        d->values[reached_place(d, i)] = i == 0;
    d->stack[waiting++] = 0;
    while (waiting) {
        const struct ptx_block *block = &d->function->blocks[d->stack[--waiting]];
        for (uint32_t i = 0; i < way_count(d->function, block); i++) {
            uint32_t next = way_to(d->function, block, i);
            if (d->values[reached_place(d, next)] || !goes_on(d, block, i))
                continue;
            d->values[reached_place(d, next)] = 1;
            d->stack[waiting++] = next;
        }
    }
}

// ---- from outside

static void set_place(struct deduction *d, const struct deduction_at *at)
{
    uint64_t *place = &d->values[behind_registers(d, 0)];
    place[CTAID] = at->block % at->grid[0];
    place[CTAID + 1] = at->block / at->grid[0] % at->grid[1];
    place[CTAID + 2] = at->block / at->grid[0] / at->grid[1];
    for (uint32_t i = 0; i < 3; i++)
        place[NCTAID + i] = at->grid[i];
    memcpy(place + PARAMS, at->params, d->function->param_count * sizeof *at->params);
}

static size_t most_steps(const struct ptx_function *entry)
{
    size_t most = 0;
    for (uint32_t i = 0; i < entry->inst_count; i++)
        most += entry->insts[i].vector > 1 ? entry->insts[i].vector : 1;
    return most;
}

static struct deduction *deduction_open(const struct ptx_function *function, const uint32_t size[3],
                                        const uint32_t thread[3], const struct deduction_data *data)
{
    struct deduction *d = mem_alloc(sizeof *d);
    *d = (struct deduction){.function = function, .data = data, .tables = &d->own};
    size_t count = seen_place(d, MOST_SEEN);
    memcpy(d->size, size, sizeof d->size);
    memcpy(d->thread, thread, sizeof d->thread);
    d->values = mem_alloc(count * sizeof *d->values);
    d->writes = mem_alloc(count * sizeof *d->writes);
    d->first = mem_alloc(count * sizeof *d->first);
    d->until = mem_alloc(count * sizeof *d->until);
    d->known = mem_alloc(count * sizeof *d->known);
    d->varies = mem_alloc(count * sizeof *d->varies);
    d->needed = mem_alloc(count * sizeof *d->needed);
    d->ties = mem_alloc(count * sizeof *d->ties);
    d->from_data = mem_alloc(count * sizeof *d->from_data);
    d->steps = mem_alloc((most_steps(function) + 1) * sizeof *d->steps);
    d->stack = mem_alloc((function->block_count + 1) * sizeof *d->stack);
    d->straight = first_repeated(function);
    for (d->at = 0; d->at < function->inst_count; d->at++)
        ptx_visit_registers(function, &function->insts[d->at], count_write, d);
    return d;
}

struct deduction *deduction_new(const struct ptx_function *entry, const uint32_t block[3], uint64_t thread,
                                const struct deduction_at *at, enum deduction_by by, const struct deduction_data *data)
{
    const uint32_t place[] = {(uint32_t)(thread % block[0]), (uint32_t)(thread / block[0] % block[1]),
                              (uint32_t)(thread / block[0] / block[1] % block[2])};
    struct deduction *d = deduction_open(entry, block, place, data);
    set_place(d, at);
    for (uint32_t i = 0; i < 3; i++) {
        d->varies[behind_registers(d, CTAID + i)] = by == DEDUCTION_BY_SIZE || at->grid[i] > 1;
        d->varies[behind_registers(d, NCTAID + i)] = by == DEDUCTION_BY_SIZE;
    }
    for (uint32_t i = 0; i < entry->param_count; i++)
        d->varies[behind_registers(d, PARAMS + i)] = by == DEDUCTION_BY_SIZE;
    find_steps(d);
    find_choices(d);
    find_alternatives(d);
    keep_needed(d);
    if (by == DEDUCTION_BY_SIZE && d->choice_count)
        add_reached_blocks(d);
    return d;
}

void deduction_free(struct deduction *d)
{
    if (!d)
        return;
    for (uint32_t i = 0; i < d->call_count; i++) {
        deduction_free(d->calls[i]->inner);
        free(d->calls[i]);
    }
    free(d->values);
    free(d->writes);
    free(d->first);
    free(d->until);
    free(d->known);
    free(d->varies);
    free(d->needed);
    free(d->ties);
    free(d->from_data);
    free(d->steps);
    free(d->stack);
    free(d);
}

void deduction_work_out(struct deduction *d, const struct deduction_at *at)
{
    set_place(d, at);
    for (uint32_t i = 0; i < d->step_count; i++)
        run_step(d, &d->steps[i]);
    if (d->has_blocks)
        find_reached(d);
}

const struct deduction_choice *deduction_choices(const struct deduction *d, size_t *count)
{
    *count = d->choice_count;
    return d->choices;
}

uint64_t deduction_value(const struct deduction *d, size_t choice)
{
    return d->values[d->choices[choice].reg];
}

bool deduction_is_tie(const struct deduction *d, size_t choice)
{
    return d->choices[choice].is_predicate && d->ties[d->choices[choice].reg];
}
