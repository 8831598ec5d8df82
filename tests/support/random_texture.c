// Random textures, surfaces and coordinates, and the PTX of a kernel that uses them.
#include "random_texture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "device/args.h"

static uint32_t below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(random_next(state) >> 33) % n;
}

static const char *const geometries[] = {"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"};

// ---- shapes

static void draw_extent(uint64_t *state, struct texture *shape)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 32, 33, 64, 100};
    unsigned dimensions = texture_dimensions(shape->kind);
    uint32_t most = dimensions == 1 ? 14 : dimensions == 2 ? 12 : 9;
    bool cube = shape->kind == TEXTURE_CUBE || shape->kind == TEXTURE_CUBES;
    for (unsigned i = 0; i < 3; i++)
        shape->extent[i] = i < dimensions ? sizes[below(state, most)] : 1;
    if (dimensions == 1 && below(state, 8) == 0)
        shape->extent[0] = 1000 + below(state, 9000);
    if (cube)
        shape->extent[1] = shape->extent[0];
    if (cube || texture_has_layers(shape->kind))
        shape->extent[2] = texture_has_layers(shape->kind) ? 1 + below(state, 4) : 1;
    shape->extent[2] *= cube ? 6 : 1;
}

static void draw_shape(uint64_t *state, struct texture_sample *s)
{
    static const enum ptx_type types[] = {PTX_F32, PTX_F32, PTX_F32, PTX_U8,  PTX_S8,
                                          PTX_U16, PTX_S16, PTX_U32, PTX_S32, PTX_F16};
    struct texture *shape = &s->texture.shape;
    shape->is_surface = s->operation >= LOAD;
    shape->kind = s->operation == GATHER ? TEXTURE_2D : (enum texture_kind)below(state, shape->is_surface ? 5 : 7);
    shape->element = types[below(state, 10)];
    shape->channels = 1u << below(state, 3);
    shape->is_linear_memory =
        !shape->is_surface && s->operation != QUERY && s->operation != GATHER && below(state, 8) == 0;
    if (shape->is_linear_memory || s->operation == WHOLE)
        shape->kind = s->operation == WHOLE ? TEXTURE_1D : TEXTURE_2D;
    if (s->operation == WHOLE)
        shape->is_linear_memory = true;
    draw_extent(state, shape);
    if (shape->is_linear_memory && shape->kind == TEXTURE_2D)
        shape->extent[0] = 32 * (1 + below(state, 3));
    bool flat_memory = shape->is_linear_memory && shape->kind == TEXTURE_1D;
    bool small = ptx_type_size(shape->element) <= 2 && shape->element != PTX_F16;
    shape->as_float = !shape->is_surface && small && below(state, 3) > 0;
    bool floats = shape->as_float || shape->element == PTX_F32 || shape->element == PTX_F16;
    shape->filters = floats && !flat_memory && s->operation != WHOLE && !shape->is_surface && below(state, 3) > 0;
    shape->normalized = !flat_memory && s->operation != WHOLE && !shape->is_surface && below(state, 5) > 1;
    if (shape->kind == TEXTURE_CUBE || shape->kind == TEXTURE_CUBES)
        shape->normalized = true;
    for (int i = 0; i < 3; i++)
        shape->address[i] = (enum texture_address)below(state, 4);
    for (int i = 0; i < 4; i++)
        shape->border[i] = below(state, 2) ? 0 : floats ? 0.25f * (float)(i + 1) : (float)(i + 1);
    if (shape->is_surface)
        memset(shape->address, 0, sizeof shape->address);
}

static void draw_data(uint64_t *state, struct texture_sample *s)
{
    const struct texture *shape = &s->texture.shape;
    struct device_arg *arg = &s->args[0];
    unsigned manner = below(state, 8);
    arg->count = texture_bytes(shape) / ptx_type_size(shape->element);
    arg->data = mem_alloc(texture_bytes(shape));
    for (size_t i = 0; i < arg->count; i++) {
        uint64_t bits = random_next(state);
        if (device_is_float(arg->type)) {
            double value = (double)(bits >> 40) / (1 << 23) - 1.0;
            if (manner == 0)
                value = (double)(i / shape->channels % 2);
            if (manner == 1)
                value = ldexp(value, (int)(bits & 63) - 32);
            if (manner == 2 && (bits & 15) == 0)
                value = bits & 16 ? INFINITY : bits & 32 ? NAN : -INFINITY;
            if (manner == 3)
                value = (double)(i % 1000);
            bits = args_bits(arg->type, value);
        }
        args_put(arg, i, bits);
    }
}

