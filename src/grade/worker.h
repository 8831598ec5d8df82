// The worker: a process for each run, so that a crash, a hang or a lost GPU costs that run and nothing else.
//
// A worker is bankshot again, as `bankshot worker`. It reads one job (a JSON object) from stdin and writes
// events to stdout, one JSON object a line:
//   {"event": "phase", "phase": 1, "detail": "odd", "seconds": 0.12, …}
//   {"event": "diagnostic", "severity": 2, "file": …, "line": …, "column": …, "message": …, …}
//   {"event": "answer", "value": 32, …}                      the last one of a quiz job
//   {"event": "report", "report": {…}, …}                    the last one of a grade job: grade_report_json_packed
//                                                            less what the recording has the most of, which follows
//   {"event": "recording", "recording": {…}, …}              the last one of a record job
//   {"event": "timeline", "timeline": {…}, …}                the last one of a timeline job
//   {"event": "failed", "status": …, "message": …, …}        the lab itself could not
// It limits itself (memory, CPU, no core files, wall time) and dies with its parent. Whatever else comes out of it, or
// nothing, is turned into a verdict by the reader.
#ifndef BANKSHOT_GRADE_WORKER_H
#define BANKSHOT_GRADE_WORKER_H

#include "grade/inquiry.h"

// `bankshot worker`: returns the exit status.
int grade_worker_main(void);

enum grade_event_kind {
    GRADE_EVENT_PHASE,
    GRADE_EVENT_DIAGNOSTIC, // a compiler message, as soon as it is known
    GRADE_EVENT_ANSWER,     // quiz: done
    GRADE_EVENT_REPORT,     // grade: done; the report says whatever went wrong
    GRADE_EVENT_RECORDING,  // record: done
    GRADE_EVENT_TIMELINE,   // timeline: done
    GRADE_EVENT_FAILED      // quiz, record, timeline: done, without an answer
};

struct grade_event {
    enum grade_event_kind kind;
    enum grade_phase phase;
    double seconds;               // since the run started
    double value;                 // ANSWER
    struct judge_place place;     // ANSWER: what it is about
    char detail[128];             // PHASE: the size, the file …
    struct diagnostic diagnostic; // DIAGNOSTIC, FAILED
    struct grade_report *report;  // REPORT, or of the run that an ANSWER was counted in (may be NULL): the caller's now
    struct recording recording;   // RECORDING: the caller's now
    struct replay_log timeline;   // TIMELINE: the caller's now
};

#define GRADE_FOLDER "bankshot-run-" // and six characters: the temporary folder of one run

struct grade_handle;

// Starts a worker. ENVIRONMENT or IO when no process could be started; then *handle is NULL. The strings of options
// and the lesson need not outlive the call. wall_limit: seconds until a worker that is not done is killed; 0 = 120.
enum status grade_start(const struct lesson *lesson, const struct grade_options *options, double wall_limit,
                        struct grade_handle **handle, struct diagnostic *diagnostic);
// The same for the answer of one quiz question.
enum status grade_start_quiz(const struct lesson *lesson, size_t question, const struct grade_options *options,
                             double wall_limit, struct grade_handle **handle, struct diagnostic *diagnostic);
// The same for one block of a graded run (grade/inquiry.h).
enum status grade_start_record(const struct lesson *lesson, const struct record_request *request,
                               const struct grade_options *options, double wall_limit, struct grade_handle **handle,
                               struct diagnostic *diagnostic);
// The same for what a graded run's replay saw (grade/inquiry.h).
enum status grade_start_timeline(const struct lesson *lesson, const struct record_request *request,
                                 const struct grade_options *options, double wall_limit, struct grade_handle **handle,
                                 struct diagnostic *diagnostic);

// A kernel that is of no lesson, run by the command line `bankshot WORDS… --lab WHAT` (`trace`), which sends one event
// with what is wished: REPORT, RECORDING (of that block) or TIMELINE. words ends with NULL.
enum status grade_start_own(const char *const *words, enum grade_event_kind wish, uint64_t block,
                            struct grade_handle **handle, struct diagnostic *diagnostic);
void grade_send_event(const struct grade_event *event); // the other side: to standard output

// Becomes readable when there may be an event: for poll(). Call grade_poll at least every second too: that is where
// the wall limit is kept.
int grade_descriptor(const struct grade_handle *handle);
// Takes the next event; false = none now. Never blocks. After REPORT, ANSWER, RECORDING, TIMELINE or FAILED there are
// no more.
bool grade_poll(struct grade_handle *handle, struct grade_event *event);
bool grade_is_done(const struct grade_handle *handle);
// Kills the worker and all it started, waits for it, frees the handle. Also the way to clean up after the last event: a
// worker that has given that is left to end by itself, and is killed if it still runs when the next one starts, or at
// exit, 0.2 s later.
void grade_cancel(struct grade_handle *handle);

// Starts, waits, answers: for commands. progress may be NULL. *report is NULL only when the status is not OK.
enum status grade_wait(const struct lesson *lesson, const struct grade_options *options, double wall_limit,
                       grade_progress *progress, void *context, struct grade_report **report,
                       struct diagnostic *diagnostic);

enum { GRADE_AT_ONCE = 2 }; // workers that a command runs at a time
// What a worker may write to while the simulator runs: a share of this machine, so that GRADE_AT_ONCE of them fit;
// never less than honest kernels need. 0: no bound (sanitizers).
uint64_t grade_memory_bound(void);

// The program that is started as a worker: bankshot's main names itself, tests and tools what they were given. While it
// is NULL, as at first, starting a worker fails, and so it does in a worker: no program forks itself without end.
void grade_worker_set_program(const char *path);

#endif
