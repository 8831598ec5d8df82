#include "lesson/lesson.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "lesson/check.h"
#include "lesson/settings.h"

enum { MAX_CONFIG_BYTES = 1 << 20, MAX_ITEMS = 64 };

#define STRING(type, member, required)                                                                                 \
    {                                                                                                                  \
#member, SETTINGS_STRING, required, offsetof(struct type, member)                                              \
    }
#define EXPRESSION(type, member, required)                                                                             \
    {                                                                                                                  \
#member, SETTINGS_EXPRESSION, required, offsetof(struct type, member)                                          \
    }
#define NUMBER(type, member)                                                                                           \
    {                                                                                                                  \
#member, SETTINGS_NUMBER, false, offsetof(struct type, member)                                                 \
    }
#define PART(type, member, required)                                                                                   \
    {                                                                                                                  \
#member, SETTINGS_PART, required, offsetof(struct type, member)                                                \
    }
#define COUNT(array) (sizeof(array) / sizeof *(array))

struct loader {
    struct settings_reader reader;
    struct lesson *lesson;
};

// What the file has under each aggregate key, before it is looked into.
struct part_settings {
    const char *name, *kernel, *reference;
    config_setting_t *args, *sizes, *launch, *reference_launch, *tolerance;
};

struct lesson_settings {
    const char *title, *track, *summary, *starter;
    config_setting_t *kernels, *gates, *diagnoses, *hints, *quiz, *mutants, *published, *metric, *words;
    struct part_settings part;
};

static enum status fail(struct loader *loader, const config_setting_t *setting, const char *message)
{
    return settings_fail(&loader->reader, setting, "%s", message);
}

// Checks that setting is a list of 1 (or `least`) to MAX_ITEMS groups and gives an array for them.
static enum status begin_list(struct loader *loader, config_setting_t *setting, const char *what, int least,
                              size_t size, void *items, size_t *count)
{
    *count = 0;
    if (!setting)
        return STATUS_OK;
    int length = config_setting_length(setting);
    if (!config_setting_is_list(setting))
        return settings_fail(&loader->reader, setting, "%s must be a list ( … ).", what);
    if (length < least || length > MAX_ITEMS)
        return settings_fail(&loader->reader, setting, "%s must have %d to %d entries, not %d.", what, least, MAX_ITEMS,
                             length);
    *(void **)items = arena_alloc(loader->lesson->arena, ((size_t)length + 1) * size);
    *count = (size_t)length;
    return STATUS_OK;
}

static config_setting_t *item(config_setting_t *list, size_t index)
{
    return config_setting_get_elem(list, (unsigned)index);
}

// ---- arguments

struct arg_settings {
    const char *name, *type, *role, *fill, *value;
    config_setting_t *shape;
};

static const struct settings_field arg_fields[] = {
    STRING(arg_settings, name, true),  STRING(arg_settings, type, true),       STRING(arg_settings, role, true),
    STRING(arg_settings, fill, false), EXPRESSION(arg_settings, value, false), PART(arg_settings, shape, false),
};

static enum status load_shape(struct loader *loader, config_setting_t *setting, struct lesson_arg *arg)
{
    int length = setting ? config_setting_length(setting) : 0;
    if (length > 3)
        return fail(loader, setting, "a shape has at most three dimensions.");
    for (int i = 0; i < length; i++) {
        config_setting_t *element = item(setting, (size_t)i);
        int type = config_setting_type(element);
        if (type == CONFIG_TYPE_STRING)
            arg->shape[i] = arena_strdup(loader->lesson->arena, config_setting_get_string(element));
        else if (type == CONFIG_TYPE_INT)
            arg->shape[i] = arena_printf(loader->lesson->arena, "%d", config_setting_get_int(element));
        else
            return fail(loader, element, "a dimension is an expression in quotes, such as \"width\".");
    }
    arg->shape_count = (size_t)length;
    return STATUS_OK;
}

