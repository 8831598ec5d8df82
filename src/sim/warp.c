// The beginning of a warp in a block, its special registers, the room for its registers and stack, and its end.
#include <stdlib.h>

#include "base/random.h"
#include "sim/machine.h"

// What the compiler can tell of a thread's stack the driver makes room for, however large it is: the entry's own, and
// that of functions that call one another, through pointers as well. Of recursion and alloca it cannot tell; all has to
// fit into cudaLimitStackSize, then, or into what is known. On an H200 (2026-11-30): frames of 24 bytes 42 deep, alloca
// of 1024 bytes, 8 KB behind a pointer, and no recursion at all beside an array of 4 KB.
enum {
    FRAME_LEAST = 16,        // where a call goes back to, and something that it was made for
    REGISTER_FILE = 16 << 20 // bytes of one kind of registers of a warp
};

bool sim_registers_grow(unsigned char **data, size_t *size, size_t wanted, int unset)
{
    if (wanted <= *size)
        return true;
    if (wanted > REGISTER_FILE)
        return false;
    size_t bytes = *size * 2 > wanted ? *size * 2 : wanted;
    bytes = (bytes + 127) / 128 * 128;
    unsigned char *moved = mem_aligned(128, bytes);
    memset(moved, unset, bytes);
    if (*data)
        memcpy(moved, *data, *size);
    free(*data);
    *data = moved;
    *size = bytes;
    return true;
}

bool sim_local_grow(struct warp *warp, size_t bytes)
{
    if (bytes <= warp->local_stride)
        return true;
    size_t stride = bytes > 2 * warp->local_stride ? bytes : 2 * warp->local_stride;
    // An odd number of cache lines: the lanes' copies of a variable do not crowd into a few sets of the host's cache.
    stride = ((stride + 63) / 64 | 1) * 64;
    unsigned char *moved = mem_alloc(stride * SIM_LANES);
    memset(moved, warp->unset, stride * SIM_LANES);
    for (size_t lane = 0; lane < SIM_LANES && warp->local_stride; lane++)
        memcpy(moved + lane * stride, warp->local + lane * warp->local_stride, warp->local_stride);
    free(warp->local);
    warp->local = moved;
    warp->local_stride = stride;
    return true;
}

// What ptxas makes of a function's frame is at least this; parameters go through registers there.
uint32_t sim_frame_bytes(const struct function *function)
{
    return function->local_size + FRAME_LEAST;
}

// No less than what the compiler knows of: as if every function was called, by the one before it.
static uint64_t stack_limit(const struct sim_program *program)
{
    uint64_t known = 0;
    for (uint32_t i = 0; i < program->function_count; i++)
        known += sim_frame_bytes(program->functions[i]);
    return known > SIM_STACK_LIMIT ? known : SIM_STACK_LIMIT;
}

bool sim_stack_fits(const struct exec *x, const struct frame *frame, uint64_t more)
{
    bool is_known = !frame->recurs && !frame->allocated && !more;
    return frame->top + more <= SIM_LOCAL_MOST &&
           (is_known || frame->used + frame->allocated + more <= stack_limit(x->program));
}

// What an H200 has. Which SM and which of its places a block gets is drawn by the launch's seed: a kernel may ask, but
// nothing that counts may follow from the answer.
enum { SMS = 132, SM_WARPS = 64 };

// Warps of a block lie where there is room, not side by side: different places, in no order (four rounds of a Feistel
// cipher over the 64 places).
static uint32_t warp_place(uint64_t place, uint32_t warp)
{
    uint32_t high = warp / 8 % 8, low = warp % 8;
    for (int round = 0; round < 4; round++) {
        uint32_t next = high ^ (uint32_t)(random_of(place * 32 + (uint64_t)round * 8 + low) & 7);
        high = low;
        low = next;
    }
    return high * 8 + low;
}

