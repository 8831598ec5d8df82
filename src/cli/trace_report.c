// What `trace` prints: one JSON object, or a report of 80 columns.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/picture.h"
#include "cli/trace.h"
#include "device/args.h"
#include "grade/report.h"

// ---- lines: what the instructions of one source line do alike, added up

static bool is_same_line(const struct counter_line *a, const struct counter_line *b)
{
    bool same_file = a->file == b->file || (a->file && b->file && strcmp(a->file, b->file) == 0);
    return same_file && a->line == b->line && a->space == b->space && strcmp(a->op, b->op) == 0 &&
           (a->bytes == b->bytes || b->fused_away);
}

static void add_to_line(struct counter_line *sum, const struct counter_line *line)
{
    sum->instructions += line->instructions;
    sum->wavefronts += line->wavefronts;
    sum->conflicts += line->conflicts;
    sum->requests += line->requests;
    sum->sectors += line->sectors;
    sum->written_wavefronts += line->written_wavefronts;
    sum->written_conflicts += line->written_conflicts;
    sum->estimate |= line->estimate;
}

static int compare_lines(const void *a, const void *b)
{
    const struct counter_line *x = a, *y = b;
    int file = strcmp(x->file ? x->file : "", y->file ? y->file : "");
    if (file)
        return file;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->pc > y->pc) - (x->pc < y->pc);
}

// Of each kind the first instruction, with the sums of all. Those that another one does come last.
static struct counter_line *make_lines(const struct counter_table *table, size_t *count)
{
    struct counter_line *lines = mem_alloc((table->count + 1) * sizeof *lines);
    *count = 0;
    for (size_t i = 0; i < 2 * table->count; i++) {
        const struct counter_line *line = &table->lines[i % table->count];
        size_t at = 0;
        if (line->fused_away != (i >= table->count))
            continue;
        while (at < *count && !is_same_line(&lines[at], line))
            at++;
        if (at == *count)
            lines[(*count)++] = *line;
        else
            add_to_line(&lines[at], line);
    }
    qsort(lines, *count, sizeof *lines, compare_lines);
    return lines;
}

static const char *space_name(enum ptx_space space)
{
    return space == PTX_SHARED ? "shared" : space == PTX_GLOBAL ? "global" : space == PTX_LOCAL ? "local" : "const";
}

// "tile<32, 1>" of "tile<32, 1>(float*, int)": without the last list in parentheses.
static void kernel_name(const struct ptx_function *entry, char *name, size_t size)
{
    ptx_demangle(entry->name, name, size);
    size_t length = strlen(name);
    if (length == 0 || name[length - 1] != ')')
        return;
    int depth = 0;
    while (length-- > 0) {
        depth += name[length] == ')';
        depth -= name[length] == '(';
        if (depth == 0)
            break;
    }
    if (length > 0 && length < size)
        name[length] = '\0';
}

// ---- JSON

static const char *trace_space_word(int value)
{
    return space_name((enum ptx_space)value);
}

static const char *severity_word(int value)
{
    static const char *const words[] = {"note", "warning", "error"};
    return words[value];
}

static const struct field_words space_words = {trace_space_word, PTX_SHARED_CLUSTER + 1, 0},
                                severity_words = {severity_word, SEVERITY_ERROR + 1, SEVERITY_ERROR};

#define F(kind, member) FIELD(counter_line, kind, #member, member)
static const struct field line_rows[] = {F(STRING, file),
                                         F(U32, line),
                                         FIELD_NAMED(counter_line, WORD, "space", space, space_words),
                                         F(STRING, op),
                                         F(U32, bytes),
                                         F(U64, instructions),
                                         F(U64, wavefronts),
                                         F(U64, conflicts),
                                         F(U64, requests),
                                         F(U64, sectors),
                                         F(U64, written_wavefronts),
                                         F(U64, written_conflicts),
                                         F(FLAG, estimate)};
#undef F
static const struct fields line_fields = FIELDS(counter_line, line_rows);

static json_t *shape_json(const uint32_t shape[3])
{
    return json_pack("[i, i, i]", (int)shape[0], (int)shape[1], (int)shape[2]);
}

static json_t *write_other_line(const void *at)
{
    const uint32_t *line = at;
    return *line ? json_integer(*line) : json_null();
}

static json_t *write_threads(const void *at)
{
    const struct hazard *hazard = at;
    json_t *threads = json_array();
    json_array_append_new(threads, shape_json(hazard->thread));
    if (hazard->other_pc != UINT32_MAX)
        json_array_append_new(threads, shape_json(hazard->other_thread));
    return threads;
}

static const struct field_own other_line_own = {.write = write_other_line}, threads_own = {.write = write_threads};

