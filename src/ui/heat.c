// Pictures of one warp's access: lanes or turns by banks, and the array in memory.
#include <stdio.h>
#include <string.h>

#include "ui/layout.h"
#include "ui/view.h"

enum { HALF_WARP = WARP_LANES / 2 };

struct drawing {
    struct canvas *canvas;
    struct map_layout layout;
    const struct heat *heat;
    const struct bank_pattern *pattern;
    bool half; // two rows of the picture in one row of cells
    int rows;  // of the picture: lanes or turns
};

static void put_sign(struct canvas *canvas, int x, int y, int columns, char sign, enum role heat)
{
    canvas_field(canvas, x, y, columns, canvas_look(canvas, theme_on_heat(heat), heat), (char[]){sign, '\0'});
}

// In one column 10 and more are '*'.
static void put_number(struct canvas *canvas, int x, int y, int columns, unsigned number, enum role heat)
{
    char text[16];
    snprintf(text, sizeof text, columns == 1 && number > 9 ? "*" : "%u", number);
    canvas_field(canvas, x, y, columns, canvas_look(canvas, theme_on_heat(heat), heat), text);
}

// What the picture holds in this row and bank: 0 = nothing, else how many distinct words wait (rows are lanes), or
// 1 + the lane that is served (rows are turns). *shared: the lane rides on another's word.
static unsigned value_at(const struct drawing *drawing, int row, uint32_t bank, bool *shared)
{
    const struct bank_pattern *pattern = drawing->pattern;
    *shared = false;
    if (!drawing->heat->by_wavefront) {
        *shared = pattern->partner[row] >= 0;
        return bank_pattern_active(pattern, (uint32_t)row) ? bank_pattern_degree(pattern, (uint32_t)row, bank) : 0;
    }
    unsigned found = 0;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        if (!bank_pattern_serves(pattern, (uint32_t)row, lane, bank))
            continue;
        *shared |= found != 0;
        if (!found)
            found = lane + 1;
    }
    return found;
}

// Neighbouring lanes differ in colour, so that figures that touch can be told apart.
static enum role role_of_lane(unsigned lane, bool is_now)
{
    return is_now ? lane % 2 ? ROLE_TOUCHED2 : ROLE_TOUCHED : lane % 2 ? ROLE_HEAT1 : ROLE_HEAT2;
}

static enum role role_at(const struct drawing *drawing, int row, unsigned value, bool shared)
{
    if (shared)
        return ROLE_SHARED;
    if (drawing->heat->plain)
        return ROLE_TOUCHED;
    if (!drawing->heat->by_wavefront)
        return theme_heat(value);
    return role_of_lane(value - 1, (uint32_t)row == drawing->heat->turns_shown);
}

static bool is_shown(const struct drawing *drawing, int row)
{
    return row < drawing->rows && (!drawing->heat->by_wavefront || (uint32_t)row <= drawing->heat->turns_shown);
}

// Every fourth bank has a guide where nothing is.
static void draw_guide(const struct drawing *drawing, int x, int y, uint32_t bank)
{
    if (bank % 4 == 0)
        canvas_text(drawing->canvas, x + drawing->layout.cell - 1, y, 1, ROLE_INACTIVE, "·");
}

static void draw_half(const struct drawing *drawing, int x, int y, int row, uint32_t bank)
{
    bool upper_shared = false, lower_shared = false;
    unsigned upper = is_shown(drawing, row) ? value_at(drawing, row, bank, &upper_shared) : 0;
    unsigned lower = is_shown(drawing, row + 1) ? value_at(drawing, row + 1, bank, &lower_shared) : 0;
    if (!upper && !lower) {
        draw_guide(drawing, x, y, bank);
        return;
    }
    enum role top = role_at(drawing, row, upper, upper_shared), bottom = role_at(drawing, row + 1, lower, lower_shared);
    struct cell cell = {0x2588, (uint8_t)top, ROLE_TEXT, 0};
    if (!lower)
        cell.glyph = 0x2580;
    else if (!upper)
        cell = (struct cell){0x2584, (uint8_t)bottom, ROLE_TEXT, 0};
    else if (top != bottom)
        cell = (struct cell){0x2580, (uint8_t)top, (uint8_t)bottom, 0};
    for (int i = 0; i < drawing->layout.cell; i++)
        canvas_cell(drawing->canvas, x + i, y, cell);
}

