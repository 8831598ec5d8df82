// Parts of the hazard checker, shared by hazard/*.c only.
//
// Time. A warp's clock is its step count. Accesses of the block since its last whole-block barrier carry the current
// stamp; everything with an older stamp happened before. Inside one stamp, known[w][v] says which steps of warp v
// happened before what warp w does now. Between warps the unit is the warp: an edge that one lane gets is credited
// to its warp, which can only hide a hazard, never invent one. Inside a warp the unit is the lane.
#ifndef BANKSHOT_HAZARD_INTERNAL_H
#define BANKSHOT_HAZARD_INTERNAL_H

#include "base/map.h"
#include "hazard/hazard.h"
#include "hazard/pages.h"

enum {
    MARK_STRONG = 1, // atomic, volatile, relaxed and stronger: does not race with others of its kind
    MARK_ATOMIC = 2,
    MARK_ASYNC = 4,   // cp.async: performed when its thread waits
    MARK_BULK = 8,    // cp.async.bulk, st.async, red.async (atomic): performed when someone waits for its batch, whose
                      // number is the step
    MARK_SPREAD = 16, // its instruction's lanes reach different places
    MARK_MERGED = 32, // several instructions of one warp
    MARK_POLL = 64,   // a load that waits for what it loads
    MARK_READ = 128,
    // of copies, which are never those:
    MARK_TOLD = 32, // someone used it too early, and that was told
    MARK_AGAIN = 64 // the block had written there before
};

// One remembered access; stamp 0 = none. lane and last_lane: the first and last of the lanes that share it.
struct mark {
    uint32_t stamp, step, pc;
    uint8_t warp, lane, last_lane, flags;
};

// What is remembered of one place: two reads and two atomics, each by two warps. Atomics come last, as they are rare.
// rest: number + 1 of a cell_rest, if that is of this place; else there is none.
// Of the warp observing - 1, observers have had an atomic's answer there since the last write, and those of the last
// atomic of all are lanes last_first … last_last of the warp last_warp - 1; 0: nobody's.
struct shadow_cell {
    struct mark write, reads[2];
    uint32_t rest;
    struct mark atomics[2];
    uint32_t observers;
    uint8_t observing, last_warp, last_first, last_last;
};

// More marks of a place, of one kind, since the last barrier of the whole block: the reads and atomics of a third warp
// and further ones, and writes that an unordered one of the same value has followed.
enum rest_kind { REST_WRITES, REST_READS, REST_ATOMICS };
struct cell_rest {
    uint64_t place; // its address << 1, + 1 in shared memory
    enum rest_kind kind;
    uint32_t warps, next; // whose marks there are, by bits; as shadow_cell.rest: of another kind
    struct mark marks[SIM_MAX_WARPS];
};
enum { RESTS_MOST = 1 << 14 }; // beyond that such marks are lost, which can only hide a hazard
struct cell_rests {
    struct cell_rest *items;
    size_t count, capacity;
    uint32_t stamp;
};

// ---- order.c: who happened before whom

enum { ASYNC_RING = 16, ROUTE_RING = 32, BATCH_RING = 64, RELEASE_RING = 16, ENDED = 8 };

// Clocks by warp: the steps before these have happened before. From REACHED on, again by warp: those that its threads
// have come to, which orders nothing that they read and wrote. So much is known behind the arrival of their copies.
enum { REACHED = SIM_MAX_WARPS, CLOCKS = 2 * SIM_MAX_WARPS };

struct order_barrier {
    uint32_t lanes;   // arrived so far
    uint32_t pc;      // where the first warp did
    uint32_t waiting; // warps
    bool some_leave, fenced, fenced_wide, fenced_near;
    uint32_t clocks[CLOCKS], fence[CLOCKS];
    uint32_t left[SIM_MAX_WARPS]; // lanes that arrived and did not wait
    uint32_t wait[SIM_MAX_WARPS]; // lanes that did
};

// The last opening of a barrier that warps arrive at and leave.
struct order_opening {
    uint32_t stamp, waiting;       // warps that waited; 0: there was none
    uint32_t left[SIM_MAX_WARPS];  // lanes that did not
    uint32_t steps[SIM_MAX_WARPS]; // of those that waited
};

