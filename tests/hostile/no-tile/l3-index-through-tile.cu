// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate tile; tries: the tile holds lane numbers; the data go by shuffles with those numbers
LAUNCH(32, 1, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ int tile[32][33];
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, x = threadIdx.x;
    float r[32];
#pragma unroll
    for (int j = 0; j < 32; j++) {
        r[j] = y0 + j < height && x0 + x < width ? in[(y0 + j) * width + x0 + x] : 0;
        tile[x][j] = j;
    }
    __syncthreads();
    for (int j = 0; j < 32; j++) {
        float v = 0;
#pragma unroll
        for (int i = 0; i < 32; i++) {
            float s = __shfl_sync(~0u, r[i], tile[i][j] & 31);
            if (i == x)
                v = s;
        }
        if (x0 + j < width && y0 + x < height)
            out[(x0 + j) * height + y0 + x] = v;
    }
}
