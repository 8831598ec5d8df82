// Matrices spread over a warp: ldmatrix, stmatrix, movmatrix, mma and wmma.
//
// mma's fragments (PTX ISA, "Matrix fragments for mma") follow one rule. Let g = lane / 4, t = lane % 4, and per = the
// elements in a register. Registers of A go first through the two row halves (row g, then g + 8, if there are 16
// rows), then through blocks of 4 * per columns; register's element i is column block + t * per + i. Registers of B go
// through the same blocks, with column g. C and D hold row g (then g + 8), columns 2t and 2t + 1.
#include "sim/decode.h"
#include "base/half.h"

struct matrix_shape {
    uint32_t m, n, k;
    enum ptx_type d, a, b, c;
    uint32_t d_regs, a_regs, b_regs, c_regs;
    bool bits_and, saturates; // mma.b1 with .and; .satfinite of integers
    // wmma
    uint32_t rows, columns, elements; // of the fragment; elements of a lane
    bool by_column;
};

static bool whole_warp(struct exec *x, const struct op *op, uint32_t mask)
{
    if (mask == UINT32_MAX)
        return true;
    sim_fault(x, op, lane_first(mask),
              "executes a matrix instruction with %d lanes; all 32 of the warp must execute it together",
              __builtin_popcount(mask));
    return false;
}

// ---- ldmatrix, stmatrix, movmatrix: 8x8 matrices of 16-bit elements

static const struct op *run_ldmatrix(struct exec *x, const struct op *op, uint32_t mask)
{
    uint64_t addresses[SIM_LANES];
    const unsigned char *rows[SIM_LANES];
    uint32_t used = 8u * op->count;
    bool stores = op->kind == SIM_MATRIX_STORE;
    if (!whole_warp(x, op, mask))
        return NULL;
    sim_addresses(x, op, op->slot[1], addresses);
    uint32_t lanes = used == 32 ? UINT32_MAX : (1u << used) - 1, bad = 0;
    struct place place = {0};
    for (uint32_t lane = 0; lane < used; lane++) {
        rows[lane] = sim_place_lane(x, op, (enum ptx_space)op->space, addresses[lane], lane, 16, stores, &place);
        if (!rows[lane])
            return NULL;
        if (place.space != PTX_SHARED)
            return sim_fault(x, op, lane, "moves a matrix row that is not in shared memory");
        addresses[lane] -= place.start;
        if (!stores && !sim_valid_get(&place, addresses[lane], 16))
            bad |= 1u << lane;
        if (stores)
            sim_bits_set(place.mark, addresses[lane], 16);
    }
    if (x->wants & SIM_WANT_ACCESS_SHARED) {
        struct sim_access access = {.kind = (enum sim_access_kind)op->kind,
                                    .space = PTX_SHARED,
                                    .mask = lanes,
                                    .bytes = 16,
                                    .addresses = addresses};
        sim_watch_access(x, op, &access);
    }
    if (bad && x->wants & SIM_WANT_NOTICE) {
        struct sim_notice notice = {.kind = SIM_NOTICE_UNINITIALISED,
                                    .mask = bad,
                                    .space = PTX_SHARED,
                                    .address = addresses[lane_first(bad)],
                                    .other_pc = UINT32_MAX};
        sim_watch_notice(x, op, &notice);
    }
    for (uint32_t matrix = 0; matrix < op->count; matrix++) {
        uint32_t *values = slot_at(x, op->list[matrix]);
        for (uint32_t lane = 0; lane < SIM_LANES; lane++)
            for (uint32_t i = 0; i < 2; i++) {
                uint32_t row = op->action ? lane % 4 * 2 + i : lane / 4,
                         column = op->action ? lane / 4 : lane % 4 * 2 + i;
                unsigned char *at = x->block->shared + addresses[8 * matrix + row] + 2 * column;
                uint16_t half = (uint16_t)(values[lane] >> 16 * i);
                if (stores) {
                    memcpy(at, &half, 2);
                    continue;
                }
                memcpy(&half, at, 2);
                values[lane] = i ? (values[lane] & 0xffff) | (uint32_t)half << 16 : half;
            }
    }
    return op + 1;
}

