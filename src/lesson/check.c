// What the loader checks beyond types: see check.h.
#include "lesson/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device/args.h"
#include "lesson/expression.h"
#include "lesson/names.h"

// ---- parts

// OK when the list has the name; else which ones it has.
static enum status check_name(const struct settings_reader *reader, const config_setting_t *setting, const char *what,
                              const char *name, const struct names *names)
{
    return names_have(names, name) ? STATUS_OK
                                   : settings_unknown(reader, setting, what, name, names->items, names->count);
}

// The setting under key (and, from 0, its element), for the line of a message.
static const config_setting_t *setting_place(const config_setting_t *setting, const char *key, long index)
{
    const config_setting_t *member = config_setting_get_member(setting, key);
    if (member && index >= 0)
        member = config_setting_get_elem(member, (unsigned)index);
    return member ? member : setting;
}

// An expression over a size must be a whole number of [least, most].
static enum status check_whole(const struct settings_reader *reader, const config_setting_t *setting,
                               const struct lesson_size *size, bool gpu, const char *what, const char *expression,
                               double least, double most, double *value)
{
    struct diagnostic why = {0};
    if (lesson_evaluate(size, gpu, expression, value, &why))
        return settings_fail(reader, setting, "%s: %s", what, why.message);
    if (!(*value >= least && *value <= most) || *value != floor(*value))
        return settings_fail(reader, setting, "%s = \"%s\" is %g at size \"%s\"; it must be whole, from %.0f to %.0f.",
                             what, expression, *value, size->name, least, most);
    return STATUS_OK;
}

static enum status check_map(const struct settings_reader *reader, const config_setting_t *setting,
                             const struct lesson_part *part, const struct lesson_arg *arg,
                             const struct lesson_size *size, bool gpu)
{
    struct device_arg map = {0};
    struct diagnostic why = {0};
    double extent;
    for (size_t i = 0; i < arg->box_count; i++) {
        enum status status = check_whole(reader, setting, size, gpu, "the box", arg->box[i], 1, UINT16_MAX, &extent);
        if (status)
            return status;
    }
    enum status status = lesson_tensor_map(part, arg, size, gpu, &map, &why);
    args_free(&map);
    return status ? settings_fail(reader, setting, "at size \"%s\": %s", size->name, why.message) : STATUS_OK;
}

static enum status check_arg_size(const struct settings_reader *reader, const config_setting_t *setting,
                                  const struct lesson_arg *arg, const struct lesson_size *size, bool gpu)
{
    char what[128];
    double elements = 1, extent;
    snprintf(what, sizeof what, "the shape of \"%.60s\"", arg->name);
    for (size_t i = 0; i < arg->shape_count; i++) {
        enum status status =
            check_whole(reader, setting, size, gpu, what, arg->shape[i], 1, CHECK_MAX_ELEMENTS, &extent);
        if (status)
            return status;
        elements *= extent;
    }
    if (elements > (double)CHECK_MAX_ELEMENTS)
        return settings_fail(reader, setting, "\"%s\" has %.0f elements at size \"%s\"; at most %d.", arg->name,
                             elements, size->name, CHECK_MAX_ELEMENTS);
    if (arg->role != LESSON_SCALAR)
        return STATUS_OK;
    struct diagnostic why = {0};
    if (lesson_evaluate(size, gpu, arg->value, &extent, &why))
        return settings_fail(reader, setting, "the value of \"%s\": %s", arg->name, why.message);
    return isfinite(extent) ? STATUS_OK
                            : settings_fail(reader, setting, "the value of \"%s\" is not a number at size \"%s\".",
                                            arg->name, size->name);
}