static void draw_whole(const struct drawing *drawing, int x, int y, int row, uint32_t bank)
{
    bool shared;
    unsigned value = is_shown(drawing, row) ? value_at(drawing, row, bank, &shared) : 0;
    if (!value) {
        draw_guide(drawing, x, y, bank);
        return;
    }
    enum role role = role_at(drawing, row, value, shared);
    int columns = drawing->layout.cell;
    if (drawing->heat->by_wavefront && columns > 1) {
        put_number(drawing->canvas, x, y, columns, value - 1, role);
        if (drawing->canvas->mono && value % 2 == 0) // without colours bold stands for them
            canvas_flag(drawing->canvas, (struct rect){x, y, columns, 1}, CELL_BOLD);
        struct cell *last = shared ? canvas_at(drawing->canvas, x + columns - 1, y) : NULL;
        if (last)
            last->flags |= CELL_UNDERLINE;
    } else if (drawing->heat->by_wavefront) {
        put_sign(drawing->canvas, x, y, columns, shared ? '=' : 'o', role);
    } else if (shared || drawing->heat->plain) {
        put_sign(drawing->canvas, x, y, columns, shared ? '=' : '#', role);
    } else {
        put_number(drawing->canvas, x, y, columns, value, role);
    }
}

static int cursor_row(const struct heat *heat)
{
    if (!heat->by_wavefront)
        return (int)heat->lane;
    if (heat->turns_shown != UINT32_MAX)
        return (int)heat->turns_shown;
    uint32_t turn = heat->pattern->schedule.wavefront[heat->lane];
    return turn == UINT32_MAX ? 0 : (int)turn;
}

// The group of lanes that are served together, as a letter, when the access is wider than 4 bytes.
static char group_letter(const struct bank_pattern *pattern, int lane)
{
    return " abcd"[pattern->schedule.group < WARP_LANES ? 1 + lane / (int)pattern->schedule.group : 0];
}

static void draw_label(const struct drawing *drawing, int x, int y, int row)
{
    struct canvas *canvas = drawing->canvas;
    int cursor = cursor_row(drawing->heat);
    bool here = cursor == row || (drawing->half && cursor == row + 1);
    bool turns = drawing->heat->by_wavefront;
    if (row >= drawing->rows)
        return;
    if (!turns)
        canvas_printf(canvas, x, y, 1, ROLE_DIM, "%c", group_letter(drawing->pattern, row));
    char text[24];
    if (drawing->half && row + 1 < drawing->rows)
        snprintf(text, sizeof text, "%d,%d", row, row + 1);
    else
        snprintf(text, sizeof text, "%d", row + turns); // turns count from 1, as in the line below
    int used = canvas_right(canvas, x + 6, y, here ? ROLE_EMPHASIS : ROLE_DIM, "%s", text);
    if (!here)
        return;
    // with two lanes in a row the cursor's number stands out, and the line below names it
    int digits = snprintf(NULL, 0, "%d", cursor + turns);
    int start = cursor == row ? x + 6 - used : x + 6 - digits;
    canvas_flag(canvas, (struct rect){start, y, digits, 1}, CELL_REVERSE);
    canvas_text(canvas, x + 6, y, 1, ROLE_KEY, "▸");
}

static void draw_inactive(const struct drawing *drawing, int x, int y, int row)
{
    if (drawing->heat->by_wavefront)
        return;
    bool upper = row < drawing->rows && !bank_pattern_active(drawing->pattern, (uint32_t)row);
    bool lower =
        !drawing->half || (row + 1 < drawing->rows && !bank_pattern_active(drawing->pattern, (uint32_t)row + 1));
    if (!upper || !lower)
        return;
    for (int bank = 0; bank < BANKS; bank++)
        canvas_text(drawing->canvas, x + (bank + 1) * drawing->layout.cell - 1, y, 1, ROLE_INACTIVE, "·");
}

