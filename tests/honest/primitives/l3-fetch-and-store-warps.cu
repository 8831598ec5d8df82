// lesson 3; device sim,gpu; nvcc,clang; want: pass; tries: eight warps fetch the next tile while eight others store this one
LAUNCH(32, 16, 32, 128)

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tiles[2][32][33];
    int x = blockIdx.x * 32, y = blockIdx.y * 128, lane = threadIdx.x, warp = threadIdx.y;
    bool fetches = warp < 8;
    for (int t = 0; t <= 4; t++) {
        if (fetches && t < 4)
            for (int j = warp; j < 32; j += 8)
                if (y + t * 32 + j < height && x + lane < width)
                    tiles[t % 2][j][lane] = in[(y + t * 32 + j) * width + x + lane];
        if (!fetches && t > 0) {
            int corner = y + (t - 1) * 32;
            for (int j = warp - 8; j < 32; j += 8)
                if (x + j < width && corner + lane < height)
                    out[(x + j) * height + corner + lane] = tiles[(t - 1) % 2][lane][j];
        }
        __syncthreads();
    }
}
