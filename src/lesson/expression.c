// Parsing and evaluating the expressions of lesson.cfg.
#include "lesson/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum node_kind {
    NODE_NUMBER,
    NODE_UNARY,
    NODE_BINARY,
    NODE_FUNCTION,
    NODE_REFERENCE,
};

enum operation {
    OP_OR,
    OP_AND,
    OP_EQUAL,
    OP_NOT_EQUAL,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_MODULO,
    OP_NEGATE,
    OP_NOT,
};

enum function { FN_CEIL, FN_FLOOR, FN_MIN, FN_MAX, FN_ABS, FN_LOG2, FN_COUNT };

static const struct {
    const char *name;
    size_t arguments;
} functions[FN_COUNT] = {{"ceil", 1}, {"floor", 1}, {"min", 2}, {"max", 2}, {"abs", 1}, {"log2", 1}};

struct node {
    enum node_kind kind;
    int column;
    double number;
    enum operation operation;
    enum function function;
    struct node *children[EXPRESSION_MAX_ARGUMENTS]; // REFERENCE: the argument's number where it is one
    struct expression_reference reference;
};

struct expression {
    struct arena *arena;
    struct node *root;
};

// Deep enough for anything a person writes; keeps hostile nesting off our stack.
enum { MAX_DEPTH = 100 };

struct parser {
    const char *text, *at;
    struct arena *arena;
    struct diagnostic *diagnostic;
    enum status status;
    int depth;
};

// How tightly operators bind, loosest first.
enum { LEVEL_OR, LEVEL_AND, LEVEL_COMPARISON, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_UNARY };

static struct node *parse_level(struct parser *parser, int level);

static struct node *fail_parse(struct parser *parser, const char *at, const char *message)
{
    if (parser->status == STATUS_OK)
        parser->status = diagnostic_at(parser->diagnostic, STATUS_PARSE, NULL, 0, (int)(at - parser->text) + 1,
                                       "%s in \"%.200s\".", message, parser->text);
    return NULL;
}

static void skip_blanks(struct parser *parser)
{
    while (*parser->at == ' ' || *parser->at == '\t' || *parser->at == '\n' || *parser->at == '\r')
        parser->at++;
}

static bool take(struct parser *parser, const char *token)
{
    skip_blanks(parser);
    size_t length = strlen(token);
    if (strncmp(parser->at, token, length) != 0)
        return false;
    parser->at += length;
    return true;
}

static struct node *node_new(struct parser *parser, enum node_kind kind, const char *at)
{
    struct node *node = arena_alloc(parser->arena, sizeof *node);
    node->kind = kind;
    node->column = (int)(at - parser->text) + 1;
    return node;
}

static struct node *binary_node(struct parser *parser, enum operation operation, const char *at, struct node *left,
                                struct node *right)
{
    if (!left || !right)
        return NULL;
    struct node *node = node_new(parser, NODE_BINARY, at);
    node->operation = operation;
    node->children[0] = left;
    node->children[1] = right;
    return node;
}

