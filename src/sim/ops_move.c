// mov and its packing forms, cvta and the questions about address spaces.
#include "sim/decode.h"

// list: the elements of a vector; width: bits of one
static const struct op *run_pack(struct exec *x, const struct op *op, uint32_t mask)
{
    uint64_t keep = op->width >= 64 ? UINT64_MAX : (1ull << op->width) - 1;
    FOR_LANES (lane, mask) {
        uint64_t value[2] = {0};
        for (uint32_t e = 0; e < op->count; e++) {
            uint64_t v = lane_get(slot_at(x, op->list[e]), op->type2 >> e & 1, lane);
            uint32_t bit = e * op->width;
            value[bit / 64] |= (v & keep) << bit % 64;
        }
        slot_put(x, op, 0, lane, value[0]);
        if (op->extra == 16)
            ((uint64_t *)slot_at(x, op->slot[0] + R64_BYTES))[lane] = value[1];
    }
    return op + 1;
}

static const struct op *run_unpack(struct exec *x, const struct op *op, uint32_t mask)
{
    uint64_t keep = op->width >= 64 ? UINT64_MAX : (1ull << op->width) - 1;
    FOR_LANES (lane, mask) {
        uint64_t value[2] = {slot_get(x, op, 1, lane), 0};
        if (op->extra == 16)
            value[1] = ((const uint64_t *)slot_at(x, op->slot[1] + R64_BYTES))[lane];
        for (uint32_t e = 0; e < op->count; e++) {
            uint32_t bit = e * op->width;
            lane_put(slot_at(x, op->list[e]), op->type2 >> e & 1, lane, value[bit / 64] >> bit % 64 & keep);
        }
    }
    return op + 1;
}

static const struct op *run_mov_128(struct exec *x, const struct op *op, uint32_t mask)
{
    for (uint32_t half = 0; half < 2; half++) {
        uint64_t *to = slot_at(x, op->slot[0] + half * R64_BYTES);
        const uint64_t *from = slot_at(x, op->slot[1] + half * R64_BYTES);
        FOR_LANES (lane, mask)
            to[lane] = from[lane];
    }
    return op + 1;
}

static const struct op *run_clock(struct exec *x, const struct op *op, uint32_t mask)
{
    // Time passes with every instruction of the warp and of its block, a drawn number of clocks for each, from a drawn
    // beginning on: how long anything takes tells a kernel nothing. The global timer counts from 1970, in ns.
    // Slow clocks: of one warp alone, and for each as long as it takes in a loop that asks for the clock. In a schedule
    // that is drawn, others have the SM for milliseconds between any two instructions.
    enum { STEP_CLOCKS = 512, SLOW_CLOCKS = 14, AWAY_CLOCKS = 1 << 24 };
    static const uint64_t today = UINT64_C(1790000000000000000), begin_mask = UINT64_MAX >> 24;
    uint64_t steps = x->launch->slow_clock ? x->step : x->block->steps + x->step, drawn = x->block->place + steps;
    uint64_t each = x->launch->slow_clock ? SLOW_CLOCKS : x->launch->schedule == SIM_RANDOM ? AWAY_CLOCKS : STEP_CLOCKS;
    uint64_t now = (x->block->place & begin_mask) + steps * each + random_next(&drawn) % each;
    bool high = op->action == PTX_SPECIAL_CLOCK_HI || op->action == PTX_SPECIAL_GLOBALTIMER_HI;
    bool is_timer = high ? op->action == PTX_SPECIAL_GLOBALTIMER_HI
                         : op->action == PTX_SPECIAL_GLOBALTIMER || op->action == PTX_SPECIAL_GLOBALTIMER_LO;
    now += is_timer ? today : 0;
    FOR_LANES (lane, mask)
        slot_put(x, op, 0, lane, high ? now >> 32 : now);
    return op + 1;
}

static void decode_vector(struct decoder *d, uint32_t vector, uint32_t scalar, enum ptx_type type, op_run *run)
{
    struct op *op = d->op;
    const struct ptx_operand *operand = decode_operand(d, vector);
    uint32_t size = ptx_type_size(type), wide;
    uint32_t count = operand->kind == PTX_OPERAND_VECTOR ? operand->value.vector.count
                                                         : d->source->registers[operand->value.reg].vector;
    if (!count || 8 * size % count || 8 * size / count < 8 || count > 8) {
        decode_refuse(d, "%u elements in a .%s", count, ptx_type_name(type));
        return;
    }
    op->width = (uint8_t)(8 * size / count);
    op->count = (uint8_t)count;
    op->extra = size;
    enum ptx_type element = op->width == 64 ? PTX_B64 : op->width == 32 ? PTX_B32 : op->width == 16 ? PTX_B16 : PTX_B8;
    decode_list(d, vector, element, false, &wide);
    op->type2 = (uint8_t)wide;
    if (run == run_pack)
        decode_dest(d, 0, scalar, type);
    else
        decode_source(d, 1, scalar, type);
    op->run = run;
}

