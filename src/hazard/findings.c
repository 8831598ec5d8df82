// What was found: the sets that checks add to while a run goes on, and the list that a person reads when it has ended.
#include "hazard/hazard.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hazard/internal.h"

enum { FINDINGS_MAX = 4096 }; // of different kinds or places

// ---- sets
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

void find_in_shared(struct hazard_state *state, enum hazard_kind kind, uint32_t pc, uint32_t thread, uint32_t other_pc,
                    uint32_t other_thread, uint64_t address)
{
    struct finding finding = {.kind = kind,
                              .pc = pc,
                              .other_pc = other_pc,
                              .space = PTX_SHARED,
                              .block = state->block->linear,
                              .other_block = state->block->linear,
                              .thread = thread,
                              .other_thread = other_thread,
                              .address = address,
                              .count = 1};
    finding_add(state->findings, &finding);
}

// ---- what the simulator itself noticed

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

void finding_notice(struct hazard_state *state, const struct sim_notice *notice)
{
    static const enum hazard_kind kinds[] = {
        [SIM_NOTICE_BARRIER_DIVERGED] = HAZARD_BARRIER_DIVERGED,
        [SIM_NOTICE_BARRIER_UNEVEN] = HAZARD_BARRIER_UNEVEN,
        [SIM_NOTICE_BARRIER_ENDED] = HAZARD_BARRIER_UNEVEN,
        [SIM_NOTICE_MEMBERMASK] = HAZARD_MEMBERMASK,
        [SIM_NOTICE_SHUFFLE_INACTIVE] = HAZARD_SHUFFLE_INACTIVE,
        [SIM_NOTICE_UNINITIALISED] = HAZARD_UNINITIALISED_SHARED,
        [SIM_NOTICE_PEER_ENDED] = HAZARD_PEER_ENDED,
        [SIM_NOTICE_BYTES_LATE] = HAZARD_BYTES_LATE,
        [SIM_NOTICE_DIVISION] = HAZARD_DIVISION,
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
    // What counts for another phase is not there when its own is over.
    if (other->kind == HAZARD_BYTES_LATE && hazard_family(hazard->kind) == FAMILY_RACE)
        return hazard->line == other->line || hazard->other_line == other->line;
    switch (hazard->kind) {
    case HAZARD_PEER_UNMET: // the barrier between the two accesses is the one that lets them meet
        return other->kind == HAZARD_CLUSTER_RACE && (hazard->line == other->line || hazard->line == other->other_line);
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

void findings_take(struct hazard_checker *checker, struct hazard_list *list)
{
    struct finding_set *set = &checker->findings;
    *list = (struct hazard_list){0};
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
        if (hazard_family(findings[i].kind) == FAMILY_UNSET && hazard_reads_for_library(checker, findings[i].pc))
            continue;
        if (findings[i].kind == HAZARD_WARP_RACE && hazard_is_of_groups(checker, findings[i].pc) &&
            hazard_is_of_groups(checker, findings[i].other_pc))
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
}

void hazard_list_free(struct hazard_list *list)
{
    free(list->items);
    *list = (struct hazard_list){0};
}

bool hazard_is_narrower(const struct hazard *hazard, const struct hazard *other)
{
    return hazard->kind == HAZARD_WARP_RACE && other->kind == HAZARD_RACE && same_pair(hazard, other) &&
           !hazard_is_worse(hazard, other);
}

void hazard_list_add(struct hazard_list *list, const struct hazard *hazard)
{
    for (size_t i = 0; i < list->count; i++) {
        struct hazard *other = &list->items[i];
        bool is_same =
            other->kind == hazard->kind && other->line == hazard->line && other->other_line == hazard->other_line;
        if (!is_same && !hazard_is_narrower(hazard, other) && !hazard_is_narrower(other, hazard))
            continue;
        if (is_same ? hazard_is_worse(hazard, other) : other->kind == HAZARD_WARP_RACE)
            *other = *hazard; // another schedule showed that it matters, or that it is wider
        return;
    }
    *mem_append(list->items, list->capacity, list->count) = *hazard;
}
