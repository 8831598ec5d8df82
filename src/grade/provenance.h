// What the outputs of a run owe to shared memory (record/passage.h), found by running a few of its blocks again.
#ifndef BANKSHOT_GRADE_PROVENANCE_H
#define BANKSHOT_GRADE_PROVENANCE_H

#include "grade/runner.h"

// Fills result->through for the kinds that the part's gates or diagnoses name. data: of the size that was run, whose
// inputs are made again and left alone; steps: warp instructions that the run took. Which blocks are watched, if not
// all, is drawn by the seed. What cannot be found stays NaN. tells_sums: PASSAGE_TILES takes a run more; without, it is
// PASSAGE_SHARED.
void provenance_find(struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                     const struct dataset *data, uint64_t steps, bool tells_sums, struct grade_size *result);
// Whether the part's gates or diagnoses name this fact.
bool provenance_is_asked(const struct lesson *lesson, const struct lesson_part *part, const char *fact);
// The kinds of passage that they name and that can be found at the size whose time is modelled: a bit for each.
unsigned provenance_kinds(const struct lesson *lesson, const struct lesson_part *part);
// Before a run: nothing is known.
void provenance_unknown(struct grade_size *result);

#endif
