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
    if (!sim_warp_sync(x, op, &mask, slot_at(x, op->slot[4])))
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
        if (!(mask >> (from & 31) & 1))
            inactive |= 1u << lane;
    }
    pred_put(slot_at(x, op->slot[5]), mask, p);
    inactive_notice(x, op, inactive);
    return op + 1;
}

enum { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };

const struct op *run_vote(struct exec *x, const struct op *op, uint32_t mask)
{
    const uint32_t *members = slot_at(x, op->slot[2]);
    if (!sim_warp_sync(x, op, &mask, members))
        return NULL;
    uint32_t named = members[lane_first(mask)] & mask;
    uint32_t p = (*(const uint32_t *)slot_at(x, op->slot[1]) ^ op->extra) & named;
    if (op->action == VOTE_BALLOT) {
        uint32_t *d = slot_at(x, op->slot[0]);
        FOR_LANES (lane, mask)
            d[lane] = p;
        return op + 1;
    }
    bool yes = op->action == VOTE_ALL ? p == named : op->action == VOTE_ANY ? p != 0 : p == 0 || p == named;
    pred_put(slot_at(x, op->slot[0]), mask, yes ? mask : 0);
    return op + 1;
}

// slots: 0 d, 1 a, 2 membermask, 3 p. action: 0 any, 1 all
const struct op *run_match(struct exec *x, const struct op *op, uint32_t mask)
{
    const uint32_t *members = slot_at(x, op->slot[2]);
    if (!sim_warp_sync(x, op, &mask, members))
        return NULL;
    uint32_t named = members[lane_first(mask)] & mask, p = 0, result[SIM_LANES] = {0};
    FOR_LANES (lane, mask) {
        FOR_LANES (other, named)
            result[lane] |= (uint32_t)(slot_get(x, op, 1, lane) == slot_get(x, op, 1, other)) << other;
        if (!op->action)
            continue;
        p |= (uint32_t)(result[lane] == named) << lane;
        result[lane] = result[lane] == named ? named : 0;
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
    const uint32_t *members = slot_at(x, op->slot[2]);
    if (!sim_warp_sync(x, op, &mask, members))
        return NULL;
    const uint32_t *a = slot_at(x, op->slot[1]);
    uint32_t named = members[lane_first(mask)] & mask, first = lane_first(named ? named : mask), result = a[first];
    FOR_LANES (lane, named & ~(1u << first))
        result = redux_apply(op, result, a[lane]);
    uint32_t *d = slot_at(x, op->slot[0]);
    FOR_LANES (lane, mask)
        d[lane] = result;
    return op + 1;
}

const struct op *run_activemask(struct exec *x, const struct op *op, uint32_t mask)
{
    uint32_t *d = slot_at(x, op->slot[0]);
    FOR_LANES (lane, mask)
        d[lane] = mask;
    return op + 1;
}

const struct op *run_elect(struct exec *x, const struct op *op, uint32_t mask)
{
    const uint32_t *members = slot_at(x, op->slot[1]);
    if (!sim_warp_sync(x, op, &mask, members))
        return NULL;
    uint32_t named = members[lane_first(mask)] & mask, leader = lane_first(named ? named : mask);
    uint32_t *d = slot_at(x, op->slot[0]);
    FOR_LANES (lane, mask)
        d[lane] = leader;
    pred_put(slot_at(x, op->slot[2]), mask, 1u << leader);
    return op + 1;
}
