// One PTX instruction: its opcode, types, modifiers and operands, and how they are written.
//
// Indices point into the arrays of the function that the instruction is in (ptx.h), or of its module where the comment
// says so; both own them. Opcodes, modifiers and special registers come from the tables *.def: a new one is a line
// there. The queries at the end never fail: a value outside its enum has the name "". The texts are constants.
#ifndef BANKSHOT_PTX_PTX_INST_H
#define BANKSHOT_PTX_PTX_INST_H

#include <stdbool.h>
#include <stdint.h>

struct ptx_function;
struct ptx_table;
struct ptx_variable;

// opcodes.def is the one table of opcodes and their forms (forms.h).
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
    PTX_GROUP_INT,
    PTX_GROUP_FLOAT,
    PTX_GROUP_LOGIC,
    PTX_GROUP_COMPARE,
    PTX_GROUP_MOVE,
    PTX_GROUP_MEMORY,
    PTX_GROUP_ATOMIC,
    PTX_GROUP_CONTROL,
    PTX_GROUP_SYNC,
    PTX_GROUP_WARP,
    PTX_GROUP_ASYNC,
    PTX_GROUP_MATRIX,
    PTX_GROUP_VIDEO,
    PTX_GROUP_TEXTURE,
    PTX_GROUP_MISC,
    PTX_GROUP_GPU_ONLY
};

enum ptx_type {
    PTX_TYPE_NONE,
    PTX_PRED,
    PTX_B8,
    PTX_B16,
    PTX_B32,
    PTX_B64,
    PTX_B128,
    PTX_U8,
    PTX_U16,
    PTX_U32,
    PTX_U64,
    PTX_S8,
    PTX_S16,
    PTX_S32,
    PTX_S64,
    PTX_F16,
    PTX_F16X2,
    PTX_BF16,
    PTX_BF16X2,
    PTX_TF32,
    PTX_F32,
    PTX_F64,
    PTX_U16X2,
    PTX_S16X2,
    PTX_F32X2,
    PTX_E4M3,
    PTX_E5M2,
    PTX_E4M3X2,
    PTX_E5M2X2,
    PTX_S4,
    PTX_U4,
    PTX_B1,
    PTX_E2M1X2,
    PTX_E2M3X2,
    PTX_E3M2X2,
    PTX_UE8M0X2,
    PTX_TYPE_COUNT
};

enum ptx_space {
    PTX_GENERIC, // no space written: a generic address
    PTX_GLOBAL,
    PTX_SHARED,
    PTX_LOCAL,
    PTX_PARAM,
    PTX_CONST,
    PTX_SHARED_CLUSTER // .shared::cluster
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
    PTX_OPERAND_NONE,     // '_' sink, or absent
    PTX_OPERAND_REGISTER, // value.reg
    PTX_OPERAND_SPECIAL,  // value.special
    PTX_OPERAND_INTEGER,  // value.bits: 64-bit two's complement
    PTX_OPERAND_FLOAT,    // value.bits: the IEEE double's bits for 0d and decimal literals, or the single's for 0f
    PTX_OPERAND_VARIABLE, // value.variable: its address (+ offset)
    PTX_OPERAND_FUNCTION, // value.function
    PTX_OPERAND_LABEL,    // value.target: instruction index in this function
    PTX_OPERAND_TABLE,    // value.table: a .branchtargets / .calltargets / .callprototype list
    PTX_OPERAND_ADDRESS,  // [base + offset]: base is a register, a variable, or absent (absolute offset);
                          // [map, {x, y}] is the address, then the vector as an operand of its own
    PTX_OPERAND_TEXT,     // value.text: an instruction that is not known, as written
    PTX_OPERAND_VECTOR    // {a, b, …}: function->operands[value.vector.first … + count)
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
    bool negated;    // '!p', or '-' in front of a register (not valid PTX; refused)
    bool is_single;  // FLOAT written as 0f…: bits hold an IEEE single
    uint8_t element; // 0 whole register; 1..4 = .x .y .z .w (vector-typed special registers too);
                     // the number n of %envreg<n>, %pm<n>
    union {
        uint32_t reg; // index into function->registers
        enum ptx_special special;
        uint64_t bits;
        const struct ptx_variable *variable;
        const struct ptx_function *function;
        uint32_t target;
        const struct ptx_table *table;
        const char *text;
        struct {
            uint32_t first, count;
        } vector;
    } value;
    // ADDRESS: base_kind is REGISTER (value.reg), VARIABLE (value.variable) or NONE; VARIABLE: offset too.
    enum ptx_operand_kind base_kind;
    int64_t offset;
    // "d|p" destination pairs (setp p|q, shfl d|p, match, elect, tex {…}|p): the part after '|'; -1 = none.
    int32_t pair_reg;
    // Video instructions: what stands behind the register. The digits of .b0, .h1, .h10, .b3210, four bits each, the
    // last one written lowest; how many there are; whether they count halves; whether there is a '-' before it.
    uint32_t selector;
};

enum { PTX_SELECTOR_COUNT = 16, PTX_SELECTOR_HALVES = 1 << 20, PTX_SELECTOR_MINUS = 1 << 21 };

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
    enum ptx_type types[4]; // in the order written (cvt: destination, source; setp: compared type …)
    uint8_t type_count;
    enum ptx_space space, space2; // space2: the second one of cp.async(.bulk) and cvta.to
    bool has_space;               // false: none written (generic)
    uint8_t vector;               // 1, 2, 4 or 8 elements (.v2 …)
    uint16_t modifiers[12];       // enum ptx_modifier
    uint8_t modifier_count;
    int32_t guard; // register index of the guarding predicate, -1 = none
    bool guard_negated;
    bool nounroll;        // .pragma "nounroll" stands in front of it
    uint8_t form, choice; // of the opcode's forms; which word of the group that the form marks
    uint8_t operand_count;
    uint32_t operands;  // first in function->operands
    uint32_t location;  // into module->locations; 0 = none
    uint32_t text_line; // line in the PTX text
};

bool ptx_has(const struct ptx_inst *inst, enum ptx_modifier modifier);
const char *ptx_opcode_name(enum ptx_opcode op);
const char *ptx_opcode_summary(enum ptx_opcode op); // the line for the docs
enum ptx_group ptx_opcode_group(enum ptx_opcode op);
bool ptx_only_computes(enum ptx_opcode op); // from registers of a lane to its registers: the groups INT to MOVE
bool ptx_is_block_barrier(enum ptx_opcode op);             // bar, barrier: also those that only arrive
bool ptx_orders(const struct ptx_inst *inst); // releases or acquires: fences, mbarrier.arrive, .acquire, .release
const char *ptx_type_name(enum ptx_type type);             // "f32"
unsigned ptx_type_size(enum ptx_type type);                // bytes; 0 for PRED, NONE and sub-byte types
const char *ptx_modifier_name(enum ptx_modifier modifier); // also of those without a name in C; "" behind the last
const char *ptx_special_name(enum ptx_special special);

#endif
