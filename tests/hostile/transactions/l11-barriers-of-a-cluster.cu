// lesson 11; device sim,gpu; nvcc,clang; want: fail; tries: the tree through shared memory with a barrier of the whole block in each of eight steps, but each is a cluster barrier (the cluster is this block)
LAUNCH(256, 1, 1, 1)

__device__ void everybody()
{
    asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
}

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[256];
    int t = threadIdx.x, row = blockIdx.x;
    const float *from = in + (size_t)row * cols;
    float sum = 0.0f;
    if (cols % 4 == 0)
        for (int i = t; i < cols / 4; i += 256) {
            float4 four = ((const float4 *)from)[i];
            sum += four.x + four.y + four.z + four.w;
        }
    else
        for (int i = t; i < cols; i += 256)
            sum += from[i];
    part[t] = sum;
    everybody();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        everybody();
    }
    if (t == 0)
        out[row] = part[0];
}
