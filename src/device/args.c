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

static const enum ptx_type types[] = {PTX_U8,  PTX_S8,  PTX_U16, PTX_S16,  PTX_U32, PTX_S32,
                                      PTX_U64, PTX_S64, PTX_F16, PTX_BF16, PTX_F32, PTX_F64};

enum ptx_type args_type(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(ptx_type_name(types[i])) == length && memcmp(ptx_type_name(types[i]), name, length) == 0)
            return types[i];
    return PTX_TYPE_NONE;
}

static bool is_signed(enum ptx_type type)
{
    return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}

// ---- values

static uint64_t arg_float_bits(enum ptx_type type, double value)
{
    uint64_t bits = 0;
    float single = (float)value;
    if (type == PTX_F16)
        bits = f16_from_f64(value, ROUND_NEAREST);
    else if (type == PTX_BF16)
        bits = bf16_from_f64(value, ROUND_NEAREST);
    else if (type == PTX_F32)
        memcpy(&bits, &single, sizeof single);
    else
        memcpy(&bits, &value, sizeof value);
    return bits;
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
        *bits = arg_float_bits(type, value);
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

static void put_element(struct device_arg *arg, size_t index, uint64_t bits)
{
    size_t size = ptx_type_size(arg->type);
    memcpy((unsigned char *)arg->data + index * size, &bits, size);
}

static void fill_random(struct device_arg *arg, uint64_t seed)
{
    for (size_t i = 0; i < arg->count; i++) {
        uint64_t random = random_next(&seed);
        // 24 bits: exact in f32, so that f32 and f64 buffers of one seed hold the same numbers
        double uniform = (double)(random >> 40) / (1 << 23) - 1.0;
        put_element(arg, i, device_is_float(arg->type) ? arg_float_bits(arg->type, uniform) : random);
    }
}

static void fill_iota(struct device_arg *arg)
{
    for (size_t i = 0; i < arg->count; i++)
        put_element(arg, i, device_is_float(arg->type) ? arg_float_bits(arg->type, (double)i) : i);
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
        put_element(arg, i, bits);
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
    uint64_t bits = 0;
    float single;
    double value;
    size_t size = ptx_type_size(type);
    memcpy(&bits, element, size);
    switch (type) {
    case PTX_F16:
        format_double(f16_to_f32((uint32_t)bits), 5, out);
        break;
    case PTX_BF16:
        format_double(bf16_to_f32((uint32_t)bits), 4, out);
        break;
    case PTX_F32:
        memcpy(&single, element, sizeof single);
        format_double((double)single, 9, out);
        break;
    case PTX_F64:
        memcpy(&value, element, sizeof value);
        format_double(value, 17, out);
        break;
    default:
        if (is_signed(type)) {
            unsigned shift = 64 - 8 * (unsigned)size;
            text_printf(out, "%" PRId64, (int64_t)(bits << shift) >> shift);
        } else {
            text_printf(out, "%" PRIu64, bits);
        }
    }
}
