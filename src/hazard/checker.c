// The observer that sees a run for all checks, and what is made of their findings when it has ended.
#include "hazard/hazard.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "hazard/internal.h"

enum {
    FINDINGS_MAX = 4096, // of different kinds or places
    SHARE_OF_ALL = 65536,
    SETTLED = 8000 // accesses after which a block does what it did before, if it is long
};

// ---- findings

#define FINDINGS_NONE ((struct finding_set){map_of(struct finding), UINT64_MAX})

static uint64_t finding_key(const struct finding *finding)
{
    uint64_t most = (UINT64_C(1) << 29) - 1;
    return (uint64_t)finding->kind << 58 | (finding->pc & most) << 29 | (finding->other_pc & most);
}

static int numbers_compare(const uint64_t *a, const uint64_t *b, size_t count)
{
    size_t i = 0;
    while (i < count - 1 && a[i] == b[i])
        i++;
    return a[i] < b[i] ? -1 : a[i] > b[i];
}

static int key_compare(const void *a, const void *b)
{
    return numbers_compare(a, b, 1);
}

// Of too many findings those with the lowest keys stay, whatever order they came in.
static void findings_cut(struct finding_set *set)
{
    struct map all = set->by_key;
    uint64_t *keys = mem_alloc(all.count * sizeof *keys);
    for (size_t i = 0; i < all.count; i++)
        keys[i] = map_key(&all, i);
    qsort(keys, all.count, sizeof *keys, key_compare);
    set->limit = keys[FINDINGS_MAX];
    set->by_key = map_of(struct finding);
    for (size_t i = 0; i < FINDINGS_MAX; i++)
        *(struct finding *)map_add(&set->by_key, keys[i], NULL) = *(struct finding *)map_find(&all, keys[i]);
    free(keys);
    map_free(&all);
}

void finding_same_value(const struct hazard_checker *checker, struct finding *finding)
{
    finding->benign = values_agree(&checker->values, finding);
    finding->same_value = !finding->benign;
}

// Which of two sightings is reported: a harmful one, then the lowest blocks, then what was seen first there. Sightings
// of pairs of blocks come in no order, so there the lowest address decides.
static bool is_better(const struct finding *new, const struct finding *old)
{
    if (new->benign != old->benign)
        return old->benign;
    if (new->same_value != old->same_value)
        return old->same_value;
    if (new->block != old->block)
        return new->block < old->block;
    if (new->other_block != old->other_block)
        return new->other_block < old->other_block;
    return new->several_blocks &&new->address < old->address;
}

void finding_add(struct finding_set *set, const struct finding *finding)
{
    uint64_t key = finding_key(finding);
    bool fresh;
    if (key >= set->limit)
        return;
    struct finding *old = map_add(&set->by_key, key, &fresh);
    uint64_t count = old->count + finding->count;
    if (fresh || is_better(finding, old))
        *old = *finding;
    old->count = count;
    if (set->by_key.count == 2 * FINDINGS_MAX)
        findings_cut(set);
}

// ---- before the run

static uint32_t smallest_access(const struct sim_program *program, enum ptx_space space)
{
    uint32_t smallest = 4;
    for (uint32_t pc = 0; pc < sim_program_size(program); pc++) {
        const struct ptx_inst *inst = sim_program_inst(program, pc, NULL);
        enum ptx_group group = ptx_opcode_group(inst->op);
        bool here = !inst->has_space || inst->space == PTX_GENERIC || inst->space == space;
        bool is_scattered = inst->op == PTX_OP_STMATRIX && ptx_has(inst, PTX_MOD_TRANS); // two lanes share a word
        if (!here || !inst->type_count || (group != PTX_GROUP_MEMORY && group != PTX_GROUP_ATOMIC && !is_scattered))
            continue;
        uint32_t size = ptx_type_size(inst->types[0]);
        smallest = size && size < smallest ? size : smallest;
    }
    return smallest;
}

