#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "record/counters.h"

Suite *suite_counters(void);

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
    {"atom.shared.add.u32 %r5, [s], %r1;", "shared_atomic_conflicts", 31, 31},
    {"red.shared.add.u32 [s], %r1;", "shared_atomic_wavefronts", 32, 32},
    {"atom.shared.add.u32 %r5, [s], 1;", "shared_atomic_conflicts", 0, 0},
    {"red.shared.add.u32 [s], 1;", "shared_atomic_conflicts", 0, 0},
    {"atom.shared.add.u32 %r5, [s], 1; st.shared.u32 [%r2], %r5;", "shared_atomic_conflicts", 31, 31},
    {"atom.shared.add.u32 %r5, [s], 2;", "shared_atomic_conflicts", 31, 31},
    {"atom.shared.max.u32 %r5, [%r2], 1;", "shared_atomic_instructions", 1, 1},
    {"ld.global.u32 %r5, [%rd1];", "global_load_requests", 1, 1},
    {"ld.global.u32 %r5, [%rd1];", "global_load_sectors", 4, 4},
    {"st.global.u32 [%rd1], %r1;", "global_store_sectors", 4, 4},
    {"red.global.add.u32 [%rd1], %r1;", "global_atomic_requests", 1, 1},
    {"atom.global.add.u32 %r5, [%rd1], %r1;", "global_atomic_sectors", 4, 4},
    {"cp.async.ca.shared.global [%r2], [%rd1], 4; cp.async.wait_all;", "shared_copy_wavefronts", 1, 1},
    {"cp.async.ca.shared.global [%r2], [%rd1], 4; cp.async.wait_all;", "global_load_sectors", 4, 4},
    {"cp.async.cg.shared.global [%r3], [%rd2], 16; cp.async.wait_all;", "shared_copy_conflicts", 0, 0},
    {"bar.sync 0; bar.sync 0;", "barriers", 2, 2},
    {"bar.sync 0;", "warp_instructions", 9, 9},
    {"bar.sync 0;", "thread_instructions", 288, 288},
};

static void run(const char *body, struct counter_table *table)
{
    struct text text = {0};
    struct diagnostic diagnostic;
    struct ptx_module *module;
    struct sim_program *program;
    const struct ptx_function *entry;
    text_printf(
        &text,
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %%p<4>; "
        ".reg .b32 %%r<12>; .reg .b64 %%rd<6>;\n.shared .align 16 .b8 s[2048];\nmov.u32 %%r1, %%tid.x; "
        "shl.b32 %%r2, %%r1, 2; shl.b32 %%r3, %%r1, 4; ld.param.u64 %%rd3, [p]; "
        "mad.wide.u32 %%rd1, %%r1, 4, %%rd3; mad.wide.u32 %%rd2, %%r1, 16, %%rd3; mov.u32 %%r4, s;\n%s\nret;\n}\n",
        body);
    ck_assert_msg(!ptx_parse("k", text_get(&text), text.length, &module, &diagnostic), "%s: %s", body,
                  diagnostic.message);
    ck_assert_int_eq(ptx_find_entry(module, NULL, &entry, &diagnostic), STATUS_OK);
    struct sim_memory *memory = sim_memory_new();
    uint64_t address = sim_memory_add(memory, "a", 4096, false)->address;
    ck_assert_msg(!sim_program_new(module, entry, memory, &program, &diagnostic), "%s: %s", body, diagnostic.message);
    struct counter_observer *counters = counter_observer_new(program, NULL);
    struct sim_observer observer = counter_observer_get(counters);
    struct sim_count *counts = calloc(sim_program_size(program), sizeof *counts);
    struct sim_launch launch = {.program = program,
                                .memory = memory,
                                .shape.grid = {1, 1, 1},
                                .shape.block = {32, 1, 1},
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
    run(cases[_i].body, &table);
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
        &table);
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
    tcase_add_test(tests, json_has_every_counter_by_name);
    suite_add_tcase(suite, tests);
    return suite;
}
