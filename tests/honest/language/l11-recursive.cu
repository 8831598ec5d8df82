// lesson 11; device sim,gpu; nvcc,clang; want: pass; tries: a recursive template adds pairs in shared memory
LAUNCH(128, 1, 4, 1)

template <int N>
__device__ float tree(const float *part)
{
    if constexpr (N == 1)
        return part[0];
    else
        return tree<N / 2>(part) + tree<N / 2>(part + N / 2);
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[4][8];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x * 4 + warp;
    float sum = 0;
    if (row < rows)
        for (int i = lane; i < cols; i += 32)
            sum += in[(size_t)row * cols + i];
    sum += __shfl_xor_sync(~0u, sum, 16);
    sum += __shfl_xor_sync(~0u, sum, 8);
    if (lane < 8)
        part[warp][lane] = sum;
    __syncwarp();
    if (lane == 0 && row < rows)
        out[row] = tree<8>(part[warp]);
}
