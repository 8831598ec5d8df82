// Markdown blocks as lines of a page: words wrapped, tables fitted, code left as it is.
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/memory.h"
#include "base/page.h"
#include "lesson/markdown.h"

enum { LEAST_WIDTH = 10, LEAST_CELL = 6, COLUMN_GAP = 2 };

struct layout {
    struct page *page;
    int left, right; // columns between which text stands
    int tag;
    bool ascii; // bullets and rules
};

int markdown_columns(const char *text)
{
    int sum = 0;
    uint32_t code;
    for (size_t used; (used = cell_decode(text, &code)) > 0; text += used)
        sum += utf8proc_charwidth((utf8proc_int32_t)code);
    return sum;
}

static void begin_line(const struct layout *layout)
{
    page_start(layout->page, layout->tag);
    page_pad(layout->page, layout->left);
}

static void put_repeated(const struct layout *layout, const char *text, int times)
{
    for (int i = 0; i < times; i++)
        page_text(layout->page, ROLE_DIM, text);
}

// ---- flowing text

static enum role span_role(unsigned style, enum role base)
{
    if (base == ROLE_HEADING)
        return base;
    if (style & MARKDOWN_MONO)
        return ROLE_CODE;
    if (style & MARKDOWN_LINK)
        return ROLE_LINK;
    return style & (MARKDOWN_STRONG | MARKDOWN_EMPHASIS) ? ROLE_EMPHASIS : base;
}

// Not wrapped: a new line only where the text has a hard break.
static void put_spans(struct page *page, const struct markdown_spans *spans, enum role base)
{
    page_start(page, 0);
    for (size_t i = 0; i < spans->count; i++)
        for (const char *at = spans->items[i].text; *at;) {
            size_t length = strcspn(at, "\t\n");
            char *piece = mem_strndup(at, length);
            page_text(page, span_role(spans->items[i].style, base), piece);
            free(piece);
            if (at[length] == '\n')
                page_start(page, 0);
            else if (at[length])
                page_text(page, base, " ");
            at += length + (at[length] != '\0');
        }
}

// Words, wrapped at the layout's right. Lines start with `lead`, the first with `first`, which is as wide.
struct flow {
    const struct layout *layout;
    const char *first, *lead;
    int indent; // column after the lead
};

static void flow_line(struct flow *flow)
{
    begin_line(flow->layout);
    page_text(flow->layout->page, ROLE_DIM, flow->first);
    flow->first = flow->lead;
    flow->indent = page_column(flow->layout->page);
}

// A word that is wider than the line is cut where the line ends.
static void flow_word(struct flow *flow, const struct cell *word, size_t count)
{
    struct page *page = flow->layout->page;
    while (count > 0) {
        int used = page_column(page), left = flow->layout->right - used;
        size_t some = left < 1 ? 0 : (size_t)left < count ? (size_t)left : count;
        if (some < count && word[some].glyph == 0) // no wide character is cut in two
            some--;
        if (some == 0 && used <= flow->indent)
            some = count > 1 && word[1].glyph == 0 ? 2 : 1;
        page_cells(page, word, some);
        word += some;
        count -= some;
        if (count > 0)
            flow_line(flow);
    }
}

static void flow_row(struct flow *flow, const struct page_row *row)
{
    const struct page *page = flow->layout->page;
    const struct cell *blank = NULL;
    flow_line(flow);
    for (size_t at = 0, length; at < row->count; at += length) {
        const struct cell *word = &row->cells[at];
        length = 1;
        if (word->glyph == ' ') {
            blank = word;
            continue;
        }
        while (at + length < row->count && word[length].glyph != ' ')
            length++;
        int used = page_column(page);
        if (used > flow->indent && used + (blank != NULL) + (int)length > flow->layout->right)
            flow_line(flow);
        else if (used > flow->indent && blank)
            page_text(flow->layout->page, blank->role == word->role ? (enum role)word->role : ROLE_TEXT, " ");
        blank = NULL;
        flow_word(flow, word, length);
    }
}

static void flow_spans(struct flow *flow, const struct markdown_spans *spans, enum role base)
{
    struct page raw;
    page_init(&raw, 1, flow->layout->page->ascii);
    put_spans(&raw, spans, base);
    for (size_t i = 0; i < raw.count; i++)
        flow_row(flow, &raw.lines[i]);
    page_free(&raw);
}

static int spans_columns(const struct markdown_spans *spans)
{
    int sum = 0;
    for (size_t i = 0; i < spans->count; i++)
        sum += markdown_columns(spans->items[i].text);
    return sum;
}

// ---- blocks

