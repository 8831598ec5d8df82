// Kernels that use textures and surfaces, against plain C: tests/kernels/textures.cu.
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "device/args.h"
#include "device/device.h"

Suite *suite_image_kernels(void);

enum { W = 12, H = 10 };

static struct device_arg args[4];
static float out[W * H];

// An element of the image: the first channel, as the fill gave it; layers and slices follow each other.
static float at(int x, int y, int z, int channel)
{
    const struct texture *shape = &args[0].texture->shape;
    size_t number = (((size_t)z * shape->extent[1] + (size_t)y) * shape->extent[0] + (size_t)x) * shape->channels;
    size_t bytes = ptx_type_size(args[0].type);
    return (float)args_element(args[0].type, (char *)args[0].data + (number + (size_t)channel) * bytes);
}

static int within(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static float clamped(int x, int y)
{
    const struct texture *shape = &args[0].texture->shape;
    return at(within(x, (int)shape->extent[0]), within(y, (int)shape->extent[1]), 0, 0);
}

static float between(float a, float b, float share)
{
    return a + (b - a) * share;
}

// What linear filtering is, without the hardware's steps of 1/256. u, v: in elements.
static float mixed(float u, float v, int z, float (*element)(int x, int y, int z))
{
    int x = (int)floorf(u - 0.5f), y = (int)floorf(v - 0.5f);
    float a = u - 0.5f - (float)x, b = v - 0.5f - (float)y;
    return between(between(element(x, y, z), element(x + 1, y, z), a),
                   between(element(x, y + 1, z), element(x + 1, y + 1, z), a), b);
}

static float wrapped(int x, int y, int z)
{
    return at(((x % W) + W) % W, ((y % H) + H) % H, z, 0);
}

static float clamped_in_slice(int x, int y, int z)
{
    const struct texture *shape = &args[0].texture->shape;
    return at(within(x, (int)shape->extent[0]), within(y, (int)shape->extent[1]), within(z, (int)shape->extent[2]), 0);
}

static float lookup(int x, int y)
{
    return mixed(0.3f * (float)x + (float)y, 0.5f, 0, clamped_in_slice);
}

static float reverse(int x, int y)
{
    return at(W * H - 1 - (y * W + x), 0, 0, 0);
}

static float rotate(int x, int y)
{
    float u = (float)(x - W / 2) + 0.5f, v = (float)(y - H / 2) + 0.5f;
    const float width = W, height = H;
    return mixed(((0.8f * u - 0.6f * v) / width + 0.5f) * width, ((0.6f * u + 0.8f * v) / height + 0.5f) * height, 0,
                 wrapped);
}

static float convolve(int x, int y)
{
    float sum = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            sum += (float)((2 - abs(i)) * (2 - abs(j))) * clamped(x + i, y + j);
    return sum / 16;
}

static float bilateral(int x, int y)
{
    float sum = 0, weights = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            float value = clamped(x + i, y + j) / 255, apart = value - clamped(x, y) / 255;
            float weight = 1 / (1 + (float)(i * i + j * j) + 16 * apart * apart);
            sum += weight * value;
            weights += weight;
        }
    return sum / weights;
}

static float slice(int x, int y)
{
    float w = 0.25f * (float)(x + y) - 0.5f;
    int z = (int)floorf(w);
    return between(mixed((float)x + 0.5f, (float)y + 0.75f, z, clamped_in_slice),
                   mixed((float)x + 0.5f, (float)y + 0.75f, z + 1, clamped_in_slice), w - (float)z);
}

static float layers(int x, int y)
{
    return at(x, y, 0, 0) + 2 * at(x, y, 1, 0) + 3 * at(x, y, 2, 0);
}

static float rows(int x, int y)
{
    return at(x, 0, y, 0);
}

static float mirrored(int x, int y)
{
    int i = 3 * x - W, turn = ((i % (2 * W)) + 2 * W) % (2 * W);
    return at(turn < W ? turn : 2 * W - 1 - turn, y, 0, 0);
}

static float shifted(int x, int y)
{
    return x + 3 >= W || y < 2 ? 0.25f : at(x + 3, y - 2, 0, 0);
}

static float halved(int x, int y)
{
    return (at(2 * x, 2 * y, 0, 0) + at(2 * x + 1, 2 * y, 0, 0) + at(2 * x, 2 * y + 1, 0, 0) +
            at(2 * x + 1, 2 * y + 1, 0, 0)) /
           4;
}

static float sobel(int x, int y)
{
    float gx = 0, gy = 0;
    for (int k = -1; k <= 1; k++) {
        gx += (float)(2 - abs(k)) * (clamped(x + 1, y + k) - clamped(x - 1, y + k));
        gy += (float)(2 - abs(k)) * (clamped(x + k, y + 1) - clamped(x + k, y - 1));
    }
    return fabsf(gx) + fabsf(gy);
}

