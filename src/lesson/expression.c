// The expressions of lesson.cfg, evaluated as they are read: a text is short and asked for once, so that no tree is
// built of it. A first reading asks for nothing and finds the mistakes of writing.
#include "lesson/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// Deep enough for anything a person writes; keeps hostile nesting off our stack.
enum { MAX_DEPTH = 100 };

struct evaluation {
    const char *text, *at;
    struct arena *arena; // of the names and strings that lookup gets
    expression_lookup *lookup;
    void *context;
    struct diagnostic *diagnostic;
    enum status status;
    int depth;
    int skipped; // above 0: in a branch whose value does not matter, where nothing is looked up
    bool every;  // no branch is skipped
    bool whole;  // numbers are whole: a quotient loses its fraction
};

// How tightly operators bind, loosest first.
enum { LEVEL_OR, LEVEL_AND, LEVEL_COMPARISON, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_UNARY };

typedef double apply_function(double a, double b);

static bool is_true(double value)
{
    return value < 0 || value > 0;
}

#define O(name, token, level, value)                                                                                   \
    static double apply_##name(double a, double b)                                                                     \
    {                                                                                                                  \
        return value;                                                                                                  \
    }
#define F(name, arguments, value)                                                                                      \
    static double call_##name(double a, double b)                                                                      \
    {                                                                                                                  \
        (void)b;                                                                                                       \
        return value;                                                                                                  \
    }
#include "lesson/operators.def"
#undef O
#undef F

static const struct binary_operator {
    const char *token;
    int level;
    apply_function *apply;
} operators[] = {
#define O(name, token, level, value) {token, level, apply_##name},
#include "lesson/operators.def"
#undef O
};

static const struct expression_function {
    const char *name;
    size_t arguments;
    apply_function *apply;
} functions[] = {
#define F(name, arguments, value) {#name, arguments, call_##name},
#include "lesson/operators.def"
#undef F
};

static double evaluate_level(struct evaluation *evaluation, int level);

// The value of what cannot be read.
static double fail_reading(struct evaluation *evaluation, const char *at, const char *message)
{
    if (evaluation->status == STATUS_OK)
        evaluation->status =
            diagnostic_at(evaluation->diagnostic, STATUS_PARSE, NULL, 0, (int)(at - evaluation->text) + 1,
                          "%s in \"%.200s\".", message, evaluation->text);
    return NAN;
}

static void skip_spaces(struct evaluation *evaluation)
{
    evaluation->at += strspn(evaluation->at, " \t\n\r");
}

static bool take_token(struct evaluation *evaluation, const char *token)
{
    skip_spaces(evaluation);
    size_t length = strlen(token);
    if (strncmp(evaluation->at, token, length) != 0)
        return false;
    evaluation->at += length;
    return true;
}

