// bankshot.h: what the lab adds to CUDA. Both compilers see it before your file; no #include is needed.
//
//     LAUNCH(block_x, block_y, tile_x, tile_y);
//     LAUNCH(block_x, block_y, tile_x, tile_y, shared_bytes);
//     LAUNCH(block_x, block_y, tile_x, tile_y, shared_bytes, asked_bytes);
//
// tells the lab how to start your kernel: blocks of block_x by block_y threads, each block doing tile_x by tile_y
// elements of the output, so the grid is ceil(width / tile_x) by ceil(height / tile_y). shared_bytes is the dynamic
// shared memory (extern __shared__) of a block; leave it out for none. A block gets up to 48 KB unasked. For more,
// the lab asks, or in lessons that say so you: asked_bytes is what a host program would give cudaFuncSetAttribute(kernel,
// cudaFuncAttributeMaxDynamicSharedMemorySize, asked_bytes). One line in a file, outside any function:
//
//     LAUNCH(32, 8, 32, 32);   // 256 threads move a tile of 32 x 32 elements
//
// Only lessons that say so read it. All numbers are constants; the line becomes data in the PTX and no code.
#ifndef BANKSHOT_H
#define BANKSHOT_H

#ifndef BANKSHOT_CLANG
#include <cuda_runtime.h>

// What CUDA 13 took out of the runtime, so that the host code beside older kernels is still parsed. It is never run.
#if CUDART_VERSION >= 13000
#define BANKSHOT_OLD(name) template <class... T> cudaError_t name(T &&...);
BANKSHOT_OLD(cudaThreadSynchronize) BANKSHOT_OLD(cudaThreadExit) BANKSHOT_OLD(cudaThreadGetLimit)
BANKSHOT_OLD(cudaThreadSetLimit) BANKSHOT_OLD(cudaThreadGetCacheConfig) BANKSHOT_OLD(cudaThreadSetCacheConfig)
BANKSHOT_OLD(cudaMemPrefetchAsync) BANKSHOT_OLD(cudaMemAdvise) BANKSHOT_OLD(cudaLaunchCooperativeKernelMultiDevice)
#undef BANKSHOT_OLD
#if __cplusplus >= 201703L // where it stays an aggregate
struct bankshot_device_prop : cudaDeviceProp {
    int clockRate, deviceOverlap, kernelExecTimeoutEnabled, computeMode, maxTexture1DLinear, memoryClockRate,
        singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch;
};
#define cudaDeviceProp bankshot_device_prop
#endif
#endif
#endif

// A semicolon behind it is welcome and not needed. [0] says which form this is: "LCH1". The program reads it back (src/toolchain/launch.h).
#define LAUNCH(...)                                                                                                    \
    extern "C" {                                                                                                       \
    __constant__ __attribute__((used)) unsigned bankshot_launch[7] = {0x3148434cu, __VA_ARGS__};                       \
    }

#endif
