// lesson 18; device sim,gpu; nvcc,clang; want: pass; tries: two teams of four warps share 64 queries and take the tiles of keys in turn (flash decoding within a block): tiles and named barriers are a team's own, weights take the place of the keys, and the two softmaxes are merged in the end
LAUNCH(128, 2, 64, 64, 88064)

constexpr int ROWS = 64, KEYS = 64, CHUNKS = 16, Q_WIDE = 18, K_WIDE = 17, V_WIDE = 16, TEAM = 128;
constexpr float SCALE = 1.44269504f / 8;  // exp(x / 8) is 2 to the power of x log2(e) / 8

__device__ __forceinline__ void ptx_bar_sync(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" :: "r"(id), "r"(threads) : "memory");
}

struct Own {
    union {
        float4 k[KEYS * K_WIDE];
        float4 p[ROWS * Q_WIDE];  // once all scores of the tile are made
    };
    float4 v[KEYS * V_WIDE];
};

struct Memory {
    float4 q[ROWS * Q_WIDE];
    Own team[2];
};
static_assert(sizeof(Memory) == 88064, "LAUNCH");

// What the second team hands over: of each thread its sums and what they are relative to.
struct Hand {
    float4 total[8][TEAM];
    float largest[4][TEAM], sum[4][TEAM];
};
static_assert(sizeof(Hand) <= sizeof(Own), "fits into the second team's tiles");

__device__ __forceinline__ void add(float4 &sum, float x, const float4 &y)
{
    sum.x += x * y.x;
    sum.y += x * y.y;
    sum.z += x * y.z;
    sum.w += x * y.w;
}

__device__ __forceinline__ float4 times(const float4 &x, float f) { return make_float4(x.x * f, x.y * f, x.z * f, x.w * f); }

// Rows of 16 chunks, by so many threads; zeros for those that are not there.
template <int COUNT, int THREADS>
__device__ __forceinline__ void fill(float4 *tile, int wide, const float *from, int have, int id)
{
#pragma unroll
    for (int j = 0; j < COUNT * CHUNKS / THREADS; j++) {
        const int e = j * THREADS + id, row = e / CHUNKS, chunk = e % CHUNKS;
        tile[row * wide + chunk] = row < have ? ((const float4 *)from)[e] : make_float4(0, 0, 0, 0);
    }
}

__global__ void __launch_bounds__(256, 2)
attention(float *out, const float *q, const float *k, const float *v, int queries, int keys)
{
    extern __shared__ float4 bytes[];
    Memory &memory = *(Memory *)bytes;

    const int t = threadIdx.x, team = threadIdx.y, lane = t % 32;
    const int ty = (lane & 1) + (lane >> 1 & 2), tx = (lane >> 1 & 1) + (lane >> 2 & 6);
    const int row0 = t / 32 * 16 + ty, first = blockIdx.y * ROWS;
    Own &own = memory.team[team];
    const int bar = 1 + team;

    float largest[4], sum[4] = {};
    float4 total[4][2] = {};
#pragma unroll
    for (int p = 0; p < 4; p++)
        largest[p] = -INFINITY;

    fill<ROWS, 2 * TEAM>(memory.q, Q_WIDE, q + (size_t)first * 64, queries - first, team * TEAM + t);
    __syncthreads();

    for (int key0 = team * KEYS; key0 < keys; key0 += 2 * KEYS) {
        const int have = keys - key0;
        fill<KEYS, TEAM>(own.k, K_WIDE, k + (size_t)key0 * 64, have, t);
        fill<KEYS, TEAM>(own.v, V_WIDE, v + (size_t)key0 * 64, have, t);
        ptx_bar_sync(bar, TEAM);

        float s[4][8] = {};
#pragma unroll 4
        for (int c = 0; c < CHUNKS; c++) {
            float4 a[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                a[p] = memory.q[(row0 + 4 * p) * Q_WIDE + c];
#pragma unroll
            for (int j = 0; j < 8; j++) {
                const float4 b = own.k[(tx + 8 * j) * K_WIDE + c];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    s[p][j] += a[p].x * b.x;
                    s[p][j] += a[p].y * b.y;
                    s[p][j] += a[p].z * b.z;
                    s[p][j] += a[p].w * b.w;
                }
            }
        }
        if (have < KEYS)
#pragma unroll
            for (int j = 0; j < 8; j++)
                if (tx + 8 * j >= have)
#pragma unroll
                    for (int p = 0; p < 4; p++)
                        s[p][j] = -INFINITY;

        ptx_bar_sync(bar, TEAM);  // nobody of the team reads the keys any more

#pragma unroll
        for (int p = 0; p < 4; p++) {
            float most = s[p][0];
#pragma unroll
            for (int j = 1; j < 8; j++)
                most = fmaxf(most, s[p][j]);
            most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, 2));
            most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, 8));
            most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, 16));
            most = fmaxf(largest[p], most * SCALE);
            const float shrink = exp2f(largest[p] - most);
            largest[p] = most;
            sum[p] *= shrink;
