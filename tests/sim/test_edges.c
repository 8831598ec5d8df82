// What is rarely written: moves between spaces and widths, every comparison, hints, special registers, refusals.
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/kernel.h"
#include "../support/ptx_text.h"
#include "base/text.h"
#include "sim/machine.h"

Suite *suite_edges(void);

// ---- one value from every lane

static const char declarations[] = ".shared .align 16 .b8 s[64]; .shared .align 8 .b64 m;\n"
                                   ".const .align 4 .u32 c[2] = {1, 2}; .global .align 4 .u32 g[2];\n"
                                   ".shared .align 4 .b8 _ZZ6kernelPfE4tile[64];\n"
                                   ".global .align 8 .u64 g8[2] = {5, 6};\n"
                                   ".extern .func nobody(.param .b32 a);\n"
                                   // lanes under 8 end, those under 16 return early, the others late
                                   ".func (.param .b32 o) pick(.param .b32 a)\n{\n.reg .pred %p<3>; .reg .b32 %r<4>;\n"
                                   "ld.param.u32 %r1, [a]; setp.lt.u32 %p1, %r1, 8; @%p1 exit;\n"
                                   "mov.u32 %r2, 100; st.param.b32 [o], %r2; setp.lt.u32 %p2, %r1, 16; @%p2 ret;\n"
                                   "add.u32 %r2, %r2, %r1; st.param.b32 [o], %r2; ret;\n}\n";

enum { LANES = SIM_LANES, UNTOUCHED = 0x55 };

static enum status run_body(const char *body, uint32_t block, const char *end, uint64_t *out, char *why, size_t size)
{
    static const uint64_t in[LANES] = {11, 22};
    struct text text = {0};
    text_puts(&text, "mul.wide.u32 %rd30, %r1, 8; add.s64 %rd31, %rd1, %rd30; mov.u64 %rd20, -1; mov.u32 %r20, -1;\n");
    text_printf(&text, "%s\n%s\n", body, end);
    struct kernel kernel = {.before = declarations,
                            .body = text_get(&text),
                            .block = block,
                            .cluster = 1,
                            .in = in,
                            .in_size = sizeof in,
                            .out = out,
                            .out_size = LANES * sizeof *out};
    enum status status = kernel_run(&kernel);
    snprintf(why, size, "%.500s", kernel.diagnostic.message);
    text_free(&text);
    return status;
}

#define SPACES                                                                                                         \
    "isspacep.shared %p1, %rd10; isspacep.local %p2, %rd10; isspacep.global %p3, %rd10; isspacep.const %p4, %rd10;\n"  \
    "selp.u64 %rd20, 1, 0, %p1; selp.u64 %rd11, 2, 0, %p2; add.u64 %rd20, %rd20, %rd11;\n"                             \
    "selp.u64 %rd11, 4, 0, %p3; add.u64 %rd20, %rd20, %rd11; selp.u64 %rd11, 8, 0, %p4; add.u64 %rd20, %rd20, %rd11;"
#define WIDEN "cvt.u64.u32 %rd20, %r20;"

