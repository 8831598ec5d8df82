// What passed through shared memory, found by running blocks twice.
//
// The first run keeps what each read of shared memory got. The second has other inputs, and its reads get what those of
// the first run got, the operands of wgmma among them. An output that comes out the same depends on the inputs only
// through what was read from shared memory; one that changes has another way to them: a shuffle, a global load, a word
// multiplied by zero. Given back by writer, the same says whether everything came by asynchronous copies. Nothing in
// the second run looks unusual to the kernel.
//
// Both runs must execute the same blocks under the same schedule. A block whose second run reads otherwise (its control
// flow follows the data) gets its own data from there on.
#ifndef BANKSHOT_RECORD_PASSAGE_H
#define BANKSHOT_RECORD_PASSAGE_H

#include "record/recorder.h"

// Which words are given back: all; those that a copy (cp.async, cp.async.bulk) from global memory wrote last; of those
// the ones whose copy was under way while work was done, or was issued before there was any to do; those that another
// thread wrote than the one that reads, copied or stored: what passes through a tile and back to its owner was
// exchanged in another way; all but sums of many inputs: the finished sums that pass through shared memory at a
// kernel's end say nothing of where their operands came from. A copy from shared to shared memory hands on by whom its
// source was written; one that combines words (cp.reduce), of both the less.
enum passage_kind { PASSAGE_SHARED, PASSAGE_COPIES, PASSAGE_AHEAD, PASSAGE_OTHERS, PASSAGE_TILES, PASSAGE_KINDS };

struct passage;
// Of `count` blocks from the one with this linear index on.
struct passage *passage_new(uint64_t first, uint64_t count);
void passage_free(struct passage *passage);
struct sim_observer passage_keeper(struct passage *passage);
// For PASSAGE_AHEAD the passage is of one block, and recording that block's, from the run that was kept; otherwise
// NULL. Work is a read of shared memory, or a warp's part of a product of its warp group (wgmma): by the copy's warp,
// or by any for a bulk copy, or when that warp reads nothing: then it is what is done between its barriers before and
// behind the copy. Which share of it makes a copy go ahead: waits_goes_ahead.
struct sim_observer passage_giver(struct passage *passage, enum passage_kind kind, const struct recording *recording);
// For PASSAGE_TILES: which reads of the kept run got sums. `mixed` kept a run of the same blocks in which one input in
// PASSAGE_MIXED was another: a word that few inputs make is the same in most places then, and a sum of many hardly
// anywhere. unit: bytes of the smallest input.
enum { PASSAGE_MIXED = 16 };
void passage_find_sums(struct passage *passage, const struct passage *mixed, uint32_t unit);
bool passage_has_stores(const struct passage *passage); // of threads, to shared memory, in the kept run
// False: more was read than is kept. The second run says nothing then.
bool passage_complete(const struct passage *passage);

// The same of two warps of one block that is too long to be run twice: what these read and store is kept of a run of
// the whole block. The second run may be of one of them alone (sim_launch.lone_warp), as what others would have put
// into shared memory is given back; what it stores to global memory is compared with what was kept. Not for
// PASSAGE_AHEAD and PASSAGE_TILES.
enum { GLANCE_WARPS = 2 };
struct glance;
struct glance *glance_new(void);
void glance_free(struct glance *glance);
// Of the next block, these warps.
struct sim_observer glance_keeper(struct glance *glance, const uint32_t warps[GLANCE_WARPS]);
struct sim_observer glance_giver(struct glance *glance, int which, enum passage_kind kind);
struct glance_tally {
    uint64_t written, same; // elements that warp `which` stored; of those, in the second run
};
// After the giver's run; before it, what there is to be compared. False: nothing can be said, as more was read than is
// kept.
bool glance_take(const struct glance *glance, int which, struct glance_tally *tally);

#endif
