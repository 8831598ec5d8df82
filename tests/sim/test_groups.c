// wgmma against plain products of matrices that are laid out in shared memory by the PTX ISA's canonical layouts.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "base/random.h"
#include "base/text.h"
#include "hazard/hazard.h"
#include "../support/kernel.h"
#include "../support/ptx_text.h"

Suite *suite_groups(void);

enum { SHARED = 49152, REGISTERS = 128, THREADS = 128, ROWS = 64, MOST = 256, A_PART = 20480 };

static const struct type {
    const char *name;
    unsigned bits, mantissa, bias; // mantissa 0: an integer
    bool is_signed;
} f16 = {"f16", 16, 10, 15, true}, bf16 = {"bf16", 16, 7, 127, true}, tf32 = {"tf32", 32, 23, 127, true},
  f32 = {"f32", 32, 23, 127, true}, e4m3 = {"e4m3", 8, 3, 7, true}, e5m2 = {"e5m2", 8, 2, 15, true},
  s8 = {"s8", 8, 0, 0, true}, u8 = {"u8", 8, 0, 0, false}, s32 = {"s32", 32, 0, 0, true}, b1 = {"b1", 1, 0, 0, false};

static const struct {
    const struct type *d, *a, *b;
} kinds[] = {
    {&f32, &f16, &f16},   {&f16, &f16, &f16},   {&f32, &bf16, &bf16}, {&f32, &tf32, &tf32}, {&f32, &e4m3, &e4m3},
    {&f32, &e5m2, &e4m3}, {&f16, &e4m3, &e5m2}, {&f16, &e5m2, &e5m2}, {&s32, &s8, &s8},     {&s32, &u8, &s8},
    {&s32, &s8, &u8},     {&s32, &u8, &u8},     {&s32, &b1, &b1},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// A small integer in the type's bits; -3 … 3, of which every type has those that its sign allows.
static uint32_t encode(const struct type *type, int v)
{
    if (!type->mantissa)
        return (uint32_t)v & (uint32_t)((UINT64_C(1) << type->bits) - 1);
    uint32_t size = (uint32_t)abs(v), exponent = size >= 4 ? 2 : size >= 2;
    while (size >> (exponent + 1))
        exponent++;
    uint32_t fraction = (size << 23 >> exponent) & 0x7fffff;
    uint32_t sign = (uint32_t)(v < 0) << (type->bits - 1);
    return v ? sign | (exponent + type->bias) << type->mantissa | fraction >> (23 - type->mantissa) : 0;
}

static int decode(const struct type *type, uint32_t bits)
{
    return type == &f16 ? (int)f16_to_f32(bits & 0xffff) : type == &f32 ? (int)bits_f32(bits) : (int32_t)bits;
}

// One operand: `rows` along M or N, 32 bytes along K.
struct side {
    const struct type *type;
    unsigned rows, k, span; // span 16: no swizzle
    bool turned;
    unsigned start, leading, stride, base;
    int values[MOST][256];
};

static uint64_t descriptor(const struct side *side)
{
    uint64_t mode = side->span == 128 ? 1 : side->span == 64 ? 2 : side->span == 32 ? 3 : 0;
    return side->start >> 4 | (uint64_t)(side->leading >> 4) << 16 | (uint64_t)(side->stride >> 4) << 32 |
           (uint64_t)side->base << 49 | mode << 62;
}

// The byte (and bit of it) of an element: CuTe's canonical layouts, in units of T = 128 bits, and Swizzle<B,4,3>.
static unsigned place(const struct side *side, unsigned row, unsigned k, unsigned *bit)
{
    unsigned bits = side->type->bits, per = 128 / bits, wide = side->span / 16, at;
    if (!side->turned) // ((8,n),(T,2)) : ((wide T, SBO), (1, T or LBO))
        at = row % 8 * side->span + row / 8 * side->stride + k / per * (wide == 1 ? side->leading : 16) +
             k % per * bits / 8;
    else if (wide == 1) // ((T,1,m),(8,k)) : ((1,T,SBO),(1T,LBO))
        at = row % 8 * 2 + row / 8 * side->stride + k % 8 * 16 + k / 8 * side->leading;
    else // ((T,wide,m),(8,k)) : ((1,T,LBO),(wide T,SBO))
        at = row % 8 * 2 + row / 8 % wide * 16 + row / 8 / wide * side->leading + k % 8 * side->span +
             k / 8 * side->stride;
    unsigned address = side->start + at, line = (address / 128 - side->base) % 8;
    *bit = k % per * bits % 8;
    return address ^ (line & (wide - 1)) * 16;
}

static void lay_out(const struct side *side, unsigned char *shared)
{
    for (unsigned row = 0; row < side->rows; row++)
        for (unsigned k = 0; k < side->k; k++) {
            unsigned bit, at = place(side, row, k, &bit);
            uint32_t value = encode(side->type, side->values[row][k]) << bit;
            for (unsigned i = 0; i < (side->type->bits + 7) / 8; i++)
                shared[at + i] |= (unsigned char)(value >> 8 * i);
        }
}

static unsigned draw(uint64_t *random, unsigned below)
{
    return (unsigned)(random_next(random) >> 33) % below;
}

static void fill(struct side *side, uint64_t *random)
{
    for (unsigned row = 0; row < side->rows; row++)
        for (unsigned k = 0; k < side->k; k++)
            side->values[row][k] = side->type == &b1
                                       ? (int)draw(random, 2)
                                       : (int)draw(random, 4) - (side->type->is_signed ? (int)draw(random, 4) : 0);
}

// A layout at random: tight, or with gaps; rows that do not overlap.
static void choose_layout(struct side *side, uint64_t *random, unsigned first, bool may_turn)
{
    unsigned piece, gap = draw(random, 2) * 16 * draw(random, 8), rows = (side->rows + 7) / 8;
    side->span = 16u << draw(random, 4);
    side->turned = may_turn && draw(random, 2);
    piece = 8 * side->span;
    side->start = first + draw(random, 2) * 1024;
    side->base = 0;
    if (!side->turned && side->span > 32) // further along K in the same lines
        side->start += 32 * draw(random, side->span / 32);
    if (!side->turned) {
        side->stride = side->span == 16 ? 2 * piece + 2 * gap : piece;
        side->leading = side->span == 16 ? piece + gap : 16 * draw(random, 9);
    } else if (side->span == 16) {
        side->stride = piece + gap;
        side->leading = rows * side->stride;
    } else {
        unsigned outer = (side->rows * 2 + side->span - 1) / side->span;
        side->leading = piece;
        side->stride = outer * piece;
    }
}

struct group_case {
    struct side a, b;
    const struct type *d;
    unsigned columns;
    bool a_in_registers, adds;
    int signs[2];
};

static void put_list(struct text *body, const char *prefix, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        text_printf(body, "%s%%%s%u", i ? ", " : "{", prefix, i);
    text_puts(body, "}");
}

static unsigned registers_of(const struct group_case *it)
{
    return it->columns * it->d->bits / 64;
}

static const char load_all[] =
    ".reg .b32 %q<128>, %a<4>, %s<8>; .reg .b64 %t<4>;\n"
    "shl.b32 %s0, %r1, 4; mov.u32 %s1, buf;\n"
    "FILL: cvt.u64.u32 %t0, %s0; add.u64 %t0, %rd0, %t0; ld.global.v4.u32 {%s2,%s3,%s4,%s5}, [%t0];\n"
    "add.u32 %s6, %s1, %s0; st.shared.v4.u32 [%s6], {%s2,%s3,%s4,%s5};\n"
    "add.u32 %s0, %s0, 2048; setp.lt.u32 %p1, %s0, 49152; @%p1 bra FILL;\n"
    "fence.proxy.async.shared::cta; bar.sync 0;\n";

static void write_case(const struct group_case *it, struct text *body)
{
    unsigned registers = registers_of(it);
    bool has_turns = it->a.type->bits == 16;
    text_puts(body, load_all);
    for (unsigned i = 0; i < registers; i++)
        text_printf(body, "ld.global.b32 %%q%u, [%%rd2+%u];\n", i, SHARED + 4 * THREADS * i);
    for (unsigned i = 0; i < 4; i++)
        text_printf(body, "ld.global.b32 %%a%u, [%%rd2+%u];\n", i, SHARED + 4 * THREADS * (REGISTERS + i));
    text_printf(body, "setp.%s.u32 %%p2, %%r4, 128; wgmma.fence.sync.aligned;\n", it->adds ? "eq" : "ne");
    text_printf(body, "wgmma.mma_async.sync.aligned.m64n%uk%u.%s.%s.%s%s ", it->columns, it->a.k, it->d->name,
                it->a.type->name, it->b.type->name, it->a.type == &b1 ? ".and.popc" : "");
    put_list(body, "q", registers);
    if (it->a_in_registers) {
        text_puts(body, ", ");
        put_list(body, "a", 4);
    } else {
        text_printf(body, ", %llu", (unsigned long long)descriptor(&it->a));
    }
    text_printf(body, ", %llu, %%p2", (unsigned long long)descriptor(&it->b));
    if (it->d != &s32)
        text_printf(body, ", %d, %d", it->signs[0], it->signs[1]);
    if (has_turns && !it->a_in_registers)
        text_printf(body, ", %d", it->a.turned);
    if (has_turns)
        text_printf(body, ", %d", it->b.turned);
    text_puts(body, ";\nwgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n");
    for (unsigned i = 0; i < registers; i++)
        text_printf(body, "st.global.b32 [%%rd3+%u], %%q%u;\n", 4 * THREADS * i, i);
}

// Row and column of element e of a thread's accumulators (PTX ISA, "Register fragments for wgmma").
static void d_place(unsigned thread, unsigned e, unsigned *row, unsigned *column)
{
    *row = thread / 32 * 16 + thread % 32 / 4 + (e / 2 % 2) * 8;
    *column = e / 4 * 8 + thread % 4 * 2 + e % 2;
}

static uint32_t in[SHARED / 4 + THREADS * (REGISTERS + 4)], out[THREADS * REGISTERS];

static void put_registers(const struct group_case *it)
{
    uint32_t *d = in + SHARED / 4, *a = d + THREADS * REGISTERS;
    unsigned per = 32 / it->d->bits, a_per = 32 / it->a.type->bits;
    for (unsigned thread = 0; thread < THREADS; thread++) {
        for (unsigned e = 0; e < registers_of(it) * per; e++)
            d[e / per * THREADS + thread] |= encode(it->d, (int)(thread % 5 + e) % 7) << e % per * (it->d->bits & 31);
        for (unsigned e = 0; e < 4 * a_per; e++) {
            unsigned reg = e / a_per, row = thread / 32 * 16 + thread % 32 / 4 + reg % 2 * 8;
            unsigned k = reg / 2 * 4 * a_per + thread % 4 * a_per + e % a_per;
            a[reg * THREADS + thread] |= encode(it->a.type, it->a.values[row][k])
                                         << e % a_per * (it->a.type->bits & 31);
        }
    }
}

static void check_case(const struct group_case *it, const char *body)
{
    unsigned per = 32 / it->d->bits;
    for (unsigned thread = 0; thread < THREADS; thread++)
        for (unsigned e = 0; e < registers_of(it) * per; e++) {
            unsigned row, column;
            d_place(thread, e, &row, &column);
            int sum = it->adds ? (int)(thread % 5 + e) % 7 : 0, sign = it->signs[0] * it->signs[1];
            for (unsigned k = 0; k < it->a.k; k++)
                sum += sign * it->a.values[row][k] * it->b.values[column][k];
            int got = decode(it->d, out[e / per * THREADS + thread] >> e % per * (it->d->bits & 31));
            ck_assert_msg(got == sum, "thread %u element %u: %d, not %d:\n%s", thread, e, got, sum,
                          strstr(body, "wgmma.mma"));
        }
}

static void run_case(struct group_case *it, uint64_t *random)
{
    struct text body = {0};
    memset(in, 0, sizeof in);
    fill(&it->a, random);
    fill(&it->b, random);
    lay_out(&it->b, (unsigned char *)in);
    if (!it->a_in_registers)
        lay_out(&it->a, (unsigned char *)in);
    put_registers(it);
    write_case(it, &body);
    struct kernel kernel = {.before = ".shared .align 1024 .b8 buf[49152];",
                            .body = text_get(&body),
                            .block = THREADS,
                            .in = in,
                            .in_size = sizeof in,
                            .out = out,
                            .out_size = sizeof out};
    enum status status = kernel_run(&kernel);
    ck_assert_msg(status == STATUS_OK, "%s\n%s", kernel.diagnostic.message, text_get(&body));
    check_case(it, text_get(&body));
    text_free(&body);
}

START_TEST(wgmma_multiplies_in_every_type_shape_and_layout)
{
    uint64_t random = 7 + (uint64_t)_i;
    static struct group_case it;
    for (unsigned columns = 8; columns <= MOST; columns += 8) {
        bool integer = kinds[_i].d == &s32, half = kinds[_i].a->bits == 16;
        if (integer && columns > 24 && columns % 16)
            continue;
        unsigned k = 256 / kinds[_i].a->bits;
        it = (struct group_case){.d = kinds[_i].d,
                                 .columns = columns,
                                 .a_in_registers = draw(&random, 3) == 0,
                                 .adds = draw(&random, 3) != 0,
                                 .signs = {1, 1}};
        it.a.type = kinds[_i].a;
        it.b.type = kinds[_i].b;
        it.a.k = it.b.k = k;
        it.a.rows = ROWS;
        it.b.rows = columns;
        for (int i = 0; i < 2 && !integer; i++)
            it.signs[i] = draw(&random, 3) ? 1 : -1;
        choose_layout(&it.a, &random, 0, half);
        choose_layout(&it.b, &random, A_PART / 2048 * 2048 - 6144, half);
        run_case(&it, &random);
    }
}
END_TEST

// ---- sums of floating-point numbers, as an H200 made them

enum { GOLDEN_IN = SHARED + 4 * THREADS * REGISTERS + 4096, ANY_BITS = 2, FAR = 3, LARGE_SUMS = 4 };

static uint64_t golden_state;

static uint32_t golden_next(void)
{
    uint64_t z = golden_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (uint32_t)((z ^ z >> 31) >> 16);
}

static const struct type *golden_type(const char *name)
{
    static const struct type *const types[] = {&f16, &bf16, &tf32, &f32, &e4m3, &e5m2};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(types[i]->name, name))
            return types[i];
    return NULL;
}

