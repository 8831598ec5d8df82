// Whole kernels: control flow, barriers, calls, faults.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "../support/kernel.h"
#include "base/clock.h"

Suite *suite_machine(void);

#define OUT_STORE "\nst.global.u32 [%rd3], %r10;\n"

static void expect(struct kernel *kernel, enum status status)
{
    enum status got = kernel_run(kernel);
    ck_assert_msg(got == status, "%s: %s", status_name(got), kernel->diagnostic.message);
}

START_TEST(divergent_lanes_meet_again)
{
    uint32_t out[32] = {0};
    struct kernel kernel = {
        .out = out,
        .out_size = sizeof out,
        .body = "and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0; @%p1 bra EVEN;\n"
                "mul.lo.u32 %r10, %r1, 10; bra.uni MEET;\n"
                "EVEN: add.u32 %r10, %r1, 100;\n"
                "MEET: activemask.b32 %r11; setp.ne.u32 %p2, %r11, -1; @%p2 add.u32 %r10, %r10, 1000;" OUT_STORE,
    };
    expect(&kernel, STATUS_OK);
    for (uint32_t i = 0; i < 32; i++)
        ck_assert_uint_eq(out[i], i % 2 ? i * 10 : i + 100);
}
END_TEST

START_TEST(lanes_leave_a_loop_one_by_one_and_meet_behind_it)
{
    uint32_t out[32] = {0};
    struct kernel kernel = {
        .out = out,
        .out_size = sizeof out,
        .body = "mov.u32 %r5, 0; mov.u32 %r10, 0;\n"
                "LOOP: add.u32 %r10, %r10, %r5; add.u32 %r5, %r5, 1; setp.le.u32 %p1, %r5, %r1; @%p1 bra LOOP;\n"
                "activemask.b32 %r11; setp.ne.u32 %p2, %r11, -1; @%p2 mov.u32 %r10, 7;" OUT_STORE,
    };
    expect(&kernel, STATUS_OK);
    for (uint32_t i = 0; i < 32; i++)
        ck_assert_uint_eq(out[i], i * (i + 1) / 2);
}
END_TEST

// Lane 31 leaves a loop from one arm of a branch in it: the others still meet behind that branch, each turn, and all
// behind the loop. Their post-dominator would be there alone.
START_TEST(lanes_meet_in_a_loop_that_some_leave)
{
    uint32_t out[32] = {0};
    struct kernel kernel = {
        .out = out,
        .out_size = sizeof out,
        .schedule = (enum sim_schedule)_i,
        .seed = 3,
        .body =
            "mov.u32 %r5, 0; mov.u32 %r10, 0; and.b32 %r6, %r1, 1; setp.eq.u32 %p1, %r6, 0;\n"
            "setp.eq.u32 %p2, %r1, 31;\n"
            "LOOP: @%p1 bra EVEN; setp.gt.and.u32 %p3, %r5, 4, %p2; @%p3 bra OUT; add.u32 %r7, %r5, 1; bra.uni TAIL;\n"
            "EVEN: mul.lo.u32 %r7, %r5, 3;\n"
            "TAIL: activemask.b32 %r11; popc.b32 %r11, %r11; add.u32 %r10, %r10, %r11; add.u32 %r5, %r5, 1;\n"
            "setp.lt.u32 %p4, %r5, 8; @%p4 bra LOOP;\n"
            "OUT: activemask.b32 %r11; setp.ne.u32 %p5, %r11, -1; @%p5 add.u32 %r10, %r10, 1000;" OUT_STORE,
    };
    expect(&kernel, STATUS_OK);
    for (uint32_t i = 0; i < 32; i++)
        ck_assert_uint_eq(out[i], i == 31 ? 5 * 32 : 5 * 32 + 3 * 31);
}
END_TEST

