// lesson.cfg by tables of settings, and the files that stand beside it.
#include "lesson/lesson.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "lesson/check.h"
#include "lesson/settings.h"
#include "toolchain/toolchain.h"

enum { MAX_CONFIG_BYTES = 1 << 20, CONFIG_MEMORY = 1 << 20, CONFIG_MEMORY_OF_BYTE = 64 };

// A row of a settings table: key = member.
#define ROW(type, kind_, member, required_)                                                                            \
    {                                                                                                                  \
        .name = #member, .kind = SETTINGS_##kind_, .required = required_, .offset = offsetof(struct type, member)      \
    }
#define ROW_AT(type, kind_, key, member, ...)                                                                          \
    {                                                                                                                  \
        .name = key, .kind = SETTINGS_##kind_, .offset = offsetof(struct type, member), __VA_ARGS__                    \
    }
#define COUNTED(type, number) .count = offsetof(struct type, number)
#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct lesson *lesson_of(const struct settings_reader *reader)
{
    return reader->context;
}

static const char *path_in(const struct settings_reader *reader, const char *name)
{
    return arena_printf(reader->arena, "%s/%s", lesson_of(reader)->directory, name);
}

static enum status fail_setting(const struct settings_reader *reader, const config_setting_t *setting,
                                const char *message)
{
    return settings_fail(reader, setting, "%s", message);
}

// ---- arguments

static enum status finish_arg(const struct settings_reader *reader, config_setting_t *setting, void *into)
{
    const struct lesson_arg *arg = into;
    if (arg->role == LESSON_SCALAR && (!arg->value || arg->shape_count || arg->fill))
        return fail_setting(reader, setting, "a scalar has a value, and neither shape nor fill.");
    bool is_map = arg->role == LESSON_MAP;
    if (is_map != (arg->of || arg->box_count || arg->swizzle) || (is_map && (!arg->of || !arg->box_count)))
        return fail_setting(reader, setting,
                            "a map, and nothing else, has the buffer it is of, a box and maybe a swizzle.");
    if (is_map && (arg->shape_count || arg->fill))
        return fail_setting(reader, setting, "a map has the shape of the buffer that it is of, and no fill.");
    if (arg->role != LESSON_SCALAR && arg->value)
        return fail_setting(reader, setting, "only a scalar has a value; a buffer has a shape and a fill.");
    if (arg->role == LESSON_OUT && arg->fill)
        return fail_setting(reader, setting,
                            "an out buffer is poisoned, not filled; role \"inout\" keeps what fill puts there.");
    return STATUS_OK;
}

static const char *const type_names[] = {"u8",  "s8",  "u16", "s16",  "u32", "s32",
                                         "u64", "s64", "f16", "bf16", "f32", "f64"};
static const int type_codes[] = {PTX_U8,  PTX_S8,  PTX_U16, PTX_S16,  PTX_U32, PTX_S32,
                                 PTX_U64, PTX_S64, PTX_F16, PTX_BF16, PTX_F32, PTX_F64};
static const char *const role_names[] = {"in", "out", "inout", "scalar", "map"};
static const struct settings_words type_words = {"type", type_names, COUNT(type_names), type_codes},
                                   role_words = {"role", role_names, COUNT(role_names), NULL};
static const struct settings_field arg_rows[] = {
    ROW(lesson_arg, STRING, name, true),
    ROW_AT(lesson_arg, WORD, "type", type, .required = true, .words = &type_words),
    ROW_AT(lesson_arg, WORD, "role", role, .required = true, .words = &role_words),
    ROW(lesson_arg, STRING, fill, false),
    ROW(lesson_arg, EXPRESSION, value, false),
    ROW_AT(lesson_arg, EXTENT, "shape", shape, COUNTED(lesson_arg, shape_count)),
    ROW(lesson_arg, STRING, of, false),
    ROW_AT(lesson_arg, EXTENT, "box", box, COUNTED(lesson_arg, box_count)),
    ROW(lesson_arg, WHOLE, swizzle, false),
};
static const struct settings_table arg_table = SETTINGS_TABLE("an argument", lesson_arg, arg_rows, 1, finish_arg);

// ---- sizes