#define F(kind, member) FIELD(hazard, kind, #member, member)
static const struct field hazard_rows[] = {FIELD_NAMED(hazard, WORD, "kind", kind, report_hazard_words),
                                           F(STRING, file),
                                           F(U32, line),
                                           FIELD_BY(hazard, "other_line", other_line, other_line_own),
                                           F(TRIPLE, block),
                                           F(TRIPLE, other_block),
                                           {.key = "threads", .kind = FIELD_OWN, .own = &threads_own}, // of the whole
                                           F(U64, count),
                                           F(FLAG, benign),
                                           F(TEXT, message)};
#undef F
static const struct fields hazard_fields = FIELDS(hazard, hazard_rows);

#define F(kind, member) FIELD(diagnostic, kind, #member, member)
static const struct field message_rows[] = {FIELD_NAMED(diagnostic, WORD, "kind", code, report_status_words),
                                            FIELD_NAMED(diagnostic, WORD, "severity", severity, severity_words),
                                            F(TEXT, file),
                                            F(INT, line),
                                            F(INT, column),
                                            F(TEXT, message)};
#undef F
static const struct fields message_fields = FIELDS(diagnostic, message_rows);

static json_t *items_json(const struct fields *fields, const void *items, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, fields_write(fields, (const char *)items + i * fields->size));
    return array;
}

static json_t *lines_json(const struct counter_table *table)
{
    size_t count;
    struct counter_line *lines = make_lines(table, &count);
    json_t *array = items_json(&line_fields, lines, count);
    free(lines);
    return array;
}

static void put_trace_times(json_t *json, const struct trace *trace)
{
    json_object_set_new(json, "modelled", report_model_json(&trace->record));
    json_object_set_new(json, "measured",
                        trace->measured_us > 0
                            ? json_pack("{s:f, s:s}", "us", trace->measured_us, "device", trace->device)
                            : json_null());
}

static void put_dumps(const struct trace *trace, struct text *out)
{
    text_puts(out, ",\n  \"dumps\": {");
    const char *comma = "";
    for (size_t i = 0; i < trace->specs.count; i++) {
        const struct device_arg *arg = &trace->args[i];
        bool wanted = false;
        for (size_t j = 0; arg->name && j < trace->dumps.count; j++)
            wanted |= strcmp(trace->dumps.items[j], arg->name) == 0;
        if (!wanted)
            continue;
        text_printf(out, "%s\n    \"%s\": [", comma, arg->name);
        size_t size = ptx_type_size(arg->type);
        for (size_t j = 0; j < arg->count; j++) {
            text_puts(out, j ? ", " : "");
            args_format(arg->type, (const unsigned char *)arg->data + j * size, out);
        }
        text_puts(out, "]");
        comma = ",";
    }
    text_puts(out, *comma ? "\n  }" : "}");
}

void trace_report_json(const struct trace *trace, struct text *out)
{
    json_t *json = json_object();
    char kernel[512] = "", arch[16] = "";
    if (trace->entry) {
        kernel_name(trace->entry, kernel, sizeof kernel);
        snprintf(arch, sizeof arch, "sm_%u%.1s", trace->module->sm, &trace->module->sm_suffix);
    }
    json_object_set_new(json, "kernel", fields_string(kernel));
    json_object_set_new(json, "mangled", fields_string(trace->entry ? trace->entry->name : ""));
    json_object_set_new(json, "device", fields_string(trace->device));
    json_object_set_new(json, "arch", fields_string(arch));
    json_object_set_new(json, "compiler", fields_string(trace->compiled.compiler));
    json_object_set_new(json, "grid", shape_json(trace->shape.grid));
    json_object_set_new(json, "block", shape_json(trace->shape.block));
    json_object_set_new(json, "counters", fields_write(&counter_fields, &trace->record.counters.compiled));
    json_object_set_new(json, "counters_as_written", fields_write(&counter_fields, &trace->record.counters.written));
    json_object_set_new(json, "lines", lines_json(&trace->record.counters));
    json_object_set_new(json, "hazards",
                        items_json(&hazard_fields, trace->record.hazards.items, trace->record.hazards.count));
    put_trace_times(json, trace);
    json_object_set_new(
        json, "diagnostics",
        items_json(&message_fields, trace->compiled.diagnostics.items, trace->compiled.diagnostics.count));
    json_object_set_new(json, "error",
                        trace->error.code == STATUS_OK ? json_null() : fields_write(&message_fields, &trace->error));
    json_object_set_new(json, "printed", fields_string(text_get(&trace->printed)));
    // The dumps are written by hand after the rest: a number a node would take fifty times their memory.
    char *head = json_dumps(json, JSON_PRESERVE_ORDER | JSON_INDENT(2));
    text_append(out, head, strlen(head) - 2);
    free(head);
    json_decref(json);
    put_dumps(trace, out);
    text_puts(out, "\n}\n");
}

// ---- text

static void put_counter_row(const struct shared_counts *counts, const char *title, struct text *out)
{
    if (counts->instructions)
        text_printf(out, "  %-16s %14" PRIu64 " instructions %14" PRIu64 " wavefronts %10" PRIu64 " conflicts\n", title,
                    counts->instructions, counts->wavefronts, counts->conflicts);
}