struct hazard_checker *hazard_checker_new(const struct sim_program *program, struct sim_memory *memory,
                                          const char *main_file)
{
    struct hazard_checker *checker = mem_alloc(sizeof *checker);
    *checker = (struct hazard_checker){
        .program = program,
        .memory = memory,
        .main_file = main_file,
        .shared_shift = (uint32_t)__builtin_ctz(smallest_access(program, PTX_SHARED)),
        .global_shift = (uint32_t)__builtin_ctz(smallest_access(program, PTX_GLOBAL)),
        .findings = FINDINGS_NONE,
    };
    checker->cross = cross_new(checker->global_shift);
    checker->share = SHARE_OF_ALL;
    values_find(&checker->values, program);
    checker->group_program = group_program_new(program);
    checker->proxies = proxies_wanted(program);
    const unsigned char *uses = checker->values.uses, *tracks = group_program_tracks(checker->group_program);
    if (uses || tracks)
        checker->steps = mem_alloc(sim_program_size(program));
    for (uint32_t pc = 0; checker->steps && pc < sim_program_size(program); pc++)
        checker->steps[pc] = (uses && uses[pc]) || (tracks && tracks[pc]);
    return checker;
}

void hazard_checker_sample(struct hazard_checker *checker, uint32_t share, uint64_t seed, uint64_t least)
{
    checker->share = share;
    checker->least = least;
    checker->seed = seed;
}

double hazard_checker_watched(const struct hazard_checker *checker)
{
    return checker->accesses ? (double)checker->watched / (double)checker->accesses : 1;
}

void hazard_checker_free(struct hazard_checker *checker)
{
    if (!checker)
        return;
    map_free(&checker->findings.by_key);
    cross_free(checker->cross);
    values_free(&checker->values);
    group_program_free(checker->group_program);
    free(checker->steps);
    free(checker);
}

// ---- during the run

// One host thread's part. Blocks that wait for one another take turns on it: each has a state of its own.
struct hazard_thread {
    struct hazard_checker *checker;
    struct cross_table *cross;
    struct finding_set findings;
    struct hazard_state **states; // those of blocks that have ended serve others
    size_t count, capacity, now;  // now: the one asked for last
    uint32_t grid[3], shape[3];
    uint64_t arrived; // blocks at the grid's barrier
};

static void *hazard_fork(void *context)
{
    struct hazard_thread *thread = mem_alloc(sizeof *thread);
    thread->checker = context;
    thread->findings = FINDINGS_NONE;
    thread->cross = cross_new(thread->checker->global_shift);
    return thread;
}

static struct hazard_state *block_state_new(struct hazard_thread *thread)
{
    struct hazard_state *state = mem_alloc(sizeof *state);
    const struct hazard_checker *checker = state->checker = thread->checker;
    state->arrays = map_of(uint64_t);
    state->same = map_of(struct same_writers);
    state->doubts.live = map_of(bool);
    state->cross = thread->cross;
    state->findings = &thread->findings;
    state->shared = shadow_new(PTX_SHARED, checker->shared_shift, sim_program_size(checker->program));
    state->global = shadow_new(PTX_GLOBAL, checker->global_shift, sim_program_size(checker->program));
    return state;
}

static void block_state_free(struct hazard_state *state)
{
    order_end(&state->order);
    map_free(&state->arrays);
    map_free(&state->same);
    doubts_free(&state->doubts);
    groups_free(state->groups);
    proxies_free(state->proxies);
    shadow_free(state->shared);
    shadow_free(state->global);
    free(state);
}

// The state of a block that runs; for NULL, one that serves no block.
static struct hazard_state *state_of(struct hazard_thread *thread, const struct sim_block *block)
{
    if (thread->count && thread->states[thread->now]->block == block)
        return thread->states[thread->now];
    size_t i = 0;
    while (i < thread->count && thread->states[i]->block != block)
        i++;
    if (i == thread->count)
        *mem_append(thread->states, thread->capacity, thread->count) = block_state_new(thread);
    thread->now = i;
    return thread->states[i];
}

static void hazard_join(void *context, void *data, bool keep)
{
    struct hazard_checker *checker = context;
    struct hazard_thread *thread = data;
    if (keep && thread->findings.limit < checker->findings.limit)
        checker->findings.limit = thread->findings.limit;
    for (size_t i = 0; i < thread->findings.by_key.count && keep; i++)
        finding_add(&checker->findings, map_value(&thread->findings.by_key, i));
    if (thread->count && keep) {
        memcpy(checker->grid, thread->grid, sizeof checker->grid);
        memcpy(checker->shape, thread->shape, sizeof checker->shape);
    }
    if (keep)
        cross_merge(checker->cross, thread->cross);
    cross_free(thread->cross);
    for (size_t i = 0; i < thread->count; i++) {
        checker->accesses += keep ? thread->states[i]->accesses : 0;
        checker->watched += keep ? thread->states[i]->watched : 0;
        block_state_free(thread->states[i]);
    }
    free(thread->states);
    map_free(&thread->findings.by_key);
    free(thread);
}

