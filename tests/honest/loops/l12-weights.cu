// lesson 12; device sim,gpu; nvcc,clang; want: pass; tries: weights in constant memory, two tiles a block
LAUNCH(256, 1, 512, 1)

__constant__ float weight[17] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float tile[512 + 16];
    int first = blockIdx.x * 512 - 8;
    for (int e = threadIdx.x; e < 528; e += 256) {
        int i = first + e;
        tile[e] = i < 0 || i >= n ? 0.0f : __ldg(in + i);
    }
    __syncthreads();
    for (int half = 0; half < 512; half += 256) {
        int i = first + 8 + half + threadIdx.x;
        float sum = 0;
#pragma unroll
        for (int d = 0; d < 17; d++)
            sum = fmaf(weight[d], tile[half + threadIdx.x + d], sum);
        if (i < n)
            out[i] = sum;
    }
}
