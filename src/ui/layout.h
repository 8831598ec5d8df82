// Layout: rectangles from a width and a height, and nothing else. Rectangles of one layout never overlap and never
// leave the screen; one that found no room is empty.
#ifndef BANKSHOT_UI_LAYOUT_H
#define BANKSHOT_UI_LAYOUT_H

#include "ui/canvas.h"

enum {
    LAYOUT_MIN_WIDTH = 40,
    LAYOUT_MIN_HEIGHT = 10, // below: a message instead of a view
    LAYOUT_FULL_WIDTH = 80,
    LAYOUT_FULL_HEIGHT = 24,    // everything fits from here on
    LAYOUT_BESIDE_WIDTH = 100,  // text and source side by side from here on
    LAYOUT_COMPARE_WIDTH = 120, // two heatmaps side by side from here on
    LAYOUT_MAP_ROWS = 18        // of a heatmap with two lanes a row, its header and its sums
};

struct screen_frame {
    bool too_small;
    struct rect title, body, strip, status;
};
// The frame of every view: title line, body, the strip of phases (in views of a lesson), status line with the keys.
struct screen_frame layout_frame(int width, int height, bool with_strip);

struct lesson_layout {
    bool tabs; // one pane at a time
    struct rect text, rule, source;
};
// needs: columns that the text's drawings take; it has them where the source keeps enough.
struct lesson_layout layout_lesson(struct rect body, int needs);

// Heatmap: a label column, 32 banks of `cell` columns, `lanes_per_row` lanes in each row.
struct map_layout {
    struct rect header, rows, hits;
    int label, cell, lanes_per_row;
};
struct banks_layout {
    struct rect list_head, list, caption, map, second, source, detail;
};
// list_rows: rows that the list would like; two: before and after are both wanted.
// compact: no caption row; the list's head says it, and the detail row says the verdict.
struct banks_layout layout_banks(struct rect body, int list_rows, bool two, bool compact);
// half: half blocks can be drawn, so two lanes fit in a row where there is no room for each its own.
struct map_layout layout_map(struct rect map, int rows_wanted, bool half);
// Whether the banks view of a screen of this height has no row for the strip.
bool layout_banks_compact(int screen_height);

struct step_layout {
    struct rect timeline, caption, memory, rule, warps;
};
struct step_layout layout_step(struct rect body, int warps);

#endif
