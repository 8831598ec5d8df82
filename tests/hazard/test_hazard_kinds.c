// Hazards of instructions that compilers write rarely: matrices, bulk copies, named barriers; and what a checker keeps
// quiet about.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/ptx_text.h"
#include "base/text.h"
#include "hazard/hazard.h"

Suite *suite_hazard_kinds(void);

enum { BUFFER = 4096, INPUT = 1 << 22 };

static const char head[] =
    ".version 8.5\n.target sm_90\n.address_size 64\n"
    ".file 1 \"k.cu\"\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .pred %p<8>; .reg .b32 %r<32>; .reg .b64 %rd<32>; .reg .f32 %f<32>;\n"
    ".shared .align 128 .b8 s[2048]; .shared .align 8 .b64 m;\n"
    "ld.param.u64 %rd0, [in]; ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, s; mov.u32 %r3, m;\n"
    "shr.u32 %r4, %r1, 5; and.b32 %r5, %r1, 31; shl.b32 %r6, %r1, 4; add.u32 %r7, %r2, %r6;\n" // %r4 warp, %r7 s + 16
                                                                                               // tid
    "shl.b32 %r8, %r5, 4; add.u32 %r9, %r2, %r8; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;\n" // %r9 s + 16
                                                                                                         // lane
    "add.u64 %rd4, %rd0, %rd2; setp.eq.u32 %p0, %r4, 0; setp.eq.u32 %p7, %r1, 0; mov.u32 %r20, 0;\n";

// Of launch: the shape, the blocks and the host threads.
static enum status run_launch(const char *body, const char *tail, struct sim_launch launch, struct hazard_list *hazards,
                              struct diagnostic *diagnostic)
{
    struct text text = {0};
    struct sim_program *program = NULL;
    struct sim_result result;
    text_printf(&text, "%s%s\n%s\nret;\n}\n", head, body, tail);
    struct ptx_module *module = ptx_parse_good("hazard.ptx", text_get(&text));
    struct sim_memory *memory = sim_memory_new();
    uint64_t params[2] = {sim_memory_add(memory, "in", INPUT, false)->address,
                          sim_memory_add(memory, "out", BUFFER, true)->address};
    ck_assert_msg(sim_program_new(module, module->functions[0], memory, &program, diagnostic) == STATUS_OK, "%s",
                  diagnostic->message);
    struct hazard_checker *checker = hazard_checker_new(program, memory, NULL);
    struct sim_observer observer = hazard_checker_observer(checker);
    launch.program = program;
    launch.memory = memory;
    launch.params = params;
    launch.observers = &observer;
    launch.observer_count = 1;
    enum status status = sim_run(&launch, &result, diagnostic);
    hazard_checker_take(checker, hazards);
    hazard_checker_free(checker);
    sim_program_free(program);
    sim_memory_free(memory);
    ptx_module_free(module);
    text_free(&text);
    return status;
}

static enum status run_grid(const char *body, const char *tail, uint32_t grid, uint32_t block, unsigned host_threads,
                            struct hazard_list *hazards, struct diagnostic *diagnostic)
{
    struct sim_launch launch = {.shape = {.grid = {grid, 1, 1}, .block = {block, 1, 1}, .cluster = {1, 1, 1}},
                                .host_threads = host_threads};
    return run_launch(body, tail, launch, hazards, diagnostic);
}

static enum status run(const char *body, uint32_t block, struct hazard_list *hazards, struct diagnostic *diagnostic)
{
    return run_grid(body, "st.global.u32 [%rd3], %r20;", 1, block, 1, hazards, diagnostic);
}

#define FILL "st.shared.v4.u32 [%r7], {%r1, %r1, %r1, %r1};\n"
#define LDMATRIX "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20, %r21, %r22, %r23}, [%r9];\n"
#define STMATRIX "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r9], {%r1, %r1, %r1, %r1};\n"
#define WMMA                                                                                                           \
    "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}, [%rd10], "    \
    "16;\n"
#define STMATRIX_1 "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r9], {%r1};\n"
#define STMATRIX_T "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%r9], {%r1};\n"
#define OWN_T /* the address of a lane's first element: row 2 * (lane % 4), column lane / 4 */                         \
    "and.b32 %r10, %r5, 3; shl.b32 %r10, %r10, 5; shr.u32 %r11, %r5, 2; mad.lo.u32 %r10, %r11, 2, %r10;\n"             \
    "add.u32 %r10, %r10, %r2;\n"
#define WMMA_STORE "wmma.store.d.sync.aligned.row.m16n16k16.shared.f16 [%rd10], {%r10, %r11, %r12, %r13}, 16;\n"
#define WMMA_FILL "mov.u64 %rd10, s; mov.u32 %r10, 0; mov.u32 %r11, 0; mov.u32 %r12, 0; mov.u32 %r13, 0;\n" WMMA_STORE
#define BULK_BEGIN                                                                                                     \
    "@%p7 mbarrier.init.shared.b64 [m], 1;\nbar.sync 0;\n"                                                             \
    "@%p7 mbarrier.arrive.expect_tx.shared.b64 %rd10, [m], 256;\n"                                                     \
    "@%p7 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd0], 256, [%r3];\n"
#define BULK_WAIT "WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [m], 0;\n@!%p1 bra WAIT;\n"

#define WAIT_AT(bar, parity)                                                                                           \
    "{ .reg .pred q; W: mbarrier.try_wait.parity.shared.b64 q, [" bar "], " #parity ";\n@!q bra W; }\n"
#define WAIT_RELAXED_AT(bar, parity)                                                                                   \
    "{ .reg .pred q; W: mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 q, [" bar "], " #parity ";\n@!q bra W; "  \
    "}\n"
#define READ_AT(offset) "and.b32 %r10, %r6, 255; add.u32 %r10, %r10, %r2; ld.shared.u32 %r20, [%r10+" offset "];\n"
#define TWO_BEGIN "@%p7 mbarrier.init.shared.b64 [m], 1;\n@%p7 mbarrier.init.shared.b64 [s+1024], 1;\nbar.sync 0;\n"
#define MBARRIER "@%p7 mbarrier.init.shared.b64 [m], 1;\nbar.sync 0;\n"
#define BULK_ONLY(offset, bar)                                                                                         \
    "mov.u32 %r3, " bar ";\n"                                                                                          \
    "@%p7 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2+" offset "], [%rd0], 256, [%r3];\n"
#define BULK_TO(offset, bar) "@%p7 mbarrier.arrive.expect_tx.shared.b64 %rd10, [" bar "], 256;\n" BULK_ONLY(offset, bar)
#define BULK_OUT                                                                                                       \
    "@%p7 cp.async.bulk.global.shared::cta.bulk_group [%rd1+2048], [%r2], 256;\n@%p7 cp.async.bulk.commit_group;\n"
#define COPIED_OUT BULK_OUT "@%p7 cp.async.bulk.wait_group.read 0;\n"
#define BULK_ADD                                                                                                       \
    "setp.eq.u32 %p3, %r5, 0;\n@%p3 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1+2048], [%r2], "   \
    "256;\n"
#define CP_BEGIN /* they arrive at m; s + 1536 ends its phase without them */                                          \
    "@%p7 mbarrier.init.shared.b64 [m], 64;\n@%p7 mbarrier.init.shared.b64 [s+1536], 64;\nbar.sync 0;\n"               \
    "cp.async.ca.shared.global [%r7], [%rd4], 4;\ncp.async.mbarrier.arrive.noinc.shared.b64 [m];\n"                    \
    "mbarrier.arrive.shared.b64 %rd10, [s+1536];\n"

// 64 threads' copies arrive at m, behind what they do.
#define ARRIVE_BEGIN "@%p7 mbarrier.init.shared.b64 [m], 64;\nbar.sync 0;\n"
#define COPY_BESIDE "cp.async.ca.shared.global [%r7+1024], [%rd4], 4;\n"
#define COPIES_TO_M COPY_BESIDE "cp.async.mbarrier.arrive.noinc.shared.b64 [m];\n"
#define COPIES_ARRIVE COPIES_TO_M WAIT_AT("m", 0)
#define READ_NEIGHBOUR "xor.b32 %r8, %r7, 16; ld.shared.u32 %r20, [%r8];\n"
#define COPY_4 "cp.async.ca.shared.global [%r7], [%rd4], 4;\n"
#define LATE_0 /* the other warp goes ahead */                                                                         \
    "mov.u32 %r21, 0;\n@!%p0 bra R;\nL: add.u32 %r21, %r21, 1; setp.lt.u32 %p1, %r21, 20;\n@%p1 bra L;\nR:"
#define LATE_1 "mov.u32 %r21, 0;\n@%p0 bra R;\nL: add.u32 %r21, %r21, 1; setp.lt.u32 %p1, %r21, 20;\n@%p1 bra L;\nR:"
#define SOURCE_OF_OTHER "xor.b32 %r8, %r1, 32; mul.wide.u32 %rd5, %r8, 4; add.u64 %rd5, %rd5, %rd0;\n"
#define READ_OTHER "xor.b32 %r8, %r7, 512; ld.shared.u32 %r20, [%r8];\n"
#define READ_OTHER_HALF "xor.b32 %r8, %r7, 768; ld.shared.u32 %r20, [%r8];\n"
#define LOW_HALF "setp.lt.u32 %p3, %r5, 16;\n"
#define LANE_0 "setp.eq.u32 %p3, %r5, 0;\n"
#define LANE_0_WAITS(bar) /* of each warp */                                                                           \
    LANE_0 "{ .reg .pred q; mov.pred q, 0; @!%p3 bra O; W: mbarrier.try_wait.parity.shared.b64 q, [" bar "], 0;\n"     \
           "@!q bra W; O: }\n"
#define GIVE_BACK(arrivals) /* two warps read s, arrive at s + 1024, and one thread overwrites what was read */        \
    "@%p7 mbarrier.init.shared.b64 [s+1024], " arrivals ";\n" FILL "bar.sync 0;\nld.shared.u32 %r20, [%r7];\n"
#define TAKEN WAIT_AT("s+1024", 0) "st.shared.u32 [%r7], %r5;\n"
#define TAKEN_BY_OTHERS "xor.b32 %r7, %r7, 512;\n" TAKEN
#define TAKEN_BY_NEIGHBOURS "xor.b32 %r7, %r7, 16;\n" TAKEN

// Thread 32 announces what it copies without arriving, thread 0 by its arrival.
#define ANNOUNCED_BY_TWO(arrivals, behind)                                                                             \
    "@%p7 mbarrier.init.shared.b64 [m], " arrivals ";\nbar.sync 0;\nsetp.eq.u32 %p6, %r1, 32;\n"                       \
    "@%p6 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [m], 256;\nmov.u32 %r3, m;\n"                                 \
    "@%p6 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2+256], [%rd0], 256, [%r3];\n" behind   \
        BULK_TO("0", "m")

// Warp 0 makes 66000 loads and sets a flag, or loads of 1040 lines for each lane; then warp 1 reads what warp 0 had
// stored before.
#define LONG_LOADS                                                                                                     \
    "@%p7 st.shared.u64 [s+1536], 0;\n@%p7 st.global.u32 [%rd1+2048], %r20;\nbar.sync 0;\n" FILL "@!%p0 bra M;\n"      \
    "mov.u32 %r21, 66000;\nL: and.b32 %r22, %r21, 1; mad.lo.u32 %r22, %r22, 4, %r2; ld.shared.u32 %r23, "              \
    "[%r22+1536];\n"                                                                                                   \
    "sub.u32 %r21, %r21, 1; setp.ne.u32 %p1, %r21, 0;\n@%p1 bra L;\n@%p7 st.volatile.global.u32 [%rd1+2048], 1;\n"     \
    "bra E;\nM: ld.volatile.global.u32 %r23, [%rd1+2048]; setp.eq.u32 %p1, %r23, 0;\n@%p1 bra M;\nE:\n"
#define FAR_LOADS                                                                                                      \
    FILL "@!%p0 bra M;\nmov.u32 %r21, 1040; mul.wide.u32 %rd10, %r1, 64; add.u64 %rd10, %rd10, %rd0;\n"                \
         "L: ld.global.u32 %r23, [%rd10]; add.u64 %rd10, %rd10, 2048; sub.u32 %r21, %r21, 1;\n"                        \
         "setp.ne.u32 %p1, %r21, 0;\n@%p1 bra L;\nM:\n"
#define OTHERS "xor.b32 %r22, %r7, 512; @!%p0 ld.shared.u32 %r20, [%r22];\n"

// Warps 0 to 2 use a word one after another, some of them arrive; then thread 96 stores there.
#define WARPS_USE(use, arrive, count)                                                                                  \
    "@%p7 st.shared.u32 [s], 1;\nbar.sync 0;\nsetp.eq.u32 %p3, %r4, 3; setp.eq.u32 %p4, %r4, 1; setp.eq.u32 %p5, "     \
    "%r1, 96; setp.eq.u32 %p6, %r5, 0;\n@%p3 bra W;\n" use arrive " bar.arrive 1, " count                              \
    ";\nbra E;\nW: bar.sync 1, " count ";\n@%p5 st.shared.u32 [s], %r1;\nE:\n"
