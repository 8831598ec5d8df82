// Writing and reading JSON records by their tables of fields.
#include "base/fields.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void fields_check_memory(void)
{
    json_set_alloc_funcs(mem_alloc, free);
}

json_t *fields_string(const char *text)
{
    json_t *json = json_string(text ? text : "");
    if (json)
        return json;
    struct text escaped = {0};
    text_escape(&escaped, text, strlen(text), true);
    json = json_string(text_get(&escaped));
    text_free(&escaped);
    return json;
}

json_t *fields_name(const char *name)
{
    struct text escaped = {0};
    text_escape_name(&escaped, name);
    json_t *json = json_string(text_get(&escaped));
    text_free(&escaped);
    return json;
}

void fields_put(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

// A row that names the wrong kind for its member is a mistake of ours.
static bool field_suits(const struct field *field)
{
    static const size_t sizes[] = {[FIELD_FLAG] = sizeof(bool),         [FIELD_INT] = sizeof(int),
                                   [FIELD_COUNT] = sizeof(int),         [FIELD_U32] = sizeof(uint32_t),
                                   [FIELD_U64] = sizeof(uint64_t),      [FIELD_NUMBER] = sizeof(double),
                                   [FIELD_AMOUNT] = sizeof(double),     [FIELD_TRIPLE] = 3 * sizeof(uint32_t),
                                   [FIELD_STRING] = sizeof(char *),     [FIELD_OPTION] = sizeof(char *),
                                   [FIELD_BYTES] = sizeof(char *),      [FIELD_ENUM] = sizeof(int),
                                   [FIELD_WORD] = sizeof(int),          [FIELD_LIST] = sizeof(void *),
                                   [FIELD_ARENA_LIST] = sizeof(void *), [FIELD_OWN] = 0};
    return sizes[field->kind] == 0 || sizes[field->kind] == field->size;
}

// ---- writing

static json_t *write_number(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

static json_t *write_triple(const uint32_t values[3])
{
    json_t *list = json_array();
    for (size_t i = 0; i < 3; i++)
        json_array_append_new(list, json_integer(values[i]));
    return list;
}

// Pointers of every type are copied, not cast: none is read or written as another type than it has.
static const void *read_pointer(const char *at)
{
    const void *pointer;
    memcpy(&pointer, at, sizeof pointer);
    return pointer;
}

static json_t *write_items(const struct field *field, const char *record)
{
    const char *items = read_pointer(record + field->offset);
    size_t count = *(const size_t *)(record + field->count);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, fields_write(field->inner, items + i * field->inner->size));
    return list;
}

static json_t *write_field(const struct field *field, const char *record)
{
    const char *at = record + field->offset;
    assert(field_suits(field));
    switch (field->kind) {
    case FIELD_FLAG:
        return json_boolean(*(const bool *)at);
    case FIELD_INT:
    case FIELD_COUNT:
    case FIELD_ENUM:
        return json_integer(*(const int *)at);
    case FIELD_U32:
        return json_integer(*(const uint32_t *)at);
    case FIELD_U64:
        return json_integer(*(const int64_t *)at);
    case FIELD_NUMBER:
    case FIELD_AMOUNT:
        return write_number(*(const double *)at);
    case FIELD_TRIPLE:
        return write_triple((const uint32_t *)at);
    case FIELD_STRING:
        return fields_string(read_pointer(at));
    case FIELD_OPTION:
        return read_pointer(at) ? fields_string(read_pointer(at)) : NULL;
    case FIELD_BYTES:
        return read_pointer(at) ? fields_name(read_pointer(at)) : NULL;
    case FIELD_TEXT:
        return fields_string(at);
    case FIELD_WORD:
        return fields_string(field->words->name(*(const int *)at));
    case FIELD_RECORD:
        return fields_write(field->inner, at);
    case FIELD_LIST:
    case FIELD_ARENA_LIST:
        return write_items(field, record);
    case FIELD_OWN:
        return field->own->write(at);
    }
    return NULL;
}

static bool is_set(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return true;
    return false;
}

json_t *fields_write(const struct fields *fields, const void *record)
{
    json_t *json = json_object();
    for (size_t i = 0; i < fields->count; i++) {
        const struct field *field = &fields->items[i];
        if (field->when_size && !is_set((const char *)record + field->when, field->when_size))
            continue;
        json_t *value = write_field(field, record);
        if (value)
            fields_put(json, field->key, value);
    }
    return json;
}

// ---- reading

static int read_enum(const struct field *field, const json_t *json)
{
    const struct field_words *words = field->words;
    const char *text = json_string_value(json);
    json_int_t number = json_integer_value(json);
    if (field->kind == FIELD_ENUM)
        return number >= 0 && number < words->count ? (int)number : words->otherwise;
    for (int value = 0; text && value < words->count; value++) {
        const char *name = words->name(value);
        if (name && strcmp(name, text) == 0)
            return value;
    }
    return words->otherwise;
}

static void read_items(const struct field *field, const json_t *json, struct arena *arena, char *record)
{
    size_t count = json_array_size(json), size = field->inner->size;
    count = count < FIELDS_MAX_ITEMS ? count : FIELDS_MAX_ITEMS;
    char *items = field->kind == FIELD_ARENA_LIST ? arena_alloc(arena, (count + 1) * size)
                  : count                         ? mem_alloc(count * size)
                                                  : NULL;
    for (size_t i = 0; i < count; i++)
        fields_read(field->inner, json_array_get(json, i), arena, items + i * size);
    memcpy(record + field->offset, &items, sizeof items);
    *(size_t *)(record + field->count) = count;
}

static void read_string(const struct field *field, const char *text, struct arena *arena, char *at)
{
    const char *copy = text || field->kind == FIELD_STRING ? arena_strdup(arena, text ? text : "") : NULL;
    memcpy(at, &copy, sizeof copy);
}

static void read_bytes(const char *text, struct arena *arena, char *at)
{
    struct text bytes = {0};
    text_unescape_name(&bytes, text ? text : "");
    const char *copy = text ? arena_strdup(arena, text_get(&bytes)) : NULL;
    memcpy(at, &copy, sizeof copy);
    text_free(&bytes);
}

static double read_number(const json_t *json, double otherwise)
{
    return json_is_number(json) ? json_number_value(json) : otherwise;
}

static void read_field(const struct field *field, const json_t *json, struct arena *arena, char *record)
{
    char *at = record + field->offset;
    const char *text = json_string_value(json);
    json_int_t number = json_integer_value(json);
    assert(field_suits(field));
    switch (field->kind) {
    case FIELD_FLAG:
        *(bool *)at = json_is_true(json);
        break;
    case FIELD_INT:
        *(int *)at = (int)number;
        break;
    case FIELD_COUNT:
        *(int *)at = number > 0 && number < INT_MAX ? (int)number : 0;
        break;
    case FIELD_U32:
        *(uint32_t *)at = (uint32_t)number;
        break;
    case FIELD_U64:
        *(int64_t *)at = number;
        break;
    case FIELD_NUMBER:
    case FIELD_AMOUNT:
        *(double *)at = read_number(json, field->kind == FIELD_NUMBER ? NAN : 0);
        break;
    case FIELD_TRIPLE:
        for (size_t i = 0; i < 3; i++)
            ((uint32_t *)at)[i] = (uint32_t)json_integer_value(json_array_get(json, i));
        break;
    case FIELD_STRING:
    case FIELD_OPTION:
        read_string(field, text, arena, at);
        break;
    case FIELD_BYTES:
        read_bytes(text, arena, at);
        break;
    case FIELD_TEXT:
        snprintf(at, field->size, "%s", text ? text : "");
        break;
    case FIELD_ENUM:
    case FIELD_WORD:
        *(int *)at = read_enum(field, json);
        break;
    case FIELD_RECORD:
        fields_read(field->inner, json, arena, at);
        break;
    case FIELD_LIST:
    case FIELD_ARENA_LIST:
        read_items(field, json, arena, record);
        break;
    case FIELD_OWN:
        field->own->read(arena, json, at);
        break;
    }
}

void fields_read(const struct fields *fields, const json_t *json, struct arena *arena, void *record)
{
    for (size_t i = 0; i < fields->count; i++)
        read_field(&fields->items[i], json_object_get(json, fields->items[i].key), arena, record);
}
