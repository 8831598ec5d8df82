// The lines around a view: title, phases or verdict, keys.
#ifndef BANKSHOT_UI_STRIP_H
#define BANKSHOT_UI_STRIP_H

#include "grade/grade.h"
#include "ui/canvas.h"

struct app;

void strip_draw(struct app *app, struct canvas *canvas, struct rect rect);
void title_draw(struct app *app, struct canvas *canvas, struct rect rect);
// Verdict or phase in a few columns at the right end of a row, where there is no room for the strip.
void verdict_right(struct app *app, struct canvas *canvas, struct rect rect);
void status_draw(struct app *app, struct canvas *canvas, struct rect rect);
struct verdict_look {
    enum role role;
    const char *sign; // ✓ or ✗
};
struct verdict_look verdict_look(const struct grade_report *report);
const char *short_verdict(const struct grade_report *report, char *text, size_t size);
// What to do now, into text ("" = nothing to say), and what it is for: "next" or "for full marks".
const char *next_step(struct app *app, const struct grade_report *report, char *text, size_t size);

#endif
