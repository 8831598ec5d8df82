// Launches every row of a list (KERNEL N …, CSV or blanks; # and the header are skipped) from requests.ptx once, so
// that ncu can count it:
//   nvcc -o requests tests/kernels/requests.cu -lcuda
//   ncu --csv --page raw --clock-control none --metrics … ./requests tests/kernels/requests.ptx LIST
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#define CK(x)                                                                                                          \
    do {                                                                                                               \
        CUresult r_ = (x);                                                                                             \
        if (r_ != CUDA_SUCCESS) {                                                                                      \
            fprintf(stderr, "%s: error %d\n", #x, r_);                                                                 \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

int main(int argc, char **argv)
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUdeviceptr out, in;
    char line[256], name[64];
    unsigned n;
    FILE *list = argc == 3 ? fopen(argv[2], "r") : nullptr;
    if (!list)
        return fprintf(stderr, "requests PTX LIST\n"), 2;
    CK(cuInit(0));
    CK(cuDeviceGet(&device, 0));
    CK(cuDevicePrimaryCtxRetain(&context, device));
    CK(cuCtxSetCurrent(context));
    CK(cuModuleLoad(&module, argv[1]));
    CK(cuMemAlloc(&out, 4096));
    CK(cuMemAlloc(&in, 16384));
    CK(cuMemsetD32(out, 0, 1024));
    CK(cuMemsetD32(in, 3, 4096));
    while (fgets(line, sizeof line, list)) {
        CUfunction function;
        void *params[] = {&out, &in, &n};
        for (char *at = line; *at; at++)
            *at = *at == ',' ? ' ' : *at;
        if (line[0] == '#' || sscanf(line, "%63s %u", name, &n) != 2)
            continue;
        CK(cuModuleGetFunction(&function, module, name));
        CK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, params, nullptr));
        CK(cuCtxSynchronize());
    }
    fclose(list);
    return 0;
}
