// wgmma: products of a warp group, four warps in a row, with operands in shared memory that a descriptor names.
//
// Every warp computes its own 16 rows when it comes to the instruction, and writes its registers then, not when the
// group is waited for: compilers copy accumulators from register to register while a group is under way (ptxas takes
// those copies out again), so a result that came late would be lost. Who looks too early is told by src/hazard instead.
// That all four warps execute the same is checked when they come, and at the block's end.
//
// Descriptors, by the PTX ISA ("Matrix descriptor", "Canonical layouts"), with all distances in bytes. An operand is
// cut into chunks of 16 bytes. Where K is contiguous, row r's chunk c (of the two along K) lies at
//     r / 8 * stride + r % 8 * span + c * (16 with swizzle, else leading),         span: 16, 32, 64 or 128
// and where M or N is contiguous, the chunk of rows 8 q … 8 q + 7 at k at
//     q * stride + k / 8 * leading + k % 8 * 16                                      without swizzle,
//     q / p * leading + q % p * 16 + k / 8 * stride + k % 8 * span, p = span / 16    with it,
// from the start on. The swizzle is that of the address (shape_swizzle), less 128 * the base offset.
#include <stdio.h>
#include <stdlib.h>

#include "sim/matrix.h"
#include "sim/shape.h"

enum { CHUNK = 16, BLOCK_CHUNKS = 16, SIDES = 2 }; // a block: eight rows of an operand

struct group_product {
    struct matrix_shape shape; // of one warp's product with eight columns
    uint32_t columns;
    const uint32_t *d, *a; // registers; a is NULL: both operands are in shared memory
    bool turned[SIDES];    // M or N is contiguous
    bool negates;
};

struct descriptor {
    uint64_t bits;
    uint32_t start, leading, stride, base, span;
    bool is_turned;
};

static struct descriptor descriptor_read(uint64_t bits, bool is_turned)
{
    static const uint32_t spans[] = {CHUNK, 128, 64, 32};
    return (struct descriptor){.bits = bits,
                               .start = (uint32_t)(bits & 0x3fff) << 4,
                               .leading = (uint32_t)(bits >> 16 & 0x3fff) << 4,
                               .stride = (uint32_t)(bits >> 32 & 0x3fff) << 4,
                               .base = (uint32_t)(bits >> 49 & 7) * 128,
                               .span = spans[bits >> 62],
                               .is_turned = is_turned};
}

// Of a block's chunk: K contiguous: 8 * (the chunk along K) + row; else k.
static uint32_t chunk_address(const struct descriptor *from, uint32_t block, uint32_t chunk)
{
    uint32_t high = chunk / 8, low = chunk % 8, pieces = from->span / CHUNK, at = from->start + low * from->span;
    bool is_plain = from->span == CHUNK;
    if (!from->is_turned)
        at += block * from->stride + high * (is_plain ? from->leading : CHUNK);
    else if (is_plain)
        at += block * from->stride + high * from->leading;
    else
        at += block / pieces * from->leading + block % pieces * CHUNK + high * from->stride;
    return (uint32_t)shape_swizzle(at - from->base, from->span) + from->base;
}

// ---- the warps of a group

struct group_step { // what the first of them executed
    const struct op *op;
    uint64_t descriptors[SIDES];
};

struct warp_group {
    struct group_step *steps; // from the one on that not all have executed
    size_t count, capacity;
    size_t done[GROUP_WARPS]; // of them
};

void sim_groups_reset(struct block *block)
{
    for (uint32_t i = 0; block->groups && i < block->warp_count / GROUP_WARPS; i++) {
        block->groups[i].count = 0;
        memset(block->groups[i].done, 0, sizeof block->groups[i].done);
    }
}

void sim_groups_free(struct block *block)
{
    for (uint32_t i = 0; block->groups && i < block->warp_count / GROUP_WARPS; i++)
        free(block->groups[i].steps);
    free(block->groups);
}

static void group_forget(struct warp_group *group)
{
    size_t least = group->done[0];
    for (int i = 1; i < GROUP_WARPS; i++)
        least = group->done[i] < least ? group->done[i] : least;
    if (!least)
        return;
    group->count -= least;
    memmove(group->steps, group->steps + least, group->count * sizeof *group->steps);
    for (int i = 0; i < GROUP_WARPS; i++)
        group->done[i] -= least;
}

