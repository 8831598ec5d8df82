// `trace`: any kernel of any .cu or .ptx, run and counted.
#include "cli/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "device/cuda.h"
#include "device/on_demand.h"
#include "device/simulator.h"
#include "lesson/arrays.h"
#include "record/replay_json.h"
#include "toolchain/ptxas.h"

enum {
    PTX_MAX_BYTES = 64 << 20,
    PRINT_MAX_BYTES = 1 << 20,
    RANDOM_RUNS = 4,              // of kernels whose blocks hand over data
    RANDOM_INSTRUCTIONS = 2000000 // warp instructions of each, at most
};

static const double RANDOM_SECONDS = 1; // of each, and of all that begin

// ---- the line

static bool read_shape(void *field, const char *text)
{
    uint32_t *shape = field;
    for (int i = 0; i < 3; i++) {
        char *end;
        if (*text < '0' || *text > '9')
            return false;
        unsigned long value = strtoul(text, &end, 10);
        if (value == 0 || value > UINT32_MAX)
            return false;
        shape[i] = (uint32_t)value;
        if (*end == '\0')
            return true;
        if (*end != ',' && *end != 'x')
            return false;
        text = end + 1;
    }
    return false;
}

static bool read_schedule(void *field, const char *text)
{
    struct trace_order *order = field;
    static const struct {
        const char *name;
        enum sim_schedule schedule;
    } rows[] = {{"in-turn", SIM_ROUND_ROBIN}, {"random", SIM_RANDOM}, {"one-ahead", SIM_ONE_AHEAD}};
    size_t length = strcspn(text, ":");
    long long seed = 0;
    if (text[length] == ':' && !cli_number(text + length + 1, 0, INT64_MAX, &seed))
        return false;
    order->seed = (uint64_t)seed;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strlen(rows[i].name) == length && memcmp(rows[i].name, text, length) == 0) {
            order->schedule = rows[i].schedule;
            order->is_given = true;
            return true;
        }
    }
    return false;
}

