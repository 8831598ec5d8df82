// PTX: a module as parsed from text (PTX ISA 8.x and 9.x, 64-bit addresses).
//
// ptx_parse reads untrusted text: any mistake is a diagnostic with line and column, never an exit or a crash. All
// memory of a module lives in its arena and goes with ptx_module_free. Nothing here executes anything. What an
// instruction holds and the names of its parts: ptx_inst.h.
#ifndef BANKSHOT_PTX_PTX_H
#define BANKSHOT_PTX_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diagnostic.h"
#include "ptx/ptx_inst.h"

struct arena;

struct ptx_register {
    const char *name;
    enum ptx_type type;
    uint8_t vector; // 1, or 2/4 for vector registers
    uint32_t place; // from 1; never needed while another one of its size, 4 or 8 bytes, with that place is; 0: its own
};

struct ptx_initializer { // an address inside a variable's initial data
    uint32_t offset;
    const struct ptx_variable *variable; // or
    const struct ptx_function *function;
    int64_t addend;
    bool generic;
    uint8_t size;  // bytes of the address stored here: 4 or 8, or 1 for mask forms such as 0xff00(x)
    uint8_t shift; // mask forms: bits that the address is shifted right first
};

struct ptx_variable {
    const char *name;
    enum ptx_space space;
    enum ptx_type type; // element type
    uint32_t align;     // bytes, power of two
    uint64_t size;      // bytes; 0 for an extern array of unknown size (dynamic shared memory)
    bool is_extern;
    const unsigned char *data; // size bytes of initial value, or NULL for zero
    const struct ptx_initializer *initializers;
    uint32_t initializer_count;
    uint32_t offset; // PARAM: byte offset in its block: the parameters', the results', or (declared in a body)
                     // the function's call_param_size bytes, where scopes that ended give room to later ones.
                     // Others: unset here.
    uint32_t index;  // position among the module's, or the function's, variables
    bool in_function;
    bool is_register; // PARAM: written as .reg. The body has a register of this name besides, filled where the
                      // function begins, or stored where it returns.
    uint32_t order;   // position among all declarations of the module text, its functions' included
};

struct ptx_table {
    const char *name;
    uint32_t *targets;                     // .branchtargets: instruction indices
    const struct ptx_function **functions; // .calltargets
    const struct ptx_function *prototype;  // .callprototype: a body-less function with params and results
    uint32_t count;
};

// A basic block: instructions [first, last]. It ends after bra, brx.idx, ret, exit, trap and a call that does not
// return, and before a branch target. successors[0] is the branch target, if any, then the fall-through.
// Leaving the function is not a successor, so a guarded ret has one and a ret none.
struct ptx_block {
    uint32_t first, last;
    uint32_t successors[2], successor_count; // brx.idx: successor_count = UINT32_MAX, see the table
    uint32_t post_dominator;                 // immediate; UINT32_MAX = the exit
    uint32_t meet;      // where lanes that part behind it meet again (meets.c); UINT32_MAX: nowhere
    uint32_t way;       // of the function's ways, where `meet` is not where all meet; UINT32_MAX: none
    uint32_t loop;      // the innermost that it belongs to; UINT32_MAX: none
    uint32_t behind[2]; // its number in the tree of post-dominators, and the last below it
};

// A place at which those lanes meet that do not leave the others on the way to where all meet.
struct ptx_way {
    uint32_t meet, outer;   // outer: where all meet
    const uint32_t *inside; // a bit for each block that leads to `meet` without passing `outer`
};

// Blocks that lead back to a header without passing it, which dominates them. Of several with one header: all.
struct ptx_loop {
    uint32_t header, parent; // parent: the loop around it; UINT32_MAX: none
    uint32_t first, last;    // its number in the tree of loops, and the last of those in it
    uint32_t latch;          // the only block that leads back; UINT32_MAX: there are several
    uint32_t meet;   // the first place outside that all its lanes come to, but for early returns; UINT32_MAX: none
    uint32_t follow; // where those meet that the latch leads out of it; UINT32_MAX: nowhere but at `meet`
};

