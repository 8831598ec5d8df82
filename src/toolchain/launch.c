// The LAUNCH line, as its variable in the PTX holds it.
#include "toolchain/launch.h"

#include <stddef.h>
#include <stdint.h>

enum { MAGIC = 0x3148434c, WORDS = 7, TILE_MAX = 1 << 20 };

static const struct ptx_variable *launch_variable(const struct ptx_module *module)
{
    const struct ptx_variable *variable = ptx_find_variable(module, "bankshot_launch");
    return variable && variable->data && variable->size == WORDS * sizeof(uint32_t) ? variable : NULL;
}

bool launch_is_given(const struct ptx_module *module)
{
    return launch_variable(module) != NULL;
}

static uint32_t launch_word(const struct ptx_variable *variable, int index)
{
    const unsigned char *bytes = variable->data + 4 * index;
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

enum status launch_from_module(const struct ptx_module *module, struct launch_shape *shape,
                               struct diagnostic *diagnostic)
{
    const struct ptx_variable *variable = launch_variable(module);
    *shape = (struct launch_shape){.grid = {1, 1, 1}, .block = {0, 0, 1}};
    if (!variable || launch_word(variable, 0) != MAGIC)
        return diagnostic_set(diagnostic, STATUS_LAUNCH,
                              "there is no LAUNCH line. Add one outside the kernel, such as LAUNCH(32, 8, 32, 32): "
                              "threads in x and y, then the columns and rows that a block covers");
    for (int i = 1; i < WORDS; i++)
        if (launch_word(variable, i) > INT32_MAX)
            return diagnostic_set(diagnostic, STATUS_LAUNCH,
                                  "number %d of the LAUNCH line is %lld: none may be negative", i,
                                  (long long)launch_word(variable, i) - (INT64_C(1) << 32));
    for (int i = 0; i < 2; i++) {
        shape->block[i] = launch_word(variable, 1 + i);
        shape->tile[i] = launch_word(variable, 3 + i);
    }
    shape->dynamic_shared = launch_word(variable, 5);
    shape->asked_shared = launch_word(variable, 6);
    if (!shape->tile[0] || !shape->tile[1] || shape->tile[0] > TILE_MAX || shape->tile[1] > TILE_MAX)
        return diagnostic_set(
            diagnostic, STATUS_LAUNCH,
            "LAUNCH says that a block covers %u x %u elements, its third and fourth number: both must be "
            "from 1 to %d",
            shape->tile[0], shape->tile[1], TILE_MAX);
    return launch_check(shape, NULL, LAUNCH_SHARED, diagnostic);
}
