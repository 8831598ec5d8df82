// From PTX text to tokens, a character class at a time.
#include "ptx/lex.h"

#include <stdlib.h>
#include <string.h>

enum { SPACE = 1, NAME_START = 2, NAME_PART = 4, DIGIT = 8, HEX = 16 };

static const unsigned char classes[256] = {
    [' '] = SPACE,
    ['\t'] = SPACE,
    ['\r'] = SPACE,
    ['\n'] = SPACE,
    ['\f'] = SPACE,
    ['\v'] = SPACE,
    ['0' ... '9'] = NAME_PART | DIGIT | HEX,
    ['a' ... 'f'] = NAME_START | NAME_PART | HEX,
    ['g' ... 'z'] = NAME_START | NAME_PART,
    ['A' ... 'F'] = NAME_START | NAME_PART | HEX,
    ['G' ... 'Z'] = NAME_START | NAME_PART,
    ['_'] = NAME_START | NAME_PART,
    ['$'] = NAME_START | NAME_PART,
};

static bool is_class(char c, unsigned class)
{
    return classes[(unsigned char)c] & class;
}

void ptx_lex_start(struct ptx_lexer *lexer, const char *text, size_t length)
{
    *lexer = (struct ptx_lexer){.at = text, .end = text + length, .line_start = text, .line = 1};
}

static void new_line(struct ptx_lexer *lexer, const char *newline)
{
    lexer->line++;
    lexer->line_start = newline + 1;
}

static void note_assembly(struct ptx_lexer *lexer, const char *comment)
{
    static const char *const marks[] = {" end inline asm", " End of file scope inline assembly", " begin inline asm",
                                        " Start of file scope inline assembly"};
    size_t left = (size_t)(lexer->end - comment);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (left >= strlen(marks[i]) && memcmp(comment, marks[i], strlen(marks[i])) == 0)
            lexer->in_assembly = i >= 2;
}

// Skips a comment at lexer->at. False if it never ends.
static bool skip_comment(struct ptx_lexer *lexer)
{
    const char *at = lexer->at + 2;
    if (lexer->at[1] == '/') {
        note_assembly(lexer, at);
        const char *newline = memchr(at, '\n', (size_t)(lexer->end - at));
        lexer->at = newline ? newline : lexer->end;
        return true;
    }
    for (; lexer->end - at >= 2; at++) {
        if (at[0] == '*' && at[1] == '/') {
            lexer->at = at + 2;
            return true;
        }
        if (*at == '\n')
            new_line(lexer, at);
    }
    return false;
}

// Skips white space and comments. False at a comment that never ends.
static bool skip_space(struct ptx_lexer *lexer)
{
    for (;;) {
        const char *at = lexer->at;
        for (; at < lexer->end && is_class(*at, SPACE); at++)
            if (*at == '\n')
                new_line(lexer, at);
        lexer->at = at;
        if (lexer->end - at < 2 || at[0] != '/' || (at[1] != '/' && at[1] != '*'))
            return true;
        if (!skip_comment(lexer))
            return false;
    }
}

static void finish(struct ptx_lexer *lexer, struct ptx_token *token, unsigned kind, const char *end)
{
    token->kind = kind;
    token->length = (uint32_t)(end - token->text);
    lexer->at = end;
}

static void fail(struct ptx_lexer *lexer, struct ptx_token *token, const char *problem, const char *end)
{
    finish(lexer, token, PTX_TOKEN_BAD, end);
    token->problem = problem;
}

static unsigned digit_value(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a' + 10);
}

// Digits of a base into token->bits. False on overflow of 64 bits.
static bool lex_digits(struct ptx_token *token, const char *at, const char *end, unsigned base)
{
    token->bits = 0;
    for (; at < end; at++) {
        unsigned digit = digit_value(*at);
        if (__builtin_mul_overflow(token->bits, base, &token->bits) ||
            __builtin_add_overflow(token->bits, digit, &token->bits))
            return false;
    }
    return true;
}

