// What waiting costs: cycles of nanosleep, fences and reads of clocks, for one warp, eight, 32 of one block, on one SM and on all.
#include <cstdio>
#include <cuda_runtime.h>
enum { REPS = 64 };
template <int KIND> __device__ void act(float *p, unsigned ns)
{
    if (KIND == 0) __nanosleep(ns);
    if (KIND == 1) __threadfence_block();
    if (KIND == 2) __threadfence();
    if (KIND == 3) __threadfence_system();
    if (KIND == 4) { *p = ns; __threadfence_block(); }
    if (KIND == 5) { *p = ns; __threadfence(); }
    if (KIND == 6) { *p = ns; __threadfence_system(); }
    if (KIND == 7) { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }
    if (KIND == 8) { *p = ns; asm volatile("fence.acq_rel.gpu;" ::: "memory"); }
    if (KIND == 9) { long long s = clock64(); while (clock64() - s < ns) ; }
    if (KIND == 10) { unsigned long long s, t; asm volatile("mov.u64 %0, %globaltimer;" : "=l"(s)); do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)); while (t - s < ns); }
    if (KIND == 11) { ns += clock64(); *p = ns; }
    if (KIND == 12) { *p = ns; }
    if (KIND == 13) { unsigned long long t; asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)); *p = t; }
    if (KIND == 14) { *(volatile float *)p; __threadfence(); }
    if (KIND == 15) { *p = ns; asm volatile("fence.acq_rel.cta;" ::: "memory"); }
    if (KIND == 16) { *p = ns; asm volatile("fence.acq_rel.sys;" ::: "memory"); }
}
template <int KIND> __global__ void run(long long *out, float *data, unsigned ns)
{
    float *p = data + (blockIdx.x * blockDim.x + threadIdx.x);
    act<KIND>(p, ns);
    __syncthreads();
    long long s = clock64();
    for (int i = 0; i < REPS; i++)
        act<KIND>(p, ns);
    long long e = clock64();
    if (threadIdx.x == 0)
        out[blockIdx.x] = e - s;
}
template <int KIND> static void measure(const char *name, unsigned ns)
{
    static long long *out; static float *data; long long first[1024];
    if (!out) { cudaMalloc(&out, 8192); }
    if (!data) cudaMalloc(&data, 1024 * 1024 * 4);
    const int blocks[] = {1, 132, 1, 132, 1, 132, 264}, threads[] = {32, 32, 256, 256, 1024, 1024, 1024};
    for (int i = 0; i < 7; i++) {
        run<KIND><<<blocks[i], threads[i]>>>(out, data, ns);
        cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
        cudaEventRecord(a); run<KIND><<<blocks[i], threads[i]>>>(out, data, ns); cudaEventRecord(b);
        cudaError_t error = cudaDeviceSynchronize(); float ms = 0; cudaEventElapsedTime(&ms, a, b);
        cudaMemcpy(first, out, 8 * blocks[i], cudaMemcpyDeviceToHost);
        double sum = 0; for (int k = 0; k < blocks[i]; k++) sum += first[k];
        printf("%s,%u,%d,%d,%.1f,%.3f,%s\n", name, ns, blocks[i], threads[i], sum / blocks[i] / REPS, ms * 1e3, cudaGetErrorString(error));
    }
    fflush(stdout);
}
int main()
{
    printf("what,argument,blocks,threads,cycles_each,us,status\n");
    for (unsigned ns : {0u, 20u, 100u, 500u, 1000u, 5000u, 20000u, 100000u}) measure<0>("nanosleep", ns);
    measure<1>("membar.cta", 1); measure<2>("membar.gl", 1); measure<3>("membar.sys", 1);
    measure<12>("store", 1); measure<4>("store+membar.cta", 1); measure<5>("store+membar.gl", 1); measure<6>("store+membar.sys", 1);
    measure<7>("fence.acq_rel.gpu", 1); measure<8>("store+fence.acq_rel.gpu", 1); measure<15>("store+fence.acq_rel.cta", 1); measure<16>("store+fence.acq_rel.sys", 1);
    measure<14>("load+membar.gl", 1);
    measure<11>("clock64+store", 1); measure<13>("globaltimer+store", 1);
    for (unsigned ns : {100u, 1000u, 10000u}) { measure<9>("wait clock64", ns); measure<10>("wait globaltimer", ns); }
    return 0;
}
