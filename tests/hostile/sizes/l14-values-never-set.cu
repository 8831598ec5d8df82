// lesson 14; device sim,gpu; nvcc,clang; want: fail; tries: one tile in place with the new values in an array of the thread's own, set only for elements inside the matrix and stored for all, what lies outside gets elements that nobody ever set (undefined), and 0 only by luck
constexpr int SIDE = 96;
constexpr int BYTES = SIDE * SIDE * sizeof(float);
LAUNCH(SIDE, 4, SIDE - 16, SIDE - 16, BYTES, BYTES)

extern __shared__ float tile[];

__global__ void relax(float *out, const float *in, int rows, int cols)
{
    float fresh[SIDE / 4];
    int c = threadIdx.x, x = blockIdx.x * (SIDE - 16) + c - 8;
    int y0 = blockIdx.y * (SIDE - 16) - 8;

    for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
        int y = y0 + r;
        bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
        tile[r * SIDE + c] = inside ? in[y * cols + x] : 0.0f;
    }
    __syncthreads();

    for (int step = 1; step <= 8; step++) {
        for (int r = threadIdx.y, j = 0; r < SIDE; r += blockDim.y, j++) {
            int y = y0 + r, at = r * SIDE + c;
            bool inside = y >= 0 && y < rows && x >= 0 && x < cols;
            if (inside && r >= step && r < SIDE - step && c >= step && c < SIDE - step)
                fresh[j] = 0.25f * (tile[at - SIDE] + tile[at + SIDE] + tile[at - 1] + tile[at + 1]);
        }
        __syncthreads();
        for (int r = threadIdx.y, j = 0; r < SIDE; r += blockDim.y, j++)
            if (r >= step && r < SIDE - step && c >= step && c < SIDE - step)
                tile[r * SIDE + c] = fresh[j];
        __syncthreads();
    }

    for (int r = threadIdx.y; r < SIDE; r += blockDim.y) {
        int y = y0 + r;
        if (r >= 8 && r < SIDE - 8 && c >= 8 && c < SIDE - 8 && y < rows && x < cols)
            out[y * cols + x] = tile[r * SIDE + c];
    }
}
