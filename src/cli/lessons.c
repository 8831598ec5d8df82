// `lessons`, `hint`, `reset`, `solution`: the small commands around a lesson.
#include "cli/lessons.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/nearest.h"
#include "grade/report.h"
#include "lesson/markdown.h"

enum { SOURCE_MAX_BYTES = 1 << 20, PAGE_WIDTH = 80 };

// ---- shared

bool lessons_open(struct lessons *lessons)
{
    struct diagnostic diagnostic = {0};
    *lessons = (struct lessons){0};
    if (lesson_set_open(&lessons->set, &diagnostic) != STATUS_OK) {
        cli_diagnostic(&diagnostic);
        return false;
    }
    if (progress_open(&lessons->progress, &diagnostic) != STATUS_OK)
        cli_diagnostic(&diagnostic); // told; everything works without it
    return true;
}

void lessons_close(struct lessons *lessons)
{
    progress_close(lessons->progress);
    lesson_set_close(&lessons->set);
}

static void no_lesson(const struct lesson_set *set, const char *word)
{
    const char *names[256];
    size_t count = 0;
    for (size_t i = 0; i < set->count && count < 256; i++)
        names[count++] = set->items[i]->name;
    const char *near = nearest_name(word, names, count);
    if (near)
        cli_error("there is no lesson '%s'; did you mean '%s'?", word, near);
    else
        cli_error("there is no lesson '%s'; 'bankshot lessons' lists them", word);
}

struct lesson *lessons_pick(struct lessons *lessons, const char *word)
{
    const struct lesson_set *set = &lessons->set;
    if (word) {
        struct lesson *named = lesson_set_find(set, word);
        if (!named)
            no_lesson(set, word);
        return named;
    }
    const char *current = progress_current(lessons->progress);
    struct lesson *lesson = *current ? lesson_set_find(set, current) : NULL;
    for (size_t i = 0; i < set->count && !lesson; i++)
        if (progress_get(lessons->progress, set->items[i]->id)->state < PROGRESS_PASSED)
            lesson = set->items[i];
    if (!lesson && set->count)
        lesson = set->items[0];
    if (!lesson)
        cli_error("there are no lessons in %s/lessons", set->root);
    return lesson;
}

void lessons_apply(const struct cli_settings *settings, struct grade_options *options)
{
    options->device = settings->device;
    options->gpu_model = settings->gpu_model;
    options->compiler = settings->compiler;
    options->gpu = settings->gpu;
}

void lessons_keep(struct lessons *lessons, const struct grade_report *report)
{
    struct diagnostic diagnostic = {0};
    if (report_keep(report, lessons->progress, &diagnostic) != STATUS_OK)
        cli_diagnostic(&diagnostic);
}

const char *lessons_state_word(enum progress_state state)
{
    return state == PROGRESS_UNTOUCHED ? "" : progress_state_name(state);
}

// Opens, picks the lesson that the line names (or the current one), and calls work; the frame of every command below.
static int with_lesson(struct cli_line *line, int (*work)(struct lessons *, struct lesson *, bool flag), bool flag)
{
    int count;
    char **words = cli_rest(line, &count);
    if (count > 1)
        return cli_usage(line->command, "one lesson at a time");
    struct lessons lessons;
    if (!lessons_open(&lessons))
        return CLI_USAGE;
    struct lesson *lesson = lessons_pick(&lessons, count ? words[0] : NULL);
    int status = lesson ? work(&lessons, lesson, flag) : CLI_USAGE;
    lessons_close(&lessons);
    return status;
}

// ---- lessons

static const struct cli_option lessons_options[] = {CLI_OPTION_JSON, {0}};

static int list_json(struct lessons *lessons)
{
    json_t *array = json_array();
    for (size_t i = 0; i < lessons->set.count; i++) {
        const struct lesson *lesson = lessons->set.items[i];
        const struct progress_lesson *progress = progress_get(lessons->progress, lesson->id);
        json_array_append_new(array, json_pack("{s:s, s:s, s:i, s:s, s:s, s:s, s:s, s:f, s:i, s:s}", "id", lesson->id,
                                               "name", lesson->name, "number", lesson->number, "title", lesson->title,
                                               "track", lesson->track, "summary", lesson->summary, "state",
                                               progress_state_name(progress->state), "best_score", progress->best_score,
                                               "hints", progress->hints, "exercise", lesson->exercise));
    }
    json_dumpf(array, stdout, JSON_PRESERVE_ORDER | JSON_INDENT(2));
    putchar('\n');
    json_decref(array);
    return CLI_PASSED;
}

static int list_text(struct lessons *lessons)
{
    const char *track = "";
    for (size_t i = 0; i < lessons->set.count; i++) {
        const struct lesson *lesson = lessons->set.items[i];
        const struct progress_lesson *progress = progress_get(lessons->progress, lesson->id);
        if (strcmp(track, lesson->track) != 0)
            printf("%s%s track\n", *track ? "\n" : "", lesson->track);
        track = lesson->track;
        printf("  %2d  %-18s %-11s %s\n", lesson->number, lesson->name, lessons_state_word(progress->state),
               lesson->summary);
    }
    const char *exercise = lessons->set.count ? lessons->set.items[0]->exercise : "";
    if (lessons->set.workspace && lessons->set.count)
        printf("\nExercises are in %.*s.\n", (int)(strrchr(exercise, '/') - exercise), exercise);
    else
        puts("\nNo workspace here yet: 'bankshot init DIR' makes one.");
    return CLI_PASSED;
}

