// Which hand-ins share more than all of them were given: a hint to a teacher, never a verdict.
//
// Sources are compared as tokens, without comments, layout and braces. Every name that is not a word of CUDA or C++
// counts as "a name", names that stand side by side as one, every number and string as "a literal": renaming changes
// nothing. Each run of SIMILAR_RUN tokens is a number; winnowing (Schleimer, Wilkerson, Aiken: "Winnowing: local
// algorithms for document fingerprinting", SIGMOD 2003) keeps the least of every SIMILAR_WINDOW of them, so that any
// SIMILAR_RUN + SIMILAR_WINDOW - 1 tokens that two sources share are seen, wherever they stand. Runs that were given to
// all, and runs that more than a quarter of the class has (but at least SIMILAR_COMMON hand-ins), do not count: what
// counts are a hand-in's own runs.
#ifndef BANKSHOT_COURSE_SIMILAR_H
#define BANKSHOT_COURSE_SIMILAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SIMILAR_RUN = 14,
    SIMILAR_WINDOW = 4,
    SIMILAR_LEAST = 12,   // runs that two hand-ins must share,
    SIMILAR_PERCENT = 50, // and how much of the shorter one's own that must be
    SIMILAR_COMMON = 10,
    SIMILAR_MOST_BYTES = 1 << 16 // of a source: what comes behind is not compared
};

struct similarity;
struct similarity *similar_new(void);
void similar_free(struct similarity *similarity);

// What was given to all. Bytes may be any. Give all of it before the first hand-in.
void similar_give(struct similarity *similarity, const char *bytes, size_t length);
// A hand-in; they are numbered from 0. False: only a part of it is compared, since it is too long or holds a raw string
// that does not end.
bool similar_add(struct similarity *similarity, const char *bytes, size_t length);

// Lines from 1, first and last, on either side.
struct similar_passage {
    uint32_t lines[2][2];
};

struct similar_pair {
    size_t hand_ins[2]; // the first of those whose own runs are the same
    size_t shared, own[2];
    struct similar_passage *passages; // in the order of the left side
    size_t passage_count;
};

struct similar_result {
    struct similar_pair *pairs; // those that share much of the shorter one first; at most as many as were asked for
    size_t pair_count, found;   // found: without that bound
    size_t common;              // runs left out because too many hand-ins have them
};

// A pair may be one hand-in and itself: then others have the same own runs (similar_like).
void similar_find(struct similarity *similarity, size_t most, struct similar_result *result);
void similar_result_free(struct similar_result *result);
// The first hand-in whose own runs are the same; itself if there is none before it.
size_t similar_like(const struct similarity *similarity, size_t hand_in);

#endif
