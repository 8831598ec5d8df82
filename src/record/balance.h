// How the warps of a block share its work: the bytes that each moves to and from global and shared memory, by loads,
// stores, atomics, matrix accesses and copies. A warp that fetches for others has its part in that, and so has one that
// only works on what others fetched; one that merely comes to the barriers has none. What a bulk copy moves, all warps
// do: one thread asks for it, and none is kept busy.
#ifndef BANKSHOT_RECORD_BALANCE_H
#define BANKSHOT_RECORD_BALANCE_H

#include "record/recorder.h"
#include "sim/sim_observer.h"

// Of some blocks: what their warps moved on average, and the busiest of each.
struct warp_balance {
    double mean, most; // bytes, added up over the blocks
};

struct balance;
struct balance *balance_new(void);
struct sim_observer balance_observer(struct balance *balance); // of launches of one block on one host thread
// What the blocks did that came to their end since the last time.
struct warp_balance balance_take(struct balance *balance);
void balance_free(struct balance *balance);

// Mean over most, 1 where all warps do alike; NAN where nothing was moved.
double balance_share(const struct warp_balance *balance);
// Of a recorded block with so many threads; NAN: it was not recorded to its end.
double balance_recorded(const struct recording *recording, uint64_t threads);

#endif