static uint32_t op_line(const struct exec *x, const struct op *op)
{
    const char *file = "";
    uint32_t line = 0;
    const struct ptx_inst *inst = sim_program_inst(x->program, op_pc(x, op), NULL);
    ptx_source(x->program->module, inst, x->launch->main_file, &file, &line);
    return line ? line : inst->text_line;
}

// False after a fault: this warp's next step of the group is not that of the others.
static bool group_meets(struct exec *x, const struct op *op, uint64_t a, uint64_t b)
{
    struct block *block = x->block;
    uint32_t number = x->warp->number / GROUP_WARPS, in_group = x->warp->number % GROUP_WARPS;
    const char *name = ptx_opcode_name(sim_program_inst(x->program, op_pc(x, op), NULL)->op);
    if (number * GROUP_WARPS + GROUP_WARPS > block->warp_count)
        return sim_fault(
                   x, op, 0,
                   "executes %s in warp %u of a block of %u warps: it takes a warp group, four warps of which the "
                   "first one's number is a multiple of 4",
                   name, x->warp->number, block->warp_count) != NULL;
    if (!block->groups)
        block->groups = mem_alloc(block->warp_count / GROUP_WARPS * sizeof *block->groups);
    struct warp_group *group = &block->groups[number];
    if (x->launch->lone_warp)
        return true;
    size_t at = group->done[in_group]++;
    if (at == group->count) {
        *mem_append(group->steps, group->capacity, group->count) = (struct group_step){.op = op, .descriptors = {a, b}};
        return true;
    }
    const struct group_step *step = &group->steps[at];
    uint32_t first = number * GROUP_WARPS;
    if (step->op != op)
        return sim_fault(x, op, 0,
                         "executes %s in warp %u where another one of its warp group, warps %u to %u, executed %s of "
                         "line %u: all four must execute the same ones in the same order",
                         name, x->warp->number, first, first + GROUP_WARPS - 1,
                         ptx_opcode_name(sim_program_inst(x->program, op_pc(x, step->op), NULL)->op),
                         op_line(x, step->op)) != NULL;
    if (step->descriptors[0] != a || step->descriptors[1] != b)
        return sim_fault(x, op, 0,
                         "gives %s a descriptor of %c (0x%llx) that is not that of another warp (0x%llx) of its warp "
                         "group, warps %u to %u: all four must give the same; the warp's own rows are found by its "
                         "number",
                         name, step->descriptors[0] != a ? 'A' : 'B',
                         (unsigned long long)(step->descriptors[0] != a ? a : b),
                         (unsigned long long)step->descriptors[step->descriptors[0] == a], first,
                         first + GROUP_WARPS - 1) != NULL;
    group_forget(group);
    return true;
}

bool sim_groups_ended(struct exec *x, struct block *block)
{
    for (uint32_t i = 0; block->groups && i < block->warp_count / GROUP_WARPS; i++) {
        const struct warp_group *group = &block->groups[i];
        for (uint32_t w = 0; w < GROUP_WARPS && group->count; w++) {
            if (group->done[w] == group->count)
                continue;
            const struct group_step *step = &group->steps[group->done[w]];
            uint32_t number = i * GROUP_WARPS + w;
            sim_block_fault(x, STATUS_FAULT, step->op, &block->warps[number], 0,
                            "ends, with all of warp %u, without the %s that another warp of its warp group executed: "
                            "all four must execute it",
                            number, ptx_opcode_name(sim_program_inst(x->program, op_pc(x, step->op), NULL)->op));
            return false;
        }
    }
    return true;
}

// ---- operands in shared memory

// One warp's product at work.
struct group_visit {
    struct exec *x;
    const struct op *op;
    struct descriptor from[SIDES];
    uint32_t *chunks[SIDES], counts[SIDES]; // addresses of what is read
    uint64_t unset;                         // the first place that nobody wrote, or UINT64_MAX
};

