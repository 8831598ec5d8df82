// One recorded access, resolved: which execution of which line it was, what it cost, and the pattern that its lanes
// made on banks or sectors. Whoever draws, lists or judges an access reads it here.
//
// Costs come from model/banks.h; what a kind, width or address is as compiled, from the access's operation.
#ifndef BANKSHOT_RECORD_ACCESS_H
#define BANKSHOT_RECORD_ACCESS_H

#include "record/counters.h"
#include "record/recorder.h"

// ---- which one

// One instruction, or several that one wants to see as one: those of an unrolled loop.
struct access_set {
    enum ptx_space space; // the side in this space
    const uint32_t *pcs;
    size_t count;
};
// Their executions by one warp in the recorded block, in order.
size_t access_count(const struct recording *recording, const struct access_set *set, uint32_t warp);
const struct recorded_access *access_get(const struct recording *recording, const struct access_set *set, uint32_t warp,
                                         size_t nth);
uint32_t access_warps(const struct recording *recording); // warps that made any access
// The costliest access of the recorded block, and its line: of the line with most conflicts in shared memory, then with
// most wavefronts; where there is none, with most sectors. Of equal ones the first. NULL: nothing was recorded.
const struct recorded_access *access_worst(const struct recording *recording, const struct counter_table *table,
                                           const struct counter_line **line);

// ---- on the banks

// As the banks serve it, pointing into the access.
struct bank_access access_banks(const struct recorded_access *access, bool as_compiled);

struct bank_pattern {
    struct bank_access access; // without delta: its addresses are those below
    uint32_t lanes;            // 32, or the number of rows of a matrix access
    uint64_t addresses[WARP_LANES];
    struct bank_schedule schedule;
    uint32_t hits[BANKS];    // most words of the bank that one group waits for
    int partner[WARP_LANES]; // the first lane that is served by the same word in the same turn; -1: none before it
};
// pattern->access.addresses points into the pattern: make it where it stays.
void bank_pattern_make(struct bank_pattern *pattern, const struct bank_access *access);
void bank_pattern_of(struct bank_pattern *pattern, const struct recorded_access *access, bool as_compiled);
bool bank_pattern_active(const struct bank_pattern *pattern, uint32_t lane);
bool bank_pattern_touches(const struct bank_pattern *pattern, uint32_t lane, uint32_t bank);
// Whether the lane gets a word of the bank in this turn, from 0.
bool bank_pattern_serves(const struct bank_pattern *pattern, uint32_t turn, uint32_t lane, uint32_t bank);
// Words of the bank that the lane's group waits for; 0 if this lane does not touch the bank.
uint32_t bank_pattern_degree(const struct bank_pattern *pattern, uint32_t lane, uint32_t bank);
// Distinct words of the bank that lanes [first, first + count) want.
uint32_t bank_pattern_words(const struct bank_pattern *pattern, uint32_t first, uint32_t count, uint32_t bank);

// Why it costs what it costs: "bank 0 is asked for 32 different words, one a turn".
void bank_pattern_explain(const struct bank_pattern *pattern, char *text, size_t size);

// ---- on sectors of global memory

enum { SECTOR_LINE_BYTES = 128, SECTOR_LINES_MAX = 2048 };
struct sector_line {
    uint64_t address;
    uint64_t wanted[2]; // a bit for each byte
};
struct sector_pattern {
    uint32_t sectors;
    uint64_t wanted;   // distinct bytes
    size_t line_count; // of SECTOR_LINE_BYTES, ascending
    struct sector_line lines[SECTOR_LINES_MAX];
};
void sector_pattern_make(struct sector_pattern *pattern, uint32_t bytes, uint32_t mask,
                         const uint64_t addresses[WARP_LANES]);
// Whether any of these bytes, which lie in the line, is wanted.
bool sector_line_wants(const struct sector_line *line, uint64_t address, uint32_t bytes);

#endif
