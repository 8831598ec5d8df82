#include "generate.h"

#include <stdbool.h>

struct generator {
    uint64_t state;
    struct text *out;
    unsigned labels, depth, loops;
    uint32_t threads; // of a block
    bool counted;     // its counters can be compared, see generate.h
    bool elects;      // chooses leaders of groups, too
};

static uint32_t draw(struct generator *g, uint32_t bound)
{
    // SplitMix64 (Steele, Lea, Flood 2014)
    uint64_t z = g->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 32) % bound;
}

#define PICK(g, ...)                                                                                                   \
    (((const char *const[]){__VA_ARGS__})[draw(g, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))])

static uint32_t r(struct generator *g)
{
    return draw(g, GENERATE_R);
}
static uint32_t d(struct generator *g)
{
    return draw(g, GENERATE_D);
}
static uint32_t f(struct generator *g)
{
    return draw(g, GENERATE_F);
}
static uint32_t v(struct generator *g)
{
    return draw(g, GENERATE_G);
}
static uint32_t h(struct generator *g)
{
    return draw(g, GENERATE_H);
}
static uint32_t p(struct generator *g)
{
    return draw(g, 6);
}

static const char *compare(struct generator *g)
{
    return PICK(g, "eq", "ne", "lt", "le", "gt", "ge");
}

// ---- statements; each leaves every register defined

static void int32_two(struct generator *g)
{
    const char *op =
        PICK(g, "add.s32", "sub.s32", "mul.lo.s32", "mul.hi.s32", "mul.hi.u32", "min.s32", "max.u32", "min.u32",
             "max.s32", "and.b32", "or.b32", "xor.b32", "add.sat.s32", "sub.sat.s32", "mul24.lo.s32", "mul24.lo.u32",
             "mul24.hi.u32", "mul24.hi.s32", "shl.b32", "shr.u32", "shr.s32");
    text_printf(g->out, "  %s %%r%u, %%r%u, ", op, r(g), r(g));
    if (draw(g, 3))
        text_printf(g->out, "%%r%u;\n", r(g));
    else
        text_printf(g->out, "%d;\n", (int)draw(g, 64) - (text_starts(op, "sh") ? 0 : 16));
}

static void int32_three(struct generator *g)
{
    text_printf(g->out, "  %s %%r%u, %%r%u, %%r%u, %%r%u;\n",
                PICK(g, "mad.lo.s32", "mad.hi.u32", "mad.hi.s32", "sad.s32", "sad.u32", "prmt.b32", "prmt.b32.f4e",
                     "prmt.b32.b4e", "prmt.b32.rc8", "prmt.b32.ecl", "prmt.b32.ecr", "prmt.b32.rc16", "shf.l.wrap.b32",
                     "shf.l.clamp.b32", "shf.r.wrap.b32", "shf.r.clamp.b32", "bfe.u32", "bfe.s32", "dp4a.s32.s32",
                     "dp4a.u32.s32", "dp4a.u32.u32", "dp2a.lo.s32.s32", "dp2a.hi.u32.u32", "mad24.lo.s32",
                     "mad24.hi.u32", "mad.hi.sat.s32"),
                r(g), r(g), r(g), r(g));
}

static void int32_one(struct generator *g)
{
    text_printf(g->out, "  %s %%r%u, %%r%u;\n",
                PICK(g, "abs.s32", "neg.s32", "not.b32", "cnot.b32", "popc.b32", "clz.b32", "brev.b32", "bfind.u32",
                     "bfind.s32", "bfind.shiftamt.u32", "bfind.shiftamt.s32"),
                r(g), r(g));
}

static void int32_odd(struct generator *g)
{
    switch (draw(g, 7)) {
    case 0:
        text_printf(g->out, "  lop3.b32 %%r%u, %%r%u, %%r%u, %%r%u, %u;\n", r(g), r(g), r(g), r(g), draw(g, 256));
        break;
    case 1:
        text_printf(g->out, "  bfi.b32 %%r%u, %%r%u, %%r%u, %%r%u, %%r%u;\n", r(g), r(g), r(g), r(g), r(g));
        break;
    case 2: // a divisor that is never zero, and never -1 for the most negative number
        text_printf(g->out, "  or.b32 %%t0, %%r%u, 1; and.b32 %%t0, %%t0, 0x7fffffff; %s %%r%u, %%r%u, %%t0;\n", r(g),
                    PICK(g, "div.u32", "div.s32", "rem.u32", "rem.s32"), r(g), r(g));
        break;
    case 3: {
        uint32_t low = draw(g, GENERATE_R / 2), high = GENERATE_R / 2 + draw(g, GENERATE_R / 2);
        const char *pair = PICK(g, "add", "sub");
        text_printf(g->out, "  %s.cc.u32 %%r%u, %%r%u, %%r%u; %sc.u32 %%r%u, %%r%u, %%r%u;\n", pair, low, r(g), r(g),
                    pair, high, r(g), r(g));
        break;
    }
    case 4:
        text_printf(g->out, "  selp.b32 %%r%u, %%r%u, %%r%u, %%p%u;\n", r(g), r(g), r(g), p(g));
        break;
    case 5:
        text_printf(g->out, "  slct.s32.s32 %%r%u, %%r%u, %%r%u, %%r%u;\n", r(g), r(g), r(g), r(g));
        break;
    default:
        text_printf(g->out, "  set.%s.%s.%s %%r%u, %%r%u, %%r%u;\n", compare(g), PICK(g, "u32", "s32"),
                    PICK(g, "u32", "s32"), r(g), r(g), r(g));
    }
}

