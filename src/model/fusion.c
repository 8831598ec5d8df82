// Which scalar accesses of a block ptxas joins, drops or takes out of a loop.
#include "model/fusion.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/known_bits.h"

// Where an address comes from and when it is used: equal keys in one block mean equal bases and equal lanes.
struct fusion_key {
    uint32_t base;                        // register, SHARED_BASE, or VARIABLE_BASE + the variable's order
    uint32_t base_version, guard_version; // how often the block wrote them before
    uint32_t guard;                       // 0 = none
};
// Where variables lie is known: they are one base, whose offsets go through all of them. Not where dynamic shared
// memory begins.
enum { SHARED_BASE = 1 << 29, VARIABLE_BASE = 1 << 30 };

// One access that may be fused: [base + offset], `width` bytes a lane.
struct candidate {
    struct fusion_key key;
    int64_t aligned; // offset plus what is known of the base: windows are cut from this
    uint32_t inst, width;
    uint32_t known; // low bits of base that are known
};

// Register = root + offset, as additions and moves of this block say: nvcc may name the same base many times.
struct alias {
    uint32_t root, root_version, version; // root: a register or SHARED_BASE; versions as in struct fusion_key
    int64_t offset;
    uint32_t block; // 1 + the block it holds in; 0 = none
};

struct candidates {
    struct candidate *items;
    size_t count, capacity;
};

struct fusion_pass {
    const struct ptx_function *function;
    const struct ptx_shared_layout *layout;
    const struct known_bits *bits;
    struct fusion_entry *plan;
    uint32_t *definitions; // by register: how often it was written in this block so far
    struct alias *aliases; // by register
    struct candidates loads, stores;
    bool *used;   // by register: somebody reads it
    bool *shared; // by instruction: another load's work is done by it
};

static bool same_key(const struct candidate *a, const struct candidate *b)
{
    return !memcmp(&a->key, &b->key, sizeof a->key);
}

static int candidate_compare(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    int keys = memcmp(&x->key, &y->key, sizeof x->key);
    if (keys)
        return keys;
    if (x->aligned != y->aligned)
        return x->aligned < y->aligned ? -1 : 1;
    if (x->width != y->width)
        return x->width < y->width ? -1 : 1;
    return x->inst < y->inst ? -1 : x->inst > y->inst;
}

// Keeps the one of `keep`, which accesses the whole window from `start`; the others of items[0 … count) go away.
static void fuse(struct fusion_pass *pass, const struct candidate *items, size_t count, const struct candidate *keep,
                 int64_t start, uint32_t bytes)
{
    for (size_t i = 0; i < count; i++)
        pass->plan[items[i].inst] = (struct fusion_entry){.action = FUSION_AWAY};
    pass->plan[keep->inst] =
        (struct fusion_entry){.action = FUSION_WIDE, .bytes = bytes, .delta = (int32_t)(start - keep->aligned)};
}

// The one that stands first in the text, or last.
static const struct candidate *outermost(const struct candidate *items, size_t count, bool last)
{
    const struct candidate *found = items;
    for (size_t i = 1; i < count; i++) {
        if (last ? items[i].inst > found->inst : items[i].inst < found->inst)
            found = &items[i];
    }
    return found;
}

static int64_t window_start(const struct candidate *candidate, int64_t size)
{
    return candidate->aligned & -size; // also right below zero
}

// How many of the candidates, in order, lie in the first one's window.
static size_t window_count(const struct candidate *items, size_t count, int64_t size)
{
    size_t n = 1;
    while (n < count && same_key(&items[n], items) && window_start(&items[n], size) == window_start(items, size))
        n++;
    return n;
}

// The words of a 16-byte window that the candidates want, one bit each; 0 if one is smaller than a word.
static unsigned words_wanted(const struct candidate *items, size_t count)
{
    unsigned words = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned first = (unsigned)(items[i].aligned & 15) / 4;
        if (items[i].width < 4)
            return 0;
        words |= ((1u << items[i].width / 4) - 1) << first;
    }
    return words & 15;
}

