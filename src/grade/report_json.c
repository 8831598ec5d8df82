// A report as JSON and back. Everything that a screen shows travels: the worker's report is all that its caller has.
//
// What is one value in C and one in JSON stands once, in a table of fields, and is written and read by it. Nothing in
// JSON that is read is trusted: what is missing or of another type is empty or 0.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "grade/report.h"

enum {
    FORMAT = 1,
    MAX_ITEMS = 100000 // of any list that is read back
};

// ---- fields

enum field_kind {
    FIELD_FLAG, // bool
    FIELD_INT,  // int, enum
    FIELD_U32,
    FIELD_U64,
    FIELD_NUMBER, // double; what is not finite is null
    FIELD_TRIPLE, // uint32_t[3]
    FIELD_STRING, // const char *, of the report's arena when read; NULL is written as ""
    FIELD_OPTION, // the same; NULL is not written
    FIELD_TEXT    // char[]
};

struct field {
    const char *key;
    enum field_kind kind;
    size_t offset, size;
};

#define FIELD(type, kind, key, member)                                                                                 \
    {                                                                                                                  \
        key, FIELD_##kind, offsetof(struct type, member), sizeof((struct type *)0)->member                             \
    }
#define COUNT(table) (sizeof(table) / sizeof *(table))

#define F(kind, member) FIELD(diagnostic, kind, #member, member)
static const struct field diagnostic_fields[] = {F(INT, code), F(INT, severity), F(TEXT, file),
                                                 F(INT, line), F(INT, column),   F(TEXT, message)};
#undef F

#define F(kind, member) FIELD(hazard, kind, #member, member)
static const struct field hazard_fields[] = {
    F(STRING, file),         F(U32, line),     F(U32, other_line),     F(U32, pc),
    F(U32, other_pc),        F(TRIPLE, block), F(TRIPLE, other_block), F(TRIPLE, thread),
    F(TRIPLE, other_thread), F(INT, space),    F(U64, address),        F(U64, count),
    F(FLAG, benign),         F(TEXT, message)};
#undef F

#define F(kind, member) FIELD(grade_mismatch, kind, #member, member)
static const struct field mismatch_fields[] = {F(STRING, argument),   F(U64, index),       F(U64, row),
                                               F(U64, column),        F(U64, rows),        F(U64, columns),
                                               F(U64, wrong),         F(U64, total),       F(U64, unwritten),
                                               F(U64, nan),           F(U64, zero),        F(FLAG, first_unwritten),
                                               F(FLAG, partial_only), F(NUMBER, expected), F(NUMBER, got)};
#undef F

#define F(kind, member) FIELD(grade_size, kind, #member, member)
static const struct field size_fields[] = {F(STRING, name),       F(TEXT, shape),        F(FLAG, ran),
                                           F(FLAG, correct),      F(TRIPLE, grid),       F(TRIPLE, block),
                                           F(U32, static_shared), F(U32, dynamic_shared)};
#undef F

#define F(kind, member) FIELD(grade_gate, kind, #member, member)
static const struct field gate_fields[] = {F(STRING, id),  F(FLAG, passed),   F(FLAG, skipped),
                                           F(FLAG, full),  F(NUMBER, points), F(NUMBER, earned),
                                           F(TEXT, asked), F(TEXT, got),      F(OPTION, message)};
#undef F

#define F(kind, member) FIELD(counter_line, kind, #member, member)
static const struct field line_fields[] = {F(STRING, file),
                                           F(U32, line),
                                           F(U32, pc),
                                           F(STRING, op),
                                           F(INT, kind),
                                           F(U32, bytes),
                                           F(U32, bytes_written),
                                           F(FLAG, fused_away),
                                           F(FLAG, estimate),
                                           F(U64, instructions),
                                           F(U64, wavefronts),
                                           F(U64, conflicts),
                                           F(U64, requests),
                                           F(U64, sectors),
                                           F(U64, written_wavefronts),
                                           F(U64, written_conflicts)};
#undef F

