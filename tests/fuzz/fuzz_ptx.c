// PTX text: parse, ask every question there is, free.
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "ptx/ptx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
    arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ptx_module *module;
    struct diagnostic diagnostic;
    const struct ptx_function *entry;
    if (ptx_parse("fuzz", (const char *)data, size, &module, &diagnostic) != STATUS_OK)
        return 0;
    ptx_find_entry(module, NULL, &entry, &diagnostic);
    ptx_find_entry(module, "k<1>", &entry, &diagnostic);
    for (uint32_t i = 0; i < module->function_count && i < 16; i++)
        look_at(module, module->functions[i]);
    ptx_module_free(module);
    return 0;
}
