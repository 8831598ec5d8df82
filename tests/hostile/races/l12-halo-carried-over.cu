// lesson 12; device sim,gpu; nvcc,clang; want: fail|timeout; tries: between two turns threads 0 to 15 carry the last 16 words to the front while threads 240 to 255 overwrite them with the next ones: no barrier between the two
LAUNCH(256, 1, 1024, 1)

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ float tile[256 + 16];
    int t = threadIdx.x, first = blockIdx.x * 1024;

    for (int k = t; k < 256 + 16; k += 256) {
        int i = first - 8 + k;
        tile[k] = i >= 0 && i < n ? in[i] : 0.0f;
    }
    __syncthreads();

    for (int turn = 0; turn < 4 && first < n; turn++) {
        float sum = 0.0f;
        for (int d = 0; d <= 16; d++)
            sum += tile[t + d];
        if (first + t < n)
            out[first + t] = sum;
        __syncthreads();  // all have read

        // 16 of the next 272 words are here already.
        first += 256;
        if (t < 16)
            tile[t] = tile[256 + t];
        int i = first + 8 + t;
        tile[16 + t] = i < n ? in[i] : 0.0f;
        __syncthreads();
    }
}
