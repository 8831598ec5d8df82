// The LAUNCH(...) line of a source, read back from its PTX (src/toolchain/include/bankshot.h).
#ifndef BANKSHOT_TOOLCHAIN_LAUNCH_H
#define BANKSHOT_TOOLCHAIN_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diagnostic.h"
#include "ptx/ptx.h"

struct launch_shape {
    uint32_t block[2];       // threads, x and y; z is 1
    uint32_t tile[2];        // elements of the output that a block does, x and y
    uint32_t dynamic_shared; // bytes
};

bool launch_is_given(const struct ptx_module *module);

// COMPILE when there is no LAUNCH line, or it asks for what no GPU does: a block of 0 or more than 1024 threads, an
// empty tile, more than 227 KiB of shared memory. The message says what the line must look like.
enum status launch_from_module(const struct ptx_module *module, struct launch_shape *shape,
                               struct diagnostic *diagnostic);

#endif
