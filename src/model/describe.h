// What a PTX instruction is to the replay: its kind, and the registers that it reads and writes. Used by stream.c
// alone.
#ifndef BANKSHOT_MODEL_DESCRIBE_H
#define BANKSHOT_MODEL_DESCRIBE_H

#include "model/replay.h"
#include "ptx/ptx.h"

// Division and square roots as IEEE wants them, and division of 64 bits, have a slow path, which is a call.
bool describe_calls(const struct ptx_inst *inst);

// base: number of the function's first register in the replay, where functions follow one another.
// arch: compute capability, 90 = 9.0. What fusion makes of it is the caller's to say.
struct replay_inst describe_inst(const struct ptx_function *function, uint32_t index, uint32_t base, unsigned arch);

#endif
