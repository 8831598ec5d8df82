// Loads, stores and atomics: every case, lane by lane. The common ones are in lanes_body.h.
#include "sim/decode.h"

// ---- load and store

static uint64_t load_extend(const struct op *op, uint64_t value)
{
    switch (op->width) {
    case 1:
        return op->flags & OP_SIGNED ? (uint64_t)(int64_t)(int8_t)value : value & 0xff;
    case 2:
        return op->flags & OP_SIGNED ? (uint64_t)(int64_t)(int16_t)value : value & 0xffff;
    case 4:
        return op->flags & OP_SIGNED ? (uint64_t)(int64_t)(int32_t)value : value & UINT32_MAX;
    default:
        return value;
    }
}

static void element_put(struct exec *x, const struct op *op, uint32_t e, uint32_t lane, uint64_t value)
{
    bool wide = op->type2 >> e & 1;
    lane_put(slot_at(x, op->list[e]), wide, lane, wide ? value : value & op->extra);
}

const struct op *sim_load_slow(struct exec *x, const struct op *op, uint32_t mask)
{
    uint64_t addresses[SIM_LANES], seen[SIM_LANES];
    uint32_t bytes = (uint32_t)op->width * op->count;
    struct group group;
    sim_addresses(x, op, op->slot[1], addresses);
    for (uint32_t left = mask; left; left &= ~group.mask) {
        if (!sim_group_next(x, op, left, addresses, bytes, false, &group))
            return NULL;
        struct sim_access access = {.kind = SIM_LOAD, .bytes = bytes};
        sim_group_tell(x, op, &group, addresses, &access);
        sim_group_check_valid(x, op, &group, bytes);
        FOR_LANES (lane, group.mask) {
            const unsigned char *from = sim_group_at(&group, lane);
            for (uint32_t e = 0; e < op->count; e++) {
                uint64_t value = 0;
                memcpy(&value, from + e * op->width, op->width);
                seen[lane] = value;
                element_put(x, op, e, lane, load_extend(op, value));
            }
        }
    }
    if (op->flags & OP_POLL && sim_poll(x, op, mask, addresses, seen))
        return sim_yield(x, op + 1);
    return op + 1;
}

const struct op *sim_store_slow(struct exec *x, const struct op *op, uint32_t mask)
{
    uint64_t addresses[SIM_LANES];
    uint32_t bytes = (uint32_t)op->width * op->count;
    unsigned char values[SIM_LANES][32];
    struct group group;
    const struct lane_order order = lane_order_of(x);
    sim_addresses(x, op, op->slot[0], addresses);
    FOR_LANES (lane, mask)
        for (uint32_t e = 0; e < op->count; e++) {
            uint64_t value = lane_get(slot_at(x, op->list[e]), op->type2 >> e & 1, lane);
            memcpy(&values[lane][e * op->width], &value, op->width);
        }
    for (uint32_t left = mask; left; left &= ~group.mask) {
        if (!sim_group_next(x, op, left, addresses, bytes, true, &group))
            return NULL;
        struct sim_access access = {.kind = SIM_STORE, .bytes = bytes, .values = values[0], .value_stride = 32};
        sim_group_tell(x, op, &group, addresses, &access);
        for (uint32_t i = 0, lane = order.first; i < SIM_LANES; i++, lane = lane_after(order, lane)) {
            if (!(group.mask >> lane & 1))
                continue;
            memcpy(sim_group_at(&group, lane), values[lane], bytes);
            sim_bits_set(group.place.mark, group.offsets[lane], bytes);
        }
    }
    return op + 1;
}

// The entry's parameters: the same for every lane.
static const struct op *load_param(struct exec *x, const struct op *op, uint32_t mask)
{
    const unsigned char *from = (const unsigned char *)x->launch->params + op->imm;
    uint32_t lanes = covers_all(x, mask) ? UINT32_MAX : mask;
    for (uint32_t e = 0; e < op->count; e++) {
        uint64_t value = 0;
        memcpy(&value, from + e * op->width, op->width);
        value = load_extend(op, value);
        if (lanes != UINT32_MAX) {
            FOR_LANES (lane, lanes)
                element_put(x, op, e, lane, value);
        } else if (op->type2 >> e & 1) {
            uint64_t *at = slot_at(x, op->list[e]);
            for (uint32_t lane = 0; lane < SIM_LANES; lane++)
                at[lane] = value;
        } else {
            uint32_t *at = slot_at(x, op->list[e]), low = (uint32_t)value & op->extra;
            for (uint32_t lane = 0; lane < SIM_LANES; lane++)
                at[lane] = low;
        }
    }
    return op + 1;
}

