// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: the key is the row's five bits in mirrored order (brev), and places are byte offsets; 64 x 2 threads; comments in German
LAUNCH(64, 2, 32, 32)

// Byteadresse von Element (r, c): Zeile r beginnt bei 128 r, darin ist die Spalte mit einem
// Schlüssel vertauscht. Jede umkehrbare Abbildung der Zeilennummer taugt als Schlüssel.
__device__ __forceinline__ unsigned offset(unsigned r, unsigned c)
{
	unsigned key = __brev(r) >> 27;		// Bits 43210 -> 01234
	return r << 7 | (c ^ key) << 2;
}

__global__ void transpose(float *out, const float *in, int width, int height)
{
	__shared__ float tile[1024];
	char *const bytes = (char *)tile;

	const unsigned id = threadIdx.y * 64u + threadIdx.x;
	const unsigned lane = id & 31u, warp = id >> 5;	// vier Warps
	const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;

	// Abwärts gezählt: Zeilen warp + 28, warp + 24, … warp.
#pragma unroll
	for (int i = 7; i >= 0; --i) {
		const unsigned r = warp + 4u * i;
		if (y0 + (int)r < height && x0 + (int)lane < width)
			*(float *)(bytes + offset(r, lane)) = in[(size_t)(y0 + (int)r) * width + x0 + (int)lane];
	}

	__syncthreads();

#pragma unroll
	for (int i = 7; i >= 0; --i) {
		const unsigned c = warp + 4u * i;
		if (x0 + (int)c < width && y0 + (int)lane < height)
			out[(size_t)(x0 + (int)c) * height + y0 + (int)lane] = *(const float *)(bytes + offset(lane, c));
	}
}
