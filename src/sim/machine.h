// The machine's insides: what the files of src/sim that decode and execute offer one another.
#ifndef BANKSHOT_SIM_MACHINE_H
#define BANKSHOT_SIM_MACHINE_H

#include "base/random.h"
#include <math.h>

#include "sim/texture.h"
#include "sim/warp.h"

// handlers that are written as a loop over the lanes (lanes_body.h), built for the plain and the AVX2 instruction set
enum lane_op {
#define K(name) LANE_##name,
#include "sim/lanes.def"
#undef K
    LANE_COUNT
};
extern op_run *const sim_lanes_plain[LANE_COUNT];
extern op_run *const sim_lanes_avx2[LANE_COUNT];
extern const bool sim_lanes_have_avx2;
op_run *const *sim_lanes(void); // what this processor can run

// warp.c
static inline uint32_t sim_thread_coordinate(const struct exec *x, uint32_t thread, uint32_t axis) // of the block's
{
    const uint32_t *shape = x->launch->shape.block;
    return axis == 0 ? thread % shape[0] : axis == 1 ? thread / shape[0] % shape[1] : thread / shape[0] / shape[1];
}
void sim_warp_begin(struct exec *x, struct block *block, uint32_t number);
void sim_warp_free(struct warp *warp);
// Every byte of a register or of a thread's own memory that nothing was written to: as a float of any size it is no
// number, as an integer -1. A GPU has there what was there before; and a launch may ask for zeros.
enum { UNSET_BYTE = 0xff };
// unset: the new bytes. False: more than a warp may have.
bool sim_registers_grow(unsigned char **data, size_t *size, size_t wanted, int unset);
bool sim_local_grow(struct warp *warp, size_t bytes);         // local memory of each lane
enum { SIM_LOCAL_MOST = 512 * 1024, SIM_STACK_LIMIT = 1024 }; // of a thread; cudaLimitStackSize, unless the host asks
uint32_t sim_frame_bytes(const struct function *function);
bool sim_stack_fits(const struct exec *x, const struct frame *frame, uint64_t more); // so many bytes more in this frame

// op.c
bool sim_program_uses_reserved(const struct sim_program *program); // it asks for a place in reserved shared memory

// calls.c
op_run sim_run_call, run_ret, run_exit;

// exec.c
op_run sim_run_bra, sim_run_brx;
struct fragment *sim_fragment_add(struct warp *warp, const struct op *op, uint32_t mask, struct join *join,
                                  struct frame *frame);
void sim_fragment_remove(struct warp *warp, struct fragment *fragment);
struct join *sim_join_new(struct warp *warp, const struct op *op, struct frame *frame, uint32_t expected,
                          struct join *parent);
void sim_join_free(struct warp *warp, struct join *join);
void sim_join_leave(struct warp *warp, struct join *join, uint32_t lanes); // lanes will not come to it any more
const struct op *sim_join_arrive(struct exec *x);                          // the running fragment is at its join
// Runs a warp until it waits, yields or ends, or has made so many steps.
void sim_warp_run(struct exec *x, struct warp *warp, uint64_t steps);
bool sim_warp_ready(const struct warp *warp);
bool sim_warp_spins(const struct warp *warp); // all that it saw lately was the same again
void sim_fragment_enter(struct exec *x, struct fragment *fragment);
bool sim_warp_release(struct exec *x, struct warp *warp); // lanes parked at joins go on alone; false: there are none
op_run sim_run_scalar, sim_run_rounded;
// Tells that op looked at memory others may change: true when it has seen the same so often that the warp should give
// way; then return sim_yield(x, next op).
bool sim_poll(struct exec *x, const struct op *op, uint32_t mask, const uint64_t *addresses, const uint64_t *values);
const struct op *sim_yield(struct exec *x, const struct op *next);

// ops_warp.c
bool sim_warp_force(struct exec *x, struct warp *warp); // warp-wide waits are given up; false: there are none
// The membermask of lanes is wrong: it lacks them, or names some that are absent.
void sim_members_notice(struct exec *x, const struct op *op, uint32_t lanes, bool absent);
// What lanes that meet at a .sync instruction bring there, when some are at another one that is alike.
struct meeting {
    uint32_t lanes; // all of them; 0: whoever is there is at one place
    uint32_t members[SIM_LANES];
    uint64_t value[SIM_LANES]; // operand 1, of predicates a bit
};
// A .sync instruction: true when every live lane of members is here (or the wait was given up) and op may execute
// for *mask; false when the fragment has to wait: return NULL then.
bool sim_warp_sync(struct exec *x, const struct op *op, uint32_t *mask, const uint32_t *members,
                   struct meeting *meeting);

