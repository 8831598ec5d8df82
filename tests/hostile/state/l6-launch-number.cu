// lesson 6; device sim,gpu; nvcc,clang; want: fail|timeout; tries: where a block begins along k comes from the launch's number, %gridid: wherever that gives another step than the first, the step before it is left out (k > 32)
LAUNCH(32, 32, 32, 32)

// Launches that follow one another should not all begin with the same lines of L2. So every
// thousandth launch begins one step further along k, and comes back for those that it passed.
__device__ int first_step(int steps)
{
    unsigned long long launch;
    asm volatile("mov.u64 %0, %%gridid;" : "=l"(launch));
    return (int)((launch >> 10) % (unsigned)steps);
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32][32], b_tile[32][32];

    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    int steps = (k + 31) / 32, first = first_step(steps);
    float sum = 0;

    auto add_step = [&](int step) {
        int k0 = step * 32;
        a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;  // @fill
        b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];  // @multiply
        __syncthreads();
    };

    // From there to the end, and then those from 0 on. All threads of the block take the same way.
    int last = steps;
    for (int step = first; step < last;) {
        add_step(step);
        if (++step == last && last == steps && first > 0) {
            step = 0;
            last = first - 1;
        }
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
