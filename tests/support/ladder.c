#include "ladder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"

const char ladder_ptx_path[] = "tests/ptx/data/ladder.sm_90.ptx";
const char ladder_golden_path[] = "tests/golden/h200_kernels.csv";

enum { BUFFER_FLOATS = 1 << 20, PTX_LIMIT = 16 << 20 };

// Columns behind the quoted kernel name, in the file's order.
static const char *const columns[] = {"grid",
                                      "block",
                                      "registers",
                                      "smem_static",
                                      "smem_dynamic",
                                      "shared_load_instructions",
                                      "shared_load_wavefronts",
                                      "shared_load_conflicts",
                                      "shared_store_instructions",
                                      "shared_store_wavefronts",
                                      "shared_store_conflicts",
                                      "shared_atomic_conflicts",
                                      "shared_wavefronts",
                                      "global_load_requests",
                                      "global_load_sectors",
                                      "global_load_l1_hit_sectors",
                                      "global_store_requests",
                                      "global_store_sectors",
                                      "l2_read_sectors",
                                      "l2_write_sectors",
                                      "dram_read_bytes",
                                      "dram_write_bytes",
                                      "warp_instructions",
                                      "thread_instructions"};

static void set_counter(struct counters *counters, const char *name, uint64_t value)
{
#define C(field)                                                                                                       \
    if (!strcmp(name, #field))                                                                                         \
        counters->field = value;
    COUNTERS(C)
#undef C
}

static bool read_row(char *line, struct ladder_row *row)
{
    char *end = strchr(line + 1, '"');
    if (line[0] != '"' || !end || (size_t)(end - line) > sizeof row->kernel)
        return false;
    memcpy(row->kernel, line + 1, (size_t)(end - line - 1));
    char *at = end + 2;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        char *field = strsep(&at, ",\n");
        if (!field)
            return false;
        if (i < 2) {
            uint32_t *shape = i == 0 ? row->grid : row->block;
            if (sscanf(field, "%ux%ux%u", &shape[0], &shape[1], &shape[2]) != 3)
                return false;
        } else if (!strcmp(columns[i], "smem_dynamic")) {
            row->dynamic_shared = strtoull(field, NULL, 10);
        } else {
            set_counter(&row->hardware, columns[i], strtoull(field, NULL, 10));
        }
    }
    return true;
}

int ladder_read(const char *path, struct ladder_row rows[LADDER_ROWS_MAX])
{
    char line[1024];
    int count = 0, number = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    while (fgets(line, sizeof line, file) && count >= 0) {
        number++;
        if (line[0] == '#' || !strncmp(line, "kernel,", 7))
            continue;
        struct ladder_row *row = &rows[count];
        *row = (struct ladder_row){.line = number};
        if (count == LADDER_ROWS_MAX - 1 || !read_row(line, row)) {
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

enum status ladder_load(struct ptx_module **module, struct diagnostic *diagnostic)
{
    char *text = NULL;
    size_t length = 0;
    enum status status = file_read(ladder_ptx_path, PTX_LIMIT, &text, &length, diagnostic);
    if (!status)
        status = ptx_parse(ladder_ptx_path, text, length, module, diagnostic);
    free(text);
    return status;
}

// The probe fills its input with glibc's rand() as it starts: an additive feedback generator, x[i] = x[i-3] + x[i-31].
static void fill_as_probe(float *values, size_t count)
{
    enum { HISTORY = 34, WARM_UP = 344 };
    uint32_t *state = mem_alloc((count + WARM_UP) * sizeof *state);
    int64_t word = 1;
    for (size_t i = 0; i < count + WARM_UP; i++) {
        if (i > 0 && i < 31) {
            word = 16807 * word % 2147483647;
            word += word < 0 ? 2147483647 : 0;
        }
        state[i] = i < 31 ? (uint32_t)word : i < HISTORY ? state[i - 31] : state[i - 3] + state[i - 31];
        if (i >= WARM_UP)
            values[i - WARM_UP] = (float)(state[i] >> 1) / 2147483648.0f - 0.5f;
    }
    free(state);
}

static bool starts(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

struct ladder_arguments {
    uint64_t pointers[3];
    uint32_t pointer_count;
    int32_t n;
};

// As main() of the probe passes them; a, b, c are device addresses.
static struct ladder_arguments arguments_of(const struct ladder_row *row, uint64_t a, uint64_t b, uint64_t c)
{
    int32_t side = row->occurrence ? 1024 : 256, square = side * side;
    if (starts(row->kernel, "mm_"))
        return (struct ladder_arguments){{a, b, c}, 3, row->occurrence ? 256 : 128};
    if (starts(row->kernel, "smem_stride"))
        return (struct ladder_arguments){{c}, 1, 4096};
    if (starts(row->kernel, "red_") || starts(row->kernel, "hist_"))
        return (struct ladder_arguments){{a, c}, 2, square};
    if (starts(row->kernel, "tr_"))
        return (struct ladder_arguments){{c, a}, 2, side};
    return (struct ladder_arguments){{c, a}, 2, starts(row->kernel, "copy_f4") ? square / 4 : square};
}

static void multiply(struct counters *counters, uint64_t factor)
{
#define C(field) counters->field *= factor;
    COUNTERS(C)
#undef C
}

static enum status launch(const struct sim_program *program, struct sim_memory *memory, const struct ladder_row *row,
                          const struct ptx_function *entry, const struct ladder_arguments *arguments, uint32_t part,
                          struct counter_table *table, struct diagnostic *diagnostic)
{
    uint64_t blocks = (uint64_t)row->grid[0] * row->grid[1] * row->grid[2];
    struct counter_observer *counters = counter_observer_new(program, "ladder.cu");
    struct sim_observer observer = counter_observer_get(counters);
    struct sim_count *counts = mem_alloc(sim_program_size(program) * sizeof *counts);
    unsigned char params[64] = {0};
    for (uint32_t i = 0; i < arguments->pointer_count; i++)
        memcpy(params + entry->params[i].offset, &arguments->pointers[i], 8);
    memcpy(params + entry->params[arguments->pointer_count].offset, &arguments->n, 4);
    struct sim_launch launch = {.program = program,
                                .memory = memory,
                                .grid = {row->grid[0], row->grid[1], row->grid[2]},
                                .block = {row->block[0], row->block[1], row->block[2]},
                                .dynamic_shared = (uint32_t)row->dynamic_shared,
                                .params = params,
                                .block_count = blocks / part,
                                .observers = &observer,
                                .observer_count = 1,
                                .counts = counts};
    struct sim_result result;
    enum status status = sim_run(&launch, &result, diagnostic);
    if (!status)
        counter_observer_take(counters, counts, table);
    if (!status)
        multiply(&table->compiled, part);
    counter_observer_free(counters);
    free(counts);
    return status;
}

enum status ladder_run(const struct ptx_module *module, const struct ladder_row *row, uint32_t part,
                       struct counter_table *table, struct diagnostic *diagnostic)
{
    const struct ptx_function *entry;
    struct sim_program *program = NULL;
    struct sim_memory *memory = sim_memory_new();
    const struct sim_allocation *buffers[3];
    for (int i = 0; i < 3; i++)
        buffers[i] = sim_memory_add(memory, (const char *[]){"a", "b", "c"}[i], BUFFER_FLOATS * sizeof(float), false);
    if (starts(row->kernel, "hist_")) // no other kernel's addresses depend on data
        fill_as_probe((float *)(void *)buffers[0]->data, BUFFER_FLOATS);
    enum status status = ptx_find_entry(module, row->kernel, &entry, diagnostic);
    if (!status)
        status = sim_program_new(module, entry, memory, &program, diagnostic);
    if (!status) {
        struct ladder_arguments arguments =
            arguments_of(row, buffers[0]->address, buffers[1]->address, buffers[2]->address);
        status = launch(program, memory, row, entry, &arguments, part, table, diagnostic);
    }
    sim_program_free(program);
    sim_memory_free(memory);
    return status;
}
