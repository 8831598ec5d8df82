// lesson 18; device sim,gpu; nvcc,clang; want: full; tries: a row's softmax so far as a value that can be merged: largest exponent and sum
LAUNCH(256, 1, 64, 128, 107520)

constexpr int ROWS = 128, KEYS = 64, CHUNKS = 16, Q_WIDE = 18, K_WIDE = 17, V_WIDE = 16;

struct Vec4 {  // four floats that can be added and scaled
    float4 v;
    __device__ Vec4() : v(make_float4(0.0f, 0.0f, 0.0f, 0.0f)) {}
    __device__ void operator*=(float f) { v = make_float4(v.x * f, v.y * f, v.z * f, v.w * f); }
    __device__ void fma(float f, float4 o)
    {
        v.x += f * o.x;
        v.y += f * o.y;
        v.z += f * o.z;
        v.w += f * o.w;
    }
};

__device__ inline float dot(float sum, float4 x, float4 y)
{
    sum += x.x * y.x;
    sum += x.y * y.y;
    sum += x.z * y.z;
    return sum + x.w * y.w;
}

// Sums of powers of two, relative to 2^largest. A larger one may come: then what was there shrinks.
struct Softmax {
    float largest, sum;
    __device__ Softmax() : largest(-INFINITY), sum(0.0f) {}
    __device__ float raise(float to)  // returns the factor for everything that was added up with this state
    {
        const float top = fmaxf(largest, to), shrink = exp2f(largest - top);
        largest = top;
        sum *= shrink;
        return shrink;
    }
    __device__ float weight(float exponent)
    {
        const float w = exp2f(exponent - largest);
        sum += w;
        return w;
    }
};

// The eight lanes that share a row differ in bits 1, 3 and 4.
template <class Operation>
__device__ inline float among_eight(float x, Operation operation)
{
    x = operation(x, __shfl_xor_sync(0xffffffff, x, 2));
    x = operation(x, __shfl_xor_sync(0xffffffff, x, 8));
    return operation(x, __shfl_xor_sync(0xffffffff, x, 16));
}

__device__ void bring(float4 *tile, int wide, const float *from, int first, int rows, int have)
{
    const float4 *source = reinterpret_cast<const float4 *>(from);
    for (int e = threadIdx.x; e < rows * CHUNKS; e += 256) {
        const int row = e / CHUNKS, chunk = e % CHUNKS;
        tile[row * wide + chunk] =
            first + row < have ? source[(first + row) * CHUNKS + chunk] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    }
}

extern __shared__ float4 tiles[];

__global__ void __launch_bounds__(256, 2)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    float4 *const q_tile = tiles, *const p_tile = q_tile + ROWS * Q_WIDE;
    float4 *const k_tile = p_tile + ROWS * Q_WIDE, *const v_tile = k_tile + KEYS * K_WIDE;

    const int lane = threadIdx.x % 32;
    const int ty = (lane & 1) + (lane >> 1 & 2), tx = (lane >> 1 & 1) + (lane >> 2 & 6);
    const int mine = threadIdx.x / 32 * 16 + ty;  // rows mine, mine + 4, mine + 8, mine + 12
    const int first = blockIdx.y * ROWS;

    Softmax state[4];
    Vec4 total[4][2];

    bring(q_tile, Q_WIDE, q, first, ROWS, queries);

    for (int key0 = 0; key0 < keys; key0 += KEYS) {
        bring(k_tile, K_WIDE, k, key0, KEYS, keys);
        bring(v_tile, V_WIDE, v, key0, KEYS, keys);
        __syncthreads();

        float s[4][8] = {};  // of keys key0 + tx + 8 j
#pragma unroll 4
        for (int c = 0; c < CHUNKS; c++) {
            float4 x[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                x[p] = q_tile[(mine + 4 * p) * Q_WIDE + c];
#pragma unroll
            for (int j = 0; j < 8; j++) {
                const float4 y = k_tile[(tx + 8 * j) * K_WIDE + c];
#pragma unroll
                for (int p = 0; p < 4; p++)
                    s[p][j] = dot(s[p][j], x[p], y);
            }
        }

        if (key0 + KEYS > keys) {
#pragma unroll
            for (int j = 0; j < 8; j++)
#pragma unroll
                for (int p = 0; p < 4; p++)
                    if (key0 + tx + 8 * j >= keys)
                        s[p][j] = -INFINITY;
        }

#pragma unroll
        for (int p = 0; p < 4; p++) {
            constexpr float SCALE = 1.44269504f / 8;  // exp(x / 8) = 2^(x SCALE)
            float most = s[p][0];
#pragma unroll
            for (int j = 1; j < 8; j++)
                most = fmaxf(most, s[p][j]);
            most = among_eight(most, [](float x, float y) { return fmaxf(x, y); });

            const float shrink = state[p].raise(most * SCALE);
#pragma unroll
            for (int h = 0; h < 2; h++) {
                total[p][h] *= shrink;
                float4 w;
                w.x = state[p].weight(s[p][h * 4] * SCALE);
                w.y = state[p].weight(s[p][h * 4 + 1] * SCALE);
                w.z = state[p].weight(s[p][h * 4 + 2] * SCALE);
                w.w = state[p].weight(s[p][h * 4 + 3] * SCALE);
                p_tile[(mine + 4 * p) * Q_WIDE + tx + 8 * h] = w;
            }
        }
        __syncwarp();  // these rows are the warp's own

#pragma unroll 4
        for (int c = 0; c < CHUNKS; c++) {  // keys c % 8 + c / 8 * 32 + 8 i
            float4 w[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                w[p] = p_tile[(mine + 4 * p) * Q_WIDE + c];
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const float4 *value = &v_tile[(c % 8 + c / 8 * 32) * V_WIDE + tx + 8 * h];
                const float4 v0 = value[0], v1 = value[8 * V_WIDE], v2 = value[16 * V_WIDE], v3 = value[24 * V_WIDE];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    total[p][h].fma(w[p].x, v0);
                    total[p][h].fma(w[p].y, v1);
                    total[p][h].fma(w[p].z, v2);
                    total[p][h].fma(w[p].w, v3);
                }
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 4; p++) {
        const float sum = among_eight(state[p].sum, [](float x, float y) { return x + y; });
        const int row = first + mine + 4 * p;
#pragma unroll
        for (int h = 0; h < 2; h++) {
            total[p][h] *= 1.0f / sum;
            if (row < queries)
                reinterpret_cast<float4 *>(out)[row * CHUNKS + tx + 8 * h] = total[p][h].v;
        }
    }
}
