// Decoding of operands: registers, constants, addresses, special registers become slots.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/half.h"
#include "sim/decode.h"

// ---- refusal

// "mma.sync.f32: why (PTX line 12)"
static void refusal_text(const struct decoder *d, char *text, size_t size, const char *format, va_list args)
{
    char why[512], types[64] = "";
    size_t used = 0;
    vsnprintf(why, sizeof why, format, args);
    for (uint32_t i = 0; i < d->inst->type_count && i < 4; i++)
        used += (size_t)snprintf(types + used, sizeof types - used, ".%s", ptx_type_name(d->inst->types[i]));
    snprintf(text, size, "%s%s: %s (PTX line %u)", ptx_opcode_name(d->inst->op), types, why, d->inst->text_line);
}

void decode_refuse(struct decoder *d, const char *format, ...)
{
    char text[700];
    const char *file;
    uint32_t line;
    va_list args;
    if (d->status != STATUS_OK)
        return;
    va_start(args, format);
    refusal_text(d, text, sizeof text, format, args);
    va_end(args);
    ptx_source(d->program->module, d->inst, d->program->module->name, &file, &line);
    d->status = diagnostic_at(d->diagnostic, STATUS_UNSUPPORTED, line ? file : d->program->module->name,
                              (int)(line ? line : d->inst->text_line), 0, "%s", text);
}

static const struct op *run_refusal(struct exec *x, const struct op *op, uint32_t mask)
{
    sim_block_fault(x, STATUS_UNSUPPORTED, op, x->warp, lane_first(mask), "executes %s", op->refusal);
    x->fragment->op = op;
    return NULL;
}

void decode_defer(struct decoder *d, const char *format, ...)
{
    char text[700];
    va_list args;
    va_start(args, format);
    refusal_text(d, text, sizeof text, format, args);
    va_end(args);
    d->op->refusal = arena_printf(d->program->arena, "%s", text);
    d->op->run = run_refusal;
}

// ---- constants

static uint32_t pool_take(struct sim_program *program, size_t size)
{
    if (program->pool_size + size > program->pool_capacity) {
        program->pool_capacity = program->pool_capacity ? program->pool_capacity * 2 : 16384;
        unsigned char *moved = mem_aligned(128, program->pool_capacity);
        if (program->pool)
            memcpy(moved, program->pool, program->pool_size);
        free(program->pool);
        program->pool = moved;
    }
    uint32_t at = (uint32_t)program->pool_size;
    program->pool_size += size;
    return at;
}

// The first predicates of the pool are "true" and "false".
void decode_pool_begin(struct sim_program *program)
{
    pool_take(program, R32_BYTES);
    memset(program->pool, 0, R32_BYTES);
    memset(program->pool, 0xff, 4);
}

static bool pool_holds(const struct sim_program *program, uint32_t slot, uint64_t value, bool wide)
{
    const unsigned char *at = program->pool + (slot & SLOT_MASK & ~1u);
    uint64_t held;
    if ((slot & 1) != wide)
        return false;
    if (wide)
        memcpy(&held, at, 8);
    else
        held = *(const uint32_t *)(const void *)at;
    return held == value;
}

static uint64_t pool_hash(uint64_t value, bool wide)
{
    uint64_t state = value * 2 + wide;
    return random_next(&state);
}

static void pool_rehash(struct sim_program *program)
{
    size_t size = program->pool_index_size ? program->pool_index_size * 2 : 256;
    uint32_t *index = mem_alloc(size * sizeof *index);
    for (size_t i = 0; i < program->pool_index_size; i++) {
        uint32_t slot = program->pool_index[i];
        if (!slot)
            continue;
        uint64_t value = *(const uint32_t *)(const void *)(program->pool + (slot & SLOT_MASK & ~1u));
        if (slot & 1)
            memcpy(&value, program->pool + (slot & SLOT_MASK & ~1u), 8);
        size_t place = pool_hash(value, slot & 1) & (size - 1);
        while (index[place])
            place = (place + 1) & (size - 1);
        index[place] = slot;
    }
    free(program->pool_index);
    program->pool_index = index;
    program->pool_index_size = size;
}

