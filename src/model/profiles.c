// Profiles as files: profiles.def and timing.def say what is in them.
#include "model/profiles.h"

#include <dirent.h>
#include <libconfig.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/nearest.h"

enum { MAX_BYTES = 1 << 20, MAX_FIELDS = 96 };
// libconfig does not look whether it got memory.
static const size_t CONFIG_ROOM = 1 << 22;

// ---- fields

struct profile_field {
    const char *name, *meaning;
    double low, high;
    double value; // NAN: not there
};

struct profile_group {
    const char *name;
    bool is_whole; // each field has to be there
    struct profile_field fields[MAX_FIELDS];
    size_t count;
};

static struct profile_group gpu_group(void)
{
    struct profile_group group = {.name = "gpu", .is_whole = true};
#define P(member, lowest, highest, text)                                                                               \
    group.fields[group.count++] = (struct profile_field){#member, text, lowest, highest, NAN};
#include "model/profiles.def"
#undef P
    return group;
}

// What was measured on some GPU may be quite different on another, but neither nothing nor a thousand times as much.
static struct profile_group timing_group(void)
{
    struct profile_group group = {.name = "timing"};
#define T(member, value, low, high, text)                                                                              \
    group.fields[group.count++] = (struct profile_field){#member, text, 1e-3 * (value), 1e3 * (value), NAN};
#include "model/timing.def"
#undef T
    return group;
}

// ---- reading

static enum status refuse_setting(const char *path, const config_setting_t *setting, const char *message,
                                  struct diagnostic *diagnostic)
{
    return diagnostic_at(diagnostic, STATUS_PARSE, path, (int)config_setting_source_line(setting), 0, "%s", message);
}

static enum status read_value(const char *path, const config_setting_t *setting, struct profile_group *group,
                              struct diagnostic *diagnostic)
{
    const char *names[MAX_FIELDS], *name = config_setting_name(setting);
    char message[400];
    size_t at = 0;
    for (size_t i = 0; i < group->count; i++)
        names[i] = group->fields[i].name;
    while (at < group->count && strcmp(names[at], name) != 0)
        at++;
    if (at == group->count) {
        const char *meant = nearest_name(name, names, group->count);
        snprintf(message, sizeof message, "%.60s is none of the values of \"%s\"%s%s%s.", name, group->name,
                 meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
        return refuse_setting(path, setting, message, diagnostic);
    }
    struct profile_field *field = &group->fields[at];
    int type = config_setting_type(setting);
    bool is_whole = type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64;
    field->value = is_whole                    ? (double)config_setting_get_int64(setting)
                   : type == CONFIG_TYPE_FLOAT ? config_setting_get_float(setting)
                                               : NAN;
    if (field->value >= field->low && field->value <= field->high)
        return STATUS_OK;
    snprintf(message, sizeof message, "%s must be a number from %g to %g (%s).", field->name, field->low, field->high,
             field->meaning);
    return refuse_setting(path, setting, message, diagnostic);
}

static enum status read_group(const char *path, const config_setting_t *root, struct profile_group *group,
                              struct diagnostic *diagnostic)
{
    config_setting_t *setting = config_setting_get_member(root, group->name);
    enum status status = STATUS_OK;
    if (!setting || !config_setting_is_group(setting))
        return diagnostic_at(diagnostic, STATUS_PARSE, path, setting ? (int)config_setting_source_line(setting) : 0, 0,
                             "a GPU's profile has a group %s = { … }; 'bankshot calibrate' writes one.", group->name);
    for (int i = 0; !status && i < config_setting_length(setting); i++)
        status = read_value(path, config_setting_get_elem(setting, (unsigned)i), group, diagnostic);
    for (size_t i = 0; !status && group->is_whole && i < group->count; i++)
        if (isnan(group->fields[i].value)) {
            char message[200];
            snprintf(message, sizeof message, "\"%s\" lacks %s (%s).", group->name, group->fields[i].name,
                     group->fields[i].meaning);
            status = refuse_setting(path, setting, message, diagnostic);
        }
    return status;
}

static void take_fields(const struct profile_group *gpu, const struct profile_group *timing,
                        struct gpu_profile *profile, struct replay_constants *constants)
{
    const struct profile_field *field = gpu->fields;
    *profile = (struct gpu_profile){.constants = constants};
    *constants = replay_defaults;
#define P(member, lowest, highest, text) profile->member = (__typeof__(profile->member))(field++)->value;
#include "model/profiles.def"
#undef P
    field = timing->fields;
#define T(member, usual, low, high, text)                                                                              \
    if (!isnan(field->value))                                                                                          \
        constants->member = field->value;                                                                              \
    field++;
#include "model/timing.def"
#undef T
}

static enum status read_settings(const char *path, const config_setting_t *root, struct gpu_profile *profile,
                                 struct replay_constants *constants, struct diagnostic *diagnostic)
{
    struct profile_group gpu = gpu_group(), timing = timing_group();
    for (int i = 0; i < config_setting_length(root); i++) {
        const config_setting_t *setting = config_setting_get_elem(root, (unsigned)i);
        if (strcmp(config_setting_name(setting), gpu.name) != 0 &&
            strcmp(config_setting_name(setting), timing.name) != 0)
            return refuse_setting(path, setting, "a GPU's profile has the groups gpu and timing, and nothing else.",
                                  diagnostic);
    }
    enum status status = read_group(path, root, &gpu, diagnostic);
    if (!status)
        status = read_group(path, root, &timing, diagnostic);
    if (!status)
        take_fields(&gpu, &timing, profile, constants);
    return status;
}

enum status profile_read(const char *path, struct gpu_profile *profile, struct replay_constants *constants,
                         struct diagnostic *diagnostic)
{
    config_t config;
    char *text;
    size_t length;
    enum status status = file_read(path, MAX_BYTES, &text, &length, diagnostic);
    if (status)
        return status;
    mem_expect(CONFIG_ROOM);
    config_init(&config);
    if (strlen(text) != length)
        status = diagnostic_at(diagnostic, STATUS_PARSE, path, 0, 0, "the file holds a zero byte.");
    else if (config_read_string(&config, text) != CONFIG_TRUE)
        status = diagnostic_at(diagnostic, STATUS_PARSE, path, config_error_line(&config), 0,
                               "%s: a GPU's profile is written by 'bankshot calibrate'.", config_error_text(&config));
    else
        status = read_settings(path, config_root_setting(&config), profile, constants, diagnostic);
    config_destroy(&config);
    free(text);
    return status;
}

// ---- writing

static void put_comment(const struct calibration *calibration, const char *name, struct text *text)
{
    for (size_t i = 0; i < calibration->count; i++) {
        const struct calibration_constant *item = &calibration->items[i];
        if (strcmp(item->name, name) == 0 && item->row_count)
            text_printf(text, " // %s: \"%s\"%s", item->unit, item->rows[0], item->row_count > 1 ? " and others" : "");
    }
    text_puts(text, "\n");
}

static bool is_derived(const struct calibration *calibration, const char *name)
{
    for (size_t i = 0; i < calibration->count; i++)
        if (strcmp(calibration->items[i].name, name) == 0)
            return true;
    return false;
}

void profile_text(const struct calibration *calibration, const char *about, struct text *text)
{
    text_printf(text,
                "// A GPU's profile for Bankshot. %s\n"
                "// Its name is the file's. Constants that are not here are those of the built-in profiles.\n"
                "gpu = {\n",
                about);
#define P(member, lowest, highest, meaning)                                                                            \
    text_printf(text, "    %s = %.9g;", #member, (double)calibration->profile.member);                                 \
    put_comment(calibration, #member, text);
#include "model/profiles.def"
#undef P
    text_puts(text, "};\ntiming = {\n");
#define T(member, usual, low, high, meaning)                                                                           \
    if (is_derived(calibration, #member)) {                                                                            \
        text_printf(text, "    %s = %.6f;", #member, calibration->constants.member);                                   \
        put_comment(calibration, #member, text);                                                                       \
    }
#include "model/timing.def"
#undef T
    text_puts(text, "};\n");
}

enum status profile_write(const char *path, const struct calibration *calibration, const char *about,
                          struct diagnostic *diagnostic)
{
    struct text text = {0};
    profile_text(calibration, about, &text);
    enum status status = file_write(path, text_get(&text), text.length, diagnostic);
    text_free(&text);
    return status;
}

// ---- by name

static char *profile_folder(void)
{
    return file_user_folder("XDG_DATA_HOME", ".local/share", "bankshot/gpus");
}

char *profile_path(const char *name)
{
    struct text path = {0};
    char *folder = profile_folder();
    if (!folder)
        return NULL;
    text_printf(&path, "%s/%s.cfg", folder, name);
    free(folder);
    return path.data;
}

enum status profile_check_name(const char *name, struct diagnostic *diagnostic)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.";
    size_t length = strlen(name);
    if (!length || length >= PROFILE_NAME || strspn(name, allowed) != length || name[0] == '.')
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "'%.80s' is no name for a GPU's profile: up to %d letters, digits, blanks, '-', '_' and "
                              "'.', not first",
                              name, PROFILE_NAME - 1);
    if (gpu_profile_find(name))
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s' is a built-in profile: choose another --name", name);
    return STATUS_OK;
}

static int by_profile_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

size_t profile_names(char ***names)
{
    char *folder = profile_folder();
    DIR *stream = folder ? opendir(folder) : NULL;
    size_t count = 0, room = 0;
    *names = NULL;
    for (struct dirent *entry; stream && (entry = file_next_entry(stream));) {
        size_t length = strlen(entry->d_name);
        if (length <= 4 || strcmp(entry->d_name + length - 4, ".cfg") != 0)
            continue;
        mem_reserve(names, &room, count);
        (*names)[count++] = mem_strndup(entry->d_name, length - 4);
    }
    if (stream)
        closedir(stream);
    if (count)
        qsort(*names, count, sizeof **names, by_profile_name);
    free(folder);
    return count;
}

static enum status tell_names(const char *name, struct diagnostic *diagnostic)
{
    struct text known = {0};
    char **names;
    size_t count = profile_names(&names);
    for (unsigned i = 0; gpu_profile_at(i); i++)
        text_printf(&known, "%s%s", i ? ", " : "", gpu_profile_at(i)->name);
    for (size_t i = 0; i < count; i++) {
        text_printf(&known, ", %s", names[i]);
        free(names[i]);
    }
    free(names);
    diagnostic_set(diagnostic, STATUS_USAGE, "there is no model of a GPU '%.80s'; there are %.500s", name,
                   text_get(&known));
    text_free(&known);
    return STATUS_USAGE;
}

// Those that were read, for as long as the process lives.
struct measured_profile {
    struct gpu_profile profile;
    struct replay_constants constants;
    char name[PROFILE_NAME];
    struct measured_profile *next;
};

static struct measured_profile *known_profile(struct measured_profile *list, const char *name)
{
    while (list && strcmp(list->name, name) != 0)
        list = list->next;
    return list;
}

enum status profile_find(const char *name, const struct gpu_profile **profile, struct diagnostic *diagnostic)
{
    static struct measured_profile *list;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    *profile = gpu_profile_find(name);
    if (*profile)
        return STATUS_OK;
    if (profile_check_name(name, NULL))
        return tell_names(name, diagnostic);
    pthread_mutex_lock(&lock);
    struct measured_profile *known = known_profile(list, name);
    enum status status = STATUS_OK;
    char *path = known ? NULL : profile_path(name);
    if (!known && (!path || !file_exists(path))) {
        status = tell_names(name, diagnostic);
    } else if (!known) {
        known = mem_alloc(sizeof *known);
        status = profile_read(path, &known->profile, &known->constants, diagnostic);
        snprintf(known->name, sizeof known->name, "%s", name);
        known->profile.name = known->name;
        known->next = list;
        if (status)
            free(known);
        else
            list = known;
    }
    *profile = status ? NULL : &known->profile;
    pthread_mutex_unlock(&lock);
    free(path);
    return status;
}
