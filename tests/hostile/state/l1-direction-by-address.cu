// lesson 1; device sim,gpu; nvcc,clang; want: fail|timeout; tries: where in lies below out, blocks are copied from their end and a thread stops at its first float past n: of a last block that n does not fill, n % 8192 != 0, floats are left out
LAUNCH(256, 1, 8192, 1)

// As memmove does it: if the two arrays should overlap, the direction decides whether a float is
// read before it is overwritten. So go up where out is the lower one, and down where it is not.
struct Walk {
    int at, step;
    __device__ Walk(int start, bool up)
        : at(up ? start + (int)threadIdx.x : start + 8191 - (int)threadIdx.x), step(up ? 256 : -256)
    {
    }
    __device__ void next() { at += step; }
};

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192;
    bool up = (unsigned long long)out <= (unsigned long long)in;

    Walk walk(start, up);
    for (int turn = 0; turn < 32; turn++, walk.next()) {
        if (walk.at >= n)  // nothing is left of this array
            break;
        float value = in[walk.at];  // @load
        out[walk.at] = value;       // @store
    }
}
