// lesson 14; device sim; nvcc,clang; want: fail|timeout; tries: the tile is filled 16 bytes at a time and stands at the front of an extern array of floats, which need begin at a multiple of 4 only (the page: say extern __shared__ __align__(16)); that no store is misaligned is luck; wherever cols is a multiple of 4
// 14 big tiles: two tiles of 96 x 96 floats, filled by loads of 16 bytes.
constexpr int SIDE = 96;
constexpr int BYTES = 2 * SIDE * SIDE * sizeof(float);
LAUNCH(SIDE, 4, SIDE - 16, SIDE - 16, BYTES, BYTES)

// The size of this array is the launch's. All extern __shared__ arrays of a kernel begin at the
// same place, so there is one, and the kernel carves it up.
extern __shared__ float memory[];

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    float *now = memory, *next = memory + SIDE * SIDE;

    int c = threadIdx.x, x = blockIdx.x * (SIDE - 16) + c - 8;
    int y0 = blockIdx.y * (SIDE - 16) - 8;

    // x - c is a multiple of 4, so four neighbours exist all or not at all where cols is one.
    if (cols % 4 == 0)
        for (int e = threadIdx.y * SIDE + c; e < SIDE * SIDE / 4; e += SIDE * blockDim.y) {
            int y = y0 + e / (SIDE / 4), from = x - c + e % (SIDE / 4) * 4;
            bool inside = y >= 0 && y < rows && from >= 0 && from < cols;
            float4 four = inside ? *(const float4 *)&in[y * cols + from] : make_float4(0, 0, 0, 0);
            asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" :: "r"((unsigned)__cvta_generic_to_shared(now + e * 4)),
                         "f"(four.x), "f"(four.y), "f"(four.z), "f"(four.w) : "memory");
        }
    else
        for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
            int y = y0 + r;
            bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
            now[r * SIDE + c] = inside ? in[y * cols + x] : 0.0f;
        }
    __syncthreads();

    for (int step = 1; step <= 8; step++) {
        for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
            int y = y0 + r, at = r * SIDE + c;
            bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
            if (r >= step && r < SIDE - step && c >= step && c < SIDE - step)
                next[at] = inside ? 0.25f * (now[at - SIDE] + now[at + SIDE] +
                                             now[at - 1] + now[at + 1]) : 0.0f;
        }
        __syncthreads();
        float *was = now;
        now = next;
        next = was;
    }

    for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
        int y = y0 + r;
        if (r >= 8 && r < SIDE - 8 && c >= 8 && c < SIDE - 8 && y < rows && x < cols)
            out[y * cols + x] = now[r * SIDE + c];
    }
}
