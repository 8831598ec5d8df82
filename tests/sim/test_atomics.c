// Atomics in every operator and type, on one place and many; and what a kernel may observe of their order.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "../support/kernel.h"

Suite *suite_atomics(void);

static void expect_ok(struct kernel *kernel)
{
    enum status got = kernel_run(kernel);
    ck_assert_msg(got == STATUS_OK, "%s: %s", status_name(got), kernel->diagnostic.message);
}

// 32 lanes apply the operator with operand = lane + 1 (or what `value` computes into %r10, %rd10, %f10, %d10).
static const struct {
    const char *inst, *value;
    uint64_t before, after;
} one_place[] = {
    {"red.global.add.u32 [%rd1], %r10;", "", 5, 5 + 528},
    {"red.global.add.u64 [%rd1], %rd10;", "", 1ull << 33, (1ull << 33) + 528},
    {"red.global.min.u32 [%rd1], %r10;", "", 7, 1},
    {"red.global.max.u32 [%rd1], %r10;", "", 7, 32},
    {"red.global.min.s32 [%rd1], %r10;", "neg.s32 %r10, %r10;", 7, 0xffffffe0},
    {"red.global.max.s32 [%rd1], %r10;", "neg.s32 %r10, %r10;", 0xffffff00, 0xffffffff},
    {"red.global.max.u64 [%rd1], %rd10;", "", 7, 32},
    {"red.global.min.s64 [%rd1], %rd10;", "neg.s64 %rd10, %rd10;", 7, 0xffffffffffffffe0},
    {"red.global.and.b32 [%rd1], %r10;", "or.b32 %r10, %r10, 0x100;", 0x1ff, 0x100},
    {"red.global.or.b32 [%rd1], %r10;", "", 0x100, 0x13f},
    {"red.global.xor.b32 [%rd1], %r10;", "", 0x100, 0x120},
    {"red.global.or.b64 [%rd1], %rd10;", "", 1ull << 40, (1ull << 40) | 0x3f},
    {"red.global.inc.u32 [%rd1], 9;", "", 0, 2},
    {"red.global.dec.u32 [%rd1], 9;", "", 0, 8},
    {"red.global.add.f32 [%rd1], %f10;", "", 0x3f800000, 0x44044000},
    {"red.global.add.f64 [%rd1], %d10;", "", 0x3ff0000000000000, 0x4080880000000000},
    {"red.global.add.noftz.f16x2 [%rd1], %r10;", "mov.u32 %r10, 0x3c004000;", 0x00000000, 0x50005400},
    {"red.global.add.noftz.bf16x2 [%rd1], %r10;", "mov.u32 %r10, 0x3f804000;", 0x00000000, 0x42004280},
    {"red.global.add.noftz.f16 [%rd1], %h10;", "mov.u16 %h10, 0x3c00;", 0, 0x5000},
    {"atom.global.exch.b32 %r11, [%rd1], %r10;", "", 77, 32},
    {"atom.global.cas.b32 %r11, [%rd1], %r12, %r10;", "sub.u32 %r12, %r10, 1;", 0, 32},
    {"atom.global.cas.b64 %rd11, [%rd1], %rd12, %rd10;", "sub.u64 %rd12, %rd10, 1;", 0, 32},
    {"atom.global.cas.b16 %h11, [%rd1], %h12, %h10;", "cvt.u16.u32 %h10, %r10; sub.u16 %h12, %h10, 1;", 0x50000,
     0x50020},
    {"atom.global.add.u32 %r11, [%rd1], %r10;", "", 0, 528},
    {"atom.add.u32 %r11, [%rd1], %r10;", "", 0, 528},
    {"atom.shared.add.u32 %r11, [%r9], %r10; bar.sync 0; ld.shared.u32 %r13, [%r9]; st.global.u32 [%rd1], %r13;", "", 0,
     528},
    {"red.shared.max.s32 [%r9], %r10; bar.sync 0; ld.shared.u32 %r13, [%r9]; st.global.u32 [%rd1], %r13;", "", 0, 32},
    {"atom.global.acq_rel.gpu.add.u32 %r11, [%rd1], %r10;", "", 1, 529},
};

