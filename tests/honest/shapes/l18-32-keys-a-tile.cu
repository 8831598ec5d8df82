// lesson 18; device sim,gpu; nvcc,clang; want: pass; tries: tiles of 32 keys, 4 x 4 scores a thread: three blocks' memory fits where two did
LAUNCH(256, 1, 64, 128, 74240)

// In chunks of four floats. Rows that neighbouring lanes read together begin in different banks.
enum { ROWS = 128, KEYS = 32, CHUNKS = 16, Q_PITCH = 18, P_PITCH = 10, K_PITCH = 17, V_PITCH = 16 };
enum { Q_AT = 0, P_AT = Q_AT + ROWS * Q_PITCH, K_AT = P_AT + ROWS * P_PITCH, V_AT = K_AT + KEYS * K_PITCH,
       END = V_AT + KEYS * V_PITCH };
static_assert(END * 16 == 74240, "the fifth number of LAUNCH");

template <int PITCH, int COUNT>
__device__ __forceinline__ void load_rows(float4 *tile, const float *from, int first, int have)
{
#pragma unroll
    for (int e = threadIdx.x; e < COUNT * CHUNKS; e += 256) {
        const int row = e / CHUNKS, chunk = e % CHUNKS;
        float4 four = {0.0f, 0.0f, 0.0f, 0.0f};
        if (first + row < have)
            four = __ldg((const float4 *)from + (first + row) * CHUNKS + chunk);
        tile[row * PITCH + chunk] = four;
    }
}

__global__ void __launch_bounds__(256, 2)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ float4 memory[];

    // Lane bits 0 and 2: one of four rows. Bits 1, 3 and 4: one of eight keys, or of eight chunks of columns.
    const int lane = threadIdx.x & 31;
    const int ty = (lane & 1) | (lane >> 1 & 2), tx = (lane >> 1 & 1) | (lane >> 2 & 6);
    const int row0 = (threadIdx.x >> 5) * 16 + ty, first = blockIdx.y * ROWS;
    const float4 *const my_q = memory + Q_AT + row0 * Q_PITCH;
    float4 *const my_p = memory + P_AT + row0 * P_PITCH;
    const float scale = 0.125f * 1.44269504f;

    float top[4], sum[4], total[4][8];
#pragma unroll
    for (int p = 0; p < 4; p++) {
        top[p] = -INFINITY;
        sum[p] = 0.0f;
#pragma unroll
        for (int d = 0; d < 8; d++)
            total[p][d] = 0.0f;
    }

    load_rows<Q_PITCH, ROWS>(memory + Q_AT, q, first, queries);

    for (int key0 = 0; key0 < keys; key0 += KEYS) {
        load_rows<K_PITCH, KEYS>(memory + K_AT, k, key0, keys);
        load_rows<V_PITCH, KEYS>(memory + V_AT, v, key0, keys);
        __syncthreads();

        float s[4][4] = {};
#pragma unroll 4
        for (int c = 0; c < CHUNKS; c++) {
            float4 x[4], y[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                x[p] = my_q[4 * p * Q_PITCH + c];
#pragma unroll
            for (int j = 0; j < 4; j++)
                y[j] = memory[K_AT + (tx + 8 * j) * K_PITCH + c];
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int j = 0; j < 4; j++) {
                    s[p][j] = fmaf(x[p].x, y[j].x, s[p][j]);
                    s[p][j] = fmaf(x[p].y, y[j].y, s[p][j]);
                    s[p][j] = fmaf(x[p].z, y[j].z, s[p][j]);
                    s[p][j] = fmaf(x[p].w, y[j].w, s[p][j]);
                }
        }

#pragma unroll
        for (int p = 0; p < 4; p++) {
            float most = -INFINITY;
#pragma unroll
            for (int j = 0; j < 4; j++) {
                s[p][j] = key0 + tx + 8 * j < keys ? s[p][j] * scale : -INFINITY;
                most = fmaxf(most, s[p][j]);
            }
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 8));
            most = fmaxf(most, __shfl_xor_sync(~0u, most, 16));
            most = fmaxf(most, top[p]);  // key0 itself exists, so this is a number

            const float shrink = exp2f(top[p] - most);
            top[p] = most;
            const float4 w = make_float4(exp2f(s[p][0] - most), exp2f(s[p][1] - most),
                                         exp2f(s[p][2] - most), exp2f(s[p][3] - most));
            sum[p] = sum[p] * shrink + ((w.x + w.y) + (w.z + w.w));
#pragma unroll
            for (int d = 0; d < 8; d++)
                total[p][d] *= shrink;
            my_p[4 * p * P_PITCH + tx] = w;  // of keys tx, tx + 8, tx + 16, tx + 24
        }
        __syncwarp();

#pragma unroll 2
        for (int c = 0; c < KEYS / 4; c++) {
            float4 w[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                w[p] = my_p[4 * p * P_PITCH + c];
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    const float4 y = memory[V_AT + (c + 8 * i) * V_PITCH + tx + 8 * h];
#pragma unroll
                    for (int p = 0; p < 4; p++) {
                        const float f = i == 0 ? w[p].x : i == 1 ? w[p].y : i == 2 ? w[p].z : w[p].w;
                        total[p][4 * h] = fmaf(f, y.x, total[p][4 * h]);
                        total[p][4 * h + 1] = fmaf(f, y.y, total[p][4 * h + 1]);
                        total[p][4 * h + 2] = fmaf(f, y.z, total[p][4 * h + 2]);
                        total[p][4 * h + 3] = fmaf(f, y.w, total[p][4 * h + 3]);
                    }
                }
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 4; p++) {
        float all = sum[p];
        all += __shfl_xor_sync(~0u, all, 2);
        all += __shfl_xor_sync(~0u, all, 8);
        all += __shfl_xor_sync(~0u, all, 16);
        const float part = 1.0f / all;
        const int row = first + row0 + 4 * p;
#pragma unroll
        for (int h = 0; h < 2; h++)
            if (row < queries)
                ((float4 *)out)[row * CHUNKS + tx + 8 * h] =
                    make_float4(total[p][4 * h] * part, total[p][4 * h + 1] * part, total[p][4 * h + 2] * part,
                                total[p][4 * h + 3] * part);
    }
}
