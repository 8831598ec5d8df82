// lesson 2; device sim; nvcc,clang; want: fail; tries: keeps the address of in from the first launch with these sizes and reads from there in later ones, whose matrix may lie elsewhere or be freed
// 02 naive transpose. Solution.
LAUNCH(32, 32, 32, 32)

__device__ const float *kept[65536];
__device__ int kept_of[65536];

__global__ void transpose(float *out, const float *in, int width, int height)
{
    // Each block keeps the address of its matrix from one launch to the next.
    int slot = (blockIdx.y * gridDim.x + blockIdx.x) % 65536;
    if (threadIdx.x + threadIdx.y == 0 && kept_of[slot] != width * 32768 + height) {
        kept[slot] = in;
        kept_of[slot] = width * 32768 + height;
    }
    __syncthreads();
    in = ((const float *volatile *)kept)[slot];
    // threadIdx.x now walks down the rows of in. Neighbouring lanes take elements that lie
    // `width` floats apart in in and side by side in out: strided reads, coalesced writes.
    // The block indices keep their meaning, so the block covers the same 32 x 32 elements
    // as before and the guard needs no change: row and column still belong to in.
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;

    if (row < height && column < width) {
        float value = in[row * width + column];          // @read
        out[column * height + row] = value;              // @write
    }
}
