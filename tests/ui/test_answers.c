// Every question of every lesson, answered wrong twice in the real lab: each wrong answer opens a picture. After the
// first the prompt stays open and a word says where to look; after the second the picture stands beside the count.
#include <check.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/program.h"
#include "../support/skip.h"
#include "base/file.h"
#include "lesson/lesson.h"

Suite *suite_answers(void);

enum { MOST_QUESTIONS = 40 };

static glob_t lessons;
static char folder[64];

static char *read_screen(size_t question, const char *which)
{
    char path[128], *text;
    size_t length;
    struct diagnostic diagnostic;
    snprintf(path, sizeof path, "%s/%zu-%s", folder, question, which);
    ck_assert_msg(file_read(path, 1 << 20, &text, &length, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    return text;
}

static void expect(const char *screen, const char *text, bool is_there)
{
    ck_assert_msg((strstr(screen, text) != NULL) == is_there, "%s: '%s' in\n%s", is_there ? "missing" : "unwanted",
                  text, screen);
}

static void expect_picture(const char *screen)
{
    bool found = strstr(screen, "[2 banks]") || strstr(screen, "[3 global]") || strstr(screen, "[4 step]");
    ck_assert_msg(found, "no picture:\n%s", screen);
    expect(screen, "The last save made no", false);
    expect(screen, "This kernel does not touch", false);
}

static void expect_question(size_t question, size_t count)
{
    char prompt[64];
    char *wrong = read_screen(question, "wrong"), *settled = read_screen(question, "settled");
    snprintf(prompt, sizeof prompt, "answer %zu of %zu", question, count);
    expect_picture(wrong);
    expect(wrong, prompt, true);
    expect(wrong, "you said 987654: ", true);
    expect(wrong, "you said 987654: look again", false);
    expect(wrong, "the run counted", false);
    expect_picture(settled);
    expect(settled, "you said 987653, the run counted", true);
    expect(settled, "answer ", false);
    free(wrong);
    free(settled);
}

static void ask(const struct lesson *lesson)
{
    char script[8192] = "<wait>", state[96], number[16];
    for (size_t i = 1; i <= lesson->question_count; i++) {
        size_t length = strlen(script);
        snprintf(script + length, sizeof script - length,
                 "a987654<Enter><wait><screen %s/%zu-wrong>987653<Enter><wait><screen %s/%zu-settled><Esc>1", folder, i,
                 folder, i);
    }
    snprintf(state, sizeof state, "XDG_STATE_HOME=%s/state", folder);
    snprintf(number, sizeof number, "%d", lesson->number);
    const char *const words[] = {"lab", number, "--device", "sim", "--script", script, NULL};
    struct process_result result = program_run(words, (const char *const[]){state, NULL});
    ck_assert_msg(process_succeeded(&result), "%s", text_get(&result.err));
    process_result_free(&result);
}

START_TEST(a_wrong_answer_leads_to_a_picture_that_explains)
{
    struct lesson *lesson;
    struct diagnostic diagnostic;
    char path[256], command[128];
    if (!program_has_compiler()) {
        skip_check("wrong answers: no compiler");
        return;
    }
    snprintf(path, sizeof path, "%.*s", (int)(strrchr(lessons.gl_pathv[_i], '/') - lessons.gl_pathv[_i]),
             lessons.gl_pathv[_i]);
    ck_assert_msg(lesson_load(path, ".", &lesson, &diagnostic) == STATUS_OK, "%s", diagnostic.message);
    ck_assert_uint_le(lesson->question_count, MOST_QUESTIONS);
    snprintf(folder, sizeof folder, "/tmp/bankshot-answers.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ask(lesson);
    for (size_t i = 1; i <= lesson->question_count; i++)
        expect_question(i, lesson->question_count);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
    lesson_free(lesson);
}
END_TEST

Suite *suite_answers(void)
{
    Suite *suite = suite_create("answers");
    TCase *tests = tcase_create("answers");
    tcase_set_timeout(tests, 100);
    if (glob("lessons/*/lesson.cfg", 0, NULL, &lessons) == 0)
        tcase_add_loop_test(tests, a_wrong_answer_leads_to_a_picture_that_explains, 0, (int)lessons.gl_pathc);
    suite_add_tcase(suite, tests);
    return suite;
}
