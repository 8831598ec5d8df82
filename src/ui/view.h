// What views share with each other and with the application.
#ifndef BANKSHOT_UI_VIEW_H
#define BANKSHOT_UI_VIEW_H

#include "ui/app.h"
#include "ui/moment.h"

// A view is a small table of functions. A new one is a file with such a table, a row in view.c, an enum view, and its
// actions in actions.def. All but one of draw and page may be NULL.
struct view_ops {
    // Never changes more than scroll positions.
    void (*draw)(struct app *app, struct canvas *canvas, struct rect body);
    // For a view that is one page of text, in place of draw and find: makes the page and says how far it is scrolled.
    struct scroll *(*page)(struct app *app, struct page *page);
    bool (*act)(struct app *app, enum action action); // false: not an action of this view
    bool (*find)(struct app *app, int direction);     // to the next (1, -1) match of app->match; false: there is none
    bool (*key)(struct app *app, uint32_t key);       // keys before the key map sees them
};
extern const struct view_ops view_home, view_lesson, view_banks, view_global, view_step, view_report, view_play,
    view_help;

// The same for the view that is shown.
struct frame view_frame(const struct app *app);
struct pane view_pane(struct app *app); // of a view with a page
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

// ---- prompt.c
bool prompt_edit(char *text, size_t size, uint32_t key); // a key for a line of text; false: not one that edits

// ---- view_banks.c
// Keeps the cursor on the same access when a new report comes; the first time it goes to the one with most conflicts.
void banks_follow(struct app *app, const struct grade_report *old, const struct grade_report *report);

// ---- blocks.c
uint64_t blocks_count(const struct grade_report *report);                            // of the grid; 0 = unknown
uint64_t blocks_shown(const struct grade_report *report);                            // linear index of the recorded one
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

// ---- kept.c: runs that a later start compares with
void kept_load(struct app *app, struct ui_lesson *lesson); // once; a file that cannot be read is set aside and reported
void kept_store(struct app *app, const struct ui_lesson *lesson);
bool kept_is_news(const struct grade_report *old, const struct grade_report *report);   // worth writing down
bool kept_is_before(const struct grade_report *old, const struct grade_report *report); // old is what to compare with

// ---- view_lesson.c
// A quiz question is asked until it was answered rightly, or twice.
bool lesson_settled(const struct progress_answer *answer);
void lesson_answer(struct app *app, const char *text);
// What the answer prompt asks for: "2 of 4, in sectors: ".
const char *lesson_asked(struct app *app, char *text, size_t size);
void lesson_show_solution(struct app *app);
// Resizes the canvas; what was at the top of the text stays there, however its lines now break.
void lesson_resize(struct app *app, int width, int height);

// ---- step_memory.c
void step_memory_draw(struct app *app, const struct timeline *time, struct canvas *canvas, struct rect rect);
// Moves the cursor through memory, row by row or word by word; it stays there until h or l goes back to the lanes.
void step_memory_move(struct app *app, const struct timeline *time, enum action action);

// ---- view_play.c
void play_free(struct app *app);

// ---- speed.c: times and ladders of the report
void speed_add(struct page *page, const struct lesson *lesson, const struct grade_report *report);

// ---- strip.c: the live strip of phases, and the bars at top and bottom
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

// ---- heat.c: pictures of one warp's access
struct heat {
    const struct bank_pattern *pattern; // NULL: the access never ran
    bool by_wavefront;
    uint32_t lane;        // cursor
    uint32_t turns_shown; // animation: turns before this one are done; UINT32_MAX = all
    int top;              // first row, when they do not all fit
};
// Returns the `top` that was used: the cursor is always in view.
int heat_draw(struct canvas *canvas, struct rect rect, const struct heat *heat);
// The array that the access touches, row by row; words of `recording` that nobody touches are shaded.
struct memory_picture {
    const struct bank_pattern *pattern; // NULL: the access never ran
    const struct shared_arrays *arrays;
    const struct recording *recording;
    uint32_t lane; // cursor
    enum memory_label label;
    int top;
};
int memory_draw(struct canvas *canvas, struct rect rect, const struct memory_picture *picture);
// One line about the cursor's lane.
void heat_describe(const struct bank_pattern *pattern, const struct shared_arrays *arrays, uint32_t lane, char *text,
                   size_t size);
// "ld 32-bit", from a site.
const char *site_operation(const struct counter_line *line, bool as_written, char *text, size_t size);
// Wavefronts or sectors for each instruction: "32", "1.5", "-".
const char *per_instruction(uint64_t cost, uint64_t instructions, char *text, size_t size);
// The list of accesses at the top of banks and global.
struct site_list {
    const struct sites *now, *before;
    const char *now_source, *before_source;
    bool sectors, as_written;
    const char *caption; // at the left of the head row; NULL = "line"
};
void site_list_draw(struct canvas *canvas, struct rect head, struct rect rows, const struct site_list *list,
                    struct scroll *scroll);

#endif