START_TEST(every_operator_gives_the_sum_of_its_lanes)
{
    uint64_t out = one_place[_i].before;
    struct text body = {0};
    text_printf(&body,
                "mov.u32 %%r9, cell; mov.u32 %%r8, 0; st.shared.u32 [%%r9], %%r8; bar.sync 0;\n"
                "add.u32 %%r10, %%r1, 1; cvt.u64.u32 %%rd10, %%r10; cvt.rn.f32.u32 %%f10, %%r10;"
                "cvt.rn.f64.u32 %%d10, %%r10;\n%s\n%s",
                one_place[_i].value, one_place[_i].inst);
    struct kernel kernel = {
        .before = ".shared .align 8 .b8 cell[8];", .body = text_get(&body), .out = &out, .out_size = 8};
    expect_ok(&kernel);
    text_free(&body);
    ck_assert_msg(out == one_place[_i].after, "%s: %#llx, not %#llx", one_place[_i].inst, (unsigned long long)out,
                  (unsigned long long)one_place[_i].after);
}
END_TEST

START_TEST(old_values_are_those_of_lanes_in_order)
{
    uint32_t out[33] = {0};
    struct kernel kernel = {.out = out,
                            .out_size = sizeof out,
                            .body = "atom.global.add.u32 %r10, [%rd1+128], 3; st.global.u32 [%rd3], %r10;"};
    expect_ok(&kernel);
    for (uint32_t i = 0; i < 32; i++)
        ck_assert_uint_eq(out[i], 3 * i);
    ck_assert_uint_eq(out[32], 96);
}
END_TEST

// Of all lanes that store to one place, and of every second one.
static const char *const last_stores[] = {
    "st.global.u32 [%rd1], %r10;",
    "@%p1 st.global.u32 [%rd1], %r10;",
    "st.global.v2.u32 [%rd1], {%r10, %r10};",
    "st.global.u8 [%rd1], %r10;",
    "st.volatile.global.u32 [%rd1], %r10;",
    "st.u32 [%rd1], %r10;",
    "st.shared.u32 [cell], %r10; bar.warp.sync -1; ld.shared.u32 %r10, [cell]; st.global.u32 [%rd1], %r10;",
};

START_TEST(which_lane_stores_last_is_drawn)
{
    uint64_t came = 0;
    struct text body = {0};
    text_printf(&body, "and.b32 %%r10, %%r1, 1; setp.eq.u32 %%p1, %%r10, 0; mov.u32 %%r10, %%r1;\n%s", last_stores[_i]);
    for (uint64_t seed = 0; seed < 16; seed++) {
        uint32_t out[2] = {99};
        struct kernel kernel = {.before = ".shared .align 8 .b8 cell[8];",
                                .body = text_get(&body),
                                .out = out,
                                .out_size = sizeof out,
                                .schedule = seed ? SIM_RANDOM : SIM_ROUND_ROBIN,
                                .seed = seed};
        expect_ok(&kernel);
        uint32_t lane = out[0] & 0xff;
        ck_assert_uint_lt(lane, 32);
        ck_assert(seed || lane == (_i == 1 ? 30 : 31));
        came |= UINT64_C(1) << lane;
    }
    ck_assert_int_gt(__builtin_popcountll(came), 4);
    text_free(&body);
}
END_TEST

