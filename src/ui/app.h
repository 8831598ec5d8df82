// The application behind the screen: lessons, runs, views and what the keys do. It draws into a canvas and never
// touches a terminal, so tests drive it with keys and read the cells.
//
// Nothing here waits. Runs happen in worker processes (grade/worker.h): app_poll takes what they say. One run at a
// time; a new one cancels the old.
#ifndef BANKSHOT_UI_APP_H
#define BANKSHOT_UI_APP_H

#include "lesson/markdown.h"
#include "lesson/progress.h"
#include "ui/action.h"
#include "ui/canvas.h"
#include "ui/layout.h"
#include "ui/list.h"
#include "ui/pane.h"
#include "ui/picture.h"
#include "ui/prompt.h"
#include "ui/run.h"
#include "ui/ui.h"

// A lesson as far as the screen has loaded it.
struct ui_lesson {
    struct lesson *lesson;
    struct markdown *page, *why;                     // NULL until opened
    char *source;                                    // the exercise as last read; NULL = not readable
    char source_message[512];                        // why not
    uint64_t source_hash, graded_hash;               // graded: of the text that the last run was started with
    struct grade_report *report, *before, *solution; // owned; before: the run before that differs
    struct grade_report *best;                       // of all runs that were kept; often one of the two
    struct grade_report *starter_run;                // NULL until it is wanted
    struct grade_report *kept;                       // the last run of an earlier start, until there is a new one
    bool kept_loaded;
    bool solution_shown;
};

enum versus { VERSUS_LAST, VERSUS_STARTER, VERSUS_BEST, VERSUS_COUNT }; // what "before" is
enum compare { COMPARE_NOW, COMPARE_BEFORE, COMPARE_BOTH, COMPARE_SOLUTION, COMPARE_COUNT };

struct banks_state {
    struct access_list list;
    bool by_wavefront, as_written;
    enum memory_label memory; // the array in memory instead of the heatmap
    enum compare compare;
    bool playing;
    uint32_t turn;    // of the animation
    uint32_t turns;   // that the picture drawn last has
    double next_turn; // app.now
};

struct step_state {
    size_t moment; // index among the shared accesses of the recording
    struct scroll memory;
    size_t hazard;        // next to visit, two moments each
    uint32_t lane;        // the cursor: of the access now,
    uint64_t word;        // or this word when roaming
    bool roaming, values; // values: words show what they hold, not who wrote it
    bool by_place;        // one place of an array after another, not the same row of all of them
    bool numbered;        // inputs that are wanted: 100 * row + column
    size_t size;          // that is wanted: of the report's, counted from 1; 0 = the counted one
    bool scrolled;        // away from the cursor
    bool second_moment, playing;
    bool jumping; // to a hazard whose block is being recorded
    double next_moment;
};

struct guess {
    char text[64]; // "" = none yet
    bool right;
    bool settled; // no further try, so that the count may be shown
};

// A question whose picture is shown, over the lesson's own.
struct asked {
    struct grade_report *report; // of the run that its answer was counted in; owned; NULL = none
    struct judge_place place;
    size_t question;
    struct guess guess;
    double counted;
    struct banks_state banks; // of the lesson's own pictures
    struct access_list global;
    struct step_state step;
    uint64_t block;
};

struct timeline_state {
    uint32_t first, zoom, cursor; // cycles: of the first column, of a column (0: not chosen yet), the cursor's
    uint32_t block;               // of the SM's
    struct scroll warps;
    enum compare compare;               // NOW: nothing else is drawn
    const struct grade_report *refused; // whose timeline cannot be made
    char why[200];
};

enum occupancy_field {
    OCCUPANCY_THREADS,
    OCCUPANCY_THREAD_REGISTERS,
    OCCUPANCY_BYTES,
    OCCUPANCY_GPU,
    OCCUPANCY_FIELDS
};

struct occupancy_state {
    const struct grade_report *of;     // whose kernel's numbers these were at first; NULL = not taken yet
    uint32_t values[OCCUPANCY_FIELDS]; // of the GPU: its place in the table
    int field;
    struct scroll scroll;
};

enum play_field { PLAY_INDEX, PLAY_TYPE, PLAY_SHAPE, PLAY_BLOCK, PLAY_OPERATION, PLAY_FIELDS };

