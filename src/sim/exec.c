// The run loop of a warp, and how its lanes part, meet, call and end.
//
// Where a branch sends lanes both ways, the fragment is split and a join remembers where they meet again: each part
// runs until it is there, and waits for the others in the join. Code in which lanes stay together pays one compare for
// this. A call is a join too: at the instruction after it. Lanes that leave a loop are not waited for within it any
// more.
#include <stdlib.h>

#include "sim/machine.h"
#include "sim/number.h"

enum {
    POLL_LIMIT = 32,       // equal answers in a row that make a spin
    PARKED_LIMIT = 1 << 20 // steps after which parked lanes go on even if nobody seems to spin
};

// ---- fragments and joins

void sim_fragment_enter(struct exec *x, struct fragment *fragment)
{
    struct warp *warp = x->warp;
    const struct frame *frame = fragment->frame;
    x->fragment = fragment;
    x->active = fragment->mask;
    x->join_op = fragment->join && fragment->join->frame == frame ? fragment->join->op : NULL;
    x->base[BASE_R32] = warp->r32 + frame->base32;
    x->base[BASE_R64] = warp->r64 + frame->base64;
    x->base[BASE_PRED] = warp->pred + frame->base_pred;
}

struct fragment *sim_fragment_add(struct warp *warp, const struct op *op, uint32_t mask, struct join *join,
                                  struct frame *frame)
{
    struct fragment *fragment = &warp->fragments[warp->fragment_count++];
    *fragment = (struct fragment){.op = op, .mask = mask, .join = join, .frame = frame};
    return fragment;
}

void sim_fragment_remove(struct warp *warp, struct fragment *fragment)
{
    const struct fragment *last = &warp->fragments[--warp->fragment_count];
    if (fragment != last) // a copy would wait for what was stored just now, and for all stores before
        *fragment = *last;
}

struct join *sim_join_new(struct warp *warp, const struct op *op, struct frame *frame, uint32_t expected,
                          struct join *parent)
{
    struct join *join = warp->free_joins;
    if (join)
        warp->free_joins = join->parent;
    else
        join = mem_alloc(sizeof *join);
    *join = (struct join){.parent = parent, .op = op, .frame = frame, .expected = expected};
    *mem_append(warp->joins, warp->join_capacity, warp->join_count) = join;
    return join;
}

void sim_join_free(struct warp *warp, struct join *join)
{
    size_t at = warp->join_count;
    while (at-- > 0 && warp->joins[at] != join)
        ;
    memmove(&warp->joins[at], &warp->joins[at + 1], (warp->join_count - at - 1) * sizeof(struct join *));
    warp->join_count--;
    if (join->callee) {
        join->callee->caller = warp->free_frames;
        warp->free_frames = join->callee;
    }
    join->parent = warp->free_joins;
    warp->free_joins = join;
}

// lanes will not come to join any more. Those that wait there go on if they were waiting for these only.
void sim_join_leave(struct warp *warp, struct join *join, uint32_t lanes)
{
    join->expected &= ~lanes;
    if (join->expected && join->expected == join->arrived)
        sim_fragment_add(warp, join->op, join->arrived, join->parent, join->frame);
    if (join->expected == join->arrived)
        sim_join_free(warp, join);
}

// The running fragment is at its join.
const struct op *sim_join_arrive(struct exec *x)
{
    struct warp *warp = x->warp;
    struct fragment *fragment = x->fragment;
    struct join *join = fragment->join;
    warp->parked_since = x->step;
    join->arrived |= fragment->mask;
    if (join->arrived != join->expected) {
        sim_fragment_remove(warp, fragment);
        return NULL;
    }
    fragment->mask = join->arrived;
    fragment->join = join->parent;
    fragment->frame = join->frame;
    const struct op *op = join->op;
    sim_join_free(warp, join);
    sim_fragment_enter(x, fragment);
    return op;
}

bool sim_warp_release(struct exec *x, struct warp *warp)
{
    bool any = false;
    for (size_t i = 0; i < warp->join_count; i++) {
        struct join *join = warp->joins[i];
        if (!join->arrived)
            continue;
        for (uint32_t k = 0; k < warp->fragment_count; k++)
            if (warp->fragments[k].state == FRAGMENT_AT_WARP_SYNC)
                warp->fragments[k].passed |= warp->fragments[k].members & join->arrived;
        sim_fragment_add(warp, join->op, join->arrived, join->parent, join->frame);
        join->expected &= ~join->arrived;
        join->arrived = 0;
        any = true;
    }
    warp->parked_since = x->step;
    warp->is_released |= any;
    return any;
}