const struct op *run_movmatrix(struct exec *x, const struct op *op, uint32_t mask)
{
    if (!whole_warp(x, op, mask))
        return NULL;
    uint32_t from[SIM_LANES], *to = slot_at(x, op->slot[0]);
    memcpy(from, slot_at(x, op->slot[1]), sizeof from);
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        uint32_t column = lane / 4, result = 0;
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t row = lane % 4 * 2 + i;
            result |= (from[row * 4 + column / 2] >> 16 * (column % 2) & 0xffff) << 16 * i;
        }
        to[lane] = result;
    }
    return op + 1;
}

// ---- elements

static uint32_t element_bits(enum ptx_type type)
{
    switch (type) {
    case PTX_B1:
        return 1;
    case PTX_S4:
    case PTX_U4:
        return 4;
    case PTX_TF32:
        return 32;
    default:
        return 8 * ptx_type_size(type);
    }
}

static bool is_integer(enum ptx_type type)
{
    return type == PTX_S8 || type == PTX_U8 || type == PTX_S4 || type == PTX_U4 || type == PTX_S32;
}

static double e4m3_value(uint32_t bits)
{
    if ((bits & 0x7f) == 0x7f)
        return (double)NAN;
    uint32_t exponent = bits >> 3 & 15, mantissa = bits & 7;
    double v = exponent ? ldexp(8 + mantissa, (int)exponent - 10) : ldexp(mantissa, -9);
    return bits & 0x80 ? -v : v;
}

static double element_float(enum ptx_type type, uint64_t bits)
{
    switch (type) {
    case PTX_F16:
        return (double)f16_to_f32((uint32_t)bits);
    case PTX_BF16:
        return (double)bf16_to_f32((uint32_t)bits);
    case PTX_TF32: // the low 13 bits are not looked at
        return (double)bits_f32(bits & 0xffffe000u);
    case PTX_E4M3:
        return e4m3_value((uint32_t)bits);
    case PTX_E5M2:
        return small_to_f64((uint32_t)bits, 5, 2);
    case PTX_F64:
        return bits_f64(bits);
    default:
        return (double)bits_f32(bits);
    }
}

static int64_t element_integer(enum ptx_type type, uint64_t bits)
{
    switch (type) {
    case PTX_S8:
        return (int8_t)bits;
    case PTX_S4:
        return (int64_t)(bits << 60) >> 60;
    case PTX_S32:
        return (int32_t)bits;
    default:
        return (int64_t)bits;
    }
}

// ---- products over whole matrices in double or integers

union matrix_value {
    double real;
    int64_t integer;
};

struct product {
    union matrix_value a[32 * 256], b[256 * 32], c[32 * 32];
};

static __thread struct product product;

static void product_bits(const struct matrix_shape *shape)
{
    for (uint32_t r = 0; r < shape->m; r++)
        for (uint32_t q = 0; q < shape->n; q++) {
            int64_t sum = product.c[r * shape->n + q].integer;
            for (uint32_t i = 0; i < shape->k; i++) {
                int64_t a = product.a[r * shape->k + i].integer, b = product.b[i * shape->n + q].integer;
                sum += shape->bits_and ? a & b : a ^ b;
            }
            product.c[r * shape->n + q].integer = sum;
        }
}

static void product_integer(const struct matrix_shape *shape)
{
    for (uint32_t r = 0; r < shape->m; r++)
        for (uint32_t q = 0; q < shape->n; q++) {
            int64_t sum = product.c[r * shape->n + q].integer;
            for (uint32_t i = 0; i < shape->k; i++)
                sum += product.a[r * shape->k + i].integer * product.b[i * shape->n + q].integer;
            if (shape->saturates)
                sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
            product.c[r * shape->n + q].integer = sum;
        }
}

// Products are exact in double; the sum is rounded to the accumulator's type once.
static void product_float(const struct matrix_shape *shape)
{
    for (uint32_t r = 0; r < shape->m; r++)
        for (uint32_t q = 0; q < shape->n; q++) {
            double sum = product.c[r * shape->n + q].real;
            for (uint32_t i = 0; i < shape->k; i++) {
                double a = product.a[r * shape->k + i].real, b = product.b[i * shape->n + q].real;
                sum = shape->a == PTX_F64 ? f64_fma(a, b, sum) : sum + a * b;
            }
            product.c[r * shape->n + q].real = sum;
        }
}

