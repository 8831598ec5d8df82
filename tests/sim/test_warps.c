// Exchange between lanes, barriers of a block, and what the machine notices about them.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "../support/kernel.h"

Suite *suite_warps(void);

static void expect(struct kernel *kernel, enum status status)
{
    enum status got = kernel_run(kernel);
    ck_assert_msg(got == status, "%s: %s", status_name(got), kernel->diagnostic.message);
}

// ---- what an observer is told

struct seen {
    unsigned notices[SIM_NOTICE_UNINITIALISED + 1];
    uint32_t mask[SIM_NOTICE_UNINITIALISED + 1];
    uint32_t accesses, syncs, steps, skipped, blocks;
    uint64_t first_address;
    uint32_t first_mask;
    uint32_t stored;
};

static void on_notice(void *state, const struct sim_notice *notice)
{
    struct seen *seen = state;
    seen->notices[notice->kind]++;
    seen->mask[notice->kind] = notice->mask;
}

static void on_access(void *state, const struct sim_access *access)
{
    struct seen *seen = state;
    if (!seen->accesses++) {
        seen->first_address = access->addresses[1];
        seen->first_mask = access->mask;
    }
    seen->skipped += access->mask == 0;
    if (access->kind == SIM_STORE && access->mask)
        memcpy(&seen->stored, access->values + 3 * access->value_stride, 4);
}

static void on_sync(void *state, const struct sim_sync *sync)
{
    (void)sync;
    ((struct seen *)state)->syncs++;
}

static void on_step(void *state, const struct sim_step *step)
{
    (void)step;
    ((struct seen *)state)->steps++;
}

static void on_block(void *state, const struct sim_block *block)
{
    (void)block;
    ((struct seen *)state)->blocks++;
}

static struct sim_observer observer_of(struct seen *seen, unsigned wants)
{
    return (struct sim_observer){.wants = wants,
                                 .context = seen,
                                 .notice = on_notice,
                                 .access = on_access,
                                 .sync = on_sync,
                                 .step = on_step,
                                 .block_end = on_block};
}

// ---- exchange: %r10 holds lane * 10 before; want gives each lane's answer

static uint32_t up_2(uint32_t l)
{
    return l >= 2 ? (l - 2) * 10 : l * 10;
}
static uint32_t up_2_of_8(uint32_t l)
{
    return l % 8 >= 2 ? (l - 2) * 10 : l * 10;
}
static uint32_t down_3(uint32_t l)
{
    return l + 3 < 32 ? (l + 3) * 10 : l * 10;
}
static uint32_t down_3_of_16(uint32_t l)
{
    return l % 16 + 3 < 16 ? (l + 3) * 10 : l * 10;
}
static uint32_t butterfly(uint32_t l)
{
    return (l ^ 5) * 10;
}
static uint32_t index_3_of_8(uint32_t l)
{
    return (l / 8 * 8 + 3) * 10;
}
static uint32_t inside_down_3(uint32_t l)
{
    return l + 3 < 32;
}
static uint32_t odd_lanes(uint32_t l)
{
    (void)l;
    return 0xaaaaaaaa;
}
static uint32_t one(uint32_t l)
{
    (void)l;
    return 1;
}
static uint32_t zero(uint32_t l)
{
    (void)l;
    return 0;
}
static uint32_t same_parity(uint32_t l)
{
    return l & 1 ? 0xaaaaaaaa : 0x55555555;
}
static uint32_t full(uint32_t l)
{
    (void)l;
    return 0xffffffff;
}
static uint32_t sum(uint32_t l)
{
    (void)l;
    return 4960;
}
static uint32_t most(uint32_t l)
{
    (void)l;
    return 310;
}
static uint32_t either(uint32_t l)
{
    (void)l;
    return 510;
}
static uint32_t leader(uint32_t l)
{
    return l == 4 ? 1 : 0;
}

