// The few files that the screen touches itself: pages and sources read whole.
#ifndef BANKSHOT_UI_FILES_H
#define BANKSHOT_UI_FILES_H

#include <stdint.h>

#include "base/diagnostic.h"
#include "base/text.h"

// At most the first MiB of a regular file. NUL bytes are kept in the text and shown as \x00.
enum status files_read(const char *path, struct text *content, struct diagnostic *diagnostic);
uint64_t files_hash(const char *bytes, size_t length);

#endif
