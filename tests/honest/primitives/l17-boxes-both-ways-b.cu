// lesson 17; device sim,gpu; nvcc,clang; want: full; tries: boxes in and boxes out, two tiles for each way; the warps take turns at naming boxes, so that warp s has both copies of step s
#include <cuda.h>

LAUNCH(32, 4, 32, 128)

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define PROXY_FENCE() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")

#define BOX_IN(to, map, x, y, bar) do {												\
	asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4096;" ::"r"(AT(bar)) : "memory");			\
	asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"	\
		     ::"r"(AT(to)), "l"(&(map)), "r"(x), "r"(y), "r"(AT(bar)) : "memory");					\
} while (0)
#define BOX_OUT(map, x, y, from) do {												\
	asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];"			\
		     ::"l"(&(map)), "r"(x), "r"(y), "r"(AT(from)) : "memory");						\
	asm volatile("cp.async.bulk.commit_group;" ::: "memory");								\
} while (0)
#define OUT_IS_READ() asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory")

__global__ void transpose(float *out, const float *in, const __grid_constant__ CUtensorMap in_map,
			  const __grid_constant__ CUtensorMap out_map, int width, int height)
{
	__shared__ __align__(1024) float4 came[2][32][8];
	__shared__ __align__(1024) float goes[2][32][32];
	__shared__ unsigned long long full[2];

	const int lane = threadIdx.x, warp = threadIdx.y;
	const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 128;
	const int steps = min(4, (height - y0 + 31) / 32);

	if (warp == 0 && lane < 2) {
		asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(AT(&full[lane])) : "memory");
		PROXY_FENCE();
	}
	__syncthreads();
	if (lane == 0 && warp < 2 && warp < steps)
		BOX_IN(came[warp], in_map, x0, y0 + warp * 32, &full[warp]);

	for (int step = 0; step < steps; ++step) {
		const int s = step & 1, parity = step >> 1;

		for (unsigned over = 0; !over;)
			asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
				     : "=r"(over) : "r"(AT(&full[s])), "r"(parity) : "memory");

		// Chunk q of row `lane` becomes a word in each of four rows of the tile that goes; the
		// tensor copy expects those swizzled as well: chunk lane / 4 of row c at place ^ c % 8.
#pragma unroll
		for (int j = 0; j < 2; ++j) {
			const int q = warp + 4 * j;
			const float4 v = came[s][lane][q ^ (lane & 7)];
			const float four[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
			for (int i = 0; i < 4; ++i) {
				const int c = 4 * q + i;
				goes[s][c][((lane >> 2 ^ (c & 7)) << 2) + (lane & 3)] = four[i];
			}
		}
		PROXY_FENCE();		// what I stored is for a copy to read
		__syncthreads();	// everybody has; and nobody reads what came any more

		if (lane == 0) {
			if (warp == step)
				BOX_OUT(out_map, y0 + step * 32, x0, goes[s]);
			if (warp == step - 1)
				OUT_IS_READ();	// the other tile may be written again
			if (warp == step + 2 && step + 2 < steps)
				BOX_IN(came[s], in_map, x0, y0 + (step + 2) * 32, &full[s]);
		}
		__syncthreads();
	}
	if (lane == 0)
		OUT_IS_READ();	// before the block gives its memory back
}
