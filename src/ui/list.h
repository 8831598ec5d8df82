// Lists of memory accesses with a cursor: banks and global each show one, and of the chosen access one execution by one
// warp. Step searches its moments in the same way.
#ifndef BANKSHOT_UI_LIST_H
#define BANKSHOT_UI_LIST_H

#include "grade/grade.h"
#include "record/access.h"
#include "lesson/arrays.h"
#include "ui/layout.h"
#include "ui/pane.h"

struct app;

// The accesses of one space of a run, by source line. Instructions of a line that do the same to the same array at the
// same cost are one: an unrolled loop's.
struct site {
    const struct counter_line *line; // of the report; the first of them
    struct access_set set;           // all of them
    char array[48];                  // "tile"; of global memory the argument, "in"; "" = not known
};
struct sites {
    const struct grade_report *report; // NULL: no run, and nothing in here
    struct site *items;
    uint32_t *pcs;
    size_t count, fused; // fused: left out, since others do their work
};
// Of shared memory as compiled, or as the bank view has it. app NULL: nothing is known but the report. sites_free when
// done.
struct sites list_sites(const struct app *app, const struct grade_report *report, enum ptx_space space);
int sites_find(const struct sites *sites, uint32_t pc); // the one that holds the instruction; -1: none
void sites_free(struct sites *sites);
// The site of a run that number `index` of another one's most likely was: it did the same to the same array, in the
// same order; else the same in the same order. NULL if there is none.
const struct site *sites_match(const struct sites *sites, const struct sites *all, size_t index);
const char *list_find_word(const char *text, const char *name); // the name as a word of its own; NULL: it is not there
// One line by itself, as a site; it points to the line.
struct site site_of_line(const struct counter_line *line);

// "ld 32-bit", from a site.
const char *site_operation(const struct counter_line *line, bool as_written, char *text, size_t size);
// Wavefronts or sectors for each instruction: "32", "1.5", "-".
const char *per_instruction(uint64_t cost, uint64_t instructions, char *text, size_t size);
// The list of accesses at the top of banks and global.
struct site_list {
    const struct sites *now, *before; // before: NULL = nothing to compare with
    bool sectors, as_written;
    const char *caption; // at the left of the head row; NULL = "line"
    const char *other;   // what `before` is called
};
void site_list_draw(struct canvas *canvas, struct rect head, struct rect rows, const struct site_list *list,
                    struct scroll *scroll);

// Where a view is. A new report may have fewer lines, warps or executions than the numbers say, at any time:
// list_choose brings them into its range.
struct access_list {
    struct scroll rows, picture; // the list's, and those of the picture below
    uint32_t warp, lane;
    size_t instance; // of the executions by that warp
};

// What the numbers mean in one report.
struct choice {
    const struct grade_report *report;    // NULL: no run
    const struct site *site;              // NULL: the report has no such access
    const struct recorded_access *access; // NULL: the warp did not make it in the recorded block
    uint32_t warp, warps;
    size_t instance, instances; // 0 of 0: none
};
struct choice list_choose(const struct access_list *list, const struct grade_report *report, const struct site *site);
// "warp 0 of 8  block 0,0,0  time 1 of 4"; brief: for 80 columns, shorter.
const char *choice_caption(const struct choice *choice, bool brief, char *text, size_t size);

// The chosen access, ready to draw.
struct access_picture {
    struct choice choice;
    const struct bank_pattern *pattern; // NULL without choice.access; it lies in here, so a picture is not copied
    struct bank_pattern storage;
    struct shared_arrays arrays;
};
// as_compiled: addresses and widths after ptxas' fusion.
void picture_make(struct access_picture *picture, const struct access_list *list, const struct grade_report *report,
                  const struct site *site, bool as_compiled);

// The site at the cursor, which is brought into range; NULL: the list is empty.
const struct site *list_site(struct access_list *list, const struct sites *sites);

// To another lane, warp or execution. False: another action.
bool list_move(struct access_list *list, const struct choice *choice, enum action action);
// Moves through the list, the lanes, the warps and the executions, and opens the editor. False: another action.
bool list_act(struct app *app, struct access_list *list, enum ptx_space space, enum action action);
// Turns to the picture of a line's access, once: by the warp and the execution of the options.
void list_open(struct app *app, int line);
// The next line, in a direction and round, whose source text holds app->match. False: none does.
bool list_find(struct app *app, struct access_list *list, enum ptx_space space, int direction);
// The same among `count` things of any kind, from one of them on; -1: none. line_of gives a thing's source line.
int64_t list_search(const struct app *app, int64_t count, int64_t from, int direction,
                    uint32_t (*line_of)(const void *things, size_t index), const void *things);

#endif
