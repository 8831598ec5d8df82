// lesson 8; device sim,gpu; nvcc,clang; want: fail|timeout; tries: waits for the phase of an mbarrier that is over already
__device__ void copy_float(float *to, const float *from, int bytes)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from), "r"(bytes) : "memory");
}

LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];
    __shared__ __align__(8) unsigned long long gate;
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    float sum = 0;
    unsigned at = (unsigned)__cvta_generic_to_shared(&gate), phase = 1;
    if (tx + ty == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1024;" ::"r"(at) : "memory");
    __syncthreads();
    for (int k0 = 0; k0 < k; k0 += 32) {
        bool in_a = row < m && k0 + tx < k, in_b = k0 + ty < k && column < n;
        copy_float(&a_tile[ty][tx], in_a ? &a[row * k + k0 + tx] : a, in_a ? 4 : 0);
        copy_float(&b_tile[ty][tx], in_b ? &b[(k0 + ty) * n + column] : b, in_b ? 4 : 0);
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at) : "memory");
        for (int done = 0; !done;)
            asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
                         : "=r"(done) : "r"(at), "r"(phase) : "memory");
        phase ^= 1;
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}
