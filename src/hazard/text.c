// What a person reads: places, threads and arrays by name, cause and remedy.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "hazard/internal.h"

struct place {
    const struct ptx_function *function;
    const struct ptx_inst *inst;
    const char *file;
    uint32_t line;
    char where[48]; // "line 12"
    char who[64];   // "thread (3,5,0)"
};

static void coordinates(uint64_t linear, const uint32_t shape[3], uint32_t index[3])
{
    uint64_t x = shape[0] ? shape[0] : 1, y = shape[1] ? shape[1] : 1;
    index[0] = (uint32_t)(linear % x);
    index[1] = (uint32_t)(linear / x % y);
    index[2] = (uint32_t)(linear / x / y);
}

static struct place place_of(const struct hazard_checker *checker, uint32_t pc, uint32_t thread, uint64_t block,
                             bool name_block)
{
    struct place place = {.file = "", .where = "another line"};
    uint32_t at[3], in[3];
    coordinates(thread, checker->shape, at);
    coordinates(block, checker->grid, in);
    size_t length = 0;
    if (thread == UINT32_MAX)
        snprintf(place.who, sizeof place.who, "some threads");
    else if (checker->shape[1] > 1 || checker->shape[2] > 1)
        length = (size_t)snprintf(place.who, sizeof place.who, "thread (%u,%u,%u)", at[0], at[1], at[2]);
    else
        length = (size_t)snprintf(place.who, sizeof place.who, "thread %u", at[0]);
    if (name_block && length && (checker->grid[1] > 1 || checker->grid[2] > 1))
        snprintf(place.who + length, sizeof place.who - length, " of block (%u,%u,%u)", in[0], in[1], in[2]);
    else if (name_block && length)
        snprintf(place.who + length, sizeof place.who - length, " of block %u", in[0]);
    if (pc >= sim_program_size(checker->program))
        return place;
    place.inst = sim_program_inst(checker->program, pc, &place.function);
    ptx_source(place.function->module, place.inst, checker->main_file, &place.file, &place.line);
    if (place.line)
        snprintf(place.where, sizeof place.where, "line %u", place.line);
    else
        snprintf(place.where, sizeof place.where, "PTX line %u", place.inst->text_line);
    return place;
}

static const char *verb(const struct ptx_inst *inst)
{
    if (!inst)
        return "uses";
    switch (ptx_opcode_group(inst->op)) {
    case PTX_GROUP_ATOMIC:
        return "updates";
    case PTX_GROUP_ASYNC:
        return "copies into";
    default:
        break;
    }
    bool writes = inst->op == PTX_OP_ST || inst->op == PTX_OP_STMATRIX || inst->op == PTX_OP_WMMA_STORE;
    return writes ? "writes" : "reads";
}

// The part of a demangled name after the last "::" outside brackets: "tile" of "scale(float*)::tile".
static const char *short_name(const char *mangled, char *text, size_t size)
{
    ptx_demangle(mangled, text, size);
    const char *name = text;
    int depth = 0;
    for (const char *c = text; *c; c++) {
        depth += (*c == '(' || *c == '<') - (*c == ')' || *c == '>');
        if (depth == 0 && c[0] == ':' && c[1] == ':')
            name = c + 2;
    }
    return name;
}

static uint32_t element_size(const struct ptx_inst *inst)
{
    uint32_t size = inst && inst->type_count ? ptx_type_size(inst->types[0]) : 0;
    return size ? size : 4;
}

static void name_shared(const struct hazard_checker *checker, uint64_t address, uint32_t element, char *text,
                        size_t size)
{
    const struct ptx_shared_layout *layout = sim_program_shared(checker->program);
    char name[256];
    for (uint32_t i = 0; layout && i < layout->count; i++) {
        const struct ptx_shared_slot *slot = &layout->slots[i];
        uint64_t length = slot->variable->size ? slot->variable->size : UINT32_MAX;
        if (address < slot->offset || address - slot->offset >= length)
            continue;
        uint64_t offset = address - slot->offset;
        if (slot->variable->size && slot->variable->size <= element)
            snprintf(text, size, "%s", short_name(slot->variable->name, name, sizeof name));
        else
            snprintf(text, size, "%s[%" PRIu64 "]", short_name(slot->variable->name, name, sizeof name),
                     offset / element);
        return;
    }
    snprintf(text, size, "shared memory at byte %" PRIu64, address);
}

static void name_place(const struct hazard_checker *checker, const struct finding *finding, const struct ptx_inst *inst,
                       char *text, size_t size)
{
    char name[200];
    uint32_t element = element_size(inst);
    if (finding->space == PTX_SHARED) {
        name_shared(checker, finding->address, element, name, sizeof name);
    } else {
        const struct sim_allocation *allocation = sim_memory_find(checker->memory, finding->address);
        if (allocation && finding->address >= allocation->address)
            snprintf(name, sizeof name, "%.100s[%" PRIu64 "]", allocation->name,
                     (finding->address - allocation->address) / element);
        else
            snprintf(name, sizeof name, "address 0x%" PRIx64, finding->address);
    }
    struct text escaped = {0};
    text_escape(&escaped, name, strlen(name), false);
    snprintf(text, size, "%s", text_get(&escaped));
    text_free(&escaped);
}

