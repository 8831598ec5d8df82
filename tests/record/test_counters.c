#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "record/counters.h"

Suite *suite_counters(void);

#define R1 "{%r5}"
#define R2 "{%r5, %r6}"
#define R4 "{%r5, %r6, %r7, %r8}"
#define R8 "{%r5, %r6, %r7, %r8, %r9, %r10, %r11, %r4}"
#define F8 "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}"
#define D1 "{%d0}"
#define D2 "{%d0, %d1}"
// rows of 64 elements; rows of the shared ones are 128 bytes and more apart, so all lie on the same banks
#define WMMA(what, layout, shape, space, type, list)                                                                   \
    "wmma." what ".sync.aligned." layout "." shape "." space "." type " " list ", [%rd_" space "], 64;"
#define WMMA_STORE(layout, shape, space, type, list)                                                                   \
    "wmma.store.d.sync.aligned." layout "." shape "." space "." type " [%rd_" space "], " list ", 64;"
#define SAME "sub.u32 %r7, %r2, %r2; mov.u32 %r8, s; add.u32 %r8, %r8, %r7; "
#define BULK(copy) "setp.eq.u32 %p1, %r1, 0; @!%p1 bra END; mbarrier.init.shared.b64 [m], 1; " copy "END:"

// One warp runs the body: %r1 is its lane, %r2 lane * 4, %r3 lane * 16, %rd1 a global buffer plus lane * 4.
static const struct {
    const char *body, *counter;
    uint64_t compiled, written;
} cases[] = {
    {"ld.shared.u32 %r5, [%r2];", "shared_load_wavefronts", 1, 1},
    {"ld.shared.u32 %r5, [%r3];", "shared_load_conflicts", 3, 3},
    {"ld.shared.u32 %r5, [%r3]; ld.shared.u32 %r6, [%r3+4];", "shared_load_instructions", 1, 2},
    {"ld.shared.u32 %r5, [%r3]; ld.shared.u32 %r6, [%r3+4];", "shared_load_wavefronts", 4, 8},
    {"ld.shared.u32 %r5, [%r3]; ld.shared.u32 %r6, [%r3+4]; ld.shared.u32 %r7, [%r3+8];", "shared_load_conflicts", 0,
     9},
    {"st.shared.u32 [%r3], %r1; st.shared.u32 [%r3+4], %r1;", "shared_store_wavefronts", 4, 8},
    {"setp.eq.u32 %p1, %r1, 77; @%p1 ld.shared.u32 %r5, [%r2];", "shared_load_instructions", 1, 1},
    {"setp.eq.u32 %p1, %r1, 77; @%p1 ld.shared.u32 %r5, [%r2];", "shared_load_wavefronts", 0, 0},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%r3];", "shared_load_wavefronts", 1, 1},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5, %r6, %r7, %r8}, [%r3];", "shared_load_wavefronts", 4, 4},
    {"stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r3], {%r1, %r1};", "shared_store_wavefronts", 2, 2},
    // lanes that want one word, not known to the compiler
    {SAME "atom.shared.add.u32 %r5, [%r8], %r1;", "shared_atomic_conflicts", 31, 31},
    {SAME "red.shared.add.u32 [%r8], %r1;", "shared_atomic_wavefronts", 32, 32},
    {SAME "atom.shared.add.u32 %r5, [%r8], 1;", "shared_atomic_conflicts", 0, 0},
    {SAME "red.shared.add.u32 [%r8], 1;", "shared_atomic_conflicts", 0, 0},
    {SAME "atom.shared.add.u32 %r5, [%r8], 1; st.shared.u32 [%r2], %r5;", "shared_atomic_conflicts", 31, 31},
    {SAME "atom.shared.add.u32 %r5, [%r8], 2;", "shared_atomic_conflicts", 31, 31},
    // and known to it: one lane does it for all
    {"atom.shared.add.u32 %r5, [s], %r1;", "shared_atomic_conflicts", 0, 0},
    {"red.shared.min.s32 [s], %r1;", "shared_atomic_wavefronts", 1, 1},
    {"atom.shared.add.u32 %r5, [s], 5; st.shared.u32 [%r2], %r5;", "shared_atomic_conflicts", 0, 0},
    {"atom.shared.exch.b32 %r5, [s], %r1;", "shared_atomic_conflicts", 31, 31},
    // in global memory a sector counts as often as its busiest word (tests/golden/h200_atomics.csv)
    {"shr.u32 %r7, %r1, 1; mul.wide.u32 %rd4, %r7, 4; sub.u64 %rd5, %rd1, %rd4; red.global.add.u32 [%rd5], %r1;",
     "global_atomic_sectors", 5, 5},
    {"atom.shared.max.u32 %r5, [%r2], 1;", "shared_atomic_instructions", 1, 1},
    {"ld.global.u32 %r5, [%rd1];", "global_load_requests", 1, 1},
    {"ld.global.u32 %r5, [%rd1];", "global_load_sectors", 4, 4},
    {"st.global.u32 [%rd1], %r1;", "global_store_sectors", 4, 4},
    {"red.global.add.u32 [%rd1], %r1;", "global_atomic_requests", 1, 1},
    {"atom.global.add.u32 %r5, [%rd1], %r1;", "global_atomic_sectors", 4, 4},
    {"cp.async.ca.shared.global [%r2], [%rd1], 4; cp.async.wait_all;", "shared_copy_wavefronts", 1, 1},
    {"cp.async.ca.shared.global [%r2], [%rd1], 4; cp.async.wait_all;", "global_load_sectors", 4, 4},
    {"cp.async.cg.shared.global [%r3], [%rd2], 16; cp.async.wait_all;", "shared_copy_conflicts", 0, 0},
    // wmma: as ptxas 13.0 makes it for sm_90; 16x16 halves in rows and 16x16 floats as the H200 counts them
    {WMMA("load.a", "row", "m16n16k16", "global", "f16", R8), "global_load_requests", 4, 4},
    {WMMA("load.a", "row", "m16n16k16", "global", "f16", R8), "global_load_sectors", 32, 32},
    {WMMA("load.b", "row", "m16n16k16", "global", "f16", R8), "global_load_requests", 4, 4},
    {WMMA("load.b", "col", "m8n32k16", "global", "bf16", R8), "global_load_requests", 8, 8},
    {WMMA("load.a", "row", "m16n16k16", "global", "s8", R2), "global_load_requests", 2, 2},
    {WMMA("load.a", "row", "m16n16k16", "global", "s8", R2), "global_load_sectors", 16, 16},
    {WMMA("load.a", "col", "m16n16k16", "global", "s8", R2), "global_load_requests", 8, 8},
    {WMMA("load.a", "col", "m16n16k16", "global", "s8", R2), "global_load_sectors", 32, 32},
    {WMMA("load.a", "col", "m16n16k8", "global", "tf32", R4), "global_load_requests", 4, 4},
    {WMMA("load.c", "row", "m16n16k16", "global", "f16", R4), "global_load_requests", 4, 4},
    {WMMA("load.c", "row", "m16n16k16", "global", "f32", F8), "global_load_requests", 4, 4},
    {WMMA("load.c", "row", "m16n16k16", "global", "f32", F8), "global_load_sectors", 32, 32},
    {WMMA("load.c", "col", "m16n16k16", "global", "s32", R8), "global_load_requests", 8, 8},
    {WMMA("load.a", "row", "m8n8k4", "global", "f64", D1), "global_load_sectors", 8, 8},
    {WMMA("load.c", "row", "m8n8k4", "global", "f64", D2), "global_load_requests", 1, 1},
    {WMMA("load.c", "col", "m8n8k4", "global", "f64", D2), "global_load_requests", 2, 2},
    {WMMA("load.c", "col", "m8n8k4", "global", "f64", D2), "global_load_sectors", 16, 16},
    {WMMA_STORE("row", "m16n16k16", "global", "f32", F8), "global_store_requests", 4, 4},
    {WMMA_STORE("row", "m16n16k16", "global", "f32", F8), "global_store_sectors", 32, 32},
    {WMMA_STORE("col", "m16n16k16", "global", "f32", F8), "global_store_requests", 8, 8},
    {WMMA_STORE("col", "m16n16k16", "global", "f32", F8), "global_store_sectors", 32, 32},
    {WMMA("load.a", "row", "m16n16k16", "shared", "f16", R8), "shared_load_instructions", 1, 1},
    {WMMA("load.a", "row", "m16n16k16", "shared", "f16", R8), "shared_load_wavefronts", 32, 32},
    {WMMA("load.a", "row", "m32n8k16", "shared", "f16", R8), "shared_load_instructions", 2, 2},
    {WMMA("load.b", "row", "m32n8k16", "shared", "f16", R8), "shared_load_instructions", 1, 1},
    {WMMA("load.b", "col", "m8n32k16", "shared", "u8", R4), "shared_load_instructions", 2, 2},
    {WMMA("load.a", "col", "m8n32k16", "shared", "u8", R1), "shared_load_instructions", 4, 4},
    {WMMA("load.c", "row", "m8n32k16", "shared", "f32", F8), "shared_load_instructions", 8, 8},
    {WMMA("load.c", "col", "m8n32k16", "shared", "f32", F8), "shared_load_instructions", 4, 4},
    {WMMA_STORE("row", "m16n16k16", "shared", "f32", F8), "shared_store_instructions", 4, 4},
    // bulk copies do not pass the load/store unit
    {BULK("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd3], 256, [m];"),
     "bulk_load_copies", 1, 1},
    {BULK("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd3], 256, [m];"),
     "bulk_load_sectors", 8, 8},
    {BULK("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%rd3], 256, [m];"),
     "global_load_requests", 0, 0},
    {BULK("cp.async.bulk.global.shared::cta.bulk_group [%rd3], [%r4], 256; cp.async.bulk.commit_group; "
          "cp.async.bulk.wait_group 0;"),
     "bulk_store_sectors", 8, 8},
    {BULK("cp.async.bulk.global.shared::cta.bulk_group [%rd3], [%r4], 256; cp.async.bulk.commit_group; "
          "cp.async.bulk.wait_group 0;"),
     "global_load_sectors", 0, 0},
    // a word of 32 threads fills four sectors
    {"ld.local.u32 %r5, [l];", "local_load_sectors", 4, 4},
    {"ld.local.u32 %r5, [l];", "global_load_requests", 0, 0},
    {"st.local.v2.u32 [l], {%r1, %r1};", "local_store_sectors", 8, 8},
    {"mov.u64 %rd4, l; add.u64 %rd4, %rd4, %rd5; st.local.u32 [%rd4], %r1;", "local_store_requests", 1, 1},
    {"mov.u64 %rd4, l; cvt.u64.u32 %rd5, %r2; add.u64 %rd4, %rd4, %rd5; ld.local.u32 %r5, [%rd4];",
     "local_load_sectors", 32, 32},
    {"bar.sync 0; bar.sync 0;", "barriers", 2, 2},
    {"barrier.cluster.arrive; barrier.cluster.wait;", "arrivals", 1, 1},
    {"bar.sync 0;", "arrivals", 0, 0},
    {"bar.sync 0;", "warp_instructions", 12, 12},
    {"bar.sync 0;", "thread_instructions", 384, 384},
};

