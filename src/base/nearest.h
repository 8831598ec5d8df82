// "Did you mean": the known name that is nearest to a mistyped one.
#ifndef BANKSHOT_BASE_NEAREST_H
#define BANKSHOT_BASE_NEAREST_H

#include <stddef.h>

// Of names[0 … count), the one with the smallest edit distance (a swap of neighbours counts once) to word, when that
// is at most a third of the word's length and one; else NULL.
const char *nearest_name(const char *word, const char *const *names, size_t count);

#endif