static void int64(struct generator *g)
{
    switch (draw(g, 6)) {
    case 0:
        text_printf(g->out, "  %s %%d%u, %%d%u, %%d%u;\n",
                    PICK(g, "add.s64", "sub.s64", "mul.lo.s64", "mul.hi.u64", "mul.hi.s64", "min.s64", "max.u64",
                         "and.b64", "or.b64", "xor.b64"),
                    d(g), d(g), d(g));
        break;
    case 1:
        text_printf(g->out, "  %s %%d%u, %%r%u, %%r%u;\n", PICK(g, "mul.wide.s32", "mul.wide.u32"), d(g), r(g), r(g));
        break;
    case 2:
        text_printf(g->out, "  %s %%d%u, %%d%u, %u;\n", PICK(g, "shl.b64", "shr.u64", "shr.s64"), d(g), d(g),
                    draw(g, 70));
        break;
    case 3:
        text_printf(g->out, "  %s %%r%u, %%d%u;\n", PICK(g, "popc.b64", "clz.b64", "bfind.u64", "bfind.s64"), r(g),
                    d(g));
        break;
    case 4:
        text_printf(g->out, "  mov.b64 {%%r%u, %%t0}, %%d%u; mov.b64 %%d%u, {%%t0, %%r%u};\n", r(g), d(g), d(g), r(g));
        break;
    default:
        text_printf(g->out, "  %s %%d%u, %%r%u, %%r%u, %%d%u;\n", PICK(g, "mad.wide.s32", "mad.wide.u32"), d(g), r(g),
                    r(g), d(g));
    }
}

static void convert(struct generator *g)
{
    switch (draw(g, 9)) {
    case 0:
        text_printf(g->out, "  %s %%r%u, %%r%u;\n",
                    PICK(g, "cvt.s32.s8", "cvt.u32.u8", "cvt.s32.s16", "cvt.u32.u16", "cvt.sat.s8.s32",
                         "cvt.sat.u8.s32", "cvt.sat.s16.s32", "cvt.sat.u16.u32", "cvt.sat.u32.s32"),
                    r(g), r(g));
        break;
    case 1:
        text_printf(g->out, "  %s %%d%u, %%r%u;\n", PICK(g, "cvt.s64.s32", "cvt.u64.u32", "cvt.sat.u64.s32"), d(g),
                    r(g));
        break;
    case 2:
        text_printf(g->out, "  %s %%r%u, %%d%u;\n", PICK(g, "cvt.u32.u64", "cvt.sat.s32.s64", "cvt.sat.u32.s64"), r(g),
                    d(g));
        break;
    case 3:
        text_printf(g->out, "  cvt.%s.f32.%s %%f%u, %%r%u;\n", PICK(g, "rn", "rz", "rm", "rp"), PICK(g, "s32", "u32"),
                    f(g), r(g));
        break;
    case 4:
        text_printf(g->out, "  cvt.%s%s.%s.f32 %%r%u, %%f%u;\n", PICK(g, "rni", "rzi", "rmi", "rpi"),
                    PICK(g, "", ".ftz"), PICK(g, "s32", "u32"), r(g), f(g));
        break;
    case 5:
        text_printf(g->out, "  cvt.%s.f64.%s %%g%u, %%d%u;\n", PICK(g, "rn", "rz", "rm", "rp"), PICK(g, "s64", "u64"),
                    v(g), d(g));
        break;
    case 6:
        text_printf(g->out, "  cvt.%s.s64.f64 %%d%u, %%g%u;\n", PICK(g, "rni", "rzi", "rmi", "rpi"), d(g), v(g));
        break;
    case 7:
        if (draw(g, 2))
            text_printf(g->out, "  cvt.f64.f32 %%g%u, %%f%u;\n", v(g), f(g));
        else
            text_printf(g->out, "  cvt.%s%s.f32.f64 %%f%u, %%g%u;\n", PICK(g, "rn", "rz", "rm", "rp"),
                        PICK(g, "", ".ftz", ".sat"), f(g), v(g));
        break;
    default:
        text_printf(g->out, "  cvt.%s%s.f32.f32 %%f%u, %%f%u;\n", PICK(g, "rni", "rzi", "rmi", "rpi"),
                    PICK(g, "", ".ftz", ".sat"), f(g), f(g));
    }
}

static void float32(struct generator *g)
{
    const char *round = PICK(g, "rn", "rz", "rm", "rp"), *flush = PICK(g, "", ".ftz");
    switch (draw(g, 9)) {
    case 0:
        text_printf(g->out, "  %s.%s%s%s.f32 %%f%u, %%f%u, %%f%u;\n", PICK(g, "add", "sub", "mul"), round, flush,
                    PICK(g, "", "", ".sat"), f(g), f(g), f(g));
        break;
    case 1:
        text_printf(g->out, "  fma.%s%s%s.f32 %%f%u, %%f%u, %%f%u, %%f%u;\n", round, flush, PICK(g, "", "", ".sat"),
                    f(g), f(g), f(g), f(g));
        break;
    case 2:
        text_printf(g->out, "  %s%s%s.f32 %%f%u, %%f%u, %%f%u;\n", PICK(g, "min", "max"), flush, PICK(g, "", ".NaN"),
                    f(g), f(g), f(g));
        break;
    case 3:
        text_printf(g->out, "  %s%s.f32 %%f%u, %%f%u;\n", PICK(g, "abs", "neg"), flush, f(g), f(g));
        break;
    case 4:
        text_printf(g->out, "  %s.%s%s.f32 %%f%u, %%f%u;\n", PICK(g, "sqrt", "rcp"), round, flush, f(g), f(g));
        break;
    case 5:
        text_printf(g->out, "  div.%s%s.f32 %%f%u, %%f%u, %%f%u;\n", round, flush, f(g), f(g), f(g));
        break;
    case 6:
        text_printf(g->out, "  setp.%s%s.f32 %%p%u, %%f%u, %%f%u;\n",
                    PICK(g, "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"),
                    flush, p(g), f(g), f(g));
        break;
    case 7:
        text_printf(g->out, "  selp.f32 %%f%u, %%f%u, %%f%u, %%p%u;\n", f(g), f(g), f(g), p(g));
        break;
    default: // bits drawn as a number of moderate size
        text_printf(g->out, "  and.b32 %%t0, %%r%u, 0x81ffffff; or.b32 %%t0, %%t0, 0x3e000000; mov.b32 %%f%u, %%t0;\n",
                    r(g), f(g));
    }
}