static const struct cli_option trace_options[] = {
    {'k', "kernel", "NAME", "as in the source, also a template that nothing instantiates ('tile<32, 1>'), or mangled",
     CLI_TO_STRING(struct trace, kernel)},
    {0, "grid", "X[,Y[,Z]]", "blocks", CLI_TO_READ(struct trace, shape.grid, read_shape, "X, X,Y or X,Y,Z from 1")},
    {0, "block", "X[,Y[,Z]]", "threads per block",
     CLI_TO_READ(struct trace, shape.block, read_shape, "X, X,Y or X,Y,Z from 1")},
    {0, "cooperative", NULL, "launch all blocks at once, for this_grid().sync()",
     CLI_TO_FLAG(struct trace, shape.cooperative)},
    {0, "cluster", "X[,Y[,Z]]", "blocks of a cluster (default: the kernel's __cluster_dims__)",
     CLI_TO_READ(struct trace, shape.cluster, read_shape, "X, X,Y or X,Y,Z from 1")},
    {0, "shared", "BYTES", "dynamic shared memory",
     CLI_TO_NUMBER(struct trace, shape.dynamic_shared, 0, 1 << 30, "a number of bytes")},
    {'a', "arg", "SPEC", "NAME:TYPE=VALUE, NAME:TYPE[COUNT]=FILL; in order", CLI_TO_LIST(struct trace, specs)},
    {0, "args", "FILE.json", "from a file: {\"n\": \"s32=256\", \"a\": \"f32[256]=iota\"}",
     CLI_TO_STRING(struct trace, args_file)},
    {0, "buffer", "SPEC", "a buffer that no parameter takes, for pointers", CLI_TO_LIST(struct trace, buffers)},
    {0, "set", "NAME=FILL", "what a __device__ or __constant__ variable holds; NAME:TYPE=…",
     CLI_TO_LIST(struct trace, sets)},
    {0, "dump", "NAME", "print this buffer's values afterwards (may be repeated)", CLI_TO_LIST(struct trace, dumps)},
    CLI_OPTION_JSON(struct trace, json),
    {0, "list", NULL, "list the kernels, each with a line that runs it", CLI_TO_FLAG(struct trace, list)},
    {'I', "include", "DIR", "a folder of headers, besides the file's own", CLI_TO_LIST(struct trace, include_dirs)},
    {'D', "define", "NAME[=V]", "a macro for the compiler", CLI_TO_LIST(struct trace, defines)},
    {0, "instantiate", "KERNEL", "also compile this instance: 'tile<float, 32>'",
     CLI_TO_LIST(struct trace, instantiations)},
    {0, "std", "c++NN", "the C++ standard (default: c++17)", CLI_TO_STRING(struct trace, standard)},
    {0, "compiler-option", "OPT", "-use_fast_math, --extended-lambda, -fmad=false, -O0 …",
     CLI_TO_LIST(struct trace, compiler_options)},
    {0, "compile-seconds", "N", "the compiler's time limit (default: 20)",
     CLI_TO_NUMBER(struct trace, compile_seconds, 1, 3600, "a number of seconds from 1")},
    {0, "compile-memory", "GB", "the memory that it may take (default: 2)",
     CLI_TO_NUMBER(struct trace, compile_memory, 1, 1024, "a number of gigabytes from 1")},
    {0, "arch", "NAME", "compile for this architecture (default: the GPU's, or sm_90)",
     CLI_TO_STRING(struct trace, arch)},
    CLI_OPTION_COMPILER(struct trace, run),
    CLI_OPTIONS_DEVICE(struct trace, run),
    {0, "schedule", "NAME", "in-turn (default), random[:SEED], one-ahead[:WARP]",
     CLI_TO_READ(struct trace, order, read_schedule, "in-turn, random[:SEED] or one-ahead[:WARP]")},
    {0, "time-limit", "SECONDS", "stop a run that takes longer (default: 60)",
     CLI_TO_NUMBER(struct trace, seconds, 1, 1000000, "a number of seconds from 1")},
    {0, "as-written", NULL, "compile without optimisation: hazards that the compiler removes",
     CLI_TO_FLAG(struct trace, as_written)},
    {0, "predict", NULL, "model the time alone: run no more blocks than that takes, however large the grid",
     CLI_TO_FLAG(struct trace, predict)},
    {0, "timeline", "FILE.json", "write what the time model's replay saw, cycle by cycle",
     CLI_TO_STRING(struct trace, timeline)},
    {0, "lab", "WHAT", "answer the lab's screen: report, timeline or the number of a block to record",
     CLI_TO_STRING(struct trace, lab)},
    {0, "no-hazards", NULL, "do not look for races", CLI_TO_FLAG(struct trace, without_hazards)},
    {0},
};

// ---- the road: source, PTX, module, entry, arguments, run

// The source with a function behind it that names the kernels that --instantiate asks for.
static enum status instantiate(struct trace *trace, char **source, size_t *length)
{
    struct text text = {0};
    enum status status = toolchain_read_source(trace->path, NULL, NULL, source, length, &trace->error);
    if (status != STATUS_OK)
        return status;
    text_append(&text, *source, *length);
    text_puts(&text, "\n#line 1 \"--instantiate\"\n");
    for (size_t i = 0; i < trace->instantiations.count; i++) {
        const char *kernel = trace->instantiations.items[i];
        if (strpbrk(kernel, ";{}#\\\n\r") || !strchr(kernel, '<'))
            status = diagnostic_set(&trace->error, STATUS_USAGE,
                                    "--instantiate %.100s: a kernel with its template's arguments is wanted, as in "
                                    "'tile<float, 32>'",
                                    kernel);
        text_printf(&text, "void bankshot_instantiate_%zu() { auto kernel = &%s; (void)kernel; }\n", i, kernel);
        if (trace->wants_name) // which instance that is, arguments left out and all, the name of another one says
            text_printf(&text,
                        "#if __cplusplus >= 201703L\ntemplate <auto *> __global__ void bankshot_named() {}\n"
                        "void bankshot_name() { auto kernel = &bankshot_named<&%s>; (void)kernel; }\n#endif\n",
                        kernel);
    }
    free(*source);
    *source = text.data;
    *length = text.length;
    return status;
}

