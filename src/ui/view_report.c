// Report: what was asked, what was got, where it went wrong, and the one thing to try next.
#include <stdio.h>
#include <string.h>

#include "ui/layout.h"
#include "ui/view.h"

static const char *const shades[] = {"·", "░", "▒", "▓", "█"};
static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

static void heading(struct page *page, const char *text)
{
    page_heading(page, "%s", text);
}

static void add_verdict(struct app *app, struct page *page, const struct grade_report *report)
{
    char text[160];
    bool passed = report->verdict == VERDICT_PASS;
    page_start(page, 0);
    page_start(page, 0);
    page_add(page, passed ? ROLE_GOOD : ROLE_BAD, " %s %s", passed ? "✓" : "✗",
             short_verdict(report, text, sizeof text));
    page_add(page, ROLE_EMPHASIS, "   %.0f of 100", report->score);
    page_add(page, ROLE_DIM, "   %s   %s   %.1f s", report->device, report->compiler, report->total_seconds);
    char next[600];
    const char *label = next_step(app, report, next, sizeof next);
    if (*next) {
        page_start(page, 0);
        page_add(page, ROLE_KEY, " %s: ", label);
        page_words(page, (int)strlen(label) + 3, ROLE_TEXT, 0, next);
    }
}

static void add_messages(struct page *page, const struct diagnostic_list *messages)
{
    if (messages->count == 0)
        return;
    heading(page, "Messages");
    for (size_t i = 0; i < messages->count; i++) {
        const struct diagnostic *one = &messages->items[i];
        static const char *const words[] = {"note", "warning", "error"};
        page_start(page, one->line);
        page_add(page, one->severity == SEVERITY_ERROR ? ROLE_BAD : ROLE_WARN, "  %s", words[one->severity]);
        if (one->line > 0)
            page_add(page, ROLE_LINENO, "  line %d", one->line);
        page_add(page, ROLE_TEXT, "  ");
        page_words(page, 4, ROLE_TEXT, 0, one->message);
    }
}

// ○: passed, but full marks ask for more.
static void add_sign(struct page *page, const struct grade_gate *gate)
{
    if (gate->skipped)
        page_add(page, ROLE_DIM, "  · ");
    else if (!gate->passed)
        page_add(page, ROLE_BAD, "  ✗ ");
    else if (!gate->full)
        page_add(page, ROLE_WARN, "  ○ ");
    else
        page_add(page, ROLE_GOOD, "  ✓ ");
}

static void add_gates(struct page *page, const struct grade_report *report)
{
    int column = 17;
    heading(page, "Gates");
    for (size_t i = 0; i < report->gate_count; i++)
        if ((int)strlen(report->gates[i].id) + 6 > column)
            column = (int)strlen(report->gates[i].id) + 6;
    column = column > 30 ? 30 : column;
    for (size_t i = 0; i < report->gate_count; i++) {
        const struct grade_gate *gate = &report->gates[i];
        page_start(page, 0);
        add_sign(page, gate);
        page_add(page, ROLE_TEXT, "%s", gate->id);
        page_pad(page, column);
        page_add(page, ROLE_TEXT, "%3.0f of %3.0f  ", gate->earned, gate->points);
        page_add(page, ROLE_DIM, "asked ");
        page_words(page, column + 17, ROLE_TEXT, 0, gate->asked);
        if (gate->got[0]) {
            if (page_column(page) + 6 + (int)strlen(gate->got) > page->width) {
                page_start(page, 0);
                page_pad(page, column + 11);
            }
            page_add(page, ROLE_DIM, "  got ");
            page_words(page, column + 17, gate->passed ? ROLE_TEXT : ROLE_EMPHASIS, 0, gate->got);
        }
        if ((!gate->passed || !gate->full) && gate->message) {
            page_start(page, 0);
            page_pad(page, column);
            if (gate->passed)
                page_add(page, ROLE_WARN, "for full marks: ");
            page_words(page, column, ROLE_DIM, 0, gate->message);
        }
    }
}

