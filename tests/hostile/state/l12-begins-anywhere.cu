// lesson 12; device sim; nvcc,clang; want: fail|timeout; tries: the tile is read 16 bytes at a time and declared without an alignment, so it may begin at any multiple of 4 (the page: it must begin at a multiple of 16, __align__(16)); that it does not fault is luck of the placement; all sizes
// 12 stencil: a tile with its halo, and four outputs a thread from one window of registers.
LAUNCH(256, 1, 1024, 1)

// A word for each end of `in`, then the tile: which ends this block has.
struct Board {
    float tile[1024 + 16];
    int at_the_front, at_the_back;
};

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ Board board;
    int t = threadIdx.x, first = blockIdx.x * 1024 - 8;

    if (t == 0) {
        board.at_the_front = blockIdx.x == 0;
        board.at_the_back = first + 1024 + 16 > n;
    }
    __syncthreads();
    bool inner = !board.at_the_front && !board.at_the_back;

    for (int k = t; k < 1024 + 16; k += 256)
        board.tile[k] = inner || (first + k >= 0 && first + k < n) ? in[first + k] : 0.0f;
    __syncthreads();

    float window[20];
    for (int q = 0; q < 5; q++) {
        float4 four;
        asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(four.x), "=f"(four.y), "=f"(four.z), "=f"(four.w)
                     : "r"((unsigned)__cvta_generic_to_shared(board.tile + 4 * (t + q))) : "memory");
        window[4 * q] = four.x;
        window[4 * q + 1] = four.y;
        window[4 * q + 2] = four.z;
        window[4 * q + 3] = four.w;
    }
    float sum = 0.0f, sums[4];
    for (int d = 0; d < 16; d++)
        sum += window[d];
    for (int j = 0; j < 4; j++) {
        sum += window[16 + j];
        sums[j] = sum;
        sum -= window[j];
    }

    int i = blockIdx.x * 1024 + 4 * t;
    if (i + 3 < n)
        *(float4 *)&out[i] = make_float4(sums[0], sums[1], sums[2], sums[3]);
    else
        for (int j = 0; j < 4; j++)
            if (i + j < n)
                out[i + j] = sums[j];
}
