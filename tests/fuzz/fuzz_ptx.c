// PTX text: parse, ask every question there is, run what it holds under every observer, free.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/device.h"
#include "model/liveness.h"
#include "ptx/ptx.h"
#include "toolchain/launch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BUFFER_WORDS = 1024, BUDGET = 2000, ENTRIES = 4 };

static void look_at(const struct ptx_module *module, const struct ptx_function *function)
{
    char name[512];
    const char *file;
    uint32_t line;
    struct arena *arena = arena_new();
    ptx_demangle(function->name, name, sizeof name);
    ptx_shared_layout(function, arena);
    for (uint32_t i = 0; i < function->inst_count; i++)
        ptx_source(module, &function->insts[i], i % 2 ? "a.cu" : NULL, &file, &line);
    liveness_registers(function);
    arena_free(arena);
}

// Pointers get buffers, numbers a small count: a launch that a learner could have meant.
static size_t make_arguments(const struct ptx_function *entry, struct device_arg *args, uint32_t *words)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    size_t count = entry->param_count < 8 ? entry->param_count : 8;
    for (size_t i = 0; i < count; i++) {
        bool wide = entry->params[i].size == 8;
        args[i] = (struct device_arg){.name = names[i],
                                      .type = wide ? PTX_F32 : entry->params[i].type,
                                      .is_buffer = wide,
                                      .scalar = 32,
                                      .data = wide ? words + i * BUFFER_WORDS : NULL,
                                      .count = wide ? BUFFER_WORDS : 0,
                                      .uninitialised = wide && i % 3 == 2};
    }
    return count;
}

static void shape_of(const struct ptx_function *entry, uint32_t block[3])
{
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        block[i] = entry->reqntid[i] ? entry->reqntid[i] : i == 0 && !entry->reqntid[1] ? 48 : 1;
        threads *= block[i] < 1024 ? block[i] : 1024;
    }
    if (threads > 256)
        block[0] = block[1] = block[2] = 0;
}

static void run(const struct ptx_module *module, const struct ptx_function *entry)
{
    static uint32_t words[8 * BUFFER_WORDS];
    struct device_arg args[8];
    struct record record = {0};
    struct diagnostic diagnostic = {0};
    struct device device;
    struct device_job job = {.module = module,
                             .entry = entry,
                             .shape.grid = {2, 1, 1},
                             .shape.dynamic_shared = 512,
                             .args = args,
                             .want_counters = true,
                             .want_hazards = true,
                             .want_recording = true,
                             .budget = BUDGET,
                             .host_threads = 1};
    job.arg_count = make_arguments(entry, args, words);
    shape_of(entry, job.shape.block);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        words[i] = (uint32_t)i % 7;
    if (device_open(&device, "sim", NULL, -1, NULL) != STATUS_OK)
        abort();
    if (device_run(&device, &job, &record, &diagnostic) != STATUS_OK && !diagnostic.message[0])
        abort();
    device_close(&device);
    record_free(&record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ptx_module *module;
    struct diagnostic diagnostic = {0};
    const struct ptx_function *entry;
    if (ptx_parse("fuzz", (const char *)data, size, &module, &diagnostic) != STATUS_OK) {
        if (!diagnostic.message[0])
            abort();
        return 0;
    }
    if (size % 2)
        ptx_write_out(module, "a.cu");
    struct launch_shape line;
    if (launch_is_given(module) && launch_from_module(module, &line, &diagnostic) != STATUS_OK &&
        !diagnostic.message[0])
        abort();
    ptx_find_entry(module, NULL, &entry, &diagnostic);
    ptx_find_entry(module, "k<1>", &entry, &diagnostic);
    for (uint32_t i = 0, entries = 0; i < module->function_count && i < 16; i++) {
        look_at(module, module->functions[i]);
        if (module->functions[i]->is_entry && module->functions[i]->is_defined && entries++ < ENTRIES)
            run(module, module->functions[i]);
    }
    ptx_module_free(module);
    return 0;
}
