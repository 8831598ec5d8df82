// What all work on a GPU stands on: the driver's errors in words, memory with guard zones, kernels, waiting for them.
#include "device/cuda_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/text.h"

// ---- errors

// Faults of the kernel's own making, by the driver's number.
static const struct {
    cuda_result result;
    enum status status;
    enum sim_fault_kind fault;
    const char *words;
} verdicts[] = {
    {CUDA_ILLEGAL_ADDRESS, STATUS_FAULT, SIM_FAULT_BOUNDS, "the kernel reads or writes outside its memory"},
    {CUDA_MISALIGNED, STATUS_FAULT, SIM_FAULT_MISALIGNED,
     "the kernel reads or writes at an address that is not a multiple of the access's size"},
    {CUDA_INVALID_SPACE, STATUS_FAULT, SIM_FAULT_OTHER, "the kernel uses an address of another memory space"},
    {CUDA_ASSERT, STATUS_FAULT, SIM_FAULT_TRAP, "an assert() in the kernel failed"},
    {CUDA_STACK_ERROR, STATUS_FAULT, SIM_FAULT_OTHER, "the kernel's stack overflowed"},
    {CUDA_ILLEGAL_INSTRUCTION, STATUS_FAULT, SIM_FAULT_OTHER, "the kernel met an illegal instruction"},
    {CUDA_INVALID_PC, STATUS_FAULT, SIM_FAULT_OTHER, "the kernel jumped to an invalid address"},
    {CUDA_LAUNCH_FAILED, STATUS_FAULT, SIM_FAULT_TRAP,
     "the kernel was stopped (a trap, or an exception in the kernel)"},
    {CUDA_LAUNCH_TIMEOUT, STATUS_TIMEOUT, SIM_FAULT_NONE, "the kernel ran longer than the display driver allows"},
    {CUDA_INVALID_VALUE, STATUS_LAUNCH, SIM_FAULT_NONE,
     "the launch shape or its shared memory is beyond what this GPU allows"},
    {CUDA_OUT_OF_RESOURCES, STATUS_LAUNCH, SIM_FAULT_NONE,
     "a block needs more registers or shared memory than one SM has; __launch_bounds__(threads of a block) bounds the "
     "kernel's registers"},
    {CUDA_COOPERATIVE_TOO_LARGE, STATUS_LAUNCH, SIM_FAULT_NONE,
     "all blocks of a cooperative launch have to be resident at once, and this GPU has no room for so many"},
    {CUDA_OUT_OF_MEMORY, STATUS_ENVIRONMENT, SIM_FAULT_NONE,
     "the GPU has too little free memory; stop other programs on it"},
    {CUDA_UNSUPPORTED_PTX, STATUS_ENVIRONMENT, SIM_FAULT_NONE,
     "the driver is older than the compiler: it does not know this PTX version; update the driver, or use an older "
     "compiler (--compiler clang)"},
    {CUDA_NO_BINARY_FOR_GPU, STATUS_ENVIRONMENT, SIM_FAULT_NONE, "the PTX is for a newer GPU than this one"},
};

enum status cuda_status(struct gpu *gpu, cuda_result result, const char *what, struct diagnostic *diagnostic)
{
    char text[256];
    if (result == CUDA_OK)
        return STATUS_OK;
    cuda_error_text(gpu->api, result, text, sizeof text);
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        if (verdicts[i].result != result)
            continue;
        bool is_fault = verdicts[i].status == STATUS_FAULT;
        gpu->lost = gpu->lost || is_fault || verdicts[i].status == STATUS_TIMEOUT;
        gpu->fault = verdicts[i].fault;
        return diagnostic_set(diagnostic, verdicts[i].status, "%s: %s%s", verdicts[i].words, text,
                              is_fault ? "; --device sim names the line and the thread" : "");
    }
    gpu->lost = true;
    return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                          "the GPU or its driver failed while %s: %s; this is not your kernel's fault, try again", what,
                          text);
}

// ---- memory

enum status cuda_block_new(struct gpu *gpu, size_t size, struct cuda_block *block, struct diagnostic *diagnostic)
{
    *block = (struct cuda_block){.size = size};
    size_t total = size + 2 * DEVICE_GUARD_BYTES;
    cuda_result result = gpu->api->alloc(&block->base, total);
    if (result == CUDA_OK)
        result = gpu->api->fill8(block->base, CUDA_GUARD_BYTE, total, gpu->stream);
    block->data = block->base + DEVICE_GUARD_BYTES;
    return cuda_status(gpu, result, "allocating memory", diagnostic);
}

void cuda_block_free(struct gpu *gpu, struct cuda_block *block)
{
    if (block->base && !gpu->lost)
        gpu->api->free(block->base);
    *block = (struct cuda_block){0};
}

