// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: the whole loop, labels, branch and predicated v4 accesses, is one asm statement
LAUNCH(256, 1, 8192, 1)

// Floats from `first` on: quads 0, 1024, 2048 and 3072 floats away, then 4096 floats further. `left`
// counts what exists from the thread's own place on, and goes down with each turn.
__global__ void copy(float *out, const float *in, int n)
{
    int first = blockIdx.x * 8192 + threadIdx.x * 4;
    int left = n - first;
    unsigned long long from = (unsigned long long)__cvta_generic_to_global(in) + 4ll * first;
    unsigned long long to = (unsigned long long)__cvta_generic_to_global(out) + 4ll * first;

    asm volatile(
        "{\n\t"
        ".reg .pred go, p<4>;\n\t"
        ".reg .b32 a<16>, turn, rest;\n\t"
        ".reg .b64 src, dst;\n\t"
        "mov.u64 src, %0;\n\t"
        "mov.u64 dst, %1;\n\t"
        "mov.u32 rest, %2;\n\t"
        "mov.u32 turn, 0;\n"
        "Again:\n\t"
        "setp.ge.s32 p0, rest, 4;\n\t"
        "setp.ge.s32 p1, rest, 1028;\n\t"
        "setp.ge.s32 p2, rest, 2052;\n\t"
        "setp.ge.s32 p3, rest, 3076;\n\t"
        "@p0 ld.global.nc.v4.b32 {a0, a1, a2, a3}, [src];\n\t"
        "@p1 ld.global.nc.v4.b32 {a4, a5, a6, a7}, [src+4096];\n\t"
        "@p2 ld.global.nc.v4.b32 {a8, a9, a10, a11}, [src+8192];\n\t"
        "@p3 ld.global.nc.v4.b32 {a12, a13, a14, a15}, [src+12288];\n\t"
        "@p0 st.global.v4.b32 [dst], {a0, a1, a2, a3};\n\t"
        "@p1 st.global.v4.b32 [dst+4096], {a4, a5, a6, a7};\n\t"
        "@p2 st.global.v4.b32 [dst+8192], {a8, a9, a10, a11};\n\t"
        "@p3 st.global.v4.b32 [dst+12288], {a12, a13, a14, a15};\n\t"
        "add.s64 src, src, 16384;\n\t"
        "add.s64 dst, dst, 16384;\n\t"
        "sub.s32 rest, rest, 4096;\n\t"
        "add.u32 turn, turn, 1;\n\t"
        "setp.lt.u32 go, turn, 2;\n\t"
        "@go bra Again;\n\t"
        "}"
        :: "l"(from), "l"(to), "r"(left) : "memory");

    // One quad of the whole array may be cut by its end: up to three floats, one lane each.
    int cut = n & ~3;
    int block = blockIdx.x * 8192;
    if (cut >= block && cut < block + 8192 && (int)threadIdx.x < n - cut)
        out[cut + threadIdx.x] = in[cut + threadIdx.x];
}
