// Small kernels that tell what counts as a request (tests/kernels/requests.ptx), on the simulator and on the H200.
#ifndef BANKSHOT_TESTS_REQUESTS_H
#define BANKSHOT_TESTS_REQUESTS_H

#include "record/counters.h"

extern const char requests_ptx_path[], requests_golden_path[];

// One line of tests/golden/h200_requests.csv.
struct requests_row {
    char kernel[64], note[16]; // the file says what a note means
    uint32_t n;
    struct counters hardware; // shared_copy_* and global_*
    int line;
};
enum { REQUESTS_ROWS_MAX = 64 };

// Rows in order of the file; the number read, or -1 if the file is not as expected.
int requests_read(const char *path, struct requests_row rows[REQUESTS_ROWS_MAX]);
// One block of 32 threads.
enum status requests_run(const struct requests_row *row, struct counters *ours, struct diagnostic *diagnostic);
// The counters that differ, as "global_load_requests 2, H200 1"; "" = none. A row's note says which are not compared.
const char *requests_compare(const struct requests_row *row, const struct counters *ours, char *text, size_t size);

#endif
