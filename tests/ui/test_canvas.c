#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "ui/canvas.h"
#include "ui/term.h"
#include "ui/pane.h"
#include "ui/source.h"

Suite *suite_canvas(void);

START_TEST(wide_characters_take_two_columns)
{
    struct canvas canvas;
    canvas_init(&canvas, 10, 1);
    ck_assert_int_eq(canvas_text(&canvas, 0, 0, 10, ROLE_TEXT,
                                 "a\xe4\xb8\xad"
                                 "b"),
                     4);
    ck_assert_uint_eq(canvas_at(&canvas, 1, 0)->glyph, 0x4e2d);
    ck_assert_uint_eq(canvas_at(&canvas, 2, 0)->glyph, 0);
    ck_assert_uint_eq(canvas_at(&canvas, 3, 0)->glyph, 'b');
    // half of a wide character is never drawn
    ck_assert_int_eq(canvas_text(&canvas, 0, 0, 2, ROLE_TEXT, "a\xe4\xb8\xad"), 1);
    canvas_free(&canvas);
}
END_TEST

START_TEST(ascii_replaces_and_keeps_meaning)
{
    struct canvas canvas;
    canvas_init(&canvas, 40, 1);
    canvas.ascii = true;
    ck_assert_int_eq(canvas_text(&canvas, 0, 0, 40, ROLE_TEXT, "8 × 4 ≤ 32 → ok …"), 21);
    char got[41] = "";
    for (int i = 0; i < 21; i++)
        got[i] = (char)canvas_at(&canvas, i, 0)->glyph;
    ck_assert_str_eq(got, "8 x 4 <= 32 -> ok ...");
    canvas_free(&canvas);
}
END_TEST

START_TEST(nothing_is_drawn_outside_the_clip)
{
    struct canvas canvas;
    canvas_init(&canvas, 10, 3);
    struct rect before = canvas_clip(&canvas, (struct rect){2, 1, 3, 1});
    canvas_text(&canvas, -5, 1, 40, ROLE_TEXT, "abcdefghijklmnopqrstuvw");
    canvas_text(&canvas, 0, 2, 40, ROLE_TEXT, "no");
    canvas_fill(&canvas, (struct rect){-9, -9, 99, 10}, ROLE_BAR);
    canvas_unclip(&canvas, before);
    ck_assert_uint_eq(canvas_at(&canvas, 1, 1)->glyph, ' ');
    ck_assert_uint_eq(canvas_at(&canvas, 2, 1)->glyph, 'h');
    ck_assert_uint_eq(canvas_at(&canvas, 4, 1)->glyph, 'j');
    ck_assert_uint_eq(canvas_at(&canvas, 5, 1)->glyph, ' ');
    ck_assert_uint_eq(canvas_at(&canvas, 0, 2)->glyph, ' ');
    ck_assert_ptr_null(canvas_at(&canvas, 10, 0));
    canvas_free(&canvas);
}
END_TEST

START_TEST(words_wrap_and_long_ones_are_cut)
{
    struct page page;
    page_init(&page, 12, false);
    page_start(&page, 7);
    page_words(&page, 2, ROLE_TEXT, "one two three abcdefghijklmnopqrstuvwxyz end");
    for (size_t i = 0; i < page.count; i++) {
        ck_assert_uint_le(page.lines[i].count, 12);
        ck_assert_int_eq(page.lines[i].tag, 7);
    }
    ck_assert_int_ge((int)page.count, 4);
    ck_assert_int_eq(page_find(&page, "three", 0, 1), 1);
    ck_assert_int_eq(page_find(&page, "END", 0, 1), -1);
    page_free(&page);
}
END_TEST