// 0[fF]{8 hex digits} and 0[dD]{16 hex digits}
static void lex_hex_float(struct ptx_lexer *lexer, struct ptx_token *token)
{
    bool is_single = (token->text[1] | 0x20) == 'f';
    const char *digits = token->text + 2, *at = digits;
    while (at < lexer->end && is_class(*at, HEX))
        at++;
    bool ends = at == lexer->end || !is_class(*at, NAME_PART);
    if (!ends || at - digits != (is_single ? 8 : 16)) {
        while (at < lexer->end && is_class(*at, NAME_PART))
            at++;
        fail(lexer, token,
             is_single ? "'0f' must be followed by 8 hexadecimal digits"
                       : "'0d' must be followed by 16 hexadecimal digits",
             at);
        return;
    }
    lex_digits(token, digits, at, 16);
    finish(lexer, token, is_single ? PTX_TOKEN_SINGLE : PTX_TOKEN_DOUBLE, at);
}

// digits "." digits [exponent] | digits exponent
static void lex_decimal_float(struct ptx_lexer *lexer, struct ptx_token *token)
{
    char buffer[64];
    const char *at = token->text;
    while (at < lexer->end && is_class(*at, DIGIT))
        at++;
    if (at < lexer->end && *at == '.')
        for (at++; at < lexer->end && is_class(*at, DIGIT);)
            at++;
    if (at < lexer->end && (*at | 0x20) == 'e') {
        at++;
        if (at < lexer->end && (*at == '+' || *at == '-'))
            at++;
        const char *exponent = at;
        while (at < lexer->end && is_class(*at, DIGIT))
            at++;
        if (at == exponent) {
            fail(lexer, token, "the exponent has no digits", at);
            return;
        }
    }
    size_t length = (size_t)(at - token->text);
    if (length >= sizeof buffer) {
        fail(lexer, token, "the number is longer than 63 characters", at);
        return;
    }
    memcpy(buffer, token->text, length);
    buffer[length] = '\0';
    double value = strtod(buffer, NULL);
    memcpy(&token->bits, &value, sizeof value);
    finish(lexer, token, PTX_TOKEN_DOUBLE, at);
}

// 0x… | 0b… | 0… | decimal, each with an optional U; or a float
static void lex_number(struct ptx_lexer *lexer, struct ptx_token *token)
{
    const char *at = token->text, *end = lexer->end;
    char second = at + 1 < end && *at == '0' ? (char)(at[1] | 0x20) : 0;
    if (second == 'f' || second == 'd') {
        lex_hex_float(lexer, token);
        return;
    }
    unsigned base = second == 'x' ? 16 : second == 'b' ? 2 : 10;
    const char *digits = base == 10 ? at : at + 2;
    for (at = digits; at < end && (base == 16  ? is_class(*at, HEX)
                                   : base == 2 ? *at == '0' || *at == '1'
                                               : is_class(*at, DIGIT));)
        at++;
    if (base == 10 && at < end && (*at == '.' || (*at | 0x20) == 'e')) {
        lex_decimal_float(lexer, token);
        return;
    }
    if (base == 10 && *digits == '0' && at - digits > 1)
        base = 8;
    const char *digits_end = at;
    token->is_unsigned = at < end && *at == 'U';
    at += token->is_unsigned;
    bool is_octal_wrong = base == 8 && (memchr(digits, '8', (size_t)(digits_end - digits)) ||
                                        memchr(digits, '9', (size_t)(digits_end - digits)));
    if (digits == digits_end || is_octal_wrong || (at < end && is_class(*at, NAME_PART))) {
        while (at < end && is_class(*at, NAME_PART))
            at++;
        fail(lexer, token, "not a number: a digit does not belong here", at);
    } else if (!lex_digits(token, digits, digits_end, base)) {
        fail(lexer, token, "the number does not fit in 64 bits", at);
    } else {
        token->is_unsigned |= token->bits >> 63;
        finish(lexer, token, PTX_TOKEN_INTEGER, at);
    }
}

