// Counters: what a run did, in Nsight Compute's concepts (docs/counting.md maps each to its metric).
//
// "As compiled" applies ptxas' fusion of shared accesses (docs/hardware.md 3); "as written" counts the PTX. Those
// without a word are the same both ways. The headline counters are as compiled.
#ifndef BANKSHOT_RECORD_COUNTERS_H
#define BANKSHOT_RECORD_COUNTERS_H

#include "base/fields.h"
#include "sim/sim.h"

enum counter_kind { COUNT_LOAD, COUNT_STORE, COUNT_ATOMIC, COUNT_COPY, COUNT_WGMMA, COUNTER_KINDS };

struct shared_counts {
    uint64_t instructions, wavefronts, conflicts; // wavefronts include the conflicts
};
struct global_counts {
    uint64_t requests, sectors;
};

// Named by counters.def.
struct counters {
    uint64_t warp_instructions, thread_instructions, barriers, arrivals, lane_exchanges, bulk_reductions;
    struct shared_counts shared[COUNTER_KINDS];
    struct global_counts global[COUNT_COPY]; // what a cp.async reads is a load
    struct global_counts bulk[2];            // cp.async.bulk: COUNT_LOAD from global memory, COUNT_STORE to it
    struct global_counts local[2];           // COUNT_LOAD, COUNT_STORE: spilled registers, arrays of a thread
};

// One memory instruction of the program (as written), with what it cost.
struct counter_line {
    uint32_t pc;
    const char *file; // owned by the module
    uint32_t line;
    enum ptx_space space; // SHARED or GLOBAL
    enum sim_access_kind kind;
    const char *op;         // "load", "store", "atomic", "copy", "wgmma"
    uint32_t bytes;         // per lane, as compiled
    uint32_t bytes_written; // per lane, as written
    bool fused_away;        // as compiled, another instruction does its work: costs nothing
    bool estimate;          // hardware is known to differ from the rule (float and 64-bit atomics, bulk copies)
    uint64_t instructions, wavefronts, conflicts, requests, sectors; // as compiled
    uint64_t written_wavefronts, written_conflicts;                  // as written
};

struct counter_table {
    struct counters compiled, written;
    struct counter_line *lines; // by file, line, pc
    size_t count;
};
void counter_table_free(struct counter_table *table);

struct counter_observer;
struct counter_observer *counter_observer_new(const struct sim_program *program, const char *main_file);
struct sim_observer counter_observer_get(struct counter_observer *observer);
// counts: the launch's own per-instruction counts (warp and thread instructions, barriers come from there).
void counter_observer_take(struct counter_observer *observer, const struct sim_count *counts,
                           struct counter_table *table);
void counter_observer_free(struct counter_observer *observer);

// Adds `times` times what part counts; what is no whole number is rounded.
void counters_add(struct counters *sum, const struct counters *part, double times);
// All kinds of access to shared memory together.
struct shared_counts counters_shared(const struct counters *counters);
// What was read from global memory (loads, copies, atomics), and what was written there (stores, bulk copies, atomics):
// an atomic does both. Bulk copies have sectors and no requests.
struct global_counts counters_global_read(const struct counters *counters);
struct global_counts counters_global_written(const struct counters *counters);

// The names in the order of counters.def, and the counters as JSON.
extern const struct fields counter_fields;
// The counter of this name; NULL: there is none.
uint64_t *counters_at(struct counters *counters, const char *name);
bool counters_get(const struct counters *counters, const char *name, uint64_t *value); // false: there is none

#endif
