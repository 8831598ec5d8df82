// Accesses worked out. In kernels of every kind, the list, the picture, the counters, the facts and the timing model's
// stream tell the same wavefronts of each access.
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>

#include "../support/ptx_text.h"
#include "base/text.h"
#include "grade/judge.h"
#include "model/stream.h"
#include "record/access.h"
#include "record/heatmap.h"
#include "ui/view.h"

Suite *suite_access(void);

enum { BLOCK_LIMIT = 1000 };

// One warp runs the body, an access a line: %r1 is its lane, %r2 lane * 4, %r3 lane * 16, %r4 lane * 32, %r5 16 for
// the lower half of the lanes and 0 for the others, %rd1 a buffer + lane * 16.
static const struct {
    const char *body;
    uint32_t wavefronts; // of the first access to shared memory, as compiled
} kernels[] = {
    {"ld.shared.u32 %r6, [%r4];\n", 8},
    {"st.shared.u32 [%r3], %r1;\n", 4},
    {"cp.async.ca.shared.global [%r4], [%rd1], 16;\ncp.async.wait_all;\n", 8},
    {"cp.async.cg.shared.global [%r4], [%rd1], 16;\ncp.async.wait_all;\n", 4},
    {"cp.async.ca.shared.global [%r2], [%rd1], 4, 4;\ncp.async.wait_all;\n", 1},
    {"cp.async.ca.shared.global [%r3], [%rd1], 16, %r5;\ncp.async.wait_all;\n", 4},
    {"shr.u32 %r5, %r5, 2;\ncp.async.ca.shared.global [%r2], [%rd1], 4, %r5;\ncp.async.wait_all;\n", 2},
    {"red.shared.add.u32 [s], 1;\n", 1},
    {"red.shared.add.u32 [s], %r1;\n", 1},
    {"atom.shared.add.u32 %r6, [s], %r1;\n", 1},
    {"shr.u32 %r5, %r1, 5;\nred.shared.add.u32 [%r5], %r1;\n", 32},
    {"shr.u32 %r5, %r1, 5;\natom.shared.add.u32 %r6, [%r5], %r1;\n", 32},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, [%r3];\n", 1},
    {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r6, %r7}, [%r4];\n", 4},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r6, %r7, %r8, %r9}, [%r3];\n", 4},
    {"stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r4], {%r1, %r1};\n", 4},
    {"ld.shared.u32 %r6, [%r4];\nld.shared.u32 %r7, [%r4+4];\n", 8},
    {"ld.shared.u32 %r6, [%r4+12];\nld.shared.u32 %r7, [%r4+8];\nld.shared.u32 %r8, [%r4+4];\n", 8},
    {"st.shared.u32 [%r3+4], %r1;\nst.shared.u32 [%r3], %r1;\n", 4},
    {"mov.u32 %r6, 0;\nL:\nld.shared.u32 %r7, [%r4];\nadd.u32 %r6, %r6, 1;\nsetp.lt.u32 %p1, %r6, 5;\n@%p1 bra L;\n",
     8},
    {"setp.ne.u32 %p1, %r1, 0;\n@%p1 bra DONE;\nmbarrier.init.shared.b64 [m], 1;\n"
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1], 272, [m];\nDONE:\n",
     3},
};

struct observed {
    struct record record;
    struct stream stream;
};