static bool starts_name(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

// Letters, digits, '_' and what else is allowed; "" when there are none.
static const char *take_name(struct evaluation *evaluation, char also)
{
    const char *start = evaluation->at;
    while (isalnum((unsigned char)*evaluation->at) || *evaluation->at == '_' || (also && *evaluation->at == also))
        evaluation->at++;
    return arena_strndup(evaluation->arena, start, (size_t)(evaluation->at - start));
}

static double evaluate_number(struct evaluation *evaluation)
{
    const char *start = evaluation->at;
    char *end = NULL;
    double number = strtod(start, &end);
    end += end == start ? 0 : strspn(end, "uUlL");
    if (end == start || starts_name(*end))
        return fail_reading(evaluation, start, "This is not a number");
    evaluation->at = end;
    return number;
}

// argument = or | string | name ":" name | name number
static void take_argument(struct evaluation *evaluation, struct expression_reference *reference)
{
    skip_spaces(evaluation);
    const char *start = evaluation->at;
    if (reference->argument_count == EXPRESSION_MAX_ARGUMENTS) {
        fail_reading(evaluation, start, "Too many arguments");
        return;
    }
    struct expression_argument *argument = &reference->arguments[reference->argument_count++];
    if (*start == '"') {
        const char *end = strchr(start + 1, '"');
        if (!end) {
            fail_reading(evaluation, start, "This string never ends");
            return;
        }
        argument->text = arena_strndup(evaluation->arena, start + 1, (size_t)(end - start - 1));
        evaluation->at = end + 1;
        return;
    }
    if (starts_name(*start)) {
        const char *label = take_name(evaluation, 0);
        if (take_token(evaluation, ":")) {
            skip_spaces(evaluation);
            argument->label = label;
            argument->text = take_name(evaluation, '-');
            if (!*argument->text)
                fail_reading(evaluation, evaluation->at, "A name is missing after ':'");
            return;
        }
        skip_spaces(evaluation);
        if (isdigit((unsigned char)*evaluation->at) || starts_name(*evaluation->at))
            argument->label = label;
        else
            evaluation->at = start;
    }
    argument->number = evaluate_level(evaluation, LEVEL_OR);
}

static double call_function(struct evaluation *evaluation, const struct expression_function *function,
                            const struct expression_reference *reference)
{
    const char *at = evaluation->text + reference->column - 1;
    const struct expression_argument *arguments = reference->arguments;
    for (size_t i = 0; i < reference->argument_count; i++)
        if (arguments[i].text || arguments[i].label)
            return fail_reading(evaluation, at, "This function takes plain values");
    if (reference->argument_count != function->arguments || reference->field)
        return fail_reading(evaluation, at,
                            function->arguments == 1 ? "This function takes one value"
                                                     : "This function takes two values");
    return function->apply(arguments[0].number, arguments[1].number);
}

static double look_up_reference(struct evaluation *evaluation, const struct expression_reference *reference)
{
    double value = NAN;
    if (evaluation->status || evaluation->skipped)
        return value;
    evaluation->status = evaluation->lookup(evaluation->context, reference, &value, evaluation->diagnostic);
    if (evaluation->status && evaluation->diagnostic && evaluation->diagnostic->column == 0)
        evaluation->diagnostic->column = reference->column;
    return value;
}

// name | name "(" … ")" [ "." name ]
static double evaluate_reference(struct evaluation *evaluation)
{
    struct expression_reference reference = {.column = (int)(evaluation->at - evaluation->text) + 1};
    reference.name = take_name(evaluation, 0);
    reference.is_call = take_token(evaluation, "(");
    if (reference.is_call && !take_token(evaluation, ")")) {
        do
            take_argument(evaluation, &reference);
        while (!evaluation->status && take_token(evaluation, ","));
        if (!take_token(evaluation, ")"))
            return fail_reading(evaluation, evaluation->at, "Expected ',' or ')'");
    }
    if (reference.is_call && take_token(evaluation, ".")) {
        skip_spaces(evaluation);
        if (!starts_name(*evaluation->at))
            return fail_reading(evaluation, evaluation->at, "A name is missing after '.'");
        reference.field = take_name(evaluation, 0);
    }
    for (size_t i = 0; reference.is_call && i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, reference.name) == 0)
            return call_function(evaluation, &functions[i], &reference);
    return look_up_reference(evaluation, &reference);
}

static double evaluate_operand(struct evaluation *evaluation)
{
    skip_spaces(evaluation);
    const char *at = evaluation->at;
    if (isdigit((unsigned char)*at) || *at == '.')
        return evaluate_number(evaluation);
    if (starts_name(*at))
        return evaluate_reference(evaluation);
    if (!take_token(evaluation, "("))
        return fail_reading(evaluation, at, *at ? "Expected a value" : "Something is missing at the end");
    double value = evaluate_level(evaluation, LEVEL_OR);
    return take_token(evaluation, ")") ? value : fail_reading(evaluation, evaluation->at, "Expected ')'");
}

