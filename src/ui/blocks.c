// Which block of the grid the pictures show. A run records its first block; another one is recorded on demand by a
// worker that runs it alone, from the text and the inputs of that run.
#include <stdio.h>
#include <string.h>

#include "ui/view.h"

// Of the grid; 0: unknown.
static uint64_t blocks_count(const struct grade_report *report)
{
    return report ? launch_blocks(&report->launch) : 0;
}

uint64_t blocks_linear(const struct launch_shape *launch, const uint32_t index[3])
{
    return index[0] + (uint64_t)launch->grid[0] * (index[1] + (uint64_t)launch->grid[1] * index[2]);
}

const struct grade_size *blocks_size(const struct app *app, const struct grade_report *report, size_t size)
{
    const struct lesson *lesson = app_lesson(app)->lesson;
    size_t at = size;
    for (size_t i = 0; i < report->part && i < lesson->part_count; i++)
        at += lesson->parts[i].size_count;
    return size > 0 && at <= report->size_count ? &report->sizes[at - 1] : NULL;
}

// Of the size that is recorded.
static const struct launch_shape *recorded_launch(const struct app *app, const struct grade_report *report)
{
    const struct grade_size *size = blocks_size(app, report, app->recorded == report ? app->recorded_size : 0);
    return size ? &size->launch : &report->launch;
}

uint64_t blocks_shown(const struct app *app, const struct grade_report *report)
{
    return blocks_linear(recorded_launch(app, report), report->record.recording.block);
}

const char *blocks_name(const struct grade_report *report, char *text, size_t size)
{
    const uint32_t *block = report->record.recording.block;
    snprintf(text, size, "%u,%u,%u", block[0], block[1], block[2]);
    return text;
}

const char *blocks_note(const struct recording *recording, char *text, size_t size)
{
    *text = '\0';
    if (recording->truncated)
        snprintf(text, size, "first %zu of %llu accesses", recording->count, (unsigned long long)recording->total);
    return text;
}

void blocks_draw_absent(struct app *app, struct canvas *canvas, struct rect rect, const struct grade_report *report,
                        uint32_t warp)
{
    char block[48], note[64];
    struct rect row = rect_row(rect, 1);
    blocks_note(&report->record.recording, note, sizeof note);
    if (app->run.kind == RUN_RECORD && app->run.target == report)
        canvas_put(canvas, row, ROLE_DIM, "recording …");
    else if (report->record.recording.total == 0 && report->record.recording.count == 0)
        canvas_put(canvas, row, ROLE_DIM, "its accesses are not recorded");
    else
        canvas_put(canvas, row, ROLE_DIM, "warp %u makes no such access in block %s%s%s", warp,
                   blocks_name(report, block, sizeof block), *note ? ", or not among the " : "", note);
}

static bool is_missing(const struct app *app, const struct grade_report *report)
{
    if (!report || report->record.counters.count == 0 || blocks_count(report) == 0)
        return false;
    if (app->refused == report && app->refused_block == app->block)
        return false;
    // runs that were kept from earlier have no accesses at all
    if (report->record.recording.total == 0 && report->record.recording.count == 0)
        return true;
    bool is_last = report == app_report(app), is_other = is_last && app->recorded == report;
    size_t size = is_last ? app->step.size : 0;
    bool numbered = is_last && app->step.numbered;
    if ((is_other ? app->recorded_size : 0) != size || (is_other && app->recorded_numbered) != numbered)
        return true;
    return (size || app->block < blocks_count(report)) && app->block != blocks_shown(app, report);
}

void blocks_follow(struct app *app)
{
    struct ui_lesson *lesson = app_lesson(app);
    bool pictures = (IN_PICTURE & (1u << app->view)) != 0;
    if (!lesson || !pictures || app->run.kind != RUN_NONE || app->asked.report)
        return;
    enum compare compare = app->view == VIEW_BANKS ? app->banks.compare : COMPARE_NOW;
    struct grade_report *second = compare == COMPARE_SOLUTION ? lesson->solution
                                  : compare == COMPARE_NOW    ? NULL
                                                              : app_before(app);
    struct grade_report *shown = app_pictured(app) == lesson->report ? lesson->report : lesson->before;
    if (is_missing(app, shown))
        app_start_record(app, shown, app->block);
    else if (is_missing(app, second))
        app_start_record(app, second, app->block < blocks_count(second) ? app->block : 0);
}

void blocks_take(struct app *app, struct grade_report *report, struct recording *recording)
{
    recording_free(&report->record.recording);
    report->record.recording = *recording;
    if (report == app_report(app)) {
        app->recorded = report;
        app->recorded_size = app->run.size;
        app->recorded_numbered = app->run.numbered;
    }
    app->banks.playing = app->step.playing = false;
    if (app->step.jumping)
        app_act(app, ACTION_HAZARD);
}

void blocks_refused(struct app *app, const struct grade_report *report)
{
    if (report == app_report(app) && app->recorded != report) // what there is stays
        app->step.size = 0, app->step.numbered = false;
    app->refused = report;
    app->refused_block = app->block;
    app->step.jumping = false;
}

static void go_to_block(struct app *app, uint64_t block)
{
    app->step.size = 0; // blocks that are chosen are the counted size's
    app->block = block;
    app->refused = NULL;
    blocks_follow(app);
}

bool blocks_go(struct app *app, const uint32_t index[3])
{
    const struct grade_report *report = app_pictured(app);
    for (int i = 0; i < 3; i++)
        if (!report || index[i] >= report->launch.grid[i])
            return false;
    go_to_block(app, blocks_linear(&report->launch, index));
    return true;
}

void blocks_enter(struct app *app, const char *text)
{
    const struct grade_report *report = app_pictured(app);
    uint32_t index[3] = {0, 0, 0};
    unsigned long long number;
    int end = 0;
    if (blocks_count(report) == 0)
        return;
    bool is_plain = strchr(text, '-') == NULL;
    bool is_number = sscanf(text, " %llu %n", &number, &end) == 1 && text[end] == '\0';
    if (is_plain && is_number && number < blocks_count(report)) {
        go_to_block(app, number);
        return;
    }
    bool is_index = sscanf(text, " %u ,%u %n,%u %n", &index[0], &index[1], &end, &index[2], &end) >= 2;
    if (!is_plain || is_number || !is_index || text[end] != '\0' || !blocks_go(app, index))
        app_say(app, ROLE_BAD, "the grid is %u x %u x %u: a number from 0 to %llu, or x,y,z", report->launch.grid[0],
                report->launch.grid[1], report->launch.grid[2], (unsigned long long)(blocks_count(report) - 1));
}

bool blocks_act(struct app *app, enum action action)
{
    uint64_t count = blocks_count(app_pictured(app));
    if (action != ACTION_BLOCK && action != ACTION_BLOCK_NEXT && action != ACTION_BLOCK_PREVIOUS)
        return false;
    if (app->asked.report)
        app_say(app, ROLE_DIM, "of a question's run one block is recorded");
    else if (count <= 1)
        app_say(app, ROLE_DIM, count ? "the grid has one block only" : "no run yet");
    else if (action == ACTION_BLOCK)
        prompt_open(app, PROMPT_BLOCK);
    else
        go_to_block(app, (app->block % count + (action == ACTION_BLOCK_NEXT ? 1 : count - 1)) % count);
    return true;
}