// Numbers whose exponents lie near one another, or far apart.
static uint32_t golden_float(const struct type *type, int kind)
{
    uint32_t random = golden_next();
    int bias = (int)type->bias, spread = kind == 1 ? 4 : kind == FAR ? (bias > 15 ? 24 : bias - 3) : 2;
    int exponent = bias + (int)((random >> 8) % (uint32_t)(2 * spread + 1)) - spread;
    exponent = exponent < 1 ? 1 : type == &e4m3 && exponent > 14 ? 14 : exponent;
    return (random & 1) << (type->bits - 1) | (uint32_t)exponent << type->mantissa |
           (golden_next() & ((1u << type->mantissa) - 1));
}

static void golden_fill(uint32_t *words, unsigned count, const char *name, int kind)
{
    const struct type *type = golden_type(name);
    for (unsigned w = 0; w < count; w++) {
        words[w] = 0;
        if (!type || kind == ANY_BITS)
            words[w] = golden_next();
        for (unsigned at = 0; at < 32 && type && kind != ANY_BITS; at += type->bits)
            words[w] |= golden_float(type, kind) << at;
    }
}

// The registers of the sums; where products are to be small beside them, they get exponents of their own.
static void golden_sums(uint32_t *words, unsigned count, const char *name, int kind)
{
    for (unsigned w = 0; w < count; w++) {
        golden_fill(words + w, 1, name, kind);
        if (kind == LARGE_SUMS && !strcmp(name, "f32")) {
            words[w] = golden_next() & 0x807fffff;
            words[w] |= (127 + golden_next() % 24) << 23;
        }
    }
}

