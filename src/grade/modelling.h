// Modelled times of a lesson's kernels, predicted beside everything else: the naive kernel's and the solution's from
// the first moment on, the learner's as soon as it is compiled. Two threads; what they need is copied or constant.
#ifndef BANKSHOT_GRADE_MODELLING_H
#define BANKSHOT_GRADE_MODELLING_H

#include "grade/run.h"

struct modelling;

// Starts with the kernels to compare with. Their times depend on nothing that the learner does and are kept beside the
// compiled PTX. Of the lesson's first part. Never NULL: where no thread is to be had, it takes longer.
struct modelling *modelling_start(const struct runner *runner);
// Starts with the learner's kernel, which has until the limit. unit stays the caller's and must last as long as the
// modelling.
void modelling_add(struct modelling *modelling, const struct unit *unit, const struct clock_limit *limit);
// Waits for all. Fills times and the model of *record where the learner's kernel was right and could be predicted, and
// in any case what was found (empty: nothing is wrong); adds the hazards that were seen. The status is what the
// learner's kernel ended with; CANCELLED is nobody's fault but the lab's, and what is the machine's
// (status_is_machines) may come from the kernels to compare with: a gate that is skipped for that would give its points
// away.
enum status modelling_take(struct modelling *modelling, struct kernel_times *times, struct record *record,
                           struct large_finding *finding, struct hazard_list *hazards, char shape[64],
                           struct diagnostic *diagnostic);
// Stops what is still under way. NULL is allowed.
void modelling_free(struct modelling *modelling);

#endif