static enum status check_args(const struct settings_reader *reader, const config_setting_t *setting,
                              const struct lesson_part *part)
{
    size_t outputs = 0;
    struct names fills = {0};
    names_collect(&fills, NAMES_FILLS);
    if (part->arg_count > DEVICE_MAX_ARGS)
        return settings_fail(reader, setting, "a kernel has at most %d arguments here.", DEVICE_MAX_ARGS);
    for (size_t i = 0; i < part->arg_count; i++) {
        const struct lesson_arg *arg = &part->args[i];
        const config_setting_t *at = setting_place(setting, "args", (long)i);
        outputs += arg->role == LESSON_OUT || arg->role == LESSON_INOUT;
        if (arg->fill && check_name(reader, at, "fill", arg->fill, &fills))
            return STATUS_PARSE;
        for (size_t j = 0; j < i; j++)
            if (strcmp(arg->name, part->args[j].name) == 0)
                return settings_fail(reader, at, "two arguments are called \"%s\".", arg->name);
        for (size_t j = 0; j < part->size_count; j++)
            for (int gpu = 0; gpu <= (part->sizes[j].gpu_variable_count > 0); gpu++) {
                enum status status = check_arg_size(reader, at, arg, &part->sizes[j], gpu);
                if (!status && arg->role == LESSON_MAP)
                    status = check_map(reader, at, part, arg, &part->sizes[j], gpu);
                if (status)
                    return status;
            }
    }
    return outputs ? STATUS_OK
                   : settings_fail(reader, setting_place(setting, "args", -1),
                                   "no argument has the role \"out\" or \"inout\".");
}

static enum status check_sizes(const struct settings_reader *reader, const config_setting_t *setting,
                               const struct lesson_part *part)
{
    double ignored;
    for (size_t i = 0; i < part->size_count; i++) {
        const struct lesson_size *size = &part->sizes[i], *first = part->sizes;
        const config_setting_t *at = setting_place(setting, "sizes", (long)i);
        if (size->variable_count > LESSON_VARIABLES)
            return settings_fail(reader, at, "size \"%s\" has too many variables.", size->name);
        for (size_t j = 0; j < i; j++)
            if (strcmp(size->name, part->sizes[j].name) == 0)
                return settings_fail(reader, at, "two sizes are called \"%s\".", size->name);
        for (size_t j = 0; j < first->variable_count; j++)
            if (!lesson_size_variable(size, false, first->variables[j].name, &ignored))
                return settings_fail(reader, at, "size \"%s\" lacks the variable \"%s\" that \"%s\" has.", size->name,
                                     first->variables[j].name, first->name);
        for (size_t j = 0; j < size->variable_count; j++) {
            const char *name = size->variables[j].name;
            if (!lesson_size_variable(first, false, name, &ignored))
                return settings_fail(reader, at, "size \"%s\" has the variable \"%s\" that \"%s\" lacks.", size->name,
                                     name, first->name);
            if (names_known(NAMES_PLAIN, name))
                return settings_fail(reader, at, "a size cannot call a variable \"%s\": that is a counter's name.",
                                     name);
        }
        for (size_t j = 0; j < size->gpu_variable_count; j++)
            if (!lesson_size_variable(size, false, size->gpu_variables[j].name, &ignored))
                return settings_fail(reader, at, "gpu of size \"%s\" sets \"%s\", which is not one of its variables.",
                                     size->name, size->gpu_variables[j].name);
    }
    return STATUS_OK;
}

// What the sizes are is promised, too.
static enum status check_range(const struct settings_reader *reader, const config_setting_t *at,
                               const struct lesson_part *part, const struct lesson_range *range)
{
    double value = 0;
    for (size_t i = 0; i < part->size_count; i++) {
        if (!lesson_size_variable(&part->sizes[i], false, range->name, &value))
            return settings_fail(reader, at, "\"%s\" is not a variable of the sizes.", range->name);
        if (value < range->least || ((int64_t)value - range->least) % range->step)
            return settings_fail(reader, at, "size \"%s\" has %s = %.0f, which is not %d and so many steps of %d.",
                                 part->sizes[i].name, range->name, value, range->least, range->step);
    }
    return STATUS_OK;
}