// ---- coordinates

static float nudge(uint64_t *state, float value)
{
    unsigned way = below(state, 6);
    float step = ldexpf(1, -(int)below(state, 14));
    return way == 0   ? nextafterf(value, INFINITY)
           : way == 1 ? nextafterf(value, -INFINITY)
           : way == 2 ? value + step
           : way == 3 ? value - step
                      : value;
}

// In elements, of an axis of n.
static float draw_coordinate(uint64_t *state, uint32_t n)
{
    static const float odd[] = {0.0f,   -0.0f, 1e-40f,      -1e-40f,       1e10f,
                                -1e10f, 3e38f, 16777216.0f, 2147483648.0f, -65536.5f};
    unsigned manner = below(state, 32);
    if (manner == 0)
        return below(state, 2) ? NAN : below(state, 2) ? INFINITY : -INFINITY;
    if (manner == 1)
        return odd[below(state, sizeof odd / sizeof *odd)];
    if (manner < 9)
        return nudge(state, 0.5f * (float)below(state, 2 * n + 1));
    if (manner < 13)
        return nudge(state, (float)below(state, n + 1) + (float)below(state, 1025) / 1024);
    float uniform = (float)(random_next(state) >> 40) / (1 << 24);
    return manner < 16 ? (uniform * 7 - 3) * (float)n : (uniform * 1.2f - 0.1f) * (float)n;
}

static uint32_t draw_bits(uint64_t *state, const struct texture_sample *s, unsigned axis)
{
    const struct texture *shape = &s->texture.shape;
    int32_t n = (int32_t)shape->extent[axis], whole = (int32_t)below(state, (uint32_t)n + 8) - 4;
    bool cube = shape->kind == TEXTURE_CUBE || shape->kind == TEXTURE_CUBES;
    if (s->operation == WHOLE)
        return below(state, 40) ? (uint32_t)whole : (uint32_t)random_next(state);
    if (cube)
        n = 1;
    float c = draw_coordinate(state, (uint32_t)n);
    if (cube) // ties between faces and corners, too
        c = below(state, 6) == 0 ? (float)below(state, 3) - 1 : 2 * c - 1;
    else if (shape->normalized)
        c /= (float)n;
    uint32_t bits;
    memcpy(&bits, &c, 4);
    return bits;
}

// Along the first axis in small steps, everything else the same.
static void draw_sweep(uint64_t *state, struct texture_sample *s)
{
    const struct texture *shape = &s->texture.shape;
    bool cube = shape->kind == TEXTURE_CUBE || shape->kind == TEXTURE_CUBES;
    float n = shape->normalized && !cube ? (float)shape->extent[0] : 1, at;
    float from = (float)below(state, 2 * shape->extent[0] + 1) / 2 - 0.5f;
    float step = ldexpf(1, -(int)(2 + below(state, 12)));
    for (uint32_t thread = 0; thread < TEXTURE_THREADS; thread++) {
        at = (from + step * (float)thread) / n;
        memcpy(&s->in[thread * TEXTURE_WORDS], &at, sizeof at);
        memcpy(&s->in[thread * TEXTURE_WORDS + 1], &s->in[1], 3 * sizeof *s->in);
    }
}

static uint32_t draw_layer(uint64_t *state, const struct texture *shape)
{
    uint32_t layers = shape->extent[2] / (shape->kind == TEXTURE_CUBES ? 6 : 1);
    return below(state, 6)   ? below(state, layers)
           : below(state, 2) ? layers + below(state, 3)
                             : 0u - 1 - below(state, 3);
}

