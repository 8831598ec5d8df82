// What functions return, and what a person reads.
//
// A function that can fail returns `enum status` and fills one `struct diagnostic`, which the caller owns. A message
// says what happened and what to try next, in one or two sentences, without a trailing newline. Text that came from
// a learner or a compiler is escaped (text_escape) before it is put into a message.
#ifndef BANKSHOT_BASE_DIAGNOSTIC_H
#define BANKSHOT_BASE_DIAGNOSTIC_H

#include <stdbool.h>
#include <stddef.h>

enum status {
    STATUS_OK = 0,
    STATUS_USAGE,          // the caller's words are off (an option, a size, an argument spec)
    STATUS_IO,             // a file or pipe could not be read or written
    STATUS_PARSE,          // text that is not what it should be (PTX, lesson, progress)
    STATUS_COMPILE,        // the compiler refused the learner's source
    STATUS_UNSUPPORTED,    // valid, but this device cannot run it (an unknown opcode, wgmma)
    STATUS_LAUNCH,         // the launch shape or its arguments are refused, as the driver would
    STATUS_FAULT,          // the kernel did what hardware stops: out of bounds, misaligned, trap, assert, deadlock
    STATUS_TIMEOUT,        // instruction budget or wall limit
    STATUS_CRASH,          // a worker died
    STATUS_CANCELLED,
    STATUS_ENVIRONMENT,    // missing compiler, no GPU, no permission: never the learner's fault
    STATUS_INTERNAL        // a broken promise of ours
};

enum severity { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };

struct diagnostic {
    enum status code;
    enum severity severity;
    int line, column;      // from 1; 0 = none
    char file[256];        // "" = none; as a user would name it
    char message[768];
};

struct diagnostic_list {
    struct diagnostic *items;
    size_t count, capacity;
};

bool status_is_machines(enum status status);   // IO, ENVIRONMENT, INTERNAL: neither the learner's fault nor the lesson's
const char *status_name(enum status status);   // "ok", "usage", "compile error" …
const char *severity_name(enum severity severity);

// Fills *diagnostic (which may be NULL) as an error without a place, and returns code.
enum status diagnostic_set(struct diagnostic *diagnostic, enum status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same with a place. file may be NULL.
enum status diagnostic_at(struct diagnostic *diagnostic, enum status code, const char *file, int line, int column,
                          const char *format, ...) __attribute__((format(printf, 6, 7)));

struct diagnostic *diagnostic_add(struct diagnostic_list *list, const struct diagnostic *diagnostic);
void diagnostic_list_free(struct diagnostic_list *list);

// "file:line:column", as much of it as is known, into text (always terminated). Returns text.
char *diagnostic_place(const struct diagnostic *diagnostic, char *text, size_t size);
// "file:line:column: error: message", the same.
char *diagnostic_format(const struct diagnostic *diagnostic, char *text, size_t size);

#endif
