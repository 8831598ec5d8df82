// What the commands that work on lessons share.
#ifndef BANKSHOT_CLI_LESSONS_H
#define BANKSHOT_CLI_LESSONS_H

#include <signal.h>
#include <stdatomic.h>

#include "cli/cli.h"
#include "grade/worker.h"
#include "lesson/lesson.h"
#include "lesson/progress.h"

// The lessons and the learner's progress, open together (lessons_call).
struct lessons {
    struct lesson_set set;
    struct progress *progress;
};

// The lesson that a word names, or the current one when word is NULL: the one open last, else the first not passed.
// NULL after a message.
struct lesson *lessons_pick(struct lessons *lessons, const char *word);

// Those that an option names, each once, in the set's order; all when it names none. free(); NULL after a message.
const struct lesson **lessons_named(struct lessons *lessons, const struct cli_list *names, size_t *count);

// Opens what the scope asks for, fills call->lessons and call->chosen, calls work, and closes again.
int lessons_call(struct cli_call *call, enum cli_scope scope, int (*work)(struct cli_call *));

// ---- grading several exercises at once: a few worker processes, in any order, answers by place

enum { POOL_WORKERS = GRADE_AT_ONCE };

struct pool_job {
    const struct lesson *lesson;
    const char *source;          // file to grade; NULL = the lesson's exercise
    const char *bytes;           // what is graded of it; NULL = all, whatever it is. Of jobs apart only
    size_t length;               // of them
    int64_t id;                  // the caller's
    struct grade_report *report; // the answer; an infrastructure error says why there is no other
    struct diagnostic error;
    bool done; // before a signal stopped all
};

// Called after each answer, in the order of their arrival; may be NULL. It may take the report away.
typedef void pool_progress(void *context, struct pool_job *job, size_t done, size_t count);

struct pool_options {
    const struct grade_options *grade; // of every job, except source
    size_t workers;                    // at a time; 0 = POOL_WORKERS
    bool apart;                        // whose run a job is must not matter to another one (grade_options.apart)
};

// False: a signal stopped it, and jobs that were not done say so.
bool pool_run(struct pool_job *jobs, size_t count, const struct pool_options *options, pool_progress *progress,
              void *context);
// For those who run jobs elsewhere. pool_finish: the job is done; without a report its error becomes one.
void pool_finish(struct pool_job *job);
struct pool_signals {
    struct sigaction before[3];
};
void pool_catch(struct pool_signals *signals); // SIGINT and its like stop the grading, not the program
bool pool_is_stopped(void);
const atomic_bool *pool_stop_flag(void); // the same, for process_options.cancel
void pool_release(const struct pool_signals *signals);
void pool_free(struct pool_job *jobs, size_t count); // the reports; not the array

// Puts a report into the learner's progress.
void lessons_keep(struct lessons *lessons, const struct grade_report *report);

#endif
