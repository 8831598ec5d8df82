// lesson 2; device sim,gpu; nvcc,clang; want: pass; tries: a member pointer to a lambda and 16 x 64 threads
LAUNCH(64, 16, 64, 64)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    auto move = [=](unsigned r, unsigned c) { if (r < unsigned(height) && c < unsigned(width)) out[c * height + r] = in[r * width + c]; };
    for (unsigned k = 0; k < 64; k += 16)
        move(blockIdx.y * 64 + threadIdx.x, blockIdx.x * 64 + threadIdx.y + k);
}
