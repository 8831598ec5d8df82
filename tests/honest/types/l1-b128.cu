// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: 128-bit registers of PTX: ld.global.b128 and st.global.b128, L2 prefetch of the next
LAUNCH(128, 1, 4096, 1)
__global__ void copy(float *out, const float *in, int n)
{
    const int base = blockIdx.x * 4096 + threadIdx.x * 4;
#pragma unroll 1
    for (int j = 0; j < 8; j++) {
        int i = base + j * 512;
        if (i + 512 < n && j < 7) asm volatile("prefetch.global.L2 [%0];" ::"l"(in + i + 512));
        if (i + 4 <= n)
            asm volatile("{\n\t.reg .b128 q;\n\tld.global.b128 q, [%0];\n\tst.global.b128 [%1], q;\n\t}" ::"l"(in + i), "l"(out + i) : "memory");
        else
            for (int e = i; e < n; e++) out[e] = in[e];
    }
}
