#include "requests.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

const char requests_ptx_path[] = "tests/kernels/requests.ptx";
const char requests_golden_path[] = "tests/golden/h200_requests.csv";

enum { OUT_BYTES = 4096, IN_BYTES = 16384, PTX_LIMIT = 1 << 20 };

int requests_read(const char *path, struct requests_row rows[REQUESTS_ROWS_MAX])
{
    char line[512];
    int count = 0, number = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    while (fgets(line, sizeof line, file)) {
        number++;
        if (line[0] == '#' || !strncmp(line, "kernel,", 7))
            continue;
        struct requests_row *row = &rows[count++];
        *row = (struct requests_row){.line = number};
        struct counters *c = &row->hardware;
        int fields = sscanf(line,
                            "%63[^,],%" SCNu32 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64
                            ",%15[a-z]",
                            row->kernel, &row->n, &c->shared[COUNT_COPY].wavefronts, &c->shared[COUNT_COPY].conflicts,
                            &c->global[COUNT_LOAD].requests, &c->global[COUNT_LOAD].sectors,
                            &c->global[COUNT_STORE].requests, &c->global[COUNT_STORE].sectors, row->note);
        if (fields < 8 || count == REQUESTS_ROWS_MAX) {
            count = -1;
            break;
        }
    }
    fclose(file);
    return count;
}

static enum status load(struct ptx_module **module, struct diagnostic *diagnostic)
{
    char *text = NULL;
    size_t length = 0;
    enum status status = file_read(requests_ptx_path, PTX_LIMIT, &text, &length, diagnostic);
    if (!status)
        status = ptx_parse(requests_ptx_path, text, length, module, diagnostic);
    free(text);
    return status;
}

enum status requests_run(const struct requests_row *row, struct counters *ours, struct diagnostic *diagnostic)
{
    struct ptx_module *module = NULL;
    struct sim_program *program = NULL;
    struct sim_memory *memory = sim_memory_new();
    const struct ptx_function *entry;
    struct sim_result result;
    struct {
        uint64_t out, in;
        uint32_t n;
    } params = {sim_memory_add(memory, "out", OUT_BYTES, false)->address,
                sim_memory_add(memory, "in", IN_BYTES, false)->address, row->n};
    enum status status = load(&module, diagnostic);
    if (!status)
        status = ptx_find_entry(module, row->kernel, &entry, diagnostic);
    if (!status)
        status = sim_program_new(module, entry, memory, &program, diagnostic);
    if (!status) {
        struct counter_table table;
        struct counter_observer *counters = counter_observer_new(program, NULL);
        struct sim_observer observer = counter_observer_get(counters);
        struct sim_launch launch = {.program = program,
                                    .memory = memory,
                                    .shape.grid = {1, 1, 1},
                                    .shape.block = {32, 1, 1},
                                    .params = &params,
                                    .observers = &observer,
                                    .observer_count = 1};
        status = sim_run(&launch, &result, diagnostic);
        counter_observer_take(counters, NULL, &table);
        *ours = table.compiled;
        counter_table_free(&table);
        counter_observer_free(counters);
    }
    sim_program_free(program);
    sim_memory_free(memory);
    ptx_module_free(module);
    return status;
}

const char *requests_compare(const struct requests_row *row, const struct counters *ours, char *text, size_t size)
{
    const struct counters *theirs = &row->hardware;
    bool is_scattered = !strcmp(row->note, "scattered"), is_bypass = !strcmp(row->note, "bypass");
    bool is_dropped = !strcmp(row->note, "dropped");
    const struct {
        const char *name;
        uint64_t ours, theirs;
        bool skipped;
    } list[] = {
        {"shared_copy_wavefronts", ours->shared[COUNT_COPY].wavefronts, theirs->shared[COUNT_COPY].wavefronts,
         is_scattered || is_bypass},
        {"shared_copy_conflicts", ours->shared[COUNT_COPY].conflicts, theirs->shared[COUNT_COPY].conflicts,
         is_scattered},
        {"global_load_requests", ours->global[COUNT_LOAD].requests, theirs->global[COUNT_LOAD].requests, is_dropped},
        {"global_load_sectors", ours->global[COUNT_LOAD].sectors, theirs->global[COUNT_LOAD].sectors, is_dropped},
        {"global_store_requests", ours->global[COUNT_STORE].requests, theirs->global[COUNT_STORE].requests, false},
        {"global_store_sectors", ours->global[COUNT_STORE].sectors, theirs->global[COUNT_STORE].sectors, false},
    };
    int used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!list[i].skipped && list[i].ours != list[i].theirs && (size_t)used < size)
            used += snprintf(text + used, size - (size_t)used, "%s%s %" PRIu64 ", H200 %" PRIu64, used ? "; " : "",
                             list[i].name, list[i].ours, list[i].theirs);
    return text;
}
