#include "lesson/settings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/text.h"

enum { MAX_FIELDS = 48 };

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

const char *settings_kind_of(const config_setting_t *setting)
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

static bool take_field(const struct settings_reader *reader, config_setting_t *setting, enum settings_kind kind,
                       void *into)
{
    int type = config_setting_type(setting);
    bool is_whole = type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64;
    switch (kind) {
    case SETTINGS_EXPRESSION:
        if (is_whole) {
            *(const char **)into = arena_printf(reader->arena, "%lld", config_setting_get_int64(setting));
            return true;
        } // fall through
    case SETTINGS_STRING:
        if (type != CONFIG_TYPE_STRING)
            return false;
        *(const char **)into = arena_strdup(reader->arena, config_setting_get_string(setting));
        return true;
    case SETTINGS_NUMBER:
        return take_number(setting, into);
    case SETTINGS_WHOLE:
        if (type != CONFIG_TYPE_INT)
            return false;
        *(int *)into = config_setting_get_int(setting);
        return true;
    case SETTINGS_PART:
        if (!config_setting_is_aggregate(setting))
            return false;
        *(config_setting_t **)into = setting;
        return true;
    }
    return false;
}

enum status settings_read(const struct settings_reader *reader, config_setting_t *setting, const char *what,
                          const struct settings_field *fields, size_t count, void *into)
{
    static const char *const wanted[] = {"a string", "an expression in quotes", "a number", "a whole number",
                                         "a list, array or group"};
    const char *names[MAX_FIELDS];
    if (!config_setting_is_group(setting))
        return settings_fail(reader, setting, "%s must be a group { … }, not %s.", what, settings_kind_of(setting));
    for (size_t i = 0; i < count; i++)
        names[i] = fields[i].name;
    for (int i = 0; i < config_setting_length(setting); i++) {
        config_setting_t *member = config_setting_get_elem(setting, (unsigned)i);
        size_t field = 0;
        while (field < count && strcmp(fields[field].name, config_setting_name(member)) != 0)
            field++;
        if (field == count) {
            char key[96];
            snprintf(key, sizeof key, "key of %s:", what);
            return settings_unknown(reader, member, key, config_setting_name(member), names, count);
        }
        if (!take_field(reader, member, fields[field].kind, (char *)into + fields[field].offset))
            return settings_fail(reader, member, "%s of %s must be %s, not %s.", fields[field].name, what,
                                 wanted[fields[field].kind], settings_kind_of(member));
    }
    for (size_t i = 0; i < count; i++)
        if (fields[i].required && !config_setting_get_member(setting, fields[i].name))
            return settings_fail(reader, setting, "%s lacks \"%s\" (%s).", what, fields[i].name,
                                 wanted[fields[i].kind]);
    return STATUS_OK;
}
