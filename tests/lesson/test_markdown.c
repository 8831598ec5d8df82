#include <check.h>
#include <string.h>

#include "lesson/markdown.h"

Suite *suite_markdown(void);

static const struct {
    const char *markdown;
    int width;
    const char *plain;
} pages[] = {
    {"# Title\n\nSome *text*.\n", 40, "Title\n=====\n\nSome text.\n"},
    {"one two three four", 10, "one two\nthree four\n"},
    {"abcdefghijklmno", 10, "abcdefghij\nklmno\n"},
    {"a **bold**ness b", 10, "a boldness\nb\n"},
    {"hard  \nbreak", 40, "hard\nbreak\n"},
    {"- one two three\n- four\n", 10, "* one two\n  three\n* four\n"},
    {"3. three\n4. four\n", 40, "3. three\n4. four\n"},
    {"- a\n  - b\n", 40, "* a\n  * b\n"},
    {"- a\n\n  more\n", 40, "* a\n\n  more\n"},
    {"> quoted words here", 12, "| quoted\n| words here\n"},
    {"```c\nint x;\n\tint y;\n```\n", 40, "  int x;\n      int y;\n"},
    {"```\nint abcdefghij;\n```\n", 10, "  int abcdefghij;\n"},
    {"| a | bb |\n|---|---:|\n| long words | 1 |\n| x | |\n", 12,
     "a         bb\n--------  --\nlong       1\nwords\nx\n"},
    {"| a | b |\n|---|---|\n| longest-word | many words here |\n", 17,
     "a        b\n-------  --------\nlongest  many\n-word    words\n         here\n"},
    {"| a | b | c |\n|---|---|---|\n| 123456 | 123456 | 123456789 |\n", 10,
     "a       b       c\n------  ------  ------\n123456  123456  123456\n                789\n"},
    {"| a | bb |\n|---|---:|\n| long | 1 |\n", 40, "a     bb\n----  --\nlong   1\n"},
    {"a\n\n---\n\nb", 10, "a\n\n----------\n\nb\n"},
    {"x &lt; y &#65; &#x42; &unknown;", 40, "x < y A B &unknown;\n"},
    {"<b>raw</b> text", 40, "<b>raw</b> text\n"},
    {"esc \x1b[31m end", 40, "esc \\x1b[31m end\n"},
    {"&#27;[31m", 40, "\\x1b[31m\n"},
    {"`code \x9b`", 40, "code \\x9b\n"},
    {"\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97", 10,
     "\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\n\xe5\xad\x97\n"},
    {"", 10, ""},
    {"1) `a`\n   ```\n   code\n   ```\n", 20, "1. a\n\n    code\n"},
};

START_TEST(prints)
{
    struct markdown *page = markdown_parse(pages[_i].markdown, strlen(pages[_i].markdown));
    struct text text = {0};
    markdown_print(page, pages[_i].width, true, &text);
    ck_assert_str_eq(text_get(&text), pages[_i].plain);
    text_free(&text);
    markdown_free(page);
}
END_TEST

static const char mixed[] =
    "# A title that is rather long\n\nText with `code_that_is_long`, **strong *both* words** and "
    "[a link](lesson.md) \xe2\x80\x94 end.\n\n- item\n  1. inner item with words\n\n> quote\n> - x\n\n"
    "| head | other |\n|:--:|--|\n| `a` | b c d e f g h i j k |\n\n    indented code\n";

START_TEST(no_line_is_wider_than_asked)
{
    struct markdown *page = markdown_parse(mixed, strlen(mixed));
    int width = _i + 10;
    for (int ascii = 0; ascii < 2; ascii++) {
        struct page lines;
        page_init(&lines, width + 2, ascii);
        markdown_put(page, 0, page->count, 5, 1, &lines);
        for (size_t i = 0; i < lines.count; i++) {
            enum markdown_kind kind = page->blocks[lines.lines[i].tag - 5].kind;
            bool is_wide = (int)lines.lines[i].count > width + 1;
            ck_assert(!is_wide || kind == MARKDOWN_CODE || kind == MARKDOWN_TABLE);
        }
        page_free(&lines);
    }
    markdown_free(page);
}
END_TEST

