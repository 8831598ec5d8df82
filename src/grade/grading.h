// What a grading is asked and what it gives: options, verdicts, the report and its parts. Who runs one: grade.h.
#ifndef BANKSHOT_GRADE_GRADING_H
#define BANKSHOT_GRADE_GRADING_H

#include "base/fields.h"
#include "device/cuda.h"
#include "lesson/lesson.h"
#include "record/facts.h"

enum verdict {
#define V(name, text, exit_status) VERDICT_##name,
#include "grade/verdicts.def"
#undef V
    VERDICT_COUNT
};
const char *verdict_name(enum verdict verdict);
enum verdict verdict_for(enum status status);    // of a run that ended so
int verdict_exit(enum verdict verdict);          // 0 passed, 1 failed, 2 environment
char *grade_number(double value, char text[32]); // of an element: all digits of a whole number, else nine; "NaN"

struct grade_mismatch { // of one output of one size
    const char *argument;
    uint64_t index, row, column; // of the first wrong element
    uint64_t rows, columns;      // of the output; further dimensions are counted as rows
    uint64_t wrong, total;
    uint64_t unwritten, nan, zero, large; // of the wrong ones: still poison, NaN by computation, 0, too large
    uint64_t near;                        // of the wrong ones: nearly right, as if numbers were rounded on their way
    uint64_t beyond;                      // of the wrong ones: larger than any right one by a quarter or more
    bool first_unwritten;                 // the first wrong element still holds the poison
    bool partial_only;                    // all wrong ones lie in tiles that the edge of the data cuts
    double expected, got;
    char where[96];            // what the places of the wrong ones have in common (grade/alike.h); "": nothing
    unsigned char map[16][32]; // wrong elements over the output's area, 0 … 255 in each cell
};

struct grade_size {
    const char *name; // "odd", or "part/odd"
    char shape[64];   // "70 x 33"
    enum status status;
    struct diagnostic diagnostic;   // when status is not OK
    enum sim_fault_kind fault;      // of a FAULT; not in JSON
    bool at_shared, at_store;       // the fault's access was to shared memory, was a store; not in JSON
    bool ran, correct;              // ran: false when the run before it used up the time
    bool not_awaited;               // another size did not end, so that this was stopped at once; not in JSON
    struct grade_mismatch mismatch; // when not correct
    struct hazard_list hazards;     // of all schedules; places are in the report's module
    double hazards_unwatched;       // share of the accesses that were not looked at for them
    struct launch_shape launch;
    bool is_beside;                // the ordinary run was right; what is wrong is told by diagnostic alone. Not in JSON
    bool is_unset;                 // when not correct: it would be, did registers begin as zeros. Not in JSON
    uint32_t unset_line;           // of the source: where one is read that nothing was put into
    double through[PASSAGE_KINDS]; // shares of the outputs' elements; NaN: not known; not in JSON
};

struct grade_gate {
    const char *id, *message;
    bool passed, skipped; // skipped: could not be judged here (no GPU, no model); got says why
    bool full;            // false: passed, but not all that its points are for; message says what next
    double points, earned;
    char words[320];           // what is asked, for people; "": `asked` says it
    char asked[512], got[384]; // asked: a bound that depends on the size follows its value
};

#define GRADE_OWN "own" // lesson_id of a kernel of no lesson, which nothing judges

