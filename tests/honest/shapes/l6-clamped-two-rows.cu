// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: 32 x 16 threads with two rows each, addresses clamped to the matrix instead of guards, reads as ld.shared.v4 in PTX
LAUNCH(32, 16, 32, 32)

// 16 bytes of shared memory, by its own kind of address.
__device__ __forceinline__ float4 lds128(unsigned at)
{
    float4 v;
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(at) : "memory");
    return v;
}

__device__ __forceinline__ float lds32(unsigned at)
{
    float v;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(at) : "memory");
    return v;
}

__device__ __forceinline__ void sts32(unsigned at, float v)
{
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(v) : "memory");
}

// Element (r, q) of a matrix of rows x columns. Outside of it another element is read, and 0 returned.
__device__ __forceinline__ float clamped(const float *data, int r, int q, int rows, int columns)
{
    const float some = data[(size_t)min(r, rows - 1) * columns + min(q, columns - 1)];
    return r < rows && q < columns ? some : 0.0f;
}

__global__ void __launch_bounds__(512) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) unsigned char memory[8192];  // 32 rows of 128 bytes for a, then as many for b
    const unsigned a_tile = (unsigned)__cvta_generic_to_shared(memory), b_tile = a_tile + 4096;

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row0 = blockIdx.y * 32, column = blockIdx.x * 32 + tx;
    float upper = 0, lower = 0;  // rows ty and ty + 16

    for (int k0 = 0; k0 < k; k0 += 32) {
#pragma unroll
        for (int h = 0; h < 32; h += 16) {
            sts32(a_tile + (ty + h) * 128 + tx * 4, clamped(a, row0 + ty + h, k0 + tx, m, k));
            sts32(b_tile + (ty + h) * 128 + tx * 4, clamped(b, k0 + ty + h, column, k, n));
        }
        __syncthreads();

#pragma unroll
        for (int i = 0; i < 32; i += 4) {
            const float4 u = lds128(a_tile + ty * 128 + i * 4), v = lds128(a_tile + (ty + 16) * 128 + i * 4);
            const unsigned down = b_tile + i * 128 + tx * 4;
            const float y0 = lds32(down), y1 = lds32(down + 128), y2 = lds32(down + 256), y3 = lds32(down + 384);
            upper += u.x * y0, lower += v.x * y0;
            upper += u.y * y1, lower += v.y * y1;
            upper += u.z * y2, lower += v.z * y2;
            upper += u.w * y3, lower += v.w * y3;
        }
        __syncthreads();
    }

    if (column < n && row0 + ty < m)
        c[(size_t)(row0 + ty) * n + column] = upper;
    if (column < n && row0 + ty + 16 < m)
        c[(size_t)(row0 + ty + 16) * n + column] = lower;
}
