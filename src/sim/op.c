// What others ask of a decoded program: which instruction stands where, and what it shares and asks for.
#include "sim/machine.h"

uint32_t sim_program_size(const struct sim_program *program)
{
    return program->op_count;
}

const struct ptx_inst *sim_program_inst(const struct sim_program *program, uint32_t pc,
                                        const struct ptx_function **function)
{
    for (uint32_t f = program->function_count; f-- > 0;) {
        const struct function *in = program->functions[f];
        if (pc >= in->first_pc && pc - in->first_pc < in->source->inst_count) {
            if (function)
                *function = in->source;
            return &in->source->insts[pc - in->first_pc];
        }
    }
    return NULL;
}

uint32_t sim_program_pc(const struct sim_program *program, const struct ptx_function *function, uint32_t inst)
{
    for (uint32_t f = 0; f < program->function_count; f++)
        if (program->functions[f]->source == function && inst < function->inst_count)
            return program->functions[f]->first_pc + inst;
    return UINT32_MAX;
}

const struct ptx_shared_layout *sim_program_shared(const struct sim_program *program)
{
    return &program->shared;
}

const struct sim_allocation *sim_program_grid_workspace(const struct sim_program *program)
{
    return program->grid_workspace;
}

bool sim_program_hands_over(const struct sim_program *program)
{
    return program->hands_over;
}

bool sim_program_uses_reserved(const struct sim_program *program)
{
    for (size_t i = 0; i < program->special_count; i++)
        switch (program->specials[i].special) {
        case PTX_SPECIAL_RESERVED_SMEM_OFFSET_BEGIN:
        case PTX_SPECIAL_RESERVED_SMEM_OFFSET_END:
        case PTX_SPECIAL_RESERVED_SMEM_OFFSET_CAP:
        case PTX_SPECIAL_RESERVED_SMEM_OFFSET_0:
        case PTX_SPECIAL_RESERVED_SMEM_OFFSET_1:
            return true;
        default:
            break;
        }
    return false;
}
