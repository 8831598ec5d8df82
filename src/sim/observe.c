// Telling observers what happened.
#include "sim/machine.h"

void sim_watch_block(struct exec *x, const struct block *block)
{
    size_t steppers = 0;
    x->wants = x->each = x->runs = 0;
    x->step_pcs = NULL;
    for (size_t i = 0; i < x->watcher_count; i++) {
        const struct sim_observer *observer = x->watchers[i].observer;
        bool here = !observer->one_block || observer->block == block->view.linear;
        x->watchers[i].wants = here ? observer->wants : 0;
        x->wants |= x->watchers[i].wants;
        if (observer->wants & SIM_TAKES_RUNS)
            x->runs |= x->watchers[i].wants;
        else
            x->each |= x->watchers[i].wants;
        steppers += (x->watchers[i].wants & SIM_WANT_STEP) != 0;
        if (x->watchers[i].wants & SIM_WANT_STEP)
            x->step_pcs = steppers == 1 ? observer->steps : NULL;
    }
}

static void shapes_clear(struct exec *x)
{
    for (uint32_t pc = 0; pc < x->program->op_count; pc++) {
        sim_watch_runs(x, pc);
        x->hints[pc].shape = x->hints[pc].source = &shape_none;
    }
    shape_table_clear(x->shapes);
}

const struct lane_shape *sim_shape_find(struct exec *x, const struct op *op, uint32_t mask, uint32_t bytes,
                                        const uint64_t *addresses, bool needed)
{
    struct shape_hint *hint = &x->hints[op_pc(x, op)];
    bool full;
    if (!needed && hint->missed >= SHAPE_TRIES)
        return NULL;
    hint->missed += hint->missed < SHAPE_TRIES;
    sim_watch_runs(x, op_pc(x, op));
    const struct lane_shape *shape = shape_find(x->shapes, &hint->shape, mask, bytes, addresses, &full);
    if (!full)
        return shape;
    shapes_clear(x);
    return shape_find(x->shapes, &hint->shape, mask, bytes, addresses, &full);
}

const struct lane_shape *sim_shape_find_shared(struct exec *x, const struct op *op, uint32_t mask, uint32_t bytes,
                                               const uint32_t *addresses, bool needed)
{
    uint64_t wide[SIM_LANES];
    if (!needed && x->hints[op_pc(x, op)].missed >= SHAPE_TRIES)
        return NULL;
    for (int lane = 0; lane < SIM_LANES; lane++)
        wide[lane] = addresses[lane];
    return sim_shape_find(x, op, mask, bytes, wide, needed);
}

static void find_shapes(struct exec *x, const struct op *op, struct sim_access *access)
{
    bool full;
    const struct lane_shape **hint = &x->hints[op_pc(x, op)].source;
    if (!access->shape && access->mask && access->bytes)
        access->shape = sim_shape_find(x, op, access->mask, access->bytes, access->addresses, true);
    if (!access->sources || !access->source_mask)
        return;
    access->source_shape =
        shape_find(x->shapes, hint, access->source_mask, access->source_bytes, access->sources, &full);
    if (!full)
        return;
    shapes_clear(x);
    access->shape = NULL;
    find_shapes(x, op, access);
}

static void spread_lanes(const struct sim_access *access, uint64_t addresses[SIM_LANES])
{
    for (int lane = 0; lane < SIM_LANES; lane++)
        addresses[lane] = access->first + (uint64_t)(int64_t)access->shape->distances[lane];
}

bool sim_access_source(const struct sim_access *access, struct sim_access *source)
{
    if (!sim_is_copy(access->kind) || !access->source_mask)
        return false;
    *source = *access;
    source->kind = SIM_LOAD;
    source->space = access->source_space;
    source->mask = access->source_mask;
    source->addresses = access->sources;
    source->shape = access->source_shape;
    source->first = access->sources[lane_first(access->source_mask)];
    source->bytes = access->source_bytes;
    return true;
}

const struct sim_access *sim_access_spread(const struct sim_access *access, struct sim_spread *spread)
{
    if (access->addresses)
        return access;
    spread->access = *access;
    spread->access.addresses = spread->addresses;
    spread_lanes(access, spread->addresses);
    return &spread->access;
}