static void lead_of(const struct layout *layout, const struct markdown_block *block, struct text *first,
                    struct text *rest)
{
    for (int i = 0; i < block->quote; i++)
        text_puts(rest, layout->ascii ? "| " : "\xe2\x94\x82 ");
    for (int i = block->kind == MARKDOWN_ITEM; i < block->depth; i++)
        text_puts(rest, "  ");
    text_puts(first, text_get(rest));
    if (block->kind != MARKDOWN_ITEM)
        return;
    size_t before = first->length;
    if (block->number)
        text_printf(first, "%d. ", block->number);
    else
        text_puts(first, layout->ascii ? "* " : "\xe2\x80\xa2 ");
    for (int i = markdown_columns(text_get(first) + before); i > 0; i--)
        text_puts(rest, " ");
}

static void layout_flow(const struct layout *layout, const struct markdown_block *block, enum role base)
{
    struct text first = {0}, rest = {0};
    lead_of(layout, block, &first, &rest);
    bool fits = markdown_columns(text_get(&first)) <= (layout->right - layout->left) / 2;
    struct flow flow = {.layout = layout, .first = fits ? text_get(&first) : "", .lead = fits ? text_get(&rest) : ""};
    flow_spans(&flow, &block->spans, base);
    text_free(&first);
    text_free(&rest);
}

// Tabs of code become blanks up to every fourth column.
static void layout_code(const struct layout *layout, const struct markdown_block *block)
{
    enum { TAB = 4 };
    struct text first = {0}, rest = {0};
    lead_of(layout, block, &first, &rest);
    for (const char *at = block->text; *at;) {
        begin_line(layout);
        page_text(layout->page, ROLE_DIM, text_get(&rest));
        page_text(layout->page, ROLE_CODE, "  ");
        int start = page_column(layout->page);
        for (; *at && *at != '\n'; at += *at == '\t') {
            size_t length = strcspn(at, "\t\n");
            char *piece = mem_strndup(at, length);
            page_text(layout->page, ROLE_CODE, piece);
            free(piece);
            at += length;
            if (*at != '\t')
                break;
            page_pad(layout->page, start + ((page_column(layout->page) - start) / TAB + 1) * TAB);
        }
        at += *at == '\n';
    }
    text_free(&first);
    text_free(&rest);
}

// Columns of the longest word, which may be made of several spans.
static int longest_word(const struct markdown_spans *spans)
{
    struct text all = {0};
    char word[256];
    int longest = 0;
    for (size_t i = 0; i < spans->count; i++)
        text_puts(&all, spans->items[i].text);
    for (const char *at = text_get(&all); *at;) {
        size_t length = strcspn(at, " \n");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        int columns = markdown_columns(word);
        longest = columns > longest ? columns : longest;
        at += length + (at[length] != '\0');
    }
    text_free(&all);
    return longest;
}

static int sum_of_columns(const int *widths, size_t count)
{
    int sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += widths[i] + (i ? COLUMN_GAP : 0);
    return sum;
}

// As wide as their cells (of: spans_columns), or as their longest words (of: longest_word).
static int *column_widths(const struct markdown_block *block, int (*of)(const struct markdown_spans *))
{
    int *widths = mem_alloc((block->columns + 1) * sizeof *widths);
    for (size_t i = 0; i < block->rows * block->columns; i++) {
        int columns = of(&block->cells[i]), *width = &widths[i % block->columns];
        *width = columns > *width ? columns : *width;
    }
    return widths;
}

// Columns of the table's columns: as wide as their cells, the widest narrowed until all fit; words are broken only
// where there is no room for them all.
static int *table_widths(const struct layout *layout, const struct markdown_block *block)
{
    int *widths = column_widths(block, spans_columns), *least = column_widths(block, longest_word);
    int room = layout->right - layout->left;
    bool breaks = sum_of_columns(least, block->columns) > room;
    for (int sum = sum_of_columns(widths, block->columns); sum > room; sum--) {
        size_t widest = block->columns;
        for (size_t i = 0; i < block->columns; i++)
            if (widths[i] > (breaks ? LEAST_CELL : least[i]) &&
                (widest == block->columns || widths[i] > widths[widest]))
                widest = i;
        if (widest == block->columns)
            break;
        widths[widest]--;
    }
    free(least);
    return widths;
}

