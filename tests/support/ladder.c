#include "ladder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "ladder_launch.h"

const char *const ladder_golden_paths[LADDER_SETS] = {
    "tests/golden/h200_kernels.csv", "tests/golden/h200_ladder_b.csv",
    [LADDER_SEVENTH] = "tests/golden/h200_ladder_g.csv", [LADDER_NINTH] = "tests/golden/h200_ladder_i.csv"};

enum { BUFFER_FLOATS = 1 << 20, PTX_LIMIT = 16 << 20 };

// What the file's columns behind the kernel's name are, from its first line.
struct columns {
    char line[1024];
    const char *names[64];
    size_t count;
};

static void read_columns(const char *line, struct columns *columns)
{
    const size_t most = sizeof columns->names / sizeof *columns->names;
    snprintf(columns->line, sizeof columns->line, "%s", line);
    char *at = columns->line;
    strsep(&at, ",");
    for (columns->count = 0; at && columns->count < most; columns->count++)
        columns->names[columns->count] = strsep(&at, ",\n");
}

static bool read_row(char *line, const struct columns *columns, struct ladder_row *row)
{
    char *end = strchr(line + 1, '"');
    if (line[0] != '"' || !end || (size_t)(end - line) > sizeof row->kernel)
        return false;
    memcpy(row->kernel, line + 1, (size_t)(end - line - 1));
    char *at = end + 2;
    for (size_t i = 0; i < columns->count; i++) {
        const char *name = columns->names[i];
        char *field = strsep(&at, ",\n");
        if (!field)
            return false;
        if (!strcmp(name, "grid") || !strcmp(name, "block")) {
            uint32_t *shape = name[0] == 'g' ? row->grid : row->block;
            if (sscanf(field, "%ux%ux%u", &shape[0], &shape[1], &shape[2]) != 3)
                return false;
        } else if (!strcmp(name, "smem_dynamic")) {
            row->dynamic_shared = strtoull(field, NULL, 10);
        } else if (!strcmp(name, "registers")) {
            row->registers = (uint32_t)strtoul(field, NULL, 10);
        } else {
            uint64_t *counter = counters_at(&row->hardware, name);
            row->has_atomics |= !strcmp(name, "global_atomic_requests");
            if (counter)
                *counter = strtoull(field, NULL, 10);
        }
    }
    return true;
}

int ladder_read(const char *path, struct ladder_row rows[LADDER_ROWS_MAX])
{
    static struct columns columns;
    char line[1024];
    int count = 0, number = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    while (fgets(line, sizeof line, file) && count >= 0) {
        number++;
        if (!strncmp(line, "kernel,", 7))
            read_columns(line, &columns);
        if (line[0] == '#' || !strncmp(line, "kernel,", 7))
            continue;
        struct ladder_row *row = &rows[count];
        *row = (struct ladder_row){.line = number};
        if (count == LADDER_ROWS_MAX - 1 || !read_row(line, &columns, row)) {
            count = -1;
            break;
        }
        for (int i = 0; i < count; i++)
            row->occurrence += !strcmp(rows[i].kernel, row->kernel);
        count++;
    }
    fclose(file);
    return count;
}

bool ladder_is_small(const struct ladder_row *row)
{
    return (uint64_t)row->grid[0] * row->grid[1] * row->grid[2] < 300;
}

enum status ladder_load(enum ladder_set set, struct ptx_module **module, struct diagnostic *diagnostic)
{
    char *text = NULL;
    size_t length = 0;
    enum status status = file_read(ladder_set_ptx[set], PTX_LIMIT, &text, &length, diagnostic);
    if (!status)
        status = ptx_parse(ladder_set_ptx[set], text, length, module, diagnostic);
    free(text);
    return status;
}

