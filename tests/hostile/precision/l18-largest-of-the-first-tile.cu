// lesson 18; device sim,gpu; nvcc,clang; want: fail; tries: the largest score is taken from the first 64 keys only and nothing ever shrinks: right while later scores are within 88 of it, else exp overflows to inf and out is NaN
LAUNCH(256, 1, 64, 64, 69632)

__global__ void __launch_bounds__(256)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ float4 tiles[];
    float4 (*q_tile)[17] = (float4 (*)[17])tiles, (*k_tile)[17] = q_tile + 64, (*v_tile)[17] = k_tile + 64;
    float (*weights)[68] = (float (*)[68])(v_tile + 64);

    int id = threadIdx.x, lane = id % 32, column = lane % 16;
    int row = id / 32 * 8 + lane / 16 * 4, row0 = blockIdx.y * 64;

    for (int j = 0; j < 4; j++) {
        int e = id + j * 256, r = e / 16, c = e % 16;
        q_tile[r][c] = row0 + r < queries ? ((const float4 *)q)[(row0 + r) * 16 + c] : make_float4(0, 0, 0, 0);
    }

    float largest[4], sum[4] = {};
    float4 total[4] = {};
    for (int k0 = 0; k0 < keys; k0 += 64) {
        __syncthreads();  // all are through with the tiles before
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int e = id + j * 256, r = e / 16, c = e % 16;
            bool there = k0 + r < keys;
            k_tile[r][c] = there ? ((const float4 *)k)[(k0 + r) * 16 + c] : make_float4(0, 0, 0, 0);  // @k
            v_tile[r][c] = there ? ((const float4 *)v)[(k0 + r) * 16 + c] : make_float4(0, 0, 0, 0);
        }
        __syncthreads();

        float s[4][4] = {};
#pragma unroll 4
        for (int d = 0; d < 16; d++) {
            float4 x[4], y[4];
#pragma unroll
            for (int p = 0; p < 4; p++) {
                x[p] = q_tile[row + p][d];
                y[p] = k_tile[column + p * 16][d];
            }
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    s[p][j] += x[p].x * y[j].x + x[p].y * y[j].y + x[p].z * y[j].z + x[p].w * y[j].w;
        }
#pragma unroll
        for (int p = 0; p < 4; p++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                s[p][j] = k0 + column + j * 16 < keys ? s[p][j] / 8 : -INFINITY;

        if (k0 == 0)  // any factor cancels out, so one good guess is enough
#pragma unroll
            for (int p = 0; p < 4; p++) {
                largest[p] = fmaxf(fmaxf(s[p][0], s[p][1]), fmaxf(s[p][2], s[p][3]));
                for (int bit = 8; bit > 0; bit /= 2)
                    largest[p] = fmaxf(largest[p], __shfl_xor_sync(~0u, largest[p], bit));
            }
#pragma unroll
        for (int p = 0; p < 4; p++)
#pragma unroll
            for (int j = 0; j < 4; j++) {
                float weight = expf(s[p][j] - largest[p]);
                sum[p] += weight;
                weights[row + p][column + j * 16] = weight;
            }
        __syncwarp();

#pragma unroll 4
        for (int j = 0; j < 16; j++) {
            float4 w[4], value[4];
#pragma unroll
            for (int p = 0; p < 4; p++) {
                w[p] = *(const float4 *)&weights[row + p][j * 4];
                value[p] = v_tile[j * 4 + p][column];
            }
#pragma unroll
            for (int p = 0; p < 4; p++) {
                total[p].x += w[p].x * value[0].x + w[p].y * value[1].x + w[p].z * value[2].x + w[p].w * value[3].x;
                total[p].y += w[p].x * value[0].y + w[p].y * value[1].y + w[p].z * value[2].y + w[p].w * value[3].y;
                total[p].z += w[p].x * value[0].z + w[p].y * value[1].z + w[p].z * value[2].z + w[p].w * value[3].z;
                total[p].w += w[p].x * value[0].w + w[p].y * value[1].w + w[p].z * value[2].w + w[p].w * value[3].w;
            }
        }
    }
#pragma unroll
    for (int p = 0; p < 4; p++) {
        for (int bit = 8; bit > 0; bit /= 2)
            sum[p] += __shfl_xor_sync(~0u, sum[p], bit);
        if (row0 + row + p < queries)
            ((float4 *)out)[(row0 + row + p) * 16 + column] =
                make_float4(total[p].x / sum[p], total[p].y / sum[p], total[p].z / sum[p], total[p].w / sum[p]);
    }
}
