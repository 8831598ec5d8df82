// lesson 11; device sim; nvcc,clang; want: fail; tries: sums of warps are put by atomicExch and taken by atomicAdd(p, 0) behind a relaxed count with no fence: the count may be seen before a sum
LAUNCH(256, 1, 1, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ int part[8], done;
    int t = threadIdx.x, lane = t % 32, row = blockIdx.x;
    if (t == 0)
        done = 0;
    __syncthreads();
    float sum = 0.0f;
    const float *from = in + (long long)row * cols;
    if (cols % 4 == 0) {
        for (int i = t; i < cols / 4; i += 256) {
            float4 q = ((const float4 *)from)[i];
            sum += (q.x + q.y) + (q.z + q.w);
        }
    } else
        for (int i = t; i < cols; i += 256)
            sum += from[i];
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (lane == 0) {
        atomicExch(&part[t / 32], __float_as_int(sum));
        atomicAdd(&done, 1);
    }
    if (t < 32) {
        while (atomicAdd(&done, 0) < 8)
            ;
        
        sum = lane < 8 ? __int_as_float(atomicAdd(&part[lane], 0)) : 0.0f;
        for (int s = 4; s > 0; s /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, s);
        if (lane == 0)
            out[row] = sum;
    }
}
