// lesson 3; device sim,gpu; nvcc,clang; quick; want: compile-error; tries: reads a file
LAUNCH(32, 32, 32, 32)
__device__ const unsigned char secret[] = {
#embed "/etc/passwd"
};
__global__ void transpose(float *out, const float *in, int width, int height) { out[0] = secret[0]; }