START_TEST(source_is_numbered_marked_and_coloured)
{
    struct source_note two[] = {{.line = 2, .mark = MARK_FREE}, {.line = 2, .mark = MARK_CONFLICT}};
    const struct source_notes notes = {two, 2, 2};
    struct page page;
    page_init(&page, 80, false);
    source_page(&page, "/* a\n b */ int x = 0x1f; // c\n\t\"s\\\"t\" __shared__\n", &notes);
    ck_assert_uint_eq(page.count, 3);
    ck_assert_uint_eq(page.lines[1].cells[5].glyph, 0x25c6);
    ck_assert_int_eq(page.lines[0].cells[7].role, ROLE_COMMENT);
    ck_assert_int_eq(page.lines[1].cells[8].role, ROLE_COMMENT);
    ck_assert_int_eq(page.lines[1].cells[13].role, ROLE_KEYWORD);
    ck_assert_int_eq(page.lines[1].cells[21].role, ROLE_NUMBER);
    ck_assert_int_eq(page.lines[2].cells[11].role, ROLE_STRING);
    ck_assert_int_eq(page.lines[2].cells[16].role, ROLE_STRING);
    ck_assert_int_eq(page.lines[2].cells[18].role, ROLE_KEYWORD);
    page_free(&page);
}
END_TEST

START_TEST(every_role_can_be_told_apart_where_it_matters)
{
    for (int theme = 0; theme < THEME_COUNT; theme++)
        for (int heat = ROLE_HEAT1; heat < ROLE_HEAT6; heat++) {
            static const int depths[] = {256, 16, 8};
            for (int i = 0; i < 3; i++)
                ck_assert_int_ne(theme_style((enum theme)theme, depths[i], (enum role)heat).foreground,
                                 theme_style((enum theme)theme, depths[i], (enum role)(heat + 1)).foreground);
        }
    for (int role = 0; role < ROLE_COUNT; role++)
        ck_assert_int_eq(theme_style(THEME_DARK, 0, (enum role)role).foreground, -1);
    ck_assert_int_eq(theme_find("safe"), THEME_SAFE);
    ck_assert_int_eq(theme_find("?"), THEME_COUNT);
}
END_TEST

START_TEST(long_lines_of_output_stay_whole)
{
    struct page page;
    struct text printed = {0}, out = {0};
    for (int i = 0; i < 3000; i++)
        text_puts(&printed, "½");
    text_puts(&printed, "\n\nend");
    for (int ascii = 0; ascii < 2; ascii++) {
        page_init(&page, 80, ascii);
        page_lines(&page, ROLE_TEXT, text_get(&printed));
        ck_assert_uint_eq(page.count, 3);
        ck_assert_uint_eq(page.lines[0].count, ascii ? 9000 : 3000);
        page_print(&page, &out);
        page_free(&page);
    }
    ck_assert(text_starts(text_get(&out), text_get(&printed)));
    ck_assert(text_ends(text_get(&out), "1/2\n\nend\n"));
    text_free(&printed);
    text_free(&out);
}
END_TEST

START_TEST(a_terminal_says_how_light_its_background_is)
{
    ck_assert_double_eq(term_lightness("\033]11;rgb:0000/0000/0000\033\\\033[?62c"), 0);
    ck_assert_double_gt(term_lightness("\033]11;rgb:ffff/ffff/dddd\a\033[?1;2c"), 0.9);
    ck_assert_double_gt(term_lightness("\033]11;rgb:ff/ff/ff\a"), 0.99);
    ck_assert_double_lt(term_lightness("\033]11;rgb:2e2e/3434/3636\a"), 0.5);
    static const char *const others[] = {
        "", "\033[?62c", "\033]11;rgb:", "\033]11;rgb:12/34", "\033]11;rgb:12345/1/1", "\033]11;rgb:12;34;56"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_double_eq(term_lightness(others[i]), -1);
}
END_TEST

Suite *suite_canvas(void)
{
    Suite *suite = suite_create("canvas");
    TCase *tests = tcase_create("canvas");
    tcase_add_test(tests, a_terminal_says_how_light_its_background_is);
    tcase_add_test(tests, wide_characters_take_two_columns);
    tcase_add_test(tests, ascii_replaces_and_keeps_meaning);
    tcase_add_test(tests, nothing_is_drawn_outside_the_clip);
    tcase_add_test(tests, words_wrap_and_long_ones_are_cut);
    tcase_add_test(tests, source_is_numbered_marked_and_coloured);
    tcase_add_test(tests, long_lines_of_output_stay_whole);
    tcase_add_test(tests, every_role_can_be_told_apart_where_it_matters);
    suite_add_tcase(suite, tests);
    return suite;
}