static enum status load_arg(struct loader *loader, config_setting_t *setting, struct lesson_arg *arg)
{
    static const char *const types[] = {"u8",  "s8",  "u16", "s16",  "u32", "s32",
                                        "u64", "s64", "f16", "bf16", "f32", "f64"};
    static const enum ptx_type codes[] = {PTX_U8,  PTX_S8,  PTX_U16, PTX_S16,  PTX_U32, PTX_S32,
                                          PTX_U64, PTX_S64, PTX_F16, PTX_BF16, PTX_F32, PTX_F64};
    static const char *const roles[] = {"in", "out", "inout", "scalar"};
    struct arg_settings raw = {0};
    enum status status = settings_read(&loader->reader, setting, "an argument", arg_fields, COUNT(arg_fields), &raw);
    if (status)
        return status;
    arg->name = raw.name;
    arg->fill = raw.fill;
    arg->value = raw.value;
    size_t type = 0, role = 0;
    while (type < COUNT(types) && strcmp(types[type], raw.type) != 0)
        type++;
    if (type == COUNT(types))
        return settings_unknown(&loader->reader, setting, "type", raw.type, types, COUNT(types));
    while (role < COUNT(roles) && strcmp(roles[role], raw.role) != 0)
        role++;
    if (role == COUNT(roles))
        return settings_unknown(&loader->reader, setting, "role", raw.role, roles, COUNT(roles));
    arg->type = codes[type];
    arg->role = (enum lesson_role)role;
    if (arg->role == LESSON_SCALAR && (!raw.value || raw.shape || raw.fill))
        return fail(loader, setting, "a scalar has a value, and neither shape nor fill.");
    if (arg->role != LESSON_SCALAR && raw.value)
        return fail(loader, setting, "only a scalar has a value; a buffer has a shape and a fill.");
    if (arg->role == LESSON_OUT && raw.fill)
        return fail(loader, setting,
                    "an out buffer is poisoned, not filled; role \"inout\" keeps what fill puts there.");
    return load_shape(loader, raw.shape, arg);
}

// ---- sizes

static enum status load_variables(struct loader *loader, config_setting_t *setting, struct lesson_variable *variables,
                                  size_t *count)
{
    *count = 0;
    for (int i = 0; i < config_setting_length(setting); i++) {
        config_setting_t *member = item(setting, (size_t)i);
        const char *name = config_setting_name(member);
        if (strcmp(name, "name") == 0 || strcmp(name, "role") == 0 || strcmp(name, "gpu") == 0)
            continue;
        int type = config_setting_type(member);
        long long value = config_setting_get_int64(member);
        if ((type != CONFIG_TYPE_INT && type != CONFIG_TYPE_INT64) || value < 0 || value > INT_MAX)
            return settings_fail(&loader->reader, member, "%s must be a whole number from 0 to %d.", name, INT_MAX);
        variables[*count].name = arena_strdup(loader->lesson->arena, name);
        variables[(*count)++].value = value;
    }
    return STATUS_OK;
}

static enum status load_size(struct loader *loader, config_setting_t *setting, struct lesson_part *part, size_t index)
{
    struct lesson_size *size = &part->sizes[index];
    if (!config_setting_is_group(setting))
        return fail(loader, setting, "a size must be a group { … }.");
    config_setting_t *name = config_setting_get_member(setting, "name");
    config_setting_t *role = config_setting_get_member(setting, "role");
    config_setting_t *gpu = config_setting_get_member(setting, "gpu");
    if (!name || config_setting_type(name) != CONFIG_TYPE_STRING)
        return fail(loader, setting, "a size lacks its name, a string.");
    size->name = arena_strdup(loader->lesson->arena, config_setting_get_string(name));
    if (role) {
        const char *word = config_setting_get_string(role);
        if (!word || strcmp(word, "speed") != 0)
            return fail(loader, role, "the only role of a size is \"speed\".");
        part->speed_size = index;
    }
    size_t most = (size_t)config_setting_length(setting) + 1;
    size->variables = arena_alloc(loader->lesson->arena, most * sizeof *size->variables);
    enum status status = load_variables(loader, setting, size->variables, &size->variable_count);
    if (status || !gpu)
        return status;
    if (!config_setting_is_group(gpu))
        return fail(loader, gpu, "gpu must be a group { … } of the variables that are larger in a GPU run.");
    size->gpu_variables =
        arena_alloc(loader->lesson->arena, ((size_t)config_setting_length(gpu) + 1) * sizeof *size->gpu_variables);
    return load_variables(loader, gpu, size->gpu_variables, &size->gpu_variable_count);
}

// ---- launch

struct launch_settings {
    const char *from, *cols, *rows, *shared;
    config_setting_t *grid, *block, *limits;
};

