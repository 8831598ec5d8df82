// A recording as JSON and back. Nothing that is read is trusted.
#include <string.h>
#include <stdlib.h>

#include "base/memory.h"
#include "grade/grade.h"

enum {
    MAX_ITEMS = 100000,   // accesses that are read back
    MAX_VALUES = 16 << 20 // bytes that are read back
};

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
    json_t *list = json_array();
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
    return json_pack("{s:[i,i,i], s:b, s:I, s:o}", "block", (int)recording->block[0], (int)recording->block[1],
                     (int)recording->block[2], "truncated", recording->truncated || count < recording->count, "total",
                     (json_int_t)recording->total, "accesses", list);
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
    mem_reserve(&recording->values, &recording->value_capacity, recording->value_count + size);
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
    const json_t *list = json_object_get(json, "accesses"), *block = json_object_get(json, "block");
    size_t count = json_array_size(list);
    *recording = (struct recording){0};
    for (size_t i = 0; i < 3; i++)
        recording->block[i] = (uint32_t)item(block, i);
    recording->truncated = json_is_true(json_object_get(json, "truncated"));
    recording->count = recording->capacity = count < MAX_ITEMS ? count : MAX_ITEMS;
    recording->items = count ? mem_alloc(recording->count * sizeof *recording->items) : NULL;
    recording->total = (uint64_t)json_integer_value(json_object_get(json, "total"));
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
