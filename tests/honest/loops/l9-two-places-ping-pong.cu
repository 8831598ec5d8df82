// lesson 9; device sim,gpu; nvcc,clang; want: pass; tries: small 64 x 64 tile with two places (the page says: to pass), the two phases written out by hand as a macro, no modulo, mbarrier-free
#include <cuda_pipeline_primitives.h>

LAUNCH(16, 16, 64, 64)

struct Place {
    float4 a[64][4];
    float4 b[16][16];
};

__device__ void copy4(float4 *to, const float *from, int index, int have, bool aligned)
{
    if (aligned)
        __pipeline_memcpy_async(to, from + (have > 0 ? index : 0), 16, have > 0 ? 0 : 16);
    else
        for (int j = 0; j < 4; j++)
            __pipeline_memcpy_async((float *)to + j, from + (j < have ? index + j : 0), 4, j < have ? 0 : 4);
}

#define FETCH(place, step)                                                                          \
    do {                                                                                            \
        const int k0_ = (step) * 16, r_ = id >> 2, i_ = k0_ + (id & 3) * 4;                         \
        const int s_ = k0_ + (id >> 4), q_ = column0 + (id & 15) * 4;                               \
        copy4(&(place).a[r_][id & 3], a, (row0 + r_) * k + i_, row0 + r_ < m ? k - i_ : 0, k % 4 == 0); \
        copy4(&(place).b[id >> 4][id & 15], b, s_ * n + q_, s_ < k ? n - q_ : 0, n % 4 == 0);        \
        __pipeline_commit();                                                                        \
    } while (0)

#define MULTIPLY(place)                                                                             \
    do {                                                                                            \
        _Pragma("unroll") for (int j = 0; j < 4; j++) {                                             \
            const float4 x0 = (place).a[ty * 4][j], x1 = (place).a[ty * 4 + 1][j];                  \
            const float4 x2 = (place).a[ty * 4 + 2][j], x3 = (place).a[ty * 4 + 3][j];              \
            LINE(x, (place).b[j * 4][tx]);                                                          \
            LINE(y, (place).b[j * 4 + 1][tx]);                                                      \
            LINE(z, (place).b[j * 4 + 2][tx]);                                                      \
            LINE(w, (place).b[j * 4 + 3][tx]);                                                      \
        }                                                                                           \
    } while (0)
#define LINE(e, four)                                                                               \
    do {                                                                                            \
        const float4 line_ = (four);                                                                   \
        AXPY(s0, x0.e, line_);                                                                         \
        AXPY(s1, x1.e, line_);                                                                         \
        AXPY(s2, x2.e, line_);                                                                         \
        AXPY(s3, x3.e, line_);                                                                         \
    } while (0)
#define AXPY(s, f, v) ((s).x += (f) * (v).x, (s).y += (f) * (v).y, (s).z += (f) * (v).z, (s).w += (f) * (v).w)
#define READY()                  \
    do {                         \
        __pipeline_wait_prior(0); \
        __syncthreads();         \
    } while (0)

__device__ void put(float *c, int m, int n, int row, int column, float4 s)
{
    const float e[4] = {s.x, s.y, s.z, s.w};
    for (int q = 0; q < 4; q++)
        if (row < m && column + q < n)
            c[row * n + column + q] = e[q];
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ Place ping, pong;
    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    const int row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
    float4 s0 = {}, s1 = {}, s2 = {}, s3 = {};
    const int steps = (k + 15) / 16;

    FETCH(ping, 0);
    for (int step = 0;;) {
        READY();
        if (step + 1 < steps)
            FETCH(pong, step + 1);
        MULTIPLY(ping);
        if (++step == steps)
            break;
        READY();
        if (step + 1 < steps)
            FETCH(ping, step + 1);
        MULTIPLY(pong);
        if (++step == steps)
            break;
    }

    put(c, m, n, row0 + ty * 4, column0 + tx * 4, s0);
    put(c, m, n, row0 + ty * 4 + 1, column0 + tx * 4, s1);
    put(c, m, n, row0 + ty * 4 + 2, column0 + tx * 4, s2);
    put(c, m, n, row0 + ty * 4 + 3, column0 + tx * 4, s3);
}