// list: the elements to, then those from; wide elements have 64 bits
static const struct op *run_mov_vector(struct exec *x, const struct op *op, uint32_t mask)
{
    uint64_t value[4][SIM_LANES];
    for (uint32_t e = 0; e < op->count; e++)
        FOR_LANES (lane, mask)
            value[e][lane] = lane_get(slot_at(x, op->list[op->count + e]), op->extra, lane);
    for (uint32_t e = 0; e < op->count; e++)
        FOR_LANES (lane, mask)
            lane_put(slot_at(x, op->list[e]), op->extra, lane, value[e][lane]);
    return op + 1;
}

void decode_mov_vector(struct decoder *d)
{
    uint32_t wide, *list = arena_alloc(d->program->arena, 8 * sizeof *list), count = d->inst->vector;
    enum ptx_type type = decode_type(d, 0);
    for (uint32_t number = 0; number < 2; number++) {
        const struct ptx_operand *operand = decode_operand(d, number);
        if (operand->kind == PTX_OPERAND_SPECIAL && !operand->element) {
            for (uint32_t e = 0; e < count; e++) {
                struct ptx_operand element = *operand;
                bool is_wide, is_pred;
                element.element = (uint8_t)(e + 1);
                list[number * count + e] = decode_slot(d, &element, type, false, &is_wide, &is_pred);
            }
            continue;
        }
        if (decode_list(d, number, type, false, &wide) != count) {
            decode_refuse(d, "operand %u does not have %u elements", number + 1, count);
            return;
        }
        memcpy(list + number * count, d->op->list, count * sizeof *list);
    }
    d->op->list = list;
    d->op->count = (uint8_t)count;
    d->op->extra = type_is_wide(type);
    d->op->run = run_mov_vector;
}

static bool is_vector(const struct decoder *d, const struct ptx_operand *operand)
{
    return operand->kind == PTX_OPERAND_VECTOR ||
           (operand->kind == PTX_OPERAND_REGISTER && operand->value.reg < d->source->register_count &&
            d->source->registers[operand->value.reg].vector > 1 && !operand->element);
}

static uint64_t scalar_sum(const struct op *op, const uint64_t *v)
{
    (void)op;
    return v[1] + v[2];
}

void decode_mov(struct decoder *d)
{
    struct op *op = d->op;
    enum ptx_type type = decode_type(d, 0);
    const struct ptx_operand *to = decode_operand(d, 0), *from = decode_operand(d, 1);
    if (is_vector(d, to)) {
        decode_vector(d, 0, 1, type, run_unpack);
    } else if (is_vector(d, from)) {
        decode_vector(d, 1, 0, type, run_pack);
    } else if (from->kind == PTX_OPERAND_VARIABLE && decode_in_frame(d, from->value.variable)) {
        // frame address + offset
        decode_dest(d, 0, 0, type);
        op->slot[1] = d->function->local_slot;
        op->slot[2] =
            decode_constant(d->program, decode_frame_offset(d, from->value.variable) + (uint64_t)from->offset, true);
        op->wide |= 6;
        if (type_is_wide(type))
            decode_lane(d, LANE_add_64);
        else // local memory is small: its addresses fit
            decode_scalar(d, scalar_sum, 2);
    } else if (from->kind == PTX_OPERAND_SPECIAL &&
               (from->value.special == PTX_SPECIAL_CLOCK || from->value.special == PTX_SPECIAL_CLOCK_HI ||
                from->value.special == PTX_SPECIAL_CLOCK64 || from->value.special == PTX_SPECIAL_GLOBALTIMER ||
                from->value.special == PTX_SPECIAL_GLOBALTIMER_LO ||
                from->value.special == PTX_SPECIAL_GLOBALTIMER_HI)) {
        decode_dest(d, 0, 0, type);
        op->action = (uint8_t)from->value.special;
        op->run = run_clock;
    } else {
        decode_dest(d, 0, 0, type);
        decode_source(d, 1, 1, type);
        op->slot[2] = op->slot[1];
        if (type == PTX_B128)
            op->run = run_mov_128;
        else
            decode_lane(d, type == PTX_PRED ? LANE_mov_pred : type_is_wide(type) ? LANE_mov_64 : LANE_mov_32);
        if (type == PTX_B128 && from->kind != PTX_OPERAND_REGISTER)
            decode_refuse(d, "a 128-bit constant");
    }
}

