// lesson 6; device sim,gpu; nvcc,clang; want: full; tries: solution's tiles and barriers, but loads from the tiles and multiplications are inline PTX with immediate offsets
LAUNCH(32, 32, 32, 32)

struct __align__(16) Tiles {
    float a[32][32];
    float b[32][32];
};

// sum += a[i .. i + 3] * b[i .. i + 3][column]; both addresses are of shared memory, in bytes.
template <int I>
__device__ __forceinline__ void four_products(float &sum, unsigned a_row, unsigned b_column)
{
    asm volatile("{\n\t"
                 ".reg .f32 a0, a1, a2, a3, b0, b1, b2, b3;\n\t"
                 "ld.shared.v4.f32 {a0, a1, a2, a3}, [%1 + %3];\n\t"
                 "ld.shared.f32 b0, [%2 + %4];\n\t"
                 "ld.shared.f32 b1, [%2 + %5];\n\t"
                 "ld.shared.f32 b2, [%2 + %6];\n\t"
                 "ld.shared.f32 b3, [%2 + %7];\n\t"
                 "fma.rn.f32 %0, a0, b0, %0;\n\t"
                 "fma.rn.f32 %0, a1, b1, %0;\n\t"
                 "fma.rn.f32 %0, a2, b2, %0;\n\t"
                 "fma.rn.f32 %0, a3, b3, %0;\n\t"
                 "}"
                 : "+f"(sum)
                 : "r"(a_row), "r"(b_column), "n"(I * 4), "n"(I * 128), "n"(I * 128 + 128), "n"(I * 128 + 256),
                   "n"(I * 128 + 384)
                 : "memory");
}

template <int I = 0>
__device__ __forceinline__ void row_by_column(float &sum, unsigned a_row, unsigned b_column)
{
    if constexpr (I < 32) {
        four_products<I>(sum, a_row, b_column);
        row_by_column<I + 4>(sum, a_row, b_column);
    }
}

__global__ void __launch_bounds__(1024) matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ Tiles tiles;

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    const unsigned a_row = (unsigned)__cvta_generic_to_shared(&tiles.a[ty][0]);
    const unsigned b_column = (unsigned)__cvta_generic_to_shared(&tiles.b[0][tx]);
    const float *from_a = a + (size_t)row * k + tx, *from_b = b + (size_t)ty * n + column;
    float sum = 0;

    for (int left = k; left > 0; left -= 32) {
        float x = 0, y = 0;
        if (row < m && tx < left)
            x = __ldg(from_a);
        if (column < n && ty < left)
            y = __ldg(from_b);
        asm volatile("st.shared.f32 [%0], %1;" :: "r"(a_row + tx * 4), "f"(x) : "memory");
        asm volatile("st.shared.f32 [%0], %1;" :: "r"(b_column + ty * 128), "f"(y) : "memory");
        __syncthreads();
        row_by_column(sum, a_row, b_column);
        __syncthreads();
        from_a += 32;
        from_b += (size_t)32 * n;
    }

    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
}
