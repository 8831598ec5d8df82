// Settings by tables: see settings.h.
#include "lesson/settings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/text.h"
#include "lesson/names.h"

enum { SETTINGS_MAX_ITEMS = 64 };

enum status settings_fail(const struct settings_reader *reader, const config_setting_t *setting, const char *format,
                          ...)
{
    char message[sizeof reader->diagnostic->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return diagnostic_at(reader->diagnostic, STATUS_PARSE, reader->file,
                         setting ? (int)config_setting_source_line(setting) : 0, 0, "%s", message);
}

enum status settings_unknown(const struct settings_reader *reader, const config_setting_t *setting, const char *what,
                             const char *name, const char *const *names, size_t count)
{
    struct text list = {0};
    const char *nearest = nearest_name(name, names, count);
    for (size_t i = 0; i < count; i++)
        text_printf(&list, "%s%s", i ? ", " : "", names[i]);
    enum status status = settings_fail(reader, setting, "unknown %s \"%.60s\"%s%s%s Allowed: %.500s%s", what, name,
                                       nearest ? "; did you mean \"" : ".", nearest ? nearest : "",
                                       nearest ? "\"?" : "", text_get(&list), list.length > 500 ? " …" : ".");
    text_free(&list);
    return status;
}

static const char *kind_of_setting(const config_setting_t *setting)
{
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_STRING:
        return "a string";
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        return "a whole number";
    case CONFIG_TYPE_FLOAT:
        return "a number";
    case CONFIG_TYPE_BOOL:
        return "true or false";
    case CONFIG_TYPE_LIST:
        return "a list ( … )";
    case CONFIG_TYPE_ARRAY:
        return "an array [ … ]";
    default:
        return "a group { … }";
    }
}

static bool take_number(const config_setting_t *setting, double *number)
{
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        *number = (double)config_setting_get_int64(setting);
        return true;
    case CONFIG_TYPE_FLOAT:
        *number = config_setting_get_float(setting);
        return true;
    default:
        return false;
    }
}

static enum status take_word(const struct settings_reader *reader, const config_setting_t *setting, const char *word,
                             const struct settings_words *words, int *value)
{
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->names[i], word) == 0) {
            *value = words->values ? words->values[i] : (int)i;
            return STATUS_OK;
        }
    return settings_unknown(reader, setting, words->what, word, words->names, words->count);
}

// NULL: it is neither a text nor a whole number.
static const char *expression_text(const struct settings_reader *reader, const config_setting_t *setting)
{
    int type = config_setting_type(setting);
    if (type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64)
        return arena_printf(reader->arena, "%lld", config_setting_get_int64(setting));
    return type == CONFIG_TYPE_STRING ? arena_strdup(reader->arena, config_setting_get_string(setting)) : NULL;
}

static enum status take_extent(const struct settings_reader *reader, config_setting_t *setting, const char **extent,
                               size_t *count)
{
    int length = config_setting_length(setting);
    if (!config_setting_is_aggregate(setting) || length < 1 || length > 3)
        return settings_fail(reader, setting, "%s must have one to three dimensions.", config_setting_name(setting));
    for (int i = 0; i < length; i++) {
        extent[i] = expression_text(reader, config_setting_get_elem(setting, (unsigned)i));
        if (!extent[i])
            return settings_fail(reader, setting,
                                 "a dimension is a whole number or an expression in quotes, such as \"width\".");
    }
    *count = (size_t)length;
    return STATUS_OK;
}

// The list's place and its count so far stand in the record while its entries are read.
static enum status take_list(const struct settings_reader *reader, config_setting_t *setting,
                             const struct settings_table *table, void *into, size_t *count)
{
    int length = config_setting_length(setting);
    const char *name = config_setting_name(setting);
    enum status status = STATUS_OK;
    if (!config_setting_is_list(setting))
        return settings_fail(reader, setting, "%s must be a list ( … ).", name);
    if (length < table->least || length > SETTINGS_MAX_ITEMS)
        return settings_fail(reader, setting, "%s must have %d to %d entries, not %d.", name, table->least,
                             SETTINGS_MAX_ITEMS, length);
    char *items = arena_alloc(reader->arena, ((size_t)length + 1) * table->size);
    memcpy(into, &items, sizeof items);
    for (*count = 0; !status && *count < (size_t)length; ++*count)
        status = settings_read(reader, config_setting_get_elem(setting, (unsigned)*count), table,
                               items + *count * table->size);
    return status;
}

