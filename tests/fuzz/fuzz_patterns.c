// Pattern files as `banks --file` takes them.
#include <stdlib.h>

#include "model/heatmap.h"
#include "model/patterns.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct pattern_list list = {0};
    struct diagnostic diagnostic = {0};
    if (patterns_parse("fuzz", (const char *)data, size, &list, &diagnostic) != STATUS_OK && !diagnostic.message[0])
        abort();
    for (size_t i = 0; i < list.count; i++) {
        const struct pattern *pattern = &list.items[i];
        struct text picture = {0};
        struct heatmap_access access = {.kind = pattern->op->kind,
                                        .bytes = pattern->op->bytes,
                                        .mask = pattern->mask,
                                        .rows = pattern->op->rows,
                                        .addresses = pattern->offsets};
        patterns_evaluate(pattern);
        if (pattern->op->global)
            heatmap_sectors(&access, 4, &picture);
        else
            heatmap_banks(&access, 8, &picture);
        text_free(&picture);
    }
    pattern_list_free(&list);
    return 0;
}
