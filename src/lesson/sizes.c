// Tensor maps of a lesson: what an argument of the role "map" is at a size.
#include "lesson/lesson.h"

#include <string.h>

#include "base/text.h"
#include "device/args.h"

// As `trace --arg` would be told: x first.
static void print_extent(const struct lesson_size *size, bool gpu, const char *const *extent, size_t count,
                         struct text *text)
{
    for (size_t i = count; i-- > 0;)
        text_printf(text, "%.0f%s", lesson_value(size, gpu, extent[i]), i ? "*" : "");
}

enum status lesson_tensor_map(const struct lesson_part *part, const struct lesson_arg *arg,
                              const struct lesson_size *size, bool gpu, struct device_arg *map,
                              struct diagnostic *diagnostic)
{
    const struct lesson_arg *of = part->args, *end = part->args + part->arg_count;
    struct text spec = {0};
    while (of < end && !(lesson_is_buffer(of) && !strcmp(of->name, arg->of)))
        of++;
    if (of == end || of->type != arg->type || !of->shape_count)
        return diagnostic_set(
            diagnostic, STATUS_USAGE,
            "\"%.60s\" is a map of \"%.60s\", which must be a buffer with a shape and of the same type", arg->name,
            arg->of);
    text_printf(&spec, "%s:tmap(%s[", arg->name, ptx_type_name(arg->type));
    print_extent(size, gpu, of->shape, of->shape_count, &spec);
    text_printf(&spec, "],of=%s,box=", arg->of);
    print_extent(size, gpu, arg->box, arg->box_count, &spec);
    if (arg->swizzle)
        text_printf(&spec, ",swizzle=%d", arg->swizzle);
    text_puts(&spec, ")");
    enum status status = args_parse(text_get(&spec), map, diagnostic);
    text_free(&spec);
    return status;
}
