// Which bank kind, width and delta each kind of instruction has.
#include <check.h>
#include <stdlib.h>

#include "../support/ptx_text.h"
#include "base/text.h"
#include "model/operation.h"

Suite *suite_operation(void);

// The first instruction of the body that is no mov is looked at.
static const struct {
    const char *body;
    struct operation want;
} cases[] = {
    {"ld.shared.u32 %r5, [%r2];", {.kind = BANK_LOAD}},
    {"st.shared.u32 [%r2], %r5;", {.kind = BANK_STORE}},
    {"cp.async.ca.shared.global [%r2], [%rd1], 16;", {.kind = BANK_COPY}},
    {"cp.async.cg.shared.global [%r2], [%rd1], 16;", {.kind = BANK_COPY_BYPASS}},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 256, [%r3];",
     {.kind = BANK_BULK, .estimate = true}},
    {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r5, %r6}, [%r2];", {.kind = BANK_MATRIX}},
    {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%r5};", {.kind = BANK_MATRIX}},
    {"atom.shared.add.u32 %r5, [%r4], %r6;", {.kind = BANK_ATOMIC}},
    {"atom.shared.add.u32 %r5, [%r4], 2;", {.kind = BANK_ATOMIC}},
    {"red.shared.add.u32 [%r4], 1;", {.kind = BANK_STORE}},
    {"atom.shared.add.u32 %r5, [%r4], 1;", {.kind = BANK_STORE}},
    {"atom.shared.add.u32 %r5, [%r4], 1; mov.u32 %r6, %r5;", {.kind = BANK_ATOMIC}},
    {"atom.shared.add.u32 %r5, [%r2], %r6;", {.kind = BANK_STORE, .adds_up = true}},
    {"atom.shared.min.s32 %r5, [%r2], %r6;", {.kind = BANK_STORE, .adds_up = true}},
    {"atom.shared.min.s32 %r5, [%r2], %r6; mov.u32 %r6, %r5;", {.kind = BANK_ATOMIC}},
    {"atom.shared.add.u32 %r5, [%r2], %r6; mov.u32 %r6, %r5;", {.kind = BANK_STORE, .adds_up = true}},
    {"red.global.or.b32 [%rd1], %r6;", {.kind = BANK_ATOMIC}},
    {"atom.shared.exch.b32 %r5, [%r2], %r6;", {.kind = BANK_ATOMIC}},
    {"atom.shared.inc.u32 %r5, [%r2], %r6;", {.kind = BANK_ATOMIC}},
    {"atom.shared.add.u64 %rd2, [%r2], %rd3;", {.kind = BANK_ATOMIC, .estimate = true}},
    {"red.shared.add.f32 [%r2], 0f3F800000;", {.kind = BANK_ATOMIC, .estimate = true}},
    {"atom.shared.cas.b64 %rd2, [%r2], %rd3, %rd4;", {.kind = BANK_ATOMIC}},
    {"ld.shared.u32 %r5, [s]; ld.shared.u32 %r6, [s+4];", {.kind = BANK_LOAD, .wide = 8}},
    {"ld.shared.u32 %r5, [s+4]; ld.shared.u32 %r6, [s];", {.kind = BANK_LOAD, .wide = 8, .delta = -4}},
    {"ld.shared.u32 %r5, [s]; ld.shared.u32 %r6, [s+4]; ld.shared.u32 %r7, [s+8];", {.kind = BANK_LOAD, .wide = 16}},
    {"st.shared.u32 [s], %r5; st.shared.u32 [s+4], %r6;", {.kind = BANK_STORE, .fused_away = true}},
    {"L: ld.shared.u32 %r5, [s]; setp.ne.u32 %p1, %r5, %r6; @%p1 bra L;", {.kind = BANK_LOAD, .hoisted = true}},
    {"L: ld.shared.u32 %r5, [s]; setp.ne.u32 %p1, %r5, %r6; @%p1 bra M; add.s32 %r6, %r6, 2; M: add.s32 %r7, %r7, 1; "
     "setp.lt.u32 %p2, %r7, %r6; @%p2 bra L;",
     {.kind = BANK_LOAD, .hoisted = true}},
    {"L: ld.shared.u32 %r5, [s]; setp.ne.u32 %p1, %r5, %r6; @%p1 bra M; st.shared.u32 [%r2], %r6; M: add.s32 %r7, %r7, "
     "1; "
     "setp.lt.u32 %p2, %r7, %r6; @%p2 bra L;",
     {.kind = BANK_LOAD}},
};

