// lesson 3; device sim,gpu; nvcc,clang; want: fail, at most 0; tries: the starter with an empty body: somebody has started
// 03 tiled transpose: through a tile in shared memory.
//
// Contract: out[c][r] = in[r][c]. in has `height` rows of `width` floats, out has `width`
// rows of `height` floats. Each block carries one 32 x 32 tile across; at the right and
// lower edge only part of a tile exists.
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
}
