// Markdown pages (lesson.md, why.md) as blocks, and as lines of a given width for the screen and for plain text.
//
// CommonMark with tables, through md4c. Raw HTML is shown as text. All text is escaped (text_escape), entities that
// lessons use (&lt; &gt; &amp; &quot; &nbsp; numeric ones) are resolved. A page owns all its strings.
#ifndef BANKSHOT_LESSON_MARKDOWN_H
#define BANKSHOT_LESSON_MARKDOWN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/page.h"

enum markdown_kind {
    MARKDOWN_HEADING,                    // level 1 … 6
    MARKDOWN_PARAGRAPH,
    MARKDOWN_ITEM,                       // one list item: depth from 1; number 0 = bullet
    MARKDOWN_CODE,                       // text, language
    MARKDOWN_TABLE,
    MARKDOWN_RULE
};

enum markdown_style {                    // bits
    MARKDOWN_STRONG = 1, MARKDOWN_EMPHASIS = 2, MARKDOWN_MONO = 4, MARKDOWN_LINK = 8
};

struct markdown_span {
    const char *text;                    // no line ends but '\n' for a hard break
    unsigned style;
    const char *target;                  // LINK: where to
};

struct markdown_spans {
    struct markdown_span *items;
    size_t count, capacity;
};

struct markdown_block {
    enum markdown_kind kind;
    int level, depth, number, quote;     // quote: how many block quotes surround it
    bool continued;                      // a further paragraph or code block of the list item before it
    struct markdown_spans spans;         // HEADING, PARAGRAPH, ITEM
    const char *language, *text;         // CODE; text ends with '\n' unless empty
    size_t rows, columns;                // TABLE: row 0 is the header
    struct markdown_spans *cells;        // rows * columns
    char *align;                         // columns: 'l', 'c', 'r'
};

struct markdown {
    struct arena *arena;
    struct markdown_block *blocks;
    size_t count, capacity;
};

// Never fails on any bytes: what is not Markdown is a paragraph.
struct markdown *markdown_parse(const char *text, size_t length);
void markdown_free(struct markdown *page);
size_t markdown_words(const struct markdown *page);        // of prose, lists and tables; code does not count

// Adds the blocks from `first` up to, and without, `end` as lines of the page, between column `left` and as far from the
// page's width (at least 10 columns); double-width characters count twice. A line's tag is `tag` plus the index of its
// block. Cells of tables wrap, between words if there is room. Code that is wider, and a table of too many columns, stay whole.
void markdown_put(const struct markdown *text, size_t first, size_t end, int tag, int left, struct page *page);
// Columns between the margins that its code, and the words of its tables, take.
int markdown_needs(const struct markdown *text);
// All of it as plain text. ascii: bullets and rules without Unicode.
void markdown_print(const struct markdown *text, int width, bool ascii, struct text *out);

// Columns that a UTF-8 string takes.
int markdown_columns(const char *text);

#endif
