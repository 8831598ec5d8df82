// Arguments as a kernel gets them, whichever device runs it.
#include "device/job.h"

#include <string.h>

size_t device_texture_source(const struct device_arg *args, size_t count, size_t which)
{
    const char *name = args[which].texture->of;
    size_t i = 0;
    while (name && i < count && (!args[i].is_buffer || strcmp(args[i].name, name) != 0))
        i++;
    return name ? i : which;
}

const struct ptx_variable *device_variable(const struct ptx_module *module, const char *name)
{
    char shown[256];
    for (uint32_t i = 0; i < module->variable_count; i++) {
        const struct ptx_variable *variable = module->variables[i];
        ptx_demangle(variable->name, shown, sizeof shown);
        if ((variable->space == PTX_GLOBAL || variable->space == PTX_CONST) &&
            (!strcmp(variable->name, name) || !strcmp(shown, name)))
            return variable;
    }
    return NULL;
}

size_t device_arg_size(const struct device_arg *arg)
{
    return arg->bytes ? arg->count : ptx_type_size(arg->type);
}

size_t device_pointer_target(const struct device_arg *args, size_t count, const struct device_pointer *pointer)
{
    size_t i = 0;
    while (i < count && ((!args[i].is_buffer && !args[i].texture) || strcmp(args[i].name, pointer->target) != 0))
        i++;
    return i;
}

void device_arg_value(const struct device_arg *args, size_t count, size_t which, const uint64_t *addresses,
                      unsigned char *data)
{
    const struct device_arg *arg = &args[which];
    if (!arg->is_buffer && !arg->texture)
        memcpy(data, arg->bytes ? (const void *)arg->bytes : &arg->scalar, device_arg_size(arg));
    for (size_t i = 0; i < arg->pointer_count; i++) {
        size_t target = device_pointer_target(args, count, &arg->pointers[i]);
        uint64_t address = addresses[target] + (uint64_t)arg->pointers[i].addend;
        memcpy(data + arg->pointers[i].offset, &address, 8);
    }
}

static bool is_integer_type(enum ptx_type type)
{
    return type >= PTX_U8 && type <= PTX_S64;
}

const char *device_mismatch(const struct ptx_variable *param, const struct device_arg *arg)
{
    if (arg->is_buffer)
        return param->size == 8 && !device_is_float(param->type) ? NULL : "it is not a pointer";
    if (arg->is_tensor_map)
        return param->align < TENSOR_MAP_ALIGNMENT || param->size != TENSOR_MAP_BYTES
                   ? "it is no CUtensorMap: take it as const __grid_constant__ CUtensorMap, or a pointer to one"
                   : NULL;
    if (arg->bytes)
        return param->size == arg->count ? NULL : "the sizes differ";
    if (param->size > 8)
        return "it is a struct: give its fields as NAME:{TYPE=VALUE,…}, or NAME:bytes[SIZE]=…";
    if (param->size != ptx_type_size(arg->type))
        return "the sizes differ";
    if ((device_is_float(param->type) && is_integer_type(arg->type)) ||
        (is_integer_type(param->type) && device_is_float(arg->type)))
        return "one is a whole number, the other is not";
    return NULL;
}

void record_free(struct record *record)
{
    counter_table_free(&record->counters);
    hazard_list_free(&record->hazards);
    recording_free(&record->recording);
    *record = (struct record){0};
}
