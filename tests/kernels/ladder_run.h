// What the ladders from the third on have in common: how their kernels are launched and timed. Included at the end of
// each with LADDER naming its .def file. --once: each kernel once at a small size, for counters; --each: once at
// its first size.
static char *flush_buffer;
static const size_t flush_bytes = 256u << 20;
static bool once;
template <class K> static void measure(const char *name, K kernel, int n, dim3 grid, dim3 block, float *o, const float *a, const float *b)
{
    cudaFuncAttributes attributes; cudaFuncGetAttributes(&attributes, kernel);
    if (once) { kernel<<<grid, block>>>(o, a, b, n); cudaDeviceSynchronize(); printf("%s,%d,%s\n", name, n, cudaGetErrorString(cudaGetLastError())); return; }
    cudaEvent_t start, stop; cudaEventCreate(&start); cudaEventCreate(&stop); std::vector<float> times;
    kernel<<<grid, block>>>(o, a, b, n); kernel<<<grid, block>>>(o, a, b, n); cudaDeviceSynchronize();
    for (int i = 0; i < 15; i++) {
        float ms; cudaMemsetAsync(flush_buffer, i, flush_bytes); cudaEventRecord(start); kernel<<<grid, block>>>(o, a, b, n); cudaEventRecord(stop);
        cudaEventSynchronize(stop); cudaEventElapsedTime(&ms, start, stop); times.push_back(ms * 1e3f);
    }
    cudaError_t error = cudaGetLastError(); if (error != cudaSuccess) { fprintf(stderr, "%s at %d: %s\n", name, n, cudaGetErrorString(error)); exit(1); }
    std::sort(times.begin(), times.end()); printf("%s,%d,%.3f,%.3f,%.3f,%d\n", name, n, times[7], times[0], times[14], attributes.numRegs); fflush(stdout);
    cudaEventDestroy(start); cudaEventDestroy(stop);
}
int main(int argc, char **argv)
{
    once = argc > 1; const bool small = once && !strcmp(argv[1], "--once"); const size_t count = (size_t)4096 * 4096; float *a, *b, *o; cudaMalloc(&a, count * 4); cudaMalloc(&b, count * 4); cudaMalloc(&o, count * 4); cudaMalloc(&flush_buffer, flush_bytes);
    std::vector<float> host(count); for (auto &v : host) v = rand() / (float)RAND_MAX - .5f;
    cudaMemcpy(a, host.data(), count * 4, cudaMemcpyHostToDevice); cudaMemcpy(b, host.data(), count * 4, cudaMemcpyHostToDevice); cudaMemset(o, 0, count * 4);
    printf(once ? "kernel,n\n" : "kernel,n,us_median,us_min,us_max,registers\n");
#define K(kernel, family, first, second, gx, gy, bx, by, bz, registers)                                                \
    for (int n : small ? std::vector<int>{!strncmp(family, "product", 7) || first > 1024 ? 512 : first} : once ? std::vector<int>{first} : std::vector<int>{first, second}) measure(#kernel, kernel, n, dim3(gx, gy), dim3(bx, by, bz), o, a, b);
#include LADDER
}
