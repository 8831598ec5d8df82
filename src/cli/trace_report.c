#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/picture.h"
#include "cli/trace.h"
#include "device/args.h"
#include "grade/report.h"

// ---- lines: what the instructions of one source line do alike, added up

struct line {
    const struct counter_line *first;
    uint64_t instructions, wavefronts, conflicts, requests, sectors, written_wavefronts, written_conflicts;
    bool estimate;
};

static bool is_same_line(const struct counter_line *a, const struct counter_line *b)
{
    bool same_file = a->file == b->file || (a->file && b->file && strcmp(a->file, b->file) == 0);
    return same_file && a->line == b->line && a->space == b->space && strcmp(a->op, b->op) == 0 &&
           (a->bytes == b->bytes || b->fused_away);
}

static struct line *add_lines(const struct counter_table *table, size_t *count)
{
    struct line *lines = mem_alloc((table->count + 1) * sizeof *lines);
    *count = 0;
    for (int fused = 0; fused < 2; fused++) {
        for (size_t i = 0; i < table->count; i++) {
            const struct counter_line *item = &table->lines[i];
            if (item->fused_away != (fused == 1))
                continue;
            size_t at = 0;
            while (at < *count && !is_same_line(lines[at].first, item))
                at++;
            if (at == *count)
                lines[(*count)++].first = item;
            struct line *line = &lines[at];
            line->instructions += item->instructions;
            line->wavefronts += item->wavefronts;
            line->conflicts += item->conflicts;
            line->requests += item->requests;
            line->sectors += item->sectors;
            line->written_wavefronts += item->written_wavefronts;
            line->written_conflicts += item->written_conflicts;
            line->estimate |= item->estimate;
        }
    }
    return lines;
}

static int compare_lines(const void *a, const void *b)
{
    const struct counter_line *x = ((const struct line *)a)->first, *y = ((const struct line *)b)->first;
    int file = strcmp(x->file ? x->file : "", y->file ? y->file : "");
    if (file)
        return file;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->pc > y->pc) - (x->pc < y->pc);
}

static struct line *make_lines(const struct counter_table *table, size_t *count)
{
    struct line *lines = add_lines(table, count);
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

static json_t *shape_json(const uint32_t shape[3])
{
    return json_pack("[i, i, i]", (int)shape[0], (int)shape[1], (int)shape[2]);
}

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *string(const char *text)
{
    json_t *json = json_string(text ? text : "");
    if (json)
        return json;
    struct text safe = {0}; // not UTF-8
    text_escape(&safe, text, strlen(text), true);
    json = json_string(text_get(&safe));
    text_free(&safe);
    return json;
}

static json_t *lines_json(const struct counter_table *table)
{
    size_t count;
    struct line *lines = make_lines(table, &count);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct line *line = &lines[i];
        json_t *item = json_object();
        json_object_set_new(item, "file", string(line->first->file));
        json_object_set_new(item, "line", number(line->first->line));
        json_object_set_new(item, "space", string(space_name(line->first->space)));
        json_object_set_new(item, "op", string(line->first->op));
        json_object_set_new(item, "bytes", number(line->first->bytes));
        json_object_set_new(item, "instructions", number(line->instructions));
        json_object_set_new(item, "wavefronts", number(line->wavefronts));
        json_object_set_new(item, "conflicts", number(line->conflicts));
        json_object_set_new(item, "requests", number(line->requests));
        json_object_set_new(item, "sectors", number(line->sectors));
        json_object_set_new(item, "written_wavefronts", number(line->written_wavefronts));
        json_object_set_new(item, "written_conflicts", number(line->written_conflicts));
        json_object_set_new(item, "estimate", json_boolean(line->estimate));
        json_array_append_new(array, item);
    }
    free(lines);
    return array;
}