// The first 128 bytes of the pool are the predicate "true", then come constants. An index entry is the slot, with its
// lowest bit set for a 64-bit constant.
uint32_t decode_constant(struct sim_program *program, uint64_t value, bool wide)
{
    if (!wide)
        value &= UINT32_MAX;
    if (2 * program->pool_constants >= program->pool_index_size)
        pool_rehash(program);
    size_t place = pool_hash(value, wide) & (program->pool_index_size - 1);
    for (; program->pool_index[place]; place = (place + 1) & (program->pool_index_size - 1))
        if (pool_holds(program, program->pool_index[place], value, wide))
            return program->pool_index[place] & ~1u;
    uint32_t at = pool_take(program, wide ? R64_BYTES : R32_BYTES);
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        if (wide)
            memcpy(program->pool + at + 8 * lane, &value, 8);
        else
            memcpy(program->pool + at + 4 * lane, &value, 4);
    }
    uint32_t slot = (uint32_t)BASE_POOL << SLOT_SHIFT | at;
    program->pool_index[place] = slot | wide;
    program->pool_constants++;
    return slot;
}

// ---- operands

const struct ptx_operand *decode_operand(struct decoder *d, uint32_t number)
{
    static const struct ptx_operand none = {.kind = PTX_OPERAND_NONE, .pair_reg = -1};
    if (number >= d->inst->operand_count)
        return &none;
    return &d->source->operands[d->inst->operands + number];
}

enum ptx_type decode_type(struct decoder *d, uint32_t number)
{
    return number < d->inst->type_count ? d->inst->types[number] : PTX_TYPE_NONE;
}

enum type_class { BIT_CLASS, INTEGER_CLASS, FLOAT_CLASS };

static enum type_class class_of(enum ptx_type type)
{
    static const uint8_t classes[PTX_TYPE_COUNT] = {
        [PTX_U8] = INTEGER_CLASS, [PTX_U16] = INTEGER_CLASS, [PTX_U32] = INTEGER_CLASS, [PTX_U64] = INTEGER_CLASS,
        [PTX_S8] = INTEGER_CLASS, [PTX_S16] = INTEGER_CLASS, [PTX_S32] = INTEGER_CLASS, [PTX_S64] = INTEGER_CLASS,
        [PTX_F16] = FLOAT_CLASS,  [PTX_F16X2] = FLOAT_CLASS, [PTX_BF16] = FLOAT_CLASS,  [PTX_BF16X2] = FLOAT_CLASS,
        [PTX_F32] = FLOAT_CLASS,  [PTX_F64] = FLOAT_CLASS,
    };
    return (enum type_class)classes[type];
}

// An instruction's type and an operand's of the same size agree unless one is a float and the other an integer, or two
// different floats; bits go with everything (PTX ISA, "Operand type-checking rules").
static bool types_agree(enum ptx_type a, enum ptx_type b)
{
    enum type_class one = class_of(a), other = class_of(b);
    return one == BIT_CLASS || other == BIT_CLASS || (one == other && (one == INTEGER_CLASS || a == b));
}

static void check_special(struct decoder *d, enum ptx_special special, enum ptx_type type)
{
    static const uint8_t types[PTX_SPECIAL_COUNT] = {
#define S(name, text, type) [PTX_SPECIAL_##name] = type,
#include "ptx/specials.def"
#undef S
    };
    enum ptx_type have = (enum ptx_type)types[special];
    // Of %tid and its like, 16 bits are enough for what once was their type.
    bool short_one = special <= PTX_SPECIAL_NCTAID && ptx_type_size(type) == 2 && types_agree(have, type);
    if (!short_one && (ptx_type_size(have) != ptx_type_size(type) || !types_agree(have, type)))
        decode_refuse(d, "%s is .%s, and .%s is wanted here", ptx_special_name(special), ptx_type_name(have),
                      ptx_type_name(type));
}

static uint32_t special_slot(struct decoder *d, const struct ptx_operand *operand, bool wide, bool half)
{
    struct sim_program *program = d->program;
    for (size_t i = 0; i < program->special_count; i++) {
        const struct special_use *use = &program->specials[i];
        if (use->special == operand->value.special && use->element == operand->element && use->wide == wide &&
            use->half == half)
            return (uint32_t)BASE_WARP << SLOT_SHIFT | use->offset;
    }
    struct special_use *use = mem_append(program->specials, program->special_capacity, program->special_count);
    *use = (struct special_use){operand->value.special, operand->element, wide, half, program->warp_area};
    program->warp_area += wide ? R64_BYTES : R32_BYTES;
    return (uint32_t)BASE_WARP << SLOT_SHIFT | use->offset;
}

