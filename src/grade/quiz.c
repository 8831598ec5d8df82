#include "grade/quiz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "grade/run.h"

static const double answer_seconds = 10;

static size_t size_index(const struct lesson_part *part, const char *name)
{
    for (size_t i = 0; name && i < part->size_count; i++)
        if (strcmp(part->sizes[i].name, name) == 0)
            return i;
    return part->speed_size;
}

static enum status evaluate(const struct lesson *lesson, const struct lesson_question *question,
                            const struct judge_facts *facts, double *answer, struct diagnostic *diagnostic)
{
    struct judge_scope scope = {facts, facts->runs->part, facts->runs};
    enum status status = expression_value(question->answer, judge_lookup, &scope, answer, diagnostic);
    if (status)
        return status;
    if (!isnan(*answer))
        return STATUS_OK;
    return diagnostic_set(
        diagnostic, STATUS_INTERNAL,
        "the answer \"%.200s\" of %s has no value: no line carries its marker, or no such access ran.",
        question->answer, lesson->id);
}

static enum status take_unit(struct runner *runner, struct unit_cache *cache, const char *file,
                             struct diagnostic *diagnostic)
{
    if (cache->file && strcmp(cache->file, file) == 0)
        return STATUS_OK;
    unit_cache_free(cache);
    enum status status = unit_make(&cache->unit, file, &runner->toolchain, NULL, diagnostic);
    cache->file = status ? NULL : file;
    return status;
}

void unit_cache_free(struct unit_cache *cache)
{
    unit_free(&cache->unit);
    cache->file = NULL;
}

enum status run_question(struct runner *runner, struct unit_cache *cache, size_t index, double *answer,
                         struct diagnostic *diagnostic)
{
    const struct lesson *lesson = runner->lesson;
    const struct lesson_question *question = &lesson->questions[index];
    const struct lesson_part *part = lesson_part_find(lesson, question->part);
    const struct ptx_function *entry;
    struct dataset data = {0};
    struct grade_size result = {0};
    struct record record = {0};
    struct judge_run run;
    uint64_t seed = runner->seed;
    runner->seed = 1; // answers must not change from one asking to the next
    enum status status = take_unit(runner, cache, question->file, diagnostic);
    if (!status)
        status = unit_find_kernel(&cache->unit, part, question->entry ? question->entry : part->kernel, &entry, NULL,
                                  diagnostic);
    if (!status)
        status =
            run_prepare(runner, (size_t)(part - lesson->parts), size_index(part, question->size), &data, diagnostic);
    if (!status) {
        run_size(runner, &cache->unit, entry, &data, RUN_RECORDING, &result, &record, &run);
        status = result.status;
        if (status && diagnostic)
            *diagnostic = result.diagnostic;
    }
    if (!status) {
        struct judge_facts facts = {.lesson = lesson,
                                    .source = cache->unit.compiled.source,
                                    .main_file = cache->unit.display,
                                    .runs = &run,
                                    .run_count = 1};
        status = evaluate(lesson, question, &facts, answer, diagnostic);
    }
    runner->seed = seed;
    record_free(&record);
    hazard_list_free(&result.hazards);
    dataset_free(&data);
    return status;
}

enum status quiz_answer(const struct lesson *lesson, size_t index, const struct grade_options *options, double *answer,
                        struct diagnostic *diagnostic)
{
    struct runner runner;
    struct unit_cache cache = {0};
    enum status status = runner_open(&runner, lesson, options, diagnostic);
    runner.deadline = clock_seconds() + answer_seconds;
    if (!status)
        status = run_question(&runner, &cache, index, answer, diagnostic);
    unit_cache_free(&cache);
    runner_close(&runner);
    return status;
}

enum status quiz_check(const char *text, double answer, bool *right, struct diagnostic *diagnostic)
{
    const char *at = text;
    char *end;
    *right = false;
    while (*at && !(*at >= '0' && *at <= '9') && *at != '-' && *at != '.')
        at++;
    double guess = strtod(at, &end);
    if (end == at)
        return diagnostic_set(diagnostic, STATUS_USAGE, "Answer with a number.");
    *right = fabs(guess - answer) <= 0.005 * fabs(answer) + 1e-9;
    return STATUS_OK;
}
