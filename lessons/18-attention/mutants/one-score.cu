// Tiles in shared memory, and a score for each thread: two numbers are fetched for each product.
LAUNCH(1024, 1, 64, 64, 69632)

__global__ void __launch_bounds__(1024)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ float tiles[];
    float *q_tile = tiles, *k_tile = q_tile + 64 * 65, *v_tile = k_tile + 32 * 65, *p_tile = v_tile + 32 * 64;
    int lane = threadIdx.x % 32, row0 = threadIdx.x / 32 * 2, first = blockIdx.y * 64;
    float sum[2] = {}, largest[2] = {-INFINITY, -INFINITY}, total[2][2] = {};

    for (int e = threadIdx.x; e < 64 * 64; e += 1024)
        q_tile[e / 64 * 65 + e % 64] = first + e / 64 < queries ? q[first * 64 + e] : 0;
    for (int key0 = 0; key0 < keys; key0 += 32) {
        for (int e = threadIdx.x; e < 32 * 64; e += 1024) {
            k_tile[e / 64 * 65 + e % 64] = key0 + e / 64 < keys ? k[key0 * 64 + e] : 0;
            v_tile[e] = key0 + e / 64 < keys ? v[key0 * 64 + e] : 0;
        }
        __syncthreads();
        for (int p = 0; p < 2; p++) {
            float s = 0;
            for (int i = 0; i < 64; i++)
                s += q_tile[(row0 + p) * 65 + i] * k_tile[lane * 65 + i];
            s = key0 + lane < keys ? s / 8 : -INFINITY;
            float most = s;
            for (int bit = 16; bit > 0; bit /= 2)
                most = fmaxf(most, __shfl_xor_sync(~0u, most, bit));
            most = fmaxf(most, largest[p]);
            float shrink = __expf(largest[p] - most), weight = __expf(s - most);
            largest[p] = most;
            sum[p] = sum[p] * shrink + weight;
            p_tile[(row0 + p) * 32 + lane] = weight;
            total[p][0] *= shrink;
            total[p][1] *= shrink;
        }
        __syncwarp();
        for (int p = 0; p < 2; p++)
            for (int j = 0; j < 32; j++)
                for (int h = 0; h < 2; h++)
                    total[p][h] += p_tile[(row0 + p) * 32 + j] * v_tile[j * 64 + lane + 32 * h];
        __syncthreads();
    }
    for (int p = 0; p < 2; p++) {
        for (int bit = 16; bit > 0; bit /= 2)
            sum[p] += __shfl_xor_sync(~0u, sum[p], bit);
        for (int h = 0; h < 2 && first + row0 + p < queries; h++)
            out[(first + row0 + p) * 64 + lane + 32 * h] = total[p][h] / sum[p];
    }
}
