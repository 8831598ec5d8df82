// Memory: checked allocation, and an arena for things that die together.
//
// Running out of memory is not handled call by call: the process says so on stderr and exits with status 2. Learner
// work runs in a worker process, so that costs one run and never the screen. Sizes that come from input are bounded
// by the caller before they reach these functions.
#ifndef BANKSHOT_BASE_MEMORY_H
#define BANKSHOT_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MEMORY_EXIT = 2, MEMORY_EXIT_BOUND = 3 }; // how a process ends that runs out of memory, or of its bound

// Bounds what this process may write to (RLIMIT_DATA, which does not count what is only reserved); 0 = no bound.
// Running into it ends the process with MEMORY_EXIT_BOUND; into a lower one of the machine's, with MEMORY_EXIT.
void mem_bound(uint64_t bytes);
uint64_t mem_machine(void); // bytes of this machine, or of the container that this is; 0: not known

// Device memory and its files are little-endian, and bytes go between them and the host's numbers as they are.
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "Bankshot runs on little-endian machines only");

_Noreturn void mem_out(size_t size); // for libraries that tell of it
// Ends the process now unless size bytes can be had: before calling a library that would crash for want of them.
void mem_expect(size_t size);

void *mem_alloc(size_t size); // zeroed; free() releases
// As mem_alloc, for what will be touched all over, reading first, such as a hash table: its pages are there at once. A
// page that is read before it is written is made twice, and the second time stops the other threads for a moment.
void *mem_filled(size_t size);
// As mem_alloc, for what will be touched in few places, such as an array whose elements are made on demand: it does not
// count towards mem_bound. mem_sparse_free, with the same size, releases it; NULL is none.
void *mem_sparse(size_t size);
void mem_sparse_free(void *block, size_t size);
// Nobody writes to these bytes of a mem_sparse: where the system can, zeros are read from few pages instead of many.
void mem_sparse_zeros(void *block, size_t size);
void *mem_resize(void *block, size_t size);       // as realloc, checked
void *mem_aligned(size_t alignment, size_t size); // not zeroed; size is a multiple of alignment, a power of two
char *mem_strdup(const char *text);
char *mem_strndup(const char *text, size_t length);

// mem_reserve(&list, &capacity, count) grows an array so that it holds at least count + 1 elements; capacity doubles.
// The array's type is the caller's, so no pointer is written through a type that it does not have.
#define mem_reserve(array, capacity, count) (*(array) = mem_room(*(array), capacity, count, sizeof **(array)))
// mem_append(list, capacity, count) is the address of one more element, for which it makes room: all three are fields
// or variables of the caller's.
#define mem_append(array, capacity, count) (mem_reserve(&(array), &(capacity), (count)), &(array)[(count)++])
void *mem_grow(void *array, size_t *capacity, size_t count, size_t size); // it is full
static inline void *mem_room(void *array, size_t *capacity, size_t count, size_t size)
{
    return count < *capacity ? array : mem_grow(array, capacity, count, size);
}

struct arena;
struct arena *arena_new(void);
void arena_free(struct arena *arena);                // frees everything taken from it
void *arena_alloc(struct arena *arena, size_t size); // zeroed, 32-byte aligned
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
