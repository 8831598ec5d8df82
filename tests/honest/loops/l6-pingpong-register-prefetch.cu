// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: two places for the tiles filled through registers one step ahead, one barrier a step, rows of a read as float4
LAUNCH(32, 32, 32, 32)

constexpr int TILE_WIDTH = 32;

struct Stage {
    float4 Mds[TILE_WIDTH][TILE_WIDTH / 4];
    float Nds[TILE_WIDTH][TILE_WIDTH];
};

__global__ void matmul(float *P, const float *M, const float *N, int m, int n, int k)
{
    __shared__ Stage stages[2];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int Row = blockIdx.y * TILE_WIDTH + ty, Col = blockIdx.x * TILE_WIDTH + tx;
    const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

    // What this thread brings in phase ph, and where to.
    auto fetch_m = [=](int ph) {
        const int i = ph * TILE_WIDTH + tx;
        return Row < m && i < k ? M[Row * k + i] : 0.0f;
    };
    auto fetch_n = [=](int ph) {
        const int i = ph * TILE_WIDTH + ty;
        return i < k && Col < n ? N[i * n + Col] : 0.0f;
    };
    auto put = [=](Stage &s, float x, float y) {
        reinterpret_cast<float *>(s.Mds[ty])[tx] = x;
        s.Nds[ty][tx] = y;
    };

    put(stages[0], fetch_m(0), fetch_n(0));
    __syncthreads();

    float Pvalue = 0.0f;
    for (int ph = 0; ph < phases; ++ph) {
        const bool more = ph + 1 < phases;
        float x = 0.0f, y = 0.0f;
        if (more) {  // on their way while this phase is multiplied
            x = fetch_m(ph + 1);
            y = fetch_n(ph + 1);
        }

        const Stage &s = stages[ph & 1];
#pragma unroll
        for (int i = 0; i < TILE_WIDTH / 4; ++i) {
            const float4 four = s.Mds[ty][i];
            Pvalue = fmaf(four.x, s.Nds[4 * i + 0][tx], Pvalue);
            Pvalue = fmaf(four.y, s.Nds[4 * i + 1][tx], Pvalue);
            Pvalue = fmaf(four.z, s.Nds[4 * i + 2][tx], Pvalue);
            Pvalue = fmaf(four.w, s.Nds[4 * i + 3][tx], Pvalue);
        }

        // The other place was last read in phase ph - 1, and a barrier has been since.
        if (more)
            put(stages[(ph + 1) & 1], x, y);
        __syncthreads();
    }

    if (Row < m && Col < n)
        P[Row * n + Col] = Pvalue;
}
