// How a texture is read: addresses, the nearest element or a mixture of up to eight, channels.
#include "sim/texture.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/half.h"

static const struct {
    const char *name;
    uint8_t dimensions;
    bool has_layers;
} kinds[TEXTURE_KINDS] = {
    [TEXTURE_1D] = {"1D", 1, false},
    [TEXTURE_2D] = {"2D", 2, false},
    [TEXTURE_3D] = {"3D", 3, false},
    [TEXTURE_LAYERS_1D] = {"1D layered", 1, true},
    [TEXTURE_LAYERS_2D] = {"2D layered", 2, true},
    [TEXTURE_CUBE] = {"cubemap", 3, false},
    [TEXTURE_CUBES] = {"layered cubemap", 3, true},
};

unsigned texture_dimensions(enum texture_kind kind)
{
    return kinds[kind].dimensions;
}

bool texture_has_layers(enum texture_kind kind)
{
    return kinds[kind].has_layers;
}

const char *texture_kind_name(enum texture_kind kind)
{
    return kinds[kind].name;
}

uint32_t texture_element_bytes(const struct texture *texture)
{
    return ptx_type_size(texture->element) * texture->channels;
}

uint64_t texture_bytes(const struct texture *texture)
{
    return (uint64_t)texture->extent[0] * texture->extent[1] * texture->extent[2] * texture_element_bytes(texture);
}

static bool is_float_read(const struct texture *texture)
{
    return texture->as_float || texture->element == PTX_F16 || texture->element == PTX_F32;
}

// ---- elements

static double channel_value(const struct texture *texture, const unsigned char *at)
{
    uint16_t half;
    float value;
    switch (texture->element) {
    case PTX_U8:
        return *at;
    case PTX_S8:
        return *at == 0x80 ? -127 : (int8_t)*at;
    case PTX_U16:
        memcpy(&half, at, 2);
        return half;
    case PTX_S16:
        memcpy(&half, at, 2);
        return half == 0x8000 ? -32767 : (int16_t)half;
    case PTX_F16:
        memcpy(&half, at, 2);
        return (double)f16_to_f32(half);
    default:
        memcpy(&value, at, 4);
        return (double)value;
    }
}

// The greatest number of an integer type that is read as floats, which is 1.
static double scale_of(const struct texture *texture)
{
    switch (texture->as_float ? texture->element : PTX_F32) {
    case PTX_U8:
        return UINT8_MAX;
    case PTX_S8:
        return INT8_MAX;
    case PTX_U16:
        return UINT16_MAX;
    case PTX_S16:
        return INT16_MAX;
    default:
        return 1;
    }
}

// A place beyond the border is -1.
static const unsigned char *element_at(const struct texture_source *source, const int64_t place[3])
{
    const struct texture *texture = source->texture;
    uint32_t bytes = texture_element_bytes(texture);
    if (place[0] < 0 || place[1] < 0 || place[2] < 0)
        return NULL;
    uint64_t row = (uint64_t)place[2] * texture->extent[1] + (uint64_t)place[1];
    return source->at(source->context, (row * texture->extent[0] + (uint64_t)place[0]) * bytes, bytes);
}

// The channels as numbers; of integers that are read as floats, the integers.
static void element_values(const struct texture_source *source, const int64_t place[3], double values[4])
{
    const struct texture *texture = source->texture;
    const unsigned char *at = element_at(source, place);
    for (uint32_t i = 0; i < texture->channels; i++)
        values[i] = at                  ? channel_value(texture, at + i * ptx_type_size(texture->element))
                    : texture->as_float ? ceil((double)texture->border[i] * scale_of(texture) - 0.5) + 0.0
                                        : (double)texture->border[i];
}

// The channels as integers. The border is bits, whatever the type.
static void element_words(const struct texture_source *source, const int64_t place[3], uint32_t words[4])
{
    const struct texture *texture = source->texture;
    const unsigned char *at = element_at(source, place);
    uint32_t bytes = ptx_type_size(texture->element);
    bool extends = texture->element == PTX_S8 || texture->element == PTX_S16;
    memset(words, 0, 4 * sizeof *words);
    for (uint32_t i = 0; i < texture->channels; i++) {
        memcpy(&words[i], at ? at + i * bytes : (const unsigned char *)&texture->border[i], bytes);
        if (extends)
            words[i] = bytes == 1 ? (uint32_t)(int8_t)words[i] : (uint32_t)(int16_t)words[i];
    }
}

// ---- addresses

// Wrapping and mirroring are for normalised coordinates alone; others are clamped.
static enum texture_address address_mode(const struct texture *texture, unsigned axis)
{
    enum texture_address mode = texture->address[axis];
    return !texture->normalized && mode != TEXTURE_BORDER ? TEXTURE_CLAMP : mode;
}

