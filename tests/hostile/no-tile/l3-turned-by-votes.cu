// lesson 3; device sim,gpu; nvcc,clang; want: pass|fail, at most 95; tries: a warp turns 32 x 32 floats bit by bit with votes (ballots) in its registers; shared memory only swaps neighbouring lanes afterwards, for show
LAUNCH(32, 8, 32, 256)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float slot[8][32];
    int lane = threadIdx.x, warp = threadIdx.y;
    int column0 = blockIdx.x * 32, row0 = blockIdx.y * 256 + warp * 32;

    unsigned v[32], m[32];
#pragma unroll
    for (int r = 0; r < 32; r++)
        v[r] = row0 + r < height && column0 + lane < width ? __float_as_uint(in[(row0 + r) * width + column0 + lane]) : 0;

    // Lane r keeps of row r, for each bit of a float, the word that has this bit of all
    // 32 columns.
#pragma unroll
    for (int b = 0; b < 32; b++)
        m[b] = 0;
#pragma unroll
    for (int r = 0; r < 32; r++)
#pragma unroll
        for (int b = 0; b < 32; b++) {
            unsigned all = __ballot_sync(0xffffffff, v[r] >> b & 1);
            if (lane == r)
                m[b] = all;
        }

    // 32 x 32 bits turned within the lane: word b with bit j becomes word j with bit b.
    unsigned mask = 0x0000ffff;
#pragma unroll
    for (int s = 16; s > 0; s >>= 1, mask ^= mask << s)
#pragma unroll
        for (int i = 0; i < 32; i++)
            if ((i & s) == 0) {
                unsigned t = (m[i] >> s ^ m[i + s]) & mask;
                m[i] ^= t << s;
                m[i + s] ^= t;
            }

    // m[j] is element (row0 + lane, column0 + j). Now for show through shared memory:
    // lane takes what its neighbour has.
    int row = row0 + (lane ^ 1);
#pragma unroll
    for (int j = 0; j < 32; j++) {
        slot[warp][lane] = __uint_as_float(m[j]);
        __syncwarp();
        float value = slot[warp][lane ^ 1];
        __syncwarp();
        if (column0 + j < width && row < height)
            out[(column0 + j) * height + row] = value;
    }
}
