// Loads, stores and atomics: every case, lane by lane. The common ones are in lanes_body.h.
#include <stdlib.h>

#include "sim/decode.h"
#include "base/half.h"

// ---- where an address leads

// Whose shared memory an address of `offset` bytes is in: that of another block of the cluster, which starts at *start,
// or the block's own.
static struct block *cluster_block(const struct exec *x, uint64_t offset, uint64_t *start)
{
    const struct cluster *cluster = x->block->cluster;
    uint64_t rank = (offset >> CLUSTER_SHIFT) - 1;
    *start = rank < cluster->size && cluster->blocks[rank] ? (rank + 1) << CLUSTER_SHIFT : 0;
    return *start ? cluster->blocks[rank] : x->block;
}

bool sim_place_find(struct exec *x, enum ptx_space space, uint64_t address, struct place *place)
{
    uint64_t region = address >> REGION_SHIFT, window = 0;
    if (space == PTX_GENERIC && region && region < REGION_FIRST) {
        space = region == REGION_SHARED ? PTX_SHARED : region == REGION_LOCAL ? PTX_LOCAL : PTX_PARAM;
        window = region << REGION_SHIFT;
        if (region > REGION_PARAM)
            return false;
    }
    *place = (struct place){.space = space, .start = window};
    const struct block *block;
    uint64_t start;
    switch (space) {
    case PTX_SHARED:
    case PTX_SHARED_CLUSTER:
        block = cluster_block(x, address - window, &start);
        place->space = start ? PTX_SHARED_CLUSTER : PTX_SHARED;
        place->start += start;
        place->data = block->shared;
        place->size = block->view.shared_size;
        place->valid = place->mark = block->shared_valid;
        return true;
    case PTX_LOCAL:
        place->data = x->warp->local;
        place->size = x->fragment->frame->top;
        place->lane_stride = x->warp->local_stride;
        return true;
    case PTX_PARAM:
        place->data = (unsigned char *)(uintptr_t)x->launch->params;
        place->size = x->program->entry->param_size;
        place->read_only = true;
        return true;
    default:
        return place_global(x, address, place);
    }
}

static bool place_holds(const struct place *place, uint64_t address, uint32_t bytes, bool writes)
{
    uint64_t offset = address - place->start;
    return !(writes && place->read_only) && place->size >= bytes && offset <= place->size - bytes &&
           !(offset & (bytes - 1));
}

unsigned char *sim_place_lane(struct exec *x, const struct op *op, enum ptx_space space, uint64_t address,
                              uint32_t lane, uint32_t bytes, bool writes, struct place *place)
{
    bool is_there = place->data && place_holds(place, address, bytes, writes);
    if (!is_there && (!sim_place_find(x, space, address, place) || !place_holds(place, address, bytes, writes))) {
        sim_fault_address(x, op, lane, space, address, bytes, writes);
        return NULL;
    }
    place_note(x, place, address - place->start, bytes, writes);
    return place->data + (address - place->start) + lane * place->lane_stride;
}

bool sim_place_lanes(struct exec *x, enum ptx_space space, uint32_t mask, const uint64_t *addresses, uint32_t bytes,
                     bool writes, struct place *place)
{
    uint64_t first = addresses[lane_first(mask)], odd = 0;
    if (!sim_place_find(x, space, first, place) || place->lane_stride || !place_holds(place, first, bytes, writes))
        return false;
    // Its top bit: some lane's bytes lie outside, below or above. The low ones: some are not aligned.
    const uint64_t start = place->start, last = place->size - bytes, low = bytes - 1;
    if (mask == UINT32_MAX)
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            uint64_t offset = addresses[lane] - start;
            odd |= offset | ((last - offset) & (uint64_t)INT64_MIN);
        }
    else
        FOR_LANES (lane, mask) {
            uint64_t offset = addresses[lane] - start;
            odd |= offset | ((last - offset) & (uint64_t)INT64_MIN);
        }
    bool is_one = !(odd & ((uint64_t)INT64_MIN | low));
    FOR_LANES (lane, is_one && place->trail ? mask : 0)
        place_note(x, place, addresses[lane] - place->start, bytes, writes);
    return is_one;
}

unsigned char *sim_place_span(struct exec *x, const struct op *op, enum ptx_space space, uint64_t address,
                              uint32_t lane, uint32_t bytes, bool writes, struct place *place)
{
    bool found = sim_place_find(x, space, address, place) && !(writes && place->read_only) && place->size >= bytes &&
                 address - place->start <= place->size - bytes;
    if (!found) {
        sim_fault_address(x, op, lane, space, address, bytes, writes);
        return NULL;
    }
    place_note(x, place, address - place->start, bytes, writes);
    return place->data + (address - place->start) + lane * place->lane_stride;
}

void sim_addresses(struct exec *x, const struct op *op, uint32_t slot, uint64_t addresses[SIM_LANES])
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        addresses[lane] = op->flags & OP_ADDRESS64 ? ((const uint64_t *)slot_at(x, slot))[lane] + (uint64_t)op->offset
                                                   : ((const uint32_t *)slot_at(x, slot))[lane] + (uint32_t)op->offset;
}

bool sim_valid_get(const struct place *place, uint64_t at, uint64_t bytes)
{
    const unsigned char *valid = place->valid, *mark = place->mark ? place->mark : valid;
    for (uint64_t i = at, step; valid && i < at + bytes; i += step) {
        step = 8 - i % 8 < at + bytes - i ? 8 - i % 8 : at + bytes - i;
        unsigned wanted = ((1u << step) - 1) << i % 8;
        if (wanted & ~(unsigned)(valid[i / 8] | mark[i / 8]))
            return false;
    }
    return true;
}

