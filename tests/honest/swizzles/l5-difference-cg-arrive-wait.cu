// lesson 5; device sim,gpu; nvcc,clang; want: full; tries: a game programmer: vec2 types, column (c - 3 r) mod 32, thread_block's barrier_arrive / barrier_wait, index work in between
#include <cooperative_groups.h>

LAUNCH(32, 4, 32, 32)

struct ivec2 {
    int x, y;
    __device__ ivec2 operator+(ivec2 o) const { return {x + o.x, y + o.y}; }
    __device__ ivec2 operator*(int s) const { return {x * s, y * s}; }
    __device__ ivec2 yx() const { return {y, x}; }
    __device__ bool inside(ivec2 box) const { return x < box.x && y < box.y; }
};

struct Sprite {
    float texel[32][32];
    // 3 is odd, so 3 r runs through all residues as r does.
    __device__ float &sample(ivec2 uv) { return texel[uv.y][(uv.x - 3 * uv.y) & 31]; }
};

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ Sprite sprite;
    const auto block = cooperative_groups::this_thread_block();
    const ivec2 tid{(int)threadIdx.x, (int)threadIdx.y}, bid{(int)blockIdx.x, (int)blockIdx.y};
    const ivec2 size{width, height};

#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        const ivec2 uv = tid + ivec2{0, j};
        const ivec2 p = bid * 32 + uv;
        if (p.inside(size))
            sprite.sample(uv) = in[(size_t)p.y * width + p.x];
    }

    auto token = block.barrier_arrive();
    const ivec2 corner = bid.yx() * 32 + tid;  // something to do meanwhile
    const ivec2 turned = size.yx();
    block.barrier_wait(static_cast<decltype(token) &&>(token));

#pragma unroll
    for (int j = 0; j < 32; j += 4) {
        const ivec2 p = corner + ivec2{0, j};
        if (p.inside(turned))
            out[(size_t)p.y * height + p.x] = sprite.sample((tid + ivec2{0, j}).yx());
    }
}
