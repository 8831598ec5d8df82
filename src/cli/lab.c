// `lab`: what `bankshot` alone does. On a terminal the screen, else a plain tour of the current lesson.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/lessons.h"
#include "cli/picture.h"
#include "grade/report.h"
#include "grade/worker.h"
#include "lesson/markdown.h"
#include "ui/ui.h"

enum {
    OPTION_THEME = CLI_LONG + 100,
    OPTION_SCRIPT,
    OPTION_SIZE,
    OPTION_ASCII,
    OPTION_MONO,
    OPTION_MOUSE,
    OPTION_TOUR
};
enum { TOUR_WIDTH = 80, TOUR_PAGE_LINES = 16, PAGE_MAX_BYTES = 1 << 20 };

static const struct cli_option options[] = {
    {OPTION_TOUR, "tour", NULL, "print the plain tour on a terminal too"},
    {OPTION_THEME, "theme", "NAME", "dark, light or safe (default: $BANKSHOT_THEME, else dark)"},
    {OPTION_ASCII, "ascii", NULL, "no characters beyond ASCII"},
    {OPTION_MONO, "mono", NULL, "no colours"},
    {OPTION_MOUSE, "mouse", NULL, "mouse on from the start (or BANKSHOT_MOUSE=1); M turns it off and on"},
    {OPTION_SCRIPT, "script", "KEYS", "play these keys on a screen in memory (tests, recordings)"},
    {OPTION_SIZE, "size", "WxH", "size of that screen (default: 80x24)"},
    CLI_OPTION_COMPILER,
    CLI_OPTIONS_DEVICE,
    {0},
};

static const struct cli_command *const self = &cli_command_lab;

// ---- the tour

static void tour_page(const struct lesson *lesson, struct text *out)
{
    char path[4096], *bytes;
    size_t length;
    struct diagnostic diagnostic = {0};
    snprintf(path, sizeof path, "%s/lesson.md", lesson->directory);
    if (file_read(path, PAGE_MAX_BYTES, &bytes, &length, &diagnostic) != STATUS_OK)
        return;
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
}

static void say(struct text *out)
{
    fputs(text_get(out), stdout);
    fflush(stdout);
    text_clear(out);
}

static int tour_lesson(struct lessons *lessons, const struct lesson *lesson, const struct cli_settings *settings)
{
    struct grade_options grade = {0};
    struct grade_report *report = NULL;
    struct diagnostic diagnostic = {0};
    struct text out = {0};
    lessons_apply(settings, &grade);
    text_printf(&out, "Bankshot %s: lesson %d, %s (of %zu)\n\n", BANKSHOT_VERSION, lesson->number, lesson->title,
                lessons->set.count);
    tour_page(lesson, &out);
    text_printf(&out, "\nYour file: %s\n", lesson->exercise);
    say(&out);
    if (grade_wait(lesson, &grade, 0, NULL, NULL, &report, &diagnostic) != STATUS_OK) {
        text_free(&out);
        return cli_diagnostic(&diagnostic);
    }
    text_printf(&out, "Compiled by %s in %.1f s, run in %.1f s.\n", report->compiler, report->compile_seconds,
                report->run_seconds);
    picture_worst(&report->record, &out);
    text_puts(&out, "\n");
    report_text(report, lesson->title, false, &out);
    text_printf(&out, "\nNow edit the file. 'bankshot check %s' grades it, 'bankshot hint %s' helps.\n", lesson->name,
                lesson->name);
    say(&out);
    text_free(&out);
    // The tour shows; it is 'check' that judges. An unsolved exercise is no failure of it.
    int status = verdict_exit(report->verdict) == CLI_USAGE ? CLI_USAGE : CLI_PASSED;
    grade_report_free(report);
    return status;
}

static int tour(const char *word, const struct cli_settings *settings)
{
    struct lessons lessons;
    if (!lessons_open(&lessons))
        return CLI_USAGE;
    struct lesson *lesson = lessons_pick(&lessons, word);
    int status = lesson ? tour_lesson(&lessons, lesson, settings) : CLI_USAGE;
    lessons_close(&lessons);
    return status;
}

// ---- the command

static int take_option(struct ui_options *ui, bool *wants_tour, int id, const char *value)
{
    char extra;
    switch (id) {
    case OPTION_TOUR:
        *wants_tour = true;
        break;
    case OPTION_THEME:
        ui->theme = value;
        break;
    case OPTION_SCRIPT:
        ui->script = value;
        break;
    case OPTION_ASCII:
        ui->ascii = true;
        break;
    case OPTION_MONO:
        ui->mono = true;
        break;
    case OPTION_MOUSE:
        ui->mouse = true;
        break;
    case OPTION_SIZE:
        if (sscanf(value, "%3dx%3d%c", &ui->columns, &ui->rows, &extra) != 2 || ui->columns < 1 || ui->rows < 1)
            return cli_usage(self, "--size wants WxH, as in 100x30, not '%s'", value);
        break;
    default:
        break;
    }
    return CLI_PASSED;
}

static int run(int argc, char **argv)
{
    struct ui_options ui = {.gpu = -1};
    bool wants_tour = false;
    struct cli_line line = cli_begin(self, argc, argv);
    for (int id; (id = cli_next(&line)) != CLI_END;) {
        int status = id == CLI_STOP ? line.exit : take_option(&ui, &wants_tour, id, line.value);
        if (id == CLI_STOP || status != CLI_PASSED)
            return status;
    }
    int count;
    char **words = cli_rest(&line, &count);
    if (count > 1)
        return cli_usage(self, "one lesson at a time");
    ui.lesson = count ? words[0] : NULL;
    ui.device = line.settings.device;
    ui.gpu_model = line.settings.gpu_model;
    ui.compiler = line.settings.compiler;
    ui.gpu = line.settings.gpu;
    if (wants_tour || (!ui.script && !ui_usable()))
        return tour(ui.lesson, &line.settings);
    return ui_main(&ui);
}

const struct cli_command cli_command_lab = {
    .name = "lab",
    .arguments = "[LESSON]",
    .summary = "Open the lab, at this lesson; 'bankshot' alone does the same",
    .description = "Without a terminal it prints a plain tour of the current lesson instead: its\n"
                   "page, compile, run, heatmap, grade.\n\n"
                   "A script is a list of keys: characters stand for themselves, others are written\n"
                   "<Enter>, <Esc>, <Down>, <^D>, and '<' is <lt>. <wait> waits until nothing runs\n"
                   "any more, <size 100x30> resizes. <screen FILE> writes the screen as text.",
    .options = options,
    .run = run,
};