static bool chunk_outside(const struct group_visit *visit, int side, uint32_t block, uint32_t at)
{
    const struct descriptor *from = &visit->from[side];
    uint32_t size = visit->x->block->view.shared_size;
    visit->x->result->address = at;
    visit->x->result->space = PTX_SHARED;
    sim_fault_as(
        visit->x, SIM_FAULT_BOUNDS, visit->op, 0,
        "reads rows %u to %u of %c at byte %u of %u bytes of shared memory: the descriptor 0x%llx starts at %u, "
        "with a leading offset of %u bytes, a stride of %u and %s",
        block * 8, block * 8 + 7, side ? 'B' : 'A', at, size, (unsigned long long)from->bits, from->start,
        from->leading, from->stride,
        from->span == 128  ? "a swizzle of 128 bytes"
        : from->span == 64 ? "a swizzle of 64 bytes"
        : from->span == 32 ? "a swizzle of 32 bytes"
                           : "no swizzle");
    return false;
}

// How far a block's chunks lie behind those of the one before it, which is told. 0: that is not alike for all of them,
// as a swizzle looks at the address.
static uint32_t block_distance(const struct descriptor *from)
{
    enum { SWIZZLES_AGAIN = 1024 }; // bytes
    bool is_even = !from->is_turned || from->span == CHUNK;
    return is_even && from->stride % SWIZZLES_AGAIN == 0 ? from->stride : 0;
}

// The addresses of eight rows of an operand; blocks are listed in their order. False after a fault.
static bool list_block(struct group_visit *visit, int side, uint32_t block)
{
    const struct block *owner = visit->x->block;
    uint32_t *chunks = visit->chunks[side] + visit->counts[side];
    uint32_t distance = visit->counts[side] ? block_distance(&visit->from[side]) : 0;
    for (uint32_t chunk = 0; chunk < BLOCK_CHUNKS; chunk++) {
        uint32_t at =
            distance ? chunks[(int)chunk - BLOCK_CHUNKS] + distance : chunk_address(&visit->from[side], block, chunk);
        uint16_t valid = UINT16_MAX;
        if (at > owner->view.shared_size || owner->view.shared_size - at < CHUNK)
            return chunk_outside(visit, side, block, at);
        if (owner->shared_valid)
            memcpy(&valid, owner->shared_valid + at / 8, sizeof valid);
        if (valid != UINT16_MAX && visit->unset == UINT64_MAX)
            visit->unset = at;
        chunks[chunk] = at;
        visit->counts[side]++;
    }
    return true;
}

// The how-manieth listed eight rows into the two registers of mma's fragment that hold them.
static void stage_block(const struct group_visit *visit, int side, uint32_t number, uint32_t *low, uint32_t *high)
{
    const uint32_t *chunks = visit->chunks[side] + (size_t)number * BLOCK_CHUNKS;
    for (uint32_t chunk = 0; chunk < BLOCK_CHUNKS; chunk++) {
        const unsigned char *from = visit->x->block->shared + chunks[chunk];
        uint32_t *to = chunk < BLOCK_CHUNKS / 2 ? low : high;
        uint16_t halves[CHUNK / 2];
        if (!visit->from[side].is_turned) {
            memcpy(to + chunk % 8 * 4, from, CHUNK);
            continue;
        }
        memcpy(halves, from, CHUNK);
        uint32_t shift = chunk % 2 * 16, keep = 0xffff0000u >> shift;
        for (uint32_t row = 0; row < 8; row++) {
            uint32_t *word = &to[row * 4 + chunk % 8 / 2];
            *word = (*word & keep) | (uint32_t)halves[row] << shift;
        }
    }
}

// ---- the product

static void tell_group(const struct group_visit *visit, enum sim_group_kind kind, uint32_t count)
{
    struct sim_group group = {.kind = kind,
                              .count = count,
                              .chunks = {visit->chunks[0], visit->chunks[1]},
                              .counts = {visit->counts[0], visit->counts[1]}};
    if (visit->x->wants & SIM_WANT_GROUP)
        sim_watch_group(visit->x, visit->op, &group);
}

