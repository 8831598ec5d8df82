// Blocks of a launch that is too large to be run: honest ones pass, however they share the work, and no cheat does.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/ptx_text.h"
#include "base/text.h"
#include "device/simulator.h"
#include "grade/large.h"

Suite *suite_large(void);

enum { COUNT = 1 << 24, BLOCK = 256 };

static struct lesson_variable variables[] = {{"n", COUNT}};
static const struct lesson_size size = {.name = "s", .variables = variables, .variable_count = 1};
static struct lesson_arg args[] = {
    {.name = "out", .type = PTX_F32, .role = LESSON_OUT, .shape = {"n"}, .shape_count = 1},
    {.name = "in", .type = PTX_F32, .role = LESSON_IN, .shape = {"n"}, .shape_count = 1},
};
static const struct lesson_part part = {.kernel = "k",
                                        .reference = "copy",
                                        .args = args,
                                        .arg_count = sizeof args / sizeof *args,
                                        .launch = {.from = "LAUNCH", .cols = "n", .rows = "1"}};

// A copy of floats, 256 for a block. `first` runs before the element %r3 is chosen, `then` with its value in %f1.
static struct ptx_module *copy_kernel(const char *declared, const char *first, const char *then)
{
    struct text text = {0};
    text_printf(
        &text,
        ".version 8.0\n.target sm_90\n.address_size 64\n%s\n"
        ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
        ".reg .pred %%p<8>;\n.reg .b32 %%r<16>;\n.reg .f32 %%f<4>;\n.reg .b64 %%rd<8>;\n"
        "ld.param.u64 %%rd1, [out];\nld.param.u64 %%rd2, [in];\n"
        "mov.u32 %%r1, %%ctaid.x;\nmov.u32 %%r2, %%tid.x;\nmov.u32 %%r9, 1;\n%s"
        "AGAIN:\nshl.b32 %%r3, %%r1, 8;\nadd.s32 %%r3, %%r3, %%r2;\nmul.wide.u32 %%rd3, %%r3, 4;\n"
        "add.s64 %%rd4, %%rd1, %%rd3;\nadd.s64 %%rd5, %%rd2, %%rd3;\n"
        "ld.global.f32 %%f1, [%%rd5];\n%sst.global.f32 [%%rd4], %%f1;\n"
        "add.s32 %%r1, %%r1, 1;\nsub.s32 %%r9, %%r9, 1;\nsetp.gt.s32 %%p7, %%r9, 0;\n@%%p7 bra AGAIN;\nret;\n}\n",
        declared, first, then);
    struct ptx_module *module = ptx_parse_good("large.ptx", text_get(&text));
    text_free(&text);
    return module;
}

static bool many_registers(void *context, struct device_resources *resources)
{
    *resources = (struct device_resources){.registers = *(const uint32_t *)context};
    return resources->registers > 0;
}

// registers: what ptxas answers; 0: nothing.
// likely: what they are taken to be until then.
static enum status look_at(struct ptx_module *module, uint64_t seed, bool is_ahead, uint32_t likely, uint32_t registers,
                           struct record *seen, struct large_finding *finding, struct diagnostic *diagnostic)
{
    struct device device;
    struct dataset data;
    struct record record = {0};
    struct launch_shape shape = {.grid = {COUNT / BLOCK, 1, 1}, .block = {BLOCK, 1, 1}, .tile = {BLOCK, 1}};
    ck_assert_int_eq(device_open(&device, "sim", NULL, -1, diagnostic), STATUS_OK);
    dataset_make_bare(&data, &part, &size, true, seed);
    struct large *large = large_new(&data, &shape, module->functions[0]);
    struct on_demand *ahead = large_data(&data);
    struct device_probe probe = large_probe(large), ahead_probe = on_demand_probe(ahead);
    struct device_job job = {.module = module,
                             .entry = module->functions[0],
                             .shape = shape,
                             .args = data.args,
                             .arg_count = data.count,
                             .want_model = true,
                             .model_only = true,
                             .seed = seed,
                             .budget = 1000000,
                             .probe = &probe,
                             .ahead = is_ahead ? &ahead_probe : NULL,
                             .likely_registers = likely,
                             .resources = many_registers,
                             .resources_context = &registers};
    enum status status = device_run(&device, &job, &record, diagnostic);
    large_judge(large, finding);
    large_free(large);
    on_demand_free(ahead);
    dataset_free(&data);
    *seen = (struct record){.model = record.model, .probed = record.probed};
    record_free(&record);
    device_close(&device);
    return status;
}

