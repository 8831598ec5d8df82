// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: the tile is unsigned long longs, read as ulonglong2 and shifted apart; prefix of pairs
LAUNCH(16, 16, 1024, 1)

struct Pair {
    float lower, upper;
    __device__ explicit Pair(unsigned long long bits)
        : lower(__uint_as_float((unsigned)bits)), upper(__uint_as_float((unsigned)(bits >> 32)))
    {
    }
    __device__ float sum() const { return lower + upper; }
};

__global__ void stencil(float *out, const float *in, int n)
{
    __shared__ __align__(16) unsigned long long tile[520];  // 1040 floats, two by two

    int t = threadIdx.y * 16 + threadIdx.x, first = blockIdx.x * 1024 - 8;
    for (int p = t; p < 520; p += 256) {
        int i = first + 2 * p;  // even
        float2 two = {};
        if (i >= 0 && i + 1 < n)
            two = *(const float2 *)(in + i);
        else if (i >= 0 && i < n)
            two.x = in[i];
        tile[p] = (unsigned long long)__float_as_uint(two.y) << 32 | __float_as_uint(two.x);
    }
    __syncthreads();

    const ulonglong2 *from = (const ulonglong2 *)tile + t;
    ulonglong2 q0 = from[0], q1 = from[1], q2 = from[2], q3 = from[3], q4 = from[4];
    Pair a(q0.x), b(q0.y), y(q4.x), z(q4.y);
    float middle = Pair(q1.x).sum() + Pair(q1.y).sum() + (Pair(q2.x).sum() + Pair(q2.y).sum()) +
                   (Pair(q3.x).sum() + Pair(q3.y).sum());  // words 4 to 15, which all four want

    float4 sums;
    sums.x = middle + (a.sum() + b.sum() + y.lower);
    sums.y = middle + (a.upper + b.sum() + y.sum());
    sums.z = middle + (b.sum() + y.sum() + z.lower);
    sums.w = middle + (b.upper + y.sum() + z.sum());

    int i = blockIdx.x * 1024 + 4 * t;
    if (i + 3 < n)
        *(float4 *)(out + i) = sums;
    else
        switch (n - i) {
        case 3: out[i + 2] = sums.z;  // and the two before
            // fall through
        case 2: out[i + 1] = sums.y;
            // fall through
        case 1: out[i] = sums.x;
        }
}
