// Parts and sizes of a lesson: what expressions, other sizes and the arguments of the role "map" come to.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "device/args.h"
#include "lesson/expression.h"
#include "lesson/lesson.h"

const struct lesson_part *lesson_part_find(const struct lesson *lesson, const char *name)
{
    for (size_t i = 0; name && i < lesson->part_count; i++)
        if (lesson->parts[i].name && strcmp(lesson->parts[i].name, name) == 0)
            return &lesson->parts[i];
    return name ? NULL : lesson->parts;
}

bool lesson_size_variable(const struct lesson_size *size, bool gpu, const char *name, double *value)
{
    bool found = false;
    for (size_t i = 0; i < size->variable_count; i++)
        if (strcmp(size->variables[i].name, name) == 0) {
            *value = (double)size->variables[i].value;
            found = true;
        }
    for (size_t i = 0; gpu && i < size->gpu_variable_count; i++)
        if (strcmp(size->gpu_variables[i].name, name) == 0)
            *value = (double)size->gpu_variables[i].value;
    return found;
}

struct size_scope {
    const struct lesson_size *size;
    bool gpu;
};

static enum status size_lookup(void *context, const struct expression_reference *reference, double *value,
                               struct diagnostic *diagnostic)
{
    const struct size_scope *scope = context;
    if (!reference->is_call && lesson_size_variable(scope->size, scope->gpu, reference->name, value))
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_PARSE, "\"%.60s\" is not a variable of size \"%s\".", reference->name,
                          scope->size->name);
}

enum status lesson_evaluate(const struct lesson_size *size, bool gpu, const char *expression, double *value,
                            struct diagnostic *diagnostic)
{
    struct size_scope scope = {size, gpu};
    return expression_value(expression, size_lookup, &scope, value, diagnostic);
}

double lesson_value(const struct lesson_size *size, bool gpu, const char *expression)
{
    double value = NAN;
    return lesson_evaluate(size, gpu, expression, &value, NULL) ? NAN : value;
}

void lesson_other_size(const struct lesson_part *part, struct lesson_other_size *other)
{
    const struct lesson_size *speed = &part->sizes[part->speed_size];
    *other = (struct lesson_other_size){
        .size = {.name = "other", .variables = other->variables, .variable_count = speed->variable_count}};
    memcpy(other->variables, speed->variables, speed->variable_count * sizeof *speed->variables);
}

void lesson_other_set(struct lesson_other_size *other, const char *name, int64_t value)
{
    for (size_t i = 0; i < other->size.variable_count; i++)
        if (strcmp(other->variables[i].name, name) == 0)
            other->variables[i].value = value;
}

int64_t lesson_other_get(const struct lesson_other_size *other, const char *name)
{
    int64_t value = 0;
    for (size_t i = 0; i < other->size.variable_count; i++)
        if (strcmp(other->variables[i].name, name) == 0)
            value = other->variables[i].value;
    return value;
}

// ---- tensor maps

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
