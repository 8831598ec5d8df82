// The rules of banks and sectors (docs/hardware.md 1 and 2).
#include "model/banks.h"

#include "sim/sim_observer.h"

// Naturally aligned accesses of 4, 8 or 16 bytes fall on 32, 16 or 8 wide banks: two lanes meet in some 4-byte bank
// exactly when they meet in a wide one, so every rule is about one unit a lane. Smaller accesses move a whole word.
static uint32_t unit_shift(uint32_t bytes)
{
    return bytes <= 4 ? 2 : bytes <= 8 ? 3 : 4;
}

bool banks_share(enum bank_kind kind)
{
    return kind == BANK_LOAD || kind == BANK_STORE || kind == BANK_MATRIX;
}

// docs/hardware.md 1, rule 2: every active lane's neighbour at this distance is inactive or wants the same address.
static bool lanes_pair(uint32_t mask, const uint64_t addresses[WARP_LANES], uint32_t distance)
{
    FOR_LANES (lane, mask) {
        uint32_t other = lane ^ distance;
        if ((mask >> other & 1) && addresses[lane] != addresses[other])
            return false;
    }
    return true;
}

static uint32_t served_together(enum bank_kind kind, uint32_t bytes, uint32_t mask,
                                const uint64_t addresses[WARP_LANES])
{
    uint32_t group = (uint32_t)WARP_LANES >> (unit_shift(bytes) - 2);
    if (kind == BANK_LOAD && group < WARP_LANES && (lanes_pair(mask, addresses, 1) || lanes_pair(mask, addresses, 2)))
        group *= 2;
    return group;
}

// Serves the lanes of one group in order: a lane whose unit was met before rides along if share, else it takes its
// wide bank's next pass. Fills pass[] for the group's lanes, answers the number of passes.
static uint32_t serve_group(bool share, uint32_t shift, uint32_t group, const uint64_t addresses[WARP_LANES],
                            uint32_t pass[WARP_LANES])
{
    uint32_t bank_mask = (UINT32_C(128) >> shift) - 1, seen = 0, passes = 0;
    uint8_t last[BANKS], before[WARP_LANES]; // lanes that opened a pass, latest first, by bank
    FOR_LANES (lane, group) {
        uint64_t unit = addresses[lane] >> shift;
        uint32_t bank = (uint32_t)unit & bank_mask;
        bool used = seen >> bank & 1;
        uint32_t other = used ? last[bank] : WARP_LANES;
        while (share && other < WARP_LANES && addresses[other] >> shift != unit)
            other = before[other];
        if (share && other < WARP_LANES) {
            pass[lane] = pass[other];
            continue;
        }
        pass[lane] = used ? pass[last[bank]] + 1 : 0;
        before[lane] = used ? last[bank] : WARP_LANES;
        last[bank] = (uint8_t)lane;
        seen |= UINT32_C(1) << bank;
        if (pass[lane] >= passes)
            passes = pass[lane] + 1;
    }
    return passes;
}

// Serves the lanes of mask after those that were served before.
static void serve_lanes(enum bank_kind kind, uint32_t bytes, uint32_t mask, const uint64_t addresses[WARP_LANES],
                        struct bank_schedule *schedule)
{
    struct bank_cost *cost = &schedule->cost;
    uint32_t group = schedule->group = served_together(kind, bytes, mask, addresses), *pass = schedule->wavefront;
    for (uint32_t first = 0; first < WARP_LANES; first += group) {
        uint32_t lanes = mask & (UINT32_MAX >> (WARP_LANES - group)) << first;
        if (!lanes)
            continue;
        uint32_t passes = serve_group(banks_share(kind), unit_shift(bytes), lanes, addresses, pass);
        if (kind == BANK_COPY_BYPASS)
            passes = 1; // the counters show none of its conflicts (docs/hardware.md 1)
        FOR_LANES (lane, lanes)
            pass[lane] = cost->wavefronts + (kind == BANK_COPY_BYPASS ? 0 : pass[lane]);
        cost->wavefronts += passes;
        cost->conflicts += passes - 1;
    }
}