#define F(kind, member) FIELD(record, kind, #member, model.member)
#define R(kind, key, member) FIELD(record, kind, key, member)
static const struct field model_fields[] = {R(TEXT, "gpu", model_gpu),
                                            R(NUMBER, "us", modelled_us),
                                            F(STRING, bound_by),
                                            F(TEXT, advice),
                                            R(NUMBER, "occupancy", model.occupancy.fraction),
                                            R(STRING, "occupancy_limit", model.occupancy.limit),
                                            R(U32, "blocks_per_sm", model.occupancy.blocks),
                                            F(U32, registers),
                                            F(FLAG, registers_estimated),
                                            R(U32, "spill_store_bytes", resources.spill_stores),
                                            R(U32, "spill_load_bytes", resources.spill_loads),
                                            R(U32, "stack_bytes", resources.stack),
                                            F(U32, active_sms),
                                            F(U64, waves),
                                            F(NUMBER, issued),
                                            F(NUMBER, issue_busy),
                                            F(NUMBER, shared_busy),
                                            F(NUMBER, l1_busy),
                                            F(NUMBER, l2_busy),
                                            F(NUMBER, dram_busy),
                                            F(NUMBER, tail),
                                            F(NUMBER, dram_gbps)};
#undef R
#undef F

#define F(kind, member) FIELD(grade_times, kind, #member, member)
static const struct field times_fields[] = {F(NUMBER, kernel), F(NUMBER, naive), F(NUMBER, solution), F(NUMBER, copy),
                                            F(NUMBER, cublas)};
#undef F

#define F(kind, member) FIELD(grade_conditions, kind, #member, member)
static const struct field conditions_fields[] = {
    F(TEXT, driver),    F(TEXT, date),       F(INT, sm_mhz_min), F(INT, sm_mhz_max),
    F(INT, memory_mhz), F(INT, celsius_max), F(INT, watts_max),  F(NUMBER, empty_launch_us)};
#undef F

#define F(kind, member) FIELD(grade_report, kind, #member, member)
static const struct field report_fields[] = {FIELD(grade_report, STRING, "lesson", lesson_id),
                                             F(FLAG, full),
                                             F(NUMBER, score),
                                             F(TEXT, diagnosis),
                                             F(TEXT, next),
                                             F(STRING, kernel),
                                             F(TRIPLE, grid),
                                             F(TRIPLE, block),
                                             F(U32, static_shared),
                                             F(U32, dynamic_shared),
                                             F(NUMBER, gbps),
                                             F(NUMBER, gflops),
                                             F(NUMBER, copy_percent),
                                             F(TEXT, gpu),
                                             F(TEXT, evidence),
                                             F(U64, seed),
                                             F(NUMBER, compile_seconds),
                                             F(NUMBER, run_seconds),
                                             F(NUMBER, total_seconds),
                                             F(FLAG, from_cache),
                                             F(TEXT, compiler),
                                             F(TEXT, device)};
#undef F

static json_t *string(const char *text)
{
    json_t *json = json_string(text ? text : "");
    return json ? json : json_string("(not valid UTF-8)");
}

static json_t *triple(const uint32_t values[3])
{
    return json_pack("[i,i,i]", (int)values[0], (int)values[1], (int)values[2]);
}

