// Exchange between the lanes of a warp: shfl, vote, match, redux, activemask, elect; and how the lanes of .sync
// instructions wait for one another.
#include "sim/decode.h"

enum { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };

// ---- who waits for whom

void sim_members_notice(struct exec *x, const struct op *op, uint32_t lanes, bool absent)
{
    if (!(x->wants & SIM_WANT_NOTICE))
        return;
    struct sim_notice notice = {.kind = SIM_NOTICE_MEMBERMASK, .absent = absent, .mask = lanes, .other_pc = UINT32_MAX};
    for (uint32_t i = 0; i < x->warp->fragment_count; i++)
        if (&x->warp->fragments[i] != x->fragment)
            notice.other_pc = op_pc(x, x->warp->fragments[i].op);
    sim_watch_notice(x, op, &notice);
}

// How the running fragment, at op, goes on with one that waits.
enum meeting_kind {
    MEET_NOT,
    MEET_MERGE,    // at the same place: as one from now on
    MEET_BARRIER,  // at another .warp.sync: each by itself
    MEET_EXCHANGE, // in another branch or call, at what has "the same qualifiers and the same membermask" (PTX ISA,
                   // shfl.sync): each by itself, with what both bring
};

static enum meeting_kind meeting_kind(const struct exec *x, const struct op *op, uint32_t members,
                                      const struct fragment *waiting)
{
    const struct op *other = waiting->op;
    if (waiting == x->fragment || waiting->state != FRAGMENT_AT_WARP_SYNC)
        return MEET_NOT;
    if (other == op && waiting->frame == x->fragment->frame && waiting->join == x->fragment->join)
        return MEET_MERGE;
    if (op->flags & OP_WARP_SYNC)
        return other->flags & OP_WARP_SYNC ? MEET_BARRIER : MEET_NOT;
    bool is_alike = other->run == op->run && other->action == op->action && !((other->wide ^ op->wide) & 2) &&
                    !((other->flags ^ op->flags) & OP_SIGNED);
    return is_alike && !((waiting->members ^ members) & x->warp->live) ? MEET_EXCHANGE : MEET_NOT;
}

// The running lanes went past the place where those that wait come to them again, and are at a later instruction: the
// same one by its words only.
static void passed_notice(struct exec *x, const struct op *op, const struct fragment *waiting)
{
    struct sim_notice notice = {
        .kind = SIM_NOTICE_MEMBERMASK, .absent = true, .mask = waiting->mask, .other_pc = op_pc(x, op)};
    if (waiting->passed & x->active && x->wants & SIM_WANT_NOTICE)
        sim_watch_notice(x, waiting->op, &notice);
}

// The fragments that wait for these lanes are not kept any longer.
static void members_join(struct exec *x, const struct op *op, uint32_t members, uint32_t *mask)
{
    struct warp *warp = x->warp;
    for (uint32_t i = 0; i < warp->fragment_count;) {
        struct fragment *other = &warp->fragments[i];
        enum meeting_kind kind = other->mask & members ? meeting_kind(x, op, members, other) : MEET_NOT;
        if (kind == MEET_MERGE) {
            struct fragment *fragment = x->fragment;
            fragment->mask |= other->mask;
            *mask |= other->mask;
            if (fragment == &warp->fragments[warp->fragment_count - 1])
                x->fragment = other;
            sim_fragment_remove(warp, other);
            continue;
        }
        if (kind == MEET_EXCHANGE)
            passed_notice(x, op, other);
        if (kind == MEET_BARRIER)
            other->state = FRAGMENT_READY;
        if (kind != MEET_NOT)
            other->forced = 1;
        i++;
    }
    sim_fragment_enter(x, x->fragment);
}

// group: lanes of *mask that gave the same membermask. Are all of its lanes here? Those that wait for them come along.
static bool members_here(struct exec *x, const struct op *op, uint32_t members, uint32_t group, uint32_t *mask)
{
    const struct warp *warp = x->warp;
    uint32_t wanted = members & warp->live, here = *mask;
    if (group & ~members) {
        sim_members_notice(x, op, group & ~members, false);
        return true;
    }
    // Lanes that are here with another mask, or that a guard keeps away: nobody can wait for them.
    if (wanted & ~group & x->active) {
        sim_members_notice(x, op, group, true);
        return true;
    }
    if (!(wanted & ~here))
        return true;
    for (uint32_t i = 0; i < warp->fragment_count; i++)
        if (meeting_kind(x, op, members, &warp->fragments[i]) != MEET_NOT)
            here |= warp->fragments[i].mask;
    if (wanted & ~here)
        return false;
    members_join(x, op, members, mask);
    return true;
}

