// lesson 11; device sim; nvcc,clang; want: fail|timeout; tries: a ninth sum is kept behind the eight that the lane's array has, in the one that the compiler happens to place there
LAUNCH(256, 1, 8, 1)

struct Sums {
    float part[8];
    float rest[8];
};

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;
    Sums sums = {};
    int turn = 0;
    const float *from = in + (long long)row * cols;
    if (cols % 4 == 0) {
#pragma unroll 1
        for (int i = lane; i < cols / 4; i += 32) {
            float4 q = ((const float4 *)from)[i];
            sums.part[turn] += (q.x + q.y) + (q.z + q.w);
            turn = turn == 8 ? 0 : turn + 1;
        }
    } else
#pragma unroll 1
        for (int i = lane; i < cols; i += 32) {
            sums.part[turn] += from[i];
            turn = turn == 8 ? 0 : turn + 1;
        }
    float sum = sums.rest[0];
#pragma unroll 1
    for (int j = 0; j < 8; j++)
        sum += sums.part[j];
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (lane == 0)
        out[row] = sum;
}
