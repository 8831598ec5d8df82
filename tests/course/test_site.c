// The pages of a class: nothing of a student's becomes markup, and everybody can read them. What the pages are is
// looked at as text here, tag by tag; headless Chromium opens them where it is installed.
#include <check.h>
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/fake_lab.h"
#include "../support/skip.h"
#include "base/file.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/process.h"
#include "course/site.h"
#include "model/replay_log.h"

Suite *suite_site(void);

static char root[64], pages[80];

#define DONE(call)                                                                                                     \
    do {                                                                                                               \
        struct diagnostic diagnostic = {0};                                                                            \
        ck_assert_msg((call) == STATUS_OK, "%s", diagnostic.message);                                                  \
    } while (0)

// ---- a class

static const char evil[] =
    "</code></li></ol><script>alert(1)</script>\"><img src=x onerror=alert(2)>]]>--><!--&#60;\r\n"
    "\x01\x07\x1b]0;title\x07\x7f \xff\xfe\xc3( \xe2\x80\xae </style></title></svg>' onload='x\n";

static const char *const names[] = {"Ada Lovelace",
                                    "<script>alert(document.title)</script>",
                                    "\"><img src=x onerror=alert(1)>",
                                    "]]></title><style>*{display:none}</style>",
                                    "control \x01\x1b[2J\x7f",
                                    "not \xff\xfe utf8",
                                    "Zoë Ångström",
                                    "' onmouseover='alert(1)",
                                    "&lt;b&gt;",
                                    "=1+1"};
enum { NAMES = sizeof names / sizeof *names, STUDENTS = 26 };

static const char *name_of(int student)
{
    static char text[32];
    snprintf(text, sizeof text, "student %02d", student);
    return student < NAMES ? names[student] : text;
}

// A report as the lab makes them, with a recording; each kind of verdict in turn.
static struct grade_report *report_of(struct fake_lab *lab, int student)
{
    static const enum fake_state states[] = {FAKE_PADDED, FAKE_STARTER, FAKE_RACE, FAKE_BROKEN, FAKE_GPU};
    fake_lab_set(lab, student < 5 ? states[student] : student % 2 ? FAKE_STARTER : FAKE_PADDED);
    struct grade_report *report = app_lesson(&lab->app)->report;
    if (student >= 5 && student % 2) // the starter fails; others with its counts end in all other ways
        report->verdict = (enum verdict)(1 + student / 2 % (VERDICT_COUNT - 1));
    if (student == 7 || student == 12) {
        snprintf(report->next, sizeof report->next, "%.500s", evil);
        snprintf(report->diagnosis, sizeof report->diagnosis, "%.60s", evil);
        struct diagnostic message = {.severity = SEVERITY_ERROR, .line = 1};
        snprintf(message.message, sizeof message.message, "%.700s", evil);
        diagnostic_add(&report->messages, &message);
    }
    return report;
}

static struct gradebook *make_class(void)
{
    struct gradebook *book;
    struct gradebook_run run = {.seed = 7, .compiler = "clang 14.0", .device = "sim"};
    struct fake_lab lab;
    DONE(gradebook_open(NULL, GRADEBOOK_KEEP, &book, &diagnostic));
    DONE(gradebook_add_run(book, &run, &diagnostic));
    fake_lab_open(&lab, 80, 24, false, false);
    for (int i = 0; i < STUDENTS; i++) {
        char source[4096];
        int64_t grading;
        struct grade_report *report = report_of(&lab, i);
        int length = snprintf(source, sizeof source, "// %d\n%.3000s\n", i, i < 4 ? report->source : evil);
        source[length - 2] = '\0'; // a zero byte may stand anywhere
        struct gradebook_hand_in entry = {.student = name_of(i),
                                          .lesson = "04-padding",
                                          .state = i < STUDENTS - 3 ? GRADEBOOK_FILE
                                                                    : (enum gradebook_state)(i - STUDENTS + 4),
                                          .path = evil,
                                          .bytes = source,
                                          .length = (size_t)length,
                                          .time = (int64_t)1795348800 * 1000000000,
                                          .lesson_print = 1};
        if (i == STUDENTS - 3)
            entry.state = GRADEBOOK_MISSING;
        DONE(gradebook_enter(book, &run, &entry, &grading, &diagnostic));
        if (grading && i != STUDENTS - 4) // one is not graded yet
            DONE(gradebook_grade(book, grading, report, &diagnostic));
    }
    fake_lab_close(&lab);
    return book;
}

