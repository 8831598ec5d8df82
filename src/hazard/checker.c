// The observer that sees a run for all checks.
#include "hazard/hazard.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "hazard/internal.h"

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

// Where warps meet matters to who releases and acquires: lanes may do it one by one.
static void find_meets(struct hazard_checker *checker)
{
    uint32_t size = sim_program_size(checker->program);
    bool arrives = false, meets = false;
    unsigned char *found = mem_alloc(size + 1);
    for (uint32_t pc = 0; pc < size; pc++) {
        const struct ptx_inst *inst = sim_program_inst(checker->program, pc, NULL);
        arrives |= ptx_orders(inst);
        found[pc] = order_meets(inst);
        meets |= found[pc];
    }
    if (arrives && meets)
        checker->meets = found;
    else
        free(found);
}

static void find_read_only(struct hazard_checker *checker)
{
    uint32_t size = sim_program_size(checker->program), count = 0;
    checker->reads_only = mem_alloc(size + 1);
    for (uint32_t pc = 0; pc < size; pc++) {
        const struct ptx_inst *inst = sim_program_inst(checker->program, pc, NULL);
        count += checker->reads_only[pc] = ptx_has(inst, PTX_MOD_NC) || inst->op == PTX_OP_LDU;
    }
    if (count)
        return;
    free(checker->reads_only);
    checker->reads_only = NULL;
}

static void release_values(void *kept)
{
    values_free(kept);
    free(kept);
}

// They follow from the text alone, and are worked out once for all runs of it.
static void find_values(struct hazard_checker *checker)
{
    const struct ptx_function *entry = NULL;
    if (sim_program_size(checker->program))
        sim_program_inst(checker->program, 0, &entry);
    const struct values *known = entry ? ptx_kept(entry->module, entry, release_values) : NULL;
    if (known) {
        checker->values = *known;
        checker->values.program = checker->program;
        checker->borrows_values = true;
        return;
    }
    values_find(&checker->values, checker->program, checker->proxies);
    struct values *kept = mem_alloc(sizeof *kept);
    *kept = checker->values;
    checker->borrows_values = entry && ptx_keep(entry->module, entry, release_values, kept);
    if (!checker->borrows_values)
        free(kept);
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
    checker->proxies = proxies_wanted(program);
    find_values(checker);
    checker->group_program = group_program_new(program);
    checker->clusters = cluster_wanted(program);
    checker->hands_over = sim_program_hands_over(program);
    gaps_find(checker);
    find_meets(checker);
    find_read_only(checker);
    const unsigned char *uses = checker->values.uses, *tracks = group_program_tracks(checker->group_program),
                        *meets = checker->meets, *ends = checker->values.ends;
    if (uses || tracks || meets || ends)
        checker->steps = mem_alloc(sim_program_size(program));
    for (uint32_t pc = 0; checker->steps && pc < sim_program_size(program); pc++)
        checker->steps[pc] = (uses && uses[pc]) || (tracks && tracks[pc]) || (meets && meets[pc]) || (ends && ends[pc]);
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
    return checker->accesses ? (double)(checker->accesses - checker->passed) / (double)checker->accesses : 1;
}

void hazard_checker_free(struct hazard_checker *checker)
{
    if (!checker)
        return;
    map_free(&checker->findings.by_key);
    cross_free(checker->cross);
    if (!checker->borrows_values)
        values_free(&checker->values);
    group_program_free(checker->group_program);
    free(checker->steps);
    free(checker->array_of);
    free(checker->meets);
    free(checker->reads_only);
    free(checker);
}

// ---- during the run

// One host thread's part. Blocks that wait for one another take turns on it: each has a state of its own.
struct hazard_thread {
    struct hazard_checker *checker;
    struct cross_table *cross;
    struct handover *handover; // NULL: nothing of the kind
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
    thread->handover = thread->checker->hands_over ? handover_new(thread->checker->global_shift) : NULL;
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
    state->handover = thread->handover;
    state->findings = &thread->findings;
    state->shared = shadow_new(PTX_SHARED, checker->shared_shift, sim_program_size(checker->program));
    state->global = shadow_new(PTX_GLOBAL, checker->global_shift, sim_program_size(checker->program));
    return state;
}

