// What cuda.c, cuda_texture.c, cuda_probes.c and timing.c stand on. Not for others. What is made here lives in the
// GPU's memory or the driver until its _free or _unload. Where a call can fail, the status is cuda_status's.
#ifndef BANKSHOT_DEVICE_CUDA_INTERNAL_H
#define BANKSHOT_DEVICE_CUDA_INTERNAL_H

#include "device/cuda_api.h"
#include "device/job.h"

enum { CUDA_GUARD_BYTE = 0xa5 };

struct gpu {
    const struct cuda_api *api;
    struct cuda_info info;
    cuda_context context;
    cuda_stream stream;
    cuda_event start, stop;    // around what is timed
    unsigned optimisation;     // of the driver's compiler: 0 to 4
    enum sim_fault_kind fault; // the last one
    bool lost;                 // a fault or hang: only a new process can use the GPU again
};

// A device allocation with a guard zone of DEVICE_GUARD_BYTES on both sides; data is what the kernel sees.
struct cuda_block {
    cuda_pointer base, data;
    size_t size;
};

// All of it is filled with CUDA_GUARD_BYTE, when the stream comes to that.
enum status cuda_block_new(struct gpu *gpu, size_t size, struct cuda_block *block, struct diagnostic *diagnostic);
void cuda_block_free(struct gpu *gpu, struct cuda_block *block);
// FAULT: something wrote into a guard zone of this block, that of argument `name`. A block without memory is OK.
enum status cuda_block_check(struct gpu *gpu, const struct cuda_block *block, const char *name,
                             struct diagnostic *diagnostic);

// Of a buffer's data; 0 of any other argument.
size_t cuda_arg_bytes(const struct device_arg *arg);

struct cuda_kernel {
    cuda_module module;
    cuda_function function;
};
// The driver compiles the PTX, by gpu->optimisation; name: mangled.
enum status cuda_kernel_load(struct gpu *gpu, const char *ptx, const char *name, uint32_t dynamic_shared,
                             struct cuda_kernel *kernel, struct diagnostic *diagnostic);
void cuda_kernel_unload(struct gpu *gpu, struct cuda_kernel *kernel);

// Parameter values for cuLaunchKernel: buffers[i] is the device address of buffer argument i.
struct cuda_params {
    uint64_t values[DEVICE_MAX_ARGS];
    _Alignas(64) unsigned char structs[4096]; // of those that are structs
    void *pointers[DEVICE_MAX_ARGS];
};
// cuda.c
enum status cuda_params_set(struct gpu *gpu, const struct ptx_function *entry, const struct device_arg *args,
                            size_t count, const cuda_pointer *buffers, struct cuda_params *params,
                            struct diagnostic *diagnostic);

// Waits for everything queued; TIMEOUT after limit seconds (and marks the GPU lost).
enum status cuda_wait(struct gpu *gpu, double limit, const atomic_bool *cancel, struct diagnostic *diagnostic);
// Turns a call's result into a verdict: OK, LAUNCH, FAULT or ENVIRONMENT. what: "launching", "copying" …
enum status cuda_status(struct gpu *gpu, cuda_result result, const char *what, struct diagnostic *diagnostic);

// In the place of one of ours, whose base is known: the driver's own. USAGE, ENVIRONMENT: why it makes none.
enum status cuda_tensor_map(struct gpu *gpu, const char *name, unsigned char *bytes, struct diagnostic *diagnostic);

// A texture or surface of arg. array or data set: another's, which it shows. The data of one of its own are copied.
struct cuda_texture {
    uint64_t handle;
    cuda_array array;
    cuda_pointer data; // linear memory
    bool owns_array, is_surface;
};
enum status cuda_texture_new(struct gpu *gpu, const struct device_arg *arg, struct cuda_texture *made,
                             struct diagnostic *diagnostic);
enum status cuda_texture_take(struct gpu *gpu, const struct device_arg *arg, const struct cuda_texture *made,
                              struct diagnostic *diagnostic); // what the kernel left, into the argument's data
void cuda_texture_free(struct gpu *gpu, struct cuda_texture *made);

#endif
