// What the commands that work on lessons share.
#ifndef BANKSHOT_CLI_LESSONS_H
#define BANKSHOT_CLI_LESSONS_H

#include "cli/cli.h"
#include "cli/pool.h"
#include "lesson/lesson.h"
#include "lesson/progress.h"

// The lessons and the learner's progress, open together. lessons_open prints what went wrong; false: nothing is open.
struct lessons {
    struct lesson_set set;
    struct progress *progress;
};
bool lessons_open(struct lessons *lessons);
void lessons_close(struct lessons *lessons);

// The lesson that a word names, or the current one when word is NULL: the one open last, else the first not passed.
// NULL after a message.
struct lesson *lessons_pick(struct lessons *lessons, const char *word);

// Puts a report into the learner's progress.
void lessons_keep(struct lessons *lessons, const struct grade_report *report);

// Puts what the common options say into those of a run.
void lessons_apply(const struct cli_settings *settings, struct grade_options *options);

// progress_state_name, but "" for a lesson not touched yet.
const char *lessons_state_word(enum progress_state state);

#endif
