// What passed through shared memory: kernels whose outputs come by way of it, beside it, or both.
#include <check.h>
#include <stdlib.h>

#include "../support/kernel.h"
#include "record/passage.h"

Suite *suite_passage(void);

enum { THREADS = 64, BLOCKS = 4, ELEMENTS = THREADS * BLOCKS };

// %rd4: this thread's word of the tile, %rd5: the word at the other end.
#define PLACES                                                                                                         \
    "mov.u64 %rd4, tile;\n"                                                                                            \
    "mul.wide.u32 %rd5, %r1, 4;\n"                                                                                     \
    "add.s64 %rd4, %rd4, %rd5;\n"                                                                                      \
    "mov.u64 %rd6, tile;\n"                                                                                            \
    "sub.s64 %rd5, %rd6, %rd5;\n"                                                                                      \
    "add.s64 %rd5, %rd5, 252;\n"
#define LOAD "ld.global.f32 %f0, [%rd2];\n"
#define FILL                                                                                                           \
    LOAD                                                                                                               \
    "st.shared.f32 [%rd4], %f0;\nbar.sync 0;\n"
#define TAKE "ld.shared.f32 %f1, [%rd5];\n"
#define PUT "st.global.f32 [%rd3], %f1;\nret;\n"
#define COPY "cp.async.ca.shared.global [%rd4], [%rd2], 4;\ncp.async.commit_group;\n"
#define WAIT "cp.async.wait_group 0;\nbar.sync 0;\n"
// The first half of the tile into the second, whose words are read from then on.
#define MOVE(opcode, how)                                                                                              \
    "setp.eq.u32 %p0, %r1, 0;\n@%p0 mbarrier.init.shared::cta.b64 [bar], 1;\n"                                         \
    "fence.proxy.async.shared::cta;\nbar.sync 0;\n"                                                                    \
    "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 256;\n@%p0 " opcode                                      \
    ".bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes" how " [tile+256], [tile], 256, "                  \
    "[bar];\n$wait:\nmbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0;\n@!%p2 bra $wait;\n"                      \
    "add.s64 %rd4, %rd4, 256;\nadd.s64 %rd5, %rd5, 256;\n"
// Two words of the thread beside it: the first was copied, the second stored.
#define PAIRS                                                                                                          \
    "add.s64 %rd7, %rd4, %rd4;\nsub.s64 %rd7, %rd7, %rd6;\n"                                                           \
    "cp.async.ca.shared.global [%rd7], [%rd2], 4;\ncp.async.commit_group;\n" LOAD                                      \
    "st.shared.f32 [%rd7+4], %f0;\n"                                                                                   \
    "cp.async.wait_group 0;\nbar.sync 0;\nxor.b64 %rd7, %rd7, 8;\nld.shared.v2.f32 {%f2, %f3}, [%rd7];\n"
// Four steps over the same element, which is fetched anew for each.
#define FOUR_STEPS(step)                                                                                               \
    "mov.u32 %r10, 0;\nmov.f32 %f1, 0f00000000;\n$again:\n" step                                                       \
    "add.f32 %f1, %f1, %f2;\nadd.u32 %r10, %r10, 1;\nsetp.lt.u32 %p1, %r10, 4;\n@%p1 bra $again;\n" PUT