static uint64_t golden_run(const struct ptx_module *module, const char *name, const uint32_t *data, unsigned registers)
{
    struct sim_memory *memory = sim_memory_new();
    struct sim_program *program;
    struct diagnostic diagnostic = {0};
    struct sim_result result;
    const struct ptx_function *entry;
    ck_assert_int_eq(ptx_find_entry(module, name, &entry, &diagnostic), STATUS_OK);
    ck_assert_msg(sim_program_new(module, entry, memory, &program, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    struct sim_allocation *input = sim_memory_add(memory, "in", GOLDEN_IN, false);
    struct sim_allocation *output = sim_memory_add(memory, "out", 4 * THREADS * REGISTERS, false);
    memcpy(input->data, data, GOLDEN_IN);
    uint64_t params[2] = {input->address, output->address}, hash = 1469598103934665603u;
    struct sim_launch launch = {.program = program,
                                .memory = memory,
                                .shape.grid = {1, 1, 1},
                                .shape.block = {THREADS, 1, 1},
                                .params = params,
                                .host_threads = 1};
    ck_assert_msg(sim_run(&launch, &result, &diagnostic) == STATUS_OK, "%s: %s", name, diagnostic.message);
    memcpy(out, output->data, sizeof out);
    for (unsigned i = 0; i < registers * THREADS; i++)
        hash = (hash ^ out[i]) * 1099511628211u;
    sim_program_free(program);
    sim_memory_free(memory);
    return hash;
}

START_TEST(sums_are_those_of_an_h200_bit_for_bit)
{
    char *text = ptx_read_file("tests/sim/data/sums.ptx"), *golden = ptx_read_file("tests/golden/h200_sums.txt");
    static uint32_t data[GOLDEN_IN / 4];
    struct ptx_module *module;
    struct diagnostic diagnostic = {0};
    unsigned count = 0;
    ck_assert_msg(ptx_parse_any("sums.ptx", text, strlen(text), &module, &diagnostic) == STATUS_OK, "%s",
                  diagnostic.message);
    for (char *rest, *line = strtok_r(golden, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char name[16], a[8], b[8], d[8];
        unsigned registers;
        int kind;
        unsigned long long seed, hash;
        if (sscanf(line, "%15s %u %7s %7s %7s %llu %d %llx", name, &registers, a, b, d, &seed, &kind, &hash) != 8)
            continue;
        golden_state = seed * 0x1234567;
        golden_fill(data, SHARED / 4, a, kind);
        golden_sums(data + SHARED / 4, THREADS * REGISTERS, d, kind);
        golden_fill(data + SHARED / 4 + THREADS * REGISTERS, 512, a, kind);
        golden_fill(data + SHARED / 4 + THREADS * REGISTERS + 512, 512, b, kind);
        ck_assert_msg(golden_run(module, name, data, registers) == hash, "%s", line);
        count++;
    }
    ck_assert_uint_eq(count, 104);
    ptx_module_free(module);
    free(text);
    free(golden);
}
END_TEST

// ---- a kernel of a producer and two consumers

enum { SIDE = 128, DEPTH = 64, STEPS = 5, TILE_WORDS = SIDE * DEPTH, STAGES_BYTES = 4 * TILE_WORDS * 2 + 32 };

static int gemm_value(int operand, int row, int k)
{
    return (row * (3 + operand) + k * 5 + row * k % 7) % 9 - 4;
}

// Tiles as gemm.cu wants them.
static void gemm_fill(uint16_t *to, int operand)
{
    for (int row = 0; row < SIDE; row++)
        for (int k = 0; k < DEPTH * STEPS; k++) {
            int in_tile = row / 8 * 512 + k % DEPTH / 8 * 64 + row % 8 * 8 + k % 8;
            to[k / DEPTH * TILE_WORDS + in_tile] = (uint16_t)bf16_from_f32((float)gemm_value(operand, row, k));
        }
}

static void gemm_check(const float *c)
{
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++) {
            int sum = 0;
            for (int k = 0; k < DEPTH * STEPS; k++)
                sum += gemm_value(0, row, k) * gemm_value(1, column, k);
            ck_assert_msg(c[row * SIDE + column] == (float)sum, "%d,%d: %g, not %d", row, column,
                          (double)c[row * SIDE + column], sum);
        }
}

START_TEST(a_producer_and_two_consumers_multiply_without_hazard)
{
    char *text = ptx_read_file("tests/sim/data/gemm.ptx");
    struct ptx_module *module = ptx_parse_good("gemm.ptx", text);
    struct sim_memory *memory = sim_memory_new();
    struct sim_program *program;
    struct diagnostic diagnostic = {0};
    struct sim_result result;
    struct hazard_list hazards;
    struct sim_allocation *a = sim_memory_add(memory, "a", 2 * STEPS * TILE_WORDS, false),
                          *b = sim_memory_add(memory, "b", 2 * STEPS * TILE_WORDS, false),
                          *c = sim_memory_add(memory, "c", sizeof(float) * SIDE * SIDE, true);
    gemm_fill((uint16_t *)(void *)a->data, 0);
    gemm_fill((uint16_t *)(void *)b->data, 1);
    ck_assert_int_eq(sim_program_new(module, module->functions[0], memory, &program, &diagnostic), STATUS_OK);
    struct {
        uint64_t a, b, c;
        int steps;
    } params = {a->address, b->address, c->address, STEPS};
    struct hazard_checker *checker = hazard_checker_new(program, memory, NULL);
    struct sim_observer observer = hazard_checker_observer(checker);
    struct sim_launch launch = {.program = program,
                                .memory = memory,
                                .shape.grid = {1, 1, 1},
                                .shape.block = {384, 1, 1},
                                .shape.dynamic_shared = STAGES_BYTES,
                                .params = &params,
                                .observers = &observer,
                                .observer_count = 1,
                                .schedule = (enum sim_schedule)_i,
                                .seed = 5,
                                .host_threads = 1};
    ck_assert_msg(sim_run(&launch, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    hazard_checker_take(checker, &hazards);
    ck_assert_msg(!hazards.count, "%s", hazards.count ? hazards.items[0].message : "");
    gemm_check((const float *)(const void *)c->data);
    hazard_checker_free(checker);
    hazard_list_free(&hazards);
    sim_program_free(program);
    sim_memory_free(memory);
    ptx_module_free(module);
    free(text);
}
END_TEST

// ---- what is wrong is a sentence

static const struct {
    const char *body, *says;
    uint32_t block;
} wrongs[] = {
#define ALL_REGISTERS "{%f0, %f1, %f2, %f3}"
#define MULTIPLY(a, b)                                                                                                 \
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " ALL_REGISTERS ", " a ", " b ", %p1, 1, 1, 0, 0;\n"
#define BEGIN "mov.u32 %r9, s; setp.eq.u32 %p1, %r1, %r1; mov.u64 %rd10, 68720001024; setp.lt.u32 %p2, %r1, 32;\n"
    {BEGIN MULTIPLY("%rd10", "%rd10"), "four warps of which the first one's number is a multiple of 4", 96},
    {BEGIN "@%p2 bra END;\n" MULTIPLY("%rd10", "%rd10") "END:", "ends, with all of warp 0, without the wgmma.mma_async",
     128},
    {BEGIN "@%p2 wgmma.fence.sync.aligned;\n" MULTIPLY("%rd10", "%rd10"),
     "where another one of its warp group, warps 0 to 3, executed wgmma.", 128},
    {BEGIN "@%p2 mov.u64 %rd10, 68720001025;\n" MULTIPLY("%rd10", "%rd10"),
     "not that of another warp (0x1000080001) of its warp group, warps 0 to 3", 128},
    {BEGIN "cvt.u64.u32 %rd11, %r1;\n" MULTIPLY("%rd10", "%rd11"), "another descriptor of B than lane 0 of its warp",
     128},
    {BEGIN "setp.lt.u32 %p1, %r1, 5;\n" MULTIPLY("%rd10", "%rd10"), "another scale-d than lane 0", 128},
    {BEGIN "mov.u64 %rd11, 0x4000004000080100;\n" MULTIPLY("%rd10", "%rd11"),
     "reads rows 0 to 7 of B at byte 4096 of 4096 bytes of shared memory: the descriptor 0x4000004000080100 starts at "
     "4096, with a "
     "leading offset of 128 bytes, a stride of 1024 and a swizzle of 128 bytes",
     128},
    {BEGIN "setp.lt.u32 %p3, %r1, 16;\n@%p3 wgmma.fence.sync.aligned;\n", "with 16 lanes", 128},
    {"setmaxnreg.dec.sync.aligned.u32 20;\n", "a multiple of 8 from 24 to 256", 128},
    {"setp.lt.u32 %p1, %r1, 128; @%p1 bra ONE; setp.lt.u32 %p2, %r1, 256; @%p2 setmaxnreg.dec.sync.aligned.u32 128;\n"
     "bra.uni END; ONE: setmaxnreg.inc.sync.aligned.u32 240; END:",
     "waits for 240 registers a thread (setmaxnreg), and the block's 168 a thread", 384},
};

START_TEST(what_is_wrong_with_a_warp_group_is_said)
{
    struct kernel kernel = {
        .before = ".shared .align 1024 .b8 s[4096];", .body = wrongs[_i].body, .block = wrongs[_i].block};
    enum status status = kernel_run(&kernel);
    ck_assert_msg(status != STATUS_OK && strstr(kernel.diagnostic.message, wrongs[_i].says), "%s: %s",
                  status_name(status), kernel.diagnostic.message);
}
END_TEST

// Descriptors of any bits: the product is made, or a sentence says why not.
START_TEST(any_descriptor_is_multiplied_or_refused)
{
    static const char *const products[] = {
        "m64n256k16.f16.f16.f16 {%s}, %%rd10, %%rd11, %%p1, 1, 1, 0, 1",
        "m64n64k16.f16.f16.f16 {%s}, %%rd10, %%rd11, %%p1, 1, 1, 1, 0",
        "m64n8k32.f16.e4m3.e4m3 {%s}, %%rd10, %%rd11, %%p1, 1, 1",
    };
    static const unsigned registers[] = {64, 16, 2};
    uint64_t random = 11;
    unsigned made = 0;
    for (int i = 0; i < 300; i++) {
        int which = i % 3;
        uint64_t mask = i % 2 ? UINT64_MAX : 0xc00e003f003f03ff,
                 bits[2] = {random_next(&random) & mask, random_next(&random) & mask};
        struct text list = {0}, body = {0};
        for (unsigned r = 0; r < registers[which]; r++)
            text_printf(&list, "%s%%q%u", r ? ", " : "", r);
        text_puts(&body, ".reg .b32 %q<64>; mov.u32 %r9, s; setp.eq.u32 %p1, %r1, %r1; ld.global.u64 %rd10, [%rd0]; "
                         "ld.global.u64 %rd11, "
                         "[%rd0+8];\nwgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.");
        text_printf(&body, products[which], text_get(&list));
        text_puts(&body, ";\nwgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;");
        struct kernel kernel = {.before = ".shared .align 1024 .b8 s[49152];",
                                .body = text_get(&body),
                                .block = THREADS,
                                .in = bits,
                                .in_size = sizeof bits};
        enum status status = kernel_run(&kernel);
        ck_assert_msg(status == STATUS_OK ||
                          (status == STATUS_FAULT && strstr(kernel.diagnostic.message, "the descriptor 0x")),
                      "%s", kernel.diagnostic.message);
        made += status == STATUS_OK;
        text_free(&list);
        text_free(&body);
    }
    ck_assert_uint_gt(made, 10);
}
END_TEST

Suite *suite_groups(void)
{
    Suite *suite = suite_create("groups");
    TCase *tcase = tcase_create("groups");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, wgmma_multiplies_in_every_type_shape_and_layout, 0, KINDS);
    tcase_add_test(tcase, sums_are_those_of_an_h200_bit_for_bit);
    tcase_add_loop_test(tcase, a_producer_and_two_consumers_multiply_without_hazard, SIM_ROUND_ROBIN,
                        SIM_ONE_AHEAD + 1);
    tcase_add_loop_test(tcase, what_is_wrong_with_a_warp_group_is_said, 0, sizeof wrongs / sizeof *wrongs);
    tcase_add_test(tcase, any_descriptor_is_multiplied_or_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
