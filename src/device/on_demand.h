// Buffers of a launch that is too large to be run: an element is made when a block first touches its surroundings, and
// costs nothing before. For those who look at some of the blocks: the grading's modelled sizes, and trace --predict.
#ifndef BANKSHOT_DEVICE_ON_DEMAND_H
#define BANKSHOT_DEVICE_ON_DEMAND_H

#include "device/device.h"

struct on_demand;

// An allocation: an argument's buffer, or a variable of the module, which counts as elements of four bytes.
struct on_demand_place {
    const struct sim_allocation *allocation;
    size_t arg; // SIZE_MAX: none
    size_t element, count;
    unsigned shift;      // log2 of element
    unsigned char *made; // a bit for each granule of elements; NULL: it holds what it has to
    uint32_t *writers;   // by element: for a probe that wants to know (on_demand_writers); NULL: there are none yet
};

// Elements [first, first + count) of an argument, at out.
typedef void on_demand_make(const void *context, size_t arg, size_t first, size_t count, void *out);

// args must last as long. make: NULL, by their fills (args_parse_later).
struct on_demand *on_demand_new(const struct device_arg *args, size_t count, on_demand_make *make, const void *context);
void on_demand_free(struct on_demand *made);

// A probe that makes what its blocks touch, and asks for none of its own.
struct device_probe on_demand_probe(struct on_demand *made);
uint64_t on_demand_blocks(const struct on_demand *made); // how many it has seen, each counted once

// ---- for probes that see more

// As a probe's begin; context: the on_demand. Nothing has been made yet, or of a memory that is gone.
void on_demand_begin(void *context, struct sim_allocation *const *buffers, const struct sim_memory *memory);
// The place that these bytes lie in, and the first and the last element that they touch: they are there now. NULL: they
// lie in none.
struct on_demand_place *on_demand_touch(struct on_demand *made, uint64_t address, uint64_t bytes, size_t *first,
                                        size_t *last);
// The same for neighbours, all lanes at once; address: of the lowest. NULL: they are not; go lane by lane.
struct on_demand_place *on_demand_touch_all(struct on_demand *made, const struct lane_shape *shape, uint64_t address);
uint32_t *on_demand_writers(struct on_demand_place *place); // zeros at first
unsigned char *on_demand_bytes(const struct on_demand *made, size_t arg);

#endif