#define BUT_WARP_1 "@!%p4"

// Warp 0 fills its places and sets a flag by its lane 0; warp 1 looks at the flag by its lane 0, and reads them.
#define FLAG "@%p7 st.shared.u32 [s+1536], 0;\nbar.sync 0;\n" LANE_0 "@!%p0 bra B;\n"
#define GIVES(order, store)                                                                                            \
    "st.shared.u32 [%r7], %r5;\n" order "@%p3 " store " [s+1536], 1;\nbra C;\nB: xor.b32 %r7, %r7, 512;\n"
#define POLLS(load)                                                                                                    \
    "@!%p3 bra D;\nW: " load " %r20, [s+1536];\nsetp.eq.u32 %p4, %r20, 0;\n@%p4 bra W;\nD: mov.u32 %r20, 0;\n"
#define POLLS_ALL(load) "W: " load " %r20, [s+1536];\nsetp.eq.u32 %p4, %r20, 0;\n@%p4 bra W;\nmov.u32 %r20, 0;\n"
#define ENDS_BUT_LANE_0(others)                                                                                        \
    "@%p3 bra A;\n" others "exit;\nA: st.shared.u32 [%r7], %r5;\nst.release.cta.shared.u32 [s+1536], 1;\nbra C;\n"     \
    "B: xor.b32 %r7, %r7, 512;\n"
#define TAKES "ld.shared.u32 %r20, [%r7];\nC:\n"
#define FENCE "fence.acq_rel.cta;\n"

#define STORE_ASYNC                                                                                                    \
    "@%p7 mbarrier.init.shared.b64 [m], 64;\nbar.sync 0;\nmbarrier.arrive.expect_tx.shared.b64 _, [m], 4;\n"           \
    "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r7], %r1, [%r3];\n"
#define LAST_OPENS(before, behind)                                                                                     \
    "@%p7 st.shared.v2.u32 [s+1024], {%r20, %r20};\nbar.sync 0;\nst.shared.u32 [%r7], %r1;\n" before                   \
    "\natom.shared.add.u32 %r10, [s+1024], 1;\nsetp.ne.u32 %p1, %r10, 63;\n@%p1 bra WAIT;\n" behind                    \
    "\nst.volatile.shared.u32 [s+1028], 1;\nWAIT: ld.volatile.shared.u32 %r11, [s+1028];\nsetp.eq.u32 %p2, %r11, 0;\n" \
    "@%p2 bra WAIT;\nmembar.cta;\nsub.u32 %r12, 63, %r1; shl.b32 %r12, %r12, 4; add.u32 %r12, %r12, %r2;\n"            \
    "ld.shared.u32 %r20, [%r12];\n"
#define SENT(announced, send) /* m waits for one arrival */                                                            \
    FILL MBARRIER "@%p7 mbarrier.arrive.expect_tx.shared.b64 _, [m], " announced ";\nbar.sync 0;\n" send               \
                  " [%r7], %r1, [%r3];\n"
#define ST_ASYNC "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32"
#define RED_ASYNC "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32"
#define OF_OTHERS "xor.b32 %r8, %r7, 512; ld.shared.u32 %r20, [%r8];\n"
#define TWO_ARRAYS                                                                                                     \
    ".shared .align 2 .b8 t[6]; .shared .align 8 .b8 u[16]; .shared .align 4 .b8 v[4];\n" /* 2056, 2064, 2080 */       \
    "mov.u32 %r29, t; mov.u32 %r30, u; mov.u32 %r31, v;\n"
#define ONE_FILLS "@%p7 st.shared.u32 [s], %r1;\nbar.sync 0;\n"
#define ONE_WRITES "\n@%p7 st.shared.u32 [s], %r1;\n"

// wgmma, of which A and B lie on the same 2048 bytes.
#define SEEN FILL "fence.proxy.async.shared::cta;\nbar.sync 0;\n"
#define ZERO                                                                                                           \
    "mov.f32 %f0, 0f00000000; mov.f32 %f1, 0f00000000; mov.f32 %f2, 0f00000000; mov.f32 %f3, 0f00000000;\n"            \
    "setp.eq.u32 %p2, %r1, %r1;\n"
#define ORDER "wgmma.fence.sync.aligned;\n"
#define PRODUCT_OF(a)                                                                                                  \
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, " a ", 68720001024, %p2, 1, 1, 0, 0;\n"
#define PRODUCT PRODUCT_OF("68720001024")
#define CLOSE "wgmma.commit_group.sync.aligned;\n"
#define AWAIT(groups) "wgmma.wait_group.sync.aligned " groups ";\n"
#define USE(f) "cvt.rzi.u32.f32 %r20, " f ";\n"

#define COUNTS(which, does)                                                                                            \
    "setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [s+1024], 0; bar.sync 0;\n"                                           \
    "atom.shared.add.u32 %r11, [s+1024], 1; setp.eq.u32 %p1, %r11, " which "; @%p1 " does "\n"
#define SIGNALS                                                                                                        \
    "mov.u32 %r7, s; shl.b32 %r8, %r1, 2; add.u32 %r7, %r7, %r8; xor.b32 %r8, %r7, 4; add.u32 %r10, %r1, 1;\n"         \
    "st.volatile.shared.u32 [%r7], 0; bar.sync 0; st.volatile.shared.u32 [%r7], %r10;\n"
