// Rectangles cut off one another until the screen is used up.
#include "ui/layout.h"

static int no_less(int value, int low)
{
    return value < low ? low : value;
}

static int no_more(int value, int high)
{
    return value > high ? high : value;
}

// Takes `rows` rows off the top of *rest (fewer when there are fewer).
static struct rect take_top(struct rect *rest, int rows)
{
    rows = no_less(no_more(rows, rest->height), 0);
    struct rect taken = {rest->x, rest->y, rest->width, rows};
    rest->y += rows;
    rest->height -= rows;
    return taken;
}

static struct rect take_bottom(struct rect *rest, int rows)
{
    rows = no_less(no_more(rows, rest->height), 0);
    rest->height -= rows;
    return (struct rect){rest->x, rest->y + rest->height, rest->width, rows};
}

static struct rect take_left(struct rect *rest, int columns)
{
    columns = no_less(no_more(columns, rest->width), 0);
    struct rect taken = {rest->x, rest->y, columns, rest->height};
    rest->x += columns;
    rest->width -= columns;
    return taken;
}

struct screen_frame layout_frame(int width, int height, bool with_strip)
{
    struct screen_frame frame = {0};
    struct rect rest = {0, 0, no_less(width, 0), no_less(height, 0)};
    frame.too_small = width < LAYOUT_MIN_WIDTH || height < LAYOUT_MIN_HEIGHT;
    if (frame.too_small) {
        frame.body = rest;
        return frame;
    }
    frame.title = take_top(&rest, 1);
    frame.status = take_bottom(&rest, 1);
    frame.strip = take_bottom(&rest, with_strip ? 1 : 0);
    frame.body = rest;
    return frame;
}

struct lesson_layout layout_lesson(struct rect body, int needs)
{
    enum { TEXT_MOST = 84, SOURCE_LEAST = 40 };
    struct lesson_layout layout = {0};
    if (body.width < LAYOUT_BESIDE_WIDTH) {
        layout.tabs = true;
        layout.text = layout.source = body;
        return layout;
    }
    int text = no_less(no_more(body.width * 55 / 100, TEXT_MOST), no_more(needs, body.width - 1 - SOURCE_LEAST));
    layout.text = take_left(&body, text);
    layout.rule = take_left(&body, 1);
    layout.source = body;
    return layout;
}

// A heatmap with two lanes a row is 18 rows with its header and its sums; 80 x 24 has these and six more.
enum { FULL_BODY = 24, MAP_BESIDE = 16, SOURCE_LEAST = 38 }; // MAP_BESIDE: its lanes and legend

bool layout_banks_compact(int screen_height)
{
    return screen_height - 3 < FULL_BODY;
}

struct banks_layout layout_banks(struct rect body, int list_rows, bool two, bool compact)
{
    struct banks_layout layout = {0};
    layout.list_head = take_top(&body, list_rows ? 1 : 0);
    layout.detail = take_bottom(&body, body.height > 30 ? 2 : 1);
    int spare = body.height - LAYOUT_MAP_ROWS - (compact ? 0 : 1) - (two ? 1 : 0); // two: each has its name above
    int rows = no_more(list_rows, no_less(spare, 2));
    layout.list = take_top(&body, no_more(rows, no_less(body.height / 3, 1)));
    if (!compact)
        layout.caption = take_top(&body, 1);
    if (two && body.width >= LAYOUT_COMPARE_WIDTH) {
        layout.map = take_left(&body, (body.width - 2) / 2);
        take_left(&body, 2);
        layout.second = body;
    } else if (!two && body.width >= LAYOUT_COMPARE_WIDTH) {
        int cell = no_more((body.width - SOURCE_LEAST - MAP_BESIDE) / 32, 3);
        layout.map = take_left(&body, MAP_BESIDE + 32 * cell);
        layout.source = body;
    } else {
        layout.map = body;
    }
    return layout;
}

struct map_layout layout_map(struct rect map, int rows_wanted, bool half)
{
    struct map_layout layout = {.label = 7, .lanes_per_row = 1};
    layout.header = take_top(&map, 1);
    layout.hits = take_bottom(&map, map.height > 2 ? 1 : 0);
    layout.rows = map;
    layout.cell = no_more(no_less((map.width - layout.label) / 32, 1), 3);
    if (half && map.height < rows_wanted)
        layout.lanes_per_row = 2;
    return layout;
}

struct step_layout layout_step(struct rect body, int warps)
{
    struct step_layout layout = {0};
    layout.timeline = take_top(&body, 2);
    layout.caption = take_top(&body, 1);
    if (body.width >= 120) {
        struct rect memory = take_left(&body, body.width - 46);
        layout.memory = memory;
        layout.rule = take_left(&body, 1);
        layout.warps = body;
        return layout;
    }
    layout.warps = take_bottom(&body, no_more(warps + 1, no_less(body.height / 3, 0)));
    layout.memory = body;
    return layout;
}
