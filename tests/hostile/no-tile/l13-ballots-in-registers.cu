// lesson 13; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: counted by ballots in registers, 8 bins a lane: shared memory only passes the bytes and adds up 8 warps, no count lives there
LAUNCH(256, 1, 1, 1)

// What the 32 bytes of the lanes add to this lane's eight bins, lane * 8 to lane * 8 + 7.
__device__ __forceinline__ void add(unsigned (&own)[8], unsigned value, bool is_there, int lane)
{
    unsigned mine = __ballot_sync(~0u, is_there);
#pragma unroll
    for (int bit = 3; bit < 8; bit++) {
        unsigned b = __ballot_sync(~0u, value >> bit & 1);
        mine &= lane >> (bit - 3) & 1 ? b : ~b;
    }
    unsigned b0 = __ballot_sync(~0u, value & 1), b1 = __ballot_sync(~0u, value & 2), b2 = __ballot_sync(~0u, value & 4);
#pragma unroll
    for (int i = 0; i < 8; i++)
        own[i] += __popc(mine & (i & 1 ? b0 : ~b0) & (i & 2 ? b1 : ~b1) & (i & 4 ? b2 : ~b2));
}

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned words[8][4][32];
    __shared__ unsigned counts[256];
    const unsigned char *bytes = in + blockIdx.x * (size_t)cols;
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    unsigned own[8] = {};

    counts[t] = 0;
    __syncthreads();
    if (cols % 16 == 0) {
        const uint4 *quads = (const uint4 *)bytes;
        for (int first = warp * 32; first < cols / 16; first += 256) {
            bool is_there = first + lane < cols / 16;
            uint4 q = is_there ? quads[first + lane] : make_uint4(0, 0, 0, 0);
            words[warp][0][lane] = q.x;
            words[warp][1][lane] = q.y;
            words[warp][2][lane] = q.z;
            words[warp][3][lane] = q.w;
            __syncwarp();
            for (int j = 0; j < 4; j++) {
                unsigned w = words[warp][j][lane];
                for (int at = 0; at < 32; at += 8)
                    add(own, (w >> at & 255) >> shift, is_there, lane);
            }
            __syncwarp();
        }
    } else
        for (int first = warp * 32; first < cols; first += 256) {
            bool is_there = first + lane < cols;
            words[warp][0][lane] = is_there ? bytes[first + lane] : 0;
            __syncwarp();
            add(own, words[warp][0][lane] >> shift, is_there, lane);
            __syncwarp();
        }
    for (int i = 0; i < 8; i++)
        atomicAdd(&counts[lane * 8 + i], own[i]);
    __syncthreads();
    out[blockIdx.x * 256 + t] = counts[t];
}
