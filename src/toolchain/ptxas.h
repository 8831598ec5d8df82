// What ptxas, the CUDA Toolkit's assembler, makes of a kernel's PTX: the registers that decide how many blocks fit on
// an SM, and what did not fit into them (`ptxas -v`, CUDA Compiler Driver NVCC, "Printing Code Generation Statistics").
//
// ptxas runs in the compilers' jail, beside whatever the caller does meanwhile:
//
//     struct ptxas *ptxas = ptxas_start(ptx, length, entry->name, 90);
//     … run the kernel …
//     struct device_resources resources;
//     if (ptxas_wait(ptxas, &resources)) … else the model's own estimate has to do …
//     ptxas_free(ptxas);
//
// Without ptxas, with a GPU or PTX that it does not know, or when it takes longer than PTXAS_SECONDS of a processor,
// there is no answer. One that the machine kept from us is another thing: an estimate in its place, beside other
// kernels' answers, could be a wrong mark. Answers are kept beside the compiled PTX, and that there is none because of
// the PTX.
#ifndef BANKSHOT_TOOLCHAIN_PTXAS_H
#define BANKSHOT_TOOLCHAIN_PTXAS_H

#include "device/device.h"

enum { PTXAS_SECONDS = 5 };

struct ptxas;

// $BANKSHOT_PTXAS (set but empty: none), beside $BANKSHOT_NVCC, PATH, beside the nvcc in PATH, $CUDA_HOME, $CUDA_PATH,
// /usr/local/cuda. False: there is none.
bool ptxas_find(char *path, size_t size);
// Path, size and time of it, for keys of what depends on its answers; "" when there is none. Returns text.
char *ptxas_identity(char *text, size_t size);

// entry: the kernel's mangled name. sm: what to assemble for, 90; PTX for a newer one is assembled as if it were for
// this one, which ptxas refuses where the kernel needs more. ptx need not outlive the call. NULL: there is
// none here.
struct ptxas *ptxas_start(const char *ptx, size_t length, const char *entry, unsigned sm);
// Waits for the answer; false: none, and resources->refused says whether ptxas takes no such PTX. May be asked again.
bool ptxas_wait(struct ptxas *ptxas, struct device_resources *resources);
// After that: the first thing that it refuses the PTX for, as it says it, into text. False: nothing.
bool ptxas_refusal(const struct ptxas *ptxas, char *text, size_t size);
// After that, or when it could not be started: what the machine did. NULL: nothing.
const struct diagnostic *ptxas_fault(const struct ptxas *ptxas);
// The same as a device job's callback; context is the struct ptxas, or NULL.
bool ptxas_answer(void *context, struct device_resources *resources);
bool ptxas_runs(const struct ptxas *ptxas); // the answer is not there yet; NULL: no
void ptxas_free(struct ptxas *ptxas);       // stops it if it still runs; NULL is allowed

#endif
