// A warp takes a patch of 8 x 4 elements, not a row or a column of 32. In out its lanes fill four sectors, in in they
// touch eight and use half of each: 12 sectors for a warp, where either strided side costs 36. No shared memory.
LAUNCH(4, 64, 32, 64)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // Lane l of a warp is threadIdx.x = l % 4, threadIdx.y = l / 4: four columns of eight rows of in.
    int row = blockIdx.y * 64 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        int column = blockIdx.x * 32 + threadIdx.x + j;
        if (row < height && column < width)
            out[column * height + row] = in[row * width + column];  // @write
    }
}
