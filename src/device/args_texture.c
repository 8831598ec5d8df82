// Reading specs of textures and surfaces: "tex(f32x4[64*48],linear,wrap,normalized)=random".
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "device/args_values.h"

enum { MOST_EXTENT = 1 << 27, MOST_ROWS = 65536 };

bool args_is_texture(const char *text)
{
    return text_starts(text, "tex(") || text_starts(text, "surf(");
}

struct reading {
    const char *spec;
    struct device_arg *arg;
    struct texture *shape;
    unsigned sizes, addresses;
    bool layered, cube;
    struct diagnostic *diagnostic;
};

// TYPE [ "x" CHANNELS ] "[" SIZE "]"
static enum status read_data(struct reading *r, const char *item, size_t length)
{
    struct texture *shape = r->shape;
    size_t type = 0;
    int used = 0;
    while (type < length && item[type] != 'x' && item[type] != '[')
        type++;
    shape->element = args_type(item, type);
    if (type < length && item[type] == 'x')
        type += (size_t)(sscanf(item + type, "x%u%n", &shape->channels, &used) == 1 ? used : 0);
    char end = 0;
    int fields = sscanf(item + type, "[%u%n", &shape->extent[0], &used);
    for (r->sizes = 1; fields == 1 && item[type + (size_t)used] == '*' && r->sizes < 3; r->sizes++) {
        int more = 0;
        fields = sscanf(item + type + used, "*%u%n", &shape->extent[r->sizes], &more);
        used += more;
    }
    end = fields == 1 ? item[type + (size_t)used] : 0;
    bool fits = end == ']' && type + (size_t)used + 1 == length;
    bool channels = shape->channels == 1 || shape->channels == 2 || shape->channels == 4;
    bool element = shape->element != PTX_TYPE_NONE && shape->element != PTX_F64 && shape->element != PTX_BF16 &&
                   ptx_type_size(shape->element) <= 4;
    for (unsigned i = 0; i < r->sizes; i++)
        fits &= shape->extent[i] > 0 && shape->extent[i] <= (i ? MOST_ROWS : MOST_EXTENT);
    if (fits && channels && element)
        return STATUS_OK;
    return diagnostic_set(r->diagnostic, STATUS_USAGE,
                          "'%s': '%.*s' are no elements: TYPE[W], TYPE[W*H] or TYPE[W*H*D], with u8 s8 u16 s16 u32 s32 "
                          "f16 or f32, and x2 or x4 behind it for channels, as in f32x4[64*48]",
                          r->spec, (int)(length > 40 ? 40 : length), item);
}

static bool read_address(struct reading *r, const char *word)
{
    static const char *const names[] = {"wrap", "clamp", "mirror", "border"};
    float border;
    int used = 0;
    if (sscanf(word, "border=%f%n", &border, &used) == 1 && !word[used]) {
        for (int i = 0; i < 4; i++)
            r->shape->border[i] = border;
        word = "border";
    }
    for (unsigned i = 0; i < 4; i++)
        if (!strcmp(names[i], word) && r->addresses < 3) {
            for (unsigned axis = r->addresses++; axis < 3; axis++)
                r->shape->address[axis] = (enum texture_address)i;
            return true;
        }
    return false;
}

static enum status read_item(struct reading *r, const char *item, size_t length)
{
    struct texture *shape = r->shape;
    char word[80];
    if (memchr(item, '[', length))
        return read_data(r, item, length);
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : 0), item);
    const struct {
        const char *name;
        bool *flag, for_surfaces;
    } flags[] = {{"linear", &shape->filters, false},          {"normalized", &shape->normalized, false},
                 {"as-float", &shape->as_float, false},       {"layered", &r->layered, true},
                 {"memory", &shape->is_linear_memory, false}, {"cube", &r->cube, true}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcmp(flags[i].name, word) && (!shape->is_surface || flags[i].for_surfaces)) {
            *flags[i].flag = true;
            return STATUS_OK;
        }
    if (text_starts(word, "of=") && !r->arg->texture->of) {
        r->arg->texture->of = mem_strdup(word + 3);
        return STATUS_OK;
    }
    if (!shape->is_surface && (!strcmp(word, "point") || read_address(r, word)))
        return STATUS_OK;
    return diagnostic_set(r->diagnostic, STATUS_USAGE,
                          "'%s': '%s' is no word for a %s; there are %slayered, cube and of=NAME", r->spec, word,
                          shape->is_surface ? "surface" : "texture",
                          shape->is_surface ? ""
                                            : "point, linear, wrap, clamp, mirror, border, border=VALUE, normalized, "
                                              "as-float, memory, ");
}

