// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: a flat block of 1024 threads whose number is read through a union with a struct of bit-fields, the low five bits as the row so that lanes write neighbours; right, the same elements as the solution
LAUNCH(1024, 1, 32, 32)

union Place {
    unsigned number;
    struct {
        unsigned down : 5;    // lane: walks down the rows of in, along a row of out
        unsigned across : 5;  // warp: the column of in
    };
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    Place p;
    p.number = threadIdx.x;
    const int row = blockIdx.y << 5 | p.down, column = blockIdx.x << 5 | p.across;

    if (!(row < height) || !(column < width))
        return;
    *(out + column * height + row) = *(in + row * width + column);
}
