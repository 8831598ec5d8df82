// What becomes of the values that instructions load: told from the PTX, before the run.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hazard/internal.h"

// ---- registers of one instruction

struct register_use {
    uint32_t reg;
    bool reads, writes;
};

static void see_register(void *context, uint32_t reg, bool written)
{
    struct register_use *use = context;
    use->reads |= reg == use->reg && !written;
    use->writes |= reg == use->reg && written;
}

static struct register_use register_use(const struct ptx_function *function, const struct ptx_inst *inst, uint32_t reg)
{
    struct register_use use = {.reg = reg};
    ptx_visit_registers(function, inst, see_register, &use);
    return use;
}

// ---- paths

enum path_step { PATH_ON, PATH_ENDS, PATH_FOUND };
struct path {
    const struct ptx_function *function;
    enum path_step (*step)(const struct path *path, uint32_t inst);
    uint32_t reg, wanted; // what step looks for
    unsigned char *seen;  // by block
    uint32_t *open;       // blocks to look at
    uint32_t open_count;
};

static void path_open(struct path *path, uint32_t block)
{
    if (!path->seen[block])
        path->open[path->open_count++] = block;
    path->seen[block] = 1;
}

static void path_open_after(struct path *path, uint32_t number)
{
    const struct ptx_function *function = path->function;
    const struct ptx_block *block = &function->blocks[number];
    const struct ptx_inst *last = &function->insts[block->last];
    const struct ptx_table *table =
        last->op == PTX_OP_BRX_IDX ? function->operands[last->operands + 1].value.table : NULL;
    for (uint32_t i = 0; table && i < table->count; i++)
        path_open(path, function->block_of[table->targets[i]]);
    for (uint32_t i = 0; !table && i < block->successor_count; i++)
        path_open(path, block->successors[i]);
}

// Whether a way on from after instruction `from` comes to what step is looking for.
static bool path_finds(struct path *path, uint32_t from)
{
    const struct ptx_function *function = path->function;
    uint32_t block = function->block_of[from], at = from + 1;
    bool found = false, more = true;
    path->seen = mem_alloc(function->block_count);
    path->open = mem_alloc(function->block_count * sizeof *path->open);
    while (more && !found) {
        enum path_step step = PATH_ON;
        for (; at <= function->blocks[block].last && step == PATH_ON; at++)
            step = path->step(path, at);
        found = step == PATH_FOUND;
        if (step == PATH_ON)
            path_open_after(path, block);
        more = path->open_count > 0;
        block = more ? path->open[--path->open_count] : block;
        at = function->blocks[block].first;
    }
    free(path->seen);
    free(path->open);
    return found;
}

static enum path_step find_read(const struct path *path, uint32_t at)
{
    const struct ptx_inst *inst = &path->function->insts[at];
    struct register_use use = register_use(path->function, inst, path->reg);
    return use.reads ? PATH_FOUND : use.writes && inst->guard < 0 ? PATH_ENDS : PATH_ON;
}

static enum path_step find_place(const struct path *path, uint32_t at)
{
    return at == path->wanted ? PATH_FOUND : PATH_ON;
}

// ---- what is asked

static bool old_value_is_read(const struct ptx_function *function, uint32_t at)
{
    const struct ptx_operand *result = &function->operands[function->insts[at].operands];
    struct path path = {.function = function, .step = find_read, .reg = result->value.reg};
    if (result->kind == PTX_OPERAND_NONE)
        return false;
    return result->kind != PTX_OPERAND_REGISTER || path_finds(&path, at);
}

// The registers that hold what follows from one value, as far as they are followed.
struct followed {
    const struct ptx_inst *inst;
    uint32_t count, items[16];
    bool reads;
};

static void follow_read(void *context, uint32_t reg, bool written)
{
    struct followed *followed = context;
    for (uint32_t i = 0; i < followed->count && !written; i++)
        followed->reads |= followed->items[i] == reg;
}

static void follow_written(void *context, uint32_t reg, bool written)
{
    struct followed *followed = context;
    if (written && followed->count < sizeof followed->items / sizeof *followed->items)
        followed->items[followed->count++] = reg;
}

// The value decides, in its own block, whether a loop goes round: who waits for a flag reads it so. What a function
// answers may be looked at so by its caller.
static bool result_is_polled(const struct ptx_function *function, uint32_t at)
{
    const struct ptx_block *block = &function->blocks[function->block_of[at]];
    struct followed followed = {0};
    struct path path = {.function = function, .step = find_place, .wanted = at};
    ptx_visit_registers(function, &function->insts[at], follow_written, &followed);
    for (uint32_t i = at + 1; i <= block->last; i++) {
        const struct ptx_inst *inst = &function->insts[i];
        followed.reads = false;
        ptx_visit_registers(function, inst, follow_read, &followed);
        if (followed.reads && inst->op == PTX_OP_ST && !function->is_entry)
            return true;
        if (followed.reads && i == block->last && (inst->op == PTX_OP_BRA || inst->op == PTX_OP_BRX_IDX))
            return path_finds(&path, i);
        if (followed.reads)
            ptx_visit_registers(function, inst, follow_written, &followed);
    }
    return false;
}

static bool is_strong_load(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_LD &&
           (ptx_has(inst, PTX_MOD_VOLATILE) || ptx_has(inst, PTX_MOD_RELAXED) || ptx_has(inst, PTX_MOD_ACQUIRE));
}

unsigned char *values_traits(const struct sim_program *program)
{
    uint32_t size = sim_program_size(program);
    unsigned char *traits = mem_alloc(size);
    for (uint32_t pc = 0; pc < size; pc++) {
        const struct ptx_function *function;
        const struct ptx_inst *inst = sim_program_inst(program, pc, &function);
        uint32_t at = (uint32_t)(inst - function->insts);
        if (is_strong_load(inst) && result_is_polled(function, at))
            traits[pc] |= VALUE_POLLED;
        if (inst->op == PTX_OP_ATOM && ptx_has(inst, PTX_MOD_EXCH) && !old_value_is_read(function, at))
            traits[pc] |= VALUE_UNREAD;
    }
    return traits;
}
