// Grading: one exercise of one lesson, compiled, run on every size, checked, judged.
//
// grade_run does the work in this process and is what the worker calls. Callers in a screen or a command use
// grade_start: a worker process does it and sends events; a crash, hang or lost GPU costs one run.
#ifndef BANKSHOT_GRADE_GRADE_H
#define BANKSHOT_GRADE_GRADE_H

#include "grade/grading.h"

uint64_t grade_fresh_seed(void); // short enough to be typed again

enum status grade_run(const struct lesson *lesson, const struct grade_options *options, grade_progress *progress,
                      void *context, struct grade_report **report, struct diagnostic *diagnostic);
// OK: what took so long had GRADE_LEAST_SHARE of a processor. ENVIRONMENT: the machine is too busy.
enum status grade_check_processor(double seconds, double processor, struct diagnostic *diagnostic);

#endif
