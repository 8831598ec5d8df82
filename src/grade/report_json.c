// A report as JSON and back. Everything that a screen shows travels: the worker's report is all that its caller has.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "grade/grade.h"

enum {
    FORMAT = 1,
    MAX_ITEMS = 100000,   // of any list that is read back
    MAX_VALUES = 16 << 20 // bytes that are read back
};

// ---- writing

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *string(const char *text)
{
    json_t *json = json_string(text ? text : "");
    return json ? json : json_string("(not valid UTF-8)");
}

static void put(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static void put_count(json_t *object, const char *key, uint64_t value)
{
    put(object, key, json_integer((json_int_t)value));
}

static json_t *triple(const uint32_t values[3])
{
    return json_pack("[i,i,i]", (int)values[0], (int)values[1], (int)values[2]);
}

static json_t *write_diagnostic(const struct diagnostic *diagnostic)
{
    json_t *json = json_object();
    put(json, "code", json_integer(diagnostic->code));
    put(json, "severity", json_integer(diagnostic->severity));
    put(json, "file", string(diagnostic->file));
    put(json, "line", json_integer(diagnostic->line));
    put(json, "column", json_integer(diagnostic->column));
    put(json, "message", string(diagnostic->message));
    return json;
}

static json_t *write_hazards(const struct hazard_list *hazards)
{
    json_t *list = json_array();
    for (size_t i = 0; i < hazards->count; i++) {
        const struct hazard *hazard = &hazards->items[i];
        json_t *json = json_object();
        put(json, "kind", string(hazard_name(hazard->kind)));
        put(json, "file", string(hazard->file));
        put_count(json, "line", hazard->line);
        put_count(json, "other_line", hazard->other_line);
        put_count(json, "pc", hazard->pc);
        put_count(json, "other_pc", hazard->other_pc);
        put(json, "block", triple(hazard->block));
        put(json, "other_block", triple(hazard->other_block));
        put(json, "thread", triple(hazard->thread));
        put(json, "other_thread", triple(hazard->other_thread));
        put(json, "space", json_integer(hazard->space));
        put_count(json, "address", hazard->address);
        put_count(json, "count", hazard->count);
        put(json, "benign", json_boolean(hazard->benign));
        put(json, "message", string(hazard->message));
        json_array_append_new(list, json);
    }
    return list;
}

static json_t *write_map(const struct grade_mismatch *mismatch)
{
    json_t *rows = json_array();
    for (size_t y = 0; y < 16; y++) {
        char text[65];
        for (size_t x = 0; x < 32; x++)
            snprintf(text + 2 * x, 3, "%02x", mismatch->map[y][x]);
        json_array_append_new(rows, json_string(text));
    }
    return rows;
}

static json_t *write_mismatch(const struct grade_mismatch *mismatch)
{
    json_t *json = json_object();
    put(json, "argument", string(mismatch->argument));
    put_count(json, "index", mismatch->index);
    put_count(json, "row", mismatch->row);
    put_count(json, "column", mismatch->column);
    put_count(json, "rows", mismatch->rows);
    put_count(json, "columns", mismatch->columns);
    put_count(json, "wrong", mismatch->wrong);
    put_count(json, "total", mismatch->total);
    put_count(json, "unwritten", mismatch->unwritten);
    put_count(json, "nan", mismatch->nan);
    put_count(json, "zero", mismatch->zero);
    put(json, "first_unwritten", json_boolean(mismatch->first_unwritten));
    put(json, "partial_only", json_boolean(mismatch->partial_only));
    put(json, "expected", number(mismatch->expected));
    put(json, "got", number(mismatch->got));
    put(json, "map", write_map(mismatch));
    return json;
}

static json_t *write_size(const struct grade_size *size)
{
    json_t *json = json_object();
    put(json, "name", string(size->name));
    put(json, "shape", string(size->shape));
    put(json, "ran", json_boolean(size->ran));
    put(json, "status", string(status_name(size->status)));
    put(json, "correct", json_boolean(size->correct));
    put(json, "grid", triple(size->grid));
    put(json, "block", triple(size->block));
    put_count(json, "static_shared", size->static_shared);
    put_count(json, "dynamic_shared", size->dynamic_shared);
    if (size->status)
        put(json, "diagnostic", write_diagnostic(&size->diagnostic));
    if (size->mismatch.wrong)
        put(json, "mismatch", write_mismatch(&size->mismatch));
    if (size->hazards.count)
        put(json, "hazards", write_hazards(&size->hazards));
    return json;
}

static json_t *write_gate(const struct grade_gate *gate)
{
    json_t *json = json_object();
    put(json, "id", string(gate->id));
    put(json, "passed", json_boolean(gate->passed));
    put(json, "skipped", json_boolean(gate->skipped));
    put(json, "full", json_boolean(gate->full));
    put(json, "points", number(gate->points));
    put(json, "earned", number(gate->earned));
    put(json, "asked", string(gate->asked));
    put(json, "got", string(gate->got));
    if (gate->message)
        put(json, "message", string(gate->message));
    return json;
}

static json_t *write_line(const struct counter_line *line)
{
    json_t *json = json_object();
    put(json, "file", string(line->file));
    put_count(json, "line", line->line);
    put_count(json, "pc", line->pc);
    put(json, "space", string(line->space == PTX_SHARED ? "shared" : "global"));
    put(json, "op", string(line->op));
    put(json, "kind", json_integer(line->kind));
    put_count(json, "bytes", line->bytes);
    put_count(json, "bytes_written", line->bytes_written);
    put(json, "fused_away", json_boolean(line->fused_away));
    put(json, "estimate", json_boolean(line->estimate));
    put_count(json, "instructions", line->instructions);
    put_count(json, "wavefronts", line->wavefronts);
    put_count(json, "conflicts", line->conflicts);
    put_count(json, "requests", line->requests);
    put_count(json, "sectors", line->sectors);
    put_count(json, "written_wavefronts", line->written_wavefronts);
    put_count(json, "written_conflicts", line->written_conflicts);
    return json;
}

// Most accesses step evenly from lane to lane: [first, step]; the others are 32 addresses.
static json_t *write_addresses(const struct recorded_access *access)
{
    json_t *list = json_array();
    uint64_t step = access->addresses[1] - access->addresses[0];
    bool is_even = access->mask == UINT32_MAX;
    for (size_t lane = 1; lane < SIM_LANES && is_even; lane++)
        is_even = access->addresses[lane] - access->addresses[lane - 1] == step;
    if (is_even) {
        json_array_append_new(list, json_integer((json_int_t)access->addresses[0]));
        json_array_append_new(list, json_integer((json_int_t)step));
        return list;
    }
    for (size_t lane = 0; lane < SIM_LANES; lane++)
        json_array_append_new(list, json_integer((json_int_t)access->addresses[lane]));
    return list;
}

// What a write left in memory, two hexadecimal digits a byte; null: not known.
static json_t *write_values(const struct recording *recording, const struct recorded_access *access)
{
    static const char digits[] = "0123456789abcdef";
    if (!access->has_values)
        return json_null();
    size_t size = (size_t)__builtin_popcount(access->mask) * access->bytes;
    char *text = mem_alloc(2 * size + 1);
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = recording->values[access->values + i];
        text[2 * i] = digits[byte >> 4];
        text[2 * i + 1] = digits[byte & 15];
    }
    json_t *json = json_stringn_nocheck(text, 2 * size);
    free(text);
    return json;
}