static const struct {
    const char *body;
    uint32_t block;
    const char *hazard; // hazard_name, in brackets if it is benign, or NULL: none at all
} cases[] = {
    {SEEN ZERO ORDER PRODUCT CLOSE AWAIT("0") USE("%f0"), 128, NULL},
    {SEEN ZERO ORDER PRODUCT PRODUCT CLOSE PRODUCT CLOSE AWAIT("1") AWAIT("0") USE("%f3"), 128, NULL},
    {FILL "bar.sync 0;\n" ZERO ORDER PRODUCT CLOSE AWAIT("0") USE("%f0"), 128, "missing-proxy-fence"},
    {FILL "bar.sync 0;\nfence.proxy.async;\n" ZERO ORDER PRODUCT CLOSE AWAIT("0") USE("%f0"), 128, NULL},
    {FILL "@%p7 fence.proxy.async;\nbar.sync 0;\n" ZERO ORDER PRODUCT CLOSE AWAIT("0") USE("%f0"), 128,
     "missing-proxy-fence"},
    {FILL "bar.sync 0;\n@%p7 fence.proxy.async;\nbar.sync 0;\n" ZERO ORDER PRODUCT CLOSE AWAIT("0") USE("%f0"), 128,
     NULL},
    {"fence.proxy.async;\n" FILL "bar.sync 0;\n" ZERO ORDER PRODUCT CLOSE AWAIT("0") USE("%f0"), 128,
     "missing-proxy-fence"},
    {FILL "fence.proxy.async;\n" ZERO ORDER PRODUCT CLOSE AWAIT("0") USE("%f0"), 128, "race"},
    {SEEN ZERO PRODUCT CLOSE AWAIT("0") USE("%f0"), 128, "missing-wgmma-fence"},
    {SEEN ZERO ORDER "add.f32 %f1, %f0, %f0;\n" PRODUCT CLOSE AWAIT("0") USE("%f0"), 128, "missing-wgmma-fence"},
    {SEEN ZERO "add.f32 %f1, %f0, %f0;\n" ORDER PRODUCT CLOSE AWAIT("0") USE("%f0"), 128, NULL},
    {SEEN ZERO ORDER PRODUCT CLOSE AWAIT("0") USE("%f0") PRODUCT CLOSE AWAIT("0"), 128, "missing-wgmma-fence"},
    {SEEN ZERO ORDER PRODUCT CLOSE USE("%f0") AWAIT("0"), 128, "wgmma-early"},
    {SEEN ZERO ORDER PRODUCT AWAIT("0") USE("%f0") CLOSE AWAIT("0"), 128, "wgmma-early"}, // of no group yet
    {SEEN ZERO ORDER PRODUCT CLOSE AWAIT("1") USE("%f0") AWAIT("0"), 128, "wgmma-early"},
    {SEEN ZERO ORDER PRODUCT CLOSE "add.f32 %f1, %f9, %f9;\n" AWAIT("0"), 128, "wgmma-early"},
    {SEEN ZERO ORDER PRODUCT CLOSE "mov.f32 %f4, %f0;\n" AWAIT("0") USE("%f4"), 128, NULL},
    {SEEN ZERO ORDER PRODUCT CLOSE "mov.f32 %f4, %f0;\n" USE("%f4") AWAIT("0"), 128, "wgmma-early"},
    {SEEN ZERO ORDER PRODUCT CLOSE "bar.sync 0;\n" FILL AWAIT("0"), 128, "wgmma-overwrite"},
    {SEEN ZERO ORDER PRODUCT CLOSE AWAIT("0") "bar.sync 0;\n" FILL, 128, NULL},
    {SEEN ZERO ORDER PRODUCT_OF("524288") CLOSE AWAIT("0"), 128, "wgmma-layout"},
    {FILL "bar.sync 0;\n" LDMATRIX, 32, NULL},
    {FILL "bar.warp.sync -1;\n" LDMATRIX, 32, NULL},
    {FILL LDMATRIX, 32, "warp-race"},
    // Loads that all lanes make, though not all want the value.
    {ONE_FILLS "ld.shared.u32 %r10, [s];\nselp.u32 %r20, %r10, 0, %p7;" ONE_WRITES, 64, NULL},
    {ONE_FILLS "ld.shared.u32 %r10, [s];\nselp.u32 %r20, 0, %r10, %p7;" ONE_WRITES, 64, "race"},
    {ONE_FILLS "ld.shared.u32 %r10, [s];\nadd.u32 %r11, %r10, 7;\nselp.u32 %r20, %r11, 0, %p7;" ONE_WRITES, 64, NULL},
    {ONE_FILLS "ld.shared.u32 %r10, [s];\nadd.u32 %r20, %r10, 7;\nselp.u32 %r20, %r20, 0, %p0;" ONE_WRITES, 64,
     "warp-race"},
    {ONE_FILLS "ld.shared.u32 %r10, [s];\n@!%p7 bra END;\nmov.u32 %r20, %r10;" ONE_WRITES "END:", 64, NULL},
    {ONE_FILLS "ld.shared.u32 %r10, [s];\n@%p7 bra END;\nmov.u32 %r20, %r10;\nEND:" ONE_WRITES, 64, "race"},
    {ONE_FILLS "ld.shared.u32 %r10, [s];\n@%p7 st.global.u32 [%rd1+512], %r10;" ONE_WRITES, 64, NULL},
    {"@%p7 st.shared.u32 [s], %r1;\nld.shared.u32 %r10, [s];\nbar.sync 0;\n@%p7 bra END;\nmov.u32 %r20, %r10;\nEND:",
     64, "race"},
    {"@%p7 st.shared.u32 [s], %r1;\nld.shared.u32 %r10, [s];\nbar.sync 0;\n@!%p7 bra END;\nmov.u32 %r20, %r10;\nEND:",
     64, "race"},
    {"ld.shared.u32 %r10, [s];\nsetp.gt.u32 %p1, %r1, 99;\nselp.u32 %r20, %r10, 0, %p1;", 64, NULL},
    {"ld.shared.u32 %r10, [s];\nsetp.gt.u32 %p1, %r1, 40;\nselp.u32 %r20, %r10, 0, %p1;", 64, "uninitialised-shared"},
    {LDMATRIX, 32, "uninitialised-shared"},
    {"@%p0 " FILL "@%p0 bra END;\n" LDMATRIX "END:", 64, "race"},
    {STMATRIX "bar.sync 0;\nld.shared.u32 %r20, [%r9];", 32, NULL},
    {STMATRIX "xor.b32 %r8, %r8, 16; add.u32 %r9, %r2, %r8; ld.shared.u32 %r20, [%r9];", 32, "warp-race"},
    {STMATRIX "ld.shared.u32 %r20, [%r9];", 32, "warp-race"}, // a row comes from four lanes, not from who names it
    {STMATRIX "bar.warp.sync -1;\nld.shared.u32 %r20, [%r9];", 32, NULL},
    {STMATRIX_1 "shl.b32 %r10, %r5, 2; add.u32 %r10, %r2, %r10; ld.shared.u32 %r20, [%r10];", 32, NULL}, // its own word
    {STMATRIX_1 "shl.b32 %r10, %r5, 2; xor.b32 %r10, %r10, 4; add.u32 %r10, %r2, %r10; ld.shared.u32 %r20, [%r10];", 32,
     "warp-race"},
    {STMATRIX_T OWN_T "ld.shared.u16 %r20, [%r10];", 32, NULL},
    {STMATRIX_T OWN_T "ld.shared.u16 %r20, [%r10+2];", 32, "warp-race"},
    {STMATRIX_T "ld.shared.u32 %r20, [%r9];", 32, "warp-race"},
    {FILL "bar.sync 0;\n" STMATRIX, 64, "race"}, // both warps store to the first one's rows
    {FILL "bar.sync 0;\nmov.u64 %rd10, s;\n" WMMA "mov.u32 %r20, %r10;", 32, NULL},
    {"mov.u64 %rd10, s;\n" WMMA "mov.u32 %r20, %r10;", 32, "uninitialised-shared"},
    {"@%p7 " FILL "bar.sync 0;\nmov.u64 %rd10, s;\n" WMMA "mov.u32 %r20, %r10;", 32, "uninitialised-shared"},
    {FILL "mov.u64 %rd10, s;\n" WMMA "mov.u32 %r20, %r10;", 32, "warp-race"},
    {FILL "bar.sync 0;\nmov.u64 %rd10, s;\n" WMMA WMMA_STORE "mov.u32 %r20, %r10;", 32, "warp-race"},
    {FILL "bar.sync 0;\nmov.u64 %rd10, s;\n" WMMA "bar.warp.sync -1;\n" WMMA_STORE "mov.u32 %r20, %r10;", 32, NULL},
    {WMMA_FILL "xor.b32 %r8, %r8, 16; add.u32 %r9, %r2, %r8; ld.shared.u32 %r20, [%r9];", 32, "warp-race"},
    {WMMA_FILL "bar.warp.sync -1;\nld.shared.u32 %r20, [%r9];", 32, NULL},
    {BULK_BEGIN BULK_WAIT "and.b32 %r10, %r6, 255; add.u32 %r10, %r10, %r2; ld.shared.u32 %r20, [%r10];", 64, NULL},
    {BULK_BEGIN "and.b32 %r10, %r6, 255; add.u32 %r10, %r10, %r2; ld.shared.u32 %r20, [%r10];\n" BULK_WAIT, 64,
     "missing-wait"},
    // Two mbarriers, m and s + 1024: a copy has come when someone waited at its own, for its phase.
    // A relaxed wait orders nothing, of copies neither; the next fence or barrier makes it good. Who ends has waited.
    {MBARRIER BULK_TO("0", "m") WAIT_RELAXED_AT("m", 0) READ_AT("0"), 64, "missing-wait"},
    {MBARRIER BULK_TO("0", "m") WAIT_RELAXED_AT("m", 0) FENCE READ_AT("0"), 64, NULL},
    {MBARRIER BULK_TO("0", "m") WAIT_RELAXED_AT("m", 0) "bar.sync 0;\n" READ_AT("0"), 64, NULL},
    {MBARRIER BULK_TO("0", "m") WAIT_RELAXED_AT("m", 0), 64, NULL},
    {CP_BEGIN WAIT_RELAXED_AT("m", 0) "xor.b32 %r8, %r7, 512; ld.shared.u32 %r20, [%r8];\n", 64, "missing-wait"},
    {CP_BEGIN WAIT_RELAXED_AT("m", 0) FENCE "xor.b32 %r8, %r7, 512; ld.shared.u32 %r20, [%r8];\n", 64, NULL},
    {TWO_BEGIN BULK_TO("0", "m") BULK_TO("256", "s+1024") WAIT_AT("m", 0) READ_AT("0"), 64, "exit-before-bulk-write"},
    {TWO_BEGIN BULK_TO("0", "m") BULK_TO("256", "s+1024") WAIT_AT("m", 0) READ_AT("0") WAIT_AT("s+1024", 0), 64, NULL},
    {TWO_BEGIN BULK_TO("0", "m") BULK_TO("256", "s+1024") WAIT_AT("m", 0) READ_AT("256"), 64, "missing-wait"},
    {TWO_BEGIN BULK_TO("0", "m") BULK_TO("256", "s+1024") WAIT_AT("m", 0) WAIT_AT("s+1024", 0) READ_AT("256"), 64,
     NULL},
    {TWO_BEGIN BULK_TO("0", "m")
         WAIT_AT("m", 0) "bar.sync 0;\n@%p7 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [m], "
                         "256;\n" BULK_ONLY("256", "m") WAIT_AT("m", 0) READ_AT("256"),
     64, "missing-wait"}, // of the second phase
    {TWO_BEGIN BULK_TO("0", "m") WAIT_AT("m", 0) "bar.sync 0;\n" BULK_TO("256", "m") WAIT_AT("m", 1) READ_AT("0")
         READ_AT("256"),
     64, NULL},
    // The first warp has not waited, the other has.
    {TWO_BEGIN BULK_TO("0", "m") "@!%p0 bra A;\nbar.sync 2, 64;\n" READ_AT(
         "0") "bra B;\nA: bar.arrive 2, 64;\n" WAIT_AT("m", 0) "B:",
     64, "missing-wait"},
    {TWO_BEGIN BULK_TO("0", "m") "@!%p0 bra A;\nbar.arrive 2, 64;\n" WAIT_AT(
         "m", 0) "bra B;\nA: bar.sync 2, 64;\n" READ_AT("0") "B:",
     64, "missing-wait"},
    {TWO_BEGIN BULK_TO("0", "m") "@!%p0 bra A;\n" WAIT_AT(
         "m", 0) "bar.arrive 2, 64;\nbra B;\nA: bar.sync 2, 64;\n" READ_AT("0") "B:",
     64, NULL},
    {TWO_BEGIN BULK_TO("0", "m") "@%p0 bra A;\n" WAIT_AT("m", 0) "A: bar.sync 0;\n" READ_AT("0"), 64, NULL},
    // Lines that copies write as a whole: by two of them, and with one word that somebody else touches.
    {TWO_BEGIN BULK_TO("0", "m") BULK_TO("0", "s+1024"), 64, "missing-wait"},
    {TWO_BEGIN BULK_TO("0", "m") "@%p7 mbarrier.arrive.shared.b64 %rd10, [s+1024];\n" WAIT_AT(
         "m", 0) "bar.sync 0;\n" BULK_OUT "@%p7 cp.async.bulk.wait_group 0;\n",
     64, NULL},
    {TWO_BEGIN BULK_TO("0", "m") BULK_OUT "@%p7 cp.async.bulk.wait_group 0;\n" WAIT_AT("m", 0), 64, "missing-wait"},
    {TWO_BEGIN BULK_TO("0", "m") WAIT_AT("m", 0) "ld.shared.u32 %r20, [s+64];\nbar.sync 0;\n" BULK_TO("0", "s+1024")
         WAIT_AT("s+1024", 0) READ_AT("0"),
     64, NULL},
    {TWO_BEGIN BULK_TO("0", "m") WAIT_AT("m", 0) "ld.shared.u32 %r20, [s+64];\n" BULK_TO("0", "s+1024")
         WAIT_AT("s+1024", 0),
     64, "async-overwrite"},
    {TWO_BEGIN BULK_TO("0", "m") WAIT_AT("m", 0) "@%p7 st.shared.u32 [s+64], %r1;\n" READ_AT("0"), 64, "race"},
    {TWO_BEGIN BULK_TO("0", "m") WAIT_AT("m", 0) "@%p7 st.shared.u32 [s+64], %r1;\nbar.sync 0;\n" READ_AT("0"), 64,
     NULL},
    // A wait is that of the lanes that wait, until the warp's lanes meet.
    {TWO_BEGIN BULK_TO("0", "m") LANE_0_WAITS("m") READ_AT("0"), 64, "missing-barrier-after-wait"},
    {TWO_BEGIN BULK_TO("0", "m") LANE_0_WAITS("m") "bar.warp.sync -1;\n" READ_AT("0"), 64, NULL},
    {TWO_BEGIN BULK_TO("0", "m") LANE_0_WAITS("m") "shfl.sync.idx.b32 %r11, %r1, 0, 31, -1;\n" READ_AT("0"), 64, NULL},
    {TWO_BEGIN BULK_TO("0", "m") LANE_0_WAITS("m") "bar.sync 0;\n" READ_AT("0"), 64, NULL},
    {TWO_BEGIN BULK_TO("0", "m") LANE_0_WAITS("m") "@%p3 ld.shared.u32 %r20, [s];\n", 64, NULL},
    // So is an arrival: the others have to meet those who arrive.
    {GIVE_BACK("64") "mbarrier.arrive.shared.b64 %rd10, [s+1024];\n" TAKEN_BY_OTHERS, 64, NULL},
    {GIVE_BACK("2") LANE_0 "@%p3 mbarrier.arrive.shared.b64 %rd10, [s+1024];\n" TAKEN_BY_OTHERS, 64, "race"},
    {GIVE_BACK("2") LANE_0 "bar.warp.sync -1;\n@%p3 mbarrier.arrive.shared.b64 %rd10, [s+1024];\n" TAKEN_BY_OTHERS, 64,
     NULL},
    {GIVE_BACK("2") LANE_0
     "vote.sync.any.pred %p4, %p3, -1;\n@%p3 mbarrier.arrive.shared.b64 %rd10, [s+1024];\n" TAKEN_BY_OTHERS,
     64, NULL},
    {GIVE_BACK("64") "setp.lt.u32 %p4, %r5, 9;\n@%p4 mbarrier.arrive.shared.b64 %rd10, [s+1024];\n"
                     "@!%p4 mbarrier.arrive.shared.b64 %rd10, [s+1024];\n" TAKEN_BY_OTHERS,
     64, NULL},
    {GIVE_BACK("2") LANE_0 "@%p3 mbarrier.arrive.shared.b64 %rd10, [s+1024];\n" TAKEN, 64, NULL}, // its own
    {GIVE_BACK("2") LANE_0 "@%p3 mbarrier.arrive.shared.b64 %rd10, [s+1024];\n" TAKEN_BY_NEIGHBOURS, 64, "warp-race"},
    {GIVE_BACK("64") "mbarrier.arrive.shared.b64 %rd10, [s+1024];\n" TAKEN_BY_NEIGHBOURS, 64, NULL},
    {GIVE_BACK("64") "setp.lt.u32 %p4, %r5, 9;\n@%p4 mbarrier.arrive.shared.b64 %rd10, [s+1024];\n"
                     "@!%p4 mbarrier.arrive.shared.b64 %rd10, [s+1024];\n" TAKEN_BY_NEIGHBOURS,
     64, NULL},
    {GIVE_BACK("2") LANE_0
     "vote.sync.any.pred %p4, %p3, -1;\n@%p3 mbarrier.arrive.shared.b64 %rd10, [s+1024];\n" TAKEN_BY_NEIGHBOURS,
     64, NULL},
    // Bytes are announced before the last arrival of their phase can come, not perhaps before.
    {ANNOUNCED_BY_TWO("1", "") WAIT_AT("m", 0) READ_AT("0") READ_AT("256"), 64, "expect-tx-too-few"},
    {ANNOUNCED_BY_TWO("2", "@%p6 mbarrier.arrive.shared.b64 %rd10, [m];\n") WAIT_AT("m", 0) READ_AT("0") READ_AT("256"),
     64, NULL},
    {ANNOUNCED_BY_TWO("2", "@%p6 mbarrier.arrive.relaxed.cta.shared.b64 %rd10, [m];\n") WAIT_AT("m", 0) READ_AT("0")
         READ_AT("256"),
     64, NULL},
    // Lanes that ended are ordered by a __syncwarp() that names them.
    {"setp.lt.u32 %p1, %r5, 16;\n@!%p1 bra L;\nst.shared.u32 [%r7], %r5;\nexit;\nL: bar.warp.sync 0xffff0000;\n"
     "ld.shared.u32 %r20, [%r7+-256];\n",
     32, "warp-race"},
    {"setp.lt.u32 %p1, %r5, 16;\n@!%p1 bra L;\nst.shared.u32 [%r7], %r5;\nexit;\nL: bar.warp.sync -1;\n"
     "ld.shared.u32 %r20, [%r7+-256];\n",
     32, NULL},
    // A relaxed arrival releases what was fenced before.
    {GIVE_BACK("64") "mbarrier.arrive.relaxed.cta.shared.b64 %rd10, [s+1024];\n" TAKEN_BY_OTHERS, 64, "race"},
    {GIVE_BACK("64") FENCE "mbarrier.arrive.relaxed.cta.shared.b64 %rd10, [s+1024];\n" TAKEN_BY_OTHERS, 64, NULL},
    // Flags: what lanes release is what they did, or their warp before it met; who acquires are those who look.
    {FLAG GIVES("bar.warp.sync -1;\n", "st.release.cta.shared.u32")
         POLLS("ld.acquire.cta.shared.u32") "bar.warp.sync -1;\n" TAKES,
     64, NULL},
    {FLAG GIVES("bar.warp.sync -1;\n", "st.release.cta.shared.u32") POLLS("ld.acquire.cta.shared.u32") TAKES, 64,
     "race"},
    {FLAG GIVES("", "st.release.cta.shared.u32") POLLS("ld.acquire.cta.shared.u32") "bar.warp.sync -1;\n" TAKES, 64,
     "race"},
    {FLAG GIVES("bar.warp.sync -1;\n@%p3 " FENCE, "st.relaxed.cta.shared.u32")
         POLLS("ld.relaxed.cta.shared.u32") "@%p3 " FENCE "bar.warp.sync -1;\n" TAKES,
     64, NULL},
    {FLAG GIVES("@%p3 " FENCE, "st.relaxed.cta.shared.u32")
         POLLS("ld.relaxed.cta.shared.u32") "@%p3 " FENCE "bar.warp.sync -1;\n" TAKES,
     64, "race"},
    {FLAG GIVES("bar.warp.sync -1;\n@%p3 " FENCE, "st.relaxed.cta.shared.u32")
         POLLS("ld.relaxed.cta.shared.u32") "@%p3 " FENCE TAKES,
     64, "race"},
    {FLAG GIVES(FENCE, "st.relaxed.cta.shared.u32") POLLS("ld.relaxed.cta.shared.u32") FENCE TAKES, 64, "race"},
    {FLAG GIVES(FENCE "bar.warp.sync -1;\n", "st.relaxed.cta.shared.u32") POLLS("ld.relaxed.cta.shared.u32")
         FENCE TAKES,
     64, NULL},
    // Long phases: what came before is not forgotten.
    {LONG_LOADS OTHERS, 64, "race"},
    {LONG_LOADS "bar.sync 0;\n" OTHERS, 64, NULL},
    {FAR_LOADS OTHERS, 64, "race"},
    {FAR_LOADS "bar.sync 0;\n" OTHERS, 64, NULL},
    // One of three readers, or writers of one value, that the next write does not come after.
    {WARPS_USE("ld.shared.u32 %r20, [s];\n", BUT_WARP_1, "96"), 128, "race"},
    {WARPS_USE("ld.shared.u32 %r20, [s];\n", "", "128"), 128, NULL},
    {WARPS_USE("@%p6 red.shared.add.u32 [s], 1;\n", BUT_WARP_1, "96"), 128, "atomic-race"},
    {WARPS_USE("@%p6 red.shared.add.u32 [s], 1;\n", "", "128"), 128, NULL},
    {WARPS_USE("@%p6 st.shared.u32 [s], 0;\n", BUT_WARP_1, "96"), 128, "race"},
    {WARPS_USE("@%p6 st.shared.u32 [s], 0;\n", "", "128"), 128, "(race)"},
    {WARPS_USE("@%p6 st.volatile.shared.u32 [s], 0;\n", BUT_WARP_1, "96"), 128, "race"},
    {WARPS_USE("@%p6 st.volatile.shared.u32 [s], 0;\n", "", "128"), 128, NULL},
    {"st.shared.u32 [s], 0;\nsetp.eq.u32 %p3, %r5, 31;\n@%p3 st.shared.u32 [s], %r1;", 32, "warp-race"},
    {"st.shared.u32 [s], 0;\nsetp.eq.u32 %p3, %r5, 31;\nbar.warp.sync -1;\n@%p3 st.shared.u32 [s], %r1;", 32,
     "(warp-race)"},
    // Volatile orders no lanes, unless each asks until what it waits for is there.
    {SIGNALS "ld.volatile.shared.u32 %r20, [%r8];", 32, "warp-race"},
    {SIGNALS "AGAIN: ld.volatile.shared.u32 %r20, [%r8]; setp.eq.u32 %p1, %r20, 0; @%p1 bra AGAIN;", 32, NULL},
    // Each lane's own fence, in whichever branch it lies. Lanes that end without a fence release nothing.
    {FLAG GIVES(FENCE "bar.warp.sync -1;\n", "st.volatile.shared.u32")
         POLLS_ALL("ld.volatile.shared.u32") "and.b32 %r21, %r5, 1; setp.eq.u32 %p4, %r21, 0; @%p4 bra ODD;\n" FENCE
                                             "bra MEET;\nODD: " FENCE "MEET:\n" TAKES,
     64, NULL},
    {FLAG GIVES(FENCE "bar.warp.sync -1;\n", "st.volatile.shared.u32")
         POLLS_ALL("ld.volatile.shared.u32") "and.b32 %r21, %r5, 1; setp.eq.u32 %p4, %r21, 0; @%p4 bra ODD;\n" FENCE
                                             "ODD:\n" TAKES,
     64, "race"},
    {FLAG ENDS_BUT_LANE_0("st.shared.u32 [%r7], %r5;\n") POLLS("ld.acquire.cta.shared.u32") "bar.warp.sync -1;\n" TAKES,
     64, "race"},
    {FLAG ENDS_BUT_LANE_0("") POLLS("ld.acquire.cta.shared.u32") "bar.warp.sync -1;\n@%p3 " TAKES, 64, NULL},
    // Who has seen what was written to a place comes after that there: the last one may clear the counter, another may
    // not.
    {COUNTS("63", "st.shared.u32 [s+1024], 0;"), 64, NULL},
    {COUNTS("63", "ld.shared.u32 %r20, [s+1024];"), 64, NULL},
    {COUNTS("31", "st.shared.u32 [s+1024], 0;"), 64, "atomic-race"},
    {SIGNALS
     "AGAIN: ld.volatile.shared.u32 %r20, [%r8]; setp.eq.u32 %p1, %r20, 0; @%p1 bra AGAIN; st.shared.u32 [%r8], "
     "0;",
     32, NULL},
    // Lanes of one instruction at one place: volatile asks for none of their values, an atomic store for one of them.
    {"st.volatile.global.u32 [%rd1+2048], %r1;", 32, "global-race"},
    {"st.volatile.global.u32 [%rd1+2048], 7;", 32, NULL},
    {"st.relaxed.gpu.global.u32 [%rd1+2048], %r1;", 32, NULL},
    // What a lane has waited for goes on with what it lets others know.
    {TWO_BEGIN BULK_TO("0", "m") LANE_0 "@!%p0 bra B;\n" LANE_0_WAITS(
         "m") "@%p7 mbarrier.arrive.shared.b64 %rd10, [s+1024];\nbra C;\nB: " WAIT_AT("s+1024", 0) READ_AT("0") "C:",
     64, NULL},
    // So does wgmma ask of what is under way, and of what was waited for.
    {SEEN ZERO MBARRIER BULK_TO("0", "m") ORDER PRODUCT CLOSE AWAIT("0") USE("%f0") WAIT_AT("m", 0), 128,
     "missing-wait"},
    {SEEN ZERO MBARRIER BULK_TO("0", "m") WAIT_AT("m", 0) ORDER PRODUCT CLOSE AWAIT("0") USE("%f0"), 128, NULL},
    // Who has waited for the copy may overwrite what it read.
    {BULK_BEGIN BULK_WAIT "st.global.u32 [%rd4], %r1;\n", 64, NULL},
    {BULK_BEGIN "st.global.u32 [%rd4], %r1;\n", 64, "global-race"},
    // The other way: a group of the thread's. What the copy reads has to be there, too.
    {FILL "fence.proxy.async;\nbar.sync 0;\n" BULK_OUT "@%p7 cp.async.bulk.wait_group.read 0;\n", 64, NULL},
    {FILL "fence.proxy.async;\nbar.sync 0;\n" BULK_OUT, 64, "exit-before-bulk-read"},
    {FILL BULK_OUT, 64, "warp-race"},
    {FILL "bar.sync 0;\n" BULK_OUT, 64, "missing-proxy-fence"},
    {FILL "fence.proxy.async.global;\nbar.sync 0;\n" BULK_OUT, 64, "missing-proxy-fence"},
    // A fence covers no copy that is on its way, but one that its thread has waited for, or comes behind.
    {COPY_4 "fence.proxy.async;\ncp.async.wait_all;\nbar.sync 0;\n" COPIED_OUT, 64, "missing-proxy-fence"},
    {COPY_4 "cp.async.wait_all;\nfence.proxy.async;\nbar.sync 0;\n" COPIED_OUT, 64, NULL},
    {COPY_4 "cp.async.wait_all;\nbar.sync 0;\nfence.proxy.async;\n" COPIED_OUT, 64, NULL},
    {COPY_4 "cp.async.wait_all;\nbar.warp.sync -1;\n" LANE_0 "@%p3 fence.proxy.async;\nbar.sync 0;\n" COPIED_OUT, 64,
     NULL},
    {COPY_4 "cp.async.wait_all;\n" LANE_0 "@%p3 fence.proxy.async;\nbar.sync 0;\n" COPIED_OUT, 64,
     "missing-proxy-fence"},
    {COPY_4 "cp.async.commit_group;\n" COPY_BESIDE "cp.async.commit_group;\ncp.async.wait_group 1;\n"
            "fence.proxy.async;\ncp.async.wait_all;\nbar.sync 0;\n" COPIED_OUT,
     64, NULL},
    {ARRIVE_BEGIN COPY_4 COPIES_ARRIVE "fence.proxy.async;\n" COPIED_OUT, 64, NULL},
    {ARRIVE_BEGIN COPY_4 COPIES_ARRIVE COPIED_OUT, 64, "missing-proxy-fence"},
    {ARRIVE_BEGIN COPY_4 COPIES_TO_M "fence.proxy.async;\n" WAIT_AT("m", 0) COPIED_OUT, 64, "missing-proxy-fence"},
    {FILL "fence.proxy.async;\nbar.sync 0;\n" BULK_OUT "@%p7 ld.global.u32 %r20, [%rd1+2048];\n", 64, "missing-wait"},
    {FILL "fence.proxy.async;\nbar.sync 0;\n" BULK_OUT
          "@%p7 cp.async.bulk.wait_group.read 0;\n@%p7 ld.global.u32 %r20, [%rd1+2048];\n",
     64, "missing-wait"},
    {FILL "fence.proxy.async;\nbar.sync 0;\n" BULK_OUT
          "@%p7 cp.async.bulk.wait_group 1;\n@%p7 ld.global.u32 %r20, [%rd1+2048];\n",
     64, "missing-wait"},
    {FILL "fence.proxy.async;\nbar.sync 0;\n" BULK_OUT
          "@%p7 cp.async.bulk.wait_group 0;\n@%p7 ld.global.u32 %r20, [%rd1+2048];\n",
     64, NULL},
    {FILL "fence.proxy.async;\nbar.sync 0;\n" BULK_ADD BULK_ADD
          "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;\n",
     64, NULL},
    // Copies that arrive at an mbarrier have come when someone waited at that one.
    {CP_BEGIN WAIT_AT("m", 0) "ld.shared.u32 %r20, [%r7];\n", 64, NULL},
    {CP_BEGIN WAIT_AT("s+1536", 0) "ld.shared.u32 %r20, [%r7];\n", 64, "missing-wait"},
    // They hand over nothing else that their thread did since it was ordered last.
    {ARRIVE_BEGIN FILL COPIES_ARRIVE READ_OTHER, 64, "race"},
    {ARRIVE_BEGIN FILL COPIES_ARRIVE READ_NEIGHBOUR, 64, "warp-race"},
    {ARRIVE_BEGIN FILL "bar.warp.sync -1;\n" COPIES_ARRIVE READ_NEIGHBOUR, 64, NULL},
    {ARRIVE_BEGIN FILL "bar.sync 0;\n" COPIES_ARRIVE READ_OTHER, 64, NULL},
    {ARRIVE_BEGIN FILL FENCE COPIES_ARRIVE READ_OTHER, 64, NULL},
    {ARRIVE_BEGIN FENCE FILL COPIES_ARRIVE READ_OTHER, 64, "race"},
    {ARRIVE_BEGIN "cp.async.ca.shared.global [%r7], [%rd4], 4, 0;\n" COPIES_ARRIVE READ_OTHER, 64, NULL},
    {ARRIVE_BEGIN FILL COPY_BESIDE
     "cp.async.mbarrier.arrive.shared.b64 [m];\nmbarrier.arrive.shared.b64 %rd10, [m];\n" //
     WAIT_AT("m", 0) READ_OTHER,
     64, NULL},
    {ARRIVE_BEGIN FILL "bar.sync 0;\nld.shared.u32 %r20, [%r7];\n" COPIES_ARRIVE
                       "xor.b32 %r8, %r7, 512; st.shared.u32 [%r8], %r5;\n",
     64, "race"},
    // But what a copy read is read, and who waits there knows that its thread has used the mbarrier.
    {"st.global.u32 [%rd3+1024], %r1;\n" ARRIVE_BEGIN "cp.async.ca.shared.global [%r7], [%rd3+1024], 4;\n" COPIES_ARRIVE
     "xor.b32 %r8, %r1, 32; mul.wide.u32 %rd5, %r8, 4; add.u64 %rd5, %rd1, %rd5; st.global.u32 [%rd5+1024], %r1;\n",
     64, NULL},
    {"@%p7 mbarrier.init.shared.b64 [m], 32;\nbar.sync 0;\n@%p0 bra B;\n" COPIES_TO_M
     "bra END;\nB: " WAIT_AT("m", 0) "bar.warp.sync -1;\n@%p7 mbarrier.inval.shared.b64 [m];\nEND:",
     64, NULL},
    {"cp.async.ca.shared.global [%r7], [%rd4], 4;\ncp.async.commit_group;\ncp.async.wait_group 0;\n"
     "ld.shared.u32 %r20, [%r7];",
     64, NULL},
    // Who waits behind the read has not waited in time, though he runs ahead; a barrier behind the wait is no cure
    // then.
    {COPY_4 "cp.async.commit_group;\n" LATE_0 READ_OTHER "cp.async.wait_group 0;\n", 64, "missing-wait"},
    {COPY_4 LATE_0 READ_OTHER "cp.async.wait_all;\n", 64, "missing-wait"},
    {COPY_4 "cp.async.commit_group;\n" COPY_4 "cp.async.commit_group;\n" LATE_0 "cp.async.wait_group 1;\n" READ_OTHER
            "cp.async.wait_group 0;\n",
     64, "missing-wait"},
    {COPY_4 "cp.async.commit_group;\ncp.async.wait_group 0;\n" LATE_0 READ_OTHER, 64, "missing-barrier-after-wait"},
    {COPY_4 "cp.async.commit_group;\nbar.sync 0;\ncp.async.wait_group 0;\n" LATE_0 READ_OTHER, 64,
     "missing-barrier-after-wait"},
    // One lane, or warp, waits behind the barrier and the read: the others' waits do not help it.
    {COPY_4
     "cp.async.commit_group;\nsetp.ne.u32 %p3, %r5, 7;\n@!%p3 bra N;\ncp.async.wait_group 0;\nN: bar.sync 0;\n" LATE_1
         READ_OTHER "cp.async.wait_all;\n",
     64, "missing-wait"},
    {COPY_4 "cp.async.commit_group;\n@%p0 bra N;\ncp.async.wait_group 0;\nN: bar.sync 0;\n" LATE_1 READ_OTHER
            "cp.async.wait_all;\n",
     64, "missing-wait"},
    {"@!%p0 bra C;\n" COPY_4 "cp.async.commit_group;\nC: bar.sync 0;\n" LATE_1
     "@!%p0 ld.shared.u32 %r20, [%r7+-512];\ncp.async.wait_all;\n",
     64, "missing-wait"}, // the reading warp copies nothing
    {COPY_4 "cp.async.commit_group;\ncp.async.wait_group 0;\nbar.sync 0;\n" LATE_1 READ_OTHER "cp.async.wait_all;\n",
     64, NULL},
    // What a copy reads is overwritten: by its own thread, by another one behind a barrier, while a bulk copy is under
    // way; behind the wait, and behind the barrier that another thread needs; beside it; and by a thread that waited at
    // the mbarrier where another one did.
    {COPY_4 "st.global.u32 [%rd4], %r1;\ncp.async.wait_all;\n", 64, "async-source-overwrite"},
    {COPY_4 "cp.async.wait_all;\nst.global.u32 [%rd4], %r1;\n", 64, NULL},
    {COPY_4 "cp.async.commit_group;\nadd.u64 %rd5, %rd4, 512; cp.async.ca.shared.global [%r7+1024], [%rd5], 4;\n"
            "cp.async.commit_group;\ncp.async.wait_group 1;\nst.global.u32 [%rd4], %r1;\ncp.async.wait_all;\n",
     64, NULL},
    {COPY_4 "cp.async.commit_group;\nadd.u64 %rd5, %rd4, 512; cp.async.ca.shared.global [%r7+1024], [%rd5], 4;\n"
            "cp.async.commit_group;\ncp.async.wait_group 1;\nst.global.u32 [%rd5], %r1;\ncp.async.wait_all;\n",
     64, "async-source-overwrite"},
    {COPY_4 "bar.sync 0;\n" SOURCE_OF_OTHER "st.global.u32 [%rd5], %r1;\ncp.async.wait_all;\n", 64,
     "async-source-overwrite"},
    {COPY_4 "bar.sync 0;\n" SOURCE_OF_OTHER "red.global.add.u32 [%rd5], %r1;\ncp.async.wait_all;\n", 64,
     "async-source-overwrite"},
    {COPY_4 "bar.sync 0;\ncp.async.wait_all;\n" SOURCE_OF_OTHER "st.global.u32 [%rd5], %r1;\n", 64,
     "async-source-overwrite"},
    {COPY_4 "cp.async.wait_all;\nbar.sync 0;\n" SOURCE_OF_OTHER "st.global.u32 [%rd5], %r1;\n", 64, NULL},
    {COPY_4 SOURCE_OF_OTHER "st.global.u32 [%rd5], %r1;\ncp.async.wait_all;\n", 64, "global-race"},
    {COPY_4 "st.global.u32 [%rd4+256], %r1;\ncp.async.wait_all;\n", 64, NULL},
    {BULK_BEGIN "bar.sync 0;\nst.global.u32 [%rd4], %r1;\n" BULK_WAIT, 64, "async-source-overwrite"},
    {BULK_BEGIN "bar.sync 0;\nst.global.u32 [%rd4+256], %r1;\n" BULK_WAIT, 64, NULL},
    {BULK_BEGIN BULK_WAIT "bar.sync 0;\nst.global.u32 [%rd4], %r1;\n", 64, NULL},
    {BULK_BEGIN BULK_WAIT "st.global.u32 [%rd4], %r1;\n", 64, NULL},
    {"@!%p0 bra C;\n" COPY_4 "cp.async.commit_group;\ncp.async.wait_group 0;\nC: @!%p0 ld.shared.u32 %r20, [%r7+-512];",
     64, "missing-barrier-after-wait"}, // the reading warp copies nothing
    {COPY_4 "cp.async.commit_group;\ncp.async.wait_group 0;\nbar.sync 0;\n" LATE_0 READ_OTHER, 64, NULL},
    {"cp.async.ca.shared.global [%r7], [%rd3], 4;\ncp.async.wait_all;\nld.shared.u32 %r20, [%r7];", 32,
     "uninitialised-global"},
    {"ld.global.u32 %r20, [%rd3];", 32, "uninitialised-global"},
    {"ld.global.u32 %r20, [%rd4];", 32, NULL},
    // Lanes that meet a barrier by themselves learn something for themselves alone, until their warp meets.
    {FILL LOW_HALF "@!%p3 bra N;\nbarrier.sync 1, 32;\nN: " READ_OTHER, 64, "race"},
    {FILL LOW_HALF "@!%p3 bra N;\nbarrier.sync 1, 32;\n" READ_OTHER "N:", 64, NULL},
    {FILL LOW_HALF "@!%p3 bra N;\nbarrier.sync 1, 32;\nN: bar.warp.sync -1;\n" READ_OTHER, 64, NULL},
    {FILL LOW_HALF "@!%p3 bra N;\nbarrier.sync 1, 32;\nbra E;\nN: barrier.sync 2, 32;\nE: " READ_OTHER, 64, NULL},
    // A barrier with a count takes in nothing of lanes that have ended, but for what came before a meeting with them.
    {FILL LOW_HALF "@!%p3 ret;\nbarrier.sync 1, 32;\n" READ_OTHER_HALF, 64, "race"},
    {FILL "bar.warp.sync -1;\n" LOW_HALF "@!%p3 ret;\nbarrier.sync 1, 32;\n" READ_OTHER_HALF, 64, NULL},
    {FILL LOW_HALF "@!%p3 ret;\nbar.warp.sync 0xffff;\nbarrier.sync 1, 32;\n" READ_OTHER_HALF, 64, "race"},
    {FILL LOW_HALF "@!%p3 ret;\nbarrier.sync 1, 32;\n" READ_OTHER, 64, NULL},
    {"setp.lt.u32 %p1, %r5, 16;\n@%p1 bra LOW;\nbar.sync 0;\nbra.uni END;\nLOW: bar.sync 0;\nEND:", 32,
     "divergent-barrier"},
    {"setp.gt.u32 %p1, %r1, 39;\n@%p1 ret;\nbar.sync 0;", 64, "(uneven-barrier)"},
    {"bar.sync 1, 64;", 64, NULL},
    {"@%p0 st.shared.u32 [s], %r1;\n@%p0 bar.arrive 1, 64;\n@!%p0 bar.sync 1, 64;\n@!%p0 ld.shared.u32 %r20, [s];", 64,
     "warp-race"}, // 32 lanes write different values into one word
    {"@%p7 st.shared.u32 [s], %r1;\n@%p0 bar.arrive 1, 64;\n@!%p0 bar.sync 1, 64;\n@!%p0 ld.shared.u32 %r20, [s];", 64,
     NULL},
    {"@%p7 st.shared.u32 [s], %r1;\nbar.sync 0;\natom.shared.add.u32 %r20, [s], 1;", 64, NULL},
    {"@%p7 st.shared.u32 [s], %r1;\nbar.sync 0;\n@%p0 red.shared.add.u32 [s], 1;\n@!%p0 ld.shared.u32 %r20, [s];", 64,
     "atomic-race"},
    // All count, the last one opens, also for the lanes of its own warp that came before it by the same atomic.
    {LAST_OPENS("membar.cta;", "membar.cta;"), 64, NULL},
    {LAST_OPENS("", "membar.cta;"), 64, "race"},
    {LAST_OPENS("membar.cta;", ""), 64, "race"},
    // What st.async brings has come when someone waited at its mbarrier.
    {STORE_ASYNC WAIT_AT("m", 0) "xor.b32 %r8, %r7, 512; ld.shared.u32 %r20, [%r8];", 64, NULL},
    {STORE_ASYNC "xor.b32 %r8, %r7, 512; ld.shared.u32 %r20, [%r8];\n" WAIT_AT("m", 0), 64, "missing-wait"},
    {SENT("256", ST_ASYNC) WAIT_AT("m", 0) OF_OTHERS, 64, NULL},
    {SENT("256", ST_ASYNC) "bar.sync 0;\n" OF_OTHERS WAIT_AT("m", 0), 64, "missing-wait"},
    {SENT("256", RED_ASYNC) WAIT_AT("m", 0) OF_OTHERS, 64, NULL},
    {SENT("256", RED_ASYNC) "bar.sync 0;\n" OF_OTHERS WAIT_AT("m", 0), 64, "missing-wait"},
    {SENT("256", RED_ASYNC) "red.shared.add.u32 [%r7], 1;\n" WAIT_AT("m", 0), 64, NULL},
    {SENT("256", ST_ASYNC) "@!%p0 bra E;\n" WAIT_AT("m", 0) "E: bar.sync 0;\n" OF_OTHERS, 64,
     NULL}, // one waits for all
    {SENT("256", ST_ASYNC) "@!%p0 bra E;\n" WAIT_AT("m", 0) "E:\n" OF_OTHERS "bar.sync 0;\n", 64, "missing-wait"},
    {SENT("256", ST_ASYNC), 64, "exit-before-bulk-write"},
    {SENT("64", ST_ASYNC) WAIT_AT("m", 0) "ld.shared.u32 %r20, [%r7];", 32, "expect-tx-too-few"},
    {SENT("128", ST_ASYNC) WAIT_AT("m", 0) OF_OTHERS, 64, "expect-tx-too-few"},
    // The next phase's bytes, sent by who knows that the first one is over.
    {SENT("256", ST_ASYNC) WAIT_AT("m", 0) "bar.sync 0;\n@%p7 mbarrier.arrive.expect_tx.shared.b64 _, [m], 128;\n"
                                           "bar.sync 0;\n@!%p0 " ST_ASYNC " [%r7+4], %r1, [%r3];\n" WAIT_AT("m", 1),
     64, NULL},
    {"barrier.cluster.arrive;\nbarrier.cluster.wait;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;", 64, NULL},
    {"barrier.cluster.arrive;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;", 64, "arrives-twice"},
    {"@%p0 barrier.cluster.arrive;\n@!%p0 barrier.cluster.arrive;\nbarrier.cluster.wait;", 64, NULL},
    // Two bytes lie between t and u.
    {TWO_ARRAYS "@%p7 st.shared.u8 [t+5], %r1;\n@%p7 st.shared.u8 [u], %r1;", 64, NULL},
    {TWO_ARRAYS "@%p7 st.shared.u8 [t+6], %r1;", 64, "shared-gap"},
    {TWO_ARRAYS "@%p7 st.shared.u8 [u+-1], %r1;", 64, "shared-gap"},
    {TWO_ARRAYS "@%p7 st.shared.u32 [t+4], %r1;", 64, "shared-gap"},
    {TWO_ARRAYS "@%p7 red.shared.add.u32 [t+4], %r1;", 64, "shared-gap"},
    {TWO_ARRAYS "@%p7 cp.async.ca.shared.global [t+4], [%rd4], 4;\ncp.async.wait_all;", 64, "shared-gap"},
    {TWO_ARRAYS "@%p7 ld.shared.u8 %r20, [t+6];", 64, "uninitialised-shared"},
    {TWO_ARRAYS "@%p7 st.shared.u8 [u+16], %r1;", 64, "other-array"}, // v lies there
    {TWO_ARRAYS "@%p7 st.shared.u8 [v+-1], %r1;", 64, "other-array"},
    {TWO_ARRAYS "@%p7 red.shared.add.u32 [u+16], 1;", 64, "other-array"},
    {TWO_ARRAYS "@%p7 cp.async.ca.shared.global [u+16], [%rd4], 4;\ncp.async.wait_all;", 64, "other-array"},
    {TWO_ARRAYS "mov.u32 %r20, u; selp.u32 %r21, 16, 0, %p7; add.u32 %r20, %r20, %r21;\n@%p7 st.shared.u8 [%r20], %r1;",
     64, "other-array"},
    {TWO_ARRAYS "mov.u32 %r20, u; mov.u32 %r21, v; selp.u32 %r20, %r21, %r20, %p7;\n@%p7 st.shared.u8 [%r20], %r1;", 64,
     NULL}, // of either
    {TWO_ARRAYS "@%p7 ld.shared.u8 %r20, [u+16];", 64, "uninitialised-shared"},
    {"shfl.sync.bfly.b32 %r20, %r1, 1, 31, 0xffff;", 32, "wrong-membermask"},
    {"setp.lt.u32 %p1, %r5, 16;\n@%p1 shfl.sync.idx.b32 %r20, %r1, 20, 31, 0xffff;", 32, "shuffle-inactive"},
    // To fill a bit-field is no read of what is kept beside it; to update what nobody filled is, and to use it.
    {"ld.shared.u32 %r26, [%r7]; and.b32 %r27, %r26, -4096; or.b32 %r28, %r27, %r1; st.shared.u32 [%r7], %r28;", 64,
     NULL},
    {"ld.shared.u32 %r26, [%r7]; bfi.b32 %r27, %r1, %r26, 4, 8; st.shared.u32 [%r7], %r27;", 64, NULL},
    {"ld.shared.u32 %r26, [%r7]; bfi.b32 %r27, %r26, %r1, 4, 8; st.shared.u32 [%r7], %r27;", 64,
     "uninitialised-shared"},
    {"ld.shared.u32 %r26, [%r7]; or.b32 %r28, %r26, %r1; st.shared.u32 [%r7], %r28;", 64, "uninitialised-shared"},
    {"ld.shared.u32 %r26, [%r7]; and.b32 %r27, %r26, -4096; st.shared.u32 [%r7], %r27;", 64, "uninitialised-shared"},
    {"ld.shared.u32 %r26, [%r7]; and.b32 %r27, %r26, -4096; or.b32 %r28, %r27, %r1; st.shared.u32 [%r7+512], %r28;", 32,
     "uninitialised-shared"},
    {"ld.shared.u32 %r26, [%r7]; and.b32 %r27, %r26, -4096; or.b32 %r28, %r27, %r1; st.shared.u32 [%r7], %r28;\n"
     "st.global.u32 [%rd3], %r28;",
     64, "uninitialised-shared"},
    {"mov.u32 %r25, %r7; ld.shared.u32 %r26, [%r25]; and.b32 %r27, %r26, -4096; or.b32 %r28, %r27, %r1;\n"
     "add.u32 %r25, %r25, 512; st.shared.u32 [%r25], %r28;",
     32, "uninitialised-shared"},
    {"ld.shared.u32 %r26, [s]; and.b32 %r27, %r26, -4096; or.b32 %r28, %r27, %r1; st.shared.u32 [s], %r28;", 64,
     "race"},
    // Thread 0 divides by its number; the others may.
    {"div.u32 %r20, 7, %r1;", 32, "division-by-zero"},
    {"cvt.u64.u32 %rd5, %r1; rem.s64 %rd5, 7, %rd5;", 32, "division-by-zero"},
    {"setp.ne.u32 %p1, %r1, 0;\n@%p1 div.u32 %r20, 7, %r1;\n@%p1 rem.s32 %r20, 7, %r1;", 32, NULL},
};