static void float64(struct generator *g)
{
    const char *round = PICK(g, "rn", "rz", "rm", "rp");
    switch (draw(g, 5)) {
    case 0:
        text_printf(g->out, "  %s.%s.f64 %%g%u, %%g%u, %%g%u;\n", PICK(g, "add", "sub", "mul"), round, v(g), v(g),
                    v(g));
        break;
    case 1:
        text_printf(g->out, "  fma.%s.f64 %%g%u, %%g%u, %%g%u, %%g%u;\n", round, v(g), v(g), v(g), v(g));
        break;
    case 2:
        text_printf(g->out, "  %s.f64 %%g%u, %%g%u, %%g%u;\n", PICK(g, "min", "max"), v(g), v(g), v(g));
        break;
    case 3:
        text_printf(g->out, "  %s.%s.f64 %%g%u, %%g%u;\n", PICK(g, "sqrt", "rcp"), round, v(g), v(g));
        break;
    default:
        text_printf(g->out, "  %s.f64 %%g%u, %%g%u;\n", PICK(g, "abs", "neg"), v(g), v(g));
    }
}

static void half(struct generator *g)
{
    switch (draw(g, 6)) {
    case 0:
        text_printf(g->out, "  %s.rn%s.f16x2 %%h%u, %%h%u, %%h%u;\n", PICK(g, "add", "sub", "mul"),
                    PICK(g, "", ".ftz", ".sat"), h(g), h(g), h(g));
        break;
    case 1:
        text_printf(g->out, "  fma.rn%s.f16x2 %%h%u, %%h%u, %%h%u, %%h%u;\n", PICK(g, "", ".ftz", ".sat", ".relu"),
                    h(g), h(g), h(g), h(g));
        break;
    case 2:
        text_printf(g->out, "  cvt.%s.f16x2.f32 %%h%u, %%f%u, %%f%u;\n", PICK(g, "rn", "rz"), h(g), f(g), f(g));
        break;
    case 3:
        text_printf(g->out, "  mov.b32 {%%s0, %%s1}, %%h%u; cvt.f32.f16 %%f%u, %%s%u;\n", h(g), f(g), draw(g, 2));
        break;
    case 4:
        text_printf(g->out, "  %s.f16x2 %%h%u, %%h%u, %%h%u;\n", PICK(g, "min", "max"), h(g), h(g), h(g));
        break;
    default:
        text_printf(g->out, "  %s.f16x2 %%h%u, %%h%u;\n", PICK(g, "neg", "abs"), h(g), h(g));
    }
}

static void predicates(struct generator *g)
{
    switch (draw(g, 3)) {
    case 0:
        text_printf(g->out, "  setp.%s.%s %%p%u, %%r%u, %%r%u;\n", compare(g), PICK(g, "s32", "u32"), p(g), r(g), r(g));
        break;
    case 1: {
        uint32_t first = draw(g, 3), second = 3 + draw(g, 3);
        text_printf(g->out, "  setp.%s.%s.s64 %%p%u|%%p%u, %%d%u, %%d%u, %%p%u;\n", compare(g),
                    PICK(g, "and", "or", "xor"), first, second, d(g), d(g), p(g));
        break;
    }
    default:
        text_printf(g->out, "  %s.pred %%p%u, %%p%u, %%p%u;\n", PICK(g, "and", "or", "xor"), p(g), p(g), p(g));
    }
}

static void guarded(struct generator *g)
{
    text_printf(g->out, "  @%s%%p%u add.s32 %%r%u, %%r%u, %u;\n", PICK(g, "", "!"), p(g), r(g), r(g), draw(g, 1000));
}

// ptxas drops even a volatile load whose value nobody wants.
static void keep(struct generator *g, uint32_t reg)
{
    if (g->counted)
        text_printf(g->out, "  xor.b32 %%kept, %%kept, %%r%u;\n", reg);
}

static void load_input(struct generator *g)
{
    uint32_t to = r(g);
    const char *op = g->counted ? "ld.volatile.global" : PICK(g, "ld.global", "ld.global.nc", "ld.global.ca");
    text_printf(g->out,
                "  and.b32 %%t0, %%r%u, %u; mul.wide.u32 %%a0, %%t0, 4; add.s64 %%a0, %%a0, %%in; "
                "%s.u32 %%r%u, [%%a0];\n",
                r(g), GENERATE_INPUTS - 1, op, to);
    keep(g, to);
}

static void local_memory(struct generator *g)
{
    text_printf(g->out,
                "  and.b32 %%t0, %%r%u, 60; cvt.u64.u32 %%a0, %%t0; add.s64 %%a0, %%a0, %%stack; "
                "st.local.u32 [%%a0], %%r%u; and.b32 %%t1, %%r%u, 60; cvt.u64.u32 %%a1, %%t1; "
                "add.s64 %%a1, %%a1, %%stack; ld.local.u32 %%r%u, [%%a1];\n",
                r(g), r(g), r(g), r(g));
}

