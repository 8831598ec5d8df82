// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: 128 threads of 8 x 4, a kept by columns with a pitch of 68 so that both factors come by 16 bytes, register prefetch in lambdas
LAUNCH(128, 1, 64, 64)

__global__ void __launch_bounds__(128)
matmul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int m, int n, int k)
{
    constexpr int DEEP = 16, A_PITCH = 68, B_PITCH = 64;
    __shared__ __align__(16) float left[DEEP * A_PITCH];   // element (row, i) is word 68 i + row
    __shared__ __align__(16) float right[DEEP * B_PITCH];  // element (i, column) is word 64 i + column

    const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;

    // A warp takes 8 along k of four rows at once: four whole sectors, and banks 4 i + row in the tile.
    const auto a_row = [=](int j) { return (j >> 1) * 16 + warp * 4 + (lane >> 3); };
    const auto a_deep = [=](int j) { return (j & 1) * 8 + (lane & 7); };
    const auto b_deep = [=](int j) { return j * 2 + (t >> 6); };
    const int b_column = t & 63;

    float next_a[8], next_b[8];
    const auto fetch = [&](int k0) {
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            const int row = row0 + a_row(j), i = k0 + a_deep(j);
            next_a[j] = row < m && i < k ? a[row * k + i] : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            const int i = k0 + b_deep(j), column = column0 + b_column;
            next_b[j] = i < k && column < n ? b[i * n + column] : 0.0f;
        }
    };

    const int r0 = t / 16 * 8, q0 = t % 16 * 4;
    float sum[8][4] = {};

    fetch(0);
    for (int k0 = 0; k0 < k; k0 += DEEP) {
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            left[a_deep(j) * A_PITCH + a_row(j)] = next_a[j];
            right[b_deep(j) * B_PITCH + b_column] = next_b[j];
        }
        __syncthreads();

        if (k0 + DEEP < k)
            fetch(k0 + DEEP);

#pragma unroll
        for (int i = 0; i < DEEP; ++i) {
            const float4 u = *reinterpret_cast<const float4 *>(left + i * A_PITCH + r0);
            const float4 v = *reinterpret_cast<const float4 *>(left + i * A_PITCH + r0 + 4);
            const float4 w = *reinterpret_cast<const float4 *>(right + i * B_PITCH + q0);
            const float x[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w}, y[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
            for (int r = 0; r < 8; ++r)
#pragma unroll
                for (int q = 0; q < 4; ++q)
                    sum[r][q] += x[r] * y[q];
        }
        __syncthreads();
    }

#pragma unroll
    for (int r = 0; r < 8; ++r) {
        const int row = row0 + r0 + r, column = column0 + q0;
        if (row >= m)
            continue;
        if (n % 4 == 0 && column < n)
            *reinterpret_cast<float4 *>(c + row * n + column) = make_float4(sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
        else
#pragma unroll
            for (int q = 0; q < 4; ++q)
                if (column + q < n)
                    c[row * n + column + q] = sum[r][q];
    }
}