static bool all_are_words(const struct candidate *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (items[i].width != 4)
            return false;
    }
    return true;
}

static void fuse_load_halves(struct fusion_pass *pass, const struct candidate *items, size_t count)
{
    for (size_t i = 0, n; i < count; i += n) {
        n = window_count(items + i, count - i, 8);
        if (n > 1 && (items->known >= 4 || all_are_words(items + i, n)))
            fuse(pass, items + i, n, outermost(items + i, n, false), window_start(&items[i], 8), 8);
    }
}

// items: distinct loads of one aligned 16-byte window through one base.
static void fuse_load_window(struct fusion_pass *pass, const struct candidate *items, size_t count)
{
    if (items->known == 3) {
        fuse_load_halves(pass, items, count);
    } else if (items->known >= 4) {
        unsigned words = words_wanted(items, count);
        if (count > 1 && __builtin_popcount(words) >= 3)
            fuse(pass, items, count, outermost(items, count, false), window_start(items, 16), 16);
        else if (words)
            fuse_load_halves(pass, items, count);
    }
}

static void flush_loads(struct fusion_pass *pass)
{
    struct candidate *items = pass->loads.items;
    size_t count = pass->loads.count, kept = 0;
    if (count)
        qsort(items, count, sizeof *items, candidate_compare);
    for (size_t i = 0; i < count; i++) {
        struct candidate *last = kept ? &items[kept - 1] : NULL;
        if (last && same_key(last, &items[i]) && last->aligned == items[i].aligned && last->width == items[i].width)
            pass->plan[items[i].inst].action = FUSION_AWAY, pass->shared[last->inst] = true;
        else
            items[kept++] = items[i];
    }
    for (size_t i = 0, n; i < kept; i += n) {
        n = window_count(items + i, kept - i, 16);
        fuse_load_window(pass, items + i, n);
    }
    pass->loads.count = 0;
}

// How many stores follow each other without a gap and fill the aligned window from items[0] on; 0: they do not. Bytes
// stay as they are, and halves of words join up to 8 bytes (SASS of ptxas 13.0).
static size_t fills_window(const struct candidate *items, size_t count, int64_t bytes)
{
    int64_t end = items->aligned;
    size_t n = 0;
    if (window_start(items, bytes) != items->aligned)
        return 0;
    for (; n < count && same_key(&items[n], items) && items[n].aligned == end && end < items->aligned + bytes; n++) {
        if (items[n].width < 2 || (items[n].width < 4 && bytes > 8))
            return 0;
        end += items[n].width;
    }
    return end == items->aligned + bytes ? n : 0;
}

// The widest window that the stores from items[0] on fill: its bytes, and how many they are.
static size_t widest_window(const struct candidate *items, size_t count, uint32_t *bytes)
{
    for (uint32_t bits = items->known < 4 ? items->known : 4; bits >= 2; bits--) {
        size_t n = fills_window(items, count, 1 << bits);
        *bytes = 1u << bits;
        if (n)
            return n;
    }
    return 1;
}

static bool any_stored_twice(const struct candidate *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (items[i].aligned == items[i - 1].aligned)
            return true;
    }
    return false;
}

static void flush_stores(struct fusion_pass *pass)
{
    struct candidate *items = pass->stores.items;
    size_t count = pass->stores.count;
    pass->stores.count = 0;
    if (count < 2)
        return;
    qsort(items, count, sizeof *items, candidate_compare);
    if (any_stored_twice(items, count))
        return;
    for (size_t i = 0, n; i < count; i += n) {
        uint32_t bytes = 0;
        n = widest_window(items + i, count - i, &bytes);
        if (n > 1)
            fuse(pass, items + i, n, outermost(items + i, n, true), items[i].aligned, bytes);
    }
}

