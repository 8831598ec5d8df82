// Decoding of branches, calls and ends; exec.c runs them.
#include "sim/decode.h"

static const struct op *op_at(const struct decoder *d, uint32_t inst)
{
    return d->program->ops + d->function->first_pc + inst;
}

static uint32_t block_here(const struct decoder *d)
{
    return d->source->block_of[d->inst - d->source->insts];
}

// Lanes that come to a kernel's end are gone, and nobody waits there for the others: masks may name them, votes and
// barriers do without them.
static bool is_kernels_end(const struct decoder *d, uint32_t inst)
{
    const struct ptx_inst *end = &d->source->insts[inst];
    bool ends = end->op == PTX_OP_EXIT || (end->op == PTX_OP_RET && d->source->is_entry);
    return ends && end->guard < 0;
}

// Where the lanes that part here meet again.
static const struct op *meeting_place(const struct decoder *d)
{
    uint32_t meet = d->source->blocks[block_here(d)].meet;
    bool is_none = meet == UINT32_MAX || is_kernels_end(d, d->source->blocks[meet].first);
    return is_none ? NULL : op_at(d, d->source->blocks[meet].first);
}

// Whether the way to that instruction leads away from a place where others meet.
static bool leads_away(const struct decoder *d, uint32_t to)
{
    return to < d->source->inst_count && ptx_leaves(d->source, block_here(d), d->source->block_of[to]);
}

void decode_bra(struct decoder *d)
{
    const struct ptx_operand *to = decode_operand(d, 0);
    if (to->kind != PTX_OPERAND_LABEL || to->value.target >= d->source->inst_count) {
        decode_refuse(d, "its target is not a label");
        return;
    }
    d->op->target = op_at(d, to->value.target);
    d->op->join = meeting_place(d);
    d->op->flags |= leads_away(d, to->value.target) ? OP_LEAVES : 0;
    d->op->flags |=
        d->inst->guard >= 0 && leads_away(d, (uint32_t)(d->inst - d->source->insts) + 1) ? OP_LEAVES_BELOW : 0;
    d->op->run = sim_run_bra;
}

// targets: the table's, then the meeting place; extra: their number
void decode_brx(struct decoder *d)
{
    const struct ptx_operand *operand = decode_operand(d, 1);
    decode_source(d, 1, 0, PTX_U32);
    if (operand->kind != PTX_OPERAND_TABLE || !operand->value.table->targets) {
        decode_refuse(d, "its targets are not a table of labels");
        return;
    }
    const struct ptx_table *table = operand->value.table;
    const struct op **targets = arena_alloc(d->program->arena, (table->count + 1) * sizeof *targets);
    for (uint32_t i = 0; i < table->count; i++) {
        if (table->targets[i] >= d->source->inst_count) {
            decode_refuse(d, "a target lies outside the function");
            return;
        }
        targets[i] = op_at(d, table->targets[i]);
        d->op->flags |= leads_away(d, table->targets[i]) ? OP_LEAVES : 0;
    }
    d->op->flags |=
        d->inst->guard >= 0 && leads_away(d, (uint32_t)(d->inst - d->source->insts) + 1) ? OP_LEAVES_BELOW : 0;
    targets[table->count] = meeting_place(d);
    d->op->targets = targets;
    d->op->extra = table->count;
    d->op->run = sim_run_brx;
}

// ---- calls

static bool value_outside(struct decoder *d, const struct ptx_operand *operand, const struct ptx_variable *formal,
                          struct call_value *value)
{
    value->offset = formal->offset;
    if (formal->size > UINT32_MAX / 2) {
        decode_refuse(d, "a parameter of %llu bytes", (unsigned long long)formal->size);
        return false;
    }
    value->size = (uint32_t)formal->size;
    if (operand->kind == PTX_OPERAND_VARIABLE && operand->value.variable->space == PTX_PARAM &&
        decode_in_frame(d, operand->value.variable)) {
        value->in_memory = true;
        value->at = decode_frame_offset(d, operand->value.variable);
        if (operand->value.variable->size < formal->size) {
            decode_refuse(d, "`%s` is smaller than the parameter it is passed for", operand->value.variable->name);
            return false;
        }
        return true;
    }
    enum ptx_type type = formal->type;
    if (operand->kind != PTX_OPERAND_REGISTER && operand->kind != PTX_OPERAND_INTEGER &&
        operand->kind != PTX_OPERAND_FLOAT) {
        decode_refuse(d, "an argument of this kind is not understood");
        return false;
    }
    value->slot = decode_slot(d, operand, type, true, &value->wide, &value->pred);
    if (value->size > (value->wide ? 8u : 4u)) {
        decode_refuse(d, "a register is passed for %u bytes", value->size);
        return false;
    }
    if (operand->kind == PTX_OPERAND_REGISTER && value->wide && value->size < 8) { // PTX ISA 7.1: the types must match
        decode_refuse(d, "a register of 8 bytes is passed for %u bytes", value->size);
        return false;
    }
    return true;
}

