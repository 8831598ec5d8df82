// lesson 4; device sim,gpu; nvcc,clang; want: full; tries: a flat array with a gap after every 32 floats, i + (i >> 5), loops made of goto, digraphs, a block of one dimension
LAUNCH(256, 1, 32, 32)

#define FLOATS (32 * 32)
#define PLACE(i) ((i) + ((i) >> 5)) /* element i of the tile, and what was left out before it */

__global__ void transpose(float *out, const float *in, int width, int height)
<%
    __shared__ float tile<:PLACE(FLOATS - 1) + 2:>; /* 1056 words, 4224 bytes */
    int x0, y0, t, j, e, r, c;

    x0 = (int)blockIdx.x << 5, y0 = (int)blockIdx.y << 5;

    /* in: e = 32 r + c, so that 32 threads walk along a row */
    t = threadIdx.x, j = 0;
bring:
    e = t + (j << 8), r = e >> 5, c = e & 31;
    if (y0 + r < height && x0 + c < width)
        tile<:PLACE(e):> = in<:(size_t)(y0 + r) * width + x0 + c:>;
    if (++j < FLOATS / 256)
        goto bring;

    __syncthreads();

    /* out: e = 32 c + r, 32 threads walk along a row of out; in the tile they go down */
    j = 0;
take:
    e = t + (j << 8), c = e >> 5, r = e & 31;
    if (x0 + c < width && y0 + r < height)
        out<:(size_t)(x0 + c) * height + y0 + r:> = tile<:PLACE(r << 5 | c):>;
    if (++j < FLOATS / 256)
        goto take;
%>
