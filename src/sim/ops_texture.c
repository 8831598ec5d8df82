// Texture fetches, gathers and queries; surface loads, stores and reductions.
#include <assert.h>

#include "sim/decode.h"

enum { BOUNDARY_TRAP, BOUNDARY_CLAMP, BOUNDARY_ZERO };

struct texture_operands {
    enum texture_kind kind;
    uint32_t handle;          // slot
    uint32_t coordinates[3];  // slots; after the layer's
    uint32_t layer;           // slot
    bool has_whole;           // coordinates are integers
    const uint32_t *elements; // slots of what is read or written
    uint32_t wide;            // bit i: the slot of element i is 64 bits wide
    uint32_t count;
    uint32_t resident; // slot of the predicate that says whether the element was there: always
    uint8_t boundary;
};

// ---- the texture of a lane

static const struct op *refuse_handle(struct exec *x, const struct op *op, uint32_t lane, uint64_t handle, bool surface)
{
    const struct texture_operands *t = op->texture;
    const char *what = surface ? "surface" : "texture", *word = surface ? "surf" : "tex";
    const struct sim_allocation *buffer = sim_memory_find(x->memory, handle);
    if (buffer)
        return sim_fault(x, op, lane,
                         "uses the buffer `%s` as a %s %s: make it one, as in --arg '%s:%s(f32[%s])=random'",
                         buffer->name, texture_kind_name(t->kind), what, buffer->name, word,
                         texture_dimensions(t->kind) == 1 && !texture_has_layers(t->kind) ? "64"
                         : texture_dimensions(t->kind) + texture_has_layers(t->kind) <= 2 ? "64*64"
                                                                                          : "64*64*6");
    const struct texture *found = sim_texture_find(x->memory, handle);
    if (!found)
        return sim_fault(x, op, lane, "uses 0x%llx as a %s %s, and no %s has that handle", (unsigned long long)handle,
                         texture_kind_name(t->kind), what, what);
    if (found->is_surface != surface)
        return sim_fault(x, op, lane, "uses a %s as a %s", found->is_surface ? "surface" : "texture", what);
    if (found->kind == t->kind)
        return sim_fault(x, op, lane,
                         t->has_whole ? "counts the elements (tex1Dfetch) of a texture that is no linear "
                                        "memory: make it such, as in --arg 't:tex(f32[64],memory)=random'"
                                      : "reads linear memory by a coordinate: tex1Dfetch does that");
    return sim_fault(x, op, lane, "uses a %s %s as a %s one", texture_kind_name(found->kind), what,
                     texture_kind_name(t->kind));
}

static const struct texture *texture_of(struct exec *x, const struct op *op, uint32_t lane, bool surface)
{
    const struct texture_operands *t = op->texture;
    uint64_t handle = ((const uint64_t *)slot_at(x, t->handle))[lane];
    const struct texture *found = sim_texture_find(x->memory, handle);
    bool fits = found && found->is_surface == surface && found->kind == t->kind;
    if (fits && !surface) // tex1Dfetch, and nothing else, reads 1D linear memory
        fits = t->has_whole == (found->is_linear_memory && found->kind == TEXTURE_1D);
    if (fits)
        return found;
    refuse_handle(x, op, lane, handle, surface);
    return NULL;
}

struct texel_context {
    struct exec *x;
    const struct texture *texture;
};

static unsigned char *texture_touch(struct exec *x, const struct texture *texture, uint64_t offset, uint32_t bytes,
                                    unsigned kinds)
{
    struct place place = {0};
    bool found = place_global(x, texture->data, &place);
    assert(found);
    (void)found;
    offset += texture->data - place.start;
    if (place.trail && kinds & TOUCH_READ) {
        place_touch(x, &place, TOUCH_READ);
        sim_bits_set(place.trail->read, offset, bytes);
    }
    if (kinds & TOUCH_WRITE) {
        if (place.trail)
            place_touch(x, &place, TOUCH_WRITE);
        sim_bits_set(place.mark, offset, bytes);
    }
    return place.data + offset;
}

static const unsigned char *texel_at(void *context, uint64_t offset, uint32_t bytes)
{
    const struct texel_context *at = context;
    return texture_touch(at->x, at->texture, offset, bytes, TOUCH_READ);
}