static enum status look(struct ptx_module *module, uint64_t seed, struct large_finding *finding,
                        struct diagnostic *diagnostic)
{
    struct record ignored;
    return look_at(module, seed, true, 0, 0, &ignored, finding, diagnostic);
}

// Runs a loop as often as %r6 says.
#define LONG(turns) turns "WORK:\nsub.s32 %r6, %r6, 1;\nsetp.gt.s32 %p3, %r6, 0;\n@%p3 bra WORK;\n"

static const struct {
    const char *name, *declared, *first, *then;
    enum large_kind kind;
    const char *says; // part of what is said
} kernels[] = {
    {"a copy", "", "", "", LARGE_RIGHT, ""},
    {"blocks from the last to the first", "", "sub.s32 %r1, 65535, %r1;\n", "", LARGE_RIGHT, ""},
    {"each second block does the work of two", "",
     "and.b32 %r4, %r1, 1;\nsetp.ne.s32 %p1, %r4, 0;\n@%p1 ret;\nmov.u32 %r9, 2;\n", "", LARGE_RIGHT, ""},
    {"a variable that the blocks only write", ".global .u32 seen;\n", "st.global.u32 [seen], %r1;\n", "", LARGE_RIGHT,
     ""},
    {"nobody writes", "", "ret;\n", "", LARGE_MISSING, "writes 0 of them; each of the 65536 blocks has to write 256"},
    {"one in eight blocks leaves", "", "and.b32 %r4, %r1, 7;\nsetp.eq.s32 %p1, %r4, 5;\n@%p1 ret;\n", "", LARGE_MISSING,
     "writes 0 of them"},
    {"one warp of eight leaves", "", "setp.ge.u32 %p1, %r2, 224;\n@%p1 ret;\n", "", LARGE_MISSING,
     "writes 224 of them"},
    {"all blocks write the same place", "", "and.b32 %r1, %r1, 15;\n", "", LARGE_MISSING, "never written"},
    {"all blocks write one half", "", "and.b32 %r1, %r1, 32767;\n", "", LARGE_MISSING, "never written"},
    {"the last block leaves", "", "setp.eq.u32 %p1, %r1, 65535;\n@%p1 ret;\n", "", LARGE_MISSING,
     "block (65535, 0, 0)"},
    {"beyond the first blocks one element is wrong", "", "",
     "setp.gt.u32 %p1, %r1, 4000;\nsetp.eq.and.u32 %p2, %r2, 77, %p1;\n@%p2 mov.f32 %f1, 0f00000000;\n", LARGE_WRONG,
     "writes 0 to out["},
    {"what is read is not what is copied", "", "", "ld.global.f32 %f1, [%rd2];\n", LARGE_WRONG, "should be"},
    {"blocks draw tickets", ".global .u32 ticket;\n",
     "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra ON;\natom.global.add.u32 %r5, [ticket], 1;\nsetp.gt.u32 %p2, %r5, 60000;\n"
     "@%p2 ret;\nON:\n",
     "", LARGE_ENTANGLED, "other blocks left in ticket"},
    {"one block in 64 leaves", "", "and.b32 %r4, %r1, 63;\nsetp.eq.s32 %p1, %r4, 37;\n@%p1 ret;\n", "", LARGE_MISSING,
     "writes 0 of them"},
    {"long blocks", "", LONG("mov.u32 %r6, 8000;\n"), "", LARGE_RIGHT, ""},
    {"long blocks, no two of which are as long", "", LONG("and.b32 %r6, %r1, 1023;\nadd.s32 %r6, %r6, 7000;\n"), "",
     LARGE_RIGHT, ""},
    {"one long block in sixteen does half of its work", "",
     LONG("and.b32 %r4, %r1, 15;\nsetp.eq.s32 %p1, %r4, 5;\nselp.b32 %r6, 4000, 8000, %p1;\n"),
     "@%p1 mov.f32 %f1, 0f00000000;\n", LARGE_WRONG, "writes 0 to out["},
    {"one long block in sixteen reads one place again and again", "",
     "and.b32 %r4, %r1, 15;\nsetp.eq.s32 %p1, %r4, 5;\nselp.b32 %r5, 0, 128, %p1;\ncvt.u64.u32 %rd6, %r5;\n"
     "mov.u64 %rd7, %rd2;\nmov.f32 %f2, 0f00000000;\nmov.u32 %r6, 2000;\nWORK:\nld.global.f32 %f3, [%rd7];\n"
     "add.s64 %rd7, %rd7, %rd6;\nsub.s32 %r6, %r6, 1;\nsetp.gt.s32 %p3, %r6, 0;\n@%p3 bra WORK;\n",
     "@%p1 mov.f32 %f1, 0f00000000;\n", LARGE_WRONG, "writes 0 to out["},
    {"one block in 64 stores to an input", "", "",
     "and.b32 %r4, %r1, 63;\nsetp.ne.s32 %p1, %r4, 37;\n@!%p1 st.global.f32 [%rd2], 0f40E00000;\n", LARGE_CHANGED,
     "writes to in, which it is only to read"},
    {"a loop without an end", "", "LOOP:\nbra LOOP;\n", "", LARGE_TOO_SLOW, "more than 10000000 warp instructions"},
    {"a loop without an end in the last of many short blocks", "",
     "setp.ne.u32 %p1, %r1, 65535;\n@%p1 bra ON;\nLOOP:\nbra LOOP;\nON:\n", "", LARGE_TOO_SLOW,
     "block 65535 takes more than 10000000 warp instructions"},
    {"the last block waits for a phase that nobody ends", ".shared .align 8 .b64 bar;\n",
     "setp.ne.u32 %p1, %r1, 65535;\n@%p1 bra ON;\nmbarrier.init.shared.b64 [bar], 300;\n"
     "WAIT:\nmbarrier.test_wait.parity.shared.b64 %p2, [bar], 0;\n@!%p2 bra WAIT;\nON:\n",
     "", LARGE_TOO_SLOW, "block 65535 never ends"},
};

