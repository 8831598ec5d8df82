// Which values are alive, and what registers a thread needs for them: from the text of a function alone.
#ifndef BANKSHOT_MODEL_LIVENESS_H
#define BANKSHOT_MODEL_LIVENESS_H

#include "ptx/ptx.h"

// An estimate of what ptxas needs: the values, in units of 32 bits, that are alive at once at the worst place. How far
// off it is: docs/machine-interface.md.
uint32_t liveness_registers(const struct ptx_function *function);
// 32-bit words of each register of the function; 0: a predicate, or the same for all threads of a block.
void liveness_register_words(const struct ptx_function *function, uint8_t *words);

// Which registers hold what is the same for all threads of a block, as far as the text says: by register. To be freed.
bool *liveness_uniform(const struct ptx_function *function);

// The first instruction of the text that reads a register which on some way to it nothing was written to; NULL: none.
const struct ptx_inst *liveness_unset(const struct ptx_function *function);

// What ptxas may do with, where so many are estimated: nine in ten of the kernels of lessons and corpus that are
// estimated above 32 take no less than three quarters of that.
uint32_t liveness_registers_least(uint32_t estimate);

#endif