// One value for all lanes; false after a fault.
static bool group_value(struct exec *x, const struct op *op, uint32_t k, const char *what, uint64_t *value)
{
    *value = slot_get(x, op, k, 0);
    for (uint32_t lane = 1; lane < SIM_LANES; lane++)
        if (slot_get(x, op, k, lane) != *value)
            return sim_fault(x, op, lane,
                             "gives wgmma.mma_async another %s than lane 0 of its warp: all must give the same",
                             what) != NULL;
    return true;
}

// What this warp's part reads. False after a fault.
static bool list_operands(struct group_visit *visit, const struct group_product *product)
{
    uint32_t row_block = visit->x->warp->number % GROUP_WARPS * 2;
    if (!product->a && (!list_block(visit, 0, row_block) || !list_block(visit, 0, row_block + 1)))
        return false;
    for (uint32_t block = 0; block < product->columns / GROUP_COLUMNS; block++)
        if (!list_block(visit, 1, block))
            return false;
    return true;
}

static void multiply(const struct group_visit *visit, const struct group_product *product, bool adds)
{
    static __thread _Alignas(32) uint32_t stage[GROUP_A_REGS + GROUP_B_REGS][SIM_LANES];
    struct exec *x = visit->x;
    uint32_t slots[GROUP_A_REGS + GROUP_B_REGS];
    x->base[BASE_STAGE] = (unsigned char *)stage;
    for (uint32_t i = 0; i < GROUP_A_REGS + GROUP_B_REGS; i++)
        slots[i] = (uint32_t)BASE_STAGE << SLOT_SHIFT | i * R32_BYTES;
    for (uint32_t half = 0; half < 2 && !product->a; half++)
        stage_block(visit, 0, half, stage[half], stage[half + 2]);
    uint32_t regs = product->shape.d.regs;
    for (uint32_t block = 0; block < product->columns / GROUP_COLUMNS; block++) {
        const uint32_t *d = product->d + block * regs;
        stage_block(visit, 1, block, stage[GROUP_A_REGS], stage[GROUP_A_REGS + 1]);
        struct matrix_lists lists = {.d = d,
                                     .a = block        ? NULL
                                          : product->a ? product->a
                                                       : slots,
                                     .b = slots + GROUP_A_REGS,
                                     .c = adds ? d : NULL,
                                     .negates = product->negates};
        matrix_multiply(x, &product->shape, &lists);
    }
}

// slots: 1 and 2 the descriptors of A (unless it is in registers) and B, 3 whether it adds to D
static const struct op *run_wgmma(struct exec *x, const struct op *op, uint32_t mask)
{
    const struct group_product *product = op->group;
    uint32_t a_chunks[2 * BLOCK_CHUNKS], b_chunks[256 / GROUP_COLUMNS * BLOCK_CHUNKS];
    struct group_visit visit = {.x = x, .op = op, .chunks = {a_chunks, b_chunks}, .unset = UINT64_MAX};
    uint64_t a = 0, b, adds;
    if (!matrix_whole_warp(x, op, mask) || (!product->a && !group_value(x, op, 1, "descriptor of A", &a)) ||
        !group_value(x, op, 2, "descriptor of B", &b) || !group_value(x, op, 3, "scale-d", &adds) ||
        !group_meets(x, op, a, b))
        return NULL;
    visit.from[0] = descriptor_read(a, product->turned[0]);
    visit.from[1] = descriptor_read(b, product->turned[1]);
    if (!list_operands(&visit, product))
        return NULL;
    x->heavy += product->columns;
    x->block->heavy += product->columns;
    tell_group(&visit, SIM_GROUP_PRODUCT, 0);
    if (!(op->flags & OP_IDLE))
        multiply(&visit, product, adds ^ (op->extra & 1));
    sim_watch_unset(x, op, visit.unset != UINT64_MAX, PTX_SHARED, visit.unset);
    return op + 1;
}

static const struct op *group_sync(struct exec *x, const struct op *op, uint32_t mask, enum sim_group_kind kind,
                                   uint32_t count)
{
    struct group_visit visit = {.x = x, .op = op};
    if (!matrix_whole_warp(x, op, mask) || !group_meets(x, op, 0, 0))
        return NULL;
    tell_group(&visit, kind, count);
    return op + 1;
}

