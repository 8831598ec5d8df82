// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: a run of 1024 for each warp, walked from its end with mirrored lanes, a goto loop and unsigned wraparound
LAUNCH(256, 1, 8192, 1)

__global__ void copy(float *__restrict__ out, const float *__restrict__ in, int n)
{
    const unsigned count = static_cast<unsigned>(n);
    const unsigned lane = threadIdx.x & 31u, warp = threadIdx.x >> 5;

    // Lane 0 has the last float of 32, lane 31 the first: the set of sectors is what counts.
    unsigned at = blockIdx.x * 8192u + warp * 1024u + (1023u - lane);
    unsigned left = 8u;

again: {
    const unsigned i0 = at, i1 = at - 32u, i2 = at - 64u, i3 = at - 96u;
    float v0 = 0.0f, v1 = 0.0f, v2 = 0.0f, v3 = 0.0f;
    if (i0 < count)
        v0 = __ldg(in + i0);
    if (i1 < count)
        v1 = __ldg(in + i1);
    if (i2 < count)
        v2 = __ldg(in + i2);
    if (i3 < count)
        v3 = __ldg(in + i3);
    if (i0 < count)
        out[i0] = v0;
    if (i1 < count)
        out[i1] = v1;
    if (i2 < count)
        out[i2] = v2;
    if (i3 < count)
        out[i3] = v3;
}
    at -= 128u;  // in the very first warp the last one goes below zero, and is not used any more
    if (--left != 0u)
        goto again;
}
