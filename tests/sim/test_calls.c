// Functions, recursion, pointers to them, the stack, tables of labels, and what the machine brings itself.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "../support/kernel.h"

Suite *suite_calls(void);

static void expect(struct kernel *kernel, enum status status)
{
    enum status got = kernel_run(kernel);
    ck_assert_msg(got == status, "%s: %s", status_name(got), kernel->diagnostic.message);
}

static const char functions[] =
    ".func (.param .b32 result) fib(.param .b32 n)\n{\n"
    ".reg .pred %p<4>; .reg .b32 %r<12>;\n"
    "ld.param.u32 %r1, [n]; setp.lt.u32 %p1, %r1, 2; @%p1 bra SMALL;\n"
    "sub.u32 %r2, %r1, 1; sub.u32 %r3, %r1, 2;\n"
    "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r2; call.uni (b), fib, (a); ld.param.b32 %r4, [b]; }\n"
    "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r3; call.uni (b), fib, (a); ld.param.b32 %r5, [b]; }\n"
    "add.u32 %r1, %r4, %r5;\n"
    "SMALL: st.param.b32 [result], %r1; ret;\n}\n"
    ".func (.param .b32 result) triple(.param .b32 n)\n{\n.reg .b32 %r<4>;\n"
    "ld.param.u32 %r1, [n]; mul.lo.u32 %r2, %r1, 3; st.param.b32 [result], %r2; ret;\n}\n"
    ".func (.param .b32 result) negate(.param .b32 n)\n{\n.reg .b32 %r<4>;\n"
    "ld.param.u32 %r1, [n]; neg.s32 %r2, %r1; st.param.b32 [result], %r2; ret;\n}\n"
    ".func (.param .b32 result) deeper(.param .b32 n)\n{\n.reg .b32 %r<4>; .local .align 4 .b8 room[256];\n"
    "ld.param.u32 %r1, [n]; add.u32 %r1, %r1, 1;\n"
    "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), deeper, (a); ld.param.b32 %r2, [b]; }\n"
    "st.param.b32 [result], %r2; ret;\n}\n"
    // returns early from inside a branch: lanes come back at different times
    ".func (.param .b32 result) early(.param .b32 n)\n{\n.reg .pred %p<4>; .reg .b32 %r<8>;\n"
    "ld.param.u32 %r1, [n]; mov.u32 %r2, 0;\n"
    "L: add.u32 %r2, %r2, 1; setp.gt.u32 %p1, %r2, %r1; @%p1 bra OUT; setp.lt.u32 %p2, %r2, 20; @%p2 bra L;\n"
    "mov.u32 %r3, 500; st.param.b32 [result], %r3; ret;\n"
    "OUT: st.param.b32 [result], %r2; ret;\n}\n"
    ".func (.param .b32 result) wide(.param .b32 n)\n{\n.reg .b32 %r<4>; .local .align 4 .b8 room[90000];\n"
    "ld.param.u32 %r1, [n]; st.local.u32 [room+89996], %r1; ld.local.u32 %r2, [room+89996];\n"
    "st.param.b32 [result], %r2; ret;\n}\n"
    ".func (.param .b32 result) wider(.param .b32 n)\n{\n.reg .b32 %r<4>; .local .align 4 .b8 room[90000];\n"
    "ld.param.u32 %r1, [n]; st.local.u32 [room], %r1;\n"
    "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), wide, (a); ld.param.b32 %r2, [b]; }\n"
    "st.param.b32 [result], %r2; ret;\n}\n"
    // a struct by value, and its address
    ".func (.param .align 8 .b8 result[16]) swap(.param .align 8 .b8 pair[16])\n{\n.reg .b64 %rd<8>;\n"
    "ld.param.u64 %rd1, [pair]; mov.u64 %rd3, pair; ld.param.u64 %rd2, [%rd3+8];\n"
    "st.param.v2.b64 [result], {%rd2, %rd1}; ret;\n}\n"
    // registers as parameters, several results, a guarded return and the one that is not written
    ".func (.reg .b32 x, .reg .b64 y) both(.reg .u32 a, .reg .u32 b)\n{\n.reg .pred %p;\n"
    "mov.b32 x, 7; mov.b64 y, 7; setp.lt.u32 %p, a, b; @%p ret; mul.lo.u32 x, a, b; cvt.u64.u32 y, x;\n}\n"
    ".global .align 8 .u64 table[2] = {triple, negate};\n"
    ".const .align 4 .u32 primes[4] = {2, 3, 5, 7};\n"
    ".global .align 8 .u64 where = generic(primes);\n";

