// Blocks of Markdown as lines of a width: flowing text, code, tables.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/memory.h"
#include "lesson/markdown.h"

enum { LEAST_WIDTH = 10, LEAST_CELL = 6, COLUMN_GAP = 2 };

struct layout {
    struct markdown_lines *lines;
    size_t block;
    int width;
    bool ascii;
};

// Bytes of the character at text, and the columns that it takes.
static size_t character(const char *text, int *columns)
{
    utf8proc_int32_t code;
    utf8proc_ssize_t length = utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &code);
    if (length <= 0 || code < 0) {
        *columns = 1;
        return *text ? 1 : 0;
    }
    *columns = code == '\t' ? 1 : utf8proc_charwidth(code);
    return (size_t)length;
}

int markdown_columns(const char *text)
{
    int sum = 0, columns;
    while (*text) {
        text += character(text, &columns);
        sum += columns;
    }
    return sum;
}

static struct markdown_line *add_line(struct layout *layout)
{
    struct markdown_lines *lines = layout->lines;
    mem_reserve(&lines->items, &lines->capacity, lines->count);
    lines->items[lines->count] = (struct markdown_line){.block = layout->block};
    return &lines->items[lines->count++];
}

static void add_segment(struct layout *layout, struct markdown_line *line, const char *text, size_t length,
                        unsigned style, const char *target)
{
    if (length == 0)
        return;
    mem_reserve(&line->segments, &line->capacity, line->count);
    line->segments[line->count++] =
        (struct markdown_segment){arena_strndup(layout->lines->arena, text, length), style, target};
}

static void add_string(struct layout *layout, struct markdown_line *line, const char *text, unsigned style)
{
    add_segment(layout, line, text, strlen(text), style, NULL);
}

static void add_repeated(struct layout *layout, struct markdown_line *line, const char *text, int times, unsigned style)
{
    struct text repeated = {0};
    for (int i = 0; i < times; i++)
        text_puts(&repeated, text);
    add_string(layout, line, text_get(&repeated), style);
    text_free(&repeated);
}

// ---- flowing text

// Words of several spans, broken into lines of `width` columns. The first line starts after `first`, the others
// after `rest` (both of the same columns).
struct flow {
    struct layout *layout;
    const char *first, *rest;
    unsigned extra;   // style added to all
    int indent, used; // columns
    struct markdown_line *line;
    bool pending_blank;
    unsigned blank_style;
};

static void flow_line(struct flow *flow)
{
    const char *lead = flow->line ? flow->rest : flow->first;
    flow->line = add_line(flow->layout);
    add_string(flow->layout, flow->line, lead, MARKDOWN_MARK);
    flow->used = flow->indent;
    flow->pending_blank = false;
}

// A piece of a word that is wider than the line is cut where the line ends.
static void flow_piece(struct flow *flow, const char *text, size_t length, unsigned style, const char *target)
{
    while (length > 0) {
        size_t take = 0;
        int columns = 0;
        while (take < length) {
            int more;
            size_t size = character(text + take, &more);
            if (flow->used + columns + more > flow->layout->width && (columns > 0 || flow->used > flow->indent))
                break;
            take += size;
            columns += more;
        }
        add_segment(flow->layout, flow->line, text, take, style, target);
        flow->used += columns;
        text += take;
        length -= take;
        if (length > 0)
            flow_line(flow);
    }
}

static bool breaks(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\0';
}

// Columns of the word that starts in span `index` at `at` and may go on in the spans after it.
static int word_columns(const struct markdown_spans *spans, size_t index, const char *at)
{
    int sum = 0;
    for (;;) {
        while (!breaks(*at)) {
            int columns;
            at += character(at, &columns);
            sum += columns;
        }
        if (*at || ++index == spans->count)
            return sum;
        at = spans->items[index].text;
    }
}

static void flow_spans(struct flow *flow, const struct markdown_spans *spans)
{
    bool inside = false; // in a word that began in an earlier span
    flow_line(flow);
    for (size_t i = 0; i < spans->count; i++) {
        const struct markdown_span *span = &spans->items[i];
        unsigned style = span->style | flow->extra;
        for (const char *at = span->text; *at;) {
            if (*at == '\n') {
                flow_line(flow);
                at++;
                inside = false;
                continue;
            }
            if (breaks(*at)) {
                flow->pending_blank = flow->used > flow->indent;
                flow->blank_style = style;
                at++;
                inside = false;
                continue;
            }
            const char *end = at;
            while (!breaks(*end))
                end++;
            if (!inside && flow->used > flow->indent &&
                flow->used + flow->pending_blank + word_columns(spans, i, at) > flow->layout->width)
                flow_line(flow);
            if (flow->pending_blank) {
                add_string(flow->layout, flow->line, " ", flow->blank_style & style);
                flow->used++;
                flow->pending_blank = false;
            }
            flow_piece(flow, at, (size_t)(end - at), style, span->target);
            inside = true;
            at = end;
        }
    }
}