// The smallest and the largest of the other sizes must be sizes as well.
static enum status check_ranges(const struct settings_reader *reader, const config_setting_t *setting,
                                const struct lesson_part *part)
{
    const config_setting_t *at = setting_place(setting, "other_sizes", -1);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < part->range_count && !status; i++)
        status = check_range(reader, at, part, &part->ranges[i]);
    for (int largest = 0; largest <= 1 && part->range_count && !status; largest++) {
        struct lesson_other_size other;
        lesson_other_size(part, &other);
        for (size_t i = 0; i < part->range_count; i++)
            lesson_other_set(&other, part->ranges[i].name, largest ? part->ranges[i].most : part->ranges[i].least);
        for (size_t i = 0; i < part->arg_count && !status; i++) {
            status = check_arg_size(reader, at, &part->args[i], &other.size, false);
            if (!status && part->args[i].role == LESSON_MAP)
                status = check_map(reader, at, part, &part->args[i], &other.size, false);
        }
    }
    return status;
}

static enum status check_launch(const struct settings_reader *reader, const config_setting_t *setting,
                                const struct lesson_part *part, const struct lesson_launch *launch)
{
    enum status status = STATUS_OK;
    const struct {
        const char *what, *expression;
        double least, most;
    } extents[] = {
        {"launch.cols", launch->cols, 1, INT32_MAX},
        {"launch.rows", launch->rows, 1, INT32_MAX},
        {"launch.shared", launch->shared, 0, LAUNCH_SHARED},
        {"launch.grid", launch->grid[0], 1, INT32_MAX},
        {"launch.grid", launch->grid[1], 1, INT32_MAX},
        {"launch.grid", launch->grid[2], 1, INT32_MAX},
        {"launch.block", launch->block[0], 1, LAUNCH_BLOCK_THREADS},
        {"launch.block", launch->block[1], 1, LAUNCH_BLOCK_THREADS},
        {"launch.block", launch->block[2], 1, LAUNCH_BLOCK_THREADS},
    };
    size_t first = launch->from ? 0 : 2, end = launch->from ? 2 : sizeof extents / sizeof *extents;
    for (size_t i = 0; i < part->size_count; i++) {
        double value, threads = 1;
        for (size_t j = first; !status && j < end; j++) {
            status = check_whole(reader, setting, &part->sizes[i], false, extents[j].what, extents[j].expression,
                                 extents[j].least, extents[j].most, &value);
            threads *= j >= 6 ? value : 1;
        }
        if (!status && threads > (double)LAUNCH_BLOCK_THREADS)
            status = settings_fail(reader, setting, "launch.block has %.0f threads; a block has at most %d.", threads,
                                   LAUNCH_BLOCK_THREADS);
    }
    return status;
}

enum status check_part(const struct settings_reader *reader, const config_setting_t *setting,
                       const struct lesson_part *part)
{
    struct names references = {0};
    names_collect(&references, NAMES_REFERENCES);
    enum status status = part->reference ? check_name(reader, setting_place(setting, "reference", -1), "reference",
                                                      part->reference, &references)
                                         : STATUS_OK;
    if (!status)
        status = check_sizes(reader, setting, part);
    if (!status)
        status = check_args(reader, setting, part);
    if (!status)
        status = check_ranges(reader, setting, part);
    if (!status)
        status = check_launch(reader, setting_place(setting, "launch", -1), part, &part->launch);
    if (!status && part->reference_file)
        status = check_launch(reader, setting_place(setting, "reference_launch", -1), part, &part->reference_launch);
    return status;
}

// ---- expressions over runs

struct run_scope {
    const struct lesson *lesson;
    const struct lesson_part *part;
    bool in_quiz; // quiz(N) would be circular
};

// In an expression: its place is the reader's who asked.
static enum status check_word(const char *what, const char *name, const struct names *names,
                              struct diagnostic *diagnostic)
{
    const struct settings_reader reader = {.file = NULL, .diagnostic = diagnostic};
    return check_name(&reader, NULL, what, name, names);
}

static enum status check_plain(const struct run_scope *scope, const char *name, struct diagnostic *diagnostic)
{
    struct names names = {0};
    const struct lesson_size *size = scope->part->sizes;
    for (size_t i = 0; i < size->variable_count; i++)
        names_add(&names, size->variables[i].name);
    names_collect(&names, NAMES_PLAIN);
    return check_word("name", name, &names, diagnostic);
}

