// What a person reads: places, threads and arrays by name, cause and remedy.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "hazard/internal.h"

static const struct {
    const char *name, *message;
    enum hazard_family family;
} kinds[] = {
#define H(name, text, meaning, family, message) {text, message, FAMILY_##family},
#include "hazard/hazards.def"
#undef H
};

const char *hazard_name(enum hazard_kind kind)
{
    return kind < HAZARD_KIND_COUNT ? kinds[kind].name : "unknown";
}

enum hazard_family hazard_family(enum hazard_kind kind)
{
    return kinds[kind].family;
}

// ---- places

struct described_place {
    const struct ptx_function *function;
    const struct ptx_inst *inst;
    const char *file;
    uint32_t line;
    char where[100]; // "line 12"; "tile.cuh:12" if it is not in the learner's file
    char who[64];    // "thread (3,5,0)"
};

static void linear_to_index(uint64_t linear, const uint32_t shape[3], uint32_t index[3])
{
    uint64_t x = shape[0] ? shape[0] : 1, y = shape[1] ? shape[1] : 1;
    index[0] = (uint32_t)(linear % x);
    index[1] = (uint32_t)(linear / x % y);
    index[2] = (uint32_t)(linear / x / y);
}

// "thread 7", "block (3,5,0)"
static void name_index(const char *noun, uint64_t linear, const uint32_t shape[3], struct text *text)
{
    uint32_t at[3];
    linear_to_index(linear, shape, at);
    if (shape[1] > 1 || shape[2] > 1)
        text_printf(text, "%s (%u,%u,%u)", noun, at[0], at[1], at[2]);
    else
        text_printf(text, "%s %u", noun, at[0]);
}

static struct described_place describe_place(const struct hazard_checker *checker, uint32_t pc, uint32_t thread,
                                             uint64_t block, bool several_blocks)
{
    struct described_place place = {.file = "", .where = "another line"};
    struct text who = {0};
    if (thread == UINT32_MAX)
        text_puts(&who, "some threads");
    else
        name_index("thread", thread, checker->shape, &who);
    if (several_blocks && thread != UINT32_MAX)
        name_index(" of block", block, checker->grid, &who);
    snprintf(place.who, sizeof place.who, "%s", text_get(&who));
    text_free(&who);
    if (pc >= sim_program_size(checker->program))
        return place;
    place.inst = sim_program_inst(checker->program, pc, &place.function);
    ptx_source(place.function->module, place.inst, checker->main_file, &place.file, &place.line);
    bool is_elsewhere = place.line && checker->main_file && !ptx_is_file(place.file, checker->main_file);
    snprintf(place.where, sizeof place.where, place.line ? "line %u" : "PTX line %u",
             place.line ? place.line : place.inst->text_line);
    if (is_elsewhere)
        snprintf(place.where, sizeof place.where, "%.80s:%u", text_file_name(place.file), place.line);
    return place;
}

