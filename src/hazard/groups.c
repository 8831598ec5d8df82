// wgmma: registers and shared memory that a warp group's products are still at work on.
//
// A product is under way until a wgmma.wait_group of one of its group's warps has covered it. Registers are followed by
// what the compiler makes of a variable: copies of registers (mov) move what is known of one to the other and are no
// use, since ptxas takes them out again.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "hazard/internal.h"

enum { GROUP_WARPS = 4, WAITS = 16, COMMITS = 64, UNTRACKED = -1 };

// ---- the program: which registers products take, and where they and their copies are used

struct group_program {
    uint32_t size;         // instructions
    uint32_t count;        // tracked registers
    int32_t *registers;    // by function and register: the number of a tracked one, or UNTRACKED
    uint32_t *first;       // in registers, by pc: of its function
    unsigned char *tracks; // by pc: uses a tracked one
};

struct tracker {
    struct group_program *program;
    uint32_t pc;
    bool found, changed;
};

static int32_t *register_entry(const struct tracker *tracker, uint32_t reg)
{
    return &tracker->program->registers[tracker->program->first[tracker->pc] + reg];
}

static void track(struct tracker *tracker, uint32_t reg)
{
    int32_t *entry = register_entry(tracker, reg);
    tracker->changed |= *entry == UNTRACKED;
    *entry = *entry == UNTRACKED ? (int32_t)tracker->program->count++ : *entry;
}

// A copy of one register to another; NULL: it is something else. No compiler makes one under a condition.
static const struct ptx_operand *copied_register(const struct ptx_function *function, const struct ptx_inst *inst)
{
    const struct ptx_operand *operands = &function->operands[inst->operands];
    bool is_copy = inst->op == PTX_OP_MOV && inst->guard < 0 && inst->operand_count == 2 &&
                   operands[0].kind == PTX_OPERAND_REGISTER && operands[1].kind == PTX_OPERAND_REGISTER;
    return is_copy ? operands : NULL;
}

// Calls visit for the registers of an operand that is one or a list of them.
static void each_register(const struct ptx_function *function, const struct ptx_operand *operand,
                          ptx_register_visit *visit, void *context)
{
    if (operand->kind == PTX_OPERAND_REGISTER)
        visit(context, operand->value.reg, false);
    for (uint32_t i = 0; operand->kind == PTX_OPERAND_VECTOR && i < operand->value.vector.count; i++)
        each_register(function, &function->operands[operand->value.vector.first + i], visit, context);
}

static void track_visit(void *context, uint32_t reg, bool written)
{
    (void)written;
    track(context, reg);
}

static void look_visit(void *context, uint32_t reg, bool written)
{
    struct tracker *tracker = context;
    (void)written;
    tracker->found |= *register_entry(tracker, reg) != UNTRACKED;
}

// Registers of products, and their copies in both directions. False: no product takes any.
static bool track_program(const struct sim_program *program, struct tracker *tracker)
{
    bool any = false;
    for (bool again = true; again; again = tracker->changed) {
        tracker->changed = false;
        for (tracker->pc = 0; tracker->pc < tracker->program->size; tracker->pc++) {
            const struct ptx_function *function;
            const struct ptx_inst *inst = sim_program_inst(program, tracker->pc, &function);
            const struct ptx_operand *operands = &function->operands[inst->operands];
            const struct ptx_operand *copy = copied_register(function, inst);
            if (inst->op == PTX_OP_WGMMA_MMA) {
                any = true;
                each_register(function, operands, track_visit, tracker);
                if (operands[1].kind == PTX_OPERAND_VECTOR)
                    each_register(function, operands + 1, track_visit, tracker);
            }
            if (!copy)
                continue;
            tracker->found = false;
            each_register(function, copy, look_visit, tracker);
            each_register(function, copy + 1, look_visit, tracker);
            if (tracker->found) {
                track(tracker, copy[0].value.reg);
                track(tracker, copy[1].value.reg);
            }
        }
    }
    return any;
}

