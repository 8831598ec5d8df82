// Building a program: which functions, where their registers and memory lie, one op for each instruction.
#include <stdlib.h>

#include "base/half.h"
#include "base/text.h"
#include "sim/decode.h"

enum {
    MAX_FUNCTIONS = 4096,
    MAX_CONSTANT_BYTES = SLOT_MASK / 2,
    MAX_REGISTER_BYTES = 8 << 20,
    MAX_PARAM_BYTES = 64 << 10,
    MAX_FRAME_BYTES = 64 << 20
};
static const uint64_t MAX_VARIABLE_BYTES = 1ull << 30;

// ---- functions

static uint32_t align_up(uint32_t value, uint32_t align)
{
    return (value + align - 1) / align * align;
}

static bool registers_fit(const struct function *function)
{
    return function->size32 <= MAX_REGISTER_BYTES && function->size64 <= MAX_REGISTER_BYTES &&
           function->size_pred <= MAX_REGISTER_BYTES;
}

static struct function *function_new(struct sim_program *program, const struct ptx_function *source)
{
    struct function *function = arena_alloc(program->arena, sizeof *function);
    function->source = source;
    function->slots = arena_alloc(program->arena, (source->register_count + 1) * sizeof *function->slots);
    // The first 64-bit register holds the frame's address; the first predicate and 32-bit one stay unused.
    function->local_slot = (uint32_t)BASE_R64 << SLOT_SHIFT;
    const uint32_t shared64 = R64_BYTES; // where the places begin that registers share; of 32 bits: at 0
    function->size64 = shared64 + source->places64 * R64_BYTES;
    function->size32 = source->places32 * R32_BYTES;
    for (uint32_t i = 0; i < source->register_count; i++) {
        const struct ptx_register *reg = &source->registers[i];
        if (!registers_fit(function))
            break;
        uint32_t *size = reg->type == PTX_PRED           ? &function->size_pred
                         : ptx_type_size(reg->type) >= 8 ? &function->size64
                                                         : &function->size32;
        enum slot_base base = reg->type == PTX_PRED ? BASE_PRED : ptx_type_size(reg->type) >= 8 ? BASE_R64 : BASE_R32;
        function->slots[i] = (uint32_t)base << SLOT_SHIFT | *size;
        if (reg->place) {
            uint32_t at = base == BASE_R64 ? shared64 + (reg->place - 1) * R64_BYTES : (reg->place - 1) * R32_BYTES;
            function->slots[i] = (uint32_t)base << SLOT_SHIFT | at;
            continue;
        }
        uint32_t bytes = base == BASE_PRED ? 4 : base == BASE_R64 ? R64_BYTES : R32_BYTES;
        if (ptx_type_size(reg->type) == 16)
            bytes *= 2;
        *size += bytes * (reg->vector > 1 ? reg->vector : 1);
    }
    function->params_at = align_up(source->result_size, 16);
    function->call_params_at = align_up(function->params_at + (source->is_entry ? 0 : source->param_size), 16);
    uint32_t at = align_up(function->call_params_at + source->call_param_size, 16), locals = at;
    function->local_offsets = arena_alloc(program->arena, (source->variable_count + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i < source->variable_count; i++) {
        const struct ptx_variable *variable = source->variables[i];
        if (variable->space != PTX_LOCAL)
            continue;
        at = align_up(at, variable->align ? variable->align : 1);
        function->local_offsets[variable->index] = at;
        at += variable->size < MAX_FRAME_BYTES ? (uint32_t)variable->size : MAX_FRAME_BYTES;
        if (at > MAX_FRAME_BYTES)
            break;
    }
    function->frame_size = align_up(at, 16);
    function->local_size = at - locals;
    return function;
}

static bool function_known(const struct sim_program *program, const struct ptx_function *source)
{
    for (uint32_t i = 0; i < program->function_count; i++)
        if (program->functions[i]->source == source)
            return true;
    return false;
}

// What one warp's registers, or one thread's stack, may take.
static bool function_fits(const struct function *function)
{
    const struct ptx_function *source = function->source;
    return registers_fit(function) && source->param_size <= MAX_PARAM_BYTES && source->result_size <= MAX_PARAM_BYTES &&
           source->call_param_size <= MAX_PARAM_BYTES && function->frame_size <= MAX_FRAME_BYTES;
}

static void function_reach(struct sim_program *program, const struct ptx_function *source, size_t *capacity)
{
    bool is_other_kernel = source && source->is_entry && source != program->entry; // launched, if at all, not called
    if (!source || !source->is_defined || is_other_kernel || function_known(program, source))
        return;
    mem_reserve(&program->functions, capacity, program->function_count);
    program->functions[program->function_count++] = function_new(program, source);
}

// The entry, and whatever an instruction or an initial value of the module names.
static void functions_reach(struct sim_program *program)
{
    size_t capacity = 0;
    const struct ptx_module *module = program->module;
    function_reach(program, program->entry, &capacity);
    for (uint32_t i = 0; i < module->variable_count; i++)
        for (uint32_t k = 0; k < module->variables[i]->initializer_count; k++)
            function_reach(program, module->variables[i]->initializers[k].function, &capacity);
    for (uint32_t i = 0; i < program->function_count && i < MAX_FUNCTIONS; i++) {
        const struct ptx_function *source = program->functions[i]->source;
        for (uint32_t k = 0; k < source->operand_count; k++)
            if (source->operands[k].kind == PTX_OPERAND_FUNCTION)
                function_reach(program, source->operands[k].value.function, &capacity);
    }
}

// ---- global variables

static struct sim_allocation *global_place(struct sim_program *program, const struct ptx_variable *variable)
{
    bool is_const = variable->space == PTX_CONST;
    struct sim_allocation *allocation = sim_memory_add(program->memory, variable->name, (size_t)variable->size, false);
    allocation->read_only = is_const;
    if (variable->align > 1)
        allocation->address = (allocation->address + variable->align - 1) / variable->align * variable->align;
    if (variable->data)
        memcpy(allocation->data, variable->data, (size_t)variable->size);
    return allocation;
}

static struct sim_allocation *global_of(const struct sim_program *program, const struct ptx_variable *variable)
{
    return variable->in_function ? program->function_globals[variable->order] : program->globals[variable->index];
}

struct sim_allocation *sim_program_variable(const struct sim_program *program, const struct ptx_variable *variable)
{
    return global_of(program, variable);
}

static uint64_t initializer_value(const struct sim_program *program, const struct ptx_initializer *initializer)
{
    uint64_t value = (uint64_t)initializer->addend;
    const struct ptx_variable *variable = initializer->variable;
    if (initializer->function) {
        for (uint32_t i = 0; i < program->function_count; i++)
            if (program->functions[i]->source == initializer->function)
                value += FUNCTION_HANDLE + 16 * (uint64_t)i;
    } else if (variable && (variable->space == PTX_GLOBAL || variable->space == PTX_CONST)) {
        const struct sim_allocation *allocation = global_of(program, variable);
        value += allocation ? allocation->address : 0;
    }
    return value >> initializer->shift;
}

static void global_initialize(struct sim_program *program, const struct ptx_variable *variable)
{
    struct sim_allocation *allocation = global_of(program, variable);
    for (uint32_t i = 0; allocation && i < variable->initializer_count; i++) {
        const struct ptx_initializer *initializer = &variable->initializers[i];
        uint64_t value = initializer_value(program, initializer);
        if (initializer->size <= 8 && initializer->offset + initializer->size <= allocation->size)
            memcpy(allocation->data + initializer->offset, &value, initializer->size);
    }
}

static void globals_place(struct sim_program *program)
{
    const struct ptx_module *module = program->module;
    uint32_t orders = 0;
    for (uint32_t f = 0; f < program->function_count; f++) {
        const struct ptx_function *source = program->functions[f]->source;
        for (uint32_t i = 0; i < source->variable_count; i++)
            if (source->variables[i]->order >= orders)
                orders = source->variables[i]->order + 1;
    }
    program->globals = mem_alloc((module->variable_count + 1) * sizeof *program->globals);
    program->function_globals = mem_alloc((orders + 1) * sizeof *program->function_globals);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < module->variable_count; i++) {
            const struct ptx_variable *variable = module->variables[i];
            if (variable->space != PTX_GLOBAL && variable->space != PTX_CONST)
                continue;
            if (pass)
                global_initialize(program, variable);
            else
                program->globals[variable->index] = global_place(program, variable);
        }
        for (uint32_t f = 0; f < program->function_count; f++) {
            const struct ptx_function *source = program->functions[f]->source;
            for (uint32_t i = 0; i < source->variable_count; i++) {
                const struct ptx_variable *variable = source->variables[i];
                if (variable->space != PTX_GLOBAL && variable->space != PTX_CONST)
                    continue;
                if (pass)
                    global_initialize(program, variable);
                else
                    program->function_globals[variable->order] = global_place(program, variable);
            }
        }
    }
}

