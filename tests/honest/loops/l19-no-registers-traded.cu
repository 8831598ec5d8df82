// lesson 19; device sim,gpu; nvcc,clang; want: pass; tries: 288 threads: two warp groups and one single warp that copies, so that nobody trades registers; products of 64 x 128 x 16 in pairs; three stages
#include <cuda.h>
#include <cuda_bf16.h>

LAUNCH(288, 1, 256, 128, 147504)

constexpr int STAGES = 3;

struct Stage {
	__nv_bfloat16 a[128 * 64], b[256 * 64];	// 16 and 32 KB
};
struct Shared {
	Stage stage[STAGES];
	unsigned long long full[STAGES], empty[STAGES];
};
static_assert(sizeof(Stage) == 49152 && sizeof(Shared) == 147504, "as LAUNCH says");

__device__ __forceinline__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ __forceinline__ void wait(unsigned long long *bar, unsigned parity)
{
	for (unsigned done = 0; !done;)
		asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
			     : "=r"(done) : "r"(at(bar)), "r"(parity) : "memory");
}

__device__ __forceinline__ void box(void *to, const CUtensorMap *map, int x, int y, unsigned long long *bar)
{
	asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
		     ::"r"(at(to)), "l"(map), "r"(x), "r"(y), "r"(at(bar)) : "memory");
}

// Address, stride 1024 from eight rows to the next, swizzle of 128 bytes.
__device__ __forceinline__ unsigned long long operand(const __nv_bfloat16 *p)
{
	return (at(p) & 0x3ffff) >> 4 | (unsigned long long)(1024 >> 4) << 32 | (unsigned long long)1 << 62;
}

#define E8(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])

// sum += (64 x 16 of a) (128 x 16 of b, transposed); with add = 0 it becomes the product.
__device__ __forceinline__ void products(float (&sum)[64], unsigned long long a, unsigned long long b, int add)
{
	asm volatile("{ .reg .pred p; setp.ne.b32 p, %66, 0;\n"
		     "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
		     "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
		     "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
		     "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
		     "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
		     "}, %64, %65, p, 1, 1, 0, 0; }"
		     : E8(sum, 0), E8(sum, 8), E8(sum, 16), E8(sum, 24), E8(sum, 32), E8(sum, 40), E8(sum, 48), E8(sum, 56)
		     : "l"(a), "l"(b), "r"(add) : "memory");
}

__device__ __forceinline__ void put(float *c, const float (&sum)[64], int row0, int column0, int m, int n)
{
	const int t = threadIdx.x & 127, row = row0 + (t >> 5) * 16 + (t & 31) / 4, column = column0 + (t & 3) * 2;
	const bool even = (n & 1) == 0;
#pragma unroll
	for (int i = 0; i < 32; ++i) {
		const int y = row + (i & 1) * 8, x = column + (i >> 1) * 8;
		float *to = c + (size_t)y * n + x;
		if (even && y < m && x < n)
			*(float2 *)to = make_float2(sum[2 * i], sum[2 * i + 1]);
		if (!even && y < m && x < n)
			to[0] = sum[2 * i];
		if (!even && y < m && x + 1 < n)
			to[1] = sum[2 * i + 1];
	}
}

__global__ void __launch_bounds__(288, 1)
matmul(float *c, const __nv_bfloat16 *a, const __nv_bfloat16 *b, const __grid_constant__ CUtensorMap a_map,
       const __grid_constant__ CUtensorMap b_map, int m, int n, int k)
{
	extern __shared__ __align__(1024) unsigned char memory[];
	Shared *const sh = (Shared *)memory;

	const int row0 = blockIdx.y * 128, column0 = blockIdx.x * 256, steps = (k + 63) / 64;
	int s = 0;
	unsigned phase = 0;

	if (threadIdx.x == 256) {	// who will copy makes the barriers, too
		for (int i = 0; i < STAGES; ++i) {
			asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&sh->full[i])) : "memory");
			asm volatile("mbarrier.init.shared::cta.b64 [%0], 2;" ::"r"(at(&sh->empty[i])) : "memory");
		}
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	}
	__syncthreads();

	if (threadIdx.x >= 256) {
		if (threadIdx.x == 256)
			for (int i = 0; i < steps; ++i) {
				Stage *const to = &sh->stage[s];
				wait(&sh->empty[s], phase ^ 1);
				asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
					     ::"r"(at(&sh->full[s])), "r"((unsigned)sizeof(Stage)) : "memory");
				for (int j = 0; j < 128; j += 64)
					box(&to->a[j * 64], &a_map, i * 64, row0 + j, &sh->full[s]);
				for (int j = 0; j < 256; j += 64)
					box(&to->b[j * 64], &b_map, i * 64, column0 + j, &sh->full[s]);
				if (++s == STAGES)
					s = 0, phase ^= 1;
			}
		return;
	}

	const int group = threadIdx.x >> 7;
	float left[64], right[64];	// 64 rows of columns 0 to 127 and of 128 to 255
	int before = -1;		// the stage of the step before

	for (int i = 0; i < steps; ++i) {
		const __nv_bfloat16 *x = sh->stage[s].a + group * 64 * 64, *y = sh->stage[s].b;
		wait(&sh->full[s], phase);
		asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
		for (int j = 0; j < 4; ++j) {
			products(left, operand(x + 16 * j), operand(y + 16 * j), i + j);
			products(right, operand(x + 16 * j), operand(y + 128 * 64 + 16 * j), i + j);
		}
		asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
		asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
		if (before >= 0 && (threadIdx.x & 127) == 0)
			asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(&sh->empty[before])) : "memory");
		before = s;
		if (++s == STAGES)
			s = 0, phase ^= 1;
	}
	asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
	put(c, left, row0 + group * 64, column0, m, n);
	put(c, right, row0 + group * 64, column0 + 128, m, n);
}