// barriers.c
void sim_barrier_exit(struct exec *x, uint32_t lanes);
bool sim_barrier_stalled(struct exec *x); // reports a deadlock: false if there is none

// faults.c
const struct op *sim_fault_as(struct exec *x, enum sim_fault_kind kind, const struct op *op, uint32_t lane,
                              const char *format, ...) __attribute__((format(printf, 5, 6)));
#define sim_fault(x, op, lane, ...) sim_fault_as(x, SIM_FAULT_OTHER, op, lane, __VA_ARGS__)
// Fills the diagnostic as a fault of a whole block, at op.
enum status sim_block_fault(struct exec *x, enum status status, const struct op *op, const struct warp *warp,
                            uint32_t lane, const char *format, ...) __attribute__((format(printf, 6, 7)));

// observe.c
void sim_watch_block(struct exec *x, const struct block *block); // it is the one that runs now
// The shape of op's access; NULL: the lanes lie too far apart, or (unless observers need it) op keeps changing it.
const struct lane_shape *sim_shape_find(struct exec *x, const struct op *op, uint32_t mask, uint32_t bytes,
                                        const uint64_t *addresses, bool needed);
const struct lane_shape *sim_shape_find_shared(struct exec *x, const struct op *op, uint32_t mask, uint32_t bytes,
                                               const uint32_t *addresses, bool needed);
// access->shape and source_shape are filled if they are NULL.
void sim_watch_access(struct exec *x, const struct op *op, struct sim_access *access);
void sim_watch_each(struct exec *x, const struct op *op, struct sim_access *access); // not those who take runs
void sim_watch_runs(struct exec *x, uint32_t pc); // reports what is counted in the instruction's hint
void sim_watch_sync(struct exec *x, const struct op *op, struct sim_sync *sync);
void sim_watch_group(struct exec *x, const struct op *op, struct sim_group *group);
void sim_watch_notice(struct exec *x, const struct op *op, struct sim_notice *notice);
void sim_watch_notice_of(struct exec *x, uint32_t warp, uint32_t pc, struct sim_notice *notice); // of x->block
static inline unsigned sim_space_wanted(enum ptx_space space) // what an observer wants that sees its accesses
{
    return space == PTX_SHARED   ? SIM_WANT_ACCESS_SHARED
           : space == PTX_GLOBAL ? SIM_WANT_ACCESS_GLOBAL
                                 : SIM_WANT_ACCESS_OTHER;
}
// The lanes of mask load what nobody wrote; address: of the lowest.
void sim_watch_unset(struct exec *x, const struct op *op, uint32_t mask, enum ptx_space space, uint64_t address);
void sim_watch_skip(struct exec *x, const struct op *op); // a memory instruction with every lane predicated off
void sim_watch_step(struct exec *x, const struct op *op, uint32_t active, uint32_t mask);

// memory.c
enum {
    REGION_SHIFT = 36,
    REGION_SHARED = 1,
    REGION_LOCAL = 2,
    REGION_PARAM = 3,
    REGION_TEXTURES = 4, // handles
    REGION_FIRST = 16,
    // Before the middle of its region an allocation begins, so that a negative index still lands there; its addresses
    // pass a multiple of 2^32 soon, and are multiples of 256 and of nothing more, as cudaMalloc's may be.
    REGION_LEAD = 2048 + 256,
    MEMORY_PAD = 64 // host bytes after an allocation
};
struct sim_allocation *sim_memory_region(const struct sim_memory *memory, uint64_t region);
size_t sim_memory_count(const struct sim_memory *memory);      // regions in use, from REGION_FIRST
struct overlap *sim_memory_overlap(struct sim_memory *memory); // of its launches; the memory owns it
uint64_t sim_memory_bytes(const struct sim_memory *memory);
// keep: its bytes live on until the memory goes (copies on their way may still touch them).
void sim_memory_drop(struct sim_memory *memory, struct sim_allocation *allocation, bool keep);
// Of what is kept by byte:
void sim_bits_set(unsigned char *bits, uint64_t at, uint64_t bytes);        // bits may be NULL
bool sim_valid_get(const struct place *place, uint64_t at, uint64_t bytes); // were they written? true if not tracked

