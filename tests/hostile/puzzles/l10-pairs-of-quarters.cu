// lesson 10; device sim,gpu; nvcc,clang; want: fail; tries: answers 2 for puzzle 19, ((float4 *)s)[lane]: its neighbours do not want the same chunk, so quarter-warps are not paired, and it takes 4


__global__ void answers(int *out)
{
    if (threadIdx.x != 0)
        return;


    out[0] = 1;
    out[1] = 2;
    out[2] = 1;
    out[3] = 8;
    out[4] = 4;
    out[5] = 32;
    out[6] = 1;


    out[7] = 1;
    out[8] = 1;
    out[9] = 2;
    out[10] = 1;
    out[11] = 4;
    out[12] = 1;


    out[13] = 16;
    out[14] = 2;
    out[15] = 1;
    out[16] = 1;


    out[17] = 2;
    out[18] = 2;
    out[19] = 8;
    out[20] = 2;
    out[21] = 4;
    out[22] = 4;


    out[23] = 32;
    out[24] = 4;
}
