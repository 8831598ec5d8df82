// Which kernels a source defines, as it is written: their parameters' names and their templates' parameters, which PTX
// does not keep. For suggestions only: macros are not expanded, and what #if leaves out counts.
#ifndef BANKSHOT_TOOLCHAIN_KERNELS_H
#define BANKSHOT_TOOLCHAIN_KERNELS_H

#include <stddef.h>

#include "base/text.h"

struct source_kernel {
    char *name;     // "tk", "deep::tk"
    char *example;  // "float, 32": arguments that its template takes; NULL: it is none
    char **written; // its parameters, as in the source
    size_t parameters;
};

struct source_kernels {
    struct source_kernel *items;
    size_t count, capacity;
};

// Appends those of a source, each name once.
void source_kernels_read(const char *source, size_t length, struct source_kernels *kernels);
void source_kernels_free(struct source_kernels *kernels);
// By its name, or the last component of it; NULL: there is none.
const struct source_kernel *source_kernels_find(const struct source_kernels *kernels, const char *name, size_t length);

#endif