START_TEST(names_the_hazard_or_stays_quiet)
{
    struct hazard_list hazards = {0};
    struct diagnostic diagnostic = {0};
    enum status status = run(cases[_i].body, cases[_i].block, &hazards, &diagnostic);
    ck_assert_msg(status == STATUS_OK, "%s: %s\n%s", status_name(status), diagnostic.message, cases[_i].body);
    bool found = false;
    for (size_t i = 0; i < hazards.count; i++) {
        char name[64];
        snprintf(name, sizeof name, hazards.items[i].benign ? "(%s)" : "%s", hazard_name(hazards.items[i].kind));
        found |= cases[_i].hazard && strcmp(name, cases[_i].hazard) == 0;
        ck_assert_msg(!cases[_i].hazard || cases[_i].hazard[0] != '(' || hazards.items[i].benign, "%s\n%s", name,
                      cases[_i].body);
        ck_assert_uint_gt(strlen(hazards.items[i].message), 20);
    }
    if (cases[_i].hazard)
        ck_assert_msg(found, "no %s, but %zu others (%s)\n%s", cases[_i].hazard, hazards.count,
                      hazards.count ? hazard_name(hazards.items[0].kind) : "none", cases[_i].body);
    else
        ck_assert_msg(hazards.count == 0, "%s: %s\n%s", hazard_name(hazards.items[0].kind), hazards.items[0].message,
                      cases[_i].body);
    hazard_list_free(&hazards);
}
END_TEST

