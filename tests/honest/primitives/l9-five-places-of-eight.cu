// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: five places, steps of 8 along k, copies in PTX, the places are counted round without a division
LAUNCH(256, 1, 128, 128)

enum { DEPTH = 5, STEP = 8 };

// Four neighbours of which `have` exist (0 or less: none, then `from` is not read); the rest becomes 0.
__device__ __forceinline__ void bring4(unsigned to, const float *from, int have, bool wide)
{
    if (wide) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                     ::"r"(to), "l"(__cvta_generic_to_global(from)), "r"(have > 0 ? 16 : 0) : "memory");
    } else {
#pragma unroll 1
        for (int j = 0; j < 4; ++j)
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
                         ::"r"(to + 4 * j), "l"(__cvta_generic_to_global(j < have ? from + j : from)), "r"(j < have ? 4 : 0) : "memory");
    }
}

__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[DEPTH][128][STEP / 4];
    __shared__ float4 b_tile[DEPTH][STEP][32];

    const int id = threadIdx.x, tx = id & 15, ty = id >> 4;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;

    // This thread brings one chunk of each tile.
    const int ar = id >> 1, ai = (id & 1) * 4, bi = id >> 5, bq = (id & 31) * 4;
    const unsigned to_a = (unsigned)__cvta_generic_to_shared(&a_tile[0][ar][id & 1]);
    const unsigned to_b = (unsigned)__cvta_generic_to_shared(&b_tile[0][bi][id & 31]);
    const bool a_wide = k % 4 == 0, b_wide = n % 4 == 0;

    int in = 0, out = 0, k0 = 0;  // the place to fill next, the one to read next, and where the next step begins

    auto fetch = [&] {
        const int a_have = row0 + ar < m ? k - k0 - ai : 0, b_have = k0 + bi < k ? n - column0 - bq : 0;
        bring4(to_a + in * (unsigned)sizeof a_tile[0], a_have > 0 ? a + (size_t)(row0 + ar) * k + k0 + ai : a, a_have, a_wide);
        bring4(to_b + in * (unsigned)sizeof b_tile[0], b_have > 0 ? b + (size_t)(k0 + bi) * n + column0 + bq : b, b_have, b_wide);
        asm volatile("cp.async.commit_group;" ::: "memory");
        k0 += STEP;
        if (++in == DEPTH)
            in = 0;
    };

    float sum[8][8] = {};
    for (int s = 0; s < DEPTH - 1; ++s)
        fetch();

    for (int left = k; left > 0; left -= STEP) {
        asm volatile("cp.async.wait_group %0;" ::"n"(DEPTH - 2) : "memory");  // the oldest of four
        __syncthreads();
        fetch();  // into the place that was read in the last step

#pragma unroll
        for (int j = 0; j < STEP / 4; ++j) {
            float4 x[8];
#pragma unroll
            for (int p = 0; p < 8; ++p)
                x[p] = a_tile[out][(p & 4) * 16 + ty * 4 + (p & 3)][j];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const float4 u = b_tile[out][j * 4 + i][tx], v = b_tile[out][j * 4 + i][tx + 16];
#pragma unroll
                for (int p = 0; p < 8; ++p) {
                    const float f = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
                    sum[p][0] += f * u.x, sum[p][1] += f * u.y, sum[p][2] += f * u.z, sum[p][3] += f * u.w;
                    sum[p][4] += f * v.x, sum[p][5] += f * v.y, sum[p][6] += f * v.z, sum[p][7] += f * v.w;
                }
            }
        }
        if (++out == DEPTH)
            out = 0;
    }
    asm volatile("cp.async.wait_all;" ::: "memory");  // the last ones brought only zeros

#pragma unroll
    for (int p = 0; p < 8; ++p) {
        const int row = row0 + (p & 4) * 16 + ty * 4 + (p & 3);
        if (row >= m)
            continue;
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int column = column0 + h * 64 + tx * 4;
            float *to = c + (size_t)row * n + column;
            if (b_wide && column < n)
                *(float4 *)to = make_float4(sum[p][4 * h], sum[p][4 * h + 1], sum[p][4 * h + 2], sum[p][4 * h + 3]);
            if (!b_wide)
#pragma unroll
                for (int q = 0; q < 4; ++q)
                    if (column + q < n)
                        to[q] = sum[p][4 * h + q];
        }
    }
}