static const struct {
    const char *inst;
    uint32_t (*want)(uint32_t lane);
} exchanges[] = {
    {"shfl.sync.up.b32 %r11, %r10, 2, 0, -1;", up_2},
    {"shfl.sync.up.b32 %r11, %r10, 2, 0x1800, -1;", up_2_of_8},
    {"shfl.sync.down.b32 %r11, %r10, 3, 31, -1;", down_3},
    {"shfl.sync.down.b32 %r11, %r10, 3, 0x101f, -1;", down_3_of_16},
    {"shfl.sync.down.b32 %r12|%p1, %r10, 3, 31, -1; selp.u32 %r11, 1, 0, %p1;", inside_down_3},
    {"shfl.sync.bfly.b32 %r11, %r10, 5, 31, -1;", butterfly},
    {"shfl.sync.idx.b32 %r11, %r10, 3, 0x181f, -1;", index_3_of_8},
    {"shfl.sync.idx.b32 %r11, %r10, 11, 0x181f, -1;", index_3_of_8},
    {"and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 1; vote.sync.ballot.b32 %r11, %p1, -1;", odd_lanes},
    {"and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 1; vote.ballot.sync.b32 %r11, %p1, -1;", odd_lanes}, // the old order
    {"and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0; vote.sync.ballot.b32 %r11, !%p1, -1;", odd_lanes},
    {"setp.eq.u32 %p1, %r1, 7; vote.sync.any.pred %p2, %p1, -1; selp.u32 %r11, 1, 0, %p2;", one},
    {"setp.eq.u32 %p1, %r1, 7; vote.sync.all.pred %p2, %p1, -1; selp.u32 %r11, 1, 0, %p2;", zero},
    {"setp.eq.u32 %p1, %r1, 77; vote.sync.uni.pred %p2, %p1, -1; selp.u32 %r11, 1, 0, %p2;", one},
    {"and.b32 %r5, %r1, 1; match.any.sync.b32 %r11, %r5, -1;", same_parity},
    {"match.all.sync.b32 %r11|%p1, 5, -1; @!%p1 mov.u32 %r11, 3;", full},
    {"match.all.sync.b32 %r11|%p1, %r1, -1; @%p1 mov.u32 %r11, 3;", zero},
    {"and.b32 %r5, %r1, 1; cvt.u64.u32 %rd10, %r5; match.any.sync.b64 %r11, %rd10, -1;", same_parity},
    {"redux.sync.add.s32 %r11, %r10, -1;", sum},
    {"redux.sync.max.u32 %r11, %r10, -1;", most},
    {"redux.sync.min.s32 %r11, %r10, -1;", zero},
    {"redux.sync.or.b32 %r11, %r10, -1;", either},
    {"redux.sync.and.b32 %r11, %r10, -1;", zero},
    {"elect.sync %r12|%p1, 0xfffffff0; selp.u32 %r11, 1, 0, %p1;", leader},
    {"activemask.b32 %r11;", full},
};

START_TEST(lanes_exchange_as_ptx_says)
{
    uint32_t out[32] = {0};
    struct text body = {0};
    bool elects = strstr(exchanges[_i].inst, "elect") != NULL;
    text_printf(&body, "mul.lo.u32 %%r10, %%r1, 10;\n%s %s st.global.u32 [%%rd3], %%r11;",
                elects ? "setp.lt.u32 %p5, %r1, 4; @%p5 ret;" : "", exchanges[_i].inst);
    struct kernel kernel = {.body = text_get(&body), .out = out, .out_size = sizeof out};
    expect(&kernel, STATUS_OK);
    text_free(&body);
    for (uint32_t l = 0; l < 32; l++)
        ck_assert_msg(out[l] == exchanges[_i].want(l), "%s lane %u: %#x, not %#x", exchanges[_i].inst, l, out[l],
                      exchanges[_i].want(l));
}
END_TEST