static void flush_candidates(struct fusion_pass *pass)
{
    flush_loads(pass);
    flush_stores(pass);
}

static bool variable_place(const struct fusion_pass *pass, const struct ptx_variable *variable, int64_t *offset)
{
    for (uint32_t i = 0; i < pass->layout->count; i++) {
        *offset = pass->layout->slots[i].offset;
        if (pass->layout->slots[i].variable == variable)
            return true;
    }
    return false;
}

// What reg is now, in terms of another register of this block where it is the sum of that and a constant.
static struct alias alias_resolve(const struct fusion_pass *pass, uint32_t reg, uint32_t block)
{
    const struct alias *alias = &pass->aliases[reg];
    if (alias->block == block + 1 && alias->version == pass->definitions[reg])
        return *alias;
    return (struct alias){.root = reg, .root_version = pass->definitions[reg]};
}

// Constants as the instruction adds them: those of 32 bits wrap.
static bool added_constant(const struct ptx_inst *inst, const struct ptx_operand *operand, int64_t *value)
{
    if (operand->kind != PTX_OPERAND_INTEGER)
        return false;
    *value = ptx_type_size(inst->types[0]) == 4 ? (int32_t)operand->value.bits : (int64_t)operand->value.bits;
    return true;
}

// add rX, rY, constant and mov rX, variable, of integers as wide as addresses: what rX becomes.
static bool alias_of(const struct fusion_pass *pass, uint32_t index, struct alias *alias)
{
    const struct ptx_inst *inst = &pass->function->insts[index];
    const struct ptx_operand *operands = &pass->function->operands[inst->operands];
    bool is_wide = inst->type_count && ptx_type_size(inst->types[0]) >= 4;
    int64_t offset;
    if (inst->guard >= 0 || !is_wide || inst->operand_count < 2 || operands[0].kind != PTX_OPERAND_REGISTER)
        return false;
    if (inst->op == PTX_OP_MOV && operands[1].kind == PTX_OPERAND_VARIABLE &&
        variable_place(pass, operands[1].value.variable, &offset)) {
        *alias = (struct alias){.root = SHARED_BASE, .offset = offset + operands[1].offset};
        return true;
    }
    if (inst->op != PTX_OP_ADD || inst->operand_count != 3 || operands[1].kind != PTX_OPERAND_REGISTER ||
        !added_constant(inst, &operands[2], &offset))
        return false;
    *alias = alias_resolve(pass, operands[1].value.reg, pass->function->block_of[index]);
    alias->offset += offset;
    return true;
}

// False: an access that is never fused.
static bool describe_access(const struct fusion_pass *pass, uint32_t index, const struct ptx_operand *address,
                            struct candidate *candidate)
{
    const struct ptx_inst *inst = &pass->function->insts[index];
    struct known_bits bits;
    int64_t offset = address->offset;
    *candidate = (struct candidate){.inst = index};
    if (address->base_kind == PTX_OPERAND_REGISTER) {
        struct alias base = alias_resolve(pass, address->value.reg, pass->function->block_of[index]);
        bits = base.root == SHARED_BASE ? (struct known_bits){.count = 4} : pass->bits[base.root];
        offset += base.offset;
        candidate->key.base = base.root;
        candidate->key.base_version = base.root_version;
    } else if (address->base_kind == PTX_OPERAND_VARIABLE) {
        int64_t place = 0;
        bool is_placed = variable_place(pass, address->value.variable, &place);
        bits = (struct known_bits){.count = is_placed ? 4 : 0};
        offset += place * is_placed;
        candidate->key.base = is_placed ? SHARED_BASE : VARIABLE_BASE + address->value.variable->order;
    } else {
        return false;
    }
    if (inst->guard >= 0) {
        candidate->key.guard = 2 * ((uint32_t)inst->guard + 1) + inst->guard_negated;
        candidate->key.guard_version = pass->definitions[inst->guard];
    }
    candidate->known = bits.count;
    candidate->aligned = (int64_t)bits.value + offset;
    candidate->width = (inst->vector ? inst->vector : 1) * ptx_type_size(inst->types[0]);
    return candidate->width > 0 && candidate->width <= 16;
}