static void observe(const char *body, struct observed *seen)
{
    struct text text = {0};
    struct diagnostic diagnostic = {0};
    struct sim_program *program;
    const struct ptx_function *entry;
    text_printf(&text,
                ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
                ".reg .pred %%p<4>; .reg .b32 %%r<12>; .reg .b64 %%rd<6>;\n.shared .align 16 .b8 s[2048];\n"
                ".shared .align 8 .b64 m;\nmov.u32 %%r1, %%tid.x; shl.b32 %%r2, %%r1, 2; shl.b32 %%r3, %%r1, 4; "
                "shl.b32 %%r4, %%r1, 5; and.b32 %%r5, %%r1, 16; xor.b32 %%r5, %%r5, 16; ld.param.u64 %%rd3, [p]; "
                "mad.wide.u32 %%rd1, %%r1, 16, %%rd3; mov.u32 %%r10, s;\n%s\nret;\n}\n",
                body);
    struct ptx_module *module = ptx_parse_good("k", text_get(&text));
    struct sim_memory *memory = sim_memory_new();
    uint64_t address = sim_memory_add(memory, "a", 4096, false)->address;
    ck_assert_int_eq(ptx_find_entry(module, NULL, &entry, &diagnostic), STATUS_OK);
    ck_assert_msg(!sim_program_new(module, entry, memory, &program, &diagnostic), "%s: %s", body, diagnostic.message);
    struct counter_observer *counters = counter_observer_new(program, NULL);
    struct recorder *recorder = recorder_new(program, 0, BLOCK_LIMIT);
    struct sim_observer observers[] = {counter_observer_get(counters), recorder_observer(recorder)};
    struct sim_count *counts = calloc(sim_program_size(program), sizeof *counts);
    struct sim_launch launch = {.program = program,
                                .memory = memory,
                                .shape.grid = {1, 1, 1},
                                .shape.block = {32, 1, 1},
                                .params = &address,
                                .observers = observers,
                                .observer_count = 2,
                                .counts = counts};
    struct sim_result result;
    enum status status = sim_run(&launch, &result, &diagnostic);
    ck_assert_msg(!status, "%s: %s", body, diagnostic.message);
    counter_observer_take(counters, counts, &seen->record.counters);
    recorder_take(recorder, &seen->record.recording);
    struct stream_options options = {.gpu = gpu_profile_find("H200"),
                                     .active_sms = 1,
                                     .resident = 1,
                                     .grid_blocks = 1,
                                     .block_count = 1,
                                     .warp_steps = 10000,
                                     .constants = &replay_defaults};
    status = stream_trace(&launch, &options, &seen->stream, &diagnostic);
    ck_assert_msg(!status, "%s: %s", body, diagnostic.message);
    counter_observer_free(counters);
    recorder_free(recorder);
    sim_program_free(program);
    sim_memory_free(memory);
    for (size_t i = 0; i < seen->record.counters.count; i++) { // the kernel has no source, its files were the module's
        seen->record.counters.lines[i].file = "k";
        seen->record.counters.lines[i].line = seen->record.counters.lines[i].pc + 1;
    }
    ptx_module_free(module);
    free(counts);
    text_free(&text);
}

static uint64_t stream_wavefronts(const struct stream *stream, uint32_t pc)
{
    uint64_t sum = 0;
    const struct replay_warp *warp = &stream->blocks[0].warps[0];
    for (size_t i = 0; i < warp->count; i++)
        sum += stream->insts[warp->steps[i].inst].origin == pc ? warp->steps[i].wavefronts : 0;
    return sum;
}

// By the function that gates and answers call; of the line's first execution.
static uint32_t fact_wavefronts(struct record *record, const struct counter_line *line)
{
    static struct lesson_size size = {.name = "only"};
    static struct lesson_part part = {.kernel = "k", .sizes = &size, .size_count = 1};
    static struct lesson lesson = {.parts = &part, .part_count = 1};
    struct grade_size result = {.name = "only", .ran = true, .correct = true};
    struct judge_run run = {.part = &part, .size = &size, .result = &result, .record = record};
    struct judge_facts facts = {.lesson = &lesson, .runs = &run, .run_count = 1};
    struct judge_scope scope = {.facts = &facts};
    double most = -1;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        char question[64];
        double value;
        snprintf(question, sizeof question, "wavefront(%u, lane %d)", line->line, lane);
        ck_assert_int_eq(expression_value(question, judge_lookup, &scope, &value, NULL), STATUS_OK);
        most = value > most ? value : most;
    }
    return (uint32_t)(most + 1);
}

static uint32_t text_wavefronts(const struct recorded_access *access)
{
    struct text picture = {0};
    struct bank_access compiled = access_banks(access, true);
    heatmap_banks(&compiled, 32, &picture);
    const char *end = text_get(&picture) + picture.length - 1;
    while (end > text_get(&picture) && end[-1] != '\n')
        end--;
    uint32_t wavefronts = (uint32_t)strtoul(end, NULL, 10);
    text_free(&picture);
    return wavefronts;
}

static void check_line(struct observed *seen, const struct counter_line *line, const char *body)
{
    const struct recording *recording = &seen->record.recording;
    uint64_t compiled = 0, written = 0;
    size_t count = access_count(recording, &(struct access_set){line->space, &line->pc, 1}, 0);
    for (size_t i = 0; i < count; i++) {
        const struct recorded_access *access = access_get(recording, &(struct access_set){line->space, &line->pc, 1}, 0, i);
        struct bank_access as_written = access_banks(access, false);
        struct bank_pattern pattern;
        bank_pattern_of(&pattern, access, true);
        compiled += pattern.schedule.cost.wavefronts;
        written += banks_count(&as_written).wavefronts;
        ck_assert_msg(text_wavefronts(access) == pattern.schedule.cost.wavefronts, "%s: text", body);
        if (i == 0 && access->operation.kind != BANK_BULK)
            ck_assert_msg(fact_wavefronts(&seen->record, line) == pattern.schedule.cost.wavefronts, "%s: facts", body);
    }
    char list[32], drawn[32]; // a load out of a loop counts as often as the loop is entered
    per_instruction(line->wavefronts, line->instructions, list, sizeof list);
    per_instruction(compiled, line->fused_away ? 0 : count, drawn, sizeof drawn);
    ck_assert_str_eq(list, drawn);
    ck_assert_msg(written == line->written_wavefronts, "%s: as written %" PRIu64 ", counted %" PRIu64, body, written,
                  line->written_wavefronts);
    ck_assert_msg(stream_wavefronts(&seen->stream, line->pc) == compiled, "%s: the stream has %" PRIu64, body,
                  stream_wavefronts(&seen->stream, line->pc));
}

