// Decoding: one PTX instruction into one struct op.
//
// opcodes.def says of each form of an opcode how its operands are read and what the machine does (struct handler); the
// functions it names stand in the file that executes them. What is wrong (a register of the wrong width) is reported
// once through decode_refuse and stops the program from being built. What the machine does not have ends the run when
// it is executed (decode_defer): no instruction is ever skipped.
#ifndef BANKSHOT_SIM_DECODE_H
#define BANKSHOT_SIM_DECODE_H

#include "ptx/arithmetic.h"
#include "sim/machine.h"

struct handler;
struct decoder {
    struct sim_program *program;
    struct function *function;
    const struct ptx_function *source;
    const struct ptx_inst *inst;
    struct op *op;
    const struct handler *handler;
    op_run *const *lanes;
    enum status status; // sticky
    struct diagnostic *diagnostic;
};

// The last column of opcodes.def. Before it is called, op has what the words mean in general (type, type2, rounding,
// flags), action (the handler's own and the form's choice), and the operands that the form describes.
typedef void decode_run(struct decoder *d);
struct handler {
    decode_run *decode;
    op_run *run;
    scalar_run *scalar;
    uint16_t lane; // enum lane_op
    uint8_t action;
};
decode_run decode_as_lane;   // LANE(name): a loop of lanes.def
decode_run decode_as_lanes;  // LANES(name): of four loops, by .ftz and .sat
decode_run decode_as_scalar; // SCALAR(name): scalar_name, one lane at a time
decode_run decode_as_run;    // RUN(name): run_name
decode_run decode_not_here;  // NOT_HERE: for a GPU

// Every function that opcodes.def names; BY(name) is decode_name.
#define LANE(...)
#define LANES(...)
#define SCALAR(name, ...) scalar_run scalar_##name;
#define RUN(name, ...) op_run run_##name;
#define BY(name, ...) decode_run decode_##name;
#define NOT_HERE
#define F(types, words, operands, handler) handler
#define F2(types, second, words, operands, handler) handler
#define X(name, text, group, summary, ...) __VA_ARGS__
#include "ptx/opcodes.def"
#undef X
#undef F2
#undef F
#undef NOT_HERE
#undef BY
#undef RUN
#undef SCALAR
#undef LANES
#undef LANE

struct machine_form {
    struct handler handler;
    const char *operands; // letters: decode_form
};

// Actions that opcodes.def names.
enum float_action {
    FLOAT_ADD,
    FLOAT_SUB,
    FLOAT_MUL,
    FLOAT_FMA,
    FLOAT_MIN,
    FLOAT_MAX,
    FLOAT_NEG,
    FLOAT_ABS,
    FLOAT_EX2,
    FLOAT_TANH,
    FLOAT_DIV,
    FLOAT_RCP,
    FLOAT_SQRT,
    FLOAT_RSQRT,
    FLOAT_SIN,
    FLOAT_COS,
    FLOAT_LG2
};
enum { CARRY_HIGH = 1, CARRY_BORROWS = 2, CARRY_IN = 4 };
enum barrier_action { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_AND, BARRIER_OR, BARRIER_POPC };
enum video_action {
    VIDEO_ADD,
    VIDEO_SUB,
    VIDEO_ABSDIFF,
    VIDEO_AVERAGE,
    VIDEO_MIN,
    VIDEO_MAX,
    VIDEO_SHL,
    VIDEO_SHR,
    VIDEO_SET,
    VIDEO_MAD
};
enum { MB_INIT, MB_INVAL, MB_EXPECT, MB_COMPLETE, MB_ARRIVE, MB_DROP, MB_COPIES };

// op->space of a memory instruction whose address is operand `number`; parameters in a frame are local memory.
void sim_decode_space(struct decoder *d, uint32_t number);
bool sim_may_be_global(const struct op *op);

// "mma.sync.m8n8k4 is not supported (PTX line 12): why"
void decode_refuse(struct decoder *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The same, of what is right PTX that this machine does not have: the run ends with this where it is executed.
void decode_defer(struct decoder *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline bool decode_has(const struct decoder *d, enum ptx_modifier modifier)
{
    return ptx_has(d->inst, modifier);
}
const struct ptx_operand *decode_operand(struct decoder *d, uint32_t number); // never NULL
enum ptx_type decode_type(struct decoder *d, uint32_t number);                // of the instruction

// Slot k of the op is operand `number`, a value of this type. decode_loose: the register may be wider than the type
// (ld, st, cvt).
void decode_source(struct decoder *d, uint32_t k, uint32_t number, enum ptx_type type);
void decode_loose(struct decoder *d, uint32_t k, uint32_t number, enum ptx_type type);
void decode_dest(struct decoder *d, uint32_t k, uint32_t number, enum ptx_type type);
uint32_t decode_predicate(struct decoder *d, uint32_t number); // its slot; op->extra: all ones if it is negated
void decode_group_count(struct decoder *d);                    // op->imm: operand 0, a constant
void decode_form(struct decoder *d, const char *letters);
// Of any operand, without an op's slot; wide and pred say what the slot is.
bool decode_in_frame(const struct decoder *d, const struct ptx_variable *variable);
uint32_t decode_slot(struct decoder *d, const struct ptx_operand *operand, enum ptx_type type, bool loose, bool *wide,
                     bool *pred);
uint32_t decode_pair(struct decoder *d, const struct ptx_operand *operand); // the predicate after '|', or a sink
void decode_pool_begin(struct sim_program *program);
uint32_t decode_constant(struct sim_program *program, uint64_t value, bool wide);
// op->list: the elements of operand `number` (one that is not a vector counts as one), each of this type; their number.
// wide: bit i set for an element, of the first 32, whose register has 64 bits.
uint32_t decode_list(struct decoder *d, uint32_t number, enum ptx_type type, bool loose, uint32_t *wide);
// Slot k is the base of address operand `number` and op->offset its offset; sets OP_ADDRESS64 for a 64-bit base.
void decode_address(struct decoder *d, uint32_t k, uint32_t number);
void decode_bulk_address(struct decoder *d, uint32_t k, uint32_t number, uint32_t *offset); // offset: below 2^31

// Of a .local variable or a function's .param variable: its byte offset in the frame.
uint32_t decode_frame_offset(struct decoder *d, const struct ptx_variable *variable);

void decode_scalar(struct decoder *d, scalar_run *run, uint32_t sources);
void decode_lane(struct decoder *d, enum lane_op lane);
enum sim_scope decode_scope(const struct decoder *d);
enum sim_order decode_order(const struct decoder *d);

#endif
