#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ptx/ptx.h"
#include "../support/documents.h"
#include "../support/ptx_text.h"

Suite *suite_ptx_coverage(void);

START_TEST(the_page_is_what_the_tables_say)
{
    struct text page = {0};
    char *kept = ptx_read_file("docs/ptx-coverage.md");
    documents_ptx_coverage(&page);
    ck_assert_msg(!strcmp(text_get(&page), kept), "docs/ptx-coverage.md is stale: run make docs");
    text_free(&page);
    free(kept);
}
END_TEST

START_TEST(every_opcode_is_on_the_page)
{
    struct text page = {0}, row = {0};
    documents_ptx_coverage(&page);
    for (unsigned i = 1; i < PTX_OP_COUNT; i++) {
        text_clear(&row);
        text_printf(&row, "\n| `%s` | ", ptx_opcode_name((enum ptx_opcode)i));
        ck_assert_msg(strstr(text_get(&page), text_get(&row)) != NULL, "%s", text_get(&row));
    }
    text_free(&page);
    text_free(&row);
}
END_TEST

START_TEST(names_out_of_range_are_empty)
{
    ck_assert_str_eq(ptx_opcode_name(PTX_OP_COUNT), "");
    ck_assert_str_eq(ptx_opcode_summary(PTX_OP_COUNT), "");
    ck_assert_int_eq(ptx_opcode_group(PTX_OP_COUNT), PTX_GROUP_MISC);
    ck_assert_str_eq(ptx_type_name(PTX_F16X2), "f16x2");
    ck_assert_str_eq(ptx_type_name(PTX_TYPE_COUNT), "");
    ck_assert_uint_eq(ptx_type_size(PTX_B128), 16);
    ck_assert_uint_eq(ptx_type_size(PTX_PRED), 0);
    ck_assert_uint_eq(ptx_type_size(PTX_TYPE_COUNT), 0);
    ck_assert_str_eq(ptx_modifier_name((enum ptx_modifier)1000), "");
    ck_assert_str_eq(ptx_special_name(PTX_SPECIAL_COUNT), "");
}
END_TEST

Suite *suite_ptx_coverage(void)
{
    Suite *suite = suite_create("ptx_coverage");
    TCase *page = tcase_create("page");
    tcase_add_test(page, the_page_is_what_the_tables_say);
    tcase_add_test(page, every_opcode_is_on_the_page);
    tcase_add_test(page, names_out_of_range_are_empty);
    suite_add_tcase(suite, page);
    return suite;
}
