// lesson 6; device sim,gpu; nvcc,clang; want: fail|timeout; tries: where k and n are multiples of 4 rows come by bulk copies, and at the edges a row is first cleared by plain stores and then copied over. No fence.proxy.async stands between the stores (generic proxy) and the bulk copy (async proxy) to the same bytes, so the zeros may land after the numbers. Wrong where a row of a tile is there in part: k % 4 == 0 and n % 4 == 0, and k % 32 != 0 or n % 32 != 0 (one size in 16 if drawn at random).
// 06 tiled GEMM: two tiles of 32 x 32, row by row.
LAUNCH(32, 32, 32, 32)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__device__ void bring(float *to, const float *from, int count, unsigned long long *bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 ::"r"(AT(to)), "l"(__cvta_generic_to_global(from)), "r"(count * 4), "r"(AT(bar)) : "memory");
}

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(128) float a_tile[32][32], b_tile[32][32];
    __shared__ unsigned long long full;

    int tx = threadIdx.x, ty = threadIdx.y;
    int column0 = blockIdx.x * 32, column = column0 + tx, row = blockIdx.y * 32 + ty;
    bool rows_aligned = k % 4 == 0 && n % 4 == 0;
    float sum = 0;

    if (tx == 0 && ty == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(AT(&full)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();

    for (int step = 0, k0 = 0; k0 < k; step++, k0 += 32) {
        if (rows_aligned) {
            // A warp has row ty of both tiles. So many floats of it exist; the others are 0.
            int have_a = row < m ? min(32, k - k0) : 0, have_b = k0 + ty < k ? min(32, n - column0) : 0;
            if (have_a < 32)
                a_tile[ty][tx] = 0.0f;
            if (have_b < 32)
                b_tile[ty][tx] = 0.0f;
            __syncwarp();  // cleared, before the copy is named
            if (tx == 0) {
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                             ::"r"(AT(&full)), "r"((have_a + have_b) * 4) : "memory");
                if (have_a)
                    bring(a_tile[ty], a + row * k + k0, have_a, &full);
                if (have_b)
                    bring(b_tile[ty], b + (k0 + ty) * n + column0, have_b, &full);
            }
            for (unsigned over = 0; !over;)
                asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                             "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(over) : "r"(AT(&full)), "r"(step & 1) : "memory");
        } else {
            a_tile[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;
            b_tile[ty][tx] = k0 + ty < k && column < n ? b[(k0 + ty) * n + column] : 0.0f;
            __syncthreads();
        }

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];  // @multiply
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
