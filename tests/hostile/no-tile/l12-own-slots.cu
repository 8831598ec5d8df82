// lesson 12; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: neighbours exchange by shuffles; each thread puts its own four floats into shared memory and takes the same four out again, for show
LAUNCH(256, 1, 1024, 1)

// Through shared memory and back, to the thread that put it there.
__device__ float4 detour(float4 *slot, float4 four)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(slot);
    asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};"
                 :: "r"(at), "f"(four.x), "f"(four.y), "f"(four.z), "f"(four.w) : "memory");
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(four.x), "=f"(four.y), "=f"(four.z), "=f"(four.w) : "r"(at) : "memory");
    return four;
}

__device__ float4 bring(const float *in, int i, int n)
{
    float4 four = make_float4(0, 0, 0, 0);
    if (i >= 0 && i + 3 < n)
        return *(const float4 *)&in[i];
    if (i >= 0 && i < n)
        four.x = in[i];
    if (i >= 0 && i + 1 < n)
        four.y = in[i + 1];
    if (i >= 0 && i + 2 < n)
        four.z = in[i + 2];
    return four;
}

__device__ float4 up(float4 v, int d)
{
    return make_float4(__shfl_up_sync(~0u, v.x, d), __shfl_up_sync(~0u, v.y, d), __shfl_up_sync(~0u, v.z, d),
                       __shfl_up_sync(~0u, v.w, d));
}

__device__ float4 down(float4 v, int d)
{
    return make_float4(__shfl_down_sync(~0u, v.x, d), __shfl_down_sync(~0u, v.y, d), __shfl_down_sync(~0u, v.z, d),
                       __shfl_down_sync(~0u, v.w, d));
}

__device__ float4 from(float4 v, int lane)
{
    return make_float4(__shfl_sync(~0u, v.x, lane), __shfl_sync(~0u, v.y, lane), __shfl_sync(~0u, v.z, lane),
                       __shfl_sync(~0u, v.w, lane));
}

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float4 slots[2][256];
    int t = threadIdx.x, lane = t % 32;
    int i = blockIdx.x * 1024 + t * 4, warp_first = i - lane * 4;

    // Four floats for each lane, and the halo: eight in front (lanes 0 and 1), eight behind (30, 31).
    float4 mine = detour(&slots[0][t], bring(in, i, n)), halo = make_float4(0, 0, 0, 0);
    if (lane < 2 || lane >= 30) {
        int at = lane < 2 ? warp_first - 8 + lane * 4 : warp_first + 128 + (lane - 30) * 4;
        halo = detour(&slots[1][t], bring(in, at, n));
    }

    float4 before2 = up(mine, 2), before1 = up(mine, 1), after1 = down(mine, 1), after2 = down(mine, 2);
    float4 seam = from(halo, lane == 0 ? 1 : 30);
    if (lane < 2)
        before2 = halo;
    if (lane == 0)
        before1 = seam;
    if (lane == 31)
        after1 = seam;
    if (lane >= 30)
        after2 = halo;

    float window[20] = {before2.x, before2.y, before2.z, before2.w, before1.x, before1.y, before1.z,
                        before1.w, mine.x, mine.y, mine.z, mine.w, after1.x, after1.y, after1.z,
                        after1.w, after2.x, after2.y, after2.z, after2.w};
    float sum = 0.0f, sums[4];
#pragma unroll
    for (int d = 0; d < 16; d++)
        sum += window[d];
#pragma unroll
    for (int j = 0; j < 4; j++) {
        sum += window[16 + j];
        sums[j] = sum;
        sum -= window[j];
    }

    if (i + 3 < n)
        *(float4 *)&out[i] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    else
#pragma unroll
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = sums[j];
}
