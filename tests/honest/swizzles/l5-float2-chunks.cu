// lesson 5; device sim; nvcc,clang; want: full; tries: pairs: rows of 16 float2, the pair swizzled by r % 16, 16 x 16 threads
LAUNCH(16, 16, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float2 tile[32][16];
    const int t = threadIdx.y * 16 + threadIdx.x;
    const int bc = blockIdx.x * 32, br = blockIdx.y * 32;
    for (int e = t; e < 512; e += 256) {
        int r = e >> 4, q = e & 15, c = bc + 2 * q;
        if (br + r < height && c < width) {
            const float *p = in + (br + r) * width + c;
            float2 v;
            if (width % 2 == 0) v = *(const float2 *)p;
            else v = make_float2(p[0], c + 1 < width ? p[1] : 0.0f);
            tile[r][q ^ (r & 15)] = v;
        }
    }
    __syncthreads();
    for (int e = t; e < 512; e += 256) {
        int q = e >> 5, r = e & 31, c = bc + 2 * q;
        if (br + r >= height || c >= width) continue;
        float2 v = tile[r][q ^ (r & 15)];
        float *o = out + c * height + br + r;
        o[0] = v.x;
        if (c + 1 < width) o[height] = v.y;
    }
}
