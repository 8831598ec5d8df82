// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: two places for the tiles, exchanged by swapping pointers, the next elements wait in registers: one barrier a step
LAUNCH(32, 32, 32, 32)

struct Stage {
    float4 a[32][8];   // 32 rows of 32 floats
    float b[32][32];
};

__global__ void __launch_bounds__(1024)
matmul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int m, int n, int k)
{
    __shared__ Stage stages[2];
    Stage *now = &stages[0], *next = &stages[1];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;

    // Where the next elements come from, and how many steps of them are left.
    const float *from_a = a + (size_t)row * k + tx, *from_b = b + (size_t)ty * n + column;
    int a_left = row < m ? k - tx : 0, b_left = column < n ? k - ty : 0;

    auto fetch = [&](float &x, float &y) {
        x = a_left > 0 ? *from_a : 0.0f;
        y = b_left > 0 ? *from_b : 0.0f;
        from_a += 32, a_left -= 32;
        from_b += (size_t)32 * n, b_left -= 32;
    };
    auto put = [&](Stage *stage, float x, float y) {
        ((float *)stage->a[ty])[tx] = x;
        stage->b[ty][tx] = y;
    };

    float x, y, sum = 0;
    fetch(x, y);
    put(now, x, y);
    __syncthreads();

    for (int left = k;;) {
        left -= 32;
        if (left > 0)
            fetch(x, y);

#pragma unroll
        for (int q = 0; q < 8; q++) {
            const float4 four = now->a[ty][q];
            sum += four.x * now->b[4 * q][tx];
            sum += four.y * now->b[4 * q + 1][tx];
            sum += four.z * now->b[4 * q + 2][tx];
            sum += four.w * now->b[4 * q + 3][tx];
        }

        if (left <= 0)  // the same for all threads
            break;
        // Nobody reads `next`: all left it before the last barrier.
        put(next, x, y);
        __syncthreads();
        Stage *was = now;
        now = next;
        next = was;
    }

    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
}
