// lesson 4; device sim,gpu; nvcc,clang; want: fail; tries: each block does its work 4000 times above the modelled size
LAUNCH(32, 8, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int times = width > 8192 ? 4000 : 1;
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
#pragma unroll 1
    for (int k = 0; k < times; k++) {
        for (int j = 0; j < 32; j += 8)
            if (r + j < height && c < width)
                tile[threadIdx.y + j][threadIdx.x] = ((volatile const float *)in)[(r + j) * width + c];
        __syncthreads();
        int oc = blockIdx.y * 32 + threadIdx.x, orow = blockIdx.x * 32 + threadIdx.y;
        for (int j = 0; j < 32; j += 8)
            if (orow + j < width && oc < height)
                ((volatile float *)out)[(orow + j) * height + oc] = tile[threadIdx.x][threadIdx.y + j];
        __syncthreads();
    }
}
