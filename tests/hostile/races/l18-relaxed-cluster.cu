// lesson 18; device sim,gpu; nvcc; want: fail|timeout; tries: two blocks of a cluster bring half of the keys each and fetch the other half from one another; between filling and fetching stands barrier.cluster.arrive.relaxed, which orders no memory
LAUNCH(256, 1, 32, 64, 58368)  // 16 KB for q, 17 for k, 8 for 32 columns of v, 16 for weights

// The two blocks have the same 64 queries, and 32 columns of out each.
__device__ float4 of_peer(const float4 *mine, unsigned peer)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(mine), there;
    float4 x;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at), "r"(peer));
    asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(x.x), "=f"(x.y), "=f"(x.z), "=f"(x.w) : "r"(there) : "memory");
    return x;
}

__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(256)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ float4 tiles[];
    float4 *q_tile = tiles, *k_tile = q_tile + 64 * 16, *v_tile = k_tile + 64 * 17, *w_tile = v_tile + 64 * 8;
    int t = threadIdx.x, lane = t % 32, warp = t / 32, side = blockIdx.x % 2, first = blockIdx.y * 64;
    float4 zero = {};

    for (int e = t; e < 64 * 16; e += 256)
        q_tile[e] = first + e / 16 < queries ? ((const float4 *)q)[first * 16 + e] : zero;

    float largest[8], sum[8] = {}, total[8] = {};  // a warp has eight rows, a lane a column of them
    for (int p = 0; p < 8; p++)
        largest[p] = -INFINITY;

    for (int key0 = 0; key0 < keys; key0 += 64) {
        // Half of the keys, all 16 chunks; all keys of v, 8 chunks.
        for (int e = t; e < 32 * 16; e += 256) {
            int row = side * 32 + e / 16, chunk = e % 16;
            k_tile[row * 17 + chunk] = key0 + row < keys ? ((const float4 *)k)[(key0 + row) * 16 + chunk] : zero;
        }
        for (int e = t; e < 64 * 8; e += 256) {
            int row = e / 8, chunk = e % 8;
            v_tile[e] = key0 + row < keys ? ((const float4 *)v)[(key0 + row) * 16 + side * 8 + chunk] : zero;
        }
        asm volatile("barrier.cluster.arrive.relaxed.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
        for (int e = t; e < 32 * 16; e += 256) {
            int row = (1 - side) * 32 + e / 16, chunk = e % 16;
            k_tile[row * 17 + chunk] = of_peer(&k_tile[row * 17 + chunk], 1 - side);
        }
        __syncthreads();

        float s[8][2] = {};
        for (int c = 0; c < 16; c++) {
            float4 b[2] = {k_tile[lane * 17 + c], k_tile[(lane + 32) * 17 + c]};
#pragma unroll
            for (int p = 0; p < 8; p++) {
                float4 a = q_tile[(warp * 8 + p) * 16 + c];
#pragma unroll
                for (int h = 0; h < 2; h++)
                    s[p][h] += a.x * b[h].x + a.y * b[h].y + a.z * b[h].z + a.w * b[h].w;
            }
        }
#pragma unroll
        for (int p = 0; p < 8; p++) {
            for (int h = 0; h < 2; h++)
                s[p][h] = key0 + lane + 32 * h < keys ? s[p][h] / 8 : -INFINITY;
            float most = fmaxf(s[p][0], s[p][1]);
            for (int bit = 16; bit > 0; bit /= 2)
                most = fmaxf(most, __shfl_xor_sync(~0u, most, bit));
            most = fmaxf(most, largest[p]);
            float shrink = expf(largest[p] - most), w0 = expf(s[p][0] - most), w1 = expf(s[p][1] - most);
            largest[p] = most;
            sum[p] = sum[p] * shrink + w0 + w1;
            total[p] *= shrink;
            ((float *)w_tile)[(warp * 8 + p) * 64 + lane] = w0;
            ((float *)w_tile)[(warp * 8 + p) * 64 + lane + 32] = w1;
        }
        __syncwarp();
        for (int c = 0; c < 16; c++) {
            float x[4];
#pragma unroll
            for (int i = 0; i < 4; i++)
                x[i] = ((const float *)v_tile)[(c * 4 + i) * 32 + lane];
#pragma unroll
            for (int p = 0; p < 8; p++) {
                float4 w = w_tile[(warp * 8 + p) * 16 + c];
                total[p] += w.x * x[0] + w.y * x[1] + w.z * x[2] + w.w * x[3];
            }
        }
        // Both are through with these tiles, and with each other's memory.
        asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    }

    for (int p = 0; p < 8; p++) {
        for (int bit = 16; bit > 0; bit /= 2)
            sum[p] += __shfl_xor_sync(~0u, sum[p], bit);
        int row = first + warp * 8 + p;
        if (row < queries)
            out[row * 64 + side * 32 + lane] = total[p] / sum[p];
    }
}