static float gathered(int x, int y)
{
    float most = fmaxf(fmaxf(clamped(x, y), clamped(x + 1, y)), fmaxf(clamped(x, y + 1), clamped(x + 1, y + 1)));
    return most - clamped(x, y);
}

static float channels(int x, int y)
{
    return 0.25f * at(x, y, 0, 0) + 0.5f * at(x, y, 0, 1) + 0.125f * at(x, y, 0, 2) + at(x, y, 0, 3);
}

static float faces(int x, int y)
{
    (void)y;
    return at(1, 1, 2 * (x % 3) + x / 3 % 2, 0);
}

static float brighter(int x, int y) // of what the kernel left
{
    return at(x, y, 0, 0) + at(x, y, 0, 2);
}

static float blurred(int x, int y)
{
    return at(x ? x - 1 : 0, y, 0, 0) + (x + 1 < W ? at(x + 1, y, 0, 0) : 0);
}

static const struct {
    const char *kernel, *image;
    float (*reference)(int x, int y);
    float near; // filtering knows 1/256 of an element
} kernels[] = {
    {"lookup", "tex(f32[16],linear)=iota", lookup, 1.0f / 256},
    {"reverse", "tex(f32[120],memory)=random", reverse, 0},
    {"rotate", "tex(f32[12*10],linear,wrap,normalized)=random", rotate, 0.03f},
    {"convolve", "tex(f32[12*10])=random", convolve, 1e-6f},
    {"bilateral", "tex(u8[12*10],as-float)=random", bilateral, 1e-5f},
    {"slice", "tex(f32[12*10*5],linear)=random", slice, 0.03f},
    {"layers", "tex(f32[12*10*3],layered)=random", layers, 1e-6f},
    {"rows", "tex(f32[12*10],layered)=random", rows, 0},
    {"mirrored", "tex(f32[12*10],mirror,normalized)=random", mirrored, 0},
    {"shifted", "tex(f32[12*10],border=0.25)=random", shifted, 0},
    {"halved", "tex(f32[24*20],linear)=random", halved, 1e-6f},
    {"sobel", "tex(u8[12*10])=random", sobel, 0},
    {"gathered", "tex(f32[12*10])=random", gathered, 0},
    {"channels", "tex(f32x4[12*10])=random", channels, 1e-6f},
    {"faces", "tex(f32[3*3*6],cube,normalized)=iota", faces, 0},
    {"brighter", "surf(u8x4[12*10])=random", brighter, 0},
    {"blurred", "surf(f32[12*10])=random", blurred, 1e-6f},
};

START_TEST(image_kernels_give_what_plain_c_gives)
{
    struct diagnostic diagnostic = {0};
    struct ptx_module *module;
    struct device device;
    struct record record;
    char spec[120], *text;
    size_t length;
    snprintf(spec, sizeof spec, "image:%s", kernels[_i].image);
    ck_assert_msg(args_parse(spec, &args[0], &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    args[1] = (struct device_arg){.name = "out", .type = PTX_F32, .is_buffer = true, .data = out, .count = W * H};
    args[2] = (struct device_arg){.name = "w", .type = PTX_S32, .scalar = W};
    args[3] = (struct device_arg){.name = "h", .type = PTX_S32, .scalar = H};
    ck_assert_int_eq(file_read("tests/kernels/textures.ptx", 1 << 20, &text, &length, &diagnostic), STATUS_OK);
    ck_assert_msg(ptx_parse("textures", text, length, &module, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    struct device_job job = {
        .module = module, .shape.grid = {2, 3, 1}, .shape.block = {8, 4, 1}, .args = args, .arg_count = 4};
    ck_assert_int_eq(ptx_find_entry(module, kernels[_i].kernel, &job.entry, &diagnostic), STATUS_OK);
    ck_assert_int_eq(device_open(&device, "sim", NULL, -1, &diagnostic), STATUS_OK);
    ck_assert_msg(device_run(&device, &job, &record, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    const struct texture_counts *counts = &record.textures;
    ck_assert_uint_gt(counts->fetches + counts->surface_loads, 0);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            float want = kernels[_i].reference(x, y), got = out[y * W + x];
            ck_assert_msg(fabsf(got - want) <= kernels[_i].near, "%s at %d, %d: %.9g, not %.9g", kernels[_i].kernel, x,
                          y, (double)got, (double)want);
        }
    record_free(&record);
    device_close(&device);
    ptx_module_free(module);
    args_free(&args[0]);
    free(text);
}
END_TEST

Suite *suite_image_kernels(void)
{
    Suite *suite = suite_create("image_kernels");
    TCase *tests = tcase_create("image_kernels");
    tcase_add_loop_test(tests, image_kernels_give_what_plain_c_gives, 0, sizeof kernels / sizeof *kernels);
    suite_add_tcase(suite, tests);
    return suite;
}
