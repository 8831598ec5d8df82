// Shared memory as ptxas lays it out (docs/hardware.md 3).
#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// What an entry reaches: functions to look at, and the shared variables found.
struct reach {
    const struct ptx_module *module;
    const struct ptx_function **functions; // found; those before done have been looked at
    size_t count, done, capacity;
    bool has_indirect_call;
    bool *seen; // by position in the module's functions
    const struct ptx_variable **variables;
    size_t variable_count, variable_capacity;
};

static void add_function(struct reach *reach, const struct ptx_function *function)
{
    if (reach->seen[function->index])
        return;
    reach->seen[function->index] = true;
    *mem_append(reach->functions, reach->capacity, reach->count) = function;
}

// What was found a moment ago is found again and again; the rest is sorted out in the end.
static bool was_just_found(const struct reach *reach, const struct ptx_variable *variable)
{
    enum { LATEST = 4 };
    for (size_t i = reach->variable_count; i-- > 0 && i + LATEST >= reach->variable_count;)
        if (reach->variables[i] == variable)
            return true;
    return false;
}

static void add_variable(struct reach *reach, const struct ptx_variable *variable)
{
    if (variable->space != PTX_SHARED || was_just_found(reach, variable))
        return;
    *mem_append(reach->variables, reach->variable_capacity, reach->variable_count) = variable;
}

static void look_at(struct reach *reach, const struct ptx_function *function)
{
    for (uint32_t i = 0; i < function->operand_count; i++) {
        const struct ptx_operand *operand = &function->operands[i];
        if (operand->kind == PTX_OPERAND_FUNCTION)
            add_function(reach, operand->value.function);
        else if (operand->kind == PTX_OPERAND_VARIABLE ||
                 (operand->kind == PTX_OPERAND_ADDRESS && operand->base_kind == PTX_OPERAND_VARIABLE))
            add_variable(reach, operand->value.variable);
    }
    for (uint32_t i = 0; i < function->inst_count; i++) {
        const struct ptx_inst *inst = &function->insts[i];
        reach->has_indirect_call |=
            inst->op == PTX_OP_CALL && function->operands[inst->operands + 1].kind == PTX_OPERAND_REGISTER;
    }
}

static void add_addressed(struct reach *reach, struct ptx_variable *const *variables, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < variables[i]->initializer_count; k++)
            if (variables[i]->initializers[k].function)
                add_function(reach, variables[i]->initializers[k].function);
}

// A call through a register may reach any function whose address is in the module's data.
static void add_table_functions(struct reach *reach)
{
    add_addressed(reach, reach->module->variables, reach->module->variable_count);
    for (uint32_t i = 0; i < reach->module->function_count; i++)
        add_addressed(reach, reach->module->functions[i]->variables, reach->module->functions[i]->variable_count);
}

static int by_order(const void *left, const void *right)
{
    const struct ptx_variable *const *a = left, *const *b = right;
    return ((*a)->order > (*b)->order) - ((*a)->order < (*b)->order);
}

static uint64_t round_up(uint64_t offset, uint32_t align)
{
    return (offset + align - 1) / align * align;
}

static void lay(struct ptx_shared_layout *layout, const struct ptx_variable *variable, uint64_t offset)
{
    layout->slots[layout->count++] = (struct ptx_shared_slot){variable, (uint32_t)offset};
}

static bool is_dynamic(const struct ptx_variable *variable)
{
    return variable->is_extern || variable->size == 0;
}

struct ptx_shared_layout ptx_shared_layout(const struct ptx_function *entry, struct arena *arena)
{
    struct reach reach = {.module = entry->module};
    struct ptx_shared_layout layout = {0};
    uint64_t size = 0, dynamic;
    uint32_t dynamic_align = 16;
    reach.seen = mem_alloc(entry->module->function_count + 1);
    add_function(&reach, entry);
    for (bool had_indirect = false; reach.done < reach.count;) {
        look_at(&reach, reach.functions[reach.done++]);
        if (reach.has_indirect_call && !had_indirect)
            add_table_functions(&reach);
        had_indirect = reach.has_indirect_call;
    }
    if (reach.variable_count)
        qsort(reach.variables, reach.variable_count, sizeof *reach.variables, by_order);
    size_t kept = 0;
    for (size_t i = 0; i < reach.variable_count; i++)
        if (i == 0 || reach.variables[i] != reach.variables[i - 1])
            reach.variables[kept++] = reach.variables[i];
    layout.slots = arena_alloc(arena, kept * sizeof *layout.slots + 1);
    for (size_t i = 0; i < kept; i++) {
        const struct ptx_variable *variable = reach.variables[i];
        if (is_dynamic(variable)) {
            dynamic_align = variable->align > dynamic_align ? variable->align : dynamic_align;
            continue;
        }
        uint64_t offset = round_up(size, variable->align ? variable->align : 1);
        lay(&layout, variable, offset);
        size = offset + variable->size;
    }
    dynamic = round_up(size, dynamic_align);
    for (size_t i = 0; i < kept; i++)
        if (is_dynamic(reach.variables[i]))
            lay(&layout, reach.variables[i], dynamic);
    layout.static_size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
    layout.dynamic_offset = dynamic > UINT32_MAX ? UINT32_MAX : (uint32_t)dynamic;
    free(reach.seen);
    free(reach.functions);
    free(reach.variables);
    return layout;
}
