// Runs the built program ($BANKSHOT, else build/bankshot) in tests of what it prints.
#ifndef BANKSHOT_TESTS_CLI_PROGRAM_H
#define BANKSHOT_TESTS_CLI_PROGRAM_H

#include <stdbool.h>

#include "base/process.h"

// words: ends with NULL, without the program. environment: "NAME=value" … on top of a clean one with fresh XDG folders
// below /tmp, ends with NULL, or NULL. Fails the test when the program does not end by itself within a minute.
struct process_result program_run(const char *const *words, const char *const *environment);
// The same from one line, words parted by single blanks.
struct process_result program_run_line(const char *line);

bool program_has_compiler(void); // nvcc or clang; a check without one is skipped (skip.h)

#endif
