// Cells and what writes into them; utf8proc knows the characters.
#include "ui/canvas.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/memory.h"

enum { LONGEST_TEXT = 1024 };

void canvas_init(struct canvas *canvas, int width, int height)
{
    *canvas = (struct canvas){.cursor_x = -1, .cursor_y = -1};
    canvas_resize(canvas, width, height);
}

void canvas_resize(struct canvas *canvas, int width, int height)
{
    canvas->width = width < 0 ? 0 : width;
    canvas->height = height < 0 ? 0 : height;
    size_t cells = (size_t)canvas->width * (size_t)canvas->height;
    canvas->cells = mem_resize(canvas->cells, (cells + 1) * sizeof *canvas->cells);
    canvas_clear(canvas);
}

void canvas_free(struct canvas *canvas)
{
    free(canvas->cells);
    free(canvas->targets);
    canvas->cells = NULL;
    canvas->targets = NULL;
    canvas->target_count = canvas->target_capacity = 0;
    canvas->width = canvas->height = 0;
}

void canvas_clear(struct canvas *canvas)
{
    size_t cells = (size_t)canvas->width * (size_t)canvas->height;
    for (size_t i = 0; i < cells; i++)
        canvas->cells[i] = (struct cell){' ', ROLE_TEXT, ROLE_TEXT, 0};
    canvas->clip = canvas_all(canvas);
    canvas->target_count = 0;
    canvas->cursor_x = canvas->cursor_y = -1;
}

struct rect canvas_all(const struct canvas *canvas)
{
    return (struct rect){0, 0, canvas->width, canvas->height};
}

struct rect rect_row(struct rect rect, int y)
{
    return (struct rect){rect.x, rect.y + (y < 0 ? rect.height + y : y), rect.width, 1};
}

struct rect rect_below(struct rect rect, int y)
{
    return (struct rect){rect.x, rect.y + y, rect.width, rect.height - y};
}

static bool rect_holds(const struct rect *rect, int x, int y)
{
    return x >= rect->x && y >= rect->y && x < rect->x + rect->width && y < rect->y + rect->height;
}

static struct rect shared_part(struct rect a, struct rect b)
{
    int left = a.x > b.x ? a.x : b.x;
    int top = a.y > b.y ? a.y : b.y;
    int right = a.x + a.width < b.x + b.width ? a.x + a.width : b.x + b.width;
    int bottom = a.y + a.height < b.y + b.height ? a.y + a.height : b.y + b.height;
    return (struct rect){left, top, right > left ? right - left : 0, bottom > top ? bottom - top : 0};
}

struct rect canvas_clip(struct canvas *canvas, struct rect rect)
{
    struct rect before = canvas->clip;
    canvas->clip = shared_part(rect, before);
    return before;
}

void canvas_unclip(struct canvas *canvas, struct rect before)
{
    canvas->clip = before;
}

struct cell *canvas_at(const struct canvas *canvas, int x, int y)
{
    if (x < 0 || y < 0 || x >= canvas->width || y >= canvas->height)
        return NULL;
    return &canvas->cells[(size_t)y * (size_t)canvas->width + (size_t)x];
}

void canvas_cell(struct canvas *canvas, int x, int y, struct cell cell)
{
    if (rect_holds(&canvas->clip, x, y))
        *canvas_at(canvas, x, y) = cell;
}

int canvas_text(struct canvas *canvas, int x, int y, int columns, enum role role, const char *text)
{
    struct cell cells[512];
    size_t capacity = columns < 0 ? 0 : (size_t)columns;
    if (capacity > sizeof cells / sizeof *cells)
        capacity = sizeof cells / sizeof *cells;
    size_t count = cells_from_text(cells, capacity, canvas->ascii, role, text);
    for (size_t i = 0; i < count; i++)
        canvas_cell(canvas, x + (int)i, y, cells[i]);
    return (int)count;
}

struct cell canvas_look(const struct canvas *canvas, enum role ink, enum role paper)
{
    if (canvas->mono)
        return (struct cell){' ', (uint8_t)paper, ROLE_TEXT, 0};
    return (struct cell){' ', (uint8_t)ink, (uint8_t)paper, 0};
}

void canvas_field(struct canvas *canvas, int x, int y, int columns, struct cell look, const char *text)
{
    int length = (int)strlen(text);
    for (int i = 0; i < columns; i++) {
        int at = length - columns + i;
        look.glyph = at < 0 ? ' ' : (unsigned char)text[at];
        canvas_cell(canvas, x + i, y, look);
    }
}

uint32_t canvas_cut_sign(const struct canvas *canvas)
{
    return canvas->ascii ? '>' : 0x2026;
}

