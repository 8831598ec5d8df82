// Names in scope while a module is parsed. Inner scopes hide outer ones; a scope's names go when it ends.
#ifndef BANKSHOT_PTX_SYMBOLS_H
#define BANKSHOT_PTX_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "ptx/ptx.h"

enum ptx_symbol_kind {
    PTX_SYMBOL_REGISTER, // number: index
    PTX_SYMBOL_RANGE,    // %r<n>: number is the range's, count is n, type and width of its registers
    PTX_SYMBOL_VARIABLE,
    PTX_SYMBOL_FUNCTION,
    PTX_SYMBOL_LABEL, // number: index of the instruction
    PTX_SYMBOL_TABLE
};

struct ptx_symbol {
    const char *text; // in the PTX text, or longer-lived
    uint32_t length;
    enum ptx_symbol_kind kind;
    uint32_t number, count;
    enum ptx_type type;
    uint8_t vector;
    union {
        struct ptx_variable *variable;
        struct ptx_function *function;
        struct ptx_table *table;
    } value;
    uint32_t line;  // of its declaration
    uint32_t depth; // of its scope: 0 = module
    uint32_t outer; // the one of this name that it hides; index + 1
};

struct ptx_symbols {
    struct ptx_symbol *items;
    size_t count, capacity;
    struct map names, ranges; // index + 1 of the newest of each name; ranges are kept apart
    uint32_t depth;
};

void ptx_symbols_start(struct ptx_symbols *symbols);
void ptx_symbols_free(struct ptx_symbols *symbols);
void ptx_symbols_enter(struct ptx_symbols *symbols);
void ptx_symbols_leave(struct ptx_symbols *symbols);

// The innermost symbol of that name, or NULL. Valid until the next addition.
struct ptx_symbol *ptx_symbols_find(const struct ptx_symbols *symbols, const char *text, size_t length);
// Adds to the current scope. A RANGE is kept apart from other names: its text is only a prefix.
struct ptx_symbol *ptx_symbols_add(struct ptx_symbols *symbols, struct ptx_symbol symbol);
struct ptx_symbol *ptx_symbols_find_range(const struct ptx_symbols *symbols, const char *prefix, size_t length);

#endif