void sim_bits_set(unsigned char *bits, uint64_t at, uint64_t bytes)
{
    for (uint64_t i = at; bits && i < at + bytes;) {
        unsigned step = (unsigned)(8 - i % 8 < at + bytes - i ? 8 - i % 8 : at + bytes - i);
        bits[i / 8] |= (unsigned char)(((1u << step) - 1) << i % 8);
        i += step;
    }
}

static void group_note(struct exec *x, const struct op *op, struct group *group, uint32_t bytes, bool writes)
{
    struct place *place = &group->place;
    struct trail *trail = place->trail;
    bool reduces = op->kind == SIM_ATOMIC || op->kind == SIM_REDUCE;
    uint32_t reduction = (uint32_t)op->action << 16 | (uint32_t)op->type << 8 | op->width;
    if (!trail)
        return;
    if (reduces && (!(trail->touched & TOUCH_REDUCE) || trail->reduction != reduction))
        sim_touch_first(x, trail, TOUCH_REDUCE, reduction);
    place_touch(x, place, reduces ? TOUCH_REDUCE : writes ? TOUCH_WRITE : TOUCH_READ);
    FOR_LANES (lane, reduces || !writes ? group->mask : 0)
        sim_bits_set(trail->read, group->offsets[lane], bytes);
}

// Atomics of one or two bytes are made of the word around them. It may lie across the end of shared memory, which ends
// at a multiple of more on hardware.
static bool is_last_word(const struct op *op, const struct place *place, uint64_t address, uint32_t bytes)
{
    bool is_strong = op->order != SIM_WEAK || op->kind == SIM_ATOMIC || op->kind == SIM_REDUCE;
    uint64_t offset = address - place->start;
    return place->space == PTX_SHARED && is_strong && bytes == 4 && !(offset & 3) && offset < place->size;
}

// The lanes of left that lead to the same place as the first of them, checked; false after a fault.
bool sim_group_next(struct exec *x, const struct op *op, uint32_t left, const uint64_t *addresses, uint32_t bytes,
                    bool writes, struct group *group)
{
    enum ptx_space space = (enum ptx_space)op->space;
    uint64_t first = addresses[lane_first(left)];
    group->mask = 0;
    if (!sim_place_find(x, space, first, &group->place)) {
        sim_fault_address(x, op, lane_first(left), space, first, bytes, writes);
        return false;
    }
    bool by_region = space == PTX_GENERIC || space == PTX_GLOBAL || space == PTX_CONST;
    bool by_block =
        group->place.space == PTX_SHARED_CLUSTER || (x->block->cluster->size > 1 && group->place.space == PTX_SHARED);
    FOR_LANES (lane, left) {
        if (by_region && addresses[lane] >> REGION_SHIFT != first >> REGION_SHIFT)
            continue;
        if (by_block && addresses[lane] >> CLUSTER_SHIFT != first >> CLUSTER_SHIFT)
            continue;
        if (!place_holds(&group->place, addresses[lane], bytes, writes) &&
            !is_last_word(op, &group->place, addresses[lane], bytes)) {
            sim_fault_address(x, op, lane, space, addresses[lane], bytes, writes);
            return false;
        }
        group->mask |= 1u << lane;
        group->offsets[lane] = addresses[lane] - group->place.start;
    }
    group_note(x, op, group, bytes, writes);
    return true;
}

unsigned char *sim_group_at(const struct group *group, uint32_t lane)
{
    return group->place.data + group->offsets[lane] + lane * group->place.lane_stride;
}

void sim_group_tell(struct exec *x, const struct op *op, const struct group *group, const uint64_t *addresses,
                    struct sim_access *access)
{
    if (!(x->wants & sim_space_wanted(group->place.space)))
        return;
    uint64_t peer[SIM_LANES];
    access->space = group->place.space;
    access->mask = group->mask;
    access->addresses = group->place.space == PTX_GLOBAL || group->place.space == PTX_CONST ? addresses
                        : group->place.space == PTX_SHARED_CLUSTER                          ? peer
                                                                                            : group->offsets;
    FOR_LANES (lane, group->mask)
        peer[lane] = sim_place_shared(&group->place, group->offsets[lane]);
    sim_watch_access(x, op, access);
}

void sim_group_check_valid(struct exec *x, const struct op *op, const struct group *group, uint32_t bytes)
{
    if (!group->place.valid || !(x->wants & SIM_WANT_NOTICE))
        return;
    uint32_t bad = 0;
    FOR_LANES (lane, group->mask)
        if (!sim_valid_get(&group->place, group->offsets[lane], bytes))
            bad |= 1u << lane;
    if (!bad)
        return;
    if (group->place.trail && group->place.trail->touched & TOUCH_REDUCE)
        sim_overlap_abandon(x); // another thread's blocks may have written it
    uint64_t address = group->offsets[lane_first(bad)] + (group->place.space == PTX_GLOBAL ? group->place.start : 0);
    enum ptx_space space = group->place.space == PTX_SHARED_CLUSTER ? PTX_SHARED : group->place.space;
    sim_watch_unset(x, op, bad, space, address);
}

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
        FOR_LANES (lane, group.mask) {
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
