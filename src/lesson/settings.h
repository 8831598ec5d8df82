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
    SETTINGS_STRING,     // const char *; one of the field's words, if it has any
    SETTINGS_EXPRESSION, // const char *; a whole number is taken as its text
    SETTINGS_NUMBER,     // double
    SETTINGS_WHOLE,      // int
    SETTINGS_FLAG,       // bool: true or false
    SETTINGS_WORD,       // an enum, by one of the field's words
    SETTINGS_EXTENT,     // const char *[3]: one to three expressions; further ones stay as they are
    SETTINGS_STRINGS,    // const char **, and a size_t at `count`
    SETTINGS_LIST,       // a pointer to structures that `table` reads, and a size_t at `count`
    SETTINGS_GROUP,      // a structure that `table` reads; offset 0: the group adds to the one that it stands in
    SETTINGS_OTHER       // of any type: the caller's to read
};

struct settings_words {
    const char *what; // "type", for the message about a word that is none
    const char *const *names;
    size_t count;
    const int *values; // NULL: 0, 1, 2 …
};

struct settings_field {
    const char *name;
    enum settings_kind kind;
    bool required;
    size_t offset; // of the field in the structure that settings_read fills
    size_t count;  // LIST, STRINGS, EXTENT: offset of the size_t that counts the entries; 0 = nobody counts
    const struct settings_words *words;
    const struct settings_table *table;
};

struct settings_reader {
    const char *file;    // for messages
    struct arena *arena; // strings and lists are made in it
    struct diagnostic *diagnostic;
    void *context; // the caller's
};

// What a group may hold.
struct settings_table {
    const char *what; // "a gate"
    const struct settings_field *fields;
    size_t count, size; // count 0: any keys, which `done` reads; size: of the structure
    int least;          // entries that a list of them has
    // Called for each that was read; NULL: nothing more to do.
    enum status (*done)(const struct settings_reader *reader, config_setting_t *setting, void *into);
};
#define SETTINGS_TABLE(what, type, fields, least, done)                                                                \
    {                                                                                                                  \
        what, fields, sizeof(fields) / sizeof *(fields), sizeof(struct type), least, done                              \
    }

// Fills the fields that are there, in the order of the table; the others stay as they are.
enum status settings_read(const struct settings_reader *reader, config_setting_t *setting,
                          const struct settings_table *table, void *into);
// A diagnostic at the setting's line.
enum status settings_fail(const struct settings_reader *reader, const config_setting_t *setting, const char *format,
                          ...) __attribute__((format(printf, 3, 4)));
// Not one of the known names: says so, with the nearest and the list.
enum status settings_unknown(const struct settings_reader *reader, const config_setting_t *setting, const char *what,
                             const char *name, const char *const *names, size_t count);

#endif
