// lesson 13; device sim,gpu; nvcc,clang; want: full; tries: two rows a block, 128 threads each, and each half waits at a named barrier of its own; without a second row its half leaves
LAUNCH(256, 1, 2, 1)

// All 128 threads of a half, and nobody else.
#define MEET(half) asm volatile("bar.sync %0, 128;" ::"r"((half) + 1) : "memory")

#define COUNT(byte) atomicAdd(&counts[(byte) >> shift], 1)
#define COUNT_FOUR(word) (COUNT((word) & 255), COUNT((word) >> 8 & 255), COUNT((word) >> 16 & 255), COUNT((word) >> 24))

__global__ void histograms(unsigned *out, const unsigned char *in, int rows, int cols, int shift)
{
	__shared__ unsigned both[2][256];

	const int half = threadIdx.x / 128, t = threadIdx.x % 128, row = blockIdx.x * 2 + half;
	if (row >= rows)
		return;

	unsigned *const counts = both[half];
	const unsigned char *const bytes = in + (size_t)row * cols;

	counts[t] = counts[t + 128] = 0;
	MEET(half);

	int done = 0;			// bytes that were taken in fours
	if (((size_t)bytes & 3) == 0) {
		const int wide = ((size_t)bytes & 15) == 0 ? cols / 16 : 0;
#pragma unroll 2
		for (int i = t; i < wide; i += 128) {
			uint4 q = ((const uint4 *)bytes)[i];
			COUNT_FOUR(q.x);
			COUNT_FOUR(q.y);
			COUNT_FOUR(q.z);
			COUNT_FOUR(q.w);
		}
		for (int i = wide * 4 + t; i < cols / 4; i += 128) {
			unsigned word = ((const unsigned *)bytes)[i];
			COUNT_FOUR(word);
		}
		done = cols / 4 * 4;
	}
	for (int i = done + t; i < cols; i += 128)
		COUNT(bytes[i]);
	MEET(half);

	((uint2 *)(out + (size_t)row * 256))[t] = ((const uint2 *)counts)[t];
}