static enum status load_variables(const struct settings_reader *reader, config_setting_t *setting,
                                  struct lesson_variable **variables, size_t *count)
{
    *variables = arena_alloc(reader->arena, ((size_t)config_setting_length(setting) + 1) * sizeof **variables);
    for (int i = 0; i < config_setting_length(setting); i++) {
        config_setting_t *member = config_setting_get_elem(setting, (unsigned)i);
        const char *name = config_setting_name(member);
        if (strcmp(name, "name") == 0 || strcmp(name, "role") == 0 || strcmp(name, "gpu") == 0 ||
            strcmp(name, "exact") == 0)
            continue;
        int type = config_setting_type(member);
        long long value = config_setting_get_int64(member);
        if ((type != CONFIG_TYPE_INT && type != CONFIG_TYPE_INT64) || value < 0 || value > INT_MAX)
            return settings_fail(reader, member, "%s must be a whole number from 0 to %d.", name, INT_MAX);
        (*variables)[*count].name = arena_strdup(reader->arena, name);
        (*variables)[(*count)++].value = value;
    }
    return STATUS_OK;
}

// Its keys are the lesson's own variables, so that no table can name them.
static enum status load_size(const struct settings_reader *reader, config_setting_t *setting, void *into)
{
    struct lesson_size *size = into;
    config_setting_t *role = config_setting_get_member(setting, "role");
    config_setting_t *gpu = config_setting_get_member(setting, "gpu");
    const char *name, *word = role ? config_setting_get_string(role) : NULL;
    if (!config_setting_lookup_string(setting, "name", &name) || !name[0])
        return fail_setting(reader, setting, "a size lacks its name, a string.");
    size->name = arena_strdup(reader->arena, name);
    if (role && (!word || strcmp(word, "speed") != 0))
        return fail_setting(reader, role, "the only role of a size is \"speed\".");
    enum status status = load_variables(reader, setting, &size->variables, &size->variable_count);
    if (status || !gpu)
        return status;
    if (!config_setting_is_group(gpu))
        return fail_setting(reader, gpu, "gpu must be a group { … } of the variables that are larger in a GPU run.");
    int exact = 0;
    if (config_setting_get_member(gpu, "exact") && !config_setting_lookup_bool(gpu, "exact", &exact))
        return fail_setting(reader, gpu, "exact must be true or false.");
    size->exact = exact;
    return load_variables(reader, gpu, &size->gpu_variables, &size->gpu_variable_count);
}

static const struct settings_table size_table = {"a size", NULL, 0, sizeof(struct lesson_size), 1, load_size};

static enum status finish_range(const struct settings_reader *reader, config_setting_t *setting, void *into)
{
    struct lesson_range *range = into;
    range->step = range->step ? range->step : 1;
    return range->least >= 0 && range->step > 0 && range->most >= range->least
               ? STATUS_OK
               : fail_setting(reader, setting,
                              "other sizes go from least to most, both from 0 on, in steps of 1 or more.");
}

static const struct settings_field range_rows[] = {
    ROW(lesson_range, STRING, name, true),
    ROW(lesson_range, WHOLE, least, true),
    ROW(lesson_range, WHOLE, most, true),
    ROW(lesson_range, WHOLE, step, false),
};
static const struct settings_table range_table = SETTINGS_TABLE("a range", lesson_range, range_rows, 0, finish_range);

// ---- launch

// What is not said is one: one block of one thread.
static void fill_launch(struct lesson_launch *launch)
{
    for (int i = 0; i < 3; i++) {
        launch->grid[i] = launch->grid[i] ? launch->grid[i] : "1";
        launch->block[i] = launch->block[i] ? launch->block[i] : "1";
    }
    launch->shared = launch->shared ? launch->shared : "0";
}

