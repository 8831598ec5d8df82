// Matrix instructions against a plain product of the matrices that their fragments make up.
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/text.h"
#include "base/half.h"
#include "../support/kernel.h"

Suite *suite_matrices(void);

static void expect(struct kernel *kernel, enum status status)
{
    enum status got = kernel_run(kernel);
    ck_assert_msg(got == status, "%s: %s", status_name(got), kernel->diagnostic.message);
}

enum element { F16, BF16, TF32, F64, S8, U8, S4, U4, B1, E4M3, F32, S32 };

static const struct {
    const char *name;
    int m, k;
    enum element a, b, d;
    int a_regs, b_regs, d_regs;
} shapes[] = {
    {"m16n8k8.row.col.f32.f16.f16.f32", 16, 8, F16, F16, F32, 2, 1, 4},
    {"m16n8k16.row.col.f32.f16.f16.f32", 16, 16, F16, F16, F32, 4, 2, 4},
    {"m16n8k16.row.col.f16.f16.f16.f16", 16, 16, F16, F16, F16, 4, 2, 2},
    {"m16n8k8.row.col.f32.bf16.bf16.f32", 16, 8, BF16, BF16, F32, 2, 1, 4},
    {"m16n8k16.row.col.f32.bf16.bf16.f32", 16, 16, BF16, BF16, F32, 4, 2, 4},
    {"m16n8k4.row.col.f32.tf32.tf32.f32", 16, 4, TF32, TF32, F32, 2, 1, 4},
    {"m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, TF32, TF32, F32, 4, 2, 4},
    {"m8n8k4.row.col.f64.f64.f64.f64", 8, 4, F64, F64, F64, 1, 1, 2},
    {"m16n8k8.row.col.f64.f64.f64.f64", 16, 8, F64, F64, F64, 4, 2, 4},
    {"m8n8k16.row.col.s32.s8.u8.s32", 8, 16, S8, U8, S32, 1, 1, 2},
    {"m16n8k16.row.col.s32.u8.s8.s32", 16, 16, U8, S8, S32, 2, 1, 4},
    {"m16n8k32.row.col.s32.s8.s8.s32", 16, 32, S8, S8, S32, 4, 2, 4},
    {"m8n8k32.row.col.s32.s4.u4.s32", 8, 32, S4, U4, S32, 1, 1, 2},
    {"m16n8k64.row.col.s32.u4.s4.s32", 16, 64, U4, S4, S32, 4, 2, 4},
    {"m16n8k256.row.col.s32.b1.b1.s32.xor.popc", 16, 256, B1, B1, S32, 4, 2, 4},
    {"m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 32, E4M3, E4M3, F32, 4, 2, 4},
};

static int bits_of(enum element element)
{
    static const int bits[] = {[F16] = 16, [BF16] = 16, [TF32] = 32, [F64] = 64, [S8] = 8,   [U8] = 8,
                               [S4] = 4,   [U4] = 4,    [B1] = 1,    [E4M3] = 8, [F32] = 32, [S32] = 32};
    return bits[element];
}

// Small integers that every format holds exactly.
static int sample(enum element element, int row, int column)
{
    int v = (row * 7 + column * 3 + row * column) % 7;
    if (element == B1)
        return v & 1;
    return element == U8 || element == U4 ? v : v - 3;
}

static uint64_t encode(enum element element, int v)
{
    static const uint8_t e4m3[] = {0x00, 0x38, 0x40, 0x44}; // 0, 1, 2, 3
    switch (element) {
    case F16:
        return f16_from_f32((float)v);
    case BF16:
        return bf16_from_f32((float)v);
    case TF32:
    case F32:
        return f32_bits((float)v);
    case F64:
        return f64_bits((double)v);
    case E4M3:
        return e4m3[v < 0 ? -v : v] | (v < 0 ? 0x80u : 0);
    default:
        return (uint64_t)(int64_t)v & (((uint64_t)1 << bits_of(element)) - 1);
    }
}

static double decode(enum element element, uint64_t bits)
{
    switch (element) {
    case F16:
        return (double)f16_to_f32((uint32_t)bits & 0xffff);
    case F64:
        return bits_f64(bits);
    case S32:
        return (double)(int32_t)bits;
    default:
        return (double)bits_f32(bits);
    }
}

// The element i of register r of a lane's A fragment, as the PTX ISA draws them: groups of four lanes share rows.
static void a_place(int m, enum element element, int lane, int reg, int i, int *row, int *column)
{
    int per = bits_of(element) == 64 ? 1 : 32 / bits_of(element);
    int halves = m / 8;
    *row = lane / 4 + (reg % halves ? 8 : 0);
    *column = lane % 4 * per + i + reg / halves * 4 * per;
}

static void load_list(struct text *body, const char *prefix, int first, int count, bool wide, int offset)
{
    for (int i = 0; i < count; i++)
        text_printf(body, "ld.global.%s %s%d, [%%rd6+%d];\n", wide ? "b64" : "b32", prefix, first + i, offset + 8 * i);
}

static void name_list(struct text *body, const char *prefix, int first, int count)
{
    for (int i = 0; i < count; i++)
        text_printf(body, "%s%s%d", i ? ", " : "{", prefix, first + i);
    text_puts(body, "}");
}

START_TEST(mma_multiplies_the_matrices_of_its_fragments)
{
    int m = shapes[_i].m, k = shapes[_i].k, a_regs = shapes[_i].a_regs, b_regs = shapes[_i].b_regs;
    enum element a = shapes[_i].a, b = shapes[_i].b, d = shapes[_i].d;
    bool wide = d == F64;
    int per = wide ? 1 : 32 / bits_of(a), d_regs = shapes[_i].d_regs;
    static uint64_t in[32][12], out[32][4];
    memset(in, 0, sizeof in);
    memset(out, 0, sizeof out);
    for (int lane = 0; lane < 32; lane++) {
        for (int reg = 0; reg < a_regs; reg++)
            for (int i = 0; i < per; i++) {
                int row, column;
                a_place(m, a, lane, reg, i, &row, &column);
                in[lane][reg] |= encode(a, sample(a, row, column)) << i * (bits_of(a) & 63);
            }
        for (int reg = 0; reg < b_regs; reg++)
            for (int i = 0; i < per; i++) {
                int row = lane % 4 * per + i + reg * 4 * per;
                in[lane][4 + reg] |= encode(b, sample(b, row, lane / 4)) << i * (bits_of(b) & 63);
            }
        for (int j = 0; j < m / 4; j++) {
            uint64_t c = encode(d, lane % 5 + j);
            if (d == F16)
                in[lane][8 + j / 2] |= c << 16 * (j % 2);
            else
                in[lane][8 + j] = c;
        }
    }
    struct text body = {0};
    const char *abr = wide ? "%d" : "%r", *cr = wide ? "%d" : d == F32 ? "%f" : "%r";
    text_puts(&body, "mul.wide.u32 %rd6, %r1, 96; add.s64 %rd6, %rd0, %rd6; mul.wide.u32 %rd7, %r1, 32;"
                     "add.s64 %rd7, %rd1, %rd7;\n");
    load_list(&body, abr, 10, a_regs, wide, 0);
    load_list(&body, abr, 14, b_regs, wide, 32);
    load_list(&body, cr, 18, d_regs, wide, 64);
    text_printf(&body, "mma.sync.aligned.%s ", shapes[_i].name);
    name_list(&body, cr, 24, d_regs);
    text_puts(&body, ", ");
    name_list(&body, abr, 10, a_regs);
    text_puts(&body, ", ");
    name_list(&body, abr, 14, b_regs);
    text_puts(&body, ", ");
    name_list(&body, cr, 18, d_regs);
    text_puts(&body, ";\n");
    for (int i = 0; i < d_regs; i++)
        text_printf(&body, "st.global.%s [%%rd7+%d], %s%d;\n", wide ? "b64" : "b32", 8 * i, cr, 24 + i);
    struct kernel kernel = {
        .body = text_get(&body), .in = in, .in_size = sizeof in, .out = out, .out_size = sizeof out};
    expect(&kernel, STATUS_OK);
    text_free(&body);
    for (int lane = 0; lane < 32; lane++)
        for (int j = 0; j < m / 4; j++) {
            int row = lane / 4 + (j / 2 ? 8 : 0), column = lane % 4 * 2 + j % 2, sum = lane % 5 + j;
            for (int i = 0; i < k; i++)
                sum += a == B1 ? sample(a, row, i) ^ sample(b, i, column) : sample(a, row, i) * sample(b, i, column);
            uint64_t bits = d == F16 ? out[lane][j / 2] >> 16 * (j % 2) : out[lane][j];
            ck_assert_msg(decode(d, bits) == (double)sum, "%s lane %d element %d: %g, not %d", shapes[_i].name, lane, j,
                          decode(d, bits), sum);
        }
}
END_TEST

// The road of a GEMM: rows in shared memory, ldmatrix for A, its transposed form for B, mma.
START_TEST(ldmatrix_feeds_mma)
{
    uint16_t in[16 * 16 + 16 * 8];
    float out[16 * 8] = {0};
    for (int r = 0; r < 16; r++)
        for (int c = 0; c < 16; c++)
            in[r * 16 + c] = (uint16_t)f16_from_f32((float)((r * 5 + c * 3) % 9 - 4));
    for (int r = 0; r < 16; r++)
        for (int c = 0; c < 8; c++)
            in[256 + r * 8 + c] = (uint16_t)f16_from_f32((float)((r * 2 + c * 7) % 11 - 5));
    struct kernel kernel = {
        .before = ".shared .align 16 .b8 tile[768];",
        .in = in,
        .in_size = sizeof in,
        .out = out,
        .out_size = sizeof out,
        .body =
            "mov.u32 %r9, tile; mov.u32 %r5, 0; shl.b32 %r6, %r1, 2; cvt.u64.u32 %rd6, %r6; add.s64 %rd6, %rd0, %rd6;\n"
            "add.u32 %r7, %r9, %r6;\n"
            "L: ld.global.u32 %r8, [%rd6]; st.shared.u32 [%r7], %r8; add.s64 %rd6, %rd6, 128; add.u32 %r7, %r7, 128;\n"
            "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 6; @%p1 bra L; bar.sync 0;\n"
            // A: lanes 0-15 give rows of columns 0-7, lanes 16-31 rows of columns 8-15
            "and.b32 %r10, %r1, 15; shl.b32 %r10, %r10, 5; shr.u32 %r11, %r1, 4; shl.b32 %r11, %r11, 4;\n"
            "add.u32 %r10, %r10, %r11; add.u32 %r10, %r9, %r10;\n"
            "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20, %r21, %r22, %r23}, [%r10];\n"
            "and.b32 %r12, %r1, 15; shl.b32 %r12, %r12, 4; add.u32 %r12, %r9, %r12;\n"
            "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r24, %r25}, [%r12+512];\n"
            "mov.f32 %f1, 0f00000000;\n"
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f10, %f11, %f12, %f13}, {%r20, %r21, %r22, %r23},"
            "{%r24, %r25}, {%f1, %f1, %f1, %f1};\n"
            "shr.u32 %r13, %r1, 2; and.b32 %r14, %r1, 3; shl.b32 %r13, %r13, 5; shl.b32 %r14, %r14, 3;\n"
            "add.u32 %r13, %r13, %r14; cvt.u64.u32 %rd7, %r13; add.s64 %rd7, %rd1, %rd7;\n"
            "st.global.v2.f32 [%rd7], {%f10, %f11}; st.global.v2.f32 [%rd7+256], {%f12, %f13};",
    };
    expect(&kernel, STATUS_OK);
    for (int r = 0; r < 16; r++)
        for (int c = 0; c < 8; c++) {
            int sum = 0;
            for (int i = 0; i < 16; i++)
                sum += ((r * 5 + i * 3) % 9 - 4) * ((i * 2 + c * 7) % 11 - 5);
            ck_assert_float_eq(out[r * 8 + c], (float)sum);
        }
}
END_TEST

START_TEST(matrices_move_and_turn)
{
    uint16_t in[64], out[128] = {0};
    for (int i = 0; i < 64; i++)
        in[i] = (uint16_t)(i * 3);
    struct kernel kernel = {
        .before = ".shared .align 16 .b8 tile[128];",
        .in = in,
        .in_size = sizeof in,
        .out = out,
        .out_size = sizeof out,
        .body = "ld.global.u32 %r10, [%rd2]; movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r10; st.global.u32 [%rd3], "
                "%r11;\n"
                "mov.u32 %r9, tile; and.b32 %r12, %r1, 7; shl.b32 %r12, %r12, 4; add.u32 %r12, %r9, %r12;\n"
                "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%r12], {%r10}; bar.sync 0; shl.b32 %r13, %r1, 2;\n"
                "add.u32 %r13, %r9, %r13; ld.shared.u32 %r14, [%r13]; st.global.u32 [%rd3+128], %r14;",
    };
    expect(&kernel, STATUS_OK);
    for (int r = 0; r < 8; r++)
        for (int c = 0; c < 8; c++) {
            ck_assert_uint_eq(out[r * 8 + c], in[c * 8 + r]);
            ck_assert_uint_eq(out[64 + r * 8 + c], in[c * 8 + r]);
        }
}
END_TEST

START_TEST(half_a_warp_may_not_multiply)
{
    struct kernel kernel = {
        .body =
            "setp.lt.u32 %p1, %r1, 16; @%p1 bra A; bra B;\nA: movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r10;\nB:"};
    expect(&kernel, STATUS_FAULT);
    ck_assert_str_eq(kernel.diagnostic.message,
                     "block (0,0,0) thread (0,0,0) executes a matrix instruction with 16 lanes; "
                     "all 32 of the warp must execute it together");
}
END_TEST

START_TEST(wmma_multiplies_what_it_loaded)
{
    uint16_t in[512];
    float out[256] = {0};
    for (int i = 0; i < 512; i++)
        in[i] = (uint16_t)f16_from_f32((float)(i * 7 % 5 - 2));
    struct kernel kernel = {
        .in = in,
        .in_size = sizeof in,
        .out = out,
        .out_size = sizeof out,
        .body = "mov.u32 %r5, 16; mov.f32 %f1, 0f3f800000;\n"
                "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}, "
                "[%rd0], %r5;\n"
                "wmma.load.b.sync.aligned.col.m16n16k16.global.f16 {%r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27}, "
                "[%rd0+512], %r5;\n"
                "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f10, %f11, %f12, %f13, %f14, %f15, %f16, %f17},"
                "{%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}, {%r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27},"
                "{%f1, %f1, %f1, %f1, %f1, %f1, %f1, %f1};\n"
                "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], {%f10, %f11, %f12, %f13, %f14, %f15, %f16, "
                "%f17}, %r5;",
    };
    expect(&kernel, STATUS_OK);
    for (int r = 0; r < 16; r++)
        for (int c = 0; c < 16; c++) {
            int sum = 1;
            for (int i = 0; i < 16; i++)
                sum += ((r * 16 + i) * 7 % 5 - 2) * ((256 + c * 16 + i) * 7 % 5 - 2);
            ck_assert_float_eq(out[r * 16 + c], (float)sum);
        }
}
END_TEST

static int stored_exponent(double value, int least)
{
    int exponent = value == 0 || !isfinite(value) ? -1000 : ilogb(value);
    return value != 0 && isfinite(value) && exponent < least ? least : exponent;
}

static double real_of(enum element element, uint16_t bits)
{
    return (double)(element == F16 ? f16_to_f32(bits) : bf16_to_f32(bits));
}

// As Hopper's tensor cores add: all cut off 25 bits below the greatest exponent, then the sum to a float.
static uint32_t tensor_sum(enum element element, const uint16_t *a, const uint16_t *b, int stride, float addend)
{
    int top = stored_exponent((double)addend, -126), least = element == F16 ? -14 : -126;
    for (int i = 0; i < 16; i++) {
        int x = stored_exponent(real_of(element, a[i]), least),
            y = stored_exponent(real_of(element, b[i * stride]), least);
        top = x + y > top ? x + y : top;
    }
    double sum = trunc(ldexp((double)addend, 25 - top));
    for (int i = 0; i < 16; i++)
        sum += trunc(ldexp(real_of(element, a[i]) * real_of(element, b[i * stride]), 25 - top));
    sum = ldexp(sum, top - 25);
    float single = (float)sum;
    if (fabs((double)single) > fabs(sum) && fabs(sum) < 0x1p128)
        single = nextafterf(single, 0);
    return single != single ? 0x7fffffff : f32_bits(single);
}

// A whole number of so many bits, times a power of two.
static double few_bits(uint64_t *state, unsigned bits, int exponent)
{
    uint64_t random = random_next(state);
    double value = ldexp((double)(random & ((UINT64_C(1) << bits) - 1)), exponent);
    return random >> 63 ? -value : value;
}

static uint16_t any_input(enum element element, uint64_t *state, unsigned bits, int exponent)
{
    float value = (float)few_bits(state, bits, exponent);
    return (uint16_t)(element == F16 ? f16_from_f32(value) : bf16_from_f32(value));
}

// Any bits, infinities and tiny numbers among them, or few bits, whose sums need no cutting off; the sums go to the
// registers of the addends, in another order.
START_TEST(wmma_cuts_sums_off_and_may_store_over_its_inputs)
{
    static uint16_t in[512 + 512];
    static uint32_t out[32][8];
    uint64_t state = 7 + (uint64_t)_i;
    float *addends = (float *)(void *)(in + 512);
    // Every fourth product has numbers of any size.
    for (int i = 0; i < 512; i++)
        in[i] = (uint16_t)(random_next(&state) & (_i % 4 ? 0x87ff : 0xffff)) | (_i % 4 ? 0x3000 : 0);
    for (int i = 0; i < 256; i++)
        addends[i] =
            bits_f32((uint32_t)(random_next(&state) & (_i % 4 ? 0x81ffffff : 0xffffffff)) | (_i % 4 ? 0x3e000000u : 0));
    if (_i >= 40) {
        uint64_t drawn = random_next(&state);
        int a_power = (int)((drawn >> 8) % 34) - 24, b_power = (int)((drawn >> 16) % 34) - 24;
        for (int i = 0; i < 512; i++)
            in[i] = any_input(F16, &state, (unsigned)(i < 256 ? drawn : drawn >> 4) % 12, i < 256 ? a_power : b_power);
        for (int i = 0; i < 256; i++)
            addends[i] = (float)few_bits(&state, (unsigned)(drawn >> 24) % 25, a_power + b_power + (int)(drawn >> 62));
        if (drawn >> 32 & 1) // one of them is of another kind
            in[drawn >> 33 & 511] = (uint16_t)random_next(&state);
    }
    struct text body = {0};
    text_puts(&body,
              "mov.u32 %r5, 16; mul.wide.u32 %rd6, %r1, 32; add.s64 %rd7, %rd0, %rd6; add.s64 %rd6, %rd1, %rd6;\n");
    for (int i = 0; i < 8; i++)
        text_printf(&body, "ld.global.f32 %%f%d, [%%rd7+%d];\n", 10 + i, 1024 + 4 * i);
    text_puts(&body,
              "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r10, %r11, %r12, %r13, %r14, %r15, %r16, "
              "%r17}, [%rd0], %r5;\n"
              "wmma.load.b.sync.aligned.row.m16n16k16.global.f16 {%r20, %r21, %r22, %r23, %r24, %r25, %r26, "
              "%r27}, [%rd0+512], %r5;\n"
              "wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32 {%f17, %f16, %f15, %f14, %f13, %f12, %f11, %f10},"
              "{%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}, {%r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27},"
              "{%f10, %f11, %f12, %f13, %f14, %f15, %f16, %f17};\n");
    for (int i = 0; i < 8; i++)
        text_printf(&body, "st.global.f32 [%%rd6+%d], %%f%d;\n", 4 * i, 17 - i);
    struct kernel kernel = {
        .body = text_get(&body), .in = in, .in_size = sizeof in, .out = out, .out_size = sizeof out};
    expect(&kernel, STATUS_OK);
    text_free(&body);
    for (int row = 0; row < 16; row++)
        for (int column = 0; column < 16; column++) {
            uint32_t bits = tensor_sum(F16, in + row * 16, in + 256 + column, 16, addends[row * 16 + column]);
            ck_assert_uint_eq(out[row * 2 + column / 8][column % 8], bits);
        }
}
END_TEST

enum { PRODUCTS = 8, WORDS = 12, FEW_BITS = 400, ALL_BITS = 240 };

// All bits of the fraction. Of a kind: exponents near each other, far from each other, the greatest of one sign, any
// bits at all.
static uint16_t full_input(enum element element, uint64_t *state, int kind)
{
    uint16_t random = (uint16_t)random_next(state), spread = element == F16 ? 0x0c00 : 0x0180;
    uint16_t fraction = element == F16 ? 0x03ff : 0x007f, least = element == F16 ? 0x3000 : 0x3f00;
    uint16_t much = element == F16 ? 0x7800 : 0x1f80;
    switch (kind) {
    case 0:
        return (uint16_t)((random & (0x8000 | spread | fraction)) | least);
    case 1:
        return (uint16_t)((random & (0x8000 | much | fraction)) + (element == F16 ? 0 : 0x2000));
    case 2:
        return (uint16_t)((element == F16 ? 0x7bff : 0x5d7f) - (random & 7));
    default:
        return random;
    }
}

static float full_addend(uint64_t *state, int kind)
{
    uint64_t random = random_next(state);
    uint32_t bits = (uint32_t)random;
    if (random >> 32 & 1) // of the products' size
        return bits_f32((bits & 0x83ffffff) | (kind == 2 ? 0x4c000000 : 0x3c000000));
    return kind == 3 || random >> 33 & 1 ? bits_f32(bits) : random >> 34 & 1 ? -0.0f : 0.0f;
}

// Data of few bits, whose sums need no cutting off, and of so many that they do; products one after another.
START_TEST(mma_cuts_sums_off_or_has_no_need_to)
{
    static uint32_t in[PRODUCTS][32][WORDS], out[PRODUCTS][32][4];
    static uint16_t a[PRODUCTS][16][16], b[PRODUCTS][16][8];
    static float c[PRODUCTS][16][8];
    uint64_t state = 100 + (uint64_t)_i;
    enum element element = _i % 2 ? BF16 : F16;
    struct text body = {0};
    memset(in, 0, sizeof in);
    for (int p = 0; p < PRODUCTS; p++) {
        unsigned drawn = (unsigned)random_next(&state), a_bits = drawn % 12, b_bits = (drawn >> 4) % 12;
        int a_power = (int)((drawn >> 8) % 34) - 24, b_power = (int)((drawn >> 16) % 34) - 24;
        unsigned c_bits = (drawn >> 24) % 25;
        int c_power = a_power + b_power + (drawn >> 30 == 3 ? -3 : (int)(drawn >> 30));
        for (int row = 0; row < 16; row++)
            for (int i = 0; i < 16; i++)
                a[p][row][i] = any_input(element, &state, a_bits, a_power);
        for (int i = 0; i < 16; i++)
            for (int column = 0; column < 8; column++)
                b[p][i][column] = any_input(element, &state, b_bits, b_power);
        for (int row = 0; row < 16; row++)
            for (int column = 0; column < 8; column++)
                c[p][row][column] = (float)few_bits(&state, c_bits, c_power);
        if (_i >= FEW_BITS) {
            int kind = _i / 2 % 4, fewer = p % 2; // every other product has addends of 0
            for (int i = 0; i < 16 * 16; i++)
                a[p][i / 16][i % 16] = full_input(element, &state, kind);
            for (int i = 0; i < 16 * 8; i++) {
                b[p][i / 8][i % 8] = full_input(element, &state, kind);
                c[p][i / 8][i % 8] = fewer ? 0 : full_addend(&state, kind);
            }
        }
        if (drawn % 5 == 0) // one of them is of another kind
            a[p][3][4] = (uint16_t)random_next(&state);
        if (drawn % 7 == 0)
            c[p][8][1] = bits_f32((uint32_t)random_next(&state));
        for (int lane = 0; lane < 32; lane++) {
            for (int i = 0; i < 8; i++) {
                int row, column;
                a_place(16, element, lane, i / 2, i % 2, &row, &column);
                in[p][lane][i / 2] |= (uint32_t)a[p][row][column] << 16 * (i % 2);
            }
            for (int i = 0; i < 4; i++) {
                in[p][lane][4 + i / 2] |= (uint32_t)b[p][lane % 4 * 2 + i % 2 + i / 2 * 8][lane / 4] << 16 * (i % 2);
                in[p][lane][8 + i] = f32_bits(c[p][lane / 4 + i / 2 * 8][lane % 4 * 2 + i % 2]);
            }
        }
    }
    text_puts(&body, "mul.wide.u32 %rd6, %r1, 48; add.s64 %rd6, %rd0, %rd6; mul.wide.u32 %rd7, %r1, 16;"
                     "add.s64 %rd7, %rd1, %rd7;\n");
    for (int p = 0; p < PRODUCTS; p++)
        text_printf(&body,
                    "ld.global.v4.b32 {%%r10, %%r11, %%r12, %%r13}, [%%rd6+%d];\n"
                    "ld.global.v2.b32 {%%r14, %%r15}, [%%rd6+%d];\n"
                    "ld.global.v4.f32 {%%f10, %%f11, %%f12, %%f13}, [%%rd6+%d];\n"
                    "mma.sync.aligned.m16n8k16.row.col.f32.%s.f32 {%%f10, %%f11, %%f12, %%f13}, "
                    "{%%r10, %%r11, %%r12, %%r13}, {%%r14, %%r15}, {%%f10, %%f11, %%f12, %%f13};\n"
                    "st.global.v4.f32 [%%rd7+%d], {%%f10, %%f11, %%f12, %%f13};\n",
                    p * 32 * WORDS * 4, p * 32 * WORDS * 4 + 16, p * 32 * WORDS * 4 + 32,
                    element == F16 ? "f16.f16" : "bf16.bf16", p * 32 * 16);
    struct kernel kernel = {
        .body = text_get(&body), .in = in, .in_size = sizeof in, .out = out, .out_size = sizeof out};
    expect(&kernel, STATUS_OK);
    text_free(&body);
    for (int p = 0; p < PRODUCTS; p++)
        for (int lane = 0; lane < 32; lane++)
            for (int i = 0; i < 4; i++) {
                int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
                uint32_t want = tensor_sum(element, a[p][row], &b[p][0][column], 8, c[p][row][column]);
                ck_assert_msg(out[p][lane][i] == want, "product %d, row %d, column %d: %x, not %x", p, row, column,
                              out[p][lane][i], want);
            }
}
END_TEST

Suite *suite_matrices(void)
{
    Suite *suite = suite_create("matrices");
    TCase *tests = tcase_create("matrices");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, mma_multiplies_the_matrices_of_its_fragments, 0, sizeof shapes / sizeof *shapes);
    tcase_add_test(tests, ldmatrix_feeds_mma);
    tcase_add_test(tests, matrices_move_and_turn);
    tcase_add_test(tests, half_a_warp_may_not_multiply);
    tcase_add_test(tests, wmma_multiplies_what_it_loaded);
    tcase_add_loop_test(tests, wmma_cuts_sums_off_and_may_store_over_its_inputs, 0, 240);
    tcase_add_loop_test(tests, mma_cuts_sums_off_or_has_no_need_to, 0, FEW_BITS + ALL_BITS);
    suite_add_tcase(suite, tests);
    return suite;
}