START_TEST(part_of_a_warp_exchanges_among_itself)
{
    uint32_t out[32] = {0};
    struct kernel kernel = {
        .out = out,
        .out_size = sizeof out,
        .body = "mov.u32 %r11, 0; and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0; @%p1 bra DONE;\n"
                "shfl.sync.down.b32 %r11, %r1, 2, 31, 0xaaaaaaaa;\nDONE: st.global.u32 [%rd3], %r11;",
    };
    expect(&kernel, STATUS_OK);
    for (uint32_t l = 0; l < 32; l++)
        ck_assert_uint_eq(out[l], l % 2 == 0 ? 0 : l + 2 < 32 ? l + 2 : l);
}
END_TEST

// ---- groups of lanes

#define GROUP(name, start, step)                                                                                       \
    static uint32_t group_##name(const uint32_t *mask, const uint32_t *value, uint32_t lane)                           \
    {                                                                                                                  \
        uint32_t r = start;                                                                                            \
        for (uint32_t k = 0; k < 32; k++)                                                                              \
            if (mask[lane] >> k & 1)                                                                                   \
                step;                                                                                                  \
        return value ? r : 0;                                                                                          \
    }
GROUP(sum, 0, r += value[k])
GROUP(most, 0, r = value[k] > r ? value[k] : r)
GROUP(odd, 0, r |= (value[k] & 1) << k)
GROUP(any, 0, r |= value[k] & 1)
GROUP(alike, 0, r |= (uint32_t)(value[k] % 2 == value[lane] % 2) << k)
GROUP(agrees, 1, r &= value[k] % 2 == value[lane] % 2)
GROUP(first, 32, r = k < r ? k : r)
GROUP(last, 0, r = value[k])

// Lanes with one mask are a group, whatever lanes of other groups do: %r10 is the lane's mask, %r12 its value. The
// lanes come to the instruction together, or the odd ones later, around a jump past it that nobody takes, or those have
// an instruction of their own in the other branch, and whoever goes on first changes what it brought.
enum { TOGETHER, LATE, APART, WAYS };
static const struct {
    const char *inst;
    uint32_t (*want)(const uint32_t *mask, const uint32_t *value, uint32_t lane);
} grouped[] = {
    {"redux.sync.add.u32 %r11, %r12, %r10;", group_sum},
    {"redux.sync.max.u32 %r11, %r12, %r10;", group_most},
    {"and.b32 %r5, %r12, 1; setp.ne.u32 %p4, %r5, 0; vote.sync.ballot.b32 %r11, %p4, %r10;", group_odd},
    {"and.b32 %r5, %r12, 1; setp.ne.u32 %p4, %r5, 0; vote.sync.any.pred %p5, %p4, %r10; selp.u32 %r11, 1, 0, %p5;",
     group_any},
    {"and.b32 %r5, %r12, 1; setp.eq.u32 %p4, %r5, 0; vote.sync.all.pred %p5, %p4, %r10; selp.u32 %r11, 0, 1, %p5;",
     group_any},
    {"and.b32 %r5, %r12, 1; match.any.sync.b32 %r11, %r5, %r10;", group_alike},
    {"and.b32 %r5, %r12, 1; match.all.sync.b32 %r11|%p4, %r5, %r10; selp.u32 %r11, 1, 0, %p4;", group_agrees},
    {"elect.sync %r11|%p4, %r10;", group_first},
    {"bfind.u32 %r5, %r10; shfl.sync.idx.b32 %r11, %r12, %r5, 31, %r10;", group_last},
};

