// lesson 10; device sim,gpu; nvcc,clang; want: pass; tries: the answers are packed into a string, written by 25 lanes
__constant__ char answer[] = "BCBIEaBBBCBEBQCBBCEICEEaE";

__global__ void answers(int *out)
{
    if (threadIdx.x < 25)
        out[threadIdx.x] = answer[threadIdx.x] - 'A';
}