static void anywhere(struct generator *g)
{
    static void (*const kinds[])(struct generator *) = {
        int32_two, int32_two, int32_three, int32_three, int32_one, int32_odd,  int32_odd,
        int64,     int64,     convert,     convert,     float32,   float32,    float32,
        float64,   half,      predicates,  predicates,  guarded,   load_input, local_memory};
    kinds[draw(g, sizeof kinds / sizeof *kinds)](g);
}

// ---- only where the whole block runs together

static void warp_wide(struct generator *g)
{
    switch (draw(g, 6)) {
    case 0:
        text_printf(g->out, "  shfl.sync.%s.b32 %%r%u|%%p%u, %%r%u, %u, %u, 0xffffffff;\n",
                    PICK(g, "idx", "bfly", "down"), r(g), p(g), r(g), draw(g, 32), draw(g, 2) ? 31u : 0x181fu);
        break;
    case 1:
        text_printf(g->out, "  shfl.sync.up.b32 %%r%u|%%p%u, %%r%u, %u, %u, 0xffffffff;\n", r(g), p(g), r(g),
                    draw(g, 32), draw(g, 2) ? 0u : 0x1800u);
        break;
    case 2:
        text_printf(g->out, "  vote.sync.ballot.b32 %%r%u, %%p%u, 0xffffffff;\n", r(g), p(g));
        break;
    case 3:
        text_printf(g->out, "  vote.sync.%s.pred %%p%u, %%p%u, 0xffffffff;\n", PICK(g, "all", "any", "uni"), p(g),
                    p(g));
        break;
    case 4:
        text_printf(g->out, "  and.b32 %%t0, %%r%u, 3; match.any.sync.b32 %%r%u, %%t0, 0xffffffff;\n", r(g), r(g));
        break;
    default:
        text_printf(g->out, "  redux.sync.%s %%r%u, %%r%u, 0xffffffff;\n",
                    PICK(g, "add.s32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32", "min.u32", "add.u32"),
                    r(g), r(g));
    }
}

// Each thread stores to a slot of its own (an odd multiplier permutes a power of two of slots), all wait, each loads
// any slot, all wait.
static void shared_exchange(struct generator *g)
{
    uint32_t vector = 1u << draw(g, 3), slots = g->threads <= 64 ? 64 : g->threads <= 128 ? 128 : 256;
    uint32_t odd = 2 * draw(g, 16) + 1, twist = draw(g, slots), bytes = 4 * vector;
    static const char *const values[] = {"", "%%r%u", "{%%r%u, %%r%u}", "", "{%%r%u, %%r%u, %%r%u, %%r%u}"};
    const char *weak = g->counted ? ".volatile" : PICK(g, "", ".volatile"), *suffix = vector == 1   ? ""
                                                                                      : vector == 2 ? ".v2"
                                                                                                    : ".v4";
    uint32_t a = r(g), b = (a + 1) % GENERATE_R, c = (a + 2) % GENERATE_R, e = (a + 3) % GENERATE_R;
    text_printf(g->out, "  mad.lo.u32 %%t0, %%me, %u, %u; and.b32 %%t0, %%t0, %u; mad.lo.u32 %%t0, %%t0, %u, %%base;\n",
                odd, twist, slots - 1, bytes);
    text_printf(g->out, "  st%s.shared%s.u32 [%%t0], ", weak, suffix);
    text_printf(g->out, values[vector], a, b, c, e);
    text_printf(g->out, ";\n  bar.sync 0;\n");
    text_printf(g->out,
                "  mad.lo.u32 %%t1, %s, %u, %u; rem.u32 %%t1, %%t1, %u; mad.lo.u32 %%t1, %%t1, %u, %u; and.b32 "
                "%%t1, %%t1, %u; mad.lo.u32 %%t1, %%t1, %u, %%base;\n",
                draw(g, 2) ? "%r1" : "%me", 1 + draw(g, 7), draw(g, 99), g->threads, odd, twist, slots - 1, bytes);
    text_printf(g->out, "  ld%s.shared%s.u32 ", weak, suffix);
    text_printf(g->out, values[vector], a, b, c, e);
    text_printf(g->out, ", [%%t1];\n  bar.sync 0;\n");
    for (uint32_t i = 0; i < vector; i++)
        keep(g, (a + i) % GENERATE_R);
}

static void atomics(struct generator *g)
{
    const char *op = PICK(g, "add.u32", "min.u32", "max.s32", "and.b32", "or.b32", "xor.b32");
    text_printf(g->out, "  and.b32 %%t0, %%r%u, 31; shl.b32 %%t0, %%t0, 2; add.u32 %%t0, %%t0, %%bins;\n", r(g));
    text_printf(g->out, "  red.shared.%s [%%t0], %%r%u;\n  bar.sync 0;\n", op, r(g));
    text_printf(g->out, "  and.b32 %%t1, %%r%u, 31; shl.b32 %%t1, %%t1, 2; add.u32 %%t1, %%t1, %%bins;\n", r(g));
    uint32_t to = r(g);
    text_printf(g->out, "  ld%s.shared.u32 %%r%u, [%%t1];\n  bar.sync 0;\n", g->counted ? ".volatile" : "", to);
    keep(g, to);
    // One operator for each word of sums, so that blocks may come in any order.
    uint32_t kind = draw(g, 3);
    text_printf(g->out,
                "  and.b32 %%t0, %%r%u, 15; add.u32 %%t0, %%t0, %u; mul.wide.u32 %%a0, %%t0, 4; "
                "add.s64 %%a0, %%a0, %%sums; red.global.%s [%%a0], %%r%u;\n",
                r(g), 16 * kind, ((const char *const[]){"add.u32", "xor.b32", "max.u32"})[kind], r(g));
}