static const struct {
    const char *body;
    uint32_t block; // 1, or a whole warp
    uint64_t want;  // of every lane
} rows[] = {
    {"{ .reg .v4 .b32 %v; mov.b32 %v.x, 5; mov.b32 %v.y, 7; mov.b32 %v.z, 11; mov.b32 %v.w, 13;\n"
     "st.shared.v4.b32 [s], %v; ld.shared.u32 %r20, [s+12]; mad.lo.u32 %r20, %v.y, 100, %r20; }" WIDEN,
     1, 713},
    {"add.u64 %rd20, pick, 0;", 1, 0x7f000010},
    {"{ .global .align 4 .u32 own = 5; ld.global.u32 %r20, [own]; }" WIDEN, 1, 5},
    {"cp.async.bulk.prefetch.L2.global [%rd0], 16; mov.u64 %rd20, 3;", 1, 3},
    {"{ .reg .b128 %q<2>; mov.u64 %rd10, 5; mov.u64 %rd11, 7; mov.b128 %q0, {%rd10, %rd11}; mov.b128 %q1, %q0;\n"
     "mov.b128 {%rd12, %rd13}, %q1; mad.lo.u64 %rd20, %rd13, 100, %rd12; }",
     LANES, 705},
    {"{ .reg .b128 %q<2>; ld.global.b128 %q0, [%rd0]; mov.b128 {%rd12, %rd13}, %q0;\n"
     "mad.lo.u64 %rd20, %rd13, 100, %rd12; }",
     LANES, 2211},
    {"mov.u64 %rd10, s; cvta.shared.u64 %rd10, %rd10;\n" SPACES, LANES, 1},
    {"cvta.shared.u64 %rd10, s;\n" SPACES, LANES, 1},
    {"{ .local .align 8 .b8 l[16]; cvta.local.u64 %rd10, l; }\n" SPACES, LANES, 2},
    {"cvta.global.u64 %rd10, g;\n" SPACES, LANES, 4},
    {"cvta.const.u64 %rd10, c;\n" SPACES, LANES, 8},
    {"mov.u64 %rd10, 0;\n" SPACES, LANES, 0},
    {"cvta.shared.u64 %rd10, s; cvta.to.shared.u64 %rd11, %rd10; mov.u64 %rd12, s; sub.u64 %rd20, %rd11, %rd12;", LANES,
     0},
    {"{ .local .align 8 .b8 l[16]; mov.u64 %rd10, l; cvta.local.u64 %rd11, %rd10; st.u32 [%rd11+4], 77;\n"
     "ld.local.u32 %r20, [l+4]; }" WIDEN,
     LANES, 77},
    {"{ .local .align 8 .b8 l[16]; cvta.local.u64 %rd11, l; cvta.to.local.u64 %rd12, %rd11; st.local.u32 [%rd12], 78;\n"
     "ld.u32 %r20, [%rd11]; }" WIDEN,
     LANES, 78},
    {"{ .local .align 8 .b8 l[16]; mov.u32 %r10, l; mov.u32 %r11, l+4; st.local.u32 [%r10+4], 79;\n"
     "ld.local.u32 %r20, [%r11]; }" WIDEN,
     LANES, 79},
    {"mov.u32 %r10, 48; mapa.shared::cluster.u32 %r20, %r10, 0;" WIDEN, LANES, 48},
    {"mov.u32 %r10, 48; getctarank.shared::cluster.u32 %r20, %r10;" WIDEN, LANES, 0},
    {"stacksave.u64 %rd10; alloca.u64 %rd11, 64; stackrestore.u64 %rd10; stacksave.u64 %rd12;\n"
     "sub.u64 %rd20, %rd12, %rd10;",
     LANES, 0},
    {"stacksave.u64 %rd10; alloca.u64 %rd11, 64; stacksave.u64 %rd12; sub.u64 %rd12, %rd12, %rd10;\n"
     "setp.ge.u64 %p1, %rd12, 64; selp.u64 %rd20, 1, 0, %p1;",
     LANES, 1},
    {"prefetch.global.L2 [%rd0]; prefetchu.L1 [%rd0]; applypriority.global.L2::evict_normal [%rd0], 128;\n"
     "createpolicy.fractional.L2::evict_last.b64 %rd10, 1.0; ld.global.u64 %rd20, [%rd0];",
     LANES, 11},
    {"discard.global.L2 [%rd0], 128; ld.global.s64 %rd10, [%rd0]; setp.eq.s64 %p1, %rd10, -1; selp.u64 %rd20, 1, 0, "
     "%p1;",
     LANES, 1},
    {"nanosleep.u32 10; pmevent 1; griddepcontrol.wait; griddepcontrol.launch_dependents; fence.proxy.async;\n"
     "membar.gl; mov.u64 %rd20, 4;",
     LANES, 4},
    {"mov.u32 %r10, %lanemask_eq; mov.u32 %r11, 1; shl.b32 %r11, %r11, %r1; xor.b32 %r20, %r10, %r11;" WIDEN, LANES, 0},
    {"mov.u32 %r10, %lanemask_le; mov.u32 %r11, %lanemask_gt; xor.b32 %r20, %r10, %r11;" WIDEN, LANES, 0xffffffff},
    {"mov.u32 %r10, %lanemask_ge; mov.u32 %r11, %lanemask_lt; xor.b32 %r20, %r10, %r11;" WIDEN, LANES, 0xffffffff},
    {"mov.u32 %r10, %lanemask_ge; mov.u32 %r11, %lanemask_le; and.b32 %r20, %r10, %r11;\n"
     "mov.u32 %r12, %lanemask_eq; xor.b32 %r20, %r20, %r12;" WIDEN,
     LANES, 0},
    {"mov.u32 %r10, %warpid; setp.lt.u32 %p1, %r10, 64; selp.u64 %rd20, 1, 0, %p1;", LANES, 1},
    {"mov.u32 %r10, %smid; mov.u32 %r11, %nsmid; setp.lt.u32 %p1, %r10, %r11; selp.u64 %rd20, 1, 0, %p1;", LANES, 1},
    {"mov.u32 %r20, %dynamic_smem_size;" WIDEN, LANES, 0},
    // 16 halves: low pair (1, 2), high pair (2, 1)
    {"mov.b32 %r10, 0x40003c00; mov.b32 %r11, 0x3c004000; set.lt.f16x2.f16x2 %r20, %r10, %r11;" WIDEN, LANES, 0x3c00},
    {"mov.b32 %r10, 0x40003c00; mov.b32 %r11, 0x3c004000; set.gt.f16x2.f16x2 %r20, %r10, %r11;" WIDEN, LANES,
     0x3c000000},
    {"mov.b32 %r10, 0x40003f80; mov.b32 %r11, 0x3f804000; set.lt.bf16x2.bf16x2 %r20, %r10, %r11;" WIDEN, LANES, 0x3f80},
    {"mov.b32 %r10, 0x40003c00; mov.b32 %r11, 0x3c004000; set.lt.u32.f16x2 %r20, %r10, %r11;" WIDEN, LANES, 0xffff},
    {"mov.b16 %h10, 0x3c00; mov.b16 %h11, 0x4000; set.lt.f16.f16 %h20, %h10, %h11; cvt.u64.u16 %rd20, %h20;", LANES,
     0x3c00},
    {"mov.b16 %h10, 0x3f80; mov.b16 %h11, 0x4000; set.lt.bf16.bf16 %h20, %h10, %h11; cvt.u64.u16 %rd20, %h20;", LANES,
     0x3f80},
    {"mov.b16 %h10, 0x3c00; mov.b16 %h11, 0x4000; set.lt.u16.f16 %h20, %h10, %h11; cvt.u64.u16 %rd20, %h20;", LANES,
     0xffff},
    {"mov.u32 %r10, -1; mov.u32 %r11, 1; set.lt.f32.s32 %f20, %r10, %r11; mov.b32 %r20, %f20;" WIDEN, LANES,
     0x3f800000},
    {"mov.u32 %r10, -1; mov.u32 %r11, 1; set.lo.u32.u32 %r20, %r10, %r11;" WIDEN, LANES, 0},
    {"mov.u32 %r10, -1; mov.u32 %r11, 1; set.hs.u32.u32 %r20, %r10, %r11;" WIDEN, LANES, 0xffffffff},
    {"mov.u32 %r10, 3; mov.u32 %r11, 3; setp.eq.u32 %p1, %r10, 4; set.ge.and.u32.s32 %r20, %r10, %r11, %p1;" WIDEN,
     LANES, 0},
    {"mov.u32 %r10, 3; mov.u32 %r11, 3; setp.eq.u32 %p1, %r10, 4; set.ge.or.u32.s32 %r20, %r10, %r11, %p1;" WIDEN,
     LANES, 0xffffffff},
    {"mov.f64 %d10, 0f3f800000; mov.b64 %rd20, %d10;", LANES, 0x3ff0000000000000},
    {"mov.f32 %f10, 0d3ff8000000000000; mov.b32 %r20, %f10;" WIDEN, LANES, 0x3fc00000},
    {"mov.u32 %r20, %nwarpid;" WIDEN, LANES, 64},
    {"mov.u32 %r20, WARP_SZ;" WIDEN, LANES, 32},
    {"mov.u32 %r20, (WARP_SZ - 1) << 2;" WIDEN, LANES, 124},
    // what ptxas takes, with the code that it makes of the instruction with an addition, an address or a sum
    {"mov.u32 %r10, 5; mov.u32 %r20, %r10+4;" WIDEN, LANES, 9},
    {"mov.u32 %r10, 5; mul.lo.u32 %r20, %r10+-2, %r10+4+1;" WIDEN, LANES, 30},
    {"mov.u64 %rd10, 0xffffffff; mov.u64 %rd20, %rd10+1;", LANES, 0x100000000},
    {"mov.u32 %r10, 6; setp.eq.u32 %p1, %r10+1, 7; selp.u64 %rd20, 1, 0, %p1;", LANES, 1},
    {"{ .shared .align 4 .b32 t[4]; mov.u32 %r10, 7; st.shared.u32 t[1 + 1], %r10; bar.sync 0; mov.u32 %r11, t[1];\n"
     "ld.shared.u32 %r20, [%r11+4]; ld.shared.u32 %r10, t[2]; add.u32 %r20, %r20, %r10; }" WIDEN,
     LANES, 14},
    {"mov.f64 %d10, 1.5*2.0-1.0/4.0; mov.b64 %rd20, %d10;", LANES, 0x4006000000000000},
    {"mov.u32 %r20, %clusterid.x;" WIDEN, LANES, 0},
    {"mov.u32 %r11, s; mov.u32 %r10, %total_smem_size; setp.ge.u32 %p1, %r10, 64; selp.u64 %rd20, 1, 0, %p1;", LANES,
     1},
    {"mov.b64 %rd10, in; ld.param.u64 %rd20, [%rd10]; sub.u64 %rd20, %rd20, %rd0;", LANES, 0},
    {"mov.b64 %rd10, in; cvta.param.u64 %rd11, %rd10; ld.u64 %rd20, [%rd11]; sub.u64 %rd20, %rd20, %rd0;", LANES, 0},
    {"{ .local .align 4 .b8 l[8]; mov.u16 %h10, -2; st.local.u16 [l], %h10; ld.local.s16 %r20, [l]; }" WIDEN, LANES,
     0xfffffffe},
    {"{ .local .align 4 .b8 l[8]; mov.u32 %r10, -2; st.local.u8 [l], %r10; ld.local.u8 %r20, [l]; }" WIDEN, LANES, 254},
    {"mov.u64 %rd11, 9; atom.global.max.s64 %rd10, [g8], %rd11; ld.global.u64 %rd20, [g8];", LANES, 9},
    {"mov.u64 %rd11, 4; red.global.min.u64 [g8], %rd11; ld.global.u64 %rd20, [g8];", LANES, 4},
    // eight bits: 1 and NaN; more than the largest; the smallest subnormal
    {"mov.f32 %f10, 0f3f800000; mov.f32 %f11, 0f7fc00000; cvt.rn.satfinite.e4m3x2.f32 %h20, %f10, %f11;\n"
     "cvt.u64.u16 %rd20, %h20;",
     LANES, 0x387f},
    {"mov.f32 %f10, 0f447a0000; mov.f32 %f11, 0fbb000000; cvt.rn.satfinite.e4m3x2.f32 %h20, %f10, %f11;\n"
     "cvt.u64.u16 %rd20, %h20;",
     LANES, 0x7e81},
    {"mov.f32 %f10, 0f3f800000; mov.f32 %f11, 0f4e6e6b28; cvt.rn.satfinite.e5m2x2.f32 %h20, %f10, %f11;\n"
     "cvt.u64.u16 %rd20, %h20;",
     LANES, 0x3c7b},
    {"mov.f32 %f10, 0fbf800000; mov.f32 %f11, 0f3f800000; cvt.rn.satfinite.relu.e4m3x2.f32 %h20, %f10, %f11;\n"
     "cvt.u64.u16 %rd20, %h20;",
     LANES, 0x0038},
    {"mov.f32 %f10, 0fbf800000; mov.f32 %f11, 0f7fc00000; cvt.rn.satfinite.relu.e5m2x2.f32 %h20, %f10, %f11;\n"
     "cvt.u64.u16 %rd20, %h20;",
     LANES, 0x007f},
    {"mov.b16 %h10, 0x3881; cvt.rn.f16x2.e4m3x2 %r20, %h10;" WIDEN, LANES, 0x3c009800},
    {"mov.b16 %h10, 0x3cbc; cvt.rn.f16x2.e5m2x2 %r20, %h10;" WIDEN, LANES, 0x3c00bc00},
    {"mov.f32 %f10, 0f3f801000; cvt.rna.tf32.f32 %r20, %f10;" WIDEN, LANES, 0x3f802000},
    {"mov.f32 %f10, 0fbf800000; cvt.rn.relu.f16.f32 %h20, %f10; cvt.u64.u16 %rd20, %h20;", LANES, 0},
    {"mov.f32 %f10, 0f40000000; cvt.sat.f32.f32 %f20, %f10; mov.b32 %r20, %f20;" WIDEN, LANES, 0x3f800000},
    {"mov.b16 %h10, 0x3c00; fma.rn.sat.f16 %h20, %h10, %h10, %h10; cvt.u64.u16 %rd20, %h20;", LANES, 0x3c00},
    {"mov.f64 %d10, 0d4010000000000000; rsqrt.approx.f64 %d20, %d10; mov.b64 %rd20, %d20;", LANES, 0x3fe0000000000000},
    // NaN operands of binary64: which payload stays was measured on the H100
    {"mov.f64 %d10, 0d7ff8000000000111; mov.f64 %d11, 0dfff8000000000222; add.f64 %d20, %d10, %d11; mov.b64 %rd20, "
     "%d20;",
     LANES, 0xfff8000000000222},
    {"mov.f64 %d10, 0d7ff8000000000111; mov.f64 %d11, 0d7ff0000000000444; sub.f64 %d20, %d10, %d11; mov.b64 %rd20, "
     "%d20;",
     LANES, 0x7ff8000000000444},
    {"mov.f64 %d10, 0dfff8000000000222; mov.f64 %d11, 0d3ff0000000000000; mul.f64 %d20, %d10, %d11; mov.b64 %rd20, "
     "%d20;",
     LANES, 0xfff8000000000222},
    {"mov.f64 %d10, 0dfff8000000000222; mov.f64 %d11, 0d7ff8000000000111; mul.f64 %d20, %d10, %d11; mov.b64 %rd20, "
     "%d20;",
     LANES, 0x7ff8000000000111},
    {"mov.f64 %d10, 0d7ff0000000000000; mov.f64 %d11, 0dfff0000000000000; add.f64 %d20, %d10, %d11; mov.b64 %rd20, "
     "%d20;",
     LANES, 0xfff8000000000000},
    {"mov.f64 %d10, 0d7ff8000000000111; mov.f64 %d11, 0dfff8000000000222; mov.f64 %d12, 0d7ff8000000000333; fma.rn.f64 "
     "%d20, %d10, %d11, %d12; mov.b64 %rd20, %d20;",
     LANES, 0xfff8000000000222},
    {"mov.f64 %d10, 0dfff8000000000222; mov.f64 %d11, 0d3ff0000000000000; mov.f64 %d12, 0d7ff8000000000333; fma.rn.f64 "
     "%d20, %d10, %d11, %d12; mov.b64 %rd20, %d20;",
     LANES, 0x7ff8000000000333},
    {"mov.f64 %d10, 0d7ff0000000000444; mov.f64 %d11, 0d3ff0000000000000; mov.f64 %d12, 0d3ff0000000000000; fma.rn.f64 "
     "%d20, %d10, %d11, %d12; mov.b64 %rd20, %d20;",
     LANES, 0x7ff8000000000444},
    {"mov.f64 %d10, 0d7ff0000000000000; mov.f64 %d11, 0d0000000000000000; mov.f64 %d12, 0dfff8000000000222; fma.rn.f64 "
     "%d20, %d10, %d11, %d12; mov.b64 %rd20, %d20;",
     LANES, 0xfff8000000000222},
    {"mov.f64 %d10, 0d7ff8000000000111; mov.f64 %d11, 0dfff8000000000222; div.rn.f64 %d20, %d10, %d11; mov.b64 %rd20, "
     "%d20;",
     LANES, 0x7ff8000000000111},
    {"mov.f64 %d10, 0d7ff8000000000111; mov.f64 %d11, 0d7ff0000000000444; min.f64 %d20, %d10, %d11; mov.b64 %rd20, "
     "%d20;",
     LANES, 0x7ff8000000000444},
    {"mov.f32 %f10, 0f00000001; neg.ftz.f32 %f20, %f10; mov.b32 %r20, %f20;" WIDEN, LANES, 0x80000000},
    {"mov.u32 %r10, 0x7fffff; mov.u32 %r11, 0x7fffffff; mad24.hi.sat.s32 %r20, %r10, %r10, %r11;" WIDEN, LANES,
     0x7fffffff},
    {"mov.u32 %r10, 0; fns.b32 %r20, %r10, 0, 1;" WIDEN, LANES, 0xffffffff},
    {"mov.u32 %r10, 0xff; mov.u32 %r11, 36; szext.wrap.u32 %r20, %r10, %r11;" WIDEN, LANES, 0xf},
    {"mov.u32 %r10, 0xff; mov.u32 %r11, 40; szext.clamp.u32 %r20, %r10, %r11;" WIDEN, LANES, 0xff},
    {"mov.u32 %r10, 0; mov.u32 %r11, 40; bmsk.clamp.b32 %r20, %r10, %r11;" WIDEN, LANES, 0xffffffff},
    {"mov.u32 %r10, 4; mov.u32 %r11, 36; bmsk.wrap.b32 %r20, %r10, %r11;" WIDEN, LANES, 0xf0},
    {"mbarrier.init.shared.b64 [m], 1; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [m], 16;\n"
     "mbarrier.arrive.shared.b64 %rd10, [m]; mbarrier.test_wait.shared.b64 %p1, [m], %rd10;\n"
     "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [m], 16; mbarrier.test_wait.shared.b64 %p2, [m], %rd10;\n"
     "selp.u64 %rd20, 10, 0, %p1; selp.u64 %rd11, 1, 0, %p2; add.u64 %rd20, %rd20, %rd11;",
     1, 1},
    {"mbarrier.init.shared.b64 [m], 1; mov.u32 %r10, s; mov.u32 %r11, m; mov.u32 %r12, 41; st.shared.u32 [s], 1;\n"
     "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [m], 8; mbarrier.arrive.shared.b64 %rd10, [m];\n"
     "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r10], %r12, [%r11];\n"
     "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r10], %r12, [%r11];\n"
     "mbarrier.test_wait.shared.b64 %p1, [m], %rd10; ld.shared.u32 %r20, [s]; @!%p1 mov.u32 %r20, 0;" WIDEN,
     1, 82},
};