// Fills wavefront[] of the active lanes only.
static void serve_access(const struct bank_access *access, struct bank_schedule *schedule)
{
    uint64_t moved[WARP_LANES];
    const uint64_t *addresses = access->addresses;
    schedule->cost = (struct bank_cost){0, 0};
    schedule->group = WARP_LANES;
    if (access->kind == BANK_BULK) { // one wavefront moves the banks' 128 bytes: an estimate, nobody measured them
        FOR_LANES (lane, access->mask)
            schedule->wavefront[lane] = 0;
        schedule->cost.wavefronts = access->mask ? (access->bytes + BANKS * BANK_BYTES - 1) / (BANKS * BANK_BYTES) : 0;
        return;
    }
    FOR_LANES (lane, access->delta ? access->mask : 0) {
        moved[lane] = access->addresses[lane] + (uint64_t)(int64_t)access->delta;
        addresses = moved;
    }
    // Lanes that only write zeros are served apart from those that bring data (h200_requests.csv).
    uint32_t zeros = access->kind == BANK_COPY ? access->mask & access->zeros : 0;
    if (access->mask & ~zeros)
        serve_lanes(access->kind, access->bytes, access->mask & ~zeros, addresses, schedule);
    if (zeros)
        serve_lanes(access->kind, access->bytes, zeros, addresses, schedule);
}

struct bank_cost banks_count(const struct bank_access *access)
{
    struct bank_schedule schedule;
    serve_access(access, &schedule);
    return schedule.cost;
}

void banks_schedule(const struct bank_access *access, struct bank_schedule *schedule)
{
    for (int lane = 0; lane < WARP_LANES; lane++)
        schedule->wavefront[lane] = UINT32_MAX;
    serve_access(access, schedule);
}

uint32_t sectors_count(uint32_t bytes, uint32_t mask, const uint64_t addresses[WARP_LANES])
{
    enum { LANE_SECTORS = 3 };
    uint64_t found[LANE_SECTORS * WARP_LANES];
    uint32_t count = 0, more = bytes ? bytes - 1 : 0;
    if (mask && !(mask & (mask - 1))) { // a bulk copy may be long
        uint64_t first = addresses[__builtin_ctz(mask)];
        return (uint32_t)((first + more) / SECTOR_BYTES - first / SECTOR_BYTES + 1);
    }
    FOR_LANES (lane, mask) {
        uint64_t first = addresses[lane], sector = first / SECTOR_BYTES;
        uint64_t last = (first + more) / SECTOR_BYTES;
        for (uint32_t steps = 0; sector <= last && steps < LANE_SECTORS; sector++, steps++) {
            uint32_t i = count;
            while (i > 0 && found[i - 1] != sector)
                i--;
            if (i == 0)
                found[count++] = sector;
        }
    }
    return count;
}

uint32_t sectors_in_turns(uint32_t mask, const uint64_t addresses[WARP_LANES])
{
    uint32_t turns[WARP_LANES] = {0}, count = 0; // by the sector's first lane
    FOR_LANES (lane, mask) {
        uint32_t first = lane, same = 0;
        FOR_LANES (other, mask) {
            if (other > lane)
                break;
            if (first == lane && addresses[other] / SECTOR_BYTES == addresses[lane] / SECTOR_BYTES)
                first = other;
            same += addresses[other] == addresses[lane];
        }
        turns[first] = same > turns[first] ? same : turns[first];
    }
    for (int lane = 0; lane < WARP_LANES; lane++)
        count += turns[lane];
    return count;
}

uint32_t sectors_bypassing(uint32_t mask, const uint64_t sources[WARP_LANES], const uint64_t targets[WARP_LANES])
{
    enum { LINE_BYTES = 4 * SECTOR_BYTES };
    uint32_t last = mask, count = 0;
    FOR_LANES (lane, mask)
        FOR_LANES (before, mask & ((1u << lane) - 1))
            last &= targets[before] == targets[lane] ? ~(1u << before) : UINT32_MAX;
    FOR_LANES (lane, last) {
        bool is_new = true;
        FOR_LANES (before, last & ((1u << lane) - 1))
            is_new &= targets[before] / SECTOR_BYTES != targets[lane] / SECTOR_BYTES ||
                      sources[before] / LINE_BYTES != sources[lane] / LINE_BYTES;
        count += is_new;
    }
    return count;
}
