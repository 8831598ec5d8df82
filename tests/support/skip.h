// Checks that cannot be made here (no compiler, no AVX2, no tmux) are skipped: told, counted apart, never as passed.
#ifndef BANKSHOT_TESTS_SKIP_H
#define BANKSHOT_TESTS_SKIP_H

#include <stdbool.h>

// Counts one check as skipped for this reason ("no nvcc"); the check returns right after. The runner prints how many
// were skipped and why. Works in the processes that Check forks: the counts lie in memory that they share.
void skip_check(const char *format, ...) __attribute__((format(printf, 1, 2)));

// For the runner, before it forks. False: no shared memory.
bool skip_open(void);
int skip_count(void);
void skip_print(void); // a line for each reason

#endif
