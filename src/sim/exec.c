// The run loop of a warp, and how its lanes part, meet, call and end.
//
// Where a branch sends lanes both ways, the fragment is split and a join remembers the immediate post-dominator: each
// part runs until it stands there, and waits for the others in the join. Code in which lanes stay together pays one
// compare for this. A call is a join too: at the instruction after it.
#include <fenv.h>
#include <stdlib.h>

#include "sim/decode.h"

enum {
    STACK_DEPTH = 2048,                  // calls
    STACK_BYTES = 64 * 1024,             // local memory of a thread besides the entry's own
    REGISTER_FILE = 16 << 20,            // bytes of one kind of registers of a warp
    POLL_LIMIT = 32,                     // equal answers in a row that make a spin
    PARKED_LIMIT = 1 << 20               // steps after which parked lanes go on even if nobody seems to spin
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

static struct fragment *fragment_add(struct warp *warp, const struct op *op, uint32_t mask, struct join *join,
                                     struct frame *frame)
{
    struct fragment *fragment = &warp->fragments[warp->fragment_count++];
    *fragment = (struct fragment){.op = op, .mask = mask, .join = join, .frame = frame};
    return fragment;
}

static void fragment_remove(struct warp *warp, struct fragment *fragment)
{
    *fragment = warp->fragments[--warp->fragment_count];
}

static struct join *join_new(struct warp *warp, const struct op *op, struct frame *frame, uint32_t expected,
                             struct join *parent)
{
    struct join *join = warp->free_joins;
    if (join)
        warp->free_joins = join->parent;
    else
        join = mem_alloc(sizeof *join);
    *join = (struct join){.parent = parent, .op = op, .frame = frame, .expected = expected};
    mem_reserve((void **)&warp->joins, &warp->join_capacity, warp->join_count, sizeof *warp->joins);
    warp->joins[warp->join_count++] = join;
    return join;
}

static void join_free(struct warp *warp, struct join *join)
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
static void join_leave(struct warp *warp, struct join *join, uint32_t lanes)
{
    join->expected &= ~lanes;
    if (join->expected && join->expected == join->arrived)
        fragment_add(warp, join->op, join->arrived, join->parent, join->frame);
    if (join->expected == join->arrived)
        join_free(warp, join);
}

// The running fragment stands at its join.
static const struct op *join_arrive(struct exec *x)
{
    struct warp *warp = x->warp;
    struct fragment *fragment = x->fragment;
    struct join *join = fragment->join;
    warp->parked_since = x->step;
    join->arrived |= fragment->mask;
    if (join->arrived != join->expected) {
        fragment_remove(warp, fragment);
        return NULL;
    }
    fragment->mask = join->arrived;
    fragment->join = join->parent;
    fragment->frame = join->frame;
    const struct op *op = join->op;
    join_free(warp, join);
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
        fragment_add(warp, join->op, join->arrived, join->parent, join->frame);
        join->expected &= ~join->arrived;
        join->arrived = 0;
        any = true;
    }
    warp->parked_since = x->step;
    return any;
}