START_TEST(rare_instructions_give_what_ptx_says)
{
    uint64_t out[LANES] = {0};
    char why[512];
    enum status status = run_body(rows[_i].body, rows[_i].block, "st.global.u64 [%rd31], %rd20;", out, why, sizeof why);
    ck_assert_msg(status == STATUS_OK, "%s: %s\n%s", status_name(status), why, rows[_i].body);
    for (uint32_t lane = 0; lane < rows[_i].block; lane++)
        ck_assert_msg(out[lane] == rows[_i].want, "lane %u: %llx, not %llx\n%s", lane, (unsigned long long)out[lane],
                      (unsigned long long)rows[_i].want, rows[_i].body);
}
END_TEST

// Lanes that end inside a branch are waited for no longer: the others go on and leave the rest of memory alone.
START_TEST(lanes_may_end_inside_a_branch)
{
    uint64_t out[LANES];
    char why[512];
    memset(out, UNTOUCHED, sizeof out);
    enum status status = run_body("setp.lt.u32 %p1, %r1, 16; @!%p1 bra HIGH;\n"
                                  "setp.lt.u32 %p2, %r1, 8; @%p2 exit; mov.u64 %rd20, 1; bra.uni MEET;\n"
                                  "HIGH: mov.u64 %rd20, 2;\nMEET: add.u64 %rd20, %rd20, 16;",
                                  LANES, "st.global.u64 [%rd31], %rd20;", out, why, sizeof why);
    ck_assert_msg(status == STATUS_OK, "%s", why);
    for (uint64_t lane = 0; lane < LANES; lane++) {
        uint64_t want = lane < 8 ? 0x5555555555555555u : lane < 16 ? 17 : 18;
        ck_assert_msg(out[lane] == want, "lane %d: %llx, not %llx", (int)lane, (unsigned long long)out[lane],
                      (unsigned long long)want);
    }
}
END_TEST