// unary = ("-" | "!") unary | primary
static double evaluate_sign(struct evaluation *evaluation)
{
    skip_spaces(evaluation);
    const char *start = evaluation->at;
    if (*start != '-' && !(*start == '!' && start[1] != '='))
        return evaluate_operand(evaluation);
    if (++evaluation->depth > MAX_DEPTH)
        return fail_reading(evaluation, start, "Nested too deeply");
    evaluation->at++;
    double value = evaluate_sign(evaluation);
    evaluation->depth--;
    return *start == '-' ? -value : isnan(value) ? NAN : !is_true(value);
}

// The operator that stands here, if it binds as this level does; it is taken.
static const struct binary_operator *take_operator(struct evaluation *evaluation, int level)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (operators[i].level == level && take_token(evaluation, operators[i].token))
            return &operators[i];
    return NULL;
}

// or, and, comparison, sum, product: operands of the next level, joined from the left; a comparison joins only two.
static double evaluate_level(struct evaluation *evaluation, int level)
{
    if (level == LEVEL_UNARY)
        return evaluate_sign(evaluation);
    if (level == LEVEL_OR && ++evaluation->depth > MAX_DEPTH)
        return fail_reading(evaluation, evaluation->at, "Nested too deeply");
    double value = evaluate_level(evaluation, level + 1);
    const struct binary_operator *found;
    while (!evaluation->status && (found = take_operator(evaluation, level))) {
        bool is_decided = level <= LEVEL_AND && is_true(value) == (level == LEVEL_OR) && !evaluation->every;
        evaluation->skipped += is_decided;
        value = found->apply(value, evaluate_level(evaluation, level + 1));
        evaluation->skipped -= is_decided;
        if (evaluation->whole && found->token[0] == '/')
            value = trunc(value);
        if (level == LEVEL_COMPARISON)
            break;
    }
    evaluation->depth -= level == LEVEL_OR;
    return value;
}

static enum status evaluate_text(struct evaluation *evaluation, double *value)
{
    evaluation->at = evaluation->text;
    *value = evaluate_level(evaluation, LEVEL_OR);
    skip_spaces(evaluation);
    if (!evaluation->status && *evaluation->at)
        fail_reading(evaluation, evaluation->at, "Expected an operator or the end");
    return evaluation->status;
}

static enum status read_and_evaluate(struct evaluation evaluation, double *value)
{
    if (strlen(evaluation.text) > EXPRESSION_MAX_LENGTH)
        return diagnostic_at(evaluation.diagnostic, STATUS_PARSE, NULL, 0, EXPRESSION_MAX_LENGTH,
                             "An expression has at most %d characters.", EXPRESSION_MAX_LENGTH);
    evaluation.arena = arena_new();
    evaluation.skipped = 1;
    enum status status = evaluate_text(&evaluation, value);
    evaluation.skipped = 0;
    if (!status)
        status = evaluate_text(&evaluation, value);
    arena_free(evaluation.arena);
    return status;
}

enum status expression_value(const char *text, expression_lookup *lookup, void *context, double *value,
                             struct diagnostic *diagnostic)
{
    return read_and_evaluate(
        (struct evaluation){.text = text, .lookup = lookup, .context = context, .diagnostic = diagnostic}, value);
}

enum status expression_check(const char *text, expression_lookup *lookup, void *context, struct diagnostic *diagnostic)
{
    double ignored;
    return read_and_evaluate(
        (struct evaluation){
            .text = text, .lookup = lookup, .context = context, .diagnostic = diagnostic, .every = true},
        &ignored);
}

enum status expression_whole(const char *text, expression_lookup *lookup, void *context, double *value)
{
    enum status status = read_and_evaluate(
        (struct evaluation){.text = text, .lookup = lookup, .context = context, .whole = true}, value);
    return status || isfinite(*value) ? status : STATUS_PARSE;
}
