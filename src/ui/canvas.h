// A canvas: cells that a view draws into. The terminal, the tests and the exports read it; none of them knows a view.
//
// Coordinates are columns and rows from 0. Whatever falls outside the clip rectangle is dropped, so that a view may
// draw without looking at the size. Text is UTF-8; invalid bytes and control characters come out as '?', so nothing
// that a learner wrote reaches a terminal raw. In ASCII mode every other character is replaced by what canvas.c's
// table says, or by '?'.
#ifndef BANKSHOT_UI_CANVAS_H
#define BANKSHOT_UI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/page.h"
#include "ui/theme.h"

struct rect {
    int x, y, width, height;
};

// A place that answers to the pointer: what it is, and which one, is the view's to say (view.h).
struct target {
    struct rect rect;
    int kind, value, other;
};

struct canvas {
    int width, height;
    struct cell *cells; // row by row
    bool ascii;         // no character beyond ASCII
    bool mono;          // no colours: what they say must be said by characters
    struct rect clip;
    int cursor_x, cursor_y; // where the terminal's cursor is; -1 = hidden
    struct target *targets; // in the order drawn: later ones lie on top
    size_t target_count, target_capacity;
};

void canvas_init(struct canvas *canvas, int width, int height);
void canvas_resize(struct canvas *canvas, int width, int height);
void canvas_free(struct canvas *canvas);
void canvas_clear(struct canvas *canvas);

struct rect canvas_all(const struct canvas *canvas);
struct rect rect_row(struct rect rect, int y);   // one row of it; y < 0 counts from below
struct rect rect_below(struct rect rect, int y); // all from that row on
// Narrows the clip to what it shares with rect and returns the clip before, for canvas_unclip.
struct rect canvas_clip(struct canvas *canvas, struct rect rect);
void canvas_unclip(struct canvas *canvas, struct rect before);

// Draws at most `columns` columns; returns how many were used.
int canvas_text(struct canvas *canvas, int x, int y, int columns, enum role role, const char *text);
// The same for text that may be too long: then the last column shows it ('…', or '>' in ASCII).
int canvas_cut(struct canvas *canvas, int x, int y, int columns, enum role role, const char *text);
int canvas_printf(struct canvas *canvas, int x, int y, int columns, enum role role, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
// In a row, from its second column to its end: what most lines of a view are. Cut as by canvas_cut.
int canvas_put(struct canvas *canvas, struct rect row, enum role role, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// A sentence in place of a picture.
void canvas_notice(struct canvas *canvas, struct rect body, enum role role, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The same, ending at column x (exclusive).
int canvas_right(struct canvas *canvas, int x, int y, enum role role, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void canvas_cell(struct canvas *canvas, int x, int y, struct cell cell);
// Ink on paper; without colours the paper's attributes say it.
struct cell canvas_look(const struct canvas *canvas, enum role ink, enum role paper);
// Fills the columns with a look and puts the text at their right end.
void canvas_field(struct canvas *canvas, int x, int y, int columns, struct cell look, const char *text);
struct cell *canvas_at(const struct canvas *canvas, int x, int y); // NULL outside the canvas
void canvas_fill(struct canvas *canvas, struct rect rect, enum role role);
void canvas_flag(struct canvas *canvas, struct rect rect, unsigned flags);
void canvas_role(struct canvas *canvas, struct rect rect, enum role role); // recolours what is there
void canvas_rule(struct canvas *canvas, struct rect rect);                 // a line, upright when one column wide

// Pieces of text one after another in a row.
struct pen {
    struct canvas *canvas;
    int x, y, end;
};
struct pen canvas_pen(struct canvas *canvas, struct rect row); // begins at its second column
int pen_put(struct pen *pen, enum role role, const char *format, ...) __attribute__((format(printf, 3, 4)));
int pen_cut(struct pen *pen, enum role role, const char *text); // the same; both cut as canvas_cut does
// The same when all of it finds room; else nothing, and nothing will behind it. Returns the columns used.
int pen_fit(struct pen *pen, enum role role, const char *format, ...) __attribute__((format(printf, 3, 4)));

// The part of rect inside the clip answers to the pointer. Forgotten by canvas_clear.
void canvas_target(struct canvas *canvas, struct rect rect, int kind, int value, int other);
const struct target *canvas_target_at(const struct canvas *canvas, int x, int y); // NULL = nothing there

int canvas_columns(const struct canvas *canvas, const char *text); // columns that the text takes
uint32_t canvas_cut_sign(const struct canvas *canvas);             // what marks a cut

#endif
