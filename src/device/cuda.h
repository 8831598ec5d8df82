// The GPU device: PTX compiled by the driver, launched, its outputs copied back. And honest timing: several kernels
// over the same arguments, interleaved in one run, every output checked.
#ifndef BANKSHOT_DEVICE_CUDA_H
#define BANKSHOT_DEVICE_CUDA_H

#include "device/cuda_api.h"
#include "device/job.h"
#include "model/probes.h"

extern const struct device_ops device_gpu_ops;

// What an open GPU is.
const struct cuda_info *cuda_device_info(const struct device *device);
// How much the driver's compiler optimises from now on: 0 to 4 (the default). Tests use 0 to tell a difference in
// meaning from one that its optimiser makes.
void cuda_device_optimise(struct device *device, unsigned level);
// How many GPUs there are, and one of them (index -1: the idlest), without opening it. ENVIRONMENT as cuda_api_get.
enum status cuda_describe(int index, struct cuda_info *info, int *count, struct diagnostic *diagnostic);

// ---- measuring the GPU itself

// What the driver says of an open GPU, and else what the nearest built-in profile does.
enum status cuda_profile(const struct device *device, struct gpu_profile *profile, struct diagnostic *diagnostic);
// Launches a probe PROBE_RUNS times: the median, and how far the runs are apart (as a part of it). ENVIRONMENT: too
// little memory. The buffers are those of one session, with which all of the probes run.
struct cuda_probing;
enum status cuda_probing_begin(struct device *device, struct cuda_probing **probing, struct diagnostic *diagnostic);
enum status cuda_probe(struct cuda_probing *probing, const struct probe *probe, double *value, double *spread,
                       struct diagnostic *diagnostic);
void cuda_probing_end(struct cuda_probing *probing);

// ---- medians

// Medians with their 95 % interval, by order statistics: nothing is assumed of how the values are spread. Times on a
// GPU come in two or three clusters, where a mean and its deviation say little.
enum { MEDIAN_MAX = 1000 };

struct median {
    double value, low, high; // low, high: 95 % interval of the median
    double least, most;
};

// Of count values, at most MEDIAN_MAX; all zero when there are none.
struct median median_of(const float *values, size_t count);
// Of the ratios over[i] / under[i]: what hit both alike in one round, such as a slower clock, cancels out.
struct median median_of_ratios(const float *over, const float *under, size_t count);
// The interval's width as a part of the median; 1 when there is none.
double median_width(const struct median *median);

// ---- timing

enum timing_kind {
    TIMING_KERNEL, // a PTX kernel over the job's arguments
    TIMING_COPY,   // device-to-device copy of the job's copy_bytes: the roof of memory-bound kernels
    TIMING_SGEMM   // cuBLAS FP32 over arguments a, b, c (m, n, k); skipped where there is no cuBLAS
};

struct timing_entry {
    const char *name;
    enum timing_kind kind;
    // KERNEL:
    const char *ptx; // terminated text
    const struct ptx_function *entry;
    struct launch_shape shape;
    bool trusted; // its outputs are what the others are compared with (exactly one entry)
    // Results. status is OK for an entry that ran, was right every time and is not impossibly fast.
    enum status status;
    struct diagnostic diagnostic;
    bool skipped;
    uint32_t runs;
    struct median us;    // of the timed runs
    struct median ratio; // of its times to the first entry's, round by round
    uint64_t wrong;      // elements that differed from the trusted outputs, over all runs
};

struct timing_job {
    const struct device_arg *args; // host data of the inputs; outputs are poisoned, compared, not copied back
    size_t arg_count;
    struct timing_entry *entries; // the first is the one that the others are compared with
    size_t entry_count;
    double absolute, relative; // tolerance against the trusted outputs (float buffers; others exact)
    double seconds;            // time to spend on timed runs; 0 = 2 s
    double wall_limit;         // a single launch may take this long; 0 = 10 s
    double bytes, flop;        // of one run: for the physical floor; 0 = no floor
    uint64_t copy_bytes;       // COPY: bytes copied (each is read once and written once)
    int m, n, k;               // SGEMM
    size_t a, b, c;            // SGEMM: argument indices
    const atomic_bool *cancel;
    // Called once with the trusted outputs (host bytes of one output argument): does the reference agree? NULL = yes.
    bool (*verify)(void *context, size_t argument, const void *data, size_t count);
    void *verify_context;
};

struct timing_conditions {
    char gpu[96], driver[32];
    double empty_launch_us; // an empty kernel timed the same way
    int sm_mhz_min, sm_mhz_max, memory_mhz, celsius_max, watts_max;
    uint64_t throttle_reasons; // all that were seen
    double copy_gbps;          // of the COPY entry; 0 = none
    enum sim_fault_kind fault; // of the FAULT that ended the run, or the last one of an entry
    double seconds;
    bool noisy;         // some median's interval stayed wider than 5 % of it, or the card slowed down
    char evidence[256]; // why noisy, with numbers
    char date[32];      // UTC, ISO 8601
};

// Each round runs every entry once, in an order that changes from round to round: inputs restored from one of
// several sets, outputs poisoned, L2 flushed, one launch between two events, outputs compared on the device. Rounds
// go on until every median's interval is narrower than 1 % of it and every ratio's than 0.5 %, or the time is spent.
// Ratios are taken within a round and then their median: on the H200, seven runs of a kernel whose times come in two
// heaps had ratios of medians up to 1.3 % apart, medians of ratios 0.6 %. A first entry that is wrong ends them. A hang
// or fault ends the whole run (the context is lost: the caller's process should end): TIMEOUT or FAULT, and the entry's
// own status says whose.
enum status timing_run(struct device *device, struct timing_job *job, struct timing_conditions *conditions,
                       struct diagnostic *diagnostic);

#endif