// .volatile, .relaxed and stronger accesses are neither fused nor dropped.
static bool is_weak(const struct ptx_inst *inst)
{
    return !ptx_has(inst, PTX_MOD_VOLATILE) && !ptx_has(inst, PTX_MOD_RELAXED) && !ptx_has(inst, PTX_MOD_ACQUIRE) &&
           !ptx_has(inst, PTX_MOD_RELEASE) && !ptx_has(inst, PTX_MOD_MMIO);
}

static void add_candidate(struct candidates *list, const struct candidate *candidate)
{
    *mem_append(list->items, list->capacity, list->count) = *candidate;
}

static void visit_load(struct fusion_pass *pass, uint32_t index)
{
    const struct ptx_inst *inst = &pass->function->insts[index];
    struct candidate candidate;
    if (inst->space != PTX_SHARED && inst->has_space && inst->space != PTX_GENERIC)
        return;
    flush_stores(pass);
    if (inst->space != PTX_SHARED || !inst->has_space)
        return;
    if (ptx_has(inst, PTX_MOD_ACQUIRE))
        flush_candidates(pass);
    else if (is_weak(inst) && inst->operand_count > 1 &&
             describe_access(pass, index, &pass->function->operands[inst->operands + 1], &candidate))
        add_candidate(&pass->loads, &candidate);
}

static void visit_store(struct fusion_pass *pass, uint32_t index)
{
    const struct ptx_inst *inst = &pass->function->insts[index];
    struct candidate candidate;
    if (inst->space != PTX_SHARED && inst->has_space && inst->space != PTX_GENERIC)
        return;
    flush_loads(pass);
    if (!inst->has_space || inst->space != PTX_SHARED || !is_weak(inst) ||
        !describe_access(pass, index, &pass->function->operands[inst->operands], &candidate)) {
        flush_stores(pass);
        return;
    }
    if (pass->stores.count && !same_key(&pass->stores.items[0], &candidate))
        flush_stores(pass);
    add_candidate(&pass->stores, &candidate);
}

static void count_definition(void *definitions, uint32_t reg, bool written)
{
    ((uint32_t *)definitions)[reg] += written;
}

// Instructions that other threads may act between, or that stand for code that is not seen.
static bool is_synchronising(const struct ptx_inst *inst)
{
    switch (ptx_opcode_group(inst->op)) {
    case PTX_GROUP_ATOMIC:
    case PTX_GROUP_SYNC:
    case PTX_GROUP_ASYNC:
    case PTX_GROUP_GPU_ONLY:
    case PTX_GROUP_TEXTURE:
        return true;
    default:
        return inst->op == PTX_OP_CALL || inst->op == PTX_OP_STMATRIX || inst->op == PTX_OP_WMMA_STORE;
    }
}

// Relaxed atomics of global memory: loads of shared memory go past them (SASS of ptxas 13.0).
static bool passes_loads(const struct ptx_inst *inst)
{
    return (inst->op == PTX_OP_ATOM || inst->op == PTX_OP_RED) && inst->has_space && inst->space == PTX_GLOBAL &&
           !ptx_has(inst, PTX_MOD_ACQUIRE) && !ptx_has(inst, PTX_MOD_RELEASE) && !ptx_has(inst, PTX_MOD_ACQ_REL);
}

