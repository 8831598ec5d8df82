// Whether a hand-in is still the starter: the same tokens, whatever became of comments, blanks, line ends and lines
// continued with a backslash.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "lesson/lesson.h"
#include "toolchain/plain.h"

enum { MOST_BYTES = 1 << 20 };

struct scanner {
    const char *at;
    bool in_directive, at_line_start; // the end of a directive's line is a token of its own
};

struct token {
    const char *start;
    size_t length;
};

// Moves over blanks. True: over the end of a directive too.
static bool skip_blanks(struct scanner *scanner)
{
    for (;;) {
        const char *at = scanner->at;
        if ((*at == '\n' || !*at) && scanner->in_directive) {
            scanner->in_directive = false;
            return true;
        }
        scanner->at_line_start = scanner->at_line_start || *at == '\n';
        if (*at && strchr(" \t\n\v\f", *at)) {
            scanner->at++;
        } else {
            return false;
        }
    }
}

// A number or a name; a number may hold points, apostrophes between digits, and signs behind its exponent.
static size_t name_length(const char *at)
{
    bool is_number = (*at >= '0' && *at <= '9') || *at == '.';
    size_t length = 1;
    for (;; length++) {
        char byte = at[length], before = at[length - 1];
        bool is_exponent = (byte == '+' || byte == '-') && strchr("eEpP", before);
        bool is_joined = byte == '.' || (byte == '\'' && source_is_name_byte(at[length + 1])) || is_exponent;
        if (!source_is_name_byte(byte) && !(is_number && is_joined))
            return length;
    }
}

static size_t quoted_length(const char *at)
{
    size_t length = 1;
    for (; at[length] && at[length] != '\n' && at[length] != *at; length++)
        length += at[length] == '\\' && at[length + 1];
    return at[length] == *at ? length + 1 : length;
}

static size_t sign_length(const char *at)
{
    static const char *const signs[] = {
        "<<=", ">>=", "...", "->*", "<=>", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++",
        "--",  "->",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "::", "##", ".*"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (text_starts(at, signs[i]))
            return strlen(signs[i]);
    return 1;
}

// Length 0: the end.
static struct token scan_token(struct scanner *scanner)
{
    if (skip_blanks(scanner))
        return (struct token){"\n", 1};
    const char *at = scanner->at;
    struct token token = {at, 0};
    if (!*at)
        return token;
    bool is_number = (*at >= '0' && *at <= '9') || (*at == '.' && at[1] >= '0' && at[1] <= '9');
    if (source_is_name_byte(*at) || is_number)
        token.length = name_length(at);
    if (token.length && at[token.length] == '"')
        token.length += source_raw_length(at, token.length, at + token.length, strlen(at + token.length));
    else if (!token.length)
        token.length = *at == '"' || *at == '\'' ? quoted_length(at) : sign_length(at);
    scanner->in_directive = scanner->in_directive || (scanner->at_line_start && *at == '#');
    scanner->at_line_start = false;
    scanner->at += token.length;
    return token;
}

bool lesson_same_tokens(const char *a, const char *b)
{
    struct text texts[2] = {{0}};
    struct token left = {0}, right = {0};
    bool good = source_make_plain(&texts[0], a, strlen(a)) && source_make_plain(&texts[1], b, strlen(b));
    struct scanner scanners[] = {{text_get(&texts[0]), false, true}, {text_get(&texts[1]), false, true}};
    while (good) {
        left = scan_token(&scanners[0]);
        right = scan_token(&scanners[1]);
        if (!left.length || left.length != right.length || memcmp(left.start, right.start, left.length) != 0)
            break;
    }
    text_free(&texts[0]);
    text_free(&texts[1]);
    return good && !left.length && !right.length;
}

enum status lesson_is_starter(const struct lesson *lesson, const char *source, bool *is_starter,
                              struct diagnostic *diagnostic)
{
    char *starter;
    size_t length;
    *is_starter = false;
    enum status status = file_read(lesson->starter, MOST_BYTES, &starter, &length, diagnostic);
    if (status != STATUS_OK)
        return status;
    *is_starter = lesson_same_tokens(source, starter);
    free(starter);
    return STATUS_OK;
}
