// What the learner has done: $XDG_STATE_HOME/bankshot/progress.json (else ~/.local/state/bankshot).
//
// Written atomically under a lock; what another instance wrote meanwhile is merged, never overwritten (states and bests
// only rise, runs are united, the newest answer or reading position wins). A file that is not a progress file is
// renamed to progress.json.corrupt-DATE and reported; one of a newer version's stays as it is. When nothing can be
// written, everything stays in memory, the message says so, and the next change tries again.
#ifndef BANKSHOT_LESSON_PROGRESS_H
#define BANKSHOT_LESSON_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diagnostic.h"

enum progress_state { PROGRESS_UNTOUCHED, PROGRESS_TRIED, PROGRESS_PASSED, PROGRESS_FULL };
enum { PROGRESS_MAX_RUNS = 100 };        // kept for each lesson: the newest

struct progress_run {
    int64_t time;                        // nanoseconds since 1970; 0 = now
    char verdict[32];                    // verdict_name
    char diagnosis[64];
    double score;                        // 0 … 100
    double ratio;                        // speed against the baseline; 0 = not judged
    double wavefronts;                   // shared wavefronts of the speed size, for the sparkline
    double seconds;                      // the lab's own
    bool passed, full;
    bool is_starter;                     // of the starter: the lesson stays untouched
};

struct progress_answer {
    char text[64];                       // what the learner typed last; "" = not answered
    double counted;                      // what the run counted then
    int tries;
    bool right;
    int64_t time;
};

struct progress_lesson {
    char id[64];
    enum progress_state state;
    double best_score, best_ratio;
    int hints;                           // shown so far
    int position;                        // line of the page; by `position_time` the newest wins
    int64_t position_time;
    struct progress_run *runs;           // oldest first
    size_t run_count, run_capacity;
    struct progress_answer *answers;     // by question
    size_t answer_count, answer_capacity;
};

struct progress;

// Always gives a progress. OK, or why it starts empty or cannot be kept (PARSE: set aside; IO): show the message.
enum status progress_open(struct progress **progress, struct diagnostic *diagnostic);
void progress_close(struct progress *progress);
const char *progress_path(const struct progress *progress);

// Never NULL: a lesson not seen before is untouched. Valid until the next call with this progress.
const struct progress_lesson *progress_get(struct progress *progress, const char *id);
// The lesson that was open last, "" = none.
const char *progress_current(const struct progress *progress);

// Each changes memory, then the file. The status is about the file only.
enum status progress_add_run(struct progress *progress, const char *id, const struct progress_run *run,
                             struct diagnostic *diagnostic);
enum status progress_set_hints(struct progress *progress, const char *id, int shown, struct diagnostic *diagnostic);
enum status progress_set_answer(struct progress *progress, const char *id, size_t question, const char *text,
                                double counted, bool right, struct diagnostic *diagnostic);   // one more try
enum status progress_set_position(struct progress *progress, const char *id, int line, struct diagnostic *diagnostic);
enum status progress_set_current(struct progress *progress, const char *id, struct diagnostic *diagnostic);
// Takes in what other instances wrote.
enum status progress_refresh(struct progress *progress, struct diagnostic *diagnostic);

const char *progress_state_name(enum progress_state state);    // "untouched", "tried", "passed", "full marks"

#endif
