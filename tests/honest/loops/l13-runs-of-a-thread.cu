// lesson 13; device sim,gpu; nvcc,clang; want: pass; tries: a thread counts runs: equal bytes that follow each other are added with one atomic
LAUNCH(256, 1, 1, 1)

// A value, and how often it came in a row. When another comes, the run is added to the bins.
class Run {
    unsigned *bins;
    unsigned value, length;

public:
    __device__ explicit Run(unsigned *b) : bins(b), value(0), length(0) {}
    __device__ __forceinline__ void push(unsigned next)
    {
        if (next != value) {
            flush();
            value = next;
        }
        length++;
    }
    __device__ __forceinline__ void flush()
    {
        if (length)
            atomicAdd(&bins[value], length);
        length = 0;
    }
};

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
    __shared__ unsigned bins[256];
    const int t = threadIdx.x;
    const unsigned char *row = in + (long long)blockIdx.x * cols;

    bins[t] = 0;
    __syncthreads();

    Run run(bins);
    if (cols % 16 == 0) {
        for (int i = t; i < cols / 16; i += 256) {
            const uint4 q = __ldcs(reinterpret_cast<const uint4 *>(row) + i);
            const unsigned word[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
            for (int b = 0; b < 16; b++)
                run.push((word[b / 4] >> b % 4 * 8 & 255u) >> shift);
        }
    } else if (cols % 4 == 0) {
        for (int i = t; i < cols / 4; i += 256) {
            const unsigned word = __ldcs(reinterpret_cast<const unsigned *>(row) + i);
#pragma unroll
            for (int b = 0; b < 4; b++)
                run.push((word >> b * 8 & 255u) >> shift);
        }
    } else {
        for (int i = t; i < cols; i += 256)
            run.push((unsigned)row[i] >> shift);
    }
    run.flush();
    __syncthreads();

    out[blockIdx.x * 256 + t] = bins[t];
}
