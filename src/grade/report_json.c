// A report as JSON and back, with the recording that it may hold. Everything that a screen shows travels: the worker's
// report is all that its caller has. What is one value in C and one in JSON is written down once, in a table of fields.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields.h"
#include "base/map.h"
#include "base/text.h"
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

// 1 more than its value; 0: it is none.
static const unsigned char hex_digits[256] = {
    ['0'] = 1, ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9, ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16};

// False: these are not the digits of `size` bytes.
static bool hex_read(const char *text, unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned high = hex_digits[(unsigned char)text[2 * i]];
        unsigned low = high ? hex_digits[(unsigned char)text[2 * i + 1]] : 0;
        if (!low)
            return false;
        bytes[i] = (unsigned char)((high - 1) << 4 | (low - 1));
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
    for (size_t y = 0; y < MAP_ROWS; y++) {
        const json_t *row = json_array_get(json, y);
        if (json_string_length(row) == 2 * (size_t)MAP_COLUMNS)
            hex_read(json_string_value(row), map[y], MAP_COLUMNS);
    }
}

static const struct field_own map_own = {write_map, read_map};

#define F(kind, member) FIELD(grade_mismatch, kind, #member, member)
static const struct field mismatch_rows[] = {F(STRING, argument),
                                             F(U64, index),
                                             F(U64, row),
                                             F(U64, column),
                                             F(U64, rows),
                                             F(U64, columns),
                                             F(U64, wrong),
                                             F(U64, total),
                                             F(U64, unwritten),
                                             F(U64, nan),
                                             F(U64, zero),
                                             F(U64, large),
                                             F(U64, near),
                                             F(U64, beyond),
                                             F(FLAG, first_unwritten),
                                             F(FLAG, partial_only),
                                             F(TEXT, where),
                                             F(NUMBER, expected),
                                             F(NUMBER, got),
                                             FIELD_BY(grade_mismatch, "map", map, map_own)};
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

// As people's programs read it (docs/machine-interface.md).
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

static void leave_recording(struct arena *arena, const json_t *json, void *at) // it comes packed
{
    (void)arena;
    (void)json;
    (void)at;
}

static const struct field_own recording_own = {write_recording, leave_recording};

// Of thousands of accesses most are as the one before of the same instruction, but for where they are. From the worker
// to its caller they travel as one string of numbers, each access as far as it differs:
//   parts, then pc, warp, step and phase as far from those of the access before,
//   with PART_SITE: mask, bytes, kind, space, zeros; of shared memory: the operation's kind, wide, delta, fused_away
//   the lowest lane's address, from that of the instruction's access before
//   with PART_LANES: how far each lane's address is from that of the lane before, and for how many lanes in a row
//   with PART_LANDS: where a write is found, from its own index on
// and with PART_VALUES the bytes that it left in memory are the next ones of another string.
enum { PART_SITE = 1, PART_LANES = 2, PART_LANDS = 4, PART_VALUES = 8 };

// A number has five bits in each character, the lowest first and of these the sign: '0' to 'O' end it, after ']' to '|'
// there are more.
static void pack_number(struct text *text, int64_t number)
{
    char digits[16];
    size_t count = 0;
    uint64_t left = (uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0);
    for (; left > 31; left >>= 5)
        digits[count++] = (char)(']' + (left & 31));
    digits[count++] = (char)('0' + left);
    text_append(text, digits, count);
}

// 0 where there is none.
static int64_t unpack_number(const char **at)
{
    uint64_t number = 0;
    unsigned shift = 0;
    for (; **at >= ']'; ++*at, shift += 5)
        number |= shift < 64 ? (uint64_t)(**at - ']') << shift : 0;
    if (**at >= '0' && **at <= 'O' && shift < 64)
        number |= (uint64_t)(**at - '0') << shift;
    *at += **at != '\0';
    return (int64_t)(number >> 1 ^ (number & 1 ? UINT64_MAX : 0));
}

static bool same_site(const struct recorded_access *a, const struct recorded_access *b)
{
    const struct operation *one = &a->operation, *other = &b->operation;
    return a->mask == b->mask && a->bytes == b->bytes && a->kind == b->kind && a->space == b->space &&
           a->zeros == b->zeros &&
           (a->space != PTX_SHARED || (one->kind == other->kind && one->wide == other->wide &&
                                       one->delta == other->delta && one->fused_away == other->fused_away));
}

static bool same_lanes(const struct recorded_access *a, const struct recorded_access *b)
{
    bool same = true;
    for (size_t lane = 1; lane < SIM_LANES; lane++)
        same &= a->addresses[lane] - a->addresses[0] == b->addresses[lane] - b->addresses[0];
    return same;
}