static const struct {
    const char *label, *body;
    double shared, copies;
} bodies[] = {
    {"a tile", PLACES FILL TAKE PUT, 1, 0},
    {"no tile", LOAD "mov.f32 %f1, %f0;\n" PUT, 0, 0},
    {"a tile that is thrown away", PLACES FILL TAKE "mov.f32 %f1, %f0;\n" PUT, 0, 0},
    {"a tile times zero", PLACES FILL TAKE "fma.rn.f32 %f1, %f1, 0f00000000, %f0;\n" PUT, 0, 0},
    {"half a tile", PLACES FILL TAKE "setp.lt.u32 %p1, %r1, 32;\n@%p1 mov.f32 %f1, %f0;\n" PUT, 0.5, 0},
    {"a shuffle", LOAD "shfl.sync.bfly.b32 %f1, %f0, 31, 31, -1;\n" PUT, 0, 0},
    {"what comes from two sides", PLACES FILL TAKE "add.f32 %f1, %f1, %f0;\n" PUT, 0, 0},
    {"an index that was shared",
     PLACES FILL TAKE "cvt.rzi.u32.f32 %r5, %f1;\nand.b32 %r5, %r5, 0;\n"
                      "cvt.rn.f32.u32 %f2, %r5;\nadd.f32 %f1, %f1, %f2;\n" PUT,
     1, 0},
    {"asynchronous copies", PLACES COPY WAIT TAKE PUT, 1, 1},
    {"exchanges over copied words",
     PLACES COPY WAIT LOAD "mov.b32 %r5, %f0;\natom.shared.exch.b32 %r6, [%rd4], %r5;\nbar.sync 0;\n" TAKE PUT, 1, 0},
    {"additions to copied words", PLACES COPY WAIT LOAD "red.shared.add.f32 [%rd4], %f0;\nbar.sync 0;\n" TAKE PUT, 1,
     0},
    {"a copy beside a store",
     PLACES COPY WAIT TAKE LOAD "bar.sync 0;\nst.shared.f32 [%rd4], %f0;\nbar.sync 0;\n" TAKE PUT, 1, 0},
    {"sums of what was copied",
     PLACES COPY WAIT TAKE "bar.sync 0;\nadd.f32 %f1, %f1, %f1;\nst.shared.f32 [%rd4], %f1;\n"
                           "bar.sync 0;\n" TAKE PUT,
     1, 1},
    {"a bulk copy of what was copied", PLACES COPY "cp.async.wait_group 0;\n" MOVE("cp.async", "") TAKE PUT, 1, 1},
    {"a bulk copy of what was stored", PLACES LOAD "st.shared.f32 [%rd4], %f0;\n" MOVE("cp.async", "") TAKE PUT, 1, 0},
    {"a bulk copy of what was exchanged",
     PLACES LOAD "mov.b32 %r5, %f0;\natom.shared.exch.b32 %r6, [%rd4], %r5;\n" MOVE("cp.async", "") TAKE PUT, 1, 0},
    {"copied zeros reduced into what was stored",
     PLACES LOAD "st.shared.f32 [%rd4+256], %f0;\ncp.async.ca.shared.global [%rd4], [%rd2], 4, 0;\n"
                 "cp.async.wait_all;\n" MOVE("cp.reduce.async", ".or.b32") TAKE PUT,
     1, 0},
    {"of two words read at once the copied one", PLACES PAIRS "mov.f32 %f1, %f2;\n" PUT, 1, 1},
    {"of two words read at once the stored one", PLACES PAIRS "mov.f32 %f1, %f3;\n" PUT, 1, 0},
};

enum { MIXED = 2 }; // the first inputs, but for one in PASSAGE_MIXED
static float inputs[3][ELEMENTS], outputs[3][ELEMENTS];

static void fill_inputs(void)
{
    for (int i = 0; i < ELEMENTS; i++) {
        inputs[0][i] = (float)i + 1;
        inputs[1][i] = 1000 - 2 * (float)i;
        inputs[MIXED][i] = inputs[i % PASSAGE_MIXED == 3][i];
    }
}

static void run(const char *body, int which, uint32_t grid, unsigned host_threads, uint32_t lone_warp,
                struct sim_observer *observers, size_t count)
{
    struct kernel kernel = {.before = ".shared .align 16 .b8 tile[512];\n.shared .align 8 .b64 bar;\n",
                            .body = body,
                            .grid = grid,
                            .block = THREADS,
                            .cluster = 1,
                            .n = ELEMENTS,
                            .in = inputs[which],
                            .in_size = sizeof inputs[which],
                            .out = outputs[which],
                            .out_size = sizeof outputs[which],
                            .host_threads = host_threads,
                            .lone_warp = lone_warp,
                            .observers = observers,
                            .observer_count = count};
    ck_assert_msg(kernel_run(&kernel) == STATUS_OK, "%s", kernel.diagnostic.message);
}