static void lex_string(struct ptx_lexer *lexer, struct ptx_token *token)
{
    const char *at = token->text + 1;
    while (at < lexer->end && *at != '"' && *at != '\n')
        at += *at == '\\' && lexer->end - at > 1 && at[1] != '\n' ? 2 : 1;
    if (at >= lexer->end || *at == '\n')
        fail(lexer, token, "the string has no closing '\"' on its line", at);
    else
        finish(lexer, token, PTX_TOKEN_STRING, at + 1);
}

// Parts of names joined by "::", as in shared::cta
static const char *word_end(const char *at, const char *end)
{
    for (;;) {
        while (at < end && is_class(*at, NAME_PART))
            at++;
        if (end - at < 3 || at[0] != ':' || at[1] != ':' || !is_class(at[2], NAME_PART))
            return at;
        at += 2;
    }
}

static void lex_punctuation(struct ptx_lexer *lexer, struct ptx_token *token)
{
    static const struct {
        char text[3];
        unsigned kind;
    } pairs[] = {
        {"<<", PTX_TOKEN_SHIFT_LEFT},    {">>", PTX_TOKEN_SHIFT_RIGHT}, {"<=", PTX_TOKEN_LESS_EQUAL},
        {">=", PTX_TOKEN_GREATER_EQUAL}, {"==", PTX_TOKEN_EQUAL},       {"!=", PTX_TOKEN_NOT_EQUAL},
        {"&&", PTX_TOKEN_AND},           {"||", PTX_TOKEN_OR},
    };
    const char *at = token->text;
    if (lexer->end - at > 1)
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
            if (at[0] == pairs[i].text[0] && at[1] == pairs[i].text[1]) {
                finish(lexer, token, pairs[i].kind, at + 2);
                return;
            }
    if (*at && strchr("{}()[],;:@!|+-=<>*/%~&^?.", *at))
        finish(lexer, token, (unsigned char)*at, at + 1);
    else
        fail(lexer, token, "this character has no meaning in PTX", at + 1);
}

void ptx_lex(struct ptx_lexer *lexer, struct ptx_token *token)
{
    bool has_ended = skip_space(lexer);
    const char *at = lexer->at, *end = lexer->end;
    token->text = at;
    token->line = lexer->line;
    token->column = (uint32_t)(at - lexer->line_start) + 1;
    token->length = 0;
    token->is_unsigned = false;
    token->in_assembly = lexer->in_assembly;
    if (!has_ended) {
        fail(lexer, token, "this comment never ends", end);
    } else if (at == end) {
        token->kind = PTX_TOKEN_END;
    } else if (is_class(*at, NAME_START) || (*at == '%' && end - at > 1 && is_class(at[1], NAME_PART))) {
        for (at++; at < end && is_class(*at, NAME_PART);)
            at++;
        finish(lexer, token, PTX_TOKEN_NAME, at);
    } else if (is_class(*at, DIGIT)) {
        lex_number(lexer, token);
    } else if (*at == '.' && end - at > 1 && is_class(at[1], NAME_PART)) {
        finish(lexer, token, PTX_TOKEN_WORD, word_end(at + 1, end));
    } else if (*at == '"') {
        lex_string(lexer, token);
    } else {
        lex_punctuation(lexer, token);
    }
}

void ptx_lex_opcode(struct ptx_lexer *lexer, struct ptx_token *token)
{
    const char *at = token->text + token->length, *end = lexer->end;
    while (end - at > 1 && *at == '.' && is_class(at[1], NAME_PART))
        at = word_end(at + 1, end);
    token->length = (uint32_t)(at - token->text);
    if (lexer->at < at) // else white space after the name has been skipped already
        lexer->at = at;
}

bool ptx_lex_at_colon(struct ptx_lexer *lexer)
{
    return skip_space(lexer) && lexer->at < lexer->end && *lexer->at == ':';
}