void sim_decode_space(struct decoder *d, uint32_t address_operand)
{
    const struct ptx_operand *address = decode_operand(d, address_operand);
    enum ptx_space space = d->inst->has_space ? d->inst->space : PTX_GENERIC;
    if (space == PTX_SHARED_CLUSTER)
        space = PTX_SHARED;
    bool variable = address->kind == PTX_OPERAND_ADDRESS && address->base_kind == PTX_OPERAND_VARIABLE;
    if (space == PTX_PARAM && (variable ? decode_in_frame(d, address->value.variable) : !d->source->is_entry))
        space = PTX_LOCAL;
    d->op->space = (uint8_t)space;
}

static void decode_elements(struct decoder *d, uint32_t number, enum ptx_type type, bool loads)
{
    struct op *op = d->op;
    uint32_t vector = d->inst->vector ? d->inst->vector : 1, wide = 0;
    if (type == PTX_B128) {
        bool is_wide, is_pred;
        uint32_t *list = arena_alloc(d->program->arena, 2 * sizeof *list);
        list[0] = decode_slot(d, decode_operand(d, number), PTX_B128, false, &is_wide, &is_pred);
        list[1] = list[0] + R64_BYTES;
        if (decode_operand(d, number)->kind != PTX_OPERAND_REGISTER || vector > 1)
            decode_refuse(d, "this form of .b128 is not supported");
        op->list = list;
        op->width = 8;
        op->count = 2;
        op->type2 = 3;
        op->extra = UINT32_MAX;
        return;
    }
    op->width = (uint8_t)ptx_type_size(type);
    if (!op->width)
        decode_refuse(d, "a value of this type has no size");
    uint32_t count = decode_list(d, number, type, true, &wide);
    if (count != vector)
        decode_refuse(d, "%u registers for a vector of %u", count, vector);
    op->count = (uint8_t)vector;
    op->type2 = (uint8_t)wide;
    op->extra = UINT32_MAX;
    const struct ptx_operand *first = decode_operand(d, number);
    if (first->kind == PTX_OPERAND_VECTOR && count)
        first = &d->source->operands[first->value.vector.first];
    if (loads && first->kind == PTX_OPERAND_REGISTER) {
        unsigned size = ptx_type_size(d->source->registers[first->value.reg].type);
        op->extra = size == 1 ? 0xff : size == 2 ? 0xffff : UINT32_MAX;
    }
    if (type_is_signed(type))
        op->flags |= OP_SIGNED;
}

// The built-in loop for this shape; NULL: the slow way.
static op_run *access_lane(const struct decoder *d, bool loads)
{
    const struct op *op = d->op;
    static const struct {
        uint8_t width, count, wide;
        enum lane_op load, store, shared_load, shared_store;
    } shapes[] = {
        {4, 1, 0, LANE_ld_32, LANE_st_32, LANE_lds_32, LANE_sts_32},
        {8, 1, 1, LANE_ld_64, LANE_st_64, LANE_lds_64, LANE_sts_64},
        {1, 1, 0, LANE_ld_8, LANE_st_8, LANE_lds_8, LANE_sts_8},
        {2, 1, 0, LANE_ld_16, LANE_st_16, LANE_lds_16, LANE_sts_16},
        {4, 2, 0, LANE_ld_32x2, LANE_st_32x2, LANE_lds_32x2, LANE_sts_32x2},
        {4, 4, 0, LANE_ld_32x4, LANE_st_32x4, LANE_lds_32x4, LANE_sts_32x4},
        {8, 2, 3, LANE_ld_64x2, LANE_st_64x2, LANE_lds_64x2, LANE_sts_64x2},
    };
    bool shared = op->space == PTX_SHARED && !(op->flags & OP_ADDRESS64);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].width == op->width && shapes[i].count == op->count && shapes[i].wide == op->type2)
            return d->lanes[loads ? (shared ? shapes[i].shared_load : shapes[i].load)
                                  : (shared ? shapes[i].shared_store : shapes[i].store)];
    return NULL;
}

bool sim_may_be_global(const struct op *op)
{
    return op->space == PTX_GLOBAL || op->space == PTX_GENERIC;
}

void decode_ld(struct decoder *d)
{
    struct op *op = d->op;
    sim_decode_space(d, 1);
    decode_elements(d, 0, decode_type(d, 0), true);
    decode_address(d, 1, 1);
    op->slot[0] = op->list ? op->list[0] : 0;
    op->kind = SIM_LOAD;
    op->order = (uint8_t)decode_order(d);
    op->scope = (uint8_t)decode_scope(d);
    op->flags |= OP_MEMORY;
    if (op->order != SIM_WEAK)
        op->flags |= OP_POLL;
    const struct ptx_operand *address = decode_operand(d, 1);
    if (op->space == PTX_PARAM && address->base_kind == PTX_OPERAND_VARIABLE && d->status == STATUS_OK) {
        uint64_t at = (uint64_t)address->value.variable->offset + (uint64_t)address->offset;
        if (at > d->program->entry->param_size || d->program->entry->param_size - at < (uint64_t)op->width * op->count)
            decode_refuse(d, "reads past the end of the parameters");
        op->imm = at;
        op->flags &= (uint16_t)~OP_MEMORY;
        op->run = load_param;
        return;
    }
    bool plain =
        op->space == PTX_GLOBAL || op->space == PTX_SHARED || op->space == PTX_GENERIC || op->space == PTX_CONST;
    op->run = plain && op->order == SIM_WEAK ? access_lane(d, true) : NULL;
    if (!op->run)
        op->run = sim_load_slow;
}

