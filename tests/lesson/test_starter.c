#include <check.h>

#include "lesson/lesson.h"

Suite *suite_starter(void);

static const struct {
    const char *a, *b;
    bool same;
} rows[] = {
    {"int a = 1;", "int a = 1;", true},
    {"int a = 1;", "/* mine */ int\ta=1; // done", true},
    {"int a = 1;\n", "int a = 1;", true},
    {"int a = 1;\nint b;\n", "\xef\xbb\xbfint a = 1;\r\nint b;\r\n", true},
    {"int a = 1;", "int a \\\n= 1;", true},
    {"int a = 1;", "int a \\ \r\n= 1;", true},
    {"int alpha;", "int al\\\npha;", true},
    {"int a; // x", "int a; // y \\\n continued", true},
    {"int a;", "", false},
    {"", "// nothing", true},
    {"int a = 1;", "int a = 2;", false},
    {"int a;", "int b;", false},
    {"inta;", "int a;", false},
    {"a = b + +c;", "a = b ++c;", false},
    {"a = b + ++c;", "a=b+ ++c;", true},
    {"a = b+++c;", "a = b++ + c;", true},
    {"a = b+++c;", "a = b + ++c;", false},
    {"x = 1e+5;", "x = 1e +5;", false},
    {"x = 1'000;", "x = 1'000 ;", true},
    {"x = .5f;", "x = . 5f;", false},
    {"p(\"a b\");", "p(\"a  b\");", false},
    {"p(\"// no comment\");", "p(\"// no remark\");", false},
    {"p(\"\\\"/*\"); x(\"*/\");", "p(\"\\\"/*\"); y(\"*/\");", false},
    {"c = '\"'; /* \" */", "c = '\"';", true},
    {"R\"(a // b)\"", "R\"(a // c)\"", false},
    {"p(R\"x(a)\" // )x\")", "p(R\"x(a)\" // )x\" )", true},
    {"#define A 1\nint a = A;", "#define A 1 /* one */\n\n\nint a = A;", true},
    {"#define A\n(x)", "#define A (x)", false},
    {"#define A 1 \\\n + 2\n", "#define A 1 + 2\n", true},
    {"#if 1\nx\n#endif\n", "  # if 1\nx\n#endif", true},
    {"/* never closed", "", true},
    {"\"never closed", "\"never closed", true},
    {"a /**/ b", "a b", true},
    {"a/**/b", "ab", false},
    {"\\", "\\", true},
    {"int a; // x\rint b;", "int a;\nint b;", true},
    {"int a; // x\\\v\nint b;", "int a;", true},
    {"#define A 1 /*\n*/ + 2\n", "#define A 1 + 2\n", true},
    {"p(R\"x(a)\\\nx\" /* )x\"); /* */", "p(R\"x(a)\\\nx\" /* )x\");", true},
    {"p(aR\"x(b\" /*)x\"*/);", "p(aR\"x(b\");", true},
    {"R\"never closed", "R\"never closed", false},
};

START_TEST(only_what_a_compiler_sees_tells_sources_apart)
{
    ck_assert_msg(lesson_same_tokens(rows[_i].a, rows[_i].b) == rows[_i].same, "'%s' and '%s'", rows[_i].a, rows[_i].b);
    ck_assert_msg(lesson_same_tokens(rows[_i].b, rows[_i].a) == rows[_i].same, "'%s' and '%s'", rows[_i].b, rows[_i].a);
}
END_TEST

Suite *suite_starter(void)
{
    Suite *suite = suite_create("starter");
    TCase *tests = tcase_create("starter");
    tcase_add_loop_test(tests, only_what_a_compiler_sees_tells_sources_apart, 0, sizeof rows / sizeof *rows);
    suite_add_tcase(suite, tests);
    return suite;
}