static uint64_t special_value(const struct exec *x, const struct block *block, const struct warp *warp, uint32_t lane,
                              const struct special_use *use)
{
    const struct sim_launch *launch = x->launch;
    const struct cluster *cluster = block->cluster;
    uint32_t axis = use->element ? use->element - 1u : 0, bit = 1u << lane;
    bool triple = axis < 3;
    uint64_t number =
        launch->seed ^ (uint64_t)launch->schedule * RANDOM_STEP; // of the launch: for what nobody knows of it
    uint32_t reserved = block->reserved_at, shared = reserved ? reserved : block->view.shared_size;
    switch (use->special) {
    case PTX_SPECIAL_TID:
        return triple ? sim_thread_coordinate(x, warp->first_thread + lane, axis) : 0;
    case PTX_SPECIAL_NTID:
        return triple ? launch->shape.block[axis] : 1;
    case PTX_SPECIAL_CTAID:
        return triple ? block->index[axis] : 0;
    case PTX_SPECIAL_CLUSTERID:
        return triple ? block->index[axis] / cluster->dims[axis] : 0;
    case PTX_SPECIAL_CLUSTER_CTAID:
        return triple ? block->index[axis] % cluster->dims[axis] : 0;
    case PTX_SPECIAL_CLUSTER_CTARANK:
        return block->rank;
    case PTX_SPECIAL_NCTAID:
        return triple ? launch->shape.grid[axis] : 1;
    case PTX_SPECIAL_NCLUSTERID:
        return triple ? launch->shape.grid[axis] / cluster->dims[axis] : 1;
    case PTX_SPECIAL_LANEID:
        return lane;
    case PTX_SPECIAL_WARPID:
        return warp_place(block->place / SMS, warp->number);
    case PTX_SPECIAL_NWARPID:
        return SM_WARPS;
    case PTX_SPECIAL_SMID:
        return block->place % SMS;
    case PTX_SPECIAL_NSMID:
        return SMS;
    case PTX_SPECIAL_CLUSTER_NCTARANK:
        return cluster->size;
    case PTX_SPECIAL_CLUSTER_NCTAID:
        return triple ? cluster->dims[axis] : 1;
    case PTX_SPECIAL_IS_EXPLICIT_CLUSTER:
        return launch_is_clustered(&launch->shape, launch->program->entry);
    case PTX_SPECIAL_GRIDID:
        return 1 + (random_of(number) >> random_of(~number) % 64); // counted since who knows when
    case PTX_SPECIAL_LANEMASK_EQ:
        return bit;
    case PTX_SPECIAL_LANEMASK_LT:
        return bit - 1;
    case PTX_SPECIAL_LANEMASK_LE:
        return bit | (bit - 1);
    case PTX_SPECIAL_LANEMASK_GT:
        return ~(bit | (bit - 1));
    case PTX_SPECIAL_LANEMASK_GE:
        return ~(bit - 1);
    case PTX_SPECIAL_TOTAL_SMEM_SIZE:
    case PTX_SPECIAL_AGGR_SMEM_SIZE:
        return shared;
    case PTX_SPECIAL_DYNAMIC_SMEM_SIZE:
        return launch->shape.dynamic_shared;
    case PTX_SPECIAL_RESERVED_SMEM_OFFSET_BEGIN:
    case PTX_SPECIAL_RESERVED_SMEM_OFFSET_0:
        return reserved;
    case PTX_SPECIAL_RESERVED_SMEM_OFFSET_1: // cooperative groups keep up to 288 bytes there
        return reserved + RESERVED_SHARED / 2;
    case PTX_SPECIAL_RESERVED_SMEM_OFFSET_END:
        return reserved + RESERVED_SHARED;
    case PTX_SPECIAL_RESERVED_SMEM_OFFSET_CAP:
        return RESERVED_SHARED;
    case PTX_SPECIAL_ENVREG: // cooperative_groups::details::get_grid_workspace: 1 is the high half, 2 the low one
        return !launch->shape.cooperative ? 0
               : use->element == 1        ? x->program->grid_workspace->address >> 32
               : use->element == 2        ? x->program->grid_workspace->address & UINT32_MAX
                                          : 0;
    case PTX_SPECIAL_PM: // counts whatever somebody has set it to
        return (uint32_t)random_of(number + use->element);
    case PTX_SPECIAL_CURRENT_GRAPH_EXEC: // one launch in two belongs to a graph
        return random_of(number) & 1 ? random_of(number + 1) : 0;
    default:
        return 0;
    }
}

