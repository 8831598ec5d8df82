// What the replay saw of one SM, kept: what each warp did and waited for, which copies were on their way, and how busy
// the pipes were. Bounded: when it is full, later cycles are missing and `complete` is false. Modelled, as the times
// are.
#ifndef BANKSHOT_MODEL_REPLAY_LOG_H
#define BANKSHOT_MODEL_REPLAY_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a warp does, or, from STATE_WAITS on, waits for. Instructions that only wait for their turn, or for arithmetic,
// count as being done.
enum replay_state {
#define STATE(name, letter, words) STATE_##name,
#include "model/replay_states.def"
#undef STATE
    REPLAY_STATES
};
static inline bool replay_state_waits(enum replay_state state)
{
    return state >= STATE_WAIT_DRAM;
}
const char *replay_state_words(enum replay_state state);
char replay_state_letter(enum replay_state state); // of the timeline's rows

// Cycles are counted from the first block's start.
struct replay_span {
    uint32_t start, end;
    uint32_t row;  // in rows
    uint32_t line; // of the source, 0: unknown
    enum replay_state state;
};

enum replay_use { USE_COPY, USE_WRITE, USE_READ, REPLAY_USES };

// A warp's accesses to neighbouring bytes of shared memory, one soon after another: from the first one's issue to the
// end of the last one, which for copies is when the data are there.
struct replay_place {
    uint32_t start, end;
    uint32_t row;
    uint32_t first, last; // bytes of the block's shared memory
    enum replay_use use;
};

struct replay_row {
    uint32_t block, warp; // block: the how-manieth of this SM; warp: of the block
};

enum replay_pipe { LOAD_ISSUE, LOAD_SHARED, LOAD_L1, LOAD_L2, LOAD_DRAM, REPLAY_LOADS };
const char *replay_load_name(enum replay_pipe pipe);

enum { REPLAY_LOG_SPANS = 60000, REPLAY_LOG_PLACES = 40000, REPLAY_LOG_BINS = 1024, REPLAY_LOG_ROWS = 1024 };

struct replay_log {
    struct replay_row *rows;
    struct replay_span *spans;   // of a row in order; of several as they come
    struct replay_place *places; // the same
    size_t row_count, span_count, place_count;
    size_t row_capacity, span_capacity, place_capacity;
    uint32_t bin_cycles;          // of a bin
    float (*loads)[REPLAY_LOADS]; // by bin: cycles that each pipe was busy
    uint32_t cycles;              // that were recorded
    bool complete;                // nothing is missing of what was replayed
    uint32_t resident;            // blocks at a time
    double us;                    // modelled time of the whole launch; 0 = not known
    double mhz;
    char gpu[32];
    // while it is filled
    struct replay_open *open; // by row
    double busy[REPLAY_LOADS];
};

void replay_log_begin(struct replay_log *log); // empty
void replay_log_free(struct replay_log *log);

// ---- for pictures

// Where the columns of a picture are.
struct replay_window {
    const struct replay_log *log;
    uint32_t first, zoom; // cycles: of the first column, of a column
    int columns;
};
uint32_t replay_window_end(const struct replay_window *window); // the cycle behind the last column
// The columns from `from` up to `to` that a stretch of cycles touches. False: it is outside.
bool replay_window_columns(const struct replay_window *window, uint32_t start, uint32_t end, int *from, int *to);
// What a warp was longest at in each column; REPLAY_STATES: nothing is known.
void replay_window_states(const struct replay_window *window, uint32_t row, unsigned char *states);
// The share of a column's cycles that a pipe was busy, 0 to 1.
double replay_window_busy(const struct replay_window *window, int column, enum replay_pipe pipe);
// The rows of a block, in the order of its warps: how many there are, and the first.
uint32_t replay_log_rows(const struct replay_log *log, uint32_t block, uint32_t *first);

// ---- for the replay alone

// The next row; UINT32_MAX: it is full.
uint32_t replay_log_row(struct replay_log *log, uint32_t block, uint32_t warp);
void replay_log_span(struct replay_log *log, uint32_t row, double start, double end, enum replay_state state,
                     uint32_t pc);
void replay_log_place(struct replay_log *log, uint32_t row, double start, double end, enum replay_use use,
                      uint32_t first, uint32_t bytes, uint32_t inst);
// A barrier, or the end of a group of copies: what comes after is a use of its own.
void replay_log_pause(struct replay_log *log, uint32_t row);
// busy: each pipe's cycles since the beginning.
void replay_log_load(struct replay_log *log, double time, const double busy[REPLAY_LOADS]);
// line_of: of an instruction; ends the filling.
void replay_log_end(struct replay_log *log, uint32_t (*line_of)(const void *context, uint32_t pc), const void *context);

#endif
