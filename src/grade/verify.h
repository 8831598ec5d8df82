// One launch of a lesson's kernel, to be counted: on the simulator here, on a GPU under a profiler. The same source,
// seed and size give the same launch each time.
#ifndef BANKSHOT_GRADE_VERIFY_H
#define BANKSHOT_GRADE_VERIFY_H

#include "grade/grade.h"

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
