// Tensor copies: boxes of a tensor map between global memory and a tile in shared memory (PTX ISA,
// "cp.async.bulk.tensor").
//
// They land as other bulk copies do (mbarrier.c), and they are told to observers row by row of the box, each row as a
// bulk copy of its own; those after the first are marked as parts.
#include <stdlib.h>

#include "sim/decode.h"

static const uint8_t element_types[TENSOR_TYPES] = {
    [TENSOR_U8] = PTX_U8,   [TENSOR_U16] = PTX_U16,  [TENSOR_U32] = PTX_U32, [TENSOR_S32] = PTX_S32,
    [TENSOR_U64] = PTX_U64, [TENSOR_S64] = PTX_S64,  [TENSOR_F16] = PTX_F16, [TENSOR_F32] = PTX_F32,
    [TENSOR_F64] = PTX_F64, [TENSOR_BF16] = PTX_BF16};

// slots: 0 tile, 1 map, 3 mbarrier (count: there is one), 4 blocks of the cluster (extra: there are); list: the offsets
// of the addresses, then the slots of the coordinates; imm: how many. action: enum atom_action + 1 of a reduction
enum { LIST_COORDINATES = 3 };

static bool find_map(struct exec *x, const struct op *op, uint32_t lane, struct tensor_copy *copy)
{
    uint64_t address = slot_get(x, op, 1, lane) + op->list[1];
    char why[160];
    struct place place;
    if (address % TENSOR_MAP_ALIGNMENT)
        return sim_fault(x, op, lane,
                         "uses a tensor map at an address that is no multiple of %d: pass it as a "
                         "__grid_constant__ const CUtensorMap",
                         TENSOR_MAP_ALIGNMENT) != NULL;
    const unsigned char *bytes = sim_place_span(x, op, PTX_GENERIC, address, lane, TENSOR_MAP_BYTES, false, &place);
    if (!bytes)
        return false;
    if (place.space == PTX_SHARED || (place.space == PTX_LOCAL && x->program->module->copies_maps))
        return sim_fault(x, op, lane,
                         "uses a tensor map in %s memory, where a GPU's copies cannot read it: pass it as a "
                         "__grid_constant__ const CUtensorMap",
                         place.space == PTX_LOCAL ? "local" : "shared") != NULL;
    memcpy(&copy->map, bytes, sizeof copy->map);
    if (tensor_map_wrong(&copy->map, why, sizeof why))
        return sim_fault(x, op, lane, "uses a tensor map that is wrong: %s", why) != NULL;
    if (copy->map.rank != op->imm)
        return sim_fault(x, op, lane, "names an element by %u coordinates, and the tensor map has %u dimensions",
                         (uint32_t)op->imm, copy->map.rank) != NULL;
    for (uint32_t i = 0; i < op->imm; i++)
        copy->at[i] = (int32_t)(uint32_t)lane_get(slot_at(x, op->list[LIST_COORDINATES + i]), false, lane);
    return true;
}

// Every row of the box that has something inside must lie in the buffer that the map begins in.
static bool find_rows(struct exec *x, const struct op *op, uint32_t lane, struct tensor_copy *copy)
{
    struct tensor_box box = tensor_box_of(&copy->map);
    for (uint32_t i = 0; i < box.rows; i++) {
        struct tensor_row part = tensor_row_of(&copy->map, &box, copy->at, i, copy->stores);
        struct place place;
        if (!part.inside)
            continue;
        if (!sim_place_span(x, op, PTX_GLOBAL, part.address, lane, part.inside, copy->stores, &place))
            return false;
        if (copy->data && copy->start != place.start)
            return sim_fault(x, op, lane,
                             "copies a box whose rows lie in two buffers: the tensor map's sizes or strides "
                             "are larger than the buffer") != NULL;
        copy->data = place.data;
        copy->start = place.start;
        copy->mark = place.mark;
    }
    return true;
}

