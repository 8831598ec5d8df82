// Atomics and reductions: every operator and type, one lane after the other.
#include "sim/decode.h"
#include "base/half.h"

static float f32_pick(float a, float b, bool greater)
{
    if (a != a)
        return b;
    if (b != b)
        return a;
    return greater ? (a > b ? a : b) : (a < b ? a : b);
}

static uint64_t half_apply(enum atom_action action, bool brain, uint64_t old, uint64_t b)
{
    float x = brain ? bf16_to_f32((uint32_t)old & 0xffff) : f16_to_f32((uint32_t)old & 0xffff);
    float y = brain ? bf16_to_f32((uint32_t)b & 0xffff) : f16_to_f32((uint32_t)b & 0xffff);
    float v = action == ATOM_ADD ? x + y : f32_pick(x, y, action == ATOM_MAX);
    return brain ? bf16_from_f32(v) : f16_from_f32(v);
}

// A NaN: in global memory the new one comes first and stays as it is, in shared memory the old one comes first and is
// made quiet (measured on an H200).
static uint64_t double_sum(bool is_global, uint64_t old, uint64_t b)
{
    double x = bits_f64(old), y = bits_f64(b);
    if (is_global && (x != x || y != y))
        return y != y ? b : old;
    return f64_bits(f64_add(y, x));
}

static uint64_t float_apply(enum atom_action action, enum ptx_type type, bool is_global, uint64_t old, uint64_t b)
{
    switch (type) {
    case PTX_F32: {
        float x = bits_f32(old), y = bits_f32(b);
        if (action != ATOM_ADD)
            return f32_bits(f32_pick(x, y, action == ATOM_MAX));
        // atom.add.f32 flushes subnormals in global memory, not in shared (PTX ISA, atom)
        float sum = is_global ? flush_f32(flush_f32(x) + flush_f32(y)) : x + y;
        return sum != sum ? 0x7fffffffu : f32_bits(sum);
    }
    case PTX_F64:
        return double_sum(is_global, old, b);
    case PTX_F16X2:
    case PTX_BF16X2:
        return half_apply(action, type == PTX_BF16X2, old, b) |
               half_apply(action, type == PTX_BF16X2, old >> 16, b >> 16) << 16;
    default:
        return half_apply(action, type == PTX_BF16, old, b);
    }
}

static uint64_t integer_apply(enum atom_action action, bool is_signed, uint32_t width, uint64_t old, uint64_t b,
                              uint64_t c)
{
    int64_t x = width == 4 ? (int32_t)old : (int64_t)old, y = width == 4 ? (int32_t)b : (int64_t)b;
    bool less = is_signed ? x < y : old < b;
    switch (action) {
    case ATOM_ADD:
        return old + b;
    case ATOM_INC:
        return old >= b ? 0 : old + 1;
    case ATOM_DEC:
        return old == 0 || old > b ? b : old - 1;
    case ATOM_MIN:
        return less ? old : b;
    case ATOM_MAX:
        return less ? b : old;
    case ATOM_AND:
        return old & b;
    case ATOM_OR:
        return old | b;
    case ATOM_XOR:
        return old ^ b;
    case ATOM_EXCH:
        return b;
    case ATOM_CAS:
        return old == b ? c : old;
    }
    return old;
}

uint64_t sim_atom_apply(const struct op *op, bool is_global, uint64_t old, uint64_t b, uint64_t c)
{
    enum ptx_type type = (enum ptx_type)op->type;
    enum atom_action action = (enum atom_action)op->action;
    if ((type_is_float(type) || type_is_half(type)) && action <= ATOM_MAX)
        return float_apply(action, type, is_global, old, b);
    return integer_apply(action, type_is_signed(type), op->width, old, b, c);
}