json_t *grade_recording_json(const struct recording *recording)
{
    json_t *json = json_object(), *list = json_array();
    size_t count = recording->count < RECORDING_TRAVELS ? recording->count : RECORDING_TRAVELS;
    for (size_t i = 0; i < count; i++) {
        const struct recorded_access *access = &recording->items[i];
        json_t *entry =
            json_pack("[I,I,I,I,I,I,i,i,o]", (json_int_t)access->pc, (json_int_t)access->warp, (json_int_t)access->mask,
                      (json_int_t)access->bytes, (json_int_t)access->step, (json_int_t)access->phase, (int)access->kind,
                      (int)access->space, write_addresses(access));
        if (access->has_values) {
            json_array_append_new(entry, json_integer((json_int_t)access->lands));
            json_array_append_new(entry, write_values(recording, access));
        }
        json_array_append_new(list, entry);
    }
    put(json, "block", triple(recording->block));
    put(json, "truncated", json_boolean(recording->truncated || count < recording->count));
    put_count(json, "total", recording->total);
    put(json, "accesses", list);
    return json;
}

static json_t *write_model(const struct record *record)
{
    const struct prediction *model = &record->model;
    json_t *json = json_object(), *waits = json_array();
    for (size_t i = 0; i < REPLAY_REASONS; i++)
        json_array_append_new(waits, number(model->waits[i]));
    put(json, "gpu", string(record->model_gpu));
    put(json, "us", number(model->us));
    put_count(json, "registers", model->registers);
    put(json, "registers_estimated", json_boolean(model->registers_estimated));
    put_count(json, "active_sms", model->active_sms);
    put_count(json, "waves", model->waves);
    put(json, "waits", waits);
    put(json, "issued", number(model->issued));
    put(json, "issue_busy", number(model->issue_busy));
    put(json, "shared_busy", number(model->shared_busy));
    put(json, "l1_busy", number(model->l1_busy));
    put(json, "l2_busy", number(model->l2_busy));
    put(json, "dram_busy", number(model->dram_busy));
    put(json, "tail", number(model->tail));
    put(json, "dram_gbps", number(model->dram_gbps));
    put(json, "bound_by", string(model->bound_by));
    put(json, "advice", string(model->advice));
    return json;
}

