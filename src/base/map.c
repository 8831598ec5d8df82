// Open addressing with linear probing over slots of 8 bytes, at most half of them used; the entries lie apart and
// dense.
#include "base/map.h"

#include <stdlib.h>

#include "base/memory.h"

enum { SLOTS_START = 32 };

void map_free(struct map *map)
{
    free(map->slots);
    free(map->entries);
    free(map->bytes);
    *map = (struct map){.value_size = map->value_size};
}

void map_clear(struct map *map)
{
    if (map->slot_count)
        memset(map->slots, 0, map->slot_count * sizeof *map->slots);
    map->count = map->byte_count = 0;
}

uint64_t map_hash(uint64_t hash, const void *bytes, size_t length)
{
    for (const unsigned char *at = bytes, *end = at + length; at < end; at++)
        hash = (hash ^ *at) * UINT64_C(0x100000001b3);
    return hash;
}

static void map_widen(struct map *map)
{
    size_t slot_count = map->slot_count ? 2 * map->slot_count : SLOTS_START, mask = slot_count - 1;
    struct map_slot *slots = mem_filled(slot_count * sizeof *slots);
    for (size_t i = 0; i < map->slot_count; i++) {
        size_t at = map->slots[i].hash & mask;
        if (!map->slots[i].place)
            continue;
        while (slots[at].place)
            at = (at + 1) & mask;
        slots[at] = map->slots[i];
    }
    free(map->slots);
    map->slots = slots;
    map->slot_count = slot_count;
}

static void *map_append(struct map *map, uint32_t hash, uint64_t key)
{
    size_t stride = map_stride(map), mask = map->slot_count - 1, at = hash & mask;
    while (map->slots[at].place)
        at = (at + 1) & mask;
    map->entries = mem_room(map->entries, &map->capacity, map->count, stride);
    unsigned char *entry = map->entries + map->count++ * stride;
    memcpy(entry, &key, sizeof key);
    map->slots[at] = (struct map_slot){hash, (uint32_t)map->count};
    return memset(entry + sizeof key, 0, stride - sizeof key);
}

void *map_add(struct map *map, uint64_t key, bool *fresh)
{
    void *value = map_find(map, key);
    if (fresh)
        *fresh = !value;
    if (value)
        return value;
    if (2 * map->count >= map->slot_count)
        map_widen(map);
    return map_append(map, map_number_hash(key), key);
}

// ---- keys of bytes

const char *map_key_bytes(const struct map *map, size_t index, size_t *length)
{
    const char *at = map->bytes + map_key(map, index);
    if (length)
        memcpy(length, at, sizeof *length);
    return at + sizeof *length;
}

static uint32_t map_bytes_hash(const void *bytes, size_t length)
{
    uint64_t hash = map_hash(MAP_HASH_START, bytes, length);
    return (uint32_t)(hash ^ hash >> 32);
}

void *map_find_bytes(const struct map *map, const void *bytes, size_t length)
{
    uint32_t hash = map_bytes_hash(bytes, length);
    size_t mask = map->slot_count - 1, have;
    if (map->count == 0)
        return NULL;
    for (size_t i = hash & mask; map->slots[i].place; i = (i + 1) & mask) {
        size_t index = map->slots[i].place - 1;
        if (map->slots[i].hash != hash)
            continue;
        const char *key = map_key_bytes(map, index, &have);
        if (have == length && (length == 0 || memcmp(key, bytes, length) == 0))
            return map_value(map, index);
    }
    return NULL;
}

void *map_add_bytes(struct map *map, const void *bytes, size_t length, bool *fresh)
{
    void *value = map_find_bytes(map, bytes, length);
    if (fresh)
        *fresh = !value;
    if (value)
        return value;
    if (2 * map->count >= map->slot_count)
        map_widen(map);
    uint64_t key = map->byte_count;
    map->bytes = mem_room(map->bytes, &map->byte_capacity, map->byte_count + sizeof length + length, 1);
    memcpy(map->bytes + key, &length, sizeof length);
    if (length)
        memcpy(map->bytes + key + sizeof length, bytes, length);
    map->byte_count += sizeof length + length + 1;
    map->bytes[map->byte_count - 1] = '\0';
    return map_append(map, map_bytes_hash(bytes, length), key);
}
