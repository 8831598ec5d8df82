// What `trace` prints: one JSON object, or a report of 80 columns.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/trace.h"
#include "device/args.h"
#include "grade/report.h"
#include "grade/unit.h"
#include "grade/worker.h"

enum { TEXT_WIDTH = 80 };

// ---- JSON

static json_t *shape_json(const uint32_t shape[3])
{
    return json_pack("[i, i, i]", (int)shape[0], (int)shape[1], (int)shape[2]);
}

static json_t *trace_line_json(const void *line)
{
    return fields_write(&report_line_fields, line);
}

static json_t *trace_hazard_json(const void *item)
{
    const struct hazard *hazard = item;
    json_t *json = fields_write(&report_hazard_fields, hazard), *threads = json_array();
    json_array_append_new(threads, shape_json(hazard->thread));
    if (hazard->other_pc != UINT32_MAX)
        json_array_append_new(threads, shape_json(hazard->other_thread));
    fields_put(json, "threads", threads);
    if (!hazard->other_line)
        fields_put(json, "other_line", json_null());
    return json;
}

static json_t *trace_message_json(const void *item)
{
    const struct diagnostic *message = item;
    json_t *json = fields_write(&report_message_fields, message);
    fields_put(json, "kind", json_string(status_name(message->code)));
    fields_put(json, "severity", json_string(severity_name(message->severity)));
    return json;
}

static json_t *items_json(json_t *(*write)(const void *item), const void *items, size_t count, size_t size)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, write((const char *)items + i * size));
    return array;
}

static void put_trace_times(json_t *json, const struct trace *trace)
{
    json_object_set_new(json, "modelled", report_model_json(&trace->record));
    json_object_set_new(json, "measured",
                        trace->measured_us > 0
                            ? json_pack("{s:f, s:s, s:f}", "us", trace->measured_us, "device", trace->device,
                                        "model_off_percent", report_percent_off(&trace->record, trace->measured_us))
                            : json_null());
}

static bool is_dumped(const struct trace *trace, const struct device_arg *arg)
{
    bool wanted = false;
    for (size_t i = 0; arg->name && i < trace->dumps.count; i++)
        wanted |= strcmp(trace->dumps.items[i], arg->name) == 0;
    return wanted;
}