static bool starts_name(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

static const char *take_name(struct parser *parser)
{
    const char *start = parser->at;
    while (isalnum((unsigned char)*parser->at) || *parser->at == '_')
        parser->at++;
    return arena_strndup(parser->arena, start, (size_t)(parser->at - start));
}

static struct node *parse_number(struct parser *parser)
{
    const char *start = parser->at;
    char *end = NULL;
    double number = strtod(start, &end);
    if (end == start || starts_name(*end))
        return fail_parse(parser, start, "This is not a number");
    parser->at = end;
    struct node *node = node_new(parser, NODE_NUMBER, start);
    node->number = number;
    return node;
}

// argument = or | string | name ":" name | name number
static bool parse_argument(struct parser *parser, struct node *call)
{
    struct expression_reference *reference = &call->reference;
    struct expression_argument *argument = &reference->arguments[reference->argument_count];
    skip_blanks(parser);
    const char *start = parser->at;
    if (reference->argument_count == EXPRESSION_MAX_ARGUMENTS) {
        fail_parse(parser, start, "Too many arguments");
        return false;
    }
    if (*start == '"') {
        const char *end = strchr(start + 1, '"');
        if (!end) {
            fail_parse(parser, start, "This string never ends");
            return false;
        }
        argument->text = arena_strndup(parser->arena, start + 1, (size_t)(end - start - 1));
        parser->at = end + 1;
        reference->argument_count++;
        return true;
    }
    if (starts_name(*start)) {
        const char *label = take_name(parser);
        if (take(parser, ":")) {
            skip_blanks(parser);
            const char *word = parser->at;
            while (isalnum((unsigned char)*parser->at) || *parser->at == '_' || *parser->at == '-')
                parser->at++;
            if (parser->at == word) {
                fail_parse(parser, word, "A name is missing after ':'");
                return false;
            }
            argument->label = label;
            argument->text = arena_strndup(parser->arena, word, (size_t)(parser->at - word));
            reference->argument_count++;
            return true;
        }
        skip_blanks(parser);
        if (isdigit((unsigned char)*parser->at) || starts_name(*parser->at))
            argument->label = label;
        else
            parser->at = start;
    }
    struct node *value = parse_level(parser, LEVEL_OR);
    call->children[reference->argument_count++] = value;
    return value != NULL;
}

static struct node *finish_call(struct parser *parser, struct node *node, size_t function)
{
    struct expression_reference *reference = &node->reference;
    for (size_t i = 0; i < reference->argument_count; i++)
        if (!node->children[i] || reference->arguments[i].label)
            return fail_parse(parser, parser->text + node->column - 1, "This function takes plain values");
    if (reference->argument_count != functions[function].arguments || reference->field)
        return fail_parse(parser, parser->text + node->column - 1,
                          functions[function].arguments == 1 ? "This function takes one value"
                                                             : "This function takes two values");
    node->kind = NODE_FUNCTION;
    node->function = (enum function)function;
    return node;
}

// name | name "(" … ")" [ "." name ]
static struct node *parse_reference(struct parser *parser)
{
    struct node *node = node_new(parser, NODE_REFERENCE, parser->at);
    struct expression_reference *reference = &node->reference;
    reference->column = node->column;
    reference->name = take_name(parser);
    if (!take(parser, "("))
        return node;
    reference->is_call = true;
    if (!take(parser, ")")) {
        do {
            if (!parse_argument(parser, node))
                return NULL;
        } while (take(parser, ","));
        if (!take(parser, ")"))
            return fail_parse(parser, parser->at, "Expected ',' or ')'");
    }
    if (take(parser, ".")) {
        skip_blanks(parser);
        if (!starts_name(*parser->at))
            return fail_parse(parser, parser->at, "A name is missing after '.'");
        reference->field = take_name(parser);
    }
    for (size_t i = 0; i < FN_COUNT; i++)
        if (strcmp(functions[i].name, reference->name) == 0)
            return finish_call(parser, node, i);
    return node;
}

static struct node *parse_operand(struct parser *parser)
{
    skip_blanks(parser);
    if (isdigit((unsigned char)*parser->at) || *parser->at == '.')
        return parse_number(parser);
    if (starts_name(*parser->at))
        return parse_reference(parser);
    if (!take(parser, "("))
        return fail_parse(parser, parser->at, *parser->at ? "Expected a value" : "Something is missing at the end");
    struct node *node = parse_level(parser, LEVEL_OR);
    if (node && !take(parser, ")"))
        return fail_parse(parser, parser->at, "Expected ')'");
    return node;
}

// unary = ("-" | "!") unary | primary
static struct node *parse_sign(struct parser *parser)
{
    skip_blanks(parser);
    const char *start = parser->at;
    if (*start != '-' && !(*start == '!' && start[1] != '='))
        return parse_operand(parser);
    if (++parser->depth > MAX_DEPTH)
        return fail_parse(parser, start, "Nested too deeply");
    parser->at++;
    struct node *value = parse_sign(parser);
    parser->depth--;
    if (!value)
        return NULL;
    struct node *node = node_new(parser, NODE_UNARY, start);
    node->operation = *start == '-' ? OP_NEGATE : OP_NOT;
    node->children[0] = value;
    return node;
}

// A token that another one begins with stands behind that one.
static const struct binary_operator {
    const char *token;
    int level;
    enum operation operation;
} operators[] = {
    {"||", LEVEL_OR, OP_OR},
    {"&&", LEVEL_AND, OP_AND},
    {"==", LEVEL_COMPARISON, OP_EQUAL},
    {"!=", LEVEL_COMPARISON, OP_NOT_EQUAL},
    {"<=", LEVEL_COMPARISON, OP_LESS_EQUAL},
    {">=", LEVEL_COMPARISON, OP_GREATER_EQUAL},
    {"<", LEVEL_COMPARISON, OP_LESS},
    {">", LEVEL_COMPARISON, OP_GREATER},
    {"+", LEVEL_SUM, OP_ADD},
    {"-", LEVEL_SUM, OP_SUBTRACT},
    {"*", LEVEL_PRODUCT, OP_MULTIPLY},
    {"/", LEVEL_PRODUCT, OP_DIVIDE},
    {"%", LEVEL_PRODUCT, OP_MODULO},
};

// The operator that stands here, if it binds as this level does; it is taken.
static const struct binary_operator *take_operator(struct parser *parser, int level)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].level == level && take(parser, operators[i].token))
            return &operators[i];
    return NULL;
}

