// Rotations of 64 bits by a count that varies: `(x << k) | (x >> (64 - k))`, and `~(1ull << k)`. The back ends of clang
// before 19 write them as two shifts and leave the count whole, where PTX clamps it and a rotation means it modulo 64.
// So counts of 64 and more, which `k & 63` has in its upper bits, gave zeros: the count is cut here as clang 19 cuts
// it.
#include <string.h>

#include "toolchain/compilation.h"

#define LEFT_OVER "\tsub.u32 \t%amt2, 64, "

static const char *line_before(const char *start, const char *at)
{
    for (at--; at > start && at[-1] != '\n';)
        at--;
    return at;
}

void compilation_mend_rotations(struct text *ptx)
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