static void multiply(const struct matrix_shape *shape)
{
    if (shape->a == PTX_B1)
        product_bits(shape);
    else if (is_integer(shape->a))
        product_integer(shape);
    else
        product_float(shape);
}

static void element_in(union matrix_value *value, enum ptx_type type, uint64_t bits, bool integer)
{
    if (integer)
        value->integer = element_integer(type, bits);
    else
        value->real = element_float(type, bits);
}

static uint64_t element_out(enum ptx_type type, union matrix_value value)
{
    switch (type) {
    case PTX_S32:
        return (uint32_t)value.integer;
    case PTX_F64:
        return f64_bits(value.real);
    case PTX_F16:
        return f16_from_f64(value.real, ROUND_NEAREST);
    default: {
        float single = (float)value.real;
        return single != single ? 0x7fffffffu : f32_bits(single);
    }
    }
}

static uint64_t register_get(const struct exec *x, uint32_t slot, bool wide, uint32_t lane)
{
    const void *at = slot_at(x, slot);
    return wide ? ((const uint64_t *)at)[lane] : ((const uint32_t *)at)[lane];
}

// ---- mma. list: registers of D, A, B, C

static bool integer_kind(const struct matrix_shape *shape)
{
    return shape->a == PTX_B1 || is_integer(shape->a);
}

static void mma_load_ab(const struct exec *x, const struct op *op, const struct matrix_shape *shape, bool second)
{
    enum ptx_type type = second ? shape->b : shape->a;
    uint32_t bits = element_bits(type), regs = second ? shape->b_regs : shape->a_regs,
             halves = second ? 1 : shape->m / 8;
    bool wide = bits == 64;
    uint32_t per = wide ? 1 : 32 / bits, first = shape->d_regs + (second ? shape->a_regs : 0);
    uint64_t keep = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    for (uint32_t reg = 0; reg < regs; reg++)
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            uint64_t word = register_get(x, op->list[first + reg], wide, lane);
            uint32_t g = lane / 4 + 8 * (reg % halves), block = reg / halves * 4 * per;
            for (uint32_t i = 0; i < per; i++) {
                uint32_t k = block + lane % 4 * per + i;
                union matrix_value *value = second ? &product.b[k * shape->n + g] : &product.a[g * shape->k + k];
                element_in(value, type, word >> i * (bits & 63) & keep, integer_kind(shape));
            }
        }
}

// Element j of a lane's part of C or D: its row and column.
static uint32_t accumulator_at(const struct matrix_shape *shape, uint32_t lane, uint32_t j)
{
    return (lane / 4 + 8 * (j / 2)) * shape->n + lane % 4 * 2 + j % 2;
}

static const struct op *run_mma(struct exec *x, const struct op *op, uint32_t mask)
{
    const struct matrix_shape *shape = op->matrix;
    const uint32_t *c_list = op->list + shape->d_regs + shape->a_regs + shape->b_regs;
    if (!whole_warp(x, op, mask))
        return NULL;
    mma_load_ab(x, op, shape, false);
    mma_load_ab(x, op, shape, true);
    uint32_t elements = shape->m / 8 * 2;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        for (uint32_t j = 0; j < elements; j++) {
            uint64_t bits = shape->c == PTX_F16 ? register_get(x, c_list[j / 2], false, lane) >> 16 * (j % 2) & 0xffff
                                                : register_get(x, c_list[j], shape->c == PTX_F64, lane);
            element_in(&product.c[accumulator_at(shape, lane, j)], shape->c, bits, integer_kind(shape));
        }
    multiply(shape);
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        for (uint32_t j = 0; j < elements; j++) {
            uint64_t bits = element_out(shape->d, product.c[accumulator_at(shape, lane, j)]);
            if (shape->d == PTX_F64) {
                ((uint64_t *)slot_at(x, op->list[j]))[lane] = bits;
            } else if (shape->d == PTX_F16) {
                uint32_t *to = (uint32_t *)slot_at(x, op->list[j / 2]) + lane;
                *to = j % 2 ? (*to & 0xffff) | (uint32_t)bits << 16 : (uint32_t)bits;
            } else {
                ((uint32_t *)slot_at(x, op->list[j]))[lane] = (uint32_t)bits;
            }
        }
    return op + 1;
}

// ---- wmma: which lane holds what is left open by PTX. Here: element = (lane * elements + j) % (rows * columns), row
// by row, so that some are held twice where the type's registers are more than the matrix needs.