#define CALL(name, argument)                                                                                           \
    "{ .param .b32 a; .param .b32 b; st.param.b32 [a], " argument "; call.uni (b), " name ", (a); "                    \
    "ld.param.b32 %r10, [b]; }\n"

static uint32_t fib(uint32_t n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
static uint32_t want_fib(uint32_t l)
{
    return fib(l % 10);
}
static uint32_t want_own(uint32_t l)
{
    return l;
}
static uint32_t want_table(uint32_t l)
{
    return l % 2 ? 0u - l : 3 * l;
}
static uint32_t want_early(uint32_t l)
{
    return l < 20 ? l + 1 : 500;
}
static uint32_t want_half(uint32_t l)
{
    return l < 16 ? 3 * l : 77;
}
static uint32_t want_swap(uint32_t l)
{
    return 1000 + l;
}
static uint32_t want_local(uint32_t l)
{
    return l * l + 5;
}
static uint32_t want_prime(uint32_t l)
{
    static const uint32_t primes[4] = {2, 3, 5, 7};
    return primes[l % 4];
}
static uint32_t want_switch(uint32_t l)
{
    static const uint32_t values[4] = {11, 22, 33, 11};
    return values[l % 4];
}
static uint32_t want_both(uint32_t l)
{
    return l < 3 ? 7 : 3 * l;
}
static uint32_t want_whole(uint32_t l)
{
    return l % 4 == 1 ? 0x22222222 : 0xdddddddd;
}

static const struct {
    const char *body;
    uint32_t (*want)(uint32_t lane);
} cases[] = {
    {"rem.u32 %r5, %r1, 10;\n" CALL("fib", "%r5"), want_fib},
    // frames that are known have room, also behind pointers
    {CALL("wider", "%r1"), want_own},
    {"mov.u64 %rd7, wider;\nproto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
     "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), %rd7, (a), proto; ld.param.b32 %r10, [b]; }",
     want_own},
    {"mov.u64 %rd4, 1024; alloca.u64 %rd5, %rd4; st.local.u32 [%rd5+1020], %r1; ld.local.u32 %r10, [%rd5+1020];",
     want_own},
    // of two branches that allocate a lane takes one
    {"mov.u64 %rd4, 800; setp.lt.u32 %p1, %r1, 16; @%p1 bra HERE;\nalloca.u64 %rd5, %rd4; bra.uni THERE;\n"
     "HERE: alloca.u64 %rd5, %rd4;\nTHERE: st.local.u32 [%rd5+796], %r1; ld.local.u32 %r10, [%rd5+796];",
     want_own},
    {"and.b32 %r5, %r1, 1; mul.wide.u32 %rd5, %r5, 8; mov.u64 %rd6, table; add.s64 %rd6, %rd6, %rd5;\n"
     "ld.global.u64 %rd7, [%rd6];\n"
     "proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
     "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), %rd7, (a), proto; ld.param.b32 %r10, [b]; }",
     want_table},
    {CALL("early", "%r1") "activemask.b32 %r11; setp.ne.u32 %p1, %r11, -1; @%p1 mov.u32 %r10, 9999;", want_early},
    {"mov.u32 %r10, 77; setp.lt.u32 %p1, %r1, 16; @!%p1 bra PAST;\n" CALL("triple", "%r1") "PAST:", want_half},
    {"add.u32 %r5, %r1, 1000; cvt.u64.u32 %rd5, %r5; mov.u64 %rd6, 4;\n"
     "{ .param .align 8 .b8 a[16]; .param .align 8 .b8 b[16]; st.param.b64 [a], %rd6; st.param.b64 [a+8], %rd5;\n"
     "call.uni (b), swap, (a); ld.param.v2.b64 {%rd7, %rd8}, [b]; }\ncvt.u32.u64 %r10, %rd7;",
     want_swap},
    {".local .align 8 .b8 array[64]; mov.u64 %rd5, array; mul.lo.u32 %r5, %r1, %r1; st.local.u32 [%rd5+8], %r5;\n"
     "cvta.local.u64 %rd6, %rd5; ld.u32 %r6, [%rd6+8]; add.u32 %r6, %r6, 5; st.u32 [%rd6+12], %r6;\n"
     "ld.local.u32 %r10, [array+12];",
     want_local},
    {"add.u32 %r5, %r1, 8; cvt.u64.u32 %rd4, %r5; alloca.u64 %rd5, %rd4; mul.lo.u32 %r5, %r1, %r1;\n"
     "add.u32 %r5, %r5, 5; st.local.u32 [%rd5+4], %r5; ld.local.u32 %r10, [%rd5+4];",
     want_local},
    {"and.b32 %r5, %r1, 3; mul.wide.u32 %rd5, %r5, 4; ld.global.u64 %rd6, [where]; add.s64 %rd6, %rd6, %rd5;\n"
     "ld.u32 %r10, [%rd6]; cvta.to.const.u64 %rd7, %rd6; ld.const.u32 %r11, [%rd7]; setp.ne.u32 %p1, %r10, %r11;\n"
     "@%p1 mov.u32 %r10, 0;",
     want_prime},
    {"and.b32 %r5, %r1, 3;\nT: .branchtargets A, B, C, A;\nbrx.idx %r5, T;\n"
     "A: mov.u32 %r10, 11; bra.uni E;\nB: mov.u32 %r10, 22; bra.uni E;\nC: mov.u32 %r10, 33;\nE:",
     want_switch},
    {"mov.u32 %r6, 3; call (%r10, %rd9), both, (%r1, %r6); cvt.u32.u64 %r7, %rd9; setp.ne.u32 %p1, %r7, %r10;\n"
     "@%p1 mov.u32 %r10, 9999;",
     want_both},
    {"and.b32 %r5, %r1, 3; mov.u32 %r10, 0;\nT: .branchtargets A, B, A, A;\nbrx.idx %r5, T;\n"
     "A: activemask.b32 %r10; bra.uni E;\nB: activemask.b32 %r10;\nE: activemask.b32 %r11;\n"
     "setp.ne.u32 %p1, %r11, -1; @%p1 mov.u32 %r10, 0;",
     want_whole},
};

START_TEST(calls_and_tables_lead_where_they_should)
{
    for (int schedule = 0; schedule < 2; schedule++) {
        uint32_t out[64] = {0};
        struct text body = {0};
        text_printf(&body, "%s\nst.global.u32 [%%rd3], %%r10;", cases[_i].body);
        struct kernel kernel = {.before = functions,
                                .body = text_get(&body),
                                .block = 64,
                                .out = out,
                                .out_size = sizeof out,
                                .schedule = (enum sim_schedule)schedule,
                                .seed = 4};
        expect(&kernel, STATUS_OK);
        text_free(&body);
        for (uint32_t i = 0; i < 64; i++)
            ck_assert_msg(out[i] == cases[_i].want(i % 32 + i / 32 * 32), "thread %u: %u, not %u", i, out[i],
                          cases[_i].want(i));
    }
}
END_TEST

static const struct {
    const char *body, *message;
} faults[] = {
    {CALL("deeper", "%r1"), "block (0,0,0) thread (0,0,0) overflows the stack after 3 calls: where functions call"},
    {"mov.u64 %rd4, 1040; alloca.u64 %rd5, %rd4;", "overflows the stack with alloca of 1040 bytes"},
    {"mov.u64 %rd4, 600; alloca.u64 %rd5, %rd4; alloca.u64 %rd6, %rd4;", "overflows the stack with alloca of 600"},
    {"mov.u64 %rd7, 64;\nproto: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
     "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), %rd7, (a), proto; }",
     "block (0,0,0) thread (0,0,0) calls 0x40, which is not a function"},
    {"T: .branchtargets A, A;\nmov.u32 %r5, 2; brx.idx %r5, T;\nA:",
     "block (0,0,0) thread (0,0,0) jumps to entry 2 of a table of 2"},
    {"mov.u64 %rd5, primes; st.u32 [%rd5], %r1;", "writes 4 bytes to constant memory, `primes`"},
    {".local .align 8 .b8 array[64]; mov.u64 %rd5, array; mul.wide.u32 %rd6, %r1, 4; add.s64 %rd5, %rd5, %rd6;\n"
     "st.local.u32 [%rd5], %r1;",
     "thread (16,0,0) writes 4 bytes just past the end of the thread's local memory (64 bytes)"},
};

START_TEST(wrong_calls_are_faults)
{
    struct kernel kernel = {.before = functions, .body = faults[_i].body};
    expect(&kernel, STATUS_FAULT);
    ck_assert_msg(strstr(kernel.diagnostic.message, faults[_i].message) != NULL, "%s", kernel.diagnostic.message);
}
END_TEST

// ---- what the machine brings

static void keep_text(void *context, const char *bytes, size_t length)
{
    text_append(context, bytes, length);
}

static const char brought[] =
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);\n"
    ".extern .func (.param .b64 p) malloc(.param .b64 s);\n.extern .func free(.param .b64 p);\n"
    // the texts that the tests below expect, as nvcc writes them
    ".global .align 1 .b8 format[40] = {108, 97, 110, 101, 32, 37, 100, 58, 32, 37, 53, 46, 50, 102, 32, 37, 115, 32, "
    "37, 108, 108, 120, 32, 37, 99, 37, 37, 10, 0};\n"
    ".global .align 1 .b8 word[4] = {97, 98, 99, 0};\n.global .align 1 .b8 claim[8] = {120, 32, 62, 32, 48, 0};\n"
    ".global .align 1 .b8 file[16] = {47, 104, 111, 109, 101, 47, 120, 47, 97, 46, 99, 117, 0};\n";