#pragma unroll
            for (int h = 0; h < 2; h++) {
                total[p][h] = times(total[p][h], shrink);
                const float *x = &s[p][h * 4];
                const float4 w = make_float4(exp2f(x[0] * SCALE - most), exp2f(x[1] * SCALE - most),
                                             exp2f(x[2] * SCALE - most), exp2f(x[3] * SCALE - most));
                sum[p] += w.x + w.y + w.z + w.w;
                own.p[(row0 + 4 * p) * Q_WIDE + tx + 8 * h] = w;
            }
        }
        __syncwarp();  // a warp reads weights of its own rows only

        // Chunk c of the weights belongs to keys c % 8 + c / 8 * 32 + 8 i.
#pragma unroll 4
        for (int c = 0; c < CHUNKS; c++) {
            float4 w[4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                w[p] = own.p[(row0 + 4 * p) * Q_WIDE + c];
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const float4 *b = &own.v[(c % 8 + c / 8 * 32) * V_WIDE + tx + 8 * h];
                const float4 b0 = b[0], b1 = b[8 * V_WIDE], b2 = b[16 * V_WIDE], b3 = b[24 * V_WIDE];
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    add(total[p][h], w[p].x, b0);
                    add(total[p][h], w[p].y, b1);
                    add(total[p][h], w[p].z, b2);
                    add(total[p][h], w[p].w, b3);
                }
            }
        }
        ptx_bar_sync(bar, TEAM);
    }

    // The second team may have had no keys at all: then its largest score is minus infinity, and its factor 0.
    Hand &hand = *(Hand *)&memory.team[1];
    if (team == 1)
#pragma unroll
        for (int p = 0; p < 4; p++) {
            hand.largest[p][t] = largest[p];
            hand.sum[p][t] = sum[p];
            hand.total[2 * p][t] = total[p][0];
            hand.total[2 * p + 1][t] = total[p][1];
        }
    __syncthreads();
    if (team == 1)
        return;

#pragma unroll
    for (int p = 0; p < 4; p++) {
        const float other = hand.largest[p][t], most = fmaxf(largest[p], other);
        const float mine = exp2f(largest[p] - most), theirs = exp2f(other - most);
        float all = sum[p] * mine + hand.sum[p][t] * theirs;
        all += __shfl_xor_sync(0xffffffffu, all, 2);
        all += __shfl_xor_sync(0xffffffffu, all, 8);
        all += __shfl_xor_sync(0xffffffffu, all, 16);
        const int row = first + row0 + 4 * p;
#pragma unroll
        for (int h = 0; h < 2; h++) {
            float4 r = times(total[p][h], mine);
            add(r, theirs, hand.total[2 * p + h][t]);
            if (row < queries)
                ((float4 *)out)[(size_t)row * CHUNKS + tx + 8 * h] = times(r, 1 / all);
        }
    }
}