static void block_state_free(struct hazard_state *state)
{
    order_end(&state->order);
    handover_block_free(state->hand);
    map_free(&state->arrays);
    map_free(&state->same);
    free(state->rests.items);
    doubts_free(&state->doubts);
    groups_free(state->groups);
    cluster_free(state->cluster);
    proxies_free(state->proxies);
    free(state->sources);
    shadow_free(state->shared);
    shadow_free(state->global);
    free(state);
}

// Rare: apart, so that state_of is short.
static __attribute__((noinline)) struct hazard_state *state_find(struct hazard_thread *thread,
                                                                 const struct sim_block *block)
{
    size_t i = 0;
    while (i < thread->count && thread->states[i]->block != block)
        i++;
    if (i == thread->count)
        *mem_append(thread->states, thread->capacity, thread->count) = block_state_new(thread);
    thread->now = i;
    return thread->states[i];
}

// The state of a block that runs; for NULL, one that serves no block. Mostly the one asked for last.
static inline struct hazard_state *state_of(struct hazard_thread *thread, const struct sim_block *block)
{
    struct hazard_state *now = thread->count ? thread->states[thread->now] : NULL;
    return now && now->block == block ? now : state_find(thread, block);
}

static void hazard_join(void *context, void *data, bool keep)
{
    struct hazard_checker *checker = context;
    struct hazard_thread *thread = data;
    if (keep && thread->findings.limit < checker->findings.limit)
        checker->findings.limit = thread->findings.limit;
    if (keep && thread->findings.mixed > checker->findings.mixed)
        checker->findings.mixed = thread->findings.mixed;
    for (size_t i = 0; i < thread->findings.by_key.count && keep; i++)
        finding_add(&checker->findings, map_value(&thread->findings.by_key, i));
    if (thread->count && keep) {
        memcpy(checker->grid, thread->grid, sizeof checker->grid);
        memcpy(checker->shape, thread->shape, sizeof checker->shape);
    }
    if (keep)
        cross_merge(checker->cross, thread->cross);
    cross_free(thread->cross);
    handover_free(thread->handover);
    for (size_t i = 0; i < thread->count; i++) {
        checker->accesses += keep ? thread->states[i]->accesses : 0;
        checker->passed += keep ? thread->states[i]->passed : 0;
        block_state_free(thread->states[i]);
    }
    free(thread->states);
    map_free(&thread->findings.by_key);
    free(thread);
}

static void hazard_block_begin(void *data, const struct sim_block *block)
{
    struct hazard_thread *thread = data;
    struct hazard_state *state = state_of(thread, NULL), *peer = NULL;
    for (size_t i = 0; i < thread->count && block->cluster_size > 1; i++)
        if (thread->states[i]->block && thread->states[i]->block->cluster == block->cluster)
            peer = thread->states[i];
    state->block = block;
    memcpy(thread->grid, block->grid, sizeof thread->grid);
    memcpy(thread->shape, block->shape, sizeof thread->shape);
    memset(state->took_part, 0, sizeof state->took_part);
    watch_begin(state);
    map_clear(&state->arrays);
    map_clear(&state->same);
    state->doubts.count = 0;
    order_begin(&state->order, block);
    if (state->handover)
        handover_begin(state);
    if (state->checker->group_program)
        groups_begin(state, block);
    if (state->checker->proxies)
        proxies_begin(state, block);
    sources_begin(state);
    if (state->checker->clusters && block->cluster_size > 1)
        cluster_begin(state, block, peer);
    shadow_begin_block(state->shared, block);
    shadow_begin_block(state->global, block);
}

