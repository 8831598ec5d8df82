// lesson 7; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: a and b go from global memory straight to registers; only the finished sums pass through 512 bytes of shared memory
LAUNCH(32, 1, 64, 64)  // a warp has 64 x 64 elements, a lane 16 x 8

__global__ void __launch_bounds__(32)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float4 pass[32];

    int lane = threadIdx.x, ty = lane / 8, tx = lane % 8;
    int row0 = blockIdx.y * 64 + ty, column0 = blockIdx.x * 64 + tx * 4;  // rows 4 apart, columns 32 apart
    float sum[16][8] = {};

    if (n % 4 == 0 && k % 4 == 0)
        for (int k0 = 0; k0 < k; k0 += 4) {
            float y[4][8];
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    float4 four = make_float4(0, 0, 0, 0);
                    if (column0 + h * 32 < n)
                        four = *(const float4 *)&b[(k0 + i) * n + column0 + h * 32];
                    y[i][h * 4] = four.x, y[i][h * 4 + 1] = four.y, y[i][h * 4 + 2] = four.z, y[i][h * 4 + 3] = four.w;
                }
#pragma unroll
            for (int p = 0; p < 16; p++) {
                float4 x = make_float4(0, 0, 0, 0);
                if (row0 + p * 4 < m)
                    x = *(const float4 *)&a[(row0 + p * 4) * k + k0];
#pragma unroll
                for (int q = 0; q < 8; q++)
                    sum[p][q] += x.x * y[0][q] + x.y * y[1][q] + x.z * y[2][q] + x.w * y[3][q];
            }
        }
    else
        for (int i = 0; i < k; i++) {
            float y[8];
#pragma unroll
            for (int q = 0; q < 8; q++) {
                int column = column0 + q / 4 * 32 + q % 4;
                y[q] = column < n ? b[i * n + column] : 0.0f;
            }
#pragma unroll
            for (int p = 0; p < 16; p++) {
                float x = row0 + p * 4 < m ? a[(row0 + p * 4) * k + i] : 0.0f;
#pragma unroll
                for (int q = 0; q < 8; q++)
                    sum[p][q] += x * y[q];
            }
        }

    // What there is of shared memory: neighbours exchange their results, and write each other's.
    int other = blockIdx.x * 64 + (tx ^ 1) * 4;
#pragma unroll
    for (int p = 0; p < 16; p++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const float *s = &sum[p][h * 4];
            pass[lane] = make_float4(s[0], s[1], s[2], s[3]);
            __syncwarp();
            float4 four = pass[lane ^ 1];
            __syncwarp();
            int row = row0 + p * 4, column = other + h * 32;
            float *to = c + row * n + column;
            if (row < m) {
                if (n % 4 == 0) {
                    if (column < n)
                        *(float4 *)to = four;
                } else {
                    if (column < n)
                        to[0] = four.x;
                    if (column + 1 < n)
                        to[1] = four.y;
                    if (column + 2 < n)
                        to[2] = four.z;
                    if (column + 3 < n)
                        to[3] = four.w;
                }
            }
        }
}
