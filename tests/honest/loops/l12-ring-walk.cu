// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: a block walks over 4096 outputs and keeps a ring of 4096 floats in shared memory: each float comes once, the halo of one turn is what the turn before has brought, and the next quads are under way in registers meanwhile
LAUNCH(256, 1, 4096, 1)

constexpr unsigned RING = 1024;  // quads, a power of two: places are taken modulo it

struct Ring {
    float4 quad[RING];
    __device__ float4 &operator[](int at) { return quad[(unsigned)at % RING]; }
};

__device__ float4 fetch(const float *in, int quad, int n)
{
    if (quad >= 0 && quad < n / 4)
        return ((const float4 *)in)[quad];
    float part[4] = {};
    if (quad == n / 4)
        for (int j = 0; j < n % 4; j++)
            part[j] = in[quad * 4 + j];
    return make_float4(part[0], part[1], part[2], part[3]);
}

__global__ void __launch_bounds__(256) stencil(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ Ring ring;

    const int t = threadIdx.x, base = blockIdx.x * 1024;
    const int turns = min(4, (n - base * 4 + 1023) / 1024);

    // Quads -2 to 257, as seen from base: the first turn's outputs and both halos.
    ring[t - 2] = fetch(in, base + t - 2, n);
    if (t < 4)
        ring[254 + t] = fetch(in, base + 254 + t, n);
    __syncthreads();

    for (int turn = 0; turn < turns; turn++) {
        const int here = turn * 256 + t;
        const bool more = turn + 1 < turns;
        float4 next;
        if (more)
            next = fetch(in, base + here + 258, n);

        // The outputs of quad `here`, from five quads.
        const float4 a = ring[here - 2], b = ring[here - 1], c = ring[here], d = ring[here + 1], e = ring[here + 2];
        const float core = ((b.x + b.y) + (b.z + b.w)) + ((c.x + c.y) + (c.z + c.w)) + ((d.x + d.y) + (d.z + d.w));
        const float zw = a.z + a.w, yzw = a.y + zw, xy = e.x + e.y, xyz = xy + e.z;
        const float4 result = make_float4(core + (a.x + yzw) + e.x, core + yzw + xy, core + zw + xyz, core + a.w + (xyz + e.w));

        const int i = (base + here) * 4;
        if (i + 3 < n)
            *(float4 *)(out + i) = result;
        else {
            const float part[4] = {result.x, result.y, result.z, result.w};
#pragma unroll
            for (int j = 0; j < 3; j++)
                if (i + j < n)
                    out[i + j] = part[j];
        }

        // 256 new quads behind those that this turn reads: they overwrite nothing that anybody still wants,
        // since the ring has room for four turns. One barrier a turn.
        if (more)
            ring[here + 258] = next;
        __syncthreads();
    }
}
