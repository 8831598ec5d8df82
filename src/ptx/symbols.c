// Names in scope: a stack of symbols; a map leads to the newest of a name, which leads to the one that it hides.
#include "ptx/symbols.h"

#include <stdlib.h>

#include "base/memory.h"

void ptx_symbols_start(struct ptx_symbols *symbols)
{
    *symbols = (struct ptx_symbols){.names = map_of(uint32_t), .ranges = map_of(uint32_t)};
}

void ptx_symbols_free(struct ptx_symbols *symbols)
{
    free(symbols->items);
    map_free(&symbols->names);
    map_free(&symbols->ranges);
    *symbols = (struct ptx_symbols){0};
}

static struct map *names_of(struct ptx_symbols *symbols, enum ptx_symbol_kind kind)
{
    return kind == PTX_SYMBOL_RANGE ? &symbols->ranges : &symbols->names;
}

void ptx_symbols_enter(struct ptx_symbols *symbols)
{
    symbols->depth++;
}

void ptx_symbols_leave(struct ptx_symbols *symbols)
{
    while (symbols->count > 0 && symbols->items[symbols->count - 1].depth == symbols->depth) {
        struct ptx_symbol *symbol = &symbols->items[--symbols->count];
        *(uint32_t *)map_find_bytes(names_of(symbols, symbol->kind), symbol->text, symbol->length) = symbol->outer;
    }
    symbols->depth--;
}

static struct ptx_symbol *symbol_find(const struct ptx_symbols *symbols, const struct map *names, const char *text,
                                      size_t length)
{
    const uint32_t *newest = map_find_bytes(names, text, length);
    return newest && *newest ? &symbols->items[*newest - 1] : NULL;
}

struct ptx_symbol *ptx_symbols_find(const struct ptx_symbols *symbols, const char *text, size_t length)
{
    return symbol_find(symbols, &symbols->names, text, length);
}

struct ptx_symbol *ptx_symbols_find_range(const struct ptx_symbols *symbols, const char *prefix, size_t length)
{
    return symbol_find(symbols, &symbols->ranges, prefix, length);
}

struct ptx_symbol *ptx_symbols_add(struct ptx_symbols *symbols, struct ptx_symbol symbol)
{
    uint32_t *newest = map_add_bytes(names_of(symbols, symbol.kind), symbol.text, symbol.length, NULL);
    symbol.depth = symbols->depth;
    symbol.outer = *newest;
    *mem_append(symbols->items, symbols->capacity, symbols->count) = symbol;
    *newest = (uint32_t)symbols->count;
    return &symbols->items[symbols->count - 1];
}
