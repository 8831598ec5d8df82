// A lesson is data: lesson.cfg, lesson.md, the exercise, the solution, the mutants. docs/writing-lessons.md is the
// manual of the format.
//
// lesson_load never trusts the file: a typo gets a diagnostic with file, line, what was wrong and what is allowed.
// A lesson owns all its strings (one arena); lesson_free releases them.
#ifndef BANKSHOT_LESSON_LESSON_H
#define BANKSHOT_LESSON_LESSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diagnostic.h"
#include "ptx/ptx.h"

enum lesson_role { LESSON_IN, LESSON_OUT, LESSON_INOUT, LESSON_SCALAR, LESSON_MAP };
enum lesson_gate_kind { LESSON_GATE_CORRECT, LESSON_GATE_HAZARDS, LESSON_GATE_REQUIRE, LESSON_GATE_SPEED };

struct lesson_arg {
    const char *name;
    enum ptx_type type;
    enum lesson_role role;
    const char *shape[3]; // expressions over the sizes: slowest first; shape_count 0 = one element
    size_t shape_count;
    const char *fill;   // IN, INOUT: see grade/references.h; NULL = "uniform". OUT: poisoned
    const char *value;  // SCALAR: expression
    const char *of;     // MAP: the buffer that the tensor map shows, whole
    const char *box[3]; // … in boxes of so many elements: expressions, slowest first
    size_t box_count;
    int swizzle; // … bytes of its span; 0: none
};

static inline bool lesson_is_buffer(const struct lesson_arg *arg)
{
    return arg->role != LESSON_SCALAR && arg->role != LESSON_MAP;
}

struct device_arg;

struct lesson_variable {
    const char *name;
    int64_t value;
};

struct lesson_size {
    const char *name;
    struct lesson_variable *variables, *gpu_variables; // in the order written; every size has the same names
    size_t variable_count, gpu_variable_count;
    bool exact; // the kernel is right for these numbers only, not for others near them
};

// Values of a variable for which the kernel must be right, whether a size has them or not: what the page promises.
struct lesson_range {
    const char *name;
    int least, most, step; // most: of those that are tried
};

// A size that is none of the part's own; its variables are in place, so it is not to be copied.
enum { LESSON_VARIABLES = 16 };
struct lesson_other_size {
    struct lesson_size size;
    struct lesson_variable variables[LESSON_VARIABLES];
};

struct lesson_gate {
    const char *id, *when, *message; // REQUIRE: when must hold
    const char *asks;                // the same in words; NULL: the condition itself is shown
    const char *part;                // name of the part that it judges; NULL: of the only one
    const char *gpu, *sim;           // SPEED: what must hold on a GPU, with the model; either may be NULL
    const char *full, *sim_full;     // for full marks; missed = passed with half the points; or NULL
    const char *next;
    const char *baseline;
    enum lesson_gate_kind kind;
    double points;
};

struct lesson_diagnosis {
    const char *id, *when, *message, *part;
};

struct lesson_question {
    const char *question, *size, *answer, *unit, *why, *part;
    const char *look;         // at what, after a wrong guess; NULL: what the lab says of such a fact
    const char *kernel;       // as written: "starter", "solution", "naive", "pad-by-32.cu", "puzzles.cu:p07"
    const char *file, *entry; // absolute path and kernel name that it stands for
};

struct lesson_mutant {
    const char *file, *diagnosis; // file: absolute path
};

struct lesson_published {
    const char *gpu, *label;
    double gbps, gflops;
};

struct lesson_launch {
    const char *from;        // "LAUNCH": the LAUNCH line of the source; NULL: the fixed expressions
    const char *cols, *rows; // LAUNCH: what the tiles cover
    const char *grid[3], *block[3], *shared;
    int max_threads; // of a block; 0 = the device's limit
    bool asks;       // LAUNCH has to ask for more than 48 KB, as a host program has; else the lab does
};

// One kernel with what it is run on. Most lessons have one nameless part.
struct lesson_part {
    const char *name; // NULL: the only one
    const char *kernel;
    const char *reference; // a built-in one (grade/references.h) or "none"; NULL: the file below
    const char *reference_file, *reference_kernel; // reference.cu (absolute) and its kernel, run on the simulator
    struct lesson_launch reference_launch;
    struct lesson_arg *args;
    size_t arg_count;
    struct lesson_size *sizes;
    size_t size_count, speed_size; // speed_size: index of the one that counters and speed are judged on
    struct lesson_range *ranges;   // of the variables that other values are promised for, too; NULL: nothing is said
    size_t range_count;
    struct lesson_launch launch;
    double absolute, relative;
};