struct ptx_function {
    const char *name;
    uint32_t index; // position among the module's functions
    bool is_entry, is_defined, is_noreturn;
    const struct ptx_module *module;
    struct ptx_variable *params, *results; // space PARAM; offsets laid out from 0 each
    uint32_t param_count, result_count;
    uint32_t param_size, result_size; // bytes of the two blocks
    uint32_t call_param_size;         // bytes of the .param variables of the body, see offset
    struct ptx_register *registers;
    uint32_t register_count;
    uint32_t places32, places64;     // that its registers share
    struct ptx_variable **variables; // .local .shared .param .const .global declared inside
    uint32_t variable_count;
    struct ptx_inst *insts; // never falls off its end: a ret is added where the text has none
    uint32_t inst_count;
    struct ptx_operand *operands;
    uint32_t operand_count;
    struct ptx_block *blocks;
    uint32_t block_count;
    struct ptx_loop *loops;
    uint32_t loop_count;
    struct ptx_way *ways;
    uint32_t way_count;
    uint32_t *block_of;                                     // block index of each instruction
    uint32_t maxntid[3], reqntid[3], minnctapersm, maxnreg; // 0 = not given
    bool explicit_cluster;
    uint32_t reqnctapercluster[3], maxclusterrank;
};

#define PTX_COPIED_MAPS "// tensor maps by value"

struct ptx_module {
    struct arena *arena;
    const char *name;   // as given to ptx_parse, for messages
    unsigned version;   // 10 * major + minor
    unsigned sm;        // 75, 80, 90 …
    char sm_suffix;     // 'a', 'f' or 0
    bool is_of_llvm;    // written by clang
    bool copies_maps;   // a tensor map in local memory is what the source says: it is no clang's that knows no
                        // __grid_constant__, or has a line PTX_COPIED_MAPS
    const char **files; // by .file index; NULL where unused
    uint32_t file_count;
    struct ptx_location *locations; // [0] is "none"
    uint32_t location_count;
    struct ptx_variable **variables;
    uint32_t variable_count;
    struct ptx_function **functions;
    uint32_t function_count;
    struct ptx_memo *memo; // ptx_keep
};

// text need not be terminated. *module is NULL unless STATUS_OK. Diagnostics: PARSE (malformed, with line and column
// of the PTX text), UNSUPPORTED (an opcode, type or directive not in our tables: names it and its line).
enum status ptx_parse(const char *name, const char *text, size_t length, struct ptx_module **module,
                      struct diagnostic *diagnostic);
// The same, but an instruction that is not in our tables is kept (PTX_OP_UNKNOWN): for code of others, whose kernels
// need not all reach it.
enum status ptx_parse_any(const char *name, const char *text, size_t length, struct ptx_module **module,
                          struct diagnostic *diagnostic);
void ptx_module_free(struct ptx_module *module);

// What others work out of a function of the module, once for all that run it: kept until the module is freed, which
// calls release for it. What release is tells kinds apart; NULL: there is none. ptx_keep is false where there is one
// already, or the function is not in the module's list: the value is still the caller's then. Any thread may ask.
typedef void ptx_release(void *value);
void *ptx_kept(const struct ptx_module *module, const struct ptx_function *function, ptx_release *release);
bool ptx_keep(const struct ptx_module *module, const struct ptx_function *function, ptx_release *release, void *value);

// For code that was compiled without optimisation: functions without a line of the source's main file, such as headers
// make of atomics and shuffles, are written out where they are called, with that call's line.
void ptx_write_out(struct ptx_module *module, const char *main_file);

// An entry by mangled name, by name as written in the source ("transpose", "tile<32, 1>", "add(float*, int)"), or NULL
// = the only one; those that cub and thrust bring along are no choice where there is another. USAGE when there is none
// or more than one; the message lists the kernels there are.
enum status ptx_find_entry(const struct ptx_module *module, const char *name, const struct ptx_function **entry,
                           struct diagnostic *diagnostic);
