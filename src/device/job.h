// What a device is asked and what it gives back: a job, its arguments, the record; and the table of functions that each
// device is.
#ifndef BANKSHOT_DEVICE_JOB_H
#define BANKSHOT_DEVICE_JOB_H

#include "hazard/hazard.h"
#include "model/predict.h"
#include "record/balance.h"
#include "record/counters.h"
#include "record/passage.h"
#include "record/recorder.h"
#include "record/waits.h"
#include "sim/tensor.h"
#include "sim/texture.h"

enum { DEVICE_MAX_ARGS = 256, DEVICE_GUARD_BYTES = 4096 };

struct device_pointer { // eight bytes of an argument that hold a buffer's address
    char *target;       // the buffer's name
    uint64_t offset;    // where they are
    int64_t addend;     // bytes
};

// A texture or surface: its handle is what the kernel gets, and its elements are the argument's data; or those of
// another.
struct device_texture {
    struct texture shape; // data is for the device to fill
    char *of;             // the argument whose data it shows: a buffer, a texture or a surface; NULL: its own
};

// What a buffer's elements are, where data are not made beforehand: args_make (args.h).
enum device_fill { DEVICE_FILL_DATA, DEVICE_FILL_IOTA, DEVICE_FILL_RANDOM, DEVICE_FILL_VALUE };

struct device_arg {
    const char *name;
    enum ptx_type type; // scalar's type, or the buffer's element type
    bool is_buffer;
    uint64_t scalar;                 // little-endian bits of the value
    unsigned char *bytes;            // a struct by value: its bytes, instead of scalar; NULL: it is none
    bool is_tensor_map;              // … a struct tensor_map (tensor.h), in whose place a GPU gets the driver's own;
                                     // a buffer of one, where the parameter is a pointer
    struct device_pointer *pointers; // in the value, or in the buffer's data
    size_t pointer_count;
    struct device_texture *texture; // NULL: it is none
    bool is_extra;                  // a buffer that is no parameter: pointers lead to it. Stands behind those that are.
    void *data;                     // buffer: host bytes, copied in before and out after (unless read_only)
    size_t count;                   // elements; of a struct: its bytes
    bool read_only;
    bool uninitialised;    // device must not read it before writing (poisoned, reads are noticed)
    enum device_fill fill; // DATA: what data says, or zeros
    uint64_t fill_bits;    // RANDOM: the seed; VALUE: of each element
};

static inline bool device_is_float(enum ptx_type type) // of the types that an argument may have
{
    return type == PTX_F16 || type == PTX_BF16 || type == PTX_F32 || type == PTX_F64;
}

// Of a kernel, as ptxas hands them out (ptxas.h).
struct device_resources {
    uint32_t registers;                        // of a thread
    uint32_t stack, spill_stores, spill_loads; // bytes of a thread
    uint32_t static_shared;                    // bytes of a block
    bool refused;                              // ptxas takes no such PTX: nothing of it will ever be known
};

// What one warp of a block does, by its outline. Where these numbers are the same, so is what they are of.
struct device_outline {
    uint64_t block, steps;
    uint64_t executed; // how often each instruction is, by how many lanes
    uint64_t path;     // through global memory, wherever it begins
    bool is_whole;     // it came to its end
};

// Somebody who sees blocks of a model_only job at work: those that he asks for, and those that are traced.
struct device_probe {
    void *context;
    struct sim_observer observer; // of all of them, one after another on one thread
    // The launch's memory: each argument's allocation, NULL for a scalar.
    void (*begin)(void *context, struct sim_allocation *const *buffers, const struct sim_memory *memory);
    // The next block to run, until so many warp instructions are spent. False: it was the last one. NULL: there is
    // none.
    bool (*next)(void *context, uint64_t *block, uint64_t *budget);
    // OK or TIMEOUT; what faults ends the job. False: the job ends with TIMEOUT.
    // run: of it alone.
    bool (*ran)(void *context, uint64_t block, enum status status, const struct sim_result *run);
    // After the first block, if that came to its end: the next block to be followed by one warp's outline
    // (ptx_outline). False: it was the last one. NULL: none is.
    bool (*outline)(void *context, uint64_t *block, uint32_t *warp);
    void (*outlined)(void *context, const struct device_outline *outline);
    double (*share)(void *context); // of all output, what the block that ran last wrote; 0: not known
    void (*work)(void *context, struct predict_work *work); // what is known of it; zeros, or NULL: nothing
    bool even;                                              // but that all blocks are to be taken as alike
};