static uint32_t decode_values(struct decoder *d, uint32_t number, const struct ptx_variable *formals, uint32_t count,
                              struct call_value **values)
{
    const struct ptx_operand *list = decode_operand(d, number);
    uint32_t have = list->kind == PTX_OPERAND_VECTOR ? list->value.vector.count : 0;
    if (have > count) {
        decode_refuse(d, "%u values where the callee has %u", have, count);
        return 0;
    }
    *values = arena_alloc(d->program->arena, (have + 1) * sizeof **values);
    for (uint32_t i = 0; i < have; i++)
        if (!value_outside(d, &d->source->operands[list->value.vector.first + i], &formals[i], &(*values)[i]))
            return 0;
    return have;
}

// What the system would have to provide.
static void refuse_callee(struct decoder *d, const char *name)
{
    static const struct {
        const char *start, *what;
    } known[] = {
        {"cudaGraph", "controls a graph from the device (a conditional node), which needs a GPU"},
        {"__cudaCDP2GetParameterBuffer", "launches a kernel from the device (dynamic parallelism), which needs a GPU"},
        {"__cudaCDP2LaunchDevice", "launches a kernel from the device (dynamic parallelism), which needs a GPU"},
        {"__cudaCDP2", "is of the device's runtime (dynamic parallelism), which needs a GPU"},
        {"cudaLaunchDevice", "launches a kernel from the device (dynamic parallelism), which needs a GPU"},
        {"cudaGetParameterBuffer", "launches a kernel from the device (dynamic parallelism), which needs a GPU"},
        {"cudaDeviceSynchronize",
         "waits for kernels launched from the device (dynamic parallelism), which needs a GPU"},
        {"cudaCGSynchronize", "waits for a multi-device group, which needs GPUs"},
        {"cudaStream", "uses a stream from the device (dynamic parallelism), which needs a GPU"},
        {"cudaEvent", "uses an event from the device (dynamic parallelism), which needs a GPU"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strncmp(name, known[i].start, strlen(known[i].start))) {
            decode_defer(d, "`%s` %s", name, known[i].what);
            return;
        }
    decode_defer(d, "`%s` has no body, and is not one of the functions that the machine provides", name);
}

void decode_call(struct decoder *d)
{
    struct call_site *site = arena_alloc(d->program->arena, sizeof *site);
    const struct ptx_operand *callee = decode_operand(d, 1), *table = decode_operand(d, 3);
    const struct ptx_function *shape = NULL;
    d->op->call = site;
    d->op->run = sim_run_call;
    if (callee->kind == PTX_OPERAND_FUNCTION) {
        shape = callee->value.function;
        for (uint32_t i = 0; i < d->program->function_count; i++)
            if (d->program->functions[i]->source == shape)
                site->callee = d->program->functions[i];
        if (!site->callee) {
            site->builtin = sim_builtin(shape->name);
            if (site->builtin == BUILTIN_NONE)
                return refuse_callee(d, shape->name);
            if (site->builtin != BUILTIN_ASSERTFAIL)
                d->program->ordered = true;
        }
    } else {
        decode_source(d, 1, 1, PTX_B64);
        if (table->kind == PTX_OPERAND_TABLE)
            shape = table->value.table->prototype                                ? table->value.table->prototype
                    : table->value.table->count && table->value.table->functions ? table->value.table->functions[0]
                                                                                 : NULL;
        if (!shape)
            decode_refuse(d, "an indirect call needs a prototype");
    }
    if (d->status != STATUS_OK)
        return;
    site->result_count = decode_values(d, 0, shape->results, shape->result_count, &site->results);
    site->argument_count = decode_values(d, 2, shape->params, shape->param_count, &site->arguments);
}

const struct op *run_trap(struct exec *x, const struct op *op, uint32_t mask)
{
    bool wants_grid = x->program->grid_workspace && !x->launch->shape.cooperative;
    return sim_fault_as(x, SIM_FAULT_TRAP, op, lane_first(mask), "executes trap%s",
                        wants_grid ? ": the kernel synchronises its grid (this_grid().sync()), which a cooperative "
                                     "launch alone can (cudaLaunchCooperativeKernel; trace --cooperative)"
                                   : "");
}

const struct op *run_brkpt(struct exec *x, const struct op *op, uint32_t mask)
{
    return sim_fault(x, op, lane_first(mask), "stops at a breakpoint, but there is no debugger");
}