// A surface's coordinates: bytes, then rows, then layers. Stores go to places of their own.
static void draw_surface(uint64_t *state, struct texture_sample *s, uint32_t thread, uint32_t bytes,
                         uint32_t in[TEXTURE_WORDS])
{
    const struct texture *shape = &s->texture.shape;
    uint32_t row = shape->extent[0] * texture_element_bytes(shape) / bytes;
    unsigned dimensions = texture_dimensions(shape->kind);
    bool stores = s->operation == STORE, deep = dimensions == 3 || texture_has_layers(shape->kind);
    uint64_t place = stores ? thread : random_next(state) >> 20;
    uint32_t columns = row + 2, rows = stores && dimensions < 2 ? 1 : shape->extent[1] + 2;
    uint64_t places = (uint64_t)columns * rows * (deep ? shape->extent[2] + 2 : 1);
    if (stores && s->threads > places)
        s->threads = (uint32_t)places;
    in[0] = ((uint32_t)(place % columns) - 1) * bytes;
    in[1] = (uint32_t)(place / columns % rows) - 1;
    in[2] = (uint32_t)(place / columns / rows % (shape->extent[2] + 2)) - 1;
    in[3] = (uint32_t)random_next(state);
}

// ---- PTX

static void write_fetch(uint64_t *state, struct texture_sample *s, struct text *body, char *words, size_t size)
{
    const struct texture *shape = &s->texture.shape;
    bool floats = shape->as_float || device_is_float(shape->element);
    const char *type = floats                                                                               ? "f32"
                       : shape->element == PTX_U8 || shape->element == PTX_U16 || shape->element == PTX_U32 ? "u32"
                                                                                                            : "s32";
    static const char *const coordinates[] = {"{%f0}",
                                              "{%f0, %f1}",
                                              "{%f0, %f1, %f2, %f2}",
                                              "{%r3, %f0}",
                                              "{%r3, %f0, %f1, %f1}",
                                              "{%f0, %f1, %f2, %f2}",
                                              "{%r3, %f0, %f1, %f2}"};
    static const char *const gradients[] = {"{%f3}",      "{%f3, %f3}",           "{%f3, %f3, %f3, %f3}", "{%f3}",
                                            "{%f3, %f3}", "{%f3, %f3, %f3, %f3}", "{%f3, %f3, %f3, %f3}"};
    const char *where = s->operation == WHOLE ? "{%r0}" : coordinates[shape->kind];
    if (s->operation == GATHER) {
        unsigned channel = below(state, shape->channels);
        snprintf(words, size, "tld4.%c.2d.v4.%s.f32", "rgba"[channel], type);
    } else {
        snprintf(words, size, "tex.%s%s.v4.%s.%s",
                 s->operation == LEVEL      ? "level."
                 : s->operation == GRADIENT ? "grad."
                                            : "",
                 geometries[shape->kind], type, s->operation == WHOLE ? "s32" : "f32");
    }
    text_printf(body, "%s {%%o0, %%o1, %%o2, %%o3}, [%%rd0, %s]%s%s%s%s;\n", words, where,
                s->operation == LEVEL || s->operation == GRADIENT ? ", " : "", s->operation == LEVEL ? "%f3" : "",
                s->operation == GRADIENT ? gradients[shape->kind] : "", "");
    if (s->operation == GRADIENT)
        body->length -= 2, text_printf(body, ", %s;\n", gradients[shape->kind]);
}