// The way out is the one below a branch, through two loops at once, and by a table.
START_TEST(lanes_meet_whatever_way_others_leave)
{
    uint32_t out[32] = {0};
    struct kernel kernel = {
        .out = out,
        .out_size = sizeof out,
        .schedule = (enum sim_schedule)_i,
        .seed = 4,
        .body = "mov.u32 %r5, 0; mov.u32 %r10, 0; and.b32 %r6, %r1, 1; setp.eq.u32 %p1, %r6, 0;\n"
                "OUTER: mov.u32 %r8, 0;\n"
                "INNER: @%p1 bra EVEN; mad.lo.u32 %r9, %r5, 4, %r8; setp.ne.u32 %p3, %r9, %r1; @%p3 bra STAYS;\n"
                "bra.uni OUT;\n"
                "STAYS: mov.u32 %r12, 0; setp.eq.u32 %p6, %r9, 30; selp.u32 %r12, 1, 0, %p6;\n"
                "ways: .branchtargets TAIL, OUT; brx.idx %r12, ways;\n"
                "EVEN: add.u32 %r7, %r8, 3;\n"
                "TAIL: activemask.b32 %r11; and.b32 %r11, %r11, 0x55555555; popc.b32 %r11, %r11;\n"
                "add.u32 %r10, %r10, %r11; activemask.b32 %r11; setp.eq.u32 %p5, %r6, 1;\n"
                "and.b32 %r13, %r11, 0xaaaaaaaa; setp.eq.and.u32 %p5, %r13, 0, %p5; @%p5 add.u32 %r10, %r10, 5000;\n"
                "add.u32 %r8, %r8, 1; setp.lt.u32 %p4, %r8, 4; @%p4 bra INNER;\n"
                "add.u32 %r5, %r5, 1; setp.lt.u32 %p4, %r5, 8; @%p4 bra OUTER;\n"
                "OUT: activemask.b32 %r11; setp.ne.u32 %p5, %r11, -1; @%p5 add.u32 %r10, %r10, 1000;" OUT_STORE,
    };
    expect(&kernel, STATUS_OK);
    for (uint32_t i = 0; i < 32;
         i++) // all sixteen even lanes each turn; an odd one in as many as its number, 30 at most
        ck_assert_uint_eq(out[i], 16 * (i % 2 == 0 ? 32 : i < 30 ? i : 30));
}
END_TEST

// Lane 0 goes round a loop of its own before all meet at the head of the next one, which they leave one by one.
START_TEST(lanes_meet_at_the_head_of_a_loop)
{
    uint32_t out[32] = {0};
    struct kernel kernel = {
        .out = out,
        .out_size = sizeof out,
        .schedule = (enum sim_schedule)_i,
        .seed = 6,
        .body = "mov.u32 %r5, 0; mov.u32 %r10, 0; setp.ne.u32 %p1, %r1, 0; @%p1 bra NEXT;\n"
                "OWN: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 7; @%p2 bra OWN;\n"
                "mov.u32 %r5, 0;\n"
                "NEXT: activemask.b32 %r11; popc.b32 %r11, %r11; add.u32 %r10, %r10, %r11; add.u32 %r5, %r5, 1;\n"
                "setp.le.u32 %p3, %r5, %r1; @%p3 bra NEXT;\n"
                "activemask.b32 %r11; setp.ne.u32 %p5, %r11, -1; @%p5 add.u32 %r10, %r10, 1000;" OUT_STORE,
    };
    expect(&kernel, STATUS_OK);
    for (uint32_t i = 0; i < 32; i++) // 32 + 31 + …
        ck_assert_uint_eq(out[i], (i + 1) * 32 - i * (i + 1) / 2);
}
END_TEST

START_TEST(a_lone_warp_waits_for_nobody)
{
    uint32_t out[192] = {0};
    struct kernel kernel = {
        .grid = 2,
        .block = 96,
        .out = out,
        .out_size = sizeof out,
        .lone_warp = 2,
        .host_threads = 1,
        .body = "setp.ge.u32 %p1, %r1, 40; bar.red.popc.u32 %r10, 0, %p1;" OUT_STORE,
    };
    expect(&kernel, STATUS_OK);
    ck_assert_uint_eq(kernel.result.blocks, 2);
    for (uint32_t i = 0; i < 192; i++)
        ck_assert_uint_eq(out[i], i / 32 % 3 == 1 ? 72 : 0); // 24 of 32, as all 96 would
}
END_TEST

START_TEST(a_block_reverses_through_shared_memory)
{
    uint32_t in[256], out[256] = {0};
    for (uint32_t i = 0; i < 256; i++)
        in[i] = i * i;
    struct kernel kernel = {
        .before = ".shared .align 4 .b8 tile[1024];",
        .block = 256,
        .in = in,
        .in_size = sizeof in,
        .out = out,
        .out_size = sizeof out,
        .schedule = (enum sim_schedule)_i,
        .seed = 5,
        .body = "ld.global.u32 %r5, [%rd2]; mov.u32 %r6, tile; shl.b32 %r7, %r1, 2; add.u32 %r8, %r6, %r7;\n"
                "st.shared.u32 [%r8], %r5; bar.sync 0; sub.u32 %r9, 1020, %r7; add.u32 %r9, %r6, %r9;\n"
                "ld.shared.u32 %r10, [%r9];" OUT_STORE,
    };
    expect(&kernel, STATUS_OK);
    for (uint32_t i = 0; i < 256; i++)
        ck_assert_uint_eq(out[i], in[255 - i]);
}
END_TEST