// One way to learn that cp.async copies of these lanes before step `done` are complete: to come after their thread's
// wait at `step`; or, with a batch, after somebody's wait for the phase that they were handed to there. A copy may have
// several, none of which ends another.
struct order_route {
    uint32_t mask, done, stamp, step;
    uint32_t batch; // number + 1; 0: none
    bool counts_up; // the phase waits for them only if it had not ended before they were handed over
};

// Copies that end together: in one phase of an mbarrier, or as one group of a thread. Who waits for them has waited for
// those before them at that mbarrier or of that thread, too.
struct order_batch {
    uint32_t before; // number + 1; 0: none
    uint32_t group;  // of the thread
    uint32_t waited; // warps, by bits;
    uint32_t stamp;  // when the first of them had; and each:
    uint32_t steps[SIM_MAX_WARPS];
    bool is_ended; // somebody saw the phase end, perhaps by a relaxed wait, which orders nothing
    bool is_load;  // what comes to shared memory, the latest of which is:
    uint32_t pc, thread;
    uint64_t block, address;
};

// Who sends bytes to an mbarrier: a lane of a warp of its block, or of another one, which knows what this block did
// before a tick.
struct order_sender {
    uint64_t mbarrier, address; // address: of what comes
    uint32_t pc, warp, lane, known;
    bool is_peer;
};

// Some lanes of a warp arrived at an mbarrier, or spoke for what the warp had fenced: what they did before `step` is
// released by that, what all lanes did before `base`, and what all had loaded before `loads`.
struct order_release {
    uint32_t step, base, loads, mask;
    uint32_t heard_by; // not 0: no release, but what these lanes have heard of all those of `mask` by then
    uint32_t arrived;  // not 0: at a barrier with a count
};

// A warp's part of it.
struct order_warp {
    uint32_t known[CLOCKS];
    uint32_t fence[CLOCKS], fencers;              // known at its last fence, or last fences of these lanes
    uint32_t acquire[CLOCKS], acquirers;          // read from objects, not yet fenced by these lanes;
    uint32_t ended[ENDED], ended_count;           // batches that it saw end so, number + 1
    uint32_t commits[SIM_LANES], done[SIM_LANES]; // done: by waits of the lane itself
    uint32_t forgotten[SIM_LANES];                // of routes that are not kept: the latest `done`
    uint32_t wait_stamps[SIM_LANES];              // of the lane's latest wait for cp.async
    uint32_t live;                                // lanes that have not ended;
    uint32_t gone, gone_met[SIM_LANES];           // that ended and were not named since; `met` when they did
    uint32_t at_cluster;                          // that arrived at the cluster's barrier, and have not waited there
    uint32_t taken;                               // its step up to which it has acquired what it did itself
    uint32_t since;                               // its step at the last barrier of the whole block
    // What lanes know that have waited at mbarriers since all lanes met last; order.alone says whether there are any.
    struct {
        uint32_t lanes, first; // first: step of the first such wait
        uint32_t met;          // as the warp's, of these lanes
        uint32_t known[CLOCKS];
    } alone;
    uint32_t met;           // its step at the last barrier or __syncwarp() of all its lanes
    uint32_t gathered;      // or any other .sync instruction
    uint32_t release_count; // of some of its lanes
    uint32_t route_count;
    uint32_t at_wait[SIM_MAX_WARPS]; // order.copied when it last waited for copies or at an mbarrier
    bool has_waited;
    // Lanes that updated one place by one atomic, as long as they have not fenced since: each comes behind what those
    // of lower number did before this step.
    uint32_t counting, counted;
    // From here on nothing is cleared when a block begins.
    uint32_t (*lanes)[SIM_LANES]; // as known, between its lanes; NULL: never needed
    uint32_t commit_steps[SIM_LANES][ASYNC_RING];
    struct order_route routes[ROUTE_RING];
    struct order_release releases[RELEASE_RING];
};

