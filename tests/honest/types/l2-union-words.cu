// lesson 2; device sim,gpu; nvcc,clang; want: pass; tries: words of a union, unsigned short loop variables
union Word {
    float f;
    unsigned u;
};

LAUNCH(32, 8, 8, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    const Word *from = reinterpret_cast<const Word *>(in);
    Word *to = reinterpret_cast<Word *>(out);
    int row = blockIdx.y * 32 + threadIdx.x, column = blockIdx.x * 8 + threadIdx.y;
    if (row < height && column < width) {
        Word word = {.f = 0};
        word.u = from[(size_t)row * width + column].u;
        to[(size_t)column * height + row] = word;
    }
}
