// Textures and surfaces: what a handle stands for, and how it is read (CUDA C++ Programming Guide, "Texture and Surface
// Memory" and "Texture Fetching"; what that leaves open was measured on an H100, docs/accuracy.md).
//
// The elements lie one after another in an allocation: x first, then y, then z or layers. A cubemap has six faces for
// each layer. Reads and writes are no accesses for observers: they do not pass the load and store unit whose counters
// we keep, and hazards are not looked for among them.
#ifndef BANKSHOT_SIM_TEXTURE_H
#define BANKSHOT_SIM_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "ptx/ptx_inst.h"

struct sim_memory;

enum texture_kind { // as PTX names them: .1d .2d .3d .a1d .a2d .cube .acube
    TEXTURE_1D,
    TEXTURE_2D,
    TEXTURE_3D,
    TEXTURE_LAYERS_1D,
    TEXTURE_LAYERS_2D,
    TEXTURE_CUBE,
    TEXTURE_CUBES,
    TEXTURE_KINDS
};
enum texture_address { TEXTURE_WRAP, TEXTURE_CLAMP, TEXTURE_MIRROR, TEXTURE_BORDER };

struct texture {
    enum texture_kind kind;
    bool is_surface;
    bool is_linear_memory; // 1D: for tex1Dfetch alone; 2D: rows of plain memory
    enum ptx_type element; // u8 s8 u16 s16 u32 s32 f16 f32
    uint32_t channels;     // 1, 2, 4
    uint32_t extent[3];    // width; height or 1; depth, layers (of cubemaps: faces) or 1
    enum texture_address address[3];
    bool filters;    // linearly, not the nearest element
    bool normalized; // coordinates from 0 to 1
    bool as_float;   // integers of 8 and 16 bits are read as floats from 0 or -1 to 1
    float border[4];
    uint64_t data; // device address of the first element
};

// The handle that kernels are given. The texture's data must lie in an allocation of the same memory.
uint64_t sim_texture_add(struct sim_memory *memory, const struct texture *texture);
const struct texture *sim_texture_find(const struct sim_memory *memory, uint64_t handle); // NULL: none

uint32_t texture_element_bytes(const struct texture *texture); // all channels
uint64_t texture_bytes(const struct texture *texture);
unsigned texture_dimensions(enum texture_kind kind); // of the coordinates, without the layer
bool texture_has_layers(enum texture_kind kind);
const char *texture_kind_name(enum texture_kind kind); // "2D layered"

// Where the elements come from: `at` gives the bytes at an offset from texture->data.
struct texture_source {
    const struct texture *texture;
    const unsigned char *(*at)(void *context, uint64_t offset, uint32_t bytes);
    void *context;
};
// The four words that a fetch gives. c: the coordinates (of a cubemap: the direction); layer: as the instruction has
// it.
void texture_fetch(const struct texture_source *source, const float c[3], uint32_t layer, uint32_t words[4]);
void texture_fetch_whole(const struct texture_source *source, const int32_t c[3], uint32_t layer, uint32_t words[4]);
// One channel of the four elements that a linear fetch would mix: (0,1), (1,1), (1,0), (0,0).
void texture_gather(const struct texture_source *source, const float c[2], unsigned channel, uint32_t words[4]);

#endif