static int64_t place_along(const struct texture *texture, unsigned axis, int64_t i)
{
    int64_t n = texture->extent[axis], turn;
    switch (address_mode(texture, axis)) {
    case TEXTURE_WRAP:
        turn = i % n;
        return turn < 0 ? turn + n : turn;
    case TEXTURE_MIRROR:
        turn = i % (2 * n);
        turn = turn < 0 ? turn + 2 * n : turn;
        return turn < n ? turn : 2 * n - 1 - turn;
    case TEXTURE_BORDER:
        return i < 0 || i >= n ? -1 : i;
    default:
        return i < 0 ? 0 : i >= n ? n - 1 : i;
    }
}

enum { FRACTION_BITS = 8, FRACTION_ONE = 1 << FRACTION_BITS };

// The elements on both sides of a coordinate, and the second one's share in 256ths.
struct axis_mix {
    int64_t place[2];
    int32_t share;
};

// In elements. Of a normalised coordinate the hardware keeps 21 bits behind the point, and more where it takes more to
// tell 256ths of an element; it flushes subnormals.
static double coordinate(const struct texture *texture, unsigned axis, double c)
{
    int bits = 21;
    while (1u << (bits - FRACTION_BITS) < texture->extent[axis])
        bits++;
    double v = fabs(c) < (double)FLT_MIN || c != c ? 0 : c;
    enum texture_address mode = address_mode(texture, axis);
    if (mode == TEXTURE_WRAP || mode == TEXTURE_MIRROR)
        v = isinf(c) ? 0 : v - 2 * floor(v / 2);
    if (texture->normalized)
        v = ldexp(floor(ldexp(v, bits)), -bits) * texture->extent[axis];
    return v > 0x1p30 ? 0x1p30 : v < -0x1p30 ? -0x1p30 : v;
}

static int64_t nearest_along(const struct texture *texture, unsigned axis, double c)
{
    return place_along(texture, axis, (int64_t)floor(coordinate(texture, axis, c)));
}

// A fetch clamps the position, a gather only the elements.
static struct axis_mix mix_along(const struct texture *texture, unsigned axis, double c, bool gathers)
{
    int64_t fixed = (int64_t)floor(coordinate(texture, axis, c) * (int)FRACTION_ONE + 0.5) - FRACTION_ONE / 2;
    int64_t last = ((int64_t)texture->extent[axis] - 1) << FRACTION_BITS;
    if (address_mode(texture, axis) == TEXTURE_CLAMP && !gathers)
        fixed = fixed < 0 ? 0 : fixed > last ? last : fixed;
    int64_t i = fixed >> FRACTION_BITS;
    return (struct axis_mix){{place_along(texture, axis, i), place_along(texture, axis, i + 1)},
                             (int32_t)(fixed & (FRACTION_ONE - 1))};
}

static int64_t layer_of(const struct texture *texture, uint32_t layer)
{
    uint32_t faces = texture->kind == TEXTURE_CUBES ? 6 : 1, layers = texture->extent[2] / faces;
    uint32_t n = layer < layers ? layer : layers - 1;
    return texture_has_layers(texture->kind) ? n * faces : 0;
}

static double face_place(double s, double major)
{
    double ratio = s == s && major > 0 ? s / major : 0;
    return ratio < 0 && ratio > -DBL_EPSILON ? 0.5 - DBL_EPSILON : (ratio + 1) / 2;
}

static bool is_major(double a, double b)
{
    return a >= b || b != b;
}

// The face that a direction meets, and where (PTX ISA, "Cubemap Textures"): z before y before x where they are equal.
// An infinity makes the others nothing and itself no number; where there is none, the middle is met.
static unsigned cube_face(const float c[3], double st[2])
{
    double v[3], a[3];
    bool has_infinity = isinf(c[0]) || isinf(c[1]) || isinf(c[2]);
    for (unsigned i = 0; i < 3; i++) {
        v[i] = !has_infinity ? (double)c[i] : isfinite(c[i]) ? 0 : (double)NAN;
        a[i] = fabs(v[i]);
    }
    unsigned axis = a[2] == a[2] && is_major(a[2], a[0]) && is_major(a[2], a[1]) ? 2
                    : a[1] == a[1] && is_major(a[1], a[0])                       ? 1
                                                                                 : 0;
    unsigned face = 2 * axis + (v[axis] < 0);
    double s = axis == 0 ? (face == 0 ? -v[2] : v[2]) : face == 5 ? -v[0] : v[0];
    double t = axis == 1 ? (face == 2 ? v[2] : -v[2]) : -v[1];
    st[0] = face_place(s, a[axis]);
    st[1] = face_place(t, a[axis]);
    return face;
}

