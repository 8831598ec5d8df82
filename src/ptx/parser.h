// The parser's own state, shared by parser.c and parse*.c. Nothing outside src/ptx includes this.
//
// Each file calls only those after it: parse.c (the module), parse_body.c, then parse_inst.c, parse_variable.c and
// parse_attributes.c, then parse_constant.c, then parser.c over the lexer and the symbols. The sections below go from
// the last to the first.
//
// Every parse_* function returns false once it has failed, with the diagnostic filled by the first failure; callers
// only pass that on.
#ifndef BANKSHOT_PTX_PARSER_H
#define BANKSHOT_PTX_PARSER_H

#include "base/map.h"
#include "base/memory.h"
#include "ptx/lex.h"
#include "ptx/ptx.h"
#include "ptx/symbols.h"
#include "ptx/words.h"

// Bounds against hostile text. Real modules stay far below them.
enum {
    PTX_MAX_TEXT = 32 * 1024 * 1024, // bytes of a module
    PTX_MAX_DEPTH = 64,              // nested scopes, parentheses, braces
    PTX_MAX_OPERANDS = 24,           // of an instruction, its vectors' elements not counted
    PTX_MAX_VECTOR = 256,            // elements in braces
    PTX_MAX_RANGE = 1 << 20,         // registers of one .reg %r<n>
    PTX_MAX_NAME = 8192,             // characters
    PTX_MAX_PARAMS = 4096,
    PTX_MAX_EDGES = 1 << 20, // entries of branch tables, counted per brx.idx
    PTX_MAX_FILES = 65536,
    PTX_MAX_ALIGN = 65536,
    PTX_MAX_INITIAL = 64 * 1024 * 1024, // bytes of initial data in a module
    PTX_MAX_MESSAGE_TOKEN = 60          // characters of a token quoted in a message
};
#define PTX_WARP_SIZE "WARP_SZ"              // a constant like any number, 32
#define PTX_MAX_VARIABLE (UINT64_C(1) << 38) // bytes

// A growing array; items move when it grows.
#define PTX_VECTOR(type)                                                                                               \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        size_t count, capacity;                                                                                        \
    }
#define PTX_PUSH(vector, ...)                                                                                          \
    (mem_reserve(&(vector).items, &(vector).capacity, (vector).count), (vector).items[(vector).count++] = (__VA_ARGS__))

// A label or table used before it may be known. Resolved where the scope ends that declares it.
struct ptx_fixup {
    bool wants_table;
    uint32_t *target; // an entry of a table; or NULL:
    uint32_t operand; // index into the body's operands
    struct ptx_token token;
};

struct ptx_body {
    PTX_VECTOR(struct ptx_inst) insts;
    PTX_VECTOR(struct ptx_operand) operands;
    PTX_VECTOR(struct ptx_register) registers;
    PTX_VECTOR(struct ptx_variable *) variables;
    PTX_VECTOR(struct ptx_fixup) fixups;
    PTX_VECTOR(uint32_t) nounrolls; // instructions behind .pragma "nounroll"
    struct map range_registers;     // by range and number; those of a range (%r<18>) come into being when first named
    uint32_t ranges;                // .reg ranges declared so far
    uint32_t call_param_used;
};

struct ptx_parser {
    struct ptx_lexer lexer;
    struct ptx_token token; // the next one, not yet taken
    struct diagnostic *diagnostic;
    bool keeps_unknown; // instructions
    enum status status;
    char quoted[4 * PTX_MAX_MESSAGE_TOKEN + 16]; // a token, for a message
    struct ptx_module *module;
    struct arena *arena;     // the module's
    char *names, *names_end; // room for names
    struct ptx_symbols symbols;
    PTX_VECTOR(struct ptx_function *) functions;
    PTX_VECTOR(struct ptx_variable *) variables;
    PTX_VECTOR(const char *) files;
    PTX_VECTOR(struct ptx_location) locations;
    PTX_VECTOR(struct ptx_initializer) initializers; // of the variable being read
    struct map places;                               // the latest location at a file, line and column
    uint32_t location;                               // in force
    uint64_t initial_bytes;
    uint32_t order;
    unsigned depth;                // of recursion
    struct ptx_function *function; // NULL outside
    struct ptx_body body;
};