static const struct settings_field launch_fields[] = {
    STRING(launch_settings, from, false),     EXPRESSION(launch_settings, cols, false),
    EXPRESSION(launch_settings, rows, false), EXPRESSION(launch_settings, shared, false),
    PART(launch_settings, grid, false),       PART(launch_settings, block, false),
    PART(launch_settings, limits, false),
};

static enum status load_extent(struct loader *loader, config_setting_t *setting, const char **extent)
{
    int length = config_setting_length(setting);
    if (length < 1 || length > 3)
        return fail(loader, setting, "grid and block have one to three dimensions.");
    for (int i = 0; i < 3; i++) {
        config_setting_t *element = i < length ? item(setting, (size_t)i) : NULL;
        int type = element ? config_setting_type(element) : CONFIG_TYPE_INT;
        if (type == CONFIG_TYPE_STRING)
            extent[i] = arena_strdup(loader->lesson->arena, config_setting_get_string(element));
        else if (type == CONFIG_TYPE_INT)
            extent[i] = arena_printf(loader->lesson->arena, "%d", element ? config_setting_get_int(element) : 1);
        else
            return fail(loader, element, "a dimension is a whole number or an expression in quotes.");
    }
    return STATUS_OK;
}

static enum status load_launch(struct loader *loader, config_setting_t *setting, struct lesson_launch *launch)
{
    static const struct settings_field limit_fields[] = {{"threads", SETTINGS_WHOLE, false, 0}};
    struct launch_settings raw = {0};
    enum status status = settings_read(&loader->reader, setting, "launch", launch_fields, COUNT(launch_fields), &raw);
    if (!status && raw.limits)
        status = settings_read(&loader->reader, raw.limits, "limits", limit_fields, 1, &launch->max_threads);
    if (status)
        return status;
    if (raw.from) {
        if (strcmp(raw.from, "LAUNCH") != 0)
            return fail(loader, setting, "launch.from can only be \"LAUNCH\"; or give grid and block.");
        if (!raw.cols || !raw.rows || raw.grid || raw.block || raw.shared)
            return fail(loader, setting, "a launch from LAUNCH has cols and rows, and neither grid, block nor shared.");
        launch->from_source = true;
        launch->cols = raw.cols;
        launch->rows = raw.rows;
        return STATUS_OK;
    }
    if (!raw.grid || !raw.block || raw.cols || raw.rows)
        return fail(loader, setting,
                    "launch has from = \"LAUNCH\" with cols and rows, or grid and block (and shared).");
    launch->shared = raw.shared ? raw.shared : "0";
    status = load_extent(loader, raw.grid, launch->grid);
    return status ? status : load_extent(loader, raw.block, launch->block);
}

// ---- parts

static const char *path_in(struct loader *loader, const char *name)
{
    return arena_printf(loader->lesson->arena, "%s/%s", loader->lesson->directory, name);
}

static enum status load_reference(struct loader *loader, config_setting_t *setting, const struct part_settings *raw,
                                  struct lesson_part *part)
{
    const char *colon = strchr(raw->reference, ':');
    if (!colon) {
        part->reference = raw->reference;
        return raw->reference_launch ? fail(loader, raw->reference_launch,
                                            "reference_launch is for a reference of the form \"reference.cu:kernel\".")
                                     : STATUS_OK;
    }
    part->reference_file =
        path_in(loader, arena_strndup(loader->lesson->arena, raw->reference, (size_t)(colon - raw->reference)));
    part->reference_kernel = arena_strdup(loader->lesson->arena, colon + 1);
    if (!file_exists(part->reference_file))
        return settings_fail(&loader->reader, config_setting_get_member(setting, "reference"), "there is no %s.",
                             part->reference_file);
    if (raw->reference_launch)
        return load_launch(loader, raw->reference_launch, &part->reference_launch);
    for (int i = 0; i < 3; i++)
        part->reference_launch.grid[i] = part->reference_launch.block[i] = "1";
    part->reference_launch.shared = "0";
    return STATUS_OK;
}

