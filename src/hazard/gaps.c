// Bytes of shared memory that belong to no array: between one and the next, whose alignment is larger. Nothing faults
// there and nothing is destroyed, until somebody changes an array.
#include "hazard/internal.h"

static void add_gap(struct hazard_checker *checker, uint32_t from, uint32_t to)
{
    if (from < to && checker->gap_count < GAPS_MOST)
        checker->gaps[checker->gap_count++] = (struct shared_gap){from, to};
}

void gaps_find(struct hazard_checker *checker)
{
    const struct ptx_shared_layout *layout = sim_program_shared(checker->program);
    uint32_t end = 0;
    for (uint32_t i = 0; i < layout->count; i++) {
        const struct ptx_shared_slot *slot = &layout->slots[i];
        add_gap(checker, end, slot->offset);
        if (slot->offset >= layout->dynamic_offset && slot->offset >= layout->static_size)
            return; // the launch says how much there is
        end = slot->offset + (uint32_t)slot->variable->size;
    }
}

void gaps_access(struct hazard_state *state, const struct sim_access *told)
{
    const struct hazard_checker *checker = state->checker;
    struct sim_spread spread;
    if (told->space != PTX_SHARED || told->kind == SIM_LOAD || told->kind == SIM_MATRIX_LOAD)
        return;
    const struct sim_access *access = sim_access_spread(told, &spread);
    for (uint32_t i = 0; i < checker->gap_count; i++) {
        const struct shared_gap *gap = &checker->gaps[i];
        FOR_LANES (lane, access->mask) {
            uint64_t first = access->addresses[lane];
            if (first >= gap->to || first + access->bytes <= gap->from)
                continue;
            // An atomic of one or two bytes is a swap of the word around them, which puts back what it found in the
            // others.
            if (first < gap->from && ptx_has(sim_program_inst(checker->program, access->pc, NULL), PTX_MOD_CAS))
                continue;
            find_in_shared(state, HAZARD_SHARED_GAP, access->pc, access->warp * SIM_LANES + lane, UINT32_MAX,
                           UINT32_MAX, first < gap->from ? gap->from : first);
        }
    }
}
