// The built program: where it is, and what it prints.
#ifndef BANKSHOT_TESTS_CLI_PROGRAM_H
#define BANKSHOT_TESTS_CLI_PROGRAM_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/process.h"

// $BANKSHOT, else build/bankshot.
static inline const char *program_path(void)
{
    const char *named = getenv("BANKSHOT");
    return named ? named : "build/bankshot";
}

// False: it is not, which `teller` says.
static inline bool program_is_there(const char *teller)
{
    struct stat about;
    if (stat(program_path(), &about) == 0 && S_ISREG(about.st_mode) && about.st_mode & S_IXUSR)
        return true;
    fprintf(stderr, "%s: %s is no program: run 'make', or name bankshot in BANKSHOT\n", teller, program_path());
    return false;
}

// words: ends with NULL, without the program. environment: "NAME=value" … on top of a clean one with fresh XDG folders
// below /tmp, ends with NULL, or NULL. Fails the test when the program does not end by itself within program_seconds(60).
struct process_result program_run(const char *const *words, const char *const *environment);
// The same from one line, words parted by single blanks.
struct process_result program_run_line(const char *line);

// This many, or times CK_TIMEOUT_MULTIPLIER, as Check's own limits: a build that is slow (`make sanitize`) may take longer.
static inline double program_seconds(double seconds)
{
    const char *multiplier = getenv("CK_TIMEOUT_MULTIPLIER");
    double times = multiplier ? strtod(multiplier, NULL) : 1;
    return times > 1 ? times * seconds : seconds;
}

bool program_has_compiler(void); // nvcc or clang; a check without one is skipped (skip.h)

#endif
