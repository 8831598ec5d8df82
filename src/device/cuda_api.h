// The CUDA driver (libcuda), NVML and cuBLAS, found at run time by dlopen. Nothing of the CUDA Toolkit is needed to
// build or to run: the prototypes that we use are declared here, after the CUDA Driver API reference.
//
// BANKSHOT_LIBCUDA, BANKSHOT_LIBNVML and BANKSHOT_LIBCUBLAS name other files to load (tests, unusual installs).
#ifndef BANKSHOT_DEVICE_CUDA_API_H
#define BANKSHOT_DEVICE_CUDA_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diagnostic.h"

typedef int cuda_result;
typedef int cuda_device;
typedef uint64_t cuda_pointer;
typedef struct cuda_context_handle *cuda_context;
typedef struct cuda_module_handle *cuda_module;
typedef struct cuda_function_handle *cuda_function;
typedef struct cuda_stream_handle *cuda_stream;
typedef struct cuda_event_handle *cuda_event;
typedef struct cuda_array_handle *cuda_array;

enum {
    CUDA_OK = 0,
    CUDA_INVALID_VALUE = 1,
    CUDA_OUT_OF_MEMORY = 2,
    CUDA_NO_DEVICE = 100,
    CUDA_NO_BINARY_FOR_GPU = 209,
    CUDA_UNSUPPORTED_PTX = 222,
    CUDA_NOT_READY = 600,
    CUDA_ILLEGAL_ADDRESS = 700,
    CUDA_OUT_OF_RESOURCES = 701,
    CUDA_LAUNCH_TIMEOUT = 702,
    CUDA_ASSERT = 710,
    CUDA_STACK_ERROR = 714,
    CUDA_ILLEGAL_INSTRUCTION = 715,
    CUDA_MISALIGNED = 716,
    CUDA_INVALID_SPACE = 717,
    CUDA_INVALID_PC = 718,
    CUDA_LAUNCH_FAILED = 719,
    CUDA_COOPERATIVE_TOO_LARGE = 720
};

enum { // cuDeviceGetAttribute
    CUDA_ATTRIBUTE_CLOCK_KHZ = 13,
    CUDA_ATTRIBUTE_SM_COUNT = 16,
    CUDA_ATTRIBUTE_L2_BYTES = 38,
    CUDA_ATTRIBUTE_SM_THREADS = 39,
    CUDA_ATTRIBUTE_CC_MAJOR = 75,
    CUDA_ATTRIBUTE_CC_MINOR = 76,
    CUDA_ATTRIBUTE_SM_SHARED = 81,
    CUDA_ATTRIBUTE_SHARED_OPTIN = 97,
    CUDA_ATTRIBUTE_SM_BLOCKS = 106,
    CUDA_ATTRIBUTE_SHARED_RESERVED = 111
};
enum { CUDA_FUNCTION_DYNAMIC_SHARED = 8 }; // cuFuncSetAttribute
enum { CUDA_JIT_ERROR_LOG = 5, CUDA_JIT_ERROR_LOG_SIZE = 6, CUDA_JIT_OPTIMISATION = 7 };
enum { CUDA_EVENT_DEFAULT = 0, CUDA_STREAM_NON_BLOCKING = 1 };

// What the driver says of a GPU.
struct cuda_info {
    char name[96], bus_id[32];
    int index, sm, multiprocessors, shared_optin, l2_bytes, clock_khz, driver;
};

// Textures and surfaces, as CUDA_ARRAY3D_DESCRIPTOR, CUDA_MEMCPY3D, CUDA_RESOURCE_DESC and CUDA_TEXTURE_DESC lie.
enum { CUDA_ARRAY_LAYERED = 1, CUDA_ARRAY_SURFACE = 2, CUDA_ARRAY_CUBE = 4, CUDA_ARRAY_GATHER = 8 };
struct cuda_array_shape {
    size_t width, height, depth;
    unsigned format, channels, flags;
};
enum { CUDA_MEMORY_HOST = 1, CUDA_MEMORY_ARRAY = 3 };
struct cuda_copy_side {
    size_t x_bytes, y, z, level;
    int memory;
    void *host;
    cuda_pointer device;
    cuda_array array;
    void *reserved;
    size_t pitch, height;
};
struct cuda_copy {
    struct cuda_copy_side from, to;
    size_t width, height, depth; // width in bytes
};
enum { CUDA_RESOURCE_ARRAY = 0, CUDA_RESOURCE_LINEAR = 2, CUDA_RESOURCE_ROWS = 3 };
struct cuda_linear {
    cuda_pointer data;
    unsigned format, channels;
    size_t width, height, pitch; // of CUDA_RESOURCE_LINEAR, width is the number of bytes
};
struct cuda_resource {
    int kind;
    union {
        cuda_array array;
        struct cuda_linear linear;
        int reserved[32];
    };
    unsigned flags;
};
enum { CUDA_SAMPLE_INTEGERS = 1, CUDA_SAMPLE_NORMALIZED = 2 };
struct cuda_sampling {
    int address[3], filter;
    unsigned flags, anisotropy;
    int level_filter;
    float level_bias, least_level, most_level, border[4];
    int reserved[12];
};