static bool special_changes(enum ptx_special special)
{
    return special == PTX_SPECIAL_CLOCK || special == PTX_SPECIAL_CLOCK_HI || special == PTX_SPECIAL_CLOCK64 ||
           special == PTX_SPECIAL_GLOBALTIMER || special == PTX_SPECIAL_GLOBALTIMER_LO ||
           special == PTX_SPECIAL_GLOBALTIMER_HI || special == PTX_SPECIAL_PM;
}

static bool is_among(const struct ptx_variable *variable, const struct ptx_variable *list, uint32_t count)
{
    return count && variable >= list && variable < list + count;
}

static bool is_entry_parameter(const struct decoder *d, const struct ptx_variable *variable)
{
    const struct ptx_function *source = d->source;
    return source->is_entry && is_among(variable, source->params, source->param_count);
}

// The address of a variable as a value; a .local one or a parameter of a function lies relative to the frame and has
// no constant address.
static bool variable_address(struct decoder *d, const struct ptx_variable *variable, uint64_t *address)
{
    struct sim_program *program = d->program;
    switch (variable->space) {
    case PTX_SHARED:
        for (uint32_t i = 0; i < program->shared.count; i++)
            if (program->shared.slots[i].variable == variable) {
                *address = program->shared.slots[i].offset;
                return true;
            }
        break;
    case PTX_GLOBAL:
    case PTX_CONST: {
        struct sim_allocation *const *globals = variable->in_function ? program->function_globals : program->globals;
        uint32_t at = variable->in_function ? variable->order : variable->index;
        if (globals && globals[at]) {
            *address = globals[at]->address;
            return true;
        }
        break;
    }
    case PTX_PARAM:
        if (is_entry_parameter(d, variable)) {
            *address = variable->offset;
            return true;
        }
        break;
    default:
        break;
    }
    decode_refuse(d, "the address of `%s` is not known here", variable->name);
    return false;
}

bool decode_in_frame(const struct decoder *d, const struct ptx_variable *variable)
{
    return variable->space == PTX_LOCAL || (variable->space == PTX_PARAM && !is_entry_parameter(d, variable));
}

uint32_t decode_frame_offset(struct decoder *d, const struct ptx_variable *variable)
{
    const struct function *function = d->function;
    const struct ptx_function *source = d->source;
    if (variable->space == PTX_LOCAL) {
        if (variable->in_function && variable->index < source->variable_count)
            return function->local_offsets[variable->index];
        decode_refuse(d, "`%s` is local memory outside a function", variable->name);
        return 0;
    }
    if (is_among(variable, source->params, source->param_count))
        return function->params_at + variable->offset;
    if (is_among(variable, source->results, source->result_count))
        return function->results_at + variable->offset;
    return function->call_params_at + variable->offset;
}

static uint32_t register_slot(struct decoder *d, const struct ptx_operand *operand, enum ptx_type type, bool loose,
                              bool *wide, bool *pred)
{
    if (operand->value.reg >= d->source->register_count) {
        decode_refuse(d, "an operand names no register");
        return 0;
    }
    const struct ptx_register *reg = &d->source->registers[operand->value.reg];
    unsigned have = ptx_type_size(reg->type), want = ptx_type_size(type);
    uint32_t slot = d->function->slots[operand->value.reg];
    *pred = reg->type == PTX_PRED;
    *wide = have >= 8;
    bool fits = have == want || (loose && have > want) || (have == 2 && want == 1) || (have == 1 && want <= 2);
    if (*pred != (type == PTX_PRED) || (!*pred && (!fits || !types_agree(type, reg->type)))) {
        decode_refuse(d, "`%s` is a %s register, and .%s is wanted here", reg->name, ptx_type_name(reg->type),
                      ptx_type_name(type));
        return slot;
    }
    if (reg->vector > 1 && operand->element) {
        uint32_t element = operand->element - 1u;
        if (element >= reg->vector)
            decode_refuse(d, "`%s` has no such element", reg->name);
        else
            slot += element * (*wide ? R64_BYTES : R32_BYTES) * (have == 16 ? 2 : 1);
    }
    return slot;
}

