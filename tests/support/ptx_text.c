#include "ptx_text.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

const char *const ptx_data_files[] = {
    "tests/ptx/data/ladder.sm_90.ptx",      "tests/ptx/data/language.O3.sm_90.ptx",
    "tests/ptx/data/language.O0.sm_75.ptx", "tests/ptx/data/library.O3.sm_80.ptx",
    "tests/ptx/data/hopper.O3.sm_90a.ptx",  "tests/ptx/data/clang14.O3.sm_80.ptx",
    "tests/ptx/data/clang19.O0.sm_90.ptx",  NULL,
};

char *ptx_read_file(const char *path)
{
    struct text text = {0};
    char block[65536];
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "cannot open %s", path);
    for (size_t length; (length = fread(block, 1, sizeof block, file)) > 0;)
        text_append(&text, block, length);
    fclose(file);
    ck_assert_ptr_nonnull(text.data);
    return text.data;
}

struct ptx_module *ptx_parse_good(const char *name, const char *text)
{
    struct ptx_module *module;
    struct diagnostic diagnostic;
    char message[1200];
    if (ptx_parse(name, text, strlen(text), &module, &diagnostic) != STATUS_OK)
        ck_abort_msg("%s", diagnostic_format(&diagnostic, message, sizeof message));
    return module;
}

struct ptx_module *ptx_parse_in_kernel(const char *body)
{
    struct text text = {0};
    text_printf(&text, ".version 8.0\n.target sm_90\n.address_size 64\n.entry k()\n{\n%s\n}\n", body);
    struct ptx_module *module = ptx_parse_good("test.ptx", text_get(&text));
    text_free(&text);
    return module;
}
