// What an entry's numbers and predicates come to where they follow from a block's place, the launch's numbers, the
// parameters, inputs at places that do, and the tables of the module, in functions that are called, too: worked out
// without running anything. Not seen: what follows from memory that the launch writes, and what a loop works out.
#ifndef BANKSHOT_MODEL_DEDUCTION_H
#define BANKSHOT_MODEL_DEDUCTION_H

#include "ptx/ptx.h"

enum { DEDUCTION_CHOICES = 512 };

// A result that something is decided by: a predicate, an element of a table, or a number that everything else is worked
// out from. By size also whether a basic block is reached; a branch of which nobody can say where it goes, goes both
// ways, and what is reached counts as a predicate.
struct deduction_choice {
    uint32_t reg; // of the entry, if below its register_count; else a place of the deduction's own
    bool is_predicate;
    bool is_of_data; // of predicates alone: numbers of the data are no choices
};

struct deduction_at {
    uint32_t grid[3];
    uint64_t block;         // linear index
    const uint64_t *params; // the value of each of the entry's; of pointers any number
};

// Choices that differ from block to block of one launch, or from one launch to another as well, by its grid and its
// parameters; in the block that `at` names.
enum deduction_by { DEDUCTION_BY_BLOCK, DEDUCTION_BY_SIZE };

// What memory held before the launch: `bytes` bytes at an address; 0 where nobody knows.
struct deduction_data {
    uint64_t (*read)(void *context, uint64_t address, unsigned bytes);
    void *context;
};

struct deduction;

// block: its threads, of which the one with the linear index `thread` is looked at. entry and data must last as long;
// at need not. data NULL: what follows from data is not known. What is followed is bounded (deduction.c), so time and
// memory are, too; never fails. To be freed by deduction_free.
struct deduction *deduction_new(const struct ptx_function *entry, const uint32_t block[3], uint64_t thread,
                                const struct deduction_at *at, enum deduction_by by, const struct deduction_data *data);
void deduction_free(struct deduction *d);
const struct deduction_choice *deduction_choices(const struct deduction *d, size_t *count);
void deduction_work_out(struct deduction *d, const struct deduction_at *at);
// The bits of a choice where it was last worked out, zeros above them; of a predicate, 0 or 1.
uint64_t deduction_value(const struct deduction *d, size_t choice);
// Whether that predicate was a comparison of two numbers, which of them is greater, and they were equal.
bool deduction_is_tie(const struct deduction *d, size_t choice);

#endif
