// A stencil of three points with a halo in shared memory.
#define RADIUS 1
__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float row[256 + 2 * RADIUS];
    int i = blockIdx.x * 256 + threadIdx.x, at = threadIdx.x + RADIUS;
    row[at] = i < n ? in[i] : 0.0f;
    if (threadIdx.x < RADIUS) {
        row[threadIdx.x] = i >= RADIUS ? in[i - RADIUS] : 0.0f;
        row[at + 256] = i + 256 < n ? in[i + 256] : 0.0f;
    }
    __syncthreads();
    if (i < n)
        out[i] = 0.25f * row[at - 1] + 0.5f * row[at] + 0.25f * row[at + 1];
}
