// Four words a lane: by one instruction, or by four.
__device__ float out[128];

__global__ void wide()
{
    __shared__ float4 quads[32];
    __shared__ float words[4][32];
    int t = threadIdx.x;
    quads[t] = make_float4(t, t, t, t);
    for (int i = 0; i < 4; i++)
        words[i][t] = out[i * 32 + t];
    __syncthreads();
    float4 quad = quads[t];          // 16 bytes a lane
    float sum = quad.x + quad.y + quad.z + quad.w;
    for (int i = 0; i < 4; i++)
        sum += words[i][t];          // four times 4 bytes a lane
    out[t] = sum;
}
