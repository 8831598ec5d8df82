// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: a nervous beginner's copy with int, unsigned and size_t mixed and every intermediate named; 256 neighbours a turn, guarded by n, right
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    // I am not sure about the types, so I make everything explicit.
    unsigned int myThreadNumber = threadIdx.x;
    unsigned int myBlockNumber = blockIdx.x;
    int threadsInABlock = (int)blockDim.x;
    const size_t floatsInABlock = 8192;
    size_t whereMyBlockStarts = (size_t)myBlockNumber * floatsInABlock;
    size_t howManyFloats = n < 0 ? 0 : (size_t)n;
    int howManyTurns = (int)(floatsInABlock / (size_t)threadsInABlock);
    int turn = 0;
    if (whereMyBlockStarts >= howManyFloats)
        return;  // nothing to do for this block
    do {
        size_t skipped = (size_t)turn * (size_t)threadsInABlock;
        size_t whereInTheBlock = skipped + myThreadNumber;
        size_t whereInTheArray = whereMyBlockStarts + whereInTheBlock;
        bool itExists = whereInTheArray < howManyFloats;
        if (itExists == true) {
            float theFloat = 0.0f;
            const float *from = &in[whereInTheArray];
            float *to = &out[whereInTheArray];
            theFloat = *from;
            *to = theFloat;
        }
        turn = turn + 1;
    } while (turn < howManyTurns);
}
