// The picture that `trace` ends with: the costliest access of the recorded block.
#include "cli/picture.h"

#include "record/access.h"
#include "record/heatmap.h"

enum { GLOBAL_ROWS = 8, LANES_PER_ROW = 4 };

void picture_worst(const struct record *record, struct text *out)
{
    const struct counter_line *line;
    const struct recorded_access *worst = access_worst(&record->recording, &record->counters, &line);
    if (!worst)
        return;
    bool global = worst->space == PTX_GLOBAL;
    struct bank_access compiled = access_banks(worst, true);
    uint32_t bytes = global ? worst->bytes : compiled.bytes;
    text_printf(out, "\nLine %u: %s %s, %u bytes a lane, warp %u, block (%u,%u,%u), %s\n\n", line->line,
                global ? "global" : "shared", line->op, bytes, worst->warp, record->recording.block[0],
                record->recording.block[1], record->recording.block[2], record->device);
    if (global)
        heatmap_sectors(bytes, worst->mask, worst->addresses, GLOBAL_ROWS, out);
    else
        heatmap_banks(&compiled, LANES_PER_ROW, out);
}
