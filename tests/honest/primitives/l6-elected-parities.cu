// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: one mbarrier of 32 arrivals, lane 0 of each warp behind a __syncwarp, whose phases are in turn "filled" and "read"; the next factors come into registers between the arrival after reading and its wait, and are stored behind it
LAUNCH(32, 32, 32, 32)

struct Phases {
    unsigned at, parity;
    __device__ void arrive()
    {
        __syncwarp();
        if (threadIdx.x == 0)
            asm volatile("{ .reg .b64 t; mbarrier.arrive.shared::cta.b64 t, [%0]; }" ::"r"(at) : "memory");
    }
    __device__ void wait()
    {
        for (unsigned over = 0; !over;)
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(over) : "r"(at), "r"(parity) : "memory");
        parity ^= 1;
    }
};

__global__ void __launch_bounds__(1024)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 a_tile[32][8];
    __shared__ float b_tile[32][32];
    __shared__ unsigned long long word;
    Phases phases{(unsigned)__cvta_generic_to_shared(&word), 0};
    const int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    if (tx == 0 && ty == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(phases.at) : "memory");
    __syncthreads();

    float x = row < m && tx < k ? a[row * k + tx] : 0.0f;
    float y = ty < k && column < n ? b[ty * n + column] : 0.0f;
    float sum = 0.0f;
    for (int k0 = 0;;) {
        reinterpret_cast<float *>(a_tile[ty])[tx] = x;
        b_tile[ty][tx] = y;
        phases.arrive();
        phases.wait();
#pragma unroll
        for (int q = 0; q < 8; q++) {
            const float4 f = a_tile[ty][q];
            sum = fmaf(f.x, b_tile[4 * q][tx], sum);
            sum = fmaf(f.y, b_tile[4 * q + 1][tx], sum);
            sum = fmaf(f.z, b_tile[4 * q + 2][tx], sum);
            sum = fmaf(f.w, b_tile[4 * q + 3][tx], sum);
        }
        k0 += 32;
        if (k0 >= k)
            break;
        phases.arrive();
        x = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
        y = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        phases.wait();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