static enum status finish_launch(const struct settings_reader *reader, config_setting_t *setting, void *into)
{
    struct lesson_launch *launch = into;
    bool has_extent = launch->grid[0] && launch->block[0], has_any = launch->grid[0] || launch->block[0];
    if (launch->from && strcmp(launch->from, "LAUNCH") != 0)
        return fail_setting(reader, setting, "launch.from can only be \"LAUNCH\"; or give grid and block.");
    if (launch->from && (!launch->cols || !launch->rows || has_any || launch->shared))
        return fail_setting(reader, setting,
                            "a launch from LAUNCH has cols and rows, and neither grid, block nor shared.");
    if (!launch->from && (!has_extent || launch->cols || launch->rows))
        return fail_setting(reader, setting,
                            "launch has from = \"LAUNCH\" with cols and rows, or grid and block (and shared).");
    fill_launch(launch);
    return STATUS_OK;
}

static const struct settings_field limit_rows[] = {
    ROW_AT(lesson_launch, WHOLE, "threads", max_threads, .required = false)};
static enum status check_limits(const struct settings_reader *reader, config_setting_t *setting, void *into)
{
    const struct lesson_launch *launch = into;
    config_setting_t *threads = config_setting_get_member(setting, "threads");
    return threads && launch->max_threads < 1 ? fail_setting(reader, threads, "threads must be 1 or more.") : STATUS_OK;
}

static const struct settings_table limit_table = SETTINGS_TABLE("limits", lesson_launch, limit_rows, 0, check_limits);

static const struct settings_field launch_rows[] = {
    ROW(lesson_launch, STRING, from, false),     ROW(lesson_launch, EXPRESSION, cols, false),
    ROW(lesson_launch, EXPRESSION, rows, false), ROW(lesson_launch, EXPRESSION, shared, false),
    ROW(lesson_launch, FLAG, asks, false),       ROW(lesson_launch, EXTENT, grid, false),
    ROW(lesson_launch, EXTENT, block, false),    {.name = "limits", .kind = SETTINGS_GROUP, .table = &limit_table},
};
static const struct settings_table launch_table =
    SETTINGS_TABLE("launch", lesson_launch, launch_rows, 0, finish_launch);

// ---- parts

// The reference as it is written is the name of a built-in one, or a file and its kernel.
static enum status finish_reference(const struct settings_reader *reader, const config_setting_t *setting,
                                    struct lesson_part *part)
{
    const char *written = part->reference, *colon = strchr(written, ':');
    const config_setting_t *launch = config_setting_get_member(setting, "reference_launch");
    if (!colon && launch)
        return fail_setting(reader, launch, "reference_launch is for a reference of the form \"reference.cu:kernel\".");
    if (!colon)
        return STATUS_OK;
    part->reference = NULL;
    part->reference_file = path_in(reader, arena_strndup(reader->arena, written, (size_t)(colon - written)));
    part->reference_kernel = arena_strdup(reader->arena, colon + 1);
    fill_launch(&part->reference_launch);
    return file_exists(part->reference_file) ? STATUS_OK
                                             : settings_fail(reader, config_setting_get_member(setting, "reference"),
                                                             "there is no %s.", part->reference_file);
}

static const struct settings_field tolerance_rows[] = {ROW(lesson_part, NUMBER, absolute, false),
                                                       ROW(lesson_part, NUMBER, relative, false)};
static enum status check_tolerance(const struct settings_reader *reader, config_setting_t *setting, void *into)
{
    const struct lesson_part *part = into;
    return part->absolute >= 0 && part->relative >= 0 && isfinite(part->absolute) && isfinite(part->relative)
               ? STATUS_OK
               : fail_setting(reader, setting, "a tolerance is a number from 0.");
}

static const struct settings_table tolerance_table =
    SETTINGS_TABLE("tolerance", lesson_part, tolerance_rows, 0, check_tolerance);

static enum status finish_part(const struct settings_reader *reader, config_setting_t *setting, void *into)
{
    struct lesson_part *part = into;
    const config_setting_t *sizes = config_setting_get_member(setting, "sizes");
    if (!part->kernel || !part->reference || !part->args || !part->sizes || !part->launch.shared)
        return fail_setting(reader, setting, "kernel, args, reference, sizes and launch are needed.");
    part->speed_size = part->size_count - 1;
    for (size_t i = 0; i < part->size_count; i++)
        if (config_setting_get_member(config_setting_get_elem(sizes, (unsigned)i), "role"))
            part->speed_size = i;
    enum status status = finish_reference(reader, setting, part);
    return status ? status : check_part(reader, setting, part);
}

