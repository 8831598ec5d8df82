#include "model/banks.h"

#include <stdbool.h>

// Naturally aligned accesses of 4, 8 or 16 bytes fall on 32, 16 or 8 wide banks: two lanes meet in some 4-byte bank
// exactly when they meet in a wide one, so every rule is about one unit a lane. Smaller accesses move a whole word.
static uint32_t unit_shift(uint32_t bytes)
{
    return bytes <= 4 ? 2 : bytes <= 8 ? 3 : 4;
}

uint32_t banks_group(uint32_t bytes)
{
    return (uint32_t)WARP_LANES >> (unit_shift(bytes) - 2);
}

// docs/hardware.md 1, rule 2: every active lane's neighbour at this distance is inactive or wants the same address.
static bool lanes_pair(uint32_t mask, const uint64_t addresses[WARP_LANES], uint32_t distance)
{
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest), other = lane ^ distance;
        if ((mask >> other & 1) && addresses[lane] != addresses[other])
            return false;
    }
    return true;
}

static uint32_t served_together(enum bank_kind kind, uint32_t bytes, uint32_t mask,
                                const uint64_t addresses[WARP_LANES])
{
    uint32_t group = banks_group(bytes);
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
    for (uint32_t rest = group; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
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

static struct bank_cost serve(enum bank_kind kind, uint32_t bytes, uint32_t mask, const uint64_t addresses[WARP_LANES],
                              uint32_t pass[WARP_LANES])
{
    struct bank_cost cost = {0, 0};
    bool share = kind == BANK_LOAD || kind == BANK_STORE || kind == BANK_MATRIX;
    uint32_t group = served_together(kind, bytes, mask, addresses);
    for (uint32_t first = 0; first < WARP_LANES; first += group) {
        uint32_t lanes = mask & (UINT32_MAX >> (WARP_LANES - group)) << first;
        if (!lanes)
            continue;
        uint32_t passes = serve_group(share, unit_shift(bytes), lanes, addresses, pass);
        if (kind == BANK_COPY_BYPASS)
            passes = 1; // the counters show none of its conflicts (docs/hardware.md 1)
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            pass[lane] = cost.wavefronts + (kind == BANK_COPY_BYPASS ? 0 : pass[lane]);
        }
        cost.wavefronts += passes;
        cost.conflicts += passes - 1;
    }
    return cost;
}

struct bank_cost banks_count(enum bank_kind kind, uint32_t bytes, uint32_t mask, const uint64_t addresses[WARP_LANES],
                             uint32_t rows)
{
    uint32_t pass[WARP_LANES];
    if (kind == BANK_MATRIX) {
        bytes = 16;
        mask = rows >= WARP_LANES ? UINT32_MAX : (UINT32_C(1) << rows) - 1;
    }
    return serve(kind, bytes, mask, addresses, pass);
}

void banks_schedule(enum bank_kind kind, uint32_t bytes, uint32_t mask, const uint64_t addresses[WARP_LANES],
                    uint32_t wavefront[WARP_LANES])
{
    for (int lane = 0; lane < WARP_LANES; lane++)
        wavefront[lane] = UINT32_MAX;
    serve(kind, kind == BANK_MATRIX ? 16 : bytes, mask, addresses, wavefront);
}

uint32_t sectors_count(uint32_t bytes, uint32_t mask, const uint64_t addresses[WARP_LANES])
{
    uint64_t found[4 * WARP_LANES];
    uint32_t count = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint64_t first = addresses[__builtin_ctz(rest)], sector = first / SECTOR_BYTES;
        uint64_t last = (first + (bytes ? bytes - 1 : 0)) / SECTOR_BYTES;
        for (uint32_t steps = 0; sector <= last && steps < 4; sector++, steps++) {
            uint32_t i = count;
            while (i > 0 && found[i - 1] != sector)
                i--;
            if (i == 0)
                found[count++] = sector;
        }
    }
    return count;
}
