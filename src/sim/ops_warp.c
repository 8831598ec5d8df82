// Exchange between the lanes of a warp: shfl, vote, match, redux, activemask, elect.
#include "sim/decode.h"

enum { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX };

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
    if (!sim_warp_sync(x, op, &mask, masks))
        return NULL;
    const uint32_t *a = slot_at(x, op->slot[1]), *b = slot_at(x, op->slot[2]), *c = slot_at(x, op->slot[3]);
    uint32_t *d = slot_at(x, op->slot[0]), value[SIM_LANES], p = 0, inactive = 0;
    memcpy(value, a, sizeof value);
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
        if (!(mask >> (from & 31) & 1) || masks[from & 31] != masks[lane])
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
    if (!sim_warp_sync(x, op, &mask, masks))
        return NULL;
    uint32_t asked = *(const uint32_t *)slot_at(x, op->slot[1]) ^ op->extra, answer = 0;
    for (uint32_t left = mask; left;) {
        struct members members = members_next(masks, &left, mask);
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
    if (!sim_warp_sync(x, op, &mask, masks))
        return NULL;
    uint32_t p = 0, result[SIM_LANES] = {0};
    for (uint32_t left = mask; left;) {
        struct members members = members_next(masks, &left, mask);
        FOR_LANES (lane, members.group) {
            FOR_LANES (other, members.named)
                result[lane] |= (uint32_t)(slot_get(x, op, 1, lane) == slot_get(x, op, 1, other)) << other;
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
    const uint32_t *masks = slot_at(x, op->slot[2]), *a = slot_at(x, op->slot[1]);
    if (!sim_warp_sync(x, op, &mask, masks))
        return NULL;
    uint32_t *d = slot_at(x, op->slot[0]), answer[SIM_LANES];
    for (uint32_t left = mask; left;) {
        struct members members = members_next(masks, &left, mask);
        uint32_t first = lane_first(members.named), result = a[first];
        FOR_LANES (lane, members.named & ~(1u << first))
            result = redux_apply(op, result, a[lane]);
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
    if (!sim_warp_sync(x, op, &mask, masks))
        return NULL;
    uint32_t *d = slot_at(x, op->slot[0]), leaders = 0, answer[SIM_LANES];
    for (uint32_t left = mask; left;) {
        struct members members = members_next(masks, &left, mask);
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
