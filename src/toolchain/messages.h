// Compiler messages become diagnostics: clang and gcc ("file:12:3: error: …"), nvcc's front end ("file(12): error: …"
// with a caret line), ptxas and the drivers ("ptxas fatal   : …", "nvcc error   : …", "clang: error: …").
#ifndef BANKSHOT_TOOLCHAIN_MESSAGES_H
#define BANKSHOT_TOOLCHAIN_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diagnostic.h"

struct messages_names {
    const char *main_name;      // the fixed name the compiler saw
    const char *display;        // how the user names that file
    const char *own_folder;     // folder whose headers the source may include, as the compiler saw it; NULL = none
    const char *display_folder; // how the user names it, "" for the working folder
    const char *source;         // the source text, terminated: a caret counts only if its line is unchanged
    // May text about this header be shown? A foreign file that was read (without Landlock) must not leak through errors
    // that quote it. NULL = all may.
    bool (*may_show)(const void *context, const char *path);
    // The folder that holds this header, which the compiler was not given; NULL: there is none. NULL: nobody looks.
    const char *(*find_header)(const void *context, const char *name, char *folder, size_t size);
    const void *context;
};

// Adds what text says to list, escaped, bounded by TOOLCHAIN_DIAGNOSTICS_MAX and one line that counts the rest.
// Errors of ptxas have no file, and the line of the PTX that it was given.
// Errors in headers that are not the user's are placed at the #include in their file; such warnings are dropped.
void messages_parse(const struct messages_names *names, const char *text, size_t length, struct diagnostic_list *list);

// name as the compiler wrote it → as the user knows it, into text. Returns text.
char *messages_map_name(const struct messages_names *names, const char *name, size_t length, char *text, size_t size);

#endif
