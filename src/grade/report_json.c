// A report as JSON and back, with the recording that it may hold. Everything that a screen shows travels: the worker's
// report is all that its caller has. What is one value in C and one in JSON is written down once, in a table of fields.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields.h"
#include "grade/report.h"

enum {
    FORMAT = 1,
    MAX_VALUES = 16 << 20 // bytes written by a recorded block that are read back
};

// ---- diagnostics, hazards

static const char *status_word(int value)
{
    return status_name((enum status)value);
}

static const char *hazard_word(int value)
{
    return hazard_name((enum hazard_kind)value);
}

static const struct field_words status_words = {status_word, STATUS_INTERNAL + 1, STATUS_INTERNAL};
static const struct field_words severity_words = {NULL, SEVERITY_ERROR + 1, SEVERITY_ERROR};
static const struct field_words hazard_words = {hazard_word, HAZARD_KIND_COUNT, 0};

#define F(kind, member) FIELD(diagnostic, kind, #member, member)
static const struct field diagnostic_rows[] = {FIELD_NAMED(diagnostic, ENUM, "code", code, status_words),
                                               FIELD_NAMED(diagnostic, ENUM, "severity", severity, severity_words),
                                               F(TEXT, file),
                                               F(INT, line),
                                               F(INT, column),
                                               F(TEXT, message)};
#undef F
const struct fields report_message_fields = FIELDS(diagnostic, diagnostic_rows);

#define F(kind, member) FIELD(hazard, kind, #member, member)
static const struct field hazard_rows[] = {FIELD_NAMED(hazard, WORD, "kind", kind, hazard_words),
                                           F(STRING, file),
                                           F(U32, line),
                                           F(U32, other_line),
                                           F(U32, pc),
                                           F(U32, other_pc),
                                           F(TRIPLE, block),
                                           F(TRIPLE, other_block),
                                           F(TRIPLE, thread),
                                           F(TRIPLE, other_thread),
                                           F(INT, space),
                                           F(U64, address),
                                           F(U64, count),
                                           F(FLAG, benign),
                                           F(FLAG, same_value),
                                           F(FLAG, as_written),
                                           F(TEXT, message)};
#undef F
const struct fields report_hazard_fields = FIELDS(hazard, hazard_rows);

// ---- sizes and gates

enum { MAP_ROWS = 16, MAP_COLUMNS = 32 };

