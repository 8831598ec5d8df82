// What compilers print, about a source that is the same bytes, and the source's own check. The first byte says where
// headers may lie; no message may carry a control character.
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "toolchain/messages.h"
#include "toolchain/toolchain.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static bool may_show_some(const void *context, const char *path)
{
    (void)context;
    return !strstr(path, "secret");
}

static void check_printable(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 && *text != '\n')
            abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct diagnostic_list list = {0};
    struct diagnostic diagnostic = {0};
    if (!size)
        return 0;
    struct text source = {0};
    text_append(&source, (const char *)data, size);
    const struct messages_names names = {.main_name = "kernel.cu",
                                         .display = "04-padding.cu",
                                         .own_folder = data[0] & 1 ? "/tmp/own" : NULL,
                                         .display_folder = data[0] & 2 ? "" : "exercises",
                                         .source = text_get(&source),
                                         .may_show = data[0] & 4 ? may_show_some : NULL};
    messages_parse(&names, text_get(&source), size, &list);
    for (size_t i = 0; i < list.count; i++) {
        check_printable(list.items[i].message);
        check_printable(list.items[i].file);
    }
    if (toolchain_check_source((const char *)data, size, "fuzz", &diagnostic) != STATUS_OK && !diagnostic.message[0])
        abort();
    diagnostic_list_free(&list);
    text_free(&source);
    return 0;
}