enum status cuda_block_check(struct gpu *gpu, const struct cuda_block *block, const char *name,
                             struct diagnostic *diagnostic)
{
    unsigned char zone[2][DEVICE_GUARD_BYTES];
    if (!block->base)
        return STATUS_OK;
    cuda_result result = gpu->api->to_host(zone[0], block->base, sizeof zone[0]);
    if (result == CUDA_OK)
        result = gpu->api->to_host(zone[1], block->data + block->size, sizeof zone[1]);
    enum status status = cuda_status(gpu, result, "reading a guard zone", diagnostic);
    for (size_t i = 0; i < sizeof zone && status == STATUS_OK; i++)
        if ((&zone[0][0])[i] != CUDA_GUARD_BYTE)
            status = diagnostic_set(diagnostic, STATUS_FAULT,
                                    "a kernel writes outside `%s`; --device sim names the line and the thread", name);
    gpu->fault = status == STATUS_FAULT ? SIM_FAULT_BOUNDS : gpu->fault;
    return status;
}

size_t cuda_arg_bytes(const struct device_arg *arg)
{
    return arg->is_buffer ? arg->count * ptx_type_size(arg->type) : 0;
}

// ---- kernels

// The driver calls PTX for a later GPU invalid (CUDA_ERROR_INVALID_PTX, seen on an H200, driver 580): that is not the
// PTX's fault.
static bool is_too_new(const struct gpu *gpu, const char *ptx, int *sm)
{
    const char *target = strstr(ptx, ".target");
    return target && sscanf(target, ".target sm_%d", sm) == 1 && *sm > gpu->info.sm;
}

enum status cuda_kernel_load(struct gpu *gpu, const char *ptx, const char *name, uint32_t dynamic_shared,
                             struct cuda_kernel *kernel, struct diagnostic *diagnostic)
{
    char log[2048] = "";
    int options[] = {CUDA_JIT_ERROR_LOG, CUDA_JIT_ERROR_LOG_SIZE, CUDA_JIT_OPTIMISATION};
    void *values[] = {log, (void *)(uintptr_t)sizeof log, (void *)(uintptr_t)gpu->optimisation};
    *kernel = (struct cuda_kernel){0};
    cuda_result result = gpu->api->module_load(&kernel->module, ptx, 3, options, values);
    int sm;
    if (result != CUDA_OK && is_too_new(gpu, ptx, &sm))
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                              "the PTX is for sm_%d, %s is sm_%d: compile it for that (--arch sm_%d)", sm,
                              gpu->info.name, gpu->info.sm, gpu->info.sm);
    if (result != CUDA_OK) {
        enum status status = cuda_status(gpu, result, "compiling the PTX", diagnostic);
        struct text escaped = {0};
        text_escape(&escaped, log, strnlen(log, sizeof log), false);
        // what the driver's compiler has words for is in the code, not in the machine
        if (escaped.length && result != CUDA_UNSUPPORTED_PTX)
            status = diagnostic_set(diagnostic, STATUS_LAUNCH, "the GPU's compiler refuses the kernel: %.400s",
                                    text_get(&escaped));
        text_free(&escaped);
        gpu->lost = false; // refusing a module leaves the context as it was
        return status;
    }
    result = gpu->api->module_function(&kernel->function, kernel->module, name);
    if (result == CUDA_OK && dynamic_shared)
        result = gpu->api->function_set(kernel->function, CUDA_FUNCTION_DYNAMIC_SHARED, (int)dynamic_shared);
    if (result == CUDA_OK)
        return STATUS_OK;
    cuda_kernel_unload(gpu, kernel);
    if (result == CUDA_INVALID_VALUE)
        return diagnostic_set(
            diagnostic, STATUS_LAUNCH,
            "cudaErrorInvalidValue: %u bytes of dynamic shared memory are more than %s allows a block "
            "(%d bytes, static memory included)",
            dynamic_shared, gpu->info.name, gpu->info.shared_optin);
    return cuda_status(gpu, result, "looking up the kernel", diagnostic);
}

void cuda_kernel_unload(struct gpu *gpu, struct cuda_kernel *kernel)
{
    if (kernel->module && !gpu->lost)
        gpu->api->module_unload(kernel->module);
    *kernel = (struct cuda_kernel){0};
}

enum status cuda_wait(struct gpu *gpu, double limit, const atomic_bool *cancel, struct diagnostic *diagnostic)
{
    double start = clock_seconds();
    for (unsigned turn = 0;; turn++) {
        cuda_result result = gpu->api->stream_query(gpu->stream);
        if (result == CUDA_OK)
            return STATUS_OK;
        if (result != CUDA_NOT_READY)
            return cuda_status(gpu, result, "running the kernel", diagnostic);
        bool cancelled = cancel && atomic_load(cancel);
        if (cancelled || clock_seconds() - start > limit) {
            gpu->lost = true;
            return cancelled ? diagnostic_set(diagnostic, STATUS_CANCELLED, "cancelled")
                             : diagnostic_set(diagnostic, STATUS_TIMEOUT,
                                              "the kernel did not end within %.1f s on the GPU; --device sim names the "
                                              "line where it spins",
                                              limit);
        }
        if (turn > 2000)
            nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
}