// Ready fragments that stand at one place, in one frame and on the way to one join become one.
static void fragments_merge(struct warp *warp)
{
    for (uint32_t i = 0; i < warp->fragment_count; i++) {
        struct fragment *a = &warp->fragments[i];
        for (uint32_t k = i + 1; a->state == FRAGMENT_READY && !a->forced && k < warp->fragment_count;) {
            struct fragment *b = &warp->fragments[k];
            if (b->state == FRAGMENT_READY && !b->forced && a->op == b->op && a->frame == b->frame &&
                a->join == b->join) {
                a->mask |= b->mask;
                fragment_remove(warp, b);
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

// The running fragment's lanes part: those of mask go to target, the others on to next. Answers where this fragment
// goes on.
static const struct op *fragment_split(struct exec *x, const struct op *meet, const struct op *target,
                                       const struct op *next, uint32_t mask)
{
    struct fragment *fragment = x->fragment;
    struct warp *warp = x->warp;
    struct join *join = fragment->join;
    uint32_t rest = fragment->mask & ~mask;
    if (meet && !(join && join->op == meet && join->frame == fragment->frame))
        join = join_new(warp, meet, fragment->frame, fragment->mask, join);
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
    fragment_add(warp, target, mask, join, fragment->frame);
    sim_fragment_enter(x, fragment);
    return next;
}

const struct op *sim_run_bra(struct exec *x, const struct op *op, uint32_t mask)
{
    if (mask == x->active)
        return op->target;
    return fragment_split(x, op->join, op->target, op + 1, mask);
}

const struct op *sim_run_brx(struct exec *x, const struct op *op, uint32_t mask)
{
    const uint32_t *index = slot_at(x, op->slot[1]);
    const struct op *here = NULL;
    uint32_t left = mask, rest = x->active & ~mask;
    while (left) {
        uint32_t first = lane_first(left), value = index[first], group = 0;
        if (value >= op->extra)
            return sim_fault(x, op, first, "jumps to entry %u of a table of %u", value, op->extra);
        const struct op *target = op->targets[value];
        FOR_LANES (lane, left)
            if (index[lane] < op->extra && op->targets[index[lane]] == target)
                group |= 1u << lane;
        left &= ~group;
        if (!left && !rest)
            return target;
        here = fragment_split(x, op->targets[op->extra], target, op, group);
        if (here != op) {                // the random schedule let this fragment take the branch: go on with the other
            x->fragment->op = here;
            sim_fragment_enter(x, &x->warp->fragments[x->warp->fragment_count - 1]);
        }
    }
    return op + 1;
}

// ---- calls

static bool grow(unsigned char **data, size_t *size, size_t wanted)
{
    if (wanted <= *size)
        return true;
    if (wanted > REGISTER_FILE)
        return false;
    size_t bytes = *size * 2 > wanted ? *size * 2 : wanted;
    bytes = (bytes + 127) / 128 * 128;
    unsigned char *moved = aligned_alloc(128, bytes);
    if (!moved)
        return false;
    memset(moved, 0, bytes);
    if (*data)
        memcpy(moved, *data, *size);
    free(*data);
    *data = moved;
    *size = bytes;
    return true;
}

bool sim_local_grow(struct warp *warp, size_t bytes)
{
    if (bytes <= warp->local_stride)
        return true;
    size_t stride = bytes > 2 * warp->local_stride ? bytes : 2 * warp->local_stride;
    // An odd number of cache lines: the lanes' copies of a variable do not crowd into a few sets of the host's cache.
    stride = ((stride + 63) / 64 | 1) * 64;
    unsigned char *moved = mem_alloc(stride * SIM_LANES);
    for (size_t lane = 0; lane < SIM_LANES && warp->local_stride; lane++)
        memcpy(moved + lane * stride, warp->local + lane * warp->local_stride, warp->local_stride);
    free(warp->local);
    warp->local = moved;
    warp->local_stride = stride;
    return true;
}

bool sim_stack_fits(const struct exec *x, uint64_t top)
{
    return top <= x->program->functions[0]->frame_size + (uint64_t)STACK_BYTES;
}

static unsigned char *local_at(struct warp *warp, uint32_t lane, uint32_t offset)
{
    return warp->local + lane * warp->local_stride + offset;
}

static struct frame *frame_new(struct exec *x, const struct function *function, struct frame *caller)
{
    struct warp *warp = x->warp;
    struct frame *frame = warp->free_frames;
    if (frame)
        warp->free_frames = frame->caller;
    else
        frame = mem_alloc(sizeof *frame);
    *frame = (struct frame){
        .caller = caller,
        .function = function,
        .base32 = caller->base32 + caller->function->size32,
        .base64 = caller->base64 + caller->function->size64,
        .base_pred = caller->base_pred + caller->function->size_pred,
        .local = (caller->top + 15) / 16 * 16,
        .depth = caller->depth + 1,
    };
    frame->top = frame->local + function->frame_size;
    bool fits = frame->depth < STACK_DEPTH && sim_stack_fits(x, frame->top) &&
                grow(&warp->r32, &warp->r32_size, (size_t)frame->base32 + function->size32) &&
                grow(&warp->r64, &warp->r64_size, (size_t)frame->base64 + function->size64) &&
                grow(&warp->pred, &warp->pred_size, (size_t)frame->base_pred + function->size_pred) &&
                sim_local_grow(warp, frame->top);
    if (fits)
        return frame;
    frame->caller = warp->free_frames;
    warp->free_frames = frame;
    return NULL;
}

// Moves one argument or result between the caller (a .param variable in its frame, or a register) and the callee's
// block in local memory.
static void call_move(struct exec *x, const struct call_value *value, const struct frame *caller, uint32_t block,
                      uint32_t mask, bool back)
{
    struct warp *warp = x->warp;
    const uint32_t base[3] = {caller->base32, caller->base64, caller->base_pred};
    unsigned char *const file[3] = {warp->r32, warp->r64, warp->pred};
    uint32_t kind = value->slot >> SLOT_SHIFT, at = value->slot & SLOT_MASK;
    unsigned char *slot = kind <= BASE_PRED ? file[kind] + base[kind] + at : x->base[kind] + at;
    FOR_LANES (lane, mask) {
        unsigned char *inside = local_at(warp, lane, block + value->offset);
        unsigned char *outside = value->in_memory ? local_at(warp, lane, caller->local + value->at)
                                 : value->wide    ? slot + 8 * lane
                                                  : slot + 4 * lane;
        if (value->pred) {
            uint32_t bit = *(uint32_t *)(void *)slot >> lane & 1;
            if (back)
                pred_put(slot, 1u << lane, (uint32_t)(*inside & 1) << lane);
            else
                *inside = (unsigned char)bit;
        } else if (back && !value->in_memory) {
            memset(outside, 0, value->wide ? 8 : 4);
            memcpy(outside, inside, value->size);
        } else {
            memcpy(back ? outside : inside, back ? inside : outside, value->size);
        }
    }
}

static const struct function *callee_of(struct exec *x, const struct op *op, uint32_t *mask)
{
    if (op->call->callee)
        return op->call->callee;
    uint32_t first = lane_first(*mask), group = 0;
    uint64_t handle = slot_get(x, op, 1, first);
    FOR_LANES (lane, *mask)
        if (slot_get(x, op, 1, lane) == handle)
            group |= 1u << lane;
    *mask = group;
    uint64_t number = (handle - FUNCTION_HANDLE) / 16;
    if (handle < FUNCTION_HANDLE || handle % 16 || number >= x->program->function_count) {
        sim_fault(x, op, first, "calls 0x%llx, which is no function", (unsigned long long)handle);
        return NULL;
    }
    return x->program->functions[number];
}

// Lets the lanes of mask, all of them in this fragment, run callee and come back to join.
static const struct op *call_enter(struct exec *x, const struct op *op, const struct function *callee, uint32_t mask,
                                   struct join *join)
{
    struct fragment *fragment = x->fragment;
    struct frame *caller = join->frame, *frame = frame_new(x, callee, caller);
    const struct call_site *site = op->call;
    if (!frame)
        return sim_fault(x, op, lane_first(mask), "overflows the stack after %u calls", caller->depth);
    frame->call = op;
    join->callee = frame;
    bool matches = site->argument_count <= callee->source->param_count || site->callee;
    for (uint32_t i = 0; i < site->argument_count; i++) {
        if (!matches || site->arguments[i].offset + site->arguments[i].size > callee->source->param_size)
            return sim_fault(x, op, lane_first(mask), "passes more than `%s` takes", callee->source->name);
        call_move(x, &site->arguments[i], caller, frame->local + callee->params_at, mask, false);
    }
    fragment->mask = mask;
    fragment->join = join;
    fragment->frame = frame;
    sim_fragment_enter(x, fragment);
    uint64_t *local = slot_at(x, callee->local_slot);
    FOR_LANES (lane, mask)
        local[lane] = frame->local;
    return x->ops + callee->first_pc;
}

const struct op *sim_run_call(struct exec *x, const struct op *op, uint32_t mask)
{
    if (op->call->builtin != BUILTIN_NONE)
        return sim_call_builtin(x, op, op->call, mask);
    struct fragment *fragment = x->fragment;
    struct join *join = join_new(x->warp, op + 1, fragment->frame, fragment->mask, fragment->join);
    struct frame *frame = fragment->frame;
    join->arrived = fragment->mask & ~mask;
    const struct op *next = NULL;
    while (mask) {
        uint32_t group = mask;
        const struct function *callee = callee_of(x, op, &group);
        if (!callee)
            return NULL;
        mask &= ~group;
        if (!mask)
            return call_enter(x, op, callee, group, join);
        // Several callees: each group of lanes is a fragment with a join of its own inside the common one.
        struct join *own = join_new(x->warp, op + 1, frame, group, join);
        struct fragment *apart = fragment_add(x->warp, NULL, group, join, frame);
        struct fragment *rest = fragment;
        rest->mask = mask;
        sim_fragment_enter(x, apart);
        next = call_enter(x, op, callee, group, own);
        if (!next)
            return NULL;
        apart->op = next;
        sim_fragment_enter(x, rest);
    }
    return next;
}

static struct join *return_join(struct fragment *fragment)
{
    struct join *join = fragment->join;
    while (join && join->callee != fragment->frame)
        join = join->parent;
    return join;
}

const struct op *sim_run_ret(struct exec *x, const struct op *op, uint32_t mask)
{
    struct fragment *fragment = x->fragment;
    struct warp *warp = x->warp;
    struct frame *frame = fragment->frame;
    struct join *home = return_join(fragment);
    if (!frame->caller || !home)
        return sim_run_exit(x, op, mask);
    const struct call_site *site = frame->call->call;
    for (uint32_t i = 0; i < site->result_count; i++)
        if (site->results[i].offset + site->results[i].size <= frame->function->source->result_size)
            call_move(x, &site->results[i], frame->caller, frame->local + frame->function->results_at, mask, true);
    for (struct join *join = fragment->join, *parent; join != home; join = parent) {
        parent = join->parent;
        join_leave(warp, join, mask);
    }
    fragment->mask &= ~mask;
    if (fragment->mask) {
        home->arrived |= mask;
        sim_fragment_enter(x, fragment);
        return op + 1;
    }
    fragment->mask = mask;
    fragment->join = home;
    sim_fragment_enter(x, fragment);
    return join_arrive(x);
}

static void sync_notice(struct exec *x, const struct op *op, uint32_t lanes)
{
    if (!(x->wants & SIM_WANT_NOTICE))
        return;
    struct sim_notice notice = {.kind = SIM_NOTICE_MEMBERMASK, .mask = lanes, .other_pc = UINT32_MAX};
    for (uint32_t i = 0; i < x->warp->fragment_count; i++)
        if (&x->warp->fragments[i] != x->fragment)
            notice.other_pc = op_pc(x, x->warp->fragments[i].op);
    sim_watch_notice(x, op, &notice);
}

const struct op *sim_run_exit(struct exec *x, const struct op *op, uint32_t mask)
{
    struct fragment *fragment = x->fragment;
    struct warp *warp = x->warp;
    warp->live &= ~mask;
    warp->exit_pc = op_pc(x, op);
    x->idle = ~warp->live;
    warp->parked_since = x->step;
    if (x->wants & SIM_WANT_SYNC) {
        struct sim_sync sync = {.kind = SIM_SYNC_EXIT, .mask = mask};
        sim_watch_sync(x, op, &sync);
    }
    sim_bulk_land_exit(x, mask);
    for (struct join *join = fragment->join, *parent; join; join = parent) {
        parent = join->parent;
        join_leave(warp, join, mask);
    }
    fragment->mask &= ~mask;
    bool more = fragment->mask != 0;
    if (more)
        sim_fragment_enter(x, fragment);
    else
        fragment_remove(warp, fragment);
    for (uint32_t i = 0; i < warp->fragment_count; i++) {
        if (warp->fragments[i].state != FRAGMENT_AT_WARP_SYNC)
            continue;
        if (warp->fragments[i].members & mask)
            sync_notice(x, warp->fragments[i].op, warp->fragments[i].mask);   // these lanes were waited for
        warp->fragments[i].state = FRAGMENT_READY;   // looks again who is left
    }
    sim_barrier_exit(x, mask);
    return more ? op + 1 : NULL;
}

// ---- warp-wide instructions

static bool waits_with(const struct fragment *a, const struct fragment *b, const struct op *op, bool meeting)
{
    if (b == a || b->state != FRAGMENT_AT_WARP_SYNC)
        return false;
    if (b->op == op)
        return b->frame == a->frame && b->join == a->join;
    return meeting && b->op->flags & OP_WARP_SYNC;
}

bool sim_warp_sync(struct exec *x, const struct op *op, uint32_t *mask, const uint32_t *members)
{
    struct fragment *fragment = x->fragment;
    struct warp *warp = x->warp;
    uint32_t wanted = members[lane_first(*mask)], outside = 0;
    FOR_LANES (lane, *mask)
        if (!(members[lane] >> lane & 1))
            outside |= 1u << lane;
    if (fragment->forced) {
        fragment->forced = 0;
        return true;
    }
    if (outside) {
        sync_notice(x, op, outside);
        return true;
    }
    wanted &= warp->live;
    if ((wanted & ~*mask) == 0)
        return true;
    if (*mask != x->active && (wanted & ~*mask & x->active)) {
        sync_notice(x, op, *mask);       // a guard keeps some of them away
        return true;
    }
    bool meeting = (op->flags & OP_WARP_SYNC) != 0;
    uint32_t here = *mask;
    for (uint32_t i = 0; i < warp->fragment_count; i++)
        if (waits_with(fragment, &warp->fragments[i], op, meeting))
            here |= warp->fragments[i].mask;
    if (wanted & ~here) {
        fragment->op = op;
        fragment->state = FRAGMENT_AT_WARP_SYNC;
        fragment->members = wanted;
        return false;
    }
    for (uint32_t i = 0; i < warp->fragment_count;) {
        struct fragment *other = &warp->fragments[i];
        if (!waits_with(fragment, other, op, meeting) || !(other->mask & wanted)) {
            i++;
        } else if (other->op == op) {
            fragment->mask |= other->mask;
            *mask |= other->mask;
            if (fragment == &warp->fragments[warp->fragment_count - 1])
                fragment = other;
            fragment_remove(warp, other);
        } else {
            other->state = FRAGMENT_READY;
            other->forced = 1;
            i++;
        }
    }
    sim_fragment_enter(x, fragment);
    return true;
}

bool sim_warp_force(struct exec *x, struct warp *warp)
{
    for (uint32_t i = 0; i < warp->fragment_count; i++) {
        struct fragment *fragment = &warp->fragments[i];
        if (fragment->state != FRAGMENT_AT_WARP_SYNC)
            continue;
        x->warp = warp;
        x->step = warp->step;
        x->idle = ~warp->live;
        sim_fragment_enter(x, fragment);
        sync_notice(x, fragment->op, fragment->mask);
        fragment->state = FRAGMENT_READY;
        fragment->forced = 1;
        return true;
    }
    return false;
}

bool sim_poll(struct exec *x, const struct op *op, uint32_t mask, const uint64_t *addresses, const uint64_t *values)
{
    struct warp *warp = x->warp;
    uint64_t hash = mask;
    FOR_LANES (lane, mask)
        hash = (hash ^ addresses[lane] ^ values[lane] << 17) * 0x9e3779b97f4a7c15u + (hash >> 29);
    struct poll *poll = &warp->poll[op_pc(x, op) % WARP_POLLS];
    if (poll->op == op && poll->hash == hash) {
        warp->polls++;
    } else {
        *poll = (struct poll){op, hash};
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
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    int before = fegetround();
    fesetround(modes[op->rounding & 3]);
    const struct op *next = op->inner(x, op, mask);
    fesetround(before);
    return next;
}

// ---- the loop

static inline __attribute__((always_inline)) void fragment_loop(struct exec *x, const bool steps)
{
    const struct op *op = x->fragment->op;
    const struct op *const ops = x->ops;
    while (op) {
        if (op == x->join_op) {
            op = join_arrive(x);
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
            op++;
        }
        if (steps)
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
    uint32_t first = x->launch->schedule == SIM_RANDOM && count > 1 ? (uint32_t)random_next(&x->block->random) : warp->turn;
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
        if (warp->fragment_count > 1)
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

// ---- beginning and end of a warp

static uint32_t thread_coordinate(const struct exec *x, uint32_t thread, uint32_t axis)
{
    const uint32_t *shape = x->launch->block;
    return axis == 0 ? thread % shape[0] : axis == 1 ? thread / shape[0] % shape[1] : thread / shape[0] / shape[1];
}

static uint64_t special_value(const struct exec *x, const struct block *block, const struct warp *warp, uint32_t lane,
                              const struct special_use *use)
{
    const struct sim_launch *launch = x->launch;
    uint32_t axis = use->element ? use->element - 1u : 0, bit = 1u << lane;
    bool triple = axis < 3;
    uint32_t shared = block->view.shared_size;
    switch (use->special) {
    case PTX_SPECIAL_TID:
        return triple ? thread_coordinate(x, warp->first_thread + lane, axis) : 0;
    case PTX_SPECIAL_NTID:
        return triple ? launch->block[axis] : 1;
    case PTX_SPECIAL_CTAID:
    case PTX_SPECIAL_CLUSTERID:
        return triple ? block->index[axis] : 0;
    case PTX_SPECIAL_NCTAID:
    case PTX_SPECIAL_NCLUSTERID:
        return triple ? launch->grid[axis] : 1;
    case PTX_SPECIAL_LANEID:
        return lane;
    case PTX_SPECIAL_WARPID:
        return warp->number;
    case PTX_SPECIAL_NWARPID:
        return SIM_MAX_WARPS;
    case PTX_SPECIAL_NSMID:
    case PTX_SPECIAL_CLUSTER_NCTARANK:
    case PTX_SPECIAL_CLUSTER_NCTAID:
    case PTX_SPECIAL_GRIDID:
        return 1;
    case PTX_SPECIAL_LANEMASK_EQ:
        return bit;
    case PTX_SPECIAL_LANEMASK_LT:
        return bit - 1;
    case PTX_SPECIAL_LANEMASK_LE:
        return bit | (bit - 1);
    case PTX_SPECIAL_LANEMASK_GT:
        return ~(bit | (bit - 1));
    case PTX_SPECIAL_LANEMASK_GE:
        return ~(bit - 1);
    case PTX_SPECIAL_TOTAL_SMEM_SIZE:
    case PTX_SPECIAL_AGGR_SMEM_SIZE:
        return shared;
    case PTX_SPECIAL_DYNAMIC_SMEM_SIZE:
        return launch->dynamic_shared;
    case PTX_SPECIAL_WARP_SZ:
        return SIM_LANES;
    default:
        return 0;                        // one SM, no cluster, no reserved shared memory, no graph
    }
}

static void warp_reserve(struct exec *x, struct warp *warp)
{
    const struct function *entry = x->program->functions[0];
    grow(&warp->r32, &warp->r32_size, entry->size32 + R32_BYTES);
    grow(&warp->r64, &warp->r64_size, entry->size64);
    grow(&warp->pred, &warp->pred_size, entry->size_pred + 4);
    if (!warp->area) {
        size_t size = (x->program->warp_area + 127) / 128 * 128;
        warp->area = aligned_alloc(128, size);
    }
    if (entry->frame_size)
        sim_local_grow(warp, entry->frame_size);
}

// Most special registers of a warp are the same in every block: those are filled once.
static void warp_specials(struct exec *x, struct block *block, struct warp *warp)
{
    const struct sim_program *program = x->program;
    memset(warp->area, 0, WARP_SPECIALS);
    for (size_t i = 0; i < program->special_count; i++) {
        const struct special_use *use = &program->specials[i];
        unsigned char *at = warp->area + use->offset;
        bool of_block = use->special == PTX_SPECIAL_CTAID || use->special == PTX_SPECIAL_CLUSTERID;
        if (warp->specials_filled && !of_block)
            continue;
        if (of_block && !use->wide) {
            uint32_t value = (uint32_t)special_value(x, block, warp, 0, use);
            for (uint32_t lane = 0; lane < SIM_LANES; lane++)
                ((uint32_t *)(void *)at)[lane] = value;
            continue;
        }
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            uint64_t value = special_value(x, block, warp, lane, use);
            memcpy(at + (use->wide ? 8 : 4) * lane, &value, use->wide ? 8 : 4);
        }
    }
    warp->specials_filled = true;
}

static void warp_recycle(struct warp *warp)
{
    while (warp->join_count)
        join_free(warp, warp->joins[warp->join_count - 1]);
    warp->fragment_count = 0;
    while (warp->copy_count)
        free(warp->copies[--warp->copy_count]);
}

void sim_warp_begin(struct exec *x, struct block *block, uint32_t number)
{
    struct warp *warp = &block->warps[number];
    warp_recycle(warp);
    warp_reserve(x, warp);
    memset(warp->r32, 0, warp->r32_size);
    memset(warp->r64, 0, warp->r64_size);
    memset(warp->pred, 0, warp->pred_size);
    if (warp->local)
        memset(warp->local, 0, warp->local_stride * SIM_LANES);
    uint32_t left = block->threads - number * SIM_LANES;
    warp->number = number;
    warp->first_thread = number * SIM_LANES;
    warp->lanes = warp->live = left >= SIM_LANES ? UINT32_MAX : (1u << left) - 1;
    warp->turn = 0;
    warp->step = warp->parked_since = 0;
    warp->polls = 0;
    memset(warp->poll, 0, sizeof warp->poll);
    memset(warp->committed, 0, sizeof warp->committed);
    memset(warp->cluster_phase, 0, sizeof warp->cluster_phase);
    const struct function *entry = x->program->functions[0];
    warp->root = (struct frame){.function = entry, .top = entry->frame_size};
    fragment_add(warp, x->program->ops, warp->live, NULL, &warp->root);
    warp_specials(x, block, warp);
}

void sim_warp_free(struct warp *warp)
{
    warp_recycle(warp);
    for (struct join *join = warp->free_joins, *next; join; join = next) {
        next = join->parent;
        free(join);
    }
    for (struct frame *frame = warp->free_frames, *next; frame; frame = next) {
        next = frame->caller;
        free(frame);
    }
    free(warp->joins);
    free(warp->copies);
    free(warp->r32);
    free(warp->r64);
    free(warp->pred);
    free(warp->area);
    free(warp->local);
}
