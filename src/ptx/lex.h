// Tokens of PTX text (PTX ISA, chapter 4 "Syntax"). The lexer allocates nothing: a token points into the text.
#ifndef BANKSHOT_PTX_LEX_H
#define BANKSHOT_PTX_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Single characters of punctuation are their own kind ('{', ';', …).
enum ptx_token_kind {
    PTX_TOKEN_END = 0,
    PTX_TOKEN_SHIFT_LEFT = 128,
    PTX_TOKEN_SHIFT_RIGHT,
    PTX_TOKEN_LESS_EQUAL,
    PTX_TOKEN_GREATER_EQUAL,
    PTX_TOKEN_EQUAL,
    PTX_TOKEN_NOT_EQUAL,
    PTX_TOKEN_AND,
    PTX_TOKEN_OR,
    PTX_TOKEN_NAME,    // x, %r1, $L__BB0_1, _
    PTX_TOKEN_WORD,    // .global, .shared::cta: text includes the dot
    PTX_TOKEN_INTEGER, // bits; is_unsigned if written with U or too large for 63 bits
    PTX_TOKEN_SINGLE,  // 0f3F800000: bits of an IEEE single
    PTX_TOKEN_DOUBLE,  // 0d…, 1.5, 1e3: bits of an IEEE double
    PTX_TOKEN_STRING,  // text includes the quotes
    PTX_TOKEN_BAD      // see problem
};

struct ptx_token {
    unsigned kind;
    bool is_unsigned, in_assembly;
    uint32_t length, line, column;
    const char *text;
    uint64_t bits;
    const char *problem; // BAD: what is wrong with it
};

struct ptx_lexer {
    const char *at, *end, *line_start;
    uint32_t line;
    bool in_assembly; // between the comments that compilers put around a source's inline assembly
};

void ptx_lex_start(struct ptx_lexer *lexer, const char *text, size_t length);
void ptx_lex(struct ptx_lexer *lexer, struct ptx_token *token);

// Extends token, a NAME just read, to the whole opcode with its dotted words: "ld.global.L1::no_allocate.f32".
void ptx_lex_opcode(struct ptx_lexer *lexer, struct ptx_token *token);
// Whether the next token is a colon, so that the name just read is a label.
bool ptx_lex_at_colon(struct ptx_lexer *lexer);

#endif