struct order {
    uint32_t stamp, block_stamp; // now; and at the block's beginning
    uint32_t tick;               // of the block, moves with every fence and acquire
    uint32_t warps, threads, exited;
    struct order_warp by_warp[SIM_MAX_WARPS];
    uint32_t fenced, fenced_wide, acquiring; // bits by warp; wide: for other blocks, too,
    uint32_t fenced_near;                    // near: for those of the cluster
    uint32_t partial, released, alone;       // released, alone: by some of its lanes
    struct order_barrier barriers[SIM_BARRIERS];
    struct order_opening openings[SIM_BARRIERS];
    uint32_t batch_count;
    struct order_batch batches[BATCH_RING]; // the latest
    uint32_t copied[SIM_MAX_WARPS];         // steps of the latest cp.async + 1
    struct map places;                      // that releases and acquires go through
    struct map objects;                     // mbarriers, and threads' groups of copies
    uint64_t mbarriers_from, mbarriers_to;  // where mbarrier.init made some; both 0: nowhere
    bool has_init_fence;                    // there was a fence.mbarrier_init
    bool copies_arrive; // there was a cp.async.mbarrier.arrive.noinc: clocks from REACHED on are used
    struct map seen;    // by mbarrier and warp
};

struct hazard_state;
void order_begin(struct order *order, const struct sim_block *block);
void order_end(struct order *order);
void order_sync(struct hazard_state *state, const struct sim_sync *sync);
// What this writes to shared memory is no mbarrier any more.
void order_overwrites(struct hazard_state *state, const struct sim_access *access);
void order_strong_access(struct hazard_state *state, const struct sim_access *access);
// What made the mbarrier there, and its block's tick then. NULL: none lives there.
const struct mark *order_made(const struct order *order, uint64_t mbarrier, uint32_t *tick);
// Whether the instruction needs all lanes that its mask names, without being a barrier: what they loaded for it has
// come. What they stored need not be seen by anybody: shuffles and votes order no memory.
bool order_meets(const struct ptx_inst *inst);
void order_met(struct order *order, const struct sim_step *step);
// Has the marked access happened before what this lane does now? Looks at plain marks of the current stamp.
bool order_is_before(const struct order *order, const struct mark *mark, uint32_t warp, uint32_t lane);
// The steps of warp `by` before this one have happened before what this lane does now.
uint32_t order_known(const struct order *order, uint32_t warp, uint32_t lane, uint32_t by);
// Of a copy: ended before all that anybody does now; before what this lane does now; under way, as far as this lane
// knows; its thread has waited for it, but this lane does not come after that.
enum async_state { ASYNC_OVER, ASYNC_ORDERED, ASYNC_PENDING, ASYNC_UNSYNCED };
// The number of the batch that a lane's bulk copy belongs to, or its st.async or red.async.
uint32_t order_bulk(struct hazard_state *state, const struct sim_access *access, uint32_t lane);
// The same of bytes that a thread of the block of state sends in a phase of this parity; order: of the mbarrier's
// block.
uint32_t order_bytes(struct hazard_state *state, struct order *order, uint32_t parity,
                     const struct order_sender *sender);
// Whether any of the block has seen that the batch has ended.
bool order_batch_was_seen(const struct order *order, uint32_t number);
// Whether the lane comes after one who waited for the batch.
bool order_batch_is_over(const struct order *order, uint32_t number, uint32_t warp, uint32_t lane);
// What bulk copies brought to shared memory for which nobody waited, of those that are kept: by `at` from 0 on, which
// moves on. NULL: no more, or not all threads of the block have ended.
const struct order_batch *order_left(const struct order *order, uint32_t *at);
void order_copy(struct order *order, const struct sim_access *access);
// A copy that is under way began, unordered, after this warp had waited for what it reads: the copy came too early.
bool order_copied_early(const struct order *order, const struct mark *mark, uint32_t warp, uint32_t lane);
enum async_state order_async_state(const struct order *order, const struct mark *mark, uint32_t warp, uint32_t lane);
struct moment { // of a warp
    uint32_t stamp, step;
};
struct order_past { // what these lanes of a warp came behind at that moment
    struct moment at;
    uint32_t warp, lanes;
    uint32_t known[SIM_MAX_WARPS];
};
// Whether they came behind what these lanes of warp `by` did at `moment`.
bool order_was_before(const struct order_past *past, struct moment moment, uint32_t by, uint32_t lanes);
// Whether they came behind the end of a cp.async, not only behind its beginning. What is forgotten had ended.
bool order_was_over(const struct order *order, const struct mark *copy, const struct order_past *past);