static const struct {
    const char *body, *says;
    enum hazard_kind kind;
} remedies[] = {
    {"@%p7 st.shared.u32 [s], %r1;\nld.shared.u32 %r20, [s];", "no barrier in between: add __syncthreads()",
     HAZARD_RACE},
    {"@!%p0 bra REST;\nst.shared.u32 [%r7], %r1;\nbar.sync 0;\nREST: ld.shared.u32 %r20, [s];",
     "not every thread passes the barrier in between", HAZARD_RACE},
    {"mov.u32 %r21, %ctaid.x;\nsetp.eq.u32 %p1, %r21, 0;\n@%p7 st.shared.u32 [s], %r1;\n@%p1 bra REST;\nbar.sync 0;\n"
     "REST: ld.shared.u32 %r20, [s];",
     "the barrier in between is in a branch that is not always taken", HAZARD_RACE},
    {"mov.u32 %r21, 0;\nLOOP: @%p7 st.shared.u32 [s], %r21;\nbar.sync 0;\nld.shared.u32 %r10, [s];\nadd.u32 %r20, "
     "%r20, %r10;\n"
     "add.u32 %r21, %r21, 1; setp.lt.u32 %p1, %r21, 2;\n@%p1 bra LOOP;",
     "on the way round the loop", HAZARD_RACE},
    {".loc 1 5 3\nld.shared.u32 %r20, [s];\nadd.u32 %r20, %r20, 1;\nst.shared.u32 [s], %r20;",
     "threads that update one place need an atomic", HAZARD_RACE},
    {".loc 1 5 3\nld.shared.u32 %r20, [s+16];\nadd.u32 %r20, %r20, 1;\nst.shared.u32 [%r7], %r20;",
     "no barrier in between: add __syncthreads()", HAZARD_RACE},
    {"@%p7 st.shared.v2.u32 [s], {%r1, %r1};\nbar.sync 0;\n" LANE_0 "@!%p3 bra END;\n"
     "LOCK: atom.shared.cas.b32 %r10, [s+4], 0, 1;\nsetp.ne.u32 %p1, %r10, 0;\n@%p1 bra LOCK;\n.loc 1 5 3\n"
     "ld.shared.u32 %r20, [s];\nadd.u32 %r20, %r20, 1;\nst.shared.u32 [s], %r20;\n.loc 1 6 3\n"
     "atom.shared.exch.b32 %r10, [s+4], 0;\nEND:",
     "or one lock for all of them, with a fence after taking it", HAZARD_RACE},
    // No barrier of the block can stand where threads have different things to do.
    {"@!%p0 bra B;\nst.shared.u32 [%r7], %r1;\nbra END;\nB: ld.shared.u32 %r20, [%r7+-512];\nEND:",
     "in two branches, neither of which can hold a barrier", HAZARD_RACE},
    {"@%p7 mbarrier.init.shared.b64 [m], 1;\nbar.sync 0;\n@!%p0 bra B;\n@%p7 mbarrier.arrive.shared.b64 %rd10, [m];\n"
     "st.shared.u32 [%r7], %r1;\nbra END;\nB: " WAIT_AT("m", 0) "ld.shared.u32 %r20, [%r7+-512];\nEND:",
     "no mbarrier orders the two: the thread that comes first must arrive after it", HAZARD_RACE},
    {GIVE_BACK("2") LANE_0 "@%p3 mbarrier.arrive.shared.b64 %rd10, [s+1024];\n" TAKEN_BY_OTHERS,
     "a lane that does so for its whole warp needs a __syncwarp() in between", HAZARD_RACE},
    {ARRIVE_BEGIN FILL COPIES_ARRIVE READ_OTHER, "hand over what they bring, and nothing else", HAZARD_RACE},
    {GIVE_BACK("64") "mbarrier.arrive.relaxed.cta.shared.b64 %rd10, [s+1024];\n" TAKEN_BY_OTHERS,
     "the arrival at the mbarrier is .relaxed", HAZARD_RACE},
    {GIVE_BACK("64") "mbarrier.arrive.shared.b64 %rd10, [s+1024];\nxor.b32 %r7, %r7, 512;\n" WAIT_RELAXED_AT(
         "s+1024", 0) "st.shared.u32 [%r7], %r5;\n",
     "the wait at the mbarrier is .relaxed", HAZARD_RACE},
    {FLAG GIVES("", "st.release.cta.shared.u32") POLLS("ld.acquire.cta.shared.u32") "bar.warp.sync -1;\n" TAKES,
     "no flag orders the two: it takes a fence", HAZARD_RACE},
    // Behind what was waited for, a barrier is wanted.
    {BULK_BEGIN BULK_WAIT "st.shared.u32 [%r7+256], %r1;\nld.shared.u32 %r20, [s+256];",
     "no barrier in between: add __syncthreads()", HAZARD_RACE},
    {BULK_BEGIN READ_AT("0"), "wait for the copy at the mbarrier that it arrives at", HAZARD_ASYNC_NOT_WAITED},
    {BULK_BEGIN WAIT_RELAXED_AT("m", 0) READ_AT("0"), "wait for the copy by .acquire at the mbarrier",
     HAZARD_ASYNC_NOT_WAITED},
    {"cp.async.ca.shared.global [%r7], [%rd4], 4;\nld.shared.u32 %r20, [%r7];",
     "wait for the copy (__pipeline_wait_prior", HAZARD_ASYNC_NOT_WAITED},
    // a lane of the same warp, and a thread of the other one
    {"cp.async.ca.shared.global [%r7], [%rd4], 4;\ncp.async.wait_all;\nxor.b32 %r8, %r7, 16; ld.shared.u32 %r20, "
     "[%r8];",
     "only the thread that waits, not the other lanes of its warp; put", HAZARD_ASYNC_NO_BARRIER},
    {"cp.async.ca.shared.global [%r7], [%rd4], 4;\ncp.async.wait_all;\nxor.b32 %r8, %r7, 512; ld.shared.u32 %r20, "
     "[%r8];",
     "only the thread that waits; put", HAZARD_ASYNC_NO_BARRIER},
    {"ld.shared.u32 %r20, [s];\nst.shared.u32 [s+4], %r20;", "it is made of data", HAZARD_RACE},
    {TWO_ARRAYS "@%p7 st.shared.u8 [t+7], %r1;", "writes byte 7 of t (thread 0), past the end of that array",
     HAZARD_SHARED_GAP},
    {"vote.sync.ballot.b32 %r20, %p0, 0x7fffffff;", "the mask lacks a lane that executes this (thread 31 does)",
     HAZARD_MEMBERMASK},
    {"setp.lt.u32 %p1, %r5, 4;\n@!%p1 bra END;\nvote.sync.ballot.b32 %r20, %p0, 0xff;\nEND: st.global.u32 [%rd4], "
     "%r20;",
     "the mask names lanes that do not come here", HAZARD_MEMBERMASK},
};