static enum status load_part(struct loader *loader, config_setting_t *setting, const struct part_settings *raw,
                             struct lesson_part *part)
{
    static const struct settings_field tolerance_fields[] = {NUMBER(lesson_part, absolute),
                                                             NUMBER(lesson_part, relative)};
    part->name = raw->name;
    part->kernel = raw->kernel;
    if (!raw->kernel || !raw->reference || !raw->args || !raw->sizes || !raw->launch)
        return fail(loader, setting, "kernel, args, reference, sizes and launch are needed.");
    enum status status = load_reference(loader, setting, raw, part);
    if (!status)
        status = begin_list(loader, raw->args, "args", 1, sizeof *part->args, &part->args, &part->arg_count);
    for (size_t i = 0; !status && i < part->arg_count; i++)
        status = load_arg(loader, item(raw->args, i), &part->args[i]);
    if (!status)
        status = begin_list(loader, raw->sizes, "sizes", 1, sizeof *part->sizes, &part->sizes, &part->size_count);
    if (!status)
        part->speed_size = part->size_count - 1;
    for (size_t i = 0; !status && i < part->size_count; i++)
        status = load_size(loader, item(raw->sizes, i), part, i);
    if (!status)
        status = load_launch(loader, raw->launch, &part->launch);
    if (!status && raw->tolerance)
        status = settings_read(&loader->reader, raw->tolerance, "tolerance", tolerance_fields, COUNT(tolerance_fields),
                               part);
    return status ? status : check_part(&loader->reader, setting, part);
}

#define PART_FIELDS(at)                                                                                                \
    {"kernel", SETTINGS_STRING, false, (at) + offsetof(struct part_settings, kernel)},                                 \
        {"reference", SETTINGS_STRING, false, (at) + offsetof(struct part_settings, reference)},                       \
        {"args", SETTINGS_PART, false, (at) + offsetof(struct part_settings, args)},                                   \
        {"sizes", SETTINGS_PART, false, (at) + offsetof(struct part_settings, sizes)},                                 \
        {"launch", SETTINGS_PART, false, (at) + offsetof(struct part_settings, launch)},                               \
        {"reference_launch", SETTINGS_PART, false, (at) + offsetof(struct part_settings, reference_launch)},           \
    {                                                                                                                  \
        "tolerance", SETTINGS_PART, false, (at) + offsetof(struct part_settings, tolerance)                            \
    }

static enum status load_parts(struct loader *loader, config_setting_t *root, const struct lesson_settings *raw)
{
    static const struct settings_field fields[] = {
        {"name", SETTINGS_STRING, true, offsetof(struct part_settings, name)},
        PART_FIELDS(0),
    };
    struct lesson *lesson = loader->lesson;
    if (!raw->kernels) {
        lesson->parts = arena_alloc(lesson->arena, sizeof *lesson->parts);
        lesson->part_count = 1;
        return load_part(loader, root, &raw->part, lesson->parts);
    }
    const struct part_settings *part = &raw->part;
    if (part->kernel || part->reference || part->args || part->sizes || part->launch || part->tolerance)
        return fail(loader, raw->kernels, "with kernels = ( … ), kernel, args, sizes … belong in its entries.");
    enum status status =
        begin_list(loader, raw->kernels, "kernels", 1, sizeof *lesson->parts, &lesson->parts, &lesson->part_count);
    for (size_t i = 0; !status && i < lesson->part_count; i++) {
        struct part_settings entry = {0};
        status = settings_read(&loader->reader, item(raw->kernels, i), "a kernel", fields, COUNT(fields), &entry);
        if (!status)
            status = load_part(loader, item(raw->kernels, i), &entry, &lesson->parts[i]);
    }
    return status;
}

// ---- gates, diagnoses, quiz, mutants

struct gate_settings {
    struct lesson_gate gate;
    const char *kind;
};