static json_t *write_record(const struct record *record, bool with_recording)
{
    json_t *json = json_object(), *lines = json_array();
    for (size_t i = 0; i < record->counters.count; i++)
        json_array_append_new(lines, write_line(&record->counters.lines[i]));
    put(json, "device", string(record->device));
    put(json, "counters", counters_json(&record->counters.compiled));
    put(json, "counters_written", counters_json(&record->counters.written));
    put(json, "lines", lines);
    put(json, "hazards", write_hazards(&record->hazards));
    if (with_recording)
        put(json, "recording", grade_recording_json(&record->recording));
    put(json, "modelled_us", number(record->modelled_us));
    put(json, "measured_us", number(record->measured_us));
    if (record->modelled_us > 0)
        put(json, "model", write_model(record));
    return json;
}

static json_t *write_times(const struct grade_times *times)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f}", "kernel", times->kernel, "naive", times->naive, "solution",
                     times->solution, "copy", times->copy, "cublas", times->cublas);
}

static json_t *write_conditions(const struct grade_conditions *conditions)
{
    return json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:f}", "driver", conditions->driver, "date", conditions->date,
                     "sm_mhz_min", conditions->sm_mhz_min, "sm_mhz_max", conditions->sm_mhz_max, "memory_mhz",
                     conditions->memory_mhz, "celsius_max", conditions->celsius_max, "watts_max", conditions->watts_max,
                     "empty_launch_us", conditions->empty_launch_us);
}

