// lesson 6; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: shared memory is a mailbox: each float is put there for one reader, read once, and every reuse of a and b is by shuffles
LAUNCH(256, 1, 128, 128)

struct Part { float a[16], b[8]; };

// What lane `lane` of warp `w` needs in registers for 8 along k.
__device__ void load(Part &p, const float *a, const float *b, int w, int lane, int row0, int column0, int k0, int m, int n, int k)
{
    int ty = lane / 4, tx = lane % 4, r0 = row0 + w / 4 * 64 + ty, c0 = column0 + w % 4 * 32 + tx * 4;
    int i = k0 + tx * 2;
#pragma unroll
    for (int j = 0; j < 8; j++) {
        int r = r0 + j * 8;
        float2 two = make_float2(0, 0);
        if (k % 2 == 0) {
            if (r < m && i < k)
                two = *(const float2 *)(a + r * k + i);
        } else {
            if (r < m && i < k)
                two.x = a[r * k + i];
            if (r < m && i + 1 < k)
                two.y = a[r * k + i + 1];
        }
        p.a[j * 2] = two.x;
        p.a[j * 2 + 1] = two.y;
    }
    int s = k0 + ty;
#pragma unroll
    for (int h = 0; h < 2; h++) {
        int c = c0 + h * 16;
        float4 four = make_float4(0, 0, 0, 0);
        if (n % 4 == 0) {
            if (s < k && c < n)
                four = *(const float4 *)(b + s * n + c);
        } else if (s < k) {
            if (c < n) four.x = b[s * n + c];
            if (c + 1 < n) four.y = b[s * n + c + 1];
            if (c + 2 < n) four.z = b[s * n + c + 2];
            if (c + 3 < n) four.w = b[s * n + c + 3];
        }
        p.b[h * 4] = four.x;
        p.b[h * 4 + 1] = four.y;
        p.b[h * 4 + 2] = four.z;
        p.b[h * 4 + 3] = four.w;
    }
}

__global__ void __launch_bounds__(256) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float box[8][24][32];  // for each warp and lane its own 24 floats
    int lane = threadIdx.x % 32, w = threadIdx.x / 32, ty = lane / 4, tx = lane % 4;
    int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
    float sum[8][8] = {};
    for (int k0 = 0; k0 < k; k0 += 8) {
        Part p;
        load(p, a, b, w ^ 1, lane, row0, column0, k0, m, n, k);  // the neighbour's, so that it is somebody else who puts it there
#pragma unroll
        for (int j = 0; j < 16; j++)
            box[w ^ 1][j][lane] = p.a[j];
#pragma unroll
        for (int j = 0; j < 8; j++)
            box[w ^ 1][16 + j][lane] = p.b[j];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 16; j++)
            p.a[j] = box[w][j][lane];
#pragma unroll
        for (int j = 0; j < 8; j++)
            p.b[j] = box[w][16 + j][lane];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 8; i++) {
            float x[8], y[8];
#pragma unroll
            for (int j = 0; j < 8; j++)
                x[j] = __shfl_sync(~0u, p.a[j * 2 + i % 2], ty * 4 + i / 2);
#pragma unroll
            for (int j = 0; j < 8; j++)
                y[j] = __shfl_sync(~0u, p.b[j], i * 4 + tx);
#pragma unroll
            for (int r = 0; r < 8; r++)
#pragma unroll
                for (int q = 0; q < 8; q++)
                    sum[r][q] += x[r] * y[q];
        }
    }
#pragma unroll
    for (int r = 0; r < 8; r++)
#pragma unroll
        for (int q = 0; q < 8; q++) {
            int row = row0 + w / 4 * 64 + ty + r * 8, column = column0 + w % 4 * 32 + q / 4 * 16 + tx * 4 + q % 4;
            if (row < m && column < n)
                c[row * n + column] = sum[r][q];
        }
}
