// ncu as a child process, and its CSV.
#include "device/ncu.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"

enum { MAX_FIELDS = 64, MAX_WORDS = 64 };
static const double wall_seconds = 120; // ncu starts slowly; a kernel that hangs must end some time

static const struct {
    const char *counter, *metric;
} ncu_metrics[] = {
#define N(counter, metric) {#counter, metric},
    NCU_METRICS(N)
#undef N
};
enum { METRIC_COUNT = sizeof ncu_metrics / sizeof *ncu_metrics };

// ---- finding it

double ncu_noise(uint64_t wavefronts, uint64_t blocks)
{
    // The most that was seen on an H200: 2.6 in 1,000 from 64 blocks on (54 of 21,046), 19 in 1,000 of the kernels of
    // tests/golden with 1,024 blocks and more (1,897 of 102,400).
    static const struct {
        uint64_t blocks;
        double part;
    } steps[] = {{300, 0.02}, {64, 0.003}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (blocks >= steps[i].blocks)
            return steps[i].part * (double)wavefronts;
    return 0;
}

bool ncu_find(char path[PATH_MAX])
{
    static const char *const places[] = {"/opt/nvidia/nsight-compute/*/ncu", "/usr/local/cuda/nsight-compute*/ncu",
                                         "/usr/local/cuda-*/bin/ncu"};
    if (file_find_program("ncu", path, PATH_MAX) || file_find_program("/usr/local/cuda/bin/ncu", path, PATH_MAX))
        return true;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        glob_t found = {0};
        bool any = glob(places[i], 0, NULL, &found) == 0 && found.gl_pathc > 0;
        if (any) // sorted: the last is the newest
            any = file_find_program(found.gl_pathv[found.gl_pathc - 1], path, PATH_MAX);
        globfree(&found);
        if (any)
            return true;
    }
    return false;
}

// ---- its CSV

// Splits one line in place; quotes are taken off. Returns where the next line starts.
static char *split_line(char *line, char *fields[MAX_FIELDS], size_t *count)
{
    char *at = line, *out;
    for (*count = 0;;) {
        bool quoted = *at == '"';
        char *field = out = at += quoted;
        while (*at && (quoted || (*at != ',' && *at != '\n' && *at != '\r'))) {
            if (quoted && *at == '"' && *++at != '"')
                break;
            *out++ = *at++;
        }
        char end = *at;
        at += end != '\0';
        *out = '\0';
        if (*count < MAX_FIELDS)
            fields[(*count)++] = field;
        if (end != ',')
            return end == '\r' ? at + (*at == '\n') : at;
    }
}

static size_t column_of(char *const *fields, size_t count, const char *name)
{
    size_t i = 0;
    while (i < count && strcmp(fields[i], name) != 0)
        i++;
    return i;
}

// "1,234,567" or "1234567"; -1 for anything else.
static long long value_of(const char *text)
{
    long long value = 0;
    for (const char *at = text; *at; at++) {
        if (*at == ',' || *at == '.') { // thousands; counters have no fraction
            if (*at == '.' && strspn(at + 1, "0") == strlen(at + 1))
                break;
            continue;
        }
        if (*at < '0' || *at > '9' || value > INT64_MAX / 10 - 10)
            return -1;
        value = 10 * value + (*at - '0');
    }
    return *text ? value : -1;
}

static int metric_of(const char *name)
{
    int i = 0;
    while (i < METRIC_COUNT && strcmp(ncu_metrics[i].metric, name) != 0)
        i++;
    return i;
}

// values: of the kernel's first launch; -1 for a metric that has no number. False: the kernel is not in it at all.
static bool read_metrics(const char *csv, const char *kernel, long long values[METRIC_COUNT])
{
    char *copy = mem_strdup(csv), *fields[MAX_FIELDS], id[32] = "";
    char *at = strncmp(copy, "\"ID\"", 4) == 0 ? copy : strstr(copy, "\n\"ID\"");
    bool is_there = false;
    memset(values, -1, METRIC_COUNT * sizeof *values);
    if (at) {
        size_t count;
        at = split_line(at + (*at == '\n'), fields, &count);
        size_t number = column_of(fields, count, "ID"), name = column_of(fields, count, "Kernel Name"),
               metric = column_of(fields, count, "Metric Name"), value = column_of(fields, count, "Metric Value");
        while (*at && number < count && name < count && metric < count && value < count) {
            size_t found;
            at = split_line(at, fields, &found);
            if (found != count || strcmp(fields[name], kernel) != 0)
                continue;
            is_there = true;
            if (!id[0])
                snprintf(id, sizeof id, "%s", fields[number]);
            int which = metric_of(fields[metric]);
            if (which < METRIC_COUNT && strcmp(id, fields[number]) == 0)
                values[which] = value_of(fields[value]);
        }
    }
    free(copy);
    return is_there;
}

