// Child processes that cannot get away: compilers, workers, editors' helpers.
//
// Every child runs below a small supervisor process of ours, in a session without a terminal, with only stdin, stdout
// and stderr open. The supervisor enforces the wall limit and, once the child has ended or must end, kills whatever
// the child left behind (it is the subreaper, prctl(2)), so nothing survives: not a daemon, not even when the caller is
// killed by SIGKILL either, since the supervisor watches a pipe that the caller holds.
//
//     struct process_options options = {.argv = argv, .limits = {.wall_seconds = 10}};
//     struct process_result result;
//     if (process_run(&options, &result, diagnostic) == STATUS_OK && process_succeeded(&result)) … result.out …
//     process_result_free(&result);
//
// A program that starts, ends badly, is stopped or killed is STATUS_OK here: look at result.end. Errors: ENVIRONMENT
// when the program cannot be started, IO when the system refuses pipes or processes.
#ifndef BANKSHOT_BASE_PROCESS_H
#define BANKSHOT_BASE_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diagnostic.h"
#include "base/text.h"

struct process_limits {    // 0 = no limit
    double wall_seconds;   // all of it, the supervisor's clock
    unsigned cpu_seconds;  // each process, RLIMIT_CPU
    uint64_t memory_bytes; // each process's address space, RLIMIT_AS (not for a worker that opens a GPU)
    uint64_t file_bytes;   // each file written, RLIMIT_FSIZE
    unsigned open_files;   // RLIMIT_NOFILE
    size_t output_bytes;   // stdout and stderr, each; a child that prints more is killed. 0 = 16 MiB
};

struct process_options {
    const char *const *argv;        // ends with NULL; argv[0] is the program, a path
    const char *const *environment; // ends with NULL. NULL = a clean one: PATH, HOME=/nonexistent, LC_ALL=C.UTF-8
    const char *directory;          // to work in; NULL = the caller's
    const char *input;              // what the child reads on stdin; NULL = /dev/null
    size_t input_length;
    const char *scratch; // a folder that is removed once the child and all that it left are gone; NULL = none
    struct process_limits limits;
    const atomic_bool *cancel; // looked at every 50 ms while waiting; may be NULL
    // Called in the child just before the program starts, with everything but stdin, stdout and stderr marked
    // close-on-exec. Only async-signal-safe calls. Non-zero (an errno) stops the start.
    int (*before_exec)(void *context);
    void *context;
};

enum process_end {
    PROCESS_EXITED,       // exit_code
    PROCESS_SIGNALLED,    // signal
    PROCESS_TIMED_OUT,    // wall or CPU limit
    PROCESS_OUTPUT_LIMIT, // printed more than limits.output_bytes
    PROCESS_KILLED        // by process_kill, process_free or the cancel flag
};

struct process_result {
    enum process_end end;
    int exit_code, signal;
    double wall_seconds, cpu_seconds; // CPU of the child and of all that it waited for
    struct text out, err;             // out: empty if it was read by lines
};

// Starts, waits, collects. The cancel flag makes it return early with PROCESS_KILLED.
enum status process_run(const struct process_options *options, struct process_result *result,
                        struct diagnostic *diagnostic);
void process_result_free(struct process_result *result);
bool process_succeeded(const struct process_result *result); // exited with 0
// "ended with exit status 3", "was killed by signal 11 (Segmentation fault)" …, into text. Returns text.
char *process_describe(const struct process_result *result, char *text, size_t size);

// The asynchronous form. options and what it points to may go once process_start has returned, except cancel.
struct process;
enum status process_start(const struct process_options *options, struct process **process,
                          struct diagnostic *diagnostic);
// One descriptor to poll for input (POLLIN) beside a keyboard: ready whenever process_poll would do something.
int process_fd(const struct process *process);
// Takes in what has arrived, waiting up to timeout_ms for something (0 = do not wait, -1 = as long as it takes).
// True when process_read_line may have news; false when the time is up with nothing new.
bool process_poll(struct process *process, int timeout_ms);

enum process_line {
    PROCESS_LINE,      // *line holds one line of stdout, without its newline
    PROCESS_LINE_NONE, // no whole line yet: poll
    PROCESS_LINE_END   // stdout is at its end and all lines were given: process_wait
};
// *line is set, not appended to. What follows the last newline is given as a line at the end.
enum process_line process_read_line(struct process *process, struct text *line);

// Has the child ended, with all its output taken in? Then process_wait does not wait.
bool process_ended(const struct process *process);
// Kills the child and everything below it; process_wait says how it ended. Harmless when it has ended.
void process_kill(struct process *process);
// Waits for the end and fills *result; lines not read yet are in result->out. ENVIRONMENT if it could not start.
enum status process_wait(struct process *process, struct process_result *result, struct diagnostic *diagnostic);
// Kills what still runs, waits until it is gone, releases. NULL is allowed.
void process_free(struct process *process);

// Where processors are scarce, others have them before the calling thread and those that it starts from now on. For as
// long as the thread lasts, and once: the way back is not open to everybody.
void process_let_others_first(void);

// The path of the running program, for starting a worker; NULL where /proc does not say. free() it.
char *process_own_path(void);

#endif
