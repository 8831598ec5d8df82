// Loading the driver, NVML and cuBLAS when the program runs.
#include "device/cuda_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// The first library of names (NULL-terminated) that loads; variable names another one, which then is the only one.
static void *open_library(const char *variable, const char *const *names)
{
    const char *override = getenv(variable);
    if (override && *override)
        return dlopen(override, RTLD_NOW | RTLD_LOCAL);
    for (; *names; names++) {
        void *library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        if (library)
            return library;
    }
    return NULL;
}

static enum status check_version(const struct cuda_api *api, struct diagnostic *diagnostic)
{
    int version = 0, count = 0;
    if (api->driver_version(&version) != CUDA_OK || version < 11000)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                              "the NVIDIA driver is too old (it speaks CUDA %d.%d, 11.0 is needed); update the driver "
                              "or use --device sim",
                              version / 1000, version % 1000 / 10);
    char text[256];
    cuda_result result = api->init(0);
    if (result != CUDA_OK && result != CUDA_NO_DEVICE)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                              "the NVIDIA driver does not start: %s; see nvidia-smi, or use --device sim",
                              cuda_error_text(api, result, text, sizeof text));
    if (result == CUDA_NO_DEVICE || api->device_count(&count) != CUDA_OK || count == 0)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                              "the NVIDIA driver finds no GPU (CUDA_VISIBLE_DEVICES may hide it); use --device sim");
    return STATUS_OK;
}

enum status cuda_api_get(const struct cuda_api **api, struct diagnostic *diagnostic)
{
    static struct cuda_api loaded;
    static bool is_loaded;
    static const char *const names[] = {"libcuda.so.1", "libcuda.so", "/usr/local/nvidia/lib64/libcuda.so.1",
                                        "/usr/lib/wsl/lib/libcuda.so.1", NULL};
    *api = &loaded;
    if (is_loaded)
        return STATUS_OK;
    void *library = open_library("BANKSHOT_LIBCUDA", names);
    if (!library)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                              "there is no NVIDIA driver here (libcuda.so.1 does not load); use --device sim");
#define D(field, symbol, parameters)                                                                                   \
    *(void **)&loaded.field = dlsym(library, #symbol);                                                                 \
    if (!loaded.field)                                                                                                 \
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,                                                          \
                              "the NVIDIA driver lacks " #symbol "; update the driver or use --device sim");
    CUDA_DRIVER(D)
#undef D
    *(void **)&loaded.encode_tiled = dlsym(library, "cuTensorMapEncodeTiled");
    enum status status = check_version(&loaded, diagnostic);
    is_loaded = status == STATUS_OK;
    return status;
}

const char *cuda_error_text(const struct cuda_api *api, cuda_result result, char *text, size_t size)
{
    const char *name = NULL, *words = NULL;
    if (api->error_name(result, &name) != CUDA_OK || !name)
        name = "unknown CUDA error";
    if (api->error_string(result, &words) != CUDA_OK || !words)
        words = "no description";
    snprintf(text, size, "%s (%d: %s)", name, result, words);
    return text;
}

// ---- NVML

typedef struct nvml_device_handle *nvml_device;
struct nvml_utilization {
    unsigned gpu, memory;
};
enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2, NVML_TEMPERATURE_GPU = 0 };

#define NVML(N)                                                                                                        \
    N(init, nvmlInit_v2, (void))                                                                                       \
    N(handle, nvmlDeviceGetHandleByPciBusId_v2, (const char *, nvml_device *))                                         \
    N(clock, nvmlDeviceGetClockInfo, (nvml_device, int, unsigned *))                                                   \
    N(temperature, nvmlDeviceGetTemperature, (nvml_device, int, unsigned *))                                           \
    N(utilization, nvmlDeviceGetUtilizationRates, (nvml_device, struct nvml_utilization *))                            \
    N(power, nvmlDeviceGetPowerUsage, (nvml_device, unsigned *))                                                       \
    N(reasons, nvmlDeviceGetCurrentClocksThrottleReasons, (nvml_device, unsigned long long *))                         \
    N(driver, nvmlSystemGetDriverVersion, (char *, unsigned))

struct nvml_api {
#define N(field, symbol, parameters) int(*field) parameters;
    NVML(N)
#undef N
};

