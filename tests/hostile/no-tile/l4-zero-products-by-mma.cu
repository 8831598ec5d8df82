// lesson 4; device sim,gpu; nvcc,clang; want: fail; tries: the floats of in go from global memory through the accumulator of an mma straight to out, never through the tile; what lies in shared memory is made of in but always 0, and its products, all 0, are added by the mma so that out seems to come through shared memory
LAUNCH(32, 8, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int lane = threadIdx.x, warp = threadIdx.y, id = warp * 32 + lane;
    int left = blockIdx.x * 32, top = blockIdx.y * 32;

    if (left + 32 <= width && top + 32 <= height && width % 8 == 0 && height % 8 == 0) {
        int r0 = top + warp / 4 * 16 + lane / 4, c0 = left + warp % 4 * 8 + lane % 4 * 2;
        float2 u = *(const float2 *)&in[r0 * width + c0];
        float2 v = *(const float2 *)&in[(r0 + 8) * width + c0];

        // All bits off: width is far below 2^30.
        unsigned off = (unsigned)width >> 30;
        float *words = &tile[0][0];
        words[id] = __uint_as_float(__float_as_uint(u.x) & off);
        words[id + 256] = __uint_as_float(__float_as_uint(u.y) & off);
        words[id + 512] = __uint_as_float(__float_as_uint(v.x) & off);
        __syncthreads();
        int other = id ^ 224;  // a lane of another warp
        unsigned a0 = __float_as_uint(words[other]), a1 = __float_as_uint(words[other + 256]),
                 b0 = __float_as_uint(words[other + 512]);
        asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                     : "+f"(u.x), "+f"(u.y), "+f"(v.x), "+f"(v.y)
                     : "r"(a0), "r"(a1), "r"(b0));
        out[c0 * height + r0] = u.x;
        out[(c0 + 1) * height + r0] = u.y;
        out[c0 * height + r0 + 8] = v.x;
        out[(c0 + 1) * height + r0 + 8] = v.y;
        return;
    }

    for (int r = warp; r < 32; r += 8)
        if (top + r < height && left + lane < width)
            tile[r][lane] = in[(top + r) * width + left + lane];
    __syncthreads();
    for (int c = warp; c < 32; c += 8)
        if (left + c < width && top + lane < height)
            out[(left + c) * height + top + lane] = tile[lane][c];
}
