// What clang's back ends write wrong, put right in the PTX.
//
// Rotations of 64 bits by a count that varies: `(x << k) | (x >> (64 - k))`, and `~(1ull << k)`. Before clang 19 they
// are two shifts by the whole count, which PTX clamps and a rotation means modulo 64. So counts of 64 and more, which
// `k & 63` has in its upper bits, gave zeros: the count is cut here as clang 19 cuts it.
//
// Stack memory of a size that varies (alloca, `int x[n]`), to be aligned as the stack is: clang writes an alignment of
// 0, which ptxas refuses.
#include <string.h>

#include "toolchain/compilation.h"

#define LEFT_OVER "\tsub.u32 \t%amt2, 64, "
#define STACK_ALIGNMENT ", 16;"

static const char *line_before(const char *start, const char *at)
{
    for (at--; at > start && at[-1] != '\n';)
        at--;
    return at;
}

static void mend_rotations(struct text *ptx)
{
    struct text mended = {0};
    const char *start = text_get(ptx), *from = start;
    for (const char *at = start; (at = strstr(at, LEFT_OVER)); at += strlen(LEFT_OVER)) {
        const char *count = at + strlen(LEFT_OVER);
        int length = (int)strcspn(count, ";");
        const char *shift = line_before(start, at), *shifted = at - length - 2; // "…, %r2;\n"
        if (at == start || shifted < shift || strncmp(shifted, count, (size_t)length + 1) != 0 ||
            text_starts(count, "%amt2;"))
            continue;
        text_append(&mended, from, (size_t)(shift - from));
        text_printf(&mended,
                    "\tand.b32 \t%%amt2, %.*s, 63;\n%.*s%%amt2;\n"
                    "\tsub.u32 \t%%amt2, 64, %%amt2",
                    length, count, (int)(shifted - shift), shift);
        from = count + length;
    }
    if (from != start) {
        text_puts(&mended, from);
        text_free(ptx);
        *ptx = mended;
    }
}

static void mend_alignments(struct text *ptx)
{
    struct text mended = {0};
    const char *from = text_get(ptx);
    for (const char *at = from; (at = strstr(at, "\talloca.u64 \t"));) {
        const char *end = at += strcspn(at, ";");
        if (*end != ';' || strncmp(end - 3, ", 0", 3) != 0)
            continue;
        text_append(&mended, from, (size_t)(end - 3 - from));
        text_puts(&mended, STACK_ALIGNMENT);
        from = end + 1;
    }
    if (from != text_get(ptx)) {
        text_puts(&mended, from);
        text_free(ptx);
        *ptx = mended;
    }
}

void compilation_mend_ptx(struct text *ptx)
{
    mend_rotations(ptx);
    mend_alignments(ptx);
}