// One of several kernels, or what the lesson says of its only one, which stands in a member of its own.
#define PART_ROWS(type, member)                                                                                        \
    ROW_AT(type, STRING, "kernel", member kernel, .required = false),                                                  \
        ROW_AT(type, STRING, "reference", member reference, .required = false),                                        \
        ROW_AT(type, LIST, "args", member args, COUNTED(type, member arg_count), .table = &arg_table),                 \
        ROW_AT(type, LIST, "sizes", member sizes, COUNTED(type, member size_count), .table = &size_table),             \
        ROW_AT(type, LIST, "other_sizes", member ranges, COUNTED(type, member range_count), .table = &range_table),    \
        ROW_AT(type, GROUP, "launch", member launch, .table = &launch_table),                                          \
        ROW_AT(type, GROUP, "reference_launch", member reference_launch, .table = &launch_table)

static const struct settings_field kernel_rows[] = {
    ROW(lesson_part, STRING, name, true),
    PART_ROWS(lesson_part, ),
    {.name = "tolerance", .kind = SETTINGS_GROUP, .table = &tolerance_table}};
static const struct settings_table kernel_table = SETTINGS_TABLE("a kernel", lesson_part, kernel_rows, 1, finish_part);

// ---- gates, diagnoses, quiz, mutants

static enum status finish_gate(const struct settings_reader *reader, config_setting_t *setting, void *into)
{
    const struct lesson_gate *gate = into;
    bool is_require = gate->kind == LESSON_GATE_REQUIRE, is_speed = gate->kind == LESSON_GATE_SPEED;
    if (is_require && (!gate->when || !gate->message))
        return fail_setting(reader, setting, "a gate of kind \"require\" needs `when` and a `message` that helps.");
    if (!is_require && gate->when)
        return fail_setting(reader, setting, "only a gate of kind \"require\" has `when`.");
    if (is_speed && !gate->gpu && !gate->sim)
        return fail_setting(reader, setting, "a gate of kind \"speed\" needs `gpu`, `sim` or both.");
    if (!is_speed && (gate->gpu || gate->sim || gate->sim_full || gate->baseline))
        return fail_setting(reader, setting, "gpu, sim, sim_full and baseline belong to a gate of kind \"speed\".");
    if (gate->points < 0)
        return fail_setting(reader, setting, "points cannot be negative.");
    if (gate->baseline && strcmp(gate->baseline, "naive") != 0 && strcmp(gate->baseline, "solution") != 0)
        return fail_setting(reader, setting, "baseline is \"naive\" (naive.cu) or \"solution\".");
    return STATUS_OK;
}

static const char *const gate_kinds[] = {"correct", "hazards", "require", "speed"};
static const struct settings_words gate_words = {"kind of gate", gate_kinds, COUNT(gate_kinds), NULL};
static const struct settings_field gate_rows[] = {
    ROW(lesson_gate, STRING, id, true),
    ROW(lesson_gate, NUMBER, points, true),
    ROW(lesson_gate, EXPRESSION, when, false),
    ROW(lesson_gate, STRING, asks, false),
    ROW(lesson_gate, STRING, message, false),
    ROW(lesson_gate, STRING, part, false),
    ROW(lesson_gate, EXPRESSION, gpu, false),
    ROW(lesson_gate, EXPRESSION, sim, false),
    ROW(lesson_gate, EXPRESSION, full, false),
    ROW(lesson_gate, EXPRESSION, sim_full, false),
    ROW(lesson_gate, STRING, next, false),
    ROW(lesson_gate, STRING, baseline, false),
    ROW_AT(lesson_gate, WORD, "kind", kind, .required = true, .words = &gate_words),
};
static const struct settings_table gate_table = SETTINGS_TABLE("a gate", lesson_gate, gate_rows, 1, finish_gate);

static const struct settings_field diagnosis_rows[] = {
    ROW(lesson_diagnosis, STRING, id, true),
    ROW(lesson_diagnosis, EXPRESSION, when, true),
    ROW(lesson_diagnosis, STRING, message, true),
    ROW(lesson_diagnosis, STRING, part, false),
};
static const struct settings_table diagnosis_table =
    SETTINGS_TABLE("a diagnosis", lesson_diagnosis, diagnosis_rows, 0, NULL);