static void visit_inst(struct fusion_pass *pass, uint32_t index)
{
    const struct ptx_inst *inst = &pass->function->insts[index];
    if (is_synchronising(inst)) {
        flush_stores(pass);
        if (!passes_loads(inst))
            flush_loads(pass);
    } else if (inst->op == PTX_OP_LD || inst->op == PTX_OP_LDU)
        visit_load(pass, index);
    else if (inst->op == PTX_OP_ST)
        visit_store(pass, index);
    else if (inst->op == PTX_OP_LDMATRIX || inst->op == PTX_OP_WMMA_LOAD)
        flush_stores(pass);
    struct alias alias;
    bool is_alias = alias_of(pass, index, &alias);
    ptx_visit_registers(pass->function, inst, count_definition, pass->definitions);
    if (is_alias) {
        uint32_t reg = pass->function->operands[inst->operands].value.reg;
        alias.version = pass->definitions[reg];
        alias.block = pass->function->block_of[index] + 1;
        pass->aliases[reg] = alias;
    }
}

// ---- loads of which not all is used

static void see_use(void *used, uint32_t reg, bool written)
{
    ((bool *)used)[reg] |= !written;
}

// Which of the elements that a load brings are used, one bit each.
static unsigned elements_used(const struct fusion_pass *pass, const struct ptx_inst *inst)
{
    const struct ptx_operand *to = &pass->function->operands[inst->operands], *elements = to;
    unsigned used = 0;
    uint32_t count = 1;
    if (to->kind == PTX_OPERAND_VECTOR) {
        elements = &pass->function->operands[to->value.vector.first];
        count = to->value.vector.count;
    } else if (inst->vector > 1) {
        return UINT32_MAX; // a register that is a vector
    }
    for (uint32_t i = 0; i < count; i++)
        used |= (unsigned)(elements[i].kind == PTX_OPERAND_REGISTER && pass->used[elements[i].value.reg]) << i;
    return used;
}

// Seen in the SASS of ptxas 13.0 for vectors of two and four, in shared and in global memory: of three words or four it
// loads all; of two the half that they are, or each by itself; of one that one. Halves of words likewise, but two that
// are no word take all. (What nobody uses at all it drops. Compilers do so before it; here that counts as written.)
static void shrink_load(struct fusion_pass *pass, uint32_t index)
{
    const struct ptx_inst *inst = &pass->function->insts[index];
    struct fusion_entry *entry = &pass->plan[index];
    uint32_t bytes = ptx_type_size(inst->types[0]), count = inst->vector ? inst->vector : 1;
    bool is_there = inst->space == PTX_SHARED || inst->space == PTX_GLOBAL || inst->space == PTX_GENERIC;
    if (inst->op != PTX_OP_LD || entry->action != FUSION_UNCHANGED || pass->shared[index] || !is_weak(inst) ||
        (inst->has_space && !is_there) || count > 4 || bytes < 2 || !inst->operand_count)
        return;
    unsigned all = (1u << count) - 1, used = elements_used(pass, inst) & all, first = 0;
    while (used && !(used >> first & 1))
        first++;
    unsigned number = (unsigned)__builtin_popcount(used);
    bool is_half = number == 2 && count == 4 && (used == 3 || used == 12), is_word = bytes >= 4;
    if (used != all && (number == 1 || is_half || (number == 2 && is_word)))
        *entry = (struct fusion_entry){.action = FUSION_WIDE,
                                       .bytes = is_half ? 2 * bytes : bytes,
                                       .delta = (int32_t)(first * bytes),
                                       .twice = number == 2 && !is_half};
}

static void shrink_loads(struct fusion_pass *pass)
{
    for (uint32_t i = 0; i < pass->function->inst_count; i++)
        ptx_visit_registers(pass->function, &pass->function->insts[i], see_use, pass->used);
    for (uint32_t i = 0; i < pass->function->inst_count; i++)
        shrink_load(pass, i);
}

// ---- loads that loops repeat

// Whether memory of that space may change or must be read again at this instruction.
static bool ends_hoisting(const struct ptx_inst *inst, enum ptx_space space)
{
    bool elsewhere = inst->has_space && inst->space != space && inst->space != PTX_GENERIC;
    return is_synchronising(inst) || (inst->op == PTX_OP_ST && !elsewhere);
}