static void put_counters(const struct counters *counters, struct text *out)
{
    text_printf(out, "  %-16s %14" PRIu64 " by warps     %14" PRIu64 " by threads\n", "instructions",
                counters->warp_instructions, counters->thread_instructions);
    put_counter_row(&counters->shared[COUNT_LOAD], "shared loads", out);
    put_counter_row(&counters->shared[COUNT_STORE], "shared stores", out);
    put_counter_row(&counters->shared[COUNT_ATOMIC], "shared atomics", out);
    put_counter_row(&counters->shared[COUNT_COPY], "async copies", out);
    text_printf(out, "  %-16s %14" PRIu64 " requests     %14" PRIu64 " sectors\n", "global loads",
                counters->global[COUNT_LOAD].requests, counters->global[COUNT_LOAD].sectors);
    text_printf(out, "  %-16s %14" PRIu64 " requests     %14" PRIu64 " sectors\n", "global stores",
                counters->global[COUNT_STORE].requests, counters->global[COUNT_STORE].sectors);
    if (counters->global[COUNT_ATOMIC].requests)
        text_printf(out, "  %-16s %14" PRIu64 " requests\n", "global atomics", counters->global[COUNT_ATOMIC].requests);
    if (counters->barriers)
        text_printf(out, "  %-16s %14" PRIu64 "\n", "barriers", counters->barriers);
}

static void put_trace_lines(const struct counter_table *table, struct text *out)
{
    size_t count;
    struct counter_line *lines = make_lines(table, &count);
    if (count)
        text_puts(out, "\n  line  access               instructions   wavefronts    conflicts      sectors\n");
    for (size_t i = 0; i < count; i++) {
        const struct counter_line *line = &lines[i];
        char access[40];
        snprintf(access, sizeof access, "%s %s %u-bit", space_name(line->space), line->op, line->bytes * 8);
        text_printf(out, "%6u  %-20s %12" PRIu64, line->line, access,
                    line->space == PTX_GLOBAL ? line->requests : line->instructions);
        if (line->space == PTX_GLOBAL)
            text_printf(out, "            -            - %12" PRIu64, line->sectors);
        else
            text_printf(out, " %12" PRIu64 " %12" PRIu64 "            -", line->wavefronts, line->conflicts);
        text_puts(out, line->estimate ? "  estimate\n" : "\n");
    }
    free(lines);
}

static void put_trace_hazards(const struct trace *trace, struct text *out)
{
    const struct hazard_list *list = &trace->record.hazards;
    if (list->count == 0 && !trace->without_hazards)
        text_puts(out, "\nNo hazards.\n");
    for (size_t i = 0; i < list->count; i++) {
        const struct hazard *hazard = &list->items[i];
        text_printf(out, "\n%s%s, line %u", hazard_name(hazard->kind), hazard->benign ? " (benign)" : "", hazard->line);
        if (hazard->other_line)
            text_printf(out, " and line %u", hazard->other_line);
        text_printf(out, ": %s\n", hazard->message);
    }
}

void trace_report_text(const struct trace *trace, struct text *out)
{
    char kernel[512];
    kernel_name(trace->entry, kernel, sizeof kernel);
    text_printf(out, "%s, grid %u x %u x %u, block %u x %u x %u\n", kernel, trace->shape.grid[0], trace->shape.grid[1],
                trace->shape.grid[2], trace->shape.block[0], trace->shape.block[1], trace->shape.block[2]);
    text_printf(out, "%s%s%s\n\n", trace->record.device, trace->compiled.compiler[0] ? ", compiled by " : "",
                trace->compiled.compiler);
    put_counters(&trace->record.counters.compiled, out);
    put_trace_lines(&trace->record.counters, out);
    picture_worst(&trace->record, out);
    put_trace_hazards(trace, out);
    if (trace->measured_us > 0)
        text_printf(out, "\n%.2f us, measured (%s)\n", trace->measured_us, trace->device);
    if (trace->record.modelled_us > 0) {
        text_puts(out, "\n");
        report_model_text(&trace->record, out);
    }
    if (trace->printed.length) {
        text_puts(out, "\nprinted:\n");
        text_escape(out, trace->printed.data, trace->printed.length, true);
    }
    for (size_t i = 0; i < trace->dumps.count; i++)
        for (size_t j = 0; j < trace->specs.count; j++) {
            const struct device_arg *arg = &trace->args[j];
            if (strcmp(arg->name, trace->dumps.items[i]) != 0)
                continue;
            text_printf(out, "\n%s\n", arg->name);
            for (size_t k = 0; k < arg->count; k++) {
                args_format(arg->type, (const unsigned char *)arg->data + k * ptx_type_size(arg->type), out);
                text_puts(out, k % 8 == 7 || k + 1 == arg->count ? "\n" : " ");
            }
        }
}