// The share of the outputs of blocks [first, first + count) that stay.
static double share(const char *body, enum passage_kind kind, uint64_t first, uint64_t count, unsigned host_threads)
{
    struct passage *passage = passage_new(first, count);
    struct recorder *recorder = recorder_new(NULL, first, 1000);
    struct sim_observer keep[] = {passage_keeper(passage), recorder_observer(recorder)};
    struct recording recording;
    size_t same = 0;
    fill_inputs();
    run(body, 0, BLOCKS, host_threads, 0, keep, 2);
    recorder_take(recorder, &recording);
    ck_assert(passage_complete(passage));
    struct sim_observer give = passage_giver(passage, kind, kind == PASSAGE_AHEAD ? &recording : NULL);
    run(body, 1, BLOCKS, host_threads, 0, &give, 1);
    for (uint64_t i = first * THREADS; i < (first + count) * THREADS; i++)
        same += outputs[0][i] == outputs[1][i];
    recording_free(&recording);
    recorder_free(recorder);
    passage_free(passage);
    return (double)same / (double)(count * THREADS);
}

START_TEST(says_how_much_of_the_output_passed_through_shared_memory)
{
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        double shared = share(bodies[_i].body, PASSAGE_SHARED, 0, BLOCKS, threads);
        double copies = share(bodies[_i].body, PASSAGE_COPIES, 0, BLOCKS, threads);
        ck_assert_msg(shared == bodies[_i].shared, "%s: %g passed", bodies[_i].label, shared);
        ck_assert_msg(copies == bodies[_i].copies, "%s: %g by copies", bodies[_i].label, copies);
    }
}
END_TEST

START_TEST(tells_what_another_thread_put_there)
{
    static const char own[] = LOAD
    "shfl.sync.bfly.b32 %f0, %f0, 31, 31, -1;\n" PLACES
    "st.shared.f32 [%rd4], %f0;\nbar.sync 0;\nld.shared.f32 %f1, [%rd4];\n" PUT;
    static const char moved[] = PLACES FILL MOVE("cp.async", "") "mov.u64 %rd5, %rd4;\n" TAKE PUT;
    static const char half[] = PLACES FILL "setp.lt.u32 %p1, %r1, 32;\n@%p1 mov.u64 %rd5, %rd4;\n" TAKE PUT;
    ck_assert_double_eq(share(own, PASSAGE_SHARED, 0, BLOCKS, 4), 1);
    ck_assert_double_eq(share(own, PASSAGE_OTHERS, 0, BLOCKS, 4), 0);
    ck_assert_double_eq(share(moved, PASSAGE_OTHERS, 0, BLOCKS, 4), 0);
    ck_assert_double_eq(share(PLACES FILL MOVE("cp.async", "") TAKE PUT, PASSAGE_OTHERS, 0, BLOCKS, 4), 1);
    ck_assert_double_eq(share(half, PASSAGE_OTHERS, 0, BLOCKS, 4), 0.5);
    ck_assert_double_eq(share(PLACES FILL TAKE PUT, PASSAGE_OTHERS, 0, BLOCKS, 4), 1);
    ck_assert_double_eq(share(PLACES COPY WAIT TAKE PUT, PASSAGE_OTHERS, 0, BLOCKS, 4), 1);
}
END_TEST

#define ADD_OVER(lanes) "shfl.sync.bfly.b32 %f2, %f0, " lanes ", 31, -1;\nadd.f32 %f0, %f0, %f2;\n"
#define EXCHANGE PLACES "st.shared.f32 [%rd4], %f0;\nbar.sync 0;\n" TAKE PUT

static const struct {
    const char *label, *body;
    double tiles;
} sums[] = {
    {"a tile", PLACES FILL TAKE PUT, 1},
    {"a tile of doubled words", LOAD "add.f32 %f0, %f0, %f0;\n" EXCHANGE, 1},
    {"sums of two", LOAD ADD_OVER("1") EXCHANGE, 1},
    {"sums of four", LOAD ADD_OVER("1") ADD_OVER("2") EXCHANGE, 1},
    {"sums of a warp", LOAD ADD_OVER("1") ADD_OVER("2") ADD_OVER("4") ADD_OVER("8") ADD_OVER("16") EXCHANGE, 0},
    {"sums of a warp, whose words come from a tile",
     PLACES FILL TAKE "bar.sync 0;\nmov.f32 %f0, %f1;\n" ADD_OVER("1") ADD_OVER("2") ADD_OVER("4") ADD_OVER("8")
         ADD_OVER("16") "st.shared.f32 [%rd4+256], %f0;\nbar.sync 0;\nld.shared.f32 %f1, [%rd5+256];\n" PUT,
     1},
};