// Ready fragments that are at one place, in one frame and on the way to one join become one, once lanes had to go on
// without the others of their join: those would stay apart for ever. On a GPU nothing brings lanes together but a join.
static void fragments_merge(struct warp *warp)
{
    for (uint32_t i = 0; i < warp->fragment_count; i++) {
        struct fragment *a = &warp->fragments[i];
        for (uint32_t k = i + 1; a->state == FRAGMENT_READY && !a->forced && k < warp->fragment_count;) {
            struct fragment *b = &warp->fragments[k];
            if (b->state == FRAGMENT_READY && !b->forced && a->op == b->op && a->frame == b->frame &&
                a->join == b->join) {
                a->mask |= b->mask;
                sim_fragment_remove(warp, b);
            } else {
                k++;
            }
        }
    }
}

bool sim_warp_spins(const struct warp *warp)
{
    return warp->polls >= POLL_LIMIT;
}

bool sim_warp_ready(const struct warp *warp)
{
    for (uint32_t i = 0; i < warp->fragment_count; i++)
        if (warp->fragments[i].state == FRAGMENT_READY)
            return true;
    return false;
}

// ---- branches

static uint32_t block_at(const struct exec *x, const struct op *op)
{
    const struct function *function = x->fragment->frame->function;
    return function->source->block_of[op_pc(x, op) - function->first_pc];
}

// Whether lanes that are to meet there would pass the place of the join that they are in: it is the nearer one.
static bool passes_by(const struct exec *x, const struct join *join, const struct op *meet)
{
    return join && join->frame == x->fragment->frame && join->way && !ptx_way_has(join->way, block_at(x, meet));
}

// The running fragment's lanes part: those of mask go to target, the others on to next. Answers where this fragment
// goes on.
static const struct op *fragment_split(struct exec *x, const struct op *op, const struct op *meet,
                                       const struct op *target, const struct op *next, uint32_t mask)
{
    struct fragment *fragment = x->fragment;
    struct warp *warp = x->warp;
    struct join *join = fragment->join;
    uint32_t rest = fragment->mask & ~mask;
    if (meet && passes_by(x, join, meet))
        meet = NULL;
    if (meet && !(join && join->op == meet && join->frame == fragment->frame)) {
        const struct ptx_function *source = fragment->frame->function->source;
        uint32_t way = source->blocks[block_at(x, op)].way;
        join = sim_join_new(warp, meet, fragment->frame, fragment->mask, join);
        join->way = way == UINT32_MAX ? NULL : &source->ways[way];
    }
    if (join != fragment->join)
        warp->parked_since = x->step;
    if (x->launch->schedule == SIM_RANDOM && random_next(&x->block->random) & 1) {
        const struct op *other = target;
        target = next;
        next = other;
        rest = mask;
        mask = fragment->mask & ~rest;
    }
    fragment->join = join;
    fragment->mask = rest;
    sim_fragment_add(warp, target, mask, join, fragment->frame);
    sim_fragment_enter(x, fragment);
    return next;
}

// ---- out of loops

static const struct op *block_op(const struct exec *x, uint32_t block)
{
    const struct function *function = x->fragment->frame->function;
    return x->ops + function->first_pc + function->source->blocks[block].first;
}

// Whether the join is one that lanes on the way from one block to another will not pass: it lies in a loop that they
// have left, or behind one where others leave it.
static bool is_left_behind(const struct exec *x, const struct join *join, uint32_t from, uint32_t to)
{
    const struct ptx_function *source = x->fragment->frame->function->source;
    if (!join || join->frame != x->fragment->frame)
        return false;
    uint32_t block = block_at(x, join->op);
    if (join->way)
        return !ptx_way_has(join->way, to);
    bool is_left = false;
    for (uint32_t loop = source->blocks[from].loop; loop != UINT32_MAX && !is_left && !ptx_loop_has(source, loop, to);
         loop = source->loops[loop].parent)
        is_left = ptx_loop_has(source, loop, block) ||
                  (source->loops[loop].follow == block && ptx_loop_bypasses(source, loop, to));
    return is_left;
}

// Where all lanes of the loops that lead from a block to one outside meet behind them. NULL: nowhere.
static const struct op *place_behind(const struct exec *x, uint32_t from, uint32_t to)
{
    const struct function *function = x->fragment->frame->function;
    const struct ptx_function *source = function->source;
    uint32_t loop = source->blocks[from].loop, meet = UINT32_MAX;
    for (; loop != UINT32_MAX && !ptx_loop_has(source, loop, to); loop = source->loops[loop].parent) {
        bool follows = source->loops[loop].follow != UINT32_MAX && !ptx_loop_bypasses(source, loop, to);
        meet = follows ? source->loops[loop].follow : source->loops[loop].meet;
    }
    return meet == UINT32_MAX ? NULL : block_op(x, meet);
}

