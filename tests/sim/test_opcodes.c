// One instruction at a time, on values where the definition of PTX leaves no room: edges, signs, overflow, NaN.
//
// A row's instruction reads its operands from registers numbered 10, 11, 12 and 13 (%r 32 bits, %rd 64, %h 16, %f f32,
// %d f64) and writes number 20 of the kind that `result` names: r, d (64 bits), h, f, e (f64) or p (predicate).
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "../support/kernel.h"

Suite *suite_opcodes(void);

static enum status run_row(const char *inst, char result, const uint64_t in[4], uint64_t *out, char *why, size_t size)
{
    static const char *const store[128] = {
        ['r'] = "cvt.u64.u32 %rd20, %r20;",
        ['h'] = "cvt.u64.u16 %rd20, %h20;",
        ['d'] = "",
        ['f'] = "mov.b32 %r20, %f20; cvt.u64.u32 %rd20, %r20;",
        ['e'] = "mov.b64 %rd20, %d20;",
        ['p'] = "selp.u64 %rd20, 1, 0, %p20;",
    };
    struct text body = {0};
    for (int i = 0; i < 4; i++)
        text_printf(&body,
                    "ld.global.u64 %%rd1%d, [%%rd0+%d]; cvt.u32.u64 %%r1%d, %%rd1%d; cvt.u16.u64 %%h1%d, %%rd1%d;\n"
                    "mov.b32 %%f1%d, %%r1%d; mov.b64 %%d1%d, %%rd1%d;\n",
                    i, 8 * i, i, i, i, i, i, i, i, i);
    text_puts(&body,
              "setp.ne.u32 %p10, %r10, 0; setp.ne.u32 %p11, %r11, 0; setp.ne.u32 %p12, %r12, 0;\n"
              "mov.u64 %rd20, -1; mov.u32 %r20, -1; mov.u16 %h20, -1; mov.b32 %f20, %r20; mov.b64 %d20, %rd20;\n");
    text_printf(&body, "%s\n%s\nst.global.u64 [%%rd1], %%rd20;", inst, store[(unsigned char)result]);
    struct kernel kernel = {.body = text_get(&body), .block = 1, .in = in, .in_size = 32, .out = out, .out_size = 8};
    enum status status = kernel_run(&kernel);
    snprintf(why, size, "%.400s", kernel.diagnostic.message);
    text_free(&body);
    return status;
}

struct row {
    const char *inst;
    char result;
    uint64_t a, b, c, want;
    uint64_t d;
};

#define M1 0xffffffffffffffffull
#define MIN32 0x80000000u
#define MIN64 0x8000000000000000ull