START_TEST(printf_prints_lane_after_lane)
{
    struct text printed = {0};
    struct kernel kernel = {
        .before = brought,
        .grid = _i ? 4 : 1,
        .block = 2,
        .host_threads = _i ? 2 : 1,
        .print = keep_text,
        .print_context = &printed,
        .body =
            ".local .align 8 .b8 args[40]; mov.u64 %rd5, args; cvta.local.u64 %rd6, %rd5;\n"
            "add.u32 %r5, %r1, 7; st.local.u32 [%rd5], %r5; mov.f64 %d1, 0d4004000000000000; st.local.f64 [%rd5+8], "
            "%d1;\n"
            "mov.u64 %rd7, word; cvta.global.u64 %rd8, %rd7; st.local.u64 [%rd5+16], %rd8;\n"
            "mov.u64 %rd9, 0x123456789ab; st.local.u64 [%rd5+24], %rd9; mov.u32 %r6, 33; st.local.u32 [%rd5+32], %r6;\n"
            "mov.u64 %rd10, format; cvta.global.u64 %rd11, %rd10;\n"
            "{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd11; st.param.b64 [a], %rd6;\n"
            "call.uni (r), vprintf, (f, a); }",
    };
    expect(&kernel, STATUS_OK);
    static const char both[] = "lane 7:  2.50 abc 123456789ab !%\nlane 8:  2.50 abc 123456789ab !%\n";
    for (uint32_t i = 0; i < (_i ? 4 : 1); i++)
        ck_assert_str_eq(text_starts(text_get(&printed) + i * strlen(both), both) ? both : text_get(&printed), both);
    ck_assert_uint_eq(printed.length, (_i ? 4 : 1) * strlen(both));
    text_free(&printed);
}
END_TEST

