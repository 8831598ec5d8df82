// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: as in an MPI code: a core, ghost cells left and right, each filled by warps of its own
LAUNCH(256, 1, 1024, 1)

enum { CORE = 1024, GHOSTS = 8 };

struct Parts {
    float left[GHOSTS];
    float core[CORE];
    float right[GHOSTS];
};

union Strip {  // the same memory, part by part and in fours
    Parts part;
    float4 four[(CORE + 2 * GHOSTS) / 4];
};

struct Domain {
    const float *cell;
    int cells;
    __device__ float operator[](int i) const { return 0 <= i && i < cells ? cell[i] : 0.0f; }
};

__global__ void __launch_bounds__(256) stencil(float *out, const float *in, int n)
{
    __shared__ Strip strip;
    const Domain domain = {in, n};
    const int t = threadIdx.x, base = blockIdx.x * CORE;

    // "Exchange" the ghosts: the first warp has the left neighbour's last cells, the last warp the right one's
    // first.
    if (t < GHOSTS)
        strip.part.left[t] = domain[base - GHOSTS + t];
    else if (t >= 256 - GHOSTS)
        strip.part.right[t - (256 - GHOSTS)] = domain[base + CORE + t - (256 - GHOSTS)];
#pragma unroll
    for (int k = 0; k < CORE; k += 256)
        strip.part.core[k + t] = domain[base + k + t];
    __syncthreads();

    // Cells 4 t to 4 t + 3 of the core, with eight on either side: five fours.
    float cell[20];
#pragma unroll
    for (int q = 0; q < 5; q++) {
        const float4 v = strip.four[t + q];
        cell[4 * q + 0] = v.x;
        cell[4 * q + 1] = v.y;
        cell[4 * q + 2] = v.z;
        cell[4 * q + 3] = v.w;
    }

    float inner = 0.0f;  // what all four outputs add
#pragma unroll
    for (int d = 3; d <= 16; d++)
        inner += cell[d];

    float result[4];
#pragma unroll
    for (int j = 0; j < 4; j++) {
        result[j] = inner;
#pragma unroll
        for (int d = 0; d < 3; d++) {
            if (d >= j)
                result[j] += cell[d];
            if (d < j)
                result[j] += cell[17 + d];
        }
    }

    const int i = base + 4 * t;
    if (i <= n - 4)
        reinterpret_cast<float4 *>(out)[i / 4] = make_float4(result[0], result[1], result[2], result[3]);
    else
        for (int j = 0; i + j < n; j++)
            out[i + j] = j == 0 ? result[0] : j == 1 ? result[1] : result[2];
}