// Those that wait for lanes which end inside a function go on without them; registers are passed as they are.
START_TEST(lanes_may_end_inside_a_function)
{
    uint64_t out[LANES];
    char why[512];
    memset(out, UNTOUCHED, sizeof out);
    enum status status = run_body("setp.lt.u32 %p1, %r1, 4; @%p1 bra FEW;\ncall (%r20), pick, (%r1);\nbra.uni MEET;\n"
                                  "FEW: mov.u32 %r20, 7;\nMEET: cvt.u64.u32 %rd20, %r20;",
                                  LANES, "st.global.u64 [%rd31], %rd20;", out, why, sizeof why);
    ck_assert_msg(status == STATUS_OK, "%s", why);
    for (uint64_t lane = 0; lane < LANES; lane++) {
        uint64_t want = lane < 4 ? 7 : lane < 8 ? 0x5555555555555555u : lane < 16 ? 100 : 100 + lane;
        ck_assert_msg(out[lane] == want, "lane %d: %llx", (int)lane, (unsigned long long)out[lane]);
    }
}
END_TEST

// ---- comparisons: PTX ISA, "Comparison and Selection Instructions"

static const char *const relations[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                        "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
enum { RELATIONS = sizeof relations / sizeof *relations, PAIRS = 4 };
static const double pairs[PAIRS][2] = {{1, 2}, {2, 1}, {1, 1}, {NAN, 1}};

static bool relates(int relation, double a, double b)
{
    const bool ordered[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
    bool nan = isnan(a) || isnan(b);
    if (relation < 6)
        return !nan && ordered[relation];
    if (relation < 12)
        return nan || ordered[relation - 6];
    return (relation == 12) == !nan;
}

static const struct {
    const char *type, *reg;
    const char *bits[3]; // of 1, 2 and NaN
} floats[] = {
    {"f32", "%f", {"0x3f800000", "0x40000000", "0x7fc00000"}},
    {"f64", "%d", {"0x3ff0000000000000", "0x4000000000000000", "0x7ff8000000000000"}},
    {"f16", "%h", {"0x3c00", "0x4000", "0x7e00"}},
    {"bf16", "%h", {"0x3f80", "0x4000", "0x7fc0"}},
};

static void put_value(struct text *text, int type, int number, double value)
{
    const char *bits = floats[type].bits[isnan(value) ? 2 : value > 1];
    if (type == 0)
        text_printf(text, "mov.b32 %%r1%d, %s; mov.b32 %%f1%d, %%r1%d;\n", number, bits, number, number);
    else if (type == 1)
        text_printf(text, "mov.b64 %%rd1%d, %s; mov.b64 %%d1%d, %%rd1%d;\n", number, bits, number, number);
    else
        text_printf(text, "mov.b16 %%h1%d, %s;\n", number, bits);
}

// Bits by relation: in the low half from setp, in the high one from set.
static void compare_all(struct text *text, int type, int pair)
{
    const char *name = floats[type].type, *reg = floats[type].reg;
    put_value(text, type, 0, pairs[pair][0]);
    put_value(text, type, 1, pairs[pair][1]);
    text_puts(text, "mov.u32 %r20, 0;\n");
    for (int i = 0; i < RELATIONS; i++) {
        text_printf(text, "setp.%s.%s %%p1, %s10, %s11; @%%p1 or.b32 %%r20, %%r20, %u;\n", relations[i], name, reg, reg,
                    1u << i);
        text_printf(text, "set.%s.u32.%s %%r21, %s10, %s11; and.b32 %%r21, %%r21, %u; or.b32 %%r20, %%r20, %%r21;\n",
                    relations[i], name, reg, reg, 0x10000u << i);
    }
    text_printf(text, "cvt.u64.u32 %%rd20, %%r20; st.global.u64 [%%rd1+%d], %%rd20;\n", pair * 8);
}

START_TEST(floats_compare_as_ptx_says)
{
    struct text text = {0};
    uint64_t out[LANES] = {0};
    char why[512];
    for (int pair = 0; pair < PAIRS; pair++)
        compare_all(&text, _i, pair);
    enum status status = run_body(text_get(&text), LANES, "", out, why, sizeof why);
    ck_assert_msg(status == STATUS_OK, "%s", why);
    text_free(&text);
    for (int pair = 0; pair < PAIRS; pair++)
        for (int relation = 0; relation < RELATIONS; relation++) {
            bool want = relates(relation, pairs[pair][0], pairs[pair][1]);
            ck_assert_msg((out[pair] >> relation & 1) == want, "setp.%s.%s of pair %d", relations[relation],
                          floats[_i].type, pair);
            ck_assert_msg((out[pair] >> (16 + relation) & 1) == want, "set.%s.u32.%s of pair %d", relations[relation],
                          floats[_i].type, pair);
        }
}
END_TEST

// ---- what is refused, and what stops

static const struct {
    const char *body;
    enum status status;
    const char *says;
} failures[] = {
    {"{ .reg .v2 .u32 %v; mov.u32 %r20, %v.z; }", STATUS_UNSUPPORTED, "`%v` has no such element"},
    {"add.u32 %r20, %clock, 1;", STATUS_UNSUPPORTED, "%clock is read outside a mov"},
    {"{ .local .align 4 .b8 l[8]; add.u64 %rd20, %rd10, l; }", STATUS_UNSUPPORTED, "taken outside a mov"},
    {"add.u32 3, %r1, %r2;", STATUS_UNSUPPORTED, "the destination is not a register"},
    {"add.u32 %r20, [%rd0], %r1;", STATUS_UNSUPPORTED, "of this kind"},
    {"ld.global.u32 %r20, %rd0;", STATUS_UNSUPPORTED, "operand 2 is not an address"},
    {"add.s32 %r20, _, %r1;", STATUS_UNSUPPORTED, "operand 2 is missing"},
    {"call (%r20), pick, (%rd0);", STATUS_UNSUPPORTED, "call: a register of 8 bytes is passed for 4 bytes (PTX line"},
    {"call (%rd20), pick, (%r1);", STATUS_UNSUPPORTED, "call: a register of 8 bytes is passed for 4 bytes (PTX line"},
    {"add.u64 %rd20, nobody, 1;", STATUS_UNSUPPORTED, "the address of `nobody` is not known here"},
    {"{ .reg .b128 %q<2>; atom.global.add.b128 %q0, [%rd1], %q1; }", STATUS_PARSE,
     "'atom.global.b128' does not take '.add'"},
    {"atom.global.exch.b128 %rd20, [%rd1], %rd10;", STATUS_UNSUPPORTED, ".b128 is wanted"},
    {"atom.global.and.f32 %f20, [%rd1], %f10;", STATUS_PARSE, "'atom.global.f32' does not take '.and'"},
    {"red.global.add.v2.f32 [%rd1], {%f1};", STATUS_UNSUPPORTED, "wrong number of elements"},
    {"cp.async.bulk.wait_group %r1;", STATUS_UNSUPPORTED, "number of groups is not a constant"},
    {"{ .global .b8 big[0x50000000]; ld.global.u8 %r20, [big]; }", STATUS_LAUNCH, "the simulator gives a variable"},
    {"mov.u64 %rd10, 64; atom.global.add.u32 %r20, [%rd10], 1;", STATUS_FAULT, "null pointer"},
    {"mov.u64 %rd10, 64; red.global.add.v2.f32 [%rd10], {%f1, %f2};", STATUS_FAULT, "null pointer"},
    {"mov.u64 %rd10, 64; mov.u32 %r10, s; mov.u32 %r11, m; mbarrier.init.shared.b64 [m], 1;\n"
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r10], [%rd10], 16, [%r11];",
     STATUS_FAULT, "null pointer"},
    {"vadd.s32.s32.s32 %r20, %r10, %r11, %r12;", STATUS_UNSUPPORTED, "nothing to do with a fourth operand"},
    {"mov.b64 %rd20, {%r1, %r1, %r1};", STATUS_UNSUPPORTED, "elements"},
    {"lop3.b32 %r20, %r10, %r11, %r12, %r13;", STATUS_UNSUPPORTED, "table is not a constant"},
    {"ld.param.u64 %rd10, [n+8];", STATUS_UNSUPPORTED, "past the end of the parameters"},
    {"{ .param .b32 a; st.param.b32 [a], %r1; call nobody, (a); }", STATUS_UNSUPPORTED, "has no body"},
    {"setp.num.s32 %p1, %r1, %r1;", STATUS_PARSE, "'setp.s32' does not take '.num'"},
    {"cvta.shared.u32 %r20, %r1;", STATUS_UNSUPPORTED, "32-bit generic"},
    {"add.f32 %f20, %f10, 1;", STATUS_UNSUPPORTED, "an integer where a float"},
    {"cp.async.bulk.shared::cluster.global [%r10], [%rd0], 16;", STATUS_PARSE, "needs .mbarrier::complete_tx::bytes"},
    {"cp.async.ca.shared.global [%r10], [%rd0], 12;", STATUS_UNSUPPORTED, "4, 8 or 16"},
    {"cp.async.cg.shared.global [%r10], [%rd0], 8;", STATUS_UNSUPPORTED, ".cg copies 16"},
    {"cp.async.wait_group %r1;", STATUS_UNSUPPORTED, "not a constant"},
    {"mul.wide.s64 %rd20, %rd10, %rd11;", STATUS_PARSE, "'mul.s64' does not take '.wide'"},
    {"sub.u16x2 %r20, %r10, %r11;", STATUS_PARSE, "'sub' does not take '.u16x2'"},
    {"ld.global.v4.u32 {%r20, %r21}, [%rd0];", STATUS_UNSUPPORTED, "registers for a vector"},
    {"alloca.u64 %rd11, 64, 3;", STATUS_UNSUPPORTED, "alignment"},
    {"shfl.sync.b32 %r20, %r10, 1, 31, -1;", STATUS_PARSE, "needs .up, .down, .bfly or .idx"},
    {"redux.sync.add.f32 %f20, %f10, -1;", STATUS_PARSE, "'redux.sync.f32' does not take '.add'"},
    {"st.global.u32 [%f1], %r1;", STATUS_UNSUPPORTED, "`%f1` is a f32 register, and an address is wanted here"},
    {"mov.f32 %f2, %f1; ld.shared.u32 %r1, [%f1+4];", STATUS_UNSUPPORTED, "address"},
    {"add.s32 %r20, %r10, %f1;", STATUS_UNSUPPORTED, "`%f1` is a f32 register, and .s32 is wanted here"},
    {"add.f32 %f20, %f10, %r1;", STATUS_OK, ""}, // .b32 goes with every type of 32 bits
    {"{ .reg .u32 %u; mov.u32 %u, 1; add.f32 %f20, %f10, %u; }", STATUS_UNSUPPORTED,
     "`%u` is a u32 register, and .f32 is wanted here"},
    {"{ .reg .u32 %u; mov.s32 %u, 1; add.s32 %r20, %u, %u; }", STATUS_OK, ""}, // signs may differ
    {"{ .reg .f64 %g; mov.f64 %g, 0d0000000000000000; ld.global.u64 %g, [%rd0]; }", STATUS_UNSUPPORTED,
     "`%g` is a f64"},
    {"mov.f32 %f20, %tid.x;", STATUS_UNSUPPORTED, "%tid is .u32, and .f32 is wanted here"},
    {"mov.u64 %rd20, %tid.x;", STATUS_UNSUPPORTED, "%tid is .u32"},
    {"mov.b32 %r20, %tid.x;", STATUS_OK, ""},
    {"add.s32 %r20, %r10, 0f3F800000;", STATUS_UNSUPPORTED, "a float where an integer"},
    {"mov.b32 %r20, 0f3F800000;", STATUS_OK, ""},
    {"setp.s32 %p1, %r10, %r11;", STATUS_PARSE, "'setp.s32' needs .eq, .ne, .lt, .le, .gt or .ge"},
    {"atom.global.u32 %r20, [%rd0], %r10;", STATUS_PARSE, "'atom.global.u32' needs .add, .inc, .dec, .min or .max"},
    {"mma.sync.aligned.m8n8k4.row.col.f32.f32.f32.f32 {%f1}, {%f2}, {%f3}, {%f4};", STATUS_UNSUPPORTED, "PTX line"},
    {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r20}, [%r10];", STATUS_UNSUPPORTED, "registers for 2 matrices"},
    {"testp.f32 %p1, %f1;", STATUS_PARSE, "needs .finite, .infinite"},
    {"call %rd10, (%r1);", STATUS_UNSUPPORTED, "prototype"},
    {"bra.uni nowhere;", STATUS_PARSE, "nowhere"},
    {"mov.u64 %rd10, in; add.u64 %rd10, %rd10, 4096; cvta.param.u64 %rd11, %rd10; ld.u64 %rd20, [%rd11];", STATUS_FAULT,
     "the kernel's parameters"},
    {"mov.u64 %rd10, 0x7000000000000; ld.u32 %r20, [%rd10];", STATUS_FAULT, "where there is nothing"},
    {"call (%r20), pick, (%r1, %r1);", STATUS_UNSUPPORTED, "values where the callee has 1"},
    {"{ .param .b8 x; call (%r20), pick, (x); }", STATUS_UNSUPPORTED, "smaller than the parameter"},
    {"brkpt;", STATUS_FAULT, "breakpoint"},
    {"st.shared.u32 [_ZZ6kernelPfE4tile+4096], %r1;", STATUS_FAULT, "tile"},
    {"mov.u64 %rd10, 64; ld.u32 %r20, [%rd10];", STATUS_FAULT, "null pointer"},
    {"mbarrier.init.shared.b64 [m], 0;", STATUS_FAULT, "0 arrivals"},
    {"mov.u32 %r10, 0; mbarrier.init.shared.b64 [m], %r10;", STATUS_FAULT, "0 arrivals"},
    {"mbarrier.init.b64 [%rd0], 1;", STATUS_FAULT, "not in shared memory"},
    {"mov.u32 %r10, s; mov.u32 %r11, m; mbarrier.init.shared.b64 [m], 1;\n"
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r10], [%rd0], 8, [%r11];",
     STATUS_FAULT, "multiples of 16"},
    {"cp.async.bulk.prefetch.L2.global [%rd0+8], 16;", STATUS_FAULT, "multiples of 16"},
    {"cp.async.bulk.prefetch.L2.global [%rd0], 8;", STATUS_FAULT, "multiples of 16"},
    {"mbarrier.init.shared.b64 [m], 1; mov.u32 %r10, 0x100000; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [m], "
     "%r10;",
     STATUS_FAULT, "counts up to 1048575"},
    {"mov.u64 %rd10, 0x100000000; alloca.u64 %rd11, %rd10;", STATUS_FAULT, "overflows the stack"},
};

