// What is known of the runs once they are over, and what the names in a lesson's expressions come to by that.
#ifndef BANKSHOT_GRADE_FACTS_H
#define BANKSHOT_GRADE_FACTS_H

#include "grade/references.h"
#include "lesson/expression.h"

// One size of one part, run.
struct judge_run {
    const struct lesson_part *part;
    const struct lesson_size *size;
    struct grade_size *result;
    const struct record *record; // counters (and the recording); NULL: none
    const struct dataset *data;  // outputs after the run; NULL: output() is unknown
    struct kernel_times modelled, measured;
    struct kernel_times ratios; // measured: each one's time to the kernel's
    double copy_bytes;          // that the device copy moved
    // What went wrong at the size whose time is modelled, all sizes being right: "" = nothing. Its own diagnosis, since
    // the lesson's are about what its sizes show.
    const char *large_diagnosis;
    char large[512];
    // What is modelled, and how the blocks that ran there did (record->probed); NULL: nothing did.
    const struct lesson_size *modelled_size;
    char modelled_shape[64];
    char unmodelled[512]; // why the kernel itself has no modelled time: "" = it has, or the lab is to blame
};

struct judge_facts {
    const struct lesson *lesson;
    const char *source;     // graded text, for markers; may be NULL
    const char *main_file;  // its name in counters and hazards
    struct judge_run *runs; // every size of every part, in the lesson's order; 0 of them: nothing ran
    size_t run_count;
    bool has_gpu;                  // speed gates are judged by measured times
    bool is_starter;               // nothing is done yet: no points for what the starter meets
    bool compiles_alike, is_alike; // nor is it the starter, but the same program; or it does the same: it has failed
    bool noisy;                    // which were not steady: a speed gate that fails does not count
    char takes_others[320]; // a pointer to other numbers than the lesson passes (unit_takes_others); "": there is none
    // What stopped everything before the first run; STATUS_OK: nothing. diagnosis is its built-in id.
    enum status stopped;
    const char *stopped_diagnosis;
    struct diagnostic why;
    // Computed quiz answers for quiz(N), N from 1; NULL: unknown.
    bool (*quiz)(void *context, size_t question, double *answer);
    void *quiz_context;
};

// A scope of expressions: part NULL = the first (and all for `correct`, hazards and status names); run NULL = the
// speed size for counters, all sizes for the others.
struct judge_scope {
    const struct judge_facts *facts;
    const struct lesson_part *part;
    const struct judge_run *run;
    const struct counter_table *at_modelled; // counters and variables are those of the size that is modelled; NULL: not
};
struct judge_scope judge_scope_of(const struct judge_facts *facts, const char *part_name); // NULL: all
bool judge_in_part(const struct judge_scope *scope, const struct judge_run *run); // whether the run is of its part
// The first hazard that counts, in the scope's runs, and how many there are; NULL: none.
const struct hazard *judge_first_hazard(const struct judge_scope *scope, size_t *count);
// The first run that was stopped, or that ended and is wrong; NULL: none. One that was not waited for is neither.
const struct judge_run *judge_first_run(const struct judge_facts *facts, bool stopped);
// An expression_lookup over a struct judge_scope. Values that are not known are NaN.
enum status judge_lookup(void *context, const struct expression_reference *reference, double *value,
                         struct diagnostic *diagnostic);

// The access that an expression's first counter, line or lane is of: what a picture of it shows.
struct judge_place {
    char fact[32];        // "wavefronts", "sectors", "bank" …; "" = the expression names nothing that has a picture
    enum ptx_space space; // PTX_SHARED or PTX_GLOBAL
    uint32_t pc, warp, lane;
};
// Fills an empty place from a reference; what is of no access that ran leaves it empty.
void judge_find_place(const struct judge_scope *scope, const struct expression_reference *reference,
                      struct judge_place *place);

// The run of a part's speed size (part NULL: of the first part); NULL if it is not there.
const struct judge_run *judge_speed_run(const struct judge_facts *facts, const struct lesson_part *part);
// A fact by its name (record/facts.def); NaN: not known.
double judge_fact(const struct judge_scope *scope, const char *name);

#endif
