// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: floats cut into two planes of 16 bits, turned by ldmatrix.trans, joined by prmt
LAUNCH(32, 8, 32, 32)

// A float is 32 bits, and ldmatrix turns matrices of 16. So the tile is kept as two: upper halves and
// lower halves. Rows of 40 halves begin at multiples of 16 bytes, and eight of them in eight places.
struct __align__(16) Plane {
    unsigned short half[32][40];
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ Plane plane[2];  // 0 has the upper halves

    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    int lane = threadIdx.x, warp = threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8) {
        int r = warp + j;
        bool inside = y0 + r < height && x0 + lane < width;
        unsigned bits = inside ? __float_as_uint(in[(y0 + r) * width + x0 + lane]) : 0u;
        plane[0].half[r][lane] = (unsigned short)(bits >> 16);
        plane[1].half[r][lane] = (unsigned short)bits;
    }
    __syncthreads();

    // A warp takes 16 rows and 8 columns: matrices 0 and 1 are their upper halves, 2 and 3 the lower.
    int c0 = warp % 4 * 8, r0 = warp / 4 * 16;
    const unsigned short *row = &plane[lane / 16].half[r0 + lane / 8 % 2 * 8 + lane % 8][c0];
    unsigned high[2], low[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(high[0]), "=r"(high[1]), "=r"(low[0]), "=r"(low[1])
                 : "r"((unsigned)__cvta_generic_to_shared(row))
                 : "memory");

    // Turned, a lane has of column lane / 4 the rows lane % 4 * 2 and the next.
    int column = x0 + c0 + lane / 4;
    for (int j = 0; j < 2; j++) {
        int y = y0 + r0 + j * 8 + lane % 4 * 2;
        float first = __uint_as_float(__byte_perm(low[j], high[j], 0x5410));
        float second = __uint_as_float(__byte_perm(low[j], high[j], 0x7632));
        float *to = out + column * height + y;
        if (column < width && y < height) {
            if (height % 2 == 0)
                *(float2 *)to = make_float2(first, second);
            else {
                to[0] = first;
                if (y + 1 < height)
                    to[1] = second;
            }
        }
    }
}