static void tell_rows(struct exec *x, const struct op *op, const struct bulk_copy *copy)
{
    const struct tensor_copy *tile = copy->tile;
    struct tensor_box box = tensor_box_of(&tile->map);
    uint64_t ends[2][SIM_LANES] = {{0}};
    unsigned char bytes[TENSOR_ROW_MOST];
    bool is_whole = tile->map.swizzle || !tile->stores; // a swizzled row's chunks lie anywhere in it
    struct sim_access all = {.kind = SIM_BULK_COPY,
                             .space = tile->stores ? PTX_GLOBAL : PTX_SHARED,
                             .mask = 1u << copy->lane,
                             .addresses = ends[tile->stores],
                             .sources = ends[!tile->stores],
                             .source_space = tile->stores ? PTX_SHARED : PTX_GLOBAL,
                             .combines = copy->reduce != 0,
                             .mbarrier = copy->mbarrier,
                             .phase = copy->group};
    for (uint32_t i = 0; i < box.rows; i++) {
        struct tensor_row row = tensor_row_of(&tile->map, &box, tile->at, i, tile->stores);
        if (tile->stores && !row.inside)
            continue;
        struct sim_access access = all;
        ends[0][copy->lane] = tile->tile + i * box.pitch + (is_whole ? 0 : row.from);
        ends[1][copy->lane] = row.address;
        access.bytes = tile->stores ? row.inside : box.pitch;
        access.source_mask = row.inside ? access.mask : 0;
        if (tile->stores && !copy->reduce) {
            tensor_row_from_tile(&tile->map, tile->tile, i * box.pitch, bytes, copy->source);
            access.values = bytes + row.from;
        }
        access.source_bytes = tile->stores && is_whole ? box.pitch : row.inside;
        sim_watch_access(x, op, &access);
        all.is_part = true;
    }
}

static bool may_reduce(uint8_t action, enum tensor_type type)
{
    if (!action)
        return true;
    bool is_half = type == TENSOR_F16 || type == TENSOR_BF16,
         is_float = is_half || type == TENSOR_F32 || type == TENSOR_F64;
    switch (action - 1) {
    case ATOM_ADD:
        return type >= TENSOR_U32 && type != TENSOR_S64;
    case ATOM_MIN:
    case ATOM_MAX:
        return type >= TENSOR_U32 && (!is_float || is_half);
    case ATOM_INC:
    case ATOM_DEC:
        return type == TENSOR_U32;
    default:
        return type >= TENSOR_U32 && type < TENSOR_S64;
    }
}

// Where hardware ends with an illegal instruction (measured on an H200).
static bool corner_fits(struct exec *x, const struct op *op, uint32_t lane, const struct tensor_copy *copy)
{
    int64_t bytes = (int64_t)copy->at[0] * tensor_type_bytes(copy->map.type);
    if (bytes % 16)
        return sim_fault(
                   x, op, lane,
                   "begins a box at element %d of a row, %lld bytes from its start: that must be a multiple of 16",
                   copy->at[0], (long long)bytes) != NULL;
    for (uint32_t i = 0; copy->stores && i < copy->map.rank; i++)
        if (copy->at[i] < 0)
            return sim_fault(x, op, lane, "stores a box at coordinate %d: only loads may begin outside, below 0",
                             copy->at[i]) != NULL;
    return true;
}