// ---- values.c: what becomes of what an instruction loads

enum value_trait {
    VALUE_POLLED = 1,     // a loop goes round until it is right
    VALUE_UNREAD = 2,     // an exchange whose old value nobody reads
    VALUE_DOUBTED = 4,    // a plain load after which some way on makes no use of the value
    VALUE_BEHIND = 8,     // an instruction that a barrier of the block comes before
    VALUE_OF_DATA = 16,   // a store: what is written is made of what memory or another lane held,
    VALUE_OF_THREAD = 32, // of the thread's index,
    VALUE_OF_BLOCK = 64,  // of the block's; else of constants and of what the launch passes
    VALUE_GUESS = 128,    // a load whose value only a compare-and-swap of the same place uses
    VALUE_KEPT = 256,     // a strong load, not polled, of whose value something is made that is stored
    VALUE_ANY_LANE = 512, // wmma.load and wmma.store: which lane moves which element is nobody's promise
    VALUE_TESTED = 1024,  // VALUE_KEPT, and something that is made of the value is compared
    VALUE_PUT_BACK = 2048 // a load of which some bits are kept, others replaced, and all that stored where it came from
};
enum { VALUE_REGISTERS = 16 };
struct doubted {                                // a load with VALUE_DOUBTED
    uint32_t count, registers[VALUE_REGISTERS]; // that hold the value, and what is made of it before it is selected
};
// Whether a load's thread may arrive at an mbarrier before anything uses the value; until used: and again behind that.
enum open_load { OPEN_NEVER, OPEN, OPEN_UNTIL_USED };
struct values {
    const struct sim_program *program;
    uint16_t *traits;    // by pc
    unsigned char *uses; // by pc, not 0: the instruction uses a doubted value; NULL: there are none
    unsigned char *open; // by pc: enum open_load; NULL: there are no bulk copies
    unsigned char *ends; // by pc, not 0: the instruction uses a value of OPEN_UNTIL_USED; NULL: there is none
    struct map doubted;  // by pc: struct doubted
};
static inline bool is_strong_load(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_LD &&
           (ptx_has(inst, PTX_MOD_VOLATILE) || ptx_has(inst, PTX_MOD_RELAXED) || ptx_has(inst, PTX_MOD_ACQUIRE));
}
static inline bool is_plain_load(const struct ptx_inst *inst)
{
    bool elsewhere =
        inst->has_space && (inst->space == PTX_PARAM || inst->space == PTX_LOCAL || inst->space == PTX_CONST);
    return inst->op == PTX_OP_LD && !elsewhere && !is_strong_load(inst);
}
static inline bool makes_only_a_value(const struct ptx_inst *inst) // and does nothing else; comparisons are not meant
{
    enum ptx_group group = ptx_opcode_group(inst->op);
    return group == PTX_GROUP_INT || group == PTX_GROUP_FLOAT || group == PTX_GROUP_LOGIC || group == PTX_GROUP_MOVE;
}
// proxies: proxies_wanted.
void values_find(struct values *values, const struct sim_program *program, bool proxies);
void values_free(struct values *values);
// Two stores that wrote one value would do so whatever the data.
struct finding;
bool values_agree(const struct values *values, const struct finding *finding);
// The lanes for which the step uses the value of the load at pc.
uint32_t values_used(const struct values *values, uint32_t load, const struct sim_step *step);
// Whether the instruction at pc reads what the load at `load` gave.
bool values_reads(const struct values *values, uint32_t load, uint32_t pc);
// Whether a way on from pc may still use it.
bool values_live(const struct values *values, uint32_t load, uint32_t pc);

// ---- guesses.c: plain loads that only guess what a compare-and-swap will find

