// lesson 11; device sim,gpu; nvcc,clang; want: pass; tries: aligned pairs copied by value, where rows are even
struct alignas(8) pair {
    float a, b;
};
LAUNCH(32, 8, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int row = blockIdx.x * 8 + threadIdx.y;
    if (row >= rows)
        return;
    const float *p = in + (size_t)row * cols;
    float sum = 0.0f;
    int done = 0;
    if (cols % 2 == 0) {
        const pair *pairs = reinterpret_cast<const pair *>(p);
        for (int i = threadIdx.x; i < cols / 2; i += 32) {
            pair two = pairs[i];
            sum += two.a + two.b;
        }
        done = cols;
    }
    for (int i = done + threadIdx.x; i < cols; i += 32)
        sum += p[i];
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x == 0)
        out[row] = sum;
}