static int run_lessons(int argc, char **argv)
{
    struct cli_line line = cli_begin(&cli_command_lessons, argc, argv);
    for (int id; (id = cli_next(&line)) != CLI_END;)
        if (id == CLI_STOP)
            return line.exit;
    struct lessons lessons;
    if (!lessons_open(&lessons))
        return CLI_USAGE;
    int status = line.settings.json ? list_json(&lessons) : list_text(&lessons);
    lessons_close(&lessons);
    return status;
}

const struct cli_command cli_command_lessons = {
    .name = "lessons",
    .arguments = "",
    .summary = "List the lessons and how far you are",
    .options = lessons_options,
    .run = run_lessons,
};

// ---- hint

static const struct cli_option hint_options[] = {{'a', "again", NULL, "show those that were shown already, no new one"},
                                                 {0}};

static void print_hint(const struct lesson *lesson, int index)
{
    struct text text = {0}, lines = {0};
    text_printf(&text, "%s, hint %d of %zu: %s", lesson->name, index + 1, lesson->hint_count, lesson->hints[index]);
    struct markdown *page = markdown_parse(text_get(&text), text.length);
    markdown_print(page, PAGE_WIDTH, false, &lines);
    fputs(text_get(&lines), stdout);
    markdown_free(page);
    text_free(&lines);
    text_free(&text);
}

static int show_hint(struct lessons *lessons, struct lesson *lesson, bool again)
{
    struct diagnostic diagnostic = {0};
    int shown = progress_get(lessons->progress, lesson->id)->hints, total = (int)lesson->hint_count;
    if (shown > total)
        shown = total;
    if (again && shown == 0) {
        printf("No hint of %s has been shown yet; 'bankshot hint %s' shows the first of %d.\n", lesson->name,
               lesson->name, total);
        return CLI_PASSED;
    }
    if (!again && shown == total) {
        printf("%s has no more hints; you have seen all %d ('bankshot hint --again %s').\n", lesson->name, total,
               lesson->name);
        return CLI_PASSED;
    }
    int first = again ? 0 : shown, last = again ? shown : shown + 1;
    for (int i = first; i < last; i++)
        print_hint(lesson, i);
    if (!again && progress_set_hints(lessons->progress, lesson->id, last, &diagnostic) != STATUS_OK)
        cli_diagnostic(&diagnostic);
    return CLI_PASSED;
}

static int run_hint(int argc, char **argv)
{
    struct cli_line line = cli_begin(&cli_command_hint, argc, argv);
    bool again = false;
    for (int id; (id = cli_next(&line)) != CLI_END;) {
        if (id == CLI_STOP)
            return line.exit;
        again |= id == 'a';
    }
    return with_lesson(&line, show_hint, again);
}

const struct cli_command cli_command_hint = {
    .name = "hint",
    .arguments = "[LESSON]",
    .summary = "Show the next hint of a lesson",
    .options = hint_options,
    .run = run_hint,
};

// ---- reset

static int reset(struct lessons *lessons, struct lesson *lesson, bool flag)
{
    (void)lessons, (void)flag;
    struct diagnostic diagnostic = {0};
    char *backup = NULL;
    if (lesson_reset(lesson, &backup, &diagnostic) != STATUS_OK)
        return cli_diagnostic(&diagnostic);
    printf("%s is as it was at the start", lesson->exercise);
    if (backup)
        printf("; your version is kept in %s", backup);
    puts(".");
    free(backup);
    return CLI_PASSED;
}

static int run_reset(int argc, char **argv)
{
    struct cli_line line = cli_begin(&cli_command_reset, argc, argv);
    for (int id; (id = cli_next(&line)) != CLI_END;)
        if (id == CLI_STOP)
            return line.exit;
    int count;
    cli_rest(&line, &count);
    if (count == 0)
        return cli_usage(&cli_command_reset, "name the lesson to reset");
    return with_lesson(&line, reset, false);
}

const struct cli_command cli_command_reset = {
    .name = "reset",
    .arguments = "LESSON",
    .summary = "Put an exercise back to its start; your version is kept beside it",
    .run = run_reset,
};

// ---- solution

static const struct cli_option solution_options[] = {{'y', "yes", NULL, "show it even if the lesson is not passed yet"},
                                                     {0}};

static int show_solution(struct lessons *lessons, struct lesson *lesson, bool yes)
{
    struct diagnostic diagnostic = {0};
    char *text = NULL;
    size_t length = 0;
    if (!yes && progress_get(lessons->progress, lesson->id)->state < PROGRESS_PASSED) {
        cli_error("%s is not passed yet; 'bankshot hint %s' may be what you want, --yes shows the solution all the "
                  "same",
                  lesson->name, lesson->name);
        return CLI_FAILED;
    }
    if (file_read(lesson->solution, SOURCE_MAX_BYTES, &text, &length, &diagnostic) != STATUS_OK)
        return cli_diagnostic(&diagnostic);
    fwrite(text, 1, length, stdout);
    free(text);
    return CLI_PASSED;
}

static int run_solution(int argc, char **argv)
{
    struct cli_line line = cli_begin(&cli_command_solution, argc, argv);
    bool yes = false;
    for (int id; (id = cli_next(&line)) != CLI_END;) {
        if (id == CLI_STOP)
            return line.exit;
        yes |= id == 'y';
    }
    return with_lesson(&line, show_solution, yes);
}

const struct cli_command cli_command_solution = {
    .name = "solution",
    .arguments = "[LESSON]",
    .summary = "Print a lesson's solution, once you have passed it",
    .options = solution_options,
    .run = run_solution,
};
