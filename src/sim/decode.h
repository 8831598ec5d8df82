// Decoding: one PTX instruction into one struct op.
//
// Every group of opcodes has a decode function in the file that executes it; program.c calls it by opcodes.def's
// group. A decode function sets op->run and the operand slots. Mistakes (a register of the wrong width, a modifier
// that the machine does not know) are reported once through decode_refuse and stop the program from being built: no
// instruction is ever skipped.
#ifndef BANKSHOT_SIM_DECODE_H
#define BANKSHOT_SIM_DECODE_H

#include "sim/machine.h"

struct decoder {
    struct sim_program *program;
    struct function *function;
    const struct ptx_function *source;
    const struct ptx_inst *inst;
    struct op *op;
    op_run *const *lanes;
    enum status status; // sticky
    struct diagnostic *diagnostic;
};

// One for each group of opcodes.def.
void sim_decode_int(struct decoder *d);
void sim_decode_float(struct decoder *d);
void sim_decode_logic(struct decoder *d);
void sim_decode_compare(struct decoder *d);
void sim_decode_move(struct decoder *d);
void sim_decode_memory(struct decoder *d);
void sim_decode_atomic(struct decoder *d);
void sim_decode_control(struct decoder *d);
void sim_decode_sync(struct decoder *d);
void sim_decode_warp(struct decoder *d);
void sim_decode_async(struct decoder *d);
void sim_decode_matrix(struct decoder *d);
void sim_decode_video(struct decoder *d);
void sim_decode_misc(struct decoder *d);
void sim_decode_cvt(struct decoder *d);         // of the group MOVE
void sim_decode_mbarrier(struct decoder *d);    // of the group SYNC
void sim_decode_bulk(struct decoder *d);        // of the group ASYNC
void sim_decode_async_store(struct decoder *d); // st.async, red.async
enum atom_action sim_atom_action(struct decoder *d);
// op->space of a memory instruction whose address is operand `number`; parameters in a frame are local memory.
void sim_decode_space(struct decoder *d, uint32_t number);
bool sim_may_be_global(const struct op *op);

// "mma.sync.m8n8k4 is not supported (PTX line 12): why"
void decode_refuse(struct decoder *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline bool decode_has(const struct decoder *d, enum ptx_modifier modifier)
{
    return ptx_has(d->inst, modifier);
}
const struct ptx_operand *decode_operand(struct decoder *d, uint32_t number); // never NULL
enum ptx_type decode_type(struct decoder *d, uint32_t number);                // of the instruction

bool type_is_wide(enum ptx_type type); // its registers are 64 bits wide
bool type_is_signed(enum ptx_type type);
bool type_is_float(enum ptx_type type); // f32, f64
bool type_is_half(enum ptx_type type);  // f16, bf16 and their pairs

// Slot k of the op is operand `number`, a value of this type. decode_loose: the register may be wider than the type
// (ld, st, cvt).
void decode_source(struct decoder *d, uint32_t k, uint32_t number, enum ptx_type type);
void decode_loose(struct decoder *d, uint32_t k, uint32_t number, enum ptx_type type);
void decode_dest(struct decoder *d, uint32_t k, uint32_t number, enum ptx_type type);
bool decode_negation(struct decoder *d, uint32_t number);
// Of any operand, without an op's slot; wide and pred say what the slot is.
bool decode_in_frame(const struct decoder *d, const struct ptx_variable *variable);
uint32_t decode_slot(struct decoder *d, const struct ptx_operand *operand, enum ptx_type type, bool loose, bool *wide,
                     bool *pred);
uint32_t decode_pair(struct decoder *d, const struct ptx_operand *operand); // the predicate after '|', or a sink
void decode_pool_begin(struct sim_program *program);
uint32_t decode_constant(struct sim_program *program, uint64_t value, bool wide);
// op->list: the elements of operand `number` (one that is not a vector counts as one), each of this type; their number.
// wide: bit i set for an element whose register has 64 bits.
uint32_t decode_list(struct decoder *d, uint32_t number, enum ptx_type type, bool loose, uint32_t *wide);
// Slot k is the base of address operand `number` and op->offset its offset; sets OP_ADDRESS64 for a 64-bit base.
void decode_address(struct decoder *d, uint32_t k, uint32_t number);

// Of a .local variable or a function's .param variable: its byte offset in the frame.
uint32_t decode_frame_offset(struct decoder *d, const struct ptx_variable *variable);

void decode_scalar(struct decoder *d, scalar_run *run, uint32_t sources);
// Rounding .rz .rm .rp: wraps what op->run is so far, if it is not a scalar.
void decode_rounding(struct decoder *d);
void decode_lane(struct decoder *d, enum lane_op lane);
enum sim_scope decode_scope(const struct decoder *d);
enum sim_order decode_order(const struct decoder *d);

#endif