START_TEST(leaves_out_finished_sums)
{
    struct passage *passage = passage_new(0, BLOCKS), *mixed = passage_new(0, BLOCKS);
    struct sim_observer keep = passage_keeper(passage), keep_mixed = passage_keeper(mixed);
    size_t same = 0;
    fill_inputs();
    run(sums[_i].body, 0, BLOCKS, 4, 0, &keep, 1);
    run(sums[_i].body, MIXED, BLOCKS, 4, 0, &keep_mixed, 1);
    ck_assert(passage_has_stores(passage));
    passage_find_sums(passage, mixed, sizeof *inputs[0]);
    struct sim_observer give = passage_giver(passage, PASSAGE_TILES, NULL);
    run(sums[_i].body, 1, BLOCKS, 4, 0, &give, 1);
    for (int i = 0; i < ELEMENTS; i++)
        same += outputs[0][i] == outputs[1][i];
    ck_assert_msg((double)same == sums[_i].tiles * (double)ELEMENTS, "%s: %zu", sums[_i].label, same);
    ck_assert_double_eq(share(sums[_i].body, PASSAGE_SHARED, 0, BLOCKS, 4), 1);
    passage_free(mixed);
    passage_free(passage);
}
END_TEST

START_TEST(tells_blocks_apart)
{
    static const char body[] = PLACES FILL TAKE "mov.u32 %r5, %ctaid.x;\nsetp.eq.u32 %p1, %r5, 2;\n"
                                                "@%p1 mov.f32 %f1, %f0;\n" PUT;
    for (uint64_t block = 0; block < BLOCKS; block++)
        ck_assert_double_eq(share(body, PASSAGE_SHARED, block, 1, 4), block == 2 ? 0 : 1);
}
END_TEST

static const struct {
    const char *label, *body;
    double ahead;
} pipelines[] = {
    {"fetched before any work", PLACES COPY WAIT TAKE PUT, 1},
    {"one place", PLACES FOUR_STEPS(COPY WAIT "ld.shared.f32 %f2, [%rd5];\nbar.sync 0;\n"), 0},
    {"two places", // the next step's copy, into the other place, is under way while this step's word is read
     PLACES "mov.u64 %rd7, 256;\n" COPY FOUR_STEPS(WAIT "add.s64 %rd4, %rd4, %rd7;\n" COPY
                                                        "ld.shared.f32 %f2, [%rd5];\nadd.s64 %rd5, %rd5, %rd7;\n"
                                                        "neg.s64 %rd7, %rd7;\n"),
     1},
    {"one place, and junk under way",
     PLACES FOUR_STEPS(COPY WAIT "cp.async.ca.shared.global [%rd4 + 256], [%rd0], 4;\ncp.async.commit_group;\n"
                                 "ld.shared.f32 %f2, [%rd5];\n" WAIT),
     0},
    {"one place, the wait is late for show",
     PLACES FOUR_STEPS(COPY WAIT "ld.shared.f32 %f2, [%rd5];\nld.shared.f32 %f2, [%rd5];\nld.shared.f32 %f2, [%rd5];\n"
                                 "ld.shared.f32 %f2, [%rd5];\nld.shared.f32 %f2, [%rd5];\n"
                                 "ld.shared.f32 %f2, [%rd5];\nbar.sync 0;\n"),
     0},
};

// ---- two warps of a block, of which one runs again

#define TAKE_AT(index) index "mul.wide.u32 %rd5, %r5, 4;\nadd.s64 %rd5, %rd6, %rd5;\nmov.f32 %f1, 0f00000000;\n"

