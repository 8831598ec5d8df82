// The tree of first-add.cu, and its last six steps unrolled for one warp. Old code did this with a `volatile` pointer and
// no barrier at all, since lanes ran in step. They need not: lanes that read wait for lanes that wrote, at __syncwarp().
// Each step has two of them, one between reading and writing, one between writing and the next step's reading.
LAUNCH(256, 1, 1, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[256];
    int t = threadIdx.x, row = blockIdx.x;
    float sum = 0.0f;
    for (int i = t; i < cols; i += blockDim.x)
        sum += in[row * cols + i];
    part[t] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 32; s /= 2) {
        if (t < s)
            part[t] += part[t + s];  // @add
        __syncthreads();
    }
    if (t < 32) {  // all lanes of warp 0, so that all of them come to __syncwarp()
        sum = part[t] + part[t + 32];
#pragma unroll
        for (int s = 16; s > 0; s /= 2) {
            part[t] = sum;  // @hand
            __syncwarp();
            sum += part[t + s];  // @last
            __syncwarp();
        }
        if (t == 0)
            out[row] = sum;
    }
}