START_TEST(wide_and_vector_forms_work)
{
    struct {
        uint64_t pair[2];
        float four[4];
        uint32_t halves[2];
    } out = {{1, 2}, {1, 2, 3, 4}, {0, 0}};
    struct kernel kernel = {
        .out = &out,
        .out_size = sizeof out,
        .before = "",
        .body = ".reg .b128 %q<4>; setp.ne.u32 %p1, %r1, 0; @%p1 ret;\n"
                "mov.u64 %rd10, 1; mov.u64 %rd11, 2; mov.u64 %rd12, 30; mov.u64 %rd13, 40;\n"
                "mov.b128 %q0, {%rd10, %rd11}; mov.b128 %q1, {%rd12, %rd13};\n"
                "atom.global.cas.b128 %q2, [%rd1], %q0, %q1;\n"
                "mov.f32 %f1, 0f3f800000; red.global.add.v4.f32 [%rd1+16], {%f1, %f1, %f1, %f1};\n"
                "mov.u32 %r10, 0x3c003c00; red.global.v2.f16x2.add.noftz [%rd1+32], {%r10, %r10};",
    };
    expect_ok(&kernel);
    ck_assert_uint_eq(out.pair[0], 30);
    ck_assert_uint_eq(out.pair[1], 40);
    for (int i = 0; i < 4; i++)
        ck_assert_float_eq(out.four[i], (float)(i + 2));
    ck_assert_uint_eq(out.halves[1], 0x3c003c00);
}
END_TEST

// Sums of integers may be formed by blocks at the same time; what they give may not depend on it.
START_TEST(results_do_not_depend_on_host_threads)
{
    static const char *const bodies[] = {
        "and.b32 %r5, %r2, 15; mul.wide.u32 %rd5, %r5, 4; add.s64 %rd5, %rd1, %rd5; red.global.add.u32 [%rd5], %r2;",
        "cvt.rn.f32.u32 %f1, %r2; mul.f32 %f1, %f1, 0f3f8ccccd; red.global.add.f32 [%rd1], %f1;",
        "atom.global.exch.b32 %r5, [%rd1], %r2; red.global.add.u32 [%rd1+4], %r5;",
        "mul.wide.u32 %rd5, %r1, 4; add.s64 %rd5, %rd1, %rd5; atom.global.inc.u32 %r5, [%rd5], 5; "
        "red.global.xor.b32 [%rd1+64], %r5;",
        // races between blocks: in place, one place for all, where loaded values lead
        "add.u32 %r5, %r2, 77; and.b32 %r5, %r5, 63; mul.wide.u32 %rd5, %r5, 4; add.s64 %rd5, %rd1, %rd5;\n"
        "and.b32 %r6, %r2, 63; mul.wide.u32 %rd6, %r6, 4; add.s64 %rd6, %rd1, %rd6;\n"
        "ld.global.u32 %r7, [%rd5]; add.u32 %r7, %r7, %r3; st.global.u32 [%rd6], %r7;",
        "mul.wide.u32 %rd5, %r1, 4; add.s64 %rd5, %rd1, %rd5; st.global.u32 [%rd5], %r3;",
        "mul.wide.u32 %rd5, %r3, 4; add.s64 %rd5, %rd0, %rd5; ld.global.u32 %r5, [%rd5]; add.u32 %r5, %r5, %r3;\n"
        "and.b32 %r5, %r5, 3; mul.wide.u32 %rd6, %r5, 4; add.s64 %rd6, %rd1, %rd6; st.global.u32 [%rd6], %r3;",
    };
    static const uint32_t in[64] = {3, 1, 2, 2, 1, 3};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        uint32_t first[64] = {0};
        for (unsigned threads = 1; threads <= 4; threads *= 2) {
            uint32_t out[64] = {0};
            struct kernel kernel = {.grid = 64,
                                    .block = 64,
                                    .out = out,
                                    .out_size = sizeof out,
                                    .body = bodies[i],
                                    .in = in,
                                    .in_size = sizeof in,
                                    .host_threads = threads,
                                    .schedule = (enum sim_schedule)_i,
                                    .seed = 3};
            expect_ok(&kernel);
            if (threads == 1)
                memcpy(first, out, sizeof out);
            ck_assert_msg(!memcmp(first, out, sizeof out), "kernel %zu with %u threads", i, threads);
        }
    }
}
END_TEST

