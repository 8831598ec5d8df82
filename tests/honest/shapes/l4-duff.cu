// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: a switch that falls through moves as many rows as exist (Duff), ragged tiles in a noinline function, turned while filling
LAUNCH(32, 8, 32, 32)

// Lines 0, 8, 16 and 24 of `from`, as far as there are `lines` of them.
static __device__ __noinline__ void some_lines(float *to, size_t to_pitch, const float *from, size_t from_pitch, int lines)
{
    switch (lines) {
    case 4:
        to[24 * to_pitch] = from[24 * from_pitch];
        [[fallthrough]];
    case 3:
        to[16 * to_pitch] = from[16 * from_pitch];
        [[fallthrough]];
    case 2:
        to[8 * to_pitch] = from[8 * from_pitch];
        [[fallthrough]];
    case 1:
        to[0] = from[0];
    default:
        break;
    }
}

// How many of i, i + 8, i + 16, i + 24 lie below `limit`.
static __device__ __forceinline__ int lines_of(int i, int limit)
{
    const int left = limit - i;
    return left <= 0 ? 0 : left > 24 ? 4 : (left + 7) >> 3;
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    constexpr size_t PITCH = 33;
    __shared__ float tile[32 * PITCH];  // element (r, c) is word 33 c + r

    const int x = threadIdx.x, y = threadIdx.y;
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    const bool whole = x0 + 32 <= width && y0 + 32 <= height;

    const float *from = in + size_t(y0 + y) * width + x0 + x;
    float *put = tile + PITCH * x + y;
    if (whole) {
        const size_t step = size_t(8) * width;
        const float a = from[0], b = from[step], c = from[2 * step], d = from[3 * step];
        put[0] = a;
        put[8] = b;
        put[16] = c;
        put[24] = d;
    } else
        some_lines(put, 1, from, width, x0 + x < width ? lines_of(y0 + y, height) : 0);

    __syncthreads();

    float *to = out + size_t(x0 + y) * height + y0 + x;
    const float *take = tile + PITCH * y + x;
    if (whole) {
        const size_t step = size_t(8) * height;
        const float a = take[0], b = take[8 * PITCH], c = take[16 * PITCH], d = take[24 * PITCH];
        to[0] = a;
        to[step] = b;
        to[2 * step] = c;
        to[3 * step] = d;
    } else
        some_lines(to, height, take, PITCH, y0 + x < height ? lines_of(x0 + y, width) : 0);
}
