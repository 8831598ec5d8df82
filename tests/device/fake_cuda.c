// A stand-in for libcuda with host memory and no GPU: a kernel's name says what it does, FAKE_CUDA says what the
// driver does. It lets the GPU device and the timing rules be tested where there is no GPU.
//
//   FAKE_CUDA: "" works; nodevice, old, oldptx, refuse (the launch), ecc (a memory error at launch)
//   FAKE_CUDA_SM: the GPU's architecture, 75 (default: 90); PTX for a later one is refused
//   kernels (out, in, count): right_*, wrong_*, cache_* (keeps its first result), nothing_*, past_* (writes next to
//   out), hang_*, illegal_*, trap_*, fast_* (right, in no time), noisy_* (right, times jump);
//   probe_* and check_* (model/probes.h) take as long as on an H200
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct function {
    char name[64];
};

static bool hangs;
static int sticky;
static float last_us = 3;
static unsigned launches;

static bool is_mode(const char *mode)
{
    const char *now = getenv("FAKE_CUDA");
    return now && strcmp(now, mode) == 0;
}

static int architecture(void)
{
    const char *sm = getenv("FAKE_CUDA_SM");
    return sm ? atoi(sm) : 90;
}

static void *host(uint64_t pointer)
{
    return (void *)(uintptr_t)pointer;
}

#define DRIVER(name, ...)                                                                                              \
    int name(__VA_ARGS__);                                                                                             \
    int name(__VA_ARGS__)

DRIVER(cuInit, unsigned flags)
{
    return (void)flags, is_mode("nodevice") ? 100 : 0;
}

DRIVER(cuDriverGetVersion, int *version)
{
    return *version = is_mode("old") ? 9020 : 13000, 0;
}

DRIVER(cuDeviceGetCount, int *count)
{
    return *count = 2, 0;
}

DRIVER(cuDeviceGet, int *device, int index)
{
    return *device = index, index < 2 ? 0 : 101;
}

DRIVER(cuDeviceGetName, char *name, int size, int device)
{
    return snprintf(name, (size_t)size, "Fake GPU %d", device), 0;
}

DRIVER(cuDeviceGetPCIBusId, char *id, int size, int device)
{
    return snprintf(id, (size_t)size, "0000:%02d:00.0", device), 0;
}

DRIVER(cuDeviceGetAttribute, int *value, int attribute, int device)
{
    const struct {
        int attribute, value;
    } values[] = {{75, architecture() / 10},
                  {76, architecture() % 10},
                  {16, 132},
                  {97, 232448},
                  {39, 2048},
                  {81, 233472},
                  {106, 32},
                  {111, 1024},
                  {38, 1 << 16},
                  {13, 1980000},
                  {1, 1024}};
    (void)device;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i].attribute == attribute)
            return *value = values[i].value, 0;
    return 1;
}

DRIVER(cuDevicePrimaryCtxRetain, void **context, int device)
{
    return (void)device, *context = (void *)1, 0;
}

DRIVER(cuDevicePrimaryCtxRelease_v2, int device)
{
    return (void)device, 0;
}

DRIVER(cuCtxSetCurrent, void *context)
{
    return (void)context, 0;
}

DRIVER(cuMemGetInfo_v2, size_t *left, size_t *total)
{
    return *left = *total = (size_t)1 << 30, 0;
}

DRIVER(cuModuleLoadDataEx, void **module, const void *ptx, unsigned count, int *options, void **values)
{
    const char *target = strstr(ptx, ".target sm_");
    (void)count, (void)options, (void)values;
    if (target && atoi(target + 11) > architecture())
        return 218;
    return *module = (void *)1, is_mode("oldptx") ? 222 : 0;
}

DRIVER(cuModuleUnload, void *module)
{
    return (void)module, 0;
}

DRIVER(cuModuleGetFunction, struct function **function, void *module, const char *name)
{
    static struct function functions[64];
    static size_t count;
    (void)module;
    *function = &functions[count++ % 64];
    snprintf((*function)->name, sizeof(*function)->name, "%s", name);
    return 0;
}

DRIVER(cuFuncSetAttribute, struct function *function, int attribute, int value)
{
    return (void)function, (void)attribute, value > 232448 ? 1 : 0;
}