START_TEST(refusals_and_faults_say_why)
{
    uint64_t out[LANES] = {0};
    char why[512];
    enum status status = run_body(failures[_i].body, 1, "", out, why, sizeof why);
    ck_assert_msg(status == failures[_i].status, "%s: %s\n%s", status_name(status), why, failures[_i].body);
    ck_assert_msg(strstr(why, failures[_i].says) != NULL, "%s\n%s", why, failures[_i].body);
}
END_TEST

// As measured on an H200: the launch decides, not whose memory it is; and the launch that says so is explicit.
static const char *const sends[] = {
    "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r10], %r1, [%r11];",
    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r10], %r1, [%r11];",
    "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r10+32], [%r10], 16, [%r11];"};

START_TEST(sends_to_a_cluster_need_one)
{
    char body[512];
    snprintf(
        body, sizeof body,
        "mov.u32 %%r10, s; mov.u32 %%r11, m; mbarrier.init.shared.b64 [m], 1; st.shared.v4.u32 [s], {1, 2, 3, 4};\n"
        "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [m], 16; %s\n"
        "mov.pred %%p1, %%is_explicit_cluster; selp.u32 %%r20, 1, 0, %%p1; st.global.u32 [%%rd1], %%r20;",
        sends[_i]);
    for (uint32_t cluster = 0; cluster < 2; cluster++) {
        uint32_t out = 7;
        struct kernel kernel = {
            .before = declarations, .body = body, .block = 1, .cluster = cluster, .out = &out, .out_size = sizeof out};
        enum status status = kernel_run(&kernel);
        ck_assert_int_eq(status, cluster ? STATUS_OK : STATUS_FAULT);
        ck_assert_int_eq(out, cluster ? 1 : 7);
        ck_assert(cluster || strstr(kernel.diagnostic.message, "__cluster_dims__(1, 1, 1)"));
    }
}
END_TEST

