// lesson 11; device sim; nvcc,clang; want: fail, gate correct; tries: a lane takes 160 floats at most: rows longer than 5120 are cut off
LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;
    const float *mine = in + (long long)row * cols;
    float sum = 0.0f;
    if (cols % 4 == 0) {
        for (int turn = 0; turn < 40; turn++) {
            int i = turn * 32 + lane;
            if (i >= cols / 4)
                break;
            float4 q = ((const float4 *)mine)[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    } else
        for (int turn = 0; turn < 160; turn++) {
            int i = turn * 32 + lane;
            if (i >= cols)
                break;
            sum += mine[i];
        }
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (lane == 0)
        out[row] = sum;
}
