// Shared loads and stores of a kernel by width: those of ptxas' SASS (tests/golden/sm_90_sass.csv) and ours as
// compiled.
#ifndef BANKSHOT_TESTS_SASS_H
#define BANKSHOT_TESTS_SASS_H

#include "ptx/ptx.h"

enum { SASS_WIDTHS = 4, SASS_ROWS_MAX = 128 }; // below 4 bytes, 4, 8, 16

struct sass_counts {
    uint32_t loads[SASS_WIDTHS], stores[SASS_WIDTHS];
    uint32_t waits; // loads that only wait for cp.async; not in loads
};
struct sass_row {
    char kernel[128]; // mangled
    struct sass_counts sass;
};
extern const char sass_golden_path[];

int sass_read(const char *path, struct sass_row rows[SASS_ROWS_MAX]); // number of rows; -1: not as expected
struct sass_counts sass_plan(const struct ptx_function *entry);       // ours, as compiled
// ptxas copies the bodies of loops: how many times the SASS holds what we have; 0: no whole number for all widths.
uint32_t sass_copies(const struct sass_counts *sass, const struct sass_counts *ours);

#endif
