// `lab`: what `bankshot` alone does. On a terminal the screen, else a plain tour of the current lesson.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/lessons.h"
#include "cli/trace.h"
#include "grade/report.h"
#include "grade/worker.h"
#include "lesson/markdown.h"
#include "ui/ui.h"

enum { TOUR_WIDTH = 80, TOUR_PAGE_LINES = 16, PAGE_MAX_BYTES = 1 << 20 };

struct lab_request {
    struct ui_options ui;
    bool tour;
};

static bool read_screen_size(void *field, const char *word)
{
    struct ui_options *ui = field;
    char extra;
    return sscanf(word, "%3dx%3d%c", &ui->columns, &ui->rows, &extra) == 2 && ui->columns > 0 && ui->rows > 0;
}

static const struct cli_option lab_options[] = {
    {0, "tour", NULL, "print the plain tour on a terminal too", CLI_TO_FLAG(struct lab_request, tour)},
    {0, "theme", "NAME",
     "dark, light or safe (default: $BANKSHOT_THEME, else what was chosen with :theme, else what suits the terminal)",
     CLI_TO_STRING(struct lab_request, ui.theme)},
    {0, "ascii", NULL, "no characters beyond ASCII", CLI_TO_FLAG(struct lab_request, ui.ascii)},
    {0, "mono", NULL, "no colours", CLI_TO_FLAG(struct lab_request, ui.mono)},
    {0, "mouse", NULL, "mouse on from the start (or BANKSHOT_MOUSE=1); M turns it off and on",
     CLI_TO_FLAG(struct lab_request, ui.mouse)},
    {0, "script", "KEYS", "play these keys on a screen in memory (tests, recordings)",
     CLI_TO_STRING(struct lab_request, ui.script)},
    {0, "size", "WxH", "size of that screen (default: 80x24)",
     CLI_TO_READ(struct lab_request, ui, read_screen_size, "WxH, as in 100x30")},
    {0, "line", "N", "open the picture of this line's access",
     CLI_TO_NUMBER(struct lab_request, ui.line, 1, INT_MAX, "a line's number")},
    {0, "warp", "N", "… by this warp, from 0", CLI_TO_NUMBER(struct lab_request, ui.warp, 0, 1023, "a warp's number")},
    {0, "time", "N", "… its Nth execution, from 1",
     CLI_TO_NUMBER(struct lab_request, ui.time, 1, INT_MAX, "a number from 1")},
    {0, "seed", "N", "the same inputs in each run of a lesson",
     CLI_TO_NUMBER(struct lab_request, ui.seed, 1, INT64_MAX, "a number from 1")},
    CLI_OPTION_COMPILER(struct lab_request, ui),
    CLI_OPTIONS_DEVICE(struct lab_request, ui),
    {0},
};

// ---- the tour

static int tour_page(const struct lesson *lesson, struct text *out)
{
    char path[4096], *bytes;
    size_t length;
    struct diagnostic diagnostic = {0};
    snprintf(path, sizeof path, "%s/lesson.md", lesson->directory);
    if (file_read(path, PAGE_MAX_BYTES, &bytes, &length, &diagnostic) != STATUS_OK)
        return cli_diagnostic(&diagnostic);
    struct text page = {0};
    struct markdown *markdown = markdown_parse(bytes, length);
    markdown_print(markdown, TOUR_WIDTH - 2, true, &page);
    const char *at = text_get(&page);
    for (int line = 0; line < TOUR_PAGE_LINES && *at; line++) {
        size_t size = strcspn(at, "\n");
        text_printf(out, "%s%.*s\n", size ? "  " : "", (int)size, at);
        at += size + (at[size] == '\n');
    }
    if (*at)
        text_puts(out, "  […]\n");
    text_free(&page);
    markdown_free(markdown);
    free(bytes);
    return CLI_PASSED;
}

static void print_tour(struct text *out)
{
    cli_print_escaped(stdout, text_get(out));
    fflush(stdout);
    text_clear(out);
}

