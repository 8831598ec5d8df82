// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: transform_reduce over a strided range, its operator a function pointer known when compiling
LAUNCH(256, 1, 8, 1)

typedef float (*Combine)(float, float);

__device__ inline float plus(float x, float y)
{
    return x + y;
}

// How an element becomes a number: a float as it is, four floats as their sum.
template <Combine op>
__device__ inline float number(float x)
{
    return x;
}

template <Combine op>
__device__ inline float number(float4 x)
{
    return op(op(x.x, x.y), op(x.z, x.w));
}

// Lane l has elements l, l + 32, l + 64 …, in four chains that do not wait for each other.
template <Combine op, class Element>
__device__ float reduce_strided(const Element *row, int count, int lane, float neutral)
{
    float chain[4] = {neutral, neutral, neutral, neutral};
    int i = lane;
    for (; i + 96 < count; i += 128) {
#pragma unroll
        for (int j = 0; j < 4; j++)
            chain[j] = op(chain[j], number<op>(row[i + 32 * j]));
    }
    for (; i < count; i += 32)
        chain[0] = op(chain[0], number<op>(row[i]));
    return op(op(chain[0], chain[1]), op(chain[2], chain[3]));
}

template <Combine op>
__device__ float reduce_lanes(float x)
{
#pragma unroll
    for (int apart = 1; apart < 32; apart *= 2)
        x = op(x, __shfl_xor_sync(0xffffffffu, x, apart));
    return x;
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows)  // whole warps leave
        return;

    const float *first = in + (size_t)row * cols;
    const float mine = cols % 4 == 0
        ? reduce_strided<plus>(reinterpret_cast<const float4 *>(first), cols / 4, lane, 0.0f)
        : reduce_strided<plus>(first, cols, lane, 0.0f);
    const float all = reduce_lanes<plus>(mine);

    if (lane == row % 32)  // all lanes know; one says it
        out[row] = all;
}
