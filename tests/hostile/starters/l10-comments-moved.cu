// lesson 10; device sim,gpu; nvcc,clang; want: not-started; tries: the starter with its comments moved to other lines
__global__ void answers(int *out)
{
    if (threadIdx.x != 0)
        return;



    out[0] = 0;
    out[1] = 0;
    out[2] = 0;
    /* eight */ out[3] = 0;
    out[4] = 0;
    out[5] = 0;
    out[6] = 0;


    out[7] = 0;
    out[8] = 0;
    out[9] = 0;
    out[10] = 0;
    out[11] = 0;
    out[12] = 0;


    out[13] = 0;
    out[14] = 0;
    out[15] = 0;
    out[16] = 0;


    out[17] = 0;
    out[18] = 0;
    out[19] = 0;
    out[20] = 0;
    out[21] = 0;
    out[22] = 0;


    out[23] = 0;
    out[24] = 0;
}
