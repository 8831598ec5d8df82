// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: the next pair of tiles is fetched into registers while this one is multiplied, rows of a as explicit float4, pointers walk
LAUNCH(32, 32, 32, 32)

constexpr int T = 32;

struct __align__(16) Tiles {
    float a[T][T], b[T][T];
};

__global__ void __launch_bounds__(T * T) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ Tiles tiles;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int column = blockIdx.x * T + tx, row = blockIdx.y * T + ty;
    const bool row_in = row < m, column_in = column < n;

    // Rows and columns that do not exist stay at the first element, and are never read.
    const float *next_a = a + (row_in ? (size_t)row * k : 0) + tx;
    const float *next_b = b + (size_t)ty * n + (column_in ? column : 0);
    const size_t b_step = (size_t)T * n;

    float held_a = row_in && tx < k ? *next_a : 0.0f;
    float held_b = column_in && ty < k ? *next_b : 0.0f;
    float sum = 0.0f;

    for (int left = k; left > 0; left -= T) {
        tiles.a[ty][tx] = held_a;
        tiles.b[ty][tx] = held_b;
        __syncthreads();  // filled before read

        next_a += T;
        next_b += b_step;
        held_a = row_in && tx < left - T ? *next_a : 0.0f;
        held_b = column_in && ty < left - T ? *next_b : 0.0f;

        const float4 *x = reinterpret_cast<const float4 *>(tiles.a[ty]);
#pragma unroll
        for (int i = 0; i < T / 4; i++) {
            const float4 four = x[i];  // one address for the warp
            sum = fmaf(four.x, tiles.b[4 * i + 0][tx], sum);
            sum = fmaf(four.y, tiles.b[4 * i + 1][tx], sum);
            sum = fmaf(four.z, tiles.b[4 * i + 2][tx], sum);
            sum = fmaf(four.w, tiles.b[4 * i + 3][tx], sum);
        }
        __syncthreads();  // read before overwritten
    }

    if (row_in && column_in)
        c[(size_t)row * n + column] = sum;
}
