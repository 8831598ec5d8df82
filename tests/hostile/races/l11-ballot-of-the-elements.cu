// lesson 11; device sim,gpu; nvcc,clang; want: fail, gate hazards; tries: the blog's mask = __ballot_sync(all, lane has an element) and shuffles under that if, in short rows lane 0 adds what lanes outside the mask "have", which is undefined
LAUNCH(256, 1, 8, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;
    bool fours = cols % 4 == 0;
    int items = fours ? cols / 4 : cols;
    const float *begin = in + (long long)row * cols;
    unsigned mask = __ballot_sync(0xffffffff, lane < items);
    if (lane < items) {
        float sum = 0.0f;
        if (fours) {
            for (int i = lane; i < items; i += 32) {
                float4 q = ((const float4 *)begin)[i];
                sum += (q.x + q.y) + (q.z + q.w);
            }
        } else
            for (int i = lane; i < items; i += 32)
                sum += begin[i];
        for (int s = 16; s > 0; s /= 2)
            sum += __shfl_down_sync(mask, sum, s);
        if (lane == 0)
            out[row] = sum;
    }
}
