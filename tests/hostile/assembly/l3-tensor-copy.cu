// lesson 3; device sim,gpu; nvcc,clang; want: fail|refused; tries: a tensor copy with a descriptor of nothing
LAUNCH(32, 32, 32, 32)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ __align__(128) float tile[32][32];
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %1}], [%2];" ::"l"(out), "r"(0), "r"((unsigned)__cvta_generic_to_shared(tile)) : "memory");
    int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}