// ---- GENERATE_EXCHANGE: carry, parts of registers, and lanes under masks

// A chain through the carry: its operands are of any type, its last link need not set it; some lanes leave a link out.
static void carry(struct generator *g)
{
    uint32_t links = 2 + draw(g, 4);
    for (uint32_t i = 0; i < links; i++) {
        bool wide = draw(g, 2), multiplies;
        if (i && !draw(g, 4)) // carry and borrow outlast what stands between
            text_printf(g->out, "  xor.b32 %%r%u, %%r%u, %%r%u;\n", r(g), r(g), r(g));
        if (i && !draw(g, 6))
            text_printf(g->out, "  @%s%%p%u", PICK(g, "", "!"), p(g));
        const char *op = i ? PICK(g, "addc", "subc", "madc.lo", "madc.hi") : PICK(g, "add", "sub", "mad.lo", "mad.hi");
        char file = wide ? 'd' : 'r';
        uint32_t count = wide ? GENERATE_D : GENERATE_R;
        multiplies = text_starts(op, "mad");
        text_printf(g->out, "  %s%s.%s %%%c%u, %%%c%u, %%%c%u", op, i + 1 < links || draw(g, 2) ? ".cc" : "",
                    wide ? PICK(g, "u64", "s64") : PICK(g, "u32", "s32"), file, draw(g, count), file, draw(g, count),
                    file, draw(g, count));
        if (multiplies)
            text_printf(g->out, ", %%%c%u", file, draw(g, count));
        text_puts(g->out, ";\n");
    }
}

static void video_scalar(struct generator *g)
{
    const char *types[] = {PICK(g, "u32", "s32"), PICK(g, "u32", "s32"), PICK(g, "u32", "s32")};
    const char *second = PICK(g, "", ".add");
    uint32_t kind = draw(g, 10);
    if (kind == 0) {
        text_printf(g->out, "  vmad.%s.%s.%s %%r%u, %%r%u, %%r%u, %%r%u;\n",
                    text_starts(types[1], "u") && text_starts(types[2], "u") ? "u32" : "s32", types[1], types[2], r(g),
                    r(g), r(g), r(g));
        return;
    }
    if (kind == 1)
        text_printf(g->out, "  vset.%s.%s.%s%s", types[1], types[2], compare(g), second);
    else if (kind < 4)
        text_printf(g->out, "  %s.%s.%s.u32.%s%s", PICK(g, "vshl", "vshr"), types[0], types[1],
                    PICK(g, "wrap", "clamp"), second);
    else
        text_printf(g->out, "  %s.%s.%s.%s%s", PICK(g, "vadd", "vsub", "vabsdiff", "vmin", "vmax"), types[0], types[1],
                    types[2], second);
    text_printf(g->out, " %%r%u, %%r%u, %%r%u", r(g), r(g), r(g));
    if (*second)
        text_printf(g->out, ", %%r%u", r(g));
    text_puts(g->out, ";\n");
}

static void video_parts(struct generator *g)
{
    bool fours = draw(g, 2);
    const char *add = PICK(g, "", ".add"), *one = PICK(g, "u32", "s32"), *other = PICK(g, "u32", "s32");
    const char *name = PICK(g, "vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vset");
    text_printf(g->out, "  %s%c.", name, fours ? '4' : '2');
    if (text_starts(name, "vset"))
        text_printf(g->out, "%s.%s.%s%s", one, other, compare(g), add);
    else
        text_printf(g->out, "%s.%s.%s%s", PICK(g, "u32", "s32"), one, other, *add ? add : PICK(g, "", ".sat"));
    text_printf(g->out, " %%r%u%s, %%r%u%s, %%r%u%s, %%r%u;\n", r(g),
                fours ? PICK(g, "", ".b0", ".b21", ".b310") : PICK(g, "", ".h0", ".h1"), r(g),
                fours ? PICK(g, "", ".b0123", ".b7531") : PICK(g, "", ".h01", ".h32"), r(g),
                fours ? PICK(g, "", ".b4444", ".b0246") : PICK(g, "", ".h13", ".h22"), r(g));
}

// shfl in all modes and widths, its distances by lane. A lane that would read one outside its mask reads itself.
static void shuffle(struct generator *g)
{
    const char *mode = PICK(g, "up", "down", "bfly", "idx");
    bool indexes = text_starts(mode, "idx");
    uint32_t segment = (32 - (32u >> draw(g, 6))) & 31, clamp = text_starts(mode, "up") ? 0 : 31, value = r(g);
    if (!draw(g, 4))
        clamp = draw(g, 32);
    text_printf(g->out, "  mov.u32 %%x3, %%laneid; and.b32 %%t0, %%r%u, 31;\n", value);
    if (indexes)
        text_printf(g->out, "  and.b32 %%t1, %%x3, %u; and.b32 %%t2, %%t0, %u; or.b32 %%t1, %%t1, %%t2;\n", segment,
                    ~segment & 31);
    else
        text_printf(g->out, "  %s %%t1, %%x3, %%t0;\n",
                    text_starts(mode, "up")     ? "sub.u32"
                    : text_starts(mode, "down") ? "add.u32"
                                                : "xor.b32");
    text_printf(g->out,
                "  setp.gt.u32 %%q, %%t1, 31; shr.u32 %%t2, %%x0, %%t1; and.b32 %%t2, %%t2, 1; "
                "setp.ne.or.u32 %%q, %%t2, 0, %%q; selp.b32 %%t0, %%r%u, %s, %%q;\n",
                value, indexes ? "%x3" : "0");
    text_printf(g->out, "  shfl.sync.%s.b32 %%r%u|%%p%u, %%r%u, %%t0, %u, %%x0;\n", mode, r(g), p(g), r(g),
                segment << 8 | clamp);
}

