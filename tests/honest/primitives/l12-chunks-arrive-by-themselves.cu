// lesson 12; device sim,gpu; nvcc,clang; want: full; tries: the tile comes by cp.async in chunks of 16 bytes whose source size says how much of a chunk exists, halo and ends included
LAUNCH(256, 1, 1024, 1)

#define OUTPUTS 1024
#define RADIUS 8
#define CHUNKS ((OUTPUTS + 2 * RADIUS) / 4) /* 260 */

__global__ void stencil(float *out, const float *in, int n)
{
	__shared__ float4 tile[CHUNKS];
	const int t = threadIdx.x, first = blockIdx.x * OUTPUTS - RADIUS;	// tile begins with in[first]

	for (int q = t; q < CHUNKS; q += 256) {
		const int i = first + 4 * q;	// a multiple of 4: in front of the array there are whole chunks only
		const int floats = i < 0 ? 0 : max(0, min(4, n - i));
		asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;"
			     ::"r"((unsigned)__cvta_generic_to_shared(&tile[q])),
			       "l"(__cvta_generic_to_global(floats ? in + i : in)), "r"(4 * floats) : "memory");
	}
	asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;" ::: "memory");
	__syncthreads();

	// The window of four outputs: chunks t to t + 4. What the four have in common is added first.
	const float4 a = tile[t], b = tile[t + 1], c = tile[t + 2], d = tile[t + 3], e = tile[t + 4];
	const float common = a.w + (b.x + b.y + b.z + b.w) + (c.x + c.y + c.z + c.w) + (d.x + d.y + d.z + d.w) + e.x;
	float4 sum;
	sum.x = common + a.x + a.y + a.z;
	sum.y = common + a.y + a.z + e.y;
	sum.z = common + a.z + e.y + e.z;
	sum.w = common + e.y + e.z + e.w;

	const int i = blockIdx.x * OUTPUTS + 4 * t, have = n - i;
	if (have >= 4)
		*(float4 *)(out + i) = sum;
	else {
		if (have > 0) out[i] = sum.x;
		if (have > 1) out[i + 1] = sum.y;
		if (have > 2) out[i + 2] = sum.z;
	}
}
