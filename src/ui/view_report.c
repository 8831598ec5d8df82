// Report: what was asked, what was got, where it went wrong, and the one thing to try next.
#include <stdio.h>
#include <string.h>

#include "ui/view.h"

static const char *const shades[] = {"·", "░", "▒", "▓", "█"};
static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

static void add_verdict(struct app *app, struct page *page, const struct grade_report *report)
{
    char text[160];
    page_start(page, 0);
    page_line(page, verdict_look(report).role, " %s %s", verdict_look(report).sign,
              short_verdict(report, text, sizeof text));
    page_add(page, ROLE_EMPHASIS, "   %.0f of 100", report->score);
    page_add(page, ROLE_DIM, "   %s   %s   %.1f s", report->device, report->compiler, report->total_seconds);
    char next[600];
    const char *label = next_step(app, report, next, sizeof next);
    if (*next) {
        page_line(page, ROLE_KEY, " %s: ", label);
        page_words(page, (int)strlen(label) + 3, ROLE_TEXT, next);
    }
}

// What was found at lines of the source: "error  line 12  no such name". 0: no line.
static void add_finding(struct page *page, enum role role, const char *what, int line, int other_line,
                        const char *message)
{
    page_start(page, line);
    page_add(page, role, "  %s", what);
    if (other_line > 0)
        page_add(page, ROLE_LINENO, "  lines %d and %d", line, other_line);
    else if (line > 0)
        page_add(page, ROLE_LINENO, "  line %d", line);
    page_add(page, ROLE_TEXT, "  ");
    page_words(page, 4, ROLE_TEXT, message);
}