START_TEST(each_group_of_lanes_exchanges_among_itself)
{
    for (uint32_t labels = 1; labels <= 8; labels++)
        for (int way = TOGETHER; way < WAYS; way++)
            for (int schedule = 0; schedule < 3; schedule++) {
                uint32_t in[64], out[32] = {0};
                struct text body = {0};
                struct seen seen = {0};
                struct sim_observer observer = observer_of(&seen, SIM_WANT_NOTICE);
                for (uint32_t l = 0; l < 32; l++) {
                    in[l] = 0;
                    in[32 + l] = l * 2654435761u >> 20;
                    for (uint32_t k = 0; k < 32; k++)
                        in[l] |= (uint32_t)(k * k % 31 % labels == l * l % 31 % labels) << k;
                }
                text_printf(&body,
                            "ld.global.u32 %%r10, [%%rd2]; ld.global.u32 %%r12, [%%rd2+128]; and.b32 %%r5, %%r1, 1;\n"
                            "setp.eq.u32 %%p1, %%r5, %d; setp.gt.u32 %%p2, %%r1, 99; @%%p1 bra ODD; bra HERE;\n"
                            "ODD: @%%p2 bra PAST;\n%s%s\nHERE: %s mov.u32 %%r12, 77;\n"
                            "PAST: st.global.u32 [%%rd3], %%r11;",
                            way == TOGETHER ? 2 : 1, way == APART ? grouped[_i].inst : "",
                            way == APART ? " mov.u32 %r12, 99; bra PAST;" : "", grouped[_i].inst);
                struct kernel kernel = {.body = text_get(&body),
                                        .in = in,
                                        .in_size = sizeof in,
                                        .out = out,
                                        .out_size = sizeof out,
                                        .observers = &observer,
                                        .observer_count = 1,
                                        .schedule = (enum sim_schedule)schedule,
                                        .seed = 3};
                expect(&kernel, STATUS_OK);
                text_free(&body);
                bool drawn = schedule == SIM_RANDOM && grouped[_i].want == group_first; // any lane of the group
                for (uint32_t l = 0; drawn && l < 32; l++)
                    ck_assert(out[l] < 32 && in[l] >> out[l] & 1 && out[l] == out[group_first(in, in + 32, l)]);
                for (uint32_t l = 0; !drawn && l < 32; l++)
                    ck_assert_msg(out[l] == grouped[_i].want(in, in + 32, l),
                                  "%s, %u groups, way %d, lane %u: %#x, not %#x", grouped[_i].inst, labels, way, l,
                                  out[l], grouped[_i].want(in, in + 32, l));
                ck_assert_uint_eq(seen.notices[SIM_NOTICE_MEMBERMASK], 0);
                ck_assert_uint_eq(seen.notices[SIM_NOTICE_SHUFFLE_INACTIVE], 0);
            }
}
END_TEST

// Tickets of one instruction: in turn by lane, or in an order that the seed draws.
START_TEST(lanes_of_an_atomic_come_in_any_order)
{
    for (int schedule = 0; schedule < 2; schedule++) {
        uint32_t out[32], seen = 0;
        bool in_turn = true;
        struct kernel kernel = {.before = ".shared .align 4 .u32 cell;",
                                .body = "st.shared.u32 [cell], 0;\nbar.sync 0;\natom.shared.add.u32 %r11, [cell], 1;\n"
                                        "st.global.u32 [%rd3], %r11;",
                                .out = out,
                                .out_size = sizeof out,
                                .schedule = schedule ? SIM_RANDOM : SIM_ROUND_ROBIN,
                                .seed = 5};
        expect(&kernel, STATUS_OK);
        for (uint32_t l = 0; l < 32; l++) {
            seen |= UINT32_C(1) << out[l] % 32;
            in_turn &= out[l] == l;
        }
        ck_assert_uint_eq(seen, UINT32_MAX);
        ck_assert_int_eq(in_turn, !schedule);
    }
}
END_TEST