// Widths and precisions of arguments, the lengths of integers, and pointers to nothing.
START_TEST(printf_reads_what_its_format_asks_for)
{
    static const char format[] = "%*d|%.*f|%-*d|%hd|%hhx|%llu|%s|%6p|%d";
    struct text printed = {0}, before = {0};
    text_puts(&before,
              ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n.global .b8 format[] = {");
    for (size_t i = 0; i < sizeof format; i++)
        text_printf(&before, "%s%d", i ? ", " : "", format[i]);
    text_puts(&before, "};\n");
    struct kernel kernel = {
        .before = text_get(&before),
        .block = 1,
        .print = keep_text,
        .print_context = &printed,
        .body = ".local .align 8 .b8 args[88]; mov.u64 %rd5, args; cvta.local.u64 %rd6, %rd5;\n"
                "mov.u32 %r5, 6; st.local.u32 [%rd5], %r5; mov.u32 %r5, -7; st.local.u32 [%rd5+4], %r5;\n"
                "mov.u32 %r5, 2; st.local.u32 [%rd5+8], %r5; mov.f64 %d1, 0d4004CCCCCCCCCCCD; st.local.f64 [%rd5+16], "
                "%d1;\n"
                "mov.u32 %r5, 4; st.local.u32 [%rd5+24], %r5; mov.u32 %r5, 42; st.local.u32 [%rd5+28], %r5;\n"
                "mov.u32 %r5, 0x1fffd; st.local.u32 [%rd5+32], %r5; mov.u32 %r5, 0xabcd; st.local.u32 [%rd5+36], %r5;\n"
                "mov.u64 %rd7, -1; st.local.u64 [%rd5+40], %rd7; mov.u64 %rd7, 0; st.local.u64 [%rd5+48], %rd7;\n"
                "st.local.u64 [%rd5+56], %rd7; mov.u32 %r5, 9; st.local.u32 [%rd5+64], %r5;\n"
                "mov.u64 %rd10, format; cvta.global.u64 %rd11, %rd10;\n"
                "{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd11; st.param.b64 [a], %rd6;\n"
                "call.uni (r), vprintf, (f, a); }",
    };
    expect(&kernel, STATUS_OK);
    ck_assert_str_eq(text_get(&printed), "    -7|2.60|42  |-3|cd|18446744073709551615|(null)| (nil)|9");
    text_free(&printed);
    text_free(&before);
}
END_TEST

START_TEST(an_assertion_that_fails_is_quoted)
{
    struct kernel kernel = {
        .before = brought,
        .grid = _i ? 8 : 1,
        .host_threads = _i ? 2 : 1,
        .body = "setp.lt.u32 %p1, %r1, 3; @%p1 bra FINE; mov.u64 %rd5, claim; mov.u64 %rd6, file; mov.u32 %r5, 12;\n"
                "mov.u64 %rd7, 0; { .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 n; .param .b64 s;\n"
                "st.param.b64 [m], %rd5; st.param.b64 [f], %rd6; st.param.b32 [l], %r5; st.param.b64 [n], %rd7;\n"
                "st.param.b64 [s], %rd7; call.uni __assertfail, (m, f, l, n, s); }\nFINE:",
    };
    expect(&kernel, STATUS_FAULT);
    ck_assert_str_eq(kernel.diagnostic.message, "block (0,0,0) thread (3,0,0) fails the assertion `x > 0` (a.cu:12)");
}
END_TEST

START_TEST(the_heap_gives_takes_and_checks)
{
    static const char *const bodies[] = {"", "add.s64 %rd6, %rd6, 8;"};
    static const enum status statuses[] = {STATUS_OK, STATUS_FAULT};
    uint32_t out[32] = {0};
    struct text body = {0};
    text_printf(
        &body,
        "mov.u64 %%rd5, 64; { .param .b64 s; .param .b64 p; st.param.b64 [s], %%rd5; call.uni (p), malloc, (s);\n"
        "ld.param.b64 %%rd6, [p]; }\nst.u32 [%%rd6+4], %%r1; ld.u32 %%r10, [%%rd6+4]; st.global.u32 [%%rd3], %%r10;\n"
        "%s { .param .b64 p; st.param.b64 [p], %%rd6; call.uni free, (p); }",
        bodies[_i]);
    struct kernel kernel = {.before = brought, .body = text_get(&body), .out = out, .out_size = sizeof out};
    expect(&kernel, statuses[_i]);
    text_free(&body);
    for (uint32_t i = 0; i < 32; i++)
        ck_assert_uint_eq(out[i], i);
}
END_TEST

// Each thread holds so many bytes: the heap is of 8 MB, and the blocks that run at once share it.
START_TEST(the_heap_is_for_all_blocks)
{
    static const struct {
        const char *bytes;
        uint32_t grid;
        uint64_t at_once;
        enum status status;
    } heaps[] = {{"65536", 4, 0, STATUS_OK},      {"65536", 5, 0, STATUS_FAULT},     {"65536", 4, 132, STATUS_OK},
                 {"65536", 8, 132, STATUS_FAULT}, {"4096", 1000, 132, STATUS_FAULT}, {"1024", 132, 132, STATUS_OK}};
    struct text body = {0};
    text_printf(&body,
                "mov.u64 %%rd5, %s; { .param .b64 s; .param .b64 p; st.param.b64 [s], %%rd5; call.uni (p), malloc, "
                "(s);\nld.param.b64 %%rd6, [p]; }\nst.u32 [%%rd6+4], %%r1;",
                heaps[_i].bytes);
    struct kernel kernel = {
        .before = brought, .body = text_get(&body), .grid = heaps[_i].grid, .at_once = heaps[_i].at_once};
    expect(&kernel, heaps[_i].status);
    text_free(&body);
    if (heaps[_i].status)
        ck_assert_msg(strstr(kernel.diagnostic.message, "malloc gave 0") != NULL, "%s", kernel.diagnostic.message);
}
END_TEST

// What a launch from the device does before it: the other kernel's parameters are not this one's.
START_TEST(a_kernel_may_name_another_one)
{
    struct kernel kernel = {
        .before = ".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 b, .param .b64 s);\n"
                  ".visible .entry other(.param .align 8 .b8 a[64], .param .u64 last)\n"
                  "{ .reg .b64 %a; ld.param.u64 %a, [last]; st.global.u64 [%a], %a; ret; }\n",
        .body = "mov.u64 %rd5, other; setp.eq.u64 %p1, %rd5, 0; @%p1 trap; setp.lt.u32 %p1, %r1, 32; @%p1 bra FINE;\n"
                "{ .param .b64 b; .param .b64 s; .param .b32 r; st.param.b64 [b], %rd5; st.param.b64 [s], %rd5;\n"
                "call.uni (r), __cudaCDP2LaunchDeviceV2, (b, s); }\nFINE:"};
    expect(&kernel, STATUS_OK);
    kernel.block = 64;
    expect(&kernel, STATUS_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(kernel.diagnostic.message, "launches a kernel from the device (dynamic parallelism)"));
}
END_TEST

START_TEST(a_conditional_graph_node_is_refused_by_its_name)
{
    struct kernel kernel = {
        .before = ".extern .func cudaGraphSetConditional(.param .b64 h, .param .b32 v);\n",
        .body = "mov.u64 %rd5, 0; { .param .b64 h; .param .b32 v; st.param.b64 [h], %rd5; st.param.b32 [v], %r1;\n"
                "call.uni cudaGraphSetConditional, (h, v); }"};
    expect(&kernel, STATUS_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(kernel.diagnostic.message,
                                 "`cudaGraphSetConditional` controls a graph from the device (a conditional node)"));
}
END_TEST

// ---- launches

static const struct {
    uint32_t block, shared;
    const char *message;
} launches[] = {
    {1025, 0, "the block is 1025 x 1 x 1, its x must be 1 to 1024 (cudaErrorInvalidConfiguration)"},
    {32, 300000,
     "0 bytes of static and 300000 of dynamic shared memory are wanted, a block has at most 232448 "
     "(cudaErrorInvalidValue)"},
};

START_TEST(launches_that_a_driver_refuses_are_refused)
{
    struct kernel kernel = {.body = "", .block = launches[_i].block, .dynamic_shared = launches[_i].shared};
    expect(&kernel, STATUS_LAUNCH);
    ck_assert_str_eq(kernel.diagnostic.message, launches[_i].message);
}
END_TEST

Suite *suite_calls(void)
{
    Suite *suite = suite_create("calls");
    TCase *tests = tcase_create("calls");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, calls_and_tables_lead_where_they_should, 0, sizeof cases / sizeof *cases);
    tcase_add_loop_test(tests, wrong_calls_are_faults, 0, sizeof faults / sizeof *faults);
    tcase_add_loop_test(tests, printf_prints_lane_after_lane, 0, 2); // on one host thread, and on two
    tcase_add_test(tests, a_kernel_may_name_another_one);
    tcase_add_test(tests, a_conditional_graph_node_is_refused_by_its_name);
    tcase_add_test(tests, printf_reads_what_its_format_asks_for);
    tcase_add_loop_test(tests, an_assertion_that_fails_is_quoted, 0, 2); // on one host thread, and on two
    tcase_add_loop_test(tests, the_heap_gives_takes_and_checks, 0, 2);
    tcase_add_loop_test(tests, the_heap_is_for_all_blocks, 0, 6);
    tcase_add_loop_test(tests, launches_that_a_driver_refuses_are_refused, 0, sizeof launches / sizeof *launches);
    suite_add_tcase(suite, tests);
    return suite;
}
