// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: two structs passed by value to helper functions
LAUNCH(32, 8, 32, 32)
struct View { float *data; int rows, columns, pitch; };
struct Corner { int x, y; };
__device__ View window(View v, Corner c)
{
    return {v.data + c.y * v.pitch + c.x, min(32, v.rows - c.y), min(32, v.columns - c.x), v.pitch};
}
__device__ void copy(View to, View from, bool turned)
{
    for (int r = threadIdx.y; r < 32; r += 8) {
        const int c = threadIdx.x;
        if (!turned && r < from.rows && c < from.columns)
            to.data[r * to.pitch + c] = from.data[r * from.pitch + c];
        if (turned && r < to.rows && c < to.columns)
            to.data[r * to.pitch + c] = from.data[c * from.pitch + r];
    }
}
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float memory[32 * 33];
    View tile{memory, 32, 32, 33};
    const View source{const_cast<float *>(in), height, width, width}, target{out, width, height, height};
    const Corner here{(int)blockIdx.x * 32, (int)blockIdx.y * 32}, there{here.y, here.x};
    copy(tile, window(source, here), false);
    __syncthreads();
    copy(window(target, there), tile, true);
}
