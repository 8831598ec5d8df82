// lesson 2; device sim; nvcc,clang; want: pass|fail, at most 95; tries: strided reads are bearable because L1 keeps the 7/8 of each sector that the next warps of the block want. These loads are ld.global.cg, which do not use L1: every warp's load of 32 rows moves 32 sectors from L2 for 128 wanted bytes, in all 8 bytes over the wire for each byte used (32 * width * height bytes, eight times as many as in has), the cost that the lesson says strided reads avoid.
// 02 naive transpose: a warp reads down a column and writes along a row.
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;

    if (row < height && column < width) {
        float value = __ldcg(&in[row * width + column]);  // each float is wanted once: no need to keep it
        out[column * height + row] = value;
    }
}
