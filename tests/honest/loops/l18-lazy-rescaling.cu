// lesson 18; device sim,gpu; nvcc,clang; want: pass; tries: 64 queries and four warps a block; what was added up shrinks only when the largest score has grown by more than 8 powers of two
LAUNCH(128, 1, 64, 64, 70656)  // 18 KB of queries, 18 of weights, 17 of keys, 16 of values

struct alignas(16) Quad {
    float x, y, z, w;
};
__device__ __forceinline__ Quad operator*(const Quad &a, float f) { return {a.x * f, a.y * f, a.z * f, a.w * f}; }
__device__ __forceinline__ Quad &operator*=(Quad &a, float f) { return a = a * f; }
__device__ __forceinline__ float dot(const Quad &a, const Quad &b, float sum) { return fmaf(a.w, b.w, fmaf(a.z, b.z, fmaf(a.y, b.y, fmaf(a.x, b.x, sum)))); }
__device__ __forceinline__ void axpy(Quad &sum, float f, const Quad &y)
{
    sum.x = fmaf(f, y.x, sum.x);
    sum.y = fmaf(f, y.y, sum.y);
    sum.z = fmaf(f, y.z, sum.z);
    sum.w = fmaf(f, y.w, sum.w);
}

// Rows of 64 floats, 16 quads and some padding.
template <int Rows, int Pitch>
struct Panel {
    Quad at[Rows][Pitch];

    __device__ void fill(const float *from, int first, int have)
    {
#pragma unroll 4
        for (int e = threadIdx.x; e < Rows * 16; e += 128) {
            const int r = e / 16, c = e % 16;
            at[r][c] = first + r < have ? reinterpret_cast<const Quad *>(from)[(size_t)(first + r) * 16 + c] : Quad{0, 0, 0, 0};
        }
    }
};

struct Memory {
    Panel<64, 18> q, weights;
    Panel<64, 17> k;
    Panel<64, 16> v;
};
static_assert(sizeof(Memory) == 70656, "as LAUNCH says");

// The three numbers of a softmax on its way, for one row. In powers of 2.
class Online {
    float reference_ = -INFINITY;

public:
    float sum = 0;

    // The factor for all that was added up so far: 1, unless the reference has to move.
    __device__ float meet(float largest)
    {
        if (largest <= reference_ + 8.0f)
            return 1.0f;  // weights may be as large as 256: floats have room for that
        const float shrink = exp2f(reference_ - largest);  // at first exp2f(-infinity) = 0
        reference_ = largest;
        sum *= shrink;
        return shrink;
    }
    __device__ float weight(float score) const { return exp2f(score - reference_); }
};

template <class F>
__device__ __forceinline__ float over_the_row(float x, F f)  // lanes of one row differ in bits 1, 3 and 4
{
    x = f(x, __shfl_xor_sync(0xffffffff, x, 2));
    x = f(x, __shfl_xor_sync(0xffffffff, x, 8));
    return f(x, __shfl_xor_sync(0xffffffff, x, 16));
}

__global__ void __launch_bounds__(128, 3)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ __align__(16) unsigned char bytes[];
    Memory &memory = *reinterpret_cast<Memory *>(bytes);

    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int ty = (lane & 1) + (lane >> 1 & 2), tx = (lane >> 1 & 1) + (lane >> 2 & 6);
    const int row0 = warp * 16 + ty, first = blockIdx.y * 64;
    constexpr float scale = 1.44269504f / 8;  // log2(e) / sqrt(64)

    Online online[4];
    Quad total[4][2] = {};

    memory.q.fill(q, first, queries);
    for (int key0 = 0; key0 < keys; key0 += 64) {
        memory.k.fill(k, key0, keys);
        memory.v.fill(v, key0, keys);
        __syncthreads();

        float s[4][8] = {};
#pragma unroll 2
        for (int c = 0; c < 16; c++) {
            Quad a[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                a[p] = memory.q.at[row0 + 4 * p][c];
#pragma unroll
            for (int j = 0; j < 8; j++) {
                const Quad b = memory.k.at[tx + 8 * j][c];
#pragma unroll
                for (int p = 0; p < 4; p++)
                    s[p][j] = dot(a[p], b, s[p][j]);
            }
        }

#pragma unroll
        for (int p = 0; p < 4; p++) {
            float most = -INFINITY;
#pragma unroll
            for (int j = 0; j < 8; j++) {
                s[p][j] = key0 + tx + 8 * j < keys ? s[p][j] * scale : -INFINITY;
                most = fmaxf(most, s[p][j]);
            }
            most = over_the_row(most, [](float a, float b) { return fmaxf(a, b); });

            const float shrink = online[p].meet(most);  // all lanes of the row agree
            total[p][0] *= shrink;
            total[p][1] *= shrink;
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const Quad w = {online[p].weight(s[p][4 * h]), online[p].weight(s[p][4 * h + 1]),
                                online[p].weight(s[p][4 * h + 2]), online[p].weight(s[p][4 * h + 3])};
                online[p].sum += (w.x + w.y) + (w.z + w.w);
                memory.weights.at[row0 + 4 * p][tx + 8 * h] = w;
            }
        }
        __syncwarp();  // the weights of 16 rows stay within a warp

#pragma unroll 2
        for (int c = 0; c < 16; c++) {  // keys c % 8 + c / 8 * 32, and 8, 16, 24 behind it
            Quad w[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                w[p] = memory.weights.at[row0 + 4 * p][c];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const Quad *row = memory.v.at[c % 8 + c / 8 * 32 + 8 * i];
                const Quad left = row[tx], right = row[tx + 8];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    const float f = i == 0 ? w[p].x : i == 1 ? w[p].y : i == 2 ? w[p].z : w[p].w;
                    axpy(total[p][0], f, left);
                    axpy(total[p][1], f, right);
                }
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int p = 0; p < 4; p++) {
        const float part = 1.0f / over_the_row(online[p].sum, [](float a, float b) { return a + b; });
        if (const int row = first + row0 + 4 * p; row < queries) {
            reinterpret_cast<Quad *>(out)[(size_t)row * 16 + tx] = total[p][0] * part;
            reinterpret_cast<Quad *>(out)[(size_t)row * 16 + tx + 8] = total[p][1] * part;
        }
    }
}
