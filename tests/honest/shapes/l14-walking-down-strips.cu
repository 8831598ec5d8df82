// lesson 14; device sim,gpu; nvcc,clang; want: full; tries: 96 x 8 threads, each walks down twelve rows of its column with above and here in registers: three loads a step
constexpr int SIDE = 96, STEPS = 8, KEPT = SIDE - 2 * STEPS, GROUPS = 8, STRIP = SIDE / GROUPS;
constexpr int BYTES = 2 * SIDE * SIDE * (int)sizeof(float);
LAUNCH(SIDE, GROUPS, KEPT, KEPT, BYTES, BYTES)

static_assert(SIDE % GROUPS == 0 && STRIP > STEPS, "every strip has work in every step");

extern __shared__ __align__(16) unsigned char memory[];

__global__ void __launch_bounds__(SIDE * GROUPS, 2) relax(float *out, const float *in, int rows, int cols)
{
    float *now = reinterpret_cast<float *>(memory);
    float *next = now + SIDE * SIDE;

    const int c = threadIdx.x, top = threadIdx.y * STRIP;
    const int x = (int)blockIdx.x * KEPT + c - STEPS, y0 = (int)blockIdx.y * KEPT - STEPS;
    const bool x_in = x >= 0 && x < cols;
    // The rows of the tile that exist: from y_low on, below y_high.
    const int y_low = max(0, -y0), y_high = min(SIDE, rows - y0);

    {
        const float *from = in + (long long)(y0 + top) * cols + x;
        float held[STRIP];
#pragma unroll
        for (int j = 0; j < STRIP; j++)
            held[j] = x_in && top + j >= y_low && top + j < y_high ? from[(long long)j * cols] : 0.0f;
#pragma unroll
        for (int j = 0; j < STRIP; j++)
            now[(top + j) * SIDE + c] = held[j];
    }
    __syncthreads();

#pragma unroll 1
    for (int step = 1; step <= STEPS; step++) {
        const int low = max(top, step), high = min(top + STRIP, SIDE - step);
        if (c >= step && c < SIDE - step) {
            const float *at = now + low * SIDE + c;
            float *to = next + low * SIDE + c;
            float above = at[-SIDE], here = at[0];
#pragma unroll 4
            for (int r = low; r < high; r++, at += SIDE, to += SIDE) {
                const float below = at[SIDE];
                const float mean = 0.25f * (above + below + at[-1] + at[1]);
                *to = x_in && r >= y_low && r < y_high ? mean : 0.0f;
                above = here;
                here = below;
            }
        }
        __syncthreads();
        float *const was = now;
        now = next;
        next = was;
    }

    if (c >= STEPS && c < SIDE - STEPS && x < cols) {
        const int low = max(top, STEPS), high = min(min(top + STRIP, SIDE - STEPS), y_high);
        float *to = out + (long long)(y0 + low) * cols + x;
        for (int r = low; r < high; r++, to += cols)
            *to = now[r * SIDE + c];
    }
}
