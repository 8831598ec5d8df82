// Hostile: keeps the first result of one tile and writes that again.
// WHEN: when to misbehave. The test runs it once with (1), for the simulator, and once with (width >= 4096): right at
// every size that the simulator runs, hostile at the size that a GPU is timed at.
#ifndef WHEN
#define WHEN (1)
#endif
LAUNCH(32, 8, 32, 32)

__device__ float kept[32][32];

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (row + j < height && column < width)
            tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
    __syncthreads();
    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (out_row + j < width && out_column < height) {
            float value = tile[threadIdx.x][threadIdx.y + j];
            float *place = &kept[threadIdx.y + j][threadIdx.x];
            if (WHEN && blockIdx.x == 0 && blockIdx.y == 0) {
                if (*place != 0.0f)
                    value = *place;
                else
                    *place = value;
            }
            out[(out_row + j) * height + out_column] = value;
        }
}
