// lesson 15; device sim,gpu; nvcc,clang; want: full; tries: the same cures as barriers, copies and an mbarrier in PTX, a tree that is counted by bits, and one kernel that needs no tile any more

#define BLOCK_BARRIER() asm volatile("barrier.sync 0;" ::: "memory")
#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__global__ void neighbours(float *out, const float *in, int n)
{
	__shared__ float tile[1 + 256 + 1];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;

	tile[t + 1] = i < n ? in[i] : 0.0f;
	if (t == 0)
		tile[0] = i > 0 ? in[i - 1] : 0.0f;
	else if (t == 255)
		tile[257] = i + 1 < n ? in[i + 1] : 0.0f;
	BLOCK_BARRIER();

	if (i >= n)
		return;
	out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}

__global__ void totals(float *out, const float *in, int n)
{
	__shared__ float part[256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t, round;

	part[t] = i < n ? in[i] : 0.0f;
	for (round = 7; round >= 0; --round) {
		BLOCK_BARRIER();		/* everybody, in every round, before its sums are read */
		if (t >> round == 0)
			part[t] += part[t | 1 << round];
	}
	if (t == 0)				/* thread 0 has added the last one itself */
		out[blockIdx.x] = *part;
}

/* Who reads in order and stores backwards touches the same sectors as who turns them in a tile. */
__global__ void reverse(float *out, const float *in, int n)
{
	int i = blockIdx.x * 256 + threadIdx.x;

	if (i < n)
		out[n - 1 - i] = in[i];
}

__global__ void differences(float *out, const float *in, int n)
{
	__shared__ float tile[257];
	__shared__ unsigned long long here;
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	unsigned over;

	if (t == 0)
		asm volatile("mbarrier.init.shared::cta.b64 [%0], 256;" ::"r"(AT(&here)) : "memory");
	BLOCK_BARRIER();

	if (i < n)
		asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(AT(&tile[t + 1])), "l"(__cvta_generic_to_global(in + i)) : "memory");
	if (t == 0)	/* in[-1] counts as 0: nothing is read then */
		asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;"
			     ::"r"(AT(tile)), "l"(__cvta_generic_to_global(i > 0 ? in + i - 1 : in)), "r"(i > 0 ? 4 : 0) : "memory");
	/* Each of 256 threads arrives when its own copies have; who gets through knows of all. */
	asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(AT(&here)) : "memory");
	do
		asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\tselp.u32 %0, 1, 0, p;\n\t}"
			     : "=r"(over) : "r"(AT(&here)) : "memory");
	while (!over);

	if (i < n)
		out[i] = tile[t + 1] - tile[t];
}
