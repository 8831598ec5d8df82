// Matrices spread over a warp, for the files that execute their products: ops_matrix.c (mma, wmma) and ops_wgmma.c.
#ifndef BANKSHOT_SIM_MATRIX_H
#define BANKSHOT_SIM_MATRIX_H

#include "sim/decode.h"

// Which elements the lanes of a warp hold of one matrix, in which of their registers.
enum matrix_layout { LAYOUT_A, LAYOUT_B, LAYOUT_C, LAYOUT_WMMA };
struct matrix_part {
    enum matrix_layout layout;
    enum ptx_type type;
    uint32_t rows, columns;
    uint32_t regs, per, bits; // of a lane; elements in one; bits of an element
    const uint16_t *places;   // in the matrix, row by row: of element j of lane l at [32 * j + l]
    bool in_rows;             // this machine moves it by rows
};

struct matrix_shape {
    uint32_t m, n, k;
    struct matrix_part d, a, b, c;
    bool is_square;           // this machine takes it by columns
    bool may_be_exact;        // this machine tries whether it is
    bool is_of_group;         // a warp's part of a warp group's product
    bool bits_and, saturates; // mma.b1 with .and; .satfinite of integers
    // wmma.load and wmma.store, whose matrix is a:
    bool by_column;
    bool across;  // it lies in memory the other way than the fragment's registers do, and is not of 16-bit elements
    bool by_rows; // from shared memory a row of 16 bytes is taken as a whole, as ldmatrix takes it
    uint32_t together;     // elements that a lane has side by side
    const uint16_t *order; // as places of the part, in memory: line after line
};

// Slots of the registers of one product, m x n x k.
struct matrix_lists {
    const uint32_t *d, *b;
    const uint32_t *a; // NULL: A as in the product before
    const uint32_t *c; // NULL: zeros
    bool negates;      // -A, as it is gathered
};
void matrix_multiply(struct exec *x, const struct matrix_shape *shape, const struct matrix_lists *lists);

// Products in single precision (matrix_exact.c). False: not this one, nothing was done but for taking A.
bool matrix_may_be_exact(const struct matrix_shape *shape);
bool matrix_exact(const struct exec *x, const struct matrix_shape *shape, const struct matrix_lists *lists);
void matrix_exact_a(double *values); // the A that was taken last, row by row: nothing if it was asked for before
// wmma's 16 x 16 x 16 of halves, by AVX-512: lists of D, A, B, C. False: not this one, nothing was done.
bool matrix_exact_square(const struct exec *x, const uint32_t *list);

// Products whose sums are cut off (matrix_cut.c), where AVX2 is; all inputs of `type`, halves or bfloat16.
enum { CUT_ROWS = 16, CUT_COLUMNS = 8, CUT_DEPTH = 16 };
struct cut_inputs {
    const float (*a)[CUT_DEPTH], (*b)[CUT_COLUMNS], (*c)[CUT_COLUMNS];
    const int32_t (*powers)[CUT_DEPTH]; // of A
};
// False: a value is out of bounds; there is no such product of this A.
bool matrix_cut_powers(const float values[CUT_ROWS][CUT_DEPTH], enum ptx_type type,
                       int32_t powers[CUT_ROWS][CUT_DEPTH]);
// False: not this one; what d holds is nothing.
bool matrix_cut(const struct cut_inputs *in, enum ptx_type type, float d[CUT_ROWS][CUT_COLUMNS]);
// Of halves, by AVX-512; d: the addends, and the sums. False: as above.
bool matrix_cut_square(float a[CUT_ROWS][CUT_DEPTH], float b[CUT_DEPTH][CUT_ROWS], float d[CUT_ROWS][CUT_ROWS]);

// A warp group's product: each warp takes 16 rows of A and goes through the columns by eight, as m16n8 products whose
// inputs have 32 bytes along k.
enum { GROUP_WARPS = 4, GROUP_ROWS = 64, GROUP_COLUMNS = 8, GROUP_A_REGS = 4, GROUP_B_REGS = 2 };
// The shape of those m16n8 products; answers the instruction's columns, or 0: refused.
uint32_t matrix_shape_of_group(struct decoder *d, struct matrix_shape *shape);

enum ptx_type matrix_register(enum ptx_type element); // the type of the registers that hold such elements
bool matrix_whole_warp(struct exec *x, const struct op *op, uint32_t mask); // false after a fault

#endif
