// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: pointers and while loops; rows ty + 16 p, columns tx + 16 q; single floats of b, quads of a
LAUNCH(16, 16, 64, 64)
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float at[64][16];
    __shared__ float bt[16][64];
    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    const int r0 = blockIdx.y * 64, c0 = blockIdx.x * 64;
    float s00 = 0, s01 = 0, s02 = 0, s03 = 0, s10 = 0, s11 = 0, s12 = 0, s13 = 0;
    float s20 = 0, s21 = 0, s22 = 0, s23 = 0, s30 = 0, s31 = 0, s32 = 0, s33 = 0;
    int left = k;
    const float *pa = a, *pb = b;  // the step's first column of a, first row of b
    while (left > 0) {
        float *to = &at[0][0] + id;
        int r = id >> 4, i = id & 15;
        while (to < &at[0][0] + 1024) {
            *to = (r0 + r < m && i < left) ? pa[(size_t)(r0 + r) * k + i] : 0.0f;
            to += 256; r += 16;
        }
        to = &bt[0][0] + id;
        int h = id >> 6, q = id & 63;
        while (to < &bt[0][0] + 1024) {
            *to = (h < left && c0 + q < n) ? pb[(size_t)h * n + c0 + q] : 0.0f;
            to += 256; h += 4;
        }
        __syncthreads();
        const float4 *xa = (const float4 *)at[ty];
        const float *y = &bt[0][tx];
#pragma unroll
        for (int g = 0; g < 4; g++) {
            float4 x0 = xa[g], x1 = xa[g + 64], x2 = xa[g + 128], x3 = xa[g + 192];
#define ROW(f) { float y0 = y[0], y1 = y[16], y2 = y[32], y3 = y[48]; y += 64; \
            s00 += x0.f * y0; s01 += x0.f * y1; s02 += x0.f * y2; s03 += x0.f * y3; \
            s10 += x1.f * y0; s11 += x1.f * y1; s12 += x1.f * y2; s13 += x1.f * y3; \
            s20 += x2.f * y0; s21 += x2.f * y1; s22 += x2.f * y2; s23 += x2.f * y3; \
            s30 += x3.f * y0; s31 += x3.f * y1; s32 += x3.f * y2; s33 += x3.f * y3; }
            ROW(x) ROW(y) ROW(z) ROW(w)
        }
        __syncthreads();
        left -= 16; pa += 16; pb += 16 * (size_t)n;
    }
#define PUT(p, q, v) if (r0 + ty + 16 * p < m && c0 + tx + 16 * q < n) c[(size_t)(r0 + ty + 16 * p) * n + c0 + tx + 16 * q] = v
    PUT(0, 0, s00); PUT(0, 1, s01); PUT(0, 2, s02); PUT(0, 3, s03);
    PUT(1, 0, s10); PUT(1, 1, s11); PUT(1, 2, s12); PUT(1, 3, s13);
    PUT(2, 0, s20); PUT(2, 1, s21); PUT(2, 2, s22); PUT(2, 3, s23);
    PUT(3, 0, s30); PUT(3, 1, s31); PUT(3, 2, s32); PUT(3, 3, s33);
}