// One instruction under the masks in %x0; every lane's mask has the lane, and the lanes of a mask are all here.
static void exchange(struct generator *g)
{
    switch (draw(g, g->elects ? 16 : 14)) {
    case 0: // from the group's last lane
        text_printf(g->out, "  bfind.u32 %%x2, %%x0; shfl.sync.idx.b32 %%r%u|%%p%u, %%r%u, %%x2, 31, %%x0;\n", r(g),
                    p(g), r(g));
        break;
    case 1: // from the first
        text_printf(g->out,
                    "  brev.b32 %%x2, %%x0; bfind.shiftamt.u32 %%x2, %%x2; "
                    "shfl.sync.idx.b32 %%r%u|%%p%u, %%r%u, %%x2, 31, %%x0;\n",
                    r(g), p(g), r(g));
        break;
    case 2:
        text_printf(g->out, "  vote.sync.ballot.b32 %%r%u, %s%%p%u, %%x0;\n", r(g), PICK(g, "", "!"), p(g));
        break;
    case 3:
        text_printf(g->out, "  vote.sync.%s.pred %%p%u, %s%%p%u, %%x0;\n", PICK(g, "all", "any", "uni"), p(g),
                    PICK(g, "", "!"), p(g));
        break;
    case 4:
        text_printf(g->out, "  and.b32 %%t0, %%r%u, 3; match.any.sync.b32 %%r%u, %%t0, %%x0;\n", r(g), r(g));
        break;
    case 5:
        text_printf(g->out, "  and.b32 %%t0, %%r%u, 1; match.all.sync.b32 %%r%u|%%p%u, %%t0, %%x0;\n", r(g), r(g),
                    p(g));
        break;
    case 6:
        text_printf(g->out, "  cvt.u64.u32 %%a0, %%r%u; and.b64 %%a0, %%a0, 3; match.any.sync.b64 %%r%u, %%a0, %%x0;\n",
                    r(g), r(g));
        break;
    case 7: // through shared memory: each thread has a word
        text_printf(g->out,
                    "  shl.b32 %%t0, %%me, 2; add.u32 %%t0, %%t0, %%base; st.volatile.shared.u32 [%%t0], %%r%u; "
                    "bar.warp.sync %%x0; bfind.u32 %%t1, %%x0; and.b32 %%t2, %%me, -32; add.u32 %%t1, %%t1, %%t2; "
                    "shl.b32 %%t1, %%t1, 2; add.u32 %%t1, %%t1, %%base; ld.volatile.shared.u32 %%r%u, [%%t1]; "
                    "bar.warp.sync %%x0;\n",
                    r(g), r(g));
        break;
    case 8:
        text_printf(g->out,
                    "  cvt.u64.u32 %%a0, %%r%u; and.b64 %%a0, %%a0, 1; match.all.sync.b64 %%r%u|%%p%u, %%a0, %%x0;\n",
                    r(g), r(g), p(g));
        break;
    case 9:
        text_printf(g->out, "  and.b32 %%t0, %%r%u, 1; match.all.sync.b32 %%r%u, %%t0, %%x0;\n", r(g), r(g));
        break;
    case 10:
    case 11:
    case 12:
        shuffle(g);
        break;
    case 14:
    case 15:
        text_printf(g->out, "  elect.sync %%r%u|%%p%u, %%x0;\n", r(g), p(g));
        break;
    default:
        text_printf(
            g->out, "  redux.sync.%s %%r%u, %%r%u, %%x0;\n",
            PICK(g, "add.s32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32", "min.u32", "add.u32", "max.s32"),
            r(g), r(g));
    }
}

// Lanes of %x1, all here, with one value of a few bits: %x0 is their mask.
static void group_lanes(struct generator *g)
{
    text_printf(g->out, "  and.b32 %%t0, %%r%u, %u; match.any.sync.b32 %%x0, %%t0, %%x1;\n", r(g),
                (1u << draw(g, 4)) - 1);
}

static void exchanges(struct generator *g)
{
    for (uint32_t i = 1 + draw(g, 3); i-- > 0;)
        (draw(g, 5) ? exchange : carry)(g);
}