// ---- instructions

#define LANE(name, ...)                                                                                                \
    {                                                                                                                  \
        .decode = decode_as_lane, .lane = LANE_##name, .action = (__VA_ARGS__ + 0)                                     \
    }
#define LANES(name)                                                                                                    \
    {                                                                                                                  \
        .decode = decode_as_lanes, .lane = LANE_##name                                                                 \
    }
#define SCALAR(name, ...)                                                                                              \
    {                                                                                                                  \
        .decode = decode_as_scalar, .scalar = scalar_##name, .action = (__VA_ARGS__ + 0)                               \
    }
#define RUN(name, ...)                                                                                                 \
    {                                                                                                                  \
        .decode = decode_as_run, .run = run_##name, .action = (__VA_ARGS__ + 0)                                        \
    }
#define BY(name, ...)                                                                                                  \
    {                                                                                                                  \
        .decode = decode_##name, .action = (__VA_ARGS__ + 0)                                                           \
    }
#define NOT_HERE                                                                                                       \
    {                                                                                                                  \
        .decode = decode_not_here                                                                                      \
    }
#define F(types, words, operands, handler) {handler, operands},
#define F2(types, second, words, operands, handler) {handler, operands},
#define X(name, text, group, summary, ...) static const struct machine_form forms_##name[] = {__VA_ARGS__};
#include "ptx/opcodes.def"
#undef X

