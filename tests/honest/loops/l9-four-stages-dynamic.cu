// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: four stages of 16 in 64 KB of dynamic shared memory carved by hand, PTX cp.async.cg with src-size, running stage offsets, 8 x 8 a thread
LAUNCH(256, 1, 128, 128, 65536)

namespace shape {
constexpr int stages = 4, deep = 16, side = 128;
constexpr unsigned a_bytes = side * deep * 4, b_bytes = deep * side * 4, stage_bytes = a_bytes + b_bytes;
static_assert(stages * stage_bytes == 65536, "as LAUNCH says");
}

__device__ __forceinline__ void cp16(unsigned to, const float *from, int bytes)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}
__device__ __forceinline__ void cp4(unsigned to, const float *from, int bytes)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}

// Four neighbours at `at`, `have` of which exist (any number, also negative).
__device__ __forceinline__ void bring(unsigned to, const float *base, long long at, int have, bool wide)
{
    if (wide)
        cp16(to, have > 0 ? base + at : base, have > 0 ? 16 : 0);
    else
#pragma unroll 1
        for (int j = 0; j < 4; j++)
            cp4(to + 4 * j, j < have ? base + at + j : base, j < have ? 4 : 0);
}

extern __shared__ __align__(1024) unsigned char arena[];

__global__ void __launch_bounds__(256) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    const int id = threadIdx.x, lane = id & 31, warp = id >> 5;
    // A warp has 32 x 64 of the tile: 4 x 8 threads.
    const int ty = (warp >> 1) * 4 + ((lane & 1) | (lane >> 1 & 2));
    const int tx = (warp & 1) * 8 + ((lane >> 1 & 1) | (lane >> 2 & 6));
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    const unsigned arena_at = (unsigned)__cvta_generic_to_shared(arena);
    const bool wide_a = (k & 3) == 0, wide_b = (n & 3) == 0;

    auto issue = [&](int step, unsigned place) {
        const int i0 = step * shape::deep;
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const int r = (id >> 2) + j * 64, q = id & 3, i = i0 + q * 4;
            bring(arena_at + place + r * 64 + ((q ^ (r >> 2 & 3)) << 4), a, (long long)(row0 + r) * k + i,
                  row0 + r < m ? k - i : 0, wide_a);
        }
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const int s = (id >> 5) + j * 8, i = i0 + s, q = column0 + (id & 31) * 4;
            bring(arena_at + place + shape::a_bytes + s * 512 + (id & 31) * 16, b, (long long)i * n + q, i < k ? n - q : 0,
                  wide_b);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };

    float sum[8][8];
    for (auto &line : sum)
        for (float &s : line)
            s = 0.0f;

    unsigned filling = 0, reading = 0;
    auto turn = [](unsigned &place) { place = (place + shape::stage_bytes) & 65535u; };
    int issued = 0;
    for (; issued < 3; issued++, turn(filling))
        issue(issued, filling);  // beyond k only zeros: the groups are always three

    for (int left = (k + 15) / 16; left > 0; left--) {
        asm volatile("cp.async.wait_group 2;" ::: "memory");
        __syncthreads();
        issue(issued++, filling);
        turn(filling);

        const float4 *const at = reinterpret_cast<const float4 *>(arena + reading);
        const float4 *const bt = reinterpret_cast<const float4 *>(arena + reading + shape::a_bytes);
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float x[8][4];
#pragma unroll
            for (int p = 0; p < 8; p++) {
                const float4 v = at[((p >> 2) * 64 + ty * 4 + (p & 3)) * 4 + (j ^ (ty & 3))];
                x[p][0] = v.x, x[p][1] = v.y, x[p][2] = v.z, x[p][3] = v.w;
            }
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float4 u = bt[(j * 4 + i) * 32 + tx], v = bt[(j * 4 + i) * 32 + tx + 16];
                const float y[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
#pragma unroll
                for (int p = 0; p < 8; p++)
#pragma unroll
                    for (int q = 0; q < 8; q++)
                        sum[p][q] = fmaf(x[p][i], y[q], sum[p][q]);
            }
        }
        turn(reading);
    }
    asm volatile("cp.async.wait_all;" ::: "memory");  // nothing may be under way when the block ends

#pragma unroll
    for (int p = 0; p < 8; p++) {
        const int row = row0 + (p >> 2) * 64 + ty * 4 + (p & 3);
        if (row >= m)
            continue;
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int column = column0 + h * 64 + tx * 4;
            float *to = c + (long long)row * n + column;
            if (wide_b && column < n)
                *reinterpret_cast<float4 *>(to) =
                    make_float4(sum[p][h * 4], sum[p][h * 4 + 1], sum[p][h * 4 + 2], sum[p][h * 4 + 3]);
            else
#pragma unroll
                for (int q = 0; q < 4; q++)
                    if (column + q < n)
                        to[q] = sum[p][h * 4 + q];
        }
    }
}
