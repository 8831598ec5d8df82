// Filling, keeping and printing diagnostics.
#include "base/diagnostic.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

const char *status_name(enum status status)
{
    static const char *const names[] = {
        [STATUS_OK] = "ok",
        [STATUS_USAGE] = "usage",
        [STATUS_IO] = "input or output error",
        [STATUS_PARSE] = "parse error",
        [STATUS_COMPILE] = "compile error",
        [STATUS_UNSUPPORTED] = "unsupported",
        [STATUS_LAUNCH] = "launch error",
        [STATUS_FAULT] = "fault",
        [STATUS_TIMEOUT] = "timeout",
        [STATUS_CRASH] = "crash",
        [STATUS_CANCELLED] = "cancelled",
        [STATUS_ENVIRONMENT] = "infrastructure error",
        [STATUS_INTERNAL] = "internal error",
    };
    return (size_t)status < sizeof names / sizeof *names && names[status] ? names[status] : "unknown";
}

bool status_is_machines(enum status status)
{
    return status == STATUS_IO || status == STATUS_ENVIRONMENT || status == STATUS_INTERNAL;
}

static void fill_diagnostic(struct diagnostic *diagnostic, enum status code, const char *file, int line, int column,
                            const char *format, va_list args)
{
    if (!diagnostic)
        return;
    *diagnostic = (struct diagnostic){.code = code, .severity = SEVERITY_ERROR, .line = line, .column = column};
    if (file)
        snprintf(diagnostic->file, sizeof diagnostic->file, "%s", file);
    vsnprintf(diagnostic->message, sizeof diagnostic->message, format, args);
}

enum status diagnostic_set(struct diagnostic *diagnostic, enum status code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill_diagnostic(diagnostic, code, NULL, 0, 0, format, args);
    va_end(args);
    return code;
}

enum status diagnostic_at(struct diagnostic *diagnostic, enum status code, const char *file, int line, int column,
                          const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill_diagnostic(diagnostic, code, file, line, column, format, args);
    va_end(args);
    return code;
}

struct diagnostic *diagnostic_add(struct diagnostic_list *list, const struct diagnostic *diagnostic)
{
    mem_reserve(&list->items, &list->capacity, list->count);
    list->items[list->count] = *diagnostic;
    return &list->items[list->count++];
}

void diagnostic_list_free(struct diagnostic_list *list)
{
    free(list->items);
    *list = (struct diagnostic_list){0};
}

const char *severity_name(enum severity severity)
{
    static const char *const names[] = {"note", "warning", "error"};
    return names[severity];
}

char *diagnostic_place(const struct diagnostic *diagnostic, char *text, size_t size)
{
    int used = snprintf(text, size, "%s", diagnostic->file);
    if (used > 0 && diagnostic->line)
        used += snprintf(text + used, size - (size_t)used, ":%d", diagnostic->line);
    if (used > 0 && diagnostic->line && diagnostic->column)
        snprintf(text + used, size - (size_t)used, ":%d", diagnostic->column);
    return text;
}

char *diagnostic_format(const struct diagnostic *diagnostic, char *text, size_t size)
{
    char place[320];
    diagnostic_place(diagnostic, place, sizeof place);
    snprintf(text, size, "%s%s%s: %s", place, *place ? ": " : "", severity_name(diagnostic->severity),
             diagnostic->message);
    return text;
}
