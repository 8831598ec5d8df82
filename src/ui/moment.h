// Time in a recorded block: its shared accesses one after another, and what shared memory holds after each.
#ifndef BANKSHOT_UI_MOMENT_H
#define BANKSHOT_UI_MOMENT_H

#include "grade/grade.h"
#include "record/access.h"
#include "lesson/arrays.h"

struct timeline {
    const struct grade_report *report;      // borrowed
    const struct recorded_access **moments; // the shared accesses, in order
    size_t count, moment;
    const struct recorded_access *now; // moments[moment]
    struct shared_arrays arrays;
    uint32_t warps;
};

// False: there is nothing to step through. `moment` is brought into range. timeline_free in any case.
bool timeline_make(struct timeline *time, const struct grade_report *report, size_t moment);
void timeline_free(struct timeline *time);
// The moment of an access of the recording.
size_t timeline_moment(const struct timeline *time, const struct recorded_access *access);
// The counter line of an instruction, NULL if there is none; and its source line, 0 if unknown.
const struct counter_line *timeline_line(const struct timeline *time, uint32_t pc);
uint32_t timeline_source_line(const struct timeline *time, const struct recorded_access *access);

// A word of shared memory at the moment.
struct word_state {
    const struct recorded_access *writer; // who wrote it last; NULL = nobody yet
    int lane;                             // of the writer
    const struct recorded_access *coming; // an asynchronous copy that is on its way to it; NULL = none
    bool known;                           // bytes hold what was written
    unsigned char bytes[BANK_BYTES];
};
// All words that the block uses or declares, at most a megabyte of them; free() the result.
struct word_state *timeline_words(const struct timeline *time, size_t *count);

// Rows of the picture: each array's own rows, what belongs to no array in rows of 32 words.
struct word_row {
    const struct shared_array *array; // NULL = none
    uint32_t index;                   // of the row in its array
    size_t first, words;
};
uint32_t shared_row_words(const struct shared_array *array);                              // NULL: no array
struct word_row *timeline_rows(const struct timeline *time, size_t words, size_t *count); // free() the result

#endif