const struct op *run_group_fence(struct exec *x, const struct op *op, uint32_t mask)
{
    return group_sync(x, op, mask, SIM_GROUP_FENCE, 0);
}

const struct op *run_group_commit(struct exec *x, const struct op *op, uint32_t mask)
{
    return group_sync(x, op, mask, SIM_GROUP_COMMIT, 0);
}

// Whether all four warps have come to the products that are waited for: a product is the whole warp group's, so that
// what one of its warps has waited for, all have made.
static bool group_has_made(const struct exec *x, uint32_t keep)
{
    const struct block *block = x->block;
    uint32_t number = x->warp->number / GROUP_WARPS;
    if (!block->groups || number >= block->warp_count / GROUP_WARPS || x->launch->lone_warp)
        return true;
    const struct warp_group *group = &block->groups[number];
    size_t need = group->done[x->warp->number % GROUP_WARPS];
    for (uint64_t left = keep + UINT64_C(1); need > 0 && left > 0; need -= left > 0)
        left -= group->steps[need - 1].op->run == run_group_commit;
    for (int w = 0; w < GROUP_WARPS; w++)
        if (group->done[w] < need)
            return false;
    return true;
}

// imm: groups that may stay under way
static const struct op *run_group_wait(struct exec *x, const struct op *op, uint32_t mask)
{
    if (mask && !group_has_made(x, (uint32_t)op->imm)) {
        x->yield = true;
        x->warp->polls++;
        x->block->spinning = op;
        return sim_yield(x, op);
    }
    return group_sync(x, op, mask, SIM_GROUP_WAIT, (uint32_t)op->imm);
}

// Of a thread of a block that has an SM to itself, as ptxas gives them out: no more than that.
static uint32_t launch_registers(const struct exec *x)
{
    enum { OF_SM = 65536, OF_THREAD = 255, STEP = 8 };
    const struct ptx_function *entry = x->program->entry;
    uint64_t threads = (uint64_t)x->block->warp_count * SIM_LANES * (entry->minnctapersm ? entry->minnctapersm : 1);
    uint32_t most = threads * OF_THREAD <= OF_SM ? OF_THREAD : (uint32_t)(OF_SM / threads / STEP * STEP);
    return entry->maxnreg && entry->maxnreg < most ? entry->maxnreg : most;
}

// Registers beyond those of the launch come from warps of the block that gave some of theirs: `setmaxnreg.inc` waits
// for them (PTX ISA, setmaxnreg). A warp that has ended gives none.
static bool has_registers(const struct exec *x, uint32_t count)
{
    const struct block *block = x->block;
    uint64_t launched = launch_registers(x), taken = 0, own = x->warp->registers ? x->warp->registers : launched;
    for (uint32_t i = 0; i < block->warp_count; i++) {
        uint64_t has = block->warps[i].registers ? block->warps[i].registers : launched;
        bool of_group = i / GROUP_WARPS == x->warp->number / GROUP_WARPS; // which wants them, too
        taken += of_group && has < count ? count : has;
    }
    return count <= own || taken <= launched * block->warp_count || x->launch->lone_warp;
}

// imm: registers of a thread from now on
static const struct op *run_setmaxnreg(struct exec *x, const struct op *op, uint32_t mask)
{
    if (mask && !has_registers(x, (uint32_t)op->imm)) {
        x->yield = true;
        x->warp->polls++;
        x->block->spinning = op;
        return sim_yield(x, op);
    }
    if (!matrix_whole_warp(x, op, mask) || !group_meets(x, op, 0, 0))
        return NULL;
    x->warp->registers = (uint32_t)op->imm;
    return op + 1;
}

bool sim_registers_lack(const struct exec *x, const struct op *op, char *text, size_t size)
{
    if (op->run != run_setmaxnreg)
        return false;
    snprintf(text, size,
             ": it waits for %u registers a thread (setmaxnreg), and the block's %u a thread are not given back",
             (uint32_t)op->imm, launch_registers(x));
    return true;
}

// ---- decoding

void decode_group_wait(struct decoder *d)
{
    decode_group_count(d);
    d->op->run = run_group_wait;
}

