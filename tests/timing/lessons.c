// The lessons' starters, naive kernels and solutions: never used for fitting.
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "grade/run.h"
#include "timing.h"

const char timing_lessons_path[] = "tests/golden/h200_lessons.csv";

size_t timing_lessons_read(const char *path, struct timing_lesson lessons[TIMING_LESSONS_MAX])
{
    FILE *file = fopen(path, "r");
    char line[256];
    size_t count = 0;
    while (file && fgets(line, sizeof line, file) && count < TIMING_LESSONS_MAX) {
        struct timing_lesson *lesson = &lessons[count];
        *lesson = (struct timing_lesson){0};
        count += sscanf(line, "%63[^,#],%31[^,],%lf", lesson->lesson, lesson->source, &lesson->measured) == 3;
    }
    if (file)
        fclose(file);
    return count;
}

static void add_measured(struct timing_lesson lessons[TIMING_LESSONS_MAX], size_t *count, const char *lesson,
                         const char *source, const json_t *us)
{
    if (*count == TIMING_LESSONS_MAX || json_number_value(us) <= 0)
        return;
    for (size_t i = 0; i < *count; i++)
        if (!strcmp(lessons[i].lesson, lesson) && !strcmp(lessons[i].source, source))
            return;
    struct timing_lesson *new = &lessons[(*count)++];
    *new = (struct timing_lesson){.measured = json_number_value(us)};
    snprintf(new->lesson, sizeof new->lesson, "%s", lesson);
    snprintf(new->source, sizeof new->source, "%s", source);
}

// Each graded source was raced against the naive kernel and the solution; theirs are taken from the first race.
size_t timing_lessons_report(const char *path, struct timing_lesson lessons[TIMING_LESSONS_MAX])
{
    json_t *report = json_load_file(path, 0, NULL), *row;
    const json_t *sections = json_object_get(report, "sections");
    const json_t *rows = json_object_get(json_object_get(sections, "a verdicts"), "data");
    size_t count = 0, index;
    json_array_foreach(rows, index, row)
    {
        const char *lesson = json_string_value(json_object_get(row, "lesson"));
        const char *source = json_string_value(json_object_get(row, "source"));
        const json_t *measured = json_object_get(json_object_get(row, "report"), "measured");
        if (!lesson || !source || (strcmp(source, "starter") != 0 && strcmp(source, "solution") != 0))
            continue;
        add_measured(lessons, &count, lesson, source, json_object_get(measured, "kernel"));
        add_measured(lessons, &count, lesson, "naive", json_object_get(measured, "naive"));
    }
    json_decref(report);
    return count;
}

static const char *source_path(const struct lesson *lesson, const char *source)
{
    return !strcmp(source, "starter") ? lesson->starter : !strcmp(source, "naive") ? lesson->naive : lesson->solution;
}

static enum status predict(const struct lesson *lesson, struct timing_lesson *row, struct diagnostic *diagnostic)
{
    const struct grade_options options = {.compiler = "nvcc", .gpu_model = "H200"};
    struct runner runner;
    struct unit unit = {0};
    struct record record = {0};
    const char *path = source_path(lesson, row->source);
    enum status status = runner_open(&runner, lesson, &options, diagnostic);
    if (!status && path) {
        status = unit_make(&unit, path, &runner.toolchain, NULL, diagnostic);
        if (!status)
            status = run_model(&runner, &unit, 0, &record, NULL, NULL, diagnostic);
        row->predicted = status ? 0 : record.modelled_us;
    }
    unit_free(&unit);
    runner_close(&runner);
    return status;
}