static void watch_access(struct exec *x, const struct op *op, struct sim_access *access, unsigned without)
{
    uint64_t addresses[SIM_LANES];
    unsigned wanted = sim_space_wanted(access->space) | (access->sources ? sim_space_wanted(access->source_space) : 0);
    access->block = &x->block->view;
    access->warp = x->warp->number;
    access->pc = op_pc(x, op);
    access->step = x->step - 1;
    access->times = 1;
    access->order = (enum sim_order)op->order;
    access->scope = (enum sim_scope)op->scope;
    if (!access->source_bytes)
        access->source_bytes = access->bytes;
    if (!access->shape || access->sources)
        find_shapes(x, op, access);
    if (access->addresses && access->mask)
        access->first = access->addresses[lane_first(access->mask)];
    for (size_t i = 0; i < x->watcher_count; i++) {
        const struct sim_observer *observer = x->watchers[i].observer;
        unsigned wants = x->watchers[i].wants;
        if (!(wants & wanted) || wants & without || !observer->access)
            continue;
        if (!access->addresses && !(wants & SIM_TAKES_SHAPES)) {
            spread_lanes(access, addresses);
            access->addresses = addresses;
        }
        observer->access(x->watchers[i].state, access);
    }
    if (!(x->wants & SIM_WANT_STEP) || x->has_access || (x->step_pcs && !x->step_pcs[access->pc]))
        return;
    x->has_access = true;
    x->access = *access;
    x->access.values = NULL;
    x->access.mbarriers = NULL;
    x->access.shape = x->access.source_shape = NULL; // they may not live as long
    if (access->addresses)
        memcpy(x->access_addresses, access->addresses, sizeof x->access_addresses);
    else
        spread_lanes(access, x->access_addresses);
    x->access.addresses = x->access_addresses;
    if (access->sources)
        memcpy(x->access_sources, access->sources, sizeof x->access_sources);
    x->access.sources = access->sources ? x->access_sources : NULL;
}

void sim_watch_access(struct exec *x, const struct op *op, struct sim_access *access)
{
    watch_access(x, op, access, 0);
}

void sim_watch_each(struct exec *x, const struct op *op, struct sim_access *access)
{
    watch_access(x, op, access, SIM_TAKES_RUNS);
}

void sim_watch_runs(struct exec *x, uint32_t pc)
{
    struct shape_hint *hint = &x->hints[pc];
    if (!hint->counted)
        return;
    const struct op *op = &x->ops[pc];
    uint64_t addresses[SIM_LANES];
    struct sim_access access = {.pc = pc,
                                .mask = hint->shape->mask,
                                .kind = (enum sim_access_kind)op->kind,
                                .space = (enum ptx_space)hint->space,
                                .order = (enum sim_order)op->order,
                                .scope = (enum sim_scope)op->scope,
                                .bytes = hint->shape->bytes,
                                .source_bytes = hint->shape->bytes,
                                .addresses = addresses,
                                .shape = hint->shape};
    hint->counted = false;
    for (uint64_t phase = 0; phase < SIM_RUN_BYTES; phase++) {
        if (!hint->times[phase])
            continue;
        access.first = SIM_RUN_BYTES * (uint64_t)INT32_MAX + phase; // no lane's address is below 0
        access.times = hint->times[phase];
        hint->times[phase] = 0;
        spread_lanes(&access, addresses);
        for (size_t i = 0; i < x->watcher_count; i++) {
            const struct sim_observer *observer = x->watchers[i].observer;
            if (observer->wants & SIM_TAKES_RUNS && observer->wants & sim_space_wanted(access.space) &&
                observer->access)
                observer->access(x->watchers[i].state, &access);
        }
    }
}

void sim_watch_sync(struct exec *x, const struct op *op, struct sim_sync *sync)
{
    sync->block = &x->block->view;
    sync->warp = x->warp->number;
    sync->pc = op_pc(x, op);
    sync->step = x->step - 1;
    for (size_t i = 0; i < x->watcher_count; i++) {
        const struct sim_observer *observer = x->watchers[i].observer;
        if (x->watchers[i].wants & SIM_WANT_SYNC && observer->sync)
            observer->sync(x->watchers[i].state, sync);
    }
}