static void hazard_block_end(void *data, const struct sim_block *block)
{
    struct hazard_state *state = state_of(data, block);
    const struct order_batch *left;
    for (uint32_t at = 0; (left = order_left(&state->order, &at)) != NULL;)
        finding_add(state->findings, &(struct finding){.kind = HAZARD_COPY_EXIT,
                                                       .pc = left->pc,
                                                       .other_pc = UINT32_MAX,
                                                       .several_blocks = left->block != block->linear,
                                                       .space = PTX_SHARED,
                                                       .block = left->block,
                                                       .other_block = block->linear,
                                                       .thread = left->thread,
                                                       .other_thread = UINT32_MAX,
                                                       .address = left->address,
                                                       .count = 1});
    if (state->cluster)
        cluster_end(state);
    state->block = NULL;
}

// The last block has come to the barrier of the whole grid: everything before happened before everything after. Blocks
// of a cooperative launch run on one host thread, so this one has seen all of it.
static void grid_met(struct hazard_thread *thread)
{
    for (size_t i = 0; i < thread->count; i++)
        if (thread->states[i]->block)
            cluster_meet(thread->states[i]);
    cross_report(thread->checker, thread->cross, &thread->findings);
    cross_forget(thread->cross, thread->checker->global_shift);
    if (thread->handover)
        handover_forget(thread->handover, thread->checker->global_shift);
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

// The other side of a copy; apart, so that other accesses make no room for it.
static __attribute__((noinline)) void look_at_source(struct hazard_state *state, const struct sim_access *access)
{
    struct sim_access source;
    if (!sim_access_source(access, &source))
        return;
    shadow_access(source.space == PTX_SHARED ? state->shared : state->global, state, &source);
    cross_access(state, &source);
}

static inline __attribute__((always_inline)) void look(struct hazard_state *state, const struct sim_access *access)
{
    state->accesses++;
    if (state->checker->share != SHARE_OF_ALL && access_is_passed(state, access))
        return;
    if (state->cluster)
        cluster_access(state, access);
    if (access->space == PTX_SHARED)
        shadow_access(state->shared, state, access);
    else if (access->space == PTX_GLOBAL)
        shadow_access(state->global, state, access);
    if (sim_is_copy(access->kind))
        look_at_source(state, access);
    if (access->space == PTX_GLOBAL)
        cross_access(state, access);
    if (access->space == PTX_GLOBAL && state->sources && access->kind != SIM_LOAD && access->kind != SIM_MATRIX_LOAD)
        sources_written(state, access);
}

static void look_after_all(struct hazard_state *state, const struct sim_access *access)
{
    look(state, access);
}

// What few accesses are, and few kernels have. False: it is a step of the grid's barrier.
static __attribute__((noinline)) bool note_special(struct hazard_thread *thread, struct hazard_state *state,
                                                   const struct sim_access *access, bool strong)
{
    if (strong && at_grid_barrier(thread, access))
        return false;
    if (strong) {
        doubts_settle(state, &(struct sim_sync){.warp = access->warp, .pc = access->pc}, look_after_all);
        order_strong_access(state, access);
    }
    if (state->groups)
        groups_access(state, access);
    if (state->proxies)
        proxies_access(state, access);
    if (state->checker->gap_count || state->checker->array_of)
        gaps_access(state, access);
    return true;
}

static void hazard_access(void *data, const struct sim_access *access)
{
    bool seen = access->space == PTX_SHARED || access->space == PTX_SHARED_CLUSTER || access->space == PTX_GLOBAL ||
                (access->sources && access->source_space == PTX_SHARED);
    if (!access->mask || access->warp >= SIM_MAX_WARPS || !seen)
        return;
    struct hazard_state *state = state_of(data, access->block);
    const struct hazard_checker *checker = state->checker;
    unsigned traits = checker->values.traits[access->pc];
    bool strong = access->order != SIM_WEAK || access->kind == SIM_ATOMIC || access->kind == SIM_REDUCE;
    bool special = strong || state->groups || state->proxies || checker->gap_count || checker->array_of;
    if (special && !note_special(data, state, access, strong))
        return;
    if (access->space == PTX_SHARED && state->order.mbarriers_to && access->kind != SIM_LOAD &&
        access->kind != SIM_MATRIX_LOAD)
        order_overwrites(state, access);
    if (access->space == PTX_SHARED || traits & VALUE_BEHIND)
        state->took_part[access->warp] |= access->mask;
    if (traits & VALUE_DOUBTED)
        doubts_add(state, access);
    else if (!(traits & VALUE_GUESS)) // the swap is the access that counts
        look(state, access);
}

static void hazard_step(void *data, const struct sim_step *step)
{
    struct hazard_state *state = state_of(data, step->block);
    const unsigned char *uses = state->checker->values.uses;
    if (uses && uses[step->pc])
        doubts_step(state, step, look_after_all);
    if (state->groups && group_program_tracks(state->checker->group_program)[step->pc])
        groups_step(state, step);
    if (state->checker->meets && state->checker->meets[step->pc] && step->warp < SIM_MAX_WARPS)
        order_met(&state->order, step);
    if (state->proxies && state->checker->values.ends && state->checker->values.ends[step->pc])
        proxies_use(state, step);
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
    bool is_done = sync->kind != SIM_SYNC_MBARRIER_ASK;
    if (sync->kind != SIM_SYNC_COMPLETE && is_done && sync->warp < SIM_MAX_WARPS)
        note_following(state, sync->warp, sync->pc);
    if (state->doubts.count && is_done)
        doubts_settle(state, sync, look_after_all);
    bool is_proxy = state->proxies && sync->warp < SIM_MAX_WARPS;
    if (is_proxy && sync->kind == SIM_SYNC_PROXY_FENCE)
        proxies_fence(state, sync);
    if (is_proxy && sync->kind == SIM_SYNC_BULK_WAIT)
        proxies_wait(state, sync);
    if (is_proxy && sync->kind == SIM_SYNC_EXIT)
        proxies_exit(state, sync);
    order_sync(state, sync);
}

// The reduction of the first 2, 4, 8 or 16 lanes by shfl.down, over half of them and less: the upper half reads past
// the group, and what it gets is never used. Other part sizes, and larger distances, let it reach the result.
static bool is_tail_of_reduction(const struct hazard_checker *checker, const struct sim_notice *notice)
{
    const struct ptx_inst *inst = sim_program_inst(checker->program, notice->pc, NULL);
    uint32_t lowest = notice->mask & -notice->mask, end = notice->mask + lowest; // one bit, if the lanes are a run
    if (inst->op != PTX_OP_SHFL_SYNC || !ptx_has(inst, PTX_MOD_DOWN) || !end || end & (end - 1))
        return false;
    uint32_t first = (uint32_t)__builtin_ctz(lowest), lanes = (uint32_t)__builtin_ctz(end);
    return !(lanes & (lanes - 1)) && 2 * first >= lanes;
}

static void hazard_notice(void *data, const struct sim_notice *notice)
{
    struct hazard_state *state = state_of(data, notice->block);
    if (notice->kind == SIM_NOTICE_SHUFFLE_INACTIVE && is_tail_of_reduction(state->checker, notice))
        return;
    if (notice->kind == SIM_NOTICE_UNINITIALISED &&
        (state->checker->values.traits[notice->pc] & (VALUE_UNREAD | VALUE_GUESS | VALUE_PUT_BACK) ||
         doubts_add_unset(state, notice)))
        return;
    finding_notice(state, notice);
}

void hazard_checker_take(struct hazard_checker *checker, struct hazard_list *list)
{
    cross_report(checker, checker->cross, &checker->findings);
    findings_take(checker, list);
    cross_free(checker->cross);
    checker->cross = cross_new(checker->global_shift);
}

void hazard_checker_names(struct hazard_checker *checker, const struct hazard_names *names)
{
    checker->names = *names;
}

struct sim_observer hazard_checker_observer(struct hazard_checker *checker)
{
    return (struct sim_observer){.wants = SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL | SIM_WANT_SYNC |
                                          SIM_WANT_NOTICE | SIM_TAKES_SHAPES | (checker->steps ? SIM_WANT_STEP : 0u) |
                                          (checker->group_program ? SIM_WANT_GROUP : 0u) |
                                          (checker->clusters ? SIM_WANT_ACCESS_OTHER : 0u),
                                 .steps = checker->steps,
                                 .in_order = checker->hands_over,
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