static json_t *hazards_json(const struct hazard_list *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++) {
        const struct hazard *hazard = &list->items[i];
        json_t *item = json_object(), *threads = json_array();
        json_array_append_new(threads, shape_json(hazard->thread));
        if (hazard->other_pc != UINT32_MAX)
            json_array_append_new(threads, shape_json(hazard->other_thread));
        json_object_set_new(item, "kind", string(hazard_name(hazard->kind)));
        json_object_set_new(item, "file", string(hazard->file));
        json_object_set_new(item, "line", number(hazard->line));
        json_object_set_new(item, "other_line", hazard->other_line ? number(hazard->other_line) : json_null());
        json_object_set_new(item, "block", shape_json(hazard->block));
        json_object_set_new(item, "other_block", shape_json(hazard->other_block));
        json_object_set_new(item, "threads", threads);
        json_object_set_new(item, "count", number(hazard->count));
        json_object_set_new(item, "benign", json_boolean(hazard->benign));
        json_object_set_new(item, "message", string(hazard->message));
        json_array_append_new(array, item);
    }
    return array;
}

static json_t *diagnostic_json(const struct diagnostic *diagnostic)
{
    static const char *const severities[] = {"note", "warning", "error"};
    json_t *item = json_object();
    json_object_set_new(item, "kind", string(status_name(diagnostic->code)));
    json_object_set_new(item, "severity", string(severities[diagnostic->severity]));
    json_object_set_new(item, "file", string(diagnostic->file));
    json_object_set_new(item, "line", json_integer(diagnostic->line));
    json_object_set_new(item, "column", json_integer(diagnostic->column));
    json_object_set_new(item, "message", string(diagnostic->message));
    return item;
}

static void put_times(json_t *json, const struct trace *trace)
{
    json_object_set_new(json, "modelled", report_model_json(&trace->record));
    json_object_set_new(json, "measured",
                        trace->measured_us > 0
                            ? json_pack("{s:f, s:s}", "us", trace->measured_us, "device", trace->device)
                            : json_null());
}

static void put_messages(json_t *json, const struct trace *trace)
{
    const struct diagnostic_list *messages = &trace->compiled.diagnostics;
    json_t *array = json_array();
    for (size_t i = 0; i < messages->count; i++)
        json_array_append_new(array, diagnostic_json(&messages->items[i]));
    json_object_set_new(json, "diagnostics", array);
    json_object_set_new(json, "error", trace->error.code == STATUS_OK ? json_null() : diagnostic_json(&trace->error));
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
    json_object_set_new(json, "kernel", string(kernel));
    json_object_set_new(json, "mangled", string(trace->entry ? trace->entry->name : ""));
    json_object_set_new(json, "device", string(trace->device));
    json_object_set_new(json, "arch", string(arch));
    json_object_set_new(json, "compiler", string(trace->compiled.compiler));
    json_object_set_new(json, "grid", shape_json(trace->shape.grid));
    json_object_set_new(json, "block", shape_json(trace->shape.block));
    json_object_set_new(json, "counters", fields_write(&counter_fields, &trace->record.counters.compiled));
    json_object_set_new(json, "counters_as_written", fields_write(&counter_fields, &trace->record.counters.written));
    json_object_set_new(json, "lines", lines_json(&trace->record.counters));
    json_object_set_new(json, "hazards", hazards_json(&trace->record.hazards));
    put_times(json, trace);
    put_messages(json, trace);
    json_object_set_new(json, "printed", string(text_get(&trace->printed)));
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

static void put_lines(const struct counter_table *table, struct text *out)
{
    size_t count;
    struct line *lines = make_lines(table, &count);
    if (count)
        text_puts(out, "\n  line  access               instructions   wavefronts    conflicts      sectors\n");
    for (size_t i = 0; i < count; i++) {
        const struct line *line = &lines[i];
        char access[40];
        snprintf(access, sizeof access, "%s %s %u-bit", space_name(line->first->space), line->first->op,
                 line->first->bytes * 8);
        text_printf(out, "%6u  %-20s %12" PRIu64, line->first->line, access,
                    line->first->space == PTX_GLOBAL ? line->requests : line->instructions);
        if (line->first->space == PTX_GLOBAL)
            text_printf(out, "            -            - %12" PRIu64, line->sectors);
        else
            text_printf(out, " %12" PRIu64 " %12" PRIu64 "            -", line->wavefronts, line->conflicts);
        text_puts(out, line->estimate ? "  estimate\n" : "\n");
    }
    free(lines);
}

static void put_hazards(const struct trace *trace, struct text *out)
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
    put_lines(&trace->record.counters, out);
    picture_worst(&trace->record, out);
    put_hazards(trace, out);
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
