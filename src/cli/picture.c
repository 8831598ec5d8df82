#include "cli/picture.h"

#include "model/heatmap.h"

enum { GLOBAL_ROWS = 8, LANES_PER_ROW = 4 };

static enum bank_kind bank_kind_of(const struct recorded_access *access)
{
    return access->kind == SIM_STORE ? BANK_STORE : BANK_LOAD;
}

static uint32_t cost_of(const struct recorded_access *access)
{
    if (access->space == PTX_GLOBAL)
        return sectors_count(access->bytes, access->mask, access->addresses);
    return banks_count(bank_kind_of(access), access->bytes, access->mask, access->addresses, 0).conflicts;
}

// The load or store of this space that costs most; of several the first warp's.
static const struct recorded_access *worst_access(const struct recording *recording, enum ptx_space space)
{
    const struct recorded_access *worst = NULL;
    uint32_t most = 0;
    for (size_t i = 0; i < recording->count; i++) {
        const struct recorded_access *access = &recording->items[i];
        if (access->space != space || (access->kind != SIM_LOAD && access->kind != SIM_STORE))
            continue;
        uint32_t cost = cost_of(access);
        if (!worst || cost > most || (cost == most && access->warp < worst->warp)) {
            worst = access;
            most = cost;
        }
    }
    return worst;
}

void picture_worst(const struct record *record, struct text *out)
{
    const struct recorded_access *worst = worst_access(&record->recording, PTX_SHARED);
    if (!worst)
        worst = worst_access(&record->recording, PTX_GLOBAL);
    if (!worst)
        return;
    bool global = worst->space == PTX_GLOBAL;
    uint32_t line = 0;
    for (size_t i = 0; i < record->counters.count; i++)
        if (record->counters.lines[i].pc == worst->pc)
            line = record->counters.lines[i].line;
    text_printf(out, "\nLine %u: %s %s, %u bytes a lane, warp %u, block (%u,%u,%u), %s\n\n", line,
                global ? "global" : "shared", worst->kind == SIM_STORE ? "store" : "load", worst->bytes, worst->warp,
                record->recording.block[0], record->recording.block[1], record->recording.block[2], record->device);
    struct heatmap_access access = {
        .kind = bank_kind_of(worst), .bytes = worst->bytes, .mask = worst->mask, .addresses = worst->addresses};
    if (global)
        heatmap_sectors(&access, GLOBAL_ROWS, out);
    else
        heatmap_banks(&access, LANES_PER_ROW, out);
}