static json_t *write_report(const struct grade_report *report, bool with_recording)
{
    json_t *json = json_object(), *messages = json_array(), *sizes = json_array(), *gates = json_array();
    for (size_t i = 0; i < report->messages.count; i++)
        json_array_append_new(messages, write_diagnostic(&report->messages.items[i]));
    for (size_t i = 0; i < report->size_count; i++)
        json_array_append_new(sizes, write_size(&report->sizes[i]));
    for (size_t i = 0; i < report->gate_count; i++)
        json_array_append_new(gates, write_gate(&report->gates[i]));
    put(json, "format", json_integer(FORMAT));
    put(json, "lesson", string(report->lesson_id));
    put(json, "verdict", string(verdict_name(report->verdict)));
    put(json, "full", json_boolean(report->full));
    put(json, "score", number(report->score));
    put(json, "diagnosis", string(report->diagnosis));
    put(json, "next", string(report->next));
    put(json, "messages", messages);
    put(json, "sizes", sizes);
    put(json, "gates", gates);
    put(json, "kernel", string(report->kernel));
    put_count(json, "part", report->part);
    put(json, "grid", triple(report->grid));
    put(json, "block", triple(report->block));
    put_count(json, "static_shared", report->static_shared);
    put_count(json, "dynamic_shared", report->dynamic_shared);
    put(json, "record", write_record(&report->record, with_recording));
    put(json, "modelled", write_times(&report->modelled));
    put(json, "measured", write_times(&report->measured));
    put(json, "ratios", write_times(&report->ratios));
    put(json, "gbps", number(report->gbps));
    put(json, "gflops", number(report->gflops));
    put(json, "copy_percent", number(report->copy_percent));
    put(json, "gpu", string(report->gpu));
    if (report->gpu[0])
        put(json, "conditions", write_conditions(&report->conditions));
    put(json, "evidence", string(report->evidence));
    put_count(json, "seed", report->seed);
    put(json, "compile_seconds", number(report->compile_seconds));
    put(json, "run_seconds", number(report->run_seconds));
    put(json, "total_seconds", number(report->total_seconds));
    put(json, "from_cache", json_boolean(report->from_cache));
    put(json, "compiler", string(report->compiler));
    put(json, "device", string(report->device));
    if (report->source)
        put(json, "source", string(report->source));
    if (report->output)
        put(json, "output", string(report->output));
    return json;
}

json_t *grade_report_json(const struct grade_report *report)
{
    return write_report(report, true);
}

json_t *grade_report_json_brief(const struct grade_report *report)
{
    return write_report(report, false);
}

// ---- reading: nothing in the JSON is trusted; what is missing or of another type is empty or 0

struct reader {
    struct arena *arena;
};

static const char *get_string(const struct reader *reader, const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));
    return arena_strdup(reader->arena, text ? text : "");
}

static void copy_string(const json_t *json, const char *key, char *text, size_t size)
{
    const char *value = json_string_value(json_object_get(json, key));
    snprintf(text, size, "%s", value ? value : "");
}

static uint64_t get_count(const json_t *json, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(json, key));
}

