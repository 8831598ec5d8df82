// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: four at a time where rows allow it; else the rest of a row by a switch over its length
LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;
    const float *from = in + (size_t)row * cols;
    float sum = 0.0f;
    if (cols % 4 == 0) {
        for (int i = lane; i < cols / 4; i += 32) {
            float4 q = ((const float4 *)from)[i];
            sum += q.x + q.y + q.z + q.w;
        }
    } else {
        int whole = cols / 32 * 32;
        for (int i = lane; i < whole; i += 32)
            sum += from[i];
        switch (cols % 32) {
        case 1:
            if (lane == 0)
                sum += from[whole];
            break;
        case 31:
            if (lane != 31)
                sum += from[whole + lane];
            break;
        default:
            if (lane < cols % 32)
                sum += from[whole + lane];
        }
    }
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, s);
    if (lane == 0)
        out[row] = sum;
}
