// Further: 256 x 128 elements a block, 8 x 16 a thread, three stages of 8 along k. For any m, n
// and k whose matrices have fewer than 2^31 elements. why.md says what each step was worth.
#include <cuda_pipeline.h>

LAUNCH(256, 1, 128, 256)

constexpr int ROWS = 256, COLUMNS = 128, STEP = 8, STAGES = 3;

// a lies on its side: a[i] has the i-th numbers of 256 rows. So four rows come with one 16-byte
// load, as four columns of b do. Four words of padding set each a[i] four banks further on than
// the one before: a copy writes four words of each of the eight a[i] at once.
struct stage {
    float a[STEP][ROWS + 4], b[STEP][COLUMNS];
};

// WIDE: n is a multiple of 4, and b and c are moved 16 bytes at a time. __restrict__ promises
// that c overlaps neither a nor b.
template <bool WIDE>
__device__ __forceinline__ void product(stage *stages, float *__restrict__ c,
                                        const float *__restrict__ a, const float *__restrict__ b,
                                        int m, int n, int k)
{
    int id = threadIdx.x, lane = id % 32, warp = id / 32;
    int row0 = blockIdx.y * ROWS, column0 = blockIdx.x * COLUMNS;

    // Each of the eight warps has 32 rows, all 128 columns wide; its lanes stand 4 x 8. A thread
    // owns rows r0 … r0 + 3 and the same 16 further on, columns q0 … q0 + 3 and the same 32, 64
    // and 96 further on. Bits 0 and 4 of the lane choose the row. So lanes l and l ^ 1 want the
    // same of b, l and l ^ 2 the same of a, and each 16-byte load takes 2 wavefronts.
    int ty = (lane & 1) | (lane >> 3 & 2), tx = lane >> 1 & 7;
    int r0 = warp * 32 + ty * 4, q0 = tx * 4;
    float sum[8][16] = {};

    // A thread's share of the copies. Of a, number ai of rows ar, ar + 32, …, one word each: that
    // is what turns it on its side. Eight lanes read 32 bytes of a row, a whole sector. Rows below
    // the matrix are replaced by its last: what comes of them is never stored. Of b, four words of
    // row bi; to the right of the matrix stands its last chunk, or zeros.
    int ai = id % STEP, ar = id / STEP, bi = id / 32, bq = id % 32 * 4;
    int offset[8];
#pragma unroll
    for (int j = 0; j < 8; j++)
        offset[j] = min(row0 + ar + j * 32, m - 1) * k + ai;
    const float *from_b = b + bi * n + (WIDE ? min(column0 + bq, n - 4) : column0 + bq);

    // A step's copies come in five parts: two words of a in each of the first four, then b. `left`
    // numbers are left along k; beyond them everything becomes 0.
    auto copy = [&](stage *to, int part, int left) {
        if (part < 4)
#pragma unroll
            for (int j = part * 2; j < part * 2 + 2; j++)
                __pipeline_memcpy_async(&to->a[ai][ar + j * 32], a + (ai < left ? offset[j] : 0), 4,
                                        ai < left ? 0 : 4);
        if (part == 4 && WIDE)
            __pipeline_memcpy_async(&to->b[bi][bq], bi < left ? from_b : b, 16, bi < left ? 0 : 16);
        if (part == 4 && !WIDE)
#pragma unroll
            for (int q = 0; q < 4; q++) {
                bool exists = bi < left && column0 + bq + q < n;
                __pipeline_memcpy_async(&to->b[bi][bq + q], exists ? from_b + q : b, 4,
                                        exists ? 0 : 4);
            }
    };
    auto commit = [&](int numbers) {
        __pipeline_commit();
        a += numbers, from_b += numbers * n;
    };

    int have = min(k, STEP);
#pragma unroll
    for (int part = 0; part < 5; part++)
        copy(&stages[0], part, have);
    commit(have);
#pragma unroll
    for (int part = 0; part < 5; part++)
        copy(&stages[1], part, k - STEP);
    commit(STEP);

    // The numbers that the products with one i want: 16 columns' and 8 rows'.
    auto load = [&](const stage *from, int i, float *x, float *y) {
#pragma unroll
        for (int h = 0; h < 4; h++)
            *(float4 *)&y[h * 4] = *(const float4 *)&from->b[i][q0 + h * 32];  // @b
#pragma unroll
        for (int h = 0; h < 2; h++)
            *(float4 *)&x[h * 4] = *(const float4 *)&from->a[i][r0 + h * 16];  // @a
    };

    int steps = (k + STEP - 1) / STEP, place = 0;
#pragma unroll 1
    for (int step = 0; step < steps; step++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();

        stage *now = &stages[place], *free = &stages[(place + STAGES - 1) % STAGES];
        int left = k - (step + STAGES - 1) * STEP;
        float x[2][8], y[2][16];
        load(now, 0, x[0], y[0]);
#pragma unroll
        for (int i = 0; i < STEP; i++) {
            int here = i % 2;
            if (i + 1 < STEP)
                load(now, i + 1, x[1 - here], y[1 - here]);

            // A part of the copies with each i. All at once they stand in a queue, and the loads
            // from shared memory behind them.
            copy(free, i, left);
            if (i == STEP - 2)
                commit(STEP);

            // Down one column and up the next: each product shares a number with the one before.
            // What is used twice in a row need not be read from the registers again.
#pragma unroll
            for (int q = 0; q < 16; q++)
#pragma unroll
                for (int e = 0; e < 8; e++) {
                    int p = q % 2 ? 7 - e : e;
                    sum[p][q] += x[here][p] * y[here][q];
                }
        }
        place = (place + 1) % STAGES;
    }

    // Nothing is changed here, but ptxas does not know that. Four sums that are stored together want
    // four registers in a row, just as x and y do. Then in half of the products all three numbers
    // come from one of the two banks that registers have. Sums that go through one more instruction
    // may live anywhere until then. why.md tells what that is worth.
    int zero = threadIdx.z;
#pragma unroll
    for (int p = 0; p < 8; p++)
#pragma unroll
        for (int q = 0; q < 16; q++)
            sum[p][q] = __int_as_float(__float_as_int(sum[p][q]) ^ zero);

#pragma unroll
    for (int p = 0; p < 8; p++) {
        int row = row0 + r0 + p / 4 * 16 + p % 4;
#pragma unroll
        for (int h = 0; h < 4; h++) {
            int column = column0 + q0 + h * 32;
            if (WIDE) {
                if (row < m && column < n)
                    *(float4 *)&c[row * n + column] = *(const float4 *)&sum[p][h * 4];
            } else
#pragma unroll
                for (int q = 0; q < 4; q++)
                    if (row < m && column + q < n)
                        c[row * n + column + q] = sum[p][h * 4 + q];
        }
    }
}

__global__ void __launch_bounds__(256, 1)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) stage stages[STAGES];
    if (n % 4 == 0)
        product<true>(stages, c, a, b, m, n, k);
    else
        product<false>(stages, c, a, b, m, n, k);
}
