// lesson 1; device sim,gpu; nvcc,clang; want: fail|timeout; tries: reads out first: a warp whose first float of out already equals in's (left from a previous launch, or both 0) copies nothing. Wrong when out and in share only that float, e.g. in[start]=0 over a zeroed out; it makes repeated timed launches "free"
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *out, const float *in, int n)
{
    int start = blockIdx.x * 8192, t = threadIdx.x;

    if (start + 8192 <= n) {
        const float4 *from = (const float4 *)(in + start);
        float4 *to = (float4 *)(out + start);
        float4 value = from[t];
        int done = 0;
        if (t % 32 == 0)
            done = to[t].x == value.x;       // is it there already?
        if (__shfl_sync(~0u, done, 0))
            return;
        to[t] = value;
        for (int turn = 1; turn < 8; turn++)
            to[turn * 256 + t] = from[turn * 256 + t];
        return;
    }
    for (int turn = 0; turn < 32; turn++) {
        int i = start + turn * 256 + t;
        if (i < n)
            out[i] = in[i];
    }
}
