// Whether warps wait for their asynchronous copies at once, of every copy of the blocks that are run one after another.
//
// passage.h asks the same of what reaches the outputs, and sees through copies that nobody needs; it takes several runs
// of a block whose accesses are recorded, too many for the long blocks of the size whose time is modelled.
#ifndef BANKSHOT_RECORD_WAITS_H
#define BANKSHOT_RECORD_WAITS_H

#include "sim/sim_observer.h"

// Bytes that asynchronous copies brought from global memory and that their warps waited for at once, by
// cp.async.wait_group or wait_all: less than a sixth of the work (reads of shared memory) that the warp did between two
// copies to a place was done while the second one was under way. Copies that an mbarrier counts are never among them.
struct waits;
struct waits *waits_new(void);
struct sim_observer waits_observer(struct waits *waits); // of launches of one block on one host thread
// Bytes that were waited for at once since the last time.
uint64_t waits_take(struct waits *waits);
void waits_free(struct waits *waits);

#endif