static void hazard_block_begin(void *data, const struct sim_block *block)
{
    struct hazard_thread *thread = data;
    struct hazard_state *state = state_of(thread, NULL);
    state->block = block;
    memcpy(thread->grid, block->grid, sizeof thread->grid);
    memcpy(thread->shape, block->shape, sizeof thread->shape);
    memset(state->took_part, 0, sizeof state->took_part);
    memset(state->last, 0, sizeof state->last);
    memset(state->followed, 0, sizeof state->followed);
    state->watch_until = 0;
    state->before = state->accesses;
    map_clear(&state->arrays);
    map_clear(&state->same);
    state->doubts.count = 0;
    order_begin(&state->order, block);
    if (state->checker->group_program)
        groups_begin(state, block);
    if (state->checker->proxies)
        proxies_begin(state, block);
    shadow_begin_block(state->shared, block);
    shadow_begin_block(state->global, block);
}

static void hazard_block_end(void *data, const struct sim_block *block)
{
    struct hazard_state *state = state_of(data, block);
    cross_end_block(state);
    state->block = NULL;
}

// Where a long block leaves out a barrier or a wait, two instructions of a warp follow each other that never did
// before. From there to the end of the next phase it is looked at: most of the other warps are still to come to the
// same place.
static void note_following(struct hazard_state *state, uint32_t warp, uint32_t pc)
{
    if (state->checker->share == SHARE_OF_ALL || state->last[warp] == pc)
        return;
    uint64_t pair = ((uint64_t)state->last[warp] << 32 | pc) * RANDOM_STEP >> 48;
    unsigned char *seen = &state->followed[pair / 8], bit = (unsigned char)(1u << pair % 8);
    if (!(*seen & bit) && state->accesses - state->before > SETTLED)
        state->watch_until = state->order.stamp + 1;
    *seen |= bit;
    state->last[warp] = pc;
}

static bool phase_is_watched(struct hazard_state *state)
{
    const struct hazard_checker *checker = state->checker;
    if (checker->share == SHARE_OF_ALL || state->order.stamp <= state->watch_until)
        return true;
    if (state->phase != state->order.stamp) {
        uint64_t random =
            checker->seed ^ (state->block->linear << 20 | (state->order.stamp - state->order.block_stamp));
        state->phase = state->order.stamp;
        state->phase_drawn = (random_next(&random) >> 16 & (SHARE_OF_ALL - 1)) < checker->share;
    }
    return state->phase_drawn;
}

void hazard_look(struct hazard_state *state, const struct sim_access *access)
{
    struct sim_access source;
    state->accesses++;
    note_following(state, access->warp, access->pc);
    if (state->accesses - state->before > state->checker->least && !phase_is_watched(state))
        return;
    state->watched++;
    if (access->space == PTX_SHARED)
        shadow_access(state->shared, state, access);
    else if (access->space == PTX_GLOBAL)
        shadow_access(state->global, state, access);
    if (sim_is_copy(access->kind) && sim_access_source(access, &source)) {
        shadow_access(source.space == PTX_SHARED ? state->shared : state->global, state, &source);
        cross_access(state, &source);
    }
    cross_access(state, access);
}

// The last block has come to the barrier of the whole grid: everything before happened before everything after. Blocks
// of a cooperative launch run on one host thread, so this one has seen all of it.
static void grid_met(struct hazard_thread *thread)
{
    for (size_t i = 0; i < thread->count; i++)
        if (thread->states[i]->block)
            cross_end_block(thread->states[i]);
    cross_report(thread->checker, thread->cross, &thread->findings);
    cross_forget(thread->cross, thread->checker->global_shift);
    thread->arrived = 0;
}

// this_grid().sync(): one thread of each block adds to the grid's workspace, and then reads it until all have.
static bool at_grid_barrier(struct hazard_thread *thread, const struct sim_access *access)
{
    const struct sim_allocation *workspace = sim_program_grid_workspace(thread->checker->program);
    if (!workspace || access->space != PTX_GLOBAL || access->first - workspace->address >= workspace->size)
        return false;
    const uint32_t *grid = access->block->grid;
    if (access->kind == SIM_ATOMIC && ++thread->arrived == (uint64_t)grid[0] * grid[1] * grid[2])
        grid_met(thread);
    return true;
}