// Sums of products, one after another: as they stand in tiles, or with a guard before each.
static void add_products(struct text *body, const char *guard, int count)
{
    for (int i = 0; i < count; i++)
        text_printf(body, "%s fma.rn.f32 %%f%d, %%f%d, 0f3F000000, %%f%d;\n", guard, 10 + i % 5, 10 + (i + 1) % 5,
                    10 + i % 5);
}

static void run_products(const char *guard, int schedule, uint32_t out[96], struct sim_count counts[512],
                         struct sim_result *result)
{
    struct text body = {0};
    text_printf(&body, "%s",
                "setp.eq.u32 %p3, %r1, %r1; mov.u32 %r5, 0; and.b32 %r6, %r1, 3; setp.eq.u32 %p1, %r6, 1;"
                "cvt.rn.f32.u32 %f10, %r1;\n");
    for (int i = 11; i < 15; i++)
        text_printf(&body, "add.f32 %%f%d, %%f%d, 0f40000000;\n", i, i - 1);
    text_printf(&body, "LOOP: @%%p1 bra OTHER;\n");
    add_products(&body, guard, 37);
    text_printf(&body, "bra.uni MEET;\nOTHER:\n");
    add_products(&body, guard, 6);
    text_printf(&body, "MEET:\n");
    add_products(&body, guard, 90);
    text_printf(&body, "add.u32 %%r5, %%r5, 1; setp.lt.u32 %%p2, %%r5, %%r6; @%%p2 bra LOOP;\nmov.b32 %%r10, %%f12;%s",
                OUT_STORE);
    struct kernel kernel = {.block = 96,
                            .out = out,
                            .out_size = 96 * sizeof *out,
                            .schedule = (enum sim_schedule)schedule,
                            .seed = 11,
                            .host_threads = 1,
                            .counts = counts,
                            .body = text_get(&body)};
    expect(&kernel, STATUS_OK);
    *result = kernel.result;
    text_free(&body);
}

START_TEST(products_in_a_row_are_as_single_ones)
{
    static struct sim_count counts[2][512];
    uint32_t out[2][96] = {0};
    struct sim_result results[2];
    memset(counts, 0, sizeof counts);
    run_products("", _i, out[0], counts[0], &results[0]);
    run_products("@%p3", _i, out[1], counts[1], &results[1]);
    ck_assert_mem_eq(out[0], out[1], sizeof out[0]);
    ck_assert_mem_eq(counts[0], counts[1], sizeof counts[0]);
    ck_assert_uint_eq(results[0].warp_instructions, results[1].warp_instructions);
    ck_assert_uint_gt(results[0].warp_instructions, 3 * 3 * 127);
}
END_TEST

// On a GPU there is what was there before; a simulator that has zeros there finds sums that nobody set right.
START_TEST(what_nobody_wrote_is_no_number)
{
    uint32_t out[128] = {0};
    struct kernel kernel = {
        .grid = 4,
        .block = 32,
        .out = out,
        .out_size = sizeof out,
        .host_threads = 1, // the second block gets what the first left
        .body = ".local .align 4 .b8 own[16]; ld.local.f32 %f3, [own+8]; add.f32 %f1, %f2, 0f3F800000; add.f32 %f1, "
                "%f1, %f3; mov.b32 %r10, %f1;\n"
                "mov.f32 %f2, 0f00000000; st.local.f32 [own+8], %f2;" OUT_STORE,
    };
    expect(&kernel, STATUS_OK);
    for (uint32_t i = 0; i < 128; i++)
        ck_assert_uint_eq(out[i] & 0x7f800000, 0x7f800000);
}
END_TEST

