// lesson 2; device sim; nvcc,clang; want: fail|timeout; tries: which block it is comes from div.approx (2 ulp), cut off: an exact quotient may come out as one less
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // blocks down the columns of in, so that neighbours in time write one row of out
    int block = blockIdx.y * gridDim.x + blockIdx.x;
    int bx = (int)__fdividef((float)block, (float)gridDim.y);
    int by = block - bx * gridDim.y;
    int column = bx * 32 + threadIdx.y;
    int row = by * 32 + threadIdx.x;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
