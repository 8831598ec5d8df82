// Values of arguments: their types, numbers as bits and as text, and what fills a buffer. And what the parts of a spec
// (args.h) come to, each read by a file of its own.
#ifndef BANKSHOT_DEVICE_ARGS_VALUES_H
#define BANKSHOT_DEVICE_ARGS_VALUES_H

#include "base/text.h"
#include "device/job.h"

#define ARGS_MAX_BYTES (UINT64_C(4) << 30) // of one buffer

// PTX_TYPE_NONE: no such type here.
enum ptx_type args_type(const char *name, size_t length);

const char *args_type_in_c(enum ptx_type type); // "unsigned char", "__half"

// One element in memory as a double, and a value's little-endian bits in the type.
double args_element(enum ptx_type type, const void *element);
uint64_t args_bits(enum ptx_type type, double value);
void args_put(struct device_arg *arg, size_t index, uint64_t bits);

// One element as it is written in JSON: numbers so that they read back exactly, NaN and infinities as strings.
void args_format(enum ptx_type type, const void *element, struct text *out);

// Elements [first, first + count) of a buffer that has no data but a fill, at out.
void args_make(const struct device_arg *arg, size_t first, size_t count, void *out);

// ---- parts of specs. spec: to be quoted.

// One VALUE of text[0 … length), as the low bytes of *bits.
enum status args_parse_value(const char *spec, enum ptx_type type, const char *text, size_t length, uint64_t *bits,
                             struct diagnostic *diagnostic);
// A buffer's data from a FILL.
enum status args_fill(const char *spec, const char *fill, struct device_arg *arg, struct diagnostic *diagnostic);
// args_texture.c: what stands behind "NAME:" of a texture or surface.
bool args_is_texture(const char *text);
enum status args_parse_texture(const char *text, const char *spec, struct device_arg *arg,
                               struct diagnostic *diagnostic);
// args_tensor.c: of a tensor map. Without strides rows lie one behind the other.
bool args_is_tensor(const char *text);
enum status args_parse_tensor(const char *text, const char *spec, struct device_arg *arg,
                              struct diagnostic *diagnostic);

#endif
