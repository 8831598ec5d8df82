// lesson 3; device sim,gpu; nvcc,clang; want: full; tries: an OpenCL kernel with its words as macros (get_local_id, __local, barrier), 32 x 8 items and a 32 x 32 tile, coalesced on both sides, one barrier that all reach; right
LAUNCH(32, 8, 32, 32)

#define __kernel __global__
#define __local __shared__
#define get_local_id(d) ((d) == 0 ? threadIdx.x : (d) == 1 ? threadIdx.y : threadIdx.z)
#define get_group_id(d) ((d) == 0 ? blockIdx.x : (d) == 1 ? blockIdx.y : blockIdx.z)
#define get_local_size(d) ((d) == 0 ? blockDim.x : (d) == 1 ? blockDim.y : blockDim.z)
#define CLK_LOCAL_MEM_FENCE 1
#define barrier(flags) __syncthreads()
#define mad24(a, b, c) ((a) * (b) + (c))
#define TILE_DIM 32
typedef unsigned int uint_t;

__kernel void transpose(float *odata, const float *idata, int width, int height)
{
    __local float block[TILE_DIM * TILE_DIM];

    uint_t lx = get_local_id(0), ly = get_local_id(1);
    uint_t gx = get_group_id(0) * TILE_DIM, gy = get_group_id(1) * TILE_DIM;
    uint_t uw = (uint_t)width, uh = (uint_t)height;

    for (uint_t i = 0; i < TILE_DIM; i += get_local_size(1)) {
        uint_t x = gx + lx, y = gy + ly + i;
        if ((x < uw) && (y < uh))
            block[mad24(ly + i, TILE_DIM, lx)] = idata[mad24(y, uw, x)];
    }

    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint_t i = 0; i < TILE_DIM; i += get_local_size(1)) {
        uint_t x = gy + lx, y = gx + ly + i;
        if ((x < uh) && (y < uw))
            odata[mad24(y, uh, x)] = block[mad24(lx, TILE_DIM, ly + i)];
    }
}
