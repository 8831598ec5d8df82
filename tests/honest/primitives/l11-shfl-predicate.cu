// lesson 11; device sim,gpu; nvcc,clang; want: full; tries: a warp a row with two batches of 16-byte PTX loads in turn (one is added while the other is under way), and the tree is shfl.sync with its predicate result: who has no partner does not add
LAUNCH(256, 1, 8, 1)

__device__ __forceinline__ float4 ptx_load4(const float4 *p)
{
    float4 v;
    asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
    return v;
}

// x += x of the lane `distance` above, where there is one: the predicate says so.
__device__ __forceinline__ float ptx_add_from_above(float x, int distance)
{
    asm volatile("{\n\t.reg .f32 y;\n\t.reg .pred there;\n\t"
                 "shfl.sync.down.b32 y|there, %0, %1, 0x1f, 0xffffffff;\n\t"
                 "@there add.f32 %0, %0, y;\n\t}"
                 : "+f"(x) : "r"(distance));
    return x;
}

template <int N>
struct Quads {
    float4 q[N];
    __device__ void fetch(const float4 *from, int i, int have)
    {
#pragma unroll
        for (int j = 0; j < N; j++, i += 32)
            q[j] = i < have ? ptx_load4(from + i) : make_float4(0, 0, 0, 0);
    }
    __device__ void add_to(float (&sum)[4]) const
    {
#pragma unroll
        for (int j = 0; j < N; j++) {
            sum[0] += q[j].x;
            sum[1] += q[j].y;
            sum[2] += q[j].z;
            sum[3] += q[j].w;
        }
    }
};

__global__ void __launch_bounds__(256) row_sums(float *out, const float *in, int rows, int cols)
{
    const int lane = threadIdx.x & 31, row = blockIdx.x * 8 + (threadIdx.x >> 5);
    if (row >= rows)
        return;  // a whole warp

    float sum[4] = {};
    if ((cols & 3) == 0) {
        const float4 *from = (const float4 *)in + (size_t)row * (cols >> 2);
        const int have = cols >> 2;
        Quads<4> even, odd;
        int i = lane;
        even.fetch(from, i, have);
        while (true) {
            odd.fetch(from, i + 128, have);
            even.add_to(sum);
            if ((i += 256) - lane >= have) {  // nothing behind the odd batch
                odd.add_to(sum);
                break;
            }
            even.fetch(from, i, have);
            odd.add_to(sum);
        }
    } else {
        const float *from = in + (size_t)row * cols;
        int i = lane;
        for (; i + 96 < cols; i += 128)
#pragma unroll
            for (int j = 0; j < 4; j++)
                sum[j] += from[i + j * 32];
        for (; i < cols; i += 32)
            sum[0] += from[i];
    }

    float total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
#pragma unroll
    for (int distance = 16; distance; distance >>= 1)
        total = ptx_add_from_above(total, distance);
    if (lane == 0)
        out[row] = total;
}
