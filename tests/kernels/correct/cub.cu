// CUB's block and warp primitives.
#include <cub/cub.cuh>

//: block_reduce 2 128 :
__global__ void block_reduce(const int *in, int *out, int n)
{
    typedef cub::BlockReduce<int, 128> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    int sum = Reduce(storage).Sum(in[blockIdx.x * 128 + threadIdx.x]);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

//: block_reduce_raking 1 128 :
__global__ void block_reduce_raking(const int *in, int *out, int n)
{
    typedef cub::BlockReduce<int, 128, cub::BLOCK_REDUCE_RAKING> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    int sum = Reduce(storage).Sum(in[threadIdx.x]);
    if (threadIdx.x == 0)
        out[0] = sum;
}

//: block_scan 1 128 :
__global__ void block_scan(const int *in, int *out, int n)
{
    typedef cub::BlockScan<int, 128> Scan;
    __shared__ typename Scan::TempStorage storage;
    int sum;
    Scan(storage).ExclusiveSum(in[threadIdx.x], sum);
    out[threadIdx.x] = sum;
}

//: block_scan_raking 1 128 :
__global__ void block_scan_raking(const int *in, int *out, int n)
{
    typedef cub::BlockScan<int, 128, cub::BLOCK_SCAN_RAKING> Scan;
    __shared__ typename Scan::TempStorage storage;
    int sum;
    Scan(storage).InclusiveSum(in[threadIdx.x], sum);
    out[threadIdx.x] = sum;
}

//: block_load_transpose 1 64 :
__global__ void block_load_transpose(const int *in, int *out, int n)
{
    typedef cub::BlockLoad<int, 64, 4, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockStore<int, 64, 4, cub::BLOCK_STORE_WARP_TRANSPOSE> Store;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
    } storage;
    int items[4];
    Load(storage.load).Load(in, items);
    __syncthreads();
    Store(storage.store).Store(out, items);
}

//: block_radix_sort 1 64 :
__global__ void block_radix_sort(const int *in, int *out, int n)
{
    typedef cub::BlockRadixSort<int, 64, 2> Sort;
    __shared__ typename Sort::TempStorage storage;
    int keys[2] = {in[threadIdx.x] * 7919 % 1000, in[threadIdx.x + 64] * 31 % 1000};
    Sort(storage).Sort(keys);
    out[2 * threadIdx.x] = keys[0];
    out[2 * threadIdx.x + 1] = keys[1];
}

//: block_histogram 1 128 :
__global__ void block_histogram(const int *in, int *out, int n)
{
    typedef cub::BlockHistogram<unsigned char, 128, 1, 64, cub::BLOCK_HISTO_ATOMIC> Histogram;
    __shared__ typename Histogram::TempStorage storage;
    __shared__ int bins[64];
    unsigned char items[1] = {(unsigned char)(in[threadIdx.x] % 64)};
    Histogram(storage).Histogram(items, bins);
    __syncthreads();
    if (threadIdx.x < 64)
        out[threadIdx.x] = bins[threadIdx.x];
}

//: warp_reduce_of_eight 1 64 :
__global__ void warp_reduce_of_eight(const int *in, int *out, int n)
{
    typedef cub::WarpReduce<int, 8> Reduce;
    __shared__ typename Reduce::TempStorage storage[8];
    int sum = Reduce(storage[threadIdx.x / 8]).Sum(in[threadIdx.x]);
    if (threadIdx.x % 8 == 0)
        out[threadIdx.x / 8] = sum;
}

//: warp_merge_sort 1 32 :
__global__ void warp_merge_sort(const int *in, int *out, int n)
{
    typedef cub::WarpMergeSort<int, 2, 32> Sort;
    __shared__ typename Sort::TempStorage storage;
    int keys[2] = {in[threadIdx.x] * 7919 % 1000, in[threadIdx.x + 32] * 31 % 1000};
    Sort(storage).Sort(keys, [](int a, int b) { return a < b; });
    out[2 * threadIdx.x] = keys[0];
    out[2 * threadIdx.x + 1] = keys[1];
}

//: block_exchange 1 64 :
__global__ void block_exchange(const int *in, int *out, int n)
{
    typedef cub::BlockExchange<int, 64, 4> Exchange;
    __shared__ typename Exchange::TempStorage storage;
    int items[4] = {in[threadIdx.x], in[threadIdx.x + 64], in[threadIdx.x + 128], in[threadIdx.x + 192]};
    Exchange(storage).StripedToBlocked(items, items);
    for (int i = 0; i < 4; i++)
        out[4 * threadIdx.x + i] = items[i];
}

//: block_discontinuity 1 128 :
__global__ void block_discontinuity(const int *in, int *out, int n)
{
    typedef cub::BlockDiscontinuity<int, 128> Discontinuity;
    __shared__ typename Discontinuity::TempStorage storage;
    int items[1] = {in[threadIdx.x] / 3}, flags[1];
    Discontinuity(storage).FlagHeads(flags, items, cuda::std::not_equal_to<>());
    out[threadIdx.x] = flags[0];
}
