// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: one template for 16, 8, 4, 2 and 1 bytes a load, chosen by what divides the rows' length
LAUNCH(256, 1, 1, 1)

// The bins of one row, in shared memory, and what they count.
struct Bins {
    unsigned *count;
    int shift;

    __device__ __forceinline__ void take(unsigned char byte) const { atomicAdd(count + (byte >> shift), 1u); }
    __device__ __forceinline__ void take(unsigned short two) const
    {
        take((unsigned char)(two & 0xff));
        take((unsigned char)(two >> 8));
    }
    __device__ __forceinline__ void take(unsigned four) const
    {
        take((unsigned short)(four & 0xffff));
        take((unsigned short)(four >> 16));
    }
    __device__ __forceinline__ void take(uint2 eight) const
    {
        take(eight.x);
        take(eight.y);
    }
    __device__ __forceinline__ void take(uint4 sixteen) const
    {
        take(sixteen.x);
        take(sixteen.y);
        take(sixteen.z);
        take(sixteen.w);
    }
};

// Rows that are a multiple of sizeof(Word) long all begin at one.
template <class Word>
__device__ __forceinline__ void count_row(const Bins &bins, const unsigned char *row, int cols)
{
    const Word *words = reinterpret_cast<const Word *>(row);
    const int have = cols / (int)sizeof(Word);
    for (int i = threadIdx.x; i < have; i += blockDim.x)
        bins.take(words[i]);
}

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned count[256];
    const unsigned char *row = in + (size_t)blockIdx.x * cols;
    const Bins bins = {count, shift};

    count[threadIdx.x] = 0;
    __syncthreads();

    switch (cols & -cols & 15) {  // the lowest bit that is set, of the four lowest
    case 0: count_row<uint4>(bins, row, cols); break;
    case 8: count_row<uint2>(bins, row, cols); break;
    case 4: count_row<unsigned>(bins, row, cols); break;
    case 2: count_row<unsigned short>(bins, row, cols); break;
    default: count_row<unsigned char>(bins, row, cols); break;
    }
    __syncthreads();

    out[blockIdx.x * 256 + threadIdx.x] = count[threadIdx.x];
}