static void run(const char *body, uint32_t threads, struct counter_table *table)
{
    struct text text = {0};
    struct diagnostic diagnostic;
    struct ptx_module *module;
    struct sim_program *program;
    const struct ptx_function *entry;
    text_printf(
        &text,
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %%p<4>; "
        ".reg .b32 %%r<12>; .reg .f32 %%f<8>; .reg .f64 %%d<2>; .reg .b64 %%rd<6>; .reg .b64 %%rd_global, "
        "%%rd_shared;\n"
        ".shared .align 16 .b8 s[8192];\n.shared .align 8 .b64 m;\n.local .align 8 .b8 l[256];\nmov.u32 %%r1, %%tid.x; "
        "shl.b32 %%r2, %%r1, 2; shl.b32 %%r3, %%r1, 4; ld.param.u64 %%rd3, [p]; "
        "mad.wide.u32 %%rd1, %%r1, 4, %%rd3; mad.wide.u32 %%rd2, %%r1, 16, %%rd3; mov.u32 %%r4, s; "
        "mov.u64 %%rd_global, %%rd3; mov.u64 %%rd_shared, s; mov.u64 %%rd5, 0;\n%s\nret;\n}\n",
        body);
    ck_assert_msg(!ptx_parse("k", text_get(&text), text.length, &module, &diagnostic), "%s: %s", body,
                  diagnostic.message);
    ck_assert_int_eq(ptx_find_entry(module, NULL, &entry, &diagnostic), STATUS_OK);
    struct sim_memory *memory = sim_memory_new();
    uint64_t address = sim_memory_add(memory, "a", 16384, false)->address;
    ck_assert_msg(!sim_program_new(module, entry, memory, &program, &diagnostic), "%s: %s", body, diagnostic.message);
    struct counter_observer *counters = counter_observer_new(program, NULL);
    struct sim_observer observer = counter_observer_get(counters);
    struct sim_count *counts = calloc(sim_program_size(program), sizeof *counts);
    struct sim_launch launch = {.program = program,
                                .memory = memory,
                                .shape.grid = {1, 1, 1},
                                .shape.block = {threads, 1, 1},
                                .params = &address,
                                .observers = &observer,
                                .observer_count = 1,
                                .counts = counts};
    struct sim_result result;
    enum status status = sim_run(&launch, &result, &diagnostic);
    ck_assert_msg(!status, "%s: %s", body, diagnostic.message);
    counter_observer_take(counters, counts, table);
    counter_observer_free(counters);
    sim_program_free(program);
    sim_memory_free(memory);
    ptx_module_free(module);
    free(counts);
    text_free(&text);
}