static const char *misfit_of(const struct reading *r)
{
    const struct texture *shape = r->shape;
    bool is_float = shape->element == PTX_F32 || shape->element == PTX_F16 || shape->as_float;
    if (!r->sizes && !r->arg->texture->of)
        return "it has no elements: TYPE[W*H] comes first";
    if (r->sizes && shape->as_float && (ptx_type_size(shape->element) > 2 || shape->element == PTX_F16))
        return "as-float is for u8, s8, u16 and s16";
    if (r->sizes && shape->filters && !is_float)
        return "linear is for floats: add as-float, or take f32";
    if (r->layered && r->sizes == 1)
        return "the last size is the number of layers: TYPE[W*LAYERS] or TYPE[W*H*LAYERS]";
    if (r->cube && r->sizes &&
        (r->sizes != 3 || shape->extent[0] != shape->extent[1] || shape->extent[2] % 6 ||
         (!r->layered && shape->extent[2] != 6)))
        return "a cubemap is TYPE[W*W*6], and with layered a multiple of 6";
    if (shape->is_linear_memory && (r->layered || r->cube || r->sizes == 3))
        return "memory is for TYPE[W] and TYPE[W*H]";
    if (shape->is_linear_memory && r->sizes == 1 && (shape->filters || shape->normalized))
        return "tex1Dfetch counts elements and does not filter";
    return NULL;
}

static void choose_kind(struct texture *shape, unsigned sizes, bool layered, bool cube)
{
    static const enum texture_kind plain[] = {TEXTURE_1D, TEXTURE_1D, TEXTURE_2D, TEXTURE_3D};
    shape->kind = cube      ? layered ? TEXTURE_CUBES : TEXTURE_CUBE
                  : layered ? sizes == 2 ? TEXTURE_LAYERS_1D : TEXTURE_LAYERS_2D
                            : plain[sizes];
    if (shape->kind == TEXTURE_LAYERS_1D) {
        shape->extent[2] = shape->extent[1];
        shape->extent[1] = 1;
    }
}

// from text, "tex(" on
enum status args_parse_texture(const char *text, const char *spec, struct device_arg *arg,
                               struct diagnostic *diagnostic)
{
    arg->texture = mem_alloc(sizeof *arg->texture);
    struct texture *shape = &arg->texture->shape;
    *shape = (struct texture){.is_surface = *text == 's', .channels = 1, .extent = {1, 1, 1}};
    struct reading r = {.spec = spec, .arg = arg, .shape = shape, .diagnostic = diagnostic};
    const char *at = strchr(text, '(') + 1;
    for (bool more = true; more;) {
        size_t length = strcspn(at, ",)");
        enum status status = read_item(&r, at, length);
        if (status != STATUS_OK)
            return status;
        at += length;
        more = *at == ',';
        at += more;
    }
    const char *why = misfit_of(&r);
    if (why)
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s': %s", spec, why);
    choose_kind(shape, r.sizes, r.layered, r.cube);
    bool of = arg->texture->of != NULL;
    if (of ? strcmp(at, ")") != 0 : at[0] != ')' || at[1] != '=')
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              of ? "'%s': ')' and nothing more is wanted behind of=NAME: the data are the other's"
                                 : "'%s': ')=' and a fill are missing: zero, iota, random …",
                              spec);
    if (of) {
        shape->channels = r.sizes ? shape->channels : 0; // the other's
        arg->type = PTX_U64;
        return STATUS_OK;
    }
    arg->is_buffer = true;
    arg->type = shape->element;
    arg->count = texture_bytes(shape) / ptx_type_size(shape->element);
    if (texture_bytes(shape) > ARGS_MAX_BYTES)
        return diagnostic_set(diagnostic, STATUS_USAGE, "'%s': a texture is at most 4 GiB", spec);
    if (!strcmp(at + 2, "none"))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "'%s': reads of a texture before it is written are not watched: zero instead of none",
                              spec);
    arg->data = mem_alloc(arg->count * ptx_type_size(arg->type));
    return args_fill(spec, at + 2, arg, diagnostic);
}
