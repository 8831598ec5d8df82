// Hazards: what is wrong with a run even when its result came out right.
//
// Two accesses to one place of which one writes race unless something orders them: block barriers, named barriers,
// __syncwarp, mbarriers, waits for cp.async, and release and acquire patterns (PTX ISA, Memory Consistency Model).
// order.c follows these by vector clocks over warps, and over lanes inside a warp. Each place remembers who read and
// wrote it: cells.c says whether the next access of its block may follow, behind shadow.c, which needs no such marks as
// long as no two accesses meet; cross.c compares what the blocks left in global memory (pages.c), after the run, and
// handover.c does so during the run where blocks hand over data. Mistakes that the machine itself notices come as
// notices (checker.c). docs/hazards.md says what is not seen.
//
// The findings depend on the program, its data and the schedule, never on the number of host threads: between sightings
// and beyond bounds the lowest block, key or address decides, not what came first.
//
// A new hazard is a row in hazards.def (name, meaning, family, message) and one finding_add in the file that sees it:
// cells.c for accesses of one block, cross.c and handover.c for those of several, hazard_notice in checker.c for what
// the machine notices. If another hazard explains it, is_explained in checker.c says so. tests/kernels/hazards asks for
// three kernels that have it.
//
// A checker serves one launch at a time: new, observer into sim_launch.observers, take, free. Its program and memory
// must outlive it; hazards name files and lines that the module owns.
#ifndef BANKSHOT_HAZARD_HAZARD_H
#define BANKSHOT_HAZARD_HAZARD_H

#include "sim/sim.h"

enum hazard_kind {
#define H(name, text, meaning, family, message) HAZARD_##name,
#include "hazard/hazards.def"
#undef H
    HAZARD_KIND_COUNT
};

struct hazard {
    enum hazard_kind kind;
    uint32_t pc, other_pc;             // UINT32_MAX: no other place
    const char *file;                  // the learner's places; owned by the module
    uint32_t line, other_line;         // 0 = unknown, or in another file
    uint32_t block[3], other_block[3]; // other_block differs only for races between blocks
    uint32_t thread[3], other_thread[3];
    enum ptx_space space;
    uint64_t address; // shared: offset; global: device address
    uint64_t count;   // times seen
    // Reported, never graded: one constant written by all; ended threads at a barrier; no more than a barrier behind
    // the read of another block's flag.
    bool benign;
    bool same_value;   // a race whose writers agreed in this run, by what the data were
    bool is_update;    // a race of threads that update one place, h[x]++: no barrier helps; not in JSON
    bool as_written;   // seen without optimisation only: what the compiler makes of the source has it no more
    char message[512]; // cause and remedy in one or two sentences, names the array where known
};

struct hazard_list {
    struct hazard *items; // ordered by block, then line; one for each kind and pair of lines; consequences left out
    size_t count, capacity;
};
// a matters more: between harmless, harmless with these data, and harmful.
bool hazard_is_worse(const struct hazard *a, const struct hazard *b);
// Of two lines, a race of lanes that is a race of warps as well, `other`: the barrier that cures this cures that.
bool hazard_is_narrower(const struct hazard *hazard, const struct hazard *other);
void hazard_list_free(struct hazard_list *list);
// A hazard of another run of the kernel: a new one is appended; of one that is there the worse counts, and
// of a race of lanes and one of warps, at the same lines, the latter.
void hazard_list_add(struct hazard_list *list, const struct hazard *hazard);
const char *hazard_name(enum hazard_kind kind); // "race", "missing-wait", … the word used in JSON and rubrics

// Who can name an element of a shared array as `source` declares it, "tile[3][4]": of the array's demangled name, its
// bytes (0: the launch gives them) and the place among these. False: that is not known. element NULL: nobody can.
struct hazard_names {
    bool (*element)(const char *source, const char *array, uint64_t bytes, uint64_t offset, char *text, size_t size);
    const char *source;
};

struct hazard_checker;
struct hazard_checker *hazard_checker_new(const struct sim_program *program, struct sim_memory *memory,
                                          const char *main_file);
struct sim_observer hazard_checker_observer(struct hazard_checker *checker);
// Before the launch: of every 65536 phases (what a block does between two of its barriers) it looks at this many, drawn
// by the seed. What may order accesses is followed in all of them, so that nothing is found that is not there.
// least: and at so many of each block's first accesses, as a kernel may have no barrier that ends a phase.
void hazard_checker_sample(struct hazard_checker *checker, uint32_t share, uint64_t seed, uint64_t least);
// Before hazard_checker_take. Names are made by then; else places are counted in units of what the access moves.
void hazard_checker_names(struct hazard_checker *checker, const struct hazard_names *names);
// After the launch: the accesses that were looked at, as a share of all.
double hazard_checker_watched(const struct hazard_checker *checker);
// After the launch: moves the findings out.
void hazard_checker_take(struct hazard_checker *checker, struct hazard_list *list);
void hazard_checker_free(struct hazard_checker *checker);

#endif
