// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: a warp walks over four rows, and the head of the next one is loaded before the lanes add up
LAUNCH(128, 1, 16, 1)

constexpr int HEAD = 4;  // elements of a row that a lane loads ahead

__device__ inline float total(float x) { return x; }
__device__ inline float total(float4 q) { return (q.x + q.y) + (q.z + q.w); }
__device__ inline void clear(float &x) { x = 0.0f; }
__device__ inline void clear(float4 &q) { q = make_float4(0.0f, 0.0f, 0.0f, 0.0f); }

// Rows of `length` elements, floats or fours of them. The warps of the block take them in turn.
template <class T>
__device__ void sum_rows(float *out, const T *in, int row, int past, int length)
{
    const int lane = threadIdx.x % 32;
    T head[HEAD];

    auto load_head = [&](int r) {
#pragma unroll
        for (int j = 0; j < HEAD; j++) {
            clear(head[j]);
            if (r < past && lane + 32 * j < length)
                head[j] = in[(size_t)r * length + lane + 32 * j];
        }
    };

    load_head(row);
    for (; row < past; row += 4) {
        float sum = 0.0f;
#pragma unroll
        for (int j = 0; j < HEAD; j++)
            sum += total(head[j]);

        const T *tail = in + (size_t)row * length;
#pragma unroll 4
        for (int i = lane + 32 * HEAD; i < length; i += 32)
            sum += total(tail[i]);

        load_head(row + 4);

#pragma unroll
        for (int half = 16; half > 0; half /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, half);
        if (lane == 0)
            out[row] = sum;
    }
}

__global__ void __launch_bounds__(128) row_sums(float *out, const float *in, int rows, int cols)
{
    const int first = blockIdx.x * 16 + threadIdx.x / 32, past = min(rows, (int)blockIdx.x * 16 + 16);

    if (cols % 4 == 0)
        sum_rows(out, reinterpret_cast<const float4 *>(in), first, past, cols / 4);
    else
        sum_rows(out, in, first, past, cols);
}
