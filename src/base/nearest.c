// Edit distances of short words.
#include "base/nearest.h"

#include <string.h>

enum { MAX_LENGTH = 63 };

static size_t least_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Optimal string alignment: insertions, deletions, replacements, swaps of neighbours.
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][MAX_LENGTH + 1] = {{0}};
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            row[j] = least_size(least_size(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least_size(row[j], above2[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

const char *nearest_name(const char *word, const char *const *names, size_t count)
{
    size_t length = strlen(word), best = length / 3 + 2;
    const char *found = NULL;
    if (length > MAX_LENGTH)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(names[i]);
        size_t difference = other > MAX_LENGTH ? best : edit_distance(word, length, names[i], other);
        if (difference < best) {
            best = difference;
            found = names[i];
        }
    }
    return found;
}
