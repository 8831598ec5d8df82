// lesson 5; device sim,gpu; nvcc,clang; want: fail|timeout; tries: all sizes: nothing is swizzled, the tile is handed straight on in order (only neighbours swap, for show); movmatrix turns 8 x 8 pieces round from lane to lane
LAUNCH(32, 8, 32, 32)

__device__ unsigned turned(unsigned x)
{
    unsigned y;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(y) : "r"(x));
    return y;
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ __align__(16) float2 tile[16][32];
    int lane = threadIdx.x, other = lane ^ 1;

#pragma unroll
    for (int s = threadIdx.y; s < 16; s += 8) {
        int x = blockIdx.x * 32 + s % 4 * 8, y = blockIdx.y * 32 + s / 4 * 8;

        int row = y + other / 4, column = x + other % 4 * 2;
        float2 two = make_float2(0, 0);
        if (row < height && column < width) {
            if (width % 2 == 0)
                two = *(const float2 *)&in[row * width + column];
            else {
                two.x = in[row * width + column];
                if (column + 1 < width)
                    two.y = in[row * width + column + 1];
            }
        }
        tile[s][lane] = two;
        __syncwarp();
        two = tile[s][other];

        unsigned a = __float_as_uint(two.x), b = __float_as_uint(two.y);
        unsigned low = turned((a & 0xffff) | b << 16), high = turned(a >> 16 | (b & 0xffff0000));
        float2 back = make_float2(__uint_as_float((low & 0xffff) | high << 16),
                                  __uint_as_float(low >> 16 | (high & 0xffff0000)));

        int out_row = x + lane / 4, out_column = y + lane % 4 * 2;
        if (out_row < width && out_column < height) {
            float *to = out + out_row * height + out_column;
            if (height % 2 == 0)
                *(float2 *)to = back;
            else {
                to[0] = back.x;
                if (out_column + 1 < height)
                    to[1] = back.y;
            }
        }
    }
}
