// Calls of functions that the source does not show, written out where they are made. Without optimisation nvcc leaves
// each atomic, shuffle and fence as a call of a header's function, and that as a call of one of its own, without a
// line. Here they are again what they are with optimisation: instructions of the line that asks for them.
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "ptx/parser.h"

enum {
    INLINE_DEPTH = 16,          // calls within calls
    INLINE_INSTS = 64,          // of one function that is written out
    INLINE_PARTS = 1024,        // its operands, its registers, bytes that it hands on
    INLINE_ADDED = 1024 * 1024, // of each of these, of a function that others are written into
    INLINE_CHAIN = 16           // places that one place was inlined at
};

enum state { STATE_NEW, STATE_OPEN, STATE_DONE };

struct inliner {
    struct ptx_module *module;
    const char *main_file;
    unsigned char *states;          // by function: enum state
    struct map places;              // by place and call site: the place with the call site behind it
    struct ptx_location *locations; // the module's
    size_t location_capacity;
};

struct growing { // the function that gets what it calls
    struct inliner *inliner;
    struct ptx_function *function;
    struct ptx_inst *insts;
    size_t inst_count, inst_capacity;
    struct ptx_operand *operands;
    size_t operand_count, operand_capacity;
    struct ptx_register *registers;
    size_t register_count, register_capacity;
};

// ---- what may be written out

static bool shows_source(const struct inliner *inliner, const struct ptx_inst *inst)
{
    int32_t index = (int32_t)inst->location;
    for (int i = 0; i < INLINE_CHAIN && index > 0; i++) {
        const struct ptx_location *location = &inliner->module->locations[index];
        const char *file = location->file < inliner->module->file_count ? inliner->module->files[location->file] : NULL;
        if (location->line && file && ptx_is_file(file, inliner->main_file))
            return true;
        index = location->inlined_at;
    }
    return false;
}

// One block without calls, memory of its own or parameters in registers, and no line of the source.
static bool may_write_out(const struct inliner *inliner, const struct ptx_function *function)
{
    bool may = function->is_defined && !function->is_entry && function->block_count == 1 &&
               function->inst_count <= INLINE_INSTS && function->operand_count <= INLINE_PARTS &&
               function->register_count <= INLINE_PARTS && function->call_param_size <= INLINE_PARTS &&
               function->insts[function->inst_count - 1].op == PTX_OP_RET;
    for (uint32_t i = 0; may && i < function->inst_count; i++)
        may = function->insts[i].op != PTX_OP_CALL && !shows_source(inliner, &function->insts[i]);
    for (uint32_t i = 0; may && i < function->variable_count; i++)
        may = function->variables[i]->space == PTX_PARAM;
    for (uint32_t i = 0; may && i < function->param_count; i++)
        may = !function->params[i].is_register;
    for (uint32_t i = 0; may && i < function->result_count; i++)
        may = !function->results[i].is_register;
    return may;
}

static bool are_passed(const struct ptx_function *caller, const struct ptx_operand *passed,
                       const struct ptx_variable *wanted, uint32_t count)
{
    bool are = passed->kind == PTX_OPERAND_VECTOR ? passed->value.vector.count == count : !count;
    for (uint32_t i = 0; are && i < count; i++) {
        const struct ptx_operand *one = &caller->operands[passed->value.vector.first + i];
        are = one->kind == PTX_OPERAND_VARIABLE && one->value.variable->space == PTX_PARAM &&
              one->value.variable->in_function && one->value.variable->size >= wanted[i].size;
    }
    return are;
}

static const struct ptx_function *written_out(const struct inliner *inliner, const struct ptx_function *caller,
                                              const struct ptx_inst *call)
{
    const struct ptx_operand *operands = &caller->operands[call->operands];
    if (call->op != PTX_OP_CALL || call->guard >= 0 || !call->location || operands[1].kind != PTX_OPERAND_FUNCTION)
        return NULL;
    const struct ptx_function *callee = operands[1].value.function;
    bool fits = inliner->states[callee->index] == STATE_DONE && may_write_out(inliner, callee) &&
                are_passed(caller, &operands[0], callee->results, callee->result_count) &&
                are_passed(caller, &operands[2], callee->params, callee->param_count);
    return fits ? callee : NULL;
}

// ---- writing it out

