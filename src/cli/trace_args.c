// The arguments of a traced kernel: --args FILE.json, then --arg, then the buffers that only pointers lead to
// (--buffer), and what variables of the module hold (--set).
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "cli/trace.h"
#include "device/args.h"

enum { ARGS_FILE_BYTES = 16 << 20 };

static enum status argument_read(struct trace *trace, const char *spec, bool is_extra)
{
    if (trace->arg_count == DEVICE_MAX_ARGS)
        return diagnostic_set(&trace->error, STATUS_USAGE, "a kernel takes at most %d arguments here", DEVICE_MAX_ARGS);
    struct device_arg *arg = &trace->args[trace->arg_count];
    enum status status =
        trace->predict ? args_parse_later(spec, arg, &trace->error) : args_parse(spec, arg, &trace->error);
    if (status != STATUS_OK)
        return status;
    trace->arg_count++;
    arg->is_extra = is_extra;
    if (is_extra && !arg->is_buffer && !arg->is_tensor_map)
        return diagnostic_set(&trace->error, STATUS_USAGE, "--buffer %.60s: it is no buffer: NAME:TYPE[COUNT]=FILL",
                              arg->name);
    for (size_t before = 0; before + 1 < trace->arg_count; before++)
        if (strcmp(trace->args[before].name, arg->name) == 0)
            return diagnostic_set(&trace->error, STATUS_USAGE, "two arguments are named '%s'", arg->name);
    return STATUS_OK;
}

// {"n": "s32=256", "out": "f32[1024]=zero"}: what would follow "n:" in --arg, in the kernel's order
static enum status read_args_file(struct trace *trace)
{
    char *text;
    size_t length;
    json_error_t wrong;
    enum status status = file_read(trace->args_file, ARGS_FILE_BYTES, &text, &length, &trace->error);
    if (status != STATUS_OK)
        return status;
    json_t *json = json_loadb(text, length, 0, &wrong), *value;
    const char *name;
    free(text);
    if (!json)
        return diagnostic_at(&trace->error, STATUS_USAGE, trace->args_file, wrong.line, wrong.column, "%s", wrong.text);
    if (!json_is_object(json))
        status = diagnostic_set(&trace->error, STATUS_USAGE,
                                "%.200s: an object is wanted, with a member for each argument: {\"n\": \"s32=256\"}",
                                trace->args_file);
    json_object_foreach(json, name, value)
    {
        if (status != STATUS_OK)
            break;
        if (!json_is_string(value)) {
            status = diagnostic_set(&trace->error, STATUS_USAGE,
                                    "%.200s: %.60s: a text is wanted, as in \"s32=256\" or \"f32[1024]=random\"",
                                    trace->args_file, name);
            break;
        }
        struct text spec = {0};
        text_printf(&spec, "%s:%s", name, json_string_value(value));
        status = argument_read(trace, text_get(&spec), false);
        text_free(&spec);
    }
    json_decref(json);
    return status;
}

// Tensor maps are no numbers, wherever they lie.
static bool has_values(const struct device_arg *arg)
{
    return arg->is_buffer && !arg->is_tensor_map && ptx_type_size(arg->type) > 0;
}

static enum status check_dumps(struct trace *trace)
{
    for (size_t i = 0; i < trace->dumps.count; i++) {
        size_t arg = 0;
        while (arg < trace->arg_count &&
               (strcmp(trace->args[arg].name, trace->dumps.items[i]) != 0 || !has_values(&trace->args[arg])))
            arg++;
        if (arg == trace->arg_count)
            return diagnostic_set(&trace->error, STATUS_USAGE, "--dump %.60s: no --arg of that name is a buffer",
                                  trace->dumps.items[i]);
    }
    return STATUS_OK;
}

enum status trace_arguments(struct trace *trace)
{
    enum status status = trace->args_file ? read_args_file(trace) : STATUS_OK;
    for (size_t i = 0; i < trace->specs.count && status == STATUS_OK; i++)
        status = argument_read(trace, trace->specs.items[i], false);
    for (size_t i = 0; i < trace->buffers.count && status == STATUS_OK; i++)
        status = argument_read(trace, trace->buffers.items[i], true);
    return status == STATUS_OK ? check_dumps(trace) : status;
}

// NAME=FILL: the variable says type and size, where PTX keeps them.
static enum status complete_setting(struct trace *trace, const char *text, struct text *spec)
{
    size_t length = strcspn(text, "=");
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : 0), text);
    const struct ptx_variable *variable = device_variable(trace->module, name);
    if (!text[length] || !variable)
        return diagnostic_set(&trace->error, STATUS_USAGE,
                              text[length] ? "--set %.60s: the module has no __device__ or __constant__ variable of "
                                             "that name"
                                           : "--set %.60s: NAME=FILL or NAME:TYPE[COUNT]=FILL is wanted",
                              text[length] ? name : text);
    const char *fill = text + length + 1;
    unsigned unit = ptx_type_size(variable->type);
    bool is_bytes = variable->type == PTX_B8 || variable->type == PTX_U8;
    bool is_typeless = !strcmp(fill, "zero") || !strcmp(fill, "none") || fill[0] == '@'; // the same in any type
    if (is_bytes && variable->size > 1 && !is_typeless)
        return diagnostic_set(&trace->error, STATUS_USAGE,
                              "--set %.60s: PTX does not keep the type of its %llu bytes: write it, as in "
                              "%.60s:f32[%llu]=%.20s",
                              name, (unsigned long long)variable->size, name, (unsigned long long)variable->size / 4,
                              fill);
    const char *type = is_bytes                    ? "u8"
                       : variable->type == PTX_B16 ? "u16"
                       : variable->type == PTX_B32 ? "u32"
                       : variable->type == PTX_B64 ? "u64"
                                                   : ptx_type_name(variable->type);
    text_printf(spec, "%s:%s[%llu]=%s", name, type, (unsigned long long)(variable->size / (unit ? unit : 1)), fill);
    return STATUS_OK;
}

enum status trace_settings(struct trace *trace)
{
    for (size_t i = 0; i < trace->sets.count; i++) {
        const char *text = trace->sets.items[i];
        struct text spec = {0};
        enum status status = STATUS_OK;
        if (strcspn(text, ":") > strcspn(text, "="))
            status = complete_setting(trace, text, &spec);
        else
            text_puts(&spec, text);
        if (status == STATUS_OK)
            status = args_parse(text_get(&spec), &trace->settings[i], &trace->error);
        trace->setting_count += status == STATUS_OK;
        text_free(&spec);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

void trace_arguments_free(struct trace *trace)
{
    for (size_t i = 0; i < trace->arg_count; i++)
        args_free(&trace->args[i]);
    for (size_t i = 0; i < trace->setting_count; i++)
        args_free(&trace->settings[i]);
    trace->arg_count = trace->setting_count = 0;
}