// ---- parser.c: tokens, messages, names
void ptx_next(struct ptx_parser *p);
bool ptx_fail_at(struct ptx_parser *p, const struct ptx_token *token, enum status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool ptx_fail_expected(struct ptx_parser *p, const char *expected); // "expected X, found 'token'"
bool ptx_fail_unsupported(struct ptx_parser *p, const struct ptx_token *token, const char *noun); // "the element"
const char *ptx_quote(struct ptx_parser *p, const struct ptx_token *token); // holds until the next one
bool ptx_accept(struct ptx_parser *p, unsigned kind);
bool ptx_expect(struct ptx_parser *p, unsigned kind, const char *expected);
bool ptx_token_is(const struct ptx_token *token, const char *text);
bool ptx_accept_word(struct ptx_parser *p, const char *word);
char *ptx_name(struct ptx_parser *p, const char *text, size_t length);
bool ptx_parse_name(struct ptx_parser *p, struct ptx_token *name, const char *expected);
bool ptx_parse_bounded(struct ptx_parser *p, uint64_t least, uint64_t most, uint64_t *value, const char *what);
// Adds name to the scope in force; fails if that scope has it already.
bool ptx_declare(struct ptx_parser *p, const struct ptx_token *name, struct ptx_symbol symbol);
bool ptx_skip_brackets(struct ptx_parser *p, unsigned open, const char *opening, unsigned close, const char *closing);
bool ptx_skip_parentheses(struct ptx_parser *p);            // "(" anything ")"
bool ptx_skip_pragma(struct ptx_parser *p, bool *nounroll); // what follows ".pragma", with its ';'; NULL: never mind
void *ptx_settle(struct ptx_parser *p, const void *items, size_t bytes); // a copy in the arena
#define PTX_SETTLE(p, vector) ptx_settle((p), (vector).items, (vector).count * sizeof *(vector).items)

// ---- parse_constant.c
struct ptx_constant {
    unsigned kind; // PTX_TOKEN_INTEGER, _SINGLE or _DOUBLE
    bool is_unsigned;
    uint64_t bits;
};
bool ptx_parse_constant(struct ptx_parser *p, struct ptx_constant *constant); // any constant expression
bool ptx_parse_product(struct ptx_parser *p, struct ptx_constant *constant);  // without + and - outside parentheses
bool ptx_at_constant(const struct ptx_parser *p);

// ---- parse_variable.c
bool ptx_parse_variable_list(struct ptx_parser *p, enum ptx_space space, bool is_extern);
bool ptx_parse_params(struct ptx_parser *p, bool is_prototype, bool is_entry, struct ptx_variable **params,
                      uint32_t *count, uint32_t *size);
bool ptx_parse_registers(struct ptx_parser *p);

// ---- parse_attributes.c: what may be between a function's parameters and its body
bool ptx_parse_attributes(struct ptx_parser *p, struct ptx_function *function);

// ---- parse_inst.c
bool ptx_parse_instruction(struct ptx_parser *p);
// The moves between the registers that a function takes or gives and their places in its parameter block: at its begin,
// and before a return.
bool ptx_take_registers(struct ptx_parser *p);
void ptx_give_registers(struct ptx_parser *p);

// ---- parse_body.c
bool ptx_parse_body(struct ptx_parser *p);
bool ptx_parse_location(struct ptx_parser *p);

// ---- cfg.c
void ptx_cfg_build(struct ptx_function *function, struct arena *arena);

// ---- passing.c: after its blocks are known; builds them anew
void ptx_pass_in_registers(struct ptx_function *function, struct arena *arena);

// ---- outline.c: operands and tables name instruction i of before as places[i] now
void ptx_move_targets(struct ptx_operand *operands, uint32_t count, const uint32_t *places, struct arena *arena);

// ---- places.c
void ptx_place_registers(struct ptx_function *function); // after its blocks are known

#endif