// Lanes that spin at one instruction, apart as each half called it from a place of its own, wait for lanes that are
// kept behind the branch.
START_TEST(spins_of_lanes_apart_are_seen)
{
    struct text body = {0};
    text_puts(&body, "setp.eq.u32 %p3, %r1, 31; @%p3 mbarrier.init.shared.b64 [m], 1; bar.sync 0; mov.u32 %r20, m;\n"
                     "setp.ge.u32 %p1, %r1, 16; @%p1 bra BEHIND; setp.ge.u32 %p2, %r1, 8; @%p2 bra OTHERS;\n"
                     "call spin, (%r20); bra.uni BEHIND;\nOTHERS: call spin, (%r20);\n"
                     "BEHIND: @%p3 mbarrier.arrive.shared.b64 _, [m];");
    struct kernel kernel = {.before = ".shared .align 8 .b64 m;\n.func spin(.param .b32 p)\n{\n.reg .b32 %r<3>; .reg "
                                      ".pred %p; ld.param.u32 %r1, [p];\nAGAIN: "
                                      "mbarrier.try_wait.parity.shared.b64 %p, [%r1], 0; @!%p bra AGAIN; ret;\n}\n",
                            .body = text_get(&body),
                            .budget = 20000};
    for (kernel.seed = 1; kernel.seed <= 8; kernel.seed++)
        for (int random = 0; random < 2; random++) {
            kernel.schedule = random ? SIM_RANDOM : SIM_ROUND_ROBIN;
            ck_assert_msg(kernel_run(&kernel) == STATUS_OK, "%s", kernel.diagnostic.message);
        }
    text_free(&body);
}
END_TEST

// Who waits may look at what changes every time; the warp that he waits for runs all the same.
START_TEST(nobody_is_kept_back_for_ever)
{
    struct kernel kernel = {
        .before = ".shared .align 8 .b32 f;\n.shared .align 8 .b32 c;\n",
        .block = 128,
        .schedule = SIM_RANDOM,
        .budget = 200000,
        .body =
            "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [f], 0; @%p1 st.shared.u32 [c], 0; bar.sync 0; mov.u32 %r20, "
            "0;\n"
            "setp.lt.u32 %p2, %r1, 32; @%p2 bra SETS;\n"
            "AGAIN: atom.shared.add.u32 %r21, [c], 1; ld.volatile.shared.u32 %r21, [c]; ld.volatile.shared.u32 %r22, "
            "[f]; setp.ne.u32 %p3, %r22, 20;\n"
            "@%p3 bra AGAIN; bra.uni END;\n"
            "SETS: add.u32 %r20, %r20, 1; st.volatile.shared.u32 [f], %r20; setp.lt.u32 %p4, %r20, 20; @%p4 bra SETS;\n"
            "END:"};
    for (kernel.seed = 1; kernel.seed <= 16; kernel.seed++)
        ck_assert_msg(kernel_run(&kernel) == STATUS_OK, "seed %d: %s", (int)kernel.seed, kernel.diagnostic.message);
}
END_TEST

// Warp 1, which is told A as B: waits for what comes second, and has 0 if it does not find the first then.
#define SEES_B_THEN_A                                                                                                  \
    "mov.u32 %r22, 0; AGAIN: ld.volatile.shared.u32 %r21, [A]; add.u32 %r22, %r22, 1; setp.lt.u32 %p3, %r22, 400; "    \
    "setp.eq.and.u32 %p2, %r21, 0, %p3; @%p2 bra AGAIN; fence.acq_rel.cta; ld.volatile.shared.u32 %r20, [B]; "         \
    "setp.eq.u32 %p2, %r21, 0; @%p2 mov.u32 %r20, 1;"

// What a warp stores, and what it loads from elsewhere afterwards, another one may see the other way round. Warp 0
// stores to f and loads c, warp 1 the other way round; in the second kind warp 1 loads both.
static const struct {
    const char *first, *second; // of warp 0, and of warp 1: what [A] and [B] are is exchanged
    bool may_miss;              // both have 0
} litmus[] = {
    {"st.volatile.shared.u32 [A], 1; ld.volatile.shared.u32 %r20, [B];", NULL, true},
    {"st.relaxed.cta.shared.u32 [A], 1; fence.acq_rel.cta; ld.relaxed.cta.shared.u32 %r20, [B];", NULL, true},
    {"st.release.cta.shared.u32 [A], 1; ld.acquire.cta.shared.u32 %r20, [B];", NULL, true},
    {"st.volatile.shared.u32 [A], 1; membar.cta; ld.volatile.shared.u32 %r20, [B];", NULL, false},
    {"st.relaxed.cta.shared.u32 [A], 1; fence.sc.cta; ld.relaxed.cta.shared.u32 %r20, [B];", NULL, false},
    {"st.volatile.shared.u32 [A], 1; bar.sync 1, 32; ld.volatile.shared.u32 %r20, [B];",
     "st.volatile.shared.u32 [A], 1; bar.sync 2, 32; ld.volatile.shared.u32 %r20, [B];", false},
    {"atom.relaxed.cta.shared.exch.b32 %r21, [A], 1; fence.acq_rel.cta; atom.relaxed.cta.shared.or.b32 %r20, [B], 0;",
     NULL, false},
    // two strong stores, or a reduction and a count: another one may see the second first
    {"st.volatile.shared.u32 [A], 1; st.volatile.shared.u32 [B], 1; mov.u32 %r20, 0;", SEES_B_THEN_A, true},
    {"st.volatile.shared.u32 [A], 1; fence.acq_rel.cta; st.volatile.shared.u32 [B], 1; mov.u32 %r20, 0;", SEES_B_THEN_A,
     false},
    {"st.volatile.shared.u32 [A], 1; st.release.cta.shared.u32 [B], 1; mov.u32 %r20, 0;", SEES_B_THEN_A, false},
    {"red.shared.add.u32 [A], 1; atom.shared.add.u32 %r21, [B], 1; mov.u32 %r20, 0;", SEES_B_THEN_A, true},
    {"red.shared.add.u32 [A], 1; bar.warp.sync -1; red.shared.add.u32 [B], 1; mov.u32 %r20, 0;", SEES_B_THEN_A, true},
    {"red.shared.add.u32 [A], 1; membar.cta; red.shared.add.u32 [B], 1; mov.u32 %r20, 0;", SEES_B_THEN_A, false},
    // its own store it sees, and what it stored before behind a fence the others see first
    {"st.volatile.shared.u32 [A], 1; ld.volatile.shared.u32 %r20, [A];",
     "st.volatile.shared.u32 [A], 1; ld.volatile.shared.u32 %r20, [A];", false},
    {"st.volatile.shared.u32 [A], 1; ld.volatile.shared.u32 %r21, [B+8]; fence.acq_rel.cta; st.volatile.shared.u32 "
     "[B], 1; mov.u32 %r20, 0;",
     "mov.u32 %r22, 0; AGAIN: ld.volatile.shared.u32 %r21, [A]; add.u32 %r22, %r22, 1; setp.lt.u32 %p3, %r22, 40; "
     "setp.eq.and.u32 %p2, %r21, 0, %p3; @%p2 bra AGAIN; fence.acq_rel.cta; ld.volatile.shared.u32 %r20, [B]; "
     "setp.eq.u32 %p2, %r21, 0; @%p2 mov.u32 %r20, 1;",
     false},
};

static void print_litmus(struct text *text, const char *code, const char *a, const char *b)
{
    for (; *code; code++)
        if (code[0] == '[' && (code[1] == 'A' || code[1] == 'B'))
            text_printf(text, "[%s", *++code == 'A' ? a : b);
        else
            text_printf(text, "%c", *code);
    text_puts(text, "\n");
}

START_TEST(stores_come_late_unless_a_fence_forbids_it)
{
    struct text body = {0};
    bool missed = false;
    text_puts(&body, "mul.wide.u32 %rd20, %r1, 4; add.s64 %rd21, %rd1, %rd20; setp.eq.u32 %p1, %r1, 0;\n"
                     "@%p1 st.shared.v2.u32 [f], {0, 0}; @%p1 st.shared.v2.u32 [c], {0, 0}; bar.sync 0;\n"
                     "setp.ge.u32 %p1, %r1, 32; @%p1 bra OTHER;\n");
    print_litmus(&body, litmus[_i].first, "f", "c");
    text_puts(&body, "bra.uni END;\nOTHER:\n");
    print_litmus(&body, litmus[_i].second ? litmus[_i].second : litmus[_i].first, "c", "f");
    text_puts(&body, "END: st.global.u32 [%rd21], %r20;");
    for (uint64_t seed = 1; seed <= 300; seed++) {
        uint32_t out[64];
        struct kernel kernel = {.before = ".shared .align 16 .b32 f[4];\n.shared .align 16 .b32 c[4];\n",
                                .body = text_get(&body),
                                .block = 64,
                                .schedule = SIM_RANDOM,
                                .seed = seed,
                                .out = out,
                                .out_size = sizeof out};
        ck_assert_msg(kernel_run(&kernel) == STATUS_OK, "%s", kernel.diagnostic.message);
        missed |= out[0] == 0 && out[32] == 0;
    }
    ck_assert_msg(missed == litmus[_i].may_miss, "%s", litmus[_i].first);
    text_free(&body);
}
END_TEST