void values_find_guesses(uint16_t *traits, const struct ptx_function *function); // traits of its instructions

// ---- doubt.c: loads that the compiler makes whether or not the value is wanted

// A doubted load waits here until an instruction uses its value: for those lanes it is an access then. The others never
// made one. What may still be used at the warp's next synchronisation counts as used.
struct doubts {
    struct doubt *items;
    size_t count, capacity;
    struct map live; // by both pcs: whether values_live
};
void doubts_add(struct hazard_state *state, const struct sim_access *access);
bool doubts_add_unset(struct hazard_state *state, const struct sim_notice *notice);    // false: it was no doubted load
typedef void doubts_look(struct hazard_state *state, const struct sim_access *access); // at one that is made, after all
void doubts_step(struct hazard_state *state, const struct sim_step *step, doubts_look *look);
void doubts_settle(struct hazard_state *state, const struct sim_sync *sync, doubts_look *look);
void doubts_free(struct doubts *doubts);

// ---- shadow.c: what a block did, by place; the fast way while no two accesses meet

struct shadow;
struct shadow *shadow_new(enum ptx_space space, uint32_t shift, uint32_t program_size);
void shadow_free(struct shadow *shadow);
void shadow_begin_block(struct shadow *shadow, const struct sim_block *block);
void shadow_access(struct shadow *shadow, struct hazard_state *state, const struct sim_access *access);
// Whether wgmma may read these chunks of 16 bytes; it leaves no marks.
void shadow_look(struct shadow *shadow, struct hazard_state *state, const struct sim_group *group,
                 const uint32_t *chunks, uint32_t count);
// All those of the line of COVER_BYTES at the address, until another line is asked for. NULL: beyond shared memory.
struct shadow_cell *shadow_cells(struct shadow *shadow, struct order *order, uint64_t address);
// One that stands for all of the line of COVER_BYTES at the address. NULL: they differ, or lie beyond shared memory.
struct shadow_cell *shadow_even_cell(struct shadow *shadow, struct order *order, uint64_t address);
// The line has been written as a whole: if all its cells are alike now, one is to stand for them.
void shadow_even_out(struct shadow *shadow, struct order *order, uint64_t address);

// ---- cells.c: whether an access may follow those that its places remember

void cells_access(struct hazard_state *state, struct shadow *shadow, const struct sim_access *access);
// Only asks; nothing is remembered, but for the latest mark of a copy that this instruction may follow, whose like
// other places have: {0} at first.
void cells_look(struct hazard_state *state, struct shadow *shadow, const struct sim_access *access,
                struct mark *ordered);

// ---- cross.c: accesses of different blocks

struct cross_table;
struct hazard_checker;
struct finding_set;
struct cross_table *cross_new(uint32_t shift); // log2 of the granule
void cross_free(struct cross_table *table);
void cross_access(struct hazard_state *state, const struct sim_access *access);
void cross_merge(struct cross_table *into, struct cross_table *from); // from is emptied
void cross_report(const struct hazard_checker *checker, const struct cross_table *table, struct finding_set *findings);
void cross_forget(struct cross_table *table, uint32_t shift); // all accesses so far; shift as for cross_new

// ---- handover.c: the same where blocks hand over data while they run. Of a block that does not, hand is NULL, and
// ---- nothing is done.

struct handover; // of one host thread
struct hand_block;
struct handover *handover_new(uint32_t shift); // log2 of the granule
void handover_free(struct handover *handover);
void handover_forget(struct handover *handover, uint32_t shift); // all accesses so far
void handover_begin(struct hazard_state *state);
void handover_block_free(struct hand_block *block);
// Without clusters each block is one.
static inline enum sim_scope scope_of_blocks(const struct sim_block *block, enum sim_scope scope)
{
    return scope == SIM_SCOPE_CLUSTER && block->cluster_size < 2 ? SIM_SCOPE_CTA : scope;
}
// scope: SIM_SCOPE_CTA: it is strong for no other block, CLUSTER: for those of its cluster, GPU: for all.
void handover_access(struct hazard_state *state, const struct sim_access *access, enum cross_class class,
                     enum sim_scope scope);
