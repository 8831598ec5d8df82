#include "grade/record.h"

#include <stdio.h>

#include "base/clock.h"
#include "grade/run.h"

static const double record_seconds = 10;

enum status grade_record(const struct lesson *lesson, const struct grade_options *options,
                         const struct record_request *request, grade_progress *progress, void *context,
                         struct recording *recording, struct diagnostic *diagnostic)
{
    struct runner runner;
    struct unit unit = {0};
    const char *path = options->source ? options->source : lesson->exercise;
    char name[32];
    uint64_t count;
    double start = clock_seconds();
    *recording = (struct recording){0};
    if (request->part >= lesson->part_count)
        return diagnostic_set(diagnostic, STATUS_USAGE, "the lesson has no part %zu", request->part);
    enum status status = runner_open(&runner, lesson, options, diagnostic);
    runner.deadline = start + record_seconds;
    if (!status) {
        progress(context, GRADE_COMPILING, "", 0);
        status = unit_make_text(&unit, path, request->text, &runner.toolchain, NULL, NULL, diagnostic);
    }
    if (!status) {
        snprintf(name, sizeof name, "block %llu", (unsigned long long)request->block);
        progress(context, GRADE_RUNNING, name, clock_seconds() - start);
        status = run_block(&runner, &unit, request->part, request->block, &count, recording, diagnostic);
    }
    // what a faulty block did until then is worth seeing
    if (status == STATUS_FAULT || status == STATUS_TIMEOUT)
        status = recording->count ? STATUS_OK : status;
    unit_free(&unit);
    runner_close(&runner);
    return status;
}
