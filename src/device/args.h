// Argument specs: what `trace --arg` says about one kernel argument, and values as text.
//
//   spec   = NAME ":" TYPE "=" VALUE                       scalar
//          | NAME ":" TYPE "[" COUNT "]" "=" FILL          buffer of COUNT elements
//          | NAME ":" "ptr" "=" PLACE                      pointer into another argument's buffer
//          | NAME ":" "ptr" "[" COUNT "]" "=" PLACE { "," PLACE }       buffer of such pointers
//          | NAME ":" "{" FIELD { "," FIELD } "}"          struct by value; its fields lie as in C
//          | NAME ":" "bytes" "[" COUNT "]" "=" FILL       struct of COUNT bytes
//          | NAME ":" ( "tex" | "surf" ) "(" DATA { "," WORD } ")" [ "=" FILL ]     texture or surface
//          | NAME ":" "tmap(" ITEM { "," ITEM } ")"        tensor map (CUtensorMap)
//   ITEM   = TYPE "[" SIZES "]" | "of=" NAME [ "+" BYTES ] | "box=" SIZES | "strides=" SIZES | "estrides=" SIZES
//          | "interleave=none" | "swizzle=" ( "none" | "32" | "64" | "128" ) | "fill=" ( "none" | "nan" )
//          | "l2=" ( "none" | "64" | "128" | "256" )
//   SIZES  = number { "*" number }      x first; strides: bytes from row to row, plane to plane …
//   DATA   = TYPE [ "x" CHANNELS ] "[" SIZE "]" | "of=" NAME [ "," TYPE [ "x" CHANNELS ] "[" SIZE "]" ]
//   SIZE   = WIDTH [ "*" HEIGHT [ "*" DEPTH-OR-LAYERS ] ]
//   WORD   = "point" | "linear" | "wrap" | "clamp" | "mirror" | "border" [ "=" VALUE ] | "normalized" | "as-float"
//          | "layered" | "cube" | "memory"
//   FIELD  = TYPE "=" VALUE | "ptr" "=" PLACE | "{" FIELD { "," FIELD } "}"
//   PLACE  = NAME [ "+" BYTES ] | "null"
//   TYPE   = u8 s8 u16 s16 u32 s32 u64 s64 f16 bf16 f32 f64
//   COUNT  = number { "*" number }
//   FILL   = "zero" | "none" | "iota" | "random" [ ":" SEED ] | VALUE { "," VALUE } | "@" file
//
// iota counts 0, 1, 2 …, wrapping in integers. random: floats are uniform in [-1, 1), integers over their whole range;
// the same seed gives the same bytes everywhere; without a seed the name stands in for it. none: never written, so
// that a kernel that reads it is noticed. One VALUE fills the buffer, several must be COUNT of them. A file holds
// COUNT little-endian elements, no more and no less.
#ifndef BANKSHOT_DEVICE_ARGS_H
#define BANKSHOT_DEVICE_ARGS_H

#include "device/args_values.h"

// A texture is by default what a zeroed cudaTextureDesc makes: point, wrap (without "normalized" the same as clamp),
// its elements as they are. A second and third address word are for y and z. of: it shows another argument's data; a
// buffer's as linear memory. memory: so does its own (tex1Dfetch, or rows of a 2D one).
//
// *arg owns its name and data (args_free). USAGE: the spec is malformed; the message quotes the part that is wrong and
// says what is allowed. IO: the file.
enum status args_parse(const char *spec, struct device_arg *arg, struct diagnostic *diagnostic);
// The same, but a buffer of zero, none, iota, random or one value gets no data: args_make makes its elements.
enum status args_parse_later(const char *spec, struct device_arg *arg, struct diagnostic *diagnostic);
void args_free(struct device_arg *arg);

#endif
