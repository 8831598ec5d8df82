// lesson 11; device sim,gpu; nvcc,clang; want: fail; tries: adds what 32 lanes leave over only if that is more than one float, with a short way for rows of one: rows of 33, 65, 97 ... floats lose their last
LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
    const float *from = in + (size_t)row * cols;
    if (cols % 4 == 0) {
        const float4 *quads = (const float4 *)from;
        for (int i = lane; i < cols / 4; i += 32) {
            float4 q = quads[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    } else {
        int whole = cols / 32 * 32, rest = cols - whole;
        for (int i = lane; i < whole; i += 32)
            sum += from[i];
        if (lane < rest && (rest > 1 || cols == 1))
            sum += from[whole + lane];
    }
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (lane == 0)
        out[row] = sum;
}
