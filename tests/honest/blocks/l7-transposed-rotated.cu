// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: a kept transposed, each of its rows rotated by 2 i words so that neither way conflicts; outer products of float2 pairs, double places, one barrier
LAUNCH(16, 16, 64, 64)

constexpr int DEEP = 16, SIDE = 64;

struct Places {
    float a[DEEP][SIDE];  // a[i][(r + 2 i) % 64]: element (r, i)
    float b[DEEP][SIDE];
};

__device__ __forceinline__ int turned(int i, int r) { return (r + 2 * i) & (SIDE - 1); }

__global__ void __launch_bounds__(256) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) Places places[2];

    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    const int row0 = blockIdx.y * SIDE, column0 = blockIdx.x * SIDE;

    float held_a[4], held_b[4];
    auto fetch = [&](int k0) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int r = row0 + ty + j * 16, i = k0 + tx;
            held_a[j] = r < m && i < k ? a[r * k + i] : 0.0f;
            const int s = k0 + (id >> 6) + j * 4, q = column0 + (id & 63);
            held_b[j] = s < k && q < n ? b[s * n + q] : 0.0f;
        }
    };
    auto put = [&](Places &to) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            to.a[tx][turned(tx, ty + j * 16)] = held_a[j];
            to.b[(id >> 6) + j * 4][id & 63] = held_b[j];
        }
    };

    float sum[4][4] = {};
    fetch(0);
    int phase = 0;
    for (int k0 = 0; k0 < k; k0 += DEEP, phase ^= 1) {
        Places &here = places[phase];
        put(here);
        __syncthreads();
        if (k0 + DEEP < k)
            fetch(k0 + DEEP);
#pragma unroll
        for (int i = 0; i < DEEP; i++) {
            const float2 x0 = *(const float2 *)&here.a[i][turned(i, ty * 4)];
            const float2 x1 = *(const float2 *)&here.a[i][turned(i, ty * 4 + 2)];
            const float4 y4 = *(const float4 *)&here.b[i][tx * 4];
            const float x[4] = {x0.x, x0.y, x1.x, x1.y}, y[4] = {y4.x, y4.y, y4.z, y4.w};
#pragma unroll
            for (int e = 0; e < 16; e++)
                sum[e >> 2][e & 3] += x[e >> 2] * y[e & 3];
        }
    }

#pragma unroll
    for (int e = 0; e < 16; e++) {
        const int r = row0 + ty * 4 + (e >> 2), q = column0 + tx * 4 + (e & 3);
        if (r < m && q < n)
            c[r * n + q] = sum[e >> 2][e & 3];
    }
}