static enum status load_ptx(struct trace *trace, const char *const *flags)
{
    struct diagnostic *error = &trace->error;
    if (text_ends(trace->path, ".ptx") && trace->as_written)
        return diagnostic_set(error, STATUS_USAGE, "--as-written: a .ptx file is compiled already; give the .cu");
    if (text_ends(trace->path, ".ptx"))
        return file_read(trace->path, PTX_MAX_BYTES, &trace->ptx, &trace->ptx_length, error);
    enum toolchain_kind kind;
    struct toolchain toolchain;
    enum status status = toolchain_kind_parse(trace->run.compiler, &kind, error);
    if (status == STATUS_OK)
        status = toolchain_find(kind, NULL, &toolchain, error);
    if (status != STATUS_OK)
        return status;
    struct cuda_info gpu;
    int count;
    if (!trace->arch && strcmp(trace->run.device, "sim") != 0 &&
        cuda_describe(trace->run.gpu, &gpu, &count, NULL) == STATUS_OK)
        snprintf(toolchain.arch, sizeof toolchain.arch, "sm_%d", gpu.sm);
    char *source = NULL;
    size_t length = 0;
    if (trace->instantiations.count)
        status = instantiate(trace, &source, &length);
    if (status != STATUS_OK) {
        free(source);
        return status;
    }
    struct compile_request request = {.path = trace->path,
                                      .source = source,
                                      .source_length = length,
                                      .arch = trace->arch,
                                      .optimisation = trace->as_written ? "-O0" : trace->optimisation,
                                      .flags = flags,
                                      .wall_limit = trace->compile_seconds,
                                      .memory_limit = (uint64_t)trace->compile_memory << 30,
                                      .include_dirs = trace->include_dirs.items,
                                      .own_folder = true};
    status = toolchain_compile(&toolchain, &request, &trace->compiled, error);
    free(source);
    trace->ptx = trace->compiled.ptx;
    trace->ptx_length = trace->compiled.ptx_length;
    return status;
}

static void keep_printed(void *context, const char *text, size_t length)
{
    struct text *printed = context;
    if (printed->length < PRINT_MAX_BYTES)
        text_append(printed, text, length);
}

static bool wants_log(const struct trace *trace)
{
    return trace->timeline || (trace->lab && strcmp(trace->lab, "timeline") == 0);
}

static bool wants_block(const struct trace *trace)
{
    return trace->lab && *trace->lab >= '0' && *trace->lab <= '9';
}

static struct device_job make_job(struct trace *trace)
{
    bool watches = !trace->predict;
    struct device_job job = {.module = trace->module,
                             .ptx = trace->ptx,
                             .ptx_length = trace->ptx_length,
                             .entry = trace->entry,
                             .shape = trace->shape,
                             .args = trace->args,
                             .arg_count = trace->arg_count,
                             .settings = trace->settings,
                             .setting_count = trace->setting_count,
                             // of PTX whose source is not at hand, the places are those of its .loc lines
                             .main_file = trace->compiled.ptx ? trace->path : NULL,
                             .names = {shared_element, trace->compiled.source},
                             .want_counters = watches,
                             .want_hazards = watches && !trace->without_hazards,
                             .want_recording = watches,
                             .want_model = true,
                             .model_only = trace->predict,
                             .log = wants_log(trace) ? &trace->log : NULL,
                             .recorded_block = wants_block(trace) ? strtoull(trace->lab, NULL, 10) : 0,
                             .wall_limit = trace->seconds,
                             .schedule = trace->order.schedule,
                             .seed = trace->order.seed,
                             .print = keep_printed,
                             .print_context = &trace->printed};
    return job;
}