// place.c
// Fills place for an address (window-relative, unless generic); false: there is nothing.
bool sim_place_find(struct exec *x, enum ptx_space space, uint64_t address, struct place *place);
// The shared address of a byte of the place, as the block that runs has it.
static inline uint64_t sim_place_shared(const struct place *place, uint64_t offset)
{
    return (place->start & ((UINT64_C(1) << REGION_SHIFT) - 1)) + offset;
}
// Host pointer of bytes at address for one lane, or NULL after a fault. place: {0}, or what the lane before was given:
// where lanes lead to the same place, it is found once.
unsigned char *sim_place_lane(struct exec *x, const struct op *op, enum ptx_space space, uint64_t address,
                              uint32_t lane, uint32_t bytes, bool writes, struct place *place);
// The place that all lanes of mask, one at least, lead to. False: it is not one place, or not all of them may.
bool sim_place_lanes(struct exec *x, enum ptx_space space, uint32_t mask, const uint64_t *addresses, uint32_t bytes,
                     bool writes, struct place *place);
// As sim_place_lane for a span of any length, whose alignment the caller has seen to; place is only filled.
unsigned char *sim_place_span(struct exec *x, const struct op *op, enum ptx_space space, uint64_t address,
                              uint32_t lane, uint32_t bytes, bool writes, struct place *place);
void sim_addresses(struct exec *x, const struct op *op, uint32_t slot, uint64_t addresses[SIM_LANES]);
// The lanes of left that lead to the same place as the first of them, checked; false after a fault.
bool sim_group_next(struct exec *x, const struct op *op, uint32_t left, const uint64_t *addresses, uint32_t bytes,
                    bool writes, struct group *group);
unsigned char *sim_group_at(const struct group *group, uint32_t lane);
void sim_group_tell(struct exec *x, const struct op *op, const struct group *group, const uint64_t *addresses,
                    struct sim_access *access);
void sim_group_check_valid(struct exec *x, const struct op *op, const struct group *group, uint32_t bytes);

// ops_memory.c
op_run sim_load_slow, sim_store_slow;

// Nobody says in which order lanes of a warp come to one place: where schedules are drawn, this is.
struct lane_order {
    bool drawn; // else lane by lane
    uint32_t first, step;
};

static inline struct lane_order lane_order_of(const struct exec *x)
{
    if (x->launch->schedule != SIM_RANDOM)
        return (struct lane_order){false, 0, 1};
    uint64_t drawn = random_of(x->launch->seed ^ x->block->place << 8 ^ x->warp->number);
    return (struct lane_order){true, drawn % SIM_LANES, (drawn >> 8 & (SIM_LANES - 1)) | 1};
}

static inline uint32_t lane_after(struct lane_order order, uint32_t lane)
{
    return (lane + order.step) % SIM_LANES;
}

// overlap.c
enum overlap_outcome {
    OVERLAP_UNSEEN,  // all is as if the blocks had run in order
    OVERLAP_AGAIN,   // too little was kept to tell; the next attempt keeps more
    OVERLAP_MATTERS, // the order shows, or a block failed: they have to run in order
};
struct overlap *sim_overlap_new(struct sim_allocation *const *regions, size_t count); // of a memory, as they are now
void sim_overlap_free(struct overlap *overlap);
void sim_overlap_begin(struct overlap *overlap);         // of a launch
struct trail *sim_overlap_join(struct overlap *overlap); // of one more host thread, until sim_overlap_settle
bool sim_overlap_abandoned(const struct overlap *overlap);
void sim_overlap_abandon(struct exec *x);
// After all threads have ended. Global memory is as before the launch, unless OVERLAP_UNSEEN is the answer, as always
// with cut: the launch was cancelled.
enum overlap_outcome sim_overlap_settle(struct overlap *overlap, bool cut);
enum touch { TOUCH_READ = 1, TOUCH_WRITE = 2, TOUCH_REDUCE = 4 };
// reduction: of TOUCH_REDUCE, which one; reductions of one kind do not mind one another.
void sim_touch_first(struct exec *x, struct trail *trail, enum touch kind, uint32_t reduction);

// Where a global or constant address leads; false: nowhere.
static inline bool place_global(const struct exec *x, uint64_t address, struct place *place)
{
    uint64_t region = address >> REGION_SHIFT;
    const struct sim_allocation *allocation = sim_memory_region(x->memory, region);
    if (!allocation)
        return false;
    struct trail *trail = x->trails && !allocation->read_only ? &x->trails[region - REGION_FIRST] : NULL;
    *place = (struct place){.space = allocation->read_only ? PTX_CONST : PTX_GLOBAL,
                            .data = trail ? trail->data : allocation->data, // NULL until place_touch
                            .start = allocation->address,
                            .size = allocation->size,
                            .valid = allocation->valid,
                            .mark = trail ? trail->written : allocation->valid,
                            .trail = trail,
                            .read_only = allocation->read_only};
    return true;
}

