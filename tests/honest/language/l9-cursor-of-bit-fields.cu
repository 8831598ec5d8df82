// lesson 9; device sim,gpu; nvcc,clang; want: full; tries: 128 x 128 a block, 8 x 8 a thread, ring of three places whose two cursors are structs of bit fields; chunks of a rotated by the row's quad; wait_group 1, one barrier, fetch two steps ahead, multiply
LAUNCH(256, 1, 128, 128)

namespace ring {
constexpr int PLACES = 3;
struct Cursor {
    unsigned place : 2, step : 30;
    __device__ void operator++(int) { step = step + 1; place = place == PLACES - 1 ? 0 : place + 1; }
};
__device__ __forceinline__ void bring16(void *to, const float *from, bool have)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
                 "l"(__cvta_generic_to_global(from)), "r"(have ? 16 : 0) : "memory");
}
__device__ __forceinline__ void bring4(void *to, const float *from, bool have)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
                 "l"(__cvta_generic_to_global(from)), "r"(have ? 4 : 0) : "memory");
}
// Four neighbours from `index` on, of which `have` exist (all or none, if rows are whole chunks).
__device__ __forceinline__ void chunk(float4 *to, const float *from, int index, int have, bool whole)
{
    if (whole)
        bring16(to, have > 0 ? from + index : from, have > 0);
    else
#pragma unroll 1
        for (int j = 0; j < 4; j++)
            bring4(reinterpret_cast<float *>(to) + j, j < have ? from + index + j : from, j < have);
}
}

struct Place { float4 a[128][4], b[16][32]; };

__global__ void __launch_bounds__(256)
matmul(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int m, int n, int k)
{
    __shared__ Place places[ring::PLACES];
    const int id = threadIdx.x, lane = id & 31, warp = id >> 5;
    // Lanes l and l ^ 1 share their columns, l and l ^ 2 their rows.
    const int ty = (warp >> 1) * 4 + ((lane & 1) | (lane >> 2 & 1) << 1);
    const int tx = (warp & 1) * 8 + ((lane >> 1 & 1) | (lane >> 3 & 3) << 1);
    const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    const bool whole_a = (k & 3) == 0, whole_b = (n & 3) == 0;

    auto fetch = [&](const ring::Cursor &at) {
        Place &p = places[at.place];
        const int k0 = (int)at.step * 16;
#pragma unroll
        for (int e = id; e < 512; e += 256) {
            const int r = e >> 2, q = e & 3, i = k0 + q * 4;
            ring::chunk(&p.a[r][(q + (r >> 2)) & 3], a, (row0 + r) * k + i, row0 + r < m ? k - i : 0, whole_a);
        }
#pragma unroll
        for (int e = id; e < 512; e += 256) {
            const int i = k0 + (e >> 5), x = column0 + (e & 31) * 4;
            ring::chunk(&p.b[e >> 5][e & 31], b, i * n + x, i < k ? n - x : 0, whole_b);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };

    ring::Cursor ahead{0, 0}, here{0, 0};
    fetch(ahead), ahead++;
    fetch(ahead), ahead++;

    float sum[8][8] = {};
    for (const int steps = (k + 15) >> 4; (int)here.step < steps; here++) {
        asm volatile("cp.async.wait_group %0;" ::"n"(ring::PLACES - 2) : "memory");
        __syncthreads();
        fetch(ahead), ahead++;

        const Place &p = places[here.place];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float4 x[8];
#pragma unroll
            for (int r = 0; r < 8; r++)
                x[r] = p.a[(r & 4) * 16 + ty * 4 + (r & 3)][(j + ty) & 3];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const float4 u = p.b[j * 4 + i][tx], v = p.b[j * 4 + i][tx + 16];
                const float y[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
#pragma unroll
                for (int r = 0; r < 8; r++) {
                    const float f = i == 0 ? x[r].x : i == 1 ? x[r].y : i == 2 ? x[r].z : x[r].w;
#pragma unroll
                    for (int q = 0; q < 8; q++)
                        sum[r][q] = fmaf(f, y[q], sum[r][q]);
                }
            }
        }
    }

#pragma unroll
    for (int r = 0; r < 8; r++) {
        const int row = row0 + (r & 4) * 16 + ty * 4 + (r & 3);
        if (row >= m)
            continue;
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int x = column0 + h * 64 + tx * 4;
            const float *s = &sum[r][h * 4];
            if (whole_b) {
                if (x < n)
                    *reinterpret_cast<float4 *>(c + row * n + x) = make_float4(s[0], s[1], s[2], s[3]);
            } else
#pragma unroll
                for (int q = 0; q < 4; q++)
                    if (x + q < n)
                        c[row * n + x + q] = s[q];
        }
    }
}