static int run_tour(struct cli_call *call)
{
    const struct ui_options *ui = &((const struct lab_request *)call->request)->ui;
    const struct lesson *lesson = call->chosen[0];
    struct grade_options grade = {
        .device = ui->device, .gpu_model = ui->gpu_model, .compiler = ui->compiler, .gpu = ui->gpu, .seed = ui->seed};
    struct grade_report *report = NULL;
    struct diagnostic diagnostic = {0};
    struct text out = {0};
    struct page page;
    text_printf(&out, "Bankshot %s: lesson %d, %s (of %zu)\n\n", BANKSHOT_VERSION, lesson->number, lesson->title,
                call->lessons->set.count);
    int status = tour_page(lesson, &out);
    text_printf(&out, "\nYour file: %s\n", lesson->exercise);
    print_tour(&out);
    if (grade_wait(lesson, &grade, 0, NULL, NULL, &report, &diagnostic) != STATUS_OK) {
        text_free(&out);
        return cli_diagnostic(&diagnostic);
    }
    page_init(&page, TOUR_WIDTH, page_locale_is_ascii());
    report_picture(&report->record, NULL, &page);
    page_start(&page, 0);
    page_print(&page, &out);
    page_free(&page);
    report_text(report, lesson, REPORT_BRIEF, &out);
    text_printf(&out, "\nNow edit the file. 'bankshot check %s' grades it, 'bankshot hint %s' helps.\n", lesson->name,
                lesson->name);
    print_tour(&out);
    text_free(&out);
    // The tour shows; it is 'check' that judges. An unsolved exercise is not a failure of it.
    if (verdict_exit(report->verdict) == CLI_USAGE)
        status = CLI_USAGE;
    grade_report_free(report);
    return status;
}

// ---- a kernel of no lesson

// A lesson that has nothing but a file and the kernel's arguments.
static struct lesson *lesson_of_kernel(const struct trace *trace)
{
    struct arena *arena = arena_new();
    struct lesson *lesson = arena_alloc(arena, sizeof *lesson);
    struct lesson_part *part = arena_alloc(arena, sizeof *part);
    const char *file = arena_strdup(arena, trace->path);
    *lesson = (struct lesson){.arena = arena, .id = GRADE_OWN, .title = file, .track = "core", .summary = ""};
    lesson->name = text_file_name(file);
    lesson->directory = lesson->exercise = lesson->starter = lesson->solution = file;
    lesson->parts = part;
    lesson->part_count = 1;
    *part = (struct lesson_part){.kernel = trace->kernel ? arena_strdup(arena, trace->kernel) : ""};
    part->args = arena_alloc(arena, (trace->arg_count + 1) * sizeof *part->args);
    for (size_t i = 0; i < trace->arg_count; i++)
        part->args[part->arg_count++] =
            (struct lesson_arg){.name = arena_strdup(arena, trace->args[i].name),
                                .role = trace->args[i].is_buffer ? LESSON_INOUT : LESSON_SCALAR};
    return lesson;
}

static void write_page(const struct trace *trace, char *const *words, struct text *page)
{
    text_printf(page, "# %s\n\nYour own kernel, run as this line says:\n\n```\nbankshot trace %s", trace->path,
                trace->path);
    for (size_t i = 1; words[i]; i++)
        text_printf(page, "%s%s%s", words[i][0] == '-' ? " \\\n  " : " ", words[i],
                    words[i + 1] || words[i][0] != '-' ? "" : "");
    text_puts(
        page,
        "\n```\n\nEach save compiles and runs it again; `e` opens the editor, `Enter` runs.\n\n"
        "- `2` which banks of shared memory a warp's access touches, and in how many turns\n"
        "- `3` which sectors of global memory it moves\n- `4` the block, access by access, and what its words "
        "hold\n- `5` counters, hazards, modelled time\n- `7` what each warp does and waits for, cycle by cycle\n\n"
        "`B` compares with the run before, `?` lists the keys of each view.\n");
}

