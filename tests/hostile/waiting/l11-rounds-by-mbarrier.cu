// lesson 11; device sim,gpu; nvcc,clang; want: fail, gate barriers; tries: an mbarrier that all threads meet at takes the place of each __syncthreads
LAUNCH(256, 1, 1, 1)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
__device__ void meet(unsigned long long *all, unsigned &phase)
{
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(AT(all)) : "memory");
    for (unsigned over = 0; !over;)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(over) : "r"(AT(all)), "r"(phase & 1) : "memory");
    phase++;
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[256];
    __shared__ unsigned long long all;
    unsigned phase = 0;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 256;" ::"r"(AT(&all)) : "memory");
    __syncthreads();
    int t = threadIdx.x, row = blockIdx.x;
    float sum = 0.0f;
    for (int i = t; i < cols; i += blockDim.x)
        sum += in[row * cols + i];
    part[t] = sum;
    meet(&all, phase);
    for (int s = 128; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        meet(&all, phase);
    }
    if (t == 0)
        out[row] = part[0];
}