static enum status check_size_call(const struct run_scope *scope, const struct expression_reference *reference,
                                   struct diagnostic *diagnostic)
{
    struct names names = {0};
    if (reference->argument_count != 1 || !reference->arguments[0].text || !reference->field)
        return diagnostic_set(diagnostic, STATUS_PARSE, "size is used as size(\"name\").value.");
    for (size_t i = 0; i < scope->part->size_count; i++)
        names_add(&names, scope->part->sizes[i].name);
    enum status status = check_word("size", reference->arguments[0].text, &names, diagnostic);
    return status ? status : check_plain(scope, reference->field, diagnostic);
}

static bool is_place(const struct expression_argument *argument)
{
    return argument->label ? strcmp(argument->label, "marker") == 0 && argument->text : !argument->text;
}

static enum status check_access(const struct expression_reference *reference, struct diagnostic *diagnostic)
{
    static const struct names labels = {{"lane", "instance", "warp"}, 3};
    bool has_lane = false;
    if (reference->argument_count < 1 || !is_place(&reference->arguments[0]) || reference->field)
        return diagnostic_set(diagnostic, STATUS_PARSE, "%s is used as %s(marker:NAME, lane 7).", reference->name,
                              reference->name);
    for (size_t i = 1; i < reference->argument_count; i++) {
        const struct expression_argument *argument = &reference->arguments[i];
        if (!argument->label || argument->text)
            return diagnostic_set(diagnostic, STATUS_PARSE, "%s is used as %s(marker:NAME, lane 7).", reference->name,
                                  reference->name);
        if (check_word("argument", argument->label, &labels, diagnostic))
            return STATUS_PARSE;
        has_lane = has_lane || strcmp(argument->label, "lane") == 0;
    }
    return has_lane || strcmp(reference->name, "lanes") == 0
               ? STATUS_OK
               : diagnostic_set(diagnostic, STATUS_PARSE, "%s needs a lane, such as lane 7.", reference->name);
}

static enum status check_output(const struct run_scope *scope, const struct expression_reference *reference,
                                struct diagnostic *diagnostic)
{
    struct names names = {0};
    if (reference->argument_count != 2 || !reference->arguments[0].text || reference->arguments[1].text)
        return diagnostic_set(diagnostic, STATUS_PARSE, "output is used as output(\"name\", index).");
    for (size_t i = 0; i < scope->part->arg_count; i++)
        if (scope->part->args[i].role == LESSON_OUT || scope->part->args[i].role == LESSON_INOUT)
            names_add(&names, scope->part->args[i].name);
    return check_word("output", reference->arguments[0].text, &names, diagnostic);
}

static enum status run_lookup(void *context, const struct expression_reference *reference, double *value,
                              struct diagnostic *diagnostic)
{
    static const char *const others[] = {"size",  "line", "output", "quiz", "ceil",
                                         "floor", "min",  "max",    "abs",  "log2"};
    const struct run_scope *scope = context;
    const struct expression_argument *first = reference->arguments;
    struct names names = {0};
    *value = 1;
    if (!reference->is_call)
        return check_plain(scope, reference->name, diagnostic);
    if (strcmp(reference->name, "size") == 0)
        return check_size_call(scope, reference, diagnostic);
    if (strcmp(reference->name, "line") == 0) {
        if (reference->argument_count != 1 || !is_place(first) || !reference->field)
            return diagnostic_set(diagnostic, STATUS_PARSE, "line is used as line(marker:NAME).wavefronts.");
        names_collect(&names, NAMES_LINE);
        return check_word("value of a line", reference->field, &names, diagnostic);
    }
    names_collect(&names, NAMES_LANE);
    if (names_have(&names, reference->name))
        return check_access(reference, diagnostic);
    if (strcmp(reference->name, "output") == 0)
        return check_output(scope, reference, diagnostic);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        names_add(&names, others[i]);
    if (strcmp(reference->name, "quiz") != 0)
        return check_word("function", reference->name, &names, diagnostic);
    if (scope->in_quiz || reference->argument_count != 1 || first->label || first->text)
        return diagnostic_set(diagnostic, STATUS_PARSE, "quiz is used as quiz(1), and not in a quiz answer.");
    return STATUS_OK;
}