static void put_dumps(const struct trace *trace, struct text *out)
{
    text_puts(out, ",\n  \"dumps\": {");
    const char *comma = "";
    for (size_t i = 0; i < trace->arg_count; i++) {
        const struct device_arg *arg = &trace->args[i];
        if (!is_dumped(trace, arg))
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

// What was counted and looked for; null where nobody did.
static void put_seen(json_t *json, const struct trace *trace)
{
    static const char *const keys[] = {"counters", "counters_as_written", "textures", "lines", "hazards_of", "hazards"};
    const struct record *record = &trace->record;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && trace->predict; i++)
        fields_put(json, keys[i], json_null());
    if (trace->predict)
        return;
    size_t line_count;
    struct counter_line *lines = report_merge_lines(&record->counters, &line_count);
    fields_put(json, "counters", fields_write(&counter_fields, &record->counters.compiled));
    fields_put(json, "counters_as_written", fields_write(&counter_fields, &record->counters.written));
    fields_put(json, "textures",
               json_pack("{s:I, s:I, s:I}", "fetches", (json_int_t)record->textures.fetches, "surface_loads",
                         (json_int_t)record->textures.surface_loads, "surface_stores",
                         (json_int_t)record->textures.surface_stores));
    fields_put(json, "lines", items_json(trace_line_json, lines, line_count, sizeof *lines));
    fields_put(json, "hazards_of", fields_string(trace->as_written ? "as written" : "as compiled"));
    fields_put(
        json, "hazards",
        items_json(trace_hazard_json, record->hazards.items, record->hazards.count, sizeof *record->hazards.items));
    free(lines);
}

void trace_report_json(const struct trace *trace, struct text *out)
{
    json_t *json = json_object();
    const struct diagnostic_list *messages = &trace->compiled.diagnostics;
    char kernel[512] = "", arch[16] = "";
    if (trace->entry) {
        ptx_entry_name(trace->module, trace->entry, kernel, sizeof kernel);
        snprintf(arch, sizeof arch, "sm_%u%.1s", trace->module->sm, &trace->module->sm_suffix);
    }
    fields_put(json, "kernel", fields_string(kernel));
    fields_put(json, "mangled", fields_string(trace->entry ? trace->entry->name : ""));
    fields_put(json, "device", fields_string(trace->device));
    fields_put(json, "arch", fields_string(arch));
    fields_put(json, "compiler", fields_string(trace->compiled.compiler));
    fields_put(json, "grid", shape_json(trace->shape.grid));
    fields_put(json, "block", shape_json(trace->shape.block));
    fields_put(json, "blocks", json_integer((json_int_t)launch_blocks(&trace->shape)));
    fields_put(json, "blocks_run", json_integer((json_int_t)trace->blocks_run));
    put_seen(json, trace);
    put_trace_times(json, trace);
    fields_put(json, "diagnostics",
               items_json(trace_message_json, messages->items, messages->count, sizeof *messages->items));
    fields_put(json, "error", trace->error.code == STATUS_OK ? json_null() : trace_message_json(&trace->error));
    fields_put(json, "printed", fields_string(text_get(&trace->printed)));
    // The dumps are written by hand after the rest: a number a node would take fifty times their memory.
    char *head = json_dumps(json, JSON_PRESERVE_ORDER | JSON_INDENT(2));
    text_append(out, head, strlen(head) - 2);
    free(head);
    json_decref(json);
    put_dumps(trace, out);
    text_puts(out, "\n}\n");
}

// ---- text

// Optimised code has lost what its result does not need: races and barriers, too.
static const char *hazards_none(const struct trace *trace)
{
    return trace->as_written     ? "No hazards in the source as written"
           : trace->compiled.ptx ? "No hazards in the code as compiled (--as-written looks at the source)"
                                 : "No hazards";
}

static void put_values(const struct device_arg *arg, struct text *out)
{
    text_printf(out, "\n%s\n", arg->name);
    for (size_t i = 0; i < arg->count; i++) {
        args_format(arg->type, (const unsigned char *)arg->data + i * ptx_type_size(arg->type), out);
        text_puts(out, i % 8 == 7 || i + 1 == arg->count ? "\n" : " ");
    }
}

// A report without gates: what ran, and what there is to say of it. It takes the record over.
static struct grade_report *report_for_lab(struct trace *trace, enum status status)
{
    struct grade_report *report = grade_report_new();
    report->lesson_id = GRADE_OWN;
    report->kernel = arena_strdup(report->arena, trace->entry ? trace->entry->name : "");
    report->source = trace->compiled.source ? arena_strdup(report->arena, trace->compiled.source) : NULL;
    report->verdict = verdict_for(status);
    report->launch = trace->shape;
    report->launch.static_shared = trace->entry ? unit_static_shared(trace->entry) : 0;
    report->record = trace->record;
    trace->record = (struct record){0};
    report->compile_seconds = trace->compiled.seconds;
    report->from_cache = trace->compiled.from_cache;
    snprintf(report->device, sizeof report->device, "%s", trace->device[0] ? trace->device : "simulated");
    snprintf(report->compiler, sizeof report->compiler, "%s", trace->compiled.compiler);
    if (trace->printed.length)
        report->output = arena_strdup(report->arena, text_get(&trace->printed));
    for (size_t i = 0; i < trace->compiled.diagnostics.count; i++)
        diagnostic_add(&report->messages, &trace->compiled.diagnostics.items[i]);
    if (status && trace->compiled.diagnostics.count == 0)
        diagnostic_add(&report->messages, &trace->error);
    struct diagnostic note = {.code = STATUS_OK, .severity = SEVERITY_NOTE};
    snprintf(note.message, sizeof note.message, "%s", hazards_none(trace));
    if (!status && report->record.hazards.count == 0 && !trace->without_hazards)
        diagnostic_add(&report->messages, &note);
    if (status)
        snprintf(report->next, sizeof report->next, "%.511s", trace->error.message);
    for (size_t i = 0; i < report->record.hazards.count && report->verdict == VERDICT_PASS; i++) {
        const struct hazard *hazard = &report->record.hazards.items[i];
        if (hazard->benign)
            continue;
        report->verdict = VERDICT_FAIL;
        snprintf(report->diagnosis, sizeof report->diagnosis, "%s", hazard_name(hazard->kind));
        snprintf(report->next, sizeof report->next, "%.511s", hazard->message);
    }
    return report;
}

void trace_report_lab(struct trace *trace, enum status status)
{
    struct grade_event event = {.kind = GRADE_EVENT_REPORT};
    bool is_timeline = strcmp(trace->lab, "timeline") == 0, is_report = strcmp(trace->lab, "report") == 0;
    if (!is_report && status) {
        event.kind = GRADE_EVENT_FAILED;
        event.diagnostic = trace->error;
    } else if (is_timeline) {
        event.kind = GRADE_EVENT_TIMELINE;
        event.timeline = trace->log;
    } else if (!is_report) {
        event.kind = GRADE_EVENT_RECORDING;
        event.recording = trace->record.recording;
    } else {
        event.report = report_for_lab(trace, status);
    }
    grade_send_event(&event);
    grade_report_free(event.report);
}

static void put_textures(const struct trace *trace, struct page *page)
{
    const struct texture_counts *counts = &trace->record.textures;
    char words[400];
    snprintf(
        words, sizeof words,
        "Warps fetched from textures %llu times, loaded from surfaces %llu times and stored to them %llu times. What "
        "that moves is in none of the counters, races among it are not looked for, and no time is modelled.",
        (unsigned long long)counts->fetches, (unsigned long long)counts->surface_loads,
        (unsigned long long)counts->surface_stores);
    if (!counts->fetches && !counts->surface_loads && !counts->surface_stores)
        return;
    page_heading(page, "Textures");
    page_paragraph(page, 2, ROLE_TEXT, words);
}

static void put_blocks(const struct trace *trace, struct page *page)
{
    char words[300];
    snprintf(
        words, sizeof words,
        "%llu of %llu blocks ran, as many as the time model looks at. Nothing was counted, hazards were not looked "
        "for, and the time is modelled, not measured.",
        (unsigned long long)trace->blocks_run, (unsigned long long)launch_blocks(&trace->shape));
    page_paragraph(page, 0, ROLE_TEXT, words);
}

static void put_cluster(const struct trace *trace, struct page *page)
{
    uint32_t dims[3];
    char words[400];
    if (launch_cluster(&trace->shape, trace->entry, dims) == 1)
        return;
    snprintf(
        words, sizeof words,
        "%u x %u x %u blocks each. Races in the shared memory of another block are looked for, but what a block does "
        "there is in none of the counters, and no time is modelled.",
        dims[0], dims[1], dims[2]);
    page_heading(page, "Clusters");
    page_paragraph(page, 2, ROLE_TEXT, words);
}

void trace_report_text(const struct trace *trace, struct text *out)
{
    char kernel[512];
    struct page page;
    const struct record *record = &trace->record;
    page_init(&page, TEXT_WIDTH, page_locale_is_ascii());
    ptx_entry_name(trace->module, trace->entry, kernel, sizeof kernel);
    page_line(&page, ROLE_TEXT, "%s, grid %u x %u x %u, block %u x %u x %u", kernel, trace->shape.grid[0],
              trace->shape.grid[1], trace->shape.grid[2], trace->shape.block[0], trace->shape.block[1],
              trace->shape.block[2]);
    page_line(&page, ROLE_TEXT, "%s%s%s%s", record->device, trace->compiled.compiler[0] ? ", compiled by " : "",
              trace->compiled.compiler, trace->as_written ? " without optimisation" : "");
    if (trace->predict) {
        put_blocks(trace, &page);
    } else {
        report_counters(&record->counters.compiled, &page);
        put_textures(trace, &page);
        put_cluster(trace, &page);
        report_lines(record, trace->path, true, &page);
        report_picture(record, trace->path, &page);
        report_hazards(&record->hazards, NULL, trace->path, true, &page);
    }
    if (record->hazards.count == 0 && !trace->without_hazards && !trace->predict)
        page_heading(&page, "%s", hazards_none(trace));
    if (trace->measured_us > 0 || record->modelled_us > 0)
        page_heading(&page, "Time");
    if (trace->measured_us > 0)
        page_line(&page, ROLE_TEXT, "  measured (%s): %.2f us", trace->device, trace->measured_us);
    report_model(record, &page);
    report_distance(record, trace->measured_us, trace->device, &page);
    page_print(&page, out);
    page_free(&page);
    if (trace->printed.length) {
        text_puts(out, "\nprinted:\n");
        text_escape(out, trace->printed.data, trace->printed.length, true);
    }
    for (size_t i = 0; i < trace->arg_count; i++)
        if (is_dumped(trace, &trace->args[i]))
            put_values(&trace->args[i], out);
}
