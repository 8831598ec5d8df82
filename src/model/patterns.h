// Access patterns as text: one warp instruction a line, for `bankshot banks --file` and the golden file.
//
// A line is `label,op,active_mask,offset0,…,offset31`: a name, an operation that patterns.def lists, the active lanes
// as hex digits, and each lane's byte offset. A first line that names columns (label, op, active_mask, lane0 … lane31
// or offset0 …) may put them elsewhere; other columns are kept by name as measured (wavefronts, conflicts, requests,
// sectors) or ignored. Lines that begin with '#' and empty lines are skipped. Text in double quotes may hold commas.
#ifndef BANKSHOT_MODEL_PATTERNS_H
#define BANKSHOT_MODEL_PATTERNS_H

#include "base/diagnostic.h"
#include "model/banks.h"

#include <stdbool.h>
#include <stddef.h>

enum { PATTERN_ROWS_MAX = 1000000, PATTERN_NONE = UINT32_MAX };

// One kind of instruction that a pattern can name ("ld32", "cpasync16", "gld128").
struct pattern_op {
    const char *name;
    bool global; // requests and sectors; else wavefronts and conflicts
    enum bank_kind kind;
    uint32_t bytes; // per lane
    uint32_t rows;  // of ldmatrix and stmatrix, else 0
    const char *summary;
};
extern const struct pattern_op pattern_ops[];
extern const size_t pattern_op_count;
const struct pattern_op *pattern_op_find(const char *name); // NULL: no such operation

// What one warp instruction costs. Fields that do not apply are PATTERN_NONE.
struct pattern_cost {
    uint32_t wavefronts, conflicts, requests, sectors;
};

struct pattern {
    char *label; // owned by the list
    const struct pattern_op *op;
    uint32_t mask;
    uint64_t offsets[WARP_LANES];
    struct pattern_cost measured; // columns of those names in the file
    int line;
};

struct pattern_list {
    struct pattern *items;
    size_t count, capacity;
};

// USAGE or IO if the file cannot be read, PARSE with file, line and column (of the field) if a line is malformed.
enum status patterns_read(const char *path, struct pattern_list *list, struct diagnostic *diagnostic);
// The same from memory; name is for messages.
enum status patterns_parse(const char *name, const char *text, size_t length, struct pattern_list *list,
                           struct diagnostic *diagnostic);
struct pattern_cost patterns_evaluate(const struct pattern *pattern);
struct bank_access pattern_banks(const struct pattern *pattern); // points into the pattern
void pattern_list_free(struct pattern_list *list);

#endif