struct lesson {
    struct arena *arena;
    const char *id;   // "04-padding"
    const char *name; // "padding"
    int number;
    const char *directory;                     // absolute path of lessons/NN-name
    const char *exercise, *starter, *solution; // absolute paths
    const char *page, *why;                    // absolute paths of lesson.md and why.md; why may be NULL
    const char *naive;                         // absolute path of naive.cu, or NULL
    const char *naive_is;                      // what that kernel is: "strided writes"; NULL: "naive"
    const char *model_note; // where modelled times of its kernels fall short; NULL: nowhere that is known
    const char *arch;       // "sm_90a": its kernels take what this one alone has; NULL: they run anywhere
    bool asks_first;        // the starter's verdict waits for a guess at the first question
    const char *title, *track, *summary, *starter_diagnosis;
    struct lesson_part *parts; // at least one
    size_t part_count;
    struct lesson_gate *gates; // points sum to 100
    size_t gate_count;
    struct lesson_diagnosis *diagnoses;
    size_t diagnosis_count;
    const char **hints;
    size_t hint_count;
    const char **learnt; // lines that are shown after a pass
    size_t learnt_count;
    struct lesson_question *questions;
    size_t question_count;
    struct lesson_mutant *mutants;
    size_t mutant_count;
    const char **variants; // absolute paths of variants/*.cu
    size_t variant_count;
    struct lesson_published *published;
    size_t published_count;
    int least_words, most_words;            // of the page: 600 to 1200 unless `words = [A, B]` says otherwise
    const char *metric_bytes, *metric_flop; // expressions over the sizes, or NULL
};

struct lesson_set {
    struct lesson **items; // by number
    size_t count;
    struct diagnostic_list broken; // why lessons are missing in items; each names its file
    char *root;                    // what holds lessons/ and solutions/
    char *workspace;               // what holds exercises/ (or the exercises themselves); NULL = none yet: `init`
    bool in_source_tree;
};

// directory: lessons/NN-name; the solution is found in ../../solutions. workspace: see struct lesson_set; NULL = none,
// then the exercise is the starter itself.
enum status lesson_load(const char *directory, const char *workspace, struct lesson **lesson,
                        struct diagnostic *diagnostic);
void lesson_free(struct lesson *lesson);

// Value of an expression over a size's variables: shapes, scalars, launch shapes. PARSE: what is wrong with it; NaN of
// lesson_value, whose expressions lesson_load has checked.
enum status lesson_evaluate(const struct lesson_size *size, bool gpu, const char *expression, double *value,
                            struct diagnostic *diagnostic);
double lesson_value(const struct lesson_size *size, bool gpu, const char *expression);
bool lesson_size_variable(const struct lesson_size *size, bool gpu, const char *name, double *value);
// Fills another size, at first like the part's speed size.
void lesson_other_size(const struct lesson_part *part, struct lesson_other_size *other);
void lesson_other_set(struct lesson_other_size *other, const char *name, int64_t value);
int64_t lesson_other_get(const struct lesson_other_size *other, const char *name); // 0: it has none of that name
// The tensor map that an argument of the role MAP is at a size (args_free). USAGE: the message says which rule it
// breaks.
enum status lesson_tensor_map(const struct lesson_part *part, const struct lesson_arg *arg,
                              const struct lesson_size *size, bool gpu, struct device_arg *map,
                              struct diagnostic *diagnostic);
// NULL gives the first part; an unknown name NULL.
const struct lesson_part *lesson_part_find(const struct lesson *lesson, const char *name);

#define LESSON_MARKER ".bankshot" // the file that marks a workspace

// Finds the lessons (beside the executable, in its installed share folder, or $BANKSHOT_LESSONS) and the workspace
// (the current folder or one above that `init` made, else the source tree). A broken lesson costs only itself: the set
// says why. When no lesson is whole, the first one's mistake is the answer.
enum status lesson_set_open(struct lesson_set *set, struct diagnostic *diagnostic);
void lesson_set_close(struct lesson_set *set);
// What holds `folder` of those that come with the program: its installed share folder, or the source tree. NULL:
// neither does; free() it.
char *lesson_own_root(const char *folder, bool *in_source_tree);
// By number ("4"), id or name; NULL if there is none.
struct lesson *lesson_set_find(const struct lesson_set *set, const char *name);

// Whether a source is the lesson's starter still: the same tokens, whatever its comments, blanks and line ends are. IO:
// the starter cannot be read, so nobody knows.
enum status lesson_is_starter(const struct lesson *lesson, const char *source, bool *is_starter,
                              struct diagnostic *diagnostic);
bool lesson_same_tokens(const char *a, const char *b);

// Puts the starter back in place of the exercise; what was there is kept as NN-name.cu.1, .2 … (*backup, free it; NULL
// when there was nothing). Needs a workspace.
enum status lesson_reset(const struct lesson *lesson, char **backup, struct diagnostic *diagnostic);

#endif
