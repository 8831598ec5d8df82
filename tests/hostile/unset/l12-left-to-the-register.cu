// lesson 12; device sim,gpu; nvcc,clang; want: fail|timeout; tries: where an input does not exist the predicated load does nothing and the register keeps what it had, which nobody set: the halo at both ends of in is whatever the register file held, and must be 0; the first and the last block of every n
// 12 stencil: loads without a branch, four outputs a thread.
LAUNCH(256, 1, 1024, 1)

// The float at `from`, if it is there. One predicated load, no jump round it.
__device__ float load_if(bool there, const float *from)
{
    float value;
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.s32 p, %2, 0;\n\t@p ld.global.f32 %0, [%1];\n\t}"
                 : "=f"(value) : "l"(from), "r"((int)there));
    return value;
}

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[1024 + 16];
    int t = threadIdx.x, first = blockIdx.x * 1024 - 8;

    // Four rounds for all, a fifth for the halo behind.
    float brought[5];
#pragma unroll
    for (int j = 0; j < 5; j++) {
        int k = j * 256 + t;
        brought[j] = load_if(k < 1024 + 16 && first + k >= 0 && first + k < n, in + first + k);
    }
#pragma unroll
    for (int j = 0; j < 5; j++)
        if (j * 256 + t < 1024 + 16)
            tile[j * 256 + t] = brought[j];
    __syncthreads();

    float window[20];
    for (int q = 0; q < 5; q++) {
        float4 four = ((const float4 *)tile)[t + q];
        window[4 * q] = four.x;
        window[4 * q + 1] = four.y;
        window[4 * q + 2] = four.z;
        window[4 * q + 3] = four.w;
    }
    float sum = 0.0f, sums[4];
    for (int d = 0; d < 16; d++)
        sum += window[d];
    for (int j = 0; j < 4; j++) {
        sum += window[16 + j];
        sums[j] = sum;
        sum -= window[j];
    }

    int i = blockIdx.x * 1024 + 4 * t;
    if (i + 3 < n)
        *(float4 *)&out[i] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    else
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = sums[j];
}
