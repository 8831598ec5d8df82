// lesson 4; device sim; nvcc,clang; want: full; tries: phases in a constant table of function pointers, called in turn
LAUNCH(32, 8, 32, 32)
struct Ctx { float *out; const float *in; int w, h; float (*t)[33]; };
__device__ __noinline__ void fill(const Ctx &c)
{
    for (int j = threadIdx.y; j < 32; j += 8) {
        int r = blockIdx.y * 32 + j, q = blockIdx.x * 32 + threadIdx.x;
        if (r < c.h && q < c.w) c.t[j][threadIdx.x] = c.in[r * c.w + q];
    }
}
__device__ __noinline__ void meet(const Ctx &) { __syncthreads(); }
__device__ __noinline__ void give(const Ctx &c)
{
    for (int j = threadIdx.y; j < 32; j += 8) {
        int r = blockIdx.x * 32 + j, q = blockIdx.y * 32 + threadIdx.x;
        if (r < c.w && q < c.h) c.out[r * c.h + q] = c.t[threadIdx.x][j];
    }
}
typedef void (*Phase)(const Ctx &);
__constant__ Phase phases[3] = {fill, meet, give};
__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    Ctx c = {out, in, width, height, tile};
    for (int p = 0; p < 3; p++) phases[p](c);
}
