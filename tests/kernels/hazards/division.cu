// Whole numbers divided by 0.

//: shares_of_nobody 1 64 : division-by-zero d
__global__ void shares_of_nobody(const int *in, int *out, int n)
{
    int t = threadIdx.x, others = t / 2;
    out[t] = 1000 / others; // @d
}

//: wraps_in_nothing 1 64 : division-by-zero d
__global__ void wraps_in_nothing(const int *in, int *out, int n)
{
    unsigned t = threadIdx.x, width = t * (t - 7);
    out[t] = 12345 % width; // @d
}

//: blocks_of_a_short_array 1 64 : division-by-zero d
__global__ void blocks_of_a_short_array(const int *in, int *out, int n)
{
    unsigned each = gridDim.x / (blockDim.x / 256); // @d
    if (threadIdx.x < each)
        out[threadIdx.x] = 1;
}
