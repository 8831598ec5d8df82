// PTX: a module as parsed from text (PTX ISA 8.x and 9.x, 64-bit addresses).
//
// ptx_parse reads untrusted text: any mistake is a diagnostic with line and column, never an exit or a crash. All
// memory of a module lives in its arena and goes with ptx_module_free. Nothing here executes anything.
#ifndef BANKSHOT_PTX_PTX_H
#define BANKSHOT_PTX_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diagnostic.h"

struct arena;

// opcodes.def is the one table: X(NAME, "mnemonic", min_operands, max_operands, types, group, "one line for the
// docs").
// An opcode is the longest dotted prefix found in the table ("cp.async", "mma.sync", "ld", …); what follows it is
// modifiers and types. Opcodes of group GPU_ONLY parse, with modifiers of any name, for the driver to compile.
enum ptx_opcode {
    PTX_OP_INVALID,
#define X(name, ...) PTX_OP_##name,
#include "ptx/opcodes.def"
#undef X
    PTX_OP_COUNT
};

enum ptx_group {
    PTX_GROUP_INT, PTX_GROUP_FLOAT, PTX_GROUP_LOGIC, PTX_GROUP_COMPARE, PTX_GROUP_MOVE, PTX_GROUP_MEMORY,
    PTX_GROUP_ATOMIC, PTX_GROUP_CONTROL, PTX_GROUP_SYNC, PTX_GROUP_WARP, PTX_GROUP_ASYNC, PTX_GROUP_MATRIX,
    PTX_GROUP_VIDEO, PTX_GROUP_MISC, PTX_GROUP_GPU_ONLY
};

enum ptx_type {
    PTX_TYPE_NONE,
    PTX_PRED,
    PTX_B8, PTX_B16, PTX_B32, PTX_B64, PTX_B128,
    PTX_U8, PTX_U16, PTX_U32, PTX_U64,
    PTX_S8, PTX_S16, PTX_S32, PTX_S64,
    PTX_F16, PTX_F16X2, PTX_BF16, PTX_BF16X2, PTX_TF32, PTX_F32, PTX_F64,
    PTX_U16X2, PTX_S16X2, PTX_F32X2,
    PTX_E4M3, PTX_E5M2, PTX_E4M3X2, PTX_E5M2X2,
    PTX_S4, PTX_U4, PTX_B1,
    PTX_E2M1X2, PTX_E2M3X2, PTX_E3M2X2, PTX_UE8M0X2,
    PTX_TYPE_COUNT
};

enum ptx_space {
    PTX_GENERIC,           // no space written: a generic address
    PTX_GLOBAL, PTX_SHARED, PTX_LOCAL, PTX_PARAM, PTX_CONST,
    PTX_SHARED_CLUSTER     // .shared::cluster
};

// Every dotted word after the opcode that is neither a type, a space nor a vector width, in the order written.
// .shared::cta is the space SHARED; .param::entry and .param::func are the space PARAM and the modifier as well.
enum ptx_modifier {
    PTX_MOD_NONE,
#define M(name, text) PTX_MOD_##name,
#include "ptx/modifiers.def"
#undef M
    PTX_MOD_COUNT
};

enum ptx_operand_kind {
    PTX_OPERAND_NONE,      // '_' sink, or absent
    PTX_OPERAND_REGISTER,  // value.reg
    PTX_OPERAND_SPECIAL,   // value.special
    PTX_OPERAND_INTEGER,   // value.bits: 64-bit two's complement
    PTX_OPERAND_FLOAT,     // value.bits: the IEEE double's bits for 0d and decimal literals, or the single's for 0f
    PTX_OPERAND_VARIABLE,  // value.variable: its address (+ offset)
    PTX_OPERAND_FUNCTION,  // value.function
    PTX_OPERAND_LABEL,     // value.target: instruction index in this function
    PTX_OPERAND_TABLE,     // value.table: a .branchtargets / .calltargets / .callprototype list
    PTX_OPERAND_ADDRESS,   // [base + offset]: base is a register, a variable, or absent (absolute offset);
                           // [map, {x, y}] is the address, then the vector as an operand of its own
    PTX_OPERAND_VECTOR     // {a, b, …}: function->operands[value.vector.first … + count)
};