static void elements_put(struct exec *x, const struct texture_operands *t, uint32_t lane, const uint32_t words[4])
{
    for (uint32_t i = 0; i < t->count; i++)
        ((uint32_t *)slot_at(x, t->elements[i]))[lane] = words[i];
}

// ---- textures

static const struct op *run_tex(struct exec *x, const struct op *op, uint32_t mask)
{
    const struct texture_operands *t = op->texture;
    unsigned dimensions = texture_dimensions(t->kind);
    FOR_LANES (lane, mask) {
        const struct texture *texture = texture_of(x, op, lane, false);
        if (!texture)
            return NULL;
        struct texel_context context = {x, texture};
        struct texture_source source = {texture, texel_at, &context};
        uint32_t bits[3] = {0}, words[4], layer = 0;
        for (unsigned i = 0; i < dimensions; i++)
            bits[i] = ((const uint32_t *)slot_at(x, t->coordinates[i]))[lane];
        if (texture_has_layers(t->kind))
            layer = ((const uint32_t *)slot_at(x, t->layer))[lane];
        if (t->has_whole) {
            int32_t c[3];
            memcpy(c, bits, sizeof c);
            texture_fetch_whole(&source, c, layer, words);
        } else {
            float c[3];
            memcpy(c, bits, sizeof c);
            texture_fetch(&source, c, layer, words);
        }
        elements_put(x, t, lane, words);
    }
    *(uint32_t *)slot_at(x, t->resident) |= mask;
    return op + 1;
}

static const struct op *run_gather(struct exec *x, const struct op *op, uint32_t mask)
{
    const struct texture_operands *t = op->texture;
    FOR_LANES (lane, mask) {
        const struct texture *texture = texture_of(x, op, lane, false);
        if (!texture)
            return NULL;
        struct texel_context context = {x, texture};
        struct texture_source source = {texture, texel_at, &context};
        uint32_t words[4];
        float c[2];
        for (unsigned i = 0; i < 2; i++)
            c[i] = ((const float *)slot_at(x, t->coordinates[i]))[lane];
        texture_gather(&source, c, op->action, words);
        elements_put(x, t, lane, words);
    }
    *(uint32_t *)slot_at(x, t->resident) |= mask;
    return op + 1;
}

static const struct op *run_query(struct exec *x, const struct op *op, uint32_t mask)
{
    FOR_LANES (lane, mask) {
        uint64_t handle = slot_get(x, op, 1, lane);
        const struct texture *texture = sim_texture_find(x->memory, handle);
        if (!texture)
            return refuse_handle(x, op, lane, handle, false);
        bool layered = texture_has_layers(texture->kind);
        uint32_t faces = texture->kind == TEXTURE_CUBES ? 6 : 1;
        uint32_t answers[] = {texture->extent[0], texture_dimensions(texture->kind) > 1 ? texture->extent[1] : 0,
                              texture->kind == TEXTURE_3D ? texture->extent[2] : 0,
                              layered ? texture->extent[2] / faces : 0};
        slot_put(x, op, 0, lane, answers[op->action]);
    }
    return op + 1;
}

// ---- surfaces