static uint32_t write_surface(uint64_t *state, struct texture_sample *s, struct text *body, char *words, size_t size)
{
    static const char *const coordinates[] = {"{%r0}", "{%r0, %r1}", "{%r0, %r1, %r2, %r2}", "{%r2, %r0}",
                                              "{%r2, %r0, %r1, %r1}"};
    static const char *const bounds[] = {"zero", "clamp"};
    const struct texture *shape = &s->texture.shape;
    uint32_t unit = ptx_type_size(shape->element), channels = shape->channels;
    const char *where = coordinates[shape->kind], *bound = bounds[below(state, 2)];
    if (s->operation == REDUCE && (unit != 4 || texture_has_layers(shape->kind)))
        s->operation = LOAD;
    if (s->operation == STORE)
        s->threads = *bound == 'z' ? TEXTURE_THREADS : 1;
    if (s->operation == REDUCE) {
        static const char *const actions[] = {"add.u32", "add.s32", "min.s32", "max.u32", "and.b32", "or.b32"};
        unsigned action = below(state, 6);
        snprintf(words, size, "sured.b.%.3s.%s.%s.%s", actions[action], geometries[shape->kind],
                 strchr(actions[action], '.') + 1, bound);
        if (actions[action][2] == '.')
            snprintf(words, size, "sured.b.or.%s.b32.%s", geometries[shape->kind], bound);
        text_printf(body, "%s [%%rd0, %s], %%r3;\n", words, where);
        return 4;
    }
    const char *registers = channels == 1 ? "{%v0}" : channels == 2 ? "{%v0, %v1}" : "{%v0, %v1, %v2, %v3}";
    snprintf(words, size, "%s.b.%s%s.b%u.%s", s->operation == LOAD ? "suld" : "sust", geometries[shape->kind],
             channels == 1   ? ""
             : channels == 2 ? ".v2"
                             : ".v4",
             8 * unit, bound);
    text_printf(body, ".reg .b%u %%v<4>;\n", unit == 1 ? 16 : 8 * unit);
    if (s->operation == STORE) {
        for (unsigned i = 0; i < channels; i++)
            text_printf(body, "add.u32 %%o%u, %%r3, %u;\n%s%u, %%o%u;\n", i, i * 77,
                        unit == 4 ? "mov.b32 %v" : "cvt.u16.u32 %v", i, i);
        text_printf(body, "%s [%%rd0, %s], %s;\n", words, where, registers);
        return unit * channels;
    }
    text_printf(body, "%s %s, [%%rd0, %s];\n", words, registers, where);
    for (unsigned i = 0; i < channels; i++)
        text_printf(body, unit == 4 ? "mov.b32 %%o%u, %%v%u;\n" : "cvt.u32.u16 %%o%u, %%v%u;\n", i, i);
    return unit * channels;
}

static void write_ptx(struct texture_sample *s, const struct text *body)
{
    text_printf(&s->ptx,
                ".version 7.8\n.target sm_90\n.address_size 64\n"
                ".visible .entry sample(.param .u64 image, .param .u64 in, .param .u64 out)\n{\n"
                ".reg .b64 %%rd<6>;\n.reg .b32 %%r<8>;\n.reg .f32 %%f<4>;\n.reg .b32 %%o<4>;\n"
                "ld.param.u64 %%rd0, [image];\nld.param.u64 %%rd1, [in];\nld.param.u64 %%rd2, [out];\n"
                "mov.u32 %%r4, %%tid.x;\nmul.wide.u32 %%rd3, %%r4, 16;\nadd.u64 %%rd1, %%rd1, %%rd3;\n"
                "add.u64 %%rd2, %%rd2, %%rd3;\nld.global.v4.b32 {%%r0, %%r1, %%r2, %%r3}, [%%rd1];\n"
                "mov.b32 %%f0, %%r0;\nmov.b32 %%f1, %%r1;\nmov.b32 %%f2, %%r2;\nmov.b32 %%f3, %%r3;\n"
                "mov.b32 %%o0, 0;\nmov.b32 %%o1, 0;\nmov.b32 %%o2, 0;\nmov.b32 %%o3, 0;\n"
                "%sst.global.v4.b32 [%%rd2], {%%o0, %%o1, %%o2, %%o3};\nret;\n}\n",
                text_get(body));
}

static void write_query(uint64_t *state, struct texture_sample *s, struct text *body, char *words, size_t size)
{
    static const char *const queries[] = {"width", "height", "depth"};
    const struct texture *shape = &s->texture.shape;
    unsigned query = below(state, 3);
    if ((query == 1 && texture_dimensions(shape->kind) < 2) || (query == 2 && shape->kind != TEXTURE_3D))
        query = 0;
    snprintf(words, size, "%s.%s.b32", shape->is_surface ? "suq" : "txq", queries[query]);
    text_printf(body, "%s %%o0, [%%rd0];\n", words);
}