static void pack_site(struct text *text, const struct recorded_access *access)
{
    const struct operation *operation = &access->operation;
    pack_number(text, access->mask);
    pack_number(text, access->bytes);
    pack_number(text, (int)access->kind);
    pack_number(text, (int)access->space);
    pack_number(text, access->zeros);
    if (access->space != PTX_SHARED)
        return;
    pack_number(text, (int)operation->kind);
    pack_number(text, operation->wide);
    pack_number(text, operation->delta);
    pack_number(text, operation->fused_away);
}

static void pack_lanes(struct text *text, const uint64_t *addresses)
{
    for (size_t lane = 1, times; lane < SIM_LANES; lane += times) {
        uint64_t step = addresses[lane] - addresses[lane - 1];
        for (times = 1; lane + times < SIM_LANES; times++)
            if (addresses[lane + times] - addresses[lane + times - 1] != step)
                break;
        pack_number(text, (int64_t)step);
        pack_number(text, (int64_t)times);
    }
}

static void pack_access(struct text *text, const struct recorded_access *access, size_t index,
                        const struct recorded_access *before, const struct recorded_access *alike)
{
    bool is_shared = access->space == PTX_SHARED;
    unsigned parts = same_site(access, alike) ? 0 : PART_SITE;
    parts |= same_lanes(access, alike) ? 0 : PART_LANES;
    parts |= is_shared && access->lands != index ? PART_LANDS : 0;
    parts |= is_shared && access->has_values ? PART_VALUES : 0;
    pack_number(text, parts);
    pack_number(text, (int64_t)access->pc - before->pc);
    pack_number(text, (int64_t)access->warp - before->warp);
    pack_number(text, (int64_t)(access->step - before->step));
    pack_number(text, (int64_t)access->phase - before->phase);
    if (parts & PART_SITE)
        pack_site(text, access);
    pack_number(text, (int64_t)(access->addresses[0] - alike->addresses[0]));
    if (parts & PART_LANES)
        pack_lanes(text, access->addresses);
    if (parts & PART_LANDS)
        pack_number(text, (int64_t)access->lands - (int64_t)index);
}

static size_t written_bytes(const struct recorded_access *access)
{
    return (size_t)__builtin_popcount(access->mask) * access->bytes;
}

// The instruction's access before this one; none: one of zeros. `last`, by pc: its index + 1.
static const struct recorded_access *last_alike(struct map *last, const struct recording *recording, uint32_t pc,
                                                size_t index)
{
    static const struct recorded_access none;
    uint32_t *place = map_add(last, pc, NULL), before = *place;
    *place = (uint32_t)index + 1;
    return before ? &recording->items[before - 1] : &none;
}

static json_t *pack_recording(const void *at)
{
    const struct recording *recording = at;
    static const struct recorded_access none;
    struct text text = {0}, values = {0};
    struct map last = map_of(uint32_t);
    size_t count = recording->count < RECORDING_TRAVELS ? recording->count : RECORDING_TRAVELS;
    for (size_t i = 0; i < count; i++) {
        const struct recorded_access *access = &recording->items[i];
        pack_access(&text, access, i, i ? access - 1 : &none, last_alike(&last, recording, access->pc, i));
        if (access->space == PTX_SHARED && access->has_values)
            text_append(&values, (const char *)recording->values + access->values, written_bytes(access));
    }
    json_t *json = json_pack("{s:[i,i,i], s:b, s:I, s:I, s:o, s:o}", "block", (int)recording->block[0],
                             (int)recording->block[1], (int)recording->block[2], "truncated",
                             recording->truncated || count < recording->count, "total", (json_int_t)recording->total,
                             "count", (json_int_t)count, "accesses", json_stringn_nocheck(text_get(&text), text.length),
                             "values", hex_json((const unsigned char *)text_get(&values), values.length));
    text_free(&text);
    text_free(&values);
    map_free(&last);
    return json;
}

static uint64_t item_at(const json_t *list, size_t index)
{
    return (uint64_t)json_integer_value(json_array_get(list, index));
}

static void unpack_site(const char **at, struct recorded_access *access)
{
    access->mask = (uint32_t)unpack_number(at);
    access->bytes = (uint32_t)unpack_number(at);
    access->kind = (enum sim_access_kind)unpack_number(at);
    access->space = (enum ptx_space)unpack_number(at);
    access->zeros = (uint32_t)unpack_number(at);
    access->operation = (struct operation){0};
    if (access->space != PTX_SHARED)
        return;
    int64_t kind = unpack_number(at), wide = unpack_number(at);
    access->operation.kind = kind >= 0 && kind < BANK_KINDS ? (enum bank_kind)kind : BANK_LOAD;
    access->operation.wide = wide >= 0 && wide <= 16 ? (uint32_t)wide : 0;
    access->operation.delta = (int32_t)unpack_number(at);
    access->operation.fused_away = unpack_number(at) != 0;
}