// Where the lane's bytes are; NULL with *beyond: outside, and .zero; NULL else: a fault.
static unsigned char *surface_at(struct exec *x, const struct op *op, uint32_t lane, unsigned kinds, bool *beyond)
{
    const struct texture_operands *t = op->texture;
    const struct texture *surface = texture_of(x, op, lane, true);
    uint32_t bytes = op->width * t->count;
    *beyond = false;
    if (!surface)
        return NULL;
    unsigned dimensions = texture_dimensions(t->kind);
    int64_t row = (int64_t)surface->extent[0] * texture_element_bytes(surface), c[3] = {0};
    for (unsigned i = 0; i < dimensions; i++)
        c[i] = ((const int32_t *)slot_at(x, t->coordinates[i]))[lane];
    if (texture_has_layers(t->kind))
        c[2] = ((const uint32_t *)slot_at(x, t->layer))[lane]; // has no sign
    for (unsigned i = 0; i < 3; i++) {
        int64_t most = i ? (int64_t)surface->extent[i] - 1 : row - (int64_t)bytes;
        if (c[i] >= 0 && c[i] <= most)
            continue;
        *beyond = t->boundary == BOUNDARY_ZERO;
        if (t->boundary == BOUNDARY_TRAP)
            sim_fault_as(x, SIM_FAULT_BOUNDS, op, lane,
                         "reaches %s %lld of a surface of %u x %u x %u elements%s, and the mode is .trap",
                         i == 0   ? "byte"
                         : i == 1 ? "row"
                                  : "layer",
                         (long long)c[i], surface->extent[0], surface->extent[1], surface->extent[2],
                         i ? "" : " (x counts bytes)");
        if (t->boundary != BOUNDARY_CLAMP)
            return NULL;
        c[i] = c[i] < 0 ? 0 : most;
    }
    if (c[0] % bytes) {
        sim_fault_as(x, SIM_FAULT_MISALIGNED, op, lane, "reaches %u bytes at byte %lld of a surface's row", bytes,
                     (long long)c[0]);
        return NULL;
    }
    uint64_t offset = (uint64_t)((c[2] * surface->extent[1] + c[1]) * row + c[0]);
    return texture_touch(x, surface, offset, bytes, kinds);
}

static const struct op *run_suld(struct exec *x, const struct op *op, uint32_t mask)
{
    const struct texture_operands *t = op->texture;
    FOR_LANES (lane, mask) {
        bool beyond;
        const unsigned char *at = surface_at(x, op, lane, TOUCH_READ, &beyond);
        if (!at && !beyond)
            return NULL;
        for (uint32_t i = 0; i < t->count; i++) {
            uint64_t value = 0;
            if (at)
                memcpy(&value, at + i * op->width, op->width);
            lane_put(slot_at(x, t->elements[i]), t->wide >> i & 1, lane, value);
        }
    }
    return op + 1;
}

static const struct op *run_sust(struct exec *x, const struct op *op, uint32_t mask)
{
    const struct texture_operands *t = op->texture;
    FOR_LANES (lane, mask) {
        bool beyond;
        unsigned char *at = surface_at(x, op, lane, TOUCH_WRITE, &beyond);
        if (!at && !beyond)
            return NULL;
        for (uint32_t i = 0; i < t->count && at; i++) {
            uint64_t value = lane_get(slot_at(x, t->elements[i]), t->wide >> i & 1, lane);
            memcpy(at + i * op->width, &value, op->width);
        }
    }
    return op + 1;
}

static const struct op *run_sured(struct exec *x, const struct op *op, uint32_t mask)
{
    const struct texture_operands *t = op->texture;
    FOR_LANES (lane, mask) {
        bool beyond;
        unsigned char *at = surface_at(x, op, lane, TOUCH_READ | TOUCH_WRITE, &beyond);
        uint64_t old = 0;
        if (!at && !beyond)
            return NULL;
        if (!at)
            continue;
        memcpy(&old, at, op->width);
        old = sim_atom_apply(op, false, old, lane_get(slot_at(x, t->elements[0]), t->wide & 1, lane), 0);
        memcpy(at, &old, op->width);
    }
    return op + 1;
}

// ---- decoding

static struct texture_operands *operands_new(struct decoder *d, enum texture_kind kind, uint32_t address)
{
    struct texture_operands *t = arena_alloc(d->program->arena, sizeof *t);
    *t = (struct texture_operands){.kind = kind, .resident = (uint32_t)BASE_WARP << SLOT_SHIFT | WARP_SINK};
    decode_address(d, 1, address);
    if (!(d->op->wide & 2) || d->op->offset)
        decode_refuse(d, "a handle has 64 bits and no offset");
    t->handle = d->op->slot[1];
    d->op->texture = t;
    return t;
}