START_TEST(reserved_shared_memory_lies_behind_the_kernels_own)
{
    uint32_t out[32] = {0};
    struct kernel kernel = {
        .before = ".shared .align 4 .b8 cell[128];",
        .out = out,
        .out_size = sizeof out,
        .dynamic_shared = 64,
        .body = "mov.u32 %r9, cell; shl.b32 %r5, %r1, 2; add.u32 %r9, %r9, %r5; st.shared.u32 [%r9], %r1;\n"
                "mov.u32 %r6, %reserved_smem_offset_1; mov.u32 %r7, 7; st.shared.u32 [%r6+284], %r7; bar.sync 0;\n"
                "ld.shared.u32 %r10, [%r9]; mov.u32 %r8, %reserved_smem_offset_cap; mad.lo.u32 %r10, %r8, 100, %r10;\n"
                "st.global.u32 [%rd3], %r10; mov.u32 %r11, %total_smem_size; setp.gt.u32 %p1, %r11, %r6; @%p1 trap;\n",
    };
    expect(&kernel, STATUS_OK);
    for (uint32_t l = 0; l < 32; l++)
        ck_assert_uint_eq(out[l], l + 102400);
}
END_TEST

// ---- barriers

static const struct {
    const char *body;
    uint32_t first, last; // answers of threads 0 and 127
} barriers[] = {
    // warps 0 and 1 meet warps 2 and 3 in pairs
    {"mov.u32 %r10, 1; setp.lt.u32 %p1, %r1, 64; @%p1 bra A; st.shared.u32 [%r9+4], %r10; bar.arrive 3, 128; bra B;\n"
     "A: bar.sync 3, 128; ld.shared.u32 %r10, [%r9+4]; add.u32 %r10, %r10, 6;\nB:",
     7, 1},
    {"setp.lt.u32 %p1, %r1, 5; bar.red.popc.u32 %r10, 0, %p1;", 5, 5},
    {"setp.lt.u32 %p1, %r1, 5; bar.red.popc.u32 %r10, 0, !%p1;", 123, 123},
    {"setp.lt.u32 %p1, %r1, 5; bar.red.or.pred %p2, 0, %p1; selp.u32 %r10, 1, 0, %p2;", 1, 1},
    {"setp.lt.u32 %p1, %r1, 5; bar.red.and.pred %p2, 0, %p1; selp.u32 %r10, 1, 0, %p2;", 0, 0},
    {"setp.lt.u32 %p1, %r1, 500; barrier.sync 2; barrier.red.and.pred %p2, 1, 128, %p1; selp.u32 %r10, 1, 0, %p2;", 1,
     1},
    // half of the threads have ended: the others meet without them
    {"setp.ge.u32 %p1, %r1, 40; @%p1 bra OUT; bar.sync 0; mov.u32 %r10, 9; st.global.u32 [%rd3], %r10; ret;\n"
     "OUT: mov.u32 %r10, 4;",
     9, 4},
    {"barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned; mov.u32 %r10, %cluster_nctarank;",
     1, 1},
};

START_TEST(barriers_count_threads)
{
    uint32_t out[128] = {0};
    struct text body = {0};
    text_printf(&body, "mov.u32 %%r9, cell; %s st.global.u32 [%%rd3], %%r10;", barriers[_i].body);
    struct kernel kernel = {.before = ".shared .align 4 .b8 cell[64];",
                            .body = text_get(&body),
                            .block = 128,
                            .out = out,
                            .out_size = sizeof out};
    for (int schedule = 0; schedule < 3; schedule++) {
        kernel.schedule = (enum sim_schedule)schedule;
        kernel.seed = 2;
        expect(&kernel, STATUS_OK);
        ck_assert_uint_eq(out[0], barriers[_i].first);
        ck_assert_uint_eq(out[127], barriers[_i].last);
    }
    text_free(&body);
}
END_TEST

static const struct {
    const char *body, *message;
} barrier_faults[] = {
    {"setp.lt.u32 %p1, %r1, 64; @%p1 bra A; bar.sync 1; bra B;\nA: bar.sync 2;\nB:",
     "block (0,0,0) thread (0,0,0) waits for ever: 64 of 128 threads are at barrier 2, and no other thread can run"},
    {"bar.sync 0, 256;",
     "block (0,0,0) thread (0,0,0) waits for ever: 128 of 256 threads are at barrier 0, and no other thread can run"},
    {"bar.sync 0, 33;", "block (0,0,0) thread (0,0,0) waits for 33 threads at barrier 0; it must be a multiple of 32"},
    {"mov.u32 %r5, 16; bar.sync %r5;", "block (0,0,0) thread (0,0,0) uses barrier 16; there are 16, 0 to 15"},
};

