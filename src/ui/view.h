// What views share with each other and with the application.
#ifndef BANKSHOT_UI_VIEW_H
#define BANKSHOT_UI_VIEW_H

#include "ui/app.h"
#include "ui/blocks.h"
#include "ui/moment.h"
#include "ui/strip.h"

// A view is a small table of functions. A new one is a file with such a table, a row in view.c, an enum view, and its
// actions in actions.def. All but one of draw and page may be NULL.
struct view_ops {
    // Never changes more than scroll positions.
    void (*draw)(struct app *app, struct canvas *canvas, struct rect body);
    // For a view that is one page of text, in place of draw and find: makes the page and says how far it is scrolled.
    struct scroll *(*page)(struct app *app, struct page *page);
    // For a view that draws more than one pane: the one that is scrolled and searched.
    struct pane (*pane)(struct app *app);
    bool (*act)(struct app *app, enum action action); // false: not an action of this view
    bool (*find)(struct app *app, int direction);     // to the next (1, -1) match of app->match; false: there is none
    bool (*key)(struct app *app, uint32_t key);       // keys before the key map sees them
};
extern const struct view_ops view_home, view_lesson, view_banks, view_global, view_step, view_report, view_play,
    view_help, view_timeline, view_occupancy;

struct screen_frame view_frame(const struct app *app); // state.c; of the view that is shown
// The same as in view_ops, for that view.
struct pane view_pane(struct app *app); // of a view with a page or a pane
void view_draw(struct app *app, struct rect body);
bool view_act(struct app *app, enum action action);
bool view_find(struct app *app, int direction);
bool view_key(struct app *app, uint32_t key);

// What canvas_target is told by the views, and pointer.c acts on.
enum target_kind {
    TARGET_ACTION,  // value: enum action
    TARGET_LESSON,  // home: value = index
    TARGET_PANE,    // lesson: 0 = text, 1 = source
    TARGET_SOURCE,  // lesson: value = line from 0
    TARGET_SITE,    // value = index in the list of accesses
    TARGET_LANE,    // value = lane; other = a second lane in the same cell, or -1
    TARGET_MOMENT,  // step: the whole time line; value = number of moments
    TARGET_WARP,    // step: value = warp
    TARGET_MEMORY,  // step: only scrolls
    TARGET_WORD,    // step: value = word of shared memory
    TARGET_FIELD,   // playground: value = enum play_field
    TARGET_PALETTE, // value = line
};

// ---- view_step.c
void step_to_warp(struct app *app, uint32_t warp); // the next moment of that warp

// ---- view_banks.c
// Keeps the cursor on the same access when a new report comes; the first time it goes to the one with most conflicts.
void banks_tell_fused(struct app *app); // once: that loads are joined, and how to see them
void banks_follow(struct app *app, const struct grade_report *old, const struct grade_report *report);

// ---- view_lesson.c
void lesson_ask(struct app *app); // the next question, in the text
void lesson_answer(struct app *app, const char *text);
// What the answer prompt asks for: "2 of 4, in sectors: ".
const char *lesson_asked(struct app *app, char *text, size_t size);
void lesson_show_solution(struct app *app);
// Resizes the canvas; what was at the top of the text stays there, however its lines now break.
void lesson_resize(struct app *app, int width, int height);

// ---- question.c: the picture of the access that a quiz question asked about, while app->asked.report is there
// After an answer, from the text or from a picture; takes the event's report over. False: the question is about no
// access that has a picture.
bool question_open(struct app *app, struct grade_event *event, size_t question, const struct guess *guess);
// "32 wavefronts".
const char *question_count(const struct lesson_question *question, double value, char *text, size_t size);
struct guess question_guess(const struct app *app, size_t question); // that was made before, here or in the file
bool question_act(struct app *app, enum action action);              // down and up: to the next question's picture
void question_close(struct app *app);                                // the lesson's own pictures are as they were
bool question_settled(const struct progress_answer *answer);         // answered rightly, or twice
bool question_hides(const struct app *app);                          // figures would give the answer away
bool question_hides_banks(const struct app *app);                    // … and so would columns of banks
// Question, line, guess and count, or what to look at; returns the rest of the body.
struct rect question_draw(struct app *app, struct canvas *canvas, struct rect body);

// ---- step_memory.c
void step_memory_draw(struct app *app, const struct timeline *time, struct canvas *canvas, struct rect rect);
// Moves the cursor through memory, row by row or word by word; it stays there until h or l goes back to the lanes.
void step_memory_move(struct app *app, const struct timeline *time, enum action action);

// ---- view_timeline.c
// Asks a worker for a timeline that is wanted and not there, when nothing else runs and the view is on the screen.
void timeline_follow(struct app *app);
void timeline_take(struct app *app, struct grade_report *report, struct replay_log *log);   // takes it over
void timeline_refused(struct app *app, const struct grade_report *report, const char *why); // it could not be made

// ---- view_play.c
void play_free(struct app *app);

// ---- play_fill.c
void play_fill(struct app *app); // with the access under the cursor of the bank view, if its array is known

#endif
