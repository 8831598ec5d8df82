// `lab`: what `bankshot` alone does. On a terminal the screen, else a plain tour of the current lesson.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/lessons.h"
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
    {0, "theme", "NAME", "dark, light or safe (default: $BANKSHOT_THEME, else dark)",
     CLI_TO_STRING(struct lab_request, ui.theme)},
    {0, "ascii", NULL, "no characters beyond ASCII", CLI_TO_FLAG(struct lab_request, ui.ascii)},
    {0, "mono", NULL, "no colours", CLI_TO_FLAG(struct lab_request, ui.mono)},
    {0, "mouse", NULL, "mouse on from the start (or BANKSHOT_MOUSE=1); M turns it off and on",
     CLI_TO_FLAG(struct lab_request, ui.mouse)},
    {0, "script", "KEYS", "play these keys on a screen in memory (tests, recordings)",
     CLI_TO_STRING(struct lab_request, ui.script)},
    {0, "size", "WxH", "size of that screen (default: 80x24)",
     CLI_TO_READ(struct lab_request, ui, read_screen_size, "WxH, as in 100x30")},
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
        .device = ui->device, .gpu_model = ui->gpu_model, .compiler = ui->compiler, .gpu = ui->gpu};
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

static int run_lab(struct cli_call *call)
{
    struct lab_request *request = call->request;
    request->ui.lesson = call->words[0];
    if (request->tour || (!request->ui.script && !ui_usable()))
        return lessons_call(call, CLI_ONE_LESSON, run_tour);
    return ui_main(&request->ui);
}

const struct cli_command cli_command_lab = {
    .name = "lab",
    .arguments = "[LESSON]",
    .summary = "Open the lab at this lesson; 'bankshot' alone does the same",
    .description = "Without a terminal it prints a plain tour of the current lesson instead: its\n"
                   "page, compile, run, heatmap, grade.\n\n"
                   "A script is a list of keys: characters stand for themselves, others are written\n"
                   "<Enter>, <Esc>, <Down>, <^D>, and '<' is <lt>. <wait> waits until nothing is\n"
                   "running, <size 100x30> resizes, <screen FILE> writes the screen as text.",
    .options = lab_options,
    .request_size = sizeof(struct lab_request),
    .defaults = &(const struct lab_request){.ui = CLI_RUN_DEFAULTS},
    .most_words = 1,
    .run = run_lab,
};
