// Panes: how pages are searched, drawn and scrolled.
#include "ui/pane.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// In the place of the number, in rows that go on with a line.
#define CONTINUED "\u2514"

static int clamp(int value, int low, int high)
{
    return value > high ? (high < low ? low : high) : value < low ? low : value;
}

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

// ---- lines in several rows

// What a row shows of a line: its cells from first to end, from the column `at` on.
struct piece {
    size_t first, end;
    int at;
};

// Rows after the first keep the line's own indentation, if that leaves most of the width.
static int hanging(const struct page *page, const struct page_row *line, int width)
{
    int column = page->wrap.text;
    while (column < (int)line->count && line->cells[column].glyph == ' ')
        column++;
    return column < width / 2 ? column : page->wrap.text < width / 2 ? page->wrap.text : 0;
}

// The next piece of a line, behind `before` (end 0: the first one): as many words as there is room for.
static struct piece piece_after(const struct page *page, const struct page_row *line, struct piece before, int width)
{
    struct piece piece = {before.end, line->count, 0};
    if (page->wrap.text == 0)
        return piece;
    if (before.end > 0)
        piece.at = hanging(page, line, width);
    while (before.end > 0 && piece.first < line->count && line->cells[piece.first].glyph == ' ')
        piece.first++;
    size_t room = width - piece.at > 2 ? (size_t)(width - piece.at) : 2;
    if (line->count - piece.first <= room)
        return piece;
    piece.end = piece.first + room;
    size_t word = piece.end;
    while (word > piece.first + room / 2 && line->cells[word].glyph != ' ' && line->cells[word - 1].glyph != ' ')
        word--;
    if (word > piece.first + room / 2)
        piece.end = word;
    else if (line->cells[piece.end].glyph == 0) // the right half of a wide character
        piece.end--;
    return piece;
}

static bool has_blanks_only(const struct page_row *line, size_t from)
{
    while (from < line->count && line->cells[from].glyph == ' ')
        from++;
    return from == line->count;
}

// Rows that a line takes at a width.
static int page_rows(const struct page *page, int line, int width)
{
    struct piece piece = {0};
    int rows = 0;
    do {
        piece = piece_after(page, &page->lines[line], piece, width);
        rows++;
    } while (!has_blanks_only(&page->lines[line], piece.end));
    return rows;
}

struct rect page_place(const struct page *page, struct rect rect, const struct scroll *scroll, int line)
{
    struct rect place = {rect.x, rect.y - scroll->skip, rect.width, 0};
    int i = scroll->top < 0 ? 0 : scroll->top, bottom = rect.y + rect.height;
    for (; i < line && i < (int)page->count && place.y < bottom; i++)
        place.y += page_rows(page, i, rect.width);
    if (i != line || line >= (int)page->count || place.y >= bottom)
        return (struct rect){rect.x, rect.y, rect.width, 0};
    int end = place.y + page_rows(page, line, rect.width);
    place.y = place.y < rect.y ? rect.y : place.y;
    place.height = (end < bottom ? end : bottom) - place.y;
    return place;
}

// The first line of those before `line` that still fit above it, when `room` rows are left for them.
static int first_above(const struct page *page, int line, int room, int width)
{
    while (line > 0 && (room -= page_rows(page, line - 1, width)) >= 0)
        line--;
    return line;
}

void page_fit(const struct page *page, struct scroll *scroll, struct rect rect)
{
    int count = (int)page->count, height = rect.height < 1 ? 1 : rect.height;
    scroll->cursor = clamp(scroll->cursor, 0, count - 1);
    if (count == 0) {
        scroll->top = scroll->skip = 0;
        return;
    }
    int rows = page_rows(page, scroll->cursor, rect.width);
    int highest = first_above(page, scroll->cursor, height - rows, rect.width);
    int last = first_above(page, count, height, rect.width);
    scroll->top = clamp(scroll->top, highest, scroll->cursor);
    if (scroll->top > last && last >= highest)
        scroll->top = last;
    bool is_long = scroll->top == scroll->cursor && rows > height;
    scroll->skip = is_long ? clamp(scroll->skip, 0, rows - height) : 0;
}

// ---- drawing

static void draw_matches(const struct page_row *line, struct canvas *canvas, int x, int y, struct piece piece,
                         const char *match)
{
    struct cell cells[256];
    size_t length = cells_from_text(cells, 256, canvas->ascii, ROLE_TEXT, match);
    for (int at = 0; (at = find_in_line(line, cells, length, !has_capital(match), (size_t)at)) >= 0; at++)
        for (size_t i = (size_t)at; i < (size_t)at + length; i++)
            if (i >= piece.first && i < piece.end)
                canvas_role(canvas, (struct rect){x + piece.at + (int)(i - piece.first), y, 1, 1}, ROLE_MATCH);
}

