// The lab in a terminal that a test plays: it answers the question about its background late, in pieces, in the middle
// of what is typed, or never. No key is lost, and no part of an answer becomes one.
#include <check.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/program.h"
#include "base/text.h"
#include "ui/app.h"
#include "ui/term.h"
#include "ui/theme.h"

Suite *suite_terminal(void);

enum { SECONDS = 20 };

#define LIGHT "\033]11;rgb:ffff/ffff/dddd\033\\"
#define KIND "\033[?62;22c"
#define ESCAPE "\033"

static struct {
    char folder[64];
    int terminal;
    pid_t process;
    struct text drawn;
} lab;

static void start_lab(void)
{
    char state[96];
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    lab.process = forkpty(&lab.terminal, NULL, NULL, &size);
    ck_assert_int_ge(lab.process, 0);
    if (lab.process == 0) {
        const char *program = program_path();
        snprintf(state, sizeof state, "%s/state", lab.folder);
        static const char *const unset[] = {"NO_COLOR", "BANKSHOT_THEME", "COLORFGBG"};
        for (size_t i = 0; i < sizeof unset / sizeof *unset; i++)
            unsetenv(unset[i]);
        setenv("TERM", "xterm-256color", 1);
        setenv("LC_ALL", "C.UTF-8", 1);
        setenv("XDG_STATE_HOME", state, 1);
        execl(program, program, "lab", "--device", "sim", (char *)NULL);
        _exit(127);
    }
}

static void open_lab(void)
{
    snprintf(lab.folder, sizeof lab.folder, "/tmp/bankshot-terminal.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(lab.folder));
    start_lab();
}

static void stop_lab(void)
{
    kill(lab.process, SIGKILL);
    waitpid(lab.process, NULL, 0);
    close(lab.terminal);
    text_clear(&lab.drawn);
}

static void close_lab(void)
{
    char command[128];
    stop_lab();
    text_free(&lab.drawn);
    snprintf(command, sizeof command, "rm -rf '%s'", lab.folder);
    ck_assert_int_eq(system(command), 0);
}

static void type(const char *keys)
{
    ck_assert_int_eq(write(lab.terminal, keys, strlen(keys)), (ssize_t)strlen(keys));
}

// Whether what was drawn holds the text; control sequences and blanks are left out, since curses moves over them.
static bool has_drawn(const char *text)
{
    struct text plain = {0};
    for (const char *at = text_get(&lab.drawn); *at; at++) {
        if (*at == '\033')
            at += at[1] == '(' && at[2] ? 2 : strcspn(at, "@ABCDEFGHIJKLMPSTXZ`abcdefghilmnpqrstu=>");
        else if ((unsigned char)*at > ' ')
            text_append(&plain, at, 1);
        if (!*at)
            break;
    }
    bool found = strstr(text_get(&plain), text) != NULL;
    text_free(&plain);
    return found;
}

static bool has_colour(enum theme theme)
{
    char sequence[32];
    snprintf(sequence, sizeof sequence, "38;5;%dm", theme_style(theme, 256, ROLE_KEY).foreground);
    return strstr(text_get(&lab.drawn), sequence) != NULL;
}

static void see(const char *text)
{
    char bytes[4096];
    struct pollfd wanted = {lab.terminal, POLLIN, 0};
    while (!has_drawn(text)) {
        ck_assert_msg(poll(&wanted, 1, (int)(program_seconds(SECONDS) * 1000)) > 0, "never drew '%s' in: %.1000s", text,
                      text_get(&lab.drawn));
        ssize_t count = read(lab.terminal, bytes, sizeof bytes);
        ck_assert_int_gt(count, 0);
        text_append(&lab.drawn, bytes, (size_t)count);
    }
}

// Looks at nothing but what is drawn once all that was typed has been taken in.
static void see_anew(const char *text)
{
    type("?");
    see("Keysoflessons");
    text_clear(&lab.drawn);
    type("?\f");
    see(text);
    see("qleave");
}

static const struct {
    const char *pieces[8]; // each is sent when the one before it has been taken in
    bool light;
} typed[] = {
    {{"jjj"}, false},
    {{"jjj" LIGHT KIND}, true},
    {{"j" LIGHT "j" KIND "j"}, true},
    {{LIGHT KIND "jjj"}, true},
    {{"jjj" KIND}, false},
    {{"?" ESCAPE LIGHT KIND "jjj"}, true},
    {{"jj\033[B" LIGHT "j\033[A" KIND}, true},
    {{"jjj\033]11;rgb:ff", "ff/ffff/dd", "dd\a", KIND}, true},
    {{"jj" ESCAPE, "]11;rgb:ffff/ffff/dddd" ESCAPE, "\\" ESCAPE, "[?6", "2c", "j"}, true},
    {{"jj" LIGHT KIND ESCAPE "j"}, true},
};

// Typed before anything is drawn.
START_TEST(an_answer_among_keys_is_no_key_and_costs_none)
{
    type(typed[_i].pieces[0]);
    for (int i = 1; typed[_i].pieces[i]; i++) {
        poll(NULL, 0, 10); // a piece of its own; longer on a busy machine is no harm
        type(typed[_i].pieces[i]);
    }
    see("Bankshot");
    see_anew("▸4Padding");
    ck_assert_int_eq(has_colour(THEME_LIGHT), typed[_i].light);
    ck_assert_int_ne(has_colour(THEME_DARK), typed[_i].light);
}
END_TEST

START_TEST(the_first_picture_does_not_wait_for_the_answer)
{
    see("qleave");
    ck_assert(has_colour(THEME_DARK));
    type("jjj" LIGHT KIND);
    see_anew("▸4Padding");
    ck_assert(has_colour(THEME_LIGHT));
}
END_TEST

START_TEST(a_chosen_theme_is_kept_and_nothing_is_asked)
{
    see("qleave");
    ck_assert_ptr_nonnull(strstr(text_get(&lab.drawn), "\033]11;?"));
    type(LIGHT KIND ":theme safe\r");
    see("theme:safe");
    stop_lab();
    start_lab();
    see("qleave");
    ck_assert_ptr_null(strstr(text_get(&lab.drawn), "\033]11;?"));
    ck_assert(has_colour(THEME_SAFE));
}
END_TEST

// Terminals that say it themselves are not asked; a theme that was named counts for more.
START_TEST(a_background_that_is_told_by_a_variable_chooses_the_theme)
{
    static const struct {
        const char *colours, *theme;
        enum theme wanted;
    } told[] = {{"0;15", NULL, THEME_LIGHT},
                {"0;default;7", NULL, THEME_LIGHT},
                {"15;0", NULL, THEME_DARK},
                {"odd", NULL, THEME_DARK},
                {"0;15", "safe", THEME_SAFE}};
    struct lesson_set none = {0};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        struct app app;
        struct ui_options options = {.theme = told[i].theme};
        setenv("COLORFGBG", told[i].colours, 1);
        app_init(&app, &none, NULL, &options);
        ck_assert_msg(app.theme == told[i].wanted && app.theme_chosen, "%s", told[i].colours);
        app_free(&app);
    }
    unsetenv("COLORFGBG");
}
END_TEST

