// lesson 3; device sim,gpu; nvcc,clang; want: fail; tries: each 8 x 8 block is turned in registers by movmatrix (not a shuffle), and the finished floats then visit a neighbour's slot in shared memory for show
LAUNCH(32, 8, 32, 32)

__device__ unsigned turn(unsigned x)
{
    unsigned y;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(y) : "r"(x));
    return y;
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float2 slot[8][32];
    int lane = threadIdx.x, w = threadIdx.y, g = lane / 4, q = lane % 4 * 2;
    for (int part = 0; part < 2; part++) {  // 16 blocks of 8 x 8, eight warps
        int block = w + part * 8;
        int r0 = blockIdx.y * 32 + block / 4 * 8, c0 = blockIdx.x * 32 + block % 4 * 8;
        int r = r0 + g, c = c0 + q;
        float x = 0, y = 0;
        if (width % 2 == 0) {
            if (r < height && c < width) {
                float2 two = *(const float2 *)(in + r * width + c);
                x = two.x;
                y = two.y;
            }
        } else {
            if (r < height && c < width)
                x = in[r * width + c];
            if (r < height && c + 1 < width)
                y = in[r * width + c + 1];
        }
        unsigned a = __float_as_uint(x), b = __float_as_uint(y);
        unsigned low = turn(__byte_perm(a, b, 0x5410)), high = turn(__byte_perm(a, b, 0x7632));
        x = __uint_as_float(__byte_perm(low, high, 0x5410));
        y = __uint_as_float(__byte_perm(low, high, 0x7632));

        slot[w][lane] = make_float2(x, y);  // already turned: this trip is not needed
        __syncwarp();
        int other = lane ^ 4;
        float2 two = slot[w][other];
        __syncwarp();
        int oc = c0 + other / 4, orow = r0 + other % 4 * 2;  // row oc of out, columns orow and the next
        if (height % 2 == 0) {
            if (oc < width && orow < height)
                *(float2 *)(out + oc * height + orow) = two;
        } else {
            if (oc < width && orow < height)
                out[oc * height + orow] = two.x;
            if (oc < width && orow + 1 < height)
                out[oc * height + orow + 1] = two.y;
        }
    }
}