// or, and, comparison, sum, product: operands of the next level, joined from the left; a comparison joins only two.
static struct node *parse_level(struct parser *parser, int level)
{
    if (level == LEVEL_UNARY)
        return parse_sign(parser);
    if (level == LEVEL_OR && ++parser->depth > MAX_DEPTH)
        return fail_parse(parser, parser->at, "Nested too deeply");
    struct node *node = parse_level(parser, level + 1);
    const struct binary_operator *found;
    while (node && (found = take_operator(parser, level))) {
        const char *at = parser->at - strlen(found->token);
        node = binary_node(parser, found->operation, at, node, parse_level(parser, level + 1));
        if (level == LEVEL_COMPARISON)
            break;
    }
    parser->depth -= level == LEVEL_OR;
    return node;
}

enum status expression_parse(const char *text, struct expression **expression, struct diagnostic *diagnostic)
{
    *expression = NULL;
    if (strlen(text) > EXPRESSION_MAX_LENGTH)
        return diagnostic_at(diagnostic, STATUS_PARSE, NULL, 0, EXPRESSION_MAX_LENGTH,
                             "An expression has at most %d characters.", EXPRESSION_MAX_LENGTH);
    struct expression *result = mem_alloc(sizeof *result);
    result->arena = arena_new();
    struct parser parser = {.arena = result->arena, .diagnostic = diagnostic};
    parser.text = parser.at = arena_strdup(result->arena, text);
    result->root = parse_level(&parser, LEVEL_OR);
    skip_blanks(&parser);
    if (result->root && *parser.at)
        fail_parse(&parser, parser.at, "Expected an operator or the end");
    if (parser.status) {
        expression_free(result);
        return parser.status;
    }
    *expression = result;
    return STATUS_OK;
}

void expression_free(struct expression *expression)
{
    if (!expression)
        return;
    arena_free(expression->arena);
    free(expression);
}

struct evaluator {
    expression_lookup *lookup;
    void *context;
    struct diagnostic *diagnostic;
};

static enum status evaluate_node(const struct evaluator *evaluator, const struct node *node, double *value);

static enum status evaluate_reference(const struct evaluator *evaluator, const struct node *node, double *value)
{
    struct expression_reference reference = node->reference;
    for (size_t i = 0; i < reference.argument_count; i++) {
        enum status status =
            node->children[i] ? evaluate_node(evaluator, node->children[i], &reference.arguments[i].number) : STATUS_OK;
        if (status)
            return status;
    }
    enum status status = evaluator->lookup(evaluator->context, &reference, value, evaluator->diagnostic);
    if (status && evaluator->diagnostic && evaluator->diagnostic->column == 0)
        evaluator->diagnostic->column = node->column;
    return status;
}