// Bytes as two hexadecimal digits each.
static json_t *hex_json(const unsigned char *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    char *text = mem_alloc(2 * size + 1);
    for (size_t i = 0; i < size; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    json_t *json = json_stringn_nocheck(text, 2 * size);
    free(text);
    return json;
}

static unsigned hex_digit(char c)
{
    return c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 16;
}

// False: these are not `size` bytes.
static bool hex_read(const json_t *json, unsigned char *bytes, size_t size)
{
    const char *text = json_string_value(json);
    if (!text || json_string_length(json) != 2 * size)
        return false;
    for (size_t i = 0; i < size; i++) {
        unsigned high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
        if (high > 15 || low > 15)
            return false;
        bytes[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}

static json_t *write_map(const void *at)
{
    const unsigned char(*map)[MAP_COLUMNS] = at;
    json_t *rows = json_array();
    for (size_t y = 0; y < MAP_ROWS; y++)
        json_array_append_new(rows, hex_json(map[y], MAP_COLUMNS));
    return rows;
}

static void read_map(struct arena *arena, const json_t *json, void *at)
{
    unsigned char(*map)[MAP_COLUMNS] = at;
    (void)arena;
    for (size_t y = 0; y < MAP_ROWS; y++)
        hex_read(json_array_get(json, y), map[y], MAP_COLUMNS);
}

static const struct field_own map_own = {write_map, read_map};

#define F(kind, member) FIELD(grade_mismatch, kind, #member, member)
static const struct field mismatch_rows[] = {
    F(STRING, argument),   F(U64, index),       F(U64, row),    F(U64, column),
    F(U64, rows),          F(U64, columns),     F(U64, wrong),  F(U64, total),
    F(U64, unwritten),     F(U64, nan),         F(U64, zero),   F(FLAG, first_unwritten),
    F(FLAG, partial_only), F(NUMBER, expected), F(NUMBER, got), FIELD_BY(grade_mismatch, "map", map, map_own)};
#undef F
static const struct fields mismatch_fields = FIELDS(grade_mismatch, mismatch_rows);

#define LAUNCH_ROWS(type)                                                                                              \
    FIELD(type, TRIPLE, "grid", launch.grid), FIELD(type, TRIPLE, "block", launch.block),                              \
        FIELD(type, U32, "static_shared", launch.static_shared),                                                       \
        FIELD(type, U32, "dynamic_shared", launch.dynamic_shared)

#define F(kind, member) FIELD(grade_size, kind, #member, member)
static const struct field size_rows[] = {
    F(STRING, name),
    F(TEXT, shape),
    F(FLAG, ran),
    F(FLAG, correct),
    LAUNCH_ROWS(grade_size),
    FIELD_NAMED(grade_size, WORD, "status", status, status_words),
    {FIELD_AT(grade_size, "diagnostic", diagnostic), .kind = FIELD_RECORD, .inner = &report_message_fields,
     FIELD_WHEN(grade_size, status)},
    {FIELD_AT(grade_size, "mismatch", mismatch), .kind = FIELD_RECORD, .inner = &mismatch_fields,
     FIELD_WHEN(grade_size, mismatch.wrong)},
    F(NUMBER, hazards_unwatched),
    {FIELD_AT(grade_size, "hazards", hazards.items), .kind = FIELD_LIST, .inner = &report_hazard_fields,
     .count = offsetof(struct grade_size, hazards.count), FIELD_WHEN(grade_size, hazards.count)}};
#undef F
static const struct fields size_fields = FIELDS(grade_size, size_rows);

#define F(kind, member) FIELD(grade_gate, kind, #member, member)
static const struct field gate_rows[] = {F(STRING, id),      F(FLAG, passed),   F(FLAG, skipped), F(FLAG, full),
                                         F(NUMBER, points),  F(NUMBER, earned), F(TEXT, asked),   F(TEXT, got),
                                         F(OPTION, message), F(TEXT, words)};
#undef F
static const struct fields gate_fields = FIELDS(grade_gate, gate_rows);

// ---- counters

static const char *space_word(int value)
{
    return value == PTX_SHARED ? "shared" : value == PTX_GLOBAL ? "global" : NULL;
}

static const struct field_words space_words = {space_word, PTX_SHARED + 1, PTX_GLOBAL};
static const struct field_words access_words = {NULL, SIM_BULK_COPY + 1, SIM_LOAD};

#define F(kind, member) FIELD(counter_line, kind, #member, member)
static const struct field line_rows[] = {F(STRING, file),
                                         F(U32, line),
                                         F(U32, pc),
                                         F(STRING, op),
                                         FIELD_NAMED(counter_line, ENUM, "kind", kind, access_words),
                                         FIELD_NAMED(counter_line, WORD, "space", space, space_words),
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
const struct fields report_line_fields = FIELDS(counter_line, line_rows);

// ---- a recording

// "4096 4*7 484 4*23": the lowest lane's address, then how far each next lane's is from the one before, and how often.
static json_t *write_addresses(const struct recorded_access *access)
{
    char text[SIM_LANES * 32];
    int used = snprintf(text, sizeof text, "%llu", (unsigned long long)access->addresses[0]);
    for (size_t lane = 1, times; lane < SIM_LANES; lane += times) {
        int64_t step = (int64_t)(access->addresses[lane] - access->addresses[lane - 1]);
        for (times = 1; lane + times < SIM_LANES; times++)
            if ((int64_t)(access->addresses[lane + times] - access->addresses[lane + times - 1]) != step)
                break;
        used += snprintf(text + used, sizeof text - (size_t)used, times > 1 ? " %lld*%zu" : " %lld", (long long)step,
                         times);
    }
    return json_stringn_nocheck(text, (size_t)used);
}

// [kind, wide, delta, fused away, zeros], without those at the end that are 0; NULL: a plain load, all are.
static json_t *write_operation(const struct recorded_access *access)
{
    const struct operation *operation = &access->operation;
    int kind = (int)operation->kind, wide = (int)operation->wide, delta = (int)operation->delta;
    if (access->zeros || operation->fused_away)
        return json_pack("[i,i,i,b,I]", kind, wide, delta, operation->fused_away, (json_int_t)access->zeros);
    return wide || delta ? json_pack("[i,i,i]", kind, wide, delta) : kind ? json_pack("[i]", kind) : NULL;
}

// What a write left in memory; null: not known.
static json_t *write_written_bytes(const struct recording *recording, const struct recorded_access *access)
{
    size_t size = (size_t)__builtin_popcount(access->mask) * access->bytes;
    return access->has_values ? hex_json(recording->values + access->values, size) : json_null();
}

static json_t *write_recording(const void *at)
{
    const struct recording *recording = at;
    json_t *list = json_array();
    size_t count = recording->count < RECORDING_TRAVELS ? recording->count : RECORDING_TRAVELS;
    for (size_t i = 0; i < count; i++) {
        const struct recorded_access *access = &recording->items[i];
        json_t *entry =
            json_pack("[I,I,I,I,I,I,i,i,o]", (json_int_t)access->pc, (json_int_t)access->warp, (json_int_t)access->mask,
                      (json_int_t)access->bytes, (json_int_t)access->step, (json_int_t)access->phase, (int)access->kind,
                      (int)access->space, write_addresses(access));
        if (access->space == PTX_SHARED) {
            json_array_append_new(entry, json_integer((json_int_t)access->lands));
            json_array_append_new(entry, write_written_bytes(recording, access));
            json_t *operation = write_operation(access);
            if (operation)
                json_array_append_new(entry, operation);
        }
        json_array_append_new(list, entry);
    }
    return json_pack("{s:[i,i,i], s:b, s:I, s:o}", "block", (int)recording->block[0], (int)recording->block[1],
                     (int)recording->block[2], "truncated", recording->truncated || count < recording->count, "total",
                     (json_int_t)recording->total, "accesses", list);
}

static uint64_t item_at(const json_t *list, size_t index)
{
    return (uint64_t)json_integer_value(json_array_get(list, index));
}

static void read_operation(const json_t *json, struct recorded_access *access)
{
    uint64_t kind = item_at(json, 0), wide = item_at(json, 1);
    access->operation = (struct operation){.kind = kind < BANK_KINDS ? (enum bank_kind)kind : BANK_LOAD,
                                           .wide = wide <= 16 ? (uint32_t)wide : 0,
                                           .delta = (int32_t)item_at(json, 2),
                                           .fused_away = json_is_true(json_array_get(json, 3))};
    access->zeros = (uint32_t)item_at(json, 4);
}

static void read_written_bytes(const json_t *json, struct recording *recording, struct recorded_access *access)
{
    size_t size = (size_t)__builtin_popcount(access->mask) * access->bytes;
    if (size == 0 || size > MAX_VALUES - recording->value_count || json_string_length(json) != 2 * size)
        return;
    mem_reserve(&recording->values, &recording->value_capacity, recording->value_count + size);
    if (!hex_read(json, recording->values + recording->value_count, size))
        return;
    access->has_values = true;
    access->values = (uint32_t)recording->value_count;
    recording->value_count += size;
}

// Lanes that the text does not reach have the address 0.
static void read_addresses(const char *text, struct recorded_access *access)
{
    char *at = NULL;
    uint64_t address = text ? strtoull(text, &at, 10) : 0;
    access->addresses[0] = address;
    for (size_t lane = 1; text && lane < SIM_LANES;) {
        const char *from = at;
        int64_t step = strtoll(from, &at, 10);
        unsigned long times = at != from && *at == '*' ? strtoul(at + 1, &at, 10) : 1;
        if (at == from)
            break;
        for (; times > 0 && lane < SIM_LANES; times--)
            access->addresses[lane++] = address += (uint64_t)step;
    }
}

static void read_access(const json_t *entry, size_t index, struct recording *recording)
{
    struct recorded_access *access = &recording->items[index];
    access->pc = (uint32_t)item_at(entry, 0);
    access->warp = (uint32_t)item_at(entry, 1);
    access->mask = (uint32_t)item_at(entry, 2);
    access->bytes = (uint32_t)item_at(entry, 3);
    access->step = item_at(entry, 4);
    access->phase = (uint32_t)item_at(entry, 5);
    access->kind = (enum sim_access_kind)item_at(entry, 6);
    access->space = (enum ptx_space)item_at(entry, 7);
    read_addresses(json_string_value(json_array_get(entry, 8)), access);
    access->lands = json_array_size(entry) > 9 ? (uint32_t)item_at(entry, 9) : (uint32_t)index;
    read_written_bytes(json_array_get(entry, 10), recording, access);
    read_operation(json_array_get(entry, 11), access);
}

static void read_recording(struct arena *arena, const json_t *json, void *at)
{
    struct recording *recording = at;
    const json_t *list = json_object_get(json, "accesses"), *block = json_object_get(json, "block");
    size_t count = json_array_size(list);
    (void)arena;
    *recording = (struct recording){0};
    for (size_t i = 0; i < 3; i++)
        recording->block[i] = (uint32_t)item_at(block, i);
    recording->truncated = json_is_true(json_object_get(json, "truncated"));
    recording->count = recording->capacity = count < FIELDS_MAX_ITEMS ? count : FIELDS_MAX_ITEMS;
    recording->items = count ? mem_alloc(recording->count * sizeof *recording->items) : NULL;
    recording->total = (uint64_t)json_integer_value(json_object_get(json, "total"));
    if (recording->total < recording->count)
        recording->total = recording->count;
    for (size_t i = 0; i < recording->count; i++)
        read_access(json_array_get(list, i), i, recording);
}

const struct field_own grade_recording_own = {write_recording, read_recording};

// ---- the model, the record

#define F(kind, member) FIELD(record, kind, #member, model.member)
#define R(kind, key, member) FIELD(record, kind, key, member)
static const struct field model_rows[] = {R(TEXT, "gpu", model_gpu),
                                          R(NUMBER, "us", modelled_us),
                                          F(STRING, bound_by),
                                          F(TEXT, advice),
                                          R(NUMBER, "occupancy", model.occupancy.fraction),
                                          R(STRING, "occupancy_limit", model.occupancy.limit),
                                          R(U32, "blocks_per_sm", model.occupancy.blocks),
                                          F(U32, registers),
                                          F(U32, registers_most),
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
static const struct fields model_fields = FIELDS(record, model_rows);

json_t *report_model_json(const void *at)
{
    const struct record *record = at;
    if (!(record->modelled_us > 0))
        return json_null();
    json_t *json = fields_write(&model_fields, record), *waits = json_object();
    for (int i = 0; i < REPLAY_REASONS; i++)
        fields_put(waits, predict_reason_name((enum replay_reason)i), json_real(record->model.waits[i]));
    fields_put(json, "waits", waits);
    return json;
}

static void read_model(struct arena *arena, const json_t *json, void *at)
{
    struct record *record = at;
    if (!json_is_object(json))
        return;
    fields_read(&model_fields, json, arena, record);
    const json_t *waits = json_object_get(json, "waits");
    for (int i = 0; i < REPLAY_REASONS; i++)
        record->model.waits[i] = json_number_value(json_object_get(waits, predict_reason_name((enum replay_reason)i)));
    record->model.us = record->modelled_us;
    record->resources.registers = record->model.registers_estimated ? 0 : record->model.registers;
}

static const struct field_own model_own = {report_model_json, read_model};

static const struct field record_rows[] = {
    FIELD(record, TEXT, "device", device),
    FIELD_INNER(record, "counters", counters.compiled, counter_fields),
    FIELD_INNER(record, "counters_written", counters.written, counter_fields),
    FIELD_ITEMS(record, LIST, "lines", counters.lines, counters.count, report_line_fields),
    FIELD_ITEMS(record, LIST, "hazards", hazards.items, hazards.count, report_hazard_fields),
    FIELD_BY(record, "recording", recording, grade_recording_own),
    FIELD(record, AMOUNT, "measured_us", measured_us),
    {.key = "model", .kind = FIELD_OWN, .own = &model_own}};
static const struct fields record_fields = FIELDS(record, record_rows);

// ---- the report

#define F(kind, member) FIELD(kernel_times, kind, #member, member)
static const struct field times_rows[] = {F(NUMBER, kernel), F(NUMBER, naive), F(NUMBER, solution), F(NUMBER, copy),
                                          F(NUMBER, cublas)};
#undef F
static const struct fields times_fields = FIELDS(kernel_times, times_rows);

#define F(kind, member) FIELD(timing_conditions, kind, #member, member)
static const struct field conditions_rows[] = {
    F(TEXT, driver),    F(TEXT, date),       F(INT, sm_mhz_min), F(INT, sm_mhz_max),
    F(INT, memory_mhz), F(INT, celsius_max), F(INT, watts_max),  F(NUMBER, empty_launch_us)};
#undef F
static const struct fields conditions_fields = FIELDS(timing_conditions, conditions_rows);

static const char *verdict_word(int value)
{
    return verdict_name((enum verdict)value);
}

static const struct field_words verdict_words = {verdict_word, VERDICT_COUNT, VERDICT_COUNT};

#define F(kind, member) FIELD(grade_report, kind, #member, member)
#define IN(member, fields) FIELD_INNER(grade_report, #member, member, fields)
static const struct field report_rows[] = {
    FIELD(grade_report, STRING, "lesson", lesson_id),
    FIELD_NAMED(grade_report, WORD, "verdict", verdict, verdict_words),
    F(FLAG, full),
    F(NUMBER, score),
    F(TEXT, diagnosis),
    F(TEXT, next),
    FIELD_ITEMS(grade_report, LIST, "messages", messages.items, messages.count, report_message_fields),
    FIELD_ITEMS(grade_report, ARENA_LIST, "sizes", sizes, size_count, size_fields),
    FIELD_ITEMS(grade_report, ARENA_LIST, "gates", gates, gate_count, gate_fields),
    IN(record, record_fields),
    F(STRING, kernel),
    F(U64, part),
    LAUNCH_ROWS(grade_report),
    IN(modelled, times_fields),
    IN(measured, times_fields),
    IN(ratios, times_fields),
    F(NUMBER, gbps),
    F(NUMBER, gflops),
    F(NUMBER, copy_percent),
    F(TEXT, gpu),
    {FIELD_AT(grade_report, "conditions", conditions), .kind = FIELD_RECORD, .inner = &conditions_fields,
     FIELD_WHEN(grade_report, gpu)},
    F(TEXT, evidence),
    F(U64, seed),
    F(NUMBER, compile_seconds),
    F(NUMBER, run_seconds),
    F(NUMBER, total_seconds),
    F(FLAG, from_cache),
    F(FLAG, as_written),
    F(TEXT, compiler),
    F(TEXT, device),
    F(OPTION, source),
    F(OPTION, output)};
#undef IN
#undef F
static const struct fields report_fields = FIELDS(grade_report, report_rows);

json_t *grade_report_json(const struct grade_report *report)
{
    json_t *json = fields_write(&report_fields, report);
    fields_put(json, "format", json_integer(FORMAT));
    return json;
}

json_t *grade_report_json_brief(const struct grade_report *report)
{
    struct grade_report brief = *report;
    brief.record.recording.count = 0;
    return grade_report_json(&brief);
}

enum status grade_report_read(const json_t *json, struct grade_report **report, struct diagnostic *diagnostic)
{
    struct grade_report *result = grade_report_new();
    fields_read(&report_fields, json, result->arena, result);
    *report = NULL;
    if (result->verdict == VERDICT_COUNT || json_integer_value(json_object_get(json, "format")) != FORMAT) {
        grade_report_free(result);
        return diagnostic_set(diagnostic, STATUS_PARSE, "this is not a report of format %d.", FORMAT);
    }
    *report = result;
    return STATUS_OK;
}