// Some lanes of the running fragment, or all, go from op to an instruction outside of a loop or a way: the joins in it
// wait for them no more, and around these is one at which all meet behind it. False: there was none, and nothing is
// done.
static bool leave_places(struct exec *x, const struct op *op, const struct op *to, uint32_t lanes)
{
    struct fragment *fragment = x->fragment;
    struct warp *warp = x->warp;
    struct join *last = fragment->join;
    uint32_t from = block_at(x, op), block = block_at(x, to);
    if (!is_left_behind(x, last, from, block))
        return false;
    while (is_left_behind(x, last->parent, from, block))
        last = last->parent;
    struct join *outer = last->parent, *parent;
    const struct op *meet = last->way ? block_op(x, last->way->outer) : place_behind(x, from, block);
    if (meet && passes_by(x, outer, meet))
        meet = NULL;
    if (meet && !(outer && outer->op == meet && outer->frame == fragment->frame))
        outer = last->parent = sim_join_new(warp, meet, fragment->frame, last->expected, outer);
    for (struct join *join = fragment->join; join != outer; join = parent) {
        parent = join->parent;
        sim_join_leave(warp, join, lanes);
    }
    warp->parked_since = x->step;
    if (lanes == fragment->mask) {
        fragment->join = outer;
    } else {
        fragment->mask &= ~lanes;
        sim_fragment_add(warp, to, lanes, outer, fragment->frame);
    }
    sim_fragment_enter(x, fragment);
    return true;
}

static bool goes_away(const struct exec *x, const struct op *op, const struct op *to)
{
    const struct ptx_function *source = x->fragment->frame->function->source;
    uint32_t from = block_at(x, op), block = block_at(x, to), loop = source->blocks[from].loop;
    uint32_t way = source->blocks[from].way;
    return (loop != UINT32_MAX && !ptx_loop_has(source, loop, block)) ||
           (way != UINT32_MAX && !ptx_way_has(&source->ways[way], block));
}

// All lanes of the running fragment go on below a branch, out of a loop.
static const struct op *leave_below(struct exec *x, const struct op *op)
{
    leave_places(x, op, op + 1, x->active);
    return op + 1;
}

const struct op *sim_run_bra(struct exec *x, const struct op *op, uint32_t mask)
{
    uint32_t below = x->active & ~mask;
    if (op->flags & OP_LEAVES && leave_places(x, op, op->target, mask))
        return !below ? op->target : op->flags & OP_LEAVES_BELOW ? leave_below(x, op) : op + 1;
    if (op->flags & OP_LEAVES_BELOW && below && leave_places(x, op, op + 1, below))
        return op->target;
    if (!below)
        return op->target;
    return fragment_split(x, op, op->join, op->target, op + 1, mask);
}

const struct op *sim_run_brx(struct exec *x, const struct op *op, uint32_t mask)
{
    const uint32_t *index = slot_at(x, op->slot[1]);
    const struct op *here = NULL;
    uint32_t left = mask, rest = x->active & ~mask, leaving = 0;
    FOR_LANES (lane, op->flags & OP_LEAVES ? mask : 0)
        leaving |= (uint32_t)(index[lane] < op->extra && goes_away(x, op, op->targets[index[lane]])) << lane;
    while (left) { // those that leave a loop last: then there is a join in it, which they leave
        // but for those that leave where others wait already
        uint32_t leaver = left & leaving ? lane_first(left & leaving) : 0;
        bool is_now = left & leaving &&
                      is_left_behind(x, x->fragment->join, block_at(x, op), block_at(x, op->targets[index[leaver]]));
        uint32_t first = is_now ? leaver : lane_first(left & ~leaving ? left & ~leaving : left), value = index[first],
                 group = 0;
        if (value >= op->extra)
            return sim_fault(x, op, first, "jumps to entry %u of a table of %u", value, op->extra);
        const struct op *target = op->targets[value];
        FOR_LANES (lane, left)
            if (index[lane] < op->extra && op->targets[index[lane]] == target)
                group |= 1u << lane;
        left &= ~group;
        bool is_last = !left && !rest;
        if (op->flags & OP_LEAVES && leave_places(x, op, target, group)) {
            if (is_last)
                return target;
            here = op;
            continue;
        }
        if (is_last)
            return target;
        here = fragment_split(x, op, op->targets[op->extra], target, op, group);
        if (here != op) { // the random schedule let this fragment take the branch: go on with the other
            x->fragment->op = here;
            sim_fragment_enter(x, &x->warp->fragments[x->warp->fragment_count - 1]);
        }
    }
    return op->flags & OP_LEAVES_BELOW ? leave_below(x, op) : op + 1;
}

// ---- who waits for others' work

// Where lanes of a warp spin apart, at one instruction or at several, each has a place of its own as far as they go.
static struct polled *poll_of(struct warp *warp, const struct op *op, uint32_t pc, uint32_t lane)
{
    struct polled *polls = warp->kept.poll, *first = &polls[(pc + lane) % WARP_POLLS];
    for (uint32_t i = 0; i < WARP_POLLS; i++) {
        struct polled *poll = &polls[(pc + lane + i) % WARP_POLLS];
        if (!poll->op || (poll->op == op && poll->lane == lane))
            return poll;
    }
    return first;
}

