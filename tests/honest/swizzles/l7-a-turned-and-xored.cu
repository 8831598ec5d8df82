// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: a is kept turned (k by rows) with chunks XORed by k, both operands come as one float4, next step held in registers
LAUNCH(16, 16, 64, 64)

namespace {

constexpr int BM = 64, BN = 64, BK = 16, THREADS = 256;

union Quad {
    float4 v;
    float f[4];
};

}  // namespace

__global__ void __launch_bounds__(THREADS) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    // a_tile[i][chunk ^ i % 8] has four rows of column i of a; b_tile[i][chunk] four columns of row i of b.
    __shared__ float4 a_tile[BK][BM / 4], b_tile[BK][BN / 4];

    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    const int lane = id & 31, warp = id >> 5;
    const int row0 = blockIdx.y * BM, column0 = blockIdx.x * BN;

    // A warp brings 4 rows x 8 columns of a at a time, whole sectors: lane = 8 * row + column. There
    // are 16 x 2 such patches, this warp has the numbers warp, warp + 8, … Their half of the 16
    // columns is the same each time, since 8 is even.
    const int a_i = (warp & 1) * 8 + (lane & 7), a_r = lane >> 3, a_chunk = warp >> 1;
    // Of b it brings 32 columns of a row: 16 x 2 pieces.
    const int b_q = id & 63, b_i = id >> 6;

    float held_a[4], held_b[4];
    auto fetch = [&](int k0) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int row = row0 + (a_chunk + 4 * j) * 4 + a_r, i = k0 + a_i;
            held_a[j] = row < m && i < k ? a[(size_t)row * k + i] : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int i = k0 + b_i + 4 * j, column = column0 + b_q;
            held_b[j] = i < k && column < n ? b[(size_t)i * n + column] : 0.0f;
        }
    };
    auto park = [&]() {
        // Bank 4 * ((chunk ^ i % 8) % 8) + r: eight columns, eight groups of four banks.
#pragma unroll
        for (int j = 0; j < 4; j++)
            reinterpret_cast<float *>(&a_tile[a_i][(a_chunk + 4 * j) ^ (a_i & 7)])[a_r] = held_a[j];
#pragma unroll
        for (int j = 0; j < 4; j++)
            reinterpret_cast<float *>(b_tile[b_i + 4 * j])[b_q] = held_b[j];
    };

    float sum[4][4] = {};
    fetch(0);
    for (int k0 = 0; k0 < k; k0 += BK) {
        park();
        __syncthreads();
        if (k0 + BK < k)
            fetch(k0 + BK);
#pragma unroll
        for (int i = 0; i < BK; i++) {
            Quad x, y;
            x.v = a_tile[i][ty ^ (i & 7)];
            y.v = b_tile[i][tx];
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    sum[p][q] = fmaf(x.f[p], y.f[q], sum[p][q]);
        }
        __syncthreads();
    }

    const int column = column0 + tx * 4;
    const bool wide = n % 4 == 0;  // then c's rows begin at multiples of 16 bytes
#pragma unroll
    for (int p = 0; p < 4; p++) {
        const int row = row0 + ty * 4 + p;
        if (row >= m)
            continue;
        float *to = c + (size_t)row * n + column;
        if (wide) {
            if (column < n)
                *reinterpret_cast<float4 *>(to) = make_float4(sum[p][0], sum[p][1], sum[p][2], sum[p][3]);
        } else
#pragma unroll
            for (int q = 0; q < 4; q++)
                if (column + q < n)
                    to[q] = sum[p][q];
    }
}
