// Reading specs of tensor maps: "m:tmap(f32[64*48],of=a,box=32*8,swizzle=128)".
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "device/args_values.h"
#include "sim/tensor.h"

bool args_is_tensor(const char *text)
{
    return text_starts(text, "tmap(");
}

struct map_reading {
    const char *spec;
    struct device_arg *arg;
    struct tensor_map *map;
    unsigned boxes, strides, steps; // how many were given
    struct diagnostic *diagnostic;
};

static const struct {
    enum ptx_type type;
    enum tensor_type as;
} element_kinds[] = {{PTX_U8, TENSOR_U8},   {PTX_S8, TENSOR_U8},   {PTX_U16, TENSOR_U16}, {PTX_S16, TENSOR_U16},
                     {PTX_U32, TENSOR_U32}, {PTX_S32, TENSOR_S32}, {PTX_U64, TENSOR_U64}, {PTX_S64, TENSOR_S64},
                     {PTX_F16, TENSOR_F16}, {PTX_F32, TENSOR_F32}, {PTX_F64, TENSOR_F64}, {PTX_BF16, TENSOR_BF16}};

// number { "*" number }: how many there are, up to `most`; 0: that is not what stands there.
static unsigned read_numbers(const char *text, size_t length, unsigned most, uint64_t *numbers)
{
    const char *end = text + length;
    for (unsigned count = 0; count < most;) {
        char *after;
        if (text == end || *text < '0' || *text > '9')
            return 0;
        numbers[count++] = strtoull(text, &after, 10);
        if (after == end)
            return count;
        if (*after != '*' || after > end)
            return 0;
        text = after + 1;
    }
    return 0;
}

// TYPE "[" SIZE "]"
static bool read_map_sizes(struct map_reading *r, const char *item, size_t length)
{
    const char *open = memchr(item, '[', length);
    enum ptx_type type = args_type(item, (size_t)(open - item));
    size_t kind = 0, kinds = sizeof element_kinds / sizeof *element_kinds;
    while (kind < kinds && element_kinds[kind].type != type)
        kind++;
    if (kind == kinds || item[length - 1] != ']')
        return false;
    r->map->type = (uint8_t)element_kinds[kind].as;
    r->map->rank = (uint8_t)read_numbers(open + 1, length - (size_t)(open + 1 - item) - 1, TENSOR_RANK, r->map->dims);
    return r->map->rank > 0;
}

// NAME [ "+" BYTES ]
static bool read_base(struct map_reading *r, const char *value, size_t length)
{
    uint64_t addend = 0;
    const char *plus = memchr(value, '+', length);
    size_t name = plus ? (size_t)(plus - value) : length;
    if (r->arg->pointer_count || !name || (plus && read_numbers(plus + 1, length - name - 1, 1, &addend) != 1))
        return false;
    r->arg->pointers = mem_alloc(sizeof *r->arg->pointers);
    r->arg->pointers[r->arg->pointer_count++] = (struct device_pointer){
        .target = mem_strndup(value, name), .offset = offsetof(struct tensor_map, base), .addend = (int64_t)addend};
    r->map->base = addend;
    return true;
}

static bool read_word(const char *value, size_t length, const char *const *words, unsigned count, unsigned *which)
{
    for (*which = 0; *which < count; ++*which)
        if (strlen(words[*which]) == length && !memcmp(words[*which], value, length))
            return true;
    return false;
}

// Too large ones are told by the map's rules.
static uint32_t bounded(uint64_t number, uint32_t most)
{
    return number > most ? most : (uint32_t)number;
}