// What the modelled time of some blocks cannot stand for.
static enum status check_prediction(struct trace *trace)
{
    const char *why = NULL;
    uint32_t dims[3];
    if (strcmp(trace->run.device, "gpu") == 0)
        why = "the time is modelled, and a GPU measures it: leave --device away";
    else if (trace->dumps.count)
        why = "few blocks run, so that buffers do not hold what the kernel leaves: --dump needs a whole run";
    else if (trace->shape.cooperative)
        why = "a grid that waits for all of its blocks cannot be told by some of them";
    else if (launch_cluster(&trace->shape, trace->entry, dims) > 1)
        why = "blocks of a cluster work on one another's shared memory, and there is no model of that";
    for (uint32_t i = 0; i < trace->entry->inst_count && !why; i++) {
        enum ptx_opcode op = trace->entry->insts[i].op;
        if (op == PTX_OP_TEX || op == PTX_OP_TLD4 || op == PTX_OP_SULD || op == PTX_OP_SUST || op == PTX_OP_SURED)
            why = "the kernel uses textures or surfaces, and there is no model of their time";
    }
    return why ? diagnostic_set(&trace->error, STATUS_USAGE, "--predict: %s", why) : STATUS_OK;
}

// The GPU's run starts from the same bytes as the simulator's: the specs are read again.
static enum status run_on_gpu(struct trace *trace, struct device *gpu)
{
    struct record record = {0};
    trace_arguments_free(trace);
    enum status status = trace_arguments(trace);
    if (status == STATUS_OK)
        status = trace_settings(trace);
    if (status != STATUS_OK)
        return status;
    struct device_job job = make_job(trace);
    job.print = NULL;
    status = device_run(gpu, &job, &record, &trace->error);
    trace->measured_us = record.measured_us;
    snprintf(trace->device, sizeof trace->device, "%s", gpu->label);
    record_free(&record);
    return status;
}

// Where blocks hand over data and nobody asked for a schedule: hazards that only show when blocks take turns at random.
// What goes wrong there is left to who asks for that schedule.
static void look_at_random(struct trace *trace, struct device *simulator)
{
    struct trace other = *trace;
    double start = clock_seconds();
    for (uint64_t seed = 1; seed <= RANDOM_RUNS && clock_seconds() - start < RANDOM_SECONDS; seed++) {
        struct record record = {0};
        struct diagnostic ignored;
        other.arg_count = other.setting_count = 0;
        memset(other.args, 0, sizeof other.args);
        if (trace_arguments(&other) == STATUS_OK && trace_settings(&other) == STATUS_OK) {
            struct device_job job = make_job(&other);
            job.want_counters = job.want_recording = job.want_model = false;
            job.log = NULL;
            job.print = NULL;
            job.schedule = SIM_RANDOM;
            job.seed = seed;
            job.wall_limit = RANDOM_SECONDS;
            if (device_run(simulator, &job, &record, &ignored) == STATUS_OK)
                for (size_t i = 0; i < record.hazards.count; i++) {
                    struct hazard *hazard = &record.hazards.items[i];
                    size_t length = strlen(hazard->message);
                    snprintf(hazard->message + length, sizeof hazard->message - length,
                             " (Seen where blocks take turns at random: --schedule random:%llu.)",
                             (unsigned long long)seed);
                    hazard_list_add(&trace->record.hazards, hazard);
                }
            record_free(&record);
        }
        trace_arguments_free(&other);
    }
}

static enum status predict_alone(struct trace *trace, struct device *simulator, struct device_job *job)
{
    struct on_demand *made = on_demand_new(trace->args, trace->arg_count, NULL, NULL);
    struct device_probe probe = on_demand_probe(made);
    job->probe = &probe;
    enum status status = device_run(simulator, job, &trace->record, &trace->error);
    trace->blocks_run = on_demand_blocks(made);
    on_demand_free(made);
    return status;
}