static void put(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static json_t *write_field(const struct field *field, const void *base)
{
    const char *at = (const char *)base + field->offset;
    double number;
    switch (field->kind) {
    case FIELD_FLAG:
        return json_boolean(*(const bool *)at);
    case FIELD_INT:
        return json_integer(*(const int *)at);
    case FIELD_U32:
        return json_integer(*(const uint32_t *)at);
    case FIELD_U64:
        return json_integer((json_int_t) * (const uint64_t *)at);
    case FIELD_NUMBER:
        number = *(const double *)at;
        return isfinite(number) ? json_real(number) : json_null();
    case FIELD_TRIPLE:
        return triple((const uint32_t *)at);
    case FIELD_STRING:
        return string(*(const char *const *)at);
    case FIELD_OPTION:
        return *(const char *const *)at ? string(*(const char *const *)at) : NULL;
    case FIELD_TEXT:
        return string(at);
    }
    return NULL;
}

static json_t *write_fields(const struct field *fields, size_t count, const void *base)
{
    json_t *json = json_object();
    for (size_t i = 0; i < count; i++) {
        json_t *value = write_field(&fields[i], base);
        if (value)
            put(json, fields[i].key, value);
    }
    return json;
}

static uint32_t item32(const json_t *list, size_t index)
{
    return (uint32_t)json_integer_value(json_array_get(list, index));
}

static void read_field(struct arena *arena, const struct field *field, const json_t *json, void *base)
{
    char *at = (char *)base + field->offset;
    const char *text = json_string_value(json);
    switch (field->kind) {
    case FIELD_FLAG:
        *(bool *)at = json_is_true(json);
        break;
    case FIELD_INT:
        *(int *)at = (int)json_integer_value(json);
        break;
    case FIELD_U32:
        *(uint32_t *)at = (uint32_t)json_integer_value(json);
        break;
    case FIELD_U64:
        *(uint64_t *)at = (uint64_t)json_integer_value(json);
        break;
    case FIELD_NUMBER:
        *(double *)at = json_is_number(json) ? json_number_value(json) : NAN;
        break;
    case FIELD_TRIPLE:
        for (size_t i = 0; i < 3; i++)
            ((uint32_t *)at)[i] = item32(json, i);
        break;
    case FIELD_STRING:
    case FIELD_OPTION:
        *(const char **)at = text || field->kind == FIELD_STRING ? arena_strdup(arena, text ? text : "") : NULL;
        break;
    case FIELD_TEXT:
        snprintf(at, field->size, "%s", text ? text : "");
        break;
    }
}

static void read_fields(struct arena *arena, const struct field *fields, size_t count, const json_t *json, void *base)
{
    for (size_t i = 0; i < count; i++)
        read_field(arena, &fields[i], json_object_get(json, fields[i].key), base);
}

#define WRITE(table, base) write_fields(table, COUNT(table), base)
#define READ(arena, table, json, base) read_fields(arena, table, COUNT(table), json, base)

// Elements of a list, at most MAX_ITEMS; *items gets zeroed room for them.
static size_t get_list(const json_t *json, const char *key, size_t size, void *items, const json_t **list)
{
    *list = json_object_get(json, key);
    size_t count = json_array_size(*list);
    count = count < MAX_ITEMS ? count : MAX_ITEMS;
    *(void **)items = count ? mem_alloc(count * size) : NULL;
    return count;
}

// ---- diagnostics, hazards, mismatches

static void read_diagnostic(struct arena *arena, const json_t *json, struct diagnostic *diagnostic)
{
    READ(arena, diagnostic_fields, json, diagnostic);
    if ((unsigned)diagnostic->code > STATUS_INTERNAL)
        diagnostic->code = STATUS_INTERNAL;
    if ((unsigned)diagnostic->severity > SEVERITY_ERROR)
        diagnostic->severity = SEVERITY_ERROR;
}

static json_t *write_hazards(const struct hazard_list *hazards)
{
    json_t *list = json_array();
    for (size_t i = 0; i < hazards->count; i++) {
        json_t *json = WRITE(hazard_fields, &hazards->items[i]);
        put(json, "kind", string(hazard_name(hazards->items[i].kind)));
        json_array_append_new(list, json);
    }
    return list;
}

static void read_hazards(struct arena *arena, const json_t *json, struct hazard_list *hazards)
{
    const json_t *list;
    hazards->count = hazards->capacity = get_list(json, "hazards", sizeof *hazards->items, &hazards->items, &list);
    for (size_t i = 0; i < hazards->count; i++) {
        const json_t *entry = json_array_get(list, i);
        const char *name = json_string_value(json_object_get(entry, "kind"));
        READ(arena, hazard_fields, entry, &hazards->items[i]);
        for (int kind = 0; name && kind < HAZARD_KIND_COUNT; kind++)
            if (strcmp(hazard_name((enum hazard_kind)kind), name) == 0)
                hazards->items[i].kind = (enum hazard_kind)kind;
    }
}

static json_t *write_mismatch(const struct grade_mismatch *mismatch)
{
    json_t *json = WRITE(mismatch_fields, mismatch), *rows = json_array();
    for (size_t y = 0; y < 16; y++) {
        char text[65];
        for (size_t x = 0; x < 32; x++)
            snprintf(text + 2 * x, 3, "%02x", mismatch->map[y][x]);
        json_array_append_new(rows, json_string(text));
    }
    put(json, "map", rows);
    return json;
}

static void read_mismatch(struct arena *arena, const json_t *json, struct grade_mismatch *mismatch)
{
    READ(arena, mismatch_fields, json, mismatch);
    const json_t *map = json_object_get(json, "map");
    for (size_t y = 0; y < 16; y++) {
        const char *row = json_string_value(json_array_get(map, y));
        for (size_t x = 0; row && x < 32 && strlen(row) == 64; x++) {
            char digits[3] = {row[2 * x], row[2 * x + 1], '\0'};
            mismatch->map[y][x] = (unsigned char)strtoul(digits, NULL, 16);
        }
    }
}

// ---- sizes, gates, lines

static json_t *write_size(const struct grade_size *size)
{
    json_t *json = WRITE(size_fields, size);
    put(json, "status", string(status_name(size->status)));
    if (size->status)
        put(json, "diagnostic", WRITE(diagnostic_fields, &size->diagnostic));
    if (size->mismatch.wrong)
        put(json, "mismatch", write_mismatch(&size->mismatch));
    if (size->hazards.count)
        put(json, "hazards", write_hazards(&size->hazards));
    return json;
}

static enum status status_of(const char *name)
{
    for (int status = STATUS_OK; name && status <= STATUS_INTERNAL; status++)
        if (strcmp(status_name((enum status)status), name) == 0)
            return (enum status)status;
    return STATUS_INTERNAL;
}

static void read_sizes(const json_t *json, struct grade_report *report)
{
    const json_t *list;
    struct grade_size *sizes;
    report->size_count = get_list(json, "sizes", sizeof *sizes, &sizes, &list);
    report->sizes = arena_alloc(report->arena, (report->size_count + 1) * sizeof *sizes);
    free(sizes);
    for (size_t i = 0; i < report->size_count; i++) {
        struct grade_size *size = &report->sizes[i];
        const json_t *entry = json_array_get(list, i);
        READ(report->arena, size_fields, entry, size);
        size->status = status_of(json_string_value(json_object_get(entry, "status")));
        read_diagnostic(report->arena, json_object_get(entry, "diagnostic"), &size->diagnostic);
        read_mismatch(report->arena, json_object_get(entry, "mismatch"), &size->mismatch);
        read_hazards(report->arena, entry, &size->hazards);
    }
}

static void read_gates(const json_t *json, struct grade_report *report)
{
    const json_t *list;
    struct grade_gate *gates;
    report->gate_count = get_list(json, "gates", sizeof *gates, &gates, &list);
    report->gates = arena_alloc(report->arena, (report->gate_count + 1) * sizeof *gates);
    free(gates);
    for (size_t i = 0; i < report->gate_count; i++)
        READ(report->arena, gate_fields, json_array_get(list, i), &report->gates[i]);
}

static json_t *write_lines(const struct counter_table *table)
{
    json_t *list = json_array();
    for (size_t i = 0; i < table->count; i++) {
        json_t *json = WRITE(line_fields, &table->lines[i]);
        put(json, "space", string(table->lines[i].space == PTX_SHARED ? "shared" : "global"));
        json_array_append_new(list, json);
    }
    return list;
}

static void read_lines(struct arena *arena, const json_t *json, struct counter_table *table)
{
    const json_t *list;
    table->count = get_list(json, "lines", sizeof *table->lines, &table->lines, &list);
    for (size_t i = 0; i < table->count; i++) {
        const json_t *entry = json_array_get(list, i);
        const char *space = json_string_value(json_object_get(entry, "space"));
        READ(arena, line_fields, entry, &table->lines[i]);
        if ((unsigned)table->lines[i].kind > SIM_BULK_COPY)
            table->lines[i].kind = SIM_LOAD;
        table->lines[i].space = space && strcmp(space, "shared") == 0 ? PTX_SHARED : PTX_GLOBAL;
    }
}

// ---- the model, the record

json_t *report_model_json(const struct record *record)
{
    if (!(record->modelled_us > 0))
        return json_null();
    json_t *json = WRITE(model_fields, record), *waits = json_object();
    for (int i = 0; i < REPLAY_REASONS; i++)
        put(waits, replay_reason_name((enum replay_reason)i), json_real(record->model.waits[i]));
    put(json, "waits", waits);
    return json;
}

static void read_model(struct arena *arena, const json_t *json, struct record *record)
{
    if (!json_is_object(json))
        return;
    READ(arena, model_fields, json, record);
    const json_t *waits = json_object_get(json, "waits");
    for (int i = 0; i < REPLAY_REASONS; i++)
        record->model.waits[i] = json_number_value(json_object_get(waits, replay_reason_name((enum replay_reason)i)));
    record->model.us = record->modelled_us;
    record->resources.registers = record->model.registers_estimated ? 0 : record->model.registers;
}

static json_t *write_record(const struct record *record, bool with_recording)
{
    json_t *json = json_object();
    put(json, "device", string(record->device));
    put(json, "counters", counters_json(&record->counters.compiled));
    put(json, "counters_written", counters_json(&record->counters.written));
    put(json, "lines", write_lines(&record->counters));
    put(json, "hazards", write_hazards(&record->hazards));
    if (with_recording)
        put(json, "recording", grade_recording_json(&record->recording));
    put(json, "measured_us", json_real(record->measured_us));
    put(json, "model", report_model_json(record));
    return json;
}

static void read_record(struct arena *arena, const json_t *json, struct record *record)
{
    const char *device = json_string_value(json_object_get(json, "device"));
    snprintf(record->device, sizeof record->device, "%s", device ? device : "");
    counters_read(json_object_get(json, "counters"), &record->counters.compiled);
    counters_read(json_object_get(json, "counters_written"), &record->counters.written);
    read_lines(arena, json, &record->counters);
    read_hazards(arena, json, &record->hazards);
    grade_recording_read(json_object_get(json, "recording"), &record->recording);
    record->measured_us = json_number_value(json_object_get(json, "measured_us"));
    read_model(arena, json_object_get(json, "model"), record);
}

// ---- the report

static json_t *write_report(const struct grade_report *report, bool with_recording)
{
    json_t *json = WRITE(report_fields, report), *messages = json_array(), *sizes = json_array(), *gates = json_array();
    for (size_t i = 0; i < report->messages.count; i++)
        json_array_append_new(messages, WRITE(diagnostic_fields, &report->messages.items[i]));
    for (size_t i = 0; i < report->size_count; i++)
        json_array_append_new(sizes, write_size(&report->sizes[i]));
    for (size_t i = 0; i < report->gate_count; i++)
        json_array_append_new(gates, WRITE(gate_fields, &report->gates[i]));
    put(json, "format", json_integer(FORMAT));
    put(json, "part", json_integer((json_int_t)report->part));
    put(json, "verdict", string(verdict_name(report->verdict)));
    put(json, "messages", messages);
    put(json, "sizes", sizes);
    put(json, "gates", gates);
    put(json, "record", write_record(&report->record, with_recording));
    put(json, "modelled", WRITE(times_fields, &report->modelled));
    put(json, "measured", WRITE(times_fields, &report->measured));
    put(json, "ratios", WRITE(times_fields, &report->ratios));
    if (report->gpu[0])
        put(json, "conditions", WRITE(conditions_fields, &report->conditions));
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
    if (!verdict || index == VERDICT_COUNT || json_integer_value(json_object_get(json, "format")) != FORMAT)
        return diagnostic_set(diagnostic, STATUS_PARSE, "this is no report of format %d.", FORMAT);
    struct grade_report *result = grade_report_new();
    struct arena *arena = result->arena;
    READ(arena, report_fields, json, result);
    result->verdict = (enum verdict)index;
    result->part = (size_t)json_integer_value(json_object_get(json, "part"));
    const json_t *messages = json_object_get(json, "messages");
    for (size_t i = 0; i < json_array_size(messages) && i < MAX_ITEMS; i++) {
        struct diagnostic message = {0};
        read_diagnostic(arena, json_array_get(messages, i), &message);
        diagnostic_add(&result->messages, &message);
    }
    read_sizes(json, result);
    read_gates(json, result);
    read_record(arena, json_object_get(json, "record"), &result->record);
    READ(arena, times_fields, json_object_get(json, "modelled"), &result->modelled);
    READ(arena, times_fields, json_object_get(json, "measured"), &result->measured);
    READ(arena, times_fields, json_object_get(json, "ratios"), &result->ratios);
    READ(arena, conditions_fields, json_object_get(json, "conditions"), &result->conditions);
    result->source = get_copy(json, "source");
    result->output = get_copy(json, "output");
    *report = result;
    return STATUS_OK;
}