// A strong read of a place. What it saw is acquired by the warp's next fence for other blocks, or barrier.
void handover_read(struct hazard_state *state, uint32_t warp, uint64_t address, enum sim_scope scope);
// scope: what blocks outside of it released is not acquired.
void handover_acquire(struct hazard_state *state, uint32_t warp, uint32_t lane, uint32_t step, enum sim_scope scope,
                      bool by_barrier);
void handover_fence(struct hazard_state *state, uint32_t warp, uint32_t lane); // for other blocks
// The thread has waited for its groups of bulk copies below this one: what they write is written.
void handover_written(struct hazard_state *state, uint32_t thread, uint32_t below, uint32_t step);
// A write to a place. clocks: by warp, the steps that it releases, for all and for the block's cluster; NULL: none.
// carries_on: what was there stays.
struct hand_clocks {
    const uint32_t *for_all, *for_cluster;
};
void handover_release(struct hazard_state *state, uint32_t warp, uint32_t lane, uint64_t address,
                      struct hand_clocks clocks, bool carries_on);

// ---- cluster.c: shared memory of other blocks

struct cluster_part;
bool cluster_wanted(const struct sim_program *program); // it can reach other blocks' shared memory
// peer: the state of another block of its cluster that runs; NULL: there is none yet.
void cluster_begin(struct hazard_state *state, const struct sim_block *block, struct hazard_state *peer);
void cluster_end(struct hazard_state *state);
void cluster_free(struct cluster_part *part); // perhaps of a block that has not ended
void cluster_access(struct hazard_state *state, const struct sim_access *access);
// What orders two blocks. Each does nothing where the block is in no cluster that is watched.
void cluster_fence(struct hazard_state *state);
void cluster_fence_made(struct hazard_state *state); // fence.mbarrier_init
void cluster_strong(struct hazard_state *state, const struct sim_access *access, uint64_t address, bool reads,
                    bool writes);
void cluster_arrive(struct hazard_state *state, uint64_t mbarrier, bool parity, bool is_relaxed);
void cluster_copy(struct hazard_state *state, const struct sim_sync *sync); // PEER_COPY
void cluster_arrive_at_peer(struct hazard_state *state, const struct sim_sync *sync);
void cluster_wait(struct hazard_state *state, uint64_t mbarrier, bool parity, bool is_relaxed);
void cluster_meet(struct hazard_state *state); // all blocks of the grid have met

// ---- groups.c: wgmma

struct groups;
struct group_program;
struct group_program *group_program_new(const struct sim_program *program); // NULL: it has no wgmma
void group_program_free(struct group_program *groups);
const unsigned char *group_program_tracks(const struct group_program *groups); // by pc: groups_step wants it
void groups_begin(struct hazard_state *state, const struct sim_block *block);
void groups_free(struct groups *groups);
void groups_access(struct hazard_state *state, const struct sim_access *access);
void groups_event(struct hazard_state *state, const struct sim_group *group);
void groups_step(struct hazard_state *state, const struct sim_step *step);

// ---- proxies.c: shared memory as the asynchronous proxy sees it

enum { PROXY_CHUNK = 16 }; // it is watched in chunks of so many bytes
struct chunk_write {       // of a chunk, by a thread; stamp 0: none, or by a bulk copy
    struct moment at;
    uint32_t pc, lanes, warp, is_copy; // is_copy: by cp.async, which began then
};
struct proxy_look { // of one reader; equal writes in a row are asked for once
    uint32_t pc, thread;
    struct chunk_write last;
    bool is_hidden;
};
struct proxies;
bool proxies_wanted(const struct sim_program *program); // something reads or copies through that proxy
void proxies_begin(struct hazard_state *state, const struct sim_block *block);
void proxies_free(struct proxies *proxies);
// A bulk copy out of shared memory reads there until somebody waits for the batch (order_bulk) - 1 at an mbarrier; 0:
// until its thread waits for its group.
void proxies_reading(struct hazard_state *state, const struct sim_access *access, uint32_t batch);
void proxies_access(struct hazard_state *state, const struct sim_access *access);
void proxies_fence(struct hazard_state *state, const struct sim_sync *sync);
void proxies_wait(struct hazard_state *state, const struct sim_sync *sync);
void proxies_exit(struct hazard_state *state, const struct sim_sync *sync);
// Whether the warp has executed a fence.proxy.async since.
bool proxies_fenced(const struct hazard_state *state, uint32_t warp, uint32_t step);
// Of loads that are OPEN_UNTIL_USED: a use of one, and whether who knows the warp up to `known` may find it under way.
void proxies_use(struct hazard_state *state, const struct sim_step *step);
bool proxies_under_way(const struct hazard_state *state, const struct mark *load, uint32_t known);
// Whether what threads wrote to the chunk at this address is shown to who looks; says so if not.
void proxies_look(struct hazard_state *state, struct proxy_look *look, uint32_t at);
struct moment moment_now(const struct hazard_state *state, uint64_t step);
// Did it happen, in warp `by`, before what `warp` does now?
bool moment_before(const struct order *order, struct moment moment, uint32_t by, uint32_t warp);

