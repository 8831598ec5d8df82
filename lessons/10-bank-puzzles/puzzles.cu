// The puzzles: one access to shared memory each. `s` is the start of a block's shared memory; one warp runs.
extern __shared__ int s[];
#define lane ((int)threadIdx.x)

__global__ void p01(int *out)
{
    out[lane] = s[lane];
}

__global__ void p02(int *out)
{
    out[lane] = s[lane * 2];
}

__global__ void p03(int *out)
{
    out[lane] = s[lane * 3];
}

__global__ void p04(int *out)
{
    out[lane] = s[lane * 8];
}

__global__ void p05(int *out)
{
    out[lane] = s[lane * 12];
}

__global__ void p06(int *out)
{
    out[lane] = s[lane * 32];
}

__global__ void p07(int *out)
{
    out[lane] = s[lane * 33];
}

__global__ void p08(int *out)
{
    out[lane] = s[blockIdx.x];
}

__global__ void p09(int *out)
{
    out[lane] = s[lane / 2];
}

__global__ void p10(int *out)
{
    out[lane] = s[lane % 2 * 32];
}

__global__ void p11(int *out)
{
    out[lane] = s[lane % 4 * 8];
}

__global__ void p12(int *out)
{
    out[lane] = s[lane / 8 * 32 + lane % 8];
}

__global__ void p13(int *out)
{
    out[lane] = s[lane * 5 % 32 + lane % 3 * 32];
}

__global__ void p14(int *out)
{
    if (lane < 16)
        out[lane] = s[lane * 32];
}

__global__ void p15(int *out)
{
    if (lane % 2 == 0)
        out[lane] = s[lane * 2];
}

__global__ void p16(int *out)
{
    s[lane % 8 * 4] = lane;
}

__global__ void p17(int *out)
{
    out[lane] = ((char *)s)[lane];
}

__global__ void p18(int *out)
{
    float2 v = ((float2 *)s)[lane];
    out[lane] = (int)(v.x + v.y);
}

__global__ void p19(int *out)
{
    float4 v = ((float4 *)s)[lane];
    out[lane] = (int)(v.x + v.y + v.z + v.w);
}

__global__ void p20(int *out)
{
    float4 v = ((float4 *)s)[lane * 2];
    out[lane] = (int)(v.x + v.y + v.z + v.w);
}

__global__ void p21(int *out)
{
    float4 v = ((float4 *)s)[blockIdx.x];
    out[lane] = (int)(v.x + v.y + v.z + v.w);
}

__global__ void p22(int *out)
{
    float4 v = ((float4 *)s)[lane * 9];
    out[lane] = (int)(v.x + v.y + v.z + v.w);
}

__global__ void p23(int *out)
{
    float4 v = ((float4 *)s)[lane % 8 * 8 + (lane / 8 ^ lane % 8)];
    out[lane] = (int)(v.x + v.y + v.z + v.w);
}

__global__ void p24(int *out)
{
    unsigned row = (unsigned)__cvta_generic_to_shared(&s[lane * 32]), r0, r1, r2, r3;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3) : "r"(row));
    out[lane] = (int)(r0 + r1 + r2 + r3);
}

__global__ void p25(int *out)
{
    unsigned row = (unsigned)__cvta_generic_to_shared(&s[lane * 32 + lane % 8 * 4]), r0, r1, r2, r3;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3) : "r"(row));
    out[lane] = (int)(r0 + r1 + r2 + r3);
}