static uint32_t no_line(const void *context, uint32_t pc)
{
    (void)context, (void)pc;
    return 0;
}

// Two warps, one after another in what they do.
static bool fake_timeline(void *context, const struct lesson *lesson, const struct grade_report *report,
                          const char *source, struct replay_log *log, struct diagnostic *why)
{
    (void)context, (void)lesson, (void)source;
    if (report->verdict == VERDICT_TIMEOUT) {
        diagnostic_set(why, STATUS_TIMEOUT, "too <long>");
        return false;
    }
    static const double busy[REPLAY_LOADS] = {10, 20, 5, 5, 40};
    replay_log_begin(log);
    for (uint32_t warp = 0; warp < 2; warp++) {
        uint32_t row = replay_log_row(log, 0, warp);
        for (int state = 0; state < REPLAY_STATES; state++)
            replay_log_span(log, row, 10 * state, 10 * state + 10, (enum replay_state)state, 0);
    }
    replay_log_load(log, 110, busy);
    replay_log_end(log, no_line, NULL);
    snprintf(log->gpu, sizeof log->gpu, "H200 <b>");
    return true;
}

static void write_site(const char *pseudonyms)
{
    struct fake_lab lab;
    struct site_options options = {.title = "CUDA & <banks>", .pseudonyms = pseudonyms, .replay = fake_timeline};
    struct gradebook *book = make_class();
    fake_lab_open(&lab, 80, 24, false, false);
    struct arena *arena = arena_new();
    struct gradebook_attempt *attempts;
    struct course course;
    size_t count, mark_count;
    DONE(gradebook_attempts(book, arena, &attempts, &count, &diagnostic));
    DONE(course_of(book, arena, &course, &diagnostic));
    struct course_mark *marks = course_marks(&course, attempts, count, arena, &mark_count);
    DONE(site_write(book, &lab.set, marks, mark_count, pages, &options, &diagnostic));
    arena_free(arena);
    fake_lab_close(&lab);
    gradebook_close(book);
}