// ---- sources.c: global memory that copies into shared memory read

struct sources;
void sources_begin(struct hazard_state *state);
// It copies from global memory; batch: as for order_batch_is_over, of a bulk copy.
void sources_reading(struct hazard_state *state, const struct sim_access *access, uint32_t batch);
// It writes to global memory, where there are sources.
void sources_written(struct hazard_state *state, const struct sim_access *access);

// ---- watch.c: which accesses are looked at

enum { SHARE_OF_ALL = 65536 };                // of the phases: everything is looked at
void watch_begin(struct hazard_state *state); // its block begins
// Counted among `accesses` before; it is in a phase that is not looked at. Asked only where not all are.
bool access_is_passed(struct hazard_state *state, const struct sim_access *access);
void note_following(struct hazard_state *state, uint32_t warp, uint32_t pc); // what the warp does next
// The load takes it for granted that nobody writes what it reads (ld.global.nc).
bool hazard_reads_only(const struct hazard_checker *checker, uint32_t pc);

// ---- findings.c: what was found

struct finding {
    enum hazard_kind kind;
    uint32_t pc, other_pc;
    bool benign, several_blocks;
    bool by_barrier; // between blocks, a barrier alone stands behind the read of the flag: benign
    bool same_value; // all wrote one value, but it is made of data
    bool absent;     // a mask names lanes that are elsewhere
    enum ptx_space space;
    uint64_t block, other_block;
    uint32_t thread, other_thread; // linear; UINT32_MAX = unknown
    uint64_t address, count;
};
struct finding_set {
    struct map by_key; // of struct finding
    uint64_t limit;    // none is kept from this key on
    // Two barriers of the source, for all threads each, at which warps met as if they were one: that is allowed, and
    // rarely meant. Their pcs, the lower one first, inverted; the greatest of all, 0: there are none.
    uint64_t mixed;
};
#define FINDINGS_NONE ((struct finding_set){map_of(struct finding), UINT64_MAX, 0})
void finding_add(struct finding_set *set, const struct finding *finding);
// Of the block, in shared memory.
void find_in_shared(struct hazard_state *state, enum hazard_kind kind, uint32_t pc, uint32_t thread, uint32_t other_pc,
                    uint32_t other_thread, uint64_t address);
void finding_notice(struct hazard_state *state, const struct sim_notice *notice); // what the simulator noticed
// For people, and as hazard_checker_take: the set is empty then.
void findings_take(struct hazard_checker *checker, struct hazard_list *list);
// Two stores wrote one value: harmless if it is the same whatever the data.
void finding_same_value(const struct hazard_checker *checker, struct finding *finding);

// ---- gaps.c: writes to shared memory that belongs to no array, or to another one

enum { GAPS_MOST = 64 };
struct shared_gap {
    uint32_t from, to; // bytes
};
void gaps_find(struct hazard_checker *checker);
void gaps_access(struct hazard_state *state, const struct sim_access *access);

// ---- checker.c: the run

