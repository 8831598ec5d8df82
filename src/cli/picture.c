#include "cli/picture.h"

#include "model/heatmap.h"

static enum bank_kind bank_kind_of(const struct recorded_access *access)
{
    return access->kind == SIM_STORE ? BANK_STORE : BANK_LOAD;
}

static const struct recorded_access *worst_access(const struct recording *recording)
{
    const struct recorded_access *worst = NULL;
    uint32_t most = 0;
    for (size_t i = 0; i < recording->count; i++) {
        const struct recorded_access *access = &recording->items[i];
        if (access->space != PTX_SHARED || (access->kind != SIM_LOAD && access->kind != SIM_STORE))
            continue;
        uint32_t conflicts =
            banks_count(bank_kind_of(access), access->bytes, access->mask, access->addresses, 0).conflicts;
        if (!worst || conflicts > most || (conflicts == most && access->warp < worst->warp)) {
            worst = access;
            most = conflicts;
        }
    }
    return worst;
}

void picture_worst(const struct record *record, struct text *out)
{
    const struct recorded_access *worst = worst_access(&record->recording);
    uint32_t line = 0;
    if (!worst)
        return;
    for (size_t i = 0; i < record->counters.count; i++)
        if (record->counters.lines[i].pc == worst->pc)
            line = record->counters.lines[i].line;
    text_printf(out, "\nLine %u: %s of %u bytes a lane, warp %u of block (%u,%u,%u), %s\n\n", line,
                worst->kind == SIM_STORE ? "a shared store" : "a shared load", worst->bytes, worst->warp,
                record->recording.block[0], record->recording.block[1], record->recording.block[2], record->device);
    struct heatmap_access access = {
        .kind = bank_kind_of(worst), .bytes = worst->bytes, .mask = worst->mask, .addresses = worst->addresses};
    heatmap_banks(&access, 4, out);
}