// "starter", "solution", "naive", or a file below the lesson's folder (or below mutants/), with ":kernel" after it.
static enum status finish_question(const struct settings_reader *reader, config_setting_t *setting, void *into)
{
    struct lesson_question *question = into;
    const struct lesson *lesson = lesson_of(reader);
    const char *colon = strchr(question->kernel, ':');
    size_t length = colon ? (size_t)(colon - question->kernel) : strlen(question->kernel);
    const char *file = arena_strndup(reader->arena, question->kernel, length);
    question->entry = colon ? arena_strdup(reader->arena, colon + 1) : NULL;
    if (strcmp(file, "starter") == 0)
        question->file = lesson->starter;
    else if (strcmp(file, "solution") == 0)
        question->file = lesson->solution;
    else
        question->file = path_in(reader, strcmp(file, "naive") == 0 ? "naive.cu" : file);
    if (!file_exists(question->file))
        question->file = arena_printf(reader->arena, "%s/mutants/%s", lesson->directory, file);
    if (!file_exists(question->file))
        return settings_fail(
            reader, setting,
            "the question's kernel \"%s\" is neither starter, solution, naive nor a file of the lesson.",
            question->kernel);
    return STATUS_OK;
}

static const struct settings_field question_rows[] = {
    ROW(lesson_question, STRING, question, true), ROW(lesson_question, STRING, kernel, true),
    ROW(lesson_question, STRING, size, false),    ROW(lesson_question, EXPRESSION, answer, true),
    ROW(lesson_question, STRING, unit, false),    ROW(lesson_question, STRING, why, true),
    ROW(lesson_question, STRING, part, false),    ROW(lesson_question, STRING, look, false),
};
static const struct settings_table question_table =
    SETTINGS_TABLE("a question", lesson_question, question_rows, 0, finish_question);

static enum status finish_mutant(const struct settings_reader *reader, config_setting_t *setting, void *into)
{
    struct lesson_mutant *mutant = into;
    const char *file = mutant->file;
    mutant->file = arena_printf(reader->arena, "%s/mutants/%s", lesson_of(reader)->directory, file);
    return file_exists(mutant->file) ? STATUS_OK : settings_fail(reader, setting, "there is no mutants/%s.", file);
}

static const struct settings_field mutant_rows[] = {ROW(lesson_mutant, STRING, file, true),
                                                    ROW(lesson_mutant, STRING, diagnosis, true)};
static const struct settings_table mutant_table =
    SETTINGS_TABLE("a mutant", lesson_mutant, mutant_rows, 0, finish_mutant);

static enum status finish_published(const struct settings_reader *reader, config_setting_t *setting, void *into)
{
    const struct lesson_published *published = into;
    return (published->gbps > 0) != (published->gflops > 0)
               ? STATUS_OK
               : fail_setting(reader, setting, "a published figure has gbps or gflops.");
}

static const struct settings_field published_rows[] = {
    ROW(lesson_published, STRING, gpu, true), ROW(lesson_published, STRING, label, true),
    ROW(lesson_published, NUMBER, gbps, false), ROW(lesson_published, NUMBER, gflops, false)};
static const struct settings_table published_table =
    SETTINGS_TABLE("a published figure", lesson_published, published_rows, 0, finish_published);

// ---- the whole

// The lesson, and what it says of its only kernel.
struct lesson_settings {
    struct lesson lesson;
    struct lesson_part part;
};

static enum status finish_parts(const struct settings_reader *reader, config_setting_t *root,
                                struct lesson_settings *raw)
{
    struct lesson *lesson = &raw->lesson;
    const struct lesson_part *part = &raw->part;
    bool is_inline = part->kernel || part->reference || part->args || part->sizes || part->launch.shared ||
                     config_setting_get_member(root, "tolerance");
    if (lesson->parts)
        return is_inline ? fail_setting(reader, config_setting_get_member(root, "kernels"),
                                        "with kernels = ( … ), kernel, args, sizes … belong in its entries.")
                         : STATUS_OK;
    enum status status = finish_part(reader, root, &raw->part);
    lesson->parts = arena_alloc(lesson->arena, sizeof *lesson->parts);
    lesson->parts[lesson->part_count++] = raw->part;
    return status;
}