// Coordinates of the elements themselves, without directions; where the layer or face begins.
static int64_t plane_of(const struct texture *texture, const float c[3], uint32_t layer, double plane[3])
{
    for (unsigned i = 0; i < 3; i++)
        plane[i] = i < texture_dimensions(texture->kind) ? (double)c[i] : 0;
    int64_t z = layer_of(texture, layer);
    if (texture->kind == TEXTURE_CUBE || texture->kind == TEXTURE_CUBES)
        z += cube_face(c, plane);
    return z;
}

// ---- fetches

static unsigned plane_dimensions(const struct texture *texture)
{
    bool is_cube = texture->kind == TEXTURE_CUBE || texture->kind == TEXTURE_CUBES;
    return is_cube ? 2 : texture_dimensions(texture->kind);
}

static int32_t rounded(int32_t a, int32_t b)
{
    return (a * b + FRACTION_ONE / 2) >> FRACTION_BITS;
}

// The shares of the eight corners, in 256ths: bit 0 of a corner's number is x, bit 1 y, bit 2 z. They are whole
// numbers: each split, z before x before y, is rounded.
static void corner_shares(const struct axis_mix mix[3], int32_t shares[8])
{
    for (unsigned z = 0; z < 2; z++) {
        int32_t plane = z ? mix[2].share : FRACTION_ONE - mix[2].share;
        int32_t right = rounded(plane, mix[0].share), left = plane - right;
        shares[4 * z + 3] = rounded(right, mix[1].share);
        shares[4 * z + 1] = right - shares[4 * z + 3];
        shares[4 * z] = rounded(left, FRACTION_ONE - mix[1].share);
        shares[4 * z + 2] = left - shares[4 * z];
    }
}

// The nearest number of so many significant bits, ties away from zero; no finer than 2^least.
static double round_away(double v, int bits, int least)
{
    int exponent;
    frexp(v, &exponent);
    int unit = exponent - bits > least ? exponent - bits : least;
    return ldexp(round(ldexp(v, -unit)), unit);
}

// The four elements of a plane are aligned to the largest of those that have a share, with four bits more than their
// format has, the rest cut off. Then all is exact: whole numbers of 2^unit. No element but zeros: unit is INT_MIN.
static double plane_sum(const double elements[4], const int32_t shares[4], int bits, int *unit, bool *is_negative)
{
    int most = INT_MIN;
    double sum = 0;
    for (unsigned i = 0; i < 4; i++) {
        int exponent;
        if (!shares[i] || !isfinite(elements[i]))
            continue;
        *is_negative &= signbit(elements[i]) != 0;
        frexp(elements[i], &exponent);
        most = elements[i] != 0 && exponent > most ? exponent : most;
    }
    *unit = most == INT_MIN ? INT_MIN : most - bits - 4 - FRACTION_BITS;
    for (unsigned i = 0; i < 4 && most != INT_MIN; i++)
        sum += shares[i] ? trunc(ldexp(elements[i], bits + 4 - most)) * shares[i] : 0;
    return sum;
}

// The finer plane loses, towards minus infinity, what the coarser one cannot hold; then all is rounded into the format.
// An infinity counts where its share was not 0 before it was rounded.
static double mix_floats(const double elements[8], const int32_t shares[8], unsigned near, bool is_half)
{
    int bits = is_half ? 11 : 24, units[2];
    double special = 0, sum = 0, planes[2];
    bool is_negative = true;
    for (unsigned i = 0; i < 8; i++)
        if (near >> i & 1 && !isfinite(elements[i]))
            special += elements[i];
    if (special != 0)
        return special;
    for (unsigned z = 0; z < 2; z++)
        planes[z] = plane_sum(elements + 4 * z, shares + 4 * z, bits, &units[z], &is_negative);
    int unit = units[0] > units[1] ? units[0] : units[1];
    if (unit == INT_MIN)
        return is_negative ? -0.0 : 0.0;
    for (unsigned z = 0; z < 2; z++)
        sum += units[z] == INT_MIN ? 0 : floor(ldexp(planes[z], units[z] - unit));
    return round_away(ldexp(sum, unit), bits, is_half ? -24 : -149);
}

// Integers read as floats are mixed as they are, and rounded as integers of 16 bits.
static double mix_integers(const struct texture *texture, const double elements[8], const int32_t shares[8])
{
    double most = texture->element == PTX_S8 || texture->element == PTX_S16 ? INT16_MAX : UINT16_MAX, sum = 0;
    for (unsigned i = 0; i < 8; i++)
        sum += shares[i] ? elements[i] * shares[i] : 0;
    return floor(sum * most / scale_of(texture) / (int)FRACTION_ONE + 0.5) / most;
}