static const struct machine_form *const forms[PTX_OP_COUNT] = {
#define X(name, text, group, summary, ...) [PTX_OP_##name] = forms_##name,
#include "ptx/opcodes.def"
#undef X
};

static const struct {
    uint8_t modifier;
    uint16_t flag;
} modifier_flags[] = {
    {PTX_MOD_FTZ, OP_FTZ}, {PTX_MOD_SAT, OP_SAT},       {PTX_MOD_RELU, OP_RELU},    {PTX_MOD_NAN_RESULT, OP_NAN},
    {PTX_MOD_ABS, OP_ABS}, {PTX_MOD_SATFINITE, OP_NAN}, {PTX_MOD_CC, OP_CARRY_OUT},
};

// What the words and types of every instruction mean alike.
static void decode_words(struct decoder *d)
{
    struct op *op = d->op;
    op->type = (uint8_t)decode_type(d, 0);
    op->type2 = (uint8_t)decode_type(d, 1);
    op->flags |= type_is_signed(decode_type(d, 0)) ? OP_SIGNED : 0;
    op->rounding = (uint8_t)ptx_rounding(d->inst);
    if (d->inst->op == PTX_OP_SELP || d->inst->op == PTX_OP_NANOSLEEP || d->inst->op == PTX_OP_MATCH_SYNC)
        op->flags |= OP_TELLS;
    for (size_t i = 0; i < sizeof modifier_flags / sizeof *modifier_flags; i++)
        if (decode_has(d, modifier_flags[i].modifier))
            op->flags |= modifier_flags[i].flag;
}

static bool program_too_large(const struct sim_program *program)
{
    return program->pool_size > MAX_CONSTANT_BYTES || program->warp_area > MAX_CONSTANT_BYTES;
}

static void decode_inst(struct decoder *d)
{
    const struct ptx_inst *inst = d->inst;
    d->op->guard = (uint32_t)BASE_POOL << SLOT_SHIFT;
    if (inst->guard >= 0) {
        struct ptx_operand guard = {.pair_reg = inst->guard};
        d->op->guard = decode_pair(d, &guard);
        d->op->guard_flip = inst->guard_negated ? UINT32_MAX : 0;
    }
    const struct machine_form *form = &forms[inst->op][inst->form];
    decode_words(d);
    d->op->action = (uint8_t)(form->handler.action + inst->choice);
    decode_form(d, form->operands);
    d->handler = &form->handler;
    d->handler->decode(d);
    if (d->status == STATUS_OK && !d->op->run)
        decode_refuse(d, "this form is not supported");
    if (d->status == STATUS_OK && program_too_large(d->program))
        decode_refuse(d, "the program has too many constants");
}

// Products of tiles are many fma.f32 in a row. What stands in one basic block is entered at any of them, but left
// behind the last.
static void find_runs(struct decoder *d)
{
    const struct ptx_function *source = d->source;
    struct op *ops = &d->program->ops[d->function->first_pc];
    uint32_t count = 0; // behind i
    for (uint32_t i = source->inst_count; i-- > 0;) {
        bool goes_on = i + 1 < source->inst_count && source->block_of[i] == source->block_of[i + 1];
        bool is_fma = ops[i].run == d->lanes[LANE_fma_f32] && source->insts[i].guard < 0;
        count = is_fma ? (goes_on ? count : 0) + 1 : 0;
        if (count > 1) {
            ops[i].run = d->lanes[LANE_fma_f32_run];
            ops[i].more = count - 1;
        }
    }
}

