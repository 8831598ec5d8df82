// An estimate of the registers that a thread needs: the most 32-bit values alive at once, plus what ptxas keeps for
// itself. Classic backward dataflow over the basic blocks.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/predict.h"

enum { OVERHEAD = 8, LEAST = 16 };

struct liveness {
    const struct ptx_function *function;
    size_t words;      // of one set
    uint64_t *live_in; // by block
};

static void set_bit(uint64_t *set, uint32_t reg, bool on)
{
    if (on)
        set[reg / 64] |= 1ull << reg % 64;
    else
        set[reg / 64] &= ~(1ull << reg % 64);
}

struct liveness_step {
    uint64_t *set;
    bool keeps; // a guarded write may leave the old value: it stays alive
};

static void step_register(void *context, uint32_t reg, bool written)
{
    const struct liveness_step *step = context;
    if (!written || !step->keeps)
        set_bit(step->set, reg, !written);
}

static void step_back(const struct ptx_function *function, const struct ptx_inst *inst, uint64_t *set)
{
    struct liveness_step step = {set, inst->guard >= 0};
    ptx_visit_registers(function, inst, step_register, &step);
}

static void live_out(const struct liveness *l, uint32_t block, uint64_t *set)
{
    const struct ptx_block *b = &l->function->blocks[block];
    memset(set, 0, l->words * sizeof *set);
    for (uint32_t s = 0; s < b->successor_count && b->successor_count <= 2; s++)
        for (size_t w = 0; w < l->words; w++)
            set[w] |= l->live_in[b->successors[s] * l->words + w];
}

static uint32_t pressure(const struct ptx_function *function, const uint64_t *set, size_t words)
{
    uint32_t sum = 0;
    for (size_t w = 0; w < words; w++)
        for (uint64_t bits = set[w]; bits; bits &= bits - 1) {
            const struct ptx_register *reg = &function->registers[w * 64 + (size_t)__builtin_ctzll(bits)];
            sum += reg->type == PTX_PRED ? 0 : (ptx_type_size(reg->type) + 3) / 4;
        }
    return sum;
}

uint32_t predict_registers(const struct ptx_function *function)
{
    struct liveness l = {.function = function, .words = function->register_count / 64 + 1};
    l.live_in = mem_alloc(function->block_count * l.words * sizeof *l.live_in);
    uint64_t *set = mem_alloc(l.words * sizeof *set);
    uint32_t most = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t block = function->block_count; block-- > 0;) {
            live_out(&l, block, set);
            for (uint32_t i = function->blocks[block].last + 1; i-- > function->blocks[block].first;)
                step_back(function, &function->insts[i], set);
            if (memcmp(set, l.live_in + block * l.words, l.words * sizeof *set) != 0) {
                memcpy(l.live_in + block * l.words, set, l.words * sizeof *set);
                changed = true;
            }
        }
    }
    for (uint32_t block = 0; block < function->block_count; block++) {
        live_out(&l, block, set);
        for (uint32_t i = function->blocks[block].last + 1; i-- > function->blocks[block].first;) {
            step_back(function, &function->insts[i], set);
            uint32_t now = pressure(function, set, l.words);
            most = now > most ? now : most;
        }
    }
    free(set);
    free(l.live_in);
    most += OVERHEAD;
    if (function->maxnreg && most > function->maxnreg)
        most = function->maxnreg;
    return most < LEAST ? LEAST : most > GPU_THREAD_REGISTERS ? GPU_THREAD_REGISTERS : most;
}
