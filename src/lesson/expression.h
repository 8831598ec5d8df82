// Expressions of lesson.cfg: shapes, launch sizes, gates, diagnoses, quiz answers. All values are doubles; truth is 1
// or 0.
//
//   or         = and { "||" and }
//   and        = comparison { "&&" comparison }
//   comparison = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
//   sum        = product { ("+" | "-") product }
//   product    = unary { ("*" | "/" | "%") unary }
//   unary      = ("-" | "!") unary | primary
//   primary    = number | "(" or ")" | name | call                     a number may have C's suffixes: 32u
//   call       = name "(" [ argument { "," argument } ] ")" [ "." name ]
//   argument   = or | string | name ":" name | name number          "odd"   marker:read   lane 7
//
// ceil, floor, min, max, abs, log2 are built in. Every other name or call is looked up by the caller. Division by zero
// gives NaN, and a comparison with NaN is false, so that a ratio over nothing never satisfies a gate.
#ifndef BANKSHOT_LESSON_EXPRESSION_H
#define BANKSHOT_LESSON_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diagnostic.h"

enum { EXPRESSION_MAX_ARGUMENTS = 4, EXPRESSION_MAX_LENGTH = 2000 };

struct expression_argument {
    const char *label; // "marker", "lane"; NULL for a plain value or string
    const char *text;  // "read", "odd"; NULL for a number
    double number;
};

// What a name or call outside the built-in functions asks for.
struct expression_reference {
    const char *name;
    const char *field; // after the dot; NULL = none
    bool is_call;
    struct expression_argument arguments[EXPRESSION_MAX_ARGUMENTS];
    size_t argument_count;
    int column; // from 1
};

// Returns the value, or fills the diagnostic (its column is filled by the evaluator) and returns a status. The
// reference and its strings last as long as the call.
typedef enum status expression_lookup(void *context, const struct expression_reference *reference, double *value,
                                      struct diagnostic *diagnostic);

// PARSE with the column (diagnostic->column) and what was expected, before anything is looked up; else the first
// status of a lookup. *value is then not to be used.
enum status expression_value(const char *text, expression_lookup *lookup, void *context, double *value,
                             struct diagnostic *diagnostic);
// The same, but lookup is called for every reference, even in branches that evaluation would skip. That is how a loader
// finds unknown names.
enum status expression_check(const char *text, expression_lookup *lookup, void *context, struct diagnostic *diagnostic);
// The same of an expression of C: a quotient of whole numbers is a whole number. PARSE: also a division by zero.
enum status expression_whole(const char *text, expression_lookup *lookup, void *context, double *value);

#endif
