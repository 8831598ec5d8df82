// The simulator as a device, and what any device checks before a launch.
#ifndef BANKSHOT_DEVICE_SIMULATOR_H
#define BANKSHOT_DEVICE_SIMULATOR_H

#include "device/device.h"

extern const struct device_ops device_simulator_ops;

// What the modelled GPU can launch.
struct device_limits {
    uint32_t block_threads, block[3], grid[3];
    uint32_t static_shared, block_shared; // bytes; block_shared: with the opt-in, static and dynamic
};
struct device_limits device_limits_of(const struct gpu_profile *gpu);

// The GPU that a simulator models for a module of compute capability sm: what was chosen; else the default, as the
// driver compiles PTX for older architectures too, or what newer PTX is for.
const struct gpu_profile *device_modelled_gpu(const struct device *device, unsigned sm);

// LAUNCH, with the name of the error that CUDA would give, when the shape does not fit.
enum status device_check_launch(const struct device_limits *limits, const struct ptx_function *entry,
                                uint32_t static_shared, const uint32_t grid[3], const uint32_t block[3],
                                uint32_t dynamic_shared, struct diagnostic *diagnostic);

#endif