const char *ncu_missing_metric(const char *csv, const char *kernel)
{
    long long values[METRIC_COUNT];
    bool is_there = read_metrics(csv, kernel, values);
    for (int i = 0; i < METRIC_COUNT && is_there; i++)
        if (values[i] < 0)
            return ncu_metrics[i].metric;
    return NULL;
}

bool ncu_read_csv(const char *csv, const char *kernel, struct counters *counters)
{
    long long values[METRIC_COUNT];
    *counters = (struct counters){0};
    if (!read_metrics(csv, kernel, values))
        return false;
    for (int i = 0; i < METRIC_COUNT; i++) {
        if (values[i] < 0)
            return false;
        *counters_at(counters, ncu_metrics[i].counter) = (uint64_t)values[i];
    }
    return true;
}

// ---- running it

// The last lines that say something, escaped, for a message.
static void last_words(const struct text *text, struct text *out)
{
    size_t start = text->length > 400 ? text->length - 400 : 0;
    text_escape(out, text_get(text) + start, text->length - start, false);
}

static enum status ncu_answer(const struct process_result *result, const char *kernel, struct counters *counters,
                              struct diagnostic *diagnostic)
{
    if (strstr(text_get(&result->out), "ERR_NVGPUCTRPERM") || strstr(text_get(&result->err), "ERR_NVGPUCTRPERM"))
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                              "this account may not read the GPU's performance counters (ERR_NVGPUCTRPERM). Run as "
                              "root, or let everyone: put 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' into "
                              "/etc/modprobe.d/nvidia-profiling.conf and load the driver again; in a container, start "
                              "it with --cap-add=SYS_ADMIN");
    if (ncu_read_csv(text_get(&result->out), kernel, counters))
        return STATUS_OK;
    const char *missing = ncu_missing_metric(text_get(&result->out), kernel);
    if (missing)
        return diagnostic_set(diagnostic, STATUS_ENVIRONMENT,
                              "this ncu has no number for %s (n/a, nan or left out): it knows the counter by another "
                              "name, or this GPU lacks it. 'ncu --query-metrics' lists what there is, 'bankshot why "
                              "ncu' says more",
                              missing);
    struct text told = {0};
    char how[128];
    last_words(result->err.length ? &result->err : &result->out, &told);
    enum status status = process_succeeded(result) ? STATUS_ENVIRONMENT : STATUS_FAULT;
    status = diagnostic_set(diagnostic, status, "ncu %s and has no counters of %.60s: %.400s",
                            process_describe(result, how, sizeof how), kernel, text_get(&told));
    text_free(&told);
    return status;
}

enum status ncu_run(const char *ncu, const char *const *argv, const char *kernel, struct counters *counters,
                    struct diagnostic *diagnostic)
{
    static const char metrics[] =
#define N(field, metric) "," metric
        NCU_METRICS(N);
#undef N
    const char *words[MAX_WORDS + 1] = {ncu,         "--csv",           "--print-kernel-base",
                                        "mangled",   "--clock-control", "none",
                                        "--metrics", metrics + 1 /* first comma */};
    size_t count = 8;
    while (*argv && count < MAX_WORDS)
        words[count++] = *argv++;
    struct process_options options = {
        .argv = words, .environment = (const char *const *)environ, .limits = {.wall_seconds = wall_seconds}};
    struct process_result result = {0};
    *counters = (struct counters){0};
    enum status status = process_run(&options, &result, diagnostic);
    if (status == STATUS_OK)
        status = ncu_answer(&result, kernel, counters, diagnostic);
    process_result_free(&result);
    return status;
}
