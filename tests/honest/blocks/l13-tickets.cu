// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: warps take pieces of the row by tickets from a shared counter (lane 0 draws, a shuffle tells), 1024 bytes a ticket with two 16-byte loads under way before the first count
LAUNCH(256, 1, 1, 1)

struct Board {
    unsigned counts[256];
    unsigned next;  // piece that nobody has taken yet
};

// The next piece, for the whole warp.
__device__ unsigned draw(Board &board)
{
    unsigned ticket = 0;
    if ((threadIdx.x & 31) == 0)
        ticket = atomicAdd(&board.next, 1u);
    return __shfl_sync(0xffffffffu, ticket, 0);
}

__device__ __forceinline__ void count(Board &board, unsigned word, int shift)
{
    // A mask for all four bytes in place of one for each: bytes that are shifted together do not mix.
    const unsigned bins = word >> shift & 0x01010101u * (255u >> shift);
    atomicAdd(&board.counts[bins & 255], 1u);
    atomicAdd(&board.counts[bins >> 8 & 255], 1u);
    atomicAdd(&board.counts[bins >> 16 & 255], 1u);
    atomicAdd(&board.counts[bins >> 24], 1u);
}

__global__ void __launch_bounds__(256)
histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ Board board;
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    const int t = threadIdx.x, lane = t & 31;

    board.counts[t] = 0;
    if (t == 0)
        board.next = 0;
    __syncthreads();

    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        const int have = cols / 16;
        for (int piece; (piece = draw(board) * 64) < have;) {
            uint4 q[2];
#pragma unroll
            for (int j = 0; j < 2; j++)
                if (const int i = piece + j * 32 + lane; i < have)
                    q[j] = __ldcs(quads + i);
#pragma unroll
            for (int j = 0; j < 2; j++)
                if (piece + j * 32 + lane < have) {
                    count(board, q[j].x, shift);
                    count(board, q[j].y, shift);
                    count(board, q[j].z, shift);
                    count(board, q[j].w, shift);
                }
        }
    } else
        for (int piece; (piece = draw(board) * 256) < cols;)
            for (int i = piece + lane; i < min(piece + 256, cols); i += 32)
                atomicAdd(&board.counts[bytes[i] >> shift], 1u);
    __syncthreads();

    out[blockIdx.x * 256 + t] = board.counts[t];
}
