// Whether a hand-in is still the starter: the same tokens, whatever became of comments, blanks, line ends and lines
// continued with a backslash.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "lesson/lesson.h"
#include "toolchain/plain.h"

enum { MOST_BYTES = 1 << 20 };

bool lesson_same_tokens(const char *a, const char *b)
{
    struct text texts[2] = {{0}};
    struct source_token left = {0}, right = {0};
    bool good = source_make_plain(&texts[0], a, strlen(a)) && source_make_plain(&texts[1], b, strlen(b));
    struct source_scanner scanners[] = {source_scan(text_get(&texts[0])), source_scan(text_get(&texts[1]))};
    while (good) {
        left = source_next_token(&scanners[0]);
        right = source_next_token(&scanners[1]);
        if (!left.length || left.length != right.length || memcmp(left.start, right.start, left.length) != 0)
            break;
    }
    text_free(&texts[0]);
    text_free(&texts[1]);
    return good && !left.length && !right.length;
}

enum status lesson_is_starter(const struct lesson *lesson, const char *source, bool *is_starter,
                              struct diagnostic *diagnostic)
{
    char *starter;
    size_t length;
    *is_starter = false;
    enum status status = file_read(lesson->starter, MOST_BYTES, &starter, &length, diagnostic);
    if (status != STATUS_OK)
        return status;
    *is_starter = lesson_same_tokens(source, starter);
    free(starter);
    return STATUS_OK;
}
