// A page: lines of cells, each with what it means. Reports are pages, which a terminal draws with colours and a pipe
// gets as plain text; so are lessons, source and help on the screen.
//
// Text is UTF-8; invalid bytes and control characters come out as '?', so nothing that a learner wrote reaches a
// terminal raw. In ASCII mode every other character is replaced by what page.c's table says, or by '?'.
#ifndef BANKSHOT_BASE_PAGE_H
#define BANKSHOT_BASE_PAGE_H

#include <stdint.h>

#include "base/text.h"

// What a cell means. ui/theme.h knows how that looks.
enum role {
#define R(name, ...) ROLE_##name,
#include "base/roles.def"
#undef R
    ROLE_COUNT
};

enum cell_flag { CELL_BOLD = 1, CELL_REVERSE = 2, CELL_UNDERLINE = 4 };

struct cell {
    uint32_t glyph; // a code point; 0 = the right half of the wide character to the left
    uint8_t role;   // enum role: foreground (and background)
    uint8_t under;  // enum role whose foreground is this cell's background; ROLE_TEXT = none
    uint8_t flags;
};

// Text to cells: at most `capacity` cells; returns how many.
size_t cells_from_text(struct cell *cells, size_t capacity, bool ascii, enum role role, const char *text);
// Decodes one code point (U+FFFD for anything invalid or a control character); returns the bytes used, 0 at the end.
size_t cell_decode(const char *text, uint32_t *code);
void cell_encode(struct text *text, uint32_t code);
void cells_print(const struct cell *cells, size_t count, struct text *out); // as plain text

struct page_row {
    struct cell *cells;
    size_t count, capacity;
    int tag; // what the line belongs to: a source line, a question …; 0 = nothing
};

struct page {
    int width; // where words wrap
    bool ascii;
    bool by_block; // sideways, only blocks (lines of one tag) that are too wide move, and all of their lines
    // Lines that are too wide are drawn in several rows. Those after the first have the sign in the column `sign`, and
    // their text from the column `text` on; 0: there are none, and such lines are cut.
    struct page_wrap {
        int sign, text;
    } wrap;
    struct page_row *lines;
    size_t count, capacity;
};

void page_init(struct page *page, int width, bool ascii);
void page_free(struct page *page);
void page_start(struct page *page, int tag); // begins a line
void page_add(struct page *page, enum role role, const char *format, ...) __attribute__((format(printf, 3, 4)));
void page_text(struct page *page, enum role role, const char *text); // of any length
void page_cells(struct page *page, const struct cell *cells, size_t count);
// The same from a column on, or from the line's end if that is farther.
void page_at(struct page *page, int column, enum role role, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// A line without a tag; a heading comes after a gap.
void page_line(struct page *page, enum role role, const char *format, ...) __attribute__((format(printf, 3, 4)));
void page_heading(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_pad(struct page *page, int column); // spaces up to that column
// Words, wrapped at the width; continued lines start with `indent` spaces and carry the tag of the line begun.
void page_words(struct page *page, int indent, enum role role, const char *text);
// A line of them that begins at `indent`.
void page_paragraph(struct page *page, int indent, enum role role, const char *text);
// Lines as they are, however long.
void page_lines(struct page *page, enum role role, const char *text);
int page_column(const struct page *page); // of the current line's end
bool page_locale_is_ascii(void);          // the locale's text is not UTF-8
// As plain text, lines without trailing blanks.
void page_print_row(const struct cell *cells, size_t count, struct text *out);
void page_print(const struct page *page, struct text *out);

#endif