// ---- blocks

static void lead_of(const struct layout *layout, const struct markdown_block *block, struct text *first,
                    struct text *rest)
{
    for (int i = 0; i < block->quote; i++) {
        text_puts(first, layout->ascii ? "| " : "\xe2\x94\x82 ");
        text_puts(rest, layout->ascii ? "| " : "\xe2\x94\x82 ");
    }
    for (int i = 1; i < block->depth; i++) {
        text_puts(first, "  ");
        text_puts(rest, "  ");
    }
    if (block->kind != MARKDOWN_ITEM) {
        text_puts(first, block->depth ? "  " : "");
        text_puts(rest, block->depth ? "  " : "");
        return;
    }
    size_t before = first->length;
    if (block->number)
        text_printf(first, "%d. ", block->number);
    else
        text_puts(first, layout->ascii ? "* " : "\xe2\x80\xa2 ");
    for (int i = markdown_columns(text_get(first) + before); i > 0; i--)
        text_puts(rest, " ");
}

static void layout_flow(struct layout *layout, const struct markdown_block *block, unsigned extra)
{
    struct text first = {0}, rest = {0};
    lead_of(layout, block, &first, &rest);
    if (markdown_columns(text_get(&first)) > layout->width / 2) {
        text_clear(&first);
        text_clear(&rest);
    }
    struct flow flow = {.layout = layout,
                        .first = text_get(&first),
                        .rest = text_get(&rest),
                        .extra = extra,
                        .indent = markdown_columns(text_get(&first))};
    flow_spans(&flow, &block->spans);
    text_free(&first);
    text_free(&rest);
}

// Tabs of code become blanks up to every fourth column.
static void add_code(struct layout *layout, struct markdown_line *line, const char *text, size_t length)
{
    enum { TAB = 4 };
    struct text plain = {0};
    int used = 0;
    for (size_t i = 0; i < length;) {
        int columns;
        size_t size = character(text + i, &columns);
        if (text[i] == '\t') {
            columns = TAB - used % TAB;
            text_append(&plain, "    ", (size_t)columns);
        } else {
            text_append(&plain, text + i, size);
        }
        i += size;
        used += columns;
    }
    add_string(layout, line, text_get(&plain), MARKDOWN_MONO);
    text_free(&plain);
}

static int line_columns(const struct markdown_line *line)
{
    int sum = 0;
    for (size_t i = 0; i < line->count; i++)
        sum += markdown_columns(line->segments[i].text);
    return sum;
}

static void layout_code(struct layout *layout, const struct markdown_block *block)
{
    struct text first = {0}, rest = {0};
    lead_of(layout, block, &first, &rest);
    for (const char *at = block->text; *at;) {
        const char *end = strchr(at, '\n');
        size_t length = end ? (size_t)(end - at) : strlen(at);
        struct markdown_line *line = add_line(layout);
        add_string(layout, line, text_get(&rest), MARKDOWN_MARK);
        add_string(layout, line, "  ", MARKDOWN_MONO);
        add_code(layout, line, at, length);
        line->wide = line_columns(line) > layout->width;
        at += length + (end != NULL);
    }
    text_free(&first);
    text_free(&rest);
}

static int spans_columns(const struct markdown_spans *spans)
{
    int sum = 0;
    for (size_t i = 0; i < spans->count; i++)
        sum += markdown_columns(spans->items[i].text);
    return sum;
}

// Columns of the table's columns: as wide as their cells, the widest narrowed until all fit.
static int *table_widths(const struct layout *layout, const struct markdown_block *block)
{
    int *widths = mem_alloc((block->columns + 1) * sizeof *widths), sum = 0;
    for (size_t i = 0; i < block->rows * block->columns; i++) {
        int columns = spans_columns(&block->cells[i]);
        int *width = &widths[i % block->columns];
        *width = columns > *width ? columns : *width;
    }
    for (size_t i = 0; i < block->columns; i++)
        sum += widths[i] + (i ? COLUMN_GAP : 0);
    for (; sum > layout->width; sum--) {
        size_t widest = 0;
        for (size_t i = 1; i < block->columns; i++)
            widest = widths[i] > widths[widest] ? i : widest;
        if (widths[widest] <= LEAST_CELL)
            break;
        widths[widest]--;
    }
    return widths;
}

// One line of a wrapped cell, padded to the column's width; NULL: the cell has no more lines.
static void add_cell_line(struct layout *layout, struct markdown_line *line, const struct markdown_line *cell,
                          int width, char align)
{
    int room = width - (cell ? line_columns(cell) : 0);
    int before = align == 'r' ? room : align == 'c' ? room / 2 : 0;
    add_repeated(layout, line, " ", before, 0);
    for (size_t i = 0; cell && i < cell->count; i++)
        add_segment(layout, line, cell->segments[i].text, strlen(cell->segments[i].text), cell->segments[i].style,
                    cell->segments[i].target);
    add_repeated(layout, line, " ", room - before, 0);
}