static double get_number(const json_t *json, const char *key)
{
    const json_t *value = json_object_get(json, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static bool get_flag(const json_t *json, const char *key)
{
    return json_is_true(json_object_get(json, key));
}

static void get_triple(const json_t *json, const char *key, uint32_t values[3])
{
    const json_t *list = json_object_get(json, key);
    for (size_t i = 0; i < 3; i++)
        values[i] = (uint32_t)json_integer_value(json_array_get(list, i));
}

// Elements of a list, at most `most`; *items gets zeroed room for them.
static size_t get_list(const json_t *json, const char *key, size_t most, size_t size, void *items, const json_t **list)
{
    *list = json_object_get(json, key);
    size_t count = json_array_size(*list);
    count = count < most ? count : most;
    *(void **)items = count ? mem_alloc(count * size) : NULL;
    return count;
}

static void read_diagnostic(const json_t *json, struct diagnostic *diagnostic)
{
    uint64_t code = get_count(json, "code"), severity = get_count(json, "severity");
    diagnostic->code = code <= STATUS_INTERNAL ? (enum status)code : STATUS_INTERNAL;
    diagnostic->severity = severity <= SEVERITY_ERROR ? (enum severity)severity : SEVERITY_ERROR;
    diagnostic->line = (int)get_count(json, "line");
    diagnostic->column = (int)get_count(json, "column");
    copy_string(json, "file", diagnostic->file, sizeof diagnostic->file);
    copy_string(json, "message", diagnostic->message, sizeof diagnostic->message);
}

static void read_hazards(const struct reader *reader, const json_t *json, const char *key, struct hazard_list *hazards)
{
    const json_t *list;
    hazards->count = hazards->capacity = get_list(json, key, MAX_ITEMS, sizeof *hazards->items, &hazards->items, &list);
    for (size_t i = 0; i < hazards->count; i++) {
        struct hazard *hazard = &hazards->items[i];
        const json_t *entry = json_array_get(list, i);
        const char *name = get_string(reader, entry, "kind");
        for (int kind = 0; kind < HAZARD_KIND_COUNT; kind++)
            if (strcmp(hazard_name((enum hazard_kind)kind), name) == 0)
                hazard->kind = (enum hazard_kind)kind;
        hazard->file = get_string(reader, entry, "file");
        hazard->line = (uint32_t)get_count(entry, "line");
        hazard->other_line = (uint32_t)get_count(entry, "other_line");
        hazard->pc = (uint32_t)get_count(entry, "pc");
        hazard->other_pc = (uint32_t)get_count(entry, "other_pc");
        get_triple(entry, "block", hazard->block);
        get_triple(entry, "other_block", hazard->other_block);
        get_triple(entry, "thread", hazard->thread);
        get_triple(entry, "other_thread", hazard->other_thread);
        hazard->space = (enum ptx_space)get_count(entry, "space");
        hazard->address = get_count(entry, "address");
        hazard->count = get_count(entry, "count");
        hazard->benign = get_flag(entry, "benign");
        copy_string(entry, "message", hazard->message, sizeof hazard->message);
    }
}

static void read_mismatch(const struct reader *reader, const json_t *json, struct grade_mismatch *mismatch)
{
    mismatch->argument = get_string(reader, json, "argument");
    mismatch->index = get_count(json, "index");
    mismatch->row = get_count(json, "row");
    mismatch->column = get_count(json, "column");
    mismatch->rows = get_count(json, "rows");
    mismatch->columns = get_count(json, "columns");
    mismatch->wrong = get_count(json, "wrong");
    mismatch->total = get_count(json, "total");
    mismatch->unwritten = get_count(json, "unwritten");
    mismatch->nan = get_count(json, "nan");
    mismatch->zero = get_count(json, "zero");
    mismatch->first_unwritten = get_flag(json, "first_unwritten");
    mismatch->partial_only = get_flag(json, "partial_only");
    mismatch->expected = get_number(json, "expected");
    mismatch->got = get_number(json, "got");
    const json_t *map = json_object_get(json, "map");
    for (size_t y = 0; y < 16; y++) {
        const char *row = json_string_value(json_array_get(map, y));
        for (size_t x = 0; row && x < 32 && strlen(row) == 64; x++) {
            char digits[3] = {row[2 * x], row[2 * x + 1], '\0'};
            mismatch->map[y][x] = (unsigned char)strtoul(digits, NULL, 16);
        }
    }
}

static enum status status_of(const char *name)
{
    for (int status = STATUS_OK; status <= STATUS_INTERNAL; status++)
        if (strcmp(status_name((enum status)status), name) == 0)
            return (enum status)status;
    return STATUS_INTERNAL;
}

static void read_sizes(const struct reader *reader, const json_t *json, struct grade_report *report)
{
    const json_t *list;
    struct grade_size *sizes;
    report->size_count = get_list(json, "sizes", MAX_ITEMS, sizeof *sizes, &sizes, &list);
    report->sizes = arena_alloc(reader->arena, (report->size_count + 1) * sizeof *sizes);
    free(sizes);
    for (size_t i = 0; i < report->size_count; i++) {
        struct grade_size *size = &report->sizes[i];
        const json_t *entry = json_array_get(list, i);
        size->name = get_string(reader, entry, "name");
        copy_string(entry, "shape", size->shape, sizeof size->shape);
        size->ran = get_flag(entry, "ran");
        size->status = status_of(get_string(reader, entry, "status"));
        size->correct = get_flag(entry, "correct");
        get_triple(entry, "grid", size->grid);
        get_triple(entry, "block", size->block);
        size->static_shared = (uint32_t)get_count(entry, "static_shared");
        size->dynamic_shared = (uint32_t)get_count(entry, "dynamic_shared");
        read_diagnostic(json_object_get(entry, "diagnostic"), &size->diagnostic);
        read_mismatch(reader, json_object_get(entry, "mismatch"), &size->mismatch);
        read_hazards(reader, entry, "hazards", &size->hazards);
    }
}

static void read_gates(const struct reader *reader, const json_t *json, struct grade_report *report)
{
    const json_t *list;
    struct grade_gate *gates;
    report->gate_count = get_list(json, "gates", MAX_ITEMS, sizeof *gates, &gates, &list);
    report->gates = arena_alloc(reader->arena, (report->gate_count + 1) * sizeof *gates);
    free(gates);
    for (size_t i = 0; i < report->gate_count; i++) {
        struct grade_gate *gate = &report->gates[i];
        const json_t *entry = json_array_get(list, i);
        gate->id = get_string(reader, entry, "id");
        gate->message = json_object_get(entry, "message") ? get_string(reader, entry, "message") : NULL;
        gate->passed = get_flag(entry, "passed");
        gate->skipped = get_flag(entry, "skipped");
        gate->full = get_flag(entry, "full");
        gate->points = get_number(entry, "points");
        gate->earned = get_number(entry, "earned");
        copy_string(entry, "asked", gate->asked, sizeof gate->asked);
        copy_string(entry, "got", gate->got, sizeof gate->got);
    }
}

static void read_counters(const json_t *json, struct counters *counters)
{
#define C(name) counters->name = get_count(json, #name);
    COUNTERS(C)
#undef C
}

static void read_lines(const struct reader *reader, const json_t *json, struct counter_table *table)
{
    const json_t *list;
    table->count = get_list(json, "lines", MAX_ITEMS, sizeof *table->lines, &table->lines, &list);
    for (size_t i = 0; i < table->count; i++) {
        struct counter_line *line = &table->lines[i];
        const json_t *entry = json_array_get(list, i);
        line->file = get_string(reader, entry, "file");
        line->line = (uint32_t)get_count(entry, "line");
        line->pc = (uint32_t)get_count(entry, "pc");
        line->space = strcmp(get_string(reader, entry, "space"), "shared") == 0 ? PTX_SHARED : PTX_GLOBAL;
        line->op = get_string(reader, entry, "op");
        line->kind = (enum sim_access_kind)get_count(entry, "kind");
        line->bytes = (uint32_t)get_count(entry, "bytes");
        line->bytes_written = (uint32_t)get_count(entry, "bytes_written");
        line->fused_away = get_flag(entry, "fused_away");
        line->estimate = get_flag(entry, "estimate");
        line->instructions = get_count(entry, "instructions");
        line->wavefronts = get_count(entry, "wavefronts");
        line->conflicts = get_count(entry, "conflicts");
        line->requests = get_count(entry, "requests");
        line->sectors = get_count(entry, "sectors");
        line->written_wavefronts = get_count(entry, "written_wavefronts");
        line->written_conflicts = get_count(entry, "written_conflicts");
    }
}

static uint64_t item(const json_t *list, size_t index)
{
    return (uint64_t)json_integer_value(json_array_get(list, index));
}

static unsigned digit(char c)
{
    return c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 16;
}

static void read_values(const json_t *json, struct recording *recording, struct recorded_access *access)
{
    const char *text = json_string_value(json);
    size_t size = (size_t)__builtin_popcount(access->mask) * access->bytes;
    if (!text || size == 0 || size > MAX_VALUES - recording->value_count || json_string_length(json) != 2 * size)
        return;
    mem_reserve((void **)&recording->values, &recording->value_capacity, recording->value_count + size, 1);
    for (size_t i = 0; i < size; i++) {
        unsigned high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
        if (high > 15 || low > 15)
            return;
        recording->values[recording->value_count + i] = (unsigned char)(high << 4 | low);
    }
    access->has_values = true;
    access->values = (uint32_t)recording->value_count;
    recording->value_count += size;
}

void grade_recording_read(const json_t *json, struct recording *recording)
{
    const json_t *list;
    *recording = (struct recording){0};
    get_triple(json, "block", recording->block);
    recording->truncated = get_flag(json, "truncated");
    recording->count = recording->capacity =
        get_list(json, "accesses", MAX_ITEMS, sizeof *recording->items, &recording->items, &list);
    recording->total = get_count(json, "total");
    if (recording->total < recording->count)
        recording->total = recording->count;
    for (size_t i = 0; i < recording->count; i++) {
        struct recorded_access *access = &recording->items[i];
        const json_t *entry = json_array_get(list, i), *addresses = json_array_get(entry, 8);
        access->pc = (uint32_t)item(entry, 0);
        access->warp = (uint32_t)item(entry, 1);
        access->mask = (uint32_t)item(entry, 2);
        access->bytes = (uint32_t)item(entry, 3);
        access->step = item(entry, 4);
        access->phase = (uint32_t)item(entry, 5);
        access->kind = (enum sim_access_kind)item(entry, 6);
        access->space = (enum ptx_space)item(entry, 7);
        bool is_even = json_array_size(addresses) == 2;
        for (size_t lane = 0; lane < SIM_LANES; lane++)
            access->addresses[lane] = is_even ? item(addresses, 0) + lane * item(addresses, 1) : item(addresses, lane);
        access->lands = json_array_size(entry) > 9 ? (uint32_t)item(entry, 9) : (uint32_t)i;
        read_values(json_array_get(entry, 10), recording, access);
    }
}

static void read_model(const struct reader *reader, const json_t *json, struct record *record)
{
    struct prediction *model = &record->model;
    const json_t *waits = json_object_get(json, "waits");
    copy_string(json, "gpu", record->model_gpu, sizeof record->model_gpu);
    for (size_t i = 0; i < REPLAY_REASONS; i++)
        model->waits[i] = json_number_value(json_array_get(waits, i));
    model->us = get_number(json, "us");
    model->registers = (uint32_t)get_count(json, "registers");
    model->registers_estimated = get_flag(json, "registers_estimated");
    model->active_sms = (uint32_t)get_count(json, "active_sms");
    model->waves = get_count(json, "waves");
    model->issued = get_number(json, "issued");
    model->issue_busy = get_number(json, "issue_busy");
    model->shared_busy = get_number(json, "shared_busy");
    model->l1_busy = get_number(json, "l1_busy");
    model->l2_busy = get_number(json, "l2_busy");
    model->dram_busy = get_number(json, "dram_busy");
    model->tail = get_number(json, "tail");
    model->dram_gbps = get_number(json, "dram_gbps");
    model->bound_by = get_string(reader, json, "bound_by");
    copy_string(json, "advice", model->advice, sizeof model->advice);
}

static void read_record(const struct reader *reader, const json_t *json, struct record *record)
{
    copy_string(json, "device", record->device, sizeof record->device);
    read_counters(json_object_get(json, "counters"), &record->counters.compiled);
    read_counters(json_object_get(json, "counters_written"), &record->counters.written);
    read_lines(reader, json, &record->counters);
    read_hazards(reader, json, "hazards", &record->hazards);
    grade_recording_read(json_object_get(json, "recording"), &record->recording);
    record->modelled_us = get_number(json, "modelled_us");
    record->measured_us = get_number(json, "measured_us");
    if (record->modelled_us > 0)
        read_model(reader, json_object_get(json, "model"), record);
}

static void read_times(const json_t *json, struct grade_times *times)
{
    *times = (struct grade_times){.kernel = get_number(json, "kernel"),
                                  .naive = get_number(json, "naive"),
                                  .solution = get_number(json, "solution"),
                                  .copy = get_number(json, "copy"),
                                  .cublas = get_number(json, "cublas")};
}

static void read_conditions(const json_t *json, struct grade_conditions *conditions)
{
    copy_string(json, "driver", conditions->driver, sizeof conditions->driver);
    copy_string(json, "date", conditions->date, sizeof conditions->date);
    conditions->sm_mhz_min = (int)get_count(json, "sm_mhz_min");
    conditions->sm_mhz_max = (int)get_count(json, "sm_mhz_max");
    conditions->memory_mhz = (int)get_count(json, "memory_mhz");
    conditions->celsius_max = (int)get_count(json, "celsius_max");
    conditions->watts_max = (int)get_count(json, "watts_max");
    conditions->empty_launch_us = get_number(json, "empty_launch_us");
}

static char *get_copy(const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));
    return text ? mem_strdup(text) : NULL;
}

