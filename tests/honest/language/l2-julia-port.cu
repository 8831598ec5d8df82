// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: a port from Julia: 1-based, column-major, CartesianIndices with a sentinel, permutedims!
LAUNCH(128, 1, 32, 32)

// In Julia's eyes in is a width x height matrix in column-major order, and out is height x width.
struct CuDeviceMatrix {
    float *parent;
    int size1, size2;
    __device__ float &operator()(int i, int j) { return parent[(j - 1) * size1 + (i - 1)]; }
};

struct CartesianIndex {
    int I1, I2;
};

__device__ CartesianIndex operator+(CartesianIndex a, CartesianIndex b)
{
    return {a.I1 + b.I1, a.I2 + b.I2};
}

// for I in CartesianIndices((1:32, 1:32))[threadIdx().x : blockDim().x : end]
struct Strided {
    struct end_of_range {
    };
    struct iterator {
        int linear, step;
        __device__ CartesianIndex operator*() const { return {(linear - 1) % 32 + 1, (linear - 1) / 32 + 1}; }
        __device__ iterator &operator++()
        {
            linear += step;
            return *this;
        }
        __device__ bool operator!=(end_of_range) const { return linear <= 32 * 32; }
    };
    int from, step;
    __device__ iterator begin() const { return {from, step}; }
    __device__ end_of_range end() const { return {}; }
};

__device__ int blockIdx1() { return blockIdx.x + 1; }
__device__ int blockIdx2() { return blockIdx.y + 1; }
__device__ int threadIdx1() { return threadIdx.x + 1; }

// function permutedims!(B, A): B[i, j] = A[j, i]. i runs fastest, so neighbours write neighbours.
__global__ void transpose(float *out, const float *in, int width, int height)
{
    CuDeviceMatrix A{const_cast<float *>(in), width, height}, B{out, height, width};
    CartesianIndex origin{(blockIdx2() - 1) * 32, (blockIdx1() - 1) * 32};

    for (CartesianIndex offset : Strided{threadIdx1(), (int)blockDim.x}) {
        CartesianIndex I = origin + offset;
        if (I.I1 <= B.size1 && I.I2 <= B.size2)
            B(I.I1, I.I2) = __ldg(&A(I.I2, I.I1));
    }
}