static enum status take_strings(const struct settings_reader *reader, const config_setting_t *setting,
                                const char ***strings, size_t *count)
{
    int length = config_setting_length(setting);
    *strings = arena_alloc(reader->arena, ((size_t)length + 1) * sizeof **strings);
    for (int i = 0; i < length; i++) {
        const char *string = config_setting_get_string_elem(setting, i);
        if (!string)
            return STATUS_UNSUPPORTED;
        (*strings)[(*count)++] = arena_strdup(reader->arena, string);
    }
    return config_setting_is_aggregate(setting) ? STATUS_OK : STATUS_UNSUPPORTED;
}

// UNSUPPORTED: the setting is of another type.
static enum status take_field(const struct settings_reader *reader, config_setting_t *setting,
                              const struct settings_field *field, char *record)
{
    void *into = record + field->offset;
    size_t ignored, *count = field->count ? (size_t *)(record + field->count) : &ignored;
    int type = config_setting_type(setting), word;
    const char *text = type == CONFIG_TYPE_STRING ? config_setting_get_string(setting) : NULL;
    switch (field->kind) {
    case SETTINGS_EXPRESSION:
        *(const char **)into = expression_text(reader, setting);
        return *(const char **)into ? STATUS_OK : STATUS_UNSUPPORTED;
    case SETTINGS_STRING:
        *(const char **)into = text ? arena_strdup(reader->arena, text) : NULL;
        if (text && field->words)
            return take_word(reader, setting, text, field->words, &word);
        return text ? STATUS_OK : STATUS_UNSUPPORTED;
    case SETTINGS_NUMBER:
        return take_number(setting, into) ? STATUS_OK : STATUS_UNSUPPORTED;
    case SETTINGS_WHOLE:
        *(int *)into = config_setting_get_int(setting);
        return type == CONFIG_TYPE_INT ? STATUS_OK : STATUS_UNSUPPORTED;
    case SETTINGS_FLAG:
        *(bool *)into = config_setting_get_bool(setting);
        return type == CONFIG_TYPE_BOOL ? STATUS_OK : STATUS_UNSUPPORTED;
    case SETTINGS_WORD:
        return text ? take_word(reader, setting, text, field->words, into) : STATUS_UNSUPPORTED;
    case SETTINGS_EXTENT:
        return take_extent(reader, setting, into, count);
    case SETTINGS_LIST:
        return take_list(reader, setting, field->table, into, count);
    case SETTINGS_STRINGS:
        return take_strings(reader, setting, into, count);
    case SETTINGS_GROUP:
        return settings_read(reader, setting, field->table, into);
    case SETTINGS_OTHER:
        return STATUS_OK;
    }
    return STATUS_INTERNAL;
}

static enum status check_keys(const struct settings_reader *reader, const config_setting_t *setting,
                              const struct settings_table *table)
{
    struct names names = {0};
    char what[96];
    if (table->count == 0)
        return STATUS_OK;
    snprintf(what, sizeof what, "key of %s:", table->what);
    for (size_t i = 0; i < table->count; i++)
        names_add(&names, table->fields[i].name);
    for (int i = 0; i < config_setting_length(setting); i++) {
        const config_setting_t *member = config_setting_get_elem(setting, (unsigned)i);
        if (!names_have(&names, config_setting_name(member)))
            return settings_unknown(reader, member, what, config_setting_name(member), names.items, names.count);
    }
    return STATUS_OK;
}

enum status settings_read(const struct settings_reader *reader, config_setting_t *setting,
                          const struct settings_table *table, void *into)
{
    static const char *const wanted[] = {
        "a string",       "an expression in quotes", "a number",     "a whole number", "a string",
        "an array [ … ]", "a list of strings",       "a list ( … )", "a group { … }",  "a setting"};
    if (!config_setting_is_group(setting))
        return settings_fail(reader, setting, "%s must be a group { … }, not %s.", table->what,
                             kind_of_setting(setting));
    enum status status = check_keys(reader, setting, table);
    for (size_t i = 0; !status && i < table->count; i++) {
        const struct settings_field *field = &table->fields[i];
        config_setting_t *member = config_setting_get_member(setting, field->name);
        if (member)
            status = take_field(reader, member, field, into);
        else if (field->required)
            status =
                settings_fail(reader, setting, "%s lacks \"%s\" (%s).", table->what, field->name, wanted[field->kind]);
        if (member && status == STATUS_UNSUPPORTED)
            status = settings_fail(reader, member, "%s of %s must be %s, not %s.", field->name, table->what,
                                   wanted[field->kind], kind_of_setting(member));
    }
    return status || !table->done ? status : table->done(reader, setting, into);
}