START_TEST(everybody_tells_the_same_wavefronts)
{
    struct observed seen = {0};
    observe(kernels[_i].body, &seen);
    struct counter_table *table = &seen.record.counters;
    const struct counter_line *first = NULL;
    for (size_t i = 0; i < table->count; i++) {
        if (table->lines[i].space != PTX_SHARED)
            continue;
        check_line(&seen, &table->lines[i], kernels[_i].body);
        if (!first && !table->lines[i].fused_away)
            first = &table->lines[i];
    }
    ck_assert_ptr_nonnull(first);
    ck_assert_msg(first->wavefronts == kernels[_i].wavefronts * first->instructions, "%s: %" PRIu64 " wavefronts",
                  kernels[_i].body, first->wavefronts);
    counter_table_free(table);
    recording_free(&seen.record.recording);
    stream_free(&seen.stream);
}
END_TEST

// ---- patterns by themselves

static struct recorded_access strided(uint32_t bytes, uint32_t stride_words)
{
    struct recorded_access access = {.mask = UINT32_MAX, .bytes = bytes, .kind = SIM_LOAD, .space = PTX_SHARED};
    for (uint32_t lane = 0; lane < 32; lane++)
        access.addresses[lane] = 4 * lane * stride_words;
    return access;
}

START_TEST(pictures_agree_with_the_counted_cost)
{
    static const struct {
        uint32_t bytes, stride;
    } cases[] = {{4, 1}, {4, 2}, {4, 32}, {4, 33}, {8, 2}, {8, 64}, {16, 4}, {16, 8}, {4, 0}, {1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct recorded_access access = strided(cases[i].bytes, cases[i].stride);
        struct bank_pattern pattern;
        bank_pattern_of(&pattern, &access, false);
        uint32_t last = 0;
        for (int lane = 0; lane < 32; lane++)
            last = pattern.schedule.wavefront[lane] > last ? pattern.schedule.wavefront[lane] : last;
        ck_assert_uint_eq(last + 1, pattern.schedule.cost.wavefronts);
        // the turns are the sum over groups of the most words of one bank
        uint32_t turns = 0;
        for (uint32_t first = 0; first < 32; first += pattern.schedule.group) {
            uint32_t most = 0;
            for (uint32_t lane = first; lane < first + pattern.schedule.group; lane++)
                for (uint32_t bank = 0; bank < BANKS; bank++)
                    most = bank_pattern_degree(&pattern, lane, bank) > most ? bank_pattern_degree(&pattern, lane, bank)
                                                                            : most;
            turns += most;
        }
        ck_assert_msg(turns == pattern.schedule.cost.wavefronts, "%u bytes, stride %u: %u turns drawn, %u counted",
                      cases[i].bytes, cases[i].stride, turns, pattern.schedule.cost.wavefronts);
    }
}
END_TEST

START_TEST(broadcast_lanes_share)
{
    struct recorded_access access = strided(4, 0);
    struct bank_pattern pattern;
    bank_pattern_of(&pattern, &access, false);
    ck_assert_int_eq(pattern.partner[0], -1);
    ck_assert(pattern.partner[1] == 0 && pattern.partner[31] == 0);
    ck_assert_uint_eq(pattern.hits[0], 1);
    access.operation.kind = BANK_ATOMIC;
    bank_pattern_of(&pattern, &access, false);
    ck_assert_int_eq(pattern.partner[31], -1);
    ck_assert_uint_eq(pattern.hits[0], 32);
}
END_TEST

START_TEST(fused_accesses_are_drawn_as_compiled)
{
    struct recorded_access access = strided(4, 4);
    access.operation.wide = 16;
    struct bank_pattern written, compiled;
    bank_pattern_of(&written, &access, false);
    bank_pattern_of(&compiled, &access, true);
    ck_assert_uint_eq(written.schedule.cost.wavefronts, 4);
    ck_assert_uint_eq(compiled.access.bytes, 16);
    ck_assert_uint_eq(compiled.schedule.cost.conflicts, 0);
    ck_assert_uint_eq(compiled.schedule.group, 8);
}
END_TEST

Suite *suite_access(void)
{
    Suite *suite = suite_create("access");
    TCase *tests = tcase_create("access");
    tcase_add_loop_test(tests, everybody_tells_the_same_wavefronts, 0, sizeof kernels / sizeof *kernels);
    tcase_add_test(tests, pictures_agree_with_the_counted_cost);
    tcase_add_test(tests, broadcast_lanes_share);
    tcase_add_test(tests, fused_accesses_are_drawn_as_compiled);
    suite_add_tcase(suite, tests);
    return suite;
}
