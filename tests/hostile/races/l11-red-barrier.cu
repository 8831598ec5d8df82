// lesson 11; device sim,gpu; nvcc,clang; want: fail|timeout; tries: all sizes: a shared-memory tree with nine barriers of the whole block for each row, written as __syncthreads_or so that they do not look like barriers
LAUNCH(256, 1, 1, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[256];
    int t = threadIdx.x, row = blockIdx.x;

    const float *from = in + (long long)row * cols;
    float sum = 0.0f;
    if (cols % 4 == 0)
        for (int i = t; i < cols / 4; i += 256) {
            float4 q = ((const float4 *)from)[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    else
        for (int i = t; i < cols; i += 256)
            sum += from[i];

    part[t] = sum;
    int any = __syncthreads_or(0);
    for (int s = 128; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        any |= __syncthreads_or(0);
    }
    if (t == 0)
        out[row] = part[0] + any;
}
