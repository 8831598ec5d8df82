// Pages of lessons: parse, lay out narrow and wide, print.
#include <stdlib.h>

#include "lesson/markdown.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static const int widths[] = {10, 79};
    struct markdown *page = markdown_parse((const char *)data, size);
    markdown_words(page);
    for (int i = 0; i < 2; i++) {
        struct text text = {0};
        struct markdown_lines *lines = markdown_layout(page, widths[i], i == 0);
        for (size_t line = 0; line < lines->count; line++) {
            int columns = 0;
            for (size_t segment = 0; segment < lines->items[line].count; segment++)
                columns += markdown_columns(lines->items[line].segments[segment].text);
            if (columns > widths[i])
                abort();
        }
        markdown_lines_free(lines);
        markdown_print(page, widths[i], i == 1, &text);
        text_free(&text);
    }
    markdown_free(page);
    return 0;
}