static const struct {
    const char *before, *body, *message;
    enum sim_fault_kind kind;
} faults[] = {
    {NULL, "ld.global.u32 %r10, [%rd2+128];", "block (0,0,0) thread (0,0,0) reads 4 bytes just past the end of `in`",
     SIM_FAULT_BOUNDS},
    {NULL, "ld.global.u32 %r10, [%rd2+4];", "block (0,0,0) thread (31,0,0) reads 4 bytes just past the end of `in`",
     SIM_FAULT_BOUNDS},
    {NULL, "st.global.u32 [%rd3+-8], %r1;",
     "block (0,0,0) thread (0,0,0) writes 4 bytes, 8 bytes before the start of `out`", SIM_FAULT_BOUNDS},
    {NULL, "ld.global.u64 %rd10, [%rd1+124];",
     "block (0,0,0) thread (0,0,0) reads 8 bytes, the last 4 of them past the end of `out`", SIM_FAULT_BOUNDS},
    {NULL, "ld.global.u64 %rd10, [%rd1+4];",
     "block (0,0,0) thread (0,0,0) reads 8 bytes at a misaligned address, byte 4 of `out` is not a multiple of 8",
     SIM_FAULT_MISALIGNED},
    {NULL, "mov.u64 %rd9, 0; ld.u32 %r10, [%rd9+12];",
     "block (0,0,0) thread (0,0,0) reads 4 bytes through a null pointer (address 0xc)", SIM_FAULT_BOUNDS},
    {".shared .align 4 .b8 tile[64];", "mov.u32 %r5, tile; mad.lo.u32 %r5, %r1, 4, %r5; st.shared.u32 [%r5], %r1;",
     "block (0,0,0) thread (16,0,0) writes 4 bytes just past the end of shared memory (64 bytes, `tile`)",
     SIM_FAULT_BOUNDS},
    {".shared .align 4 .b8 tile[60];", "mov.u32 %r5, tile; mad.lo.u32 %r5, %r1, 4, %r5; st.shared.u32 [%r5], %r1;",
     "block (0,0,0) thread (15,0,0) writes 4 bytes just past the end of shared memory (60 bytes, `tile`)",
     SIM_FAULT_BOUNDS},
    {NULL, "setp.gt.u32 %p1, %r1, 6; @%p1 trap;", "block (0,0,0) thread (7,0,0) executes trap", SIM_FAULT_TRAP},
    {NULL, "setp.lt.u32 %p1, %r1, 8; @%p1 bar.sync 1, 64; @!%p1 bar.sync 2, 64;",
     "block (0,0,0) thread (0,0,0) waits for ever: 8 of 64 threads are at barrier 1, and no other thread can run",
     SIM_FAULT_DEADLOCK},
    {NULL, "bar.sync 1, 33;",
     "block (0,0,0) thread (0,0,0) waits for 33 threads at barrier 1; it must be a multiple of 32", SIM_FAULT_OTHER},
};

START_TEST(faults_name_thread_buffer_and_distance)
{
    uint32_t in[32] = {0}, out[32] = {0};
    struct kernel kernel = {.before = faults[_i].before,
                            .body = faults[_i].body,
                            .in = in,
                            .in_size = sizeof in,
                            .out = out,
                            .out_size = sizeof out};
    expect(&kernel, STATUS_FAULT);
    ck_assert_str_eq(kernel.diagnostic.message, faults[_i].message);
    ck_assert_int_gt(kernel.diagnostic.line, 0); // PTX that has no source is its own
    ck_assert_int_eq(kernel.result.fault, faults[_i].kind);
}
END_TEST

START_TEST(an_endless_kernel_runs_into_its_budget)
{
    struct kernel kernel = {.body = "LOOP: bra LOOP;", .budget = 100000};
    expect(&kernel, STATUS_TIMEOUT);
    ck_assert_ptr_nonnull(strstr(kernel.diagnostic.message, "is still running"));
}
END_TEST

START_TEST(messages_name_the_line_of_the_source)
{
    static const char *const bodies[] = {
        ".loc 1 12 3\nld.global.u32 %r10, [%rd2+256];\n.loc 1 13 3\n",
        ".loc 1 11 3\nmov.u32 %r5, 0;\n.loc 1 12 3\nL: ld.volatile.global.u32 %r6, [%rd0]; setp.eq.u32 %p1, %r6, 0; "
        "@%p1 bra L;\n"
        ".loc 1 13 3\n",
    };
    static const enum status statuses[] = {STATUS_FAULT, STATUS_TIMEOUT};
    uint32_t in[32] = {0};
    struct kernel kernel = {
        .before = ".file 1 \"a.cu\"", .body = bodies[_i], .in = in, .in_size = sizeof in, .budget = 100000};
    expect(&kernel, statuses[_i]);
    ck_assert_ptr_nonnull(strstr(kernel.diagnostic.message, ", line 12"));
    ck_assert_str_eq(kernel.diagnostic.file, "a.cu");
    ck_assert_int_eq(kernel.diagnostic.line, 12);
}
END_TEST

