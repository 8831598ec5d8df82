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
// What to do now, into text: the report's word, or the next lesson; "" = nothing to say. Returns text.
const char *next_step(struct app *app, const struct grade_report *report, char *text, size_t size);

#endif