int markdown_needs(const struct markdown *text)
{
    int needs = 0;
    for (size_t i = 0; i < text->count; i++) {
        const struct markdown_block *block = &text->blocks[i];
        int columns = 0;
        if (block->kind == MARKDOWN_TABLE) {
            int *least = column_widths(block, longest_word);
            columns = sum_of_columns(least, block->columns);
            free(least);
        } else if (block->kind == MARKDOWN_CODE) {
            struct page page;
            page_init(&page, LEAST_WIDTH, false);
            layout_code(&(struct layout){.page = &page, .right = LEAST_WIDTH}, block);
            for (size_t line = 0; line < page.count; line++)
                columns = (int)page.lines[line].count > columns ? (int)page.lines[line].count : columns;
            page_free(&page);
        }
        needs = columns > needs ? columns : needs;
    }
    return needs;
}

// Each cell is a small page of its own; the row takes them side by side.
static void layout_row(const struct layout *layout, const struct markdown_block *block, size_t row, const int *widths)
{
    struct page *cells = mem_alloc((block->columns + 1) * sizeof *cells);
    size_t height = 1;
    for (size_t i = 0; i < block->columns; i++) {
        page_init(&cells[i], widths[i], layout->page->ascii);
        struct layout inner = {.page = &cells[i], .right = widths[i]};
        struct flow flow = {.layout = &inner, .first = "", .lead = ""};
        flow_spans(&flow, &block->cells[row * block->columns + i], row == 0 ? ROLE_EMPHASIS : ROLE_TEXT);
        height = cells[i].count > height ? cells[i].count : height;
    }
    for (size_t y = 0; y < height; y++) {
        begin_line(layout);
        for (size_t i = 0, start = (size_t)layout->left; i < block->columns;
             start += (size_t)widths[i++] + COLUMN_GAP) {
            if (y >= cells[i].count)
                continue;
            const struct page_row *line = &cells[i].lines[y];
            int room = widths[i] - (int)line->count;
            int before = block->align[i] == 'r' ? room : block->align[i] == 'c' ? room / 2 : 0;
            page_pad(layout->page, (int)start + before);
            page_cells(layout->page, line->cells, line->count);
        }
    }
    for (size_t i = 0; i < block->columns; i++)
        page_free(&cells[i]);
    free(cells);
}

static void layout_table(const struct layout *layout, const struct markdown_block *block)
{
    int *widths = table_widths(layout, block);
    for (size_t row = 0; row < block->rows; row++) {
        layout_row(layout, block, row, widths);
        if (row != 0)
            continue;
        begin_line(layout);
        for (size_t i = 0; i < block->columns; i++) {
            put_repeated(layout, " ", i ? COLUMN_GAP : 0);
            put_repeated(layout, layout->ascii ? "-" : "\xe2\x94\x80", widths[i]);
        }
    }
    free(widths);
}

static void layout_block(const struct layout *layout, const struct markdown_block *block)
{
    int width = layout->right - layout->left, columns;
    switch (block->kind) {
    case MARKDOWN_HEADING:
        layout_flow(layout, block, ROLE_HEADING);
        if (block->level > 1)
            break;
        columns = spans_columns(&block->spans);
        begin_line(layout);
        put_repeated(layout, layout->ascii ? "=" : "\xe2\x95\x90", columns < width ? columns : width);
        break;
    case MARKDOWN_PARAGRAPH:
    case MARKDOWN_ITEM:
        layout_flow(layout, block, ROLE_TEXT);
        break;
    case MARKDOWN_CODE:
        layout_code(layout, block);
        break;
    case MARKDOWN_TABLE:
        layout_table(layout, block);
        break;
    case MARKDOWN_RULE:
        begin_line(layout);
        put_repeated(layout, layout->ascii ? "-" : "\xe2\x94\x80", width);
        break;
    }
}

static void layout_blocks(struct layout layout, const struct markdown *text, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        bool is_tight = i > 0 && text->blocks[i].kind == MARKDOWN_ITEM && text->blocks[i - 1].depth > 0;
        if (i > 0 && !is_tight)
            page_start(layout.page, layout.tag + (int)i);
        struct layout block = layout;
        block.tag += (int)i;
        layout_block(&block, &text->blocks[i]);
    }
}

void markdown_put(const struct markdown *text, size_t first, size_t end, int tag, int left, struct page *page)
{
    int right = page->width - left;
    const struct layout layout = {.page = page,
                                  .left = left,
                                  .right = right < left + LEAST_WIDTH ? left + LEAST_WIDTH : right,
                                  .tag = tag,
                                  .ascii = page->ascii};
    layout_blocks(layout, text, first, end);
}

void markdown_print(const struct markdown *text, int width, bool ascii, struct text *out)
{
    struct page page;
    page_init(&page, width, false);
    const struct layout layout = {.page = &page, .right = width < LEAST_WIDTH ? LEAST_WIDTH : width, .ascii = ascii};
    layout_blocks(layout, text, 0, text->count);
    page_print(&page, out);
    page_free(&page);
}
