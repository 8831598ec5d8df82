// Progress in memory, merged with the file that other instances write too.
#include "lesson/progress.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fields.h"
#include "base/file.h"

enum { FORMAT = 1, MAX_BYTES = 16 << 20, MAX_LESSONS = 512, MAX_ANSWERS = 64 };

static const double lock_seconds = 2;

// What the file holds, and what memory holds.
struct learner_state {
    struct progress_lesson *lessons;
    size_t count, capacity;
    char current[64];
    int64_t current_time;
};

struct progress {
    struct learner_state state;
    char *path, *lock, *folder; // NULL: there is no home to keep it in
};

const char *progress_state_name(enum progress_state state)
{
    static const char *const names[] = {"untouched", "tried", "passed", "full marks"};
    return (size_t)state < sizeof names / sizeof *names ? names[state] : "unknown";
}

// ---- states

static void state_free(struct learner_state *state)
{
    for (size_t i = 0; i < state->count; i++) {
        free(state->lessons[i].runs);
        free(state->lessons[i].answers);
    }
    free(state->lessons);
    *state = (struct learner_state){0};
}

static struct progress_lesson *state_lesson(struct learner_state *state, const char *id)
{
    for (size_t i = 0; i < state->count; i++)
        if (strcmp(state->lessons[i].id, id) == 0)
            return &state->lessons[i];
    struct progress_lesson *lesson = mem_append(state->lessons, state->capacity, state->count);
    *lesson = (struct progress_lesson){0};
    snprintf(lesson->id, sizeof lesson->id, "%s", id);
    return lesson;
}

static bool is_same_run(const struct progress_run *a, const struct progress_run *b)
{
    return a->time == b->time && a->score == b->score && a->seconds == b->seconds && a->wavefronts == b->wavefronts &&
           strcmp(a->verdict, b->verdict) == 0 && strcmp(a->diagnosis, b->diagnosis) == 0;
}

// Now, but later than what was before: the clock may have gone back or stand still, and the newest counts.
static int64_t stamp_after(int64_t before)
{
    int64_t now = clock_wall();
    return now > before ? now : before < INT64_MAX ? before + 1 : before;
}

// Keeps runs in order of time, each once, the newest PROGRESS_MAX_RUNS of them.
static void keep_run(struct progress_lesson *lesson, const struct progress_run *run)
{
    size_t at = lesson->run_count;
    while (at > 0 && lesson->runs[at - 1].time > run->time)
        at--;
    for (size_t i = at; i > 0 && lesson->runs[i - 1].time == run->time; i--)
        if (is_same_run(&lesson->runs[i - 1], run))
            return;
    mem_reserve(&lesson->runs, &lesson->run_capacity, lesson->run_count);
    memmove(&lesson->runs[at + 1], &lesson->runs[at], (lesson->run_count - at) * sizeof *lesson->runs);
    lesson->runs[at] = *run;
    lesson->run_count++;
    if (lesson->run_count > PROGRESS_MAX_RUNS) {
        size_t extra = lesson->run_count - PROGRESS_MAX_RUNS;
        memmove(lesson->runs, lesson->runs + extra, PROGRESS_MAX_RUNS * sizeof *lesson->runs);
        lesson->run_count = PROGRESS_MAX_RUNS;
    }
}

static void keep_answer(struct progress_lesson *lesson, size_t question, const struct progress_answer *answer)
{
    if (question >= MAX_ANSWERS)
        return;
    while (lesson->answer_count <= question) {
        *mem_append(lesson->answers, lesson->answer_capacity, lesson->answer_count) = (struct progress_answer){0};
    }
    if (answer->time > lesson->answers[question].time)
        lesson->answers[question] = *answer;
}

