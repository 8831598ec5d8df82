// Pattern files as `banks --file` takes them.
#include <stdlib.h>

#include "model/patterns.h"
#include "record/heatmap.h"

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
        struct bank_access access = pattern_banks(pattern);
        patterns_evaluate(pattern);
        if (pattern->op->global)
            heatmap_sectors(access.bytes, access.mask, access.addresses, 4, &picture);
        else
            heatmap_banks(&access, 8, &picture);
        text_free(&picture);
    }
    pattern_list_free(&list);
    return 0;
}
