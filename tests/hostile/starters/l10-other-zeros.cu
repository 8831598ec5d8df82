// lesson 10; device sim,gpu; nvcc,clang; want: fail, at most 0; tries: the puzzles unanswered, each 0 written as 1 - 1
// 10 bank puzzles: how many wavefronts will it take?
//
// Contract: out[i] = wavefronts of the access in the comment, executed once by one warp of
// 32 lanes, lane = threadIdx.x. s is an array of int at the start of shared memory; only
// the access to s counts.
// Rules: 32 banks of 4 bytes. 8 bytes a lane: half-warps. 16 bytes: quarter-warps, or pairs
// of them where for every lane its neighbour l ^ 1 (or for every lane its neighbour l ^ 2)
// wants the same.
__global__ void answers(int *out)
{
    if (threadIdx.x != 0)
        return;
    // TODO: replace each 0 with your prediction.

    // Strides.
    out[0] = 1 - 1;       // s[lane]
    out[1] = 1 - 1;       // s[lane * 2]
    out[2] = 1 - 1;       // s[lane * 3]
    out[3] = 1 - 1;       // s[lane * 8]
    out[4] = 1 - 1;       // s[lane * 12]
    out[5] = 1 - 1;       // s[lane * 32]
    out[6] = 1 - 1;       // s[lane * 33]

    // Lanes that want the same word.
    out[7] = 1 - 1;       // s[blockIdx.x]
    out[8] = 1 - 1;       // s[lane / 2]
    out[9] = 1 - 1;       // s[lane % 2 * 32]
    out[10] = 1 - 1;      // s[lane % 4 * 8]
    out[11] = 1 - 1;      // s[lane / 8 * 32 + lane % 8]
    out[12] = 1 - 1;      // s[lane * 5 % 32 + lane % 3 * 32]

    // Lanes that sleep, stores, bytes.
    out[13] = 1 - 1;      // if (lane < 16) s[lane * 32]
    out[14] = 1 - 1;      // if (lane % 2 == 0) s[lane * 2]
    out[15] = 1 - 1;      // s[lane % 8 * 4] = lane
    out[16] = 1 - 1;      // ((char *)s)[lane]

    // 8 and 16 bytes a lane.
    out[17] = 1 - 1;      // ((float2 *)s)[lane]
    out[18] = 1 - 1;      // ((float4 *)s)[lane]
    out[19] = 1 - 1;      // ((float4 *)s)[lane * 2]
    out[20] = 1 - 1;      // ((float4 *)s)[blockIdx.x]
    out[21] = 1 - 1;      // ((float4 *)s)[lane * 9]
    out[22] = 1 - 1;      // ((float4 *)s)[lane % 8 * 8 + (lane / 8 ^ lane % 8)]

    // ldmatrix: each lane gives the address of a row of 16 bytes.
    out[23] = 1 - 1;      // ldmatrix .x4, row address = s + lane * 32 words
    out[24] = 1 - 1;  // ldmatrix .x4, row address = s + lane * 32 + (lane % 8) * 4 words
}
