// Grading several exercises at once: a few worker processes, in any order, answers by place.
#ifndef BANKSHOT_CLI_POOL_H
#define BANKSHOT_CLI_POOL_H

#include "grade/grade.h"

enum { POOL_WORKERS = 2 };

struct pool_job {
    const struct lesson *lesson;
    const char *source;          // file to grade; NULL = the lesson's exercise
    struct grade_report *report; // the answer; NULL when no worker could be started: see error
    struct diagnostic error;
};

// Called after each answer, in the order of their arrival; may be NULL.
typedef void pool_progress(void *context, const struct pool_job *job, size_t done, size_t count);

// options: of every job, but for source.
void pool_run(struct pool_job *jobs, size_t count, const struct grade_options *options, pool_progress *progress,
              void *context);
void pool_free(struct pool_job *jobs, size_t count); // the reports; not the array

#endif