static uint32_t fragment_place(const struct matrix_shape *shape, uint32_t lane, uint32_t j)
{
    return (lane * shape->elements + j) % (shape->rows * shape->columns);
}

static void fragment_put(const struct exec *x, const uint32_t *list, enum ptx_type type, uint32_t lane, uint32_t j,
                         uint64_t value)
{
    uint32_t bits = element_bits(type), per = bits >= 32 ? 1 : 32 / bits;
    if (bits == 64) {
        ((uint64_t *)slot_at(x, list[j]))[lane] = value;
        return;
    }
    uint32_t *to = (uint32_t *)slot_at(x, list[j / per]) + lane, shift = j % per * bits;
    uint32_t keep = bits == 32 ? UINT32_MAX : ((1u << bits) - 1) << shift;
    *to = (*to & ~keep) | ((uint32_t)value << (shift & 31) & keep);
}

static uint64_t fragment_get(const struct exec *x, const uint32_t *list, enum ptx_type type, uint32_t lane, uint32_t j)
{
    uint32_t bits = element_bits(type), per = bits >= 32 ? 1 : 32 / bits;
    if (bits == 64)
        return ((const uint64_t *)slot_at(x, list[j]))[lane];
    uint32_t word = ((const uint32_t *)slot_at(x, list[j / per]))[lane];
    return bits == 32 ? word : word >> j % per * bits & ((1u << bits) - 1);
}

// slots: 1 address, 2 stride in elements (count: there is one)
static const struct op *run_wmma_move(struct exec *x, const struct op *op, uint32_t mask)
{
    const struct matrix_shape *shape = op->matrix;
    uint64_t base[SIM_LANES];
    uint32_t size = ptx_type_size(shape->a == PTX_TF32 ? PTX_F32 : shape->a);
    bool stores = op->kind == SIM_STORE;
    if (!whole_warp(x, op, mask))
        return NULL;
    sim_addresses(x, op, op->slot[1], base);
    uint64_t tight = shape->by_column ? shape->rows : shape->columns;
    uint64_t stride = op->count ? slot_get(x, op, 2, 0) & UINT32_MAX : tight;
    struct sim_notice unset = {.kind = SIM_NOTICE_UNINITIALISED, .other_pc = UINT32_MAX};
    for (uint32_t j = 0; j < shape->elements; j++) {
        uint64_t addresses[SIM_LANES];
        unsigned char *at[SIM_LANES], values[SIM_LANES][8];
        struct place place = {0};
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            uint32_t element = fragment_place(shape, lane, j), r = element / shape->columns,
                     c = element % shape->columns;
            uint64_t address = base[lane] + size * (shape->by_column ? c * stride + r : r * stride + c);
            at[lane] = sim_place_lane(x, op, (enum ptx_space)op->space, address, lane, size, stores, &place);
            if (!at[lane])
                return NULL;
            addresses[lane] = place.space == PTX_SHARED ? address - place.start : address;
            uint64_t bits = stores ? fragment_get(x, op->list, shape->a, lane, j) : 0;
            memcpy(values[lane], &bits, 8);
            if (stores)
                sim_bits_set(place.mark, address - place.start, size);
            if (stores || sim_valid_get(&place, address - place.start, size))
                continue;
            if (!unset.mask)
                unset.address = addresses[lane];
            unset.mask |= 1u << lane;
            unset.space = place.space;
        }
        unsigned watched = place.space == PTX_SHARED ? SIM_WANT_ACCESS_SHARED : SIM_WANT_ACCESS_GLOBAL;
        struct sim_access access = {.kind = (enum sim_access_kind)op->kind,
                                    .space = place.space,
                                    .mask = mask,
                                    .bytes = size,
                                    .addresses = addresses,
                                    .values = stores ? values[0] : NULL,
                                    .value_stride = 8};
        if (x->wants & watched)
            sim_watch_access(x, op, &access);
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            uint64_t bits = 0;
            if (stores) {
                memcpy(at[lane], values[lane], size);
                continue;
            }
            memcpy(&bits, at[lane], size);
            fragment_put(x, op->list, shape->a, lane, j, bits);
        }
    }
    if (unset.mask && x->wants & SIM_WANT_NOTICE)
        sim_watch_notice(x, op, &unset);
    return op + 1;
}

