// lesson 4; device sim,gpu; nvcc,clang; want: fail|refused; tries: inline PTX closes the kernel and defines the variable behind LAUNCH again
LAUNCH(32, 32, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    asm volatile("ret; }\n .visible .const .align 4 .b8 bankshot_launch[28] = {67,76,72,49,1,0,0,0,1,0,0,0,1,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0};\n .visible .func foo() { ");
}
