// Textures and surfaces on a GPU: a CUDA array or a buffer, and the object whose handle the kernel gets. Tensor maps.
#include <string.h>

#include "device/cuda_internal.h"

static unsigned array_format(enum ptx_type type)
{
    static const uint8_t formats[PTX_TYPE_COUNT] = {[PTX_U8] = 1,  [PTX_U16] = 2,  [PTX_U32] = 3,  [PTX_S8] = 8,
                                                    [PTX_S16] = 9, [PTX_S32] = 10, [PTX_F16] = 16, [PTX_F32] = 32};
    return formats[type];
}

static struct cuda_array_shape array_shape(const struct texture *shape)
{
    bool cube = shape->kind == TEXTURE_CUBE || shape->kind == TEXTURE_CUBES;
    bool layers = texture_has_layers(shape->kind), flat = texture_dimensions(shape->kind) == 1;
    unsigned flags = (layers ? CUDA_ARRAY_LAYERED : 0u) | (cube ? CUDA_ARRAY_CUBE : 0u) |
                     (shape->kind == TEXTURE_2D ? CUDA_ARRAY_GATHER : 0u);
    return (struct cuda_array_shape){.width = shape->extent[0],
                                     .height = flat ? 0 : shape->extent[1],
                                     .depth = layers || cube || shape->kind == TEXTURE_3D ? shape->extent[2] : 0,
                                     .format = array_format(shape->element),
                                     .channels = shape->channels,
                                     .flags = flags | (cube ? 0u : CUDA_ARRAY_SURFACE)};
}

static cuda_result array_copy(struct gpu *gpu, const struct texture *shape, cuda_array array, void *host, bool to_gpu)
{
    size_t row = (size_t)shape->extent[0] * texture_element_bytes(shape);
    struct cuda_copy copy = {.width = row, .height = shape->extent[1], .depth = shape->extent[2]};
    struct cuda_copy_side here = {.memory = CUDA_MEMORY_HOST, .host = host, .pitch = row, .height = shape->extent[1]};
    struct cuda_copy_side there = {.memory = CUDA_MEMORY_ARRAY, .array = array};
    copy.from = to_gpu ? here : there;
    copy.to = to_gpu ? there : here;
    return gpu->api->copy_3d(&copy);
}

static cuda_result object_new(struct gpu *gpu, const struct texture *shape, struct cuda_texture *made)
{
    struct cuda_resource resource = {.kind = CUDA_RESOURCE_ARRAY, .array = made->array};
    struct cuda_sampling sampling = {.filter = shape->filters};
    bool is_integer = shape->element != PTX_F32 && shape->element != PTX_F16;
    for (int i = 0; i < 3; i++)
        sampling.address[i] = (int)shape->address[i];
    memcpy(sampling.border, shape->border, sizeof sampling.border);
    sampling.flags = (is_integer && !shape->as_float ? CUDA_SAMPLE_INTEGERS : 0u) |
                     (shape->normalized ? CUDA_SAMPLE_NORMALIZED : 0u);
    if (shape->is_linear_memory) {
        size_t row = (size_t)shape->extent[0] * texture_element_bytes(shape);
        bool flat = shape->kind == TEXTURE_1D;
        resource.kind = flat ? CUDA_RESOURCE_LINEAR : CUDA_RESOURCE_ROWS;
        resource.linear = (struct cuda_linear){made->data,       array_format(shape->element),
                                               shape->channels,  flat ? row : shape->extent[0],
                                               shape->extent[1], row};
    }
    made->is_surface = shape->is_surface;
    return shape->is_surface ? gpu->api->surface_create(&made->handle, &resource)
                             : gpu->api->texture_create(&made->handle, &resource, &sampling, NULL);
}

enum status cuda_texture_new(struct gpu *gpu, const struct device_arg *arg, struct cuda_texture *made,
                             struct diagnostic *diagnostic)
{
    const struct texture *shape = &arg->texture->shape;
    struct cuda_array_shape wanted = array_shape(shape);
    cuda_result result = CUDA_OK;
    if (!made->array && !made->data && !shape->is_linear_memory) {
        result = gpu->api->array_create(&made->array, &wanted);
        made->owns_array = result == CUDA_OK;
        if (result == CUDA_OK)
            result = array_copy(gpu, shape, made->array, arg->data, true);
    }
    if (result == CUDA_OK)
        result = object_new(gpu, shape, made);
    return cuda_status(gpu, result, "making a texture", diagnostic);
}

enum status cuda_texture_take(struct gpu *gpu, const struct device_arg *arg, const struct cuda_texture *made,
                              struct diagnostic *diagnostic)
{
    cuda_result result =
        made->owns_array ? array_copy(gpu, &arg->texture->shape, made->array, arg->data, false) : CUDA_OK;
    return cuda_status(gpu, result, "copying a surface", diagnostic);
}

void cuda_texture_free(struct gpu *gpu, struct cuda_texture *made)
{
    if (made->handle && !gpu->lost)
        (made->is_surface ? gpu->api->surface_destroy : gpu->api->texture_destroy)(made->handle);
    if (made->owns_array && !gpu->lost)
        gpu->api->array_destroy(made->array);
    *made = (struct cuda_texture){0};
}

enum status cuda_tensor_map(struct gpu *gpu, const char *name, unsigned char *bytes, struct diagnostic *diagnostic)
{
    struct tensor_map map;
    _Alignas(TENSOR_MAP_ALIGNMENT) unsigned char made[TENSOR_MAP_BYTES];
    uint32_t box[TENSOR_RANK], steps[TENSOR_RANK];
    memcpy(&map, bytes, sizeof map);
    if (!gpu->api->encode_tiled)
        return diagnostic_set(
            diagnostic, STATUS_ENVIRONMENT,
            "'%s' is a tensor map, and this driver has no cuTensorMapEncodeTiled: it takes a driver of "
            "CUDA 12 or later, or --device sim",
            name);
    for (unsigned i = 0; i < TENSOR_RANK; i++) {
        box[i] = map.box[i];
        steps[i] = map.steps[i];
    }
    int swizzle = map.swizzle ? __builtin_ctz(map.swizzle) - 4 : 0;
    cuda_result result = gpu->api->encode_tiled(made, map.type, map.rank, map.base, map.dims, map.strides, box, steps,
                                                0, swizzle, map.l2, map.fills_nan);
    if (result == CUDA_OK)
        memcpy(bytes, made, sizeof made);
    return cuda_status(gpu, result, "making a tensor map", diagnostic);
}
