#include <check.h>
#include <string.h>

#include "base/text.h"

Suite *suite_text(void);

static const struct {
    const char *bytes, *escaped;
} cases[] = {
    {"plain", "plain"},
    {"a\x1b[31mb", "a\\x1b[31mb"},
    {"\xc2\x9b"
     "31m",
     "\\u{009b}31m"},
    {"caf\xc3\xa9", "caf\xc3\xa9"},
    {"\xff\xfe", "\\xff\\xfe"},
    {"\xe2\x80\xae"
     "evil",
     "\\u{202e}evil"},
    {"\xc0\xaf", "\\xc0\\xaf"},
    {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
    {"line\n", "line\\x0a"},
    {"bell\a", "bell\\x07"},
};

START_TEST(escapes_everything_a_terminal_would_act_on)
{
    struct text text = {0};
    text_escape(&text, cases[_i].bytes, strlen(cases[_i].bytes), false);
    ck_assert_str_eq(text_get(&text), cases[_i].escaped);
    text_free(&text);
}
END_TEST

START_TEST(keeps_lines_when_asked)
{
    struct text text = {0};
    text_escape(&text, "a\n\tb\r", 5, true);
    ck_assert_str_eq(text_get(&text), "a\n\tb\\x0d");
    text_free(&text);
}
END_TEST

static const struct {
    const char *name, *text;
} names[] = {
    {"ada", "ada"},
    {"M\xc3\xbcller", "M\xc3\xbcller"},
    {"M\xfcller", "M\\xfcller"},
    {"M\\xfcller", "M\\\\xfcller"},
    {"a\nb\tc\x1b[31m", "a\\x0ab\\x09c\\x1b[31m"},
    {"\xe2\x80\xae"
     "cod",
     "\\xe2\\x80\\xaecod"},
    {"\\", "\\\\"},
    {"\\\\x41", "\\\\\\\\x41"},
    {"\xc3", "\\xc3"},
    {"", ""},
};

// Whatever the bytes are, the document stays one.
START_TEST(markup_and_bytes_that_xml_does_not_know_are_escaped)
{
    struct text text = {0};
    text_escape_markup(&text, "<a b=\"c\">&\x1b\xff\xef\xbf\xbf\n\xc3\xbc");
    ck_assert_str_eq(text_get(&text), "&lt;a b=&quot;c&quot;&gt;&amp;\\x1b\\xff\\u{ffff}\n\xc3\xbc");
    text_free(&text);
}
END_TEST

START_TEST(a_name_comes_back_from_its_printed_form)
{
    struct text text = {0}, back = {0};
    text_escape_name(&text, names[_i].name);
    ck_assert_str_eq(text_get(&text), names[_i].text);
    text_unescape_name(&back, text_get(&text));
    ck_assert_str_eq(text_get(&back), names[_i].name);
    text_free(&text);
    text_free(&back);
}
END_TEST

START_TEST(prints_more_than_the_small_buffer)
{
    struct text text = {0};
    text_printf(&text, "%0500d", 7);
    ck_assert_uint_eq(text.length, 500);
    ck_assert_int_eq(text.data[499], '7');
    text_free(&text);
}
END_TEST

Suite *suite_text(void)
{
    Suite *suite = suite_create("text");
    TCase *tests = tcase_create("text");
    tcase_add_loop_test(tests, escapes_everything_a_terminal_would_act_on, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tests, keeps_lines_when_asked);
    tcase_add_test(tests, markup_and_bytes_that_xml_does_not_know_are_escaped);
    tcase_add_loop_test(tests, a_name_comes_back_from_its_printed_form, 0, sizeof names / sizeof *names);
    tcase_add_test(tests, prints_more_than_the_small_buffer);
    suite_add_tcase(suite, tests);
    return suite;
}
