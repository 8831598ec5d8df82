// lesson 18; device sim,gpu; nvcc,clang; want: full; tries: 128 queries, copies by cp.async: v comes while scores are made, the next k while v is used; padding by chunks
#include <cuda_pipeline.h>
enum { QW = 18, KW = 17, VW = 16, BYTES = (128 * QW * 2 + 64 * KW + 64 * VW) * 16 };
LAUNCH(256, 1, 64, 128, BYTES)
#define LOOP _Pragma("unroll") for
__device__ void bring(float4 *tile, int wide, const float *from, int first, int rows, int have)
{
    for (int e = threadIdx.x; e < rows * 16; e += 256) {
        int r = e / 16, c = e % 16;
        bool is = first + r < have;
        __pipeline_memcpy_async(tile + r * wide + c, (const float4 *)from + (is ? (first + r) * 16 + c : 0), 16, is ? 0 : 16);
    }
    __pipeline_commit();
}
__global__ void __launch_bounds__(256, 2) attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ float4 mem[];
    float4 *const Q = mem, *const P = Q + 128 * QW, *const K = P + 128 * QW, *const V = K + 64 * KW;
    const int lane = threadIdx.x % 32, ty = (lane & 1) | (lane >> 1 & 2), tx = (lane >> 1 & 1) | (lane >> 2 & 6);
    const int r0 = threadIdx.x / 32 * 16 + ty, first = blockIdx.y * 128;
    float sum[4] = {}, top[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    float4 o[4][2] = {};
    bring(Q, QW, q, first, 128, queries);
    bring(K, KW, k, 0, 64, keys);
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int j0 = 0; j0 < keys; j0 += 64) {
        bring(V, VW, v, j0, 64, keys);
        float s[4][8] = {};
        #pragma unroll 4
        for (int c = 0; c < 16; c++) {
            float4 a[4];
            LOOP (int i = 0; i < 4; i++) a[i] = Q[(r0 + 4 * i) * QW + c];
            LOOP (int j = 0; j < 8; j++) {
                float4 b = K[(tx + 8 * j) * KW + c];
                LOOP (int i = 0; i < 4; i++) s[i][j] = fmaf(a[i].x, b.x, fmaf(a[i].y, b.y, fmaf(a[i].z, b.z, fmaf(a[i].w, b.w, s[i][j]))));
            }
        }
        LOOP (int j = 0; j < 8; j++)
            if (j0 + tx + 8 * j >= keys) s[0][j] = s[1][j] = s[2][j] = s[3][j] = -INFINITY;
        LOOP (int i = 0; i < 4; i++) {
            float most = top[i];
            LOOP (int j = 0; j < 8; j++) most = fmaxf(most, s[i][j]);
            most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, 2));
            most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, 8));
            most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, 16));
            float shrink = exp2f((top[i] - most) * 0.18033688f);
            top[i] = most;
            sum[i] *= shrink;
            LOOP (int j = 0; j < 8; j++) sum[i] += s[i][j] = exp2f((s[i][j] - most) * 0.18033688f);
            LOOP (int h = 0; h < 2; h++) {
                o[i][h] = make_float4(o[i][h].x * shrink, o[i][h].y * shrink, o[i][h].z * shrink, o[i][h].w * shrink);
                P[(r0 + 4 * i) * QW + tx + 8 * h] = make_float4(s[i][4 * h], s[i][4 * h + 1], s[i][4 * h + 2], s[i][4 * h + 3]);
            }
        }
        __pipeline_wait_prior(0);  // v is here
        __syncthreads();           // for all, and k may be overwritten
        if (j0 + 64 < keys) bring(K, KW, k, j0 + 64, 64, keys);
        #pragma unroll 4
        for (int c = 0; c < 16; c++) {
            float4 w[4];
            LOOP (int i = 0; i < 4; i++) w[i] = P[(r0 + 4 * i) * QW + c];
            LOOP (int h = 0; h < 2; h++) {
                const float4 *b = V + (c % 8 + c / 8 * 32) * VW + tx + 8 * h;
                LOOP (int e = 0; e < 4; e++) {
                    float4 y = b[8 * e * VW];
                    LOOP (int i = 0; i < 4; i++) {
                        float f = e == 0 ? w[i].x : e == 1 ? w[i].y : e == 2 ? w[i].z : w[i].w;
                        o[i][h].x += f * y.x; o[i][h].y += f * y.y; o[i][h].z += f * y.z; o[i][h].w += f * y.w;
                    }
                }
            }
        }
        __pipeline_wait_prior(0);
        __syncthreads();
    }
    LOOP (int i = 0; i < 4; i++) {
        sum[i] += __shfl_xor_sync(0xffffffffu, sum[i], 2);
        sum[i] += __shfl_xor_sync(0xffffffffu, sum[i], 8);
        sum[i] += __shfl_xor_sync(0xffffffffu, sum[i], 16);
        const float f = __frcp_rn(sum[i]);
        if (first + r0 + 4 * i < queries)
            LOOP (int h = 0; h < 2; h++)
                ((float4 *)out)[(first + r0 + 4 * i) * 16 + tx + 8 * h] = make_float4(o[i][h].x * f, o[i][h].y * f, o[i][h].z * f, o[i][h].w * f);
    }
}
