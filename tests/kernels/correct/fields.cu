// Bit-fields that share a word: to fill one reads nothing of the others.
struct pair {
    unsigned low : 12, high : 20;
};
struct bytes {
    unsigned char kind : 3, size : 5;
};

//: fills_both 1 64 :
__global__ void fills_both(const int *in, int *out, int n)
{
    __shared__ pair pairs[64];
    int t = threadIdx.x;
    pairs[t].low = t * 3;
    __syncwarp();
    pairs[t].high = t * 5;
    __syncthreads();
    out[t] = pairs[63 - t].low + pairs[63 - t].high;
}

//: fills_bytes 1 64 :
__global__ void fills_bytes(const int *in, int *out, int n)
{
    __shared__ bytes all[64];
    int t = threadIdx.x;
    all[t].kind = t;
    __syncthreads();
    all[t].size = t / 2;
    __syncthreads();
    out[t] = all[63 - t].kind * 100 + all[63 - t].size;
}

//: fills_one_alone 1 64 :
__global__ void fills_one_alone(const int *in, int *out, int n)
{
    __shared__ pair pairs[64];
    int t = threadIdx.x;
    pairs[t].low = t;
    __syncthreads();
    out[t] = pairs[t ^ 1].low;
}