static void fragment_gather(const struct exec *x, const uint32_t *list, enum ptx_type type, uint32_t regs,
                            uint32_t rows, uint32_t columns, union matrix_value *into, bool integer)
{
    uint32_t bits = element_bits(type);
    struct matrix_shape part = {.rows = rows, .columns = columns, .elements = regs * (bits >= 32 ? 1 : 32 / bits)};
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        for (uint32_t j = 0; j < part.elements; j++)
            element_in(&into[fragment_place(&part, lane, j)], type, fragment_get(x, list, type, lane, j), integer);
}

static const struct op *run_wmma(struct exec *x, const struct op *op, uint32_t mask)
{
    const struct matrix_shape *shape = op->matrix;
    const uint32_t *a = op->list + shape->d_regs, *b = a + shape->a_regs, *c = b + shape->b_regs;
    if (!whole_warp(x, op, mask))
        return NULL;
    bool integer = integer_kind(shape);
    fragment_gather(x, a, shape->a, shape->a_regs, shape->m, shape->k, product.a, integer);
    fragment_gather(x, b, shape->b, shape->b_regs, shape->k, shape->n, product.b, integer);
    fragment_gather(x, c, shape->c, shape->c_regs, shape->m, shape->n, product.c, integer);
    multiply(shape);
    uint32_t bits = element_bits(shape->d);
    struct matrix_shape part = {
        .rows = shape->m, .columns = shape->n, .elements = shape->d_regs * (bits >= 32 ? 1 : 32 / bits)};
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        for (uint32_t j = 0; j < part.elements; j++)
            fragment_put(x, op->list, shape->d, lane, j,
                         element_out(shape->d, product.c[fragment_place(&part, lane, j)]));
    return op + 1;
}

// ---- decoding

static bool read_shape(struct decoder *d, struct matrix_shape *shape)
{
    static const struct {
        uint8_t modifier;
        uint8_t m, n;
        uint16_t k;
    } shapes[] = {
        {PTX_MOD_M8N8K4, 8, 8, 4},       {PTX_MOD_M8N8K16, 8, 8, 16},     {PTX_MOD_M8N8K32, 8, 8, 32},
        {PTX_MOD_M8N8K128, 8, 8, 128},   {PTX_MOD_M16N8K4, 16, 8, 4},     {PTX_MOD_M16N8K8, 16, 8, 8},
        {PTX_MOD_M16N8K16, 16, 8, 16},   {PTX_MOD_M16N8K32, 16, 8, 32},   {PTX_MOD_M16N8K64, 16, 8, 64},
        {PTX_MOD_M16N8K128, 16, 8, 128}, {PTX_MOD_M16N8K256, 16, 8, 256}, {PTX_MOD_M16N16K16, 16, 16, 16},
        {PTX_MOD_M32N8K16, 32, 8, 16},   {PTX_MOD_M8N32K16, 8, 32, 16},   {PTX_MOD_M16N16K8, 16, 16, 8},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (decode_has(d, (enum ptx_modifier)shapes[i].modifier)) {
            shape->m = shapes[i].m;
            shape->n = shapes[i].n;
            shape->k = shapes[i].k;
            return true;
        }
    decode_refuse(d, "this shape is not supported");
    return false;
}

// One list of the registers of several vector operands; wants[i] registers each.
static void join_lists(struct decoder *d, const enum ptx_type *types, const uint32_t *wants, uint32_t count,
                       uint32_t first)
{
    uint32_t total = 0, at = 0, wide;
    for (uint32_t i = 0; i < count; i++)
        total += wants[i];
    uint32_t *list = arena_alloc(d->program->arena, (total + 1) * sizeof *list);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t have = decode_list(d, first + i, types[i], false, &wide);
        if (have != wants[i]) {
            decode_refuse(d, "operand %u has %u registers, not %u", first + i + 1, have, wants[i]);
            return;
        }
        memcpy(list + at, d->op->list, have * sizeof *list);
        at += have;
    }
    d->op->list = list;
}

static enum ptx_type register_type(enum ptx_type element)
{
    return element == PTX_F64 ? PTX_F64 : element == PTX_F32 ? PTX_F32 : element == PTX_S32 ? PTX_S32 : PTX_B32;
}

