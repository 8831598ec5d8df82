// Which registers may share their place: those that live within one basic block.
//
// Compilers give each value of an unrolled loop a register of its own. All of them together are more than a cache
// holds; those that are needed at any one time are few. A register shares a place if its first instruction writes it in
// every lane that comes there and all others are in the same block: then no lane ever looks at what it held before,
// wherever the other lanes of its warp are.
#include "ptx/parser.h"

#include <stdlib.h>

#include "base/memory.h"

enum { SIZES = 2, NO_BLOCK = -1, LONG_LIVED = -2 };

struct life {
    int64_t block; // or NO_BLOCK, LONG_LIVED
    uint32_t last; // instruction
};

struct pool { // of registers of one size: places that are free, and how many there are
    uint32_t *free;
    size_t count, capacity;
    uint32_t places;
};

struct placing {
    struct ptx_function *function;
    struct life *lives; // by register
    struct pool pools[SIZES];
    uint32_t inst;
    bool writes; // which of the instruction's registers are looked at
};

// What others than the lane itself read, or a call fills or a copy reads later, stays alone.
static bool is_of_lane(const struct ptx_inst *inst)
{
    return ptx_only_computes(inst->op) || ptx_opcode_group(inst->op) == PTX_GROUP_MEMORY;
}

static struct pool *pool_of(struct placing *placing, uint32_t reg)
{
    const struct ptx_register *of = &placing->function->registers[reg];
    unsigned size = of->type == PTX_PRED || of->vector > 1 ? 0 : ptx_type_size(of->type);
    return size == 4 ? &placing->pools[0] : size == 8 ? &placing->pools[1] : NULL;
}

static void see_life(void *context, uint32_t reg, bool written)
{
    struct placing *placing = context;
    const struct ptx_inst *inst = &placing->function->insts[placing->inst];
    if (reg >= placing->function->register_count || written != placing->writes)
        return;
    struct life *life = &placing->lives[reg];
    int64_t block = placing->function->block_of[placing->inst];
    bool begins = life->block == NO_BLOCK && written && inst->guard < 0;
    life->block = is_of_lane(inst) && (begins || life->block == block) ? block : LONG_LIVED;
    life->last = placing->inst;
}

static void take_place(void *context, uint32_t reg, bool written)
{
    struct placing *placing = context;
    if (!written || reg >= placing->function->register_count || placing->lives[reg].block < 0)
        return;
    struct ptx_register *of = &placing->function->registers[reg];
    struct pool *pool = pool_of(placing, reg);
    if (pool && !of->place)
        of->place = pool->count ? pool->free[--pool->count] : ++pool->places;
}

// Behind its last instruction; `last` then says that it has been done.
static void leave_place(void *context, uint32_t reg, bool written)
{
    struct placing *placing = context;
    (void)written;
    if (reg >= placing->function->register_count || placing->lives[reg].last != placing->inst ||
        !placing->function->registers[reg].place)
        return;
    struct pool *pool = pool_of(placing, reg);
    placing->lives[reg].last = UINT32_MAX;
    *mem_append(pool->free, pool->capacity, pool->count) = placing->function->registers[reg].place;
}

static void visit_all(struct placing *placing, ptx_register_visit *visit)
{
    ptx_visit_registers(placing->function, &placing->function->insts[placing->inst], visit, placing);
}

void ptx_place_registers(struct ptx_function *function)
{
    struct placing placing = {.function = function,
                              .lives = mem_alloc((function->register_count + 1) * sizeof *placing.lives)};
    for (uint32_t i = 0; i < function->register_count; i++)
        placing.lives[i].block = NO_BLOCK;
    for (placing.inst = 0; placing.inst < function->inst_count; placing.inst++)
        for (int pass = 0; pass < 2; pass++) { // what it reads was there before what it writes
            placing.writes = pass == 1;
            visit_all(&placing, see_life);
        }
    for (placing.inst = 0; placing.inst < function->inst_count; placing.inst++) {
        visit_all(&placing, take_place);
        visit_all(&placing, leave_place);
    }
    function->places32 = placing.pools[0].places;
    function->places64 = placing.pools[1].places;
    for (int i = 0; i < SIZES; i++)
        free(placing.pools[i].free);
    free(placing.lives);
}