DRIVER(cuMemAlloc_v2, uint64_t *pointer, size_t size)
{
    return *pointer = (uint64_t)(uintptr_t)malloc(size), 0;
}

DRIVER(cuMemFree_v2, uint64_t pointer)
{
    return free(host(pointer)), 0;
}

DRIVER(cuMemcpyHtoD_v2, uint64_t to, const void *from, size_t size)
{
    return memcpy(host(to), from, size), 0;
}

DRIVER(cuMemcpyDtoH_v2, void *to, uint64_t from, size_t size)
{
    return sticky ? sticky : (memcpy(to, host(from), size), 0);
}

DRIVER(cuMemcpyDtoDAsync_v2, uint64_t to, uint64_t from, size_t size, void *stream)
{
    last_us = 10;
    return (void)stream, memcpy(host(to), host(from), size), 0;
}

DRIVER(cuMemsetD8Async, uint64_t to, unsigned char value, size_t size, void *stream)
{
    const size_t most = (size_t)16 << 20; // nobody looks at what is larger
    return (void)stream, memset(host(to), value, size < most ? size : most), 0;
}

DRIVER(cuStreamCreate, void **stream, unsigned flags)
{
    return (void)flags, *stream = (void *)1, 0;
}

DRIVER(cuStreamDestroy_v2, void *stream)
{
    return (void)stream, 0;
}

DRIVER(cuStreamQuery, void *stream)
{
    return (void)stream, hangs ? 600 : sticky;
}

DRIVER(cuEventCreate, void **event, unsigned flags)
{
    return (void)flags, *event = (void *)1, 0;
}

DRIVER(cuEventDestroy_v2, void *event)
{
    return (void)event, 0;
}

DRIVER(cuEventRecord, void *event, void *stream)
{
    return (void)event, (void)stream, 0;
}

DRIVER(cuEventElapsedTime, float *milliseconds, void *start, void *stop)
{
    return (void)start, (void)stop, *milliseconds = last_us * 1e-3f, 0;
}

DRIVER(cuGetErrorName, int result, const char **name)
{
    return *name = result == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_FAKE", 0;
}

DRIVER(cuGetErrorString, int result, const char **words)
{
    return (void)result, *words = "as the test asked", 0;
}

static bool is_kernel(const struct function *function, const char *kind)
{
    return strncmp(function->name, kind, strlen(kind)) == 0;
}

static void compare(void **params, bool is_float)
{
    uint64_t got = *(uint64_t *)params[0], want = *(uint64_t *)params[1], count = *(uint64_t *)params[2];
    uint64_t *wrong = host(*(uint64_t *)params[5]);
    size_t size = is_float ? 4 : 1;
    for (uint64_t i = 0; i < count; i++)
        *wrong += memcmp(host(got + i * size), host(want + i * size), size) != 0;
}

static void run(const struct function *function, void **params)
{
    static float kept[4096];
    static bool has_kept;
    float *out = host(*(uint64_t *)params[0]);
    const float *in = host(*(uint64_t *)params[1]);
    int count = *(int *)params[2];
    last_us = 10 + 0.01f * (float)(launches % 3);
    if (is_kernel(function, "nothing"))
        return;
    for (int i = 0; i < count; i++)
        out[i] = in[i] + 1;
    if (is_kernel(function, "cache")) {
        memcpy(has_kept ? out : kept, has_kept ? kept : out, (size_t)count * sizeof *out);
        has_kept = true;
    }
    if (is_kernel(function, "wrong"))
        out[count / 2] += 1;
    if (is_kernel(function, "past"))
        out[count] = 1;
    if (is_kernel(function, "fast"))
        last_us = 0.001f;
    if (is_kernel(function, "noisy"))
        last_us = launches * 2654435761u >> 31 ? 10 : 20;
}