enum ptx_special {
    PTX_SPECIAL_NONE,
#define S(name, text, type) PTX_SPECIAL_##name,
#include "ptx/specials.def"
#undef S
    PTX_SPECIAL_COUNT
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated;          // '!p', or '-' in front of a register (not valid PTX; refused)
    bool is_single;        // FLOAT written as 0f…: bits hold an IEEE single
    uint8_t element;       // 0 whole register; 1..4 = .x .y .z .w (vector-typed special registers too);
                           // 5..8 = .b0 … .b3, 9, 10 = .h0 .h1 (video); the number n of %envreg<n>, %pm<n>
    union {
        uint32_t reg;      // index into function->registers
        enum ptx_special special;
        uint64_t bits;
        const struct ptx_variable *variable;
        const struct ptx_function *function;
        uint32_t target;
        const struct ptx_table *table;
        struct {
            uint32_t first, count;
        } vector;
    } value;
    // ADDRESS: base_kind is REGISTER (value.reg), VARIABLE (value.variable) or NONE; VARIABLE: offset too.
    enum ptx_operand_kind base_kind;
    int64_t offset;
    // "d|p" destination pairs (setp p|q, shfl d|p, match, elect): the part after '|'; -1 = none.
    int32_t pair_reg;
};

struct ptx_location {
    uint32_t file;         // index into module->files from .file; 0 = none
    uint32_t line, column; // 0 = unknown
    int32_t inlined_at;    // index into module->locations of the call site, or -1
};

// call always has four operands: results (VECTOR, or NONE if there are none), callee (FUNCTION or REGISTER), arguments
// (VECTOR or NONE), targets or prototype (TABLE or NONE). Elements of the vectors are VARIABLEs of space PARAM,
// registers or literals. brx.idx has the index and a TABLE.
struct ptx_inst {
    enum ptx_opcode op;
    enum ptx_type types[4];                // in the order written (cvt: destination, source; setp: compared type …)
    uint8_t type_count;
    enum ptx_space space, space2;          // space2: the second one of cp.async(.bulk) and cvta.to
    bool has_space;                        // false: none written (generic)
    uint8_t vector;                        // 1, 2, 4 or 8 elements (.v2 …)
    uint8_t modifiers[12], modifier_count; // enum ptx_modifier
    int32_t guard;                         // register index of the guarding predicate, -1 = none
    bool guard_negated;
    uint8_t operand_count;
    uint32_t operands;                     // first in function->operands
    uint32_t location;                     // into module->locations; 0 = none
    uint32_t text_line;                    // line in the PTX text
};

struct ptx_register {
    const char *name;
    enum ptx_type type;
    uint8_t vector;        // 1, or 2/4 for vector registers
};

struct ptx_initializer {   // an address inside a variable's initial data
    uint32_t offset;
    const struct ptx_variable *variable;   // or
    const struct ptx_function *function;
    int64_t addend;
    bool generic;
    uint8_t size;          // bytes of the address stored here: 4 or 8, or 1 for mask forms such as 0xff00(x)
    uint8_t shift;         // mask forms: bits that the address is shifted right first
};

struct ptx_variable {
    const char *name;
    enum ptx_space space;
    enum ptx_type type;    // element type
    uint32_t align;        // bytes, power of two
    uint64_t size;         // bytes; 0 for an extern array of unknown size (dynamic shared memory)
    bool is_extern;
    const unsigned char *data;             // size bytes of initial value, or NULL for zero
    const struct ptx_initializer *initializers;
    uint32_t initializer_count;
    uint32_t offset;       // PARAM: byte offset in its block: the parameters', the results', or (declared in a body)
                           // the function's call_param_size bytes, where scopes that ended give room to later ones.
                           // Others: unset here.
    uint32_t index;        // position among the module's, or the function's, variables
    bool in_function;
    uint32_t order;        // position among all declarations of the module text, its functions' included
};

struct ptx_table {
    const char *name;
    uint32_t *targets;                     // .branchtargets: instruction indices
    const struct ptx_function **functions; // .calltargets
    const struct ptx_function *prototype;  // .callprototype: a body-less function with params and results
    uint32_t count;
};

// A basic block: instructions [first, last]. It ends behind bra, brx.idx, ret, exit, trap and a call that does not
// return, and before a branch target. successors[0] is the branch target, if any, then the fall-through.
// Leaving the function is no successor, so a guarded ret has one and a ret none.
struct ptx_block {
    uint32_t first, last;
    uint32_t successors[2], successor_count;   // brx.idx: successor_count = UINT32_MAX, see the table
    uint32_t post_dominator;                   // immediate; UINT32_MAX = the exit
};

