// Names and values of places in shared memory, from the declarations in the source.
#ifndef BANKSHOT_LESSON_ARRAYS_H
#define BANKSHOT_LESSON_ARRAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum shared_kind { SHARED_BITS, SHARED_FLOAT, SHARED_SIGNED, SHARED_UNSIGNED }; // BITS: shown as hexadecimal

struct shared_array {
    char name[64];
    uint32_t offset, element, size; // bytes
    enum shared_kind kind;
    uint32_t scalar;             // bytes of one number: 4 in a float4
    uint32_t dims[3], dim_count; // slowest first
    bool dynamic;                // extern: size unknown
};
struct shared_arrays {
    struct shared_array items[16];
    size_t count;
};
// Reads `__shared__ float tile[TILE][TILE + 1];` with the #defines, constexprs and enums that it can see. What it
// cannot work out it leaves out; places are then named by word. kernel: where several kernels of a file have arrays of
// their own, those of this one, also mangled or with a template's arguments, "tile<float, 32>"; NULL = all.
void shared_arrays_read(struct shared_arrays *arrays, const char *source, const char *kernel);
const struct shared_array *shared_arrays_at(const struct shared_arrays *arrays, uint64_t address);
// "tile[5][3]" or "word 163".
const char *shared_name(const struct shared_arrays *arrays, uint64_t address, char *text, size_t size);
// The same of one array, known by name and size: "tile<float, 32>(float*)::rows" or "rows", its bytes (0: the launch
// gives them), and which of them. False: no declaration of it can be read. This is a hazard_names.element.
bool shared_element(const char *source, const char *array, uint64_t bytes, uint64_t offset, char *text, size_t size);
// A number of the array as its type says, in at most `columns` columns (precision goes first); longer with 0.
const char *shared_value(const struct shared_array *array, const unsigned char *bytes, int columns, char *text,
                         size_t size);

#endif