void decode_setmaxnreg(struct decoder *d)
{
    const struct ptx_operand *count = decode_operand(d, 0);
    if (count->kind != PTX_OPERAND_INTEGER || count->value.bits < 24 || count->value.bits > 256 ||
        count->value.bits % 8)
        decode_refuse(d, "its count must be a constant, a multiple of 8 from 24 to 256");
    d->op->imm = count->value.bits;
    d->op->run = run_setmaxnreg;
}

static bool wgmma_types_fit(enum ptx_type d, enum ptx_type a, enum ptx_type b)
{
    switch (a) {
    case PTX_F16:
        return b == a && (d == PTX_F16 || d == PTX_F32);
    case PTX_BF16:
    case PTX_TF32:
        return b == a && d == PTX_F32;
    case PTX_E4M3:
    case PTX_E5M2:
        return (b == PTX_E4M3 || b == PTX_E5M2) && (d == PTX_F16 || d == PTX_F32);
    case PTX_S8:
    case PTX_U8:
        return (b == PTX_S8 || b == PTX_U8) && d == PTX_S32;
    default:
        return a == PTX_B1 && b == a && d == PTX_S32;
    }
}

// A constant operand that is one of two values.
static bool decode_choice(struct decoder *d, uint32_t number, int64_t low, int64_t high, int64_t *value)
{
    const struct ptx_operand *operand = decode_operand(d, number);
    *value = (int64_t)operand->value.bits;
    if (operand->kind == PTX_OPERAND_INTEGER && (*value == low || *value == high))
        return true;
    decode_refuse(d, "operand %u must be %lld or %lld", number + 1, (long long)low, (long long)high);
    return false;
}

// What follows the predicate: the inputs' signs, then which of those in shared memory are transposed.
static void decode_choices(struct decoder *d, struct group_product *product)
{
    enum ptx_type a = decode_type(d, 1);
    int64_t signs[SIDES] = {1, 1}, turned[SIDES] = {0, 0};
    bool has_signs = decode_type(d, 0) != PTX_S32, has_turns = a == PTX_F16 || a == PTX_BF16;
    uint32_t first = product->a ? 1 : 0, at = 4, wanted = at + has_signs * 2u + has_turns * (2u - first);
    if (d->inst->operand_count != wanted) {
        decode_refuse(d, "it has %u operands, not %u", d->inst->operand_count, wanted);
        return;
    }
    for (uint32_t i = 0; i < SIDES && has_signs; i++)
        if (!decode_choice(d, at++, -1, 1, &signs[i]))
            return;
    for (uint32_t i = first; i < SIDES && has_turns; i++)
        if (!decode_choice(d, at++, 0, 1, &turned[i]))
            return;
    product->negates = signs[0] != signs[1];
    product->turned[0] = turned[0];
    product->turned[1] = turned[1];
}

void decode_wgmma(struct decoder *d)
{
    struct group_product *product = arena_alloc(d->program->arena, sizeof *product);
    uint32_t wide, have;
    product->columns = matrix_shape_of_group(d, &product->shape);
    if (!product->columns)
        return;
    if (d->inst->type_count != 3 || !wgmma_types_fit(decode_type(d, 0), decode_type(d, 1), decode_type(d, 2))) {
        decode_refuse(d, "these types are not supported");
        return;
    }
    if (decode_operand(d, 1)->kind == PTX_OPERAND_VECTOR) {
        have = decode_list(d, 1, PTX_B32, false, &wide);
        product->a = d->op->list;
        if (have != GROUP_A_REGS)
            decode_refuse(d, "operand 2 has %u registers, not %u", have, (unsigned)GROUP_A_REGS);
    } else {
        decode_source(d, 1, 1, PTX_B64);
    }
    uint32_t wanted = product->columns / GROUP_COLUMNS * product->shape.d.regs;
    have = decode_list(d, 0, matrix_register(decode_type(d, 0)), false, &wide);
    product->d = d->op->list;
    if (have != wanted)
        decode_refuse(d, "operand 1 has %u registers, not %u", have, wanted);
    decode_source(d, 2, 2, PTX_B64);
    d->op->slot[3] = decode_predicate(d, 3);
    d->op->preds |= 1 << 3;
    decode_choices(d, product);
    d->op->group = product;
    d->op->run = run_wgmma;
}
