// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: dynamic shared memory carved into a tile and a table of offsets
LAUNCH(32, 8, 32, 32, 4096 + 128 + 128)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    extern __shared__ __align__(16) unsigned char memory[];
    size_t *start = reinterpret_cast<size_t *>(memory);
    float *tile = reinterpret_cast<float *>(memory + 32 * sizeof(size_t));
    const int pitch = 32, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, tx = threadIdx.x, ty = threadIdx.y;
    if (ty == 0)
        start[tx] = (size_t)(x0 + tx) * height + y0;
    for (int j = ty; j < 32; j += 8)
        if (y0 + j < height && x0 + tx < width)
            tile[j * pitch + ((tx + j) & 31)] = in[(y0 + j) * width + x0 + tx];
    __syncthreads();
    for (int j = ty; j < 32; j += 8)
        if (x0 + j < width && y0 + tx < height)
            out[start[j] + tx] = tile[tx * pitch + ((j + tx) & 31)];
}
