#include "fake_lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ui/export.h"
#include "ui/exercise.h"

static const char starter[] = "// 04 padding: the tiled transpose without bank conflicts.\n"
                              "LAUNCH(32, 8, 32, 32)\n"
                              "\n"
                              "__global__ void transpose(float *out, const float *in, int width, int height)\n"
                              "{\n"
                              "    __shared__ float tile[32][32];       /* 4096 bytes */\n"
                              "    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;\n"
                              "    for (int j = 0; j < 32; j += 8)\n"
                              "\ttile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];\n"
                              "    __syncthreads();\n"
                              "    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;\n"
                              "    for (int j = 0; j < 32; j += 8)\n"
                              "        out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];\n"
                              "}\n";

static const char page[] =
    "# Padding\n\nYour tiled transpose asks global memory for **exactly** as little as a copy does.\n\n"
    "> `bank = (byte address / 4) % 32`\n\n- rows of 32 words: one bank\n- rows of 33 words: 32 banks\n\n"
    "```\n[A] 0,1 0,2\n[B] 1,1 1,2\n```\n\n| lane | word |\n| ---: | ---: |\n| 0 | 0 |\n| 1 | 33 |\n";

static const char *const hints[] = {"Where does row 1 begin?", "One more column moves it."};
static struct lesson_question question = {.question = "How many wavefronts will the load from the tile take?",
                                          .unit = "wavefronts",
                                          .why = "All 32 lanes read one column."};
static struct lesson_arg args[] = {
    {.name = "out", .type = PTX_F32, .role = LESSON_OUT},
    {.name = "in", .type = PTX_F32, .role = LESSON_IN},
    {.name = "width", .type = PTX_S32, .role = LESSON_SCALAR},
};
static struct lesson_part part = {.kernel = "transpose", .args = args, .arg_count = 3};
static struct lesson_published published[] = {{.gpu = "V100", .label = "tiled, padded", .gbps = 750},
                                              {.gpu = "NVIDIA H200", .label = "padded, 32 x 8 threads", .gbps = 3593}};

enum { PC_FILL = 12, PC_TAKE = 30, PC_IN = 11, PC_OUT = 31, LINE_FILL = 9, LINE_TAKE = 13 };

static void make_lesson(struct lesson *lesson, int number, const char *id, const char *name, const char *title)
{
    *lesson = (struct lesson){.id = id, .name = name, .number = number, .title = title, .track = "core"};
    lesson->directory = "/nonexistent";
    lesson->exercise = "/nonexistent/exercise.cu";
    lesson->starter = lesson->solution = "/nonexistent/starter.cu";
    lesson->summary = number == 4 ? "One extra column moves every row to other banks." : "Swap the block indices.";
    lesson->hints = (const char **)(void *)hints;
    lesson->hint_count = 2;
    lesson->questions = &question;
    lesson->question_count = 1;
    lesson->parts = &part;
    lesson->part_count = 1;
    lesson->published = published;
    lesson->published_count = 2;
}

void fake_lab_open(struct fake_lab *lab, int width, int height, bool ascii, bool mono)
{
    memset(lab, 0, sizeof *lab);
    make_lesson(&lab->lessons[0], 3, "03-tiled-transpose", "tiled-transpose", "Tiled transpose");
    make_lesson(&lab->lessons[1], 4, "04-padding", "padding", "Padding");
    lab->items[0] = &lab->lessons[0];
    lab->items[1] = &lab->lessons[1];
    lab->set.items = lab->items;
    lab->set.count = 2;
    lab->set.workspace = lab->workspace;
    strcpy(lab->workspace, "/nonexistent");
    struct ui_options options = {.theme = "dark", .ascii = ascii, .mono = mono, .gpu = -1};
    app_init(&lab->app, &lab->set, NULL, &options);
    strcpy(lab->app.device_line, "simulated (sm_90)");
    app_resize(&lab->app, width, height);
}

// ---- reports

static void add_access(struct recording *recording, struct recorded_access access)
{
    mem_reserve(&recording->items, &recording->capacity, recording->count);
    recording->items[recording->count++] = access;
}

// A store of row + lane / 100 in each lane.
static void add_store(struct recording *recording, struct recorded_access access, uint32_t row)
{
    mem_reserve(&recording->values, &recording->value_capacity, recording->value_count + 4 * SIM_LANES);
    access.has_values = true;
    access.lands = (uint32_t)recording->count;
    access.values = (uint32_t)recording->value_count;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        float value = (float)row + (float)lane / 100;
        memcpy(recording->values + recording->value_count, &value, sizeof value);
        recording->value_count += sizeof value;
    }
    add_access(recording, access);
}

