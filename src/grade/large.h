// What single blocks of a kernel do at the size whose time is modelled, which is too large to be run as a whole.
//
// The blocks run on real data: an element of a buffer is made from the seed when a block first touches its
// surroundings. Some are drawn at random over the whole grid, the edges and corners with them, and those that by their
// place decide otherwise than most (model/decisions.h); those that the model traces are seen as well. Of each block
// that comes to its end, every element that it wrote is compared with the reference, and inputs with what they were.
// And all that were drawn must have written their share: otherwise the output of the whole grid cannot be complete,
// whatever block writes what.
//
// Not watched: references of which single elements mean nothing (histogram, sums that go on, kernels of the lesson but
// for those of oracle.h),
// the ends of blocks too long to be run as often as they are drawn, and what so few blocks of a grid do not show.
#ifndef BANKSHOT_GRADE_LARGE_H
#define BANKSHOT_GRADE_LARGE_H

#include "device/on_demand.h"
#include "grade/references.h"

struct large;

// data: bare; both must last as long.
struct on_demand *large_data(const struct dataset *data); // for who only traces blocks, or times them
// Whether something is decided by single inputs, also where data is of another size.
bool large_decides_by_data(const struct dataset *data, const struct launch_shape *shape,
                           const struct ptx_function *entry);
// Gives data a seed with which both outcomes of what an entry decides by single inputs are there in some block: what
// one input in a hundred decides, none may decide among those that thirty blocks ask for.
void large_choose_seed(struct dataset *data, const struct launch_shape *shape, const struct ptx_function *entry);
struct large *large_new(const struct dataset *data, const struct launch_shape *shape, const struct ptx_function *entry);
// The same, of the last block, those that it is taken for where a number has too few bits, and few others, and for what
// they write alone: at a size that is not modelled. is_briefest: of fewer still. NULL: nothing can be said of what
// single blocks write.
struct large *large_brief(const struct dataset *data, const struct launch_shape *shape, bool is_briefest);
void large_free(struct large *large);
struct device_probe large_probe(struct large *large);

enum large_kind {
    LARGE_RIGHT,
    LARGE_WRONG,    // an element; mismatch says which
    LARGE_CHANGED,  // an element of an input
    LARGE_MISSING,  // elements that nobody writes
    LARGE_TOO_SLOW, // a block takes more warp instructions than there is patience for, or never ends
    LARGE_ENTANGLED // blocks read what others left in device memory: a few do not tell what all would do
};

struct large_finding {
    enum large_kind kind;
    char message[512]; // a sentence for the learner; the size is named by who knows it
    struct grade_mismatch mismatch;
    enum sim_fault_kind fault;       // when the run ended with a fault
    bool is_stuck;                   // TOO_SLOW, and nothing changes any more
    uint64_t longest, longest_block; // warp instructions of the block that took the most, as far as it ran; which it is
    uint64_t longest_work;           // its work (sim_result)
    uint64_t compared;               // elements
    bool each_its_own; // each of the blocks that were drawn writes what is its own by its place, or more. A brief look
                       // calls it MISSING if one does not: that means something only where they do at another size
};

// After the job.
void large_judge(struct large *large, struct large_finding *finding);

#endif
