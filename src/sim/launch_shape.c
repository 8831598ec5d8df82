// One check of a launch's shape, as the driver makes it.
#include "sim/launch_shape.h"

uint64_t launch_threads(const struct launch_shape *shape)
{
    return (uint64_t)shape->block[0] * shape->block[1] * shape->block[2];
}

uint64_t launch_blocks(const struct launch_shape *shape)
{
    return (uint64_t)shape->grid[0] * shape->grid[1] * shape->grid[2];
}

static enum status check_extent(const char *what, const uint32_t extent[3], const uint32_t most[3],
                                struct diagnostic *diagnostic)
{
    for (int i = 0; i < 3; i++)
        if (extent[i] == 0 || extent[i] > most[i])
            return diagnostic_set(diagnostic, STATUS_LAUNCH,
                                  "the %s is %u x %u x %u, its %c must be 1 to %u (cudaErrorInvalidConfiguration)",
                                  what, extent[0], extent[1], extent[2], "xyz"[i], most[i]);
    return STATUS_OK;
}

// What a directive such as .maxntid says, where it says less than three.
static uint32_t said(uint32_t extent)
{
    return extent ? extent : 1;
}

static enum status check_block(const struct ptx_function *entry, const struct launch_shape *shape,
                               struct diagnostic *diagnostic)
{
    static const struct ptx_function any;
    const uint32_t *block = shape->block, *most = (entry ? entry : &any)->maxntid,
                   *wanted = (entry ? entry : &any)->reqntid;
    uint64_t threads = launch_threads(shape), bound = (uint64_t)most[0] * said(most[1]) * said(most[2]);
    if (threads > LAUNCH_BLOCK_THREADS)
        return diagnostic_set(diagnostic, STATUS_LAUNCH,
                              "a block of %u x %u x %u has %llu threads, at most %d are allowed "
                              "(cudaErrorInvalidConfiguration)",
                              block[0], block[1], block[2], (unsigned long long)threads, LAUNCH_BLOCK_THREADS);
    if (bound && threads > bound)
        return diagnostic_set(diagnostic, STATUS_LAUNCH,
                              "the block has %llu threads, and the kernel's __launch_bounds__ promise at most %llu "
                              "(cudaErrorInvalidValue): say the same number in both places",
                              (unsigned long long)threads, (unsigned long long)bound);
    for (int i = 0; i < 3 && wanted[0]; i++)
        if (block[i] != said(wanted[i]))
            return diagnostic_set(diagnostic, STATUS_LAUNCH,
                                  "the kernel asks for blocks of %u x %u x %u, not %u x %u x %u "
                                  "(cudaErrorInvalidValue)",
                                  wanted[0], said(wanted[1]), said(wanted[2]), block[0], block[1], block[2]);
    return STATUS_OK;
}

uint32_t launch_cluster(const struct launch_shape *shape, const struct ptx_function *entry, uint32_t dims[3])
{
    uint64_t blocks = 1;
    for (int i = 0; i < 3; i++) {
        dims[i] = said(entry && entry->reqnctapercluster[0] ? entry->reqnctapercluster[i] : shape->cluster[i]);
        blocks *= dims[i] < UINT16_MAX ? dims[i] : UINT16_MAX;
    }
    return blocks < UINT32_MAX ? (uint32_t)blocks : UINT32_MAX;
}

bool launch_is_clustered(const struct launch_shape *shape, const struct ptx_function *entry)
{
    return shape->cluster[0] || (entry && entry->reqnctapercluster[0]);
}

static enum status check_cluster(const struct ptx_function *entry, const struct launch_shape *shape,
                                 struct diagnostic *diagnostic)
{
    uint32_t dims[3], blocks = launch_cluster(shape, entry, dims);
    if (blocks > LAUNCH_CLUSTER)
        return diagnostic_set(diagnostic, STATUS_LAUNCH,
                              "a cluster of %u x %u x %u has %u blocks, %d are allowed (cudaErrorInvalidClusterSize)",
                              dims[0], dims[1], dims[2], blocks, LAUNCH_CLUSTER);
    for (int i = 0; i < 3; i++)
        if (shape->grid[i] % dims[i])
            return diagnostic_set(diagnostic, STATUS_LAUNCH,
                                  "a grid of %u x %u x %u blocks is not made of whole clusters of %u x %u x %u",
                                  shape->grid[0], shape->grid[1], shape->grid[2], dims[0], dims[1], dims[2]);
    return STATUS_OK;
}

enum status launch_check_asked(const struct launch_shape *shape, struct diagnostic *diagnostic)
{
    uint32_t wanted = shape->dynamic_shared, asked = shape->asked_shared;
    if (asked && wanted > asked)
        return diagnostic_set(diagnostic, STATUS_LAUNCH,
                              "LAUNCH wants %u bytes of dynamic shared memory, its fifth number, and asks for %u, its "
                              "sixth (cudaErrorInvalidValue, \"invalid argument\")",
                              wanted, asked);
    if (!asked && (uint64_t)wanted + shape->static_shared > LAUNCH_STATIC_SHARED && wanted)
        return diagnostic_set(diagnostic, STATUS_LAUNCH,
                              "LAUNCH wants %u bytes of dynamic shared memory, and a block gets %d unasked, static "
                              "arrays included (cudaErrorInvalidValue, \"invalid argument\"). A host program asks with "
                              "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), here "
                              "the sixth number of LAUNCH says these bytes",
                              wanted, LAUNCH_STATIC_SHARED);
    return STATUS_OK;
}

enum status launch_check(const struct launch_shape *shape, const struct ptx_function *entry, uint32_t shared,
                         struct diagnostic *diagnostic)
{
    static const uint32_t most_block[3] = {1024, 1024, 64}, most_grid[3] = {INT32_MAX, 65535, 65535};
    enum status status = check_extent("block", shape->block, most_block, diagnostic);
    if (status == STATUS_OK)
        status = check_extent("grid", shape->grid, most_grid, diagnostic);
    if (status == STATUS_OK)
        status = check_block(entry, shape, diagnostic);
    if (status == STATUS_OK)
        status = check_cluster(entry, shape, diagnostic);
    if (status != STATUS_OK)
        return status;
    if (shape->static_shared > LAUNCH_STATIC_SHARED)
        return diagnostic_set(diagnostic, STATUS_LAUNCH,
                              "the kernel declares %u bytes of shared memory, ptxas allows %d in static arrays; use "
                              "dynamic shared memory for more (cudaErrorInvalidPtx)",
                              shape->static_shared, LAUNCH_STATIC_SHARED);
    if (shape->dynamic_shared > shared || shape->static_shared + shape->dynamic_shared > shared)
        return diagnostic_set(diagnostic, STATUS_LAUNCH,
                              "%u bytes of static and %u of dynamic shared memory are wanted, a block has at most %u "
                              "(cudaErrorInvalidValue)",
                              shape->static_shared, shape->dynamic_shared, shared);
    if ((uint64_t)shape->asked_shared + shape->static_shared > shared)
        return diagnostic_set(diagnostic, STATUS_LAUNCH,
                              "LAUNCH asks for %u bytes of dynamic shared memory beside %u of static, a block has at "
                              "most %u (cudaErrorInvalidValue of cudaFuncSetAttribute)",
                              shape->asked_shared, shape->static_shared, shared);
    return STATUS_OK;
}
