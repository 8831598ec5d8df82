// Runs of the random kernels of generate.h on the simulator, and what differs between two of them.
#ifndef BANKSHOT_TESTS_RANDOM_RUN_H
#define BANKSHOT_TESTS_RANDOM_RUN_H

#include "generate.h"
#include "record/counters.h"
#include "sim/sim.h"

struct random_run {
    enum status status;
    struct diagnostic diagnostic;
    uint32_t *out; // GENERATE_WORDS * threads; the caller frees
    uint32_t sums[GENERATE_SUMS];
};

// The GENERATE_INPUTS values that a seed's kernel reads.
void random_run_inputs(uint64_t seed, uint32_t *in);

// host_threads: 0 = all cores. table: counts as well; the caller frees it; NULL = do not.
enum status random_run_sim(const struct ptx_module *module, const struct generated *kernel, uint64_t seed,
                           enum sim_schedule schedule, unsigned host_threads, struct counter_table *table,
                           struct random_run *run);

// Two NaNs are the same number. Returns the words that differ; the first goes into text ("" if there is none).
uint64_t random_run_compare(const struct generated *kernel, const struct random_run *a, const struct random_run *b,
                            char *text, size_t size);

#endif
