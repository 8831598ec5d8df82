// Buffers of a launch that is too large to be run: an element is made from its argument's fill when a block first
// touches its surroundings. For those who look at some of the blocks (trace --predict).
#ifndef BANKSHOT_DEVICE_ON_DEMAND_H
#define BANKSHOT_DEVICE_ON_DEMAND_H

#include "device/device.h"

struct on_demand;

// args: with fills (args_parse_later); they must last as long.
struct on_demand *on_demand_new(const struct device_arg *args, size_t count);
void on_demand_free(struct on_demand *made);
// It asks for no blocks of its own.
struct device_probe on_demand_probe(struct on_demand *made);
uint64_t on_demand_blocks(const struct on_demand *made); // how many have been run, each counted once

#endif