int canvas_cut(struct canvas *canvas, int x, int y, int columns, enum role role, const char *text)
{
    int used = canvas_text(canvas, x, y, columns, role, text);
    if (columns > 0 && canvas_columns(canvas, text) > columns)
        canvas_cell(canvas, x + columns - 1, y, (struct cell){canvas_cut_sign(canvas), ROLE_DIM, ROLE_TEXT, 0});
    return used;
}

int canvas_printf(struct canvas *canvas, int x, int y, int columns, enum role role, const char *format, ...)
{
    char text[LONGEST_TEXT];
    TEXT_FORMAT(text, format);
    return canvas_text(canvas, x, y, columns, role, text);
}

int canvas_put(struct canvas *canvas, struct rect row, enum role role, const char *format, ...)
{
    char text[LONGEST_TEXT];
    TEXT_FORMAT(text, format);
    return canvas_cut(canvas, row.x + 1, row.y, row.width - 1, role, text);
}

void canvas_notice(struct canvas *canvas, struct rect body, enum role role, const char *format, ...)
{
    char text[LONGEST_TEXT];
    TEXT_FORMAT(text, format);
    canvas_cut(canvas, body.x + 2, body.y + 1, body.width - 2, role, text);
}

int canvas_right(struct canvas *canvas, int x, int y, enum role role, const char *format, ...)
{
    char text[LONGEST_TEXT];
    TEXT_FORMAT(text, format);
    int columns = canvas_columns(canvas, text);
    return canvas_text(canvas, x - columns, y, columns, role, text);
}

struct pen canvas_pen(struct canvas *canvas, struct rect row)
{
    return (struct pen){canvas, row.x + 1, row.y, row.x + row.width};
}

int pen_put(struct pen *pen, enum role role, const char *format, ...)
{
    char text[LONGEST_TEXT];
    TEXT_FORMAT(text, format);
    return pen_cut(pen, role, text);
}

int pen_fit(struct pen *pen, enum role role, const char *format, ...)
{
    char text[LONGEST_TEXT];
    TEXT_FORMAT(text, format);
    if (canvas_columns(pen->canvas, text) <= pen->end - pen->x)
        return pen_put(pen, role, "%s", text);
    pen->end = pen->x;
    return 0;
}

int pen_cut(struct pen *pen, enum role role, const char *text)
{
    int used = canvas_cut(pen->canvas, pen->x, pen->y, pen->end - pen->x, role, text);
    pen->x += used;
    return used;
}

int canvas_columns(const struct canvas *canvas, const char *text)
{
    struct cell cells[512];
    return (int)cells_from_text(cells, sizeof cells / sizeof *cells, canvas->ascii, ROLE_TEXT, text);
}

void canvas_fill(struct canvas *canvas, struct rect rect, enum role role)
{
    for (int y = rect.y; y < rect.y + rect.height; y++)
        for (int x = rect.x; x < rect.x + rect.width; x++)
            canvas_cell(canvas, x, y, (struct cell){' ', (uint8_t)role, ROLE_TEXT, 0});
}

void canvas_target(struct canvas *canvas, struct rect rect, int kind, int value, int other)
{
    rect = shared_part(rect, canvas->clip);
    if (rect.width == 0 || rect.height == 0)
        return;
    *mem_append(canvas->targets, canvas->target_capacity, canvas->target_count) =
        (struct target){rect, kind, value, other};
}

const struct target *canvas_target_at(const struct canvas *canvas, int x, int y)
{
    for (size_t i = canvas->target_count; i-- > 0;)
        if (rect_holds(&canvas->targets[i].rect, x, y))
            return &canvas->targets[i];
    return NULL;
}

// Gives the cells rect_holds rectangle and clip another role (ROLE_COUNT: they keep theirs) and more flags.
static void mark_cells(struct canvas *canvas, struct rect rect, enum role role, unsigned flags)
{
    rect = shared_part(rect, canvas->clip);
    for (int y = rect.y; y < rect.y + rect.height; y++)
        for (int x = rect.x; x < rect.x + rect.width; x++) {
            struct cell *cell = canvas_at(canvas, x, y);
            cell->role = role == ROLE_COUNT ? cell->role : (uint8_t)role;
            cell->flags |= (uint8_t)flags;
        }
}

void canvas_flag(struct canvas *canvas, struct rect rect, unsigned flags)
{
    mark_cells(canvas, rect, ROLE_COUNT, flags);
}

void canvas_role(struct canvas *canvas, struct rect rect, enum role role)
{
    mark_cells(canvas, rect, role, 0);
}

void canvas_rule(struct canvas *canvas, struct rect rect)
{
    for (int y = rect.y; y < rect.y + rect.height; y++)
        for (int x = rect.x; x < rect.x + rect.width; x++)
            canvas_text(canvas, x, y, 1, ROLE_BORDER, rect.width == 1 ? "│" : "─");
}
