// Whether a hand-in is still the starter: the same tokens, whatever became of comments, blanks, line ends and lines
// continued with a backslash (the phases of translation 1 to 3, [lex.phases]; trigraphs are no longer C++).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "lesson/lesson.h"

enum { MOST_BYTES = 1 << 20 };

struct scanner {
    const char *at;
    bool in_directive, at_line_start; // the end of a directive's line is a token of its own
};

struct token {
    const char *start;
    size_t length;
};

// Without a byte order mark, carriage returns and continued lines. free() it.
static char *join_lines(const char *source)
{
    struct text out = {0};
    if (text_starts(source, "\xef\xbb\xbf"))
        source += 3;
    while (*source) {
        size_t length = strcspn(source, "\\\r");
        text_append(&out, source, length);
        source += length;
        if (*source == '\r') {
            text_puts(&out, source[1] == '\n' ? "" : " ");
            source++;
        } else if (*source == '\\') {
            size_t blank = strspn(source + 1, " \t\r"); // compilers forgive blanks behind the backslash
            bool is_splice = source[1 + blank] == '\n';
            text_puts(&out, is_splice ? "" : "\\");
            source += is_splice ? blank + 2 : 1;
        }
    }
    return out.data ? out.data : mem_strdup("");
}

// Moves over blanks and comments. True: over the end of a directive too.
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
        } else if (text_starts(at, "//")) {
            scanner->at += strcspn(at, "\n");
        } else if (text_starts(at, "/*")) {
            const char *end = strstr(at + 2, "*/");
            scanner->at = end ? end + 2 : at + strlen(at);
        } else {
            return false;
        }
    }
}

static bool is_name_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '_' || byte == '$' || (unsigned char)byte >= 0x80;
}

// A number or a name; a number may hold points, apostrophes between digits, and signs behind its exponent.
static size_t name_length(const char *at)
{
    bool is_number = (*at >= '0' && *at <= '9') || *at == '.';
    size_t length = 1;
    for (;; length++) {
        char byte = at[length], before = at[length - 1];
        bool is_exponent = (byte == '+' || byte == '-') && strchr("eEpP", before);
        bool is_joined = byte == '.' || (byte == '\'' && is_name_byte(at[length + 1])) || is_exponent;
        if (!is_name_byte(byte) && !(is_number && is_joined))
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

// R"mark( … )mark", from its quotation mark.
static size_t raw_length(const char *at)
{
    char end[32];
    size_t mark = strcspn(at + 1, "(\n");
    if (at[1 + mark] != '(' || mark > 16)
        return quoted_length(at);
    snprintf(end, sizeof end, ")%.*s\"", (int)mark, at + 1);
    const char *found = strstr(at + 2 + mark, end);
    return found ? (size_t)(found - at) + strlen(end) : strlen(at);
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
    if (is_name_byte(*at) || is_number)
        token.length = name_length(at);
    if (token.length && at[token.length] == '"' && at[token.length - 1] == 'R')
        token.length += raw_length(at + token.length);
    else if (!token.length)
        token.length = *at == '"' || *at == '\'' ? quoted_length(at) : sign_length(at);
    scanner->in_directive = scanner->in_directive || (scanner->at_line_start && *at == '#');
    scanner->at_line_start = false;
    scanner->at += token.length;
    return token;
}

bool lesson_same_tokens(const char *a, const char *b)
{
    char *texts[] = {join_lines(a), join_lines(b)};
    struct scanner scanners[] = {{texts[0], false, true}, {texts[1], false, true}};
    struct token left, right;
    do {
        left = scan_token(&scanners[0]);
        right = scan_token(&scanners[1]);
    } while (left.length && left.length == right.length && memcmp(left.start, right.start, left.length) == 0);
    free(texts[0]);
    free(texts[1]);
    return !left.length && !right.length;
}

bool lesson_is_starter(const struct lesson *lesson, const char *source)
{
    char *starter;
    size_t length;
    if (file_read(lesson->starter, MOST_BYTES, &starter, &length, NULL))
        return false;
    bool is_starter = lesson_same_tokens(source, starter);
    free(starter);
    return is_starter;
}
