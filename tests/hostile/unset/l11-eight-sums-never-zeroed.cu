// lesson 11; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the eight sums of a lane are an array that is never set to 0: each row's sum begins with eight undefined values of local memory
LAUNCH(256, 1, 8, 1)

// A chain of additions takes four cycles for each. Eight sums in turn need not wait for one another.
struct Sums {
    float part[8];
    int turn;

    __device__ Sums() : turn(0) {}
    __device__ void add(float value)
    {
        part[turn] += value;
        turn = (turn + 1) & 7;
    }
    __device__ float all() const
    {
        return ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
    }
};

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * 8 + threadIdx.x / 32;
    if (row >= rows)
        return;

    Sums sums;
    const float *from = in + (long long)row * cols;
    if (cols % 4 == 0) {
#pragma unroll 1
        for (int i = lane; i < cols / 4; i += 32) {
            float4 q = ((const float4 *)from)[i];
            sums.add((q.x + q.y) + (q.z + q.w));
        }
    } else
#pragma unroll 1
        for (int i = lane; i < cols; i += 32)
            sums.add(from[i]);

    float sum = sums.all();
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (lane == 0)
        out[row] = sum;
}
