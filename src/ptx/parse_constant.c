// Constant expressions (PTX ISA 4.5): C's operators on 64-bit integers; the four basic ones on doubles, as in ptxas.
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

bool ptx_at_constant(const struct ptx_parser *p)
{
    switch (p->token.kind) {
    case PTX_TOKEN_INTEGER:
    case PTX_TOKEN_SINGLE:
    case PTX_TOKEN_DOUBLE:
    case '-':
    case '+':
    case '~':
    case '(':
    case '!':
        return true;
    default:
        return p->token.kind == PTX_TOKEN_NAME && ptx_token_is(&p->token, PTX_WARP_SIZE);
    }
}

static bool parse_conditional(struct ptx_parser *p, struct ptx_constant *constant);

static bool need_integer(struct ptx_parser *p, const struct ptx_token *operator, const struct ptx_constant * constant)
{
    if (constant->kind == PTX_TOKEN_INTEGER)
        return true;
    return ptx_fail_at(p, operator, STATUS_PARSE, "%s needs integers, not floating-point numbers",
                       ptx_quote(p, operator));
}

// cast = "(" ".s64" | ".u64" ")" unary ; the '(' is taken
static bool parse_cast(struct ptx_parser *p, struct ptx_constant *constant);

// primary = INTEGER | FLOAT | "WARP_SZ" | "(" conditional ")" | cast
static bool parse_primary(struct ptx_parser *p, struct ptx_constant *constant)
{
    switch (p->token.kind) {
    case PTX_TOKEN_INTEGER:
    case PTX_TOKEN_SINGLE:
    case PTX_TOKEN_DOUBLE:
        *constant = (struct ptx_constant){p->token.kind, p->token.is_unsigned, p->token.bits};
        ptx_next(p);
        return true;
    case '(':
        ptx_next(p);
        if (p->token.kind == PTX_TOKEN_WORD)
            return parse_cast(p, constant);
        return parse_conditional(p, constant) && ptx_expect(p, ')', "')' after the constant expression");
    default:
        if (!ptx_at_constant(p))
            return ptx_fail_expected(p, "a number");
        *constant = (struct ptx_constant){.kind = PTX_TOKEN_INTEGER, .bits = 32}; // WARP_SZ
        ptx_next(p);
        return true;
    }
}

static void negate(struct ptx_constant *constant)
{
    if (constant->kind == PTX_TOKEN_INTEGER)
        constant->bits = 0 - constant->bits;
    else
        constant->bits ^= constant->kind == PTX_TOKEN_SINGLE ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
}

// unary = ("-" | "+" | "~" | "!") unary | primary
static bool parse_unary(struct ptx_parser *p, struct ptx_constant *constant)
{
    struct ptx_token operator= p->token;
    if (p->depth >= PTX_MAX_DEPTH)
        return ptx_fail_at(p, &operator, STATUS_PARSE, "the constant expression nests deeper than %d levels",
                           PTX_MAX_DEPTH);
    p->depth++;
    bool ok;
    switch (operator.kind) {
    case '-':
    case '+':
        ptx_next(p);
        ok = parse_unary(p, constant);
        if (ok && operator.kind == '-')
            negate(constant);
        break;
    case '~':
    case '!':
        ptx_next(p);
        ok = parse_unary(p, constant) && need_integer(p, &operator, constant);
        if (ok)
            constant->bits = operator.kind == '~' ? ~constant->bits : !constant->bits;
        break;
    default:
        ok = parse_primary(p, constant);
    }
    p->depth--;
    return ok;
}

static bool parse_cast(struct ptx_parser *p, struct ptx_constant *constant)
{
    struct ptx_token type = p->token;
    bool is_unsigned = ptx_token_is(&type, ".u64");
    if (!is_unsigned && !ptx_token_is(&type, ".s64"))
        return ptx_fail_expected(p, "'.s64' or '.u64' in the cast");
    ptx_next(p);
    if (!ptx_expect(p, ')', "')' after the cast's type") || !parse_unary(p, constant) ||
        !need_integer(p, &type, constant))
        return false;
    constant->is_unsigned = is_unsigned;
    return true;
}

// How the result's type follows from the operands' (the ISA's table 5).
enum result_type { EITHER_UNSIGNED, AS_LEFT, ALWAYS_SIGNED };

static const struct binary_operator {
    int precedence; // 1 binds least; 0: not an operator
    enum result_type result;
} operators[PTX_TOKEN_BAD + 1] = {
    // by kind of token
    ['*'] = {10, EITHER_UNSIGNED},
    ['/'] = {10, EITHER_UNSIGNED},
    ['%'] = {10, EITHER_UNSIGNED},
    ['+'] = {9, EITHER_UNSIGNED},
    ['-'] = {9, EITHER_UNSIGNED},
    [PTX_TOKEN_SHIFT_LEFT] = {8, AS_LEFT},
    [PTX_TOKEN_SHIFT_RIGHT] = {8, AS_LEFT},
    ['<'] = {7, ALWAYS_SIGNED},
    ['>'] = {7, ALWAYS_SIGNED},
    [PTX_TOKEN_LESS_EQUAL] = {7, ALWAYS_SIGNED},
    [PTX_TOKEN_GREATER_EQUAL] = {7, ALWAYS_SIGNED},
    [PTX_TOKEN_EQUAL] = {6, ALWAYS_SIGNED},
    [PTX_TOKEN_NOT_EQUAL] = {6, ALWAYS_SIGNED},
    ['&'] = {5, EITHER_UNSIGNED},
    ['^'] = {4, EITHER_UNSIGNED},
    ['|'] = {3, EITHER_UNSIGNED},
    [PTX_TOKEN_AND] = {2, ALWAYS_SIGNED},
    [PTX_TOKEN_OR] = {1, ALWAYS_SIGNED},
};

