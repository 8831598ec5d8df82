// lesson 9; device sim,gpu; nvcc,clang; want: pass, at most 95, at least 95; want gpu: pass; tries: 64 x 64 with copies, commit and wait in inline PTX
LAUNCH(16, 16, 64, 64)

// Starts copying four neighbours of `from`, of which the first `have` exist; the others become 0.
__device__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from + (have > 0 ? index : 0)), "r"(have > 0 ? 16 : 0) : "memory");
    else
        for (int j = 0; j < 4; j++)
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"((unsigned)__cvta_generic_to_shared((float *)to + j)), "l"(from + (j < have ? index + j : 0)), "r"(j < have ? 4 : 0) : "memory");
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[2][64][4], b_tile[2][16][16];
    int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    float sum[4][4] = {};

    auto fetch = [&](int step) {
        int stage = step & 1, k0 = step * 16;
        int r = id / 4, i = k0 + id % 4 * 4;
        copy4(&a_tile[stage][r][id % 4 ^ (r >> 2 & 3)], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, k % 4 == 0);
        int s = k0 + id / 16, q = column0 + id % 16 * 4;
        copy4(&b_tile[stage][id / 16][id % 16], b, s * n + q, s < k ? n - q : 0, n % 4 == 0);
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    fetch(0);
    int steps = (k + 15) / 16;
    for (int step = 0; step < steps; step++) {
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        __syncthreads();
        fetch(step + 1);
        int stage = step & 1;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float4 x[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                x[p] = a_tile[stage][ty * 4 + p][j ^ (ty & 3)];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                float4 y = b_tile[stage][j * 4 + i][tx];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    float f = i == 0 ? x[p].x : i == 1 ? x[p].y : i == 2 ? x[p].z : x[p].w;
                    sum[p][0] += f * y.x;
                    sum[p][1] += f * y.y;
                    sum[p][2] += f * y.z;
                    sum[p][3] += f * y.w;
                }
            }
        }
    }
#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++)
            if (row0 + ty * 4 + p < m && column0 + tx * 4 + q < n)
                c[(row0 + ty * 4 + p) * n + column0 + tx * 4 + q] = sum[p][q];
}
