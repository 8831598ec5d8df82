#include "sass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/fusion.h"

const char sass_golden_path[] = "tests/golden/sm_90_sass.csv";

int sass_read(const char *path, struct sass_row rows[SASS_ROWS_MAX])
{
    char line[512];
    int count = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    while (count >= 0 && count < SASS_ROWS_MAX && fgets(line, sizeof line, file)) {
        struct sass_row *row = &rows[count];
        struct sass_counts *sass = &row->sass;
        *row = (struct sass_row){0};
        if (line[0] == '#' || !strncmp(line, "kernel,", 7))
            continue;
        int fields = sscanf(line, "%127[^,],%u,%u,%u,%u,%u,%u,%u,%u,%u", row->kernel, &sass->loads[0], &sass->loads[1],
                            &sass->loads[2], &sass->loads[3], &sass->waits, &sass->stores[0], &sass->stores[1],
                            &sass->stores[2], &sass->stores[3]);
        count = fields == 10 ? count + 1 : -1;
    }
    fclose(file);
    return count;
}

static unsigned width_index(uint32_t bytes)
{
    return bytes < 4 ? 0 : bytes == 4 ? 1 : bytes == 8 ? 2 : 3;
}

struct sass_counts sass_plan(const struct ptx_function *entry)
{
    struct sass_counts counts = {0};
    struct arena *arena = arena_new();
    struct ptx_shared_layout layout = ptx_shared_layout(entry, arena);
    struct fusion_entry *plan = fusion_plan(entry, &layout);
    for (uint32_t i = 0; i < entry->inst_count; i++) {
        const struct ptx_inst *inst = &entry->insts[i];
        bool access = (inst->op == PTX_OP_LD || inst->op == PTX_OP_ST) && inst->has_space && inst->space == PTX_SHARED;
        if (!access || plan[i].action == FUSION_AWAY)
            continue;
        uint32_t bytes = (inst->vector ? inst->vector : 1) * ptx_type_size(inst->types[0]);
        bytes = plan[i].action == FUSION_WIDE ? plan[i].bytes : bytes;
        (inst->op == PTX_OP_LD ? counts.loads : counts.stores)[width_index(bytes)]++;
    }
    free(plan);
    arena_free(arena);
    return counts;
}

uint32_t sass_copies(const struct sass_counts *sass, const struct sass_counts *ours)
{
    uint32_t copies = 0;
    for (int i = 0; i < 2 * SASS_WIDTHS; i++) {
        uint32_t theirs = i < SASS_WIDTHS ? sass->loads[i] : sass->stores[i - SASS_WIDTHS];
        uint32_t mine = i < SASS_WIDTHS ? ours->loads[i] : ours->stores[i - SASS_WIDTHS];
        if (!mine && !theirs)
            continue;
        if (!mine || theirs % mine || (copies && theirs / mine != copies))
            return 0;
        copies = theirs / mine;
    }
    return copies ? copies : 1;
}
