// lesson 11; device sim,gpu; nvcc,clang; want: fail; tries: warps leave sums of three rows in turn in two places with a barrier each, but a row is collected after the next barrier: the third overwrites the first while it is read
LAUNCH(256, 1, 3, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[2][8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, first = blockIdx.x * 3;

    auto collect = [&](int j) {
        if (warp == j && first + j < rows) {
            float x = lane < 8 ? part[j % 2][lane] : 0.0f;
            for (int s = 4; s > 0; s /= 2)
                x += __shfl_down_sync(0xffffffff, x, s);
            if (lane == 0)
                out[first + j] = x;
        }
    };
    for (int j = 0; j < 3; j++) {
        float sum = 0.0f;
        if (first + j < rows) {
            const float *from = in + (size_t)(first + j) * cols;
            if (cols % 4 == 0)
                for (int i = t; i < cols / 4; i += 256) {
                    float4 q = ((const float4 *)from)[i];
                    sum += (q.x + q.y) + (q.z + q.w);
                }
            else
                for (int i = t; i < cols; i += 256)
                    sum += from[i];
        }
        for (int s = 16; s > 0; s /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, s);
        if (lane == 0)
            part[j % 2][warp] = sum;
        __syncthreads();
        if (j > 0)
            collect(j - 1);
    }
    collect(2);
}
