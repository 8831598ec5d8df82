// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: a whole program: includes, a check macro, main() with cudaMalloc and <<< >>> beside the kernel, which swaps the thread indices
#include <cstdio>
#include <cstdlib>
#include <vector>

LAUNCH(32, 32, 32, 32)

#define CHECK(call)                                                               \
    do {                                                                          \
        cudaError_t e = (call);                                                   \
        if (e != cudaSuccess) {                                                   \
            fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
            exit(1);                                                              \
        }                                                                         \
    } while (0)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    int column = blockIdx.x * 32 + threadIdx.y;
    int row = blockIdx.y * 32 + threadIdx.x;
    if (row < height && column < width)
        out[column * height + row] = in[row * width + column];
}

int main()
{
    const int width = 1000, height = 777;
    std::vector<float> host(width * height, 1.0f);
    float *in, *out;
    CHECK(cudaMalloc(&in, host.size() * sizeof(float)));
    CHECK(cudaMalloc(&out, host.size() * sizeof(float)));
    CHECK(cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
    transpose<<<dim3((width + 31) / 32, (height + 31) / 32), dim3(32, 32)>>>(out, in, width, height);
    CHECK(cudaDeviceSynchronize());
    printf("done\n");
    return 0;
}