struct group_program *group_program_new(const struct sim_program *program)
{
    struct group_program *groups = mem_alloc(sizeof *groups);
    const struct ptx_function *function, *before = NULL;
    uint32_t total = 0;
    groups->size = sim_program_size(program);
    groups->first = mem_alloc(groups->size * sizeof *groups->first);
    groups->tracks = mem_alloc(groups->size);
    for (uint32_t pc = 0, first = 0; pc < groups->size; pc++) {
        sim_program_inst(program, pc, &function);
        if (function != before) {
            first = total;
            total += function->register_count;
        }
        before = function;
        groups->first[pc] = first;
    }
    groups->registers = mem_alloc((total + 1) * sizeof *groups->registers);
    memset(groups->registers, 0xff, (total + 1) * sizeof *groups->registers);
    struct tracker tracker = {.program = groups};
    if (!track_program(program, &tracker)) {
        group_program_free(groups);
        return NULL;
    }
    for (tracker.pc = 0; tracker.pc < groups->size; tracker.pc++) {
        const struct ptx_inst *inst = sim_program_inst(program, tracker.pc, &function);
        tracker.found = false;
        ptx_visit_registers(function, inst, look_visit, &tracker);
        groups->tracks[tracker.pc] = tracker.found && inst->op != PTX_OP_WGMMA_MMA;
    }
    return groups;
}

void group_program_free(struct group_program *groups)
{
    if (!groups)
        return;
    free(groups->registers);
    free(groups->first);
    free(groups->tracks);
    free(groups);
}

const unsigned char *group_program_tracks(const struct group_program *groups)
{
    return groups ? groups->tracks : NULL;
}

// ---- one block

struct group_wait { // covers the products before `done`
    struct moment at;
    uint32_t done;
};

struct group_register {
    uint32_t adds, reads;   // number + 1 of the latest product that adds to it, reads it
    uint32_t product;       // its pc
    uint32_t used, used_pc; // fences so far + 1 at its latest use; its pc
};

struct group_warp {
    uint32_t products, done; // made; waited for
    uint32_t commits, committed[COMMITS];
    uint32_t fences; // wgmma.fence
    uint32_t wait_count;
    struct group_wait waits[WAITS];
    struct group_register *registers;
};

struct chunk_read { // by a warp group
    uint32_t stamp, product, pc;
};

struct groups {
    struct group_warp warps[SIM_MAX_WARPS];
    size_t chunk_count;
    struct chunk_read *reads; // by warp group and chunk: a product reads many chunks
    uint32_t *seen, visit;    // by chunk: the last operand that had it
};

void groups_begin(struct hazard_state *state, const struct sim_block *block)
{
    struct groups *groups = state->groups;
    uint32_t registers = state->checker->group_program->count;
    if (!groups)
        groups = state->groups = mem_alloc(sizeof *groups);
    if (groups->chunk_count < block->shared_size / PROXY_CHUNK + 1) {
        free(groups->reads);
        free(groups->seen);
        groups->chunk_count = block->shared_size / PROXY_CHUNK + 1;
        groups->reads = mem_alloc(groups->chunk_count * SIM_MAX_WARPS / GROUP_WARPS * sizeof *groups->reads);
        groups->seen = mem_alloc(groups->chunk_count * sizeof *groups->seen);
    }
    for (uint32_t w = 0; w < block->warps && w < SIM_MAX_WARPS; w++) {
        struct group_register *kept = groups->warps[w].registers;
        groups->warps[w] = (struct group_warp){.registers = kept};
        if (kept)
            memset(kept, 0, registers * sizeof *kept);
        else
            groups->warps[w].registers = mem_alloc((registers + 1) * sizeof *kept);
    }
}

void groups_free(struct groups *groups)
{
    if (!groups)
        return;
    for (int w = 0; w < SIM_MAX_WARPS; w++)
        free(groups->warps[w].registers);
    free(groups->reads);
    free(groups->seen);
    free(groups);
}

// ---- shared memory

