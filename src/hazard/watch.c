// Which accesses are looked at, and what each is then held against.
#include <string.h>

#include "base/random.h"
#include "hazard/internal.h"

enum { SETTLED = 8000 }; // accesses after which a block does what it did before, if it is long

void watch_begin(struct hazard_state *state)
{
    state->watch_until = 0;
    state->before = state->accesses;
    if (state->checker->share == SHARE_OF_ALL)
        return;
    memset(state->last, 0, sizeof state->last);
    memset(state->followed, 0, sizeof state->followed);
}

// Where a long block leaves out a barrier or a wait, two instructions of a warp follow each other that never did
// before. From there to the end of the next phase it is looked at: most of the other warps are still to come to the
// same place.
void note_following(struct hazard_state *state, uint32_t warp, uint32_t pc)
{
    if (state->checker->share == SHARE_OF_ALL || state->last[warp] == pc)
        return;
    uint64_t pair = ((uint64_t)state->last[warp] << 32 | pc) * RANDOM_STEP >> 48;
    unsigned char *seen = &state->followed[pair / 8], bit = (unsigned char)(1u << pair % 8);
    if (!(*seen & bit) && state->accesses - state->before > SETTLED)
        state->watch_until = state->order.stamp + 1;
    *seen |= bit;
    state->last[warp] = pc;
}

static bool phase_is_watched(struct hazard_state *state)
{
    const struct hazard_checker *checker = state->checker;
    if (state->order.stamp <= state->watch_until)
        return true;
    if (state->phase != state->order.stamp) {
        uint64_t random =
            checker->seed ^ (state->block->linear << 20 | (state->order.stamp - state->order.block_stamp));
        state->phase = state->order.stamp;
        state->phase_drawn = (random_next(&random) >> 16 & (SHARE_OF_ALL - 1)) < checker->share;
    }
    return state->phase_drawn;
}

bool access_is_passed(struct hazard_state *state, const struct sim_access *access)
{
    note_following(state, access->warp, access->pc);
    if (state->accesses - state->before <= state->checker->least || phase_is_watched(state))
        return false;
    state->passed++;
    return true;
}

bool hazard_reads_only(const struct hazard_checker *checker, uint32_t pc)
{
    return checker->reads_only && checker->reads_only[pc];
}