// What no assembler takes runs here all the same, and on no GPU.
static void note_refusal(struct trace *trace, const struct ptxas *ptxas)
{
    char said[256];
    struct diagnostic warning = {0};
    if (!ptxas_refusal(ptxas, said, sizeof said))
        return;
    diagnostic_at(&warning, STATUS_OK, trace->path, 0, 0, "ptxas refuses this PTX, so that no GPU runs it: %s", said);
    warning.severity = SEVERITY_WARNING;
    diagnostic_add(&trace->compiled.diagnostics, &warning);
}

// Counters and hazards always come from the simulator; a GPU adds its time and gives the values.
static enum status run_devices(struct trace *trace)
{
    struct device simulator, chosen;
    struct diagnostic *error = &trace->error;
    double start = clock_seconds();
    char own[64];
    const char *modelled = trace->run.gpu_model;
    if (!modelled && strcmp(trace->run.device, "sim") != 0 && device_own_model(trace->run.gpu, own))
        modelled = own;
    enum status status =
        device_open(&chosen, trace->predict ? "sim" : trace->run.device, modelled, trace->run.gpu, error);
    if (status != STATUS_OK)
        return status;
    status = device_open(&simulator, "sim", modelled, -1, error);
    if (status == STATUS_OK) {
        struct device_job job = make_job(trace);
        const struct gpu_profile *model = device_modelled_gpu(&simulator, trace->module->sm);
        struct ptxas *ptxas = ptxas_start(trace->ptx, trace->ptx_length, trace->entry->name, model->sm);
        job.resources = ptxas_answer;
        job.resources_context = ptxas;
        status = trace->predict ? predict_alone(trace, &simulator, &job)
                                : device_run(&simulator, &job, &trace->record, error);
        note_refusal(trace, ptxas);
        ptxas_free(ptxas);
        if (trace->predict && status == STATUS_CANCELLED && clock_seconds() - start >= trace->seconds)
            status = diagnostic_set(
                error, STATUS_TIMEOUT,
                "the prediction was stopped after %u s; a block does not end, or takes too long here", trace->seconds);
        trace->blocks_run = trace->predict ? trace->blocks_run : trace->record.run.blocks;
        snprintf(trace->device, sizeof trace->device, "%s", trace->record.device);
        if (status == STATUS_OK && trace->record.hands_over && !trace->order.is_given && !wants_block(trace) &&
            trace->record.run.warp_instructions <= RANDOM_INSTRUCTIONS)
            look_at_random(trace, &simulator);
        device_close(&simulator);
    }
    if (status == STATUS_OK && strcmp(chosen.ops->name, "gpu") == 0)
        status = run_on_gpu(trace, &chosen);
    device_close(&chosen);
    if (status == STATUS_TIMEOUT && clock_seconds() - start >= trace->seconds) {
        size_t used = strlen(error->message);
        snprintf(error->message + used, sizeof error->message - used, "; --time-limit SECONDS gives it longer");
    }
    return status;
}

// A fault in PTX that says nothing of its source: the instruction itself.
static void quote_instruction(struct trace *trace)
{
    uint32_t line = trace->record.run.ptx_line;
    const char *at = trace->ptx, *file = trace->error.file;
    if (!line || (trace->error.line > 0 && !text_ends(file, ".ptx")))
        return;
    for (uint32_t i = 1; i < line && (at = strchr(at, '\n')); i++)
        at++;
    if (!at)
        return;
    at += strspn(at, " \t");
    struct text quoted = {0};
    text_escape(&quoted, at, strcspn(at, "\n\r") < 100 ? strcspn(at, "\n\r") : 100, false);
    size_t used = strlen(trace->error.message);
    snprintf(trace->error.message + used, sizeof trace->error.message - used, ": `%s`", text_get(&quoted));
    text_free(&quoted);
}

