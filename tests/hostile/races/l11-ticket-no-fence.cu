// lesson 11; device sim,gpu; nvcc,clang; want: fail|timeout; tries: two blocks share sixteen rows, each sums half of the columns, and the one that draws the second ticket adds the other's half from global memory: no fence stands between the half sum and the ticket
LAUNCH(256, 1, 8, 1)

constexpr int MOST = 1 << 20;
__device__ float halves[2 * MOST];
__device__ unsigned tickets[MOST / 2];

__device__ float part(const float *from, int begin, int end)
{
    int lane = threadIdx.x % 32;
    float sum = 0.0f;
    if ((size_t)from % 16 == 0 && begin % 4 == 0 && end % 4 == 0) {
        for (int i = begin / 4 + lane; i < end / 4; i += 32) {
            float4 q = ((const float4 *)from)[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    } else
        for (int i = begin + lane; i < end; i += 32)
            sum += from[i];
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    return sum;
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if ((blockIdx.x ^ 1) >= gridDim.x) {  // the last block of an odd number works alone
        int row = blockIdx.x * 8 + warp;
        if (row >= rows)
            return;
        float sum = part(in + (size_t)row * cols, 0, cols);
        if (lane == 0)
            out[row] = sum;
        return;
    }

    int row0 = blockIdx.x / 2 * 16 + warp * 2, side = blockIdx.x % 2, middle = cols / 8 * 4;
    float mine[2] = {};
    for (int j = 0; j < 2; j++)
        if (row0 + j < rows) {
            mine[j] = part(in + (size_t)(row0 + j) * cols, side ? middle : 0, side ? cols : middle);
            if (lane == 0)
                halves[side * MOST + row0 + j] = mine[j];
        }
    if (lane != 0)
        return;
    // 0, 1, 0, 1 ...: it is ready for the next launch as well
    if (atomicInc(&tickets[row0 / 2], 1) == 1)
        for (int j = 0; j < 2; j++)
            if (row0 + j < rows)
                out[row0 + j] = mine[j] + halves[(1 - side) * MOST + row0 + j];
}
