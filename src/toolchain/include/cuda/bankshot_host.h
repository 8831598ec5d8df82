// What host code beside a kernel needs in order to be parsed: names and types of the runtime. Host code is never run
// here, nor linked. Part of bankshot_device.h.
#pragma clang system_header

// By which headers ask whether the runtime's came before them; with nvcc these always do.
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_H__

// nvcc includes these, too.
#if __has_include(<stdlib.h>)
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif

struct __align__(64) CUtensorMap { // which a kernel passes on, and nobody looks into
    unsigned long long opaque[16];
};

enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInitializationError = 3,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidSymbol = 13,
    cudaErrorInvalidDevicePointer = 17,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorInsufficientDriver = 35,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchTimeout = 702,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorAssert = 710,
    cudaErrorHostMemoryAlreadyRegistered = 712,
    cudaErrorLaunchFailure = 719,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorNotPermitted = 800,
    cudaErrorNotSupported = 801,
    cudaErrorUnknown = 999
};
typedef cudaError_t cudaError;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxL1 = 0,
    cudaSharedmemCarveoutMaxShared = 100
};
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX,
    cudaDevAttrMaxBlockDimY,
    cudaDevAttrMaxBlockDimZ,
    cudaDevAttrMaxGridDimX,
    cudaDevAttrMaxGridDimY,
    cudaDevAttrMaxGridDimZ,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrClockRate = 13,
    cudaDevAttrGpuOverlap = 15,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrIntegrated = 18,
    cudaDevAttrCanMapHostMemory = 19,
    cudaDevAttrComputeMode = 20,
    cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMemoryPoolsSupported = 115,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
// Their types have names because they are arguments of templates below.
enum bankshot_event_flags { cudaEventDefault, cudaEventBlockingSync, cudaEventDisableTiming };
enum bankshot_alloc_flags { cudaHostAllocDefault, cudaHostAllocPortable, cudaHostAllocMapped };
enum bankshot_attach_flags { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2 };
enum bankshot_stream_flags { cudaStreamDefault, cudaStreamNonBlocking };
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };

enum cudaComputeMode {
    cudaComputeModeDefault,
    cudaComputeModeExclusive,
    cudaComputeModeProhibited,
    cudaComputeModeExclusiveProcess
};

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes,
        preferredShmemCarveout;
};
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, totalConstMem, sharedMemPerMultiprocessor, sharedMemPerBlockOptin,
        reservedSharedMemPerBlock, memPitch;
    int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, major, minor,
        multiProcessorCount, memoryClockRate, memoryBusWidth, l2CacheSize, maxThreadsPerMultiProcessor,
        regsPerMultiprocessor, maxBlocksPerMultiProcessor, concurrentKernels, ECCEnabled, integrated, deviceOverlap,
        computeMode, kernelExecTimeoutEnabled, canMapHostMemory, unifiedAddressing, managedMemory, pciBusID,
        pciDeviceID, pciDomainID, asyncEngineCount, cooperativeLaunch, isMultiGpuBoard, concurrentManagedAccess,
        hostNativeAtomicSupported, pageableMemoryAccess, persistingL2CacheMaxSize, accessPolicyMaxWindowSize,
        streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported, maxTexture1D, maxTexture2D[2],
        maxTexture3D[3], tccDriver, computePreemptionSupported, cooperativeMultiDeviceLaunch;
    size_t textureAlignment, texturePitchAlignment, surfaceAlignment;
};
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUmemPool_st *cudaMemPool_t;

typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindNone
};
struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};
enum cudaResourceType {
    cudaResourceTypeArray,
    cudaResourceTypeMipmappedArray,
    cudaResourceTypeLinear,
    cudaResourceTypePitch2D
};
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureAddressMode {
    cudaAddressModeWrap,
    cudaAddressModeClamp,
    cudaAddressModeMirror,
    cudaAddressModeBorder
};
enum bankshot_array_flags {
    cudaArrayDefault,
    cudaArrayLayered,
    cudaArraySurfaceLoadStore,
    cudaArrayCubemap = 4,
    cudaArrayTextureGather = 8
};
struct cudaResourceDesc {
    cudaResourceType resType;
    struct {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
typedef void (*cudaHostFn_t)(void *);
enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed };
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy,
    cudaMemAdviseUnsetAccessedBy
};
enum bankshot_schedule_flags {
    cudaDeviceScheduleAuto,
    cudaDeviceScheduleSpin,
    cudaDeviceScheduleYield,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceBlockingSync = 4
};
enum bankshot_host_flags {
    cudaDeviceMapHost = 8,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterMapped = 2,
    cudaCpuDeviceId = -1
};
enum bankshot_more_flags { cudaHostAllocWriteCombined = 4, cudaEventInterprocess = 4 };

