// lesson 3; device sim,gpu; nvcc,clang; want: fail, gate writes; tries: the tile is read by ldmatrix only, and what came is thrown away; the writes are strided
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ __align__(16) float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = 0;
    __syncthreads();
    unsigned junk, at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x % 8][0]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(junk) : "r"(at));
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