static enum status write_timeline(struct trace *trace)
{
    if (!trace->log.row_count)
        return diagnostic_set(&trace->error, STATUS_UNSUPPORTED, "%s is not written: this launch has no modelled time",
                              trace->timeline);
    json_t *json = replay_log_json(&trace->log);
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    enum status status = text ? file_write(trace->timeline, text, strlen(text), &trace->error) : STATUS_IO;
    free(text);
    return status;
}

// An access past the end of shared memory: how much of it the launch gave, where the kernel leaves that to the launch.
static void name_dynamic_shared(struct trace *trace)
{
    struct arena *arena = arena_new();
    struct ptx_shared_layout layout = ptx_shared_layout(trace->entry, arena);
    const struct ptx_variable *last = layout.count ? layout.slots[layout.count - 1].variable : NULL;
    char name[128];
    size_t used = strlen(trace->error.message);
    if (trace->record.run.fault == SIM_FAULT_BOUNDS && trace->record.run.space == PTX_SHARED && last && last->size == 0)
        snprintf(trace->error.message + used, sizeof trace->error.message - used,
                 "; the launch gives `%s` %u bytes: --shared BYTES", ptx_short_name(last->name, name, sizeof name),
                 trace->shape.dynamic_shared);
    arena_free(arena);
}

static enum status find_entry(struct trace *trace)
{
    enum status status = ptx_find_entry(trace->module, trace->kernel, &trace->entry, &trace->error);
    struct text templates = {0};
    if (status != STATUS_OK)
        trace_offer_templates(trace, &templates);
    size_t used = strlen(trace->error.message);
    if (templates.length)
        snprintf(trace->error.message + used, sizeof trace->error.message - used,
                 ". Templates that nothing instantiates: %.300s", text_get(&templates));
    text_free(&templates);
    return status;
}

static enum status parse_kernels(struct trace *trace)
{
    enum status status = ptx_parse_any(trace->path, trace->ptx, trace->ptx_length, &trace->module, &trace->error);
    if (status == STATUS_OK && trace->as_written)
        ptx_write_out(trace->module, trace->path);
    if (status != STATUS_OK && trace->ptx && trace->ptx == trace->compiled.ptx)
        status = toolchain_blame_source(&trace->compiled, &trace->error);
    return status;
}

// The instance that --kernel asks for and that is not found by that name: a template with arguments, which nothing
// instantiates or some of which are left out, or the name alone of one that needs none. NULL: it is none.
static const char *named_instance(const struct trace *trace, struct arena *arena)
{
    const struct ptx_function *entry;
    struct diagnostic ignored;
    if (!trace->kernel || trace->instantiations.count || !trace->compiled.ptx ||
        ptx_find_entry(trace->module, trace->kernel, &entry, &ignored) == STATUS_OK)
        return NULL;
    if (strchr(trace->kernel, '<'))
        return trace->kernel;
    return trace_needs_no_arguments(trace, trace->kernel) ? arena_printf(arena, "%s<>", trace->kernel) : NULL;
}

// An instance of bankshot_named.
static bool is_namer(const struct ptx_function *function)
{
    return text_starts(function->name, "_Z14bankshot_namedI");
}

// The first kernel that the other module does not have; NULL: none.
static const char *new_kernel(const struct ptx_module *module, const struct ptx_module *other)
{
    for (uint32_t i = 0; i < module->function_count; i++) {
        bool is_known = !module->functions[i]->is_entry || is_namer(module->functions[i]);
        for (uint32_t j = 0; j < other->function_count && !is_known; j++)
            is_known = strcmp(module->functions[i]->name, other->functions[j]->name) == 0;
        if (!is_known)
            return module->functions[i]->name;
    }
    return NULL;
}

