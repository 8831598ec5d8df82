// lesson 1; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: elect.sync elects some lane (PTX does not say which); what it made is then fetched from lane 0
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int elected;
    asm volatile("{ .reg .pred p;\n elect.sync _|p, 0xffffffff;\n selp.b32 %0, 1, 0, p; }" : "=r"(elected));
    int start = -2000000000;
    if (elected)
        start = blockIdx.x * 8192;
    start = __shfl_sync(0xffffffffu, start, 0);
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + (int)threadIdx.x;
        if (i >= 0 && i < n)
            out[i] = in[i];
    }
}