// In a place of this space.
static const char *access_verb(const struct ptx_inst *inst, enum ptx_space space)
{
    if (!inst)
        return "uses";
    switch (ptx_opcode_group(inst->op)) {
    case PTX_GROUP_ATOMIC:
        return "updates";
    case PTX_GROUP_SYNC: // of an mbarrier
        return inst->op == PTX_OP_MBARRIER_INIT ? "makes" : inst->op == PTX_OP_MBARRIER_INVAL ? "unmakes" : "uses";
    case PTX_GROUP_ASYNC: {
        bool brings = inst->op == PTX_OP_CP_ASYNC || ptx_has(inst, PTX_MOD_MBARRIER__COMPLETE_TX__BYTES);
        return (space == PTX_SHARED) == brings ? "copies into" : "copies from";
    }
    default:
        break;
    }
    bool writes = inst->op == PTX_OP_ST || inst->op == PTX_OP_ST_ASYNC || inst->op == PTX_OP_STMATRIX ||
                  inst->op == PTX_OP_WMMA_STORE;
    return writes ? "writes" : "reads";
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
    const struct ptx_shared_slot *before = NULL; // the array behind which it lies
    for (uint32_t i = 0; layout && i < layout->count; i++) {
        const struct ptx_shared_slot *slot = &layout->slots[i];
        uint64_t length = slot->variable->size ? slot->variable->size : UINT32_MAX;
        before = slot->offset <= address ? slot : before;
        if (address < slot->offset || address - slot->offset >= length)
            continue;
        uint64_t offset = address - slot->offset;
        const struct hazard_names *names = &checker->names;
        if (names->element && names->source &&
            names->element(names->source, ptx_demangle(slot->variable->name, name, sizeof name), slot->variable->size,
                           offset, text, size))
            return;
        if (slot->variable->size && slot->variable->size <= element)
            snprintf(text, size, "%s", ptx_short_name(slot->variable->name, name, sizeof name));
        else
            snprintf(text, size, "%s[%" PRIu64 "]", ptx_short_name(slot->variable->name, name, sizeof name),
                     offset / element);
        return;
    }
    if (before)
        snprintf(text, size, "byte %" PRIu64 " of %s", address - before->offset,
                 ptx_short_name(before->variable->name, name, sizeof name));
    else
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

bool hazard_barrier_between(const struct hazard_checker *checker, const struct hazard *hazard)
{
    bool by_line = hazard->line && hazard->other_line;
    uint32_t a = by_line ? hazard->line : hazard->pc, b = by_line ? hazard->other_line : hazard->other_pc;
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    for (uint32_t at = 0; at < sim_program_size(checker->program); at++) {
        const struct ptx_function *function;
        const struct ptx_inst *inst = sim_program_inst(checker->program, at, &function);
        const char *file = hazard->file;
        uint32_t place = at;
        if (!ptx_is_block_barrier(inst->op))
            continue;
        if (by_line)
            ptx_source(function->module, inst, checker->main_file, &file, &place);
        if (place > low && place < high && !strcmp(file, hazard->file))
            return true;
    }
    return false;
}

static const char *file_of_location(const struct ptx_module *module, uint32_t location)
{
    uint32_t file = module->locations[location].file;
    return location && file < module->file_count ? module->files[file] : NULL;
}

// What lies beside the kernel's own file belongs to it, whatever the folder is called.
static bool is_library_file(const struct hazard_checker *checker, const char *name)
{
    const char *own = checker->main_file ? checker->main_file : "", *slash = strrchr(own, '/'),
               *end = strrchr(name, '/');
    size_t folder = slash ? (size_t)(slash - own) : 0;
    if (strcmp(name, own) == 0 || (folder && end && (size_t)(end - name) == folder && !strncmp(name, own, folder)))
        return false;
    return strstr(name, "/cccl/") || strstr(name, "/cub/") || strstr(name, "/thrust/") ||
           strstr(name, "/cooperative_groups");
}

bool hazard_in_library(const struct hazard_checker *checker, uint32_t pc)
{
    const struct ptx_function *function;
    const struct ptx_inst *inst = sim_program_inst(checker->program, pc, &function);
    const char *name = file_of_location(function->module, inst->location);
    if (!name) // a function of a header, called: nvcc gives it no line without optimisation; clang does as it is told
        return !function->module->is_of_llvm && text_starts(function->name, "_ZN18cooperative_groups");
    return is_library_file(checker, name);
}

bool hazard_is_of_groups(const struct hazard_checker *checker, uint32_t pc)
{
    const struct ptx_function *function;
    const struct ptx_inst *inst = sim_program_inst(checker->program, pc, &function);
    const char *name = file_of_location(function->module, inst->location);
    return name && is_library_file(checker, name) && strstr(name, "/cooperative_groups") && !strstr(name, "/async.h");
}

bool hazard_reads_for_library(const struct hazard_checker *checker, uint32_t pc)
{
    const struct ptx_function *function;
    const struct ptx_inst *inst = sim_program_inst(checker->program, pc, &function);
    const struct ptx_module *module = function->module;
    if (!hazard_in_library(checker, pc) || !file_of_location(module, inst->location))
        return hazard_in_library(checker, pc);
    for (int32_t at = (int32_t)inst->location; at > 0; at = module->locations[at].inlined_at) {
        const char *name = file_of_location(module, (uint32_t)at);
        bool is_callers = name && strstr(name, "/cuda/std/") && !strstr(name, "/cuda/std/__atomic/");
        if (name && is_library_file(checker, name) && !is_callers)
            return true;
    }
    return false;
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

static bool is_passed_by_all(const struct ptx_inst *inst)
{
    return ptx_is_block_barrier(inst->op) && inst->guard < 0;
}

static bool is_mbarrier_wait(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_MBARRIER_TRY_WAIT || inst->op == PTX_OP_MBARRIER_TEST_WAIT;
}

static bool is_mbarrier_arrival(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_MBARRIER_ARRIVE || inst->op == PTX_OP_MBARRIER_ARRIVE_DROP;
}

static bool fences_memory(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_FENCE || inst->op == PTX_OP_MEMBAR;
}

// As one of those that the mbarrier expects.
static bool is_arrival_of_copies(const struct ptx_inst *inst)
{
    return inst->op == PTX_OP_CP_ASYNC_MBARRIER_ARRIVE && inst->choice; // .noinc
}

// What a way goes around: barriers of the block that all threads pass, and these.
enum around { AROUND_NOTHING, AROUND_BARRIERS, AROUND_FENCES, AROUND_WAITS };

static bool ends_way(const struct ptx_inst *inst, unsigned trait, enum around around)
{
    return (around != AROUND_NOTHING && is_passed_by_all(inst)) || (around == AROUND_FENCES && fences_memory(inst)) ||
           (around == AROUND_WAITS && (is_mbarrier_wait(inst) || trait & VALUE_POLLED));
}

// Whether a way leads from an instruction to another one of its function. A barrier between them in the source that it
// goes around is in a branch that all threads may leave out together. traits: of the function's instructions.
static bool way_leads(const struct ptx_function *function, const uint16_t *traits, uint32_t from, uint32_t to,
                      enum around around)
{
    bool *seen = mem_alloc(function->block_count + 1), found = false;
    uint32_t *open = mem_alloc((function->block_count + 1) * sizeof *open), count = 0;
    uint32_t at = from + 1, block = 0;
    while (block + 1 < function->block_count && function->blocks[block].last < from)
        block++;
    for (bool more = function->block_count > 0; more && !found;) {
        const struct ptx_block *here = &function->blocks[block];
        for (; at <= here->last && at != to && !ends_way(&function->insts[at], traits[at], around); at++)
            ;
        found = at == to && at <= here->last;
        bool goes_on = !found && at > here->last, is_table = here->successor_count == UINT32_MAX;
        found = found || (goes_on && is_table && !around); // wherever a table leads to
        for (uint32_t i = 0; goes_on && !is_table && i < here->successor_count; i++) {
            uint32_t next = here->successors[i];
            if (!seen[next])
                open[count++] = next;
            seen[next] = true;
        }
        more = count > 0;
        block = more ? open[--count] : block;
        at = function->blocks[block].first;
    }
    free(open);
    free(seen);
    return found;
}

// Two accesses of one function, as they stand in the source.
struct pair {
    const struct ptx_function *function;
    const uint16_t *traits; // of its instructions
    uint32_t upper, lower;
};

static bool place_pair(const struct hazard_checker *checker, const struct finding *finding, const struct hazard *hazard,
                       struct pair *pair)
{
    const struct ptx_function *function, *other_function;
    const struct ptx_inst *inst = sim_program_inst(checker->program, finding->pc, &function);
    const struct ptx_inst *other = sim_program_inst(checker->program, finding->other_pc, &other_function);
    bool by_line = hazard->line && hazard->other_line;
    bool is_first = by_line ? hazard->line < hazard->other_line : finding->pc < finding->other_pc;
    if (!inst || !other || function != other_function)
        return false;
    uint32_t place = (uint32_t)(inst - function->insts), other_place = (uint32_t)(other - function->insts);
    *pair = (struct pair){.function = function,
                          .traits = checker->values.traits + (finding->pc - place),
                          .upper = is_first ? place : other_place,
                          .lower = is_first ? other_place : place};
    return true;
}

// Of two accesses with a barrier between their lines: whether a way leads around it from the upper one to the lower, or
// (back) from the lower one to the upper.
static bool way_between(const struct hazard_checker *checker, const struct finding *finding,
                        const struct hazard *hazard, bool back)
{
    struct pair pair = {0};
    if (!place_pair(checker, finding, hazard, &pair))
        return back;
    return back ? way_leads(pair.function, pair.traits, pair.lower, pair.upper, AROUND_NOTHING)
                : way_leads(pair.function, pair.traits, pair.upper, pair.lower, AROUND_BARRIERS);
}

static bool leads_to(const struct pair *pair, uint32_t from, bool lower, enum around around)
{
    return way_leads(pair->function, pair->traits, from, lower ? pair->lower : pair->upper, around);
}

// A thread that waits here, at an mbarrier or for a flag, does so for one of the two alone.
static bool waits_for_one(const struct pair *pair, uint32_t at)
{
    return leads_to(pair, at, false, AROUND_WAITS) != leads_to(pair, at, true, AROUND_WAITS);
}

// A way leads here from one of the two, with no wait on it.
static bool leads_from_one(const struct pair *pair, uint32_t to)
{
    return way_leads(pair->function, pair->traits, pair->upper, to, AROUND_WAITS) ||
           way_leads(pair->function, pair->traits, pair->lower, to, AROUND_WAITS);
}

// Threads of two roles, or who wait for each other in the midst of the code: what orders the two accesses is no barrier
// of the block then. NULL: they are not.
static const char *handing_cure(const struct pair *pair)
{
    const struct ptx_function *function = pair->function;
    bool at_mbarrier = false, by_flag = false, by_copies = false;
    if (pair->upper == pair->lower || leads_to(pair, pair->upper, true, AROUND_WAITS))
        return NULL;
    for (uint32_t i = 0; i < function->inst_count; i++) {
        const struct ptx_inst *inst = &function->insts[i];
        bool is_relaxed = ptx_has(inst, PTX_MOD_RELAXED);
        bool waits = is_mbarrier_wait(inst) && (!at_mbarrier || is_relaxed) && waits_for_one(pair, i);
        if (waits && is_relaxed && (leads_to(pair, i, false, AROUND_FENCES) || leads_to(pair, i, true, AROUND_FENCES)))
            return "the wait at the mbarrier is .relaxed and orders nothing: take .acquire, or put a fence behind it";
        if (is_mbarrier_arrival(inst) && is_relaxed &&
            (way_leads(function, pair->traits, pair->upper, i, AROUND_FENCES) ||
             way_leads(function, pair->traits, pair->lower, i, AROUND_FENCES)))
            return "the arrival at the mbarrier is .relaxed and hands over only what comes before a fence: "
                   "take .release, or put a fence before it";
        at_mbarrier |= waits;
        by_copies = by_copies || (is_arrival_of_copies(inst) && leads_from_one(pair, i));
        by_flag = by_flag || (pair->traits[i] & VALUE_POLLED && waits_for_one(pair, i));
    }
    if (at_mbarrier && by_copies)
        return "copies that arrive at an mbarrier (cp.async.mbarrier.arrive) hand over what they bring, and "
               "nothing else that their thread did: it must wait for them (cp.async.wait_all) and then arrive itself";
    if (at_mbarrier)
        return "no mbarrier orders the two: the thread that comes first must arrive after it, and the other wait for "
               "that phase before its own; a lane that does so for its whole warp needs a __syncwarp() in between";
    if (by_flag)
        return "no flag orders the two: it takes a fence, __threadfence_block(), between the first and setting the "
               "flag, and one between seeing it and the second; a lane that does so for its whole warp needs a "
               "__syncwarp(), too";
    if (leads_to(pair, pair->upper, true, AROUND_NOTHING) || leads_to(pair, pair->lower, false, AROUND_NOTHING))
        return NULL;
    return "they are in two branches, neither of which can hold a barrier: end the first, then __syncthreads(), then "
           "the second";
}

// The access comes behind what may take a lock, or wait for one.
static bool is_behind_lock(const struct pair *pair)
{
    for (uint32_t i = 0; i < pair->function->inst_count; i++) {
        const struct ptx_inst *inst = &pair->function->insts[i];
        bool takes = inst->op == PTX_OP_ATOM &&
                     (ptx_has(inst, PTX_MOD_CAS) || (ptx_has(inst, PTX_MOD_EXCH) && !(pair->traits[i] & VALUE_UNREAD)));
        if ((takes || pair->traits[i] & VALUE_POLLED) && leads_to(pair, i, false, AROUND_BARRIERS))
            return true;
    }
    return false;
}

// ---- messages

// Of an instruction that loads or stores, where; NULL: it does neither.
static const struct ptx_operand *address_of(const struct described_place *place)
{
    const struct ptx_operand *operands = place->inst ? &place->function->operands[place->inst->operands] : NULL;
    if (!operands)
        return NULL;
    return place->inst->op == PTX_OP_ST ? operands : place->inst->op == PTX_OP_LD ? operands + 1 : NULL;
}

// What a register is worked out of.
struct origins {
    bool *has;           // registers, by number
    bool writes, widens; // of the instruction that is looked at: one of those; more than was known
};

static void see_written(void *context, uint32_t reg, bool written)
{
    struct origins *origins = context;
    origins->writes |= written && origins->has[reg];
}

static void add_read(void *context, uint32_t reg, bool written)
{
    struct origins *origins = context;
    if (written || !origins->writes || origins->has[reg])
        return;
    origins->has[reg] = origins->widens = true;
}

static void find_origins(const struct ptx_function *function, struct origins *origins)
{
    do {
        origins->widens = false;
        for (uint32_t i = 0; i < function->inst_count; i++) {
            origins->writes = false;
            ptx_visit_registers(function, &function->insts[i], see_written, origins);
            ptx_visit_registers(function, &function->insts[i], add_read, origins);
        }
    } while (origins->widens);
}

// part[t] += part[t + s]: the line reads other places as well, which is what meets others' stores. Not those that tell
// which place it is, h[key[t]]++.
static bool reads_other_places(const struct hazard_checker *checker, const struct described_place *place,
                               const struct ptx_operand *at)
{
    const struct ptx_function *function = place->function;
    struct origins origins = {.has = mem_alloc(function->register_count + 1)};
    bool found = false;
    if (at->base_kind == PTX_OPERAND_REGISTER) {
        origins.has[at->value.reg] = true;
        find_origins(function, &origins);
    }
    for (uint32_t i = 0; i < function->inst_count && !found; i++) {
        const struct ptx_inst *inst = &function->insts[i];
        const struct ptx_operand *to = &function->operands[inst->operands], *from = to + 1;
        const char *file;
        uint32_t line;
        if (inst->op != PTX_OP_LD || inst->space != place->inst->space)
            continue;
        ptx_source(function->module, inst, checker->main_file, &file, &line);
        if (line != place->line || strcmp(file, place->file) != 0)
            continue;
        bool is_same = from->base_kind == at->base_kind && from->offset == at->offset &&
                       (at->base_kind != PTX_OPERAND_REGISTER || from->value.reg == at->value.reg);
        found = !is_same && !(to->kind == PTX_OPERAND_REGISTER && origins.has[to->value.reg]);
    }
    free(origins.has);
    return found;
}

// h[x]++: a load and a store of one place, written as one. No barrier keeps two threads apart that do so.
static bool updates_one_place(const struct hazard_checker *checker, const struct described_place *a,
                              const struct described_place *b)
{
    const struct ptx_operand *x = address_of(a), *y = address_of(b);
    if (!x || !y || !a->line || a->line != b->line || a->inst->op == b->inst->op || a->function != b->function ||
        x->base_kind != y->base_kind || x->offset != y->offset || reads_other_places(checker, a, x))
        return false;
    return x->base_kind == PTX_OPERAND_REGISTER   ? x->value.reg == y->value.reg
           : x->base_kind == PTX_OPERAND_VARIABLE ? x->value.variable == y->value.variable
                                                  : false;
}

static const char pair_of[] = "{there} {does there} {what} ({who there}) and {here} {does} it ({who}); {cure}.";
static const char same_constant[] =
    "{here} {does} {what} from several threads, all with the same value: harmless, as long as it is intended.";
static const char same_value[] = "{here} {does} {what} from several threads ({who there}, {who}). They wrote one value "
                                 "in this run, but it is made of "
                                 "data, and unordered writes are a race even so: let one thread write.";
static const char last_value[] =
    "{here} writes {what} from several threads ({who there}, {who}) with different values: which one remains is luck; "
    "if all of them are meant for it, let one thread write, or use an atomic; if not, their indices fall together.";
static const char twice_at_cluster[] =
    "{here}: {who} arrives at the cluster's barrier again without having waited there since (barrier.cluster.wait, "
    "barrier_wait()): PTX leaves open what comes of that. Each arrival takes a wait of its own.";
static const char ended_before[] =
    "{here}: other threads of the block ended {elsewhere} before this barrier ({who} waits here). Threads that ended "
    "count as arrived, so this is allowed, as long as nobody needs what they would have done.";
static const char names_absent[] = "{here}: the mask names lanes that do not come here; they are {elsewhere} ({who} is "
                                   "here): move the call out of the "
                                   "branch, or take the mask from __ballot_sync() before it.";

// Its copies are counted by a phase, with arrivals that are added to those expected.
static bool adds_arrivals(const struct ptx_function *function)
{
    for (uint32_t i = 0; function && i < function->inst_count; i++)
        if (function->insts[i].op == PTX_OP_CP_ASYNC_MBARRIER_ARRIVE && !function->insts[i].choice) // no .noinc
            return true;
    return false;
}

// A wait of it at mbarriers tells that a phase is over and orders nothing.
static bool waits_relaxed(const struct ptx_function *function)
{
    for (uint32_t i = 0; function && i < function->inst_count; i++)
        if (is_mbarrier_wait(&function->insts[i]) && ptx_has(&function->insts[i], PTX_MOD_RELAXED))
            return true;
    return false;
}

// What waits for a copy.
static const char *copy_cure(const struct described_place *at)
{
    const struct ptx_inst *copy = at->inst;
    bool at_mbarrier = copy && ptx_has(copy, PTX_MOD_MBARRIER__COMPLETE_TX__BYTES);
    if ((at_mbarrier || (copy && copy->op == PTX_OP_CP_ASYNC)) && waits_relaxed(at->function))
        return "by .acquire at the mbarrier (a wait that is .relaxed says that the phase is over and orders nothing "
               "behind it), or put a fence after the wait";
    if (at_mbarrier)
        return "at the mbarrier that it arrives at, for the phase that it ends";
    if (copy && copy->op != PTX_OP_CP_ASYNC)
        return "(cp.async.bulk.wait_group)";
    if (adds_arrivals(at->function))
        return "at the mbarrier that counts it; each lane hands its copies over before it arrives there, and all lanes "
               "do before one arrives for their warp (__syncwarp())";
    return "(__pipeline_wait_prior, cp.async.wait_group), then __syncthreads()";
}

// Of the mbarrier that one of them made, the other uses it, whatever it does there besides.
static const char *verb_beside(const struct ptx_inst *inst, const struct ptx_inst *other, enum ptx_space space)
{
    bool uses = other && other->op == PTX_OP_MBARRIER_INIT && inst && ptx_opcode_group(inst->op) != PTX_GROUP_SYNC;
    return uses ? "uses" : access_verb(inst, space);
}

static const char *name_of_copy(const struct ptx_inst *inst, const char *copy)
{
    return inst && inst->op == PTX_OP_ST_ASYNC ? "store" : inst && inst->op == PTX_OP_RED_ASYNC ? "reduction" : copy;
}

struct message {
    const char *form, *cure, *here, *what;
    enum ptx_space space;
    const struct described_place *first, *second; // {there} and {here}
    bool is_one_warp;
    char own_cure[192];
};

static void message_fill(const struct message *message, struct text *text)
{
    const struct described_place *first = message->first, *second = message->second;
    const struct {
        const char *name, *before, *text;
    } words[] = {{"{here}", "", message->here},
                 {"{there}", "", first->where},
                 {"{does}", "", verb_beside(second->inst, first->inst, message->space)},
                 {"{does there}", "", verb_beside(first->inst, second->inst, message->space)},
                 {"{who}", "", second->who},
                 {"{who there}", "", first->who},
                 {"{what}", "", message->what},
                 {"{elsewhere}", first->inst ? "at " : "", first->inst ? first->where : "elsewhere"},
                 {"{warp}", "", message->is_one_warp ? ", not the other lanes of its warp" : ""},
                 {"{reader}", "", second->inst && second->inst->op == PTX_OP_WGMMA_MMA ? "wgmma" : "bulk copy"},
                 {"{copy there}", "", name_of_copy(first->inst, "copy")},
                 {"{sent}", "", name_of_copy(second->inst, "bulk copy")},
                 {"{cure}", "", message->cure}};
    const char *at = message->form, *open;
    while ((open = strchr(at, '{'))) {
        text_append(text, at, (size_t)(open - at));
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (!strncmp(open, words[i].name, strlen(words[i].name)))
                text_printf(text, "%s%s", words[i].before, words[i].text);
        at = open + strcspn(open, "}") + 1;
    }
    text_puts(text, at);
}

static bool is_strong_access(const struct ptx_inst *inst)
{
    return inst && (ptx_opcode_group(inst->op) == PTX_GROUP_ATOMIC || ptx_has(inst, PTX_MOD_VOLATILE) ||
                    ptx_has(inst, PTX_MOD_RELAXED) || ptx_has(inst, PTX_MOD_ACQUIRE) || ptx_has(inst, PTX_MOD_RELEASE));
}

// Of two strong accesses of different blocks, why they race nevertheless. NULL: for another reason.
static const char *scope_cure(enum hazard_kind kind, const struct ptx_inst *a, const struct ptx_inst *b)
{
    if (!is_strong_access(a) || !is_strong_access(b))
        return NULL;
    bool of_block = ptx_has(a, PTX_MOD_CTA) || ptx_has(b, PTX_MOD_CTA);
    bool of_cluster = ptx_has(a, PTX_MOD_CLUSTER) || ptx_has(b, PTX_MOD_CLUSTER);
    if (of_block && kind == HAZARD_CLUSTER_RACE)
        return "what has the scope of a block (.cta, thread_scope_block) is neither atomic nor an order for another "
               "block of the cluster: take .cluster, or the whole device";
    if (of_block)
        return "an atomic whose scope is a block (atomicAdd_block, thread_scope_block) is none for other blocks: "
               "take one of the whole device";
    if (of_cluster && kind == HAZARD_BLOCK_RACE)
        return "an atomic whose scope is the cluster (.cluster) is none for blocks of other clusters: take one of the "
               "whole device";
    return NULL;
}

// A flag or a counter is read in global memory: by an atomic, or strongly.
static bool reads_flags(const struct hazard_checker *checker)
{
    bool found = false;
    for (uint32_t pc = 0; pc < sim_program_size(checker->program) && !found; pc++) {
        const struct ptx_inst *inst = sim_program_inst(checker->program, pc, NULL);
        bool is_global = !inst->has_space || inst->space == PTX_GENERIC || inst->space == PTX_GLOBAL;
        bool reads = inst->op == PTX_OP_ATOM || (inst->op == PTX_OP_LD && is_strong_access(inst));
        found = is_global && reads;
    }
    return found;
}

// The lines of the two barriers at which warps met as one; false: there are none, or not two lines of this file.
static bool mixed_lines(const struct hazard_checker *checker, const char *file, uint32_t lines[2])
{
    uint64_t pair = ~checker->findings.mixed;
    bool known = checker->findings.mixed != 0;
    for (int i = 0; i < 2 && known; i++) {
        const struct ptx_function *function;
        const char *of = "";
        uint32_t pc = (uint32_t)(i ? pair : pair >> 32);
        const struct ptx_inst *inst = sim_program_inst(checker->program, pc, &function);
        ptx_source(function->module, inst, checker->main_file, &of, &lines[i]);
        known = lines[i] && strcmp(of, file) == 0;
    }
    if (known && lines[0] > lines[1]) {
        uint32_t upper = lines[1];
        lines[1] = lines[0];
        lines[0] = upper;
    }
    return known && lines[0] != lines[1];
}

static const char *update_cure(const struct pair *pair)
{
    return pair->function && is_behind_lock(pair)
               ? "threads that update one place need an atomic, such as atomicAdd(), or one lock for all of them, with "
                 "a fence after taking it and one before giving it back"
               : "threads that update one place need an atomic, such as atomicAdd()";
}

// Of two blocks. NULL: what is said of every such race.
static const char *blocks_cure(const struct hazard_checker *checker, const struct finding *finding)
{
    if (finding->by_barrier)
        return "behind the read of the flag stands a barrier, but no fence or acquire of the whole device: it works as "
               "a rule, but PTX promises nothing without; put __threadfence() there";
    if (checker->hands_over)
        return "no flag, counter or lock orders the two: it takes the block's barrier and then a fence of the whole "
               "device, __threadfence(), between the first and setting the flag, and such a fence between seeing it "
               "and the second";
    if (!finding->same_value && reads_flags(checker))
        return "blocks run in any order: a flag or counter orders the two only with a fence, __threadfence(), before "
               "it "
               "is set and another one behind where it is seen; else give each block its own place, use an atomic, or "
               "a "
               "second kernel";
    return NULL;
}

// How the barrier of the block misses that stands between two lines, if one does.
struct gap {
    bool skipped; // not all threads pass it
    bool avoided; // a way leads around it
    bool round;   // one leads from the lower line back to the upper one
    bool apart;   // none of these
};

static struct gap gap_between(const struct hazard_checker *checker, const struct finding *finding,
                              const struct hazard *hazard)
{
    struct gap gap = {0};
    if (!hazard_barrier_between(checker, hazard))
        return gap;
    gap.skipped = barrier_skipped(checker);
    gap.avoided = !gap.skipped && way_between(checker, finding, hazard, false);
    gap.round = !gap.skipped && !gap.avoided && way_between(checker, finding, hazard, true);
    gap.apart = !gap.skipped && !gap.avoided && !gap.round;
    return gap;
}

// own: for what holds numbers. NULL: what is said of every race of the block.
static const char *barrier_cure(const struct hazard_checker *checker, const struct hazard *hazard,
                                const struct gap *gap, char own[192])
{
    uint32_t lines[2];
    if ((gap->skipped || gap->apart) && mixed_lines(checker, hazard->file, lines)) {
        snprintf(own, 192,
                 "some warps wait at the barrier of line %u while others are at that of line %u: one of them is in a "
                 "branch that not every thread takes; move it out",
                 lines[0], lines[1]);
        return own;
    }
    return gap->skipped   ? "not every thread passes the barrier in between: move it out of the branch"
           : gap->avoided ? "the barrier in between is in a branch that is not always taken: move it out"
           : gap->round   ? "no barrier on the way round the loop: put __syncthreads() at the end of its body"
           : gap->apart   ? "the barrier in between is not one that both of them arrive at, in this order"
                          : NULL;
}

// Of two blocks of a cluster. NULL: neither sends anything asynchronously.
static const char *sending_cure(const struct described_place *first, const struct described_place *second)
{
    bool one = first->inst && ptx_has(first->inst, PTX_MOD_MBARRIER__COMPLETE_TX__BYTES);
    bool other = second->inst && ptx_has(second->inst, PTX_MOD_MBARRIER__COMPLETE_TX__BYTES);
    if (one && other)
        return "nothing orders what blocks send to one place: give each its own, or send the second when the block "
               "that "
               "waits for the first has told that it came";
    if ((one || other) && waits_relaxed(first->function))
        return "a wait at the mbarrier that is .relaxed says that the phase is over and orders nothing behind it: wait "
               "by "
               ".acquire, or put a fence after the wait";
    if (one || other)
        return "nothing orders the two blocks: what is sent so has come for who waits at its mbarrier, and a "
               "cluster.sync() alone does not say so; where it is to come after the other's use, put a cluster.sync() "
               "in "
               "between";
    return NULL;
}

static bool makes_mbarrier(const struct described_place *place)
{
    return place->inst && place->inst->op == PTX_OP_MBARRIER_INIT;
}

static bool writes_there(const struct described_place *place, enum ptx_space space)
{
    return strcmp(access_verb(place->inst, space), "writes") == 0;
}

static const char *race_cure(const struct hazard_checker *checker, const struct finding *finding,
                             const struct hazard *hazard, const struct gap *gap, struct message *message)
{
    const struct described_place *first = message->first, *second = message->second;
    const char *cure = finding->several_blocks ? scope_cure(finding->kind, first->inst, second->inst) : NULL;
    bool same = !strcmp(first->where, second->where), is_pair = message->form == pair_of;
    struct pair pair = {0};
    place_pair(checker, finding, hazard, &pair);
    if (cure)
        return cure;
    if (finding->kind == HAZARD_CLUSTER_RACE && (makes_mbarrier(first) || makes_mbarrier(second)))
        return "the other block is not told that it was made: put a cluster.sync() in between, or, where the arrival "
               "at the cluster's barrier is .relaxed, a fence.mbarrier_init behind the mbarrier.init";
    if (finding->kind == HAZARD_CLUSTER_RACE && (cure = sending_cure(first, second)))
        return cure;
    if (hazard->is_update)
        return update_cure(&pair);
    if (finding->by_barrier || finding->kind == HAZARD_BLOCK_RACE)
        return blocks_cure(checker, finding);
    if (finding->kind == HAZARD_GLOBAL_RACE && same && writes_there(first, finding->space) &&
        writes_there(second, finding->space))
        return "no barrier makes two results of one place: give each thread its own";
    if (finding->kind == HAZARD_WARP_RACE && same && is_pair)
        return "lanes of a warp can run apart within the line, too: read into a register, then __syncwarp(), then "
               "write";
    if (finding->kind == HAZARD_RACE && (cure = barrier_cure(checker, hazard, gap, message->own_cure)))
        return cure;
    bool in_block = finding->kind == HAZARD_RACE || finding->kind == HAZARD_GLOBAL_RACE;
    return in_block && pair.function && !hazard_barrier_between(checker, hazard) ? handing_cure(&pair) : NULL;
}

// Races are reported in the order of the source, whatever came first in this run; where a barrier stands between the
// two, the bug is on the way back round a loop.
static void race_fill(const struct hazard_checker *checker, const struct finding *finding, const struct hazard *hazard,
                      struct message *message)
{
    const struct described_place *first = message->first, *second = message->second;
    const struct gap gap = gap_between(checker, finding, hazard);
    bool same = !strcmp(first->where, second->where);
    bool in_order = first->line && second->line ? first->line <= second->line : finding->other_pc <= finding->pc;
    bool swaps = in_order == gap.round;
    message->first = swaps ? second : first;
    message->second = swaps ? first : second;
    message->here = message->second->where;
    message->form = pair_of;
    if (finding->benign && !finding->by_barrier)
        message->form = same_constant;
    else if (finding->same_value)
        message->form = same_value;
    else if (same && finding->pc == finding->other_pc && writes_there(message->second, finding->space))
        message->form = last_value;
    else if (same)
        message->here = "the same line";
    const char *cure = race_cure(checker, finding, hazard, &gap, message);
    message->cure = cure ? cure : kinds[finding->kind].message;
}

void hazard_describe(const struct hazard_checker *checker, const struct finding *finding, struct hazard *hazard)
{
    bool blocks = finding->several_blocks;
    struct described_place second = describe_place(checker, finding->pc, finding->thread, finding->block, blocks);
    struct described_place first =
        describe_place(checker, finding->other_pc, finding->other_thread, finding->other_block, blocks);
    char what[128];
    *hazard = (struct hazard){.kind = finding->kind,
                              .pc = finding->pc,
                              .other_pc = finding->other_pc,
                              .file = second.file,
                              .line = second.line,
                              .other_line = strcmp(first.file, second.file) == 0 ? first.line : 0,
                              .space = finding->space,
                              .address = finding->address,
                              .count = finding->count,
                              .benign = finding->benign,
                              .same_value = finding->same_value,
                              .is_update = kinds[finding->kind].family == FAMILY_RACE &&
                                           finding->kind != HAZARD_ATOMIC_RACE &&
                                           updates_one_place(checker, &first, &second)};
    linear_to_index(finding->block, checker->grid, hazard->block);
    linear_to_index(finding->other_block, checker->grid, hazard->other_block);
    linear_to_index(finding->thread, checker->shape, hazard->thread);
    if (finding->other_thread != UINT32_MAX)
        linear_to_index(finding->other_thread, checker->shape, hazard->other_thread);
    name_place(checker, finding, second.inst, what, sizeof what);
    bool at_cluster =
        finding->kind == HAZARD_ARRIVES_TWICE && second.inst && second.inst->op == PTX_OP_BARRIER_CLUSTER_ARRIVE;
    struct message message = {.form = finding->benign   ? ended_before
                                      : at_cluster      ? twice_at_cluster
                                      : finding->absent ? names_absent
                                                        : kinds[finding->kind].message,
                              .cure = copy_cure(&first),
                              .here = second.where,
                              .what = what,
                              .space = finding->space,
                              .first = &first,
                              .second = &second,
                              .is_one_warp = finding->other_thread != UINT32_MAX &&
                                             finding->block == finding->other_block &&
                                             finding->thread / SIM_LANES == finding->other_thread / SIM_LANES};
    struct text text = {0};
    uint32_t lines[2];
    if (kinds[finding->kind].family == FAMILY_RACE)
        race_fill(checker, finding, hazard, &message);
    message_fill(&message, &text);
    if (finding->kind == HAZARD_BARRIER_UNEVEN && !finding->benign && mixed_lines(checker, hazard->file, lines))
        text_printf(&text,
                    " Before, some warps waited at the barrier of line %u while others were at that of line %u: one of "
                    "them is in a branch that not every thread takes.",
                    lines[0], lines[1]);
    snprintf(hazard->message, sizeof hazard->message, "%s", text_get(&text));
    text_free(&text);
}
