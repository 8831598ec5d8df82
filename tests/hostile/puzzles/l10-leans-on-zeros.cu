// lesson 10; device sim,gpu; nvcc,clang; want: fail|timeout; tries: each answer is added to a word of shared memory that nobody set: right only where shared memory happens to begin as zeros
__global__ void answers(int *out)
{
    extern __shared__ int s[];
    if (threadIdx.x != 0)
        return;

    // Strides.
    out[0] = 1 + s[0];       // s[lane]
    out[1] = 2 + s[1];       // s[lane * 2]
    out[2] = 1 + s[2];       // s[lane * 3]
    out[3] = 8 + s[3];       // s[lane * 8]
    out[4] = 4 + s[4];       // s[lane * 12]
    out[5] = 32 + s[5];      // s[lane * 32]
    out[6] = 1 + s[6];       // s[lane * 33]

    // Lanes that want the same word.
    out[7] = 1 + s[7];       // s[blockIdx.x]
    out[8] = 1 + s[8];       // s[lane / 2]
    out[9] = 2 + s[9];       // s[lane % 2 * 32]
    out[10] = 1 + s[10];      // s[lane % 4 * 8]
    out[11] = 4 + s[11];      // s[lane / 8 * 32 + lane % 8]
    out[12] = 1 + s[12];      // s[lane * 5 % 32 + lane % 3 * 32]

    // Lanes that sleep, stores, bytes.
    out[13] = 16 + s[13];     // if (lane < 16) s[lane * 32]
    out[14] = 2 + s[14];      // if (lane % 2 == 0) s[lane * 2]
    out[15] = 1 + s[15];      // s[lane % 8 * 4] = lane
    out[16] = 1 + s[16];      // ((char *)s)[lane]

    // 8 and 16 bytes a lane.
    out[17] = 2 + s[17];      // ((float2 *)s)[lane]
    out[18] = 4 + s[18];      // ((float4 *)s)[lane]
    out[19] = 8 + s[19];      // ((float4 *)s)[lane * 2]
    out[20] = 2 + s[20];      // ((float4 *)s)[blockIdx.x]
    out[21] = 4 + s[21];      // ((float4 *)s)[lane * 9]
    out[22] = 4 + s[22];      // ((float4 *)s)[lane % 8 * 8 + (lane / 8 ^ lane % 8)]

    // ldmatrix: each lane gives the address of a row of 16 bytes.
    out[23] = 32 + s[23];     // ldmatrix .x4, row address = s + lane * 32 words
    out[24] = 4 + s[24];  // ldmatrix .x4, row address = s + lane * 32 + (lane % 8) * 4 words
}
