// Reading specs, and writing values as text.
#include "device/args.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/half.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/random.h"

enum { MAX_NAME = 64, MAX_WORD = 400 };

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

// One VALUE of text[0 … length), as the low bytes of *bits.
static enum status parse_arg_value(const char *spec, enum ptx_type type, const char *text, size_t length,
                                   uint64_t *bits, struct diagnostic *diagnostic)
{
    char word[64];
    if (length == 0 || length >= sizeof word)
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s': a value is %s", spec,
                              length ? "longer than a number can be" : "missing");
    memcpy(word, text, length);
    word[length] = '\0';
    char *end;
    errno = 0;
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

static void fill_random(struct device_arg *arg, uint64_t seed)
{
    for (size_t i = 0; i < arg->count; i++) {
        uint64_t random = random_next(&seed);
        // 24 bits: exact in f32, so that f32 and f64 buffers of one seed hold the same numbers
        double uniform = (double)(random >> 40) / (1 << 23) - 1.0;
        args_put(arg, i, device_is_float(arg->type) ? args_bits(arg->type, uniform) : random);
    }
}

static void fill_iota(struct device_arg *arg)
{
    for (size_t i = 0; i < arg->count; i++)
        args_put(arg, i, device_is_float(arg->type) ? args_bits(arg->type, (double)i) : i);
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
            enum status status = parse_arg_value(spec, arg->type, fill, length, &bits, diagnostic);
            if (status != STATUS_OK)
                return status;
            fill += length + (fill[length] == ',');
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

static enum status fill_arg_buffer(const char *spec, const char *fill, struct device_arg *arg,
                                   struct diagnostic *diagnostic)
{
    if (strcmp(fill, "zero") == 0)
        return STATUS_OK;
    if (strcmp(fill, "none") == 0) {
        arg->uninitialised = true;
        return STATUS_OK;
    }
    if (strcmp(fill, "iota") == 0) {
        fill_iota(arg);
        return STATUS_OK;
    }
    if (strcmp(fill, "random") == 0) {
        fill_random(arg, map_hash(MAP_HASH_START, arg->name, strlen(arg->name)));
        return STATUS_OK;
    }
    if (text_starts(fill, "random:")) {
        uint64_t seed;
        const char *digits = fill + strlen("random:");
        enum status status = parse_arg_value(spec, PTX_U64, digits, strlen(digits), &seed, diagnostic);
        if (status == STATUS_OK)
            fill_random(arg, seed);
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

// ---- the spec

// number { "*" number }, from *at on
static bool parse_element_count(const char **at, uint64_t *count)
{
    *count = 1;
    for (;; ++*at) {
        char *end;
        if (**at < '0' || **at > '9')
            return false;
        errno = 0;
        uint64_t factor = strtoull(*at, &end, 10);
        if (errno || factor == 0 || *count > ARGS_MAX_BYTES / factor)
            return false;
        *count *= factor;
        *at = end;
        if (**at != '*')
            return true;
    }
}

static bool is_name(const char *text, size_t length)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    return length > 0 && length < MAX_NAME && strspn(text, letters) >= length && (text[0] < '0' || text[0] > '9');
}

// spec is escaped and cut already: it is what messages quote.
static enum status parse_spec(const char *text, const char *spec, struct device_arg *arg, struct diagnostic *diagnostic)
{
    size_t name = strcspn(text, ":");
    if (text[name] != ':' || !is_name(text, name))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "'%s' is not an argument: NAME:TYPE=VALUE or NAME:TYPE[COUNT]=FILL, as in n:s32=256",
                              spec);
    const char *at = text + name + 1;
    size_t length = strcspn(at, "[=");
    arg->type = args_type(at, length);
    if (arg->type == PTX_TYPE_NONE)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "'%s': there is no type '%.*s'; there are u8 s8 u16 s16 u32 s32 u64 s64 f16 bf16 f32 f64",
                              spec, (int)(length > 40 ? 40 : length), at);
    arg->name = mem_strndup(text, name);
    at += length;
    if (*at == '=')
        return parse_arg_value(spec, arg->type, at + 1, strlen(at + 1), &arg->scalar, diagnostic);
    if (*at != '[')
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s': '=' and a value are missing", spec);
    at++;
    uint64_t count;
    if (!parse_element_count(&at, &count))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "'%s': the count is a number from 1, or a product such as 64*64", spec);
    if (at[0] != ']' || at[1] != '=')
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s': ']=' and a fill are missing after the count", spec);
    if (count > ARGS_MAX_BYTES / ptx_type_size(arg->type))
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s': a buffer is at most 4 GiB", spec);
    arg->is_buffer = true;
    arg->count = count;
    arg->data = mem_alloc(count * ptx_type_size(arg->type));
    return fill_arg_buffer(spec, at + 2, arg, diagnostic);
}

enum status args_parse(const char *text, struct device_arg *arg, struct diagnostic *diagnostic)
{
    *arg = (struct device_arg){0};
    struct text shown = {0};
    size_t length = strlen(text);
    text_escape(&shown, text, length > 120 ? 120 : length, false);
    if (shown.length > MAX_WORD)
        shown.data[MAX_WORD] = '\0';
    if (length > 120)
        text_puts(&shown, "…");
    enum status status = parse_spec(text, text_get(&shown), arg, diagnostic);
    text_free(&shown);
    if (status != STATUS_OK)
        args_free(arg);
    return status;
}

void args_free(struct device_arg *arg)
{
    free((char *)arg->name);
    free(arg->data);
    *arg = (struct device_arg){0};
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