void decode_st(struct decoder *d)
{
    struct op *op = d->op;
    sim_decode_space(d, 0);
    decode_elements(d, 1, decode_type(d, 0), false);
    decode_address(d, 0, 0);
    op->slot[1] = op->list ? op->list[0] : 0;
    op->kind = SIM_STORE;
    op->order = (uint8_t)decode_order(d);
    op->scope = (uint8_t)decode_scope(d);
    op->flags |= OP_MEMORY;
    bool plain = op->space == PTX_GLOBAL || op->space == PTX_SHARED || op->space == PTX_GENERIC;
    // A 64-bit register stored as less keeps its own width in the list: the slow way knows.
    op->run = plain ? access_lane(d, false) : NULL;
    if (!op->run)
        op->run = sim_store_slow;
}

// Whoever reads the line before it is written again finds anything (PTX ISA, discard).
static const struct op *drop_lines(struct exec *x, const struct op *op, uint32_t mask)
{
    enum { LINE = 128 };
    uint64_t addresses[SIM_LANES];
    sim_addresses(x, op, op->slot[0], addresses);
    FOR_LANES (lane, mask) {
        struct place place = {0};
        unsigned char *at = sim_place_lane(x, op, (enum ptx_space)op->space, addresses[lane], lane, LINE, true, &place);
        if (!at)
            return NULL;
        memset(at, 0xff, LINE);
    }
    return op + 1;
}

void decode_discard(struct decoder *d)
{
    sim_decode_space(d, 0);
    decode_address(d, 0, 0);
    d->op->kind = SIM_STORE;
    d->op->run = drop_lines;
}

// ---- stack

static const struct op *run_alloca(struct exec *x, const struct op *op, uint32_t mask)
{
    struct frame *frame = x->fragment->frame;
    uint64_t most = 0, align = op->imm ? op->imm : 16;
    FOR_LANES (lane, mask) {
        uint64_t size = slot_get(x, op, 1, lane);
        most = size > most ? size : most;
    }
    uint64_t at = (frame->top + align - 1) / align * align;
    if (most > UINT32_MAX || !sim_stack_fits(x, frame, at + most - frame->top))
        return sim_fault(x, op, lane_first(mask),
                         "overflows the stack with alloca of %llu bytes: a thread has 1024 for it, unless the host "
                         "asks for more (cudaLimitStackSize)",
                         (unsigned long long)most);
    uint32_t top = (uint32_t)((at + most + 15) / 16 * 16);
    if (covers_all(x, mask)) // of two branches that allocate, a lane takes one
        frame->allocated += top - frame->top;
    frame->top = top;
    sim_local_grow(x->warp, frame->top);
    FOR_LANES (lane, mask)
        slot_put(x, op, 0, lane, at);
    return op + 1;
}

const struct op *run_stacksave(struct exec *x, const struct op *op, uint32_t mask)
{
    FOR_LANES (lane, mask)
        slot_put(x, op, 0, lane, x->fragment->frame->top);
    return op + 1;
}

const struct op *run_stackrestore(struct exec *x, const struct op *op, uint32_t mask)
{
    struct frame *frame = x->fragment->frame;
    uint64_t top = slot_get(x, op, 1, lane_first(mask));
    // While lanes of this frame are elsewhere, what they allocated stays.
    if (covers_all(x, mask) && top >= frame->local + frame->function->frame_size && top <= frame->top)
        frame->top = (uint32_t)top;
    uint32_t above = frame->top - frame->local - frame->function->frame_size;
    frame->allocated = frame->allocated < above ? frame->allocated : above;
    return op + 1;
}

// Hints to caches, which the machine does not have, to profilers and to other grids.
const struct op *run_nothing(struct exec *x, const struct op *op, uint32_t mask)
{
    (void)x;
    (void)mask;
    return op + 1;
}

const struct op *run_zero(struct exec *x, const struct op *op, uint32_t mask)
{
    FOR_LANES (lane, mask)
        slot_put(x, op, 0, lane, 0);
    return op + 1;
}

void decode_alloca(struct decoder *d)
{
    const struct ptx_operand *align = decode_operand(d, 2);
    uint64_t bytes = align->kind == PTX_OPERAND_INTEGER ? align->value.bits : 16;
    if (!bytes || bytes > 4096 || bytes & (bytes - 1))
        decode_refuse(d, "alignment %llu", (unsigned long long)bytes);
    d->op->imm = bytes;
    d->op->run = run_alloca;
}
