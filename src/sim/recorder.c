#include "sim/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct recorder {
    uint64_t block;
    size_t limit;
    struct recording recording;
};

// What one host thread saw; only one of them meets the recorded block.
struct recorder_state {
    const struct recorder *recorder;
    struct recording recording;
    uint32_t phase;
    bool met;
};

struct recorder *recorder_new(uint64_t block, size_t limit)
{
    struct recorder *recorder = mem_alloc(sizeof *recorder);
    recorder->block = block;
    recorder->limit = limit;
    return recorder;
}

static void *recorder_fork(void *context)
{
    struct recorder_state *state = mem_alloc(sizeof *state);
    state->recorder = context;
    return state;
}

static void recorder_join(void *context, void *data)
{
    struct recorder *recorder = context;
    struct recorder_state *state = data;
    if (state->met) {
        recording_free(&recorder->recording);
        recorder->recording = state->recording;
    }
    free(state);
}

static void recorder_block_begin(void *data, const struct sim_block *block)
{
    struct recorder_state *state = data;
    if (block->linear != state->recorder->block)
        return;
    state->met = true;
    memcpy(state->recording.block, block->index, sizeof block->index);
}

static void recorder_access(void *data, const struct sim_access *access)
{
    struct recorder_state *state = data;
    struct recording *recording = &state->recording;
    if (access->block->linear != state->recorder->block)
        return;
    if (recording->count >= state->recorder->limit) {
        recording->truncated = true;
        return;
    }
    mem_reserve((void **)&recording->items, &recording->capacity, recording->count, sizeof *recording->items);
    struct recorded_access *item = &recording->items[recording->count++];
    *item = (struct recorded_access){.pc = access->pc,
                                     .warp = access->warp,
                                     .mask = access->mask,
                                     .bytes = access->bytes,
                                     .step = access->step,
                                     .phase = state->phase,
                                     .kind = access->kind,
                                     .space = access->space};
    for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        item->addresses[lane] = access->addresses[lane];
    }
}

// Barrier 0 is the one that __syncthreads() uses: its openings divide the block's life into phases.
static void recorder_sync(void *data, const struct sim_sync *sync)
{
    struct recorder_state *state = data;
    if (sync->block->linear == state->recorder->block && sync->kind == SIM_SYNC_COMPLETE && sync->id == 0)
        state->phase++;
}

struct sim_observer recorder_observer(struct recorder *recorder)
{
    return (struct sim_observer){.wants = SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL | SIM_WANT_SYNC,
                                 .context = recorder,
                                 .fork = recorder_fork,
                                 .join = recorder_join,
                                 .block_begin = recorder_block_begin,
                                 .access = recorder_access,
                                 .sync = recorder_sync};
}

void recorder_take(struct recorder *recorder, struct recording *recording)
{
    *recording = recorder->recording;
    recorder->recording = (struct recording){0};
}

void recorder_free(struct recorder *recorder)
{
    if (!recorder)
        return;
    recording_free(&recorder->recording);
    free(recorder);
}

void recording_free(struct recording *recording)
{
    free(recording->items);
    *recording = (struct recording){0};
}