static bool mma_types_fit(const struct matrix_shape *shape)
{
    bool eight = shape->a == PTX_E4M3 || shape->a == PTX_E5M2;
    switch (shape->a) {
    case PTX_F16:
        return shape->m == 16 && (shape->k == 8 || shape->k == 16) && shape->b == PTX_F16 &&
               (shape->d == PTX_F16 || shape->d == PTX_F32) && shape->c == shape->d;
    case PTX_BF16:
        return shape->m == 16 && (shape->k == 8 || shape->k == 16) && shape->b == PTX_BF16 && shape->d == PTX_F32 &&
               shape->c == PTX_F32;
    case PTX_TF32:
        return shape->m == 16 && (shape->k == 4 || shape->k == 8) && shape->b == PTX_TF32 && shape->d == PTX_F32 &&
               shape->c == PTX_F32;
    case PTX_F64:
        return shape->k <= 16 && shape->b == PTX_F64 && shape->d == PTX_F64 && shape->c == PTX_F64;
    case PTX_B1:
        return shape->k >= 128 && shape->b == PTX_B1 && shape->d == PTX_S32 && shape->c == PTX_S32;
    case PTX_S4:
    case PTX_U4:
        return (shape->k == 32 || shape->k == 64) && element_bits(shape->b) == 4 && shape->d == PTX_S32;
    case PTX_S8:
    case PTX_U8:
        return (shape->k == 16 || shape->k == 32) && is_integer(shape->b) && element_bits(shape->b) == 8 &&
               shape->d == PTX_S32;
    default:
        return eight && shape->k == 32 && (shape->b == PTX_E4M3 || shape->b == PTX_E5M2) && shape->c == shape->d &&
               (shape->d == PTX_F32 || shape->d == PTX_F16);
    }
}

void decode_mma(struct decoder *d)
{
    struct matrix_shape *shape = arena_alloc(d->program->arena, sizeof *shape);
    if (!read_shape(d, shape))
        return;
    shape->d = decode_type(d, 0);
    shape->a = decode_type(d, 1);
    shape->b = decode_type(d, 2);
    shape->c = decode_type(d, 3);
    shape->bits_and = decode_has(d, PTX_MOD_AND);
    shape->saturates = decode_has(d, PTX_MOD_SATFINITE);
    if (shape->n != 8 || !mma_types_fit(shape)) {
        decode_refuse(d, "these types are not supported for m%un%uk%u", shape->m, shape->n, shape->k);
        return;
    }
    uint32_t bits = element_bits(shape->a), word = bits == 64 ? 64 : 32;
    shape->a_regs = shape->m * shape->k * bits / word / SIM_LANES;
    shape->b_regs = shape->k * 8 * bits / word / SIM_LANES;
    shape->d_regs = shape->m / 8 * (shape->d == PTX_F16 ? 1 : 2);
    shape->c_regs = shape->m / 8 * (shape->c == PTX_F16 ? 1 : 2);
    enum ptx_type types[4] = {register_type(shape->d), register_type(shape->a), register_type(shape->b),
                              register_type(shape->c)};
    uint32_t wants[4] = {shape->d_regs, shape->a_regs, shape->b_regs, shape->c_regs};
    join_lists(d, types, wants, 4, 0);
    d->op->matrix = shape;
    d->op->run = run_mma;
}

// Registers of a wmma fragment (PTX ISA, "Matrix fragments for wmma"): f16 A and B always take 8.
static uint32_t wmma_regs(enum ptx_type type, bool accumulator, uint32_t rows, uint32_t columns)
{
    uint32_t bits = element_bits(type), elements = rows * columns / SIM_LANES;
    if (accumulator)
        return type == PTX_F16 ? elements / 2 : elements;
    if (type == PTX_F16)
        return 8;
    return bits >= 32 ? elements : elements * bits / 32;
}

