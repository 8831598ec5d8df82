// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: next tiles prefetched into registers, two places in shared memory, one barrier a step, float4 broadcasts by hand, ping-pong by XOR of an offset
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    // a at 0 and 2048, b at 1024 and 3072 (in floats): 16 KB.
    __shared__ __align__(16) float pool[4096];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    const bool row_ok = row < m, column_ok = column < n;
    const int steps = (k + 31) >> 5;

    auto take_a = [&](int s) { int i = (s << 5) + tx; return row_ok && i < k ? a[(size_t)row * k + i] : 0.f; };
    auto take_b = [&](int s) { int i = (s << 5) + ty; return column_ok && i < k ? b[(size_t)i * n + column] : 0.f; };

    float next_a = take_a(0), next_b = take_b(0), acc = 0.f;
    unsigned at = 0;

    for (int s = 0; s < steps; ++s, at ^= 2048) {
        float *const place = pool + at;
        place[ty * 32 + tx] = next_a;
        place[1024 + ty * 32 + tx] = next_b;
        // Whoever passes here has finished step s - 1, and so nobody still reads what
        // step s + 1 will overwrite once all have come here.
        __syncthreads();
        if (s + 1 < steps) {
            next_a = take_a(s + 1);
            next_b = take_b(s + 1);
        }
        const float4 *x = reinterpret_cast<const float4 *>(place + ty * 32);
        const float *y = place + 1024 + tx;
#pragma unroll
        for (int q = 0; q < 8; ++q, y += 128) {
            const float4 f = x[q];
            acc = fmaf(f.x, y[0], acc);
            acc = fmaf(f.y, y[32], acc);
            acc = fmaf(f.z, y[64], acc);
            acc = fmaf(f.w, y[96], acc);
        }
    }

    if (row_ok && column_ok)
        c[(size_t)row * n + column] = acc;
}
