// Strict reading of libconfig groups by tables: unknown keys, wrong types and missing keys become one diagnostic with
// file and line, and the name that was probably meant.
#ifndef BANKSHOT_LESSON_SETTINGS_H
#define BANKSHOT_LESSON_SETTINGS_H

#include <libconfig.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/diagnostic.h"

struct arena;

enum settings_kind {
    SETTINGS_STRING,       // const char *
    SETTINGS_EXPRESSION,   // const char *; a whole number is taken as its text
    SETTINGS_NUMBER,       // double
    SETTINGS_WHOLE,        // int
    SETTINGS_PART          // a list, array or group: config_setting_t *, for the caller to go into
};

struct settings_field {
    const char *name;
    enum settings_kind kind;
    bool required;
    size_t offset;       // of the field in the structure that settings_read fills
};

struct settings_reader {
    const char *file;    // for messages
    struct arena *arena; // strings are copied into it
    struct diagnostic *diagnostic;
};

// Fills the fields that are there; the others stay as they are. setting is a group.
enum status settings_read(const struct settings_reader *reader, config_setting_t *setting, const char *what,
                        const struct settings_field *fields, size_t count, void *into);
// A diagnostic at the setting's line.
enum status settings_fail(const struct settings_reader *reader, const config_setting_t *setting, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Not one of the known names: says so, with the nearest and the list.
enum status settings_unknown(const struct settings_reader *reader, const config_setting_t *setting, const char *what,
                           const char *name, const char *const *names, size_t count);
// "string", "list" …
const char *settings_kind_of(const config_setting_t *setting);

#endif