static uint32_t place_add(struct inliner *inliner, const struct ptx_location *location)
{
    struct ptx_module *module = inliner->module;
    size_t count = module->location_count;
    *mem_append(inliner->locations, inliner->location_capacity, count) = *location;
    module->locations = inliner->locations;
    return module->location_count++;
}

// The place, inlined at the call site.
static uint32_t place_at(struct inliner *inliner, uint32_t place, uint32_t site, int depth)
{
    bool fresh;
    if (!place || depth == INLINE_CHAIN)
        return site;
    uint32_t *known = map_add(&inliner->places, (uint64_t)place << 32 | site, &fresh);
    if (!fresh)
        return *known;
    struct ptx_location location = inliner->module->locations[place];
    uint32_t outer = location.inlined_at > 0 ? (uint32_t)location.inlined_at : 0;
    location.inlined_at = (int32_t)place_at(inliner, outer, site, depth + 1);
    uint32_t added = place_add(inliner, &location);
    *(uint32_t *)map_add(&inliner->places, (uint64_t)place << 32 | site, NULL) = added;
    return added;
}

// A function that is written out: the caller's variables for its own, and where its operands and registers come to lie.
struct copy {
    const struct ptx_function *caller, *callee;
    const struct ptx_operand *call; // operands of the call
    struct ptx_variable *inner;     // for those of its body
    uint32_t operands, registers;
};

static const struct ptx_variable *variable_for(const struct copy *copy, const struct ptx_variable *variable)
{
    const struct ptx_operand *items = copy->caller->operands;
    for (uint32_t i = 0; i < copy->callee->result_count; i++)
        if (variable == &copy->callee->results[i])
            return items[copy->call[0].value.vector.first + i].value.variable;
    for (uint32_t i = 0; i < copy->callee->param_count; i++)
        if (variable == &copy->callee->params[i])
            return items[copy->call[2].value.vector.first + i].value.variable;
    for (uint32_t i = 0; i < copy->callee->variable_count; i++)
        if (variable == copy->callee->variables[i])
            return &copy->inner[i];
    return variable;
}

static struct ptx_operand operand_for(const struct copy *copy, struct ptx_operand operand)
{
    bool is_address = operand.kind == PTX_OPERAND_ADDRESS;
    enum ptx_operand_kind kind = is_address ? operand.base_kind : operand.kind;
    if (kind == PTX_OPERAND_REGISTER)
        operand.value.reg += copy->registers;
    else if (kind == PTX_OPERAND_VARIABLE)
        operand.value.variable = variable_for(copy, operand.value.variable);
    else if (kind == PTX_OPERAND_VECTOR)
        operand.value.vector.first += copy->operands;
    if (!is_address && operand.pair_reg >= 0)
        operand.pair_reg += (int32_t)copy->registers;
    return operand;
}

// Room for the variables of the callee's body, behind those of the caller's.
static struct ptx_variable *make_inner(struct ptx_function *caller, const struct ptx_function *callee,
                                       struct arena *arena)
{
    struct ptx_variable *inner = arena_alloc(arena, (callee->variable_count + 1) * sizeof *inner);
    uint32_t base = (caller->call_param_size + 15) / 16 * 16;
    for (uint32_t i = 0; i < callee->variable_count; i++) {
        inner[i] = *callee->variables[i];
        inner[i].offset += base;
    }
    if (callee->variable_count)
        caller->call_param_size = base + callee->call_param_size;
    return inner;
}

static void write_out(struct growing *growing, const struct ptx_inst *call, const struct ptx_function *callee)
{
    struct ptx_function *caller = growing->function;
    struct arena *arena = growing->inliner->module->arena;
    struct copy copy = {.caller = caller,
                        .callee = callee,
                        .call = &caller->operands[call->operands],
                        .inner = make_inner(caller, callee, arena),
                        .operands = (uint32_t)growing->operand_count,
                        .registers = (uint32_t)growing->register_count};
    for (uint32_t i = 0; i < callee->operand_count; i++)
        *mem_append(growing->operands, growing->operand_capacity, growing->operand_count) =
            operand_for(&copy, callee->operands[i]);
    for (uint32_t i = 0; i < callee->register_count; i++)
        *mem_append(growing->registers, growing->register_capacity, growing->register_count) = callee->registers[i];
    for (uint32_t i = 0; i + 1 < callee->inst_count; i++) { // without the return
        struct ptx_inst inst = callee->insts[i];
        inst.operands += copy.operands;
        inst.guard += inst.guard >= 0 ? (int32_t)copy.registers : 0;
        inst.location = place_at(growing->inliner, inst.location, call->location, 0);
        *mem_append(growing->insts, growing->inst_capacity, growing->inst_count) = inst;
    }
}

