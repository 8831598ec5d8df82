// `calibrate`: measures this machine's GPU by small kernels, writes its profile, and says how well the model then fits.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "device/cuda.h"
#include "device/device.h"
#include "model/profiles.h"

struct calibrate_request {
    const char *name;
    int gpu;
    bool list, json;
};

static const struct cli_option calibrate_options[] = {
    CLI_OPTION_JSON(struct calibrate_request, json),
    {0, "gpu", "N", "which GPU (default: the idlest)",
     CLI_TO_NUMBER(struct calibrate_request, gpu, 0, 1023, "a number from 0")},
    {0, "name", "NAME", "the profile's name (default: the GPU's)", CLI_TO_STRING(struct calibrate_request, name)},
    {0, "list", NULL, "only list the profiles that there are", CLI_TO_FLAG(struct calibrate_request, list)},
    {0},
};

// What was measured, and what became of it.
struct calibrating {
    struct device device;
    struct gpu_profile facts;
    struct probe probes[PROBES_MAX];
    struct calibration_row rows[PROBES_MAX]; // of each probe
    double predicted[PROBES_MAX];            // of those that check
    size_t count;
    struct calibration calibration;
    char name[PROFILE_NAME];
    char *path;
    double seconds;
    char throttled[128]; // why the GPU slowed itself down; "": it did not
};

// ---- measuring

static enum status measure_rows(struct calibrating *task, struct diagnostic *diagnostic)
{
    struct cuda_probing *probing;
    struct gpu_state state;
    double start = clock_seconds();
    enum status status = cuda_probing_begin(&task->device, &probing, diagnostic);
    for (size_t i = 0; !status && i < task->count; i++) {
        struct calibration_row *row = &task->rows[i];
        snprintf(row->key, sizeof row->key, "%s", task->probes[i].key);
        cli_progress(i, task->count, clock_seconds() - start);
        status = cuda_probe(probing, &task->probes[i], &row->value, &row->spread, diagnostic);
    }
    if (!status)
        cli_progress(task->count, task->count, clock_seconds() - start);
    if (!status && gpu_state_read(cuda_device_info(&task->device)->bus_id, &state))
        gpu_throttle_text(state.throttle_reasons, task->throttled, sizeof task->throttled);
    cuda_probing_end(probing);
    return status;
}

static enum status predict_checks(struct calibrating *task, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; !status && i < task->count; i++)
        if (task->probes[i].checks)
            status = probes_predict(&task->probes[i], &task->calibration.profile, &task->predicted[i], diagnostic);
    return status;
}

static enum status keep_profile(struct calibrating *task, struct diagnostic *diagnostic)
{
    const struct cuda_info *info = cuda_device_info(&task->device);
    char about[256], date[16];
    struct tm utc;
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &utc));
    snprintf(about, sizeof about, "%s, measured by bankshot %s on %s, driver for CUDA %d.%d.", info->name,
             BANKSHOT_VERSION, date, info->driver / 1000, info->driver % 1000 / 10);
    task->path = profile_path(task->name);
    if (!task->path)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                              "there is no home folder to keep the profile in: set XDG_DATA_HOME");
    char *folder = mem_strndup(task->path, (size_t)(strrchr(task->path, '/') - task->path));
    enum status status = file_make_folders(folder, false, diagnostic);
    free(folder);
    return status ? status : profile_write(task->path, &task->calibration, about, diagnostic);
}

static enum status calibrate_gpu(struct calibrating *task, const struct calibrate_request *request,
                                 struct diagnostic *diagnostic)
{
    double start = clock_seconds();
    enum status status = request->name ? profile_check_name(request->name, diagnostic) : STATUS_OK;
    struct diagnostic why;
    if (!status && device_open(&task->device, "gpu", NULL, request->gpu, &why))
        status = diagnostic_set(diagnostic, why.code, "calibrate measures a GPU, and none works here: %.*s",
                                (int)strcspn(why.message, ";"), why.message); // behind that: how to do without
    if (!status)
        status = cuda_profile(&task->device, &task->facts, diagnostic);
    if (!status) {
        snprintf(task->name, sizeof task->name, "%s", request->name ? request->name : task->facts.name);
        status = profile_check_name(task->name, diagnostic);
    }
    if (status)
        return status;
    task->count = probes_make(&task->facts, task->probes);
    status = measure_rows(task, diagnostic);
    if (!status)
        status = calibration_derive(&task->facts, task->rows, task->count, &task->calibration, diagnostic);
    if (!status)
        status = keep_profile(task, diagnostic);
    if (!status)
        status = predict_checks(task, diagnostic);
    task->seconds = clock_seconds() - start;
    return status;
}

// ---- telling

static double percent_off(double value, double from)
{
    return from > 0 ? 100 * (value / from - 1) : 0;
}

static void print_constants(const struct calibrating *task)
{
    const struct calibration *calibration = &task->calibration;
    cli_print("\n%-16s %10s %-6s  %8s  %9s  %s\n", "constant", "here", "", "runs +-", "nearest", "from");
    for (size_t i = 0; i < calibration->count; i++) {
        const struct calibration_constant *item = &calibration->items[i];
        cli_print("%-16s %10.4g %-6s  %6.1f %%  %9.4g  %s%s\n", item->name, item->value, item->unit, 100 * item->spread,
                  item->nearest, item->row_count ? item->rows[0] : "what the driver says",
                  item->row_count > 1 ? " ..." : "");
        if (item->left > 0.02)
            cli_print("%-16s its %zu rows are up to %.0f %% from what follows from it\n", "", item->row_count,
                      100 * item->left);
    }
}