static void exchange_statement(struct generator *g)
{
    unsigned label = g->labels++;
    uint32_t kind = draw(g, 10), by = p(g);
    if (kind < 3) {
        (kind == 0 ? carry : kind == 1 ? video_scalar : video_parts)(g);
        return;
    }
    text_puts(g->out, "  mov.u32 %x1, 0xffffffff;\n");
    if (kind < 6) { // every lane of the warp
        group_lanes(g);
        exchanges(g);
    } else if (kind == 6) { // the two sides of a branch
        text_printf(g->out, "  vote.sync.ballot.b32 %%x4, %%p%u, %%x1; @!%%p%u bra $else%u;\n  mov.b32 %%x1, %%x4;\n",
                    by, by, label);
        group_lanes(g);
        exchanges(g);
        text_printf(g->out, "  bra $end%u;\n$else%u:\n  not.b32 %%x1, %%x4;\n", label, label);
        group_lanes(g);
        exchanges(g);
        text_printf(g->out, "$end%u:\n", label);
    } else if (kind == 7) { // some lanes come late, around a jump that nobody takes
        group_lanes(g);
        text_printf(
            g->out,
            "  @%%p%u bra $late%u;\n  bra $here%u;\n$late%u:\n  xor.b32 %%r%u, %%r%u, %%me; setp.gt.u32 %%q, %%me, "
            "100000; @%%q bra $past%u;\n$here%u:\n",
            by, label, label, label, r(g), r(g), label, label);
        exchanges(g);
        text_printf(g->out, "$past%u:\n", label);
    } else if (kind == 8) { // as many turns as the group's value says
        text_printf(g->out, "  and.b32 %%n0, %%r%u, 3; match.any.sync.b32 %%x0, %%n0, %%x1;\n$loop%u:\n", r(g), label);
        exchanges(g);
        text_printf(g->out, "  sub.s32 %%n0, %%n0, 1; setp.ge.s32 %%q, %%n0, 0; @%%q bra $loop%u;\n", label);
    } else { // a whole warp's groups under a guard
        text_printf(g->out, "  vote.sync.ballot.b32 %%x0, %%p%u, %%x1; @%%p%u ", by, by);
        switch (draw(g, 4)) {
        case 0:
            text_printf(g->out, "vote.sync.ballot.b32 %%r%u, %%p%u, %%x0;\n", r(g), p(g));
            break;
        case 1:
            text_printf(g->out, "match.any.sync.b32 %%r%u, %%r%u, %%x0;\n", r(g), r(g));
            break;
        case 2:
            text_printf(g->out, "shfl.sync.bfly.b32 %%r%u, %%r%u, 0, 31, %%x0;\n", r(g), r(g));
            break;
        default:
            text_printf(g->out, "redux.sync.add.u32 %%r%u, %%r%u, %%x0;\n", r(g), r(g));
        }
    }
    text_puts(g->out, "  bar.warp.sync 0xffffffff;\n");
}

// ---- structure

static void statements(struct generator *g, uint32_t count, bool is_together);

static void branch(struct generator *g)
{
    unsigned label = g->labels++;
    text_printf(g->out, "  @%s%%p%u bra $else%u;\n", PICK(g, "", "!"), p(g), label);
    statements(g, 1 + draw(g, 5), false);
    text_printf(g->out, "  bra $end%u;\n$else%u:\n", label, label);
    statements(g, draw(g, 5), false);
    text_printf(g->out, "$end%u:\n", label);
}

// A loop of 1 to 4 turns, other for each thread when the bound comes from a register.
static void loop(struct generator *g)
{
    unsigned label = g->labels++, counter = g->depth;
    text_printf(g->out, "  and.b32 %%n%u, %%r%u, 3;\n$loop%u:\n%s", counter, r(g), label,
                g->counted ? "  .pragma \"nounroll\";\n" : "");
    statements(g, 1 + draw(g, 5), false);
    if (!g->counted && !draw(g, 3))
        text_printf(g->out, "  @%%p%u bra $out%u;\n", p(g), label);
    text_printf(g->out, "  sub.s32 %%n%u, %%n%u, 1; setp.ge.s32 %%q, %%n%u, 0; @%%q bra $loop%u;\n$out%u:\n", counter,
                counter, counter, label, label);
    // What loads strongly in a loop gets a YIELD from ptxas, as a spin lock would: lanes may stay apart behind it.
    if (g->counted)
        text_puts(g->out, "  bar.warp.sync 0xffffffff;\n");
}

static void statements(struct generator *g, uint32_t count, bool is_together)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = draw(g, 20);
        if (kind < 2 && g->depth < 4) {
            g->depth++;
            (kind && (!g->counted || g->depth == 1) ? loop : branch)(g);
            g->depth--;
        } else if (is_together && kind < 6) {
            (kind < 4 ? warp_wide : kind == 4 ? shared_exchange : atomics)(g);
        } else {
            anywhere(g);
        }
    }
}

static void prologue(struct generator *g, uint64_t seed)
{
    text_printf(g->out,
                ".version 8.0\n.target sm_90\n.address_size 64\n"
                ".visible .entry k%llu(.param .u64 k_out, .param .u64 k_in, .param .u64 k_sums)\n{\n",
                (unsigned long long)seed);
    text_puts(
        g->out,
        "  .reg .pred %p<6>, %q; .reg .b32 %r<12>, %h<4>, %t<4>, %n<8>, %x<5>, %me, %gid, %all, %base, %bins, %kept;\n"
        "  .reg .b64 %d<4>, %a<4>, %in, %out, %sums, %stack; .reg .f32 %f<8>; .reg .f64 %g<4>; .reg .b16 %s<2>;\n"
        "  .shared .align 16 .b8 exchange[4096]; .shared .align 4 .b8 counts[128]; .local .align 4 .b8 depot[64];\n"
        "  ld.param.u64 %out, [k_out]; ld.param.u64 %in, [k_in]; ld.param.u64 %sums, [k_sums];\n"
        "  cvta.to.global.u64 %out, %out; cvta.to.global.u64 %in, %in; cvta.to.global.u64 %sums, %sums;\n"
        "  mov.u32 %t0, %tid.x; mov.u32 %t1, %tid.y; mov.u32 %t2, %ntid.x; mad.lo.u32 %me, %t1, %t2, %t0;\n"
        "  mov.u32 %t1, %ntid.y; mul.lo.u32 %t2, %t2, %t1; mov.u32 %t0, %ctaid.x; mad.lo.u32 %gid, %t0, %t2, %me;\n"
        "  mov.u32 %t0, %nctaid.x; mul.lo.u32 %all, %t0, %t2;\n"
        "  mov.u32 %base, exchange; mov.u32 %bins, counts; mov.u64 %stack, depot;\n"
        "  setp.lt.u32 %q, %me, 32; shl.b32 %t0, %me, 2; add.u32 %t0, %t0, %bins; @%q st.volatile.shared.u32 [%t0], "
        "%me;\n"
        "  bar.sync 0;\n");
    for (int i = 0; i < 64; i += 4)
        text_printf(g->out, "  st.local.u32 [%%stack+%d], %%gid;\n", i);
    for (int i = g->counted ? 2 : 0; i < GENERATE_R; i++)
        text_printf(g->out,
                    "  mad.lo.u32 %%t0, %%gid, %d, %d; and.b32 %%t0, %%t0, %d; mul.wide.u32 %%a0, %%t0, 4; "
                    "add.s64 %%a0, %%a0, %%in; ld%s.global.u32 %%r%d, [%%a0];\n",
                    2 * i + 1, 37 * i, GENERATE_INPUTS - 1, g->counted ? ".volatile" : "", i);
    text_puts(g->out, "  mov.u32 %r0, %me; mov.u32 %r1, %gid; mov.u32 %kept, 0;\n");
    for (uint32_t i = 2; i < GENERATE_R; i++)
        keep(g, i);
    for (int i = 0; i < GENERATE_D; i++)
        text_printf(g->out, "  mov.b64 %%d%d, {%%r%d, %%r%d};\n", i, 2 * i + 2, 2 * i + 3);
    for (int i = 0; i < GENERATE_F; i++)
        text_printf(g->out, "  cvt.rn.f32.s32 %%f%d, %%r%d; mul.rn.f32 %%f%d, %%f%d, 0f%08X;\n", i, i + 2, i, i,
                    i % 2 ? 0x35000000u : 0x3f800000u);
    for (int i = 0; i < GENERATE_G; i++)
        text_printf(g->out, "  cvt.rn.f64.s64 %%g%d, %%d%d;\n", i, i);
    for (int i = 0; i < GENERATE_H; i++)
        text_printf(g->out, "  cvt.rn.f16x2.f32 %%h%d, %%f%d, %%f%d;\n", i, 2 * i + 1, i);
    for (int i = 0; i < 6; i++)
        text_printf(g->out, "  setp.gt.s32 %%p%d, %%r%d, %%r%d;\n", i, i + 1, i + 3);
    for (int i = 0; i < 8; i++)
        text_printf(g->out, "  mov.u32 %%n%d, 0;\n", i);
}

