// What becomes of the values that instructions load: told from the PTX, before the run.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "hazard/internal.h"

enum {
    VALUE_USES = 64,  // of one load; with more it is not doubted
    VALUE_COPIES = 4, // of what an exchange gives back
    VALUE_DEPTH = 4   // instructions between a load and the selp that takes what was made of it
};

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

// ---- where registers are used

struct touch {
    uint32_t at, reg; // the instruction, the register
    bool writes;
};

struct use {
    uint32_t at;
    bool reads, writes;
};

// Of a function, what ptx_visit_registers tells, found once.
struct uses {
    struct touch *touches; // by instruction
    size_t count, capacity;
    uint32_t now;            // the instruction at hand
    struct use *items;       // by register: its instructions in order, each once
    size_t *first;           // of a register's items
    uint32_t *register_uses; // how many these are
};

static void uses_touch(void *context, uint32_t reg, bool written)
{
    struct uses *uses = context;
    *mem_append(uses->touches, uses->capacity, uses->count) = (struct touch){uses->now, reg, written};
}

static void uses_sort(struct uses *uses, const struct ptx_function *function)
{
    uses->first = mem_alloc((function->register_count + 2) * sizeof *uses->first);
    uses->register_uses = mem_alloc((function->register_count + 1) * sizeof *uses->register_uses);
    uses->items = mem_alloc((uses->count + 1) * sizeof *uses->items);
    for (size_t i = 0; i < uses->count; i++)
        uses->first[uses->touches[i].reg + 1]++;
    for (uint32_t reg = 0; reg < function->register_count; reg++)
        uses->first[reg + 1] += uses->first[reg];
    for (size_t i = 0; i < uses->count; i++) {
        const struct touch *touch = &uses->touches[i];
        struct use *items = uses->items + uses->first[touch->reg];
        uint32_t *count = &uses->register_uses[touch->reg];
        if (!*count || items[*count - 1].at != touch->at)
            items[(*count)++].at = touch->at;
        items[*count - 1].writes |= touch->writes;
        items[*count - 1].reads |= !touch->writes;
    }
}

static struct uses uses_find(const struct ptx_function *function)
{
    struct uses uses = {0};
    for (; uses.now < function->inst_count; uses.now++)
        ptx_visit_registers(function, &function->insts[uses.now], uses_touch, &uses);
    uses_sort(&uses, function);
    return uses;
}

static void uses_free(struct uses *uses)
{
    free(uses->touches);
    free(uses->items);
    free(uses->first);
    free(uses->register_uses);
}