START_TEST(words_of_tables_stay_whole_where_there_is_room)
{
    static const char table[] = "| kernel | what it waits for |\n| --- | --- |\n"
                                "| 128x128, register-tiled | asynchronous copies, and then `__syncthreads` |\n";
    struct markdown *page = markdown_parse(table, strlen(table));
    int needs = markdown_needs(page);
    ck_assert_int_eq(needs, 14 + 2 + 13); // register-tiled, asynchronous
    for (int width = needs; width < 60; width++) {
        struct text out = {0};
        struct page lines;
        page_init(&lines, width + 2, false);
        markdown_put(page, 0, page->count, 1, 1, &lines);
        page_print(&lines, &out);
        ck_assert_msg(strstr(text_get(&out), "register-tiled") && strstr(text_get(&out), "asynchronous") &&
                          strstr(text_get(&out), "__syncthreads"),
                      "%d columns:\n%s", width, text_get(&out));
        text_free(&out);
        page_free(&lines);
    }
    markdown_free(page);
}
END_TEST

START_TEST(tells_styles_and_targets)
{
    struct markdown *page = markdown_parse(mixed, strlen(mixed));
    ck_assert_int_eq(page->blocks[0].kind, MARKDOWN_HEADING);
    ck_assert_int_eq(page->blocks[0].level, 1);
    const struct markdown_spans *spans = &page->blocks[1].spans;
    unsigned seen = 0;
    const char *target = NULL;
    for (size_t i = 0; i < spans->count; i++) {
        seen |= spans->items[i].style;
        if (strcmp(spans->items[i].text, "both") == 0)
            ck_assert_uint_eq(spans->items[i].style, MARKDOWN_STRONG | MARKDOWN_EMPHASIS);
        if (spans->items[i].style & MARKDOWN_LINK)
            target = spans->items[i].target;
    }
    ck_assert_uint_eq(seen, MARKDOWN_STRONG | MARKDOWN_EMPHASIS | MARKDOWN_MONO | MARKDOWN_LINK);
    ck_assert_str_eq(target, "lesson.md");
    markdown_free(page);
}
END_TEST

START_TEST(counts_words_but_not_code)
{
    static const char text[] = "# One two\n\nthree **four**five\n\n```\nsix seven\n```\n\n| eight |\n|---|\n| nine |\n";
    struct markdown *page = markdown_parse(text, strlen(text));
    ck_assert_uint_eq(markdown_words(page), 6);
    markdown_free(page);
}
END_TEST

START_TEST(survives_any_bytes)
{
    char bytes[600];
    unsigned state = (unsigned)_i * 2654435761u + 1;
    static const char alphabet[] = "#*_`[]()|-> \n\t!<&;1.\\~=+a\xff\x80\0\x1b";
    for (size_t i = 0; i < sizeof bytes; i++) {
        state = state * 1664525u + 1013904223u;
        bytes[i] = alphabet[(state >> 24) % (sizeof alphabet - 1)];
    }
    struct markdown *page = markdown_parse(bytes, sizeof bytes);
    struct text text = {0};
    markdown_print(page, 10 + _i % 70, _i % 2, &text);
    ck_assert_ptr_null(memchr(text_get(&text), '\x1b', text.length));
    text_free(&text);
    markdown_free(page);
}
END_TEST

Suite *suite_markdown(void)
{
    Suite *suite = suite_create("markdown");
    TCase *tests = tcase_create("markdown");
    tcase_add_loop_test(tests, prints, 0, sizeof pages / sizeof *pages);
    tcase_add_loop_test(tests, no_line_is_wider_than_asked, 0, 60);
    tcase_add_test(tests, words_of_tables_stay_whole_where_there_is_room);
    tcase_add_test(tests, tells_styles_and_targets);
    tcase_add_test(tests, counts_words_but_not_code);
    tcase_add_loop_test(tests, survives_any_bytes, 0, 200);
    suite_add_tcase(suite, tests);
    return suite;
}