static void merge_lesson(struct progress_lesson *into, const struct progress_lesson *from)
{
    into->state = from->state > into->state ? from->state : into->state;
    into->best_score = fmax(into->best_score, from->best_score);
    into->best_ratio = fmax(into->best_ratio, from->best_ratio);
    into->hints = from->hints > into->hints ? from->hints : into->hints;
    if (from->position_time > into->position_time) {
        into->position = from->position;
        into->position_time = from->position_time;
    }
    for (size_t i = 0; i < from->run_count; i++)
        keep_run(into, &from->runs[i]);
    for (size_t i = 0; i < from->answer_count; i++)
        if (from->answers[i].time)
            keep_answer(into, i, &from->answers[i]);
}

// Idempotent, and the order does not matter: that is what lets two instances write one file.
static void merge_states(struct learner_state *into, const struct learner_state *from)
{
    for (size_t i = 0; i < from->count; i++)
        merge_lesson(state_lesson(into, from->lessons[i].id), &from->lessons[i]);
    if (from->current_time > into->current_time) {
        memcpy(into->current, from->current, sizeof into->current);
        into->current_time = from->current_time;
    }
}

// ---- JSON

static const char *state_word(int value)
{
    return progress_state_name((enum progress_state)value);
}

static const struct field_words state_words = {state_word, PROGRESS_FULL + 1, PROGRESS_UNTOUCHED};

#define F(kind, member) FIELD(progress_run, kind, #member, member)
static const struct field run_rows[] = {F(U64, time),       F(TEXT, verdict), F(TEXT, diagnosis),
                                        F(AMOUNT, score),   F(AMOUNT, ratio), F(AMOUNT, wavefronts),
                                        F(AMOUNT, seconds), F(FLAG, passed),  F(FLAG, full)};
#undef F
static const struct fields run_fields = FIELDS(progress_run, run_rows);

#define F(kind, member) FIELD(progress_answer, kind, #member, member)
static const struct field answer_rows[] = {F(TEXT, text), F(AMOUNT, counted), F(COUNT, tries), F(FLAG, right),
                                           F(U64, time)};
#undef F
static const struct fields answer_fields = FIELDS(progress_answer, answer_rows);

#define F(kind, member) FIELD(progress_lesson, kind, #member, member)
#define LIST(member, number, fields) FIELD_ITEMS(progress_lesson, LIST, #member, member, number, fields)
static const struct field lesson_rows[] = {FIELD_NAMED(progress_lesson, WORD, "state", state, state_words),
                                           F(AMOUNT, best_score),
                                           F(AMOUNT, best_ratio),
                                           F(COUNT, hints),
                                           F(COUNT, position),
                                           F(U64, position_time),
                                           LIST(runs, run_count, run_fields),
                                           LIST(answers, answer_count, answer_fields)};
#undef LIST
#undef F
static const struct fields lesson_fields = FIELDS(progress_lesson, lesson_rows);

static const struct field state_rows[] = {FIELD(learner_state, TEXT, "current", current),
                                          FIELD(learner_state, U64, "current_time", current_time)};
static const struct fields state_fields = FIELDS(learner_state, state_rows);

static char *state_write(const struct learner_state *state)
{
    json_t *lessons = json_object(), *json = fields_write(&state_fields, state);
    for (size_t i = 0; i < state->count; i++)
        fields_put(lessons, state->lessons[i].id, fields_write(&lesson_fields, &state->lessons[i]));
    fields_put(json, "format", json_integer(FORMAT));
    fields_put(json, "lessons", lessons);
    char *text = json_dumps(json, JSON_INDENT(1) | JSON_SORT_KEYS);
    json_decref(json);
    return text;
}

// As it is in the file; merging it brings runs and answers into order and within their bounds. *is_newer: a later
// version of the lab wrote it, whose progress is not ours to set aside.
static bool state_read(const char *text, size_t length, struct learner_state *state, bool *is_newer)
{
    json_t *json = json_loadb(text, length, 0, NULL);
    json_t *lessons = json_object_get(json, "lessons"), *entry;
    const char *id;
    json_int_t format = json_integer_value(json_object_get(json, "format"));
    bool ok = json_is_object(lessons) && format == FORMAT && json_object_size(lessons) <= MAX_LESSONS;
    *is_newer = format > FORMAT;
    if (ok) {
        fields_read(&state_fields, json, NULL, state);
        json_object_foreach(lessons, id, entry) fields_read(&lesson_fields, entry, NULL, state_lesson(state, id));
    }
    json_decref(json);
    return ok;
}