// The lanes that a click on this place means: those that touch the bank, else the row's.
static void add_targets(const struct drawing *drawing, struct rect row, int first)
{
    int columns = drawing->layout.cell;
    bool turns = drawing->heat->by_wavefront, shared;
    if (!turns)
        canvas_target(drawing->canvas, row, TARGET_LANE, first,
                      drawing->half && first + 1 < drawing->rows ? first + 1 : -1);
    for (uint32_t bank = 0; bank < BANKS; bank++) {
        int x = row.x + drawing->layout.label + (int)bank * columns;
        unsigned upper = value_at(drawing, first, bank, &shared);
        unsigned lower = drawing->half && first + 1 < drawing->rows ? value_at(drawing, first + 1, bank, &shared) : 0;
        if (upper && turns)
            canvas_target(drawing->canvas, (struct rect){x, row.y, columns, 1}, TARGET_LANE, (int)upper - 1, -1);
        else if (!turns && !upper != !lower)
            canvas_target(drawing->canvas, (struct rect){x, row.y, columns, 1}, TARGET_LANE, upper ? first : first + 1,
                          -1);
    }
}

static void draw_header(const struct drawing *drawing)
{
    const struct rect *rect = &drawing->layout.header;
    struct canvas *canvas = drawing->canvas;
    canvas_text(canvas, rect->x + 1, rect->y, 6, ROLE_DIM, drawing->heat->by_wavefront ? "turn" : "lane");
    int columns = drawing->layout.cell;
    for (int bank = 0; bank < BANKS; bank += 4) {
        int x = rect->x + drawing->layout.label + bank * columns;
        canvas_printf(canvas, x, rect->y, 4 * columns, ROLE_DIM, "%*d", columns > 1 ? columns : 1, bank);
    }
    int end = rect->x + drawing->layout.label + BANKS * columns;
    if (end + 6 <= rect->x + rect->width)
        canvas_text(canvas, end + 1, rect->y, 5, ROLE_DIM, "bank");
}

// What the colours mean, beside the rows where there is room.
static void draw_ways(const struct drawing *drawing)
{
    const struct rect *rect = &drawing->layout.rows;
    int x = rect->x + drawing->layout.label + BANKS * drawing->layout.cell + 2;
    if (drawing->heat->by_wavefront || drawing->heat->plain || drawing->canvas->mono || x + 5 > rect->x + rect->width ||
        rect->height < 8)
        return;
    canvas_text(drawing->canvas, x, rect->y + 1, 5, ROLE_DIM, "ways");
    for (int i = 0; i < 6; i++) {
        struct cell block = canvas_look(drawing->canvas, ROLE_TEXT, theme_heat(1u << i));
        canvas_cell(drawing->canvas, x, rect->y + 2 + i, block);
        canvas_printf(drawing->canvas, x + 2, rect->y + 2 + i, 3, ROLE_DIM, "%2d", 1 << i);
    }
}

static void draw_hits(const struct drawing *drawing)
{
    const struct rect *rect = &drawing->layout.hits;
    if (rect->height == 0 || drawing->heat->plain)
        return;
    canvas_text(drawing->canvas, rect->x + 1, rect->y, 5, ROLE_DIM, "words");
    for (uint32_t bank = 0; bank < BANKS; bank++) {
        int x = rect->x + drawing->layout.label + (int)bank * drawing->layout.cell;
        unsigned hits = drawing->pattern->hits[bank];
        if (hits == 0)
            canvas_text(drawing->canvas, x + drawing->layout.cell - 1, rect->y, 1, ROLE_INACTIVE, "·");
        else
            put_number(drawing->canvas, x, rect->y, drawing->layout.cell, hits, theme_heat(hits));
    }
}

