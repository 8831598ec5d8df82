// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: four warps fetch two tiles with arrive and wait apart, then leave a cuda::barrier by arrive_and_drop, and four warps store
#include <cuda/barrier>

LAUNCH(32, 8, 32, 64)

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[2][32][33];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier full;

    int lane = threadIdx.x, warp = threadIdx.y;
    if (lane == 0 && warp == 0)
        init(&full, 256);
    __syncthreads();

    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 64;
    auto fetch = [&](int place) {
#pragma unroll
        for (int j = 0; j < 32; j += 4) {
            int r = warp + j, y = y0 + place * 32 + r;
            if (x0 + lane < width && y < height)
                tile[place][r][lane] = in[y * width + x0 + lane];
        }
    };
    auto store = [&](int place) {
#pragma unroll
        for (int j = 0; j < 32; j += 4) {
            int c = warp - 4 + j, y = y0 + place * 32 + lane;
            if (x0 + c < width && y < height)
                out[(x0 + c) * height + y] = tile[place][lane][c];
        }
    };

    if (warp < 4) {
        fetch(0);
        barrier::arrival_token first = full.arrive();
        fetch(1);
        full.wait(cuda::std::move(first));  // nobody may arrive twice in one phase
        full.arrive_and_drop();
    } else {
        full.arrive_and_wait();
        store(0);
        full.arrive_and_wait();
        store(1);
    }
}