START_TEST(only_what_may_become_an_answer_is_held_back)
{
    static const struct {
        const char *text;
        enum term_answer is;
    } inputs[] = {{"\033", TERM_ANSWER_PART},
                  {"\033]", TERM_ANSWER_PART},
                  {"\033]11;rgb:12", TERM_ANSWER_PART},
                  {"\033]11;rgba:12/12/12/ff\033", TERM_ANSWER_PART},
                  {LIGHT, TERM_ANSWER_WHOLE},
                  {"\033]11;rgb:1/2/3\a", TERM_ANSWER_WHOLE},
                  {"\033[?", TERM_ANSWER_PART},
                  {"\033[?1;2", TERM_ANSWER_PART},
                  {KIND, TERM_ANSWER_WHOLE},
                  {"j", TERM_ANSWER_NONE},
                  {"\033[A", TERM_ANSWER_NONE},
                  {"\033\033", TERM_ANSWER_NONE},
                  {"\033]12;", TERM_ANSWER_NONE},
                  {"\033]11;rgb:q", TERM_ANSWER_NONE},
                  {"\033[?1;2h", TERM_ANSWER_NONE},
                  {LIGHT "j", TERM_ANSWER_NONE}};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        ck_assert_msg(term_answer(inputs[i].text) == inputs[i].is, "input %zu", i);
}
END_TEST

Suite *suite_terminal(void)
{
    Suite *suite = suite_create("terminal");
    TCase *tests = tcase_create("terminal"), *words = tcase_create("words");
    tcase_set_timeout(tests, 100);
    tcase_add_checked_fixture(tests, open_lab, close_lab);
    tcase_add_loop_test(tests, an_answer_among_keys_is_no_key_and_costs_none, 0, (int)(sizeof typed / sizeof *typed));
    tcase_add_test(tests, the_first_picture_does_not_wait_for_the_answer);
    tcase_add_test(tests, a_chosen_theme_is_kept_and_nothing_is_asked);
    tcase_add_test(tests, a_background_that_is_told_by_a_variable_chooses_the_theme);
    tcase_add_test(words, only_what_may_become_an_answer_is_held_back);
    suite_add_tcase(suite, words);
    suite_add_tcase(suite, tests);
    return suite;
}