// Each lane takes the lock in turn while the others of its warp spin for it.
START_TEST(a_spin_lock_between_lanes_makes_progress)
{
    uint32_t out[64] = {0};
    struct kernel kernel = {
        .block = 64,
        .out = out,
        .out_size = sizeof out,
        .schedule = (enum sim_schedule)_i,
        .seed = 11,
        .before = ".shared .align 4 .b8 lock[8];",
        .body = "mov.u32 %r9, lock; mov.u32 %r8, 0; st.shared.u32 [%r9], %r8; st.shared.u32 [%r9+4], %r8; bar.sync 0;\n"
                "SPIN: atom.shared.cas.b32 %r5, [%r9], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra SPIN;\n"
                "ld.shared.u32 %r6, [%r9+4]; add.u32 %r6, %r6, 1; st.shared.u32 [%r9+4], %r6;\n"
                "membar.cta; atom.shared.exch.b32 %r5, [%r9], 0; bar.sync 0;\n"
                "ld.shared.u32 %r10, [%r9+4]; st.global.u32 [%rd3], %r10;",
    };
    expect_ok(&kernel);
    for (int i = 0; i < 64; i++)
        ck_assert_uint_eq(out[i], 64);
}
END_TEST

// Block b waits for block b + 1: the last must start although the first spins.
START_TEST(blocks_that_wait_for_later_ones_get_on)
{
    uint32_t out[41] = {0};
    out[40] = 1;
    struct kernel kernel = {
        .grid = 40,
        .block = 32,
        .out = out,
        .out_size = sizeof out,
        .host_threads = 2,
        .schedule = (enum sim_schedule)_i,
        .body = "mul.wide.u32 %rd5, %r3, 4; add.s64 %rd5, %rd1, %rd5;\n"
                "WAIT: ld.volatile.global.u32 %r5, [%rd5+4]; setp.eq.u32 %p1, %r5, 0; @%p1 bra WAIT;\n"
                "add.u32 %r5, %r5, 1; membar.gl; st.volatile.global.u32 [%rd5], %r5;",
    };
    expect_ok(&kernel);
    for (uint32_t i = 0; i <= 40; i++)
        ck_assert_uint_eq(out[i], 41 - i);
}
END_TEST

START_TEST(a_wait_that_nobody_ends_is_told_as_endless)
{
    uint32_t out[1] = {0};
    struct kernel kernel = {.grid = 2,
                            .out = out,
                            .out_size = 4,
                            .body =
                                "WAIT: ld.acquire.gpu.global.u32 %r5, [%rd1]; setp.eq.u32 %p1, %r5, 0; @%p1 bra WAIT;"};
    ck_assert_int_eq(kernel_run(&kernel), STATUS_TIMEOUT);
    ck_assert_ptr_nonnull(strstr(kernel.diagnostic.message, "block (0,0,0)"));
}
END_TEST

Suite *suite_atomics(void)
{
    Suite *suite = suite_create("atomics");
    TCase *tests = tcase_create("atomics");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, every_operator_gives_the_sum_of_its_lanes, 0, sizeof one_place / sizeof *one_place);
    tcase_add_test(tests, old_values_are_those_of_lanes_in_order);
    tcase_add_loop_test(tests, which_lane_stores_last_is_drawn, 0, sizeof last_stores / sizeof *last_stores);
    tcase_add_test(tests, wide_and_vector_forms_work);
    tcase_add_loop_test(tests, results_do_not_depend_on_host_threads, 0, 3);
    tcase_add_loop_test(tests, a_spin_lock_between_lanes_makes_progress, 0, 3);
    tcase_add_loop_test(tests, blocks_that_wait_for_later_ones_get_on, 0, 3);
    tcase_add_test(tests, a_wait_that_nobody_ends_is_told_as_endless);
    suite_add_tcase(suite, tests);
    return suite;
}