static bool read_setting(struct map_reading *r, const char *item, size_t length)
{
    static const char *const swizzles[] = {"none", "32", "64", "128", "0"}, *const fills[] = {"none", "nan"},
                             *const fetches[] = {"none", "64", "128", "256"};
    struct tensor_map *map = r->map;
    const char *value = memchr(item, '=', length);
    if (!value)
        return false;
    size_t name = (size_t)(value - item), rest = length - name - 1;
    uint64_t numbers[TENSOR_RANK];
    unsigned which;
    value++;
#define IS(word) (name == strlen(word) && !memcmp(item, word, name))
    if (IS("of"))
        return read_base(r, value, rest);
    if (IS("box")) {
        r->boxes = read_numbers(value, rest, TENSOR_RANK, numbers);
        for (unsigned i = 0; i < r->boxes; i++)
            map->box[i] = (uint16_t)bounded(numbers[i], UINT16_MAX);
        return r->boxes > 0;
    }
    if (IS("estrides")) {
        r->steps = read_numbers(value, rest, TENSOR_RANK, numbers);
        for (unsigned i = 0; i < r->steps; i++)
            map->steps[i] = (uint8_t)bounded(numbers[i], UINT8_MAX);
        return r->steps > 0;
    }
    if (IS("strides"))
        return (r->strides = read_numbers(value, rest, TENSOR_RANK - 1, map->strides)) > 0;
    if (IS("swizzle") && read_word(value, rest, swizzles, 5, &which)) {
        map->swizzle = (uint8_t)(which % 4 ? 16u << which : 0);
        return true;
    }
    if (IS("fill") && read_word(value, rest, fills, 2, &which)) {
        map->fills_nan = (uint8_t)which;
        return true;
    }
    if (IS("l2") && read_word(value, rest, fetches, 4, &which)) {
        map->l2 = (uint8_t)which;
        return true;
    }
    return IS("interleave") && rest == 4 && !memcmp(value, "none", 4);
#undef IS
}

static const char *incomplete_map(const struct map_reading *r)
{
    unsigned rank = r->map->rank;
    if (!rank)
        return "the elements are missing: tmap(f32[WIDTH*HEIGHT],of=BUFFER,box=W*H)";
    if (!r->arg->pointer_count)
        return "of=BUFFER is missing: the argument whose elements the map shows";
    if (r->boxes != rank)
        return "box= takes as many sizes as the elements have: [64*48] and box=32*8";
    if (r->strides && r->strides + 1 != rank)
        return "strides= takes one number of bytes less than there are sizes: for [64*48] that from row to row";
    if (r->steps && r->steps != rank)
        return "estrides= takes as many numbers as the elements have sizes";
    return NULL;
}

// from text, "tmap(" on
enum status args_parse_tensor(const char *text, const char *spec, struct device_arg *arg, struct diagnostic *diagnostic)
{
    struct tensor_map map = {.magic = TENSOR_MAGIC, .steps = {1, 1, 1, 1, 1}};
    struct map_reading r = {.spec = spec, .arg = arg, .map = &map, .diagnostic = diagnostic};
    char why[200];
    const char *at = strchr(text, '(') + 1;
    for (bool more = true; more;) {
        size_t length = strcspn(at, ",)");
        bool is_fine = memchr(at, '[', length) ? read_map_sizes(&r, at, length) : read_setting(&r, at, length);
        if (!is_fine)
            return diagnostic_set(
                diagnostic, STATUS_USAGE,
                "'%s': '%.*s' is nothing a tensor map has; there are TYPE[W*H…] of up to five sizes, of=BUFFER or "
                "BUFFER+BYTES, box=W*H…, strides=BYTES*…, estrides=1*2…, interleave=none, swizzle=none, 32, 64 or 128, "
                "fill=none or nan, l2=none, 64, 128 or 256",
                spec, (int)(length > 40 ? 40 : length), at);
        at += length;
        more = *at == ',';
        at += more;
    }
    const char *missing = strcmp(at, ")") ? "')' and nothing more is wanted behind the map" : incomplete_map(&r);
    if (missing)
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s': %s", spec, missing);
    for (unsigned i = 0; i + 1 < map.rank && !r.strides; i++)
        map.strides[i] = i ? map.strides[i - 1] * map.dims[i] : map.dims[0] * tensor_type_bytes(map.type);
    if (tensor_map_wrong(&map, why, sizeof why))
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s': %s", spec, why);
    arg->type = PTX_U8;
    arg->is_tensor_map = true;
    arg->count = sizeof map;
    arg->bytes = mem_alloc(sizeof map);
    memcpy(arg->bytes, &map, sizeof map);
    return STATUS_OK;
}
