// Runs a kernel given as the body of its PTX text, for tests of the machine.
//
// Around the body are a header (sm_90), an entry `kernel` with the parameters in, out (u64) and n (u32), and these
// declarations: %p<32> predicates, %h<64> b16, %r<128> b32, %f<64> f32, %rd<64> b64, %d<32> f64. Before the body,
// %rd0 = in, %rd1 = out, %r0 = n, %r1 = %tid.x, %r2 = the thread's number in the grid (x only), %rd2 = in + 4 * %r2,
// %rd3 = out + 4 * %r2.
#ifndef BANKSHOT_TESTS_KERNEL_H
#define BANKSHOT_TESTS_KERNEL_H

#include "base/text.h"
#include "sim/sim.h"

struct kernel {
    const char *before; // module-level declarations, or NULL
    const char *body;
    uint32_t grid, block; // x only; 0 = 1 and 32
    uint32_t cluster;     // blocks of one, x only; 0: none
    uint32_t n;
    const void *in;
    size_t in_size;
    void *out;
    size_t out_size;
    bool track; // out starts as never written
    uint32_t dynamic_shared;
    uint64_t budget, seed;
    uint32_t lone_warp;
    enum sim_schedule schedule;
    unsigned host_threads;
    uint64_t at_once; // blocks that share the heap
    struct sim_observer *observers;
    size_t observer_count;
    void (*print)(void *context, const char *text, size_t length);
    void *print_context;
    struct sim_count *counts; // room for 512 instructions, or NULL
    const atomic_bool *cancel;
    struct clock_limit limit;
    struct text
        *seen; // hazards, counters, the recording of block 0 and what became of `in`, in words; NULL = not asked
    // answers
    struct sim_result result;
    struct diagnostic diagnostic;
};

enum status kernel_run(struct kernel *kernel);

#endif
