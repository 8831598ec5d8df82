// lesson 1; device sim,gpu; nvcc,clang; want: pass; tries: CRLF, tabs, umlauts in comments, a goto
/* Größe: 8192 Gleitkommazahlen je Block – „schön“ parallel */
LAUNCH(	256,	1,
	8192,	1	)

__global__
void
copy (float * out, const float * in, int n)
{
	int	i = blockIdx . x * 8192 + threadIdx . x, turn = 0;
again:
	if (i < n)
		* (out + i) = * (in + i);
	i += 256;
	if (++ turn < 32)
		goto again;
}