// One operand of a product.
static void read_chunks(struct hazard_state *state, const struct sim_group *group, int side)
{
    struct groups *groups = state->groups;
    uint32_t thread = group->warp * SIM_LANES;
    struct chunk_read *reads = &groups->reads[group->warp / GROUP_WARPS * groups->chunk_count];
    struct proxy_look look = {.pc = group->pc, .thread = thread};
    groups->visit++;
    for (uint32_t i = 0; i < group->counts[side]; i++) {
        uint32_t at = group->chunks[side][i], chunk = at / PROXY_CHUNK;
        if (groups->seen[chunk] == groups->visit)
            find_in_shared(state, HAZARD_GROUP_LAYOUT, group->pc, thread, UINT32_MAX, UINT32_MAX, at);
        groups->seen[chunk] = groups->visit;
        reads[chunk] = (struct chunk_read){state->order.stamp, groups->warps[group->warp].products, group->pc};
        proxies_look(state, &look, at);
    }
    shadow_look(state->shared, state, group, group->chunks[side], group->counts[side]);
}

// Whether the group's product has been waited for before what `warp` does now, by one of its warps.
static bool product_is_over(const struct hazard_state *state, const struct chunk_read *read, uint32_t number,
                            uint32_t warp)
{
    for (uint32_t w = number * GROUP_WARPS; w < (number + 1) * GROUP_WARPS && w < SIM_MAX_WARPS; w++) {
        const struct group_warp *by = &state->groups->warps[w];
        uint32_t kept = by->wait_count < WAITS ? by->wait_count : WAITS;
        if (by->done <= read->product)
            continue;
        if (kept == WAITS && by->waits[by->wait_count % WAITS].done > read->product)
            return true; // so long ago that it is forgotten
        for (uint32_t i = 0; i < kept; i++) {
            const struct group_wait *wait = &by->waits[i];
            if (wait->done > read->product && moment_before(&state->order, wait->at, w, warp))
                return true;
        }
    }
    return false;
}

static void end_reads(struct hazard_state *state, const struct sim_access *access, uint32_t lane, uint32_t chunk)
{
    struct groups *groups = state->groups;
    for (uint32_t number = 0; number * GROUP_WARPS < state->order.warps; number++) {
        struct chunk_read *read = &groups->reads[number * groups->chunk_count + chunk];
        if (read->stamp < state->order.block_stamp || !read->stamp)
            continue;
        if (!product_is_over(state, read, number, access->warp))
            find_in_shared(state, HAZARD_GROUP_OVERWRITE, access->pc, access->warp * SIM_LANES + lane, read->pc,
                           number * GROUP_WARPS * SIM_LANES, (uint64_t)chunk * PROXY_CHUNK);
        read->stamp = 0;
    }
}

void groups_access(struct hazard_state *state, const struct sim_access *told)
{
    struct sim_spread spread;
    if (told->space != PTX_SHARED || told->kind == SIM_LOAD || told->kind == SIM_MATRIX_LOAD)
        return;
    const struct sim_access *access = sim_access_spread(told, &spread);
    FOR_LANES (lane, access->mask) {
        uint64_t first = access->addresses[lane] / PROXY_CHUNK,
                 last = (access->addresses[lane] + access->bytes - 1) / PROXY_CHUNK;
        for (uint64_t chunk = first; access->bytes && chunk <= last && chunk < state->groups->chunk_count; chunk++)
            end_reads(state, access, lane, (uint32_t)chunk);
    }
}

// ---- registers

struct register_use {
    struct hazard_state *state;
    uint32_t warp, pc, thread;
    bool takes_a; // a product: of its A, else of its D
};

static struct group_register *followed_register(const struct register_use *use, uint32_t reg)
{
    const struct group_program *program = use->state->checker->group_program;
    int32_t number = program->registers[program->first[use->pc] + reg];
    return number == UNTRACKED ? NULL : &use->state->groups->warps[use->warp].registers[number];
}