static enum status load_gate(struct loader *loader, config_setting_t *setting, struct lesson_gate *gate)
{
    static const char *const kinds[] = {"correct", "hazards", "require", "speed"};
#define GATE(member, kind, required)                                                                                   \
    {                                                                                                                  \
#member, kind, required, offsetof(struct gate_settings, gate.member)                                           \
    }
    static const struct settings_field fields[] = {
        GATE(id, SETTINGS_STRING, true),
        GATE(points, SETTINGS_NUMBER, true),
        GATE(when, SETTINGS_EXPRESSION, false),
        GATE(message, SETTINGS_STRING, false),
        GATE(part, SETTINGS_STRING, false),
        GATE(gpu, SETTINGS_EXPRESSION, false),
        GATE(sim, SETTINGS_EXPRESSION, false),
        GATE(full, SETTINGS_EXPRESSION, false),
        GATE(sim_full, SETTINGS_EXPRESSION, false),
        GATE(next, SETTINGS_STRING, false),
        GATE(baseline, SETTINGS_STRING, false),
        STRING(gate_settings, kind, true),
    };
#undef GATE
    struct gate_settings raw = {0};
    enum status status = settings_read(&loader->reader, setting, "a gate", fields, COUNT(fields), &raw);
    if (status)
        return status;
    *gate = raw.gate;
    size_t kind = 0;
    while (kind < COUNT(kinds) && strcmp(kinds[kind], raw.kind) != 0)
        kind++;
    if (kind == COUNT(kinds))
        return settings_unknown(&loader->reader, setting, "kind of gate", raw.kind, kinds, COUNT(kinds));
    gate->kind = (enum lesson_gate_kind)kind;
    bool is_require = gate->kind == LESSON_GATE_REQUIRE, is_speed = gate->kind == LESSON_GATE_SPEED;
    if (is_require && (!gate->when || !gate->message))
        return fail(loader, setting, "a gate of kind \"require\" needs `when` and a `message` that helps.");
    if (!is_require && gate->when)
        return fail(loader, setting, "only a gate of kind \"require\" has `when`.");
    if (is_speed && !gate->gpu && !gate->sim)
        return fail(loader, setting, "a gate of kind \"speed\" needs `gpu`, `sim` or both.");
    if (!is_speed && (gate->gpu || gate->sim || gate->sim_full || gate->baseline))
        return fail(loader, setting, "gpu, sim, sim_full and baseline belong to a gate of kind \"speed\".");
    if (gate->points < 0)
        return fail(loader, setting, "points cannot be negative.");
    if (gate->baseline && strcmp(gate->baseline, "naive") != 0 && strcmp(gate->baseline, "solution") != 0)
        return fail(loader, setting, "baseline is \"naive\" (naive.cu) or \"solution\".");
    return check_gate(&loader->reader, setting, loader->lesson, gate);
}

static enum status load_gates(struct loader *loader, config_setting_t *list)
{
    struct lesson *lesson = loader->lesson;
    double points = 0;
    enum status status =
        begin_list(loader, list, "gates", 1, sizeof *lesson->gates, &lesson->gates, &lesson->gate_count);
    for (size_t i = 0; !status && i < lesson->gate_count; i++) {
        status = load_gate(loader, item(list, i), &lesson->gates[i]);
        points += lesson->gates[i].points;
        for (size_t j = 0; !status && j < i; j++)
            if (strcmp(lesson->gates[i].id, lesson->gates[j].id) == 0)
                status =
                    settings_fail(&loader->reader, item(list, i), "two gates have the id \"%s\".", lesson->gates[i].id);
    }
    if (!status && fabs(points - 100) > 1e-6)
        status = settings_fail(&loader->reader, list, "the gates' points sum to %g; they must sum to 100.", points);
    return status;
}

static enum status load_diagnoses(struct loader *loader, config_setting_t *list)
{
    static const struct settings_field fields[] = {
        STRING(lesson_diagnosis, id, true),
        EXPRESSION(lesson_diagnosis, when, true),
        STRING(lesson_diagnosis, message, true),
        STRING(lesson_diagnosis, part, false),
    };
    struct lesson *lesson = loader->lesson;
    enum status status = begin_list(loader, list, "diagnoses", 0, sizeof *lesson->diagnoses, &lesson->diagnoses,
                                    &lesson->diagnosis_count);
    for (size_t i = 0; !status && i < lesson->diagnosis_count; i++) {
        status =
            settings_read(&loader->reader, item(list, i), "a diagnosis", fields, COUNT(fields), &lesson->diagnoses[i]);
        if (!status)
            status = check_diagnosis(&loader->reader, item(list, i), lesson, &lesson->diagnoses[i]);
    }
    return status;
}

