#include "random_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void random_run_inputs(uint64_t seed, uint32_t *in)
{
    uint64_t state = seed + 12345;
    for (int i = 0; i < GENERATE_INPUTS; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint32_t value = (uint32_t)(state >> 32);
        in[i] = i % 4 == 0 ? value % 100 : i % 16 == 1 ? 0u - value % 7 : value;
    }
}

enum status random_run_sim(const struct ptx_module *module, const struct generated *kernel, uint64_t seed,
                           enum sim_schedule schedule, unsigned host_threads, struct counter_table *table,
                           struct random_run *run)
{
    const struct ptx_function *entry = module->functions[0];
    struct sim_memory *memory = sim_memory_new();
    size_t words = (size_t)GENERATE_WORDS * kernel->threads;
    struct sim_allocation *out = sim_memory_add(memory, "out", words * 4, false);
    struct sim_allocation *in = sim_memory_add(memory, "in", GENERATE_INPUTS * 4, false);
    struct sim_allocation *sums = sim_memory_add(memory, "sums", GENERATE_SUMS * 4, false);
    uint64_t params[] = {out->address, in->address, sums->address};
    struct sim_program *program = NULL;
    struct counter_observer *counter = NULL;
    struct sim_count *counts = NULL;
    struct sim_observer observer;
    random_run_inputs(seed, (uint32_t *)(void *)in->data);
    run->status = sim_program_new(module, entry, memory, &program, &run->diagnostic);
    if (run->status != STATUS_OK)
        goto out;
    struct sim_launch launch = {.program = program,
                                .memory = memory,
                                .shape.grid = {kernel->grid, 1, 1},
                                .shape.block = {kernel->block[0], kernel->block[1], 1},
                                .params = params,
                                .schedule = schedule,
                                .seed = seed,
                                .host_threads = host_threads};
    if (table) {
        counter = counter_observer_new(program, NULL);
        observer = counter_observer_get(counter);
        counts = mem_alloc(sim_program_size(program) * sizeof *counts);
        launch.observers = &observer;
        launch.observer_count = 1;
        launch.counts = counts;
    }
    struct sim_result result;
    run->status = sim_run(&launch, &result, &run->diagnostic);
    run->out = mem_alloc(words * 4);
    memcpy(run->out, out->data, words * 4);
    memcpy(run->sums, sums->data, sizeof run->sums);
    if (table)
        counter_observer_take(counter, counts, table);
out:
    if (counter)
        counter_observer_free(counter);
    free(counts);
    sim_program_free(program);
    sim_memory_free(memory);
    return run->status;
}

static bool is_nan(char kind, const uint32_t *out, size_t threads, size_t thread, uint32_t word)
{
    uint32_t value = out[word * threads + thread];
    if (kind == 'f')
        return (value & 0x7fffffff) > 0x7f800000;
    if (kind == 'h')
        return (value & 0x7fff) > 0x7c00 || (value >> 16 & 0x7fff) > 0x7c00;
    uint32_t first = GENERATE_R + 2 * GENERATE_D + GENERATE_F, low = first + (word - first) / 2 * 2;
    uint64_t whole = out[(low + 1) * threads + thread];
    whole = whole << 32 | out[low * threads + thread];
    return kind == 'g' && (whole & 0x7fffffffffffffffu) > 0x7ff0000000000000u;
}

uint64_t random_run_compare(const struct generated *kernel, const struct random_run *a, const struct random_run *b,
                            char *text, size_t size)
{
    uint64_t wrong = 0;
    text[0] = '\0';
    for (uint32_t word = 0; word < GENERATE_WORDS; word++)
        for (size_t thread = 0; thread < kernel->threads; thread++) {
            size_t at = (size_t)word * kernel->threads + thread;
            char kind = generate_word_kind(word);
            if (a->out[at] == b->out[at] || (is_nan(kind, a->out, kernel->threads, thread, word) &&
                                             is_nan(kind, b->out, kernel->threads, thread, word)))
                continue;
            if (!wrong++)
                snprintf(text, size, "word %u (%c) of thread %zu: %08x, %08x", word, kind, thread, a->out[at],
                         b->out[at]);
        }
    for (int i = 0; i < GENERATE_SUMS; i++)
        if (a->sums[i] != b->sums[i] && !wrong++)
            snprintf(text, size, "sums[%d]: %08x, %08x", i, a->sums[i], b->sums[i]);
    return wrong;
}
