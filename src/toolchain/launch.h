// The LAUNCH(...) line of a source, read back from its PTX (src/toolchain/include/bankshot.h).
#ifndef BANKSHOT_TOOLCHAIN_LAUNCH_H
#define BANKSHOT_TOOLCHAIN_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diagnostic.h"
#include "sim/launch_shape.h"

bool launch_is_given(const struct ptx_module *module); // there is such a line

// The line's block, tile, dynamic shared memory and what it asks for, for a grid of one block. LAUNCH: there is no
// LAUNCH line, its tile is empty, or no GPU launches such a block.
enum status launch_from_module(const struct ptx_module *module, struct launch_shape *shape,
                               struct diagnostic *diagnostic);

#endif
