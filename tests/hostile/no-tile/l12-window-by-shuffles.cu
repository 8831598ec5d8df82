// lesson 12; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: neighbours come by shuffles and from global memory, no tile at all
LAUNCH(256, 1, 256, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
    float own = i < n ? in[i] : 0.0f;
    int j = lane < 8 ? i - 8 : i + 8;
    float edge = (lane < 8 || lane >= 24) && j >= 0 && j < n ? in[j] : 0.0f, sum = 0.0f;
    for (int d = -8; d <= 8; d++) {
        float inner = __shfl_sync(0xffffffff, own, lane + d & 31);
        float outer = __shfl_sync(0xffffffff, edge, d < 0 ? lane + d + 8 : lane + d - 8 & 31);
        sum += lane + d >= 0 && lane + d < 32 ? inner : outer;
    }
    if (i < n)
        out[i] = sum;
}
