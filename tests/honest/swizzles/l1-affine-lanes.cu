// lesson 1; device sim,gpu; nvcc,clang; want: full; tries: every turn deals a warp's 32 floats to its lanes by another affine map mod 32
LAUNCH(32, 8, 8192, 1)

// A warp owns 1024 neighbours and takes 32 of them in each turn. Only the set of addresses counts,
// not who has which: in turn t lane l takes seat (2 t + 1) l + 7 t (mod 32). The factor is odd, so
// the seats of a turn are all different.
__global__ void copy(float *out, const float *in, int n)
{
    unsigned strip = (blockIdx.x * 8u + threadIdx.y) * 1024u;
    unsigned factor = 1, shift = 0;
#pragma unroll 8
    for (unsigned turn = 0; turn < 32; ++turn, factor += 2, shift += 7) {
        unsigned seat = (factor * threadIdx.x + shift) & 31u;
        unsigned i = strip + turn * 32u + seat;
        if (i < (unsigned)n)
            out[i] = in[i];
    }
}