static struct recorded_access tile_access(uint32_t pc, uint32_t warp, uint32_t round, enum sim_access_kind kind,
                                          uint32_t row_words, uint32_t phase)
{
    struct recorded_access access = {.pc = pc,
                                     .warp = warp,
                                     .mask = UINT32_MAX,
                                     .bytes = 4,
                                     .step = round,
                                     .phase = phase,
                                     .kind = kind,
                                     .space = PTX_SHARED};
    uint32_t y = warp + 8 * round;
    for (uint32_t lane = 0; lane < 32; lane++)
        access.addresses[lane] = 4 * (kind == SIM_STORE ? y * row_words + lane : lane * row_words + y);
    return access;
}

static struct recorded_access global_access(uint32_t pc, uint32_t warp, uint32_t round, enum sim_access_kind kind)
{
    struct recorded_access access = {
        .pc = pc, .warp = warp, .mask = UINT32_MAX, .bytes = 4, .step = round, .kind = kind, .space = PTX_GLOBAL};
    for (uint32_t lane = 0; lane < 32; lane++)
        access.addresses[lane] = ((uint64_t)(kind == SIM_LOAD ? 17 : 16) << 36) + ((uint64_t)1 << 35) - 2304 +
                                 4 * ((warp + 8 * round) * 512 + (uint64_t)lane);
    return access;
}

static void record_block(struct recording *recording, uint32_t row_words)
{
    for (uint32_t warp = 0; warp < 8; warp++)
        for (uint32_t round = 0; round < 4; round++) {
            add_access(recording, global_access(PC_IN, warp, round, SIM_LOAD));
            add_store(recording, tile_access(PC_FILL, warp, round, SIM_STORE, row_words, 0), warp + 8 * round);
        }
    for (uint32_t warp = 0; warp < 8; warp++)
        for (uint32_t round = 0; round < 4; round++) {
            add_access(recording, tile_access(PC_TAKE, warp, round, SIM_LOAD, row_words, 1));
            add_access(recording, global_access(PC_OUT, warp, round, SIM_STORE));
        }
    recording->total = recording->count;
}

static void count_lines(struct counter_table *table, bool padded)
{
    const uint64_t executed = 8192, wavefronts = padded ? executed : 32 * executed;
    const struct counter_line lines[] = {
        {.pc = PC_IN,
         .file = "padding.cu",
         .line = LINE_FILL,
         .space = PTX_GLOBAL,
         .kind = SIM_LOAD,
         .op = "load",
         .bytes = 4,
         .bytes_written = 4,
         .instructions = executed,
         .requests = executed,
         .sectors = 4 * executed},
        {.pc = PC_FILL,
         .file = "padding.cu",
         .line = LINE_FILL,
         .space = PTX_SHARED,
         .kind = SIM_STORE,
         .op = "store",
         .bytes = 4,
         .bytes_written = 4,
         .instructions = executed,
         .wavefronts = executed,
         .written_wavefronts = executed},
        {.pc = PC_TAKE,
         .file = "padding.cu",
         .line = LINE_TAKE,
         .space = PTX_SHARED,
         .kind = SIM_LOAD,
         .op = "load",
         .bytes = 4,
         .bytes_written = 4,
         .instructions = executed,
         .wavefronts = wavefronts,
         .conflicts = wavefronts - executed,
         .written_wavefronts = wavefronts,
         .written_conflicts = wavefronts - executed},
        {.pc = PC_OUT,
         .file = "padding.cu",
         .line = LINE_TAKE,
         .space = PTX_GLOBAL,
         .kind = SIM_STORE,
         .op = "store",
         .bytes = 4,
         .bytes_written = 4,
         .instructions = executed,
         .requests = executed,
         .sectors = 4 * executed},
    };
    table->count = sizeof lines / sizeof *lines;
    table->lines = mem_alloc(sizeof lines);
    memcpy(table->lines, lines, sizeof lines);
    table->compiled = (struct counters){.warp_instructions = 1000000,
                                        .thread_instructions = 32000000,
                                        .shared[COUNT_LOAD].instructions = executed,
                                        .shared[COUNT_LOAD].wavefronts = wavefronts,
                                        .shared[COUNT_LOAD].conflicts = wavefronts - executed,
                                        .shared[COUNT_STORE].instructions = executed,
                                        .shared[COUNT_STORE].wavefronts = executed,
                                        .global[COUNT_LOAD].requests = executed,
                                        .global[COUNT_LOAD].sectors = 4 * executed,
                                        .global[COUNT_STORE].requests = executed,
                                        .global[COUNT_STORE].sectors = 4 * executed,
                                        .barriers = 2048};
    table->written = table->compiled;
}