static void free_lines(struct markdown_lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        free(lines->items[i].segments);
    free(lines->items);
}

static void layout_row(struct layout *layout, const struct markdown_block *block, size_t row, const int *widths)
{
    struct markdown_lines *cells = mem_alloc((block->columns + 1) * sizeof *cells);
    size_t height = 1;
    for (size_t column = 0; column < block->columns; column++) {
        cells[column].arena = layout->lines->arena;
        struct layout cell = {.lines = &cells[column], .width = widths[column], .ascii = layout->ascii};
        struct flow flow = {.layout = &cell, .first = "", .rest = "", .extra = row == 0 ? MARKDOWN_STRONG : 0};
        flow_spans(&flow, &block->cells[row * block->columns + column]);
        height = cells[column].count > height ? cells[column].count : height;
    }
    for (size_t y = 0; y < height; y++) {
        struct markdown_line *line = add_line(layout);
        for (size_t column = 0; column < block->columns; column++) {
            add_repeated(layout, line, " ", column ? COLUMN_GAP : 0, 0);
            add_cell_line(layout, line, y < cells[column].count ? &cells[column].items[y] : NULL, widths[column],
                          block->align[column]);
        }
        line->wide = line_columns(line) > layout->width;
    }
    for (size_t column = 0; column < block->columns; column++)
        free_lines(&cells[column]);
    free(cells);
}

static void layout_table(struct layout *layout, const struct markdown_block *block)
{
    int *widths = table_widths(layout, block);
    for (size_t row = 0; row < block->rows; row++) {
        layout_row(layout, block, row, widths);
        if (row != 0)
            continue;
        struct markdown_line *line = add_line(layout);
        for (size_t column = 0; column < block->columns; column++) {
            add_repeated(layout, line, " ", column ? COLUMN_GAP : 0, MARKDOWN_MARK);
            add_repeated(layout, line, layout->ascii ? "-" : "\xe2\x94\x80", widths[column], MARKDOWN_MARK);
        }
        line->wide = line_columns(line) > layout->width;
    }
    free(widths);
}

static void layout_heading(struct layout *layout, const struct markdown_block *block)
{
    layout_flow(layout, block, MARKDOWN_TITLE);
    if (block->level > 1)
        return;
    int columns = spans_columns(&block->spans);
    add_repeated(layout, add_line(layout), layout->ascii ? "=" : "\xe2\x95\x90",
                 columns < layout->width ? columns : layout->width, MARKDOWN_MARK);
}

static void layout_block(struct layout *layout, const struct markdown_block *block)
{
    switch (block->kind) {
    case MARKDOWN_HEADING:
        layout_heading(layout, block);
        break;
    case MARKDOWN_PARAGRAPH:
    case MARKDOWN_ITEM:
        layout_flow(layout, block, 0);
        break;
    case MARKDOWN_CODE:
        layout_code(layout, block);
        break;
    case MARKDOWN_TABLE:
        layout_table(layout, block);
        break;
    case MARKDOWN_RULE:
        add_repeated(layout, add_line(layout), layout->ascii ? "-" : "\xe2\x94\x80", layout->width, MARKDOWN_MARK);
        break;
    }
}

struct markdown_lines *markdown_layout(const struct markdown *page, int width, bool ascii)
{
    struct markdown_lines *lines = mem_alloc(sizeof *lines);
    lines->arena = arena_new();
    struct layout layout = {.lines = lines, .width = width < LEAST_WIDTH ? LEAST_WIDTH : width, .ascii = ascii};
    for (size_t i = 0; i < page->count; i++) {
        const struct markdown_block *block = &page->blocks[i];
        bool is_tight = i > 0 && block->kind == MARKDOWN_ITEM && page->blocks[i - 1].depth > 0;
        layout.block = i;
        if (i > 0 && !is_tight)
            add_line(&layout);
        layout_block(&layout, block);
    }
    return lines;
}

void markdown_lines_free(struct markdown_lines *lines)
{
    if (!lines)
        return;
    free_lines(lines);
    arena_free(lines->arena);
    free(lines);
}

void markdown_print(const struct markdown *page, int width, bool ascii, struct text *out)
{
    struct markdown_lines *lines = markdown_layout(page, width, ascii);
    for (size_t i = 0; i < lines->count; i++) {
        size_t start = out->length;
        for (size_t j = 0; j < lines->items[i].count; j++)
            text_puts(out, lines->items[i].segments[j].text);
        while (out->length > start && out->data[out->length - 1] == ' ')
            out->data[--out->length] = '\0';
        text_puts(out, "\n");
    }
    markdown_lines_free(lines);
}