START_TEST(a_barrier_that_cannot_open_is_a_fault)
{
    struct kernel kernel = {.body = barrier_faults[_i].body, .block = 128};
    expect(&kernel, STATUS_FAULT);
    ck_assert_str_eq(kernel.diagnostic.message, barrier_faults[_i].message);
}
END_TEST

// ---- notices

static const struct {
    const char *body;
    enum sim_notice_kind kind;
    unsigned times;
    uint32_t mask;
} noticed[] = {
    {"setp.lt.u32 %p1, %r1, 16; @%p1 bra A; bar.sync 0; bra B;\nA: bar.sync 0;\nB:", SIM_NOTICE_BARRIER_DIVERGED, 1,
     0xffffffff},
    {"setp.lt.u32 %p1, %r1, 16; @%p1 bra A; bra B;\nA: bar.sync 0;\nB:", SIM_NOTICE_BARRIER_ENDED, 1, 0xffff},
    {"setp.lt.u32 %p1, %r1, 16; @%p1 ret; bar.sync 0;", SIM_NOTICE_BARRIER_ENDED, 1, 0xffff0000},
    {"setp.lt.u32 %p1, %r1, 16; @%p1 bra A; bra B;\nA: shfl.sync.idx.b32 %r5, %r1, 0, 31, -1;\nB: bar.sync 0;",
     SIM_NOTICE_MEMBERMASK, 1, 0xffff},
    // lanes that went past it are at the next one, and past that when the others come there
    {"setp.lt.u32 %p1, %r1, 16; @%p1 bra A; bra B;\nA: shfl.sync.idx.b32 %r5, %r1, 0, 31, -1;\n"
     "B: shfl.sync.idx.b32 %r6, %r1, 0, 31, -1; bar.sync 0;",
     SIM_NOTICE_MEMBERMASK, 2, 0xffff},
    {"shfl.sync.idx.b32 %r5, %r1, 0, 31, 0xffff;", SIM_NOTICE_MEMBERMASK, 1, 0xffff0000},
    {"setp.lt.u32 %p1, %r1, 16; @%p1 bra A; shfl.sync.idx.b32 %r5, %r1, 3, 31, 0xffff0000; bra A;\nA: bar.sync 0;",
     SIM_NOTICE_SHUFFLE_INACTIVE, 1, 0xffff0000},
    {"mov.u32 %r9, cell; shl.b32 %r5, %r1, 2; add.u32 %r9, %r9, %r5; setp.lt.u32 %p1, %r1, 4;\n"
     "@%p1 st.shared.u32 [%r9], %r1; ld.shared.u32 %r6, [%r9];",
     SIM_NOTICE_UNINITIALISED, 1, 0xfffffff0},
    // lane 0 names lane 1, which is here with another mask
    {"setp.eq.u32 %p1, %r1, 0; selp.u32 %r5, 3, 0xfffffffe, %p1; bar.warp.sync %r5;", SIM_NOTICE_MEMBERMASK, 1, 1},
    // a value from a lane that takes part, of another group
    {"setp.lt.u32 %p1, %r1, 16; selp.u32 %r5, 0xffff, 0xffff0000, %p1; shfl.sync.idx.b32 %r6, %r1, 3, 31, %r5;",
     SIM_NOTICE_SHUFFLE_INACTIVE, 1, 0xffff0000},
    {"setp.lt.u32 %p1, %r1, 4; @%p1 st.global.u32 [%rd3], %r1; ld.global.u32 %r6, [%rd3];", SIM_NOTICE_UNINITIALISED, 1,
     0xfffffff0},
};

