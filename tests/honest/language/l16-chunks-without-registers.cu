// lesson 16; device sim,gpu; nvcc,clang; want: full; tries: where rows allow it the chunks come by cp.async straight to their swizzled places; tiles and fragments are class templates
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

LAUNCH(128, 1, 64, 128)

// Rows of eight chunks of 16 bytes. Chunk q of row r is at place q ^ (r % 8).
template <int Rows>
struct HalfTile {
    uint4 place[Rows][8];

    __device__ uint4 &chunk(int r, int q) { return place[r][q ^ (r & 7)]; }
    __device__ unsigned address(int r, int q) { return static_cast<unsigned>(__cvta_generic_to_shared(&chunk(r, q))); }

    // From column `column0` on of a matrix of rows x columns, from row `row0` on; 0 outside.
    template <int Threads>
    __device__ void fill(const __half *from, int row0, int column0, int rows, int columns)
    {
        const bool wide = columns % 8 == 0;
#pragma unroll 4
        for (int j = 0; j < Rows * 8 / Threads; j++) {
            const int e = threadIdx.x + j * Threads, r = e / 8, q = e % 8, row = row0 + r, column = column0 + q * 8;
            const int have = row < rows ? columns - column : 0;
            const __half *eight = have > 0 ? from + (size_t)row * columns + column : from;
            if (wide)  // all eight or none
                __pipeline_memcpy_async(&chunk(r, q), eight, 16, have > 0 ? 0 : 16);
            else
                chunk(r, q) = gathered(eight, have);
        }
    }

private:
    __device__ static uint4 gathered(const __half *from, int have)
    {
        const unsigned short *bits = reinterpret_cast<const unsigned short *>(from);
        unsigned word[4] = {};
#pragma unroll
        for (int j = 0; j < 8; j++)
            if (j < have)
                word[j / 2] |= static_cast<unsigned>(bits[j]) << (j & 1) * 16;
        return make_uint4(word[0], word[1], word[2], word[3]);
    }
};

template <class Derived, int Words>
struct Fragment {
    unsigned w[Words];
    template <class Tile>
    __device__ void load(Tile &tile, int r, int q) { static_cast<Derived *>(this)->get(tile.address(r, q)); }
};

struct Left : Fragment<Left, 4> {  // 16 x 16 of a
    __device__ void get(unsigned at)
    {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "r"(at) : "memory");
    }
};

struct Right : Fragment<Right, 2> {  // 16 x 8 of b
    __device__ void get(unsigned at)
    {
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(w[0]), "=r"(w[1]) : "r"(at) : "memory");
    }
};

struct Sum {
    float v[4] = {0, 0, 0, 0};
    __device__ void add(const Left &x, const Right &y)
    {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(v[0]), "+f"(v[1]), "+f"(v[2]), "+f"(v[3])
                     : "r"(x.w[0]), "r"(x.w[1]), "r"(x.w[2]), "r"(x.w[3]), "r"(y.w[0]), "r"(y.w[1]));
    }
};

__global__ void __launch_bounds__(128, 4)
matmul(float *c, const __half *a, const __half *b, int m, int n, int k)
{
    __shared__ HalfTile<128> a_tile;
    __shared__ HalfTile<64> b_tile;

    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 64;
    const int y0 = (warp & 2) * 32, x0 = (warp & 1) * 32;
    Sum sum[4][4];

    for (int k0 = 0; k0 < k; k0 += 64) {
        a_tile.fill<128>(a, row0, k0, m, k);
        b_tile.fill<128>(b, k0, column0, k, n);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();

#pragma unroll
        for (int step = 0; step < 4; step++) {
            Left x[4];
            Right y[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                x[p].load(a_tile, y0 + p * 16 + lane % 16, step * 2 + lane / 16);
#pragma unroll
            for (int p = 0; p < 4; p++)
                y[p].load(b_tile, step * 16 + lane % 16, x0 / 8 + p);
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    sum[p][q].add(x[p], y[q]);
        }
        __syncthreads();
    }

    const bool pairs = n % 2 == 0;  // rows of c begin at multiples of 8 bytes
#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 4; q++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int row = row0 + y0 + p * 16 + h * 8 + lane / 4, column = column0 + x0 + q * 8 + lane % 4 * 2;
                const int have = row < m ? n - column : 0;
                float *to = c + (size_t)row * n + column;
                if (pairs && have > 0)
                    *reinterpret_cast<float2 *>(to) = make_float2(sum[p][q].v[2 * h], sum[p][q].v[2 * h + 1]);
                if (!pairs && have > 0)
                    to[0] = sum[p][q].v[2 * h];
                if (!pairs && have > 1)
                    to[1] = sum[p][q].v[2 * h + 1];
            }
}