// The kernel that bankshot_named was instantiated for; NULL: none, as before C++17.
static const char *told_kernel(const struct ptx_module *module)
{
    static const char address[] = "XadL"; // newer clangs put the type of the parameter before it
    const char *told = "";
    for (uint32_t i = 0; i < module->function_count; i++) {
        const char *at = is_namer(module->functions[i]) ? strstr(module->functions[i]->name, address) : NULL;
        told = at ? at + strlen(address) : told;
    }
    for (uint32_t i = 0; i < module->function_count; i++) {
        const char *name = module->functions[i]->name;
        size_t length = strlen(name);
        if (module->functions[i]->is_entry && text_starts(told, name) && strcmp(told + length, "EEEvv") == 0)
            return name;
    }
    return NULL;
}

// As if --instantiate had asked for it. Where that does not compile, it is as it was.
static enum status instantiate_named(struct trace *trace, const char *instance, const char *const *flags)
{
    struct trace other = *trace;
    other.compiled = (struct compile_result){0};
    other.ptx = NULL;
    other.module = NULL;
    other.instantiations = (struct cli_list){.items = {instance}, .count = 1};
    other.wants_name = true;
    bool good = load_ptx(&other, flags) == STATUS_OK && parse_kernels(&other) == STATUS_OK;
    const char *name = good ? told_kernel(other.module) : NULL;
    if (good && !name)
        name = new_kernel(other.module, trace->module);
    struct trace *gone = good ? trace : &other;
    ptx_module_free(gone->module);
    compile_result_free(&gone->compiled);
    if (good) {
        trace->compiled = other.compiled;
        trace->ptx = other.ptx;
        trace->ptx_length = other.ptx_length;
        trace->module = other.module;
        trace->kernel = name ? name : trace->kernel;
    }
    return STATUS_OK;
}

static enum status run_trace(struct trace *trace)
{
    const char *flags[2 * CLI_LIST_MAX + 2] = {NULL};
    size_t flag_count = 0;
    struct arena *arena = arena_new();
    for (size_t i = 0; i < trace->defines.count; i++)
        flags[flag_count++] = arena_printf(arena, "-D%s", trace->defines.items[i]);
    if (trace->standard)
        flags[flag_count++] = arena_printf(arena, "-std=%s", trace->standard);
    for (size_t i = 0; i < trace->compiler_options.count; i++) {
        const char *option = trace->compiler_options.items[i];
        if (text_starts(option, "-O") && option[2])
            trace->optimisation = option;
        else
            flags[flag_count++] = option;
    }
    enum status status = trace_arguments(trace);
    if (status == STATUS_OK)
        status = load_ptx(trace, flags);
    if (status == STATUS_OK)
        status = parse_kernels(trace);
    const char *instance = status == STATUS_OK && !trace->list ? named_instance(trace, arena) : NULL;
    if (instance)
        status = instantiate_named(trace, instance, flags);
    arena_free(arena);
    if (status != STATUS_OK || trace->list)
        return status;
    status = find_entry(trace);
    if (status == STATUS_OK)
        status = trace_settings(trace);
    if (status == STATUS_OK && trace->predict)
        status = check_prediction(trace);
    if (status == STATUS_OK)
        status = run_devices(trace);
    if (status != STATUS_OK)
        quote_instruction(trace);
    if (status == STATUS_OK && trace->timeline)
        status = write_timeline(trace);
    if (status == STATUS_FAULT)
        name_dynamic_shared(trace);
    return status;
}

// ---- the command

static void release_trace(struct trace *trace)
{
    record_free(&trace->record);
    ptx_module_free(trace->module);
    if (trace->ptx != trace->compiled.ptx)
        free(trace->ptx);
    compile_result_free(&trace->compiled);
    trace_arguments_free(trace);
    text_free(&trace->printed);
    replay_log_free(&trace->log);
}

// Compiler messages; the first error of a failed compilation is in trace->error as well.
static void print_messages(const struct trace *trace)
{
    const struct diagnostic_list *list = &trace->compiled.diagnostics;
    char line[1200];
    for (size_t i = 0; i < list->count; i++) {
        cli_print_escaped(stderr, diagnostic_format(&list->items[i], line, sizeof line));
        cli_print_escaped(stderr, "\n");
    }
}

