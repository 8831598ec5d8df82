// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: Numba's fast_matmul, line by line: zeros first, then what exists, sA[ty, j] * sB[j, tx]
#define TPB 32
LAUNCH(TPB, TPB, TPB, TPB)

// cuda.shared.array(shape=(TPB, TPB), dtype=float32), indexed with two numbers.
struct alignas(16) shared_array {
    float data[TPB * TPB];
    __device__ float &operator()(int i, int j) { return data[i * TPB + j]; }
};

// An array with a shape, C contiguous.
struct device_array {
    const float *data;
    int shape[2];
    __device__ float operator()(int i, int j) const { return data[i * shape[1] + j]; }
};

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ shared_array sA;
    __shared__ shared_array sB;

    const device_array A = {a, {m, k}}, B = {b, {k, n}};

    const int x = blockIdx.x * blockDim.x + threadIdx.x;  // x, y = cuda.grid(2)
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int bpg = (k + TPB - 1) / TPB;

    float tmp = 0.0f;
    for (int i = 0; i < bpg; i++) {
        // Preload data into shared memory.
        sA(ty, tx) = 0;
        sB(ty, tx) = 0;
        if (y < A.shape[0] && tx + i * TPB < A.shape[1])
            sA(ty, tx) = A(y, tx + i * TPB);
        if (x < B.shape[1] && ty + i * TPB < B.shape[0])
            sB(ty, tx) = B(ty + i * TPB, x);

        // Wait until all threads finish preloading.
        __syncthreads();

        // Computes partial product on the shared memory.
#pragma unroll
        for (int j = 0; j < TPB; j++)
            tmp += sA(ty, j) * sB(j, tx);

        // Wait until all threads finish computing.
        __syncthreads();
    }
    if (y < m && x < n)
        c[y * n + x] = tmp;
}
