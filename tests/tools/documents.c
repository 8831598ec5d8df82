// documents NAME: prints one of the pages that `make docs` writes from the program's tables.
#include <stdio.h>
#include <string.h>

#include "../support/documents.h"

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*write)(struct text *page);
    } pages[] = {
        {"ptx-coverage", documents_ptx_coverage}, {"names", documents_names}, {"questions", documents_questions}};
    struct text page = {0};
    for (size_t i = 0; argc == 2 && i < sizeof pages / sizeof *pages; i++)
        if (strcmp(pages[i].name, argv[1]) == 0)
            pages[i].write(&page);
    fputs(text_get(&page), stdout);
    int status = page.length == 0;
    text_free(&page);
    return status;
}