START_TEST(every_kernel_is_found_out)
{
    struct ptx_module *module = copy_kernel(kernels[_i].declared, kernels[_i].first, kernels[_i].then);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct large_finding finding;
        struct diagnostic diagnostic = {0};
        enum status status = look(module, seed, &finding, &diagnostic);
        ck_assert_msg(status == STATUS_OK || kernels[_i].kind == LARGE_TOO_SLOW, "%s: %s", kernels[_i].name,
                      diagnostic.message);
        ck_assert_msg(finding.kind == kernels[_i].kind, "%s: %d: %s", kernels[_i].name, finding.kind, finding.message);
        ck_assert_msg(strstr(finding.message, kernels[_i].says) != NULL, "%s: %s", kernels[_i].name, finding.message);
    }
    ptx_module_free(module);
}
END_TEST

// The last block, which is always looked at, has 32 elements of its own and writes them, or 31.
START_TEST(a_block_that_the_edge_cuts_owes_what_is_left)
{
    enum { CUT = COUNT - BLOCK + 32 };
    for (int short_of = 0; short_of < 2; short_of++) {
        char first[128];
        struct large_finding finding;
        struct diagnostic diagnostic = {0};
        snprintf(first, sizeof first,
                 "shl.b32 %%r4, %%r1, 8;\nadd.s32 %%r4, %%r4, %%r2;\nsetp.ge.u32 %%p1, %%r4, %d;\n@%%p1 ret;\n",
                 CUT - short_of);
        struct ptx_module *module = copy_kernel("", first, "");
        variables[0].value = CUT;
        ck_assert_int_eq(look(module, 1, &finding, &diagnostic), STATUS_OK);
        variables[0].value = COUNT;
        ck_assert_msg(finding.kind == (short_of ? LARGE_MISSING : LARGE_RIGHT), "%s", finding.message);
        ptx_module_free(module);
    }
}
END_TEST