void texture_sample_make(struct texture_sample *s, uint64_t seed)
{
    static const uint8_t shares[] = {
        [FETCH] = 56,
        [LEVEL] = 60,
        [GRADIENT] = 64,
        [WHOLE] = 71,
        [GATHER] = 78,
        [QUERY] = 80,
        [LOAD] = 88,
        [STORE] = 96,
        [REDUCE] = 100
    };
    static const char *const modes[] = {"wrap", "clamp", "mirror", "border"};
    uint64_t state = seed * 2 + 1;
    struct text body = {0};
    char words[80];
    *s = (struct texture_sample){.seed = seed, .threads = TEXTURE_THREADS};
    uint32_t share = below(&state, 100);
    while (share >= shares[s->operation])
        s->operation++;
    draw_shape(&state, s);
    struct texture *shape = &s->texture.shape;
    s->args[0] =
        (struct device_arg){.name = "image", .type = shape->element, .is_buffer = true, .texture = &s->texture};
    s->args[1] = (struct device_arg){
        .name = "in", .type = PTX_U32, .is_buffer = true, .data = s->in, .count = TEXTURE_OUT, .read_only = true};
    s->args[2] =
        (struct device_arg){.name = "out", .type = PTX_U32, .is_buffer = true, .data = s->out, .count = TEXTURE_OUT};
    draw_data(&state, s);
    uint32_t bytes = 4;
    if (s->operation == QUERY)
        write_query(&state, s, &body, words, sizeof words);
    else if (s->operation >= LOAD)
        bytes = write_surface(&state, s, &body, words, sizeof words);
    else
        write_fetch(&state, s, &body, words, sizeof words);
    write_ptx(s, &body);
    text_free(&body);
    for (uint32_t thread = 0; thread < TEXTURE_THREADS; thread++) {
        uint32_t *in = &s->in[thread * TEXTURE_WORDS];
        if (s->operation >= LOAD) {
            draw_surface(&state, s, thread, bytes, in);
            continue;
        }
        for (unsigned i = 0; i < 3; i++)
            in[i] = draw_bits(&state, s, i);
        bool uses_layer = texture_has_layers(shape->kind);
        float level = (float)below(&state, 9) / 4 - 1;
        memcpy(&in[3], &level, 4);
        if (uses_layer)
            in[3] = draw_layer(&state, shape);
    }
    if (s->operation < WHOLE || s->operation == GATHER)
        if (below(&state, 5) == 0)
            draw_sweep(&state, s);
    snprintf(s->name, sizeof s->name, "%s of %sx%u %ux%ux%u%s%s%s%s %s %s %s border %g", words,
             ptx_type_name(shape->element), shape->channels, shape->extent[0], shape->extent[1], shape->extent[2],
             shape->is_linear_memory ? " memory" : "", shape->filters ? " linear" : "",
             shape->normalized ? " normalized" : "", shape->as_float ? " as-float" : "", modes[shape->address[0]],
             modes[shape->address[1]], modes[shape->address[2]], (double)shape->border[0]);
}

void texture_sample_free(struct texture_sample *s)
{
    free(s->args[0].data);
    text_free(&s->ptx);
}

// ---- runs

// The first words of what a store left of the surface stand for it in the output.
enum status texture_sample_run(struct texture_sample *s, struct device *device, uint32_t out[TEXTURE_OUT],
                               struct diagnostic *diagnostic)
{
    struct ptx_module *module = NULL;
    struct record record = {0};
    size_t bytes = texture_bytes(&s->texture.shape);
    void *kept = mem_alloc(bytes);
    memcpy(kept, s->args[0].data, bytes);
    memset(s->out, 0, sizeof s->out);
    enum status status = ptx_parse("sample", text_get(&s->ptx), s->ptx.length, &module, diagnostic);
    if (status == STATUS_OK) {
        struct device_job job = {.module = module,
                                 .ptx = text_get(&s->ptx),
                                 .ptx_length = s->ptx.length,
                                 .entry = module->functions[0],
                                 .shape.grid = {1, 1, 1},
                                 .shape.block = {s->threads, 1, 1},
                                 .args = s->args,
                                 .arg_count = 3,
                                 .host_threads = 1,
                                 .wall_limit = 10};
        status = device_run(device, &job, &record, diagnostic);
        record_free(&record);
    }
    memcpy(out, s->out, sizeof s->out);
    if (s->operation == STORE || s->operation == REDUCE)
        memcpy(out, s->args[0].data, bytes < sizeof s->out ? bytes : sizeof s->out);
    memcpy(s->args[0].data, kept, bytes);
    free(kept);
    ptx_module_free(module);
    return status;
}
