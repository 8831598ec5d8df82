// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: a hierarchy of shapes as template parameters (block 64 x 64 x 16, warp 16 x 32, thread 4 x 4), fragments kept twice: while one is multiplied the next one is read, across the edge of the step too
LAUNCH(256, 1, 64, 64)

template <int M_, int N_, int K_ = 1>
struct Shape {
    static constexpr int M = M_, N = N_, K = K_;
};

template <typename Block, typename Warp, typename Thread>
struct Mainloop {
    static constexpr int THREADS = Block::M / Warp::M * (Block::N / Warp::N) * 32;
    static constexpr int LANES_M = Warp::M / Thread::M, LANES_N = Warp::N / Thread::N;
    static_assert(LANES_M * LANES_N == 32 && LANES_N == 8 && Thread::N == 4 && Block::K % 4 == 0, "");

    // Two stages of each tile: the barrier of a step serves both directions.
    struct Storage {
        float4 a[2][Block::M][Block::K / 4];  // chunk q of row r at q ^ (r & 3)
        float4 b[2][Block::K][Block::N / 4];
    };

    static constexpr int A_EACH = Block::M * Block::K / THREADS, B_EACH = Block::K * Block::N / THREADS;

    struct Fragment {  // four along k
        float4 a[Thread::M], b[4];
    };

    Storage &at;
    const float *a, *b;
    int m, n, k, row0, column0, id, ty, tx, wy, wx;
    float from_a[A_EACH], from_b[B_EACH];
    float4 sum[Thread::M];
    Fragment fragment[2];

    __device__ Mainloop(Storage &storage, const float *a_, const float *b_, int m_, int n_, int k_)
        : at(storage), a(a_), b(b_), m(m_), n(n_), k(k_), row0(blockIdx.y * Block::M), column0(blockIdx.x * Block::N), id(threadIdx.x), sum{}
    {
        const int lane = id % 32, warp = id / 32;
        ty = (lane & 1) + (lane >> 1 & 2);  // so that loads of 16 bytes pair up
        tx = (lane >> 1 & 1) + (lane >> 2 & 6);
        wy = warp / (Block::N / Warp::N) * Warp::M;
        wx = warp % (Block::N / Warp::N) * Warp::N;
    }

    __device__ void to_registers(int k0)
    {
#pragma unroll
        for (int j = 0; j < A_EACH; j++) {
            const int e = j * THREADS + id, r = row0 + e / Block::K, i = k0 + e % Block::K;
            from_a[j] = r < m && i < k ? a[r * k + i] : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < B_EACH; j++) {
            const int e = j * THREADS + id, i = k0 + e / Block::N, q = column0 + e % Block::N;
            from_b[j] = i < k && q < n ? b[i * n + q] : 0.0f;
        }
    }

    __device__ void to_shared(int stage)
    {
#pragma unroll
        for (int j = 0; j < A_EACH; j++) {
            const int e = j * THREADS + id, r = e / Block::K, i = e % Block::K;
            ((float *)&at.a[stage][r][i / 4 ^ (r & 3)])[i % 4] = from_a[j];
        }
#pragma unroll
        for (int j = 0; j < B_EACH; j++) {
            const int e = j * THREADS + id;
            ((float *)at.b[stage][e / Block::N])[e % Block::N] = from_b[j];
        }
    }

    __device__ void read(Fragment &f, int stage, int group) const
    {
#pragma unroll
        for (int p = 0; p < Thread::M; p++)
            f.a[p] = at.a[stage][wy + p * LANES_M + ty][group ^ (ty & 3)];
#pragma unroll
        for (int i = 0; i < 4; i++)
            f.b[i] = at.b[stage][group * 4 + i][wx / 4 + tx];
    }

    __device__ void multiply(const Fragment &f)
    {
#pragma unroll
        for (int p = 0; p < Thread::M; p++) {
            const float x[4] = {f.a[p].x, f.a[p].y, f.a[p].z, f.a[p].w};
#pragma unroll
            for (int i = 0; i < 4; i++) {
                sum[p].x += x[i] * f.b[i].x;
                sum[p].y += x[i] * f.b[i].y;
                sum[p].z += x[i] * f.b[i].z;
                sum[p].w += x[i] * f.b[i].w;
            }
        }
    }

    __device__ void operator()()
    {
        constexpr int GROUPS = Block::K / 4;
        static_assert(GROUPS % 2 == 0, "the first fragment of a step is always fragment 0");
        to_registers(0);
        to_shared(0);
        __syncthreads();
        read(fragment[0], 0, 0);

        int stage = 0;
        for (int k0 = Block::K;; k0 += Block::K, stage ^= 1) {
            const bool more = k0 < k;
            if (more)
                to_registers(k0);
#pragma unroll
            for (int g = 0; g < GROUPS; g++) {
                if (g + 1 < GROUPS)
                    read(fragment[(g + 1) & 1], stage, g + 1);
                else if (more) {
                    to_shared(stage ^ 1);  // read last in the step before: a barrier ago
                    __syncthreads();
                    read(fragment[(g + 1) & 1], stage ^ 1, 0);
                }
                multiply(fragment[g & 1]);
            }
            if (!more)
                break;
        }
    }

    __device__ void store(float *c) const
    {
#pragma unroll
        for (int p = 0; p < Thread::M; p++) {
            const int row = row0 + wy + p * LANES_M + ty, column = column0 + wx + tx * 4;
            const float part[4] = {sum[p].x, sum[p].y, sum[p].z, sum[p].w};
            if (row < m && n % 4 == 0 && column < n)
                *(float4 *)(c + row * n + column) = sum[p];
            else if (row < m)
#pragma unroll
                for (int q = 0; q < 4; q++)
                    if (column + q < n)
                        c[row * n + column + q] = part[q];
        }
    }
};

__global__ void __launch_bounds__(256, 2)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    using Loop = Mainloop<Shape<64, 64, 16>, Shape<16, 32>, Shape<4, 4>>;
    __shared__ typename Loop::Storage storage;
    Loop loop(storage, a, b, m, n, k);
    loop();
    loop.store(c);
}