// The first of a register's behind the instruction; its number among them.
static uint32_t uses_behind(const struct uses *uses, uint32_t reg, uint32_t at)
{
    const struct use *items = uses->items + uses->first[reg];
    uint32_t low = 0, high = uses->register_uses[reg];
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (items[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// ---- paths

enum path_step { PATH_ON, PATH_ENDS, PATH_FOUND };
struct path {
    const struct ptx_function *function;
    enum path_step (*step)(const struct path *path, uint32_t inst);
    uint32_t reg, wanted;    // what step looks for
    const struct uses *uses; // NULL: looked up
    void *context;
    unsigned char *seen; // by block
    uint32_t *open;      // blocks to look at
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

static struct register_use path_use(const struct path *path, uint32_t at)
{
    if (!path->uses)
        return register_use(path->function, &path->function->insts[at], path->reg);
    const struct use *items = path->uses->items + path->uses->first[path->reg];
    uint32_t next = uses_behind(path->uses, path->reg, at);
    bool is_one = next > 0 && items[next - 1].at == at;
    return (struct register_use){path->reg, is_one && items[next - 1].reads, is_one && items[next - 1].writes};
}

static enum path_step find_read(const struct path *path, uint32_t at)
{
    const struct ptx_inst *inst = &path->function->insts[at];
    struct register_use use = path_use(path, at);
    return use.reads ? PATH_FOUND : use.writes && inst->guard < 0 ? PATH_ENDS : PATH_ON;
}

static enum path_step find_place(const struct path *path, uint32_t at)
{
    return at == path->wanted ? PATH_FOUND : PATH_ON;
}

// ---- what is asked

static bool value_is_read(const struct ptx_function *function, uint32_t at, uint32_t copies);

// A copy that nobody reads is no use.
static enum path_step find_use(const struct path *path, uint32_t at)
{
    const struct ptx_inst *inst = &path->function->insts[at];
    uint32_t copies = *(const uint32_t *)path->context;
    enum path_step step = find_read(path, at);
    bool copy = step == PATH_FOUND && inst->op == PTX_OP_MOV && inst->guard < 0 && copies;
    if (!copy || value_is_read(path->function, at, copies - 1))
        return step;
    return register_use(path->function, inst, path->reg).writes ? PATH_ENDS : PATH_ON;
}

// Whether anything but so many copies, one of the other, reads what the instruction writes.
static bool value_is_read(const struct ptx_function *function, uint32_t at, uint32_t copies)
{
    const struct ptx_operand *result = &function->operands[function->insts[at].operands];
    struct path path = {.function = function, .step = find_use, .reg = result->value.reg, .context = &copies};
    if (result->kind == PTX_OPERAND_NONE)
        return false;
    return result->kind != PTX_OPERAND_REGISTER || path_finds(&path, at);
}

// The registers that hold what follows from one value, as far as they are followed.
struct followed {
    const struct ptx_inst *inst;
    uint32_t count, items[16];
    bool reads;
    uint32_t at; // the instruction that was looked at last
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

// ---- doubted loads

struct search {
    struct values *values;
    const struct uses *where;
    const struct ptx_function *function;
    uint32_t first_pc; // of the function
    struct doubted *doubted;
    uint32_t uses[VALUE_USES], use_count; // instructions that make use of it
    uint32_t depth;
};

static bool search_keeps(struct search *search, uint32_t reg)
{
    struct doubted *doubted = search->doubted;
    for (uint32_t i = 0; i < doubted->count; i++)
        if (doubted->registers[i] == reg)
            return true;
    if (doubted->count == VALUE_REGISTERS)
        return false;
    doubted->registers[doubted->count++] = reg;
    return true;
}

static bool search_uses(struct search *search, uint32_t at)
{
    if (search->use_count == VALUE_USES)
        return false;
    search->uses[search->use_count++] = at;
    return true;
}

// A way on that ends, or writes the register, without having read it. What reads it on the others is a use.
static enum path_step find_unread(const struct path *path, uint32_t at)
{
    const struct ptx_inst *inst = &path->function->insts[at];
    struct register_use use = path_use(path, at);
    bool leaves = inst->op == PTX_OP_RET || inst->op == PTX_OP_EXIT || (use.writes && inst->guard < 0);
    return use.reads ? PATH_ENDS : leaves ? PATH_FOUND : PATH_ON;
}

static enum path_step collect_reads(const struct path *path, uint32_t at)
{
    enum path_step step = find_read(path, at);
    if (step == PATH_FOUND && !search_uses(path->context, at))
        return PATH_FOUND;
    return step == PATH_FOUND ? PATH_ENDS : step;
}

static bool doubts_result(struct search *search, uint32_t at, uint32_t reg);

// Of the instruction at `at`, which reads the value: false if that is a use for all lanes that come here. A selp takes
// the value for some; a guard lets some use it.
static bool doubts_reader(struct search *search, uint32_t at, uint32_t reg)
{
    const struct ptx_inst *inst = &search->function->insts[at];
    const struct ptx_operand *operands = &search->function->operands[inst->operands];
    if (inst->op == PTX_OP_SELP || inst->guard >= 0)
        return search_uses(search, at);
    if (!makes_only_a_value(inst) || operands->kind != PTX_OPERAND_REGISTER || operands->value.reg == reg ||
        operands->pair_reg >= 0 || search->depth == VALUE_DEPTH)
        return false;
    search->depth++;
    bool doubts = doubts_result(search, at, operands->value.reg);
    search->depth--;
    return doubts;
}

// Whether some lanes may make no use of the register that the instruction at `at` writes. What is made of a loaded
// value must be gone at the end of the block.
static bool doubts_result(struct search *search, uint32_t at, uint32_t reg)
{
    const struct ptx_function *function = search->function;
    uint32_t last = function->blocks[function->block_of[at]].last;
    if (!search_keeps(search, reg))
        return false;
    for (uint32_t i = uses_behind(search->where, reg, at); i < search->where->register_uses[reg]; i++) {
        const struct use *use = &search->where->items[search->where->first[reg] + i];
        if (use->at > last)
            break;
        if (use->reads && !doubts_reader(search, use->at, reg))
            return false;
        if (use->writes && function->insts[use->at].guard < 0)
            return true;
    }
    struct path path = {.function = function, .step = find_read, .reg = reg, .uses = search->where, .context = search};
    if (search->depth)
        return !path_finds(&path, last);
    path.step = find_unread;
    bool leaves = function->insts[last].op == PTX_OP_RET || function->insts[last].op == PTX_OP_EXIT;
    if (!leaves && !path_finds(&path, last))
        return false;
    path.step = collect_reads;
    return !path_finds(&path, last);
}

static bool doubts_load(struct search *search, uint32_t at)
{
    const struct ptx_inst *inst = &search->function->insts[at];
    const struct ptx_operand *result = &search->function->operands[inst->operands];
    bool doubts = true;
    uint32_t count = result->kind == PTX_OPERAND_VECTOR ? result->value.vector.count : 1;
    for (uint32_t i = 0; i < count && doubts; i++) {
        const struct ptx_operand *part = result;
        if (result->kind == PTX_OPERAND_VECTOR)
            part = &search->function->operands[result->value.vector.first + i];
        if (part->kind == PTX_OPERAND_REGISTER)
            doubts = doubts_result(search, at, part->value.reg);
    }
    return doubts;
}

static void values_doubt(struct values *values, const struct uses *where, const struct ptx_function *function,
                         uint32_t pc, uint32_t at)
{
    struct doubted doubted = {0};
    struct search search = {values, where, function, pc - at, &doubted, {0}, 0, 0};
    if (!doubts_load(&search, at) || !search.use_count) // a load that nothing ever uses was wanted as it is
        return;
    values->traits[pc] |= VALUE_DOUBTED;
    *(struct doubted *)map_add(&values->doubted, pc, NULL) = doubted;
    if (!values->uses)
        values->uses = mem_alloc(sim_program_size(values->program));
    for (uint32_t i = 0; i < search.use_count; i++)
        values->uses[search.first_pc + search.uses[i]] = 1;
}

// ---- bit-fields

// The instruction that reads what `at` writes to reg: the only one that does, behind the only one that writes it, in
// one basic block and always. False: there is none such.
static bool next_of(const struct ptx_function *function, const struct uses *where, uint32_t reg, uint32_t *at)
{
    const struct use *items = where->items + where->first[reg];
    bool is_one = where->register_uses[reg] == 2 && items[0].at == *at && !items[0].reads && !items[1].writes;
    uint32_t block = function->block_of[*at];
    *at = is_one ? items[1].at : *at;
    return is_one && function->block_of[*at] == block && function->insts[*at].guard < 0;
}

static bool is_written_between(const struct uses *where, uint32_t reg, uint32_t from, uint32_t to)
{
    const struct use *items = where->items + where->first[reg];
    bool is_written = false;
    for (uint32_t i = 0; i < where->register_uses[reg]; i++)
        is_written |= items[i].writes && items[i].at >= from && items[i].at <= to;
    return is_written;
}

static bool stores_back(const struct ptx_function *function, const struct uses *where, uint32_t load, uint32_t store)
{
    const struct ptx_inst *from = &function->insts[load], *to = &function->insts[store];
    const struct ptx_operand *read = &function->operands[from->operands + 1];
    const struct ptx_operand *written = &function->operands[to->operands];
    bool is_same = to->op == PTX_OP_ST && to->space == from->space && to->type_count == from->type_count &&
                   ptx_type_size(to->types[0]) == ptx_type_size(from->types[0]) && read->kind == PTX_OPERAND_ADDRESS &&
                   written->kind == PTX_OPERAND_ADDRESS && read->base_kind == written->base_kind &&
                   read->offset == written->offset;
    if (is_same && read->base_kind == PTX_OPERAND_VARIABLE)
        return read->value.variable == written->value.variable;
    return is_same && read->base_kind == PTX_OPERAND_REGISTER && read->value.reg == written->value.reg &&
           !is_written_between(where, read->value.reg, load, store);
}

// To fill a bit-field, compilers load the word, keep the other bits (and, with a constant), put those of the field
// beside them (or), and store it; or all in one (bfi). C++ reads nothing there. What only clears bits, or only sets
// some, may be an update, which does read.
static bool is_put_back(const struct ptx_function *function, const struct uses *where, uint32_t load)
{
    const struct ptx_operand *operands = &function->operands[function->insts[load].operands];
    uint32_t at = load;
    bool keeps = false, fills = false;
    while (operands[0].kind == PTX_OPERAND_REGISTER && next_of(function, where, operands[0].value.reg, &at)) {
        const struct ptx_inst *inst = &function->insts[at];
        uint32_t reg = operands[0].value.reg;
        operands = &function->operands[inst->operands];
        bool is_rest = inst->op == PTX_OP_BFI && operands[2].kind == PTX_OPERAND_REGISTER &&
                       operands[2].value.reg == reg && operands[3].kind == PTX_OPERAND_INTEGER &&
                       operands[4].kind == PTX_OPERAND_INTEGER;
        if (inst->op == PTX_OP_AND && operands[2].kind == PTX_OPERAND_INTEGER && !fills)
            keeps = true;
        else if (inst->op == PTX_OP_OR && keeps)
            fills = true;
        else if (is_rest)
            keeps = fills = true;
        else
            return fills && stores_back(function, where, load, at);
    }
    return false;
}

// ---- what stored values are made of

enum { MADE_OF = VALUE_OF_DATA | VALUE_OF_THREAD | VALUE_OF_BLOCK };

static unsigned char special_origins(enum ptx_special special)
{
    switch (special) {
    case PTX_SPECIAL_NTID:
    case PTX_SPECIAL_NCTAID:
        return 0;
    case PTX_SPECIAL_CTAID:
        return VALUE_OF_BLOCK;
    case PTX_SPECIAL_TID:
    case PTX_SPECIAL_LANEID:
        return VALUE_OF_THREAD;
    default:
        return VALUE_OF_DATA;
    }
}

// What an instruction adds to that. Loads bring data, except of the kernel's own parameters and of constants.
static unsigned char instruction_origins(const struct ptx_function *function, const struct ptx_inst *inst)
{
    enum ptx_group group = ptx_opcode_group(inst->op);
    unsigned char origins = 0;
    bool parameter = inst->has_space && inst->space == PTX_PARAM && function->is_entry;
    if (inst->op == PTX_OP_LD)
        return parameter || (inst->has_space && inst->space == PTX_CONST) ? 0 : VALUE_OF_DATA;
    if (group != PTX_GROUP_INT && group != PTX_GROUP_FLOAT && group != PTX_GROUP_LOGIC && group != PTX_GROUP_MOVE &&
        group != PTX_GROUP_COMPARE)
        return VALUE_OF_DATA;
    for (uint32_t i = 1; i < inst->operand_count; i++) {
        const struct ptx_operand *operand = &function->operands[inst->operands + i];
        if (operand->kind == PTX_OPERAND_SPECIAL)
            origins |= special_origins(operand->value.special);
    }
    return origins;
}

static unsigned char stored_origins(const struct ptx_function *function, const struct ptx_inst *inst,
                                    const unsigned char *registers)
{
    const struct ptx_operand *stored = &function->operands[inst->operands + 1], *items = stored;
    uint32_t count = stored->kind == PTX_OPERAND_VECTOR ? stored->value.vector.count : 1;
    unsigned char origins = 0;
    if (stored->kind == PTX_OPERAND_VECTOR)
        items = &function->operands[stored->value.vector.first];
    for (uint32_t i = 0; i < count; i++)
        if (items[i].kind == PTX_OPERAND_REGISTER)
            origins |= registers[items[i].value.reg];
    return origins;
}

// What each store's value is made of. A register begins with nothing and gains what goes into it, until nothing
// changes; one that is never written may hold anything.
static void values_find_origins(struct values *values, const struct uses *uses, const struct ptx_function *function,
                                uint32_t first_pc)
{
    unsigned char *registers = mem_alloc(function->register_count + 1); // what each one's value is made of
    unsigned char *own = mem_alloc(function->inst_count + 1);
    memset(registers, VALUE_OF_DATA, function->register_count);
    for (size_t i = 0; i < uses->count; i++)
        if (uses->touches[i].writes)
            registers[uses->touches[i].reg] = 0;
    for (uint32_t i = 0; i < function->inst_count; i++)
        own[i] = instruction_origins(function, &function->insts[i]);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0, end; i < uses->count; i = end) {
            uint32_t at = uses->touches[i].at;
            unsigned char now = own[at]; // what goes into the result
            for (end = i; end < uses->count && uses->touches[end].at == at; end++)
                now |= uses->touches[end].writes ? 0 : registers[uses->touches[end].reg];
            for (size_t k = i; k < end; k++) {
                unsigned char *result = &registers[uses->touches[k].reg];
                changed |= uses->touches[k].writes && (now & ~*result);
                *result |= uses->touches[k].writes ? now : 0;
            }
        }
    }
    for (uint32_t i = 0; i < function->inst_count; i++)
        if (function->insts[i].op == PTX_OP_ST)
            values->traits[first_pc + i] |= stored_origins(function, &function->insts[i], registers);
    free(registers);
    free(own);
}

// ---- what is kept

struct spread {
    unsigned char *registers; // that hold something of the value
    bool reads, grows;
};

static void see_spread(void *context, uint32_t reg, bool written)
{
    struct spread *spread = context;
    spread->reads |= !written && spread->registers[reg];
}

static void let_spread(void *context, uint32_t reg, bool written)
{
    struct spread *spread = context;
    spread->grows |= written && !spread->registers[reg];
    spread->registers[reg] |= written;
}

// Whether something that is made of the value is stored: it is data, and more than a flag that tells what to do. And
// whether something is compared, as of a word that holds both.
static uint16_t result_becomes(const struct ptx_function *function, uint32_t at)
{
    struct spread spread = {.registers = mem_alloc(function->register_count + 1), .grows = true};
    uint16_t traits = 0;
    ptx_visit_registers(function, &function->insts[at], let_spread, &spread);
    while (spread.grows) {
        spread.grows = false;
        for (uint32_t i = 0; i < function->inst_count; i++) {
            const struct ptx_inst *inst = &function->insts[i];
            bool compares = inst->op == PTX_OP_SETP || inst->op == PTX_OP_SET;
            spread.reads = false;
            if (inst->op == PTX_OP_ST || inst->op == PTX_OP_RED)
                traits |= stored_origins(function, inst, spread.registers) ? VALUE_KEPT : 0;
            else if (compares || makes_only_a_value(inst) || ptx_opcode_group(inst->op) == PTX_GROUP_WARP)
                ptx_visit_registers(function, inst, see_spread, &spread);
            if (spread.reads && compares)
                traits |= VALUE_TESTED;
            else if (spread.reads)
                ptx_visit_registers(function, inst, let_spread, &spread);
        }
    }
    free(spread.registers);
    return traits & VALUE_KEPT ? traits : 0;
}

bool values_agree(const struct values *values, const struct finding *finding)
{
    unsigned made_of = (values->traits[finding->pc] | values->traits[finding->other_pc]) & MADE_OF;
    bool same_thread = finding->thread == finding->other_thread;
    unsigned char may = finding->several_blocks ? (same_thread ? VALUE_OF_THREAD : 0) : VALUE_OF_BLOCK;
    return !(made_of & ~may);
}

// ---- what is behind a barrier

// Barriers of the block, also within a function that is called.
static bool meets_barrier(const struct ptx_function *function, const struct ptx_inst *inst)
{
    const struct ptx_function *callee = NULL;
    bool meets = ptx_is_block_barrier(inst->op);
    if (inst->op == PTX_OP_CALL && function->operands[inst->operands + 1].kind == PTX_OPERAND_FUNCTION)
        callee = function->operands[inst->operands + 1].value.function;
    for (uint32_t i = 0; callee && i < callee->inst_count && !meets; i++)
        meets = ptx_is_block_barrier(callee->insts[i].op);
    return meets;
}

static enum path_step mark_behind(const struct path *path, uint32_t at)
{
    uint16_t *traits = path->context; // of the function
    uint32_t location = path->function->insts[at].location;
    if (at > path->wanted && path->function->module->locations[location].line)
        traits[at] |= VALUE_BEHIND;
    return PATH_ON;
}

// A thread that ends without having met a barrier, but gets to code behind it, has gone round it. One that leaves at
// once has not. What the compiler merged of two places has no line: it may be the store of those that leave.
static void values_find_behind(struct values *values, const struct ptx_function *function, uint32_t first_pc)
{
    uint16_t *traits = values->traits + first_pc;
    for (uint32_t i = 0; i < function->inst_count; i++) {
        struct path path = {.function = function, .step = mark_behind, .wanted = i, .context = traits};
        if (!(traits[i] & VALUE_BEHIND) && meets_barrier(function, &function->insts[i]))
            path_finds(&path, i);
    }
}

// ---- loads that arrivals do not wait for

static enum path_step find_arrival(const struct path *path, uint32_t at)
{
    const struct ptx_inst *inst = &path->function->insts[at];
    struct followed *followed = path->context;
    followed->reads = false;
    ptx_visit_registers(path->function, inst, follow_read, followed);
    if (followed->reads || ptx_is_block_barrier(inst->op) || inst->op == PTX_OP_FENCE || inst->op == PTX_OP_MEMBAR)
        return PATH_ENDS;
    followed->at = at;
    return text_starts(ptx_opcode_name(inst->op), "mbarrier.arrive") ? PATH_FOUND : PATH_ON;
}

// Until a wait, behind which others are loaded, or the same load. `wanted`: that load.
static bool ends_stage(const struct path *path, uint32_t at)
{
    const struct ptx_inst *inst = &path->function->insts[at];
    return at == path->wanted || text_starts(ptx_opcode_name(inst->op), "mbarrier.t"); // test_wait, try_wait
}

// An arrival that announces bytes is for who waits for these.
static enum path_step find_later_arrival(const struct path *path, uint32_t at)
{
    const struct ptx_inst *inst = &path->function->insts[at];
    if (ends_stage(path, at))
        return PATH_ENDS;
    bool arrives = text_starts(ptx_opcode_name(inst->op), "mbarrier.arrive") && !ptx_has(inst, PTX_MOD_EXPECT_TX);
    return arrives ? PATH_FOUND : PATH_ON;
}

static enum path_step find_use_of_load(const struct path *path, uint32_t at)
{
    return at == path->reg ? PATH_FOUND : ends_stage(path, at) ? PATH_ENDS : PATH_ON;
}

// Who arrives once more, after a use that follows the first arrival, may let the copy go by that: which arrival is for
// which place, nobody here knows.
static bool arrives_later(const struct ptx_function *function, uint32_t load, struct followed *followed)
{
    uint32_t arrival = followed->at;
    for (uint32_t i = 0; i < function->inst_count; i++) {
        struct path to = {.function = function, .step = find_use_of_load, .wanted = load, .reg = i},
                    from = {.function = function, .step = find_later_arrival, .wanted = load};
        followed->reads = false;
        ptx_visit_registers(function, &function->insts[i], follow_read, followed);
        if (followed->reads && path_finds(&to, arrival) && path_finds(&from, i))
            return true;
    }
    return false;
}

// The instructions of the function, which begins at first_pc, that read one of these registers.
static void values_find_ends(struct values *values, const struct ptx_function *function, uint32_t first_pc,
                             struct followed *followed)
{
    if (!values->ends)
        values->ends = mem_alloc(sim_program_size(values->program) + 1);
    for (uint32_t i = 0; i < function->inst_count; i++) {
        followed->reads = false;
        ptx_visit_registers(function, &function->insts[i], follow_read, followed);
        values->ends[first_pc + i] |= followed->reads;
    }
}

static void values_find_open(struct values *values, const struct sim_program *program)
{
    uint32_t size = sim_program_size(program);
    values->open = mem_alloc(size + 1);
    for (uint32_t pc = 0; pc < size; pc++) {
        const struct ptx_function *function;
        const struct ptx_inst *inst = sim_program_inst(program, pc, &function);
        bool is_shared = inst->op == PTX_OP_LDMATRIX ||
                         (inst->op == PTX_OP_LD && (inst->space == PTX_SHARED || inst->space == PTX_GENERIC));
        struct followed followed = {0};
        struct path path = {.function = function, .step = find_arrival, .context = &followed};
        if (!is_shared)
            continue;
        ptx_visit_registers(function, inst, follow_written, &followed);
        uint32_t at = (uint32_t)(inst - function->insts);
        if (path_finds(&path, at))
            values->open[pc] = arrives_later(function, at, &followed) ? OPEN_UNTIL_USED : OPEN;
        if (values->open[pc] == OPEN_UNTIL_USED)
            values_find_ends(values, function, pc - at, &followed);
    }
}

// ---- all that is asked before the run

void values_find(struct values *values, const struct sim_program *program, bool proxies)
{
    uint32_t size = sim_program_size(program);
    *values = (struct values){
        .program = program, .traits = mem_alloc(size * sizeof *values->traits), .doubted = map_of(struct doubted)};
    struct uses where = {0};
    for (uint32_t pc = 0; pc < size; pc++) {
        const struct ptx_function *function;
        const struct ptx_inst *inst = sim_program_inst(program, pc, &function);
        uint32_t at = (uint32_t)(inst - function->insts);
        if (!at) {
            uses_free(&where);
            where = uses_find(function);
            values_find_behind(values, function, pc);
            values_find_origins(values, &where, function, pc);
            values_find_guesses(values->traits + pc, function);
        }
        if (is_strong_load(inst))
            values->traits[pc] |= result_is_polled(function, at) ? VALUE_POLLED : result_becomes(function, at);
        if (inst->op == PTX_OP_ATOM && ptx_has(inst, PTX_MOD_EXCH) && !value_is_read(function, at, VALUE_COPIES))
            values->traits[pc] |= VALUE_UNREAD;
        if (inst->op == PTX_OP_WMMA_LOAD || inst->op == PTX_OP_WMMA_STORE)
            values->traits[pc] |= VALUE_ANY_LANE;
        if (is_plain_load(inst) && is_put_back(function, &where, at))
            values->traits[pc] |= VALUE_PUT_BACK;
        if (is_plain_load(inst) && !(values->traits[pc] & VALUE_GUESS))
            values_doubt(values, &where, function, pc, at);
    }
    uses_free(&where);
    if (proxies)
        values_find_open(values, program);
}

void values_free(struct values *values)
{
    map_free(&values->doubted);
    free(values->traits);
    free(values->uses);
    free(values->open);
    free(values->ends);
}

// ---- what is asked during the run

static bool operand_is(const struct ptx_operand *operand, const struct doubted *doubted)
{
    bool is = false;
    for (uint32_t i = 0; i < doubted->count; i++)
        is |= operand->kind == PTX_OPERAND_REGISTER && operand->value.reg == doubted->registers[i];
    return is;
}

uint32_t values_used(const struct values *values, uint32_t load, const struct sim_step *step)
{
    const struct ptx_function *function, *other;
    const struct ptx_inst *inst = sim_program_inst(values->program, step->pc, &function);
    const struct doubted *doubted = map_find(&values->doubted, load);
    const struct ptx_operand *operands = &function->operands[inst->operands];
    sim_program_inst(values->program, load, &other);
    uint32_t used = 0;
    if (!doubted || function != other)
        return 0;
    if (inst->op == PTX_OP_SELP) {
        used |= operand_is(&operands[1], doubted) ? step->chosen : 0;
        return used | (operand_is(&operands[2], doubted) ? step->mask & ~step->chosen : 0);
    }
    for (uint32_t i = 0; i < doubted->count; i++)
        used |= register_use(function, inst, doubted->registers[i]).reads ? step->mask : 0;
    return used;
}

bool values_reads(const struct values *values, uint32_t load, uint32_t pc)
{
    const struct ptx_function *function, *other;
    const struct ptx_inst *loads = sim_program_inst(values->program, load, &function);
    const struct ptx_inst *inst = sim_program_inst(values->program, pc, &other);
    struct followed followed = {0};
    ptx_visit_registers(function, loads, follow_written, &followed);
    ptx_visit_registers(other, inst, follow_read, &followed);
    return function == other && followed.reads;
}

bool values_live(const struct values *values, uint32_t load, uint32_t pc)
{
    const struct ptx_function *function, *other;
    const struct doubted *doubted = map_find(&values->doubted, load);
    const struct ptx_inst *inst = sim_program_inst(values->program, pc, &function);
    bool live = false;
    sim_program_inst(values->program, load, &other);
    if (!doubted || function != other)
        return true;
    for (uint32_t i = 0; i < doubted->count && !live; i++) {
        struct path path = {.function = function, .step = find_read, .reg = doubted->registers[i]};
        live = path_finds(&path, (uint32_t)(inst - function->insts));
    }
    return live;
}
