// Runs that outlive the program: for each lesson the last one that ran, and the one before it with another text, in
// runs/LESSON.json beside the progress file. They are kept without their accesses, which are recorded again when a
// picture wants them (blocks.c), so a file is some kilobytes. Two instances: the last writer wins; the file is always a
// whole one.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "ui/view.h"

enum { FORMAT = 1, MOST_BYTES = 8 << 20 };

// False: nothing is kept (no progress file either).
static bool kept_path(const struct app *app, const char *lesson, char *path, size_t size)
{
    const char *progress = app->progress ? progress_path(app->progress) : "";
    const char *slash = strrchr(progress, '/');
    int length = slash ? snprintf(path, size, "%.*s/runs%s%s%s", (int)(slash - progress), progress, *lesson ? "/" : "",
                                  lesson, *lesson ? ".json" : "")
                       : 0;
    return length > 0 && (size_t)length < size;
}

static bool is_other_text(const struct grade_report *a, const struct grade_report *b)
{
    return !a->source || !b->source || strcmp(a->source, b->source) != 0;
}

// NULL: none, or no report of this lesson that ran; then *good becomes false unless the value is null.
static struct grade_report *read_report(json_t *json, const struct lesson *lesson, bool *good)
{
    struct grade_report *report = NULL;
    if (json_is_null(json))
        return NULL;
    bool is_report = json && grade_report_read(json, &report, NULL) == STATUS_OK;
    if (is_report && strcmp(report->lesson_id, lesson->id) == 0 && report->record.counters.count > 0 && report->source)
        return report;
    grade_report_free(report);
    *good = false;
    return NULL;
}

void kept_load(struct app *app, struct ui_lesson *lesson)
{
    char path[PATH_MAX], aside[PATH_MAX + 64], *text;
    size_t length;
    if (lesson->kept_loaded)
        return;
    lesson->kept_loaded = true;
    if (!kept_path(app, lesson->lesson->id, path, sizeof path))
        return;
    snprintf(aside, sizeof aside, "%s.", path);
    file_remove_abandoned(aside);
    if (!file_exists(path))
        return;
    struct diagnostic diagnostic;
    if (file_read(path, MOST_BYTES, &text, &length, &diagnostic) != STATUS_OK) {
        app_say(app, ROLE_BAD, "%s", diagnostic.message);
        return;
    }
    json_t *json = json_loadb(text, length, 0, NULL);
    bool good = json_integer_value(json_object_get(json, "format")) == FORMAT;
    if (good) {
        lesson->kept = read_report(json_object_get(json, "last"), lesson->lesson, &good);
        if (!lesson->best && json_object_get(json, "best"))
            lesson->best = read_report(json_object_get(json, "best"), lesson->lesson, &good);
        if (!lesson->before)
            lesson->before = read_report(json_object_get(json, "before"), lesson->lesson, &good);
    }
    json_decref(json);
    free(text);
    if (good)
        return;
    if (file_set_aside(path, aside, sizeof aside))
        app_say(app, ROLE_BAD, "the kept runs of this lesson could not be read; set aside as %s", aside);
    else
        app_say(app, ROLE_BAD, "the kept runs of this lesson can neither be read nor set aside: %s", path);
}

void kept_store(struct app *app, const struct ui_lesson *lesson)
{
    char path[PATH_MAX];
    const struct grade_report *last = lesson->report;
    if (!last || !last->source || last->record.counters.count == 0 || !kept_path(app, "", path, sizeof path))
        return;
    struct diagnostic diagnostic = {0};
    bool has_best = lesson->best && lesson->best != last && lesson->best != lesson->before;
    json_t *json = json_pack("{s:i, s:o, s:o, s:o}", "format", FORMAT, "last", grade_report_json_brief(last), "before",
                             lesson->before ? grade_report_json_brief(lesson->before) : json_null(), "best",
                             has_best ? grade_report_json_brief(lesson->best) : json_null());
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    size_t length = text ? strlen(text) : 0;
    enum status status = file_make_folders(path, true, &diagnostic);
    if (!status && length > 0 && length <= MOST_BYTES && kept_path(app, lesson->lesson->id, path, sizeof path))
        status = file_write(path, text, length, &diagnostic);
    free(text);
    if (status)
        app_say(app, ROLE_BAD, "this run is not kept: %s", diagnostic.message);
}

bool kept_is_news(const struct grade_report *old, const struct grade_report *report)
{
    return !old || is_other_text(old, report) || old->verdict != report->verdict || old->score != report->score;
}

bool kept_is_before(const struct grade_report *old, const struct grade_report *report)
{
    return old && old->record.counters.count > 0 && is_other_text(old, report);
}