int page_overhang(const struct page *page, int width)
{
    int most = 0;
    for (size_t i = 0; i < page->count && page->wrap.text == 0; i++)
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

static void draw_piece(const struct page_row *line, struct canvas *canvas, struct rect row, int left,
                       struct piece piece, const char *match)
{
    const struct cell cut = {canvas_cut_sign(canvas), ROLE_DIM, ROLE_TEXT, 0};
    int x = row.x - left, end = piece.at + (int)(piece.end - piece.first) - left;
    for (size_t i = piece.first; i < piece.end; i++)
        canvas_cell(canvas, x + piece.at + (int)(i - piece.first), row.y, line->cells[i]);
    if (left > 0 && line->count > 0)
        canvas_cell(canvas, row.x, row.y, cut);
    if (end > row.width)
        canvas_cell(canvas, row.x + row.width - 1, row.y, cut);
    if (match && *match)
        draw_matches(line, canvas, x, row.y, piece, match);
}

// Draws a line from the row y on, which may lie above the rectangle; returns the rows that it took.
static int draw_line(const struct page *page, int index, struct canvas *canvas, struct rect rect, int y, int left,
                     const char *match)
{
    const struct page_row *line = &page->lines[index];
    struct piece piece = {0};
    int rows = 0;
    do {
        piece = piece_after(page, line, piece, rect.width);
        struct rect row = {rect.x, y + rows, rect.width, 1};
        if (rows > 0)
            canvas_text(canvas, rect.x + page->wrap.sign, row.y, 1, ROLE_LINENO, CONTINUED);
        draw_piece(line, canvas, row, left, piece, match);
        rows++;
    } while (!has_blanks_only(line, piece.end));
    return rows;
}

void page_draw(const struct page *page, struct canvas *canvas, struct rect rect, const struct scroll *scroll,
               const char *match)
{
    struct rect before = canvas_clip(canvas, rect);
    int y = rect.y - scroll->skip;
    for (int index = scroll->top; index < (int)page->count && y < rect.y + rect.height; index++) {
        bool moves = page->wrap.text == 0 && (!page->by_block || (index >= 0 && is_wide(page, index, rect.width)));
        y += index < 0 ? 1 : draw_line(page, index, canvas, rect, y, moves ? scroll->left : 0, match);
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
    struct rect text = pane->rect;
    text.width = pane->page.width;
    if (pane->has_cursor)
        page_fit(&pane->page, pane->scroll, text);
    else
        scroll_fit(pane->scroll, (int)pane->page.count, pane->rect.height, false);
    page_draw(&pane->page, canvas, text, pane->scroll, match);
    if (!pane->has_cursor)
        page_more(&pane->page, canvas, pane->rect, pane->scroll);
}

// A line of more rows than are seen is read to its end before the next one is chosen.
static bool reads_on(struct pane *pane, enum action action)
{
    struct scroll *scroll = pane->scroll;
    int by = action == ACTION_DOWN ? 1 : action == ACTION_UP ? -1 : 0, skip = scroll->skip;
    if (!pane->has_cursor || by == 0 || pane->page.count == 0)
        return false;
    page_fit(&pane->page, scroll, pane->rect);
    if (scroll->top != scroll->cursor)
        return false;
    scroll->skip += by;
    page_fit(&pane->page, scroll, pane->rect);
    return scroll->skip != skip;
}

// Lines that are seen now.
static int lines_seen(const struct pane *pane)
{
    int line = pane->scroll->top, rows = -pane->scroll->skip;
    while (line < (int)pane->page.count && rows < pane->rect.height)
        rows += page_rows(&pane->page, line++, pane->rect.width);
    return line - pane->scroll->top;
}

bool pane_act(struct pane *pane, enum action action)
{
    if (reads_on(pane, action))
        return true;
    if (pane->has_cursor)
        return scroll_move(pane->scroll, action, (int)pane->page.count, lines_seen(pane), true);
    return scroll_move(pane->scroll, action, (int)pane->page.count, pane->rect.height, pane->has_cursor);
}

bool pane_find(struct pane *pane, const char *match, int direction)
{
    int *position = pane->has_cursor ? &pane->scroll->cursor : &pane->scroll->top;
    int line = page_find(&pane->page, match, *position + direction, direction);
    *position = line >= 0 ? line : *position;
    return line >= 0;
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
