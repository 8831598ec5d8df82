// lesson 12; device sim,gpu; nvcc,clang; want: pass|fail, at least 75; tries: a running sum in registers over eight outputs a thread
LAUNCH(128, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[1024 + 16];
    int t = threadIdx.x, base = blockIdx.x * 1024;
    for (int k = t; k < 1040; k += 128) {
        int i = base - 8 + k;
        tile[k] = i >= 0 && i < n ? in[i] : 0.0f;
    }
    __syncthreads();
    for (int h = 0; h < 1024; h += 512) {
        const float4 *p = (const float4 *)(tile + h) + t;
        float w[20];
#pragma unroll
        for (int q = 0; q < 5; q++)
            *(float4 *)(w + 4 * q) = p[q];
        float s = 0.0f, r[4];
#pragma unroll
        for (int d = 0; d < 17; d++)
            s += w[d];
        r[0] = s;
#pragma unroll
        for (int j = 1; j < 4; j++)
            r[j] = s = s + w[16 + j] - w[j - 1];
        int i = base + h + 4 * t;
        if (i + 4 <= n)
            *(float4 *)(out + i) = *(float4 *)r;
        else
#pragma unroll
            for (int j = 0; j < 4; j++)
                if (i + j < n)
                    out[i + j] = r[j];
    }
}