static uint64_t divide(unsigned kind, uint64_t a, uint64_t b, bool is_unsigned)
{
    if (is_unsigned)
        return kind == '/' ? a / b : a % b;
    if (b == UINT64_MAX) // INT64_MIN / -1 overflows in C
        return kind == '/' ? 0 - a : 0;
    return (uint64_t)(kind == '/' ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b);
}

static uint64_t shift(unsigned kind, uint64_t a, uint64_t by, bool is_unsigned)
{
    if (kind == PTX_TOKEN_SHIFT_LEFT)
        return by > 63 ? 0 : a << by;
    if (is_unsigned)
        return by > 63 ? 0 : a >> by;
    uint64_t sign = (int64_t)a < 0 ? UINT64_MAX : 0;
    return by > 63 ? sign : by == 0 ? a : a >> by | sign << (64 - by);
}

static bool is_less(uint64_t a, uint64_t b, bool is_unsigned)
{
    return is_unsigned ? a < b : (int64_t)a < (int64_t)b;
}

static uint64_t calculate(unsigned kind, uint64_t a, uint64_t b, bool is_unsigned)
{
    switch (kind) {
    case '*':
        return a * b;
    case '/':
    case '%':
        return divide(kind, a, b, is_unsigned);
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '&':
        return a & b;
    case '^':
        return a ^ b;
    case '|':
        return a | b;
    case '<':
        return is_less(a, b, is_unsigned);
    case '>':
        return is_less(b, a, is_unsigned);
    case PTX_TOKEN_LESS_EQUAL:
        return !is_less(b, a, is_unsigned);
    case PTX_TOKEN_GREATER_EQUAL:
        return !is_less(a, b, is_unsigned);
    case PTX_TOKEN_EQUAL:
        return a == b;
    case PTX_TOKEN_NOT_EQUAL:
        return a != b;
    case PTX_TOKEN_AND:
        return a && b;
    case PTX_TOKEN_OR:
        return a || b;
    default:
        return shift(kind, a, b, is_unsigned);
    }
}

static uint64_t calculate_double(unsigned kind, uint64_t a, uint64_t b)
{
    double x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x = kind == '+' ? x + y : kind == '-' ? x - y : kind == '*' ? x * y : x / y;
    memcpy(&a, &x, sizeof a);
    return a;
}

static bool apply(struct ptx_parser *p, const struct ptx_token *token, enum result_type result,
                  struct ptx_constant *left, const struct ptx_constant *right)
{
    bool is_unsigned = left->is_unsigned || (right->is_unsigned && result != AS_LEFT);
    if (left->kind == PTX_TOKEN_DOUBLE && right->kind == PTX_TOKEN_DOUBLE && operators[token->kind].precedence > 8 &&
        token->kind != '%') {
        left->bits = calculate_double(token->kind, left->bits, right->bits);
        return true;
    }
    if (!need_integer(p, token, left) || !need_integer(p, token, right))
        return false;
    if ((token->kind == '/' || token->kind == '%') && right->bits == 0)
        return ptx_fail_at(p, token, STATUS_PARSE, "the constant expression divides by zero");
    left->bits = calculate(token->kind, left->bits, right->bits, is_unsigned);
    left->is_unsigned = is_unsigned && result != ALWAYS_SIGNED;
    return true;
}

// binary(least) = unary { operator of at least that precedence, binary(one more) }
static bool parse_binary(struct ptx_parser *p, int least, struct ptx_constant *left)
{
    if (!parse_unary(p, left))
        return false;
    for (;;) {
        struct ptx_token token = p->token;
        const struct binary_operator *found = &operators[token.kind];
        if (!found->precedence || found->precedence < least)
            return true;
        ptx_next(p);
        struct ptx_constant right;
        if (!parse_binary(p, found->precedence + 1, &right) || !apply(p, &token, found->result, left, &right))
            return false;
    }
}

// conditional = binary(1) [ "?" conditional ":" conditional ]
static bool parse_conditional(struct ptx_parser *p, struct ptx_constant *constant)
{
    struct ptx_constant yes, no;
    if (!parse_binary(p, 1, constant))
        return false;
    struct ptx_token question = p->token;
    if (question.kind != '?')
        return true;
    if (p->depth >= PTX_MAX_DEPTH)
        return ptx_fail_at(p, &question, STATUS_PARSE, "the constant expression nests deeper than %d levels",
                           PTX_MAX_DEPTH);
    p->depth++;
    ptx_next(p);
    bool ok = need_integer(p, &question, constant) && parse_conditional(p, &yes) &&
              ptx_expect(p, ':', "':' of the '?' expression") && parse_conditional(p, &no);
    p->depth--;
    if (!ok)
        return false;
    *constant = constant->bits ? yes : no;
    return true;
}

bool ptx_parse_constant(struct ptx_parser *p, struct ptx_constant *constant)
{
    return parse_conditional(p, constant);
}

bool ptx_parse_product(struct ptx_parser *p, struct ptx_constant *constant)
{
    return parse_binary(p, 10, constant);
}