static void add_map(struct page *page, const struct grade_mismatch *mismatch)
{
    page_start(page, 0);
    page_start(page, 0);
    page_add(page, ROLE_DIM,
             "    where %s is wrong, over its whole area:", mismatch->argument ? mismatch->argument : "it");
    for (int row = 0; row < 16; row++) {
        page_start(page, 0);
        page_add(page, ROLE_DIM, "    ");
        for (int column = 0; column < 32; column++) {
            int value = mismatch->map[row][column];
            int shade = value == 0 ? 0 : 1 + (value - 1) * 4 / 255;
            page_add(page, value ? ROLE_BAD : ROLE_INACTIVE, "%s", shades[shade > 4 ? 4 : shade]);
        }
    }
}

static void add_sizes(struct page *page, const struct grade_report *report)
{
    heading(page, "Correctness");
    const struct grade_size *first_wrong = NULL;
    for (size_t i = 0; i < report->size_count; i++) {
        const struct grade_size *size = &report->sizes[i];
        bool ran = size->status == STATUS_OK;
        page_start(page, 0);
        page_add(page, size->correct ? ROLE_GOOD : ROLE_BAD, "  %s ", size->correct ? "✓" : "✗");
        page_add(page, ROLE_TEXT, "%s", size->name);
        page_pad(page, 13);
        page_add(page, ROLE_DIM, "%s", size->shape);
        page_pad(page, 30);
        const struct grade_mismatch *wrong = &size->mismatch;
        if (!ran) {
            page_words(page, 30, ROLE_TEXT, 0, size->diagnostic.message);
        } else if (!size->correct) {
            page_add(page, ROLE_TEXT, "%s[%llu][%llu] should be %.6g, is %.6g; %llu of %llu wrong",
                     wrong->argument ? wrong->argument : "", (unsigned long long)wrong->row,
                     (unsigned long long)wrong->column, wrong->expected, wrong->got, (unsigned long long)wrong->wrong,
                     (unsigned long long)wrong->total);
            if (!first_wrong)
                first_wrong = size;
        }
    }
    if (first_wrong)
        add_map(page, &first_wrong->mismatch);
}

static void add_hazards(struct page *page, const struct hazard_list *hazards)
{
    if (hazards->count == 0)
        return;
    heading(page, "Hazards");
    for (size_t i = 0; i < hazards->count; i++) {
        const struct hazard *hazard = &hazards->items[i];
        page_start(page, (int)hazard->line);
        page_add(page, hazard->benign ? ROLE_DIM : ROLE_WARN, "  ▲ %s", hazard_name(hazard->kind));
        if (hazard->other_line)
            page_add(page, ROLE_LINENO, "  lines %u and %u", hazard->line, hazard->other_line);
        else
            page_add(page, ROLE_LINENO, "  line %u", hazard->line);
        page_add(page, ROLE_TEXT, "  ");
        page_words(page, 4, ROLE_TEXT, 0, hazard->message);
    }
}

static void add_counters(struct page *page, const struct counters *counters)
{
    heading(page, "Counters, as compiled");
    bool left = true;
    page_start(page, 0);
    for (size_t i = 0; i < counter_count; i++) {
        uint64_t value;
        char label[64];
        if (!counters_get(counters, counter_names[i], &value) || value == 0)
            continue;
        snprintf(label, sizeof label, "%s", counter_names[i]);
        for (char *under = label; (under = strchr(under, '_')) != NULL;)
            *under = ' ';
        if (left)
            page_start(page, 0);
        page_pad(page, left ? 2 : 42);
        page_add(page, ROLE_DIM, "%-26s", label);
        page_add(page, ROLE_TEXT, "%12llu", (unsigned long long)value);
        left = !left || page->width < 82;
    }
}