struct play_state {
    char fields[PLAY_FIELDS][128];
    enum play_field field;
    struct lesson *lesson;       // written for the last run; owned
    char directory[256];         // "" = none; removed at the end
    struct grade_report *report; // owned
    struct access_list list;     // only lane and warp
    char filled[128];            // the access that the fields were filled with last, as its element
};

struct host; // what the terminal side does for the application (ui.c); NULL in tests

struct app {
    struct lesson_set *set;    // borrowed
    struct progress *progress; // borrowed; may be NULL
    struct ui_options options;
    struct ui_lesson *lessons;
    size_t lesson_count, current;
    struct canvas canvas;
    enum theme theme;
    bool theme_chosen; // by an option, a variable or the user, so that the terminal's background has no say
    enum view view, came_from[8];
    int depth; // of came_from
    bool quit, redraw_all, mouse;
    struct target pressed; // by the last press, for the second one of a pair
    double pressed_at;     // app.now; -1 = long ago
    char device_line[160];
    double now;        // monotonic seconds, set by the event loop
    char message[512]; // on the status line until the next key
    enum role message_role;
    char match[128];
    struct prompt prompt;
    struct current_run run;
    const struct host *host;
    int watched; // index of the lesson whose file is watched; -1 = none

    struct scroll home, text, source, report, help;
    bool source_pane; // lesson: keys go to the source
    bool one_pane;    // lesson: one pane over the whole width
    bool told_fused;  // banks: what that is
    bool exact;       // report: the gates' expressions, too
    struct banks_state banks;
    enum versus versus;
    struct access_list global;
    struct step_state step;
    struct asked asked;
    struct timeline_state timeline;
    struct occupancy_state occupancy;
    struct play_state play;
    uint64_t block;                      // wanted in the pictures, linear
    const struct grade_report *recorded; // whose recording is of another size or of numbered inputs, as below
    size_t recorded_size;
    bool recorded_numbered;
    const struct grade_report *refused; // whose block `refused_block` could not be recorded
    uint64_t refused_block;
};

struct host {
    void *context;
    void (*watch)(void *context, const char *path); // from now on this file; app_file_changed reports changes
    enum status (*edit)(void *context, const char *path, int line, struct diagnostic *diagnostic);
    void (*mouse)(void *context, bool on);
    void (*keep_theme)(void *context, enum theme theme); // for the next start
};

void app_init(struct app *app, struct lesson_set *set, struct progress *progress, const struct ui_options *options);
void app_free(struct app *app);

void app_resize(struct app *app, int width, int height);
void app_draw(struct app *app); // fills app->canvas
void app_key(struct app *app, uint32_t key);
void app_act(struct app *app, enum action action);
void app_choose_theme(struct app *app, const char *name);             // "" = the next one
void app_pointer(struct app *app, const struct pointer_event *event); // pointer.c; the app need not be drawn before
void app_interrupt(struct app *app);       // ^C: ends what is running; with nothing running, the lab
void app_poll(struct app *app);            // takes the worker's events, moves animations on
void app_file_changed(struct app *app);    // the watched file may have been saved
int app_descriptor(const struct app *app); // of the worker, for poll(); -1 = none
double app_wait(const struct app *app);    // seconds until app_poll has something to do; -1 = never

// ---- state.c: what views and runs ask

struct ui_lesson *app_lesson(const struct app *app);          // the open one
const struct grade_report *app_report(const struct app *app); // its last run; NULL = none
// What the pictures show: that run, or the one before it when that did not come to run, or a question's.
const struct grade_report *app_pictured(const struct app *app);
struct grade_report *app_before(const struct app *app); // what the pictures are compared with; NULL = nothing yet
const char *app_before_name(const struct app *app);     // "before", "starter", "best"
const struct progress_lesson *app_progress(const struct app *app, const struct lesson *lesson); // never NULL
int app_unpassed(const struct app *app, size_t from); // first lesson from there on that is not passed; -1 = none
int app_following_lesson(const struct app *app);      // the same behind the open one; -1 without a progress file
enum action app_action_to(enum view view);            // the action that goes there
void app_say(struct app *app, enum role role, const char *format, ...) __attribute__((format(printf, 3, 4)));
void app_say_nothing_before(struct app *app); // there is no run to compare with yet

// ---- what views have done

void app_open(struct app *app, size_t index); // loads it, watches its file, grades it if need be
void app_go(struct app *app, enum view view);
void app_edit(struct app *app, int line); // of the exercise
void app_reset_exercise(struct app *app);

#endif
