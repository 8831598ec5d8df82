// lesson 3; device sim,gpu; nvcc,clang; want: fail|timeout; tries: value and stamp are written and read by volatile two-word vectors: PTX makes no promise that the two words of a vector access are one, nor in which order they come, so a reader that sees the stamp may see the old value; no barrier lies between filling and reading; all sizes beyond 1 x 1
// 03 tiled transpose: each float travels with a stamp that says it is there.
LAUNCH(32, 32, 32, 32)

#define AT(place) ((unsigned)__cvta_generic_to_shared(place))

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ __align__(8) float2 tile[32][32];  // the float, and 1 once it has been brought

    // No stamps from an earlier block.
    tile[threadIdx.y][threadIdx.x] = make_float2(0.0f, 0.0f);
    __syncthreads();

    int column = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * 32 + threadIdx.y;
    if (row < height && column < width)
        asm volatile("st.volatile.shared.v2.f32 [%0], {%1, %2};"
                     :: "r"(AT(&tile[threadIdx.y][threadIdx.x])), "f"(in[row * width + column]), "f"(1.0f) : "memory");

    int out_column = blockIdx.y * 32 + threadIdx.x;
    int out_row = blockIdx.x * 32 + threadIdx.y;
    if (out_row < width && out_column < height) {
        // The value and its stamp come in one access: whoever sees the stamp has the value.
        float value, stamp;
        do {
            asm volatile("ld.volatile.shared.v2.f32 {%0, %1}, [%2];"
                         : "=f"(value), "=f"(stamp) : "r"(AT(&tile[threadIdx.x][threadIdx.y])) : "memory");
        } while (stamp != 1.0f);
        out[out_row * height + out_column] = value;
    }
}
