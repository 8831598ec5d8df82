// Running one part of a lesson at one size on the simulator, and checking what came out. Shared by grading, quiz
// answers and lint.
#ifndef BANKSHOT_GRADE_RUN_H
#define BANKSHOT_GRADE_RUN_H

#include "grade/facts.h"
#include "grade/large.h"
#include "grade/runner.h"

// What a run needs beside its result. HAZARDS of a run without SCHEDULES (three of them) are looked for only when it
// is short, in a run of their own unless AT_ONCE is wanted. PROVENANCE: of a right run.
enum { RUN_HAZARDS = 1, RUN_RECORDING = 2, RUN_SCHEDULES = 4, RUN_PROVENANCE = 8, RUN_AT_ONCE = 16, RUN_BACKWARD = 32 };

// Fills data (dataset_free) with inputs and what must come out. The status is the lab's own failure.
enum status run_prepare(struct runner *runner, const struct lesson_part *part, const struct lesson_size *size,
                        struct dataset *data, struct diagnostic *diagnostic);
// … of a size that is none of the part's own; number: of it, among them. At odd ones patches of float inputs are 0, and
// from the second on they are far larger or smaller than others (dataset_scale), one way and then the other; the
// tolerance goes with it. data.part is `part`: the struct stays where it is. For run_free_other.
struct other_inputs {
    struct lesson_part part;
    struct dataset data;
    bool is_patched;
    struct text scaled; // how; empty: they are as usual
};
void run_free_other(struct other_inputs *inputs);
enum status run_prepare_other(struct runner *runner, const struct lesson_part *part, const struct lesson_size *size,
                              size_t number, struct other_inputs *inputs, struct diagnostic *diagnostic);
// Runs a kernel over data and compares. result gets status, correct, mismatch, hazards, shape; record counters and
// recording. Never fails itself: whatever went wrong is in the result.
void run_size(struct runner *runner, const struct unit *unit, const struct ptx_function *entry, struct dataset *data,
              unsigned wants, struct grade_size *result, struct record *record, struct judge_run *run);

// Hazards of the same kernel from another compilation, over data that ran before: what result does not have yet is
// added, as harmless, with names in arena. Whatever else goes wrong there is nobody's business.
void run_as_written(struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                    struct dataset *data, struct arena *arena, struct grade_size *result);

// The part's speed size as it is on a GPU, or nearly so: the variables that are larger there differ a little, by the
// seed, so that no kernel can know them. The same seed gives the same size; 0 the lesson's own, and so does
// `exact`. unit: with which the grid must not have more waves of blocks than at the lesson's own, if that can be, since
// a few blocks in a wave of their own cost large tiles as much as a whole one does; NULL: whatever the seed gives.
enum { RUN_LEAST_VARIED = 1024 }; // smaller variables stay as they are
struct modelled_size {
    struct lesson_size size;
    struct lesson_variable variables[LESSON_VARIABLES];
    double scale; // from a time at this size to one at the lesson's own, by the lesson's metric
};
void run_modelled_size(const struct runner *runner, const struct lesson_part *part, const struct unit *unit,
                       struct modelled_size *modelled);

// A size drawn by the seed at which blocks are looked at briefly: the variables that are larger on a GPU are larger
// still, by up to a quarter and a block, so that bounds at the lesson's own size are passed, and the last block of a
// row, a column or both is narrow; but for an unpaired one that changes nothing in the number of blocks, which is
// larger at the modelled size already and small here. False: the lesson's sizes are not to be varied.
bool run_larger_size(const struct runner *runner, const struct unit *unit, const struct ptx_function *entry,
                     const struct lesson_part *part, struct lesson_other_size *larger);

// A look at a few blocks of the first part at a size. Of several outputs of a lesson's own reference each turn compares
// the next one; run_model does turn 0.
struct brief_look {
    const struct lesson_size *size;
    bool is_briefest; // large.h
    size_t turn;
};

// Its time is nobody's business. hazards: those of the blocks are added to it; NULL: none are looked for. shape: as of
// run_model. OK and LARGE_RIGHT where there is nothing to look at; FAULT; or what kept it from being looked at.
enum status run_brief(struct runner *runner, const struct unit *unit, const struct brief_look *look,
                      struct large_finding *finding, struct hazard_list *hazards, char shape[64],
                      struct diagnostic *diagnostic);

// Predicts the kernel's time at the part's speed size, as large as it is on a GPU, with ptxas' registers where there is
// a ptxas: fills the model of *record and nothing else. LAUNCH when the GPU could not launch it; else what keeps it
// from being predicted. finding: of blocks that are looked at for that (large.h); NULL: none are. shape, of it: "8192 x
// 8192".
enum status run_model(struct runner *runner, const struct unit *unit, size_t part, struct record *record,
                      struct large_finding *finding, char shape[64], struct diagnostic *diagnostic);

struct record_request {
    const char *text; // the source that was graded; NULL = the file
    size_t part;      // of the lesson, as in the report
    size_t size;      // of the part, counted from 1; 0: its speed size
    uint64_t block;   // linear index, x fastest
    bool numbered;    // inputs hold 100 * row + column
};
// Runs one block and records it; *count gets the number of blocks.
enum status runner_block(struct runner *runner, const struct unit *unit, const struct record_request *request,
                         uint64_t *count, struct recording *recording, struct diagnostic *diagnostic);

// Adds hazards of `from` that are not in `into` yet (kind and lines).
void run_merge_hazards(struct hazard_list *into, const struct hazard_list *from);

// The answer of one question, and the access that it is about.
struct quiz_result {
    double answer;
    struct judge_place place;
    struct grade_report *report; // of the run that was counted: source, kernel, record; NULL: nobody asked, or no place
};
// with_report: fills it; the caller's then.
enum status run_question(struct runner *runner, size_t question, bool with_report, struct quiz_result *result,
                         struct diagnostic *diagnostic);

#endif