static const struct row integers[] = {
    {"add.s32 %r20, %r10, %r11;", 'r', 0x7fffffff, 1, 0, MIN32, 0},
    {"add.sat.s32 %r20, %r10, %r11;", 'r', 0x7fffffff, 1, 0, 0x7fffffff, 0},
    {"add.sat.s32 %r20, %r10, %r11;", 'r', MIN32, M1, 0, MIN32, 0},
    {"sub.sat.s32 %r20, %r10, %r11;", 'r', MIN32, 1, 0, MIN32, 0},
    {"sub.sat.s32 %r20, %r10, %r11;", 'r', 0x7fffffff, M1, 0, 0x7fffffff, 0},
    {"add.u16 %h20, %h10, %h11;", 'h', 0xffff, 2, 0, 1, 0},
    {"sub.s16 %h20, %h10, %h11;", 'h', 0, 1, 0, 0xffff, 0},
    {"add.s64 %rd20, %rd10, %rd11;", 'd', M1, 1, 0, 0, 0},
    {"sub.u64 %rd20, %rd10, %rd11;", 'd', 0, 1, 0, M1, 0},
    {"add.u16x2 %r20, %r10, %r11;", 'r', 0xffff0001, 0x00010002, 0, 3, 0},
    {"add.cc.u32 %r21, %r10, %r11; addc.u32 %r20, %r12, 0;", 'r', 0xffffffff, 1, 5, 6, 0},
    {"add.cc.u32 %r21, %r10, %r11; addc.cc.u32 %r22, %r12, 0; addc.u32 %r20, 0, 0;", 'r', 0xffffffff, 1, 0xffffffff, 1,
     0},
    {"sub.cc.u32 %r21, %r10, %r11; subc.u32 %r20, %r12, 0;", 'r', 0, 1, 5, 4, 0},
    {"sub.cc.u32 %r21, %r10, %r11; addc.u32 %r20, %r12, 0;", 'r', 3, 5, 0, 0, 0},
    {"sub.cc.s32 %r21, %r10, %r11; madc.lo.s32 %r20, %r12, 0, 0;", 'r', 5, 3, 0, 1, 0},
    {"add.cc.u32 %r21, %r10, %r11; subc.u32 %r20, %r12, 0;", 'r', 3, 5, 0, 0xffffffff, 0},
    {"sub.cc.u32 %r21, %r10, %r11; subc.u32 %r20, %r12, 0;", 'r', 1, 1, 5, 5, 0},
    {"add.cc.u64 %rd21, %rd10, %rd11; addc.u64 %rd20, %rd12, 0;", 'd', M1, 1, 5, 6, 0},
    {"mad.lo.cc.u32 %r21, %r10, %r11, %r12; madc.hi.u32 %r20, %r10, %r11, 0;", 'r', 0x10000, 0x10000, 1, 1, 0},
    {"mad.lo.cc.u32 %r21, %r10, %r11, %r12; madc.hi.u32 %r20, %r10, %r11, 0;", 'r', 0xffffffff, 1, 1, 1, 0},
    {"vmin.s32.s32.u32 %r20, %r10, %r11;", 'r', M1, 0xffffffff, 0, 0xffffffff, 0},
    {"vshl.u32.u32.u32.clamp %r20, %r10, %r11;", 'r', 1, 40, 0, 0, 0},
    {"vshl.u32.u32.u32.wrap %r20, %r10, %r11;", 'r', 1, 40, 0, 256, 0},
    {"vset.s32.u32.lt %r20, %r10, %r11;", 'r', M1, 0, 0, 1, 0},
    {"vadd2.s32.s32.s32.sat %r20, %r10, %r11, %r12;", 'r', 0x7fff8000, 0x0001ffff, 0, 0x7fff8000, 0},
    {"vadd2.u32.u32.u32 %r20.h1, %r10.h01, %r11.h32, %r12;", 'r', 0x00010002, 0x00030004, 0xbbbbaaaa, 0x0005aaaa, 0},
    {"vsub4.u32.u32.u32.sat %r20, %r10, %r11, %r12;", 'r', 0x05050505, 0x01060206, 0, 0x04000300, 0},
    {"vabsdiff4.u32.u32.u32.add %r20, %r10, %r11, %r12;", 'r', 0x01020304, 0x04030201, 100, 108, 0},
    {"vavrg4.s32.s32.s32 %r20, %r10, %r11, %r12;", 'r', 0x02ff02fe, 0x01fe00ff, 0, 0x02fe01fe, 0},
    {"vmax2.s32.s32.s32 %r20, %r10, %r11, %r12;", 'r', 0xffff0001, 0x00008000, 0, 1, 0},
    {"vset4.u32.u32.eq %r20, %r10, %r11, %r12;", 'r', 0x01020304, 0x01ff03ff, 0, 0x01000100, 0},
    {"vset4.u32.u32.eq.add %r20.b310, %r10, %r11, %r12;", 'r', 0x01020304, 0x01020304, 7, 10, 0},
    {"mul.lo.s32 %r20, %r10, %r11;", 'r', 0x10001, 0x10001, 0, 0x20001, 0},
    {"mul.hi.s32 %r20, %r10, %r11;", 'r', M1, 5, 0, 0xffffffff, 0},
    {"mul.hi.u32 %r20, %r10, %r11;", 'r', 0xffffffff, 0xffffffff, 0, 0xfffffffe, 0},
    {"mul.hi.s64 %rd20, %rd10, %rd11;", 'd', M1, 5, 0, M1, 0},
    {"mul.hi.u64 %rd20, %rd10, %rd11;", 'd', M1, M1, 0, 0xfffffffffffffffe, 0},
    {"mul.hi.s16 %h20, %h10, %h11;", 'h', 0x8000, 0x8000, 0, 0x4000, 0},
    {"mul.hi.u16 %h20, %h10, %h11;", 'h', 0xffff, 0xffff, 0, 0xfffe, 0},
    {"mul.lo.u16 %h20, %h10, %h11;", 'h', 0x101, 0x101, 0, 0x0201, 0},
    {"mul.wide.s16 %r20, %h10, %h11;", 'r', 0xffff, 3, 0, 0xfffffffd, 0},
    {"mul.wide.u16 %r20, %h10, %h11;", 'r', 0xffff, 0xffff, 0, 0xfffe0001, 0},
    {"mul.wide.s32 %rd20, %r10, %r11;", 'd', M1, 3, 0, 0xfffffffffffffffd, 0},
    {"mul.wide.u32 %rd20, %r10, %r11;", 'd', 0xffffffff, 0xffffffff, 0, 0xfffffffe00000001, 0},
    {"mad.lo.s32 %r20, %r10, %r11, %r12;", 'r', 3, 4, M1, 11, 0},
    {"mad.hi.s32 %r20, %r10, %r11, %r12;", 'r', MIN32, MIN32, 1, 0x40000001, 0},
    {"mad.hi.sat.s32 %r20, %r10, %r11, %r12;", 'r', MIN32, MIN32, 0x7fffffff, 0x7fffffff, 0},
    {"mad.wide.s32 %rd20, %r10, %r11, %rd12;", 'd', M1, 4, 10, 6, 0},
    {"mad.wide.u16 %r20, %h10, %h11, %r12;", 'r', 0xffff, 2, 3, 0x20001, 0},
    {"mad.lo.u64 %rd20, %rd10, %rd11, %rd12;", 'd', 0x100000001, 3, 4, 0x300000007, 0},
    {"mul24.lo.s32 %r20, %r10, %r11;", 'r', 0xffffff, 5, 0, 0xfffffffb, 0},
    {"mul24.hi.u32 %r20, %r10, %r11;", 'r', 0xffffff, 0xffffff, 0, 0xfffffe00, 0},
    {"mad24.lo.u32 %r20, %r10, %r11, %r12;", 'r', 0x1000003, 4, 7, 19, 0},
    {"sad.s32 %r20, %r10, %r11, %r12;", 'r', M1, 5, 10, 16, 0},
    {"sad.u32 %r20, %r10, %r11, %r12;", 'r', 0xffffffff, 5, 0, 0xfffffffa, 0},
    {"div.s32 %r20, %r10, %r11;", 'r', 0xfffffff9, 2, 0, 0xfffffffd, 0},
    {"div.s32 %r20, %r10, %r11;", 'r', MIN32, M1, 0, MIN32, 0},
    {"div.u32 %r20, %r10, %r11;", 'r', 7, 2, 0, 3, 0},
    {"div.s64 %rd20, %rd10, %rd11;", 'd', MIN64, M1, 0, MIN64, 0},
    {"div.s16 %h20, %h10, %h11;", 'h', 0xfff9, 2, 0, 0xfffd, 0},
    {"rem.s32 %r20, %r10, %r11;", 'r', 0xfffffff9, 2, 0, 0xffffffff, 0},
    {"rem.s32 %r20, %r10, %r11;", 'r', MIN32, M1, 0, 0, 0},
    {"rem.u64 %rd20, %rd10, %rd11;", 'd', M1, 10, 0, 5, 0},
    {"neg.s32 %r20, %r10;", 'r', MIN32, 0, 0, MIN32, 0},
    {"neg.s16 %h20, %h10;", 'h', 1, 0, 0, 0xffff, 0},
    {"neg.s64 %rd20, %rd10;", 'd', 1, 0, 0, M1, 0},
    {"abs.s32 %r20, %r10;", 'r', MIN32, 0, 0, MIN32, 0},
    {"abs.s32 %r20, %r10;", 'r', M1, 0, 0, 1, 0},
    {"abs.s16 %h20, %h10;", 'h', 0xffff, 0, 0, 1, 0},
    {"abs.s64 %rd20, %rd10;", 'd', M1, 0, 0, 1, 0},
    {"min.s32 %r20, %r10, %r11;", 'r', M1, 1, 0, 0xffffffff, 0},
    {"min.u32 %r20, %r10, %r11;", 'r', 0xffffffff, 1, 0, 1, 0},
    {"max.s64 %rd20, %rd10, %rd11;", 'd', M1, 1, 0, 1, 0},
    {"max.u64 %rd20, %rd10, %rd11;", 'd', M1, 1, 0, M1, 0},
    {"max.s16 %h20, %h10, %h11;", 'h', 0xffff, 1, 0, 1, 0},
    {"min.u16 %h20, %h10, %h11;", 'h', 0xffff, 1, 0, 1, 0},
    {"max.s16x2 %r20, %r10, %r11;", 'r', 0xffff0005, 0x00010003, 0, 0x00010005, 0},
    {"min.u16x2 %r20, %r10, %r11;", 'r', 0xffff0005, 0x00010003, 0, 0x00010003, 0},
    {"max.relu.s32 %r20, %r10, %r11;", 'r', M1, 0xfffffff0, 0, 0, 0},
    {"popc.b32 %r20, %r10;", 'r', 0xf0f0, 0, 0, 8, 0},
    {"popc.b64 %r20, %rd10;", 'r', M1, 0, 0, 64, 0},
    {"clz.b32 %r20, %r10;", 'r', 0, 0, 0, 32, 0},
    {"clz.b32 %r20, %r10;", 'r', 1, 0, 0, 31, 0},
    {"clz.b64 %r20, %rd10;", 'r', 1, 0, 0, 63, 0},
    {"bfind.u32 %r20, %r10;", 'r', 0x10, 0, 0, 4, 0},
    {"bfind.u32 %r20, %r10;", 'r', 0, 0, 0, 0xffffffff, 0},
    {"bfind.s32 %r20, %r10;", 'r', M1, 0, 0, 0xffffffff, 0},
    {"bfind.s32 %r20, %r10;", 'r', 0xfffffff0, 0, 0, 3, 0},
    {"bfind.shiftamt.u32 %r20, %r10;", 'r', 0x10, 0, 0, 27, 0},
    {"bfind.u64 %r20, %rd10;", 'r', 1ull << 40, 0, 0, 40, 0},
    {"brev.b32 %r20, %r10;", 'r', 1, 0, 0, MIN32, 0},
    {"brev.b64 %rd20, %rd10;", 'd', 3, 0, 0, 0xc000000000000000, 0},
    {"bfe.u32 %r20, %r10, %r11, %r12;", 'r', 0x12345678, 8, 8, 0x56, 0},
    {"bfe.s32 %r20, %r10, %r11, %r12;", 'r', 0x1234f678, 8, 8, 0xfffffff6, 0},
    {"bfe.u32 %r20, %r10, %r11, %r12;", 'r', M1, 28, 8, 0xf, 0},
    {"bfe.s32 %r20, %r10, %r11, %r12;", 'r', MIN32, 28, 8, 0xfffffff8, 0},
    {"bfe.s32 %r20, %r10, %r11, %r12;", 'r', MIN32, 40, 8, 0xffffffff, 0},
    {"bfe.u32 %r20, %r10, %r11, %r12;", 'r', M1, 40, 8, 0, 0},
    {"bfe.u32 %r20, %r10, %r11, %r12;", 'r', M1, 4, 0, 0, 0},
    {"bfe.u64 %rd20, %rd10, %r11, %r12;", 'd', 0x123456789abcdef0, 32, 16, 0x5678, 0},
    {"bfi.b32 %r20, %r10, %r11, %r12, %r13;", 'r', 0xab, 0x11111111, 8, 0x1111ab11, 8},
    {"bfi.b32 %r20, %r10, %r11, %r12, %r13;", 'r', 0xab, 0x11111111, 28, 0xb1111111, 8},
    {"bfi.b32 %r20, %r10, %r11, %r12, %r13;", 'r', 0xab, 0x11111111, 32, 0x11111111, 8},
    {"bfi.b64 %rd20, %rd10, %rd11, %r12, %r13;", 'd', M1, 0, 60, 0xf000000000000000, 8},
    {"fns.b32 %r20, %r10, %r11, %r12;", 'r', 0xaaaaaaaa, 3, 2, 5, 0},
    {"fns.b32 %r20, %r10, %r11, %r12;", 'r', 0xaaaaaaaa, 3, 0, 3, 0},
    {"fns.b32 %r20, %r10, %r11, %r12;", 'r', 0xaaaaaaaa, 3, 0xfffffffe, 1, 0},
    {"szext.clamp.s32 %r20, %r10, %r11;", 'r', 0xff, 8, 0, 0xffffffff, 0},
    {"szext.clamp.u32 %r20, %r10, %r11;", 'r', 0xfff, 8, 0, 0xff, 0},
    {"bmsk.clamp.b32 %r20, %r10, %r11;", 'r', 4, 8, 0, 0xff0, 0},
    {"bmsk.clamp.b32 %r20, %r10, %r11;", 'r', 40, 8, 0, 0, 0},
    {"bmsk.wrap.b32 %r20, %r10, %r11;", 'r', 36, 8, 0, 0xff0, 0},
    {"dp4a.u32.u32 %r20, %r10, %r11, %r12;", 'r', 0x01020304, 0x01010101, 5, 15, 0},
    {"dp4a.s32.s32 %r20, %r10, %r11, %r12;", 'r', 0xff020304, 0x01010101, 5, 13, 0},
    {"dp4a.u32.s32 %r20, %r10, %r11, %r12;", 'r', 0xff000000, 0xff000000, 0, 0xffffff01, 0},
    {"dp2a.lo.s32.s32 %r20, %r10, %r11, %r12;", 'r', 0xffff0002, 0x00000304, 1, 6, 0},
    {"dp2a.hi.u32.u32 %r20, %r10, %r11, %r12;", 'r', 0x00010002, 0x03040000, 1, 12, 0},
    {"and.b32 %r20, %r10, %r11;", 'r', 0xff00, 0x0ff0, 0, 0x0f00, 0},
    {"or.b64 %rd20, %rd10, %rd11;", 'd', 1, MIN64, 0, MIN64 | 1, 0},
    {"xor.b16 %h20, %h10, %h11;", 'h', 0xff00, 0x0ff0, 0, 0xf0f0, 0},
    {"not.b16 %h20, %h10;", 'h', 0x00ff, 0, 0, 0xff00, 0},
    {"not.b64 %rd20, %rd10;", 'd', 0, 0, 0, M1, 0},
    {"cnot.b32 %r20, %r10;", 'r', 0, 0, 0, 1, 0},
    {"cnot.b32 %r20, %r10;", 'r', 9, 0, 0, 0, 0},
    {"lop3.b32 %r20, %r10, %r11, %r12, 0x96;", 'r', 0xff00ff00, 0xf0f0f0f0, 0xcccccccc,
     0xff00ff00 ^ 0xf0f0f0f0 ^ 0xcccccccc, 0},
    {"lop3.b32 %r20, %r10, %r11, %r12, 0xE2;", 'r', 0xff00ff00, 0xf0f0f0f0, 0xcccccccc,
     (0xf0f0f0f0 & 0xff00ff00) | (~0xf0f0f0f0u & 0xcccccccc), 0},
    {"lop3.or.b32 %r21|%p20, %r10, %r11, %r12, 0x80, !%p10;", 'p', 1, 2, 4, 0, 0},
    {"lop3.and.b32 %r21|%p20, %r10, %r11, %r12, 0x80, %p10;", 'p', 7, 3, 1, 1, 0},
    {"shl.b32 %r20, %r10, %r11;", 'r', 1, 31, 0, MIN32, 0},
    {"shl.b32 %r20, %r10, %r11;", 'r', 1, 32, 0, 0, 0},
    {"shl.b32 %r20, %r10, %r11;", 'r', 1, M1, 0, 0, 0},
    {"shr.u32 %r20, %r10, %r11;", 'r', MIN32, 31, 0, 1, 0},
    {"shr.s32 %r20, %r10, %r11;", 'r', MIN32, 100, 0, 0xffffffff, 0},
    {"shr.s64 %rd20, %rd10, %r11;", 'd', MIN64, 63, 0, M1, 0},
    {"shr.s64 %rd20, %rd10, %r11;", 'd', MIN64, 64, 0, M1, 0},
    {"shl.b64 %rd20, %rd10, %r11;", 'd', 1, 64, 0, 0, 0},
    {"shr.u64 %rd20, %rd10, %r11;", 'd', MIN64, 63, 0, 1, 0},
    {"shl.b16 %h20, %h10, %r11;", 'h', 0x8001, 1, 0, 2, 0},
    {"shr.s16 %h20, %h10, %r11;", 'h', 0x8000, 20, 0, 0xffff, 0},
    {"shr.u16 %h20, %h10, %r11;", 'h', 0x8000, 15, 0, 1, 0},
    {"shf.l.wrap.b32 %r20, %r10, %r11, %r12;", 'r', 0x80000000, 1, 33, 3, 0},
    {"shf.l.clamp.b32 %r20, %r10, %r11, %r12;", 'r', 0x80000000, 1, 33, 0x80000000, 0},
    {"shf.r.wrap.b32 %r20, %r10, %r11, %r12;", 'r', 0x10, 0xf, 4, 0xf0000001, 0},
    {"shf.r.clamp.b32 %r20, %r10, %r11, %r12;", 'r', 0x10, 0xf, 40, 0xf, 0},
    {"prmt.b32 %r20, %r10, %r11, %r12;", 'r', 0x33221100, 0x77665544, 0x7531, 0x77553311, 0},
    {"prmt.b32 %r20, %r10, %r11, %r12;", 'r', 0x3322f100, 0, 0x0009, 0x000000ff, 0},
    {"prmt.b32.f4e %r20, %r10, %r11, %r12;", 'r', 0x33221100, 0x77665544, 1, 0x44332211, 0},
    {"prmt.b32.b4e %r20, %r10, %r11, %r12;", 'r', 0x33221100, 0x77665544, 1, 0x66770011, 0},
    {"prmt.b32.rc8 %r20, %r10, %r11, %r12;", 'r', 0x33221100, 0x77665544, 2, 0x22222222, 0},
    {"prmt.b32.ecl %r20, %r10, %r11, %r12;", 'r', 0x33221100, 0, 1, 0x33221111, 0},
    {"prmt.b32.ecr %r20, %r10, %r11, %r12;", 'r', 0x33221100, 0, 1, 0x11111100, 0},
    {"prmt.b32.rc16 %r20, %r10, %r11, %r12;", 'r', 0x33221100, 0, 1, 0x33223322, 0},
    {"setp.lt.s32 %p20, %r10, %r11;", 'p', M1, 0, 0, 1, 0},
    {"setp.lt.u32 %p20, %r10, %r11;", 'p', M1, 0, 0, 0, 0},
    {"setp.lo.u32 %p20, %r10, %r11;", 'p', 0, M1, 0, 1, 0},
    {"setp.hs.u32 %p20, %r10, %r11;", 'p', 5, 5, 0, 1, 0},
    {"setp.ge.s64 %p20, %rd10, %rd11;", 'p', MIN64, 0, 0, 0, 0},
    {"setp.gt.u64 %p20, %rd10, %rd11;", 'p', MIN64, 0, 0, 1, 0},
    {"setp.eq.b64 %p20, %rd10, %rd11;", 'p', 1ull << 40, 0, 0, 0, 0},
    {"setp.lt.s16 %p20, %h10, %h11;", 'p', 0xffff, 0, 0, 1, 0},
    {"setp.gt.u16 %p20, %h10, %h11;", 'p', 0xffff, 0, 0, 1, 0},
    {"setp.eq.and.s32 %p20, %r10, %r11, %p12;", 'p', 5, 5, 0, 0, 0},
    {"setp.eq.or.s32 %p20, %r10, %r11, !%p12;", 'p', 5, 6, 0, 1, 0},
    {"setp.eq.xor.s32 %p20, %r10, %r11, %p12;", 'p', 5, 5, 1, 0, 0},
    {"setp.eq.s32 %p21|%p20, %r10, %r11;", 'p', 5, 6, 0, 1, 0},
    {"setp.eq.and.s32 %p21|%p20, %r10, %r11, %p12;", 'p', 5, 6, 0, 0, 0},
    {"set.lt.u32.s32 %r20, %r10, %r11;", 'r', M1, 0, 0, 0xffffffff, 0},
    {"set.lt.f32.s32 %f20, %r10, %r11;", 'f', M1, 0, 0, 0x3f800000, 0},
    {"set.eq.and.s32.u32 %r20, %r10, %r11, %p12;", 'r', 4, 4, 0, 0, 0},
    {"selp.b32 %r20, %r10, %r11, %p12;", 'r', 4, 5, 0, 5, 0},
    {"selp.b64 %rd20, %rd10, %rd11, %p12;", 'd', 4, 5, 1, 4, 0},
    {"selp.b16 %h20, %h10, %h11, %p12;", 'h', 4, 5, 1, 4, 0},
    {"slct.u32.s32 %r20, %r10, %r11, %r12;", 'r', 4, 5, M1, 5, 0},
    {"slct.u64.f32 %rd20, %rd10, %rd11, %f12;", 'd', 4, 5, 0x80000000, 4, 0},
    {"slct.u32.f32 %r20, %r10, %r11, %f12;", 'r', 4, 5, 0x7fc00000, 5, 0},
    {"and.pred %p20, %p10, %p11;", 'p', 1, 0, 0, 0, 0},
    {"or.pred %p20, %p10, %p11;", 'p', 1, 0, 0, 1, 0},
    {"xor.pred %p20, %p10, %p11;", 'p', 1, 1, 0, 0, 0},
    {"not.pred %p20, %p10;", 'p', 1, 0, 0, 0, 0},
    {"mov.pred %p20, %p10;", 'p', 1, 0, 0, 1, 0},
    {"mov.b32 %r20, {%h10, %h11};", 'r', 0x1234, 0xabcd, 0, 0xabcd1234, 0},
    {"mov.b64 %rd20, {%r10, %r11};", 'd', 1, 2, 0, 0x200000001, 0},
    {"mov.b64 {%r21, %r20}, %rd10;", 'r', 0x300000004, 0, 0, 3, 0},
    {"mov.b32 {%h20, _}, %r10;", 'h', 0x11112222, 0, 0, 0x2222, 0},
    {"mov.b64 %rd20, {%h10, %h11, %h12, %h13};", 'd', 1, 2, 3, 0x0004000300020001, 4},
    {".reg .v2 .b32 %v<2>; mov.b64 %v0, %rd10; mov.b32 %r20, %v0.y;", 'r', 0x700000000, 0, 0, 7, 0},
    {".reg .v2 .b32 %v<2>; mov.v2.b32 %v1, {%r10, %r11}; mov.b64 %rd20, %v1;", 'd', 1, 2, 0, 0x200000001, 0},
    {".reg .v4 .u32 %v<2>; mov.v4.u32 %v1, %ntid; mov.u32 %r20, %v1.y;", 'r', 0, 0, 0, 1, 0},
    {".reg .v2 .b32 %v<2>; mov.v2.b32 %v0, {%r10, %r11}; mov.v2.b32 {%r11, %r20}, %v0;", 'r', 5, 6, 0, 6, 0},
    {"mov.u16 %h20, %ntid.x;", 'h', 0, 0, 0, 1, 0},
    {"cvt.s32.s8 %r20, %r10;", 'r', 0x80, 0, 0, 0xffffff80, 0},
    {"cvt.u32.u8 %r20, %r10;", 'r', 0x1ff, 0, 0, 0xff, 0},
    {"cvt.s8.s32 %r20, %r10;", 'r', 0x1ff, 0, 0, 0xffffffff, 0},
    {"cvt.sat.s8.s32 %r20, %r10;", 'r', 1000, 0, 0, 127, 0},
    {"cvt.sat.s8.s32 %r20, %r10;", 'r', 0xffffff00, 0, 0, 0xffffff80, 0},
    {"cvt.sat.u8.s32 %r20, %r10;", 'r', M1, 0, 0, 0, 0},
    {"cvt.sat.u16.u32 %h20, %r10;", 'h', 0x12345, 0, 0, 0xffff, 0},
    {"cvt.sat.s32.u32 %r20, %r10;", 'r', MIN32, 0, 0, 0x7fffffff, 0},
    {"cvt.sat.u32.s64 %r20, %rd10;", 'r', M1, 0, 0, 0, 0},
    {"cvt.s64.s32 %rd20, %r10;", 'd', M1, 0, 0, M1, 0},
    {"cvt.u64.u32 %rd20, %r10;", 'd', M1, 0, 0, 0xffffffff, 0},
    {"cvt.s64.s16 %rd20, %h10;", 'd', 0x8000, 0, 0, 0xffffffffffff8000, 0},
    {"cvt.u16.u64 %h20, %rd10;", 'h', 0x12345678, 0, 0, 0x5678, 0},
    {"cvt.rzi.s32.f32 %r20, %f10;", 'r', 0xbfc00000, 0, 0, 0xffffffff, 0},
    {"cvt.rni.s32.f32 %r20, %f10;", 'r', 0x40200000, 0, 0, 2, 0},
    {"cvt.rmi.s32.f32 %r20, %f10;", 'r', 0xbfc00000, 0, 0, 0xfffffffe, 0},
    {"cvt.rpi.s32.f32 %r20, %f10;", 'r', 0x3fc00000, 0, 0, 2, 0},
    {"cvt.rzi.s32.f32 %r20, %f10;", 'r', 0x7fc00000, 0, 0, 0, 0},
    {"cvt.rzi.s32.f32 %r20, %f10;", 'r', 0x4f000000, 0, 0, 0x7fffffff, 0},
    {"cvt.rzi.s32.f32 %r20, %f10;", 'r', 0xff800000, 0, 0, MIN32, 0},
    {"cvt.rzi.u32.f32 %r20, %f10;", 'r', 0xbf800000, 0, 0, 0, 0},
    {"cvt.rzi.u32.f32 %r20, %f10;", 'r', 0x4f800000, 0, 0, 0xffffffff, 0},
    {"cvt.rzi.u64.f64 %rd20, %d10;", 'd', 0x43f0000000000000, 0, 0, M1, 0},
    {"cvt.rzi.s64.f64 %rd20, %d10;", 'd', 0xc3e0000000000000, 0, 0, MIN64, 0},
    {"cvt.rzi.s8.f32 %r20, %f10;", 'r', 0x43800000, 0, 0, 127, 0},
    {"cvt.rn.f32.s32 %f20, %r10;", 'f', 0x1000001, 0, 0, 0x4b800000, 0},
    {"cvt.rp.f32.s32 %f20, %r10;", 'f', 0x1000001, 0, 0, 0x4b800001, 0},
    {"cvt.rz.f32.u64 %f20, %rd10;", 'f', M1, 0, 0, 0x5f7fffff, 0},
    {"cvt.rn.f32.u64 %f20, %rd10;", 'f', M1, 0, 0, 0x5f800000, 0},
    {"cvt.rn.f32.u32 %f20, %r10;", 'f', M1, 0, 0, 0x4f800000, 0},
    {"cvt.rn.f32.u8 %f20, %r10;", 'f', 0xff, 0, 0, 0x437f0000, 0},
    {"cvt.rn.f64.s64 %d20, %rd10;", 'e', M1, 0, 0, 0xbff0000000000000, 0},
    {"cvt.rn.f64.u64 %d20, %rd10;", 'e', M1, 0, 0, 0x43f0000000000000, 0},
    {"cvt.rn.f16.s64 %h20, %rd10;", 'h', 2049, 0, 0, 0x6800, 0},
    {"cvt.rn.f32.f64 %f20, %d10;", 'f', 0x3ff0000010000000, 0, 0, 0x3f800000, 0},
    {"cvt.rp.f32.f64 %f20, %d10;", 'f', 0x3ff0000000000001, 0, 0, 0x3f800001, 0},
    {"cvt.rz.f32.f64 %f20, %d10;", 'f', 0x47f0000000000000, 0, 0, 0x7f7fffff, 0},
    {"cvt.f64.f32 %d20, %f10;", 'e', 0x00000001, 0, 0, 0x36a0000000000000, 0},
    {"cvt.ftz.f64.f32 %d20, %f10;", 'e', 0x80000001, 0, 0, MIN64, 0},
    {"cvt.rni.f32.f32 %f20, %f10;", 'f', 0x40200000, 0, 0, 0x40000000, 0},
    {"cvt.sat.f32.f32 %f20, %f10;", 'f', 0x7fc00000, 0, 0, 0, 0},
    {"cvt.rzi.f64.f64 %d20, %d10;", 'e', 0xbfe0000000000000, 0, 0, MIN64, 0},
    {"cvt.rn.f16.f32 %h20, %f10;", 'h', 0x3f800000, 0, 0, 0x3c00, 0},
    {"cvt.rn.f16.f32 %h20, %f10;", 'h', 0x477ff000, 0, 0, 0x7c00, 0},
    {"cvt.rz.f16.f32 %h20, %f10;", 'h', 0x477ff000, 0, 0, 0x7bff, 0},
    {"cvt.rn.f16.f32 %h20, %f10;", 'h', 0x33000000, 0, 0, 0, 0},
    {"cvt.rn.f16.f32 %h20, %f10;", 'h', 0x33000001, 0, 0, 1, 0},
    {"cvt.rn.f16.f32 %h20, %f10;", 'h', 0x3f801000, 0, 0, 0x3c00, 0},
    {"cvt.rn.f16.f32 %h20, %f10;", 'h', 0x3f803000, 0, 0, 0x3c02, 0},
    {"cvt.rn.f16.f32 %h20, %f10;", 'h', 0xffc00000, 0, 0, 0x7fff, 0},
    {"cvt.f32.f16 %f20, %h10;", 'f', 0x0001, 0, 0, 0x33800000, 0},
    {"cvt.f32.f16 %f20, %h10;", 'f', 0xfc00, 0, 0, 0xff800000, 0},
    {"cvt.rn.bf16.f32 %h20, %f10;", 'h', 0x3f808000, 0, 0, 0x3f80, 0},
    {"cvt.rn.bf16.f32 %h20, %f10;", 'h', 0x3f818000, 0, 0, 0x3f82, 0},
    {"cvt.f32.bf16 %f20, %h10;", 'f', 0x3f80, 0, 0, 0x3f800000, 0},
    {"cvt.rn.f16x2.f32 %r20, %f10, %f11;", 'r', 0x3f800000, 0x40000000, 0, 0x3c004000, 0},
    {"cvt.rn.relu.f16x2.f32 %r20, %f10, %f11;", 'r', 0xbf800000, 0x40000000, 0, 0x00004000, 0},
    {"cvt.rn.bf16x2.f32 %r20, %f10, %f11;", 'r', 0x3f800000, 0x40000000, 0, 0x3f804000, 0},
    {"cvt.rna.tf32.f32 %r20, %f10;", 'r', 0x3f801000, 0, 0, 0x3f802000, 0},
    {"cvt.rn.tf32.f32 %r20, %f10;", 'r', 0x3f801000, 0, 0, 0x3f800000, 0},
    {"cvt.rn.satfinite.e4m3x2.f32 %h20, %f10, %f11;", 'h', 0x3f800000, 0x44000000, 0, 0x387e, 0},
    {"cvt.rn.satfinite.e5m2x2.f32 %h20, %f10, %f11;", 'h', 0x3f800000, 0xc7c00000, 0, 0x3cfb, 0},
    {"cvt.rn.f16x2.e4m3x2 %r20, %h10;", 'r', 0x387e, 0, 0, 0x3c005f00, 0},
    {"cvt.rn.f16x2.e5m2x2 %r20, %h10;", 'r', 0x3cbc, 0, 0, 0x3c00bc00, 0},
    {"cvt.pack.sat.s8.s32.b32 %r20, %r10, %r11, %r12;", 'r', 300, 0xffffff00, 0xaabb, 0xaabb7f80, 0},
    {"cvt.pack.sat.u16.s32 %r20, %r10, %r11;", 'r', 70000, M1, 0, 0xffff0000, 0},
};

