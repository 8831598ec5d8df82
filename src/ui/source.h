// The learner's source on a page: numbers, marks, colours. Lines are escaped; tabs become spaces.
#ifndef BANKSHOT_UI_SOURCE_H
#define BANKSHOT_UI_SOURCE_H

#include "ui/pane.h"

enum { NUMBER_COLUMNS = 4 };

// ● conflict-free, ◆ conflicts, ▲ hazard, ✗ error: shape and colour each set them apart.
enum mark { MARK_NONE, MARK_FREE, MARK_CONFLICT, MARK_HAZARD, MARK_ERROR };

struct source_note {
    int line;
    enum mark mark; // NONE: only a text
    enum role role; // of the text
    char text[600];
};
struct source_notes {
    struct source_note *items;
    size_t count, capacity;
};

// One page line for each source line, tagged with its number; those that are too wide go on in further rows. Of several
// marks on a line the worst is shown.
void source_page(struct page *page, const char *text, const struct source_notes *notes);
// The line's text without leading space, escaped, cut to size; "" if there is none.
const char *source_line(const char *text, int line, char *out, size_t size);

#endif