static enum status load_words(const struct settings_reader *reader, config_setting_t *setting)
{
    struct lesson *lesson = lesson_of(reader);
    lesson->least_words = setting ? config_setting_get_int_elem(setting, 0) : 600;
    lesson->most_words = setting ? config_setting_get_int_elem(setting, 1) : 1200;
    bool is_range = !setting || config_setting_length(setting) == 2;
    return is_range && lesson->least_words >= 1 && lesson->most_words >= lesson->least_words
               ? STATUS_OK
               : fail_setting(reader, setting, "words is [least, most] words of the page.");
}

static enum status check_arch(const struct settings_reader *reader, const config_setting_t *root,
                              const struct lesson *lesson)
{
    int sm;
    char suffix;
    return !lesson->arch || arch_parse(lesson->arch, &sm, &suffix)
               ? STATUS_OK
               : settings_fail(reader, config_setting_get_member(root, "arch"),
                               "\"%.20s\" is no architecture: say sm_80, sm_90, sm_90a …", lesson->arch);
}

// What must fit together, when all of it is there.
static enum status check_lists(const struct settings_reader *reader, config_setting_t *root)
{
    const struct lesson *lesson = lesson_of(reader);
    const struct {
        const char *key;
        const void *items;
        size_t count, size;
        check_item *check;
    } lists[] = {
        {"quiz", lesson->questions, lesson->question_count, sizeof *lesson->questions, check_question},
        {"gates", lesson->gates, lesson->gate_count, sizeof *lesson->gates, check_gate},
        {"diagnoses", lesson->diagnoses, lesson->diagnosis_count, sizeof *lesson->diagnoses, check_diagnosis},
        {"mutants", lesson->mutants, lesson->mutant_count, sizeof *lesson->mutants, check_mutant},
    };
    enum status status = STATUS_OK;
    for (size_t i = 0; i < COUNT(lists); i++)
        for (size_t j = 0; !status && j < lists[i].count; j++)
            status = lists[i].check(reader,
                                    config_setting_get_elem(config_setting_get_member(root, lists[i].key), (unsigned)j),
                                    lesson, (const char *)lists[i].items + j * lists[i].size);
    double points = 0;
    for (size_t i = 0; i < lesson->gate_count; i++)
        points += lesson->gates[i].points;
    if (!status && fabs(points - 100) > 1e-6)
        status = settings_fail(reader, config_setting_get_member(root, "gates"),
                               "the gates' points sum to %g; they must sum to 100.", points);
    return status;
}

static const struct settings_field metric_rows[] = {
    ROW_AT(lesson, EXPRESSION, "bytes", metric_bytes, .required = false),
    ROW_AT(lesson, EXPRESSION, "flop", metric_flop, .required = false)};
static const struct settings_table metric_table = SETTINGS_TABLE("metric", lesson, metric_rows, 0, NULL);

static const char *const tracks[] = {"core", "extra"};
static const struct settings_words track_words = {"track", tracks, COUNT(tracks), NULL};

#define LIST_ROW(key, member, number, table_, is_required)                                                             \
    ROW_AT(lesson_settings, LIST, key, lesson.member, COUNTED(lesson_settings, lesson.number), .table = &table_,       \
           .required = is_required)