static void take_register(void *context, uint32_t reg, bool written)
{
    const struct register_use *use = context;
    struct group_warp *warp = &use->state->groups->warps[use->warp];
    struct group_register *entry = followed_register(use, reg);
    (void)written;
    if (!entry)
        return;
    if (entry->used > warp->fences)
        find_in_shared(use->state, HAZARD_GROUP_FENCE, use->pc, use->thread, entry->used_pc, use->thread, 0);
    if (use->takes_a && entry->adds > warp->done)
        find_in_shared(use->state, HAZARD_GROUP_EARLY, use->pc, use->thread, entry->product, use->thread, 0);
    entry->used = 0;
    entry->product = use->pc;
    *(use->takes_a ? &entry->reads : &entry->adds) = warp->products + 1;
}

static void use_register(void *context, uint32_t reg, bool written)
{
    const struct register_use *use = context;
    struct group_warp *warp = &use->state->groups->warps[use->warp];
    struct group_register *entry = followed_register(use, reg);
    if (!entry)
        return;
    if (entry->adds > warp->done || (written && entry->reads > warp->done))
        find_in_shared(use->state, HAZARD_GROUP_EARLY, use->pc, use->thread, entry->product, use->thread, 0);
    entry->used = warp->fences + 1;
    entry->used_pc = use->pc;
}

static void make_product(struct hazard_state *state, const struct sim_group *group)
{
    const struct ptx_function *function;
    const struct ptx_inst *inst = sim_program_inst(state->checker->program, group->pc, &function);
    const struct ptx_operand *operands = &function->operands[inst->operands];
    struct group_warp *warp = &state->groups->warps[group->warp];
    struct register_use use = {.state = state, .warp = group->warp, .pc = group->pc, .thread = group->warp * SIM_LANES};
    if (!warp->fences)
        find_in_shared(state, HAZARD_GROUP_FENCE, group->pc, use.thread, UINT32_MAX, UINT32_MAX, 0);
    each_register(function, operands, take_register, &use);
    use.takes_a = true;
    if (operands[1].kind == PTX_OPERAND_VECTOR)
        each_register(function, operands + 1, take_register, &use);
    for (int side = 0; side < 2; side++)
        read_chunks(state, group, side);
    warp->products++;
}

static void wait_products(struct hazard_state *state, const struct sim_group *group)
{
    struct group_warp *warp = &state->groups->warps[group->warp];
    if (group->count >= warp->commits || group->count >= COMMITS)
        return;
    uint32_t done = warp->committed[(warp->commits - 1 - group->count) % COMMITS];
    if (done <= warp->done)
        return;
    warp->done = done;
    warp->waits[warp->wait_count++ % WAITS] = (struct group_wait){moment_now(state, group->step), done};
}

void groups_event(struct hazard_state *state, const struct sim_group *group)
{
    struct group_warp *warp = &state->groups->warps[group->warp % SIM_MAX_WARPS];
    switch (group->kind) {
    case SIM_GROUP_FENCE:
        warp->fences++;
        break;
    case SIM_GROUP_PRODUCT:
        make_product(state, group);
        break;
    case SIM_GROUP_COMMIT:
        warp->committed[warp->commits++ % COMMITS] = warp->products;
        break;
    case SIM_GROUP_WAIT:
        wait_products(state, group);
        break;
    }
}

void groups_step(struct hazard_state *state, const struct sim_step *step)
{
    const struct ptx_function *function;
    const struct ptx_inst *inst = sim_program_inst(state->checker->program, step->pc, &function);
    const struct ptx_operand *copy = copied_register(function, inst);
    const struct ptx_operand *operands = &function->operands[inst->operands];
    if (!step->mask || step->warp >= SIM_MAX_WARPS)
        return;
    struct register_use use = {.state = state, .warp = step->warp, .pc = step->pc};
    use.thread = step->warp * SIM_LANES + lane_first(step->mask);
    bool moves = inst->op == PTX_OP_MOV && inst->guard < 0;
    struct group_register *to =
        moves && operands[0].kind == PTX_OPERAND_REGISTER ? followed_register(&use, operands[0].value.reg) : NULL;
    const struct group_register *from = copy ? followed_register(&use, copy[1].value.reg) : NULL;
    if (from && to)
        *to = *from;
    else if (to && operands[1].kind != PTX_OPERAND_VECTOR)
        *to = (struct group_register){0};
    else
        ptx_visit_registers(function, inst, use_register, &use);
}
