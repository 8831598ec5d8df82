// lesson 1; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the float of the next turn is loaded under this turn's guard, so in[i + 256] is read up to 256 floats past the end, for every n that is no multiple of 256 (and most others that end inside a block); the contract says nothing at or past n is read
// 01 coalescing: each thread keeps the next float in a register while it stores this one.
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int first = blockIdx.x * 8192 + threadIdx.x;
    float next = first < n ? in[first] : 0.0f;

    // One load is always on its way while the last one is stored.
#pragma unroll 4
    for (int turn = 0; turn < 32; turn++) {
        int i = first + turn * 256;
        if (i < n) {
            float value = next;
            if (turn < 31)
                next = in[i + 256];
            out[i] = value;
        }
    }
}
