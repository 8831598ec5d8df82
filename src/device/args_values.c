// Types by name, numbers as bits and as text, and buffers full of them.
#include "device/args_values.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/half.h"
#include "base/map.h"
#include "base/random.h"

// T(type, as it lies in memory, its value as a double, as C writes it)
#define ARGUMENT_TYPES(T)                                                                                              \
    T(U8, uint8_t, value, "unsigned char")                                                                             \
    T(S8, int8_t, value, "signed char")                                                                                \
    T(U16, uint16_t, value, "unsigned short")                                                                          \
    T(S16, int16_t, value, "short")                                                                                    \
    T(U32, uint32_t, value, "unsigned")                                                                                \
    T(S32, int32_t, value, "int")                                                                                      \
    T(U64, uint64_t, value, "unsigned long long")                                                                      \
    T(S64, int64_t, value, "long long")                                                                                \
    T(F16, uint16_t, f16_to_f32(value), "__half")                                                                      \
    T(BF16, uint16_t, bf16_to_f32(value), "__nv_bfloat16")                                                             \
    T(F32, float, value, "float")                                                                                      \
    T(F64, double, value, "double")

static const struct {
    enum ptx_type type;
    const char *in_c;
} types[] = {
#define T(name, memory, as_double, in_c) {PTX_##name, in_c},
    ARGUMENT_TYPES(T)
#undef T
};

enum ptx_type args_type(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(ptx_type_name(types[i].type)) == length && memcmp(ptx_type_name(types[i].type), name, length) == 0)
            return types[i].type;
    return PTX_TYPE_NONE;
}

const char *args_type_in_c(enum ptx_type type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == type)
            return types[i].in_c;
    return "void";
}

static bool is_signed(enum ptx_type type)
{
    return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}

// ---- values

double args_element(enum ptx_type type, const void *element)
{
    switch (type) {
#define T(name, memory, as_double, in_c)                                                                               \
    case PTX_##name: {                                                                                                 \
        memory value;                                                                                                  \
        memcpy(&value, element, sizeof value);                                                                         \
        return (double)(as_double);                                                                                    \
    }
        ARGUMENT_TYPES(T)
#undef T
    default:
        return NAN;
    }
}

uint64_t args_bits(enum ptx_type type, double value)
{
    uint64_t bits = 0;
    float single = (float)value;
    switch (type) {
    case PTX_F16:
        return f16_from_f64(value, ROUND_NEAREST);
    case PTX_BF16:
        return bf16_from_f64(value, ROUND_NEAREST);
    case PTX_F32:
        memcpy(&bits, &single, sizeof single);
        return bits;
    case PTX_F64:
        memcpy(&bits, &value, sizeof value);
        return bits;
    default:
        return value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
    }
}

void args_put(struct device_arg *arg, size_t index, uint64_t bits)
{
    size_t size = ptx_type_size(arg->type);
    memcpy((unsigned char *)arg->data + index * size, &bits, size);
}

enum status args_parse_value(const char *spec, enum ptx_type type, const char *text, size_t length, uint64_t *bits,
                             struct diagnostic *diagnostic)
{
    char word[64];
    if (length == 0 || length >= sizeof word)
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s': a value is %s", spec,
                              length ? "longer than a number can be" : "missing");
    memcpy(word, text, length);
    word[length] = '\0';
    char *end;
    errno = 0;
    if (word[0] == '@' || text_starts(word, "random") || text_lists("zero none iota", word, length))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "'%s': '%s' fills an array, and this is one number: say how many, as in %.*s[64]=%s",
                              spec, word, (int)strcspn(spec, "="), spec, word);
    if (device_is_float(type)) {
        double value = type == PTX_F32 ? (double)strtof(word, &end) : strtod(word, &end);
        if (end == word || *end)
            return diagnostic_set(diagnostic, STATUS_USAGE, "'%s': '%s' is not a number", spec, word);
        *bits = args_bits(type, value);
        return STATUS_OK;
    }
    unsigned width = 8 * (unsigned)ptx_type_size(type);
    bool negative = word[0] == '-', fits;
    if (is_signed(type)) {
        long long value = strtoll(word, &end, 0), most = (long long)(UINT64_MAX >> (65 - width));
        fits = errno == 0 && value <= most && value >= -most - 1;
        *bits = (uint64_t)value;
    } else {
        unsigned long long value = strtoull(word, &end, 0);
        fits = errno == 0 && !negative && value <= UINT64_MAX >> (64 - width);
        *bits = value;
    }
    if (end == word || *end)
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s': '%s' is not a whole number", spec, word);
    if (!fits)
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s': %s does not fit %s", spec, word, ptx_type_name(type));
    *bits &= UINT64_MAX >> (64 - width);
    return STATUS_OK;
}

// ---- fills

