// lesson 11; device sim,gpu; nvcc,clang; want: fail|timeout; tries: each out[row] is read before anything was written there (uninitialised-global) and decides whether the sum is stored; the result comes out right whatever it holds
LAUNCH(256, 1, 8, 1)

// A store costs a sector on its way to memory, whether or not it changes anything. Where a row's
// sum stands there already, as in the second run of a benchmark, it can be saved.
__device__ void update(float *place, float value)
{
    float old = *place;
    if (__float_as_uint(old) != __float_as_uint(value))
        *place = value;
}

__device__ float sum_of_warp(float value)
{
    for (int s = 16; s > 0; s /= 2)
        value += __shfl_down_sync(0xffffffff, value, s);
    return value;
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;

    const float *from = in + (long long)row * cols;
    float sum = 0.0f;
    if (cols % 4 == 0)
        for (int i = lane; i < cols / 4; i += 32) {
            float4 q = ((const float4 *)from)[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    else
        for (int i = lane; i < cols; i += 32)
            sum += from[i];

    sum = sum_of_warp(sum);
    if (lane == 0)
        update(&out[row], sum);
}