enum status grade_report_read(json_t *json, struct grade_report **report, struct diagnostic *diagnostic)
{
    const char *verdict = json_string_value(json_object_get(json, "verdict"));
    int index = 0;
    *report = NULL;
    while (verdict && index < VERDICT_COUNT && strcmp(verdict_name((enum verdict)index), verdict) != 0)
        index++;
    if (!verdict || index == VERDICT_COUNT || get_count(json, "format") != FORMAT)
        return diagnostic_set(diagnostic, STATUS_PARSE, "this is no report of format %d.", FORMAT);
    struct grade_report *result = grade_report_new();
    struct reader reader = {result->arena};
    result->verdict = (enum verdict)index;
    result->lesson_id = get_string(&reader, json, "lesson");
    result->full = get_flag(json, "full");
    result->score = get_number(json, "score");
    copy_string(json, "diagnosis", result->diagnosis, sizeof result->diagnosis);
    copy_string(json, "next", result->next, sizeof result->next);
    const json_t *messages = json_object_get(json, "messages");
    for (size_t i = 0; i < json_array_size(messages) && i < MAX_ITEMS; i++) {
        struct diagnostic message = {0};
        read_diagnostic(json_array_get(messages, i), &message);
        diagnostic_add(&result->messages, &message);
    }
    read_sizes(&reader, json, result);
    read_gates(&reader, json, result);
    result->kernel = get_string(&reader, json, "kernel");
    result->part = (size_t)get_count(json, "part");
    get_triple(json, "grid", result->grid);
    get_triple(json, "block", result->block);
    result->static_shared = (uint32_t)get_count(json, "static_shared");
    result->dynamic_shared = (uint32_t)get_count(json, "dynamic_shared");
    read_record(&reader, json_object_get(json, "record"), &result->record);
    read_times(json_object_get(json, "modelled"), &result->modelled);
    read_times(json_object_get(json, "measured"), &result->measured);
    read_times(json_object_get(json, "ratios"), &result->ratios);
    result->gbps = get_number(json, "gbps");
    result->gflops = get_number(json, "gflops");
    result->copy_percent = get_number(json, "copy_percent");
    copy_string(json, "gpu", result->gpu, sizeof result->gpu);
    read_conditions(json_object_get(json, "conditions"), &result->conditions);
    copy_string(json, "evidence", result->evidence, sizeof result->evidence);
    result->seed = get_count(json, "seed");
    result->compile_seconds = get_number(json, "compile_seconds");
    result->run_seconds = get_number(json, "run_seconds");
    result->total_seconds = get_number(json, "total_seconds");
    result->from_cache = get_flag(json, "from_cache");
    copy_string(json, "compiler", result->compiler, sizeof result->compiler);
    copy_string(json, "device", result->device, sizeof result->device);
    result->source = get_copy(json, "source");
    result->output = get_copy(json, "output");
    *report = result;
    return STATUS_OK;
}