static int run_own(struct cli_call *call)
{
    struct ui_options *ui = &((struct lab_request *)call->request)->ui;
    const struct cli_command *command = &cli_command_trace;
    char **argv = mem_alloc((call->word_count + 2) * sizeof *argv),
         **words = mem_alloc((call->word_count + 2) * sizeof *words);
    struct cli_call line = {.command = command, .request = mem_alloc(command->request_size)};
    struct trace *trace = line.request;
    struct text page = {0};
    memcpy(line.request, command->defaults, command->request_size);
    argv[0] = words[0] = (char *)"trace";
    memcpy(argv + 1, call->words, call->word_count * sizeof *argv);
    memcpy(words + 1, call->words, call->word_count * sizeof *words);
    int status = cli_read_line(&line, (int)call->word_count + 1, argv);
    if (status == CLI_GO_ON && line.word_count != 1)
        status = cli_usage(call->command, "one file, then -- and what 'bankshot trace' wants to know");
    trace->path = call->words[0];
    if (status == CLI_GO_ON && ui->seed)
        status = cli_usage(call->command, "--seed is for lessons; here --arg says it: 'a:f32[2048]=random:7'");
    if (status == CLI_GO_ON && (!trace->shape.grid[0] || !trace->shape.block[0]))
        status = cli_usage(call->command, "%s is missing: bankshot lab %s -- --grid X --block X --arg …",
                           trace->shape.grid[0] ? "--block" : "--grid", trace->path);
    if (status == CLI_GO_ON && !file_exists(trace->path))
        status = cli_error("there is no file '%s'", trace->path);
    if (status == CLI_GO_ON && trace_arguments(trace))
        status = cli_diagnostic(&trace->error);
    if (status == CLI_GO_ON) {
        write_page(trace, call->words, &page);
        ui->own = (const char *const *)words;
        ui->own_lesson = lesson_of_kernel(trace);
        ui->own_page = text_get(&page);
        status =
            ui->script || ui_usable() ? ui_main(ui) : cli_error("the lab needs a terminal; 'bankshot trace' does not");
    }
    trace_arguments_free(trace);
    text_free(&page);
    free(line.request);
    free(argv);
    free(words);
    return status;
}

static bool is_file(const char *word)
{
    return word && (text_ends(word, ".cu") || text_ends(word, ".ptx"));
}

static int run_lab(struct cli_call *call)
{
    struct lab_request *request = call->request;
    if (is_file(call->words[0]))
        return run_own(call);
    if (call->word_count > 1)
        return cli_usage(call->command, "one lesson at a time");
    request->ui.lesson = call->words[0];
    if (request->tour || (!request->ui.script && !ui_usable()))
        return lessons_call(call, CLI_ONE_LESSON, run_tour);
    return ui_main(&request->ui);
}

const struct cli_command cli_command_lab = {
    .name = "lab",
    .arguments = "[LESSON | FILE.cu -- TRACE-OPTIONS]",
    .summary = "Open the lab at this lesson; 'bankshot' alone does the same",
    .description = "Without a terminal it prints a plain tour of the current lesson instead: its\n"
                   "page, compile, run, heatmap, grade.\n\n"
                   "FILE.cu opens the same views on any kernel; behind -- come the options of\n"
                   "'bankshot trace':\n"
                   "  bankshot lab sum.cu -- --grid 8 --block 256 --arg 'o:f32[8]=zero' \\\n"
                   "      --arg 'a:f32[2048]=iota' --arg n:s32=2048\n\n"
                   "A script is a list of keys: characters stand for themselves, others are\n"
                   "written <Enter>, <Esc>, <Down>, <^D>, and '<' is <lt>. <wait> waits until\n"
                   "nothing is running, <size 100x30> resizes, <screen FILE> writes the screen as\n"
                   "text.",
    .options = lab_options,
    .request_size = sizeof(struct lab_request),
    .defaults = &(const struct lab_request){.ui = CLI_RUN_DEFAULTS},
    .most_words = SIZE_MAX,
    .run = run_lab,
};
