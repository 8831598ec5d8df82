// What all of the parser's files build on: tokens, messages, names and scopes.
#include "ptx/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

void ptx_next(struct ptx_parser *p)
{
    ptx_lex(&p->lexer, &p->token);
}

const char *ptx_quote(struct ptx_parser *p, const struct ptx_token *token)
{
    bool is_cut = token->length > PTX_MAX_MESSAGE_TOKEN;
    if (token->kind == PTX_TOKEN_END)
        return "the end of the file";
    struct text escaped = {0};
    text_escape(&escaped, token->text, is_cut ? PTX_MAX_MESSAGE_TOKEN : token->length, false);
    snprintf(p->quoted, sizeof p->quoted, "'%s%s'", text_get(&escaped), is_cut ? "…" : "");
    text_free(&escaped);
    return p->quoted;
}

bool ptx_fail_at(struct ptx_parser *p, const struct ptx_token *token, enum status status, const char *format, ...)
{
    char message[sizeof p->diagnostic->message];
    if (p->status != STATUS_OK)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    p->status =
        diagnostic_at(p->diagnostic, status, p->module->name, (int)token->line, (int)token->column, "%s", message);
    return false;
}

bool ptx_fail_expected(struct ptx_parser *p, const char *expected)
{
    if (p->token.kind == PTX_TOKEN_BAD)
        return ptx_fail_at(p, &p->token, STATUS_PARSE, "%s: %s", ptx_quote(p, &p->token), p->token.problem);
    return ptx_fail_at(p, &p->token, STATUS_PARSE, "expected %s, found %s", expected, ptx_quote(p, &p->token));
}

bool ptx_fail_unsupported(struct ptx_parser *p, const struct ptx_token *token, const char *noun)
{
    return ptx_fail_at(p, token, STATUS_UNSUPPORTED, "%s %s on line %u is not supported", noun, ptx_quote(p, token),
                       token->line);
}

bool ptx_accept(struct ptx_parser *p, unsigned kind)
{
    if (p->token.kind != kind)
        return false;
    ptx_next(p);
    return true;
}

bool ptx_expect(struct ptx_parser *p, unsigned kind, const char *expected)
{
    return ptx_accept(p, kind) || ptx_fail_expected(p, expected);
}

bool ptx_token_is(const struct ptx_token *token, const char *text)
{
    return strlen(text) == token->length && !memcmp(token->text, text, token->length);
}

bool ptx_accept_word(struct ptx_parser *p, const char *word)
{
    if (p->token.kind != PTX_TOKEN_WORD || !ptx_token_is(&p->token, word))
        return false;
    ptx_next(p);
    return true;
}

char *ptx_name(struct ptx_parser *p, const char *text, size_t length)
{
    enum { ROOM = 4096 };
    if (length >= ROOM / 4)
        return arena_strndup(p->arena, text, length);
    if ((size_t)(p->names_end - p->names) < length + 1) {
        p->names = arena_alloc(p->arena, ROOM);
        p->names_end = p->names + ROOM;
    }
    char *name = p->names;
    memcpy(name, text, length);
    name[length] = '\0';
    p->names += length + 1;
    return name;
}

bool ptx_parse_name(struct ptx_parser *p, struct ptx_token *name, const char *expected)
{
    *name = p->token;
    if (name->kind == PTX_TOKEN_NAME && name->length > PTX_MAX_NAME)
        return ptx_fail_at(p, name, STATUS_PARSE, "the name is longer than %d characters", PTX_MAX_NAME);
    return ptx_expect(p, PTX_TOKEN_NAME, expected);
}

bool ptx_parse_bounded(struct ptx_parser *p, uint64_t least, uint64_t most, uint64_t *value, const char *what)
{
    struct ptx_token token = p->token;
    if (!ptx_expect(p, PTX_TOKEN_INTEGER, what))
        return false;
    *value = token.bits;
    if (token.bits >= least && token.bits <= most)
        return true;
    return ptx_fail_at(p, &token, STATUS_PARSE, "%s is %llu; it must be from %llu to %llu", what,
                       (unsigned long long)token.bits, (unsigned long long)least, (unsigned long long)most);
}

bool ptx_declare(struct ptx_parser *p, const struct ptx_token *name, struct ptx_symbol symbol)
{
    const struct ptx_symbol *old = symbol.kind == PTX_SYMBOL_RANGE
                                       ? ptx_symbols_find_range(&p->symbols, name->text, name->length)
                                       : ptx_symbols_find(&p->symbols, name->text, name->length);
    if (old && old->depth == p->symbols.depth)
        return ptx_fail_at(p, name, STATUS_PARSE, "%s is declared twice; the first time on line %u", ptx_quote(p, name),
                           old->line);
    symbol.text = name->text;
    symbol.length = name->length;
    symbol.line = name->line;
    ptx_symbols_add(&p->symbols, symbol);
    return true;
}

bool ptx_skip_brackets(struct ptx_parser *p, unsigned open, const char *opening, unsigned close, const char *closing)
{
    if (!ptx_expect(p, open, opening))
        return false;
    for (unsigned depth = 1; depth > 0; ptx_next(p)) {
        if (p->token.kind == PTX_TOKEN_END)
            return ptx_fail_expected(p, closing);
        depth += p->token.kind == open;
        depth -= p->token.kind == close;
    }
    return true;
}

bool ptx_skip_parentheses(struct ptx_parser *p)
{
    return ptx_skip_brackets(p, '(', "'(' of the attribute", ')', "')' of the attribute");
}

bool ptx_skip_pragma(struct ptx_parser *p, bool *nounroll)
{
    static const char word[] = "\"nounroll\"";
    do {
        const struct ptx_token *token = &p->token;
        if (nounroll)
            *nounroll |= token->length == sizeof word - 1 && !memcmp(token->text, word, sizeof word - 1);
        if (!ptx_expect(p, PTX_TOKEN_STRING, "the pragma in quotes"))
            return false;
    } while (ptx_accept(p, ','));
    return ptx_expect(p, ';', "';' after the pragma");
}

void *ptx_settle(struct ptx_parser *p, const void *items, size_t bytes)
{
    void *copy = arena_alloc(p->arena, bytes + 1);
    if (bytes)
        memcpy(copy, items, bytes);
    return copy;
}
