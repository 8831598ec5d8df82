// lesson 10; device sim,gpu; nvcc,clang; want: fail, at most 0; tries: leaves the poison
__global__ void answers(int *out)
{
}
