// Textures and surfaces for clang: one instruction a call, as nvcc writes it. Part of bankshot_device.h.
#pragma clang system_header

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

// ---- textures

// A fetch gives four words; the type that is asked for says of which kind, and how many of them it takes.
template <class T> struct bankshot_texel {};
#define BANKSHOT_TEXEL(type, of, ...)                                                                                  \
    template <> struct bankshot_texel<type> {                                                                          \
        typedef of word;                                                                                               \
        typedef type whole;                                                                                            \
        typedef void nothing;                                                                                          \
        __attribute__((device, always_inline, nodebug)) static type from(const word *v) { return __VA_ARGS__; }          \
    };
#define BANKSHOT_TEXELS(name, scalar, of)                                                                              \
    BANKSHOT_TEXEL(scalar, of, (scalar)v[0])                                                                           \
    BANKSHOT_TEXEL(name##1, of, name##1{(scalar)v[0]})                                                                 \
    BANKSHOT_TEXEL(name##2, of, name##2{(scalar)v[0], (scalar)v[1]})                                                   \
    BANKSHOT_TEXEL(name##4, of, name##4{(scalar)v[0], (scalar)v[1], (scalar)v[2], (scalar)v[3]})
BANKSHOT_TEXELS(char, signed char, int)
BANKSHOT_TEXEL(char, int, (char)v[0])
BANKSHOT_TEXELS(uchar, unsigned char, unsigned int)
BANKSHOT_TEXELS(short, short, int)
BANKSHOT_TEXELS(ushort, unsigned short, unsigned int)
BANKSHOT_TEXELS(int, int, int)
BANKSHOT_TEXELS(uint, unsigned int, unsigned int)
BANKSHOT_TEXELS(float, float, float)
#undef BANKSHOT_TEXELS
#undef BANKSHOT_TEXEL

// The parameters of a call, its arguments, and its operands: a list in parentheses each. op: up to the type of what is
// read; place: from the texture's bracket on.
#define BANKSHOT_BARE(...) __VA_ARGS__
#define BANKSHOT_FETCH(c, type, op, of, place, inputs)                                                               \
    asm(op ".v4." type of " {%0, %1, %2, %3}, [%4, " place ";"                                                       \
        : "=" c(v[0]), "=" c(v[1]), "=" c(v[2]), "=" c(v[3])                                                           \
        : "l"(texture), BANKSHOT_BARE inputs)
#define BANKSHOT_TEXTURE(name, op, of, place, parameters, arguments, inputs)                                         \
    template <class T>                                                                                                 \
    BANKSHOT_DEVICE typename bankshot_texel<T>::whole name(cudaTextureObject_t texture, BANKSHOT_BARE parameters)      \
    {                                                                                                                  \
        typename bankshot_texel<T>::word v[4];                                                                         \
        if constexpr (__is_same(typename bankshot_texel<T>::word, float))                                              \
            BANKSHOT_FETCH("f", "f32", op, of, place, inputs);                                                       \
        else if constexpr (__is_same(typename bankshot_texel<T>::word, int))                                           \
            BANKSHOT_FETCH("r", "s32", op, of, place, inputs);                                                       \
        else                                                                                                           \
            BANKSHOT_FETCH("r", "u32", op, of, place, inputs);                                                       \
        return bankshot_texel<T>::from(v);                                                                             \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    BANKSHOT_DEVICE typename bankshot_texel<T>::nothing name(T *to, cudaTextureObject_t texture,                       \
                                                             BANKSHOT_BARE parameters)                                 \
    {                                                                                                                  \
        *to = name<T>(texture, BANKSHOT_BARE arguments);                                                               \
    }

BANKSHOT_TEXTURE(tex1Dfetch, "tex.1d", ".s32", "{%5}]", (int x), (x), ("r"(x)))
BANKSHOT_TEXTURE(tex1D, "tex.1d", ".f32", "{%5}]", (float x), (x), ("f"(x)))
BANKSHOT_TEXTURE(tex2D, "tex.2d", ".f32", "{%5, %6}]", (float x, float y), (x, y), ("f"(x), "f"(y)))
BANKSHOT_TEXTURE(tex3D, "tex.3d", ".f32", "{%5, %6, %7, %7}]", (float x, float y, float z), (x, y, z),
                 ("f"(x), "f"(y), "f"(z)))
BANKSHOT_TEXTURE(texCubemap, "tex.cube", ".f32", "{%5, %6, %7, %7}]", (float x, float y, float z), (x, y, z),
                 ("f"(x), "f"(y), "f"(z)))
BANKSHOT_TEXTURE(tex1DLayered, "tex.a1d", ".f32", "{%5, %6}]", (float x, int layer), (x, layer), ("r"(layer), "f"(x)))
BANKSHOT_TEXTURE(tex2DLayered, "tex.a2d", ".f32", "{%5, %6, %7, %7}]", (float x, float y, int layer), (x, y, layer),
                 ("r"(layer), "f"(x), "f"(y)))
BANKSHOT_TEXTURE(texCubemapLayered, "tex.acube", ".f32", "{%5, %6, %7, %8}]", (float x, float y, float z, int layer),
                 (x, y, z, layer), ("r"(layer), "f"(x), "f"(y), "f"(z)))

BANKSHOT_TEXTURE(tex1DLod, "tex.level.1d", ".f32", "{%5}], %6", (float x, float lod), (x, lod), ("f"(x), "f"(lod)))
BANKSHOT_TEXTURE(tex2DLod, "tex.level.2d", ".f32", "{%5, %6}], %7", (float x, float y, float lod), (x, y, lod),
                 ("f"(x), "f"(y), "f"(lod)))
BANKSHOT_TEXTURE(tex3DLod, "tex.level.3d", ".f32", "{%5, %6, %7, %7}], %8", (float x, float y, float z, float lod),
                 (x, y, z, lod), ("f"(x), "f"(y), "f"(z), "f"(lod)))
BANKSHOT_TEXTURE(texCubemapLod, "tex.level.cube", ".f32", "{%5, %6, %7, %7}], %8",
                 (float x, float y, float z, float lod), (x, y, z, lod), ("f"(x), "f"(y), "f"(z), "f"(lod)))
BANKSHOT_TEXTURE(tex1DLayeredLod, "tex.level.a1d", ".f32", "{%5, %6}], %7", (float x, int layer, float lod),
                 (x, layer, lod), ("r"(layer), "f"(x), "f"(lod)))
BANKSHOT_TEXTURE(tex2DLayeredLod, "tex.level.a2d", ".f32", "{%5, %6, %7, %7}], %8",
                 (float x, float y, int layer, float lod), (x, y, layer, lod), ("r"(layer), "f"(x), "f"(y), "f"(lod)))
BANKSHOT_TEXTURE(tex1DGrad, "tex.grad.1d", ".f32", "{%5}], {%6}, {%7}", (float x, float dx, float dy), (x, dx, dy),
                 ("f"(x), "f"(dx), "f"(dy)))
BANKSHOT_TEXTURE(tex2DGrad, "tex.grad.2d", ".f32", "{%5, %6}], {%7, %8}, {%9, %10}",
                 (float x, float y, float2 dx, float2 dy), (x, y, dx, dy),
                 ("f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))
BANKSHOT_TEXTURE(tex3DGrad, "tex.grad.3d", ".f32", "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
                 (float x, float y, float z, float4 dx, float4 dy), (x, y, z, dx, dy),
                 ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z)))

BANKSHOT_TEXTURE(tex1DLayeredGrad, "tex.grad.a1d", ".f32", "{%5, %6}], {%7}, {%8}",
                 (float x, int layer, float dx, float dy), (x, layer, dx, dy), ("r"(layer), "f"(x), "f"(dx), "f"(dy)))
BANKSHOT_TEXTURE(tex2DLayeredGrad, "tex.grad.a2d", ".f32", "{%5, %6, %7, %7}], {%8, %9}, {%10, %11}",
                 (float x, float y, int layer, float2 dx, float2 dy), (x, y, layer, dx, dy),
                 ("r"(layer), "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))
BANKSHOT_TEXTURE(texCubemapLayeredLod, "tex.level.acube", ".f32", "{%5, %6, %7, %8}], %9",
                 (float x, float y, float z, int layer, float lod), (x, y, z, layer, lod),
                 ("r"(layer), "f"(x), "f"(y), "f"(z), "f"(lod)))

#define BANKSHOT_GATHER(channel)                                                                                       \
    BANKSHOT_TEXTURE(bankshot_gather_##channel, "tld4." #channel ".2d", ".f32", "{%5, %6}]", (float x, float y),       \
                     (x, y), ("f"(x), "f"(y)))
BANKSHOT_GATHER(r)
BANKSHOT_GATHER(g)
BANKSHOT_GATHER(b)
BANKSHOT_GATHER(a)
#undef BANKSHOT_GATHER
template <class T>
BANKSHOT_DEVICE typename bankshot_texel<T>::whole tex2Dgather(cudaTextureObject_t texture, float x, float y, int channel = 0)
{
    return channel == 1   ? bankshot_gather_g<T>(texture, x, y)
           : channel == 2 ? bankshot_gather_b<T>(texture, x, y)
           : channel == 3 ? bankshot_gather_a<T>(texture, x, y)
                          : bankshot_gather_r<T>(texture, x, y);
}
#undef BANKSHOT_TEXTURE
#undef BANKSHOT_FETCH

// ---- surfaces: x counts bytes; what is read or written is one access of its size

struct bankshot_pair {
    unsigned long long x, y;
};
#define BANKSHOT_SULD(shape, place, size, mode, names, outputs, inputs)                                                \
    asm volatile("suld.b." shape size mode " {" names "}, [%[s], " place "];"                                          \
                 : BANKSHOT_BARE outputs                                                                               \
                 : [s] "l"(surface), BANKSHOT_BARE inputs                                                              \
                 : "memory")
#define BANKSHOT_SUST(shape, place, size, mode, names, values, inputs)                                                 \
    asm volatile("sust.b." shape size mode " [%[s], " place "], {" names "};" ::[s] "l"(surface),                      \
                 BANKSHOT_BARE values, BANKSHOT_BARE inputs                                                            \
                 : "memory")
// One access of a size, in the mode that is asked for; a constant, mostly
#define BANKSHOT_IN_MODE(access, shape, place, size, names, values, inputs)                                            \
    if (mode == cudaBoundaryModeZero)                                                                                  \
        access(shape, place, size, ".zero", names, values, inputs);                                                    \
    else if (mode == cudaBoundaryModeClamp)                                                                            \
        access(shape, place, size, ".clamp", names, values, inputs);                                                   \
    else                                                                                                               \
        access(shape, place, size, ".trap", names, values, inputs)
#define BANKSHOT_SURFACE(kind, shape, place, parameters, arguments, inputs)                                            \
    template <class T>                                                                                                 \
    BANKSHOT_DEVICE T surf##kind##read(cudaSurfaceObject_t surface, BANKSHOT_BARE parameters,                          \
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                            \
    {                                                                                                                  \
        if constexpr (sizeof(T) <= 2) {                                                                                \
            unsigned short v;                                                                                          \
            if constexpr (sizeof(T) == 1) {                                                                            \
                BANKSHOT_IN_MODE(BANKSHOT_SULD, shape, place, ".b8", "%[v]", ([v] "=h"(v)), inputs);                   \
                return __builtin_bit_cast(T, (unsigned char)v);                                                        \
            } else {                                                                                                   \
                BANKSHOT_IN_MODE(BANKSHOT_SULD, shape, place, ".b16", "%[v]", ([v] "=h"(v)), inputs);                  \
                return __builtin_bit_cast(T, v);                                                                       \
            }                                                                                                          \
        } else if constexpr (sizeof(T) == 4) {                                                                         \
            unsigned int v;                                                                                            \
            BANKSHOT_IN_MODE(BANKSHOT_SULD, shape, place, ".b32", "%[v]", ([v] "=r"(v)), inputs);                      \
            return __builtin_bit_cast(T, v);                                                                           \
        } else if constexpr (sizeof(T) == 8) {                                                                         \
            unsigned long long v;                                                                                      \
            BANKSHOT_IN_MODE(BANKSHOT_SULD, shape, place, ".b64", "%[v]", ([v] "=l"(v)), inputs);                      \
            return __builtin_bit_cast(T, v);                                                                           \
        } else {                                                                                                       \
            static_assert(sizeof(T) == 16, "1, 2, 4, 8 or 16 bytes");                                                  \
            bankshot_pair v;                                                                                           \
            BANKSHOT_IN_MODE(BANKSHOT_SULD, shape ".v2", place, ".b64", "%[v], %[w]",                                  \
                             ([v] "=l"(v.x), [w] "=l"(v.y)), inputs);                                                  \
            return __builtin_bit_cast(T, v);                                                                           \
        }                                                                                                              \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    BANKSHOT_DEVICE void surf##kind##read(T *to, cudaSurfaceObject_t surface, BANKSHOT_BARE parameters,                \
                                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                         \
    {                                                                                                                  \
        *to = surf##kind##read<T>(surface, BANKSHOT_BARE arguments, mode);                                             \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    BANKSHOT_DEVICE void surf##kind##write(T value, cudaSurfaceObject_t surface, BANKSHOT_BARE parameters,             \
                                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                        \
    {                                                                                                                  \
        if constexpr (sizeof(T) == 1) {                                                                                \
            unsigned short v = __builtin_bit_cast(unsigned char, value);                                               \
            BANKSHOT_IN_MODE(BANKSHOT_SUST, shape, place, ".b8", "%[v]", ([v] "h"(v)), inputs);                        \
        } else if constexpr (sizeof(T) == 2) {                                                                         \
            unsigned short v = __builtin_bit_cast(unsigned short, value);                                              \
            BANKSHOT_IN_MODE(BANKSHOT_SUST, shape, place, ".b16", "%[v]", ([v] "h"(v)), inputs);                       \
        } else if constexpr (sizeof(T) == 4) {                                                                         \
            unsigned int v = __builtin_bit_cast(unsigned int, value);                                                  \
            BANKSHOT_IN_MODE(BANKSHOT_SUST, shape, place, ".b32", "%[v]", ([v] "r"(v)), inputs);                       \
        } else if constexpr (sizeof(T) == 8) {                                                                         \
            unsigned long long v = __builtin_bit_cast(unsigned long long, value);                                      \
            BANKSHOT_IN_MODE(BANKSHOT_SUST, shape, place, ".b64", "%[v]", ([v] "l"(v)), inputs);                       \
        } else {                                                                                                       \
            static_assert(sizeof(T) == 16, "1, 2, 4, 8 or 16 bytes");                                                  \
            bankshot_pair v = __builtin_bit_cast(bankshot_pair, value);                                                \
            BANKSHOT_IN_MODE(BANKSHOT_SUST, shape ".v2", place, ".b64", "%[v], %[w]",                                  \
                             ([v] "l"(v.x), [w] "l"(v.y)), inputs);                                                    \
        }                                                                                                              \
    }

BANKSHOT_SURFACE(1D, "1d", "{%[x]}", (int x), (x), ([x] "r"(x)))
BANKSHOT_SURFACE(2D, "2d", "{%[x], %[y]}", (int x, int y), (x, y), ([x] "r"(x), [y] "r"(y)))
BANKSHOT_SURFACE(3D, "3d", "{%[x], %[y], %[z], %[z]}", (int x, int y, int z), (x, y, z),
                 ([x] "r"(x), [y] "r"(y), [z] "r"(z)))
BANKSHOT_SURFACE(1DLayered, "a1d", "{%[z], %[x]}", (int x, int z), (x, z), ([x] "r"(x), [z] "r"(z)))
BANKSHOT_SURFACE(2DLayered, "a2d", "{%[z], %[x], %[y], %[y]}", (int x, int y, int z), (x, y, z),
                 ([x] "r"(x), [y] "r"(y), [z] "r"(z)))
// The faces of a cubemap are layers, six of each cubemap.
#define BANKSHOT_FACES(kind)                                                                                           \
    template <class T>                                                                                                 \
    BANKSHOT_DEVICE T surf##kind##read(cudaSurfaceObject_t surface, int x, int y, int face,                            \
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                            \
    {                                                                                                                  \
        return surf2DLayeredread<T>(surface, x, y, face, mode);                                                        \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    BANKSHOT_DEVICE void surf##kind##read(T *to, cudaSurfaceObject_t surface, int x, int y, int face,                  \
                                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                         \
    {                                                                                                                  \
        *to = surf2DLayeredread<T>(surface, x, y, face, mode);                                                         \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    BANKSHOT_DEVICE void surf##kind##write(T value, cudaSurfaceObject_t surface, int x, int y, int face,               \
                                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                        \
    {                                                                                                                  \
        surf2DLayeredwrite(value, surface, x, y, face, mode);                                                          \
    }
BANKSHOT_FACES(Cubemap)
BANKSHOT_FACES(CubemapLayered)
#undef BANKSHOT_FACES
#undef BANKSHOT_SURFACE
#undef BANKSHOT_IN_MODE
#undef BANKSHOT_SUST
#undef BANKSHOT_SULD
#undef BANKSHOT_BARE
