// lesson 6; device sim,gpu; nvcc; want: full; tries: the solution as a C programmer writes it: pointers into a and b that walk a step further each turn, what is left of k counted down, the product by two walking pointers with a constant end; right, two barriers, zeros at the edges
LAUNCH(32, 32, 32, 32)

__global__ void matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float a_tile[32 * 32], b_tile[32 * 32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
    const bool row_exists = row < m, column_exists = column < n;

    const float *pa = a + (row_exists ? row * k + tx : 0);
    const float *pb = b + (column_exists ? column : 0);
    float *const my_a = a_tile + 32 * ty + tx, *const my_b = b_tile + 32 * ty + tx;
    float sum = 0.0f;
    int left = k;
    int ib = ty * n;

    do {
        *my_a = row_exists && tx < left ? *pa : 0.0f;
        *my_b = column_exists && ty < left ? pb[ib] : 0.0f;
        __syncthreads();

        const float *p = a_tile + 32 * ty, *q = b_tile + tx;
#pragma unroll
        for (const float *const end = p + 32; p != end; ++p, q += 32)
            sum = fmaf(*p, *q, sum);
        __syncthreads();

        if (row_exists && left > 32 + tx)
            pa += 32;
        ib += 32 * n;
    } while ((left -= 32) > 0);

    if (row_exists && column_exists)
        c[row * n + column] = sum;
}
