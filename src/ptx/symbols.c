// Names in scope: a stack of symbols, with a hash table over it whose buckets lead from inner to outer scopes.
#include "ptx/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ptx/words.h"

enum { FEWEST_BUCKETS = 4096 };

void ptx_symbols_start(struct ptx_symbols *symbols)
{
    *symbols = (struct ptx_symbols){.buckets = mem_alloc(FEWEST_BUCKETS * sizeof *symbols->buckets),
                                    .bucket_count = FEWEST_BUCKETS};
}

static uint32_t *bucket_of(const struct ptx_symbols *symbols, uint32_t hash)
{
    return &symbols->buckets[hash & (symbols->bucket_count - 1)];
}

// Puts the symbols in again, oldest first, so that the newest still leads its bucket.
static void grow_buckets(struct ptx_symbols *symbols)
{
    free(symbols->buckets);
    symbols->bucket_count *= 4;
    symbols->buckets = mem_alloc(symbols->bucket_count * sizeof *symbols->buckets);
    for (size_t i = 0; i < symbols->count; i++) {
        uint32_t *bucket = bucket_of(symbols, symbols->items[i].hash);
        symbols->items[i].next = *bucket;
        *bucket = (uint32_t)i + 1;
    }
}

void ptx_symbols_free(struct ptx_symbols *symbols)
{
    free(symbols->items);
    free(symbols->buckets);
    *symbols = (struct ptx_symbols){0};
}

void ptx_symbols_enter(struct ptx_symbols *symbols)
{
    symbols->depth++;
}

void ptx_symbols_leave(struct ptx_symbols *symbols)
{
    while (symbols->count > 0 && symbols->items[symbols->count - 1].depth == symbols->depth) {
        struct ptx_symbol *symbol = &symbols->items[--symbols->count];
        *bucket_of(symbols, symbol->hash) = symbol->next;
    }
    symbols->depth--;
}

static struct ptx_symbol *symbol_find(const struct ptx_symbols *symbols, const char *text, size_t length, bool is_range)
{
    uint32_t hash = ptx_hash(PTX_HASH_START, text, length) + is_range;
    for (uint32_t i = *bucket_of(symbols, hash); i;) {
        struct ptx_symbol *symbol = &symbols->items[i - 1];
        if (symbol->hash == hash && symbol->length == length && (symbol->kind == PTX_SYMBOL_RANGE) == is_range &&
            !memcmp(symbol->text, text, length))
            return symbol;
        i = symbol->next;
    }
    return NULL;
}

struct ptx_symbol *ptx_symbols_find(const struct ptx_symbols *symbols, const char *text, size_t length)
{
    return symbol_find(symbols, text, length, false);
}

struct ptx_symbol *ptx_symbols_find_range(const struct ptx_symbols *symbols, const char *prefix, size_t length)
{
    return symbol_find(symbols, prefix, length, true);
}

struct ptx_symbol *ptx_symbols_add(struct ptx_symbols *symbols, struct ptx_symbol symbol)
{
    symbol.hash = ptx_hash(PTX_HASH_START, symbol.text, symbol.length) + (symbol.kind == PTX_SYMBOL_RANGE);
    symbol.depth = symbols->depth;
    if (symbols->count >= 2 * (size_t)symbols->bucket_count)
        grow_buckets(symbols);
    symbol.next = *bucket_of(symbols, symbol.hash);
    *mem_append(symbols->items, symbols->capacity, symbols->count) = symbol;
    *bucket_of(symbols, symbol.hash) = (uint32_t)symbols->count;
    return &symbols->items[symbols->count - 1];
}