static void add_gate(struct grade_report *report, const char *id, bool passed, double points, const char *asked,
                     const char *got, const char *message)
{
    struct grade_gate *gate = &report->gates[report->gate_count++];
    *gate = (struct grade_gate){.id = id,
                                .message = message,
                                .passed = passed,
                                .points = points,
                                .earned = passed ? points : 0,
                                .full = passed};
    strcpy(gate->asked, asked);
    strcpy(gate->got, got);
}

static struct grade_report *new_report(void)
{
    struct grade_report *report = grade_report_new();
    report->lesson_id = "04-padding";
    report->modelled = (struct kernel_times){.kernel = 5.9, .naive = 21.4, .solution = 5.6};
    report->compile_seconds = 0.4;
    report->run_seconds = 0.3;
    report->total_seconds = 0.9;
    strcpy(report->compiler, "nvcc 13.0");
    strcpy(report->device, "simulated (sm_90)");
    report->sizes = arena_alloc(report->arena, 3 * sizeof *report->sizes);
    report->gates = arena_alloc(report->arena, 8 * sizeof *report->gates);
    report->source = arena_strdup(report->arena, starter);
    return report;
}

static void add_sizes(struct grade_report *report, bool odd_is_correct)
{
    static const char *const names[] = {"one", "tile", "odd"}, *const shapes[] = {"1 x 1", "32 x 32", "70 x 33"};
    for (int i = 0; i < 3; i++) {
        report->sizes[i] = (struct grade_size){.name = names[i], .ran = true, .correct = i < 2 || odd_is_correct};
        strcpy(report->sizes[i].shape, shapes[i]);
    }
    report->size_count = 3;
    if (odd_is_correct)
        return;
    struct grade_mismatch *wrong = &report->sizes[2].mismatch;
    *wrong = (struct grade_mismatch){.argument = "out",
                                     .row = 32,
                                     .column = 3,
                                     .index = 1059,
                                     .rows = 70,
                                     .columns = 33,
                                     .wrong = 420,
                                     .total = 2310,
                                     .expected = 0.25,
                                     .got = 0.75};
    for (int row = 0; row < 16; row++)
        for (int column = 28; column < 32; column++)
            wrong->map[row][column] = (unsigned char)(column * 8);
}

static struct grade_report *run_report(bool padded)
{
    struct grade_report *report = new_report();
    report->verdict = padded ? VERDICT_PASS : VERDICT_FAIL;
    report->full = padded;
    report->score = padded ? 100 : 65;
    if (padded) {
        char *shape = strstr(report->source, "[32][32]");
        memcpy(shape, "[32][33]", strlen("[32][33]"));
    } else {
        strcpy(report->diagnosis, "no-padding");
        strcpy(report->next, "All 32 lanes read one column of the tile, and rows are 32 words apart.");
    }
    add_sizes(report, true);
    add_gate(report, "correct", true, 30, "every size right", "3 of 3", NULL);
    add_gate(report, "conflicts", padded, 35, "shared_load_conflicts == 0", padded ? "0" : "253952",
             "No access to shared memory may conflict.");
    snprintf(report->record.device, sizeof report->record.device, "simulated (sm_90)");
    count_lines(&report->record.counters, padded);
    record_block(&report->record.recording, padded ? 33 : 32);
    return report;
}

static struct grade_report *race_report(void)
{
    struct grade_report *report = run_report(false);
    strcpy(report->diagnosis, "race");
    strcpy(report->next, "Put a barrier between filling the tile and reading it.");
    report->size_count = 0;
    report->score = 0;
    add_sizes(report, false);
    report->record.hazards.items = mem_alloc(sizeof *report->record.hazards.items);
    report->record.hazards.count = 1;
    struct hazard *hazard = &report->record.hazards.items[0];
    *hazard = (struct hazard){.kind = HAZARD_RACE,
                              .pc = PC_TAKE,
                              .other_pc = PC_FILL,
                              .file = "padding.cu",
                              .line = LINE_TAKE,
                              .other_line = LINE_FILL,
                              .space = PTX_SHARED,
                              .address = 4096 - 4,
                              .count = 992};
    strcpy(hazard->message, "Line 13 reads tile[31][31], which line 9 writes, with no barrier in between.");
    return report;
}

