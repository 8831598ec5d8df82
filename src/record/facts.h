// Facts: what was observed of a run, by the names that gates, diagnoses, quiz answers and docs use (facts.def).
//
// Who judges fills a struct observation; nobody else computes a fact. A new one is a row of facts.def, and a getter in
// facts.c where an expression does not say it. NaN is "not known"; counts and yes or no are doubles too.
#ifndef BANKSHOT_RECORD_FACTS_H
#define BANKSHOT_RECORD_FACTS_H

#include "hazard/hazard.h"
#include "record/access.h"
#include "record/passage.h"

// How a run can end other than well. ENDINGS: well, or by the lab's own failure.
enum ending {
#define ENDING(name, diagnosis, status, fault, meaning) ENDING_##name,
#include "record/facts.def"
#undef ENDING
    ENDINGS
};
enum ending ending_of(enum status status, enum sim_fault_kind fault); // fault: of a FAULT
const char *ending_diagnosis(enum ending ending);                     // "out-of-bounds"; "" of ENDINGS

// Times of the speed size, microseconds, or each one's ratio to the kernel's; 0 = not known.
struct kernel_times {
    double kernel, naive, solution, copy, cublas;
};

struct observation {
    // of all runs in question
    bool correct, finished, partial_only;
    uint32_t endings;                         // a bit for each enum ending
    bool out_of_shared, stored_out_of_bounds; // of those that ended out of bounds
    bool surplus_bytes;                       // of those that did not end
    // the largest of any run
    double wrong, wrong_fraction, unwritten_fraction, nan_count, zero_fraction, large_fraction, beyond_fraction;
    double near_fraction; // the least of any that is wrong; NaN: none is
    uint64_t hazards[HAZARD_KIND_COUNT], racing_updates;
    double through[PASSAGE_KINDS]; // the least of any run; NaN: not known
    // of the run that is counted; NULL: nothing was
    const struct counter_table *counters;
    const struct recording *recording;
    double copies_at_once, barriers_per_arrival; // of the size whose time is modelled (waits.h); 0: of another
    const struct warp_balance *balance;          // of blocks of that size (balance.h); NULL: the recorded block's
    double block_balance;                        // of the run that is counted; NaN: not known
    struct launch_shape launch;                  // block 0: no launch
    // of the speed size; bytes and flop: of the lesson's metric, NaN = it has none; copy_bytes: 0 = no copy
    struct kernel_times modelled, measured, ratios;
    double bytes, flop, copy_bytes;
};

// A fact, counter, written_ counter or hazard_ count by its name. False: there is none.
bool facts_value(const struct observation *observed, const char *name, double *value);
bool facts_timed(const char *name); // a modelled or measured time, rate or ratio
bool facts_ended(const char *name); // what stopped a run
// Fields of line(…), to be added up, but for `bytes`; and of one lane of a recorded access.
bool facts_of_line(const struct counter_line *line, const char *name, double *value);
bool facts_of_lane(const struct recorded_access *access, double lane, const char *name, double *value);

// The names, for ever: facts; line fields; lane fields; endings' diagnoses. unit may be "".
struct fact_name {
    const char *name, *unit, *meaning;
};
struct fact_names {
    const struct fact_name *items;
    size_t count;
};
struct fact_names facts_names(void); // hazard_ counts too; counters are named by counter_fields
struct fact_names facts_line_names(void);
struct fact_names facts_lane_names(void);
struct fact_names facts_ending_names(void);

#endif