// "starter", "solution", "naive", or a file below the lesson's folder (or below mutants/), with ":kernel" after it.
static enum status resolve_kernel(struct loader *loader, const config_setting_t *setting,
                                  struct lesson_question *question)
{
    struct lesson *lesson = loader->lesson;
    const char *colon = strchr(question->kernel, ':');
    size_t length = colon ? (size_t)(colon - question->kernel) : strlen(question->kernel);
    const char *file = arena_strndup(lesson->arena, question->kernel, length);
    question->entry = colon ? arena_strdup(lesson->arena, colon + 1) : NULL;
    if (strcmp(file, "starter") == 0)
        question->file = lesson->starter;
    else if (strcmp(file, "solution") == 0)
        question->file = lesson->solution;
    else if (strcmp(file, "naive") == 0)
        question->file = lesson->naive ? lesson->naive : path_in(loader, "naive.cu");
    else
        question->file = path_in(loader, file);
    if (!file_exists(question->file))
        question->file = arena_printf(lesson->arena, "%s/mutants/%s", lesson->directory, file);
    if (!file_exists(question->file))
        return settings_fail(
            &loader->reader, setting,
            "the question's kernel \"%s\" is neither starter, solution, naive nor a file of the lesson.",
            question->kernel);
    return STATUS_OK;
}

static enum status load_quiz(struct loader *loader, config_setting_t *list)
{
    static const struct settings_field fields[] = {
        STRING(lesson_question, question, true), STRING(lesson_question, kernel, true),
        STRING(lesson_question, size, false),    EXPRESSION(lesson_question, answer, true),
        STRING(lesson_question, unit, false),    STRING(lesson_question, why, true),
        STRING(lesson_question, part, false),
    };
    struct lesson *lesson = loader->lesson;
    enum status status =
        begin_list(loader, list, "quiz", 0, sizeof *lesson->questions, &lesson->questions, &lesson->question_count);
    for (size_t i = 0; !status && i < lesson->question_count; i++) {
        struct lesson_question *question = &lesson->questions[i];
        status = settings_read(&loader->reader, item(list, i), "a question", fields, COUNT(fields), question);
        if (!status)
            status = resolve_kernel(loader, item(list, i), question);
        if (!status)
            status = check_question(&loader->reader, item(list, i), lesson, question);
    }
    return status;
}

static enum status load_mutants(struct loader *loader, config_setting_t *list)
{
    static const struct settings_field fields[] = {
        STRING(lesson_mutant, file, true),
        STRING(lesson_mutant, diagnosis, true),
    };
    struct lesson *lesson = loader->lesson;
    enum status status =
        begin_list(loader, list, "mutants", 0, sizeof *lesson->mutants, &lesson->mutants, &lesson->mutant_count);
    for (size_t i = 0; !status && i < lesson->mutant_count; i++) {
        struct lesson_mutant *mutant = &lesson->mutants[i];
        config_setting_t *setting = item(list, i);
        status = settings_read(&loader->reader, setting, "a mutant", fields, COUNT(fields), mutant);
        if (status)
            return status;
        const char *file = mutant->file;
        mutant->file = arena_printf(lesson->arena, "%s/mutants/%s", lesson->directory, file);
        if (!file_exists(mutant->file))
            return settings_fail(&loader->reader, setting, "there is no mutants/%s.", file);
        status = check_diagnosis_name(&loader->reader, setting, lesson, mutant->diagnosis);
    }
    return status;
}

static enum status load_hints(struct loader *loader, config_setting_t *list)
{
    struct lesson *lesson = loader->lesson;
    int length = list ? config_setting_length(list) : 0;
    lesson->hints = arena_alloc(lesson->arena, ((size_t)length + 1) * sizeof *lesson->hints);
    for (int i = 0; i < length; i++) {
        const char *hint = config_setting_get_string_elem(list, i);
        if (!hint)
            return fail(loader, list, "hints must be a list of strings.");
        lesson->hints[lesson->hint_count++] = arena_strdup(lesson->arena, hint);
    }
    return STATUS_OK;
}

static enum status load_published(struct loader *loader, config_setting_t *list)
{
    static const struct settings_field fields[] = {
        STRING(lesson_published, gpu, true),
        STRING(lesson_published, label, true),
        NUMBER(lesson_published, gbps),
        NUMBER(lesson_published, gflops),
    };
    struct lesson *lesson = loader->lesson;
    enum status status = begin_list(loader, list, "published", 0, sizeof *lesson->published, &lesson->published,
                                    &lesson->published_count);
    for (size_t i = 0; !status && i < lesson->published_count; i++) {
        struct lesson_published *published = &lesson->published[i];
        status = settings_read(&loader->reader, item(list, i), "a published figure", fields, COUNT(fields), published);
        if (!status && (published->gbps > 0) == (published->gflops > 0))
            status = fail(loader, item(list, i), "a published figure has gbps or gflops.");
    }
    return status;
}