static struct grade_report *broken_report(void)
{
    struct grade_report *report = new_report();
    struct diagnostic diagnostic = {0};
    report->verdict = VERDICT_COMPILE_ERROR;
    strcpy(report->diagnosis, "compile-error");
    diagnostic_at(&diagnostic, STATUS_COMPILE, "exercise.cu", 8, 5, "expected ';' before \\x1b[31m 'for'");
    diagnostic_add(&report->messages, &diagnostic);
    return report;
}

// A report as a worker with a GPU sends it; its figures are those of docs/benchmarks.md.
static struct grade_report *gpu_report(struct lesson *lesson, bool is_product)
{
    static struct lesson_variable variables[] = {{"width", 8192}, {"height", 8192}, {"m", 4096}};
    static struct lesson_size size = {.name = "speed",
                                      .variables = variables,
                                      .gpu_variables = variables,
                                      .variable_count = 3,
                                      .gpu_variable_count = 3};
    static struct lesson_part measured_part;
    struct grade_report *report;
    struct diagnostic diagnostic;
    json_t *json = json_load_file("tests/golden/gpu_report.json", 0, NULL);
    if (grade_report_read(json, &report, &diagnostic) != STATUS_OK)
        abort();
    json_decref(json);
    measured_part = part;
    measured_part.sizes = &size;
    measured_part.size_count = 1;
    lesson->parts = &measured_part;
    lesson->metric_bytes = is_product ? NULL : "8 * width * height";
    lesson->metric_flop = is_product ? "2 * m * m * m" : NULL;
    if (is_product) {
        report->measured = (struct kernel_times){.kernel = 4981, .naive = 15613, .solution = 4972, .cublas = 2683};
        report->ratios = (struct kernel_times){.kernel = 1, .naive = 3.13, .solution = 1, .cublas = 0.539};
        report->modelled = (struct kernel_times){.kernel = 5680.3, .naive = 17084.8, .solution = 5680.3};
    }
    return report;
}

void fake_lab_set(struct fake_lab *lab, enum fake_state state)
{
    struct ui_lesson *lesson = &lab->app.lessons[1];
    lab->app.current = 1;
    lab->app.watched = 1;
    lab->app.home.cursor = 1;
    if (!lesson->page)
        lesson->page = markdown_parse(page, strlen(page));
    grade_report_free(lesson->report);
    grade_report_free(lesson->before);
    lesson->report = lesson->before = NULL;
    if (state == FAKE_STARTER)
        lesson->report = run_report(false);
    if (state >= FAKE_GPU)
        lesson->report = gpu_report(&lab->lessons[1], state == FAKE_PRODUCT);
    else if (state >= FAKE_PADDED) {
        lesson->report = state == FAKE_PADDED ? run_report(true) : state == FAKE_RACE ? race_report() : broken_report();
        lesson->before = run_report(false);
    }
    free(lesson->source);
    lesson->source = mem_strdup(lesson->report ? lesson->report->source : starter);
    lesson->source_hash = lesson->graded_hash = exercise_hash(lesson->source);
}

void fake_lab_folder(struct fake_lab *lab)
{
    struct diagnostic diagnostic;
    snprintf(lab->folder, sizeof lab->folder, "/tmp/bankshot-lab.XXXXXX");
    if (!mkdtemp(lab->folder))
        abort();
    snprintf(lab->exercise, sizeof lab->exercise, "%s/04-padding.cu", lab->folder);
    snprintf(lab->starter, sizeof lab->starter, "%s/starter.cu", lab->folder);
    setenv("XDG_STATE_HOME", lab->folder, 1);
    progress_open(&lab->app.progress, &diagnostic);
    lab->lessons[1].exercise = lab->exercise;
    lab->lessons[1].starter = lab->starter;
    fake_lab_write(lab->starter, starter);
    fake_lab_write(lab->exercise, starter);
}

void fake_lab_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
}

void fake_lab_close(struct fake_lab *lab)
{
    app_free(&lab->app);
    if (lab->folder[0]) {
        char command[128];
        progress_close(lab->app.progress);
        snprintf(command, sizeof command, "rm -rf '%s'", lab->folder);
        if (system(command) != 0)
            abort();
    }
}

void fake_lab_keys(struct fake_lab *lab, const char *script)
{
    while (*script) {
        uint32_t key = key_parse(&script, true);
        app_key(&lab->app, key);
        app_draw(&lab->app);
    }
}

char *fake_lab_screen(struct fake_lab *lab)
{
    struct text out = {0};
    app_draw(&lab->app);
    export_text(&lab->app.canvas, &out);
    return out.data ? out.data : mem_strdup("");
}
