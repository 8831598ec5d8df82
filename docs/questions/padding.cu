// The inner loop of a matrix product: 32 words of one row, by every lane. ptxas joins what it can.
__device__ float out[32][32];

__global__ void padding()
{
    __shared__ float plain[32][32];
    __shared__ float padded[32][33];
    int t = threadIdx.x, row = blockIdx.x;
    for (int i = 0; i < 32; i++) {
        plain[i][t] = out[i][t];
        padded[i][t] = out[i][t];
    }
    __syncthreads();
    float a = 0, b = 0;
#pragma unroll
    for (int k = 0; k < 32; k++)
        a += plain[row][k];
#pragma unroll
    for (int k = 0; k < 32; k++)
        b += padded[row][k];
    out[0][t] = a * b;
}