extern "C" {
// what kernel<<<grid, block, shared, stream>>> calls
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = 0);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                             cudaStream_t stream);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind);
cudaError_t cudaMemset(void *to, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream = 0);
cudaError_t cudaFree(void *p);
cudaError_t cudaFreeHost(void *p);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaMemGetInfo(size_t *available, size_t *total);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaEventDestroy(cudaEvent_t event);
enum cudaMemLocationType { cudaMemLocationTypeInvalid, cudaMemLocationTypeDevice, cudaMemLocationTypeHost };
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};
cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, int device, cudaStream_t stream = 0);
extern "C++" cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, cudaMemLocation to, unsigned flags,
                                              cudaStream_t stream = 0);
}
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc();
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind);
cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth);
cudaPos make_cudaPos(size_t x, size_t y, size_t z);
cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t width, size_t height);
template <class T> cudaError_t cudaMalloc(T **p, size_t bytes);
template <class T> cudaError_t cudaMallocHost(T **p, size_t bytes, unsigned flags = 0);
template <class T> cudaError_t cudaHostAlloc(T **p, size_t bytes, unsigned flags);
template <class T> cudaError_t cudaMallocManaged(T **p, size_t bytes, unsigned flags = cudaMemAttachGlobal);
template <class T> cudaError_t cudaMallocAsync(T **p, size_t bytes, cudaStream_t stream);
template <class T> cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height);
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice);
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
template <class T> cudaError_t cudaGetSymbolAddress(void **p, const T &symbol);
template <class T> cudaError_t cudaFuncSetAttribute(T kernel, cudaFuncAttribute attribute, int value);
template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T kernel);
template <class T> cudaError_t cudaFuncSetCacheConfig(T kernel, cudaFuncCache config);
template <class T> cudaError_t cudaFuncSetSharedMemConfig(T kernel, cudaSharedMemConfig config);
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel, int block_size, size_t shared);
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T kernel, size_t shared = 0, int limit = 0);
// What only needs to be known. Host code is checked here and never run: any arguments will do.
#define BANKSHOT_HOST(name) template <class... T> cudaError_t name(T &&...);
BANKSHOT_HOST(cudaThreadSynchronize) BANKSHOT_HOST(cudaThreadExit) BANKSHOT_HOST(cudaStreamBeginCapture)
BANKSHOT_HOST(cudaStreamEndCapture) BANKSHOT_HOST(cudaStreamQuery) BANKSHOT_HOST(cudaStreamAddCallback)
BANKSHOT_HOST(cudaStreamCreateWithPriority) BANKSHOT_HOST(cudaStreamAttachMemAsync)
BANKSHOT_HOST(cudaStreamSetAttribute) BANKSHOT_HOST(cudaGraphCreate) BANKSHOT_HOST(cudaGraphInstantiate)
BANKSHOT_HOST(cudaGraphLaunch) BANKSHOT_HOST(cudaGraphDestroy) BANKSHOT_HOST(cudaGraphExecDestroy)
BANKSHOT_HOST(cudaGraphAddKernelNode) BANKSHOT_HOST(cudaGraphAddMemcpyNode) BANKSHOT_HOST(cudaGraphAddMemsetNode)
BANKSHOT_HOST(cudaGraphGetNodes) BANKSHOT_HOST(cudaGraphExecUpdate) BANKSHOT_HOST(cudaGraphUpload)
BANKSHOT_HOST(cudaLaunchHostFunc) BANKSHOT_HOST(cudaLaunchCooperativeKernel) BANKSHOT_HOST(cudaLaunchKernelEx)
BANKSHOT_HOST(cudaLaunchKernelExC) BANKSHOT_HOST(cudaMemcpyPeer) BANKSHOT_HOST(cudaMemcpyPeerAsync)
BANKSHOT_HOST(cudaMemcpy2DAsync) BANKSHOT_HOST(cudaMemcpyToSymbolAsync) BANKSHOT_HOST(cudaMemcpyFromSymbolAsync)
BANKSHOT_HOST(cudaMemcpy2DToArray) BANKSHOT_HOST(cudaMemcpyToArray) BANKSHOT_HOST(cudaMemcpyFromArray)
BANKSHOT_HOST(cudaMemcpy3D) BANKSHOT_HOST(cudaMemset2D) BANKSHOT_HOST(cudaMemAdvise) BANKSHOT_HOST(cudaMallocArray)
BANKSHOT_HOST(cudaMalloc3D) BANKSHOT_HOST(cudaMalloc3DArray) BANKSHOT_HOST(cudaFreeArray) BANKSHOT_HOST(cudaFreeAsync)
BANKSHOT_HOST(cudaMallocFromPoolAsync) BANKSHOT_HOST(cudaMemPoolCreate) BANKSHOT_HOST(cudaMemPoolDestroy)
BANKSHOT_HOST(cudaMemPoolSetAttribute) BANKSHOT_HOST(cudaMemPoolTrimTo) BANKSHOT_HOST(cudaDeviceGetDefaultMemPool)
BANKSHOT_HOST(cudaDeviceSetMemPool) BANKSHOT_HOST(cudaDeviceGetStreamPriorityRange)
BANKSHOT_HOST(cudaDeviceCanAccessPeer) BANKSHOT_HOST(cudaDeviceEnablePeerAccess)
BANKSHOT_HOST(cudaDeviceDisablePeerAccess) BANKSHOT_HOST(cudaDeviceGetLimit) BANKSHOT_HOST(cudaDeviceGetCacheConfig)
BANKSHOT_HOST(cudaDeviceGetPCIBusId) BANKSHOT_HOST(cudaDeviceGetP2PAttribute) BANKSHOT_HOST(cudaGetDeviceFlags)
BANKSHOT_HOST(cudaSetDeviceFlags) BANKSHOT_HOST(cudaChooseDevice) BANKSHOT_HOST(cudaDriverGetVersion)
BANKSHOT_HOST(cudaRuntimeGetVersion) BANKSHOT_HOST(cudaHostGetDevicePointer) BANKSHOT_HOST(cudaHostRegister)
BANKSHOT_HOST(cudaHostUnregister) BANKSHOT_HOST(cudaPointerGetAttributes) BANKSHOT_HOST(cudaGetSymbolSize)
BANKSHOT_HOST(cudaProfilerStart) BANKSHOT_HOST(cudaProfilerStop) BANKSHOT_HOST(cudaCtxResetPersistingL2Cache)
BANKSHOT_HOST(cudaOccupancyMaxPotentialBlockSizeVariableSMem) BANKSHOT_HOST(cudaOccupancyMaxActiveClusters)
BANKSHOT_HOST(cudaOccupancyMaxPotentialClusterSize) BANKSHOT_HOST(cudaOccupancyAvailableDynamicSMemPerBlock)
BANKSHOT_HOST(cudaCreateTextureObject) BANKSHOT_HOST(cudaDestroyTextureObject)
BANKSHOT_HOST(cudaCreateSurfaceObject) BANKSHOT_HOST(cudaDestroySurfaceObject) BANKSHOT_HOST(cudaMemcpy2DFromArray)
BANKSHOT_HOST(cudaMemcpy2DArrayToArray) BANKSHOT_HOST(cudaMemcpy3DAsync) BANKSHOT_HOST(cudaMemcpy2DToArrayAsync)
BANKSHOT_HOST(cudaIpcGetMemHandle) BANKSHOT_HOST(cudaIpcOpenMemHandle) BANKSHOT_HOST(cudaIpcCloseMemHandle)
#undef BANKSHOT_HOST
// nvcc knows <math.h> unasked; where a file includes it, its functions fit better than these.
#define BANKSHOT_HOST_MATH(name) template <class T, class... Rest> T name(T, Rest...);
BANKSHOT_HOST_MATH(sqrt) BANKSHOT_HOST_MATH(sqrtf) BANKSHOT_HOST_MATH(rsqrt) BANKSHOT_HOST_MATH(rsqrtf)
BANKSHOT_HOST_MATH(fabs) BANKSHOT_HOST_MATH(fabsf) BANKSHOT_HOST_MATH(floor) BANKSHOT_HOST_MATH(floorf)
BANKSHOT_HOST_MATH(ceil) BANKSHOT_HOST_MATH(ceilf) BANKSHOT_HOST_MATH(round) BANKSHOT_HOST_MATH(roundf)
BANKSHOT_HOST_MATH(exp) BANKSHOT_HOST_MATH(expf) BANKSHOT_HOST_MATH(log) BANKSHOT_HOST_MATH(logf)
BANKSHOT_HOST_MATH(log2) BANKSHOT_HOST_MATH(log2f) BANKSHOT_HOST_MATH(log10) BANKSHOT_HOST_MATH(sin)
BANKSHOT_HOST_MATH(sinf) BANKSHOT_HOST_MATH(cos) BANKSHOT_HOST_MATH(cosf) BANKSHOT_HOST_MATH(tan)
BANKSHOT_HOST_MATH(tanf) BANKSHOT_HOST_MATH(tanh) BANKSHOT_HOST_MATH(tanhf) BANKSHOT_HOST_MATH(pow)
BANKSHOT_HOST_MATH(powf) BANKSHOT_HOST_MATH(fmod) BANKSHOT_HOST_MATH(fmodf) BANKSHOT_HOST_MATH(fmin)
BANKSHOT_HOST_MATH(fminf) BANKSHOT_HOST_MATH(fmax) BANKSHOT_HOST_MATH(fmaxf) BANKSHOT_HOST_MATH(frexp)
BANKSHOT_HOST_MATH(ldexp) BANKSHOT_HOST_MATH(erff)
template <class T> bool isfinite(T);
template <class T> bool isnan(T);
template <class T> bool isinf(T);
#undef BANKSHOT_HOST_MATH
