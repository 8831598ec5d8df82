// JSON records by tables: one list of the fields that a record has, used to write it and to read it.
//
// Nothing that is read is trusted. What is missing or of another type is empty, false, 0 or NaN; lists end after
// FIELDS_MAX_ITEMS; an enum that is out of range or has an unknown name becomes the one that its table names. Keys that
// no row has are ignored.
#ifndef BANKSHOT_BASE_FIELDS_H
#define BANKSHOT_BASE_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

enum { FIELDS_MAX_ITEMS = 100000 };

enum field_kind {
    FIELD_FLAG,       // bool
    FIELD_INT,        // int
    FIELD_COUNT,      // int; what is negative or does not fit reads as 0
    FIELD_U32,        // uint32_t
    FIELD_U64,        // uint64_t, int64_t, size_t
    FIELD_NUMBER,     // double; what is not finite is written as null, what is not a number reads as NaN
    FIELD_AMOUNT,     // double; the same, but what is not a number reads as 0
    FIELD_TRIPLE,     // uint32_t[3]
    FIELD_STRING,     // const char *; NULL is written as ""; reads into the arena
    FIELD_OPTION,     // const char *; NULL is not written; what is missing reads as NULL
    FIELD_BYTES,      // the same, but any bytes come back as they were (text_escape_name)
    FIELD_TEXT,       // char[]; what is too long is cut
    FIELD_ENUM,       // an enum by number, of those that `words` allows
    FIELD_WORD,       // an enum by the name that `words` gives it
    FIELD_RECORD,     // a structure of `inner` fields
    FIELD_LIST,       // a pointer to such structures and a size_t at `count`; reads into memory that free() releases
    FIELD_ARENA_LIST, // the same; reads into the arena
    FIELD_OWN         // by functions of its own
};

// The values that an enum has: 0 to count - 1. name may give NULL for one that has none; FIELD_ENUM needs no name.
struct field_words {
    const char *(*name)(int value);
    int count, otherwise; // otherwise: what anything else reads as
};

struct field_own {
    json_t *(*write)(const void *at); // NULL: nothing is written
    void (*read)(struct arena *arena, const json_t *json, void *at);
};

struct field {
    const char *key;
    enum field_kind kind;
    size_t offset, size;
    const struct field_words *words;
    const struct fields *inner;
    const struct field_own *own;
    size_t count;           // LIST, ARENA_LIST: offset of the number of items
    size_t when, when_size; // written only where these bytes of the record are not all 0; when_size 0 = always
};

struct fields {
    const struct field *items;
    size_t count, size; // size: of the structure
};

// Rows of a table, each of one member of struct `type`; kind without FIELD_.
#define FIELD_SIZE(type, member) sizeof(((struct type *)0)->member)
#define FIELD_AT(type, name, member)                                                                                   \
    .key = (name), .offset = offsetof(struct type, member), .size = FIELD_SIZE(type, member)
#define FIELD(type, kind_, name, member)                                                                               \
    {                                                                                                                  \
        FIELD_AT(type, name, member), .kind = FIELD_##kind_                                                            \
    }
#define FIELD_NAMED(type, kind_, name, member, words_)                                                                 \
    {                                                                                                                  \
        FIELD_AT(type, name, member), .kind = FIELD_##kind_, .words = &(words_)                                        \
    }
#define FIELD_INNER(type, name, member, fields)                                                                        \
    {                                                                                                                  \
        FIELD_AT(type, name, member), .kind = FIELD_RECORD, .inner = &(fields)                                         \
    }
#define FIELD_ITEMS(type, kind_, name, member, number, fields)                                                         \
    {                                                                                                                  \
        FIELD_AT(type, name, member), .kind = FIELD_##kind_, .inner = &(fields),                                       \
                                      .count = offsetof(struct type, number)                                           \
    }
#define FIELD_BY(type, name, member, functions)                                                                        \
    {                                                                                                                  \
        FIELD_AT(type, name, member), .kind = FIELD_OWN, .own = &(functions)                                           \
    }
// For a row that is spelled out: written only where the member is not 0.
#define FIELD_WHEN(type, member) .when = offsetof(struct type, member), .when_size = FIELD_SIZE(type, member)
// The table itself.
#define FIELDS(type, table)                                                                                            \
    {                                                                                                                  \
        (table), sizeof(table) / sizeof *(table), sizeof(struct type)                                                  \
    }

// Lets jansson take its memory from mem_alloc: a record that silently lacks a value would be a wrong one. Call it first.
void fields_check_memory(void);

// A new reference; bytes that are not UTF-8 are written \xNN.
json_t *fields_write(const struct fields *fields, const void *record);
// Fills the members that have a row; the others stay as they are. arena may be NULL where no row needs it.
void fields_read(const struct fields *fields, const json_t *json, struct arena *arena, void *record);

// The pieces, for fields of their own.
json_t *fields_string(const char *text); // NULL as ""
json_t *fields_name(const char *name);   // of a file or folder: text_escape_name
void fields_put(json_t *object, const char *key, json_t *value);

#endif