// The layer comes first; what stands behind the last coordinate is not looked at.
static void decode_coordinates(struct decoder *d, struct texture_operands *t, uint32_t number, enum ptx_type type)
{
    const struct ptx_operand *vector = decode_operand(d, number), *elements = vector;
    uint32_t count = 1, layers = texture_has_layers(t->kind), dimensions = texture_dimensions(t->kind);
    bool wide, pred;
    if (vector->kind == PTX_OPERAND_VECTOR) {
        elements = &d->source->operands[vector->value.vector.first];
        count = vector->value.vector.count;
    }
    if (count < layers + dimensions || count > 4) {
        decode_refuse(d, "%u coordinates for a %s texture or surface", count, texture_kind_name(t->kind));
        return;
    }
    if (layers)
        t->layer = decode_slot(d, &elements[0], PTX_B32, false, &wide, &pred);
    for (uint32_t i = 0; i < dimensions; i++)
        t->coordinates[i] = decode_slot(d, &elements[layers + i], type, false, &wide, &pred);
    t->has_whole = type == PTX_S32;
}

static void decode_texels(struct decoder *d, struct texture_operands *t, uint32_t number, enum ptx_type type,
                          uint32_t wanted)
{
    t->count = decode_list(d, number, type, true, &t->wide);
    t->elements = d->op->list;
    if (t->count != wanted)
        decode_refuse(d, "%u registers for %u values", t->count, wanted);
}

void decode_tex(struct decoder *d)
{
    uint32_t extras = d->handler->action; // the level of detail, or two gradients: there is one level
    enum texture_kind kind = (enum texture_kind)d->inst->choice;
    struct texture_operands *t = operands_new(d, kind, 1);
    if (d->inst->operand_count != 3 + extras ||
        (extras == 2) != (decode_operand(d, 3)->kind == PTX_OPERAND_VECTOR && extras)) {
        decode_defer(d, "with a sampler of its own, an offset or a depth: run it on a GPU (--device gpu)");
        return;
    }
    decode_texels(d, t, 0, decode_type(d, 0), 4);
    decode_coordinates(d, t, 2, decode_type(d, 1));
    if (decode_operand(d, 0)->pair_reg >= 0)
        t->resident = decode_pair(d, decode_operand(d, 0));
    d->op->run = run_tex;
}

void decode_gather(struct decoder *d)
{
    struct texture_operands *t = operands_new(d, TEXTURE_2D, 1);
    if (d->inst->operand_count != 3) {
        decode_defer(d, "with a sampler of its own, an offset or a depth: run it on a GPU (--device gpu)");
        return;
    }
    decode_texels(d, t, 0, decode_type(d, 0), 4);
    decode_coordinates(d, t, 2, PTX_F32);
    if (decode_operand(d, 0)->pair_reg >= 0)
        t->resident = decode_pair(d, decode_operand(d, 0));
    d->op->run = run_gather;
}

void decode_query(struct decoder *d)
{
    operands_new(d, TEXTURE_1D, 1);
    decode_dest(d, 0, 0, PTX_B32);
    d->op->run = run_query;
}

static void decode_surface(struct decoder *d, uint32_t address, uint32_t value, op_run *run)
{
    struct texture_operands *t = operands_new(d, (enum texture_kind)d->inst->choice, address);
    enum ptx_type type = decode_type(d, 0);
    d->op->width = (uint8_t)ptx_type_size(type);
    decode_texels(d, t, value, type, d->inst->vector ? d->inst->vector : 1);
    decode_coordinates(d, t, address + 1, PTX_S32);
    t->boundary = decode_has(d, PTX_MOD_CLAMP)  ? BOUNDARY_CLAMP
                  : decode_has(d, PTX_MOD_ZERO) ? BOUNDARY_ZERO
                                                : BOUNDARY_TRAP;
    d->op->run = run;
}

void decode_suld(struct decoder *d)
{
    decode_surface(d, 1, 0, run_suld);
}

void decode_sust(struct decoder *d)
{
    decode_surface(d, 0, 2, run_sust);
}

void decode_sured(struct decoder *d)
{
    decode_surface(d, 0, 2, run_sured);
    d->op->action = decode_has(d, PTX_MOD_ADD)   ? ATOM_ADD
                    : decode_has(d, PTX_MOD_MIN) ? ATOM_MIN
                    : decode_has(d, PTX_MOD_MAX) ? ATOM_MAX
                    : decode_has(d, PTX_MOD_AND) ? ATOM_AND
                                                 : ATOM_OR;
}