// %smid, %warpid, and the clocks that a warp takes for two instructions: drawn for each block, so that no answer tells
// the simulator from a GPU, or one block from another.
START_TEST(where_and_when_a_block_runs_is_drawn)
{
    enum { BLOCKS = 64 };
    static const char *const bodies[] = {
        "mov.u32 %r10, %smid;", "mov.u32 %r10, %warpid;",
        "mov.u32 %r5, %clock; mov.u32 %r6, %clock; sub.u32 %r10, %r6, %r5; shr.u32 %r10, %r10, 6;",
        "mov.u64 %rd5, %globaltimer; mov.u64 %rd6, %clock64; sub.u64 %rd5, %rd5, %rd6; cvt.u32.u64 %r10, %rd5;"};
    struct text body = {0};
    uint32_t out[BLOCKS * 32];
    text_printf(&body,
                "%s\nmov.u32 %%r11, %%ctaid.x; mad.lo.u32 %%r11, %%r11, 32, %%r1; mul.wide.u32 %%rd7, %%r11, 4;\n"
                "add.s64 %%rd8, %%rd1, %%rd7; st.global.u32 [%%rd8], %%r10;",
                bodies[_i]);
    struct kernel kernel = {
        .body = text_get(&body), .grid = BLOCKS, .out = out, .out_size = sizeof out, .seed = 3, .host_threads = 1};
    expect(&kernel, STATUS_OK);
    size_t alike = 0;
    for (uint32_t i = 32; i < BLOCKS * 32; i += 32)
        alike += out[i] == out[0];
    ck_assert_msg(alike < BLOCKS / 2, "%s: %zu of %d blocks say %u", bodies[_i], alike, BLOCKS, out[0]);
    text_free(&body);
}
END_TEST

START_TEST(a_launch_can_be_cancelled)
{
    atomic_bool cancel;
    atomic_init(&cancel, true);
    struct kernel kernel = {.body = "LOOP: bra LOOP;", .cancel = &cancel};
    expect(&kernel, STATUS_CANCELLED);
}
END_TEST

START_TEST(a_launch_ends_at_its_deadline)
{
    double begun = clock_seconds();
    struct kernel kernel = {
        .body = "LOOP: add.u32 %r1, %r1, 1; bra LOOP;", .budget = UINT64_MAX, .limit = clock_limit_of(0.05, 1)};
    expect(&kernel, STATUS_CANCELLED);
    ck_assert_double_ge(clock_seconds(), begun + 0.05);
}
END_TEST

// Several blocks are at fault: the one with the lowest number is reported, whichever is first.
START_TEST(the_first_faulty_block_is_told)
{
    uint32_t out[64] = {0};
    struct kernel kernel = {
        .grid = 64,
        .out = out,
        .out_size = sizeof out,
        .host_threads = 4,
        .body = "setp.lt.u32 %p1, %r3, 9; @%p1 ret; mul.wide.u32 %rd5, %r3, 4096; add.s64 %rd5, %rd1, %rd5;\n"
                "st.global.u32 [%rd5], %r1;"};
    expect(&kernel, STATUS_FAULT);
    ck_assert_uint_eq(kernel.result.block[0], 9);
    ck_assert_ptr_nonnull(
        strstr(kernel.diagnostic.message, "block (9,0,0) thread (0,0,0) writes 4 bytes, 36608 bytes past"));
}
END_TEST

Suite *suite_machine(void)
{
    Suite *suite = suite_create("machine");
    TCase *tests = tcase_create("machine");
    tcase_add_test(tests, divergent_lanes_meet_again);
    tcase_add_test(tests, lanes_leave_a_loop_one_by_one_and_meet_behind_it);
    tcase_add_loop_test(tests, lanes_meet_in_a_loop_that_some_leave, 0, 3);
    tcase_add_loop_test(tests, lanes_meet_whatever_way_others_leave, 0, 3);
    tcase_add_loop_test(tests, lanes_meet_at_the_head_of_a_loop, 0, 3);
    tcase_add_loop_test(tests, a_block_reverses_through_shared_memory, 0, 3);
    tcase_add_test(tests, a_lone_warp_waits_for_nobody);
    tcase_add_loop_test(tests, faults_name_thread_buffer_and_distance, 0, sizeof faults / sizeof *faults);
    tcase_add_test(tests, an_endless_kernel_runs_into_its_budget);
    tcase_add_loop_test(tests, messages_name_the_line_of_the_source, 0, 2);
    tcase_add_loop_test(tests, where_and_when_a_block_runs_is_drawn, 0, 4);
    tcase_add_loop_test(tests, products_in_a_row_are_as_single_ones, 0, 3);
    tcase_add_test(tests, what_nobody_wrote_is_no_number);
    tcase_add_test(tests, a_launch_can_be_cancelled);
    tcase_add_test(tests, a_launch_ends_at_its_deadline);
    tcase_add_test(tests, the_first_faulty_block_is_told);
    suite_add_tcase(suite, tests);
    return suite;
}