static void hazard_access(void *data, const struct sim_access *access)
{
    if (!access->mask || access->warp >= SIM_MAX_WARPS)
        return;
    struct hazard_state *state = state_of(data, access->block);
    bool strong = access->order != SIM_WEAK || access->kind == SIM_ATOMIC || access->kind == SIM_REDUCE;
    if (strong && at_grid_barrier(data, access))
        return;
    if (strong) {
        doubts_settle(state, &(struct sim_sync){.warp = access->warp, .pc = access->pc});
        order_strong_access(state, access);
    }
    if (state->groups)
        groups_access(state, access);
    if (state->proxies)
        proxies_access(state, access);
    if (access->space == PTX_SHARED || state->checker->values.traits[access->pc] & VALUE_BEHIND)
        state->took_part[access->warp] |= access->mask;
    if (state->checker->values.traits[access->pc] & VALUE_DOUBTED)
        doubts_add(state, access);
    else if (!(state->checker->values.traits[access->pc] & VALUE_GUESS)) // the swap is the access that counts
        hazard_look(state, access);
}

static void hazard_step(void *data, const struct sim_step *step)
{
    struct hazard_state *state = state_of(data, step->block);
    const unsigned char *uses = state->checker->values.uses;
    if (uses && uses[step->pc])
        doubts_step(state, step);
    if (state->groups && group_program_tracks(state->checker->group_program)[step->pc])
        groups_step(state, step);
}

static void hazard_group(void *data, const struct sim_group *group)
{
    struct hazard_state *state = state_of(data, group->block);
    if (state->groups && group->warp < SIM_MAX_WARPS)
        groups_event(state, group);
}

static void hazard_sync(void *data, const struct sim_sync *sync)
{
    struct hazard_state *state = state_of(data, sync->block);
    if (sync->kind == SIM_SYNC_ARRIVE)
        state->took_part[sync->warp] |= sync->mask;
    if (sync->kind != SIM_SYNC_COMPLETE && sync->warp < SIM_MAX_WARPS)
        note_following(state, sync->warp, sync->pc);
    doubts_settle(state, sync);
    bool is_proxy = state->proxies && sync->warp < SIM_MAX_WARPS;
    if (is_proxy && sync->kind == SIM_SYNC_PROXY_FENCE)
        proxies_fence(state, sync);
    if (is_proxy && sync->kind == SIM_SYNC_BULK_WAIT)
        proxies_wait(state, sync);
    order_sync(state, sync);
}

// The reduction of the first 2, 4, 8 or 16 lanes by shfl.down: the upper ones read past the group, and what they get
// is never used. Other part sizes let it reach the result.
static bool is_tail_of_reduction(const struct hazard_checker *checker, const struct sim_notice *notice)
{
    const struct ptx_inst *inst = sim_program_inst(checker->program, notice->pc, NULL);
    uint32_t lowest = notice->mask & -notice->mask, end = notice->mask + lowest; // one bit, if the lanes are a run
    return inst->op == PTX_OP_SHFL_SYNC && ptx_has(inst, PTX_MOD_DOWN) && end && !(end & (end - 1)) &&
           !((uint32_t)__builtin_ctz(end) & ((uint32_t)__builtin_ctz(end) - 1));
}

// A thread that leaves at once, having met no barrier, touched no shared memory and done nothing that stands behind a
// barrier, is not missed. One that took part and then skips a barrier is allowed by hardware too, but hardly meant.
static bool ended_took_part(const struct hazard_state *state)
{
    uint32_t ended = 0;
    for (uint32_t w = 0; w < state->order.warps; w++)
        ended |= state->took_part[w] & ~state->order.by_warp[w].live;
    return ended != 0;
}

