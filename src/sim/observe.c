// Telling observers.
#include "sim/machine.h"

void sim_watch_access(struct exec *x, const struct op *op, struct sim_access *access)
{
    unsigned wanted = access->space == PTX_SHARED   ? SIM_WANT_ACCESS_SHARED
                      : access->space == PTX_GLOBAL ? SIM_WANT_ACCESS_GLOBAL
                                                    : SIM_WANT_ACCESS_OTHER;
    access->block = &x->block->view;
    access->warp = x->warp->number;
    access->pc = op_pc(x, op);
    access->step = x->step - 1;
    access->order = (enum sim_order)op->order;
    access->scope = (enum sim_scope)op->scope;
    if (!access->source_bytes)
        access->source_bytes = access->bytes;
    for (size_t i = 0; i < x->watcher_count; i++) {
        const struct sim_observer *observer = x->watchers[i].observer;
        if (observer->wants & wanted && observer->access)
            observer->access(x->watchers[i].state, access);
    }
    if (!(x->wants & SIM_WANT_STEP) || x->has_access)
        return;
    x->has_access = true;
    x->access = *access;
    x->access.values = NULL;
    memcpy(x->access_addresses, access->addresses, sizeof x->access_addresses);
    x->access.addresses = x->access_addresses;
    if (access->sources)
        memcpy(x->access_sources, access->sources, sizeof x->access_sources);
    x->access.sources = access->sources ? x->access_sources : NULL;
}

void sim_watch_sync(struct exec *x, const struct op *op, struct sim_sync *sync)
{
    sync->block = &x->block->view;
    sync->warp = x->warp->number;
    sync->pc = op_pc(x, op);
    sync->step = x->step - 1;
    for (size_t i = 0; i < x->watcher_count; i++) {
        const struct sim_observer *observer = x->watchers[i].observer;
        if (observer->wants & SIM_WANT_SYNC && observer->sync)
            observer->sync(x->watchers[i].state, sync);
    }
}

void sim_watch_notice(struct exec *x, const struct op *op, struct sim_notice *notice)
{
    notice->block = &x->block->view;
    notice->warp = x->warp->number;
    notice->pc = op_pc(x, op);
    for (size_t i = 0; i < x->watcher_count; i++) {
        const struct sim_observer *observer = x->watchers[i].observer;
        if (observer->wants & SIM_WANT_NOTICE && observer->notice)
            observer->notice(x->watchers[i].state, notice);
    }
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
    x->has_access = false;
    for (size_t i = 0; i < x->watcher_count; i++) {
        const struct sim_observer *observer = x->watchers[i].observer;
        if (observer->wants & SIM_WANT_STEP && observer->step)
            observer->step(x->watchers[i].state, &step);
    }
}
