// Shared arrays as the source declares them: names and shapes for the pictures (access.h).
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ui/access.h"

enum { DEEPEST = 16, LARGEST_SIZE = 256 * 1024 };

struct scan {
    const char *source;
    const char *at;
    int depth;
    bool failed;
};

static int64_t sum(struct scan *scan);

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (is_word(at[length]))
        length++;
    return length;
}

static void skip_space(struct scan *scan)
{
    while (*scan->at == ' ' || *scan->at == '\t')
        scan->at++;
}

// Where the value of `name` starts: "#define NAME value", "const int NAME = value", "enum { NAME = value".
static const char *find_value(const char *source, const char *name, size_t length)
{
    for (const char *at = source; (at = strstr(at, name)) != NULL; at += length) {
        if (is_word(at[length]) || at == source || is_word(at[-1]))
            continue;
        const char *before = at;
        while (before > source && (before[-1] == ' ' || before[-1] == '\t'))
            before--;
        if (before - source >= 7 && strncmp(before - 7, "#define", 7) == 0)
            return at + length;
        const char *after = at + length + strspn(at + length, " \t");
        if (*after == '=' && after[1] != '=')
            return after + 1;
    }
    return NULL;
}

static int64_t name_value(struct scan *scan, const char *name, size_t length)
{
    char word[64];
    if (length >= sizeof word || scan->depth >= DEEPEST) {
        scan->failed = true;
        return 0;
    }
    memcpy(word, name, length);
    word[length] = '\0';
    const char *value = find_value(scan->source, word, length);
    if (!value) {
        scan->failed = true;
        return 0;
    }
    struct scan inner = {scan->source, value, scan->depth + 1, false};
    int64_t result = sum(&inner);
    scan->failed |= inner.failed;
    return result;
}

static int64_t primary(struct scan *scan)
{
    skip_space(scan);
    if (*scan->at == '(' && scan->depth < DEEPEST) {
        scan->at++;
        scan->depth++;
        int64_t value = sum(scan);
        scan->depth--;
        skip_space(scan);
        scan->failed |= *scan->at != ')';
        scan->at += *scan->at == ')';
        return value;
    }
    if (isdigit((unsigned char)*scan->at)) {
        char *end;
        long value = strtol(scan->at, &end, 0);
        end += strspn(end, "uUlL");
        scan->at = end;
        return value > LARGEST_SIZE ? LARGEST_SIZE : value;
    }
    size_t length = word_length(scan->at);
    const char *name = scan->at;
    scan->at += length;
    if (length > 0)
        return name_value(scan, name, length);
    scan->failed = true;
    return 0;
}

static int64_t product(struct scan *scan)
{
    int64_t value = primary(scan);
    for (;;) {
        skip_space(scan);
        char operator= * scan->at;
        if (operator!= '*' && operator!= '/' && operator!= '%')
            return value;
        if (scan->at[1] == '/' || scan->at[1] == '*') // a comment
            return value;
        scan->at++;
        int64_t right = primary(scan);
        if (scan->failed || (operator!= '*' && right == 0)) {
            scan->failed = true;
            return 0;
        }
        value = operator== '*' ? value * right : operator== '/' ? value / right : value % right;
        if (value > LARGEST_SIZE || value < -LARGEST_SIZE)
            scan->failed = true;
    }
}

static int64_t sum(struct scan *scan)
{
    int64_t value = product(scan);
    for (;;) {
        skip_space(scan);
        char operator= * scan->at;
        if (scan->failed || (operator!= '+' && operator!= '-'))
            return value;
        scan->at++;
        int64_t right = product(scan);
        value = operator== '+' ? value + right : value - right;
    }
}

static uint32_t type_size(const char *at, size_t length)
{
    static const struct {
        const char *name;
        uint32_t size;
    } types[] = {{"float", 4},    {"int", 4},    {"unsigned", 4}, {"double", 8},  {"char", 1},    {"short", 2},
                 {"half", 2},     {"__half", 2}, {"float2", 8},   {"float4", 16}, {"int4", 16},   {"int2", 8},
                 {"uint4", 16},   {"uint2", 8},  {"uint32_t", 4}, {"int32_t", 4}, {"uint8_t", 1}, {"uint64_t", 8},
                 {"uint16_t", 2}, {"long", 8},   {"bool", 1},     {"float3", 12}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == length && memcmp(types[i].name, at, length) == 0)
            return types[i].size;
    return 0;
}