START_TEST(a_hazard_says_what_cures_it)
{
    struct hazard_list hazards = {0};
    struct diagnostic diagnostic = {0};
    enum status status = run(remedies[_i].body, 64, &hazards, &diagnostic);
    ck_assert_msg(status == STATUS_OK, "%s", diagnostic.message);
    size_t found = 0;
    for (size_t i = 0; i < hazards.count; i++) {
        if (hazards.items[i].kind != remedies[_i].kind)
            continue;
        found++;
        ck_assert_msg(strstr(hazards.items[i].message, remedies[_i].says) != NULL, "%s", hazards.items[i].message);
    }
    ck_assert_uint_gt(found, 0);
    hazard_list_free(&hazards);
}
END_TEST

static const struct {
    const char *body, *says;
} faults[] = {
    {"add.u32 %r9, %r9, 8;\n" LDMATRIX, "misaligned"},
    {"mov.u64 %rd10, %rd0; ldmatrix.sync.aligned.m8n8.x1.b16 {%r20}, [%rd10];", "not in shared memory"},
    {"add.u32 %r9, %r9, 65536;\n" LDMATRIX, "shared memory"},
    {"setp.lt.u32 %p1, %r5, 16;\n@%p1 " LDMATRIX, "lanes"},
};

START_TEST(bad_matrix_rows_are_faults)
{
    struct hazard_list hazards = {0};
    struct diagnostic diagnostic = {0};
    ck_assert_int_eq(run(faults[_i].body, 32, &hazards, &diagnostic), STATUS_FAULT);
    ck_assert_msg(strstr(diagnostic.message, faults[_i].says) != NULL, "%s", diagnostic.message);
    hazard_list_free(&hazards);
}
END_TEST

