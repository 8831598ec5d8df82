// What the runs of one job stand on, whatever each is wanted for: run.h, oracle.h and provenance.h make them.
#ifndef BANKSHOT_GRADE_RUNNER_H
#define BANKSHOT_GRADE_RUNNER_H

#include "grade/unit.h"

// What stays the same over the runs of one job.
struct runner {
    const struct lesson *lesson;
    struct device simulator;
    struct toolchain toolchain;
    uint64_t seed;
    struct clock_limit limit; // of all runs together
    const atomic_bool *cancel;
    struct text *output;     // what kernels print, escaped and bounded; may be NULL
    struct kept_unit *units; // the lesson's own files, each compiled when first needed
    struct replay_log *log;  // what the replay of run_model saw; the caller frees it. NULL: nobody looks
};

// Finds compiler and simulator. ENVIRONMENT, USAGE.
enum status runner_open(struct runner *runner, const struct lesson *lesson, const struct grade_options *options,
                        struct diagnostic *diagnostic);
void runner_close(struct runner *runner);
void runner_drop_units(struct runner *runner); // of a copy of a runner, which has its own
// What the lesson's kernels are compiled for when a GPU of this sm is to run them; 0: it is simulated.
void runner_aim(const struct lesson *lesson, int sm, char arch[16]);

// A file of the lesson, compiled; the runner's until runner_close. file: the lesson's string.
enum status runner_unit(struct runner *runner, const char *file, const struct unit **unit,
                        struct diagnostic *diagnostic);

// A job of the runner that wants nothing yet: neither counters nor hazards nor a recording.
struct device_job runner_job(const struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                             struct dataset *data, const struct launch_shape *shape);

#endif
