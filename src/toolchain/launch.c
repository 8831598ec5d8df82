#include "toolchain/launch.h"

#include <stddef.h>

enum { MAGIC = 0x3148434c, WORDS = 6, SHARED_MAX = 227 * 1024, TILE_MAX = 1 << 20 };

static const struct ptx_variable *find(const struct ptx_module *module)
{
    const struct ptx_variable *variable = ptx_find_variable(module, "bankshot_launch");
    return variable && variable->data && variable->size == WORDS * sizeof(uint32_t) ? variable : NULL;
}

bool launch_is_given(const struct ptx_module *module)
{
    return find(module) != NULL;
}

static uint32_t word(const struct ptx_variable *variable, int index)
{
    const unsigned char *bytes = variable->data + 4 * index;
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

enum status launch_from_module(const struct ptx_module *module, struct launch_shape *shape,
                               struct diagnostic *diagnostic)
{
    const struct ptx_variable *variable = find(module);
    *shape = (struct launch_shape){0};
    if (!variable || word(variable, 0) != MAGIC)
        return diagnostic_set(diagnostic, STATUS_COMPILE,
                              "there is no LAUNCH line. Add one outside the kernel, such as LAUNCH(32, 8, 32, 32): "
                              "threads in x and y, then the columns and rows that a block covers");
    for (int i = 0; i < 2; i++) {
        shape->block[i] = word(variable, 1 + i);
        shape->tile[i] = word(variable, 3 + i);
    }
    shape->dynamic_shared = word(variable, 5);
    uint64_t threads = (uint64_t)shape->block[0] * shape->block[1];
    if (threads == 0 || threads > 1024)
        return diagnostic_set(diagnostic, STATUS_COMPILE,
                              "LAUNCH asks for blocks of %u x %u threads; a block has 1 to 1024 threads",
                              shape->block[0], shape->block[1]);
    if (!shape->tile[0] || !shape->tile[1] || shape->tile[0] > TILE_MAX || shape->tile[1] > TILE_MAX)
        return diagnostic_set(diagnostic, STATUS_COMPILE,
                              "LAUNCH says that a block covers %u x %u elements: both must be at least 1",
                              shape->tile[0], shape->tile[1]);
    if (shape->dynamic_shared > SHARED_MAX)
        return diagnostic_set(diagnostic, STATUS_COMPILE,
                              "LAUNCH asks for %u bytes of shared memory; no GPU gives a block more than %d",
                              shape->dynamic_shared, SHARED_MAX);
    return STATUS_OK;
}