// "tile<32, 1>"; where the module has another kernel of that name with its parameters, mangled if that is too long
// (module may be NULL: neither).
char *ptx_entry_name(const struct ptx_module *module, const struct ptx_function *entry, char *name, size_t size);
bool ptx_is_library(const struct ptx_function *entry); // of cub or thrust
// "tile<32, 1>(float*, float const*, int)" of a mangled name, into text; the name itself if it is not mangled.
char *ptx_demangle(const char *name, char *text, size_t size);
// Its last word alone: "tile" of "scale(float*)::tile".
char *ptx_short_name(const char *name, char *text, size_t size);
const struct ptx_variable *ptx_find_variable(const struct ptx_module *module, const char *name);

// Tells of each register that an instruction writes, then of each that it reads: its guard, then operand by operand. An
// address is read, whatever happens to the memory there.
typedef void ptx_register_visit(void *context, uint32_t reg, bool written);
void ptx_visit_registers(const struct ptx_function *function, const struct ptx_inst *inst, ptx_register_visit *visit,
                         void *context);

// Whether lanes that leave the loop for that block will not come to its `follow`.
bool ptx_loop_bypasses(const struct ptx_function *function, uint32_t loop, uint32_t to);
// Whether lanes that go from one block to another leave a loop, or a way.
bool ptx_leaves(const struct ptx_function *function, uint32_t from, uint32_t to);
static inline bool ptx_way_has(const struct ptx_way *way, uint32_t block)
{
    return way->inside[block / 32] >> block % 32 & 1;
}
// Whether a block belongs to a loop, or to one in it. loop: its number, not UINT32_MAX.
bool ptx_loop_has(const struct ptx_function *function, uint32_t loop, uint32_t block);

// Two functions with the same number are the same program, with all that they call: whatever registers and variables
// are called, in whatever order values are computed, and wherever in the source they come from.
uint64_t ptx_signature(const struct ptx_function *function);

// The function without the instructions that decide neither what is executed nor where global memory is touched, in the
// arena, with the same parameters. Of a matrix product, its loops, barriers, copies, global loads and stores: run by
// one warp alone, with shared memory unset, it takes the same branches, unless they follow what came through memory.
// What it stores means nothing.
const struct ptx_function *ptx_outline(const struct ptx_function *function, struct arena *arena);
// By instruction, whether its results decide what is executed or which memory is touched, of any space. To be freed.
bool *ptx_decides(const struct ptx_function *function);
// Whether what is read from memory, but for parameters and constants, may decide that. True where others are called.
bool ptx_heeds_memory(const struct ptx_function *function);

// Where an instruction is in the learner's source: the innermost place of its inlining chain that lies in main_file, or
// the outermost place, in a header, where none does. 0/"" when unknown. main_file NULL: PTX whose source is not at
// hand: the outermost place, or else the line of the PTX itself.
void ptx_source(const struct ptx_module *module, const struct ptx_inst *inst, const char *main_file, const char **file,
                uint32_t *line);
bool ptx_is_file(const char *name, const char *main_file); // the names of their files are the same

// Shared memory of an entry as ptxas lays it out (docs/hardware.md 3): the static variables that it and the functions
// it can call use, in order of declaration, each at the next multiple of its own alignment; dynamic shared memory
// (extern arrays, all at one address) after them.
struct ptx_shared_slot {
    const struct ptx_variable *variable;
    uint32_t offset;
};
struct ptx_shared_layout {
    struct ptx_shared_slot *slots; // from the caller's arena
    uint32_t count;
    uint32_t static_size;    // bytes
    uint32_t dynamic_offset; // where dynamic shared memory starts
};
struct ptx_shared_layout ptx_shared_layout(const struct ptx_function *entry, struct arena *arena);

#endif
