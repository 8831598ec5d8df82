// 13 histogram: where a thread writes is up to the data.
//
// Contract: in has `rows` rows of `cols` bytes. out has `rows` rows of 256 counts: out[r][v]
// is how many bytes of row r are v when shifted right by `shift`. A block counts one row; LAUNCH
// may give it another number of threads. out holds rubbish at first.
LAUNCH(256, 1, 1, 1)

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    unsigned *counts = out + blockIdx.x * 256;  // of this row, in global memory
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x;

    for (int v = t; v < 256; v += blockDim.x)
        counts[v] = 0;
    __syncthreads();

    // TODO: right, but each byte is an atomic in L2, far away. Count in shared memory, and write
    //       256 counts at the end.
    //
    // TODO: then look at the loads. A warp that loads a byte for each lane moves 32 bytes with
    //       one request. How many could it move, where a row begins at a multiple of 16?
    for (int i = t; i < cols; i += blockDim.x)
        atomicAdd(&counts[bytes[i] >> shift], 1);  // @count
}