START_TEST(warps_must_agree_on_a_barriers_count)
{
    struct kernel kernel = {.block = 96,
                            .body = "setp.lt.u32 %p1, %r1, 32; @%p1 bra FEW;\n"
                                    "bar.sync 1, 96; bra.uni END;\nFEW: bar.sync 1, 64;\nEND:"};
    ck_assert_int_eq(kernel_run(&kernel), STATUS_FAULT);
    ck_assert_msg(strstr(kernel.diagnostic.message, "where others wait for 64") != NULL, "%s",
                  kernel.diagnostic.message);
}
END_TEST

// PTX ISA, barrier: a reduction and another kind at one active barrier are unpredictable. Each phase may have its own.
static const struct {
    const char *few, *others, *says; // of warp 0, of the other two; NULL: right
} meetings[] = {
    {"bar.sync 0;", "bar.red.popc.u32 %r20, 0, %p1;",
     "comes to barrier 0 by bar.red.popc (__syncthreads_count), where others came by bar.sync (__syncthreads)"},
    {"barrier.cta.red.and.pred %p2, 1, 96, %p1;", "barrier.sync 1, 96;",
     "comes to barrier 1 by bar.sync (__syncthreads), where others came by bar.red.and (__syncthreads_and)"},
    {"bar.arrive 1, 96;", "bar.red.or.pred %p2, 1, 96, %p1;",
     "comes to barrier 1 by bar.red.or (__syncthreads_or), where others came by bar.arrive"},
    {"bar.red.and.pred %p2, 0, %p1;", "bar.red.or.pred %p2, 0, %p1;",
     "comes to barrier 0 by bar.red.or (__syncthreads_or), where others came by bar.red.and (__syncthreads_and)"},
    {"bar.arrive 1, 96;", "barrier.sync 1, 96;", NULL},
    {"bar.red.popc.u32 %r20, 0, %p1;", "barrier.red.popc.u32 %r20, 0, !%p1;", NULL},
    {"bar.red.popc.u32 %r20, 0, %p1; bar.sync 0; bar.red.or.pred %p2, 0, %p1;",
     "bar.red.popc.u32 %r20, 0, %p1; bar.sync 0; bar.red.or.pred %p2, 0, %p1;", NULL},
};

START_TEST(warps_must_agree_on_what_a_barrier_reduces)
{
    char body[512];
    struct kernel kernel = {.block = 96, .body = body};
    snprintf(body, sizeof body,
             "setp.lt.u32 %%p1, %%r1, 32; @%%p1 bra FEW;\n%s bra.uni END;\nFEW: %s\nEND:", meetings[_i].others,
             meetings[_i].few);
    enum status status = kernel_run(&kernel);
    ck_assert_msg(status == (meetings[_i].says ? STATUS_FAULT : STATUS_OK), "%s", kernel.diagnostic.message);
    if (meetings[_i].says)
        ck_assert_msg(strstr(kernel.diagnostic.message, meetings[_i].says) != NULL, "%s", kernel.diagnostic.message);
}
END_TEST

// More constants than fit into the first pools, of both widths.
START_TEST(many_constants_keep_their_values)
{
    struct text text = {0};
    uint64_t out[LANES] = {0}, want = 0;
    char why[512];
    text_puts(&text, "mov.u64 %rd20, 0; mov.u32 %r20, 0;\n");
    for (uint64_t i = 0; i < 1500; i++) {
        uint64_t wide = (i + 1) * UINT64_C(0x9e3779b97f4a7c15), narrow = wide >> 40;
        text_printf(&text, "xor.b64 %%rd20, %%rd20, 0x%llx; mov.u32 %%r21, 0x%llx; cvt.u64.u32 %%rd21, %%r21;\n",
                    (unsigned long long)wide, (unsigned long long)narrow);
        text_puts(&text, "add.u64 %rd20, %rd20, %rd21;\n");
        want = (want ^ wide) + narrow;
    }
    enum status status = run_body(text_get(&text), LANES, "st.global.u64 [%rd31], %rd20;", out, why, sizeof why);
    text_free(&text);
    ck_assert_msg(status == STATUS_OK, "%s", why);
    for (int lane = 0; lane < LANES; lane++)
        ck_assert_uint_eq(out[lane], want);
}
END_TEST

// ---- launches: what the driver refuses

static const struct {
    unsigned sm;
    uint32_t dynamic_shared;
    const char *directive;
    uint32_t grid[3], block[3];
    bool without_params;
    enum status status;
    const char *says;
} launches[] = {
    {90, 0, "", {1, 1, 1}, {32, 1, 1}, false, STATUS_OK, ""},
    // PTX for an older GPU runs on a newer one, and has its shared memory there.
    {80, 227 * 1024, "", {1, 1, 1}, {32, 1, 1}, false, STATUS_OK, ""},
    {80, 228 * 1024, "", {1, 1, 1}, {32, 1, 1}, false, STATUS_LAUNCH, "at most 232448"},
    {90, 0, "", {0, 1, 1}, {32, 1, 1}, false, STATUS_LAUNCH, "its x must be 1 to 2147483647"},
    {90, 0, "", {1, 65536, 1}, {32, 1, 1}, false, STATUS_LAUNCH, "its y must be 1 to 65535"},
    {90, 0, "", {1, 1, 1}, {1, 1, 65}, false, STATUS_LAUNCH, "its z must be 1 to 64"},
    {90, 0, "", {1, 1, 1}, {64, 32, 1}, false, STATUS_LAUNCH, "2048 threads"},
    {90, 0, "", {1, 1, 1}, {32, 1, 1}, true, STATUS_LAUNCH, "parameters are missing"},
    {90, 0, ".maxntid 64, 1, 1", {1, 1, 1}, {65, 1, 1}, false, STATUS_LAUNCH, "__launch_bounds__ promise at most 64"},
    {90, 0, ".maxntid 64, 1, 1", {1, 1, 1}, {64, 1, 1}, false, STATUS_OK, ""},
    {90, 0, ".reqntid 16, 2", {1, 1, 1}, {32, 1, 1}, false, STATUS_LAUNCH, "asks for blocks of 16 x 2 x 1"},
    {90, 0, ".reqntid 16, 2", {1, 1, 1}, {16, 2, 1}, false, STATUS_OK, ""},
    {90,
     0,
     ".reqnctapercluster 2, 1, 1",
     {3, 1, 1},
     {32, 1, 1},
     false,
     STATUS_LAUNCH,
     "not made of whole clusters of 2 x 1 x 1"},
    {90, 0, ".reqnctapercluster 3, 3", {3, 3, 1}, {32, 1, 1}, false, STATUS_LAUNCH, "cudaErrorInvalidClusterSize"},
    {90, 0, ".reqnctapercluster 2, 2", {4, 2, 3}, {32, 1, 1}, false, STATUS_OK, ""},
};

START_TEST(launches_are_refused_as_the_driver_would)
{
    struct text text = {0};
    struct diagnostic diagnostic = {0};
    struct sim_program *program = NULL;
    struct sim_result result;
    uint32_t params = 1;
    text_printf(&text,
                ".version 8.5\n.target sm_%u\n.address_size 64\n.visible .entry k(.param .u32 n)\n%s\n{\nret;\n}\n",
                launches[_i].sm, launches[_i].directive);
    struct ptx_module *module = ptx_parse_good("launch.ptx", text_get(&text));
    struct sim_memory *memory = sim_memory_new();
    ck_assert_int_eq(sim_program_new(module, module->functions[0], memory, &program, &diagnostic), STATUS_OK);
    struct sim_launch launch = {
        .program = program, .memory = memory, .shape.dynamic_shared = launches[_i].dynamic_shared};
    launch.params = launches[_i].without_params ? NULL : &params;
    memcpy(launch.shape.grid, launches[_i].grid, sizeof launch.shape.grid);
    memcpy(launch.shape.block, launches[_i].block, sizeof launch.shape.block);
    enum status status = sim_run(&launch, &result, &diagnostic);
    ck_assert_msg(status == launches[_i].status, "%s: %s", status_name(status), diagnostic.message);
    ck_assert_msg(strstr(diagnostic.message, launches[_i].says) != NULL, "%s", diagnostic.message);
    sim_program_free(program);
    sim_memory_free(memory);
    ptx_module_free(module);
    text_free(&text);
}
END_TEST

