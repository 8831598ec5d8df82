// docs/curriculum.md: the lessons' words, the questions, the topics and the counters that it names are there.
#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "lesson/lesson.h"
#include "lesson/topics.h"
#include "record/counters.h"

Suite *suite_curriculum(void);

static struct lesson_set set;
static struct topics topics;

// One blank between words, without the marks of quotes, stress and code.
static void add_plain(struct text *out, const char *text)
{
    for (; *text; text++) {
        bool is_mark = strchr("*`>", *text), is_blank = *text == ' ' || *text == '\n';
        if (!is_mark && !(is_blank && (!out->length || out->data[out->length - 1] == ' ')))
            text_append(out, is_blank ? " " : text, 1);
    }
}

static void add_file(struct text *out, const char *path)
{
    char *bytes;
    size_t length;
    struct diagnostic diagnostic;
    ck_assert_int_eq(file_read(path, 1 << 20, &bytes, &length, &diagnostic), STATUS_OK);
    add_plain(out, bytes);
    free(bytes);
}

// text begins behind "lesson ": N: "the page's words"
static void check_words(const char *text)
{
    char number[8] = "", words[200] = "";
    ck_assert_msg(sscanf(text, "%7[0-9]: \"%199[^\"]\"", number, words) == 2, "lesson %s: no words", text);
    const struct lesson *lesson = lesson_set_find(&set, number);
    ck_assert_msg(lesson, "there is no lesson %s", number);
    struct text page = {0}, plain = {0};
    add_file(&page, lesson->page);
    if (lesson->why)
        add_file(&page, lesson->why);
    add_plain(&plain, words);
    ck_assert_msg(strstr(text_get(&page), text_get(&plain)), "lesson %s does not say \"%s\"", number, words);
    text_free(&page);
    text_free(&plain);
}

// What stands between backticks: "question N.K", "why NAME", or a counter.
static void check_name(const char *name)
{
    char number[8] = "";
    size_t which = 0;
    uint64_t value;
    struct counters counters = {0};
    if (text_starts(name, "why ")) {
        ck_assert_msg(topics_find(&topics, name + 4), "there is no topic '%s'", name + 4);
    } else if (sscanf(name, "question %7[0-9].%zu", number, &which) == 2) {
        const struct lesson *lesson = lesson_set_find(&set, number);
        ck_assert_msg(lesson && which >= 1 && which <= lesson->question_count, "there is no %s", name);
    } else {
        ck_assert_msg(counters_get(&counters, name, &value), "'%s' is no question, topic or counter", name);
    }
}

static size_t check_names(char *cell)
{
    size_t count = 0;
    for (char *open = cell, *close; (open = strchr(open, '`')) && (close = strchr(open + 1, '`')); open = close + 1) {
        *close = '\0';
        check_name(open + 1);
        *close = '`';
        count++;
    }
    return count;
}

START_TEST(every_fact_is_taught_and_shown)
{
    char *page, *at;
    size_t length, rows = 0;
    struct diagnostic diagnostic = {0};
    ck_assert_int_eq(lesson_set_open(&set, &diagnostic), STATUS_OK);
    ck_assert_int_eq(topics_open(&topics, &diagnostic), STATUS_OK);
    ck_assert_int_eq(file_read("docs/curriculum.md", 1 << 20, &page, &length, &diagnostic), STATUS_OK);
    at = page;
    for (char *line; (line = strsep(&at, "\n"));) {
        if (*line != '|' || text_starts(line, "| fact ") || text_starts(line, "| --- "))
            continue;
        char *cells[3] = {NULL};
        strsep(&line, "|");
        for (int i = 0; i < 3; i++)
            ck_assert_ptr_nonnull(cells[i] = strsep(&line, "|"));
        size_t taught = check_names(cells[1]);
        for (const char *word = cells[1]; (word = strstr(word, "lesson ")); word++, taught++)
            check_words(word + strlen("lesson "));
        ck_assert_msg(taught > 0, "taught nowhere:%s", cells[0]);
        ck_assert_msg(check_names(cells[2]) > 0, "shown by nothing:%s", cells[0]);
        rows++;
    }
    ck_assert_uint_ge(rows, 20);
    free(page);
    topics_close(&topics);
    lesson_set_close(&set);
}
END_TEST

// What a lesson's last page names for the way on is there: variants/NAME.cu and `bankshot why NAME`.
static void check_named(const struct lesson *lesson, const char *text)
{
    static const char variant[] = "`variants/", why[] = "bankshot why ";
    for (const char *at = text; (at = strstr(at, variant)); at++) {
        char path[PATH_MAX], name[64] = "";
        ck_assert(sscanf(at, "`variants/%63[^`]`", name) == 1);
        snprintf(path, sizeof path, "%s/variants/%s", lesson->directory, name);
        ck_assert_msg(file_exists(path), "lesson %d has no variants/%s", lesson->number, name);
    }
    for (const char *at = text; (at = strstr(at, why)); at++) {
        char name[64] = "";
        ck_assert(sscanf(at + strlen(why), "%63[a-z0-9-]", name) == 1);
        ck_assert_msg(topics_find(&topics, name), "lesson %d: there is no topic '%s'", lesson->number, name);
    }
}

START_TEST(what_the_way_on_names_is_there)
{
    struct diagnostic diagnostic = {0};
    ck_assert_int_eq(lesson_set_open(&set, &diagnostic), STATUS_OK);
    ck_assert_int_eq(topics_open(&topics, &diagnostic), STATUS_OK);
    for (size_t i = 0; i < set.count; i++) {
        char *text;
        size_t length;
        if (!set.items[i]->why)
            continue;
        ck_assert_int_eq(file_read(set.items[i]->why, 1 << 20, &text, &length, &diagnostic), STATUS_OK);
        check_named(set.items[i], text);
        free(text);
    }
    topics_close(&topics);
    lesson_set_close(&set);
}
END_TEST

static int columns(const char *line)
{
    int count = 0;
    for (; *line; line++)
        count += (*line & 0xc0) != 0x80; // a character's first byte
    return count;
}

// The text has 78 columns on a small screen, and what is drawn is not wrapped. A line of code that is wider is broken.
START_TEST(what_is_drawn_fits_a_small_screen)
{
    enum { WIDEST = 76 };
    struct diagnostic diagnostic = {0};
    ck_assert_int_eq(lesson_set_open(&set, &diagnostic), STATUS_OK);
    for (size_t i = 0; i < set.count; i++) {
        char *text;
        size_t length;
        bool is_drawn = false;
        ck_assert_int_eq(file_read(set.items[i]->page, 1 << 20, &text, &length, &diagnostic), STATUS_OK);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
            bool is_fence = strncmp(line, "```", 3) == 0;
            is_drawn ^= is_fence;
            ck_assert_msg(is_fence || !is_drawn || columns(line) <= WIDEST, "lesson %d: wider than %d columns: %s",
                          set.items[i]->number, WIDEST, line);
        }
        free(text);
    }
    lesson_set_close(&set);
}
END_TEST

Suite *suite_curriculum(void)
{
    Suite *suite = suite_create("curriculum");
    TCase *page = tcase_create("page");
    tcase_add_test(page, every_fact_is_taught_and_shown);
    tcase_add_test(page, what_the_way_on_names_is_there);
    tcase_add_test(page, what_is_drawn_fits_a_small_screen);
    suite_add_tcase(suite, page);
    return suite;
}
