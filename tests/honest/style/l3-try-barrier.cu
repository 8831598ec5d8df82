// lesson 3; device sim,gpu; nvcc,clang; want: fail; tries: a learner adds the barrier, and goes on from there later





LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][32];

    
    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        tile[threadIdx.y][threadIdx.x] = in[row * width + column];  

    
    
    
    
    
    
    
    __syncthreads();
    if (row < height && column < width)
        out[column * height + row] = tile[threadIdx.y][threadIdx.x];  
}
