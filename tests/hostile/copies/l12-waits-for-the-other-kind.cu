// lesson 12; device sim,gpu; nvcc,clang; want: fail|timeout; tries: the bulk store of the block's outputs is waited for by cp.async.wait_all, which knows of copies of single threads only: the block ends while the bulk copy may still read its shared memory; every n >= 4
// 12 stencil: a tile with its halo in, and the outputs leave in one bulk copy.
LAUNCH(256, 1, 1024, 1)

#define AT(place) ((unsigned)__cvta_generic_to_shared(place))

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[1024 + 16];
    __shared__ __align__(128) float results[1024];
    int t = threadIdx.x, base = blockIdx.x * 1024, first = base - 8;

    for (int k = t; k < 1024 + 16; k += 256)
        tile[k] = first + k >= 0 && first + k < n ? in[first + k] : 0.0f;
    __syncthreads();

    float window[20];
    for (int q = 0; q < 5; q++) {
        float4 four = ((const float4 *)tile)[t + q];
        window[4 * q] = four.x;
        window[4 * q + 1] = four.y;
        window[4 * q + 2] = four.z;
        window[4 * q + 3] = four.w;
    }
    float sum = 0.0f, sums[4];
    for (int d = 0; d < 16; d++)
        sum += window[d];
    for (int j = 0; j < 4; j++) {
        sum += window[16 + j];
        sums[j] = sum;
        sum -= window[j];
    }
    ((float4 *)results)[t] = make_float4(sums[0], sums[1], sums[2], sums[3]);

    // Stored by threads, read by the copy engine: each fences, all meet, one sends.
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    int count = min(1024, n - base), whole = count & ~3;
    if (t < count - whole)
        out[base + whole + t] = results[whole + t];
    if (t == 0 && whole > 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                     :: "l"(__cvta_generic_to_global(out + base)), "r"(AT(results)), "r"(whole * 4) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.wait_all;" ::: "memory");  // nothing of it may be under way when the block ends
    }
}
