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
        struct page lines;
        page_init(&lines, widths[i], i == 0);
        markdown_put(page, 0, page->count, 0, 0, &lines);
        for (size_t line = 0; line < lines.count; line++) {
            enum markdown_kind kind = page->blocks[lines.lines[line].tag].kind;
            if (lines.lines[line].count > (size_t)widths[i] && kind != MARKDOWN_CODE && kind != MARKDOWN_TABLE)
                abort();
        }
        page_free(&lines);
        markdown_print(page, widths[i], i == 1, &text);
        text_free(&text);
    }
    markdown_free(page);
    return 0;
}
