// Calls, returns and ends of lanes, and the stack they need.
#include "sim/machine.h"

enum { STACK_DEPTH = 2048 }; // calls

static unsigned char *local_at(struct warp *warp, uint32_t lane, uint32_t offset)
{
    return warp->local + lane * warp->local_stride + offset;
}

static bool calls_itself(const struct function *function, const struct frame *frame)
{
    while (frame && frame->function != function)
        frame = frame->caller;
    return frame != NULL;
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
        .used = caller->used + caller->allocated + sim_frame_bytes(function),
        .recurs = caller->recurs || caller->allocated || calls_itself(function, caller),
    };
    frame->top = frame->local + function->frame_size;
    bool fits =
        frame->depth < STACK_DEPTH && sim_stack_fits(x, frame, 0) &&
        sim_registers_grow(&warp->r32, &warp->r32_size, (size_t)frame->base32 + function->size32, warp->unset) &&
        sim_registers_grow(&warp->r64, &warp->r64_size, (size_t)frame->base64 + function->size64, warp->unset) &&
        sim_registers_grow(&warp->pred, &warp->pred_size, (size_t)frame->base_pred + function->size_pred, 0) &&
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
        sim_fault(x, op, first, "calls 0x%llx, which is not a function", (unsigned long long)handle);
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
        return sim_fault(x, op, lane_first(mask),
                         "overflows the stack after %u calls: where functions call themselves a thread has %d bytes, "
                         "unless the host asks for more (cudaLimitStackSize)",
                         caller->depth, SIM_STACK_LIMIT);
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
    struct join *join = sim_join_new(x->warp, op + 1, fragment->frame, fragment->mask, fragment->join);
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
        struct join *own = sim_join_new(x->warp, op + 1, frame, group, join);
        struct fragment *apart = sim_fragment_add(x->warp, NULL, group, join, frame);
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

const struct op *run_ret(struct exec *x, const struct op *op, uint32_t mask)
{
    struct fragment *fragment = x->fragment;
    struct warp *warp = x->warp;
    struct frame *frame = fragment->frame;
    struct join *home = return_join(fragment);
    if (!frame->caller || !home)
        return run_exit(x, op, mask);
    const struct call_site *site = frame->call->call;
    for (uint32_t i = 0; i < site->result_count; i++)
        if (site->results[i].offset + site->results[i].size <= frame->function->source->result_size)
            call_move(x, &site->results[i], frame->caller, frame->local + frame->function->results_at, mask, true);
    for (struct join *join = fragment->join, *parent; join != home; join = parent) {
        parent = join->parent;
        sim_join_leave(warp, join, mask);
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
    return sim_join_arrive(x);
}

const struct op *run_exit(struct exec *x, const struct op *op, uint32_t mask)
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
        sim_join_leave(warp, join, mask);
    }
    fragment->mask &= ~mask;
    bool more = fragment->mask != 0;
    if (more)
        sim_fragment_enter(x, fragment);
    else
        sim_fragment_remove(warp, fragment);
    for (uint32_t i = 0; i < warp->fragment_count; i++) {
        if (warp->fragments[i].state != FRAGMENT_AT_WARP_SYNC)
            continue;
        if (warp->fragments[i].passed & mask) // not those that went straight to their end, as by an early return
            sim_members_notice(x, warp->fragments[i].op, warp->fragments[i].mask, true);
        warp->fragments[i].state = FRAGMENT_READY; // who has ended may be named, and is waited for no more
    }
    sim_barrier_exit(x, mask);
    return more ? op + 1 : NULL;
}