static const struct row floats[] = {
    {"add.f32 %f20, %f10, %f11;", 'f', 0x7f800000, 0xff800000, 0, 0x7fffffff, 0},
    {"add.f32 %f20, %f10, %f11;", 'f', 0x00000001, 0x00000001, 0, 2, 0},
    {"add.ftz.f32 %f20, %f10, %f11;", 'f', 0x80000001, 0x80000001, 0, 0x80000000, 0},
    {"add.ftz.f32 %f20, %f10, %f11;", 'f', 0x00800000, 0x80800001, 0, 0x80000000, 0},
    {"add.sat.f32 %f20, %f10, %f11;", 'f', 0x3f800000, 0x3f800000, 0, 0x3f800000, 0},
    {"add.sat.f32 %f20, %f10, %f11;", 'f', 0x7f800000, 0xff800000, 0, 0, 0},
    {"add.rz.f32 %f20, %f10, %f11;", 'f', 0x3f800000, 0x33ffffff, 0, 0x3f800000, 0},
    {"add.rp.f32 %f20, %f10, %f11;", 'f', 0x3f800000, 0x00000001, 0, 0x3f800001, 0},
    {"add.rm.f32 %f20, %f10, %f11;", 'f', 0x3f800000, 0x80000001, 0, 0x3f7fffff, 0},
    {"add.rn.f32 %f20, %f10, %f11;", 'f', 0x3f800000, 0x33800000, 0, 0x3f800000, 0},
    {"sub.f32 %f20, %f10, %f11;", 'f', 0x7fc01234, 0, 0, 0x7fffffff, 0},
    {"mul.f32 %f20, %f10, %f11;", 'f', 0x7f800000, 0, 0, 0x7fffffff, 0},
    {"mul.rz.f32 %f20, %f10, %f11;", 'f', 0x3f800001, 0x3f800001, 0, 0x3f800002, 0},
    {"mul.rp.f32 %f20, %f10, %f11;", 'f', 0x3f800001, 0x3f800001, 0, 0x3f800003, 0},
    {"fma.rn.f32 %f20, %f10, %f11, %f12;", 'f', 0x3f800001, 0x3f800001, 0xbf800002, 0x28800000, 0},
    {"fma.rz.f32 %f20, %f10, %f11, %f12;", 'f', 0x3f800001, 0x3f800000, 0x33000000, 0x3f800001, 0},
    {"fma.rp.f32 %f20, %f10, %f11, %f12;", 'f', 0x3f800001, 0x3f800000, 0x33000000, 0x3f800002, 0},
    {"fma.rn.ftz.f32 %f20, %f10, %f11, %f12;", 'f', 0x20000000, 0x1f000000, 0, 0, 0},
    {"mad.rn.f32 %f20, %f10, %f11, %f12;", 'f', 0x40000000, 0x40400000, 0x3f800000, 0x40e00000, 0},
    {"min.f32 %f20, %f10, %f11;", 'f', 0x7fc00000, 0x3f800000, 0, 0x3f800000, 0},
    {"min.f32 %f20, %f10, %f11;", 'f', 0, 0x80000000, 0, 0x80000000, 0},
    {"max.f32 %f20, %f10, %f11;", 'f', 0x80000000, 0, 0, 0, 0},
    {"max.NaN.f32 %f20, %f10, %f11;", 'f', 0x7fc00000, 0x3f800000, 0, 0x7fffffff, 0},
    {"max.f32 %f20, %f10, %f11;", 'f', 0x7fc00000, 0x7fc00000, 0, 0x7fffffff, 0},
    {"min.xorsign.abs.f32 %f20, %f10, %f11;", 'f', 0xc0000000, 0x3f800000, 0, 0xbf800000, 0},
    {"min.f32 %f20, %f10, %f11, %f12;", 'f', 0x40000000, 0x3f800000, 0x3f000000, 0x3f000000, 0},
    {"abs.f32 %f20, %f10;", 'f', 0xbf800000, 0, 0, 0x3f800000, 0},
    {"neg.f32 %f20, %f10;", 'f', 0, 0, 0, 0x80000000, 0},
    {"neg.ftz.f32 %f20, %f10;", 'f', 1, 0, 0, 0x80000000, 0},
    {"div.rn.f32 %f20, %f10, %f11;", 'f', 0x3f800000, 0x40400000, 0, 0x3eaaaaab, 0},
    {"div.rz.f32 %f20, %f10, %f11;", 'f', 0x3f800000, 0x40400000, 0, 0x3eaaaaaa, 0},
    {"div.rn.f32 %f20, %f10, %f11;", 'f', 0x3f800000, 0, 0, 0x7f800000, 0},
    {"rcp.rn.f32 %f20, %f10;", 'f', 0x40400000, 0, 0, 0x3eaaaaab, 0},
    {"sqrt.rn.f32 %f20, %f10;", 'f', 0x40000000, 0, 0, 0x3fb504f3, 0},
    {"sqrt.rp.f32 %f20, %f10;", 'f', 0x40000000, 0, 0, 0x3fb504f4, 0},
    {"sqrt.rn.f32 %f20, %f10;", 'f', 0xbf800000, 0, 0, 0x7fffffff, 0},
    {"rsqrt.approx.f32 %f20, %f10;", 'f', 0x40800000, 0, 0, 0x3f000000, 0},
    {"ex2.approx.f32 %f20, %f10;", 'f', 0x40400000, 0, 0, 0x41000000, 0},
    {"lg2.approx.f32 %f20, %f10;", 'f', 0x41000000, 0, 0, 0x40400000, 0},
    {"lg2.approx.f32 %f20, %f10;", 'f', 0, 0, 0, 0xff800000, 0},
    {"sin.approx.f32 %f20, %f10;", 'f', 0x80000000, 0, 0, 0x80000000, 0},
    {"cos.approx.f32 %f20, %f10;", 'f', 0, 0, 0, 0x3f800000, 0},
    {"sin.approx.f32 %f20, %f10;", 'f', 0x48903300, 0, 0, 0xbf3daef9,
     0}, // 295320, as an H200 has it: the sine is -0.762
    {"div.approx.f32 %f20, %f10, %f11;", 'f', 0x422fcb30, 0x3ff2e30a, 0, 0x41b948d8, 0}, // nor is that the nearest
    {"div.full.f32 %f20, %f10, %f11;", 'f', 0x422fcb30, 0x3ff2e30a, 0, 0x41b948d8, 0},
    {"tanh.approx.f32 %f20, %f10;", 'f', 0x7f800000, 0, 0, 0x3f800000, 0},
    {"copysign.f32 %f20, %f10, %f11;", 'f', 0x80000000, 0x40000000, 0, 0xc0000000, 0},
    {"copysign.f64 %d20, %d10, %d11;", 'e', MIN64, 0x4000000000000000, 0, 0xc000000000000000, 0},
    {"testp.subnormal.f32 %p20, %f10;", 'p', 1, 0, 0, 1, 0},
    {"testp.normal.f32 %p20, %f10;", 'p', 1, 0, 0, 0, 0},
    {"testp.infinite.f64 %p20, %d10;", 'p', 0x7ff0000000000000, 0, 0, 1, 0},
    {"testp.notanumber.f32 %p20, %f10;", 'p', 0x7fc00000, 0, 0, 1, 0},
    {"testp.finite.f32 %p20, %f10;", 'p', 0x7f800000, 0, 0, 0, 0},
    {"testp.number.f64 %p20, %d10;", 'p', 0x7ff8000000000000, 0, 0, 0, 0},
    {"add.f64 %d20, %d10, %d11;", 'e', 0x3ff0000000000000, 0x3ff0000000000000, 0, 0x4000000000000000, 0},
    {"add.rp.f64 %d20, %d10, %d11;", 'e', 0x3ff0000000000000, 1, 0, 0x3ff0000000000001, 0},
    {"mul.rz.f64 %d20, %d10, %d11;", 'e', 0x3ff0000000000001, 0x3ff0000000000001, 0, 0x3ff0000000000002, 0},
    {"fma.rn.f64 %d20, %d10, %d11, %d12;", 'e', 0x4000000000000000, 0x4008000000000000, 0x3ff0000000000000,
     0x401c000000000000, 0},
    {"div.rn.f64 %d20, %d10, %d11;", 'e', 0x3ff0000000000000, 0x4008000000000000, 0, 0x3fd5555555555555, 0},
    {"div.rp.f64 %d20, %d10, %d11;", 'e', 0x3ff0000000000000, 0x4008000000000000, 0, 0x3fd5555555555556, 0},
    {"rcp.rn.f64 %d20, %d10;", 'e', 0x4000000000000000, 0, 0, 0x3fe0000000000000, 0},
    {"rcp.approx.ftz.f64 %d20, %d10;", 'e', 0x4008000000000000, 0, 0, 0x3fd5555500000000, 0},
    {"sqrt.rn.f64 %d20, %d10;", 'e', 0x4010000000000000, 0, 0, 0x4000000000000000, 0},
    {"min.f64 %d20, %d10, %d11;", 'e', 0x7ff8000000000000, 0x3ff0000000000000, 0, 0x3ff0000000000000, 0},
    {"max.f64 %d20, %d10, %d11;", 'e', MIN64, 0, 0, 0, 0},
    {"abs.f64 %d20, %d10;", 'e', MIN64, 0, 0, 0, 0},
    {"neg.f64 %d20, %d10;", 'e', 0, 0, 0, MIN64, 0},
    {"add.f32x2 %rd20, %rd10, %rd11;", 'd', 0x3f80000040000000, 0x3f8000003f800000, 0, 0x4000000040400000, 0},
    {"add.f16 %h20, %h10, %h11;", 'h', 0x3c00, 0x3c00, 0, 0x4000, 0},
    {"add.f16 %h20, %h10, %h11;", 'h', 0x7c00, 0xfc00, 0, 0x7fff, 0},
    {"add.sat.f16 %h20, %h10, %h11;", 'h', 0x3c00, 0x3c00, 0, 0x3c00, 0},
    {"add.ftz.f16 %h20, %h10, %h11;", 'h', 0x0001, 0x0001, 0, 0, 0},
    {"sub.f16x2 %r20, %r10, %r11;", 'r', 0x40003c00, 0x3c003c00, 0, 0x3c000000, 0},
    {"mul.f16x2 %r20, %r10, %r11;", 'r', 0x40003c00, 0x40004000, 0, 0x44004000, 0},
    {"fma.rn.f16 %h20, %h10, %h11, %h12;", 'h', 0x3c01, 0x3c01, 0xbc02, 0x0010, 0},
    {"fma.rn.relu.f16x2 %r20, %r10, %r11, %r12;", 'r', 0xbc003c00, 0x3c003c00, 0, 0x00003c00, 0},
    {"fma.rn.bf16 %h20, %h10, %h11, %h12;", 'h', 0x3f80, 0x4000, 0x3f80, 0x4040, 0},
    // 257 is half way between two bf16 numbers; the addend, far below, decides the rounding
    {"fma.rn.bf16 %h20, %h10, %h11, %h12;", 'h', 0x4380, 0x3f80, 0x3f80, 0x4380, 0},
    {"fma.rn.bf16 %h20, %h10, %h11, %h12;", 'h', 0x3f81, 0x3f81, 0x0080, 0x3f82, 0},
    {"min.f16 %h20, %h10, %h11;", 'h', 0x7e00, 0x3c00, 0, 0x3c00, 0},
    {"max.NaN.f16x2 %r20, %r10, %r11;", 'r', 0x7e003c00, 0x3c004000, 0, 0x7fff4000, 0},
    {"max.bf16x2 %r20, %r10, %r11;", 'r', 0x3f804000, 0x40003f80, 0, 0x40004000, 0},
    {"neg.f16x2 %r20, %r10;", 'r', 0x3c00bc00, 0, 0, 0xbc003c00, 0},
    {"abs.bf16 %h20, %h10;", 'h', 0xbf80, 0, 0, 0x3f80, 0},
    {"ex2.approx.f16 %h20, %h10;", 'h', 0x4200, 0, 0, 0x4800, 0},
    {"tanh.approx.f16x2 %r20, %r10;", 'r', 0x00007c00, 0, 0, 0x00003c00, 0},
    {"setp.lt.f32 %p20, %f10, %f11;", 'p', 0x7fc00000, 0, 0, 0, 0},
    {"setp.ltu.f32 %p20, %f10, %f11;", 'p', 0x7fc00000, 0, 0, 1, 0},
    {"setp.ne.f32 %p20, %f10, %f11;", 'p', 0x7fc00000, 0, 0, 0, 0},
    {"setp.neu.f32 %p20, %f10, %f11;", 'p', 0x7fc00000, 0, 0, 1, 0},
    {"setp.eq.f32 %p20, %f10, %f11;", 'p', 0x80000000, 0, 0, 1, 0},
    {"setp.equ.f64 %p20, %d10, %d11;", 'p', 0x7ff8000000000000, 0, 0, 1, 0},
    {"setp.num.f32 %p20, %f10, %f11;", 'p', 0, 0x7fc00000, 0, 0, 0},
    {"setp.nan.f64 %p20, %d10, %d11;", 'p', 0, 0x7ff8000000000000, 0, 1, 0},
    {"setp.gt.ftz.f32 %p20, %f10, %f11;", 'p', 1, 0, 0, 0, 0},
    {"setp.gt.f32 %p20, %f10, %f11;", 'p', 1, 0, 0, 1, 0},
    {"setp.lt.f16 %p20, %h10, %h11;", 'p', 0xbc00, 0x3c00, 0, 1, 0},
    {"setp.eq.f16x2 %p21|%p20, %r10, %r11;", 'p', 0x3c004000, 0x3c000000, 0, 1, 0},
    {"set.lt.f16x2.f16x2 %r20, %r10, %r11;", 'r', 0x3c004000, 0x40003c00, 0, 0x3c000000, 0},
    {"set.gtu.u32.f32 %r20, %f10, %f11;", 'r', 0x7fc00000, 0, 0, 0xffffffff, 0},
};

