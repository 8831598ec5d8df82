// Proves a lesson: the starter fails with its diagnosis, the solution gets full marks, every mutant fails for its own
// reason, every quiz answer can be computed, page, hints and points are in order, and no kernel that misses a gate
// earns more in disguise (disguise.h).
#ifndef BANKSHOT_GRADE_LINT_H
#define BANKSHOT_GRADE_LINT_H

#include "grade/grading.h"

struct lint_result {
    char subject[128]; // "starter", "solution", "mutants/pad-by-32.cu", "page", "quiz 2"
    bool passed;
    char wanted[128], got[128]; // "conflicts", "race"
    char message[512];          // when not passed
    double seconds;
};

struct lint_list {
    struct lint_result *items;
    size_t count, capacity;
    size_t failed;
    uint64_t seed;  // that inputs and sizes were drawn by
    size_t untried; // disguises that could not be graded: nobody knows what the gates make of them
};
void lint_list_free(struct lint_list *list);

// Called for each result as soon as it is known.
typedef void lint_progress(void *context, const struct lint_result *result);

// options: compiler, device, seed (0: a fresh one); source is ignored. OK also when results failed: see list->failed.
enum status lint_run(const struct lesson *lesson, const struct grade_options *options, lint_progress *progress,
                     void *context, struct lint_list *list, struct diagnostic *diagnostic);

#endif
