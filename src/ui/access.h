// What one warp instruction did to shared memory, ready to be drawn: banks, words, turns, names.
//
// Costs come from model/banks.h (docs/hardware.md 1); nothing here has a rule of its own.
#ifndef BANKSHOT_UI_ACCESS_H
#define BANKSHOT_UI_ACCESS_H

#include "device/device.h"
#include "model/banks.h"

// The accesses of one space of a run, by source line.
struct sites {
    const struct counter_line **items; // point into the record
    size_t count;
};
void sites_make(struct sites *sites, const struct record *record, enum ptx_space space);
void sites_free(struct sites *sites);
// The site of another run that this one most likely was: the same source text, else the same kind in the same order.
// NULL if there is none.
const struct counter_line *sites_match(const struct sites *sites, const char *source, const struct counter_line *line,
                                       const struct sites *all, const char *line_source);

// Executions of a line's instruction by one warp in the recorded block, in order: the side in the line's space.
size_t access_count(const struct recording *recording, const struct counter_line *line, uint32_t warp);
const struct recorded_access *access_get(const struct recording *recording, const struct counter_line *line,
                                         uint32_t warp, size_t nth);
uint32_t access_warps(const struct recording *recording); // warps that made any access

struct pattern {
    uint32_t mask, bytes, lanes; // lanes: 32, or the number of rows of a matrix access
    enum bank_kind kind;
    uint64_t addresses[WARP_LANES];
    uint32_t wavefront[WARP_LANES]; // turn that serves the lane; UINT32_MAX = inactive
    struct bank_cost cost;
    uint32_t hits[BANKS];    // most distinct words that one group wants of the bank
    bool shared[WARP_LANES]; // an earlier lane is served by the same word in the same turn
    uint32_t group;          // lanes served together before conflicts
};
// as_compiled: addresses and width after ptxas' fusion, as far as line says.
void pattern_make(struct pattern *pattern, const struct recorded_access *access, const struct counter_line *line,
                  bool as_compiled);
// Distinct words that the lane's group wants of the bank; 0 if this lane does not touch the bank.
uint32_t pattern_degree(const struct pattern *pattern, uint32_t lane, uint32_t bank);
bool pattern_touches(const struct pattern *pattern, uint32_t lane, uint32_t bank);
enum bank_kind access_bank_kind(enum sim_access_kind kind);

// ---- names of places in shared memory, from the declarations in the source

enum shared_kind { SHARED_BITS, SHARED_FLOAT, SHARED_SIGNED, SHARED_UNSIGNED }; // BITS: shown as hexadecimal

struct shared_array {
    char name[64];
    uint32_t offset, element, size; // bytes
    enum shared_kind kind;
    uint32_t scalar;             // bytes of one number: 4 in a float4
    uint32_t dims[3], dim_count; // slowest first
    bool dynamic;                // extern: size unknown
};
struct shared_arrays {
    struct shared_array items[16];
    size_t count;
};
// Reads `__shared__ float tile[TILE][TILE + 1];` with the #defines, constexprs and enums that it can see. What it
// cannot work out it leaves out; places are then named by word. kernel: where several kernels of a file have arrays of
// their own, those of this one; NULL = all.
void shared_arrays_read(struct shared_arrays *arrays, const char *source, const char *kernel);
const struct shared_array *shared_arrays_at(const struct shared_arrays *arrays, uint64_t address);
// "tile[5][3]" or "word 163".
const char *shared_name(const struct shared_arrays *arrays, uint64_t address, char *text, size_t size);
// A number of the array as its type says, in at most `columns` columns (precision goes first); longer with 0.
const char *shared_value(const struct shared_array *array, const unsigned char *bytes, int columns, char *text,
                         size_t size);

#endif
