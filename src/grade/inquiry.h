// One more run of a lesson's kernel, to ask it something: the answer of a quiz question, the accesses of one block, a
// launch to be counted. The same text over the same inputs gives the same each time.
#ifndef BANKSHOT_GRADE_INQUIRY_H
#define BANKSHOT_GRADE_INQUIRY_H

#include "grade/run.h"
#include "model/replay_log.h"

// ---- quiz answers: written down nowhere, counted in a run of the kernel that the question names

// Compiles and runs the question's kernel on its size and evaluates its answer. In this process; see grade_start_quiz.
// The result's report is the caller's.
enum status quiz_answer(const struct lesson *lesson, size_t question, const struct grade_options *options,
                        struct quiz_result *result, struct diagnostic *diagnostic);

// Whether the learner's words are the answer: a number with blanks or a unit around it, within half a percent.
// USAGE when there is no number in it.
enum status quiz_check(const char *text, double answer, bool *right, struct diagnostic *diagnostic);

// ---- one block of a graded run

// options: the source's path, the compiler, and the report's seed. USAGE: there is no such part or block. A block whose
// run fails is recorded up to there, and *recording is freed by the caller in any case.
enum status grade_record(const struct lesson *lesson, const struct grade_options *options,
                         const struct record_request *request, grade_progress *progress, void *context,
                         struct recording *recording, struct diagnostic *diagnostic);

// What the replay of a modelled time saw: of the kernel that was graded, at the part's speed size as large as it is on
// a GPU. *log is freed by the caller in any case. Modelled, as the report's time is. request->block means nothing here.
enum status grade_timeline(const struct lesson *lesson, const struct grade_options *options,
                           const struct record_request *request, grade_progress *progress, void *context,
                           struct replay_log *log, struct diagnostic *diagnostic);

// ---- a launch, on the simulator here or on a GPU under a profiler

struct verify_launch {
    char kernel[256]; // the entry's mangled name
    struct launch_shape shape;
    struct counters counters; // of the simulator; zero on a GPU
    char device[64];
};

// Compiles options->source (NULL: the lesson's exercise) and launches the part's kernel once at its speed size with
// the simulator's variables, on options->device ("sim" or "gpu"). COMPILE, LAUNCH, FAULT … are the source's own
// failures, ENVIRONMENT that of the machine.
enum status verify_launch(const struct lesson *lesson, size_t part, const struct grade_options *options,
                          struct verify_launch *launch, struct diagnostic *diagnostic);

#endif
