// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: a HIP source with its spellings defined away, 32 x 16 threads and two columns for each
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipBlockIdx_x  blockIdx.x
#define hipBlockIdx_y  blockIdx.y

LAUNCH(32, 16, 32, 32)

__global__ void __launch_bounds__(512)
transpose(float *__restrict__ out, const float *__restrict__ in, int width, int height)
{
    // x runs down the rows of in, and so along a row of out. The two columns are half a tile apart.
    const int row = hipBlockIdx_y * 32 + hipThreadIdx_x;
    const int left = hipBlockIdx_x * 32 + hipThreadIdx_y;
    const int right = left + 16;

    if (row >= height)
        return;

    const float *line = in + (size_t)row * width;
    const bool has_left = left < width, has_right = right < width;
    const float a = has_left ? line[left] : 0.0f;
    const float b = has_right ? line[right] : 0.0f;

    if (has_left)
        out[(size_t)left * height + row] = a;
    if (has_right)
        out[(size_t)right * height + row] = b;
}