// Reads, modifies and writes one element; answers what was there. Other host threads may reduce the same one.
static uint64_t atom_element(const struct op *op, const struct place *place, unsigned char *at, uint64_t b, uint64_t c)
{
    uint64_t old = 0, next;
    bool is_global = place->space == PTX_GLOBAL;
    memcpy(&old, at, op->width);
    next = sim_atom_apply(op, is_global, old, b, c);
    if (place->trail && op->width == 4) {
        uint32_t seen = (uint32_t)old;
        while (!__atomic_compare_exchange_n((uint32_t *)(void *)at, &seen, (uint32_t)next, true, __ATOMIC_SEQ_CST,
                                            __ATOMIC_RELAXED))
            next = sim_atom_apply(op, is_global, seen, b, c);
        return seen;
    }
    if (place->trail && op->width == 8) {
        while (
            !__atomic_compare_exchange_n((uint64_t *)(void *)at, &old, next, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            next = sim_atom_apply(op, is_global, old, b, c);
        return old;
    }
    memcpy(at, &next, op->width);
    return old;
}

// exch and cas of 128 bits: old, b and c are pairs of words, low before high.
static void atom_pair(const struct op *op, unsigned char *at, uint64_t old[2], const uint64_t b[2], const uint64_t c[2])
{
    memcpy(old, at, 16);
    if (op->action == ATOM_EXCH)
        memcpy(at, b, 16);
    else if (old[0] == b[0] && old[1] == b[1])
        memcpy(at, c, 16);
}

// Warps that draw tickets share the work since each is busy for a while with what it drew. Here one would draw them all
// before another's turn comes: so with a ticket its turn ends.
static void end_turn_with_ticket(struct exec *x, const struct op *op)
{
    bool is_ticket = op->flags & OP_POLL && (op->action == ATOM_ADD || op->action == ATOM_INC);
    if (is_ticket && x->launch->schedule == SIM_ROUND_ROBIN)
        x->step_end = x->step;
}

// The usual one, in its block's own memory: an integer word for each lane, one lane after the other.
static void atom_words(struct exec *x, const struct op *op, const struct group *group, uint64_t seen[SIM_LANES])
{
    const bool is_cas = op->action == ATOM_CAS, is_signed = type_is_signed((enum ptx_type)op->type);
    const enum atom_action action = (enum atom_action)op->action;
    void *to = slot_at(x, op->list[0]), *from = slot_at(x, op->list[1]);
    void *other = is_cas ? slot_at(x, op->list[2]) : from;
    for (uint32_t left = group->mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), old;
        unsigned char *at = sim_group_at(group, lane);
        memcpy(&old, at, sizeof old);
        uint32_t next = (uint32_t)integer_apply(action, is_signed, sizeof old, old, lane_get(from, false, lane),
                                                lane_get(other, false, lane));
        memcpy(at, &next, sizeof next);
        lane_put(to, false, lane, old);
        seen[lane] ^= old;
        sim_bits_set(group->place.mark, group->offsets[lane], sizeof old);
    }
}

// list: count destinations, count operands b, count operands c
static const struct op *run_atom(struct exec *x, const struct op *op, uint32_t mask)
{
    uint64_t addresses[SIM_LANES], seen[SIM_LANES] = {0};
    uint32_t bytes = (uint32_t)op->width * op->count, n = op->count;
    bool wide = op->width == 8;
    struct group group;
    const struct lane_order order = lane_order_of(x);
    sim_addresses(x, op, op->slot[1], addresses);
    for (uint32_t left = mask; left; left &= ~group.mask) {
        if (!sim_group_next(x, op, left, addresses, bytes, true, &group))
            return NULL;
        struct sim_access access = {.kind = (enum sim_access_kind)op->kind, .bytes = bytes};
        sim_group_tell(x, op, &group, addresses, &access);
        sim_group_check_valid(x, op, &group, bytes);
        if (op->width == 4 && n == 1 && !group.place.trail && !order.drawn && !type_is_float((enum ptx_type)op->type) &&
            !type_is_half((enum ptx_type)op->type)) {
            atom_words(x, op, &group, seen);
            continue;
        }
        for (uint32_t i = 0, lane = order.first; i < SIM_LANES; i++, lane = lane_after(order, lane)) {
            if (!(group.mask >> lane & 1))
                continue;
            unsigned char *at = sim_group_at(&group, lane);
            uint64_t old[8], b[8] = {0}, c[8] = {0};
            for (uint32_t e = 0; e < n; e++) {
                b[e] = lane_get(slot_at(x, op->list[n + e]), wide, lane);
                if (op->action == ATOM_CAS)
                    c[e] = lane_get(slot_at(x, op->list[2 * n + e]), wide, lane);
            }
            if (op->type == PTX_B128)
                atom_pair(op, at, old, b, c);
            for (uint32_t e = 0; e < n; e++) {
                if (op->type != PTX_B128)
                    old[e] = atom_element(op, &group.place, at + e * op->width, b[e], c[e]);
                lane_put(slot_at(x, op->list[e]), wide, lane, old[e]);
                seen[lane] ^= old[e];
            }
            sim_bits_set(group.place.mark, group.offsets[lane], bytes);
        }
    }
    if (op->flags & OP_POLL && sim_poll(x, op, mask, addresses, seen))
        return sim_yield(x, op + 1);
    end_turn_with_ticket(x, op);
    return op + 1;
}

static bool operand_names(const struct decoder *d, const struct ptx_operand *operand, uint32_t reg)
{
    (void)d;
    bool names = operand->kind == PTX_OPERAND_REGISTER ||
                 (operand->kind == PTX_OPERAND_ADDRESS && operand->base_kind == PTX_OPERAND_REGISTER);
    return (names && operand->value.reg == reg) || operand->pair_reg == (int32_t)reg;
}

// A register that occurs nowhere but as this destination: ptxas makes a reduction of the atomic.
static bool result_unused(const struct decoder *d, uint32_t number)
{
    const struct ptx_operand *operand = &d->source->operands[d->inst->operands + number];
    if (operand->kind == PTX_OPERAND_NONE)
        return true;
    if (operand->kind != PTX_OPERAND_REGISTER)
        return false;
    uint32_t times = 0;
    for (uint32_t i = 0; i < d->source->operand_count && times < 2; i++)
        times += operand_names(d, &d->source->operands[i], operand->value.reg);
    for (uint32_t i = 0; i < d->source->inst_count && times < 2; i++)
        times += d->source->insts[i].guard == (int32_t)operand->value.reg;
    return times < 2;
}

static void decode_atom_list(struct decoder *d, enum ptx_type type, uint32_t first)
{
    struct op *op = d->op;
    uint32_t n = op->count, wide, *list = arena_alloc(d->program->arena, 3 * n * sizeof *list);
    uint32_t sources = op->action == ATOM_CAS ? 2 : 1;
    for (uint32_t e = 0; e < n; e++)
        list[e] = (uint32_t)BASE_WARP << SLOT_SHIFT | WARP_SINK;
    for (uint32_t k = first ? 0 : 1; k <= sources; k++) {
        uint32_t operand = k == 0 ? 0 : first + k;
        if (decode_list(d, operand, type, false, &wide) != n) {
            decode_refuse(d, "operand %u has the wrong number of elements", operand + 1);
            return;
        }
        memcpy(list + k * n, op->list, n * sizeof *list);
    }
    op->list = list;
}

static void decode_atom_access(struct decoder *d, enum ptx_type type)
{
    struct op *op = d->op;
    bool result = d->inst->op == PTX_OP_ATOM, unused = !result || result_unused(d, 0);
    bool exact = !type_is_float(type) && !type_is_half(type) && op->action != ATOM_EXCH && op->action != ATOM_CAS &&
                 op->action != ATOM_INC && op->action != ATOM_DEC;
    sim_decode_space(d, result);
    op->width = (uint8_t)ptx_type_size(type);
    op->count = d->inst->vector ? d->inst->vector : 1;
    op->kind = result ? SIM_ATOMIC : SIM_REDUCE;
    op->order = (uint8_t)decode_order(d);
    if (op->order == SIM_WEAK)
        op->order = SIM_RELAXED;
    op->scope = (uint8_t)decode_scope(d);
    op->flags |= OP_MEMORY;
    decode_address(d, 1, result);
    if (sim_may_be_global(op) && !(unused && exact))
        d->program->ordered = true;
    if (!unused)
        op->flags |= OP_POLL;
}

void decode_atom_128(struct decoder *d)
{
    struct op *op = d->op;
    uint32_t *list = arena_alloc(d->program->arena, 6 * sizeof *list);
    uint32_t operands[3] = {0, 2, op->action == ATOM_CAS ? 3u : 2u};
    decode_atom_access(d, PTX_B128);
    for (uint32_t k = 0; k < 3; k++) {
        bool wide, pred;
        list[2 * k] = decode_slot(d, decode_operand(d, operands[k]), PTX_B128, false, &wide, &pred);
        list[2 * k + 1] = list[2 * k] + (list[2 * k] >> SLOT_SHIFT == BASE_R64 ? R64_BYTES : 0);
        if (decode_operand(d, operands[k])->kind != PTX_OPERAND_REGISTER)
            decode_refuse(d, "an operand is not a 128-bit register");
    }
    op->list = list;
    op->width = 8;
    op->count = 2;
    op->run = run_atom;
}

void decode_atom(struct decoder *d)
{
    enum ptx_type type = decode_type(d, 0);
    decode_atom_access(d, type);
    decode_atom_list(d, type, d->inst->op == PTX_OP_ATOM);
    d->op->run = run_atom;
}