// Type words in front of the name; leaves scan->at at the name. 0 = a type that is not known here.
static uint32_t read_type(struct scan *scan)
{
    uint32_t size = 0;
    for (;;) {
        skip_space(scan);
        size_t length = word_length(scan->at);
        const char *after = scan->at + length + strspn(scan->at + length, " \t");
        bool is_last = *after == '[' || *after == ';' || *after == ',' || *after == '=';
        if (length == 0 || is_last)
            return length == 0 ? 0 : size;
        uint32_t one = type_size(scan->at, length);
        if (one)
            size = one;
        scan->at += length;
        if (text_starts(scan->at, "(")) // __align__(16), alignas(16)
            scan->at += strcspn(scan->at, ")\n") + 1;
    }
}

static bool read_array(struct scan *scan, struct shared_array *array, uint32_t element)
{
    skip_space(scan);
    size_t length = word_length(scan->at);
    if (length == 0 || length >= sizeof array->name)
        return false;
    *array = (struct shared_array){.element = element, .size = element};
    memcpy(array->name, scan->at, length);
    scan->at += length;
    for (skip_space(scan); *scan->at == '[' && array->dim_count < 3; skip_space(scan)) {
        scan->at++;
        skip_space(scan);
        if (*scan->at == ']') {
            scan->at++;
            array->dynamic = true;
            array->size = 0;
            return true;
        }
        int64_t value = sum(scan);
        skip_space(scan);
        if (scan->failed || value <= 0 || value > LARGEST_SIZE || *scan->at != ']')
            return false;
        scan->at++;
        array->dims[array->dim_count++] = (uint32_t)value;
        if ((uint64_t)array->size * (uint64_t)value > LARGEST_SIZE)
            return false;
        array->size *= (uint32_t)value;
    }
    return true;
}

// One declaration after "__shared__": one or more arrays. False: its size is not known, so all later offsets are not.
static bool read_declaration(struct scan *scan, struct shared_arrays *arrays, uint32_t *offset)
{
    uint32_t element = read_type(scan);
    if (element == 0)
        return false;
    do {
        struct shared_array array;
        if (!read_array(scan, &array, element))
            return false;
        *offset = (*offset + 15) / 16 * 16;
        array.offset = *offset;
        *offset += array.size;
        if (arrays->count < sizeof arrays->items / sizeof *arrays->items)
            arrays->items[arrays->count++] = array;
        skip_space(scan);
    } while (*scan->at == ',' && scan->at++);
    return true;
}

void shared_arrays_read(struct shared_arrays *arrays, const char *source)
{
    *arrays = (struct shared_arrays){0};
    uint32_t offset = 0;
    static const char word[] = "__shared__";
    for (const char *at = source; at && (at = strstr(at, word)) != NULL;) {
        const char *line = at;
        while (line > source && line[-1] != '\n')
            line--;
        const char *comment = strstr(line, "//");
        at += sizeof word - 1;
        if ((comment && comment < at) || is_word(*at))
            continue;
        struct scan scan = {source, at, 0, false};
        if (!read_declaration(&scan, arrays, &offset))
            return;
    }
}

const struct shared_array *shared_arrays_at(const struct shared_arrays *arrays, uint64_t address)
{
    for (size_t i = 0; i < arrays->count; i++) {
        const struct shared_array *array = &arrays->items[i];
        if (address >= array->offset && (array->dynamic || address < (uint64_t)array->offset + array->size))
            return array;
    }
    return NULL;
}

const char *shared_name(const struct shared_arrays *arrays, uint64_t address, char *text, size_t size)
{
    const struct shared_array *array = shared_arrays_at(arrays, address);
    if (!array) {
        snprintf(text, size, "word %llu", (unsigned long long)(address / BANK_BYTES));
        return text;
    }
    uint64_t index = (address - array->offset) / array->element;
    if (array->dim_count == 0 && !array->dynamic)
        snprintf(text, size, "%s", array->name);
    else if (array->dim_count == 2)
        snprintf(text, size, "%s[%llu][%llu]", array->name, (unsigned long long)(index / array->dims[1]),
                 (unsigned long long)(index % array->dims[1]));
    else if (array->dim_count == 3)
        snprintf(text, size, "%s[%llu][%llu][%llu]", array->name,
                 (unsigned long long)(index / array->dims[2] / array->dims[1]),
                 (unsigned long long)(index / array->dims[2] % array->dims[1]),
                 (unsigned long long)(index % array->dims[2]));
    else
        snprintf(text, size, "%s[%llu]", array->name, (unsigned long long)index);
    return text;
}