static int answer_trace(const struct trace *trace, enum status status)
{
    struct text out = {0};
    if (trace->list && status == STATUS_OK)
        trace_list(trace, &out);
    else if (trace->json)
        trace_report_json(trace, &out);
    else if (status == STATUS_OK || trace->record.run.blocks > 0)
        trace_report_text(trace, &out);
    cli_print_text(&out);
    print_messages(trace);
    if (status == STATUS_OK)
        return CLI_PASSED;
    if (status == STATUS_COMPILE && trace->compiled.diagnostics.count > 0)
        return CLI_FAILED;
    return cli_diagnostic(&trace->error);
}

static int run_file(struct cli_call *call)
{
    struct trace *trace = call->request;
    trace->path = call->words[0];
    if (!trace->list && (!trace->shape.grid[0] || !trace->shape.block[0]))
        return cli_usage(call->command,
                         "%s is missing: 'bankshot trace --list %s' prints a line with all that is needed",
                         trace->shape.grid[0] ? "--block" : "--grid", trace->path);
    enum status ended = run_trace(trace);
    int status = CLI_PASSED;
    if (trace->lab)
        trace_report_lab(trace, ended);
    else
        status = answer_trace(trace, ended);
    release_trace(trace);
    return status;
}

const struct cli_command cli_command_trace = {
    .name = "trace",
    .arguments = "FILE.cu|FILE.ptx",
    .summary = "Run a kernel from any .cu or .ptx and count what it does",
    .description = "Types: u8 s8 u16 s16 u32 s32 u64 s64 f16 bf16 f32 f64. Fills: zero, none (never\n"
                   "written), iota (0, 1, 2 …), random or random:SEED, V,V,V… or one value for\n"
                   "all, @file (raw little-endian). Only the device side of a .cu is compiled.\n"
                   "Pointers: p:ptr=BUFFER or BUFFER+BYTES; p:ptr[2]=a,b is a buffer of them.\n"
                   "Structs by value: s:{f32=1,s32=2,ptr=a,{u8=3}}, laid out as in C, or\n"
                   "s:bytes[24]=FILL.\n"
                   "Textures: t:tex(f32x4[64*48],linear,wrap,normalized)=FILL; x2 and x4 are\n"
                   "channels, [W], [W*H], [W*H*D] the size (with layered: of W*LAYERS or\n"
                   "W*H*LAYERS; with cube: W*W*6). Words: point linear, wrap clamp mirror\n"
                   "border border=V (one, or one for x, y and z), normalized, as-float (u8 s8\n"
                   "u16 s16), layered, cube, memory (for tex1Dfetch). t:tex(of=NAME,…) shows\n"
                   "another argument's elements. Surfaces: s:surf(u8x4[64*48])=FILL.\n"
                   "Tensor maps: m:tmap(f32[64*48],of=BUFFER,box=32*8,swizzle=128), up to five\n"
                   "sizes, x first; strides=BYTES*…, estrides=1*2…, fill=nan, l2=256.\n"
                   "Example:\n"
                   "  bankshot trace tests/kernels/ladder.cu --kernel 'tr_tile<0, 32>' \\\n"
                   "      --grid 8,8 --block 32,32 --arg 'o:f32[256*256]=zero' \\\n"
                   "      --arg 'a:f32[256*256]=random' --arg n:s32=256",
    .options = trace_options,
    .request_size = sizeof(struct trace),
    .defaults =
        &(const struct trace){.shape = {.grid = {0, 1, 1}, .block = {0, 1, 1}}, .run = CLI_RUN_DEFAULTS, .seconds = 60},
    .least_words = 1,
    .most_words = 1,
    .word_rule = "give one .cu or .ptx file",
    .run = run_file,
};
