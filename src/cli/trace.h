// What `trace` runs and reports.
#ifndef BANKSHOT_CLI_TRACE_H
#define BANKSHOT_CLI_TRACE_H

#include "cli/cli.h"
#include "device/device.h"
#include "toolchain/kernels.h"
#include "toolchain/toolchain.h"

struct trace_order { // of the warps
    enum sim_schedule schedule;
    uint64_t seed;
    bool is_given;
};

struct trace {
    // What was asked for.
    const char *path, *kernel; // kernel: NULL = the only one
    const char *arch;
    struct launch_shape shape;
    const char *args_file;
    struct cli_list specs, buffers, sets, dumps, include_dirs, defines, compiler_options, instantiations;
    const char *standard, *optimisation;
    int compile_seconds, compile_memory; // s, GB; 0: not given
    struct {
        const char *compiler, *device, *gpu_model;
        int gpu;
    } run;
    struct trace_order order;
    uint32_t seconds;     // that the run may take
    const char *timeline; // file to write; NULL = none
    const char *lab;      // what the lab's screen wants: "report", "timeline", or a block's number
    bool without_hazards, as_written, json, list, predict;
    bool wants_name; // of what instantiations ask for

    // What came of it. error.code is OK when the kernel ran to its end.
    struct compile_result compiled; // of a .cu
    char *ptx;                      // the text that ran (compiled.ptx or the file's)
    size_t ptx_length;
    struct ptx_module *module;
    const struct ptx_function *entry;
    struct device_arg args[DEVICE_MAX_ARGS]; // those that are no parameters come last
    size_t arg_count;
    struct device_arg settings[CLI_LIST_MAX];
    size_t setting_count;
    struct record record;
    uint64_t blocks_run;
    double measured_us; // 0 = not on a GPU
    char device[64];
    struct text printed; // what the kernel printed
    struct replay_log log;
    struct diagnostic error;
};

// trace_args.c: reads what --args, --arg and --buffer say; what --set says, which needs the module.
enum status trace_arguments(struct trace *trace);
enum status trace_settings(struct trace *trace);
void trace_arguments_free(struct trace *trace);

// trace_list.c: each kernel with a line that runs it. The options that instantiate the templates that nothing else
// does, as a list of text.
void trace_list(const struct trace *trace, struct text *out);
void trace_offer_templates(const struct trace *trace, struct text *out);
// The source has a template of this name, all of whose parameters have defaults.
bool trace_needs_no_arguments(const struct trace *trace, const char *kernel);

// The report as one JSON object (docs/machine-interface.md), and as text of 80 columns.
void trace_report_json(const struct trace *trace, struct text *out);
// The event that the lab's screen reads (grade/worker.h).
void trace_report_lab(struct trace *trace, enum status status);
void trace_report_text(const struct trace *trace, struct text *out);

#endif
