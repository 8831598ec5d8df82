// In three dimensions: out is the sum of 27 inputs, a cube of 3 x 3 x 3 around each place, with zeros outside.
// in and out have nz planes of ny rows of nx floats. Three kernels, to be traced; blocks of 32 x 8 threads.
constexpr int W = 32, H = 8;              // outputs of a block in a plane
constexpr int TW = W + 2, TH = H + 2;     // with the halo, corners and all: 340 words for 256 outputs
constexpr int PLANES = 16;                // that a block of `queue` walks through

__device__ float at(const float *in, int x, int y, int z, int nx, int ny, int nz)
{
    bool inside = x >= 0 && x < nx && y >= 0 && y < ny && z >= 0 && z < nz;
    return inside ? in[(z * ny + y) * nx + x] : 0.0f;
}

// Threads of a block bring one plane of a tile. The corners come along: the halo is a frame, not four strips.
__device__ void bring(float *plane, const float *in, int z, int nx, int ny, int nz)
{
    int t = threadIdx.y * W + threadIdx.x;
    for (int k = t; k < TW * TH; k += W * H)
        plane[k] = at(in, blockIdx.x * W + k % TW - 1, blockIdx.y * H + k / TW - 1, z, nx, ny, nz);  // @bring
}

__device__ float nine(const float *plane)
{
    float sum = 0.0f;
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            sum += plane[(threadIdx.y + y) * TW + threadIdx.x + x];  // @nine
    return sum;
}

// No tile: 27 loads for each output. gridDim.z: nz.
__global__ void plain(float *out, const float *in, int nx, int ny, int nz)
{
    int x = blockIdx.x * W + threadIdx.x, y = blockIdx.y * H + threadIdx.y, z = blockIdx.z;
    if (x >= nx || y >= ny)
        return;
    float sum = 0.0f;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                sum += at(in, x + dx, y + dy, z + dz, nx, ny, nz);  // @load
    out[(z * ny + y) * nx + x] = sum;
}

// Three planes in shared memory for one plane of outputs. gridDim.z: nz.
__global__ void tile(float *out, const float *in, int nx, int ny, int nz)
{
    __shared__ float planes[3][TW * TH];
    int x = blockIdx.x * W + threadIdx.x, y = blockIdx.y * H + threadIdx.y, z = blockIdx.z;
    for (int p = 0; p < 3; p++)
        bring(planes[p], in, z + p - 1, nx, ny, nz);
    __syncthreads();
    if (x < nx && y < ny)
        out[(z * ny + y) * nx + x] = nine(planes[0]) + nine(planes[1]) + nine(planes[2]);
}

// A queue in registers: a block walks along z. Each plane is brought once, and each thread adds its nine once. The sums
// of the last three planes stay with the thread, and move up by one in each step. gridDim.z: nz / PLANES, rounded up.
__global__ void queue(float *out, const float *in, int nx, int ny, int nz)
{
    __shared__ float planes[2][TW * TH];  // in turns, so that one barrier for each plane will do
    int x = blockIdx.x * W + threadIdx.x, y = blockIdx.y * H + threadIdx.y;
    int first = blockIdx.z * PLANES, last = min(first + PLANES, nz);
    float above = 0.0f, here = 0.0f;
    for (int z = first - 1; z <= last; z++) {
        float *plane = planes[z & 1];
        bring(plane, in, z, nx, ny, nz);
        __syncthreads();
        float below = nine(plane);
        if (z > first && x < nx && y < ny)
            out[((z - 1) * ny + y) * nx + x] = above + here + below;
        above = here;
        here = below;
    }
}