// Whether those that are left are what a bound leaves: a run of threads, or a box of them. Others ended by a branch
// round the barrier.
static bool bound_is_left(const struct hazard_state *state)
{
    uint32_t low[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, high[3] = {0}, count = 0, first = UINT32_MAX, last = 0;
    const uint32_t *shape = state->block->shape;
    for (uint32_t w = 0; w < state->order.warps; w++) {
        FOR_LANES (lane, state->order.by_warp[w].live) {
            uint32_t thread = w * SIM_LANES + lane;
            uint32_t at[3] = {thread % shape[0], thread / shape[0] % shape[1], thread / shape[0] / shape[1]};
            for (int i = 0; i < 3; i++) {
                low[i] = at[i] < low[i] ? at[i] : low[i];
                high[i] = at[i] > high[i] ? at[i] : high[i];
            }
            first = thread < first ? thread : first;
            last = thread;
            count++;
        }
    }
    uint32_t box = (high[0] - low[0] + 1) * (high[1] - low[1] + 1) * (high[2] - low[2] + 1);
    return count == last - first + 1 || count == box;
}

void hazard_find(struct hazard_state *state, const struct sim_notice *notice)
{
    static const enum hazard_kind kinds[] = {
        [SIM_NOTICE_BARRIER_DIVERGED] = HAZARD_BARRIER_DIVERGED,
        [SIM_NOTICE_BARRIER_UNEVEN] = HAZARD_BARRIER_UNEVEN,
        [SIM_NOTICE_BARRIER_ENDED] = HAZARD_BARRIER_UNEVEN,
        [SIM_NOTICE_MEMBERMASK] = HAZARD_MEMBERMASK,
        [SIM_NOTICE_SHUFFLE_INACTIVE] = HAZARD_SHUFFLE_INACTIVE,
        [SIM_NOTICE_UNINITIALISED] = HAZARD_UNINITIALISED_SHARED,
        [SIM_NOTICE_PEER_ENDED] = HAZARD_PEER_ENDED,
    };
    bool read = notice->kind == SIM_NOTICE_UNINITIALISED;
    uint32_t lane = notice->mask ? (uint32_t)__builtin_ctz(notice->mask) : 0;
    struct finding finding = {
        .kind = read && notice->space == PTX_GLOBAL ? HAZARD_UNINITIALISED_GLOBAL : kinds[notice->kind],
        .pc = notice->pc,
        .other_pc = read ? UINT32_MAX : notice->other_pc,
        .benign = notice->kind == SIM_NOTICE_BARRIER_ENDED && !ended_took_part(state) && bound_is_left(state),
        .absent = notice->absent,
        .space = notice->space,
        .block = notice->block->linear,
        .other_block = notice->block->linear,
        .thread = notice->warp * SIM_LANES + lane,
        .other_thread = UINT32_MAX,
        .address = notice->address,
        .count = 1};
    finding_add(state->findings, &finding);
}

static void hazard_notice(void *data, const struct sim_notice *notice)
{
    struct hazard_state *state = state_of(data, notice->block);
    if (notice->kind == SIM_NOTICE_SHUFFLE_INACTIVE && is_tail_of_reduction(state->checker, notice))
        return;
    if (notice->kind == SIM_NOTICE_UNINITIALISED &&
        (state->checker->values.traits[notice->pc] & (VALUE_UNREAD | VALUE_GUESS) || doubts_add_unset(state, notice)))
        return;
    hazard_find(state, notice);
}

void hazard_checker_names(struct hazard_checker *checker, const struct hazard_names *names)
{
    checker->names = *names;
}

struct sim_observer hazard_checker_observer(struct hazard_checker *checker)
{
    return (struct sim_observer){.wants = SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL | SIM_WANT_SYNC |
                                          SIM_WANT_NOTICE | SIM_TAKES_SHAPES | (checker->steps ? SIM_WANT_STEP : 0u) |
                                          (checker->group_program ? SIM_WANT_GROUP : 0u),
                                 .steps = checker->steps,
                                 .step = hazard_step,
                                 .group = hazard_group,
                                 .context = checker,
                                 .fork = hazard_fork,
                                 .join = hazard_join,
                                 .block_begin = hazard_block_begin,
                                 .block_end = hazard_block_end,
                                 .access = hazard_access,
                                 .sync = hazard_sync,
                                 .notice = hazard_notice};
}

// ---- after the run

// By block, then line; then whatever makes the order total.
static int finding_compare(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;
    uint64_t left[] = {x->block, x->pc, x->other_pc, x->kind}, right[] = {y->block, y->pc, y->other_pc, y->kind};
    return numbers_compare(left, right, sizeof left / sizeof *left);
}

static int hazard_compare(const void *a, const void *b)
{
    const struct hazard *x = a, *y = b;
    uint64_t left[] = {x->block[2], x->block[1], x->block[0], x->line, x->other_line, x->kind, x->pc, x->other_pc};
    uint64_t right[] = {y->block[2], y->block[1], y->block[0], y->line, y->other_line, y->kind, y->pc, y->other_pc};
    return numbers_compare(left, right, sizeof left / sizeof *left);
}

static bool same_pair(const struct hazard *a, const struct hazard *b)
{
    bool straight = a->line == b->line && a->other_line == b->other_line;
    bool crossed = a->line == b->other_line && a->other_line == b->line;
    return a->line && (straight || crossed) && !strcmp(a->file, b->file);
}

bool hazard_is_worse(const struct hazard *a, const struct hazard *b)
{
    return a->benign != b->benign ? b->benign : b->same_value && !a->same_value;
}

// A line of a library, for an instruction that belongs to no line of the learner's.
static uint64_t library_line(const struct hazard_checker *checker, uint32_t pc)
{
    const struct ptx_function *function;
    if (pc >= sim_program_size(checker->program))
        return 0;
    const struct ptx_inst *inst = sim_program_inst(checker->program, pc, &function);
    const struct ptx_location *location = &function->module->locations[inst->location];
    return location->line ? (uint64_t)location->file << 32 | location->line : (uint64_t)pc << 48;
}

static bool same_lines(const struct hazard_checker *checker, const struct hazard *a, const struct hazard *b)
{
    if (a->line && a->other_line)
        return same_pair(a, b);
    return a->line == b->line && a->other_line == b->other_line &&
           (a->line || library_line(checker, a->pc) == library_line(checker, b->pc)) &&
           (a->other_line || library_line(checker, a->other_pc) == library_line(checker, b->other_pc));
}

// One source line becomes many instructions when loops unroll: the same two lines are reported once.
static void list_add(const struct hazard_checker *checker, struct hazard_list *list, const struct hazard *hazard)
{
    for (size_t i = 0; i < list->count; i++) {
        struct hazard *old = &list->items[i];
        if (old->kind != hazard->kind || !same_lines(checker, old, hazard))
            continue;
        uint64_t count = old->count + hazard->count;
        if (hazard_is_worse(hazard, old))
            *old = *hazard;
        old->count = count;
        return;
    }
    *mem_append(list->items, list->capacity, list->count) = *hazard;
}

static bool is_race(const struct hazard *hazard)
{
    enum hazard_family family = hazard_family(hazard->kind);
    return (family == FAMILY_RACE || family == FAMILY_COPY) && !hazard->benign;
}

// A copy and a read of one place show as several kinds, depending on who came first in this run. Where a barrier
// stands between the two lines it is the way back that lacks one; else the copy comes before the read or after it.
static bool copy_is_explained(const struct hazard_checker *checker, const struct hazard *hazard,
                              const struct hazard *other)
{
    bool between = hazard_barrier_between(checker, hazard);
    uint32_t copy = hazard->kind == HAZARD_ASYNC_OVERWRITE ? hazard->line : hazard->other_line;
    uint32_t read = hazard->kind == HAZARD_ASYNC_OVERWRITE ? hazard->other_line : hazard->line;
    bool overwrites = between || read < copy;
    switch (hazard->kind) {
    case HAZARD_ASYNC_OVERWRITE:
        return !overwrites && (other->kind == HAZARD_ASYNC_NO_BARRIER || other->kind == HAZARD_ASYNC_NOT_WAITED);
    case HAZARD_ASYNC_NO_BARRIER:
        return overwrites && other->kind == HAZARD_ASYNC_OVERWRITE;
    case HAZARD_ASYNC_NOT_WAITED:
        return other->kind == HAZARD_ASYNC_NO_BARRIER;
    default:
        return false;
    }
}

// Whether one barrier of the block cures both: before the later line or after the earlier one that they share, and
// both on the way down or both on the way back round a loop. Tiles that warps and lanes fill side by side race so.
static bool share_barrier(const struct hazard_checker *checker, const struct hazard *a, const struct hazard *b)
{
    if (same_pair(a, b))
        return true;
    uint32_t a_low = a->line < a->other_line ? a->line : a->other_line, a_high = a->line ^ a->other_line ^ a_low;
    uint32_t b_low = b->line < b->other_line ? b->line : b->other_line, b_high = b->line ^ b->other_line ^ b_low;
    bool pairs = a_low && b_low && a_low < a_high && b_low < b_high;
    return pairs && (a_low == b_low || a_high == b_high) &&
           hazard_barrier_between(checker, a) == hazard_barrier_between(checker, b);
}

// Whether what cures the misuse of a copy, `other`, holds the barrier that the race of its two lines asks for.
static bool copy_explains_race(const struct hazard_checker *checker, const struct hazard *race,
                               const struct hazard *other)
{
    bool between = hazard_barrier_between(checker, race);
    if (!same_pair(race, other))
        return false;
    if (other->kind == HAZARD_ASYNC_OVERWRITE) // `line` copies, `other_line` reads
        return between ? other->line < other->other_line : other->other_line < other->line;
    return !between && (other->kind == HAZARD_ASYNC_NO_BARRIER || other->kind == HAZARD_ASYNC_NOT_WAITED);
}

// Whether `other` is the cause of what shows as `hazard`, so that telling both would only confuse. Of two remedies
// the wider is reported: whoever follows only the narrower one still has the other hazard.
static bool is_explained(const struct hazard_checker *checker, const struct hazard *hazard, const struct hazard *other)
{
    if (hazard == other || !is_race(other) || hazard_is_worse(hazard, other) || strcmp(hazard->file, other->file) != 0)
        return false;
    if (hazard_family(hazard->kind) == FAMILY_UNSET &&
        hazard->space == other->space) // the reader came before the writer it races with
        return hazard->line ? hazard->line == other->line || hazard->line == other->other_line
                            : hazard->pc == other->pc || hazard->pc == other->other_pc;
    if (!hazard->line || (hazard->benign && !same_pair(hazard, other)))
        return false;
    switch (hazard->kind) {
    case HAZARD_WARP_RACE: // the barrier that orders warps orders lanes
        return (other->kind == HAZARD_RACE && share_barrier(checker, hazard, other)) ||
               copy_explains_race(checker, hazard, other);
    case HAZARD_ATOMIC_RACE:
        return other->kind == HAZARD_RACE && same_pair(hazard, other);
    case HAZARD_RACE:
        return copy_explains_race(checker, hazard, other);
    default:
        return same_pair(hazard, other) && copy_is_explained(checker, hazard, other);
    }
}

static void list_drop_explained(const struct hazard_checker *checker, struct hazard_list *list)
{
    bool *drop = mem_alloc(list->count * sizeof *drop);
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        for (size_t j = 0; j < list->count && !drop[i]; j++)
            drop[i] = is_explained(checker, &list->items[i], &list->items[j]);
    }
    for (size_t i = 0; i < list->count; i++) {
        if (!drop[i])
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
    free(drop);
}

void hazard_checker_take(struct hazard_checker *checker, struct hazard_list *list)
{
    struct finding_set *set = &checker->findings;
    *list = (struct hazard_list){0};
    cross_report(checker, checker->cross, &checker->findings);
    if (set->by_key.count > FINDINGS_MAX)
        findings_cut(set);
    size_t count = set->by_key.count;
    struct finding *findings = mem_alloc(count * sizeof *findings);
    for (size_t i = 0; i < count; i++)
        findings[i] = *(struct finding *)map_value(&set->by_key, i);
    if (count)
        qsort(findings, count, sizeof *findings, finding_compare);
    for (size_t i = 0; i < count; i++) {
        struct hazard hazard;
        if (hazard_family(findings[i].kind) == FAMILY_UNSET && hazard_in_library(checker, findings[i].pc))
            continue;
        if (findings[i].same_value && hazard_in_library(checker, findings[i].pc)) {
            findings[i].same_value = false;
            findings[i].benign = true;
        }
        hazard_describe(checker, &findings[i], &hazard);
        list_add(checker, list, &hazard);
    }
    list_drop_explained(checker, list);
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, hazard_compare);
    free(findings);
    map_free(&set->by_key);
    set->limit = UINT64_MAX;
    cross_free(checker->cross);
    checker->cross = cross_new(checker->global_shift);
}

void hazard_list_free(struct hazard_list *list)
{
    free(list->items);
    *list = (struct hazard_list){0};
}
