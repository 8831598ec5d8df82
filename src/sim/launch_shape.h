// The shape of a launch, for all who ask for one, run one or report one; and the check of it.
#ifndef BANKSHOT_SIM_LAUNCH_SHAPE_H
#define BANKSHOT_SIM_LAUNCH_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diagnostic.h"
#include "ptx/ptx.h"

struct launch_shape {
    uint32_t grid[3], block[3];
    uint32_t static_shared, dynamic_shared; // bytes of a block
    uint32_t tile[2];                       // elements of the output that a block does, x and y; 0 = not known
    bool cooperative;                       // all blocks are resident at once: this_grid().sync() works
    uint32_t cluster[3];   // blocks that see each other's shared memory; zeros: as the kernel says (__cluster_dims__)
    uint32_t asked_shared; // of LAUNCH: what cudaFuncSetAttribute is given for the kernel; 0 = it is not called
};

// CUDA C++ Programming Guide, technical specifications: the same on all GPUs except for the shared memory of a
// block, of which no GPU has more.
enum { LAUNCH_BLOCK_THREADS = 1024, LAUNCH_STATIC_SHARED = 48 * 1024, LAUNCH_SHARED = 227 * 1024, LAUNCH_CLUSTER = 8 };

// LAUNCH when a block wants more dynamic shared memory than it gets unasked, 48 KB with static arrays, or than
// asked_shared. For launches that say themselves what they ask for: all others ask for what they want.
enum status launch_check_asked(const struct launch_shape *shape, struct diagnostic *diagnostic);

// LAUNCH, with the name of the error that CUDA would give, when the shape is not one that the kernel can be launched
// with on a GPU whose blocks have `shared` bytes at most. entry NULL: no kernel in particular.
enum status launch_check(const struct launch_shape *shape, const struct ptx_function *entry, uint32_t shared,
                         struct diagnostic *diagnostic);

// By axis, of the kernel or of the shape; their product. 1: there are no clusters.
uint32_t launch_cluster(const struct launch_shape *shape, const struct ptx_function *entry, uint32_t dims[3]);
// Whether the kernel or the shape asks for clusters, of one block as well (%is_explicit_cluster).
bool launch_is_clustered(const struct launch_shape *shape, const struct ptx_function *entry);
uint64_t launch_threads(const struct launch_shape *shape); // of a block
uint64_t launch_blocks(const struct launch_shape *shape);

#endif
