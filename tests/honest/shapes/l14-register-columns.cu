// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: a thread walks down 12 rows of a column with above / here / below in registers; steps by recursive template, tiles carved from bytes, 96 x 8 threads
constexpr int SIDE = 96, KEEP = SIDE - 16, BANDS = 8, BAND = SIDE / BANDS;
constexpr int BYTES = SIDE * SIDE * 4 * 2;
LAUNCH(SIDE, BANDS, KEEP, KEEP, BYTES, BYTES)

extern __shared__ __align__(16) unsigned char arena[];

struct Where {
    int c, x, y0, rows, cols;
    __device__ bool column_inside() const { return (unsigned)x < (unsigned)cols; }
    __device__ bool row_inside(int r) const { return (unsigned)(y0 + r) < (unsigned)rows; }
};

template <int Step>
__device__ __forceinline__ void relax_from(const float *now, float *next, const Where &w)
{
    if constexpr (Step <= 8) {
        const int from = max((int)threadIdx.y * BAND, Step), to = min((int)threadIdx.y * BAND + BAND, SIDE - Step);
        if (w.c >= Step && w.c < SIDE - Step && from < to) {
            const float *p = now + from * SIDE + w.c;
            float above = p[-SIDE], here = *p;
            for (int r = from; r < to; ++r, p += SIDE) {
                const float below = p[SIDE];
                const float mean = 0.25f * (above + below + p[-1] + p[1]);
                next[r * SIDE + w.c] = w.column_inside() && w.row_inside(r) ? mean : 0.0f;
                above = here;
                here = below;
            }
        }
        __syncthreads();
        relax_from<Step + 1>(next, const_cast<float *>(now), w);
    }
}

__global__ void __launch_bounds__(SIDE *BANDS) relax(float *out, const float *in, int rows, int cols)
{
    float *const even = reinterpret_cast<float *>(arena);
    float *const odd = reinterpret_cast<float *>(arena + BYTES / 2);
    const Where w{(int)threadIdx.x, (int)(blockIdx.x * KEEP + threadIdx.x) - 8, (int)(blockIdx.y * KEEP) - 8, rows, cols};

#pragma unroll 4
    for (int j = 0; j < BAND; ++j) {
        const int r = j * BANDS + threadIdx.y;
        float v = 0.0f;
        if (w.column_inside() && w.row_inside(r))
            v = in[(long long)(w.y0 + r) * cols + w.x];
        even[r * SIDE + w.c] = v;
    }
    __syncthreads();

    relax_from<1>(even, odd, w);  // eight steps: back in `even`

    if (w.c >= 8 && w.c < SIDE - 8 && w.x < cols)
        for (int r = 8 + threadIdx.y; r < SIDE - 8 && w.y0 + r < rows; r += BANDS)
            out[(long long)(w.y0 + r) * cols + w.x] = even[r * SIDE + w.c];
}