// ---- between blocks: whole lines of a warp, and what cuts them

#define BLOCKS "mov.u32 %r10, %ctaid.x; setp.eq.u32 %p5, %r10, 0; mul.wide.u32 %rd10, %r10, 128;\n"

static const struct {
    const char *body;
    uint64_t count; // places at which blocks meet; 0: no hazard
    bool benign;
    uint32_t thread, other_thread;
} meetings[] = {
    {BLOCKS "st.global.u32 [%rd3], %r1;", 32, true, 0, 0},
    {BLOCKS "st.global.u32 [%rd3], %r10;", 32, false, 0, 0},
    {BLOCKS "@%p5 st.global.u32 [%rd3], %r1;\n@!%p5 ld.global.u32 %r20, [%rd3+4];", 31, false, 1, 0},
    {BLOCKS "@%p5 ld.global.u32 %r20, [%rd4];\n@!%p5 st.global.u32 [%rd4], %r1;", 32, false, 0, 0},
    {BLOCKS "@%p5 st.global.u32 [%rd3], %r1;\n@!%p5 red.global.add.u32 [%rd3], 1;", 32, false, 0, 0},
    {BLOCKS "st.global.u32 [%rd3], %r10;\nld.global.u32 %r20, [%rd3];", 64, false, 0, 0},
    {BLOCKS "add.u64 %rd3, %rd3, %rd10; st.global.u32 [%rd3], %r1;\nld.global.u32 %r20, [%rd3];", 0, false, 0, 0},
    {BLOCKS "red.global.add.u32 [%rd4], 1;", 0, false, 0, 0},
    {BLOCKS "ld.global.u32 %r20, [%rd4];", 0, false, 0, 0},
};

START_TEST(blocks_that_meet_are_told_whatever_the_host_threads)
{
    for (unsigned host_threads = 1; host_threads <= 2; host_threads++) {
        struct hazard_list hazards = {0};
        struct diagnostic diagnostic = {0};
        uint64_t count = 0;
        enum status status = run_grid(meetings[_i].body, "", 2, 32, host_threads, &hazards, &diagnostic);
        ck_assert_msg(status == STATUS_OK, "%s", diagnostic.message);
        for (size_t i = 0; i < hazards.count; i++) {
            const struct hazard *hazard = &hazards.items[i];
            if (hazard->kind != HAZARD_BLOCK_RACE)
                continue;
            count += hazard->count;
            ck_assert_int_eq(hazard->benign, meetings[_i].benign);
            if (i == 0) {
                ck_assert_uint_eq(hazard->thread[0], meetings[_i].thread);
                ck_assert_uint_eq(hazard->other_thread[0], meetings[_i].other_thread);
                ck_assert_uint_ne(hazard->block[0], hazard->other_block[0]);
            }
        }
        ck_assert_uint_eq(count, meetings[_i].count);
        hazard_list_free(&hazards);
    }
}
END_TEST

#define HANDED_OVER(behind) /* in[0] is the flag */                                                                    \
    BLOCKS "@!%p5 bra READ;\nst.global.u32 [%rd3], %r1;\nmembar.gl;\nbar.warp.sync -1;\n"                              \
           "@%p7 st.relaxed.gpu.global.u32 [%rd0], -1;\nbra END;\n"                                                    \
           "READ: ld.relaxed.gpu.global.u32 %r11, [%rd0];\nsetp.ne.u32 %p1, %r11, -1;\n@%p1 bra READ;\n" behind        \
           "ld.global.u32 %r20, [%rd3];\nEND:"
#define VOLATILE_DATA(fence) /* a ticket each, and the second block keeps what the first one stored */                 \
    BLOCKS "@%p5 st.volatile.global.u32 [%rd4], %r1;\n" fence "atom.global.add.u32 %r11, [%rd1], 1;\n" fence           \
           "@%p5 bra END;\nld.volatile.global.u32 %r20, [%rd4];\n"
#define TO_CLUSTER "barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.acquire.aligned;\n"

#define AT_CLUSTER "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
#define ADDRESSES_OF(rank)                                                                                             \
    "mapa.shared::cluster.u32 %r11, %r2, " rank "; mapa.shared::cluster.u32 %r12, %r3, " rank ";\n"
#define BESIDE(bytes) /* each block has an mbarrier, and %r11 and %r12 are s and m of the other */                     \
    "mov.u32 %r13, %cluster_ctarank; xor.b32 %r10, %r13, 1; add.u32 %r14, %r2, %r6; st.shared.u32 [%r14], "            \
    "%r1;\n" ADDRESSES_OF("%r10") "@%p7 mbarrier.init.shared.b64 [m], 1;\n"                                            \
                                  "@%p7 mbarrier.arrive.expect_tx.shared.b64 _, [m], " bytes                           \
                                  ";\nfence.proxy.async;\n" AT_CLUSTER                                                 \
                                  "add.u32 %r15, %r11, %r6; setp.lt.u32 %p5, %r1, 2; setp.eq.u32 %p4, %r13, 0;\n"
#define TO_PEER(send) send " [%r15], %r1, [%r12];\n"
#define ADDS(who) /* 64 bytes of s + 1024 to s of the block of %r11 */                                                 \
    "@" who " cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r11], "          \
    "[%r2+1024], 64, [%r12];\n"
#define READ "ld.shared.u32 %r20, [%r14];\n"
#define ONE_WAITS "@!%p7 bra E;\n" WAIT_AT("m", 0) "E:\n"

static const struct {
    const char *body;
    uint32_t grid, cluster;
    const char *says; // NULL: nothing is told
    enum hazard_kind kind;
} apart[] = {
    {BLOCKS "@%p5 st.global.u32 [%rd3], %r1;\n@!%p5 ld.global.u32 %r20, [%rd3];", 2, 1,
     "run in any order: give each block its own place", HAZARD_BLOCK_RACE},
    {BLOCKS "@%p5 st.global.u32 [%rd3], %r1;\natom.global.add.u32 %r11, [%rd0], 1;\n@!%p5 ld.global.u32 %r20, [%rd3];",
     2, 1,
     "a flag or counter orders the two only with a fence, __threadfence(), before it is set and another one behind",
     HAZARD_BLOCK_RACE},
    {VOLATILE_DATA("") "st.global.u32 [%rd3+1024], %r20;\nEND:", 2, 1,
     "a flag or counter orders the two only with a fence", HAZARD_BLOCK_RACE},
    {VOLATILE_DATA("membar.gl;\n") "st.global.u32 [%rd3+1024], %r20;\nEND:", 2, 1, NULL, HAZARD_BLOCK_RACE},
    {VOLATILE_DATA("") "setp.eq.u32 %p1, %r20, 0;\n@%p1 st.global.u32 [%rd3+1024], 1;\nEND:", 2, 1, NULL,
     HAZARD_BLOCK_RACE}, // a flag
    {BLOCKS "@%p5 st.volatile.global.u32 [%rd4], -1;\n@%p5 bra END;\nPOLL: ld.volatile.global.u32 %r20, [%rd4];\n"
            "setp.ne.u32 %p1, %r20, -1;\n@%p1 bra POLL;\nst.global.u32 [%rd3+1024], %r20;\nEND:",
     2, 1, NULL, HAZARD_BLOCK_RACE}, // waited for
    {VOLATILE_DATA("") "setp.lt.s32 %p1, %r20, 0;\n@%p1 bra END;\nst.global.u32 [%rd3+1024], %r20;\nEND:", 2, 1, NULL,
     HAZARD_BLOCK_RACE}, // data and a flag in one word
    {HANDED_OVER(""), 2, 1,
     "a fence of the whole device, __threadfence(), between the first and setting the flag, and such "
     "a fence between seeing it and the second",
     HAZARD_BLOCK_RACE},
    {HANDED_OVER("fence.acq_rel.cta;\n"), 2, 1, "a fence of the whole device", HAZARD_BLOCK_RACE},
    {HANDED_OVER("bar.sync 0;\n"), 2, 1, "a barrier, but no fence or acquire of the whole device", HAZARD_BLOCK_RACE},
    {HANDED_OVER("membar.gl;\n"), 2, 1, NULL, HAZARD_BLOCK_RACE},
    {"red.relaxed.cta.global.add.u32 [%rd1], 1;", 2, 1, "an atomic whose scope is a block", HAZARD_BLOCK_RACE},
    {"red.relaxed.cluster.global.add.u32 [%rd1], 1;", 4, 2, "an atomic whose scope is the cluster", HAZARD_BLOCK_RACE},
    {"red.relaxed.cluster.global.add.u32 [%rd1], 1;", 2, 2, NULL, HAZARD_BLOCK_RACE},
    // a plain access beside it would race with one of the device, too
    {BLOCKS "@%p5 red.relaxed.cta.global.add.u32 [%rd1], 1;\n@!%p5 st.global.u32 [%rd1], 77;", 2, 1,
     "give each block its own place", HAZARD_BLOCK_RACE},
    {"mov.u32 %r10, %cluster_ctarank; xor.b32 %r10, %r10, 1; mapa.shared::cluster.u32 %r11, %r3, %r10;\n"
     "@%p7 mbarrier.init.shared.b64 [m], 32;\nbar.sync 0;\n" TO_CLUSTER
     "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r11];\n" WAIT_AT("m", 0) TO_CLUSTER,
     2, 2, "the other block is not told that it was made: put a cluster.sync() in between", HAZARD_CLUSTER_RACE},
    {"mov.u32 %r10, %cluster_ctarank; xor.b32 %r10, %r10, 1; mapa.shared::cluster.u32 %r11, %r3, %r10;\n"
     "@%p7 mbarrier.init.shared.b64 [m], 32;\n@%p7 fence.mbarrier_init.release.cluster;\nbar.sync 0;\n" TO_CLUSTER
     "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r11];\n" WAIT_AT("m", 0) TO_CLUSTER,
     2, 2, NULL, HAZARD_CLUSTER_RACE},
    {"mov.u32 %r10, %cluster_ctarank; mapa.shared::cluster.u32 %r11, %r2, 0; setp.eq.u32 %p1, %r10, 0;\n" TO_CLUSTER
     "@!%p1 red.relaxed.cluster.shared::cluster.add.u32 [%r11], 1;\n@%p1 red.relaxed.cta.shared.add.u32 [s], 1;\n"
     "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;",
     2, 2, "neither atomic nor an order for another block of the cluster", HAZARD_CLUSTER_RACE},
    {"mov.u32 %r10, %cluster_ctarank; mapa.shared::cluster.u32 %r11, %r2, 0; setp.eq.u32 %p1, %r10, 0;\n" TO_CLUSTER
     "@!%p1 red.relaxed.cluster.shared::cluster.add.u32 [%r11], 1;\n@%p1 red.relaxed.gpu.shared.add.u32 [s], 1;\n"
     "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;",
     2, 2, NULL, HAZARD_CLUSTER_RACE},
    // Reductions of two threads, and of two blocks, to one place.
    {BESIDE("128") ADDS("%p5") WAIT_AT("m", 0) READ AT_CLUSTER, 2, 2, NULL, HAZARD_RACE},
    {BESIDE("128") ADDRESSES_OF("0") ADDS("%p7") "@!%p4 bra F;\n" WAIT_AT("m", 0) READ "F:\n" AT_CLUSTER, 2, 2, NULL,
     HAZARD_CLUSTER_RACE},
    {BESIDE("64") ADDS("%p7") "setp.eq.u32 %p3, %r1, 1;\n@%p3 st.shared::cluster.u32 [%r11], 7;\n" WAIT_AT("m", 0)
         READ AT_CLUSTER,
     2, 2, "lanes of a warp can run apart", HAZARD_WARP_RACE},
    {BESIDE("64") "{ .reg .b16 h; shl.b32 %r16, 1, %r10; cvt.u16.u32 h, %r16;\n" // to the other block alone
                  "@%p7 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r2], "
                  "[%rd0], 64, "
                  "[%r3], h; }\n" WAIT_AT("m", 0) READ AT_CLUSTER,
     2, 2, NULL, HAZARD_ASYNC_NOT_WAITED},
    // What is sent has come for who comes behind a wait at its mbarrier.
    {BESIDE("128") TO_PEER(ST_ASYNC) WAIT_AT("m", 0) READ AT_CLUSTER, 2, 2, NULL, HAZARD_ASYNC_NOT_WAITED},
    {BESIDE("128") TO_PEER(RED_ASYNC) WAIT_AT("m", 0) READ AT_CLUSTER, 2, 2, NULL, HAZARD_ASYNC_NOT_WAITED},
    {BESIDE("128") TO_PEER(ST_ASYNC) ONE_WAITS AT_CLUSTER READ, 2, 2, NULL, HAZARD_ASYNC_NOT_WAITED},
    {BESIDE("128") TO_PEER(ST_ASYNC) ONE_WAITS AT_CLUSTER "ld.shared::cluster.u32 %r20, [%r15];\n" AT_CLUSTER, 2, 2,
     NULL, HAZARD_ASYNC_NOT_WAITED},
    {BESIDE("128") TO_PEER(ST_ASYNC) AT_CLUSTER READ ONE_WAITS AT_CLUSTER, 2, 2, "the asynchronous store of",
     HAZARD_ASYNC_NOT_WAITED},
    {BESIDE("128") TO_PEER(RED_ASYNC) AT_CLUSTER READ ONE_WAITS AT_CLUSTER, 2, 2, "the asynchronous reduction of",
     HAZARD_ASYNC_NOT_WAITED},
    {BESIDE("64") ADDS("%p7") AT_CLUSTER READ ONE_WAITS AT_CLUSTER, 2, 2, "the asynchronous copy of",
     HAZARD_ASYNC_NOT_WAITED},
    {BESIDE("128") "mov.u32 %r16, %r15;\n" ADDRESSES_OF("%r13") "add.u32 %r15, %r11, %r6;\n" TO_PEER(ST_ASYNC)
         AT_CLUSTER "ld.shared::cluster.u32 %r20, [%r16];\n" AT_CLUSTER ONE_WAITS AT_CLUSTER,
     2, 2, "a cluster.sync() alone does not say so", HAZARD_CLUSTER_RACE},
    {BESIDE("128") "mov.u32 %r16, %r15;\n" ADDRESSES_OF("%r13") "add.u32 %r15, %r11, %r6;\n" TO_PEER(ST_ASYNC)
         ONE_WAITS AT_CLUSTER "ld.shared::cluster.u32 %r20, [%r16];\n" AT_CLUSTER,
     2, 2, NULL, HAZARD_CLUSTER_RACE},
    {BESIDE("128") TO_PEER(ST_ASYNC) READ ONE_WAITS AT_CLUSTER, 2, 2, "a cluster.sync() alone does not say so",
     HAZARD_CLUSTER_RACE},
    {BESIDE("128") TO_PEER(ST_ASYNC) AT_CLUSTER, 2, 2, "the block that it goes to ends without having waited",
     HAZARD_COPY_EXIT},
    {BESIDE("64") TO_PEER(ST_ASYNC) WAIT_AT("m", 0) READ AT_CLUSTER, 2, 2, "announce all bytes of a phase",
     HAZARD_BYTES_LATE},
    {"barrier.cluster.arrive;\n" AT_CLUSTER, 2, 2, "Each arrival takes a wait of its own", HAZARD_ARRIVES_TWICE},
};

