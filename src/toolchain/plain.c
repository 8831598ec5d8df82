// Joins lines, drops comments, keeps strings; and takes what is left apart.
#include "toolchain/plain.h"

#include <string.h>

struct reader {
    const char *bytes;
    size_t length, at;
    size_t owed; // line ends that come behind this line
    struct text *out;
};

// Bytes of a line end here; 0: there is none.
static size_t line_end(const struct reader *r, size_t at)
{
    if (at < r->length && r->bytes[at] == '\r')
        return at + 1 < r->length && r->bytes[at + 1] == '\n' ? 2 : 1;
    return at < r->length && r->bytes[at] == '\n';
}

// The byte here, behind the ends of continued lines; 0 at the end of the source.
static char peek(struct reader *r)
{
    while (r->at < r->length && r->bytes[r->at] == '\\') {
        size_t at = r->at + 1;
        while (at < r->length && strchr(" \t\v\f", r->bytes[at]))
            at++;
        if (!line_end(r, at))
            break;
        r->at = at + line_end(r, at);
        r->owed++;
    }
    return r->at < r->length ? r->bytes[r->at] : 0;
}

static char take(struct reader *r)
{
    char byte = peek(r);
    if (byte) {
        text_append(r->out, &byte, 1);
        r->at++;
    }
    return byte;
}

static bool is_line_end(char byte)
{
    return byte == '\n' || byte == '\r' || !byte;
}

static void take_line_end(struct reader *r)
{
    r->at += line_end(r, r->at);
    for (r->owed++; r->owed; r->owed--)
        text_puts(r->out, "\n");
}

static void pass_comment(struct reader *r, char kind)
{
    text_puts(r->out, " ");
    r->at++;
    for (char byte; (byte = peek(r)) != 0 && (kind == '*' || !is_line_end(byte));) {
        size_t end = line_end(r, r->at);
        r->owed += end > 0;
        r->at += end ? end : 1;
        if (kind == '*' && byte == '*' && peek(r) == '/') {
            r->at++;
            return;
        }
    }
}

static void take_slash(struct reader *r)
{
    size_t owed = r->owed, at = r->at++;
    char next = peek(r);
    if (next == '/' || next == '*') {
        pass_comment(r, next);
        return;
    }
    r->at = at;
    r->owed = owed;
    take(r);
}

static void take_quoted(struct reader *r)
{
    char quote = take(r);
    while (!is_line_end(peek(r))) {
        char byte = take(r);
        if (byte == quote)
            return;
        if (byte == '\\' && !is_line_end(peek(r)))
            take(r);
    }
}

bool source_is_name_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '_' || byte == '$' || (unsigned char)byte >= 0x80;
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

// [lex.ppnumber]: points, apostrophes between digits, signs behind an exponent.
static void take_pp_number(struct reader *r)
{
    for (char before = take(r), byte; (byte = peek(r)) != 0; before = byte) {
        bool is_sign = (byte == '+' || byte == '-') && strchr("eEpP", before);
        if (byte == '\'') {
            struct reader ahead = *r;
            ahead.at++;
            if (!source_is_name_byte(peek(&ahead)))
                return;
        } else if (!source_is_name_byte(byte) && byte != '.' && !is_sign) {
            return;
        }
        take(r);
    }
}

static bool begins_raw(const char *name, size_t length)
{
    static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strlen(prefixes[i]) == length && memcmp(prefixes[i], name, length) == 0)
            return true;
    return false;
}

// Nothing is joined in it: the bytes are what they are.
// Of a raw string from its quotation mark; 0: it is none. name: what stands before the mark.
static size_t raw_length(const char *name, size_t name_length, const char *at, size_t left)
{
    enum { MARK = 16 };
    char end[MARK + 3] = ")";
    size_t mark = 0;
    if (!begins_raw(name, name_length))
        return 0;
    while (mark < MARK && mark + 1 < left && !strchr(" ()\\\t\v\f\r\n", at[1 + mark]))
        mark++;
    if (mark + 1 >= left || at[1 + mark] != '(')
        return 0;
    memcpy(end + 1, at + 1, mark);
    end[1 + mark] = '"';
    const char *found = memmem(at + 2 + mark, left - 2 - mark, end, mark + 2);
    return found ? (size_t)(found - at) + mark + 2 : 0;
}

// Counts the line ends in a raw string as the lines that they are.
static bool take_name(struct reader *r)
{
    size_t begin = r->out->length;
    while (source_is_name_byte(peek(r)))
        take(r);
    const char *name = text_get(r->out) + begin;
    if (peek(r) != '"' || !begins_raw(name, r->out->length - begin))
        return true;
    size_t length = raw_length(name, r->out->length - begin, r->bytes + r->at, r->length - r->at);
    text_append(r->out, r->bytes + r->at, length);
    r->at += length;
    return length > 0;
}

bool source_make_plain(struct text *plain, const char *bytes, size_t length)
{
    struct reader r = {.bytes = bytes, .length = length, .out = plain};
    bool good = true;
    r.at = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    for (char byte; good && (byte = peek(&r)) != 0;) {
        struct reader ahead = r;
        ahead.at++;
        if (line_end(&r, r.at))
            take_line_end(&r);
        else if (byte == '/')
            take_slash(&r);
        else if (byte == '"' || byte == '\'')
            take_quoted(&r);
        else if (is_digit(byte) || (byte == '.' && is_digit(peek(&ahead))))
            take_pp_number(&r);
        else if (source_is_name_byte(byte))
            good = take_name(&r);
        else
            take(&r);
    }
    return good;
}

// ---- tokens

struct source_scanner source_scan(const char *plain)
{
    return (struct source_scanner){plain, false, true};
}

// Moves over blanks. True: over the end of a directive too.
static bool skip_blanks(struct source_scanner *scanner)
{
    for (;;) {
        const char *at = scanner->at;
        if ((*at == '\n' || !*at) && scanner->in_directive) {
            scanner->in_directive = false;
            return true;
        }
        scanner->at_line_start = scanner->at_line_start || *at == '\n';
        if (!*at || !strchr(" \t\n\v\f", *at))
            return false;
        scanner->at++;
    }
}

// A number or a name; a number may hold points, apostrophes between digits, and signs behind its exponent.
static size_t name_length(const char *at)
{
    bool is_number = is_digit(*at) || *at == '.';
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
        if (*signs[i] == *at && text_starts(at, signs[i]))
            return strlen(signs[i]);
    return 1;
}

struct source_token source_next_token(struct source_scanner *scanner)
{
    if (skip_blanks(scanner))
        return (struct source_token){"\n", 1};
    const char *at = scanner->at;
    struct source_token token = {at, 0};
    if (!*at)
        return token;
    bool is_number = is_digit(*at) || (*at == '.' && is_digit(at[1]));
    if (source_is_name_byte(*at) || is_number)
        token.length = name_length(at);
    if (token.length && at[token.length] == '"' && begins_raw(at, token.length)) // strlen is not for every name
        token.length += raw_length(at, token.length, at + token.length, strlen(at + token.length));
    else if (!token.length)
        token.length = *at == '"' || *at == '\'' ? quoted_length(at) : sign_length(at);
    scanner->in_directive = scanner->in_directive || (scanner->at_line_start && *at == '#');
    scanner->at_line_start = false;
    scanner->at += token.length;
    return token;
}
