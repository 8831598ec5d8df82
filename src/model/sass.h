// PTX instructions as the SASS that ptxas makes of them: how many, on which pipes. Measured: sass_costs.def.
#ifndef BANKSHOT_MODEL_SASS_H
#define BANKSHOT_MODEL_SASS_H

#include "model/replay.h"
#include "ptx/ptx.h"

enum { SASS_PREDICATED = 16 }; // ptxas turns branches over up to as many instructions into predicates

bool sass_is_floating(enum ptx_type type); // double, single, half, alone or as a pair of halves

// Of one instruction on the nearest architecture not above arch. False: there is no row for it.
bool sass_cost_find(const struct ptx_inst *inst, unsigned arch, struct sass_cost *cost);

// Makes FREE what ptxas joins with another: a shift or product with the sum that takes it (LEA, IMAD), two sums
// (IADD3), two logical operations (LOP3) and whether they leave anything, a sum and the smaller or larger of it and
// something (VIADDMNMX), the two words of a product (IMAD.WIDE). Halves what works on 64 bits and has
// nothing to do for 32 of them. insts: the function's, described.
void sass_join(const struct ptx_function *function, unsigned arch, struct replay_inst *insts);

#endif