static void warp_reserve(struct exec *x, struct warp *warp)
{
    const struct function *entry = x->program->functions[0];
    sim_registers_grow(&warp->r32, &warp->r32_size, entry->size32 + R32_BYTES, warp->unset);
    sim_registers_grow(&warp->r64, &warp->r64_size, entry->size64, warp->unset);
    sim_registers_grow(&warp->pred, &warp->pred_size, entry->size_pred + 4, 0);
    memset(warp->r64, 0, R64_BYTES); // where the entry's frame lies
    if (!warp->area) {
        size_t size = (x->program->warp_area + 127) / 128 * 128;
        warp->area = mem_aligned(128, size);
    }
    if (entry->frame_size)
        sim_local_grow(warp, entry->frame_size);
}

// Most special registers of a warp are the same in every block: those are filled once.
static void warp_specials(struct exec *x, struct block *block, struct warp *warp)
{
    const struct sim_program *program = x->program;
    memset(warp->area, 0, WARP_SPECIALS);
    for (size_t i = 0; i < program->special_count; i++) {
        const struct special_use *use = &program->specials[i];
        unsigned char *at = warp->area + use->offset;
        bool of_block = use->special == PTX_SPECIAL_CTAID || use->special == PTX_SPECIAL_CLUSTERID ||
                        use->special == PTX_SPECIAL_CLUSTER_CTAID || use->special == PTX_SPECIAL_CLUSTER_CTARANK ||
                        use->special == PTX_SPECIAL_SMID || use->special == PTX_SPECIAL_WARPID;
        if (warp->specials_filled && !of_block)
            continue;
        if (of_block && !use->wide) {
            uint32_t value = (uint32_t)special_value(x, block, warp, 0, use) & (use->half ? UINT16_MAX : UINT32_MAX);
            for (uint32_t lane = 0; lane < SIM_LANES; lane++)
                ((uint32_t *)(void *)at)[lane] = value;
            continue;
        }
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            uint64_t value = special_value(x, block, warp, lane, use) & (use->half ? UINT16_MAX : UINT64_MAX);
            memcpy(at + (use->wide ? 8 : 4) * lane, &value, use->wide ? 8 : 4);
        }
    }
    warp->specials_filled = true;
}

static void warp_recycle(struct warp *warp)
{
    while (warp->join_count)
        sim_join_free(warp, warp->joins[warp->join_count - 1]);
    warp->fragment_count = 0;
    warp->copy_count = 0;
}

// What another block left; what is added to it comes like that.
static void warp_clear(struct warp *warp)
{
    if (warp->r32)
        memset(warp->r32, warp->unset, warp->r32_size);
    if (warp->r64)
        memset(warp->r64, warp->unset, warp->r64_size);
    if (warp->pred)
        memset(warp->pred, 0, warp->pred_size);
    if (warp->local)
        memset(warp->local, warp->unset, warp->local_stride * SIM_LANES);
}

void sim_warp_begin(struct exec *x, struct block *block, uint32_t number)
{
    struct warp *warp = &block->warps[number];
    warp_recycle(warp);
    warp->unset = x->launch->zeroed ? 0 : UNSET_BYTE;
    warp_clear(warp);
    warp_reserve(x, warp);
    uint32_t left = block->threads - number * SIM_LANES;
    warp->number = number;
    warp->first_thread = number * SIM_LANES;
    warp->lanes = warp->live = left >= SIM_LANES ? UINT32_MAX : (1u << left) - 1;
    warp->turn = 0;
    warp->step = warp->parked_since = 0;
    warp->is_released = false;
    warp->polls = 0;
    warp->registers = 0;
    memset(&warp->kept, 0, sizeof warp->kept);
    const struct function *entry = x->program->functions[0];
    warp->root = (struct frame){.function = entry, .top = entry->frame_size, .used = entry->local_size};
    sim_fragment_add(warp, x->program->ops, warp->live, NULL, &warp->root);
    warp_specials(x, block, warp);
}

void sim_warp_free(struct warp *warp)
{
    warp_recycle(warp);
    for (struct join *join = warp->free_joins, *next; join; join = next) {
        next = join->parent;
        free(join);
    }
    for (struct frame *frame = warp->free_frames, *next; frame; frame = next) {
        next = frame->caller;
        free(frame);
    }
    free(warp->joins);
    for (size_t i = 0; i < warp->copy_made; i++)
        free(warp->copies[i]);
    free(warp->copies);
    free(warp->r32);
    free(warp->r64);
    free(warp->pred);
    free(warp->area);
    free(warp->local);
}