// ---- the file

// Renames what is not a progress file; the learner may want to look at it.
static enum status set_aside(const struct progress *progress, struct diagnostic *diagnostic)
{
    char name[PATH_MAX];
    if (file_set_aside(progress->path, name, sizeof name))
        return diagnostic_at(diagnostic, STATUS_PARSE, name, 0, 0,
                             "the progress file could not be read; it was set aside under this name, and progress "
                             "starts anew.");
    return diagnostic_at(diagnostic, STATUS_IO, progress->path, 0, 0,
                         "the progress file cannot be read, nor set aside: %s.", strerror(errno));
}

// Merges the file into the state. OK when there is none.
static enum status take_file(struct progress *progress, struct diagnostic *diagnostic)
{
    char *text;
    size_t length;
    struct learner_state state = {0};
    if (!file_exists(progress->path))
        return STATUS_OK;
    enum status status = file_read(progress->path, MAX_BYTES, &text, &length, diagnostic);
    if (status)
        return status;
    bool is_newer;
    if (state_read(text, length, &state, &is_newer))
        merge_states(&progress->state, &state);
    else if (is_newer)
        status = diagnostic_at(diagnostic, STATUS_UNSUPPORTED, progress->path, 0, 0,
                               "a newer version of bankshot wrote the progress file: run that one, or move the file "
                               "away.");
    else
        status = set_aside(progress, diagnostic);
    state_free(&state);
    free(text);
    return status;
}

static enum status no_home(struct diagnostic *diagnostic)
{
    return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                          "there is no home folder, so progress is kept only until the program ends; set HOME or "
                          "XDG_STATE_HOME.");
}

static enum status lock_folder(struct progress *progress, struct file_lock *lock, struct diagnostic *diagnostic)
{
    lock->descriptor = -1;
    if (!progress->path)
        return no_home(diagnostic);
    enum status status = file_make_folders(progress->folder, true, diagnostic);
    return status ? status : file_lock(progress->lock, lock_seconds, lock, diagnostic);
}

static enum status unsaved(struct diagnostic *diagnostic, enum status status)
{
    if (diagnostic) {
        struct diagnostic why = *diagnostic;
        diagnostic_at(diagnostic, status, why.file, 0, 0, "%.500s Progress is kept in memory until it can be saved.",
                      why.message);
    }
    return status;
}

// Merges with the file and writes. A file set aside on the way is reported, and the new one is written all the same.
static enum status save_progress(struct progress *progress, struct diagnostic *diagnostic)
{
    struct file_lock lock;
    struct diagnostic own = {0};
    diagnostic = diagnostic ? diagnostic : &own;
    enum status status = lock_folder(progress, &lock, diagnostic);
    if (status)
        return unsaved(diagnostic, status);
    enum status taken = take_file(progress, diagnostic);
    if (taken && taken != STATUS_PARSE) {
        file_unlock(&lock);
        return unsaved(diagnostic, taken);
    }
    struct diagnostic writing = {0};
    char *text = state_write(&progress->state);
    status = text ? file_write(progress->path, text, strlen(text), &writing)
                  : diagnostic_set(&writing, STATUS_INTERNAL, "progress cannot be written as JSON.");
    free(text);
    file_unlock(&lock);
    if (status) {
        *diagnostic = writing;
        return unsaved(diagnostic, status);
    }
    return taken;
}

// ---- the interface

enum status progress_open(struct progress **progress, struct diagnostic *diagnostic)
{
    char start[PATH_MAX];
    struct progress *result = mem_alloc(sizeof *result);
    *progress = result;
    result->folder = file_user_folder("XDG_STATE_HOME", ".local/state", "bankshot");
    if (!result->folder)
        return no_home(diagnostic);
    size_t room = strlen(result->folder) + 32;
    result->path = mem_alloc(room);
    result->lock = mem_alloc(room);
    snprintf(result->path, room, "%s/progress.json", result->folder);
    snprintf(result->lock, room, "%s/progress.lock", result->folder);
    snprintf(start, sizeof start, "%s.", result->path);
    file_remove_abandoned(start);
    return progress_refresh(result, diagnostic);
}

