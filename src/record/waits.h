// Whether warps wait for their asynchronous copies at once, of every copy of the blocks that are run one after another.
//
// passage.h asks the same of what reaches the outputs, and sees through copies that nobody needs; it takes several runs
// of a block whose accesses are recorded, too many for the long blocks of the size whose time is modelled.
#ifndef BANKSHOT_RECORD_WAITS_H
#define BANKSHOT_RECORD_WAITS_H

#include "sim/sim_observer.h"

// Whether a copy went ahead: at least a sixth of the work (reads of shared memory, products of its warp group) that the
// warp did between two copies to a place was done while the second one was under way; with two places for each tile
// that is a third of a step. Copies that are dealt out among the work and waited for together go ahead when a fifth
// was, on average, and a 48th while the last of them was. share: of this copy; mean: of those that are waited for with
// it.
bool waits_goes_ahead(double share, double mean);

struct copy_waits {
    // Bytes that asynchronous copies (not bulk copies) brought from global memory and that their warps waited for at
    // once, by group or at an mbarrier: they did not go ahead.
    uint64_t at_once;
    // Waits of warps that brought copies, and barriers of the block (__syncthreads) for each warp that had any.
    uint64_t arrivals, barriers;
};

struct waits;
struct waits *waits_new(void);
struct sim_observer waits_observer(struct waits *waits); // of launches of one block on one host thread
// What was seen since the last time.
struct copy_waits waits_take(struct waits *waits);
void waits_free(struct waits *waits);

#endif
