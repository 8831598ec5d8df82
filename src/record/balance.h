// How the warps of a block share its work: the bytes that each moves to and from global and shared memory, by loads,
// stores, atomics, matrix accesses and copies. A warp that fetches for others has its part in that, and so has one that
// only works on what others fetched; one that merely comes to the barriers has none. What a bulk copy moves, all warps
// do: one thread asks for it, and none is kept busy.
//
// Beside all of that, the sectors of global memory that each reads and writes. Where gates say how many there may be in
// all, no warp can have some of them for show, as it can have reads of shared memory that nobody needs.
//
// And what each loads and copies from global memory. Where a tile is used often, that is a small part of
// what is moved, and yet all wait for it. And the same where a warp that moves something else between the same two
// __syncthreads() counts as if it brought so much: it does not wait. So one warp may bring the next tile while others
// use this one.
#ifndef BANKSHOT_RECORD_BALANCE_H
#define BANKSHOT_RECORD_BALANCE_H

#include "record/recorder.h"
#include "sim/sim_observer.h"

enum balance_kind { BALANCE_MOVED, BALANCE_GLOBAL, BALANCE_FETCHED, BALANCE_AWAITED, BALANCE_KINDS };

// Of some blocks: what their warps moved on average, and the busiest of each.
struct warp_balance {
    double mean[BALANCE_KINDS], most[BALANCE_KINDS]; // bytes or sectors, added up over the blocks
};

struct balance;
struct balance *balance_new(void);
struct sim_observer balance_observer(struct balance *balance); // of launches of one block on one host thread
// What the blocks did that came to their end since the last time.
struct warp_balance balance_take(struct balance *balance);
void balance_free(struct balance *balance);
void balance_add(struct warp_balance *sum, const struct warp_balance *more);

// Mean over most, 1 where all warps do alike; NAN where nothing was moved.
double balance_share(const struct warp_balance *balance, enum balance_kind kind);
// Of a recorded block with so many threads; NAN: it was not recorded to its end.
double balance_recorded(const struct recording *recording, uint64_t threads, enum balance_kind kind);

#endif
