// A device runs one kernel of one PTX module over named arguments and gives back a record. The simulator and the GPU
// are behind the same table of functions. Counters, accesses and hazards come from the simulator only; measured
// times from a GPU only.
#ifndef BANKSHOT_DEVICE_DEVICE_H
#define BANKSHOT_DEVICE_DEVICE_H

#include "device/job.h"

// kind: "auto", "sim" or "gpu". ENVIRONMENT when a GPU was asked for and none works; the message says why.
enum status device_open(struct device *device, const char *kind, const char *gpu_model, int gpu,
                        struct diagnostic *diagnostic);
void device_close(struct device *device);
// What models this machine's GPU (-1: the idlest): the profile that was measured on it, if there is one of its name;
// else the built-in one of its name; else the nearest. False: there is no GPU that works, and name is "".
bool device_own_model(int gpu, char name[64]);
enum status device_run(struct device *device, struct device_job *job, struct record *record,
                       struct diagnostic *diagnostic);

#endif
