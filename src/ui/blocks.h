// Which block of the grid the pictures show. A run records its first block; another one is recorded on demand by a
// worker that runs it alone, from the text and the inputs of that run.
#ifndef BANKSHOT_UI_BLOCKS_H
#define BANKSHOT_UI_BLOCKS_H

#include "grade/grade.h"
#include "ui/action.h"
#include "ui/canvas.h"

struct app;

// A size of the report's part, counted from 1; NULL: 0, or there is none.
const struct grade_size *blocks_size(const struct app *app, const struct grade_report *report, size_t size);
uint64_t blocks_linear(const struct launch_shape *launch, const uint32_t index[3]);
uint64_t blocks_shown(const struct app *app, const struct grade_report *report);     // linear index of the recorded one
const char *blocks_name(const struct grade_report *report, char *text, size_t size); // "3,0,0"
// "first 12000 of 15000 accesses" when some are missing, else "".
const char *blocks_note(const struct recording *recording, char *text, size_t size);
// Why there is no picture: the warp made no such access there, or it is not recorded (yet).
void blocks_draw_absent(struct app *app, struct canvas *canvas, struct rect rect, const struct grade_report *report,
                        uint32_t warp);
// Starts a worker for a block that is wanted and not recorded, when nothing else runs and a picture is on the screen.
void blocks_follow(struct app *app);
void blocks_take(struct app *app, struct grade_report *report, struct recording *recording); // takes it over
void blocks_refused(struct app *app, const struct grade_report *report);                     // it could not be recorded
bool blocks_go(struct app *app, const uint32_t index[3]);                                    // false: outside the grid
void blocks_enter(struct app *app, const char *text);                                        // what was typed
bool blocks_act(struct app *app, enum action action);

#endif
