// lesson 12; device sim,gpu; nvcc,clang; want: pass; tries: the Fermi-era convolutionSeparable way: four main columns a thread, left and right apron by eight threads, strided outputs of 17 scalar reads: right, coalesced and without conflicts, but 18 wavefronts where full marks want 8
#define KERNEL_RADIUS 8
#define ROWS_BLOCKDIM_X 256
#define ROWS_RESULT_STEPS 4
#define IMUL(a, b) __mul24(a, b)
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *d_Dst, const float *d_Src, int dataW)
{
    __shared__ float s_Data[KERNEL_RADIUS + ROWS_RESULT_STEPS * ROWS_BLOCKDIM_X + KERNEL_RADIUS];

    const int tid = threadIdx.x;
    const int base = IMUL((int)blockIdx.x, ROWS_RESULT_STEPS * ROWS_BLOCKDIM_X);
    float *main = s_Data + KERNEL_RADIUS;

    // Main data
#pragma unroll
    for (int i = 0; i < ROWS_RESULT_STEPS; i++) {
        int x = base + tid + i * ROWS_BLOCKDIM_X;
        main[tid + i * ROWS_BLOCKDIM_X] = (x < dataW) ? d_Src[x] : 0.0f;
    }
    // Left and right apron
    if (tid < KERNEL_RADIUS) {
        int left = base - KERNEL_RADIUS + tid, right = base + ROWS_RESULT_STEPS * ROWS_BLOCKDIM_X + tid;
        s_Data[tid] = (left >= 0) ? d_Src[left] : 0.0f;
        main[ROWS_RESULT_STEPS * ROWS_BLOCKDIM_X + tid] = (right < dataW) ? d_Src[right] : 0.0f;
    }
    __syncthreads();

    // Compute and store results
#pragma unroll
    for (int i = 0; i < ROWS_RESULT_STEPS; i++) {
        int x = base + tid + i * ROWS_BLOCKDIM_X;
        float sum = 0.0f;
#pragma unroll
        for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
            sum += main[tid + i * ROWS_BLOCKDIM_X + j];
        if (x < dataW)
            d_Dst[x] = sum;
    }
}
