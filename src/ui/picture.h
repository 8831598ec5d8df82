// Pictures of one warp's access: its lanes or turns on the banks (heat.c), and the array in memory (memory.c).
#ifndef BANKSHOT_UI_PICTURE_H
#define BANKSHOT_UI_PICTURE_H

#include "record/access.h"
#include "lesson/arrays.h"
#include "ui/canvas.h"

enum memory_label { MEMORY_OFF, MEMORY_BANKS, MEMORY_LANES, MEMORY_COUNT }; // what touched words show

struct heat {
    const struct bank_pattern *pattern; // NULL: the access never ran
    bool by_wavefront;
    uint32_t lane;        // cursor
    uint32_t turns_shown; // animation: turns before this one are done; UINT32_MAX = all
    int top;              // first row, when they do not all fit
    bool plain;           // without figures, or colours that stand for them
};
// Returns the `top` that was used: the cursor is always in view.
int heat_draw(struct canvas *canvas, struct rect rect, const struct heat *heat);
// The array that the access touches, row by row; words of `recording` that nobody touches are shaded.
struct memory_picture {
    const struct bank_pattern *pattern; // NULL: the access never ran
    const struct shared_arrays *arrays;
    const struct recording *recording;
    uint32_t lane; // cursor
    enum memory_label label;
    int top;
};
int memory_draw(struct canvas *canvas, struct rect rect, const struct memory_picture *picture);
// One line about the cursor's lane.
void heat_describe(const struct bank_pattern *pattern, const struct shared_arrays *arrays, uint32_t lane, char *text,
                   size_t size);

#endif