static enum status check_run(const struct settings_reader *reader, const config_setting_t *setting,
                             struct run_scope *scope, const char *what, const char *text)
{
    struct diagnostic why = {0};
    return text && expression_check(text, run_lookup, scope, &why)
               ? settings_fail(reader, setting, "%s, character %d: %s", what, why.column, why.message)
               : STATUS_OK;
}

static enum status find_part(const struct settings_reader *reader, const config_setting_t *setting,
                             const struct lesson *lesson, const char *name, struct run_scope *scope)
{
    *scope = (struct run_scope){.lesson = lesson, .part = lesson_part_find(lesson, name)};
    return scope->part ? STATUS_OK : settings_fail(reader, setting, "there is no kernel entry named \"%s\".", name);
}

enum status check_gate(const struct settings_reader *reader, const config_setting_t *setting,
                       const struct lesson *lesson, const void *item)
{
    const struct lesson_gate *gate = item;
    struct run_scope scope;
    enum status status = find_part(reader, setting, lesson, gate->part, &scope);
    const char *const names[] = {"when", "gpu", "sim", "full", "sim_full"};
    const char *const texts[] = {gate->when, gate->gpu, gate->sim, gate->full, gate->sim_full};
    for (size_t i = 0; !status && i < sizeof texts / sizeof *texts; i++)
        status = check_run(reader, setting, &scope, names[i], texts[i]);
    for (const struct lesson_gate *other = lesson->gates; !status && other < gate; other++)
        if (strcmp(gate->id, other->id) == 0)
            status = settings_fail(reader, setting, "two gates have the id \"%s\".", gate->id);
    return status;
}

enum status check_diagnosis(const struct settings_reader *reader, const config_setting_t *setting,
                            const struct lesson *lesson, const void *item)
{
    const struct lesson_diagnosis *diagnosis = item;
    struct run_scope scope;
    enum status status = find_part(reader, setting, lesson, diagnosis->part, &scope);
    return status ? status : check_run(reader, setting, &scope, "when", diagnosis->when);
}

enum status check_question(const struct settings_reader *reader, const config_setting_t *setting,
                           const struct lesson *lesson, const void *item)
{
    const struct lesson_question *question = item;
    struct run_scope scope;
    enum status status = find_part(reader, setting, lesson, question->part, &scope);
    scope.in_quiz = true;
    if (status)
        return status;
    bool has_size = !question->size;
    for (size_t i = 0; i < scope.part->size_count; i++)
        has_size = has_size || strcmp(scope.part->sizes[i].name, question->size) == 0;
    if (!has_size)
        return settings_fail(reader, setting, "the question's size \"%s\" is not one of the lesson's.", question->size);
    return check_run(reader, setting, &scope, "answer", question->answer);
}

enum status check_metric(const struct settings_reader *reader, const config_setting_t *setting,
                         const struct lesson *lesson)
{
    const char *const texts[] = {lesson->metric_bytes, lesson->metric_flop};
    for (size_t i = 0; i < 2; i++) {
        const struct lesson_part *part = lesson->parts;
        struct diagnostic why = {0};
        double value;
        if (texts[i] && lesson_evaluate(&part->sizes[part->speed_size], false, texts[i], &value, &why))
            return settings_fail(reader, setting, "metric: %s", why.message);
    }
    return STATUS_OK;
}

enum status check_diagnosis_name(const struct settings_reader *reader, const config_setting_t *setting,
                                 const struct lesson *lesson, const char *name)
{
    struct names names = {0};
    for (size_t i = 0; i < lesson->diagnosis_count; i++)
        names_add(&names, lesson->diagnoses[i].id);
    for (size_t i = 0; i < lesson->gate_count; i++)
        names_add(&names, lesson->gates[i].id);
    names_collect(&names, NAMES_DIAGNOSES);
    return check_name(reader, setting, "diagnosis", name, &names);
}

enum status check_mutant(const struct settings_reader *reader, const config_setting_t *setting,
                         const struct lesson *lesson, const void *item)
{
    return check_diagnosis_name(reader, setting, lesson, ((const struct lesson_mutant *)item)->diagnosis);
}