START_TEST(instruction_counts_as_its_rule_says)
{
    struct counter_table table;
    uint64_t compiled = 0, written = 0;
    run(cases[_i].body, SIM_LANES, &table);
    ck_assert(counters_get(&table.compiled, cases[_i].counter, &compiled));
    ck_assert(counters_get(&table.written, cases[_i].counter, &written));
    ck_assert_msg(compiled == cases[_i].compiled && written == cases[_i].written,
                  "%s: %s %" PRIu64 ", written %" PRIu64, cases[_i].body, cases[_i].counter, compiled, written);
    counter_table_free(&table);
}
END_TEST

START_TEST(lines_tell_what_each_instruction_became)
{
    struct counter_table table;
    run("ld.shared.u32 %r5, [%r3]; ld.shared.u32 %r6, [%r3+4]; atom.shared.add.f32 %r7, [%r2], %r1; "
        "cp.async.ca.shared.global [%r2], [%rd1], 4; cp.async.wait_all;",
        SIM_LANES, &table);
    ck_assert_uint_eq(table.count, 5);
    ck_assert_uint_eq(table.lines[0].bytes, 8);
    ck_assert_uint_eq(table.lines[0].bytes_written, 4);
    ck_assert(!table.lines[0].fused_away && table.lines[1].fused_away);
    ck_assert_uint_eq(table.lines[1].instructions, 0);
    ck_assert_uint_eq(table.lines[1].written_wavefronts, 4);
    ck_assert(table.lines[2].estimate && !table.lines[0].estimate);
    ck_assert_str_eq(table.lines[2].op, "atomic");
    ck_assert_str_eq(table.lines[3].op, "copy");
    ck_assert_int_eq(table.lines[3].space, PTX_GLOBAL);
    ck_assert_int_eq(table.lines[4].space, PTX_SHARED);
    counter_table_free(&table);
}
END_TEST