static void *settle(struct arena *arena, void *items, size_t bytes)
{
    void *settled = arena_alloc(arena, bytes + 1);
    if (bytes)
        memcpy(settled, items, bytes);
    free(items);
    return settled;
}

static bool has_room(const struct growing *growing)
{
    return growing->inst_count < INLINE_ADDED && growing->operand_count < INLINE_ADDED &&
           growing->register_count < INLINE_ADDED && growing->function->call_param_size < INLINE_ADDED;
}

static void grow(struct inliner *inliner, struct ptx_function *function)
{
    struct arena *arena = inliner->module->arena;
    struct growing growing = {.inliner = inliner, .function = function};
    uint32_t *places = mem_alloc((function->inst_count + 1) * sizeof *places);
    for (uint32_t i = 0; i < function->operand_count; i++)
        *mem_append(growing.operands, growing.operand_capacity, growing.operand_count) = function->operands[i];
    for (uint32_t i = 0; i < function->register_count; i++)
        *mem_append(growing.registers, growing.register_capacity, growing.register_count) = function->registers[i];
    for (uint32_t i = 0; i < function->inst_count; i++) {
        const struct ptx_function *callee = written_out(inliner, function, &function->insts[i]);
        places[i] = (uint32_t)growing.inst_count;
        if (callee && has_room(&growing))
            write_out(&growing, &function->insts[i], callee);
        else
            *mem_append(growing.insts, growing.inst_capacity, growing.inst_count) = function->insts[i];
    }
    for (size_t i = 0; i < growing.register_count; i++)
        growing.registers[i].place = 0;
    uint32_t own = function->operand_count; // only these name instructions
    function->operand_count = (uint32_t)growing.operand_count;
    function->operands = settle(arena, growing.operands, growing.operand_count * sizeof *growing.operands);
    ptx_move_targets(function->operands, own, places, arena);
    function->register_count = (uint32_t)growing.register_count;
    function->registers = settle(arena, growing.registers, growing.register_count * sizeof *growing.registers);
    function->inst_count = (uint32_t)growing.inst_count;
    function->insts = settle(arena, growing.insts, growing.inst_count * sizeof *growing.insts);
    free(places);
    ptx_cfg_build(function, arena);
    ptx_pass_in_registers(function, arena);
    ptx_place_registers(function);
}

// What it calls comes first, so that it has no calls itself when it is written out.
static void inline_into(struct inliner *inliner, struct ptx_function *function, int depth)
{
    bool grows = false;
    if (inliner->states[function->index] != STATE_NEW || depth == INLINE_DEPTH || !function->is_defined)
        return;
    inliner->states[function->index] = STATE_OPEN;
    for (uint32_t i = 0; i < function->inst_count; i++) {
        const struct ptx_operand *operands = &function->operands[function->insts[i].operands];
        if (function->insts[i].op != PTX_OP_CALL || operands[1].kind != PTX_OPERAND_FUNCTION)
            continue;
        inline_into(inliner, inliner->module->functions[operands[1].value.function->index], depth + 1);
        grows |= written_out(inliner, function, &function->insts[i]) != NULL;
    }
    if (grows)
        grow(inliner, function);
    inliner->states[function->index] = STATE_DONE;
}

void ptx_write_out(struct ptx_module *module, const char *main_file)
{
    struct inliner inliner = {.module = module,
                              .main_file = main_file,
                              .states = mem_alloc(module->function_count + 1),
                              .places = map_of(uint32_t)};
    size_t count = 0;
    for (uint32_t i = 0; i < module->location_count; i++)
        *mem_append(inliner.locations, inliner.location_capacity, count) = module->locations[i];
    for (uint32_t i = 0; i < module->function_count; i++)
        inline_into(&inliner, module->functions[i], 0);
    module->locations = settle(module->arena, inliner.locations, module->location_count * sizeof *module->locations);
    map_free(&inliner.places);
    free(inliner.states);
}
