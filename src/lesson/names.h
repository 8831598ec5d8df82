// Names that a lesson may use, for the loader's checks and docs/names.md: facts, counters and hazards
// (record/facts.def), and those of names.def.
#ifndef BANKSHOT_LESSON_NAMES_H
#define BANKSHOT_LESSON_NAMES_H

#include "base/text.h"
#include "record/facts.h"

enum names_kind { NAMES_PLAIN, NAMES_LINE, NAMES_LANE, NAMES_DIAGNOSES, NAMES_REFERENCES, NAMES_FILLS };

// A list that is put together where it is needed; what does not fit is left out. The names are the callers'.
struct names {
    const char *items[400];
    size_t count;
};
void names_add(struct names *names, const char *name);
void names_collect(struct names *names, enum names_kind kind); // adds all of a kind, which live for ever
bool names_have(const struct names *names, const char *name);
bool names_known(enum names_kind kind, const char *name);
// All of a kind with units and meanings; of diagnoses those that are no endings of a run, of plain names the facts.
struct fact_names names_table(enum names_kind kind);

#endif
