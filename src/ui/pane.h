// A pane: a page seen through a rectangle, scrolled and searched. Lesson text, source, report and help are pages.
#ifndef BANKSHOT_UI_PANE_H
#define BANKSHOT_UI_PANE_H

#include "ui/action.h"
#include "ui/canvas.h"

// The first line of what is shown, and the chosen line where there is one: lines of the page, however many rows each
// takes.
struct scroll {
    int top, cursor, left;
    int skip; // rows of the first line that are above, where it takes more of them than are seen
};

// Lines that are wider than the rectangle go on in further rows where the page says so (page.wrap); else they end in
// the sign for cut text.
void page_draw(const struct page *page, struct canvas *canvas, struct rect rect, const struct scroll *scroll,
               const char *match);
// Arrows in the rectangle's last column, which the page leaves free, where there is more above and below.
void page_more(const struct page *page, struct canvas *canvas, struct rect rect, const struct scroll *scroll);
// Columns that the longest line has beyond the width; 0 = all fit.
int page_overhang(const struct page *page, int width);
// First line from `from` on (direction 1 or -1, going round) that holds needle, case ignored unless it has capitals;
// -1 if none does.
int page_find(const struct page *page, const char *needle, int from, int direction);
int page_find_tag(const struct page *page, int tag); // -1 = none
// The rows of the rectangle in which a line is seen; none: height 0.
struct rect page_place(const struct page *page, struct rect rect, const struct scroll *scroll, int line);
// scroll_fit for a page with a chosen line, of which some take several rows.
void page_fit(const struct page *page, struct scroll *scroll, struct rect rect);

// A page seen through a rectangle: the text itself, how far it is scrolled, and whether one line of it is chosen.
struct pane {
    struct page page; // page_free when done
    struct rect rect;
    struct scroll *scroll;
    bool has_cursor;
};
void pane_draw(struct pane *pane, struct canvas *canvas, const char *match);
bool pane_act(struct pane *pane, enum action action);                // false: not a movement
bool pane_find(struct pane *pane, const char *match, int direction); // goes to the next match; false: none

// Moves for the action: `cursor` over `count` things seen through `height` rows, or the top alone when no cursor is
// shown. False: not a movement.
bool scroll_move(struct scroll *scroll, enum action action, int count, int height, bool has_cursor);
void scroll_fit(struct scroll *scroll, int count, int height, bool has_cursor);

#endif
