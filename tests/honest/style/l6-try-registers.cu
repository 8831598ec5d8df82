// lesson 6; device sim,gpu; nvcc,clang; want: fail, at most 0; tries: a learner keeps pointers and unrolls





LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    float sum = 0;

    
    
    
    
    
    
    
    
    
    if (row < m && column < n) {
        const float *pa = a + row * k, *pb = b + column;
#pragma unroll 4
        for (int i = 0; i < k; i++, pb += n)
            sum = fmaf(pa[i], *pb, sum);  
        c[row * n + column] = sum;
    }
}
