// What the application knows, for all who draw or act: the open lesson, its runs, what is passed, what to say.
#include "ui/view.h"

struct ui_lesson *app_lesson(const struct app *app)
{
    return app->lesson_count ? &app->lessons[app->current] : NULL;
}

const struct grade_report *app_report(const struct app *app)
{
    return app->lesson_count ? app->lessons[app->current].report : NULL;
}

const struct grade_report *app_pictured(const struct app *app)
{
    if (app->asked.report)
        return app->asked.report;
    const struct grade_report *report = app_report(app);
    const struct grade_report *before = report ? app->lessons[app->current].before : NULL;
    return before && report->record.counters.count == 0 ? before : report;
}

struct grade_report *app_before(const struct app *app)
{
    const struct ui_lesson *lesson = app_lesson(app);
    struct grade_report *const runs[] = {[VERSUS_LAST] = lesson->before,
                                         [VERSUS_STARTER] = lesson->starter_run,
                                         [VERSUS_BEST] = lesson->best == lesson->report ? NULL : lesson->best};
    return runs[app->versus];
}

const char *app_before_name(const struct app *app)
{
    static const char *const names[] = {"before", "starter", "best"};
    return names[app->versus];
}

const struct progress_lesson *app_progress(const struct app *app, const struct lesson *lesson)
{
    static const struct progress_lesson untouched;
    return app->progress ? progress_get(app->progress, lesson->id) : &untouched;
}

int app_unpassed(const struct app *app, size_t from)
{
    for (size_t i = from; i < app->lesson_count; i++)
        if (app_progress(app, app->lessons[i].lesson)->state < PROGRESS_PASSED)
            return (int)i;
    return -1;
}

int app_following_lesson(const struct app *app)
{
    return app->progress ? app_unpassed(app, app->current + 1) : -1;
}

void app_say(struct app *app, enum role role, const char *format, ...)
{
    TEXT_FORMAT(app->message, format);
    app->message_role = role;
}

void app_say_nothing_before(struct app *app)
{
    app_say(app, ROLE_DIM, "nothing to compare with yet: save a change first%s",
            app->options.own ? "" : ", or choose the starter with V");
}

static const enum action ways[VIEW_COUNT] = {
    [VIEW_LESSON] = ACTION_GO_LESSON, [VIEW_BANKS] = ACTION_GO_BANKS,       [VIEW_GLOBAL] = ACTION_GO_GLOBAL,
    [VIEW_STEP] = ACTION_GO_STEP,     [VIEW_REPORT] = ACTION_GO_REPORT,     [VIEW_PLAY] = ACTION_GO_PLAY,
    [VIEW_HELP] = ACTION_HELP,        [VIEW_TIMELINE] = ACTION_GO_TIMELINE, [VIEW_OCCUPANCY] = ACTION_GO_OCCUPANCY,
};

enum action app_action_to(enum view view)
{
    return ways[view];
}

struct screen_frame view_frame(const struct app *app)
{
    const struct canvas *canvas = &app->canvas;
    bool compact = app->view == VIEW_BANKS && layout_banks_compact(canvas->height);
    return layout_frame(canvas->width, canvas->height, (IN_RUN & (1u << app->view)) && !compact);
}
