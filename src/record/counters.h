// Counters: what a run did, in Nsight Compute's concepts (docs/counting.md maps each to its metric).
//
// "As compiled" applies ptxas' fusion of shared accesses (HARDWARE.md section 3); "as written" counts the PTX. Those
// without a word are the same both ways. The headline counters are as compiled.
#ifndef BANKSHOT_RECORD_COUNTERS_H
#define BANKSHOT_RECORD_COUNTERS_H

#include <jansson.h>

#include "sim/sim.h"

// name of the field = name in JSON, gates and docs
#define COUNTERS(C)                                                                                                    \
    C(warp_instructions)                                                                                               \
    C(thread_instructions)                                                                                             \
    C(shared_load_instructions)                                                                                        \
    C(shared_load_wavefronts)                                                                                          \
    C(shared_load_conflicts)                                                                                           \
    C(shared_store_instructions) C(shared_store_wavefronts) C(shared_store_conflicts) C(shared_atomic_instructions)    \
        C(shared_atomic_wavefronts) C(shared_atomic_conflicts) C(shared_copy_instructions) C(shared_copy_wavefronts)   \
            C(shared_copy_conflicts) C(global_load_requests) C(global_load_sectors) C(global_store_requests)           \
                C(global_store_sectors) C(global_atomic_requests) C(global_atomic_sectors) C(barriers)

struct counters {
#define C(name) uint64_t name;
    COUNTERS(C)
#undef C
};

// One memory instruction of the program (as written), with what it cost.
struct counter_line {
    uint32_t pc;
    const char *file; // owned by the module
    uint32_t line;
    enum ptx_space space; // SHARED or GLOBAL
    enum sim_access_kind kind;
    const char *op;         // "load", "store", "atomic", "copy"
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

json_t *counters_json(const struct counters *counters); // new reference
// Value of a counter by its JSON name; false: no such counter.
bool counters_get(const struct counters *counters, const char *name, uint64_t *value);

#endif