static bool starts(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

static void multiply(struct counters *counters, uint64_t factor)
{
    for (size_t i = 0; i < counter_fields.count; i++)
        *counters_at(counters, counter_fields.items[i].key) *= factor;
}

// The kernel ready to run over buffers filled as the probe fills them.
struct session {
    const struct ladder_row *row;
    struct sim_memory *memory;
    struct sim_program *program;
    unsigned char params[64];
    struct sim_observer observer;
    struct sim_count *counts;
};

// As main() of the probe passes them with --once, where the entry's layout has them.
static void set_arguments(struct session *session, const struct ptx_function *entry, const uint64_t addresses[3])
{
    const struct ladder_row *row = session->row;
    const struct ladder_kernel *kernel = ladder_find(row->kernel);
    uint64_t values[4] = {addresses[2], 4096};
    struct sim_launch launch;
    if (kernel)
        ladder_set_launch(kernel, ladder_once_size(kernel, row->occurrence), addresses[0], addresses[1], addresses[2],
                          &launch, values);
    for (uint32_t i = 0; i < entry->param_count; i++)
        memcpy(session->params + entry->params[i].offset, &values[i], entry->params[i].size);
}

static enum status session_open(struct session *session, const struct ptx_module *module, const struct ladder_row *row,
                                struct diagnostic *diagnostic)
{
    const struct ptx_function *entry;
    uint64_t addresses[3];
    *session = (struct session){.row = row, .memory = sim_memory_new()};
    for (int i = 0; i < 3; i++) {
        const char *name = (const char *[]){"a", "b", "c"}[i];
        struct sim_allocation *buffer = sim_memory_add(session->memory, name, BUFFER_FLOATS * sizeof(float), false);
        addresses[i] = buffer->address;
        const struct ladder_kernel *kernel = ladder_find(row->kernel);
        bool is_filled = kernel && kernel->set >= LADDER_THIRD ? i < 2 : i == 0 && starts(row->kernel, "hist_");
        if (is_filled) // no other kernel's addresses depend on data
            ladder_fill((float *)(void *)buffer->data, BUFFER_FLOATS);
    }
    enum status status = ptx_find_entry(module, row->kernel, &entry, diagnostic);
    if (!status)
        status = sim_program_new(module, entry, session->memory, &session->program, diagnostic);
    if (status)
        return status;
    set_arguments(session, entry, addresses);
    session->counts = mem_alloc(sim_program_size(session->program) * sizeof *session->counts);
    return STATUS_OK;
}

static void session_close(struct session *session)
{
    sim_program_free(session->program);
    sim_memory_free(session->memory);
    free(session->counts);
}

static enum status session_run(struct session *session, uint32_t part, struct diagnostic *diagnostic)
{
    const struct ladder_row *row = session->row;
    uint64_t blocks = (uint64_t)row->grid[0] * row->grid[1] * row->grid[2];
    struct sim_launch launch = {.program = session->program,
                                .memory = session->memory,
                                .shape.grid = {row->grid[0], row->grid[1], row->grid[2]},
                                .shape.block = {row->block[0], row->block[1], row->block[2]},
                                .shape.dynamic_shared = (uint32_t)row->dynamic_shared,
                                .params = session->params,
                                .block_count = blocks / part,
                                .observers = &session->observer,
                                .observer_count = 1,
                                .counts = session->counts};
    struct sim_result result;
    return sim_run(&launch, &result, diagnostic);
}

enum status ladder_run(const struct ptx_module *module, const struct ladder_row *row, uint32_t part,
                       struct counter_table *table, struct diagnostic *diagnostic)
{
    struct session session;
    enum status status = session_open(&session, module, row, diagnostic);
    if (!status) {
        struct counter_observer *counters = counter_observer_new(session.program, "ladder.cu");
        session.observer = counter_observer_get(counters);
        status = session_run(&session, part, diagnostic);
        if (!status) {
            counter_observer_take(counters, session.counts, table);
            multiply(&table->compiled, part);
        }
        counter_observer_free(counters);
    }
    session_close(&session);
    return status;
}

enum status ladder_check(const struct ptx_module *module, const struct ladder_row *row, struct hazard_list *hazards,
                         struct diagnostic *diagnostic)
{
    struct session session;
    enum status status = session_open(&session, module, row, diagnostic);
    if (!status) {
        struct hazard_checker *checker = hazard_checker_new(session.program, session.memory, "ladder.cu");
        session.observer = hazard_checker_observer(checker);
        status = session_run(&session, 1, diagnostic);
        hazard_checker_take(checker, hazards);
        hazard_checker_free(checker);
    }
    session_close(&session);
    return status;
}
