// What the commands on a folder of hand-ins share.
#ifndef BANKSHOT_CLI_CLASS_H
#define BANKSHOT_CLI_CLASS_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/lessons.h"

// Calls visit for each file that was handed in for one of the lessons: students by name, each one's lessons in order.
// Links are named on stderr and not followed. False: the folder cannot be read to its end.
typedef void class_visitor(void *context, const char *student, const struct lesson *lesson, const char *path);
bool class_visit(const char *folder, const struct lesson **lessons, size_t lesson_count, class_visitor *visit,
                 void *context);

// A field of a CSV file. Nothing in it is what a spreadsheet takes for a formula: those get an apostrophe in front, and
// so does what begins with one, so that one apostrophe taken away gives the text back.
void class_print_field(const char *text);

// As pool_run, by an array job of Slurm's: gradings go through a folder that all nodes see, a file for each answer, and
// only this process opens the gradebook. Jobs need ids that no other run has, and bytes. resume: takes answers that an
// interrupted run left there, and follows its job if it still runs. Each job that is done is told; STATUS_OK when all
// are, CANCELLED when a signal stopped it; ENVIRONMENT, IO: nothing was submitted. The folder is removed at the end,
// but for one that resume found and that nothing was submitted for while Slurm does not say whether its job still runs.
struct slurm_options {
    const char *folder;    // made when missing
    const char *partition; // NULL = the default
    int gpus;              // of each task; 0 = none
    size_t at_once;        // tasks; 0 = as Slurm likes
    bool resume;
};
enum status slurm_run(struct pool_job *jobs, size_t count, const struct pool_options *pool,
                      const struct slurm_options *slurm, pool_progress *progress, void *context,
                      struct diagnostic *diagnostic);

#endif