static inline void place_touch(struct exec *x, struct place *place, enum touch kind)
{
    struct trail *trail = place->trail;
    if (!(trail->touched & kind))
        sim_touch_first(x, trail, kind, 0);
    place->data = trail->data;
    place->mark = trail->written;
}

// Before the place's data are looked at: these bytes of it.
static inline void place_note(struct exec *x, struct place *place, uint64_t at, uint64_t bytes, bool writes)
{
    if (!place->trail)
        return;
    place_touch(x, place, writes ? TOUCH_WRITE : TOUCH_READ);
    if (!writes)
        sim_bits_set(place->trail->read, at, bytes);
}

// ops_atomic.c
enum atom_action { ATOM_ADD, ATOM_INC, ATOM_DEC, ATOM_MIN, ATOM_MAX, ATOM_AND, ATOM_OR, ATOM_XOR, ATOM_EXCH, ATOM_CAS };
// What op->action makes of old and b; is_global: which flushes subnormals of binary32, and has NaNs of its own.
uint64_t sim_atom_apply(const struct op *op, bool is_global, uint64_t old, uint64_t b, uint64_t c);

// ops_async.c
// The copies of these lanes that were begun before the warp's step.
void sim_copies_land_before(struct exec *x, struct warp *warp, uint32_t lanes, uint64_t step);
void sim_bulk_land_exit(struct exec *x, uint32_t lanes);
void sim_block_async_reset(struct block *block);

// ops_wgmma.c
void sim_groups_reset(struct block *block);
void sim_groups_free(struct block *block);
bool sim_groups_ended(struct exec *x, struct block *block); // false after a fault: a warp left its group alone

// mbarrier.c
// Why the phase has not ended that op waits for, if it waits at an mbarrier; else text stays as it is. Of a block that
// does not end: notes in the result what can be told by a number.
void sim_mbarrier_lacks(struct exec *x, const struct op *op, uint32_t lane, char *text, size_t size);
// Whether a warp waits there for registers (setmaxnreg).
bool sim_registers_lack(const struct exec *x, const struct op *op, char *text, size_t size);
// What bulk copies share:
// What a lane's copy to block `target` will notify: the mbarrier at an address, or (UINT64_MAX) its thread's group.
// Fills warp, lane, group and mbarrier. False after a fault.
bool sim_bulk_ends(struct exec *x, const struct op *op, uint32_t lane, uint64_t address, const struct block *target,
                   struct bulk_copy *copy);
void sim_bulk_add(struct exec *x, struct block *block, const struct bulk_copy *copy); // of which it keeps a copy
// The same into each block of the cluster that the mask names, at the same places. False after a fault.
bool sim_bulk_spread(struct exec *x, const struct op *op, const struct bulk_copy *copy, uint32_t blocks);
struct block *sim_bulk_block(const struct exec *x, const struct place *place); // whose shared memory it is
void sim_bulk_write(unsigned char *to, const unsigned char *from, uint32_t bytes, uint8_t action, uint8_t type);

// builtins.c
const struct op *sim_call_builtin(struct exec *x, const struct op *op, const struct call_site *site, uint32_t mask);
enum builtin sim_builtin(const char *name);

// Binary64 keeps the payload of a NaN operand: b's before a's in add, sub and mul; b, c, a in fma; a before b in div
// (measured on the H100). Hosts prefer others, and compilers swap operands: here, all operands become the one that
// stays.
static inline double nan_before(double x, double y)
{
    return x != x ? x : y;
}

// Without a NaN operand the answer is the NaN with its sign set, which x86 makes, too.
static inline double nan_signed(double r, double operands)
{
#ifdef __x86_64__
    (void)operands;
    return r;
#else
    return r != r && operands == operands ? -(double)NAN : r;
#endif
}

static inline double f64_add(double a, double b)
{
    double x = nan_before(b, a);
    return nan_signed(x + b, x);
}

static inline double f64_sub(double a, double b)
{
    double x = nan_before(b, a);
    return nan_signed(x - b, x);
}

static inline double f64_mul(double a, double b)
{
    double x = nan_before(b, a);
    return nan_signed(x * b, x);
}

static inline double f64_fma(double a, double b, double c)
{
    double y = nan_before(b, nan_before(c, b)), x = nan_before(y, a), z = nan_before(y, c);
    return nan_signed(fma(x, y, z), x);
}

#endif
