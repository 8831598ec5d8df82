// What `trace` runs and reports.
#ifndef BANKSHOT_CLI_TRACE_H
#define BANKSHOT_CLI_TRACE_H

#include "device/device.h"
#include "toolchain/toolchain.h"

enum { TRACE_MAX_WORDS = 64 };

struct trace {
    // What was asked for.
    const char *path, *kernel; // kernel: NULL = the only one
    const char *arch;
    uint32_t grid[3], block[3], dynamic_shared;
    const char *specs[DEVICE_MAX_ARGS];
    size_t spec_count;
    const char *dumps[TRACE_MAX_WORDS];
    size_t dump_count;
    const char *include_dirs[TRACE_MAX_WORDS + 1];
    size_t include_count;
    const char *flags[TRACE_MAX_WORDS + 1];
    size_t flag_count;
    enum sim_schedule schedule;
    uint64_t seed;
    bool without_hazards;

    // What came of it. error.code is OK when the kernel ran to its end.
    struct compile_result compiled; // of a .cu
    char *ptx;                      // the text that ran (compiled.ptx or the file's)
    size_t ptx_length;
    struct ptx_module *module;
    const struct ptx_function *entry;
    struct device_arg args[DEVICE_MAX_ARGS];
    struct record record;
    double measured_us; // 0 = not on a GPU
    char device[64];
    struct text printed; // what the kernel printed
    struct diagnostic error;
};

// The report as one JSON object (docs/machine-interface.md), and as text of 80 columns.
void trace_report_json(const struct trace *trace, struct text *out);
void trace_report_text(const struct trace *trace, struct text *out);

#endif