// A brief look, at a size that the blocks' tiles divide or not.
static void look_briefly(const char *first, int64_t count, struct large_finding *finding)
{
    struct ptx_module *module = copy_kernel("", first, "");
    struct device device;
    struct dataset data;
    struct record record = {0};
    struct diagnostic diagnostic = {0};
    struct launch_shape shape = {
        .grid = {(uint32_t)((count + BLOCK - 1) / BLOCK), 1, 1}, .block = {BLOCK, 1, 1}, .tile = {BLOCK, 1}};
    variables[0].value = count;
    ck_assert_int_eq(device_open(&device, "sim", NULL, -1, &diagnostic), STATUS_OK);
    dataset_make_bare(&data, &part, &size, true, 1);
    struct large *large = large_brief(&data, &shape, true);
    struct device_probe probe = large_probe(large);
    struct device_job job = {.module = module,
                             .entry = module->functions[0],
                             .shape = shape,
                             .args = data.args,
                             .arg_count = data.count,
                             .model_only = true,
                             .budget = 1000000,
                             .probe = &probe};
    ck_assert_msg(device_run(&device, &job, &record, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    large_judge(large, finding);
    large_free(large);
    dataset_free(&data);
    record_free(&record);
    device_close(&device);
    ptx_module_free(module);
    variables[0].value = COUNT;
}

START_TEST(a_brief_look_sees_that_blocks_are_taken_for_others)
{
    static const struct {
        const char *first;
        int64_t count;
        enum large_kind kind;
        const char *says;
    } looks[] = {
        {"", COUNT, LARGE_RIGHT, ""},
        {"and.b32 %r1, %r1, 32767;\n", COUNT, LARGE_MISSING, "what another one writes as well"},
        {"and.b32 %r1, %r1, 16383;\n", COUNT - 5, LARGE_MISSING, "what another one writes as well"},
        {"setp.gt.u32 %p1, %r1, 40000;\n@%p1 ret;\n", COUNT, LARGE_MISSING, "writes 0 of them"},
        // what is left over at the end is nobody's in particular: 3 elements, that the first block writes
        {"setp.eq.u32 %p1, %r1, 65535;\n@%p1 ret;\n", COUNT - BLOCK + 3, LARGE_RIGHT, ""},
        {"setp.ge.u32 %p1, %r1, 9000;\n@%p1 ret;\n", COUNT - BLOCK + 3, LARGE_MISSING, "writes 0 of them"},
    };
    struct large_finding finding;
    look_briefly(looks[_i].first, looks[_i].count, &finding);
    ck_assert_msg(finding.kind == looks[_i].kind, "%d: %s", finding.kind, finding.message);
    ck_assert_msg(strstr(finding.message, looks[_i].says) != NULL, "%s", finding.message);
}
END_TEST

START_TEST(a_trap_in_the_last_block_is_met)
{
    struct ptx_module *module = copy_kernel("", "setp.eq.u32 %p1, %r1, 65535;\n@%p1 trap;\n", "");
    struct large_finding finding;
    struct diagnostic diagnostic = {0};
    ck_assert_int_eq(look(module, 1, &finding, &diagnostic), STATUS_FAULT);
    ck_assert_ptr_nonnull(strstr(diagnostic.message, "block (65535,0,0)"));
    ptx_module_free(module);
}
END_TEST

// The blocks that run to their end are counted: 8 warps of each load 4 sectors, and store as many.
START_TEST(whole_blocks_are_counted)
{
    struct ptx_module *module = copy_kernel("", "", "");
    struct large_finding finding;
    struct diagnostic diagnostic = {0};
    struct record seen;
    ck_assert_int_eq(look_at(module, 1, true, 0, 0, &seen, &finding, &diagnostic), STATUS_OK);
    const struct probed *probed = &seen.probed;
    ck_assert_uint_ge(probed->blocks, 32);
    ck_assert_uint_eq(probed->shape.grid[0], COUNT / BLOCK);
    ck_assert_uint_eq(probed->compiled.global[COUNT_LOAD].sectors, 32 * probed->blocks);
    ck_assert_uint_eq(probed->compiled.global[COUNT_STORE].requests, 8 * probed->blocks);
    ptx_module_free(module);
}
END_TEST

START_TEST(data_made_on_demand_are_the_data_of_the_seed)
{
    struct dataset whole;
    float some[100];
    variables[0].value = 1000;
    dataset_make(&whole, &part, &size, false, 7);
    dataset_fill(&whole, 1, 500, 100, some);
    ck_assert_int_eq(memcmp(some, (float *)whole.args[1].data + 500, sizeof some), 0);
    dataset_fill(&whole, 0, 0, 1, some);
    ck_assert_int_eq(memcmp(some, whole.args[0].data, sizeof *some), 0);
    dataset_free(&whole);
    variables[0].value = COUNT;
}
END_TEST

// Whatever the guess was that the prediction began with: the same as without one.
START_TEST(a_prediction_that_begins_before_all_is_known_is_the_same)
{
    static const char *const uneven[] = {
        "", "and.b32 %r4, %r1, 1;\nsetp.ne.s32 %p1, %r4, 0;\n@%p1 ret;\nmov.u32 %r9, 2;\n",
        "and.b32 %r4, %r1, 1;\nsetp.ne.s32 %p1, %r4, 1;\n@%p1 ret;\nmov.u32 %r9, 2;\nsub.s32 %r1, %r1, 1;\n"};
    enum { REGISTERS = 3 };
    static const uint32_t registers[REGISTERS] = {0, 16, 255};
    struct ptx_module *module = copy_kernel("", uneven[_i], "");
    for (size_t i = 0; i < REGISTERS * REGISTERS; i++) {
        uint32_t likely = registers[i / REGISTERS], are = registers[i % REGISTERS];
        struct record seen[2];
        const struct prediction *later = &seen[0].model, *ahead = &seen[1].model;
        struct large_finding finding;
        struct diagnostic diagnostic;
        ck_assert_int_eq(look_at(module, 3, false, 0, are, &seen[0], &finding, &diagnostic), STATUS_OK);
        ck_assert_int_eq(look_at(module, 3, true, likely, are, &seen[1], &finding, &diagnostic), STATUS_OK);
        ck_assert_double_gt(later->us, 0);
        ck_assert_double_eq(later->us, ahead->us);
        ck_assert_uint_eq(later->registers, ahead->registers);
        ck_assert_int_eq(ahead->registers_estimated, are == 0);
        ck_assert_uint_eq(later->occupancy.blocks, ahead->occupancy.blocks);
        ck_assert_uint_eq(later->occupancy.shares[OCCUPANCY_REGISTERS].blocks,
                          ahead->occupancy.shares[OCCUPANCY_REGISTERS].blocks);
    }
    ptx_module_free(module);
}
END_TEST

// A block that runs once more for its time finds what it wrote the first time.
START_TEST(what_runs_for_the_time_alone_is_not_judged)
{
    struct ptx_module *module = copy_kernel("", "", "ld.global.f32 %f2, [%rd4];\n");
    for (uint32_t registers = 0; registers <= 64; registers += 32) {
        struct record seen;
        struct large_finding finding;
        struct diagnostic diagnostic;
        ck_assert_int_eq(look_at(module, 3, registers > 0, 16, registers, &seen, &finding, &diagnostic), STATUS_OK);
        ck_assert_msg(finding.kind == LARGE_RIGHT, "%s", finding.message);
        ck_assert_double_gt(seen.model.us, 0);
        ck_assert_uint_gt(finding.compared, 0);
    }
    ptx_module_free(module);
}
END_TEST

Suite *suite_large(void)
{
    Suite *suite = suite_create("large");
    TCase *tests = tcase_create("large");
    tcase_add_loop_test(tests, every_kernel_is_found_out, 0, sizeof kernels / sizeof *kernels);
    tcase_add_loop_test(tests, a_prediction_that_begins_before_all_is_known_is_the_same, 0, 3);
    tcase_add_test(tests, what_runs_for_the_time_alone_is_not_judged);
    tcase_add_test(tests, a_block_that_the_edge_cuts_owes_what_is_left);
    tcase_add_loop_test(tests, a_brief_look_sees_that_blocks_are_taken_for_others, 0, 6);
    tcase_add_test(tests, a_trap_in_the_last_block_is_met);
    tcase_add_test(tests, whole_blocks_are_counted);
    tcase_add_test(tests, data_made_on_demand_are_the_data_of_the_seed);
    suite_add_tcase(suite, tests);
    return suite;
}