START_TEST(a_hazard_between_blocks_says_what_cures_it)
{
    struct hazard_list hazards = {0};
    struct diagnostic diagnostic = {0};
    struct sim_launch launch = {
        .shape = {.grid = {apart[_i].grid, 1, 1}, .block = {32, 1, 1}, .cluster = {apart[_i].cluster, 1, 1}},
        .host_threads = 1};
    enum status status = run_launch(apart[_i].body, "", launch, &hazards, &diagnostic);
    ck_assert_msg(status == STATUS_OK, "%s", diagnostic.message);
    size_t found = 0;
    for (size_t i = 0; i < hazards.count; i++) {
        bool is_unset = hazards.items[i].kind == HAZARD_UNINITIALISED_GLOBAL ||
                        hazards.items[i].kind == HAZARD_UNINITIALISED_SHARED;
        if (apart[_i].says ? hazards.items[i].kind != apart[_i].kind : is_unset)
            continue;
        found++;
        ck_assert_msg(apart[_i].says && strstr(hazards.items[i].message, apart[_i].says), "%s",
                      hazards.items[i].message);
    }
    ck_assert_uint_eq(found > 0, apart[_i].says != NULL);
    hazard_list_free(&hazards);
}
END_TEST

START_TEST(blocks_have_their_place_in_the_grid_also_where_only_some_run)
{
    struct hazard_list hazards = {0};
    struct diagnostic diagnostic = {0};
    struct sim_launch launch = {
        .shape = {.grid = {4, 4, 2}, .block = {32, 1, 1}}, .host_threads = 1, .first_block = 21, .block_count = 2};
    enum status status = run_launch(BLOCKS "st.global.u32 [%rd3], %r10;", "", launch, &hazards, &diagnostic);
    ck_assert_msg(status == STATUS_OK, "%s", diagnostic.message);
    ck_assert_uint_eq(hazards.count, 1);
    const uint32_t *first = hazards.items[0].other_block, *second = hazards.items[0].block;
    if (first[0] > second[0]) {
        first = hazards.items[0].block;
        second = hazards.items[0].other_block;
    }
    ck_assert_msg(first[0] == 1 && first[1] == 1 && first[2] == 1, "(%u,%u,%u)", first[0], first[1], first[2]);
    ck_assert_msg(second[0] == 2 && second[1] == 1 && second[2] == 1, "(%u,%u,%u)", second[0], second[1], second[2]);
    hazard_list_free(&hazards);
}
END_TEST

// Each warp releases a word of its own 66000 times, which is more than are kept. Then block 0 hands a word over.
#define RELEASES                                                                                                       \
    LANE_0 BLOCKS "mov.u32 %r21, 66000; shl.b32 %r22, %r4, 2; add.u32 %r22, %r22, 1024; cvt.u64.u32 %rd11, %r22;\n"    \
                  "add.u64 %rd11, %rd11, %rd10; add.u64 %rd11, %rd11, %rd0;\n"                                         \
                  "L: @%p3 red.release.gpu.global.add.u32 [%rd11], 1;\n"                                               \
                  "sub.u32 %r21, %r21, 1; setp.ne.u32 %p1, %r21, 0;\n@%p1 bra L;\n@!%p7 bra E;\n@!%p5 bra M;\n"
#define HANDS_OVER(fence)                                                                                              \
    "st.global.u32 [%rd0], 5;\n" fence "red.relaxed.gpu.global.add.u32 [%rd0+512], 1;\nbra E;\n"                       \
    "M: ld.relaxed.gpu.global.u32 %r20, [%rd0+512]; setp.eq.u32 %p1, %r20, 0;\n@%p1 bra M;\n"                          \
    "fence.acq_rel.gpu;\nld.global.u32 %r20, [%rd0];\nE:\n"

START_TEST(many_releases_do_not_make_an_order)
{
    static const char *const bodies[] = {RELEASES HANDS_OVER(""), RELEASES HANDS_OVER("fence.acq_rel.gpu;\n")};
    struct hazard_list hazards = {0};
    struct diagnostic diagnostic = {0};
    enum status status = run_grid(bodies[_i], "", 2, 128, 1, &hazards, &diagnostic);
    ck_assert_msg(status == STATUS_OK, "%s", diagnostic.message);
    ck_assert_uint_eq(hazards.count, _i == 0);
    ck_assert(_i != 0 || hazards.items[0].kind == HAZARD_BLOCK_RACE);
    hazard_list_free(&hazards);
}
END_TEST

// ---- which of several hazards with one cure is reported

#define LINE(n) ".loc 1 " #n " 0\n"
// %r10: the neighbour's place in the same warp, %r11: a place of the other warp
#define PLACES "xor.b32 %r10, %r7, 16; xor.b32 %r11, %r7, 512; mov.u32 %r21, 0;\n"
#define LANES_LINE_10 LINE(10) "st.shared.u32 [%r7], %r1;\n"
#define WARPS_LINE_11 LINE(11) "st.shared.u32 [%r7+4], %r1;\n"
#define READ_BOTH_LINE_14 LINE(14) "ld.shared.u32 %r20, [%r10]; ld.shared.u32 %r20, [%r11+4];\n"
#define BARRIER LINE(15) "bar.sync 0;\n"
#define TWICE(body) "LOOP:\n" body "add.u32 %r21, %r21, 1; setp.lt.u32 %p1, %r21, 2;\n@%p1 bra LOOP;\n"

static const struct {
    const char *body;
    uint32_t grid;
    const char *told; // all of them: kind, lower line, higher line
} told[] = {
    {PLACES LANES_LINE_10 WARPS_LINE_11 LINE(12) "bar.sync 0;\n" READ_BOTH_LINE_14, 1, ""},
    {PLACES LANES_LINE_10 WARPS_LINE_11 READ_BOTH_LINE_14, 1, "race 11 14;"},
    {PLACES TWICE(LANES_LINE_10 WARPS_LINE_11 LINE(12) "bar.sync 0;\n" READ_BOTH_LINE_14 BARRIER), 1, ""},
    {PLACES TWICE(LANES_LINE_10 WARPS_LINE_11 LINE(12) "bar.sync 0;\n" READ_BOTH_LINE_14), 1, "race 11 14;"},
    // one line each for writing and reading
    {PLACES LINE(10) "st.shared.u32 [%r7], %r1; st.shared.u32 [%r7+4], %r1;\n" READ_BOTH_LINE_14, 1, "race 10 14;"},
    // lanes only: __syncwarp() is the cure
    {PLACES LANES_LINE_10 LINE(14) "ld.shared.u32 %r20, [%r10];\n", 1, "warp-race 10 14;"},
    // two places that each need something
    {PLACES LANES_LINE_10 LINE(11) "ld.shared.u32 %r20, [%r10]; st.shared.u32 [%r7+4], %r1;\n" LINE(
         14) "ld.shared.u32 %r20, [%r11+4];\n",
     1, "warp-race 10 11;race 11 14;"},
    // the last copy of a line is plain
    {PLACES LINE(10) "@%p0 cp.async.ca.shared.global [%r7], [%rd4], 4;\n@!%p0 st.shared.u32 [%r7], %r1;\n" LINE(
         14) "ld.shared.u32 %r20, [%r11];\n",
     1, "missing-wait 10 14;"},
    // a reader that comes too late for what is copied over it and too early for the copy: neither hides the other
    {PLACES LINE(9) "st.shared.u32 [%r7], %r1;\n" BARRIER LINE(16) "ld.shared.u32 %r20, [%r11];\n" LINE(
         12) "cp.async.ca.shared.global [%r7], [%rd4], 4;\n",
     1, "async-overwrite 12 16;missing-wait 12 16;"},
    // an atomic and a plain read of what was set to zero
    {PLACES LINE(10) "st.shared.u32 [%r7], %r1;\n" LINE(
         14) "red.shared.add.u32 [%r11], 1; ld.shared.u32 %r20, [%r11];\n",
     1, "race 10 14;"},
    // a barrier would not keep the blocks apart
    {"xor.b32 %r10, %r1, 32; mul.wide.u32 %rd10, %r10, 4; add.u64 %rd10, %rd1, %rd10; mov.u32 %r11, %ctaid.x;\n" LINE(
         10) "st.global.u32 [%rd3], %r11;\n" LINE(14) "ld.global.u32 %r20, [%rd10];\n",
     2, "block-race 10 10;block-race 10 14;global-race 10 14;"},
};

START_TEST(of_hazards_with_one_cure_the_widest_is_told)
{
    for (unsigned host_threads = 1; host_threads <= 4; host_threads++) {
        struct hazard_list hazards = {0};
        struct diagnostic diagnostic = {0};
        struct text text = {0};
        enum status status = run_grid(told[_i].body, "ret;\n}\n.file 1 \"k.cu\"\n.func end()\n{", told[_i].grid, 64,
                                      host_threads, &hazards, &diagnostic);
        ck_assert_msg(status == STATUS_OK, "%s", diagnostic.message);
        for (size_t i = 0; i < hazards.count; i++) {
            uint32_t a = hazards.items[i].line, b = hazards.items[i].other_line;
            text_printf(&text, "%s %u %u;", hazard_name(hazards.items[i].kind), a < b ? a : b, a < b ? b : a);
        }
        ck_assert_msg(!strcmp(text_get(&text), told[_i].told), "%d: %s, not %s", _i, text_get(&text), told[_i].told);
        text_free(&text);
        hazard_list_free(&hazards);
    }
}
END_TEST

Suite *suite_hazard_kinds(void)
{
    Suite *suite = suite_create("hazard_kinds");
    TCase *tests = tcase_create("hazard_kinds");
    tcase_add_loop_test(tests, names_the_hazard_or_stays_quiet, 0, sizeof cases / sizeof *cases);
    tcase_add_loop_test(tests, a_hazard_says_what_cures_it, 0, sizeof remedies / sizeof *remedies);
    tcase_add_loop_test(tests, of_hazards_with_one_cure_the_widest_is_told, 0, sizeof told / sizeof *told);
    tcase_add_loop_test(tests, bad_matrix_rows_are_faults, 0, sizeof faults / sizeof *faults);
    tcase_add_loop_test(tests, blocks_that_meet_are_told_whatever_the_host_threads, 0,
                        sizeof meetings / sizeof *meetings);
    tcase_add_loop_test(tests, a_hazard_between_blocks_says_what_cures_it, 0, sizeof apart / sizeof *apart);
    tcase_add_loop_test(tests, many_releases_do_not_make_an_order, 0, 2);
    tcase_add_test(tests, blocks_have_their_place_in_the_grid_also_where_only_some_run);
    suite_add_tcase(suite, tests);
    return suite;
}