uint32_t decode_slot(struct decoder *d, const struct ptx_operand *operand, enum ptx_type type, bool loose, bool *wide,
                     bool *pred)
{
    *wide = ptx_type_size(type) >= 8;
    *pred = type == PTX_PRED;
    uint64_t value = 0;
    switch (operand->kind) {
    case PTX_OPERAND_NONE:
        return (uint32_t)BASE_WARP << SLOT_SHIFT | WARP_SINK;
    case PTX_OPERAND_REGISTER:
        return register_slot(d, operand, type, loose, wide, pred);
    case PTX_OPERAND_SPECIAL:
        if (special_changes(operand->value.special) && d->inst->op != PTX_OP_MOV)
            decode_refuse(d, "%s is read outside a mov", ptx_special_name(operand->value.special));
        check_special(d, operand->value.special, type);
        return special_slot(d, operand, *wide, ptx_type_size(type) == 2);
    case PTX_OPERAND_INTEGER:
        value = operand->value.bits;
        if (type_is_float(type))
            decode_refuse(d, "there is an integer where a float is wanted");
        break;
    case PTX_OPERAND_FLOAT:
        value = ptx_float_bits(operand, type);
        if (class_of(type) == INTEGER_CLASS || type == PTX_PRED)
            decode_refuse(d, "there is a float where an integer is wanted");
        break;
    case PTX_OPERAND_FUNCTION:
        for (uint32_t i = 0; i < d->program->function_count; i++)
            if (d->program->functions[i]->source == operand->value.function)
                value = FUNCTION_HANDLE + 16 * (uint64_t)i;
        if (!value && operand->value.function->is_entry) // for a launch from the device: no call takes it
            value = FUNCTION_HANDLE + 16 * ((uint64_t)UINT32_MAX + operand->value.function->index);
        if (!value)
            decode_refuse(d, "the address of `%s` is not known here", operand->value.function->name);
        break;
    case PTX_OPERAND_VARIABLE:
        if (decode_in_frame(d, operand->value.variable))
            decode_refuse(d, "the address of `%s` is taken outside a mov", operand->value.variable->name);
        else if (variable_address(d, operand->value.variable, &value))
            value += (uint64_t)operand->offset;
        break;
    default:
        decode_refuse(d, "an operand of this kind is not understood here");
    }
    if (*pred)
        return (uint32_t)BASE_POOL << SLOT_SHIFT | (value ? 0u : 4u);
    if (ptx_type_size(type) < 4)
        value &= (1ull << 8 * ptx_type_size(type)) - 1;
    return decode_constant(d->program, value, *wide);
}

static void set_slot(struct decoder *d, uint32_t k, uint32_t number, enum ptx_type type, bool loose)
{
    bool wide, pred;
    const struct ptx_operand *operand = decode_operand(d, number);
    d->op->slot[k] = decode_slot(d, operand, type, loose, &wide, &pred);
    d->op->wide = (uint8_t)((d->op->wide & ~(1u << k)) | (unsigned)wide << k);
    d->op->preds = (uint8_t)((d->op->preds & ~(1u << k)) | (unsigned)pred << k);
    if (operand->negated)
        decode_refuse(d, "an operand is negated");
}

void decode_source(struct decoder *d, uint32_t k, uint32_t number, enum ptx_type type)
{
    if (decode_operand(d, number)->kind == PTX_OPERAND_NONE)
        decode_refuse(d, "operand %u is missing", number + 1);
    set_slot(d, k, number, type, false);
}

void decode_loose(struct decoder *d, uint32_t k, uint32_t number, enum ptx_type type)
{
    set_slot(d, k, number, type, true);
}

void decode_dest(struct decoder *d, uint32_t k, uint32_t number, enum ptx_type type)
{
    enum ptx_operand_kind kind = decode_operand(d, number)->kind;
    if (kind != PTX_OPERAND_REGISTER && kind != PTX_OPERAND_NONE)
        decode_refuse(d, "the destination is not a register");
    set_slot(d, k, number, type, false);
}

uint32_t decode_predicate(struct decoder *d, uint32_t number)
{
    bool wide, pred;
    const struct ptx_operand *operand = decode_operand(d, number);
    d->op->extra = operand->negated ? UINT32_MAX : 0;
    return decode_slot(d, operand, PTX_PRED, false, &wide, &pred);
}