static const struct {
    const char *label, *body;
    double shared, copies, others; // of warp 0's outputs
} glances[] = {
    {"each lane its own word", PLACES FILL TAKE PUT, 1, 0, 1},
    {"all lanes one word", PLACES FILL TAKE_AT("mov.u32 %r5, 40;\n") TAKE PUT, 1, 0, 1},
    {"pairs of lanes", PLACES FILL TAKE_AT("shr.u32 %r5, %r1, 1;\nadd.u32 %r5, %r5, 32;\n") TAKE PUT, 1, 0, 1},
    {"half warps", PLACES FILL TAKE_AT("and.b32 %r5, %r1, 15;\nadd.u32 %r5, %r5, 32;\n") TAKE PUT, 1, 0, 1},
    {"half warps, their own words", PLACES FILL TAKE_AT("mov.u32 %r5, %r1;\n") TAKE PUT, 1, 0, 0},
    {"half warps, words of one of them", PLACES FILL TAKE_AT("and.b32 %r5, %r1, 15;\n") TAKE PUT, 1, 0, 1},
    {"words that a bulk copy took from where they were stored",
     PLACES LOAD "st.shared.f32 [%rd4], %f0;\n" MOVE("cp.async", "") TAKE PUT, 1, 0, 1},
    {"words that a bulk copy took from where they were stored, back to their owner",
     PLACES LOAD "st.shared.f32 [%rd4], %f0;\n" MOVE("cp.async", "") "mov.u64 %rd5, %rd4;\n" TAKE PUT, 1, 0, 0},
    {"words that a bulk copy took from where they were copied",
     PLACES COPY "cp.async.wait_group 0;\n" MOVE("cp.async", "") TAKE PUT, 1, 1, 1},
    {"half warps of copied words", PLACES COPY WAIT TAKE_AT("and.b32 %r5, %r1, 15;\nadd.u32 %r5, %r5, 32;\n") TAKE PUT,
     1, 1, 1},
};

static struct glance_tally glance_at(const char *body, enum passage_kind kind)
{
    struct glance *glance = glance_new();
    const uint32_t warps[GLANCE_WARPS] = {0, 1};
    struct sim_observer keep = glance_keeper(glance, warps);
    struct glance_tally tally;
    fill_inputs();
    run(body, 0, 1, 1, 0, &keep, 1);
    struct sim_observer give = glance_giver(glance, 0, kind);
    run(body, 1, 1, 1, 1, &give, 1);
    ck_assert(glance_take(glance, 0, &tally));
    glance_free(glance);
    return tally;
}

START_TEST(gives_one_warp_alone_what_it_read)
{
    const double wanted[PASSAGE_KINDS] = {[PASSAGE_SHARED] = glances[_i].shared,
                                          [PASSAGE_COPIES] = glances[_i].copies,
                                          [PASSAGE_OTHERS] = glances[_i].others};
    for (int kind = 0; kind < PASSAGE_KINDS; kind++) {
        if (kind == PASSAGE_AHEAD || kind == PASSAGE_TILES)
            continue;
        struct glance_tally tally = glance_at(glances[_i].body, (enum passage_kind)kind);
        double same = (double)tally.same / (double)tally.written;
        ck_assert_msg(same == wanted[kind], "%s, kind %d: %g passed", glances[_i].label, kind, same);
    }
}
END_TEST

// Other lanes read than in the first run, but as many: they get its values in order, of one word the last one's.
START_TEST(gives_as_many_lanes_what_others_read)
{
    static const char *const bodies_of[] = {
        PLACES FILL TAKE_AT(
            "add.u32 %r5, %r1, 32;\n") "cvt.rzi.u32.f32 %r5, %f0;\nand.b32 %r5, %r5, 16;\n"
                                       "setp.ne.u32 %p1, %r5, 0;\n@%p1 ld.shared.f32 %f1, [%rd5];\n" PUT,
        PLACES FILL TAKE_AT(
            "shr.u32 %r5, %r1, 1;\nadd.u32 %r5, %r5, 32;\n") "cvt.rzi.u32.f32 %r5, %f0;\n"
                                                             "and.b32 %r5, %r5, 16;\nsetp.ne.u32 %p1, %r5, 0;\n@%p1 "
                                                             "ld.shared.f32 %f1, [%rd5];\n" PUT,
    };
    struct glance_tally tally = glance_at(bodies_of[_i], PASSAGE_SHARED);
    int readers[2][32], counts[2] = {0, 0};
    float given[32];
    uint64_t same = 0;
    for (int lane = 0; lane < 32; lane++)
        for (int which = 0; which < 2; which++)
            if ((int)inputs[which][lane] & 16)
                readers[which][counts[which]++] = lane;
    ck_assert_int_eq(counts[0], counts[1]);
    for (int k = 0; k < counts[0]; k++)
        given[readers[1][k] >> _i] = inputs[0][32 + (readers[0][k] >> _i)];
    for (int lane = 0; lane < 32; lane++) {
        float first = (int)inputs[0][lane] & 16 ? inputs[0][32 + (lane >> _i)] : 0;
        same += ((int)inputs[1][lane] & 16 ? given[lane >> _i] : 0) == first;
    }
    ck_assert_uint_eq(tally.written, 32);
    ck_assert_uint_eq(tally.same, same);
}
END_TEST

