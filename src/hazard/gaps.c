// Writes beside the array that they are for: to bytes that belong to no array, between one and the next, whose
// alignment is larger; and into another array than the one that the address was made of. Nothing faults there, and the
// result may be as wanted, until somebody changes an array.
#include <stdlib.h>

#include "base/memory.h"
#include "hazard/internal.h"

static void add_gap(struct hazard_checker *checker, uint32_t from, uint32_t to)
{
    if (from < to && checker->gap_count < GAPS_MOST)
        checker->gaps[checker->gap_count++] = (struct shared_gap){from, to};
}

static void find_gaps(struct hazard_checker *checker)
{
    const struct ptx_shared_layout *layout = sim_program_shared(checker->program);
    uint32_t end = 0;
    for (uint32_t i = 0; i < layout->count; i++) {
        const struct ptx_shared_slot *slot = &layout->slots[i];
        add_gap(checker, end, slot->offset);
        if (slot->offset >= layout->dynamic_offset && slot->offset >= layout->static_size)
            return; // the launch says how much there is
        end = slot->offset + (uint32_t)slot->variable->size;
    }
}

// ---- of which array an address was made

enum { OF_NONE = 0, OF_SEVERAL = UINT16_MAX }; // of a register, and of an instruction's address; else the slot + 1

// One function. A register's array is that of all that is ever put into it.
struct arrays_pass {
    const struct ptx_shared_layout *layout;
    const struct ptx_function *function;
    uint16_t *of; // by register
    uint16_t now; // what the instruction at hand reads
    bool changed;
};

static uint16_t join_arrays(uint16_t a, uint16_t b)
{
    return a == OF_NONE || a == b ? b : b == OF_NONE ? a : OF_SEVERAL;
}

static uint16_t array_of_variable(const struct ptx_shared_layout *layout, const struct ptx_variable *variable)
{
    for (uint32_t i = 0; i < layout->count; i++)
        if (layout->slots[i].variable == variable)
            return i + 1 < OF_SEVERAL ? (uint16_t)(i + 1) : OF_SEVERAL;
    return OF_NONE;
}

static void join_read(void *context, uint32_t reg, bool written)
{
    struct arrays_pass *pass = context;
    if (!written)
        pass->now = join_arrays(pass->now, pass->of[reg]);
}

static void join_written(void *context, uint32_t reg, bool written)
{
    struct arrays_pass *pass = context;
    uint16_t of = join_arrays(pass->of[reg], pass->now);
    if (!written || of == pass->of[reg])
        return;
    pass->of[reg] = of;
    pass->changed = true;
}

// Whether its result is an address where its operands are: what is loaded or compared is none.
static bool passes_address_on(const struct ptx_inst *inst)
{
    switch (ptx_opcode_group(inst->op)) {
    case PTX_GROUP_INT:
    case PTX_GROUP_LOGIC:
    case PTX_GROUP_MOVE:
    case PTX_GROUP_WARP:
        return true;
    case PTX_GROUP_COMPARE:
        return inst->op == PTX_OP_SELP || inst->op == PTX_OP_SLCT;
    default:
        return false;
    }
}

static void pass_on(struct arrays_pass *pass, const struct ptx_inst *inst)
{
    if (!passes_address_on(inst))
        return;
    pass->now = OF_NONE;
    ptx_visit_registers(pass->function, inst, join_read, pass);
    for (uint32_t i = 0; i < inst->operand_count; i++) {
        const struct ptx_operand *operand = &pass->function->operands[inst->operands + i];
        if (operand->kind == PTX_OPERAND_VARIABLE)
            pass->now = join_arrays(pass->now, array_of_variable(pass->layout, operand->value.variable));
    }
    if (pass->now != OF_NONE)
        ptx_visit_registers(pass->function, inst, join_written, pass);
}

static uint16_t array_addressed(const struct arrays_pass *pass, const struct ptx_inst *inst)
{
    uint16_t of = OF_NONE;
    for (uint32_t i = 0; i < inst->operand_count; i++) {
        const struct ptx_operand *operand = &pass->function->operands[inst->operands + i];
        if (operand->kind == PTX_OPERAND_ADDRESS && operand->base_kind == PTX_OPERAND_REGISTER)
            of = join_arrays(of, pass->of[operand->value.reg]);
        else if (operand->kind == PTX_OPERAND_ADDRESS && operand->base_kind == PTX_OPERAND_VARIABLE)
            of = join_arrays(of, array_of_variable(pass->layout, operand->value.variable));
    }
    return of;
}