static enum status load_words(struct loader *loader, config_setting_t *setting)
{
    loader->lesson->least_words = 600;
    loader->lesson->most_words = 1200;
    if (!setting)
        return STATUS_OK;
    if (config_setting_length(setting) != 2 || config_setting_get_int_elem(setting, 0) < 1 ||
        config_setting_get_int_elem(setting, 1) < config_setting_get_int_elem(setting, 0))
        return fail(loader, setting, "words is [least, most] words of the page.");
    loader->lesson->least_words = config_setting_get_int_elem(setting, 0);
    loader->lesson->most_words = config_setting_get_int_elem(setting, 1);
    return STATUS_OK;
}

// ---- the whole

static enum status load_root(struct loader *loader, config_setting_t *root)
{
    static const char *const tracks[] = {"core", "extra"};
    static const struct settings_field metric_fields[] = {
        {"bytes", SETTINGS_EXPRESSION, false, offsetof(struct lesson, metric_bytes)},
        {"flop", SETTINGS_EXPRESSION, false, offsetof(struct lesson, metric_flop)},
    };
    static const struct settings_field fields[] = {
        STRING(lesson_settings, title, true),    STRING(lesson_settings, track, true),
        STRING(lesson_settings, summary, true),  STRING(lesson_settings, starter, true),
        PART(lesson_settings, kernels, false),   PART(lesson_settings, gates, true),
        PART(lesson_settings, diagnoses, false), PART(lesson_settings, hints, false),
        PART(lesson_settings, quiz, false),      PART(lesson_settings, mutants, false),
        PART(lesson_settings, published, false), PART(lesson_settings, metric, false),
        PART(lesson_settings, words, false),     PART_FIELDS(offsetof(struct lesson_settings, part)),
    };
    struct lesson *lesson = loader->lesson;
    struct lesson_settings raw = {0};
    enum status status = settings_read(&loader->reader, root, "the lesson", fields, COUNT(fields), &raw);
    if (status)
        return status;
    lesson->title = raw.title;
    lesson->track = raw.track;
    lesson->summary = raw.summary;
    lesson->starter_diagnosis = raw.starter;
    if (strcmp(raw.track, tracks[0]) != 0 && strcmp(raw.track, tracks[1]) != 0)
        return settings_unknown(&loader->reader, config_setting_get_member(root, "track"), "track", raw.track, tracks,
                                COUNT(tracks));
    status = load_parts(loader, root, &raw);
    if (!status)
        status = load_quiz(loader, raw.quiz);
    if (!status)
        status = load_gates(loader, raw.gates);
    if (!status)
        status = load_diagnoses(loader, raw.diagnoses);
    if (!status)
        status = load_hints(loader, raw.hints);
    if (!status)
        status = load_mutants(loader, raw.mutants);
    if (!status)
        status = load_published(loader, raw.published);
    if (!status)
        status = load_words(loader, raw.words);
    if (!status && raw.metric)
        status = settings_read(&loader->reader, raw.metric, "metric", metric_fields, COUNT(metric_fields), lesson);
    if (!status)
        status = check_metric(&loader->reader, raw.metric, lesson);
    if (!status)
        status = check_diagnosis_name(&loader->reader, config_setting_get_member(root, "starter"), lesson, raw.starter);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void find_variants(struct lesson *lesson)
{
    enum { MOST = 64 };
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s/variants", lesson->directory);
    DIR *stream = opendir(folder);
    if (!stream)
        return;
    lesson->variants = arena_alloc(lesson->arena, MOST * sizeof *lesson->variants);
    for (struct dirent *entry; (entry = readdir(stream)) && lesson->variant_count < MOST;)
        if (text_ends(entry->d_name, ".cu"))
            lesson->variants[lesson->variant_count++] = arena_printf(lesson->arena, "%s/%s", folder, entry->d_name);
    closedir(stream);
    qsort(lesson->variants, lesson->variant_count, sizeof *lesson->variants, by_name);
}

// "04-padding" gives 4 and "padding".
static bool split_id(struct lesson *lesson)
{
    char *end = NULL;
    long number = strtol(lesson->id, &end, 10);
    if (end != lesson->id + 2 || *end != '-' || !end[1] || number < 0)
        return false;
    lesson->number = (int)number;
    lesson->name = end + 1;
    return true;
}

static enum status find_files(struct loader *loader, const char *workspace)
{
    struct lesson *lesson = loader->lesson;
    struct diagnostic *diagnostic = loader->reader.diagnostic;
    const char *optional_why = path_in(loader, "why.md"), *optional_naive = path_in(loader, "naive.cu");
    lesson->page = path_in(loader, "lesson.md");
    lesson->starter = path_in(loader, "starter.cu");
    lesson->solution = arena_printf(lesson->arena, "%s/../../solutions/%s.cu", lesson->directory, lesson->id);
    lesson->why = file_exists(optional_why) ? optional_why : NULL;
    lesson->naive = file_exists(optional_naive) ? optional_naive : NULL;
    const char *const needed[] = {lesson->page, lesson->starter, lesson->solution};
    for (size_t i = 0; i < COUNT(needed); i++)
        if (!file_exists(needed[i]))
            return diagnostic_at(diagnostic, STATUS_PARSE, needed[i], 0, 0,
                                 "the lesson lacks this file (page, starter and solution are needed).");
    lesson->exercise = lesson->starter;
    if (workspace) {
        const char *inner = arena_printf(lesson->arena, "%s/exercises", workspace);
        lesson->exercise =
            arena_printf(lesson->arena, "%s/%s.cu", file_is_folder(inner) ? inner : workspace, lesson->id);
    }
    find_variants(lesson);
    return STATUS_OK;
}

static enum status read_config(struct loader *loader)
{
    config_t config;
    char *text;
    size_t length;
    struct diagnostic *diagnostic = loader->reader.diagnostic;
    enum status status = file_read(loader->reader.file, MAX_CONFIG_BYTES, &text, &length, diagnostic);
    if (status)
        return status;
    config_init(&config);
    if (strlen(text) != length)
        status = diagnostic_at(diagnostic, STATUS_PARSE, loader->reader.file, 0, 0, "the file holds a zero byte.");
    else if (config_read_string(&config, text) != CONFIG_TRUE)
        status = diagnostic_at(diagnostic, STATUS_PARSE, loader->reader.file, config_error_line(&config), 0,
                               "%s (entries of lists are separated by commas, settings end with ';').",
                               config_error_text(&config));
    else
        status = load_root(loader, config_root_setting(&config));
    config_destroy(&config);
    free(text);
    return status;
}

// As a user would name it: without the current folder in front.
static const char *shown(const char *path)
{
    char folder[PATH_MAX];
    size_t length = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
    return length > 1 && strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

enum status lesson_load(const char *directory, const char *workspace, struct lesson **lesson,
                        struct diagnostic *diagnostic)
{
    char absolute[PATH_MAX];
    struct diagnostic ignored;
    *lesson = NULL;
    if (!diagnostic)
        diagnostic = &ignored;
    if (!realpath(directory, absolute))
        return diagnostic_at(diagnostic, STATUS_IO, directory, 0, 0, "there is no such folder.");
    struct arena *arena = arena_new();
    struct lesson *result = arena_alloc(arena, sizeof *result);
    result->arena = arena;
    result->directory = arena_strdup(arena, absolute);
    result->id = strrchr(result->directory, '/') + 1;
    struct loader loader = {.lesson = result,
                            .reader = {.file = shown(arena_printf(arena, "%s/lesson.cfg", absolute)),
                                       .arena = arena,
                                       .diagnostic = diagnostic}};
    enum status status = STATUS_OK;
    if (!split_id(result))
        status = diagnostic_at(diagnostic, STATUS_PARSE, absolute, 0, 0,
                               "a lesson's folder is named NN-name, such as 04-padding.");
    if (!status)
        status = find_files(&loader, workspace);
    if (!status)
        status = read_config(&loader);
    if (status) {
        lesson_free(result);
        return status;
    }
    *lesson = result;
    return STATUS_OK;
}

void lesson_free(struct lesson *lesson)
{
    if (lesson)
        arena_free(lesson->arena);
}