static void add_messages(struct page *page, const struct diagnostic_list *messages)
{
    static const char *const words[] = {"note", "warning", "error"};
    if (messages->count > 0)
        page_heading(page, "Messages");
    for (size_t i = 0; i < messages->count; i++) {
        const struct diagnostic *one = &messages->items[i];
        add_finding(page, one->severity == SEVERITY_ERROR ? ROLE_BAD : ROLE_WARN, words[one->severity], one->line, 0,
                    one->message);
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
    page_heading(page, "Gates");
    for (size_t i = 0; i < report->gate_count; i++)
        if ((int)strlen(report->gates[i].id) + 6 > column)
            column = (int)strlen(report->gates[i].id) + 6;
    column = column > 30 ? 30 : column;
    for (size_t i = 0; i < report->gate_count; i++) {
        const struct grade_gate *gate = &report->gates[i];
        page_start(page, 0);
        add_sign(page, gate);
        page_add(page, ROLE_TEXT, "%s", gate->id);
        page_at(page, column, ROLE_TEXT, "%3.0f of %3.0f  ", gate->earned, gate->points);
        page_add(page, ROLE_DIM, "asked ");
        page_words(page, column + 17, ROLE_TEXT, gate->asked);
        if (gate->got[0]) {
            if (page_column(page) + 6 + (int)strlen(gate->got) > page->width) {
                page_start(page, 0);
                page_pad(page, column + 11);
            }
            page_add(page, ROLE_DIM, "  got ");
            page_words(page, column + 17, gate->passed ? ROLE_TEXT : ROLE_EMPHASIS, gate->got);
        }
        if ((!gate->passed || !gate->full) && gate->message) {
            page_start(page, 0);
            page_pad(page, column);
            if (gate->passed)
                page_add(page, ROLE_WARN, "for full marks: ");
            page_words(page, column, ROLE_DIM, gate->message);
        }
    }
}

static void add_map(struct page *page, const struct grade_mismatch *mismatch)
{
    page_start(page, 0);
    page_line(page, ROLE_DIM,
              "    where %s is wrong, over its whole area:", mismatch->argument ? mismatch->argument : "it");
    for (int row = 0; row < 16; row++) {
        page_line(page, ROLE_DIM, "    ");
        for (int column = 0; column < 32; column++) {
            int value = mismatch->map[row][column];
            int shade = value == 0 ? 0 : 1 + (value - 1) * 4 / 255;
            page_add(page, value ? ROLE_BAD : ROLE_INACTIVE, "%s", shades[shade > 4 ? 4 : shade]);
        }
    }
}

static void add_sizes(struct page *page, const struct grade_report *report)
{
    page_heading(page, "Correctness");
    const struct grade_size *first_wrong = NULL;
    for (size_t i = 0; i < report->size_count; i++) {
        const struct grade_size *size = &report->sizes[i];
        const struct grade_mismatch *wrong = &size->mismatch;
        char text[256];
        page_line(page, size->correct ? ROLE_GOOD : ROLE_BAD, "  %s ", size->correct ? "✓" : "✗");
        page_add(page, ROLE_TEXT, "%s", size->name);
        page_at(page, 13, ROLE_DIM, "%s", size->shape);
        page_pad(page, 30);
        if (size->status != STATUS_OK) {
            page_words(page, 30, ROLE_TEXT, size->diagnostic.message);
        } else if (!size->correct) {
            snprintf(text, sizeof text, "%s[%llu][%llu] should be %.6g, is %.6g; %llu of %llu wrong",
                     wrong->argument ? wrong->argument : "", (unsigned long long)wrong->row,
                     (unsigned long long)wrong->column, wrong->expected, wrong->got, (unsigned long long)wrong->wrong,
                     (unsigned long long)wrong->total);
            page_words(page, 30, ROLE_TEXT, text);
            first_wrong = first_wrong ? first_wrong : size;
        }
    }
    if (first_wrong)
        add_map(page, &first_wrong->mismatch);
}

static void add_hazards(struct page *page, const struct hazard_list *hazards)
{
    if (hazards->count > 0)
        page_heading(page, "Hazards");
    for (size_t i = 0; i < hazards->count; i++) {
        const struct hazard *hazard = &hazards->items[i];
        char what[64];
        snprintf(what, sizeof what, "▲ %s", hazard_name(hazard->kind));
        add_finding(page, hazard->benign ? ROLE_DIM : ROLE_WARN, what, (int)hazard->line, (int)hazard->other_line,
                    hazard->message);
    }
}

static void add_counters(struct page *page, const struct counters *counters)
{
    page_heading(page, "Counters, as compiled");
    bool left = true;
    page_start(page, 0);
    for (size_t i = 0; i < counter_fields.count; i++) {
        uint64_t value;
        char label[64];
        if (!counters_get(counters, counter_fields.items[i].key, &value) || value == 0)
            continue;
        snprintf(label, sizeof label, "%s", counter_fields.items[i].key);
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

// A row of bars, one for each of the last runs; most: what the tallest stands for.
static void add_bars(struct page *page, const char *label, const struct progress_lesson *progress, bool scores,
                     double most)
{
    enum { SHOWN = 60 };
    page_line(page, ROLE_DIM, "  %-12s", label);
    for (size_t i = progress->run_count < SHOWN ? 0 : progress->run_count - SHOWN; i < progress->run_count; i++) {
        const struct progress_run *run = &progress->runs[i];
        int level = (int)((scores ? run->score : run->wavefronts) / most * 7 + 0.5);
        enum role role = !scores ? ROLE_TEXT : run->passed ? ROLE_GOOD : ROLE_WARN;
        page_add(page, role, "%s", bars[level < 0 ? 0 : level > 7 ? 7 : level]);
    }
}

static void add_history(struct page *page, const struct progress_lesson *progress)
{
    if (!progress || progress->run_count == 0)
        return;
    const struct progress_run *last = &progress->runs[progress->run_count - 1];
    page_heading(page, "Your runs");
    add_bars(page, "score", progress, true, 100);
    page_add(page, ROLE_DIM, "  best %.0f, last %.0f", progress->best_score, last->score);
    double most = 0;
    for (size_t i = progress->run_count < 60 ? 0 : progress->run_count - 60; i < progress->run_count; i++)
        most = progress->runs[i].wavefronts > most ? progress->runs[i].wavefronts : most;
    if (most <= 0)
        return;
    add_bars(page, "wavefronts", progress, false, most);
    page_add(page, ROLE_DIM, "  most %.0f, last %.0f", most, last->wavefronts);
}

static struct scroll *make_report_page(struct app *app, struct page *page)
{
    const struct grade_report *report = app_report(app);
    if (!report) {
        page_start(page, 0);
        page_line(page, ROLE_DIM, "  No run yet: press 1 for the lesson, then Enter to run it.");
        return &app->report;
    }
    const struct lesson *lesson = app_lesson(app)->lesson;
    add_verdict(app, page, report);
    add_messages(page, &report->messages);
    if (report->gate_count > 0)
        add_gates(page, report);
    if (report->size_count > 0)
        add_sizes(page, report);
    add_hazards(page, &report->record.hazards);
    speed_add(page, lesson, report);
    if (report->record.counters.count > 0)
        add_counters(page, &report->record.counters.compiled);
    add_history(page, app->progress ? progress_get(app->progress, lesson->id) : NULL);
    return &app->report;
}

// The first line of the source that is named on the screen from the top on.
static int named_line(struct app *app)
{
    struct pane pane = view_pane(app);
    int line = 0;
    for (size_t i = app->report.top > 0 ? (size_t)app->report.top : 0; i < pane.page.count && line == 0; i++)
        line = pane.page.lines[i].tag;
    page_free(&pane.page);
    return line;
}

static bool act_report(struct app *app, enum action action)
{
    if (action == ACTION_EDIT_LINE) {
        app_edit(app, named_line(app));
    } else if (action == ACTION_HAZARD) {
        app_go(app, VIEW_STEP);
        app_act(app, ACTION_HAZARD);
    } else {
        return false;
    }
    return true;
}

const struct view_ops view_report = {.page = make_report_page, .act = act_report};