int heat_draw(struct canvas *canvas, struct rect rect, const struct heat *heat)
{
    if (!heat->pattern) {
        canvas_text(canvas, rect.x + 1, rect.y + 1, rect.width - 1, ROLE_DIM,
                    "this warp never made this access in the recorded block");
        return 0;
    }
    struct drawing drawing = {.canvas = canvas, .heat = heat, .pattern = heat->pattern};
    drawing.rows = heat->by_wavefront ? (int)heat->pattern->schedule.cost.wavefronts : (int)heat->pattern->lanes;
    bool blocks = !canvas->ascii && !canvas->mono && !heat->by_wavefront;
    drawing.layout = layout_map(rect, drawing.rows, blocks);
    drawing.half = drawing.layout.lanes_per_row == 2;
    struct rect rows = drawing.layout.rows;
    int step = drawing.layout.lanes_per_row;
    struct scroll scroll = {.top = heat->top, .cursor = cursor_row(heat) / step};
    if (step == 1 && !heat->by_wavefront && rows.height >= HALF_WARP) // one half-warp or the other, whole
        scroll.top = scroll.cursor < HALF_WARP ? 0 : drawing.rows - rows.height;
    scroll_fit(&scroll, (drawing.rows + step - 1) / step, rows.height, true);
    struct rect before = canvas_clip(canvas, rect);
    draw_header(&drawing);
    draw_ways(&drawing);
    for (int y = 0; y < rows.height && (scroll.top + y) * step < drawing.rows; y++) {
        int row = (scroll.top + y) * step, x = rows.x + drawing.layout.label;
        draw_label(&drawing, rows.x, rows.y + y, row);
        draw_inactive(&drawing, x, rows.y + y, row);
        add_targets(&drawing, (struct rect){rows.x, rows.y + y, drawing.layout.label + BANKS * drawing.layout.cell, 1},
                    row);
        for (uint32_t bank = 0; bank < BANKS; bank++, x += drawing.layout.cell) {
            if (drawing.half)
                draw_half(&drawing, x, rows.y + y, row, bank);
            else
                draw_whole(&drawing, x, rows.y + y, row, bank);
        }
    }
    // right below the last row, so that the sums stay near
    int used = (drawing.rows + step - 1) / step - scroll.top;
    if (used < rows.height)
        drawing.layout.hits.y = rows.y + used;
    draw_hits(&drawing);
    if (scroll.top > 0)
        canvas_text(canvas, rows.x, rows.y, 1, ROLE_KEY, "↑");
    if (used > rows.height)
        canvas_text(canvas, rows.x, rows.y + rows.height - 1, 1, ROLE_KEY, "↓");
    canvas_unclip(canvas, before);
    return scroll.top;
}

void heat_describe(const struct bank_pattern *pattern, const struct shared_arrays *arrays, uint32_t lane, char *text,
                   size_t size)
{
    char name[128];
    if (!pattern) {
        snprintf(text, size, "nothing recorded");
        return;
    }
    if (!bank_pattern_active(pattern, lane)) {
        snprintf(text, size, "lane %u is inactive: it wants nothing here", lane);
        return;
    }
    uint64_t address = pattern->addresses[lane];
    uint32_t bank = (uint32_t)(address / BANK_BYTES % BANKS),
             words = pattern->access.bytes > 4 ? pattern->access.bytes / 4 : 1;
    char banks[32];
    snprintf(banks, sizeof banks,
             words >= BANKS ? "all banks"
             : words > 1    ? "banks %u-%u"
                            : "bank %u",
             bank, (bank + words - 1) % BANKS);
    int used = snprintf(text, size, "lane %u → %s  byte %llu  %s  wavefront %u of %u", lane,
                        shared_name(arrays, address, name, sizeof name), (unsigned long long)address, banks,
                        pattern->schedule.wavefront[lane] + 1, pattern->schedule.cost.wavefronts);
    int partner = pattern->partner[lane];
    if (partner >= 0 && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "  same word as lane %d", partner);
}
