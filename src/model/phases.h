// To which phase of an mbarrier, or of a named barrier, each step of a traced block belongs. Used by stream.c alone.
//
// A phase is what some arrive at, bring bytes for, or wait for the end of. Phases are numbered from 1 over all barriers
// of the block; 0 is none. Each mbarrier's phases follow one another, and none is without an arrival: so the parities
// that observers are told are enough to tell them apart.
#ifndef BANKSHOT_MODEL_PHASES_H
#define BANKSHOT_MODEL_PHASES_H

#include "sim/sim_observer.h"

struct phases;
struct phases *phases_new(void);
void phases_free(struct phases *phases);
void phases_begin(struct phases *phases); // of another block

// What the machine tells while it executes a step.
void phases_sync(struct phases *phases, const struct sim_sync *sync);
void phases_copy(struct phases *phases, const struct sim_access *copy); // SIM_BULK_COPY
// The phase of the step that warp has executed; PHASE_WAITS: it asked for one that has not ended.
#define PHASE_WAITS UINT32_MAX
uint32_t phases_take(struct phases *phases, uint32_t warp);

// One more step that is kept arrives there, or brings bytes: the phase ends with the last of these.
void phases_need(struct phases *phases, uint32_t phase);
// How many each phase needs, by its number; the caller frees.
uint32_t *phases_needed(const struct phases *phases, uint32_t *count);

#endif