static void check_rows(const struct row *rows, size_t count)
{
    struct text wrong = {0};
    for (size_t i = 0; i < count; i++) {
        uint64_t in[4] = {rows[i].a, rows[i].b, rows[i].c, rows[i].d}, out = 0;
        char why[512];
        enum status status = run_row(rows[i].inst, rows[i].result, in, &out, why, sizeof why);
        if (status != STATUS_OK)
            text_printf(&wrong, "\n%s: %s", rows[i].inst, why);
        else if (out != rows[i].want)
            text_printf(&wrong, "\n%s a=%#llx b=%#llx c=%#llx: %#llx, not %#llx", rows[i].inst,
                        (unsigned long long)rows[i].a, (unsigned long long)rows[i].b, (unsigned long long)rows[i].c,
                        (unsigned long long)out, (unsigned long long)rows[i].want);
    }
    ck_assert_msg(!wrong.length, "%s", text_get(&wrong));
    text_free(&wrong);
}

START_TEST(integer_instructions_give_what_ptx_says)
{
    check_rows(integers, sizeof integers / sizeof *integers);
}
END_TEST

START_TEST(float_instructions_give_what_ptx_says)
{
    check_rows(floats, sizeof floats / sizeof *floats);
}
END_TEST

static const struct {
    const char *inst, *message;
} refusals[] = {
    {"multimem.st.global.u32 [%rd1], %r10;", "executes multimem.st.u32: needs a GPU"},
    {"frob.s32.x4 {%r20, %q}, [%rd1, {3, 4}];", "executes `frob.s32.x4`, which the simulator does not know"},
    {"add.wobbly.s32 %r20, %r20, %r20;", "executes `add.wobbly.s32`, which"},
    {"vadd.u32.u32 %r20, %r10, %r11;", "it has 2 types, not 3"},
    {"vadd.u32.u32.u32.sat %r20, %r10, %r11;", "other numbers on hardware than PTX says"},
    {"vadd.u32.u32.u32 %r20.b0, %r10, %r11;", "it needs a fourth operand"},
    {"vadd.u32.u32.u32 %r20, %r10.b3, %r11.b0;", "other numbers on hardware than PTX says"},
    {"vmax.s32.s32.s32 %r20.h1, %r10, %r11, %r12;", "other numbers on hardware than PTX says"},
    {"add.s32 %rd20, %r10, %r11;", "register, and .s32 is wanted here"},
    {"cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r10], [%rd10, {%r11, %r11, "
     "%r11}], [%r12], {%h1};",
     "the simulator does not have this form; run it on a GPU"},
};

