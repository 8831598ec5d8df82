// lesson 4; device sim,gpu; nvcc; want: fail, gate conflicts; tries: the tile is filled with conflicts by st.async, which is no store
LAUNCH(32, 8, 32, 32)

__device__ void put(float *to, float v, unsigned long long *b)
{
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"((unsigned)__cvta_generic_to_shared(to)), "f"(v), "r"((unsigned)__cvta_generic_to_shared(b)) : "memory");
}
  // a quarter of the threads, the same tile

__global__ void __cluster_dims__(1, 1, 1) transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];
    __shared__ unsigned long long bar;
    if (threadIdx.x + threadIdx.y == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"((unsigned)__cvta_generic_to_shared(&bar)));
    __syncthreads();
    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            put(&tile[threadIdx.x][threadIdx.y + j], in[(row + j) * width + column], &bar);  // @fill

    __syncthreads();

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.y + j][threadIdx.x];  // @take
            out[(out_row + j) * height + out_column] = value;
        }
}