void decode_group_count(struct decoder *d)
{
    const struct ptx_operand *groups = decode_operand(d, 0);
    if (groups->kind != PTX_OPERAND_INTEGER)
        decode_refuse(d, "the number of groups is not a constant");
    d->op->imm = groups->value.bits < UINT32_MAX ? groups->value.bits : UINT32_MAX;
}

// The type of an operand by its letter in a form.
static enum ptx_type letter_type(struct decoder *d, char letter)
{
    static const uint8_t types[] = {
        ['b'] = PTX_B32, ['h'] = PTX_B16, ['l'] = PTX_B64, ['p'] = PTX_PRED, ['u'] = PTX_U32};
    static const uint8_t wide[PTX_TYPE_COUNT] = {
        [PTX_S16] = PTX_S32, [PTX_U16] = PTX_U32, [PTX_S32] = PTX_S64, [PTX_U32] = PTX_U64};
    if (letter == '0' || letter == '1')
        return decode_type(d, letter == '1');
    return (enum ptx_type)(letter == 'w' ? wide[decode_type(d, 0)] : types[(unsigned char)letter]);
}

// Letters: 0, 1 the instruction's first or second type, w twice the first's bits, b .b32, h .b16, l .b64, p a
// predicate, u .u32; '_': the first slot has no operand; '|': the predicate behind the destination; '.': left to the
// handler. Slot 0 is the destination, the last source fills the next slot as well.
void decode_form(struct decoder *d, const char *letters)
{
    struct op *op = d->op;
    uint32_t number = 0, k = 0;
    for (; *letters && k < sizeof op->slot / sizeof *op->slot; letters++) {
        if (*letters == '?' || *letters == '*')
            continue;
        if (*letters == '|')
            op->slot[k] = decode_pair(d, decode_operand(d, 0));
        else if (*letters == 'p' && k > 0)
            op->slot[k] = decode_predicate(d, number);
        else if (*letters != '.' && *letters != '_')
            (k ? decode_source : decode_dest)(d, k, number, letter_type(d, *letters));
        number += *letters != '_';
        k++;
    }
    op->sources = (uint8_t)(k ? k - 1 : 0);
    if (k == 2)
        op->slot[2] = op->slot[1];
}

uint32_t decode_pair(struct decoder *d, const struct ptx_operand *operand)
{
    if (operand->pair_reg < 0)
        return (uint32_t)BASE_WARP << SLOT_SHIFT | WARP_SINK;
    struct ptx_operand pair = {.kind = PTX_OPERAND_REGISTER, .pair_reg = -1};
    pair.value.reg = (uint32_t)operand->pair_reg;
    bool wide, pred;
    return decode_slot(d, &pair, PTX_PRED, false, &wide, &pred);
}

uint32_t decode_list(struct decoder *d, uint32_t number, enum ptx_type type, bool loose, uint32_t *wide)
{
    const struct ptx_operand *operand = decode_operand(d, number), *elements = operand;
    uint32_t count = 1;
    if (operand->kind == PTX_OPERAND_VECTOR) {
        elements = &d->source->operands[operand->value.vector.first];
        count = operand->value.vector.count;
    }
    bool whole = operand->kind == PTX_OPERAND_REGISTER && operand->value.reg < d->source->register_count &&
                 d->source->registers[operand->value.reg].vector > 1 && !operand->element;
    if (whole)
        count = d->source->registers[operand->value.reg].vector;
    uint32_t *list = arena_alloc(d->program->arena, (count ? count : 1) * sizeof *list);
    *wide = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_wide, is_pred;
        struct ptx_operand element = whole ? *operand : elements[i];
        if (whole)
            element.element = (uint8_t)(i + 1);
        list[i] = decode_slot(d, &element, type, loose, &is_wide, &is_pred);
        *wide |= i < 32 ? (uint32_t)is_wide << i : 0;
    }
    d->op->list = list;
    return count;
}

