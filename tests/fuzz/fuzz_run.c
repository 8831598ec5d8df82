// PTX text: parse, decode and run its first kernel on the machine, with observers, within a small budget.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BUFFER = 4096, PARAMS = 256 };

static void on_access(void *state, const struct sim_access *access)
{
    uint64_t *sum = state;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++)
        if (access->mask >> lane & 1)
            *sum += access->addresses[lane] + (access->values ? access->values[lane * access->value_stride] : 0);
}

static void run(const struct sim_program *program, struct sim_memory *memory, const struct ptx_function *entry,
                uint8_t choice)
{
    uint64_t params[PARAMS / 8], sum = 0;
    for (size_t i = 0; i < PARAMS / 8; i++)
        params[i] = i < 3 ? sim_memory_add(memory, "buffer", BUFFER, i == 2)->address : 64;
    if (entry->param_size > sizeof params)
        return;
    struct sim_observer observer = {.wants = choice & 1 ? SIM_WANT_ACCESS_SHARED | SIM_WANT_ACCESS_GLOBAL |
                                                              SIM_WANT_ACCESS_OTHER | SIM_WANT_SYNC | SIM_WANT_NOTICE |
                                                              SIM_WANT_STEP
                                                        : 0,
                                    .context = &sum,
                                    .access = on_access};
    struct sim_launch launch = {.program = program,
                                .memory = memory,
                                .shape.grid = {2, 1, 1},
                                .shape.block = {48, 1, 1},
                                .shape.dynamic_shared = 256,
                                .params = params,
                                .budget = 3000,
                                .schedule = (enum sim_schedule)((choice >> 1) % 3),
                                .seed = choice,
                                .host_threads = 1,
                                .observers = &observer,
                                .observer_count = 1};
    for (int i = 0; i < 3; i++)
        if (entry->reqntid[i])
            launch.shape.block[i] = entry->reqntid[i];
    struct sim_result result;
    struct diagnostic diagnostic;
    sim_run(&launch, &result, &diagnostic);
}

// The first byte chooses schedule and observers; the rest is the text.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ptx_module *module;
    struct diagnostic diagnostic;
    struct sim_program *program;
    if (!size || ptx_parse("fuzz", (const char *)data + 1, size - 1, &module, &diagnostic) != STATUS_OK)
        return 0;
    for (uint32_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *entry = module->functions[i];
        if (!entry->is_entry || !entry->is_defined)
            continue;
        struct sim_memory *memory = sim_memory_new();
        if (sim_program_new(module, entry, memory, &program, &diagnostic) == STATUS_OK) {
            run(program, memory, entry, data[0]);
            sim_program_free(program);
        }
        sim_memory_free(memory);
        break;
    }
    ptx_module_free(module);
    return 0;
}