static void unpack_lanes(const char **at, uint64_t *addresses)
{
    for (size_t lane = 1; lane < SIM_LANES && **at;) {
        uint64_t step = (uint64_t)unpack_number(at);
        for (int64_t times = unpack_number(at); times > 0 && lane < SIM_LANES; times--, lane++)
            addresses[lane] = addresses[lane - 1] + step;
    }
}

static void unpack_values(const char **digits, struct recording *recording, struct recorded_access *access)
{
    size_t size = written_bytes(access);
    if (size == 0 || size > MAX_VALUES - recording->value_count || strnlen(*digits, 2 * size) < 2 * size)
        return;
    mem_reserve(&recording->values, &recording->value_capacity, recording->value_count + size);
    if (!hex_read(*digits, recording->values + recording->value_count, size))
        return;
    *digits += 2 * size;
    access->has_values = true;
    access->values = (uint32_t)recording->value_count;
    recording->value_count += size;
}

static void unpack_access(const char **at, const char **digits, size_t index, struct map *last,
                          struct recording *recording)
{
    static const struct recorded_access none;
    struct recorded_access *access = &recording->items[index];
    const struct recorded_access *before = index ? access - 1 : &none;
    int64_t parts = unpack_number(at);
    uint32_t pc = before->pc + (uint32_t)unpack_number(at);
    const struct recorded_access *alike = last_alike(last, recording, pc, index);
    *access = *alike;
    access->pc = pc;
    access->warp = before->warp + (uint32_t)unpack_number(at);
    access->step = before->step + (uint64_t)unpack_number(at);
    access->phase = before->phase + (uint32_t)unpack_number(at);
    if (parts & PART_SITE)
        unpack_site(at, access);
    uint64_t moved = (uint64_t)unpack_number(at);
    for (size_t lane = 0; lane < SIM_LANES; lane++)
        access->addresses[lane] += moved;
    if (parts & PART_LANES)
        unpack_lanes(at, access->addresses);
    access->lands = (uint32_t)index + (parts & PART_LANDS ? (uint32_t)unpack_number(at) : 0);
    access->has_values = false;
    access->values = 0;
    if (parts & PART_VALUES)
        unpack_values(digits, recording, access);
}

static void unpack_recording(struct arena *arena, const json_t *json, void *at)
{
    struct recording *recording = at;
    const json_t *block = json_object_get(json, "block");
    const char *text = json_string_value(json_object_get(json, "accesses"));
    const char *digits = json_string_value(json_object_get(json, "values"));
    json_int_t count = json_integer_value(json_object_get(json, "count"));
    struct map last = map_of(uint32_t);
    (void)arena;
    *recording = (struct recording){0};
    for (size_t i = 0; i < 3; i++)
        recording->block[i] = (uint32_t)item_at(block, i);
    recording->truncated = json_is_true(json_object_get(json, "truncated"));
    recording->total = (uint64_t)json_integer_value(json_object_get(json, "total"));
    count = !text || count < 0 ? 0 : count < FIELDS_MAX_ITEMS ? count : FIELDS_MAX_ITEMS;
    recording->capacity = (size_t)count;
    recording->items = count ? mem_alloc((size_t)count * sizeof *recording->items) : NULL;
    digits = digits ? digits : "";
    for (; recording->count < recording->capacity && *text; recording->count++)
        unpack_access(&text, &digits, recording->count, &last, recording);
    if (recording->total < recording->count)
        recording->total = recording->count;
    map_free(&last);
}

const struct field_own grade_recording_own = {pack_recording, unpack_recording};

static json_t *write_nothing(const void *at) // grade_report_json_packed puts it in
{
    (void)at;
    return NULL;
}

static const struct field_own packed_own = {write_nothing, unpack_recording};

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
                                          F(NUMBER, tensor_busy),
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
    FIELD_BY(record, "recording", recording, recording_own),
    FIELD_BY(record, "packed", recording, packed_own),
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
    F(NUMBER, model_off_percent),
    F(TEXT, gpu),
    {FIELD_AT(grade_report, "conditions", conditions), .kind = FIELD_RECORD, .inner = &conditions_fields,
     FIELD_WHEN(grade_report, gpu)},
    F(TEXT, evidence),
    F(TEXT, right_where),
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

json_t *grade_report_json_packed(const struct grade_report *report)
{
    json_t *json = grade_report_json_brief(report);
    fields_put(json_object_get(json, "record"), "packed", pack_recording(&report->record.recording));
    return json;
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