void progress_close(struct progress *progress)
{
    if (!progress)
        return;
    state_free(&progress->state);
    free(progress->path);
    free(progress->lock);
    free(progress->folder);
    free(progress);
}

const char *progress_path(const struct progress *progress)
{
    return progress->path ? progress->path : "";
}

// Reading needs no lock: the file is always a whole one. Setting a corrupt one aside does.
enum status progress_refresh(struct progress *progress, struct diagnostic *diagnostic)
{
    struct file_lock lock;
    if (!progress->path || !file_exists(progress->path))
        return STATUS_OK;
    bool is_locked = lock_folder(progress, &lock, NULL) == STATUS_OK;
    enum status status = take_file(progress, diagnostic);
    if (is_locked)
        file_unlock(&lock);
    return status;
}

const struct progress_lesson *progress_get(struct progress *progress, const char *id)
{
    return state_lesson(&progress->state, id);
}

const char *progress_current(const struct progress *progress)
{
    return progress->state.current;
}

enum status progress_add_run(struct progress *progress, const char *id, const struct progress_run *run,
                             struct diagnostic *diagnostic)
{
    struct progress_lesson *lesson = state_lesson(&progress->state, id);
    struct progress_run copy = *run;
    enum progress_state state = copy.full         ? PROGRESS_FULL
                                : copy.passed     ? PROGRESS_PASSED
                                : copy.is_starter ? PROGRESS_UNTOUCHED
                                                  : PROGRESS_TRIED;
    if (!copy.time)
        copy.time = stamp_after(lesson->run_count ? lesson->runs[lesson->run_count - 1].time : 0);
    keep_run(lesson, &copy);
    lesson->state = state > lesson->state ? state : lesson->state;
    lesson->best_score = fmax(lesson->best_score, copy.score);
    lesson->best_ratio = fmax(lesson->best_ratio, copy.ratio);
    return save_progress(progress, diagnostic);
}

enum status progress_set_hints(struct progress *progress, const char *id, int shown, struct diagnostic *diagnostic)
{
    struct progress_lesson *lesson = state_lesson(&progress->state, id);
    if (shown <= lesson->hints)
        return STATUS_OK;
    lesson->hints = shown;
    return save_progress(progress, diagnostic);
}

enum status progress_set_answer(struct progress *progress, const char *id, size_t question, const char *text,
                                double counted, bool right, struct diagnostic *diagnostic)
{
    struct progress_lesson *lesson = state_lesson(&progress->state, id);
    const struct progress_answer none = {0};
    const struct progress_answer *last = question < lesson->answer_count ? &lesson->answers[question] : &none;
    struct progress_answer answer = {
        .counted = counted, .tries = last->tries + 1, .right = right, .time = stamp_after(last->time)};
    snprintf(answer.text, sizeof answer.text, "%s", text);
    keep_answer(lesson, question, &answer);
    return save_progress(progress, diagnostic);
}

enum status progress_set_position(struct progress *progress, const char *id, int line, struct diagnostic *diagnostic)
{
    struct progress_lesson *lesson = state_lesson(&progress->state, id);
    if (lesson->position == line && lesson->position_time)
        return STATUS_OK;
    lesson->position = line;
    lesson->position_time = stamp_after(lesson->position_time);
    return save_progress(progress, diagnostic);
}

enum status progress_set_current(struct progress *progress, const char *id, struct diagnostic *diagnostic)
{
    if (strcmp(progress->state.current, id) == 0)
        return STATUS_OK;
    snprintf(progress->state.current, sizeof progress->state.current, "%s", id);
    progress->state.current_time = stamp_after(progress->state.current_time);
    return save_progress(progress, diagnostic);
}
