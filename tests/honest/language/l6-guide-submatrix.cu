// lesson 6; device sim; nvcc,clang; want: full; tries: the programming guide's Matrix struct with GetSubMatrix, GetElement, SetElement
struct Matrix { int width, height, stride; const float *elements; };
__device__ float GetElement(const Matrix A, int row, int col)
{
    return row < A.height && col < A.width ? A.elements[row * A.stride + col] : 0.0f;
}
__device__ Matrix GetSubMatrix(Matrix A, int row, int col)
{
    Matrix Asub;
    Asub.width = min(32, A.width - 32 * col);
    Asub.height = min(32, A.height - 32 * row);
    Asub.stride = A.stride;
    Asub.elements = A.elements + (A.stride * 32 * row + 32 * col);
    return Asub;
}
LAUNCH(32, 32, 32, 32)
__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    Matrix A = {k, m, k, a}, B = {n, k, n, b};
    int blockRow = blockIdx.y, blockCol = blockIdx.x, row = threadIdx.y, col = threadIdx.x;
    float Cvalue = 0;
    for (int s = 0; s < (A.width + 31) / 32; ++s) {
        Matrix Asub = GetSubMatrix(A, blockRow, s), Bsub = GetSubMatrix(B, s, blockCol);
        __shared__ float As[32][32];
        __shared__ float Bs[32][32];
        As[row][col] = GetElement(Asub, row, col);
        Bs[row][col] = GetElement(Bsub, row, col);
        __syncthreads();
        for (int e = 0; e < 32; ++e)
            Cvalue += As[row][e] * Bs[e][col];
        __syncthreads();
    }
    if (blockRow * 32 + row < m && blockCol * 32 + col < n)
        c[(blockRow * 32 + row) * n + blockCol * 32 + col] = Cvalue;
}
