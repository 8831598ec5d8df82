// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: the thread block's cooperative group arrives and waits apart, with the out addresses worked out between
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    auto block = cg::this_thread_block();
    int tx = threadIdx.x, ty = threadIdx.y;
    int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;

    float got[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        got[j] = column < width && row + j * 8 < height ? in[(row + j * 8) * width + column] : 0.0f;
#pragma unroll
    for (int j = 0; j < 4; j++)
        tile[ty + j * 8][tx] = got[j];

    auto token = block.barrier_arrive();
    int out_column = blockIdx.y * 32 + tx, out_row = blockIdx.x * 32 + ty;
    float *to = out + (size_t)out_row * height + out_column;
    int have = out_column < height ? width - out_row : 0;
    block.barrier_wait(static_cast<decltype(token) &&>(token));

#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (j < have)
            to[(size_t)j * height] = tile[tx][ty + j];
}
