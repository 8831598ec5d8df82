// PTX of sources compiled before, under $XDG_CACHE_HOME/bankshot/ptx (~/.cache/bankshot/ptx).
//
// An entry holds its whole key (compiler, flags, source) beside the result, so a hash collision or a foreign file is a
// miss, never a wrong answer; a checksum makes a torn or damaged entry a miss too. Entries appear by rename. The folder
// is kept at CACHE_BYTES, or a few entries more, by removing the oldest. No error reaches the caller: a cache that
// cannot be used is a miss.
#ifndef BANKSHOT_TOOLCHAIN_CACHE_H
#define BANKSHOT_TOOLCHAIN_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum { CACHE_BYTES = 64 << 20 };

struct cache_entry {
    struct text ptx, messages; // as the compiler gave them
    struct text dependencies;  // headers of the user's that were read: "HASH PATH\n" each
};

// False: a miss. A hit is freed by cache_entry_free.
bool cache_load(const struct text *key, struct cache_entry *entry);
void cache_store(const struct text *key, const struct cache_entry *entry);
void cache_entry_free(struct cache_entry *entry);

bool cache_hash_file(const char *path, uint64_t *hash); // false: not a readable regular file

#endif
