// The learner's source on a page: numbers, marks, colours. Lines are escaped; tabs become spaces.
#ifndef BANKSHOT_UI_SOURCE_H
#define BANKSHOT_UI_SOURCE_H

#include "ui/page.h"

// ● conflict-free, ◆ conflicts, ▲ hazard, ✗ error: shape and colour each set them apart.
enum mark { MARK_NONE, MARK_FREE, MARK_CONFLICT, MARK_HAZARD, MARK_ERROR };

struct source_mark {
    int line;
    enum mark mark;
};

// One page line for each source line, tagged with its number. Of several marks on a line the worst is shown.
void source_page(struct page *page, const char *text, const struct source_mark *marks, size_t mark_count);
// The line's text without leading space, escaped, cut to size; "" if there is none.
const char *source_line(const char *text, int line, char *out, size_t size);

#endif