// Of each instruction of the function that begins at this one.
static void find_arrays(struct hazard_checker *checker, const struct ptx_function *function, uint32_t first_pc)
{
    struct arrays_pass pass = {.layout = sim_program_shared(checker->program),
                               .function = function,
                               .of = mem_alloc((function->register_count + 1) * sizeof *pass.of),
                               .changed = true};
    while (pass.changed) {
        pass.changed = false;
        for (uint32_t i = 0; i < function->inst_count; i++)
            pass_on(&pass, &function->insts[i]);
    }
    for (uint32_t i = 0; i < function->inst_count; i++)
        checker->array_of[first_pc + i] = array_addressed(&pass, &function->insts[i]);
    free(pass.of);
}

void gaps_find(struct hazard_checker *checker)
{
    find_gaps(checker);
    if (sim_program_shared(checker->program)->count < 2)
        return;
    uint32_t size = sim_program_size(checker->program);
    checker->array_of = mem_alloc(size * sizeof *checker->array_of);
    for (uint32_t pc = 0; pc < size; pc++) {
        const struct ptx_function *function;
        if (sim_program_inst(checker->program, pc, &function) == function->insts)
            find_arrays(checker, function, pc);
    }
}

// ---- during the run

// The array that the instruction's address was made of alone, if its size is known; else NULL.
static const struct ptx_shared_slot *array_meant(const struct hazard_checker *checker, uint32_t pc)
{
    uint16_t of = checker->array_of ? checker->array_of[pc] : OF_NONE;
    const struct ptx_shared_slot *slot =
        of == OF_NONE || of == OF_SEVERAL ? NULL : &sim_program_shared(checker->program)->slots[of - 1];
    return slot && slot->variable->size && !slot->variable->is_extern ? slot : NULL;
}

// Beside the array that it is for, where it is not in a gap. An atomic of one or two bytes is a swap of the word around
// them, which puts back what it found in the others: as at a gap.
static void check_array(struct hazard_state *state, const struct sim_access *access,
                        const struct ptx_shared_slot *meant)
{
    uint64_t end = meant->offset + meant->variable->size;
    FOR_LANES (lane, access->mask) {
        uint64_t first = access->addresses[lane], behind = first + access->bytes;
        bool is_swap = ptx_has(sim_program_inst(state->checker->program, access->pc, NULL), PTX_MOD_CAS);
        if ((first >= meant->offset && behind <= end) || (is_swap && first < end && behind > meant->offset))
            continue;
        find_in_shared(state, HAZARD_OTHER_ARRAY, access->pc, access->warp * SIM_LANES + lane, UINT32_MAX, UINT32_MAX,
                       first < meant->offset || first >= end ? first : end);
        return;
    }
}

void gaps_access(struct hazard_state *state, const struct sim_access *told)
{
    const struct hazard_checker *checker = state->checker;
    struct sim_spread spread;
    if (told->space != PTX_SHARED || told->kind == SIM_LOAD || told->kind == SIM_MATRIX_LOAD)
        return;
    const struct ptx_shared_slot *meant = array_meant(checker, told->pc);
    if (!checker->gap_count && !meant)
        return;
    const struct sim_access *access = sim_access_spread(told, &spread);
    bool is_in_gap = false;
    for (uint32_t i = 0; i < checker->gap_count; i++) {
        const struct shared_gap *gap = &checker->gaps[i];
        FOR_LANES (lane, access->mask) {
            uint64_t first = access->addresses[lane];
            if (first >= gap->to || first + access->bytes <= gap->from)
                continue;
            // An atomic of one or two bytes is a swap of the word around them, which puts back what it found in the
            // others.
            if (first < gap->from && ptx_has(sim_program_inst(checker->program, access->pc, NULL), PTX_MOD_CAS))
                continue;
            is_in_gap = true;
            find_in_shared(state, HAZARD_SHARED_GAP, access->pc, access->warp * SIM_LANES + lane, UINT32_MAX,
                           UINT32_MAX, first < gap->from ? gap->from : first);
        }
    }
    if (meant && !is_in_gap)
        check_array(state, access, meant);
}