bool sim_poll(struct exec *x, const struct op *op, uint32_t mask, const uint64_t *addresses, const uint64_t *values)
{
    struct warp *warp = x->warp;
    uint64_t hash = mask;
    FOR_LANES (lane, mask)
        hash = (hash ^ addresses[lane] ^ values[lane] << 17) * 0x9e3779b97f4a7c15u + (hash >> 29);
    uint32_t first = lane_first(mask);
    struct polled *poll = poll_of(warp, op, op_pc(x, op), first);
    if (poll->op == op && poll->lane == first && poll->hash == hash) {
        warp->polls++;
    } else {
        *poll = (struct polled){op, hash, first};
        warp->polls = 0;
    }
    if (warp->polls < POLL_LIMIT)
        return false;
    x->yield = true;
    x->block->spinning = op;
    return true;
}

const struct op *sim_yield(struct exec *x, const struct op *next)
{
    x->fragment->op = next;
    return NULL;
}

// ---- slow, general handlers

// One lane after another through a function of the operands' bits.
const struct op *sim_run_scalar(struct exec *x, const struct op *op, uint32_t mask)
{
    FOR_LANES (lane, mask) {
        uint64_t v[6] = {0};
        for (uint32_t k = 1; k <= op->sources; k++)
            v[k] = slot_get(x, op, k, lane);
        slot_put(x, op, 0, lane, op->scalar(op, v));
    }
    return op + 1;
}

// Directed rounding: the inner handler under another rounding mode.
const struct op *sim_run_rounded(struct exec *x, const struct op *op, uint32_t mask)
{
    fesetround(fe_mode((enum round_mode)op->rounding));
    const struct op *next = op->inner(x, op, mask);
    fesetround(FE_TONEAREST);
    return next;
}

// ---- the loop

static inline __attribute__((always_inline)) void fragment_loop(struct exec *x, const bool steps)
{
    const struct op *op = x->fragment->op;
    const struct op *const ops = x->ops;
    while (op) {
        if (op == x->join_op) {
            op = sim_join_arrive(x);
            continue;
        }
        if (x->step >= x->step_end) {
            x->fragment->op = op;
            return;
        }
        uint32_t active = x->active;
        uint32_t mask = active & (*(const uint32_t *)slot_at(x, op->guard) ^ op->guard_flip);
        x->step++;
        struct sim_count *counted = &x->counts[op - ops];
        counted->warps++;
        counted->threads += mask == UINT32_MAX ? SIM_LANES : (unsigned)__builtin_popcount(mask);
        const struct op *here = op;
        if (mask) {
            op = op->run(x, op, mask);
        } else {
            if (x->wants)
                sim_watch_skip(x, op);
            op = op->flags & OP_LEAVES_BELOW ? leave_below(x, op) : op + 1;
        }
        if (steps && (!x->step_pcs || x->step_pcs[here - ops]))
            sim_watch_step(x, here, active, mask);
    }
}

static void fragment_run(struct exec *x)
{
    if (x->wants & SIM_WANT_STEP)
        fragment_loop(x, true);
    else
        fragment_loop(x, false);
}

static struct fragment *fragment_pick(struct exec *x, struct warp *warp)
{
    uint32_t count = warp->fragment_count;
    uint32_t first =
        x->launch->schedule == SIM_RANDOM && count > 1 ? (uint32_t)random_next(&x->block->random) : warp->turn;
    for (uint32_t i = 0; i < count; i++) {
        struct fragment *fragment = &warp->fragments[(first + i) % count];
        if (fragment->state == FRAGMENT_READY)
            return fragment;
    }
    return NULL;
}

void sim_warp_run(struct exec *x, struct warp *warp, uint64_t steps)
{
    x->warp = warp;
    x->step = warp->step;
    x->step_end = x->step + steps;
    x->idle = ~warp->live;
    x->base[BASE_WARP] = warp->area;
    x->base[BASE_POOL] = x->program->pool;
    x->yield = false;
    while (x->status == STATUS_OK && x->step < x->step_end) {
        if (warp->fragment_count > 1 && warp->is_released)
            fragments_merge(warp);
        struct fragment *fragment = fragment_pick(x, warp);
        if (!fragment)
            break;
        sim_fragment_enter(x, fragment);
        fragment_run(x);
        if (x->yield)
            break;
    }
    if (warp->join_count && x->step - warp->parked_since > PARKED_LIMIT)
        sim_warp_release(x, warp);
    warp->turn++;
    x->block->steps += x->step - warp->step;
    warp->step = x->step;
}
