// lesson 11; device sim,gpu; nvcc,clang; want: fail, at most 0; tries: a learner writes the tree as a while loop with shifts




LAUNCH(1024, 1, 1, 1)

__global__ void row_sums(float *out, const float *in, int rows, int cols)
{
    __shared__ float part[1024];
    int t = threadIdx.x, row = blockIdx.x;

    
    float sum = 0.0f;
    for (int i = t; i < cols; i += blockDim.x)
        sum += in[row * cols + i];
    part[t] = sum;
    __syncthreads();

    
    
    
    
    for (unsigned s = 1; s < 1024; s <<= 1) {
        if ((t & (2 * s - 1)) == 0)
            part[t] += part[t + s];  
        __syncthreads();
    }

    
    
    if (t == 0)
        out[row] = part[0];
}