// D(field, symbol, parameters): required entry points of libcuda.
#define CUDA_DRIVER(D)                                                                                                 \
    D(init, cuInit, (unsigned))                                                                                        \
    D(driver_version, cuDriverGetVersion, (int *))                                                                     \
    D(device_count, cuDeviceGetCount, (int *))                                                                         \
    D(device_get, cuDeviceGet, (cuda_device *, int))                                                                   \
    D(device_name, cuDeviceGetName, (char *, int, cuda_device))                                                        \
    D(device_attribute, cuDeviceGetAttribute, (int *, int, cuda_device))                                               \
    D(device_bus_id, cuDeviceGetPCIBusId, (char *, int, cuda_device))                                                  \
    D(context_retain, cuDevicePrimaryCtxRetain, (cuda_context *, cuda_device))                                         \
    D(context_release, cuDevicePrimaryCtxRelease_v2, (cuda_device))                                                    \
    D(context_set, cuCtxSetCurrent, (cuda_context))                                                                    \
    D(memory_info, cuMemGetInfo_v2, (size_t *, size_t *))                                                              \
    D(module_load, cuModuleLoadDataEx, (cuda_module *, const void *, unsigned, int *, void **))                        \
    D(module_unload, cuModuleUnload, (cuda_module))                                                                    \
    D(module_function, cuModuleGetFunction, (cuda_function *, cuda_module, const char *))                              \
    D(function_set, cuFuncSetAttribute, (cuda_function, int, int))                                                     \
    D(alloc, cuMemAlloc_v2, (cuda_pointer *, size_t))                                                                  \
    D(free, cuMemFree_v2, (cuda_pointer))                                                                              \
    D(to_device, cuMemcpyHtoD_v2, (cuda_pointer, const void *, size_t))                                                \
    D(to_host, cuMemcpyDtoH_v2, (void *, cuda_pointer, size_t))                                                        \
    D(copy, cuMemcpyDtoDAsync_v2, (cuda_pointer, cuda_pointer, size_t, cuda_stream))                                   \
    D(fill8, cuMemsetD8Async, (cuda_pointer, unsigned char, size_t, cuda_stream))                                      \
    D(launch, cuLaunchKernel,                                                                                          \
      (cuda_function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, cuda_stream, void **,      \
       void **))                                                                                                       \
    D(launch_cooperative, cuLaunchCooperativeKernel,                                                                   \
      (cuda_function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, cuda_stream, void **))     \
    D(array_create, cuArray3DCreate_v2, (cuda_array *, const struct cuda_array_shape *))                               \
    D(array_destroy, cuArrayDestroy, (cuda_array))                                                                     \
    D(copy_3d, cuMemcpy3D_v2, (const struct cuda_copy *))                                                              \
    D(texture_create, cuTexObjectCreate,                                                                               \
      (uint64_t *, const struct cuda_resource *, const struct cuda_sampling *, const void *))                          \
    D(texture_destroy, cuTexObjectDestroy, (uint64_t))                                                                 \
    D(surface_create, cuSurfObjectCreate, (uint64_t *, const struct cuda_resource *))                                  \
    D(surface_destroy, cuSurfObjectDestroy, (uint64_t))                                                                \
    D(stream_create, cuStreamCreate, (cuda_stream *, unsigned))                                                        \
    D(stream_destroy, cuStreamDestroy_v2, (cuda_stream))                                                               \
    D(stream_query, cuStreamQuery, (cuda_stream))                                                                      \
    D(event_create, cuEventCreate, (cuda_event *, unsigned))                                                           \
    D(event_destroy, cuEventDestroy_v2, (cuda_event))                                                                  \
    D(event_record, cuEventRecord, (cuda_event, cuda_stream))                                                          \
    D(event_elapsed, cuEventElapsedTime, (float *, cuda_event, cuda_event))                                            \
    D(error_name, cuGetErrorName, (cuda_result, const char **))                                                        \
    D(error_string, cuGetErrorString, (cuda_result, const char **))

typedef cuda_result cuda_encode_tiled(void *map, int type, uint32_t rank, cuda_pointer base, const uint64_t *dims,
                                      const uint64_t *strides, const uint32_t *box, const uint32_t *steps,
                                      int interleave, int swizzle, int l2, int fill);

struct cuda_api {
    cuda_encode_tiled *encode_tiled; // cuTensorMapEncodeTiled; NULL: the driver is older than CUDA 12
#define D(field, symbol, parameters) cuda_result(*field) parameters;
    CUDA_DRIVER(D)
#undef D
};

// Loads the driver once a process. ENVIRONMENT when there is none, it is too old or it finds no device; the message
// says which and what to do.
enum status cuda_api_get(const struct cuda_api **api, struct diagnostic *diagnostic);

// "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)" into text.
const char *cuda_error_text(const struct cuda_api *api, cuda_result result, char *text, size_t size);

// What NVML says of one GPU right now. Fields it cannot give are -1 (numbers) or 0 (reasons).
struct gpu_state {
    int sm_mhz, memory_mhz, celsius, busy_percent, watts;
    uint64_t throttle_reasons; // bits of nvmlDeviceGetCurrentClocksThrottleReasons
    char driver[32];
};
// bus_id as cuDeviceGetPCIBusId writes it. false: no NVML.
bool gpu_state_read(const char *bus_id, struct gpu_state *state);
// Reasons that make a time unfit to grade (power brake, thermal and hardware slow-downs), as words; "" = none.
const char *gpu_throttle_text(uint64_t reasons, char *text, size_t size);

// cuBLAS: FP32 without tensor cores, row-major C(m x n) = A(m x k) B(k x n).
struct cublas;
struct cublas *cublas_open(cuda_stream stream); // NULL when there is no usable library
void cublas_close(struct cublas *cublas);
int cublas_sgemm(struct cublas *cublas, int m, int n, int k, cuda_pointer a, cuda_pointer b, cuda_pointer c);

#endif
