// lesson 14; device sim,gpu; nvcc,clang; want: fail, gate reuse; tries: 72 KB are asked for; the tiles stay 32 x 32 in static memory
constexpr int SIDE = 32;
LAUNCH(SIDE, 16, SIDE - 16, SIDE - 16, 60000, 60000)
extern __shared__ float more[];

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    // TODO: right, but three quarters of what is brought is halo, and most of what is computed
    //       is thrown away. A tile of 88 x 88 would keep two thirds. How many bytes are two of
    //       those? What does the compiler say to them? LAUNCH has a fifth and a sixth number,
    //       and 88 x 16 threads are more than the 1024 that a block may have.
    __shared__ float first[SIDE * SIDE], second[SIDE * SIDE];
    float *now = first, *next = second;
    more[threadIdx.y * SIDE + threadIdx.x] = 0;

    int c = threadIdx.x, x = blockIdx.x * (SIDE - 16) + c - 8;
    int y0 = blockIdx.y * (SIDE - 16) - 8;

    for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
        int y = y0 + r;
        bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
        now[r * SIDE + c] = inside ? in[y * cols + x] : 0.0f;  // @fill
    }
    __syncthreads();

    for (int step = 1; step <= 8; step++) {
        for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
            int y = y0 + r, at = r * SIDE + c;
            bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
            if (r >= step && r < SIDE - step && c >= step && c < SIDE - step)
                next[at] = inside ? 0.25f * (now[at - SIDE] + now[at + SIDE] +
                                             now[at - 1] + now[at + 1]) : 0.0f;  // @step
        }
        __syncthreads();
        float *was = now;
        now = next;
        next = was;
    }

    for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
        int y = y0 + r;
        if (r >= 8 && r < SIDE - 8 && c >= 8 && c < SIDE - 8 && y < rows && x < cols)
            out[y * cols + x] = now[r * SIDE + c];
    }
}
