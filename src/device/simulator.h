// The simulator as a device.
#ifndef BANKSHOT_DEVICE_SIMULATOR_H
#define BANKSHOT_DEVICE_SIMULATOR_H

#include "device/job.h"

extern const struct device_ops device_simulator_ops;

// The GPU that a simulator models for a module of compute capability sm: what was chosen; else the default, as the
// driver compiles PTX for older architectures too, or what newer PTX is for.
const struct gpu_profile *device_modelled_gpu(const struct device *device, unsigned sm);

#endif
