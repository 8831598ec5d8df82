// lesson 14; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: all eight steps are made in registers with shuffles, row by row, and shared memory is only 384 bytes of own slots that each float visits once for show
LAUNCH(32, 1, 80, 72)

__global__ void __launch_bounds__(32) relax(float *out, const float *in, int rows, int cols)
{
    __shared__ float slot[96];
    int lane = threadIdx.x, x0 = blockIdx.x * 80, y0 = blockIdx.y * 72;
    unsigned own = (unsigned)__cvta_generic_to_shared(&slot[lane]);
    float older[8][3] = {}, old[8][3] = {};  // two rows of each of the states 0 to 7
    bool exists[3];
    for (int j = 0; j < 3; j++) {
        int x = x0 - 8 + j * 32 + lane;
        exists[j] = x >= 0 && x < cols;
    }
    for (int y = y0 - 8; y < y0 + 80; y++) {
        float v[3];
#pragma unroll
        for (int j = 0; j < 3; j++) {
            v[j] = y >= 0 && y < rows && exists[j] ? in[y * cols + x0 - 8 + j * 32 + lane] : 0.0f;
            asm volatile("st.shared.f32 [%0], %1;" ::"r"(own + j * 128), "f"(v[j]) : "memory");
            asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v[j]) : "r"(own + j * 128) : "memory");
        }
#pragma unroll
        for (int s = 0; s < 8; s++) {  // row y - s of state s has come: row y - s - 1 of state s + 1 can be made
            int row = y - s - 1;
            float next[3], left[3], right[3];
#pragma unroll
            for (int j = 0; j < 3; j++) {
                left[j] = __shfl_sync(~0u, old[s][j], lane + 31 & 31);
                right[j] = __shfl_sync(~0u, old[s][j], lane + 1 & 31);
            }
#pragma unroll
            for (int j = 0; j < 3; j++) {
                float l = lane > 0 ? left[j] : j > 0 ? left[j - 1] : 0.0f;
                float r = lane < 31 ? right[j] : j < 2 ? right[j + 1] : 0.0f;
                next[j] = row >= 0 && row < rows && exists[j] ? 0.25f * (older[s][j] + v[j] + l + r) : 0.0f;
            }
#pragma unroll
            for (int j = 0; j < 3; j++) {
                older[s][j] = old[s][j];
                old[s][j] = v[j];
                v[j] = next[j];
            }
        }
        int row = y - 8;
#pragma unroll
        for (int j = 0; j < 3; j++) {
            int c = j * 32 + lane;
            if (row >= y0 && row < rows && exists[j] && c >= 8 && c < 88)
                out[row * cols + x0 - 8 + c] = v[j];
        }
    }
}