static struct operation first_operation(const char *body, const char *target)
{
    struct text text = {0};
    struct diagnostic diagnostic = {0};
    struct sim_program *program;
    const struct ptx_function *entry;
    text_printf(
        &text,
        ".version 8.0\n.target %s\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %%p<4>; "
        ".reg .b32 %%r<12>; .reg .b64 %%rd<6>;\n.shared .align 16 .b8 s[2048];\nmov.u32 %%r2, s;\n%s\nret;\n}\n",
        target, body);
    struct ptx_module *module = ptx_parse_good("k", text_get(&text));
    struct sim_memory *memory = sim_memory_new();
    ck_assert_int_eq(ptx_find_entry(module, NULL, &entry, &diagnostic), STATUS_OK);
    ck_assert_msg(!sim_program_new(module, entry, memory, &program, &diagnostic), "%s: %s", body, diagnostic.message);
    struct operation *operations = operations_new(program), found = operations[1];
    free(operations);
    sim_program_free(program);
    sim_memory_free(memory);
    ptx_module_free(module);
    text_free(&text);
    return found;
}

START_TEST(instruction_is_what_the_banks_are_told)
{
    struct operation found = first_operation(cases[_i].body, "sm_90"), want = cases[_i].want;
    ck_assert_msg(found.kind == want.kind && found.wide == want.wide && found.delta == want.delta &&
                      found.fused_away == want.fused_away && found.adds_up == want.adds_up &&
                      found.estimate == want.estimate && found.hoisted == want.hoisted,
                  "%s: kind %d, %u bytes, delta %d%s%s%s", cases[_i].body, (int)found.kind, found.wide, found.delta,
                  found.fused_away ? ", away" : "", found.estimate ? ", estimate" : "",
                  found.hoisted ? ", hoisted" : "");
}
END_TEST

START_TEST(atomics_combine_from_sm_80_on)
{
    ck_assert_int_eq(first_operation("red.shared.add.u32 [%r2], 1;", "sm_80").kind, BANK_STORE);
    ck_assert_int_eq(first_operation("red.shared.add.u32 [%r2], 1;", "sm_75").kind, BANK_ATOMIC);
}
END_TEST

START_TEST(compiled_accesses_are_moved_widened_or_gone)
{
    const uint64_t addresses[WARP_LANES] = {0};
    const struct operation wide = {.wide = 16, .delta = -8}, away = {.fused_away = true};
    struct bank_access access = operation_access(&wide, true, 4, 3, 0, addresses);
    ck_assert(access.bytes == 16 && access.delta == -8 && access.mask == 3);
    access = operation_access(&wide, false, 4, 3, 0, addresses);
    ck_assert(access.bytes == 4 && access.delta == 0 && access.mask == 3);
    ck_assert_uint_eq(operation_access(&away, true, 4, 3, 0, addresses).mask, 0);
    ck_assert_uint_eq(operation_access(&away, false, 4, 3, 0, addresses).mask, 3);
}
END_TEST

Suite *suite_operation(void)
{
    Suite *suite = suite_create("operation");
    TCase *tests = tcase_create("operation");
    tcase_add_loop_test(tests, instruction_is_what_the_banks_are_told, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tests, atomics_combine_from_sm_80_on);
    tcase_add_test(tests, compiled_accesses_are_moved_widened_or_gone);
    suite_add_tcase(suite, tests);
    return suite;
}
