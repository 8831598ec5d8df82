// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: chunks of four floats are swizzled by r % 8 as CUTLASS does, and ldmatrix.x4 takes one chunk of all 32 rows at once, after which eight lanes hold eight neighbours of a row of out and a store fills four whole sectors; 4096 bytes, no conflict: eight rows of a matrix lie in eight different chunks; right
LAUNCH(32, 4, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ alignas(128) float tile[32][32];
    const int lane = threadIdx.x, warp = threadIdx.y, left = blockIdx.x * 32, top = blockIdx.y * 32;

#pragma unroll
    for (int r = warp; r < 32; r += 4)
        if (top + r < height && left + lane < width)
            tile[r][lane ^ (r & 7) << 2] = in[(top + r) * width + left + lane];
        else
            tile[r][lane ^ (r & 7) << 2] = 0;
    __syncthreads();

#pragma unroll
    for (int chunk = warp; chunk < 8; chunk += 4) {
        // Lane l names row l; of matrix j it gets word l % 4 of row 8 j + l / 4.
        unsigned word[4], from = (unsigned)__cvta_generic_to_shared(&tile[lane][(chunk ^ (lane & 7)) << 2]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
                     : "r"(from)
                     : "memory");
        const int c = left + chunk * 4 + lane % 4;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const int r = top + j * 8 + lane / 4;
            if (c < width && r < height)
                out[c * height + r] = __uint_as_float(word[j]);
        }
    }
}
