// Expressions of lesson.cfg: parse, check, evaluate with values of every kind.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lesson/expression.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static enum status look_up(void *context, const struct expression_reference *reference, double *value,
                           struct diagnostic *diagnostic)
{
    static const double values[] = {0, 1, -1, 0.5, 1e300, 32, -0.0, NAN};
    (void)context;
    size_t sum = strlen(reference->name) + reference->argument_count;
    for (size_t i = 0; i < reference->argument_count; i++) {
        const struct expression_argument *argument = &reference->arguments[i];
        sum += (argument->label ? strlen(argument->label) : 0) + (argument->text ? strlen(argument->text) : 0);
    }
    if (reference->name[0] == 'z')
        return diagnostic_set(diagnostic, STATUS_PARSE, "unknown");
    *value = values[sum % (sizeof values / sizeof *values)];
    return STATUS_OK;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct diagnostic diagnostic = {0};
    double value;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (expression_value(text, look_up, NULL, &value, &diagnostic) != STATUS_OK && !diagnostic.message[0])
        abort();
    expression_check(text, look_up, NULL, &diagnostic);
    free(text);
    return 0;
}