static enum status functions_decode(struct sim_program *program, struct diagnostic *diagnostic)
{
    struct decoder d = {.program = program, .diagnostic = diagnostic, .lanes = sim_lanes()};
    for (uint32_t f = 0; f < program->function_count && d.status == STATUS_OK; f++) {
        d.function = program->functions[f];
        d.source = d.function->source;
        for (uint32_t i = 0; i < d.source->inst_count && d.status == STATUS_OK; i++) {
            d.inst = &d.source->insts[i];
            d.op = &program->ops[d.function->first_pc + i];
            decode_inst(&d);
        }
        if (d.status == STATUS_OK)
            find_runs(&d);
    }
    return d.status;
}

static enum status variable_fits(const struct ptx_variable *variable, struct diagnostic *diagnostic)
{
    if ((variable->space != PTX_GLOBAL && variable->space != PTX_CONST) || variable->size <= MAX_VARIABLE_BYTES)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_LAUNCH,
                          "`%s` takes %llu bytes; the simulator gives a variable at most %llu", variable->name,
                          (unsigned long long)variable->size, (unsigned long long)MAX_VARIABLE_BYTES);
}

static enum status program_fits(const struct sim_program *program, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < program->module->variable_count && status == STATUS_OK; i++)
        status = variable_fits(program->module->variables[i], diagnostic);
    for (uint32_t f = 0; f < program->function_count && status == STATUS_OK; f++) {
        const struct ptx_function *source = program->functions[f]->source;
        if (!function_fits(program->functions[f]))
            status = diagnostic_set(diagnostic, STATUS_LAUNCH,
                                    "`%s` has more registers, parameters or local memory than the simulator gives a "
                                    "thread",
                                    source->name);
        for (uint32_t i = 0; i < source->variable_count && status == STATUS_OK; i++)
            status = variable_fits(source->variables[i], diagnostic);
    }
    return status;
}

static void workspace_place(struct sim_program *program)
{
    for (size_t i = 0; i < program->special_count && !program->grid_workspace; i++)
        if (program->specials[i].special == PTX_SPECIAL_ENVREG)
            program->grid_workspace = sim_memory_add(program->memory, "grid workspace", GRID_WORKSPACE_BYTES, false);
}

static bool is_strong_load(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_LD &&
           (ptx_has(inst, PTX_MOD_VOLATILE) || ptx_has(inst, PTX_MOD_RELAXED) || ptx_has(inst, PTX_MOD_ACQUIRE));
}

static bool reads_of_others(const struct ptx_inst *inst)
{
    bool is_elsewhere = inst->has_space && inst->space != PTX_GENERIC && inst->space != PTX_GLOBAL;
    return !is_elsewhere && (inst->op == PTX_OP_ATOM || is_strong_load(inst));
}

// An atomic or message of the cluster's scope: which blocks it is for, nobody can tell when they have ended.
static bool is_of_cluster(const struct ptx_inst *inst)
{
    bool is_elsewhere = inst->has_space && inst->space != PTX_GENERIC && inst->space != PTX_GLOBAL;
    bool is_access =
        inst->op == PTX_OP_ATOM || inst->op == PTX_OP_RED || inst->op == PTX_OP_LD || inst->op == PTX_OP_ST;
    return is_access && !is_elsewhere && ptx_has(inst, PTX_MOD_CLUSTER);
}

// It asks for what other warps of the block have done.
static bool may_poll(const struct sim_program *program)
{
    for (uint32_t pc = 0; pc < program->op_count; pc++) {
        const struct ptx_function *function;
        const struct ptx_inst *inst = sim_program_inst(program, pc, &function);
        bool asks = inst->op == PTX_OP_ATOM && program->ops[pc].flags & OP_POLL;
        if (is_strong_load(inst) ||
            (asks && function->blocks[function->block_of[inst - function->insts]].loop != UINT32_MAX))
            return true;
    }
    return false;
}

static bool may_hand_over(const struct sim_program *program)
{
    bool orders = false, reads = false, meets = false;
    for (uint32_t pc = 0; pc < program->op_count; pc++) {
        const struct ptx_inst *inst = sim_program_inst(program, pc, NULL);
        orders |= ptx_orders(inst);
        reads |= reads_of_others(inst);
        meets |= text_starts(ptx_opcode_name(inst->op), "barrier.cluster") || is_of_cluster(inst);
    }
    return (orders && reads) || meets;
}