bool timing_lessons_predict(struct timing_lesson *lessons, size_t count)
{
    struct lesson_set set;
    struct diagnostic diagnostic;
    enum status status = lesson_set_open(&set, &diagnostic);
    if (status) {
        fprintf(stderr, "timing: %s\n", diagnostic.message);
        return false;
    }
    for (size_t i = 0; i < count && status != STATUS_ENVIRONMENT; i++) {
        const struct lesson *lesson = lesson_set_find(&set, lessons[i].lesson);
        status = lesson ? predict(lesson, &lessons[i], &diagnostic) : STATUS_OK;
        if (status)
            fprintf(stderr, "timing: %s, %s: %s\n", lessons[i].lesson, lessons[i].source, diagnostic.message);
    }
    lesson_set_close(&set);
    return status != STATUS_ENVIRONMENT;
}

void timing_lessons_print(FILE *file, const struct timing_lesson *lessons, size_t count, bool markdown)
{
    const char *row_format =
        markdown ? "| %s | %s | %.0f | %.0f | %+.1f %% |\n" : "%-22s %-9s %10.0f %10.0f %+6.1f %%\n";
    const char *no_row_format = markdown ? "| %s | %s | %.0f | – | – |\n" : "%-22s %-9s %10.0f          -\n";
    double errors[TIMING_LESSONS_MAX];
    size_t predicted = 0;
    for (size_t i = 0; i < count; i++) {
        const struct timing_lesson *row = &lessons[i];
        if (row->predicted <= 0) {
            fprintf(file, no_row_format, row->lesson, row->source, row->measured);
            continue;
        }
        errors[predicted] = timing_error(row->predicted, row->measured);
        fprintf(file, row_format, row->lesson, row->source, row->measured, row->predicted, errors[predicted]);
        predicted++;
    }
    struct timing_errors all = timing_errors_from(errors, predicted);
    fprintf(file, "%s%zu kernels: median error %.1f %%, nine in ten under %.1f %%, worst %.1f %%%s\n",
            markdown ? "\n" : "", all.count, all.median, all.ninth, all.worst, markdown ? "." : "");
}

// ---- the ladder that a learner climbs

static const struct {
    const char *what, *from[2], *to[2]; // lesson, source
} climbs[] = {
    {"naive -> tiled", {"03-tiled-transpose", "naive"}, {"03-tiled-transpose", "solution"}},
    {"tiled -> padded", {"03-tiled-transpose", "solution"}, {"04-padding", "solution"}},
    {"padded -> swizzled", {"04-padding", "solution"}, {"05-swizzling", "solution"}},
    {"naive -> tiled", {"06-tiled-gemm", "naive"}, {"06-tiled-gemm", "solution"}},
    {"tiled -> register-tiled", {"06-tiled-gemm", "solution"}, {"07-register-tiling", "solution"}},
    {"register-tiled -> cp.async", {"07-register-tiling", "solution"}, {"09-double-buffering", "starter"}},
    {"cp.async -> staged", {"09-double-buffering", "starter"}, {"09-double-buffering", "solution"}},
};

static const struct timing_lesson *find(const struct timing_lesson *lessons, size_t count, const char *const names[2])
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(lessons[i].lesson, names[0]) && !strcmp(lessons[i].source, names[1]) && lessons[i].predicted > 0)
            return &lessons[i];
    return NULL;
}

void timing_lessons_print_climbs(FILE *file, const struct timing_lesson *lessons, size_t count, bool markdown)
{
    const char *format = markdown ? "| %s: %s of %s over %s of %s | %.2f | %.2f | %+.1f %% |\n"
                                  : "%-28s %s %s / %s %s: measured %.2f, predicted %.2f, %+.1f %%\n";
    for (size_t i = 0; i < sizeof climbs / sizeof *climbs; i++) {
        const struct timing_lesson *from = find(lessons, count, climbs[i].from),
                                   *to = find(lessons, count, climbs[i].to);
        if (!from || !to)
            continue;
        double measured = from->measured / to->measured, predicted = from->predicted / to->predicted;
        fprintf(file, format, climbs[i].what, from->source, from->lesson, to->source, to->lesson, measured, predicted,
                timing_error(predicted, measured));
    }
}
