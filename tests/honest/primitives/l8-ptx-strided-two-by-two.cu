// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: inline PTX cp.async.ca with src-size in a register, 16 x 16 threads, elements 16 apart
LAUNCH(16, 16, 32, 32)
struct Shared {
    unsigned base;
    __device__ explicit Shared(const void *p) { asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(base) : "l"(p)); }
    __device__ void bring(int word, const float *from, bool there) const
    {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(base + 4 * word), "l"(from), "r"(there ? 4 : 0) : "memory");
    }
};
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float as[32][32], bs[32][32];
    const Shared sa(as), sb(bs);
    const int x = threadIdx.x, y = threadIdx.y, id = y * 16 + x, r0 = blockIdx.y * 32, c0 = blockIdx.x * 32;
    float s[2][2] = {};
    for (int k0 = 0; k0 < k; k0 += 32) {
#pragma unroll
        for (int e = id; e < 1024; e += 256) {
            int h = e >> 5, l = e & 31;
            bool ia = r0 + h < m && k0 + l < k, ib = k0 + h < k && c0 + l < n;
            sa.bring(e, ia ? a + (r0 + h) * k + k0 + l : a, ia);
            sb.bring(e, ib ? b + (k0 + h) * n + c0 + l : b, ib);
        }
        asm volatile("cp.async.wait_all;\n\tbarrier.sync 0;" ::: "memory");
#pragma unroll
        for (int i = 0; i < 32; i++)
            for (int e = 0; e < 4; e++) s[e / 2][e % 2] += as[y + e / 2 * 16][i] * bs[i][x + e % 2 * 16];
        asm volatile("barrier.sync 0;" ::: "memory");
    }
    for (int e = 0; e < 4; e++) {
        int row = r0 + y + e / 2 * 16, q = c0 + x + e % 2 * 16;
        if (row < m && q < n) c[row * n + q] = s[e / 2][e % 2];
    }
}
