// lesson 2; device sim,gpu; nvcc,clang; want: full; tries: 16 x 16 threads, each two rows by two columns, pairs stored as float2
LAUNCH(16, 16, 32, 32)
__global__ void transpose(float *out, const float *in, int width, int height)
{
    int r = blockIdx.y * 32 + 2 * threadIdx.x;
    bool even = (height & 1) == 0;
    for (int s = 0; s < 2; ++s) {
        int c = blockIdx.x * 32 + threadIdx.y + 16 * s;
        if (c >= width || r >= height) continue;
        float2 v;
        v.x = in[r * width + c];
        v.y = r + 1 < height ? in[(r + 1) * width + c] : 0.0f;
        float *o = out + c * height + r;
        if (even)
            *(float2 *)o = v;
        else {
            o[0] = v.x;
            if (r + 1 < height) o[1] = v.y;
        }
    }
}
