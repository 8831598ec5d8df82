// Text: a growing buffer, and escaping of what came from learners.
#ifndef BANKSHOT_BASE_TEXT_H
#define BANKSHOT_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// A growing, always terminated string. Start from {0}; text_free releases.
struct text {
    char *data;
    size_t length, capacity;
};

// What does not fit into memory ends the process (memory.h).
void text_append(struct text *text, const char *bytes, size_t length);
void text_puts(struct text *text, const char *string);
void text_printf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_clear(struct text *text); // empty; its memory stays
void text_free(struct text *text);
const char *text_get(const struct text *text); // never NULL

// Appends bytes with every control character (C0 but '\n' and '\t' when keep_lines, DEL, C1), every byte that is not
// valid UTF-8, and bidirectional overrides written as \xNN or \u{NNNN}, so that no terminal acts on them.
void text_escape(struct text *text, const char *bytes, size_t length, bool keep_lines);

// Names of files and folders, where only printable text can go: the same characters and bytes as \xNN, a backslash
// doubled, so that no two names look alike and text_unescape_name gives the name back.
void text_escape_name(struct text *text, const char *name);
void text_unescape_name(struct text *name, const char *text);

// For XML and HTML: escaped as for a terminal, and what would be markup becomes an entity.
void text_escape_markup(struct text *out, const char *text);

// For functions of printf's kind: the arguments behind `format`, as it says, into an array of characters.
#define TEXT_FORMAT(array, format)                                                                                     \
    do {                                                                                                               \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        vsnprintf(array, sizeof(array), format, arguments);                                                            \
        va_end(arguments);                                                                                             \
    } while (0)

const char *text_file_name(const char *path); // what stands behind its last '/'
bool text_starts(const char *string, const char *prefix);
bool text_ends(const char *string, const char *suffix);
// Is it one of the list's words, which blanks part?
bool text_lists(const char *list, const char *word, size_t length);

#endif
