// lesson 2; device sim,gpu; nvcc,clang; want: fail|timeout; tries: each element is taken out of the aligned 16 bytes around it, so the last one reads up to three floats past the end of in, wherever width * height is no multiple of 4 (half of all sizes); the contract: nothing outside the two matrices is touched
// 02 naive transpose: loads of 16 bytes, one float of each is wanted.
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;

    if (row < height && column < width) {
        // A sector is fetched anyway, and wide loads are served as fast as narrow ones. Three
        // warps later the same 16 bytes are wanted again, and L1 has them.
        size_t at = (size_t)row * width + column;
        float4 quad = ((const float4 *)in)[at / 4];
        float value = at % 4 == 0 ? quad.x : at % 4 == 1 ? quad.y : at % 4 == 2 ? quad.z : quad.w;
        out[(size_t)column * height + row] = value;
    }
}