struct device_job {
    const struct ptx_module *module; // parsed; and
    const char *ptx;                 // the same as text, for the driver
    size_t ptx_length;
    const struct ptx_function *entry;
    struct launch_shape shape; // static_shared is the kernel's own
    struct device_arg *args;
    size_t arg_count;
    struct device_arg *settings; // simulator: what the module's variables of these names hold before the launch
    size_t setting_count;
    struct device_arg *again; // simulator: then launched once more, with these arguments, whose buffers lie elsewhere,
                              // in the same memory: what the module's own variables keep is still there. NULL = once
    struct launch_shape again_shape;
    const char *main_file;
    struct hazard_names names; // for the places of hazards
    bool want_counters, want_hazards, want_recording;
    bool want_model; // simulator: predict the time on the modelled GPU (takes up to a second for large grids)
    bool model_only; // simulator: predict without running, or say why it cannot be (LAUNCH: registers); buffers may
                     // have no data, and outputs stay as they are. Without want_model: run the probe's blocks alone
    const struct device_probe *probe; // with model_only; may be NULL
    bool zeroed;                      // simulator: as of sim_launch
    bool want_waits;                  // with a probe: how the blocks that are counted wait for their copies
    bool want_balance;                // with a probe: how the warps of these share the work
    unsigned want_through;            // with a probe: what the first blocks' outputs came through, a bit for each enum
                                      // passage_kind; not PASSAGE_AHEAD
    const struct device_probe *other; // for want_through: one that runs no block, and gives other inputs
    // With a probe that runs blocks: one that runs none. Once a block has come to its end, the prediction begins on a
    // thread and a memory of its own, which this one sees, as if all blocks took as long and the registers were those
    // that are likely (0: as estimated). Where they turn out otherwise, it is made again. NULL: it waits until that is
    // known.
    const struct device_probe *ahead;
    uint32_t likely_registers;
    // Asked just before a prediction, as it may have to wait; NULL, or false: the model estimates the registers.
    bool (*resources)(void *context, struct device_resources *resources);
    bool is_lenient; // of estimated registers their low end
    void *resources_context;
    struct replay_log *log; // simulator, with a prediction: what the replay saw; the caller frees it. NULL = none
    uint32_t hazard_share;  // of 65536 phases of blocks, drawn by seed, those that are looked at; 0: all, and of a
                            // probe's blocks one in 32 beyond what they do first
    uint64_t recorded_block;
    // Simulator: run these blocks only (linear; count 0: all); what they read of others is what the buffers held
    // before.
    uint64_t first_block, block_count;
    const struct sim_observer *observer; // simulator: one more; NULL = none
    enum sim_schedule schedule;
    bool backward; // blocks (sim.h)
    uint64_t seed;
    uint64_t budget;
    unsigned host_threads;
    double wall_limit;  // seconds; 0 = none
    double least_share; // of a processor, on the simulator, for wall_limit: see struct clock_limit. 0 = 1
    const atomic_bool *cancel;
    void (*print)(void *context, const char *text, size_t length);
    void *print_context;
};

// What the blocks did that a probe ran to their end, added up.
struct probed {
    struct launch_shape shape;
    uint64_t blocks; // 0: none was
    double share;    // of all output, what they wrote; 0: not known
    struct counters compiled, written;
    struct copy_waits waits;                    // of a job that wants them
    struct warp_balance balance;                // the same
    struct glance_tally through[PASSAGE_KINDS]; // of a job that wants them: of two warps of each of some blocks
};

// Warp instructions that read textures or surfaces, or write these. Nsight Compute calls them
// smsp__inst_executed_op_texture, _surface_ld and _surface_st. What memory traffic they make is not counted.
struct texture_counts {
    uint64_t fetches, surface_loads, surface_stores;
};

struct record {
    char device[64]; // "simulated (sm_90)", "NVIDIA H200"
    struct texture_counts textures;
    struct counter_table counters;
    struct hazard_list hazards;
    bool hands_over;        // of a job that wants hazards: sim_program_hands_over
    double hazards_watched; // share of the accesses that were looked at; 0: none, or nobody asked
    struct recording recording;
    struct sim_result run;
    double modelled_us, measured_us;   // 0 = none
    struct prediction model;           // when modelled_us is not 0
    char model_gpu[64];                // the GPU that it is for
    struct probed probed;              // of a job with a probe
    struct device_resources resources; // that it is made with; registers 0: they are estimated
    // Of the simulator: an argument that is only to be read and that the kernel changed, and its first such element.
    const struct device_arg *changed; // NULL: none
    size_t changed_element;
    double changed_to;
};
void record_free(struct record *record);

struct device;
struct device_ops {
    const char *name; // "sim", "gpu"
    enum status (*open)(struct device *device, struct diagnostic *diagnostic);
    enum status (*run)(struct device *device, struct device_job *job, struct record *record,
                       struct diagnostic *diagnostic);
    void (*close)(struct device *device); // NULL: there is nothing to close
};

struct device {
    const struct device_ops *ops;
    int gpu;                           // which one; -1 = the idlest
    char gpu_model[64];                // what the simulator models, by name; "": nobody chose
    const struct gpu_profile *profile; // of the simulator: that one, or the default
    char label[64];                    // for people
    void *state;
};

// The value of an argument that is no buffer, as it lies in the parameter block: bytes in all, device addresses of
// buffers (by argument) in the place of its pointers. data: the same for a buffer's data that is on the device already.
size_t device_arg_size(const struct device_arg *arg);
void device_arg_value(const struct device_arg *args, size_t count, size_t which, const uint64_t *addresses,
                      unsigned char *data);
// The argument whose data a texture shows: itself, or the one that it names; count: there is none.
size_t device_texture_source(const struct device_arg *args, size_t count, size_t which);
// The argument that a pointer leads to; count: there is none of that name.
size_t device_pointer_target(const struct device_arg *args, size_t count, const struct device_pointer *pointer);
// The .global or .const variable that C calls so; NULL: there is none.
const struct ptx_variable *device_variable(const struct ptx_module *module, const char *name);
// Why arg cannot be given for param; NULL: it can. A .b32 says nothing about what it holds.
const char *device_mismatch(const struct ptx_variable *param, const struct device_arg *arg);

#endif