static bool is_block_barrier(enum ptx_opcode op)
{
    return op >= PTX_OP_BAR_SYNC && op <= PTX_OP_BARRIER_CTA_RED;
}

static bool barrier_between(const struct hazard_checker *checker, uint32_t pc, uint32_t line, uint32_t other_pc,
                            uint32_t other_line)
{
    bool by_line = line && other_line;
    uint32_t low = by_line ? line : pc, high = by_line ? other_line : other_pc;
    if (low > high) {
        uint32_t swapped = low;
        low = high;
        high = swapped;
    }
    for (uint32_t at = 0; at < sim_program_size(checker->program); at++) {
        const struct ptx_function *function;
        const struct ptx_inst *inst = sim_program_inst(checker->program, at, &function);
        const char *file;
        uint32_t place = at;
        if (!is_block_barrier(inst->op))
            continue;
        if (by_line)
            ptx_source(function->module, inst, checker->main_file, &file, &place);
        if (place > low && place < high)
            return true;
    }
    return false;
}

bool hazard_barrier_between(const struct hazard_checker *checker, const struct hazard *hazard)
{
    return barrier_between(checker, hazard->pc, hazard->line, hazard->other_pc, hazard->other_line);
}

bool hazard_in_library(const struct hazard_checker *checker, uint32_t pc)
{
    const struct ptx_function *function;
    const struct ptx_inst *inst = sim_program_inst(checker->program, pc, &function);
    const struct ptx_module *module = function->module;
    uint32_t file = module->locations[inst->location].file;
    const char *name = inst->location && file < module->file_count ? module->files[file] : NULL;
    return name && (strstr(name, "/cccl/") || strstr(name, "/cub/") || strstr(name, "/thrust/"));
}

// A barrier that some threads never pass orders nothing, wherever it is.
static bool barrier_skipped(const struct hazard_checker *checker)
{
    for (size_t i = 0; i < checker->findings.by_key.count; i++) {
        const struct finding *finding = map_value(&checker->findings.by_key, i);
        if (!finding->benign && (finding->kind == HAZARD_BARRIER_UNEVEN || finding->kind == HAZARD_BARRIER_DIVERGED))
            return true;
    }
    return false;
}

static const char *race_remedy(enum hazard_kind kind, bool round, bool skipped)
{
    switch (kind) {
    case HAZARD_WARP_RACE:
        return "no __syncwarp() in between: lanes of a warp can run apart; add one";
    case HAZARD_ATOMIC_RACE:
        return "nothing orders them: put a barrier in between, or make both atomic";
    case HAZARD_BLOCK_RACE:
        return "blocks run in any order: give each block its own place, use an atomic, or a second kernel";
    case HAZARD_GLOBAL_RACE:
        return "no barrier in between: add __syncthreads(), or give each thread its own place";
    default:
        if (skipped)
            return "not every thread passes the barrier in between: move it out of the branch";
        return round ? "no barrier on the way round the loop: put __syncthreads() at the end of its body"
                     : "no barrier in between: add __syncthreads()";
    }
}

// Reported in the order of the source, whatever came first in this run; where a barrier stands between the two, the bug
// is on the way back round a loop.
static void tell_race(const struct hazard_checker *checker, const struct finding *finding, const struct place *first,
                      const struct place *second, const char *what, char *text, size_t size)
{
    bool same = !strcmp(first->where, second->where), writes = !strcmp(verb(second->inst), "writes");
    bool between = barrier_between(checker, finding->other_pc, first->line, finding->pc, second->line);
    bool skipped = between && barrier_skipped(checker), round = between && !skipped;
    bool in_order = first->line && second->line ? first->line <= second->line : finding->other_pc <= finding->pc;
    if (in_order == round) {
        const struct place *swapped = first;
        first = second;
        second = swapped;
    }
    if (finding->benign)
        snprintf(text, size,
                 "%s %s %s from several threads, all with the same value: harmless, as long as it is intended.",
                 second->where, verb(second->inst), what);
    else if (same && finding->pc == finding->other_pc && writes)
        snprintf(text, size,
                 "%s writes %s from several threads (%s, %s) with different values: which one remains is luck; let one "
                 "thread write, or use an atomic.",
                 second->where, what, first->who, second->who);
    else
        snprintf(text, size, "%s %s %s (%s) and %s %s it (%s); %s.", first->where, verb(first->inst), what, first->who,
                 same ? "the same line" : second->where, verb(second->inst), second->who,
                 race_remedy(finding->kind, round, skipped));
}

