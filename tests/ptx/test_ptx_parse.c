#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "../support/ptx_text.h"

Suite *suite_ptx_parse(void);

static struct ptx_module *parse_file(const char *path)
{
    char *text = ptx_read_file(path);
    struct ptx_module *module = ptx_parse_good(path, text);
    free(text);
    return module;
}

START_TEST(ladder_of_nvcc_parses)
{
    struct ptx_module *module = parse_file("tests/ptx/data/ladder.sm_90.ptx");
    const struct ptx_function *entry;
    ck_assert_uint_eq(module->sm, 90);
    ck_assert_uint_eq(module->function_count, 40);
    ck_assert_int_eq(ptx_find_entry(module, "_Z7tr_tileILi1ELi32EEvPfPKfi", &entry, NULL), STATUS_OK);
    ck_assert_uint_eq(entry->param_count, 3);
    ck_assert_uint_eq(entry->params[2].offset, 16);
    ck_assert_uint_eq(entry->block_count, 1);
    struct arena *arena = arena_new();
    struct ptx_shared_layout layout = ptx_shared_layout(entry, arena);
    ck_assert_uint_eq(layout.count, 1);
    ck_assert_uint_eq(layout.static_size, 32 * 33 * 4);
    arena_free(arena);
    ptx_module_free(module);
}
END_TEST

START_TEST(entries_are_found_as_written_in_the_source)
{
    static const struct {
        const char *name, *mangled;
    } cases[] = {
        {"tr_tile<1, 32>", "_Z7tr_tileILi1ELi32EEvPfPKfi"},
        {"tr_tile<1,32>", "_Z7tr_tileILi1ELi32EEvPfPKfi"},
        {"tr_tile<1, 32>(float*, float const*, int)", "_Z7tr_tileILi1ELi32EEvPfPKfi"},
        {"mm_reg<64, 64, 16, 4, 4, 1>", "_Z6mm_regILi64ELi64ELi16ELi4ELi4ELi1EEvPKfS1_Pfi"},
        {"mm_naive", "_Z8mm_naivePKfS0_Pfi"},
        {"mm_double", "_Z9mm_doubleILi32EEvPKfS1_Pfi"},
        {"_Z8tr_naivePfPKfi", "_Z8tr_naivePfPKfi"},
    };
    struct ptx_module *module = parse_file("tests/ptx/data/ladder.sm_90.ptx");
    const struct ptx_function *entry;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(ptx_find_entry(module, cases[i].name, &entry, NULL), STATUS_OK);
        ck_assert_str_eq(entry->name, cases[i].mangled);
    }
    struct diagnostic diagnostic;
    ck_assert_int_eq(ptx_find_entry(module, "tr_tile", &entry, &diagnostic), STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(diagnostic.message, "'tr_tile' means more than one kernel: rename the others, or say "
                                                     "all of its name; there are: copy_f32, copy_f4"));
    ck_assert_int_eq(ptx_find_entry(module, "nope", &entry, &diagnostic), STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(diagnostic.message, "there is no kernel 'nope'; there are: copy_f32"));
    ck_assert_int_eq(ptx_find_entry(module, NULL, &entry, &diagnostic), STATUS_USAGE);
    ck_assert_ptr_null(entry);
    ptx_module_free(module);
}
END_TEST

Suite *suite_ptx_parse(void)
{
    Suite *suite = suite_create("ptx_parse");
    TCase *files = tcase_create("files");
    tcase_add_test(files, ladder_of_nvcc_parses);
    tcase_add_test(files, entries_are_found_as_written_in_the_source);
    suite_add_tcase(suite, files);
    return suite;
}