// Cycles of block 0, or microseconds, as an H200 takes them.
static double probe_cycles(const struct function *function, unsigned blocks, unsigned threads, uint64_t x, uint64_t y)
{
    static uint64_t chain;
    chain = is_kernel(function, "probe_chain") ? y : chain;
    double warps = threads / 32;
    return is_kernel(function, "probe_spin")           ? (double)x
           : is_kernel(function, "probe_barriers")     ? 256 * (blocks == 1 ? 12 + 2 * warps : 45)
           : is_kernel(function, "probe_shared_chase") ? 512 * 23
           : is_kernel(function, "probe_shared_loads") ? 1024 * 64
           : is_kernel(function, "probe_shared_swap")  ? 256 * warps * 2
           : is_kernel(function, "probe_shared_add")   ? 256 * warps * (warps > 1 ? 43.4 : 91)
           : is_kernel(function, "probe_l1")           ? 1024 * warps * 1.03
           : is_kernel(function, "probe_chase")        ? 2000.0 * (chain <= 4096      ? 69
                                                                   : chain <= 1 << 20 ? 288
                                                                                      : 655)
                                                       : 0;
}

static double probe_us(const struct function *function, unsigned blocks, unsigned threads, uint64_t x, double cycles)
{
    double adds = 8e-3 * 256 * blocks;
    return is_kernel(function, "probe_empty")          ? 6 + blocks * (threads > 512 ? 8.55e-4 : 6.04e-4)
           : is_kernel(function, "probe_stream")       ? (1 << 30) / 4.2e6
           : is_kernel(function, "probe_gather")       ? blocks * 256 * 16 / 156e3
           : is_kernel(function, "probe_global_add_f") ? adds / 0.57
           : is_kernel(function, "probe_global_add")   ? adds / (x == 1     ? 1.364
                                                                 : x == 32  ? 12.4
                                                                 : x == 256 ? 4.41
                                                                            : 81.5)
                                                       : 100 + cycles / 1980;
}

static void run_probe(const struct function *function, unsigned blocks, unsigned threads, void **params)
{
    int64_t *clocks = host(*(uint64_t *)params[2]);
    uint64_t x = *(uint64_t *)params[3];
    double cycles = probe_cycles(function, blocks, threads, x, *(uint64_t *)params[4]);
    for (int i = 0; i < 64; i++)
        clocks[i] = i % 2 ? (int64_t)cycles : 0;
    last_us =
        (float)(is_kernel(function, "probe_spin") ? cycles / 1980 : probe_us(function, blocks, threads, x, cycles));
}

DRIVER(cuLaunchKernel, struct function *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
       unsigned bz, unsigned shared, void *stream, void **params, void **extra)
{
    (void)gy, (void)gz, (void)by, (void)bz, (void)shared, (void)stream, (void)extra;
    if (is_mode("refuse") || bx > 1024)
        return 1;
    if (is_mode("ecc"))
        return sticky = 214;
    launches++;
    if (is_kernel(function, "compare"))
        compare(params, strcmp(function->name, "compare_f32") == 0);
    else if (is_kernel(function, "probe_") || is_kernel(function, "check_"))
        run_probe(function, gx, bx, params);
    else if (is_kernel(function, "hang"))
        hangs = true;
    else if (is_kernel(function, "illegal"))
        sticky = 700;
    else if (is_kernel(function, "trap"))
        sticky = 719;
    else if (!is_kernel(function, "empty"))
        run(function, params);
    return 0;
}

// Arrays hold nothing; those and objects are only counted.
static int objects;

DRIVER(cuArray3DCreate_v2, void **array, const void *shape)
{
    (void)shape;
    *array = malloc(1);
    return 0;
}

DRIVER(cuArrayDestroy, void *array)
{
    free(array);
    return 0;
}

DRIVER(cuMemcpy3D_v2, const void *copy)
{
    (void)copy;
    return 0;
}

DRIVER(cuTexObjectCreate, uint64_t *handle, const void *resource, const void *sampling, const void *view)
{
    (void)resource, (void)sampling, (void)view;
    *handle = (uint64_t)++objects;
    return 0;
}

DRIVER(cuTexObjectDestroy, uint64_t handle)
{
    (void)handle;
    return --objects < 0;
}

DRIVER(cuSurfObjectCreate, uint64_t *handle, const void *resource)
{
    (void)resource;
    *handle = (uint64_t)++objects;
    return 0;
}

DRIVER(cuSurfObjectDestroy, uint64_t handle)
{
    (void)handle;
    return --objects < 0;
}

DRIVER(cuLaunchCooperativeKernel, struct function *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
       unsigned by, unsigned bz, unsigned shared, void *stream, void **params)
{
    if (gx > 132)
        return 720;
    return cuLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, stream, params, NULL);
}