static void decode_wmma_move(struct decoder *d, bool stores)
{
    struct op *op = d->op;
    struct matrix_shape *shape = arena_alloc(d->program->arena, sizeof *shape);
    if (!read_shape(d, shape))
        return;
    bool is_a = decode_has(d, PTX_MOD_A), is_b = decode_has(d, PTX_MOD_B);
    shape->a = decode_type(d, 0);
    shape->rows = is_b ? shape->k : shape->m;
    shape->columns = is_a ? shape->k : shape->n;
    shape->by_column = decode_has(d, PTX_MOD_COL);
    uint32_t regs = wmma_regs(shape->a, !is_a && !is_b, shape->rows, shape->columns), wide;
    uint32_t bits = element_bits(shape->a), values = stores ? 1 : 0, address = stores ? 0 : 1;
    if (bits < 8 || (!is_a && !is_b && bits == 8)) {
        decode_refuse(d, "this type is not supported");
        return;
    }
    shape->elements = regs * (bits >= 32 ? 1 : 32 / bits);
    if (decode_list(d, values, register_type(shape->a), false, &wide) != regs)
        decode_refuse(d, "the fragment has %u registers", regs);
    const uint32_t *list = op->list;
    decode_address(d, 1, address);
    op->list = list;
    if (d->inst->operand_count > 2) {
        decode_source(d, 2, 2, PTX_U32);
        op->count = 1;
    }
    enum ptx_space space = d->inst->has_space ? d->inst->space : PTX_GENERIC;
    op->space = space == PTX_SHARED_CLUSTER ? PTX_SHARED : (uint8_t)space;
    op->kind = stores ? SIM_STORE : SIM_LOAD;
    op->scope = SIM_SCOPE_CTA;
    op->matrix = shape;
    op->run = run_wmma_move;
}

void decode_wmma(struct decoder *d)
{
    struct matrix_shape *shape = arena_alloc(d->program->arena, sizeof *shape);
    const struct ptx_inst *inst = d->inst;
    if (!read_shape(d, shape))
        return;
    // Floating types are written D, C (f16 inputs) or D, A, B, C.
    bool short_form = inst->type_count == 2;
    shape->d = decode_type(d, 0);
    shape->a = short_form ? PTX_F16 : decode_type(d, 1);
    shape->b = short_form ? PTX_F16 : decode_type(d, 2);
    shape->c = decode_type(d, short_form ? 1 : 3);
    shape->saturates = decode_has(d, PTX_MOD_SATFINITE);
    bool known = shape->a == PTX_F16 || shape->a == PTX_BF16 || shape->a == PTX_TF32 || shape->a == PTX_F64 ||
                 shape->a == PTX_S8 || shape->a == PTX_U8;
    if (!known || element_bits(shape->a) != element_bits(shape->b)) {
        decode_refuse(d, "these types are not supported");
        return;
    }
    shape->a_regs = wmma_regs(shape->a, false, shape->m, shape->k);
    shape->b_regs = wmma_regs(shape->b, false, shape->k, shape->n);
    shape->c_regs = wmma_regs(shape->c, true, shape->m, shape->n);
    shape->d_regs = wmma_regs(shape->d, true, shape->m, shape->n);
    enum ptx_type types[4] = {register_type(shape->d), register_type(shape->a), register_type(shape->b),
                              register_type(shape->c)};
    uint32_t wants[4] = {shape->d_regs, shape->a_regs, shape->b_regs, shape->c_regs};
    join_lists(d, types, wants, 4, 0);
    d->op->matrix = shape;
    d->op->run = run_wmma;
}

static void decode_matrix_move(struct decoder *d, bool stores)
{
    struct op *op = d->op;
    uint32_t wide, count = 1u << d->inst->choice;
    uint32_t have = decode_list(d, stores ? 1 : 0, PTX_B32, false, &wide);
    const uint32_t *list = op->list;
    if (have != count)
        decode_refuse(d, "%u registers for %u matrices", have, count);
    decode_address(d, 1, stores ? 0 : 1);
    op->list = list;
    op->count = (uint8_t)count;
    op->width = 16;
    op->action = decode_has(d, PTX_MOD_TRANS);
    enum ptx_space space = d->inst->has_space ? d->inst->space : PTX_GENERIC;
    op->space = space == PTX_SHARED_CLUSTER ? PTX_SHARED : (uint8_t)space;
    op->kind = stores ? SIM_MATRIX_STORE : SIM_MATRIX_LOAD;
    op->run = run_ldmatrix;
}

void decode_ldmatrix(struct decoder *d)
{
    decode_matrix_move(d, false);
}

void decode_stmatrix(struct decoder *d)
{
    decode_matrix_move(d, true);
}

void decode_wmma_load(struct decoder *d)
{
    decode_wmma_move(d, false);
}

void decode_wmma_store(struct decoder *d)
{
    decode_wmma_move(d, true);
}