// The lanes of waiting stay at op, each group of one mask by itself; false: no other is left to go on.
static bool members_part(struct exec *x, const struct op *op, uint32_t waiting, uint32_t *mask, const uint32_t *members)
{
    struct fragment *fragment = x->fragment, *apart = fragment;
    while (waiting) {
        uint32_t group = lanes_alike(members, waiting);
        waiting &= ~group;
        if (*mask != group) {
            fragment->mask &= ~group;
            apart = sim_fragment_add(x->warp, op, group, fragment->join, fragment->frame);
        } else {
            apart = fragment;
        }
        *mask &= ~group;
        apart->op = op;
        apart->state = FRAGMENT_AT_WARP_SYNC;
        apart->members = members[lane_first(group)] & x->warp->live;
        apart->passed = 0;
    }
    sim_fragment_enter(x, fragment);
    return *mask != 0;
}

// The slot of its membermask.
static uint32_t members_slot(const struct op *op)
{
    return op->run == run_shfl ? 4 : op->run == run_elect ? 1 : 2;
}

// What a lane brings: operand 1.
static uint64_t brought(const struct exec *x, const struct op *op, uint32_t lane)
{
    if (op->run == run_elect)
        return 0;
    if (op->run == run_vote)
        return (*(const uint32_t *)slot_at(x, op->slot[1]) ^ op->extra) >> lane & 1;
    return slot_get(x, op, 1, lane);
}

// Those lanes of the running fragment.
static void meeting_bring(const struct exec *x, const struct op *op, uint32_t mask, struct meeting *meeting)
{
    const uint32_t *members = slot_at(x, op->slot[members_slot(op)]);
    FOR_LANES (lane, mask) {
        meeting->value[lane] = brought(x, op, lane);
        meeting->members[lane] = members[lane];
    }
    meeting->lanes |= mask;
}

static uint32_t op_lanes(const struct exec *x, const struct op *op)
{
    return x->active & (*(const uint32_t *)slot_at(x, op->guard) ^ op->guard_flip);
}

static bool is_to_exchange(const struct fragment *fragment)
{
    return fragment->state == FRAGMENT_AT_WARP_SYNC && fragment->forced;
}

// The fragments that were waiting for an exchange with the running one make it, and are ready to go on.
static void members_exchange(struct exec *x, const struct op *op, uint32_t mask, struct meeting *meeting)
{
    struct warp *warp = x->warp;
    struct fragment *running = x->fragment;
    for (uint32_t i = 0; i < warp->fragment_count; i++) {
        struct fragment *other = &warp->fragments[i];
        if (!is_to_exchange(other))
            continue;
        if (!meeting->lanes)
            meeting_bring(x, op, mask, meeting);
        sim_fragment_enter(x, other);
        meeting_bring(x, other->op, op_lanes(x, other->op), meeting);
        sim_fragment_enter(x, running);
    }
    if (!meeting->lanes)
        return;
    x->meeting = meeting;
    for (uint32_t i = 0; i < warp->fragment_count; i++) {
        struct fragment *other = &warp->fragments[i];
        if (!is_to_exchange(other))
            continue;
        sim_fragment_enter(x, other);
        other->op = other->op->run(x, other->op, op_lanes(x, other->op));
        other->state = FRAGMENT_READY;
    }
    x->meeting = NULL;
    sim_fragment_enter(x, running);
}

bool sim_warp_sync(struct exec *x, const struct op *op, uint32_t *mask, const uint32_t *members,
                   struct meeting *meeting)
{
    uint32_t left = *mask, waiting = 0;
    meeting->lanes = 0;
    if (x->fragment->forced) {
        x->fragment->forced = 0;
        if (x->meeting)
            *meeting = *x->meeting;
        return true;
    }
    while (left) {
        uint32_t group = lanes_alike(members, left);
        left &= ~group;
        if (!members_here(x, op, members[lane_first(group)], group, mask))
            waiting |= group;
    }
    if (waiting && !members_part(x, op, waiting, mask, members))
        return false;
    if (x->warp->fragment_count > 1)
        members_exchange(x, op, *mask, meeting);
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
        sim_members_notice(x, fragment->op, fragment->mask, true);
        fragment->state = FRAGMENT_READY;
        fragment->forced = 1;
        return true;
    }
    return false;
}

