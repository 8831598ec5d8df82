// What of a register's value does not depend on the thread or the turn: its low bits, for the alignment of addresses
// that fusion.c joins.
#ifndef BANKSHOT_MODEL_KNOWN_BITS_H
#define BANKSHOT_MODEL_KNOWN_BITS_H

#include "ptx/ptx.h"

// How many low bits of a register's value are the same wherever it is read, and which.
struct known_bits {
    uint8_t count;  // up to KNOWN_BITS_MAX
    uint16_t value; // modulo 2^count
};
enum { KNOWN_BITS_MAX = 16 };
// By register of the function, to be freed by the caller.
struct known_bits *known_bits_find(const struct ptx_function *function, const struct ptx_shared_layout *layout);

#endif
