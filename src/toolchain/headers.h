// Our device headers, carried in the program (from src/toolchain/include/), so that a copied binary is complete and
// program and headers always match.
#ifndef BANKSHOT_TOOLCHAIN_HEADERS_H
#define BANKSHOT_TOOLCHAIN_HEADERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diagnostic.h"

// Writes bankshot.h into folder, which is made, and for clang cuda/: file systems take their time over many new files.
enum status headers_write(const char *folder, bool for_clang, struct diagnostic *diagnostic);
uint64_t headers_hash(void); // of all of them: part of the cache's key

#endif