START_TEST(wrong_but_running_code_is_noticed)
{
    uint32_t out[32] = {0};
    struct seen seen = {0};
    struct sim_observer observer = observer_of(&seen, SIM_WANT_NOTICE);
    struct kernel kernel = {.before = ".shared .align 4 .b8 cell[128];",
                            .body = noticed[_i].body,
                            .out = out,
                            .out_size = sizeof out,
                            .track = true,
                            .observers = &observer,
                            .observer_count = 1};
    expect(&kernel, STATUS_OK);
    for (unsigned k = 0; k < 5; k++)
        ck_assert_msg(seen.notices[k] == (k == noticed[_i].kind ? noticed[_i].times : 0), "case %d: notice %u %u times",
                      _i, k, seen.notices[k]);
    ck_assert_uint_eq(seen.mask[noticed[_i].kind], noticed[_i].mask);
}
END_TEST

START_TEST(right_code_is_not_noticed)
{
    static const char *const bodies[] = {
        "bar.warp.sync -1; bar.sync 0;",
        "and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0; @%p1 bra A; bar.warp.sync 0xaaaaaaaa; bra B;\n"
        "A: bar.warp.sync 0x55555555;\nB: bar.warp.sync -1; bar.sync 0;",
        "setp.lt.u32 %p1, %r1, 16; @%p1 bra A; bar.warp.sync -1; bra B;\nA: bar.warp.sync -1;\nB: bar.sync 0;",
        "mov.u32 %r9, cell; shl.b32 %r5, %r1, 2; add.u32 %r9, %r9, %r5; st.shared.u32 [%r9], %r1; bar.sync 0;\n"
        "ld.shared.u32 %r6, [%r9]; st.global.u32 [%rd3], %r6; ld.global.u32 %r6, [%rd3];",
        "mov.u32 %r5, 0;\nL: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, %r1; @%p1 bra L; bar.sync 0;",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        for (int schedule = 0; schedule < 3; schedule++) {
            uint32_t out[128] = {0};
            struct seen seen = {0};
            struct sim_observer observer = observer_of(&seen, SIM_WANT_NOTICE);
            struct kernel kernel = {.before = ".shared .align 4 .b8 cell[512];",
                                    .body = bodies[i],
                                    .out = out,
                                    .out_size = sizeof out,
                                    .track = true,
                                    .observers = &observer,
                                    .block = 128,
                                    .observer_count = 1,
                                    .schedule = (enum sim_schedule)schedule,
                                    .seed = 17};
            expect(&kernel, STATUS_OK);
            for (unsigned k = 0; k < 5; k++)
                ck_assert_msg(seen.notices[k] == 0, "kernel %zu, schedule %d: notice %u", i, schedule, k);
        }
}
END_TEST

START_TEST(observers_see_accesses_syncs_steps_and_blocks)
{
    uint32_t in[64] = {0}, out[64] = {0};
    struct seen seen = {0}, quiet = {0};
    struct sim_observer observers[] = {
        observer_of(&seen, SIM_WANT_ACCESS_SHARED | SIM_WANT_SYNC | SIM_WANT_STEP),
        observer_of(&quiet, SIM_WANT_ACCESS_OTHER),
    };
    struct sim_count counts[512] = {0};
    struct kernel kernel = {
        .before = ".shared .align 4 .b8 cell[128];",
        .grid = 2,
        .in = in,
        .in_size = sizeof in,
        .out = out,
        .out_size = sizeof out,
        .observers = observers,
        .observer_count = 2,
        .counts = counts,
        .body = "mov.u32 %r9, cell; shl.b32 %r5, %r1, 2; add.u32 %r9, %r9, %r5; setp.lt.u32 %p1, %r1, 4;\n"
                "@%p1 st.shared.u32 [%r9], %r1; bar.sync 0; setp.gt.u32 %p2, %r1, 50; @%p2 ld.shared.u32 %r6, [%r9];",
    };
    kernel.host_threads = 1;
    expect(&kernel, STATUS_OK);
    ck_assert_uint_eq(seen.blocks, 2);
    ck_assert_uint_eq(seen.accesses, 4);
    ck_assert_uint_eq(seen.skipped, 2);
    ck_assert_uint_eq(seen.first_mask, 0xf);
    ck_assert_uint_eq(seen.first_address, 4);
    ck_assert_uint_eq(seen.stored, 3);
    ck_assert_uint_eq(seen.syncs, 6); // arrive, complete, exit; twice
    ck_assert_uint_eq(seen.steps, kernel.result.warp_instructions);
    ck_assert_uint_eq(quiet.accesses, 0);
    uint64_t warps = 0, threads = 0;
    for (int i = 0; i < 512; i++) {
        warps += counts[i].warps;
        threads += counts[i].threads;
    }
    ck_assert_uint_eq(warps, kernel.result.warp_instructions);
    ck_assert_uint_eq(threads, kernel.result.thread_instructions);
    ck_assert_uint_eq(threads, 2 * (17 * 32 + 4));
}
END_TEST

// %r10 to %r13 live within a block each and share two places; half the lanes wait in the middle of one of the blocks
// while the other half goes through the other one, in whatever order.
START_TEST(lanes_keep_what_shares_a_place_with_others)
{
    static const enum sim_schedule schedules[] = {SIM_ROUND_ROBIN, SIM_RANDOM, SIM_ONE_AHEAD};
    uint32_t out[32] = {0};
    struct kernel kernel = {.out = out,
                            .out_size = sizeof out,
                            .schedule = schedules[_i],
                            .body = "setp.lt.u32 %p1, %r1, 16; @%p1 bra A;\n"
                                    "mul.lo.u32 %r10, %r1, 5; add.u32 %r11, %r10, 7; bar.warp.sync -1;\n"
                                    "mul.lo.u32 %r10, %r10, %r11; st.global.u32 [%rd3], %r10; bra B;\n"
                                    "A: mul.lo.u32 %r12, %r1, 3; add.u32 %r13, %r12, 9; bar.warp.sync -1;\n"
                                    "mul.lo.u32 %r12, %r12, %r13; st.global.u32 [%rd3], %r12;\nB:"};
    expect(&kernel, STATUS_OK);
    for (uint32_t lane = 0; lane < 32; lane++)
        ck_assert_uint_eq(out[lane], lane < 16 ? lane * 3 * (lane * 3 + 9) : lane * 5 * (lane * 5 + 7));
}
END_TEST

Suite *suite_warps(void)
{
    Suite *suite = suite_create("warps");
    TCase *tests = tcase_create("warps");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, lanes_exchange_as_ptx_says, 0, sizeof exchanges / sizeof *exchanges);
    tcase_add_test(tests, part_of_a_warp_exchanges_among_itself);
    tcase_add_loop_test(tests, each_group_of_lanes_exchanges_among_itself, 0, sizeof grouped / sizeof *grouped);
    tcase_add_test(tests, lanes_of_an_atomic_come_in_any_order);
    tcase_add_test(tests, reserved_shared_memory_lies_behind_the_kernels_own);
    tcase_add_loop_test(tests, barriers_count_threads, 0, sizeof barriers / sizeof *barriers);
    tcase_add_loop_test(tests, a_barrier_that_cannot_open_is_a_fault, 0,
                        sizeof barrier_faults / sizeof *barrier_faults);
    tcase_add_loop_test(tests, wrong_but_running_code_is_noticed, 0, sizeof noticed / sizeof *noticed);
    tcase_add_test(tests, right_code_is_not_noticed);
    tcase_add_test(tests, observers_see_accesses_syncs_steps_and_blocks);
    tcase_add_loop_test(tests, lanes_keep_what_shares_a_place_with_others, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