struct grade_report {
    struct arena *arena;
    const char *lesson_id;
    enum verdict verdict;
    bool full;                       // full marks
    double score;                    // 0 … 100
    char diagnosis[64];              // "race", "padded-by-a-bank-multiple", "" when passed
    char next[768];                  // the one next thing to try
    struct diagnostic_list messages; // compiler messages, launch errors, faults
    struct grade_size *sizes;
    size_t size_count;
    struct grade_gate *gates;
    size_t gate_count;
    struct record record;       // of the speed size: counters, hazards, recording (of the first failing part)
    const char *kernel;         // as the lesson names it
    size_t part;                // of the lesson: the one that `record` is of
    struct launch_shape launch; // of that run
    struct kernel_times modelled, measured; // of the first part; measured at the GPU size
    struct kernel_times ratios;             // measured: medians over the rounds of each one's time to the kernel's
    double gbps, gflops, copy_percent;      // measured; 0 = not known
    double model_off_percent;               // how far the modelled time is from the measured one
    char gpu[96];                           // what measured; "" = nothing did
    struct timing_conditions conditions;    // when something was measured
    char evidence[256];                     // why too noisy to grade, with numbers
    char right_where[128];                  // what the sizes have at which it is right (grade/alike.h); "": nothing
    uint64_t compared;                      // elements that single blocks wrote at the size whose time is modelled
    uint64_t seed;                          // gives the same inputs again
    double compile_seconds, run_seconds, total_seconds;
    bool from_cache;
    bool as_written; // hazards were looked for in the source without optimisation, too
    char compiler[64], device[64];
    char *source;               // the text that was graded (terminated), or NULL
    char *output;               // what the kernel printed (bounded, escaped), or NULL
    struct ptx_module *module;  // what the lines and hazards point into; NULL when read from JSON
    struct replay_log timeline; // of the part that `record` is of, once somebody asked (grade_timeline); else empty
};

struct grade_report *grade_report_new(void); // empty: for those who fill one
void grade_report_free(struct grade_report *report);

// Whether whatever is wrong, at any size, lies in tiles that the edge cuts: else these are wrong as all others are.
bool grade_edge_only(const struct grade_report *report);

// A compiler message, as soon as it is known; all of them are in the report too.
typedef void grade_message(void *context, const struct diagnostic *message);

struct grade_options {
    const char *source;               // file to grade; NULL = the lesson's exercise
    const char *device;               // "sim"; "gpu": times are measured too; "auto": if a GPU works
    const char *gpu_model, *compiler; // NULL = default, "auto"
    bool own_gpu;                     // without gpu_model, and unless on "sim": model this machine's GPU if it has one
    int gpu;
    uint64_t seed;          // 0 = fresh
    grade_message *message; // NULL = nobody listens
    void *message_context;
    const char *ptx; // what runs instead of what the compiler makes of the source; NULL = that
    bool
        as_written; // looks for hazards in the source without optimisation, too; what is only there is told, not graded
    const char *apart; // a folder of this run's own (absolute): it works there, writes nowhere else, and keeps nothing
                       // in the caches; NULL = none
    bool quick;        // the two smallest sizes and the counted one only, and no timing
};

enum grade_phase { GRADE_COMPILING, GRADE_RUNNING, GRADE_CHECKING, GRADE_TIMING, GRADE_DONE };

typedef void grade_progress(void *context, enum grade_phase phase, const char *detail, double seconds);

// What a grading's runs may take in all, of a processor: see struct clock_limit. A build whose simulator is
// instrumented says more.
#ifndef GRADE_JOB_SECONDS
#define GRADE_JOB_SECONDS 20
#endif
// What took too long while the machine gave it less than this share of one processor is not the kernel's fault: it had
// 80 s to get 20, where the longest of the lessons' solutions takes 2.
#define GRADE_LEAST_SHARE 0.25
// ---- as JSON (report_json.c)

json_t *grade_report_json(const struct grade_report *report); // all of it, recording included
// The same, the recording as grade_recording_own: all that grade_report_read gives back.
json_t *grade_report_json_packed(const struct grade_report *report);
// Of grade_report_json it gives back all but the recording.
enum status grade_report_read(const json_t *json, struct grade_report **report, struct diagnostic *diagnostic);
// Without the accesses: small, for keeping. grade_record gives them again.
json_t *grade_report_json_brief(const struct grade_report *report);
// A recording as a field of a record: RECORDING_TRAVELS accesses are written, its total says how many there were.
enum { RECORDING_TRAVELS = 12000 };
extern const struct field_own grade_recording_own;

#endif