static uint64_t window_of(enum ptx_space space)
{
    switch (space) {
    case PTX_SHARED:
    case PTX_SHARED_CLUSTER:
        return (uint64_t)REGION_SHARED << REGION_SHIFT;
    case PTX_LOCAL:
        return (uint64_t)REGION_LOCAL << REGION_SHIFT;
    case PTX_PARAM:
        return (uint64_t)REGION_PARAM << REGION_SHIFT;
    default:
        return 0; // .global and .const addresses are generic ones
    }
}

// A null pointer stays null; offset: the window
static uint64_t scalar_to_generic(const struct op *op, const uint64_t *v)
{
    return v[1] + op->imm;
}

static uint64_t scalar_from_generic(const struct op *op, const uint64_t *v)
{
    return v[1] - op->imm;
}

void decode_cvta(struct decoder *d)
{
    struct op *op = d->op;
    enum ptx_type type = decode_type(d, 0);
    enum ptx_space space = d->inst->has_space ? d->inst->space : d->inst->space2;
    const struct ptx_operand *from = decode_operand(d, 1);
    decode_dest(d, 0, 0, type);
    if (!type_is_wide(type))
        decode_refuse(d, "32-bit generic addresses");
    if (space == PTX_PARAM && !d->source->is_entry)
        space = PTX_LOCAL;
    op->imm = window_of(space);
    if (from->kind == PTX_OPERAND_VARIABLE && decode_in_frame(d, from->value.variable)) {
        op->slot[1] = d->function->local_slot;
        op->slot[2] = decode_constant(
            d->program, decode_frame_offset(d, from->value.variable) + (uint64_t)from->offset + (uint64_t)op->imm,
            true);
        decode_lane(d, LANE_add_64);
        return;
    }
    decode_source(d, 1, 1, type);
    if (!op->imm)
        decode_lane(d, LANE_mov_64);
    else
        decode_scalar(d, decode_has(d, PTX_MOD_TO) ? scalar_from_generic : scalar_to_generic, 1);
}

static uint64_t scalar_isspacep(const struct op *op, const uint64_t *v)
{
    uint64_t region = v[1] >> REGION_SHIFT;
    switch ((enum ptx_space)op->space) {
    case PTX_SHARED:
    case PTX_SHARED_CLUSTER:
        return region == REGION_SHARED;
    case PTX_LOCAL:
        return region == REGION_LOCAL;
    case PTX_PARAM:
        return region == REGION_PARAM;
    default:
        return region >= REGION_FIRST;
    }
}

static const struct op *run_isspacep_const(struct exec *x, const struct op *op, uint32_t mask)
{
    FOR_LANES (lane, mask) {
        const struct sim_allocation *allocation = sim_memory_find(x->memory, slot_get(x, op, 1, lane));
        slot_put(x, op, 0, lane, allocation && allocation->read_only == (op->space == PTX_CONST));
    }
    return op + 1;
}

// slots: 0 address, 1 address in this block or another, 2 rank
static const struct op *run_mapa(struct exec *x, const struct op *op, uint32_t mask)
{
    const struct block *block = x->block;
    FOR_LANES (lane, mask) {
        uint64_t address = slot_get(x, op, 1, lane), rank = slot_get(x, op, 2, lane) & UINT32_MAX;
        uint64_t region = address >> REGION_SHIFT << REGION_SHIFT, offset = address & ((1u << CLUSTER_SHIFT) - 1);
        rank = rank < RANK_MOST ? rank : RANK_MOST; // of a block that is not there: only to use it is a fault
        slot_put(x, op, 0, lane, region | (rank == block->rank ? 0 : (rank + 1) << CLUSTER_SHIFT) | offset);
    }
    return op + 1;
}

static const struct op *run_ctarank(struct exec *x, const struct op *op, uint32_t mask)
{
    FOR_LANES (lane, mask) {
        uint64_t rank = slot_get(x, op, 1, lane) >> CLUSTER_SHIFT & 0xff;
        slot_put(x, op, 0, lane, rank ? rank - 1 : x->block->rank);
    }
    return op + 1;
}

// action: the rank is asked for
void decode_mapa(struct decoder *d)
{
    enum ptx_type type = decode_type(d, 0);
    decode_dest(d, 0, 0, d->op->action ? PTX_U32 : type);
    decode_source(d, 1, 1, type);
    if (!d->op->action)
        decode_source(d, 2, 2, PTX_U32);
    d->program->maps_ranks |= !d->op->action;
    d->op->run = d->op->action ? run_ctarank : run_mapa;
}

void decode_isspacep(struct decoder *d)
{
    d->op->space = (uint8_t)d->inst->space;
    if (d->op->space == PTX_CONST || d->op->space == PTX_GLOBAL)
        d->op->run = run_isspacep_const;
    else
        decode_scalar(d, scalar_isspacep, 1);
}