static void add_history(struct app *app, struct page *page, const struct lesson *lesson)
{
    const struct progress_lesson *progress = app->progress ? progress_get(app->progress, lesson->id) : NULL;
    if (!progress || progress->run_count == 0)
        return;
    heading(page, "Your runs");
    size_t shown = progress->run_count < 60 ? progress->run_count : 60;
    page_start(page, 0);
    page_add(page, ROLE_DIM, "  score       ");
    for (size_t i = progress->run_count - shown; i < progress->run_count; i++) {
        int level = (int)(progress->runs[i].score / 100 * 7 + 0.5);
        level = level < 0 ? 0 : level > 7 ? 7 : level;
        page_add(page, progress->runs[i].passed ? ROLE_GOOD : ROLE_WARN, "%s", bars[level]);
    }
    page_add(page, ROLE_DIM, "  best %.0f, last %.0f", progress->best_score,
             progress->runs[progress->run_count - 1].score);
    double most = 0;
    for (size_t i = progress->run_count - shown; i < progress->run_count; i++)
        most = progress->runs[i].wavefronts > most ? progress->runs[i].wavefronts : most;
    if (most <= 0)
        return;
    page_start(page, 0);
    page_add(page, ROLE_DIM, "  wavefronts  ");
    for (size_t i = progress->run_count - shown; i < progress->run_count; i++)
        page_add(page, ROLE_TEXT, "%s", bars[(int)(progress->runs[i].wavefronts / most * 7 + 0.5)]);
    page_add(page, ROLE_DIM, "  most %.0f, last %.0f", most, progress->runs[progress->run_count - 1].wavefronts);
}

static void make_page(struct app *app, struct page *page)
{
    const struct ui_lesson *lesson = app_lesson(app);
    const struct grade_report *report = lesson ? lesson->report : NULL;
    if (!report) {
        page_start(page, 0);
        page_start(page, 0);
        page_add(page, ROLE_DIM, "  No run yet: 1 goes to the lesson, Enter there runs it.");
        return;
    }
    add_verdict(app, page, report);
    add_messages(page, &report->messages);
    if (report->gate_count > 0)
        add_gates(page, report);
    if (report->size_count > 0)
        add_sizes(page, report);
    add_hazards(page, &report->record.hazards);
    speed_add(page, lesson->lesson, report);
    if (report->record.counters.count > 0)
        add_counters(page, &report->record.counters.compiled);
    add_history(app, page, lesson->lesson);
}

static void draw(struct app *app, struct canvas *canvas, struct rect body)
{
    struct page page;
    page_init(&page, body.width - 1, canvas->ascii);
    make_page(app, &page);
    scroll_fit(&app->report, (int)page.count, body.height, false);
    page_draw(&page, canvas, body, &app->report, app->match);
    page_more(&page, canvas, body, &app->report);
    page_free(&page);
}

// The first line of the source that is named on the screen from the top on.
static int named_line(struct app *app)
{
    struct page page;
    page_init(&page, app->canvas.width - 1, app->canvas.ascii);
    make_page(app, &page);
    int line = 0;
    for (size_t i = app->report.top > 0 ? (size_t)app->report.top : 0; i < page.count && line == 0; i++)
        line = page.lines[i].tag;
    page_free(&page);
    return line;
}

static bool act(struct app *app, enum action action)
{
    if (action == ACTION_EDIT_LINE) {
        app_edit(app, named_line(app));
        return true;
    }
    if (action == ACTION_HAZARD) {
        app_go(app, VIEW_STEP);
        app_act(app, ACTION_HAZARD);
        return true;
    }
    struct page page;
    page_init(&page, app->canvas.width - 1, app->canvas.ascii);
    make_page(app, &page);
    bool known = scroll_move(&app->report, action, (int)page.count, app->canvas.height - 3, false);
    page_free(&page);
    return known;
}

static bool find(struct app *app, int direction)
{
    struct page page;
    page_init(&page, app->canvas.width - 1, app->canvas.ascii);
    make_page(app, &page);
    int line = page_find(&page, app->match, app->report.top + direction, direction);
    page_free(&page);
    if (line >= 0)
        app->report.top = line;
    return line >= 0;
}

const struct view_ops view_report = {draw, act, find, NULL};