// ---- exchange

static void inactive_notice(struct exec *x, const struct op *op, uint32_t lanes)
{
    if (!lanes || !(x->wants & SIM_WANT_NOTICE))
        return;
    struct sim_notice notice = {.kind = SIM_NOTICE_SHUFFLE_INACTIVE, .mask = lanes, .other_pc = UINT32_MAX};
    sim_watch_notice(x, op, &notice);
}

// slots: 0 d, 1 a, 2 b, 3 c, 4 membermask, 5 p. The lane that a lane reads from, and whether that lies in its segment
// (PTX ISA, shfl.sync).
const struct op *run_shfl(struct exec *x, const struct op *op, uint32_t mask)
{
    const uint32_t *masks = slot_at(x, op->slot[4]);
    struct meeting met;
    if (!sim_warp_sync(x, op, &mask, masks, &met))
        return NULL;
    const uint32_t *a = slot_at(x, op->slot[1]), *b = slot_at(x, op->slot[2]), *c = slot_at(x, op->slot[3]);
    uint32_t *d = slot_at(x, op->slot[0]), value[SIM_LANES], p = 0, inactive = 0;
    memcpy(value, a, sizeof value);
    FOR_LANES (lane, met.lanes)
        value[lane] = (uint32_t)met.value[lane];
    masks = met.lanes ? met.members : masks;
    FOR_LANES (lane, mask) {
        int32_t n = (int32_t)(b[lane] & 31), segment = (int32_t)(c[lane] >> 8 & 31), clamp = (int32_t)(c[lane] & 31);
        int32_t here = (int32_t)lane, most = (here & segment) | (clamp & ~segment), least = here & segment, from;
        bool inside;
        switch (op->action) {
        case SHFL_UP:
            from = here - n;
            inside = from >= most;
            break;
        case SHFL_DOWN:
            from = here + n;
            inside = from <= most;
            break;
        case SHFL_BFLY:
            from = here ^ n;
            inside = from <= most;
            break;
        default:
            from = least | (n & ~segment);
            inside = from <= most;
        }
        if (!inside)
            from = here;
        d[lane] = value[from & 31];
        p |= (uint32_t)inside << lane;
        if (!((mask | met.lanes) >> (from & 31) & 1) || masks[from & 31] != masks[lane])
            inactive |= 1u << lane;
    }
    pred_put(slot_at(x, op->slot[5]), mask, p);
    inactive_notice(x, op, inactive);
    return op + 1;
}

// Lanes that give the same membermask form a group; each group is by itself.
struct members {
    uint32_t group, named; // named: those of the group that its mask names, or all if it names none
};

static struct members members_next(const uint32_t *masks, uint32_t *left, uint32_t mask)
{
    uint32_t group = lanes_alike(masks, *left), named = masks[lane_first(group)] & mask;
    *left &= ~group;
    return (struct members){group, named ? named : group};
}

enum { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };

const struct op *run_vote(struct exec *x, const struct op *op, uint32_t mask)
{
    const uint32_t *masks = slot_at(x, op->slot[2]);
    struct meeting met;
    if (!sim_warp_sync(x, op, &mask, masks, &met))
        return NULL;
    uint32_t asked = *(const uint32_t *)slot_at(x, op->slot[1]) ^ op->extra, answer = 0;
    FOR_LANES (lane, met.lanes)
        asked = (asked & ~(1u << lane)) | (uint32_t)met.value[lane] << lane;
    for (uint32_t left = mask; left;) {
        struct members members = members_next(masks, &left, mask | met.lanes);
        uint32_t p = asked & members.named, *d = slot_at(x, op->slot[0]);
        if (op->action == VOTE_BALLOT) {
            FOR_LANES (lane, members.group)
                d[lane] = p;
            continue;
        }
        bool yes = op->action == VOTE_ALL   ? p == members.named
                   : op->action == VOTE_ANY ? p != 0
                                            : p == 0 || p == members.named;
        answer |= yes ? members.group : 0;
    }
    if (op->action != VOTE_BALLOT)
        pred_put(slot_at(x, op->slot[0]), mask, answer);
    return op + 1;
}