START_TEST(what_the_machine_cannot_run_is_named)
{
    uint64_t in[4] = {0}, out;
    char why[512];
    enum status status = run_row(refusals[_i].inst, 'r', in, &out, why, sizeof why);
    ck_assert_msg(status == STATUS_UNSUPPORTED, "%s: %s", status_name(status), why);
    ck_assert_msg(strstr(why, refusals[_i].message) != NULL, "%s", why);
    ck_assert_ptr_nonnull(strstr(why, "PTX line"));
}
END_TEST

START_TEST(what_is_not_executed_may_be_unknown)
{
    uint64_t in[4] = {7}, out = 0;
    char why[512];
    enum status status = run_row("@%p11 bra OTHER; mov.u32 %r20, %r10; bra END;\n"
                                 "OTHER: frob.s32 %r20, %r10; multimem.st.global.u32 [%rd1], %r10;\nEND:",
                                 'r', in, &out, why, sizeof why);
    ck_assert_msg(status == STATUS_OK, "%s", why);
    ck_assert_uint_eq(out, 7);
}
END_TEST

Suite *suite_opcodes(void)
{
    Suite *suite = suite_create("opcodes");
    TCase *tests = tcase_create("opcodes");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, integer_instructions_give_what_ptx_says);
    tcase_add_test(tests, float_instructions_give_what_ptx_says);
    tcase_add_test(tests, what_is_not_executed_may_be_unknown);
    tcase_add_loop_test(tests, what_the_machine_cannot_run_is_named, 0, sizeof refusals / sizeof *refusals);
    suite_add_tcase(suite, tests);
    return suite;
}
