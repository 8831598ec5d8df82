// lesson 8; device sim,gpu; nvcc,clang; want: full; tries: a group of copies is an object: its destructor commits and waits
#include <cuda_pipeline.h>

LAUNCH(32, 32, 32, 32)

// What this object was told to bring is there when it goes out of scope: for the thread that owned it.
class Delivery {
public:
    __device__ Delivery() {}
    __device__ ~Delivery()
    {
        __pipeline_commit();
        __pipeline_wait_prior(0);
    }

    // One float, or a 0 where there is none; `matrix` is an address that may always be named.
    __device__ void bring(float &place, const float *matrix, int index, bool exists)
    {
        __pipeline_memcpy_async(&place, exists ? matrix + index : matrix, sizeof(float), exists ? 0 : sizeof(float));
    }

private:
    Delivery(const Delivery &);  // never copied
    void operator=(const Delivery &);
};

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ __align__(16) float a_tile[32][32], b_tile[32][32];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 32 + ty, column = blockIdx.x * 32 + tx;
    float sum = 0.0f;

    for (int k0 = 0; k0 < k; k0 += 32) {
        {
            Delivery tiles;
            tiles.bring(a_tile[ty][tx], a, row * k + k0 + tx, row < m && k0 + tx < k);
            tiles.bring(b_tile[ty][tx], b, (k0 + ty) * n + column, k0 + ty < k && column < n);
        }
        __syncthreads();  // and now for the others

#pragma unroll
        for (int i = 0; i < 32; i++)
            sum += a_tile[ty][i] * b_tile[i][tx];
        __syncthreads();
    }

    if (row < m && column < n)
        c[row * n + column] = sum;
}