static const struct settings_field root_rows[] = {
    ROW_AT(lesson_settings, STRING, "title", lesson.title, .required = true),
    ROW_AT(lesson_settings, STRING, "track", lesson.track, .required = true, .words = &track_words),
    ROW_AT(lesson_settings, STRING, "summary", lesson.summary, .required = true),
    ROW_AT(lesson_settings, STRING, "starter", lesson.starter_diagnosis, .required = true),
    ROW_AT(lesson_settings, STRING, "arch", lesson.arch, .required = false),
    LIST_ROW("kernels", parts, part_count, kernel_table, false),
    LIST_ROW("gates", gates, gate_count, gate_table, true),
    LIST_ROW("diagnoses", diagnoses, diagnosis_count, diagnosis_table, false),
    LIST_ROW("quiz", questions, question_count, question_table, false),
    LIST_ROW("mutants", mutants, mutant_count, mutant_table, false),
    LIST_ROW("published", published, published_count, published_table, false),
    ROW_AT(lesson_settings, STRINGS, "hints", lesson.hints, COUNTED(lesson_settings, lesson.hint_count)),
    ROW_AT(lesson_settings, STRING, "naive", lesson.naive_is, .required = false),
    ROW_AT(lesson_settings, FLAG, "asks_first", lesson.asks_first, .required = false),
    ROW_AT(lesson_settings, STRING, "model_note", lesson.model_note, .required = false),
    ROW_AT(lesson_settings, STRINGS, "learnt", lesson.learnt, COUNTED(lesson_settings, lesson.learnt_count)),
    ROW_AT(lesson_settings, GROUP, "metric", lesson, .table = &metric_table),
    ROW_AT(lesson_settings, GROUP, "tolerance", part, .table = &tolerance_table),
    {.name = "words", .kind = SETTINGS_OTHER},
    PART_ROWS(lesson_settings, part.),
};
static const struct settings_table root_table = SETTINGS_TABLE("the lesson", lesson_settings, root_rows, 0, NULL);

static enum status load_root(const struct settings_reader *reader, config_setting_t *root)
{
    struct lesson *lesson = lesson_of(reader);
    struct lesson_settings raw = {.lesson = *lesson};
    enum status status = settings_read(reader, root, &root_table, &raw);
    if (!status)
        status = finish_parts(reader, root, &raw);
    *lesson = raw.lesson;
    if (!status)
        status = check_arch(reader, root, lesson);
    if (!status)
        status = load_words(reader, config_setting_get_member(root, "words"));
    if (!status)
        status = check_lists(reader, root);
    if (!status)
        status = check_metric(reader, config_setting_get_member(root, "metric"), lesson);
    if (!status)
        status =
            check_diagnosis_name(reader, config_setting_get_member(root, "starter"), lesson, lesson->starter_diagnosis);
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

static enum status find_files(const struct settings_reader *reader, const char *workspace)
{
    struct lesson *lesson = lesson_of(reader);
    struct diagnostic *diagnostic = reader->diagnostic;
    const char *optional_why = path_in(reader, "why.md"), *optional_naive = path_in(reader, "naive.cu");
    lesson->page = path_in(reader, "lesson.md");
    lesson->starter = path_in(reader, "starter.cu");
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
        lesson->exercise = arena_printf(lesson->arena, "%s/%s.cu", file_exists(inner) ? inner : workspace, lesson->id);
    }
    find_variants(lesson);
    return STATUS_OK;
}

static enum status read_config(const struct settings_reader *reader)
{
    config_t config;
    char *text;
    size_t length;
    struct diagnostic *diagnostic = reader->diagnostic;
    enum status status = file_read(reader->file, MAX_CONFIG_BYTES, &text, &length, diagnostic);
    if (status)
        return status;
    mem_expect(CONFIG_MEMORY + length * CONFIG_MEMORY_OF_BYTE); // libconfig does not look whether it got some
    config_init(&config);
    if (strlen(text) != length)
        status = diagnostic_at(diagnostic, STATUS_PARSE, reader->file, 0, 0, "the file holds a zero byte.");
    else if (config_read_string(&config, text) != CONFIG_TRUE)
        status = diagnostic_at(diagnostic, STATUS_PARSE, reader->file, config_error_line(&config), 0,
                               "%s (entries of lists are separated by commas, settings end with ';').",
                               config_error_text(&config));
    else
        status = load_root(reader, config_root_setting(&config));
    config_destroy(&config);
    free(text);
    return status;
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
    const struct settings_reader reader = {.file = file_shown(arena_printf(arena, "%s/lesson.cfg", absolute)),
                                           .arena = arena,
                                           .diagnostic = diagnostic,
                                           .context = result};
    enum status status = STATUS_OK;
    if (!split_id(result))
        status = diagnostic_at(diagnostic, STATUS_PARSE, absolute, 0, 0,
                               "a lesson's folder is named NN-name, such as 04-padding.");
    if (!status)
        status = find_files(&reader, workspace);
    if (!status)
        status = read_config(&reader);
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
