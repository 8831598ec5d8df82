// The tree's hash map: keys are 64-bit numbers or byte strings, values have one fixed size.
//
// Entries lie in the order in which they were added, and keep it: map_value(map, 0 … count - 1) walks through them the
// same way in every run. Nothing is ever removed except by map_clear; to forget an entry, give it a value that says so.
// A value's address holds until the next map_add. Values are zeroed when they are added and aligned to 8 bytes.
//
//     struct map names = map_of(struct sight);
//     struct sight *sight = map_add(&names, key, NULL);   // finds it, or adds it
//     map_free(&names);
//
// A map has keys of one kind: of numbers (map_find, map_add) or of bytes (map_find_bytes, map_add_bytes). Keys of
// bytes are copied. A struct without padding serves as a key of bytes where 64 bits are too few.
#ifndef BANKSHOT_BASE_MAP_H
#define BANKSHOT_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct map_slot {
    uint32_t hash, place; // place in entries + 1; 0 = free
};

struct map {
    size_t value_size;      // the only field that a new map needs
    size_t count, capacity; // of entries
    size_t slot_count;      // a power of two, or 0
    struct map_slot *slots;
    unsigned char *entries; // the key, or where its bytes begin, then the value
    char *bytes;            // of the keys, each after its length
    size_t byte_count, byte_capacity;
};

#define map_of(type) ((struct map){.value_size = sizeof(type)})

void map_free(struct map *map);  // leaves an empty map for values of the same size
void map_clear(struct map *map); // the same, but keeps the memory

// The value; NULL: there is none. map_add: fresh (may be NULL) says whether it was added now.
static inline void *map_find(const struct map *map, uint64_t key);
void *map_add(struct map *map, uint64_t key, bool *fresh);
void *map_find_bytes(const struct map *map, const void *bytes, size_t length);
void *map_add_bytes(struct map *map, const void *bytes, size_t length, bool *fresh);

// The entry that was added as number `index`, from 0.
static inline void *map_value(const struct map *map, size_t index);
static inline uint64_t map_key(const struct map *map, size_t index);
const char *map_key_bytes(const struct map *map, size_t index, size_t *length); // terminated; length may be NULL

// FNV-1a over 64 bits, from MAP_HASH_START or from the hash of what comes before.
#define MAP_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t map_hash(uint64_t hash, const void *bytes, size_t length);

// ---- inline, for speed

static inline size_t map_stride(const struct map *map)
{
    return sizeof(uint64_t) + (map->value_size + 7) / 8 * 8;
}

static inline uint64_t map_key(const struct map *map, size_t index)
{
    uint64_t key;
    memcpy(&key, map->entries + index * map_stride(map), sizeof key);
    return key;
}

static inline void *map_value(const struct map *map, size_t index)
{
    return map->entries + index * map_stride(map) + sizeof(uint64_t);
}

static inline uint32_t map_number_hash(uint64_t key)
{
    return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static inline void *map_find(const struct map *map, uint64_t key)
{
    uint32_t hash = map_number_hash(key);
    size_t mask = map->slot_count - 1;
    if (map->count == 0)
        return NULL;
    for (size_t i = hash & mask; map->slots[i].place; i = (i + 1) & mask)
        if (map->slots[i].hash == hash && map_key(map, map->slots[i].place - 1) == key)
            return map_value(map, map->slots[i].place - 1);
    return NULL;
}

#endif
