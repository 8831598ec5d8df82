// Whether warps wait for their asynchronous copies at once, of every copy of the blocks that are run one after another.
//
// passage.h asks the same of what reaches the outputs, and sees through copies that nobody needs; it takes several runs
// of a block whose accesses are recorded, too many for the long blocks of the size whose time is modelled.
#ifndef BANKSHOT_RECORD_WAITS_H
#define BANKSHOT_RECORD_WAITS_H

#include "sim/sim_observer.h"

struct copy_waits {
    // Bytes that asynchronous copies (not bulk copies) brought from global memory and that their warps waited for at
    // once, by group or at an mbarrier: less than a sixth of the work (reads of shared memory, products of its warp
    // group) that the warp did between two copies to a place was done while the second one was under way.
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
