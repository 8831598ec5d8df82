// Nsight Compute's counters of one kernel: finds `ncu`, runs a program under it, reads its CSV.
//
// docs/counting.md maps our counters to its metrics. Hardware wavefronts include the conflicts; wavefronts minus
// conflicts are exact, conflicts carry noise when many blocks run (docs/hardware.md 7).
#ifndef BANKSHOT_DEVICE_NCU_H
#define BANKSHOT_DEVICE_NCU_H

#include <limits.h>

#include "record/counters.h"

// N(counter, metric)
#define NCU_METRICS(N)                                                                                                 \
    N(shared_load_wavefronts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum")                                  \
    N(shared_load_conflicts, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum")                               \
    N(shared_store_wavefronts, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum")                                 \
    N(shared_store_conflicts, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum")                              \
    N(global_load_requests, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum")                                         \
    N(global_load_sectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")                                           \
    N(global_store_requests, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum")                                        \
    N(global_store_sectors, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum")

// How far above the bank rules the hardware's conflicts, and wavefronts with them, may be: what other warps' turns add
// to a launch of so many blocks (docs/hardware.md 7). Never below.
double ncu_noise(uint64_t wavefronts, uint64_t blocks);

// Path of ncu: of PATH, the CUDA Toolkit, /opt/nvidia/nsight-compute (the newest). false: there is none.
bool ncu_find(char path[PATH_MAX]);

// Runs argv (ends with NULL) under ncu and takes the counters of its first launch of kernel (mangled name). Fields of
// *counters that no metric stands for stay 0. ENVIRONMENT: ncu failed, or this account may not read the counters (the
// message says how to allow it); FAULT: the program itself failed, its last words in the message.
enum status ncu_run(const char *ncu, const char *const *argv, const char *kernel, struct counters *counters,
                    struct diagnostic *diagnostic);

// The same from ncu's CSV: false when it has not every metric of the kernel.
bool ncu_read_csv(const char *csv, const char *kernel, struct counters *counters);
// The first metric that the CSV has no number for though the kernel is in it: another ncu's or GPU's name, n/a, nan.
const char *ncu_missing_metric(const char *csv, const char *kernel);

#endif