static double apply_operation(enum operation operation, double a, double b)
{
    switch (operation) {
    case OP_EQUAL:
        return a == b;
    case OP_NOT_EQUAL:
        return a < b || a > b; // false for NaN, unlike !=
    case OP_LESS:
        return a < b;
    case OP_LESS_EQUAL:
        return a <= b;
    case OP_GREATER:
        return a > b;
    case OP_GREATER_EQUAL:
        return a >= b;
    case OP_ADD:
        return a + b;
    case OP_SUBTRACT:
        return a - b;
    case OP_MULTIPLY:
        return a * b;
    case OP_DIVIDE:
        return b == 0 ? NAN : a / b;
    case OP_MODULO:
        return b == 0 ? NAN : fmod(a, b);
    default:
        return NAN;
    }
}

static double call(enum function function, double a, double b)
{
    switch (function) {
    case FN_CEIL:
        return ceil(a);
    case FN_FLOOR:
        return floor(a);
    case FN_MIN:
        return isnan(a) || isnan(b) ? NAN : fmin(a, b);
    case FN_MAX:
        return isnan(a) || isnan(b) ? NAN : fmax(a, b);
    case FN_ABS:
        return fabs(a);
    default:
        return log2(a);
    }
}

// NaN is not true: an unknown ratio satisfies nothing.
static bool is_true(double value)
{
    return value < 0 || value > 0;
}

static enum status evaluate_node(const struct evaluator *evaluator, const struct node *node, double *value)
{
    double a = 0, b = 0;
    if (node->kind == NODE_NUMBER) {
        *value = node->number;
        return STATUS_OK;
    }
    if (node->kind == NODE_REFERENCE)
        return evaluate_reference(evaluator, node, value);
    enum status status = evaluate_node(evaluator, node->children[0], &a);
    if (status)
        return status;
    if (node->kind == NODE_UNARY) {
        *value = node->operation == OP_NEGATE ? -a : isnan(a) ? NAN : !is_true(a);
        return STATUS_OK;
    }
    bool is_logic = node->kind == NODE_BINARY && (node->operation == OP_AND || node->operation == OP_OR);
    if (is_logic && is_true(a) == (node->operation == OP_OR)) {
        *value = is_true(a);
        return STATUS_OK;
    }
    if (node->children[1]) {
        status = evaluate_node(evaluator, node->children[1], &b);
        if (status)
            return status;
    }
    *value = is_logic                      ? is_true(b)
             : node->kind == NODE_FUNCTION ? call(node->function, a, b)
                                           : apply_operation(node->operation, a, b);
    return STATUS_OK;
}

enum status expression_evaluate(const struct expression *expression, expression_lookup *lookup, void *context,
                                double *value, struct diagnostic *diagnostic)
{
    struct evaluator evaluator = {lookup, context, diagnostic};
    return evaluate_node(&evaluator, expression->root, value);
}

static enum status check(const struct evaluator *evaluator, const struct node *node)
{
    double ignored = 0;
    if (!node)
        return STATUS_OK;
    for (size_t i = 0; i < EXPRESSION_MAX_ARGUMENTS; i++) {
        enum status status = check(evaluator, node->children[i]);
        if (status)
            return status;
    }
    return node->kind == NODE_REFERENCE ? evaluate_reference(evaluator, node, &ignored) : STATUS_OK;
}

enum status expression_check(const struct expression *expression, expression_lookup *lookup, void *context,
                             struct diagnostic *diagnostic)
{
    struct evaluator evaluator = {lookup, context, diagnostic};
    return check(&evaluator, expression->root);
}

enum status expression_value(const char *text, expression_lookup *lookup, void *context, double *value,
                             struct diagnostic *diagnostic)
{
    struct expression *expression;
    enum status status = expression_parse(text, &expression, diagnostic);
    if (status)
        return status;
    status = expression_evaluate(expression, lookup, context, value, diagnostic);
    expression_free(expression);
    return status;
}
