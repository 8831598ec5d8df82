// lesson 11; device sim,gpu; nvcc,clang; want: pass; tries: a block for each row, seven warps deliver, bar.arrive and leave, the first warp does bar.sync and adds the eight sums (a block for a row costs speed)
LAUNCH(256, 1, 1, 1)

__device__ __forceinline__ float down(float x)
{
#pragma unroll
    for (int s = 16; s; s >>= 1)
        x += __shfl_down_sync(0xffffffffu, x, s);
    return x;
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ volatile float delivered[8];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const float *row = in + (size_t)blockIdx.x * cols;

    float sum = 0.0f;
    if (cols % 4 == 0) {
        for (int i = threadIdx.x; i < cols / 4; i += 256) {
            const float4 f = __ldcs(reinterpret_cast<const float4 *>(row) + i);
            sum += f.x + f.y + f.z + f.w;
        }
    } else {
        for (int i = threadIdx.x; i < cols; i += 256)
            sum += __ldcs(row + i);
    }
    sum = down(sum);

    if (warp != 0) {
        if (lane == 0)
            delivered[warp] = sum;
        __syncwarp();
        asm volatile("bar.arrive 1, 256;" ::: "memory");
        return;
    }
    asm volatile("bar.sync 1, 256;" ::: "memory");
    const float other = lane >= 1 && lane < 8 ? delivered[lane] : 0.0f;
    const float total = down(lane == 0 ? sum : other);
    if (lane == 0)
        out[blockIdx.x] = total;
}
