// A 16 x 16 block: a warp is two rows of 16 threads, and padding by one is not enough.
__device__ float out[256];

__global__ void block_shape()
{
    __shared__ float by_one[16][17];
    __shared__ float by_two[16][18];
    __shared__ float by_xor[16][16];
    int x = threadIdx.x, y = threadIdx.y, i = y * 16 + x;
    by_one[y][x] = out[i];
    by_two[y][x] = out[i];
    by_xor[y][x ^ (y & ~1)] = out[i];
    __syncthreads();
    float sum = by_one[x][y];
    sum += by_two[x][y];
    sum += by_xor[x][y ^ (x & ~1)];
    out[i] = sum;
}
