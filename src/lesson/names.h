// Names that a lesson may use (names.def, the counters, the hazards), for the loader's checks and the docs.
#ifndef BANKSHOT_LESSON_NAMES_H
#define BANKSHOT_LESSON_NAMES_H

#include <stdbool.h>
#include <stddef.h>

// Each list ends where *count says and lives for ever.
const char *const *names_plain(size_t *count);          // names.def N, counters, written_ counters, hazard_*
const char *const *names_line_fields(size_t *count);    // L
const char *const *names_access(size_t *count);         // A
const char *const *names_diagnoses(size_t *count);      // D and the hazards' names
const char *const *names_references(size_t *count);     // R
const char *const *names_fills(size_t *count);          // F

bool names_has(const char *const *names, size_t count, const char *name);

#endif