// Wavefronts of one product of bf16 with A in shared memory, and in registers:
// l1tex__data_pipe_lsu_wavefronts_mem_shared_op_gmma on an NVIDIA H100, 2026-11-23.
static const struct {
    uint32_t columns, both, only_b;
} products[] = {{8, 18, 2}, {16, 20, 4}, {32, 24, 8}, {64, 32, 16}, {128, 48, 32}, {192, 64, 48}, {256, 80, 64}};

START_TEST(wgmma_reads_128_bytes_a_wavefront)
{
    uint32_t columns = products[_i / 2].columns, in_registers = (uint32_t)_i % 2;
    struct counter_table table;
    struct text body = {0};
    text_printf(&body,
                ".reg .f32 %%e<%u>; setp.ne.u32 %%p1, %%r1, %%r1; mov.u64 %%rd4, 0x1000080000; "
                "wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n%uk16.f32.bf16.bf16 {",
                columns / 2, columns);
    for (uint32_t i = 0; i < columns / 2; i++)
        text_printf(&body, "%s%%e%u", i ? ", " : "", i);
    text_puts(&body, in_registers ? "}, {%r1, %r2, %r3, %r4}, %rd4, %p1, 1, 1, 0;" : "}, %rd4, %rd4, %p1, 1, 1, 0, 0;");
    text_puts(&body, " wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;");
    run(text_get(&body), 128, &table);
    const struct shared_counts *counts = &table.compiled.shared[COUNT_WGMMA];
    ck_assert_uint_eq(counts->instructions, 4);
    ck_assert_uint_eq(counts->wavefronts, in_registers ? products[_i / 2].only_b : products[_i / 2].both);
    ck_assert_uint_eq(counts->conflicts, 0);
    ck_assert_uint_eq(table.compiled.shared[COUNT_LOAD].instructions, 0);
    ck_assert_uint_eq(table.count, 1);
    ck_assert_str_eq(table.lines[0].op, "wgmma");
    counter_table_free(&table);
    text_free(&body);
}
END_TEST

START_TEST(json_has_every_counter_by_name)
{
    struct counters counters = {.shared[COUNT_LOAD].conflicts = 7};
    uint64_t value;
    json_t *json = fields_write(&counter_fields, &counters);
    ck_assert_int_eq(json_integer_value(json_object_get(json, "shared_load_conflicts")), 7);
    ck_assert_uint_eq(json_object_size(json), sizeof counters / sizeof(uint64_t));
    ck_assert(!counters_get(&counters, "no_such_counter", &value));
    json_decref(json);
}
END_TEST

Suite *suite_counters(void)
{
    Suite *suite = suite_create("counters");
    TCase *tests = tcase_create("counters");
    tcase_add_loop_test(tests, instruction_counts_as_its_rule_says, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tests, lines_tell_what_each_instruction_became);
    tcase_add_loop_test(tests, wgmma_reads_128_bytes_a_wavefront, 0, 2 * (int)(sizeof products / sizeof *products));
    tcase_add_test(tests, json_has_every_counter_by_name);
    suite_add_tcase(suite, tests);
    return suite;
}