static enum status program_decode(const struct ptx_module *module, const struct ptx_function *entry,
                                  struct sim_memory *memory, struct sim_program **out, struct diagnostic *diagnostic)
{
    *out = NULL;
    if (!entry->is_defined)
        return diagnostic_set(diagnostic, STATUS_USAGE, "`%s` is declared without a body", entry->name);
    struct sim_program *program = mem_alloc(sizeof *program);
    program->module = module;
    program->entry = entry;
    program->memory = memory;
    program->first_place = sim_memory_count(memory);
    program->arena = arena_new();
    program->warp_area = WARP_SPECIALS;
    decode_pool_begin(program);
    program->shared = ptx_shared_layout(entry, program->arena);
    functions_reach(program);
    for (uint32_t f = 0; f < program->function_count; f++) {
        program->functions[f]->first_pc = program->op_count;
        program->op_count += program->functions[f]->source->inst_count;
    }
    enum status status = program_fits(program, diagnostic);
    if (status == STATUS_OK) {
        program->ops = mem_alloc((program->op_count + 1) * sizeof *program->ops);
        globals_place(program);
        status = functions_decode(program, diagnostic);
        program->hands_over = may_hand_over(program);
        program->polls = may_poll(program);
    }
    if (status == STATUS_OK)
        *out = program;
    else
        sim_program_free(program);
    return status;
}

// ---- without the sums

static bool adds_floats(const struct ptx_inst *inst)
{
    bool sum = inst->op == PTX_OP_ADD || inst->op == PTX_OP_SUB || inst->op == PTX_OP_MUL || inst->op == PTX_OP_MAD;
    return inst->op == PTX_OP_FMA || (sum && type_is_float(inst->types[0]));
}

static bool multiplies_matrices(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_MMA || inst->op == PTX_OP_WMMA_MMA || inst->op == PTX_OP_WGMMA_MMA;
}

static void skim(struct sim_program *program)
{
    const struct ptx_function *entry = program->entry;
    if (program->function_count != 1) // what a call gives may decide
        return;
    bool *decides = ptx_decides(entry);
    for (uint32_t i = 0; i < entry->inst_count; i++) {
        struct op *op = &program->ops[program->functions[0]->first_pc + i];
        if (!decides[i] && multiplies_matrices(&entry->insts[i]))
            op->flags |= OP_IDLE;
        else if (!decides[i] && adds_floats(&entry->insts[i]))
            op->run = run_nothing;
    }
    free(decides);
}

// ---- kept beside the module

static void free_decoded(void *program)
{
    sim_program_free(program);
}

// Others may borrow what this one decoded.
static void program_keep(struct sim_program *program)
{
    struct sim_program *kept = mem_alloc(sizeof *kept);
    *kept = *program;
    kept->memory = NULL;
    kept->globals = kept->function_globals = NULL;
    program->borrows = ptx_keep(program->module, program->entry, free_decoded, kept);
    if (!program->borrows)
        free(kept);
}

// NULL: nothing is kept, or variables would lie elsewhere than they did.
static struct sim_program *program_borrow(const struct ptx_module *module, const struct ptx_function *entry,
                                          struct sim_memory *memory)
{
    const struct sim_program *kept = ptx_kept(module, entry, free_decoded);
    if (!kept || kept->first_place != sim_memory_count(memory))
        return NULL;
    struct sim_program *program = mem_alloc(sizeof *program);
    *program = *kept;
    program->borrows = true;
    program->memory = memory;
    globals_place(program);
    return program;
}

enum status sim_program_new(const struct ptx_module *module, const struct ptx_function *entry,
                            struct sim_memory *memory, struct sim_program **program, struct diagnostic *diagnostic)
{
    *program = entry->is_defined ? program_borrow(module, entry, memory) : NULL;
    enum status status = *program ? STATUS_OK : program_decode(module, entry, memory, program, diagnostic);
    if (status == STATUS_OK && !(*program)->borrows)
        program_keep(*program);
    if (status == STATUS_OK)
        workspace_place(*program);
    return status;
}

enum status sim_program_skimming(const struct ptx_module *module, const struct ptx_function *entry,
                                 struct sim_memory *memory, struct sim_program **program, struct diagnostic *diagnostic)
{
    enum status status = program_decode(module, entry, memory, program, diagnostic);
    if (status != STATUS_OK)
        return status;
    skim(*program);
    workspace_place(*program);
    return status;
}

void sim_program_free(struct sim_program *program)
{
    if (!program)
        return;
    if (!program->borrows) {
        arena_free(program->arena);
        free(program->functions);
        free(program->ops);
        free(program->pool);
        free(program->pool_index);
        free(program->specials);
    }
    free(program->globals);
    free(program->function_globals);
    free(program);
}