// The last line of a word: out[word * all + gid] = register.
static void store_word(struct generator *g, uint32_t word, const char *type, const char *name, uint32_t index)
{
    text_printf(g->out,
                "  mad.lo.u32 %%t0, %%all, %u, %%gid; mul.wide.u32 %%a0, %%t0, 4; add.s64 %%a0, %%a0, %%out; "
                "st.global.%s [%%a0], %%%s%u;\n",
                word, type, name, index);
}

static void epilogue(struct generator *g)
{
    uint32_t word = 0;
    if (g->counted)
        text_puts(g->out, "  xor.b32 %r0, %r0, %kept;\n");
    for (uint32_t i = 0; i < GENERATE_R; i++)
        store_word(g, word++, "u32", "r", i);
    for (uint32_t i = 0; i < GENERATE_D; i++) {
        text_printf(g->out, "  mov.b64 {%%t2, %%t3}, %%d%u;\n", i);
        store_word(g, word++, "u32", "t", 2);
        store_word(g, word++, "u32", "t", 3);
    }
    for (uint32_t i = 0; i < GENERATE_F; i++)
        store_word(g, word++, "f32", "f", i);
    for (uint32_t i = 0; i < GENERATE_G; i++) {
        text_printf(g->out, "  mov.b64 {%%t2, %%t3}, %%g%u;\n", i);
        store_word(g, word++, "u32", "t", 2);
        store_word(g, word++, "u32", "t", 3);
    }
    for (uint32_t i = 0; i < GENERATE_H; i++)
        store_word(g, word++, "u32", "h", i);
    text_puts(g->out, "  ret;\n}\n");
}

char generate_word_kind(uint32_t word)
{
    if (word < GENERATE_R + 2 * GENERATE_D)
        return 'i';
    word -= GENERATE_R + 2 * GENERATE_D;
    if (word < GENERATE_F)
        return 'f';
    return word < GENERATE_F + 2 * GENERATE_G ? 'g' : 'h';
}

void generate_kernel(enum generate_focus focus, uint64_t seed, uint32_t limit, struct generated *kernel)
{
    static const uint32_t shapes[][8][2] = {
        [GENERATE_ANY] = {{32, 1}, {64, 1}, {128, 1}, {256, 1}, {32, 2}, {16, 4}, {8, 16}, {32, 8}},
        [GENERATE_EXCHANGE] = {{32, 1}, {64, 1}, {48, 1}, {33, 1}, {7, 5}, {20, 1}, {1, 1}, {10, 13}}};
    *kernel = (struct generated){0};
    struct generator g = {.state = seed * 0x2545f4914f6cdd1du + 1, .out = &kernel->ptx};
    const uint32_t *shape = shapes[focus][draw(&g, 8)];
    kernel->block[0] = shape[0];
    kernel->block[1] = shape[1];
    kernel->grid = 1 + draw(&g, 4);
    g.threads = shape[0] * shape[1];
    g.counted = focus == GENERATE_ANY && seed % 2 == 0;
    g.elects = seed % 4 == 0;
    kernel->threads = kernel->grid * g.threads;
    prologue(&g, seed);
    kernel->statements = focus == GENERATE_ANY ? 20 + draw(&g, 60) : 100;
    if (limit && limit < kernel->statements)
        kernel->statements = limit;
    for (uint32_t i = 0; i < kernel->statements; i++) {
        kernel->last = kernel->ptx.length;
        if (focus == GENERATE_EXCHANGE)
            exchange_statement(&g);
        else
            statements(&g, 1, true);
    }
    epilogue(&g);
}
