// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: a warp a row by float4, and the 32 lane sums become one by two FP64 tensor-core products with ones (m8n8k4): right, no shared memory, no barrier, all lanes take part
LAUNCH(256, 1, 8, 1)

// d = a b; a is 8 x 4, lane l has a[l / 4][l % 4]; b is 4 x 8, lane l has b[l % 4][l / 4]; of d it gets row l / 4, columns l % 4 * 2 and the next.
__device__ __forceinline__ void product(double &d0, double &d1, double a, double b)
{
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
                 : "=d"(d0), "=d"(d1)
                 : "d"(a), "d"(b), "d"(0.0), "d"(0.0));
}

// Sum over the 32 lanes, in all lanes.
__device__ double warp_sum(double x)
{
    double even, odd, total, same;
    product(even, odd, 1.0, x);           // column sums: each lane gets those of two columns
    product(total, same, even + odd, 1.0);  // a row of four pairs: their sum
    return total;
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    const int lane = threadIdx.x & 31, row = blockIdx.x * 8 + (threadIdx.x >> 5);
    if (row >= rows)  // whole warps
        return;
    const float *from = in + (size_t)row * cols;
    float sum = 0.0f;
    if ((cols & 3) == 0) {
        const float4 *quads = reinterpret_cast<const float4 *>(from);
#pragma unroll 4
        for (int i = lane; i < cols / 4; i += 32) {
            float4 q = quads[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    } else {
#pragma unroll 4
        for (int i = lane; i < cols; i += 32)
            sum += from[i];
    }
    double total = warp_sum(sum);
    if (lane == 0)
        out[row] = (float)total;
}
