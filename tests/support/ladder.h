// The ladder's kernels (tests/kernels/ladder.cu --once) on the simulator, beside the H200's counters.
#ifndef BANKSHOT_TESTS_LADDER_H
#define BANKSHOT_TESTS_LADDER_H

#include "hazard/hazard.h"
#include "ladder_launch.h"
#include "record/counters.h"

// One line of tests/golden/h200_kernels.csv.
struct ladder_row {
    char kernel[64];
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared;
    uint32_t registers;       // of a thread
    struct counters hardware; // those that the file has
    bool has_atomics;         // it has those of global memory's atomics
    uint32_t occurrence;      // how many rows of this kernel stand before it
    int line;
};
enum { LADDER_ROWS_MAX = 128 };

// Rows in order of the file; the number read, or -1 if the file is not as expected.
int ladder_read(const char *path, struct ladder_row rows[LADDER_ROWS_MAX]);
// Fewer than 300 blocks: the noise of docs/hardware.md 7 was not seen in these kernels there.
bool ladder_is_small(const struct ladder_row *row);

// Runs the row's kernel of the ladder's PTX with the probe's launch shape, sizes and input. `part`: run only one
// block in so many and count each as that many; right for kernels whose blocks all do the same.
enum status ladder_run(const struct ptx_module *module, const struct ladder_row *row, uint32_t part,
                       struct counter_table *table, struct diagnostic *diagnostic);

// The same with the hazard checker watching; all blocks.
enum status ladder_check(const struct ptx_module *module, const struct ladder_row *row, struct hazard_list *hazards,
                         struct diagnostic *diagnostic);

enum status ladder_load(enum ladder_set set, struct ptx_module **module, struct diagnostic *diagnostic);
extern const char *const ladder_golden_paths[LADDER_SETS]; // NULL: no counters

#endif
