// What an entry's numbers and predicates come to where they follow from a block's place, the launch's numbers, the
// parameters, inputs at places that do, and the tables of the module, in functions that are called, too: worked out
// without running anything. Not seen: what follows from memory that the launch writes, and what a loop works out.
#ifndef BANKSHOT_MODEL_DEDUCTION_H
#define BANKSHOT_MODEL_DEDUCTION_H

#include "ptx/ptx.h"

enum { DEDUCTION_CHOICES = 512 };

// A result that something is decided by: a predicate, an element of a table, or a number that everything else is worked
// out from. By size also whether a basic block is reached: where control may go either way, it goes both.
struct deduction_choice {
    uint32_t reg;
    bool is_predicate, is_of_data;
};

struct deduction_at {
    uint32_t grid[3];
    uint64_t block;         // linear index
    const uint64_t *params; // the value of each of the entry's; of pointers any number
};

// Choices that differ from block to block, or from one launch to another: by the grid and the parameters, in the block
// that `at` names.
enum deduction_by { DEDUCTION_BY_BLOCK, DEDUCTION_BY_SIZE };

// What memory held before the launch: `bytes` bytes at an address; 0 where nobody knows.
struct deduction_data {
    uint64_t (*read)(void *context, uint64_t address, unsigned bytes);
    void *context;
};

struct deduction;

// block: its threads, of which one is looked at. entry and data must last as long; at need not. data NULL: what follows
// from data is not known.
struct deduction *deduction_new(const struct ptx_function *entry, const uint32_t block[3], uint64_t thread,
                                const struct deduction_at *at, enum deduction_by by, const struct deduction_data *data);
void deduction_free(struct deduction *d);
const struct deduction_choice *deduction_choices(const struct deduction *d, size_t *count);
void deduction_work_out(struct deduction *d, const struct deduction_at *at);
uint64_t deduction_value(const struct deduction *d, size_t choice); // where it was last worked out

#endif