void args_make(const struct device_arg *arg, size_t first, size_t count, void *out)
{
    size_t size = ptx_type_size(arg->type);
    uint64_t seed = arg->fill_bits + first * RANDOM_STEP;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = arg->fill_bits;
        if (arg->fill == DEVICE_FILL_RANDOM) {
            bits = random_next(&seed);
            // 24 bits: exact in f32, so that f32 and f64 buffers of one seed hold the same numbers
            if (device_is_float(arg->type))
                bits = args_bits(arg->type, (double)(bits >> 40) / (1 << 23) - 1.0);
        } else if (arg->fill == DEVICE_FILL_IOTA) {
            bits = device_is_float(arg->type) ? args_bits(arg->type, (double)(first + i)) : first + i;
        }
        memcpy((unsigned char *)out + i * size, &bits, size);
    }
}

// Elements that follow from their number: made at once, or later.
static void fill_by_number(struct device_arg *arg, enum device_fill fill, uint64_t bits)
{
    arg->fill = fill;
    arg->fill_bits = bits;
    if (!arg->data)
        return;
    args_make(arg, 0, arg->count, arg->data);
    arg->fill = DEVICE_FILL_DATA;
}

static enum status fill_list(const char *spec, const char *fill, struct device_arg *arg, struct diagnostic *diagnostic)
{
    size_t given = 1;
    for (const char *at = fill; *at; at++)
        given += *at == ',';
    if (given != 1 && given != arg->count)
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%.*s…' has %zu values for %zu elements: give one, or all",
                              (int)strcspn(spec, "="), spec, given, arg->count);
    uint64_t bits = 0;
    for (size_t i = 0; i < arg->count; i++) {
        if (i < given) {
            size_t length = strcspn(fill, ",");
            enum status status = args_parse_value(spec, arg->type, fill, length, &bits, diagnostic);
            if (status != STATUS_OK)
                return status;
            fill += length + (fill[length] == ',');
        }
        if (given == 1) {
            fill_by_number(arg, DEVICE_FILL_VALUE, bits);
            break;
        }
        args_put(arg, i, bits);
    }
    return STATUS_OK;
}

static enum status fill_file(const char *spec, const char *path, struct device_arg *arg, struct diagnostic *diagnostic)
{
    size_t wanted = arg->count * ptx_type_size(arg->type), length = 0;
    char *data = NULL;
    enum status status = file_read(path, ARGS_MAX_BYTES, &data, &length, diagnostic);
    if (status != STATUS_OK)
        return status;
    if (length == wanted)
        memcpy(arg->data, data, wanted);
    else
        status = diagnostic_set(diagnostic, STATUS_USAGE, "'%s': the file has %zu bytes; %zu elements of %s are %zu",
                                spec, length, arg->count, ptx_type_name(arg->type), wanted);
    free(data);
    return status;
}

enum status args_fill(const char *spec, const char *fill, struct device_arg *arg, struct diagnostic *diagnostic)
{
    if (strcmp(fill, "zero") == 0)
        return STATUS_OK;
    if (strcmp(fill, "none") == 0) {
        arg->uninitialised = true;
        return STATUS_OK;
    }
    if (strcmp(fill, "iota") == 0) {
        fill_by_number(arg, DEVICE_FILL_IOTA, 0);
        return STATUS_OK;
    }
    if (strcmp(fill, "random") == 0) {
        fill_by_number(arg, DEVICE_FILL_RANDOM, map_hash(MAP_HASH_START, arg->name, strlen(arg->name)));
        return STATUS_OK;
    }
    if (text_starts(fill, "random:")) {
        uint64_t seed;
        const char *digits = fill + strlen("random:");
        enum status status = args_parse_value(spec, PTX_U64, digits, strlen(digits), &seed, diagnostic);
        if (status == STATUS_OK)
            fill_by_number(arg, DEVICE_FILL_RANDOM, seed);
        return status;
    }
    if (fill[0] == '@')
        return fill_file(spec, fill + 1, arg, diagnostic);
    if (fill[0] && strchr(device_is_float(arg->type) ? "+-.0123456789niNI" : "+-0123456789", fill[0]))
        return fill_list(spec, fill, arg, diagnostic);
    return diagnostic_set(
        diagnostic, STATUS_USAGE,
        "'%s': '%.40s' is not a fill; there are zero, none, iota, random, random:SEED, V,V,V… and @file", spec, fill);
}

// ---- values as text

static void format_double(double value, int digits, struct text *out)
{
    if (isnan(value))
        text_puts(out, "\"NaN\"");
    else if (isinf(value))
        text_puts(out, value < 0 ? "\"-Infinity\"" : "\"Infinity\"");
    else
        text_printf(out, "%.*g", digits, value);
}

void args_format(enum ptx_type type, const void *element, struct text *out)
{
    static const int digits[PTX_TYPE_COUNT] = {[PTX_F16] = 5, [PTX_BF16] = 4, [PTX_F32] = 9, [PTX_F64] = 17};
    uint64_t bits = 0;
    size_t size = ptx_type_size(type);
    unsigned shift = 64 - 8 * (unsigned)size;
    memcpy(&bits, element, size);
    if (digits[type])
        format_double(args_element(type, element), digits[type], out);
    else if (is_signed(type))
        text_printf(out, "%" PRId64, (int64_t)(bits << shift) >> shift);
    else
        text_printf(out, "%" PRIu64, bits);
}