struct corners {
    double elements[4][8]; // by channel
    int32_t shares[8];
    unsigned near; // bit i: corner i takes part, even where its share is rounded to 0
};

static void corners_finish(const struct texture *texture, const struct corners *corners, uint32_t words[4])
{
    memset(words, 0, 4 * sizeof *words);
    for (unsigned i = 0; i < texture->channels; i++) {
        const double *elements = corners->elements[i];
        double value = texture->as_float
                           ? mix_integers(texture, elements, corners->shares)
                           : mix_floats(elements, corners->shares, corners->near, texture->element == PTX_F16);
        words[i] = value == value ? f32_bits((float)value) : texture->element == PTX_F16 ? 0x7fffe000 : 0x7fffffff;
    }
}

// One element: as it is, or as one that is mixed with none.
static void element_alone(const struct texture_source *source, const int64_t place[3], bool mixed, uint32_t words[4])
{
    const struct texture *texture = source->texture;
    struct corners corners = {.shares = {FRACTION_ONE}, .near = 1};
    double values[4];
    if (!is_float_read(texture) || (texture->element == PTX_F32 && !mixed)) {
        element_words(source, place, words);
        return;
    }
    element_values(source, place, values);
    for (unsigned i = 0; i < texture->channels; i++)
        corners.elements[i][0] = values[i];
    corners_finish(texture, &corners, words);
    for (unsigned i = 0; i < texture->channels && texture->as_float && !mixed; i++)
        words[i] = f32_bits((float)(values[i] / scale_of(texture)));
}

static void fetch_mixed(const struct texture_source *source, const double c[3], int64_t z, uint32_t words[4])
{
    const struct texture *texture = source->texture;
    unsigned dimensions = texture->kind == TEXTURE_1D ? 2 : plane_dimensions(texture); // a 1D texture has one row
    struct axis_mix mix[3] = {{{0, 0}, 0}, {{0, 0}, 0}, {{z, z}, 0}};
    struct corners corners = {0};
    for (unsigned axis = 0; axis < dimensions; axis++)
        mix[axis] = mix_along(texture, axis, c[axis], false);
    corner_shares(mix, corners.shares);
    for (unsigned corner = 0; corner < 8; corner++) {
        int64_t place[3];
        double values[4];
        bool near = true;
        for (unsigned axis = 0; axis < 3; axis++) {
            place[axis] = mix[axis].place[corner >> axis & 1];
            near &= !(corner >> axis & 1) || mix[axis].share;
        }
        if (!near)
            continue;
        corners.near |= 1u << corner;
        element_values(source, place, values);
        for (unsigned i = 0; i < texture->channels; i++)
            corners.elements[i][corner] = values[i];
    }
    corners_finish(texture, &corners, words);
}

void texture_fetch(const struct texture_source *source, const float c[3], uint32_t layer, uint32_t words[4])
{
    const struct texture *texture = source->texture;
    double plane[3];
    int64_t z = plane_of(texture, c, layer, plane);
    if (texture->filters && is_float_read(texture)) {
        fetch_mixed(source, plane, z, words);
        return;
    }
    unsigned dimensions = plane_dimensions(texture);
    int64_t place[3] = {0, 0, z};
    for (unsigned axis = 0; axis < dimensions; axis++)
        place[axis] = nearest_along(texture, axis, plane[axis]);
    element_alone(source, place, false, words);
}

void texture_fetch_whole(const struct texture_source *source, const int32_t c[3], uint32_t layer, uint32_t words[4])
{
    const struct texture *texture = source->texture;
    int64_t place[3] = {0, 0, layer_of(texture, layer)};
    for (unsigned axis = 0; axis < plane_dimensions(texture); axis++)
        if (c[axis] < 0 || (uint32_t)c[axis] >= texture->extent[axis]) {
            memset(words, 0, 4 * sizeof *words);
            return;
        } else {
            place[axis] = c[axis];
        }
    element_alone(source, place, false, words);
}

void texture_gather(const struct texture_source *source, const float c[2], unsigned channel, uint32_t words[4])
{
    static const uint8_t corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    struct axis_mix x = mix_along(source->texture, 0, (double)c[0], true),
                    y = mix_along(source->texture, 1, (double)c[1], true);
    for (unsigned i = 0; i < 4; i++) {
        uint32_t element[4];
        element_alone(source, (int64_t[]){x.place[corners[i][0]], y.place[corners[i][1]], 0}, true, element);
        words[i] = element[channel];
    }
}