// slots: 0 d, 1 a, 2 membermask, 3 p. action: 0 any, 1 all
const struct op *run_match(struct exec *x, const struct op *op, uint32_t mask)
{
    const uint32_t *masks = slot_at(x, op->slot[2]);
    struct meeting met;
    if (!sim_warp_sync(x, op, &mask, masks, &met))
        return NULL;
    uint32_t p = 0, result[SIM_LANES] = {0};
    if (!met.lanes)
        meeting_bring(x, op, mask, &met);
    for (uint32_t left = mask; left;) {
        struct members members = members_next(masks, &left, met.lanes);
        FOR_LANES (lane, members.group) {
            FOR_LANES (other, members.named)
                result[lane] |= (uint32_t)(met.value[lane] == met.value[other]) << other;
            if (!op->action)
                continue;
            p |= (uint32_t)(result[lane] == members.named) << lane;
            result[lane] = result[lane] == members.named ? members.named : 0;
        }
    }
    uint32_t *d = slot_at(x, op->slot[0]);
    FOR_LANES (lane, mask)
        d[lane] = result[lane];
    if (op->action)
        pred_put(slot_at(x, op->slot[3]), mask, p);
    return op + 1;
}

enum { REDUX_ADD, REDUX_MIN, REDUX_MAX, REDUX_AND, REDUX_OR, REDUX_XOR };

static uint32_t redux_apply(const struct op *op, uint32_t a, uint32_t b)
{
    bool less = op->flags & OP_SIGNED ? (int32_t)a < (int32_t)b : a < b;
    switch (op->action) {
    case REDUX_ADD:
        return a + b;
    case REDUX_MIN:
        return less ? a : b;
    case REDUX_MAX:
        return less ? b : a;
    case REDUX_AND:
        return a & b;
    case REDUX_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

const struct op *run_redux(struct exec *x, const struct op *op, uint32_t mask)
{
    const uint32_t *masks = slot_at(x, op->slot[2]);
    struct meeting met;
    if (!sim_warp_sync(x, op, &mask, masks, &met))
        return NULL;
    uint32_t *d = slot_at(x, op->slot[0]), answer[SIM_LANES];
    if (!met.lanes)
        meeting_bring(x, op, mask, &met);
    for (uint32_t left = mask; left;) {
        struct members members = members_next(masks, &left, met.lanes);
        uint32_t first = lane_first(members.named), result = (uint32_t)met.value[first];
        FOR_LANES (lane, members.named & ~(1u << first))
            result = redux_apply(op, result, (uint32_t)met.value[lane]);
        FOR_LANES (lane, members.group)
            answer[lane] = result;
    }
    FOR_LANES (lane, mask)
        d[lane] = answer[lane];
    return op + 1;
}

const struct op *run_activemask(struct exec *x, const struct op *op, uint32_t mask)
{
    uint32_t *d = slot_at(x, op->slot[0]);
    FOR_LANES (lane, mask)
        d[lane] = mask;
    return op + 1;
}

// PTX does not say which lane is elected, but that it is the same one whenever the mask is: GPUs take the lowest. Who
// counts on that finds another one where schedules are drawn.
static uint32_t elected(const struct exec *x, uint32_t named)
{
    uint32_t left = named;
    if (x->launch->schedule != SIM_RANDOM)
        return lane_first(named);
    for (uint64_t skip = random_of(x->launch->seed ^ named) % (uint32_t)__builtin_popcount(named); skip; skip--)
        left &= left - 1;
    return lane_first(left);
}

const struct op *run_elect(struct exec *x, const struct op *op, uint32_t mask)
{
    const uint32_t *masks = slot_at(x, op->slot[1]);
    struct meeting met;
    if (!sim_warp_sync(x, op, &mask, masks, &met))
        return NULL;
    uint32_t *d = slot_at(x, op->slot[0]), leaders = 0, answer[SIM_LANES];
    for (uint32_t left = mask; left;) {
        struct members members = members_next(masks, &left, mask | met.lanes);
        uint32_t leader = elected(x, members.named);
        FOR_LANES (lane, members.group)
            answer[lane] = leader;
        leaders |= 1u << leader;
    }
    FOR_LANES (lane, mask)
        d[lane] = answer[lane];
    pred_put(slot_at(x, op->slot[2]), mask, leaders);
    return op + 1;
}