static const struct nvml_api *nvml_get(void)
{
    static struct nvml_api api;
    static int state; // 0 not tried, 1 there, -1 not there
    static const char *const names[] = {"libnvidia-ml.so.1", "/usr/local/nvidia/lib64/libnvidia-ml.so.1",
                                        "/usr/lib/wsl/lib/libnvidia-ml.so.1", NULL};
    if (state)
        return state > 0 ? &api : NULL;
    state = -1;
    void *library = open_library("BANKSHOT_LIBNVML", names);
    if (!library)
        return NULL;
#define N(field, symbol, parameters)                                                                                   \
    *(void **)&api.field = dlsym(library, #symbol);                                                                    \
    if (!api.field)                                                                                                    \
        return NULL;
    NVML(N)
#undef N
    if (api.init() != 0)
        return NULL;
    state = 1;
    return &api;
}

bool gpu_state_read(const char *bus_id, struct gpu_state *state)
{
    *state = (struct gpu_state){.sm_mhz = -1, .memory_mhz = -1, .celsius = -1, .busy_percent = -1, .watts = -1};
    const struct nvml_api *api = nvml_get();
    nvml_device device;
    if (!api || api->handle(bus_id, &device) != 0)
        return false;
    unsigned value = 0;
    struct nvml_utilization utilization;
    unsigned long long reasons = 0;
    if (api->clock(device, NVML_CLOCK_SM, &value) == 0)
        state->sm_mhz = (int)value;
    if (api->clock(device, NVML_CLOCK_MEMORY, &value) == 0)
        state->memory_mhz = (int)value;
    if (api->temperature(device, NVML_TEMPERATURE_GPU, &value) == 0)
        state->celsius = (int)value;
    if (api->power(device, &value) == 0)
        state->watts = (int)(value / 1000);
    if (api->utilization(device, &utilization) == 0)
        state->busy_percent = (int)utilization.gpu;
    if (api->reasons(device, &reasons) == 0)
        state->throttle_reasons = reasons;
    if (api->driver(state->driver, sizeof state->driver) != 0)
        state->driver[0] = '\0';
    return true;
}

const char *gpu_throttle_text(uint64_t reasons, char *text, size_t size)
{
    static const struct {
        uint64_t bit;
        const char *words;
    } names[] = {
        {0x08, "hardware slow-down"},
        {0x20, "software thermal slow-down"},
        {0x40, "hardware thermal slow-down"},
        {0x80, "power brake"},
    };
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (reasons & names[i].bit && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", names[i].words);
    return text;
}

// ---- cuBLAS

struct cublas {
    void *handle;
    int (*destroy)(void *);
    int (*sgemm)(void *, int, int, int, int, int, const float *, const void *, int, const void *, int, const float *,
                 void *, int);
};

enum { CUBLAS_PEDANTIC = 2, CUBLAS_NO_TRANSPOSE = 0 };

struct cublas *cublas_open(cuda_stream stream)
{
    static const char *const names[] = {"libcublas.so.13",
                                        "libcublas.so.12",
                                        "libcublas.so.11",
                                        "/usr/local/cuda/lib64/libcublas.so.13",
                                        "/usr/local/cuda/lib64/libcublas.so.12",
                                        "/usr/local/cuda/lib64/libcublas.so",
                                        NULL};
    void *library = open_library("BANKSHOT_LIBCUBLAS", names);
    if (!library)
        return NULL;
    int (*create)(void **), (*set_stream)(void *, cuda_stream), (*set_math)(void *, int);
    struct cublas *cublas = mem_alloc(sizeof *cublas);
    *(void **)&create = dlsym(library, "cublasCreate_v2");
    *(void **)&set_stream = dlsym(library, "cublasSetStream_v2");
    *(void **)&set_math = dlsym(library, "cublasSetMathMode");
    *(void **)&cublas->destroy = dlsym(library, "cublasDestroy_v2");
    *(void **)&cublas->sgemm = dlsym(library, "cublasSgemm_v2");
    bool usable = create && set_stream && set_math && cublas->destroy && cublas->sgemm && create(&cublas->handle) == 0;
    if (usable && set_stream(cublas->handle, stream) == 0 && set_math(cublas->handle, CUBLAS_PEDANTIC) == 0)
        return cublas;
    if (usable)
        cublas->destroy(cublas->handle);
    free(cublas);
    return NULL;
}

void cublas_close(struct cublas *cublas)
{
    if (!cublas)
        return;
    cublas->destroy(cublas->handle);
    free(cublas);
}

// cuBLAS is column-major: row-major C = A B is column-major C' = B' A'.
int cublas_sgemm(struct cublas *cublas, int m, int n, int k, cuda_pointer a, cuda_pointer b, cuda_pointer c)
{
    static const float one = 1, zero = 0;
    return cublas->sgemm(cublas->handle, CUBLAS_NO_TRANSPOSE, CUBLAS_NO_TRANSPOSE, n, m, k, &one,
                         (const void *)(uintptr_t)b, n, (const void *)(uintptr_t)a, k, &zero, (void *)(uintptr_t)c, n);
}
