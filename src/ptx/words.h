// The words of PTX instructions, found by hashing: opcodes, what may follow them, special registers.
#ifndef BANKSHOT_PTX_WORDS_H
#define BANKSHOT_PTX_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "ptx/ptx.h"

enum ptx_word_kind { PTX_WORD_NONE, PTX_WORD_TYPE, PTX_WORD_SPACE, PTX_WORD_VECTOR, PTX_WORD_MODIFIER };

struct ptx_word {
    enum ptx_word_kind kind;
    unsigned value;             // enum ptx_type, ptx_space, ptx_modifier, or the number of elements
    enum ptx_modifier modifier; // SPACE: what .param::entry and .param::func say besides; else NONE
};

// The opcode that is the longest dotted prefix of text, and the length of that prefix; PTX_OP_INVALID if none is.
enum ptx_opcode ptx_words_opcode(const char *text, size_t length, size_t *used);
// A dotted word without its dot. Kind NONE if unknown.
struct ptx_word ptx_words_find(const char *text, size_t length);
enum ptx_special ptx_words_special(const char *text, size_t length);

#endif
