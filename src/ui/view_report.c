// Report: the page of grade/report.h, and how the runs before went.
#include <string.h>

#include "grade/report.h"
#include "ui/view.h"

enum { SHOWN = 60 }; // runs in the history

static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

// A row of bars, one for each of the last runs; most: what the tallest stands for.
static void add_bars(struct page *page, const char *label, const struct progress_lesson *progress, bool scores,
                     double most)
{
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
    if (progress->run_count == 0)
        return;
    const struct progress_run *last = &progress->runs[progress->run_count - 1];
    page_heading(page, "Your runs");
    add_bars(page, "score", progress, true, 100);
    page_add(page, ROLE_DIM, "  best %.0f, last %.0f", progress->best_score, last->score);
    double most = 0;
    for (size_t i = progress->run_count < SHOWN ? 0 : progress->run_count - SHOWN; i < progress->run_count; i++) {
        const struct progress_run *run = &progress->runs[i];
        // an endless run would flatten all others
        if (run->wavefronts > most && strcmp(run->verdict, verdict_name(VERDICT_TIMEOUT)) != 0)
            most = run->wavefronts;
    }
    if (most <= 0)
        return;
    add_bars(page, "wavefronts", progress, false, most);
    page_add(page, ROLE_DIM, "  most %.0f, last %.0f", most, last->wavefronts);
}

static void add_learnt(const struct app *app, struct page *page)
{
    const struct lesson *lesson = app_lesson(app)->lesson;
    int following = app_following_lesson(app);
    if (lesson->learnt_count > 0)
        page_heading(page, "What you learnt");
    for (size_t i = 0; i < lesson->learnt_count; i++) {
        page_line(page, ROLE_KEY, "  %zu  ", i + 1);
        page_words(page, 5, ROLE_TEXT, lesson->learnt[i]);
    }
    if (following >= 0)
        page_paragraph(page, 2, ROLE_KEY, "> ");
    if (following >= 0)
        page_add(page, ROLE_TEXT, "opens lesson %d, %s", app->lessons[following].lesson->number,
                 app->lessons[following].lesson->title);
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
    char next[600];
    report_head(report, next_step(app, report, next, sizeof next), page);
    bool passed = report->verdict == VERDICT_PASS;
    if (passed) {
        add_learnt(app, page);
        add_history(page, app_progress(app, lesson));
    }
    report_page(report, lesson, app->exact ? REPORT_EXACT : REPORT_ALL, page);
    const struct grade_report *before = app_before(app);
    if (before && before != report && report->record.counters.count > 0 && before->record.counters.count > 0)
        report_changes(&report->record.counters.compiled, &before->record.counters.compiled, app_before_name(app),
                       page);
    if (!passed)
        add_history(page, app_progress(app, lesson));
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
    } else if (action == ACTION_EXACT) {
        app->exact = !app->exact;
        app_say(app, ROLE_DIM, app->exact ? "gates also as expressions" : "gates in words");
    } else if (action == ACTION_HAZARD) {
        app_go(app, VIEW_STEP);
        app_act(app, ACTION_HAZARD);
    } else {
        return false;
    }
    return true;
}

const struct view_ops view_report = {.page = make_report_page, .act = act_report};
