// The ladders' kernels (tests/kernels/ladder.cu, ladder_b.cu … ladder_i.cu): how the probes launch each at a size n,
// for counting and for timing.
#ifndef BANKSHOT_TESTS_LADDER_LAUNCH_H
#define BANKSHOT_TESTS_LADDER_LAUNCH_H

#include "model/predict.h"

enum ladder_shape {
    LADDER_COPY,   // (out, in, n * n), n * n / 256 blocks
    LADDER_COPY4,  // (out, in, n * n / 4), n * n / 1024 blocks
    LADDER_TILE,   // (out, in, n), n / 32 squared blocks
    LADDER_REDUCE, // (in, out, n * n), n * n / 256 blocks
    LADDER_LOOP,   // (in, out, n * n), 1056 blocks that go through all of it
    LADDER_GEMM,   // (a, b, c, n), n / tile squared blocks
    LADDER_SCAN,   // (out, in, n * n), n * n / 512 blocks
    LADDER_PIXELS, // (out, in, n), n / 32 by n / 8 blocks
    LADDER_ROWS,   // (out, in, n), a block a row
    LADDER_VECTOR, // (a, b, c, n), tile threads a row
    LADDER_OWN     // (c, a, b, n), shape by its own function
};

// Constants were chosen with the first set in sight, and rules with the second one; the third was written and measured
// after that, and the fourth to the ninth each after what the one before showed was mended.
enum ladder_set {
    LADDER_FIRST,
    LADDER_SECOND,
    LADDER_THIRD,
    LADDER_FOURTH,
    LADDER_FIFTH,
    LADDER_SIXTH,
    LADDER_SEVENTH,
    LADDER_EIGHTH,
    LADDER_NINTH,
    LADDER_SETS
};
extern const char *const ladder_set_ptx[LADDER_SETS];

struct ladder_kernel {
    const char *name;   // in the source
    const char *times;  // in golden/h200_times.csv or golden/h200_ladder_b_times.csv
    const char *family; // whose rows are put in order: "copy", "transpose" …
    enum ladder_shape shape;
    uint32_t block[2], tile, dynamic_shared, registers; // registers: golden/h200_kernels.csv, from ptxas for sm_90
    bool fitted;                                        // belongs to the half that constants are fitted on
    enum ladder_set set;
    void (*shape_at)(uint32_t n, uint32_t grid[3], uint32_t block[3]); // LADDER_OWN
};

extern const struct ladder_kernel ladder_kernels[];
extern const size_t ladder_kernel_count;

// NULL: none of that name, in the source or in golden/h200_times.csv. The kernels of smem_stride are not in the table.
const struct ladder_kernel *ladder_find(const char *name);

// n of the first and second launch by `ladder --once`.
uint32_t ladder_once_size(const struct ladder_kernel *kernel, uint32_t occurrence);

// Fills grid, block, dynamic shared memory, and params: 8 bytes each for the pointers, n behind them.
void ladder_set_launch(const struct ladder_kernel *kernel, uint32_t n, uint64_t a, uint64_t b, uint64_t c,
                       struct sim_launch *launch, uint64_t params[4]);

// What the probe fills its inputs with: glibc's rand() from the start, as floats of [-0.5, 0.5).
void ladder_fill(float *values, size_t count);

// Microseconds that the H200 or the H100 took (golden/*_times.csv, by the name there); 0 = not in the file.
double ladder_measured(const struct ladder_kernel *kernel, const char *gpu, uint32_t n);

struct ladder_model {
    const char *gpu;                          // NULL = H200
    const struct gpu_profile *profile;        // instead of the one of that name; NULL = that
    size_t steps;                             // 0 = as users get it
    uint32_t registers;                       // 0 = ptxas'; else these
    bool estimate_registers;                  // as without ptxas
    const struct replay_constants *constants; // NULL = the fitted ones
};

// Predicts the kernel of its set's PTX at size n.
enum status ladder_predict(const struct ptx_module *module, const struct ladder_kernel *kernel, uint32_t n,
                           const struct ladder_model *model, struct prediction *prediction,
                           struct diagnostic *diagnostic);
// The same with each of model->constants[each], which differ in what the replay alone wants (predict_from).
enum status ladder_predict_each(const struct ptx_module *module, const struct ladder_kernel *kernel, uint32_t n,
                                const struct ladder_model *model, size_t each, struct prediction *predictions,
                                struct diagnostic *diagnostic);

#endif
