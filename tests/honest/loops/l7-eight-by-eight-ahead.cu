// lesson 7; device sim,gpu; nvcc,clang; want: full; tries: 128 x 128 elements a block, steps of 8, two places for each tile, the next tile waits in registers meanwhile; rows of 132 words
LAUNCH(256, 1, 128, 128)

// Four neighbours of a row of which the first `have` exist; the others are 0.
__device__ __forceinline__ float4 load4(const float *from, int have, bool aligned)
{
	if (aligned)	// rows are multiples of 16 bytes: all four or none
		return have > 0 ? *(const float4 *)from : make_float4(0.f, 0.f, 0.f, 0.f);
	float v[4];
#pragma unroll
	for (int j = 0; j < 4; ++j)
		v[j] = j < have ? from[j] : 0.f;
	return make_float4(v[0], v[1], v[2], v[3]);
}

__global__ void __launch_bounds__(256)
matmul(float *c, const float *a, const float *b, int m, int n, int k)
{
	// A row of 132 words moves the next one on by four banks: two lanes that store the upper and
	// the lower half of one row of a are 16 banks apart.
	__shared__ float4 at[2][8][33], bt[2][8][32];

	const int id = threadIdx.x, tx = id % 16, ty = id / 16;
	const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 128;
	const int ar = id >> 1, ai = (id & 1) << 2;		// this thread's four of a: a row, and where along k
	const int bi = id >> 5, bq = (id & 31) << 2;		// and of b
	const bool a_wide = k % 4 == 0, b_wide = n % 4 == 0;
	float4 fa, fb;
	float sum[8][8] = {};

#define FETCH(k0) do {													\
	fa = load4(a + (size_t)(row0 + ar) * k + (k0) + ai, row0 + ar < m ? k - (k0) - ai : 0, a_wide);		\
	fb = load4(b + (size_t)((k0) + bi) * n + column0 + bq, (k0) + bi < k ? n - column0 - bq : 0, b_wide);	\
} while (0)
#define PUT(place) do {							\
	float *column = (float *)at[place][ai] + ar;			\
	column[0] = fa.x;						\
	column[132] = fa.y;						\
	column[264] = fa.z;						\
	column[396] = fa.w;						\
	bt[place][bi][id & 31] = fb;					\
} while (0)

	FETCH(0);
	PUT(0);
	__syncthreads();

	for (int k0 = 0, place = 0; k0 < k; k0 += 8, place ^= 1) {
		const bool more = k0 + 8 < k;
		if (more)
			FETCH(k0 + 8);

#pragma unroll
		for (int i = 0; i < 8; ++i) {
			const float4 x0 = at[place][i][ty], x1 = at[place][i][16 + ty];
			const float4 y0 = bt[place][i][tx], y1 = bt[place][i][16 + tx];
			const float x[8] = {x0.x, x0.y, x0.z, x0.w, x1.x, x1.y, x1.z, x1.w};
			const float y[8] = {y0.x, y0.y, y0.z, y0.w, y1.x, y1.y, y1.z, y1.w};
#pragma unroll
			for (int p = 0; p < 8; ++p)
#pragma unroll
				for (int q = 0; q < 8; ++q)
					sum[p][q] += x[p] * y[q];
		}

		if (more)
			PUT(place ^ 1);		// whom this could disturb has passed the last barrier
		__syncthreads();
	}

#pragma unroll
	for (int p = 0; p < 8; ++p) {
		const int row = row0 + (p & 4) * 16 + ty * 4 + (p & 3);
#pragma unroll
		for (int h = 0; h < 8; h += 4) {
			const int column = column0 + h * 16 + tx * 4;
			float *to = c + (size_t)row * n + column;
			if (b_wide && row < m && column < n)
				*(float4 *)to = make_float4(sum[p][h], sum[p][h + 1], sum[p][h + 2], sum[p][h + 3]);
#pragma unroll
			for (int q = 0; q < 4; ++q)
				if (!b_wide && row < m && column + q < n)
					to[q] = sum[p][h + q];
		}
	}
}