static bool tensor_lane(struct exec *x, const struct op *op, uint32_t lane)
{
    struct tensor_copy tile = {.stores = !op->count};
    if (!find_map(x, op, lane, &tile) || !corner_fits(x, op, lane, &tile))
        return false;
    struct tensor_box box = tensor_box_of(&tile.map);
    uint64_t shared = slot_get(x, op, 0, lane) + op->list[0];
    struct place place;
    if (shared % TENSOR_TILE_ALIGNMENT)
        return sim_fault(x, op, lane,
                         "copies a box and a tile at shared address %llu, which must be a multiple of %d: "
                         "declare it __align__(128), or with a swizzle __align__(1024)",
                         (unsigned long long)(shared & UINT32_MAX), TENSOR_TILE_ALIGNMENT) != NULL;
    if (!may_reduce(op->action, (enum tensor_type)tile.map.type))
        return sim_fault(x, op, lane, "reduces elements of type %s, which tensor copies cannot combine so",
                         ptx_type_name((enum ptx_type)element_types[tile.map.type])) != NULL;
    unsigned char *data = sim_place_span(x, op, PTX_SHARED, shared, lane, box.span, !tile.stores, &place);
    if (!data || !find_rows(x, op, lane, &tile))
        return false;
    tile.tile = shared - place.start;
    struct block *block = sim_bulk_block(x, &place);
    struct bulk_copy copy = {.target = data,
                             .source = data,
                             .bytes = box.bytes,
                             .mark = place.mark,
                             .offset = tile.tile,
                             .reduce = op->action,
                             .type = element_types[tile.map.type],
                             .tile = &tile};
    uint64_t notified = op->count ? slot_get(x, op, 3, lane) + op->list[2] : UINT64_MAX;
    uint32_t blocks = op->extra ? (uint32_t)slot_get(x, op, 4, lane) & UINT16_MAX : 1u << x->block->rank;
    if (!sim_bulk_ends(x, op, lane, notified, block, &copy))
        return false;
    bool is_own = block == x->block && blocks >> x->block->rank & 1;
    if (is_own && x->wants & (SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL))
        tell_rows(x, op, &copy);
    if (op->extra)
        return sim_bulk_spread(x, op, &copy, blocks);
    sim_bulk_add(x, block, &copy);
    return true;
}

static const struct op *run_tensor(struct exec *x, const struct op *op, uint32_t mask)
{
    FOR_LANES (lane, mask)
        if (!tensor_lane(x, op, lane))
            return NULL;
    return op + 1;
}

static const struct op *run_tensor_prefetch(struct exec *x, const struct op *op, uint32_t mask)
{
    struct tensor_copy copy = {.stores = false};
    FOR_LANES (lane, mask)
        if (!find_map(x, op, lane, &copy))
            return NULL;
    return op + 1;
}

// The map is operand `number`, the coordinates are the next one.
static void decode_map(struct decoder *d, uint32_t *list, uint32_t number)
{
    struct op *op = d->op;
    uint32_t wide, rank = 0, count = decode_list(d, number + 1, PTX_S32, false, &wide);
    for (unsigned i = 0; i < d->inst->modifier_count; i++) {
        const char *word = ptx_modifier_name((enum ptx_modifier)d->inst->modifiers[i]);
        if (word[0] >= '1' && word[0] <= '5' && word[1] == 'd' && !word[2])
            rank = (uint32_t)(word[0] - '0');
    }
    if (rank != count || rank > TENSOR_RANK) {
        decode_refuse(d, "it takes %u coordinates, and there are %u", rank, count);
        return;
    }
    memcpy(list + LIST_COORDINATES, op->list, count * sizeof *list);
    decode_bulk_address(d, 1, number, &list[1]);
    op->list = list;
    op->imm = rank;
}

void decode_tensor(struct decoder *d)
{
    struct op *op = d->op;
    uint32_t *list = arena_alloc(d->program->arena, (LIST_COORDINATES + TENSOR_RANK) * sizeof *list);
    op->count = decode_has(d, PTX_MOD_MBARRIER__COMPLETE_TX__BYTES);
    op->extra = decode_has(d, PTX_MOD_MULTICAST__CLUSTER);
    decode_bulk_address(d, 0, op->count ? 0 : 2, &list[0]);
    if (op->count)
        decode_bulk_address(d, 3, 3, &list[2]);
    if (op->extra)
        decode_source(d, 4, 4, PTX_U16);
    decode_map(d, list, op->count ? 1 : 0);
    op->kind = SIM_BULK_COPY;
    op->space = op->count ? PTX_SHARED : PTX_GLOBAL;
    op->order = op->action ? SIM_RELAXED : SIM_WEAK; // a reduction adds as atomics do
    op->scope = SIM_SCOPE_GPU;
    if (op->action)
        d->program->ordered = true;
    op->run = run_tensor;
}

void decode_tensor_prefetch(struct decoder *d)
{
    uint32_t *list = arena_alloc(d->program->arena, (LIST_COORDINATES + TENSOR_RANK) * sizeof *list);
    decode_map(d, list, 0);
    d->op->run = run_tensor_prefetch;
}