static void print_calibration(const struct calibrating *task)
{
    print_constants(task);
    cli_print("All other constants of the model stay as they are for every GPU (docs/timing-model.md).\n"
              "\n%-44s %12s %12s %8s\n",
              "check", "measured us", "predicted us", "off");
    for (size_t i = 0; i < task->count; i++)
        if (task->probes[i].checks)
            cli_print("%-44s %12.1f %12.1f %+7.0f %%\n", task->rows[i].key, task->rows[i].value, task->predicted[i],
                      percent_off(task->predicted[i], task->rows[i].value));
    if (task->throttled[0])
        cli_print("\nThe GPU slowed itself down meanwhile (%s): measure again when it is cool.\n", task->throttled);
    cli_print("\n%s, in %.0f s. On this machine times are modelled for it from now on; elsewhere\n"
              "copy the file, and name it: --gpu-model \"%s\".\n",
              task->path, task->seconds, task->name);
}

static void print_calibration_json(const struct calibrating *task)
{
    const struct calibration *calibration = &task->calibration;
    json_t *constants = json_array(), *rows = json_array(), *checks = json_array();
    for (size_t i = 0; i < calibration->count; i++) {
        const struct calibration_constant *item = &calibration->items[i];
        json_t *from = json_array();
        for (size_t k = 0; k < item->row_count; k++)
            json_array_append_new(from, json_string(item->rows[k]));
        json_array_append_new(constants, json_pack("{ss sf ss sf sf sf so}", "name", item->name, "value", item->value,
                                                   "unit", item->unit, "nearest", item->nearest, "spread", item->spread,
                                                   "left", item->left, "rows", from));
    }
    for (size_t i = 0; i < task->count; i++) {
        const struct calibration_row *row = &task->rows[i];
        if (task->probes[i].checks)
            json_array_append_new(checks, json_pack("{ss sf sf}", "kernel", row->key, "measured_us", row->value,
                                                    "modelled_us", task->predicted[i]));
        else if (task->probes[i].unit != PROBE_NOTHING)
            json_array_append_new(rows,
                                  json_pack("{ss sf sf}", "row", row->key, "value", row->value, "spread", row->spread));
    }
    cli_print_json(json_pack("{ss ss ss sf ss so so so}", "name", task->name, "gpu", task->facts.name, "file",
                             task->path, "seconds", task->seconds, "throttled", task->throttled, "constants", constants,
                             "rows", rows, "checks", checks));
}

static int list_profiles(bool json)
{
    char **names;
    size_t count = profile_names(&names);
    json_t *list = json_array();
    for (unsigned i = 0; gpu_profile_at(i) && !json; i++)
        cli_print("%-32s built in\n", gpu_profile_at(i)->name);
    for (size_t i = 0; i < count; i++) {
        char *path = profile_path(names[i]);
        json_array_append_new(list, json_pack("{ss ss}", "name", names[i], "file", path));
        if (!json)
            cli_print("%-32s %s\n", names[i], path);
        free(path);
        free(names[i]);
    }
    free(names);
    if (json)
        cli_print_json(list);
    else
        json_decref(list);
    return CLI_PASSED;
}

static int run_calibrate(struct cli_call *call)
{
    const struct calibrate_request *request = call->request;
    struct diagnostic diagnostic = {0};
    if (request->list)
        return list_profiles(request->json);
    struct calibrating *task = mem_alloc(sizeof *task);
    enum status status = calibrate_gpu(task, request, &diagnostic);
    if (!status && request->json)
        print_calibration_json(task);
    else if (!status)
        print_calibration(task);
    device_close(&task->device);
    free(task->path);
    free(task);
    if (status)
        cli_diagnostic(&diagnostic);
    return status ? CLI_USAGE : CLI_PASSED;
}

const struct cli_command cli_command_calibrate = {
    .name = "calibrate",
    .arguments = "",
    .summary = "Measure this machine's GPU for the timing model",
    .description = "Runs small kernels, each of which shows one mechanism: latencies, bandwidths,\n"
                   "barriers, the launch of blocks, atomics. Their times give the constants of the\n"
                   "timing model for this GPU, in a profile:\n"
                   "$XDG_DATA_HOME/bankshot/gpus/NAME.cfg, else below ~/.local/share. It takes\n"
                   "less than two minutes; nothing else should use the GPU meanwhile.\n\n"
                   "From then on lab, check and trace model this GPU where it is present. The file\n"
                   "can be copied: --gpu-model NAME finds it on other machines, too. 'class' and\n"
                   "'autograde' model what --gpu-model says, else the H200, so that no mark\n"
                   "depends on such a file.\n\n"
                   "Printed are each constant with the row it comes from and the nearest built-in\n"
                   "GPU's value, and how far a few other kernels are from their predictions. Exit\n"
                   "status: 0 measured, 2 no GPU, or it cannot be measured.",
    .options = calibrate_options,
    .request_size = sizeof(struct calibrate_request),
    .defaults = &(const struct calibrate_request){.gpu = -1},
    .run = run_calibrate,
};