void decode_address(struct decoder *d, uint32_t k, uint32_t number)
{
    const struct ptx_operand *operand = decode_operand(d, number);
    struct op *op = d->op;
    uint64_t base = 0;
    op->offset = operand->offset;
    op->flags |= OP_ADDRESS64;
    op->wide |= (uint8_t)(1u << k);
    if (operand->kind == PTX_OPERAND_ADDRESS && operand->base_kind == PTX_OPERAND_REGISTER) {
        if (operand->value.reg >= d->source->register_count) {
            decode_refuse(d, "an address names no register");
            return;
        }
        const struct ptx_register *reg = &d->source->registers[operand->value.reg];
        unsigned size = ptx_type_size(reg->type);
        if ((size != 4 && size != 8) || !types_agree(PTX_U64, reg->type))
            decode_refuse(d, "`%s` is a %s register, and an address is wanted here", reg->name,
                          ptx_type_name(reg->type));
        if (size == 4) {
            op->flags &= (uint16_t)~OP_ADDRESS64;
            op->wide &= (uint8_t) ~(1u << k);
        }
        op->slot[k] = d->function->slots[operand->value.reg];
        return;
    }
    if (operand->kind != PTX_OPERAND_ADDRESS)
        decode_refuse(d, "operand %u is not an address", number + 1);
    else if (operand->base_kind == PTX_OPERAND_VARIABLE && decode_in_frame(d, operand->value.variable)) {
        op->offset += decode_frame_offset(d, operand->value.variable);
        op->slot[k] = d->function->local_slot;
        return;
    } else if (operand->base_kind == PTX_OPERAND_VARIABLE && variable_address(d, operand->value.variable, &base)) {
        base += (uint64_t)operand->offset;
        op->offset = 0;
    }
    op->slot[k] = decode_constant(d->program, base, true);
}

void decode_scalar(struct decoder *d, scalar_run *run, uint32_t sources)
{
    d->op->run = sim_run_scalar;
    d->op->scalar = run;
    d->op->sources = (uint8_t)sources;
}

void decode_lane(struct decoder *d, enum lane_op lane)
{
    d->op->run = d->lanes[lane];
}

static void decode_rounded_lane(struct decoder *d, unsigned lane)
{
    decode_lane(d, (enum lane_op)lane);
    if (d->op->rounding == ROUND_NEAREST)
        return;
    d->op->inner = d->op->run;
    d->op->run = sim_run_rounded;
}

void decode_as_lane(struct decoder *d)
{
    decode_rounded_lane(d, d->handler->lane);
}

void decode_as_lanes(struct decoder *d)
{
    decode_rounded_lane(d, d->handler->lane + (d->op->flags & OP_FTZ ? 1u : 0u) + (d->op->flags & OP_SAT ? 2u : 0u));
}

void decode_as_scalar(struct decoder *d)
{
    decode_scalar(d, d->handler->scalar, d->op->sources);
}

void decode_as_run(struct decoder *d)
{
    d->op->run = d->handler->run;
}

void decode_not_here(struct decoder *d)
{
    decode_defer(d, ptx_opcode_group(d->inst->op) == PTX_GROUP_GPU_ONLY
                        ? "needs a GPU; the simulator does not have it"
                        : "the simulator does not have this form; run it on a GPU (--device gpu)");
}

void decode_unknown(struct decoder *d)
{
    const struct ptx_operand *text = decode_operand(d, 0);
    d->op->refusal = arena_printf(d->program->arena,
                                  "`%.200s`, which the simulator does not know (PTX line %u): run it on a GPU "
                                  "(--device gpu), or keep the kernel from reaching it",
                                  text->kind == PTX_OPERAND_TEXT ? text->value.text : "", d->inst->text_line);
    d->op->run = run_refusal;
}

enum sim_scope decode_scope(const struct decoder *d)
{
    return decode_has(d, PTX_MOD_SYS)       ? SIM_SCOPE_SYSTEM
           : decode_has(d, PTX_MOD_GPU)     ? SIM_SCOPE_GPU
           : decode_has(d, PTX_MOD_CLUSTER) ? SIM_SCOPE_CLUSTER
           : decode_has(d, PTX_MOD_CTA)     ? SIM_SCOPE_CTA
                                            : SIM_SCOPE_GPU;
}

enum sim_order decode_order(const struct decoder *d)
{
    return decode_has(d, PTX_MOD_ACQ_REL) || decode_has(d, PTX_MOD_SC)     ? SIM_ACQ_REL
           : decode_has(d, PTX_MOD_ACQUIRE)                                ? SIM_ACQUIRE
           : decode_has(d, PTX_MOD_RELEASE)                                ? SIM_RELEASE
           : decode_has(d, PTX_MOD_RELAXED) || decode_has(d, PTX_MOD_MMIO) ? SIM_RELAXED
           : decode_has(d, PTX_MOD_VOLATILE)                               ? SIM_VOLATILE
                                                                           : SIM_WEAK;
}
