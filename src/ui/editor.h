// Opens $VISUAL, else $EDITOR, else what the system has, at a line of a file.
#ifndef BANKSHOT_UI_EDITOR_H
#define BANKSHOT_UI_EDITOR_H

#include <sys/types.h>

#include "base/diagnostic.h"

// Starts it with the terminal as its own; *process is to be waited for. ENVIRONMENT when there is none.
enum status editor_start(const char *path, int line, pid_t *process, struct diagnostic *diagnostic);
// The words that open `path` at `line` in that editor, after its own: at most 2, NULL-terminated.
void editor_arguments(const char *editor, const char *path, int line, char place[], size_t size, const char *words[3]);

#endif
