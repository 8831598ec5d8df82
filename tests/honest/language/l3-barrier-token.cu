// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: cuda::barrier in place of __syncthreads: arrive, work out the other half's indices, wait with the token; turned while filling
#include <cuda/barrier>
#include <cuda/std/utility>

LAUNCH(32, 8, 32, 32)

using Gate = cuda::barrier<cuda::thread_scope_block>;

__global__ void transpose(float *out, const float *in, int width, int height)
{
#ifdef __CUDACC__
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif
    __shared__ Gate gate;
    __shared__ float tile[32 * 33];  // column by column: element (r, c) is word 33 c + r

    const int tx = threadIdx.x, ty = threadIdx.y;
    if (tx == 0 && ty == 0)
        init(&gate, 32 * 8);
    __syncthreads();  // the barrier exists, for everybody

    const int column = blockIdx.x * 32 + tx, row0 = blockIdx.y * 32;
#pragma unroll
    for (int j = 0; j < 4; ++j)
        if (const int r = ty + 8 * j; row0 + r < height && column < width)
            tile[33 * tx + r] = in[(row0 + r) * width + column];

    Gate::arrival_token mine = gate.arrive();

    const int out_column = row0 + tx, out_row0 = blockIdx.x * 32;
    const bool any = out_column < height;
    float *to = out + out_column + (long long)out_row0 * height;

    gate.wait(cuda::std::move(mine));

#pragma unroll
    for (int j = 0; j < 4; ++j)
        if (const int c = ty + 8 * j; any && out_row0 + c < width)
            to[(long long)c * height] = tile[33 * c + tx];
}