// A sum in a variable of the module, over a memory of its own behind so many other buffers. The second is in y, where
// the first one's address is.
static uint32_t add_up_once_more(const struct ptx_module *module, size_t before, uint32_t *second)
{
    struct diagnostic diagnostic = {0};
    struct sim_program *program;
    struct sim_result result;
    struct sim_memory *memory = sim_memory_new();
    for (size_t i = 0; i < before; i++)
        sim_memory_add(memory, "before", 64, false);
    ck_assert_int_eq(sim_program_new(module, module->functions[0], memory, &program, &diagnostic), STATUS_OK);
    struct sim_launch launch = {
        .program = program, .memory = memory, .shape = {.grid = {1, 1, 1}, .block = {32, 1, 1}}, .params = &launch};
    ck_assert_msg(sim_run(&launch, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    uint32_t sum;
    memcpy(&sum, sim_program_variable(program, module->variables[0])->data, sizeof sum);
    memcpy(second, sim_program_variable(program, module->variables[1])->data + 8, sizeof *second);
    sim_program_free(program);
    sim_memory_free(memory);
    return sum;
}

START_TEST(programs_of_one_kernel_share_what_is_decoded_and_no_memory)
{
    struct ptx_module *module = ptx_parse_good(
        "twice.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n.global .align 4 .u32 x = 5;\n"
                     ".global .align 8 .u64 y[2] = {x, 0};\n.visible .entry k(.param .u32 n)\n{\n.reg .b32 %r<3>; "
                     ".reg .b64 %rd<3>;\natom.global.add.u32 %r1, [x], 1;\nld.global.u64 %rd1, [y];\n"
                     "ld.global.u32 %r2, [%rd1];\nst.global.u32 [y+8], %r2;\nret;\n}\n");
    static const size_t before[] = {0, 0, 3, 0, 3, 1};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        uint32_t second = 0;
        ck_assert_uint_eq(add_up_once_more(module, before[i], &second), 5 + 32);
        ck_assert_uint_eq(second, 5 + 32);
    }
    ptx_module_free(module);
}
END_TEST

static void count_release(void *value)
{
    ++*(int *)value;
}

static void count_other_release(void *value)
{
    *(int *)value += 100;
}

START_TEST(a_module_keeps_the_first_of_each_kind)
{
    struct ptx_module *module = ptx_parse_good("x.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n"
                                                        ".entry k()\n{\nret;\n}\n.entry l()\n{\nret;\n}\n");
    const struct ptx_function *k = module->functions[0], *l = module->functions[1];
    struct ptx_function stranger = *k;
    int first = 0, second = 0, other = 0, of_l = 0;
    ck_assert_ptr_null(ptx_kept(module, k, count_release));
    ck_assert(ptx_keep(module, k, count_release, &first));
    ck_assert(!ptx_keep(module, k, count_release, &second));
    ck_assert(ptx_keep(module, k, count_other_release, &other));
    ck_assert(ptx_keep(module, l, count_release, &of_l));
    ck_assert(!ptx_keep(module, &stranger, count_release, &second));
    ck_assert_ptr_eq(ptx_kept(module, k, count_release), &first);
    ck_assert_ptr_eq(ptx_kept(module, k, count_other_release), &other);
    ck_assert_ptr_eq(ptx_kept(module, l, count_release), &of_l);
    ck_assert_ptr_null(ptx_kept(module, &stranger, count_release));
    ptx_module_free(module);
    ck_assert_int_eq(first, 1);
    ck_assert_int_eq(second, 0);
    ck_assert_int_eq(other, 100);
    ck_assert_int_eq(of_l, 1);
}
END_TEST

// ---- memory

START_TEST(addresses_name_their_allocation_and_distance)
{
    struct sim_memory *memory = sim_memory_new();
    uint64_t place = 99, first = sim_memory_add(memory, "a", 64, false)->address;
    struct sim_allocation *b = sim_memory_add(memory, "b", 64, false);
    int64_t offset = 0;
    ck_assert(sim_address_place(first + 12, &place, &offset));
    ck_assert_uint_eq(place, 0);
    ck_assert_int_eq(offset, 12);
    ck_assert(sim_address_place(b->address - 8, &place, &offset));
    ck_assert_uint_eq(place, 1);
    ck_assert_int_eq(offset, -8);
    ck_assert(!sim_address_place(64, &place, &offset));
    ck_assert_ptr_eq(sim_memory_find(memory, b->address + 100), b);
    ck_assert_ptr_null(sim_memory_find(memory, 64));
    sim_memory_free(memory);
    sim_memory_free(NULL);
}
END_TEST

START_TEST(marks_exactly_the_bytes_asked_for_as_written)
{
    static const struct {
        size_t offset, size;
    } spans[] = {{3, 30}, {0, 8}, {8, 16}, {60, 100}, {64, 1}, {100, 4}, {5, 0}};
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        unsigned char bits[24] = {0};
        sim_bits_set(bits, spans[i].offset, spans[i].size);
        for (size_t byte = 0; byte < 8 * sizeof bits; byte++) {
            bool want = byte >= spans[i].offset && byte - spans[i].offset < spans[i].size;
            ck_assert_msg((bits[byte / 8] >> byte % 8 & 1) == want, "span %zu, byte %zu", i, byte);
        }
    }
}
END_TEST

START_TEST(a_kernel_without_a_body_is_no_program)
{
    struct diagnostic diagnostic = {0};
    struct sim_program *program;
    struct ptx_module *module = ptx_parse_good("x.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n"
                                                        ".entry later(.param .u32 n);\n");
    struct sim_memory *memory = sim_memory_new();
    ck_assert_int_eq(sim_program_new(module, module->functions[0], memory, &program, &diagnostic), STATUS_USAGE);
    ck_assert_str_eq(diagnostic.message, "`later` is declared without a body");
    ck_assert_ptr_null(program);
    sim_memory_free(memory);
    ptx_module_free(module);
}
END_TEST

Suite *suite_edges(void)
{
    Suite *suite = suite_create("edges");
    TCase *tests = tcase_create("edges");
    tcase_add_loop_test(tests, rare_instructions_give_what_ptx_says, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tests, lanes_may_end_inside_a_branch);
    tcase_add_test(tests, lanes_may_end_inside_a_function);
    tcase_add_loop_test(tests, floats_compare_as_ptx_says, 0, sizeof floats / sizeof *floats);
    tcase_add_test(tests, a_kernel_without_a_body_is_no_program);
    tcase_add_test(tests, programs_of_one_kernel_share_what_is_decoded_and_no_memory);
    tcase_add_test(tests, a_module_keeps_the_first_of_each_kind);
    tcase_add_loop_test(tests, refusals_and_faults_say_why, 0, sizeof failures / sizeof *failures);
    tcase_add_loop_test(tests, sends_to_a_cluster_need_one, 0, (int)(sizeof sends / sizeof *sends));
    tcase_add_test(tests, spins_of_lanes_apart_are_seen);
    tcase_add_test(tests, nobody_is_kept_back_for_ever);
    tcase_add_loop_test(tests, stores_come_late_unless_a_fence_forbids_it, 0, sizeof litmus / sizeof *litmus);
    tcase_add_test(tests, warps_must_agree_on_a_barriers_count);
    tcase_add_loop_test(tests, warps_must_agree_on_what_a_barrier_reduces, 0, sizeof meetings / sizeof *meetings);
    tcase_add_test(tests, many_constants_keep_their_values);
    tcase_add_loop_test(tests, launches_are_refused_as_the_driver_would, 0, sizeof launches / sizeof *launches);
    tcase_add_test(tests, addresses_name_their_allocation_and_distance);
    tcase_add_test(tests, marks_exactly_the_bytes_asked_for_as_written);
    suite_add_tcase(suite, tests);
    return suite;
}
