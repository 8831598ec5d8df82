// Panes: how pages are searched, drawn and scrolled.
#include "ui/pane.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static uint32_t fold(uint32_t glyph, bool ignore_case)
{
    return ignore_case && glyph < 0x80 ? (uint32_t)tolower((int)glyph) : glyph;
}

static bool has_capital(const char *text)
{
    for (; *text; text++)
        if (isupper((unsigned char)*text))
            return true;
    return false;
}

// Where needle starts in the line at or after `from`; -1 if nowhere.
static int find_in_line(const struct page_row *line, const struct cell *needle, size_t length, bool ignore_case,
                        size_t from)
{
    for (size_t at = from; length > 0 && at + length <= line->count; at++) {
        size_t i = 0;
        while (i < length && fold(line->cells[at + i].glyph, ignore_case) == fold(needle[i].glyph, ignore_case))
            i++;
        if (i == length)
            return (int)at;
    }
    return -1;
}

int page_find(const struct page *page, const char *needle, int from, int direction)
{
    struct cell cells[256];
    size_t length = cells_from_text(cells, 256, page->ascii, ROLE_TEXT, needle);
    int count = (int)page->count;
    for (int i = 0; i < count && length > 0; i++) {
        int line = ((from + direction * i) % count + count) % count;
        if (find_in_line(&page->lines[line], cells, length, !has_capital(needle), 0) >= 0)
            return line;
    }
    return -1;
}

int page_find_tag(const struct page *page, int tag)
{
    for (size_t i = 0; i < page->count; i++)
        if (page->lines[i].tag == tag)
            return (int)i;
    return -1;
}

static void draw_matches(const struct page_row *line, struct canvas *canvas, struct rect row, int left,
                         const char *match)
{
    struct cell cells[256];
    size_t length = cells_from_text(cells, 256, canvas->ascii, ROLE_TEXT, match);
    for (int at = 0; (at = find_in_line(line, cells, length, !has_capital(match), (size_t)at)) >= 0; at++) {
        struct rect found = {row.x + at - left, row.y, (int)length, 1};
        canvas_role(canvas, found, ROLE_MATCH);
    }
}

int page_overhang(const struct page *page, int width)
{
    int most = 0;
    for (size_t i = 0; i < page->count; i++)
        most = (int)page->lines[i].count - width > most ? (int)page->lines[i].count - width : most;
    return most;
}

// Whether the line, or another of its block, does not fit.
static bool is_wide(const struct page *page, int index, int width)
{
    int tag = page->lines[index].tag, first = index, last = index;
    while (first > 0 && page->lines[first - 1].tag == tag)
        first--;
    while (last + 1 < (int)page->count && page->lines[last + 1].tag == tag)
        last++;
    for (int i = first; i <= last; i++)
        if ((int)page->lines[i].count > width)
            return true;
    return false;
}

static void draw_page_row(const struct page_row *line, struct canvas *canvas, struct rect row, int left,
                          const char *match)
{
    const struct cell cut = {canvas_cut_sign(canvas), ROLE_DIM, ROLE_TEXT, 0};
    for (size_t i = 0; i < line->count; i++)
        canvas_cell(canvas, row.x + (int)i - left, row.y, line->cells[i]);
    if (left > 0 && line->count > 0)
        canvas_cell(canvas, row.x, row.y, cut);
    if ((int)line->count - left > row.width)
        canvas_cell(canvas, row.x + row.width - 1, row.y, cut);
    if (match && *match)
        draw_matches(line, canvas, row, left, match);
}

void page_draw(const struct page *page, struct canvas *canvas, struct rect rect, const struct scroll *scroll,
               const char *match)
{
    struct rect before = canvas_clip(canvas, rect);
    for (int y = 0; y < rect.height; y++) {
        int index = scroll->top + y;
        if (index < 0 || index >= (int)page->count)
            continue;
        int left = !page->by_block || is_wide(page, index, rect.width) ? scroll->left : 0;
        draw_page_row(&page->lines[index], canvas, (struct rect){rect.x, rect.y + y, rect.width, 1}, left, match);
    }
    canvas_unclip(canvas, before);
}

void page_more(const struct page *page, struct canvas *canvas, struct rect rect, const struct scroll *scroll)
{
    int count = (int)page->count, right = rect.x + rect.width, bottom = scroll->top + rect.height;
    if (scroll->top > 0)
        canvas_text(canvas, right - 1, rect.y, 1, ROLE_DIM, "↑");
    if (bottom >= count || rect.height < 1)
        return;
    char text[16];
    snprintf(text, sizeof text, "%d %% ↓", 100 * bottom / count);
    // never over the text: without room for the figure the arrow is alone
    bool room = (int)page->lines[bottom - 1].count + canvas_columns(canvas, text) < rect.width;
    canvas_right(canvas, right, rect.y + rect.height - 1, ROLE_DIM, "%s", room ? text : "↓");
}

void pane_draw(struct pane *pane, struct canvas *canvas, const char *match)
{
    scroll_fit(pane->scroll, (int)pane->page.count, pane->rect.height, pane->has_cursor);
    struct rect text = pane->rect;
    text.width = pane->page.width;
    page_draw(&pane->page, canvas, text, pane->scroll, match);
    if (!pane->has_cursor)
        page_more(&pane->page, canvas, pane->rect, pane->scroll);
}

bool pane_act(struct pane *pane, enum action action)
{
    return scroll_move(pane->scroll, action, (int)pane->page.count, pane->rect.height, pane->has_cursor);
}

bool pane_find(struct pane *pane, const char *match, int direction)
{
    int *position = pane->has_cursor ? &pane->scroll->cursor : &pane->scroll->top;
    int line = page_find(&pane->page, match, *position + direction, direction);
    *position = line >= 0 ? line : *position;
    return line >= 0;
}

static int clamp(int value, int low, int high)
{
    return value > high ? (high < low ? low : high) : value < low ? low : value;
}

void scroll_fit(struct scroll *scroll, int count, int height, bool has_cursor)
{
    height = height < 1 ? 1 : height;
    scroll->cursor = clamp(scroll->cursor, 0, count - 1);
    if (has_cursor)
        scroll->top = clamp(scroll->top, scroll->cursor - height + 1, scroll->cursor);
    scroll->top = clamp(scroll->top, 0, count - height);
}

bool scroll_move(struct scroll *scroll, enum action action, int count, int height, bool has_cursor)
{
    int *position = has_cursor ? &scroll->cursor : &scroll->top;
    const int half = height / 2 > 0 ? height / 2 : 1, page = height > 2 ? height - 2 : 1;
    const struct {
        enum action action;
        int by;
    } moves[] = {{ACTION_DOWN, 1},       {ACTION_UP, -1},          {ACTION_PAGE_DOWN, half}, {ACTION_PAGE_UP, -half},
                 {ACTION_READ_ON, page}, {ACTION_TOP, -*position}, {ACTION_BOTTOM, count}};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        if (moves[i].action != action)
            continue;
        *position = clamp(*position + moves[i].by, 0, count - 1);
        scroll_fit(scroll, count, height, has_cursor);
        return true;
    }
    return false;
}