struct ptx_function {
    const char *name;
    uint32_t index;                            // position among the module's functions
    bool is_entry, is_defined, is_noreturn;
    const struct ptx_module *module;
    struct ptx_variable *params, *results;     // space PARAM; offsets laid out from 0 each
    uint32_t param_count, result_count;
    uint32_t param_size, result_size;          // bytes of the two blocks
    uint32_t call_param_size;                  // bytes of the .param variables of the body, see offset
    struct ptx_register *registers;
    uint32_t register_count;
    struct ptx_variable *variables;            // .local .shared .param .const .global declared inside
    uint32_t variable_count;
    struct ptx_inst *insts;                    // never falls off its end: a ret is added where the text has none
    uint32_t inst_count;
    struct ptx_operand *operands;
    uint32_t operand_count;
    struct ptx_block *blocks;
    uint32_t block_count;
    uint32_t *block_of;                        // block index of each instruction
    uint32_t maxntid[3], reqntid[3], minnctapersm, maxnreg;   // 0 = not given
    bool explicit_cluster;
    uint32_t reqnctapercluster[3], maxclusterrank;
};

struct ptx_module {
    struct arena *arena;
    const char *name;                          // as given to ptx_parse, for messages
    unsigned version;                          // 10 * major + minor
    unsigned sm;                               // 75, 80, 90 …
    char sm_suffix;                            // 'a', 'f' or 0
    const char **files;                        // by .file index; NULL where unused
    uint32_t file_count;
    struct ptx_location *locations;            // [0] is "none"
    uint32_t location_count;
    struct ptx_variable *variables;
    uint32_t variable_count;
    struct ptx_function **functions;
    uint32_t function_count;
};

// text need not be terminated. *module is NULL unless STATUS_OK. Diagnostics: PARSE (malformed, with line and column
// of the PTX text), UNSUPPORTED (an opcode, type or directive not in our tables: names it and its line).
enum status ptx_parse(const char *name, const char *text, size_t length, struct ptx_module **module,
                      struct diagnostic *diagnostic);
void ptx_module_free(struct ptx_module *module);

// An entry by mangled name, by name as written in the source ("transpose", "tile<32, 1>"), or NULL = the only one.
// USAGE when there is none or more than one; the message lists the kernels there are.
enum status ptx_find_entry(const struct ptx_module *module, const char *name, const struct ptx_function **entry,
                           struct diagnostic *diagnostic);
// "tile<32, 1>(float*, float const*, int)" of a mangled name, into text; the name itself if it is not mangled.
char *ptx_demangle(const char *name, char *text, size_t size);
const struct ptx_variable *ptx_find_variable(const struct ptx_module *module, const char *name);

// Where an instruction stands in the learner's source: the innermost place of its inlining chain that lies in
// main_file (matched by its last path component; NULL = the outermost place). 0/"" when unknown.
void ptx_source(const struct ptx_module *module, const struct ptx_inst *inst, const char *main_file, const char **file,
                uint32_t *line);

bool ptx_has(const struct ptx_inst *inst, enum ptx_modifier modifier);
const char *ptx_opcode_name(enum ptx_opcode op);
const char *ptx_opcode_summary(enum ptx_opcode op);    // the line for the docs
enum ptx_group ptx_opcode_group(enum ptx_opcode op);
const char *ptx_group_name(enum ptx_group group);      // "GPU_ONLY"
const char *ptx_type_name(enum ptx_type type);         // "f32"
unsigned ptx_type_size(enum ptx_type type);            // bytes; 0 for PRED, NONE and sub-byte types
const char *ptx_modifier_name(enum ptx_modifier modifier);
const char *ptx_special_name(enum ptx_special special);

// Shared memory of an entry as ptxas lays it out (HARDWARE.md 3): the static variables that it and the functions it
// can call use, in order of declaration, each at a multiple of 16 or of its own alignment; dynamic shared memory
// (extern arrays, all at one address) behind them.
struct ptx_shared_slot {
    const struct ptx_variable *variable;
    uint32_t offset;
};
struct ptx_shared_layout {
    struct ptx_shared_slot *slots;             // from the caller's arena
    uint32_t count;
    uint32_t static_size;                      // bytes
    uint32_t dynamic_offset;                   // where dynamic shared memory starts
};
struct ptx_shared_layout ptx_shared_layout(const struct ptx_function *entry, struct arena *arena);

#endif
