// What a person reads when a kernel does what hardware would stop.
#include <stdarg.h>
#include <stdio.h>

#include "sim/machine.h"

enum status sim_block_fault(struct exec *x, enum status status, const struct op *op, const struct warp *warp,
                            uint32_t lane, const char *format, ...)
{
    if (x->status != STATUS_OK)
        return x->status;
    char what[512], place[64] = "";
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    const char *file = "";
    uint32_t line = 0, thread[3], number = warp->first_thread + lane;
    const struct ptx_inst *inst = sim_program_inst(x->program, op_pc(x, op), NULL);
    if (inst)
        ptx_source(x->program->module, inst, x->launch->main_file, &file, &line);
    for (int axis = 0; axis < 3; axis++)
        thread[axis] = sim_thread_coordinate(x, number, (uint32_t)axis);
    if (line)
        snprintf(place, sizeof place, ", line %u", line);
    else if (inst)
        snprintf(place, sizeof place, ", PTX line %u", inst->text_line);
    const uint32_t *block = x->block->index;
    struct sim_result *result = x->result;
    result->pc = op_pc(x, op);
    result->ptx_line = inst ? inst->text_line : 0;
    memcpy(result->block, block, sizeof result->block);
    memcpy(result->thread, thread, sizeof thread);
    x->status = diagnostic_at(x->diagnostic, status, file, (int)line, 0, "block (%u,%u,%u) thread (%u,%u,%u) %s%s",
                              block[0], block[1], block[2], thread[0], thread[1], thread[2], what, place);
    return x->status;
}

const struct op *sim_fault_as(struct exec *x, enum sim_fault_kind kind, const struct op *op, uint32_t lane,
                              const char *format, ...)
{
    char what[512];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (x->status == STATUS_OK)
        x->result->fault = kind;
    sim_block_fault(x, STATUS_FAULT, op, x->warp, lane, "%s", what);
    x->fragment->op = op;
    return NULL;
}
