// A source as a compiler takes it apart before it looks for tokens: the phases of translation 1 to 3 ([lex.phases]; no
// trigraphs).
#ifndef BANKSHOT_TOOLCHAIN_PLAIN_H
#define BANKSHOT_TOOLCHAIN_PLAIN_H

#include "base/text.h"

// Appends the source without byte order mark and comments (a blank each), its continued lines joined and its line ends
// "\n"; strings, characters and raw strings are whole, as they were. Lines keep their numbers: what a joined line or a
// comment had of line ends comes behind its line. gcc, clang and nvcc agree on all of it: a carriage return alone ends
// a line, and blanks may stand between a backslash and the line's end.
// False: a raw string that does not begin or end as one; nobody knows what of the rest is code.
bool source_make_plain(struct text *plain, const char *bytes, size_t length);

// The tokens of a plain source, one after the other; the end of a directive's line is one of its own, "\n".
struct source_scanner {
    const char *at;
    bool in_directive, at_line_start;
};

struct source_token {
    const char *start; // in the source
    size_t length;     // 0: that was the last
};

struct source_scanner source_scan(const char *plain);
struct source_token source_next_token(struct source_scanner *scanner);

bool source_is_name_byte(char byte);

#endif
