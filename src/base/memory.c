// Checked allocation, and the arena's chunks.
#include "base/memory.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ARENA_ALIGN = 32, ARENA_CHUNK = 64 * 1024 };

struct chunk {
    struct chunk *next;
    size_t size, used;
    _Alignas(ARENA_ALIGN) unsigned char data[];
};

struct arena {
    struct chunk *chunks;
};

static uint64_t own_bound;    // of this process; 0: none, or a lower one, which the machine had set already
static uint64_t sparse_bytes; // bytes of mem_sparse

void mem_bound(uint64_t bytes)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    own_bound = bytes && bytes < limit.rlim_max ? bytes : 0;
    limit.rlim_cur = bytes && bytes < limit.rlim_max ? bytes : limit.rlim_max;
    setrlimit(RLIMIT_DATA, &limit);
}

uint64_t mem_machine(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t bytes = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
    unsigned long long most;
    FILE *file = fopen("/sys/fs/cgroup/memory.max", "re");
    if (file && fscanf(file, "%llu", &most) == 1 && (most < bytes || !bytes))
        bytes = most;
    if (file)
        fclose(file);
    return bytes;
}

// Without the bound, would there have been memory? Nothing is allocated here.
static bool is_bounded(size_t size)
{
    char text[256];
    struct rlimit limit;
    unsigned long long pages = 0;
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
    bool known =
        own_bound && sscanf(text, "%*u %*u %*u %*u %*u %llu", &pages) == 1 && getrlimit(RLIMIT_DATA, &limit) == 0;
    return known && limit.rlim_cur < limit.rlim_max &&
           (size > limit.rlim_cur || pages * (uint64_t)sysconf(_SC_PAGESIZE) > limit.rlim_cur - size);
}

_Noreturn void mem_out(size_t size)
{
    bool bounded = is_bounded(size);
    fprintf(stderr, "bankshot: out of memory (%zu bytes wanted); %s\n", size,
            bounded ? "that is beyond this run's bound" : "close other programs or use smaller sizes");
    exit(bounded ? MEMORY_EXIT_BOUND : MEMORY_EXIT);
}

void *mem_alloc(size_t size)
{
    void *block = calloc(1, size ? size : 1);
    if (!block)
        mem_out(size);
    return block;
}

void mem_expect(size_t size)
{
    void *block = malloc(size);
    if (!block)
        mem_out(size);
    free(block);
}

// What is sparse comes on top of the bound, as far as the machine's own limit goes.
static void add_sparse(size_t size, bool back)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct rlimit limit;
    pthread_mutex_lock(&lock);
    sparse_bytes += back ? -(uint64_t)size : size;
    if (own_bound && getrlimit(RLIMIT_DATA, &limit) == 0) {
        limit.rlim_cur = sparse_bytes < limit.rlim_max - own_bound ? own_bound + sparse_bytes : limit.rlim_max;
        setrlimit(RLIMIT_DATA, &limit);
    }
    pthread_mutex_unlock(&lock);
}

void *mem_sparse(size_t size)
{
    add_sparse(size, false);
    return mem_alloc(size);
}

void mem_sparse_free(void *block, size_t size)
{
    free(block);
    if (block)
        add_sparse(size, true);
}

void mem_sparse_zeros(void *block, size_t size)
{
    const uintptr_t large = 2 << 20, first = ((uintptr_t)block + large - 1) / large * large,
                    end = ((uintptr_t)block + size) / large * large;
    if (first < end)
        (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
}

void *mem_resize(void *block, size_t size)
{
    void *moved = realloc(block, size ? size : 1);
    if (!moved)
        mem_out(size);
    return moved;
}

void *mem_filled(size_t size)
{
    void *block = mem_resize(NULL, size);
    __asm__ volatile("" : "+r"(block)); // or the compiler makes it calloc
    return memset(block, 0, size);
}

void *mem_aligned(size_t alignment, size_t size)
{
    void *block = aligned_alloc(alignment, size);
    if (!block)
        mem_out(size);
    return block;
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
    size_t wanted = *capacity ? *capacity * 2 : 16;
    while (wanted <= count)
        wanted *= 2;
    if (wanted > SIZE_MAX / size)
        mem_out(SIZE_MAX);
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
    struct chunk *chunk = mem_aligned(ARENA_ALIGN, total);
    chunk->size = room;
    chunk->used = 0;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    return chunk;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX - (sizeof(struct chunk) + 2 * ARENA_ALIGN))
        mem_out(size);
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