static void tell_async(enum hazard_kind kind, const struct place *first, const struct place *second, const char *what,
                       char *text, size_t size)
{
    if (kind == HAZARD_ASYNC_NOT_WAITED)
        snprintf(text, size,
                 "%s %s %s (%s), which the asynchronous copy of %s (%s) may not have brought yet: wait for the copy "
                 "(__pipeline_wait_prior, cp.async.wait_group), then __syncthreads().",
                 second->where, verb(second->inst), what, second->who, first->where, first->who);
    else if (kind == HAZARD_ASYNC_NO_BARRIER)
        snprintf(text, size,
                 "%s %s %s (%s), which %s copied (%s): that thread has waited for its copy, but a wait covers only the "
                 "thread that waits; put __syncthreads() after the wait.",
                 second->where, verb(second->inst), what, second->who, first->where, first->who);
    else
        snprintf(text, size,
                 "%s copies into %s (%s) while %s may still read it (%s): put __syncthreads() between the last read "
                 "and the copy.",
                 second->where, what, second->who, first->where, first->who);
}

static void tell_notice(const struct finding *finding, const struct place *place, const struct place *other,
                        const char *what, char *text, size_t size)
{
    switch (finding->kind) {
    case HAZARD_UNINITIALISED_SHARED:
    case HAZARD_UNINITIALISED_GLOBAL:
        snprintf(text, size, "%s reads %s (%s), but nothing was written there before: fill it first.", place->where,
                 what, place->who);
        break;
    case HAZARD_BARRIER_DIVERGED:
        snprintf(text, size,
                 "%s: only some lanes of a warp reach this barrier (%s does), the others are %s%s: move it out of the "
                 "branch, so that every thread of the block meets it.",
                 place->where, place->who, other->inst ? "at " : "elsewhere", other->inst ? other->where : "");
        break;
    case HAZARD_BARRIER_UNEVEN:
        if (finding->benign)
            snprintf(text, size,
                     "%s: other threads of the block ended%s%s before this barrier (%s waits here). Threads that ended "
                     "count as arrived, so this is allowed, as long as nobody needs what they would have done.",
                     place->where, other->inst ? " at " : "", other->inst ? other->where : "", place->who);
        else
            snprintf(
                text, size,
                "%s: threads wait at this barrier (%s is one) that others never reach%s%s: every thread of the block "
                "must meet the same barriers.",
                place->where, place->who, other->inst ? "; those are at " : "", other->inst ? other->where : "");
        break;
    case HAZARD_MEMBERMASK:
        snprintf(text, size,
                 "%s: the mask does not name the lanes that execute this (%s does): move the call out of the branch, "
                 "or take the mask from __ballot_sync() before it.",
                 place->where, place->who);
        break;
    default:
        snprintf(text, size,
                 "%s: a shuffle takes a value from a lane that does not take part (%s reads it), so the value is "
                 "undefined: let every lane of the mask execute it.",
                 place->where, place->who);
        break;
    }
}

void hazard_describe(const struct hazard_checker *checker, const struct finding *finding, struct hazard *hazard)
{
    bool blocks = finding->several_blocks;
    struct place second = place_of(checker, finding->pc, finding->thread, finding->block, blocks);
    struct place first = place_of(checker, finding->other_pc, finding->other_thread, finding->other_block, blocks);
    char what[128];
    *hazard = (struct hazard){.kind = finding->kind,
                              .pc = finding->pc,
                              .other_pc = finding->other_pc,
                              .file = second.file,
                              .line = second.line,
                              .other_line = first.line,
                              .space = finding->space,
                              .address = finding->address,
                              .count = finding->count,
                              .benign = finding->benign};
    coordinates(finding->block, checker->grid, hazard->block);
    coordinates(finding->other_block, checker->grid, hazard->other_block);
    coordinates(finding->thread, checker->shape, hazard->thread);
    if (finding->other_thread != UINT32_MAX)
        coordinates(finding->other_thread, checker->shape, hazard->other_thread);
    name_place(checker, finding, second.inst, what, sizeof what);
    char *text = hazard->message;
    switch (finding->kind) {
    case HAZARD_RACE:
    case HAZARD_WARP_RACE:
    case HAZARD_ATOMIC_RACE:
    case HAZARD_GLOBAL_RACE:
    case HAZARD_BLOCK_RACE:
        tell_race(checker, finding, &first, &second, what, text, sizeof hazard->message);
        break;
    case HAZARD_ASYNC_NOT_WAITED:
    case HAZARD_ASYNC_NO_BARRIER:
    case HAZARD_ASYNC_OVERWRITE:
        tell_async(finding->kind, &first, &second, what, text, sizeof hazard->message);
        break;
    default:
        tell_notice(finding, &second, &first, what, text, sizeof hazard->message);
        break;
    }
}