// The only block that enters a loop, where nothing but the loop follows it; else UINT32_MAX.
static uint32_t find_preheader(const struct ptx_function *function, uint32_t loop)
{
    uint32_t found = UINT32_MAX, header = function->loops[loop].header;
    for (uint32_t i = 0; i < function->block_count; i++) {
        const struct ptx_block *block = &function->blocks[i];
        if (block->successor_count == UINT32_MAX)
            return UINT32_MAX;
        for (uint32_t j = 0; j < block->successor_count; j++) {
            if (block->successors[j] != header || ptx_loop_has(function, loop, i))
                continue;
            if (found != UINT32_MAX || block->successor_count != 1)
                return UINT32_MAX;
            found = i;
        }
    }
    return found;
}

// Those of its first block, which every turn executes.
static void hoist_from(struct fusion_pass *pass, uint32_t loop, uint32_t preheader)
{
    const struct ptx_function *function = pass->function;
    const struct ptx_block *first = &function->blocks[function->loops[loop].header];
    bool shared = true, global = true;
    memset(pass->definitions, 0, function->register_count * sizeof *pass->definitions);
    for (uint32_t b = 0; b < function->block_count; b++)
        for (uint32_t i = function->blocks[b].first; i <= function->blocks[b].last && ptx_loop_has(function, loop, b);
             i++) {
            shared = shared && !ends_hoisting(&function->insts[i], PTX_SHARED);
            global = global && !ends_hoisting(&function->insts[i], PTX_GLOBAL);
            ptx_visit_registers(function, &function->insts[i], count_definition, pass->definitions);
        }
    for (uint32_t i = first->first; i <= first->last; i++) {
        const struct ptx_inst *inst = &function->insts[i];
        bool stays =
            inst->has_space && ((inst->space == PTX_SHARED && shared) || (inst->space == PTX_GLOBAL && global));
        if (inst->op != PTX_OP_LD || !stays || inst->guard >= 0 || !is_weak(inst) || inst->operand_count < 2)
            continue;
        const struct ptx_operand *address = &function->operands[inst->operands + 1];
        if (address->base_kind == PTX_OPERAND_REGISTER && pass->definitions[address->value.reg])
            continue;
        pass->plan[i].hoisted = true;
        pass->plan[i].preheader = function->blocks[preheader].last;
    }
}

static void hoist_loads(struct fusion_pass *pass)
{
    for (uint32_t i = 0; i < pass->function->loop_count; i++) {
        uint32_t preheader = find_preheader(pass->function, i);
        if (preheader != UINT32_MAX)
            hoist_from(pass, i, preheader);
    }
}

struct fusion_entry *fusion_plan(const struct ptx_function *function, const struct ptx_shared_layout *layout)
{
    struct known_bits *bits = known_bits_find(function, layout);
    struct fusion_pass pass = {.function = function,
                               .layout = layout,
                               .bits = bits,
                               .plan = mem_alloc(function->inst_count * sizeof(struct fusion_entry)),
                               .definitions = mem_alloc(function->register_count * sizeof(uint32_t)),
                               .aliases = mem_alloc(function->register_count * sizeof(struct alias)),
                               .used = mem_alloc(function->register_count * sizeof(bool)),
                               .shared = mem_alloc(function->inst_count * sizeof(bool))};
    for (uint32_t i = 0; i < function->inst_count; i++) {
        if (i && function->block_of[i] != function->block_of[i - 1])
            flush_candidates(&pass);
        visit_inst(&pass, i);
    }
    flush_candidates(&pass);
    shrink_loads(&pass);
    hoist_loads(&pass);
    free(pass.used);
    free(pass.shared);
    free(pass.loads.items);
    free(pass.stores.items);
    free(pass.definitions);
    free(pass.aliases);
    free(bits);
    return pass.plan;
}
