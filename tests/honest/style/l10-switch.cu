// lesson 10; device sim,gpu; nvcc,clang; want: pass; tries: answers by a switch in a loop
__global__ void answers(int *out)
{
    if (threadIdx.x != 0)
        return;

    // Strides.
    for (int i = 0; i < 3; i++)
        switch (i) {
        case 0: out[i] = 1; break;
        case 1: out[i] = 2; break;
        default: out[i] = 1;
        }
    out[3] = 8;       // s[lane * 8]
    out[4] = 4;       // s[lane * 12]
    out[5] = 32;      // s[lane * 32]
    out[6] = 1;       // s[lane * 33]

    // Lanes that want the same word.
    out[7] = 1;       // s[blockIdx.x]
    out[8] = 1;       // s[lane / 2]
    out[9] = 2;       // s[lane % 2 * 32]
    out[10] = 1;      // s[lane % 4 * 8]
    out[11] = 4;      // s[lane / 8 * 32 + lane % 8]
    out[12] = 1;      // s[lane * 5 % 32 + lane % 3 * 32]

    // Lanes that sleep, stores, bytes.
    out[13] = 16;     // if (lane < 16) s[lane * 32]
    out[14] = 2;      // if (lane % 2 == 0) s[lane * 2]
    out[15] = 1;      // s[lane % 8 * 4] = lane
    out[16] = 1;      // ((char *)s)[lane]

    // 8 and 16 bytes a lane.
    out[17] = 2;      // ((float2 *)s)[lane]
    out[18] = 4;      // ((float4 *)s)[lane]
    out[19] = 8;      // ((float4 *)s)[lane * 2]
    out[20] = 2;      // ((float4 *)s)[blockIdx.x]
    out[21] = 4;      // ((float4 *)s)[lane * 9]
    out[22] = 4;      // ((float4 *)s)[lane % 8 * 8 + (lane / 8 ^ lane % 8)]

    // ldmatrix: each lane gives the address of a row of 16 bytes.
    out[23] = 32;     // ldmatrix .x4, row address = s + lane * 32 words
    out[24] = 4;  // ldmatrix .x4, row address = s + lane * 32 + (lane % 8) * 4 words
}