START_TEST(tells_copies_that_were_under_way_while_work_was_done)
{
    double ahead = share(pipelines[_i].body, PASSAGE_AHEAD, 1, 1, 1);
    ck_assert_msg(ahead == pipelines[_i].ahead, "%s: %g", pipelines[_i].label, ahead);
}
END_TEST

// ---- products of a warp group: every thread stores four of their elements

enum { GROUP_THREADS = 128, TILE_BYTES = 4096, GROUP_ELEMENTS = GROUP_THREADS * 4 };

static uint16_t halves[2][TILE_BYTES / 2];
static float products[2][GROUP_ELEMENTS];

// The tile by a bulk copy, or by 32 bytes of each thread. Then A from it, or from where it came; B from it.
#define BY_BULK_COPY                                                                                                   \
    "setp.eq.u32 %p0, %r1, 0;\n@%p0 mbarrier.init.shared::cta.b64 [bar], 1;\nbar.sync 0;\n"                            \
    "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 4096;\n"                                                 \
    "@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0], 4096, [bar];\n"            \
    "$wait:\nmbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0;\n@!%p2 bra $wait;\n"
#define MINE "mul.wide.u32 %rd4, %r1, 32;\nadd.s64 %rd5, %rd0, %rd4;\nmov.u64 %rd6, tile;\nadd.s64 %rd6, %rd6, %rd4;\n"
#define BY_STORES                                                                                                      \
    MINE "ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd5];\nld.global.v4.u32 {%r14, %r15, %r16, %r17}, [%rd5+16];\n" \
         "st.shared.v4.u32 [%rd6], {%r10, %r11, %r12, %r13};\nst.shared.v4.u32 [%rd6+16], {%r14, %r15, %r16, %r17};\n" \
         "fence.proxy.async;\nbar.sync 0;\n"
#define MULTIPLY(a, last)                                                                                              \
    "mov.u32 %r20, tile;\nshr.b32 %r20, %r20, 4;\ncvt.u64.u32 %rd10, %r20;\nor.b64 %rd10, %rd10, 0x1000080000;\n"      \
    "add.s64 %rd11, %rd10, 128;\nsetp.ne.u32 %p3, %r1, %r1;\nwgmma.fence.sync.aligned;\n"                              \
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, " a ", %rd11, %p3, 1, 1, " last ";\n"   \
    "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"                                             \
    "mul.wide.u32 %rd4, %r1, 16;\nadd.s64 %rd4, %rd1, %rd4;\nst.global.v4.f32 [%rd4], {%f0, %f1, %f2, %f3};\nret;\n"
#define FROM_TILE MULTIPLY("%rd10", "0, 0")
#define FROM_REGISTERS MULTIPLY("{%r10, %r11, %r12, %r13}", "0")

static const struct {
    const char *label, *body;
    double shared[PASSAGE_KINDS];
} groups[] = {
    {"operands that a bulk copy brought",
     BY_BULK_COPY FROM_TILE,
     {[PASSAGE_SHARED] = 1, [PASSAGE_COPIES] = 1, [PASSAGE_AHEAD] = 1, [PASSAGE_OTHERS] = 1}},
    {"operands that were stored", BY_STORES FROM_TILE, {[PASSAGE_SHARED] = 1, [PASSAGE_OTHERS] = 1}},
    {"A from elsewhere", BY_BULK_COPY MINE "ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd5];\n" FROM_REGISTERS, {0}},
    {"A from the tile by ordinary loads",
     BY_BULK_COPY MINE "ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%rd6];\n" FROM_REGISTERS,
     {[PASSAGE_SHARED] = 1, [PASSAGE_COPIES] = 1, [PASSAGE_AHEAD] = 1, [PASSAGE_OTHERS] = 1}},
};

static void run_group(const char *body, int which, uint32_t lone_warp, struct sim_observer *observers, size_t count)
{
    struct kernel kernel = {.before = ".shared .align 1024 .b8 tile[4096];\n.shared .align 8 .b64 bar;\n",
                            .body = body,
                            .block = GROUP_THREADS,
                            .in = halves[which],
                            .in_size = sizeof halves[which],
                            .out = products[which],
                            .out_size = sizeof products[which],
                            .lone_warp = lone_warp,
                            .observers = observers,
                            .observer_count = count};
    ck_assert_msg(kernel_run(&kernel) == STATUS_OK, "%s", kernel.diagnostic.message);
}