void sim_watch_notice(struct exec *x, const struct op *op, struct sim_notice *notice)
{
    sim_watch_notice_of(x, x->warp->number, op_pc(x, op), notice);
}

void sim_watch_notice_of(struct exec *x, uint32_t warp, uint32_t pc, struct sim_notice *notice)
{
    notice->block = &x->block->view;
    notice->warp = warp;
    notice->pc = pc;
    for (size_t i = 0; i < x->watcher_count; i++) {
        const struct sim_observer *observer = x->watchers[i].observer;
        if (x->watchers[i].wants & SIM_WANT_NOTICE && observer->notice)
            observer->notice(x->watchers[i].state, notice);
    }
}

void sim_watch_group(struct exec *x, const struct op *op, struct sim_group *group)
{
    group->block = &x->block->view;
    group->warp = x->warp->number;
    group->pc = op_pc(x, op);
    group->step = x->step - 1;
    for (size_t i = 0; i < x->watcher_count; i++) {
        const struct sim_observer *observer = x->watchers[i].observer;
        if (x->watchers[i].wants & SIM_WANT_GROUP && observer->group)
            observer->group(x->watchers[i].state, group);
    }
}

void sim_watch_unset(struct exec *x, const struct op *op, uint32_t mask, enum ptx_space space, uint64_t address)
{
    struct sim_notice notice = {
        .kind = SIM_NOTICE_UNINITIALISED, .mask = mask, .space = space, .address = address, .other_pc = UINT32_MAX};
    if (mask && x->wants & SIM_WANT_NOTICE)
        sim_watch_notice(x, op, &notice);
}

void sim_watch_skip(struct exec *x, const struct op *op)
{
    static const uint64_t none[SIM_LANES];
    if (!(op->flags & OP_MEMORY))
        return;
    enum ptx_space space = (enum ptx_space)op->space;
    struct sim_access access = {.kind = (enum sim_access_kind)op->kind,
                                .space = space == PTX_GENERIC ? PTX_GLOBAL : space,
                                .bytes = op->kind == SIM_ASYNC_COPY ? op->width : (uint32_t)op->width * op->count,
                                .addresses = none};
    if (access.kind == SIM_ASYNC_COPY) {
        access.sources = none;
        access.source_space = PTX_GLOBAL;
    }
    sim_watch_access(x, op, &access);
}

void sim_watch_step(struct exec *x, const struct op *op, uint32_t active, uint32_t mask)
{
    struct sim_step step = {.block = &x->block->view,
                            .warp = x->warp->number,
                            .pc = op_pc(x, op),
                            .active = active,
                            .mask = mask,
                            .step = x->step - 1,
                            .access = x->has_access ? &x->access : NULL};
    enum ptx_opcode opcode = op->flags & OP_TELLS ? sim_program_inst(x->program, step.pc, NULL)->op : PTX_OP_COUNT;
    if (opcode == PTX_OP_SELP)
        step.chosen = mask & (*(const uint32_t *)slot_at(x, op->slot[3]) ^ op->extra);
    const uint32_t *ns = opcode == PTX_OP_NANOSLEEP ? slot_at(x, op->slot[1]) : NULL;
    for (uint32_t lane = 0; ns && lane < SIM_LANES; lane++)
        if (mask >> lane & 1 && ns[lane] > step.sleep)
            step.sleep = ns[lane];
    // match.any gave each lane those of its value: the first of them counts it.
    const uint32_t *alike = opcode == PTX_OP_MATCH_SYNC && !op->action ? slot_at(x, op->slot[0]) : NULL;
    for (uint32_t lane = 0; alike && lane < SIM_LANES; lane++)
        step.values += mask >> lane & 1 && alike[lane] && (uint32_t)__builtin_ctz(alike[lane]) == lane;
    x->has_access = false;
    for (size_t i = 0; i < x->watcher_count; i++) {
        const struct sim_observer *observer = x->watchers[i].observer;
        bool asked = x->watchers[i].wants & SIM_WANT_STEP && (!observer->steps || observer->steps[step.pc]);
        if (asked && observer->step)
            observer->step(x->watchers[i].state, &step);
    }
}