static void make_pages(void)
{
    snprintf(root, sizeof root, "/tmp/bankshot-site-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    snprintf(pages, sizeof pages, "%s/site", root);
    write_site(NULL);
}

static void remove_pages(void)
{
    file_remove_tree(root);
}

static char *page_of(const char *name)
{
    char path[512], *text;
    size_t length;
    snprintf(path, sizeof path, "%s/%s", pages, name);
    DONE(file_read(path, 16 << 20, &text, &length, &diagnostic));
    ck_assert_msg(strlen(text) == length, "%s: a zero byte", name);
    return text;
}

// The page of this student's hand-in; free() it. name: of its file.
static char *page_for(int student, char name[32])
{
    struct text title = {0}, heading = {0};
    text_escape_name(&title, name_of(student));
    text_puts(&heading, "<h1>");
    text_escape_markup(&heading, text_get(&title));
    text_free(&title);
    for (int i = 1;; i++) { // ends: page_of fails where there is none
        snprintf(name, 32, "hand-in-%04d.html", i);
        char *page = page_of(name);
        if (strstr(page, text_get(&heading))) {
            text_free(&heading);
            return page;
        }
        free(page);
    }
}

// Calls look for every page; returns how many there are.
static int each_page(void (*look)(const char *name, const char *text))
{
    int count = 0;
    DIR *stream = opendir(pages);
    ck_assert_ptr_nonnull(stream);
    for (struct dirent *entry; (entry = file_next_entry(stream));) {
        if (entry->d_name[0] == '.')
            continue;
        count++;
        char *text = page_of(entry->d_name);
        look(entry->d_name, text);
        free(text);
    }
    closedir(stream);
    return count;
}

// ---- markup, tag by tag

struct tag {
    char name[32];
    const char *start, *end; // of what stands between < and >
    bool closes, is_empty;
};

static const char *next_tag(const char *at, struct tag *tag)
{
    at = strchr(at, '<');
    if (!at)
        return NULL;
    const char *name = at + 1 + (at[1] == '/');
    *tag = (struct tag){.start = at + 1, .closes = at[1] == '/'};
    size_t length = strcspn(name, " />\n");
    snprintf(tag->name, sizeof tag->name, "%.*s", (int)length, name);
    bool quoted = false;
    for (at++; *at && (quoted || *at != '>'); at++) {
        ck_assert_msg(!quoted || *at != '<', "'<' in an attribute: %.60s", at);
        quoted = quoted != (*at == '"');
    }
    ck_assert_msg(*at == '>', "a tag does not end: %.60s", tag->start);
    tag->end = at;
    tag->is_empty = at[-1] == '/' || tag->name[0] == '!';
    return at + 1;
}

static bool attribute(const struct tag *tag, const char *name, char *value, size_t size)
{
    char key[40];
    snprintf(key, sizeof key, " %s=\"", name);
    const char *at = strstr(tag->start, key);
    *value = '\0';
    if (!at || at > tag->end)
        return false;
    at += strlen(key);
    snprintf(value, size, "%.*s", (int)strcspn(at, "\""), at);
    return true;
}

static void check_no_markup_of_others(const char *name, const char *text)
{
    static const char *const ours[] = {"!DOCTYPE", "html",   "head",    "meta",   "title",  "style", "body",
                                       "a",        "header", "nav",     "ul",     "li",     "main",  "h1",
                                       "h2",       "h3",     "p",       "strong", "code",   "div",   "table",
                                       "caption",  "thead",  "tbody",   "tr",     "th",     "td",    "ol",
                                       "span",     "figure", "svg",     "desc",   "rect",   "text",  "figcaption",
                                       "details",  "path",   "summary", "pre",    "footer", "br"};
    struct text safe = {0};
    struct tag tag;
    int styles = 0;
    for (const char *at = text; (at = next_tag(at, &tag));) {
        bool known = false;
        for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
            known |= strcmp(tag.name, ours[i]) == 0;
        ck_assert_msg(known, "%s: <%s", name, tag.name);
        styles += strcmp(tag.name, "style") == 0 && !tag.closes;
        char value[16];
        for (const char *on = tag.start; on < tag.end; on++) // handlers of events
            ck_assert_msg(strncmp(on, " on", 3) != 0 || !strchr(on, '=') || strchr(on, '=') > tag.end ||
                              attribute(&tag, "class", value, sizeof value) || attribute(&tag, "aria-label", value, 16),
                          "%s: %.80s", name, tag.start);
    }
    ck_assert_int_eq(styles, 1);
    ck_assert_msg(strstr(text, "Content-Security-Policy") && strstr(text, "default-src 'none'"), "%s", name);
    text_escape(&safe, text, strlen(text), true); // nothing to escape is left: UTF-8, no control characters
    ck_assert_msg(strcmp(text_get(&safe), text) == 0, "%s", name);
    text_free(&safe);
}

START_TEST(nothing_of_a_students_becomes_markup)
{
    ck_assert_int_eq(each_page(check_no_markup_of_others), STUDENTS - 4 + 1 + 2);
    char *index = page_of("index.html");
    ck_assert_ptr_nonnull(strstr(index, "&lt;script&gt;alert(document.title)&lt;/script&gt;"));
    ck_assert_ptr_nonnull(strstr(index, "control \\x01\\x1b[2J\\x7f"));
    ck_assert_ptr_nonnull(strstr(index, "not \\xff\\xfe utf8"));
    ck_assert_ptr_nonnull(strstr(index, "Zoë Ångström"));
    free(index);
}
END_TEST

static void check_structure(const char *name, const char *text)
{
    char open[64][32], value[256];
    int depth = 0, level = 0, headings = 0, mains = 0;
    struct map ids = map_of(char);
    struct tag tag;
    bool fresh;
    for (const char *at = text; (at = next_tag(at, &tag));) {
        if (tag.closes) {
            ck_assert_msg(depth > 0 && strcmp(open[--depth], tag.name) == 0, "%s: </%s> closes <%s>", name, tag.name,
                          open[depth]);
            continue;
        }
        if (!tag.is_empty) {
            ck_assert_int_lt(depth, 64);
            memcpy(open[depth++], tag.name, sizeof open[0]);
        }
        if (attribute(&tag, "id", value, sizeof value)) {
            map_add_bytes(&ids, value, strlen(value), &fresh);
            ck_assert_msg(fresh, "%s: two of id %s", name, value);
        }
        if (strcmp(tag.name, "html") == 0)
            ck_assert(attribute(&tag, "lang", value, sizeof value));
        if (tag.name[0] == 'h' && isdigit((unsigned char)tag.name[1])) {
            ck_assert_msg(tag.name[1] - '0' <= level + 1, "%s: <%s> after level %d", name, tag.name, level);
            level = tag.name[1] - '0';
            headings += level == 1;
        }
        mains += strcmp(tag.name, "main") == 0;
        if (strcmp(tag.name, "th") == 0)
            ck_assert_msg(attribute(&tag, "scope", value, sizeof value), "%s: %.60s", name, tag.start);
        if (strcmp(tag.name, "svg") == 0)
            ck_assert_msg(attribute(&tag, "aria-labelledby", value, sizeof value), "%s: %.60s", name, tag.start);
        if (attribute(&tag, "tabindex", value, sizeof value))
            ck_assert_msg(attribute(&tag, "aria-label", value, sizeof value) ||
                              attribute(&tag, "aria-labelledby", value, sizeof value),
                          "%s: %.60s", name, tag.start);
    }
    ck_assert_msg(depth == 0 && headings == 1 && mains == 1, "%s: %d open, %d h1, %d main", name, depth, headings,
                  mains);
    for (const char *at = text; (at = next_tag(at, &tag));) { // what is named is there, and what links lead to
        if (attribute(&tag, "aria-labelledby", value, sizeof value))
            for (char *word, *rest = value; (word = strtok_r(rest, " ", &rest));)
                ck_assert_msg(map_find_bytes(&ids, word, strlen(word)), "%s: no id %s", name, word);
        if (attribute(&tag, "href", value, sizeof value) && value[0] == '#')
            ck_assert_msg(map_find_bytes(&ids, value + 1, strlen(value + 1)), "%s: no id %s", name, value);
        else if (attribute(&tag, "href", value, sizeof value)) {
            char path[512];
            snprintf(path, sizeof path, "%s/%s", pages, value);
            ck_assert_msg(file_exists(path), "%s: links to %s", name, value);
        }
    }
    map_free(&ids);
}

START_TEST(pages_are_whole_named_and_in_order)
{
    each_page(check_structure);
}
END_TEST

START_TEST(a_page_shows_verdict_gates_source_and_pictures)
{
    char name[32], *page = page_for(1, name); // the starter: 32-way conflicts
    static const char *const shown[] = {"✗ fail",
                                        "no-padding",
                                        "Gates",
                                        "Points",
                                        "<h2>The costliest access</h2>",
                                        "class=\"w5\"",
                                        "<h2>Timeline</h2>",
                                        "waits for DRAM",
                                        "id=\"L3\"",
                                        "of them conflicts",
                                        "class=\"note\">no-padding",
                                        "Attempt 1 of 1"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        ck_assert_msg(strstr(page, shown[i]), "no '%s'", shown[i]);
    free(page);
    page = page_for(9, name);
    ck_assert_ptr_nonnull(strstr(page, "<p>There is none: too &lt;long&gt;</p>"));
    free(page);
    page = page_for(2, name); // a race, told at its line
    ck_assert_ptr_nonnull(strstr(page, "class=\"note\">race: "));
    free(page);
}
END_TEST

START_TEST(the_index_has_every_verdict_and_the_board_only_who_passed)
{
    char *index = page_of("index.html"), *board = page_of("leaderboard.html");
    for (int i = 0; i < VERDICT_COUNT; i++)
        ck_assert_msg(strstr(index, verdict_name((enum verdict)i)), "%s", verdict_name((enum verdict)i));
    ck_assert_ptr_nonnull(strstr(index, "not graded"));
    ck_assert_ptr_nonnull(strstr(index, ">missing<"));
    ck_assert_ptr_nonnull(strstr(index, ">link<"));
    ck_assert_ptr_nonnull(strstr(board, "Ada Lovelace"));
    ck_assert_ptr_null(strstr(board, "alert(document.title)")); // the starter's
    ck_assert_ptr_nonnull(strstr(board, "measured ("));
    ck_assert_ptr_nonnull(strstr(board, "modelled ("));
    free(index), free(board);
}
END_TEST

// Nothing of a class before stays beside pages that name nobody, and nothing that is not ours goes.
START_TEST(pages_of_another_class_are_removed_and_nothing_else)
{
    static const char *const ours[] = {"hand-in-0999.html", "hand-in-12345.html"};
    static const char *const others[] = {"hand-in-999.html", "hand-in-0998.html", "hand-in-0999.html.bak",
                                         "notes.html"};
    char *page = page_of("hand-in-0001.html"), path[128];
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", pages, ours[i]);
        DONE(file_write(path, page, strlen(page), &diagnostic));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *text = i == 1 ? "<!DOCTYPE html>\n<p>mine</p>\n" : page;
        snprintf(path, sizeof path, "%s/%s", pages, others[i]);
        DONE(file_write(path, text, strlen(text), &diagnostic));
    }
    write_site("a word");
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", pages, ours[i]);
        ck_assert_msg(!file_exists(path), "%s", ours[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(path, sizeof path, "%s/%s", pages, others[i]);
        ck_assert_msg(file_exists(path), "%s", others[i]);
    }
    free(page);
    page = page_of("hand-in-0001.html");
    free(page);
}
END_TEST

START_TEST(with_pseudonyms_the_board_names_and_links_nobody)
{
    write_site("a secret");
    char *first = page_of("leaderboard.html");
    for (int i = 0; i < STUDENTS; i++) {
        struct text name = {0};
        text_escape_markup(&name, name_of(i));
        ck_assert_msg(i == 9 || !strstr(first, text_get(&name)), "%s", text_get(&name));
        text_free(&name);
    }
    ck_assert_ptr_null(strstr(first, "hand-in-"));
    ck_assert_ptr_null(strstr(first, "index.html"));
    ck_assert_ptr_nonnull(strstr(first, "Player "));
    write_site("a secret");
    char *again = page_of("leaderboard.html");
    write_site("another");
    char *other = page_of("leaderboard.html");
    ck_assert_str_eq(first, again);
    ck_assert_str_ne(first, other);
    free(first), free(again), free(other);
}
END_TEST

// ---- contrast (WCAG 2.1, 1.4.3: 4.5 to 1)

static double luminance(const char *style, const char *name)
{
    char key[32];
    unsigned colour;
    snprintf(key, sizeof key, "--%s:#", name);
    const char *at = strstr(style, key);
    ck_assert_msg(at, "%s", key);
    at += strlen(key);
    size_t digits = strspn(at, "0123456789abcdef");
    ck_assert_int_eq(sscanf(at, "%x", &colour), 1);
    double sum = 0, weights[] = {0.2126, 0.7152, 0.0722};
    for (int i = 0; i < 3; i++) {
        unsigned part = digits == 3 ? (colour >> (8 - 4 * i) & 15) * 17 : colour >> (16 - 8 * i) & 255;
        double value = part / 255.0;
        double linear = value / 12.92;
        if (value > 0.04045) { // ((value + 0.055) / 1.055) to the power of 2.4, by 12 / 5
            double base = (value + 0.055) / 1.055, power = 1, root5 = base;
            for (int j = 0; j < 40; j++)
                root5 -= (root5 * root5 * root5 * root5 * root5 - base) / (5 * root5 * root5 * root5 * root5);
            for (int j = 0; j < 12; j++)
                power *= root5;
            linear = power;
        }
        sum += weights[i] * linear;
    }
    return sum;
}

START_TEST(text_stands_out_in_light_and_dark)
{
    static const struct {
        const char *ink, *paper;
        bool both; // else the same in light and dark
    } pairs[] = {{"ink", "paper", true}, {"dim", "paper", true}, {"link", "paper", true}, {"good", "paper", true},
                 {"bad", "paper", true}, {"ink", "soft", true},  {"dim", "soft", true},   {"on", "w0", false},
                 {"on", "w1", false},    {"on", "w2", false},    {"on", "w3", false},     {"on", "w4", false},
                 {"on", "w5", false}};
    char *page = page_of("index.html");
    const char *dark = strstr(page, "prefers-color-scheme:dark");
    ck_assert_ptr_nonnull(dark);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int is_dark = 0; is_dark <= pairs[i].both; is_dark++) {
            double a = luminance(is_dark ? dark : page, pairs[i].ink),
                   b = luminance(is_dark ? dark : page, pairs[i].paper);
            double contrast = a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
            ck_assert_msg(contrast >= 4.5, "%s on %s, %s: %.2f", pairs[i].ink, pairs[i].paper,
                          is_dark ? "dark" : "light", contrast);
        }
    free(page);
}
END_TEST

// ---- a browser

static void browse(const char *program, const char *name)
{
    char url[256], data[128];
    snprintf(url, sizeof url, "file://%s/%s", pages, name);
    snprintf(data, sizeof data, "--user-data-dir=%s/browser", root);
    const char *const argv[] = {program,
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--no-first-run",
                                "--disable-dev-shm-usage",
                                "--enable-logging=stderr",
                                data,
                                "--dump-dom",
                                url,
                                NULL};
    struct process_result result = {0};
    struct diagnostic diagnostic = {0};
    struct process_options request = {.argv = argv, .limits = {.wall_seconds = 100, .output_bytes = 16 << 20}};
    ck_assert_msg(process_run(&request, &result, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    const char *out = text_get(&result.out), *err = text_get(&result.err);
    if (result.end == PROCESS_TIMED_OUT) {
        skip_check("chromium does not come up here");
        process_result_free(&result);
        return;
    }
    ck_assert_msg(strstr(out, "<main id=\"main\">"), "%s: %s", name, err);
    ck_assert_msg(!strstr(out, "<script") && !strstr(out, "<img"), "%s", name);
    ck_assert_msg(!strstr(err, "CONSOLE"), "%s: %s", name, strstr(err, "CONSOLE"));
    process_result_free(&result);
}

START_TEST(chromium_shows_them_without_a_complaint)
{
    char program[512];
    if (!file_find_program("chromium", program, sizeof program)) {
        skip_check("no chromium");
        return;
    }
    browse(program, "index.html");
    char name[32];
    free(page_for(7, name)); // a hostile one
    browse(program, name);
}
END_TEST

Suite *suite_site(void)
{
    Suite *suite = suite_create("site");
    TCase *tests = tcase_create("pages"), *browser = tcase_create("browser");
    tcase_add_checked_fixture(tests, make_pages, remove_pages);
    tcase_add_test(tests, nothing_of_a_students_becomes_markup);
    tcase_add_test(tests, pages_are_whole_named_and_in_order);
    tcase_add_test(tests, a_page_shows_verdict_gates_source_and_pictures);
    tcase_add_test(tests, the_index_has_every_verdict_and_the_board_only_who_passed);
    tcase_add_test(tests, pages_of_another_class_are_removed_and_nothing_else);
    tcase_add_test(tests, with_pseudonyms_the_board_names_and_links_nobody);
    tcase_add_test(tests, text_stands_out_in_light_and_dark);
    suite_add_tcase(suite, tests);
    tcase_add_checked_fixture(browser, make_pages, remove_pages);
    tcase_add_test(browser, chromium_shows_them_without_a_complaint);
    tcase_set_timeout(browser, 240);
    suite_add_tcase(suite, browser);
    return suite;
}
