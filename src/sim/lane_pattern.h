// Address patterns of warps, told apart fast: most instructions repeat one or a few.
//
// A pattern is a tag of the caller's (what else matters: size, alignment), the active lanes, and each active lane's
// distance from the first one's address. A table gives each pattern a number, under which the caller keeps what it
// worked out for it.
#ifndef BANKSHOT_SIM_LANE_PATTERN_H
#define BANKSHOT_SIM_LANE_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

enum { LANE_PATTERNS = 512 }; // numbers are below this

struct lane_pattern {
    uint64_t tag;           // the caller's above, the mask in the low 32 bits; 0 = free
    uint64_t distances[32]; // 0 for inactive lanes
    uint64_t active[32];    // all ones or zero
};

struct lane_patterns;
struct lane_patterns *lane_patterns_new(void);
void lane_patterns_free(struct lane_patterns *table);

// tag: below 2^32 and not 0; mask: not 0. *hint belongs to the instruction, starts as 0 and is where its last pattern
// was. *fresh: the number was given just now. UINT32_MAX when the table is full: clear it, or do without.
uint32_t lane_patterns_find(struct lane_patterns *table, uint32_t *hint, uint32_t tag, uint32_t mask,
                            const uint64_t addresses[32], bool *fresh);
const struct lane_pattern *lane_patterns_get(const struct lane_patterns *table, uint32_t number);
void lane_patterns_clear(struct lane_patterns *table);

#endif