struct hazard_checker {
    const struct sim_program *program;
    struct sim_memory *memory;
    const char *main_file;
    struct hazard_names names;
    uint32_t shared_shift, global_shift; // log2 of the granule: the smallest access of the program
    struct values values;
    bool borrows_values;                 // they are kept beside the module
    struct group_program *group_program; // NULL: there is no wgmma
    bool clusters;                       // it may reach other blocks' shared memory
    bool hands_over;                     // sim_program_hands_over
    bool proxies;                        // something reads or copies through the asynchronous proxy
    struct shared_gap gaps[GAPS_MOST];
    uint32_t gap_count;
    uint16_t *array_of;        // by pc, gaps.c; NULL: there is one array at most
    unsigned char *meets;      // by pc: order_meets; NULL: that does not matter
    unsigned char *reads_only; // by pc: hazard_reads_only; NULL: none does
    unsigned char *steps;      // by pc: what doubts, groups and order_met want to see of it; NULL: nothing
    uint32_t grid[3], shape[3];
    struct finding_set findings;
    struct cross_table *cross;
    uint32_t share; // of SHARE_OF_ALL phases
    uint64_t seed, least;
    uint64_t accesses, passed;
};

// Lanes of one warp that wrote to a place, since the last barrier, what others wrote there without an order.
struct same_writers {
    uint32_t stamp, lanes;
};

// What is known of one block that runs.
struct hazard_state {
    // Every access needs these.
    const struct sim_block *block; // NULL: it has ended
    struct hazard_checker *checker;
    struct shadow *shared, *global;
    struct groups *groups;             // NULL: there is no wgmma
    struct cluster_part *cluster;      // NULL: shared memory is its own
    struct proxies *proxies;           // NULL: nothing reads through that proxy
    struct sources *sources;           // NULL: no copy has read global memory
    struct cross_table *cross;         // of its host thread, as are
    struct finding_set *findings;      //
    struct handover *handover;         // this one, where blocks hand over data; else NULL
    struct hand_block *hand;           // and what this one knows of others; else NULL
    uint64_t accesses, before, passed; // before: of blocks that it served before; passed: not looked at
    uint32_t took_part[SIM_MAX_WARPS]; // lanes that met a barrier, touched shared memory or got behind a barrier
    struct order order;

    struct doubts doubts;
    struct map same; // by place and warp: struct same_writers
    struct cell_rests rests;
    struct map arrays;               // by pc: the first address + 1 of a strong access
    uint32_t atomics;                // the last stamp that has any in the cells
    uint32_t phase;                  // the stamp for which
    bool phase_drawn;                // it is looked at
    uint32_t watch_until;            // up to this stamp it is looked at, as something was new
    uint32_t last[SIM_MAX_WARPS];    // what the warp did last: an access or a synchronisation
    unsigned char followed[1 << 13]; // a bit for each two of them, one after the other, that the block had
};

// ---- text.c: what a person reads

enum hazard_family {
    FAMILY_RACE,
    FAMILY_COPY,
    FAMILY_UNSET,
    FAMILY_BARRIER,
    FAMILY_WARP,
    FAMILY_GROUP,
    FAMILY_PLACE,
    FAMILY_NUMBER
};
enum hazard_family hazard_family(enum hazard_kind kind);
void hazard_describe(const struct hazard_checker *checker, const struct finding *finding, struct hazard *hazard);

// The instruction is in CUB, Thrust, libcu++ or cooperative groups. CUB's merge sort reads one place too many and
// throws it away, so reads of unset memory are not reported there; nor are lanes that store one result all together.
bool hazard_in_library(const struct hazard_checker *checker, uint32_t pc);
// In cooperative groups, but for their copies: tiles of several warps meet by votes there and poll lane by lane, which
// orders lanes less than the rules ask for, but is not the kernel's business.
bool hazard_is_of_groups(const struct hazard_checker *checker, uint32_t pc);
// Of a library, and for its own ends: what cuda::std reads is its caller's, but for words around small atomics.
bool hazard_reads_for_library(const struct hazard_checker *checker, uint32_t pc);
// A block barrier is between the two lines in the source.
bool hazard_barrier_between(const struct hazard_checker *checker, const struct hazard *hazard);

#endif