static void fill_halves(void)
{
    for (int i = 0; i < TILE_BYTES / 2; i++) { // bfloat16 from 1 to 4
        halves[0][i] = (uint16_t)(0x3f80 + i * 37 % 256);
        halves[1][i] = (uint16_t)(0x3f80 + (i * 91 + 5) % 256);
    }
}

START_TEST(tells_by_what_a_product_got_its_operands)
{
    fill_halves();
    for (int kind = 0; kind < PASSAGE_KINDS; kind++) {
        struct passage *passage = passage_new(0, 1);
        struct recorder *recorder = recorder_new(NULL, 0, 1000);
        struct sim_observer keep[] = {passage_keeper(passage), recorder_observer(recorder)};
        struct recording recording;
        size_t same = 0;
        run_group(groups[_i].body, 0, 0, keep, 2);
        recorder_take(recorder, &recording);
        ck_assert_uint_eq(recording.product_count, 4);
        struct sim_observer give =
            passage_giver(passage, (enum passage_kind)kind, kind == PASSAGE_AHEAD ? &recording : NULL);
        run_group(groups[_i].body, 1, 0, &give, 1);
        for (int i = 0; i < GROUP_ELEMENTS; i++)
            same += products[0][i] == products[1][i];
        double wanted = groups[_i].shared[kind == PASSAGE_TILES ? PASSAGE_SHARED : kind]; // no sums are told of
        ck_assert_msg((double)same == wanted * (double)GROUP_ELEMENTS, "%s, kind %d: %zu", groups[_i].label, kind,
                      same);
        recording_free(&recording);
        recorder_free(recorder);
        passage_free(passage);
    }
}
END_TEST

// Also of a warp that did not make the barrier it waits at.
START_TEST(tells_of_one_warp_alone_by_what_a_product_got_its_operands)
{
    const uint32_t warps[GLANCE_WARPS] = {0, 2};
    fill_halves();
    for (int kind = 0; kind < PASSAGE_KINDS; kind++)
        for (int which = 0; which < GLANCE_WARPS && kind != PASSAGE_AHEAD && kind != PASSAGE_TILES; which++) {
            struct glance *glance = glance_new();
            struct sim_observer keep = glance_keeper(glance, warps);
            struct glance_tally tally;
            run_group(groups[_i].body, 0, 0, &keep, 1);
            struct sim_observer give = glance_giver(glance, which, (enum passage_kind)kind);
            run_group(groups[_i].body, 1, 1 + warps[which], &give, 1);
            ck_assert(glance_take(glance, which, &tally));
            ck_assert_uint_eq(tally.written, 32);
            ck_assert_msg((double)tally.same == groups[_i].shared[kind] * 32, "%s, kind %d, warp %u: %u",
                          groups[_i].label, kind, warps[which], (unsigned)tally.same);
            glance_free(glance);
        }
}
END_TEST

Suite *suite_passage(void)
{
    Suite *suite = suite_create("passage");
    TCase *tests = tcase_create("passage");
    tcase_add_loop_test(tests, says_how_much_of_the_output_passed_through_shared_memory, 0,
                        sizeof bodies / sizeof *bodies);
    tcase_add_test(tests, tells_what_another_thread_put_there);
    tcase_add_loop_test(tests, leaves_out_finished_sums, 0, sizeof sums / sizeof *sums);
    tcase_add_test(tests, tells_blocks_apart);
    tcase_add_loop_test(tests, tells_copies_that_were_under_way_while_work_was_done, 0,
                        sizeof pipelines / sizeof *pipelines);
    tcase_add_loop_test(tests, gives_one_warp_alone_what_it_read, 0, sizeof glances / sizeof *glances);
    tcase_add_loop_test(tests, gives_as_many_lanes_what_others_read, 0, 2);
    tcase_add_loop_test(tests, tells_by_what_a_product_got_its_operands, 0, sizeof groups / sizeof *groups);
    tcase_add_loop_test(tests, tells_of_one_warp_alone_by_what_a_product_got_its_operands, 0,
                        sizeof groups / sizeof *groups);
    suite_add_tcase(suite, tests);
    return suite;
}
