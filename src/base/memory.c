// Checked allocation, and the arena's chunks.
#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_ALIGN = 32, ARENA_CHUNK = 64 * 1024 };

struct chunk {
    struct chunk *next;
    size_t size, used;
    _Alignas(ARENA_ALIGN) unsigned char data[];
};

struct arena {
    struct chunk *chunks;
};

static _Noreturn void out_of_memory(size_t size)
{
    fprintf(stderr, "bankshot: out of memory (%zu bytes wanted); close other programs or use smaller sizes\n", size);
    exit(2);
}

void *mem_alloc(size_t size)
{
    void *block = calloc(1, size ? size : 1);
    if (!block)
        out_of_memory(size);
    return block;
}

void *mem_resize(void *block, size_t size)
{
    void *moved = realloc(block, size ? size : 1);
    if (!moved)
        out_of_memory(size);
    return moved;
}

char *mem_strndup(const char *text, size_t length)
{
    char *copy = mem_alloc(length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *mem_strdup(const char *text)
{
    return mem_strndup(text, strlen(text));
}

void *mem_grow(void *array, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity)
        return array;
    size_t wanted = *capacity ? *capacity * 2 : 16;
    while (wanted <= count)
        wanted *= 2;
    if (wanted > SIZE_MAX / size)
        out_of_memory(SIZE_MAX);
    *capacity = wanted;
    return mem_resize(array, wanted * size);
}

struct arena *arena_new(void)
{
    return mem_alloc(sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
    if (!arena)
        return;
    for (struct chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(arena);
}

static struct chunk *chunk_new(struct arena *arena, size_t size)
{
    size_t room = size > ARENA_CHUNK ? size : ARENA_CHUNK;
    size_t total = (sizeof(struct chunk) + room + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    struct chunk *chunk = aligned_alloc(ARENA_ALIGN, total);
    if (!chunk)
        out_of_memory(total);
    chunk->size = room;
    chunk->used = 0;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    return chunk;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX - (sizeof(struct chunk) + 2 * ARENA_ALIGN))
        out_of_memory(size);
    size = (size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    struct chunk *chunk = arena->chunks;
    if (!chunk || chunk->size - chunk->used < size)
        chunk = chunk_new(arena, size);
    void *block = chunk->data + chunk->used;
    chunk->used += size;
    return memset(block, 0, size);
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = arena_alloc(arena, (size_t)(length < 0 ? 0 : length) + 1);
    if (length > 0)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
