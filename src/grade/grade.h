// Grading: one exercise of one lesson, compiled, run on every size, checked, judged.
//
// grade_run does the work in this process and is what the worker calls. Callers in a screen or a command use
// grade_start: a worker process does it and sends events; a crash, hang or lost GPU costs one run.
#ifndef BANKSHOT_GRADE_GRADE_H
#define BANKSHOT_GRADE_GRADE_H

#include <jansson.h>

#include "device/device.h"
#include "lesson/lesson.h"

enum verdict {
#define V(name, text, exit_status) VERDICT_##name,
#include "grade/verdicts.def"
#undef V
    VERDICT_COUNT
};
const char *verdict_name(enum verdict verdict);

struct grade_mismatch {                  // of one output of one size
    const char *argument;
    uint64_t index, row, column, wrong, total, unwritten, nan;
    double expected, got;
    unsigned char map[16][32];           // wrong elements over the output's area, 0 … 255 in each cell
};

struct grade_size {
    const char *name;
    char shape[64];                      // "70 x 33"
    enum status status;
    struct diagnostic diagnostic;        // when status is not OK
    bool correct;
    struct grade_mismatch mismatch;      // when not
};

struct grade_gate {
    const char *id, *message;
    bool passed, skipped;                // skipped: needs a run that did not happen; the message says which
    double points, earned;
    char asked[160], got[160];
};

struct grade_report {
    struct arena *arena;
    const char *lesson_id;
    enum verdict verdict;
    bool full;                           // full marks
    double score;                        // 0 … 100
    char diagnosis[64];                  // "race", "padded-by-a-bank-multiple", "" when passed
    char next[512];                      // the one next thing to try
    struct diagnostic_list messages;     // compiler messages, launch errors, faults
    struct grade_size *sizes;
    size_t size_count;
    struct grade_gate *gates;
    size_t gate_count;
    struct record record;                // of the speed size: counters, hazards, recording
    double compile_seconds, run_seconds, total_seconds;
    char compiler[64], device[64];
    char *source;                        // the text that was graded, with its line count
};

struct grade_options {
    const char *source;                  // file to grade; NULL = the lesson's exercise
    const char *device, *gpu_model, *compiler;          // "auto" …
    int gpu;
    uint64_t seed;                       // 0 = fresh
    bool quick;                          // counters and the smallest sizes only
};

enum grade_phase { GRADE_COMPILING, GRADE_RUNNING, GRADE_CHECKING, GRADE_TIMING, GRADE_DONE };

typedef void grade_progress(void *context, enum grade_phase phase, const char *detail, double seconds);

enum status grade_run(const struct lesson *lesson, const struct grade_options *options, grade_progress *progress,
                      void *context, struct grade_report **report, struct diagnostic *diagnostic);
void grade_report_free(struct grade_report *report);

json_t *grade_report_json(const struct grade_report *report);          // all of it, recording included
enum status grade_report_read(json_t *json, struct grade_report **report, struct diagnostic *diagnostic);

#endif
